/* app/study/ssapp-truth.c: see ssapp-truth.h. */
#include "app/study/ssapp-truth.h"

#include "app/base/ssapp-file.h"
#include "app/base/ssapp-import.h"
#include "app/base/ssapp-json.h"

#include <math.h>
#include <string.h>

/* Slot of the only input of the formulas. */
enum { SLOT_T };

typedef struct {
  char *channel;
  SsExpr e;
} Formula;

struct SsappTruth {
  char *title;
  SsTrajectory *motion; /* NULL: formulas */
  double *row;          /* of the motion at row_t, n_channels */
  double row_t;
  GHashTable *parameters; /* name to double * */
  SsGraph *graph;         /* NULL: no memory */
  GArray *formulas;       /* of Formula */
  double *memo;           /* n_memo each */
  int *stamp, n_memo, tick;
};

static void
formula_clear (gpointer data)
{
  g_free (((Formula *)data)->channel);
}

SsappTruth *
ssapp_truth_new (const SsScenario *scenario, const char *title)
{
  SsappTruth *self = g_new0 (SsappTruth, 1);

  self->title = g_strdup (title);
  self->parameters = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (int i = 0; scenario != NULL && i < scenario->n_parameters; i++)
    g_hash_table_insert (self->parameters, g_strdup (scenario->parameters[i].name),
                         g_memdup2 (&scenario->parameters[i].value, sizeof (double)));
  self->formulas = g_array_new (FALSE, FALSE, sizeof (Formula));
  g_array_set_clear_func (self->formulas, formula_clear);
  if (ss_graph_new (&self->graph, NULL) != SS_OK)
    self->graph = NULL;
  return self;
}

SsappTruth *
ssapp_truth_new_motion (const SsTrajectory *motion, const char *title)
{
  g_return_val_if_fail (motion != NULL, NULL);
  SsappTruth *self = ssapp_truth_new (NULL, title);

  if (ss_trajectory_copy (motion, &self->motion, NULL) != SS_OK)
    g_error ("out of memory");
  self->row = g_new0 (double, self->motion->n_channels);
  self->row_t = NAN;
  return self;
}

void
ssapp_truth_free (SsappTruth *self)
{
  if (self == NULL)
    return;
  ss_trajectory_free (self->motion);
  g_free (self->row);
  g_hash_table_unref (self->parameters);
  ss_graph_free (self->graph);
  g_array_unref (self->formulas);
  g_free (self->memo);
  g_free (self->stamp);
  g_free (self->title);
  g_free (self);
}

/* ---- formulas ---------------------------------------------------------------------------------------------------- */

static SsStatus
resolve (void *data, const char *name, size_t length, int shift, SsExpr *out, SsError *err)
{
  SsappTruth *self = data;
  g_autofree char *copy = g_strndup (name, length);
  const double *value = g_hash_table_lookup (self->parameters, copy);

  if (shift == 0 && strcmp (copy, "t") == 0)
    *out = ss_graph_input (self->graph, SLOT_T);
  else if (shift == 0 && value != NULL)
    *out = ss_graph_constant (self->graph, *value);
  else
    return ss_error_set (err, SS_ERR_INVALID, "'%s' is neither t nor a parameter of the scenario", copy);
  return SS_OK;
}

gboolean
ssapp_truth_add_formula (SsappTruth *self, const char *pair, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  const char *sign = strchr (pair, '=');
  SsError err;
  Formula formula;

  if (sign == NULL || sign == pair || sign[1] == '=') {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "“%s” is not CHANNEL=FORMULA, such as box.x=t^2/2",
                 pair);
    return FALSE;
  }
  ss_error_set (&err, SS_OK, "%s", "");
  formula.channel = g_strstrip (g_strndup (pair, (gsize)(sign - pair)));
  if (self->graph == NULL || ss_expr_parse (self->graph, sign + 1, resolve, self, &formula.e, &err) != SS_OK) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s = %s, column %d: %s%s%s", formula.channel,
                 sign + 1, err.column, err.message, err.expected[0] != '\0' ? "; expected " : "", err.expected);
    g_free (formula.channel);
    return FALSE;
  }
  for (guint i = 0; i < self->formulas->len; i++)
    if (strcmp (g_array_index (self->formulas, Formula, i).channel, formula.channel) == 0) {
      g_array_remove_index (self->formulas, i);
      break;
    }
  g_array_append_val (self->formulas, formula);
  return TRUE;
}

/* Value at `t`, without sharing anything with an earlier time. */
static double
evaluate (SsappTruth *self, SsExpr e, double t)
{
  const int n = ss_graph_n_nodes (self->graph);

  if (n > self->n_memo) {
    self->memo = g_renew (double, self->memo, n);
    self->stamp = g_renew (int, self->stamp, n);
    memset (self->stamp, 0, (gsize)n * sizeof *self->stamp);
    self->n_memo = n;
    self->tick = 0;
  }
  return ss_graph_eval (self->graph, e, &t, 1, self->memo, self->stamp, ++self->tick);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static SsappTruth *
read_formulas (const SsScenario *scenario, const char *path, GError **error)
{
  g_autofree char *name = g_path_get_basename (path), *text = NULL;
  g_autoptr (SsappTruth) self = NULL;
  json_error_t wrong;
  const char *channel;
  json_t *root, *value;

  if (!ssapp_read_file (path, 0, &text, NULL, error))
    return NULL;
  root = json_loads (ssapp_import_skip_mark (text), 0, &wrong);
  const json_t *channels = json_object_get (root, "channels");
  if (!json_is_object (channels) || json_object_size (channels) == 0) {
    if (root == NULL)
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s:%d: %s", path, wrong.line, wrong.text);
    else
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                   "%s: a member \"channels\" with formulas such as {\"box.x\": \"t^2/2\"} is expected", path);
    json_decref (root);
    return NULL;
  }
  const char *title = ssapp_json_get_string (root, "title");
  self = ssapp_truth_new (scenario, title != NULL ? title : name);
  json_object_foreach ((json_t *)channels, channel, value)
  {
    g_autofree char *pair = json_is_string (value)   ? g_strdup_printf ("%s=%s", channel, json_string_value (value))
                            : json_is_number (value) ? g_strdup_printf ("%s=%.17g", channel, json_number_value (value))
                                                     : NULL;
    if (pair == NULL) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: channels.%s: a formula is expected", path, channel);
      g_clear_pointer (&self, ssapp_truth_free);
    } else if (!ssapp_truth_add_formula (self, pair, error)) {
      g_prefix_error (error, "%s: ", path);
      g_clear_pointer (&self, ssapp_truth_free);
    }
    if (self == NULL)
      break;
  }
  json_decref (root);
  return g_steal_pointer (&self);
}

SsappTruth *
ssapp_truth_read (const SsScenario *scenario, const char *path, GError **error)
{
  g_autofree char *name = g_path_get_basename (path);

  if (g_str_has_suffix (path, ".json"))
    return read_formulas (scenario, path, error);
  SsTrajectory *motion = ssapp_import_trajectory_csv (path, error);
  if (motion == NULL)
    return NULL;
  /* A table has names only; what it does not know stays unknown. */
  if (scenario != NULL && ss_scenario_describe (scenario, motion, NULL) != SS_OK)
    g_error ("out of memory");
  SsappTruth *self = ssapp_truth_new_motion (motion, name);
  ss_trajectory_free (motion);
  return self;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

const char *
ssapp_truth_get_title (const SsappTruth *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->title;
}

double
ssapp_truth_get_end (const SsappTruth *self)
{
  g_return_val_if_fail (self != NULL, (double)NAN);
  if (self->motion == NULL)
    return INFINITY;
  return self->motion->n_rows > 0 ? ss_trajectory_row (self->motion, self->motion->n_rows - 1)[0] : -INFINITY;
}

double
ssapp_truth_get (SsappTruth *self, const char *channel, double t)
{
  g_return_val_if_fail (self != NULL, (double)NAN);
  if (self->motion != NULL) {
    const int column = ss_trajectory_channel (self->motion, channel);
    if (column < 0 || self->motion->n_rows == 0)
      return NAN;
    if (!(self->row_t == t))
      ss_trajectory_sample_motion (self->motion, t, self->row);
    self->row_t = t;
    return self->row[column];
  }
  for (guint i = 0; i < self->formulas->len; i++)
    if (strcmp (g_array_index (self->formulas, Formula, i).channel, channel) == 0)
      return evaluate (self, g_array_index (self->formulas, Formula, i).e, t);
  return NAN;
}

static gboolean
has_channel (const SsappTruth *self, const char *channel)
{
  if (self->motion != NULL)
    return ss_trajectory_channel (self->motion, channel) >= 0;
  for (guint i = 0; i < self->formulas->len; i++)
    if (strcmp (g_array_index (self->formulas, Formula, i).channel, channel) == 0)
      return TRUE;
  return FALSE;
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

static const struct {
  const char *name, *words;
} kinds[SSAPP_ERROR_COUNT] = {
    {"mean", "mean error"}, {"max", "largest error"}, {"end", "error at the end"}, {"outcome", "error of the outcome"}};

gboolean
ssapp_error_kind_from_name (const char *name, SsappErrorKind *kind)
{
  g_return_val_if_fail (name != NULL && kind != NULL, FALSE);
  for (guint i = 0; i < SSAPP_ERROR_COUNT; i++)
    if (strcmp (kinds[i].name, name) == 0) {
      *kind = (SsappErrorKind)i;
      return TRUE;
    }
  return FALSE;
}

const char *
ssapp_error_kind_name (SsappErrorKind kind)
{
  return kinds[kind].name;
}

const char *
ssapp_error_kind_words (SsappErrorKind kind)
{
  return kinds[kind].words;
}

static gboolean
is_place (const SsChannel *channel)
{
  return channel->owner == SS_OWNER_BODY &&
         (channel->quantity == SS_QUANTITY_POSITION_X || channel->quantity == SS_QUANTITY_POSITION_Y ||
          channel->quantity == SS_QUANTITY_ANGLE);
}

static gboolean
moves (const SsTrajectory *motion, int channel)
{
  for (int row = 1; channel >= 0 && row < motion->n_rows; row++)
    if (ss_trajectory_row (motion, row)[channel] != ss_trajectory_row (motion, 0)[channel])
      return TRUE;
  return FALSE;
}

/* Each of the list, which both must have. */
static char **
listed_channels (SsappTruth *self, const SsTrajectory *motion, const char *list, GError **error)
{
  g_auto (GStrv) names = g_strsplit (list, ",", -1);

  for (guint i = 0; names[i] != NULL; i++) {
    const char *name = g_strstrip (names[i]);
    const gboolean here = ss_trajectory_channel (motion, name) >= 0;
    if (here && has_channel (self, name))
      continue;
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s has no channel “%s”",
                 here ? self->title : "The motion", name);
    return NULL;
  }
  return g_steal_pointer (&names);
}

char **
ssapp_truth_channels (SsappTruth *self, const SsTrajectory *motion, const char *list, GError **error)
{
  GPtrArray *names;

  if (list != NULL)
    return listed_channels (self, motion, list, error);
  if (self->motion == NULL && self->formulas->len > 0) {
    g_autoptr (GString) all = g_string_new (NULL);
    for (guint i = 0; i < self->formulas->len; i++)
      g_string_append_printf (all, "%s%s", i > 0 ? "," : "", g_array_index (self->formulas, Formula, i).channel);
    return listed_channels (self, motion, all->str, error);
  }
  names = g_ptr_array_new ();
  for (int c = 1; self->motion != NULL && c < motion->n_channels; c++) {
    const int other = ss_trajectory_channel (self->motion, motion->channels[c].name);
    if (is_place (&motion->channels[c]) && other >= 0 && (moves (motion, c) || moves (self->motion, other)))
      g_ptr_array_add (names, g_strdup (motion->channels[c].name));
  }
  g_ptr_array_add (names, NULL);
  char **channels = (char **)g_ptr_array_free (names, FALSE);
  if (channels[0] != NULL)
    return channels;
  g_strfreev (channels);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s has no place or angle of a body that moves",
               self->title);
  return NULL;
}

void
ssapp_truth_compare (SsappTruth *self, const SsTrajectory *motion, char *const *channels, const double *times, guint n,
                     SsappMotionError *out)
{
  const guint n_channels = g_strv_length ((char **)channels);
  g_autofree double *row = g_new0 (double, motion->n_channels), *least = g_new (double, n_channels + 1),
                    *most = g_new (double, n_channels + 1);
  const double end = ssapp_truth_get_end (self);
  double sum = 0, largest = 0, last = NAN;
  guint counted = 0;

  out->scale = 0;
  for (guint c = 0; c < n_channels; c++) {
    least[c] = INFINITY;
    most[c] = -INFINITY;
  }
  for (guint k = 0; k < n && motion->n_rows > 0; k++) {
    if (times[k] > end * (1 + 1e-9))
      break;
    ss_trajectory_sample_motion (motion, times[k], row);
    double off = 0;
    for (guint c = 0; c < n_channels; c++) {
      const double exact = ssapp_truth_get (self, channels[c], times[k]);
      const double d = fabs (row[ss_trajectory_channel (motion, channels[c])] - exact);
      off = isnan (d) || isnan (off) ? (double)NAN : fmax (off, d);
      least[c] = fmin (least[c], exact);
      most[c] = fmax (most[c], exact);
    }
    sum += off;
    largest = isnan (off) || isnan (largest) ? (double)NAN : fmax (largest, off);
    last = off;
    counted++;
  }
  for (guint c = 0; c < n_channels && counted > 0; c++)
    out->scale = fmax (out->scale, most[c] - least[c]);
  out->by[SSAPP_ERROR_MEAN] = counted > 0 ? sum / counted : (double)NAN;
  out->by[SSAPP_ERROR_MAX] = counted > 0 ? largest : (double)NAN;
  out->by[SSAPP_ERROR_END] = last;
  out->by[SSAPP_ERROR_OUTCOME] = NAN;
}
