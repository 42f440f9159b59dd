/* ui/window/ssui-window.c: the window's parts and state: titles, what is enabled, status for scripts. */
#include "ui/window/ssui-window-private.h"

#include "ui/parts/ssui-exports.h"
#include "ui/parts/ssui-util.h"
#include "ui/window/ssui-commands.h"

#include <glib/gi18n.h>
#include <string.h>

#define NARROW_PX 1080 /* in a window less wide the Run and Compare pages put their parts below each other */

G_DEFINE_FINAL_TYPE (SsuiWindow, ssui_window, ADW_TYPE_APPLICATION_WINDOW)

enum { PROP_STATUS = 1 };

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static void
on_message (SsuiWindow *self, const char *text)
{
  ssui_window_fail (self, "", text);
}

/* ---- state ------------------------------------------------------------------------------------------------------- */

/* A tooltip that is set is laid out anew, even the one it was. */
static void
set_tip (GtkWidget *widget, const char *text)
{
  if (g_strcmp0 (gtk_widget_get_tooltip_text (widget), text) != 0)
    gtk_widget_set_tooltip_text (widget, text);
}

static void
update_titles (SsuiWindow *self)
{
  SsappDocument *document = ssui_window_get_document (self);
  gboolean is_start = ssui_window_get_page (self)->is_start, is_dirty = ssapp_document_is_dirty (document);
  g_autofree char *project = ssapp_session_dup_project_name (self->session), *title = NULL, *window_title = NULL,
                  *tip = NULL;

  title = g_strdup_printf ("%s%s", is_dirty ? "• " : "", ssapp_document_get_title (document));
  window_title = is_start ? g_strdup ("Stickslip") : g_strdup_printf (_ ("%s – %s – Stickslip"), title, project);
  gtk_window_set_title (GTK_WINDOW (self), window_title);
  gtk_label_set_text (self->place_name, title);
  gtk_label_set_text (self->place_project, project);
  tip = g_strdup_printf ("%s\n%s", title, project);
  set_tip (self->place, tip);
}

static void
update_buttons (SsuiWindow *self)
{
  const gboolean is_start = ssui_window_get_page (self)->is_start;
  gboolean is_running = ssapp_session_is_running (self->session);
  const char *undo = ssui_window_get_undo_label (self, FALSE), *redo = ssui_window_get_undo_label (self, TRUE);
  g_autofree char *undo_tip = g_strdup_printf (undo != NULL ? _ ("Undo: %s (Ctrl+Z)") : _ ("Undo (Ctrl+Z)"), undo);
  g_autofree char *redo_tip =
      g_strdup_printf (redo != NULL ? _ ("Redo: %s (Shift+Ctrl+Z)") : _ ("Redo (Shift+Ctrl+Z)"), redo);

  if (is_start == gtk_widget_get_visible (self->slot)) /* the start page came or went */
    ssui_window_update_header (self);
  ssui_window_update_slot (self);
  ssui_window_update_study (self);
  set_tip (self->undo, undo_tip);
  set_tip (self->redo, redo_tip);
  const gboolean is_paused = ssapp_session_is_paused (self->session);
  set_tip (self->run, is_paused    ? _ ("Go on from the paused iterates, with the sketch as it is (Shift+Ctrl+.)")
                      : is_running ? _ ("Stop all runs (Ctrl+.)")
                                   : _ ("By the chosen methods (F5)"));
  if (is_running && !is_paused) {
    gtk_widget_add_css_class (self->run, "soft-destructive");
    gtk_widget_remove_css_class (self->run, "suggested-action");
  } else {
    gtk_widget_remove_css_class (self->run, "soft-destructive");
    gtk_widget_add_css_class (self->run, "suggested-action");
  }
}

static void
on_state_changed (SsuiWindow *self)
{
  update_titles (self);
  update_buttons (self);
  ssui_window_update_actions (self);
}

/* For scripts and tests: what is, at the moment of the question. */
static char *
dup_status (SsuiWindow *self)
{
  SsuiClock *clock = ssui_window_get_clock (self);
  SsappSessionPlace place = {.page = ssui_window_get_page (self)->name};

  /* Who knows the status may count on what it enables. Not at the first question, which is that of the bus while it
   * tells of the action: it goes through what has changed, and nothing may change then. */
  if (self->state_idle != 0 && self->is_announced)
    ssui_window_update_state (self);
  self->is_announced = TRUE;
  if (clock != NULL) {
    place.time = ssui_clock_get_time (clock);
    place.duration = ssui_clock_get_duration (clock);
    place.is_playing = ssui_clock_is_playing (clock);
  }
  for (int i = 0; ssui_pages[i] != NULL; i++)
    if (ssui_window_find_widget (self, ssui_pages[i]) != NULL) {
      place.n_pages++;
      if (ssui_pages[i]->describe != NULL)
        ssui_pages[i]->describe (ssui_window_find_widget (self, ssui_pages[i]), &place);
    }
  place.n_exports = self->n_exports;
  place.told = self->told;
  ssui_window_notice (self, &place);
  return ssapp_session_dup_status (self->session, &place);
}

static gboolean
on_state_rested (gpointer data)
{
  SsuiWindow *self = data;

  self->state_rest = 0;
  if (self->state_waits)
    ssui_window_queue_state (self);
  self->state_waits = FALSE;
  return G_SOURCE_REMOVE;
}

/* Samples of an impact come every frame: the first change is told at once, then a few times a second, the last one
 * always. */
static void
on_impact_changed (SsuiWindow *self)
{
  enum { REST_MS = 80 };

  if (self->state_rest != 0) {
    self->state_waits = TRUE;
    return;
  }
  ssui_window_queue_state (self);
  self->state_rest = g_timeout_add (REST_MS, on_state_rested, self);
}

static void
on_run_ended (SsuiWindow *self, SsappRun *run)
{
  GApplication *application = G_APPLICATION (gtk_window_get_application (GTK_WINDOW (self)));

  ssui_window_queue_state (self);
  ssui_window_close_if_ended (self);
  if (gtk_window_is_active (GTK_WINDOW (self)) || application == NULL)
    return;
  if (!ssapp_session_is_running (self->session)) {
    g_autofree char *title =
        g_strdup_printf ("%s: %s", ssapp_run_get_label (run), ssui_outcome_label (ssapp_run_get_outcome (run)));
    g_autoptr (GNotification) notification = g_notification_new (title);
    g_notification_set_body (notification, ssapp_run_get_message (run));
    g_application_send_notification (application, "run-ended", notification);
  }
}

static void
on_write_failed (SsuiWindow *self, const char *message)
{
  ssui_window_fail (self, _ ("The project could not be written"), message);
}

static void
on_picture_lost (SsuiWindow *self)
{
  ssui_window_fail (self, _ ("The picture under the sketch is lost"),
                    _ ("it is missing in the project, or not as it was stored"));
}

static void
on_kept (SsuiWindow *self)
{
  ssui_window_toast (self, _ ("The changes of the sketch are in the project now"));
}

static void
on_go_on_failed (SsuiWindow *self, const char *message)
{
  ssui_window_fail (self, _ ("Not gone on"), message);
}

static void
on_store_lost (SsuiWindow *self, const char *message)
{
  ssui_window_ask_elsewhere (self, message, FALSE);
}

/* Whoever comes back from a file manager is told at once. */
static void
on_active_changed (SsuiWindow *self)
{
  if (gtk_window_is_active (GTK_WINDOW (self)) && self->lost_dialog == NULL)
    (void)ssapp_session_check_kept (self->session, NULL);
}

gboolean
ssui_window_is_pristine (SsuiWindow *self)
{
  return ssui_window_get_page (self)->is_start && ssapp_session_get_store (self->session) == NULL &&
         !ssapp_document_is_dirty (ssui_window_get_document (self));
}

/* ---- files dropped on the window --------------------------------------------------------------------------------- */

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, SsuiWindow *self)
{
  GSList *files = g_value_get_boxed (value);
  g_autofree char *path = files != NULL ? g_file_get_path (files->data) : NULL;

  (void)target;
  (void)x;
  (void)y;
  if (path == NULL)
    return FALSE;
  if (!ssui_window_take_picture (self, path))
    ssui_window_open_path (self, path);
  return TRUE;
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static gboolean
ssui_window_handle_close (GtkWindow *window)
{
  SsuiWindow *self = SSUI_WINDOW (window);

  if (ssui_window_close_request (self))
    return GDK_EVENT_STOP;
  if (self->settings != NULL) {
    int width, height;
    gtk_window_get_default_size (window, &width, &height);
    ssui_settings_keep (self->settings, "window-width", g_variant_new_int32 (width));
    ssui_settings_keep (self->settings, "window-height", g_variant_new_int32 (height));
    ssui_settings_keep (self->settings, "window-maximized", g_variant_new_boolean (gtk_window_is_maximized (window)));
  }
  return GTK_WINDOW_CLASS (ssui_window_parent_class)->close_request (window);
}

static gboolean
on_narrow_idle (gpointer data)
{
  SsuiWindow *self = data;

  self->narrow_idle = 0;
  ssui_window_update_header (self);
  if (self->is_narrow == self->was_narrow)
    return G_SOURCE_REMOVE;
  self->was_narrow = self->is_narrow;
  for (int i = 0; ssui_pages[i] != NULL; i++)
    if (ssui_pages[i]->set_narrow != NULL && ssui_window_find_widget (self, ssui_pages[i]) != NULL)
      ssui_pages[i]->set_narrow (ssui_window_find_widget (self, ssui_pages[i]), self->is_narrow);
  return G_SOURCE_REMOVE;
}

/* Nothing may change its size during an allocation: the pages are told right after it, before the frame is drawn. */
static void
ssui_window_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  SsuiWindow *self = SSUI_WINDOW (widget);
  gboolean is_narrow = width < NARROW_PX;

  GTK_WIDGET_CLASS (ssui_window_parent_class)->size_allocate (widget, width, height, baseline);
  if (width == self->header_width)
    return;
  self->header_width = width;
  self->is_narrow = is_narrow;
  if (self->narrow_idle == 0)
    self->narrow_idle = g_idle_add_full (G_PRIORITY_HIGH_IDLE, on_narrow_idle, self, NULL);
}

static void
ssui_window_dispose (GObject *object)
{
  SsuiWindow *self = SSUI_WINDOW (object);

  if (self->state_idle != 0)
    g_source_remove (self->state_idle);
  if (self->state_late != 0)
    g_source_remove (self->state_late);
  self->state_idle = self->state_late = 0;
  if (self->state_rest != 0)
    g_source_remove (self->state_rest);
  self->state_rest = 0;
  ssui_window_forget_focus (self);
  g_clear_weak_pointer (&self->lost_dialog);
  if (self->narrow_idle != 0) {
    g_source_remove (self->narrow_idle);
    self->narrow_idle = 0;
  }
  if (self->session != NULL) {
    g_signal_handlers_disconnect_by_data (self->session, self);
    g_signal_handlers_disconnect_by_data (ssapp_session_get_sketches (self->session), self);
    g_signal_handlers_disconnect_by_data (ssapp_session_get_study (self->session), self);
  }
  g_cancellable_cancel (self->film);
  g_clear_object (&self->film);
  g_cancellable_cancel (self->time_search);
  g_clear_object (&self->time_search);
  g_clear_object (&self->film_toast);
  g_clear_object (&self->chooser);
  g_clear_pointer (&self->answer, g_free);
  g_clear_pointer (&self->told, g_free);
  gtk_widget_dispose_template (GTK_WIDGET (object), SSUI_TYPE_WINDOW);
  /* Closing the store here leaves one complete file even if somebody else still holds the session. */
  if (self->session != NULL)
    ssapp_session_close_store (self->session);
  g_clear_object (&self->session);
  g_clear_object (&self->settings);
  g_clear_pointer (&self->impact_keepings, g_ptr_array_unref);
  G_OBJECT_CLASS (ssui_window_parent_class)->dispose (object);
}

static void
ssui_window_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  SsuiWindow *self = SSUI_WINDOW (object);

  if (id == PROP_STATUS)
    g_value_take_string (value, self->session != NULL ? dup_status (self) : g_strdup ("{}"));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

/* Whoever sets the state of the action sets nothing. */
static void
ssui_window_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  (void)value;
  if (id != PROP_STATUS)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

/* The action of the status holds the window: it is there while the window can be seen. */
static void
ssui_window_realize (GtkWidget *widget)
{
  g_autoptr (GPropertyAction) status = g_property_action_new ("status", widget, "status");

  SSUI_WINDOW (widget)->is_announced = FALSE;
  GTK_WIDGET_CLASS (ssui_window_parent_class)->realize (widget);
  g_action_map_add_action (G_ACTION_MAP (widget), G_ACTION (status));
}

static void
ssui_window_unrealize (GtkWidget *widget)
{
  g_action_map_remove_action (G_ACTION_MAP (widget), "status");
  GTK_WIDGET_CLASS (ssui_window_parent_class)->unrealize (widget);
}

static void
ssui_window_class_init (SsuiWindowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_window_dispose;
  G_OBJECT_CLASS (class)->get_property = ssui_window_get_property;
  G_OBJECT_CLASS (class)->set_property = ssui_window_set_property;
  g_object_class_install_property (
      G_OBJECT_CLASS (class), PROP_STATUS,
      g_param_spec_string ("status", NULL, NULL, NULL, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  GTK_WINDOW_CLASS (class)->close_request = ssui_window_handle_close;
  widget_class->size_allocate = ssui_window_size_allocate;
  widget_class->realize = ssui_window_realize;
  widget_class->unrealize = ssui_window_unrealize;
  g_signal_new ("state-changed", SSUI_TYPE_WINDOW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new ("page-made", SSUI_TYPE_WINDOW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  g_type_ensure (SSUI_TYPE_GUIDE_BAR);
  g_type_ensure (SSUI_TYPE_PAGE_TABS);
  gtk_widget_class_set_template_from_resource (widget_class, SSUI_RESOURCE_PATH "/ui/ssui-window.ui");
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, mode);
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, pages);
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, tabs);
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, switcher_bar);
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, guide_bar);
  gtk_widget_class_bind_template_child_full (widget_class, "primary-menu", FALSE,
                                             G_STRUCT_OFFSET (SsuiWindow, primary_menu));
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, recent_menu);
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, tutorials);
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, place);
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, open);
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, edit_buttons);
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, undo);
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, redo);
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, history);
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, run);
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, run_content);
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, study_go);
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, study_go_content);
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, act);
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, act_content);
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, slot);
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, start_title);
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, place_name);
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, place_project);
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, edit_menu);
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, export);
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, exports);
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, export_figures);
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, export_tables);
  gtk_widget_class_bind_template_child (widget_class, SsuiWindow, menu);
}

/* The installed schema, else that of the build tree in which the program stands; NULL: nothing is remembered. */
static GSettingsSchema *
find_schema (void)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  GSettingsSchema *schema = source != NULL ? g_settings_schema_source_lookup (source, SSUI_APP_ID, TRUE) : NULL;
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = program != NULL ? g_path_get_dirname (program) : NULL;
  g_autofree char *data = folder != NULL ? g_build_filename (folder, "..", "data", NULL) : NULL;

  if (schema != NULL || data == NULL)
    return schema;
  source = g_settings_schema_source_new_from_directory (data, source, TRUE, NULL);
  if (source == NULL)
    return NULL;
  schema = g_settings_schema_source_lookup (source, SSUI_APP_ID, FALSE);
  g_settings_schema_source_unref (source);
  return schema;
}

static GSettings *
find_settings (void)
{
  g_autoptr (GSettingsSchema) schema = find_schema ();

  return schema != NULL ? g_settings_new_full (schema, NULL, NULL) : NULL;
}

static void
on_page_made (SsuiWindow *self, const SsuiPage *page)
{
  GtkWidget *widget = ssui_window_find_widget (self, page);
  SsuiPlayer *player = ssui_window_find_parts (self, page).player;

  if (page->set_session != NULL)
    page->set_session (widget, self->session);
  if (g_signal_lookup ("message", page->get_type ()) != 0)
    g_signal_connect_object (widget, "message", G_CALLBACK (on_message), self, G_CONNECT_SWAPPED);
  ssui_window_add_page_actions (self, page);
  if (self->settings != NULL && ssui_window_find_parts (self, page).live_plots != NULL)
    g_settings_bind (self->settings, "show-live-plots", ssui_window_find_parts (self, page).live_plots, "shown",
                     G_SETTINGS_BIND_DEFAULT);
  if (page->set_narrow != NULL && self->was_narrow)
    page->set_narrow (widget, TRUE);
  if (player == NULL)
    return;
  g_signal_connect_object (ssui_player_get_clock (player), "tick", G_CALLBACK (ssui_window_queue_state), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (ssui_player_get_clock (player), "changed", G_CALLBACK (ssui_window_queue_state), self,
                           G_CONNECT_SWAPPED);
}

static void
bind_session (SsuiWindow *self)
{
  SsappDocument *document = ssui_window_get_document (self);

  g_signal_connect_object (document, "changed", G_CALLBACK (ssui_window_queue_state), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "selection-changed", G_CALLBACK (ssui_window_queue_state), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "runs-changed", G_CALLBACK (ssui_window_queue_state), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "run-changed", G_CALLBACK (ssui_window_queue_state), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ssapp_session_get_live (self->session), "changed", G_CALLBACK (ssui_window_queue_state),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "run-ended", G_CALLBACK (on_run_ended), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "methods-changed", G_CALLBACK (ssui_window_queue_state), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "store-changed", G_CALLBACK (ssui_window_queue_state), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "go-on-failed", G_CALLBACK (on_go_on_failed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "write-failed", G_CALLBACK (on_write_failed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ssapp_session_get_sketches (self->session), "kept", G_CALLBACK (on_kept), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (ssapp_session_get_sketches (self->session), "picture-lost", G_CALLBACK (on_picture_lost),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "store-lost", G_CALLBACK (on_store_lost), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self, "notify::is-active", G_CALLBACK (on_active_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ssapp_session_get_impact (self->session), "changed", G_CALLBACK (on_impact_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (ssapp_session_get_impact (self->session), "chosen", G_CALLBACK (ssui_window_queue_state),
                           self, G_CONNECT_SWAPPED);
}

static void
ssui_window_init (SsuiWindow *self)
{
  GtkDropTarget *drop;

  gtk_widget_init_template (GTK_WIDGET (self));
  ssui_window_add_pages (self);
  ssui_exports_fill (self->exports, self->exports, "win.export-dialog", FALSE);
  ssui_exports_fill (self->export_figures, self->export_tables, "win.export-dialog", FALSE);
  self->session = ssapp_session_new ();
  ssapp_session_keep_always (self->session);
  self->settings = find_settings ();
  ssui_window_add_actions (self);
  ssui_commands_add_list (GTK_APPLICATION_WINDOW (self));
  ssui_commands_name (self->primary_menu);
  bind_session (self);
  if (self->settings != NULL) {
    gtk_window_set_default_size (GTK_WINDOW (self), g_settings_get_int (self->settings, "window-width"),
                                 g_settings_get_int (self->settings, "window-height"));
    if (g_settings_get_boolean (self->settings, "window-maximized"))
      gtk_window_maximize (GTK_WINDOW (self));
  }
  g_signal_connect_object (self->pages, "notify::visible-child", G_CALLBACK (ssui_window_queue_state), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect (self, "state-changed", G_CALLBACK (on_state_changed), NULL);
  g_signal_connect (self, "page-made", G_CALLBACK (on_page_made), NULL);
  ssui_window_init_header (self);
  drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  g_signal_connect (drop, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drop));
  ssui_window_keep_focus (self);
  ssui_window_update_state (self);
}

GtkWidget *
ssui_window_new (GtkApplication *application)
{
  return g_object_new (SSUI_TYPE_WINDOW, "application", application, NULL);
}
