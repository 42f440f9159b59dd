/* engine/fesd/ss-fesd-beside.c: see the header. */
#include "fesd/ss-fesd-beside.h"

#include "core/ss-memory.h"
#include "fesd/ss-fesd-march-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SECANTS_MAX = 30 };
/* Where the slope of a switch's condition is first measured, as a part of the element. */
static const double first_part = 1e-5;
/* What counts as rounding of a switch's condition, as a part of what counts as zero of it. */
static const double tolerated = 1e-2;
/* How much of an element at both ends another switch may have beside: events move by some 1e-5 of the time. */
static const double ends_part = 0.1;
/* A switch beside is of first order where its condition fails by so many times what counts as zero of it. */
static const double deep = 1e4;
/* Forces that count as zero, as a part of the largest. */
static const double no_force = 1e-10;

struct SsFesdBeside {
  SsFesdSystem *system;
  SsFesdElement *element;
  SsFesdLaw *law;
  SsFesdWatch *watch;
  SsFesdImpacts *impacts; /* of a law of the room impact; else NULL */
  SsFreeze *freeze;       /* of time-freezing; else NULL */
  SsFesdImpactLaw by_impacts;
  bool has_other_shapes;
  double *offset, *bilateral;
};

static bool
is_same_shape (const SsShape *a, const SsShape *b)
{
  if (a->kind != b->kind || a->radius != b->radius || a->n_vertices != b->n_vertices || a->normal.x != b->normal.x ||
      a->normal.y != b->normal.y || a->centre.x != b->centre.x || a->centre.y != b->centre.y)
    return false;
  for (int i = 0; i < a->n_vertices; i++)
    if (a->vertices[i].x != b->vertices[i].x || a->vertices[i].y != b->vertices[i].y)
      return false;
  return true;
}

static bool
have_same_shapes (const SsScene *a, const SsScene *b)
{
  for (int i = 0; i < a->n_bodies; i++) {
    if (ss_body_n_shapes (&a->bodies[i]) != ss_body_n_shapes (&b->bodies[i]))
      return false;
    for (int k = 0; k < ss_body_n_shapes (&a->bodies[i]); k++)
      if (!is_same_shape (ss_body_shape (&a->bodies[i], k), ss_body_shape (&b->bodies[i], k)))
        return false;
  }
  return true;
}

static bool
is_like (const SsFesdSystem *a, const SsFesdSystem *b)
{
  return a->n_q == b->n_q && a->n_free == b->n_free && a->n_points == b->n_points && a->n_static == b->n_static &&
         a->n_rows == b->n_rows && a->scene->n_breaks == b->scene->n_breaks && a->n_bilateral == b->n_bilateral &&
         a->n_drives == b->n_drives && a->scene->n_contacts == b->scene->n_contacts;
}

SsStatus
ss_fesd_beside_new (const SsScene *scene, const SsFesdSystem *like, const SsTableau *tableau,
                    const SsFesdBesideLaw *law, const SsFesdMarch *march, SsFesdBeside **out, SsError *err)
{
  SS_ASSERT (scene != NULL && like != NULL && tableau != NULL && out != NULL);

  *out = NULL;
  SsFesdBeside *self = ss_new (SsFesdBeside);
  if (self == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a motion beside");
  SsStatus status = ss_fesd_system_new (scene, &self->system, err);
  if (status == SS_OK && !is_like (self->system, like))
    status = ss_error_set (err, SS_ERR_INVALID, "it changes which bodies, contacts, joints or drives there are");
  if (status == SS_OK)
    status = ss_fesd_element_new (self->system, tableau, &self->element, err);
  if (status == SS_OK)
    status = ss_fesd_law_new (self->system, &self->law, err);
  if (status == SS_OK)
    status = ss_fesd_watch_new (self->system, tableau, &self->watch, err);
  if (status == SS_OK && law->impacts != NULL)
    status = ss_fesd_impacts_new (self->system, law->impacts, &self->impacts, err);
  if (status == SS_OK && law->freeze != NULL)
    status = ss_freeze_new_beside (law->freeze, self->system, &self->freeze, err);
  if (status == SS_OK) {
    self->offset = ss_new_array (double, ss_fesd_n_items (like) + 1);
    self->bilateral = ss_new_array (double, like->n_bilateral + 1);
    if (self->offset == NULL || self->bilateral == NULL)
      status = ss_error_set (err, SS_ERR_MEMORY, "no memory for a motion beside");
  }
  if (status != SS_OK) {
    ss_fesd_beside_free (self);
    return status;
  }
  if (self->impacts != NULL) {
    ss_fesd_impacts_set_march (self->impacts, march);
    self->by_impacts = ss_fesd_impacts_law (self->impacts);
  } else if (self->freeze != NULL)
    self->by_impacts = ss_freeze_impacts (self->freeze);
  self->has_other_shapes = !have_same_shapes (scene, like->scene);
  ss_fesd_element_set_offsets (self->element, self->offset);
  *out = self;
  return SS_OK;
}

void
ss_fesd_beside_free (SsFesdBeside *self)
{
  if (self == NULL)
    return;
  ss_fesd_impacts_free (self->impacts);
  ss_freeze_free (self->freeze);
  ss_fesd_watch_free (self->watch);
  ss_fesd_law_free (self->law);
  ss_fesd_element_free (self->element);
  ss_fesd_system_free (self->system);
  ss_free (self->offset);
  ss_free (self->bilateral);
  ss_free (self);
}

bool
ss_fesd_beside_has_other_shapes (const SsFesdBeside *self)
{
  SS_ASSERT (self != NULL);
  return self->has_other_shapes;
}

void
ss_fesd_beside_set_controls (SsFesdBeside *self, const double *controls)
{
  SS_ASSERT (self != NULL);
  ss_fesd_system_set_controls (self->system, controls);
}

/* The point of a pair that is `point` of the march, in this scene's shapes. */
static bool
find_point (const SsFesdBeside *self, const SsFesdPair *pair, const double *q, SsFesdPoint *point)
{
  SsFesdPoint points[2];
  double gaps[2];
  const int n = ss_fesd_system_meet (self->system, pair, q, points, gaps);
  for (int k = 0; k < n; k++)
    if (points[k].kind == point->kind && points[k].corner == point->corner && points[k].body[0] == point->body[0]) {
      *point = points[k];
      return true;
    }
  return false;
}

/* Whether what was taken depends on the item: it is closed, or switches, or jumps. */
static bool
matters (const SsFesdTaken *taken, int item)
{
  for (int i = 0; i < taken->n_touches; i++)
    if (taken->touches[i] == item)
      return true;
  return !taken->is_jump && (taken->modes[item] != SS_FESD_OPEN || (taken->has_switch && taken->what.item == item));
}

/* The march's points of pairs as they lie here. */
static bool
install (SsFesdBeside *self, const SsFesdTaken *taken, const double *q)
{
  SsFesdSystem *s = self->system;
  const size_t n = (size_t)(s->n_points - s->n_static);
  memcpy (s->points + s->n_static, taken->points, n * sizeof *s->points);
  memcpy (s->is_live + s->n_static, taken->is_live, n * sizeof *s->is_live);
  memcpy (self->offset, taken->offset, (size_t)ss_fesd_n_items (s) * sizeof *self->offset);
  for (int i = 0; self->has_other_shapes && i < (int)n; i++)
    if (taken->is_live[i] && !find_point (self, &s->pairs[i / 2], q, &s->points[s->n_static + i]) &&
        matters (taken, s->n_static + i))
      return false;
  return true;
}

/* Solves for the length at which the switch of the march's element happens here. */
static bool
solve_switch (SsFesdBeside *self, const SsFesdTaken *taken, double t)
{
  const double rounding = 4 * DBL_EPSILON * fmax (taken->h, 1e-3 * fabs (t));
  double h = taken->h, h_before = NAN, g_before = NAN;
  for (int i = 0; i < SECANTS_MAX; i++) {
    if (!(h > 0) || h > 2 * taken->h || !ss_fesd_element_solve (self->element, h))
      return false;
    const double g = ss_fesd_watch_at_end (self->watch, self->element, &taken->what, taken->modes, self->offset);
    if (!isfinite (g))
      return false;
    const double tolerance = tolerated * ss_fesd_watch_tolerance (self->watch, self->element, taken->what.kind);
    if (g == 0 || (i > 1 && fabs (g) <= tolerance && fabs (g) >= fabs (g_before))) /* no better than rounding */
      return true;
    double next = h * (1 + first_part);
    if (i > 0 && g == g_before)
      return false;
    if (i > 0)
      next = h - g * (h - h_before) / (g - g_before);
    if (i > 1 && fabs (next - h) <= rounding)
      return true;
    h_before = h;
    g_before = g;
    h = next;
  }
  return false;
}

/* Closed contacts are closed here, too. */
static bool
is_closed (const SsFesdBeside *self, const SsFesdTaken *taken, const double *q, const double *v, double apart)
{
  const SsFesdSystem *s = self->system;
  for (int i = 0; i < s->n_points; i++) {
    SsFesdPointAt at;
    if (!s->is_live[i] || taken->modes[i] == SS_FESD_OPEN)
      continue;
    ss_fesd_point_at (&s->points[i], q, false, &at);
    if (fabs (at.phi - self->offset[i]) > apart || fabs (ss_fesd_point_rate (&s->points[i], at.jn, v)) > apart)
      return false;
  }
  return true;
}

/* A contact that touches without a force in the march may pull here: it would open. */
static bool
pulls (const SsFesdElement *e)
{
  const SsFesdRow *rows = ss_fesd_element_rows (e);
  const int middle = ss_fesd_element_n_stages (e) / 2;
  double most = 0;
  for (int i = 0; i < ss_fesd_element_n_rows (e); i++)
    most = fmax (most, fabs (ss_fesd_element_lambda (e, i, middle)));
  for (int i = 0; i < ss_fesd_element_n_rows (e); i++)
    if ((rows[i].kind == SS_FESD_ROW_NORMAL || rows[i].kind == SS_FESD_ROW_LIMIT) &&
        ss_fesd_element_lambda (e, i, middle) < -no_force * most)
      return true;
  return false;
}

/* An open contact that touches all the time without speed in the march overlaps here: it would close. */
static bool
dips (const SsFesdBeside *self, const SsFesdTaken *taken, const double *q)
{
  const SsFesdSystem *s = self->system;
  const double touch = ss_fesd_touch_part * s->size;
  for (int i = 0; i < s->n_points; i++) {
    SsFesdPointAt at;
    if (!s->is_live[i] || taken->modes[i] != SS_FESD_OPEN)
      continue;
    ss_fesd_point_at (&s->points[i], taken->q, false, &at);
    if (fabs (at.phi - self->offset[i]) <= touch &&
        fabs (ss_fesd_point_rate (&s->points[i], at.jn, taken->v)) <= touch &&
        ss_fesd_point_gap (&s->points[i], q) - self->offset[i] < -4 * touch)
      return true;
  }
  return false;
}

/* How far the condition of a switch goes below 0 from there on, by its slope there and its value at the end. */
static double
depth_of (const SsFesdSwitch *first, double at_end)
{
  const double rest = 1 - first->theta, fall = -first->slope, bend = (at_end + fall * rest) / (rest * rest);
  return at_end < 0 || !(bend > 0) ? -at_end : fall * fall / (4 * bend);
}

/* What switches otherwise than in the march: not what a switch just before or after the element leaves in it, nor what
 * is of second order in how far the start is away, as where a slip comes to rest whatever the values are. */
static bool
strays (const SsFesdBeside *self, const SsFesdTaken *taken, const double *q, const double *v, double part,
        SsSensitivityBreakKind *why)
{
  SsFesdElement *e = self->element;
  const double ends = ends_part * part;
  SsFesdSwitch first;
  if (!ss_fesd_watch_find (self->watch, e, q, v, taken->modes, self->offset, taken->has_switch ? &taken->what : NULL,
                           &first))
    return false;
  const double tolerance = ss_fesd_watch_tolerance (self->watch, e, first.kind),
               at_end = ss_fesd_watch_at_end (self->watch, e, &first, taken->modes, self->offset);
  const bool is_within = first.before >= 0 && first.theta > ends && first.theta < 1 - ends &&
                         depth_of (&first, at_end) > deep * part * tolerance;
  if (!is_within && (first.before >= 0 || at_end >= -tolerance))
    return false;
  *why = first.kind == SS_FESD_STOP || first.kind == SS_FESD_BREAK_PLUS || first.kind == SS_FESD_BREAK_MINUS
             ? SS_SENSITIVITY_BOUND
             : SS_SENSITIVITY_GRAZING;
  return true;
}

bool
ss_fesd_beside_element (SsFesdBeside *self, const SsFesdTaken *taken, double h, double apart, double *t, double *q,
                        double *v, double part, SsSensitivityBreakKind *why)
{
  SS_ASSERT (self != NULL && taken != NULL && !taken->is_jump && !taken->is_fit && why != NULL);

  SsFesdElement *e = self->element;
  const size_t n_q = (size_t)self->system->n_q;
  *why = SS_SENSITIVITY_N_BREAKS;
  if (!install (self, taken, q) || ss_fesd_element_set_modes (e, taken->modes, NULL) != SS_OK)
    return false;
  const bool has_rows = ss_fesd_element_n_rows (e) > 0;
  *why = has_rows && !taken->is_capturing && !is_closed (self, taken, q, v, apart) ? SS_SENSITIVITY_TOUCHING
                                                                                   : SS_SENSITIVITY_N_BREAKS;
  if (*why == SS_SENSITIVITY_TOUCHING)
    return false;
  if (has_rows && !taken->is_capturing && !ss_fesd_element_project (e, *t, q, v, false))
    return false;
  ss_fesd_element_start (e, *t, q, v, taken->a, taken->lambda_n, taken->lambda_t, taken->bilateral);
  const bool is_solved = taken->has_switch ? solve_switch (self, taken, *t) : h > 0 && ss_fesd_element_solve (e, h);
  if (!is_solved)
    return false;
  /* an element that ends when a contact's force is gone ends a little later beside */
  const bool is_left = taken->has_switch && taken->what.kind == SS_FESD_SEPARATION;
  if (!taken->is_capturing && !is_left &&
      (pulls (e) || dips (self, taken, ss_fesd_element_q (e, ss_fesd_element_n_stages (e)))))
    *why = SS_SENSITIVITY_TOUCHING;
  if (*why == SS_SENSITIVITY_TOUCHING || (part > 0 && !taken->is_capturing && strays (self, taken, q, v, part, why)))
    return false;
  const int end = ss_fesd_element_n_stages (e);
  *t += ss_fesd_element_length (e);
  memcpy (q, ss_fesd_element_q (e, end), n_q * sizeof *q);
  memcpy (v, ss_fesd_element_v (e, end), n_q * sizeof *v);
  return !has_rows || ss_fesd_element_project (e, *t, q, v, true);
}

bool
ss_fesd_beside_fit (SsFesdBeside *self, const SsFesdTaken *taken, double t, double *q, double *v)
{
  SS_ASSERT (self != NULL && taken != NULL && taken->is_fit);

  return install (self, taken, q) && ss_fesd_element_set_modes (self->element, taken->modes, NULL) == SS_OK &&
         ss_fesd_element_project (self->element, t, q, v, false);
}

bool
ss_fesd_beside_jump (SsFesdBeside *self, const SsFesdTaken *taken, double t, const double *q, double *v, double apart)
{
  SS_ASSERT (self != NULL && taken != NULL && taken->is_jump);

  SsFesdTouch *touches;
  int n, found = 0;
  bool is_solved = false;
  if (taken->impact.is_without_collision) /* where it begins is no switch that is solved for */
    return false;
  if (!install (self, taken, q) ||
      ss_fesd_law_touching (self->law, t, q, v, self->offset, apart, &touches, &n, NULL) != SS_OK)
    return false;
  for (int k = 0; k < taken->n_touches; k++)
    for (int i = found; i < n; i++)
      if (touches[i].item == taken->touches[k] && touches[i].gap >= -apart) {
        const SsFesdTouch touch = touches[i];
        touches[i] = touches[found];
        touches[found++] = touch;
        break;
      }
  if (found < taken->n_touches)
    return false;
  SsStatus status;
  if (self->by_impacts.owner == NULL)
    status = ss_fesd_law_jump (self->law, q, v, touches, found, self->bilateral, &is_solved, NULL);
  else
    status = self->by_impacts.jump (self->by_impacts.owner, self->law, &taken->impact, q, v, touches, found,
                                    self->bilateral, NULL);
  return status == SS_OK && (is_solved || self->by_impacts.owner != NULL);
}
