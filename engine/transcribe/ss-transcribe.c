/* engine/transcribe/ss-transcribe.c: variables of a plan, and the order of the work; see ss-transcribe.h. */
#include "transcribe/ss-transcribe-private.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 256, STEPS_MAX = 100000 /* as of files */ };
#define STEPS_TOLERANCE 1e-6 /* of a horizon that is a multiple of its step but for rounding, relative */

static const char *const coordinate_choices[] = {"absolute", "joint", NULL};
static const SsOptionSpec specs[] = {
    {.name = "coordinates",
     .type = SS_OPTION_CHOICE,
     .offset = offsetof (SsTranscribeOptions, coordinates),
     .maximum = 1,
     .fallback = SS_COORDINATES_ABSOLUTE,
     .choices = coordinate_choices,
     .symbol = "q",
     .unit = "",
     .common = true,
     .summary = "Of plans of scenes: three coordinates for every body and joints as constraints, or bodies that joints "
                "carry as functions of the joints' coordinates: fewer variables, "
                "longer formulas."},
};
const SsOptionTable ss_transcribe_option_table = {sizeof specs / sizeof *specs, specs, sizeof (SsTranscribeOptions), 0};

static const char *const q_names[3] = {"x", "y", "theta"};
static const char *const v_names[3] = {"vx", "vy", "omega"};

/* ---- memory and names ------------------------------------------------------------------------------------------------------------- */

void *
ss_transcription_alloc (SsTranscription *t, size_t count, size_t size)
{
  void *block = ss_arena_alloc (t->arena, count > 0 ? count : 1, size);

  if (block == NULL)
    t->out_of_memory = true;
  return block;
}

const char *
ss_transcription_name (SsTranscription *t, const char *format, ...)
{
  char text[NAME_SIZE];
  const char *copy;
  va_list args;

  va_start (args, format);
  vsnprintf (text, sizeof text, format, args);
  va_end (args);
  copy = ss_arena_strdup (t->arena, text);
  if (copy == NULL)
    t->out_of_memory = true;
  return copy != NULL ? copy : "";
}

SsExpr
ss_transcription_variable (const SsTranscription *t, int variable, int shift)
{
  return ss_graph_input (t->graph, variable + shift * t->n_variables);
}

static int
add_variable (SsTranscription *t, const char *name, SsVariableRole role, double start)
{
  if (ss_array_reserve ((void **)&t->variables, &t->variable_capacity, t->n_variables + 1, sizeof *t->variables) != 0) {
    t->out_of_memory = true;
    return SS_NO_VARIABLE;
  }
  t->variables[t->n_variables] = (SsPlanVariable){name, role, start};
  return t->n_variables++;
}

/* ---- variables -------------------------------------------------------------------------------------------------------------------- */

static void
add_body (SsTranscription *t, int b)
{
  const SsBody *body = &t->scene->bodies[b];

  for (int k = 0; k < 3; k++) {
    bool moves = !body->is_fixed && (!body->lock[k] || body->v[k] != 0) && t->tree[b] < 0;

    t->q[3 * b + k] =
        moves ? add_variable (t, ss_transcription_name (t, "%s.%s", body->name, q_names[k]), SS_ROLE_STATE, body->q[k])
              : SS_NO_VARIABLE;
  }
  t->travel[b] = SS_NO_VARIABLE;
  if (t->tree[b] >= 0 && t->scene->joints[t->tree[b]].kind != SS_JOINT_WELD)
    t->travel[b] = add_variable (t, ss_transcription_name (t, "%s.position", t->scene->joints[t->tree[b]].name),
                                 SS_ROLE_STATE, ss_transcription_travel (t->scene, t->tree[b], t->start));
  for (int k = 0; k < 3; k++)
    t->v[3 * b + k] =
        !body->is_fixed && !body->lock[k]
            ? add_variable (t, ss_transcription_name (t, "%s.%s", body->name, v_names[k]), SS_ROLE_STATE, body->v[k])
            : SS_NO_VARIABLE;
}

static void
add_point (SsTranscription *t, int contact, const SsGapPair *pair, const char *name)
{
  const SsContact *c = &t->scene->contacts[contact];
  SsPlanPoint *point;
  double start[1 + SS_GAP_WEIGHTS_MAX];

  if (ss_array_reserve ((void **)&t->points, &t->point_capacity, t->n_points + 1, sizeof *t->points) != 0) {
    t->out_of_memory = true;
    return;
  }
  point = &t->points[t->n_points++];
  *point = (SsPlanPoint){.contact = contact,
                         .body_a = c->body_a,
                         .body_b = c->body_b,
                         .mu = c->mu,
                         .pair = *pair,
                         .name = name,
                         .lambda_t = SS_NO_VARIABLE,
                         .slip = SS_NO_VARIABLE,
                         .lifted = t->n_variables};
  point->lambda_n = add_variable (t, ss_transcription_name (t, "%s.lambda_n", name), SS_ROLE_FORCE, 0);
  if (c->mu > 0) {
    point->lambda_t = add_variable (t, ss_transcription_name (t, "%s.lambda_t", name), SS_ROLE_FORCE, 0);
    point->slip = add_variable (t, ss_transcription_name (t, "%s.slip", name), SS_ROLE_FORCE, 0);
  }
  point->lifted = t->n_variables;
  ss_gap_expr_lift (pair, t->scene->bodies[c->body_a].q, t->scene->bodies[c->body_b].q, start);
  for (int i = 0; i < ss_gap_n_lifted (pair); i++)
    add_variable (t,
                  i == 0 ? ss_transcription_name (t, "%s.direction", name)
                         : ss_transcription_name (t, "%s.weight_%d", name, i),
                  SS_ROLE_LIFTED, start[i]);
}

/* Nothing that could move it apart or together. */
static bool
is_still (const SsTranscription *t, int body)
{
  for (int k = 0; k < 3; k++)
    if (t->q[3 * body + k] != SS_NO_VARIABLE || t->v[3 * body + k] != SS_NO_VARIABLE)
      return false;
  return true;
}

static void
add_candidate (SsTranscription *t, int contact)
{
  const SsContact *c = &t->scene->contacts[contact];
  const SsBody *a = &t->scene->bodies[c->body_a], *b = &t->scene->bodies[c->body_b];
  SsGapPair pairs[SS_GAP_PAIRS_MAX];
  int n = 0, number = 0;

  if (is_still (t, c->body_a) && is_still (t, c->body_b))
    return;
  for (int i = 0; i < a->n_shapes * b->n_shapes; i++)
    n += ss_gap_pairs (&a->shapes[i / b->n_shapes], &b->shapes[i % b->n_shapes], pairs);
  for (int i = 0; i < a->n_shapes * b->n_shapes; i++) {
    int n_pairs = ss_gap_pairs (&a->shapes[i / b->n_shapes], &b->shapes[i % b->n_shapes], pairs);

    for (int p = 0; p < n_pairs; p++)
      add_point (t, contact, &pairs[p],
                 n == 1 ? ss_transcription_name (t, "%s", c->name)
                        : ss_transcription_name (t, "%s.%d", c->name, ++number));
  }
}

static void
add_joint_row (SsTranscription *t, int joint, int index, bool is_limit)
{
  static const char *const ends[] = {"lower", "upper"};
  const char *name = t->scene->joints[joint].name;

  if (ss_array_reserve ((void **)&t->rows, &t->row_capacity, t->n_rows + 1, sizeof *t->rows) != 0) {
    t->out_of_memory = true;
    return;
  }
  t->rows[t->n_rows].joint = joint;
  t->rows[t->n_rows].index = index;
  t->rows[t->n_rows].is_limit = is_limit;
  t->rows[t->n_rows++].variable = add_variable (t,
                                                is_limit ? ss_transcription_name (t, "%s.lambda_%s", name, ends[index])
                                                         : ss_transcription_name (t, "%s.lambda_%d", name, index + 1),
                                                SS_ROLE_FORCE, 0);
}

static void
add_joint (SsTranscription *t, int j)
{
  static const int n_rows[] = {[SS_JOINT_PIN] = 2, [SS_JOINT_SLIDER] = 2, [SS_JOINT_WELD] = 3, [SS_JOINT_ROD] = 1};
  const SsJoint *joint = &t->scene->joints[j];

  for (int i = 0; i < n_rows[joint->kind] && !ss_transcription_is_carrier (t, j); i++)
    add_joint_row (t, j, i, false);
  if (joint->kind != SS_JOINT_PIN && joint->kind != SS_JOINT_SLIDER)
    return;
  if (isfinite (joint->lower))
    add_joint_row (t, j, 0, true);
  if (isfinite (joint->upper))
    add_joint_row (t, j, 1, true);
}

static void
add_variables (SsTranscription *t)
{
  const SsScene *scene = t->scene;

  t->q = ss_transcription_alloc (t, 3 * (size_t)scene->n_bodies, sizeof *t->q);
  t->v = ss_transcription_alloc (t, 3 * (size_t)scene->n_bodies, sizeof *t->v);
  t->u = ss_transcription_alloc (t, (size_t)scene->n_actuators, sizeof *t->u);
  t->tree = ss_transcription_alloc (t, (size_t)scene->n_bodies, sizeof *t->tree);
  t->travel = ss_transcription_alloc (t, (size_t)scene->n_bodies, sizeof *t->travel);
  t->start = ss_transcription_alloc (t, 3 * (size_t)scene->n_bodies, sizeof *t->start);
  t->h = t->clock = SS_NO_VARIABLE;
  if (t->out_of_memory)
    return;
  for (int i = 0; i < 3 * scene->n_bodies; i++)
    t->start[i] = scene->bodies[i / 3].q[i % 3];
  ss_transcription_choose_tree (t);
  for (int b = 0; b < scene->n_bodies; b++)
    add_body (t, b);
  if (t->plan->is_time_free)
    t->clock = add_variable (t, "time", SS_ROLE_STATE, 0);
  t->model->n_states = t->n_variables;
  for (int i = 0; i < t->plan->n_candidates; i++)
    add_candidate (t, t->plan->candidates[i]);
  for (int j = 0; j < scene->n_joints; j++)
    add_joint (t, j);
  for (int a = 0; a < scene->n_actuators; a++)
    t->u[a] = add_variable (t, ss_transcription_name (t, "u.%s", scene->actuators[a].name), SS_ROLE_CONTROL, 0);
  if (t->plan->is_time_free)
    t->h = add_variable (t, "h", SS_ROLE_LENGTH, 0);
}

/* ---- the motion as expressions ---------------------------------------------------------------------------------------------------- */

static void
set_motion (SsTranscription *t, int shift)
{
  const SsScene *scene = t->scene;
  size_t n = 3 * (size_t)scene->n_bodies;
  SsExpr *q = ss_transcription_alloc (t, n, sizeof *q), *v = ss_transcription_alloc (t, n, sizeof *v),
         *u = ss_transcription_alloc (t, (size_t)scene->n_actuators, sizeof *u);

  if (t->out_of_memory)
    return;
  for (size_t i = 0; i < n; i++) {
    const SsBody *body = &scene->bodies[i / 3];

    q[i] = t->q[i] != SS_NO_VARIABLE ? ss_transcription_variable (t, t->q[i], shift)
                                     : ss_expr_number (t->graph, body->q[i % 3]);
    v[i] = t->v[i] != SS_NO_VARIABLE ? ss_transcription_variable (t, t->v[i], shift)
                                     : ss_expr_number (t->graph, body->is_fixed ? 0 : body->v[i % 3]);
  }
  /* a carrier may itself be carried, by a body of any index: as many rounds as there are bodies reach all */
  for (int round = 0; round < scene->n_bodies; round++)
    for (int b = 0; b < scene->n_bodies; b++)
      if (t->tree[b] >= 0) {
        const SsJoint *joint = &scene->joints[t->tree[b]];
        SsExpr travel = t->travel[b] != SS_NO_VARIABLE ? ss_transcription_variable (t, t->travel[b], shift)
                                                       : ss_expr_number (t->graph, 0);

        ss_transcription_carry (t->graph, joint, joint->body_a >= 0 ? q + 3 * joint->body_a : NULL, travel, q + 3 * b);
      }
  for (int a = 0; a < scene->n_actuators; a++)
    u[a] = ss_transcription_variable (t, t->u[a], shift);
  t->motion[shift] = (SsMotionExpr){.graph = t->graph, .scene = scene, .q = q, .v = v, .u = u};
  t->motion[shift].t = t->clock != SS_NO_VARIABLE
                           ? ss_transcription_variable (t, t->clock, shift)
                           : ss_expr_add (t->graph, ss_graph_input (t->graph, t->model->slot_t),
                                          ss_expr_number (t->graph, shift * t->model->time_step));
}

static void
set_point (SsTranscription *t, SsPlanPoint *point)
{
  const SsMotionExpr *m = &t->motion[0];
  SsExpr lifted[1 + SS_GAP_WEIGHTS_MAX];
  SsVec2Expr tangent, slip;

  for (int i = 0; i < ss_gap_n_lifted (&point->pair); i++)
    lifted[i] = ss_transcription_variable (t, point->lifted + i, 0);
  ss_gap_expr (t->graph, &point->pair, m->q + 3 * point->body_a, m->q + 3 * point->body_b, lifted, &point->gap);
  tangent = (SsVec2Expr){point->gap.normal.y, ss_expr_neg (t->graph, point->gap.normal.x)};
  slip = ss_vec2_expr_sub (t->graph, ss_dynamics_expr_velocity_at (m, point->body_b, point->gap.point_b),
                           ss_dynamics_expr_velocity_at (m, point->body_a, point->gap.point_a));
  point->slip_velocity = ss_vec2_expr_dot (t->graph, tangent, slip);
}

/* ---- the answer ------------------------------------------------------------------------------------------------------------------- */

static void
add_channel (SsTranscription *t, SsModelChannel *channels, const char *name, SsExpr value)
{
  channels[t->model->n_channels++] = (SsModelChannel){name, value};
}

/* Constant coordinates, sums of forces and gaps of candidates. */
static void
add_channels (SsTranscription *t)
{
  const SsScene *scene = t->scene;
  SsGraph *g = t->graph;
  SsModelChannel *channels =
      ss_transcription_alloc (t, 6 * (size_t)scene->n_bodies + 3 * (size_t)t->plan->n_candidates, sizeof *channels);

  if (channels == NULL)
    return;
  t->model->channels = channels;
  for (int i = 0; i < 3 * scene->n_bodies; i++) {
    const char *name = scene->bodies[i / 3].name;

    if (scene->bodies[i / 3].is_fixed)
      continue;
    if (t->q[i] == SS_NO_VARIABLE)
      add_channel (t, channels, ss_transcription_name (t, "%s.%s", name, q_names[i % 3]), t->motion[0].q[i]);
    if (t->v[i] == SS_NO_VARIABLE)
      add_channel (t, channels, ss_transcription_name (t, "%s.%s", name, v_names[i % 3]), t->motion[0].v[i]);
  }
  for (int p = 0; p < t->n_points;) {
    const SsPlanPoint *first = &t->points[p];
    const char *name = scene->contacts[first->contact].name;
    SsExpr normal = ss_expr_number (g, 0), tangential = normal, gap = first->gap.phi;
    int n = 0;

    for (; p < t->n_points && t->points[p].contact == first->contact; p++, n++) {
      normal = ss_expr_add (g, normal, ss_transcription_variable (t, t->points[p].lambda_n, 0));
      if (t->points[p].lambda_t != SS_NO_VARIABLE)
        tangential = ss_expr_add (g, tangential, ss_transcription_variable (t, t->points[p].lambda_t, 0));
      gap = ss_graph_binary (g, SS_OP_MIN, gap, t->points[p].gap.phi);
    }
    if (n > 1)
      add_channel (t, channels, ss_transcription_name (t, "%s.lambda_n", name), normal);
    if (n > 1 || first->lambda_t == SS_NO_VARIABLE)
      add_channel (t, channels, ss_transcription_name (t, "%s.lambda_t", name), tangential);
    add_channel (t, channels, ss_transcription_name (t, "%s.gap", name), gap);
  }
}

static SsStatus
check_source (const SsScenario *source, SsError *err)
{
  const SsPlan *plan = source->task.plan;

  if (source->scene == NULL)
    return ss_error_set (err, SS_ERR_INVALID, "'%s' is no scene: it needs no transcription", source->name);
  if (plan == NULL)
    return ss_error_set (err, SS_ERR_INVALID,
                         "the task of '%s' does not say what shall be reached (horizon, steps, targets)", source->name);
  if (!(plan->horizon > 0) || plan->steps < 1)
    return ss_error_set (err, SS_ERR_INVALID, "the plan of '%s' has no steps: horizon %g s, %d steps", source->name,
                         plan->horizon, plan->steps);
  return SS_OK;
}

static SsStatus
fill_model (SsTranscription *t, SsError *err)
{
  SsModel *model = t->model;
  const char **names;

  model->n_points = t->plan->steps + 1;
  model->time_step = t->plan->horizon / t->plan->steps;
  add_variables (t);
  names = ss_transcription_alloc (t, (size_t)t->n_variables, sizeof *names);
  if (t->out_of_memory)
    return SS_ERR_MEMORY;
  for (int i = 0; i < t->n_variables; i++)
    names[i] = t->variables[i].name;
  model->n_variables = t->n_variables;
  model->variables = names;
  model->slot_next = t->n_variables;
  model->slot_parameters = model->slot_k = 2 * t->n_variables;
  model->slot_t = model->slot_k + 1;
  model->n_slots = model->slot_t + 1;
  model->has_clock = t->clock != SS_NO_VARIABLE;
  model->clock = model->has_clock ? t->clock : 0;
  t->step =
      t->h != SS_NO_VARIABLE ? ss_transcription_variable (t, t->h, 0) : ss_expr_number (t->graph, model->time_step);
  set_motion (t, 0);
  set_motion (t, 1);
  if (t->out_of_memory)
    return SS_ERR_MEMORY;
  for (int p = 0; p < t->n_points; p++)
    set_point (t, &t->points[p]);
  add_channels (t);
  SsStatus status = ss_transcription_add_rows (t, err);
  if (status == SS_OK)
    status = ss_transcription_add_guess (t, err);
  return status == SS_OK && t->out_of_memory ? SS_ERR_MEMORY : status;
}

/* The plan with the steps and the horizon that the options ask for. */
static SsStatus
set_steps (const SsTranscribeOptions *options, SsPlan *plan, SsError *err)
{
  const double h = plan->horizon / plan->steps;
  double steps = plan->steps;

  if (options == NULL || (options->dt == 0 && options->t_end == 0))
    return SS_OK;
  if (!(options->dt >= 0 && options->t_end >= 0 && isfinite (options->dt) && isfinite (options->t_end)))
    return ss_error_set (err, SS_ERR_INVALID,
                         "step and horizon of a plan must be positive numbers of seconds, not %g and %g", options->dt,
                         options->t_end);
  if (options->t_end > 0) {
    plan->horizon = options->t_end;
    if (!plan->is_time_free)
      plan->time_lower = plan->time_upper = plan->horizon;
    else if (!(plan->time_lower <= plan->horizon && plan->horizon <= plan->time_upper))
      return ss_error_set (err, SS_ERR_INVALID, "the horizon %g s is not within the plan's bounds of it, %g to %g s",
                           plan->horizon, plan->time_lower, plan->time_upper);
  }
  steps = plan->horizon / (options->dt > 0 ? options->dt : h);
  if (options->dt > 0 && fabs (steps - round (steps)) > STEPS_TOLERANCE * steps)
    return ss_error_set (err, SS_ERR_INVALID, "the horizon %g s is no multiple of the step %g s", plan->horizon,
                         options->dt);
  steps = fmax (round (steps), 1);
  if (steps > STEPS_MAX)
    return ss_error_set (err, SS_ERR_INVALID, "%.0f steps are too many for a plan (at most %d)", steps, STEPS_MAX);
  plan->steps = (int)steps;
  return SS_OK;
}

SsStatus
ss_transcribe (const SsScenario *source, const SsTranscribeOptions *options, SsScenario **out, SsError *err)
{
  SsTranscription t = {.source = source, .scene = source->scene, .followed = options != NULL ? options->start : NULL};
  t.is_joint = options != NULL && options->coordinates == SS_COORDINATES_JOINT;
  SsStatus status = check_source (source, err);
  SsPlan plan;

  *out = NULL;
  if (status != SS_OK)
    return status;
  plan = *source->task.plan;
  t.plan = &plan;
  status = set_steps (options, &plan, err);
  if (status != SS_OK)
    return status;
  status = ss_scenario_new (&t.out, &t.arena, err);
  if (status != SS_OK)
    return status;
  t.graph = t.out->graph;
  t.model = ss_transcription_alloc (&t, 1, sizeof *t.model);
  t.out->name = ss_transcription_name (&t, "%s", source->name);
  t.out->title = ss_transcription_name (&t, "%s", source->title != NULL ? source->title : "");
  memcpy (t.out->sha256, source->sha256, sizeof source->sha256);
  status = SS_ERR_MEMORY;
  if (t.model != NULL) {
    t.out->model = t.model;
    status = fill_model (&t, err);
  }
  ss_free (t.variables);
  ss_free (t.points);
  ss_free (t.rows);
  ss_free (t.blocks);
  ss_free (t.block_rows);
  ss_free (t.costs);
  if (status != SS_OK) {
    ss_scenario_free (t.out);
    return status == SS_ERR_MEMORY ? ss_error_set (err, status, "no memory for the plan of '%s'", source->name)
                                   : status;
  }
  t.out->task.t_end = plan.horizon;
  t.out->task.dt = t.model->time_step;
  *out = t.out;
  return SS_OK;
}

/* ---- what is left out ------------------------------------------------------------------------------------------------------------- */

static void
append_name (const char *reason, const char *name, int n_before, char *text, size_t size)
{
  size_t used = strlen (text);

  snprintf (text + used, size - used, "%s%s%s",
            n_before == 0 && used > 0 ? "; "
            : n_before > 0            ? ", "
                                      : "",
            n_before == 0 ? reason : "", name);
}

bool
ss_transcribe_left_out (const SsScenario *source, char *text, size_t size)
{
  static const char *const reasons[] = {
      "left out of the plan by task.contacts: ", "left out of the plan because neither body can move: ",
      "left out of the plan because half-planes do not touch each other: "};
  const SsScene *scene = source->scene;
  const SsPlan *plan = source->task.plan;
  SsGapPair pairs[SS_GAP_PAIRS_MAX];

  text[0] = '\0';
  for (int reason = 0; scene != NULL && plan != NULL && reason < 3; reason++)
    for (int i = 0, next = 0, n = 0; i < scene->n_contacts; i++) {
      const SsContact *c = &scene->contacts[i];
      const SsBody *a = &scene->bodies[c->body_a], *b = &scene->bodies[c->body_b];
      const bool is_candidate = next < plan->n_candidates && plan->candidates[next] == i;
      const bool is_still = ss_body_is_immovable (a) && ss_body_is_immovable (b);
      int n_gaps = 0, why = -1;

      for (int k = 0; k < a->n_shapes * b->n_shapes; k++)
        n_gaps += ss_gap_pairs (&a->shapes[k / b->n_shapes], &b->shapes[k % b->n_shapes], pairs);
      next += is_candidate;
      if (!is_candidate)
        why = 0;
      else if (is_still)
        why = 1;
      else if (n_gaps == 0 && a->n_shapes > 0 && b->n_shapes > 0)
        why = 2;
      if (why == reason)
        append_name (reasons[reason], c->name, n++, text, size);
    }
  return text[0] != '\0';
}
