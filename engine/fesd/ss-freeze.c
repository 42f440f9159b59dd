/* engine/fesd/ss-freeze.c: what the method takes and refuses, and its constants; see the header. */
#include "fesd/ss-freeze-private.h"

#include "core/ss-memory.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Beyond so many points the pairs that may become skew are not looked for at the start. */
enum { PLACES_MAX = 64 };
/* A gap is curved where its gradient turns by more than this part of its length, per size of the bodies. */
static const double curved = 1e-9;

/* ---- refusals ---------------------------------------------------------------------------------------------------- */

static bool
has_limits (const SsFesdSystem *s)
{
  return s->n_rows > s->n_bilateral;
}

/* Whether the gap bends along the free coordinates: near the start, turned a little away from it. */
static bool
is_curved (SsFreeze *f, const SsFesdPoint *point, const double *q)
{
  const SsFesdSystem *s = f->system;
  for (int step = 0; step < 3; step++) {
    double pose[SS_FESD_POINT_N], *all = f->beta; /* room for n_q */
    memcpy (all, q, (size_t)s->n_q * sizeof *all);
    for (int k = 0; k < SS_FESD_POINT_N; k++) {
      const int i = 3 * point->body[k / 3] + k % 3;
      pose[k] = s->index[i] >= 0 ? 0.1 * step * (1 + 0.37 * k) * (k % 3 == 2 ? 1 : s->size) : 0;
      all[i] += pose[k];
    }
    SsFesdPointAt at;
    double bend = 0, length = 0;
    ss_fesd_point_at (point, all, true, &at);
    for (int i = 0; i < SS_FESD_POINT_N; i++)
      for (int j = 0; j < SS_FESD_POINT_N; j++) {
        const bool is_free =
            s->index[3 * point->body[i / 3] + i % 3] >= 0 && s->index[3 * point->body[j / 3] + j % 3] >= 0;
        bend = fmax (bend, is_free ? fabs (at.hn[i][j]) : 0);
        length = fmax (length, fabs (at.jn[i]));
      }
    if (bend * s->size > curved * length)
      return true;
  }
  return false;
}

static SsStatus
check_restitution (SsFreeze *f, SsError *err)
{
  const SsScene *scene = f->system->scene;
  int elastic = -1, other = -1;
  for (int i = 0; i < scene->n_joints; i++)
    if (scene->joints[i].restitution > 0)
      return ss_error_set (err, SS_ERR_INVALID,
                           "time-freezing knows no restitution of a constraint, which %s has; fesd-j, event-driven and "
                           "time stepping do",
                           scene->joints[i].name);
  for (int i = 0; i < scene->n_contacts; i++) {
    const SsContact *c = &scene->contacts[i];
    if (c->restitution > 0 && elastic < 0)
      elastic = i;
    if ((c->restitution == 0 || c->mu > 0) && (other < 0 || c->mu > 0))
      other = i;
    if (c->restitution >= 1)
      return ss_error_set (
          err, SS_ERR_INVALID,
          "time-freezing: contact %s has restitution 1: the spring of its elastic impacts needs 0 < e < "
          "1, or e = 0",
          c->name);
  }
  f->is_elastic = elastic >= 0;
  if (elastic < 0)
    return SS_OK;
  const char *name = scene->contacts[elastic].name;
  if (other >= 0 && other == elastic)
    return ss_error_set (err, SS_ERR_INVALID,
                         "time-freezing: contact %s has restitution %g and friction %g, which "
                         "cannot be combined",
                         name, scene->contacts[elastic].restitution, scene->contacts[elastic].mu);
  if (other >= 0)
    return ss_error_set (err, SS_ERR_INVALID,
                         "time-freezing: contact %s has restitution %g, contact %s has %s: elastic and other contacts "
                         "cannot be mixed",
                         name, scene->contacts[elastic].restitution, scene->contacts[other].name,
                         scene->contacts[other].mu > 0 ? "friction" : "none");
  if (has_limits (f->system))
    return ss_error_set (err, SS_ERR_INVALID,
                         "time-freezing: contact %s has restitution %g, joint %s has limits, which have none: they "
                         "cannot be mixed",
                         name, scene->contacts[elastic].restitution,
                         scene->joints[f->system->row_joint[f->system->n_bilateral]].name);
  for (int i = 0; i < f->n_places; i++)
    if (is_curved (f, &f->places[i].point, f->sigma))
      return ss_error_set (
          err, SS_ERR_INVALID,
          "time-freezing: contact %s has restitution %g and a curved gap: its elastic impacts need one "
          "that is linear in the coordinates",
          scene->contacts[f->places[i].contact].name, scene->contacts[f->places[i].contact].restitution);
  return SS_OK;
}

/* For the warning: contacts rather than their points, each pair once. */
static void
keep_skew (SsFreeze *f, int i, int j)
{
  const SsScene *scene = f->system->scene;
  const int a = f->places[i].contact, b = f->places[j].contact;
  char pair[SS_FREEZE_NAME_MAX];
  if (a >= 0 && a == b)
    snprintf (pair, sizeof pair, "two points of contact %.75s", scene->contacts[a].name);
  else if (a >= 0 && b >= 0)
    snprintf (pair, sizeof pair, "contact %.70s and contact %.70s", scene->contacts[a].name, scene->contacts[b].name);
  else
    ss_freeze_name_pair (f, i, j, pair, sizeof pair);
  for (int k = 0; k < f->n_skew; k++)
    if (strcmp (f->skew[k], pair) == 0)
      return;
  if (f->n_skew < SS_FREEZE_PAIRS_MAX)
    memcpy (f->skew[f->n_skew++], pair, sizeof pair);
}

static bool
is_closed (const SsFreeze *f, const SsFreezePlace *place)
{
  return place->gap <= ss_fesd_touch_part * f->system->size && place->rate <= 0;
}

/* Skew pairs at the start: closed ones are refused, others may close. */
static SsStatus
check_start (SsFreeze *f, const double *q, const double *v, SsError *err)
{
  if (f->n_places > PLACES_MAX)
    return SS_OK;
  SsStatus status = ss_freeze_metric_set (f, q, v, f->places, f->n_places, err);
  for (int i = 0; status == SS_OK && i < f->n_places; i++)
    for (int j = i + 1; status == SS_OK && j < f->n_places; j++) {
      char pair[SS_FREEZE_NAME_MAX];
      if (ss_freeze_compare (f, i, j, ss_freeze_skew_tolerance) != 1)
        continue;
      ss_freeze_name_pair (f, i, j, pair, sizeof pair);
      if (is_closed (f, &f->places[i]) && is_closed (f, &f->places[j]))
        status =
            ss_error_set (err, SS_ERR_INVALID,
                          "time-freezing: %s are closed together at the start, and their normals are not orthogonal "
                          "in the kinetic metric (paper 001, section 3.6)",
                          pair);
      else
        keep_skew (f, i, j);
    }
  return status;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

SsStatus
ss_freeze_make (SsFesdSystem *system, const SsTableau *tableau, const SsFreezeOptions *options, SsFreeze **out,
                SsError *err)
{
  SS_ASSERT (system != NULL && tableau != NULL && options != NULL && out != NULL);

  *out = NULL;
  SsFreeze *f = ss_new (SsFreeze);
  if (f == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for time-freezing");
  const size_t n_items = (size_t)ss_fesd_n_items (system), n_b = (size_t)system->n_bilateral;
  const size_t n_q = (size_t)system->n_q, n = (size_t)system->n_free;
  const size_t room = n_items > n_q ? n_items : n_q; /* beta and sigma hold poses before the run */
  f->system = system;
  f->tableau = *tableau;
  f->options = *options;
  f->a_n = options->a_n;
  f->beta = ss_new_array (double, 2 * room + n_q + 1);
  f->leader = ss_new_array (int, n_items + 1);
  f->joints = ss_new_array (SsRow, (size_t)system->n_rows + SS_JOINT_ROWS_MAX + SS_JOINT_LIMITS_MAX);
  f->g = ss_new_array (double, 2 * n_b * n + n_b + n_b * n_b + 1);
  f->pivot = ss_new_array (int, n_b + 1);
  if (f->beta == NULL || f->leader == NULL || f->joints == NULL || f->g == NULL || f->pivot == NULL) {
    ss_freeze_free (f);
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for time-freezing");
  }
  f->sigma = f->beta + room;
  f->far_q = f->sigma + room;
  f->gm = f->g + n_b * n; /* with n_b numbers of work behind it */
  f->block = f->gm + n_b * n + n_b;
  for (int k = 0; k < tableau->n; k++)
    f->theta[k] = 1;
  for (size_t i = 0; i < n_items; i++)
    f->leader[i] = (int)i;
  *out = f;
  return SS_OK;
}

SsStatus
ss_freeze_new (SsFesdSystem *system, const SsTableau *tableau, const SsFreezeOptions *options, SsFreeze **out,
               SsError *err)
{
  SS_ASSERT (system != NULL && out != NULL);

  SsFreeze *f;
  SsStatus status = ss_freeze_make (system, tableau, options, &f, err);
  *out = NULL;
  if (status != SS_OK)
    return status;
  const size_t n_items = (size_t)ss_fesd_n_items (system), n_q = (size_t)system->n_q;
  double *q = f->sigma, *v = ss_new_array (double, n_q + 1);
  status = v != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "no memory for time-freezing");
  for (size_t i = 0; status == SS_OK && i < n_q; i++) {
    const SsBody *body = &system->scene->bodies[i / 3];
    q[i] = body->q[i % 3];
    v[i] = body->is_fixed ? 0 : body->v[i % 3];
  }
  if (status == SS_OK)
    status = ss_freeze_look_around (f, q, v, err);
  if (status == SS_OK)
    status = check_restitution (f, err);
  if (status == SS_OK)
    status = check_start (f, q, v, err);
  ss_free (v);
  if (status != SS_OK) {
    ss_freeze_free (f);
    return status;
  }
  memset (f->beta, 0, 2 * (n_items > n_q ? n_items : n_q) * sizeof *f->beta);
  *out = f;
  return SS_OK;
}

void
ss_freeze_free (SsFreeze *f)
{
  if (f == NULL)
    return;
  ss_freeze_metric_clear (&f->metric);
  ss_free (f->beta);
  ss_free (f->leader);
  ss_free (f->joints);
  ss_free (f->g);
  ss_free (f->pivot);
  ss_free (f->places);
  ss_free (f->span);
  ss_free (f);
}

SsStatus
ss_freeze_new_beside (const SsFreeze *f, SsFesdSystem *system, SsFreeze **out, SsError *err)
{
  SS_ASSERT (f != NULL && system != NULL && out != NULL);

  SsStatus status = ss_freeze_make (system, &f->tableau, &f->options, out, err);
  if (status != SS_OK)
    return status;
  (*out)->is_elastic = f->is_elastic;
  (*out)->of = f;
  return SS_OK;
}

void
ss_freeze_set_march (SsFreeze *f, SsFesdMarch *march)
{
  SS_ASSERT (f != NULL);
  f->march = march;
}

bool
ss_freeze_is_elastic (const SsFreeze *f)
{
  SS_ASSERT (f != NULL);
  return f->is_elastic;
}

const char *
ss_freeze_reason (const SsFreeze *f)
{
  SS_ASSERT (f != NULL);
  return f->reason;
}

/* ---- a_n --------------------------------------------------------------------------------------------------------- */

/* a_n with which the first impact of every point as it lies, falling freely, takes an element; and which bears what
 * presses at the start. */
static SsStatus
choose (SsFreeze *f, double length, double t, const double *q, const double *v, SsError *err)
{
  const SsFesdSystem *s = f->system;
  double *a = f->beta, chosen = 0;
  SsStatus status = ss_freeze_look_around (f, q, v, err);
  const int n = f->n_places < PLACES_MAX ? f->n_places : PLACES_MAX;
  if (status == SS_OK)
    status = ss_freeze_metric_set (f, q, v, f->places, n, err);
  if (status != SS_OK)
    return status;
  ss_dynamics_forces (s->dynamics, SS_FORCE_ALL, t, q, v, NULL, a);
  for (int i = 0; i < n; i++) {
    const double weight = f->metric.delassus[(size_t)(2 * i) * (size_t)(2 * n + 1)];
    double free = 0;
    for (int k = 0; k < s->n_free; k++)
      free += f->metric.push[(size_t)(2 * i) * (size_t)s->n_free + (size_t)k] * a[s->coordinate[k]];
    if (!(weight > 0))
      continue;
    const double gap = fmax (f->places[i].gap, 0), towards = fmax (-free, 0);
    const double falling = f->places[i].rate < 0 ? f->places[i].rate * f->places[i].rate : 0;
    chosen = fmax (chosen, sqrt (falling + 2 * towards * gap) / (weight * length));
    chosen = fmax (chosen, towards / weight);
  }
  f->a_n = chosen > 0 ? chosen : 1 / length;
  f->is_chosen = true;
  memset (f->beta, 0, (size_t)ss_fesd_n_items (s) * sizeof *f->beta);
  return SS_OK;
}

SsStatus
ss_freeze_begin (SsFreeze *f, const SsStep *step, const SsSimState *state, SsError *err)
{
  SS_ASSERT (f != NULL && step != NULL && state != NULL);
  f->element_length = step->dt / f->options.n_elements;
  f->jump_residual = f->missed = 0;
  f->reason[0] = 0;
  f->is_frozen = false;
  return f->a_n > 0 ? SS_OK : choose (f, f->element_length, state->t, state->q, state->v, err);
}

void
ss_freeze_say (const SsFreeze *f, SsRunControl *control)
{
  SS_ASSERT (f != NULL);
  if (f->is_chosen)
    ss_run_control_log (control, SS_LOG_INFO, "a-n = %.6g N, chosen so that the first impact lasts about an element",
                        f->a_n);
  for (int i = 0; i < f->n_skew; i++)
    ss_run_control_log (
        control, SS_LOG_WARNING,
        "the normals of %s are not always orthogonal in the kinetic metric: the run ends if both contacts are closed "
        "at once",
        f->skew[i]);
}

/* ---- hooks ------------------------------------------------------------------------------------------------------- */

/* Points that are closed together: skew ones end the run. */
static SsStatus
look (void *owner, const SsFesdMarch *m, const SsFesdTouch *touches, int n, SsError *err)
{
  SsFreeze *f = owner;
  int skew[2];
  SsStatus status = ss_freeze_find_leaders (f, m->now.q, m->now.v, touches, n, ss_fesd_rest_speed (m), skew, err);
  if (status != SS_OK || skew[0] < 0)
    return status;
  char pair[SS_FREEZE_NAME_MAX];
  ss_freeze_name_pair (f, skew[0], skew[1], pair, sizeof pair);
  return ss_error_set (err, SS_ERR_INVALID,
                       "%s are closed together at t = %.9g s, and their normals are not orthogonal in the kinetic "
                       "metric",
                       pair, m->now.t);
}

SsFesdFreeze
ss_freeze_hooks (SsFreeze *f)
{
  return (SsFesdFreeze){.owner = f,
                        .solve = ss_freeze_solve,
                        .length = ss_freeze_length,
                        .take = ss_freeze_take,
                        .look = look,
                        .n_more = ss_freeze_n_more (f->system->scene, NULL),
                        .fill = ss_freeze_fill};
}

SsFesdImpactLaw
ss_freeze_impacts (SsFreeze *f)
{
  return (SsFesdImpactLaw){.owner = f, .jump = ss_freeze_jump};
}
