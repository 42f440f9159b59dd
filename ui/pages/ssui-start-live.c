/* ui/pages/ssui-start-live.c: see the header. */
#include "ui/pages/ssui-start-live.h"

#include "ui/canvas/ssui-live-scene.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

#define SCENE_HEIGHT 150 /* px */
#define LIVE         "live"

typedef struct {
  const SsappExample *example;
  GtkWidget *frame, *play, *again;
  SsuiLiveScene *scene; /* NULL until it is loaded */
  gboolean is_loaded;
} Live;

static Live *
live_of (GtkWidget *card)
{
  return g_object_get_data (G_OBJECT (card), LIVE);
}

static void
show_playing (Live *live)
{
  const gboolean is_playing = ssui_live_scene_is_playing (live->scene);
  const char *words = is_playing ? _ ("Pause the live scene") : _ ("Play the live scene");

  gtk_button_set_icon_name (GTK_BUTTON (live->play),
                            is_playing ? "media-playback-pause-symbolic" : "media-playback-start-symbolic");
  gtk_widget_set_tooltip_text (live->play, words);
  ssui_set_label (live->play, words);
}

static void
on_play (Live *live)
{
  ssui_live_scene_set_playing (live->scene, !ssui_live_scene_is_playing (live->scene));
}

static void
on_again (Live *live)
{
  ssui_live_scene_start_over (live->scene);
}

static GtkWidget *
add_button (GtkWidget *box, const char *icon, const char *words)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, words);
  ssui_set_label (button, words);
  gtk_box_append (GTK_BOX (box), button);
  return button;
}

GtkWidget *
ssui_start_live_new (const SsappExample *example)
{
  g_return_val_if_fail (example != NULL, NULL);
  GtkWidget *card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8), *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8),
            *title = gtk_label_new (example->title), *words = gtk_label_new (_ ("live: grab a body and throw it")),
            *open;
  Live *live = g_new0 (Live, 1);

  live->example = example;
  live->frame = adw_bin_new ();
  gtk_widget_add_css_class (title, "heading");
  gtk_widget_add_css_class (words, "caption");
  gtk_widget_add_css_class (words, "dim-label");
  gtk_widget_set_hexpand (words, TRUE);
  gtk_label_set_xalign (GTK_LABEL (words), 0);
  gtk_label_set_ellipsize (GTK_LABEL (words), PANGO_ELLIPSIZE_END);
  ssui_tip_when_cut (words);
  gtk_box_append (GTK_BOX (head), title);
  gtk_box_append (GTK_BOX (head), words);
  live->play = add_button (head, "media-playback-start-symbolic", _ ("Play the live scene"));
  live->again = add_button (head, "view-refresh-symbolic", _ ("Start the live scene over"));
  open = add_button (head, "document-edit-symbolic", _ ("Open the live scene as a sketch"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (open), "win.open-example");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (open), "s", example->name);
  gtk_widget_set_sensitive (live->play, FALSE);
  gtk_widget_set_sensitive (live->again, FALSE);
  gtk_widget_add_css_class (live->frame, "card");
  gtk_widget_set_size_request (live->frame, -1, SCENE_HEIGHT);
  gtk_widget_set_overflow (live->frame, GTK_OVERFLOW_HIDDEN);
  gtk_box_append (GTK_BOX (card), head);
  gtk_box_append (GTK_BOX (card), live->frame);
  g_object_set_data_full (G_OBJECT (card), LIVE, live, g_free);
  return card;
}

gboolean
ssui_start_live_load (GtkWidget *card)
{
  Live *live = live_of (card);
  g_return_val_if_fail (live != NULL, FALSE);

  if (live->is_loaded)
    return FALSE;
  live->is_loaded = TRUE;
  g_autofree char *text = ssapp_example_load_text (live->example, NULL);
  GtkWidget *scene = text != NULL ? ssui_live_scene_new (text, live->example->title) : NULL;
  if (scene == NULL)
    return FALSE;
  live->scene = SSUI_LIVE_SCENE (scene);
  g_signal_connect_swapped (scene, "playing-changed", G_CALLBACK (show_playing), live);
  g_signal_connect_swapped (live->play, "clicked", G_CALLBACK (on_play), live);
  g_signal_connect_swapped (live->again, "clicked", G_CALLBACK (on_again), live);
  gtk_widget_set_sensitive (live->play, TRUE);
  gtk_widget_set_sensitive (live->again, TRUE);
  adw_bin_set_child (ADW_BIN (live->frame), scene);
  show_playing (live);
  return TRUE;
}
