/* engine/transcribe/ss-freeze-plan.c: variables and channels of the transcription time-freezing, and the
 * order of the work; see ss-freeze-plan.h. */
#include "fesd/ss-freeze.h"
#include "transcribe/ss-freeze-plan-private.h"
#include "fesd/ss-fesd-j.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* An element is shown as frozen where time runs by less than this part of numerical time. */
static const double frozen_rate = 1e-4;

static SsFreezePlan *
plan_of (SsFesd *t)
{
  return (SsFreezePlan *)t; /* its first member */
}

/* ---- variables --------------------------------------------------------------------------------------------------- */

static const char *const alpha_names[] = {"alpha_n", "alpha_v", "alpha_t"};
static const char *const minus_names[] = {"lambda_minus_n", "lambda_minus_v", "lambda_minus_t"};
static const char *const plus_names[] = {"lambda_plus_n", "lambda_plus_v", "lambda_plus_t"};

/* stage -1: the left point. */
static SsFreezeSide
add_side (SsFreezePlan *p, const char *name, int n, int stage)
{
  SsFesd *t = &p->fesd;
  SsFreezeSide side = {{SS_NO_VARIABLE, SS_NO_VARIABLE, SS_NO_VARIABLE},
                       {SS_NO_VARIABLE, SS_NO_VARIABLE, SS_NO_VARIABLE},
                       {SS_NO_VARIABLE, SS_NO_VARIABLE, SS_NO_VARIABLE},
                       {SS_NO_VARIABLE, SS_NO_VARIABLE}};

  for (int i = 0; i < n; i++) {
    if (stage >= 0)
      side.alpha[i] = ss_fesd_add_variable (t, SS_ROLE_LIFTED, 0, name, alpha_names[i], stage);
    side.minus[i] = ss_fesd_add_variable (t, SS_ROLE_LIFTED, 0, name, minus_names[i], stage);
    side.plus[i] = ss_fesd_add_variable (t, SS_ROLE_LIFTED, 0, name, plus_names[i], stage);
  }
  if (stage >= 0 && t->options.lift) {
    side.theta[0] = ss_fesd_add_variable (t, SS_ROLE_LIFTED, 0, name, "theta_1", stage);
    if (n > SS_FREEZE_C3)
      side.theta[1] = ss_fesd_add_variable (t, SS_ROLE_LIFTED, 0, name, "theta_2", stage);
  }
  return side;
}

/* Running sums of products that the options ask for. */
static int
count_sums (const SsFreezePlan *p)
{
  int n = 0;

  switch (p->fesd.options.cross) {
  case SS_FESD_CROSS_INTERVAL_BY_COMPONENT:
  case SS_FESD_CROSS_HORIZON_BY_COMPONENT:
    for (int c = 0; c < p->fesd.n_contacts; c++)
      n += 2 * p->gaps[c].n;
    return n;
  case SS_FESD_CROSS_INTERVAL_ONE:
  case SS_FESD_CROSS_HORIZON_ONE:
    return p->fesd.n_contacts > 0;
  default:
    return 0;
  }
}

static void
add_variables (SsFreezePlan *p)
{
  SsFesd *t = &p->fesd;
  SsTranscription *base = &t->base;
  const size_t n = 3 * (size_t)base->scene->n_bodies, last = (size_t)(t->tableau.n - 1) * n;
  const bool lift = t->options.lift;

  ss_fesd_add_left_state (t);
  base->clock = ss_transcription_add_variable (base, "time", SS_ROLE_STATE, 0);
  p->tau = ss_transcription_add_variable (base, "tau", SS_ROLE_STATE, 0);
  base->n_states = base->n_variables;
  for (int j = 0; j < t->tableau.n; j++) {
    ss_fesd_add_state (t, j, t->stage_q + (size_t)j * n, t->stage_v + (size_t)j * n);
    p->t[j] =
        ss_transcription_add_variable (base, ss_transcription_name (base, "stage_%d.time", j + 1), SS_ROLE_LIFTED, 0);
    p->theta[j] = lift ? ss_transcription_add_variable (base, ss_transcription_name (base, "stage_%d.theta", j + 1),
                                                        SS_ROLE_LIFTED, 0)
                       : SS_NO_VARIABLE;
  }
  memcpy (t->end_q, t->stage_q + last, n * sizeof *t->end_q);
  memcpy (t->end_v, t->stage_v + last, n * sizeof *t->end_v);
  for (int c = 0; c < t->n_contacts; c++) {
    SsFreezeGap *gap = &p->gaps[c];
    const char *name = t->contacts[c].name;

    gap->n = t->contacts[c].has_friction ? 3 : 2;
    gap->left = add_side (p, name, gap->n, -1);
    for (int j = 0; j < t->tableau.n; j++)
      gap->stage[j] = add_side (p, name, gap->n, j);
  }
  ss_fesd_add_controls (t);
  p->speed = ss_transcription_add_variable (base, "s_k", SS_ROLE_CONTROL, 1);
  ss_fesd_add_horizon (t);
  ss_fesd_add_sums (t, count_sums (p));
}

/* ---- the law as expressions -------------------------------------------------------------------------------------- */

/* th, th_1, th_2 of all stages: variables, or what they are of alpha [001 (31b) (32) (33d)]. */
static void
set_thetas (SsFreezePlan *p)
{
  SsFesd *t = &p->fesd;
  SsGraph *g = t->base.graph;
  const SsExpr one = ss_fesd_number (t, 1), zero = ss_fesd_number (t, 0);

  p->s = ss_fesd_variable (t, p->speed, 0);
  p->thetas =
      ss_transcription_alloc (&t->base, 2 * (size_t)t->tableau.n * (size_t)t->n_contacts + 1, sizeof *p->thetas);
  for (int j = 0; p->thetas != NULL && j < t->tableau.n; j++) {
    p->theta_free[j] = p->theta[j] != SS_NO_VARIABLE ? ss_fesd_variable (t, p->theta[j], 0) : one;
    for (int c = 0; c < t->n_contacts; c++) {
      const SsFreezeSide *side = &p->gaps[c].stage[j];
      SsExpr *to = p->thetas + (j * t->n_contacts + c) * 2;
      SsExpr under = one;

      to[0] = to[1] = zero;
      for (int i = 0; i < 2; i++) {
        under = ss_expr_mul (g, under, ss_expr_sub (g, one, ss_fesd_variable (t, side->alpha[i], 0)));
        if (side->theta[i] != SS_NO_VARIABLE)
          to[i] = ss_fesd_variable (t, side->theta[i], 0);
      }
      if (t->options.lift)
        continue;
      p->theta_free[j] = ss_expr_mul (g, p->theta_free[j], ss_expr_sub (g, one, under));
      to[0] = under;
      if (p->gaps[c].n > SS_FREEZE_C3) {
        const SsExpr alpha = ss_fesd_variable (t, side->alpha[SS_FREEZE_C3], 0);

        to[0] = ss_expr_mul (g, under, alpha);
        to[1] = ss_expr_mul (g, under, ss_expr_sub (g, one, alpha));
      }
    }
  }
}

/* ---- channels of the trajectory ---------------------------------------------------------------------------------- */

static SsExpr
choose (SsGraph *g, SsExpr condition, SsExpr yes, SsExpr no)
{
  return ss_graph_if (g, condition, yes, no);
}

/* Whether the element is shown as frozen. */
static SsExpr
is_frozen (const SsFreezePlan *p)
{
  const SsFesd *t = &p->fesd;
  SsGraph *g = t->base.graph;

  return ss_graph_binary (g, SS_OP_LT, ss_expr_sub (g, t->end.t, t->base.motion[0].t),
                          ss_expr_scale (g, frozen_rate, ss_expr_mul (g, p->s, t->length)));
}

/* a_n times th_1 + th_2, or (is_normal false) mu (th_2 - th_1), at a stage. */
static SsExpr
push_of (const SsFreezePlan *p, int stage, int c, bool is_normal)
{
  const SsFesd *t = &p->fesd;
  SsGraph *g = t->base.graph;
  const SsExpr a_n = ss_transcription_number (&t->base, &p->a_n[c]), one = ss_freeze_plan_theta (p, stage, c, 0),
               two = ss_freeze_plan_theta (p, stage, c, 1);
  const SsContact *contact = &t->base.scene->contacts[t->contacts[c].contact];

  if (is_normal)
    return ss_expr_mul (g, a_n, ss_expr_add (g, one, two));
  return ss_expr_mul (g, a_n,
                      ss_expr_mul (g, ss_transcription_number (&t->base, &contact->mu), ss_expr_sub (g, two, one)));
}

/* Force of all gaps of the contact of gaps first..last at a stage: what pushes per numerical time over that of time
 * [001 (18b)]. */
static SsExpr
stage_force (SsFesd *t, int stage, int first, int last, bool is_normal)
{
  const SsFreezePlan *p = plan_of (t);
  SsGraph *g = t->base.graph;
  SsExpr sum = ss_fesd_number (t, 0);

  for (int c = first; c <= last; c++)
    sum = ss_expr_add (g, sum, push_of (p, stage, c, is_normal));
  const SsExpr theta = ss_graph_binary (g, SS_OP_MAX, p->theta_free[stage], ss_fesd_number (t, frozen_rate));
  return choose (g, is_frozen (p), ss_fesd_number (t, 0), ss_expr_div (g, sum, theta));
}

/* [001 (19)]. */
static SsExpr
impulse_of (const SsFreezePlan *p, int first, int last, bool is_normal)
{
  const SsFesd *t = &p->fesd;
  SsGraph *g = t->base.graph;
  SsExpr sum = ss_fesd_number (t, 0);

  for (int j = 0; j < t->tableau.n; j++)
    for (int c = first; c <= last; c++)
      sum = ss_expr_add (g, sum, ss_expr_scale (g, t->tableau.b[j], push_of (p, j, c, is_normal)));
  return choose (g, is_frozen (p), ss_expr_mul (g, sum, ss_expr_mul (g, p->s, t->length)), ss_fesd_number (t, 0));
}

/* As the integrator time-freezing names them. */
static void
add_named (SsFesd *t, SsFesdChannel *channels, const char *name, SsExpr left, SsExpr end)
{
  SsFesdChannel *channel = &channels[t->base.model->n_channels++];

  channel->left.about = ss_channel_named (name);
  channel->left.value = left;
  channel->end = end;
}

/* What the contacts do. */
static void
add_contact_channels (SsFreezePlan *p, SsFesdChannel *channels)
{
  SsFesd *t = &p->fesd;
  SsGraph *g = t->base.graph;
  const SsExpr zero = ss_fesd_number (t, 0);
  const int end = t->tableau.n - 1;

  for (int first = 0, last; first < t->n_contacts; first = last + 1) {
    const char *name = t->base.scene->contacts[t->contacts[first].contact].name;
    SsExpr gap[2] = {SS_EXPR_NONE, SS_EXPR_NONE};

    last = ss_fesd_last_gap (t, first);
    for (int c = first; c <= last; c++)
      for (int side = 0; side < 2; side++) {
        const SsExpr phi = ss_freeze_plan_switch (p, c, SS_FREEZE_C1, side == 0 ? &t->base.motion[0] : &t->end);
        gap[side] = c == first ? phi : ss_graph_binary (g, SS_OP_MIN, gap[side], phi);
      }
    for (int i = 0; i < 2; i++) {
      ss_fesd_add_channel (t, channels, name, SS_OWNER_CONTACT,
                           i == 0 ? SS_QUANTITY_NORMAL_FORCE : SS_QUANTITY_TANGENTIAL_FORCE,
                           stage_force (t, 0, first, last, i == 0), stage_force (t, end, first, last, i == 0));
      ss_fesd_add_channel (t, channels, name, SS_OWNER_CONTACT,
                           i == 0 ? SS_QUANTITY_NORMAL_IMPULSE : SS_QUANTITY_TANGENTIAL_IMPULSE, zero,
                           impulse_of (p, first, last, i == 0));
    }
    ss_fesd_add_channel (t, channels, name, SS_OWNER_CONTACT, SS_QUANTITY_GAP, gap[0], gap[1]);
  }
}

/* What the contacts do, then what is the method's own: speed of time, multipliers, switching functions, of the stages
 * next to the row. */
static void
add_channels (SsFesd *t, SsFesdChannel *channels)
{
  static const char *const alphas[] = {"n", "v", "t"};
  SsFreezePlan *p = plan_of (t);
  SsGraph *g = t->base.graph;
  const int end = t->tableau.n - 1;

  add_contact_channels (p, channels);
  add_named (t, channels, "speed", ss_expr_mul (g, p->s, p->theta_free[0]), ss_expr_mul (g, p->s, p->theta_free[end]));
  add_named (t, channels, "theta.free", p->theta_free[0], p->theta_free[end]);
  for (int first = 0; first < t->n_contacts; first = ss_fesd_last_gap (t, first) + 1) {
    const char *name = t->base.scene->contacts[t->contacts[first].contact].name;
    const SsFreezeGap *gap = &p->gaps[first];

    for (int i = 0; i < gap->n; i++)
      add_named (t, channels, ss_transcription_name (&t->base, "alpha.%s.%s", name, alphas[i]),
                 ss_fesd_variable (t, gap->stage[0].alpha[i], 0), ss_fesd_variable (t, gap->stage[end].alpha[i], 0));
    ss_fesd_add_channel (t, channels, name, SS_OWNER_CONTACT, SS_QUANTITY_GAP_RATE,
                         ss_freeze_plan_switch (p, first, SS_FREEZE_C2, &t->base.motion[0]),
                         ss_freeze_plan_switch (p, first, SS_FREEZE_C2, &t->end));
    if (gap->n > SS_FREEZE_C3)
      ss_fesd_add_channel (t, channels, name, SS_OWNER_CONTACT, SS_QUANTITY_SLIP,
                           ss_freeze_plan_switch (p, first, SS_FREEZE_C3, &t->base.motion[0]),
                           ss_freeze_plan_switch (p, first, SS_FREEZE_C3, &t->end));
  }
}

/* The clocks, and what is carried to the next left point. */
static void
set_end_values (SsFesd *t, SsExpr *end)
{
  const SsFreezePlan *p = plan_of (t);
  SsGraph *g = t->base.graph;
  const int last = t->tableau.n - 1;

  /* Time that stands still is told as exactly that: the row before is not later than the left point. */
  end[t->base.clock] = choose (g, is_frozen (p), t->base.motion[0].t, t->end.t);
  end[p->tau] = ss_expr_add (g, ss_fesd_variable (t, p->tau, 0), t->length);
  for (int c = 0; c < t->n_contacts; c++)
    for (int i = 0; i < p->gaps[c].n; i++) {
      end[p->gaps[c].left.minus[i]] = ss_fesd_variable (t, p->gaps[c].stage[last].minus[i], 0);
      end[p->gaps[c].left.plus[i]] = ss_fesd_variable (t, p->gaps[c].stage[last].plus[i], 0);
    }
}

static SsExpr
stage_weight (SsFesd *t, int stage)
{
  const SsFreezePlan *p = plan_of (t);
  SsGraph *g = t->base.graph;

  return ss_expr_scale (g, t->tableau.b[stage],
                        ss_expr_mul (g, ss_expr_mul (g, p->s, t->length), p->theta_free[stage]));
}

/* ---- the class --------------------------------------------------------------------------------------------------- */

static void
describe (SsFesd *t, SsChannel *about)
{
  ss_transcription_describe (&t->base, about, plan_of (t)->tau, SS_QUANTITY_NUMERICAL_TIME, "s", SS_OWNER_SCENE, "");
}

/* Times of the stages are variables. */
static void
set_motions (SsFesd *t)
{
  SsFreezePlan *p = plan_of (t);

  ss_fesd_set_motions (t);
  for (int j = 0; j < t->tableau.n; j++)
    t->stage[j].t = ss_fesd_variable (t, p->t[j], 0);
  t->end.t = t->stage[t->tableau.n - 1].t;
  set_thetas (p);
}

static SsStatus
add_rows (SsFesd *t, SsError *err)
{
  return ss_freeze_plan_add_rows (plan_of (t), err);
}

static SsStatus
write_plan (void *state, const SsInputNumbers *inputs, SsArena *arena, SsScenario *out, SsModel *model, SsError *err)
{
  static const SsFesdParts parts = {
      .describe = describe,
      .set_motions = set_motions,
      .set_end_values = set_end_values,
      .add_channels = add_channels,
      .stage_weight = stage_weight,
      .stage_force = stage_force,
      .add_rows = add_rows,
  };

  return ss_fesd_write (&((SsFreezePlan *)state)->fesd, &parts, inputs, arena, out, model, err);
}

static SsStatus
check_contacts (const SsFesd *t, SsError *err)
{
  if (t->n_loops > 0)
    return ss_error_set (err, SS_ERR_INVALID,
                         "the transcription time-freezing knows no loops of joints, and '%s' closes one",
                         t->base.scene->joints[t->loops[0].joint].name);
  if (t->n_limits > 0)
    return ss_error_set (err, SS_ERR_INVALID,
                         "the transcription time-freezing knows no limits of joints, and '%s' has some: write the "
                         "limits as path constraints",
                         t->contacts[t->n_contacts - 1].name);
  for (int c = 0; c < t->n_contacts; c++) {
    const SsContact *contact = &t->base.scene->contacts[t->contacts[c].contact];

    if (contact->restitution > 0)
      return ss_error_set (err, SS_ERR_INVALID,
                           "the transcription time-freezing knows no restitution, and that of the contact '%s' is %g: "
                           "use fesd-j",
                           contact->name, contact->restitution);
  }
  return SS_OK;
}

/* What of a solved plan counts as closed and as skew: solvers leave 1e-8 or less of equations. */
static const SsFreezeLimits limits = {.touch = 1e-6, .rest = 1e-6, .skew = 1e-6};

/* Points that are closed together at the start. */
static SsStatus
check_start (const SsScene *scene, SsError *err)
{
  const int n = 3 * scene->n_bodies;
  double *state = ss_new_array (double, 2 * (size_t)n + 1);
  char pair[200];
  int row;

  if (state == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int i = 0; i < n; i++) {
    const SsBody *body = &scene->bodies[i / 3];

    state[i] = body->q[i % 3];
    state[n + i] = body->is_fixed ? 0 : body->v[i % 3];
  }
  SsStatus status = ss_freeze_find_skew (scene, &limits, state, 1, &row, pair, sizeof pair, err);
  ss_free (state);
  if (status == SS_OK && row >= 0)
    status = ss_error_set (err, SS_ERR_INVALID,
                           "the transcription time-freezing needs contacts that are closed together to have "
                           "orthogonal normals in the kinetic metric; the normals of %s are not orthogonal at the "
                           "start: use fesd-j",
                           pair);
  return status;
}

/* A plan that closes skew normals together is no motion of this law, though it may be one of fesd-j. */
static SsStatus
judge_plan (const SsScene *scene, const SsTrajectory *plan, char *reason, size_t size, SsError *err)
{
  const size_t n = 6 * (size_t)scene->n_bodies, n_rows = (size_t)plan->n_rows;
  double *states = ss_new_array (double, n *n_rows + 1);
  char pair[200];
  int row;

  reason[0] = '\0';
  if (states == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int r = 0; r < plan->n_rows; r++)
    ss_freeze_plan_read_state (scene, plan, ss_trajectory_row (plan, r), states + n * (size_t)r,
                               states + n * (size_t)r + n / 2);
  SsStatus status = ss_freeze_find_skew (scene, &limits, states, plan->n_rows, &row, pair, sizeof pair, err);
  ss_free (states);
  if (status == SS_OK && row >= 0)
    snprintf (reason, size,
              "%s are closed together at t = %.4g s, and their normals are not orthogonal in the kinetic metric, "
              "as time-freezing wants them",
              pair, ss_trajectory_row (plan, row)[0]);
  return status;
}

/* Mean speed of the way to the targets [m/s]. */
static double
typical_speed (const SsFesd *t)
{
  const SsPlan *plan = t->base.plan;
  double way = 0;

  for (int i = 0; i < plan->n_targets; i++) {
    const SsBody *body = &t->base.scene->bodies[plan->targets[i].body];
    double square = 0;

    for (int k = 0; k < 2; k++)
      if (!isnan (plan->targets[i].value[k]))
        square += (plan->targets[i].value[k] - body->q[k]) * (plan->targets[i].value[k] - body->q[k]);
    way = fmax (way, sqrt (square));
  }
  return way / plan->horizon;
}

/* a_n of each gap; inverse masses are those of the bodies alone. */
static void
choose_a_n (SsFreezePlan *p)
{
  const SsFesd *t = &p->fesd;
  const SsScene *scene = t->base.scene;
  const double g = hypot (scene->gravity.x, scene->gravity.y),
               speed = typical_speed (t) * t->base.plan->steps / t->base.plan->horizon;

  for (int c = 0; c < t->n_contacts; c++) {
    const int bodies[2] = {t->contacts[c].body_a, t->contacts[c].body_b};
    double inverse = 0;

    for (int i = 0; i < 2; i++) {
      const SsBody *body = &scene->bodies[bodies[i]];
      inverse += body->is_fixed || (body->lock[0] && body->lock[1]) ? 0 : 1 / body->mass;
    }
    p->a_n[c] = t->options.a_n > 0 ? t->options.a_n : fmax (fmax (g, speed), 1e-3) / fmax (inverse, 1e-12);
  }
}

static SsStatus
open_plan (const SsScenario *source, const SsPlan *plan, const SsTranscribeOptions *options, void **state,
           int *n_variables, SsError *err)
{
  SsFreezePlan *p = ss_new (SsFreezePlan);
  SsFesd *t = p != NULL ? &p->fesd : NULL;

  *state = p;
  if (p == NULL)
    return SS_ERR_MEMORY;
  SsStatus status = ss_fesd_begin (t, source, plan, options, err);
  if (status == SS_OK && !t->tableau.ends_at_one)
    status = ss_error_set (err, SS_ERR_INVALID,
                           "the transcription time-freezing wants a scheme whose last stage is "
                           "the element's end: radau-iia or lobatto-iiic");
  if (status == SS_OK && t->options.speed == SS_FREEZE_GLOBAL && t->options.clock == SS_FREEZE_STAGEWISE &&
      t->options.grid == SS_FREEZE_NUMERICAL)
    status = ss_error_set (err, SS_ERR_INVALID,
                           "the transcription time-freezing with speed=global wants clock=terminal or grid=physical: "
                           "intervals in flight and in contact cannot take the same time at one speed");
  if (status == SS_OK)
    status = check_contacts (t, err);
  if (status == SS_OK)
    status = check_start (source->scene, err);
  if (status != SS_OK)
    return status;
  p->gaps = ss_transcription_alloc (&t->base, (size_t)t->n_contacts + 1, sizeof *p->gaps);
  p->a_n = ss_transcription_alloc (&t->base, (size_t)t->n_contacts + 1, sizeof *p->a_n);
  if (t->base.out_of_memory)
    return SS_ERR_MEMORY;
  choose_a_n (p);
  add_variables (p);
  *n_variables = t->base.n_variables;
  if (t->base.out_of_memory)
    return SS_ERR_MEMORY;
  return ss_transcription_check (&t->base, err);
}

SsStatus
ss_freeze_plan_a_n (const SsScenario *source, const SsTranscribeOptions *options, double *a_n, SsError *err)
{
  SS_ASSERT (source != NULL);

  SsPlan plan = *source->task.plan;
  void *state = NULL;
  int n_variables;
  SsStatus status = ss_transcribe_set_steps (options, &plan, err);

  for (int c = 0; c < source->scene->n_contacts; c++)
    a_n[c] = INFINITY;
  if (status == SS_OK)
    status = open_plan (source, &plan, options, &state, &n_variables, err);
  const SsFreezePlan *p = state;
  for (int c = status == SS_OK ? p->fesd.n_contacts - 1 : -1; c >= 0; c--)
    a_n[p->fesd.contacts[c].contact] = p->a_n[c];
  ss_fesd_close (state);
  return status;
}

/* Starts, a_n, and which faces and corners the gaps are of. */
static int
list_numbers (const void *state, SsTranscribeNumber *numbers)
{
  const SsFreezePlan *p = state;
  const SsFesd *t = &p->fesd;
  const int n = ss_fesd_list_numbers (t, numbers);

  for (int c = 0; c < t->n_contacts && numbers != NULL; c++)
    numbers[n + c] = (SsTranscribeNumber){&p->a_n[c], t->contacts[c].name, "a_n", false, false};
  return n + t->n_contacts;
}

static SsStatus
guess_plan (void *state, const SsTrajectory *start, double *x, SsError *err)
{
  return ss_freeze_plan_guess (state, start, x, err);
}

static bool
left_out (const SsScenario *source, const SsTranscribeOptions *options, char *text, size_t size)
{
  const SsFesdOptions *own = options->own;
  bool is_there = ss_transcription_left_out (source, options, text, size);

  if (own != NULL && own->cost == SS_FREEZE_IN_TAU) {
    const size_t used = is_there ? strlen (text) : 0;

    snprintf (text + used, size - used,
              "%scost=numerical counts the time of a contact 1/(dt/dtau) times, and frozen time too; the objective is "
              "not the task's in time",
              is_there ? "; " : "");
    is_there = true;
  }
  return is_there;
}

/* As the head of ss-freeze-plan.h has them; numbers are paper 001's. */
static const SsTranscriptionRow rows_told[] = {
    {"dynamics", "stages of an element of length h in numerical time τ, s the speed of time",
     "q′ = s θ v,   t′ = s θ,   v′ = s M⁻¹ (θ f(q, v, u, t) + Σ aₙ (θ₁ (n − μ t) + θ₂ (n + μ t)))",
     "q' = s \\theta v,\\quad t' = s \\theta,\\quad v' = s M^{-1} \\left(\\theta f(q, v, u, t) + \\sum a_n (\\theta_1 "
     "(n - \\mu t) + \\theta_2 (n + \\mu t))\\right)"},
    {"multipliers", "(32)", "θ = Π (α₁ + α₂ − α₁ α₂),   θ₁ = (1 − α₁)(1 − α₂) α₃,   θ₂ = (1 − α₁)(1 − α₂)(1 − α₃)",
     "\\theta = \\prod (\\alpha_1 + \\alpha_2 - \\alpha_1 \\alpha_2),\\quad \\theta_1 = (1 - \\alpha_1)(1 - \\alpha_2) "
     "\\alpha_3,\\quad \\theta_2 = (1 - \\alpha_1)(1 - \\alpha_2)(1 - \\alpha_3)"},
    {"multipliers", "step functions of the switches (31)", "c₁ = φ,   c₂ = nᵀv,   c₃ = tᵀv,   c = λ⁺ − λ⁻",
     "c_1 = \\varphi,\\quad c_2 = n^{T} v,\\quad c_3 = t^{T} v,\\quad c = \\lambda^{+} - \\lambda^{-}"},
    {"signs", NULL, "0 ≤ λ⁻, λ⁺,   0 ≤ α ≤ 1", "0 \\le \\lambda^{-}, \\lambda^{+},\\quad 0 \\le \\alpha \\le 1"},
    {"cross",
     "cross complementarity: λ at the end of the element before and at the stages, α at the stages; cross= says which "
     "sums are rows",
     "λ⁻ᵢ αⱼ = 0,   λ⁺ᵢ (1 − αⱼ) = 0 for all i, j",
     "\\lambda^{-}_i \\alpha_j = 0,\\quad \\lambda^{+}_i (1 - \\alpha_j) = 0\\ \\text{for all } i, j"},
    {"junction", "from one element to the next, also λ for the products", "x₀ = x_end", "x_0 = x_{\\mathrm{end}}"},
    {"length", NULL, "(1 − γ_h) h₀ ≤ h ≤ (1 + γ_h) h₀", "(1 - \\gamma_h) h_0 \\le h \\le (1 + \\gamma_h) h_0"},
    {"step equilibration",
     "where no mode changes between two elements their lengths are equal: rows with step-equilibration=direct, "
     "direct-homotopy and lifted, else a penalty",
     "ν_k (h_k − h_{k−1}) = 0", "\\nu_k (h_k - h_{k-1}) = 0"},
    {"speed", "the speed of time is a control (33)", "1 ≤ s ≤ s_max", "1 \\le s \\le s_{\\max}"},
    {"clock", "physical time at the ends of control intervals", "t(τ_k) = k T/N", "t(\\tau_k) = k\\, T / N"},
};

const SsTranscriptionClass ss_transcription_time_freezing = {
    .name = "time-freezing",
    .label = "Time-Freezing",
    .summary = "Finite elements in numerical time: impacts are spans in which time stands still and velocities turn.",
    .options = &ss_fesd_option_table,
    .rows = rows_told,
    .n_rows = sizeof rows_told / sizeof *rows_told,
    .law = {&ss_integrator_fesd_j, NULL},
    .wants_bounds = true,
    .replay_step = ss_fesd_replay_step,
    .judge = judge_plan,
    .open = open_plan,
    .close = ss_fesd_close,
    .list = list_numbers,
    .write = write_plan,
    .guess = guess_plan,
    .left_out = left_out,
};
