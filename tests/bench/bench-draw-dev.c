/* tests/bench/bench-draw-dev.c: what a frame of a scene costs the thread that draws it.
 *
 *   bench-draw-dev [-m METHOD] [-t SECONDS] [-k EVERY] [-n FRAMES] [-s WIDTHxHEIGHT] [-z ZOOM] [-d] [-o PREFIX]
 *                  SCENARIO...
 *
 * Simulates each scenario for SECONDS (default .1) by METHOD (default convex-time-stepping) and draws FRAMES (default
 * 40) frames of the end of the motion on a surface of pixels as the window does: on a kept background, as the live
 * sandbox has them ("live"), as the sheet plays a run ("forces": contact points, forces, centres of mass) and as the
 * run page has it ("onion": these with onion skin and traces). Prints CPU time of the thread a frame [ms], the marks
 * and the arrows. ZOOM 10: a tenth of the scene is seen. -d: dark. -o: PREFIX-live.png, ... of the last frame. */
#include "app/draw/ssapp-draw-parts.h"
#include "app/draw/ssapp-overlays.h"
#include "run/ss-run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *method, *prefix;
  double seconds, zoom;
  int every, n_frames, width, height;
  gboolean is_dark;
} Bench;

typedef struct {
  const Bench *bench;
  const SsScenario *scenario;
  const SsTrajectory *motion;
  SsView *view;
  SsappStyle style;
  SsappCamera camera;
  SsappArrowScale arrows;
  SsMark *marks;
} Scene;

static void
draw_live (Scene *scene, cairo_t *cr, const double *row)
{
  const SsappSceneFlags flags = {.rulers = TRUE, .scale_bar = TRUE};

  ss_view_frame (scene->view, row, scene->marks);
  ssapp_draw_marks (cr, &scene->style, &scene->camera, scene->marks, ss_view_n_marks (scene->view), &flags);
}

static void
draw_layers (Scene *scene, cairo_t *cr, double t, guint layers)
{
  const SsappSceneFlags flags = {
      .rulers = TRUE, .scale_bar = TRUE, .layers = layers, .scene = scene->scenario->scene, .n_past_frames = 8};

  ssapp_draw_motion_frame (cr, &scene->style, &scene->camera, scene->view, scene->motion, t, &flags, &scene->arrows);
}

/* The last frames of the motion, over and over. */
static void
draw_frames (Scene *scene, const char *name, guint layers)
{
  const Bench *bench = scene->bench;
  const SsappSceneFlags sheet = {.grid = TRUE, .rulers = TRUE};
  cairo_surface_t *back = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, bench->width, bench->height),
                  *frame = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, bench->width, bench->height);
  cairo_t *cr = cairo_create (back);
  double least = INFINITY, sum = 0;

  ssapp_draw_backdrop (cr, &scene->style, &scene->camera, &sheet);
  cairo_destroy (cr);
  for (int i = 0; i < bench->n_frames; i++) {
    const double *row =
                     ss_trajectory_row (scene->motion, scene->motion->n_rows - 1 - i % MIN (scene->motion->n_rows, 4)),
                 begun = ss_clock_thread_cpu ();
    cairo_surface_flush (frame);
    memcpy (cairo_image_surface_get_data (frame), cairo_image_surface_get_data (back),
            (gsize)cairo_image_surface_get_stride (frame) * (gsize)bench->height);
    cairo_surface_mark_dirty (frame);
    cr = cairo_create (frame);
    if (layers == 0)
      draw_live (scene, cr, row);
    else
      draw_layers (scene, cr, row[0], layers);
    cairo_destroy (cr);
    cairo_surface_flush (frame);
    const double spent = ss_clock_thread_cpu () - begun;
    sum += spent;
    least = fmin (least, spent);
  }
  printf ("  %-8s %8.2f ms a frame (least %.2f)\n", name, 1e3 * sum / bench->n_frames, 1e3 * least);
  if (bench->prefix != NULL) {
    g_autofree char *file = g_strdup_printf ("%s-%s.png", bench->prefix, name);
    cairo_surface_write_to_png (frame, file);
  }
  cairo_surface_destroy (back);
  cairo_surface_destroy (frame);
}

static void
place_camera (Scene *scene)
{
  const Bench *bench = scene->bench;
  double bounds[4] = {INFINITY, INFINITY, -INFINITY, -INFINITY};

  ss_view_frame (scene->view, ss_trajectory_row (scene->motion, scene->motion->n_rows - 1), scene->marks);
  for (int i = 0; i < ss_view_n_marks (scene->view); i++)
    if (scene->marks[i].role == SS_ROLE_BODY)
      ss_mark_include (&scene->marks[i], bounds);
  const SsVec2 middle = {(bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2};
  const double half[2] = {(bounds[2] - bounds[0]) / 2 / bench->zoom, (bounds[3] - bounds[1]) / 2 / bench->zoom};
  const double seen[4] = {middle.x - half[0], middle.y - half[1], middle.x + half[0], middle.y + half[1]};
  ssapp_camera_fit (&scene->camera, seen, bench->width, bench->height, 40);
}

static int
count (const SsMark *marks, int n, SsMarkKind kind)
{
  int found = 0;
  for (int i = 0; i < n; i++)
    found += marks[i].kind == kind && marks[i].visible;
  return found;
}

static gboolean
draw (const Bench *bench, const SsScenario *scenario, const SsTrajectory *motion)
{
  Scene scene = {.bench = bench, .scenario = scenario, .motion = motion};
  SsError err;
  double begun = ss_clock_thread_cpu ();

  if (ss_view_new (scenario, motion->channels, motion->n_channels, &scene.view, &err) != SS_OK) {
    fprintf (stderr, "%s\n", err.message);
    return FALSE;
  }
  const double made = ss_clock_thread_cpu () - begun;
  const int n = ss_view_n_marks (scene.view);
  scene.marks = g_new0 (SsMark, MAX (n, 1));
  ssapp_style_init (&scene.style, bench->is_dark);
  begun = ss_clock_thread_cpu ();
  ssapp_arrow_scale_init (&scene.arrows);
  ssapp_arrow_scale_take (&scene.arrows, scene.view, motion);
  const double scaled = ss_clock_thread_cpu () - begun;
  place_camera (&scene);
  printf ("  %d marks, %d arrows and %d points are visible; %d channels; view made in %.1f ms, arrows scaled in %.1f\n",
          n, count (scene.marks, n, SS_MARK_ARROW), count (scene.marks, n, SS_MARK_POINT), motion->n_channels,
          1e3 * made, 1e3 * scaled);
  begun = ss_clock_thread_cpu ();
  for (int i = 0; i < bench->n_frames; i++)
    ss_view_frame (scene.view, ss_trajectory_row (motion, motion->n_rows - 1), scene.marks);
  printf ("  %-8s %8.2f ms a frame\n", "marks", 1e3 * (ss_clock_thread_cpu () - begun) / bench->n_frames);
  draw_frames (&scene, "live", 0);
  draw_frames (&scene, "forces", SSAPP_LAYERS_CHOSEN | SSAPP_LAYER_CONTACTS | SSAPP_LAYER_FORCES | SSAPP_LAYER_CENTRES);
  draw_frames (&scene, "onion", ssapp_layers_default ());
  g_free (scene.marks);
  ss_view_free (scene.view);
  return TRUE;
}

static gboolean
measure (const Bench *bench, const char *path)
{
  SsError err = {0};
  const SsMethod *method = ss_method_find (SS_METHOD_INTEGRATOR, bench->method, &err);
  SsScenario *scenario = NULL;
  SsProblems problems;
  SsRunControl control;
  SsRunResult result;
  gboolean is_drawn = FALSE;

  ss_problems_init (&problems);
  if (method == NULL)
    fprintf (stderr, "%s\n", err.message);
  else if (ss_scenario_read_file (path, NULL, 0, &problems, &scenario) != SS_OK)
    fprintf (stderr, "%s: %s\n", path, problems.n_items > 0 ? problems.items[0].message : "out of memory");
  else {
    g_autofree void *options = g_malloc0 (method->options->size + 1);
    ss_options_init (method->options, options);
    SsJob job = ss_job (method, scenario, options);
    job.simulate.t_end = bench->seconds;
    job.simulate.every = bench->every;
    ss_run_control_init (&control);
    printf ("%s: %d bodies, %d pairs\n", path, scenario->scene->n_bodies, scenario->scene->n_contacts);
    if (ss_run (&job, &control, &result, &err) == SS_OK) {
      is_drawn = draw (bench, scenario, ss_run_motion (&result));
      ss_run_result_clear (&result);
    } else
      fprintf (stderr, "%s\n", err.message);
  }
  ss_problems_clear (&problems);
  ss_scenario_free (scenario);
  return is_drawn;
}

int
main (int argc, char **argv)
{
  Bench bench = {.method = "convex-time-stepping",
                 .seconds = 0.1,
                 .zoom = 1,
                 .every = 1,
                 .n_frames = 40,
                 .width = 1280,
                 .height = 800};
  int i = 1;

  for (; i < argc && argv[i][0] == '-'; i++) {
    const char option = argv[i][1], *value = i + 1 < argc ? argv[i + 1] : "";
    if (option == 'd') {
      bench.is_dark = TRUE;
      continue;
    }
    switch (option) {
    case 'm':
      bench.method = value;
      break;
    case 't':
      bench.seconds = atof (value);
      break;
    case 'k':
      bench.every = atoi (value);
      break;
    case 'n':
      bench.n_frames = MAX (atoi (value), 1);
      break;
    case 's':
      sscanf (value, "%dx%d", &bench.width, &bench.height);
      break;
    case 'z':
      bench.zoom = atof (value);
      break;
    case 'o':
      bench.prefix = value;
      break;
    default:
      fprintf (stderr, "no option %s\n", argv[i]);
      return 2;
    }
    i++;
  }
  for (; i < argc; i++)
    if (!measure (&bench, argv[i]))
      return 1;
  return 0;
}
