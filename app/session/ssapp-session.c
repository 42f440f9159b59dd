/* app/session/ssapp-session.c: the session as an object: its project, methods and their options, runs on show. */
#include "app/session/ssapp-session-private.h"

#include "app/base/ssapp-method-list.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* A run without a limit may sit in a queue for ever; ten minutes are far more than any example needs [s]. */
#define DEFAULT_TIME_LIMIT 600.0

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

void
ssapp_session_take_store (SsappSession *self, SsappStore *store)
{
  g_return_if_fail (self != NULL);
  g_autoptr (GError) error = NULL;

  ssapp_sketches_set_store (self->sketches, NULL); /* keeps what waits */
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
  ssapp_sketches_set_store (self->sketches, store);
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

gboolean
ssapp_session_refuse_while_running (SsappSession *self, GError **error)
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
gboolean
ssapp_session_refuse_while_lost (SsappSession *self, GError **error)
{
  GError *local = NULL;

  if (ssapp_session_check_kept (self, &local))
    return TRUE;
  on_store_lost (self, local->message);
  g_propagate_error (error, local);
  return FALSE;
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
  ssapp_session_take_store (self, store);
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
  ssapp_sketches_set_store (self->sketches, self->store); /* keeps what waits */
  return TRUE;
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

const char *
ssapp_session_option_text (SsappSession *self, const SsMethod *method, const char *name)
{
  g_return_val_if_fail (self != NULL, NULL);
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

void *
ssapp_session_new_options (SsappSession *self, const SsMethod *method)
{
  void *options = options_with (self, method, method->options, NULL, NULL, NULL);

  for (int i = 0; i < method->options->n_specs; i++) {
    const char *name = method->options->specs[i].name, *text = ssapp_session_option_text (self, method, name);
    if (text != NULL) /* as it was taken when it was set */
      (void)!ss_options_set (method->options, options, name, text, NULL);
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
  const char *preset = ssapp_session_option_text (self, method, "preset");
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
  void *options = options_with (self, method, table, name, ssapp_session_option_text (self, method, name), NULL);
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
  g_return_val_if_fail (self != NULL, (double)NAN);
  return SSAPP_IS_SESSION (self) ? self->bound : NAN;
}

/* ---- runs on show ------------------------------------------------------------------------------------------------ */

GPtrArray *
ssapp_session_get_runs (SsappSession *self)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), NULL);
  return self->runs;
}

void
ssapp_session_tell_run_changed (SsappSession *self, SsappRun *run)
{
  g_signal_emit (self, signals[RUN_CHANGED], 0, run);
}

void
ssapp_session_tell_run_ended (SsappSession *self, SsappRun *run)
{
  g_signal_emit (self, signals[RUN_ENDED], 0, run);
}

void
ssapp_session_tell_runs_changed (SsappSession *self)
{
  g_signal_emit (self, signals[RUNS_CHANGED], 0);
}

SsappImpactSet *
ssapp_session_get_impact (SsappSession *self)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), NULL);
  if (self->impact == NULL)
    self->impact = ssapp_impact_set_new ();
  return self->impact;
}

void
ssapp_session_cancel (SsappSession *self, const char *id)
{
  g_return_if_fail (SSAPP_IS_SESSION (self));
  if (id == NULL)
    g_clear_pointer (&self->leaving, g_ptr_array_unref);
  for (guint i = 0; i < self->runs->len; i++) {
    SsappRun *run = g_ptr_array_index (self->runs, i);
    if (ssapp_run_is_running (run) && (id == NULL || g_strcmp0 (ssapp_run_get_id (run), id) == 0)) {
      ssapp_job_cancel (ssapp_run_get_job (run));
      ssapp_session_tell_run_changed (self, run);
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

gboolean
ssapp_session_runs_are_current (SsappSession *self)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);

  SsappRun *first = self->runs->len > 0 ? g_ptr_array_index (self->runs, 0) : NULL;
  return first != NULL &&
         g_strcmp0 (ssapp_run_get_scenario_text (first), ssapp_document_get_text (self->document)) == 0;
}

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
is_first_choice (const SsMethod *method, const SsScenario *scenario, SsappDocumentKind kind)
{
  if (kind == SSAPP_DOCUMENT_KIND_MODEL && ss_method_named_by (SS_METHOD_OPTIMISER, scenario) == NULL)
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
  SsappDocumentKind kind = !ssapp_document_is_scene (self->document) ? SSAPP_DOCUMENT_KIND_MODEL
                           : task->plan != NULL                      ? SSAPP_DOCUMENT_KIND_PLANNED_SCENE
                                                                     : SSAPP_DOCUMENT_KIND_SCENE;

  if (kind == self->kind && g_hash_table_size (self->chosen) > 0)
    return;
  self->kind = kind;
  methods = ssapp_session_list_methods (self);
  if (kind == SSAPP_DOCUMENT_KIND_PLANNED_SCENE && has_optimiser (methods))
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
  g_clear_pointer (&self->leaving, g_ptr_array_unref);
  g_clear_object (&self->live);
  if (self->study != NULL)
    g_object_run_dispose (G_OBJECT (self->study)); /* whoever else has it: its project goes */
  g_clear_object (&self->study);
  g_clear_handle_id (&self->keep_timer, g_source_remove);
  if (self->sketches != NULL)
    ssapp_sketches_set_store (self->sketches, NULL);
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
  g_signal_new ("go-on-failed", SSAPP_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                G_TYPE_STRING);
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
