/* app/session/ssapp-run-list-groups.c: runs of a study as a line that unfolds; see ssapp-run-list.h. */
#include "app/session/ssapp-run-list-private.h"

#include <math.h>
#include <string.h>

static void
group_free (gpointer data)
{
  SsappRunListGroup *group = data;

  g_free (group->id);
  g_free (group->title);
  g_array_unref (group->rows);
  g_hash_table_unref (group->texts);
  g_free (group);
}

static SsappRunListGroup *
group_at (SsappRunList *self, guint group)
{
  return g_ptr_array_index (self->groups, group - 1);
}

static guint
add_group (SsappRunList *self, const SsappRunStudy *study)
{
  SsappRunListGroup *group = g_new (SsappRunListGroup, 1);

  *group =
      (SsappRunListGroup){g_strdup (study->id), g_strdup (study->title), g_array_new (FALSE, FALSE, sizeof (guint)),
                          g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free)};
  g_ptr_array_add (self->groups, group);
  return self->groups->len;
}

/* Which group each row is of; once. */
static void
find_groups (SsappRunList *self)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal); /* study id to group */

  if (self->groups != NULL)
    return;
  self->groups = g_ptr_array_new_with_free_func (group_free);
  self->group_of = g_new0 (guint, MAX (self->n, 1));
  for (guint i = 0; self->studies != NULL && i < self->n; i++) {
    const SsappRunStudy *study = g_hash_table_lookup (self->studies, ssapp_run_list_get_row (self, i)->id);
    if (study == NULL)
      continue;
    guint group = GPOINTER_TO_UINT (g_hash_table_lookup (known, study->id));
    if (group == 0) {
      group = add_group (self, study);
      g_hash_table_insert (known, study->id, GUINT_TO_POINTER (group));
    }
    self->group_of[i] = group;
  }
}

static void
gather_rows (SsappRunList *self)
{
  for (guint g = 1; g <= self->groups->len; g++) {
    g_array_set_size (group_at (self, g)->rows, 0);
    g_hash_table_remove_all (group_at (self, g)->texts);
  }
  for (guint p = 0; p < self->n_shown; p++)
    if (self->group_of[self->shown[p]] > 0)
      g_array_append_val (group_at (self, self->group_of[self->shown[p]])->rows, self->shown[p]);
}

static void
append_line (SsappRunList *self, guint row, guint group)
{
  const SsappRunLine line = {row, group};

  g_array_append_val (self->lines, line);
}

static void
append_group (SsappRunList *self, guint group)
{
  const GArray *rows = group_at (self, group)->rows;

  append_line (self, SSAPP_RUN_LIST_HEAD, group);
  for (guint i = 0; ssapp_run_list_is_open (self, group) && i < rows->len; i++)
    append_line (self, g_array_index (rows, guint, i), group);
}

/* A group stands where the first of its rows is in the order. */
static void
arrange (SsappRunList *self)
{
  if (self->lines != NULL)
    return;
  self->lines = g_array_new (FALSE, FALSE, sizeof (SsappRunLine));
  find_groups (self);
  gather_rows (self);
  for (guint p = 0; p < self->n_shown; p++) {
    const guint row = self->shown[p], group = self->group_of[row];
    if (group == 0)
      append_line (self, row, 0);
    else if (g_array_index (group_at (self, group)->rows, guint, 0) == row)
      append_group (self, group);
  }
}

void
ssapp_run_list_group (SsappRunList *self, GHashTable *open)
{
  g_return_if_fail (self != NULL);
  if (open != NULL)
    g_hash_table_ref (open);
  g_clear_pointer (&self->open, g_hash_table_unref);
  self->open = open;
  g_clear_pointer (&self->lines, g_array_unref);
}

guint
ssapp_run_list_get_n_lines (SsappRunList *self)
{
  g_return_val_if_fail (self != NULL, 0);
  if (self->open == NULL)
    return self->n_shown;
  arrange (self);
  return self->lines->len;
}

SsappRunLine
ssapp_run_list_get_line (SsappRunList *self, guint position)
{
  const SsappRunLine none = {SSAPP_RUN_LIST_HEAD, 0};

  g_return_val_if_fail (position < ssapp_run_list_get_n_lines (self), none);
  return self->open == NULL ? (SsappRunLine){self->shown[position], 0}
                            : g_array_index (self->lines, SsappRunLine, position);
}

const char *
ssapp_run_list_get_group_id (SsappRunList *self, guint group)
{
  g_return_val_if_fail (self->groups != NULL && group > 0 && group <= self->groups->len, "");
  return group_at (self, group)->id;
}

const char *
ssapp_run_list_get_group_title (SsappRunList *self, guint group)
{
  g_return_val_if_fail (self->groups != NULL && group > 0 && group <= self->groups->len, "");
  return group_at (self, group)->title;
}

gboolean
ssapp_run_list_is_open (SsappRunList *self, guint group)
{
  return self->open != NULL && g_hash_table_contains (self->open, ssapp_run_list_get_group_id (self, group));
}

GArray *
ssapp_run_list_get_group_rows (SsappRunList *self, guint group)
{
  arrange (self);
  g_return_val_if_fail (group > 0 && group <= self->groups->len, NULL);
  return group_at (self, group)->rows;
}

/* ---- what a group says ------------------------------------------------------------------------------------------- */

/* "130 solved, 5 not"; of simulations "completed". */
static char *
outcomes_text (SsappRunList *self, const GArray *rows)
{
  const char *done = "completed";
  guint n_solved = 0;

  for (guint i = 0; i < rows->len; i++) {
    const SsappRunRow *row = ssapp_run_list_get_row (self, g_array_index (rows, guint, i));
    SsOutcome outcome;
    n_solved += ss_outcome_from_name (row->outcome, &outcome) && ss_outcome_is_success (outcome);
    if (ssapp_run_row_get_method (row).kind != SS_METHOD_INTEGRATOR)
      done = "solved";
  }
  return n_solved == rows->len ? g_strdup_printf ("%u %s", n_solved, done)
                               : g_strdup_printf ("%u %s, %u not", n_solved, done, rows->len - n_solved);
}

/* "0.5 to 1.5"; "" where a row has none. */
static char *
range_text (SsappRunList *self, const GArray *rows, const SsappRunColumn *column)
{
  guint least = G_MAXUINT, most = 0;
  double low = INFINITY, high = -INFINITY;

  for (guint i = 0; i < rows->len; i++) {
    const guint row = g_array_index (rows, guint, i);
    const double value = ssapp_run_list_get_number (self, row, column);
    if (value < low || (value == low && least == G_MAXUINT)) {
      low = value;
      least = row;
    }
    if (value > high) {
      high = value;
      most = row;
    }
  }
  if (least == G_MAXUINT)
    return g_strdup ("");
  g_autofree char *from = ssapp_run_list_dup_text (self, least, column),
                  *to = ssapp_run_list_dup_text (self, most, column);
  return strcmp (from, to) == 0 ? g_steal_pointer (&from) : g_strdup_printf ("%s to %s", from, to);
}

/* What all rows say; "" where they differ. */
static char *
common_text (SsappRunList *self, const GArray *rows, const SsappRunColumn *column)
{
  const SsappRunListTexts *texts = ssapp_run_list_texts (self, column);
  const guint first = g_array_index (rows, guint, 0);

  for (guint i = 1; i < rows->len; i++)
    if (texts->of_row[g_array_index (rows, guint, i)] != texts->of_row[first])
      return g_strdup ("");
  return ssapp_run_list_dup_text (self, first, column);
}

const char *
ssapp_run_list_get_group_text (SsappRunList *self, guint group, const SsappRunColumn *column)
{
  const GArray *rows = ssapp_run_list_get_group_rows (self, group);
  g_return_val_if_fail (rows != NULL && rows->len > 0, "");
  GHashTable *known = group_at (self, group)->texts;
  g_autofree char *key = g_strdup_printf ("%d %d %u", (int)column->kind, (int)column->metric, column->field);
  const char *text = g_hash_table_lookup (known, key);

  if (text != NULL)
    return text;
  char *made = column->kind == SSAPP_RUN_COLUMN_OUTCOME  ? outcomes_text (self, rows)
               : ssapp_run_list_is_number (self, column) ? range_text (self, rows, column)
                                                         : common_text (self, rows, column);
  g_hash_table_insert (known, g_steal_pointer (&key), made);
  return made;
}
