/* app/session/ssapp-session.c: see the header. */
#include "app/session/ssapp-session.h"

#include "app/session/ssapp-entrants.h"
#include "app/session/ssapp-fan-job.h"
#include "app/session/ssapp-study-session.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-memory.h"
#include "app/base/ssapp-method-list.h"
#include "plan/ss-ways-on.h"
#include "solve/ss-run-replayed.h"

#include <glib/gstdio.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

/* A run without a limit may sit in a queue for ever; ten minutes are far more than any example needs [s]. */
#define DEFAULT_TIME_LIMIT 600.0

typedef enum { DOCUMENT_MODEL, DOCUMENT_SCENE, DOCUMENT_PLANNED_SCENE } DocumentKind;

struct _SsappSession {
  GObject parent_instance;
  SsappDocument *document;
  SsappSketches *sketches;
  SsappStore *store;        /* nullable */
  SsappImpactSet *impact;   /* nullable */
  SsappStudySession *study; /* nullable */
  GPtrArray *runs;          /* of SsappRun */
  SsappEntrants *entrants;
  GHashTable *chosen;  /* set of const SsMethod */
  GHashTable *options; /* "kind method option" -> text, only what the user set */
  double time_limit, bound;
  DocumentKind kind; /* kind of the document the choice was made for */
};

G_DEFINE_FINAL_TYPE (SsappSession, ssapp_session, G_TYPE_OBJECT)

enum { RUNS_CHANGED, RUN_CHANGED, RUN_ENDED, METHODS_CHANGED, STORE_CHANGED, WRITE_FAILED, STORE_LOST, N_SIGNALS };
static guint signals[N_SIGNALS];

SsappDocument *
ssapp_session_get_document (SsappSession *self)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), NULL);
  return self->document;
}

/* ---- project ----------------------------------------------------------------------------------------------------- */

static void
on_store_changed (SsappSession *self)
{
  g_signal_emit (self, signals[STORE_CHANGED], 0);
}

static void
on_write_failed (SsappSession *self, const char *message)
{
  g_signal_emit (self, signals[WRITE_FAILED], 0, message);
}

static void
on_store_lost (SsappSession *self, const char *message)
{
  g_signal_emit (self, signals[STORE_LOST], 0, message);
}

static void
take_store (SsappSession *self, SsappStore *store)
{
  g_autoptr (GError) error = NULL;

  ssapp_sketches_set_store (self->sketches, NULL, FALSE); /* keeps what waits */
  if (self->store != NULL) {
    g_signal_handlers_disconnect_by_data (self->store, self);
    if (!ssapp_store_close (self->store, &error))
      on_write_failed (self, error->message);
  }
  g_clear_object (&self->store);
  self->store = store;
  if (store != NULL) {
    g_signal_connect_object (store, "changed", G_CALLBACK (on_store_changed), self, G_CONNECT_SWAPPED);
    g_signal_connect_object (store, "write-failed", G_CALLBACK (on_write_failed), self, G_CONNECT_SWAPPED);
    g_signal_connect_object (store, "lost", G_CALLBACK (on_store_lost), self, G_CONNECT_SWAPPED);
    ssapp_store_watch_others (store);
  }
  ssapp_sketches_set_store (self->sketches, store, ssapp_session_is_untitled (self));
  on_store_changed (self);
}

SsappSketches *
ssapp_session_get_sketches (SsappSession *self)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), NULL);
  return self->sketches;
}

char *
ssapp_session_get_view (SsappSession *self, const char *key)
{
  return ssapp_sketches_get_view (ssapp_session_get_sketches (self), key);
}

gboolean
ssapp_session_set_view (SsappSession *self, const char *key, const char *json)
{
  return ssapp_sketches_set_view (ssapp_session_get_sketches (self), key, json);
}

SsappStore *
ssapp_session_get_store (SsappSession *self)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), NULL);
  return self->store;
}

static gboolean
refuse_while_running (SsappSession *self, GError **error)
{
  if (!ssapp_session_is_running (self))
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_BUSY, "Stop the runs of this project first");
  return FALSE;
}

gboolean
ssapp_session_check_kept (SsappSession *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), TRUE);
  return self->store == NULL || ssapp_store_check_kept (self->store, error);
}

/* What has no file any more is saved elsewhere before anything else becomes of it: asked for again. */
static gboolean
refuse_while_lost (SsappSession *self, GError **error)
{
  GError *local = NULL;

  if (ssapp_session_check_kept (self, &local))
    return TRUE;
  on_store_lost (self, local->message);
  g_propagate_error (error, local);
  return FALSE;
}

/* Before the project goes. */
static void
leave_studies (SsappSession *self)
{
  if (self->study != NULL)
    ssapp_study_session_leave_store (self->study);
}

gboolean
ssapp_session_open_store (SsappSession *self, const char *path, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);

  SsappStore *store;

  if (!refuse_while_running (self, error) || !refuse_while_lost (self, error))
    return FALSE;
  store = ssapp_store_open (path, FALSE, error);
  if (store == NULL)
    return FALSE;
  leave_studies (self);
  take_store (self, store);
  return TRUE;
}

char *
ssapp_projects_folder (void)
{
  return g_build_filename (g_get_user_data_dir (), "stickslip", "projects", NULL);
}

gboolean
ssapp_session_ensure_store (SsappSession *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);
  g_autofree char *folder = ssapp_projects_folder (), *stamp = NULL, *path = NULL;
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  SsappStore *store;

  if (self->store != NULL)
    return TRUE;
  if (g_mkdir_with_parents (folder, 0700) != 0) {
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "The folder “%s” cannot be made: %s", folder,
                 g_strerror (errno));
    return FALSE;
  }
  stamp = g_date_time_format (now, "%Y-%m-%d-%H%M%S");
  for (int attempt = 1;; attempt++) { /* two windows in one second */
    g_autofree char *suffix = attempt > 1 ? g_strdup_printf ("-%d", attempt) : g_strdup ("");
    g_autofree char *name = g_strdup_printf ("untitled-%s%s%s", stamp, suffix, SSAPP_PROJECT_SUFFIX);
    g_free (path);
    path = g_build_filename (folder, name, NULL);
    if (!g_file_test (path, G_FILE_TEST_EXISTS))
      break;
  }
  store = ssapp_store_open (path, TRUE, error);
  if (store == NULL)
    return FALSE;
  take_store (self, store);
  return TRUE;
}

gboolean
ssapp_session_save_store_as (SsappSession *self, const char *path, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);
  g_autofree char *target =
      g_str_has_suffix (path, SSAPP_PROJECT_SUFFIX) ? g_strdup (path) : g_strconcat (path, SSAPP_PROJECT_SUFFIX, NULL);

  if (!ssapp_session_ensure_store (self, error) ||
      !ssapp_store_save_as (self->store, target, ssapp_session_is_untitled (self), error))
    return FALSE;
  ssapp_sketches_set_store (self->sketches, self->store, ssapp_session_is_untitled (self));
  return TRUE;
}

void
ssapp_session_close_store (SsappSession *self)
{
  g_return_if_fail (SSAPP_IS_SESSION (self));
  if (self->store == NULL)
    return;
  leave_studies (self);
  take_store (self, NULL);
}

gboolean
ssapp_session_is_untitled (SsappSession *self)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);
  g_autofree char *folder = NULL, *name = NULL;

  if (self->store == NULL)
    return TRUE;
  folder = ssapp_projects_folder ();
  name = g_path_get_basename (ssapp_store_get_path (self->store));
  return g_str_has_prefix (ssapp_store_get_path (self->store), folder) && g_str_has_prefix (name, "untitled-");
}

char *
ssapp_session_dup_project_name (SsappSession *self)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), NULL);

  char *name;

  if (ssapp_session_is_untitled (self))
    return g_strdup ("Untitled Project");
  name = g_path_get_basename (ssapp_store_get_path (self->store));
  if (g_str_has_suffix (name, SSAPP_PROJECT_SUFFIX))
    name[strlen (name) - strlen (SSAPP_PROJECT_SUFFIX)] = '\0';
  return name;
}

/* ---- methods ----------------------------------------------------------------------------------------------------- */

/* Integrators fit scenes, optimisers fit models and scenes with a task. */
static gboolean
method_fits (SsappSession *self, const SsMethod *method)
{
  return method->kind != SS_METHOD_IMPACT_LAW &&
         ss_run_check (ssapp_document_get_scenario (self->document), method, NULL) == SS_OK;
}

GPtrArray *
ssapp_session_list_methods (SsappSession *self)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), NULL);

  GPtrArray *methods = g_ptr_array_new ();
  for (int i = 0; i < ss_method_count (); i++)
    if (method_fits (self, ss_method_at (i)))
      g_ptr_array_add (methods, (gpointer)ss_method_at (i));
  ssapp_entrants_list (self->entrants, methods);
  return methods;
}

static void copy_options (SsappSession *self, const SsMethod *from, const SsMethod *to);

const SsMethod *
ssapp_session_add_entrant (SsappSession *self, const SsMethod *method, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), NULL);
  const SsMethod *copy;

  if (g_hash_table_size (self->chosen) >= SSAPP_SESSION_RACE_MAX) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "At most %d run at once", SSAPP_SESSION_RACE_MAX);
    return NULL;
  }
  copy = ssapp_entrants_add (self->entrants, method);
  copy_options (self, method, copy);
  ssapp_session_choose (self, copy, TRUE);
  return copy;
}

SsMethodId
ssapp_session_get_method_id (SsappSession *self, const SsMethod *method)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), ss_method_id (method));
  return ssapp_entrants_id (self->entrants, method);
}

guint
ssapp_session_get_entrant_number (SsappSession *self, const SsMethod *method)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), 1);
  return ssapp_entrants_number (self->entrants, method);
}

gboolean
ssapp_session_is_chosen (SsappSession *self, const SsMethod *method)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);
  return g_hash_table_contains (self->chosen, method);
}

/* Simulations and plans are not run side by side: their numbers do not compare. TRUE if something was dropped. */
static gboolean
drop_other_kinds (SsappSession *self, SsMethodKind kind)
{
  GHashTableIter iter;
  gpointer method;
  gboolean changed = FALSE;

  g_hash_table_iter_init (&iter, self->chosen);
  while (g_hash_table_iter_next (&iter, &method, NULL))
    if (((const SsMethod *)method)->kind != kind) {
      ssapp_entrants_remove (self->entrants, method);
      g_hash_table_iter_remove (&iter);
      changed = TRUE;
    }
  return changed;
}

void
ssapp_session_choose (SsappSession *self, const SsMethod *method, gboolean chosen)
{
  g_return_if_fail (SSAPP_IS_SESSION (self));

  gboolean changed = chosen && drop_other_kinds (self, method->kind);

  changed |= chosen ? g_hash_table_add (self->chosen, (gpointer)method) : g_hash_table_remove (self->chosen, method);
  if (!chosen)
    ssapp_entrants_remove (self->entrants, method);
  if (changed)
    g_signal_emit (self, signals[METHODS_CHANGED], 0);
}

const SsMethod *
ssapp_session_find_method (SsappSession *self, const char *name, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), NULL);
  g_autoptr (GPtrArray) methods = ssapp_session_list_methods (self);
  g_autoptr (GString) names = g_string_new (NULL);
  g_autofree char *plain = NULL;
  guint number;

  for (guint i = 0; i < methods->len && ssapp_entrants_parse (name, &plain, &number); i++) {
    const SsMethod *method = g_ptr_array_index (methods, i);
    const guint own = ssapp_entrants_number (self->entrants, method);
    if (strcmp (method->name, plain) == 0 && own == number)
      return method;
    g_clear_pointer (&plain, g_free);
    g_string_append_printf (names, own > 1 ? "%s%s#%u" : "%s%s", names->len > 0 ? ", " : "", method->name, own);
  }
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "“%s” is no method for this scenario (there are: %s)", name,
               names->str);
  return NULL;
}

/* The next one of the method that is not chosen yet. */
static const SsMethod *
again (SsappSession *self, const SsMethod *method)
{
  for (guint number = 2;; number++) {
    const SsMethod *copy = ssapp_entrants_find (self->entrants, method, number);
    if (copy == NULL)
      return ssapp_entrants_add (self->entrants, method);
    if (!g_hash_table_contains (self->chosen, copy))
      return copy;
  }
}

/* Copies are there to be run: what is not chosen goes. */
static void
drop_unchosen (SsappSession *self)
{
  g_autoptr (GPtrArray) methods = ssapp_session_list_methods (self);

  for (guint i = 0; i < methods->len; i++)
    if (!g_hash_table_contains (self->chosen, g_ptr_array_index (methods, i)))
      ssapp_entrants_remove (self->entrants, g_ptr_array_index (methods, i));
}

gboolean
ssapp_session_set_methods (SsappSession *self, const char *names, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);
  g_autoptr (GPtrArray) list = ssapp_method_list_read (names);

  for (guint i = 0; i < list->len; i++)
    if (ssapp_session_find_method (self, ssapp_method_list_at (list, i)->text, error) == NULL)
      return FALSE;
  g_hash_table_remove_all (self->chosen);
  for (guint i = 0; i < list->len; i++) {
    const SsMethod *method = ssapp_session_find_method (self, ssapp_method_list_at (list, i)->text, NULL);
    if (!g_hash_table_add (self->chosen, (gpointer)method)) /* named again: one more of it */
      g_hash_table_add (self->chosen, (gpointer)again (self, method));
  }
  drop_unchosen (self);
  g_signal_emit (self, signals[METHODS_CHANGED], 0);
  return TRUE;
}

/* Key of an option in the user's settings; g_free. */
static char *
option_key (SsappSession *self, const SsMethod *method, const char *name)
{
  return g_strdup_printf ("%s %s#%u %s", ss_method_kind_spec (method->kind)->name, method->name,
                          ssapp_entrants_number (self->entrants, method), name);
}

/* A copy begins with the options of the one that it was made from. */
static void
copy_options (SsappSession *self, const SsMethod *from, const SsMethod *to)
{
  for (int i = 0; i < ssapp_session_n_options (self, from); i++) {
    const char *name = ssapp_session_get_option_spec (self, from, i)->name;
    g_autofree char *key = option_key (self, from, name);
    const char *text = g_hash_table_lookup (self->options, key);
    if (text != NULL)
      g_hash_table_replace (self->options, option_key (self, to, name), g_strdup (text));
    else {
      g_autofree char *old = option_key (self, to, name); /* of one that was taken out */
      g_hash_table_remove (self->options, old);
    }
  }
}

/* The user's text for an option, else the scenario's default for the method, else NULL. */
static const char *
option_text (SsappSession *self, const SsMethod *method, const char *name)
{
  const SsScenario *scenario = ssapp_document_get_scenario (self->document);
  g_autofree char *key = option_key (self, method, name);
  const char *text = g_hash_table_lookup (self->options, key);

  for (int i = 0; text == NULL && i < scenario->n_method_defaults; i++)
    if (strcmp (scenario->method_defaults[i].name, name) == 0 &&
        ss_method_takes_default (method, scenario, &scenario->method_defaults[i]))
      text = scenario->method_defaults[i].value;
  return text;
}

/* Options struct with one value set, of the table that has the option; owned by the caller. NULL if `value` is
 * refused. */
static void *
options_with (SsappSession *self, const SsMethod *method, const SsOptionTable *table, const char *name,
              const char *value, GError **error)
{
  const SsScenario *scenario = ssapp_document_get_scenario (self->document);
  void *options = g_malloc0 (MAX (table->size, 1));
  SsError err;
  char line[1024];

  if (table == method->options)
    ss_method_init_options (method, scenario, options);
  else
    ss_options_init (table, options);
  if (value != NULL && ss_options_set (table, options, name, value, &err) != SS_OK) {
    ss_error_format (&err, line, sizeof line);
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, line);
    g_free (options);
    return NULL;
  }
  return options;
}

int
ssapp_session_n_options (SsappSession *self, const SsMethod *method)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), 0);

  const gboolean is_plan =
      method->kind == SS_METHOD_OPTIMISER && ssapp_document_get_scenario (self->document)->model == NULL;
  return method->options->n_specs + (is_plan ? ss_transcription_option_table ()->n_specs : 0);
}

const SsOptionSpec *
ssapp_session_get_option_spec (SsappSession *self, const SsMethod *method, int spec)
{
  const int n_own = method->options->n_specs;

  g_return_val_if_fail (spec >= 0 && spec < ssapp_session_n_options (self, method), NULL);
  return spec < n_own ? &method->options->specs[spec] : &ss_transcription_option_table ()->specs[spec - n_own];
}

/* A preset that was chosen says what the others are, where they were not set themselves. */
static void
fill_in_preset (SsappSession *self, const SsMethod *method, void **options)
{
  const char *preset = option_text (self, method, "preset");
  void *resolved;

  if (method->nlp == NULL || method->nlp->resolve == NULL)
    return;
  if (preset != NULL && ss_options_set (method->options, *options, "preset", preset, NULL) != SS_OK)
    return;
  resolved = g_malloc0 (method->options->size);
  method->nlp->resolve (*options, resolved);
  g_free (*options);
  *options = resolved;
}

char *
ssapp_session_get_option (SsappSession *self, const SsMethod *method, int spec)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), NULL);

  const gboolean is_own = spec < method->options->n_specs;
  const SsOptionTable *table = is_own ? method->options : ss_transcription_option_table ();
  const char *name = ssapp_session_get_option_spec (self, method, spec)->name;
  void *options = options_with (self, method, table, name, option_text (self, method, name), NULL);
  char text[128];

  if (options == NULL)
    return g_strdup ("");
  if (is_own)
    fill_in_preset (self, method, &options);
  ss_options_format (table, options, is_own ? spec : spec - method->options->n_specs, text, sizeof text);
  g_free (options);
  return g_strdup (text);
}

gboolean
ssapp_session_is_option_default (SsappSession *self, const SsMethod *method, int spec)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);
  g_autofree char *key = option_key (self, method, ssapp_session_get_option_spec (self, method, spec)->name);
  return !g_hash_table_contains (self->options, key);
}

gboolean
ssapp_session_set_option (SsappSession *self, const SsMethod *method, const char *name, const char *value,
                          GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);

  const SsScenario *scenario = ssapp_document_get_scenario (self->document);
  g_autofree void *options =
      options_with (self, method, ss_method_option_table (method, scenario, name), name, value, error);

  if (options == NULL)
    return FALSE;
  g_hash_table_replace (self->options, option_key (self, method, name), g_strdup (value));
  g_signal_emit (self, signals[METHODS_CHANGED], 0);
  return TRUE;
}

void
ssapp_session_set_time_limit (SsappSession *self, double seconds)
{
  g_return_if_fail (SSAPP_IS_SESSION (self));
  self->time_limit = seconds;
}

double
ssapp_session_get_time_limit (SsappSession *self)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), NAN);
  return self->time_limit;
}

void
ssapp_session_set_bound (SsappSession *self, double seconds)
{
  g_return_if_fail (SSAPP_IS_SESSION (self));
  self->bound = seconds;
}

double
ssapp_session_get_bound (SsappSession *self)
{
  return SSAPP_IS_SESSION (self) ? self->bound : NAN;
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

GPtrArray *
ssapp_session_get_runs (SsappSession *self)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), NULL);
  return self->runs;
}

static void
on_run_changed (SsappSession *self, SsappRun *run)
{
  g_signal_emit (self, signals[RUN_CHANGED], 0, run);
}

static void
on_job_ended (SsappSession *self, SsappJob *job)
{
  for (guint i = 0; i < self->runs->len; i++) {
    SsappRun *run = g_ptr_array_index (self->runs, i);
    if (ssapp_run_get_job (run) != job)
      continue;
    ssapp_run_read_iterates (run, self->store);
    g_signal_emit (self, signals[RUN_ENDED], 0, run);
  }
}

static void
replace_runs (SsappSession *self, GPtrArray *runs)
{
  for (guint i = 0; i < self->runs->len; i++)
    g_signal_handlers_disconnect_by_data (g_ptr_array_index (self->runs, i), self);
  g_ptr_array_unref (self->runs);
  self->runs = g_ptr_array_ref (runs);
  for (guint i = 0; i < runs->len; i++)
    g_signal_connect_object (g_ptr_array_index (runs, i), "changed", G_CALLBACK (on_run_changed), self,
                             G_CONNECT_SWAPPED);
  g_signal_emit (self, signals[RUNS_CHANGED], 0);
}

/* What the session wants of every job: its time limit, ways on after a failure, a bound, and to be told of the end. */
static void
adopt_job (SsappSession *self, SsappJob *job)
{
  if (isfinite (self->time_limit))
    ssapp_job_set_time_limit (job, self->time_limit);
  if (ssapp_job_get_method (job).kind == SS_METHOD_OPTIMISER)
    ssapp_job_set_ways_on (job, SS_WAYS_ON_SECONDS);
  if (ssapp_job_get_method (job).kind == SS_METHOD_OPTIMISER && self->bound > 0)
    ssapp_job_set_bound (job, self->bound);
  g_signal_connect_object (job, "ended", G_CALLBACK (on_job_ended), self, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}

/* Records and starts the runs' jobs, and shows the runs; where one cannot start, those before it are cancelled. `note`:
 * of every run, NULL for none. */
static gboolean
start_together (SsappSession *self, GPtrArray *runs, GPtrArray *jobs, const char *note, GError **error)
{
  if (!refuse_while_lost (self, error) || !ssapp_session_ensure_store (self, error))
    return FALSE;
  /* The runs belong to the sketch that they are made from. */
  if (runs->len > 0 && g_strcmp0 (ssapp_run_get_scenario_text (g_ptr_array_index (runs, 0)),
                                  ssapp_document_get_text (self->document)) == 0)
    (void)ssapp_sketches_keep (self->sketches, NULL);
  for (guint i = 0; i < runs->len; i++) {
    SsappJob *job = g_ptr_array_index (jobs, i);
    if (!ssapp_store_follow (self->store, job, error) ||
        (note != NULL && !ssapp_store_set_note (self->store, ssapp_job_get_id (job), note, error)) ||
        !ssapp_job_start (job, error)) {
      for (guint started = 0; started < i; started++)
        ssapp_job_cancel (g_ptr_array_index (jobs, started));
      return FALSE;
    }
    ssapp_run_set_job (g_ptr_array_index (runs, i), job);
  }
  replace_runs (self, runs);
  return TRUE;
}

/* Iterates of an optimiser that are kept, to be looked at afterwards: enough to see the way, a few megabytes. */
#define KEEP_EVERY 5

static SsappJob *
make_job (SsappSession *self, const SsMethod *method)
{
  SsappJob *job = ssapp_job_new (ssapp_document_get_text (self->document), ssapp_document_get_name (self->document),
                                 ss_method_id (method));

  for (int i = 0; i < ssapp_session_n_options (self, method); i++) {
    const char *name = ssapp_session_get_option_spec (self, method, i)->name, *text = option_text (self, method, name);
    if (text != NULL)
      ssapp_job_set_option (job, name, text);
  }
  if (method->kind == SS_METHOD_OPTIMISER)
    ssapp_job_set_keep_iterates (job, KEEP_EVERY);
  adopt_job (self, job);
  return job;
}

/* Gives an optimiser a motion to start from. */
static void
set_start (SsappSession *self, SsappJob *job, const SsMethod *method, SsappRun *from)
{
  const SsOptionTable *table = method->options;
  const gboolean is_solved = ssapp_run_get_kind (from) == SS_METHOD_OPTIMISER &&
                             ssapp_run_get_shown_iterate (from) < 0 &&
                             g_strcmp0 (ssapp_run_get_outcome (from), ss_outcome_name (SS_OUTCOME_SOLVED)) == 0;

  ssapp_job_set_start (job, ssapp_run_get_motion (from), ssapp_run_get_id (from));
  if (!is_solved || option_text (self, method, "preset") != NULL)
    return;
  for (int i = 0; i < table->n_specs; i++)
    for (int k = 0; strcmp (table->specs[i].name, "preset") == 0 && table->specs[i].choices[k] != NULL; k++)
      if (strcmp (table->specs[i].choices[k], "warm") == 0)
        ssapp_job_set_option (job, "preset", "warm");
}

static gboolean keep_comparison (SsappSession *self, GPtrArray *runs, const char *title, GError **error);

SsappRun *
ssapp_session_new_run (SsappSession *self, const SsMethod *method, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), NULL);
  const SsMethodId id = ssapp_entrants_id (self->entrants, method);
  SsappRun *run = ssapp_run_new (ssapp_document_get_text (self->document), method, error);

  if (run == NULL || id.copy == 0)
    return run;
  ssapp_run_set_copy (run, id.copy);
  ssapp_run_set_label (run, method->label);
  return run;
}

/* What a race is called in the project: "Push Box: CRISP, Ipopt"; g_free. */
static char *
race_title (SsappSession *self, GPtrArray *runs)
{
  GString *title = g_string_new (NULL);

  g_string_append_printf (title, "%s: ", ssapp_document_get_title (self->document));
  for (guint i = 0; i < runs->len; i++)
    g_string_append_printf (title, "%s%s", i > 0 ? ", " : "", ssapp_run_get_label (g_ptr_array_index (runs, i)));
  return g_string_free (title, FALSE);
}

/* `from`: a run whose motion they start from; NULL: none. `t_end`: in the place of the task's horizon; NaN: none.
 * Several are one comparison of the project. */
static gboolean
start_methods (SsappSession *self, GPtrArray *methods, SsappRun *from, double t_end, GError **error)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func (g_object_unref);

  if (!refuse_while_running (self, error))
    return FALSE;
  for (guint i = 0; i < methods->len; i++) {
    const SsMethod *method = g_ptr_array_index (methods, i);
    SsappRun *run = ssapp_session_new_run (self, method, error);
    if (run == NULL)
      return FALSE;
    g_ptr_array_add (runs, run);
    SsappJob *job = make_job (self, method);
    ssapp_job_set_memory_limit (job, ssapp_memory_default (methods->len)); /* they run at once */
    if (from != NULL)
      set_start (self, job, method, from);
    if (isfinite (t_end))
      ssapp_job_set_step (job, NAN, t_end);
    g_ptr_array_add (jobs, job);
  }
  if (runs->len == 0) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "Choose at least one method");
    return FALSE;
  }
  if (runs->len > SSAPP_SESSION_RACE_MAX) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 "%u methods are chosen, and at most %d run at once: take some out", runs->len, SSAPP_SESSION_RACE_MAX);
    return FALSE;
  }
  if (!start_together (self, runs, jobs, NULL, error))
    return FALSE;
  g_autofree char *title = race_title (self, runs);
  return runs->len < 2 || keep_comparison (self, runs, title, error);
}

/* The chosen methods of a kind; all kinds for -1. */
static GPtrArray *
chosen_methods (SsappSession *self, int kind)
{
  GPtrArray *methods = ssapp_session_list_methods (self);

  for (guint i = methods->len; i-- > 0;) {
    const SsMethod *method = g_ptr_array_index (methods, i);
    if (!ssapp_session_is_chosen (self, method) || (kind >= 0 && (int)method->kind != kind))
      g_ptr_array_remove_index (methods, i);
  }
  return methods;
}

gboolean
ssapp_session_start (SsappSession *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);
  g_autoptr (GPtrArray) methods = chosen_methods (self, -1);
  return start_methods (self, methods, NULL, NAN, error);
}

/* That of the document where none is chosen. */
static const SsMethod *
own_integrator (SsappSession *self)
{
  return ss_method_of_scenario (SS_METHOD_INTEGRATOR, ssapp_document_get_scenario (self->document));
}

gboolean
ssapp_session_start_simulation (SsappSession *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);
  g_autoptr (GPtrArray) methods = chosen_methods (self, SS_METHOD_INTEGRATOR);

  if (methods->len == 0)
    g_ptr_array_add (methods, (gpointer)own_integrator (self));
  return start_methods (self, methods, NULL, NAN, error);
}

/* The run of that id: on show, else read from the project. The caller's. */
static SsappRun *
find_run (SsappSession *self, const char *id, GError **error)
{
  for (guint i = 0; i < self->runs->len; i++)
    if (g_strcmp0 (ssapp_run_get_id (g_ptr_array_index (self->runs, i)), id) == 0)
      return g_object_ref (g_ptr_array_index (self->runs, i));
  if (self->store == NULL) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "There is no run “%s”", id);
    return NULL;
  }
  return ssapp_run_new_stored (self->store, id, error);
}

gboolean
ssapp_session_start_from (SsappSession *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);
  g_autoptr (GPtrArray) methods = chosen_methods (self, SS_METHOD_OPTIMISER);
  g_autoptr (SsappRun) from = find_run (self, id, error);

  if (from == NULL)
    return FALSE;
  if (!ssapp_run_has_motion (from) || ssapp_run_is_running (from)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "There is no motion to start from yet");
    return FALSE;
  }
  if (methods->len == 0) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "Choose an optimiser first");
    return FALSE;
  }
  return start_methods (self, methods, from, NAN, error);
}

gboolean
ssapp_session_start_from_iterate (SsappSession *self, const char *id, int iteration, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);
  g_autoptr (GPtrArray) methods = chosen_methods (self, SS_METHOD_OPTIMISER);
  g_autoptr (SsappRun) from = NULL;
  SsTrajectory *motion;

  if (self->store == NULL) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "There is no run “%s”", id);
    return FALSE;
  }
  from = ssapp_run_new_stored (self->store, id, error);
  motion = from != NULL ? ssapp_store_get_iterate (self->store, id, iteration, error) : NULL;
  if (motion == NULL) {
    if (from != NULL && error != NULL && *error == NULL)
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "The run kept no iterate of iteration %d", iteration);
    return FALSE;
  }
  ssapp_run_show_iterate (from, iteration, motion);
  if (methods->len == 0) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "Choose an optimiser first");
    return FALSE;
  }
  return start_methods (self, methods, from, NAN, error);
}

gboolean
ssapp_session_show_iterates (SsappSession *self, GPtrArray *runs, int iteration, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);
  for (guint i = 0; i < runs->len; i++) {
    SsappRun *run = g_ptr_array_index (runs, i);
    const int wanted = ssapp_run_iterate_up_to (run, iteration);
    SsTrajectory *motion = NULL;
    if (wanted == ssapp_run_get_shown_iterate (run))
      continue;
    if (wanted >= 0 && self->store != NULL) {
      motion = ssapp_store_get_iterate (self->store, ssapp_run_get_id (run), wanted, error);
      if (motion == NULL)
        return FALSE;
    }
    ssapp_run_show_iterate (run, wanted, motion);
  }
  return TRUE;
}

/* The run's motion once it moves takes so long [s]. */
static double
moving_time (SsappRun *run)
{
  const SsScene *scene = ssapp_run_get_scenario (run)->scene;
  const SsTrajectory *motion = ssapp_run_get_motion (run);

  return scene != NULL ? ss_trajectory_row (motion, motion->n_rows - 1)[0] - ss_run_begins_to_move (scene, motion)
                       : NAN;
}

SsTrajectory *
ssapp_session_dup_motion (SsappSession *self, const char *id, double *length, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), NULL);
  g_autoptr (SsappRun) run = find_run (self, id, error);
  SsTrajectory *copy = NULL;
  SsError err = {0};

  if (run == NULL)
    return NULL;
  if (!ssapp_run_has_motion (run) || ss_trajectory_copy (ssapp_run_get_motion (run), &copy, &err) != SS_OK) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                         err.message[0] != '\0' ? err.message : "The run has no motion");
    return NULL;
  }
  *length = moving_time (run);
  return copy;
}

/* A plan that takes this much longer than its task is another one. */
#define LONGER 1.02

gboolean
ssapp_session_improve (SsappSession *self, const char *id, double *t_end, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self) && t_end != NULL, FALSE);
  const SsScenario *scenario = ssapp_document_get_scenario (self->document);
  g_autoptr (GPtrArray) methods = chosen_methods (self, SS_METHOD_OPTIMISER);
  g_autoptr (SsappRun) from = find_run (self, id, error);

  *t_end = NAN;
  if (from == NULL)
    return FALSE;
  if (scenario->task.plan == NULL || !ssapp_run_has_motion (from) || ssapp_run_is_running (from)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                         scenario->task.plan == NULL ? "The sketch has no goal" : "There is no motion to improve yet");
    return FALSE;
  }
  if (methods->len == 0)
    g_ptr_array_add (methods, (gpointer)ss_method_of_scenario (SS_METHOD_OPTIMISER, scenario));
  if (!scenario->task.plan->is_time_free && moving_time (from) > LONGER * scenario->task.plan->horizon)
    *t_end = moving_time (from);
  return start_methods (self, methods, from, *t_end, error);
}

/* Takes the reference to `of`. */
static gboolean
start_replay (SsappSession *self, SsappRun *of, const SsMethod *method, SsControllerKind controller, double friction,
              GError **error)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (SsappRun) plan = of, replay = ssapp_run_new_replay (plan, method, error);
  g_autoptr (GString) label = g_string_new (ss_controllers[controller].replay);
  g_autoptr (SsappJob) job = NULL;

  if (replay == NULL || !refuse_while_lost (self, error) || !ssapp_session_ensure_store (self, error))
    return FALSE;
  ssapp_run_ask (replay, controller, friction != 1 ? friction : 0);
  job = ssapp_run_make_job (replay);
  adopt_job (self, job);
  if (!ssapp_store_follow (self->store, job, error) || !ssapp_job_start (job, error))
    return FALSE;
  ssapp_run_set_job (replay, job);
  ssapp_run_set_label (plan,
                       ss_method_id_is_equal (ssapp_run_get_method (plan), ss_method_id (method)) ? "Plan" : NULL);
  if (friction != 1)
    g_string_append_printf (label, ", Friction %+.0f %%", 100 * (friction - 1));
  if (controller == SS_CONTROLLER_NONE)
    g_string_append_printf (label, ", %s", ssapp_run_get_method_label (replay));
  ssapp_run_set_label (replay, label->str);
  g_ptr_array_add (runs, g_object_ref (plan));
  g_ptr_array_add (runs, g_object_ref (replay));
  replace_runs (self, runs);
  return TRUE;
}

gboolean
ssapp_session_replay (SsappSession *self, const char *id, const char *integrator, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);

  const SsMethod *method = ss_method_find (SS_METHOD_INTEGRATOR, integrator, NULL);
  SsappRun *plan = refuse_while_running (self, error) ? find_run (self, id, error) : NULL;

  if (plan == NULL)
    return FALSE;
  if (method == NULL) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "“%s” is no integrator", integrator);
    g_object_unref (plan);
    return FALSE;
  }
  return start_replay (self, plan, method, SS_CONTROLLER_NONE, 1, error);
}

gboolean
ssapp_session_replay_held (SsappSession *self, const char *id, const char *controller, double friction, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self) && controller != NULL, FALSE);

  const SsControllerKind kind = ss_controller_find (controller);
  const SsMethod *method = ss_method_default (SS_METHOD_INTEGRATOR);
  const SsIntegratorClass *integrator;
  double step;

  if (kind == SS_CONTROLLER_COUNT || !(friction > 0) || !isfinite (friction)) {
    g_autofree char *names = ssapp_controllers_dup_names ();
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 "A replay has the controller %s, in a world with a positive part of the plan's friction", names);
    return FALSE;
  }
  SsappRun *plan = refuse_while_running (self, error) ? find_run (self, id, error) : NULL;
  if (plan == NULL)
    return FALSE;
  if (ssapp_run_has_motion (plan) && ss_run_find_replay (ssapp_run_get_motion (plan), &integrator, &step))
    method = ss_method_of_integrator (integrator);
  return start_replay (self, plan, method, kind, friction, error);
}

/* A run of one outcome, ready, with its job; FALSE with an error. */
static gboolean
prepare_outcome (SsappSession *self, const char *text, const SsMethod *method, guint number, guint of, GPtrArray *runs,
                 GPtrArray *jobs, GError **error)
{
  SsappRun *run = ssapp_run_new (text, method, error);
  g_autofree char *label = g_strdup_printf ("Outcome %u, %s", number + 1, method->label);

  if (run == NULL)
    return FALSE;
  g_ptr_array_add (runs, run);
  ssapp_run_set_label (run, label);
  SsappJob *job = ssapp_run_make_job (run);
  ssapp_job_set_memory_limit (job, ssapp_memory_default (of));
  adopt_job (self, job);
  g_ptr_array_add (jobs, job);
  return TRUE;
}

/* The runs as one comparison of the project. */
static gboolean
keep_comparison (SsappSession *self, GPtrArray *runs, const char *title, GError **error)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new (), labels = g_ptr_array_new ();

  for (guint k = 0; k < runs->len; k++) {
    g_ptr_array_add (ids, (gpointer)ssapp_run_get_id (g_ptr_array_index (runs, k)));
    g_ptr_array_add (labels, (gpointer)ssapp_run_get_label (g_ptr_array_index (runs, k)));
  }
  g_ptr_array_add (ids, NULL);
  g_ptr_array_add (labels, NULL);
  g_autofree char *id = ssapp_store_add_comparison (self->store, title, (const char *const *)ids->pdata,
                                                    (const char *const *)labels->pdata, error);
  return id != NULL;
}

gboolean
ssapp_session_start_outcomes (SsappSession *self, GPtrArray *texts, const char *note, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self) && texts->len <= SSAPP_SESSION_OUTCOMES_MAX, FALSE);
  g_autoptr (GPtrArray) methods = chosen_methods (self, SS_METHOD_INTEGRATOR);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func (g_object_unref);

  if (!refuse_while_running (self, error))
    return FALSE;
  const SsMethod *method = methods->len > 0 ? g_ptr_array_index (methods, 0) : own_integrator (self);
  for (guint k = 0; k < texts->len; k++)
    if (!prepare_outcome (self, g_ptr_array_index (texts, k), method, k, texts->len, runs, jobs, error))
      return FALSE;
  return start_together (self, runs, jobs, note, error) && (runs->len < 2 || keep_comparison (self, runs, note, error));
}

gboolean
ssapp_session_start_fan (SsappSession *self, const char *text, const SsImpactSetOptions *options, const char *note,
                         GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self) && text != NULL && options != NULL, FALSE);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func (g_object_unref);
  const SsMethod *method = ss_method_lookup ((SsMethodId){SS_METHOD_INTEGRATOR, "event-driven"});

  if (!refuse_while_running (self, error) || !prepare_outcome (self, text, method, 0, 1, runs, jobs, error))
    return FALSE;
  ssapp_run_set_label (g_ptr_array_index (runs, 0), "Fan, Event-Driven");
  ssapp_fan_job_set_impact (g_ptr_array_index (jobs, 0), options);
  return start_together (self, runs, jobs, note, error);
}

gboolean
ssapp_session_start_branches (SsappSession *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (SsappRun) of = refuse_while_running (self, error) ? find_run (self, id, error) : NULL;
  SsappRun *run = of != NULL ? ssapp_run_new_again (of, error) : NULL;

  if (run == NULL)
    return FALSE;
  g_ptr_array_add (runs, run);
  SsappJob *job = ssapp_run_make_job (run);
  g_ptr_array_add (jobs, job);
  ssapp_fan_job_set_steps (job, ssapp_run_get_result (of));
  adopt_job (self, job);
  return start_together (self, runs, jobs, NULL, error);
}

SsappImpactSet *
ssapp_session_get_impact (SsappSession *self)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), NULL);
  if (self->impact == NULL)
    self->impact = ssapp_impact_set_new ();
  return self->impact;
}

SsappStudySession *
ssapp_session_get_study (SsappSession *self)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), NULL);
  if (self->study == NULL)
    self->study = ssapp_study_session_new (self);
  return self->study;
}

void
ssapp_session_cancel (SsappSession *self, const char *id)
{
  g_return_if_fail (SSAPP_IS_SESSION (self));
  for (guint i = 0; i < self->runs->len; i++) {
    SsappRun *run = g_ptr_array_index (self->runs, i);
    if (ssapp_run_is_running (run) && (id == NULL || g_strcmp0 (ssapp_run_get_id (run), id) == 0)) {
      ssapp_job_cancel (ssapp_run_get_job (run));
      on_run_changed (self, run);
    }
  }
}

void
ssapp_session_stop_member (SsappSession *self, const char *id, const char *member)
{
  g_return_if_fail (SSAPP_IS_SESSION (self) && id != NULL && member != NULL);
  for (guint i = 0; i < self->runs->len; i++) {
    SsappRun *run = g_ptr_array_index (self->runs, i);
    if (ssapp_run_is_running (run) && g_strcmp0 (ssapp_run_get_id (run), id) == 0)
      ssapp_job_stop_member (ssapp_run_get_job (run), member);
  }
}

gboolean
ssapp_session_is_running (SsappSession *self)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);
  for (guint i = 0; i < self->runs->len; i++)
    if (ssapp_run_is_running (g_ptr_array_index (self->runs, i)))
      return TRUE;
  return FALSE;
}

void
ssapp_session_show_runs (SsappSession *self, GPtrArray *runs)
{
  g_return_if_fail (SSAPP_IS_SESSION (self));
  replace_runs (self, runs);
}

gboolean
ssapp_session_runs_are_current (SsappSession *self)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);

  SsappRun *first = self->runs->len > 0 ? g_ptr_array_index (self->runs, 0) : NULL;
  return first != NULL &&
         g_strcmp0 (ssapp_run_get_scenario_text (first), ssapp_document_get_text (self->document)) == 0;
}

/* ---- for scripts ------------------------------------------------------------------------------------------------- */

const SsTrajectory *
ssapp_session_get_plan (SsappSession *self)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), NULL);

  for (guint i = 0; self->runs != NULL && i < self->runs->len; i++) {
    SsappRun *run = g_ptr_array_index (self->runs, i);
    if (ssapp_run_get_plan (run) != NULL)
      return ssapp_run_get_plan (run);
    if (ssapp_run_get_kind (run) == SS_METHOD_OPTIMISER && ssapp_run_has_motion (run) && !ssapp_run_is_running (run))
      return ssapp_run_get_motion (run);
  }
  return NULL;
}

static json_t *
runs_to_json (GPtrArray *runs)
{
  json_t *list = json_array ();

  for (guint i = 0; i < runs->len; i++) {
    SsappRun *run = g_ptr_array_index (runs, i);
    GArray *iterations = ssapp_run_get_iterations (run);
    json_array_append_new (
        list, json_pack ("{s:s?, s:s?, s:i, s:s, s:s?, s:i, s:b, s:b, s:o}", "id", ssapp_run_get_id (run), "replay_of",
                         ssapp_run_get_replay_of (run), "events", (int)ssapp_run_get_events (run)->len, "method",
                         ssapp_run_get_method (run).name, "outcome", ssapp_run_get_outcome (run), "iterations",
                         iterations != NULL ? (int)iterations->len : 0, "running", ssapp_run_is_running (run), "motion",
                         ssapp_run_has_motion (run), "members", ssapp_race_describe (ssapp_run_get_race (run))));
    json_t *item = json_array_get (list, json_array_size (list) - 1);
    const SsappParting *parting = ssapp_run_get_parting (run);
    const double end = ssapp_run_get_metric (run, SS_METRIC_TRACKING_POSITION);
    json_object_set_new (item, "label", json_string (ssapp_run_get_label (run)));
    json_object_set_new (item, "goal_distance", isfinite (end) ? json_real (end) : json_null ());
    json_object_set_new (item, "parts",
                         !parting->is_known   ? json_null ()
                         : parting->is_parted ? json_pack ("{s:f, s:s?, s:s}", "t", parting->t, "contact",
                                                           parting->contact, "text", parting->text)
                                              : json_pack ("{s:n, s:s}", "t", "text", parting->text));
  }
  return list;
}

static json_t *
planning_to_json (const SsappSessionPlace *place)
{
  const SsappReplanState *p = &place->planning;

  if (!place->is_planning)
    return json_null ();
  return json_pack ("{s:I, s:I, s:I, s:b, s:b, s:o, s:o}", "plans", (json_int_t)p->n_plans, "missed",
                    (json_int_t)p->n_missed, "kept", (json_int_t)p->n_kept, "stuck", p->is_stuck, "looking",
                    p->is_looking, "median", ssapp_json_real (p->median), "miss", ssapp_json_real (p->miss));
}

char *
ssapp_session_dup_status (SsappSession *self, const SsappSessionPlace *place)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), NULL);

  SsappDocument *document = self->document;
  const SsScene *scene = ssapp_document_get_scenario (document)->scene;
  json_t *status =
      json_pack ("{s:s, s:s, s:s?, s:b, s:i, s:s?, s:s?, s:s?, s:s?, s:s?, s:f, s:f, s:b, s:o}", "page", place->page,
                 "scenario", ssapp_document_get_name (document), "file", ssapp_document_get_path (document), "dirty",
                 ssapp_document_is_dirty (document), "bodies", scene != NULL ? scene->n_bodies : -1, "selected",
                 ssapp_document_get_selected (document), "item", ssapp_document_get_selected_item (document), "undo",
                 ssapp_document_get_undo_label (document), "redo", ssapp_document_get_redo_label (document), "project",
                 self->store != NULL ? ssapp_store_get_path (self->store) : NULL, "duration", place->duration, "time",
                 place->time, "playing", place->is_playing, "runs", runs_to_json (self->runs));
  json_t *selection = json_array ();
  for (const char *const *key = ssapp_document_get_selection (document, NULL); *key != NULL; key++)
    json_array_append_new (selection, json_string (*key));
  json_object_set_new (status, "selection", selection);
  json_object_set_new (status, "sandbox",
                       place->sandbox == NULL ? json_null ()
                                              : json_pack ("{s:s, s:I, s:f}", "method", place->sandbox, "frames",
                                                           (json_int_t)place->frames, "frame_rate", place->frame_rate));
  const char *sketch = ssapp_sketches_get_current (self->sketches);
  json_object_set_new (status, "sketch", sketch != NULL ? json_string (sketch) : json_null ());
  if (place->sandbox != NULL)
    json_object_set_new (json_object_get (status, "sandbox"), "replan", planning_to_json (place));
  if (place->sandbox != NULL)
    json_object_set_new (json_object_get (status, "sandbox"), "controller",
                         json_string (place->is_held       ? "lqr"
                                      : place->is_planning ? "replan"
                                                           : "none"));
  g_autofree char *impact = self->impact != NULL ? ssapp_impact_set_dup_status (self->impact) : g_strdup ("null");
  json_t *explored = json_loads (impact, JSON_DECODE_ANY, NULL);
  if (json_is_object (explored))
    json_object_set_new (explored, "frames",
                         json_pack ("{s:I, s:f, s:f}", "n", (json_int_t)place->impact_frames.n, "rate",
                                    place->impact_frames.rate, "longest", place->impact_frames.longest));
  json_object_set_new (status, "impact", explored);
  g_autofree char *study = self->study != NULL ? ssapp_study_session_dup_status (self->study) : g_strdup ("null");
  json_object_set_new (status, "study", json_loads (study, JSON_DECODE_ANY, NULL));
  json_object_set_new (status, "exports", json_integer (place->n_exports));
  json_object_set_new (status, "tutorial",
                       place->tutorial != NULL
                           ? json_pack ("{s:s, s:i}", "name", place->tutorial, "step", place->tutorial_step)
                           : json_null ());
  char *text = json_dumps (status, JSON_COMPACT), *copy = g_strdup (text != NULL ? text : "{}");

  json_decref (status);
  free (text);
  return copy;
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static gboolean
has_optimiser (GPtrArray *methods)
{
  for (guint i = 0; i < methods->len; i++)
    if (((const SsMethod *)g_ptr_array_index (methods, i))->kind == SS_METHOD_OPTIMISER)
      return TRUE;
  return FALSE;
}

/* What was chosen for one scenario says nothing of the next. */
static void
on_document_loaded (SsappSession *self)
{
  g_hash_table_remove_all (self->chosen);
  g_hash_table_remove_all (self->options);
  ssapp_entrants_clear (self->entrants);
}

/* Whether a method is one that a document starts with: the scenario's own, as on the command line; of equations that
 * name none two optimisers side by side. */
static gboolean
is_first_choice (const SsMethod *method, const SsScenario *scenario, DocumentKind kind)
{
  if (kind == DOCUMENT_MODEL && ss_method_named_by (SS_METHOD_OPTIMISER, scenario) == NULL)
    return method->is_default || method->is_second;
  return method == ss_method_of_scenario (method->kind, scenario);
}

/* Another kind of document has other methods. */
static void
on_document_changed (SsappSession *self)
{
  const SsScenario *scenario = ssapp_document_get_scenario (self->document);
  const SsTask *task = &scenario->task;
  g_autoptr (GPtrArray) methods = NULL;
  DocumentKind kind = !ssapp_document_is_scene (self->document) ? DOCUMENT_MODEL
                      : task->plan != NULL                      ? DOCUMENT_PLANNED_SCENE
                                                                : DOCUMENT_SCENE;

  if (kind == self->kind && g_hash_table_size (self->chosen) > 0)
    return;
  self->kind = kind;
  methods = ssapp_session_list_methods (self);
  if (kind == DOCUMENT_PLANNED_SCENE && has_optimiser (methods))
    for (guint i = methods->len; i-- > 0;)
      if (((const SsMethod *)g_ptr_array_index (methods, i))->kind != SS_METHOD_OPTIMISER)
        g_ptr_array_remove_index (methods, i);
  g_hash_table_remove_all (self->chosen);
  for (guint i = 0; i < methods->len; i++) {
    const SsMethod *method = g_ptr_array_index (methods, i);
    if (is_first_choice (method, scenario, kind))
      g_hash_table_add (self->chosen, (gpointer)method);
  }
  if (g_hash_table_size (self->chosen) == 0 && methods->len > 0)
    g_hash_table_add (self->chosen, g_ptr_array_index (methods, 0));
  g_signal_emit (self, signals[METHODS_CHANGED], 0);
}

static void
ssapp_session_dispose (GObject *object)
{
  SsappSession *self = SSAPP_SESSION (object);

  if (self->runs != NULL)
    ssapp_session_cancel (self, NULL);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  if (self->study != NULL)
    g_object_run_dispose (G_OBJECT (self->study)); /* whoever else has it: its project goes */
  g_clear_object (&self->study);
  if (self->sketches != NULL)
    ssapp_sketches_set_store (self->sketches, NULL, FALSE);
  g_clear_object (&self->sketches);
  if (self->store != NULL) {
    g_signal_handlers_disconnect_by_data (self->store, self);
    ssapp_store_close (self->store, NULL); /* whoever wants to know has asked ssapp_session_check_kept */
  }
  g_clear_object (&self->store);
  g_clear_object (&self->impact);
  g_clear_object (&self->document);
  g_clear_pointer (&self->chosen, g_hash_table_unref);
  g_clear_pointer (&self->entrants, ssapp_entrants_free);
  g_clear_pointer (&self->options, g_hash_table_unref);
  G_OBJECT_CLASS (ssapp_session_parent_class)->dispose (object);
}

static void
ssapp_session_class_init (SsappSessionClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssapp_session_dispose;
  signals[RUNS_CHANGED] =
      g_signal_new ("runs-changed", SSAPP_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[RUN_CHANGED] = g_signal_new ("run-changed", SSAPP_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 1, SSAPP_TYPE_RUN);
  signals[RUN_ENDED] = g_signal_new ("run-ended", SSAPP_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                     G_TYPE_NONE, 1, SSAPP_TYPE_RUN);
  signals[METHODS_CHANGED] =
      g_signal_new ("methods-changed", SSAPP_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[WRITE_FAILED] = g_signal_new ("write-failed", SSAPP_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[STORE_LOST] = g_signal_new ("store-lost", SSAPP_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                      G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[STORE_CHANGED] =
      g_signal_new ("store-changed", SSAPP_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ssapp_session_init (SsappSession *self)
{
  self->document = ssapp_document_new ();
  self->sketches = ssapp_sketches_new (self->document);
  g_signal_connect_object (self->sketches, "failed", G_CALLBACK (on_write_failed), self, G_CONNECT_SWAPPED);
  self->runs = g_ptr_array_new_with_free_func (g_object_unref);
  self->entrants = ssapp_entrants_new ();
  self->chosen = g_hash_table_new (g_direct_hash, g_direct_equal);
  self->options = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->time_limit = DEFAULT_TIME_LIMIT;
  g_signal_connect_object (self->document, "loaded", G_CALLBACK (on_document_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->document, "changed", G_CALLBACK (on_document_changed), self, G_CONNECT_SWAPPED);
  on_document_changed (self);
}

SsappSession *
ssapp_session_new (void)
{
  return g_object_new (SSAPP_TYPE_SESSION, NULL);
}
