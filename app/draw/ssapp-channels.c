/* app/draw/ssapp-channels.c: see the header. */
#include "app/draw/ssapp-channels.h"

#include "app/draw/ssapp-run-plots.h"
#include "core/ss-stage-rows.h"

#include <math.h>
#include <string.h>

/* ---- the list ---------------------------------------------------------------------------------------------------- */

static void
channel_free (SsappChannel *channel)
{
  g_free (channel->name);
  g_free (channel->label);
  g_free (channel->unit);
  g_free (channel->group);
  g_free (channel);
}

static char *
group_of (const SsChannel *channel)
{
  static const char *const owners[SS_OWNER_COUNT] = {"", "Body", "Contact", "Joint", "Actuator"};

  if (channel->owner != SS_OWNER_SCENE)
    return g_strdup_printf ("%s %s", owners[channel->owner], channel->owner_name);
  switch (channel->quantity) {
  case SS_QUANTITY_KINETIC_ENERGY:
  case SS_QUANTITY_POTENTIAL_ENERGY:
  case SS_QUANTITY_DISSIPATED_ENERGY:
    return g_strdup ("Energy");
  case SS_QUANTITY_MOMENTUM_X:
  case SS_QUANTITY_MOMENTUM_Y:
  case SS_QUANTITY_ANGULAR_MOMENTUM:
    return g_strdup ("Momentum");
  case SS_QUANTITY_RESIDUAL:
    return g_strdup ("Residual");
  case SS_QUANTITY_TIME:
  case SS_QUANTITY_NUMERICAL_TIME:
  case SS_QUANTITY_IMPULSE_TIME:
    return g_strdup ("Clock");
  default:
    return g_strdup ("Variables");
  }
}

/* Channels by their groups: a scene of a thousand bodies has tens of thousands. */
typedef struct {
  GPtrArray *groups;   /* of GPtrArray of SsappChannel, borrowed, in the order in which they begin */
  GHashTable *by_name; /* group -> its array */
} Groups;

static GPtrArray *
group_named (Groups *groups, const char *name)
{
  GPtrArray *found = g_hash_table_lookup (groups->by_name, name);

  if (found == NULL) {
    found = g_ptr_array_new ();
    g_ptr_array_add (groups->groups, found);
    g_hash_table_insert (groups->by_name, g_strdup (name), found);
  }
  return found;
}

static gboolean
has_label (GPtrArray *group, const char *label)
{
  for (guint i = 0; i < group->len; i++)
    if (strcmp (((SsappChannel *)g_ptr_array_index (group, i))->label, label) == 0)
      return TRUE;
  return FALSE;
}

static void
add_channel (Groups *groups, const SsChannel *channel)
{
  SsappChannel *out = g_new0 (SsappChannel, 1);
  const char *label = ss_quantity_label (channel->quantity);

  out->name = g_strdup (channel->name);
  out->unit = g_strdup (channel->unit);
  out->group = group_of (channel);
  GPtrArray *group = group_named (groups, out->group);
  if (*label == '\0')
    out->label = g_strdup (channel->name);
  else if (has_label (group, label)) /* stages of one quantity, say */
    out->label = g_strdup_printf ("%s, %s", label, channel->name);
  else
    out->label = g_strdup (label);
  g_ptr_array_add (group, out);
}

static gboolean
find_energies (const SsTrajectory *motion, int *kinetic, int *potential)
{
  *kinetic = ss_trajectory_quantity (motion, SS_QUANTITY_KINETIC_ENERGY);
  *potential = ss_trajectory_quantity (motion, SS_QUANTITY_POTENTIAL_ENERGY);
  return *kinetic >= 0 && *potential >= 0;
}

GPtrArray *
ssapp_channels_list (const SsappChannelRun *runs, int n_runs)
{
  g_return_val_if_fail ((runs != NULL || n_runs == 0) && n_runs >= 0, NULL);

  GPtrArray *channels = g_ptr_array_new_with_free_func ((GDestroyNotify)channel_free);
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal); /* of the runs so far */
  Groups groups = {g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref),
                   g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL)};
  gboolean has_total = FALSE;

  for (int i = 0; i < n_runs; i++) {
    const SsTrajectory *motion = runs[i].motion;
    int kinetic, potential;
    if (motion == NULL)
      continue;
    for (int c = 1; c < motion->n_channels; c++)
      if (!g_hash_table_contains (names, motion->channels[c].name))
        add_channel (&groups, &motion->channels[c]);
    for (int c = 0; c < motion->n_channels; c++)
      g_hash_table_add (names, (gpointer)motion->channels[c].name);
    if (!has_total && find_energies (motion, &kinetic, &potential)) {
      SsappChannel *total = g_new0 (SsappChannel, 1);
      *total = (SsappChannel){g_strdup (SSAPP_CHANNEL_TOTAL_ENERGY), g_strdup ("Total energy"), g_strdup ("J"),
                              g_strdup ("Energy")};
      g_ptr_array_add (group_named (&groups, total->group), total);
      has_total = TRUE;
    }
  }
  for (guint i = 0; i < groups.groups->len; i++) {
    GPtrArray *group = g_ptr_array_index (groups.groups, i);
    for (guint k = 0; k < group->len; k++)
      g_ptr_array_add (channels, g_ptr_array_index (group, k));
  }
  g_ptr_array_unref (groups.groups);
  g_hash_table_unref (groups.by_name);
  return channels;
}

const SsappChannel *
ssapp_channels_find (GPtrArray *channels, const char *name)
{
  g_return_val_if_fail (channels != NULL, NULL);
  for (guint i = 0; i < channels->len; i++) {
    const SsappChannel *channel = g_ptr_array_index (channels, i);
    if (strcmp (channel->name, name) == 0)
      return channel;
  }
  return NULL;
}

gboolean
ssapp_channel_matches (const SsappChannel *channel, const char *search)
{
  g_return_val_if_fail (channel != NULL, FALSE);
  g_autofree char *all =
      g_strconcat (channel->group, " ", channel->label, " ", channel->name, " ", channel->unit, NULL);
  g_autofree char *text = g_utf8_casefold (all, -1), *wanted = g_utf8_casefold (search, -1);
  g_auto (GStrv) words = g_strsplit_set (wanted, " \t", -1);

  for (int i = 0; words[i] != NULL; i++)
    if (strstr (text, words[i]) == NULL)
      return FALSE;
  return TRUE;
}

char *
ssapp_channel_of (const SsappChannel *channel)
{
  g_return_val_if_fail (channel != NULL, NULL);
  const char *space = strchr (channel->group, ' '), *owner = space != NULL ? space + 1 : "";
  const gboolean has_both = *owner != '\0' && *channel->unit != '\0';

  return g_strconcat (owner, has_both ? ", " : "", channel->unit, NULL);
}

/* ---- curves ------------------------------------------------------------------------------------------------------ */

static void
curve_alloc (SsappCurve *curve, int n)
{
  curve->n = 0;
  curve->t = g_new (double, n + 1);
  curve->y = g_new (double, n + 1);
}

static void
put (SsappCurve *curve, double t, double y)
{
  curve->t[curve->n] = t;
  curve->y[curve->n++] = y;
}

static void
put_row (SsappCurve *curve, const SsTrajectory *motion, int row, int first, int second)
{
  const double *values = ss_trajectory_row (motion, row);
  put (curve, values[0], values[first] + (second >= 0 ? values[second] : 0));
}

static void
fill (SsappCurve *curve, const SsTrajectory *motion, int first, int second)
{
  curve_alloc (curve, motion->n_rows);
  for (int row = 0; row < motion->n_rows; row++)
    put_row (curve, motion, row, first, second);
}

/* The column of a channel, and the one that is added to it; -1: none. FALSE: the motion does not have the channel. */
static gboolean
find_columns (const SsTrajectory *motion, const char *channel, int *first, int *second)
{
  *first = ss_trajectory_channel (motion, channel);
  *second = -1;
  return *first >= 0 || (strcmp (channel, SSAPP_CHANNEL_TOTAL_ENERGY) == 0 && find_energies (motion, first, second));
}

gboolean
ssapp_curve_init (SsappCurve *curve, const SsTrajectory *motion, const char *channel, int n_least)
{
  g_return_val_if_fail (curve != NULL && channel != NULL, FALSE);

  SsTrajectory *refined;
  int first, second;

  *curve = (SsappCurve){0};
  if (motion == NULL || !find_columns (motion, channel, &first, &second))
    return FALSE;
  refined = motion->n_rows > 1 && motion->n_rows < n_least ? ssapp_refine_motion (motion, n_least) : NULL;
  fill (curve, refined != NULL ? refined : motion, first, second);
  ss_trajectory_free (refined);
  return TRUE;
}

void
ssapp_curve_init_stages (SsappCurve *curve, const SsTrajectory *motion, const char *channel)
{
  g_return_if_fail (curve != NULL && channel != NULL);

  const int stage = motion != NULL ? ss_stage_rows_channel (motion) : -1;
  int first, second;

  *curve = (SsappCurve){0};
  if (stage < 0 || !find_columns (motion, channel, &first, &second))
    return;
  curve_alloc (curve, motion->n_rows);
  for (int row = 0; row < motion->n_rows; row++)
    if (ss_stage_rows_is_one (motion, stage, row))
      put_row (curve, motion, row, first, second);
}

void
ssapp_curve_clear (SsappCurve *curve)
{
  g_return_if_fail (curve != NULL);
  g_free (curve->t);
  g_free (curve->y);
  *curve = (SsappCurve){0};
}

/* Index of the first point from t on; n: none. */
static int
first_from (const SsappCurve *curve, double t)
{
  int lo = 0, hi = curve->n;

  while (lo < hi) {
    const int middle = lo + (hi - lo) / 2;
    if (curve->t[middle] < t)
      lo = middle + 1;
    else
      hi = middle;
  }
  return lo;
}

/* The value at t, where `at` is the first point from t on. */
static double
value_at (const SsappCurve *curve, int at, double t, gboolean before)
{
  if (at >= curve->n || (at == 0 && curve->t[0] > t))
    return NAN;
  if (curve->t[at] == t) {
    while (!before && at + 1 < curve->n && curve->t[at + 1] == t)
      at++;
    return curve->y[at];
  }
  const double share = (t - curve->t[at - 1]) / (curve->t[at] - curve->t[at - 1]);
  return curve->y[at - 1] + share * (curve->y[at] - curve->y[at - 1]);
}

double
ssapp_curve_at (const SsappCurve *curve, double t, gboolean before)
{
  return isnan (t) ? NAN : value_at (curve, first_from (curve, t), t, before);
}

static gboolean
jumps_at (const SsappCurve *curve, int at, double t)
{
  return at + 1 < curve->n && curve->t[at] == t && curve->t[at + 1] == t;
}

/* Past all points of that time. */
static int
skip (const SsappCurve *curve, int at, double t)
{
  while (at < curve->n && curve->t[at] <= t)
    at++;
  return at;
}

void
ssapp_curve_difference (const SsappCurve *a, const SsappCurve *b, SsappCurve *out)
{
  g_return_if_fail (a != NULL);
  *out = (SsappCurve){0};
  if (a->n == 0 || b->n == 0)
    return;
  const double end = MIN (a->t[a->n - 1], b->t[b->n - 1]);
  double t = MAX (a->t[0], b->t[0]);
  int i = first_from (a, t), j = first_from (b, t);

  curve_alloc (out, 2 * (a->n + b->n));
  while (t <= end) {
    const gboolean jumps = jumps_at (a, i, t) || jumps_at (b, j, t);
    if (jumps)
      put (out, t, value_at (b, j, t, TRUE) - value_at (a, i, t, TRUE));
    put (out, t, value_at (b, j, t, FALSE) - value_at (a, i, t, FALSE));
    i = skip (a, i, t);
    j = skip (b, j, t);
    if (i >= a->n || j >= b->n)
      break;
    t = MIN (a->t[i], b->t[j]);
  }
}

/* The points [from, to) as first, least, largest and last, in their order. */
static void
put_column (SsappCurve *out, const SsappCurve *curve, int from, int to)
{
  int least = from, largest = from;

  if (to - from <= 4) {
    for (int k = from; k < to; k++)
      put (out, curve->t[k], curve->y[k]);
    return;
  }
  for (int k = from; k < to; k++) {
    if (!isfinite (curve->y[k])) { /* a gap is at least a pixel wide */
      put (out, curve->t[from], curve->y[from]);
      put (out, curve->t[k], NAN);
      put (out, curve->t[to - 1], curve->y[to - 1]);
      return;
    }
    if (curve->y[k] < curve->y[least])
      least = k;
    if (curve->y[k] > curve->y[largest])
      largest = k;
  }
  const int order[4] = {from, MIN (least, largest), MAX (least, largest), to - 1};
  for (int k = 0; k < 4; k++)
    if (k == 0 || order[k] != order[k - 1])
      put (out, curve->t[order[k]], curve->y[order[k]]);
}

void
ssapp_curve_reduce (const SsappCurve *curve, double t0, double t1, int n_columns, SsappCurve *out)
{
  g_return_if_fail (curve != NULL && curve->n >= 0 && out != curve && out != NULL);

  int from = MAX (first_from (curve, t0) - 1, 0), to = first_from (curve, t1);

  while (to < curve->n && curve->t[to] <= t1)
    to++;
  to = MIN (to + 1, curve->n);
  n_columns = MAX (n_columns, 1);
  if (to - from <= 4 * n_columns || !(t1 > t0)) {
    curve_alloc (out, MAX (to - from, 0));
    for (int k = from; k < to; k++)
      put (out, curve->t[k], curve->y[k]);
    return;
  }
  curve_alloc (out, 4 * (n_columns + 3));
  const double each = (t1 - t0) / n_columns;
  for (int k = from; k < to;) {
    const double column_end = t0 + (floor ((curve->t[k] - t0) / each) + 1) * each;
    int end = k + 1;
    while (end < to && curve->t[end] < column_end)
      end++;
    put_column (out, curve, k, end);
    k = end;
  }
}
