/* ui/canvas/ssui-palette.c: see the header. The overlay says how high it is before the palette is measured. */
#include "ui/canvas/ssui-palette.h"

#include "ui/canvas/ssui-canvas.h"

#define SPACING     2  /* px between tools and between columns                */
#define FREE_BOTTOM 44 /* px of the canvas kept free below: the scale bar     */
#define BELOW       44 /* px lower where the options at the top have no room  */
#define GAP         8  /* px between the tools and what is beside them        */
#define HEIGHT_KEY  "palette-height"
#define OPTIONS_KEY "palette-options"

static int
natural (GtkWidget *child, GtkOrientation orientation)
{
  int size;

  gtk_widget_measure (child, orientation, -1, NULL, &size, NULL, NULL);
  return size;
}

/* Where a new column begins: what does not fit under `height`. */
typedef struct {
  int x, y, column_width, bottom;
} Pen;

static void
put (Pen *pen, GtkWidget *child, int height, gboolean allocates)
{
  const int w = natural (child, GTK_ORIENTATION_HORIZONTAL), h = natural (child, GTK_ORIENTATION_VERTICAL);
  gboolean is_separator = GTK_IS_SEPARATOR (child);

  if (pen->y > 0 && pen->y + h > height) {
    pen->x += pen->column_width + SPACING;
    pen->y = 0;
  }
  if (is_separator && allocates) /* none at the top of a column */
    gtk_widget_set_child_visible (child, pen->y > 0);
  if (is_separator && pen->y == 0)
    return;
  pen->column_width = MAX (pen->column_width, w);
  if (allocates)
    gtk_widget_size_allocate (child, &(GtkAllocation){pen->x, pen->y, is_separator ? MAX (pen->column_width, w) : w, h},
                              -1);
  pen->y += h + SPACING;
  pen->bottom = MAX (pen->bottom, pen->y - SPACING);
}

static Pen
arrange (GtkWidget *palette, int height, gboolean allocates)
{
  Pen pen = {0};

  for (GtkWidget *child = gtk_widget_get_first_child (palette); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_should_layout (child))
      put (&pen, child, height, allocates);
  return pen;
}

/* Columns of like height. */
static int
balanced (GtkWidget *palette, int height)
{
  Pen whole = arrange (palette, G_MAXINT / 2, FALSE), pen;
  int n, even;

  if (whole.bottom <= height || height <= 0)
    return whole.bottom;
  n = (whole.bottom + height - 1) / height;
  even = whole.bottom / n;
  do {
    pen = arrange (palette, even, FALSE);
    even += SPACING;
  } while (pen.x > (n - 1) * (pen.column_width + SPACING) && even <= height);
  return even - SPACING;
}

static int
height_of (GtkWidget *palette)
{
  int height = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (palette), HEIGHT_KEY));
  return height > 0 ? height : G_MAXINT / 2;
}

/* Naturally one column; less than that is laid out anew, so that nothing depends on what was measured before. */
static void
measure (GtkWidget *palette, GtkOrientation orientation, int for_size, int *minimum, int *size, int *minimum_baseline,
         int *natural_baseline)
{
  Pen pen = arrange (palette, G_MAXINT / 2, FALSE);

  (void)for_size;
  *size = orientation == GTK_ORIENTATION_HORIZONTAL ? pen.column_width : pen.bottom;
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? pen.column_width : 0;
  *minimum_baseline = *natural_baseline = -1;
}

static void
allocate (GtkWidget *palette, int width, int height, int baseline)
{
  (void)width;
  (void)height;
  (void)baseline;
  arrange (palette, height_of (palette), TRUE);
}

static gboolean
place (GtkOverlay *overlay, GtkWidget *child, GdkRectangle *allocation, GtkWidget *palette)
{
  const int room = gtk_widget_get_width (GTK_WIDGET (overlay));
  GtkWidget *options = g_object_get_data (G_OBJECT (palette), OPTIONS_KEY);
  int around_x, around_y, y = 0;
  Pen whole;

  if (child != palette)
    return FALSE;
  whole = arrange (palette, G_MAXINT / 2, FALSE);
  around_x = natural (palette, GTK_ORIENTATION_HORIZONTAL) - whole.column_width; /* margins, padding */
  around_y = natural (palette, GTK_ORIENTATION_VERTICAL) - whole.bottom;
  for (;; y = BELOW) {
    int height = balanced (palette, gtk_widget_get_height (GTK_WIDGET (overlay)) - around_y - FREE_BOTTOM - y);
    Pen pen = arrange (palette, height, FALSE);
    g_object_set_data (G_OBJECT (palette), HEIGHT_KEY, GINT_TO_POINTER (height));
    *allocation = (GdkRectangle){0, y, around_x + pen.x + pen.column_width, around_y + pen.bottom};
    if (y == BELOW || allocation->width + GAP + natural (options, GTK_ORIENTATION_HORIZONTAL) <= room)
      break;
  }
  ssui_canvas_set_left (SSUI_CANVAS (gtk_overlay_get_child (overlay)), allocation->width + GAP,
                        allocation->y + allocation->height);
  return TRUE;
}

void
ssui_palette_attach (GtkOverlay *overlay, GtkWidget *palette, GtkWidget *options)
{
  g_object_set_data (G_OBJECT (palette), OPTIONS_KEY, options);
  gtk_widget_set_halign (palette, GTK_ALIGN_FILL); /* of what `place` gives it */
  gtk_widget_set_valign (palette, GTK_ALIGN_FILL);
  gtk_widget_set_layout_manager (palette, gtk_custom_layout_new (NULL, measure, allocate));
  g_signal_connect (overlay, "get-child-position", G_CALLBACK (place), palette);
}
