/* app/impact/ssapp-impact-worker.c: see the header. */
#include "app/impact/ssapp-impact-worker.h"

#include "app/draw/ssapp-impact-mode.h"

#include <math.h>
#include <string.h>

enum {
  CHUNK = 1024,      /* samples: a millisecond or a few */
  TRACE_CHUNK = 256, /* samples of which the way is drawn again */
  MOST_WAITING = 256 /* chunks that nobody has taken; then the thread waits */
};

typedef struct {
  gatomicrefcount references;
  SsImpact *impact;
  SsImpactSetOptions options;
  double energy; /* before the impact [J] */
  guint64 generation;
  int next, target, traced;
  gboolean is_bounded;
  SsRunControl control; /* of the bound: it ends when the job is dropped */
} Job;

struct SsappImpactWorker {
  GThread *thread;
  GMutex mutex;
  GCond wake, ready;
  Job *job;       /* newest; NULL: none */
  GQueue *chunks; /* of the newest job */
  guint64 generation;
  gboolean quits;
};

void
ssapp_impact_chunk_free (SsappImpactChunk *chunk)
{
  if (chunk == NULL)
    return;
  g_free (chunk->speeds);
  g_free (chunk->energies);
  g_free (chunk->modes);
  g_free (chunk->losses);
  g_free (chunk->error);
  ss_impact_bound_free (chunk->bound);
  g_array_unref (chunk->between);
  g_array_unref (chunk->reached);
  g_free (chunk);
}

static void
job_unref (Job *job)
{
  if (job == NULL || !g_atomic_ref_count_dec (&job->references))
    return;
  ss_impact_free (job->impact);
  g_free (job);
}

/* ---- a chunk ----------------------------------------------------------------------------------------------------- */

static SsappImpactChunk *
chunk_new (const Job *job, int first, int n)
{
  SsappImpactChunk *chunk = g_new0 (SsappImpactChunk, 1);
  const gsize m = (gsize)job->impact->m;

  chunk->generation = job->generation;
  chunk->first = first;
  chunk->n = n;
  chunk->m = job->impact->m;
  chunk->speeds = g_new (float, 2 * m * (gsize)n);
  chunk->energies = g_new (float, (gsize)n);
  chunk->modes = g_new0 (guint32, (gsize)n);
  chunk->losses = g_new0 (double, 2 * m);
  chunk->between = g_array_new (FALSE, FALSE, sizeof (float));
  chunk->reached = g_array_new (FALSE, FALSE, sizeof (float));
  chunk->n_ambiguous = -1;
  return chunk;
}

static void
fill_chunk (SsappImpactChunk *chunk, const Job *job, const SsImpactSet *set)
{
  const int m = chunk->m;
  double u[2 * SS_IMPACT_CONTACTS_MAX];

  for (int k = 0; k < chunk->n; k++) {
    const gboolean is_finished = set->state[k] == SS_IMPACT_FINISHED;
    ss_impact_speeds (job->impact, set->v + (gsize)k * (gsize)set->n, u);
    for (int c = 0; c < 2 * m; c++)
      chunk->speeds[c * chunk->n + k] = is_finished ? (float)u[c] : NAN;
    chunk->energies[k] = is_finished && job->energy > 0. ? (float)(set->energy[k] / job->energy) : NAN;
    chunk->modes[k] = ssapp_joint_mode_of (u, u + m, m, 1);
  }
  chunk->n_unfinished = set->n_unfinished;
  chunk->n_dropped = set->n_dropped;
  chunk->n_solves = set->n_solves;
  chunk->n_ambiguous = set->n_ambiguous;
  chunk->max_residual = set->max_residual;
}

/* What an impulse takes is minus itself times the mean speed of its contact during the step. */
static void
add_losses (SsappImpactChunk *chunk, const double *before, const double *after, const double *impulses)
{
  for (int c = 0; c < 2 * chunk->m; c++)
    chunk->losses[c] -= 0.5 * impulses[c] * (before[c] + after[c]);
}

/* Speeds between the steps and losses of one sample. */
static gboolean
trace_sample (SsappImpactChunk *chunk, const Job *job, int sample, double *velocities, double *impulses)
{
  const int m = chunk->m, n = job->impact->n;
  double before[2 * SS_IMPACT_CONTACTS_MAX], after[2 * SS_IMPACT_CONTACTS_MAX];
  int n_steps = 0;
  SsError err;

  if (ss_impact_set_path (job->impact, &job->options, sample, velocities, impulses, &n_steps, &err) != SS_OK)
    return FALSE;
  ss_impact_speeds (job->impact, velocities, before);
  for (int step = 0; step < n_steps; step++) {
    ss_impact_speeds (job->impact, velocities + (gsize)(step + 1) * (gsize)n, after);
    add_losses (chunk, before, after, impulses + (gsize)step * 2 * (gsize)m);
    for (int c = 0; c < 2 * m && step + 1 < n_steps; c++) {
      const float value = (float)after[c];
      g_array_append_val (chunk->between, value);
    }
    memcpy (before, after, sizeof before);
  }
  return TRUE;
}

/* No samples, but the ways of some that are there. */
static SsappImpactChunk *
make_traces (const Job *job, int first, int n)
{
  const gsize coordinates = (gsize)job->impact->n, m = (gsize)job->impact->m;
  const gsize steps = (gsize)job->options.max_steps;
  SsappImpactChunk *chunk = chunk_new (job, first, 0);
  g_autofree double *velocities = g_new (double, (steps + 2) * coordinates);
  g_autofree double *impulses = g_new (double, (steps + 1) * 2 * m);

  for (int k = 0; k < n; k++)
    if (!trace_sample (chunk, job, first + k, velocities, impulses))
      break;
  chunk->n_traced = n; /* also those for which there was no memory */
  return chunk;
}

static SsappImpactChunk *
make_chunk (const Job *job, int first, int n)
{
  SsappImpactChunk *chunk = chunk_new (job, first, n);
  SsImpactSetOptions options = job->options;
  SsImpactSet *set = NULL;
  SsError err;

  options.first = first;
  options.n_samples = n;
  options.n_threads = 1;
  if (ss_impact_set_new (job->impact, &options, NULL, &set, &err) != SS_OK) {
    chunk->error = g_strdup (err.message);
    chunk->n = 0;
    return chunk;
  }
  fill_chunk (chunk, job, set);
  ss_impact_set_free (set);
  return chunk;
}

static void
draw_corners (SsappImpactChunk *chunk, Job *job)
{
  SsImpactSetOptions options = job->options;
  double u[2 * SS_IMPACT_CONTACTS_MAX];
  SsImpactSet *set = NULL;
  SsError err;

  options.n_samples = job->next;
  options.n_threads = 1;
  if (ss_impact_corner_draws (job->impact, &options, &job->control, &set, &err) != SS_OK)
    return;
  for (int k = 0; k < set->n_samples; k++) {
    if (set->state[k] != SS_IMPACT_FINISHED)
      continue;
    ss_impact_speeds (job->impact, set->v + (gsize)k * (gsize)set->n, u);
    for (int c = 0; c < 2 * chunk->m; c++) {
      const float value = (float)u[c];
      g_array_append_val (chunk->reached, value);
    }
  }
  ss_impact_set_free (set);
}

/* No samples, but what holds all of them, and what further draws reach; without these where there is no memory. */
static SsappImpactChunk *
make_bound (Job *job)
{
  SsappImpactChunk *chunk = chunk_new (job, 0, 0);
  SsError err;

  draw_corners (chunk, job);

  if ((job->options.restitutes ? ss_impact_bound_of_energy (job->impact, &chunk->bound, &err)
                               : ss_impact_bound_new (job->impact, &job->control, &chunk->bound, &err)) != SS_OK)
    chunk->bound = NULL;
  chunk->has_bound = TRUE;
  return chunk;
}

/* ---- the thread -------------------------------------------------------------------------------------------------- */

/* Ways are drawn when all samples are there. */
static gboolean
has_samples_to_draw (const Job *job)
{
  return job->next < job->target;
}

static gboolean
has_work (const SsappImpactWorker *self)
{
  const Job *job = self->job;
  return job != NULL && self->chunks->length < MOST_WAITING &&
         (has_samples_to_draw (job) || (!job->is_bounded && job->next > 0) ||
          job->traced < MIN (SSAPP_IMPACT_TRACED, job->next));
}

/* With the mutex held, which is let go while the chunk is made. */
static void
do_work (SsappImpactWorker *self)
{
  Job *job = self->job;
  const gboolean draws = has_samples_to_draw (job), bounds = !draws && !job->is_bounded;
  const int first = draws ? job->next : job->traced;
  const int n =
      draws ? MIN (CHUNK, job->target - first) : MIN (TRACE_CHUNK, MIN (SSAPP_IMPACT_TRACED, job->next) - first);

  g_atomic_ref_count_inc (&job->references);
  g_mutex_unlock (&self->mutex);
  SsappImpactChunk *chunk = draws    ? make_chunk (job, first, n)
                            : bounds ? make_bound (job)
                                     : make_traces (job, first, n);
  g_mutex_lock (&self->mutex);
  if (job == self->job) {
    g_queue_push_tail (self->chunks, chunk);
    if (draws)
      job->next += n;
    else if (bounds)
      job->is_bounded = TRUE;
    else
      job->traced += n;
    if (chunk->error != NULL)
      job->target = job->traced = job->next = 0;
    g_cond_signal (&self->ready);
  } else {
    ssapp_impact_chunk_free (chunk);
  }
  job_unref (job);
}

static gpointer
run_thread (gpointer data)
{
  SsappImpactWorker *self = data;

  g_mutex_lock (&self->mutex);
  while (!self->quits)
    if (has_work (self))
      do_work (self);
    else
      g_cond_wait (&self->wake, &self->mutex);
  g_mutex_unlock (&self->mutex);
  return NULL;
}

SsappImpactWorker *
ssapp_impact_worker_new (void)
{
  SsappImpactWorker *self = g_new0 (SsappImpactWorker, 1);

  g_mutex_init (&self->mutex);
  g_cond_init (&self->wake);
  g_cond_init (&self->ready);
  self->chunks = g_queue_new ();
  self->thread = g_thread_new ("impact", run_thread, self);
  return self;
}

/* With the mutex held. */
static void
drop_job (SsappImpactWorker *self)
{
  if (self->job != NULL)
    ss_run_control_cancel (&self->job->control);
  g_clear_pointer (&self->job, job_unref);
  g_queue_clear_full (self->chunks, (GDestroyNotify)ssapp_impact_chunk_free);
}

void
ssapp_impact_worker_free (SsappImpactWorker *self)
{
  if (self == NULL)
    return;
  g_mutex_lock (&self->mutex);
  self->quits = TRUE;
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->mutex);
  g_thread_join (self->thread);
  drop_job (self);
  g_queue_free (self->chunks);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->wake);
  g_cond_clear (&self->ready);
  g_free (self);
}

guint64
ssapp_impact_worker_start (SsappImpactWorker *self, SsImpact *impact, const SsImpactSetOptions *options, int target)
{
  Job *job = g_new0 (Job, 1);

  g_atomic_ref_count_init (&job->references);
  job->impact = impact;
  job->options = *options;
  job->energy = ss_impact_kinetic_energy (impact, impact->v);
  job->target = target;
  ss_run_control_init (&job->control);
  g_mutex_lock (&self->mutex);
  drop_job (self);
  job->generation = ++self->generation;
  self->job = job;
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->mutex);
  return job->generation;
}

void
ssapp_impact_worker_set_target (SsappImpactWorker *self, int target)
{
  g_return_if_fail (self != NULL);
  g_mutex_lock (&self->mutex);
  if (self->job != NULL)
    self->job->target = target;
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->mutex);
}

void
ssapp_impact_worker_stop (SsappImpactWorker *self)
{
  g_return_if_fail (self != NULL);
  g_mutex_lock (&self->mutex);
  drop_job (self);
  g_mutex_unlock (&self->mutex);
}

SsappImpactChunk *
ssapp_impact_worker_take (SsappImpactWorker *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_mutex_lock (&self->mutex);
  SsappImpactChunk *chunk = g_queue_pop_head (self->chunks);
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->mutex);
  return chunk;
}

SsappImpactChunk *
ssapp_impact_worker_wait (SsappImpactWorker *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_mutex_lock (&self->mutex);
  while (self->chunks->length == 0 && has_work (self))
    g_cond_wait (&self->ready, &self->mutex);
  SsappImpactChunk *chunk = g_queue_pop_head (self->chunks);
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->mutex);
  return chunk;
}
