/* engine/plan/ss-replan.c: see the header. */
#include "plan/ss-replan-private.h"

#include "nlp/ss-bounds.h"
#include "nlp/ss-crisp.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A point that breaks no row by more is a motion that may act. [m and such] */
static const double usable = 1e-3;
/* Plans in a row that end no nearer than this part of what the first of them is off by: then it is stuck. */
static const double approach = 0.95;
enum { STUCK_AFTER = 3 };

#define FIELD(field) offsetof (SsReplanOptions, field)
/* clang-format off */
static const SsOptionSpec specs[] = {
  {"look-ahead", SS_OPTION_INTEGER, FIELD (look_ahead), 0, 10000, 0, NULL, "N", "steps", true,
   "Steps that a plan looks ahead; more take longer to plan, fewer have to hurry; 0: those of the task."},
  {"every", SS_OPTION_INTEGER, FIELD (every), 1, 10000, 1, NULL, "n", "steps", true,
   "Steps of the plan after which it is made again; more leave errors alone for longer."},
  {"deadline", SS_OPTION_REAL, FIELD (deadline), 0, 1e6, 0, NULL, "", "s", true,
   "Wall time of a re-plan; when it is reached the best answer so far acts, and the miss is counted; 0: none."},
  {"first", SS_OPTION_REAL, FIELD (first), 1e-3, 1e6, 10, NULL, "", "s", false,
   "Wall time of the first plan, which has to be looked for."},
  {"weight", SS_OPTION_REAL, FIELD (weight), 0, 1e12, 1000, NULL, "", "1/m2", false,
   "Cost of the square of what a target is missed by, where the task has it as a constraint; lower: targets are "
   "approached rather than reached; 0: they stay constraints, and a goal out of reach has no plan."},
};
/* clang-format on */

const SsOptionTable ss_replan_option_table = {sizeof specs / sizeof specs[0], specs, sizeof (SsReplanOptions), 0};

/* ---- what can be planned again ----------------------------------------------------------------------------------- */

static SsStatus
check_scenario (const SsScenario *scenario, SsError *err)
{
  const SsScene *scene = scenario->scene;

  if (scene == NULL || scenario->task.plan == NULL)
    return ss_error_set (err, SS_ERR_INVALID,
                         "'%s' cannot be planned: it needs a scene with a task that says what shall be reached (a "
                         "target, a constraint or a cost)",
                         scenario->name);
  if (scene->n_actuators == 0)
    return ss_error_set (err, SS_ERR_INVALID, "'%s' has no actuator: there is nothing to control", scenario->name);
  return ss_plan_rest_check (scenario, "planned again and again", err);
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

static void *
copy_items (const void *items, int n, size_t size)
{
  void *copy = ss_alloc ((size_t)n + 1, size);

  if (copy != NULL && n > 0)
    memcpy (copy, items, (size_t)n * size);
  return copy;
}

/* The task in the form in which it is planned again. */
static SsStatus
copy_scenario (SsReplan *r, const SsScenario *scenario, SsError *err)
{
  const SsPlan *plan = scenario->task.plan;

  r->scenario = *scenario;
  r->scene = *scenario->scene;
  r->plan = *plan;
  r->bodies = copy_items (r->scene.bodies, r->scene.n_bodies, sizeof *r->bodies);
  r->targets = copy_items (plan->targets, plan->n_targets, sizeof *r->targets);
  if (r->bodies == NULL || r->targets == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  r->scene.bodies = r->bodies;
  r->plan.targets = r->targets;
  r->scenario.scene = &r->scene;
  r->scenario.task.plan = &r->plan;
  r->h = plan->horizon / plan->steps;
  if (r->options.look_ahead > 0)
    r->plan.steps = r->options.look_ahead;
  r->options.look_ahead = r->plan.steps;
  r->plan.horizon = r->plan.steps * r->h;
  r->plan.is_time_free = r->plan.are_steps_free = false;
  r->plan.time_lower = r->plan.time_upper = r->plan.horizon;
  if (r->options.every > r->plan.steps)
    return ss_error_set (err, SS_ERR_INVALID, "a plan of %d steps cannot last for %d: look ahead further",
                         r->plan.steps, r->options.every);
  for (int i = 0; i < r->plan.n_targets && r->options.weight > 0; i++)
    for (int c = 0; c < SS_PLAN_COORDINATES; c++)
      if (isinf (r->targets[i].weight[c]))
        r->targets[i].weight[c] = r->options.weight * (c < 3 ? 1 : SS_REPLAN_TIME * SS_REPLAN_TIME);
  return SS_OK;
}

/* Which of the model's variables and parameters are poses, controls and starts. */
static SsStatus
find_variables (SsReplan *r, SsError *err)
{
  static const char *const q_names[] = {"x", "y", "theta"};
  const SsScenario *model = ss_transcript_model (r->transcript);
  const int m = model->model->n_variables, n_q = 3 * r->scene.n_bodies;
  char name[SS_CHANNEL_NAME_MAX];

  r->pose = ss_new_array (int, n_q + r->scene.n_actuators + 1);
  r->start_of = ss_new_array (int, m + 1);
  if (r->pose == NULL || r->start_of == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  r->control = r->pose + n_q;
  for (int i = 0; i < n_q + r->scene.n_actuators; i++) {
    r->pose[i] = -1;
    if (i < n_q)
      snprintf (name, sizeof name, "%s.%s", r->bodies[i / 3].name, q_names[i % 3]);
    else
      snprintf (name, sizeof name, "u.%s", r->scene.actuators[i - n_q].name);
    for (int v = 0; v < m && r->pose[i] < 0; v++)
      if (strcmp (model->model->variables[v], name) == 0)
        r->pose[i] = v;
  }
  for (int v = 0; v < m; v++) {
    snprintf (name, sizeof name, "%s.start", model->model->variables[v]);
    r->start_of[v] = ss_scenario_parameter (model, name);
  }
  return SS_OK;
}

#define CRISP(field) offsetof (SsCrispOptions, field)

/* Bounds are kept, as of every plan of a drawn scene; nobody reads the certificate of a plan that acts for a step. The
 * first plan is looked for with products priced instead of relaxed, which is fast, and where that does not lead to the
 * targets as plans of drawn scenes are. */
static const SsOptionValue priced_first[] = {{CRISP (preset), SS_CRISP_PRESET_DRAWN},
                                             {CRISP (bounds), SS_BOUNDS_EXACT},
                                             {CRISP (certify), false},
                                             {CRISP (price), 0.3},
                                             {CRISP (mu0), 1000},
                                             {CRISP (relax), 0},
                                             {CRISP (mu_spread), 0}};
static const SsOptionValue relaxed_first[] = {
    {CRISP (preset), SS_CRISP_PRESET_DRAWN}, {CRISP (bounds), SS_BOUNDS_EXACT}, {CRISP (certify), false}};
/* A start that breaks no row is there, and the deadline may come in any iteration: with high penalties every iterate
 * is nearly a motion (with the preset's own, most of those at a deadline of three subproblems are none). What a
 * subproblem is worth beyond a hundredth of the merit is not worth the time: the next plan goes on from there. */
static const SsOptionValue warm[] = {{CRISP (preset), SS_CRISP_PRESET_WARM},
                                     {CRISP (bounds), SS_BOUNDS_EXACT},
                                     {CRISP (mu0), 1000},
                                     {CRISP (delta0), 1},
                                     {CRISP (confirm), false},
                                     {CRISP (eps_decrease), 0.01},
                                     {CRISP (k_max), 200},
                                     {CRISP (restarts), 0}};

typedef struct {
  const SsOptionValue *values;
  int n;
} Settings;
static const Settings first_settings[SS_REPLAN_SEARCHES] = {{priced_first, sizeof priced_first / sizeof *priced_first},
                                                            {relaxed_first,
                                                             sizeof relaxed_first / sizeof *relaxed_first}},
                      warm_settings = {warm, sizeof warm / sizeof *warm};

static SsStatus
new_solver (const SsReplan *r, const Settings *settings, void **solver, SsError *err)
{
  SsCrispOptions options;

  ss_options_init (r->nlp->options, &options);
  ss_options_give (r->nlp->options, &options, settings->values, settings->n);
  return r->nlp->new_ (r->mpcc, &options, solver, err);
}

static SsStatus
set_up (SsReplan *r, SsError *err)
{
  const SsTranscribeOptions options = {.is_followed = true};
  SsStatus status = ss_transcript_new (&r->scenario, &options, &r->transcript, err);

  if (status == SS_OK)
    status = ss_problem_build (ss_transcript_model (r->transcript), &r->mpcc, err);
  if (status == SS_OK)
    status = ss_mpcc_eval_new (r->mpcc, &r->eval, err);
  if (status != SS_OK)
    return status;
  const int n_u = r->scene.n_actuators, steps = r->plan.steps;
  r->n = ss_mpcc_n_variables (r->mpcc);
  r->n_rows = ss_mpcc_n_rows (r->mpcc);
  r->x = ss_new_array (double, 5 * (size_t)r->n + (size_t)r->n_rows + 1);
  r->parameters = ss_new_array (double, ss_mpcc_n_parameters (r->mpcc) + 1);
  r->controls = (SsControls){steps, n_u, ss_new_array (double, steps), ss_new_array (double, steps *n_u)};
  r->offered = (SsControls){steps, n_u, ss_new_array (double, steps), ss_new_array (double, steps *n_u)};
  if (r->x == NULL || r->parameters == NULL || r->controls.t == NULL || r->controls.u == NULL || r->offered.t == NULL ||
      r->offered.u == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  r->shifted = r->x + r->n;
  r->rolled = r->shifted + r->n;
  r->tried = r->rolled + r->n;
  r->unfinished = r->tried + r->n;
  r->rows = r->unfinished + r->n;
  status = find_variables (r, err);
  if (status == SS_OK)
    status = ss_replan_start_new (r, err);
  if (status == SS_OK)
    status = new_solver (r, &warm_settings, &r->warm, err);
  for (int i = 0; i < SS_REPLAN_SEARCHES && status == SS_OK; i++)
    status = new_solver (r, &first_settings[i], &r->first[i], err);
  return status;
}

SsStatus
ss_replan_new (const SsScenario *scenario, const SsReplanOptions *options, SsReplan **out, SsError *err)
{
  SS_ASSERT (scenario != NULL && out != NULL);
  const double start = ss_clock_wall ();
  SsReplan *r = ss_new (SsReplan);
  SsStatus status;

  *out = NULL;
  if (r == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  ss_options_init (&ss_replan_option_table, &r->options);
  if (options != NULL)
    r->options = *options;
  r->nlp = &ss_nlp_crisp;
  status = check_scenario (scenario, err);
  if (status == SS_OK)
    status = ss_scene_check_inertia (scenario->scene, err);
  if (status == SS_OK)
    status = copy_scenario (r, scenario, err);
  if (status == SS_OK)
    status = set_up (r, err);
  if (status != SS_OK) {
    ss_replan_free (r);
    return status;
  }
  r->setup_seconds = ss_clock_wall () - start;
  *out = r;
  return SS_OK;
}

void
ss_replan_free (SsReplan *r)
{
  if (r == NULL)
    return;
  for (int i = 0; i < SS_REPLAN_SEARCHES; i++)
    if (r->first[i] != NULL)
      r->nlp->free_ (r->first[i]);
  if (r->warm != NULL)
    r->nlp->free_ (r->warm);
  ss_replan_start_free (r);
  ss_mpcc_eval_free (r->eval);
  ss_mpcc_free (r->mpcc);
  ss_transcript_free (r->transcript);
  ss_free (r->controls.t);
  ss_free (r->controls.u);
  ss_free (r->offered.t);
  ss_free (r->offered.u);
  ss_free (r->x);
  ss_free (r->parameters);
  ss_free (r->pose);
  ss_free (r->start_of);
  ss_free (r->bodies);
  ss_free (r->targets);
  ss_free (r);
}

/* ---- asking ------------------------------------------------------------------------------------------------------ */

double
ss_replan_step (const SsReplan *r)
{
  SS_ASSERT (r != NULL && r->n_rows >= 0);
  return r->h;
}

double
ss_replan_period (const SsReplan *r)
{
  SS_ASSERT (r != NULL && r->n_rows >= 0);
  return r->h * r->options.every;
}

int
ss_replan_look_ahead (const SsReplan *r)
{
  SS_ASSERT (r != NULL && r->n_rows >= 0);
  return r->plan.steps;
}

double
ss_replan_setup_seconds (const SsReplan *r)
{
  SS_ASSERT (r != NULL && r->n_rows >= 0);
  return r->setup_seconds;
}

void
ss_replan_set_target (SsReplan *r, int target, int coordinate, double value)
{
  SS_ASSERT (target >= 0 && target < r->plan.n_targets && coordinate >= 0 && coordinate < SS_PLAN_COORDINATES);
  if (isfinite (value) && !isnan (r->targets[target].value[coordinate]))
    r->targets[target].value[coordinate] = value;
}

double
ss_replan_target (const SsReplan *r, int target, int coordinate)
{
  SS_ASSERT (target >= 0 && target < r->plan.n_targets && coordinate >= 0 && coordinate < SS_PLAN_COORDINATES);
  return r->targets[target].value[coordinate];
}

void
ss_replan_set_deadline (SsReplan *r, double seconds)
{
  SS_ASSERT (r != NULL && r->n_rows >= 0);
  r->options.deadline = seconds;
}

void
ss_replan_forget (SsReplan *r)
{
  SS_ASSERT (r != NULL && r->n_rows >= 0);
  r->has_plan = r->has_offer = r->has_unfinished = false;
  r->n_stuck = r->look = 0;
}

void
ss_replan_look_from (SsReplan *r, int look)
{
  SS_ASSERT (look >= 0);
  r->look = look;
}

void
ss_replan_offer (SsReplan *r, const SsControls *controls)
{
  SS_ASSERT (controls->n_rows == r->controls.n_rows && controls->n_actuators == r->controls.n_actuators);
  memcpy (r->offered.t, controls->t, (size_t)controls->n_rows * sizeof *controls->t);
  memcpy (r->offered.u, controls->u, (size_t)controls->n_rows * (size_t)controls->n_actuators * sizeof *controls->u);
  r->has_offer = true;
}

const SsControls *
ss_replan_controls (const SsReplan *r)
{
  return r->has_plan ? &r->controls : NULL;
}

static void
poses_of (const SsReplan *r, const double *x, int k, double *q)
{
  const int m = ss_transcript_model (r->transcript)->model->n_variables;

  for (int i = 0; i < 3 * r->scene.n_bodies; i++) {
    const SsBody *body = &r->bodies[i / 3];

    q[i] = r->pose[i] >= 0 ? x[(size_t)k * (size_t)m + (size_t)r->pose[i]]
                           : body->q[i % 3] + k * r->h * (body->is_fixed ? 0 : body->v[i % 3]);
  }
}

bool
ss_replan_poses (const SsReplan *r, int k, double *q)
{
  if (!r->has_plan || k < 0 || k > r->plan.steps)
    return false;
  poses_of (r, r->x, k, q);
  return true;
}

/* ---- one plan ---------------------------------------------------------------------------------------------------- */

/* The present state, in place of that of the file; *fits false: the model cannot start there. */
static SsStatus
take_state (SsReplan *r, const double *q, const double *v, bool *fits, SsError *err)
{
  for (int i = 0; i < 3 * r->scene.n_bodies; i++) {
    SsBody *body = &r->bodies[i / 3];

    if (body->is_fixed || (body->lock[i % 3] && body->v[i % 3] == 0))
      continue;
    body->q[i % 3] = q[i];
    if (!body->lock[i % 3])
      body->v[i % 3] = v[i];
  }
  const SsStatus status = ss_transcript_follow (r->transcript, &r->scenario, fits, err);
  if (status == SS_OK && *fits) {
    ss_problem_parameters (ss_transcript_model (r->transcript), r->parameters);
    ss_mpcc_set_parameters (r->mpcc, r->parameters);
  }
  return status;
}

/* The plan that acts from now on. */
static void
take_plan (SsReplan *r, double t, const double *x)
{
  const int m = ss_transcript_model (r->transcript)->model->n_variables, n_u = r->scene.n_actuators;

  memmove (r->x, x, (size_t)r->n * sizeof *x);
  r->t = t;
  r->has_plan = true;
  for (int k = 0; k < r->plan.steps; k++) {
    r->controls.t[k] = k == 0 ? 0 : t + k * r->h;
    for (int a = 0; a < n_u; a++)
      r->controls.u[k * n_u + a] = r->x[(size_t)k * (size_t)m + (size_t)r->control[a]];
  }
}

static bool
is_usable (double violation)
{
  return violation <= usable;
}

/* Which of the method's point and the starts acts. */
static void
choose (SsReplan *r, double t, const SsNlpResult *found, const SsReplanStart *best, const SsReplanStart *rolled,
        SsReplanAnswer *answer)
{
  const SsReplanStart *fallback = rolled->x != NULL ? rolled : best;
  double merit;

  ss_replan_judge (r, found->x, &answer->objective, &answer->violation, &merit);
  if (is_usable (answer->violation)) {
    take_plan (r, t, found->x);
    return;
  }
  answer->is_kept = true;
  if (!r->has_plan) {
    answer->objective = NAN;
    answer->violation = INFINITY;
    return;
  }
  if (answer->is_late) {
    memcpy (r->unfinished, found->x, (size_t)r->n * sizeof *found->x);
    r->t_unfinished = t;
    r->has_unfinished = true;
  }
  /* The last controls; where even their motion is not known, the better start is as near as can be said. */
  ss_replan_judge (r, fallback->x, &answer->objective, &answer->violation, &merit);
  take_plan (r, t, fallback->x);
}

static void
measure_end (const SsReplan *r, SsReplanAnswer *answer)
{
  double *q = ss_new_array (double, 3 * r->scene.n_bodies + 1);

  if (q != NULL && ss_replan_poses (r, r->plan.steps, q))
    ss_replan_distance (r, q, &answer->miss, &answer->miss_angle);
  ss_free (q);
}

/* Whether the plans end away from the goal and come no nearer. */
static void
note_progress (SsReplan *r, SsReplanAnswer *answer)
{
  const double off = fmax (answer->miss / SS_REPLAN_NEAR, answer->miss_angle / SS_REPLAN_NEAR_ANGLE);

  if (!(off > 1) || !(off > approach * r->stuck_from)) {
    r->n_stuck = 0;
    r->stuck_from = off > 1 ? off : 0;
  } else {
    r->n_stuck++;
  }
  answer->is_stuck = r->n_stuck >= STUCK_AFTER;
}

/* Whether a point is a motion to its targets. */
static bool
reaches (SsReplan *r, const double *x, double *objective)
{
  double violation, merit, miss, angle;
  double *q = ss_new_array (double, 3 * r->scene.n_bodies + 1);
  bool is_there = false;

  ss_replan_judge (r, x, objective, &violation, &merit);
  if (!is_usable (violation))
    *objective = INFINITY;
  if (q != NULL && is_usable (violation)) {
    poses_of (r, x, r->plan.steps, q);
    ss_replan_distance (r, q, &miss, &angle);
    is_there = !(miss > SS_REPLAN_NEAR) && !(angle > SS_REPLAN_NEAR_ANGLE);
  }
  ss_free (q);
  return is_there;
}

/* Searches one after the other until one finds a motion to the targets; else the cheapest of what they found. */
static SsStatus
search (SsReplan *r, const double *x0, SsRunControl *control, SsNlpResult *best, SsError *err)
{
  double best_cost = INFINITY;
  SsStatus status = SS_OK;
  bool is_over = false;

  for (int i = 0; i < SS_REPLAN_SEARCHES && !is_over && status == SS_OK; i++) {
    double objective;
    SsOutcome why;
    SsNlpResult found;

    if (i > 0 && ss_run_control_should_stop (control, &why))
      break;
    status = r->nlp->solve (r->first[i], x0, control, &found, err);
    if (status != SS_OK)
      break;
    is_over = reaches (r, found.x, &objective);
    if (i > 0) {
      found.iterations += best->iterations;
      found.inner_iterations += best->inner_iterations;
      found.qp_seconds += best->qp_seconds;
    }
    if (i > 0 && !(objective < best_cost)) {
      best->iterations = found.iterations;
      best->inner_iterations = found.inner_iterations;
      best->qp_seconds = found.qp_seconds;
    } else {
      *best = found;
      best_cost = objective;
    }
  }
  return status;
}

/* With the state taken: start, solve, choose. */
static SsStatus
plan (SsReplan *r, double t, double began, SsRunControl *control, SsReplanAnswer *answer, SsError *err)
{
  const double limit = answer->is_first ? r->options.first : r->options.deadline, cpu = ss_clock_thread_cpu ();
  SsReplanStart best, rolled;
  SsNlpResult found;
  control->deadline = limit > 0 ? began + limit : INFINITY;
  SsStatus status = ss_replan_find_start (r, t, &best, &rolled, err);

  if (answer->is_first && r->look > 0 && status == SS_OK)
    status = ss_replan_find_way (r, t, control, r->shifted, err);

  answer->start_seconds = ss_clock_thread_cpu () - cpu;
  if (status != SS_OK)
    return status;
  status = answer->is_first ? search (r, best.x, control, &found, err)
                            : r->nlp->solve (r->warm, best.x, control, &found, err);
  if (status != SS_OK)
    return status;
  answer->outcome = found.outcome;
  answer->is_offered = best.is_offered;
  answer->is_late = found.outcome == SS_OUTCOME_TIME_LIMIT;
  answer->iterations = found.iterations;
  answer->inner_iterations = found.inner_iterations;
  answer->qp_seconds = found.qp_seconds;
  snprintf (answer->message, sizeof answer->message, "%.200s", found.message);
  choose (r, t, &found, &best, &rolled, answer);
  if (!r->has_plan)
    r->look++;
  measure_end (r, answer);
  note_progress (r, answer);
  return SS_OK;
}

SsStatus
ss_replan_begin (SsReplan *r, double t, const double *q, const double *v, const SsControls *controls, SsError *err)
{
  SS_ASSERT (r != NULL && q != NULL && v != NULL && controls != NULL);
  bool fits = false;

  ss_replan_forget (r);
  SsStatus status = take_state (r, q, v, &fits, err);
  if (status == SS_OK && !fits)
    status = ss_error_set (err, SS_ERR_INVALID, "the plan cannot start in this state");
  if (status == SS_OK)
    status = ss_replan_follow_controls (r, controls, t, err);
  if (status == SS_OK)
    take_plan (r, t, r->tried);
  return status;
}

SsStatus
ss_replan_solve (SsReplan *r, double t, const double *q, const double *v, SsRunControl *control, SsReplanAnswer *answer,
                 SsError *err)
{
  SS_ASSERT (r != NULL && q != NULL && v != NULL && answer != NULL);
  const double wall = ss_clock_wall (), cpu = ss_clock_thread_cpu ();
  SsRunControl own;
  SsError why = {0};
  bool fits = false;

  if (control == NULL) {
    ss_run_control_init (&own);
    control = &own;
  }
  *answer = (SsReplanAnswer){.outcome = SS_OUTCOME_FAILED,
                             .is_first = !r->has_plan,
                             .objective = NAN,
                             .violation = INFINITY,
                             .miss = NAN,
                             .miss_angle = NAN};
  SsStatus status = take_state (r, q, v, &fits, &why);
  if (status == SS_OK && fits)
    status = plan (r, t, wall, control, answer, &why);
  else
    answer->is_kept = true;
  if (status == SS_OK && !fits)
    snprintf (why.message, sizeof why.message, "the plan cannot start in this state");
  answer->wall_seconds = ss_clock_wall () - wall;
  answer->cpu_seconds = ss_clock_thread_cpu () - cpu;
  if (status == SS_ERR_MEMORY) {
    if (err != NULL)
      *err = why;
    return status;
  }
  if (status != SS_OK || !fits)
    snprintf (answer->message, sizeof answer->message, "%.250s", why.message);
  return SS_OK;
}
