/* app/session/ssapp-fit-columns.c: see the header. */
#include "app/session/ssapp-fit-columns.h"

#include "app/base/ssapp-text.h"

#include <math.h>
#include <string.h>

/* ---- units ------------------------------------------------------------------------------------------------------- */

static const char *const lengths[] = {"m", "cm", "mm", NULL}, *const angles[] = {"rad", "deg", NULL};
static const double per_length[] = {1, 1e-2, 1e-3}, per_angle[] = {1, G_PI / 180};

static gboolean
is_angle (const char *channel)
{
  return g_str_has_suffix (channel, ".theta") || g_str_has_suffix (channel, ".omega");
}

const char *const *
ssapp_fit_units (const char *channel)
{
  return is_angle (channel) ? angles : lengths;
}

/* Its place among those of the channel; -1: it is none. */
static int
unit_of (const char *channel, const char *unit)
{
  const char *const *units = ssapp_fit_units (channel);

  for (int i = 0; units[i] != NULL; i++)
    if (strcmp (units[i], unit) == 0)
      return i;
  return -1;
}

static double
factor_of (const SsappFitColumn *column)
{
  const int unit = unit_of (column->channel, column->unit);

  return is_angle (column->channel) ? per_angle[unit] : per_length[unit];
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

static void
clear_column (gpointer data)
{
  g_free (((SsappFitColumn *)data)->column);
  g_free (((SsappFitColumn *)data)->channel);
}

static SsappFitColumn *
find_column (GArray *columns, const char *name)
{
  for (guint i = 0; i < columns->len; i++)
    if (strcmp (g_array_index (columns, SsappFitColumn, i).column, name) == 0)
      return &g_array_index (columns, SsappFitColumn, i);
  return NULL;
}

static void
set_channel (SsappFitColumn *column, const char *channel, int unit, gboolean is_guessed)
{
  g_free (column->channel);
  column->channel = g_strdup (channel);
  column->unit = channel != NULL ? ssapp_fit_units (channel)[MAX (unit, 0)] : lengths[0];
  column->is_guessed = is_guessed;
}

GPtrArray *
ssapp_fit_channels (const SsScenario *scenario)
{
  g_return_val_if_fail (scenario != NULL, NULL);
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);

  for (int b = 0; scenario->scene != NULL && b < scenario->scene->n_bodies; b++)
    for (int c = 0; !ss_body_is_immovable (&scenario->scene->bodies[b]) && c < SS_BODY_CHANNELS; c++)
      g_ptr_array_add (list, g_strdup_printf ("%s.%s", scenario->scene->bodies[b].name, ss_body_channels[c]));
  return list;
}

static gboolean
is_channel (GPtrArray *channels, const char *name)
{
  return g_ptr_array_find_with_equal_func (channels, name, g_str_equal, NULL);
}

GArray *
ssapp_fit_columns_new (const SsScenario *scenario, GPtrArray *tables)
{
  g_autoptr (GPtrArray) channels = ssapp_fit_channels (scenario);
  GArray *columns = g_array_new (FALSE, TRUE, sizeof (SsappFitColumn));

  g_array_set_clear_func (columns, clear_column);
  for (guint i = 0; i < tables->len; i++) {
    const SsTrajectory *table = g_ptr_array_index (tables, i);
    for (int c = 1; c < table->n_channels; c++) {
      const char *name = table->channels[c].name;
      SsappFitColumn column = {.column = g_strdup (name)};
      if (find_column (columns, name) != NULL) {
        g_free (column.column);
        continue;
      }
      column.is_named = is_channel (channels, name);
      set_channel (&column, column.is_named ? name : NULL, 0, FALSE);
      g_array_append_val (columns, column);
    }
  }
  return columns;
}

/* ---- guesses ----------------------------------------------------------------------------------------------------- */

/* What people call coordinates, by the place among ss_body_channels. */
static const char *const aliases[SS_BODY_CHANNELS] = {
    "x pos_x x_pos position_x x_position px cx",
    "y pos_y y_pos position_y y_position py cy",
    "theta angle phi rotation rot orientation",
    "vx v_x x_velocity velocity_x",
    "vy v_y y_velocity velocity_y",
    "omega angular_velocity",
};

static gboolean
has_word (const char *words, const char *word)
{
  g_auto (GStrv) list = g_strsplit (words, " ", -1);

  return g_strv_contains ((const char *const *)list, word);
}

/* "Box X (mm)" as "box_x", the unit apart: "mm"; both g_free. */
static char *
plain_name (const char *name, char **unit)
{
  GString *out = g_string_new (NULL);

  for (const char *c = name; *c != '\0'; c++) {
    const char low = g_ascii_tolower (*c);
    if (g_ascii_isalnum (low) || (guchar)low >= 128)
      g_string_append_c (out, low);
    else if (out->len > 0 && out->str[out->len - 1] != '_')
      g_string_append_c (out, '_');
  }
  if (out->len > 0 && out->str[out->len - 1] == '_')
    g_string_truncate (out, out->len - 1);
  char *last = strrchr (out->str, '_');
  *unit = NULL;
  if (last != NULL && (unit_of ("a.x", last + 1) >= 0 || unit_of ("a.theta", last + 1) >= 0)) {
    *unit = g_strdup (last + 1);
    g_string_truncate (out, (gsize)(last - out->str));
  }
  return g_string_free (out, FALSE);
}

/* Whether that is a name of the coordinate of the body; `only`: the one that moves, which need not be named. */
static gboolean
means (const char *name, const char *body, gboolean only, int coordinate)
{
  g_autofree char *no_unit = NULL, *plain = plain_name (body, &no_unit);
  const gsize n = strlen (plain), length = strlen (name);

  if (only && has_word (aliases[coordinate], name))
    return TRUE;
  if (length > n + 1 && strncmp (name, plain, n) == 0 && name[n] == '_' && has_word (aliases[coordinate], name + n + 1))
    return TRUE;
  if (length > n + 1 && strcmp (name + length - n, plain) == 0 && name[length - n - 1] == '_') {
    g_autofree char *begin = g_strndup (name, length - n - 1);
    return has_word (aliases[coordinate], begin);
  }
  return FALSE;
}

static gboolean
is_taken (GArray *columns, const char *channel)
{
  for (guint i = 0; i < columns->len; i++)
    if (g_strcmp0 (g_array_index (columns, SsappFitColumn, i).channel, channel) == 0)
      return TRUE;
  return FALSE;
}

static void
guess_one (GArray *columns, SsappFitColumn *column, const SsScenario *scenario)
{
  const SsScene *scene = scenario->scene;
  g_autofree char *unit = NULL, *name = plain_name (column->column, &unit);
  int n_moving = 0;

  for (int b = 0; b < scene->n_bodies; b++)
    n_moving += !ss_body_is_immovable (&scene->bodies[b]);
  for (int b = 0; b < scene->n_bodies; b++)
    for (int c = 0; !ss_body_is_immovable (&scene->bodies[b]) && c < SS_BODY_CHANNELS; c++) {
      g_autofree char *channel = g_strdup_printf ("%s.%s", scene->bodies[b].name, ss_body_channels[c]);
      if (!means (name, scene->bodies[b].name, n_moving == 1, c) || is_taken (columns, channel) ||
          (unit != NULL && unit_of (channel, unit) < 0))
        continue;
      set_channel (column, channel, unit != NULL ? unit_of (channel, unit) : 0, TRUE);
      return;
    }
}

void
ssapp_fit_columns_guess (GArray *columns, const SsScenario *scenario)
{
  for (guint i = 0; scenario->scene != NULL && i < columns->len; i++) {
    SsappFitColumn *column = &g_array_index (columns, SsappFitColumn, i);
    if (column->channel == NULL)
      guess_one (columns, column, scenario);
  }
}

/* ---- what is told ------------------------------------------------------------------------------------------------ */

static const char *
nearest_of (GPtrArray *names, const char *name)
{
  const char *nearest = ss_nearest_name (name, (const char *const *)names->pdata, (int)names->len);

  return nearest != NULL ? nearest : names->len > 0 ? g_ptr_array_index (names, 0) : "BODY.COORDINATE";
}

/* "px=box.x:mm" */
static gboolean
map_one (GArray *columns, GPtrArray *channels, const char *part, GError **error)
{
  const char *sign = strrchr (part, '=');
  g_autofree char *name = sign != NULL ? g_strstrip (g_strndup (part, (gsize)(sign - part))) : NULL;
  g_auto (GStrv) to = g_strsplit (sign != NULL ? sign + 1 : "", ":", 2);
  const char *channel = to[0] != NULL ? g_strstrip (to[0]) : "";
  SsappFitColumn *column = name != NULL ? find_column (columns, name) : NULL;

  if (sign == NULL)
    return ssapp_fail_input (error, "“%s”: expected COLUMN=BODY.COORDINATE:UNIT, COLUMN= or guess", part);
  if (column == NULL) {
    g_autoptr (GPtrArray) names = g_ptr_array_new ();
    for (guint i = 0; i < columns->len; i++)
      g_ptr_array_add (names, g_array_index (columns, SsappFitColumn, i).column);
    return ssapp_fail_input (error, "no table has a column “%s”; the nearest is “%s”", name, nearest_of (names, name));
  }
  if (*channel != '\0' && !is_channel (channels, channel))
    return ssapp_fail_input (error, "the scene has no channel “%s”; the nearest is “%s”", channel,
                             nearest_of (channels, channel));
  if (*channel == '\0') {
    set_channel (column, NULL, 0, FALSE);
    return TRUE;
  }
  const char *const *units = ssapp_fit_units (channel);
  const int unit = to[1] != NULL ? unit_of (channel, g_strstrip (to[1])) : 0;
  if (unit < 0) {
    g_autofree char *all = g_strjoinv (", ", (char **)units);
    return ssapp_fail_input (error, "“%s” is no unit of %s (expected %s)", to[1], channel, all);
  }
  set_channel (column, channel, unit, FALSE);
  return TRUE;
}

static GArray *
copy_columns (GArray *columns)
{
  GArray *copy = g_array_new (FALSE, TRUE, sizeof (SsappFitColumn));

  g_array_set_clear_func (copy, clear_column);
  for (guint i = 0; i < columns->len; i++) {
    SsappFitColumn one = g_array_index (columns, SsappFitColumn, i);
    one.column = g_strdup (one.column);
    one.channel = g_strdup (one.channel);
    g_array_append_val (copy, one);
  }
  return copy;
}

gboolean
ssapp_fit_columns_map (GArray *columns, const SsScenario *scenario, const char *text, GError **error)
{
  g_autoptr (GPtrArray) channels = ssapp_fit_channels (scenario);
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  g_autoptr (GArray) made = copy_columns (columns);
  gboolean ok = TRUE;

  for (int i = 0; parts[i] != NULL && ok; i++)
    if (strcmp (g_strstrip (parts[i]), "guess") == 0)
      ssapp_fit_columns_guess (made, scenario);
    else
      ok = parts[i][0] == '\0' || map_one (made, channels, parts[i], error);
  for (guint i = 0; ok && i < columns->len; i++) {
    const SsappFitColumn kept = g_array_index (columns, SsappFitColumn, i);
    g_array_index (columns, SsappFitColumn, i) = g_array_index (made, SsappFitColumn, i);
    g_array_index (made, SsappFitColumn, i) = kept;
  }
  return ok;
}

char *
ssapp_fit_columns_text (GArray *columns)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < columns->len; i++) {
    const SsappFitColumn *column = &g_array_index (columns, SsappFitColumn, i);
    const char *channel = column->channel != NULL ? column->channel : "";
    const gboolean is_si = column->channel == NULL || unit_of (channel, column->unit) == 0;
    if (column->channel == NULL ? !column->is_named : is_si && strcmp (channel, column->column) == 0)
      continue;
    g_string_append_printf (text, "%s%s=%s%s%s", text->len > 0 ? "," : "", column->column, channel, is_si ? "" : ":",
                            is_si ? "" : column->unit);
  }
  return g_string_free (text, FALSE);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

SsTrajectory *
ssapp_fit_columns_apply (GArray *columns, const SsTrajectory *table, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree int *from = g_new0 (int, table->n_channels + 1);
  g_autofree double *factors = g_new0 (double, table->n_channels + 1), *row = g_new0 (double, table->n_channels + 1);
  SsTrajectory *out = NULL;
  SsError err = {0};

  g_ptr_array_add (names, (char *)"t");
  factors[0] = 1;
  for (int c = 1; c < table->n_channels; c++) {
    const SsappFitColumn *column = find_column (columns, table->channels[c].name);
    guint other;
    if (column == NULL || column->channel == NULL)
      continue;
    if (g_ptr_array_find_with_equal_func (names, column->channel, g_str_equal, &other)) {
      ssapp_fail_input (error, "%s is measured by two columns, “%s” and “%s”: keep one", column->channel,
                        table->channels[from[other]].name, column->column);
      return NULL;
    }
    from[names->len] = c;
    factors[names->len] = factor_of (column);
    g_ptr_array_add (names, column->channel);
  }
  if (names->len == 1) {
    ssapp_fail_input (error, "no column is a channel of the scene: say which is, such as %s=%s",
                      table->n_channels > 1 ? table->channels[1].name : "COLUMN", "BODY.x");
    return NULL;
  }
  if (ss_trajectory_new_named ((const char *const *)names->pdata, (int)names->len, table->n_rows, &out, &err) !=
      SS_OK) {
    ssapp_fail_input (error, "%s", err.message);
    return NULL;
  }
  for (int k = 0; k < table->n_rows; k++) {
    for (guint c = 0; c < names->len; c++)
      row[c] = ss_trajectory_row (table, k)[from[c]] * factors[c];
    if (ss_trajectory_append (out, row, &err) != SS_OK) {
      ssapp_fail_input (error, "%s", err.message);
      ss_trajectory_free (out);
      return NULL;
    }
  }
  return out;
}
