/* tests/ui/window-walk.c: a library to preload (LD_PRELOAD) into a program of GTK 4: the application's action "walk"
 * looks at every widget on show and at every text that is drawn, and writes what a person could not read or hit.
 * Its parameter is a command, a tab and what the command needs:
 *   size WIDTHxHEIGHT   of the first window [px]       scheme light|dark
 *   look FILE           writes the findings, a line each: kind, where, text, tooltip or number, parted by tabs
 *   keys FILE           writes what the keys do not reach in the window on show (window-walk-keys.c)
 *   popup N             opens the N-th list or menu that a button on show opens, and writes nothing
 *   popdown             closes it                      close       closes all windows but the first
 * The action's state is the number of buttons on show that open a list or menu. WALK_LONG in the environment, words
 * parted by spaces: gettext answers every text with all other words 40 % longer, as a language of long words would.
 * Used by test_walk.py. */
#define _GNU_SOURCE
#include "window-walk.h"

#include <dlfcn.h>
#include <math.h>
#include <pango/pangocairo.h>
#include <stdlib.h>
#include <string.h>

enum { RASTER = 8, CORNERS = 4 };       /* px between the points that are tried; points at corners */
enum { QUIET_MS = 80, MOST_MS = 3000 }; /* nothing to do for so long: the layout has settled */
enum { TOOLTIP_MS = 600 }; /* GTK 4.8 complains where a popover closes before a tooltip's clock has run out */
enum { PAGE_RASTER = 16 }; /* px between the points that are tried all over a page */

/* ---- a language with longer words -------------------------------------------------------------------------------- */

static char **kept_words;        /* not translated: names; NULL: all texts as they are */
static GHashTable *longer_texts; /* text -> longer one */

/* Words of three letters and more get two letters for each five, which say that they were added; formats stay. */
static char *
lengthen (const char *text)
{
  GString *out = g_string_new (NULL);

  for (const char *p = text; *p != '\0';) {
    gsize n = 0;
    while (g_ascii_isalpha (p[n]))
      n++;
    g_autofree char *word = g_strndup (p, n);
    g_string_append (out, word);
    if (n > 2 && (p == text || p[-1] != '%') && !g_strv_contains ((const char *const *)kept_words, word))
      for (gsize i = 0; i < (2 * n + 4) / 5; i++)
        g_string_append_c (out, "eno"[i % 3]);
    p += n;
    if (*p != '\0')
      g_string_append_c (out, *p++);
  }
  return g_string_free (out, FALSE);
}

/* What gettext answers: this language is a translation like others, and comes in by their door. */
static char *
answer (const char *text)
{
  static GMutex mutex;

  if (kept_words == NULL || text == NULL || *text == '\0')
    return (char *)text;
  g_mutex_lock (&mutex);
  if (longer_texts == NULL)
    longer_texts = g_hash_table_new (g_str_hash, g_str_equal);
  char *longer = g_hash_table_lookup (longer_texts, text);
  if (longer == NULL) {
    longer = lengthen (text);
    g_hash_table_insert (longer_texts, g_strdup (text), longer);
  }
  g_mutex_unlock (&mutex);
  return longer;
}

char *
dcgettext (const char *domain, const char *text, int category)
{
  (void)domain;
  (void)category;
  return answer (text);
}

char *
dgettext (const char *domain, const char *text)
{
  (void)domain;
  return answer (text);
}

char *
gettext (const char *text)
{
  return answer (text);
}

char *
dcngettext (const char *domain, const char *one, const char *many, unsigned long n, int category)
{
  (void)domain;
  (void)category;
  return answer (n == 1 ? one : many);
}

char *
dngettext (const char *domain, const char *one, const char *many, unsigned long n)
{
  (void)domain;
  return answer (n == 1 ? one : many);
}

char *
ngettext (const char *one, const char *many, unsigned long n)
{
  return answer (n == 1 ? one : many);
}

/* ---- texts that the program draws by itself ---------------------------------------------------------------------- */

typedef struct {
  cairo_rectangle_t ink; /* in the widget [px] */
  double color[4];       /* alpha -1: no plain colour */
  double rim[4];         /* that parts it from what is behind it; alpha 0: none */
  int draw;              /* which call of the widget's snapshot */
  int width, height;     /* of the widget at that time */
  gboolean is_ellipsized;
  char *text;
} Drawn;

static GtkWidget *drawing; /* whose snapshot is called */
static int n_draws;
static GHashTable *drawn;          /* GtkWidget -> GPtrArray of Drawn */
static GHashTable *real_snapshots; /* GType -> function */
static PangoLayout *rimmed;        /* its outline is the path: a rim where it is stroked next */
static double rim[4];

static void
free_drawn (gpointer data)
{
  g_free (((Drawn *)data)->text);
  g_free (data);
}

static GPtrArray *
drawn_by (GtkWidget *widget)
{
  GPtrArray *list = g_hash_table_lookup (drawn, widget);

  if (list == NULL) {
    list = g_ptr_array_new_with_free_func (free_drawn);
    g_hash_table_insert (drawn, widget, list);
  }
  return list;
}

static void
keep_drawn (cairo_t *cr, PangoLayout *layout)
{
  PangoRectangle ink;
  Drawn *row = g_new0 (Drawn, 1);
  double x, y, x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY;

  pango_layout_get_pixel_extents (layout, &ink, NULL);
  if (!cairo_has_current_point (cr))
    cairo_move_to (cr, 0, 0);
  cairo_get_current_point (cr, &x, &y);
  for (int i = 0; i < 4; i++) {
    double px = x + ink.x + (i % 2 ? ink.width : 0), py = y + ink.y + (i / 2 ? ink.height : 0);
    cairo_user_to_device (cr, &px, &py);
    x0 = MIN (x0, px), x1 = MAX (x1, px), y0 = MIN (y0, py), y1 = MAX (y1, py);
  }
  row->ink = (cairo_rectangle_t){x0, y0, x1 - x0, y1 - y0};
  if (cairo_pattern_get_rgba (cairo_get_source (cr), &row->color[0], &row->color[1], &row->color[2], &row->color[3]) !=
      CAIRO_STATUS_SUCCESS)
    row->color[3] = -1;
  if (layout == rimmed)
    memcpy (row->rim, rim, sizeof rim);
  row->draw = n_draws;
  row->width = gtk_widget_get_width (drawing);
  row->height = gtk_widget_get_height (drawing);
  row->is_ellipsized = pango_layout_is_ellipsized (layout);
  row->text = g_strdup (pango_layout_get_text (layout));
  g_ptr_array_add (drawn_by (drawing), row);
}

void
pango_cairo_show_layout (cairo_t *cr, PangoLayout *layout)
{
  void (*show) (cairo_t *, PangoLayout *) =
      (void (*) (cairo_t *, PangoLayout *))dlsym (RTLD_NEXT, "pango_cairo_show_layout");

  if (drawing != NULL)
    keep_drawn (cr, layout);
  rimmed = NULL;
  show (cr, layout);
}

void
pango_cairo_layout_path (cairo_t *cr, PangoLayout *layout)
{
  void (*path) (cairo_t *, PangoLayout *) =
      (void (*) (cairo_t *, PangoLayout *))dlsym (RTLD_NEXT, "pango_cairo_layout_path");

  rimmed = layout;
  memset (rim, 0, sizeof rim);
  path (cr, layout);
}

void
cairo_stroke (cairo_t *cr)
{
  static void (*stroke) (cairo_t *);

  if (stroke == NULL)
    stroke = (void (*) (cairo_t *))dlsym (RTLD_NEXT, "cairo_stroke");
  if (rimmed != NULL &&
      cairo_pattern_get_rgba (cairo_get_source (cr), &rim[0], &rim[1], &rim[2], &rim[3]) != CAIRO_STATUS_SUCCESS)
    rim[3] = 0;
  stroke (cr);
}

static void
watched_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  void (*real) (GtkWidget *, GtkSnapshot *) = NULL;
  GtkWidget *outer = drawing;

  for (GType type = G_OBJECT_TYPE (widget); real == NULL && type != 0; type = g_type_parent (type))
    real = (void (*) (GtkWidget *, GtkSnapshot *))g_hash_table_lookup (real_snapshots, (gpointer)type);
  drawing = widget;
  n_draws++;
  if (real != NULL)
    real (widget, snapshot);
  drawing = outer;
}

/* Types that draw come into being one by one: each look watches those that are new. */
static void
watch (GType type)
{
  GtkWidgetClass *class;
  guint n;
  GType *below = g_type_children (type, &n);

  if ((g_str_has_prefix (g_type_name (type), "Ssui") || type == GTK_TYPE_DRAWING_AREA) &&
      !g_type_is_a (type, GTK_TYPE_WINDOW) && (class = g_type_class_peek (type)) != NULL &&
      class->snapshot != watched_snapshot) {
    g_hash_table_insert (real_snapshots, (gpointer)type, (gpointer) class->snapshot);
    class->snapshot = watched_snapshot;
  }
  for (guint i = 0; i < n; i++)
    watch (below[i]);
  g_free (below);
}

/* ---- what is on show --------------------------------------------------------------------------------------------- */

typedef struct {
  GtkWidget *widget;
  graphene_rect_t place; /* what is to be seen of it, in the root */
  graphene_rect_t whole;
} Place;

typedef struct {
  GString *out;
  GtkWidget *root;         /* a window or popover */
  GArray *texts, *targets; /* of Place */
  guchar *pixels;          /* BGRA of the root */
  int width, height;       /* of the pixels */
  graphene_rect_t bounds;  /* of the root */
} Look;

gboolean
window_walk_is_seen (GtkWidget *widget)
{
  return gtk_widget_get_mapped (widget) && gtk_widget_get_child_visible (widget) && gtk_widget_get_opacity (widget) > 0;
}

static const char *
tooltip_of (GtkWidget *widget)
{
  for (; widget != NULL && !GTK_IS_NATIVE (widget); widget = gtk_widget_get_parent (widget)) {
    if (gtk_widget_get_tooltip_markup (widget) != NULL)
      return gtk_widget_get_tooltip_markup (widget);
    if (gtk_widget_get_has_tooltip (widget))
      return "asked for";
  }
  return NULL;
}

static void
tell_place (GString *out, GtkWidget *widget)
{
  GString *path = g_string_new (NULL);
  int n = 0;

  for (; widget != NULL && n < 7; widget = gtk_widget_get_parent (widget)) {
    const char *type = G_OBJECT_TYPE_NAME (widget),
               *id = GTK_IS_BUILDABLE (widget) ? gtk_buildable_get_buildable_id (GTK_BUILDABLE (widget)) : NULL;
    g_auto (GStrv) classes = gtk_widget_get_css_classes (widget);
    if (g_str_has_prefix (type, "Ssui") || n == 0 || id != NULL || classes[0] != NULL) {
      g_string_append_printf (path, "%s%s", n > 0 ? " < " : "", type);
      if (id != NULL && !g_str_has_prefix (id, "_"))
        g_string_append_printf (path, "#%s", id);
      for (int i = 0; classes[i] != NULL && i < 3; i++)
        g_string_append_printf (path, ".%s", classes[i]);
      n++;
    }
    if (g_str_has_prefix (type, "Ssui") || GTK_IS_NATIVE (widget))
      break;
  }
  g_string_append (out, path->str);
  g_string_free (path, TRUE);
}

void
window_walk_tell (GString *out, const char *kind, GtkWidget *where, const char *text, const char *more)
{
  g_autofree char *clean = g_strdup (text != NULL ? text : ""), *clean_more = g_strdup (more);

  g_strdelimit (clean, "\t\n", ' ');
  g_strdelimit (clean_more, "\t\n", ' ');
  g_string_append_printf (out, "%s\t", kind);
  tell_place (out, where);
  g_string_append_printf (out, "\t%s\t%s\n", clean, clean_more);
}

G_GNUC_PRINTF (5, 6)
static void
tell (Look *look, const char *kind, GtkWidget *where, const char *text, const char *format, ...)
{
  g_autofree char *more = NULL;
  va_list list;

  va_start (list, format);
  more = g_strdup_vprintf (format, list);
  va_end (list);
  window_walk_tell (look->out, kind, where, text, more);
}

static gboolean
scrolls_sideways (GtkWidget *widget)
{
  GtkPolicyType policy;

  if (!GTK_IS_SCROLLED_WINDOW (widget))
    return FALSE;
  gtk_scrolled_window_get_policy (GTK_SCROLLED_WINDOW (widget), &policy, NULL);
  return policy != GTK_POLICY_NEVER;
}

/* What of the widget is to be seen; whether it is cut at its left or right by something that does not scroll. */
static graphene_rect_t
seen_of (GtkWidget *widget, GtkWidget *root, const graphene_rect_t *whole, gboolean *is_cut)
{
  graphene_rect_t seen = *whole;
  gboolean may_scroll = FALSE;

  *is_cut = FALSE;
  for (GtkWidget *up = gtk_widget_get_parent (widget); up != NULL; up = gtk_widget_get_parent (up)) {
    graphene_rect_t bounds;
    may_scroll = may_scroll || scrolls_sideways (up);
    if ((gtk_widget_get_overflow (up) == GTK_OVERFLOW_HIDDEN || up == root) &&
        gtk_widget_compute_bounds (up, root, &bounds)) {
      const float left = bounds.origin.x - seen.origin.x,
                  right = seen.origin.x + seen.size.width - bounds.origin.x - bounds.size.width;
      if (!may_scroll && (left > 1 || right > 1))
        *is_cut = TRUE;
      if (!graphene_rect_intersection (&seen, &bounds, &seen)) { /* scrolled away */
        *is_cut = FALSE;
        return *graphene_rect_zero ();
      }
    }
    if (up == root)
      break;
  }
  return seen;
}

/* ---- colours ----------------------------------------------------------------------------------------------------- */

static double
linear (double c)
{
  return c <= 0.04045 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4);
}

static double
luminance (const double *c)
{
  return 0.2126 * linear (c[0]) + 0.7152 * linear (c[1]) + 0.0722 * linear (c[2]);
}

/* The most frequent colour of that part of the root: what is behind a text. */
static gboolean
back_of (const Look *look, graphene_rect_t place, double *color)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (NULL, NULL);
  const double scale = look->width / look->bounds.size.width;
  const int x0 = (int)((place.origin.x - look->bounds.origin.x) * scale),
            y0 = (int)((place.origin.y - look->bounds.origin.y) * scale), x1 = x0 + (int)(place.size.width * scale),
            y1 = y0 + (int)(place.size.height * scale);
  int most = 0;

  if (look->pixels == NULL)
    return FALSE;
  for (int y = MAX (y0, 0); y < MIN (y1, look->height); y++)
    for (int x = MAX (x0, 0); x < MIN (x1, look->width); x++) {
      const guchar *p = look->pixels + 4 * ((gsize)y * (gsize)look->width + (gsize)x);
      gpointer key = GINT_TO_POINTER (p[2] << 16 | p[1] << 8 | p[0]);
      const int n = GPOINTER_TO_INT (g_hash_table_lookup (counts, key)) + 1;
      g_hash_table_insert (counts, key, GINT_TO_POINTER (n));
      if (n > most) {
        most = n;
        for (int i = 0; i < 3; i++)
          color[i] = p[2 - i] / 255.;
      }
    }
  return most > 0;
}

/* The contrast of a colour before what is behind it there, or the rim around it (NULL: none); 21 where that cannot be
 * told. */
static double
contrast (const Look *look, graphene_rect_t place, const double *color, const double *around)
{
  double back[3], front[3], a, b;

  if (color[3] < 0 || !back_of (look, place, back))
    return 21;
  for (int i = 0; i < 3 && around != NULL; i++)
    back[i] = around[3] * around[i] + (1 - around[3]) * back[i];
  for (int i = 0; i < 3; i++)
    front[i] = color[3] * color[i] + (1 - color[3]) * back[i];
  a = luminance (front);
  b = luminance (back);
  return (MAX (a, b) + 0.05) / (MIN (a, b) + 0.05);
}

static void
check_contrast (Look *look, GtkLabel *label, const Place *at)
{
  PangoLayout *layout = gtk_label_get_layout (label);
  PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (label));
  const PangoFontDescription *font = pango_context_get_font_description (context);
  const double px = pango_font_description_get_size (font) / (double)PANGO_SCALE *
                    (pango_font_description_get_size_is_absolute (font) ? 1 : 96 / 72.);
  const gboolean is_large = px >= 24 || (px >= 18.66 && pango_font_description_get_weight (font) >= PANGO_WEIGHT_BOLD);
  double alpha = 1, color[4], is;
  GdkRGBA style;

  (void)layout;
  for (GtkWidget *up = GTK_WIDGET (label); up != NULL; up = gtk_widget_get_parent (up)) {
    if (!gtk_widget_is_sensitive (up))
      return; /* what cannot be used may be pale */
    alpha *= gtk_widget_get_opacity (up);
  }
  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (label)), &style);
  color[0] = style.red, color[1] = style.green, color[2] = style.blue, color[3] = style.alpha * alpha;
  is = contrast (look, at->place, color, NULL);
  /* CSS opacity is told by no function: what the pixels hold decides where the colour alone would pass */
  if (is >= (is_large ? 3 : 4.5) && look->pixels != NULL) {
    double back[3], best = 1;
    const double scale = look->width / look->bounds.size.width;
    if (!back_of (look, at->place, back))
      return;
    const double b = luminance (back);
    for (int y = (int)((at->place.origin.y - look->bounds.origin.y) * scale);
         y < (int)((at->place.origin.y + at->place.size.height - look->bounds.origin.y) * scale); y++)
      for (int x = (int)((at->place.origin.x - look->bounds.origin.x) * scale);
           x < (int)((at->place.origin.x + at->place.size.width - look->bounds.origin.x) * scale); x++)
        if (x >= 0 && y >= 0 && x < look->width && y < look->height) {
          const guchar *p = look->pixels + 4 * ((gsize)y * (gsize)look->width + (gsize)x);
          const double c[3] = {p[2] / 255., p[1] / 255., p[0] / 255.}, l = luminance (c);
          best = MAX (best, (MAX (l, b) + 0.05) / (MIN (l, b) + 0.05));
        }
    is = MIN (is, best * 1.08); /* edges of thin strokes are paler than the colour */
  }
  if (is < (is_large ? 3 : 4.5))
    tell (look, "contrast", GTK_WIDGET (label), gtk_label_get_text (label), "%.2f", is);
}

/* ---- texts ------------------------------------------------------------------------------------------------------- */

static gboolean
is_in (GtkWidget *widget, GType type)
{
  return gtk_widget_get_ancestor (widget, type) != NULL;
}

static void
check_label (Look *look, GtkLabel *label, Place *at)
{
  GtkWidget *widget = GTK_WIDGET (label);
  const char *text = gtk_label_get_text (label), *tip = tooltip_of (widget);
  PangoLayout *layout = gtk_label_get_layout (label);
  PangoRectangle ink;
  gboolean is_cut;
  int x, y;

  if (text == NULL || *text == '\0' || strspn (text, " \n") == strlen (text))
    return;
  at->place = seen_of (widget, look->root, &at->whole, &is_cut);
  if (pango_layout_is_ellipsized (layout))
    tell (look, "ellipsized", widget, text, "%s", tip != NULL ? tip : "");
  pango_layout_get_pixel_extents (layout, &ink, NULL);
  gtk_label_get_layout_offsets (label, &x, &y);
  if (is_cut || ink.x + x < -2 || x + ink.x + ink.width > gtk_widget_get_width (widget) + 2)
    tell (look, "cut", widget, text, "%s", tip != NULL ? tip : "");
  if (at->place.size.width < 2 || at->place.size.height < 2)
    return;
  const Place all = *at; /* what is behind the letters is seen around them */
  at->whole = GRAPHENE_RECT_INIT (at->whole.origin.x + (float)(x + ink.x), at->whole.origin.y + (float)(y + ink.y),
                                  (float)ink.width, (float)ink.height);
  if (!graphene_rect_intersection (&at->whole, &at->place, &at->place))
    return;
  g_array_append_val (look->texts, *at);
  if (at->place.size.height * 2 > at->whole.size.height) /* a sliver of a row that is scrolled away tells nothing */
    check_contrast (look, label, &all);
}

static void
check_drawn (Look *look, GtkWidget *widget, const Place *at)
{
  GPtrArray *list = drawn_by (widget);
  const int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  for (guint i = 0; i < list->len; i++) {
    const Drawn *a = g_ptr_array_index (list, i);
    const graphene_rect_t place =
        GRAPHENE_RECT_INIT (at->whole.origin.x + (float)a->ink.x, at->whole.origin.y + (float)a->ink.y,
                            (float)a->ink.width, (float)a->ink.height);
    double is;
    if (a->width != width || a->height != height)
      continue;
    if (a->ink.x >= width || a->ink.y >= height || a->ink.x + a->ink.width <= 0 || a->ink.y + a->ink.height <= 0)
      continue; /* all of it: clipped, as what a sheet has farther away */
    if (a->is_ellipsized)
      tell (look, "ellipsized", widget, a->text, "drawn");
    if (a->ink.x < -1 || a->ink.y < -1 || a->ink.x + a->ink.width > width + 1 || a->ink.y + a->ink.height > height + 1)
      tell (look, "outside", widget, a->text, "%.0f,%.0f %.0fx%.0f in %dx%d", a->ink.x, a->ink.y, a->ink.width,
            a->ink.height, width, height);
    is = contrast (look, place, a->color, a->rim);
    if (is < 4.5)
      tell (look, "contrast", widget, a->text, "%.2f", is);
    for (guint k = i + 1; k < list->len; k++) {
      const Drawn *b = g_ptr_array_index (list, k);
      if (b->draw == a->draw && b->width == width && b->height == height &&
          MIN (a->ink.x + a->ink.width, b->ink.x + b->ink.width) - MAX (a->ink.x, b->ink.x) > 2 &&
          MIN (a->ink.y + a->ink.height, b->ink.y + b->ink.height) - MAX (a->ink.y, b->ink.y) > 3)
        tell (look, "overlap", widget, a->text, "%s", b->text);
    }
  }
}

static void
check_overlaps (Look *look)
{
  for (guint i = 0; i < look->texts->len; i++)
    for (guint k = i + 1; k < look->texts->len; k++) {
      const Place *a = &g_array_index (look->texts, Place, i), *b = &g_array_index (look->texts, Place, k);
      graphene_rect_t both;
      if (graphene_rect_intersection (&a->place, &b->place, &both) && both.size.width > 2 && both.size.height > 3)
        tell (look, "overlap", a->widget, gtk_label_get_text (GTK_LABEL (a->widget)), "%s",
              gtk_label_get_text (GTK_LABEL (b->widget)));
    }
}

/* ---- what answers a click ---------------------------------------------------------------------------------------- */

static gboolean
has_gesture (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GObject) controller = g_list_model_get_item (controllers, i);
    if (GTK_IS_GESTURE_SINGLE (controller) &&
        gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (controller)) != GDK_BUTTON_SECONDARY)
      return TRUE;
  }
  return FALSE;
}

static gboolean
answers (GtkWidget *widget)
{
  if (GTK_IS_LIST_BOX_ROW (widget))
    return gtk_list_box_row_get_activatable (GTK_LIST_BOX_ROW (widget));
  return GTK_IS_BUTTON (widget) || GTK_IS_MENU_BUTTON (widget) || GTK_IS_CHECK_BUTTON (widget) ||
         GTK_IS_SWITCH (widget) || GTK_IS_EDITABLE (widget) || GTK_IS_RANGE (widget) || GTK_IS_DROP_DOWN (widget) ||
         (g_str_has_prefix (G_OBJECT_TYPE_NAME (widget), "Ssui") && has_gesture (widget));
}

/* A button that nothing listens to. */
static void
check_button (Look *look, GtkWidget *widget)
{
  const char *action = gtk_actionable_get_action_name (GTK_ACTIONABLE (widget));
  GtkWidget *parent = gtk_widget_get_parent (widget), *child = gtk_button_get_child (GTK_BUTTON (widget));
  const gboolean has_handler =
      g_signal_has_handler_pending (widget, g_signal_lookup ("clicked", GTK_TYPE_BUTTON), 0, TRUE);

  if (action == NULL && !has_handler && G_OBJECT_TYPE (widget) == GTK_TYPE_BUTTON &&
      !is_in (widget, GTK_TYPE_WINDOW_CONTROLS) && !GTK_IS_SPIN_BUTTON (parent) && !GTK_IS_MENU_BUTTON (parent) &&
      !is_in (widget, GTK_TYPE_CALENDAR))
    tell (look, "deaf", widget, gtk_button_get_label (GTK_BUTTON (widget)), "no action and no handler");
  if ((GTK_IS_IMAGE (child) || gtk_button_get_icon_name (GTK_BUTTON (widget)) != NULL) && tooltip_of (widget) == NULL &&
      !is_in (widget, GTK_TYPE_WINDOW_CONTROLS) && !GTK_IS_SPIN_BUTTON (parent) &&
      !is_in (widget, GTK_TYPE_SCALE_BUTTON) && !GTK_IS_NATIVE (look->root) == FALSE)
    tell (look, "no-tip", widget, gtk_button_get_icon_name (GTK_BUTTON (widget)), "icon without a word");
}

static GtkWidget *
who_answers (GtkWidget *widget)
{
  while (widget != NULL && !answers (widget) && strcmp (G_OBJECT_TYPE_NAME (widget), "GtkPanedHandle") != 0)
    widget = gtk_widget_get_parent (widget);
  return widget;
}

static void
check_clicks (Look *look)
{
  for (guint i = 0; i < look->targets->len; i++) {
    const Place *at = &g_array_index (look->targets, Place, i);
    GtkWidget *covers = NULL;
    int n = 0, n_dead = 0, n_covered = 0, dead_x = 0, dead_y = 0;
    for (float y = at->place.origin.y + 3; y < at->place.origin.y + at->place.size.height - 2; y += RASTER)
      for (float x = at->place.origin.x + 3; x < at->place.origin.x + at->place.size.width - 2; x += RASTER) {
        GtkWidget *hit = gtk_widget_pick (look->root, x, y, GTK_PICK_DEFAULT), *who = who_answers (hit);
        n++;
        if (hit != NULL && (hit == at->widget || gtk_widget_is_ancestor (hit, at->widget)))
          continue;
        if (who != NULL && who != at->widget && !gtk_widget_is_ancestor (at->widget, who)) {
          n_covered++;
          continue;
        }
        n_dead++;
        covers = hit;
        dead_x = (int)x;
        dead_y = (int)y;
      }
    if (n_dead > CORNERS && n_dead * 33 > n) /* corners are round */
      tell (look, "dead", at->widget, gtk_widget_get_tooltip_text (at->widget),
            "%d of %d points, such as %d,%d below %s", n_dead, n, dead_x, dead_y,
            covers != NULL ? G_OBJECT_TYPE_NAME (covers) : "nothing");
    if (n_covered * 2 > n)
      tell (look, "covered", at->widget, gtk_widget_get_tooltip_text (at->widget), "%d of %d points", n_covered, n);
  }
}

/* Points where a control stands that cannot be used, and a click goes to another one behind it. */
static void
check_page (Look *look)
{
  g_autoptr (GHashTable) told = g_hash_table_new (NULL, NULL);

  for (float y = PAGE_RASTER / 2.F; y < look->bounds.size.height; y += PAGE_RASTER)
    for (float x = PAGE_RASTER / 2.F; x < look->bounds.size.width; x += PAGE_RASTER) {
      GtkWidget *seen = who_answers (gtk_widget_pick (look->root, x, y, GTK_PICK_INSENSITIVE)),
                *hit = who_answers (gtk_widget_pick (look->root, x, y, GTK_PICK_DEFAULT));
      graphene_rect_t bounds; /* a scale's knob reaches over it */
      if (seen == NULL || !gtk_widget_compute_bounds (seen, look->root, &bounds) ||
          !graphene_rect_contains_point (&bounds, &GRAPHENE_POINT_INIT (x, y)))
        continue;
      if (hit != NULL && hit != seen && !gtk_widget_is_sensitive (seen) && !gtk_widget_is_ancestor (seen, hit) &&
          g_hash_table_add (told, seen))
        tell (look, "through", seen, gtk_widget_get_tooltip_text (seen), "%.0f,%.0f goes to %s", x, y,
              G_OBJECT_TYPE_NAME (hit));
    }
}

/* A row of a menu that cannot be used and does not say why. */
static void
check_menu_row (Look *look, GtkWidget *widget)
{
  g_autofree char *text = NULL;

  if (strcmp (G_OBJECT_TYPE_NAME (widget), "GtkModelButton") != 0 || gtk_widget_is_sensitive (widget))
    return;
  g_object_get (widget, "text", &text, NULL);
  tell (look, "idle", widget, text, "a row of a menu that cannot be used");
}

/* A row with one switch or tick that a click on its words does not reach. */
static void
count_controls (GtkWidget *widget, int *n, int *n_ticks)
{
  if (!gtk_widget_get_visible (widget))
    return;
  if (GTK_IS_SWITCH (widget) || GTK_IS_CHECK_BUTTON (widget))
    (*n_ticks)++;
  if (answers (widget) && !GTK_IS_LIST_BOX_ROW (widget)) {
    (*n)++;
    return;
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    count_controls (child, n, n_ticks);
}

static void
check_row (Look *look, GtkListBoxRow *row)
{
  int n = 0, n_ticks = 0;

  count_controls (GTK_WIDGET (row), &n, &n_ticks);
  if (n == 1 && n_ticks == 1 && !gtk_list_box_row_get_activatable (row) && gtk_widget_is_sensitive (GTK_WIDGET (row)))
    tell (look, "dead", GTK_WIDGET (row),
          ADW_IS_PREFERENCES_ROW (row) ? adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)) : "",
          "words beside a switch");
}

/* ---- the walk ---------------------------------------------------------------------------------------------------- */

static void
walk (Look *look, GtkWidget *widget)
{
  Place at = {.widget = widget};
  gboolean is_cut;

  if (!window_walk_is_seen (widget) || (widget != look->root && GTK_IS_NATIVE (widget)) ||
      !gtk_widget_compute_bounds (widget, look->root, &at.whole))
    return;
  if (GTK_IS_LABEL (widget))
    check_label (look, GTK_LABEL (widget), &at);
  at.place = seen_of (widget, look->root, &at.whole, &is_cut);
  if (at.place.size.width > 4 && at.place.size.height > 4) {
    if (gtk_widget_is_sensitive (widget) && answers (widget)) {
      g_array_append_val (look->targets, at);
      if (is_cut)
        tell (look, "cut", widget, gtk_widget_get_tooltip_text (widget), "a control");
    }
    if (GTK_IS_BUTTON (widget) && gtk_widget_is_sensitive (widget))
      check_button (look, widget);
    check_menu_row (look, widget);
    if (GTK_IS_LIST_BOX_ROW (widget))
      check_row (look, GTK_LIST_BOX_ROW (widget));
    if (g_hash_table_contains (drawn, widget))
      check_drawn (look, widget, &at);
    if (strcmp (G_OBJECT_TYPE_NAME (widget), "SsuiCanvas") == 0 ||
        strcmp (G_OBJECT_TYPE_NAME (widget), "SsuiMotionView") == 0)
      tell (look, "size", widget, "", "%.0f x %.0f", at.place.size.width, at.place.size.height);
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    walk (look, child);
}

static void
take_pixels (Look *look)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (look->root);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;

  gdk_paintable_snapshot (paintable, snapshot, gdk_paintable_get_intrinsic_width (paintable),
                          gdk_paintable_get_intrinsic_height (paintable));
  node = gtk_snapshot_free_to_node (snapshot);
  if (node == NULL)
    return;
  texture =
      gsk_renderer_render_texture (gtk_native_get_renderer (GTK_NATIVE (look->root)), node,
                                   &GRAPHENE_RECT_INIT (0, 0, (float)gdk_paintable_get_intrinsic_width (paintable),
                                                        (float)gdk_paintable_get_intrinsic_height (paintable)));
  look->width = gdk_texture_get_width (texture);
  look->height = gdk_texture_get_height (texture);
  look->pixels = g_malloc0 (4 * (gsize)look->width * (gsize)look->height);
  gdk_texture_download (texture, look->pixels, 4 * (gsize)look->width);
}

static void
look_at (GtkWidget *root, GString *out)
{
  Look look = {.out = out, .root = root};

  if (!window_walk_is_seen (root) || !gtk_widget_compute_bounds (root, root, &look.bounds))
    return;
  look.texts = g_array_new (FALSE, FALSE, sizeof (Place));
  look.targets = g_array_new (FALSE, FALSE, sizeof (Place));
  take_pixels (&look);
  walk (&look, root);
  check_overlaps (&look);
  check_clicks (&look);
  check_page (&look);
  g_array_unref (look.texts);
  g_array_unref (look.targets);
  g_free (look.pixels);
}

static void
settle (void)
{
  const gint64 end = g_get_monotonic_time () + MOST_MS * 1000;
  gint64 busy = g_get_monotonic_time ();

  while (g_get_monotonic_time () < end && g_get_monotonic_time () < busy + QUIET_MS * 1000)
    if (g_main_context_iteration (NULL, FALSE))
      busy = g_main_context_pending (NULL) ? g_get_monotonic_time () : busy;
    else
      g_usleep (2000);
}

/* Waits for the size: on a busy machine the window manager answers long after the window has nothing to do. A window
 * that cannot be so small keeps its own. */
static void
set_size (GtkWidget *window, int width, int height)
{
  const gint64 end = g_get_monotonic_time () + MOST_MS * 1000;

  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  while (g_get_monotonic_time () < end &&
         (gtk_widget_get_width (window) != width || gtk_widget_get_height (window) != height))
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (2000);
}

static GtkWidget *
first_window (void)
{
  GtkApplication *application = GTK_APPLICATION (g_application_get_default ());
  GList *windows = gtk_application_get_windows (application);

  for (; windows != NULL; windows = windows->next)
    if (GTK_IS_APPLICATION_WINDOW (windows->data))
      return windows->data;
  return NULL;
}

static void
find_popovers (GtkWidget *widget, GPtrArray *found)
{
  if (GTK_IS_POPOVER (widget) && window_walk_is_seen (widget))
    g_ptr_array_add (found, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    find_popovers (child, found);
}

/* Not scrolled away: nobody could press it there. */
static gboolean
can_be_pressed (GtkWidget *widget)
{
  GtkWidget *root = GTK_WIDGET (gtk_widget_get_root (widget));
  graphene_rect_t whole;
  gboolean is_cut;

  if (!gtk_widget_is_sensitive (widget) || !gtk_widget_compute_bounds (widget, root, &whole))
    return FALSE;
  whole = seen_of (widget, root, &whole, &is_cut);
  return whole.size.width > 4 && whole.size.height > 4;
}

static void
find_openers (GtkWidget *widget, GPtrArray *found)
{
  if (!window_walk_is_seen (widget))
    return;
  if ((GTK_IS_MENU_BUTTON (widget) || GTK_IS_DROP_DOWN (widget)) && can_be_pressed (widget))
    g_ptr_array_add (found, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (!GTK_IS_NATIVE (child))
      find_openers (child, found);
}

static GPtrArray *
openers (void)
{
  GPtrArray *found = g_ptr_array_new ();

  if (first_window () != NULL)
    find_openers (first_window (), found);
  return found;
}

static void
find_stacks (GtkWidget *widget, GPtrArray *found)
{
  if (GTK_IS_STACK (widget))
    g_ptr_array_add (found, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    find_stacks (child, found);
}

/* A popover, each menu within a menu too. */
static void
look_at_popover (GtkWidget *popover, GString *out)
{
  g_autoptr (GPtrArray) stacks = g_ptr_array_new ();

  if (GTK_IS_POPOVER_MENU (popover))
    find_stacks (popover, stacks);
  if (stacks->len == 0) {
    look_at (popover, out);
    return;
  }
  g_autoptr (GtkSelectionModel) pages = gtk_stack_get_pages (g_ptr_array_index (stacks, 0));
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (pages)); i++) {
    g_autoptr (GObject) page = g_list_model_get_item (G_LIST_MODEL (pages), i);
    g_object_set (popover, "visible-submenu", gtk_stack_page_get_name (GTK_STACK_PAGE (page)), NULL);
    settle ();
    look_at (popover, out);
  }
}

/* Windows and dialogs; where a popover is open it alone: the rest was looked at before. */
static void
look_everywhere (const char *path)
{
  GString *out = g_string_new (NULL);
  GListModel *toplevels = gtk_window_get_toplevels ();
  g_autoptr (GPtrArray) popovers = g_ptr_array_new ();

  for (guint i = 0; i < g_list_model_get_n_items (toplevels); i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (toplevels, i);
    find_popovers (window, popovers);
  }
  for (guint i = 0; i < popovers->len; i++)
    look_at_popover (g_ptr_array_index (popovers, i), out);
  for (guint i = 0; popovers->len == 0 && i < g_list_model_get_n_items (toplevels); i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (toplevels, i);
    if (g_list_model_get_n_items (toplevels) == 1 || window != first_window ())
      look_at (window, out);
  }
  g_file_set_contents (path, out->str, -1, NULL);
  g_string_free (out, TRUE);
}

/* The keys have the window that was opened last. */
static void
look_at_keys (const char *path)
{
  GString *out = g_string_new (NULL);
  GListModel *toplevels = gtk_window_get_toplevels ();
  GtkWidget *last = first_window ();

  for (guint i = 0; i < g_list_model_get_n_items (toplevels); i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (toplevels, i);
    if (window != first_window () && window_walk_is_seen (window))
      last = window;
  }
  window_walk_keys (GTK_WINDOW (last), out);
  g_file_set_contents (path, out->str, -1, NULL);
  g_string_free (out, TRUE);
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

static void
do_popup (int n)
{
  g_autoptr (GPtrArray) found = openers ();

  if (n >= (int)found->len)
    return;
  if (GTK_IS_MENU_BUTTON (g_ptr_array_index (found, n)))
    gtk_menu_button_popup (g_ptr_array_index (found, n));
  else
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (gtk_widget_get_first_child (g_ptr_array_index (found, n))), TRUE);
}

static void
do_popdown (void)
{
  g_autoptr (GPtrArray) popovers = g_ptr_array_new ();

  g_usleep (TOOLTIP_MS * 1000);
  settle ();
  find_popovers (first_window (), popovers);
  for (guint i = 0; i < popovers->len; i++)
    gtk_popover_popdown (g_ptr_array_index (popovers, i));
}

static void
do_close (void)
{
  g_autoptr (GPtrArray) others = g_ptr_array_new_with_free_func (g_object_unref);
  GListModel *toplevels = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (toplevels); i++) {
    GtkWidget *window = g_list_model_get_item (toplevels, i);
    if (window != first_window ())
      g_ptr_array_add (others, window);
    else
      g_object_unref (window);
  }
  for (guint i = 0; i < others->len; i++)
    gtk_window_close (g_ptr_array_index (others, i));
}

static void
on_walk (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_auto (GStrv) words = g_strsplit (g_variant_get_string (parameter, NULL), "\t", 2);
  g_autoptr (GPtrArray) found = NULL;
  int width, height;

  (void)data;
  watch (GTK_TYPE_WIDGET);
  if (strcmp (words[0], "scheme") == 0) /* colours of before say nothing about what is behind them then */
    g_hash_table_remove_all (drawn);
  if (strcmp (words[0], "size") == 0 && sscanf (words[1], "%dx%d", &width, &height) == 2)
    set_size (GTK_WIDGET (first_window ()), width, height);
  else if (strcmp (words[0], "scheme") == 0)
    adw_style_manager_set_color_scheme (adw_style_manager_get_default (), strcmp (words[1], "dark") == 0
                                                                              ? ADW_COLOR_SCHEME_FORCE_DARK
                                                                              : ADW_COLOR_SCHEME_FORCE_LIGHT);
  else if (strcmp (words[0], "popup") == 0)
    do_popup (atoi (words[1]));
  else if (strcmp (words[0], "popdown") == 0)
    do_popdown ();
  else if (strcmp (words[0], "close") == 0)
    do_close ();
  settle ();
  if (strcmp (words[0], "keys") == 0)
    look_at_keys (words[1]);
  if (strcmp (words[0], "look") == 0) {
    look_everywhere (words[1]);
    g_hash_table_remove_all (drawn);
  }
  found = openers ();
  g_simple_action_set_state (action, g_variant_new_int32 ((int)found->len));
}

int
g_application_run (GApplication *application, int argc, char **argv)
{
  int (*run) (GApplication *, int, char **) =
      (int (*) (GApplication *, int, char **))dlsym (RTLD_NEXT, "g_application_run");
  g_autoptr (GSimpleAction) action =
      g_simple_action_new_stateful ("walk", G_VARIANT_TYPE_STRING, g_variant_new_int32 (0));

  unsetenv ("LD_PRELOAD"); /* not for the workers */
  if (g_getenv ("WALK_LONG") != NULL)
    kept_words = g_strsplit (g_getenv ("WALK_LONG"), " ", -1);
  drawn = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref);
  real_snapshots = g_hash_table_new (NULL, NULL);
  g_signal_connect (action, "activate", G_CALLBACK (on_walk), NULL);
  g_action_map_add_action (G_ACTION_MAP (application), G_ACTION (action));
  return run (application, argc, argv);
}
