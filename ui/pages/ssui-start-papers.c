/* ui/pages/ssui-start-papers.c: see the header. */
#include "ui/pages/ssui-start-papers.h"

#include "app/bench/ssapp-paper-book.h"
#include "app/draw/ssapp-draw-parts.h"

#include <glib/gi18n.h>

enum { THUMB_WIDTH = 168, THUMB_HEIGHT = 96, MOST_PER_LINE = 10 };

/* Of the box. */
#define THUMBS "thumbs" /* GPtrArray of buttons, each with "paper" and "picture" */
#define LOADED "loaded" /* how many have their pictures */

static GtkWidget *
make_words (const char *text, const char *class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 1);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, class);
  return label;
}

static GtkWidget *
make_thumb (const SsappPaper *paper)
{
  GtkWidget *button = gtk_button_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *room = gtk_overlay_new (),
            *picture = gtk_picture_new (), *words;
  g_autofree char *text = g_strdup_printf ("%s: %s", paper->label, paper->title);
  g_autofree char *tooltip = g_strdup_printf ("%s\n%s", paper->place, paper->words);

  gtk_picture_set_can_shrink (GTK_PICTURE (picture), TRUE);
  gtk_widget_set_size_request (room, THUMB_WIDTH, THUMB_HEIGHT);
  gtk_widget_add_css_class (picture, "paper-picture");
  gtk_widget_set_can_target (picture, FALSE);
  gtk_overlay_add_overlay (GTK_OVERLAY (room), picture); /* as wide as the others, whatever it shows */
  gtk_box_append (GTK_BOX (box), room);
  words = make_words (text, "caption");
  gtk_label_set_wrap (GTK_LABEL (words), TRUE);
  gtk_label_set_lines (GTK_LABEL (words), 2);
  gtk_box_append (GTK_BOX (box), words);
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_widget_add_css_class (button, "card");
  gtk_widget_add_css_class (button, "paper-thumb");
  gtk_widget_set_overflow (button, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.paper");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", paper->name);
  ssui_set_label (button, text);
  g_object_set_data (G_OBJECT (button), "paper", (gpointer)paper);
  g_object_set_data (G_OBJECT (button), "picture", picture);
  return button;
}

/* A card of a paper. */
static GtkWidget *
make_paper (const SsappPaperTopic *topic, GPtrArray *thumbs)
{
  GtkWidget *card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *flow = gtk_flow_box_new ();
  g_autofree char *label =
      topic->number != NULL ? g_strdup_printf (_ ("Paper %s"), topic->title) : g_strdup (topic->title);
  guint n;
  const SsappPaper *papers = ssapp_papers (&n);

  gtk_flow_box_set_selection_mode (GTK_FLOW_BOX (flow), GTK_SELECTION_NONE);
  gtk_flow_box_set_column_spacing (GTK_FLOW_BOX (flow), 8);
  gtk_flow_box_set_row_spacing (GTK_FLOW_BOX (flow), 8);
  gtk_flow_box_set_max_children_per_line (GTK_FLOW_BOX (flow), MOST_PER_LINE);
  gtk_flow_box_set_homogeneous (GTK_FLOW_BOX (flow), TRUE);
  gtk_widget_set_halign (flow, GTK_ALIGN_START);
  for (guint i = 0; i < n; i++) {
    if (g_strcmp0 (papers[i].topic, topic->topic) != 0)
      continue;
    GtkWidget *thumb = make_thumb (&papers[i]), *cell = gtk_flow_box_child_new ();
    gtk_flow_box_child_set_child (GTK_FLOW_BOX_CHILD (cell), thumb);
    gtk_widget_set_focusable (cell, FALSE); /* the buttons take the focus, not the cells around them */
    gtk_flow_box_append (GTK_FLOW_BOX (flow), cell);
    g_ptr_array_add (thumbs, thumb);
  }
  gtk_widget_add_css_class (card, "card");
  gtk_widget_add_css_class (card, "paper-card");
  ssui_set_label (flow, label);
  gtk_box_append (GTK_BOX (card), make_words (topic->title, "heading"));
  gtk_box_append (GTK_BOX (card), make_words (topic->source, "caption"));
  gtk_box_append (GTK_BOX (card), flow);
  return card;
}

GtkWidget *
ssui_start_papers_new (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  GPtrArray *thumbs = g_ptr_array_new ();
  guint n;
  const SsappPaperTopic *topics = ssapp_paper_topics (&n);

  gtk_box_append (GTK_BOX (box), make_words (_ ("Papers"), "topic-title"));
  for (guint i = 0; i < n; i++)
    gtk_box_append (GTK_BOX (box), make_paper (&topics[i], thumbs));
  g_object_set_data_full (G_OBJECT (box), THUMBS, thumbs, (GDestroyNotify)g_ptr_array_unref);
  return box;
}

gboolean
ssui_start_papers_filter (GtkWidget *papers, const char *search)
{
  GPtrArray *thumbs = g_object_get_data (G_OBJECT (papers), THUMBS);
  gboolean has_any = FALSE;

  for (GtkWidget *card = gtk_widget_get_next_sibling (gtk_widget_get_first_child (papers)); card != NULL;
       card = gtk_widget_get_next_sibling (card))
    gtk_widget_set_visible (card, FALSE);
  for (guint i = 0; i < thumbs->len; i++) {
    GtkWidget *thumb = g_ptr_array_index (thumbs, i), *cell = gtk_widget_get_parent (thumb);
    const gboolean is_shown = ssapp_paper_matches (g_object_get_data (G_OBJECT (thumb), "paper"), search);
    gtk_widget_set_visible (cell, is_shown);
    if (is_shown)
      gtk_widget_set_visible (gtk_widget_get_parent (gtk_widget_get_parent (cell)), TRUE);
    has_any |= is_shown;
  }
  gtk_widget_set_visible (papers, has_any);
  return has_any;
}

/* Of a thumbnail of a table [px]. */
enum { TABLE_LEFT = 10, TABLE_TOP = 8, TABLE_ROW = 18, TABLE_ROWS = 5, TABLE_COLUMNS = 3 };

/* A head (row 0) or a cell of the table; where it was not made yet (NULL) a stroke in its place. */
static void
draw_cell (cairo_t *cr, const SsappStyle *style, const SsappTable *table, guint row, guint column)
{
  const double room = (THUMB_WIDTH - 2. * TABLE_LEFT) / TABLE_COLUMNS - 6;
  const double x = TABLE_LEFT + column * (room + 6), y = TABLE_TOP + (row + 0.5) * TABLE_ROW;
  const SsappTextStyle look = {
      .size = 10.5, .bold = row == 0, .color = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND), .anchor_y = 0.5};

  cairo_save (cr);
  if (table == NULL) {
    ssapp_set_color (cr, ssapp_style_color (style, row == 0 ? SSAPP_COLOR_DIM : SSAPP_COLOR_GRID_MAJOR));
    cairo_rectangle (cr, x, y - 2, room * (1 - 0.2 * ((row + column) % 3)), row == 0 ? 5 : 3);
    cairo_fill (cr);
  } else if (column < ssapp_table_get_n_columns (table) && row <= ssapp_table_get_n_rows (table)) {
    g_autofree char *title = ssapp_table_get_column_title (table, column);
    cairo_rectangle (cr, x, y - TABLE_ROW, room, 2 * TABLE_ROW);
    cairo_clip (cr);
    ssapp_text_draw (cr, style, &look, x, y, row == 0 ? title : ssapp_table_get_text (table, row - 1, column));
  }
  cairo_restore (cr);
}

/* A table's first rows on white, as figures are. */
static GdkTexture *
draw_table (const SsappTable *table, int scale)
{
  cairo_surface_t *surface =
      cairo_image_surface_create (CAIRO_FORMAT_ARGB32, THUMB_WIDTH * scale, THUMB_HEIGHT * scale);
  cairo_t *cr = cairo_create (surface);
  SsappStyle style;

  ssapp_style_init_paper (&style);
  cairo_scale (cr, scale, scale);
  for (guint row = 0; row < TABLE_ROWS; row++)
    for (guint column = 0; column < TABLE_COLUMNS; column++)
      draw_cell (cr, &style, table, row, column);
  ssapp_set_color (cr, ssapp_style_color (&style, SSAPP_COLOR_DIM));
  for (int line = 0; line < 3; line++) /* above, below the heads, below */
    cairo_rectangle (cr, TABLE_LEFT, TABLE_TOP + (line == 2 ? TABLE_ROWS : line) * TABLE_ROW - 1,
                     THUMB_WIDTH - 2. * TABLE_LEFT, 1);
  cairo_fill (cr);
  cairo_destroy (cr);
  GdkTexture *texture = ssui_texture_new (surface);
  cairo_surface_destroy (surface);
  return texture;
}

/* The user's own picture, else that of the program; of what has none its table. */
static void
load_picture (GtkWidget *thumb)
{
  const SsappPaper *paper = g_object_get_data (G_OBJECT (thumb), "paper");
  GtkPicture *picture = g_object_get_data (G_OBJECT (thumb), "picture");
  json_t *document = ssapp_paper_cached (paper);
  g_autofree char *path = document != NULL ? ssapp_paper_cached_picture (paper, document, 0) : NULL;
  g_autofree char *resource = g_strdup_printf ("%s/papers/%s.png", SSUI_RESOURCE_PATH, paper->name);
  g_autoptr (GPtrArray) tables = document != NULL ? ssapp_paper_read (document) : NULL;

  json_decref (document);
  const int scale = gtk_widget_get_scale_factor (thumb);
  g_autoptr (GdkPixbuf) own =
      path != NULL ? gdk_pixbuf_new_from_file_at_scale (path, THUMB_WIDTH * scale, THUMB_HEIGHT * scale, TRUE, NULL)
                   : NULL;
  if (own != NULL)
    gtk_picture_set_pixbuf (picture, own);
  else if (g_resources_get_info (resource, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL, NULL, NULL))
    gtk_picture_set_resource (picture, resource);
  else {
    g_autoptr (GdkTexture) texture = draw_table (tables != NULL && tables->len > 0 ? tables->pdata[0] : NULL, scale);
    gtk_picture_set_paintable (picture, GDK_PAINTABLE (texture));
  }
}

gboolean
ssui_start_papers_load_next (GtkWidget *papers)
{
  GPtrArray *thumbs = g_object_get_data (G_OBJECT (papers), THUMBS);
  const guint n = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (papers), LOADED));

  if (n >= thumbs->len)
    return FALSE;
  load_picture (g_ptr_array_index (thumbs, n));
  g_object_set_data (G_OBJECT (papers), LOADED, GUINT_TO_POINTER (n + 1));
  return TRUE;
}

void
ssui_start_papers_renew (GtkWidget *papers)
{
  g_object_set_data (G_OBJECT (papers), LOADED, NULL);
}
