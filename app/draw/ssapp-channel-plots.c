/* app/draw/ssapp-channel-plots.c: see the header. */
#include "app/draw/ssapp-channel-plots.h"

#include "core/ss-channel-word.h"

#include <gio/gio.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIFFERENCE "difference"
#define LOG_PREFIX "log:"

static const double NEAREST_ZOOM = 1e-6; /* of the whole */
enum { SUGGESTED_BODIES = 3 };

static void
plot_free (SsappChannelPlot *plot)
{
  g_ptr_array_unref (plot->names);
  g_free (plot);
}

static SsappChannelPlot *
plot_new (void)
{
  SsappChannelPlot *plot = g_new0 (SsappChannelPlot, 1);

  plot->names = g_ptr_array_new_with_free_func (g_free);
  plot->y_min = plot->y_max = NAN;
  return plot;
}

SsappChannelPlots *
ssapp_channel_plots_new (void)
{
  SsappChannelPlots *plots = g_new0 (SsappChannelPlots, 1);

  plots->plots = g_ptr_array_new_with_free_func ((GDestroyNotify)plot_free);
  return plots;
}

void
ssapp_channel_plots_free (SsappChannelPlots *plots)
{
  if (plots == NULL)
    return;
  g_ptr_array_unref (plots->plots);
  g_free (plots);
}

const SsappChannelPlot *
ssapp_channel_plots_at (const SsappChannelPlots *plots, int plot)
{
  g_return_val_if_fail (plots != NULL, NULL);
  return plot >= 0 && plot < (int)plots->plots->len ? g_ptr_array_index (plots->plots, plot) : NULL;
}

static SsappChannelPlot *
plot_at (SsappChannelPlots *plots, int plot)
{
  return (SsappChannelPlot *)ssapp_channel_plots_at (plots, plot);
}

static int
name_in (const SsappChannelPlot *plot, const char *name)
{
  for (guint i = 0; i < plot->names->len; i++)
    if (strcmp (g_ptr_array_index (plot->names, i), name) == 0)
      return (int)i;
  return -1;
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

static gboolean
read_plot (SsappChannelPlots *plots, const char *text, GError **error)
{
  const gboolean is_log = g_str_has_prefix (text, LOG_PREFIX);
  g_auto (GStrv) names = g_strsplit (is_log ? text + strlen (LOG_PREFIX) : text, ",", -1);
  const int plot = (int)plots->plots->len;

  for (int i = 0; names[i] != NULL; i++) {
    const char *name = g_strstrip (names[i]);
    if (*name == '\0') {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   "“%s” names no channel (expected a list such as box.y,box.vy;residual)", text);
      return FALSE;
    }
    if (ssapp_channel_plots_at (plots, plot) != NULL && name_in (plot_at (plots, plot), name) >= 0)
      continue; /* twice in one plot is once */
    if (!ssapp_channel_plots_add (plots, i == 0 ? -1 : plot, name)) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "at most %d plots of %d channels each can be shown",
                   SSAPP_CHANNEL_PLOTS_MAX, SSAPP_CHANNELS_A_PLOT_MAX);
      return FALSE;
    }
  }
  ssapp_channel_plots_set_log (plots, plot, is_log);
  return TRUE;
}

gboolean
ssapp_channel_plots_read (SsappChannelPlots *plots, const char *text, GError **error)
{
  g_return_val_if_fail (plots != NULL, FALSE);
  SsappChannelPlots *read = ssapp_channel_plots_new ();
  g_auto (GStrv) parts = g_strsplit (text, ";", -1);
  gboolean ok = TRUE;

  for (int i = 0; parts[i] != NULL && ok; i++) {
    const char *part = g_strstrip (parts[i]);
    if (strcmp (part, DIFFERENCE) == 0)
      read->is_difference = TRUE;
    else if (*part != '\0')
      ok = read_plot (read, part, error);
  }
  if (ok) {
    GPtrArray *old = plots->plots;
    plots->plots = read->plots;
    plots->is_difference = read->is_difference;
    read->plots = old;
  }
  ssapp_channel_plots_free (read);
  return ok;
}

/* NULL: no run has it. Borrowed. */
static const char *
meant_by (const char *name, GPtrArray *channels, const SsappChannelRun *runs, int n_runs)
{
  const SsappChannel *channel = ssapp_channels_find (channels, name);

  for (int r = 0; channel == NULL && r < n_runs; r++) {
    const int c = runs[r].motion != NULL ? ss_trajectory_meant (runs[r].motion, name, strlen (name)) : -1;
    channel = c >= 0 ? ssapp_channels_find (channels, runs[r].motion->channels[c].name) : NULL;
  }
  return channel != NULL ? channel->name : NULL;
}

gboolean
ssapp_channel_plots_settle (SsappChannelPlots *plots, const SsappChannelRun *runs, int n_runs, GError **error)
{
  g_return_val_if_fail (plots != NULL, FALSE);
  g_autoptr (GPtrArray) channels = ssapp_channels_list (runs, n_runs);
  const char *const who = n_runs == 1 ? "the run has no" : "no run has a";

  for (guint p = 0; p < plots->plots->len; p++) {
    const SsappChannelPlot *plot = plot_at (plots, (int)p);
    for (guint i = 0; i < plot->names->len; i++) {
      char **name = (char **)&g_ptr_array_index (plot->names, i);
      const char *meant = meant_by (*name, channels, runs, n_runs);
      if (meant == NULL) {
        g_autofree const char **names = g_new0 (const char *, channels->len + 1);
        for (guint c = 0; c < channels->len; c++)
          names[c] = ((const SsappChannel *)g_ptr_array_index (channels, c))->name;
        const char *nearest = ss_nearest_name (*name, names, (int)channels->len);
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s channel '%s'%s%s%s", who, *name,
                     nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                     nearest != NULL ? "'?" : "; `export --plot trajectory` lists them");
        return FALSE;
      }
      char *settled = g_strdup (meant);
      g_free (*name);
      *name = settled;
    }
  }
  return TRUE;
}

char *
ssapp_channel_plots_write (const SsappChannelPlots *plots)
{
  g_return_val_if_fail (plots != NULL, NULL);
  GString *text = g_string_new (plots->is_difference ? DIFFERENCE : "");

  for (guint p = 0; p < plots->plots->len; p++) {
    const SsappChannelPlot *plot = g_ptr_array_index (plots->plots, p);
    g_string_append (text, text->len > 0 ? ";" : "");
    g_string_append (text, plot->is_log ? LOG_PREFIX : "");
    for (guint i = 0; i < plot->names->len; i++)
      g_string_append_printf (text, "%s%s", i > 0 ? "," : "", (const char *)g_ptr_array_index (plot->names, i));
  }
  return g_string_free (text, FALSE);
}

char *
ssapp_channel_text_to_json (const char *text)
{
  json_t *string = json_string (text);
  char *dumped = json_dumps (string, JSON_ENCODE_ANY), *out = g_strdup (dumped);

  free (dumped);
  json_decref (string);
  return out;
}

char *
ssapp_channel_text_from_json (const char *json)
{
  json_t *string = json_loads (json, JSON_DECODE_ANY, NULL);
  char *out = g_strdup (json_string_value (string));

  json_decref (string);
  return out;
}

/* ---- what to show first ------------------------------------------------------------------------------------------ */

static const char *
first_ending (GPtrArray *channels, const char *group, const char *ending)
{
  for (guint i = 0; i < channels->len; i++) {
    const SsappChannel *channel = g_ptr_array_index (channels, i);
    if (g_str_has_prefix (channel->group, group) && g_str_has_suffix (channel->name, ending))
      return channel->name;
  }
  return NULL;
}

static gboolean
moves (const SsappChannelRun *runs, int n_runs, const char *name)
{
  for (int i = 0; i < n_runs; i++) {
    const SsTrajectory *motion = runs[i].motion;
    const int c = motion != NULL ? ss_trajectory_channel (motion, name) : -1;
    for (int row = 1; c >= 0 && row < motion->n_rows; row++)
      if (ss_trajectory_row (motion, row)[c] != ss_trajectory_row (motion, 0)[c])
        return TRUE;
  }
  return FALSE;
}

void
ssapp_channel_plots_suggest (SsappChannelPlots *plots, const SsappChannelRun *runs, int n_runs)
{
  g_return_if_fail (plots != NULL && (runs != NULL || n_runs == 0) && n_runs >= 0);

  g_autoptr (GPtrArray) channels = ssapp_channels_list (runs, n_runs);
  const char *gap = first_ending (channels, "Contact ", ".gap");
  int n = 0;

  g_ptr_array_set_size (plots->plots, 0);
  for (guint i = 0; i < channels->len && n < SUGGESTED_BODIES; i++) {
    const SsappChannel *channel = g_ptr_array_index (channels, i);
    if (g_str_has_prefix (channel->group, "Body ") && g_str_has_suffix (channel->name, ".y") &&
        moves (runs, n_runs, channel->name))
      ssapp_channel_plots_add (plots, n++ == 0 ? -1 : 0, channel->name);
  }
  if (gap != NULL)
    ssapp_channel_plots_add (plots, -1, gap);
  if (ssapp_channels_find (channels, SSAPP_CHANNEL_TOTAL_ENERGY) != NULL)
    ssapp_channel_plots_add (plots, -1, SSAPP_CHANNEL_TOTAL_ENERGY);
  for (guint i = 0; i < MIN (channels->len, 2) && plots->plots->len < 2; i++)
    ssapp_channel_plots_add (plots, -1, ((SsappChannel *)g_ptr_array_index (channels, i))->name);
}

/* ---- editing ----------------------------------------------------------------------------------------------------- */

int
ssapp_channel_plots_find (const SsappChannelPlots *plots, const char *name)
{
  g_return_val_if_fail (plots != NULL, 0);
  for (guint p = 0; p < plots->plots->len; p++)
    if (name_in (g_ptr_array_index (plots->plots, p), name) >= 0)
      return (int)p;
  return -1;
}

gboolean
ssapp_channel_plots_add (SsappChannelPlots *plots, int plot, const char *name)
{
  g_return_val_if_fail (plots != NULL, FALSE);
  SsappChannelPlot *into = plot_at (plots, plot);

  if (into == NULL) {
    if (plots->plots->len >= SSAPP_CHANNEL_PLOTS_MAX)
      return FALSE;
    into = plot_new ();
    g_ptr_array_add (plots->plots, into);
  } else if (name_in (into, name) >= 0 || into->names->len >= SSAPP_CHANNELS_A_PLOT_MAX)
    return FALSE;
  g_ptr_array_add (into->names, g_strdup (name));
  into->y_min = into->y_max = NAN;
  return TRUE;
}

gboolean
ssapp_channel_plots_remove (SsappChannelPlots *plots, const char *name)
{
  g_return_val_if_fail (plots != NULL, FALSE);
  gboolean found = FALSE;

  for (guint p = plots->plots->len; p > 0; p--) {
    SsappChannelPlot *plot = g_ptr_array_index (plots->plots, p - 1);
    const int at = name_in (plot, name);
    if (at < 0)
      continue;
    found = TRUE;
    g_ptr_array_remove_index (plot->names, (guint)at);
    plot->y_min = plot->y_max = NAN;
    if (plot->names->len == 0)
      g_ptr_array_remove_index (plots->plots, p - 1);
  }
  return found;
}

gboolean
ssapp_channel_plots_remove_plot (SsappChannelPlots *plots, int plot)
{
  g_return_val_if_fail (plots != NULL, FALSE);
  if (ssapp_channel_plots_at (plots, plot) == NULL)
    return FALSE;
  g_ptr_array_remove_index (plots->plots, (guint)plot);
  return TRUE;
}

int
ssapp_channel_plots_move (SsappChannelPlots *plots, int plot, int by)
{
  g_return_val_if_fail (plots != NULL, 0);
  const int last = (int)plots->plots->len - 1;

  if (ssapp_channel_plots_at (plots, plot) == NULL)
    return plot;
  const int to = CLAMP (plot + by, 0, last);
  gpointer moved = g_ptr_array_steal_index (plots->plots, (guint)plot);
  g_ptr_array_insert (plots->plots, to, moved);
  return to;
}

void
ssapp_channel_plots_set_log (SsappChannelPlots *plots, int plot, gboolean is_log)
{
  SsappChannelPlot *at = plot_at (plots, plot);

  if (at == NULL)
    return;
  if (at->is_log != is_log)
    at->y_min = at->y_max = NAN; /* a range of the other axis */
  at->is_log = is_log;
}

void
ssapp_channel_plots_set_values (SsappChannelPlots *plots, int plot, double y_min, double y_max)
{
  SsappChannelPlot *at = plot_at (plots, plot);
  const gboolean fits =
      at != NULL && y_max > y_min && isfinite (y_min) && isfinite (y_max) && !(at->is_log && y_min <= 0);

  if (at == NULL)
    return;
  at->y_min = fits ? y_min : NAN;
  at->y_max = fits ? y_max : NAN;
}

/* ---- ranges ------------------------------------------------------------------------------------------------------ */

static void
keep_within (double range[2], const double whole[2])
{
  const double length = range[1] - range[0];

  if (length >= whole[1] - whole[0]) {
    range[0] = whole[0];
    range[1] = whole[1];
  } else if (range[0] < whole[0]) {
    range[0] = whole[0];
    range[1] = whole[0] + length;
  } else if (range[1] > whole[1]) {
    range[0] = whole[1] - length;
    range[1] = whole[1];
  }
}

void
ssapp_range_zoom (double range[2], const double whole[2], double factor, double about, gboolean keeps_within)
{
  g_return_if_fail (range != NULL && whole != NULL);

  const double length = range[1] - range[0], least = NEAREST_ZOOM * (whole[1] - whole[0]);
  const double wanted = MAX (factor * length, least);
  const double share = length > 0 ? CLAMP ((about - range[0]) / length, 0, 1) : 0.5;

  if (!(length > 0) || !(factor > 0) || !isfinite (wanted))
    return;
  range[0] = range[0] + share * (length - wanted);
  range[1] = range[0] + wanted;
  if (keeps_within)
    keep_within (range, whole);
}

void
ssapp_range_move (double range[2], const double whole[2], double share, gboolean keeps_within)
{
  g_return_if_fail (range != NULL);

  const double by = share * (range[1] - range[0]);

  range[0] += by;
  range[1] += by;
  if (keeps_within)
    keep_within (range, whole);
}
