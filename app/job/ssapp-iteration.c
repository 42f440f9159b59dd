/* app/job/ssapp-iteration.c: rows of convergence tables, from a solver's columns or from events; see ssapp-job.h. */
#include "app/job/ssapp-job.h"

#include "app/base/ssapp-json.h"

#include <math.h>

/* Columns that count as the method's parameter, in order of preference. */
static const char *const parameter_names[] = {"radius", "mu", "sigma", "delta", "tau", "relaxation", "regularization"};

void
ssapp_iteration_clear (SsappIteration *iteration)
{
  g_clear_pointer (&iteration->json, g_free);
}

static void
take_json (json_t *columns, SsappIteration *out)
{
  out->objective = ssapp_json_get_real (columns, "objective");
  out->violation = ssapp_json_get_real (columns, "violation");
  out->complementarity = ssapp_json_get_real (columns, "complementarity");
  out->step = ssapp_json_get_real (columns, "step");
  const double polish = ssapp_json_get_real (columns, "polish"),
               trace = isnan (polish) ? ssapp_json_get_real (columns, "member") : polish;
  out->lower_bound = ssapp_json_get_real (columns, "lower_bound");
  out->trace = json_object_get (columns, "lower_bound") != NULL ? SSAPP_TRACE_BOUND
               : trace > 0 && trace < SSAPP_TRACE_BOUND         ? (int)trace
                                                                : 0;
  out->parameter = NAN;
  out->parameter_name = "";
  for (guint i = 0; i < G_N_ELEMENTS (parameter_names); i++)
    if (json_object_get (columns, parameter_names[i]) != NULL) {
      out->parameter = ssapp_json_get_real (columns, parameter_names[i]);
      out->parameter_name = parameter_names[i];
      break;
    }
  out->json = ssapp_json_text (columns, FALSE);
}

/* By trace, those of one in their order. */
static gint
compare_traces (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const SsappIteration *const *one = a, *const *other = b;

  (void)user_data;
  return (*one)->trace - (*other)->trace;
}

typedef struct {
  double *x, *objective, *violation;
  int *traces, n;
} Curves;

/* One more point of the curves. */
static void
add_point (Curves *self, int trace, double at, double f, double v)
{
  self->x[self->n] = at;
  self->objective[self->n] = f;
  self->violation[self->n] = v;
  if (self->traces != NULL)
    self->traces[self->n] = trace;
  self->n++;
}

static void
add_gap (Curves *self, double at)
{
  add_point (self, SSAPP_TRACE_GAP, at, NAN, NAN);
}

void
ssapp_iterations_to_curves (GArray *rows, gboolean over_time, const SsappAnswer *answer, double *x, double *objective,
                            double *violation, int *traces, int *n)
{
  g_return_if_fail (x != NULL && objective != NULL && violation != NULL && n != NULL);

  const guint n_rows = rows != NULL ? rows->len : 0;
  Curves curves = {x, objective, violation, traces, 0};
  g_autofree const SsappIteration **sorted = g_new (const SsappIteration *, n_rows + 1);

  for (guint i = 0; i < n_rows; i++)
    sorted[i] = &g_array_index (rows, SsappIteration, i);
  /* members of a race tell their rows in turns */
  g_qsort_with_data (sorted, (gint)n_rows, sizeof (const SsappIteration *), compare_traces, NULL);
  double end = -INFINITY;
  for (guint i = 0; i < n_rows; i++) {
    const SsappIteration *row = sorted[i];
    const double at = over_time ? row->t : row->iteration;
    end = MAX (end, at);
    if (i > 0 && row->trace != sorted[i - 1]->trace)
      add_gap (&curves, at);
    add_point (&curves, row->trace, at, row->objective, row->violation);
  }
  for (guint i = 0; i < n_rows; i++) {
    const double at = over_time ? sorted[i]->t : sorted[i]->iteration;
    if (sorted[i]->trace != SSAPP_TRACE_BOUND)
      continue;
    if (i == 0 || sorted[i - 1]->trace != SSAPP_TRACE_BOUND)
      add_gap (&curves, at);
    add_point (&curves, SSAPP_TRACE_BOUND, at, sorted[i]->lower_bound, NAN);
  }
  if (n_rows > 0 && sorted[0]->trace != sorted[n_rows - 1]->trace && answer != NULL && answer->is_known) {
    add_gap (&curves, end);
    add_point (&curves, SSAPP_TRACE_ANSWER, end, answer->objective, answer->violation);
  }
  *n = curves.n;
}

GArray *
ssapp_trace_parts (const int *traces, int n)
{
  g_return_val_if_fail (traces != NULL || n == 0, NULL);
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (SsappTracePart));

  for (int i = 0; i < n; i++) {
    const SsappTracePart part = {traces[i], i, 1};
    if (traces[i] == SSAPP_TRACE_GAP)
      continue;
    if (i > 0 && traces[i - 1] == traces[i])
      g_array_index (parts, SsappTracePart, parts->len - 1).n++;
    else
      g_array_append_val (parts, part);
  }
  return parts;
}

const char *
ssapp_trace_label (const char *const *members, int trace, const char *whole)
{
  if (trace == SSAPP_TRACE_ANSWER)
    return "Answer";
  if (trace == SSAPP_TRACE_BOUND)
    return "Lower bound";
  return members != NULL && trace > 0 && trace <= (int)g_strv_length ((char **)members) ? members[trace - 1] : whole;
}

gboolean
ssapp_iteration_from_json (const char *json, SsappIteration *out)
{
  g_return_val_if_fail (json != NULL && out != NULL, FALSE);

  json_t *columns = json_loads (json, 0, NULL);

  if (!json_is_object (columns)) {
    json_decref (columns);
    return FALSE;
  }
  *out = (SsappIteration){0};
  out->iteration = (int)json_integer_value (json_object_get (columns, "iteration"));
  out->t = ssapp_json_get_real (columns, "t");
  /* What belongs to the event, not to the row. */
  json_object_del (columns, "type");
  json_object_del (columns, "id");
  take_json (columns, out);
  json_decref (columns);
  return TRUE;
}

void
ssapp_iteration_from_columns (int iteration, double t, const SsColumn *columns, int n_columns, SsappIteration *out)
{
  g_return_if_fail ((columns != NULL || n_columns == 0) && n_columns >= 0 && out != NULL);

  json_t *object = json_object ();

  *out = (SsappIteration){0};
  out->iteration = iteration;
  out->t = t;
  json_object_set_new (object, "t", ssapp_json_real (t));
  json_object_set_new (object, "iteration", json_integer (iteration));
  for (int i = 0; i < n_columns; i++)
    if (g_strcmp0 (columns[i].name, "iteration") != 0)
      json_object_set_new (object, columns[i].name, ssapp_json_real (columns[i].value));
  take_json (object, out);
  json_decref (object);
}
