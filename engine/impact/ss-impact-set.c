/* engine/impact/ss-impact-set.c: the sampler. Threads take runs of consecutive samples in turn; totals are summed over
 * the samples afterwards, in their order. */
#include "impact/ss-impact-set.h"

#include "impact/ss-impact-modes.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

/* RUN: samples taken at once, so that threads seldom meet. LOOK: samples between two looks at the control where steps
 * take microseconds. PARTS: of a set, each told as a row of progress. */
enum { RUN = 256, LOOK = 32, PARTS = 64 };

typedef struct {
  const SsImpact *impact;
  SsImpactSetOptions options;
  const SsImpactDraw *draw;
  double closing_cap;
  double energy; /* before the impact */
  SsImpactSet *set;
  int *ambiguous; /* ENUMERATE, n_samples: steps with several outcomes; else NULL */
  SsRunControl *control;
  atomic_int next;  /* run to be taken */
  atomic_int done;  /* samples that were made */
  atomic_int ended; /* SsOutcome + 1 of a run that is told to end; 0: go on */
  int n_told;       /* rows of progress; of the thread that watches */
} Shared;

/* One thread's. */
typedef struct {
  Shared *shared;
  bool watches; /* asks the control whether to end, and tells it how far the set is */
  int missing;  /* first sample of a run that was begun and not ended; INT_MAX: none */
  SsImpactStep *step;
  SsImpactModes *modes;                   /* ENUMERATE */
  int n_ambiguous;                        /* steps of the sample */
  double pending[SS_IMPACT_CONTACTS_MAX]; /* impulses of the sample that wait to be given back [N s] */
  double max_residual, max_gain, max_excess;
  double *velocities, *impulses; /* of a path that is wanted; else NULL */
} Worker;

typedef struct {
  int solves;
  SsImpactState state;
  double energy;
} Sample;

/* ---- one sample -------------------------------------------------------------------------------------------------- */

static double
slowest (int m, const double *u)
{
  double least = u[0];

  for (int i = 1; i < m; i++)
    least = u[i] < least ? u[i] : least;
  return least;
}

/* Keeps what invariants are judged by; *energy is that before and becomes that after [002 (76)]. */
static void
note_step (Worker *w, double *energy, const double *v, const SsImpactStepResult *result)
{
  const SsImpact *impact = w->shared->impact;
  const double after = ss_impact_kinetic_energy (impact, v);
  const double gain = after - (w->shared->options.restitutes ? w->shared->energy : *energy);

  *energy = after;
  w->max_gain = gain > w->max_gain ? gain : w->max_gain;
  w->max_residual = result->residual > w->max_residual ? result->residual : w->max_residual;
  for (int i = 0; i < impact->m; i++) {
    const double excess = fabs (result->impulse[impact->m + i]) - impact->mu[i] * result->impulse[i];
    w->max_excess = excess > w->max_excess ? excess : w->max_excess;
  }
}

/* By enumeration; false where no mode was found, which is then Lemke's turn. */
static bool
take_listed (Worker *w, uint64_t sample, int step, const double *cap, double *v, SsImpactStepResult *result)
{
  const SsImpact *impact = w->shared->impact;
  const SsImpactSolution *solutions;
  const int n = ss_impact_modes_solve (w->modes, v, cap, &solutions);
  enum { CHOICE = 12 }; /* any number: that of this draw */
  const double u = ss_impact_uniform (SS_IMPACT_STREAM_POLICY, w->shared->options.seed, sample, step, CHOICE);

  if (n == 0)
    return false;
  w->n_ambiguous += n > 1;
  const SsImpactSolution *chosen = &solutions[(int)(u * n)];
  *result = (SsImpactStepResult){.is_solved = true};
  memcpy (v, chosen->v, (size_t)impact->n * sizeof *v);
  memcpy (result->impulse, chosen->impulse, sizeof result->impulse);
  ss_impact_speeds (impact, v, result->speeds);
  result->residual = ss_impact_step_residual (w->step, cap, result->impulse, result->speeds);
  return true;
}

/* A step from v with part of what is given; the result's impulses have it. */
static bool
give_back (Worker *w, const SsImpactStepJob *job, double part, const double *from, double *v,
           SsImpactStepResult *result)
{
  const SsImpact *impact = w->shared->impact;
  double given[2 * SS_IMPACT_CONTACTS_MAX] = {0};

  for (int i = 0; i < impact->m; i++)
    given[i] = part * job->given[i];
  memcpy (v, from, (size_t)impact->n * sizeof *v);
  ss_impact_push (impact, given, v);
  ss_impact_step_solve (w->step, &(SsImpactStepJob){.cap = job->cap, .cover = job->cover, .given = given}, v, result);
  for (int i = 0; i < impact->m; i++) {
    result->compression[i] = result->impulse[i];
    result->impulse[i] += given[i];
  }
  return result->is_solved && result->part <= SS_IMPACT_DROPPED;
}

/* The largest part that gives no more energy than there was before the impact. */
static bool
give_back_most (Worker *w, const SsImpactStepJob *job, double *v, SsImpactStepResult *result)
{
  enum { HALVINGS = 24 };
  static const double rounding = 1e-12;
  const SsImpact *impact = w->shared->impact;
  const double most = w->shared->energy * (1 + rounding);
  double from[SS_IMPACT_COORDINATES_MAX], low = 0, high = 1;
  bool is_solved;

  memcpy (from, v, (size_t)impact->n * sizeof *v);
  is_solved = give_back (w, job, 1, from, v, result);
  if (!is_solved || ss_impact_kinetic_energy (impact, v) <= most)
    return is_solved;
  for (int k = 0; k < HALVINGS && is_solved; k++) {
    const double part = (low + high) / 2;
    is_solved = give_back (w, job, part, from, v, result);
    *(ss_impact_kinetic_energy (impact, v) > most ? &high : &low) = part;
  }
  return is_solved && give_back (w, job, low, from, v, result);
}

/* What is given back in a step: of contacts that do not approach, none, all or a part of what waits. */
static bool
draw_given (Worker *w, uint64_t sample, int step, const double *u, double *given)
{
  const SsImpact *impact = w->shared->impact;
  const int alone = ss_impact_draw_alone (w->shared->draw, sample, step);
  bool is_any = false;

  for (int i = 0; i < impact->m; i++) {
    const double x = alone >= 0
                         ? i == alone
                         : ss_impact_uniform (SS_IMPACT_STREAM_RESTITUTION, w->shared->options.seed, sample, step, i);
    given[i] = w->pending[i] > 0 && u[i] >= -SS_IMPACT_STOP ? w->pending[i] * fmin (fmax (2 * x - 0.5, 0), 1) : 0;
    is_any = is_any || given[i] > 0;
  }
  return is_any;
}

/* Whether something waits that a speed would show. */
static bool
has_pending (const Worker *w)
{
  const SsImpact *impact = w->shared->impact;

  for (int i = 0; i < impact->m; i++)
    if (w->pending[i] * impact->contact[i * 2 * impact->m + i] > SS_IMPACT_STOP)
      return true;
  return false;
}

/* One step from v; false: the sample is dropped. */
static bool
take_step (Worker *w, uint64_t sample, int step, const double *cap, double *energy, double *v,
           SsImpactStepResult *result)
{
  const SsImpact *impact = w->shared->impact;
  const SsImpactSetOptions *options = &w->shared->options;
  double cover[5 * SS_IMPACT_CONTACTS_MAX], given[SS_IMPACT_CONTACTS_MAX] = {0};
  const bool is_covered = options->policy == SS_IMPACT_POLICY_RANDOM_COVERING;
  const bool gives = options->restitutes && draw_given (w, sample, step, result->speeds, given);

  if (gives || options->policy != SS_IMPACT_POLICY_ENUMERATE || !take_listed (w, sample, step, cap, v, result)) {
    for (int i = 0; is_covered && i < 5 * impact->m; i++)
      cover[i] = 0.01 + 0.99 * ss_impact_uniform (SS_IMPACT_STREAM_POLICY, options->seed, sample, step, i);
    const SsImpactStepJob job = {.cap = cap, .cover = is_covered ? cover : NULL, .given = gives ? given : NULL};
    if (gives && !give_back_most (w, &job, v, result))
      return false;
    if (!gives)
      ss_impact_step_solve (w->step, &job, v, result);
  }
  if (!result->is_solved || !(result->part <= SS_IMPACT_DROPPED))
    return false;
  for (int i = 0; options->restitutes && i < impact->m; i++)
    w->pending[i] += impact->restitution[i] * (gives ? result->compression[i] : result->impulse[i]) - given[i];
  note_step (w, energy, v, result);
  return true;
}

static void
keep_path (Worker *w, int step, const double *v, const SsImpactStepResult *result)
{
  const int n = w->shared->impact->n, m = w->shared->impact->m;

  if (w->velocities != NULL)
    memcpy (w->velocities + step * n, v, (size_t)n * sizeof *v);
  if (w->impulses != NULL && step > 0)
    memcpy (w->impulses + (step - 1) * 2 * m, result->impulse, 2 * (size_t)m * sizeof *result->impulse);
}

/* v: where it starts, then where it ends [002 Alg 1 Alg 2 (28) (83)-(84)]. */
static Sample
run_sample (Worker *w, uint64_t sample, double *v)
{
  const Shared *shared = w->shared;
  const int m = shared->impact->m;
  SsImpactStepResult result = {0};
  double cap[SS_IMPACT_CONTACTS_MAX];
  Sample ended = {0, SS_IMPACT_UNFINISHED, shared->energy};

  ss_impact_speeds (shared->impact, v, result.speeds);
  memset (w->pending, 0, sizeof w->pending);
  keep_path (w, 0, v, &result);
  while ((slowest (m, result.speeds) < -SS_IMPACT_STOP || has_pending (w)) &&
         ended.solves < shared->options.max_steps) {
    ss_impact_draw_caps (shared->draw, sample, ended.solves, cap);
    if (!take_step (w, sample, ended.solves, cap, &ended.energy, v, &result)) {
      ended.solves++;
      ended.state = SS_IMPACT_SAMPLE_DROPPED;
      return ended;
    }
    keep_path (w, ++ended.solves, v, &result);
  }
  if (shared->options.closes && !shared->options.restitutes && slowest (m, result.speeds) < -SS_IMPACT_STOP) {
    for (int i = 0; i < m; i++)
      cap[i] = shared->closing_cap;
    if (take_step (w, sample, ended.solves, cap, &ended.energy, v, &result))
      keep_path (w, ++ended.solves, v, &result);
  }
  if (slowest (m, result.speeds) >= -SS_IMPACT_STOP && !has_pending (w))
    ended.state = SS_IMPACT_FINISHED;
  return ended;
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

/* How many samples there are, at every PARTSth of them. */
static void
tell_progress (Shared *shared)
{
  const int done = atomic_load (&shared->done);
  const int part = (int)((long long)PARTS * done / shared->options.n_samples);

  if (part < shared->n_told)
    return;
  shared->n_told = part + 1;
  const SsColumn columns[] = {{"samples", done}, {"wanted", shared->options.n_samples}};
  ss_run_control_emit_iteration (shared->control, part, columns, sizeof columns / sizeof *columns);
}

/* Whether the run shall end before sample k. A step of which all answers are listed takes long. */
static bool
is_ended (Worker *w, int k)
{
  Shared *shared = w->shared;
  SsOutcome why;

  if (w->watches && (w->modes != NULL || k % LOOK == 0) && ss_run_control_should_stop (shared->control, &why))
    atomic_store (&shared->ended, (int)why + 1);
  return atomic_load (&shared->ended) != 0;
}

static void *
run_worker (void *data)
{
  Worker *w = data;
  Shared *shared = w->shared;
  SsImpactSet *set = shared->set;

  while (w->missing == INT_MAX) {
    const int first = RUN * atomic_fetch_add (&shared->next, 1);
    const int end = first + RUN < shared->options.n_samples ? first + RUN : shared->options.n_samples;
    int n_made = 0; /* not told to the others yet */
    if (first >= shared->options.n_samples)
      break;
    for (int k = first; k < end; k++) {
      if (is_ended (w, k)) {
        w->missing = k;
        break;
      }
      double *v = set->v + (size_t)k * (size_t)set->n;
      memcpy (v, shared->impact->v, (size_t)set->n * sizeof *v);
      w->n_ambiguous = 0;
      const Sample sample = run_sample (w, (uint64_t)(shared->options.first + k), v);
      if (shared->ambiguous != NULL)
        shared->ambiguous[k] = w->n_ambiguous;
      set->solves[k] = sample.solves;
      set->state[k] = (unsigned char)sample.state;
      set->energy[k] = sample.energy;
      n_made++;
      if (w->modes == NULL && n_made < LOOK && k + 1 < end)
        continue;
      atomic_fetch_add (&shared->done, n_made);
      n_made = 0;
      if (w->watches)
        tell_progress (shared);
    }
  }
  return NULL;
}

static void
clear_worker (Worker *w)
{
  ss_impact_step_free (w->step);
  ss_impact_modes_free (w->modes);
}

static SsStatus
init_worker (Shared *shared, Worker *w, SsError *err)
{
  SsStatus status = ss_impact_step_new (shared->impact, shared->options.rows, &w->step, err);

  w->shared = shared;
  w->missing = INT_MAX;
  w->max_gain = w->max_excess = -INFINITY;
  if (status == SS_OK && shared->options.policy == SS_IMPACT_POLICY_ENUMERATE)
    status = ss_impact_modes_new (shared->impact, &w->modes, err);
  return status;
}

/* A thread that cannot be started is not needed: the others take its samples. */
static void
run_workers (Worker *workers, int n)
{
  pthread_t threads[SS_IMPACT_THREADS_MAX];
  bool is_started[SS_IMPACT_THREADS_MAX] = {false};

  for (int i = 1; i < n; i++)
    is_started[i] = pthread_create (&threads[i], NULL, run_worker, &workers[i]) == 0;
  workers[0].watches = true;
  run_worker (&workers[0]);
  for (int i = 1; i < n; i++)
    if (is_started[i])
      pthread_join (threads[i], NULL);
}

/* ---- the set ----------------------------------------------------------------------------------------------------- */

double
ss_impact_default_h (const SsImpact *impact)
{
  SS_ASSERT (impact != NULL);

  double u[2 * SS_IMPACT_CONTACTS_MAX], largest = 0;

  ss_impact_speeds (impact, impact->v, u);
  for (int i = 0; i < impact->m; i++) {
    const double d = impact->contact[i * 2 * impact->m + i];
    if (d > 0)
      largest = fmax (largest, -u[i] / d);
  }
  return largest > 0 ? largest : 1;
}

static SsStatus
fill_in (const SsImpact *impact, SsImpactSetOptions *options, SsError *err)
{
  if (isnan (options->h))
    options->h = isnan (impact->h) ? ss_impact_default_h (impact) : impact->h;
  if (options->max_steps == 0)
    options->max_steps = impact->max_steps > 0 ? impact->max_steps : options->restitutes ? 100 : 10;
  if (!(options->h > 0 && isfinite (options->h)))
    return ss_error_set (err, SS_ERR_ARG, "the step h is a number above 0");
  if (options->max_steps < 1 || options->max_steps > SS_IMPACT_STEPS_MAX)
    return ss_error_set (err, SS_ERR_ARG, "the number of steps is between 1 and %d", SS_IMPACT_STEPS_MAX);
  if (options->n_samples < 1 || options->n_samples > SS_IMPACT_SAMPLES_MAX)
    return ss_error_set (err, SS_ERR_ARG, "the number of samples is between 1 and %d", SS_IMPACT_SAMPLES_MAX);
  if (options->n_threads < 1 || options->n_threads > SS_IMPACT_THREADS_MAX)
    return ss_error_set (err, SS_ERR_ARG, "the number of threads is between 1 and %d", SS_IMPACT_THREADS_MAX);
  if (options->closes && !(options->epsilon > 0))
    return ss_error_set (err, SS_ERR_ARG, "epsilon is a number above 0");
  return SS_OK;
}

/* Keeps the samples before the first that was not made, and sums up. */
static void
sum_up (Shared *shared, const Worker *workers, int n_workers)
{
  SsImpactSet *set = shared->set;
  const int ended = atomic_load (&shared->ended);

  for (int i = 0; i < n_workers; i++)
    if (workers[i].missing < set->n_samples)
      set->n_samples = workers[i].missing;
  set->outcome = set->n_samples < shared->options.n_samples ? (SsOutcome)(ended - 1) : SS_OUTCOME_COMPLETED;
  if (set->outcome != SS_OUTCOME_COMPLETED && set->n_samples > SS_IMPACT_ENDED_MAX)
    set->n_samples = SS_IMPACT_ENDED_MAX;
  set->n_ambiguous = shared->ambiguous != NULL ? 0 : -1;
  for (int k = 0; k < set->n_samples; k++) {
    set->n_solves += set->solves[k];
    if (shared->ambiguous != NULL)
      set->n_ambiguous += shared->ambiguous[k];
    set->n_finished += set->state[k] == SS_IMPACT_FINISHED;
    set->n_unfinished += set->state[k] == SS_IMPACT_UNFINISHED;
    set->n_dropped += set->state[k] == SS_IMPACT_SAMPLE_DROPPED;
  }
  set->max_gain = set->max_excess = -INFINITY;
  for (int i = 0; i < n_workers; i++) {
    set->max_residual = fmax (set->max_residual, workers[i].max_residual);
    set->max_gain = fmax (set->max_gain, workers[i].max_gain);
    set->max_excess = fmax (set->max_excess, workers[i].max_excess);
  }
}

static SsStatus
allocate_set (const SsImpact *impact, const SsImpactSetOptions *options, SsImpactSet **out, SsError *err)
{
  const size_t count = (size_t)options->n_samples;
  SsImpactSet *set = ss_new (SsImpactSet);

  *out = set;
  if (set != NULL) {
    set->options = *options;
    set->n = impact->n;
    set->n_samples = options->n_samples;
    set->v = ss_alloc (count * (size_t)impact->n, sizeof *set->v);
    set->energy = ss_new_array (double, count);
    set->solves = ss_new_array (int, count);
    set->state = ss_new_array (unsigned char, count);
  }
  if (set == NULL || set->v == NULL || set->energy == NULL || set->solves == NULL || set->state == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d samples", options->n_samples);
  return SS_OK;
}

SsStatus
ss_impact_set_new (const SsImpact *impact, const SsImpactSetOptions *options, SsRunControl *control, SsImpactSet **out,
                   SsError *err)
{
  SS_ASSERT (impact != NULL && options != NULL && out != NULL);

  Shared shared = {.impact = impact,
                   .options = *options,
                   .control = control,
                   .energy = ss_impact_kinetic_energy (impact, impact->v)};
  SsImpactDraw *draw = NULL;
  Worker *workers = NULL;
  int n_workers = 0;
  SsStatus status = fill_in (impact, &shared.options, err);

  *out = NULL;
  if (status == SS_OK)
    status = ss_impact_draw_new (shared.options.draw, shared.options.seed, impact->m, shared.options.max_steps,
                                 shared.options.h, &draw, err);
  if (status == SS_OK)
    status = allocate_set (impact, &shared.options, &shared.set, err);
  if (status == SS_OK) {
    workers = ss_new_array (Worker, shared.options.n_threads);
    if (shared.options.policy == SS_IMPACT_POLICY_ENUMERATE)
      shared.ambiguous = ss_new_array (int, shared.options.n_samples);
    if (workers == NULL || (shared.options.policy == SS_IMPACT_POLICY_ENUMERATE && shared.ambiguous == NULL))
      status = ss_error_set (err, SS_ERR_MEMORY, "no memory for %d samples", shared.options.n_samples);
  }
  for (; status == SS_OK && n_workers < shared.options.n_threads; n_workers++) {
    status = init_worker (&shared, &workers[n_workers], err);
    if (status != SS_OK)
      clear_worker (&workers[n_workers]);
    if (status != SS_OK)
      break;
  }
  if (status == SS_OK) {
    shared.draw = draw;
    shared.closing_cap = shared.options.closes ? shared.options.epsilon / (3 * ss_impact_psi (impact)) : 0;
    run_workers (workers, n_workers);
    sum_up (&shared, workers, n_workers);
    *out = shared.set;
    shared.set = NULL;
  }
  for (int i = 0; i < n_workers; i++)
    clear_worker (&workers[i]);
  ss_free (workers);
  ss_free (shared.ambiguous);
  ss_impact_draw_free (draw);
  ss_impact_set_free (shared.set);
  return status;
}

void
ss_impact_set_free (SsImpactSet *set)
{
  if (set == NULL)
    return;
  ss_free (set->v);
  ss_free (set->energy);
  ss_free (set->solves);
  ss_free (set->state);
  ss_free (set);
}

SsStatus
ss_impact_set_path (const SsImpact *impact, const SsImpactSetOptions *options, int sample, double *velocities,
                    double *impulses, int *n_steps, SsError *err)
{
  SS_ASSERT (impact != NULL && options != NULL && sample >= 0 && velocities != NULL && n_steps != NULL);

  Shared shared = {.impact = impact, .options = *options, .energy = ss_impact_kinetic_energy (impact, impact->v)};
  Worker worker = {.velocities = velocities, .impulses = impulses};
  SsImpactDraw *draw = NULL;
  double *v = NULL;
  SsStatus status = fill_in (impact, &shared.options, err);

  if (status == SS_OK)
    status = ss_impact_draw_new (shared.options.draw, shared.options.seed, impact->m, shared.options.max_steps,
                                 shared.options.h, &draw, err);
  if (status == SS_OK)
    status = init_worker (&shared, &worker, err);
  if (status == SS_OK) {
    v = ss_new_array (double, impact->n);
    if (v == NULL)
      status = ss_error_set (err, SS_ERR_MEMORY, "no memory for %d coordinates", impact->n);
  }
  if (status == SS_OK) {
    shared.draw = draw;
    shared.closing_cap = shared.options.closes ? shared.options.epsilon / (3 * ss_impact_psi (impact)) : 0;
    memcpy (v, impact->v, (size_t)impact->n * sizeof *v);
    *n_steps = run_sample (&worker, (uint64_t)sample, v).solves;
  }
  clear_worker (&worker);
  ss_impact_draw_free (draw);
  ss_free (v);
  return status;
}

/* ---- psi --------------------------------------------------------------------------------------------------------- */

/* Largest eigenvalue of P' P, P = M^-1 [Jn' Jt' -Jt'] by powers of a symmetric matrix: the column -Jt adds to those of
 * Jt, so that P P' = X X' with X = M^-1 [Jn' sqrt 2 Jt'] [002 Alg 2]. */
double
ss_impact_psi (const SsImpact *impact)
{
  SS_ASSERT (impact != NULL);

  enum { POWERS = 2000 };
  const int n = impact->n, size = 2 * impact->m;
  double gram[4 * SS_IMPACT_CONTACTS_MAX * SS_IMPACT_CONTACTS_MAX], x[2 * SS_IMPACT_CONTACTS_MAX], largest = 0, mu = 0;

  for (int k = 0; k < size; k++) {
    x[k] = 1 + 0.01 * k; /* no eigenvector but the first by symmetry */
    for (int l = 0; l < size; l++) {
      double sum = 0;
      for (int i = 0; i < n; i++)
        sum += impact->push[k * n + i] * impact->push[l * n + i];
      gram[k * size + l] = sum * (k < impact->m ? 1 : sqrt (2)) * (l < impact->m ? 1 : sqrt (2));
    }
  }
  for (int power = 0; power < POWERS; power++) {
    double y[2 * SS_IMPACT_CONTACTS_MAX], norm = 0;
    for (int k = 0; k < size; k++) {
      y[k] = 0;
      for (int l = 0; l < size; l++)
        y[k] += gram[k * size + l] * x[l];
      norm += y[k] * y[k];
    }
    norm = sqrt (norm);
    for (int k = 0; k < size && norm > 0; k++)
      x[k] = y[k] / norm;
    if (fabs (norm - largest) <= 1e-15 * norm)
      break;
    largest = norm;
  }
  for (int i = 0; i < impact->m; i++)
    mu = fmax (mu, impact->mu[i]);
  return sqrt (largest) * impact->m * (1 + mu) + 1;
}
