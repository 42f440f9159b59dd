/* app/draw/ssapp-style.c: colours, dashes, markers, text: everything about the look that is not geometry.
 *
 * One palette for light, dark and paper; the lighter and darker partner of a body colour serve as each other's fill.
 * The window's own chrome takes its colours from the theme; these are the colours of the pictures, the same on every
 * desktop and in print.
 */
#include "app/draw/ssapp-draw-parts.h"

#include <cairo-svg.h>
#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

#include "app/draw/ssapp-plot.h"

/* ---- palette ----------------------------------------------------------------------------------------------------- */

enum { SCREEN_FONT_PX = 12, PAPER_FONT_PT = 8 };
static const double PAPER_PT_PER_PX = 0.5;
/* A body's fill: this much of the partner colour over the canvas. */
static const double BODY_TINT = 0.55;

static const struct {
  guint32 light, dark, paper;
} palette[SSAPP_N_COLORS] = {
    [SSAPP_COLOR_VIEW] = {0xFFFFFF, 0x1E1E1E, 0xFFFFFF},
    [SSAPP_COLOR_CARD] = {0xFFFFFF, 0x363636, 0xFFFFFF},
    [SSAPP_COLOR_FOREGROUND] = {0x241F31, 0xF2F2F2, 0x000000},
    [SSAPP_COLOR_DIM] = {0x5E5C64, 0xB8B8BD, 0x000000},
    [SSAPP_COLOR_GRID_MINOR] = {0xEEEEF0, 0x282828, 0xEEEEF0},
    [SSAPP_COLOR_GRID_MAJOR] = {0xD9D9DE, 0x383838, 0xD9D9DE},
    [SSAPP_COLOR_PLOT_GRID] = {0xDEDEE2, 0x4A4A4D, 0xE0E0E0},
    [SSAPP_COLOR_RULER] = {0xF3F3F3, 0x2A2A2A, 0xFFFFFF},
    [SSAPP_COLOR_ACCENT] = {0x3584E4, 0x3584E4, 0x3584E4},
    [SSAPP_COLOR_ACCENT_TEXT] = {0x1A5FB4, 0x99C1F1, 0x1A5FB4},
    [SSAPP_COLOR_GOAL] = {0x3584E4, 0x78AEED, 0x77767B},
    [SSAPP_COLOR_FIXED] = {0x5E5C64, 0xA9A9B2, 0x5E5C64},
    [SSAPP_COLOR_CONTACT] = {0x1F7A50, 0x6FE0A0, 0x1F7A50},
    [SSAPP_COLOR_FORCE] = {0xC64600, 0xFF9A4D, 0xC64600},
    [SSAPP_COLOR_VELOCITY] = {0x813D9C, 0xDC8ADD, 0x813D9C},
    [SSAPP_COLOR_MACHINE] = {0xB0127B, 0xFF8AD8, 0xB0127B},
    [SSAPP_COLOR_TOLERANCE] = {0x2EC27E, 0x2EC27E, 0x000000},
    [SSAPP_COLOR_TOLERANCE_TEXT] = {0x156B3E, 0x8FF0A4, 0x000000},
};

static const struct {
  const char *name;
  guint32 on_light, on_dark;
} body_colors[] = {
    {"blue", 0x1A5FB4, 0x99C1F1},
    {"yellow", 0x8A6100, 0xF8D95C},
    {"brown", 0x6B4A33, 0xD9B899},
    {"green", 0x1F6B45, 0x8FD9AE},
};

static SsappColor
color_from_hex (guint32 hex)
{
  return (SsappColor){((hex >> 16) & 0xFF) / 255., ((hex >> 8) & 0xFF) / 255., (hex & 0xFF) / 255., 1.};
}

void
ssapp_style_init (SsappStyle *style, gboolean dark)
{
  *style = (SsappStyle){.is_dark = dark, .scale = 1., .font = "Cantarell, sans-serif", .font_size = SCREEN_FONT_PX};
}

void
ssapp_style_init_paper (SsappStyle *style)
{
  *style = (SsappStyle){
      .is_paper = TRUE, .scale = PAPER_PT_PER_PX, .font = "Cantarell, sans-serif", .font_size = PAPER_FONT_PT};
}

SsappColor
ssapp_style_color (const SsappStyle *style, SsappColorName name)
{
  g_return_val_if_fail (style != NULL && (guint)name < SSAPP_N_COLORS, ((SsappColor){0}));
  if (style->is_high_contrast) /* lines of the grid are seen well, and told from what is drawn on them */
    name = name == SSAPP_COLOR_DIM                                           ? SSAPP_COLOR_FOREGROUND
           : name == SSAPP_COLOR_GRID_MAJOR || name == SSAPP_COLOR_PLOT_GRID ? SSAPP_COLOR_DIM
           : name == SSAPP_COLOR_GRID_MINOR                                  ? SSAPP_COLOR_VIEW
                                                                             : name;
  return color_from_hex (style->is_paper  ? palette[name].paper
                         : style->is_dark ? palette[name].dark
                                          : palette[name].light);
}

void
ssapp_style_body_colors (const SsappStyle *style, const char *name, SsappColor *outline, SsappColor *fill)
{
  g_return_if_fail (style != NULL && outline != NULL && fill != NULL);

  gsize found = 0;
  for (gsize i = 0; i < G_N_ELEMENTS (body_colors); i++)
    if (g_strcmp0 (name, body_colors[i].name) == 0)
      found = i;
  gboolean dark = style->is_dark && !style->is_paper;
  *outline = color_from_hex (dark ? body_colors[found].on_dark : body_colors[found].on_light);
  *fill = color_from_hex (dark ? body_colors[found].on_light : body_colors[found].on_dark);
  fill->a = style->is_high_contrast ? 0. : BODY_TINT;
}

double
ssapp_style_line (const SsappStyle *style, double px)
{
  g_return_val_if_fail (style != NULL, (double)NAN);
  return (px + (style->is_high_contrast ? 1. : 0.)) * style->scale;
}

double
ssapp_body_paint (const SsappStyle *style, const char *color, const SsappMarkPaint *paint, SsappColor *outline,
                  SsappColor *fill)
{
  g_return_val_if_fail (style != NULL, (double)NAN);
  ssapp_style_body_colors (style, color, outline, fill);
  if (paint->outline != NULL) {
    *outline = *paint->outline;
    *fill = paint->fill.a > 0. ? paint->fill : ssapp_color_with_alpha (*outline, outline->a * paint->fill_alpha);
    if (style->is_high_contrast)
      fill->a = 0.;
  }
  return ssapp_style_line (style, paint->outline_px > 0. ? paint->outline_px : SSAPP_OUTLINE_PX);
}

void
ssapp_set_color (cairo_t *cr, SsappColor color)
{
  cairo_set_source_rgba (cr, color.r, color.g, color.b, color.a);
}

SsappColor
ssapp_color_with_alpha (SsappColor color, double alpha)
{
  color.a = alpha;
  return color;
}

/* ---- methods ----------------------------------------------------------------------------------------------------- */

/* A look is a colour and a mark, the first four with a dash of their own colour, the others with a second one: curves
 * are told apart by mark and dash where colours cannot be seen. Marks are the markers below, and after them the same
 * ones with strokes, which are the bits of a number: there is one for every method that is added. */
enum { N_METHOD_COLORS = 4 };
static const struct {
  guint32 on_light, on_dark;
  double dash[2][6]; /* of the first look with this colour, of the others */
  int n_dash[2];
} method_colors[N_METHOD_COLORS] = {
    {0x0072B2, 0x62B5EE, {{0}, {12, 4}}, {0, 2}},
    {0xBF4F00, 0xFF9D5C, {{7, 3}, {4, 4}}, {2, 2}},
    {0x00795A, 0x4FD1A5, {{8, 3, 2, 3}, {12, 3, 2, 3, 2, 3}}, {4, 6}},
    {0x4B1D5E, 0xE5E1EE, {{2, 3}, {5, 2}}, {2, 2}},
};
static const struct {
  SsappMarker marker;
  gboolean filled;
} method_markers[SSAPP_PLAIN_LOOKS] = {
    {SSAPP_MARKER_CIRCLE, FALSE},  {SSAPP_MARKER_SQUARE, FALSE}, {SSAPP_MARKER_TRIANGLE, FALSE},
    {SSAPP_MARKER_DIAMOND, FALSE}, {SSAPP_MARKER_CIRCLE, TRUE},  {SSAPP_MARKER_SQUARE, TRUE},
    {SSAPP_MARKER_TRIANGLE, TRUE}, {SSAPP_MARKER_DIAMOND, TRUE}, {SSAPP_MARKER_DOWN, TRUE},
    {SSAPP_MARKER_PLUS, TRUE},     {SSAPP_MARKER_CROSS, TRUE},   {SSAPP_MARKER_STAR, TRUE},
    {SSAPP_MARKER_DOWN, FALSE},    {SSAPP_MARKER_PLUS, FALSE},   {SSAPP_MARKER_CROSS, FALSE},
    {SSAPP_MARKER_STAR, FALSE},    {SSAPP_MARKER_LEFT, TRUE},    {SSAPP_MARKER_RIGHT, TRUE},
    {SSAPP_MARKER_LEFT, FALSE},    {SSAPP_MARKER_RIGHT, FALSE},
};

void
ssapp_style_look (const SsappStyle *style, int look, SsappMethodStyle *out)
{
  g_return_if_fail (style != NULL && look >= 0 && out != NULL);

  const gboolean dark = style->is_dark && !style->is_paper;
  const int place = look % SSAPP_PLAIN_LOOKS, i = place % N_METHOD_COLORS;
  const int second = place >= N_METHOD_COLORS;

  *out = (SsappMethodStyle){.color = color_from_hex (dark ? method_colors[i].on_dark : method_colors[i].on_light),
                            .n_dash = method_colors[i].n_dash[second],
                            .marker = method_markers[place].marker,
                            .filled = method_markers[place].filled,
                            .strokes = (guint)(look / SSAPP_PLAIN_LOOKS) % (1U << SSAPP_MARK_STROKES)};
  for (int k = 0; k < out->n_dash; k++)
    out->dash[k] = method_colors[i].dash[second][k] * style->scale;
}

void
ssapp_style_method (const SsappStyle *style, SsMethodId method, SsappMethodStyle *out)
{
  const SsMethod *known = method.name != NULL ? ss_method_lookup (method) : NULL;
  const guint letters = method.name != NULL ? g_str_hash (method.name) : 0;
  const int look = known != NULL ? known->look : (int)(letters % SSAPP_PLAIN_LOOKS);
  const int place = look % SSAPP_PLAIN_LOOKS;

  /* A copy keeps the colour of its method, and its strokes. */
  ssapp_style_look (style, look - place + (place + N_METHOD_COLORS * method.copy) % SSAPP_PLAIN_LOOKS, out);
}

double
ssapp_stroke_angle (int k)
{
  return (k + 0.5) * 2 * G_PI / SSAPP_MARK_STROKES;
}

/* ---- time -------------------------------------------------------------------------------------------------------- */

/* Viridis at tenths (van der Walt, Smith 2015), linear between; the deviation from the full table is below 2/255. */
static const guint32 viridis[11] = {0x440154, 0x482475, 0x414487, 0x355F8D, 0x2A788E, 0x21918C,
                                    0x22A884, 0x44BF70, 0x7AD151, 0xBDDF26, 0xFDE725};
/* The yellow end fades on white, the violet end on dark: parts of the ramp that are used. */
static const double RAMP_END_LIGHT = 0.92, RAMP_BEGIN_DARK = 0.15;

SsappColor
ssapp_style_time_color (const SsappStyle *style, double fraction)
{
  if (!(fraction > 0.)) /* NaN too */
    fraction = 0.;
  fraction = MIN (fraction, 1.);
  double s = style->is_dark && !style->is_paper ? RAMP_BEGIN_DARK + (1. - RAMP_BEGIN_DARK) * fraction
                                                : RAMP_END_LIGHT * fraction;
  double at = s * 10.;
  int i = MIN ((int)at, 9);
  double w = at - i;
  SsappColor a = color_from_hex (viridis[i]), b = color_from_hex (viridis[i + 1]);
  return (SsappColor){a.r + w * (b.r - a.r), a.g + w * (b.g - a.g), a.b + w * (b.b - a.b), 1.};
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

double
ssapp_nice_floor (double value)
{
  double power = pow (10., floor (log10 (value)));
  double mantissa = value / power;
  double slack = 1. + 1e-9; /* 0.5 is written as 5 * 10^-1, whatever log10 rounded to */
  if (mantissa * slack >= 10.)
    return 10. * power;
  return (mantissa * slack >= 5. ? 5. : mantissa * slack >= 2. ? 2. : 1.) * power;
}

double
ssapp_nice_ceil (double value)
{
  double down = ssapp_nice_floor (value);
  if (down >= value * (1. - 1e-9))
    return down;
  double mantissa = down / pow (10., floor (log10 (down * (1. + 1e-9))));
  return down * (mantissa > 1.5 && mantissa < 3. ? 2.5 : 2.);
}

/* Appends an integer text with thin spaces in thousands. */
static void
append_grouped (GString *out, const char *digits, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    g_string_append_c (out, digits[i]);
    if (n > 3 && i + 1 < n && (n - i - 1) % 3 == 0)
      g_string_append (out, "\u2009");
  }
}

void
ssapp_append_superscript (GString *out, int exponent)
{
  static const char *const digits[10] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  char buffer[16];
  g_snprintf (buffer, sizeof buffer, "%d", exponent);
  for (const char *c = buffer; *c != '\0'; c++)
    g_string_append (out, *c == '-' ? "⁻" : digits[*c - '0']);
}

/* Cuts zeros behind the decimal point. */
static void
strip_zeros (char *text)
{
  if (strchr (text, '.') == NULL)
    return;
  gsize n = strlen (text);
  while (text[n - 1] == '0')
    text[--n] = '\0';
  if (text[n - 1] == '.')
    text[n - 1] = '\0';
}

char *
ssapp_format_number (double value, int digits)
{
  /* Beyond these decimal exponents a power of ten reads better than zeros. */
  enum { FIXED_MIN_EXPONENT = -3, FIXED_MAX_EXPONENT = 4, MAX_DIGITS = 17 };
  char buffer[64], format[16];
  GString *out;

  if (isnan (value))
    return g_strdup ("–");
  if (isinf (value))
    return g_strdup (value > 0 ? "∞" : "−∞");
  if (value == 0.)
    return g_strdup ("0");
  digits = CLAMP (digits, 1, MAX_DIGITS);
  out = g_string_new (value < 0. ? "−" : "");
  value = fabs (value);
  /* Rounding may carry into the next power of ten, so the exponent is read from the rounded text. */
  g_snprintf (format, sizeof format, "%%.%de", digits - 1);
  g_ascii_formatd (buffer, sizeof buffer, format, value);
  char *mark = strchr (buffer, 'e');
  int exponent = atoi (mark + 1);

  if (exponent < FIXED_MIN_EXPONENT || exponent > FIXED_MAX_EXPONENT) {
    *mark = '\0';
    strip_zeros (buffer);
    if (strcmp (buffer, "1") != 0) {
      g_string_append (out, buffer);
      g_string_append (out, "·");
    }
    g_string_append (out, "10");
    ssapp_append_superscript (out, exponent);
  } else {
    g_snprintf (format, sizeof format, "%%.%df", MAX (0, digits - 1 - exponent));
    g_ascii_formatd (buffer, sizeof buffer, format, value);
    strip_zeros (buffer);
    gsize n_whole = strcspn (buffer, ".");
    append_grouped (out, buffer, n_whole);
    g_string_append (out, buffer + n_whole);
  }
  return g_string_free (out, FALSE);
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

typedef struct {
  cairo_matrix_t matrix;
  char *text, *family;
  double size, anchor_x, dx, baseline;
  gboolean bold;
  SsappColor color;
} TextRecord;

static cairo_user_data_key_t text_record_key;

static void
text_record_free (gpointer data)
{
  TextRecord *record = data;
  g_free (record->text);
  g_free (record->family);
  g_free (record);
}

static void
text_records_free (void *records)
{
  g_ptr_array_unref (records);
}

void
ssapp_text_record_start (cairo_surface_t *surface)
{
  cairo_surface_set_user_data (surface, &text_record_key, g_ptr_array_new_with_free_func (text_record_free),
                               text_records_free);
}

static void
append_formatted (GString *out, const char *format, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  g_string_append (out, g_ascii_formatd (buffer, sizeof buffer, format, value));
}

/* Whether two texts share the attributes of one group. */
static gboolean
look_alike (const TextRecord *a, const TextRecord *b)
{
  return a->bold == b->bold && a->size == b->size && strcmp (a->family, b->family) == 0 &&
         memcmp (&a->color, &b->color, sizeof a->color) == 0;
}

static void
begin_text_group (GString *svg, const TextRecord *record)
{
  g_autofree char *family = g_markup_escape_text (record->family, -1);

  g_string_append_printf (svg, "<g font-family=\"%s\" font-weight=\"%s\" fill=\"#%02X%02X%02X\" font-size=\"", family,
                          record->bold ? "bold" : "normal", (unsigned)lround (record->color.r * 255),
                          (unsigned)lround (record->color.g * 255), (unsigned)lround (record->color.b * 255));
  append_formatted (svg, "%.5g", record->size);
  g_string_append (svg, "\" xml:space=\"preserve\" style=\"font-feature-settings:'tnum'\">\n");
}

static void
append_text (GString *svg, const TextRecord *record)
{
  static const char *const anchors[3] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  const cairo_matrix_t *m = &record->matrix;
  const gboolean is_plain = m->xx == 1 && m->yy == 1 && m->xy == 0 && m->yx == 0;
  const double numbers[6] = {m->xx, m->yx, m->xy, m->yy, m->x0, m->y0};
  g_autofree char *text = g_markup_escape_text (record->text, -1);

  g_string_append (svg, "<text");
  for (int k = 0; k < 6 && !is_plain; k++) {
    g_string_append (svg, k == 0 ? " transform=\"matrix(" : ",");
    append_formatted (svg, "%.5g", numbers[k]);
  }
  g_string_append (svg, is_plain ? " x=\"" : ")\" x=\"");
  append_formatted (svg, "%.2f", record->dx + (is_plain ? m->x0 : 0));
  g_string_append (svg, "\" y=\"");
  append_formatted (svg, "%.2f", record->baseline + (is_plain ? m->y0 : 0));
  g_string_append_printf (svg, "\"%s>%s</text>\n", anchors[(int)lround (2. * CLAMP (record->anchor_x, 0., 1.))], text);
}

void
ssapp_text_record_to_svg (cairo_surface_t *surface, GString *svg)
{
  GPtrArray *records = cairo_surface_get_user_data (surface, &text_record_key);

  for (guint i = 0; records != NULL && i < records->len; i++) {
    const TextRecord *record = records->pdata[i];
    if (i == 0 || !look_alike (record, records->pdata[i - 1]))
      begin_text_group (svg, record);
    append_text (svg, record);
    if (i + 1 == records->len || !look_alike (record, records->pdata[i + 1]))
      g_string_append (svg, "</g>\n");
  }
}

static void
prepare_layout (PangoLayout *layout, const SsappStyle *style, double size, gboolean bold, const char *text)
{
  PangoFontDescription *font = pango_font_description_from_string (style->font != NULL ? style->font : "sans-serif");
  PangoAttrList *attributes = pango_attr_list_new ();

  pango_font_description_set_absolute_size (font, size * PANGO_SCALE);
  pango_font_description_set_weight (font, bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  pango_layout_set_font_description (layout, font);
  pango_layout_set_attributes (layout, attributes);
  if (g_utf8_validate (text, -1, NULL))
    pango_layout_set_text (layout, text, -1);
  else {
    char *valid = g_utf8_make_valid (text, -1);
    pango_layout_set_text (layout, valid, -1);
    g_free (valid);
  }
  pango_attr_list_unref (attributes);
  pango_font_description_free (font);
}

/* Metrics without hinting: the same text has the same width at every zoom, on screen and on paper. */
static void
unhint (PangoContext *context)
{
  cairo_font_options_t *options = cairo_font_options_create ();
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options (context, options);
  pango_context_set_round_glyph_positions (context, FALSE);
  cairo_font_options_destroy (options);
}

void
ssapp_text_measure (const SsappStyle *style, double size, gboolean bold, const char *text, double *width,
                    double *height)
{
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  unhint (context);
  PangoLayout *layout = pango_layout_new (context);
  int w, h;

  prepare_layout (layout, style, size, bold, text);
  pango_layout_get_size (layout, &w, &h);
  if (width != NULL)
    *width = (double)w / PANGO_SCALE;
  if (height != NULL)
    *height = (double)h / PANGO_SCALE;
  g_object_unref (layout);
  g_object_unref (context);
}

static void
record_text (GPtrArray *records, cairo_t *cr, const SsappStyle *style, const SsappTextStyle *ts, double dx,
             double baseline, const char *text)
{
  TextRecord *record = g_new0 (TextRecord, 1);
  cairo_get_matrix (cr, &record->matrix);
  record->text = g_utf8_make_valid (text, -1);
  record->family = g_strdup (style->font != NULL ? style->font : "sans-serif");
  record->size = ts->size;
  record->bold = ts->bold;
  record->color = ts->color;
  record->anchor_x = ts->anchor_x;
  record->dx = dx;
  record->baseline = baseline;
  g_ptr_array_add (records, record);
}

void
ssapp_text_draw (cairo_t *cr, const SsappStyle *style, const SsappTextStyle *ts, double x, double y, const char *text)
{
  g_return_if_fail (style != NULL && ts != NULL);

  static const double HALO_PX = 3.;
  if (text == NULL || *text == '\0' || !isfinite (x) || !isfinite (y))
    return;
  cairo_save (cr);
  cairo_translate (cr, x, y);
  cairo_rotate (cr, ts->angle);
  cairo_new_path (cr);

  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  unhint (context);
  pango_cairo_update_context (cr, context);
  PangoLayout *layout = pango_layout_new (context);
  int w, h;
  prepare_layout (layout, style, ts->size, ts->bold, text);
  pango_layout_get_size (layout, &w, &h);
  double left = -ts->anchor_x * w / PANGO_SCALE, top = -ts->anchor_y * h / PANGO_SCALE;

  if (ts->halo) {
    cairo_move_to (cr, left, top);
    pango_cairo_layout_path (cr, layout);
    ssapp_set_color (cr, ssapp_color_with_alpha (ssapp_style_color (style, SSAPP_COLOR_VIEW), 0.8));
    cairo_set_line_width (cr, HALO_PX * style->scale);
    cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_dash (cr, NULL, 0, 0);
    cairo_stroke (cr);
  }
  GPtrArray *records = cairo_surface_get_user_data (cairo_get_target (cr), &text_record_key);
  if (records != NULL) {
    double snapped = lround (2. * CLAMP (ts->anchor_x, 0., 1.)) / 2.;
    record_text (records, cr, style, ts, left + snapped * w / PANGO_SCALE,
                 top + (double)pango_layout_get_baseline (layout) / PANGO_SCALE, text);
  } else {
    ssapp_set_color (cr, ts->color);
    cairo_move_to (cr, left, top);
    pango_cairo_show_layout (cr, layout);
  }
  g_object_unref (layout);
  g_object_unref (context);
  cairo_restore (cr);
}

/* ---- markers, arrows, bars --------------------------------------------------------------------------------------- */

/* A polygon of n corners, the first at `angle` from the top; every other one at the inner radius where it is not 0. */
static void
corners (cairo_t *cr, double x, double y, int n, double angle, double radius, double inner)
{
  for (int k = 0; k < n; k++) {
    const double at = angle + k * 2 * G_PI / n, r = inner > 0 && k % 2 ? inner : radius;
    cairo_line_to (cr, x + r * sin (at), y - r * cos (at));
  }
  cairo_close_path (cr);
}

/* Two bars across each other. */
static void
bars (cairo_t *cr, double x, double y, double angle, double length, double half)
{
  const double reach = hypot (length, half), lean = atan2 (half, length);
  for (int k = 0; k < 4; k++) {
    const double at = angle + k * G_PI_2;
    cairo_line_to (cr, x + reach * sin (at - lean), y - reach * cos (at - lean));
    cairo_line_to (cr, x + reach * sin (at + lean), y - reach * cos (at + lean));
    cairo_line_to (cr, x + G_SQRT2 * half * sin (at + G_PI_4), y - G_SQRT2 * half * cos (at + G_PI_4));
  }
  cairo_close_path (cr);
}

void
ssapp_draw_marker (cairo_t *cr, SsappMarker marker, double x, double y, double radius, double line_width,
                   SsappColor color, gboolean filled, SsappColor hollow_fill)
{
  /* Half diagonals and sides so that all look equally large beside a circle of that radius. */
  static const double SQUARE = 0.9, POINTED = 1.25, STAR = 1.5, STAR_INNER = 0.6, BAR = 1.3, BAR_HALF = 0.45;

  cairo_save (cr);
  cairo_new_path (cr);
  switch (marker) {
  case SSAPP_MARKER_SQUARE:
    cairo_rectangle (cr, x - SQUARE * radius, y - SQUARE * radius, 2 * SQUARE * radius, 2 * SQUARE * radius);
    break;
  case SSAPP_MARKER_TRIANGLE:
    corners (cr, x, y, 3, 0, POINTED * radius, 0);
    break;
  case SSAPP_MARKER_DOWN:
    corners (cr, x, y, 3, G_PI, POINTED * radius, 0);
    break;
  case SSAPP_MARKER_LEFT:
    corners (cr, x, y, 3, -G_PI_2, POINTED * radius, 0);
    break;
  case SSAPP_MARKER_RIGHT:
    corners (cr, x, y, 3, G_PI_2, POINTED * radius, 0);
    break;
  case SSAPP_MARKER_DIAMOND:
    corners (cr, x, y, 4, 0, POINTED * radius, 0);
    break;
  case SSAPP_MARKER_STAR:
    corners (cr, x, y, 10, 0, STAR * radius, STAR_INNER * radius);
    break;
  case SSAPP_MARKER_PLUS:
    bars (cr, x, y, 0, BAR * radius, BAR_HALF * radius);
    break;
  case SSAPP_MARKER_CROSS:
    bars (cr, x, y, G_PI_4, BAR * radius, BAR_HALF * radius);
    break;
  case SSAPP_MARKER_CIRCLE:
  case SSAPP_MARKER_COUNT:
  default:
    cairo_arc (cr, x, y, radius, 0, 2 * G_PI);
    cairo_close_path (cr);
  }
  ssapp_set_color (cr, filled ? color : hollow_fill);
  cairo_fill_preserve (cr);
  ssapp_set_color (cr, color);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, line_width);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_MITER);
  cairo_stroke (cr);
  cairo_restore (cr);
}

void
ssapp_draw_look_mark (cairo_t *cr, const SsappMethodStyle *look, double x, double y, double radius, double line_width,
                      SsappColor hollow_fill)
{
  g_return_if_fail (look != NULL);
  cairo_save (cr);
  cairo_new_path (cr);
  for (int k = 0; k < SSAPP_MARK_STROKES; k++)
    if ((look->strokes >> k & 1U) != 0) {
      cairo_move_to (cr, x, y);
      cairo_line_to (cr, x + SSAPP_STROKE_REACH * radius * cos (ssapp_stroke_angle (k)),
                     y - SSAPP_STROKE_REACH * radius * sin (ssapp_stroke_angle (k)));
    }
  ssapp_set_color (cr, look->color);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, line_width);
  cairo_stroke (cr);
  cairo_restore (cr);
  ssapp_draw_marker (cr, look->marker, x, y, radius, line_width, look->color, look->filled, hollow_fill);
}

gboolean
ssapp_arrow_shape (double x0, double y0, double x1, double y1, double line_width, double head, SsappColor color,
                   SsappArrow *out)
{
  static const double HEAD_HALF_WIDTH = 0.5, HEAD_SHARE = 0.6; /* of the head's length; of a short arrow's length */
  double length = hypot (x1 - x0, y1 - y0);
  if (!(length > 0.) || !isfinite (length))
    return FALSE;
  double ux = (x1 - x0) / length, uy = (y1 - y0) / length;
  double full_head = head + line_width;
  head = MIN (full_head, HEAD_SHARE * length);
  double half = HEAD_HALF_WIDTH * head, bx = x1 - head * ux, by = y1 - head * uy;

  *out = (SsappArrow){.x0 = x0,
                      .y0 = y0,
                      .ux = ux,
                      .uy = uy,
                      .shaft_x = bx + 0.2 * head * ux,
                      .shaft_y = by + 0.2 * head * uy,
                      .shaft_width = line_width * MIN (1., head / full_head + 0.25),
                      .head = {{x1, y1}, {bx - half * uy, by + half * ux}, {bx + half * uy, by - half * ux}},
                      .color = color};
  return TRUE;
}

void
ssapp_draw_arrow (cairo_t *cr, double x0, double y0, double x1, double y1, double line_width, double head,
                  SsappColor color)
{
  SsappArrow arrow;

  if (!ssapp_arrow_shape (x0, y0, x1, y1, line_width, head, color, &arrow))
    return;
  cairo_save (cr);
  cairo_new_path (cr);
  ssapp_set_color (cr, color);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  cairo_set_line_width (cr, arrow.shaft_width);
  cairo_move_to (cr, x0, y0);
  cairo_line_to (cr, arrow.shaft_x, arrow.shaft_y);
  cairo_stroke (cr);
  for (int i = 0; i < 3; i++)
    cairo_line_to (cr, arrow.head[i][0], arrow.head[i][1]);
  cairo_close_path (cr);
  cairo_fill (cr);
  cairo_restore (cr);
}

double
ssapp_arrow_slide (cairo_t *cr, const SsappStyle *style, double free_x, double free_y, double held_x, double held_y)
{
  const double edge = 3 * style->scale, dx = held_x - free_x, dy = held_y - free_y;
  double x0, y0, x1, y1, slide = 0;

  cairo_clip_extents (cr, &x0, &y0, &x1, &y1);
  if (held_x < x0 || held_x > x1 || held_y < y0 || held_y > y1) /* out of sight altogether */
    return 0;
  if (free_x < x0 + edge)
    slide = fmax (slide, (x0 + edge - free_x) / dx);
  else if (free_x > x1 - edge)
    slide = fmax (slide, (x1 - edge - free_x) / dx);
  if (free_y < y0 + edge)
    slide = fmax (slide, (y0 + edge - free_y) / dy);
  else if (free_y > y1 - edge)
    slide = fmax (slide, (y1 - edge - free_y) / dy);
  return CLAMP (slide, 0, 1); /* 0 for NaN: fmax passes over it */
}

void
ssapp_draw_look_sample (cairo_t *cr, const SsappStyle *style, const SsappMethodStyle *look, double x, double y,
                        double width)
{
  g_return_if_fail (style != NULL && look != NULL);

  static const double LINE_PX = 2., MARKER_PX = 4., MARKER_LINE_PX = 1.6;

  cairo_save (cr);
  cairo_new_path (cr);
  ssapp_set_color (cr, look->color);
  cairo_set_line_width (cr, ssapp_style_line (style, LINE_PX));
  cairo_set_dash (cr, look->dash, look->n_dash, 0);
  cairo_move_to (cr, x, y);
  cairo_line_to (cr, x + width, y);
  cairo_stroke (cr);
  cairo_restore (cr);
  ssapp_draw_look_mark (cr, look, x + width / 2, y, MARKER_PX * style->scale, ssapp_style_line (style, MARKER_LINE_PX),
                        ssapp_style_color (style, SSAPP_COLOR_CARD));
}

void
ssapp_draw_method_sample (cairo_t *cr, const SsappStyle *style, SsMethodId method, double x, double y, double width)
{
  SsappMethodStyle look;
  ssapp_style_method (style, method, &look);
  ssapp_draw_look_sample (cr, style, &look, x, y, width);
}

void
ssapp_draw_numbered_sample (cairo_t *cr, const SsappStyle *style, int number, double x, double y, double width)
{
  SsappMethodStyle look;
  ssapp_style_look (style, number, &look);
  ssapp_draw_look_sample (cr, style, &look, x, y, width);
}

void
ssapp_draw_time_bar (cairo_t *cr, const SsappStyle *style, const SsappTimeBar *bar, double x, double y, double width,
                     double height)
{
  g_return_if_fail (style != NULL && bar != NULL);

  enum { N_STOPS = 24 };
  static const double TICK_PX = 4.;
  double tick = TICK_PX * style->scale;
  SsappTextStyle text = {.size = style->font_size, .color = ssapp_style_color (style, SSAPP_COLOR_DIM)};
  cairo_pattern_t *ramp = cairo_pattern_create_linear (x, 0, x + width, 0);

  for (int i = 0; i <= N_STOPS; i++) {
    SsappColor c = ssapp_style_time_color (style, (double)i / N_STOPS);
    cairo_pattern_add_color_stop_rgb (ramp, (double)i / N_STOPS, c.r, c.g, c.b);
  }
  cairo_save (cr);
  cairo_new_path (cr);
  cairo_rectangle (cr, x, y, width, height);
  cairo_set_source (cr, ramp);
  cairo_fill_preserve (cr);
  cairo_pattern_destroy (ramp);
  ssapp_set_color (cr, text.color);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, ssapp_style_line (style, 1.));
  if (style->is_paper)
    cairo_stroke (cr);
  else
    cairo_new_path (cr);

  double span = bar->t1 - bar->t0;
  if (span > 0. && isfinite (span)) {
    double step = ssapp_nice_ceil (span / MAX (1, bar->max_labels - 1) * (1 - 1e-9));
    text.anchor_x = 0.5;
    for (double k = ceil (bar->t0 / step - 1e-9); k * step <= bar->t1 + 1e-9 * span; k++) {
      double at = x + width * (k * step - bar->t0) / span;
      char *label = ssapp_format_number (fabs (k) < 0.5 ? 0. : k * step, 3);
      cairo_move_to (cr, at, y + height);
      cairo_line_to (cr, at, y + height + tick);
      cairo_stroke (cr);
      ssapp_text_draw (cr, style, &text, at, y + height + tick, label);
      g_free (label);
    }
  }
  cairo_restore (cr);
  if (bar->title != NULL) {
    text.anchor_x = 1.;
    text.anchor_y = 0.5;
    ssapp_text_draw (cr, style, &text, x - 0.7 * style->font_size, y + height / 2, bar->title);
  }
}
