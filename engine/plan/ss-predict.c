/* engine/plan/ss-predict.c: see the header. */
#include "plan/ss-predict.h"

#include "core/ss-memory.h"
#include "core/ss-random.h"
#include "core/ss-run-control.h"
#include "linalg/ss-linalg.h"
#include "simulate/ss-simulate.h"

#include <math.h>
#include <string.h>

/* What a miss is measured in [m], [rad], [m/s], [rad/s], and what all of them may cost together before anything is
 * changed: 3.5 mm. */
static const double NEAR[SS_PLAN_COORDINATES] = {0.005, 0.005, 0.02, 0.05, 0.05, 0.2}, ENOUGH = 0.5;
/* Where this is missed still, changes are drawn. */
static const double FAR = 4;
/* Units of the changes: the largest control of the plan; of the clock, this part of the plan. The cost of a change by
 * one unit is the square of KEEP. */
static const double CLOCK_PART = 0.02, KEEP = 0.05;
/* Of the differences, in units: as wide as contacts come early or late. Of a step, the most. */
static const double DIFFERENCE = 0.3, MOST = 5;
/* Steps of Gauss and Newton in the first look and in later ones; drawn changes; looks over a plan, at most; steps of a
 * motion from the plan's start to its end, at least and about at most. */
enum {
  FIRST_STEPS = 4,
  NEXT_STEPS = 1,
  DRAWS = 6,
  MOST_LOOKS = 60,
  LEAST_STEPS = 100,
  MOST_STEPS = 400,
  MOST_PATIENCE = 4
};

struct SsPredict {
  const SsScenario *believed;
  SsRunControl *control; /* NULL: nobody stops it */
  SsPlanLqr *lqr;
  SsEstimate *estimate;
  void *stepper;
  void *options; /* of moreau-jean */
  double *t_row; /* n_steps + 1: times of the plan's rows */
  int n_steps, every;
  int stride, parts;               /* steps of the plan at once in a motion, and parts of these */
  int patience;                    /* looks come after so many times `every` steps: more where nothing helped */
  int m, n, n_missed;              /* actuators; numbers: knots x (m + 1); coordinates of targets */
  double *x, *tried, *best, *unit; /* n; m: of w */
  double *miss, *slopes, *matrix, *right;
  double *q, *v, *contact; /* of a motion */
  double *more;            /* m */
  int *active;
  double due;
  bool has_begun;
  SsRandom random;
  SsPredictAccount account;
};

/* ---- the law ----------------------------------------------------------------------------------------------------- */

static const double *
act (SsPredict *p, const double *x, double t, const double *q, const double *v)
{
  const double end = p->t_row[p->n_steps], place = fmin (fmax (t / end, 0), 1) * SS_PREDICT_PARTS;
  const int knot = (int)fmin (floor (place), SS_PREDICT_PARTS - 1), width = p->m + 1;
  const double part = place - knot;
  const double *a = x + knot * width, *b = a + width;

  for (int i = 0; i < p->m; i++)
    p->more[i] = p->unit[i] * ((1 - part) * a[i] + part * b[i]);
  return ss_plan_lqr_controls_moved (p->lqr, t + CLOCK_PART * end * ((1 - part) * a[p->m] + part * b[p->m]), q, v,
                                     p->more);
}

/* ---- motions ----------------------------------------------------------------------------------------------------- */

/* The cost of the motion from the state under the numbers x; p->miss: its parts. Infinite: a step fails. */
static double
follow (SsPredict *p, const double *x, double t, const double *q, const double *v)
{
  const SsPlan *task = p->believed->task.plan;
  const SsScene *scene = p->believed->scene;
  const size_t size = 3 * (size_t)scene->n_bodies * sizeof *q;
  SsSimState state = {.t = t, .q = p->q, .v = p->v, .contact = p->contact};
  double cost = 0;
  SsOutcome why;

  if (ss_run_control_should_stop (p->control, &why)) /* then nobody asks what came of it */
    return INFINITY;
  p->account.n_motions++;
  memcpy (p->q, q, size);
  memcpy (p->v, v, size);
  memset (p->contact, 0, SS_SIM_N_CONTACT_VALUES * (size_t)scene->n_contacts * sizeof (double));
  for (int k = 0, next; k < p->n_steps; k = next) {
    next = k + p->stride < p->n_steps ? k + p->stride : p->n_steps;
    const double left = p->t_row[next] - state.t, length = p->t_row[next] - p->t_row[k];

    if (left <= 1e-6 * length)
      continue;
    const int parts = (int)ceil (p->parts * left / length - 1e-6);
    for (int i = 0; i < parts; i++) {
      const double *u = act (p, x, state.t, state.q, state.v);
      SsStepInfo info = {0};
      SsError ignored;

      if (ss_integrator_moreau_jean.step (p->stepper, &(SsStep){.dt = left / parts, .controls = u}, &state, &info,
                                          &ignored) != SS_OK)
        return INFINITY;
      state.t = p->t_row[next] - left * (parts - 1 - i) / parts;
    }
  }
  for (int i = 0, k = 0; i < task->n_targets; i++)
    for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
      const SsPlanTarget *target = &task->targets[i];

      if (isnan (target->value[c]))
        continue;
      const double is = c < 3 ? state.q[3 * target->body + c] : state.v[3 * target->body + c - 3];
      p->miss[k] = (is - target->value[c]) / NEAR[c];
      cost += p->miss[k] * p->miss[k];
      k++;
    }
  for (int i = 0; i < p->n; i++)
    cost += KEEP * KEEP * x[i] * x[i];
  return isfinite (cost) ? cost : INFINITY;
}

/* Columns of the active numbers; the misses of x stay in `miss`. False: a motion fails. */
static bool
differentiate (SsPredict *p, int n_active, double t, const double *q, const double *v)
{
  double *kept = p->right + p->n + p->n_missed;

  memcpy (kept, p->miss, (size_t)p->n_missed * sizeof *kept);
  memcpy (p->tried, p->x, (size_t)p->n * sizeof *p->x);
  for (int j = 0; j < n_active; j++) {
    const int i = p->active[j];

    p->tried[i] = p->x[i] + DIFFERENCE;
    const bool fits = isfinite (follow (p, p->tried, t, q, v));
    for (int k = 0; k < p->n_missed; k++)
      p->slopes[k * p->n + j] = p->miss[k];
    p->tried[i] = p->x[i] - DIFFERENCE;
    if (!fits || !isfinite (follow (p, p->tried, t, q, v)))
      return false;
    for (int k = 0; k < p->n_missed; k++)
      p->slopes[k * p->n + j] = (p->slopes[k * p->n + j] - p->miss[k]) / (2 * DIFFERENCE);
    p->tried[i] = p->x[i];
  }
  memcpy (p->miss, kept, (size_t)p->n_missed * sizeof *kept);
  return true;
}

static bool
take_better (SsPredict *p, double t, const double *q, const double *v, double *cost)
{
  const double now = follow (p, p->tried, t, q, v);

  if (!(now < *cost))
    return false;
  *cost = now;
  memcpy (p->best, p->tried, (size_t)p->n * sizeof *p->x);
  return true;
}

/* One damped step from p->x; better points go to p->best. */
static void
improve (SsPredict *p, int n_active, double t, const double *q, const double *v, double *cost)
{
  static const double dampings[] = {0.01, 0.3, 10};
  static const double parts[] = {1, 0.4};
  const int n = n_active;

  if (!differentiate (p, n, t, q, v))
    return;
  double *miss = p->right + p->n;
  memcpy (miss, p->miss, (size_t)p->n_missed * sizeof *miss);
  for (size_t d = 0; d < sizeof dampings / sizeof *dampings; d++) {
    double trace = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) {
        double sum = i == j ? KEEP * KEEP : 0;
        for (int k = 0; k < p->n_missed; k++)
          sum += p->slopes[k * p->n + i] * p->slopes[k * p->n + j];
        p->matrix[i * n + j] = sum;
        trace = i == j ? fmax (trace, sum) : trace;
      }
    for (int i = 0; i < n; i++) {
      p->matrix[i * n + i] += dampings[d] * trace;
      p->right[i] = -KEEP * KEEP * p->x[p->active[i]];
      for (int k = 0; k < p->n_missed; k++)
        p->right[i] -= p->slopes[k * p->n + i] * miss[k];
    }
    if (ss_dense_cholesky (n, p->matrix, n) != SS_OK)
      continue;
    ss_dense_cholesky_solve (n, p->matrix, n, p->right);
    for (size_t s = 0; s < sizeof parts / sizeof *parts; s++) {
      memcpy (p->tried, p->x, (size_t)p->n * sizeof *p->x);
      for (int i = 0; i < n; i++)
        p->tried[p->active[i]] += fmin (fmax (parts[s] * p->right[i], -MOST), MOST);
      take_better (p, t, q, v, cost);
    }
  }
}

static void
draw (SsPredict *p, int n_active, double t, const double *q, const double *v, double *cost)
{
  static const double sizes[] = {0.3, 1, 3, 1};

  for (int i = 0; i < DRAWS; i++) {
    memcpy (p->tried, p->x, (size_t)p->n * sizeof *p->x);
    for (int j = 0; j < n_active; j++)
      p->tried[p->active[j]] += sizes[i % 4] * ss_random_normal (&p->random);
    take_better (p, t, q, v, cost);
  }
}

static void
look_ahead (SsPredict *p, double t, const double *q, const double *v)
{
  const double end = p->t_row[p->n_steps];
  const int width = p->m + 1;
  int n_active = 0;
  bool is_renewed;
  SsError ignored;

  if (ss_estimate_renew (p->estimate, &is_renewed, &ignored) != SS_OK)
    return;
  if (is_renewed || p->stepper == NULL) {
    if (p->stepper != NULL)
      ss_integrator_moreau_jean.free_ (p->stepper);
    p->stepper = NULL;
    if (ss_integrator_moreau_jean.new_ (ss_estimate_scene (p->estimate), p->options, &p->stepper, &ignored) != SS_OK)
      return;
  }
  for (int knot = 0; knot <= SS_PREDICT_PARTS; knot++)
    for (int i = 0; i < width && (knot + 1) * end / SS_PREDICT_PARTS > t; i++)
      p->active[n_active++] = knot * width + i;
  double cost = follow (p, p->x, t, q, v), before = cost;
  memcpy (p->best, p->x, (size_t)p->n * sizeof *p->x);
  for (int i = 0; i < (p->has_begun ? NEXT_STEPS : FIRST_STEPS) && cost > ENOUGH; i++) {
    const double from = cost;
    improve (p, n_active, t, q, v, &cost);
    memcpy (p->x, p->best, (size_t)p->n * sizeof *p->x);
    if (!(cost < 0.9 * from))
      break;
    follow (p, p->x, t, q, v);
  }
  if (cost > FAR)
    draw (p, n_active, t, q, v, &cost);
  memcpy (p->x, p->best, (size_t)p->n * sizeof *p->x);
  p->account.n_plans++;
  p->account.n_kept += !(cost < before);
  p->patience = cost > ENOUGH && !(cost < 0.99 * before)
                    ? (2 * p->patience < MOST_PATIENCE ? 2 * p->patience : MOST_PATIENCE)
                    : 1;
}

const double *
ss_predict_controls (SsPredict *p, double t, const double *q, const double *v)
{
  const double end = p->t_row[p->n_steps];

  if (p->n_missed > 0 && t < end - 1e-6 * end && (!p->has_begun || t >= p->due)) {
    int step = 0;
    const double cpu = ss_clock_thread_cpu ();

    look_ahead (p, t, q, v);
    p->account.cpu_seconds += ss_clock_thread_cpu () - cpu;
    p->has_begun = true;
    while (step < p->n_steps && p->t_row[step + 1] <= t + 1e-6 * (p->t_row[step + 1] - p->t_row[step]))
      step++;
    step += p->every * p->patience;
    while (step < p->n_steps && p->t_row[step] < t + end / MOST_LOOKS)
      step++;
    step = step < p->n_steps ? step : p->n_steps;
    p->due = p->t_row[step] - 1e-6 * (p->t_row[step] - p->t_row[step - 1]);
  }
  const double *u = act (p, p->x, t, q, v);
  if (t <= end)
    ss_estimate_see (p->estimate, t, q, v, u);
  return u;
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

static SsStatus
allocate (SsPredict *p, SsError *err)
{
  const SsScene *scene = p->believed->scene;
  const SsPlan *task = p->believed->task.plan;

  p->m = scene->n_actuators;
  p->n = (SS_PREDICT_PARTS + 1) * (p->m + 1);
  p->n_steps = ss_plan_lqr_n_steps (p->lqr);
  for (int i = 0; task != NULL && i < task->n_targets; i++)
    for (int c = 0; c < SS_PLAN_COORDINATES; c++)
      p->n_missed += !isnan (task->targets[i].value[c]);
  const size_t n = (size_t)p->n, m = (size_t)p->m, missed = (size_t)p->n_missed, n3 = 3 * (size_t)scene->n_bodies;
  p->x = ss_new_array (double, 4 * n + 2 * m + 3 * missed + missed * n + n * n + (size_t)p->n_steps + 1 + 2 * n3 +
                                   SS_SIM_N_CONTACT_VALUES * (size_t)scene->n_contacts);
  p->active = ss_new_array (int, n);
  if (p->x == NULL || p->active == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a feedback");
  p->tried = p->x + n;
  p->best = p->tried + n;
  p->unit = p->best + n;
  p->more = p->unit + m;
  p->miss = p->more + m;
  p->right = p->miss + missed;
  p->slopes = p->right + n + 2 * missed;
  p->matrix = p->slopes + missed * n;
  p->t_row = p->matrix + n * n;
  p->q = p->t_row + p->n_steps + 1;
  p->v = p->q + n3;
  p->contact = p->v + n3;
  return SS_OK;
}

SsStatus
ss_predict_new (const SsScenario *believed, const SsTrajectory *plan, SsPlanLqr *lqr, int every, SsRunControl *control,
                SsPredict **out, SsError *err)
{
  SS_ASSERT (believed != NULL && believed->scene != NULL && plan != NULL && lqr != NULL && every >= 1 && out != NULL);
  SsPredict *p = ss_new (SsPredict);

  *out = NULL;
  if (p == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a feedback");
  p->believed = believed;
  p->lqr = lqr;
  p->control = control;
  p->every = every;
  p->patience = 1;
  ss_random_seed (&p->random, 1);
  p->options = ss_alloc (1, ss_integrator_moreau_jean.options->size);
  if (p->options != NULL)
    ss_options_init (ss_integrator_moreau_jean.options, p->options);
  SsStatus status =
      p->options != NULL ? allocate (p, err) : ss_error_set (err, SS_ERR_MEMORY, "no memory for a feedback");
  if (status == SS_OK)
    status = ss_estimate_new (believed->scene, &p->estimate, err);
  if (status != SS_OK) {
    ss_predict_free (p);
    return status;
  }
  for (int row = 0, k = 0; row < plan->n_rows; row++, k++) {
    row = ss_trajectory_last_at (plan, row);
    p->t_row[k] = ss_trajectory_row (plan, row)[0];
  }
  for (int a = 0; a < p->m; a++)
    p->unit[a] = ss_plan_lqr_largest (lqr, a);
  p->stride = p->n_steps > MOST_STEPS ? p->n_steps / MOST_STEPS : 1;
  p->parts = (LEAST_STEPS + p->n_steps - 1) / p->n_steps;
  *out = p;
  return SS_OK;
}

void
ss_predict_free (SsPredict *p)
{
  if (p == NULL)
    return;
  if (p->stepper != NULL)
    ss_integrator_moreau_jean.free_ (p->stepper);
  ss_estimate_free (p->estimate);
  ss_free (p->options);
  ss_free (p->x);
  ss_free (p->active);
  ss_free (p);
}

void
ss_predict_account (const SsPredict *p, SsPredictAccount *account)
{
  SS_ASSERT (p != NULL && account != NULL);
  *account = p->account;
}
