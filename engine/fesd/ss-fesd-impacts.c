/* engine/fesd/ss-fesd-impacts.c: see the header. */
#include "fesd/ss-fesd-impacts.h"

#include "core/ss-memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Speeds below this part of the largest are rounding. */
static const double rounding = 1e-12;

struct SsFesdImpacts {
  SsFesdSystem *system; /* borrowed */
  SsFesdImpactOptions options;
  const SsImpactLawClass *law; /* SET_VALUED: NULL */
  void *law_options;           /* of the law's table */
  bool *is_in;                 /* n_bodies: takes part */
  SsRow *limits;
  double *v; /* n_q: after the jump */
};

/* ---- names of the order ------------------------------------------------------------------------------------------ */

/* The next name of a list with commas; false at its end. */
static bool
next_name (const char **at, const char **name, size_t *length)
{
  if (**at == '\0')
    return false;
  const char *comma = strchr (*at, ',');
  *name = *at;
  *length = comma != NULL ? (size_t)(comma - *at) : strlen (*at);
  *at += *length + (comma != NULL);
  return true;
}

/* `known` or a point of it, known.1. */
static bool
is_name_of (const char *name, size_t length, const char *known)
{
  const size_t n = strlen (known);
  if (length < n || strncmp (name, known, n) != 0)
    return false;
  if (length == n)
    return true;
  return name[n] == '.' && length > n + 1 && strspn (name + n + 1, "0123456789") >= length - n - 1;
}

static SsStatus
check_order (const SsScene *scene, const char *order, SsError *err)
{
  const char *name;
  size_t length;
  while (next_name (&order, &name, &length)) {
    bool is_known = false;
    for (int i = 0; !is_known && i < scene->n_contacts; i++)
      is_known = is_name_of (name, length, scene->contacts[i].name);
    for (int i = 0; !is_known && i < scene->n_joints; i++) {
      const size_t n = strlen (scene->joints[i].name);
      is_known = length == n + 6 && strncmp (name, scene->joints[i].name, n) == 0 &&
                 (strncmp (name + n, ".lower", 6) == 0 || strncmp (name + n, ".upper", 6) == 0);
    }
    if (!is_known)
      return ss_error_set (err, SS_ERR_ARG, "law.order names '%.*s', which is no contact or limit of the scene",
                           (int)length, name);
  }
  return SS_OK;
}

/* The order of this impact: those that are named and touch, then the others as they are listed. */
static SsStatus
write_order (const SsImpact *impact, const char *order, char *text, size_t size, SsError *err)
{
  bool is_written[SS_IMPACT_CONTACTS_MAX] = {false};
  const char *name;
  size_t length, used = 0;
  text[0] = '\0';
  for (bool is_named = true; is_named;) {
    is_named = next_name (&order, &name, &length);
    for (int i = 0; i < impact->m; i++) {
      const char *own = impact->contacts[i];
      const char *dot = strrchr (own, '.');
      const size_t stem = dot != NULL ? (size_t)(dot - own) : strlen (own);
      if (is_written[i] ||
          (is_named && !(strncmp (own, name, length) == 0 && (strlen (own) == length || stem == length))))
        continue;
      is_written[i] = true;
      used += (size_t)snprintf (text + used, size - used, "%s%s", used > 0 ? "," : "", own);
      if (used >= size)
        return ss_error_set (err, SS_ERR_ARG, "the names of %d contacts in order are longer than %d letters", impact->m,
                             (int)size - 1);
    }
  }
  return SS_OK;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static SsStatus
set_number (SsFesdImpacts *self, const char *name, double value, SsError *err)
{
  char text[32];
  ss_format_double (value, text, sizeof text);
  return ss_options_set (self->law->options, self->law_options, name, text, err);
}

SsStatus
ss_fesd_impacts_new (SsFesdSystem *system, const SsFesdImpactOptions *options, SsFesdImpacts **out, SsError *err)
{
  SS_ASSERT (system != NULL && options != NULL && out != NULL);

  static const SsImpactLawClass *const laws[] = {&ss_impact_law_newton, &ss_impact_law_anitescu_potra,
                                                 &ss_impact_law_sequential, NULL};
  *out = NULL;
  SsStatus status = check_order (system->scene, options->order, err);
  if (status != SS_OK)
    return status;
  SsFesdImpacts *self = ss_new (SsFesdImpacts);
  if (self == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a law of impacts");
  self->system = system;
  self->options = *options;
  self->law = laws[options->law];
  self->is_in = ss_new_array (bool, (size_t)system->scene->n_bodies + 1);
  self->limits = ss_new_array (SsRow, SS_JOINT_LIMITS_MAX * (size_t)system->scene->n_joints + 1);
  self->v = ss_new_array (double, (size_t)system->n_q + 1);
  self->law_options = ss_alloc (1, self->law != NULL ? self->law->options->size : 1);
  if (self->is_in == NULL || self->limits == NULL || self->v == NULL || self->law_options == NULL)
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for a law of impacts");
  if (status == SS_OK && self->law != NULL)
    ss_options_init (self->law->options, self->law_options);
  if (status == SS_OK && options->law == SS_FESD_IMPACTS_SEQUENTIAL)
    status = set_number (self, "tolerance", options->tolerance, err);
  if (status == SS_OK && options->law == SS_FESD_IMPACTS_SEQUENTIAL)
    status = set_number (self, "max-solves", options->max_solves, err);
  if (status == SS_OK)
    *out = self;
  else
    ss_fesd_impacts_free (self);
  return status;
}

void
ss_fesd_impacts_free (SsFesdImpacts *self)
{
  if (self == NULL)
    return;
  ss_free (self->is_in);
  ss_free (self->limits);
  ss_free (self->v);
  ss_free (self->law_options);
  ss_free (self);
}

double
ss_fesd_impacts_approach (const SsFesdImpactOptions *options)
{
  SS_ASSERT (options != NULL);
  return options->law == SS_FESD_IMPACTS_SEQUENTIAL   ? options->tolerance
         : options->law == SS_FESD_IMPACTS_SET_VALUED ? SS_IMPACT_STOP
                                                      : 0;
}

/* ---- configuration ----------------------------------------------------------------------------------------------- */

static void
bodies_of (const SsFesdImpacts *self, const SsFesdTouch *touch, int body[2])
{
  const SsFesdSystem *s = self->system;
  for (int side = 0; side < 2; side++)
    body[side] = touch->item < s->n_points ? s->points[touch->item].body[side]
                                           : self->limits[touch->item - s->n_points].body[side];
}

static bool
moves (const SsFesdSystem *s, int body)
{
  return body >= 0 && !ss_body_is_immovable (&s->scene->bodies[body]);
}

/* Both take part where one that moves does. */
static bool
connect (SsFesdImpacts *self, int a, int b)
{
  if (!moves (self->system, a) || !moves (self->system, b) || self->is_in[a] == self->is_in[b])
    return false;
  return self->is_in[a] = self->is_in[b] = true;
}

static void
choose_bodies (SsFesdImpacts *self, const SsFesdTouch *touches, int n, double rest)
{
  const SsScene *scene = self->system->scene;
  int body[2];
  memset (self->is_in, 0, (size_t)scene->n_bodies * sizeof *self->is_in);
  for (int i = 0; i < n; i++) {
    bodies_of (self, &touches[i], body);
    for (int side = 0; side < 2; side++)
      if (touches[i].rate < -rest && moves (self->system, body[side]))
        self->is_in[body[side]] = true;
  }
  for (bool grows = true; grows;) {
    grows = false;
    for (int i = 0; i < n; i++) {
      bodies_of (self, &touches[i], body);
      grows = connect (self, body[0], body[1]) || grows;
    }
    for (int i = 0; i < scene->n_joints; i++)
      grows = connect (self, scene->joints[i].body_a, scene->joints[i].body_b) || grows;
  }
}

static SsImpactPoint
point_of (const SsFesdImpacts *self, const SsFesdTouch *touch, const double *q)
{
  const SsFesdSystem *s = self->system;
  SsImpactPoint p = {.contact = -1, .joint = -1};
  bodies_of (self, touch, p.body);
  if (touch->item >= s->n_points) {
    const int row = s->n_bilateral + touch->item - s->n_points;
    p.joint = s->row_joint[row];
    p.is_upper = s->row_is_upper[row];
    memcpy (p.jn, self->limits[touch->item - s->n_points].j, sizeof p.jn);
    return p;
  }
  const SsFesdPoint *point = &s->points[touch->item];
  SsFesdPointAt at;
  ss_fesd_point_at (point, q, false, &at);
  p.contact = point->contact;
  p.joint = 0;
  memcpy (p.jn, at.jn, sizeof p.jn);
  memcpy (p.jt, at.jt, sizeof p.jt);
  p.point = ss_fesd_point_place (point, q);
  /* the force on body[1] is along the normal; roles and normal turn together */
  const double sign = point->body[0] == s->scene->contacts[point->contact].body_a ? 1 : -1;
  p.normal = (SsVec2){sign * at.jn[3], sign * at.jn[4]};
  return p;
}

static bool
comes_before (const SsImpactPoint *a, const SsImpactPoint *b)
{
  if (a->contact != b->contact)
    return b->contact < 0 || (a->contact >= 0 && a->contact < b->contact);
  if (a->contact < 0)
    return 2 * a->joint + a->is_upper < 2 * b->joint + b->is_upper;
  return a->normal.y * (b->point.x - a->point.x) - a->normal.x * (b->point.y - a->point.y) > 0;
}

/* Points of the touches that take part, in order; which[i] is the touch of points[i]. */
static SsStatus
collect (SsFesdImpacts *self, const double *q, const double *v, const SsFesdTouch *touches, int n, double rest,
         SsImpactPoint *points, int *which, int *m, SsError *err)
{
  const SsFesdSystem *s = self->system;
  if (s->n_rows > s->n_bilateral)
    ss_dynamics_limit_rows (s->dynamics, q, v, self->limits);
  choose_bodies (self, touches, n, rest);
  *m = 0;
  for (int i = 0; i < n; i++) {
    int body[2];
    bodies_of (self, &touches[i], body);
    if (!(moves (s, body[0]) && self->is_in[body[0]]) && !(moves (s, body[1]) && self->is_in[body[1]]))
      continue;
    if (*m == SS_IMPACT_CONTACTS_MAX)
      return ss_error_set (err, SS_ERR_INVALID, "more than the %d contact points that laws of impacts take touch",
                           SS_IMPACT_CONTACTS_MAX);
    const SsImpactPoint point = point_of (self, &touches[i], q);
    int at = (*m)++;
    for (; at > 0 && comes_before (&point, &points[at - 1]); at--) {
      points[at] = points[at - 1];
      which[at] = which[at - 1];
    }
    points[at] = point;
    which[at] = i;
  }
  return SS_OK;
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

/* One sample, with its impulses. */
static SsStatus
draw_sample (SsFesdImpacts *self, const SsImpact *impact, long number, double *v, double *impulse, SsError *err)
{
  const SsFesdImpactOptions *o = &self->options;
  const SsImpactSetOptions options = {.policy = (SsImpactPolicy)o->policy,
                                      .draw = (SsImpactDrawKind)o->draw,
                                      .h = o->step > 0 ? o->step : NAN,
                                      .max_steps = o->max_steps,
                                      .n_samples = 1,
                                      .seed = (uint64_t)o->seed,
                                      .n_threads = 1};
  const size_t n = (size_t)impact->n, size = 2 * (size_t)impact->m, rows = (size_t)o->max_steps + 2;
  double *velocities = ss_new_array (double, rows *n), *impulses = ss_new_array (double, rows *size);
  int n_steps = 0;
  SsStatus status = velocities != NULL && impulses != NULL
                        ? ss_impact_set_path (impact, &options, (int)(number % SS_IMPACT_SAMPLES_MAX), velocities,
                                              impulses, &n_steps, err)
                        : ss_error_set (err, SS_ERR_MEMORY, "no memory for %d steps of an impact", o->max_steps);
  if (status == SS_OK) {
    memcpy (v, velocities + (size_t)n_steps * n, n * sizeof *v);
    memset (impulse, 0, size * sizeof *impulse);
    for (int k = 0; k < n_steps; k++)
      for (size_t i = 0; i < size; i++)
        impulse[i] += impulses[(size_t)k * size + i];
  }
  ss_free (velocities);
  ss_free (impulses);
  return status;
}

static SsStatus
ask_law (SsFesdImpacts *self, const SsImpact *impact, double *v, double *impulse, SsError *err)
{
  SsImpactResult result = {0};
  SsStatus status = SS_OK;
  if (self->options.law == SS_FESD_IMPACTS_SEQUENTIAL) {
    char order[SS_OPTION_TEXT_MAX];
    status = write_order (impact, self->options.order, order, sizeof order, err);
    if (status == SS_OK)
      status = ss_options_set (self->law->options, self->law_options, "order", order, err);
  }
  if (status == SS_OK)
    status = ss_impact_resolve (self->law, impact, self->law_options, NULL, &result, err);
  if (status != SS_OK)
    return status;
  memcpy (v, result.outcomes[0].v, (size_t)impact->n * sizeof *v);
  memcpy (impulse, result.outcomes[0].impulse, 2 * (size_t)impact->m * sizeof *impulse);
  ss_impact_result_clear (&result);
  return SS_OK;
}

/* Whether contacts still approach. */
static SsStatus
check_answer (const SsFesdImpacts *self, const SsImpact *impact, const double *v, SsError *err)
{
  double u[2 * SS_IMPACT_CONTACTS_MAX], largest = 0;
  for (int i = 0; i < impact->n; i++)
    largest = fmax (largest, fabs (impact->v[i]));
  ss_impact_speeds (impact, v, u);
  for (int i = 0; i < impact->m; i++)
    if (!(u[i] >= -ss_fesd_impacts_approach (&self->options) - SS_IMPACT_DROPPED * rounding - rounding * largest))
      return ss_error_set (err, SS_ERR_SINGULAR,
                           "contact %s still approaches with %.3g m/s after the law of impacts has ended; raise "
                           "law.max-steps or law.max-solves",
                           impact->contacts[i], -u[i]);
  return SS_OK;
}

static SsStatus
jump (void *owner, SsFesdLaw *law, long number, double rest, const double *q, double *v, SsFesdTouch *touches, int n,
      double *bilateral, SsError *err)
{
  SsFesdImpacts *self = owner;
  const SsFesdSystem *s = self->system;
  SsImpactPoint points[SS_IMPACT_CONTACTS_MAX];
  int which[SS_IMPACT_CONTACTS_MAX], m;
  SsImpact *impact = NULL;
  double impulse[2 * SS_IMPACT_CONTACTS_MAX], *after = NULL;
  SsStatus status = collect (self, q, v, touches, n, rest, points, which, &m, err);
  if (status == SS_OK)
    status = ss_impact_new_from_points (s->scene, q, v, points, m, &impact, err);
  if (status == SS_OK) {
    after = ss_new_array (double, impact->n);
    if (after == NULL)
      status = ss_error_set (err, SS_ERR_MEMORY, "no memory for %d coordinates", impact->n);
  }
  if (status == SS_OK)
    status = self->law != NULL ? ask_law (self, impact, after, impulse, err)
                               : draw_sample (self, impact, number, after, impulse, err);
  if (status == SS_OK)
    status = check_answer (self, impact, after, err);
  if (status == SS_OK) {
    memcpy (self->v, v, (size_t)s->n_q * sizeof *v);
    for (int i = 0; i < impact->n; i++)
      self->v[impact->coordinates[i]] = after[i];
    for (int i = 0; i < n; i++)
      touches[i].force_n = touches[i].force_t = 0;
    for (int i = 0; i < m; i++) {
      touches[which[i]].force_n = impulse[i];
      touches[which[i]].force_t = impulse[m + i];
    }
    status = ss_fesd_law_complete (law, q, v, self->v, touches, n, bilateral, err);
  }
  if (status == SS_OK)
    memcpy (v, self->v, (size_t)s->n_q * sizeof *v);
  ss_free (after);
  ss_impact_free (impact);
  return status;
}

SsFesdImpactLaw
ss_fesd_impacts_law (SsFesdImpacts *impacts)
{
  SS_ASSERT (impacts != NULL);
  return (SsFesdImpactLaw){.owner = impacts, .jump = jump};
}
