/* app/export/ssapp-export-data.c: numbers as text: the data behind a figure. RFC 4180,
 * '.' in every locale. */
#include "app/export/ssapp-export-private.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the data behind a figure ------------------------------------------------------------------------------------ */

typedef SsappFigureCurve Curve;
typedef SsappFigureCurveFunc CurveFunc;

/* Modes as numbers (SsappContactMode), two points a span. */
static void
mode_curve (const SsappFigureRun *run, const SsappModeStrip *strip, CurveFunc func, gpointer data)
{
  const guint n = 2 * strip->spans->len;
  g_autofree double *x = g_new (double, n + 1), *y = g_new (double, n + 1);

  for (guint i = 0; i < n; i++) {
    const SsappModeSpan *span = &g_array_index (strip->spans, SsappModeSpan, i / 2);
    x[i] = i % 2 == 0 ? span->begin : span->end;
    y[i] = span->mode;
  }
  func (&(Curve){run, strip->label, ssapp_clock_letter (run->trajectory), (int)n, x, y, 1}, data);
}

typedef struct {
  const SsappFigureRun *run;
  CurveFunc func;
  gpointer data;
} StateCurve;

static void
state_curve (const char *channel, int n, const double *t, const double *value, gpointer data)
{
  const StateCurve *state = data;

  state->func (&(Curve){state->run, channel, ssapp_clock_letter (state->run->trajectory), n, t, value, 1}, state->data);
}

static void
clock_curve (const char *name, const char *x_name, int n, const double *x, const double *y, gpointer data)
{
  const StateCurve *state = data;

  state->func (&(Curve){state->run, name, x_name, n, x, y, 1}, state->data);
}

void
ssapp_figure_for_each_curve (const SsappFigure *figure, CurveFunc func, gpointer data)
{
  gboolean full = figure->kind == SSAPP_FIGURE_FULL;
  if (figure->table != NULL) {
    ssapp_channel_stack_for_each (figure->table, ssapp_figure_channel_curve, &(SsappChannelCurve){figure, func, data});
    return;
  }
  for (int r = 0; r < figure->n_runs; r++) {
    const SsappFigureData *d = &figure->runs[r];
    const SsTrajectory *trajectory = d->run->trajectory;
    if (full || figure->kind == SSAPP_FIGURE_CONVERGENCE) {
      func (&(Curve){d->run, "objective", "iteration", d->n_iterations, d->iteration, d->objective, 1}, data);
      func (&(Curve){d->run, "violation", "iteration", d->n_iterations, d->iteration, d->violation, 1}, data);
    }
    if (full || figure->kind == SSAPP_FIGURE_CHANNELS || figure->kind == SSAPP_FIGURE_REPLAY)
      for (int s = 0; s < d->n_strips; s++)
        func (&(Curve){d->run, d->strip_labels[s], ssapp_clock_letter (trajectory), d->n_times, d->times, d->strips[s],
                       1},
              data);
    if (full || figure->kind == SSAPP_FIGURE_CHANNELS)
      ssapp_figure_branch_curves (d, func, data);
    if (figure->kind == SSAPP_FIGURE_STEPS)
      func (&(Curve){d->run, "step", ssapp_clock_letter (trajectory), d->n_steps, d->step_times, d->step_sizes, 1},
            data);
    for (guint k = 0; d->modes != NULL && k < d->modes->len; k++)
      mode_curve (d->run, g_ptr_array_index (d->modes, k), func, data);
    if (d->states != NULL)
      ssapp_states_for_each (d->states, state_curve, &(StateCurve){d->run, func, data});
    if (d->clocks != NULL)
      ssapp_clocks_for_each (d->clocks, clock_curve, &(StateCurve){d->run, func, data});
    if (d->path.n > 0)
      ssapp_figure_plane_curves (figure, d, func, data);
    if ((full || figure->kind == SSAPP_FIGURE_MOTION) && trajectory != NULL)
      for (int c = 1; c < trajectory->n_channels; c++)
        func (&(Curve){d->run, trajectory->channels[c].name, ssapp_clock_letter (trajectory), d->n_times, d->times,
                       trajectory->values + c, (gsize)trajectory->n_channels},
              data);
  }
}

static void
curve_to_csv (const Curve *curve, gpointer data)
{
  GString *out = data;
  for (int i = 0; i < curve->n; i++) {
    ssapp_csv_append_text (out, curve->run->label);
    g_string_append_c (out, ',');
    ssapp_csv_append_text (out, curve->run->method.name);
    g_string_append_c (out, ',');
    ssapp_csv_append_text (out, curve->quantity);
    g_string_append_printf (out, ",%s,", curve->x_name);
    ssapp_csv_append_number (out, curve->x[i]);
    g_string_append_c (out, ',');
    ssapp_csv_append_number (out, curve->y[(gsize)i * curve->stride]);
    g_string_append_c (out, '\n');
  }
}

void
ssapp_figure_to_csv (const SsappFigure *figure, GString *out)
{
  g_string_append (out, "run,method,quantity,x_name,x,y\n");
  ssapp_figure_for_each_curve (figure, curve_to_csv, out);
}

static json_t *
number_or_null (double value)
{
  return isfinite (value) ? json_real (value) : json_null ();
}

static json_t *
text_or_null (const char *text)
{
  return text != NULL ? json_string (text) : json_null ();
}

static void
curve_to_json (const Curve *curve, gpointer data)
{
  json_t *object = json_object (), *x = json_array (), *y = json_array ();
  for (int i = 0; i < curve->n; i++) {
    json_array_append_new (x, number_or_null (curve->x[i]));
    json_array_append_new (y, number_or_null (curve->y[(gsize)i * curve->stride]));
  }
  json_object_set_new (object, "run", text_or_null (curve->run->label));
  json_object_set_new (object, "method", text_or_null (curve->run->method.name));
  json_object_set_new (object, "outcome", text_or_null (curve->run->outcome));
  json_object_set_new (object, "quantity", text_or_null (curve->quantity));
  json_object_set_new (object, "x_name", json_string (curve->x_name));
  json_object_set_new (object, "x", x);
  json_object_set_new (object, "y", y);
  json_array_append_new (data, object);
}

void
ssapp_figure_to_json (const SsappFigure *figure, GString *out)
{
  json_t *root = json_object (), *curves = json_array ();
  ssapp_figure_for_each_curve (figure, curve_to_json, curves);
  json_object_set_new (root, "format", json_integer (1));
  json_object_set_new (root, "scenario", text_or_null (figure->scenario != NULL ? figure->scenario->name : NULL));
  json_object_set_new (root, "curves", curves);
  char *text = json_dumps (root, JSON_REAL_PRECISION (17) | JSON_COMPACT);
  g_string_append (out, text != NULL ? text : "{}");
  g_string_append_c (out, '\n');
  free (text);
  json_decref (root);
}
