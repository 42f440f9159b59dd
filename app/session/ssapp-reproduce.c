/* app/session/ssapp-reproduce.c: comparing a repeated run with the stored one; see the header. */
#include "app/session/ssapp-reproduce.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-metric.h"
#include "app/job/ssapp-asked.h"
#include "app/job/ssapp-keep.h"

#include <math.h>
#include <string.h>

/* ---- records ----------------------------------------------------------------------------------------------------- */

static void
clear_motion (gpointer motion)
{
  g_free (((SsappReproduceMotion *)motion)->name);
  ss_trajectory_free (((SsappReproduceMotion *)motion)->trajectory);
}

static SsappReproduceRecord *
new_record (void)
{
  SsappReproduceRecord *record = g_new0 (SsappReproduceRecord, 1);

  record->motions = g_array_new (FALSE, TRUE, sizeof (SsappReproduceMotion));
  g_array_set_clear_func (record->motions, clear_motion);
  record->samples = g_array_new (FALSE, FALSE, sizeof (double));
  return record;
}

void
ssapp_reproduce_record_free (SsappReproduceRecord *record)
{
  if (record == NULL)
    return;
  json_decref (record->result);
  g_array_unref (record->motions);
  g_array_unref (record->samples);
  g_strfreev (record->sample_columns);
  g_free (record);
}

/* Taken; NULL: nothing. */
static void
take_motion (SsappReproduceRecord *record, const char *role, int branch, SsTrajectory *trajectory)
{
  SsappReproduceMotion motion = {.trajectory = trajectory};

  if (trajectory == NULL)
    return;
  motion.name = strcmp (role, "answer") == 0 ? g_strdup ("") : g_strdup_printf ("%s %d", role, branch);
  g_array_append_val (record->motions, motion);
}

static gboolean
is_on_the_way (const char *role)
{
  return strcmp (role, "latest") == 0 || strcmp (role, "iterate") == 0 || strcmp (role, SSAPP_ROLE_GIVEN) == 0 ||
         strcmp (role, SSAPP_ROLE_THINNED) == 0;
}

static void
read_motions (SsappReproduceRecord *record, SsappStore *store, const char *id, GError **error)
{
  g_autoptr (GArray) motions = ssapp_store_list_motions (store, id, error);

  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; motions != NULL && *error == NULL && i < motions->len; i++) {
      const SsappMotionKey *key = &g_array_index (motions, SsappMotionRow, i).key;
      const gboolean is_answer = strcmp (key->role, "answer") == 0;
      if (!is_on_the_way (key->role) && is_answer == (pass == 0))
        take_motion (record, key->role, key->branch, ssapp_store_get_motion (store, id, key, error));
    }
}

SsappReproduceRecord *
ssapp_reproduce_record_stored (SsappStore *store, const char *id, GError **error)
{
  SsappReproduceRecord *record = new_record ();
  GError *local = NULL;
  g_autofree char *text = ssapp_store_get_result_json (store, id, &local);
  SsappSamples *samples = NULL;

  record->result = text != NULL ? json_loads (text, 0, NULL) : NULL;
  if (local == NULL)
    read_motions (record, store, id, &local);
  if (local == NULL)
    samples = ssapp_store_get_samples (store, id, "velocities", &local);
  if (samples != NULL) {
    record->sample_columns = g_strdupv (samples->columns);
    g_array_append_vals (record->samples, samples->values, (guint)samples->n * g_strv_length (samples->columns));
  }
  ssapp_samples_free (samples);
  if (local == NULL)
    return record;
  g_propagate_error (error, local);
  ssapp_reproduce_record_free (record);
  return NULL;
}

SsappReproduceRecord *
ssapp_reproduce_record_new (json_t *result, SsTrajectory *motion)
{
  SsappReproduceRecord *record = new_record ();

  record->result = result;
  take_motion (record, "answer", 0, motion);
  return record;
}

static SsTrajectory *
copy_of (const SsTrajectory *trajectory)
{
  SsTrajectory *copy = NULL;

  return trajectory != NULL && ss_trajectory_copy (trajectory, &copy, NULL) == SS_OK ? copy : NULL;
}

/* The local solution that this start led to, in the place of the answer. */
static void
take_solution (SsappReproduceRecord *record, SsappJob *job, const char *start)
{
  json_t *solutions = json_incref (json_object_get (record->result, "solutions")), *solution, *found = NULL;
  int n_motions, branch = 0;
  const SsRunMotion *motions = ssapp_job_get_motions (job, &n_motions);
  size_t i;

  json_array_foreach (solutions, i, solution)
  {
    if (found == NULL && g_strcmp0 (ssapp_json_get_string (solution, "start"), start) == 0) {
      found = solution;
      branch = (int)i + 1;
    }
  }
  json_decref (record->result);
  record->result = json_incref (found);
  json_decref (solutions);
  for (int m = 0; found != NULL && m < n_motions; m++)
    if (motions[m].role == SS_MOTION_SOLUTION && motions[m].branch == branch)
      take_motion (record, "answer", 0, copy_of (motions[m].trajectory));
}

SsappReproduceRecord *
ssapp_reproduce_record_job (SsappJob *job, const char *solution)
{
  SsappReproduceRecord *record = new_record ();
  const char *text = ssapp_job_get_result_json (job);
  const SsSamples *samples = ssapp_job_get_samples (job);
  int n_motions;
  const SsRunMotion *motions = ssapp_job_get_motions (job, &n_motions);

  record->result = text != NULL ? json_loads (text, 0, NULL) : NULL;
  if (solution != NULL) {
    take_solution (record, job, solution);
    return record;
  }
  take_motion (record, "answer", 0, copy_of (ssapp_job_get_trajectory (job)));
  for (int m = 0; m < n_motions; m++)
    if (motions[m].role != SS_MOTION_SOLUTION && motions[m].role != SS_MOTION_ANSWER)
      take_motion (record, ss_motion_role_name (motions[m].role), motions[m].branch, copy_of (motions[m].trajectory));
  if (samples != NULL) {
    record->sample_columns = g_new0 (char *, samples->n_columns + 1);
    for (int c = 0; c < samples->n_columns; c++)
      record->sample_columns[c] = g_strdup (samples->columns[c]);
    for (gsize k = 0; k < (gsize)samples->n_rows * (gsize)samples->n_columns; k++) {
      const double value = (double)(float)samples->values[k]; /* as the project keeps them */
      g_array_append_val (record->samples, value);
    }
  }
  return record;
}

/* ---- comparing --------------------------------------------------------------------------------------------------- */

static void
clear_channel (gpointer channel)
{
  SsappReproduceChannel *self = channel;

  g_free (self->motion);
  g_free (self->name);
  g_free (self->unit);
}

static void
frame_free (SsappReproduceFrame *frame)
{
  if (frame == NULL)
    return;
  g_free (frame->motion);
  g_free (frame->channel);
  g_free (frame->unit);
  g_free (frame);
}

void
ssapp_reproduced_free (SsappReproduced *self)
{
  if (self == NULL)
    return;
  frame_free (self->first);
  g_array_unref (self->channels);
  g_ptr_array_unref (self->differences);
  g_free (self);
}

static void
differ (SsappReproduced *self, char *sentence)
{
  g_ptr_array_add (self->differences, sentence);
  self->verdict = SSAPP_REPRODUCE_DIFFERS;
}

/* NaN is NaN, whatever its bits; 0 and -0 are two numbers, since what follows may tell them apart. */
static gboolean
is_same (double a, double b)
{
  return (isnan (a) && isnan (b)) || memcmp (&a, &b, sizeof a) == 0;
}

/* Rows of the same columns, whoever has them. */
typedef struct {
  const char *motion;
  int n_rows, n_columns, time; /* time: column of it, -1: none */
  const double *was, *is;
} Table;

typedef struct {
  double largest, t;
  int first, first_beyond; /* rows; -1: none */
} Difference;

/* How far column c is off; `bound`: what is within the tolerance. */
static Difference
compare_column (const Table *table, int c, double bound)
{
  Difference d = {0, NAN, -1, -1};

  for (int r = 0; r < table->n_rows; r++) {
    const size_t k = (size_t)r * (size_t)table->n_columns + (size_t)c;
    const double was = table->was[k], is = table->is[k];
    if (is_same (was, is))
      continue;
    const double off = was == is ? 0 : fabs (was - is); /* NaN where one is none; inf - inf is not reached */
    if (d.first < 0 || (!isnan (d.largest) && !(off <= d.largest))) {
      d.largest = off;
      d.t = table->time >= 0 ? table->was[(size_t)r * (size_t)table->n_columns + (size_t)table->time] : NAN;
    }
    if (d.first < 0)
      d.first = r;
    if (d.first_beyond < 0 && !(off <= bound))
      d.first_beyond = r;
  }
  return d;
}

static double
bound_of (const Table *table, int c, double tolerance)
{
  double largest = 1;

  for (int r = 0; r < table->n_rows; r++) {
    const double value = fabs (table->was[(size_t)r * (size_t)table->n_columns + (size_t)c]);
    if (isfinite (value))
      largest = fmax (largest, value);
  }
  return tolerance * largest;
}

/* The earlier of two places is the first; in one row the channel that stands first. */
static void
note_first (SsappReproduced *self, const Table *table, const char *name, const char *unit, int c, int row,
            gboolean is_beyond)
{
  const size_t k = (size_t)row * (size_t)table->n_columns;

  if (self->first != NULL && (strcmp (self->first->motion, table->motion) != 0 || self->first->row <= row))
    return;
  frame_free (self->first);
  self->first = g_new0 (SsappReproduceFrame, 1);
  *self->first = (SsappReproduceFrame){g_strdup (table->motion),
                                       g_strdup (name),
                                       g_strdup (unit),
                                       row,
                                       table->time >= 0 ? table->was[k + (size_t)table->time] : NAN,
                                       table->was[k + (size_t)c],
                                       table->is[k + (size_t)c],
                                       is_beyond};
}

/* Where something is beyond the tolerance the first of these is what is told, else the first that differs. */
static void
compare_table (SsappReproduced *self, const Table *table, const char *(*name) (const void *, int),
               const char *(*unit) (const void *, int), const void *data)
{
  g_autofree Difference *found = g_new (Difference, table->n_columns + 1);
  gboolean has_beyond = FALSE;

  for (int c = 0; c < table->n_columns; c++) {
    found[c] = compare_column (table, c, bound_of (table, c, self->tolerance));
    has_beyond = has_beyond || found[c].first_beyond >= 0;
    if (found[c].first >= 0) {
      const SsappReproduceChannel channel = {
          g_strdup (table->motion), g_strdup (name (data, c)), g_strdup (unit (data, c)), found[c].largest, found[c].t,
          found[c].first_beyond < 0};
      g_array_append_val (self->channels, channel);
    }
  }
  if (has_beyond && self->first != NULL && !self->first->is_beyond)
    g_clear_pointer (&self->first, frame_free); /* what another motion has within the tolerance */
  for (int c = 0; c < table->n_columns; c++) {
    const int row = has_beyond ? found[c].first_beyond : found[c].first;
    if (row >= 0)
      note_first (self, table, name (data, c), unit (data, c), c, row, has_beyond);
  }
  if (has_beyond)
    self->verdict = SSAPP_REPRODUCE_DIFFERS;
  else if (self->first != NULL && self->verdict == SSAPP_REPRODUCE_EQUAL)
    self->verdict = SSAPP_REPRODUCE_WITHIN;
  self->n_values += (gint64)table->n_rows * table->n_columns;
}

static const char *
channel_name (const void *trajectory, int c)
{
  return ((const SsTrajectory *)trajectory)->channels[c].name;
}

static const char *
channel_unit (const void *trajectory, int c)
{
  const char *unit = ((const SsTrajectory *)trajectory)->channels[c].unit;

  return unit != NULL ? unit : "";
}

static const char *
column_name (const void *columns, int c)
{
  return ((char *const *)columns)[c];
}

static const char *
column_unit (const void *columns, int c)
{
  (void)columns;
  (void)c;
  return "";
}

static const char *
words_of (const char *motion)
{
  return motion[0] != '\0' ? motion : "motion";
}

/* As many rows as both have. */
static void
compare_motions (SsappReproduced *self, const char *name, const SsTrajectory *was, const SsTrajectory *is)
{
  gboolean has_same_channels = was->n_channels == is->n_channels;
  const Table table = {name, MIN (was->n_rows, is->n_rows), was->n_channels, 0, was->values, is->values};

  for (int c = 0; has_same_channels && c < was->n_channels; c++)
    has_same_channels = strcmp (was->channels[c].name, is->channels[c].name) == 0;
  if (!has_same_channels) {
    differ (self, g_strdup_printf ("The %s has other channels: %d stored, %d repeated", words_of (name),
                                   was->n_channels, is->n_channels));
    return;
  }
  compare_table (self, &table, channel_name, channel_unit, was);
  if (was->n_rows != is->n_rows) {
    const SsTrajectory *longer = was->n_rows > is->n_rows ? was : is;
    differ (self, g_strdup_printf ("The %s has %d frames and repeated %d: only the %s one has a frame at t = %.9g s",
                                   words_of (name), was->n_rows, is->n_rows, longer == was ? "stored" : "repeated",
                                   ss_trajectory_row (longer, table.n_rows)[0]));
  }
}

static const SsTrajectory *
find_motion (const SsappReproduceRecord *record, const char *name)
{
  for (guint i = 0; i < record->motions->len; i++) {
    const SsappReproduceMotion *motion = &g_array_index (record->motions, SsappReproduceMotion, i);
    if (strcmp (motion->name, name) == 0)
      return motion->trajectory;
  }
  return NULL;
}

/* Then it had a motion. */
static gboolean
is_success (const json_t *result)
{
  const char *name = ssapp_json_get_string (result, "outcome");
  SsOutcome outcome;

  return name != NULL && ss_outcome_from_name (name, &outcome) && ss_outcome_is_success (outcome);
}

static void
compare_all_motions (SsappReproduced *self, const SsappReproduceRecord *stored, const SsappReproduceRecord *repeated)
{
  for (guint i = 0; i < stored->motions->len; i++) {
    const SsappReproduceMotion *motion = &g_array_index (stored->motions, SsappReproduceMotion, i);
    const SsTrajectory *other = find_motion (repeated, motion->name);
    if (other != NULL)
      compare_motions (self, motion->name, motion->trajectory, other);
    else
      differ (self, g_strdup_printf ("The repeated run has no %s", words_of (motion->name)));
  }
  if (stored->motions->len == 0 && repeated->motions->len > 0 && is_success (stored->result)) {
    g_ptr_array_add (self->differences,
                     g_strdup ("The project keeps no motion of the run: metrics alone were compared"));
    return;
  }
  for (guint i = 0; i < repeated->motions->len; i++) {
    const char *name = g_array_index (repeated->motions, SsappReproduceMotion, i).name;
    if (find_motion (stored, name) == NULL)
      differ (self, g_strdup_printf ("The stored run has no %s", words_of (name)));
  }
}

static void
compare_samples (SsappReproduced *self, const SsappReproduceRecord *stored, const SsappReproduceRecord *repeated)
{
  const guint n_columns = stored->sample_columns != NULL ? g_strv_length (stored->sample_columns) : 0;

  if (stored->sample_columns == NULL && repeated->sample_columns == NULL)
    return;
  if (stored->sample_columns == NULL || repeated->sample_columns == NULL || n_columns == 0 ||
      !g_strv_equal ((const char *const *)stored->sample_columns, (const char *const *)repeated->sample_columns) ||
      stored->samples->len != repeated->samples->len) {
    differ (self, g_strdup ("The samples have another number or other columns"));
    return;
  }
  const Table table = {"samples",
                       (int)(stored->samples->len / n_columns),
                       (int)n_columns,
                       -1,
                       (const double *)(const void *)stored->samples->data,
                       (const double *)(const void *)repeated->samples->data};
  compare_table (self, &table, column_name, column_unit, stored->sample_columns);
}

/* Wall and processor times, and what the machine has: another run of the same has others. */
static gboolean
is_of_the_machine (SsMetric metric)
{
  return metric == SS_METRIC_THREADS || metric == SS_METRIC_SETUP_REUSED || metric == SS_METRIC_MACHINE_LOAD ||
         strstr (ss_metric_spec (metric)->name, "seconds") != NULL;
}

static void
tell_number (SsappReproduced *self, const char *title, double was, double is, gboolean is_real)
{
  char before[40], after[40];

  ss_format_double (was, before, sizeof before);
  ss_format_double (is, after, sizeof after);
  g_ptr_array_add (self->differences, g_strdup_printf ("%s: %s stored, %s repeated", title, before, after));
  if (is_real && fabs (was - is) <= self->tolerance * fmax (1, fabs (was)))
    self->verdict = MAX (self->verdict, SSAPP_REPRODUCE_WITHIN);
  else
    self->verdict = SSAPP_REPRODUCE_DIFFERS;
}

/* What both were asked; questions that came later are not asked again. */
static void
compare_outcomes (SsappReproduced *self, json_t *stored, json_t *repeated)
{
  json_t *was = json_object_get (stored, "outcomes"), *is = json_object_get (repeated, "outcomes"), *one;
  const char *name;

  json_object_foreach (was, name, one)
  {
    const json_t *other = json_object_get (is, name);
    const double a = ssapp_json_get_real (one, "value"), b = ssapp_json_get_real (other, "value");
    if (other != NULL && a != b && !(isnan (a) && isnan (b)))
      tell_number (self, name, a, b, TRUE);
  }
}

static void
compare_metrics (SsappReproduced *self, const json_t *stored, const json_t *repeated)
{
  SsMetricSet was, is;

  ssapp_metrics_from_json (json_object_get (stored, "metrics"), &was);
  ssapp_metrics_from_json (json_object_get (repeated, "metrics"), &is);
  for (int m = 0; m < SS_METRIC_COUNT; m++) {
    const SsMetric metric = (SsMetric)m;
    const double a = ss_metric_get (&was, metric), b = ss_metric_get (&is, metric);
    const gboolean is_real = ss_metric_spec (metric)->type == SS_METRIC_TYPE_REAL;
    if (is_of_the_machine (metric) || (a == b && was.is_set[m] == is.is_set[m]) || (isnan (a) && isnan (b)))
      continue;
    g_autofree char *title = ssapp_metric_title (metric);
    tell_number (self, title, a, b, is_real);
  }
}

SsappReproduced *
ssapp_reproduce_compare (const SsappReproduceRecord *stored, const SsappReproduceRecord *repeated, double tolerance)
{
  g_return_val_if_fail (stored != NULL, NULL);
  SsappReproduced *self = g_new0 (SsappReproduced, 1);
  const char *was = ssapp_json_get_string (stored->result, "outcome"),
             *is = ssapp_json_get_string (repeated->result, "outcome");

  self->tolerance = tolerance;
  self->channels = g_array_new (FALSE, TRUE, sizeof (SsappReproduceChannel));
  g_array_set_clear_func (self->channels, clear_channel);
  self->differences = g_ptr_array_new_with_free_func (g_free);
  compare_all_motions (self, stored, repeated);
  compare_samples (self, stored, repeated);
  if (g_strcmp0 (was, is) != 0)
    differ (self,
            g_strdup_printf ("Outcome: %s stored, %s repeated", was != NULL ? was : "none", is != NULL ? is : "none"));
  compare_metrics (self, stored->result, repeated->result);
  compare_outcomes (self, stored->result, repeated->result);
  return self;
}

/* ---- telling ----------------------------------------------------------------------------------------------------- */

/* "equal", "within tolerance", "differs". */
static const char *
verdict_name (SsappReproduceVerdict verdict)
{
  static const char *const names[] = {"equal", "within tolerance", "differs"};

  return names[verdict];
}

/* " m/s"; "" for none. */
static char *
after_number (const char *unit)
{
  return unit[0] != '\0' ? g_strdup_printf (" %s", unit) : g_strdup ("");
}

static void
add_first (GString *text, const SsappReproduceFrame *first)
{
  g_autofree char *unit = after_number (first->unit);
  char was[40], is[40];

  ss_format_double (first->was, was, sizeof was);
  ss_format_double (first->is, is, sizeof is);
  g_string_append_printf (text, "First difference: frame %d", first->row);
  if (isfinite (first->t))
    g_string_append_printf (text, " at t = %.9g s", first->t);
  g_string_append_printf (text, "%s%s, channel %s: %s%s stored, %s%s repeated\n",
                          first->motion[0] != '\0' ? " of " : "", first->motion, first->channel, was, unit, is, unit);
}

static void
add_channels (GString *text, const SsappReproduced *self)
{
  enum { SHOWN = 8 };

  if (self->channels->len > 0)
    g_string_append_printf (text, "Largest difference by channel:\n");
  for (guint i = 0; i < MIN (self->channels->len, SHOWN); i++) {
    const SsappReproduceChannel *c = &g_array_index (self->channels, SsappReproduceChannel, i);
    g_autofree char *unit = after_number (c->unit);
    g_string_append_printf (text, "  %s%s%s: %.3g%s", c->motion, c->motion[0] != '\0' ? " " : "", c->name, c->largest,
                            unit);
    if (isfinite (c->t))
      g_string_append_printf (text, " at t = %.6g s", c->t);
    g_string_append (text, c->is_within ? "\n" : ", beyond the tolerance\n");
  }
  if (self->channels->len > SHOWN)
    g_string_append_printf (text, "  and %u more\n", self->channels->len - SHOWN);
}

char *
ssapp_reproduced_dup_text (const SsappReproduced *self, const GPtrArray *notes)
{
  g_return_val_if_fail (self != NULL, NULL);
  GString *text = g_string_new (NULL);

  switch (self->verdict) {
  case SSAPP_REPRODUCE_EQUAL:
    if (self->n_values == 0)
      g_string_append (text, "Equal: outcome and metrics came out the same\n");
    else
      g_string_append_printf (
          text, "Equal: all %" G_GINT64_FORMAT " numbers of the run came out the same, bit by bit\n", self->n_values);
    break;
  case SSAPP_REPRODUCE_WITHIN:
    g_string_append_printf (text,
                            "Within tolerance: no number is off by more than %g of the larger of 1 and its "
                            "channel’s largest value\n",
                            self->tolerance);
    break;
  case SSAPP_REPRODUCE_DIFFERS:
    g_string_append (text, "Differs: the repeated run is another one\n");
    break;
  }
  if (self->first != NULL)
    add_first (text, self->first);
  for (guint i = 0; i < self->differences->len; i++)
    g_string_append_printf (text, "%s\n", (const char *)g_ptr_array_index (self->differences, i));
  add_channels (text, self);
  for (guint i = 0; notes != NULL && i < notes->len; i++)
    g_string_append_printf (text, "Note: %s\n", (const char *)g_ptr_array_index (notes, i));
  return g_string_free (text, FALSE);
}

static json_t *
texts_to_json (const GPtrArray *texts)
{
  json_t *list = json_array ();

  for (guint i = 0; texts != NULL && i < texts->len; i++)
    json_array_append_new (list, json_string (g_ptr_array_index (texts, i)));
  return list;
}

json_t *
ssapp_reproduced_to_json (const SsappReproduced *self, const GPtrArray *notes)
{
  g_return_val_if_fail (self != NULL, NULL);
  json_t *channels = json_array (), *first = json_null ();

  for (guint i = 0; i < self->channels->len; i++) {
    const SsappReproduceChannel *c = &g_array_index (self->channels, SsappReproduceChannel, i);
    json_array_append_new (channels, json_pack ("{s:s, s:s, s:s, s:o, s:o, s:b}", "motion", c->motion, "channel",
                                                c->name, "unit", c->unit, "largest", ssapp_json_real (c->largest), "t",
                                                ssapp_json_real (c->t), "within", c->is_within));
  }
  if (self->first != NULL)
    first = json_pack ("{s:s, s:s, s:s, s:i, s:o, s:o, s:o}", "motion", self->first->motion, "channel",
                       self->first->channel, "unit", self->first->unit, "row", self->first->row, "t",
                       ssapp_json_real (self->first->t), "stored", ssapp_json_real (self->first->was), "repeated",
                       ssapp_json_real (self->first->is));
  return json_pack ("{s:s, s:f, s:I, s:o, s:o, s:o, s:o}", "verdict", verdict_name (self->verdict), "tolerance",
                    self->tolerance, "values", (json_int_t)self->n_values, "first", first, "channels", channels,
                    "differences", texts_to_json (self->differences), "notes", texts_to_json (notes));
}
