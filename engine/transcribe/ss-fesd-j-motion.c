/* engine/transcribe/ss-fesd-j-motion.c: the motion at the points of an element as expressions, gaps and speeds. */
#include "transcribe/ss-fesd-j-private.h"

/* ---- the motion as expressions ----------------------------------------------------------------------------------- */

static SsMotionExpr
make_motion (SsFesd *t, const int *of_q, const int *of_v, int shift, SsExpr time, SsCoordinatesExpr *at)
{
  SsTranscription *base = &t->base;
  const SsScene *scene = base->scene;
  const size_t n = 3 * (size_t)scene->n_bodies;
  SsExpr *q = ss_transcription_alloc (base, n, sizeof *q), *v = ss_transcription_alloc (base, n, sizeof *v),
         *u = ss_transcription_alloc (base, (size_t)scene->n_actuators, sizeof *u);

  *at = ss_transcription_coordinates (base, of_q, of_v, shift);
  if (base->out_of_memory)
    return (SsMotionExpr){.graph = base->graph, .scene = scene};
  ss_transcription_poses (base, at, q);
  ss_transcription_velocities (base, at, q, NULL, v);
  for (int a = 0; a < scene->n_actuators; a++)
    u[a] = ss_fesd_variable (t, base->u[a], shift);
  return (SsMotionExpr){
      .graph = base->graph, .scene = scene, .q = q, .v = v, .u = u, .t = time, .inputs = base->inputs};
}

void
ss_fesd_set_motions (SsFesd *t)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);

  SsTranscription *base = &t->base;
  SsGraph *g = base->graph;
  const size_t n = 3 * (size_t)base->scene->n_bodies;
  SsExpr clock = ss_fesd_variable (t, base->clock, 0);

  t->length = base->step = ss_fesd_variable (t, base->h, 0);
  t->mean = t->horizon != SS_NO_VARIABLE ? ss_expr_scale (g, t->mean_share, ss_fesd_variable (t, t->horizon, 0))
                                         : ss_fesd_number (t, t->mean_length);
  for (int shift = 0; shift < 2; shift++)
    base->motion[shift] =
        make_motion (t, base->q, base->v, shift, ss_fesd_variable (t, base->clock, shift), &t->left_at[shift]);
  for (int j = 0; j < t->tableau.n; j++)
    t->stage[j] = make_motion (t, t->stage_q + (size_t)j * n, t->stage_v + (size_t)j * n, 0,
                               ss_expr_add (g, clock, ss_expr_scale (g, t->tableau.c[j], t->length)), &t->stage_at[j]);
  t->end = make_motion (t, t->end_q, t->end_v, 0, ss_expr_add (g, clock, t->length), &t->end_at);
}

const SsCoordinatesExpr *
ss_fesd_coordinates (const SsFesd *t, const SsMotionExpr *motion)
{
  if (motion == &t->end)
    return &t->end_at;
  if (motion >= t->stage && motion < t->stage + t->tableau.n)
    return &t->stage_at[motion - t->stage];
  SS_ASSERT (motion == &t->base.motion[0] || motion == &t->base.motion[1]);
  return &t->left_at[motion - t->base.motion];
}

const SsContact *
ss_fesd_law_of (const SsFesd *t, const SsFesdContact *contact)
{
  static const SsContact none = {.mu = 0, .restitution = 0};

  return ss_fesd_is_limit (contact) ? &none : &t->base.scene->contacts[contact->contact];
}

/* The row of a limit at a motion. */
static SsRowExpr
limit_row (const SsFesdContact *contact, const SsMotionExpr *motion)
{
  SsRowExpr rows[SS_ROW_EXPR_LIMITS_MAX];
  const int n = ss_dynamics_expr_limits (motion, contact->joint, rows);

  for (int i = 0; i < n - 1; i++)
    if (rows[i].index == (int)contact->is_upper)
      return rows[i];
  return rows[n - 1];
}

SsGapExpr
ss_fesd_gap (const SsFesd *t, const SsFesdContact *contact, const SsMotionExpr *motion)
{
  SsGapExpr gap = {.phi = SS_EXPR_NONE};

  if (ss_fesd_is_limit (contact)) {
    gap.phi = limit_row (contact, motion).phi;
    return gap;
  }
  ss_gap_expr (t->base.graph, t->base.inputs, &contact->pair, motion->q + 3 * contact->body_a,
               motion->q + 3 * contact->body_b, NULL, &gap);
  return gap;
}

SsExpr
ss_fesd_row_speed (const SsFesd *t, const SsRowExpr *row, const SsMotionExpr *motion)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);

  SsGraph *g = t->base.graph;
  SsExpr sum = ss_fesd_number (t, 0);

  for (int i = 0; i < 6; i++)
    if (row->body[i / 3] >= 0)
      sum = ss_expr_add (g, sum, ss_expr_mul (g, row->j[i], motion->v[3 * row->body[i / 3] + i % 3]));
  return sum;
}

void
ss_fesd_push_limit (const SsFesdContact *contact, const SsMotionExpr *motion, SsExpr force, SsExpr *f)
{
  const SsRowExpr row = limit_row (contact, motion);

  ss_dynamics_expr_push (motion, &row, force, f);
}

SsExpr
ss_fesd_speed (const SsFesd *t, const SsFesdContact *contact, const SsGapExpr *gap, const SsMotionExpr *motion,
               bool is_normal)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);

  SsGraph *g = t->base.graph;

  if (ss_fesd_is_limit (contact)) {
    const SsRowExpr row = limit_row (contact, motion);

    return ss_fesd_row_speed (t, &row, motion);
  }
  SsVec2Expr tangent = {gap->normal.y, ss_expr_neg (g, gap->normal.x)};
  SsVec2Expr speed = ss_vec2_expr_sub (g, ss_dynamics_expr_velocity_at (motion, contact->body_b, gap->point_b),
                                       ss_dynamics_expr_velocity_at (motion, contact->body_a, gap->point_a));

  return ss_vec2_expr_dot (g, is_normal ? gap->normal : tangent, speed);
}

void
ss_fesd_set_state (const SsFesd *t, const int *of_q, const int *of_v, const double *q, const double *v, double *work,
                   double *x)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);

  const int n = 3 * t->base.scene->n_bodies;

  ss_transcription_find_slots (&t->base, q, v, work, work + n);
  for (int i = 0; i < n; i++) {
    if (of_q[i] != SS_NO_VARIABLE)
      x[of_q[i]] = work[i];
    if (of_v[i] != SS_NO_VARIABLE)
      x[of_v[i]] = work[n + i];
  }
}

void
ss_fesd_get_state (const SsFesd *t, const int *of_q, const int *of_v, const double *x, double *work, double *q,
                   double *v)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);

  const SsScene *scene = t->base.scene;
  const int n = 3 * scene->n_bodies;

  for (int i = 0; i < n; i++) {
    const SsBody *body = &scene->bodies[i / 3];

    work[i] = of_q[i] != SS_NO_VARIABLE ? x[of_q[i]] : body->q[i % 3];
    work[n + i] = of_v[i] != SS_NO_VARIABLE ? x[of_v[i]] : body->is_fixed ? 0 : body->v[i % 3];
  }
  ss_transcription_follow_slots (&t->base, work, work + n, q, v);
}
