/* app/session/ssapp-event-rows.c: see the header. */
#include "app/session/ssapp-event-rows.h"

#include "app/draw/ssapp-plot.h"

#include <math.h>

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const double x = ((const SsappEventRow *)a)->event->t, y = ((const SsappEventRow *)b)->event->t;

  return (x > y) - (x < y);
}

GArray *
ssapp_event_rows_new (GPtrArray *runs, int kind)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (SsappEventRow));

  for (guint r = 0; runs != NULL && r < runs->len; r++) {
    SsappRun *run = g_ptr_array_index (runs, r);
    GArray *events = ssapp_run_get_events (run);
    for (guint i = 0; events != NULL && i < events->len; i++) {
      const SsappEventRow row = {run, &g_array_index (events, SsappRunEvent, i)};
      if (kind < 0 || (int)row.event->kind == kind)
        g_array_append_val (rows, row);
    }
  }
  g_array_sort (rows, compare_rows); /* keeps the order of what is at one time */
  return rows;
}

char *
ssapp_event_row_time (const SsappEventRow *row)
{
  g_return_val_if_fail (row != NULL, NULL);
  return g_strdup_printf ("%.*f", row->event->is_exact ? 9 : 4, row->event->t);
}

char *
ssapp_event_row_contact (const SsappEventRow *row)
{
  g_return_val_if_fail (row != NULL, NULL);
  const SsappRunEvent *event = row->event;
  const char *subject = ssapp_run_event_subject (event);

  if (event->limit != NULL)
    return g_strdup_printf ("%s, %s", subject, event->limit);
  return event->point > 0 ? g_strdup_printf ("%s, point %d", subject, event->point) : g_strdup (subject);
}

char *
ssapp_event_row_impulse (const SsappEventRow *row)
{
  g_return_val_if_fail (row != NULL, NULL);
  return isfinite (row->event->impulse) ? ssapp_format_number (row->event->impulse, 4) : g_strdup ("–");
}

int
ssapp_event_rows_at (GArray *rows, double t)
{
  g_return_val_if_fail (rows != NULL, -1);

  const double rounding = 1e-9 * (1 + fabs (t)); /* of times written as text [s] */
  int low = 0, high = (int)rows->len;

  while (low < high) {
    const int middle = (low + high) / 2;
    if (g_array_index (rows, SsappEventRow, middle).event->t <= t + rounding)
      low = middle + 1;
    else
      high = middle;
  }
  return low - 1;
}

char *
ssapp_event_rows_to_tsv (GArray *rows, gboolean with_method)
{
  g_return_val_if_fail (rows != NULL, NULL);

  GString *out = g_string_new (with_method ? "method\t" : NULL);
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (out, "t\tkind\tcontact\timpulse\n");
  for (guint i = 0; i < rows->len; i++) {
    const SsappEventRow *row = &g_array_index (rows, SsappEventRow, i);
    g_autofree char *contact = ssapp_event_row_contact (row);
    if (with_method)
      g_string_append_printf (out, "%s\t", ssapp_run_get_label (row->run));
    g_string_append_printf (out, "%s\t%s\t%s\t", g_ascii_dtostr (digits, sizeof digits, row->event->t),
                            ss_event_kind_name (row->event->kind), contact);
    if (isfinite (row->event->impulse))
      g_string_append (out, g_ascii_dtostr (digits, sizeof digits, row->event->impulse));
    g_string_append_c (out, '\n');
  }
  return g_string_free (out, FALSE);
}

gboolean
ssapp_event_rows_fit (GPtrArray *runs)
{
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    if (ssapp_run_get_kind (g_ptr_array_index (runs, i)) != SS_METHOD_INTEGRATOR)
      return FALSE;
  return runs != NULL && runs->len > 0;
}
