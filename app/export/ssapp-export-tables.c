/* app/export/ssapp-export-tables.c: rows of runs as CSV: trajectories, branches of fans, samples, events. RFC 4180, '.'
 * in every locale. */
#include "app/export/ssapp-export-private.h"

#include "app/draw/ssapp-run-events.h"

#include <math.h>

/* Bytes of lines that are made before they are written. */
#define PART_SIZE (1 << 16)

/* A table under way: lines are written as they are made, so that the text of many rows is never in memory. */
typedef struct {
  const char *const *columns;
  int n_columns;
  const double *values;       /* row-major */
  int width, n_rows;          /* numbers a row */
  const SsTrajectory *motion; /* whose rows they are; NULL: of none */
  int row;                    /* the next one; -1: the names */
} Table;

static gboolean
next_lines (GString *out, gpointer data)
{
  Table *table = data;

  for (int c = 0; c < table->n_columns && table->row < 0; c++) {
    ssapp_csv_append_text (out, table->columns[c]);
    g_string_append_c (out, c + 1 < table->n_columns ? ',' : '\n');
  }
  for (table->row = MAX (table->row, 0); table->row < table->n_rows && out->len < PART_SIZE; table->row++)
    for (int c = 0; c < table->n_columns; c++) {
      ssapp_csv_append_number (out, table->values[(gsize)table->row * (gsize)table->width + (gsize)c]);
      g_string_append_c (out, c + 1 < table->n_columns ? ',' : '\n');
    }
  if (table->motion != NULL)
    ss_trajectory_pass (table->motion, table->row);
  return table->row < table->n_rows;
}

/* The first n_columns names, then n_rows lines of as many numbers; `values` is row-major, `width` numbers a row. */
static gboolean
write_table (Table table, const char *path, GError **error)
{
  table.row = -1;
  return ssapp_write_file_in_parts (path, next_lines, &table, error);
}

static gboolean
write_motion (const SsTrajectory *trajectory, const char *path, GError **error)
{
  g_autofree const char **names = g_new (const char *, trajectory->n_channels);

  for (int c = 0; c < trajectory->n_channels; c++)
    names[c] = trajectory->channels[c].name;
  return write_table ((Table){.columns = names,
                              .n_columns = trajectory->n_channels,
                              .values = trajectory->values,
                              .width = trajectory->n_channels,
                              .n_rows = trajectory->n_rows,
                              .motion = trajectory},
                      path, error);
}

/* Motions of a fan under way. */
typedef struct {
  const SsappBranchMotion *motions;
  int n, i, row; /* the next row of the i-th; -1: the names */
} Branches;

static void
append_branch_names (GString *out, const SsTrajectory *motion)
{
  for (int c = 0; c < motion->n_channels; c++) {
    ssapp_csv_append_text (out, motion->channels[c].name);
    g_string_append (out, c + 1 == motion->n_channels ? "\n" : c == 0 ? ",branch,share," : ",");
  }
}

static void
append_branch_row (GString *out, const SsappBranchMotion *branch, int row)
{
  const double *values = ss_trajectory_row (branch->motion, row);

  for (int c = 0; c < branch->motion->n_channels; c++) {
    ssapp_csv_append_number (out, values[c]);
    if (c == 0) {
      g_string_append_printf (out, ",%d,", branch->branch);
      ssapp_csv_append_number (out, branch->share);
    }
    g_string_append_c (out, c + 1 < branch->motion->n_channels ? ',' : '\n');
  }
}

static gboolean
next_branch_lines (GString *out, gpointer data)
{
  Branches *at = data;

  if (at->row < 0)
    append_branch_names (out, at->motions[0].motion);
  at->row = MAX (at->row, 0);
  for (; at->i < at->n; at->i++, at->row = 0) {
    const SsTrajectory *motion = at->motions[at->i].motion;

    for (; motion->n_channels == at->motions[0].motion->n_channels && at->row < motion->n_rows; at->row++) {
      if (out->len >= PART_SIZE)
        return TRUE;
      append_branch_row (out, &at->motions[at->i], at->row);
    }
  }
  return FALSE;
}

gboolean
ssapp_write_trajectory (const SsappTableRun *run, const char *path, GError **error)
{
  if (run->trajectory == NULL) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "run %s has no trajectory", run->id);
    return FALSE;
  }
  if (run->n_members == 0)
    return write_motion (run->trajectory, path, error);
  Branches branches = {.motions = run->members, .n = run->n_members, .row = -1};
  return ssapp_write_file_in_parts (path, next_branch_lines, &branches, error);
}

gboolean
ssapp_write_samples (const SsSamples *samples, int n_columns, const char *path, GError **error)
{
  g_return_val_if_fail (samples != NULL, FALSE);
  return write_table ((Table){.columns = (const char *const *)samples->columns,
                              .n_columns = n_columns,
                              .values = samples->values,
                              .width = samples->n_columns,
                              .n_rows = samples->n_rows},
                      path, error);
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
    ssapp_csv_append_text (out, e->contact);
    g_string_append_c (out, ',');
    if (e->point >= 0)
      g_string_append_printf (out, "%d", e->point);
    g_string_append_c (out, ',');
    ssapp_csv_append_text (out, e->joint);
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
