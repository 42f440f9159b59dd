/* app/draw/ssapp-cone.c: see the header. */
#include "app/draw/ssapp-cone.h"

#include <math.h>
#include <string.h>

static int
channel_of (const SsTrajectory *motion, const char *contact, SsQuantity quantity)
{
  for (int c = 1; c < motion->n_channels; c++)
    if (motion->channels[c].quantity == quantity && motion->channels[c].owner == SS_OWNER_CONTACT &&
        strcmp (motion->channels[c].owner_name, contact) == 0)
      return c;
  return -1;
}

static double
largest (const SsTrajectory *motion, int channel)
{
  double out = 0;

  for (int row = 0; channel >= 0 && row < motion->n_rows; row++) {
    const double value = fabs (ss_trajectory_row (motion, row)[channel]);
    if (isfinite (value))
      out = MAX (out, value);
  }
  return out;
}

/* That of every channel, in one walk over the rows: a long motion is larger than any cache. g_free. */
static double *
largest_of_all (const SsTrajectory *motion)
{
  double *out = g_new0 (double, motion->n_channels);

  for (int row = 0; row < motion->n_rows; row++) {
    const double *values = ss_trajectory_row (motion, row);
    for (int c = 0; c < motion->n_channels; c++)
      if (fabs (values[c]) > out[c] && isfinite (values[c]))
        out[c] = fabs (values[c]);
  }
  return out;
}

/* Both channels; impulses where there are no forces but those. `most`: of every channel; NULL: not known yet. */
static gboolean
find_pair (const SsTrajectory *motion, const char *contact, const double *most, int *normal, int *tangential,
           gboolean *is_impulse)
{
  const int impulse_n = channel_of (motion, contact, SS_QUANTITY_NORMAL_IMPULSE);
  const int impulse_t = channel_of (motion, contact, SS_QUANTITY_TANGENTIAL_IMPULSE);

  *normal = channel_of (motion, contact, SS_QUANTITY_NORMAL_FORCE);
  *tangential = channel_of (motion, contact, SS_QUANTITY_TANGENTIAL_FORCE);
  *is_impulse =
      MIN (impulse_n, impulse_t) >= 0 &&
      (MIN (*normal, *tangential) < 0 || ((most != NULL ? most[*normal] : largest (motion, *normal)) == 0 &&
                                          (most != NULL ? most[impulse_n] : largest (motion, impulse_n)) > 0));
  if (*is_impulse) {
    *normal = impulse_n;
    *tangential = impulse_t;
  }
  return MIN (*normal, *tangential) >= 0;
}

/* Whether find_pair finds one: told by the channels alone. */
static gboolean
has_pair (const SsTrajectory *motion, const char *contact)
{
  return (channel_of (motion, contact, SS_QUANTITY_NORMAL_FORCE) >= 0 &&
          channel_of (motion, contact, SS_QUANTITY_TANGENTIAL_FORCE) >= 0) ||
         (channel_of (motion, contact, SS_QUANTITY_NORMAL_IMPULSE) >= 0 &&
          channel_of (motion, contact, SS_QUANTITY_TANGENTIAL_IMPULSE) >= 0);
}

GPtrArray *
ssapp_cone_contacts (const SsTrajectory *motion)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  const char *last = "";

  for (int c = 1; motion != NULL && c < motion->n_channels; c++) {
    const SsChannel *channel = &motion->channels[c];
    if (channel->owner != SS_OWNER_CONTACT || strcmp (channel->owner_name, last) == 0)
      continue;
    last = channel->owner_name;
    if (!g_ptr_array_find_with_equal_func (names, last, g_str_equal, NULL) && has_pair (motion, last))
      g_ptr_array_add (names, g_strdup (last));
  }
  return names;
}

const char *
ssapp_cone_first (const SsTrajectory *motion)
{
  const char *best = NULL, *last = "";
  g_autofree double *largest_each = motion != NULL ? largest_of_all (motion) : NULL;
  double most = -1;
  int normal, tangential;
  gboolean is_impulse;

  for (int c = 1; motion != NULL && c < motion->n_channels; c++) {
    const SsChannel *channel = &motion->channels[c];
    if (channel->owner != SS_OWNER_CONTACT || strcmp (channel->owner_name, last) == 0)
      continue;
    last = channel->owner_name;
    if (!find_pair (motion, last, largest_each, &normal, &tangential, &is_impulse))
      continue;
    const double press = largest_each[normal] * (is_impulse ? 1e-9 : 1); /* forces first */
    if (press > most) {
      most = press;
      best = last;
    }
  }
  return best;
}

/* Of the contact, or of the one whose point this is: "floor-box.1" or "floor-box_1" begin with its name. */
static double
find_mu (const SsScene *scene, const char *contact)
{
  size_t longest = 0;
  double mu = NAN;

  for (int i = 0; scene != NULL && i < scene->n_contacts; i++) {
    const size_t n = strlen (scene->contacts[i].name);
    const char after = strncmp (scene->contacts[i].name, contact, n) == 0 ? contact[n] : 'x';
    if (after == '\0')
      return scene->contacts[i].mu;
    if ((after == '.' || after == '_' || after == ':') && n > longest) {
      longest = n;
      mu = scene->contacts[i].mu;
    }
  }
  return mu;
}

gboolean
ssapp_cone_init (SsappCone *cone, const SsScene *scene, const SsTrajectory *motion, const char *contact)
{
  g_return_val_if_fail (cone != NULL, FALSE);

  int normal, tangential;

  *cone = (SsappCone){.mu = NAN};
  if (motion == NULL || contact == NULL || !find_pair (motion, contact, NULL, &normal, &tangential, &cone->is_impulse))
    return FALSE;
  ssapp_path_init (&cone->path, motion, normal, tangential, 1);
  cone->mu = find_mu (scene, contact);
  return cone->path.n > 0;
}

void
ssapp_cone_clear (SsappCone *cone)
{
  g_return_if_fail (cone != NULL);
  ssapp_path_clear (&cone->path);
}

void
ssapp_cone_lines (double mu, double x_end, SsappPlotLine lines[2])
{
  g_return_if_fail (lines != NULL);
  lines[0] = (SsappPlotLine){0, 0, x_end, mu * x_end};
  lines[1] = (SsappPlotLine){0, 0, x_end, -mu * x_end};
}

double
ssapp_cone_x_end (const SsappCone *cone)
{
  g_return_val_if_fail (cone != NULL, (double)NAN);
  double out = 0;

  for (int k = 0; k < cone->path.n; k++)
    if (isfinite (cone->path.x[k]))
      out = MAX (out, cone->path.x[k]);
  return out;
}

char *
ssapp_cone_label (const SsappCone *cone, const char *contact, gboolean is_normal)
{
  g_return_val_if_fail (cone != NULL, NULL);
  return g_strdup_printf ("%s %s%s%s [%s]", is_normal ? "Normal" : "Tangential", cone->is_impulse ? "impulse" : "force",
                          contact != NULL ? " of " : "", contact != NULL ? contact : "",
                          cone->is_impulse ? "N s" : "N");
}
