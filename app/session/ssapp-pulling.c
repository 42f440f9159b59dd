/* app/session/ssapp-pulling.c: see the header. */
#include "app/session/ssapp-pulling.h"

#include "app/base/ssapp-text.h"
#include "app/job/ssapp-pull.h"
#include "app/session/ssapp-fit-ask.h"
#include "app/session/ssapp-session-private.h"
#include "scene/ss-number.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

enum { BAND_POINTS = 49, BAND_SIMULATIONS = 160, QUICK_SIMULATIONS = 40, STARTS_MOST = 4 };
/* A tenth of a millimetre is reached: the sheet shows no less. [m] */
static const double PULLED = 1e-4;

/* One pull: of the thread that answers and of whom it tells. */
typedef struct {
  gatomicrefcount refs;
  SsappPulling *owner; /* main thread's; NULL: nobody waits */
  SsappFitAsk ask;     /* scene, method, options, and what may change; read only by the thread */
  char *formulas[2];   /* of x and y of the body */
  double t, at[2];     /* where it was */
  SsRunControl control;
  GMutex mutex;
  GCond cond;
  gboolean is_over, has_wish; /* under the mutex, as all below */
  double wish[2];
  int n_wishes, n_answered; /* told, and up to which they are answered */
  SsPull answer;            /* newest that was not taken; has_answer */
  SsReach band;
  gboolean has_answer, has_band, is_posted;
  int axis; /* that is followed with one number; -1: both */
} PullWork;

struct _SsappPulling {
  GObject parent_instance;
  SsappSession *session;
  GHashTable *ticks;         /* of names, as set */
  gboolean is_usual;         /* nobody has ticked anything */
  PullWork *work;            /* NULL: no pull was begun */
  gboolean is_on, is_ending; /* ending: the last wish is waited for */
  char *body;
  double t, wish[2];
  SsPull answer;
  SsReach band;
  gboolean has_answer, has_band;
  int axis;
  guint step;    /* of the document, of this pull */
  GArray *times; /* of gint64 [us], of answers */
};

enum { PULLING_CHANGED, PULLING_N_SIGNALS };
static guint pulling_signals[PULLING_N_SIGNALS];

G_DEFINE_FINAL_TYPE (SsappPulling, ssapp_pulling, G_TYPE_OBJECT)

static PullWork *
pull_work_ref (PullWork *work)
{
  g_atomic_ref_count_inc (&work->refs);
  return work;
}

static void
pull_work_unref (PullWork *work)
{
  if (!g_atomic_ref_count_dec (&work->refs))
    return;
  ssapp_fit_ask_clear (&work->ask);
  ss_pull_clear (&work->answer);
  ss_reach_clear (&work->band);
  g_free (work->formulas[0]);
  g_free (work->formulas[1]);
  g_mutex_clear (&work->mutex);
  g_cond_clear (&work->cond);
  g_free (work);
}

/* ---- the thread -------------------------------------------------------------------------------------------------- */

static SsPullJob
pull_job_of (const PullWork *work)
{
  return (SsPullJob){.scenario = work->ask.scenario,
                     .method = work->ask.job.method,
                     .options = work->ask.options,
                     .dt = NAN,
                     .t_end = work->t,
                     .n_causes = (int)work->ask.free->len,
                     .causes = (const SsPullCause *)(const void *)work->ask.free->data};
}

static gboolean on_pull_told (gpointer data);

static void
tell (PullWork *work)
{
  if (!work->is_posted)
    g_idle_add (on_pull_told, pull_work_ref (work));
  work->is_posted = TRUE;
}

/* From one start; the nearer of both is kept in *best. */
static void
try_from (const PullWork *work, SsRunControl *control, const SsPullWant *wants, int n_wants, const double *from,
          SsPull *best)
{
  SsPullJob job = pull_job_of (work);
  SsPull pull;
  double off[2] = {INFINITY, INFINITY};

  job.wants = wants;
  job.n_wants = n_wants;
  job.from = from;
  job.is_quick = true;
  job.most = QUICK_SIMULATIONS;
  if (ss_pull (&job, control, &pull, NULL) != SS_OK)
    return;
  for (int k = 0; k < 2; k++) {
    const SsPull *of = k == 0 ? best : &pull;
    double sum = 0;
    for (int i = 0; i < of->n_wants; i++)
      sum = hypot (sum, of->outcomes[i].value - of->outcomes[i].want);
    off[k] = of->n_wants > 0 && isfinite (sum) ? sum : INFINITY;
  }
  if (off[1] < off[0] || best->n_wants == 0) {
    const double cpu = best->cpu_seconds + pull.cpu_seconds;
    const int n = best->n_simulations + pull.n_simulations;
    ss_pull_clear (best);
    *best = pull;
    best->cpu_seconds = cpu;
    best->n_simulations = n;
  } else
    ss_pull_clear (&pull);
}

/* Places of the band that are nearest, or between which the wish lies, as starts by their changes; how many. */
static int
starts_of_band (const SsReach *band, int axis, double wish, double starts[STARTS_MOST])
{
  int n = 0, nearest = -1;

  for (int i = 0; i < band->n_points; i++) {
    const double y = band->points[i].values[axis];
    if (isfinite (y) && (nearest < 0 || fabs (y - wish) < fabs (band->points[nearest].values[axis] - wish)))
      nearest = i;
  }
  for (int i = 0; i + 1 < band->n_points; i++) {
    const double a = band->points[i].values[axis] - wish, b = band->points[i + 1].values[axis] - wish;
    if (!((a <= 0) != (b <= 0)) || !isfinite (a) || !isfinite (b))
      continue;
    const double x = fabs (a) < fabs (b) ? band->points[i].at : band->points[i + 1].at;
    int at = n < STARTS_MOST ? n++ : STARTS_MOST - 1;
    for (; at > 0 && fabs (x - band->was) < fabs (starts[at - 1] - band->was); at--)
      starts[at] = starts[at - 1];
    starts[at] = x;
  }
  if (n == 0 && nearest >= 0)
    starts[n++] = band->points[nearest].at;
  return n;
}

/* The axis along which the only number moves the body more. */
static int
find_axis (const PullWork *work, SsRunControl *control)
{
  const SsPullWant wants[2] = {{work->formulas[0], work->at[0], 1e9}, {work->formulas[1], work->at[1], 1e9}};
  SsPull pull = {0};
  int axis = 0;
  SsPullJob job = pull_job_of (work);

  job.wants = wants;
  job.n_wants = 2;
  job.is_quick = true;
  if (ss_pull (&job, control, &pull, NULL) == SS_OK && isfinite (pull.slopes[1]))
    axis = fabs (pull.slopes[1]) > fabs (pull.slopes[0]);
  ss_pull_clear (&pull);
  return axis;
}

static void
answer_wish (PullWork *work, const double wish[2], int axis, const SsReach *band, const double *from, SsPull *answer)
{
  const SsPullWant wants[2] = {{work->formulas[0], wish[0], PULLED}, {work->formulas[1], wish[1], PULLED}};
  const SsPullWant *first = axis >= 0 ? &wants[axis] : wants;
  const int n_wants = axis >= 0 ? 1 : 2;
  double starts[STARTS_MOST];

  try_from (work, &work->control, first, n_wants, from, answer);
  if (answer->is_reached || band == NULL || axis < 0)
    return;
  const int n = starts_of_band (band, axis, wish[axis], starts);
  for (int i = 0; i < n && !answer->is_reached; i++)
    try_from (work, &work->control, first, n_wants, &starts[i], answer);
}

static void
make_band (const PullWork *work, SsRunControl *control, SsReach *band)
{
  const SsPullWant wants[2] = {{work->formulas[0], NAN, PULLED}, {work->formulas[1], NAN, PULLED}};
  SsPullJob job = pull_job_of (work);

  job.wants = wants;
  job.n_wants = 2;
  job.most = BAND_SIMULATIONS;
  if (ss_reach (&job, 0, BAND_POINTS, control, band, NULL) != SS_OK)
    *band = (SsReach){0};
}

static gpointer
pull_thread (gpointer data)
{
  PullWork *work = data;
  double from[SS_PULL_CAUSES_MAX];
  gboolean has_from = FALSE, has_band = FALSE;
  SsReach band = {0}; /* the thread's own view of work->band, whose arrays do not change once it is there */
  const int n_causes = (int)work->ask.free->len;
  int axis = n_causes > 1 ? -1 : find_axis (work, &work->control);

  g_mutex_lock (&work->mutex);
  work->axis = axis;
  while (!work->is_over) {
    double wish[2] = {work->wish[0], work->wish[1]};
    if (!work->has_wish && n_causes == 1 && !has_band) {
      g_mutex_unlock (&work->mutex);
      make_band (work, &work->control, &band);
      has_band = TRUE;
      g_mutex_lock (&work->mutex);
      work->has_band = band.n_points > 0;
      work->band = band;
      tell (work);
      continue;
    }
    if (!work->has_wish) {
      g_cond_wait (&work->cond, &work->mutex);
      continue;
    }
    work->has_wish = FALSE;
    const int n_wishes = work->n_wishes;
    g_mutex_unlock (&work->mutex);
    SsPull answer = {0};
    answer_wish (work, wish, axis, has_band ? &band : NULL, has_from ? from : NULL, &answer);
    if (!answer.is_reached && n_causes == 1 && !has_band) { /* it is needed now */
      make_band (work, &work->control, &band);
      has_band = TRUE;
      answer_wish (work, wish, axis, &band, has_from ? from : NULL, &answer);
    }
    for (int k = 0; k < answer.n_causes; k++)
      from[k] = answer.changes[k].value;
    has_from = answer.n_causes > 0;
    g_mutex_lock (&work->mutex);
    if (has_band && !work->has_band && band.n_points > 0) {
      work->has_band = TRUE;
      work->band = band;
    }
    if (answer.n_causes > 0) {
      ss_pull_clear (&work->answer);
      work->answer = answer;
      work->has_answer = TRUE;
    }
    work->n_answered = n_wishes;
    tell (work);
  }
  const gboolean is_given = work->has_band;
  g_mutex_unlock (&work->mutex);
  if (has_band && !is_given)
    ss_reach_clear (&band);
  pull_work_unref (work);
  return NULL;
}

/* ---- answers into the document ----------------------------------------------------------------------------------- */

static void
note_time (SsappPulling *self)
{
  const gint64 now = g_get_monotonic_time ();

  g_array_append_val (self->times, now);
  while (self->times->len > 0 && now - g_array_index (self->times, gint64, 0) > G_TIME_SPAN_SECOND)
    g_array_remove_index (self->times, 0);
}

static void
leave_work (SsappPulling *self)
{
  PullWork *work = g_steal_pointer (&self->work);

  self->has_band = FALSE;
  if (work == NULL)
    return;
  g_mutex_lock (&work->mutex);
  work->owner = NULL;
  work->is_over = TRUE;
  ss_run_control_stop (&work->control, SS_OUTCOME_CANCELLED);
  g_cond_signal (&work->cond);
  g_mutex_unlock (&work->mutex);
  pull_work_unref (work);
}

static void
finish (SsappPulling *self, gboolean keeps)
{
  if (!self->is_on)
    return;
  self->is_on = self->is_ending = FALSE;
  leave_work (self);
  ssapp_document_finish_gesture (ssapp_session_get_document (self->session), keeps);
  g_signal_emit (self, pulling_signals[PULLING_CHANGED], 0);
}

static gboolean
on_pull_told (gpointer data)
{
  PullWork *work = data;
  SsappPulling *self = work->owner;
  gboolean has_answer = FALSE, is_end = FALSE;

  g_mutex_lock (&work->mutex);
  work->is_posted = FALSE;
  if (self != NULL && self->work == work && self->is_on) {
    has_answer = work->has_answer;
    if (has_answer) {
      ss_pull_clear (&self->answer);
      self->answer = work->answer;
      work->answer = (SsPull){0};
      work->has_answer = FALSE;
      self->has_answer = TRUE;
    }
    self->has_band = work->has_band;
    self->band = work->band; /* borrowed from the work */
    self->axis = work->axis;
    is_end = self->is_ending && work->n_answered == work->n_wishes;
  }
  g_mutex_unlock (&work->mutex);
  if (has_answer) {
    note_time (self);
    if (ssapp_document_get_step (ssapp_session_get_document (self->session)) != self->step) { /* another edit came */
      finish (self, TRUE);
      pull_work_unref (work);
      return G_SOURCE_REMOVE;
    }
    (void)ssapp_document_set_source_as (ssapp_session_get_document (self->session), self->answer.scenario, NULL, NULL);
  }
  if (is_end)
    finish (self, TRUE);
  else if (self != NULL && self->work == work)
    g_signal_emit (self, pulling_signals[PULLING_CHANGED], 0);
  pull_work_unref (work);
  return G_SOURCE_REMOVE;
}

/* ---- what may change --------------------------------------------------------------------------------------------- */

GPtrArray *
ssapp_pulling_list_causes (SsappPulling *self, const char *body)
{
  g_return_val_if_fail (SSAPP_IS_PULLING (self), NULL);
  static const char *const starts[] = {"vx", "vy", "omega", "x", "y", "theta"};
  const SsScenario *scenario = ssapp_document_get_scenario (ssapp_session_get_document (self->session));
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; body != NULL && i < G_N_ELEMENTS (starts); i++) {
    g_autofree char *name = g_strdup_printf ("%s.%s", body, starts[i]);
    SsNumber number;
    if (ss_scenario_number (scenario, name, &number, NULL) == SS_OK)
      g_ptr_array_add (list, g_steal_pointer (&name));
  }
  for (int i = 0; i < scenario->n_parameters; i++)
    g_ptr_array_add (list, g_strdup (scenario->parameters[i].name));
  return list;
}

gboolean
ssapp_pulling_is_ticked (SsappPulling *self, const char *cause)
{
  g_return_val_if_fail (SSAPP_IS_PULLING (self) && cause != NULL, FALSE);
  return self->is_usual ? g_str_has_suffix (cause, ".vx") : g_hash_table_contains (self->ticks, cause);
}

void
ssapp_pulling_tick (SsappPulling *self, const char *cause, gboolean is_ticked)
{
  g_return_if_fail (SSAPP_IS_PULLING (self) && cause != NULL);
  self->is_usual = FALSE;
  if (is_ticked)
    g_hash_table_add (self->ticks, g_strdup (cause));
  else
    g_hash_table_remove (self->ticks, cause);
  g_signal_emit (self, pulling_signals[PULLING_CHANGED], 0);
}

/* ---- a pull ------------------------------------------------------------------------------------------------------ */

static gboolean
fill_ask (SsappPulling *self, SsappFitAsk *ask, const char *body, GError **error)
{
  SsappDocument *document = ssapp_session_get_document (self->session);
  g_autoptr (GPtrArray) causes = ssapp_pulling_list_causes (self, body),
                        methods = ssapp_session_list_simulators (self->session);
  const SsMethod *method = g_ptr_array_index (methods, 0);
  g_autoptr (GString) names = g_string_new (NULL);
  SsScenario *scenario = NULL;
  SsProblems problems;
  const char *text = ssapp_document_get_text (document);

  for (guint i = 0; i < causes->len; i++)
    if (ssapp_pulling_is_ticked (self, g_ptr_array_index (causes, i)))
      g_string_append_printf (names, "%s%s", names->len > 0 ? "," : "", (char *)g_ptr_array_index (causes, i));
  if (names->len == 0)
    return ssapp_fail_input (error, _ ("Nothing may change: tick the start velocity, or a parameter"));
  ss_problems_init (&problems);
  const SsStatus status = ss_scenario_read (text, strlen (text), NULL, NULL, 0, &problems, &scenario);
  ss_problems_clear (&problems);
  if (status != SS_OK)
    return ssapp_fail_input (error, _ ("The sketch cannot be read"));
  ssapp_fit_ask_init (ask, scenario);
  if (!ssapp_fit_ask_set_method (ask, method->name, error) || !ssapp_fit_ask_set_free (ask, names->str, error))
    return FALSE;
  for (int i = 0; i < ssapp_session_n_options (self->session, method); i++) {
    const char *name = ssapp_session_get_option_spec (self->session, method, i)->name,
               *value = ssapp_session_option_text (self->session, method, name);
    if (value != NULL && !ssapp_fit_ask_set_option (ask, name, value, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
ssapp_pulling_begin (SsappPulling *self, const char *body, double t, double x, double y, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_PULLING (self) && body != NULL, FALSE);
  SsappFitAsk ask = {0};

  finish (self, TRUE); /* one that still ends */
  leave_work (self);
  if (!(t > 0) || !fill_ask (self, &ask, body, error)) {
    ssapp_fit_ask_clear (&ask);
    return t > 0 ? FALSE : ssapp_fail_input (error, _ ("A body is pulled at a later time: move the clock on"));
  }
  PullWork *work = g_new0 (PullWork, 1);
  g_autofree char *label = g_strdup_printf (_ ("Pull %s at %.3f s"), body, t);
  g_atomic_ref_count_init (&work->refs);
  g_mutex_init (&work->mutex);
  g_cond_init (&work->cond);
  ss_run_control_init (&work->control);
  work->owner = self;
  work->ask = ask;
  work->t = t;
  work->axis = -1;
  work->at[0] = work->wish[0] = self->wish[0] = x;
  work->at[1] = work->wish[1] = self->wish[1] = y;
  for (int k = 0; k < 2; k++)
    work->formulas[k] = g_strdup_printf ("final(%s.%c)", body, "xy"[k]);
  ss_pull_clear (&self->answer);
  self->has_answer = FALSE;
  self->axis = -1;
  self->t = t;
  g_free (self->body);
  self->body = g_strdup (body);
  g_array_set_size (self->times, 0);
  self->work = work;
  self->is_on = TRUE;
  ssapp_document_begin_gesture (ssapp_session_get_document (self->session), label);
  self->step = ssapp_document_get_step (ssapp_session_get_document (self->session));
  g_thread_unref (g_thread_new ("pull", pull_thread, pull_work_ref (work)));
  g_signal_emit (self, pulling_signals[PULLING_CHANGED], 0);
  return TRUE;
}

gboolean
ssapp_pulling_is_on (SsappPulling *self)
{
  g_return_val_if_fail (SSAPP_IS_PULLING (self), FALSE);
  return self->is_on;
}

void
ssapp_pulling_move (SsappPulling *self, double x, double y)
{
  g_return_if_fail (SSAPP_IS_PULLING (self));
  if (!self->is_on)
    return;
  self->wish[0] = x;
  self->wish[1] = y;
  g_mutex_lock (&self->work->mutex);
  self->work->wish[0] = x;
  self->work->wish[1] = y;
  self->work->has_wish = TRUE;
  self->work->n_wishes++;
  g_cond_signal (&self->work->cond);
  g_mutex_unlock (&self->work->mutex);
}

void
ssapp_pulling_end (SsappPulling *self)
{
  g_return_if_fail (SSAPP_IS_PULLING (self));
  if (!self->is_on)
    return;
  g_mutex_lock (&self->work->mutex);
  self->is_ending = self->work->has_answer || self->work->n_answered < self->work->n_wishes;
  g_mutex_unlock (&self->work->mutex);
  if (!self->is_ending)
    finish (self, TRUE);
}

void
ssapp_pulling_cancel (SsappPulling *self)
{
  g_return_if_fail (SSAPP_IS_PULLING (self));
  finish (self, FALSE);
}

/* ---- what came of it --------------------------------------------------------------------------------------------- */

const SsPull *
ssapp_pulling_get_answer (SsappPulling *self)
{
  g_return_val_if_fail (SSAPP_IS_PULLING (self), NULL);
  return self->has_answer ? &self->answer : NULL;
}

const SsReach *
ssapp_pulling_get_band (SsappPulling *self)
{
  g_return_val_if_fail (SSAPP_IS_PULLING (self), NULL);
  return self->has_band ? &self->band : NULL;
}

void
ssapp_pulling_get_places (SsappPulling *self, double wish[2], double place[2])
{
  g_return_if_fail (SSAPP_IS_PULLING (self) && wish != NULL && place != NULL);
  const SsTrajectory *motion = self->has_answer ? self->answer.motion : NULL;

  for (int k = 0; k < 2; k++) {
    g_autofree char *name = g_strdup_printf ("%s.%c", self->body != NULL ? self->body : "", "xy"[k]);
    const int channel = motion != NULL ? ss_trajectory_channel (motion, name) : -1;
    wish[k] = self->wish[k];
    place[k] = channel >= 0 ? ss_trajectory_row (motion, motion->n_rows - 1)[channel] : NAN;
  }
}

double
ssapp_pulling_get_rate (SsappPulling *self)
{
  g_return_val_if_fail (SSAPP_IS_PULLING (self), (double)NAN);
  const guint n = self->times->len;

  if (n < 2)
    return NAN;
  const gint64 took = g_array_index (self->times, gint64, n - 1) - g_array_index (self->times, gint64, 0);
  return took > 0 ? (n - 1) * (double)G_TIME_SPAN_SECOND / (double)took : NAN;
}

double
ssapp_pulling_get_cpu (SsappPulling *self)
{
  g_return_val_if_fail (SSAPP_IS_PULLING (self), (double)NAN);
  return self->has_answer ? self->answer.cpu_seconds : NAN;
}

char *
ssapp_pulling_describe (SsappPulling *self)
{
  g_return_val_if_fail (SSAPP_IS_PULLING (self), NULL);
  double wish[2], place[2];

  if (!self->has_answer)
    return g_strdup (self->is_on ? _ ("Drag to where it is to be") : "");
  ssapp_pulling_get_places (self, wish, place);
  if (!self->answer.is_reached)
    return g_strdup_printf (_ ("%s at %.3f s: not reached, %.4f m off"), self->body, self->t,
                            self->axis >= 0 ? fabs (place[self->axis] - wish[self->axis])
                                            : hypot (place[0] - wish[0], place[1] - wish[1]));
  if (self->axis < 0)
    return g_strdup_printf (_ ("%s at %.3f s pulled to x %.3f m, y %.3f m"), self->body, self->t, place[0], place[1]);
  return g_strdup_printf (_ ("%s at %.3f s pulled to %c %.3f m, %c follows"), self->body, self->t, "xy"[self->axis],
                          place[self->axis], "yx"[self->axis]);
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssapp_pulling_finalize (GObject *object)
{
  SsappPulling *self = SSAPP_PULLING (object);

  leave_work (self);
  ss_pull_clear (&self->answer);
  g_hash_table_unref (self->ticks);
  g_array_unref (self->times);
  g_free (self->body);
  G_OBJECT_CLASS (ssapp_pulling_parent_class)->finalize (object);
}

static void
ssapp_pulling_class_init (SsappPullingClass *class)
{
  G_OBJECT_CLASS (class)->finalize = ssapp_pulling_finalize;
  pulling_signals[PULLING_CHANGED] =
      g_signal_new ("changed", SSAPP_TYPE_PULLING, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ssapp_pulling_init (SsappPulling *self)
{
  self->ticks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->is_usual = TRUE;
  self->times = g_array_new (FALSE, FALSE, sizeof (gint64));
}

SsappPulling *
ssapp_pulling_new (SsappSession *session)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (session), NULL);
  SsappPulling *self = g_object_new (SSAPP_TYPE_PULLING, NULL);

  self->session = session;
  return self;
}
