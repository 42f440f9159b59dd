/* ui/canvas/ssui-palette.c: see the header. */
#include "ui/canvas/ssui-palette.h"

#define SPACING 2  /* px between tools and between columns */
#define TALL    31 /* px of a tool, where there is room    */
#define LOW     17 /* at least                             */

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

/* How high columns and tools are [px]. */
typedef struct {
  int height, tool;
} Fit;

static void
put (Pen *pen, GtkWidget *child, Fit fit, gboolean allocates)
{
  const gboolean is_separator = GTK_IS_SEPARATOR (child);
  const int w = natural (child, GTK_ORIENTATION_HORIZONTAL),
            h = is_separator ? natural (child, GTK_ORIENTATION_VERTICAL) : fit.tool;

  if (pen->y > 0 && pen->y + h > fit.height) {
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
arrange (GtkWidget *palette, Fit fit, gboolean allocates)
{
  Pen pen = {0};

  for (GtkWidget *child = gtk_widget_get_first_child (palette); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_should_layout (child))
      put (&pen, child, fit, allocates);
  return pen;
}

/* Columns of like height. */
static int
balanced (GtkWidget *palette, int height)
{
  Pen whole = arrange (palette, (Fit){G_MAXINT / 2, TALL}, FALSE), pen;
  const int n = (whole.bottom + height - 1) / height;
  int even = whole.bottom / n;

  do {
    pen = arrange (palette, (Fit){even, TALL}, FALSE);
    even += SPACING;
  } while (pen.x > (n - 1) * (pen.column_width + SPACING) && even <= height);
  return even - SPACING;
}

/* One column, of lower tools if need be, before there are two. */
static Fit
fit_for (GtkWidget *palette, int height)
{
  for (int tool = TALL; tool >= LOW; tool--)
    if (arrange (palette, (Fit){G_MAXINT / 2, tool}, FALSE).bottom <= height)
      return (Fit){height, tool};
  return (Fit){height > 0 ? balanced (palette, height) : G_MAXINT / 2, TALL};
}

static void
measure_tools (GtkWidget *palette, GtkOrientation orientation, int for_size, int *minimum, int *size,
               int *minimum_baseline, int *natural_baseline)
{
  const Fit fit = orientation == GTK_ORIENTATION_HORIZONTAL && for_size > 0 ? fit_for (palette, for_size)
                                                                            : (Fit){G_MAXINT / 2, TALL};
  const Pen pen = arrange (palette, fit, FALSE);

  *minimum = *size = orientation == GTK_ORIENTATION_HORIZONTAL ? pen.x + pen.column_width : pen.bottom;
  if (orientation == GTK_ORIENTATION_VERTICAL)
    *minimum = 0;
  *minimum_baseline = *natural_baseline = -1;
}

static void
allocate_tools (GtkWidget *palette, int width, int height, int baseline)
{
  (void)width;
  (void)baseline;
  arrange (palette, fit_for (palette, height), TRUE);
}

static GtkSizeRequestMode
tools_by_height (GtkWidget *palette)
{
  (void)palette;
  return GTK_SIZE_REQUEST_WIDTH_FOR_HEIGHT;
}

/* ---- tools and sheet --------------------------------------------------------------------------------------------- */

static void
measure_row (GtkWidget *row, GtkOrientation orientation, int for_size, int *minimum, int *size, int *minimum_baseline,
             int *natural_baseline)
{
  int tools, tools_usual, sheet, sheet_usual;

  gtk_widget_measure (gtk_widget_get_first_child (row), orientation,
                      orientation == GTK_ORIENTATION_HORIZONTAL ? for_size : -1, &tools, &tools_usual, NULL, NULL);
  gtk_widget_measure (gtk_widget_get_last_child (row), orientation, -1, &sheet, &sheet_usual, NULL, NULL);
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? tools + sheet : MAX (tools, sheet);
  *size = orientation == GTK_ORIENTATION_HORIZONTAL ? tools_usual + sheet_usual : MAX (tools_usual, sheet_usual);
  *minimum_baseline = *natural_baseline = -1;
}

static void
allocate_row (GtkWidget *row, int width, int height, int baseline)
{
  GtkWidget *palette = gtk_widget_get_first_child (row), *sheet = gtk_widget_get_last_child (row);
  int tools, least;

  gtk_widget_measure (palette, GTK_ORIENTATION_HORIZONTAL, height, NULL, &tools, NULL, NULL);
  gtk_widget_measure (sheet, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  gtk_widget_size_allocate (palette, &(GtkAllocation){0, 0, tools, height}, baseline);
  gtk_widget_size_allocate (sheet, &(GtkAllocation){tools, 0, MAX (least, width - tools), height}, baseline);
}

void
ssui_palette_attach (GtkWidget *row)
{
  gtk_widget_set_layout_manager (gtk_widget_get_first_child (row),
                                 gtk_custom_layout_new (tools_by_height, measure_tools, allocate_tools));
  gtk_widget_set_layout_manager (row, gtk_custom_layout_new (NULL, measure_row, allocate_row));
}
