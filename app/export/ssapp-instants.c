/* app/export/ssapp-instants.c: see the header. */
#include "app/export/ssapp-instants.h"

#include "app/draw/ssapp-run-events.h"
#include "core/ss-option.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS "events"
#define EVEN   "even:"

enum { EVENTS_MOST = 10 };
static const double NEAREST = 1. / 40.; /* of the motion, between two that are shown */

static int
fail (const char *text, GError **error)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               "“%s” says no instants: expected are " SSAPP_INSTANTS_TAKEN, text);
  return 0;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

static int
read_list (const char *text, double *times, GError **error)
{
  g_auto (GStrv) items = g_strsplit (text, ",", -1);
  int n = 0;

  for (int i = 0; items[i] != NULL; i++) {
    if (n == SSAPP_INSTANTS_MOST || !ss_parse_double (g_strstrip (items[i]), &times[n]) || !isfinite (times[n]))
      return fail (text, error);
    n++;
  }
  return n > 0 ? n : fail (text, error);
}

/* Begin and end of all motions; FALSE: there is none. */
static gboolean
find_span (const SsappFigureRun *runs, int n_runs, double span[2])
{
  span[0] = INFINITY;
  span[1] = -INFINITY;
  for (int r = 0; r < n_runs; r++)
    if (runs[r].trajectory != NULL && runs[r].trajectory->n_rows > 0) {
      span[0] = fmin (span[0], ss_trajectory_row (runs[r].trajectory, 0)[0]);
      span[1] = fmax (span[1], ss_trajectory_row (runs[r].trajectory, runs[r].trajectory->n_rows - 1)[0]);
    }
  return span[0] <= span[1];
}

/* In units that are told: two decimals of 2 s. The first and the last are begin and end. */
static int
spread (const double span[2], int n, double *times)
{
  const double length = span[1] - span[0], unit = length > 0 ? pow (10, floor (log10 (length)) - 2) : 1;

  for (int k = 0; k < n; k++)
    times[k] = n > 1 ? span[0] + round (length * k / (n - 1) / unit) * unit : span[1];
  times[n - 1] = span[1];
  return n;
}

/* How far it is to the nearest of `times`. */
static double
distance (double t, const double *times, int n)
{
  double least = INFINITY;

  for (int k = 0; k < n; k++)
    least = fmin (least, fabs (t - times[k]));
  return least;
}

/* Adds the event that is farthest from all that are there, as long as one is far enough. */
static int
at_events (const SsappFigureRun *runs, int n_runs, const double span[2], double *times)
{
  int n = spread (span, 2, times);
  double farthest = INFINITY;

  while (n < EVENTS_MOST && farthest > 0 && farthest >= NEAREST * (span[1] - span[0])) {
    double at = NAN;
    farthest = 0;
    for (int r = 0; r < n_runs; r++)
      for (guint e = 0; runs[r].events != NULL && e < runs[r].events->len; e++) {
        const double t = g_array_index (runs[r].events, SsappRunEvent, e).t;
        if (t > span[0] && t < span[1] && distance (t, times, n) > farthest) {
          farthest = distance (t, times, n);
          at = t;
        }
      }
    if (farthest > 0 && farthest >= NEAREST * (span[1] - span[0]))
      times[n++] = at;
  }
  qsort (times, (size_t)n, sizeof *times, compare);
  return n;
}

int
ssapp_instants_read (const char *text, const SsappFigureRun *runs, int n_runs, double times[SSAPP_INSTANTS_MOST],
                     GError **error)
{
  g_return_val_if_fail (text != NULL && times != NULL, 0);
  const gboolean is_even = g_str_has_prefix (text, EVEN), at_all = strcmp (text, EVENTS) == 0;
  double span[2], count = 0;

  if (!is_even && !at_all)
    return read_list (text, times, error);
  if (is_even && (!ss_parse_double (text + strlen (EVEN), &count) || count != floor (count) || count < 1 ||
                  count > SSAPP_INSTANTS_MOST))
    return fail (text, error);
  if (n_runs == 0)
    return 1;
  if (!find_span (runs, n_runs, span)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "no run has a motion that instants are of");
    return 0;
  }
  if (is_even)
    return spread (span, (int)count, times);
  const int n = at_events (runs, n_runs, span, times);
  if (n > 2)
    return n;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                       "nothing happens between begin and end of the motion: choose times, or even:N");
  return 0;
}
