/* engine/transcribe/ss-fesd-j-rows.c: the equations of the elements and of the jumps between them, bounds, costs; see
 * ss-fesd-j.h. */
#include "transcribe/ss-fesd-j-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Upper bound of gamma, which is free without load [m/s] (problem text, sec. 2.1). */
static const double gamma_max = 1e3;

/* ---- short names ------------------------------------------------------------------------------------------------- */

static void
open_block (SsFesd *t, const char *name, int first, int last, int stride)
{
  ss_transcription_open_block (&t->base, name, first, last, stride);
}

static void
close_block (SsFesd *t)
{
  ss_transcription_close_block (&t->base);
}

void
ss_fesd_equal (SsFesd *t, SsExpr row, const char *owner, const char *what)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);
  ss_transcription_add_row (&t->base, SS_ROWS_EQUALITY, row, owner, what);
}

void
ss_fesd_at_least (SsFesd *t, SsExpr row, const char *owner, const char *what)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);
  ss_transcription_add_row (&t->base, SS_ROWS_NONNEGATIVE, row, owner, what);
}

static SsExpr
var (const SsFesd *t, int variable)
{
  return ss_fesd_variable (t, variable, 0);
}

static SsExpr
sub (const SsFesd *t, SsExpr a, SsExpr b)
{
  return ss_expr_sub (t->base.graph, a, b);
}

static SsExpr
mul (const SsFesd *t, SsExpr a, SsExpr b)
{
  return ss_expr_mul (t->base.graph, a, b);
}

static const char *
slot_owner (const SsFesd *t, int i)
{
  return ss_transcription_slot_owner (&t->base, i);
}

static const char *
q_name (const SsFesd *t, int i)
{
  return ss_transcription_slot_name (&t->base, i, false);
}

static const char *
v_name (const SsFesd *t, int i)
{
  return ss_transcription_slot_name (&t->base, i, true);
}

/* ---- an element -------------------------------------------------------------------------------------------------- */

/* sum_k weight_k (x_k - x_0) of a coordinate with variables of the stages. */
static SsExpr
combine (const SsFesd *t, const double *weights, SsExpr left, const int *stages, int i)
{
  const int n = 3 * t->base.scene->n_bodies;
  SsExpr sum = ss_fesd_number (t, 0);

  for (int k = 0; k < t->tableau.n; k++)
    sum = ss_expr_add (t->base.graph, sum,
                       ss_expr_scale (t->base.graph, weights[k], sub (t, var (t, stages[k * n + i]), left)));
  return sum;
}

/* Tangential force of a side: a_1 - a_2, or lambda_t; its variables at the point or the next one. */
static SsExpr
tangential (const SsFesd *t, const SsFesdSide *side, int shift)
{
  SsExpr first = ss_fesd_variable (t, side->force_1, shift);

  return side->force_2 == SS_NO_VARIABLE ? first : sub (t, first, ss_fesd_variable (t, side->force_2, shift));
}

/* f += what the forces (or impulses) of all contacts do at a motion [000 (1b) (17a)]; stage -1: impulses of the left
 * point. */
void
ss_fesd_push_contacts (const SsFesd *t, const SsMotionExpr *motion, int stage, int shift, SsExpr *f)
{
  SsGraph *g = t->base.graph;

  for (int c = 0; c < t->n_contacts; c++) {
    const SsFesdContact *contact = &t->contacts[c];
    const SsFesdSide *side = stage < 0 ? &contact->left : &contact->stage[stage];

    if (ss_fesd_is_limit (contact)) {
      ss_fesd_push_limit (contact, motion, ss_fesd_variable (t, side->force, shift), f);
      continue;
    }
    SsGapExpr gap = ss_fesd_gap (t, contact, motion);
    SsVec2Expr force = ss_vec2_expr_scale (g, ss_fesd_variable (t, side->force, shift), gap.normal);

    if (contact->has_friction) {
      SsVec2Expr tangent = {gap.normal.y, ss_expr_neg (g, gap.normal.x)};

      force = ss_vec2_expr_add (g, force, ss_vec2_expr_scale (g, tangential (t, side, shift), tangent));
    }
    ss_dynamics_expr_push_at (motion, contact->body_b, gap.point_b, force, f);
    force = (SsVec2Expr){ss_expr_neg (g, force.x), ss_expr_neg (g, force.y)};
    ss_dynamics_expr_push_at (motion, contact->body_a, gap.point_a, force, f);
  }
}

/* f += forces of the loops at a stage, or (stage -1) their impulses at the left point. */
static void
push_loops (const SsFesd *t, const SsMotionExpr *motion, int stage, int shift, SsExpr *f)
{
  SsRowExpr rows[SS_ROW_EXPR_JOINT_MAX];

  for (int l = 0; l < t->n_loops; l++) {
    const SsFesdLoop *loop = &t->loops[l];
    const int n = ss_dynamics_expr_joint (motion, loop->joint, rows);

    for (int i = 0; i < n; i++)
      ss_dynamics_expr_push (motion, &rows[i],
                             ss_fesd_variable (t, stage < 0 ? loop->left[i] : loop->stage[stage][i], shift), f);
  }
}

/* Loops are closed: in position at a stage, in velocity at a left point. */
static void
close_loops (SsFesd *t, const SsMotionExpr *motion, bool is_velocity)
{
  SsRowExpr rows[SS_ROW_EXPR_JOINT_MAX];

  for (int l = 0; l < t->n_loops; l++) {
    const int n = ss_dynamics_expr_joint (motion, t->loops[l].joint, rows);

    for (int i = 0; i < n; i++)
      ss_fesd_equal (t, is_velocity ? ss_fesd_row_speed (t, &rows[i], motion) : rows[i].phi,
                     t->base.scene->joints[t->loops[l].joint].name, "closed");
  }
}

/* [000 (2) (12a)-(12b)], solved for the slopes. */
SsStatus
ss_fesd_add_stage_rows (SsFesd *t, int stage, SsExpr *f, SsError *err)
{
  const SsMotionExpr *m = &t->stage[stage];
  const SsCoordinatesExpr *left = &t->left_at[0], *at = &t->stage_at[stage];
  const int n = 3 * t->base.scene->n_bodies;
  SsExpr *d = ss_transcription_alloc (&t->base, 2 * (size_t)n, sizeof *d), *change = d + n;
  SsStatus status = d != NULL ? ss_dynamics_expr_forces (m, f, err) : SS_ERR_MEMORY;

  if (status != SS_OK)
    return status;
  ss_fesd_push_contacts (t, m, stage, 0, f);
  push_loops (t, m, stage, 0, f);
  for (int i = 0; i < n; i++)
    d[i] =
        t->base.v[i] != SS_NO_VARIABLE ? combine (t, t->rate[stage], left->v[i], t->stage_v, i) : ss_fesd_number (t, 0);
  ss_transcription_changes (&t->base, at, m->q, m->v, d, t->length, change);
  for (int i = 0; i < n; i++) {
    if (t->base.q[i] != SS_NO_VARIABLE)
      ss_fesd_equal (t, sub (t, combine (t, t->rate[stage], left->q[i], t->stage_q, i), mul (t, t->length, at->v[i])),
                     slot_owner (t, i), q_name (t, i));
    if (t->base.v[i] != SS_NO_VARIABLE)
      ss_fesd_equal (t, ss_transcription_slot_balance (&t->base, at, i, m->q, change, f, t->length), slot_owner (t, i),
                     v_name (t, i));
  }
  close_loops (t, m, false);
  return SS_OK;
}

/* c_s < 1: the end of the element [000 (12c)-(12d)]. */
static void
add_end_rows (SsFesd *t)
{
  const SsCoordinatesExpr *left = &t->left_at[0], *end = &t->end_at;

  for (int i = 0; i < 3 * t->base.scene->n_bodies; i++) {
    if (t->base.q[i] != SS_NO_VARIABLE)
      ss_fesd_equal (t, sub (t, sub (t, end->q[i], left->q[i]), combine (t, t->reach, left->q[i], t->stage_q, i)),
                     slot_owner (t, i), q_name (t, i));
    if (t->base.v[i] != SS_NO_VARIABLE)
      ss_fesd_equal (t, sub (t, sub (t, end->v[i], left->v[i]), combine (t, t->reach, left->v[i], t->stage_v, i)),
                     slot_owner (t, i), v_name (t, i));
  }
}

/* y [000 (13a)], and what of friction is defined by equations there: conic [000 (5a) (6a) (13b) (14a)], polyhedral
 * [000 (8a)], at ends with c_s < 1 too [000 (24)]. has_force: with the conic law of the force. */
static void
add_side_rows (SsFesd *t, const SsFesdContact *contact, const SsFesdSide *side, const SsMotionExpr *motion,
               bool has_force)
{
  SsGraph *g = t->base.graph;
  SsGapExpr gap = ss_fesd_gap (t, contact, motion);

  ss_fesd_equal (t, sub (t, var (t, side->y), gap.phi), contact->name, "gap");
  if (!contact->has_friction)
    return;
  SsExpr slip = ss_fesd_speed (t, contact, &gap, motion, false);
  if (t->options.friction == SS_FESD_CONIC) {
    ss_fesd_equal (t, sub (t, slip, sub (t, var (t, side->part_1), var (t, side->part_2))), contact->name, "slip");
    if (has_force)
      ss_fesd_equal (t,
                     ss_expr_add (g, slip, ss_expr_scale (g, 2, mul (t, var (t, side->gamma), var (t, side->force_1)))),
                     contact->name, "friction");
  } else {
    SsExpr gamma = var (t, side->gamma);

    ss_fesd_equal (t, sub (t, var (t, side->part_1), ss_expr_add (g, slip, gamma)), contact->name, "slip forward");
    ss_fesd_equal (t, sub (t, var (t, side->part_2), sub (t, gamma, slip)), contact->name, "slip back");
  }
}

/* beta = mu lambda_n - a_1 - a_2 [000 (8b)], or (mu lambda_n)^2 - lambda_t^2 [000 (4) (5b) (13c) (17e)]. */
static void
add_cone_row (SsFesd *t, const SsFesdContact *contact, const SsFesdSide *side)
{
  if (!contact->has_friction)
    return;
  SsExpr bound = mul (t, ss_transcription_number (&t->base, &ss_fesd_law_of (t, contact)->mu), var (t, side->force));
  SsExpr force = var (t, side->force_1), beta;
  if (t->options.friction == SS_FESD_CONIC)
    beta = sub (t, mul (t, bound, bound), mul (t, force, force));
  else
    beta = sub (t, sub (t, bound, force), var (t, side->force_2));
  ss_fesd_equal (t, sub (t, var (t, side->beta), beta), contact->name, "cone");
}

static SsStatus
add_elements (SsFesd *t, SsError *err)
{
  const int last = t->n_points - 1;
  SsExpr *f = ss_new_array (SsExpr, 3 * (size_t)t->base.scene->n_bodies + 1);
  SsStatus status = f != NULL ? SS_OK : SS_ERR_MEMORY;

  open_block (t, "dynamics", 0, last, 1);
  for (int j = 0; j < t->tableau.n && status == SS_OK; j++)
    status = ss_fesd_add_stage_rows (t, j, f, err);
  if (!t->tableau.ends_at_one)
    add_end_rows (t);
  close_block (t);
  ss_free (f);
  if (status != SS_OK)
    return status;

  open_block (t, "contact", 0, last, 1);
  for (int c = 0; c < t->n_contacts; c++) {
    const SsFesdContact *contact = &t->contacts[c];

    for (int j = 0; j < t->tableau.n; j++) {
      add_side_rows (t, contact, &contact->stage[j], &t->stage[j], true);
      add_cone_row (t, contact, &contact->stage[j]);
    }
    if (!t->tableau.ends_at_one)
      add_side_rows (t, contact, &contact->end, &t->end, false);
    /* of the left point, after its jump; without a jump the conic law has no force to tell of */
    add_side_rows (t, contact, &contact->left, &t->base.motion[0], false);
    add_cone_row (t, contact, &contact->left);
  }
  close_block (t);
  return SS_OK;
}

/* ---- jumps ------------------------------------------------------------------------------------------------------- */

/* Impulses change velocities [000 (17a) (A.2a)]. */
void
ss_fesd_add_balance_rows (SsFesd *t, const SsMotionExpr *motion, const SsExpr *before, SsExpr *f, int shift)
{
  const SsCoordinatesExpr *at = ss_fesd_coordinates (t, motion);
  const int n = 3 * t->base.scene->n_bodies;
  SsExpr *d = ss_transcription_alloc (&t->base, 3 * (size_t)n, sizeof *d), *change = d + n, *none = change + n;

  if (d == NULL)
    return;
  for (int i = 0; i < n; i++) {
    d[i] = t->base.v[i] != SS_NO_VARIABLE ? sub (t, at->v[i], before[i]) : ss_fesd_number (t, 0);
    none[i] = ss_fesd_number (t, 0);
  }
  if (f == NULL)
    f = none;
  push_loops (t, motion, -1, shift, f);
  ss_transcription_changes (&t->base, at, motion->q, motion->v, d, SS_EXPR_NONE, change);
  for (int i = 0; i < n; i++)
    if (t->base.v[i] != SS_NO_VARIABLE)
      ss_fesd_equal (t, ss_transcription_slot_balance (&t->base, at, i, motion->q, change, f, SS_EXPR_NONE),
                     slot_owner (t, i), v_name (t, i));
  close_loops (t, motion, true);
}

/* Impulse equations, residual of restitution [000 (17c) (A.2c)] and conic friction [000 (17d)] at the left point of
 * `motion`, whose variables are those of shift, from the rates `before`. */
static void
add_jump_rows (SsFesd *t, const SsMotionExpr *motion, const SsExpr *before, int shift)
{
  SsGraph *g = t->base.graph;
  const int n = 3 * t->base.scene->n_bodies;
  SsExpr *f = ss_transcription_alloc (&t->base, 2 * (size_t)n, sizeof *f), *v = f + n;
  SsMotionExpr earlier = *motion;

  if (f == NULL)
    return;
  ss_transcription_velocities (&t->base, ss_fesd_coordinates (t, motion), motion->q, before, v);
  earlier.v = v;
  for (int i = 0; i < n; i++)
    f[i] = ss_fesd_number (t, 0);
  ss_fesd_push_contacts (t, motion, -1, shift, f);
  ss_fesd_add_balance_rows (t, motion, before, f, shift);
  for (int c = 0; c < t->n_contacts; c++) {
    const SsFesdContact *contact = &t->contacts[c];
    SsGapExpr gap = ss_fesd_gap (t, contact, motion);
    SsExpr e = ss_transcription_number (&t->base, &ss_fesd_law_of (t, contact)->restitution);
    SsExpr residual = ss_expr_add (g, ss_fesd_speed (t, contact, &gap, motion, true),
                                   mul (t, e, ss_fesd_speed (t, contact, &gap, &earlier, true)));
    SsExpr own = contact->r != SS_NO_VARIABLE
                     ? ss_fesd_variable (t, contact->r, shift)
                     : sub (t, ss_fesd_variable (t, contact->p, shift), ss_fesd_variable (t, contact->q, shift));

    ss_fesd_equal (t, sub (t, own, residual), contact->name, "restitution");
    if (contact->has_friction && t->options.friction == SS_FESD_CONIC)
      ss_fesd_equal (t,
                     ss_expr_add (g, ss_fesd_speed (t, contact, &gap, motion, false),
                                  ss_expr_scale (g, 2,
                                                 mul (t, ss_fesd_variable (t, contact->left.gamma, shift),
                                                      ss_fesd_variable (t, contact->left.force_1, shift)))),
                     contact->name, "friction");
  }
}

/* Velocities go on without a jump. */
void
ss_fesd_add_smooth_rows (SsFesd *t, const SsMotionExpr *motion, const SsExpr *before)
{
  const SsCoordinatesExpr *at = ss_fesd_coordinates (t, motion);

  if (t->n_loops > 0) {
    ss_fesd_add_balance_rows (t, motion, before, NULL, motion == &t->base.motion[1]);
    return;
  }
  for (int i = 0; i < 3 * t->base.scene->n_bodies; i++)
    if (t->base.v[i] != SS_NO_VARIABLE)
      ss_fesd_equal (t, sub (t, at->v[i], before[i]), slot_owner (t, i), v_name (t, i));
}

/* [000 (33b)]. */
const SsExpr *
ss_fesd_add_start_rows (SsFesd *t)
{
  const SsCoordinatesExpr *at = &t->left_at[0];
  const int n = 3 * t->base.scene->n_bodies;
  SsExpr *before = ss_transcription_alloc (&t->base, (size_t)n, sizeof *before);

  for (int i = 0; i < n && before != NULL; i++) {
    before[i] = t->base.v[i] != SS_NO_VARIABLE ? ss_transcription_number (&t->base, &t->start[6 * (i / 3) + 3 + i % 3])
                                               : at->v[i];
    if (t->base.q[i] != SS_NO_VARIABLE)
      ss_fesd_equal (t, sub (t, at->q[i], ss_transcription_number (&t->base, &t->start[6 * (i / 3) + i % 3])),
                     slot_owner (t, i), q_name (t, i));
  }
  ss_fesd_equal (t, var (t, t->base.clock), "time", "start");
  return before;
}

static void
add_start (SsFesd *t)
{
  const SsMotionExpr *m = &t->base.motion[0];
  const SsExpr *before;

  open_block (t, "start", 0, 0, 1);
  before = ss_fesd_add_start_rows (t);
  if (before != NULL && t->options.initial_impacts)
    add_jump_rows (t, m, before, 0);
  else if (before != NULL)
    ss_fesd_add_smooth_rows (t, m, before);
  close_block (t);
}

/* Poses and time go on [000 (16) (33c)]. */
void
ss_fesd_add_junction_rows (SsFesd *t)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);
  open_block (t, "junction", 0, t->n_points - 1, 1);
  for (int i = 0; i < 3 * t->base.scene->n_bodies; i++)
    if (t->base.q[i] != SS_NO_VARIABLE)
      ss_fesd_equal (t, sub (t, t->left_at[1].q[i], t->end_at.q[i]), slot_owner (t, i), q_name (t, i));
  ss_fesd_equal (t, sub (t, t->base.motion[1].t, t->end.t), "time", "step");
  close_block (t);
}

/* A plan ends before a jump [000 (31a)]. */
static void
add_junctions (SsFesd *t)
{
  const SsMotionExpr *next = &t->base.motion[1];
  SsFesdRange ranges[SS_FESD_RANGES_MAX];
  int n;

  ss_fesd_add_junction_rows (t);
  n = ss_fesd_ranges (t, true, true, ranges);
  for (int r = 0; r < n; r++) {
    open_block (t, "jump", ranges[r].first, ranges[r].last, ranges[r].stride);
    add_jump_rows (t, next, t->end_at.v, 1);
    close_block (t);
  }
  n = ss_fesd_ranges (t, false, true, ranges);
  for (int r = 0; r < n; r++) {
    open_block (t, "no jump", ranges[r].first, ranges[r].last, ranges[r].stride);
    ss_fesd_add_smooth_rows (t, next, t->end_at.v);
    close_block (t);
  }
  /* Impulses vanish where there is no jump. */
  n = ss_fesd_ranges (t, false, false, ranges);
  for (int r = 0; r < n; r++) {
    open_block (t, "no impulse", ranges[r].first, ranges[r].last, ranges[r].stride);
    for (int c = 0; c < t->n_contacts; c++) {
      const SsFesdContact *contact = &t->contacts[c];
      const int vanish[] = {contact->left.force, contact->left.force_1, contact->left.force_2, contact->r, contact->p,
                            contact->q};

      for (int i = 0; i < (int)(sizeof vanish / sizeof *vanish); i++)
        if (vanish[i] != SS_NO_VARIABLE)
          ss_fesd_equal (t, var (t, vanish[i]), contact->name, "impulse");
    }
    close_block (t);
  }
}

/* ---- the last point ---------------------------------------------------------------------------------------------- */

/* It has no element: its stages stand where the last element ends, its forces are those of its last stage, and the rest
 * repeats. */
void
ss_fesd_add_end_point (SsFesd *t)
{
  const int before = t->n_points - 1, n = 3 * t->base.scene->n_bodies, last_stage = t->tableau.n - 1;

  open_block (t, "end", before, before, 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= t->tableau.n; j++) {
      const int q = j < t->tableau.n ? t->stage_q[j * n + i] : t->end_q[i],
                v = j < t->tableau.n ? t->stage_v[j * n + i] : t->end_v[i];

      if (j == t->tableau.n && t->tableau.ends_at_one)
        continue;
      if (q != SS_NO_VARIABLE)
        ss_fesd_equal (t, sub (t, ss_fesd_variable (t, q, 1), t->end_at.q[i]), slot_owner (t, i), "end");
      if (v != SS_NO_VARIABLE)
        ss_fesd_equal (t, sub (t, ss_fesd_variable (t, v, 1), t->end_at.v[i]), slot_owner (t, i), "end");
    }
  for (int c = 0; c < t->n_contacts; c++) {
    const SsFesdContact *contact = &t->contacts[c];
    const SsFesdSide *from = &contact->stage[last_stage];
    const int y = t->tableau.ends_at_one ? from->y : contact->end.y;

    for (int j = -1; j <= t->tableau.n; j++) {
      const SsFesdSide *to = j < 0 ? &contact->left : j < t->tableau.n ? &contact->stage[j] : &contact->end;
      const int pairs[][2] = {{to->y, y},
                              {j < 0 ? SS_NO_VARIABLE : to->force, from->force},
                              {j < 0 ? SS_NO_VARIABLE : to->force_1, from->force_1},
                              {j < 0 ? SS_NO_VARIABLE : to->force_2, from->force_2},
                              {to->gamma, from->gamma},
                              {j < 0 ? SS_NO_VARIABLE : to->beta, from->beta},
                              {to->part_1, from->part_1},
                              {to->part_2, from->part_2}};

      for (int i = 0; i < (int)(sizeof pairs / sizeof *pairs); i++)
        if (pairs[i][0] != SS_NO_VARIABLE)
          ss_fesd_equal (t, sub (t, ss_fesd_variable (t, pairs[i][0], 1), var (t, pairs[i][1])), contact->name, "end");
    }
    if (contact->left.beta != SS_NO_VARIABLE)
      ss_fesd_equal (t, ss_fesd_variable (t, contact->left.beta, 1), contact->name, "end");
  }
  for (int l = 0; l < t->n_loops; l++)
    for (int j = 0; j <= last_stage; j++)
      for (int i = 0; i < t->loops[l].n_rows; i++)
        ss_fesd_equal (
            t, sub (t, ss_fesd_variable (t, t->loops[l].stage[j][i], 1), var (t, t->loops[l].stage[last_stage][i])),
            t->base.scene->joints[t->loops[l].joint].name, "end");
  for (int a = 0; a < t->base.scene->n_actuators; a++)
    ss_fesd_equal (t, sub (t, ss_fesd_variable (t, t->base.u[a], 1), var (t, t->base.u[a])), "u", "repeats");
  ss_fesd_equal (t, sub (t, ss_fesd_variable (t, t->base.h, 1), t->length), "h", "repeats");
  if (t->eta != SS_NO_VARIABLE)
    ss_fesd_equal (t, ss_fesd_variable (t, t->eta, 1), "eta", "end");
  close_block (t);
}

/* ---- intervals --------------------------------------------------------------------------------------------------- */

/* Controls and the horizon are kept, intervals are of equal length [000 (15)], elements within their bounds of it. */
static void
add_intervals (SsFesd *t)
{
  const int n = t->options.elements, end = t->n_points;
  SsGraph *g = t->base.graph;
  const double low = 1 - t->options.gamma_h, high = 1 + t->options.gamma_h;

  for (int j = 0; j < n - 1; j++) {
    open_block (t, "hold", j, end - n + j, n);
    for (int a = 0; a < t->base.scene->n_actuators; a++)
      ss_fesd_equal (t, sub (t, ss_fesd_variable (t, t->base.u[a], 1), var (t, t->base.u[a])),
                     t->base.scene->actuators[a].name, "hold");
    close_block (t);
  }
  open_block (t, "interval", n, end, n);
  ss_fesd_equal (t, sub (t, var (t, t->base.clock), mul (t, ss_graph_input (g, t->base.model->slot_k), t->mean)),
                 "time", "interval");
  close_block (t);
  if (t->horizon != SS_NO_VARIABLE) {
    open_block (t, "horizon", 0, end - 1, 1);
    ss_fesd_equal (t, sub (t, ss_fesd_variable (t, t->horizon, 1), var (t, t->horizon)), "horizon", "common");
    close_block (t);
    open_block (t, "horizon bounds", 0, 0, 1);
    ss_transcription_add_bounds (&t->base, var (t, t->horizon), &t->base.plan->time_lower, &t->base.plan->time_upper,
                                 "horizon");
    close_block (t);
  }
  open_block (t, "length", 0, end - 1, 1);
  if (low == high)
    ss_fesd_equal (t, sub (t, t->length, t->mean), "h", "fixed");
  else {
    ss_fesd_at_least (t, sub (t, t->length, ss_expr_scale (g, low, t->mean)), "h", "lower");
    ss_fesd_at_least (t, sub (t, ss_expr_scale (g, high, t->mean), t->length), "h", "upper");
  }
  close_block (t);
}

/* ---- signs and bounds -------------------------------------------------------------------------------------------- */

static void
add_sign (SsFesd *t, int variable, const char *owner, const char *what)
{
  if (variable != SS_NO_VARIABLE)
    ss_fesd_at_least (t, var (t, variable), owner, what);
}

/* Of complementarity [000 (5c) (6b) (8a)-(8b) (13a) (13d) (14b) (17b) (17f) (25) (A.2d)]. */
static void
add_signs (SsFesd *t)
{
  const bool is_conic = t->options.friction == SS_FESD_CONIC;

  open_block (t, "signs", 0, t->n_points - 1, 1);
  for (int c = 0; c < t->n_contacts; c++) {
    const SsFesdContact *contact = &t->contacts[c];

    for (int j = -1; j <= t->tableau.n; j++) {
      const SsFesdSide *side = j < 0 ? &contact->left : j < t->tableau.n ? &contact->stage[j] : &contact->end;

      add_sign (t, side->y, contact->name, "gap");
      add_sign (t, side->force, contact->name, "force");
      if (!is_conic) {
        add_sign (t, side->force_1, contact->name, "forward");
        add_sign (t, side->force_2, contact->name, "back");
      }
      add_sign (t, side->gamma, contact->name, "gamma");
      if (side->gamma != SS_NO_VARIABLE && !is_conic)
        ss_fesd_at_least (t, sub (t, ss_fesd_number (t, gamma_max), var (t, side->gamma)), contact->name, "gamma");
      add_sign (t, side->beta, contact->name, "beta");
      add_sign (t, side->part_1, contact->name, "slip forward");
      add_sign (t, side->part_2, contact->name, "slip back");
    }
    add_sign (t, contact->p, contact->name, "restitution");
    add_sign (t, contact->q, contact->name, "restitution");
  }
  close_block (t);
}

void
ss_fesd_add_state_bounds (SsFesd *t, const SsMotionExpr *motion)
{
  const SsPlan *plan = t->base.plan;

  for (int i = 0; i < plan->n_bounds; i++)
    for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
      SsExpr value;

      if (ss_transcription_find_coordinate (&t->base, motion, plan->bounds[i].body, c, &value))
        ss_transcription_add_bounds (&t->base, value, &plan->bounds[i].lower[c], &plan->bounds[i].upper[c],
                                     t->base.scene->bodies[plan->bounds[i].body].name);
    }
}

/* [000 (38d)-(38f)]. */
static void
add_bounds (SsFesd *t)
{
  const SsScene *scene = t->base.scene;

  open_block (t, "bounds", 1, t->n_points, 1);
  ss_fesd_add_state_bounds (t, &t->base.motion[0]);
  close_block (t);
  open_block (t, "stage bounds", 0, t->n_points - 1, 1);
  for (int j = 0; j < t->tableau.n; j++)
    ss_fesd_add_state_bounds (t, &t->stage[j]);
  if (!t->tableau.ends_at_one)
    ss_fesd_add_state_bounds (t, &t->end);
  close_block (t);
  open_block (t, "controls", 0, t->n_points - t->options.elements, t->options.elements);
  for (int a = 0; a < scene->n_actuators; a++)
    ss_transcription_add_bounds (&t->base, var (t, t->base.u[a]), &scene->actuators[a].lower,
                                 &scene->actuators[a].upper, scene->actuators[a].name);
  close_block (t);
}

/* [000 (18)]. */
static void
add_look_ahead (SsFesd *t)
{
  SsGraph *g = t->base.graph;
  const SsMotionExpr *left = &t->base.motion[0];
  const int n = 3 * t->base.scene->n_bodies;
  SsMotionExpr ahead = *left;
  SsExpr *q = ss_transcription_alloc (&t->base, (size_t)n, sizeof *q);
  SsExpr step = ss_expr_scale (g, t->options.lookahead, t->length);

  if (q == NULL || t->options.lookahead == 0)
    return;
  for (int i = 0; i < n; i++)
    q[i] = t->base.q[i] != SS_NO_VARIABLE || !ss_transcription_is_own_slot (&t->base, i)
               ? ss_expr_add (g, left->q[i], mul (t, step, left->v[i]))
               : left->q[i];
  ahead.q = q;
  open_block (t, "lookahead", 0, t->n_points - 1, 1);
  for (int c = 0; c < t->n_contacts; c++)
    ss_fesd_at_least (t, ss_fesd_gap (t, &t->contacts[c], &ahead).phi, t->contacts[c].name, "ahead");
  close_block (t);
}

/* ---- the task ---------------------------------------------------------------------------------------------------- */

static void
add_constraint_at (SsFesd *t, const SsPlanConstraint *constraint, const SsMotionExpr *motion, const char *where)
{
  ss_transcription_add_row (&t->base, constraint->kind, ss_dynamics_expr_formula (motion, constraint->row), "row",
                            where);
}

/* [000 (33e)]. */
void
ss_fesd_add_constraints (SsFesd *t)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);
  for (int i = 0; i < t->base.plan->n_constraints; i++) {
    const SsPlanConstraint *constraint = &t->base.plan->constraints[i];
    const bool is_last = constraint->points == SS_PLAN_LAST;
    const int last = t->n_points - (constraint->points == SS_PLAN_INTERIOR ? 2 : 1);
    char where[48];

    open_block (t, constraint->name, is_last ? last : 0, last, 1);
    for (int j = 0; j < t->tableau.n && t->options.path == SS_FESD_STAGES && !is_last; j++) {
      snprintf (where, sizeof where, "%d stage %d", i, j + 1);
      if (!(t->tableau.ends_at_one && j == t->tableau.n - 1))
        add_constraint_at (t, constraint, &t->stage[j], where);
    }
    snprintf (where, sizeof where, "%d end", i);
    add_constraint_at (t, constraint, &t->end, where);
    close_block (t);
  }
}

/* Sum over contacts of forces of a stage, or impulses of the next point (stage -1), over a_n. */
static SsExpr
over_a_n (const SsFesd *t, int stage)
{
  SsGraph *g = t->base.graph;
  SsExpr sum = ss_fesd_number (t, 0);

  for (int c = 0; c < t->n_contacts; c++) {
    const SsFesdContact *contact = &t->contacts[c];
    const SsExpr force =
        stage < 0 ? ss_fesd_variable (t, contact->left.force, 1) : var (t, contact->stage[stage].force);

    sum = ss_expr_add (g, sum, ss_expr_scale (g, 1 / t->options.a_n_of[contact->contact], force));
  }
  return sum;
}

/* Running cost but for efforts at a motion. */
static SsExpr
running_cost (const SsFesd *t, const SsMotionExpr *motion)
{
  const SsPlan *plan = t->base.plan;
  SsExpr sum = ss_fesd_number (t, 0);

  for (int i = 0; i < plan->n_costs; i++)
    if (plan->costs[i].points != SS_PLAN_LAST)
      sum = ss_expr_add (t->base.graph, sum, ss_dynamics_expr_formula (motion, plan->costs[i].cost));
  for (int a = 0; a < t->base.scene->n_actuators && plan->effort != NULL; a++)
    if (plan->effort[a] > 0)
      sum = ss_expr_add (
          t->base.graph, sum,
          mul (t, ss_transcription_number (&t->base, &plan->effort[a]), mul (t, motion->u[a], motion->u[a])));
  return sum;
}

/* What numerical time adds to the costs: contact that lasts, and jumps, with the mean of both sides. */
static void
add_frozen_costs (SsFesd *t)
{
  SsGraph *g = t->base.graph;
  const int end = t->n_points;
  SsExpr sum = ss_fesd_number (t, 0);

  for (int j = 0; j < t->tableau.n; j++)
    sum = ss_expr_add (g, sum,
                       ss_expr_scale (g, t->tableau.b[j], mul (t, over_a_n (t, j), running_cost (t, &t->stage[j]))));
  ss_transcription_add_cost (&t->base, "contact", 0, end - 1, 1, false, mul (t, t->length, sum));
  sum = ss_expr_add (g, running_cost (t, &t->end), running_cost (t, &t->base.motion[1]));
  ss_transcription_add_cost (&t->base, "jumps", 0, end - 2, 1, false,
                             ss_expr_scale (g, 0.5, mul (t, over_a_n (t, -1), sum)));
}

/* [000 (33a)]. */
void
ss_fesd_add_costs (SsFesd *t)
{
  const SsPlan *plan = t->base.plan;
  SsGraph *g = t->base.graph;
  const int end = t->n_points, n = t->options.elements;

  for (int a = 0; a < t->base.scene->n_actuators; a++) {
    SsExpr u = var (t, t->base.u[a]), change = sub (t, ss_fesd_variable (t, t->base.u[a], 1), u);

    if (plan->effort != NULL && plan->effort[a] > 0)
      ss_transcription_add_cost (
          &t->base, "effort", 0, end - 1, 1, false,
          mul (t, ss_transcription_number (&t->base, &plan->effort[a]), mul (t, t->length, mul (t, u, u))));
    if (plan->effort_rate > 0 && t->options.sequence == NULL)
      ss_transcription_add_cost (
          &t->base, "effort_rate", n - 1, end - n - 1, n, false,
          mul (t, ss_transcription_number (&t->base, &plan->effort_rate), mul (t, change, change)));
  }
  for (int i = 0; i < plan->n_costs; i++) {
    SsExpr sum = ss_fesd_number (t, 0);

    if (plan->costs[i].points == SS_PLAN_LAST) {
      ss_transcription_add_cost (&t->base, "cost", end, end, 1, false,
                                 ss_dynamics_expr_formula (&t->base.motion[0], plan->costs[i].cost));
      continue;
    }
    for (int j = 0; j < t->tableau.n; j++)
      sum = ss_expr_add (
          g, sum, ss_expr_scale (g, t->tableau.b[j], ss_dynamics_expr_formula (&t->stage[j], plan->costs[i].cost)));
    ss_transcription_add_cost (&t->base, "cost", 0, end - 1, 1, false, mul (t, t->length, sum));
  }
  if (t->options.sequence != NULL && t->options.a_n_of != NULL)
    add_frozen_costs (t);
  if (t->horizon != SS_NO_VARIABLE && plan->time_weight != 0)
    ss_transcription_add_cost (&t->base, "time", 0, end - 1, 1, false,
                               mul (t, ss_transcription_number (&t->base, &plan->time_weight), t->length));
}

/* [000 (33d)], and the task. */
SsStatus
ss_fesd_add_rows (SsFesd *t, SsError *err)
{
  SsStatus status;

  add_start (t);
  status = add_elements (t, err);
  if (status != SS_OK)
    return status;
  add_junctions (t);
  ss_fesd_add_end_point (t);
  add_intervals (t);
  add_signs (t);
  ss_fesd_add_cross (t);
  add_look_ahead (t);
  add_bounds (t);
  ss_transcription_add_targets (&t->base, t->n_points, NULL);
  ss_fesd_add_constraints (t);
  ss_fesd_add_costs (t);
  ss_fesd_add_equilibration (t);
  ss_transcription_keep_lists (&t->base);
  return t->base.out_of_memory ? SS_ERR_MEMORY : SS_OK;
}
