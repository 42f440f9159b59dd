/* ui/parts/ssui-sketch-list.c: see the header. */
#include "ui/parts/ssui-sketch-list.h"

#include "app/session/ssapp-sketch-picture.h"
#include "ui/parts/ssui-context-menu.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <string.h>

enum { CARD_WIDTH = 196, PICTURE_HEIGHT = 96, PICTURES_KEPT = 500 };

struct _SsuiSketchList {
  GtkWidget parent_instance;
  GtkWidget *box, *cards, *none;
  SsappSession *session;
  GHashTable *pictures; /* "SHA-256 dark scale" -> GdkTexture; a picture of nothing has none there */
  GPtrArray *waiting;   /* of GtkPicture, whose pictures are to be drawn; with "id", "key" */
  guint source;
};

G_DEFINE_FINAL_TYPE (SsuiSketchList, ssui_sketch_list, GTK_TYPE_WIDGET)

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

static GdkTexture *
draw (SsuiSketchList *self, const char *id)
{
  SsappStore *store = ssapp_session_get_store (self->session);
  SsappSketchRow *row = store != NULL ? ssapp_store_get_sketch (store, id, NULL) : NULL;
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  SsappStyle style;
  GdkTexture *texture = NULL;

  ssui_style_init (&style, GTK_WIDGET (self));
  cairo_surface_t *surface =
      row != NULL ? ssapp_sketch_picture (row->text, &style, CARD_WIDTH * scale, PICTURE_HEIGHT * scale) : NULL;
  if (surface != NULL) {
    texture = ssui_texture_new (surface);
    cairo_surface_destroy (surface);
  }
  ssapp_sketch_row_free (row);
  return texture;
}

/* One at a time, so that a list of hundreds keeps nobody waiting. */
static gboolean
on_next_picture (gpointer data)
{
  SsuiSketchList *self = data;

  if (self->waiting->len == 0) {
    self->source = 0;
    return G_SOURCE_REMOVE;
  }
  g_autoptr (GtkWidget) picture = g_ptr_array_steal_index (self->waiting, 0);
  const char *key = g_object_get_data (G_OBJECT (picture), "key");
  const gboolean is_shown = gtk_widget_get_root (picture) != NULL; /* its card is still there */
  g_autoptr (GdkTexture) texture = is_shown ? draw (self, g_object_get_data (G_OBJECT (picture), "id")) : NULL;
  if (texture != NULL) {
    if (g_hash_table_size (self->pictures) >= PICTURES_KEPT)
      g_hash_table_remove_all (self->pictures);
    g_hash_table_replace (self->pictures, g_strdup (key), g_object_ref (texture));
    gtk_picture_set_paintable (GTK_PICTURE (picture), GDK_PAINTABLE (texture));
  }
  return G_SOURCE_CONTINUE;
}

static GtkWidget *
make_picture (SsuiSketchList *self, const SsappSketchRow *row)
{
  GtkWidget *picture = gtk_picture_new ();
  const gboolean is_dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  char *key = g_strdup_printf ("%s %d %d", row->sha256, is_dark, gtk_widget_get_scale_factor (GTK_WIDGET (self)));
  GdkTexture *texture = g_hash_table_lookup (self->pictures, key);

  gtk_picture_set_can_shrink (GTK_PICTURE (picture), TRUE);
  gtk_widget_set_size_request (picture, CARD_WIDTH, PICTURE_HEIGHT);
  gtk_widget_set_can_target (picture, FALSE);
  g_object_set_data_full (G_OBJECT (picture), "id", g_strdup (row->id), g_free);
  g_object_set_data_full (G_OBJECT (picture), "key", key, g_free);
  if (texture != NULL)
    gtk_picture_set_paintable (GTK_PICTURE (picture), GDK_PAINTABLE (texture));
  else
    g_ptr_array_add (self->waiting, g_object_ref (picture));
  return picture;
}

/* ---- cards ------------------------------------------------------------------------------------------------------- */

static GtkWidget *
make_label (const char *text, const char *class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 1); /* the card's width, not its own */
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, class);
  return label;
}

static GtkWidget *
make_menu (const SsappSketchRow *row)
{
  GtkWidget *button = gtk_menu_button_new ();
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autofree char *label = g_strdup_printf (_ ("Menu of %s"), row->title);

  ssui_context_menu_add (menu, "", SSUI_MENU_SKETCH, g_variant_new_string (row->id));
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "view-more-symbolic");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, _ ("Open, duplicate, rename or delete this sketch"));
  ssui_label_drop_down (button, label);
  return button;
}

static void
add_key (GtkWidget *card, guint key, const char *action, const char *id)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();
  GtkShortcut *shortcut = gtk_shortcut_new (gtk_keyval_trigger_new (key, 0), gtk_named_action_new (action));

  gtk_shortcut_set_arguments (shortcut, g_variant_new_string (id));
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys), shortcut);
  gtk_widget_add_controller (card, keys);
}

/* "3 runs, 12:04" */
static char *
facts_of (const SsappSketchRow *row)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *age = ssapp_sketch_age (row->changed, now);

  return g_strdup_printf (ngettext ("%d run, %s", "%d runs, %s", (gulong)row->n_runs), (int)row->n_runs, age);
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, GtkMenuButton *menu)
{
  (void)gesture;
  (void)n_press;
  (void)x;
  (void)y;
  gtk_menu_button_popup (menu);
}

/* The secondary button opens the card's menu, too. */
static void
add_secondary_button (GtkWidget *card, GtkWidget *menu)
{
  GtkGesture *gesture = gtk_gesture_click_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (gesture), GDK_BUTTON_SECONDARY);
  g_signal_connect_object (gesture, "pressed", G_CALLBACK (on_pressed), menu, 0);
  gtk_widget_add_controller (card, GTK_EVENT_CONTROLLER (gesture));
}

static GtkWidget *
make_card (SsuiSketchList *self, const SsappSketchRow *row, gboolean is_current)
{
  GtkWidget *card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *open = gtk_button_new (),
            *foot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  g_autofree char *facts = facts_of (row), *tip = NULL,
                  *label = g_strdup_printf (is_current ? _ ("Sketch %s, the open one") : _ ("Sketch %s"), row->title);
  GtkWidget *summary = make_label (*row->description != '\0' ? row->description : row->name, "caption"),
            *when = make_label (facts, "caption"), *menu = make_menu (row);

  gtk_button_set_child (GTK_BUTTON (open), make_picture (self, row));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (open), "win.open-sketch");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (open), "s", row->id);
  gtk_widget_add_css_class (open, "flat");
  gtk_widget_add_css_class (open, "sketch-picture");
  gtk_widget_set_tooltip_text (open, *row->description != '\0' ? row->description : row->title);
  ssui_set_label (open, label);
  ssui_set_description (open, facts);
  add_key (open, GDK_KEY_F2, "win.rename-sketch-dialog", row->id);
  add_key (open, GDK_KEY_Delete, "win.delete-sketch", row->id);
  gtk_widget_add_css_class (summary, "dim-label");
  gtk_widget_add_css_class (when, "dim-label");
  gtk_box_append (GTK_BOX (words), make_label (row->title, "heading"));
  gtk_box_append (GTK_BOX (words), summary);
  gtk_box_append (GTK_BOX (words), when);
  gtk_box_append (GTK_BOX (foot), words);
  gtk_box_append (GTK_BOX (foot), menu);
  tip = g_strdup_printf ("%s\n%s", row->title, row->description);
  gtk_widget_set_tooltip_text (words, tip);
  add_secondary_button (card, menu);
  gtk_widget_add_css_class (foot, "example-text");
  gtk_box_append (GTK_BOX (card), open);
  gtk_box_append (GTK_BOX (card), foot);
  gtk_widget_add_css_class (card, "card");
  gtk_widget_add_css_class (card, "sketch-card");
  if (is_current)
    gtk_widget_add_css_class (card, "current");
  gtk_widget_set_hexpand (card, FALSE); /* whatever its words would like */
  gtk_widget_set_overflow (card, GTK_OVERFLOW_HIDDEN);
  return card;
}

/* All that a card shows. */
static char *
words_of (SsuiSketchList *self, const SsappSketchRow *row, gboolean is_current)
{
  g_autofree char *facts = facts_of (row);

  return g_strdup_printf ("%s %s %d %d %d\n%s\n%s\n%s\n%s", row->id, row->sha256, is_current,
                          adw_style_manager_get_dark (adw_style_manager_get_default ()),
                          gtk_widget_get_scale_factor (GTK_WIDGET (self)), row->name, row->title, row->description,
                          facts);
}

/* Cards that show what they showed stay: a button that goes while it is pressed does nothing, and loses the focus. */
static GtkWidget *
find_card (SsuiSketchList *self, const char *words)
{
  for (GtkWidget *card = gtk_widget_get_first_child (self->cards); card != NULL;
       card = gtk_widget_get_next_sibling (card))
    if (g_strcmp0 (g_object_get_data (G_OBJECT (card), "words"), words) == 0)
      return card;
  return NULL;
}

static void
reload (SsuiSketchList *self)
{
  SsappSketches *sketches = ssapp_session_get_sketches (self->session);
  const char *current = ssapp_sketches_get_current (sketches);
  g_autoptr (GPtrArray) rows = ssapp_sketches_list (sketches, NULL);
  GtkWidget *last = NULL, *old;

  for (guint i = 0; rows != NULL && i < rows->len; i++) {
    const SsappSketchRow *row = g_ptr_array_index (rows, i);
    const gboolean is_current = g_strcmp0 (row->id, current) == 0;
    char *words = words_of (self, row, is_current);
    GtkWidget *card = find_card (self, words);
    if (card == NULL) {
      card = make_card (self, row, is_current);
      gtk_box_append (GTK_BOX (self->cards), card);
    }
    g_object_set_data_full (G_OBJECT (card), "words", words, g_free);
    gtk_box_reorder_child_after (GTK_BOX (self->cards), card, last);
    last = card;
  }
  while ((old = last != NULL ? gtk_widget_get_next_sibling (last) : gtk_widget_get_first_child (self->cards)) != NULL)
    gtk_box_remove (GTK_BOX (self->cards), old);
  gtk_widget_set_visible (self->none, rows == NULL || rows->len == 0);
  if (self->waiting->len > 0 && self->source == 0)
    self->source = g_idle_add_full (G_PRIORITY_LOW, on_next_picture, self, NULL);
}

static void
on_changed (SsuiSketchList *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    reload (self);
}

void
ssui_sketch_list_set_session (SsuiSketchList *self, SsappSession *session)
{
  g_return_if_fail (SSUI_IS_SKETCH_LIST (self) && (session == NULL || SSAPP_IS_SESSION (session)));
  g_set_object (&self->session, session);
  g_signal_connect_object (ssapp_session_get_sketches (session), "changed", G_CALLBACK (on_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "store-changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (on_changed), self,
                           G_CONNECT_SWAPPED);
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssui_sketch_list_map (GtkWidget *widget)
{
  SsuiSketchList *self = SSUI_SKETCH_LIST (widget);

  if (self->session != NULL)
    reload (self);
  GTK_WIDGET_CLASS (ssui_sketch_list_parent_class)->map (widget);
}

static void
ssui_sketch_list_dispose (GObject *object)
{
  SsuiSketchList *self = SSUI_SKETCH_LIST (object);

  g_clear_handle_id (&self->source, g_source_remove);
  g_clear_pointer (&self->waiting, g_ptr_array_unref);
  g_clear_pointer (&self->pictures, g_hash_table_unref);
  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ssui_sketch_list_parent_class)->dispose (object);
}

static void
ssui_sketch_list_class_init (SsuiSketchListClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_sketch_list_dispose;
  GTK_WIDGET_CLASS (class)->map = ssui_sketch_list_map;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
make_head (void)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *title = make_label (_ ("Sketches"), "heading"),
            *add = gtk_button_new (), *content = adw_button_content_new ();

  adw_button_content_set_icon_name (ADW_BUTTON_CONTENT (content), "list-add-symbolic");
  adw_button_content_set_label (ADW_BUTTON_CONTENT (content), _ ("New Sketch"));
  gtk_button_set_child (GTK_BUTTON (add), content);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (add), "win.add-sketch");
  gtk_widget_set_tooltip_text (add, _ ("Keep the sketch at hand in this project and begin another one"));
  ssui_set_label (add, _ ("New sketch in this project"));
  gtk_box_append (GTK_BOX (head), title);
  gtk_box_append (GTK_BOX (head), add);
  return head;
}

static void
ssui_sketch_list_init (SsuiSketchList *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->pictures = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->cards = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  self->none = gtk_label_new (_ ("No sketch is kept in this project yet: one that you edit or run is."));
  gtk_label_set_xalign (GTK_LABEL (self->none), 0);
  gtk_label_set_wrap (GTK_LABEL (self->none), TRUE);
  gtk_widget_add_css_class (self->none, "dim-label");
  gtk_widget_add_css_class (self->cards, "sketch-cards");
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->cards);
  ssui_set_label (scrolled, _ ("Sketches of the project"));
  gtk_box_append (GTK_BOX (self->box), make_head ());
  gtk_box_append (GTK_BOX (self->box), self->none);
  gtk_box_append (GTK_BOX (self->box), scrolled);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}
