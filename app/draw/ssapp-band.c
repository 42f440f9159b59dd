/* app/draw/ssapp-band.c: see the header. */
#include "app/draw/ssapp-band.h"

#include <math.h>
#include <string.h>

#define PREFIX "d."
/* Every number has one such column, whatever the scene. */
#define MARK ".energy.kinetic"

static const double part = SSAPP_BAND_PERCENT / 100.;

double
ssapp_band_change (const SsScenario *scenario, const SsNumber *number, const char **words)
{
  g_return_val_if_fail (scenario != NULL, (double)NAN);
  const SsBody *body = number->body >= 0 ? &scenario->scene->bodies[number->body] : NULL;
  const int coordinate = number->coordinate;
  const gboolean is_angle = coordinate == 2 || coordinate == 5;
  const char *what = body == NULL     ? ""
                     : is_angle       ? coordinate == 2 ? " rad" : " rad/s"
                     : coordinate < 3 ? ", 1 % of its size"
                                      : ", 1 % of its size a second";

  if (words != NULL)
    *words = number->value == 0 ? what : "";
  if (number->value != 0)
    return part * fabs (number->value);
  return body == NULL || is_angle ? part : part * ss_body_size (body);
}

SsappBand
ssapp_band_of (const SsScenario *scenario, const SsTrajectory *slopes, const char *name)
{
  g_autofree char *mark = g_strconcat (PREFIX, name, MARK, NULL);
  SsNumber number;

  if (scenario == NULL || scenario->scene == NULL || slopes == NULL || ss_trajectory_channel (slopes, mark) < 0 ||
      ss_scenario_number (scenario, name, &number, NULL) != SS_OK)
    return (SsappBand){0};
  return (SsappBand){name, slopes, ssapp_band_change (scenario, &number, NULL)};
}

static int
column_of (const SsappBand *band, const char *channel)
{
  g_autofree char *name = g_strconcat (PREFIX, band->of, ".", channel, NULL);

  return ss_trajectory_channel (band->slopes, name);
}

gboolean
ssapp_band_curve (const SsappBand *band, const char *channel, SsappCurve *out)
{
  g_return_val_if_fail (band != NULL, FALSE);
  int first, second = -1;

  *out = (SsappCurve){0};
  if (band->of == NULL)
    return FALSE;
  first = column_of (band, channel);
  if (first < 0 && strcmp (channel, SSAPP_CHANNEL_TOTAL_ENERGY) == 0) {
    first = column_of (band, ss_quantity_name (SS_QUANTITY_KINETIC_ENERGY));
    second = column_of (band, ss_quantity_name (SS_QUANTITY_POTENTIAL_ENERGY));
  }
  if (first < 0)
    return FALSE;
  out->t = g_new (double, band->slopes->n_rows + 1);
  out->y = g_new (double, band->slopes->n_rows + 1);
  for (int row = 0; row < band->slopes->n_rows; row++) {
    const double *values = ss_trajectory_row (band->slopes, row);
    out->t[row] = values[0];
    out->y[row] = band->change * (values[first] + (second >= 0 ? values[second] : 0));
  }
  out->n = band->slopes->n_rows;
  return TRUE;
}

char **
ssapp_band_numbers (const SsTrajectory *slopes)
{
  GPtrArray *names = g_ptr_array_new ();

  for (int i = 0; slopes != NULL && i < slopes->n_channels; i++) {
    const char *name = slopes->channels[i].name;
    if (g_str_has_prefix (name, PREFIX) && g_str_has_suffix (name, MARK))
      g_ptr_array_add (names, g_strndup (name + strlen (PREFIX), strlen (name) - strlen (PREFIX) - strlen (MARK)));
  }
  g_ptr_array_add (names, NULL);
  return (char **)g_ptr_array_free (names, FALSE);
}
