/* app/study/ssapp-chart-heat.c: heat maps, one for each method, side by side on one colour scale. */
#include "app/study/ssapp-chart-private.h"

#include <math.h>

/* Font sizes. */
static const double CELL_HEIGHT = 1.9, LEAST_CELL = 0.9, LINE = 1.4, MAP_GAP = 1.6, HEADING = 1.7, BAR_HEIGHT = 0.9,
                    KEY = 1.6, LEAST_MAP = 6.;
/* px at 100 % */
static const double GAP_PX = 1.5, CORNER_PX = 3., CROSS_PX = 3.2, SELECTED_PX = 2.;
static const double NUMBER_SIZE = 0.88;                       /* of the font size */
static const double HEADING_SIZE = 1.05, HEADING_STEP = 1.25; /* of the font size */
enum {
  HEADING_LINES = 3,
  MOST_KEYS = 5,
  N_STOPS = 16,
  N_LEVELS = 128
}; /* of the ramp; of the colours of cells: a step is not seen */

/* Where everything is, for drawing and for picking alike. */
typedef struct {
  guint columns, rows;          /* of maps */
  double left;                  /* room for the labels of the y axis */
  double map_width, map_height; /* of the cells of a map */
  double cell_width, cell_height;
  double step_x, step_y;   /* from a map to the next one */
  double footer;           /* height of the colour bar and the key */
  double heading;          /* height above each map, in font sizes: as many lines as the longest label needs */
  gboolean is_footer_tall; /* key below the bar */
} Layout;

/* ---- layout ------------------------------------------------------------------------------------------------------ */

static double
text_width (const SsappStyle *style, double size, const char *text)
{
  double width;
  ssapp_text_measure (style, size, FALSE, text, &width, NULL);
  return width;
}

static double
y_labels_width (const SsappChart *self, const SsappStyle *style)
{
  double widest = 0;

  if (self->spec.y_axis < 0)
    return 0;
  const SsappRunAxis *axis = ssapp_chart_way_axis (self, 1);
  for (guint i = 0; i < axis->n_values; i++)
    widest = MAX (widest, text_width (style, style->font_size, axis->texts[i]));
  return widest + 2.2 * style->font_size; /* the title stands beside them */
}

typedef enum { CELL_EMPTY, CELL_VALUE, CELL_CROSS, CELL_SLOW, CELL_RUNNING, CELL_QUEUED } CellKind;

static CellKind
kind_of (const SsappChart *self, const SsappChartCell *cell)
{
  if (cell->n_runs == 0 || cell->item == SSAPP_NO_ITEM)
    return CELL_EMPTY;
  if (isfinite (cell->value))
    return CELL_VALUE;
  if (cell->n_running > 0)
    return CELL_RUNNING;
  if (cell->n_slow > 0)
    return CELL_SLOW;
  return ssapp_chart_item (self, cell->item)->state == SSAPP_RUN_QUEUED ? CELL_QUEUED : CELL_CROSS;
}

/* Words of the key that are needed. */
static guint
list_keys (const SsappChart *self, const char *words[MOST_KEYS])
{
  const gboolean is_solved = strcmp (ssapp_run_set_done (self->set), "solved") == 0;
  gboolean has[CELL_QUEUED + 1] = {FALSE}, has_part = FALSE;
  guint n = 0;

  for (guint c = 0; c < self->n_shown * self->n_x * self->n_y; c++) {
    has[kind_of (self, &self->cells[c])] = TRUE;
    has_part = has_part || (self->cells[c].n_solved > 0 && self->cells[c].n_solved < self->cells[c].n_runs);
  }
  if (has[CELL_CROSS])
    words[n++] = is_solved ? "not solved" : "not completed";
  if (has[CELL_SLOW])
    words[n++] = SSAPP_SLOW_WORDS;
  if (has_part)
    words[n++] = is_solved ? "partly solved" : "partly completed";
  if (has[CELL_RUNNING])
    words[n++] = "running";
  if (has[CELL_QUEUED])
    words[n++] = "queued";
  return n;
}

static double
keys_width (const SsappChart *self, const SsappStyle *style)
{
  const char *words[MOST_KEYS];
  double width = 0;

  for (guint k = 0, n = list_keys (self, words); k < n; k++)
    width += KEY * style->font_size + 0.5 * style->font_size + text_width (style, style->font_size, words[k]) +
             1.2 * style->font_size;
  return width;
}

static double
bar_width (const SsappStyle *style, double width)
{
  return MIN (15 * style->font_size, 0.5 * width);
}

/* As many maps beside one another as are wide enough; in a low picture as gives the largest cells. */
static guint
choose_columns (const SsappChart *self, const SsappStyle *style, double room, double height)
{
  const double font = style->font_size, around = font * (HEADING + 2 * LINE + 0.4), footer = 5 * font;
  const guint n = self->n_shown;
  guint wide = n, best = 1;
  double largest = -INFINITY;

  for (; wide > 1; wide--)
    if ((room - (wide - 1) * MAP_GAP * font) / wide >= MAX (LEAST_MAP * font, self->n_x * 1.15 * font))
      break;
  const double cell = ((height - footer) / ((n + wide - 1) / wide) - around) / self->n_y;
  if (cell >= LEAST_CELL * font)
    return wide;
  for (guint columns = 1; columns <= n; columns++) {
    const double cell_width = (room - (columns - 1) * MAP_GAP * font) / columns / self->n_x;
    const double cell_height = ((height - footer) / ((n + columns - 1) / columns) - around) / self->n_y;
    if (MIN (cell_width, cell_height) > largest) {
      largest = MIN (cell_width, cell_height);
      best = columns;
    }
  }
  return best;
}

char *
ssapp_chart_cut (const SsappStyle *style, double size, gboolean bold, const char *text, double width)
{
  g_return_val_if_fail (style != NULL && text != NULL, NULL);
  char *cut = g_strdup (text);
  double wide;

  for (glong n = g_utf8_strlen (text, -1); n > 1; n--) {
    ssapp_text_measure (style, size, bold, cut, &wide, NULL);
    if (wide <= width)
      break;
    g_autofree char *part = g_utf8_substring (text, 0, n - 1);
    g_free (cut);
    cut = g_strconcat (part, "…", NULL);
  }
  return cut;
}

/* A label in lines that fit, the last one cut where there are more than HEADING_LINES; g_strfreev. */
static GStrv
wrap_heading (const SsappStyle *style, const char *label, double width)
{
  const double size = HEADING_SIZE * style->font_size, room = width - 1.2 * style->font_size;
  GStrv lines = ssapp_text_wrap (style, size, TRUE, label, room, HEADING_LINES);

  for (guint i = 0; lines[i] != NULL; i++) {
    g_autofree char *whole = lines[i];
    lines[i] = ssapp_chart_cut (style, size, TRUE, whole, room);
  }
  return lines;
}

/* Beside the last map of a row there is none whose room it could take. */
static double
heading_width (const Layout *l, const SsappStyle *style, guint map)
{
  return l->map_width + ((map + 1) % l->columns != 0 ? 0.8 * MAP_GAP * style->font_size : 0);
}

static void
lay_out (const SsappChart *self, const SsappStyle *style, double width, double height, Layout *l)
{
  const double font = style->font_size;
  const guint n = self->n_shown;

  l->left = y_labels_width (self, style);
  const double room = width - l->left - 0.3 * font;
  l->columns = choose_columns (self, style, room, height);
  l->rows = (n + l->columns - 1) / l->columns;
  l->columns = (n + l->rows - 1) / l->rows; /* rows of about as many */
  l->map_width = MAX ((room - (l->columns - 1) * MAP_GAP * font) / l->columns, style->scale);
  l->is_footer_tall = bar_width (style, width) + 4 * font + keys_width (self, style) > width;
  l->footer = font * (0.6 + LINE + BAR_HEIGHT + LINE + 0.3) + (l->is_footer_tall ? LINE * font * 1.2 : 0);
  l->heading = HEADING;
  for (guint map = 0; map < n; map++) {
    g_auto (GStrv) lines =
        wrap_heading (style, ssapp_chart_method (self, self->shown[map])->label, heading_width (l, style, map));
    l->heading = MAX (l->heading, HEADING + ((double)g_strv_length (lines) - 1) * HEADING_STEP);
  }
  /* heading, labels of x, cells, title of x */
  const double around = font * (l->heading + LINE + LINE + 0.4);
  l->map_height = MAX ((height - l->footer) / l->rows - around, style->scale);
  l->step_x = l->map_width + MAP_GAP * font;
  l->step_y = l->map_height + around;
  l->cell_width = l->map_width / self->n_x;
  l->cell_height = l->map_height / self->n_y;
}

double
ssapp_chart_heat_height (const SsappChart *self, const SsappStyle *style, double width)
{
  g_return_val_if_fail (self != NULL, (double)NAN);
  const double font = style->font_size;
  Layout l;

  lay_out (self, style, width, 100 * font, &l);
  const double cell = CLAMP (0.75 * l.cell_width, LEAST_CELL * font, CELL_HEIGHT * font);
  return l.footer + l.rows * (self->n_y * cell + font * (l.heading + LINE + LINE + 0.4));
}

static void
map_corner (const Layout *l, const SsappStyle *style, guint map, double *x, double *y)
{
  *x = l->left + (map % l->columns) * l->step_x;
  *y = (map / l->columns) * l->step_y + style->font_size * (l->heading + LINE);
}

static void
cell_rect (const Layout *l, const SsappStyle *style, guint map, guint column, guint row, SsappRect *rect)
{
  const double gap = MIN (GAP_PX * style->scale, 0.1 * MIN (l->cell_width, l->cell_height));
  double x, y;

  map_corner (l, style, map, &x, &y);
  *rect = (SsappRect){x + column * l->cell_width + gap / 2, y + row * l->cell_height + gap / 2,
                      MAX (l->cell_width - gap, 0.1), MAX (l->cell_height - gap, 0.1)};
}

/* ---- colours ----------------------------------------------------------------------------------------------------- */

/* 0 at the best value, 1 at the worst. */
static double
fraction_of (const SsappChart *self, double value)
{
  double f;

  if (!(self->hi > self->lo))
    return 0;
  if (self->spec.y_log && value > 0)
    f = log (value / self->lo) / log (self->hi / self->lo);
  else
    f = (value - self->lo) / (self->hi - self->lo);
  f = CLAMP (f, 0., 1.);
  return self->is_upset ? 1 - f : f;
}

/* The best is bright. */
static SsappColor
color_of (const SsappStyle *style, double fraction)
{
  return ssapp_style_time_color (style, 1 - fraction);
}

static double
linear_of (double c)
{
  return c <= 0.04045 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4);
}

/* Black or white, whichever has the larger contrast (WCAG 2). */
static SsappColor
ink_on (SsappColor color)
{
  const double luminance = 0.2126 * linear_of (color.r) + 0.7152 * linear_of (color.g) + 0.0722 * linear_of (color.b);
  const gboolean is_black = (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05);

  return is_black ? (SsappColor){0, 0, 0, 1} : (SsappColor){1, 1, 1, 1};
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */

/* Added to the path: cells that look alike are filled and stroked together, which makes small files. */
static void
trace_cell (cairo_t *cr, const SsappStyle *style, const SsappRect *r)
{
  const double radius = MIN (CORNER_PX * style->scale, 0.25 * MIN (r->width, r->height));

  if (style->is_paper || radius < 0.8) {
    cairo_rectangle (cr, r->x, r->y, r->width, r->height);
    return;
  }
  cairo_new_sub_path (cr);
  cairo_arc (cr, r->x + r->width - radius, r->y + radius, radius, -G_PI_2, 0);
  cairo_arc (cr, r->x + r->width - radius, r->y + r->height - radius, radius, 0, G_PI_2);
  cairo_arc (cr, r->x + radius, r->y + r->height - radius, radius, G_PI_2, G_PI);
  cairo_arc (cr, r->x + radius, r->y + radius, radius, G_PI, 3 * G_PI_2);
  cairo_close_path (cr);
}

static void
trace_cross (cairo_t *cr, const SsappStyle *style, const SsappRect *r)
{
  const double half = MIN (CROSS_PX * style->scale, 0.3 * MIN (r->width, r->height));
  const double x = r->x + r->width / 2, y = r->y + r->height / 2;

  cairo_move_to (cr, x - half, y - half);
  cairo_line_to (cr, x + half, y + half);
  cairo_move_to (cr, x + half, y - half);
  cairo_line_to (cr, x - half, y + half);
}

/* An hourglass. */
static void
trace_glass (cairo_t *cr, const SsappStyle *style, const SsappRect *r)
{
  const double half = MIN (CROSS_PX * style->scale, 0.3 * MIN (r->width, r->height));
  const double x = r->x + r->width / 2, y = r->y + r->height / 2;

  cairo_move_to (cr, x - half, y - half);
  cairo_line_to (cr, x + half, y - half);
  cairo_line_to (cr, x - half, y + half);
  cairo_line_to (cr, x + half, y + half);
  cairo_close_path (cr);
}

/* The cells of the path tinted, or their hourglasses. */
static void
paint_slow (cairo_t *cr, const SsappStyle *style, gboolean is_glass)
{
  const SsappColor color = ssapp_style_color (style, SSAPP_COLOR_MACHINE);

  ssapp_set_color (cr, is_glass ? color : ssapp_color_with_alpha (color, 0.16));
  cairo_fill_preserve (cr);
  ssapp_set_color (cr, color);
  cairo_set_line_width (cr, ssapp_style_line (style, is_glass ? 0.8 : 1.2));
  cairo_stroke (cr);
}

/* The cells of the path as grey boxes. */
static void
paint_boxes (cairo_t *cr, const SsappStyle *style)
{
  ssapp_set_color (cr, ssapp_color_with_alpha (ssapp_style_color (style, SSAPP_COLOR_DIM), 0.1));
  cairo_fill_preserve (cr);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_PLOT_GRID));
  cairo_set_line_width (cr, style->scale);
  cairo_stroke (cr);
}

static void
paint_crosses (cairo_t *cr, const SsappStyle *style)
{
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_DIM));
  cairo_set_line_width (cr, ssapp_style_line (style, 1.4));
  cairo_stroke (cr);
}

static void
paint_outlines (cairo_t *cr, const SsappStyle *style, gboolean is_running)
{
  const double dash[2] = {3 * style->scale, 2 * style->scale};

  ssapp_set_color (cr, ssapp_style_color (style, is_running ? SSAPP_COLOR_ACCENT : SSAPP_COLOR_PLOT_GRID));
  cairo_set_line_width (cr, ssapp_style_line (style, is_running ? 1.5 : 1));
  if (is_running)
    cairo_set_dash (cr, dash, 2, 0);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
}

/* A corner cut off: some runs of the cell were not solved. */
static void
draw_part (cairo_t *cr, const SsappStyle *style, const SsappRect *r)
{
  const double size = MIN (6 * style->scale, 0.4 * MIN (r->width, r->height));

  cairo_new_path (cr);
  cairo_move_to (cr, r->x + r->width - size, r->y);
  cairo_line_to (cr, r->x + r->width, r->y);
  cairo_line_to (cr, r->x + r->width, r->y + size);
  cairo_close_path (cr);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_CARD));
  cairo_fill (cr);
}

/* The number of a cell; the best of a map against the best stays plain. g_free. */
static char *
number_of (const SsappChart *self, double value, int digits)
{
  if (!self->spec.is_relative || self->is_upset)
    return ssapp_format_number (value, digits);
  if (value <= 1.005)
    return g_strdup ("");
  if (value > self->hi && self->is_clipped) {
    g_autofree char *most = ssapp_format_number (self->hi, 3);
    return g_strconcat ("≥", most, NULL);
  }
  return ssapp_format_number (value, value < 1.095 ? 3 : 2);
}

/* As many digits as fit into every cell, 0: no numbers at all. */
static int
digits_that_fit (const SsappChart *self, const SsappStyle *style, const Layout *l)
{
  const double size = NUMBER_SIZE * style->font_size;

  if (l->cell_height < 1.25 * size)
    return 0;
  for (int digits = 3; digits >= 2; digits--) {
    gboolean fits = TRUE;
    for (guint c = 0; c < self->n_shown * self->n_x * self->n_y && fits; c++)
      if (isfinite (self->cells[c].value)) {
        g_autofree char *text = number_of (self, self->cells[c].value, digits);
        fits = text_width (style, size, text) <= l->cell_width - 0.35 * size;
      }
    if (fits)
      return digits;
    if (self->spec.is_relative)
      break;
  }
  return 0;
}

static int
level_of (const SsappChart *self, const SsappChartCell *cell)
{
  return (int)lround (fraction_of (self, cell->value) * (N_LEVELS - 1));
}

typedef void (*CellFunc) (cairo_t *cr, const SsappStyle *style, const SsappRect *rect);

/* Calls it for the cells of a kind, of a value only those of that level (-1: all); FALSE: there are none. */
static gboolean
for_each_cell (const SsappChart *self, cairo_t *cr, const SsappStyle *style, const Layout *l, CellKind kind, int level,
               CellFunc func)
{
  gboolean is_any = FALSE;

  cairo_new_path (cr);
  for (guint c = 0; c < self->n_shown * self->n_x * self->n_y; c++) {
    const SsappChartCell *cell = &self->cells[c];
    const guint map = c / (self->n_x * self->n_y);
    SsappRect rect;
    if (kind_of (self, cell) != kind || (level >= 0 && level_of (self, cell) != level))
      continue;
    cell_rect (l, style, map, c % self->n_x, c / self->n_x % self->n_y, &rect);
    func (cr, style, &rect);
    is_any = TRUE;
  }
  return is_any;
}

static void
draw_numbers (const SsappChart *self, cairo_t *cr, const SsappStyle *style, const Layout *l, int digits)
{
  for (guint c = 0; c < self->n_shown * self->n_x * self->n_y; c++) {
    const SsappChartCell *cell = &self->cells[c];
    SsappRect rect;
    if (kind_of (self, cell) != CELL_VALUE)
      continue;
    cell_rect (l, style, c / (self->n_x * self->n_y), c % self->n_x, c / self->n_x % self->n_y, &rect);
    if (cell->n_solved < cell->n_runs)
      draw_part (cr, style, &rect);
    if (digits == 0)
      continue;
    const SsappTextStyle text = {.size = NUMBER_SIZE * style->font_size,
                                 .color = ink_on (color_of (style, fraction_of (self, cell->value))),
                                 .anchor_x = 0.5,
                                 .anchor_y = 0.5};
    g_autofree char *number = number_of (self, cell->value, digits);
    ssapp_text_draw (cr, style, &text, rect.x + rect.width / 2, rect.y + rect.height / 2, number);
  }
}

static void
draw_cells (const SsappChart *self, cairo_t *cr, const SsappStyle *style, const Layout *l)
{
  gboolean is_level[N_LEVELS] = {FALSE};

  for (guint c = 0; c < self->n_shown * self->n_x * self->n_y; c++)
    if (kind_of (self, &self->cells[c]) == CELL_VALUE)
      is_level[level_of (self, &self->cells[c])] = TRUE;
  for (int level = 0; level < N_LEVELS; level++)
    if (is_level[level] && for_each_cell (self, cr, style, l, CELL_VALUE, level, trace_cell)) {
      ssapp_set_color (cr, color_of (style, (double)level / (N_LEVELS - 1)));
      cairo_fill (cr);
    }
  if (for_each_cell (self, cr, style, l, CELL_CROSS, -1, trace_cell))
    paint_boxes (cr, style);
  if (for_each_cell (self, cr, style, l, CELL_CROSS, -1, trace_cross))
    paint_crosses (cr, style);
  if (for_each_cell (self, cr, style, l, CELL_SLOW, -1, trace_cell))
    paint_slow (cr, style, FALSE);
  if (for_each_cell (self, cr, style, l, CELL_SLOW, -1, trace_glass))
    paint_slow (cr, style, TRUE);
  if (for_each_cell (self, cr, style, l, CELL_QUEUED, -1, trace_cell))
    paint_outlines (cr, style, FALSE);
  if (for_each_cell (self, cr, style, l, CELL_RUNNING, -1, trace_cell))
    paint_outlines (cr, style, TRUE);
  draw_numbers (self, cr, style, l, digits_that_fit (self, style, l));
}

/* ---- frame of a map ---------------------------------------------------------------------------------------------- */

/* Every how many labels there is room for one. */
static guint
label_stride (const SsappStyle *style, const SsappRunAxis *axis, double each, gboolean is_row)
{
  double need = 0;

  for (guint i = 0; i < axis->n_values; i++)
    need = MAX (need, is_row ? style->font_size * 1.15
                             : text_width (style, style->font_size, axis->texts[i]) + 0.5 * style->font_size);
  return (guint)MAX (1., ceil (need / each - 1e-9));
}

static void
draw_heading (const SsappChart *self, cairo_t *cr, const SsappStyle *style, guint method, double x, double y,
              double width)
{
  const double font = style->font_size;
  const SsappTextStyle text = {.size = font * HEADING_SIZE,
                               .bold = TRUE,
                               .color = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND),
                               .anchor_y = 0.5};
  g_auto (GStrv) lines = wrap_heading (style, ssapp_chart_method (self, method)->label, width);
  SsappMethodStyle look;

  ssapp_chart_look (style, ssapp_chart_method (self, method), &look);
  ssapp_draw_look_mark (cr, &look, x + 0.45 * font, y, 4 * style->scale, ssapp_style_line (style, 1.6),
                        ssapp_style_color (style, SSAPP_COLOR_CARD));
  for (guint i = 0; lines[i] != NULL; i++)
    ssapp_text_draw (cr, style, &text, x + 1.2 * font, y + i * HEADING_STEP * font, lines[i]);
}

static void
draw_axis_labels (const SsappChart *self, cairo_t *cr, const SsappStyle *style, const Layout *l, guint map)
{
  const SsappRunAxis *x_axis = ssapp_chart_way_axis (self, 0);
  const double font = style->font_size;
  SsappTextStyle text = {
      .size = font, .color = ssapp_style_color (style, SSAPP_COLOR_DIM), .anchor_x = 0.5, .anchor_y = 0.5};
  double x, y;

  map_corner (l, style, map, &x, &y);
  const guint stride = label_stride (style, x_axis, l->cell_width, FALSE);
  for (guint i = 0; i < x_axis->n_values; i += stride)
    ssapp_text_draw (cr, style, &text, x + (i + 0.5) * l->cell_width, y - 0.65 * font, x_axis->texts[i]);
  text.color = ssapp_style_color (style, style->is_paper ? SSAPP_COLOR_FOREGROUND : SSAPP_COLOR_DIM);
  ssapp_text_draw (cr, style, &text, x + l->map_width / 2, y + l->map_height + 0.8 * font, x_axis->title);
  if (map % l->columns != 0 || self->spec.y_axis < 0)
    return;
  const SsappRunAxis *y_axis = ssapp_chart_way_axis (self, 1);
  const guint down = label_stride (style, y_axis, l->cell_height, TRUE);
  text.angle = -G_PI_2;
  ssapp_text_draw (cr, style, &text, 0.7 * font, y + l->map_height / 2, y_axis->title);
  text.angle = 0;
  text.anchor_x = 1;
  text.color = ssapp_style_color (style, SSAPP_COLOR_DIM);
  for (guint i = 0; i < y_axis->n_values; i += down)
    ssapp_text_draw (cr, style, &text, x - 0.5 * font, y + (i + 0.5) * l->cell_height, y_axis->texts[i]);
}

static void
draw_selection (const SsappChart *self, cairo_t *cr, const SsappStyle *style, const Layout *l, const int *selected,
                guint map)
{
  const int sx = selected[self->spec.x_axis], sy = self->spec.y_axis >= 0 ? selected[self->spec.y_axis] : -1;

  if (sx < 0 && sy < 0)
    return;
  for (guint row = 0; row < self->n_y; row++)
    for (guint column = 0; column < self->n_x; column++) {
      SsappRect rect;
      if ((sx >= 0 && ssapp_chart_way_place (self, 0, (guint)sx) != column) ||
          (sy >= 0 && ssapp_chart_way_place (self, 1, (guint)sy) != row))
        continue;
      cell_rect (l, style, map, column, row, &rect);
      cairo_new_path (cr);
      trace_cell (cr, style, &rect); /* with a rim, which bright cells need on dark */
      ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_VIEW));
      cairo_set_line_width (cr, 2.2 * ssapp_style_line (style, SELECTED_PX));
      cairo_stroke_preserve (cr);
      ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_FOREGROUND));
      cairo_set_line_width (cr, ssapp_style_line (style, SELECTED_PX));
      cairo_stroke (cr);
    }
}

/* ---- colour bar and key ------------------------------------------------------------------------------------------ */

static void
draw_bar (const SsappChart *self, cairo_t *cr, const SsappStyle *style, double x, double y, double width)
{
  const double font = style->font_size, height = BAR_HEIGHT * font, tick = 3 * style->scale;
  SsappTextStyle text = {.size = font, .color = ssapp_style_color (style, SSAPP_COLOR_DIM)};
  cairo_pattern_t *ramp = cairo_pattern_create_linear (x, 0, x + width, 0);
  g_autofree char *title = ssapp_chart_value_title (self);
  SsappAxis axis;

  for (int i = 0; i <= N_STOPS; i++) {
    const double at = (double)i / N_STOPS;
    const SsappColor c = color_of (style, self->is_upset ? 1 - at : at);
    cairo_pattern_add_color_stop_rgb (ramp, at, c.r, c.g, c.b);
  }
  ssapp_text_draw (cr, style, &text, x, y - LINE * font, title);
  cairo_new_path (cr);
  cairo_rectangle (cr, x, y, width, height);
  cairo_set_source (cr, ramp);
  cairo_fill (cr);
  cairo_pattern_destroy (ramp);
  if (!(self->hi > self->lo)) {
    g_autofree char *only = ssapp_format_number (self->lo, 4);
    ssapp_text_draw (cr, style, &text, x, y + height + tick, only);
    return;
  }
  if (self->spec.y_log)
    ssapp_axis_init_log (&axis, self->lo, self->hi, TRUE, TRUE, 5);
  else
    ssapp_axis_init_linear (&axis, self->lo, self->hi, TRUE, TRUE, 0, 5);
  text.anchor_x = 0.5;
  ssapp_set_color (cr, text.color);
  cairo_set_line_width (cr, style->scale);
  for (int i = 0; i < axis.n_ticks; i++) {
    const double at = x + width * ssapp_axis_fraction (&axis, axis.ticks[i]);
    const gboolean is_end = axis.ticks[i] >= self->hi * (1 - 1e-9);
    g_autofree char *label =
        self->spec.is_relative ? ssapp_format_number (axis.ticks[i], 3) : ssapp_axis_label (&axis, i);
    g_autofree char *more = is_end && self->is_clipped ? g_strconcat ("≥", label, NULL) : g_strdup (label);
    ssapp_set_color (cr, text.color);
    cairo_move_to (cr, at, y + height);
    cairo_line_to (cr, at, y + height + tick);
    cairo_stroke (cr);
    /* within the figure, also where nothing stands left of the maps */
    ssapp_text_draw (cr, style, &text, MAX (at, text_width (style, font, more) / 2), y + height + tick, more);
  }
}

static void
draw_keys (const SsappChart *self, cairo_t *cr, const SsappStyle *style, double right, double middle)
{
  const double font = style->font_size;
  const SsappTextStyle text = {.size = font, .color = ssapp_style_color (style, SSAPP_COLOR_DIM), .anchor_y = 0.5};
  const char *words[MOST_KEYS];
  const guint n = list_keys (self, words);
  double x = right - keys_width (self, style) + 0.8 * font;

  for (guint k = 0; k < n; k++) {
    const SsappRect rect = {x, middle - 0.6 * font, KEY * font, 1.2 * font};
    cairo_new_path (cr);
    trace_cell (cr, style, &rect);
    if (words[k][0] == 'n') {
      paint_boxes (cr, style);
      trace_cross (cr, style, &rect);
      paint_crosses (cr, style);
    } else if (words[k][0] == 'm') {
      paint_slow (cr, style, FALSE);
      trace_glass (cr, style, &rect);
      paint_slow (cr, style, TRUE);
    } else if (words[k][0] == 'p') {
      ssapp_set_color (cr, color_of (style, 0.4));
      cairo_fill (cr);
      draw_part (cr, style, &rect);
    } else
      paint_outlines (cr, style, words[k][0] == 'r');
    x += (KEY + 0.5) * font;
    ssapp_text_draw (cr, style, &text, x, middle, words[k]);
    x += text_width (style, font, words[k]) + 1.2 * font;
  }
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

void
ssapp_chart_heat_draw (const SsappChart *self, cairo_t *cr, const SsappStyle *style, double width, double height,
                       const int *selected, double pointer_x, double pointer_y)
{
  g_return_if_fail (self != NULL);
  const double font = style->font_size;
  Layout l;

  (void)pointer_x;
  (void)pointer_y;
  lay_out (self, style, width, height, &l);
  draw_cells (self, cr, style, &l);
  for (guint map = 0; map < self->n_shown; map++) {
    double x, y;
    map_corner (&l, style, map, &x, &y);
    draw_heading (self, cr, style, self->shown[map], x, y - font * (LINE + l.heading - 0.5 * HEADING),
                  heading_width (&l, style, map));
    draw_axis_labels (self, cr, style, &l, map);
    if (selected != NULL)
      draw_selection (self, cr, style, &l, selected, map);
  }
  const double top = l.rows * l.step_y + 0.6 * font + LINE * font;
  draw_bar (self, cr, style, l.left, top, MIN (bar_width (style, width), l.map_width + (l.columns - 1) * l.step_x));
  draw_keys (self, cr, style, width,
             l.is_footer_tall ? top + font * (BAR_HEIGHT + LINE + 1.) : top + 0.5 * BAR_HEIGHT * font);
}

void
ssapp_chart_heat_pick (const SsappChart *self, const SsappStyle *style, double width, double height, double x, double y,
                       SsappChartPick *pick)
{
  g_return_if_fail (self != NULL);
  Layout l;

  lay_out (self, style, width, height, &l);
  for (guint map = 0; map < self->n_shown; map++) {
    double left, top;
    map_corner (&l, style, map, &left, &top);
    if (x < left || y < top || x >= left + l.map_width || y >= top + l.map_height)
      continue;
    const guint column = MIN ((guint)((x - left) / l.cell_width), self->n_x - 1);
    const guint row = MIN ((guint)((y - top) / l.cell_height), self->n_y - 1);
    const SsappChartCell *cell = &self->cells[(map * self->n_y + row) * self->n_x + column];
    for (guint i = 0; i < self->set->items->len; i++) {
      const SsappRunItem *item = ssapp_chart_item (self, i);
      if (item->method == self->shown[map] && ssapp_chart_way_item (self, 0, item) == column &&
          ssapp_chart_way_item (self, 1, item) == row)
        g_array_append_val (pick->items, i);
    }
    if (cell->n_runs == 1)
      pick->words = ssapp_chart_item_words (self, cell->item);
    else if (cell->n_runs > 1) {
      g_autofree char *value = ssapp_chart_value_text (self, cell->value);
      g_autofree char *title = ssapp_chart_value_title (self);
      pick->words = g_strdup_printf ("%s\n%s %s, %s\n%u of %u %s", ssapp_chart_method (self, self->shown[map])->label,
                                     title, value, ssapp_chart_middle_word (self), cell->n_solved, cell->n_runs,
                                     ssapp_run_set_done (self->set));
    }
    return;
  }
}

void
ssapp_chart_heat_places (const SsappChart *self, const SsappStyle *style, double width, double height, GArray *places)
{
  const guint first = places->len;
  Layout l;

  lay_out (self, style, width, height, &l);
  for (guint cell = 0; cell < self->n_shown * self->n_y * self->n_x; cell++) {
    SsappRect rect;
    cell_rect (&l, style, cell / (self->n_y * self->n_x), cell % self->n_x, cell / self->n_x % self->n_y, &rect);
    ssapp_chart_add_place (places, rect.x, rect.y, rect.width, rect.height);
  }
  for (guint i = 0; i < self->set->items->len; i++) {
    const SsappRunItem *item = ssapp_chart_item (self, i);
    const guint row = ssapp_chart_way_item (self, 1, item);
    for (guint map = 0; map < self->n_shown; map++)
      if (self->shown[map] == item->method)
        g_array_append_val (
            g_array_index (places, SsappChartPlace,
                           first + (map * self->n_y + row) * self->n_x + ssapp_chart_way_item (self, 0, item))
                .items,
            i);
  }
}

char *
ssapp_chart_map_note (const SsappChart *self, guint line)
{
  g_return_val_if_fail (self != NULL, NULL);
  GString *text = g_string_new ("");

  for (int k = 0; k < 2 && self->cells != NULL; k++) {
    const SsappChartWay *way = &self->ways[k];
    if (way->classes != NULL)
      g_string_append_printf (text, "%s%s in steps of %s%.3g", text->len > 0 ? ", " : "", way->classes->name,
                              way->is_log ? "a factor of " : "", way->is_log ? pow (10., way->width) : way->width);
  }
  if (text->len == 0 || line > 0)
    return g_string_free (text, TRUE), NULL;
  char *note = g_strdup_printf ("Values are taken in classes: %s; a cell is the %s of its runs.", text->str,
                                ssapp_chart_middle_word (self));
  g_string_free (text, TRUE);
  return note;
}
