/* engine/plan/ss-sampled-motion.c: see the header. */
#include "plan/ss-sampled-motion.h"

#include "core/ss-memory.h"
#include "core/ss-random.h"
#include "fesd/ss-fesd-j.h"
#include "plan/ss-drive.h"
#include "plan/ss-lazy-contacts.h"
#include "simulate/ss-stewart-trinkle.h"

#include <math.h>
#include <string.h>

/* Steps that are simulated in all, samples at least and at most, the part of them that is drawn freely, and the best
 * that the others start from. */
enum { STEPS_TOTAL = 14000, SAMPLES_LEAST = 40, SAMPLES_MOST = 400, BEST = 3 };
static const double FREE_PART = 0.4;
/* A cost below this is as good as none. */
static const double GOOD_ENOUGH = 1e-6;
/* Part of the cost that was asked about last, from which on it is asked again. */
static const double ASK_AGAIN = 0.25;
/* LCPs a step at most: while searching, and of the motion that is kept. */
enum { RELINEARISATIONS_SEARCH = 3, RELINEARISATIONS = 50 };
/* Spread of the changes of good samples: at first, and at the end, in units of the free draws. */
static const double CHANGE_FIRST = 0.5, CHANGE_LAST = 0.02;
/* Of the feedback, in steps of the plan and at most [1/s]. */
static const double STIFF_STEPS = 0.5, STIFF_MOST = 16;
/* Distances and angles from which on missing them costs as much as not moving at all [m], [rad]. */
static const double NEAR = 0.05, NEAR_ANGLE = 0.3;
/* Weight of velocities beside poses [s^2]. */
static const double SPEED_WEIGHT = 0.05;

/* Parameters of a drive: glides (by, start, duration), or knots of a spline. */
enum { GLIDES = 3, KNOTS = 9, NUMBERS = KNOTS };

/* A drive, and where it is to go. */
typedef struct {
  SsDrive base;
  double start;  /* of the coordinate */
  double toward; /* to what it is to touch, along the coordinate */
  double asked;  /* by the target of that, along the coordinate */
  double reach;  /* scale of free draws */
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
  Drive *drives; /* n_actuators */
  int n;         /* numbers of a sample: NUMBERS n_actuators, then its own 2 */
  double *now, *best[BEST], cost[BEST];
  double *q_start, *v_start;
  SsRandom random;
  const SsSampleJudge *judge;
  double asked; /* cost */
} Sampler;

/* The sample's own numbers, after those of the drives. */
enum { STIFFNESS, IS_SPLINE, OWN };

/* ---- drives ------------------------------------------------------------------------------------------------------ */

/* The body with a target that is nearest to `body`, and the gap between them; `body` itself where it has one, -1: none
 * has a pose to reach. */
static int
find_aim (const Sampler *s, int body, double *gap)
{
  double least = INFINITY;
  int nearest = -1;

  *gap = 0;
  for (int i = 0; i < s->plan->n_targets; i++) {
    const int other = s->plan->targets[i].body;
    const double distance =
        hypot (s->q_start[3 * other] - s->q_start[3 * body], s->q_start[3 * other + 1] - s->q_start[3 * body + 1]);

    if (other == body)
      return body;
    if (distance < least) {
      least = distance;
      nearest = other;
    }
  }
  for (int c = 0; c < s->scene->n_contacts && nearest >= 0; c++) {
    const SsContact *contact = &s->scene->contacts[c];

    if ((contact->body_a == body && contact->body_b == nearest) ||
        (contact->body_b == body && contact->body_a == nearest))
      *gap = fmax (0, ss_lazy_gap (s->scene, c, s->q_start));
  }
  return nearest;
}

/* What the target of `body` asks for along a coordinate of it. */
static double
find_asked (const Sampler *s, int body, int axis)
{
  for (int i = 0; i < s->plan->n_targets; i++)
    if (s->plan->targets[i].body == body && !isnan (s->plan->targets[i].value[axis]))
      return s->plan->targets[i].value[axis] - s->q_start[3 * body + axis];
  return 0;
}

static void
open_drive (const Sampler *s, int index, Drive *drive)
{
  *drive = (Drive){.reach = 0.15};
  ss_drive_open (s->scene, index, s->q_start, &drive->base);
  const SsDrive *d = &drive->base;
  const SsJoint *joint = d->axis == 3 ? &s->scene->joints[d->actuator->joint] : NULL;
  double gap;

  if (joint != NULL)
    drive->reach = joint->kind == SS_JOINT_SLIDER ? 0.2 : 0.5;
  else if (d->axis == 2)
    drive->reach = 4;
  drive->start = ss_drive_coordinate (s->scene, d, s->q_start, s->q_start, false);
  const int aim = find_aim (s, d->body, &gap);
  if (aim >= 0 && d->axis < 2) {
    const double dx = s->q_start[3 * aim] - s->q_start[3 * d->body],
                 dy = s->q_start[3 * aim + 1] - s->q_start[3 * d->body + 1], far = hypot (dx, dy);

    drive->toward = aim != d->body && far > 0 ? (d->axis == 0 ? dx : dy) / far * gap : 0;
    drive->asked = find_asked (s, aim, d->axis);
  } else if (aim == d->body && d->axis == 2)
    drive->asked = find_asked (s, aim, 2);
  else if (aim >= 0 && d->axis == 3 && joint->kind == SS_JOINT_SLIDER)
    drive->asked = joint->axis.x * find_asked (s, aim, 0) + joint->axis.y * find_asked (s, aim, 1);
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
  const double T = s->plan->horizon, press = d->toward != 0 ? copysign (between (s, 0, 0.15), d->toward) : 0;
  const bool is_joint = d->base.axis >= 2;

  p[0] = d->toward + press + (is_joint || between (s, 0, 1) < 0.3 ? d->reach * ss_random_normal (&s->random) : 0);
  p[1] = between (s, 0, 0.15) * T;
  p[2] = between (s, 0.1, 0.5) * T;
  p[3] = d->asked * between (s, 0.5, 1.5) + (between (s, 0, 1) < 0.3 ? d->reach * ss_random_normal (&s->random) : 0);
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
  own[IS_SPLINE] = between (s, 0, 1) < 0.25;
  for (int a = 0; a < s->scene->n_actuators; a++) {
    if (own[IS_SPLINE] != 0)
      draw_spline (s, s->now + NUMBERS * a);
    else
      draw_glides (s, &s->drives[a], s->now + NUMBERS * a);
  }
}

/* A good sample, some of its numbers moved. */
static void
draw_near (Sampler *s, const double *from, double change)
{
  const double T = s->plan->horizon;
  const bool is_spline = from[NUMBERS * s->scene->n_actuators + IS_SPLINE] != 0;

  memcpy (s->now, from, (size_t)s->n * sizeof *s->now);
  for (int a = 0; a < s->scene->n_actuators; a++)
    for (int i = 0; i < NUMBERS; i++) {
      const bool is_time = !is_spline && i % 3 != 0;
      const double unit = is_spline ? 0.4 : is_time ? 0.2 * T : s->drives[a].reach + 0.3 * fabs (s->drives[a].asked);
      double *p = &s->now[NUMBERS * a + i];

      if (between (s, 0, 1) < 0.5)
        *p += change * unit * ss_random_normal (&s->random);
      if (is_time)
        *p = i % 3 == 1 ? fmax (*p, 0) : fmax (*p, 0.03 * T);
    }
}

static double
glide (double s)
{
  s = fmin (fmax (s, 0), 1);
  return s * s * (3 - 2 * s);
}

static double
control_of (const Sampler *s, int a, double t, const SsSimState *state)
{
  const Drive *d = &s->drives[a];
  const double *p = s->now + NUMBERS * a, *own = s->now + NUMBERS * s->scene->n_actuators;
  const double h = s->plan->horizon / s->plan->steps, holds = d->base.weight * d->base.sign,
               most = fmax (fabs (d->base.actuator->lower), fabs (d->base.actuator->upper));

  if (own[IS_SPLINE] != 0) {
    const double place = fmin (t / s->plan->horizon, 1) * (KNOTS - 1);
    const int i = place < KNOTS - 1 ? (int)place : KNOTS - 2;
    const double u = holds + (p[i] + (place - i) * (p[i + 1] - p[i])) * (isfinite (most) ? most : 10);

    return ss_drive_control (&d->base, 0, u, 0, 0);
  }
  double way = d->start;

  for (int i = 0; i < GLIDES; i++)
    way += p[3 * i] * glide ((t - p[3 * i + 1]) / p[3 * i + 2]);
  return ss_drive_control (&d->base, own[STIFFNESS] * fmin (STIFF_MOST, STIFF_STEPS / h), holds,
                           way - ss_drive_coordinate (s->scene, &d->base, s->q_start, state->q, false),
                           -ss_drive_coordinate (s->scene, &d->base, s->q_start, state->v, true));
}

/* ---- simulating -------------------------------------------------------------------------------------------------- */

static double
cost_of (const Sampler *s, const SsSimState *state, double *miss)
{
  double sum = 0;

  *miss = 0;
  for (int i = 0; i < s->plan->n_targets; i++) {
    const SsPlanTarget *target = &s->plan->targets[i];
    const double asked = hypot (find_asked (s, target->body, 0), find_asked (s, target->body, 1));
    double away = 0;

    for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
      const double value = c < 3 ? state->q[3 * target->body + c] : state->v[3 * target->body + c - 3],
                   off = isnan (target->value[c]) ? 0 : value - target->value[c];
      const double unit = c < 2 ? fmax (asked, NEAR) : fmax (fabs (find_asked (s, target->body, 2)), NEAR_ANGLE);

      if (c < 2)
        away = hypot (away, off);
      sum += c < 3 ? off * off / (unit * unit) : SPEED_WEIGHT * off * off;
    }
    *miss = fmax (*miss, away);
  }
  return isfinite (sum) ? sum : INFINITY;
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

/* A new one, which remembers nothing; LCPs a step at most. */
static SsStatus
open_simulation (Sampler *s, int relinearisations, SsError *err)
{
  ss_options_init (ss_integrator_stewart_trinkle.options, &s->options);
  s->options.gap = SS_STEWART_TRINKLE_END;
  s->options.swept = false; /* a plan's steps are the law's own */
  s->options.relinearisations = relinearisations;
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

/* The motion of the sample `now`; `trajectory` NULL: its cost alone. A step that fails makes the cost infinite. */
static SsStatus
simulate (Sampler *s, SsTrajectory *trajectory, double *cost, double *miss, SsError *err)
{
  const double h = s->plan->horizon / s->plan->steps;
  double *row = trajectory != NULL ? ss_new_array (double, trajectory->n_channels + 1) : NULL;
  SsStatus status = trajectory != NULL && row == NULL ? ss_error_set (err, SS_ERR_MEMORY, "out of memory") : SS_OK;
  bool has_failed = false;

  if (s->is_exact && status == SS_OK) /* it goes on from the contacts that it knows */
    status = open_simulation (s, RELINEARISATIONS, err);
  if (status != SS_OK) {
    ss_free (row);
    return status;
  }
  SsSimState *state = ss_simulation_state (s->simulation);
  state->t = 0;
  memcpy (state->q, s->q_start, 3 * (size_t)s->scene->n_bodies * sizeof (double));
  memcpy (state->v, s->v_start, 3 * (size_t)s->scene->n_bodies * sizeof (double));
  memset (state->contact, 0, SS_SIM_N_CONTACT_VALUES * (size_t)s->scene->n_contacts * sizeof (double));
  for (int k = 0; k < s->plan->steps && status == SS_OK && !has_failed; k++) {
    SsStepInfo info;
    SsError ignored;

    for (int a = 0; a < s->scene->n_actuators; a++)
      s->controls.u[a] = control_of (s, a, k * h, state);
    if (trajectory != NULL)
      status = record (s, trajectory, row, err);
    if (status != SS_OK)
      break;
    const SsStatus of_step = ss_simulation_step (s->simulation, h, &info, &ignored);
    has_failed = of_step != SS_OK;
    if (of_step == SS_ERR_MEMORY)
      status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  if (status == SS_OK && trajectory != NULL)
    status = record (s, trajectory, row, err);
  *cost = has_failed ? INFINITY : cost_of (s, state, miss);
  ss_free (row);
  return status;
}

static void
keep (Sampler *s, double cost)
{
  for (int i = 0; i < BEST; i++)
    if (cost < s->cost[i]) {
      double *last = s->best[BEST - 1];

      for (int k = BEST - 1; k > i; k--) {
        s->best[k] = s->best[k - 1];
        s->cost[k] = s->cost[k - 1];
      }
      s->best[i] = last;
      s->cost[i] = cost;
      memcpy (last, s->now, (size_t)s->n * sizeof *last);
      return;
    }
}

/* The best sample once more, by a simulation that remembers nothing of the others. */
static SsStatus
keep_motion (Sampler *s, SsSampledMotion *out, SsError *err)
{
  SsStatus status = open_simulation (s, RELINEARISATIONS, err);

  if (status == SS_OK && isfinite (s->cost[0]))
    memcpy (s->now, s->best[0], (size_t)s->n * sizeof *s->now);
  else if (status == SS_OK)
    draw_freely (s);
  if (status == SS_OK)
    status = ss_simulation_trajectory_new (s->scene, integrator_of (s), options_of (s), s->plan->steps + 1,
                                           &out->trajectory, err);
  if (status == SS_OK)
    status = simulate (s, out->trajectory, &out->cost, &out->miss, err);
  return status;
}

/* Whether the best sample is good enough, where it costs less than `below`. */
static SsStatus
ask (Sampler *s, double below, SsSampledMotion *out, bool *is_enough, SsError *err)
{
  *is_enough = false;
  if (s->judge == NULL || !(s->cost[0] < below))
    return SS_OK;
  s->asked = s->cost[0];
  SsStatus status = keep_motion (s, out, err);
  if (status == SS_OK && isfinite (out->cost))
    status = s->judge->is_enough (s->judge->user_data, out->trajectory, is_enough, err);
  if (status == SS_OK && !*is_enough) {
    ss_sampled_motion_clear (out);
    status = open_simulation (s, RELINEARISATIONS_SEARCH, err);
  }
  return status;
}

static SsStatus
search (Sampler *s, SsSampledMotion *out, SsError *err)
{
  int n = STEPS_TOTAL / s->plan->steps;
  double cost, miss = 0;
  SsOutcome why;
  bool is_enough = false;
  SsStatus status = open_simulation (s, RELINEARISATIONS_SEARCH, err);

  n = n < SAMPLES_LEAST ? SAMPLES_LEAST : n > SAMPLES_MOST ? SAMPLES_MOST : n;
  for (int i = 0; i < n && status == SS_OK && !ss_run_control_should_stop (s->control, &why); i++) {
    const double done = (i - FREE_PART * n) / ((1 - FREE_PART) * n);

    if (done < 0 || !isfinite (s->cost[0]))
      draw_freely (s);
    else {
      const int from = (int)(between (s, 0, 1) * between (s, 0, BEST));

      draw_near (s, s->best[isfinite (s->cost[from]) ? from : 0],
                 CHANGE_FIRST * pow (CHANGE_LAST / CHANGE_FIRST, done));
    }
    status = simulate (s, NULL, &cost, &miss, err);
    if (status == SS_OK)
      keep (s, cost);
    out->n_samples = i + 1;
    if (status == SS_OK)
      status = ask (s, fmin (SS_SAMPLED_NEAR, ASK_AGAIN * s->asked), out, &is_enough, err);
    if (is_enough || s->cost[0] < GOOD_ENOUGH)
      break;
  }
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
  s->now = ss_new_array (double, s->n);
  ok = s->controls.t != NULL && s->controls.u != NULL && s->drives != NULL && s->q_start != NULL &&
       s->v_start != NULL && s->now != NULL;
  for (int i = 0; i < BEST; i++) {
    s->best[i] = ss_new_array (double, s->n);
    s->cost[i] = INFINITY;
    ok = ok && s->best[i] != NULL;
  }
  if (!ok)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int i = 0; i < 3 * n_bodies; i++) {
    s->q_start[i] = s->scene->bodies[i / 3].q[i % 3];
    s->v_start[i] = s->scene->bodies[i / 3].v[i % 3];
  }
  for (int a = 0; a < n_actuators; a++)
    open_drive (s, a, &s->drives[a]);
  return SS_OK;
}

static void
close_sampler (Sampler *s)
{
  ss_simulation_free (s->simulation);
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
ss_sample_motion (const SsScenario *scenario, uint64_t seed, const SsSampleJudge *judge, SsRunControl *control,
                  SsSampledMotion *out, SsError *err)
{
  Sampler s = {.scenario = scenario,
               .scene = scenario->scene,
               .plan = scenario->task.plan,
               .control = control,
               .judge = judge,
               .is_exact = judge != NULL && judge->is_exact,
               .asked = INFINITY};
  SsStatus status;

  SS_ASSERT (scenario->scene != NULL && scenario->task.plan != NULL);
  *out = (SsSampledMotion){.cost = NAN, .miss = NAN};
  ss_random_seed (&s.random, seed);
  status = open_sampler (&s, err);
  if (status == SS_OK)
    status = search (&s, out, err);
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
  ss_trajectory_free (motion->trajectory);
  motion->trajectory = NULL;
}
