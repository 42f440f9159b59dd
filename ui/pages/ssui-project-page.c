/* ui/pages/ssui-project-page.c: see the header. */
#include "ui/pages/ssui-project-page.h"

#include "ui/parts/ssui-exports.h"
#include "ui/parts/ssui-run-table.h"
#include "ui/parts/ssui-sketch-list.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <string.h>

struct _SsuiProjectPage {
  GtkWidget parent_instance;
  GtkWidget *stack, *search, *study, *count, *open, *compare, *export, *delete, *found;
  GMenu *export_figures, *export_tables;
  SsuiRunTable *table;
  SsuiSketchList *sketches;
  SsappSession *session;
  gboolean is_listing; /* studies are being listed: nobody chooses one */
};

G_DEFINE_FINAL_TYPE (SsuiProjectPage, ssui_project_page, GTK_TYPE_WIDGET)

static guint message_signal;
static void on_study (SsuiProjectPage *self);

static void
update_state (SsuiProjectPage *self)
{
  g_autofree char *ids = ssui_run_table_dup_chosen (self->table), *text = NULL;
  guint n = ssui_run_table_get_n_runs (self->table), shown = ssui_run_table_get_n_shown (self->table),
        n_checked = ssui_run_table_get_n_checked (self->table);

  if (n_checked > 0)
    text = g_strdup_printf (_ ("%u of %u chosen"), n_checked, n);
  else if (shown < n)
    text = g_strdup_printf (ngettext ("%u of %u run", "%u of %u runs", n), shown, n);
  else
    text = g_strdup_printf (ngettext ("%u run", "%u runs", n), n);
  gtk_label_set_text (GTK_LABEL (self->count), text);
  gtk_widget_set_sensitive (self->open, *ids != '\0');
  gtk_widget_set_sensitive (self->compare, strchr (ids, ',') != NULL); /* two of them */
  gtk_widget_set_sensitive (self->export, *ids != '\0');
  gtk_widget_set_sensitive (self->delete, *ids != '\0');
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), n > 0 ? "runs" : "empty");
  gtk_stack_set_visible_child_name (GTK_STACK (self->found), shown > 0 ? "table" : "nothing");
}

/* The study whose runs alone are shown; NULL: all are. Borrowed. */
static const char *
get_study (SsuiProjectPage *self)
{
  GtkStringObject *item = gtk_drop_down_get_selected_item (GTK_DROP_DOWN (self->study));

  return item != NULL && gtk_drop_down_get_selected (GTK_DROP_DOWN (self->study)) > 0
             ? gtk_string_object_get_string (item)
             : NULL;
}

/* What the table shows: of the study that is chosen, what is searched. */
static gboolean
apply_filter (SsuiProjectPage *self, GError **error)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->search)), *study = get_study (self);
  g_autofree char *plain = study != NULL ? g_strdelimit (g_strdup (study), "\"", ' ') : NULL,
                  *filter = study != NULL ? g_strdup_printf ("study:\"%s\" %s", plain, text) : g_strdup (text);

  ssui_run_table_set_differing (self->table, study != NULL);
  ssui_run_table_set_grouped (self->table, study == NULL);
  return ssui_run_table_set_filter (self->table, filter, error);
}

/* "All runs", then titles of studies, newest first; what was chosen stays so. */
static void
show_studies (SsuiProjectPage *self)
{
  SsappStore *store = ssapp_session_get_store (self->session);
  g_autoptr (GPtrArray) rows = store != NULL ? ssapp_store_list_studies (store, NULL) : NULL;
  g_autoptr (GPtrArray) titles = g_ptr_array_new ();
  g_autofree char *chosen = g_strdup (get_study (self));
  guint selected = 0;

  g_ptr_array_add (titles, (gpointer)_ ("All Runs"));
  for (guint i = 0; rows != NULL && i < rows->len; i++) {
    const SsappStudyRow *row = g_ptr_array_index (rows, i);
    if (row->n_runs == 0 || row->is_damaged)
      continue;
    if (g_strcmp0 (row->title, chosen) == 0)
      selected = titles->len;
    g_ptr_array_add (titles, row->title);
  }
  gtk_widget_set_visible (self->study, titles->len > 1);
  g_ptr_array_add (titles, NULL);
  self->is_listing = TRUE;
  g_autoptr (GtkStringList) list = gtk_string_list_new ((const char *const *)titles->pdata);
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->study), G_LIST_MODEL (list));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->study), selected);
  self->is_listing = FALSE;
  if (g_strcmp0 (chosen, get_study (self)) != 0) /* the one that was chosen is gone */
    on_study (self);
}

static void
reload (SsuiProjectPage *self)
{
  g_autoptr (GError) error = NULL;

  if (!ssui_run_table_load (self->table, ssapp_session_get_store (self->session), &error))
    g_signal_emit (self, message_signal, 0, error->message);
  show_studies (self);
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
  const gboolean is_read = apply_filter (self, &error);

  update_state (self);
  ssui_show_mistake (self->search, is_read ? NULL : error->message);
  if (!is_read)
    gtk_label_set_text (GTK_LABEL (self->count), error->message);
}

static void
on_study (SsuiProjectPage *self)
{
  if (!self->is_listing)
    on_search (self);
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
  gtk_widget_class_bind_template_child (widget_class, SsuiProjectPage, study);
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
  ssui_run_table_set_grouped (self->table, TRUE);
  ssui_exports_fill (self->export_figures, self->export_tables, "project.export", FALSE);
  g_signal_connect_object (self->table, "checked-changed", G_CALLBACK (update_state), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "selection-changed", G_CALLBACK (update_state), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "message", G_CALLBACK (on_table_message), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "shown-changed", G_CALLBACK (update_state), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "run-activated", G_CALLBACK (on_run_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "search-changed", G_CALLBACK (on_search), self, G_CONNECT_SWAPPED);
  ssui_label_drop_down (self->study, _ ("Runs of which study"));
  g_signal_connect_object (self->study, "notify::selected", G_CALLBACK (on_study), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->open, "clicked", G_CALLBACK (on_open), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->compare, "clicked", G_CALLBACK (on_compare), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->delete, "clicked", G_CALLBACK (on_delete), self, G_CONNECT_SWAPPED);
}

static void
set_narrow (GtkWidget *widget, gboolean is_narrow)
{
  ssui_run_table_set_compact (SSUI_PROJECT_PAGE (widget)->table, is_narrow);
}

static SsuiPageParts
get_parts (GtkWidget *widget)
{
  SsuiProjectPage *self = SSUI_PROJECT_PAGE (widget);

  return (SsuiPageParts){.table = self->table, .search = self->search};
}

const SsuiPage ssui_project_page = {.name = "project",
                                    .title = N_ ("Project"),
                                    .icon = "folder-symbolic",
                                    .next = "new_sketch",
                                    .get_type = ssui_project_page_get_type,
                                    .set_session = set_session,
                                    .set_narrow = set_narrow,
                                    .get_parts = get_parts};
