/* ui/pages/ssui-project-page.c: see the header. */
#include "ui/pages/ssui-project-page.h"

#include "ui/parts/ssui-exports.h"
#include "ui/parts/ssui-run-table.h"
#include "ui/parts/ssui-sketch-list.h"
#include "ui/parts/ssui-util.h"

struct _SsuiProjectPage {
  GtkWidget parent_instance;
  GtkWidget *stack, *search, *count, *open, *compare, *export, *delete, *found;
  GMenu *export_figures, *export_tables;
  SsuiRunTable *table;
  SsuiSketchList *sketches;
  SsappSession *session;
};

G_DEFINE_FINAL_TYPE (SsuiProjectPage, ssui_project_page, GTK_TYPE_WIDGET)

static guint message_signal;

static void
update_state (SsuiProjectPage *self)
{
  g_autofree char *ids = ssui_run_table_dup_chosen (self->table), *text = NULL;
  guint n = ssui_run_table_get_n_runs (self->table), shown = ssui_run_table_get_n_shown (self->table),
        n_checked = ssui_run_table_get_n_checked (self->table);

  if (n_checked > 0)
    text = g_strdup_printf ("%u of %u chosen", n_checked, n);
  else if (shown < n)
    text = g_strdup_printf ("%u of %u runs", shown, n);
  else
    text = g_strdup_printf (n == 1 ? "%u run" : "%u runs", n);
  gtk_label_set_text (GTK_LABEL (self->count), text);
  gtk_widget_set_sensitive (self->open, *ids != '\0');
  gtk_widget_set_sensitive (self->compare, n_checked > 1);
  gtk_widget_set_sensitive (self->export, *ids != '\0');
  gtk_widget_set_sensitive (self->delete, *ids != '\0');
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), n > 0 ? "runs" : "empty");
  gtk_stack_set_visible_child_name (GTK_STACK (self->found), shown > 0 ? "table" : "nothing");
}

static void
reload (SsuiProjectPage *self)
{
  g_autoptr (GError) error = NULL;

  if (!ssui_run_table_load (self->table, ssapp_session_get_store (self->session), &error))
    g_signal_emit (self, message_signal, 0, error->message);
  update_state (self);
}

static void
on_table_message (SsuiProjectPage *self, const char *message)
{
  g_signal_emit (self, message_signal, 0, message);
}

static void
on_store_changed (SsuiProjectPage *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    ssui_run_table_queue_load (self->table, ssapp_session_get_store (self->session));
}

static void
on_search (SsuiProjectPage *self)
{
  g_autoptr (GError) error = NULL;
  const gboolean is_read =
      ssui_run_table_set_filter (self->table, gtk_editable_get_text (GTK_EDITABLE (self->search)), &error);

  update_state (self);
  ssui_show_mistake (self->search, is_read ? NULL : error->message);
  if (!is_read)
    gtk_label_set_text (GTK_LABEL (self->count), error->message);
}

static void
on_run_activated (SsuiProjectPage *self, const char *id)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.open-run", "s", id);
}

static void
activate_with_ids (SsuiProjectPage *self, const char *action)
{
  g_autofree char *ids = ssui_run_table_dup_chosen (self->table);
  if (*ids != '\0')
    gtk_widget_activate_action (GTK_WIDGET (self), action, "s", ids);
}

static void
on_open (SsuiProjectPage *self)
{
  activate_with_ids (self, "win.open-run");
}

static void
on_compare (SsuiProjectPage *self)
{
  activate_with_ids (self, "win.compare");
}

static void
on_delete (SsuiProjectPage *self)
{
  activate_with_ids (self, "win.delete-runs");
}

static void
activate_export (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autofree char *ids = ssui_run_table_dup_chosen (SSUI_PROJECT_PAGE (widget)->table);

  (void)name;
  if (*ids != '\0')
    gtk_widget_activate_action (widget, "win.export-run", "(ss)", g_variant_get_string (parameter, NULL), ids);
}

/* A command of the window for the chosen runs. */
static void
activate_command (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autofree char *action = g_strdup_printf ("win.%s", g_variant_get_string (parameter, NULL));

  (void)name;
  activate_with_ids (SSUI_PROJECT_PAGE (widget), action);
}

static void
set_session (GtkWidget *widget, SsappSession *session)
{
  SsuiProjectPage *self = SSUI_PROJECT_PAGE (widget);

  self->session = g_object_ref (session);
  ssui_sketch_list_set_session (self->sketches, session);
  g_signal_connect_object (session, "store-changed", G_CALLBACK (on_store_changed), self, G_CONNECT_SWAPPED);
  update_state (self);
}

static void
ssui_project_page_map (GtkWidget *widget)
{
  reload (SSUI_PROJECT_PAGE (widget));
  GTK_WIDGET_CLASS (ssui_project_page_parent_class)->map (widget);
}

static void
ssui_project_page_dispose (GObject *object)
{
  SsuiProjectPage *self = SSUI_PROJECT_PAGE (object);

  gtk_widget_dispose_template (GTK_WIDGET (object), SSUI_TYPE_PROJECT_PAGE);
  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ssui_project_page_parent_class)->dispose (object);
}

static void
ssui_project_page_class_init (SsuiProjectPageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_project_page_dispose;
  widget_class->map = ssui_project_page_map;
  message_signal = g_signal_new ("message", SSUI_TYPE_PROJECT_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 1, G_TYPE_STRING);
  g_type_ensure (SSUI_TYPE_RUN_TABLE);
  g_type_ensure (SSUI_TYPE_SKETCH_LIST);
  gtk_widget_class_install_action (widget_class, "project.export", "s", activate_export);
  gtk_widget_class_install_action (widget_class, "project.command", "s", activate_command);
  gtk_widget_class_set_template_from_resource (widget_class, SSUI_RESOURCE_PATH "/ui/ssui-project-page.ui");
  gtk_widget_class_bind_template_child (widget_class, SsuiProjectPage, stack);
  gtk_widget_class_bind_template_child (widget_class, SsuiProjectPage, search);
  gtk_widget_class_bind_template_child (widget_class, SsuiProjectPage, count);
  gtk_widget_class_bind_template_child (widget_class, SsuiProjectPage, open);
  gtk_widget_class_bind_template_child (widget_class, SsuiProjectPage, compare);
  gtk_widget_class_bind_template_child (widget_class, SsuiProjectPage, export);
  gtk_widget_class_bind_template_child (widget_class, SsuiProjectPage, export_figures);
  gtk_widget_class_bind_template_child (widget_class, SsuiProjectPage, export_tables);
  gtk_widget_class_bind_template_child (widget_class, SsuiProjectPage, delete);
  gtk_widget_class_bind_template_child (widget_class, SsuiProjectPage, found);
  gtk_widget_class_bind_template_child (widget_class, SsuiProjectPage, table);
  gtk_widget_class_bind_template_child (widget_class, SsuiProjectPage, sketches);
}

static void
ssui_project_page_init (SsuiProjectPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  ssui_exports_fill (self->export_figures, self->export_tables, "project.export", FALSE);
  g_signal_connect_object (self->table, "checked-changed", G_CALLBACK (update_state), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "selection-changed", G_CALLBACK (update_state), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "message", G_CALLBACK (on_table_message), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "shown-changed", G_CALLBACK (update_state), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "run-activated", G_CALLBACK (on_run_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "search-changed", G_CALLBACK (on_search), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->open, "clicked", G_CALLBACK (on_open), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->compare, "clicked", G_CALLBACK (on_compare), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->delete, "clicked", G_CALLBACK (on_delete), self, G_CONNECT_SWAPPED);
}

static SsuiPageParts
get_parts (GtkWidget *widget)
{
  SsuiProjectPage *self = SSUI_PROJECT_PAGE (widget);

  return (SsuiPageParts){.table = self->table, .search = self->search};
}

const SsuiPage ssui_project_page = {.name = "project",
                                    .title = "Project",
                                    .icon = "folder-symbolic",
                                    .next = "new_sketch",
                                    .get_type = ssui_project_page_get_type,
                                    .set_session = set_session,
                                    .get_parts = get_parts};
