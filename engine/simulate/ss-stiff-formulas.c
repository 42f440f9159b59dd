/* engine/simulate/ss-stiff-formulas.c: what formulas do to one body, or to two that read each other; see ss-stiff.h. */
#include "simulate/ss-stiff-private.h"

#include <math.h>
#include <string.h>

enum { N_MAX = 6, SWEEPS_MAX = 30 };
/* Off the diagonal, relative to it, what Jacobi's rotations leave. */
static const double negligible = 1e-15;

/* ---- groups ------------------------------------------------------------------------------------------------------ */

static bool
is_mover (const SsScene *scene, int body)
{
  return body >= 0 && !ss_body_is_immovable (&scene->bodies[body]);
}

/* The body that `b` reads or that reads `b`, of those that move: -1 none, -2 more than one. */
static int
partner_of (const SsStiff *s, int b)
{
  const SsScene *scene = s->scene;
  const SsSlope *slopes = ss_slopes_get (s->slopes);
  int partner = -1;
  for (int i = 0; i < ss_slopes_count (s->slopes) && slopes[i].formula < 3 * scene->n_forces; i++) {
    const int on = scene->forces[slopes[i].formula / 3].body, by = slopes[i].slot / 6, other = on == b ? by : on;
    if (on == by || (on != b && by != b) || !is_mover (scene, on) || !is_mover (scene, by) || other == partner)
      continue;
    partner = partner == -1 ? other : -2;
    if (partner == -2)
      break;
  }
  return partner;
}

void
ss_stiff_make_groups (SsStiff *s)
{
  SS_ASSERT (s != NULL);

  const SsScene *scene = s->scene;
  const SsSlope *slopes = ss_slopes_get (s->slopes);
  for (int b = 0; b < scene->n_bodies; b++)
    s->group_of_body[b] = -1;
  for (int k = 0; k < ss_slopes_count (s->slopes) && slopes[k].formula < 3 * scene->n_forces; k++) {
    const int b = scene->forces[slopes[k].formula / 3].body;
    if (s->group_of_body[b] >= 0 || !is_mover (scene, b))
      continue;
    int other = partner_of (s, b);
    if (other < 0 || partner_of (s, other) != b)
      other = -1;
    s->groups[s->n_groups] = (SsStiffGroup){.body = {b, other}};
    s->group_of_body[b] = s->n_groups;
    if (other >= 0)
      s->group_of_body[other] = s->n_groups;
    s->n_groups++;
  }
}

/* ---- eigenvectors ------------------------------------------------------------------------------------------------ */

/* Eigenvalues of a symmetric matrix (n x n, by columns of N_MAX) on its diagonal, eigenvectors in the columns of w:
 * cyclic Jacobi. */
static void
find_eigenvectors (int n, double *a, double *w)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      w[i + N_MAX * j] = i == j;
  for (int sweep = 0; sweep < SWEEPS_MAX; sweep++) {
    bool any = false;
    for (int p = 0; p < n; p++)
      for (int r = p + 1; r < n; r++) {
        const double apr = a[p + N_MAX * r], app = a[p + N_MAX * p], arr = a[r + N_MAX * r];
        if (!(fabs (apr) > negligible * sqrt (fabs (app * arr))) || apr == 0)
          continue;
        any = true;
        const double tau = (arr - app) / (2 * apr);
        const double t = (tau >= 0 ? 1 : -1) / (fabs (tau) + sqrt (1 + tau * tau)), c = 1 / sqrt (1 + t * t), s = t * c;
        for (int k = 0; k < n; k++) {
          const double akp = a[k + N_MAX * p], akr = a[k + N_MAX * r];
          a[k + N_MAX * p] = c * akp - s * akr;
          a[k + N_MAX * r] = s * akp + c * akr;
        }
        for (int k = 0; k < n; k++) {
          const double apk = a[p + N_MAX * k], ark = a[r + N_MAX * k];
          a[p + N_MAX * k] = c * apk - s * ark;
          a[r + N_MAX * k] = s * apk + c * ark;
        }
        for (int k = 0; k < n; k++) {
          const double wkp = w[k + N_MAX * p], wkr = w[k + N_MAX * r];
          w[k + N_MAX * p] = c * wkp - s * wkr;
          w[k + N_MAX * r] = s * wkp + c * wkr;
        }
      }
    if (!any)
      return;
  }
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* A group's K and D, scaled by M^-1/2 on both sides. */
typedef struct {
  int n;              /* coordinates: 3 or 6 */
  double root[N_MAX]; /* of 1/mass */
  double k[N_MAX * N_MAX], d[N_MAX * N_MAX];
} Slopes;

static double
quadratic (int n, const double *a, const double *w)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += w[i] * a[i + N_MAX * j] * w[j];
  return sum;
}

/* What comes from bodies outside of the group stays explicit, whether or not the step resolves it. */
static void
gather (SsStiff *s, const double *inverse, const SsStiffRule *rule, int group, Slopes *out)
{
  const SsScene *scene = s->scene;
  const SsSlope *slopes = ss_slopes_get (s->slopes);
  const int *body = s->groups[group].body;
  memset (out, 0, sizeof *out);
  out->n = body[1] >= 0 ? 6 : 3;
  for (int i = 0; i < out->n; i++)
    out->root[i] = sqrt (inverse[3 * body[i / 3] + i % 3]);
  for (int at = 0; at < ss_slopes_count (s->slopes) && slopes[at].formula < 3 * scene->n_forces; at++) {
    const int on = scene->forces[slopes[at].formula / 3].body, by = slopes[at].slot / 6, c = slopes[at].slot % 6;
    if (s->group_of_body[on] != group)
      continue;
    const int i = (on == body[0] ? 0 : 3) + slopes[at].formula % 3;
    if (s->group_of_body[by] == group) {
      const int j = (by == body[0] ? 0 : 3) + c % 3;
      (c < 3 ? out->k : out->d)[i + N_MAX * j] -= slopes[at].value * out->root[i] * out->root[j];
    } else {
      const double size =
          fabs (slopes[at].value) * out->root[i] * sqrt (inverse[3 * by + c % 3]) * (c < 3 ? rule->h : 1);
      s->is_left = s->is_left || rule->h * size > SS_STIFF_RESOLVED;
    }
  }
  for (int i = 0; i < out->n; i++)
    for (int j = 0; j < i; j++) {
      double *k = out->k, *d = out->d;
      const int a = i + N_MAX * j, b = j + N_MAX * i;
      const double skew = rule->h * fabs (rule->h * (k[a] - k[b]) + d[a] - d[b]) / 2;
      s->is_left = s->is_left || skew > SS_STIFF_RESOLVED;
      k[a] = k[b] = (k[a] + k[b]) / 2;
      d[a] = d[b] = (d[a] + d[b]) / 2;
    }
}

/* Force of the formulas, and its change by d q/d t = v, along a row whose Jacobian is w scaled by M^1/2. */
static void
force_along (const SsStiff *s, int group, const Slopes *g, const double *w, double *force, double *change)
{
  const SsScene *scene = s->scene;
  const int *body = s->groups[group].body;
  *force = *change = 0;
  for (int i = 0; i < g->n; i++)
    *force += w[i] * g->root[i] * s->f[3 * body[i / 3] + i % 3];
  for (int i = 0; i < 3 * scene->n_forces; i++)
    for (int side = 0; side < g->n / 3; side++)
      if (scene->forces[i / 3].body == body[side])
        *change += w[3 * side + i % 3] * g->root[3 * side + i % 3] * s->change[i];
}

static void
add_group (SsStiff *s, const SsStiffRule *rule, int group, const Slopes *g, const double *v)
{
  const int *body = s->groups[group].body;
  double a[N_MAX * N_MAX], w[N_MAX * N_MAX];
  for (int i = 0; i < N_MAX * N_MAX; i++)
    a[i] = rule->way * g->k[i] + g->d[i];
  find_eigenvectors (g->n, a, w);
  for (int e = 0; e < g->n; e++) {
    const double *x = w + N_MAX * e, k = quadratic (g->n, g->k, x), d = quadratic (g->n, g->d, x);
    const double zeta = rule->h * (rule->h * k + d);
    if (!(zeta > ss_stiff_threshold (rule)))
      continue;
    const SsStiffWeights weights = ss_stiff_weights (rule, 1 - 1 / (zeta * zeta));
    const double delta = rule->kick * (weights.after * k + weights.end * d);
    const double shift = rule->is_end ? 0 : weights.after;
    if (!(delta > 0))
      continue;
    SsStiffRow *row = &s->rows[s->n_rows++];
    double force, change;
    *row = (SsStiffRow){
        .row = {.row = {.kind = SS_ROW_STIFF, .body = {body[1] >= 0 ? body[0] : -1, body[1] >= 0 ? body[1] : body[0]}},
                .compliance = 1 / delta},
        .lower = -INFINITY,
        .upper = INFINITY};
    double *j = row->row.row.j + (body[1] >= 0 ? 0 : 3);
    for (int i = 0; i < g->n; i++)
      j[i] = g->root[i] > 0 ? x[i] / g->root[i] : 0;
    force_along (s, group, g, x, &force, &change);
    row->row.bias = -ss_row_velocity (&row->row.row, v) - rule->kick * (force + shift * change) / delta;
  }
}

void
ss_stiff_add_formulas (SsStiff *s, SsDynamics *dynamics, const SsStiffRule *rule, double t, const double *q,
                       const double *v)
{
  SS_ASSERT (s != NULL);

  bool has_forces = false;
  for (int i = 0; i < s->n_groups; i++) {
    Slopes g;
    gather (s, ss_dynamics_inverse_mass (dynamics), rule, i, &g);
    double largest = 0;
    for (int k = 0; k < N_MAX * N_MAX; k++)
      largest = fmax (largest, rule->h * (rule->h * fabs (g.k[k]) + fabs (g.d[k])));
    if (!(N_MAX * largest > ss_stiff_threshold (rule)))
      continue;
    if (!has_forces)
      ss_dynamics_forces (dynamics, SS_FORCE_FORMULAS, t, q, v, NULL, s->f);
    has_forces = true;
    add_group (s, rule, i, &g, v);
  }
}
