/* app/export/ssapp-export-tables.c: rows of runs as CSV: trajectories, branches of fans, samples, events. RFC 4180, '.'
 * in every locale. */
#include "app/export/ssapp-export-private.h"

#include "app/draw/ssapp-run-events.h"

#include <math.h>

/* The first n_columns names, then n_rows lines of as many numbers; `values` is row-major, `width` numbers a row. */
static gboolean
write_table (const char *const *columns, int n_columns, const double *values, int width, int n_rows, const char *path,
             GError **error)
{
  GString *out = g_string_new (NULL);

  for (int c = 0; c < n_columns; c++) {
    ssapp_csv_append_text (out, columns[c]);
    g_string_append_c (out, c + 1 < n_columns ? ',' : '\n');
  }
  for (int k = 0; k < n_rows; k++)
    for (int c = 0; c < n_columns; c++) {
      ssapp_csv_append_number (out, values[(gsize)k * (gsize)width + (gsize)c]);
      g_string_append_c (out, c + 1 < n_columns ? ',' : '\n');
    }
  gboolean done = ssapp_write_file (path, out->str, (gssize)out->len, error);
  g_string_free (out, TRUE);
  return done;
}

static gboolean
write_motion (const SsTrajectory *trajectory, const char *path, GError **error)
{
  g_autofree const char **names = g_new (const char *, trajectory->n_channels);

  for (int c = 0; c < trajectory->n_channels; c++)
    names[c] = trajectory->channels[c].name;
  return write_table (names, trajectory->n_channels, trajectory->values, trajectory->n_channels, trajectory->n_rows,
                      path, error);
}

static gboolean
write_branches (const SsappBranchMotion *motions, int n, const char *path, GError **error)
{
  gboolean done;

  GString *out = g_string_new (NULL);
  for (int i = 0; i < n; i++) {
    const SsTrajectory *motion = motions[i].motion;
    for (int c = 0; i == 0 && c < motion->n_channels; c++) {
      ssapp_csv_append_text (out, motion->channels[c].name);
      g_string_append (out, c + 1 == motion->n_channels ? "\n" : c == 0 ? ",branch,share," : ",");
    }
    for (int row = 0; motion->n_channels == motions[0].motion->n_channels && row < motion->n_rows; row++) {
      const double *values = ss_trajectory_row (motion, row);
      for (int c = 0; c < motion->n_channels; c++) {
        ssapp_csv_append_number (out, values[c]);
        if (c == 0) {
          g_string_append_printf (out, ",%d,", motions[i].branch);
          ssapp_csv_append_number (out, motions[i].share);
        }
        g_string_append_c (out, c + 1 < motion->n_channels ? ',' : '\n');
      }
    }
  }
  done = ssapp_write_file (path, out->str, (gssize)out->len, error);
  g_string_free (out, TRUE);
  return done;
}

gboolean
ssapp_write_trajectory (const SsappTableRun *run, const char *path, GError **error)
{
  if (run->trajectory == NULL) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "run %s has no trajectory", run->id);
    return FALSE;
  }
  return run->n_members > 0 ? write_branches (run->members, run->n_members, path, error)
                            : write_motion (run->trajectory, path, error);
}

gboolean
ssapp_write_samples (const SsSamples *samples, int n_columns, const char *path, GError **error)
{
  return write_table ((const char *const *)samples->columns, n_columns, samples->values, samples->n_columns,
                      samples->n_rows, path, error);
}

gboolean
ssapp_write_events (const SsappTableRun *run, const char *path, GError **error)
{
  const GArray *events = run->events;
  gboolean has_tau = FALSE, has_condition = FALSE;

  GString *out = g_string_new ("t,kind,contact,point,joint,limit,impulse");

  for (guint i = 0; i < events->len; i++) {
    has_tau = has_tau || isfinite (g_array_index (events, SsappRunEvent, i).tau);
    has_condition = has_condition || isfinite (g_array_index (events, SsappRunEvent, i).condition);
  }
  g_string_append_printf (out, "%s%s\n", has_tau ? ",tau" : "", has_condition ? ",condition" : "");
  for (guint i = 0; i < events->len; i++) {
    const SsappRunEvent *e = &g_array_index (events, SsappRunEvent, i);
    ssapp_csv_append_number (out, e->t);
    g_string_append_printf (out, ",%s,", ss_event_kind_name (e->kind));
    ssapp_csv_append_text (out, e->limit == NULL ? e->subject : NULL);
    g_string_append_c (out, ',');
    if (e->point >= 0)
      g_string_append_printf (out, "%d", e->point);
    g_string_append_c (out, ',');
    ssapp_csv_append_text (out, e->limit != NULL ? e->subject : NULL);
    g_string_append_c (out, ',');
    ssapp_csv_append_text (out, e->limit);
    g_string_append_c (out, ',');
    ssapp_csv_append_number (out, e->impulse);
    if (has_tau) {
      g_string_append_c (out, ',');
      ssapp_csv_append_number (out, e->tau);
    }
    if (has_condition) {
      g_string_append_c (out, ',');
      ssapp_csv_append_number (out, e->condition);
    }
    g_string_append_c (out, '\n');
  }
  gboolean done = ssapp_write_file (path, out->str, (gssize)out->len, error);
  g_string_free (out, TRUE);
  return done;
}
