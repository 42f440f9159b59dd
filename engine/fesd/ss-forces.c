/* engine/fesd/ss-forces.c: see the header. */
#include "fesd/ss-forces.h"

#include "fesd/ss-fesd-law.h"
#include "fesd/ss-forces-drives.h"
#include "scene/ss-uses.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Rank of the columns: what is left of one, as a part of it, that counts as nothing. */
static const double rank_tolerance = 1e-9;
/* Accelerations of two answers that differ by less, as a part of the largest, are the same. */
static const double same_acceleration = 1e-6;
/* Signs of forces and accelerations count from here on, as a part of the largest. */
static const double sign_tolerance = 1e-9;

typedef struct {
  const SsScene *scene; /* borrowed */
  double t, touching;
  const double *q, *v; /* borrowed */
  SsFesdSystem *system;
  SsFesdLaw *law;
  SsFesdTouch *all, *touches; /* owned: all that touch, those that hold; the same order */
  int n_all, n;
  SsForceState *state; /* n_all */
  int *place;          /* n_all: among those that hold, -1: not */
  double *a, *bilateral;
  double scale; /* of accelerations */
  int n_drives;
  SsForceDrive *drives; /* owned */
  double *extra;        /* owned: 3 n_bodies, their forces */
  SsForces *out;
  /* columns of what acts: joints' rows, then normals (with the friction of slips) and tangents */
  int n_columns;
  double *columns;    /* n_free each, times M^-1/2 */
  int *joint_column;  /* n_bilateral */
  int *touch_column;  /* 2 n: normal, tangent; -1: none */
  int *drive_column;  /* n_drives; -1: it does not hold */
  int n_null;         /* combinations without a trace */
  double *null_space; /* n_columns each */
} Finder;

const char *
ss_force_kind_name (SsForceKind kind)
{
  static const char *const names[SS_FORCE_KIND_COUNT] = {"contact", "point",   "joint",  "limit", "friction",
                                                         "drive",   "rolling", "spring", "motor"};

  SS_ASSERT ((int)kind >= 0 && kind < SS_FORCE_KIND_COUNT);
  return names[kind];
}

const char *
ss_force_state_name (SsForceState state)
{
  static const char *const names[SS_FORCE_STATE_COUNT] = {"holds",   "sticks", "slips", "opens",
                                                          "strikes", "parts",  "apart"};

  SS_ASSERT ((int)state >= 0 && state < SS_FORCE_STATE_COUNT);
  return names[state];
}

void
ss_forces_free (SsForces *forces)
{
  if (forces == NULL)
    return;
  ss_free (forces->items);
  ss_free (forces->acceleration);
  ss_free (forces);
}

static void
clear (Finder *f)
{
  ss_free (f->all);
  ss_free (f->touches);
  ss_free (f->state);
  ss_free (f->place);
  ss_free (f->a);
  ss_free (f->columns);
  ss_free (f->joint_column);
  ss_free (f->drives);
  ss_free (f->extra);
  ss_free (f->null_space);
  ss_fesd_law_free (f->law);
  ss_fesd_system_free (f->system);
}

static SsStatus
no_memory (SsError *err)
{
  return ss_error_set (err, SS_ERR_MEMORY, "no memory for the forces of a scene");
}

/* ---- what touches ------------------------------------------------------------------------------------------------ */

static bool
is_limit (const Finder *f, const SsFesdTouch *touch)
{
  return touch->item >= f->system->n_points;
}

static double
mu_of (const Finder *f, const SsFesdTouch *touch)
{
  return is_limit (f, touch) ? 0 : f->scene->contacts[f->system->points[touch->item].contact].mu;
}

/* Points of pairs whose place changes, as the bodies lie. */
static void
meet_pairs (const Finder *f)
{
  SsFesdSystem *s = f->system;

  for (int i = 0; i < s->n_pairs; i++) {
    SsFesdPoint points[2];
    double gaps[2];
    const int n = ss_fesd_system_meet (s, &s->pairs[i], f->q, points, gaps);
    for (int k = 0; k < 2; k++) {
      s->is_live[s->pairs[i].slot + k] = k < n;
      if (k < n)
        s->points[s->pairs[i].slot + k] = points[k];
    }
  }
}

static SsStatus
find_touches (Finder *f, SsError *err)
{
  const SsFesdSystem *s = f->system;
  double *offset = ss_new_array (double, (size_t)(s->n_points + s->n_rows) + 1);
  SsFesdTouch *touches;

  if (offset == NULL)
    return no_memory (err);
  meet_pairs (f);
  SsStatus status = ss_fesd_law_touching (f->law, f->t, f->q, f->v, offset, f->touching, &touches, &f->n_all, err);
  ss_free (offset);
  if (status != SS_OK)
    return status;
  f->n_all = ss_fesd_law_without_drives (f->law, touches, f->n_all); /* those are in ss-forces-drives.h */
  f->all = ss_new_array (SsFesdTouch, (size_t)f->n_all + 1);
  f->touches = ss_new_array (SsFesdTouch, (size_t)f->n_all + 1);
  f->state = ss_new_array (SsForceState, (size_t)f->n_all + 1);
  f->place = ss_new_array (int, (size_t)f->n_all + 1);
  if (f->all == NULL || f->touches == NULL || f->state == NULL || f->place == NULL)
    return no_memory (err);
  for (int i = 0; i < f->n_all; i++) {
    SsFesdTouch touch = touches[i];
    touch.sign = fabs (touch.slip) > SS_FORCES_AT_REST ? (touch.slip > 0 ? 1 : -1) : 0;
    f->all[i] = touch;
    f->place[i] = -1;
    f->state[i] = touch.rate < -SS_FORCES_AT_REST  ? SS_FORCE_STRIKES
                  : touch.rate > SS_FORCES_AT_REST ? SS_FORCE_PARTS
                                                   : SS_FORCE_HOLDS;
    if (f->state[i] == SS_FORCE_STRIKES)
      f->out->strikes = true;
    if (f->state[i] == SS_FORCE_HOLDS) {
      f->place[i] = f->n;
      f->touches[f->n++] = touch;
    }
  }
  return SS_OK;
}

/* ---- the law ----------------------------------------------------------------------------------------------------- */

static bool
presses (const Finder *f, const SsFesdTouch *touch)
{
  double largest = 0;
  for (int i = 0; i < f->n; i++)
    largest = fmax (largest, fabs (f->touches[i].force_n));
  return touch->force_n > sign_tolerance * largest;
}

/* What a touch does by its forces. */
static SsForceState
state_of (const Finder *f, const SsFesdTouch *touch)
{
  if (!presses (f, touch))
    return SS_FORCE_OPENS;
  if (is_limit (f, touch) || !(mu_of (f, touch) > 0))
    return SS_FORCE_HOLDS;
  return touch->sign != 0 || fabs (touch->slip_after) > same_acceleration * f->scale ? SS_FORCE_SLIPS : SS_FORCE_STICKS;
}

/* The largest acceleration that forces give without contacts and joints: what is small against it is none. */
static SsStatus
measure_scale (Finder *f, SsError *err)
{
  const int n = 3 * f->scene->n_bodies;
  double *force = ss_new_array (double, (size_t)n + 1);
  const double *w = ss_dynamics_inverse_mass (f->system->dynamics);

  if (force == NULL)
    return no_memory (err);
  ss_dynamics_forces (f->system->dynamics, SS_FORCE_ALL, f->t, f->q, f->v, NULL, force);
  for (int i = 0; i < n; i++)
    f->scale = fmax (f->scale, fabs (w[i] * force[i]));
  for (int i = 0; i < f->n_drives; i++)
    for (int k = 0; k < 6; k++)
      if (f->drives[i].body[k / 3] >= 0 && f->drives[i].touch < 0)
        f->scale =
            fmax (f->scale, fabs (w[3 * f->drives[i].body[k / 3] + k % 3] * f->drives[i].j[k] * f->drives[i].most));
  f->scale = f->scale > 0 ? f->scale : 1;
  ss_free (force);
  return SS_OK;
}

static bool
is_same_motion (const Finder *f, const double *a, const double *b, int n)
{
  double largest = f->scale, off = 0;

  for (int i = 0; i < n; i++) {
    largest = fmax (largest, fmax (fabs (a[i]), fabs (b[i])));
    off = fmax (off, fabs (a[i] - b[i]));
  }
  return off <= same_acceleration * largest;
}

/* Modes of a touch that are to be tried: open; closed, as it may slip. Returns their number. */
static int
modes_of (const Finder *f, const SsFesdTouch *touch, SsFesdMode modes[4])
{
  int n = 0;

  modes[n++] = SS_FESD_OPEN;
  if (!(mu_of (f, touch) > 0)) {
    modes[n++] = SS_FESD_SLIP_PLUS;
    return n;
  }
  if (touch->sign == 0)
    modes[n++] = SS_FESD_STICK;
  if (touch->sign >= 0)
    modes[n++] = SS_FESD_SLIP_PLUS;
  if (touch->sign <= 0)
    modes[n++] = SS_FESD_SLIP_MINUS;
  return n;
}

/* Counts the accelerations that other modes give. */
static SsStatus
count_answers (Finder *f, SsError *err)
{
  enum { ANSWERS_MAX = 8 };
  const int n_free = f->system->n_free;
  double count = 1;
  SsFesdMode choice[4];

  for (int i = 0; i < f->n; i++)
    count *= modes_of (f, &f->touches[i], choice);
  f->out->are_all_modes = count <= SS_FORCES_MODES_MAX;
  f->out->n_answers = f->out->is_solved ? 1 : 0;
  if (f->n == 0 || !f->out->are_all_modes)
    return SS_OK;
  SsFesdTouch *touches = ss_new_array (SsFesdTouch, (size_t)f->n);
  SsFesdMode *modes = ss_new_array (SsFesdMode, (size_t)f->n);
  double *found = ss_new_array (double, (size_t)n_free *(ANSWERS_MAX + 1) + 1);
  double *bilateral = ss_new_array (double, (size_t)f->system->n_bilateral + 1);
  SsStatus status = touches != NULL && modes != NULL && found != NULL && bilateral != NULL ? SS_OK : no_memory (err);
  if (status == SS_OK)
    status = ss_fesd_law_prepare (f->law, f->t, f->q, f->v, f->touches, f->n, err);
  int n_found = 0;
  if (status == SS_OK && f->out->is_solved)
    memcpy (found, f->a, (size_t)n_free * sizeof *found), n_found = 1;
  for (long k = 0; status == SS_OK && k < (long)count && n_found < ANSWERS_MAX; k++) {
    long rest = k;
    for (int i = 0; i < f->n; i++) {
      const int m = modes_of (f, &f->touches[i], choice);
      modes[i] = choice[rest % m];
      rest /= m;
      touches[i] = f->touches[i];
    }
    if (!ss_fesd_law_test (f->law, touches, modes, f->n, sign_tolerance))
      continue;
    double *a = found + (size_t)n_found * (size_t)n_free;
    ss_fesd_law_take_forces (f->law, touches, f->n, a, bilateral);
    bool is_new = true;
    for (int i = 0; i < n_found && is_new; i++)
      is_new = !is_same_motion (f, found + (size_t)i * (size_t)n_free, a, n_free);
    if (is_new && !f->out->is_solved) { /* the law's own solver has found none */
      memcpy (f->a, a, (size_t)n_free * sizeof *a);
      memcpy (f->touches, touches, (size_t)f->n * sizeof *touches);
      memcpy (f->bilateral, bilateral, (size_t)f->system->n_bilateral * sizeof *bilateral);
      f->out->is_solved = true;
    }
    n_found += is_new;
  }
  f->out->n_answers = n_found;
  ss_free (touches);
  ss_free (modes);
  ss_free (found);
  ss_free (bilateral);
  return status;
}

static SsStatus
solve (Finder *f, SsError *err)
{
  const int n_free = f->system->n_free;

  f->a = ss_new_array (double, (size_t)n_free + (size_t)f->system->n_bilateral + 2);
  if (f->a == NULL)
    return no_memory (err);
  f->bilateral = f->a + n_free;
  f->extra = ss_new_array (double, (size_t)f->system->n_q + 1);
  if (f->extra == NULL)
    return no_memory (err);
  SsStatus status = ss_force_drives_find (f->system, f->q, f->v, f->touches, f->n, &f->drives, &f->n_drives, err);
  if (status == SS_OK)
    status = measure_scale (f, err);
  if (status == SS_OK)
    status = ss_force_drives_solve (f->drives, f->n_drives, f->system, f->law, f->t, f->q, f->v, f->touches, f->n,
                                    f->extra, f->a, f->bilateral, &f->out->is_solved, err);
  return status == SS_OK ? count_answers (f, err) : status;
}

/* ---- what is unique ---------------------------------------------------------------------------------------------- */

static void
add_to_column (const Finder *f, const int body[2], const double j[6], double by, double *column)
{
  for (int k = 0; k < 6; k++) {
    const int i = body[k / 3] < 0 ? -1 : f->system->index[3 * body[k / 3] + k % 3];
    if (i >= 0)
      column[i] += by * j[k] / sqrt (f->system->mass[i]);
  }
}

/* Columns of all that presses or may: joints, and touches that stay closed. */
static SsStatus
make_columns (Finder *f, SsError *err)
{
  const SsFesdSystem *s = f->system;
  const size_t most = (size_t)s->n_bilateral + 2 * (size_t)f->n + (size_t)f->n_drives, n = (size_t)s->n_free;
  SsRow *rows = ss_new_array (SsRow, (size_t)s->n_rows + SS_JOINT_ROWS_MAX * (size_t)f->scene->n_joints + 1);

  f->columns = ss_new_array (double, most *n + 1);
  f->joint_column = ss_new_array (int, most + 1);
  if (rows == NULL || f->columns == NULL || f->joint_column == NULL) {
    ss_free (rows);
    return no_memory (err);
  }
  f->touch_column = f->joint_column + s->n_bilateral;
  f->drive_column = f->touch_column + 2 * f->n;
  if (s->n_bilateral > 0)
    ss_dynamics_joint_rows (s->dynamics, f->q, f->v, rows);
  for (int i = 0; i < s->n_bilateral; i++) {
    f->joint_column[i] = f->n_columns;
    add_to_column (f, rows[i].body, rows[i].j, 1, f->columns + n * (size_t)f->n_columns++);
  }
  if (s->n_rows > s->n_bilateral)
    ss_dynamics_limit_rows (s->dynamics, f->q, f->v, rows);
  double fastest = 0;
  for (int i = 0; i < f->n; i++)
    fastest = fmax (fastest, fabs (f->touches[i].rate_after));
  for (int i = 0; i < f->n; i++) {
    const SsFesdTouch *touch = &f->touches[i];
    int *at = &f->touch_column[2 * i];
    at[0] = at[1] = -1;
    if (!presses (f, touch) && touch->rate_after > sign_tolerance * fmax (fastest, f->scale))
      continue;
    double *column = f->columns + n * (size_t)f->n_columns;
    at[0] = f->n_columns++;
    if (is_limit (f, touch)) {
      const SsRow *row = &rows[touch->item - s->n_points];
      add_to_column (f, row->body, row->j, 1, column);
      continue;
    }
    const SsFesdPoint *point = &s->points[touch->item];
    SsFesdPointAt about;
    ss_fesd_point_at (point, f->q, false, &about);
    add_to_column (f, point->body, about.jn, 1, column);
    if (touch->sign != 0)
      add_to_column (f, point->body, about.jt, -touch->sign * mu_of (f, touch), column);
    else if (mu_of (f, touch) > 0) {
      at[1] = f->n_columns++;
      add_to_column (f, point->body, about.jt, 1, f->columns + n * (size_t)at[1]);
    }
  }
  for (int i = 0; i < f->n_drives; i++) {
    f->drive_column[i] = f->drives[i].holds ? f->n_columns++ : -1;
    if (f->drives[i].holds)
      add_to_column (f, f->drives[i].body, f->drives[i].j, 1, f->columns + n * (size_t)f->drive_column[i]);
  }
  ss_free (rows);
  return SS_OK;
}

/* Combinations of the columns that are 0: Gauss-Jordan with the largest pivot of all. */
static SsStatus
find_null_space (Finder *f, SsError *err)
{
  const int m = f->n_columns, n = f->system->n_free;
  double *r = ss_new_array (double, (size_t)m *(size_t)n + 1);
  int *pivot_row = ss_new_array (int, (size_t)m + (size_t)n + 1), *is_used = pivot_row != NULL ? pivot_row + m : NULL;
  int rank = 0;

  if (r == NULL || pivot_row == NULL) {
    ss_free (r);
    ss_free (pivot_row);
    return no_memory (err);
  }
  memcpy (r, f->columns, (size_t)m * (size_t)n * sizeof *r);
  double size = 0;
  for (int c = 0; c < m; c++) {
    pivot_row[c] = -1;
    for (int i = 0; i < n; i++)
      size = fmax (size, fabs (r[(size_t)c * (size_t)n + (size_t)i]));
  }
  for (; rank < m && rank < n; rank++) {
    int best_c = -1, best_i = -1;
    double best = rank_tolerance * size;
    for (int c = 0; c < m; c++)
      for (int i = 0; i < n && pivot_row[c] < 0; i++)
        if (!is_used[i] && fabs (r[(size_t)c * (size_t)n + (size_t)i]) > best) {
          best = fabs (r[(size_t)c * (size_t)n + (size_t)i]);
          best_c = c;
          best_i = i;
        }
    if (best_c < 0)
      break;
    pivot_row[best_c] = best_i;
    is_used[best_i] = 1;
    const double *own = r + (size_t)best_c * (size_t)n;
    const double by = own[best_i];
    /* rows are eliminated: row i of all columns less a part of the pivot's row */
    for (int i = 0; i < n; i++) {
      const double part = i == best_i ? 0 : own[i] / by;
      for (int c = 0; c < m && part != 0; c++)
        if (c != best_c)
          r[(size_t)c * (size_t)n + (size_t)i] -= part * r[(size_t)c * (size_t)n + (size_t)best_i];
    }
    for (int i = 0; i < n; i++)
      if (i != best_i)
        r[(size_t)best_c * (size_t)n + (size_t)i] = 0;
  }
  f->n_null = m - rank;
  f->null_space = ss_new_array (double, (size_t)f->n_null *(size_t)m + 1);
  SsStatus status = f->null_space != NULL ? SS_OK : no_memory (err);
  for (int c = 0, k = 0; status == SS_OK && c < m; c++) {
    if (pivot_row[c] >= 0)
      continue;
    double *z = f->null_space + (size_t)k++ * (size_t)m;
    z[c] = 1;
    for (int p = 0; p < m; p++)
      if (pivot_row[p] >= 0)
        z[p] = -r[(size_t)c * (size_t)n + (size_t)pivot_row[p]] / r[(size_t)p * (size_t)n + (size_t)pivot_row[p]];
  }
  ss_free (r);
  ss_free (pivot_row);
  return status;
}

/* Whether no combination has a part in that column; -1: there is none. */
static bool
is_column_unique (const Finder *f, int column)
{
  for (int k = 0; k < f->n_null && column >= 0; k++)
    if (fabs (f->null_space[(size_t)k * (size_t)f->n_columns + (size_t)column]) > rank_tolerance)
      return false;
  return true;
}

/* ---- the list ---------------------------------------------------------------------------------------------------- */

static SsForceItem *
add_item (Finder *f, SsForceKind kind, int index, int body_a, int body_b)
{
  SsForceItem *item = &f->out->items[f->out->n++];

  *item = (SsForceItem){.kind = kind,
                        .index = index,
                        .point = -1,
                        .body = {body_a, body_b},
                        .state = SS_FORCE_HOLDS,
                        .at = {NAN, NAN},
                        .normal = NAN,
                        .tangential = NAN,
                        .value = NAN,
                        .is_unique = true};
  return item;
}

/* Directions of a point's forces on the contact's second body: normal, tangent. */
static void
directions (const Finder *f, const SsFesdPoint *point, SsVec2 *n, SsVec2 *t)
{
  const double sign = point->body[1] == f->scene->contacts[point->contact].body_b ? 1 : -1;
  SsFesdPointAt about;

  ss_fesd_point_at (point, f->q, false, &about);
  *n = (SsVec2){sign * about.jn[3], sign * about.jn[4]};
  *t = (SsVec2){sign * about.jt[3], sign * about.jt[4]};
}

/* Whether what has no trace leaves the sum of a contact's forces as it is. */
static bool
is_sum_unique (const Finder *f, int contact)
{
  for (int k = 0; k < f->n_null; k++) {
    SsVec2 sum = {0, 0};
    for (int i = 0; i < f->n; i++) {
      const SsFesdTouch *touch = &f->touches[i];
      if (is_limit (f, touch) || f->system->points[touch->item].contact != contact || f->touch_column[2 * i] < 0)
        continue;
      SsVec2 n, t;
      directions (f, &f->system->points[touch->item], &n, &t);
      const double *z = f->null_space + (size_t)k * (size_t)f->n_columns;
      const double pn = z[f->touch_column[2 * i]];
      const double pt = touch->sign != 0                  ? -touch->sign * mu_of (f, touch) * pn
                        : f->touch_column[2 * i + 1] >= 0 ? z[f->touch_column[2 * i + 1]]
                                                          : 0;
      sum.x += pn * n.x + pt * t.x;
      sum.y += pn * n.y + pt * t.y;
    }
    if (hypot (sum.x, sum.y) > rank_tolerance)
      return false;
  }
  return true;
}

/* A contact, and its points; the sum acts at the middle of the points, by their normal forces. */
static void
add_contact (Finder *f, int contact)
{
  const SsContact *c = &f->scene->contacts[contact];
  const int at = f->out->n;
  double weight = 0;
  SsVec2 middle = {0, 0};

  add_item (f, SS_FORCE_OF_CONTACT, contact, c->body_a, c->body_b);
  f->out->items[at].state = SS_FORCE_IS_APART;
  f->out->items[at].normal = f->out->items[at].tangential = 0;
  for (int i = 0; i < f->n_all; i++) {
    if (is_limit (f, &f->all[i]) || f->system->points[f->all[i].item].contact != contact)
      continue;
    const SsFesdPoint *point = &f->system->points[f->all[i].item];
    SsForceItem *item = add_item (f, SS_FORCE_OF_POINT, contact, c->body_a, c->body_b), *sum = &f->out->items[at];
    SsVec2 n, t;
    directions (f, point, &n, &t);
    item->point = point->corner;
    item->at = ss_fesd_point_place (point, f->q);
    item->state = f->state[i];
    item->normal = item->tangential = 0;
    if (f->place[i] >= 0) {
      const SsFesdTouch *touch = &f->touches[f->place[i]];
      item->state = state_of (f, touch);
      item->normal = touch->force_n;
      item->tangential = touch->force_t;
      item->force = (SsVec2){touch->force_n * n.x + touch->force_t * t.x, touch->force_n * n.y + touch->force_t * t.y};
      item->is_unique = is_column_unique (f, f->touch_column[2 * f->place[i]]) &&
                        is_column_unique (f, f->touch_column[2 * f->place[i] + 1]);
    }
    sum->normal += item->normal;
    sum->tangential += item->tangential;
    sum->force.x += item->force.x;
    sum->force.y += item->force.y;
    const double by = item->normal > 0 ? item->normal : DBL_MIN;
    middle.x += by * item->at.x;
    middle.y += by * item->at.y;
    weight += by;
    /* what strikes counts most, then what slips, sticks, ... */
    static const int rank[SS_FORCE_STATE_COUNT] = {[SS_FORCE_STRIKES] = 6, [SS_FORCE_SLIPS] = 5, [SS_FORCE_STICKS] = 4,
                                                   [SS_FORCE_HOLDS] = 3,   [SS_FORCE_OPENS] = 2, [SS_FORCE_PARTS] = 1};
    if (rank[item->state] > rank[sum->state])
      sum->state = item->state;
  }
  if (weight > 0)
    f->out->items[at].at = (SsVec2){middle.x / weight, middle.y / weight};
  f->out->items[at].is_unique = is_sum_unique (f, contact);
}

static SsVec2
place_of (const Finder *f, int body, SsVec2 anchor)
{
  if (body < 0)
    return anchor;
  const double *q = f->q + 3 * body, c = cos (q[2]), s = sin (q[2]);
  return (SsVec2){q[0] + c * anchor.x - s * anchor.y, q[1] + s * anchor.x + c * anchor.y};
}

/* Force on the second body of generalised forces at its origin, and their moment about a point of it. */
static void
add_wrench (const Finder *f, SsForceItem *item, const SsRow *row, double value)
{
  const int body = item->body[1];

  if (row->body[1] != body || body < 0)
    return;
  const SsVec2 force = {value * row->j[3], value * row->j[4]};
  const double *q = f->q + 3 * body;
  item->force.x += force.x;
  item->force.y += force.y;
  item->moment += value * row->j[5] - ((item->at.x - q[0]) * force.y - (item->at.y - q[1]) * force.x);
}

static void
add_joints (Finder *f, const SsRow *rows)
{
  for (int j = 0; j < f->scene->n_joints; j++) {
    const SsJoint *joint = &f->scene->joints[j];
    if (ss_joint_n_rows (joint) == 0)
      continue; /* it is a limit alone */
    SsForceItem *item = add_item (f, SS_FORCE_OF_JOINT, j, joint->body_a, joint->body_b);
    item->at = place_of (f, joint->body_b, joint->anchor_b);
    for (int i = 0; i < f->system->n_bilateral; i++) {
      if (rows[i].source != j)
        continue;
      add_wrench (f, item, &rows[i], f->bilateral[i]);
      item->is_unique = item->is_unique && is_column_unique (f, f->joint_column[i]);
      if (joint->kind == SS_JOINT_ROD)
        item->value = -f->bilateral[i]; /* of a rod, its tension */
      else if (joint->kind == SS_JOINT_FORMULA || joint->kind == SS_JOINT_GEAR)
        item->value = f->bilateral[i]; /* what works on phi */
    }
  }
}

static void
add_limits (Finder *f, const SsRow *rows)
{
  const int n = f->system->n_rows - f->system->n_bilateral - f->system->n_drives;

  for (int i = 0; i < n; i++) {
    const SsJoint *joint = &f->scene->joints[rows[i].source];
    SsForceItem *item = add_item (f, SS_FORCE_OF_LIMIT, rows[i].source, joint->body_a, joint->body_b);
    item->at = place_of (f, joint->body_b, joint->anchor_b);
    item->point = rows[i].index;
    item->state = SS_FORCE_IS_APART;
    item->value = 0;
    for (int k = 0; k < f->n_all; k++) {
      if (f->all[k].item != f->system->n_points + i)
        continue;
      item->state = f->state[k];
      if (f->place[k] < 0)
        continue;
      item->state = state_of (f, &f->touches[f->place[k]]);
      item->value = f->touches[f->place[k]].force_n;
      item->is_unique = is_column_unique (f, f->touch_column[2 * f->place[k]]);
      add_wrench (f, item, &rows[i], item->value);
    }
  }
}

/* Friction and motors of joints where their anchor is, what resists rolling at its point. */
static void
add_drives (Finder *f)
{
  for (int i = 0; i < f->n_drives; i++) {
    const SsForceDrive *drive = &f->drives[i];
    const bool is_rolling = drive->touch >= 0, is_motor = drive->kind == SS_DRIVE_MOTOR;
    SsRow acts = {.body = {drive->body[0], drive->body[1]}};
    SsForceItem *item = add_item (f,
                                  is_rolling ? SS_FORCE_OF_ROLLING
                                  : is_motor ? SS_FORCE_OF_DRIVE
                                             : SS_FORCE_OF_FRICTION,
                                  drive->index, drive->body[0], drive->body[1]);
    memcpy (acts.j, drive->j, sizeof acts.j);
    if (is_rolling) {
      const SsFesdPoint *point = &f->system->points[f->touches[drive->touch].item];
      item->point = point->corner;
      item->at = ss_fesd_point_place (point, f->q);
    } else
      item->at = place_of (f, drive->body[1], f->scene->joints[drive->index].anchor_b);
    item->state = !drive->holds ? SS_FORCE_SLIPS : is_motor ? SS_FORCE_HOLDS : SS_FORCE_STICKS;
    item->value = drive->value;
    item->is_unique = is_column_unique (f, f->drive_column[i]);
    add_wrench (f, item, &acts, drive->value);
  }
}

static void
add_springs (Finder *f, const SsRow *rows)
{
  for (int i = 0; i < f->scene->n_springs; i++) {
    const SsSpring *spring = &f->scene->springs[i];
    SsForceItem *item = add_item (f, SS_FORCE_OF_SPRING, i, spring->body_a, spring->body_b);
    item->at = place_of (f, spring->body_b, spring->anchor_b);
    item->value = spring->stiffness * rows[i].phi + spring->damping * ss_row_velocity (&rows[i], f->v);
    add_wrench (f, item, &rows[i], -item->value);
  }
}

static void
add_motors (Finder *f)
{
  for (int i = 0; i < f->scene->n_actuators; i++) {
    const SsActuator *motor = &f->scene->actuators[i];
    const bool is_joint = motor->kind == SS_ACTUATOR_JOINT;
    const SsJoint *joint = is_joint ? &f->scene->joints[motor->joint] : NULL;
    SsForceItem *item =
        add_item (f, SS_FORCE_OF_ACTUATOR, i, is_joint ? joint->body_a : -1, is_joint ? joint->body_b : motor->body);
    item->value = ss_dynamics_control (f->system->dynamics, i, f->t, f->q, f->v, NULL);
    item->at = is_joint ? place_of (f, joint->body_b, joint->anchor_b) : place_of (f, motor->body, motor->anchor);
    if (motor->kind == SS_ACTUATOR_TORQUE || (is_joint && joint->kind != SS_JOINT_SLIDER)) {
      item->moment = item->value;
      continue;
    }
    const SsVec2 own = is_joint ? joint->axis : motor->direction;
    const int frame = is_joint ? joint->body_a : motor->is_body_frame ? motor->body : -1;
    const double angle = frame >= 0 ? f->q[3 * frame + 2] : 0, c = cos (angle), s = sin (angle);
    item->force = (SsVec2){item->value * (c * own.x - s * own.y), item->value * (s * own.x + c * own.y)};
  }
}

static SsStatus
make_list (Finder *f, SsError *err)
{
  const SsScene *scene = f->scene;
  const SsFesdSystem *s = f->system;
  const size_t most = (size_t)scene->n_contacts + (size_t)f->n_all + (size_t)scene->n_joints + (size_t)s->n_rows +
                      (size_t)scene->n_springs + (size_t)scene->n_actuators + (size_t)f->n_drives;
  SsRow *rows = ss_new_array (SsRow, (size_t)s->n_rows + (size_t)scene->n_springs + 1);

  f->out->items = ss_new_array (SsForceItem, most + 1);
  f->out->acceleration = ss_new_array (double, (size_t)s->n_q + 1);
  if (rows == NULL || f->out->items == NULL || f->out->acceleration == NULL) {
    ss_free (rows);
    return no_memory (err);
  }
  for (int i = 0; i < s->n_free; i++)
    f->out->acceleration[s->coordinate[i]] = f->a[i];
  for (int i = 0; i < scene->n_contacts; i++)
    add_contact (f, i);
  if (s->n_bilateral > 0)
    ss_dynamics_joint_rows (s->dynamics, f->q, f->v, rows);
  add_joints (f, rows);
  if (s->n_rows > s->n_bilateral)
    ss_dynamics_limit_rows (s->dynamics, f->q, f->v, rows);
  add_limits (f, rows);
  add_drives (f);
  if (scene->n_springs > 0)
    ss_dynamics_spring_rows (s->dynamics, f->q, f->v, rows);
  add_springs (f, rows);
  add_motors (f);
  ss_free (rows);
  f->out->is_unique = f->out->is_solved && f->out->n_answers <= 1;
  for (int i = 0; i < f->out->n; i++)
    f->out->is_unique = f->out->is_unique && f->out->items[i].is_unique;
  f->out->is_motion_unique = f->out->n_answers <= 1;
  return SS_OK;
}

SsStatus
ss_forces_at (const SsScene *scene, double t, const double *q, const double *v, double touching, SsForces **out,
              SsError *err)
{
  SS_ASSERT (scene != NULL && q != NULL && v != NULL && out != NULL);
  Finder f = {.scene = scene, .t = t, .q = q, .v = v, .touching = isnan (touching) ? SS_FORCES_TOUCHING : touching};

  *out = NULL;
  f.out = ss_new (SsForces);
  SsStatus status = f.out != NULL ? SS_OK : no_memory (err);
  if (status == SS_OK)
    status = ss_uses_check (scene, SS_USES_JOINT_DRIVES | SS_USES_ROLLING | SS_USES_TIME,
                            "the answer of forces at a state", err);
  if (status == SS_OK)
    status = ss_fesd_system_new (scene, &f.system, err);
  if (status == SS_OK)
    status = ss_fesd_law_new (f.system, &f.law, err);
  if (status == SS_OK)
    status = find_touches (&f, err);
  if (status == SS_OK)
    status = solve (&f, err);
  if (status == SS_OK)
    status = make_columns (&f, err);
  if (status == SS_OK)
    status = find_null_space (&f, err);
  if (status == SS_OK)
    status = make_list (&f, err);
  clear (&f);
  if (status == SS_OK)
    *out = f.out;
  else
    ss_forces_free (f.out);
  return status;
}
