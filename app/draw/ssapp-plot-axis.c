/* app/draw/ssapp-plot-axis.c: from data to ranges and ticks, from series to as many points as there are pixels. No
 * drawing. */
#include "app/draw/ssapp-plot-parts.h"

#include <math.h>
#include <string.h>

/* ---- linear axes ------------------------------------------------------------------------------------------------- */

/* Relative slack when a tick is compared with an end of the range: 0.3 / 0.1 is not quite 3. */
static const double TICK_SLACK = 1e-9;
/* A range narrower than this share of its values cannot be resolved by doubles on a screen. */
static const double SMALLEST_SPAN = 1e-12;

static int
ticks_between (double lo, double hi, double step, double *first)
{
  double a = ceil (lo / step - TICK_SLACK * (1. + fabs (lo / step)));
  double b = floor (hi / step + TICK_SLACK * (1. + fabs (hi / step)));
  *first = a;
  return b < a ? 0 : (int)MIN (b - a + 1, 1e6);
}

/* Next of the sequence 1, 2, 5, 10, 20, ... */
static double
next_step (double step)
{
  return ssapp_nice_ceil (step * 1.5);
}

/* Ends moved outward to multiples of step where that is allowed and cheap. */
static void
loosen_range (double step, double loosen, gboolean fixed_lo, gboolean fixed_hi, double *lo, double *hi)
{
  double span = *hi - *lo, a = floor (*lo / step + TICK_SLACK) * step, b = ceil (*hi / step - TICK_SLACK) * step;
  if (!fixed_lo && *lo - a <= loosen * span)
    *lo = a;
  if (!fixed_hi && b - *hi <= loosen * span)
    *hi = b;
}

void
ssapp_axis_init_linear (SsappAxis *axis, double lo, double hi, gboolean fixed_lo, gboolean fixed_hi, double loosen,
                        int max_labels)
{
  g_return_if_fail (axis != NULL);
  /* Ranges are kept where differences and steps are still ordinary numbers. */
  static const double LARGEST = 1e300;
  memset (axis, 0, sizeof *axis);
  max_labels = CLAMP (max_labels, 2, SSAPP_AXIS_MAX_LABELS);
  if (!isfinite (lo) || !isfinite (hi) || lo > hi) {
    lo = 0.;
    hi = 1.;
  }
  lo = CLAMP (lo, -LARGEST, LARGEST);
  hi = CLAMP (hi, -LARGEST, LARGEST);
  double size = MAX (fabs (lo), fabs (hi));
  if (hi - lo <= SMALLEST_SPAN * size || hi - lo < 1e-300) { /* a constant: some room on both sides */
    double room = size > 0. ? 0.5 * MIN (size, 1.) : 1.;
    room = MAX (room, 1e-6 * size);
    lo -= room;
    hi += room;
  }
  /* Coarsen until the labels fit; the range is loosened for each step afresh. */
  double step = ssapp_nice_floor ((hi - lo) / 20.), from, to, first;
  int n;
  for (;; step = next_step (step)) {
    from = lo;
    to = hi;
    loosen_range (step, loosen, fixed_lo, fixed_hi, &from, &to);
    n = ticks_between (from, to, step, &first);
    if (n <= max_labels)
      break;
  }
  if (n < 2 && !fixed_lo && !fixed_hi) { /* a range between two ticks: show both */
    from = floor (lo / step) * step;
    to = ceil (hi / step) * step;
    n = ticks_between (from, to, step, &first);
  }
  axis->min = from;
  axis->max = to;
  axis->step = step;
  axis->n_ticks = MIN (n, SSAPP_AXIS_MAX_TICKS);
  for (int i = 0; i < axis->n_ticks; i++) {
    double k = first + i;
    axis->ticks[i] = CLAMP (k * step, from, to);
  }
}

/* ---- logarithmic axes -------------------------------------------------------------------------------------------- */

static void
add_tick (SsappAxis *axis, double value)
{
  double slack = 1. + TICK_SLACK;
  if (axis->n_ticks < SSAPP_AXIS_MAX_TICKS && value >= axis->min / slack && value <= axis->max * slack)
    axis->ticks[axis->n_ticks++] = CLAMP (value, axis->min, axis->max);
}

static void
add_minor (SsappAxis *axis, double value)
{
  double slack = 1. + TICK_SLACK;
  if (axis->n_minor < SSAPP_AXIS_MAX_MINOR && value >= axis->min / slack && value <= axis->max * slack)
    axis->minor[axis->n_minor++] = value;
}

/* Labels at powers of ten whose exponent is a multiple of the smallest stride that fits. */
static void
decade_ticks (SsappAxis *axis, int first, int last, int max_labels)
{
  static const int strides[] = {1, 2, 3, 4, 5, 6, 8, 10, 20, 50, 100, 200};
  int stride = 1;
  for (gsize s = 0; s < G_N_ELEMENTS (strides); s++) {
    int n = 0;
    stride = strides[s];
    for (int e = first; e <= last; e++)
      n += e % stride == 0;
    if (n <= max_labels)
      break;
  }
  for (int e = first; e <= last; e++) {
    if (e % stride == 0)
      add_tick (axis, pow (10., e));
    else
      add_minor (axis, pow (10., e));
  }
  if (stride == 1) /* between decades, where they are far enough apart to be told */
    for (int e = first - 1; e <= last; e++)
      for (int m = 2; m <= 9; m++)
        add_minor (axis, m * pow (10., e));
}

static void
mantissa_ticks (SsappAxis *axis, int first, int last)
{
  for (int e = first - 1; e <= last; e++)
    for (int m = 1; m <= 9; m++) {
      if (m == 1 || m == 2 || m == 5)
        add_tick (axis, m * pow (10., e));
      else
        add_minor (axis, m * pow (10., e));
    }
}

void
ssapp_axis_init_log (SsappAxis *axis, double lo, double hi, gboolean fixed_lo, gboolean fixed_hi, int max_labels)
{
  g_return_if_fail (axis != NULL);
  static const double DEFAULT_MIN = 1e-8, DEFAULT_MAX = 1., SMALLEST = 1e-300, LARGEST = 1e300;
  static const double PAD = 0.05, LEAST_DECADES = 0.1;
  memset (axis, 0, sizeof *axis);
  max_labels = CLAMP (max_labels, 2, SSAPP_AXIS_MAX_LABELS);
  if (!(lo > 0.) || !(hi > 0.) || !isfinite (lo) || !isfinite (hi) || lo > hi) {
    lo = DEFAULT_MIN;
    hi = DEFAULT_MAX;
  }
  double a = log10 (CLAMP (lo, SMALLEST, LARGEST)), b = log10 (CLAMP (hi, SMALLEST, LARGEST));
  if (b - a < LEAST_DECADES) {
    double middle = 0.5 * (a + b);
    a = fixed_lo ? a : middle - LEAST_DECADES;
    b = fixed_hi ? b : middle + LEAST_DECADES;
    if (b - a < LEAST_DECADES)
      b = a + LEAST_DECADES;
  }
  double pad = PAD * (b - a);
  /* A decade close by is taken into the range: the axis then ends at a label. */
  if (!fixed_lo)
    a = a - floor (a) <= 2 * pad ? floor (a) : a - pad;
  if (!fixed_hi)
    b = ceil (b) - b <= 2 * pad ? ceil (b) : b + pad;
  axis->is_log = TRUE;
  axis->min = pow (10., a);
  axis->max = pow (10., b);
  int first = (int)ceil (a - 1e-9), last = (int)floor (b + 1e-9);
  if (last - first >= 2) {
    decade_ticks (axis, first, last, max_labels);
    if (axis->n_ticks >= 2)
      return;
    axis->n_ticks = axis->n_minor = 0;
  }
  mantissa_ticks (axis, first, last);
  if (axis->n_ticks > max_labels) { /* more than a decade: its powers alone, if there are two */
    axis->n_ticks = axis->n_minor = 0;
    decade_ticks (axis, first, last, max_labels);
  }
  if (axis->n_ticks < 3 && b - a < 0.7) { /* less than a factor of five: round values as on a linear axis */
    SsappAxis linear;
    ssapp_axis_init_linear (&linear, axis->min, axis->max, TRUE, TRUE, 0., max_labels);
    axis->n_ticks = axis->n_minor = 0;
    axis->step = linear.step;
    for (int i = 0; i < linear.n_ticks; i++)
      add_tick (axis, linear.ticks[i]);
  }
}

void
ssapp_axis_add_minor (SsappAxis *axis)
{
  g_return_if_fail (axis != NULL);
  if (axis->is_log || !(axis->step > 0) || axis->names != NULL)
    return;
  const double mantissa = axis->step / pow (10., floor (log10 (axis->step) + 1e-9));
  const int parts = fabs (mantissa - 2.) < 1e-6 ? 4 : 5;
  const double minor = axis->step / parts;

  axis->n_minor = 0;
  for (double k = ceil (axis->min / minor - 1e-6); k * minor <= axis->max + 1e-6 * minor; k++)
    if (axis->n_minor < SSAPP_AXIS_MAX_MINOR && fmod (fabs (k) + 0.5, parts) >= 1.)
      axis->minor[axis->n_minor++] = CLAMP (k * minor, axis->min, axis->max);
}

void
ssapp_axis_init_names (SsappAxis *axis, const char *const *names, int n, int max_labels)
{
  g_return_if_fail (axis != NULL);
  memset (axis, 0, sizeof *axis);
  n = MAX (n, 1);
  max_labels = CLAMP (max_labels, 1, SSAPP_AXIS_MAX_TICKS);
  const int stride = (n + max_labels - 1) / max_labels;
  axis->min = -0.5;
  axis->max = n - 0.5;
  axis->names = names;
  for (int i = 0; i < n; i += stride)
    axis->ticks[axis->n_ticks++] = i;
}

double
ssapp_axis_fraction (const SsappAxis *axis, double value)
{
  if (!axis->is_log)
    return (value - axis->min) / (axis->max - axis->min);
  return value > 0. ? log (value / axis->min) / log (axis->max / axis->min) : NAN;
}

double
ssapp_axis_value (const SsappAxis *axis, double fraction)
{
  if (!axis->is_log)
    return axis->min + fraction * (axis->max - axis->min);
  return axis->min * pow (axis->max / axis->min, fraction);
}

static gboolean
is_power_of_ten (double value)
{
  const double exponent = log10 (value);
  return fabs (exponent - round (exponent)) < 1e-6;
}

static gboolean
has_other_ticks (const SsappAxis *axis)
{
  for (int i = 0; i < axis->n_ticks; i++)
    if (!is_power_of_ten (axis->ticks[i]))
      return TRUE;
  return FALSE;
}

/* A tick of a linear axis with the decimals of its step, so that all labels of an axis look alike: 0, 0.5, 1 are
 * written 0, 0.5, 1. */
char *
ssapp_axis_label (const SsappAxis *axis, int tick)
{
  g_return_val_if_fail (axis != NULL && tick < axis->n_ticks && tick >= 0, NULL);

  static const double FIXED_MIN = 1e-3, FIXED_MAX = 1e5, PLAIN_MIN = 1e-4;
  double value = axis->ticks[tick], largest = MAX (fabs (axis->min), fabs (axis->max));

  if (axis->names != NULL)
    return g_strdup (axis->names[(int)value]);
  if (axis->ticks_form != SSAPP_PLOT_TICKS_NUMBERS) {
    const gboolean is_percent = axis->ticks_form == SSAPP_PLOT_TICKS_PERCENT;
    g_autofree char *number = ssapp_format_number (is_percent ? 100. * value : value, 4);
    return g_strconcat (number, is_percent ? " %" : "×", NULL);
  }
  if (axis->is_log && axis->step == 0.) {
    double exponent = log10 (value);
    /* a power of ten is written as one, also 1 and 10, unless other numbers stand beside it: 0.005, 0.01, 0.02 */
    if (is_power_of_ten (value) && !(has_other_ticks (axis) && axis->min >= PLAIN_MIN && axis->max < FIXED_MAX)) {
      GString *text = g_string_new ("10");
      ssapp_append_superscript (text, (int)round (exponent));
      return g_string_free (text, FALSE);
    }
    return ssapp_format_number (value, 2);
  }
  if (fabs (value) < 1e-9 * axis->step)
    return g_strdup ("0");
  int digits = (int)CLAMP (floor (log10 (fabs (value)) + 1e-12) - floor (log10 (axis->step) + 1e-12) + 1, 1, 15);
  if (largest < FIXED_MIN || largest >= FIXED_MAX)
    return ssapp_format_number (value, digits);
  char buffer[64], format[16];
  int decimals = (int)CLAMP (-floor (log10 (axis->step) + 1e-9), 0, 15);
  if (decimals == 0)
    return ssapp_format_number (value, digits);
  g_snprintf (format, sizeof format, "%%.%df", decimals);
  g_ascii_formatd (buffer, sizeof buffer, format, fabs (value));
  gsize n = strlen (buffer);
  while (buffer[n - 1] == '0')
    buffer[--n] = '\0';
  if (buffer[n - 1] == '.')
    buffer[n - 1] = '\0';
  return g_strconcat (value < 0. ? "−" : "", buffer, NULL);
}

/* ---- decimation -------------------------------------------------------------------------------------------------- */

/* Points of one pixel column, in the order in which they came. */
typedef struct {
  gint64 column;
  int n;
  SsappPlotPoint first, low, high, last;
  int at_low, at_high; /* place in the column */
} Column;

static void
flush_column (Column *c, GArray *points)
{
  if (c->n == 0)
    return;
  g_array_append_val (points, c->first);
  gboolean low_first = c->at_low < c->at_high;
  const SsappPlotPoint *a = low_first ? &c->low : &c->high, *b = low_first ? &c->high : &c->low;
  int at_a = MIN (c->at_low, c->at_high), at_b = MAX (c->at_low, c->at_high);
  if (at_a > 0 && at_a < c->n - 1)
    g_array_append_val (points, *a);
  if (at_b > at_a && at_b > 0 && at_b < c->n - 1)
    g_array_append_val (points, *b);
  if (c->n > 1)
    g_array_append_val (points, c->last);
  c->n = 0;
}

static void
add_to_column (Column *c, gint64 column, SsappPlotPoint p, GArray *points)
{
  if (c->n > 0 && column != c->column)
    flush_column (c, points);
  if (c->n == 0) {
    c->column = column;
    c->first = c->low = c->high = p;
    c->at_low = c->at_high = 0;
  } else if (p.y < c->low.y) {
    c->low = p;
    c->at_low = c->n;
  } else if (p.y > c->high.y) {
    c->high = p;
    c->at_high = c->n;
  }
  c->last = p;
  c->n++;
}

void
ssapp_plot_decimate (const SsappSeries *series, const SsappAxis *x_axis, const SsappAxis *y_axis, const SsappRect *area,
                     double column, GArray *points)
{
  g_return_if_fail (series != NULL);
  /* Beyond the picture the line's exact place does not matter, but Cairo's fixed-point numbers must hold it. */
  static const double DEVICE_LIMIT = 1e5;
  Column c = {0};
  gboolean broken = TRUE;

  for (int i = 0; i < series->n; i++) {
    SsappPlotPoint p = {NAN, NAN};
    if (isfinite (series->x[i]) && isfinite (series->y[i])) {
      p.x = area->x + area->width * ssapp_axis_fraction (x_axis, series->x[i]);
      p.y = area->y + area->height * (1. - ssapp_axis_fraction (y_axis, series->y[i]));
    }
    if (isnan (p.x) || isnan (p.y)) {
      flush_column (&c, points);
      if (!broken) {
        SsappPlotPoint gap = {NAN, NAN};
        g_array_append_val (points, gap);
      }
      broken = TRUE;
      continue;
    }
    p.x = CLAMP (p.x, -DEVICE_LIMIT, DEVICE_LIMIT);
    p.y = CLAMP (p.y, -DEVICE_LIMIT, DEVICE_LIMIT);
    add_to_column (&c, (gint64)floor (p.x / column), p, points);
    broken = FALSE;
  }
  flush_column (&c, points);
}

/* ---- labels apart ------------------------------------------------------------------------------------------------ */

void
ssapp_plot_push_apart (double *centres, int n, double gap, double lo, double hi)
{
  int *order = g_new (int, MAX (n, 1));
  for (int i = 0; i < n; i++) { /* insertion sort: n is the number of curves */
    int j = i;
    for (; j > 0 && centres[order[j - 1]] > centres[i]; j--)
      order[j] = order[j - 1];
    order[j] = i;
  }
  for (int k = 0; k < n; k++) {
    double *c = &centres[order[k]];
    *c = MAX (*c, k > 0 ? centres[order[k - 1]] + gap : lo);
  }
  for (int k = n - 1; k >= 0; k--) {
    double *c = &centres[order[k]];
    *c = MIN (*c, k < n - 1 ? centres[order[k + 1]] - gap : hi);
  }
  g_free (order);
}
