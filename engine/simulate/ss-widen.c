/* engine/simulate/ss-widen.c: channels of the contacts that did something, of a scene with too many pairs for channels
 * of all; see ss-simulate.h. */
#include "simulate/ss-simulate-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of a contact, in this order. */
static const SsQuantity quantities[] = {SS_QUANTITY_GAP,
                                        SS_QUANTITY_NORMAL_FORCE,
                                        SS_QUANTITY_TANGENTIAL_FORCE,
                                        SS_QUANTITY_NORMAL_IMPULSE,
                                        SS_QUANTITY_TANGENTIAL_IMPULSE,
                                        SS_QUANTITY_PENETRATION,
                                        SS_QUANTITY_CONE_VIOLATION,
                                        SS_QUANTITY_DISSIPATED,
                                        SS_QUANTITY_LAW_RESIDUAL};
enum { N_QUANTITIES = sizeof quantities / sizeof *quantities };

static SsStatus
wide_new (const SsScene *scene, const SsTrajectory *motion, const int *place, int n_contacts, SsTrajectory **out,
          SsError *err)
{
  const int n = motion->n_channels, n_wide = n + N_QUANTITIES * n_contacts;
  SsChannel *channels = ss_new_array (SsChannel, (size_t)n_wide);
  SsArena *arena = ss_arena_new ();
  SsStatus status = ss_error_set (err, SS_ERR_MEMORY, "no memory for the names of %d channels", n_wide);

  if (channels == NULL || arena == NULL)
    goto done;
  memcpy (channels, motion->channels, (size_t)n * sizeof *channels);
  for (int i = 0; i < scene->n_contacts; i++)
    for (int k = 0; place[i] >= 0 && k < N_QUANTITIES; k++) {
      char name[SS_CHANNEL_NAME_MAX];
      snprintf (name, sizeof name, "%s.%s", scene->contacts[i].name, ss_quantity_name (quantities[k]));
      SsChannel *channel = &channels[n + N_QUANTITIES * place[i] + k];
      *channel = (SsChannel){.name = ss_arena_strdup (arena, name),
                             .quantity = quantities[k],
                             .unit = ss_quantity_unit (quantities[k]),
                             .owner = SS_OWNER_CONTACT,
                             .owner_name = scene->contacts[i].name};
      if (channel->name == NULL)
        goto done;
    }
  status = ss_trajectory_new (channels, n_wide, motion->n_rows, out, err);

done:
  ss_free (channels);
  ss_arena_free (arena);
  return status;
}

static void
fill_contact (const SsScene *scene, const SsContactRow *item, double *at)
{
  const double bound = scene->contacts[item->contact].mu * item->impulse_n;
  const double values[N_QUANTITIES] = {item->gap,
                                       item->lambda_n,
                                       item->lambda_t,
                                       item->impulse_n,
                                       item->impulse_t,
                                       item->gap < 0 ? -item->gap : 0,
                                       fmax (fabs (item->impulse_t) - bound, 0),
                                       item->dissipated,
                                       item->law_residual};
  memcpy (at, values, sizeof values);
}

/* Contacts of a row that do nothing: their gap is not known, what they have dissipated stays. */
static void
fill_rest (const double *before, int n_contacts, double *at)
{
  for (int i = 0; i < n_contacts; i++, at += N_QUANTITIES) {
    memset (at, 0, N_QUANTITIES * sizeof *at);
    at[0] = NAN;
    at[N_QUANTITIES - 2] = before != NULL ? before[N_QUANTITIES * i + N_QUANTITIES - 2] : 0;
  }
}

/* place[n_contacts]: among those that do something, in the scene's order; -1: it does nothing. Returns their number. */
static int
number_contacts (const SsScene *scene, const SsContactRows *contacts, int *place)
{
  int n = 0;

  for (int i = 0; i < scene->n_contacts; i++)
    place[i] = -1;
  for (int i = 0; i < contacts->n; i++)
    place[contacts->items[i].contact] = 0;
  for (int i = 0; i < scene->n_contacts; i++)
    if (place[i] >= 0)
      place[i] = n++;
  return n;
}

SsStatus
ss_sim_widen (const SsScene *scene, const SsContactRows *contacts, SsTrajectory **motion, int *n_with_channels,
              SsError *err)
{
  SS_ASSERT (scene != NULL && scene->n_bodies >= 0 && motion != NULL && n_with_channels != NULL);

  SsTrajectory *narrow = *motion, *wide = NULL;
  const int n = narrow->n_channels;
  int *place = ss_new_array (int, (size_t)scene->n_contacts + 1), next = 0;
  SsStatus status = SS_OK;

  *n_with_channels = 0;
  if (place == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the channels of contacts");
  const int n_contacts = number_contacts (scene, contacts, place);
  if (n_contacts == 0 || n_contacts > SS_CONTACTS_WITH_CHANNELS_MAX)
    goto done;
  status = wide_new (scene, narrow, place, n_contacts, &wide, err);
  if (status != SS_OK)
    goto done;
  for (int k = 0; k < narrow->n_rows; k++) {
    double *row = wide->values + (size_t)k * (size_t)wide->n_channels;
    memcpy (row, ss_trajectory_row (narrow, k), (size_t)n * sizeof *row);
    fill_rest (k > 0 ? row - wide->n_channels + n : NULL, n_contacts, row + n);
    for (; next < contacts->n && contacts->items[next].row == k; next++)
      fill_contact (scene, &contacts->items[next], row + n + N_QUANTITIES * place[contacts->items[next].contact]);
  }
  wide->n_rows = narrow->n_rows;
  ss_trajectory_free (narrow);
  *motion = wide;
  *n_with_channels = n_contacts;

done:
  ss_free (place);
  return status;
}
