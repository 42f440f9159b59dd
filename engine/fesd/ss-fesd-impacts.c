/* engine/fesd/ss-fesd-impacts.c: see the header. */
#include "fesd/ss-fesd-impacts.h"

#include "core/ss-memory.h"

#include "impact/ss-impact-begin.h"
#include "impact/ss-impact-rates.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Velocities of two draws that are nearer agree [m/s]; the header has the reason. */
static const double same_outcome = 10 * SS_IMPACT_STOP;
/* Corners of a path with given rates, at most. */
enum { CORNERS_MAX = 10000 };
/* Of the impulse that ends a slip: the step with which a path with given rates begins without a collision. */
static const double path_part = 1e-4;

struct SsFesdImpacts {
  SsFesdSystem *system; /* borrowed */
  SsFesdImpactOptions options;
  const SsImpactLawClass *law; /* SET_VALUED: NULL */
  void *law_options;           /* of the law's table */
  bool *is_in;                 /* n_bodies: takes part */
  SsRow *limits;
  double *v;                /* n_q: after the jump */
  const SsFesdMarch *march; /* borrowed */
  SsFesdForks forks;
  int n_ways; /* of the impact under way */
  long *draws;
  double *share; /* most draws */
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

/* The law's own defaults, with what the motion's options say of it. */
static void
init_law_options (SsFesdImpacts *self)
{
  const SsFesdImpactOptions *options = &self->options;
  if (self->law == NULL)
    return;
  ss_options_init (self->law->options, self->law_options);
  if (options->law == SS_FESD_IMPACTS_SEQUENTIAL) {
    const SsOptionValue values[] = {{offsetof (SsSequentialOptions, tolerance), options->tolerance},
                                    {offsetof (SsSequentialOptions, max_solves), options->max_solves},
                                    {offsetof (SsSequentialOptions, restitution), options->restitution},
                                    {offsetof (SsSequentialOptions, all), options->all}};
    ss_options_give (self->law->options, self->law_options, values, sizeof values / sizeof *values);
  } else if (options->law == SS_FESD_IMPACTS_ANITESCU_POTRA) {
    ss_options_give (self->law->options, self->law_options,
                     &(SsOptionValue){offsetof (SsAnitescuPotraOptions, all), options->all}, 1);
  }
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
  const size_t n_draws =
      (size_t)(options->branches > options->max_branches ? options->branches : options->max_branches);
  self->draws = ss_new_array (long, n_draws + 1);
  self->share = ss_new_array (double, n_draws + 1);
  if (self->is_in == NULL || self->limits == NULL || self->v == NULL || self->law_options == NULL ||
      self->draws == NULL || self->share == NULL)
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for a law of impacts");
  if (status == SS_OK) {
    init_law_options (self);
    *out = self;
  } else {
    ss_fesd_impacts_free (self);
  }
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
  ss_free (self->draws);
  ss_free (self->share);
  ss_fesd_forks_clear (&self->forks);
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
choose_bodies (SsFesdImpacts *self, const SsFesdImpactCase *what, const SsFesdTouch *touches, int n)
{
  const SsScene *scene = self->system->scene;
  int body[2];
  memset (self->is_in, 0, (size_t)scene->n_bodies * sizeof *self->is_in);
  for (int i = 0; i < n; i++) {
    bodies_of (self, &touches[i], body);
    for (int side = 0; side < 2; side++)
      if (ss_fesd_strikes (self->system, what, &touches[i]) && moves (self->system, body[side]))
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
collect (SsFesdImpacts *self, const SsFesdImpactCase *what, const double *q, const double *v,
         const SsFesdTouch *touches, int n, SsImpactPoint *points, int *which, int *m, SsError *err)
{
  const SsFesdSystem *s = self->system;
  if (s->n_rows > s->n_bilateral)
    ss_dynamics_limit_rows (s->dynamics, q, v, self->limits);
  choose_bodies (self, what, touches, n);
  *m = 0;
  for (int i = 0; i < n; i++) {
    int body[2];
    bodies_of (self, &touches[i], body);
    if (!(moves (s, body[0]) && self->is_in[body[0]]) && !(moves (s, body[1]) && self->is_in[body[1]]))
      continue;
    if (*m == SS_IMPACT_CONTACTS_MAX)
      return ss_error_set (err, SS_ERR_INVALID, "more contact points touch than the %d that impact laws take",
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

/* Options of n samples from number `first` on. */
static SsImpactSetOptions
set_options (const SsFesdImpacts *self, long first, int n)
{
  const SsFesdImpactOptions *o = &self->options;
  return (SsImpactSetOptions){.policy = (SsImpactPolicy)o->policy,
                              .rows = (SsImpactRows)o->rows,
                              .draw = (SsImpactDrawKind)o->draw,
                              .h = o->step > 0 ? o->step : NAN,
                              .max_steps = o->max_steps,
                              .n_samples = n,
                              .first = (int)first,
                              .seed = (uint64_t)o->seed,
                              .n_threads = 1,
                              .closes = o->close,
                              .restitutes = o->restitution == SS_IMPACT_POISSON,
                              .epsilon = o->epsilon};
}

/* One sample, with its impulses. */
static SsStatus
take_sample (SsFesdImpacts *self, const SsImpact *impact, long draw, double *v, double *impulse, SsError *err)
{
  const SsImpactSetOptions options = set_options (self, 0, 1);
  const size_t n = (size_t)impact->n, size = 2 * (size_t)impact->m, rows = (size_t)options.max_steps + 2;
  double *velocities = ss_new_array (double, rows *n), *impulses = ss_new_array (double, rows *size);
  int n_steps = 0;
  SsStatus status = velocities != NULL && impulses != NULL
                        ? ss_impact_set_path (impact, &options, (int)draw, velocities, impulses, &n_steps, err)
                        : ss_error_set (err, SS_ERR_MEMORY, "no memory for %d steps of an impact", options.max_steps);
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
read_rates (const SsFesdImpacts *self, const SsImpact *impact, double *until, double *values, SsImpactRates *rates,
            SsError *err)
{
  *rates = (SsImpactRates){.n_pieces = 1, .until = until, .rates = values};
  until[0] = INFINITY;
  if (impact->m > 1 && strcmp (self->options.rates, "equal") != 0)
    return ss_impact_rates_parse (self->options.rates, impact->m, until, values, rates, err);
  for (int i = 0; i < impact->m; i++)
    values[i] = 1. / impact->m;
  return SS_OK;
}

/* The one path with the given rates. */
static SsStatus
follow_rates (SsFesdImpacts *self, const SsImpact *impact, double *v, double *impulse, SsError *err)
{
  double until[SS_IMPACT_PIECES_MAX], values[SS_IMPACT_PIECES_MAX * SS_IMPACT_CONTACTS_MAX];
  SsImpactRates rates;
  SsImpactPath *path = NULL;
  SsStatus status = read_rates (self, impact, until, values, &rates, err);
  if (status == SS_OK)
    status = ss_impact_path_new (impact, &rates, CORNERS_MAX, &path, err);
  if (status != SS_OK)
    return status;
  const size_t last = (size_t)(path->n_points - 1);
  memcpy (v, path->v + last * (size_t)path->n, (size_t)path->n * sizeof *v);
  memcpy (impulse, path->impulse + last * 2 * (size_t)path->m, 2 * (size_t)path->m * sizeof *impulse);
  ss_impact_path_free (path);
  return SS_OK;
}

/* The first step of an impact without a collision, by drawn caps, or by the full ones where those let nothing push. The
 * configuration then has the velocities after it, and the step that its slips ask for. */
static SsStatus
begin_without_collision (SsFesdImpacts *self, SsImpact *impact, long number, double *impulse, SsError *err)
{
  const SsFesdImpactOptions *o = &self->options;
  const uint64_t seed = (uint64_t)o->seed, sample = (uint64_t)number;
  const double h = o->step > 0 ? o->step : ss_impact_slip_impulse (impact);
  double until[SS_IMPACT_PIECES_MAX], values[SS_IMPACT_PIECES_MAX * SS_IMPACT_CONTACTS_MAX];
  double cap[SS_IMPACT_CONTACTS_MAX], v[SS_IMPACT_COORDINATES_MAX];
  SsImpactRates rates;
  const bool has_rates = o->rates[0] != '\0';
  bool found = false;
  SsStatus status = has_rates ? read_rates (self, impact, until, values, &rates, err) : SS_OK;
  for (int trial = 0; status == SS_OK && !found && trial < (has_rates ? 1 : 2); trial++) {
    for (int i = 0; i < impact->m; i++)
      cap[i] = has_rates    ? path_part * h * values[i]
               : trial == 0 ? h * ss_impact_uniform (SS_IMPACT_STREAM_CAPS, seed, sample, 0, i)
                            : h;
    const double u = ss_impact_uniform (SS_IMPACT_STREAM_POLICY, seed, sample, 0, impact->m);
    status = ss_impact_begin (impact, cap, u, v, impulse, &found, err);
  }
  if (status != SS_OK)
    return status;
  if (!found)
    return ss_error_set (err, SS_ERR_SINGULAR,
                         "no forces obey the law of contact, and no impulses without a collision");
  memcpy (impact->v, v, (size_t)impact->n * sizeof *v);
  impact->h = h;
  return SS_OK;
}

/* ---- ways -------------------------------------------------------------------------------------------------------- */

/* Whether two velocities after the impact are one outcome. */
static bool
agree (const SsImpact *impact, const double *a, const double *b)
{
  double energy = 0, mass = 0;
  for (int i = 0; i < impact->n; i++)
    for (int j = 0; j < impact->n; j++)
      energy += (a[i] - b[i]) * impact->mass[i * impact->n + j] * (a[j] - b[j]);
  for (int i = 0; i < impact->n; i++) /* of coordinates x and y; each body has it twice */
    mass += impact->coordinates == NULL || impact->coordinates[i] % 3 != 2 ? impact->mass[i * impact->n + i] / 2 : 0;
  return energy <= same_outcome * same_outcome * (mass > 0 ? mass : 1);
}

/* Draws of the impact that end, those with one outcome together; the first of each stands for it. */
static SsStatus
draw_ways (SsFesdImpacts *self, const SsImpact *impact, long first, int n_draws, SsError *err)
{
  const SsImpactSetOptions options = set_options (self, first, n_draws);
  SsImpactSet *set;
  SsStatus status = ss_impact_set_new (impact, &options, NULL, &set, err);
  if (status != SS_OK)
    return status;
  int n_ended = 0;
  self->n_ways = 0;
  for (int k = 0; k < set->n_samples; k++) {
    if (set->state[k] != SS_IMPACT_FINISHED)
      continue;
    const double *v = set->v + (size_t)k * (size_t)set->n;
    int way = 0;
    while (way < self->n_ways && !agree (impact, v, set->v + (size_t)(self->draws[way] - first) * (size_t)set->n))
      way++;
    if (way == self->n_ways) {
      self->draws[self->n_ways] = first + k;
      self->share[self->n_ways++] = 0;
    }
    self->share[way]++;
    n_ended++;
  }
  for (int way = 0; way < self->n_ways; way++)
    self->share[way] /= n_ended;
  ss_impact_set_free (set);
  return SS_OK;
}

/* The draw with which the motion goes on; others are noted. */
static SsStatus
choose_draw (SsFesdImpacts *self, const SsImpact *impact, long number, long *draw, SsError *err)
{
  const int wanted = impact->m > 1 ? self->options.branches : 1;
  const int given = 1 + ss_fesd_forks_room (&self->forks), n = wanted < given ? wanted : given;
  const long first = number * self->options.branches % (SS_IMPACT_SAMPLES_MAX - self->options.branches);
  *draw = ss_fesd_forks_come_to (&self->forks, number);
  if (*draw >= 0)
    return SS_OK;
  *draw = first;
  if (wanted == 1)
    return SS_OK;
  SsStatus status = draw_ways (self, impact, first, n, err);
  if (status != SS_OK || self->n_ways == 0) /* the first draw says why */
    return status;
  *draw = self->draws[0];
  if (self->n_ways == 1 && n == wanted)
    return SS_OK;
  return ss_fesd_forks_add (&self->forks, number, ss_fesd_march_time (self->march), self->n_ways, self->draws,
                            self->share, n < wanted, err);
}

static SsStatus
draw_sample (SsFesdImpacts *self, const SsImpact *impact, long number, double *v, double *impulse, SsError *err)
{
  long draw;
  if (self->options.rates[0] != '\0')
    return follow_rates (self, impact, v, impulse, err);
  SsStatus status = choose_draw (self, impact, number, &draw, err);
  return status == SS_OK ? take_sample (self, impact, draw, v, impulse, err) : status;
}

/* Which outcome of the law goes on; the others are noted. */
static SsStatus
choose_outcome (SsFesdImpacts *self, const SsImpactResult *result, long number, long *chosen, SsError *err)
{
  *chosen = ss_fesd_forks_come_to (&self->forks, number);
  if (*chosen >= 0 && *chosen < result->n_outcomes)
    return SS_OK;
  *chosen = 0;
  if (!self->options.all || result->n_outcomes < 2)
    return SS_OK;
  const int given = 1 + ss_fesd_forks_room (&self->forks), n = result->n_outcomes < given ? result->n_outcomes : given;
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += result->outcomes[i].share;
  for (int i = 0; i < n; i++) {
    self->draws[i] = i;
    self->share[i] = result->outcomes[i].share / sum;
  }
  return ss_fesd_forks_add (&self->forks, number, ss_fesd_march_time (self->march), n, self->draws, self->share,
                            n < result->n_outcomes, err);
}

static SsStatus
ask_law (SsFesdImpacts *self, const SsImpact *impact, long number, double *v, double *impulse, SsError *err)
{
  SsImpactResult result = {0};
  long chosen = 0;
  SsStatus status = SS_OK;
  if (self->options.law == SS_FESD_IMPACTS_SEQUENTIAL && self->options.order[0] != '\0') { /* "": as they are listed */
    SsSequentialOptions *own = self->law_options;
    char order[sizeof own->order];
    status = write_order (impact, self->options.order, order, sizeof order, err);
    if (status == SS_OK && !self->options.all)
      memcpy (own->order, order, sizeof order);
  }
  if (status == SS_OK)
    status = ss_impact_resolve (self->law, impact, self->law_options, NULL, &result, err);
  if (status != SS_OK)
    return status;
  status = choose_outcome (self, &result, number, &chosen, err);
  memcpy (v, result.outcomes[chosen].v, (size_t)impact->n * sizeof *v);
  memcpy (impulse, result.outcomes[chosen].impulse, 2 * (size_t)impact->m * sizeof *impulse);
  ss_impact_result_clear (&result);
  return status;
}

/* What to do where the law leaves an approach, by the options that it has. */
static const char *
remedy (const SsFesdImpactOptions *options)
{
  switch (options->law) {
  case SS_FESD_IMPACTS_SEQUENTIAL:
    return "raise law.max-solves";
  case SS_FESD_IMPACTS_SET_VALUED:
    return options->rates[0] != '\0' ? "law.rates gives it no impulse then" : "raise law.max-steps";
  default:
    return "its complementarity problem was not solved";
  }
}

/* Whether contacts still approach: faster than what the law may leave, and than `rest`, below which a speed is none to
 * the motion: it would not have been an impact either. Answers are no better than the rounding of their problem, some
 * 1e-11 of the largest speed, slips and light bodies' included. */
static SsStatus
check_answer (const SsFesdImpacts *self, const SsImpact *impact, const double *v, double rest, SsError *err)
{
  const double none = fmax (ss_fesd_impacts_approach (&self->options), rest);
  double u[2 * SS_IMPACT_CONTACTS_MAX];
  ss_impact_speeds (impact, v, u);
  for (int i = 0; i < impact->m; i++)
    if (!(u[i] >= -none))
      return ss_error_set (err, SS_ERR_SINGULAR,
                           "contact %s still approaches with %.3g m/s after the impact law has ended; %s",
                           impact->contacts[i], -u[i], remedy (&self->options));
  return SS_OK;
}

/* Newton's law with what moves rows by itself, which impact laws have no place for: SS_USES_TIME is of it alone. */
static SsStatus
jump_of_driven (SsFesdLaw *law, const double *q, double *v, SsFesdTouch *touches, int n, double *bilateral,
                SsError *err)
{
  bool is_solved;
  SsStatus status = ss_fesd_law_jump (law, q, v, touches, n, bilateral, &is_solved, err);
  return status != SS_OK || is_solved ? status
                                      : ss_error_set (err, SS_ERR_SINGULAR, "the impact's problem was not solved");
}

static SsStatus
jump (void *owner, SsFesdLaw *law, const SsFesdImpactCase *what, const double *q, double *v, SsFesdTouch *touches,
      int n, double *bilateral, SsError *err)
{
  SsFesdImpacts *self = owner;
  const SsFesdSystem *s = self->system;
  SsImpactPoint points[SS_IMPACT_CONTACTS_MAX];
  int which[SS_IMPACT_CONTACTS_MAX], m;
  SsImpact *impact = NULL;
  double impulse[2 * SS_IMPACT_CONTACTS_MAX], first[2 * SS_IMPACT_CONTACTS_MAX] = {0}, *after = NULL;
  for (int i = 0; i < s->scene->n_joints; i++)
    if (s->scene->joints[i].reads_time)
      return jump_of_driven (law, q, v, touches, n, bilateral, err);
  SsStatus status = collect (self, what, q, v, touches, n, points, which, &m, err);
  if (status == SS_OK && m == 0) /* of a motion beside the one that strikes */
    status = ss_error_set (err, SS_ERR_SINGULAR, "no contact strikes");
  if (status == SS_OK)
    status = ss_impact_new_from_points (s->scene, q, v, points, m, &impact, err);
  if (status == SS_OK) {
    after = ss_new_array (double, impact->n);
    if (after == NULL)
      status = ss_error_set (err, SS_ERR_MEMORY, "no memory for %d coordinates", impact->n);
  }
  if (status == SS_OK && what->is_without_collision)
    status = begin_without_collision (self, impact, what->number, first, err);
  if (status == SS_OK)
    status = self->law != NULL ? ask_law (self, impact, what->number, after, impulse, err)
                               : draw_sample (self, impact, what->number, after, impulse, err);
  if (status == SS_OK)
    status = check_answer (self, impact, after, what->rest, err);
  if (status == SS_OK) {
    memcpy (self->v, v, (size_t)s->n_q * sizeof *v);
    for (int i = 0; i < impact->n; i++)
      self->v[impact->coordinates[i]] = after[i];
    for (int i = 0; i < n; i++)
      touches[i].force_n = touches[i].force_t = 0;
    for (int i = 0; i < m; i++) {
      touches[which[i]].force_n = first[i] + impulse[i];
      touches[which[i]].force_t = first[m + i] + impulse[m + i];
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
  return (SsFesdImpactLaw){.owner = impacts, .jump = jump, .takes_no_collision = impacts->law == NULL};
}

const SsFesdImpactOptions *
ss_fesd_impacts_options (const SsFesdImpacts *impacts)
{
  SS_ASSERT (impacts != NULL);
  return &impacts->options;
}

void
ss_fesd_impacts_set_march (SsFesdImpacts *impacts, const SsFesdMarch *march)
{
  SS_ASSERT (impacts != NULL);
  impacts->march = march;
}

int
ss_fesd_impacts_most (const SsFesdImpactOptions *options)
{
  SS_ASSERT (options != NULL);
  const bool draws = options->law == SS_FESD_IMPACTS_SET_VALUED && options->branches > 1 && options->rates[0] == '\0';
  const bool lists =
      options->all && (options->law == SS_FESD_IMPACTS_ANITESCU_POTRA || options->law == SS_FESD_IMPACTS_SEQUENTIAL);
  return draws || lists ? options->max_branches : 1;
}

SsFesdForks *
ss_fesd_impacts_forks (SsFesdImpacts *impacts)
{
  SS_ASSERT (impacts != NULL);
  return &impacts->forks;
}
