/* tests/unit/test-impact-set.c: the set that the Impact page explores: what streams in is what the engine draws in one
 * go, counts add up, a brush is the same everywhere, the chosen outcome is the sample drawn again. The configuration is
 * the rocking block of the reference notes: width 1, height 2, mass 1, dropped from 0.01 m. */
#include "app/impact/ssapp-impact-view.h"
#include "impact/ss-impact-summary.h"
#include "tests/ss-test.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>

static const char block[] = "{\"name\": \"rocking-block\", \"coordinates\": [\"x\", \"y\", \"theta\"],"
                            " \"M\": [[1, 0, 0], [0, 1, 0], [0, 0, 0.4166666666666667]],"
                            " \"Jn\": [[0, 1, -0.5], [0, 1, 0.5]], \"Jt\": [[1, 0, 1], [1, 0, 1]], \"mu\": [1, 1],"
                            " \"v_pre\": [0, -0.442944691807002, 0], \"h\": 0.3, \"N\": 10,"
                            " \"contacts\": [{\"name\": \"A\", \"where\": \"left corner\"}, {\"name\": \"B\"}]}";

static SsappImpactSource *
block_source (void)
{
  g_autoptr (GError) error = NULL;
  SsappImpactSource *source = ssapp_impact_source_new_from_text (block, "block.json", &error);
  SS_CHECK (source != NULL && error == NULL);
  return source;
}

static SsappImpactSet *
block_set (int n_samples)
{
  SsappImpactSet *set = ssapp_impact_set_new ();
  g_autoptr (SsappImpactSource) source = block_source ();
  SsappImpactParameters parameters;

  ssapp_impact_set_set_source (set, source);
  parameters = *ssapp_impact_set_get_parameters (set);
  parameters.options.n_samples = n_samples;
  ssapp_impact_set_set_parameters (set, &parameters);
  return set;
}

static void
note (gpointer counter)
{
  (*(int *)counter)++;
}

/* ---- the source -------------------------------------------------------------------------------------------------- */

static void
test_files_are_read_and_written (void)
{
  g_autoptr (SsappImpactSource) source = block_source ();
  g_autoptr (GError) error = NULL;
  const SsImpact *impact = ssapp_impact_source_get_impact (source);
  g_autofree char *text = ssapp_impact_to_json (impact, impact->h, impact->max_steps, NULL);
  g_autoptr (SsappImpactSource) again = ssapp_impact_source_new_from_text (text, "again.json", &error);

  SS_CHECK_STR (ssapp_impact_source_get_name (source), "rocking-block");
  SS_CHECK_STR (ssapp_impact_source_get_place (source, 0), "left corner");
  SS_CHECK_STR (ssapp_impact_source_get_place (source, 1), "B");
  SS_CHECK (ssapp_impact_source_has_directions (source));
  SS_CHECK (again != NULL);
  SS_CHECK_STR (ssapp_impact_source_get_impact (again)->sha256, impact->sha256);
  SS_CHECK (ssapp_impact_source_new_from_text ("{\"M\": 3}", "bad.json", &error) == NULL);
  SS_CHECK_CONTAINS (error->message, "bad.json");
}

/* Turned by 90 degrees the block, which falls, slides to the right at the same speed; its energy stays. */
static void
test_approach_is_turned (void)
{
  g_autoptr (SsappImpactSource) source = block_source ();
  SsImpact *turned = ssapp_impact_source_make (source, 0.25, G_PI_2, NULL);

  SS_CHECK_NEAR (turned->v[0], 0.442944691807002, 1e-15);
  SS_CHECK_NEAR (turned->v[1], 0., 1e-15);
  SS_CHECK_NEAR (turned->mu[1], 0.25, 0.);
  ss_impact_free (turned);
}

/* ---- streaming --------------------------------------------------------------------------------------------------- */

/* A set in parts is the set in one: the same numbers, whatever the thread did first. */
static void
test_streamed_samples_are_the_engines (void)
{
  enum { N = 5000 };
  SsappImpactSet *set = block_set (N);
  SsImpactSetOptions options;
  SsImpactSet *whole = NULL;
  SsappImpactTotals totals;
  SsError err;
  int wrong = 0;

  ssapp_impact_set_wait (set);
  ssapp_impact_set_get_totals (set, &totals);
  SS_CHECK (totals.n == N && totals.n_contacts == 2);
  options = *ssapp_impact_set_get_options (set);
  options.n_samples = N;
  SS_CHECK (ss_impact_set_new (ssapp_impact_set_get_impact (set), &options, NULL, &whole, &err) == SS_OK);
  for (int k = 0; k < N; k++) {
    double u[4];
    ss_impact_speeds (ssapp_impact_set_get_impact (set), whole->v + 3 * k, u);
    for (int c = 0; c < 4; c++)
      wrong += ssapp_impact_set_get_column (set, c)[k] != (float)u[c];
  }
  SS_CHECK (wrong == 0);
  SS_CHECK (totals.n_unfinished == whole->n_unfinished);
  SS_CHECK_NEAR (totals.solves, (double)whole->n_solves / N, 1e-12);
  ss_impact_set_free (whole);
  g_object_unref (set);
}

/* The notes' shares of the block's joint modes with friction 1: a third each for A lifts, B lifts, rest; five
 * deviations of a share of 2^13 samples are 0.026. */
static void
test_shares_add_up (void)
{
  enum { N = 1 << 13 };
  SsappImpactSet *set = block_set (N);
  gint64 counts[SSAPP_IMPACT_BINS], sum = 0, in_bins = 0;
  SsappImpactTotals totals;

  ssapp_impact_set_wait (set);
  ssapp_impact_set_get_totals (set, &totals);
  ssapp_impact_set_get_histogram (set, counts, NULL);
  for (int k = 0; k < SSAPP_IMPACT_BINS; k++)
    in_bins += counts[k];
  g_autofree int *order = ssapp_impact_set_sort_modes (set);
  for (int k = 0; k < ssapp_impact_set_get_n_modes (set); k++) {
    const SsappImpactMode *mode = ssapp_impact_set_get_mode (set, order[k]);
    sum += mode->n;
    SS_CHECK (k == 0 || mode->n <= ssapp_impact_set_get_mode (set, order[k - 1])->n);
    SS_CHECK (ssapp_impact_set_get_modes (set)[mode->first] == mode->number);
    SS_CHECK_NEAR ((double)mode->n / N, 0.333, 0.026);
  }
  SS_CHECK (ssapp_impact_set_get_n_modes (set) == 3);
  SS_CHECK (sum == N && in_bins == N && totals.n_unfinished + totals.n_dropped == 0);
  SS_CHECK_NEAR (totals.energy_before, 0.0981, 1e-6);
  SS_CHECK_NEAR (totals.energy_most, 0.073, 0.003); /* of the notes: 7.3 %, the most of 2^20 samples */
  g_object_unref (set);
}

/* What is lost is what normal impulses and friction took. */
static void
test_losses_are_the_energy_that_is_gone (void)
{
  enum { N = 2000 }; /* all are traced */
  SsappImpactSet *set = block_set (N);
  double kept = 0., lost = 0.;

  ssapp_impact_set_wait (set);
  for (int k = 0; k < N; k++)
    kept += ssapp_impact_set_get_energies (set)[k] / N;
  for (int c = 0; c < 4; c++)
    lost += ssapp_impact_set_get_losses (set)[c];
  SS_CHECK_NEAR (kept + lost, 1., 1e-6); /* energies are kept in single precision */
  g_object_unref (set);
}

/* While a value is dragged there are few samples; let go, the same set goes on. */
static void
test_dragging_draws_few_and_goes_on (void)
{
  SsappImpactSet *set = block_set (20000);
  SsappImpactParameters parameters = *ssapp_impact_set_get_parameters (set);
  SsappImpactTotals totals;
  int changed = 0;

  g_signal_connect_swapped (set, "changed", G_CALLBACK (note), &changed);
  ssapp_impact_set_set_dragged (set, TRUE);
  /* A value that changes in every frame still shows sets on the way. */
  gint64 seen = 0;
  double last = NAN;
  const gint64 end = g_get_monotonic_time () + 300 * G_USEC_PER_SEC; /* a guard */
  for (int k = 0; seen < 3 && g_get_monotonic_time () < end; k++) {
    parameters.mu = 0.1 + 0.001 * (k % 400 + 1);
    ssapp_impact_set_set_parameters (set, &parameters);
    ssapp_impact_set_take (set, 6000);
    const SsImpact *impact = ssapp_impact_set_get_impact (set);
    if (impact != NULL && impact->mu[0] < 0.6 && impact->mu[0] != last)
      seen++;
    last = impact != NULL ? impact->mu[0] : NAN;
    g_usleep (5000);
  }
  SS_CHECK (seen == 3);
  parameters.mu = 0.5;
  ssapp_impact_set_set_parameters (set, &parameters);
  while (ssapp_impact_set_take (set, 6000))
    g_usleep (1000);
  ssapp_impact_set_get_totals (set, &totals);
  SS_CHECK (totals.n == SSAPP_IMPACT_DRAGGED && changed > 0);
  SS_CHECK_NEAR (ssapp_impact_set_get_impact (set)->mu[0], 0.5, 1e-15); /* the newest, not one on the way */
  const float first = ssapp_impact_set_get_column (set, 2)[17];
  ssapp_impact_set_set_dragged (set, FALSE);
  ssapp_impact_set_wait (set);
  ssapp_impact_set_get_totals (set, &totals);
  SS_CHECK (totals.n == 20000);
  SS_CHECK (ssapp_impact_set_get_column (set, 2)[17] == first);
  g_object_unref (set);
}

/* In frames, as the window does, it comes to the same end. */
static void
test_frames_come_to_the_end (void)
{
  SsappImpactSet *set = block_set (6000);
  SsappImpactTotals totals;
  SsappImpactPicture picture;
  SsappStyle style;

  while (ssapp_impact_set_take (set, 2000))
    g_usleep (200);
  ssapp_impact_set_get_totals (set, &totals);
  SS_CHECK (totals.n == 6000);
  ssapp_style_init (&style, FALSE);
  ssapp_impact_set_fill_picture (set, 0, &style, &picture);
  SS_CHECK (picture.spec.plane->n == 6000);
  SS_CHECK_STR (picture.spec.x_label, "Sliding speed at A [m/s]");
  ssapp_impact_picture_clear (&picture);
  g_object_unref (set);
}

/* Sets only grow: what was counted at a doubling of the samples is no larger than at the next. */
static void
test_growth_is_noted (void)
{
  SsappImpactSet *set = block_set (6000);

  ssapp_impact_set_wait (set);
  GArray *growth = ssapp_impact_set_get_growth (set);
  SS_CHECK (growth->len >= 2);
  for (guint k = 1; k < growth->len; k++) {
    const SsappImpactGrowth *a = &g_array_index (growth, SsappImpactGrowth, k - 1), *b = a + 1;
    SS_CHECK (b->n >= 2 * a->n && b->area[0] >= a->area[0]);
  }
  g_object_unref (set);
}

static void
test_bad_values_fail_in_words (void)
{
  SsappImpactSet *set = block_set (100);
  SsappImpactParameters parameters = *ssapp_impact_set_get_parameters (set);
  int failed = 0;

  g_signal_connect_swapped (set, "failed", G_CALLBACK (note), &failed);
  parameters.mu = -1.;
  ssapp_impact_set_set_parameters (set, &parameters);
  SS_CHECK (failed == 1);
  g_object_unref (set);
}

/* From a configuration to one with other contacts nothing of the first is drawn, even before the second has samples. */
static void
test_another_configuration_begins_empty (void)
{
  static const char ball[] =
      "{\"M\": [[1, 0], [0, 1]], \"Jn\": [[0, 1]], \"Jt\": [[1, 0]], \"mu\": [0.5], \"v_pre\": [1, -1],"
      " \"contacts\": [{\"name\": \"only\"}]}";
  SsappImpactSet *set = block_set (500);
  g_autoptr (SsappImpactSource) one = ssapp_impact_source_new_from_text (ball, "ball", NULL), two = block_source ();
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 200, 200);
  cairo_t *cr = cairo_create (surface);
  SsappStyle style;

  ssapp_style_init (&style, FALSE);
  for (int k = 0; k < 3; k++) {
    ssapp_impact_set_wait (set);
    SS_CHECK (ssapp_impact_set_get_impact (set)->m == (k == 1 ? 1 : 2));
    ssapp_impact_set_choose (set, 3);
    ssapp_impact_set_set_source (set, k == 0 ? one : two);
    SS_CHECK (ssapp_impact_set_get_n_modes (set) == 0 && ssapp_impact_set_get_chosen (set) == -1);
    for (int view = 0; view < SSAPP_IMPACT_N_VIEWS; view++) {
      g_autofree char *words = ssapp_impact_view_describe (set, (SsappImpactView)view);
      SS_CHECK (words != NULL);
      ssapp_impact_view_draw (set, (SsappImpactView)view, cr, &style, 0, 0, 200, 200);
    }
  }
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  g_object_unref (set);
}

/* ---- brush ------------------------------------------------------------------------------------------------------- */

/* Both planes, the table and the histogram agree on what the brush has in it, also for samples that come later. */
static void
test_a_brush_is_the_same_everywhere (void)
{
  enum { N = 9000 };
  SsappImpactSet *set = block_set (3000);
  SsappImpactParameters parameters = *ssapp_impact_set_get_parameters (set);
  const double box[4] = {-1., 1., 0.02, 0.05}; /* vn_A */
  gint64 counts[SSAPP_IMPACT_BINS], brushed[SSAPP_IMPACT_BINS], expected = 0, in_bins = 0, in_modes = 0;
  SsappImpactPicture pictures[2];
  SsappImpactTotals totals;
  SsappStyle style;

  ssapp_impact_set_wait (set);
  ssapp_impact_set_brush (set, 0, box);
  parameters.options.n_samples = N;
  ssapp_impact_set_set_parameters (set, &parameters);
  ssapp_impact_set_wait (set);
  for (int k = 0; k < N; k++) {
    const float vn = ssapp_impact_set_get_column (set, 0)[k];
    expected += vn >= box[2] && vn <= box[3];
  }
  ssapp_impact_set_get_totals (set, &totals);
  ssapp_impact_set_get_histogram (set, counts, brushed);
  for (int k = 0; k < SSAPP_IMPACT_BINS; k++) {
    in_bins += brushed[k];
    SS_CHECK (brushed[k] <= counts[k]);
  }
  for (int k = 0; k < ssapp_impact_set_get_n_modes (set); k++)
    in_modes += ssapp_impact_set_get_mode (set, k)->n_brushed;
  SS_CHECK (expected > 100 && totals.n_brushed == expected && in_bins == expected && in_modes == expected);
  ssapp_style_init (&style, FALSE);
  for (int p = 0; p < 2; p++) {
    ssapp_impact_set_fill_picture (set, p, &style, &pictures[p]);
    SS_CHECK (pictures[p].spec.brushed != NULL && pictures[p].spec.brushed->n == expected);
    SS_CHECK (isnan (pictures[p].spec.brush[0]) == (p == 1));
    ssapp_impact_picture_clear (&pictures[p]);
  }
  ssapp_impact_set_clear_brush (set);
  ssapp_impact_set_get_totals (set, &totals);
  SS_CHECK (totals.n_brushed == -1);
  g_object_unref (set);
}

static void
test_brushing_a_mode_takes_its_samples (void)
{
  SsappImpactSet *set = block_set (2000);
  SsappImpactTotals totals;

  ssapp_impact_set_wait (set);
  ssapp_impact_set_brush_mode (set, 1);
  ssapp_impact_set_wait (set);
  ssapp_impact_set_get_totals (set, &totals);
  SS_CHECK (totals.n_brushed == ssapp_impact_set_get_mode (set, 1)->n);
  ssapp_impact_set_brush_energy (set, 0., 1.);
  ssapp_impact_set_wait (set);
  ssapp_impact_set_get_totals (set, &totals);
  SS_CHECK (totals.n_brushed == 2000);
  g_object_unref (set);
}

/* ---- the chosen outcome ------------------------------------------------------------------------------------------ */

static void
test_the_chosen_sample_is_drawn_again (void)
{
  SsappImpactSet *set = block_set (1000);
  SsappImpactOutcome outcome;
  int chosen = 0, wrong = 0;

  g_signal_connect_swapped (set, "chosen", G_CALLBACK (note), &chosen);
  ssapp_impact_set_wait (set);
  SS_CHECK (!ssapp_impact_set_get_outcome (set, &outcome));
  chosen = 0;
  for (gint64 k = 0; k < 1000; k += 83) {
    ssapp_impact_set_choose (set, k);
    SS_CHECK (ssapp_impact_set_get_outcome (set, &outcome) && outcome.sample == k && outcome.n_steps >= 1);
    for (int c = 0; c < 4; c++)
      wrong += (float)outcome.speeds[4 * outcome.n_steps + c] != ssapp_impact_set_get_column (set, c)[k];
    SS_CHECK_NEAR (outcome.energies[0], 1., 1e-12);
    for (int s = 0; s < outcome.n_steps; s++) {
      SS_CHECK (outcome.energies[s + 1] <= outcome.energies[s] + 1e-12);
      for (int c = 0; c < 2; c++) /* Coulomb's cone with friction 1 */
        SS_CHECK (fabs (outcome.tangential[2 * s + c]) <= outcome.normal[2 * s + c] + 1e-12);
    }
  }
  SS_CHECK (wrong == 0 && chosen == 13);
  g_object_unref (set);
}

static void
test_the_nearest_outcome_is_chosen (void)
{
  SsappImpactSet *set = block_set (1000);
  const double scale[2] = {1., 1.};

  ssapp_impact_set_wait (set);
  for (gint64 k = 0; k < 1000; k += 97) {
    const double value[2] = {ssapp_impact_set_get_column (set, 3)[k], ssapp_impact_set_get_column (set, 1)[k]};
    ssapp_impact_set_choose_nearest (set, 1, value, scale);
    const gint64 found = ssapp_impact_set_get_chosen (set);
    SS_CHECK (ssapp_impact_set_get_column (set, 3)[found] == (float)value[0]);
    SS_CHECK (ssapp_impact_set_get_column (set, 1)[found] == (float)value[1]);
  }
  g_object_unref (set);
}

/* From a mode's first sample all others of it are reached one after the other. */
static void
test_every_outcome_of_a_mode_is_reached (void)
{
  SsappImpactSet *set = block_set (300);
  gint64 seen = 1, last;

  ssapp_impact_set_wait (set);
  ssapp_impact_set_choose_mode (set, 2);
  last = ssapp_impact_set_get_chosen (set);
  for (;;) {
    ssapp_impact_set_choose_next (set, 1);
    if (ssapp_impact_set_get_chosen (set) == last)
      break;
    last = ssapp_impact_set_get_chosen (set);
    seen++;
  }
  SS_CHECK (seen == ssapp_impact_set_get_mode (set, 2)->n);
  g_object_unref (set);
}

/* Of the rocking block every step has one outcome (notes, section 7). */
static void
test_steps_of_the_block_have_one_outcome (void)
{
  SsappImpactSet *set = block_set (50);
  SsappImpactOutcome outcome;

  ssapp_impact_set_wait (set);
  ssapp_impact_set_choose (set, 7);
  SS_CHECK (ssapp_impact_set_get_outcome (set, &outcome));
  for (int s = 0; s < outcome.n_steps; s++) {
    int count;
    ssapp_impact_set_set_step (set, s);
    g_autofree double *speeds = ssapp_impact_set_dup_step_outcomes (set, &count);
    SS_CHECK (count == 1);
    for (int c = 0; c < 4; c++)
      SS_CHECK_NEAR (speeds[c], outcome.speeds[4 * (s + 1) + c], 1e-9);
  }
  g_object_unref (set);
}

/* ---- other laws -------------------------------------------------------------------------------------------------- */

/* Notes, section 7: the simultaneous law rests; A then B ends at vn = (0.093018, 0), B then A at its mirror image. */
static void
test_layers_of_other_laws (void)
{
  SsappImpactSet *set = block_set (100);
  SsappImpactPicture picture;
  SsappStyle style;
  int at_rest = 0, lifted = 0;

  ssapp_impact_set_wait (set);
  ssapp_impact_set_set_layer (set, SSAPP_IMPACT_LAYER_SIMULTANEOUS, TRUE);
  ssapp_impact_set_set_layer (set, SSAPP_IMPACT_LAYER_SEQUENTIAL, TRUE);
  ssapp_style_init (&style, FALSE);
  ssapp_impact_set_fill_picture (set, 0, &style, &picture);
  for (int k = 0; k < picture.spec.n_marks; k++) {
    const SsappPlaneMark *mark = &picture.spec.marks[k];
    at_rest += mark->layer == SSAPP_PLANE_SIMULTANEOUS && fabs (mark->x) < 1e-9 && fabs (mark->y) < 1e-9;
    lifted += mark->layer == SSAPP_PLANE_SEQUENTIAL && fabs (mark->y - 0.093018) < 1e-6;
  }
  SS_CHECK (picture.spec.n_marks == 3 && at_rest == 1 && lifted == 1);
  ssapp_impact_picture_clear (&picture);
  g_object_unref (set);
}

/* Notes, section 7: impulse to A alone stops it at vn = (0, -0.132883); shared equally, the block comes to rest. */
static void
test_rates_have_a_path (void)
{
  SsappImpactSet *set = block_set (100);
  const double alone[2] = {1., 0.}, equal[4] = {0.5, 0.5, 0.5, 0.5};
  int count;
  gboolean stops = FALSE;

  ssapp_impact_set_wait (set);
  SS_CHECK (ssapp_impact_set_get_rates_path (set, &count) == NULL);
  ssapp_impact_set_set_rates (set, alone, 1);
  const double *path = ssapp_impact_set_get_rates_path (set, &count);
  SS_CHECK (path != NULL && count >= 2);
  SS_CHECK_NEAR (path[0], -0.442944691807002, 1e-12);
  for (int k = 0; k < count; k++)
    stops |= fabs (path[4 * k]) < 1e-8 && fabs (path[4 * k + 1] + 0.132883) < 1e-6;
  SS_CHECK (stops);
  for (int pieces = 1; pieces <= 2; pieces++) {
    ssapp_impact_set_set_rates (set, equal, pieces);
    path = ssapp_impact_set_get_rates_path (set, &count);
    SS_CHECK (path != NULL);
    for (int c = 0; c < 4 && path != NULL; c++)
      SS_CHECK_NEAR (path[4 * (count - 1) + c], 0., 1e-7);
  }
  ssapp_impact_set_set_rates (set, NULL, 0);
  SS_CHECK (ssapp_impact_set_get_rates_path (set, &count) == NULL);
  g_object_unref (set);
}

/* ---- scenes, stored runs ----------------------------------------------------------------------------------------- */

static const char dropped[] =
    "{\"format\": 1, \"name\": \"dropped\", \"scene\": {\"friction\": 1, \"bodies\": ["
    "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
    "{\"name\": \"block\", \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 2}, \"mass\": 1, \"position\": [0, "
    "1],"
    " \"velocity\": [0, -0.442944691807002]}]}, \"methods\": {\"set-valued\": {\"step\": 0.25}}}";

/* The drawn block has the file's contact-space inverse mass, and its outcomes are speeds of the new scenario's body. */
static void
test_a_scene_begins_with_the_outcome (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SsappImpactSource) source = ssapp_impact_source_new_from_scene (dropped, "dropped", NULL, 0., &error);
  g_autoptr (SsappImpactSource) file = block_source ();
  SsappImpactSet *set = ssapp_impact_set_new ();
  SsappImpactOutcome outcome;

  SS_CHECK (source != NULL);
  if (source == NULL)
    return;
  const SsImpact *drawn = ssapp_impact_source_get_impact (source), *written = ssapp_impact_source_get_impact (file);
  for (int k = 0; k < 16; k++)
    SS_CHECK_NEAR (drawn->contact[k], written->contact[k], 1e-9);
  SS_CHECK_STR (ssapp_impact_source_get_labels (source)[1], "B");
  SS_CHECK_NEAR (drawn->h, 0.25, 0.);
  ssapp_impact_set_set_source (set, source);
  ssapp_impact_set_wait (set);
  ssapp_impact_set_choose (set, 5);
  SS_CHECK (ssapp_impact_set_get_outcome (set, &outcome));
  g_autofree double *ends = g_memdup2 (outcome.velocities + outcome.n_steps * outcome.n, sizeof (double) * 9);
  g_autofree char *text = ssapp_impact_set_dup_scenario (set, 5, &error);
  g_autoptr (SsappImpactSource) after = ssapp_impact_source_new_from_scene (text, "after", NULL, 0., &error);
  SS_CHECK (after != NULL && error == NULL);
  const SsImpact *next = ssapp_impact_source_get_impact (after);
  for (int k = 0; k < next->n; k++)
    SS_CHECK_NEAR (next->v[k], ends[k], 1e-14);
  /* the block's facts are those of its one moving body */
  g_auto (GStrv) facts = ssapp_impact_set_dup_facts (set);
  SS_CHECK_STR (facts[4], "Turning rate");
  g_object_unref (set);
}

static double
area_of (const SsVec2 *corners, int n)
{
  double area = 0;

  for (int k = 0; k < n; k++)
    area += (corners[k].x * corners[(k + 1) % n].y - corners[k].y * corners[(k + 1) % n].x) / 2;
  return area;
}

/* Above 2^18 samples every second is stored, and the hull all the same, but for corners that stand out by less than
 * 1e-6 of its size: of its area they take less than 1e-5. */
static void
test_stored_sets_are_thinned_but_for_the_hull (void)
{
  g_autofree char *folder = g_dir_make_tmp ("stickslip-impact-XXXXXX", NULL), *path = NULL, *id = NULL;
  SsappImpactSet *set = block_set ((1 << 18) + 4000);
  g_autoptr (GError) error = NULL;
  SsappImpactPicture picture;
  SsappStyle style;

  path = g_build_filename (folder, "set.stickslip", NULL);
  SsappStore *store = ssapp_store_open (path, TRUE, &error);
  ssapp_impact_set_set_plane (set, 0, 0, 1); /* normal speeds of both contacts */
  ssapp_impact_set_wait (set);
  id = ssapp_impact_set_store (set, store, &error);
  SS_CHECK (id != NULL && error == NULL);
  SsappSamples *samples = ssapp_store_get_samples (store, id, "velocities", &error);
  SS_CHECK (samples != NULL && samples->n >= (1 << 17) + 2000 && samples->n < (1 << 17) + 2400);
  SS_CHECK_STR (samples->columns[2], "vn_B");
  SS_CHECK_STR (samples->columns[4], "kinetic_energy");
  ssapp_style_init (&style, FALSE);
  ssapp_impact_set_fill_picture (set, 0, &style, &picture);
  SS_CHECK (picture.spec.plane->hull->len >= 3);
  g_autofree SsVec2 *places = g_new (SsVec2, samples->n), *hull = g_new (SsVec2, samples->n + 1);
  for (gint64 row = 0; row < samples->n; row++)
    places[row] = (SsVec2){samples->values[5 * row], samples->values[5 * row + 2]};
  const double whole =
      area_of ((const SsVec2 *)(const void *)picture.spec.plane->hull->data, (int)picture.spec.plane->hull->len);
  SS_CHECK_NEAR (area_of (hull, ss_impact_hull (places, (int)samples->n, hull)) / whole, 1, 1e-5);
  ssapp_impact_picture_clear (&picture);
  ssapp_samples_free (samples);
  SS_CHECK (ssapp_store_close (store, &error));
  g_object_unref (store);
  g_object_unref (set);
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_picked_outcomes_differ (void)
{
  SsappImpactSet *set = block_set (500);

  ssapp_impact_set_wait (set);
  ssapp_impact_set_choose (set, 11);
  g_autoptr (GArray) picked = ssapp_impact_set_pick (set, 32);
  SS_CHECK (picked->len == 32 && g_array_index (picked, gint64, 0) == 11);
  for (guint a = 0; a < picked->len; a++)
    for (guint b = 0; b < a; b++)
      SS_CHECK (g_array_index (picked, gint64, a) != g_array_index (picked, gint64, b));
  g_object_unref (set);
}

static void
test_counts_have_thin_spaces (void)
{
  g_autofree char *million = ssapp_impact_count_text (1048576), *few = ssapp_impact_count_text (12);
  SS_CHECK_STR (million, "1\u2009048\u2009576");
  SS_CHECK_STR (few, "12");
}

int
main (void)
{
  SS_RUN (test_files_are_read_and_written);
  SS_RUN (test_approach_is_turned);
  SS_RUN (test_streamed_samples_are_the_engines);
  SS_RUN (test_shares_add_up);
  SS_RUN (test_losses_are_the_energy_that_is_gone);
  SS_RUN (test_dragging_draws_few_and_goes_on);
  SS_RUN (test_frames_come_to_the_end);
  SS_RUN (test_growth_is_noted);
  SS_RUN (test_bad_values_fail_in_words);
  SS_RUN (test_another_configuration_begins_empty);
  SS_RUN (test_a_brush_is_the_same_everywhere);
  SS_RUN (test_brushing_a_mode_takes_its_samples);
  SS_RUN (test_the_chosen_sample_is_drawn_again);
  SS_RUN (test_the_nearest_outcome_is_chosen);
  SS_RUN (test_every_outcome_of_a_mode_is_reached);
  SS_RUN (test_steps_of_the_block_have_one_outcome);
  SS_RUN (test_layers_of_other_laws);
  SS_RUN (test_rates_have_a_path);
  SS_RUN (test_a_scene_begins_with_the_outcome);
  SS_RUN_SLOW (test_stored_sets_are_thinned_but_for_the_hull);
  SS_RUN (test_picked_outcomes_differ);
  SS_RUN (test_counts_have_thin_spaces);
  return ss_test_finish ();
}
