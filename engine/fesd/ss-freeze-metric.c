/* engine/fesd/ss-freeze-metric.c: rows of contact points in the kinetic metric; see ss-freeze.h. */
#include "fesd/ss-freeze-private.h"

#include "contact/ss-contact-corner.h"
#include "core/ss-memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Added to a singular matrix of joints, relative to its diagonal: redundant joints share. */
static const double joint_redundancy = 1e-13;

void
ss_freeze_metric_clear (SsFreezeMetric *metric)
{
  SS_ASSERT (metric != NULL);
  ss_free (metric->row);
  ss_free (metric->driven);
  ss_free (metric->delassus);
  *metric = (SsFreezeMetric){0};
}

static SsStatus
reserve (SsFreeze *f, int n, SsError *err)
{
  SsFreezeMetric *m = &f->metric;
  if (n <= m->capacity)
    return SS_OK;
  const size_t wanted = (size_t)(n + n / 2 + 2), width = (size_t)f->system->n_free;
  double *row = ss_realloc (m->row, 4 * wanted * width + 1, sizeof *row);
  m->row = row != NULL ? row : m->row;
  double *driven = ss_realloc (m->driven, 2 * wanted, sizeof *driven);
  m->driven = driven != NULL ? driven : m->driven;
  double *delassus = ss_realloc (m->delassus, 4 * wanted * wanted, sizeof *delassus);
  m->delassus = delassus != NULL ? delassus : m->delassus;
  if (row == NULL || driven == NULL || delassus == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d touching points", n);
  m->push = m->row + 2 * wanted * width;
  m->capacity = (int)wanted;
  return SS_OK;
}

/* A row of two bodies (-1: the world) on the free coordinates. Returns what the others add to J v. */
static double
set_row (const SsFesdSystem *s, const int body[2], const double j[SS_FESD_POINT_N], const double *v, double *row)
{
  double driven = 0;
  memset (row, 0, (size_t)s->n_free * sizeof *row);
  for (int k = 0; k < SS_FESD_POINT_N; k++) {
    const int i = body[k / 3] < 0 ? -1 : 3 * body[k / 3] + k % 3;
    if (i >= 0 && s->index[i] >= 0)
      row[s->index[i]] += j[k];
    else if (i >= 0)
      driven += j[k] * v[i];
  }
  return driven;
}

/* G, G M^-1 and the factors of G M^-1 G'. */
static SsStatus
set_joints (SsFreeze *f, const double *v, SsError *err)
{
  const SsFesdSystem *s = f->system;
  const int n_b = s->n_bilateral, n = s->n_free;
  double largest = 0;
  for (int i = 0; i < n_b; i++) {
    set_row (s, f->joints[i].body, f->joints[i].j, v, f->g + i * n);
    for (int k = 0; k < n; k++)
      f->gm[i * n + k] = f->g[i * n + k] / s->mass[k];
  }
  for (int i = 0; i < n_b; i++)
    for (int j = 0; j < n_b; j++) {
      f->block[j * n_b + i] = ss_dot (n, f->g + i * n, f->gm + j * n);
      largest = fmax (largest, f->block[j * n_b + i]);
    }
  for (int i = 0; i < n_b; i++)
    f->block[i * n_b + i] += f->block[i * n_b + i] > 0 ? joint_redundancy * largest : 1; /* a row that moves nothing */
  if (n_b > 0 && ss_dense_lu (n_b, f->block, n_b, f->pivot) != SS_OK)
    return ss_error_set (err, SS_ERR_SINGULAR, "the joints leave no motion");
  return SS_OK;
}

/* W row: what it does to velocities that the joints allow. */
static void
set_push (SsFreeze *f, const double *row, double *push, double *work)
{
  const SsFesdSystem *s = f->system;
  const int n_b = s->n_bilateral, n = s->n_free;
  for (int k = 0; k < n; k++)
    push[k] = row[k] / s->mass[k];
  for (int i = 0; i < n_b; i++)
    work[i] = ss_dot (n, f->gm + i * n, row);
  if (n_b > 0)
    ss_dense_lu_solve (n_b, f->block, n_b, f->pivot, work);
  for (int i = 0; i < n_b; i++)
    ss_axpy (n, -work[i], f->gm + i * n, push);
}

SsStatus
ss_freeze_metric_set (SsFreeze *f, const double *q, const double *v, const SsFreezePlace *places, int n, SsError *err)
{
  SS_ASSERT (f != NULL && n >= 0);

  const SsFesdSystem *s = f->system;
  SsFreezeMetric *m = &f->metric;
  SsStatus status = reserve (f, n, err);
  if (status != SS_OK)
    return status;
  ss_dynamics_joint_rows (s->dynamics, q, v, f->joints);
  SsRow *limits = f->joints + s->n_bilateral;
  ss_dynamics_limit_rows (s->dynamics, q, v, limits);
  status = set_joints (f, v, err);
  if (status != SS_OK)
    return status;
  const size_t width = (size_t)s->n_free;
  m->n = n;
  for (int i = 0; i < n; i++) {
    double *normal = m->row + 2 * (size_t)i * width, *tangent = normal + width;
    if (places[i].contact < 0) {
      const SsRow *limit = &limits[places[i].item - s->n_points];
      m->driven[2 * i] = set_row (s, limit->body, limit->j, v, normal);
      m->driven[2 * i + 1] = 0;
      memset (tangent, 0, width * sizeof *tangent);
    } else {
      SsFesdPointAt at;
      ss_fesd_point_at (&places[i].point, q, false, &at);
      m->driven[2 * i] = set_row (s, places[i].point.body, at.jn, v, normal);
      m->driven[2 * i + 1] = set_row (s, places[i].point.body, at.jt, v, tangent);
    }
  }
  for (size_t i = 0; i < 2 * (size_t)n; i++)
    set_push (f, m->row + i * width, m->push + i * width, f->gm + (size_t)s->n_bilateral * width);
  for (size_t i = 0; i < 2 * (size_t)n; i++)
    for (size_t j = 0; j < 2 * (size_t)n; j++)
      m->delassus[i * 2 * (size_t)n + j] = ss_dot (s->n_free, m->row + i * width, m->push + j * width);
  return SS_OK;
}

double
ss_freeze_rate (const SsFreeze *f, int row, const double *v)
{
  SS_ASSERT (f != NULL);

  const SsFesdSystem *s = f->system;
  const double *j = f->metric.row + (size_t)row * (size_t)s->n_free;
  double rate = f->metric.driven[row];
  for (int k = 0; k < s->n_free; k++)
    rate += j[k] * v[s->coordinate[k]];
  return rate;
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

static SsStatus
add_place (SsFreeze *f, const SsFreezePlace *place, SsError *err)
{
  if (ss_array_reserve ((void **)&f->places, &f->places_capacity, f->n_places + 1, sizeof *f->places) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the points of contact");
  f->places[f->n_places++] = *place;
  return SS_OK;
}

static double
rate_of (const SsFesdPoint *point, const double *q, const double *v)
{
  SsFesdPointAt at;
  ss_fesd_point_at (point, q, false, &at);
  return ss_fesd_point_rate (point, at.jn, v);
}

SsStatus
ss_freeze_look_around (SsFreeze *f, const double *q, const double *v, SsError *err)
{
  SS_ASSERT (f != NULL);

  const SsFesdSystem *s = f->system;
  SsStatus status = SS_OK;
  f->n_places = 0;
  for (int i = 0; status == SS_OK && i < s->n_static; i++) {
    const SsFesdPoint *point = &s->points[i];
    const SsFreezePlace place = {.item = i,
                                 .contact = point->contact,
                                 .corner = point->corner,
                                 .point = *point,
                                 .gap = ss_fesd_point_gap (point, q),
                                 .rate = rate_of (point, q, v)};
    status = add_place (f, &place, err);
  }
  for (int i = 0; i < s->n_pairs; i++) {
    SsFesdPoint points[2];
    double gaps[2];
    const int n = ss_fesd_system_meet (s, &s->pairs[i], q, points, gaps);
    for (int k = 0; status == SS_OK && k < n; k++) {
      const SsFreezePlace place = {.item = s->pairs[i].slot + k,
                                   .contact = s->pairs[i].contact,
                                   .corner = points[k].corner,
                                   .point = points[k],
                                   .gap = gaps[k],
                                   .rate = rate_of (&points[k], q, v)};
      status = add_place (f, &place, err);
    }
  }
  SsRow *limits = f->joints + s->n_bilateral;
  const int n_limits = ss_dynamics_limit_rows (s->dynamics, q, v, limits);
  for (int i = 0; status == SS_OK && i < n_limits; i++) {
    const SsFreezePlace place = {
        .item = s->n_points + i, .contact = -1, .gap = limits[i].phi, .rate = ss_row_velocity (&limits[i], v)};
    status = add_place (f, &place, err);
  }
  return status;
}

SsStatus
ss_freeze_take_touches (SsFreeze *f, const double *q, const SsFesdTouch *touches, int n, double rest, SsError *err)
{
  SS_ASSERT (f != NULL && n >= 0);

  const SsFesdSystem *s = f->system;
  SsStatus status = SS_OK;
  (void)q;
  f->n_places = 0;
  for (int i = 0; status == SS_OK && i < n; i++) {
    const int item = touches[i].item;
    if (touches[i].rate > rest)
      continue;
    SsFreezePlace place = {.item = item, .contact = -1, .gap = touches[i].gap, .rate = touches[i].rate};
    if (item < s->n_points) {
      place.contact = s->points[item].contact;
      place.corner = s->points[item].corner;
      place.point = s->points[item];
    }
    status = add_place (f, &place, err);
  }
  return status;
}

/* "contact a", with the corner where the contact has several, or "limit of joint b". */
static void
ss_freeze_place_name (const SsFreeze *f, const SsFreezePlace *place, char *name, size_t size)
{
  const SsFesdSystem *s = f->system;
  if (place->contact < 0)
    snprintf (name, size, "limit of joint %s",
              s->scene->joints[s->row_joint[s->n_bilateral + place->item - s->n_points]].name);
  else if (ss_contact_n_corners (s->scene, place->contact) > 1)
    snprintf (name, size, "contact %s (point %d)", s->scene->contacts[place->contact].name, place->corner);
  else
    snprintf (name, size, "contact %s", s->scene->contacts[place->contact].name);
}

void
ss_freeze_name_pair (const SsFreeze *f, int i, int j, char *name, size_t size)
{
  SS_ASSERT (f != NULL);

  char first[SS_FREEZE_PLACE_NAME_MAX], second[SS_FREEZE_PLACE_NAME_MAX];
  ss_freeze_place_name (f, &f->places[i], first, sizeof first);
  ss_freeze_place_name (f, &f->places[j], second, sizeof second);
  snprintf (name, size, "%.75s and %.75s", first, second);
}

int
ss_freeze_compare (const SsFreeze *f, int i, int j, double tolerance)
{
  SS_ASSERT (f != NULL);

  const SsFreezeMetric *m = &f->metric;
  const size_t width = (size_t)f->system->n_free, n = 2 * (size_t)m->n;
  const double *d = m->delassus;
  const size_t a = 2 * (size_t)i, b = 2 * (size_t)j;
  const double scale = sqrt (d[a * n + a] * d[b * n + b]);
  if (!(fabs (d[a * n + b]) > tolerance * scale))
    return 0;
  double difference = 0, largest = 0;
  for (size_t k = 0; k < 2 * width; k++) {
    difference = fmax (difference, fabs (m->row[a * width + k] - m->row[b * width + k]));
    largest = fmax (largest, fabs (m->row[a * width + k]));
  }
  return f->places[i].contact >= 0 && f->places[i].contact == f->places[j].contact && difference <= tolerance * largest
             ? 2
             : 1;
}

SsStatus
ss_freeze_find_leaders (SsFreeze *f, const double *q, const double *v, const SsFesdTouch *touches, int n, double rest,
                        int skew[2], SsError *err)
{
  SS_ASSERT (f != NULL);

  SsStatus status = ss_freeze_take_touches (f, q, touches, n, rest, err);
  skew[0] = skew[1] = -1;
  for (int i = 0; i < f->n_places; i++)
    f->leader[f->places[i].item] = f->places[i].item;
  if (status == SS_OK && f->n_places > 1)
    status = ss_freeze_metric_set (f, q, v, f->places, f->n_places, err);
  for (int i = 0; status == SS_OK && i < f->n_places; i++)
    for (int j = i + 1; j < f->n_places; j++) {
      const int how = ss_freeze_compare (f, i, j, ss_freeze_skew_tolerance);
      if (how == 2)
        f->leader[f->places[j].item] = f->leader[f->places[i].item];
      if (how == 1 && skew[0] < 0) {
        skew[0] = i;
        skew[1] = j;
      }
    }
  return status;
}
