/* ui/window/ssui-versions-window.c: see the header. */
#include "ui/window/ssui-versions-window.h"

#include "app/session/ssapp-sketch-picture.h"
#include "ui/parts/ssui-util.h"
#include "ui/window/ssui-window-private.h"

#include <glib/gi18n.h>

enum { WIDTH = 460, HEIGHT = 520, PICTURE_WIDTH = 120, PICTURE_HEIGHT = 68 };

struct _SsuiVersionsWindow {
  AdwWindow parent_instance;
  GtkWidget *list;
  GPtrArray *versions; /* of SsappSketchVersion, as the rows */
  guint n_drawn;       /* rows that have their pictures */
  guint source;
};

#define SSUI_TYPE_VERSIONS_WINDOW (ssui_versions_window_get_type ())
G_DECLARE_FINAL_TYPE (SsuiVersionsWindow, ssui_versions_window, SSUI, VERSIONS_WINDOW, AdwWindow)
G_DEFINE_FINAL_TYPE (SsuiVersionsWindow, ssui_versions_window, ADW_TYPE_WINDOW)

/* One at a time, so that hundreds keep nobody waiting. */
static gboolean
on_next_picture (gpointer data)
{
  SsuiVersionsWindow *self = data;
  const SsappSketchVersion *version =
      self->n_drawn < self->versions->len ? g_ptr_array_index (self->versions, self->n_drawn) : NULL;
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  SsappStyle style;

  if (version == NULL) {
    self->source = 0;
    return G_SOURCE_REMOVE;
  }
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int)self->n_drawn++);
  GtkWidget *picture = row != NULL ? g_object_get_data (G_OBJECT (row), "picture") : NULL;
  ssui_style_init (&style, GTK_WIDGET (self));
  cairo_surface_t *surface =
      picture != NULL && version->text != NULL
          ? ssapp_sketch_picture (version->text, &style, PICTURE_WIDTH * scale, PICTURE_HEIGHT * scale)
          : NULL;
  if (surface != NULL) {
    g_autoptr (GdkTexture) texture = ssui_texture_new (surface);
    gtk_picture_set_paintable (GTK_PICTURE (picture), GDK_PAINTABLE (texture));
    cairo_surface_destroy (surface);
  }
  return G_SOURCE_CONTINUE;
}

static GtkWidget *
make_row (const SsappSketchVersion *version, const char *id, gboolean is_now)
{
  GtkWidget *row = adw_action_row_new (), *picture = gtk_picture_new ();
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *age = ssapp_sketch_age (version->saved, now), *number = NULL, *subtitle = NULL;
  const char *what = version->is_damaged      ? _ ("This version is damaged")
                     : *version->what == '\0' ? _ ("As it was first kept")
                                              : version->what;

  number = g_strdup_printf (is_now ? _ ("Version %d, now") : _ ("Version %d"), version->number);
  subtitle = g_strdup_printf ("%s · %s", number, age);
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), what);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 2);
  gtk_widget_set_tooltip_text (row, what);
  gtk_widget_set_size_request (picture, PICTURE_WIDTH, PICTURE_HEIGHT);
  gtk_widget_set_can_target (picture, FALSE);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), picture);
  g_object_set_data (G_OBJECT (row), "picture", picture);
  if (!is_now && !version->is_damaged) {
    gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "versions.go-back");
    gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "(si)", id, version->number);
  }
  return row;
}

static void
on_go_back (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkWindow *self = data, *window = gtk_window_get_transient_for (self);

  (void)action;
  if (window != NULL)
    g_action_group_activate_action (G_ACTION_GROUP (window), "go-back", parameter);
  gtk_window_destroy (self);
}

static void
ssui_versions_window_dispose (GObject *object)
{
  SsuiVersionsWindow *self = SSUI_VERSIONS_WINDOW (object);

  g_clear_handle_id (&self->source, g_source_remove);
  g_clear_pointer (&self->versions, g_ptr_array_unref);
  G_OBJECT_CLASS (ssui_versions_window_parent_class)->dispose (object);
}

static void
ssui_versions_window_class_init (SsuiVersionsWindowClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_versions_window_dispose;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (class), GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
ssui_versions_window_init (SsuiVersionsWindow *self)
{
  static const GActionEntry entries[] = {{.name = "go-back", .activate = on_go_back, .parameter_type = "(si)"}};
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *scrolled = gtk_scrolled_window_new (),
            *hint = gtk_label_new (_ ("A version that is chosen becomes the sketch, which can be undone."));
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "versions", G_ACTION_GROUP (group));
  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (self->list, "boxed-list");
  gtk_widget_set_valign (self->list, GTK_ALIGN_START);
  ssui_set_label (self->list, _ ("Versions, the newest first"));
  for (int side = 0; side < 4; side++) {
    static const char *const margins[] = {"margin-start", "margin-end", "margin-top", "margin-bottom"};
    g_object_set (self->list, margins[side], 12, NULL);
    g_object_set (hint, margins[side], side < 2 ? 12 : 6, NULL);
  }
  gtk_label_set_wrap (GTK_LABEL (hint), TRUE);
  gtk_label_set_xalign (GTK_LABEL (hint), 0);
  gtk_widget_add_css_class (hint, "dim-label");
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->list);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), hint);
  gtk_box_append (GTK_BOX (box), scrolled);
  adw_window_set_content (ADW_WINDOW (self), box);
}

void
ssui_versions_window_present (SsuiWindow *window, SsappSession *session, const char *id)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *own = g_strdup (id), *title = NULL;
  SsappStore *store = ssapp_session_get_store (session);
  SsappSketchRow *sketch = store != NULL ? ssapp_store_get_sketch (store, own, &error) : NULL;
  GPtrArray *versions =
      sketch != NULL ? ssapp_sketches_list_versions (ssapp_session_get_sketches (session), own, &error) : NULL;

  if (versions == NULL) {
    ssui_window_fail (window, _ ("No versions"), error != NULL ? error->message : _ ("There is no project yet"));
    ssapp_sketch_row_free (sketch);
    return;
  }
  SsuiVersionsWindow *self = g_object_new (SSUI_TYPE_VERSIONS_WINDOW, "transient-for", window, "modal", TRUE,
                                           "default-width", WIDTH, "default-height", HEIGHT, NULL);
  title = g_strdup_printf (_ ("Versions of %s"), sketch->title);
  gtk_window_set_title (GTK_WINDOW (self), title);
  self->versions = versions;
  for (guint i = 0; i < versions->len; i++)
    gtk_list_box_append (GTK_LIST_BOX (self->list), make_row (g_ptr_array_index (versions, i), sketch->id, i == 0));
  if (versions->len == 0) {
    GtkWidget *none = adw_action_row_new ();
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (none), _ ("It was not changed since versions are kept"));
    gtk_list_box_append (GTK_LIST_BOX (self->list), none);
  }
  self->source = g_idle_add_full (G_PRIORITY_LOW, on_next_picture, self, NULL);
  ssapp_sketch_row_free (sketch);
  gtk_window_present (GTK_WINDOW (self));
}
