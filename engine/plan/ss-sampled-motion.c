/* engine/plan/ss-sampled-motion.c: see the header. */
#include "plan/ss-sampled-motion.h"

#include "core/ss-memory.h"
#include "core/ss-random.h"
#include "fesd/ss-fesd-j.h"
#include "plan/ss-drive.h"
#include "plan/ss-evolution.h"
#include "plan/ss-lazy-contacts.h"
#include "plan/ss-passing.h"
#include "plan/ss-sampled-aims.h"
#include "simulate/ss-rough-step.h"
#include "simulate/ss-stewart-trinkle.h"

#include <math.h>
#include <string.h>

/* Steps that are tried in all, roughly and exactly; samples at least and at most, likewise; the part of them that is
 * drawn freely, and the best that the others start from. */
enum { STEPS_TOTAL = 60000, SAMPLES_LEAST = 160, SAMPLES_MOST = 1600 };
enum { STEPS_TOTAL_EXACT = 14000, SAMPLES_LEAST_EXACT = 40, SAMPLES_MOST_EXACT = 400 };
enum { BEST = 3 };
static const double FREE_PART = 0.4;
/* What passing through a body costs. */
static const double PASSED = 1;
/* Missing the task by less is as good as not at all. */
static const double GOOD_ENOUGH = 1e-6;
/* Part of what was missed when it was asked last, from which on it is asked again. */
static const double ASK_AGAIN = 0.25;
/* LCPs a step at most, of the motion that is kept. */
enum { RELINEARISATIONS = 50 };
/* Where the motion that is kept misses by this many times more than its rough steps did, it is searched for in full
 * steps, by this part of the samples more. */
static const double ROUGH_OFF = 4, FULL_PART = 0.04;
/* Spread of the changes of good samples: at first, and at the end, in units of the free draws. */
static const double CHANGE_FIRST = 0.5, CHANGE_LAST = 0.02;
/* Likewise of an evolution. */
static const double EVOLVE_FIRST = 0.5, EVOLVE_LAST = 0.01;
/* Of the feedback, in steps of the plan and at most [1/s]. */
static const double STIFF_STEPS = 0.5, STIFF_MOST = 16;
/* Weight of the task's objective, of which the first sample has this much, beside what is missed: of two that miss as
 * much the cheaper one. */
static const double CHEAPER = 0.01, CHEAPER_MOST = 5;
/* Of the samples, those that aim at another body than the nearest, those that let go, and those with splines. */
static const double AIMS_ELSEWHERE = 0.45, LETS_GO_PART = 0.15, SPLINE_PART = 0.25;

/* What a sample misses, from which down its controls are held over shorter steps; the most that those add. */
static const double HELD_FROM = 0.5, HELD_MOST = 1;

/* Parameters of a drive: glides (by, start, duration), or knots of a spline. */
enum { GLIDES = 3, KNOTS = 9, NUMBERS = KNOTS };

/* A drive, and where it is to go. */
typedef struct {
  SsDrive base;
  double start;       /* of the coordinate */
  double reach;       /* scale of free draws */
  double least, most; /* bounds of its body, within which it glides */
  SsSampledAim *aims; /* n_aims, the nearest first; borrowed from the sampler */
} Drive;

typedef struct {
  const SsScenario *scenario;
  const SsScene *scene;
  const SsPlan *plan;
  SsRunControl *control;
  SsSimulation *simulation;
  SsControls controls;
  bool is_exact; /* by fesd-j, with its defaults */
  SsStewartTrinkleOptions options;
  SsRoughStep *rough; /* NULL: exact */
  SsSampledCost *value;
  SsPassing *passing;
  double *q, *v, *u; /* of a rough motion */
  double *before;    /* poses at a step's start */
  int parts;         /* of a step, in which the controls of samples are held once more; 1: they are not */
  double *held;      /* controls of the sample's steps: steps n_actuators */
  double scale;      /* of the objective; NAN: not known yet */
  bool evolves;      /* large searches do, of every other seed */
  SsEvolution *evolution;
  double *evolved; /* where it began, and its units: 2 n */
  Drive *drives;   /* n_actuators */
  SsSampledAim *aims;
  int n_aims;
  int *aim_of; /* by bodies: of the sample */
  int n;       /* numbers of a sample: NUMBERS n_actuators, then its own 2 */
  double *now, *best[BEST], cost[BEST], missed[BEST];
  double *q_start, *v_start;
  SsRandom random;
  const SsSampleJudge *judge;
  double asked; /* missed */
} Sampler;

/* The sample's own numbers, after those of the drives. */
enum { STIFFNESS, IS_SPLINE, LETS_GO, OWN };

/* ---- drives ------------------------------------------------------------------------------------------------------ */

static void
open_drive (const Sampler *s, int index, Drive *drive)
{
  *drive =
      (Drive){.reach = 0.15, .least = -INFINITY, .most = INFINITY, .aims = s->aims + (size_t)index * (size_t)s->n_aims};
  ss_drive_open (s->scene, index, s->q_start, &drive->base);
  const SsDrive *d = &drive->base;

  if (d->axis == 3)
    drive->reach = s->scene->joints[d->actuator->joint].kind == SS_JOINT_SLIDER ? 0.2 : 0.5;
  else if (d->axis == 2)
    drive->reach = 4;
  drive->start = ss_drive_coordinate (s->scene, d, s->q_start, s->q_start, false);
  for (int i = 0; i < s->plan->n_bounds && d->axis < 3; i++)
    if (s->plan->bounds[i].body == d->body) {
      drive->least = fmax (drive->least, s->plan->bounds[i].lower[d->axis]);
      drive->most = fmin (drive->most, s->plan->bounds[i].upper[d->axis]);
    }
  ss_sampled_aims_find (s->scene, s->value, d, drive->reach, s->q_start, drive->aims);
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

static double
between (Sampler *s, double lo, double hi)
{
  return ss_random_between (&s->random, lo, hi);
}

/* Glides: towards what is to be touched, and a little into it; as the target asks; another way. */
static void
draw_glides (Sampler *s, const Drive *d, double *p)
{
  static const SsSampledAim nothing = {0, 0, 0};
  const SsSampledAim *aim = s->n_aims > 0 ? &d->aims[s->aim_of[d->base.body]] : &nothing;
  const double T = s->plan->horizon, press = aim->toward != 0 ? copysign (between (s, 0, 0.15), aim->toward) : 0;
  const bool is_joint = d->base.axis >= 2;

  p[0] = aim->toward + press + (is_joint || between (s, 0, 1) < 0.3 ? d->reach * ss_random_normal (&s->random) : 0);
  p[1] = between (s, 0, 0.15) * T;
  p[2] = between (s, 0.1, 0.5) * T;
  p[3] = aim->asked * between (s, 0.5, 1.5) + aim->scatter * ss_random_normal (&s->random) +
         (between (s, 0, 1) < 0.3 ? d->reach * ss_random_normal (&s->random) : 0);
  p[4] = between (s, 0, 0.4) * T;
  p[5] = between (s, 0.2, 0.7) * T;
  p[6] = between (s, 0, 1) < 0.5 ? d->reach * ss_random_normal (&s->random) : 0;
  p[7] = between (s, 0.3, 0.9) * T;
  p[8] = between (s, 0.1, 0.4) * T;
}

/* Knots in units of the larger limit, about what holds the weight. */
static void
draw_spline (Sampler *s, double *p)
{
  double value = 0.4 * ss_random_normal (&s->random);

  for (int i = 0; i < KNOTS; i++) {
    p[i] = value;
    value = 0.7 * value + 0.4 * ss_random_normal (&s->random);
  }
}

static void
draw_freely (Sampler *s)
{
  double *own = s->now + NUMBERS * s->scene->n_actuators;

  own[STIFFNESS] = between (s, 0.3, 1);
  own[IS_SPLINE] = between (s, 0, 1) < SPLINE_PART;
  own[LETS_GO] = (between (s, 0, 1) < LETS_GO_PART ? between (s, 0.1, 0.9) : 2) * s->plan->horizon;
  for (int b = 0; b < s->scene->n_bodies && s->n_aims > 0; b++)
    s->aim_of[b] = between (s, 0, 1) < AIMS_ELSEWHERE ? (int)between (s, 0, s->n_aims) : 0;
  for (int a = 0; a < s->scene->n_actuators; a++) {
    if (own[IS_SPLINE] != 0)
      draw_spline (s, s->now + NUMBERS * a);
    else
      draw_glides (s, &s->drives[a], s->now + NUMBERS * a);
  }
}

/* By how much a free draw scatters a number. */
static double
unit_of (const Sampler *s, bool is_spline, int number)
{
  const int a = number / NUMBERS;

  if (a >= s->scene->n_actuators)
    return number % NUMBERS == LETS_GO ? 0.2 * s->plan->horizon : 0.2;
  if (is_spline)
    return 0.4;
  return number % NUMBERS % 3 != 0 ? 0.2 * s->plan->horizon
                                   : s->drives[a].reach + (s->n_aims > 0 ? 0.3 * fabs (s->drives[a].aims[0].asked) : 0);
}

/* What numbers cannot be: glides that begin before the motion, or jump. */
static void
mend (Sampler *s)
{
  const double T = s->plan->horizon;
  double *own = s->now + NUMBERS * s->scene->n_actuators;

  for (int i = 0; i < NUMBERS * s->scene->n_actuators && own[IS_SPLINE] == 0; i++)
    if (i % NUMBERS % 3 != 0)
      s->now[i] = fmax (s->now[i], i % NUMBERS % 3 == 1 ? 0 : 0.03 * T);
  own[STIFFNESS] = fmin (fmax (own[STIFFNESS], 0.1), 1);
  own[LETS_GO] = fmax (own[LETS_GO], 0);
}

/* A good sample, some of its numbers moved. */
static void
draw_near (Sampler *s, const double *from, double change)
{
  const bool is_spline = from[NUMBERS * s->scene->n_actuators + IS_SPLINE] != 0;

  memcpy (s->now, from, (size_t)s->n * sizeof *s->now);
  for (int i = 0; i < NUMBERS * s->scene->n_actuators; i++)
    if (between (s, 0, 1) < 0.5)
      s->now[i] += change * unit_of (s, is_spline, i) * ss_random_normal (&s->random);
  double *lets_go = &s->now[NUMBERS * s->scene->n_actuators + LETS_GO];
  if (*lets_go < s->plan->horizon)
    *lets_go += change * 0.2 * s->plan->horizon * ss_random_normal (&s->random);
  mend (s);
}

static double
glide (double s)
{
  s = fmin (fmax (s, 0), 1);
  return s * s * (3 - 2 * s);
}

static double
control_of (const Sampler *s, int a, double t, const double *q, const double *v)
{
  const Drive *d = &s->drives[a];
  const double *p = s->now + NUMBERS * a, *own = s->now + NUMBERS * s->scene->n_actuators;
  const double h = s->plan->horizon / s->plan->steps, holds = d->base.weight * d->base.sign,
               most = fmax (fabs (d->base.actuator->lower), fabs (d->base.actuator->upper));

  if (t >= own[LETS_GO])
    return fmin (fmax (0, d->base.actuator->lower), d->base.actuator->upper);
  if (own[IS_SPLINE] != 0) {
    const double place = fmin (t / s->plan->horizon, 1) * (KNOTS - 1);
    const int i = place < KNOTS - 1 ? (int)place : KNOTS - 2;
    const double u = holds + (p[i] + (place - i) * (p[i + 1] - p[i])) * (isfinite (most) ? most : 10);

    return ss_drive_control (&d->base, 0, u, 0, 0);
  }
  double way = d->start;

  for (int i = 0; i < GLIDES; i++)
    way += p[3 * i] * glide ((t - p[3 * i + 1]) / p[3 * i + 2]);
  way = fmin (fmax (way, d->least), d->most);
  return ss_drive_control (&d->base, own[STIFFNESS] * fmin (STIFF_MOST, STIFF_STEPS / h), holds,
                           way - ss_drive_coordinate (s->scene, &d->base, s->q_start, q, false),
                           -ss_drive_coordinate (s->scene, &d->base, s->q_start, v, true));
}

/* ---- simulating -------------------------------------------------------------------------------------------------- */

/* What is missed, and a little of the objective. */
static double
cost_of (Sampler *s, const SsSampledValue *value)
{
  if (!isfinite (value->missed) || !isfinite (value->objective))
    return INFINITY;
  if (isnan (s->scale))
    s->scale = fmax (fabs (value->objective), 1e-6);
  return value->missed + CHEAPER * fmin (fmax (value->objective / s->scale, -CHEAPER_MOST), CHEAPER_MOST);
}

static const SsIntegratorClass *
integrator_of (const Sampler *s)
{
  return s->is_exact ? &ss_integrator_fesd_j : &ss_integrator_stewart_trinkle;
}

static const void *
options_of (const Sampler *s)
{
  return s->is_exact ? NULL : &s->options;
}

/* A new one, which remembers nothing. */
static SsStatus
open_simulation (Sampler *s, SsError *err)
{
  ss_stewart_trinkle_suit_plan (&s->options);
  s->options.relinearisations = RELINEARISATIONS;
  ss_simulation_free (s->simulation);
  s->simulation = NULL;
  const SsStatus status = ss_simulation_new (s->scene, integrator_of (s), options_of (s), &s->simulation, err);
  if (status == SS_OK)
    ss_simulation_set_controls (s->simulation, &s->controls);
  return status;
}

static SsStatus
record (const Sampler *s, SsTrajectory *trajectory, double *row, SsError *err)
{
  ss_simulation_fill (s->simulation, row);
  return ss_trajectory_append (trajectory, row, err);
}

/* What a motion misses in which a body passes through another. */
static double
add_passed (double missed, int n_passed)
{
  return n_passed > 0 ? missed + PASSED : missed;
}

/* The motion of the sample `now` in full; `trajectory` NULL: its value alone. A step that fails makes it infinite. */
static SsStatus
simulate (Sampler *s, SsTrajectory *trajectory, SsSampledValue *value, SsError *err)
{
  const double h = s->plan->horizon / s->plan->steps;
  double *row = trajectory != NULL ? ss_new_array (double, trajectory->n_channels + 1) : NULL;
  SsStatus status = trajectory != NULL && row == NULL ? ss_error_set (err, SS_ERR_MEMORY, "out of memory") : SS_OK;
  bool has_failed = false;
  int n_passed = 0;

  if (status == SS_OK) /* it goes on from the contacts that it knows */
    status = open_simulation (s, err);
  if (status != SS_OK) {
    ss_free (row);
    return status;
  }
  SsSimState *state = ss_simulation_state (s->simulation);
  state->t = 0;
  memcpy (state->q, s->q_start, 3 * (size_t)s->scene->n_bodies * sizeof (double));
  memcpy (state->v, s->v_start, 3 * (size_t)s->scene->n_bodies * sizeof (double));
  memset (state->contact, 0, SS_SIM_N_CONTACT_VALUES * (size_t)s->scene->n_contacts * sizeof (double));
  ss_sampled_cost_begin (s->value);
  for (int k = 0; k < s->plan->steps && status == SS_OK && !has_failed; k++) {
    SsStepInfo info;
    SsError ignored;

    for (int a = 0; a < s->scene->n_actuators; a++)
      s->controls.u[a] = control_of (s, a, k * h, state->q, state->v);
    ss_sampled_cost_add (s->value, k, state->q, state->v, s->controls.u);
    if (trajectory != NULL)
      status = record (s, trajectory, row, err);
    if (status != SS_OK)
      break;
    memcpy (s->held + (size_t)k * (size_t)s->scene->n_actuators, s->controls.u,
            (size_t)s->scene->n_actuators * sizeof (double));
    memcpy (s->before, state->q, 3 * (size_t)s->scene->n_bodies * sizeof (double));
    const SsStatus of_step = ss_simulation_step (s->simulation, h, &info, &ignored);
    n_passed += ss_passing_step (s->passing, s->before, state->q);
    has_failed = of_step != SS_OK;
    if (of_step == SS_ERR_MEMORY)
      status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  if (status == SS_OK && trajectory != NULL)
    status = record (s, trajectory, row, err);
  ss_sampled_cost_add (s->value, s->plan->steps, state->q, state->v, s->controls.u);
  *value = ss_sampled_cost_end (s->value);
  value->missed = add_passed (value->missed, n_passed);
  if (has_failed)
    value->missed = INFINITY;
  ss_free (row);
  return status;
}

/* A motion by rough steps: of the sample, whose controls are kept, in the plan's own ones; those controls again, held
 * over more and shorter ones. */
static SsStatus
go_roughly (Sampler *s, int parts, SsSampledValue *value, SsError *err)
{
  const double h = s->plan->horizon / s->plan->steps, part = h / parts;
  SsStatus status = SS_OK;
  int n_passed = 0;

  memcpy (s->q, s->q_start, 3 * (size_t)s->scene->n_bodies * sizeof (double));
  memcpy (s->v, s->v_start, 3 * (size_t)s->scene->n_bodies * sizeof (double));
  ss_rough_step_begin (s->rough);
  ss_sampled_cost_begin (s->value);
  for (int k = 0; k < s->plan->steps && status == SS_OK; k++) {
    double *u = s->held + (size_t)k * (size_t)s->scene->n_actuators;

    for (int a = 0; a < s->scene->n_actuators && parts == 1; a++)
      u[a] = control_of (s, a, k * h, s->q, s->v);
    memcpy (s->u, u, (size_t)s->scene->n_actuators * sizeof *u);
    ss_sampled_cost_add (s->value, k, s->q, s->v, s->u);
    for (int i = 0; i < parts && status == SS_OK; i++) {
      memcpy (s->before, s->q, 3 * (size_t)s->scene->n_bodies * sizeof (double));
      status = ss_rough_step (s->rough, k * h + i * part, part, s->u, s->q, s->v, err);
      n_passed += ss_passing_step (s->passing, s->before, s->q);
    }
  }
  ss_sampled_cost_add (s->value, s->plan->steps, s->q, s->v, s->u);
  *value = ss_sampled_cost_end (s->value);
  value->missed = add_passed (value->missed, n_passed);
  if (status == SS_ERR_MEMORY)
    return status;
  if (status != SS_OK)
    value->missed = INFINITY;
  return SS_OK;
}

/* What the controls of the sample that was simulated last miss where they are held over shorter steps is missed too;
 * of what misses by much already it is not asked. */
static SsStatus
add_held (Sampler *s, SsSampledValue *value, SsError *err)
{
  SsSampledValue held = {.missed = HELD_MOST};

  if (s->parts == 1 || !isfinite (value->missed))
    return SS_OK;
  const SsStatus status = value->missed < HELD_FROM ? go_roughly (s, s->parts, &held, err) : SS_OK;
  value->missed += fmin (held.missed, HELD_MOST);
  value->objective = fmax (value->objective, held.objective);
  return status;
}

/* The value of the sample `now`, its own motion by full steps. */
static SsStatus
simulate_and_hold (Sampler *s, SsSampledValue *value, SsError *err)
{
  const SsStatus status = simulate (s, NULL, value, err);

  return status == SS_OK ? add_held (s, value, err) : status;
}

/* Likewise by rough steps. */
static SsStatus
simulate_roughly (Sampler *s, SsSampledValue *value, SsError *err)
{
  const SsStatus status = go_roughly (s, 1, value, err);

  return status == SS_OK ? add_held (s, value, err) : status;
}

static void
keep (Sampler *s, double cost, double missed)
{
  for (int i = 0; i < BEST; i++)
    if (cost < s->cost[i]) {
      double *last = s->best[BEST - 1];

      for (int k = BEST - 1; k > i; k--) {
        s->best[k] = s->best[k - 1];
        s->cost[k] = s->cost[k - 1];
        s->missed[k] = s->missed[k - 1];
      }
      s->best[i] = last;
      s->cost[i] = cost;
      s->missed[i] = missed;
      memcpy (last, s->now, (size_t)s->n * sizeof *last);
      return;
    }
}

/* The best sample once more, in full, by a simulation that remembers nothing of the others. */
static SsStatus
keep_motion (Sampler *s, SsSampledMotion *out, SsError *err)
{
  SsSampledValue value;

  if (isfinite (s->cost[0]))
    memcpy (s->now, s->best[0], (size_t)s->n * sizeof *s->now);
  else
    draw_freely (s);
  SsStatus status = open_simulation (s, err);
  if (status == SS_OK)
    status = ss_simulation_trajectory_new (s->scene, integrator_of (s), options_of (s), s->plan->steps + 1,
                                           &out->trajectory, err);
  if (status == SS_OK)
    status = simulate (s, out->trajectory, &value, err);
  if (status == SS_OK) {
    out->cost = value.missed;
    out->miss = value.distance;
  }
  return status;
}

/* Whether the best sample is good enough, where it misses by less than `below`. */
static SsStatus
ask (Sampler *s, double below, SsSampledMotion *out, bool *is_enough, SsError *err)
{
  *is_enough = false;
  if (s->judge == NULL || !(s->missed[0] < below))
    return SS_OK;
  s->asked = s->missed[0];
  SsStatus status = keep_motion (s, out, err);
  if (status == SS_OK && isfinite (out->cost))
    status = s->judge->is_enough (s->judge->user_data, out->trajectory, is_enough, err);
  if (status == SS_OK && !*is_enough)
    ss_sampled_motion_clear (out);
  return status;
}

/* Draws sample i of n, and tries it. */
static SsStatus
try_sample (Sampler *s, int i, int n, bool in_full, SsError *err)
{
  const double done = (i - FREE_PART * n) / ((1 - FREE_PART) * n);
  SsSampledValue value;

  if (done < 0 || !isfinite (s->cost[0]))
    draw_freely (s);
  else {
    const int from = (int)(between (s, 0, 1) * between (s, 0, BEST));

    draw_near (s, s->best[isfinite (s->cost[from]) ? from : 0], CHANGE_FIRST * pow (CHANGE_LAST / CHANGE_FIRST, done));
  }
  const SsStatus status = in_full ? simulate_and_hold (s, &value, err) : simulate_roughly (s, &value, err);
  if (status == SS_OK)
    keep (s, cost_of (s, &value), value.missed);
  return status;
}

/* An evolution from the best of a few free samples, until it comes no further or `most` samples were tried. */
static SsStatus
evolve (Sampler *s, int n_free, int most, SsSampledMotion *out, bool *is_enough, SsError *err)
{
  double *start = s->evolved, *units = s->evolved + s->n, least = INFINITY;
  SsSampledValue value;
  SsStatus status = SS_OK;
  SsOutcome why;
  int i = 0;

  for (; i < most && status == SS_OK && !*is_enough && !(s->missed[0] < GOOD_ENOUGH) &&
         !ss_run_control_should_stop (s->control, &why);
       i++, out->n_samples++) {
    if (i < n_free)
      draw_freely (s);
    else
      ss_evolution_draw (s->evolution, s->now);
    if (i >= n_free) {
      double *own = s->now + NUMBERS * s->scene->n_actuators;

      own[IS_SPLINE] = start[NUMBERS * s->scene->n_actuators + IS_SPLINE];
      mend (s);
    }
    status = simulate_roughly (s, &value, err);
    if (status != SS_OK)
      break;
    const double cost = cost_of (s, &value);
    keep (s, cost, value.missed);
    if (i < n_free && cost < least) {
      least = cost;
      memcpy (start, s->now, (size_t)s->n * sizeof *start);
    } else if (i >= n_free)
      ss_evolution_tell (s->evolution, s->now, cost);
    if (i == n_free - 1) {
      for (int k = 0; k < s->n; k++)
        units[k] = EVOLVE_FIRST * unit_of (s, start[NUMBERS * s->scene->n_actuators + IS_SPLINE] != 0, k);
      ss_evolution_begin (s->evolution, start, units);
    }
    if (i >= n_free && ss_evolution_is_over (s->evolution, EVOLVE_LAST))
      most = 0;
    status = ask (s, fmin (SS_SAMPLED_NEAR, ASK_AGAIN * s->asked), out, is_enough, err);
  }
  return status;
}

/* The best ones by full steps; where that is much worse, more near them. */
static SsStatus
search_in_full (Sampler *s, int n, bool *is_enough, SsSampledMotion *out, SsError *err)
{
  const double rough = s->missed[0];
  SsStatus status = SS_OK;
  SsOutcome why;
  double *found[BEST];
  int n_found = 0;

  for (int i = 0; i < BEST; i++) {
    found[i] = s->best[i];
    n_found += isfinite (s->cost[i]);
    s->cost[i] = s->missed[i] = INFINITY;
  }
  for (int i = 0; i < n_found && status == SS_OK; i++) {
    SsSampledValue value;

    memcpy (s->now, found[i], (size_t)s->n * sizeof *s->now);
    status = simulate_and_hold (s, &value, err);
    if (status == SS_OK)
      keep (s, cost_of (s, &value), value.missed);
  }
  const bool is_off = s->missed[0] > ROUGH_OFF * rough + GOOD_ENOUGH;
  for (int i = 0, more = (int)ceil (FULL_PART * n);
       i < more && is_off && status == SS_OK && !*is_enough && !ss_run_control_should_stop (s->control, &why); i++) {
    status = try_sample (s, n - more + i, n, true, err);
    out->n_samples++;
    if (status == SS_OK)
      status = ask (s, fmin (SS_SAMPLED_NEAR, ASK_AGAIN * s->asked), out, is_enough, err);
  }
  return status;
}

static SsStatus
search (Sampler *s, double size, SsSampledMotion *out, SsError *err)
{
  int n = (int)(size * (s->is_exact ? STEPS_TOTAL_EXACT : STEPS_TOTAL) / s->plan->steps);
  const int least = (int)(size * (s->is_exact ? SAMPLES_LEAST_EXACT : SAMPLES_LEAST)),
            most = (int)(size * (s->is_exact ? SAMPLES_MOST_EXACT : SAMPLES_MOST));
  SsOutcome why;
  bool is_enough = false;
  SsStatus status = SS_OK;

  n = n < least ? least : n > most ? most : n;
  while (size > 1 && s->evolves && !s->is_exact && out->n_samples < n && status == SS_OK && !is_enough &&
         !(s->missed[0] < GOOD_ENOUGH) && !ss_run_control_should_stop (s->control, &why))
    status = evolve (s, least / 2, n - out->n_samples, out, &is_enough, err);
  for (int i = out->n_samples; i < n && status == SS_OK && !is_enough && !ss_run_control_should_stop (s->control, &why);
       i++) {
    status = try_sample (s, i, n, s->is_exact, err);
    out->n_samples = i + 1;
    if (status == SS_OK)
      status = ask (s, fmin (SS_SAMPLED_NEAR, ASK_AGAIN * s->asked), out, &is_enough, err);
    if (is_enough || s->missed[0] < GOOD_ENOUGH)
      break;
  }
  if (status == SS_OK && !is_enough && !s->is_exact && !ss_run_control_should_stop (s->control, &why))
    status = search_in_full (s, n, &is_enough, out, err);
  if (status == SS_OK && !is_enough && !ss_run_control_should_stop (s->control, &why))
    status = ask (s, s->asked, out, &is_enough, err);
  return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static SsStatus
open_sampler (Sampler *s, SsError *err)
{
  const int n_bodies = s->scene->n_bodies, n_actuators = s->scene->n_actuators;
  bool ok;

  s->n = NUMBERS * n_actuators + OWN;
  s->controls = (SsControls){.n_rows = 1,
                             .n_actuators = n_actuators,
                             .t = ss_new_array (double, 1),
                             .u = ss_new_array (double, n_actuators + 1)};
  s->drives = ss_new_array (Drive, n_actuators + 1);
  s->q_start = ss_new_array (double, 3 * n_bodies + 1);
  s->v_start = ss_new_array (double, 3 * n_bodies + 1);
  s->q = ss_new_array (double, 3 * n_bodies + 1);
  s->v = ss_new_array (double, 3 * n_bodies + 1);
  s->u = ss_new_array (double, n_actuators + 1);
  s->before = ss_new_array (double, 3 * n_bodies + 1);
  s->held = ss_new_array (double, (size_t)s->plan->steps *(size_t)n_actuators + 1);
  s->aim_of = ss_new_array (int, n_bodies + 1);
  s->evolved = ss_new_array (double, 2 * s->n);
  s->now = ss_new_array (double, s->n);
  ok = s->controls.t != NULL && s->controls.u != NULL && s->drives != NULL && s->q_start != NULL &&
       s->v_start != NULL && s->now != NULL && s->q != NULL && s->v != NULL && s->u != NULL && s->aim_of != NULL &&
       s->evolved != NULL && s->held != NULL && s->before != NULL;
  for (int i = 0; i < BEST; i++) {
    s->best[i] = ss_new_array (double, s->n);
    s->cost[i] = s->missed[i] = INFINITY;
    ok = ok && s->best[i] != NULL;
  }
  if (!ok)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int i = 0; i < 3 * n_bodies; i++) {
    s->q_start[i] = s->scene->bodies[i / 3].q[i % 3];
    s->v_start[i] = s->scene->bodies[i / 3].v[i % 3];
  }
  SsStatus status = ss_sampled_cost_new (s->scenario, s->plan->steps, &s->value, err);
  if (status == SS_OK)
    status = ss_passing_new (s->scene, &s->passing, err);
  if (status == SS_OK && !s->is_exact)
    status = ss_rough_step_new (s->scene, &s->rough, err);
  if (status == SS_OK)
    status = ss_evolution_new (s->n, &s->random, &s->evolution, err);
  s->n_aims = status == SS_OK ? ss_sampled_aims_count (s->scene, s->value) : 0;
  s->aims = ss_new_array (SsSampledAim, (size_t)s->n_aims * (size_t)n_actuators + 1);
  if (status == SS_OK && s->aims == NULL)
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int a = 0; a < n_actuators && status == SS_OK; a++)
    open_drive (s, a, &s->drives[a]);
  return status;
}

static void
close_sampler (Sampler *s)
{
  ss_simulation_free (s->simulation);
  ss_rough_step_free (s->rough);
  ss_sampled_cost_free (s->value);
  ss_evolution_free (s->evolution);
  ss_free (s->evolved);
  ss_free (s->aims);
  ss_free (s->aim_of);
  ss_free (s->q);
  ss_free (s->v);
  ss_free (s->u);
  ss_free (s->held);
  ss_free (s->before);
  ss_passing_free (s->passing);
  ss_free (s->controls.t);
  ss_free (s->controls.u);
  ss_free (s->drives);
  ss_free (s->q_start);
  ss_free (s->v_start);
  ss_free (s->now);
  for (int i = 0; i < BEST; i++)
    ss_free (s->best[i]);
}

SsStatus
ss_sample_motion (const SsScenario *scenario, uint64_t seed, double size, const SsSampleJudge *judge,
                  SsRunControl *control, SsSampledMotion *out, SsError *err)
{
  Sampler s = {.scenario = scenario,
               .scene = scenario->scene,
               .plan = scenario->task.plan,
               .control = control,
               .judge = judge,
               .is_exact = judge != NULL && judge->is_exact,
               .parts = judge != NULL && judge->parts > 1 && !judge->is_exact ? judge->parts : 1,
               .scale = NAN,
               .evolves = seed % 2 == 0,
               .asked = INFINITY};
  SsStatus status;

  SS_ASSERT (scenario->scene != NULL && scenario->task.plan != NULL);
  *out = (SsSampledMotion){.cost = NAN, .miss = NAN};
  ss_random_seed (&s.random, seed);
  status = open_sampler (&s, err);
  if (status == SS_OK)
    status = search (&s, size, out, err);
  if (status == SS_OK && out->trajectory == NULL)
    status = keep_motion (&s, out, err);
  if (status == SS_OK)
    ss_run_control_log (control, SS_LOG_INFO, "best of %d simulated motions: %.3g m from the goal, cost %.3g",
                        out->n_samples, out->miss, out->cost);
  else
    ss_sampled_motion_clear (out);
  close_sampler (&s);
  return status;
}

void
ss_sampled_motion_clear (SsSampledMotion *motion)
{
  SS_ASSERT (motion != NULL);
  ss_trajectory_free (motion->trajectory);
  motion->trajectory = NULL;
}
