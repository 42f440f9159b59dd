/* engine/plan/ss-shoot-cheaper.c: see the header. */
#include "plan/ss-shoot-cheaper.h"

#include "core/ss-memory.h"
#include "linalg/ss-linalg.h"
#include "plan/ss-shot-private.h"

#include <math.h>
#include <string.h>

/* Hats an actuator; steps at most. */
enum { HATS = 12, STEPS_MOST = 100 };
/* Damping, in parts of the largest diagonal: at first, how it falls and grows, and at most. */
static const double DAMPING_FIRST = 1e-2, DAMPING_FALL = 0.2, DAMPING_GROWTH = 8, DAMPING_MOST = 1e4;
/* The longest step, in units of the hats' heights. */
static const double STEP_LONGEST = 0.3;
/* Steps that cost less by a smaller part: so many in turn are the last. */
static const double GAIN = 3e-3;
enum { SMALL_MOST = 2 };
/* What rows and curvature are at least, in parts of their largest. */
static const double SMALL = 1e-9;

typedef struct {
  SsShot s;
  SsTracker t;
  const SsCheaperJudge *judge;
  SsRunControl *control;
  double objective;                       /* of the best heights */
  double *gradient, *curvature, *factor;  /* n_hats; n_hats x n_hats, by columns, twice */
  double *jacobian, *moved, *gram, *dual; /* m x n_hats by rows; n_hats x m by columns; m x m; m */
  double *trial, *best;                   /* heights: a step; the best */
  double *base;
} Cheaper;

static SsStatus
open_cheaper (Cheaper *c, SsError *err)
{
  const size_t n = (size_t)c->s.n_hats, m = (size_t)c->s.n_rows;

  c->base = ss_new_array (double, 3 * n + 2 * n * n + 2 * m * n + m * m + m + 1);
  if (c->base == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  c->gradient = c->base;
  c->trial = c->gradient + n;
  c->best = c->trial + n;
  c->curvature = c->best + n;
  c->factor = c->curvature + n * n;
  c->jacobian = c->factor + n * n;
  c->moved = c->jacobian + m * n;
  c->gram = c->moved + m * n;
  c->dual = c->gram + m * m;
  return SS_OK;
}

/* Second derivatives of effort and its rate by the heights: controls that nothing limits are linear in them. */
static void
find_curvature (Cheaper *c)
{
  const SsPlan *plan = c->s.plan;
  const int n = c->s.n_hats, steps = c->s.steps;
  const double h = c->t.end / steps;

  memset (c->curvature, 0, (size_t)n * (size_t)n * sizeof *c->curvature);
  for (int i = 0; i < HATS; i++)
    for (int j = 0; j < HATS; j++) {
      double effort = 0, rate = 0;

      for (int k = 0; k < steps; k++) {
        const double now = (double)k / steps, before = (double)(k > 0 ? k - 1 : 0) / steps,
                     own = ss_shot_hat (HATS, i, now), other = ss_shot_hat (HATS, j, now);

        effort += own * other;
        rate += (own - ss_shot_hat (HATS, i, before)) * (other - ss_shot_hat (HATS, j, before));
      }
      for (int a = 0; a < c->t.scene->n_actuators; a++)
        c->curvature[(size_t)(HATS * a + i) * (size_t)n + (size_t)(HATS * a + j)] =
            2 * c->t.units[a] * c->t.units[a] *
            ((plan->effort != NULL ? h * plan->effort[a] * effort : 0) + plan->effort_rate * rate);
    }
}

/* The step d of a damped quadratic programme, into trial; false: there is none. */
static bool
find_step (Cheaper *c, double damping)
{
  const int n = c->s.n_hats, m = c->s.n_rows;
  double largest = 0, steepest = 0, row_most = 0, length = 0;

  for (int i = 0; i < n; i++) {
    largest = fmax (largest, c->curvature[(size_t)i * (size_t)n + (size_t)i]);
    steepest = fmax (steepest, fabs (c->gradient[i]));
  }
  if (!(steepest > 0) || !isfinite (steepest))
    return false;
  memcpy (c->factor, c->curvature, (size_t)n * (size_t)n * sizeof *c->factor);
  for (int i = 0; i < n; i++)
    c->factor[(size_t)i * (size_t)n + (size_t)i] += damping * fmax (largest, steepest) + SMALL * steepest;
  if (ss_dense_cholesky (n, c->factor, n) != SS_OK)
    return false;
  /* moved = H^-1 J', gram = J H^-1 J' */
  for (int r = 0; r < m; r++) {
    memcpy (c->moved + (size_t)r * (size_t)n, c->jacobian + (size_t)r * (size_t)n, (size_t)n * sizeof (double));
    ss_dense_cholesky_solve (n, c->factor, n, c->moved + (size_t)r * (size_t)n);
  }
  memcpy (c->trial, c->gradient, (size_t)n * sizeof (double));
  ss_dense_cholesky_solve (n, c->factor, n, c->trial);
  for (int r = 0; r < m; r++) {
    for (int q = 0; q < m; q++)
      c->gram[r * m + q] = ss_dot (n, c->jacobian + (size_t)r * (size_t)n, c->moved + (size_t)q * (size_t)n);
    c->dual[r] = ss_dot (n, c->jacobian + (size_t)r * (size_t)n, c->trial);
    row_most = fmax (row_most, c->gram[r * m + r]);
  }
  for (int r = 0; r < m; r++)
    c->gram[r * m + r] += SMALL * row_most;
  if (row_most > 0 && ss_dense_cholesky (m, c->gram, m) != SS_OK)
    return false;
  if (row_most > 0)
    ss_dense_cholesky_solve (m, c->gram, m, c->dual);
  for (int i = 0; i < n; i++) {
    double step = -c->trial[i];

    for (int r = 0; r < m && row_most > 0; r++)
      step += c->dual[r] * c->moved[(size_t)r * (size_t)n + (size_t)i];
    c->trial[i] = step;
    length = fmax (length, fabs (step));
  }
  for (int i = 0; i < n && length > STEP_LONGEST; i++)
    c->trial[i] *= STEP_LONGEST / length;
  return isfinite (length) && length > 0;
}

/* One step, shot at the targets; *is_kept: it is the best now. */
static SsStatus
take_step (Cheaper *c, double damping, bool *is_kept, SsError *err)
{
  SsShot *s = &c->s;
  const size_t n = (size_t)s->n_hats, m = (size_t)s->n_rows;
  SsTrajectory *motion = NULL;
  bool is_settled = false;
  double miss;

  *is_kept = false;
  if (!find_step (c, damping))
    return SS_OK;
  memcpy (c->best, s->best, n * sizeof (double));
  for (size_t i = 0; i < n; i++)
    s->best[i] += c->trial[i];
  memcpy (s->jacobian, c->jacobian, m * n * sizeof (double));
  s->has_jacobian = true;
  SsStatus status = ss_shot_settle (s, c->control, &is_settled, err);
  double objective = INFINITY;
  if (status == SS_OK && is_settled && s->miss <= s->aim) {
    status = ss_shot_miss (s, s->best, s->rows, &miss, err);
    objective = ss_sampled_cost_end (c->t.watch).objective;
  }
  if (status == SS_OK && objective < c->objective) {
    status = ss_shot_motion (s, &motion, err);
    *is_kept = status == SS_OK && motion != NULL;
    if (*is_kept && c->judge != NULL)
      status = c->judge->is_kept (c->judge->user_data, motion, is_kept, err);
  }
  ss_trajectory_free (motion);
  if (status != SS_OK)
    return status;
  if (*is_kept)
    c->objective = objective;
  else {
    memcpy (s->best, c->best, n * sizeof (double));
    status = ss_shot_miss (s, s->best, s->rows, &s->miss, err);
  }
  return status;
}

static SsStatus
go_down (Cheaper *c, SsCheaper *out, SsError *err)
{
  SsShot *s = &c->s;
  double damping = DAMPING_FIRST;
  bool is_made = true, is_settled = false;
  SsOutcome why;
  SsStatus status = ss_shot_settle (s, c->control, &is_settled, err);

  if (status == SS_OK && is_settled)
    status = ss_shot_miss (s, s->best, s->rows, &s->miss, err);
  if (status != SS_OK || !is_settled || !(s->miss <= s->aim)) /* no motion of the law in these steps */
    return status;
  out->before = out->after = c->objective = ss_sampled_cost_end (c->t.watch).objective;
  find_curvature (c);
  for (int i = 0, n_small = 0; i < STEPS_MOST && status == SS_OK && n_small < SMALL_MOST && damping <= DAMPING_MOST;
       i++) {
    const double before = c->objective;
    bool is_kept = false;

    status = ss_shot_differentiate (s, c->control, c->objective, c->gradient, &is_made, err);
    if (status != SS_OK || !is_made)
      break;
    memcpy (c->jacobian, s->jacobian, (size_t)s->n_rows * (size_t)s->n_hats * sizeof (double));
    while (status == SS_OK && !is_kept && damping <= DAMPING_MOST && !ss_run_control_should_stop (c->control, &why)) {
      status = take_step (c, damping, &is_kept, err);
      damping *= is_kept ? DAMPING_FALL : DAMPING_GROWTH;
    }
    if (!is_kept)
      break;
    out->n_steps++;
    n_small = before - c->objective < GAIN * fabs (before) ? n_small + 1 : 0;
  }
  out->after = c->objective;
  if (status == SS_OK && out->n_steps > 0)
    status = ss_shot_motion (s, &out->motion, err);
  return status;
}

SsStatus
ss_shoot_cheaper (const SsScenario *scenario, const SsTrajectory *plan, const SsCheaperJudge *judge,
                  SsRunControl *control, SsCheaper *out, SsError *err)
{
  SS_ASSERT (plan != NULL && plan->n_rows >= 0);

  SsReplay *replay = NULL;
  Cheaper c = {.judge = judge, .control = control};

  *out = (SsCheaper){.before = NAN, .after = NAN};
  SsStatus status = ss_shot_open (&c.s, &c.t, scenario, plan, plan->n_rows - 1, HATS, &replay, err);
  if (status == SS_OK)
    status = open_cheaper (&c, err);
  if (status == SS_OK)
    status = go_down (&c, out, err);
  if (status == SS_OK && out->n_steps > 0)
    ss_run_control_log (control, SS_LOG_INFO, "%d shot steps bring its cost from %.4g to %.4g", out->n_steps,
                        out->before, out->after);
  ss_free (c.base);
  ss_shot_close (&c.s, replay);
  return status;
}
