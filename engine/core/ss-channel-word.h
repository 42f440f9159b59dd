/* engine/core/ss-channel-word.h: channels and contacts as people call them: a contact of floor and box is "floor-box"
 * and "box-floor", and a dash may be written as in formulas, _. Threads: any. Tests: tests/unit/test-interest.c
 */
#pragma once

#include "core/ss-trajectory.h"

/* Whether a name begins with `n` bytes of a word, which may have '_' in the place of '-'. */
bool ss_name_is_spelled (const char *name, const char *word, size_t n);
/* Whether a word, `length` bytes of it, is the name of a contact "floor-box" with its two sides exchanged. */
bool ss_contact_is_exchanged (const char *contact, const char *word, size_t length);
/* Whether a word names the channel: its name; `is_exchanged`: that name with the two sides of its contact exchanged. */
bool ss_channel_is_called (const SsChannel *channel, const char *word, size_t length, bool is_exchanged);
/* The channel that a word means: by its name, else with the two sides of its contact exchanged; -1: none. */
int ss_trajectory_meant (const SsTrajectory *trajectory, const char *word, size_t length);
