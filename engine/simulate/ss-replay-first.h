/* engine/simulate/ss-replay-first.h: where a replay parts from its plan: the first contact that is in another state.
 *
 * States    of a contact as a pair, by the forces of a row: open without a normal force (below 1e-6 of the motion's
 *           largest is rounding); slips where the friction force has 0.995 of its bound, sticks below that; without
 *           friction it touches.
 * Compared  at the plan's times that the replay has reached, behind its first row: a contact parts at the first of two
 *           of the plan's times on end (or at the last one) at which its states differ, since events of two laws are up
 *           to a step apart. Of several contacts the one of the larger normal force.
 * Before    that the bodies may have gone apart by themselves, as a pole falls: where they are farther than
 *           SS_REPLAY_APART from the plan when a contact parts, they are told to part when they were SS_REPLAY_ASTRAY
 *           away, and no contact.
 * Nothing   parts where bodies and angles stay within SS_REPLAY_PARTED of the plan; and where no contact differs the
 *           two are told to part from that distance on.
 *
 * Threads   any. Tests: tests/numeric/test-replay.c
 */
#pragma once

#include "core/ss-trajectory.h"
#include "scene/ss-scenario.h"

#define SS_REPLAY_APART  1e-2 /* [m or rad] */
#define SS_REPLAY_ASTRAY 1e-3 /* [m or rad] */

typedef enum {
  SS_CONTACT_STATE_OPEN,
  SS_CONTACT_STATE_TOUCHES,
  SS_CONTACT_STATE_STICKS,
  SS_CONTACT_STATE_SLIPS,
  SS_CONTACT_STATE_COUNT
} SsContactState;

/* "open", "touches", "sticks", "slips"; static text. */
const char *ss_contact_state_name (SsContactState state);

typedef struct {
  bool is_parted;              /* false: nothing differs, and the rest but `largest` is not set */
  double t;                    /* one of the plan's times [s] */
  int contact;                 /* of the scene; -1: no contact differs, the bodies only */
  SsContactState plan, replay; /* of the contact */
  int body;                    /* the farthest from its plan at t */
  double distance, angle;      /* the largest at t [m], [rad] */
  double largest;              /* over all times [m or rad] */
} SsReplayFirst;

/* believed: the scene that the plan was made for, with the same bodies and contacts, whose friction may differ (NULL:
 * the same). Motions without channels of contacts are compared by their bodies alone. SS_ERR_INVALID when they have no
 * moving body in common; SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_replay_find_first (const SsScene *scene, const SsScene *believed, const SsTrajectory *plan,
                                            const SsTrajectory *replay, SsReplayFirst *out, SsError *err);
