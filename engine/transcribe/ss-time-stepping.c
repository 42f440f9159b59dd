/* engine/transcribe/ss-time-stepping.c: the transcription by time stepping: variables of a plan, and the order of the
 * work; see the law in ss-transcribe.h. */
#include "simulate/ss-stewart-trinkle.h"
#include "transcribe/ss-transcribe-private.h"
#include "simulate/ss-simulate.h"

#include <math.h>
#include <stddef.h>

typedef enum { LAW_IMPLICIT, LAW_MIDPOINT } Law; /* in the order of the names */

typedef struct {
  int rows; /* 0: lengths, 1: velocities */
  bool start_is_known;
  int law; /* Law */
} OwnOptions;

static const char *const row_choices[] = {"length", "velocity", NULL};
static const char *const law_choices[] = {"implicit", "midpoint", NULL};

static const SsOptionSpec own_specs[] = {
    {"rows", SS_OPTION_CHOICE, offsetof (OwnOptions, rows), 0, 1, 0, row_choices, "", "", false,
     "Of plans of scenes. Unit of the rows for joints and for positions after a step. length: metres; velocity: "
     "metres per second (metres divided by the step), so that a body that jumps costs as much as one with the "
     "velocity that the jump needs. Rows of steps whose length is free are in metres."},
    {"known-start", SS_OPTION_BOOLEAN, offsetof (OwnOptions, start_is_known), 0, 1, 0, NULL, "", "", false,
     "Of plans of scenes. Whether the state at the start is put into the rows as numbers; else it is variables that "
     "rows hold at these numbers, and an iterate may break these rows."},
    {"law", SS_OPTION_CHOICE, offsetof (OwnOptions, law), 0, 1, LAW_IMPLICIT, law_choices, "", "", false,
     "Of plans of scenes by time stepping. Law of a step. implicit: joints and contacts at the step's end, other "
     "forces "
     "at its start, of order 1: what swings about joints loses energy; midpoint: forces at the middle of the step, "
     "joints and contacts in halves, gaps and joints closed at its end, of order 2 between contacts: a swing keeps its "
     "energy. It has twice the forces of joints and contacts, and so larger problems."},
};
static const SsOptionTable own_table = {sizeof own_specs / sizeof *own_specs, own_specs, sizeof (OwnOptions), 0};

static const char *const q_names[3] = {"x", "y", "theta"};
static const char *const v_names[3] = {"vx", "vy", "omega"};

/* ---- variables --------------------------------------------------------------------------------------------------- */

static void
add_body (SsTranscription *t, int b)
{
  const SsBody *body = &t->scene->bodies[b];

  for (int k = 0; k < 3; k++) {
    bool moves = !body->is_fixed && (!body->lock[k] || body->v[k] != 0) && t->tree[b] < 0;

    t->q[3 * b + k] =
        moves ? ss_transcription_add_variable (t, ss_transcription_name (t, "%s.%s", body->name, q_names[k]),
                                               SS_ROLE_STATE, body->q[k])
              : SS_NO_VARIABLE;
  }
  t->travel[b] = SS_NO_VARIABLE;
  if (t->tree[b] >= 0 && t->scene->joints[t->tree[b]].kind != SS_JOINT_WELD)
    t->travel[b] =
        ss_transcription_add_variable (t, ss_transcription_name (t, "%s.position", t->scene->joints[t->tree[b]].name),
                                       SS_ROLE_STATE, ss_transcription_travel (t->scene, t->tree[b], t->start));
  for (int k = 0; k < 3; k++)
    t->v[3 * b + k] =
        !body->is_fixed && !body->lock[k]
            ? ss_transcription_add_variable (t, ss_transcription_name (t, "%s.%s", body->name, v_names[k]),
                                             SS_ROLE_STATE, body->v[k])
            : SS_NO_VARIABLE;
}

/* Names of a gap's forces and slip: those of the step, or of its way and its end. */
static const char *const implicit_names[] = {"lambda_n", "lambda_t", "slip"},
                         *const way_names[] = {"way_n", "way_t", "way_slip"},
                         *const end_names[] = {"end_n", "end_t", "end_slip"};

static void
add_forces (SsTranscription *t, const char *owner, const char *const names[3], bool has_friction, int *normal,
            int *tangential, int *slip)
{
  *normal = ss_transcription_add_variable (t, ss_transcription_name (t, "%s.%s", owner, names[0]), SS_ROLE_FORCE, 0);
  if (!has_friction)
    return;
  *tangential =
      ss_transcription_add_variable (t, ss_transcription_name (t, "%s.%s", owner, names[1]), SS_ROLE_FORCE, 0);
  *slip = ss_transcription_add_variable (t, ss_transcription_name (t, "%s.%s", owner, names[2]), SS_ROLE_FORCE, 0);
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
                         .pair = *pair,
                         .name = name,
                         .lambda_t = SS_NO_VARIABLE,
                         .slip = SS_NO_VARIABLE,
                         .end_n = SS_NO_VARIABLE,
                         .end_t = SS_NO_VARIABLE,
                         .end_slip = SS_NO_VARIABLE,
                         .lifted = t->n_variables};
  add_forces (t, name, t->is_midpoint ? way_names : implicit_names, c->mu > 0, &point->lambda_n, &point->lambda_t,
              &point->slip);
  if (t->is_midpoint)
    add_forces (t, name, end_names, c->mu > 0, &point->end_n, &point->end_t, &point->end_slip);
  point->lifted = t->n_variables;
  ss_gap_expr_lift (pair, t->scene->bodies[c->body_a].q, t->scene->bodies[c->body_b].q, start);
  for (int i = 0; i < ss_gap_n_lifted (pair); i++)
    ss_transcription_add_variable (t,
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

/* <joint>.lambda_1, <joint>.lambda_lower. */
static int
add_row_force (SsTranscription *t, const char *what, const SsPlanRow *row)
{
  static const char *const ends[] = {"lower", "upper"};
  const char *name = t->scene->joints[row->joint].name;

  return ss_transcription_add_variable (t,
                                        row->is_limit
                                            ? ss_transcription_name (t, "%s.%s_%s", name, what, ends[row->index])
                                            : ss_transcription_name (t, "%s.%s_%d", name, what, row->index + 1),
                                        SS_ROLE_FORCE, 0);
}

static void
add_joint_row (SsTranscription *t, int joint, int index, bool is_limit)
{

  if (ss_array_reserve ((void **)&t->rows, &t->row_capacity, t->n_rows + 1, sizeof *t->rows) != 0) {
    t->out_of_memory = true;
    return;
  }
  SsPlanRow *row = &t->rows[t->n_rows++];
  *row = (SsPlanRow){.joint = joint, .index = index, .is_limit = is_limit, .end = SS_NO_VARIABLE};
  row->variable = add_row_force (t, t->is_midpoint ? "way" : "lambda", row);
  if (t->is_midpoint)
    row->end = add_row_force (t, "end", row);
}

static void
add_joint (SsTranscription *t, int j)
{
  const SsJoint *joint = &t->scene->joints[j];

  for (int i = 0; i < ss_joint_n_rows (joint) && !ss_transcription_is_carrier (t, j); i++)
    add_joint_row (t, j, i, false);
  if (!ss_joint_has_range (joint))
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
    t->clock = ss_transcription_add_variable (t, "time", SS_ROLE_STATE, 0);
  t->n_states = t->n_variables;
  for (int i = 0; i < t->plan->n_candidates; i++)
    add_candidate (t, t->plan->candidates[i]);
  for (int j = 0; j < scene->n_joints; j++)
    add_joint (t, j);
  for (int a = 0; a < scene->n_actuators; a++)
    t->u[a] = ss_transcription_add_variable (t, ss_transcription_name (t, "u.%s", scene->actuators[a].name),
                                             SS_ROLE_CONTROL, 0);
  if (t->plan->is_time_free)
    t->h = ss_transcription_add_variable (t, "h", SS_ROLE_LENGTH, 0);
}

/* ---- the motion as expressions ----------------------------------------------------------------------------------- */

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
                                     : ss_transcription_number (t, &body->q[i % 3]);
    v[i] = t->v[i] != SS_NO_VARIABLE ? ss_transcription_variable (t, t->v[i], shift)
           : body->is_fixed          ? ss_expr_number (t->graph, 0)
                                     : ss_transcription_number (t, &body->v[i % 3]);
  }
  /* a carrier may itself be carried, by a body of any index: as many rounds as there are bodies reach all */
  for (int round = 0; round < scene->n_bodies; round++)
    for (int b = 0; b < scene->n_bodies; b++)
      if (t->tree[b] >= 0) {
        const SsJoint *joint = &scene->joints[t->tree[b]];
        SsExpr travel = t->travel[b] != SS_NO_VARIABLE ? ss_transcription_variable (t, t->travel[b], shift)
                                                       : ss_expr_number (t->graph, 0);

        ss_transcription_carry (t, joint, joint->body_a >= 0 ? q + 3 * joint->body_a : NULL, travel, q + 3 * b);
      }
  for (int a = 0; a < scene->n_actuators; a++)
    u[a] = ss_transcription_variable (t, t->u[a], shift);
  t->motion[shift] = (SsMotionExpr){.graph = t->graph, .scene = scene, .q = q, .v = v, .u = u, .inputs = t->inputs};
  if (t->clock != SS_NO_VARIABLE)
    t->motion[shift].t = ss_transcription_variable (t, t->clock, shift);
  else {
    const SsExpr passed = ss_expr_number (t->graph, shift * t->time_step);
    t->motion[shift].t = ss_expr_add (t->graph, ss_graph_input (t->graph, t->model->slot_t), passed);
  }
}

static void
set_point (SsTranscription *t, SsPlanPoint *point)
{
  const SsMotionExpr *m = &t->motion[0];
  SsExpr lifted[1 + SS_GAP_WEIGHTS_MAX];
  SsVec2Expr tangent, slip;

  for (int i = 0; i < ss_gap_n_lifted (&point->pair); i++)
    lifted[i] = ss_transcription_variable (t, point->lifted + i, 0);
  ss_gap_expr (t->graph, t->inputs, &point->pair, m->q + 3 * point->body_a, m->q + 3 * point->body_b, lifted,
               &point->gap);
  tangent = (SsVec2Expr){point->gap.normal.y, ss_expr_neg (t->graph, point->gap.normal.x)};
  const SsVec2Expr of_a = ss_dynamics_expr_velocity_at (m, point->body_a, point->gap.point_a),
                   of_b = ss_dynamics_expr_velocity_at (m, point->body_b, point->gap.point_b);
  slip = ss_vec2_expr_sub (t->graph, of_b, of_a);
  point->slip_velocity = ss_vec2_expr_dot (t->graph, tangent, slip);
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

static void
add_channel (SsTranscription *t, SsModelChannel *channels, const char *name, SsExpr value)
{
  channels[t->model->n_channels++] = (SsModelChannel){ss_channel_named (name), value};
}

/* Force over a step: that of a variable, with law=midpoint the mean of those of its way and its end. */
static SsExpr
force_of (const SsTranscription *t, int variable, int end)
{
  SsGraph *g = t->graph;
  const SsExpr force = ss_transcription_variable (t, variable, 0);

  return end == SS_NO_VARIABLE ? force
                               : ss_expr_scale (g, 0.5, ss_expr_add (g, force, ss_transcription_variable (t, end, 0)));
}

/* What the last channel is, as variables of other laws are described. */
static void
describe_channel (SsTranscription *t, SsModelChannel *channels, SsQuantity quantity, const char *unit, SsOwner owner,
                  const char *owner_name)
{
  SsChannel *about = &channels[t->model->n_channels - 1].about;

  about->quantity = quantity;
  about->unit = unit;
  about->owner = owner;
  about->owner_name = ss_transcription_name (t, "%s", owner_name);
}

/* Rows of angles have torques: the limits of a pin, the last row of a slider and of a weld. */
static const char *
unit_of_row (const SsTranscription *t, const SsPlanRow *row)
{
  const SsJointKind kind = t->scene->joints[row->joint].kind;
  const bool is_angle =
      row->is_limit ? ss_joint_kinds[kind].is_angle
                    : (kind == SS_JOINT_SLIDER && row->index == 1) || (kind == SS_JOINT_WELD && row->index == 2);

  return is_angle ? "N m" : "N";
}

/* law=midpoint: <joint>.lambda_1, <joint>.lambda_lower. */
static void
add_joint_channels (SsTranscription *t, SsModelChannel *channels)
{
  static const char *const ends[] = {"lower", "upper"};

  for (int r = 0; r < t->n_rows && t->is_midpoint; r++) {
    const SsPlanRow *row = &t->rows[r];
    const char *name = t->scene->joints[row->joint].name;

    add_channel (t, channels,
                 row->is_limit ? ss_transcription_name (t, "%s.lambda_%s", name, ends[row->index])
                               : ss_transcription_name (t, "%s.lambda_%d", name, row->index + 1),
                 force_of (t, row->variable, row->end));
    describe_channel (t, channels, SS_QUANTITY_JOINT_FORCE, unit_of_row (t, row), SS_OWNER_JOINT, name);
  }
}

/* Constant coordinates, sums of forces and gaps of candidates. */
static void
add_channels (SsTranscription *t)
{
  const SsScene *scene = t->scene;
  SsGraph *g = t->graph;
  SsModelChannel *channels = ss_transcription_alloc (
      t, 6 * (size_t)scene->n_bodies + 3 * (size_t)t->plan->n_candidates + (size_t)t->n_rows, sizeof *channels);

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
      normal = ss_expr_add (g, normal, force_of (t, t->points[p].lambda_n, t->points[p].end_n));
      if (t->points[p].lambda_t != SS_NO_VARIABLE)
        tangential = ss_expr_add (g, tangential, force_of (t, t->points[p].lambda_t, t->points[p].end_t));
      gap = ss_graph_binary (g, SS_OP_MIN, gap, t->points[p].gap.phi);
    }
    if (n > 1 || t->is_midpoint)
      add_channel (t, channels, ss_transcription_name (t, "%s.lambda_n", name), normal);
    if (t->is_midpoint)
      describe_channel (t, channels, SS_QUANTITY_NORMAL_FORCE, "N", SS_OWNER_CONTACT, name);
    if (n > 1 || t->is_midpoint || first->lambda_t == SS_NO_VARIABLE)
      add_channel (t, channels, ss_transcription_name (t, "%s.lambda_t", name), tangential);
    if (t->is_midpoint)
      describe_channel (t, channels, SS_QUANTITY_TANGENTIAL_FORCE, "N", SS_OWNER_CONTACT, name);
    add_channel (t, channels, ss_transcription_name (t, "%s.gap", name), gap);
  }
  add_joint_channels (t, channels);
}

/* ---- the class --------------------------------------------------------------------------------------------------- */

static void
close_plan (void *state)
{
  if (state == NULL)
    return;
  ss_transcription_clear (state);
  ss_free (state);
}

static SsStatus
open_plan (const SsScenario *source, const SsPlan *plan, const SsTranscribeOptions *options, void **state,
           int *n_variables, SsError *err)
{
  SsTranscription *t = ss_new (SsTranscription);
  SsStatus status = SS_ERR_MEMORY;

  *state = t;
  if (t == NULL || (t->arena = t->scratch = ss_arena_new ()) == NULL)
    return status;
  t->source = source;
  t->scene = source->scene;
  t->plan = plan;
  t->time_step = plan->horizon / plan->steps;
  t->is_joint = options->coordinates == SS_COORDINATES_JOINT;
  if (options->own != NULL) {
    const OwnOptions *own = options->own;

    t->in_velocity = own->rows == 1 && !plan->is_time_free;
    t->start_is_known = own->start_is_known;
    t->is_midpoint = own->law == LAW_MIDPOINT;
  }
  t->is_followed = options->is_followed;
  status = ss_transcription_check_breaks (source->scene, plan, err);
  if (status != SS_OK)
    return status;
  add_variables (t);
  status = t->out_of_memory ? SS_ERR_MEMORY : ss_transcription_check (t, err);
  *n_variables = t->n_variables;
  return status;
}

static int
list_starts (const void *state, SsTranscribeNumber *numbers)
{
  const SsTranscription *t = state;
  int n = 0;

  for (int i = 0; i < t->n_variables; i++) {
    const SsPlanVariable *variable = &t->variables[i];

    if (variable->role == SS_ROLE_CONTROL || variable->role == SS_ROLE_LENGTH)
      continue;
    if (numbers != NULL)
      numbers[n] = (SsTranscribeNumber){&variable->start, variable->name, "start", false};
    n++;
  }
  return n;
}

/* ---- what the variables are -------------------------------------------------------------------------------------- */

/* With law=midpoint the forces are halves of what channels tell. */
static void
describe_point (const SsTranscription *t, const SsPlanPoint *point, SsChannel *about)
{
  const char *name = t->scene->contacts[point->contact].name;
  const SsQuantity normal = t->is_midpoint ? SS_QUANTITY_UNKNOWN : SS_QUANTITY_NORMAL_FORCE,
                   tangential = t->is_midpoint ? SS_QUANTITY_UNKNOWN : SS_QUANTITY_TANGENTIAL_FORCE;

  ss_transcription_describe (t, about, point->lambda_n, normal, "N", SS_OWNER_CONTACT, name);
  ss_transcription_describe (t, about, point->lambda_t, tangential, "N", SS_OWNER_CONTACT, name);
  ss_transcription_describe (t, about, point->slip, SS_QUANTITY_SLIP, "m/s", SS_OWNER_CONTACT, name);
  ss_transcription_describe (t, about, point->end_n, normal, "N", SS_OWNER_CONTACT, name);
  ss_transcription_describe (t, about, point->end_t, tangential, "N", SS_OWNER_CONTACT, name);
  ss_transcription_describe (t, about, point->end_slip, SS_QUANTITY_SLIP, "m/s", SS_OWNER_CONTACT, name);
  for (int i = 0; i < ss_gap_n_lifted (&point->pair); i++)
    ss_transcription_describe (t, about, point->lifted + i, i == 0 ? SS_QUANTITY_DIRECTION : SS_QUANTITY_WEIGHT,
                               i == 0 ? "rad" : "", SS_OWNER_CONTACT, name);
}

/* One record a variable, in the memory of the model; NULL without memory. The states of the motion are those of the
 * bodies, whatever coordinates the plan has. */
static const SsChannel *
describe_variables (SsTranscription *t, const char *const *names)
{
  SsChannel *about = ss_transcription_alloc (t, (size_t)t->n_variables, sizeof *about);

  if (about == NULL)
    return NULL;
  for (int i = 0; i < t->n_variables; i++)
    about[i] = ss_channel_named (names[i]);
  for (int b = 0; b < t->scene->n_bodies; b++)
    ss_transcription_describe_body (t, b, about);
  for (int p = 0; p < t->n_points; p++)
    describe_point (t, &t->points[p], about);
  for (int r = 0; r < t->n_rows; r++) {
    const SsQuantity force = t->is_midpoint ? SS_QUANTITY_UNKNOWN : SS_QUANTITY_JOINT_FORCE;
    const char *unit = unit_of_row (t, &t->rows[r]), *name = t->scene->joints[t->rows[r].joint].name;

    ss_transcription_describe (t, about, t->rows[r].variable, force, unit, SS_OWNER_JOINT, name);
    ss_transcription_describe (t, about, t->rows[r].end, force, unit, SS_OWNER_JOINT, name);
  }
  for (int a = 0; a < t->scene->n_actuators; a++)
    ss_transcription_describe (t, about, t->u[a], SS_QUANTITY_CONTROL, ss_actuator_unit (t->scene, a),
                               SS_OWNER_ACTUATOR, t->scene->actuators[a].name);
  ss_transcription_describe (t, about, t->h, SS_QUANTITY_STEP_LENGTH, "s", SS_OWNER_SCENE, "");
  ss_transcription_describe (t, about, t->clock, SS_QUANTITY_TIME, "s", SS_OWNER_SCENE, "");
  for (int i = 0; i < t->n_variables; i++)
    if (about[i].owner_name == NULL)
      return NULL;
  return about;
}

static SsStatus
write_model (SsTranscription *t, SsModel *model, SsError *err)
{
  const char **names = ss_transcription_alloc (t, (size_t)t->n_variables, sizeof *names);

  if (names == NULL)
    return SS_ERR_MEMORY;
  for (int i = 0; i < t->n_variables; i++)
    names[i] = ss_transcription_name (t, "%s", t->variables[i].name);
  model->variables = names;
  model->about = describe_variables (t, names);
  if (model->about == NULL)
    return SS_ERR_MEMORY;
  model->n_points = t->plan->steps + 1;
  model->time_step = t->time_step;
  model->n_states = t->n_states;
  model->has_clock = t->clock != SS_NO_VARIABLE;
  model->clock = model->has_clock ? t->clock : 0;
  t->step = t->h != SS_NO_VARIABLE ? ss_transcription_variable (t, t->h, 0) : ss_expr_number (t->graph, t->time_step);
  set_motion (t, 0);
  set_motion (t, 1);
  if (t->out_of_memory)
    return SS_ERR_MEMORY;
  for (int p = 0; p < t->n_points; p++)
    set_point (t, &t->points[p]);
  add_channels (t);
  SsStatus status = ss_transcription_add_rows (t, err);
  t->out->task.t_end = t->plan->horizon;
  t->out->task.dt = t->time_step;
  return status == SS_OK && t->out_of_memory ? SS_ERR_MEMORY : status;
}

static SsStatus
write_plan (void *state, const SsInputNumbers *inputs, SsArena *arena, SsScenario *out, SsModel *model, SsError *err)
{
  SsTranscription *t = state;
  SsStatus status;

  t->inputs = inputs;
  t->arena = arena;
  t->out = out;
  t->model = model;
  t->graph = out->graph;
  status = write_model (t, model, err);
  t->arena = t->scratch;
  return status;
}

static SsStatus
guess_plan (void *state, const SsTrajectory *start, double *x, SsError *err)
{
  return ss_transcription_guess (state, start, x, err);
}

/* ---- what is left out -------------------------------------------------------------------------------------------- */

static const SsOptionValue *
find_law_option (const void *own)
{
  static const SsOptionValue gaps[] = {
      [LAW_IMPLICIT] = {offsetof (SsStewartTrinkleOptions, gap), SS_STEWART_TRINKLE_END},
      [LAW_MIDPOINT] = {offsetof (SsStewartTrinkleOptions, gap), SS_STEWART_TRINKLE_MIDPOINT}};

  return &gaps[own != NULL ? ((const OwnOptions *)own)->law : LAW_IMPLICIT];
}

/* As the head of ss-transcribe.h has them. */
static const SsTranscriptionRow rows_told[] = {
    {"dynamics", NULL, "M (v₁ − v₀) = h (f(q₀, v₀, u₀, t₀) + Jₙᵀ lₙ + Jₜᵀ lₜ + Gᵀ l_b),   q₁ = q₀ + h v₁",
     "M (v_1 - v_0) = h \\left(f(q_0, v_0, u_0, t_0) + J_n^{T} l_n + J_t^{T} l_t + G^{T} l_b\\right),\\quad q_1 = q_0 "
     "+ h v_1"},
    {"contact", "gaps, normals and points are those of the step's end; restitution is not used", "0 ≤ lₙ ⟂ φ(q₁) ≥ 0",
     "0 \\le l_n \\perp \\varphi(q_1) \\ge 0"},
    {"contact", NULL, "0 ≤ s⁺ ⟂ μ lₙ + lₜ ≥ 0,   0 ≤ s⁺ − Jₜ v₁ ⟂ μ lₙ − lₜ ≥ 0",
     "0 \\le s^{+} \\perp \\mu l_n + l_t \\ge 0,\\quad 0 \\le s^{+} - J_t v_1 \\perp \\mu l_n - l_t \\ge 0"},
    {"joint", NULL, "0 = g(q₁)", "0 = g(q_1)"},
    {"dynamics", "with law=midpoint, w = (q₁ − q₀)/h the velocity of the way",
     "M (w − v₀) = h/2 (f_m + J₁ᵀ l + G₀ᵀ l_b),   f_m = f((q₀ + q₁)/2, w, u₀, t₀ + h/2)",
     "M (w - v_0) = \\frac{h}{2} \\left(f_m + J_1^{T} l + G_0^{T} l_b\\right),\\quad f_m = f\\left(\\tfrac{q_0 + "
     "q_1}{2}, w, u_0, t_0 + \\tfrac{h}{2}\\right)"},
    {"dynamics", NULL, "M (v₁ − w) = h/2 (f_m + J₁ᵀ l′ + G₁ᵀ l′_b),   0 = g(q₁) = G₁ v₁",
     "M (v_1 - w) = \\frac{h}{2} \\left(f_m + J_1^{T} l' + G_1^{T} l'_b\\right),\\quad 0 = g(q_1) = G_1 v_1"},
    {"contact", "with law=midpoint; friction of l brakes the slip of w, that of l′ the slip of v₁",
     "0 ≤ lₙ ⟂ φ(q₁) ≥ 0,   0 ≤ l′ₙ ⟂ φ(q₁)/h + Jₙ v₁ ≥ 0",
     "0 \\le l_n \\perp \\varphi(q_1) \\ge 0,\\quad 0 \\le l'_n \\perp \\frac{\\varphi(q_1)}{h} + J_n v_1 \\ge 0"},
};

const SsTranscriptionClass ss_transcription_time_stepping = {
    .name = "time-stepping",
    .label = "Time Stepping",
    .summary = "Contact-implicit steps of the length that the task says, inelastic: the law of stewart-trinkle with "
               "gap=end, or with law=midpoint of order 2 between contacts, with gap=midpoint.",
    .options = &own_table,
    .rows = rows_told,
    .n_rows = sizeof rows_told / sizeof *rows_told,
    .law = {&ss_integrator_stewart_trinkle, find_law_option},
    .open = open_plan,
    .close = close_plan,
    .list = list_starts,
    .write = write_plan,
    .guess = guess_plan,
    .left_out = ss_transcription_left_out,
};
