/* ui/ssui-start-page.c: see the header. */
#include "ui/ssui-start-page.h"

#include "app/ssapp-store.h"
#include "ui/ssui-gallery.h"
#include "ui/ssui-motion-view.h"
#include "app/ssapp-session.h"
#include "ui/ssui-util.h"

#include <string.h>

#define RECENT_SHOWN   6
#define CARD_WIDTH     290 /* px */
#define PICTURE_HEIGHT 180 /* px */

struct _SsuiStartPage {
  GtkWidget parent_instance;
  GtkWidget *new_sketch, *recent, *no_recent, *examples;
};

G_DEFINE_FINAL_TYPE (SsuiStartPage, ssui_start_page, GTK_TYPE_WIDGET)

/* ---- recent projects -------------------------------------------------------------------------------------------------------------- */

typedef struct {
  char *path;
  gint64 changed; /* unix seconds */
} Recent;

static void
recent_free (Recent *recent)
{
  g_free (recent->path);
  g_free (recent);
}

static int
newest_first (gconstpointer a, gconstpointer b)
{
  gint64 x = (*(Recent *const *)a)->changed, y = (*(Recent *const *)b)->changed;
  return (x < y) - (x > y);
}

static void
add_recent (GPtrArray *list, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInfo) info = g_file_query_info (file, G_FILE_ATTRIBUTE_TIME_MODIFIED, 0, NULL, NULL);
  g_autoptr (GDateTime) time = info != NULL ? g_file_info_get_modification_date_time (info) : NULL;
  Recent *recent;

  if (time == NULL)
    return;
  for (guint i = 0; i < list->len; i++)
    if (strcmp (((Recent *)g_ptr_array_index (list, i))->path, path) == 0)
      return;
  recent = g_new0 (Recent, 1);
  recent->path = g_strdup (path);
  recent->changed = g_date_time_to_unix (time);
  g_ptr_array_add (list, recent);
}

/* What the desktop remembers, and what lies in our own folder. */
static GPtrArray *
list_recent (void)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify)recent_free);
  GList *items = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());
  g_autofree char *folder = ssapp_projects_folder ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  for (GList *l = items; l != NULL; l = l->next) {
    g_autofree char *path = g_filename_from_uri (gtk_recent_info_get_uri (l->data), NULL, NULL);
    if (path != NULL && g_str_has_suffix (path, SSAPP_PROJECT_SUFFIX))
      add_recent (list, path);
  }
  g_list_free_full (items, (GDestroyNotify)gtk_recent_info_unref);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, SSAPP_PROJECT_SUFFIX)) {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      add_recent (list, path);
    }
  g_ptr_array_sort (list, newest_first);
  return list;
}

static char *
age_text (gint64 unix_seconds)
{
  g_autoptr (GDateTime) then = g_date_time_new_from_unix_local (unix_seconds), now = g_date_time_new_now_local ();
  GTimeSpan age = g_date_time_difference (now, then);

  if (g_date_time_get_day_of_year (then) == g_date_time_get_day_of_year (now) && age < G_TIME_SPAN_DAY)
    return g_date_time_format (then, "%H:%M");
  return g_date_time_format (then, age < 6 * G_TIME_SPAN_DAY ? "%A" : "%e %b");
}

static GtkWidget *
make_recent_row (const Recent *recent)
{
  GtkWidget *row = adw_action_row_new (), *age;
  g_autofree char *name = g_path_get_basename (recent->path), *folder = g_path_get_dirname (recent->path),
                  *text = age_text (recent->changed);
  g_autofree char *own = ssapp_projects_folder ();

  name[strlen (name) - strlen (SSAPP_PROJECT_SUFFIX)] = '\0';
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row),
                                 g_str_has_prefix (name, "untitled-") ? "Untitled Project" : name);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), strcmp (folder, own) == 0 ? name : folder);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 1);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), gtk_image_new_from_icon_name ("folder-symbolic"));
  age = gtk_label_new (text);
  gtk_widget_add_css_class (age, "dim-label");
  gtk_widget_add_css_class (age, "caption");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), age);
  gtk_widget_set_tooltip_text (row, recent->path);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "win.open");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", recent->path);
  return row;
}

void
ssui_start_page_refresh (SsuiStartPage *self)
{
  g_autoptr (GPtrArray) list = list_recent ();
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->recent)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->recent), child);
  for (guint i = 0; i < MIN (list->len, RECENT_SHOWN); i++)
    gtk_list_box_append (GTK_LIST_BOX (self->recent), make_recent_row (g_ptr_array_index (list, i)));
  gtk_widget_set_visible (self->recent, list->len > 0);
  gtk_widget_set_visible (self->no_recent, list->len == 0);
}

/* ---- examples --------------------------------------------------------------------------------------------------------------------- */

static GtkWidget *
make_card (const SsuiExample *example)
{
  GtkWidget *card = gtk_button_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0),
            *view = ssui_motion_view_new ();
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2), *title = gtk_label_new (example->title),
            *text = gtk_label_new (example->text);
  g_autofree char *origin = g_strdup_printf ("%s: %s", example->topic, example->source);
  GtkWidget *source = gtk_label_new (origin);
  g_autofree char *label = g_strdup_printf ("Example %s", example->title);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  SsappRun *run = ssui_gallery_make_run (example, NULL);
  g_autoptr (SsuiClock) clock = ssui_clock_new ();

  if (run != NULL) {
    g_ptr_array_add (runs, run);
    ssui_clock_set_duration (clock, ssapp_run_get_duration (run));
    ssui_clock_seek (clock, ssapp_run_get_duration (run));
  }
  ssui_motion_view_set_plain (SSUI_MOTION_VIEW (view), TRUE);
  ssui_motion_view_set_clock (SSUI_MOTION_VIEW (view), clock);
  ssui_motion_view_set_runs (SSUI_MOTION_VIEW (view), runs);
  gtk_widget_set_size_request (view, CARD_WIDTH, PICTURE_HEIGHT);
  gtk_widget_set_can_target (view, FALSE);
  gtk_widget_set_vexpand (view, FALSE);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_add_css_class (title, "heading");
  gtk_label_set_xalign (GTK_LABEL (text), 0);
  gtk_label_set_ellipsize (GTK_LABEL (text), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (text, "dim-label");
  gtk_widget_add_css_class (text, "caption");
  gtk_label_set_xalign (GTK_LABEL (source), 0);
  gtk_label_set_ellipsize (GTK_LABEL (source), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (source, "dim-label");
  gtk_widget_add_css_class (source, "caption");
  gtk_widget_add_css_class (words, "example-text");
  gtk_box_append (GTK_BOX (words), title);
  gtk_box_append (GTK_BOX (words), text);
  gtk_box_append (GTK_BOX (words), source);
  gtk_box_append (GTK_BOX (box), view);
  gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (box), words);
  gtk_button_set_child (GTK_BUTTON (card), box);
  gtk_widget_add_css_class (card, "card");
  gtk_widget_add_css_class (card, "example-card");
  gtk_widget_set_overflow (card, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_halign (card, GTK_ALIGN_START);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (card), "win.open-example");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (card), "s", example->name);
  ssui_set_label (card, label);
  return card;
}

/* ---- object ----------------------------------------------------------------------------------------------------------------------- */

static void
ssui_start_page_map (GtkWidget *widget)
{
  SsuiStartPage *self = SSUI_START_PAGE (widget);

  ssui_start_page_refresh (self);
  GTK_WIDGET_CLASS (ssui_start_page_parent_class)->map (widget);
}

static void
ssui_start_page_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), SSUI_TYPE_START_PAGE);
  ssui_unparent_children (GTK_WIDGET (object));
  G_OBJECT_CLASS (ssui_start_page_parent_class)->dispose (object);
}

static void
ssui_start_page_class_init (SsuiStartPageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_start_page_dispose;
  widget_class->map = ssui_start_page_map;
  gtk_widget_class_set_template_from_resource (widget_class, SSUI_RESOURCE_PATH "/ui/ssui-start-page.ui");
  gtk_widget_class_bind_template_child (widget_class, SsuiStartPage, new_sketch);
  gtk_widget_class_bind_template_child (widget_class, SsuiStartPage, recent);
  gtk_widget_class_bind_template_child (widget_class, SsuiStartPage, no_recent);
  gtk_widget_class_bind_template_child (widget_class, SsuiStartPage, examples);
}

static void
ssui_start_page_init (SsuiStartPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  for (int i = 0; i < ssui_gallery_count (); i++)
    gtk_flow_box_append (GTK_FLOW_BOX (self->examples), make_card (ssui_gallery_at (i)));
  /* The cards take the focus, not the cells around them. */
  for (GtkWidget *cell = gtk_widget_get_first_child (self->examples); cell != NULL;
       cell = gtk_widget_get_next_sibling (cell))
    gtk_widget_set_focusable (cell, FALSE);
}
