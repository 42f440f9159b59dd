/* app/session/ssapp-effects.c: see the header. */
#include "app/session/ssapp-effects.h"

#include "app/base/ssapp-json.h"
#include "app/draw/ssapp-band.h"
#include "app/draw/ssapp-draw-parts.h"
#include "app/draw/ssapp-plot.h"
#include "app/draw/ssapp-run-events.h"
#include "app/job/ssapp-sensitivity.h"
#include "app/job/ssapp-state.h"
#include "core/ss-channel.h"
#include "scene/ss-number.h"
#include "simulate/ss-simulate.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* Effects that are a smaller part of the largest one are shown as 0, which they are but for rounding. */
static const double rounding = 1e-9;
enum { DIGITS = 3 };

typedef struct {
  char *name, *of;
  double change;
} Number;

typedef struct {
  char *channel;   /* NULL: of no final value */
  SsMetric metric; /* SS_METRIC_COUNT: of none. Neither: the time of an event */
  int event;       /* of the result's list */
  double t;        /* [s] */
} Target;

struct SsappEffects {
  GArray *numbers; /* of Number */
  GArray *targets; /* of Target */
  GPtrArray *labels, *breaks;
  char *names, *words;
  json_t *result; /* NULL: none yet */
};

static void
clear_number (gpointer data)
{
  g_free (((Number *)data)->name);
  g_free (((Number *)data)->of);
}

static void
clear_target (gpointer data)
{
  g_free (((Target *)data)->channel);
}

/* ---- which numbers ----------------------------------------------------------------------------------------------- */

const char *
ssapp_effects_reason (SsappRun *run)
{
  const SsMethod *method = ss_method_lookup (ssapp_run_get_method (run));

  if (method == NULL || method->integrator == NULL || method->integrator->sensitivity == NULL)
    return _ ("Only simulations by FESD-J, Event-Driven and Time-freezing have derivatives through their events");
  if (ssapp_run_get_replay_of (run) != NULL)
    return _ ("A replay begins and acts as its plan says: simulate the scene to see what moves it");
  if (ssapp_continued_has (ssapp_run_get_result (run)))
    return _ ("Derivatives are followed from the start on: this run goes on from another motion");
  if (ssapp_run_get_scenario (run) == NULL)
    return _ ("The run's scenario cannot be read");
  if (ssapp_run_is_running (run) || ssapp_run_get_id (run) == NULL)
    return _ ("The run has not ended yet");
  return NULL;
}

/* Whether there is such a number: then it is one of them. */
static gboolean
add_number (SsappEffects *self, const SsScenario *scenario, const char *name)
{
  SsNumber number;
  const char *words;

  if (ss_scenario_number (scenario, name, &number, NULL) != SS_OK || number.is_by_formula)
    return FALSE;
  Number item = {.name = g_strdup (name), .change = ssapp_band_change (scenario, &number, &words)};
  g_autofree char *value = ssapp_format_number (number.value, 4), *change = ssapp_format_number (item.change, 4);
  item.of = g_strdup_printf ("%s ± %s%s", value, change, words);
  g_array_append_val (self->numbers, item);
  return TRUE;
}

static int
add_starts (SsappEffects *self, const SsScenario *scenario)
{
  const SsScene *scene = scenario->scene;
  int n = 0;

  for (int b = 0; b < scene->n_bodies; b++)
    for (int k = 0; !ss_body_is_immovable (&scene->bodies[b]) && k < SS_BODY_CHANNELS; k++) {
      g_autofree char *name = g_strdup_printf ("%s.%s", scene->bodies[b].name, ss_body_channels[k]);
      if (!scene->bodies[b].lock[k % 3])
        n += add_number (self, scenario, name);
    }
  return n;
}

SsappEffects *
ssapp_effects_new (const SsScenario *scenario)
{
  SsappEffects *self = g_new0 (SsappEffects, 1);
  int n_moving = 0, n_parameters = 0, n_starts = 0;

  self->numbers = g_array_new (FALSE, TRUE, sizeof (Number));
  self->targets = g_array_new (FALSE, TRUE, sizeof (Target));
  g_array_set_clear_func (self->numbers, clear_number);
  g_array_set_clear_func (self->targets, clear_target);
  self->labels = g_ptr_array_new_with_free_func (g_free);
  self->breaks = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->labels, NULL);
  g_ptr_array_add (self->breaks, NULL);
  for (int i = 0; i < scenario->n_parameters; i++)
    if (!scenario->parameters[i].is_structural && !scenario->parameters[i].is_integer)
      n_parameters += add_number (self, scenario, scenario->parameters[i].name);
  for (int b = 0; b < scenario->scene->n_bodies; b++)
    n_moving += !ss_body_is_immovable (&scenario->scene->bodies[b]);
  if (n_moving <= SSAPP_EFFECTS_BODIES)
    n_starts = add_starts (self, scenario);
  g_autoptr (GString) names = g_string_new (NULL), words = g_string_new (NULL);
  for (guint i = 0; i < self->numbers->len; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? "," : "", g_array_index (self->numbers, Number, i).name);
  g_autofree char *parameters =
                      g_strdup_printf (ngettext ("%d parameter", "%d parameters", (gulong)n_parameters), n_parameters),
                  *starts = g_strdup_printf (ngettext ("%d start", "%d starts", (gulong)n_starts), n_starts);
  g_string_append_printf (words, _ ("%s and %s, each 1 %% more"), parameters, starts);
  if (n_moving > SSAPP_EFFECTS_BODIES)
    g_string_append_printf (words, _ ("; starts are left out where more than %d bodies move, here %d"),
                            SSAPP_EFFECTS_BODIES, n_moving);
  self->names = g_strdup (names->str);
  self->words = g_strdup (words->str);
  return self;
}

void
ssapp_effects_free (SsappEffects *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->numbers);
  g_array_unref (self->targets);
  g_ptr_array_unref (self->labels);
  g_ptr_array_unref (self->breaks);
  g_free (self->names);
  g_free (self->words);
  json_decref (self->result);
  g_free (self);
}

const char *
ssapp_effects_get_names (const SsappEffects *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->names;
}

const char *
ssapp_effects_get_words (const SsappEffects *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->words;
}

/* ---- what is asked for ------------------------------------------------------------------------------------------- */

static gboolean
is_event (const Target *target)
{
  return target->channel == NULL && target->metric == SS_METRIC_COUNT;
}

static void
add_target (SsappEffects *self, Target target, char *label)
{
  g_array_append_val (self->targets, target);
  g_ptr_array_insert (self->labels, (gint)self->labels->len - 1, label);
}

static void
add_event (SsappEffects *self, int place, json_t *event)
{
  json_t *alone = json_pack ("{s:[O]}", "events", event);
  g_autoptr (GArray) read = ssapp_run_events_from_json (alone);

  if (read->len == 1) {
    g_autofree char *words = ssapp_run_event_describe (&g_array_index (read, SsappRunEvent, 0));
    add_target (self, (Target){.metric = SS_METRIC_COUNT, .event = place, .t = ssapp_json_get_real (event, "t")},
                g_strdup_printf (_ ("Event at %s"), words));
  }
  json_decref (alone);
}

gboolean
ssapp_effects_take (SsappEffects *self, const json_t *result)
{
  g_return_val_if_fail (self != NULL, FALSE);
  const json_t *all = json_object_get (result, "sensitivities");
  json_t *first =
             json_is_object (all)
                 ? json_object_get (all, self->numbers->len > 0 ? g_array_index (self->numbers, Number, 0).name : "")
                 : NULL,
         *item, *slope;
  const char *channel;
  size_t i;

  if (!json_is_object (first))
    return FALSE;
  json_decref (self->result);
  self->result = json_incref ((json_t *)result);
  g_array_set_size (self->targets, 0);
  g_ptr_array_set_size (self->labels, 0);
  g_ptr_array_set_size (self->breaks, 0);
  g_ptr_array_add (self->labels, NULL);
  json_object_foreach (first, channel, slope)
      add_target (self, (Target){.channel = g_strdup (channel), .metric = SS_METRIC_COUNT, .t = NAN},
                  g_strdup_printf (_ ("%s at the end"), channel));
  json_object_foreach (
      json_object_get (json_object_get (result, "metric_sensitivities"), g_array_index (self->numbers, Number, 0).name),
      channel, slope)
  {
    const SsMetric metric = ss_metric_find (channel);
    if (metric != SS_METRIC_COUNT)
      add_target (self, (Target){.metric = metric, .t = NAN}, g_strdup (ss_metric_spec (metric)->label));
  }
  json_array_foreach (json_object_get (result, "events"), i, item) add_event (self, (int)i, item);
  GArray *breaks = ssapp_sensitivity_breaks (result);
  for (guint k = 0; k < breaks->len; k++)
    g_ptr_array_add (self->breaks, ssapp_sensitivity_break_words (&g_array_index (breaks, SsappSensitivityBreak, k)));
  ssapp_records_free (&ssapp_sensitivity_break_record, breaks);
  g_ptr_array_add (self->breaks, NULL);
  return TRUE;
}

const char *const *
ssapp_effects_get_targets (const SsappEffects *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return (const char *const *)self->labels->pdata;
}

const char *const *
ssapp_effects_get_breaks (const SsappEffects *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return (const char *const *)self->breaks->pdata;
}

guint
ssapp_effects_target_at (const SsappEffects *self, double t)
{
  g_return_val_if_fail (self != NULL, 0);
  double nearest = INFINITY;
  guint found = 0;

  for (guint i = 0; i < self->targets->len; i++) {
    const Target *target = &g_array_index (self->targets, Target, i);
    if (is_event (target) && fabs (target->t - t) < nearest) {
      nearest = fabs (target->t - t);
      found = i;
    }
  }
  return found;
}

/* ---- bars -------------------------------------------------------------------------------------------------------- */

static void
clear_effect (gpointer data)
{
  g_free (((SsappEffect *)data)->of);
  g_free (((SsappEffect *)data)->text);
}

static int
compare_effects (gconstpointer a, gconstpointer b)
{
  const double x = fabs (((const SsappEffect *)a)->effect), y = fabs (((const SsappEffect *)b)->effect);

  if (isnan (x) || isnan (y))
    return isnan (x) - isnan (y);
  return (x < y) - (x > y);
}

static double
slope_of (const SsappEffects *self, const Target *target, const char *name)
{
  const json_t *events = json_object_get (self->result, "events");

  if (is_event (target))
    return ssapp_json_get_real (json_object_get (json_array_get (events, (size_t)target->event), "sensitivity"), name);
  const char *of = target->channel != NULL ? "sensitivities" : "metric_sensitivities";
  return ssapp_json_get_real (json_object_get (json_object_get (self->result, of), name),
                              target->channel != NULL ? target->channel : ss_metric_spec (target->metric)->name);
}

static char *
text_of (const SsappEffect *effect, const char *unit)
{
  if (isnan (effect->effect))
    return g_strdup (_ ("no derivative"));
  g_autofree char *number = ssapp_format_number (effect->part != 0 ? effect->effect : 0, DIGITS);
  return g_strdup_printf ("%s%s %s", effect->part > 0 ? "+" : "", number, unit);
}

GArray *
ssapp_effects_bars (const SsappEffects *self, guint target)
{
  g_return_val_if_fail (self != NULL, NULL);
  GArray *bars = g_array_new (FALSE, TRUE, sizeof (SsappEffect));
  double largest = 0;

  g_array_set_clear_func (bars, clear_effect);
  if (target >= self->targets->len)
    return bars;
  const Target *asked = &g_array_index (self->targets, Target, target);
  const char *quantity = asked->channel != NULL ? strrchr (asked->channel, '.') : NULL;
  const char *unit = asked->metric != SS_METRIC_COUNT
                         ? ss_metric_spec (asked->metric)->unit
                         : ss_quantity_unit (quantity != NULL ? ss_quantity_find (quantity + 1) : SS_QUANTITY_TIME);
  for (guint i = 0; i < self->numbers->len; i++) {
    const Number *number = &g_array_index (self->numbers, Number, i);
    SsappEffect effect = {
        .name = number->name, .of = g_strdup (number->of), .slope = slope_of (self, asked, number->name)};
    effect.effect = effect.slope * number->change;
    largest = fmax (largest, fabs (effect.effect));
    g_array_append_val (bars, effect);
  }
  for (guint i = 0; i < bars->len; i++) {
    SsappEffect *effect = &g_array_index (bars, SsappEffect, i);
    if (fabs (effect->effect) > rounding * largest)
      effect->part = effect->effect / largest;
    effect->text = text_of (effect, unit);
  }
  g_array_sort (bars, compare_effects);
  return bars;
}

void
ssapp_effects_draw_bar (cairo_t *cr, const SsappStyle *style, const SsappEffect *effect, double width, double height)
{
  g_return_if_fail (style != NULL && effect != NULL);

  const double middle = width / 2, thick = height / 2;

  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_ACCENT));
  cairo_rectangle (cr, middle, (height - thick) / 2, effect->part * middle, thick);
  cairo_fill (cr);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_FIXED));
  cairo_set_line_width (cr, ssapp_style_line (style, 1));
  cairo_move_to (cr, middle, 0);
  cairo_line_to (cr, middle, height);
  cairo_stroke (cr);
}
