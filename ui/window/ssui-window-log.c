/* ui/window/ssui-window-log.c: commands for races on the Run page: one more of a method, and the log with iterations,
 * solvers' text and violations. See the list in ssui-window-actions.c. */
#include "ui/window/ssui-window-private.h"

#include "ui/parts/ssui-util.h"

ACTION (on_log_view)
{
  SsuiWindow *self = data;

  (void)action;
  if (!ssui_log_table_show (ssui_run_page_get_log (self->run_page), g_variant_get_string (parameter, NULL)))
    ssui_window_fail (self, "", "The log shows iterations, text or violations");
}

ACTION (on_log_filter)
{
  SsuiWindow *self = data;
  const char *text, *method;

  (void)action;
  g_variant_get (parameter, "(&s&s)", &text, &method);
  if (!ssui_log_table_filter (ssui_run_page_get_log (self->run_page), text, method)) {
    g_autofree char *why = g_strdup_printf ("No run on show is called “%s”", method);
    ssui_window_fail (self, "", why);
  }
}

ACTION (on_copy_log)
{
  UNUSED_ACTION;
  ssui_log_table_copy (ssui_run_page_get_log (((SsuiWindow *)data)->run_page));
}

ACTION (on_go_to_violation)
{
  SsuiWindow *self = data;

  (void)action;
  if (!ssui_run_page_go_to_violation (self->run_page, g_variant_get_int32 (parameter)))
    ssui_window_fail (self, "", "The list of violations has no such row");
}

ACTION (on_one_more)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  const SsMethod *method = ssapp_session_find_method (self->session, g_variant_get_string (parameter, NULL), &error);

  (void)action;
  if (method == NULL || ssapp_session_add_entrant (self->session, method, &error) == NULL)
    ssui_window_fail (self, "Not added", error->message);
}

static const GActionEntry entries[] = {
    {.name = "one-more", .activate = on_one_more, .parameter_type = "s"},
    {.name = "log-view", .activate = on_log_view, .parameter_type = "s"},
    {.name = "log-filter", .activate = on_log_filter, .parameter_type = "(ss)"},
    {.name = "copy-log", .activate = on_copy_log},
    {.name = "go-to-violation", .activate = on_go_to_violation, .parameter_type = "i"},
};

void
ssui_window_add_log_actions (SsuiWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
