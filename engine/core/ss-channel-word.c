/* engine/core/ss-channel-word.c: see the header. */
#include "core/ss-channel-word.h"

#include "core/ss-status.h"

#include <string.h>

bool
ss_name_is_spelled (const char *name, const char *word, size_t n)
{
  SS_ASSERT (name != NULL && word != NULL);
  for (size_t i = 0; i < n; i++)
    if (name[i] == '\0' || (name[i] != word[i] && !(name[i] == '-' && word[i] == '_')))
      return false;
  return true;
}

bool
ss_contact_is_exchanged (const char *contact, const char *word, size_t length)
{
  SS_ASSERT (contact != NULL && word != NULL);
  if (strlen (contact) != length)
    return false;
  for (const char *dash = strchr (contact, '-'); dash != NULL; dash = strchr (dash + 1, '-')) {
    const size_t first = (size_t)(dash - contact), second = length - first - 1;

    if (ss_name_is_spelled (dash + 1, word, second) && ss_name_is_spelled ("-", word + second, 1) &&
        ss_name_is_spelled (contact, word + second + 1, first))
      return true;
  }
  return false;
}

bool
ss_channel_is_called (const SsChannel *channel, const char *word, size_t length, bool is_exchanged)
{
  SS_ASSERT (channel != NULL && word != NULL);
  const size_t owner = is_exchanged ? strlen (channel->owner_name) : 0;

  if (strlen (channel->name) != length || owner > length)
    return false;
  return (!is_exchanged || ss_contact_is_exchanged (channel->owner_name, word, owner)) &&
         ss_name_is_spelled (channel->name + owner, word + owner, length - owner);
}

int
ss_trajectory_meant (const SsTrajectory *trajectory, const char *word, size_t length)
{
  SS_ASSERT (trajectory != NULL && word != NULL);

  for (int is_exchanged = 0; is_exchanged < 2; is_exchanged++)
    for (int i = 0; i < trajectory->n_channels; i++)
      if (ss_channel_is_called (&trajectory->channels[i], word, length, is_exchanged))
        return i;
  return -1;
}
