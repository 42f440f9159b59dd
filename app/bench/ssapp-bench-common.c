/* app/bench/ssapp-bench-common.c: see the header. */
#include "app/bench/ssapp-bench-common.h"

#include "app/bench/ssapp-bench.h"

#include <math.h>
#include <string.h>

SsScenario *
ssapp_bench_read (const char *text, const char *name, const SsOverride *set, int n_set, char **message)
{
  SsScenario *scenario = NULL;
  SsProblems problems;

  ss_problems_init (&problems);
  if (ss_scenario_read (text, strlen (text), name, set, n_set, &problems, &scenario) != SS_OK && message != NULL) {
    char line[1024] = "out of memory";
    if (problems.n_items > 0)
      ss_error_format (&problems.items[0], line, sizeof line);
    *message = g_strdup (line);
  }
  ss_problems_clear (&problems);
  return scenario;
}

json_t *
ssapp_bench_box (double width, double height)
{
  return json_pack ("{s:s, s:f, s:f}", "type", "box", "width", width, "height", height);
}

json_t *
ssapp_bench_disc (double radius)
{
  return json_pack ("{s:s, s:f}", "type", "circle", "radius", radius);
}

void
ssapp_bench_append_cell (GString *out, double value)
{
  char text[40] = "";

  if (isfinite (value))
    ss_format_double (value, text, sizeof text);
  g_string_append_printf (out, ",%s", text);
}

double
ssapp_bench_median (const GArray *array)
{
  return ssapp_median ((const double *)(const void *)array->data, (int)array->len);
}

double
ssapp_bench_percentile (const GArray *array, double percent)
{
  return ssapp_percentile ((const double *)(const void *)array->data, (int)array->len, percent);
}

double
ssapp_bench_mean (const GArray *array)
{
  return ssapp_mean ((const double *)(const void *)array->data, (int)array->len);
}

double
ssapp_bench_geometric (const GArray *array)
{
  return ssapp_geometric_mean ((const double *)(const void *)array->data, (int)array->len);
}

int
ssapp_bench_n_above (const GArray *array, double limit)
{
  int n = 0;

  for (guint i = 0; i < array->len; i++)
    n += g_array_index (array, double, i) > limit;
  return n;
}

void
ssapp_bench_fit_add (SsappBenchFit *fit, double x, double y)
{
  g_return_if_fail (fit != NULL);
  fit->n++;
  fit->x += x;
  fit->y += y;
  fit->xx += x * x;
  fit->xy += x * y;
}

double
ssapp_bench_fit_slope (const SsappBenchFit *fit)
{
  g_return_val_if_fail (fit != NULL, (double)NAN);
  return fit->n < 2 ? NAN : (fit->n * fit->xy - fit->x * fit->y) / (fit->n * fit->xx - fit->x * fit->x);
}
