/* engine/plan/ss-contact-pattern.c: see the header. */
#include "plan/ss-contact-pattern.h"

#include <stdio.h>

/* Of FNV-1a, 64 bits. */
static const uint64_t BASIS = 0xcbf29ce484222325u, PRIME = 0x100000001b3u;

/* The first row in which the contact pushes; the motion's number of rows: none. */
static int
first_row (const SsTrajectory *motion, const SsContact *contact)
{
  char name[SS_CHANNEL_NAME_MAX];

  snprintf (name, sizeof name, "%s.lambda_n", contact->name);
  const int channel = ss_trajectory_channel (motion, name);
  for (int k = 0; k < motion->n_rows && channel >= 0; k++)
    if (ss_trajectory_row (motion, k)[channel] > 0)
      return k;
  return motion->n_rows;
}

uint64_t
ss_contact_pattern (const SsScene *scene, const SsTrajectory *motion)
{
  SS_ASSERT (motion != NULL && motion->n_rows >= 0);

  uint64_t pattern = BASIS;
  int done = -1;

  while (done < motion->n_rows) { /* rows at which some begin, ascending */
    int next = motion->n_rows;

    for (int c = 0; c < scene->n_contacts; c++) {
      const int row = first_row (motion, &scene->contacts[c]);

      if (row == done && row < motion->n_rows)
        pattern = (pattern ^ (uint64_t)(c + 1)) * PRIME;
      next = row > done && row < next ? row : next;
    }
    done = next;
  }
  return pattern;
}
