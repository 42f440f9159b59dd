/* engine/transcribe/ss-freeze-plan-rows.c: the equations of elements in numerical time, their products, bounds, costs;
 * see ss-freeze-plan.h. */
#include "transcribe/ss-freeze-plan-private.h"

#include <math.h>
#include <stdio.h>

static const char *const switch_names[] = {"gap", "closing", "slip"};

/* ---- the law as expressions -------------------------------------------------------------------------------------- */

/* c_1, c_2 or c_3 [001 (14) (25a)-(25c)]. */
SsExpr
ss_freeze_plan_switch (const SsFreezePlan *p, int contact, int i, const SsMotionExpr *motion)
{
  SS_ASSERT (p != NULL);

  const SsFesdContact *of = &p->fesd.contacts[contact];
  const SsGapExpr gap = ss_fesd_gap (&p->fesd, of, motion);

  return i == SS_FREEZE_C1 ? gap.phi : ss_fesd_speed (&p->fesd, of, &gap, motion, i == SS_FREEZE_C2);
}

SsExpr
ss_freeze_plan_theta (const SsFreezePlan *p, int stage, int contact, int i)
{
  SS_ASSERT (p != NULL);
  return p->thetas[(stage * p->fesd.n_contacts + contact) * 2 + i];
}

/* ---- short names ------------------------------------------------------------------------------------------------- */

static void
open_block (SsFreezePlan *p, const char *name, int first, int last, int stride)
{
  ss_transcription_open_block (&p->fesd.base, name, first, last, stride);
}

static void
close_block (SsFreezePlan *p)
{
  ss_transcription_close_block (&p->fesd.base);
}

static void
equal (SsFreezePlan *p, SsExpr row, const char *owner, const char *what)
{
  ss_fesd_equal (&p->fesd, row, owner, what);
}

static void
at_least (SsFreezePlan *p, SsExpr row, const char *owner, const char *what)
{
  ss_fesd_at_least (&p->fesd, row, owner, what);
}

static SsExpr
number (const SsFreezePlan *p, double value)
{
  return ss_fesd_number (&p->fesd, value);
}

static SsExpr
var (const SsFreezePlan *p, int variable)
{
  return ss_fesd_variable (&p->fesd, variable, 0);
}

static SsExpr
next (const SsFreezePlan *p, int variable)
{
  return ss_fesd_variable (&p->fesd, variable, 1);
}

static SsExpr
add (const SsFreezePlan *p, SsExpr a, SsExpr b)
{
  return ss_expr_add (p->fesd.base.graph, a, b);
}

static SsExpr
sub (const SsFreezePlan *p, SsExpr a, SsExpr b)
{
  return ss_expr_sub (p->fesd.base.graph, a, b);
}

static SsExpr
mul (const SsFreezePlan *p, SsExpr a, SsExpr b)
{
  return ss_expr_mul (p->fesd.base.graph, a, b);
}

/* The next point's variable is what stands here. */
static void
carry (SsFreezePlan *p, int variable, SsExpr value, const char *owner, const char *what)
{
  if (variable != SS_NO_VARIABLE)
    equal (p, sub (p, next (p, variable), value), owner, what);
}

static const char *
owner_of (const SsFreezePlan *p, int i)
{
  return ss_transcription_slot_owner (&p->fesd.base, i);
}

static const char *
name_of (const SsFreezePlan *p, int i, bool is_rate)
{
  return ss_transcription_slot_name (&p->fesd.base, i, is_rate);
}

/* ---- an element -------------------------------------------------------------------------------------------------- */

/* sum_k (A^-1)_stage,k (x_k - left). */
static SsExpr
combine (const SsFreezePlan *p, int stage, SsExpr left, const SsExpr *at_stages)
{
  const SsFesd *t = &p->fesd;
  SsExpr sum = number (p, 0);

  for (int k = 0; k < t->tableau.n; k++)
    sum = add (p, sum, ss_expr_scale (t->base.graph, t->rate[stage][k], sub (p, at_stages[k], left)));
  return sum;
}

/* f becomes th f [001 (6)] + a_n sum_l (th_1 (n - mu t) + th_2 (n + mu t)) [001 (16) (24)]. */
static void
freeze_forces (const SsFreezePlan *p, int stage, SsExpr *f)
{
  const SsFesd *t = &p->fesd;
  SsGraph *g = t->base.graph;
  const SsMotionExpr *m = &t->stage[stage];

  for (int i = 0; i < 3 * t->base.scene->n_bodies; i++)
    f[i] = mul (p, p->theta_free[stage], f[i]);
  for (int c = 0; c < t->n_contacts; c++) {
    const SsFesdContact *contact = &t->contacts[c];
    const SsGapExpr gap = ss_fesd_gap (t, contact, m);
    const SsExpr a_n = ss_transcription_number (&t->base, &p->a_n[c]), one = ss_freeze_plan_theta (p, stage, c, 0),
                 two = ss_freeze_plan_theta (p, stage, c, 1);
    SsVec2Expr force = ss_vec2_expr_scale (g, mul (p, a_n, add (p, one, two)), gap.normal);

    if (contact->has_friction) {
      const SsVec2Expr tangent = {gap.normal.y, ss_expr_neg (g, gap.normal.x)};
      const SsExpr mu = ss_transcription_number (&t->base, &t->base.scene->contacts[contact->contact].mu);

      force =
          ss_vec2_expr_add (g, force, ss_vec2_expr_scale (g, mul (p, mul (p, a_n, mu), sub (p, two, one)), tangent));
    }
    ss_dynamics_expr_push_at (m, contact->body_b, gap.point_b, force, f);
    force = (SsVec2Expr){ss_expr_neg (g, force.x), ss_expr_neg (g, force.y)};
    ss_dynamics_expr_push_at (m, contact->body_a, gap.point_a, force, f);
  }
}

/* y' = s F theta [001 (15) (31a) (33c) (35d)]. */
static SsStatus
add_stage_rows (SsFreezePlan *p, int stage, SsExpr *f, SsError *err)
{
  SsFesd *t = &p->fesd;
  const int n = 3 * t->base.scene->n_bodies;
  const SsMotionExpr *m = &t->stage[stage];
  const SsCoordinatesExpr *left = &t->left_at[0], *at_stage = &t->stage_at[stage];
  const SsExpr pace = mul (p, p->s, t->length), run = mul (p, pace, p->theta_free[stage]);
  SsExpr at[SS_TABLEAU_STAGES_MAX];
  SsExpr *d = ss_transcription_alloc (&t->base, 2 * (size_t)n, sizeof *d), *change = d + n;
  SsStatus status = d != NULL ? ss_dynamics_expr_forces (m, f, err) : SS_ERR_MEMORY;

  if (status != SS_OK)
    return status;
  freeze_forces (p, stage, f);
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < t->tableau.n; k++)
      at[k] = t->stage_at[k].v[i];
    d[i] = t->base.v[i] != SS_NO_VARIABLE ? combine (p, stage, left->v[i], at) : number (p, 0);
  }
  /* joints turn with the poses, which move while time runs */
  ss_transcription_changes (&t->base, at_stage, m->q, m->v, d, run, change);
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < t->tableau.n; k++)
      at[k] = t->stage_at[k].q[i];
    if (t->base.q[i] != SS_NO_VARIABLE)
      equal (p, sub (p, combine (p, stage, left->q[i], at), mul (p, run, at_stage->v[i])), owner_of (p, i),
             name_of (p, i, false));
    if (t->base.v[i] != SS_NO_VARIABLE)
      equal (p, ss_transcription_slot_balance (&t->base, at_stage, i, m->q, change, f, pace), owner_of (p, i),
             name_of (p, i, true));
  }
  for (int k = 0; k < t->tableau.n; k++)
    at[k] = t->stage[k].t;
  equal (p, sub (p, combine (p, stage, t->base.motion[0].t, at), run), "time", "stage");
  return SS_OK;
}

/* th, th_1, th_2 of a stage where they are variables [001 (31b) (32) (33d)]. */
static void
add_theta_rows (SsFreezePlan *p, int stage)
{
  const SsFesd *t = &p->fesd;
  const SsExpr one = number (p, 1);
  SsExpr product = one;

  if (!t->options.lift)
    return;
  for (int c = 0; c < t->n_contacts; c++) {
    const SsFreezeSide *side = &p->gaps[c].stage[stage];
    const SsExpr under = mul (p, sub (p, one, var (p, side->alpha[0])), sub (p, one, var (p, side->alpha[1])));

    product = mul (p, product, sub (p, one, under));
    if (p->gaps[c].n <= SS_FREEZE_C3) {
      equal (p, sub (p, var (p, side->theta[0]), under), t->contacts[c].name, "theta");
      continue;
    }
    const SsExpr alpha = var (p, side->alpha[SS_FREEZE_C3]);
    equal (p, sub (p, var (p, side->theta[0]), mul (p, under, alpha)), t->contacts[c].name, "theta forward");
    equal (p, sub (p, var (p, side->theta[1]), mul (p, under, sub (p, one, alpha))), t->contacts[c].name, "theta back");
  }
  equal (p, sub (p, var (p, p->theta[stage]), product), "theta", "free");
}

/* The law, and c = lambda+ - lambda- [001 (31c) (33e)]. */
static SsStatus
add_elements (SsFreezePlan *p, SsError *err)
{
  SsFesd *t = &p->fesd;
  SsExpr *f = ss_new_array (SsExpr, 3 * (size_t)t->base.scene->n_bodies + 1);
  SsStatus status = f != NULL ? SS_OK : SS_ERR_MEMORY;

  open_block (p, "dynamics", 0, t->n_points - 1, 1);
  for (int j = 0; j < t->tableau.n && status == SS_OK; j++)
    status = add_stage_rows (p, j, f, err);
  close_block (p);
  ss_free (f);
  if (status != SS_OK)
    return status;
  open_block (p, "multipliers", 0, t->n_points - 1, 1);
  for (int j = 0; j < t->tableau.n; j++) {
    add_theta_rows (p, j);
    for (int c = 0; c < t->n_contacts; c++)
      for (int i = 0; i < p->gaps[c].n; i++) {
        const SsFreezeSide *side = &p->gaps[c].stage[j];
        const SsExpr parts = sub (p, var (p, side->plus[i]), var (p, side->minus[i]));

        equal (p, sub (p, ss_freeze_plan_switch (p, c, i, &t->stage[j]), parts), t->contacts[c].name, switch_names[i]);
      }
  }
  close_block (p);
  return SS_OK;
}

/* ---- points ------------------------------------------------------------------------------------------------------ */

/* [001 (33b) (35b)], and lambda there. */
static void
add_start (SsFreezePlan *p)
{
  SsFesd *t = &p->fesd;
  SsGraph *g = t->base.graph;
  const SsMotionExpr *m = &t->base.motion[0];
  const SsExpr zero = number (p, 0);

  open_block (p, "start", 0, 0, 1);
  for (int i = 0; i < 3 * t->base.scene->n_bodies; i++) {
    const double *start = t->start + 6 * (i / 3) + i % 3;

    if (t->base.q[i] != SS_NO_VARIABLE)
      equal (p, sub (p, t->left_at[0].q[i], ss_transcription_number (&t->base, start)), owner_of (p, i),
             name_of (p, i, false));
    if (t->base.v[i] != SS_NO_VARIABLE)
      equal (p, sub (p, t->left_at[0].v[i], ss_transcription_number (&t->base, start + 3)), owner_of (p, i),
             name_of (p, i, true));
  }
  equal (p, var (p, t->base.clock), "time", "start");
  equal (p, var (p, p->tau), "tau", "start");
  for (int c = 0; c < t->n_contacts; c++)
    for (int i = 0; i < p->gaps[c].n; i++) {
      const SsFreezeSide *left = &p->gaps[c].left;
      const SsExpr value = ss_freeze_plan_switch (p, c, i, m);

      equal (p, sub (p, var (p, left->minus[i]), ss_graph_binary (g, SS_OP_MAX, ss_expr_neg (g, value), zero)),
             t->contacts[c].name, switch_names[i]);
      equal (p, sub (p, var (p, left->plus[i]), ss_graph_binary (g, SS_OP_MAX, value, zero)), t->contacts[c].name,
             switch_names[i]);
    }
  close_block (p);
}

/* [001 (35c)]. */
static void
add_junctions (SsFreezePlan *p)
{
  SsFesd *t = &p->fesd;
  const int last = t->tableau.n - 1;

  open_block (p, "junction", 0, t->n_points - 1, 1);
  for (int i = 0; i < 3 * t->base.scene->n_bodies; i++) {
    carry (p, t->base.q[i], t->end_at.q[i], owner_of (p, i), name_of (p, i, false));
    carry (p, t->base.v[i], t->end_at.v[i], owner_of (p, i), name_of (p, i, true));
  }
  carry (p, t->base.clock, t->end.t, "time", "step");
  carry (p, p->tau, add (p, var (p, p->tau), t->length), "tau", "step");
  for (int c = 0; c < t->n_contacts; c++)
    for (int i = 0; i < p->gaps[c].n; i++) {
      const SsFreezeGap *gap = &p->gaps[c];

      carry (p, gap->left.minus[i], var (p, gap->stage[last].minus[i]), t->contacts[c].name, switch_names[i]);
      carry (p, gap->left.plus[i], var (p, gap->stage[last].plus[i]), t->contacts[c].name, switch_names[i]);
    }
  close_block (p);
}

/* The last point has no element: its stages stand where the last element ends, the rest repeats. */
static void
add_end_point (SsFreezePlan *p)
{
  SsFesd *t = &p->fesd;
  const int n = 3 * t->base.scene->n_bodies, last = t->tableau.n - 1;

  open_block (p, "end", t->n_points - 1, t->n_points - 1, 1);
  for (int j = 0; j <= last; j++) {
    for (int i = 0; i < n; i++) {
      carry (p, t->stage_q[j * n + i], t->end_at.q[i], owner_of (p, i), "end");
      carry (p, t->stage_v[j * n + i], t->end_at.v[i], owner_of (p, i), "end");
    }
    carry (p, p->t[j], t->end.t, "time", "end");
    if (p->theta[j] != SS_NO_VARIABLE)
      carry (p, p->theta[j], var (p, p->theta[last]), "theta", "end");
    for (int c = 0; c < t->n_contacts; c++) {
      const SsFreezeSide *to = &p->gaps[c].stage[j], *from = &p->gaps[c].stage[last];

      for (int i = 0; i < p->gaps[c].n; i++) {
        carry (p, to->alpha[i], var (p, from->alpha[i]), t->contacts[c].name, "end");
        carry (p, to->minus[i], var (p, from->minus[i]), t->contacts[c].name, "end");
        carry (p, to->plus[i], var (p, from->plus[i]), t->contacts[c].name, "end");
        if (i < 2 && to->theta[i] != SS_NO_VARIABLE)
          carry (p, to->theta[i], var (p, from->theta[i]), t->contacts[c].name, "end");
      }
    }
  }
  for (int a = 0; a < t->base.scene->n_actuators; a++)
    carry (p, t->base.u[a], var (p, t->base.u[a]), "u", "repeats");
  carry (p, t->base.h, t->length, "h", "repeats");
  carry (p, p->speed, p->s, "speed", "repeats");
  carry (p, t->eta, number (p, 0), "eta", "end");
  close_block (p);
}

/* ---- intervals --------------------------------------------------------------------------------------------------- */

static void
add_hold (SsFreezePlan *p)
{
  SsFesd *t = &p->fesd;
  const int n = t->options.elements, end = t->n_points;

  for (int j = 0; j < n; j++) {
    const bool is_last = j == n - 1;

    open_block (p, "hold", j, end - n + j - (is_last ? n : 0), n);
    for (int a = 0; a < t->base.scene->n_actuators && !is_last; a++)
      carry (p, t->base.u[a], var (p, t->base.u[a]), t->base.scene->actuators[a].name, "hold");
    if (!is_last || t->options.speed == SS_FREEZE_GLOBAL)
      carry (p, p->speed, p->s, "speed", "hold");
    close_block (p);
  }
}

/* t = T at the end [001 (33j)], or t = k T / N [001 (35f)]. */
static void
add_clocks (SsFreezePlan *p)
{
  SsFesd *t = &p->fesd;
  SsGraph *g = t->base.graph;
  const int n = t->options.elements, end = t->n_points;
  const SsExpr share = mul (p, ss_graph_input (g, t->base.model->slot_k), t->mean);
  const int first = t->options.clock == SS_FREEZE_STAGEWISE ? n : end;

  open_block (p, "clock", first, end, n);
  equal (p, sub (p, var (p, t->base.clock), share), "time", "interval");
  close_block (p);
  open_block (p, "interval", n, end, n);
  if (t->options.grid == SS_FREEZE_NUMERICAL)
    equal (p, sub (p, var (p, p->tau), share), "tau", "interval");
  close_block (p);
  if (t->horizon == SS_NO_VARIABLE)
    return;
  open_block (p, "horizon", 0, end - 1, 1);
  carry (p, t->horizon, var (p, t->horizon), "horizon", "common");
  close_block (p);
  open_block (p, "horizon bounds", 0, 0, 1);
  ss_transcription_add_bounds (&t->base, var (p, t->horizon), &t->base.plan->time_lower, &t->base.plan->time_upper,
                               "horizon");
  close_block (p);
}

/* Of elements; 1 <= s <= s-max [001 (35g)]. */
static void
add_lengths (SsFreezePlan *p)
{
  SsFesd *t = &p->fesd;
  SsGraph *g = t->base.graph;
  const int n = t->options.elements, end = t->n_points;
  const bool is_free = t->options.grid == SS_FREEZE_FREE_GRID;
  const double low = 1 - t->options.gamma_h, high = (1 + t->options.gamma_h) * (is_free ? t->options.s_max : 1);

  open_block (p, "length", 0, end - 1, 1);
  if (low == high)
    equal (p, sub (p, t->length, t->mean), "h", "fixed");
  else {
    at_least (p, sub (p, t->length, ss_expr_scale (g, low, t->mean)), "h", "lower");
    at_least (p, sub (p, ss_expr_scale (g, high, t->mean), t->length), "h", "upper");
  }
  close_block (p);
  open_block (p, "speed", 0, is_free || t->options.speed == SS_FREEZE_INTERVAL ? end - n : 0, n);
  if (is_free)
    equal (p, sub (p, p->s, number (p, 1)), "speed", "fixed");
  else {
    at_least (p, sub (p, p->s, number (p, 1)), "speed", "lower");
    at_least (p, sub (p, number (p, t->options.s_max), p->s), "speed", "upper");
  }
  close_block (p);
}

/* ---- signs and products ------------------------------------------------------------------------------------------ */

/* [001 (31d)-(31e) (33f)-(33g) (35e)]; so are the products. */
static void
add_signs (SsFreezePlan *p)
{
  SsFesd *t = &p->fesd;

  open_block (p, "signs", 0, t->n_points - 1, 1);
  for (int j = 0; j < t->tableau.n; j++)
    for (int c = 0; c < t->n_contacts; c++)
      for (int i = 0; i < p->gaps[c].n; i++) {
        const SsFreezeSide *side = &p->gaps[c].stage[j];

        at_least (p, var (p, side->alpha[i]), t->contacts[c].name, "alpha");
        at_least (p, sub (p, number (p, 1), var (p, side->alpha[i])), t->contacts[c].name, "1 - alpha");
        at_least (p, var (p, side->minus[i]), t->contacts[c].name, "lambda-");
        at_least (p, var (p, side->plus[i]), t->contacts[c].name, "lambda+");
      }
  close_block (p);
}

/* lambda- against alpha (is_plus: lambda+ against 1 - alpha) of a switching function in the element of the point
 * [001 (31d)-(31e) (33f)-(33g) (35e)]. */
static SsFesdComponent
component_of (const SsFreezePlan *p, int c, int i, bool is_plus)
{
  const SsFesd *t = &p->fesd;
  const SsFreezeGap *gap = &p->gaps[c];
  SsFesdComponent component = {.kind = i, .owner = t->contacts[c].name, .what = switch_names[i]};

  component.c[component.n_c++] = var (p, is_plus ? gap->left.plus[i] : gap->left.minus[i]);
  for (int j = 0; j < t->tableau.n; j++) {
    const SsExpr alpha = var (p, gap->stage[j].alpha[i]);

    component.c[component.n_c++] = var (p, is_plus ? gap->stage[j].plus[i] : gap->stage[j].minus[i]);
    component.d[component.n_d++] = is_plus ? sub (p, number (p, 1), alpha) : alpha;
  }
  return component;
}

static void
add_products (SsFreezePlan *p)
{
  SsFesd *t = &p->fesd;
  SsFesdComponent *list =
      ss_transcription_alloc (&t->base, 2 * SS_FREEZE_FUNCTIONS * (size_t)t->n_contacts + 1, sizeof *list);
  int n = 0;

  if (list == NULL)
    return;
  for (int c = 0; c < t->n_contacts; c++)
    for (int i = 0; i < 2 * p->gaps[c].n; i++)
      list[n++] = component_of (p, c, i / 2, i % 2 == 1);
  ss_fesd_add_products (t, list, n);
}

/* Sum over the stages of this element or the next. */
static SsExpr
sum_of (const SsFreezePlan *p, const SsFreezeGap *gap, int i, int which, int shift)
{
  SsExpr sum = number (p, 0);

  for (int j = 0; j < p->fesd.tableau.n; j++) {
    const SsFreezeSide *side = &gap->stage[j];
    const int variables[] = {side->minus[i], side->alpha[i], side->plus[i], side->alpha[i]};
    const SsExpr value = ss_fesd_variable (&p->fesd, variables[which], shift);

    sum = add (p, sum, which == 3 ? sub (p, number (p, 1), value) : value);
  }
  return sum;
}

/* The indicator of the grid point between this element and the next: product over the pairs of the sums' products. */
static SsExpr
indicator (const SsFreezePlan *p)
{
  SsExpr eta = number (p, 1);

  for (int c = 0; c < p->fesd.n_contacts; c++)
    for (int i = 0; i < p->gaps[c].n; i++)
      for (int pair = 0; pair < 4; pair += 2) {
        SsExpr nu = number (p, 0);

        for (int k = pair; k < pair + 2; k++)
          nu = add (p, nu, mul (p, sum_of (p, &p->gaps[c], i, k, 0), sum_of (p, &p->gaps[c], i, k, 1)));
        eta = mul (p, eta, nu);
      }
  return eta;
}

/* ---- the task ---------------------------------------------------------------------------------------------------- */

/* What holds at a stage: itself, or where time runs. */
static SsExpr
where_time_runs (const SsFreezePlan *p, int stage, SsExpr row)
{
  return p->fesd.options.frozen_path ? row : mul (p, p->theta_free[stage], row);
}

static void
add_bounds (SsFreezePlan *p)
{
  SsFesd *t = &p->fesd;
  const SsScene *scene = t->base.scene;
  const SsPlan *plan = t->base.plan;

  open_block (p, "bounds", 0, t->n_points - 1, 1);
  for (int j = 0; j < t->tableau.n; j++)
    for (int i = 0; i < plan->n_bounds; i++)
      for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
        const SsPlanBound *bound = &plan->bounds[i];
        const double *ends[2] = {&bound->lower[c], &bound->upper[c]};
        SsExpr value;

        if (!ss_transcription_find_coordinate (&t->base, &t->stage[j], bound->body, c, &value))
          continue;
        if (c < 3 || t->options.frozen_path) {
          ss_transcription_add_bounds (&t->base, value, ends[0], ends[1], scene->bodies[bound->body].name);
          continue;
        }
        for (int side = 0; side < 2; side++) {
          const SsExpr end = ss_transcription_number (&t->base, ends[side]);

          if (isfinite (*ends[side]))
            at_least (p, where_time_runs (p, j, side == 0 ? sub (p, value, end) : sub (p, end, value)),
                      scene->bodies[bound->body].name, side == 0 ? "lower" : "upper");
        }
      }
  close_block (p);
  open_block (p, "controls", 0, t->n_points - t->options.elements, t->options.elements);
  for (int a = 0; a < scene->n_actuators; a++)
    ss_transcription_add_bounds (&t->base, var (p, t->base.u[a]), &scene->actuators[a].lower,
                                 &scene->actuators[a].upper, scene->actuators[a].name);
  close_block (p);
}

/* [001 (33h) (35h)]. */
static void
add_constraints (SsFreezePlan *p)
{
  SsFesd *t = &p->fesd;
  const int last_stage = t->tableau.n - 1;

  for (int i = 0; i < t->base.plan->n_constraints; i++) {
    const SsPlanConstraint *constraint = &t->base.plan->constraints[i];
    const bool is_last = constraint->points == SS_PLAN_LAST;
    const int last = t->n_points - (constraint->points == SS_PLAN_INTERIOR ? 2 : 1);
    char where[48];

    open_block (p, constraint->name, is_last ? last : 0, last, 1);
    for (int j = t->options.path == SS_FESD_STAGES && !is_last ? 0 : last_stage; j <= last_stage; j++) {
      const SsExpr row = ss_dynamics_expr_formula (&t->stage[j], constraint->row);

      snprintf (where, sizeof where, "%d stage %d", i, j + 1);
      ss_transcription_add_row (&t->base, constraint->kind, is_last ? row : where_time_runs (p, j, row), "row", where);
    }
    close_block (p);
  }
}

/* [001 (29) (33a) (35a)]. */
static void
add_costs (SsFreezePlan *p)
{
  SsFesd *t = &p->fesd;
  const SsPlan *plan = t->base.plan;
  SsGraph *g = t->base.graph;
  const int end = t->n_points, n = t->options.elements;
  const bool in_tau = t->options.cost == SS_FREEZE_IN_TAU;
  const SsExpr pace = mul (p, p->s, t->length), elapsed = sub (p, t->end.t, t->base.motion[0].t);

  for (int a = 0; a < t->base.scene->n_actuators; a++) {
    const SsExpr u = var (p, t->base.u[a]), change = sub (p, next (p, t->base.u[a]), u);

    if (plan->effort != NULL && plan->effort[a] > 0)
      ss_transcription_add_cost (&t->base, "effort", 0, end - 1, 1, false,
                                 mul (p, ss_transcription_number (&t->base, &plan->effort[a]),
                                      mul (p, in_tau ? pace : elapsed, mul (p, u, u))));
    if (plan->effort_rate > 0)
      ss_transcription_add_cost (
          &t->base, "effort_rate", n - 1, end - n - 1, n, false,
          mul (p, ss_transcription_number (&t->base, &plan->effort_rate), mul (p, change, change)));
  }
  for (int i = 0; i < plan->n_costs; i++) {
    SsExpr sum = number (p, 0);

    if (plan->costs[i].points == SS_PLAN_LAST) {
      ss_transcription_add_cost (&t->base, "cost", end, end, 1, false,
                                 ss_dynamics_expr_formula (&t->base.motion[0], plan->costs[i].cost));
      continue;
    }
    for (int j = 0; j < t->tableau.n; j++) {
      const SsExpr cost = ss_dynamics_expr_formula (&t->stage[j], plan->costs[i].cost);

      sum = add (p, sum, ss_expr_scale (g, t->tableau.b[j], in_tau ? cost : mul (p, p->theta_free[j], cost)));
    }
    ss_transcription_add_cost (&t->base, "cost", 0, end - 1, 1, false, mul (p, pace, sum));
  }
  if (t->horizon != SS_NO_VARIABLE && plan->time_weight != 0)
    ss_transcription_add_cost (&t->base, "time", 0, end - 1, 1, false,
                               mul (p, ss_transcription_number (&t->base, &plan->time_weight), elapsed));
  if (t->options.rho_s > 0) {
    const SsExpr fast = sub (p, p->s, number (p, 1));

    ss_transcription_add_cost (&t->base, "speed", 0, end - n, n, true,
                               mul (p, number (p, t->options.rho_s), mul (p, fast, fast)));
  }
}

SsStatus
ss_freeze_plan_add_rows (SsFreezePlan *p, SsError *err)
{
  SS_ASSERT (p != NULL);

  SsFesd *t = &p->fesd;

  add_start (p);
  SsStatus status = add_elements (p, err);
  if (status != SS_OK)
    return status;
  add_junctions (p);
  add_end_point (p);
  add_hold (p);
  add_clocks (p);
  add_lengths (p);
  add_signs (p);
  add_products (p);
  add_bounds (p);
  ss_transcription_add_targets (&t->base, t->n_points, NULL);
  add_constraints (p);
  add_costs (p);
  ss_fesd_equilibrate (t, indicator (p));
  ss_transcription_keep_lists (&t->base);
  return t->base.out_of_memory ? SS_ERR_MEMORY : SS_OK;
}
