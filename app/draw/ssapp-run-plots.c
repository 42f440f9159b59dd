/* app/draw/ssapp-run-plots.c: see the header. */
#include "app/draw/ssapp-run-plots.h"

#include "app/draw/ssapp-clock.h"
#include "app/draw/ssapp-frozen.h"
#include "app/draw/ssapp-plot-parts.h"
#include "core/ss-stage-rows.h"

#include <math.h>
#include <string.h>

static const char *mode_name (SsappContactMode mode);

/* ---- steps ------------------------------------------------------------------------------------------------------- */

int
ssapp_step_sizes (const SsTrajectory *trajectory, double **t, double **h)
{
  g_return_val_if_fail (t != NULL && h != NULL, 0);

  const int n_rows = trajectory != NULL ? trajectory->n_rows : 0,
            stage = trajectory != NULL ? ss_stage_rows_channel (trajectory) : -1;
  int n = 0;

  *t = g_new (double, 2 * n_rows + 1);
  *h = g_new (double, 2 * n_rows + 1);
  for (int before = 0, row = 1; row < n_rows; row++) {
    if (ss_stage_rows_is_one (trajectory, stage, row))
      continue;
    const double a = ss_trajectory_row (trajectory, before)[0], b = ss_trajectory_row (trajectory, row)[0];

    before = row;
    if (!(b > a))
      continue;
    (*t)[n] = a;
    (*h)[n++] = b - a;
    (*t)[n] = b;
    (*h)[n++] = b - a;
  }
  return n;
}

gboolean
ssapp_step_sizes_suit_log (const SsappSeries *series, int n_series)
{
  g_return_val_if_fail ((series != NULL || n_series == 0), FALSE);

  static const double factor = 20;
  double least = INFINITY, largest = 0;

  for (int s = 0; s < n_series; s++)
    for (int i = 0; i < series[s].n; i++) {
      least = fmin (least, series[s].y[i]);
      largest = fmax (largest, series[s].y[i]);
    }
  return least > 0 && largest > factor * least;
}

int
ssapp_velocity_channel (const SsTrajectory *trajectory, int channel)
{
  g_return_val_if_fail (trajectory != NULL, 0);
  static const SsQuantity pairs[][2] = {{SS_QUANTITY_POSITION_X, SS_QUANTITY_VELOCITY_X},
                                        {SS_QUANTITY_POSITION_Y, SS_QUANTITY_VELOCITY_Y},
                                        {SS_QUANTITY_ANGLE, SS_QUANTITY_ANGULAR_VELOCITY}};
  const SsChannel *coordinate = &trajectory->channels[channel];

  for (gsize k = 0; k < G_N_ELEMENTS (pairs); k++)
    for (int c = 0; coordinate->quantity == pairs[k][0] && c < trajectory->n_channels; c++)
      if (trajectory->channels[c].quantity == pairs[k][1] && coordinate->owner == trajectory->channels[c].owner &&
          strcmp (coordinate->owner_name, trajectory->channels[c].owner_name) == 0)
        return c;
  return -1;
}

/* Channels of a coordinate and its velocity. */
typedef struct {
  int position, velocity;
} Pair;

static GArray *
find_pairs (const SsTrajectory *trajectory)
{
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (Pair));

  for (int c = 1; c < trajectory->n_channels && trajectory->channels[0].quantity == SS_QUANTITY_TIME; c++) {
    const Pair pair = {c, ssapp_velocity_channel (trajectory, c)};
    if (pair.velocity >= 0 && trajectory->channels[c].owner == SS_OWNER_BODY)
      g_array_append_val (pairs, pair);
  }
  return pairs;
}

/* The derivative of the cubic polynomial that has positions and velocities of both rows, at the part s of the step. */
static void
curve_velocity (const Pair *pair, const double *a, const double *b, double s, double *row)
{
  static const double EULER = 0.02; /* of half the change of the velocity */
  const double h = b[0] - a[0], va = a[pair->velocity], vb = b[pair->velocity];
  const double mean = (b[pair->position] - a[pair->position]) / h;
  const double off = fabs (mean - (va + vb) / 2), half = fabs (vb - va) / 2;
  const double straight = a[pair->position] + s * (b[pair->position] - a[pair->position]);
  const double cubic = a[pair->position] + h * s * (mean + (1 - s) * ((va - mean) * (1 - s) - (vb - mean) * s));

  /* the motion is straight where a velocity jumps within the step; also false where something is not finite */
  if (!(fabs (row[pair->position] - cubic) <= fabs (row[pair->position] - straight)) ||
      fabs (off - half) <= EULER * half)
    return;
  row[pair->velocity] = va * (1 - s) * (1 - 3 * s) + vb * s * (3 * s - 2) + 6 * mean * s * (1 - s);
}

SsTrajectory *
ssapp_refine_motion (const SsTrajectory *trajectory, int n_least)
{
  g_return_val_if_fail (trajectory != NULL, NULL);
  const int last = trajectory->n_rows - 1;
  const double span = last > 0 ? ss_trajectory_row (trajectory, last)[0] - ss_trajectory_row (trajectory, 0)[0] : 0;
  g_autofree double *row = g_new (double, trajectory->n_channels);
  g_autoptr (GArray) pairs = find_pairs (trajectory);
  SsTrajectory *out;
  SsError err;
  gboolean is_fine = TRUE; /* a long motion is not copied for nothing */

  for (int i = 0; i < last && is_fine; i++)
    is_fine = !(ss_trajectory_row (trajectory, i + 1)[0] - ss_trajectory_row (trajectory, i)[0] > span / n_least);
  if (is_fine)
    return NULL;
  if (ss_trajectory_new (trajectory->channels, trajectory->n_channels, trajectory->n_rows + n_least, &out, &err) !=
      SS_OK)
    return NULL;
  for (int i = 0; i <= last; i++) {
    const double a = ss_trajectory_row (trajectory, i)[0], b = ss_trajectory_row (trajectory, MIN (i + 1, last))[0];
    const double wanted = span > 0 && b > a ? ceil ((b - a) / span * n_least) : 1;
    const int parts = (int)CLAMP (wanted, 1, n_least);

    SsStatus status = ss_trajectory_append (out, ss_trajectory_row (trajectory, i), &err);
    for (int k = 1; status == SS_OK && k < parts; k++) {
      ss_trajectory_sample_motion (trajectory, a + (b - a) * k / parts, row);
      for (guint p = 0; p < pairs->len; p++)
        curve_velocity (&g_array_index (pairs, Pair, p), ss_trajectory_row (trajectory, i),
                        ss_trajectory_row (trajectory, i + 1), (double)k / parts, row);
      status = ss_trajectory_append (out, row, &err);
    }
    if (status != SS_OK) {
      ss_trajectory_free (out);
      return NULL;
    }
  }
  return out;
}

/* Contacts whose mode differs before and after t, as "floor-ball: open, then stick". */
static void
append_switches (GString *text, GPtrArray *strips, double t)
{
  for (guint s = 0; s < strips->len; s++) {
    const SsappModeStrip *strip = g_ptr_array_index (strips, s);
    for (guint i = 1; i < strip->spans->len; i++) {
      const SsappModeSpan *before = &g_array_index (strip->spans, SsappModeSpan, i - 1), *after = before + 1;
      if (before->end == t)
        g_string_append_printf (text, "\nSwitch at its end, %s: %s, then %s", strip->label, mode_name (before->mode),
                                mode_name (after->mode));
    }
  }
}

char *
ssapp_step_describe (const SsScene *scene, const SsTrajectory *trajectory, double t)
{
  GString *text;
  GPtrArray *strips;
  int step = 0;

  for (int row = 1; trajectory != NULL && row < trajectory->n_rows; row++) {
    const double a = ss_trajectory_row (trajectory, row - 1)[0], b = ss_trajectory_row (trajectory, row)[0];

    step += b > a;
    if (!(b > a) || t < a || t > b || (t == b && row + 1 < trajectory->n_rows))
      continue;
    text = g_string_new (NULL);
    g_string_append_printf (text, "step %d: %.6g s long, %.9g s to %.9g s", step, b - a, a, b);
    strips = ssapp_mode_strips_new ();
    ssapp_mode_strips_add (strips, scene, trajectory, NULL);
    append_switches (text, strips, b);
    g_ptr_array_unref (strips);
    return g_string_free (text, FALSE);
  }
  return NULL;
}

/* ---- modes ------------------------------------------------------------------------------------------------------- */

#define FORCE_NOISE 1e-9  /* of a contact's largest force: rounding                     */
#define GAP_NOISE   1e-9  /* of a contact's largest gap, or of a metre: rounding          */
#define AT_BOUND    0.999 /* of the bound of friction: as for events (simulate/ss-events.h) */

/* "open", "stick", "slip +", "slip −", "no friction"; static text. */
static const char *
mode_name (SsappContactMode mode)
{
  static const char *const names[SSAPP_MODE_COUNT] = {"open", "stick", "slip +", "slip −", "no friction"};

  return names[mode];
}

static void
strip_free (SsappModeStrip *strip)
{
  g_free (strip->label);
  g_array_unref (strip->spans);
  g_array_unref (strip->frozen);
  g_free (strip);
}

GPtrArray *
ssapp_mode_strips_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify)strip_free);
}

/* Columns of one contact, and what its forces mean. */
typedef struct {
  const SsTrajectory *trajectory;
  int normal, tangential, impulse, impulse_t, gap; /* channels; the last three may be -1 */
  double mu, noise, touch;                         /* [-], [N]; gaps up to this are none [m] */
  gboolean is_of_rows;                             /* forces are of the rows' times, not means over the step before */
} Contact;

static int
find_channel (const SsTrajectory *trajectory, const char *contact, SsQuantity quantity)
{
  for (int c = 0; c < trajectory->n_channels; c++) {
    const SsChannel *channel = &trajectory->channels[c];
    if (channel->quantity == quantity && channel->owner == SS_OWNER_CONTACT &&
        strcmp (channel->owner_name, contact) == 0)
      return c;
  }
  return -1;
}

static SsappContactMode
mode_of (const Contact *self, double normal, double tangential, double noise)
{
  if (!(normal > noise))
    return SSAPP_MODE_OPEN;
  if (!(self->mu > 0))
    return SSAPP_MODE_SMOOTH;
  if (fabs (tangential) < AT_BOUND * self->mu * normal)
    return SSAPP_MODE_STICK;
  return tangential < 0 ? SSAPP_MODE_SLIP_PLUS : SSAPP_MODE_SLIP_MINUS;
}

static SsappContactMode
mode_of_forces (const Contact *self, const double *row)
{
  return mode_of (self, row[self->normal], row[self->tangential], self->noise);
}

/* Between the rows later - 1 and later, whose times differ; by a second clock also within a jump. */
static SsappContactMode
mode_of_step (const Contact *self, int later)
{
  const double *a = ss_trajectory_row (self->trajectory, later - 1), *b = ss_trajectory_row (self->trajectory, later);
  const SsappContactMode begin = mode_of_forces (self, a), end = mode_of_forces (self, b);

  if (self->is_of_rows && self->impulse_t >= 0 && b[self->impulse] > 0)
    return mode_of (self, b[self->impulse], b[self->impulse_t], 0);
  if (!self->is_of_rows || end == begin)
    return end;
  /* The row at a switch has the forces of the step that ended there, and after a jump those of the step that begins. */
  if (end == SSAPP_MODE_OPEN && self->gap >= 0 && b[self->gap] <= self->touch)
    return begin; /* its end is where the force vanishes */
  if (end == SSAPP_MODE_OPEN || begin == SSAPP_MODE_OPEN)
    return end;
  if (begin == SSAPP_MODE_STICK)
    return SSAPP_MODE_STICK; /* its end is where the bound is reached */
  return end;
}

static void
add_span (GArray *spans, double begin, double end, SsappContactMode mode)
{
  SsappModeSpan *last = spans->len > 0 ? &g_array_index (spans, SsappModeSpan, spans->len - 1) : NULL;
  const SsappModeSpan span = {begin, end, mode};

  if (last != NULL && last->mode == mode)
    last->end = end;
  else
    g_array_append_val (spans, span);
}

static gboolean
forces_are_of_rows (const Contact *self)
{
  if (self->impulse < 0)
    return FALSE;
  for (int row = 0; row < self->trajectory->n_rows; row++) {
    const double *values = ss_trajectory_row (self->trajectory, row);
    if (values[self->normal] > self->noise && values[self->impulse] == 0)
      return TRUE; /* a mean force would have an impulse */
  }
  return FALSE;
}

void
ssapp_mode_strips_add (GPtrArray *strips, const SsScene *scene, const SsTrajectory *trajectory, const char *prefix)
{
  for (int i = 0; scene != NULL && trajectory != NULL && i < scene->n_contacts; i++) {
    const char *name = scene->contacts[i].name;
    Contact contact = {.trajectory = trajectory,
                       .normal = find_channel (trajectory, name, SS_QUANTITY_NORMAL_FORCE),
                       .tangential = find_channel (trajectory, name, SS_QUANTITY_TANGENTIAL_FORCE),
                       .impulse = find_channel (trajectory, name, SS_QUANTITY_NORMAL_IMPULSE),
                       .impulse_t = find_channel (trajectory, name, SS_QUANTITY_TANGENTIAL_IMPULSE),
                       .gap = find_channel (trajectory, name, SS_QUANTITY_GAP),
                       .mu = scene->contacts[i].mu};
    SsappModeStrip *strip;

    if (contact.normal < 0 || contact.tangential < 0)
      continue;
    for (int row = 0; row < trajectory->n_rows; row++)
      contact.noise = fmax (contact.noise, FORCE_NOISE * ss_trajectory_row (trajectory, row)[contact.normal]);
    for (int row = 0; contact.gap >= 0 && row < trajectory->n_rows; row++)
      contact.touch = fmax (contact.touch, GAP_NOISE * ss_trajectory_row (trajectory, row)[contact.gap]);
    contact.touch = fmax (contact.touch, GAP_NOISE);
    contact.is_of_rows = forces_are_of_rows (&contact);
    strip = g_new0 (SsappModeStrip, 1);
    strip->axis = ssapp_clock_axis (trajectory);
    strip->label = prefix != NULL ? g_strdup_printf ("%s: %s", prefix, name) : g_strdup (name);
    strip->spans = g_array_new (FALSE, FALSE, sizeof (SsappModeSpan));
    strip->frozen = ssapp_frozen_spans (trajectory);
    for (int row = 1; row < trajectory->n_rows; row++) {
      const double a = ss_trajectory_row (trajectory, row - 1)[0], b = ss_trajectory_row (trajectory, row)[0];
      if (b > a)
        add_span (strip->spans, a, b, mode_of_step (&contact, row));
    }
    g_ptr_array_add (strips, strip);
  }
}

char *
ssapp_mode_strips_describe (GPtrArray *strips)
{
  g_return_val_if_fail (strips != NULL, NULL);

  enum { MOST = 20 }; /* spans of a strip in words */
  GString *text = g_string_new (NULL);

  for (guint s = 0; s < strips->len; s++) {
    const SsappModeStrip *strip = g_ptr_array_index (strips, s);
    g_string_append_printf (text, "%s%s:", s > 0 ? "; " : "", strip->label);
    for (guint i = 0; i < MIN (strip->spans->len, MOST); i++) {
      const SsappModeSpan *span = &g_array_index (strip->spans, SsappModeSpan, i);
      g_string_append_printf (text, "%s %s to %.4g s", i > 0 ? "," : "", mode_name (span->mode), span->end);
    }
    if (strip->spans->len > MOST)
      g_string_append_printf (text, " and %u more", strip->spans->len - MOST);
  }
  return g_string_free (text, FALSE);
}

/* ---- strips ------------------------------------------------------------------------------------------------------ */

/* Font sizes. */
static const double STRIP_HEIGHT = 1.7, STRIP_GAP = 0.5, AXIS_HEIGHT = 2.9, LEGEND_HEIGHT = 1.6, LABEL_GAP = 0.6,
                    END_GAP = 1.2, SAMPLE = 1.9, HATCH = 0.45, TICK = 0.35, TALLEST_STRIP = 16.;
#define LABEL_SHARE 0.35 /* of the width at most */

static const char *const letters[SSAPP_MODE_COUNT] = {"", "S", "+", "−", "N"};

SsappColor
ssapp_mode_color (const SsappStyle *style, SsappContactMode mode)
{
  /* Apart from each other and from the card for the colour blind too (tests/unit/test-figures.c). */
  static const guint8 on_light[SSAPP_MODE_COUNT][3] = {
      {0x5E, 0x5C, 0x64}, {0x00, 0x72, 0xB2}, {0xE6, 0x9F, 0x00}, {0x7A, 0x2E, 0x66}, {0x77, 0x77, 0x77}};
  static const guint8 on_dark[SSAPP_MODE_COUNT][3] = {
      {0xB8, 0xB8, 0xBD}, {0x3E, 0x8F, 0xD0}, {0xFF, 0xC9, 0x4A}, {0xC0, 0x56, 0x8F}, {0xB8, 0xB8, 0xBD}};
  const guint8 *own = style->is_dark && !style->is_paper ? on_dark[mode] : on_light[mode];

  return (SsappColor){own[0] / 255., own[1] / 255., own[2] / 255., 1.};
}

static void
fill_mode (cairo_t *cr, const SsappStyle *style, SsappContactMode mode, double x, double y, double width, double height)
{
  const SsappColor color = ssapp_mode_color (style, mode);
  const double gap = HATCH * style->font_size;

  cairo_save (cr);
  cairo_new_path (cr);
  cairo_set_line_width (cr, style->scale);
  ssapp_set_color (cr, color);
  if (mode == SSAPP_MODE_OPEN) { /* a bare line: nothing there */
    cairo_move_to (cr, x, y + height / 2);
    cairo_rel_line_to (cr, width, 0);
    cairo_stroke (cr);
    cairo_restore (cr);
    return;
  }
  cairo_rectangle (cr, x, y, width, height);
  cairo_clip_preserve (cr);
  ssapp_set_color (cr, ssapp_color_with_alpha (color, SSAPP_MODE_FILL));
  cairo_fill_preserve (cr);
  ssapp_set_color (cr, color);
  cairo_stroke (cr);
  if (mode == SSAPP_MODE_SLIP_PLUS || mode == SSAPP_MODE_SLIP_MINUS) {
    /* Lines at 45 degrees that are the same in every span. */
    ssapp_set_color (cr, ssapp_color_with_alpha (ssapp_style_color (style, SSAPP_COLOR_CARD), 0.6));
    const double rise = mode == SSAPP_MODE_SLIP_PLUS ? -height : height;
    for (double at = floor ((x - height) / gap) * gap; at < x + width; at += gap) {
      cairo_move_to (cr, at, rise < 0 ? y + height : y);
      cairo_rel_line_to (cr, height, rise);
    }
    cairo_stroke (cr);
  }
  cairo_restore (cr);
}

static void
draw_letter (cairo_t *cr, const SsappStyle *style, SsappContactMode mode, double x, double y, double width,
             double height)
{
  const SsappTextStyle text = {.size = style->font_size,
                               .bold = TRUE,
                               .color = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND),
                               .anchor_x = 0.5,
                               .anchor_y = 0.5,
                               .halo = TRUE};

  if (width > 1.2 * style->font_size)
    ssapp_text_draw (cr, style, &text, x + width / 2, y + height / 2, letters[mode]);
}

/* The time axis between left and right [px]. */
static void
layout (const SsappStyle *style, GPtrArray *strips, double t_end, double x, double width, SsappAxis *axis, double *left,
        double *right)
{
  double widest = 0, w;

  for (guint s = 0; s < strips->len; s++) {
    const SsappModeStrip *strip = g_ptr_array_index (strips, s);
    ssapp_text_measure (style, style->font_size, FALSE, strip->label, &w, NULL);
    widest = MAX (widest, w);
  }
  *left = x + MIN (widest + LABEL_GAP * style->font_size, LABEL_SHARE * width);
  *right = MAX (x + width - END_GAP * style->font_size, *left + style->scale);
  ssapp_axis_init_linear (axis, 0, t_end > 0 ? t_end : 1, TRUE, TRUE, 0, SSAPP_AXIS_MAX_LABELS);
}

static const char *
axis_title (GPtrArray *strips)
{
  return strips->len > 0 ? ((const SsappModeStrip *)g_ptr_array_index (strips, 0))->axis : ssapp_clock_axis (NULL);
}

static void
draw_time_axis (cairo_t *cr, const SsappStyle *style, const SsappAxis *axis, const char *title, double left,
                double right, double y)
{
  const double font = style->font_size;
  SsappTextStyle text = {
      .size = font, .color = ssapp_style_color (style, SSAPP_COLOR_DIM), .anchor_x = 0.5, .anchor_y = 0};

  ssapp_set_color (cr, text.color);
  cairo_set_line_width (cr, style->scale);
  cairo_new_path (cr);
  cairo_move_to (cr, left, y);
  cairo_line_to (cr, right, y);
  for (int i = 0; i < axis->n_ticks; i++) {
    cairo_move_to (cr, left + (right - left) * ssapp_axis_fraction (axis, axis->ticks[i]), y);
    cairo_rel_line_to (cr, 0, TICK * font);
  }
  cairo_stroke (cr);
  for (int i = 0; i < axis->n_ticks; i++) {
    g_autofree char *label = ssapp_axis_label (axis, i);
    ssapp_text_draw (cr, style, &text, left + (right - left) * ssapp_axis_fraction (axis, axis->ticks[i]),
                     y + TICK * font, label);
  }
  ssapp_text_draw (cr, style, &text, (left + right) / 2, y + (TICK + 1.2) * font, title);
}

static void
draw_legend (cairo_t *cr, const SsappStyle *style, GPtrArray *strips, double x, double y)
{
  const double font = style->font_size, height = 0.9 * font;
  gboolean is_used[SSAPP_MODE_COUNT] = {TRUE, TRUE, TRUE, TRUE, FALSE};

  for (guint s = 0; s < strips->len; s++) {
    const SsappModeStrip *strip = g_ptr_array_index (strips, s);
    for (guint i = 0; i < strip->spans->len; i++)
      is_used[g_array_index (strip->spans, SsappModeSpan, i).mode] = TRUE;
  }
  for (int mode = 0; mode < SSAPP_MODE_COUNT; mode++) {
    const SsappTextStyle text = {
        .size = font, .color = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND), .anchor_x = 0, .anchor_y = 0.5};
    double w;

    if (!is_used[mode])
      continue;
    fill_mode (cr, style, (SsappContactMode)mode, x, y - height / 2, SAMPLE * font, height);
    draw_letter (cr, style, (SsappContactMode)mode, x, y - height / 2, SAMPLE * font, height);
    x += (SAMPLE + 0.4) * font;
    ssapp_text_draw (cr, style, &text, x, y, mode_name ((SsappContactMode)mode));
    ssapp_text_measure (style, font, FALSE, mode_name ((SsappContactMode)mode), &w, NULL);
    x += w + font;
  }
}

/* Height of a strip with its gap: strips share what there is. */
static double
strip_pitch (const SsappStyle *style, GPtrArray *strips, double height)
{
  const double room = height - (AXIS_HEIGHT + LEGEND_HEIGHT) * style->font_size;

  return MIN (room / MAX (strips->len, 1), TALLEST_STRIP * style->font_size);
}

void
ssapp_mode_strips_draw (cairo_t *cr, const SsappStyle *style, GPtrArray *strips, double t_end, double cursor, double x,
                        double y, double width, double height)
{
  g_return_if_fail (style != NULL && strips != NULL);

  const double font = style->font_size, each = strip_pitch (style, strips, height);
  const double bar = each * STRIP_HEIGHT / (STRIP_HEIGHT + STRIP_GAP), axis_y = y + each * MAX (strips->len, 1);
  const SsappTextStyle text = {
      .size = font, .color = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND), .anchor_x = 1, .anchor_y = 0.5};
  SsappAxis axis;
  double left, right;

  if (!(each > 0))
    return;
  layout (style, strips, t_end, x, width, &axis, &left, &right);
  cairo_save (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  for (guint s = 0; s < strips->len; s++) {
    const SsappModeStrip *strip = g_ptr_array_index (strips, s);
    const double top = y + each * s + (each - bar) / 2;

    for (guint i = 0; i < strip->frozen->len; i++) {
      const SsappPlotSpan *span = &g_array_index (strip->frozen, SsappPlotSpan, i);
      const double from = left + (right - left) * CLAMP (ssapp_axis_fraction (&axis, span->begin), 0, 1);
      const double to = left + (right - left) * CLAMP (ssapp_axis_fraction (&axis, span->end), 0, 1);
      ssapp_draw_span (cr, style, from, y + each * s, to - from, each);
    }
    cairo_save (cr);
    cairo_rectangle (cr, x, y, left - x, height);
    cairo_clip (cr);
    ssapp_text_draw (cr, style, &text, left - LABEL_GAP * font, top + bar / 2, strip->label);
    cairo_restore (cr);
    for (int letter = 0; letter < 2; letter++) /* letters above all fillings */
      for (guint i = 0; i < strip->spans->len; i++) {
        const SsappModeSpan *span = &g_array_index (strip->spans, SsappModeSpan, i);
        const double from = left + (right - left) * CLAMP (ssapp_axis_fraction (&axis, span->begin), 0, 1);
        const double to = left + (right - left) * CLAMP (ssapp_axis_fraction (&axis, span->end), 0, 1);

        if (letter)
          draw_letter (cr, style, span->mode, from, top, to - from, bar);
        else
          fill_mode (cr, style, span->mode, from, top, to - from, bar);
      }
  }
  draw_time_axis (cr, style, &axis, axis_title (strips), left, right, axis_y);
  draw_legend (cr, style, strips, x, axis_y + (AXIS_HEIGHT + LEGEND_HEIGHT / 2) * font);
  if (isfinite (cursor)) {
    const double at = left + (right - left) * CLAMP (ssapp_axis_fraction (&axis, cursor), 0, 1);

    ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_FOREGROUND));
    cairo_set_line_width (cr, style->scale);
    cairo_new_path (cr);
    cairo_move_to (cr, at, y);
    cairo_line_to (cr, at, axis_y);
    cairo_stroke (cr);
  }
  cairo_restore (cr);
}

double
ssapp_mode_strips_height (const SsappStyle *style, int n_strips)
{
  g_return_val_if_fail (style != NULL, (double)NAN);
  return style->font_size * (MAX (n_strips, 1) * (STRIP_HEIGHT + STRIP_GAP) + AXIS_HEIGHT + LEGEND_HEIGHT);
}

double
ssapp_mode_strips_time_at (const SsappStyle *style, GPtrArray *strips, double t_end, double x, double width,
                           double device_x)
{
  SsappAxis axis;
  double left, right;

  layout (style, strips, t_end, x, width, &axis, &left, &right);
  return ssapp_axis_value (&axis, CLAMP ((device_x - left) / (right - left), 0, 1));
}

char *
ssapp_mode_strips_describe_at (const SsappStyle *style, GPtrArray *strips, double t_end, double width, double height,
                               double device_x, double device_y)
{
  g_return_val_if_fail (strips != NULL, NULL);

  const double each = strip_pitch (style, strips, height), place = each > 0 ? floor (device_y / each) : -1;
  const double t = ssapp_mode_strips_time_at (style, strips, t_end, 0, width, device_x);
  const SsappModeStrip *strip;

  if (!(place >= 0 && place < strips->len))
    return NULL;
  strip = g_ptr_array_index (strips, (guint)place);
  for (guint i = 0; i < strip->spans->len; i++) {
    const SsappModeSpan *span = &g_array_index (strip->spans, SsappModeSpan, i);
    if (t <= span->end)
      return g_strdup_printf ("%s: %s, %.6g s to %.6g s, %.4g s long", strip->label, mode_name (span->mode),
                              span->begin, span->end, span->end - span->begin);
  }
  return NULL;
}
