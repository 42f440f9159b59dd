/* app/study/ssapp-study-axis.c: the values of an axis: lists, grids, ranges and what is drawn from them; see
 * ssapp-study.h. */
#include "app/study/ssapp-study-private.h"

#include "core/ss-random.h"

#include <math.h>
#include <string.h>

enum { MAX_VALUES = 10000 }; /* of one axis */

gboolean
ssapp_study_fail (GError **error, const char *format, ...)
{
  va_list list;

  va_start (list, format);
  g_autofree char *text = g_strdup_vprintf (format, list);
  va_end (list);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, text);
  return FALSE;
}

SsappStudyAxis *
ssapp_study_axis_new (SsappAxisKind kind, const char *name)
{
  SsappStudyAxis *axis = g_new0 (SsappStudyAxis, 1);

  axis->kind = kind;
  axis->name = g_strdup (name);
  axis->from = axis->to = NAN;
  return axis;
}

SsappStudyAxis *
ssapp_study_axis_copy (const SsappStudyAxis *axis)
{
  g_return_val_if_fail (axis != NULL, NULL);
  SsappStudyAxis *copy = g_new0 (SsappStudyAxis, 1);

  *copy = *axis;
  copy->name = g_strdup (axis->name);
  copy->text = g_strdup (axis->text);
  copy->values = g_strdupv (axis->values);
  return copy;
}

void
ssapp_study_axis_free (SsappStudyAxis *axis)
{
  g_free (axis->name);
  g_free (axis->text);
  g_strfreev (axis->values);
  g_free (axis);
}

static gboolean
is_numeric (const SsappStudyAxis *axis)
{
  return axis->kind != SSAPP_AXIS_OPTION && axis->kind != SSAPP_AXIS_GUESS;
}

static char *
format_number (double value)
{
  char text[32];

  ss_format_double (value, text, sizeof text);
  return g_strdup (text);
}

/* The number with few digits that is as good as `value`, which carries the rounding of a formula whose terms are as
 * large as `scale`. */
static double
without_rounding (double value, double scale)
{
  char text[32];
  double near = value;

  g_ascii_formatd (text, sizeof text, "%.12g", value);
  return ss_parse_double (text, &near) && fabs (near - value) <= 4e-16 * scale ? near : value;
}

/* Value i of n from one end to the other; both ends are exact. */
static double
grid_value (const SsappStudyAxis *axis, guint i, guint n)
{
  if (i == 0)
    return axis->from;
  if (i == n - 1)
    return axis->to;
  if (axis->form == SSAPP_AXIS_LOG) {
    const double ratio = log (axis->to / axis->from);
    const double value = axis->from * exp (ratio * i / (n - 1));
    return without_rounding (value, fabs (value) * (2 + fabs (ratio)));
  }
  const double value = ((n - 1 - i) * axis->from + i * axis->to) / (n - 1);
  return without_rounding (value, fmax (fabs (axis->from), fabs (axis->to)));
}

/* "0:16:9" or "0.001:1:7log"; FALSE without error: it is none. */
static gboolean
read_grid (SsappStudyAxis *axis, const char *text, gboolean *is_grid, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", -1);
  guint64 n;

  *is_grid = FALSE;
  if (g_strv_length (parts) != 3 || !ss_parse_double (g_strstrip (parts[0]), &axis->from) ||
      !ss_parse_double (g_strstrip (parts[1]), &axis->to))
    return TRUE;
  char *count = g_strstrip (parts[2]);
  const gboolean is_log = g_str_has_suffix (count, "log");
  if (is_log)
    count[strlen (count) - strlen ("log")] = '\0';
  *is_grid = TRUE;
  axis->form = is_log ? SSAPP_AXIS_LOG : SSAPP_AXIS_GRID;
  if (!g_ascii_string_to_unsigned (g_strstrip (count), 10, 1, MAX_VALUES, &n, NULL))
    return ssapp_study_fail (error, "'%s': the third part says how many values there are, 1 to %d", text, MAX_VALUES);
  if ((n == 1) != (axis->from == axis->to))
    return ssapp_study_fail (error, "'%s': from one end to another there are at least 2 values", text);
  if (is_log && (axis->from <= 0 || axis->to <= 0))
    return ssapp_study_fail (error, "'%s': both ends of a logarithmic grid must be above 0", text);
  axis->values = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    axis->values[i] = format_number (grid_value (axis, i, (guint)n));
  return TRUE;
}

/* "0.1..0.9" */
static gboolean
read_range (SsappStudyAxis *axis, const char *text, gboolean *is_range, GError **error)
{
  const char *dots = strstr (text, "..");
  g_autofree char *left = dots != NULL ? g_strndup (text, (gsize)(dots - text)) : NULL;
  g_autofree char *right = dots != NULL ? g_strdup (dots + 2) : NULL;

  *is_range = dots != NULL && ss_parse_double (g_strstrip (left), &axis->from) &&
              ss_parse_double (g_strstrip (right), &axis->to);
  if (!*is_range)
    return TRUE;
  axis->form = SSAPP_AXIS_RANGE;
  if (!is_numeric (axis))
    return ssapp_study_fail (error, "'%s': '%s' takes a list, not a range", text, axis->name);
  if (!(axis->from < axis->to))
    return ssapp_study_fail (error, "'%s': the lower end of a range comes first", text);
  return TRUE;
}

static gboolean
read_list (SsappStudyAxis *axis, const char *text, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func (g_free);
  const guint n = g_strv_length (parts);

  axis->form = SSAPP_AXIS_LIST;
  if (n == 0)
    return ssapp_study_fail (error, "'%s' has no values: its text is empty", axis->name);
  if (n > MAX_VALUES)
    return ssapp_study_fail (error, "'%s' has %u values; at most %d are possible", axis->name, n, MAX_VALUES);
  for (guint i = 0; i < n; i++) {
    const char *part = g_strstrip (parts[i]);
    double number;
    if (part[0] == '\0')
      return ssapp_study_fail (error, "a value of '%s' is empty in '%s'", axis->name, text);
    if (!is_numeric (axis))
      g_ptr_array_add (values, g_strdup (part));
    else if (axis->kind == SSAPP_AXIS_SEED && g_ascii_string_to_unsigned (part, 10, 0, G_MAXINT64, NULL, NULL))
      g_ptr_array_add (values, g_strdup (part)); /* all digits of it */
    else if (ss_parse_double (part, &number))
      g_ptr_array_add (values, format_number (number));
    else
      return ssapp_study_fail (error,
                               "'%s' of '%s' is no number (expected a list 0.1,0.2,0.5, a grid FROM:TO:COUNT or "
                               "FROM:TO:COUNTlog, or a range FROM..TO)",
                               part, axis->name);
    for (guint k = 0; k + 1 < values->len; k++)
      if (strcmp (g_ptr_array_index (values, k), g_ptr_array_index (values, values->len - 1)) == 0)
        return ssapp_study_fail (error, "'%s' has the value %s twice", axis->name,
                                 (char *)g_ptr_array_index (values, k));
  }
  g_ptr_array_add (values, NULL);
  axis->values = (char **)g_ptr_array_free (g_steal_pointer (&values), FALSE);
  return TRUE;
}

gboolean
ssapp_study_axis_read_values (SsappStudyAxis *axis, const char *text, GError **error)
{
  g_return_val_if_fail (axis != NULL, FALSE);
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  gboolean is_grid = FALSE, is_range = FALSE;

  g_free (axis->text);
  axis->text = g_strdup (stripped);
  if (!read_grid (axis, stripped, &is_grid, error))
    return FALSE;
  if (!is_grid && !read_range (axis, stripped, &is_range, error))
    return FALSE;
  return is_grid || is_range || read_list (axis, stripped, error);
}

guint
ssapp_study_count_values (const SsappStudy *self, const SsappStudyAxis *axis)
{
  g_return_val_if_fail (self != NULL, 0);
  return axis->form == SSAPP_AXIS_RANGE ? self->n_drawn : g_strv_length (axis->values);
}

/* ---- what is drawn ----------------------------------------------------------------------------------------------- */

/* The place of sample i in 0..1. Of a Latin hypercube each of n equal parts has one sample. */
static void
draw_places (const SsappStudy *self, SsRandom *random, double *places)
{
  const guint n = self->n_drawn;
  g_autofree guint *parts = g_new (guint, n);

  for (guint i = 0; i < n; i++)
    parts[i] = i;
  for (guint i = n; self->draw == SSAPP_DRAW_LATIN && i > 1; i--) {
    const guint k = (guint)(ss_random_uniform (random) * i); /* below i: uniform is below 1 by 2^-53 or more */
    const guint part = parts[i - 1];
    parts[i - 1] = parts[k];
    parts[k] = part;
  }
  for (guint i = 0; i < n; i++) {
    const double u = ss_random_uniform (random);
    places[i] = self->draw == SSAPP_DRAW_LATIN ? (parts[i] + u) / n : u;
  }
}

/* Each axis has numbers of its own, by its name, so that another axis changes none of them. */
static guint64
seed_of (const SsappStudy *self, const char *name)
{
  guint64 hash = G_GUINT64_CONSTANT (14695981039346656037); /* FNV-1a */

  for (; *name != '\0'; name++)
    hash = (hash ^ (guint8)*name) * G_GUINT64_CONSTANT (1099511628211);
  return hash ^ self->seed;
}

char **
ssapp_study_draw_values (const SsappStudy *self, const SsappStudyAxis *axis)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_autofree double *places = g_new (double, MAX (self->n_drawn, 1));
  char **values = g_new0 (char *, self->n_drawn + 1);
  SsRandom random;

  ss_random_seed (&random, seed_of (self, axis->name));
  draw_places (self, &random, places);
  for (guint i = 0; i < self->n_drawn; i++) {
    if (axis->is_integer)
      values[i] = format_number (
          fmin (ceil (axis->from) + floor (places[i] * (floor (axis->to) - ceil (axis->from) + 1)), floor (axis->to)));
    else
      values[i] = format_number (axis->from + places[i] * (axis->to - axis->from));
  }
  return values;
}
