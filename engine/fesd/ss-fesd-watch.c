/* engine/fesd/ss-fesd-watch.c: see the header. */
#include "fesd/ss-fesd-watch.h"

#include "core/ss-memory.h"
#include "geometry/ss-sweep.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SAMPLES = 24, NODES_MAX = SS_TABLEAU_STAGES_MAX + 2, BISECTIONS = 60 };

/* Lengths, speeds and forces that count as zero, as parts of those about. */
static const double gap_part = 1e-12, speed_part = 1e-11, force_part = 1e-10, edge_part = 5e-11;
/* A point that is taken for the one on a face may be beyond its end by this part of the bodies' size. */
static const double beyond_part = 1e-10;
/* Slips that begin with no more are as good as none while they stay below it. */
static const double rest_part = 1e-10;
/* A point that begins on its contact leaves it when it would be this many roundings of the bodies' size away at its
 * first speed. */
static const double start_roundings = 64;
/* It is back when it is as near as at the start, or nearer than zero, by that many more: rounding is no contact. */
static const double level_roundings = 16;
/* A point that begins within this part of the bodies' size of its contact may dip as much below it: it touches all the
 * time. Not more than that in all, or many flights would lead it down. */
static const double touching_part = 1e-11;
/* A pair whose one point is closed may overlap elsewhere deeper than there by this part of the bodies' size: gaps know
 * less where a corner passes an edge. */
static const double crossing_part = 5e-10;

/* A gap is no polynomial where bodies pass by more than this part of the thinner width, or turn by more than this over
 * a half-plane [rad]. It is then looked for from where it is a part of that width, and found to another one. */
static const double fast_part = 1.0 / 4, fast_turn = 0.5, apart_part = 1.0 / 64, clear_part = 1e-7;
/* What poses between the samples may do faster than from one to the next. */
static const double between_samples = 1.25;

/* Interpolation through some nodes: weights of their values at the samples 1 / SAMPLES, ..., 1. */
typedef struct {
  int n;
  double node[NODES_MAX], barycentric[NODES_MAX];
  double sample[SAMPLES][NODES_MAX];
} Curve;

struct SsFesdWatch {
  SsFesdSystem *system; /* borrowed */
  SsTableau tableau;
  Curve state, force;              /* with the start and the end; stages alone */
  SsRow *limits;                   /* of one state */
  double *limit_phi;               /* n_limits x NODES_MAX */
  double *way, *turn;              /* n_bodies: how far they come from their places at the start, in the element */
  double *width;                   /* of the thinner shape, by static point, then by pair [m] */
  double force_scale, speed_scale; /* of the element that was looked at last */
};

/* ---- polynomials ------------------------------------------------------------------------------------------------- */

/* Weights of the values at theta (barycentric formula). */
static void
weights_at (const Curve *c, double theta, double *weight)
{
  double sum = 0;
  for (int i = 0; i < c->n; i++) {
    if (fabs (theta - c->node[i]) < 1e-15) {
      for (int k = 0; k < c->n; k++)
        weight[k] = k == i;
      return;
    }
    weight[i] = c->barycentric[i] / (theta - c->node[i]);
    sum += weight[i];
  }
  for (int i = 0; i < c->n; i++)
    weight[i] /= sum;
}

static double
value_at (const Curve *c, const double *values, double theta)
{
  double weight[NODES_MAX], sum = 0;
  weights_at (c, theta, weight);
  for (int i = 0; i < c->n; i++)
    sum += weight[i] * values[i];
  return sum;
}

static void
curve_init (Curve *c)
{
  for (int i = 0; i < c->n; i++) {
    c->barycentric[i] = 1;
    for (int k = 0; k < c->n; k++)
      if (k != i)
        c->barycentric[i] /= c->node[i] - c->node[k];
  }
  for (int k = 0; k < SAMPLES; k++)
    weights_at (c, (k + 1.0) / SAMPLES, c->sample[k]);
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

SsStatus
ss_fesd_watch_new (SsFesdSystem *system, const SsTableau *tableau, SsFesdWatch **out, SsError *err)
{
  SS_ASSERT (system != NULL && tableau != NULL && out != NULL);

  *out = NULL;
  SsFesdWatch *w = ss_new (SsFesdWatch);
  const int n_limits = system->n_rows - system->n_bilateral;
  if (w != NULL)
    w->limit_phi = ss_new_array (double, (size_t)n_limits *NODES_MAX + 1);
  if (w != NULL)
    w->way = ss_new_array (double, 2 * (size_t)system->scene->n_bodies + 1);
  if (w != NULL)
    w->limits = ss_new_array (SsRow, (size_t)n_limits + 1);
  if (w != NULL)
    w->width = ss_new_array (double, (size_t)system->n_static + (size_t)system->n_pairs + 1);
  if (w == NULL || w->limit_phi == NULL || w->way == NULL || w->limits == NULL || w->width == NULL) {
    ss_fesd_watch_free (w);
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to watch contacts");
  }
  w->system = system;
  w->turn = w->way + system->scene->n_bodies;
  for (int i = 0; i < system->n_static; i++) {
    const SsFesdPoint *p = &system->points[i];
    w->width[i] = p->kind == SS_FESD_ROUND ? 2 * fmin (p->radius[0], p->radius[1]) : INFINITY;
  }
  for (int i = 0; i < system->n_pairs; i++) {
    const SsShape *const *shape = system->pairs[i].shape;
    w->width[system->n_static + i] = ss_shape_thinner_width (ss_shape_width (shape[0]), ss_shape_width (shape[1]));
  }
  w->tableau = *tableau;
  if (tableau->c[0] > 0)
    w->state.node[w->state.n++] = 0;
  for (int i = 0; i < tableau->n; i++) {
    w->state.node[w->state.n++] = tableau->c[i];
    w->force.node[w->force.n++] = tableau->c[i];
  }
  if (!tableau->ends_at_one)
    w->state.node[w->state.n++] = 1;
  curve_init (&w->state);
  curve_init (&w->force);
  *out = w;
  return SS_OK;
}

void
ss_fesd_watch_free (SsFesdWatch *w)
{
  if (w == NULL)
    return;
  ss_free (w->limit_phi);
  ss_free (w->way);
  ss_free (w->limits);
  ss_free (w->width);
  ss_free (w);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

typedef struct {
  SsFesdWatch *w;
  const SsFesdElement *e;
  const double *q0, *v0, *offset;
  const SsFesdMode *modes;
} Look;

/* Poses and velocities at a node of the state curve. */
static void
state_at (const Look *l, int node, const double **q, const double **v)
{
  const int start = l->w->tableau.c[0] > 0;
  if (node < start) {
    *q = l->q0;
    *v = l->v0;
  } else {
    *q = ss_fesd_element_q (l->e, node - start);
    *v = ss_fesd_element_v (l->e, node - start);
  }
}

static double
slip_of (const SsFesdPoint *point, const double *q, const double *v)
{
  SsFesdPointAt at;
  ss_fesd_point_at (point, q, false, &at);
  return ss_fesd_point_rate (point, at.jt, v);
}

/* Rows of an item in the element, -1: none. */
static int
row_of (const Look *l, int item)
{
  const SsFesdSystem *s = l->w->system;
  const SsFesdRow *rows = ss_fesd_element_rows (l->e);
  for (int i = 0; i < ss_fesd_element_n_rows (l->e); i++) {
    const bool is_limit = rows[i].kind == SS_FESD_ROW_LIMIT || rows[i].kind == SS_FESD_ROW_DRIVE;
    if ((rows[i].kind == SS_FESD_ROW_NORMAL && rows[i].item == item) ||
        (is_limit && rows[i].item - s->n_bilateral + s->n_points == item))
      return i;
  }
  return -1;
}

/* mu lambda_n -+ lambda_t [000 (3)], or lambda_n [000 (1c)] [002 (12)], of rows at a stage. */
static double
force_condition (const Look *l, SsFesdSwitchKind kind, int item, int row, int stage)
{
  const double normal = ss_fesd_element_lambda (l->e, row, stage);
  const SsFesdDrive *drive = ss_fesd_drive_of (l->w->system, item);
  if (kind == SS_FESD_SEPARATION)
    return normal;
  if (drive != NULL)
    return drive->most + (kind == SS_FESD_BREAK_PLUS ? -normal : normal);
  const double mu = l->w->system->scene->contacts[l->w->system->points[item].contact].mu;
  const double tangential = ss_fesd_element_lambda (l->e, row + 1, stage);
  return mu * normal + (kind == SS_FESD_BREAK_PLUS ? -tangential : tangential);
}

/* Slips to the other side count with their sign. */
static double
sign_of (const Look *l, SsFesdSwitchKind kind, int item)
{
  return kind == SS_FESD_STOP && l->modes[item] == SS_FESD_SLIP_MINUS ? -1 : 1;
}

/* The gap [000 (1c)], the slip in its direction [000 (3)], or the room on a face. */
static double
state_condition (const Look *l, SsFesdSwitchKind kind, int item, const double *q, const double *v)
{
  const SsFesdPoint *point = &l->w->system->points[item];
  switch (kind) {
  case SS_FESD_IMPACT:
    return ss_fesd_point_gap (point, q) - l->offset[item];
  case SS_FESD_STOP:
    return slip_of (point, q, v) * sign_of (l, kind, item);
  default:
    return ss_fesd_point_room (point, q, kind == SS_FESD_EDGE_END);
  }
}

static bool
is_gap (SsFesdSwitchKind kind)
{
  return kind == SS_FESD_IMPACT || kind == SS_FESD_CROSSING;
}

static bool
is_force (SsFesdSwitchKind kind)
{
  return kind == SS_FESD_SEPARATION || kind == SS_FESD_BREAK_PLUS || kind == SS_FESD_BREAK_MINUS;
}

/* The gap of a pair's slot that is open, while the other one may be closed: what is left of the two manifold gaps.
 * Stages keep a closed gap to their order, not to rounding: others count from where it is. */
static double
pair_condition (const Look *l, SsFesdSwitchKind kind, const SsFesdPair *pair, int item, const double *q)
{
  double gaps[2];
  const int other = item == pair->slot ? pair->slot + 1 : pair->slot;
  ss_fesd_system_gaps (l->w->system, pair, q, gaps);
  if (l->modes[other] == SS_FESD_OPEN)
    return gaps[0] - l->offset[item];
  const double closed = ss_fesd_point_gap (&l->w->system->points[other], q);
  return kind == SS_FESD_CROSSING ? gaps[0] - closed + crossing_part * l->w->system->size
                                  : gaps[0] + gaps[1] - closed - l->offset[item];
}

static const SsFesdPair *
pair_of (const SsFesdSystem *s, int item)
{
  return item >= s->n_static && item < s->n_points ? &s->pairs[(item - s->n_static) / 2] : NULL;
}

/* What is watched of the row of a limit or a drive: its room, its rate. */
static double
watched_of_row (const SsFesdWatch *w, int k, const double *v)
{
  const SsFesdDrive *drive = ss_fesd_drive_of (w->system, w->system->n_points + k);
  return drive != NULL ? ss_fesd_drive_rate (drive, &w->limits[k], v) : w->limits[k].phi;
}

/* Values of a condition at the nodes of its curve; false when they are not finite. */
static bool
fill_values (const Look *l, SsFesdSwitchKind kind, int item, int row, double *values)
{
  const SsFesdSystem *s = l->w->system;
  const Curve *curve = is_force (kind) ? &l->w->force : &l->w->state;
  const SsFesdPair *pair = is_gap (kind) ? pair_of (s, item) : NULL;
  bool is_finite = true;
  for (int i = 0; i < curve->n; i++) {
    const double *q, *v;
    if (is_force (kind)) {
      values[i] = force_condition (l, kind, item, row, i);
    } else if (item >= s->n_points) {
      values[i] = (l->w->limit_phi[(item - s->n_points) * NODES_MAX + i] - l->offset[item]) * sign_of (l, kind, item);
    } else {
      state_at (l, i, &q, &v);
      values[i] = pair != NULL ? pair_condition (l, kind, pair, item, q) : state_condition (l, kind, item, q, v);
    }
    is_finite = is_finite && isfinite (values[i]);
  }
  return is_finite;
}

double
ss_fesd_watch_tolerance (const SsFesdWatch *w, const SsFesdElement *e, SsFesdSwitchKind kind)
{
  const double h = ss_fesd_element_length (e);
  if (is_force (kind)) /* forces know no more than velocities over the length */
    return force_part * w->force_scale + 64 * DBL_EPSILON * w->speed_scale / h;
  if (kind == SS_FESD_EDGE_BEGIN || kind == SS_FESD_EDGE_END) /* what rests at a corner is on both sides of it */
    return edge_part * w->system->size;
  return kind == SS_FESD_STOP ? speed_part * w->speed_scale : gap_part * w->system->size;
}

/* ---- looking ----------------------------------------------------------------------------------------------------- */

/* The condition falls from `above` to `below`: where it passes zero. */
static double
root_between (const Curve *curve, const double *values, double above, double below)
{
  for (int i = 0; i < BISECTIONS && below - above > 1e-15; i++) {
    const double middle = 0.5 * (above + below);
    if (value_at (curve, values, middle) >= 0)
      above = middle;
    else
      below = middle;
  }
  return 0.5 * (above + below);
}

/* A minimum between samples that dips below zero although the samples do not: by a parabola through three of them. */
static bool
dips_between (const Curve *curve, const double *values, const double *sample, int k, double tolerance, double *where)
{
  const double left = k > 0 ? sample[k - 1] : value_at (curve, values, 0), middle = sample[k], right = sample[k + 1];
  const double bend = left - 2 * middle + right;
  if (!(middle <= left && middle <= right && bend > 0))
    return false;
  const double shift = 0.5 * (left - right) / bend;
  *where = (k + 1 + shift) / SAMPLES;
  return value_at (curve, values, *where) < -tolerance;
}

/* A gap that begins at zero: the root at the start is divided out, (gap - level) / theta in the place of the gap. Its
 * value at the start is that of the polynomial through the others. */
static void
divide_out (const Curve *curve, double level, double *values)
{
  double sum = 0, value = 0;
  for (int i = 1; i < curve->n; i++) {
    double weight = 1;
    values[i] = (values[i] - level) / curve->node[i];
    for (int k = 1; k < curve->n; k++)
      weight *= k != i ? curve->node[k] / (curve->node[k] - curve->node[i]) : 1;
    value += weight * values[i];
    sum += weight;
  }
  values[0] = value / sum;
}

/* Keeps the condition when it fails earlier than what there is. */
static void
look_at (const Look *l, SsFesdSwitchKind kind, int item, int row, const SsFesdSwitch *solved, bool *found,
         SsFesdSwitch *first)
{
  const Curve *curve = is_force (kind) ? &l->w->force : &l->w->state;
  double values[NODES_MAX] = {0}, sample[SAMPLES];
  if (!fill_values (l, kind, item, row, values))
    return;
  double known = ss_fesd_watch_tolerance (l->w, l->e, kind);
  if (kind == SS_FESD_EDGE_BEGIN || kind == SS_FESD_EDGE_END) /* what is beyond its end by that much may stay there */
    known += fmin (fmax (-values[0], 0), beyond_part * l->w->system->size);
  /* a slip that is none at the start, of modes whose forces alone say that it is one */
  const bool is_rest = kind == SS_FESD_STOP && fabs (values[0]) <= rest_part * l->w->speed_scale && curve->node[0] == 0;
  const double tolerance = is_rest ? fmax (known, rest_part * l->w->speed_scale) : known;
  const double level = fmin (values[0], 0) - level_roundings * DBL_EPSILON * l->w->system->size;
  const bool is_divided =
      kind == SS_FESD_IMPACT && values[0] <= touching_part * l->w->system->size && curve->n > 1 && curve->node[0] == 0;
  const double dip = fmax (touching_part * l->w->system->size + level, 0.1 * tolerance);
  if (is_divided)
    divide_out (curve, level, values);
  double low = values[0], high = values[0];
  for (int i = 1; i < curve->n; i++) {
    low = fmin (low, values[i]);
    high = fmax (high, values[i]);
  }
  /* a polynomial goes below its values by a few times their spread at most */
  if (low > 3 * (high - low))
    return;
  const bool is_solved = solved != NULL && solved->item == item && solved->kind == kind;
  const double start = value_at (curve, values, 0),
               clear = is_divided ? start_roundings * DBL_EPSILON * l->w->system->size : tolerance;
  double before = start > clear ? 0 : -1;
  for (int k = 0; k < SAMPLES; k++) {
    sample[k] = 0;
    for (int i = 0; i < curve->n; i++)
      sample[k] += curve->sample[k][i] * values[i];
  }
  for (int k = 0; k < SAMPLES; k++) {
    const double theta = (k + 1.0) / SAMPLES;
    const double small = is_divided ? dip / theta : tolerance;
    double after = theta;
    if (is_solved && k == SAMPLES - 1)
      break;
    if (sample[k] >= -small) {
      const bool dips = k + 1 < SAMPLES && dips_between (curve, values, sample, k, small, &after);
      if (!dips) {
        before = sample[k] > small ? theta : before;
        continue;
      }
      before = sample[k] > small && after > theta ? theta : before;
    }
    const double root = before < 0 ? 0 : root_between (curve, values, before, after);
    if (*found && root >= first->theta)
      return;
    const double step = 1e-4, steepness = is_divided ? root : 1;
    *first = (SsFesdSwitch){.kind = kind,
                            .item = item,
                            .theta = root,
                            .before = before,
                            .after = after,
                            .level = is_divided ? level : 0,
                            .slope = steepness *
                                     (value_at (curve, values, root + step) - value_at (curve, values, root - step)) /
                                     (2 * step)};
    *found = true;
    return;
  }
}

static void
set_scales (SsFesdWatch *w, const SsFesdElement *e, const double *v0)
{
  const SsFesdSystem *s = w->system;
  const SsFesdRow *rows = ss_fesd_element_rows (e);
  w->speed_scale = 1; /* m/s, as for speeds that are none */
  for (int i = 0; i < s->n_q; i++)
    w->speed_scale = fmax (w->speed_scale, fabs (v0[i]));
  const double *v = ss_fesd_element_v (e, ss_fesd_element_n_stages (e));
  for (int i = 0; i < s->n_q; i++)
    w->speed_scale = fmax (w->speed_scale, fabs (v[i]));
  w->force_scale = 0;
  for (int i = 0; i < ss_fesd_element_n_rows (e); i++)
    for (int j = 0; j < ss_fesd_element_n_stages (e) && rows[i].kind != SS_FESD_ROW_BILATERAL; j++)
      w->force_scale = fmax (w->force_scale, fabs (ss_fesd_element_lambda (e, i, j)));
}

static void
set_limits (SsFesdWatch *w, const Look *l)
{
  const SsFesdSystem *s = w->system;
  for (int i = 0; s->n_rows > s->n_bilateral && i < w->state.n; i++) {
    const double *q, *v;
    state_at (l, i, &q, &v);
    const int n = ss_fesd_item_rows (s, ss_fesd_element_time (l->e, i - (w->tableau.c[0] > 0)), q, v, w->limits);
    for (int k = 0; k < n; k++)
      w->limit_phi[k * NODES_MAX + i] = watched_of_row (w, k, v);
  }
}

/* What passes between the stages is twice that of the stages at most. */
static void
set_ways (SsFesdWatch *w, const Look *l)
{
  for (int b = 0; b < w->system->scene->n_bodies; b++) {
    const double *from = l->q0 + 3 * b;
    double way = 0, turn = 0;
    for (int j = 0; j <= ss_fesd_element_n_stages (l->e); j++) {
      const double *to = ss_fesd_element_q (l->e, j) + 3 * b, x = to[0] - from[0], y = to[1] - from[1];
      way = fmax (way, x * x + y * y);
      turn = fmax (turn, fabs (to[2] - from[2]));
    }
    w->way[b] = 2 * sqrt (way);
    w->turn[b] = 2 * turn;
  }
}

/* Bodies that are too far apart at the start to meet need no look: their circles; then their shapes. */
static bool
is_far_pair (const Look *l, const SsFesdPair *pair)
{
  const SsFesdWatch *w = l->w;
  const SsContact *c = &w->system->scene->contacts[pair->contact];
  const double *a = l->q0 + 3 * c->body_a, *b = l->q0 + 3 * c->body_b;
  const double way = w->way[c->body_a] + w->way[c->body_b];
  if (!isfinite (pair->radius))
    return false;
  if (hypot (b[0] - a[0], b[1] - a[1]) - pair->radius > way)
    return true;
  double gaps[2];
  ss_fesd_system_gaps (w->system, pair, l->q0, gaps);
  return gaps[0] > way + (w->turn[c->body_a] + w->turn[c->body_b]) * pair->radius;
}

/* The same of a point that stays what it is. */
static bool
is_far_point (const Look *l, int item)
{
  const SsFesdWatch *w = l->w;
  const SsFesdPoint *p = &w->system->points[item];
  const double *a = l->q0 + 3 * p->body[0], *b = l->q0 + 3 * p->body[1];
  const double arm = hypot (p->at[1].x, p->at[1].y);
  /* a face sweeps the vertex, a centre only itself */
  const double swept = p->kind == SS_FESD_FACE ? hypot (b[0] - a[0], b[1] - a[1]) + w->way[p->body[1]] + arm
                                               : hypot (p->at[0].x, p->at[0].y);
  const double way = w->way[p->body[0]] + w->way[p->body[1]] + w->turn[p->body[0]] * swept + w->turn[p->body[1]] * arm;
  return ss_fesd_point_gap (p, l->q0) - l->offset[item] > way;
}

/* ---- what is fast ------------------------------------------------------------------------------------------------ */

/* Two bodies on their ways through the element. */
typedef struct {
  const Look *l;
  int body[2];
} Pass;

static void
place_pass (const void *owner, double s, double pose[2][3])
{
  const Pass *pass = owner;
  double weight[NODES_MAX];
  weights_at (&pass->l->w->state, s, weight);
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < 3; k++) {
      pose[side][k] = 0;
      for (int i = 0; i < pass->l->w->state.n; i++) {
        const double *q, *v;
        state_at (pass->l, i, &q, &v);
        pose[side][k] += weight[i] * q[3 * pass->body[side] + k];
      }
    }
}

/* Sets what the ways differ in speed from straight ones. */
static void
set_bend (const Pass *pass, SsSweep *sweep)
{
  double before[2][3], now[2][3], most = 0, turning[2];
  for (int side = 0; side < 2; side++)
    turning[side] = ss_shape_turning_radius (sweep->shape[side]);
  place_pass (pass, 0, before);
  for (int i = 1; i <= SAMPLES; i++) {
    double off[2][3], turns = 0;
    place_pass (pass, (double)i / SAMPLES, now);
    for (int side = 0; side < 2; side++) {
      for (int k = 0; k < 3; k++)
        off[side][k] = SAMPLES * (now[side][k] - before[side][k]) - (sweep->to[side][k] - sweep->from[side][k]);
      if (off[side][2] != 0 && isfinite (turning[side]))
        turns += fabs (off[side][2]) * turning[side];
    }
    most = fmax (most, hypot (off[1][0] - off[0][0], off[1][1] - off[0][1]) + turns);
    memcpy (before, now, sizeof before);
  }
  sweep->bend = between_samples * most;
}

/* Of shapes that begin in touch: a place where they are clear of each other before they first overlap deeply. */
static bool
leaves_before (const SsSweep *sweep, double deep, double offset, double clear, double *before)
{
  for (int i = SAMPLES - 1; i > 0; i--) {
    *before = deep * i / SAMPLES;
    if (ss_sweep_gap (sweep, *before) - offset > clear)
      return true;
  }
  return false;
}

/* The first impact of two shapes along their ways: of those that begin in touch after they have left, which the first
 * place tells where they overlap deeply, else the first sample at which they are apart. */
static bool
find_impact (const SsSweep *sweep, double width, double offset, double *before, double *after)
{
  const double apart = apart_part * width, clear = clear_part * width;
  double from = 0;
  const double gap = ss_sweep_gap (sweep, 0) - offset;
  if (!(gap > apart)) {
    const double deep = ss_sweep_first (sweep, 0, offset + fmin (gap, 0) - apart, apart / 4);
    if (isfinite (deep) && !leaves_before (sweep, deep, offset, clear, &from))
      return false;
    if (isfinite (deep)) {
      *before = from;
      *after = deep;
      return true;
    }
  }
  for (int i = 0; !(ss_sweep_gap (sweep, from) - offset > apart); from = (double)i / SAMPLES)
    if (++i > SAMPLES)
      return false;
  *before = ss_sweep_first (sweep, from, offset + clear, clear / 2);
  *after = isfinite (*before) ? ss_sweep_first (sweep, *before, offset - clear, clear / 2) : INFINITY;
  return *after < 1 || (*after <= 1 && ss_sweep_gap (sweep, 1) < offset);
}

/* How far the bodies come past each other. */
static double
way_between (const Look *l, int a, int b, double radius)
{
  double way = 0;
  for (int j = 0; j <= ss_fesd_element_n_stages (l->e); j++) {
    const double *q = ss_fesd_element_q (l->e, j);
    way = fmax (way, hypot (q[3 * b] - l->q0[3 * b] - (q[3 * a] - l->q0[3 * a]),
                            q[3 * b + 1] - l->q0[3 * b + 1] - (q[3 * a + 1] - l->q0[3 * a + 1])));
  }
  const double turn = l->w->turn[a] + l->w->turn[b];
  return way + (turn > 0 ? turn * radius : 0);
}

/* Looks at an open item whose bodies are fast. True: it is looked at, and its gap is not to be taken for a
 * polynomial. */
static bool
look_at_fast (const Look *l, int item, const SsShape *const shape[2], const int body[2], double width, double radius,
              bool *found, SsFesdSwitch *first)
{
  const SsFesdWatch *w = l->w;
  const int a = body[0], b = body[1];
  const bool is_plane = shape[0]->kind == SS_SHAPE_HALF_PLANE || shape[1]->kind == SS_SHAPE_HALF_PLANE;
  const double part = fast_part * width;
  if (is_plane ? !(w->turn[a] + w->turn[b] > 2 * fast_turn)
               : !(w->way[a] + w->way[b] + (w->turn[a] + w->turn[b]) * radius > part &&
                   way_between (l, a, b, radius) > part))
    return false;
  const double *q1 = ss_fesd_element_q (l->e, ss_fesd_element_n_stages (l->e)), offset = l->offset[item];
  const Pass pass = {l, {a, b}};
  SsSweep sweep = {.shape = {shape[0], shape[1]},
                   .from = {l->q0 + 3 * a, l->q0 + 3 * b},
                   .to = {q1 + 3 * a, q1 + 3 * b},
                   .place = place_pass,
                   .owner = &pass};
  double before, after;
  set_bend (&pass, &sweep);
  const bool is_apart = ss_sweep_gap (&sweep, 0) - offset > apart_part * width;
  if (!find_impact (&sweep, width, offset, &before, &after) || (*found && before >= first->theta))
    return is_apart;
  double above = before, below = after;
  for (int i = 0; i < BISECTIONS && below - above > 1e-15; i++) {
    const double middle = 0.5 * (above + below);
    if (ss_sweep_gap (&sweep, middle) >= offset)
      above = middle;
    else
      below = middle;
  }
  const double root = 0.5 * (above + below);
  if (*found && root >= first->theta)
    return is_apart;
  *first = (SsFesdSwitch){.kind = SS_FESD_IMPACT,
                          .item = item,
                          .theta = root,
                          .before = before,
                          .after = after,
                          .slope = (ss_sweep_gap (&sweep, after) - ss_sweep_gap (&sweep, before)) / (after - before)};
  *found = true;
  return is_apart;
}

/* The same of a point that stays what it is. */
static bool
look_at_fast_point (const Look *l, int item, bool *found, SsFesdSwitch *first)
{
  const SsFesdPoint *p = &l->w->system->points[item];
  const SsShape round = {.kind = SS_SHAPE_CIRCLE, .centre = p->at[1], .radius = p->radius[1]};
  const SsShape other = p->kind == SS_FESD_ROUND
                            ? (SsShape){.kind = SS_SHAPE_CIRCLE, .centre = p->at[0], .radius = p->radius[0]}
                            : (SsShape){.kind = SS_SHAPE_HALF_PLANE, .centre = p->at[0], .normal = p->normal};
  const double arms = hypot (p->at[0].x, p->at[0].y) + hypot (p->at[1].x, p->at[1].y);
  /* a corner of a half-plane's contact may have no width of its own */
  const double width = isfinite (l->w->width[item]) ? l->w->width[item] : l->w->system->size;
  return look_at_fast (l, item, (const SsShape *const[]){&other, &round}, p->body, width, arms, found, first);
}

static void
look_at_held (const Look *l, int item, int row, const SsFesdSwitch *solved, bool *found, SsFesdSwitch *first)
{
  look_at (l, SS_FESD_BREAK_PLUS, item, row, solved, found, first);
  look_at (l, SS_FESD_BREAK_MINUS, item, row, solved, found, first);
}

static void
look_at_closed (const Look *l, int item, int row, const SsFesdSwitch *solved, bool *found, SsFesdSwitch *first)
{
  const SsFesdSystem *s = l->w->system;
  look_at (l, SS_FESD_SEPARATION, item, row, solved, found, first);
  if (item >= s->n_points)
    return;
  const bool has_friction = s->scene->contacts[s->points[item].contact].mu > 0;
  if (l->modes[item] == SS_FESD_STICK) {
    look_at_held (l, item, row, solved, found, first);
  } else if (has_friction) {
    look_at (l, SS_FESD_STOP, item, row, solved, found, first);
  }
  if (item >= s->n_static) {
    look_at (l, SS_FESD_EDGE_BEGIN, item, row, solved, found, first);
    look_at (l, SS_FESD_EDGE_END, item, row, solved, found, first);
  }
}

bool
ss_fesd_watch_find (SsFesdWatch *w, const SsFesdElement *e, const double *q0, const double *v0, const SsFesdMode *modes,
                    const double *offset, const SsFesdSwitch *solved, SsFesdSwitch *first)
{
  SS_ASSERT (w != NULL && e != NULL && q0 != NULL && v0 != NULL && modes != NULL && offset != NULL && first != NULL);

  const SsFesdSystem *s = w->system;
  const SsFesdRow *rows = ss_fesd_element_rows (e);
  const Look l = {.w = w, .e = e, .q0 = q0, .v0 = v0, .offset = offset, .modes = modes};
  bool found = false;
  set_scales (w, e, v0);
  set_limits (w, &l);
  set_ways (w, &l);
  for (int i = 0; i < ss_fesd_element_n_rows (e); i++) {
    if (rows[i].kind == SS_FESD_ROW_NORMAL)
      look_at_closed (&l, rows[i].item, i, solved, &found, first);
    else if (rows[i].kind == SS_FESD_ROW_LIMIT)
      look_at_closed (&l, s->n_points + rows[i].item - s->n_bilateral, i, solved, &found, first);
    else if (rows[i].kind == SS_FESD_ROW_DRIVE)
      look_at_held (&l, s->n_points + rows[i].item - s->n_bilateral, i, solved, &found, first);
  }
  for (int i = 0; i < s->n_static; i++)
    if (modes[i] == SS_FESD_OPEN && !is_far_point (&l, i) && !look_at_fast_point (&l, i, &found, first))
      look_at (&l, SS_FESD_IMPACT, i, -1, solved, &found, first);
  for (int i = 0; i < s->n_pairs; i++) {
    const SsFesdPair *pair = &s->pairs[i];
    const bool open[2] = {modes[pair->slot] == SS_FESD_OPEN, modes[pair->slot + 1] == SS_FESD_OPEN};
    if ((!open[0] && !open[1]) || is_far_pair (&l, pair))
      continue;
    const SsContact *c = &s->scene->contacts[pair->contact];
    if (open[0] && open[1] &&
        look_at_fast (&l, pair->slot, pair->shape, (const int[]){c->body_a, c->body_b}, w->width[s->n_static + i],
                      pair->radius, &found, first))
      continue;
    look_at (&l, SS_FESD_IMPACT, open[0] ? pair->slot : pair->slot + 1, -1, solved, &found, first);
    if (!open[0] || !open[1])
      look_at (&l, SS_FESD_CROSSING, open[0] ? pair->slot : pair->slot + 1, -1, solved, &found, first);
  }
  for (int i = s->n_points; i < ss_fesd_n_items (s); i++)
    if (ss_fesd_drive_of (s, i) == NULL ? modes[i] == SS_FESD_OPEN : modes[i] != SS_FESD_STICK)
      look_at (&l, ss_fesd_drive_of (s, i) == NULL ? SS_FESD_IMPACT : SS_FESD_STOP, i, -1, solved, &found, first);
  return found;
}

double
ss_fesd_watch_force (const SsFesdWatch *w, const SsFesdElement *e, int row, double theta)
{
  SS_ASSERT (w != NULL && e != NULL);

  double values[NODES_MAX];
  for (int j = 0; j < w->force.n; j++)
    values[j] = ss_fesd_element_lambda (e, row, j);
  return value_at (&w->force, values, theta);
}

double
ss_fesd_watch_at_end (SsFesdWatch *w, const SsFesdElement *e, const SsFesdSwitch *what, const SsFesdMode *modes,
                      const double *offset)
{
  SS_ASSERT (w != NULL && e != NULL && what != NULL && modes != NULL && offset != NULL);

  const SsFesdSystem *s = w->system;
  const Look l = {.w = w, .e = e, .offset = offset, .modes = modes};
  const int end = ss_fesd_element_n_stages (e);
  const double *q = ss_fesd_element_q (e, end), *v = ss_fesd_element_v (e, end);
  if (is_force (what->kind)) {
    double values[NODES_MAX];
    const int row = row_of (&l, what->item);
    for (int j = 0; j < w->force.n; j++)
      values[j] = force_condition (&l, what->kind, what->item, row, j);
    return value_at (&w->force, values, 1);
  }
  if (what->item >= s->n_points) {
    ss_fesd_item_rows (s, ss_fesd_element_time (e, end), q, v, w->limits);
    return (watched_of_row (w, what->item - s->n_points, v) - offset[what->item]) *
               sign_of (&l, what->kind, what->item) -
           what->level;
  }
  const SsFesdPair *pair = is_gap (what->kind) ? pair_of (s, what->item) : NULL;
  return (pair != NULL ? pair_condition (&l, what->kind, pair, what->item, q)
                       : state_condition (&l, what->kind, what->item, q, v)) -
         what->level;
}
