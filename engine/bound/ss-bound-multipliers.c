/* engine/bound/ss-bound-multipliers.c: see ss-bound-multipliers.h. */
#include "bound/ss-bound-multipliers.h"

#include <string.h>

enum {
  FEWEST = 12, /* evaluations of a climb */
  LEVELS = 4,
  MAX_STATES = 8,
  WIDENINGS = 12,
  RATIO_STEPS = 60
};
static const int CELLS[LEVELS] = {250, 1000, 4000, 12000}, EVALUATIONS[LEVELS] = {60, 60, 0, 0};
static const double SLOPE_PARTS = 2000;                 /* largest slope of the smallest one */
static const double BESIDE[LEVELS] = {0.1, 0.02, 0, 0}; /* multipliers whose paths start answers too, of their size */
static const double MARGIN = 1;  /* of the width, on both sides of what an answer's x covers: less lets paths outside */
static const double WIDER = 1.5; /* each time a path leaves the cells */
static const double FARTHER = 2; /* reach, of the longest step of a path */
static const double FIRST_SIDE = 0.25;  /* of the first simplex, of the multipliers' size */
static const double LEVEL_TIME = 14;    /* of an evaluation with four times the cells, of this one's: n^2, nearly */
static const double SAME_HEIGHT = 1e-4; /* of a simplex, of its value: the climb ends                */
static const double CLIMB_PART = 0.2;   /* of the time that is left, for a climb with finer cells */
static const double FACTORS[] = {1, 0.5, 2, 0.25, 4, 0.1, 0.03, 0.01, 0.003};

typedef struct {
  const SsBoundChain *chain;
  const SsBoundProblem *p;
  const SsBoundOptions *o;
  SsRunControl *control;
  SsBoundSearch *out;
  SsBoundChainProof best, now;
  double best_bound, low, high, until;
  double top;     /* the slope that set_slopes found last */
  double step;    /* longest of the last path */
  double seconds; /* of the last evaluation */
  int n_variables;
  SsError *err;
} Search;

static bool
is_over (const Search *s)
{
  SsOutcome why;

  return ss_run_control_should_stop (s->control, &why) ||
         (s->control != NULL && ss_run_control_cpu (s->control) > s->until);
}

static bool
is_near (const Search *s)
{
  const double answer = s->out->answer;

  return isfinite (answer) && answer - s->best_bound <= fmax (s->o->gap * fabs (answer), 0.5 * SS_BOUND_SAME);
}

/* ---- cells and slopes -------------------------------------------------------------------------------------------- */

/* So many cells over [low, high], of a width that has few bits. */
static void
set_cells (Search *s, int n)
{
  int exponent;
  const double part = frexp ((s->high - s->low) / (n - 1), &exponent);

  s->now.width = ldexp (ceil (part * 0x1p20) * 0x1p-20, exponent);
  s->now.first = (int)floor (s->low / s->now.width);
  s->now.n_cells = n;
  const double reach = s->step > 0 ? ceil (FARTHER * s->step / s->now.width) + 4 : n;
  s->now.reach = reach < n ? (int)reach : n;
}

/* A geometric row up to the slope at which a stage's least cost has fallen by what the whole may cost. */
static SsStatus
set_slopes (Search *s)
{
  const double ratio = pow (SLOPE_PARTS, 1. / (RATIO_STEPS - 1)),
               whole = isfinite (s->out->answer) ? fmax (fabs (s->out->answer), 1e-6) : 1;
  double flat, value, at = s->top > 0 ? s->top : 1;

  set_cells (s, CELLS[0]);
  SsStatus status = ss_bound_chain_conjugate (s->chain, &s->now, 0, &flat, s->err);

  s->now.slopes[0] = 0;
  s->now.n_slopes = 1;
  if (status != SS_OK || !isfinite (flat))
    return status;
  for (int i = 0; i < 80 && status == SS_OK; i++) { /* up, then down */
    status = ss_bound_chain_conjugate (s->chain, &s->now, at, &value, s->err);
    if (!(value > flat - whole))
      break;
    at *= 2;
  }
  for (int i = 0; i < 160 && status == SS_OK; i++) {
    status = ss_bound_chain_conjugate (s->chain, &s->now, at, &value, s->err);
    if (value > flat - whole)
      break;
    at /= 2;
  }
  s->top = at;
  s->now.n_slopes = 2 * RATIO_STEPS + 1;
  s->now.slopes[RATIO_STEPS] = 0;
  for (int i = 0; i < RATIO_STEPS; i++) {
    const double slope = 2 * at * pow (ratio, -i);
    s->now.slopes[2 * RATIO_STEPS - i] = slope;
    s->now.slopes[i] = -slope;
  }
  return status;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static void
tell (Search *s)
{
  const SsColumn columns[] = {{"objective", s->out->answer},
                              {"lower_bound", fmin (s->best_bound, s->out->answer)},
                              {"nodes", s->out->n_solved},
                              {"open", s->now.n_cells}};

  ss_run_control_emit_iteration (s->control, s->out->n_solved, columns, sizeof columns / sizeof columns[0]);
}

static SsStatus
evaluate (Search *s, const double *multipliers, double *bound, SsBoundChainPath *path)
{
  const double before = ss_clock_thread_cpu ();
  const int n = s->now.n_multipliers;

  for (int i = 0; i < n; i++) /* of a linear cost at the end there is no choice */
    s->now.multipliers[i] = multipliers[i];
  SsStatus status = ss_bound_chain_value (s->chain, &s->now, bound, path, s->err);
  s->out->n_solved++;
  s->seconds = ss_clock_thread_cpu () - before;
  if (status == SS_OK && *bound > s->best_bound) {
    s->best_bound = *bound;
    status = ss_bound_chain_proof_copy (&s->now, &s->best, s->err);
    tell (s);
  }
  return status;
}

/* Cells and reach that the least path at these multipliers keeps to. `path` is the last one. */
static SsStatus
fit_cells (Search *s, int n, const double *multipliers, SsBoundChainPath *path)
{
  const int x = ss_bound_chain_state (s->chain);
  SsStatus status = SS_OK;

  for (int i = 0; i < WIDENINGS && status == SS_OK; i++) {
    double bound;
    ss_free (path->x);
    set_cells (s, n);
    status = evaluate (s, multipliers, &bound, path);
    if (status != SS_OK || path->x == NULL)
      break;
    double longest = 0;
    for (int k = 1; k < s->p->n_model / s->n_variables; k++)
      longest = fmax (longest, fabs (path->x[k * s->n_variables + x] - path->x[(k - 1) * s->n_variables + x]));
    const bool is_fine = !path->is_outside && !path->is_beyond_reach;
    s->step = path->is_beyond_reach         ? 2 * fmax (s->step, s->now.width)
              : i == 0 || longest > s->step ? longest
                                            : s->step;
    if (path->is_outside) {
      const double more = 0.5 * (WIDER - 1) * (s->high - s->low);
      s->low -= more;
      s->high += more;
    }
    if (is_fine || is_over (s))
      break;
  }
  return status;
}

/* ---- Nelder and Mead --------------------------------------------------------------------------------------------- */

typedef struct {
  double at[MAX_STATES], value;
} Vertex;

static void
sort (Vertex *v, int n) /* best first */
{
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && v[j].value > v[j - 1].value; j--) {
      const Vertex other = v[j];
      v[j] = v[j - 1];
      v[j - 1] = other;
    }
}

static SsStatus
try_along (Search *s, const Vertex *v, int n, double by, Vertex *out)
{
  for (int i = 0; i < n; i++) {
    double centre = 0;
    for (int j = 0; j < n; j++)
      centre += v[j].at[i] / n;
    out->at[i] = centre + by * (centre - v[n].at[i]);
  }
  return evaluate (s, out->at, &out->value, NULL);
}

static SsStatus
climb (Search *s, double *at, double side, int budget)
{
  const int n = s->now.n_multipliers, until = s->out->n_solved + budget;
  Vertex v[MAX_STATES + 1], one, two;
  double size = 0;
  SsStatus status = SS_OK;

  for (int i = 0; i < n; i++)
    size = fmax (size, fabs (at[i]));
  size = size > 0 ? size : 1;
  for (int j = 0; j <= n && status == SS_OK; j++) {
    memcpy (v[j].at, at, (size_t)n * sizeof (double));
    if (j > 0)
      v[j].at[j - 1] += side * size;
    status = evaluate (s, v[j].at, &v[j].value, NULL);
  }
  while (status == SS_OK && s->out->n_solved < until && !is_over (s) && !is_near (s)) {
    sort (v, n + 1);
    if (v[0].value - v[n].value <= SAME_HEIGHT * fabs (v[0].value))
      break;
    if ((status = try_along (s, v, n, 1, &one)) != SS_OK)
      break;
    if (one.value > v[0].value) {
      status = try_along (s, v, n, 2, &two);
      v[n] = two.value > one.value ? two : one;
    } else if (one.value > v[n - 1].value) {
      v[n] = one;
    } else {
      status = try_along (s, v, n, one.value > v[n].value ? 0.5 : -0.5, &two);
      if (two.value > fmax (one.value, v[n].value)) {
        v[n] = two;
        continue;
      }
      for (int j = 1; j <= n && status == SS_OK; j++) {
        for (int i = 0; i < n; i++)
          v[j].at[i] = 0.5 * (v[0].at[i] + v[j].at[i]);
        status = evaluate (s, v[j].at, &v[j].value, NULL);
      }
    }
  }
  sort (v, n + 1);
  memcpy (at, v[0].at, (size_t)n * sizeof (double));
  return status;
}

/* ---- the search -------------------------------------------------------------------------------------------------- */

static void
improve (Search *s, SsBoundChainPath *path)
{
  const double before = ss_clock_thread_cpu ();
  double objective = INFINITY;

  if (s->o->improve != NULL && path->x != NULL && s->o->improve (s->o->data, path->x, &objective) &&
      objective < s->out->answer) {
    s->out->answer = objective;
    tell (s);
  }
  s->out->improve_seconds += ss_clock_thread_cpu () - before;
}

static void
set_range (Search *s, const double *x)
{
  const int state = ss_bound_chain_state (s->chain), n_points = s->p->n_model / s->n_variables;
  const double start = ss_bound_chain_start (s->chain);

  s->low = s->high = isnan (start) ? 0 : start;
  for (int k = 0; k < n_points && x != NULL; k++) {
    s->low = fmin (s->low, x[k * s->n_variables + state]);
    s->high = fmax (s->high, x[k * s->n_variables + state]);
  }
  const double more = s->high > s->low ? MARGIN * (s->high - s->low) : fmax (1, fabs (s->low));
  s->low -= more;
  s->high += more;
}

/* The best of some parts of the multipliers where an answer ends, or where the states start. */
static SsStatus
first_multipliers (Search *s, const double *x, double *at)
{
  const int n = s->now.n_multipliers;
  double ends[MAX_STATES], best = -INFINITY;
  SsStatus status = SS_OK;

  for (int i = 0; i < n; i++)
    ends[i] = ss_bound_chain_multiplier (s->chain, i, x);
  memcpy (at, ends, sizeof ends);
  for (size_t f = 0; f < sizeof FACTORS / sizeof FACTORS[0] && status == SS_OK && !is_over (s); f++) {
    double scaled[MAX_STATES], bound;
    for (int i = 0; i < n; i++)
      scaled[i] = FACTORS[f] * ends[i];
    memcpy (s->now.multipliers, scaled, (size_t)n * sizeof (double));
    if ((status = set_slopes (s)) != SS_OK || (status = evaluate (s, scaled, &bound, NULL)) != SS_OK)
      break;
    if (bound > best) {
      best = bound;
      memcpy (at, scaled, sizeof scaled);
    }
  }
  return status;
}

/* Paths at the multipliers and beside them, in each direction: those of one value differ much in what they start. */
static SsStatus
improve_around (Search *s, const double *at, double by, SsBoundChainPath *path)
{
  const int n = s->now.n_multipliers;
  double size = 0, bound;
  SsStatus status = SS_OK;

  for (int i = 0; i < n; i++)
    size = fmax (size, fabs (at[i]));
  for (int e = 0; e <= 2 * n && status == SS_OK && (e == 0 || (by > 0 && !is_over (s) && !is_near (s))); e++) {
    double beside[MAX_STATES];
    memcpy (beside, at, sizeof beside);
    if (e > 0)
      beside[(e - 1) / 2] += (e % 2 == 0 ? by : -by) * size;
    ss_free (path->x);
    *path = (SsBoundChainPath){0};
    status = evaluate (s, beside, &bound, path);
    if (status == SS_OK)
      improve (s, path);
  }
  return status;
}

static SsStatus
run (Search *s, const double *x)
{
  double at[MAX_STATES] = {0};
  SsBoundChainPath path = {0};

  set_range (s, x);
  SsStatus status = first_multipliers (s, x, at);
  for (int level = 0; level < LEVELS && status == SS_OK && isfinite (s->best_bound) && !is_over (s) && !is_near (s);
       level++) {
    const double left = s->control != NULL ? s->until - ss_run_control_cpu (s->control) : INFINITY;
    if (level > 0 && LEVEL_TIME * s->seconds > left)
      break;
    const double affordable = CLIMB_PART * left / fmax (s->seconds * (level > 0 ? LEVEL_TIME : 1), 1e-6);
    const int budget =
        EVALUATIONS[level] > (int)fmin (affordable, 1000) ? (int)fmax (affordable, FEWEST) : EVALUATIONS[level];
    memcpy (s->now.multipliers, at, (size_t)s->now.n_multipliers * sizeof (double));
    status = set_slopes (s);
    if (status == SS_OK)
      status = fit_cells (s, CELLS[level], at, &path);
    if (status == SS_OK && EVALUATIONS[level] == 0)
      improve (s, &path);
    if (status != SS_OK || EVALUATIONS[level] == 0)
      continue;
    if (s->now.n_multipliers > 0)
      status = climb (s, at, FIRST_SIDE / (1 << (2 * level)), budget);
    if (status == SS_OK)
      status = improve_around (s, at, BESIDE[level], &path);
    if (s->best.n_multipliers > 0)
      memcpy (at, s->best.multipliers, (size_t)s->best.n_multipliers * sizeof (double));
  }
  ss_free (path.x);
  return status;
}

SsStatus
ss_bound_multipliers_search (const SsBoundChain *chain, const SsBoundProblem *problem, const SsBoundOptions *options,
                             const double *x, double part, SsRunControl *control, SsBoundSearch *out,
                             SsBoundChainProof *proof, SsError *err)
{
  SS_ASSERT (options != NULL && out != NULL && proof != NULL);

  const double started = ss_clock_thread_cpu ();
  Search s = {
      .chain = chain, .p = problem, .o = options, .control = control, .out = out, .best_bound = -INFINITY, .err = err};
  SsStatus status = SS_OK;

  *out = (SsBoundSearch){.bound = -INFINITY, .answer = options->answer};
  *proof = (SsBoundChainProof){0};
  s.n_variables = ss_bound_chain_n_variables (chain);
  s.until = INFINITY;
  if (control != NULL && isfinite (control->cpu_limit)) {
    const double spent = ss_run_control_cpu (control);
    s.until = spent + part * (control->cpu_limit - spent);
  }
  s.now.n_multipliers = ss_bound_chain_n_multipliers (chain);
  if (s.now.n_multipliers > MAX_STATES)
    return SS_OK;
  s.now.multipliers = ss_new_array (double, s.now.n_multipliers + 1);
  s.now.slopes = ss_new_array (double, 2 * RATIO_STEPS + 1);
  s.now.n_slopes = 1;
  status = s.now.multipliers == NULL || s.now.slopes == NULL
               ? ss_error_set (err, SS_ERR_MEMORY, "out of memory for a dual bound")
               : run (&s, x);
  ss_bound_chain_proof_clear (&s.now);
  if (status == SS_OK)
    *proof = s.best;
  else
    ss_bound_chain_proof_clear (&s.best);
  out->bound = fmin (s.best_bound, out->answer);
  out->is_finished = is_near (&s);
  out->cpu_seconds = ss_clock_thread_cpu () - started;
  return status;
}
