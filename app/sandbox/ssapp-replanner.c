/* app/sandbox/ssapp-replanner.c: see the header. */
#include "app/sandbox/ssapp-replanner.h"
#include "simulate/ss-simulate.h"

#include <gio/gio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A state that is early by this part of a period is due. */
static const double EARLY = 1e-3;
/* A scout that helped nothing rests for so long, twice as long each time, up to the longest [s]. */
static const double REST = 0.25, LONGEST_REST = 8;

/* A state of the world. */
typedef struct {
  double t;
  double *q, *v; /* 3 n_bodies each */
} State;

/* One of the two threads and what it plans with. */
typedef struct {
  SsappReplanner *owner;
  GThread *thread;
  SsReplan *loop;
  SsRunControl control;
  GCond wake;
  gboolean is_wanted; /* `state` waits */
  State state, own;   /* shared; of the thread */
} Planner;

struct SsappReplanner {
  gatomicrefcount references;
  SsScenario *scenario;
  int n_bodies, n_targets;
  double period;
  Planner warm, scout;
  /* shared */
  GMutex mutex;
  gboolean quit;
  double deadline;
  SsPlanTarget *goals; /* n_targets */
  double due;          /* time of the next state that is planned from; NaN: any */
  SsControls newest, taken, offered;
  guint64 number, number_taken;
  gboolean has_offer;
  double rest, scout_from; /* of the scout: its next rest; when it may look again, of ss_clock_wall () [s] */
  int n_looks;             /* of the scout since plans last came nearer: each looks from elsewhere */
  SsappReplanRecord records[SSAPP_REPLANNER_RECORDS]; /* a ring: record i at i mod the size */
  guint64 n_records, n_plans, n_missed, n_kept;
  gboolean is_stuck, is_kept;
  double miss;
  char message[256];
};

/* ---- controls ---------------------------------------------------------------------------------------------------- */

static void
make_controls (SsControls *controls, int n_rows, int n_actuators)
{
  *controls = (SsControls){n_rows, n_actuators, g_new0 (double, n_rows), g_new0 (double, n_rows *n_actuators)};
}

static void
copy_controls (const SsControls *from, SsControls *to)
{
  memcpy (to->t, from->t, sizeof *to->t * (gsize)to->n_rows);
  memcpy (to->u, from->u, sizeof *to->u * (gsize)to->n_rows * (gsize)to->n_actuators);
}

static void
clear_controls (SsControls *controls)
{
  g_free (controls->t);
  g_free (controls->u);
}

/* ---- the threads ------------------------------------------------------------------------------------------------- */

/* With the mutex held. */
static void
copy_state (const SsappReplanner *self, const State *from, State *to)
{
  to->t = from->t;
  memcpy (to->q, from->q, sizeof *to->q * 3 * (gsize)self->n_bodies);
  memcpy (to->v, from->v, sizeof *to->v * 3 * (gsize)self->n_bodies);
}

/* With the mutex held: what is asked for, in the thread's own objects; FALSE: it ends. */
static gboolean
wait_for_state (SsappReplanner *self, Planner *planner)
{
  while (!planner->is_wanted && !self->quit)
    g_cond_wait (&planner->wake, &self->mutex);
  if (self->quit)
    return FALSE;
  copy_state (self, &planner->state, &planner->own);
  for (int i = 0; i < self->n_targets; i++)
    for (int c = 0; c < SS_PLAN_COORDINATES; c++)
      ss_replan_set_target (planner->loop, i, c, self->goals[i].value[c]);
  return TRUE;
}

static gpointer
run_scout (gpointer data)
{
  Planner *planner = data;
  SsappReplanner *self = planner->owner;
  SsReplanAnswer answer;
  SsError ignored;

  g_mutex_lock (&self->mutex);
  while (wait_for_state (self, planner)) {
    const int look = self->n_looks++;
    g_mutex_unlock (&self->mutex);
    ss_replan_forget (planner->loop);
    ss_replan_look_from (planner->loop, look);
    const gboolean ok = ss_replan_solve (planner->loop, planner->own.t, planner->own.q, planner->own.v,
                                         &planner->control, &answer, &ignored) == SS_OK;
    g_mutex_lock (&self->mutex);
    planner->is_wanted = FALSE;
    self->scout_from = ss_clock_wall () + self->rest;
    self->rest = fmin (2 * self->rest, LONGEST_REST);
    if (ok && ss_replan_controls (planner->loop) != NULL) {
      copy_controls (ss_replan_controls (planner->loop), &self->offered);
      self->has_offer = TRUE;
    }
  }
  g_mutex_unlock (&self->mutex);
  return NULL;
}

/* With the mutex held. */
static void
keep_record (SsappReplanner *self, double t, const SsReplanAnswer *answer)
{
  self->records[self->n_records++ % SSAPP_REPLANNER_RECORDS] =
      (SsappReplanRecord){.t = t,
                          .seconds = answer->wall_seconds,
                          .deadline = self->deadline,
                          .miss = answer->miss,
                          .is_first = answer->is_first,
                          .is_late = answer->is_late && !answer->is_first,
                          .is_kept = answer->is_kept,
                          .is_stuck = answer->is_stuck};
  self->n_plans += !answer->is_first;
  self->n_missed += answer->is_late && !answer->is_first;
  self->n_kept += answer->is_kept && !answer->is_first;
  self->is_stuck = answer->is_stuck;
  self->is_kept = answer->is_kept;
  self->miss = answer->miss;
  g_strlcpy (self->message, answer->message, sizeof self->message);
  if (!answer->is_stuck) {
    self->rest = REST;
    self->n_looks = 0;
  }
  if (answer->is_stuck && !self->scout.is_wanted && ss_clock_wall () >= self->scout_from) {
    copy_state (self, &self->warm.own, &self->scout.state);
    self->scout.is_wanted = TRUE;
    g_cond_signal (&self->scout.wake);
  }
}

static gpointer
run_warm (gpointer data)
{
  Planner *planner = data;
  SsappReplanner *self = planner->owner;
  SsReplanAnswer answer;
  SsError err;

  g_mutex_lock (&self->mutex);
  while (wait_for_state (self, planner)) {
    planner->is_wanted = FALSE;
    if (self->has_offer)
      ss_replan_offer (planner->loop, &self->offered);
    self->has_offer = FALSE;
    ss_replan_set_deadline (planner->loop, self->deadline);
    g_mutex_unlock (&self->mutex);
    const gboolean ok = ss_replan_solve (planner->loop, planner->own.t, planner->own.q, planner->own.v,
                                         &planner->control, &answer, &err) == SS_OK;
    g_mutex_lock (&self->mutex);
    if (!ok)
      g_strlcpy (self->message, err.message, sizeof self->message);
    if (!ok || answer.outcome == SS_OUTCOME_CANCELLED)
      continue;
    if (ss_replan_controls (planner->loop) != NULL) {
      copy_controls (ss_replan_controls (planner->loop), &self->newest);
      self->number++;
    }
    keep_record (self, planner->own.t, &answer);
  }
  g_mutex_unlock (&self->mutex);
  return NULL;
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

static gboolean
fail (GError **error, const char *text)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, text);
  return FALSE;
}

static gboolean
read_scenario (SsappReplanner *self, const char *text, const SsOverride *overrides, int n, GError **error)
{
  char line[1024] = "The scenario cannot be read";
  SsProblems problems;
  gboolean ok;

  ss_problems_init (&problems);
  ok = ss_scenario_read (text, strlen (text), "", overrides, n, &problems, &self->scenario) == SS_OK;
  if (!ok && problems.n_items > 0)
    ss_error_format (&problems.items[0], line, sizeof line);
  ss_problems_clear (&problems);
  return ok || fail (error, line);
}

static gboolean
open_planner (SsappReplanner *self, Planner *planner, const SsReplanOptions *options, GError **error)
{
  const gsize n = 3 * (gsize)self->n_bodies + 1;
  SsError why;

  planner->owner = self;
  ss_run_control_init (&planner->control);
  planner->state = (State){NAN, g_new0 (double, n), g_new0 (double, n)};
  planner->own = (State){NAN, g_new0 (double, n), g_new0 (double, n)};
  return ss_replan_new (self->scenario, options, &planner->loop, &why) == SS_OK || fail (error, why.message);
}

static void
close_planner (Planner *planner)
{
  ss_replan_free (planner->loop);
  g_free (planner->state.q);
  g_free (planner->state.v);
  g_free (planner->own.q);
  g_free (planner->own.v);
  g_cond_clear (&planner->wake);
}

static void
free_replanner (SsappReplanner *self)
{
  ssapp_replanner_stop (self);
  close_planner (&self->warm);
  close_planner (&self->scout);
  clear_controls (&self->newest);
  clear_controls (&self->taken);
  clear_controls (&self->offered);
  g_free (self->goals);
  ss_scenario_free (self->scenario);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

static gboolean
prepare (SsappReplanner *self, const SsReplanOptions *options, GError **error)
{
  const SsScene *scene = self->scenario->scene;
  const SsPlan *plan = self->scenario->task.plan;

  self->n_bodies = scene != NULL ? scene->n_bodies : 0;
  if (!open_planner (self, &self->warm, options, error) || !open_planner (self, &self->scout, options, error))
    return FALSE;
  self->n_targets = plan->n_targets;
  self->goals = g_memdup2 (plan->targets, sizeof *plan->targets * (gsize)plan->n_targets);
  self->period = ss_replan_period (self->warm.loop);
  self->deadline = options->deadline;
  make_controls (&self->newest, ss_replan_look_ahead (self->warm.loop), scene->n_actuators);
  make_controls (&self->taken, self->newest.n_rows, scene->n_actuators);
  make_controls (&self->offered, self->newest.n_rows, scene->n_actuators);
  self->warm.thread = g_thread_try_new ("re-plan", run_warm, &self->warm, error);
  if (self->warm.thread != NULL)
    self->scout.thread = g_thread_try_new ("scout", run_scout, &self->scout, error);
  return self->scout.thread != NULL;
}

SsappReplanner *
ssapp_replanner_new (const char *scenario_text, const SsOverride *overrides, int n_overrides,
                     const SsReplanOptions *options, GError **error)
{
  SsappReplanner *self = g_new0 (SsappReplanner, 1);

  g_atomic_ref_count_init (&self->references);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->warm.wake);
  g_cond_init (&self->scout.wake);
  self->due = self->miss = NAN;
  self->rest = REST;
  if (!read_scenario (self, scenario_text, overrides, n_overrides, error) || !prepare (self, options, error))
    g_clear_pointer (&self, free_replanner);
  return self;
}

void
ssapp_replanner_unref (SsappReplanner *self)
{
  if (g_atomic_ref_count_dec (&self->references))
    free_replanner (self);
}

void
ssapp_replanner_stop (SsappReplanner *self)
{
  g_return_if_fail (self != NULL);
  g_mutex_lock (&self->mutex);
  self->quit = TRUE;
  ss_run_control_cancel (&self->warm.control);
  ss_run_control_cancel (&self->scout.control);
  g_cond_signal (&self->warm.wake);
  g_cond_signal (&self->scout.wake);
  g_mutex_unlock (&self->mutex);
  if (self->warm.thread != NULL)
    g_thread_join (g_steal_pointer (&self->warm.thread));
  if (self->scout.thread != NULL)
    g_thread_join (g_steal_pointer (&self->scout.thread));
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

double
ssapp_replanner_get_period (SsappReplanner *self)
{
  g_return_val_if_fail (self != NULL, (double)NAN);
  return self->period;
}

void
ssapp_replanner_set_deadline (SsappReplanner *self, double seconds)
{
  g_return_if_fail (self != NULL);
  g_mutex_lock (&self->mutex);
  self->deadline = fmax (seconds, 0);
  g_mutex_unlock (&self->mutex);
}

void
ssapp_replanner_set_goals (SsappReplanner *self, const SsScenario *scenario)
{
  g_return_if_fail (self != NULL);
  const SsPlan *plan = scenario->task.plan;

  if (plan == NULL || plan->n_targets != self->n_targets)
    return;
  g_mutex_lock (&self->mutex);
  self->rest = REST;
  self->scout_from = 0;
  memcpy (self->goals, plan->targets, sizeof *plan->targets * (gsize)plan->n_targets);
  g_mutex_unlock (&self->mutex);
}

void
ssapp_replanner_ask (SsappReplanner *self, double t, const double *q, const double *v)
{
  const double period = self->period;

  g_mutex_lock (&self->mutex);
  /* after rewinding, too: what is due then lies more than a period ahead */
  if (!self->quit && (isnan (self->due) || t >= self->due - EARLY * period || t < self->due - 1.5 * period)) {
    State state = {t, (double *)q, (double *)v};

    copy_state (self, &state, &self->warm.state);
    self->warm.is_wanted = TRUE;
    /* on the same beat, unless that was lost */
    self->due = isnan (self->due) || fabs (t - self->due) > period ? t + period : self->due + period;
    g_cond_signal (&self->warm.wake);
  }
  g_mutex_unlock (&self->mutex);
}

const SsControls *
ssapp_replanner_take (SsappReplanner *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_mutex_lock (&self->mutex);
  if (self->number != self->number_taken)
    copy_controls (&self->newest, &self->taken);
  self->number_taken = self->number;
  const SsControls *taken = self->number_taken > 0 ? &self->taken : NULL;
  g_mutex_unlock (&self->mutex);
  return taken;
}

/* ---- asking ------------------------------------------------------------------------------------------------------ */

static int
compare_doubles (const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

void
ssapp_replanner_get_state (SsappReplanner *self, SsappReplanState *state)
{
  g_return_if_fail (state != NULL);

  double seconds[SSAPP_REPLANNER_RECORDS];
  int n = 0;

  g_mutex_lock (&self->mutex);
  const guint64 n_kept = MIN (self->n_records, SSAPP_REPLANNER_RECORDS);
  for (guint64 i = self->n_records - n_kept; i < self->n_records; i++) {
    const SsappReplanRecord *record = &self->records[i % SSAPP_REPLANNER_RECORDS];
    if (!record->is_first)
      seconds[n++] = record->seconds;
  }
  *state = (SsappReplanState){.n_plans = self->n_plans,
                              .n_missed = self->n_missed,
                              .n_kept = self->n_kept,
                              .median = NAN,
                              .percentile_99 = NAN,
                              .last = n > 0 ? seconds[n - 1] : NAN,
                              .miss = self->miss,
                              .is_looking = self->n_records == 0 && !self->quit,
                              .is_stuck = self->is_stuck,
                              .is_kept = self->is_kept};
  g_strlcpy (state->message, self->message, sizeof state->message);
  g_mutex_unlock (&self->mutex);
  if (n == 0)
    return;
  qsort (seconds, (size_t)n, sizeof *seconds, compare_doubles);
  state->median = (seconds[(n - 1) / 2] + seconds[n / 2]) / 2;
  state->percentile_99 = seconds[(int)ceil (0.99 * n) - 1]; /* nearest rank */
}

int
ssapp_replanner_get_records (SsappReplanner *self, SsappReplanRecord *records, int n, guint64 *version)
{
  g_return_val_if_fail (self != NULL, 0);
  g_mutex_lock (&self->mutex);
  const int n_kept = (int)MIN (MIN (self->n_records, SSAPP_REPLANNER_RECORDS), (guint64)n);
  for (int i = 0; i < n_kept; i++)
    records[i] = self->records[(self->n_records - (guint64)n_kept + (guint64)i) % SSAPP_REPLANNER_RECORDS];
  *version = self->n_records;
  g_mutex_unlock (&self->mutex);
  return n_kept;
}

int
ssapp_replan_bars (const SsappReplanRecord *records, int n, double from, gboolean are_late, double *x, double *y)
{
  g_return_val_if_fail ((records != NULL || n == 0) && n >= 0 && x != NULL && y != NULL, 0);

  int n_points = 0;

  for (int i = 0; i < n; i++) {
    const SsappReplanRecord *record = &records[i];

    if (record->is_first || record->t < from || record->is_late != are_late)
      continue;
    for (int k = 0; k < 3; k++, n_points++) {
      x[n_points] = k < 2 ? record->t : NAN;
      y[n_points] = k == 0 ? 0 : k == 1 ? 1e3 * record->seconds : NAN;
    }
  }
  return n_points;
}
