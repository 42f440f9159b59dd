/* ui/parts/ssui-pane.c: see the header. */
#include "ui/parts/ssui-pane.h"

#include "ui/parts/ssui-util.h"

#include <math.h>

#define LEAST_SHARE 0.05
#define DATA        "ssui-pane"

typedef struct {
  GSettings *settings; /* NULL: none installed */
  char *key;
  GtkOrientation orientation; /* in which it is kept */
  double share, usual;        /* share 0: not chosen */
  int whole;                  /* px, when it was put there last */
  gboolean is_placing;
  int frames_left; /* until it is laid out along another orientation */
} Kept;

static void
kept_free (Kept *kept)
{
  g_clear_object (&kept->settings);
  g_free (kept->key);
  g_free (kept);
}

static Kept *
kept_of (GtkPaned *paned)
{
  return g_object_get_data (G_OBJECT (paned), DATA);
}

static gboolean
has_border (GtkPaned *paned)
{
  GtkWidget *start = gtk_paned_get_start_child (paned), *end = gtk_paned_get_end_child (paned);

  return start != NULL && end != NULL && gtk_widget_get_visible (start) && gtk_widget_get_visible (end) &&
         gtk_orientable_get_orientation (GTK_ORIENTABLE (paned)) == kept_of (paned)->orientation;
}

static int
length_of (GtkPaned *paned)
{
  return kept_of (paned)->orientation == GTK_ORIENTATION_HORIZONTAL ? gtk_widget_get_width (GTK_WIDGET (paned))
                                                                    : gtk_widget_get_height (GTK_WIDGET (paned));
}

static void
place (GtkPaned *paned)
{
  Kept *kept = kept_of (paned);
  const int length = length_of (paned);

  if (length <= 0 || !has_border (paned))
    return;
  kept->is_placing = TRUE;
  kept->whole = length;
  gtk_paned_set_position (paned, (int)lround ((kept->share > 0 ? kept->share : kept->usual) * length));
  kept->is_placing = FALSE;
}

/* Not while a size is being given. */
static gboolean
place_later (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  (void)clock;
  (void)data;
  place (GTK_PANED (widget));
  return G_SOURCE_REMOVE;
}

/* Another size, or a child that came or went: the share is kept. */
static void
on_limits (GtkPaned *paned)
{
  if (kept_of (paned)->frames_left == 0 && length_of (paned) != kept_of (paned)->whole)
    gtk_widget_add_tick_callback (GTK_WIDGET (paned), place_later, NULL, NULL);
}

static void
on_position (GtkPaned *paned)
{
  Kept *kept = kept_of (paned);
  const int length = length_of (paned);

  /* moved by hand, and not because of another size */
  if (kept->is_placing || length <= 0 || length != kept->whole || !has_border (paned))
    return;
  kept->share = CLAMP ((double)gtk_paned_get_position (paned) / length, LEAST_SHARE, 1 - LEAST_SHARE);
  ssui_settings_keep (kept->settings, kept->key, g_variant_new_double (kept->share));
}

/* GtkPaned scales a position that it gets before its first size along the new orientation by that along the old one. */
static gboolean
place_when_laid_out (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  (void)clock;
  (void)data;
  if (--kept_of (GTK_PANED (widget))->frames_left > 0)
    return G_SOURCE_CONTINUE;
  place (GTK_PANED (widget));
  return G_SOURCE_REMOVE;
}

/* Below each other, or beside each other again: nothing of before holds. */
static void
on_orientation (GtkPaned *paned)
{
  Kept *kept = kept_of (paned);

  kept->whole = 0;
  if (kept->frames_left == 0)
    gtk_widget_add_tick_callback (GTK_WIDGET (paned), place_when_laid_out, NULL, NULL);
  kept->frames_left = 2;
}

/* GtkPaned holds its border in gestures of its own, in the capture phase. */
static void
switch_border (GtkPaned *paned)
{
  GtkWidget *start = gtk_paned_get_start_child (paned), *end = gtk_paned_get_end_child (paned);
  const gboolean is_there =
      start != NULL && end != NULL && gtk_widget_get_visible (start) && gtk_widget_get_visible (end);
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (paned));

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
    if (GTK_IS_GESTURE_DRAG (controller))
      gtk_event_controller_set_propagation_phase (controller, is_there ? GTK_PHASE_CAPTURE : GTK_PHASE_NONE);
  }
}

void
ssui_pane_guard (GtkPaned *paned)
{
  GtkWidget *panes[] = {gtk_paned_get_start_child (paned), gtk_paned_get_end_child (paned)};

  for (guint i = 0; i < G_N_ELEMENTS (panes); i++)
    if (panes[i] != NULL)
      g_signal_connect_object (panes[i], "notify::visible", G_CALLBACK (switch_border), paned, G_CONNECT_SWAPPED);
  switch_border (paned);
}

static GSettings *
find_settings (const char *key)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchema) schema =
      source != NULL ? g_settings_schema_source_lookup (source, SSUI_APP_ID, TRUE) : NULL;

  return schema != NULL && g_settings_schema_has_key (schema, key) ? g_settings_new_full (schema, NULL, NULL) : NULL;
}

void
ssui_pane_keep (GtkPaned *paned, const char *key, double usual)
{
  Kept *kept = g_new0 (Kept, 1);

  kept->settings = find_settings (key);
  kept->key = g_strdup (key);
  kept->usual = usual;
  kept->orientation = gtk_orientable_get_orientation (GTK_ORIENTABLE (paned));
  kept->share = kept->settings != NULL ? g_settings_get_double (kept->settings, key) : 0;
  g_object_set_data_full (G_OBJECT (paned), DATA, kept, (GDestroyNotify)kept_free);
  gtk_paned_set_wide_handle (paned, FALSE);
  ssui_pane_guard (paned);
  g_signal_connect (paned, "notify::orientation", G_CALLBACK (on_orientation), NULL);
  g_signal_connect (paned, "notify::max-position", G_CALLBACK (on_limits), NULL);
  g_signal_connect (paned, "notify::position", G_CALLBACK (on_position), NULL);
}

void
ssui_pane_set_share (GtkPaned *paned, double share)
{
  Kept *kept = kept_of (paned);

  kept->share = CLAMP (share, LEAST_SHARE, 1 - LEAST_SHARE);
  ssui_settings_keep (kept->settings, kept->key, g_variant_new_double (kept->share));
  place (paned);
}

void
ssui_pane_set_usual (GtkPaned *paned, double usual)
{
  Kept *kept = kept_of (paned);

  if (kept->usual == usual)
    return;
  kept->usual = usual;
  if (kept->share <= 0)
    gtk_widget_add_tick_callback (GTK_WIDGET (paned), place_later, NULL, NULL);
}
