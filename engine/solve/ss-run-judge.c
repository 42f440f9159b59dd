/* engine/solve/ss-run-judge.c: the judge's word on the motion of a run, and what follows from it; see ss-run-judge.h.
 * */
#include "solve/ss-run-judge.h"

#include "scene/ss-uses.h"
#include "simulate/ss-recover.h"
#include "simulate/ss-sim-limits.h"
#include "simulate/ss-simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A run that was told to end has its motion judged for at most this long [s]: its end is waited for. */
static const double patience = 0.2;
/* What has moved by less is at rest [m, rad, m/s, rad/s]. */
static const double AT_REST = 1e-6;
/* Overlaps that are no more than this part of the thinner body are no loss of its shape. */
static const double UNCORRECTED = 0.01;

/* The motion, and its contacts by their law (NULL: not told), which without the stages is not known of motions that
 * have some. */
static SsStatus
judge_all (const SsScene *scene, SsTrajectory *motion, const SsTrajectory *stages, const SsMotionLaw *law,
           SsRunControl *control, SsRunResult *result, SsError *err)
{
  const SsMotionLaw none = {0};
  const bool is_known = law != NULL && !result->lacks_stages;
  SsStatus status = ss_motion_judge_stages (scene, motion, stages, false, control, &result->verdict, err);

  return status == SS_OK
             ? ss_motion_judge_law (scene, motion, stages, is_known ? law : &none, control, &result->law, err)
             : status;
}

static SsStatus
judge_rows (const SsScene *scene, SsTrajectory *motion, const SsTrajectory *stages, const SsMotionLaw *law,
            SsRunControl *control, SsRunResult *result, SsError *err)
{
  SsRunControl own;

  if (ss_outcome_is_early (result->outcome)) {
    ss_run_control_init (&own);
    own.deadline = ss_clock_wall () + patience;
    return judge_all (scene, motion, stages, law, &own, result, err);
  }
  const double deadline = control != NULL ? control->deadline : INFINITY,
               work_limit = control != NULL ? control->work_limit : INFINITY;
  if (control != NULL) /* the limits are those of the method */
    control->deadline = control->work_limit = INFINITY;
  SsStatus status = judge_all (scene, motion, stages, law, control, result, err);
  if (control != NULL) {
    control->deadline = deadline;
    control->work_limit = work_limit;
  }
  return status;
}

/* The residuals of the law in a recovered motion, into the rows that it has of the whole one: of rows of one time the
 * first and the last, or all if there are no more than two. */
static void
put_residuals_back (const SsTrajectory *recovered, SsTrajectory *motion)
{
  for (int i = 0, k = 0; i < recovered->n_rows && k < motion->n_rows; i++) {
    const double *from = ss_trajectory_row (recovered, i);

    if (i > 0 && ss_trajectory_row (recovered, i - 1)[0] == from[0])
      k = ss_trajectory_last_at (motion, k);
    while (k < motion->n_rows && ss_trajectory_row (motion, k)[0] < from[0])
      k++;
    for (int c = 0; c < motion->n_channels && k < motion->n_rows; c++)
      if (motion->channels[c].quantity == SS_QUANTITY_LAW_RESIDUAL)
        motion->values[(size_t)k * (size_t)motion->n_channels + (size_t)c] = from[c];
  }
}

/* Of a motion with frozen spans the one in time counts. */
static SsStatus
judge (const SsScene *scene, const SsMotionLaw *law, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SsTrajectory *motion = ss_run_own_motion (result), *recovered = NULL, *stages = NULL;

  if (ss_trajectory_channel (motion, ss_quantity_name (SS_QUANTITY_NUMERICAL_TIME)) < 0)
    return judge_rows (scene, motion, result->stages, law, control, result, err);
  SsStatus status = ss_recover_motion (motion, result->stages, &recovered, &stages, err);
  if (status == SS_OK)
    status = judge_rows (scene, recovered, stages, law, control, result, err);
  if (status == SS_OK)
    put_residuals_back (recovered, motion);
  ss_trajectory_free (recovered);
  ss_trajectory_free (stages);
  return status;
}

/* The rows of integrators that give stages do not tell all impulses: without the stages nothing is known of them. */
static void
forget_balance (SsMotionVerdict *verdict)
{
  verdict->balance = verdict->complementarity = (SsMotionWorst){NAN, NAN, -1};
  verdict->rise = verdict->fall = verdict->balance;
  verdict->surplus = verdict->turned_over = verdict->in_play = NAN;
  verdict->gained = verdict->lost = (SsMotionShare){NAN, NAN, NAN, NAN};
  for (int i = 0; i < SS_WORK_COUNT; i++) {
    verdict->work[i] = NAN;
    verdict->given[i] = (SsMotionGiven){NAN, {NAN, NAN, -1}};
  }
}

double
ss_run_largest (const SsTrajectory *motion, SsQuantity quantity)
{
  SS_ASSERT (motion != NULL && motion->n_rows >= 0);

  double largest = NAN;

  for (int c = 0; c < motion->n_channels; c++)
    for (int i = 0; motion->channels[c].quantity == quantity && i < motion->n_rows; i++)
      largest = fmax (largest, ss_trajectory_row (motion, i)[c]); /* not the NaN */
  return largest;
}

/* Sum of the channels of energy in a row; NaN without them. */
static double
told_energy (const SsTrajectory *motion, int row)
{
  double kinetic = NAN, potential = NAN;

  for (int c = 0; c < motion->n_channels; c++)
    if (motion->channels[c].quantity == SS_QUANTITY_KINETIC_ENERGY)
      kinetic = ss_trajectory_row (motion, row)[c];
    else if (motion->channels[c].quantity == SS_QUANTITY_POTENTIAL_ENERGY)
      potential = ss_trajectory_row (motion, row)[c];
  return kinetic + potential;
}

/* What the rows of a run that was told to end say of themselves. */
static void
believe_rows (const SsTrajectory *motion, const SsMotionVerdict *verdict, SsMetricSet *set)
{
  const double penetration = ss_run_largest (motion, SS_QUANTITY_PENETRATION);

  if (motion->n_rows == 0)
    return;
  ss_metric_set (set, SS_METRIC_ENERGY_INITIAL, told_energy (motion, 0));
  ss_metric_set (set, SS_METRIC_ENERGY_FINAL, told_energy (motion, motion->n_rows - 1));
  ss_metric_set (set, SS_METRIC_MAX_PENETRATION,
                 isnan (penetration) && verdict->n_rows > 0 ? verdict->penetration.value : penetration);
}

void
ss_run_forget_verdict (SsRunResult *result)
{
  SS_ASSERT (result != NULL);
  /* told of every simulation, if need be as not known */
  static const SsMetric always[] = {SS_METRIC_ENERGY_INITIAL, SS_METRIC_ENERGY_FINAL, SS_METRIC_MAX_PENETRATION,
                                    SS_METRIC_MAX_CONE_VIOLATION};

  ss_motion_verdict_clear (&result->verdict);
  result->law = (SsLawVerdict){.law = {NAN, NAN, -1}, .exact = {NAN, NAN, -1}, .linearised = {NAN, NAN, -1}};
  for (size_t i = 0; i < sizeof always / sizeof *always; i++)
    ss_metric_set (&result->metrics, always[i], NAN);
}

void
ss_run_take_verdict (bool is_foreign, SsRunResult *result)
{
  if (result->lacks_stages)
    forget_balance (&result->verdict);
  ss_motion_metrics (&result->verdict, &result->metrics);
  ss_motion_law_metrics (&result->law, &result->metrics);
  if (!is_foreign && !result->verdict.is_complete && ss_run_motion (result) != NULL)
    believe_rows (ss_run_motion (result), &result->verdict, &result->metrics);
}

SsStatus
ss_run_judge_motion (const SsScene *scene, const SsMotionLaw *law, SsRunControl *control, SsRunResult *result,
                     SsError *err)
{
  SsStatus status = SS_OK;
  SsError why = {0};

  SS_ASSERT (scene != NULL && result != NULL);
  ss_run_forget_verdict (result);
  if (ss_run_motion (result) != NULL && result->every <= 1) /* else it has not all steps */
    status = judge (scene, law, control, result, &why);
  const bool is_foreign = status == SS_ERR_INVALID; /* no motion of this scene: nothing is known of it */
  if (is_foreign)
    status = SS_OK;
  if (status != SS_OK && err != NULL)
    *err = why;
  ss_run_take_verdict (is_foreign || status != SS_OK, result);
  return status;
}

/* ---- when it begins ---------------------------------------------------------------------------------------------- */

/* Whether all bodies are in the motion's row k where they are in its first one. */
static bool
is_at_rest (const SsScene *scene, const SsTrajectory *motion, int k)
{
  char name[SS_CHANNEL_NAME_MAX];

  for (int i = 0; i < scene->n_bodies * 6; i++) {
    snprintf (name, sizeof name, "%s.%s", scene->bodies[i / 6].name, ss_body_channels[i % 6]);
    const int c = ss_trajectory_channel (motion, name);
    if (c >= 0 && !(fabs (ss_trajectory_row (motion, k)[c] - ss_trajectory_row (motion, 0)[c]) < AT_REST))
      return false;
  }
  return true;
}

int
ss_run_last_at_rest (const SsScene *scene, const SsTrajectory *motion)
{
  SS_ASSERT (motion != NULL && motion->n_rows >= 0);

  int k = 0;

  while (k + 1 < motion->n_rows && is_at_rest (scene, motion, k + 1))
    k++;
  return k + 1 < motion->n_rows ? k : 0;
}

double
ss_run_begins_to_move (const SsScene *scene, const SsTrajectory *motion)
{
  SS_ASSERT (scene != NULL && motion != NULL && motion->n_rows > 0);
  return ss_trajectory_row (motion, ss_run_last_at_rest (scene, motion))[0];
}

/* ---- what follows from it ---------------------------------------------------------------------------------------- */

void
ss_run_warn_of_passage (const SsScene *scene, const SsMotionVerdict *verdict, SsRunControl *control)
{
  SS_ASSERT (verdict != NULL);

  const SsMotionWorst *passage = &verdict->passage;

  if (control == NULL || !(passage->value > 0))
    return;
  const SsContact *contact = &scene->contacts[passage->index];
  ss_run_control_log (control, SS_LOG_WARNING,
                      "the bodies %s and %s overlap by %.3g m at t = %.9g s, more than half of what the thinner one "
                      "measures: one may have passed the other; a smaller dt, or a stiffer contact, keeps them apart",
                      scene->bodies[contact->body_a].name, scene->bodies[contact->body_b].name, passage->value,
                      passage->t);
}

/* Laws at the level of velocities leave what overlaps, and what is apart by more than their tolerance, as it is. Bodies
 * that hold each other by their shapes, as the stones of an arch, lose them so. */
static void
warn_of_uncorrected (const SsScene *scene, const SsIntegratorClass *integrator, const SsMotionVerdict *verdict,
                     SsRunControl *control)
{
  const SsLawPlace place = integrator->contact_law.place;
  const SsMotionWorst *share = &verdict->overlap_share;
  bool any_hold = false;

  if (control == NULL || (place != SS_LAW_START_VELOCITY && place != SS_LAW_HALF_VELOCITY) ||
      !(share->value > UNCORRECTED) || !(share->t > 0))
    return;
  const SsBody *a = &scene->bodies[scene->contacts[share->index].body_a],
               *b = &scene->bodies[scene->contacts[share->index].body_b];
  for (int i = 0; i < scene->n_contacts; i++)
    any_hold = any_hold || (!ss_body_is_immovable (&scene->bodies[scene->contacts[i].body_a]) &&
                            !ss_body_is_immovable (&scene->bodies[scene->contacts[i].body_b]));
  if (!any_hold)
    return;
  ss_run_control_log (control, SS_LOG_WARNING,
                      "%s does not correct gaps: the bodies %s and %s overlap by %.3g %% of what the thinner one "
                      "measures at t = %.9g s, and what stands by its shape may fall; stewart-trinkle corrects them",
                      integrator->name, a->name, b->name, 100 * share->value, share->t);
}

void
ss_run_warn_of_ignored (const SsScene *scene, const char *name, unsigned uses, SsRunControl *control)
{
  const int n = control != NULL ? ss_uses_count_ignored (scene, uses) : 0;
  char text[256];

  for (int i = 0; i < n; i++) {
    ss_uses_describe_ignored (scene, uses, i, text, sizeof text);
    ss_run_control_log (control, SS_LOG_WARNING, "%s %s", name, text);
  }
}

/* The body that moves fastest in the row of that time, by its channels; "none" if none moves. */
static const char *
fastest_body (const SsTrajectory *motion, double t)
{
  const char *name = "none";
  double fastest = 0;

  for (int i = 0; i < motion->n_rows; i++)
    for (int c = 1; c < motion->n_channels && ss_trajectory_row (motion, i)[0] == t; c++) {
      const SsChannel *channel = &motion->channels[c];
      const double speed = fabs (ss_trajectory_row (motion, i)[c]);

      if (channel->owner == SS_OWNER_BODY && speed > fastest &&
          (channel->quantity == SS_QUANTITY_VELOCITY_X || channel->quantity == SS_QUANTITY_VELOCITY_Y)) {
        fastest = speed;
        name = channel->owner_name;
      }
    }
  return name;
}

/* Whose motion is looked at, and what it says of itself. */
typedef struct {
  const SsScene *scene;
  const SsIntegratorClass *integrator;
  const void *options;
  const SsSimMetrics *own;
} Simulation;

/* Too many steps missed their law. */
static bool
misses_law (const Simulation *s, const SsRunResult *result, SsRunControl *control, char *reason, size_t size)
{
  (void)control;
  const double limit = ss_options_value (s->integrator->options, s->options, SS_SIM_LAW_MISSES_NAME, SS_SIM_LAW_MISSES);

  if (!(limit < 1) || s->own->n_law_missed <= limit * s->own->steps)
    return false;
  snprintf (reason, size,
            "%d of %d steps miss the law of %s by over %.0e m/s, the worst by %.2g m/s at t = %.9g s, where body %s is "
            "the fastest: try a smaller dt or another integrator",
            s->own->n_law_missed, s->own->steps, s->integrator->name, SS_SIM_LAW_MISSED, s->own->own_residual,
            s->own->t_residual, fastest_body (ss_run_motion (result), s->own->t_residual));
  return true;
}

/* Contacts missed the law by the judge's natural map: told from the first step on, a fault where they are too many, but
 * not of laws of which rows know bounds alone. */
static bool
breaks_law (const Simulation *s, const SsRunResult *result, SsRunControl *control, char *reason, size_t size)
{
  const SsLawVerdict *law = &result->law;
  const double limit = ss_options_value (s->integrator->options, s->options, SS_SIM_LAW_MISSES_NAME, SS_SIM_LAW_MISSES);
  const bool is_fault = limit < 1 && law->n_missed > limit * law->n_steps &&
                        ss_integrator_contact_law (s->scene, s->integrator, s->options).place != SS_LAW_WITHIN;
  char worst[300], text[400];

  if (law->n_missed == 0)
    return false;
  ss_motion_law_describe (s->scene, law, worst, sizeof worst);
  snprintf (text, sizeof text, "%s; %d of %d steps miss the law of %s so", worst, law->n_missed, law->n_steps,
            s->integrator->name);
  if (is_fault)
    snprintf (reason, size, "%s", text);
  else
    ss_run_control_log (control, SS_LOG_WARNING, "%s", text);
  return is_fault;
}

/* What is told of a share of the energy, and what to try. */
static void
describe_share (const SsScene *scene, const SsMotionVerdict *verdict, bool is_gain, char *text, size_t size)
{
  const SsMotionShare *share = is_gain ? &verdict->gained : &verdict->lost;
  const SsMotionWorst *step = is_gain ? &verdict->rise : &verdict->fall;

  snprintf (text, size,
            "%.3g J, %.3g %% of the %.3g J in play from t = %.4g s to %.4g s, %s, most at once in the step to "
            "t = %.9g s, which changes body %s most: try a smaller dt%s or another integrator",
            share->value, 100 * share->value / share->of, share->of, share->from, share->to,
            is_gain ? "came from nothing" : "were lost to nothing", step->t,
            step->index >= 0 ? scene->bodies[step->index].name : "none",
            is_gain ? ", softer or more damped contacts," : "");
}

/* Energy that came from nothing or went there is told from the usual limit on; it is a fault where it is gained beyond
 * the job's. */
static bool
has_surplus (const Simulation *s, const SsRunResult *result, SsRunControl *control, char *reason, size_t size)
{
  const SsMotionVerdict *verdict = &result->verdict;
  const double limit =
      ss_options_value (s->integrator->options, s->options, SS_SIM_ENERGY_GAIN_NAME, SS_SIM_ENERGY_GAIN);
  const double gained = verdict->gained.value / verdict->gained.of, lost = verdict->lost.value / verdict->lost.of;
  const bool is_fault = limit < 1 && gained > limit;
  char text[400];

  for (int is_gain = 0; is_gain <= 1; is_gain++) {
    if (!((is_gain ? gained : lost) > SS_SIM_ENERGY_GAIN) || (is_gain && is_fault))
      continue;
    describe_share (s->scene, verdict, is_gain, text, sizeof text);
    ss_run_control_log (control, SS_LOG_WARNING, "%s", text);
  }
  if (is_fault)
    describe_share (s->scene, verdict, true, reason, size);
  return is_fault;
}

/* A joint is open, unless the job lets steps miss their law. */
static bool
has_open_joint (const Simulation *s, const SsRunResult *result, SsRunControl *control, char *reason, size_t size)
{
  (void)control;
  const double misses =
      ss_options_value (s->integrator->options, s->options, SS_SIM_LAW_MISSES_NAME, SS_SIM_LAW_MISSES);
  const SsMotionWorst *opening = &result->verdict.joint_opening;

  if (!(misses < 1) || !(opening->value > SS_SIM_JOINT_OPENING))
    return false;
  snprintf (reason, size,
            "%s %s opens by %.3g %% of the smaller body that it joins, at t = %.9g s: try a smaller dt or another "
            "integrator",
            ss_joint_word (&s->scene->joints[opening->index]), s->scene->joints[opening->index].name,
            100 * opening->value, opening->t);
  return true;
}

void
ss_run_refuse_nonsense (const SsScene *scene, const SsIntegratorClass *integrator, const void *options,
                        const SsSimMetrics *own, SsRunControl *control, SsRunResult *result)
{
  const Simulation simulation = {scene, integrator, options, own};
  typedef bool Finds (const Simulation *s, const SsRunResult *result, SsRunControl *control, char *reason, size_t size);
  static Finds *const faults[] = {misses_law, breaks_law, has_open_joint, has_surplus};
  char message[sizeof result->message] = "", reason[400];

  SS_ASSERT (scene != NULL && integrator != NULL && own != NULL && result != NULL);
  ss_run_warn_of_passage (scene, &result->verdict, control);
  warn_of_uncorrected (scene, integrator, &result->verdict, control);
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
    if (faults[i](&simulation, result, control, reason, sizeof reason))
      ss_run_append_text (message, sizeof message, reason);
  if (message[0] == '\0' || result->outcome != SS_OUTCOME_COMPLETED)
    return;
  result->outcome = SS_OUTCOME_FAILED;
  ss_run_append_text (message, sizeof message, result->message);
  memcpy (result->message, message, sizeof message);
}
