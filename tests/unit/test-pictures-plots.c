/* tests/unit/test-pictures-plots.c: words of plots stand where they belong: names in legends, labels at the ends of
 * curves, the name of a tolerance, the table at the pointer. Two pictures that differ in one word tell where it is. */
#include "app/draw/ssapp-plot-parts.h"
#include "tests/ss-test-picture.h"

enum { WIDTH = 400, HEIGHT = 260 };
static const double MARKER = 5.5; /* px, of a curve's end */

static const double xs[] = {0, 1, 2, 3, 4},
                    ys[][5] = {{1, 2, 3, 2, 1}, {2, 3, 4, 3, 2.5}, {3, 4, 1, 5, 4}, {0, 0, 1, 1, 4.8}};

/* Of series, and of the same letters: another word in the same room, whatever the font. */
static const char *const names[] = {"one", "two", "three", "four"}, *const as_wide[] = {"eno", "owt", "eerht", "ruof"};

typedef struct {
  SsappPlotSpec spec;
  SsappSeries series[4];
  int n;
} Plot;

static Plot
make_plot (int n)
{
  Plot plot = {.spec = {SSAPP_PLOT_FREE, .title = "Title", .x_label = "x [m]", .y_label = "y [m]"}, .n = n};

  for (int k = 0; k < n; k++)
    plot.series[k] = (SsappSeries){
        .label = names[k], .method = {SS_METHOD_OPTIMISER, k % 2 ? "crisp" : "ipopt"}, .n = 5, .x = xs, .y = ys[k]};
  return plot;
}

static void
paint_plot (cairo_t *cr, const void *what, double dx, double dy)
{
  const Plot *plot = what;

  ssapp_plot_draw (cr, &ss_picture_style, &plot->spec, plot->series, plot->n, dx, dy, WIDTH, HEIGHT);
}

/* Above the axes, in one row or several, and none without it. */
static void
legends_name_every_series (void)
{
  for (int has_title = 0; has_title < 2; has_title++)
    for (int n = 1; n <= 4; n++) {
      int last = -1;
      for (int k = 0; k < n; k++) {
        Plot plot = make_plot (n), other;
        SsappPlotFrame frame;
        int box[4];
        plot.spec.title = has_title ? "Title" : NULL;
        plot.spec.legend = TRUE;
        other = plot;
        other.series[k].label = as_wide[k];
        ssapp_plot_layout (&ss_picture_style, &plot.spec, plot.series, n, 0, 0, WIDTH, HEIGHT, &frame);
        SS_CHECK (ss_picture_find_added (paint_plot, &plot, &other, box));
        SS_CHECK (box[3] < frame.area.y && box[2] < WIDTH);
        SS_CHECK (k == 0 || box[2] > last); /* from left to right */
        last = box[0];
        plot.spec.legend = other.spec.legend = FALSE;
        SS_CHECK (!ss_picture_find_added (paint_plot, &plot, &other, box));
      }
    }
}

/* What is written at a curve's end begins right of its marker and ends within the picture, at about its height. */
static void
ends_are_named_beside_their_markers (void)
{
  for (int n = 1; n <= 4; n++)
    for (int k = 0; k < n; k++) {
      Plot plot = make_plot (n), other;
      SsappPlotFrame frame;
      int box[4];
      plot.spec.end_labels = TRUE;
      plot.spec.right_least = 150; /* whatever is written there */
      other = plot;
      other.series[k].label = "other";
      ssapp_plot_layout (&ss_picture_style, &plot.spec, plot.series, n, 0, 0, WIDTH, HEIGHT, &frame);
      SS_CHECK (ss_picture_find_added (paint_plot, &plot, &other, box));
      const double end = ssapp_plot_frame_x (&frame, 4), y = ssapp_plot_frame_y (&frame, ys[k][4]);
      SS_CHECK (box[0] > end + MARKER && box[0] < end + MARKER + 100 && box[2] < WIDTH);
      SS_CHECK (n > 1 || fabs ((box[1] + box[3]) / 2. - y) < 1.5 * ss_picture_style.font_size);
    }
}

/* Where the plot has a value of x. */
static double
end_x (const Plot *plot, double x)
{
  SsappPlotFrame frame;

  ssapp_plot_layout (&ss_picture_style, &plot->spec, plot->series, plot->n, 0, 0, WIDTH, HEIGHT, &frame);
  return ssapp_plot_frame_x (&frame, x);
}

/* The name of a tolerance keeps off what is written at a curve's end, wherever that is. */
static void
tolerances_are_named_off_the_ends (void)
{
  int n_seen = 0;

  for (double end = 0.2; end < 4; end += 0.1) {
    const double x[] = {0, end}, y[] = {0.5, 0.42}, other_y[] = {0.5, 0.43}; /* a pixel higher */
    Plot plot = make_plot (1), bare, other;
    int tolerance[4], label[4];
    plot.spec.end_labels = TRUE;
    plot.spec.right_least = 150;
    plot.spec.x_max = 4;
    plot.spec.y_min = 0;
    plot.spec.y_max = 2;
    plot.spec.tolerance = 0.45;
    plot.series[0].n = 2;
    plot.series[0].x = x;
    plot.series[0].y = y;
    bare = plot;
    plot.spec.tolerance_label = "tolerance";
    other = bare;
    other.series[0].y = other_y;
    other.series[0].label = as_wide[0];
    SS_CHECK (ss_picture_find_added (paint_plot, &bare, &plot, tolerance));
    SS_CHECK (ss_picture_find_added (paint_plot, &bare, &other, label)); /* the end with its marker */
    label[0] = MAX (label[0], (int)(end_x (&bare, end) - MARKER));
    n_seen += label[0] < label[2];
    SS_CHECK (tolerance[2] < label[0] || tolerance[0] > label[2] || tolerance[3] < label[1] || tolerance[1] > label[3]);
  }
  SS_CHECK (n_seen > 20);
}

/* `what`: the series; or nothing but an outline, which is symmetric. */
static void
paint_readout (cairo_t *cr, const void *what, double dx, double dy)
{
  const Plot *plot = what;
  static const char *const values[] = {"1.5 m", "2.5 m", "3.5 m", "4.5 m"};

  ssapp_plot_draw_readout (cr, &ss_picture_style, plot->series, values, plot->n, plot->spec.title, 100 + dx, 100 + dy,
                           dx, dy, WIDTH, HEIGHT);
}

static void
readouts_are_whole (void)
{
  Plot empty = make_plot (0);
  int box[4];

  for (int n = 1; n <= 4; n++) {
    const Plot plot = make_plot (n);
    ss_picture_check_moves ("readout", paint_readout, &plot, 0);
    for (int k = 0; k < n; k++) {
      Plot other = plot;
      int outline[4];
      SS_CHECK (ss_picture_find_added (paint_readout, &empty, &plot, outline));
      other.series[k].label = "ot"; /* narrower: the table stays as it is */
      if (k != 2 && n > 2) {
        SS_CHECK (ss_picture_find_added (paint_readout, &plot, &other, box));
        SS_CHECK (box[0] > outline[0] + 8 && box[2] < outline[2] - 8 && box[1] > outline[1] && box[3] < outline[3]);
      }
    }
  }
  /* without words its corners are alike: of its box, left is right and up is down */
  empty.spec.title = " ";
  cairo_surface_t *surface = ss_picture_of (paint_readout, &empty, 0, 0), *none;
  empty.spec.title = NULL;
  none = cairo_image_surface_create (CAIRO_FORMAT_RGB24, SS_PICTURE_SIDE, SS_PICTURE_SIDE);
  cairo_t *cr = cairo_create (none);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_flush (none);
  SS_CHECK (ss_picture_find_others (none, surface, box));
  const int right = box[0] + box[2], bottom = box[1] + box[3];
  for (int y = box[1]; y <= box[3]; y++)
    for (int x = box[0]; x <= box[2]; x++) { /* it may end within a pixel */
      const gboolean is_inked = ss_picture_pixel (surface, x, y) != 0xFFFFFF;
      gboolean across = FALSE, down = FALSE;
      for (int v = -1; v <= 1; v++)
        for (int u = -1; u <= 1; u++) {
          across = across || ss_picture_pixel (surface, right - x + u, y + v) != 0xFFFFFF;
          down = down || ss_picture_pixel (surface, x + u, bottom - y + v) != 0xFFFFFF;
        }
      SS_CHECK (!is_inked || (across && down));
    }
  cairo_surface_destroy (surface);
  cairo_surface_destroy (none);
}

int
main (void)
{
  ssapp_style_init (&ss_picture_style, FALSE);
  SS_RUN (legends_name_every_series);
  SS_RUN (ends_are_named_beside_their_markers);
  SS_RUN (tolerances_are_named_off_the_ends);
  SS_RUN (readouts_are_whole);
  return ss_test_finish ();
}
