/* tests/unit/test-chart.c: charts of many runs: their numbers by hand, what lies under the pointer, and that every kind
 * draws at every size; hidden methods change the best. With STICKSLIP_SHOTS=FOLDER the pictures are kept. */
#include "app/study/ssapp-chart-export.h"
#include "app/study/ssapp-chart-private.h"
#include "tests/unit/run-rows.h"
#include "tests/ss-test.h"

#include <glib/gstdio.h>
#include <math.h>

/* mu 0.1, 0.5 x j 0, 1, 2; three methods. Of Ipopt one run fails, one is far off, one runs, and one is missing. */
static SsappRunSet *
make (void)
{
  static const double objectives[3][6] = {{1, 2, 3, 4, 5, 6}, {1.05, 1.6, 3.6, 4, 5, 30}, {2, 400, 0, 3, 5, 0}};
  static const double seconds[3][6] = {
      {0.1, 0.1, 0.1, 0.2, 0.2, 0.2}, {0.2, 0.2, 0.2, 0.1, 0.1, 0.1}, {1, 2, 4, 1, 2, 4}};
  static const char *const methods[] = {"crisp", "crisp", "ipopt"}, *const labels[] = {"CRISP", "CRISP", "Ipopt"};
  static const char *const options[] = {"{}", "{\"relax\":\"10\"}", "{}"};
  GPtrArray *rows = rows_new ();

  for (int m = 0; m < 3; m++)
    for (int k = 0; k < 6; k++) {
      g_autofree char *parameters = g_strdup_printf ("{\"mu\":%s,\"j\":%d}", k < 3 ? "0.1" : "0.5", k % 3);
      if (m == 2 && k == 5)
        continue;
      add_row (rows, "push", methods[m], labels[m], options[m], parameters,
               m == 2 && k == 2   ? "time_limit"
               : m == 2 && k == 4 ? "running"
                                  : "solved",
               objectives[m][k], seconds[m][k]);
    }
  return ssapp_run_set_new (rows);
}

static SsappChart *
chart_of (const SsappRunSet *set, SsappChartKind kind, const gboolean *hidden, double within)
{
  SsappChartSpec spec;

  ssapp_chart_spec_init (&spec, kind, set);
  spec.hidden = hidden;
  spec.within = within;
  return ssapp_chart_new (set, &spec);
}

/* The last value of `share` at or before x in the rows of a method. */
static double
share_at (const SsappTable *table, const char *method, double x)
{
  double share = NAN;

  for (guint r = 0; r < ssapp_table_get_n_rows (table); r++)
    if (strcmp (ssapp_table_get_text (table, r, 0), method) == 0 && ssapp_table_get_number (table, r, 1) <= x)
      share = ssapp_table_get_number (table, r, 2);
  return share;
}

static void
kinds_have_names (void)
{
  for (int i = 0; i < SSAPP_CHART_COUNT; i++) {
    SsappChartKind kind;
    SS_CHECK (ssapp_chart_kind_from_name (ssapp_chart_kind_name ((SsappChartKind)i), &kind) && (int)kind == i);
    SS_CHECK (*ssapp_chart_kind_title ((SsappChartKind)i) != '\0');
  }
  SsappChartKind kind;
  SS_CHECK (!ssapp_chart_kind_from_name ("pie", &kind));
}

/* CPU: CRISP is the fastest of three of six problems, the relaxed one of the others, each twice as slow elsewhere. */
static void
profiles_count_every_problem (void)
{
  g_autoptr (SsappRunSet) set = make ();
  g_autoptr (SsappChart) performance = chart_of (set, SSAPP_CHART_PERFORMANCE, NULL, NAN);
  g_autoptr (SsappTable) table = ssapp_chart_to_table (performance);
  g_autoptr (SsappChart) data = chart_of (set, SSAPP_CHART_DATA, NULL, NAN);
  g_autoptr (SsappTable) budget = ssapp_chart_to_table (data);

  SS_CHECK_NEAR (share_at (table, "CRISP", 1), 0.5, 1e-15);
  SS_CHECK_NEAR (share_at (table, "CRISP", 1.9), 0.5, 1e-15);
  SS_CHECK_NEAR (share_at (table, "CRISP", 2), 1, 1e-15);
  SS_CHECK_NEAR (share_at (table, "Ipopt", 9.9), 0, 1e-15);
  SS_CHECK_NEAR (share_at (table, "Ipopt", 10), 2. / 6, 1e-15);
  SS_CHECK_NEAR (share_at (table, "Ipopt", 1e9), 3. / 6, 1e-15); /* failed, running and missing ones never count */
  SS_CHECK_NEAR (share_at (budget, "CRISP, relax 10", 0.15), 0.5, 1e-15);
  SS_CHECK_NEAR (share_at (budget, "CRISP", 0.2), 1, 1e-15);
}

/* Within 10 % of the best objective. Without CRISP the relaxed one is the best of all but one. */
static void
hiding_a_method_changes_the_best (void)
{
  g_autoptr (SsappRunSet) set = make ();
  const gboolean hidden[3] = {TRUE, FALSE, FALSE};
  g_autoptr (SsappChart) all = chart_of (set, SSAPP_CHART_DATA, NULL, 1.1);
  g_autoptr (SsappTable) of_all = ssapp_chart_to_table (all);
  g_autoptr (SsappChart) two = chart_of (set, SSAPP_CHART_DATA, hidden, 1.1);
  g_autoptr (SsappTable) of_two = ssapp_chart_to_table (two);
  g_autoptr (SsappChart) ratio = chart_of (set, SSAPP_CHART_PERFORMANCE, hidden, NAN);
  g_autoptr (SsappTable) of_ratio = ssapp_chart_to_table (ratio);

  /* best: 1, 1.6, 3, 3 (Ipopt), 5, 6 */
  SS_CHECK_NEAR (share_at (of_all, "CRISP", 1e9), 4. / 6, 1e-15);
  SS_CHECK_NEAR (share_at (of_all, "CRISP, relax 10", 1e9), 3. / 6, 1e-15);
  SS_CHECK_NEAR (share_at (of_all, "Ipopt", 1e9), 1. / 6, 1e-15);
  SS_CHECK_NEAR (share_at (of_two, "CRISP, relax 10", 1e9), 5. / 6, 1e-15);
  SS_CHECK (isnan (share_at (of_two, "CRISP", 1e9)));
  SS_CHECK_NEAR (share_at (of_ratio, "CRISP, relax 10", 1), 1, 1e-15);
}

static void
maps_have_a_value_or_say_why_not (void)
{
  g_autoptr (SsappRunSet) set = make ();
  g_autoptr (SsappChart) chart = chart_of (set, SSAPP_CHART_HEAT, NULL, NAN);
  g_autoptr (SsappTable) table = ssapp_chart_to_table (chart);
  guint n_not_solved = 0, n_running = 0;

  SS_CHECK_STR (ssapp_chart_get_title (chart), "Objective Against the Best");
  SS_CHECK (ssapp_table_get_n_rows (table) == 17); /* the missing run has no row */
  for (guint r = 0; r < ssapp_table_get_n_rows (table); r++) {
    const char *state = ssapp_table_get_text (table, r, 6);
    const double value = ssapp_table_get_number (table, r, 3);
    n_not_solved += strcmp (state, "not solved") == 0;
    n_running += strcmp (state, "running") == 0;
    SS_CHECK (isfinite (value) == (strcmp (state, "solved") == 0));
  }
  SS_CHECK (n_not_solved == 1 && n_running == 1);
  /* relaxed, mu 0.1, j 1: 1.6 is the best, of CRISP 2 */
  SS_CHECK_NEAR (ssapp_table_get_number (table, 2, 3), 2 / 1.6, 1e-15);
}

static void
tables_tell_medians_and_outcomes (void)
{
  g_autoptr (SsappRunSet) set = make ();
  const SsMetric metrics[] = {SS_METRIC_OBJECTIVE, SS_METRIC_CPU_SECONDS};
  g_autoptr (SsappTable) summary = ssapp_run_set_summary (set, metrics, 2);
  g_autoptr (SsappTable) runs = ssapp_run_set_to_table (set, metrics, 2);
  g_autoptr (SsappChart) success = chart_of (set, SSAPP_CHART_SUCCESS, NULL, NAN);
  g_autoptr (SsappTable) solved = ssapp_chart_to_table (success);
  g_autoptr (SsappChart) box = chart_of (set, SSAPP_CHART_BOX, NULL, NAN);
  g_autoptr (SsappTable) boxes = ssapp_chart_to_table (box);

  SS_CHECK (ssapp_table_get_n_rows (summary) == 3 && ssapp_table_get_n_rows (runs) == 17);
  SS_CHECK_NEAR (ssapp_table_get_number (summary, 0, 3), 3.5, 1e-15);
  SS_CHECK_NEAR (ssapp_table_get_number (summary, 2, 1), 3, 0);
  SS_CHECK_NEAR (ssapp_table_get_number (summary, 2, 2), 5, 0);
  SS_CHECK_NEAR (ssapp_table_get_number (summary, 2, 3), 3, 1e-15); /* of 2, 400, 3 */
  /* Each method solved other problems, and one of them did not run on all: nothing of that can be compared. */
  for (guint m = 0; m < 3; m++)
    for (guint c = 1; c < 5; c++)
      SS_CHECK (!ssapp_table_is_best (summary, m, c));
  SS_CHECK_STR (ssapp_table_get_text (solved, 2, 4), "1 time limit, 1 running");
  SS_CHECK_NEAR (ssapp_table_get_number (solved, 2, 3), 60, 1e-12);
  /* relative to the best: CRISP 1, 1.25, 1, 4/3, 1, 1 */
  SS_CHECK_NEAR (ssapp_table_get_number (boxes, 0, 4), 1, 1e-15);
  SS_CHECK_NEAR (ssapp_table_get_number (boxes, 0, 5), 1.1875, 1e-12);
}

/* Two methods on two problems, each solved but for `failed` (-1: none). */
static SsappRunSet *
make_square (int failed)
{
  GPtrArray *rows = rows_new ();

  for (int k = 0; k < 4; k++)
    add_row (rows, "push-box", k < 2 ? "crisp" : "ipopt", k < 2 ? "CRISP" : "Ipopt", "{}",
             k % 2 == 0 ? "{\"j\": 0}" : "{\"j\": 1}", k == failed ? "failed" : "solved", 1 + k,
             k == failed ? 0.01 : 1);
  return ssapp_run_set_new (rows);
}

static void
the_best_is_of_the_same_problems (void)
{
  const SsMetric metrics[] = {SS_METRIC_OBJECTIVE, SS_METRIC_CPU_SECONDS};

  for (int failed = -1; failed < 4; failed++) {
    g_autoptr (SsappRunSet) set = make_square (failed);
    g_autoptr (SsappTable) summary = ssapp_run_set_summary (set, metrics, 2);
    g_autoptr (SsappTable) all = ssapp_run_set_summary_of_all (set, metrics, 2);
    g_autoptr (SsappTable) runs = ssapp_run_set_to_table (set, metrics, 2);
    /* Medians over other problems are no comparison; counts over all of them are. */
    SS_CHECK (ssapp_table_is_best (summary, 0, 3) == (failed < 0));
    SS_CHECK (ssapp_table_is_best (all, 0, 3));
    SS_CHECK (ssapp_table_is_best (summary, 0, 1) == (failed >= 2));
    SS_CHECK (ssapp_table_is_best (summary, 1, 1) == (failed == 0 || failed == 1));
    /* A failed run is the best of nothing, and the other has nothing to be better than; equal times do not differ. */
    for (guint r = 0; r < 4; r++) {
      const gboolean is_first = strcmp (ssapp_table_get_text (runs, r, 0), "CRISP") == 0;
      const int j = (int)ssapp_table_get_number (runs, r, 1);
      SS_CHECK (ssapp_table_is_best (runs, r, 2) == (is_first && (failed < 0 || failed % 2 != j)));
      SS_CHECK (!ssapp_table_is_best (runs, r, 3));
    }
  }
}

/* ---- drawing and picking ----------------------------------------------------------------------------------------- */

enum { WIDTH = 620, HEIGHT = 340 };

/* Dark pixels, or bright ones on dark, of a picture of the chart. */
static guint
draw (const SsappChart *chart, const SsappStyle *style, int width, int height, double zoom, const char *name,
      double pointer_x)
{
  cairo_surface_t *surface =
      cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int)(width * zoom), (int)(height * zoom));
  cairo_t *cr = cairo_create (surface);
  const char *folder = g_getenv ("STICKSLIP_SHOTS");
  const int selected[2] = {1, 1};
  guint n = 0;

  cairo_scale (cr, zoom, zoom);
  if (style->is_dark)
    cairo_set_source_rgb (cr, 0x36 / 255., 0x36 / 255., 0x36 / 255.);
  else
    cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  ssapp_chart_draw (chart, cr, style, width, height, selected, pointer_x, height / 2.);
  SS_CHECK (cairo_status (cr) == CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  const guint8 *data = cairo_image_surface_get_data (surface);
  const int stride = cairo_image_surface_get_stride (surface);
  for (int y = 0; y < (int)(height * zoom); y++)
    for (int x = 0; x < (int)(width * zoom); x++) {
      const guint8 *p = data + y * stride + 4 * x;
      n += p[0] != p[1] || p[1] != p[2] || p[0] != (style->is_dark ? 0x36 : 0xFF);
    }
  if (folder != NULL && name != NULL) {
    g_autofree char *path = g_strdup_printf ("%s/%s.png", folder, name);
    cairo_surface_write_to_png (surface, path);
  }
  cairo_surface_destroy (surface);
  return n;
}

static void
every_kind_draws_at_every_size (void)
{
  g_autoptr (SsappRunSet) set = make ();
  g_autoptr (SsappRunSet) empty = ssapp_run_set_new (rows_new ());
  const int sizes[][2] = {{WIDTH, HEIGHT}, {180, 120}, {30, 20}, {1, 1}, {2000, 60}};

  for (int k = 0; k < SSAPP_CHART_COUNT; k++)
    for (int dark = 0; dark < 2; dark++) {
      g_autoptr (SsappChart) chart = chart_of (set, (SsappChartKind)k, NULL, NAN);
      g_autoptr (SsappChart) nothing = chart_of (empty, (SsappChartKind)k, NULL, NAN);
      g_autofree char *name =
          g_strdup_printf ("%s-%s", ssapp_chart_kind_name ((SsappChartKind)k), dark ? "dark" : "light");
      SsappStyle style;
      ssapp_style_init (&style, dark);
      for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
        const guint n = draw (chart, &style, sizes[s][0], sizes[s][1], 1, s == 0 ? name : NULL, 300);
        SS_CHECK (s > 0 || n > 2000);
      }
      SS_CHECK (draw (nothing, &style, WIDTH, HEIGHT, 1, NULL, NAN) > 100); /* words */
      SS_CHECK (ssapp_chart_get_height (chart, &style, WIDTH) > 50);
    }
}

static void
the_pointer_finds_runs (void)
{
  g_autoptr (SsappRunSet) set = make ();
  SsappStyle style;
  guint n_cells = 0, seen[32] = {0};

  ssapp_style_init (&style, FALSE);
  /* Each run of a heat map is under some point, alone. */
  g_autoptr (SsappChart) heat = chart_of (set, SSAPP_CHART_HEAT, NULL, NAN);
  for (int y = 0; y < HEIGHT; y += 8)
    for (int x = 0; x < WIDTH; x += 8) {
      SsappChartPick pick;
      ssapp_chart_pick (heat, &style, WIDTH, HEIGHT, x, y, &pick);
      SS_CHECK (pick.items->len <= 1);
      if (pick.items->len == 1)
        seen[g_array_index (pick.items, guint, 0)]++;
      SS_CHECK ((pick.words != NULL) == (pick.items->len == 1));
      ssapp_chart_pick_clear (&pick);
    }
  for (guint i = 0; i < set->items->len; i++)
    n_cells += seen[i] > 0;
  SS_CHECK (n_cells == 17);
  /* The outlier of a box plot alone: Ipopt's 400 against 1.6. */
  gboolean has_single = FALSE, has_box = FALSE;
  g_autoptr (SsappChart) box = chart_of (set, SSAPP_CHART_BOX, NULL, NAN);
  for (int y = 0; y < HEIGHT; y += 5)
    for (int x = 0; x < WIDTH; x += 5) {
      SsappChartPick pick;
      ssapp_chart_pick (box, &style, WIDTH, HEIGHT, x, y, &pick);
      has_single = has_single || pick.items->len == 1;
      has_box = has_box || pick.items->len == 6;
      ssapp_chart_pick_clear (&pick);
    }
  SS_CHECK (has_single && has_box);
  /* Ipopt failed in one of the four that ended. */
  g_autoptr (SsappTable) boxes = ssapp_chart_to_table (box);
  g_autofree char *left_out = ssapp_table_write (boxes, SSAPP_TABLE_TEXT);
  SS_CHECK_CONTAINS (left_out, "Of solved runs alone: Ipopt 3 of 4. The methods' values are of different problems");
  /* Values of a profile, somewhere in its middle. */
  SsappChartPick pick;
  g_autoptr (SsappChart) profile = chart_of (set, SSAPP_CHART_PERFORMANCE, NULL, NAN);
  ssapp_chart_pick (profile, &style, WIDTH, HEIGHT, WIDTH / 2., HEIGHT / 2., &pick);
  SS_CHECK_CONTAINS (pick.words, "CRISP: 100 %");
  ssapp_chart_pick_clear (&pick);
  ssapp_chart_pick (profile, &style, WIDTH, HEIGHT, 1e9, NAN, &pick);
  SS_CHECK (pick.words == NULL);
  ssapp_chart_pick_clear (&pick);
  g_autoptr (SsappChart) bars = chart_of (set, SSAPP_CHART_SUCCESS, NULL, NAN);
  ssapp_chart_pick (bars, &style, WIDTH, HEIGHT, WIDTH / 2., 20, &pick);
  SS_CHECK (pick.items->len == 6);
  ssapp_chart_pick_clear (&pick);
}

/* ---- texts and what they stand at -------------------------------------------------------------------------------- */

typedef struct {
  double x, y; /* px: the anchor, the baseline */
  char words[80];
} Text;

/* The texts of a picture in the order drawn, and the picture without them. Free with g_array_unref and destroy. */
static GArray *
texts_of (const SsappChart *chart, const SsappStyle *style, cairo_surface_t **picture)
{
  GArray *texts = g_array_new (FALSE, TRUE, sizeof (Text));
  g_autoptr (GString) told = g_string_new (NULL);

  *picture = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  ssapp_text_record_start (*picture);
  cairo_t *cr = cairo_create (*picture);
  ssapp_chart_draw (chart, cr, style, WIDTH, HEIGHT, NULL, NAN, NAN);
  cairo_destroy (cr);
  cairo_surface_flush (*picture);
  ssapp_text_record_to_svg (*picture, told);
  g_auto (GStrv) lines = g_strsplit (told->str, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    Text text = {0};
    const char *words = strchr (lines[i], '>');
    if (words != NULL && sscanf (lines[i], "<text x=\"%lf\" y=\"%lf\"", &text.x, &text.y) == 2) {
      g_strlcpy (text.words, words + 1, MIN (strcspn (words + 1, "<") + 1, sizeof text.words));
      g_array_append_val (texts, text);
    }
  }
  return texts;
}

/* Channel 0..3 of the pixel; 0 outside. */
static int
channel_at (cairo_surface_t *picture, int x, int y, int channel)
{
  const guint8 *data = cairo_image_surface_get_data (picture);
  return x >= 0 && y >= 0 && x < WIDTH && y < HEIGHT
             ? data[y * cairo_image_surface_get_stride (picture) + 4 * x + channel]
             : 0;
}

static int
difference_of (cairo_surface_t *picture, int xa, int ya, int xb, int yb)
{
  int most = 0;
  for (int c = 0; c < 4; c++)
    most = MAX (most, abs (channel_at (picture, xa, ya, c) - channel_at (picture, xb, yb, c)));
  return most;
}

/* One method; mu 0, 1 and j 0, 1, 2 with seconds of each. */
static SsappRunSet *
set_of_seconds (const double seconds[6])
{
  GPtrArray *rows = rows_new ();
  for (int k = 0; k < 6; k++) {
    g_autofree char *parameters = g_strdup_printf ("{\"mu\":%d,\"j\":%d}", k / 3, k % 3);
    add_row (rows, "push", "crisp", "CRISP", "{}", parameters, "solved", 1, seconds[k]);
  }
  return ssapp_run_set_new (rows);
}

/* "12.5" or "10³". */
static double
number_of (const char *words)
{
  static const char *const powers[] = {"10⁰", "10¹", "10²", "10³", "10⁴", "10⁵"};
  for (guint k = 0; k < G_N_ELEMENTS (powers); k++)
    if (strcmp (words, powers[k]) == 0)
      return pow (10, k);
  return g_ascii_strtod (words, NULL);
}

/* The bar below a map is its legend: where it has a number, it has the colour of the cell with that value, and its
 * numbers stand as the scale says. Of one value alone there is one number. */
static void
the_bar_of_a_map_tells_its_colours (void)
{
  static const double seconds[3][6] = {{1, 2, 3, 4, 5, 6}, {1, 10, 100, 1000, 1e4, 1e5}, {3, 3, 3, 3, 3, 3}};

  for (int s = 0; s < 3; s++) {
    g_autoptr (SsappRunSet) set = set_of_seconds (seconds[s]);
    cairo_surface_t *picture;
    SsappChartSpec spec;
    SsappStyle style;
    double middles[6][3] = {0}, lowest = 0, at[2] = {NAN, NAN}, of[2] = {NAN, NAN};
    guint n_numbers = 0, n_cells = 0;

    ssapp_style_init (&style, FALSE);
    ssapp_chart_spec_init (&spec, SSAPP_CHART_HEAT, set);
    spec.metric = SS_METRIC_CPU_SECONDS;
    spec.is_relative = FALSE;
    ssapp_chart_spec_suit (&spec, set);
    SS_CHECK (spec.y_log == (s == 1));
    g_autoptr (SsappChart) chart = ssapp_chart_new (set, &spec);
    g_autoptr (GArray) texts = texts_of (chart, &style, &picture);
    for (int py = 0; py < HEIGHT; py += 20)
      for (int px = 0; px < WIDTH; px += 20) {
        SsappChartPick pick;
        ssapp_chart_pick (chart, &style, WIDTH, HEIGHT, px, py, &pick);
        for (guint k = 0; k < 6; k++)
          if (pick.items->len == 1 && g_array_index (pick.items, guint, 0) == k) {
            middles[k][0] += px;
            middles[k][1] += py;
            middles[k][2]++;
          }
        ssapp_chart_pick_clear (&pick);
      }
    for (guint i = 0; i < texts->len; i++)
      lowest = fmax (lowest, g_array_index (texts, Text, i).y); /* the bar's numbers are the last line */
    for (guint i = 0; i < texts->len; i++) {
      const Text *text = &g_array_index (texts, Text, i);
      if (text->y < lowest - 0.5)
        continue;
      const double value = number_of (text->words), place = s == 1 ? log10 (value) : value;
      const int x = (int)text->x + (value == seconds[s][5] && s < 2 ? -3 : 3); /* beside the tick, within the bar */
      int bar = (int)text->y;
      n_numbers++;
      if (isnan (at[0])) {
        at[0] = text->x;
        of[0] = place;
      } else if (isnan (at[1])) {
        at[1] = text->x;
        of[1] = place;
      } else /* the text's places are told to a hundredth of a pixel */
        SS_CHECK_NEAR (text->x, at[0] + (place - of[0]) * (at[1] - at[0]) / (of[1] - of[0]), 0.2);
      while (bar > 0 && channel_at (picture, x, bar, 3) < 255)
        bar--;
      for (guint k = 0; k < 6; k++) {
        if (fabs (seconds[s][k] / value - 1) > 1e-9)
          continue;
        const double *middle = middles[k];
        SS_CHECK (middle[2] > 0);
        /* three pixels of the ramp from the tick, and levels of colours: a few hundredths of the ramp */
        SS_CHECK (difference_of (picture, x, bar - 3, (int)(middle[0] / middle[2]), (int)(middle[1] / middle[2])) < 16);
        n_cells++;
      }
    }
    SS_CHECK (s == 2 ? n_numbers == 1 : n_numbers >= 3);
    SS_CHECK (s == 2 || n_cells >= 3);
    cairo_surface_destroy (picture);
  }
}

/* A box plot whose axis leaves runs out says of how many, and has a line for that alone. */
static void
runs_beyond_an_axis_are_counted (void)
{
  static const double seconds[6] = {1, 2, 3, 4, 5, 6};
  g_autoptr (SsappRunSet) set = set_of_seconds (seconds);
  SsappChartSpec spec;
  SsappStyle style;

  ssapp_style_init (&style, FALSE);
  ssapp_chart_spec_init (&spec, SSAPP_CHART_BOX, set);
  spec.metric = SS_METRIC_CPU_SECONDS;
  spec.is_relative = FALSE;
  spec.y_log = FALSE;
  for (int beyond = 0; beyond <= 3; beyond++) {
    cairo_surface_t *picture;
    guint n_notes = 0;
    spec.y_max = beyond == 0 ? NAN : 6.5 - beyond;
    spec.y_min = beyond == 3 ? 1.5 : beyond == 0 ? NAN : 0;
    g_autoptr (SsappChart) chart = ssapp_chart_new (set, &spec);
    g_autoptr (GArray) texts = texts_of (chart, &style, &picture);
    g_autofree char *words =
        g_strdup_printf ("Triangle: %d run%s beyond the axis.", beyond + (beyond == 3), beyond == 1 ? "" : "s");
    for (guint i = 0; i < texts->len; i++) {
      const Text *text = &g_array_index (texts, Text, i);
      if (strstr (text->words, "beyond") == NULL)
        continue;
      n_notes++;
      SS_CHECK_STR (text->words, words);
    }
    SS_CHECK (n_notes == (beyond > 0));
    cairo_surface_destroy (picture);
  }
}

/* In lines and in scatter, which the plot module draws as crosses where nothing else is said. */
static void
methods_look_as_everywhere (void)
{
  g_autoptr (SsappRunSet) set = make ();
  SsappStyle style;

  ssapp_style_init (&style, FALSE);
  for (int k = SSAPP_CHART_CURVES; k <= SSAPP_CHART_WORK; k++) {
    g_autoptr (SsappChart) chart = chart_of (set, (SsappChartKind)k, NULL, NAN);
    SsappSeries series[3];
    for (guint m = 0; m < 3; m++) {
      series[m] = ssapp_chart_series (chart, m);
      series[m].has_no_line = k == SSAPP_CHART_WORK;
    }
    g_autofree SsappMethodStyle *looks = ssapp_plot_series_styles (&style, series, 3);
    for (guint m = 0; m < 3; m += 2) { /* CRISP and Ipopt; the second CRISP has a look of its own */
      SsappMethodStyle expected;
      ssapp_style_method (&style, ssapp_chart_method (chart, m)->id, &expected);
      SS_CHECK (looks[m].marker == expected.marker && looks[m].color.b == expected.color.b);
    }
    SS_CHECK (looks[1].marker != looks[0].marker || looks[1].filled != looks[0].filled);
  }
}

/* 10 + 3 a + 2 b + a b for a, b = -1, 1: variance 9 + 4 + 1. */
static SsappRunSet *
make_product (guint n)
{
  static const char *const methods[] = {"crisp", "ipopt"}, *const labels[] = {"CRISP", "Ipopt"};
  GPtrArray *rows = rows_new ();

  for (guint k = 0; k < n; k++) {
    const int a = k % 2 == 0 ? -1 : 1, b = k / 2 == 0 ? -1 : 1;
    g_autofree char *parameters = g_strdup_printf ("{\"mu\":%d,\"j\":1}", b);
    add_row (rows, "push", methods[k % 2], labels[k % 2], "{}", parameters, "solved", 10 + 3 * a + 2 * b + a * b, 1);
  }
  return ssapp_run_set_new (rows);
}

static void
what_decides_is_split_by_factors (void)
{
  g_autoptr (SsappRunSet) grid = make_product (4), part = make_product (3);
  SsappChartSpec spec;

  ssapp_chart_spec_init (&spec, SSAPP_CHART_DECIDES, grid);
  g_autoptr (SsappChart) chart = ssapp_chart_new (grid, &spec);
  g_autoptr (SsappTable) table = ssapp_chart_to_table (chart);
  g_autofree char *text = ssapp_table_write (table, SSAPP_TABLE_TEXT);
  SS_CHECK (ssapp_table_get_n_rows (table) == 3);
  SS_CHECK_STR (ssapp_table_get_text (table, 0, 0), "Method");
  SS_CHECK_NEAR (ssapp_table_get_number (table, 0, 2), 900 / 14., 1e-12);
  SS_CHECK_NEAR (ssapp_table_get_number (table, 0, 3), 1000 / 14., 1e-12);
  SS_CHECK_STR (ssapp_table_get_text (table, 1, 0), "μ");
  SS_CHECK_NEAR (ssapp_table_get_number (table, 1, 2), 400 / 14., 1e-12);
  SS_CHECK_STR (ssapp_table_get_text (table, 2, 0), "together");
  SS_CHECK_NEAR (ssapp_table_get_number (table, 2, 2), 100 / 14., 1e-12);
  SS_CHECK_CONTAINS (text, "Method decides most: 64 %");
  /* one run less is no grid: nothing is told of what factors decide together */
  g_autoptr (SsappChart) estimate = ssapp_chart_new (part, &spec);
  g_autoptr (SsappTable) estimated = ssapp_chart_to_table (estimate);
  g_autofree char *words = ssapp_table_write (estimated, SSAPP_TABLE_TEXT);
  SS_CHECK (ssapp_table_get_n_rows (estimated) == 2 && isnan (ssapp_table_get_number (estimated, 0, 3)));
  SS_CHECK_CONTAINS (words, "Estimates from 3 of 3 runs");
  /* 6, 8 and 10 less their mean: methods leave 2 of 8 within groups of two runs and one, axes all of it */
  SS_CHECK_NEAR (ssapp_table_get_number (estimated, 0, 2), 100 * (1 - 2 / 8. * 2 / 1), 1e-12);
  SS_CHECK_NEAR (ssapp_table_get_number (estimated, 1, 2), 0, 0);
  /* the CPU time is the same everywhere */
  spec.metric = SS_METRIC_CPU_SECONDS;
  g_autoptr (SsappChart) same = ssapp_chart_new (grid, &spec);
  g_autoptr (SsappTable) none = ssapp_chart_to_table (same);
  g_autofree char *why = ssapp_table_write (none, SSAPP_TABLE_TEXT);
  SS_CHECK_CONTAINS (why, "All 4 values of CPU time are the same");
}

/* Twenty draws of an axis decide all; of another one nothing. */
static void
drawn_axes_are_taken_in_classes (void)
{
  GPtrArray *rows = rows_new ();
  SsappChartSpec spec;

  for (int k = 0; k < 20; k++) {
    g_autofree char *parameters = g_strdup_printf ("{\"mu\":%d,\"j\":%d}", k, (7 * k) % 20);
    add_row (rows, "push", "crisp", "CRISP", "{}", parameters, "solved", k, 1);
  }
  g_autoptr (SsappRunSet) set = ssapp_run_set_new (rows);
  ssapp_chart_spec_init (&spec, SSAPP_CHART_DECIDES, set);
  g_autoptr (SsappChart) chart = ssapp_chart_new (set, &spec);
  g_autoptr (SsappTable) table = ssapp_chart_to_table (chart);
  g_autofree char *text = ssapp_table_write (table, SSAPP_TABLE_TEXT);
  SS_CHECK_STR (ssapp_table_get_text (table, 0, 0), "μ");
  SS_CHECK (ssapp_table_get_number (table, 0, 1) == 4);
  /* means of four classes of 5: 1 - (1 - 625 / 665) 19 / 16 of the variance 33.25 */
  SS_CHECK_NEAR (ssapp_table_get_number (table, 0, 2), 100 * (1 - (1 - 625 / 665.) * 19 / 16), 1e-10);
  SS_CHECK (ssapp_table_get_number (table, 1, 2) < 20);
  SS_CHECK_CONTAINS (text, "Drawn values are taken in 4 classes.");
}

/* Each of twenty draws stands in two problems, beside a list of two: values of both drawn axes still come in pairs. */
static void
drawn_axes_beside_a_list_are_taken_in_classes (void)
{
  GPtrArray *rows = rows_new ();
  SsappChartSpec spec;

  for (int k = 0; k < 40; k++) {
    const int draw = k / 2, listed = k % 2;
    g_autofree char *parameters = g_strdup_printf ("{\"mu\":%d,\"j\":%d,\"i\":%d}", draw, (7 * draw) % 20, listed);
    add_row (rows, "push", "crisp", "CRISP", "{}", parameters, "solved", draw + 10 * listed, 1);
  }
  g_autoptr (SsappRunSet) set = ssapp_run_set_new (rows);
  ssapp_chart_spec_init (&spec, SSAPP_CHART_DECIDES, set);
  g_autoptr (SsappChart) chart = ssapp_chart_new (set, &spec);
  g_autoptr (SsappTable) table = ssapp_chart_to_table (chart);
  /* variances: 33.25 of the draws, 31.25 of the means of four classes of 5, 25 of the list */
  SS_CHECK_STR (ssapp_table_get_text (table, 0, 0), "μ");
  SS_CHECK_NEAR (ssapp_table_get_number (table, 0, 2), 100 * (1 - (1 - 31.25 / 58.25) * 39 / 36), 1e-10);
  SS_CHECK_STR (ssapp_table_get_text (table, 1, 0), "i");
  SS_CHECK_NEAR (ssapp_table_get_number (table, 1, 2), 100 * (1 - (1 - 25 / 58.25) * 39 / 38), 1e-10);
  SS_CHECK (ssapp_table_get_number (table, 2, 1) == 4 && ssapp_table_get_number (table, 2, 2) < 10);
}

/* The levels that what decides takes of three axes by these rows, and whether it says that values were drawn. */
static gboolean
takes_classes (GPtrArray *rows, double levels[3])
{
  SsappChartSpec spec;
  g_autoptr (SsappRunSet) set = ssapp_run_set_new (rows);
  ssapp_chart_spec_init (&spec, SSAPP_CHART_DECIDES, set);
  g_autoptr (SsappChart) chart = ssapp_chart_new (set, &spec);
  g_autoptr (SsappTable) table = ssapp_chart_to_table (chart);
  g_autofree char *text = ssapp_table_write (table, SSAPP_TABLE_TEXT);
  for (guint r = 0; r < 3 && r < ssapp_table_get_n_rows (table); r++)
    levels[r] = ssapp_table_get_number (table, r, 1);
  return strstr (text, "Drawn values") != NULL;
}

/* Lists are not drawn: one axis at a time about a middle, and a list of eight of which most runs of one value of the
 * other are not told. */
static void
lists_are_not_taken_for_drawn (void)
{
  GPtrArray *rows = rows_new ();
  double levels[3] = {0};

  for (int axis = 0; axis < 3; axis++)
    for (int value = 1; value <= 5; value++)
      if (value != 3 || axis == 0) {
        g_autofree char *parameters = g_strdup_printf ("{\"mu\":%d,\"j\":%d,\"i\":%d}", axis == 0 ? value : 3,
                                                       axis == 1 ? value : 3, axis == 2 ? value : 3);
        add_row (rows, "push", "crisp", "CRISP", "{}", parameters, "solved", value * (axis + 1), 1);
      }
  SS_CHECK (!takes_classes (rows, levels) && levels[0] == 5 && levels[1] == 5 && levels[2] == 5);
  rows = rows_new ();
  for (int k = 0; k < 16; k++) {
    g_autofree char *parameters = g_strdup_printf ("{\"mu\":%d,\"j\":%d}", k / 2, k % 2);
    add_row (rows, "push", "crisp", "CRISP", "{}", parameters, "solved", k % 2 == 0 || k == 1 ? k : (double)NAN, 1);
  }
  levels[0] = levels[1] = 0;
  SS_CHECK (!takes_classes (rows, levels) && fmax (levels[0], levels[1]) == 8);
}

/* A run that the machine was too slow for is no failure of its method. */
static void
slow_machines_have_a_state_of_their_own (void)
{
  GPtrArray *rows = rows_new ();
  SsappStyle style;

  add_row (rows, "push", "crisp", "CRISP", "{}", "{\"mu\":0.1}", "solved", 1, 1);
  add_row (rows, "push", "crisp", "CRISP", "{}", "{\"mu\":0.2}", "machine_slow", NAN, 0.1);
  add_row (rows, "push", "crisp", "CRISP", "{}", "{\"mu\":0.3}", "time_limit", NAN, 5);
  g_autoptr (SsappRunSet) set = ssapp_run_set_new (rows);
  g_autoptr (SsappChart) map = chart_of (set, SSAPP_CHART_HEAT, NULL, NAN);
  g_autoptr (SsappTable) cells = ssapp_chart_to_table (map);
  g_autoptr (SsappChart) bars = chart_of (set, SSAPP_CHART_SUCCESS, NULL, NAN);
  g_autoptr (SsappTable) success = ssapp_chart_to_table (bars);
  g_autofree char *text = ssapp_table_write (success, SSAPP_TABLE_TEXT);
  SsappChartPick pick;

  SS_CHECK_STR (ssapp_table_get_text (cells, 1, 5), "machine too slow");
  SS_CHECK_STR (ssapp_table_get_text (cells, 2, 5), "not solved");
  SS_CHECK_CONTAINS (text, "1 machine too slow, 1 time limit");
  SS_CHECK_CONTAINS (text, "The machine was too slow for the time limit of 1 run, which counts for no method.");
  ssapp_style_init (&style, FALSE);
  ssapp_chart_pick (bars, &style, WIDTH, HEIGHT, WIDTH / 2., 20, &pick);
  SS_CHECK_CONTAINS (pick.words, "1 solved, 1 not solved, 1 machine too slow");
  ssapp_chart_pick_clear (&pick);
}

/* Pixels of that colour from x on, in a row of the picture: on white, and on the grey lines that show through it. */
static int
count_along (const guint8 *row, int *x, SsappColor color)
{
  const double channels[3] = {color.b, color.g, color.r};
  int n = 0;

  for (; *x < WIDTH; (*x)++, n++) {
    double least = INFINITY, most = -INFINITY;
    for (int c = 0; c < 3; c++) {
      const double darker = 255 * (1 + color.a * (channels[c] - 1)) - row[4 * *x + c];
      least = fmin (least, darker);
      most = fmax (most, darker);
    }
    if (least < -2 || most > 60 * (1 - color.a) + 2 || most - least > 5) /* Cairo rounds more than once */
      return n;
  }
  return n;
}

/* A bar has its parts one beside the other, as long as their runs are many: solved, not solved, too slow a machine;
 * what still runs is no bar. An edge within a pixel has neither colour. */
static void
bars_are_as_long_as_their_runs (void)
{
  static const char *const outcomes[] = {"solved", "time_limit", "machine_slow", "running"};
  static const int cases[][4] = {{4, 2, 1, 3}, {1, 1, 1, 1}, {0, 0, 2, 2}, {3, 0, 1, 0}, {2, 5, 0, 4}, {0, 3, 3, 1}};
  SsappStyle style;

  ssapp_style_init (&style, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GPtrArray *rows = rows_new ();
    int all = 0, height = 0, x = 0, first = 0;
    for (int o = 0; o < 4; o++)
      for (int k = 0; k < cases[i][o]; k++, all++)
        add_row (rows, "push", "crisp", "CRISP", "{}", "{}", outcomes[o], 1, 1);
    g_autoptr (SsappRunSet) set = ssapp_run_set_new (rows);
    g_autoptr (SsappChart) bars = chart_of (set, SSAPP_CHART_SUCCESS, NULL, NAN);
    cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
    cairo_t *cr = cairo_create (surface);
    SsappMethodStyle look;
    ssapp_chart_look (&style, ssapp_chart_method (bars, 0), &look);
    const SsappColor colors[3] = {look.color, ssapp_color_with_alpha (look.color, 0.2),
                                  ssapp_color_with_alpha (ssapp_style_color (&style, SSAPP_COLOR_MACHINE), 0.45)};
    cairo_set_source_rgb (cr, 1, 1, 1);
    cairo_paint (cr);
    ssapp_chart_bars_draw (bars, cr, &style, WIDTH, HEIGHT);
    cairo_destroy (cr);
    cairo_surface_flush (surface);
    const guint8 *data = cairo_image_surface_get_data (surface), *row = NULL;
    const int stride = cairo_image_surface_get_stride (surface);
    while (first < 2 && cases[i][first] == 0)
      first++;
    /* The first row with 20 pixels of the first part has all of them. */
    for (; row == NULL && height < HEIGHT; height++)
      for (x = 0; row == NULL && x < WIDTH; x++) {
        int end = x;
        if (count_along (data + height * stride, &end, colors[first]) >= 20)
          row = data + (height + 2) * stride, x--;
      }
    SS_CHECK (row != NULL);
    double unit = NAN;
    for (int o = first; row != NULL && o < 3; o++) {
      const int n = count_along (row, &x, colors[o]);
      unit = o == first ? (double)n / cases[i][o] : unit;
      SS_CHECK_NEAR (n, unit * cases[i][o], 3);
      x += n > 0 && count_along (row, &(int){x}, (SsappColor){1, 1, 1, 1}) == 0; /* an edge */
    }
    SS_CHECK (row == NULL || unit * all > WIDTH / 2.); /* the whole bar takes the most of the width */
    cairo_surface_destroy (surface);
  }
}

/* y = 3 x^2 has slope 2; points that have no logarithm are left out, and two points have no slope. */
static void
slopes_are_of_what_has_a_logarithm (void)
{
  double x[] = {0.1, 0, 0.2, -1, 0.4, 0.8, 0.5, 0.6}, y[] = {0.03, 1, 0.12, 3, 0.48, 1.92, 0, -2}, slope = NAN;
  const SsappChartCurve curve = {.n = G_N_ELEMENTS (x), .x = x, .y = y}, two = {.n = 4, .x = x, .y = y};

  for (int logs = 0; logs < 4; logs++) {
    const SsappChart chart = {.spec = {.x_log = (logs & 1) != 0, .y_log = (logs & 2) != 0}};
    SS_CHECK (ssapp_chart_slope (&chart, &curve, &slope) == (logs == 3));
    SS_CHECK (!ssapp_chart_slope (&chart, &two, &(double){0}));
  }
  SS_CHECK_NEAR (slope, 2, 1e-12);
}

/* 400 draws of two parameters (Roberts' sequence) with objective a + 10 b: cells of width w lie within w/2 + 10 w/2 of
 * their middle. */
static void
maps_of_drawn_values_have_classes (void)
{
  enum { N = 400 };
  const double plastic = 1.32471795724474602596;
  GPtrArray *rows = rows_new ();

  for (int k = 0; k < N; k++) {
    const double a = fmod (0.5 + (k + 1) / plastic, 1.), b = fmod (0.5 + (k + 1) / (plastic * plastic), 1.);
    g_autofree char *parameters = g_strdup_printf ("{\"a\":%.12f,\"b\":%.12f}", a, b);
    add_row (rows, "push", "crisp", "CRISP", "{}", parameters, "solved", a + 10 * b, 1);
  }
  g_autoptr (SsappRunSet) set = ssapp_run_set_new (rows);
  SsappChartSpec spec;
  ssapp_chart_spec_init (&spec, SSAPP_CHART_HEAT, set);
  spec.is_relative = FALSE;
  g_autoptr (SsappChart) map = ssapp_chart_new (set, &spec);
  g_autoptr (SsappTable) cells = ssapp_chart_to_table (map);
  g_autofree char *note = ssapp_chart_note (map, 0);
  const double width = 0.1; /* 10 classes of 4 runs a cell */
  double n_runs = 0, largest = 0;

  SS_CHECK (ssapp_table_get_n_rows (cells) == 100);
  for (guint r = 0; r < ssapp_table_get_n_rows (cells); r++) {
    const double a = ssapp_table_get_number (cells, r, 1), b = ssapp_table_get_number (cells, r, 2);
    largest = MAX (largest, fabs (ssapp_table_get_number (cells, r, 3) - a - 10 * b));
    n_runs += ssapp_table_get_number (cells, r, 5);
  }
  SS_CHECK (largest <= 5.5 * width && n_runs >= N && n_runs <= N);
  SS_CHECK_CONTAINS (note, "a in steps of 0.1, b in steps of 0.1");
}

static void
curves_say_what_they_mix_and_pass_over (void)
{
  GPtrArray *rows = rows_new ();

  for (int k = 0; k < 6; k++) {
    g_autofree char *parameters = g_strdup_printf ("{\"mu\":%d,\"j\":%d}", k / 2, k % 2);
    add_row (rows, "push", "crisp", "CRISP", "{}", parameters, k / 2 == 1 ? "stalled" : "solved", k, 1);
  }
  /* a run that has no such value makes no point */
  add_row (rows, "push", "crisp", "CRISP", "{}", "{\"mu\":3,\"j\":0}", "solved", NAN, 1);
  g_autoptr (SsappRunSet) set = ssapp_run_set_new (rows);
  SsappChartSpec spec;
  ssapp_chart_spec_init (&spec, SSAPP_CHART_CURVES, set);
  spec.x_axis = ssapp_run_set_find_axis (set, "mu");
  g_autoptr (SsappChart) chart = ssapp_chart_new (set, &spec);
  g_autoptr (SsappTable) table = ssapp_chart_to_table (chart);
  g_autofree char *text = ssapp_table_write (table, SSAPP_TABLE_TEXT);

  SS_CHECK_CONTAINS (text, "A point is the median of up to 2 runs that differ in j.");
  SS_CHECK_CONTAINS (text, "CRISP has no value at mu 1: its line passes over.");
  SS_CHECK (ssapp_table_get_n_rows (table) == 2);
}

static void
what_cannot_be_shown_says_why (void)
{
  GPtrArray *rows = rows_new ();
  const gboolean hidden[1] = {TRUE};

  add_row (rows, "push", "crisp", "CRISP", "{}", "{}", "stalled", -1, 1);
  g_autoptr (SsappRunSet) set = ssapp_run_set_new (rows);
  for (int k = 0; k < SSAPP_CHART_COUNT; k++) {
    g_autoptr (SsappChart) chart = chart_of (set, (SsappChartKind)k, NULL, NAN);
    g_autoptr (SsappChart) none = chart_of (set, (SsappChartKind)k, hidden, NAN);
    g_autoptr (SsappTable) table = ssapp_chart_to_table (chart);
    g_autoptr (SsappTable) other = ssapp_chart_to_table (none);
    g_autofree char *text = ssapp_table_write (other, SSAPP_TABLE_TEXT);
    SS_CHECK_CONTAINS (text, "All methods are hidden.");
    SS_CHECK (ssapp_table_get_n_rows (table) <= 1);
  }
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void
all_figures_are_written_at_once (void)
{
  g_autoptr (SsappRunSet) set = make ();
  g_autofree char *folder = g_dir_make_tmp ("stickslip-chart-XXXXXX", NULL);
  g_autofree char *inner = g_build_filename (folder, "figures", NULL);
  g_autoptr (GPtrArray) done = NULL;
  g_autoptr (GError) error = NULL;
  gsize svg = 0;

  SS_CHECK (ssapp_run_set_export_all (set, NULL, SSAPP_CHART_COLUMN_MM, inner, &done, &error));
  SS_CHECK (error == NULL && done != NULL && done->len == 12 * 3 + 2 * 3);
  for (guint i = 0; done != NULL && i < done->len; i++) {
    g_autofree char *path = g_build_filename (inner, g_ptr_array_index (done, i), NULL);
    g_autofree char *text = NULL;
    gsize size = 0;
    SS_CHECK (g_file_get_contents (path, &text, &size, NULL) && size > 40);
    if (g_str_has_suffix (path, ".svg"))
      svg += size;
    g_unlink (path);
  }
  SS_CHECK (svg > 10000 && svg < 200000);
  g_rmdir (inner);
  g_autofree char *odd = g_build_filename (folder, "figure.gif", NULL);
  g_autoptr (SsappChart) chart = chart_of (set, SSAPP_CHART_BOX, NULL, NAN);
  SS_CHECK (!ssapp_chart_export (chart, SSAPP_CHART_COLUMN_MM, odd, &error));
  SS_CHECK_CONTAINS (error != NULL ? error->message : NULL, ".pdf, .svg, .png, .tikz, .csv");
  g_rmdir (folder);
}

int
main (void)
{
  SS_RUN (kinds_have_names);
  SS_RUN (profiles_count_every_problem);
  SS_RUN (hiding_a_method_changes_the_best);
  SS_RUN (maps_have_a_value_or_say_why_not);
  SS_RUN (tables_tell_medians_and_outcomes);
  SS_RUN (the_best_is_of_the_same_problems);
  SS_RUN (every_kind_draws_at_every_size);
  SS_RUN_SLOW (the_pointer_finds_runs);
  SS_RUN (the_bar_of_a_map_tells_its_colours);
  SS_RUN (runs_beyond_an_axis_are_counted);
  SS_RUN (methods_look_as_everywhere);
  SS_RUN (what_decides_is_split_by_factors);
  SS_RUN (drawn_axes_are_taken_in_classes);
  SS_RUN (drawn_axes_beside_a_list_are_taken_in_classes);
  SS_RUN (lists_are_not_taken_for_drawn);
  SS_RUN (slow_machines_have_a_state_of_their_own);
  SS_RUN (bars_are_as_long_as_their_runs);
  SS_RUN (slopes_are_of_what_has_a_logarithm);
  SS_RUN (maps_of_drawn_values_have_classes);
  SS_RUN (curves_say_what_they_mix_and_pass_over);
  SS_RUN (what_cannot_be_shown_says_why);
  SS_RUN (all_figures_are_written_at_once);
  return ss_test_finish ();
}
