/* app/session/ssapp-live-motion.c: see the header. */
#include "app/session/ssapp-live-motion.h"

#include "app/base/ssapp-json.h"
#include "app/job/ssapp-runner.h"

#include <math.h>
#include <string.h>

#define SHOW_PERIOD 0.05 /* s between two parts of a motion: each is a copy */
enum { LOOK_MS = 10 };   /* how often it is looked whether a thread that was left behind has come back */

/* Outlives the live motion by as long as its thread takes to stop. */
typedef struct {
  SsappRunner *runner;
  SsappLiveMotion *owner; /* NULL: it is gone */
} Computer;

struct _SsappLiveMotion {
  GObject parent_instance;
  Computer *computer;
  SsappRun *now, *before, *coming; /* nullable */
  gboolean is_computing, is_whole;
  guint step;         /* of `coming`, or of `now` where there is none */
  SsappJobSpec *next; /* waits for the thread; NULL: nothing does */
  char *asked;        /* what was asked for last, for comparison; nullable */
  char *message;
  gint64 asked_at;       /* [us] */
  double seconds, shown; /* shown: when a part was last shown, since asking [s] */
  guint look;
};

G_DEFINE_FINAL_TYPE (SsappLiveMotion, ssapp_live_motion, G_TYPE_OBJECT)

static guint changed_signal;

static void start_next (SsappLiveMotion *self);

static double
since_asking (SsappLiveMotion *self)
{
  return (double)(g_get_monotonic_time () - self->asked_at) / G_TIME_SPAN_SECOND;
}

static void
set_message (SsappLiveMotion *self, const char *message)
{
  g_free (self->message);
  self->message = g_strdup (message != NULL ? message : "");
}

/* ---- what the thread tells --------------------------------------------------------------------------------------- */

static void
take_part (SsappLiveMotion *self, const SsappEvent *event)
{
  SsTrajectory *copy = NULL;

  if (since_asking (self) < SSAPP_LIVE_PATIENCE || since_asking (self) < self->shown + SHOW_PERIOD ||
      event->trajectory->n_rows < 2 || ss_trajectory_copy (event->trajectory, &copy, NULL) != SS_OK)
    return;
  self->shown = since_asking (self);
  ssapp_run_take_answer (self->coming, copy, NULL);
  g_set_object (&self->now, self->coming);
  g_signal_emit (self, changed_signal, 0);
}

/* "scene.bodies[1].mass: must be positive", of the first problem, else the result's words. */
static void
take_words (SsappLiveMotion *self, const SsappEvent *event)
{
  char line[1024];

  if (event->problems != NULL) {
    SsError first = event->problems->items[0];
    first.file[0] = '\0';
    ss_error_format (&first, line, sizeof line);
    set_message (self, line);
  } else if (event->end != SSAPP_END_SUCCESS) {
    set_message (self, ssapp_json_get_string (event->result, "message"));
  }
}

static void
take_result (SsappLiveMotion *self, const SsappEvent *event)
{
  SsTrajectory *copy = NULL;
  const gboolean has_motion = event->trajectory != NULL && ss_trajectory_copy (event->trajectory, &copy, NULL) == SS_OK;

  self->is_computing = FALSE;
  take_words (self, event);
  if (has_motion) {
    self->seconds = since_asking (self);
    self->is_whole = event->end == SSAPP_END_SUCCESS;
    ssapp_run_take_answer (self->coming, copy, event->result);
    g_set_object (&self->now, self->coming);
  } else {
    if (self->now != NULL && self->now != self->coming)
      g_set_object (&self->before, self->now);
    g_clear_object (&self->now);
  }
  g_clear_object (&self->coming);
  g_signal_emit (self, changed_signal, 0);
}

static void
on_event (SsappRunner *runner, const SsappJobSpec *spec, const SsappEvent *event, gpointer user_data)
{
  SsappLiveMotion *self = ((Computer *)user_data)->owner;

  (void)runner;
  (void)spec;
  if (self == NULL)
    return;
  if (self->next == NULL && self->coming != NULL && event->kind == SSAPP_EVENT_FRAME)
    take_part (self, event);
  if (event->kind != SSAPP_EVENT_RESULT)
    return;
  if (self->next == NULL && self->coming != NULL) /* else it was overtaken */
    take_result (self, event);
  start_next (self);
}

/* ---- what is asked ----------------------------------------------------------------------------------------------- */

static gboolean
on_look (gpointer data)
{
  SsappLiveMotion *self = data;

  self->look = 0;
  start_next (self);
  return G_SOURCE_REMOVE;
}

/* Once the thread is there for it: a result leaves the runner a moment before. */
static void
start_next (SsappLiveMotion *self)
{
  if (self->next == NULL || self->look != 0)
    return;
  if (ssapp_runner_is_busy (self->computer->runner))
    self->look = g_timeout_add (LOOK_MS, on_look, self);
  else
    ssapp_runner_start (self->computer->runner, g_steal_pointer (&self->next));
}

/* What was under way is of no use any more. */
static void
stop (SsappLiveMotion *self)
{
  g_clear_pointer (&self->next, ssapp_job_spec_free);
  if (ssapp_runner_is_running (self->computer->runner))
    ssapp_runner_cancel (self->computer->runner);
}

void
ssapp_live_motion_ask (SsappLiveMotion *self, SsappJob *job, SsappRun *run, guint step)
{
  g_return_if_fail (SSAPP_IS_LIVE_MOTION (self) && SSAPP_IS_JOB (job) && SSAPP_IS_RUN (run));
  g_autofree char *options = ssapp_job_get_options_json (job);
  g_autofree char *asked =
      g_strdup_printf ("%s\n%s\n%s", ssapp_job_get_method (job).name, options, ssapp_job_get_scenario_text (job));

  if (g_strcmp0 (asked, self->asked) == 0)
    return;
  stop (self);
  g_free (self->asked);
  self->asked = g_steal_pointer (&asked);
  if (step != self->step && self->is_whole)
    g_set_object (&self->before, self->now);
  self->step = step;
  self->is_whole = FALSE;
  self->is_computing = TRUE;
  set_message (self, NULL);
  g_set_object (&self->coming, run);
  self->asked_at = g_get_monotonic_time ();
  self->shown = 0;
  self->next = ssapp_job_dup_spec (job);
  start_next (self);
  g_signal_emit (self, changed_signal, 0);
}

void
ssapp_live_motion_hold (SsappLiveMotion *self)
{
  g_return_if_fail (SSAPP_IS_LIVE_MOTION (self));
  if (!self->is_computing)
    return;
  stop (self);
  g_clear_object (&self->coming);
  g_clear_pointer (&self->asked, g_free);
  self->is_computing = FALSE;
  g_signal_emit (self, changed_signal, 0);
}

void
ssapp_live_motion_clear (SsappLiveMotion *self)
{
  g_return_if_fail (SSAPP_IS_LIVE_MOTION (self));
  stop (self);
  g_clear_object (&self->now);
  g_clear_object (&self->before);
  g_clear_object (&self->coming);
  g_clear_pointer (&self->asked, g_free);
  self->is_computing = self->is_whole = FALSE;
  self->seconds = NAN;
  set_message (self, NULL);
  g_signal_emit (self, changed_signal, 0);
}

/* ---- what there is ----------------------------------------------------------------------------------------------- */

SsappRun *
ssapp_live_motion_get_now (SsappLiveMotion *self)
{
  g_return_val_if_fail (SSAPP_IS_LIVE_MOTION (self), NULL);
  return self->now;
}

SsappRun *
ssapp_live_motion_get_before (SsappLiveMotion *self)
{
  g_return_val_if_fail (SSAPP_IS_LIVE_MOTION (self), NULL);
  return self->before;
}

gboolean
ssapp_live_motion_is_computing (SsappLiveMotion *self)
{
  g_return_val_if_fail (SSAPP_IS_LIVE_MOTION (self), FALSE);
  return self->is_computing;
}

gboolean
ssapp_live_motion_is_whole (SsappLiveMotion *self)
{
  g_return_val_if_fail (SSAPP_IS_LIVE_MOTION (self), FALSE);
  return self->is_whole;
}

const char *
ssapp_live_motion_get_message (SsappLiveMotion *self)
{
  g_return_val_if_fail (SSAPP_IS_LIVE_MOTION (self), "");
  return self->message;
}

double
ssapp_live_motion_get_seconds (SsappLiveMotion *self)
{
  g_return_val_if_fail (SSAPP_IS_LIVE_MOTION (self), NAN);
  return self->seconds;
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

/* Frees the computer once its thread has stopped. */
static gboolean
on_bury (gpointer data)
{
  Computer *computer = data;

  if (ssapp_runner_is_busy (computer->runner))
    return G_SOURCE_CONTINUE;
  ssapp_runner_free (computer->runner);
  g_free (computer);
  return G_SOURCE_REMOVE;
}

static void
ssapp_live_motion_finalize (GObject *object)
{
  SsappLiveMotion *self = SSAPP_LIVE_MOTION (object);

  stop (self);
  self->computer->owner = NULL;
  if (on_bury (self->computer) == G_SOURCE_CONTINUE)
    g_timeout_add (LOOK_MS, on_bury, self->computer);
  g_clear_handle_id (&self->look, g_source_remove);
  g_clear_object (&self->now);
  g_clear_object (&self->before);
  g_clear_object (&self->coming);
  g_free (self->asked);
  g_free (self->message);
  G_OBJECT_CLASS (ssapp_live_motion_parent_class)->finalize (object);
}

static void
ssapp_live_motion_class_init (SsappLiveMotionClass *class)
{
  G_OBJECT_CLASS (class)->finalize = ssapp_live_motion_finalize;
  changed_signal =
      g_signal_new ("changed", SSAPP_TYPE_LIVE_MOTION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ssapp_live_motion_init (SsappLiveMotion *self)
{
  self->computer = g_new0 (Computer, 1);
  self->computer->owner = self;
  self->computer->runner = ssapp_runner_new (on_event, self->computer);
  self->seconds = NAN;
  set_message (self, NULL);
}

SsappLiveMotion *
ssapp_live_motion_new (void)
{
  return g_object_new (SSAPP_TYPE_LIVE_MOTION, NULL);
}
