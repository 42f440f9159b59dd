/* app/session/ssapp-fit-session.c: see the header. */
#include "app/session/ssapp-fit-session.h"

#include "app/base/ssapp-text.h"
#include "app/session/ssapp-fit-runs.h"
#include "app/session/ssapp-import-motion.h"
#include "scene/ss-number.h"

#include <glib/gi18n.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

enum { WATCH_MS = 100 };

/* One fit: of the thread that makes it and of whom it tells. */
typedef struct {
  gatomicrefcount refs;
  SsappFitSession *owner; /* main thread's; NULL: nobody waits */
  SsappFitAsk ask;
  SsRunControl control;
  GMutex mutex;        /* for what follows, until it has ended */
  GArray *steps;       /* of SsappFitStep */
  GArray *values;      /* of SsFitValue, of the last step */
  GPtrArray *channels; /* of char * */
  clockid_t clock;     /* of the thread */
  gboolean has_clock, is_posted;
  SsappFitDone done; /* once it has ended */
  GError *error;
} Work;

struct _SsappFitSession {
  GObject parent_instance;
  SsappSession *session;
  GPtrArray *files, *tables; /* of char *, SsTrajectory * */
  GArray *columns, *unknowns;
  char *method, *others;
  SsFitLoss loss;
  double cpu_limit;
  Work *work; /* the last one; NULL: none yet */
  gboolean is_running;
  guint watch;
  double cpu; /* that it has taken [s] */
  GArray *steps, *values;
  GPtrArray *channels; /* of the last step, as the picture shows it */
};

enum { CHANGED, STEP, ENDED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (SsappFitSession, ssapp_fit_session, G_TYPE_OBJECT)

static void
changed (SsappFitSession *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

static const SsScenario *
scenario_of (SsappFitSession *self)
{
  return ssapp_document_get_scenario (ssapp_session_get_document (self->session));
}

const char *
ssapp_fit_session_get_title (SsappFitSession *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return ssapp_document_get_title (ssapp_session_get_document (self->session));
}

/* ---- files and columns ------------------------------------------------------------------------------------------- */

/* Columns of all files anew: what was told of them stays, the rest is guessed. */
static void
read_columns (SsappFitSession *self)
{
  const SsScenario *scenario = scenario_of (self);
  GArray *before = self->columns;

  self->columns = ssapp_fit_columns_new (scenario, self->tables);
  for (guint i = 0; i < before->len; i++) {
    const SsappFitColumn *old = &g_array_index (before, SsappFitColumn, i);
    g_autofree char *text = g_strdup_printf ("%s=%s%s%s", old->column, old->channel != NULL ? old->channel : "",
                                             old->channel != NULL ? ":" : "", old->channel != NULL ? old->unit : "");
    if (!old->is_guessed && (old->channel != NULL || old->is_named))
      (void)ssapp_fit_columns_map (self->columns, scenario, text, NULL);
  }
  ssapp_fit_columns_guess (self->columns, scenario);
  g_array_unref (before);
}

gboolean
ssapp_fit_session_add_file (SsappFitSession *self, const char *path, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  SsTrajectory *table;

  if (scenario_of (self)->scene == NULL)
    return ssapp_fail_input (error, _ ("The sketch is a model in equations: motions are fitted to scenes"));
  if (self->files->len >= SS_FIT_TRIALS_MAX)
    return ssapp_fail_input (error, _ ("A fit takes %d trials at most"), SS_FIT_TRIALS_MAX);
  table = ssapp_import_read_table (path, error);
  if (table == NULL)
    return FALSE;
  if (table->n_rows < SS_FIT_ROWS_MIN) {
    ssapp_fail_input (error, _ ("%s: %d rows (expected at least %d)"), path, table->n_rows, SS_FIT_ROWS_MIN);
    ss_trajectory_free (table);
    return FALSE;
  }
  g_ptr_array_add (self->files, g_strdup (path));
  g_ptr_array_add (self->tables, table);
  read_columns (self);
  changed (self);
  return TRUE;
}

void
ssapp_fit_session_remove_file (SsappFitSession *self, guint i)
{
  g_return_if_fail (i < self->files->len);
  g_ptr_array_remove_index (self->files, i);
  g_ptr_array_remove_index (self->tables, i);
  read_columns (self);
  changed (self);
}

GPtrArray *
ssapp_fit_session_get_files (SsappFitSession *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->files;
}

char *
ssapp_fit_session_describe_file (SsappFitSession *self, guint i)
{
  g_return_val_if_fail (self != NULL, NULL);
  const SsTrajectory *table = g_ptr_array_index (self->tables, i);
  g_autofree char *from = ssapp_format_number (ss_trajectory_row (table, 0)[0], 3),
                  *to = ssapp_format_number (ss_trajectory_row (table, table->n_rows - 1)[0], 3);

  return g_strdup_printf (_ ("%d rows, %s to %s s"), table->n_rows, from, to);
}

GArray *
ssapp_fit_session_get_columns (SsappFitSession *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->columns;
}

GPtrArray *
ssapp_fit_session_dup_channels (SsappFitSession *self)
{
  return ssapp_fit_channels (scenario_of (self));
}

gboolean
ssapp_fit_session_map (SsappFitSession *self, const char *text, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  if (!ssapp_fit_columns_map (self->columns, scenario_of (self), text, error))
    return FALSE;
  changed (self);
  return TRUE;
}

/* ---- unknowns ---------------------------------------------------------------------------------------------------- */

/* Of the sketch as it is; ticks stay by their names. */
static void
read_unknowns (SsappFitSession *self)
{
  GArray *before = self->unknowns;

  self->unknowns = ssapp_fit_unknowns_new (scenario_of (self));
  for (guint i = 0; before != NULL && i < self->unknowns->len; i++) {
    SsappFitUnknown *unknown = &g_array_index (self->unknowns, SsappFitUnknown, i);
    const SsappFitUnknown *old = ssapp_fit_unknowns_find (before, unknown->name);
    unknown->is_free = old != NULL && old->is_free;
  }
  g_clear_pointer (&before, g_array_unref);
}

GArray *
ssapp_fit_session_get_unknowns (SsappFitSession *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->unknowns;
}

void
ssapp_fit_session_tick (SsappFitSession *self, const char *name, gboolean is_free)
{
  g_return_if_fail (self != NULL);
  SsappFitUnknown *unknown = ssapp_fit_unknowns_find (self->unknowns, name);

  if (unknown == NULL || unknown->is_free == is_free)
    return;
  unknown->is_free = is_free;
  changed (self);
}

gboolean
ssapp_fit_session_set_free (SsappFitSession *self, const char *text, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_FIT_SESSION (self) && text != NULL, FALSE);

  g_autoptr (GArray) list = *text != '\0' ? ssapp_fit_read_free (text, error) : NULL;
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  g_autoptr (GString) others = g_string_new (NULL);

  if (list == NULL && *text != '\0')
    return FALSE;
  for (guint i = 0; i < self->unknowns->len; i++)
    g_array_index (self->unknowns, SsappFitUnknown, i).is_free = FALSE;
  for (guint i = 0; list != NULL && i < list->len; i++) {
    SsappFitUnknown *unknown = ssapp_fit_unknowns_find (self->unknowns, g_strstrip (parts[i]));
    if (unknown != NULL)
      unknown->is_free = TRUE;
    else
      g_string_append_printf (others, "%s%s", others->len > 0 ? "," : "", parts[i]);
  }
  g_free (self->others);
  self->others = g_strdup (others->str);
  changed (self);
  return TRUE;
}

void
ssapp_fit_session_set_others (SsappFitSession *self, const char *text)
{
  g_return_if_fail (self != NULL);
  if (strcmp (self->others, text) == 0)
    return;
  g_free (self->others);
  self->others = g_strdup (text);
  changed (self);
}

const char *
ssapp_fit_session_get_others (SsappFitSession *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->others;
}

char *
ssapp_fit_session_dup_free (SsappFitSession *self)
{
  g_return_val_if_fail (SSAPP_IS_FIT_SESSION (self), NULL);

  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->unknowns->len; i++) {
    const SsappFitUnknown *unknown = &g_array_index (self->unknowns, SsappFitUnknown, i);
    if (unknown->is_free)
      g_string_append_printf (text, "%s%s", text->len > 0 ? "," : "", unknown->name);
  }
  g_autofree char *others = g_strstrip (g_strdup (self->others));
  if (*others != '\0')
    g_string_append_printf (text, "%s%s", text->len > 0 ? "," : "", others);
  return g_string_free (text, FALSE);
}

void
ssapp_fit_session_set_method (SsappFitSession *self, const char *name)
{
  g_return_if_fail (self != NULL);
  g_free (self->method);
  self->method = g_strdup (name);
}

void
ssapp_fit_session_set_loss (SsappFitSession *self, SsFitLoss loss)
{
  g_return_if_fail (self != NULL);
  self->loss = loss;
}

void
ssapp_fit_session_set_cpu_limit (SsappFitSession *self, double seconds)
{
  g_return_if_fail (self != NULL);
  self->cpu_limit = seconds;
}

static void
add_quoted (GString *text, const char *option, const char *value)
{
  g_autofree char *quoted = g_shell_quote (value);
  const gboolean is_plain =
      *value != '\0' && strspn (value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                       "_-./,=:") == strlen (value);

  g_string_append_printf (text, " %s %s", option, is_plain ? value : quoted);
}

char *
ssapp_fit_session_dup_command (SsappFitSession *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  const char *path = ssapp_document_get_path (ssapp_session_get_document (self->session));
  g_autofree char *map = ssapp_fit_columns_text (self->columns), *free = ssapp_fit_session_dup_free (self);
  GString *text = g_string_new ("stickslip-cli");

  add_quoted (text, "fit", path != NULL ? path : "SKETCH.stickslip.json");
  for (guint i = 0; i < self->files->len; i++)
    add_quoted (text, "--motion", g_ptr_array_index (self->files, i));
  if (*map != '\0')
    add_quoted (text, "--map", map);
  add_quoted (text, "--free", free);
  if (self->method != NULL)
    add_quoted (text, "--method", self->method);
  if (self->loss != SS_FIT_TUKEY)
    add_quoted (text, "--loss", ss_fit_loss_name (self->loss));
  return g_string_free (text, FALSE);
}

/* ---- the thread -------------------------------------------------------------------------------------------------- */

static void
work_unref (Work *work)
{
  if (!g_atomic_ref_count_dec (&work->refs))
    return;
  ssapp_fit_done_clear (&work->done);
  ssapp_fit_ask_clear (&work->ask);
  g_array_unref (work->steps);
  g_array_unref (work->values);
  g_ptr_array_unref (work->channels);
  g_clear_error (&work->error);
  g_mutex_clear (&work->mutex);
  g_free (work);
}

static Work *
work_new (SsappFitSession *owner)
{
  Work *work = g_new0 (Work, 1);

  g_atomic_ref_count_init (&work->refs);
  work->owner = owner;
  work->steps = g_array_new (FALSE, FALSE, sizeof (SsappFitStep));
  work->values = g_array_new (FALSE, FALSE, sizeof (SsFitValue));
  work->channels = g_ptr_array_new_with_free_func (g_free);
  g_mutex_init (&work->mutex);
  ss_run_control_init (&work->control);
  return work;
}

static Work *
work_ref (Work *work)
{
  g_atomic_ref_count_inc (&work->refs);
  return work;
}

/* What was told since the last time becomes what is shown. */
static void
take_steps (SsappFitSession *self, Work *work)
{
  g_mutex_lock (&work->mutex);
  work->is_posted = FALSE;
  g_array_set_size (self->steps, 0);
  g_array_append_vals (self->steps, work->steps->data, work->steps->len);
  g_array_set_size (self->values, 0);
  g_array_append_vals (self->values, work->values->data, work->values->len);
  g_ptr_array_set_size (self->channels, 0);
  for (guint i = 0; i < work->channels->len; i++)
    g_ptr_array_add (self->channels, g_strdup (g_ptr_array_index (work->channels, i)));
  g_mutex_unlock (&work->mutex);
}

static gboolean
on_told (gpointer data)
{
  Work *work = data;

  if (work->owner != NULL && work->owner->is_running) {
    take_steps (work->owner, work);
    g_signal_emit (work->owner, signals[STEP], 0);
  }
  work_unref (work);
  return G_SOURCE_REMOVE;
}

static void
on_step (void *user_data, const SsFitStep *step)
{
  Work *work = user_data;
  const SsappFitStep one = {step->start, step->step, step->loss, step->spread};

  g_mutex_lock (&work->mutex);
  const gboolean is_posted = work->is_posted;
  work->is_posted = TRUE;
  g_array_append_val (work->steps, one);
  g_array_set_size (work->values, 0);
  g_array_append_vals (work->values, step->values, (guint)step->n_values);
  for (int i = (int)work->channels->len; i < step->n_channels; i++)
    g_ptr_array_add (work->channels, g_strdup (step->channels[i]));
  g_mutex_unlock (&work->mutex);
  if (!is_posted)
    g_idle_add (on_told, work_ref (work));
}

static double
cpu_of (Work *work)
{
  struct timespec spent = {0};

  g_mutex_lock (&work->mutex);
  const gboolean is_known = work->has_clock && clock_gettime (work->clock, &spent) == 0;
  g_mutex_unlock (&work->mutex);
  return is_known ? (double)spent.tv_sec + 1e-9 * (double)spent.tv_nsec : 0;
}

static gboolean
on_watch (gpointer data)
{
  SsappFitSession *self = data;

  self->cpu = fmax (self->cpu, cpu_of (self->work));
  if (self->cpu > self->cpu_limit)
    ss_run_control_stop (&self->work->control, SS_OUTCOME_CPU_LIMIT);
  g_signal_emit (self, signals[STEP], 0);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_ended (gpointer data)
{
  Work *work = data;
  SsappFitSession *self = work->owner;

  if (self != NULL) {
    take_steps (self, work);
    self->is_running = FALSE;
    self->cpu = fmax (self->cpu, work->done.result.cpu_seconds);
    g_clear_handle_id (&self->watch, g_source_remove);
    g_signal_emit (self, signals[ENDED], 0);
  }
  work_unref (work);
  return G_SOURCE_REMOVE;
}

static gpointer
fit_thread (gpointer data)
{
  Work *work = data;
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (SsappFitStep));
  clockid_t clock;

  const gboolean has_clock = pthread_getcpuclockid (pthread_self (), &clock) == 0;
  g_mutex_lock (&work->mutex);
  work->has_clock = has_clock;
  if (has_clock)
    work->clock = clock;
  g_mutex_unlock (&work->mutex);
  (void)ssapp_fit_ask_run (&work->ask, &work->control, steps, &work->done, &work->error);
  g_mutex_lock (&work->mutex);
  work->has_clock = FALSE;
  g_mutex_unlock (&work->mutex);
  g_idle_add (on_ended, work);
  return NULL;
}

/* ---- the fit ----------------------------------------------------------------------------------------------------- */

static gboolean
fill_ask (SsappFitSession *self, SsappFitAsk *ask, GError **error)
{
  g_autofree char *free = ssapp_fit_session_dup_free (self), *map = ssapp_fit_columns_text (self->columns);
  SsScenario *scenario;

  if (self->files->len == 0)
    return ssapp_fail_input (error, _ ("There is no measured motion: add a file"));
  if (*free == '\0')
    return ssapp_fail_input (error, _ ("Nothing is unknown: tick what the fit shall find"));
  scenario = ssapp_document_dup_scenario (ssapp_session_get_document (self->session), error);
  if (scenario == NULL)
    return FALSE;
  ssapp_fit_ask_init (ask, scenario);
  ask->job.loss = self->loss;
  if (!ssapp_fit_ask_set_method (ask, self->method, error))
    return FALSE;
  for (guint i = 0; i < self->files->len; i++)
    if (!ssapp_fit_ask_take_motion (ask, g_ptr_array_index (self->files, i), g_ptr_array_index (self->tables, i),
                                    error))
      return FALSE;
  return ssapp_fit_ask_map (ask, map, error) && ssapp_fit_ask_set_free (ask, free, error);
}

gboolean
ssapp_fit_session_start (SsappFitSession *self, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  Work *work;

  if (self->is_running)
    return ssapp_fail_input (error, _ ("A fit goes on: stop it first"));
  work = work_new (self);
  if (!fill_ask (self, &work->ask, error)) {
    work_unref (work);
    return FALSE;
  }
  work->ask.job.told = on_step;
  work->ask.job.told_data = work;
  if (self->work != NULL) {
    self->work->owner = NULL;
    work_unref (self->work);
  }
  self->work = work;
  self->is_running = TRUE;
  self->cpu = 0;
  take_steps (self, work);
  self->watch = g_timeout_add (WATCH_MS, on_watch, self);
  g_thread_unref (g_thread_new ("fit", fit_thread, work_ref (work)));
  changed (self);
  return TRUE;
}

void
ssapp_fit_session_cancel (SsappFitSession *self)
{
  g_return_if_fail (self != NULL);
  if (self->is_running)
    ss_run_control_cancel (&self->work->control);
}

gboolean
ssapp_fit_session_is_running (SsappFitSession *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return self->is_running;
}

const SsFitResult *
ssapp_fit_session_get_result (SsappFitSession *self)
{
  return self->work != NULL && !self->is_running && self->work->done.channels != NULL ? &self->work->done.result : NULL;
}

char *
ssapp_fit_session_describe (SsappFitSession *self)
{
  g_return_val_if_fail (SSAPP_IS_FIT_SESSION (self), NULL);

  const SsFitResult *result = ssapp_fit_session_get_result (self);
  const SsappFitStep *last =
      self->steps->len > 0 ? &g_array_index (self->steps, SsappFitStep, self->steps->len - 1) : NULL;

  if (self->is_running && last == NULL)
    return g_strdup_printf (_ ("Looking at starts: %.1f s of CPU time, at most %.0f s"), self->cpu, self->cpu_limit);
  if (self->is_running) {
    g_autofree char *loss = ssapp_format_number (last->loss, 4);
    return g_strdup_printf (_ ("Start %d, step %d: loss %s, %.1f s of CPU time, at most %.0f s"), last->start + 1,
                            last->step, loss, self->cpu, self->cpu_limit);
  }
  if (self->work != NULL && self->work->error != NULL)
    return g_strdup (self->work->error->message);
  if (result == NULL)
    return g_strdup ("");
  if (ss_outcome_is_early (result->outcome))
    return g_strdup_printf (_ ("Ended early (%s) after %.1f s of CPU time: the best so far, without intervals"),
                            ss_outcome_name (result->outcome), result->cpu_seconds);
  return g_strdup_printf (_ ("%s fit%s%s, %d simulations in %.1f s of CPU time"),
                          result->verdict == SS_FIT_GOOD       ? _ ("Good")
                          : result->verdict == SS_FIT_DOUBTFUL ? _ ("Doubtful")
                                                               : _ ("Poor"),
                          result->message[0] != '\0' ? ": " : "", result->message, result->n_simulations,
                          result->cpu_seconds);
}

gboolean
ssapp_fit_session_get_picture (SsappFitSession *self, SsappFitPicture *picture)
{
  g_return_val_if_fail (self != NULL, FALSE);
  if (ssapp_fit_session_get_result (self) != NULL) {
    *picture = ssapp_fit_done_picture (&self->work->done, &self->work->ask, self->steps);
    return TRUE;
  }
  if (self->work == NULL || self->values->len == 0)
    return FALSE;
  *picture = (SsappFitPicture){.scenario = self->work->ask.scenario,
                               .n_trials = self->work->ask.job.n_trials,
                               .n_values = (int)self->values->len,
                               .n_channels = (int)self->channels->len,
                               .values = (const SsFitValue *)(const void *)self->values->data,
                               .channels = (const char *const *)(const void *)self->channels->pdata,
                               .steps = self->steps,
                               .trial = -1,
                               .pair = {-1, -1}};
  return TRUE;
}

/* ---- what becomes of it ------------------------------------------------------------------------------------------ */

gboolean
ssapp_fit_session_keep (SsappFitSession *self, GPtrArray *ids, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  const SsFitResult *result = ssapp_fit_session_get_result (self);

  if (result == NULL)
    return ssapp_fail_input (error, _ ("There is no fit to keep yet"));
  if (!ssapp_session_ensure_store (self->session, error))
    return FALSE;
  const SsappFitAsk *ask = &self->work->ask;
  for (int i = 0; i < result->n_trials; i++) {
    char *measured, *fitted;
    const gboolean ok =
        ssapp_fit_store_trial (ssapp_session_get_store (self->session), &ask->job, result, i, ask->job.names[i],
                               ask->option_names, ask->option_values, &measured, &fitted, error);
    if (measured != NULL)
      g_ptr_array_add (ids, measured);
    if (fitted != NULL)
      g_ptr_array_add (ids, fitted);
    if (!ok)
      return FALSE;
  }
  return TRUE;
}

gboolean
ssapp_fit_session_use (SsappFitSession *self, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  SsappDocument *document = ssapp_session_get_document (self->session);
  const SsFitResult *result = ssapp_fit_session_get_result (self);
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (SsOverride));
  char *text = NULL;
  SsError err;

  if (result == NULL)
    return ssapp_fail_input (error, _ ("There are no values to use yet"));
  for (int k = 0; k < result->n_estimates; k++) {
    const SsFitEstimate *e = &result->estimates[k];
    const SsOverride one = {e->name, e->value};
    const gboolean is_of_measurement = strcmp (e->name, "time_offset") == 0 || strcmp (e->name, "scale") == 0;
    if (e->trial <= 0 && !is_of_measurement)
      g_array_append_val (numbers, one);
  }
  if (ss_scenario_with_numbers (scenario_of (self), (const SsOverride *)(const void *)numbers->data, (int)numbers->len,
                                &text, &err) != SS_OK)
    return ssapp_fail_input (error, "%s", err.message);
  const gboolean ok = ssapp_document_set_source_as (document, text, _ ("Use fitted values"), error);
  ss_free (text);
  return ok;
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
on_document (SsappFitSession *self)
{
  read_unknowns (self);
  read_columns (self);
  changed (self);
}

static void
ssapp_fit_session_dispose (GObject *object)
{
  SsappFitSession *self = SSAPP_FIT_SESSION (object);

  ssapp_fit_session_cancel (self);
  g_clear_handle_id (&self->watch, g_source_remove);
  if (self->work != NULL)
    self->work->owner = NULL;
  g_clear_pointer (&self->work, work_unref);
  self->is_running = FALSE;
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ssapp_fit_session_parent_class)->dispose (object);
}

static void
ssapp_fit_session_finalize (GObject *object)
{
  SsappFitSession *self = SSAPP_FIT_SESSION (object);

  g_ptr_array_unref (self->files);
  g_ptr_array_unref (self->tables);
  g_array_unref (self->columns);
  g_clear_pointer (&self->unknowns, g_array_unref);
  g_array_unref (self->steps);
  g_array_unref (self->values);
  g_ptr_array_unref (self->channels);
  g_free (self->method);
  g_free (self->others);
  G_OBJECT_CLASS (ssapp_fit_session_parent_class)->finalize (object);
}

static void
ssapp_fit_session_class_init (SsappFitSessionClass *class)
{
  static const char *const names[N_SIGNALS] = {"changed", "step", "ended"};

  G_OBJECT_CLASS (class)->dispose = ssapp_fit_session_dispose;
  G_OBJECT_CLASS (class)->finalize = ssapp_fit_session_finalize;
  for (int i = 0; i < N_SIGNALS; i++)
    signals[i] =
        g_signal_new (names[i], SSAPP_TYPE_FIT_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ssapp_fit_session_init (SsappFitSession *self)
{
  self->files = g_ptr_array_new_with_free_func (g_free);
  self->tables = g_ptr_array_new_with_free_func ((GDestroyNotify)ss_trajectory_free);
  self->columns = g_array_new (FALSE, TRUE, sizeof (SsappFitColumn));
  self->steps = g_array_new (FALSE, FALSE, sizeof (SsappFitStep));
  self->values = g_array_new (FALSE, FALSE, sizeof (SsFitValue));
  self->channels = g_ptr_array_new_with_free_func (g_free);
  self->others = g_strdup ("");
  self->loss = SS_FIT_TUKEY;
  self->cpu_limit = SSAPP_FIT_CPU_LIMIT;
}

SsappFitSession *
ssapp_fit_session_new (SsappSession *session)
{
  SsappFitSession *self = g_object_new (SSAPP_TYPE_FIT_SESSION, NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (ssapp_session_get_document (session), "changed", G_CALLBACK (on_document), self,
                           G_CONNECT_SWAPPED);
  read_unknowns (self);
  return self;
}
