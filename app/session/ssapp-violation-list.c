/* app/session/ssapp-violation-list.c: see the header. */
#include "app/session/ssapp-violation-list.h"

#include <glib/gi18n.h>
#include <string.h>

/* Of one run. What is shown of it is told by its motion's version and the iterate on show. */
typedef struct {
  SsappRun *run;
  guint version;
  int iterate;
  gboolean is_known, is_exact, has_failed;
  GCancellable *cancellable; /* of the search under way; NULL: none is */
  SsViolations list;
} Entry;

struct _SsappViolationList {
  GObject parent_instance;
  GPtrArray *entries; /* of Entry */
  GArray *rows;
  char *account;
  gboolean is_active;
};

G_DEFINE_FINAL_TYPE (SsappViolationList, ssapp_violation_list, G_TYPE_OBJECT)

static guint changed_signal;

static void
stop_search (Entry *entry)
{
  if (entry->cancellable != NULL)
    g_cancellable_cancel (entry->cancellable);
  g_clear_object (&entry->cancellable);
}

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  stop_search (entry);
  ss_violations_clear (&entry->list);
  g_object_unref (entry->run);
  g_free (entry);
}

/* ---- search ------------------------------------------------------------------------------------------------------ */

/* What a thread needs, its own. */
typedef struct {
  char *text, *name;
  GArray *overrides; /* of SsOverride, whose names are owned */
  json_t *result;
  SsTrajectory *motion;
  gboolean is_answer, is_exact;
  SsViolations list;
} Search;

static void
search_free (gpointer data)
{
  Search *search = data;

  for (guint i = 0; i < search->overrides->len; i++)
    g_free ((char *)g_array_index (search->overrides, SsOverride, i).name);
  g_array_unref (search->overrides);
  json_decref (search->result);
  ss_trajectory_free (search->motion);
  ss_violations_clear (&search->list);
  g_free (search->text);
  g_free (search->name);
  g_free (search);
}

static Search *
search_new (SsappRun *run)
{
  const SsScenario *scenario = ssapp_run_get_scenario (run);
  Search *search = g_new0 (Search, 1);

  search->text = g_strdup (ssapp_run_get_scenario_text (run));
  search->name = g_strdup (scenario->name);
  search->overrides = g_array_new (FALSE, FALSE, sizeof (SsOverride));
  for (int i = 0; i < scenario->n_parameters; i++)
    if (scenario->parameters[i].is_overridden) {
      const SsOverride one = {g_strdup (scenario->parameters[i].name), scenario->parameters[i].value};
      g_array_append_val (search->overrides, one);
    }
  search->result = json_deep_copy (ssapp_run_get_result (run));
  search->is_answer = ssapp_run_get_shown_iterate (run) < 0;
  if (ss_trajectory_copy (ssapp_run_get_motion (run), &search->motion, NULL) != SS_OK)
    search->motion = NULL;
  return search;
}

static void
search_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Search *search = data;
  SsScenario *scenario = NULL;
  SsProblems problems;
  GError *error = NULL;

  (void)source;
  (void)cancellable;
  ss_problems_init (&problems);
  if (ss_scenario_read (search->text, strlen (search->text), search->name,
                        (SsOverride *)(void *)search->overrides->data, (int)search->overrides->len, &problems,
                        &scenario) != SS_OK)
    error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_INVALID_DATA, _ ("The scenario cannot be read"));
  else
    ssapp_violations_of_run (scenario, search->result, search->motion, search->is_answer, SS_VIOLATIONS_KEPT,
                             &search->list, &search->is_exact, &error);
  ss_problems_clear (&problems);
  ss_scenario_free (scenario);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const double x = ((const SsappViolationRow *)a)->violation->amount,
               y = ((const SsappViolationRow *)b)->violation->amount;

  return (x < y) - (x > y);
}

/* Why there are no rows. */
static const char *
explain (SsappViolationList *self, guint n_running, guint n_known, guint n_failed)
{
  if (self->entries->len == 0)
    return _ ("Simulations have no rows: the judge measures their motion");
  if (n_running > 0)
    return _ ("The list comes with the answer");
  if (ssapp_violation_list_is_busy (self))
    return _ ("The motion is being judged");
  if (n_failed > 0)
    return _ ("The motion is none whose rows could be judged");
  return n_known > 0 ? _ ("No row is violated") : _ ("There is no answer yet");
}

static void
collect (SsappViolationList *self)
{
  guint n_running = 0, n_known = 0, n_failed = 0, n_violated = 0;
  gboolean is_exact = TRUE;

  g_array_set_size (self->rows, 0);
  for (guint e = 0; e < self->entries->len; e++) {
    const Entry *entry = g_ptr_array_index (self->entries, e);
    n_running += ssapp_run_is_running (entry->run) ? 1 : 0;
    n_known += entry->is_known ? 1 : 0;
    n_failed += entry->has_failed ? 1 : 0;
    n_violated += (guint)entry->list.n_violated;
    is_exact = is_exact && (!entry->is_known || entry->is_exact);
    for (int i = 0; i < entry->list.n; i++) {
      const SsappViolationRow row = {entry->run, &entry->list.items[i]};
      g_array_append_val (self->rows, row);
    }
  }
  g_array_sort (self->rows, compare_rows); /* keeps the order of equal ones */
  g_free (self->account);
  if (self->rows->len == 0)
    self->account = g_strdup (explain (self, n_running, n_known, n_failed));
  else
    self->account = g_strdup_printf (is_exact ? _ ("%u of %u violated rows")
                                              : _ ("%u of %u violated rows, what the motion lacks was completed"),
                                     self->rows->len, n_violated);
  g_signal_emit (self, changed_signal, 0);
}

static void
on_searched (GObject *source, GAsyncResult *result, gpointer data)
{
  SsappViolationList *self = SSAPP_VIOLATION_LIST (source);
  GCancellable *cancellable = g_task_get_cancellable (G_TASK (result));
  Search *search = g_task_get_task_data (G_TASK (result));
  const gboolean ok = g_task_propagate_boolean (G_TASK (result), NULL);

  (void)data;
  for (guint e = 0; e < self->entries->len; e++) {
    Entry *entry = g_ptr_array_index (self->entries, e);
    if (entry->cancellable != cancellable)
      continue;
    g_clear_object (&entry->cancellable);
    entry->is_known = ok;
    entry->has_failed = !ok;
    entry->is_exact = search->is_exact;
    entry->list = search->list;
    search->list = (SsViolations){0};
    collect (self);
    return;
  }
}

static void
begin_search (SsappViolationList *self, Entry *entry)
{
  g_autoptr (GTask) task = NULL;

  entry->cancellable = g_cancellable_new ();
  task = g_task_new (self, entry->cancellable, on_searched, NULL);
  g_task_set_check_cancellable (task, FALSE); /* told by the entry */
  g_task_set_task_data (task, search_new (entry->run), search_free);
  g_task_run_in_thread (task, search_in_thread);
}

/* Whether the rows have changed. */
static gboolean
update_entry (SsappViolationList *self, Entry *entry)
{
  const guint version = ssapp_run_get_version (entry->run);
  const int iterate = ssapp_run_get_shown_iterate (entry->run);
  gboolean has_changed = version != entry->version || iterate != entry->iterate;

  if (has_changed) {
    stop_search (entry);
    ss_violations_clear (&entry->list);
    entry->is_known = entry->has_failed = FALSE;
    entry->version = version;
    entry->iterate = iterate;
  }
  if (entry->is_known || entry->has_failed || entry->cancellable != NULL || ssapp_run_is_running (entry->run) ||
      ssapp_run_get_outcome (entry->run) == NULL)
    return has_changed;
  if (iterate < 0 && json_object_get (ssapp_run_get_result (entry->run), "violations") != NULL) {
    ssapp_violations_from_json (ssapp_run_get_result (entry->run), &entry->list);
    entry->is_known = entry->is_exact = TRUE;
    return TRUE;
  }
  if (!self->is_active)
    return has_changed;
  if (ssapp_run_has_motion (entry->run))
    begin_search (self, entry);
  else
    entry->has_failed = TRUE;
  return TRUE;
}

void
ssapp_violation_list_update (SsappViolationList *self)
{
  g_return_if_fail (SSAPP_IS_VIOLATION_LIST (self));
  gboolean has_changed = FALSE;

  for (guint e = 0; e < self->entries->len; e++)
    has_changed |= update_entry (self, g_ptr_array_index (self->entries, e));
  if (has_changed)
    collect (self);
}

void
ssapp_violation_list_set_runs (SsappViolationList *self, GPtrArray *runs)
{
  g_return_if_fail (SSAPP_IS_VIOLATION_LIST (self));
  g_ptr_array_set_size (self->entries, 0);
  for (guint i = 0; runs != NULL && i < runs->len; i++) {
    SsappRun *run = g_ptr_array_index (runs, i);
    if (ssapp_run_get_kind (run) != SS_METHOD_OPTIMISER || ssapp_run_get_scenario (run) == NULL)
      continue;
    Entry *entry = g_new0 (Entry, 1);
    entry->run = g_object_ref (run);
    entry->iterate = -2; /* nothing was looked at yet */
    g_ptr_array_add (self->entries, entry);
  }
  collect (self);
  ssapp_violation_list_update (self);
}

void
ssapp_violation_list_set_active (SsappViolationList *self, gboolean is_active)
{
  g_return_if_fail (SSAPP_IS_VIOLATION_LIST (self));
  self->is_active = is_active;
  if (is_active)
    ssapp_violation_list_update (self);
}

GArray *
ssapp_violation_list_get_rows (SsappViolationList *self)
{
  g_return_val_if_fail (SSAPP_IS_VIOLATION_LIST (self), NULL);
  return self->rows;
}

const char *
ssapp_violation_list_get_account (SsappViolationList *self)
{
  g_return_val_if_fail (SSAPP_IS_VIOLATION_LIST (self), NULL);
  return self->account;
}

gboolean
ssapp_violation_list_is_busy (SsappViolationList *self)
{
  g_return_val_if_fail (SSAPP_IS_VIOLATION_LIST (self), FALSE);
  for (guint e = 0; e < self->entries->len; e++)
    if (((const Entry *)g_ptr_array_index (self->entries, e))->cancellable != NULL)
      return TRUE;
  return FALSE;
}

SsappTable *
ssapp_violation_list_to_table (SsappViolationList *self)
{
  g_return_val_if_fail (SSAPP_IS_VIOLATION_LIST (self), NULL);
  g_autofree SsViolation *items = g_new (SsViolation, self->rows->len + 1);
  g_autofree const char **labels = g_new0 (const char *, self->rows->len + 1);

  for (guint i = 0; i < self->rows->len; i++) {
    const SsappViolationRow *row = &g_array_index (self->rows, SsappViolationRow, i);
    items[i] = *row->violation;
    labels[i] = ssapp_run_get_label (row->run);
  }
  const SsViolations all = {.n = (int)self->rows->len, .items = items};
  return ssapp_violations_to_table (&all, self->entries->len > 1 ? labels : NULL, _ ("Violations"));
}

/* ---- selecting --------------------------------------------------------------------------------------------------- */

/* Selects an entry where the document has it. */
static gboolean
select_entry (SsappDocument *document, const char *path)
{
  SsappItem *item = ssapp_document_get_item (document, path);

  if (item == NULL)
    return FALSE;
  ssapp_item_free (item);
  ssapp_document_select_item (document, path);
  return TRUE;
}

static gboolean
select_joint (SsappDocument *document, int joint)
{
  const SsScene *scene = ssapp_document_get_scenario (document)->scene;
  const gboolean is_law = scene->joints[joint].kind == SS_JOINT_FORMULA;
  int index = joint;
  g_autofree char *path = NULL;

  for (int i = 0; is_law && i < joint; i++) /* constraints follow the joints */
    index -= scene->joints[i].kind != SS_JOINT_FORMULA;
  path = g_strdup_printf (is_law ? "scene.constraints[%d]" : "scene.joints[%d]", index);
  return select_entry (document, path);
}

static gboolean
select_contact (SsappDocument *document, int contact)
{
  g_autofree char *path = ssapp_document_contact_path (document, contact);

  return select_entry (document, path);
}

gboolean
ssapp_violation_select (const SsViolation *v, SsappDocument *document)
{
  g_return_val_if_fail (v != NULL, FALSE);
  const SsScene *scene = ssapp_document_get_scenario (document)->scene;

  const int contact = ss_scene_find (scene, SS_OWNER_CONTACT, v->contact),
            joint = ss_scene_find (scene, SS_OWNER_JOINT, v->joint);

  if (contact >= 0)
    return select_contact (document, contact);
  if (joint >= 0)
    return select_joint (document, joint);
  if (ss_scene_find (scene, SS_OWNER_BODY, v->body) < 0)
    return FALSE;
  ssapp_document_select (document, v->body);
  return TRUE;
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssapp_violation_list_finalize (GObject *object)
{
  SsappViolationList *self = SSAPP_VIOLATION_LIST (object);

  g_ptr_array_unref (self->entries);
  g_array_unref (self->rows);
  g_free (self->account);
  G_OBJECT_CLASS (ssapp_violation_list_parent_class)->finalize (object);
}

static void
ssapp_violation_list_class_init (SsappViolationListClass *class)
{
  G_OBJECT_CLASS (class)->finalize = ssapp_violation_list_finalize;
  changed_signal =
      g_signal_new ("changed", SSAPP_TYPE_VIOLATION_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ssapp_violation_list_init (SsappViolationList *self)
{
  self->entries = g_ptr_array_new_with_free_func (entry_free);
  self->rows = g_array_new (FALSE, FALSE, sizeof (SsappViolationRow));
  self->account = g_strdup ("");
}

SsappViolationList *
ssapp_violation_list_new (void)
{
  return g_object_new (SSAPP_TYPE_VIOLATION_LIST, NULL);
}
