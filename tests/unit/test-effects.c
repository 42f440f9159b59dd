/* tests/unit/test-effects.c: which numbers of a scene a motion's derivatives are asked by; what a result says of them
 * as bars: change, size, order, sign, unit; numbers that are 0; none. Whole runs: tests/ui/test_sensitivity.py. */
#include "app/session/ssapp-effects.h"
#include "tests/ss-test-scenario.h"

#include <math.h>
#include <string.h>

/* count is a whole number, edge cannot be less; half, a formula unless it is set, can move by itself; box.y is the
 * parameter's. */
#define SCENE                                                                                                          \
  "{\"format\": 1, \"name\": \"slide\", \"parameters\": {\"mu\": {\"value\": 0.3}, \"count\": {\"value\": 3, "         \
  "\"integer\": true}, \"edge\": {\"value\": 2, \"minimum\": 2}, \"half\": {\"value\": \"mu/2\"}, \"y0\": "            \
  "{\"value\": 0.1}}, \"scene\": "                                                                                     \
  "{\"gravity\": [0, -9.81], \"friction\": \"mu\", \"contacts\": \"all\", \"bodies\": ["                               \
  "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}}, "                \
  "{\"name\": \"box\", \"mass\": 2, \"position\": [0, \"y0\"], \"velocity\": [1.5, 0], \"shape\": {\"type\": "         \
  "\"circle\", "                                                                                                       \
  "\"radius\": 0.1}}]}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}"

/* Of a result, with derivatives by those names of slide. */
#define RESULT                                                                                                         \
  "{\"sensitivities\": {\"mu\": {\"box.x\": -2, \"box.vx\": 0}, \"box.vx\": {\"box.x\": 0.5, \"box.vx\": 1e-15}, "     \
  "\"box.x\": {\"box.x\": 1, \"box.vx\": 3}, \"y0\": {\"box.x\": null, \"box.vx\": null}}, "                           \
  "\"sensitivity_breaks\": [{\"of\": \"y0\", \"t\": 0, \"kind\": \"touching\", \"contact\": \"floor-box\", "           \
  "\"meaning\": \"it parts\"}], \"metric_sensitivities\": {\"mu\": {\"energy_final\": -20}, \"box.vx\": "              \
  "{\"energy_final\": 3}}, "                                                                                           \
  "\"events\": [{\"t\": 0.5, \"kind\": \"stick\", \"contact\": \"floor-box\", \"point\": 0, \"impulse\": null, "       \
  "\"sensitivity\": {\"mu\": -1.7, \"box.vx\": 0.3, \"box.x\": 0, \"y0\": null}}]}"

static SsappEffects *
effects_of_scene (void)
{
  SsScenario *scenario = ss_test_read_text (SCENE);
  SsappEffects *effects = ssapp_effects_new (scenario);

  ss_scenario_free (scenario);
  return effects;
}

static const SsappEffect *
find (GArray *bars, const char *name)
{
  for (guint i = 0; i < bars->len; i++)
    if (strcmp (g_array_index (bars, SsappEffect, i).name, name) == 0)
      return &g_array_index (bars, SsappEffect, i);
  return NULL;
}

static void
test_numbers (void)
{
  SsappEffects *effects = effects_of_scene ();

  SS_CHECK_STR (ssapp_effects_get_names (effects), "mu,edge,half,y0,box.x,box.theta,box.vx,box.vy,box.omega");
  SS_CHECK_STR (ssapp_effects_get_words (effects), "4 parameters and 5 starts, each 1 % more");
  SS_CHECK (ssapp_effects_get_targets (effects)[0] == NULL);
  SS_CHECK (!ssapp_effects_take (effects, NULL));
  g_autoptr (GArray) bars = ssapp_effects_bars (effects, 0);
  SS_CHECK (bars->len == 0);
  ssapp_effects_free (effects);
}

static void
test_bars (void)
{
  SsappEffects *effects = effects_of_scene ();
  json_t *result = json_loads (RESULT, 0, NULL);

  SS_CHECK (result != NULL && ssapp_effects_take (effects, result));
  json_decref (result);
  const char *const *targets = ssapp_effects_get_targets (effects);
  SS_CHECK_STR (targets[0], "box.x at the end");
  SS_CHECK_STR (targets[1], "box.vx at the end");
  SS_CHECK_STR (targets[2], "Energy at the end");
  SS_CHECK_STR (targets[3], "Event at 0.5000 s: slip ends at floor-box, point 0");
  SS_CHECK (targets[4] == NULL && ssapp_effects_target_at (effects, 0.49) == 3);
  SS_CHECK_STR (ssapp_effects_get_breaks (effects)[0], "y0: at t = 0 s, floor-box: it parts");

  /* Final position: 1 % of 1.5 m/s at 0.5 s, 1 % of 0.3 at -2 m, 1 % of 0.2 m. */
  GArray *bars = ssapp_effects_bars (effects, 0);
  const SsappEffect *first = &g_array_index (bars, SsappEffect, 0);
  SS_CHECK_STR (first->name, "box.vx");
  SS_CHECK_NEAR (first->effect, 0.0075, 1e-15);
  SS_CHECK_NEAR (first->part, 1, 0);
  SS_CHECK_STR (first->text, "+0.0075 m");
  SS_CHECK_STR (first->of, "1.5 ± 0.015");
  SS_CHECK_STR (g_array_index (bars, SsappEffect, 1).name, "mu");
  SS_CHECK_NEAR (find (bars, "mu")->part, -0.8, 1e-15);
  SS_CHECK_STR (find (bars, "mu")->text, "−0.006 m");
  SS_CHECK_STR (find (bars, "box.x")->of, "0 ± 0.002, 1 % of its size");
  SS_CHECK_NEAR (find (bars, "box.x")->effect, 0.002, 1e-15);
  SS_CHECK_STR (find (bars, "box.omega")->of, "0 ± 0.01 rad/s");
  SS_CHECK_STR (find (bars, "box.vy")->of, "0 ± 0.002, 1 % of its size a second");
  SS_CHECK_STR (find (bars, "y0")->text, "no derivative");
  SS_CHECK (isnan (find (bars, "y0")->effect) && find (bars, "y0")->part == 0);
  g_array_unref (bars);

  /* Rounding is no effect. */
  bars = ssapp_effects_bars (effects, 1);
  SS_CHECK_STR (g_array_index (bars, SsappEffect, 0).text, "+0.006 m/s");
  SS_CHECK_STR (find (bars, "box.vx")->text, "0 m/s");
  g_array_unref (bars);

  bars = ssapp_effects_bars (effects, 2);
  SS_CHECK_STR (g_array_index (bars, SsappEffect, 0).text, "−0.06 J");
  g_array_unref (bars);

  bars = ssapp_effects_bars (effects, 3);
  SS_CHECK_STR (g_array_index (bars, SsappEffect, 0).text, "−0.0051 s");
  g_array_unref (bars);
  ssapp_effects_free (effects);
}

/* Left of the middle where the effect is negative. */
static void
test_drawing (void)
{
  const SsappEffect effect = {.part = -0.5};
  SsappStyle style;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 100, 20);
  cairo_t *cr = cairo_create (surface);

  ssapp_style_init (&style, FALSE);
  ssapp_effects_draw_bar (cr, &style, &effect, 100, 20);
  cairo_surface_flush (surface);
  const guint32 *pixels = (const guint32 *)(const void *)cairo_image_surface_get_data (surface);
  const int row = 10 * cairo_image_surface_get_stride (surface) / 4;
  SS_CHECK (pixels[row + 20] == 0 && pixels[row + 30] != 0 && pixels[row + 45] != 0 && pixels[row + 60] == 0);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

int
main (void)
{
  SS_RUN (test_numbers);
  SS_RUN (test_bars);
  SS_RUN (test_drawing);
  return ss_test_finish ();
}
