/* ui/window/ssui-window-log.c: commands for races on the Run page: one more of a method, the log with iterations,
 * solvers' text and violations, and what goes on after a failure. */
#include "ui/window/ssui-window-private.h"

#include "app/job/ssapp-ways.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

ACTION (on_log_view)
{
  SsuiWindow *self = data;

  (void)action;
  if (!ssui_log_table_show (ssui_run_page_get_log (RUN_PAGE (self)), g_variant_get_string (parameter, NULL)))
    ssui_window_fail (self, "", _ ("The log shows iterations, text or violations"));
}

ACTION (on_log_filter)
{
  SsuiWindow *self = data;
  const char *text, *method;

  (void)action;
  g_variant_get (parameter, "(&s&s)", &text, &method);
  if (!ssui_log_table_filter (ssui_run_page_get_log (RUN_PAGE (self)), text, method)) {
    g_autofree char *why = g_strdup_printf (_ ("No run on show is called “%s”"), method);
    ssui_window_fail (self, "", why);
  }
}

ACTION (on_copy_log)
{
  UNUSED_ACTION;
  ssui_log_table_copy (ssui_run_page_get_log (RUN_PAGE (data)));
}

ACTION (on_go_to_violation)
{
  SsuiWindow *self = data;

  (void)action;
  if (!ssui_run_page_go_to_violation (RUN_PAGE (self), g_variant_get_int32 (parameter)))
    ssui_window_fail (self, "", _ ("The list of violations has no such row"));
}

ACTION (on_one_more)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  const SsMethod *method = ssapp_session_find_method (self->session, g_variant_get_string (parameter, NULL), &error);

  (void)action;
  if (method == NULL || ssapp_session_add_entrant (self->session, method, &error) == NULL)
    ssui_window_fail (self, _ ("Not added"), error->message);
}

/* ---- after a failure --------------------------------------------------------------------------------------------- */

/* The run on show of that id; NULL after telling that there is none. */
static SsappRun *
find_run (SsuiWindow *self, const char *id)
{
  GPtrArray *runs = ssapp_session_get_runs (self->session);

  for (guint i = 0; i < runs->len; i++)
    if (g_strcmp0 (ssapp_run_get_id (g_ptr_array_index (runs, i)), id) == 0)
      return g_ptr_array_index (runs, i);
  ssui_window_fail (self, "", _ ("That run is not on show"));
  return NULL;
}

/* Whether the sketch is still that of the run, so that places in the file mean the same. */
static gboolean
is_same_sketch (SsuiWindow *self, SsappRun *run)
{
  return ssapp_document_has_parts_of (ssui_window_get_document (self), ssapp_run_get_scenario (run));
}

ACTION (on_apply_way)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  const char *id;
  int index;

  (void)action;
  g_variant_get (parameter, "(&si)", &id, &index);
  SsappRun *run = find_run (self, id);
  if (run == NULL)
    return;
  g_autoptr (GPtrArray) ways = ssapp_ways_from_json (ssapp_run_get_result (run));
  if (index < 0 || (guint)index >= ways->len || !is_same_sketch (self, run)) {
    ssui_window_fail (self, _ ("Not applied"), _ ("The sketch on show is not the one that was solved"));
    return;
  }
  const SsWayOn *way = g_ptr_array_index (ways, (guint)index);
  g_autofree char *label = g_strdup_printf (_ ("Apply %s"), ss_way_kind_find (way->kind)->label),
                  *told = g_strdup_printf (_ ("Now with %s"), way->words);
  if (!ssapp_document_apply_edits (ssui_window_get_document (self), way->edits, way->n_edits, label, &error)) {
    ssui_window_fail (self, _ ("Not applied"), error->message);
    return;
  }
  ssui_window_show_page (self, "sketch");
  ssui_window_toast (self, told);
}

ACTION (on_play_by_hand)
{
  SsuiWindow *self = data;
  SsappRun *run = find_run (self, g_variant_get_string (parameter, NULL));
  g_autoptr (GError) error = NULL;

  (void)action;
  if (run == NULL)
    return;
  if (!is_same_sketch (self, run)) {
    ssui_window_fail (self, _ ("Not opened"), _ ("The sketch on show is not the one that was solved"));
    return;
  }
  ssui_window_show_page (self, "sketch");
  g_action_group_change_action_state (G_ACTION_GROUP (self), "sandbox", g_variant_new_boolean (TRUE));
  SsappSandbox *live = ssui_sandbox_get_live (ssui_sketch_page_get_sandbox (SKETCH_PAGE (self)));
  if (live == NULL || !ssapp_run_has_motion (run)) /* why not was told */
    return;
  if (!ssapp_sandbox_hold_plan (live, ssapp_run_get_motion (run), &error))
    ssui_window_toast (self, error->message);
  else
    ssui_window_toast (self, _ ("The best motion found plays: drag what it drives to the goal, then Improve"));
}

static const SsuiCommand commands[] = {
    {.name = "apply-way", .activate = on_apply_way, .parameter_type = "(si)" /* id, number of the way on */},
    {.name = "play-by-hand", .activate = on_play_by_hand, .parameter_type = "s" /* id */},
    {.name = "one-more", .activate = on_one_more, .parameter_type = "s" /* method, with its options */},
    {.name = "log-view", .activate = on_log_view, .parameter_type = "s" /* iterations|text|violations */},
    {.name = "log-filter", .activate = on_log_filter, .parameter_type = "(ss)" /* words, method's name or "" */},
    {.name = "copy-log", .activate = on_copy_log},
    {.name = "go-to-violation", .activate = on_go_to_violation, .parameter_type = "i" /* row of the list, from 0 */},
};

const SsuiSubject ssui_log_commands = {commands, G_N_ELEMENTS (commands), NULL, NULL};
