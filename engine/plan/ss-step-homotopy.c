/* engine/plan/ss-step-homotopy.c: see the header. */
#include "plan/ss-step-homotopy.h"

#include "core/ss-memory.h"
#include "core/ss-work.h"
#include "judge/ss-metrics.h"
#include "mpcc/ss-problem.h"
#include "nlp/ss-bounds.h"
#include "nlp/ss-crisp.h"
#include "nlp/ss-ipopt.h"
#include "nlp/ss-scholtes.h"
#include "transcribe/ss-fesd-fixed.h"
#include "transcribe/ss-fesd-j.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PROPOSALS_MAX = 20, CONTACTS_MAX = 40 };
/* Counted work of all proposals, and of one: the same proposals at any load. */
static const double most_work = 5 * SS_WORK_SECOND, most_work_each = 2 * SS_WORK_SECOND;
/* Lengths that are tried, as parts of what is left of the step. */
static const double parts[] = {1, 0.1};
/* A shorter plan [s] is lost in the tolerances of its solvers. */
static const double shortest = 1e-7;
/* Answers that miss the plan's rows by more say nothing of modes. */
static const double worst_violation = 1e-6;

#define FESD(field)     offsetof (SsFesdOptions, field)
#define SCHOLTES(field) offsetof (SsScholtesOptions, field)

/* Modes are read, the answer is not used: few stages. Products are bounded and summed otherwise than in `bench
 * fesd-order`, whose steps are answers: with those settings fewer than half of the plans of the test were solved within
 * their time. */
static const SsOptionValue transcription_settings[] = {{FESD (elements), 2},
                                                       {FESD (stages), 2},
                                                       {FESD (cross), SS_FESD_CROSS_BY_COMPONENT},
                                                       {FESD (impulse), SS_FESD_PRODUCTS},
                                                       {FESD (rho_h), 1},
                                                       {FESD (equilibration), SS_FESD_MEAN},
                                                       {FESD (initial_impacts), false}};
static const SsOptionValue scholtes_settings[] = {{SCHOLTES (relaxation), SS_SCHOLTES_PRODUCTS},
                                                  {SCHOLTES (sigma0), 1},
                                                  {SCHOLTES (kappa), 0.1},
                                                  {SCHOLTES (sigma_min), 1e-9},
                                                  {SCHOLTES (tol_comp), 1e-9},
                                                  {SCHOLTES (tol), 1e-9},
                                                  {SCHOLTES (constr_viol_tol), 1e-9},
                                                  {SCHOLTES (max_iter), 1000},
                                                  {SCHOLTES (mu_strategy), SS_IPOPT_MU_ADAPTIVE},
                                                  {SCHOLTES (bound_push), 1e-2},
                                                  {SCHOLTES (bounds), SS_BOUNDS_EXACT}};
static const SsOptionValue crisp_settings[] = {{offsetof (SsCrispOptions, k_max), 300},
                                               {offsetof (SsCrispOptions, bounds), SS_BOUNDS_EXACT}};

static const struct {
  const SsNlpClass *class_;
  const SsOptionValue *settings;
  int n;
} solvers[] = {{&ss_nlp_scholtes, scholtes_settings, sizeof scholtes_settings / sizeof scholtes_settings[0]},
               {&ss_nlp_crisp, crisp_settings, sizeof crisp_settings / sizeof crisp_settings[0]}};
enum { N_SOLVERS = sizeof solvers / sizeof solvers[0] };

struct SsStepHomotopy {
  SsRunControl *control; /* borrowed, nullable */
  SsProposer proposer;
  /* The scenario and its parts, with numbers of their own. */
  SsScenario scenario;
  SsScene scene;
  SsPlan plan;
  SsBody *bodies;        /* owned */
  SsActuator *actuators; /* owned */
  double *effort;        /* n_actuators, none; owned */
  int *candidates;       /* n_contacts; owned */
  SsFesdOptions fesd;    /* of the transcription */
  bool reads_time;
  double *states; /* q of all states, then v; owned */
  int n_asked, n_answered, n_taken;
  double work; /* counted (core/ss-work.h) */
  /* of the proposal under way */
  SsRunControl inner;
  double work_limit; /* of this thread's count */
  double t;
};

/* ---- set-up ------------------------------------------------------------------------------------------------------ */

static bool
formula_reads_time (const SsScene *scene, SsExpr formula)
{
  bool reads = false;

  if (formula == SS_EXPR_NONE)
    return false;
  const int n = ss_graph_inputs (scene->graph, formula, NULL, 0);
  int *slots = ss_new_array (int, n + 1);
  if (slots == NULL)
    return true;
  ss_graph_inputs (scene->graph, formula, slots, n);
  for (int i = 0; i < n; i++)
    reads = reads || slots[i] == scene->slot_t;
  ss_free (slots);
  return reads;
}

static bool
forces_read_time (const SsScene *scene)
{
  bool reads = false;

  for (int i = 0; i < scene->n_forces; i++)
    reads = reads || formula_reads_time (scene, scene->forces[i].fx) ||
            formula_reads_time (scene, scene->forces[i].fy) || formula_reads_time (scene, scene->forces[i].torque);
  return reads;
}

/* Stops the solver with the run, or when its time is over. */
static void
pass_stop (void *user_data, const SsProgress *progress)
{
  SsStepHomotopy *h = user_data;
  SsOutcome why;

  if (progress->kind == SS_PROGRESS_ITERATION &&
      (ss_run_control_should_stop (h->control, &why) || ss_work_thread () > h->work_limit))
    ss_run_control_cancel (&h->inner);
}

static bool
should_stop (const SsStepHomotopy *h)
{
  SsOutcome why;

  return ss_run_control_should_stop (h->control, &why) || ss_work_thread () > h->work_limit;
}

/* ---- one plan ---------------------------------------------------------------------------------------------------- */

/* Contacts whose gaps may close within that time: the fastest bodies fly at each other, and fall. */
static void
choose_contacts (SsStepHomotopy *h, const SsSimState *state, double length)
{
  const SsScene *scene = &h->scene;
  double speed = 0;

  for (int b = 0; b < scene->n_bodies; b++) {
    const double *v = state->v + 3 * b;
    double size = 0;
    for (int s = 0; s < scene->bodies[b].n_shapes; s++)
      if (scene->bodies[b].shapes[s].kind != SS_SHAPE_HALF_PLANE)
        size = fmax (size, ss_shape_radius (&scene->bodies[b].shapes[s]));
    speed = fmax (speed, hypot (v[0], v[1]) + fabs (v[2]) * size);
  }
  const double gravity = hypot (scene->gravity.x, scene->gravity.y);
  const double reach = 2 * length * (speed + fmax (gravity, 1) * length);
  h->plan.n_candidates = 0;
  for (int i = 0; i < scene->n_contacts; i++)
    if (state->contact[i * SS_SIM_N_CONTACT_VALUES + SS_SIM_GAP] <= reach)
      h->candidates[h->plan.n_candidates++] = i;
}

static void
set_numbers (SsStepHomotopy *h, const SsSimState *state, const double *controls, double length)
{
  for (int b = 0; b < h->scene.n_bodies; b++) {
    memcpy (h->bodies[b].q, state->q + 3 * b, sizeof h->bodies[b].q);
    memcpy (h->bodies[b].v, state->v + 3 * b, sizeof h->bodies[b].v);
  }
  for (int a = 0; a < h->scene.n_actuators; a++)
    h->actuators[a].lower = h->actuators[a].upper = controls[a];
  h->plan.horizon = h->plan.time_lower = h->plan.time_upper = length;
  h->scenario.task.t_end = h->scenario.task.dt = length;
  choose_contacts (h, state, length);
}

/* The states at the stages of the first modes, into h->states. */
static SsStatus
take_states (SsStepHomotopy *h, const SsFesdSequence *sequence, int *n, SsError *err)
{
  const SsFesdSegment *first = &sequence->segments[0];
  const int size = ss_fesd_sequence_sample_size (sequence), n_q = sequence->n_q;
  double *states = ss_realloc (h->states, 2 * (size_t)first->n_samples * (size_t)n_q + 1, sizeof *states);

  *n = 0;
  if (states == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  h->states = states;
  for (int i = 0; i < first->n_samples; i++) {
    const double *sample = first->samples + (size_t)i * (size_t)size;

    if (!(sample[0] > 0 && sample[0] < 1))
      continue;
    memcpy (states + (size_t)*n * (size_t)n_q, sample + 1, (size_t)n_q * sizeof *states);
    memcpy (states + (size_t)(first->n_samples + *n) * (size_t)n_q, sample + 1 + n_q, (size_t)n_q * sizeof *states);
    ++*n;
  }
  memmove (states + (size_t)*n * (size_t)n_q, states + (size_t)first->n_samples * (size_t)n_q,
           (size_t)*n * (size_t)n_q * sizeof *states);
  return SS_OK;
}

static SsStatus
read_answer (SsStepHomotopy *h, const SsTranscribeOptions *options, const SsScenario *model, const double *x, int *n,
             SsError *err)
{
  SsFesdSequence *sequence = NULL;
  SsMetrics metrics;
  SsStatus status = ss_metrics_compute (model, x, &metrics, err);

  *n = 0;
  if (status != SS_OK || !metrics.is_finite || !(metrics.max_violation <= worst_violation))
    return status;
  status = ss_fesd_sequence_from_iterate (&h->scenario, options, x, &sequence, err);
  if (status == SS_OK)
    status = take_states (h, sequence, n, err);
  ss_fesd_sequence_free (sequence);
  return status;
}

/* Solves the plan by one method. */
static SsStatus
solve (SsStepHomotopy *h, const SsTranscribeOptions *options, const SsScenario *model, const SsMpcc *mpcc,
       const double *start, int which, int *n, SsError *err)
{
  const SsNlpClass *class_ = solvers[which].class_;
  void *own = ss_alloc (1, class_->options->size + 1), *solver = NULL;
  SsNlpResult answer = {0};
  SsStatus status = own != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");

  *n = 0;
  ss_run_control_init (&h->inner);
  h->inner.progress = pass_stop;
  h->inner.user_data = h;
  if (status == SS_OK) {
    ss_options_init (class_->options, own);
    ss_options_give (class_->options, own, solvers[which].settings, solvers[which].n);
  }
  if (status == SS_OK)
    status = class_->new_ (mpcc, own, &solver, err);
  if (status == SS_OK)
    status = class_->solve (solver, start, &h->inner, &answer, err);
  if (status == SS_OK)
    status = read_answer (h, options, model, answer.x, n, err);
  if (status == SS_OK && h->control != NULL)
    ss_run_control_log (h->control, SS_LOG_DEBUG, "modes at t = %.9g s by %s: %s, %s", h->t, class_->name,
                        *n > 0 ? "proposed" : "none", answer.message);
  if (solver != NULL)
    class_->free_ (solver);
  ss_free (own);
  return status;
}

/* The plan, as its numbers are now, by all methods until one answers. */
static SsStatus
solve_plan (SsStepHomotopy *h, int *n, SsError *err)
{
  const SsTranscribeOptions options = {.class_ = &ss_transcription_fesd_j, .own = &h->fesd};
  SsScenario *model = NULL;
  SsMpcc *mpcc = NULL;
  double *numbers = NULL, *start = NULL;
  SsStatus status = ss_transcribe (&h->scenario, &options, &model, err);

  *n = 0;
  if (status == SS_OK)
    status = ss_problem_build (model, &mpcc, err);
  if (status == SS_OK) {
    numbers = ss_new_array (double, model->n_parameters + 1);
    start = ss_new_array (double, ss_mpcc_n_variables (mpcc) + 1);
    if (numbers == NULL || start == NULL)
      status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  if (status == SS_OK) {
    ss_problem_parameters (model, numbers);
    ss_mpcc_set_parameters (mpcc, numbers);
    status = ss_problem_guess (model, start, err);
  }
  for (int i = 0; i < N_SOLVERS && status == SS_OK && *n == 0 && !should_stop (h); i++)
    status = solve (h, &options, model, mpcc, start, i, n, err);
  ss_free (numbers);
  ss_free (start);
  ss_mpcc_free (mpcc);
  ss_scenario_free (model);
  return status;
}

static bool
is_exhausted (const SsStepHomotopy *h)
{
  return h->n_asked >= PROPOSALS_MAX || h->work >= most_work;
}

static SsStatus
propose (void *owner, const SsSimState *state, const double *controls, double length, SsProposal *proposal,
         SsError *err)
{
  SsStepHomotopy *h = owner;
  const double begun = ss_work_thread ();
  SsStatus status = SS_OK;
  int n = 0;

  *proposal = (SsProposal){0};
  if (is_exhausted (h) || h->reads_time)
    return SS_OK;
  h->n_asked++;
  h->t = state->t;
  h->work_limit = begun + fmin (most_work_each, most_work - h->work);
  for (size_t i = 0; i < sizeof parts / sizeof parts[0] && n == 0 && status != SS_ERR_MEMORY && !should_stop (h); i++) {
    SsError own = {0};

    if (parts[i] * length < shortest)
      break;
    set_numbers (h, state, controls, parts[i] * length);
    if (h->plan.n_candidates == 0 || h->plan.n_candidates > CONTACTS_MAX)
      continue;
    status = solve_plan (h, &n, &own);
    if (status != SS_OK && h->control != NULL)
      ss_run_control_log (h->control, SS_LOG_DEBUG, "modes at t = %.9g s: %s", h->t, own.message);
  }
  h->work += ss_work_thread () - begun;
  if (status == SS_ERR_MEMORY)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  h->n_answered += n > 0;
  *proposal = (SsProposal){.n = n, .q = h->states, .v = n > 0 ? h->states + (size_t)n * 3 * h->scene.n_bodies : NULL};
  return SS_OK;
}

static void
tell (void *owner, double t, bool is_taken)
{
  SsStepHomotopy *h = owner;

  h->n_taken += is_taken;
  if (h->control != NULL)
    ss_run_control_log (h->control, is_taken ? SS_LOG_INFO : SS_LOG_DEBUG, "t = %.9g s: the modes of the homotopy %s",
                        t, is_taken ? "are taken" : "do not obey the equations");
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static SsStatus
make_copies (SsStepHomotopy *h, const SsScenario *scenario, const SsScene *scene, SsError *err)
{
  h->bodies = ss_new_array (SsBody, scene->n_bodies + 1);
  h->actuators = ss_new_array (SsActuator, scene->n_actuators + 1);
  h->effort = ss_new_array (double, scene->n_actuators + 1);
  h->candidates = ss_new_array (int, scene->n_contacts + 1);
  if (h->bodies == NULL || h->actuators == NULL || h->effort == NULL || h->candidates == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  memcpy (h->bodies, scene->bodies, (size_t)scene->n_bodies * sizeof *h->bodies);
  if (scene->n_actuators > 0)
    memcpy (h->actuators, scene->actuators, (size_t)scene->n_actuators * sizeof *h->actuators);
  h->scene = *scene;
  h->scene.bodies = h->bodies;
  h->scene.actuators = h->actuators;
  h->scene.n_breaks = 0; /* steps end there */
  h->plan = (SsPlan){.steps = 1, .effort = h->effort, .guess = SS_PLAN_GUESS_STILL, .candidates = h->candidates};
  h->scenario = *scenario;
  h->scenario.scene = &h->scene;
  h->scenario.n_parameters = 0; /* no number of the copies depends on the text */
  h->scenario.task = (SsTask){.plan = &h->plan};
  ss_options_init (ss_transcription_fesd_j.options, &h->fesd);
  ss_options_give (ss_transcription_fesd_j.options, &h->fesd, transcription_settings,
                   sizeof transcription_settings / sizeof transcription_settings[0]);
  return SS_OK;
}

SsStatus
ss_step_homotopy_new (const SsScenario *scenario, const SsScene *scene, SsRunControl *control, SsStepHomotopy **out,
                      SsError *err)
{
  SS_ASSERT (scenario != NULL && scene != NULL && out != NULL);
  SsStepHomotopy *h = ss_new (SsStepHomotopy);

  *out = NULL;
  if (h == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  h->control = control;
  h->proposer = (SsProposer){.owner = h, .propose = propose, .tell = tell};
  h->reads_time = forces_read_time (scene);
  const SsStatus status = make_copies (h, scenario, scene, err);
  if (status == SS_OK)
    *out = h;
  else
    ss_step_homotopy_free (h);
  return status;
}

void
ss_step_homotopy_free (SsStepHomotopy *h)
{
  if (h == NULL)
    return;
  ss_free (h->bodies);
  ss_free (h->actuators);
  ss_free (h->effort);
  ss_free (h->candidates);
  ss_free (h->states);
  ss_free (h);
}

const SsProposer *
ss_step_homotopy_proposer (const SsStepHomotopy *h)
{
  SS_ASSERT (h != NULL);
  return &h->proposer;
}

void
ss_step_homotopy_account (const SsStepHomotopy *h, char *text, size_t size)
{
  SS_ASSERT (h != NULL && text != NULL && size > 0);
  text[0] = '\0';
  if (h->n_asked > 0)
    snprintf (text, size, "a homotopy was asked for modes %d time%s, proposed %d, %d %s taken", h->n_asked,
              h->n_asked == 1 ? "" : "s", h->n_answered, h->n_taken, h->n_taken == 1 ? "was" : "were");
}
