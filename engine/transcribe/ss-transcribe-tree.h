/* engine/transcribe/ss-transcribe-tree.h: motions in joint coordinates, for transcriptions that keep them as variables.
 *
 * Slots      three a body, [3 n_bodies], as x, y, theta of a free body: its own; of a body that a joint carries
 *            (t->tree, ss_transcription_choose_tree) the first is the joint's coordinate s (angle of a pin [rad],
 *            travel of a slider [m]; a weld has none), the others are nothing. Their rates are the velocities. t->q
 *            and t->v are the variables of the slots, SS_NO_VARIABLE where a slot has none.
 * Equations  poses q(s), J = dq/ds, velocities v = J s', accelerations J s'' + (dJ/dt) s'; a balance M a = f of all
 *            bodies is J' (M a - f) = 0, one row a slot, so that M(q) = J' M J is never written down.
 * Without joints every function gives what it is given: rows stay as they are.
 *
 * Errors     SS_EXPR_NONE in a result: out of memory.
 * Tests      tests/numeric/test-fesd-trees.c
 */
#pragma once

#include "transcribe/ss-transcribe-private.h"

/* Coordinates of all bodies at one instant. */
typedef struct {
  const SsExpr *q, *v;    /* 3 n_bodies: slots and their rates; of slots that are nothing: 0        */
  const int *of_q, *of_v; /* 3 n_bodies: their places among the graph's inputs; -1: constant or nothing */
} SsCoordinatesExpr;

/* Whether the slot stands for a coordinate at all: constant ones do. */
bool ss_transcription_has_slot (const SsTranscription *t, int slot);
/* Whether it is coordinate `slot` % 3 of body `slot` / 3 itself. */
bool ss_transcription_is_own_slot (const SsTranscription *t, int slot);
/* Name of the body or joint that the slot belongs to, and of the slot there: x, vx, position, velocity. */
const char *ss_transcription_slot_owner (const SsTranscription *t, int slot);
const char *ss_transcription_slot_name (const SsTranscription *t, int slot, bool is_rate);

/* Slots from the variables of_q, of_v (SS_NO_VARIABLE: constants of the scene), `shift` points on; in t->arena. */
SsCoordinatesExpr ss_transcription_coordinates (SsTranscription *t, const int *of_q, const int *of_v, int shift);
/* Poses and velocities of all bodies, q[3 n_bodies], v[3 n_bodies]. `rates` NULL: those of the coordinates. */
void ss_transcription_poses (const SsTranscription *t, const SsCoordinatesExpr *at, SsExpr *q);
void ss_transcription_velocities (const SsTranscription *t, const SsCoordinatesExpr *at, const SsExpr *q,
                                  const SsExpr *rates, SsExpr *v);
/* change[3 n_bodies]: J d + length (dJ/dt) s' for changes d of the rates: with d = length s'' what velocities of bodies
 * change by; length SS_EXPR_NONE: a jump, without the second term. q, v: of the bodies. */
void ss_transcription_changes (const SsTranscription *t, const SsCoordinatesExpr *at, const SsExpr *q, const SsExpr *v,
                               const SsExpr *d, SsExpr length, SsExpr *change);
/* The balance of a slot, J' (M change - length f) over what the slot moves of its own body (length SS_EXPR_NONE: 1). */
SsExpr ss_transcription_slot_balance (const SsTranscription *t, const SsCoordinatesExpr *at, int slot, const SsExpr *q,
                                      const SsExpr *change, const SsExpr *f, SsExpr length);

/* What a joint's coordinate moves of the body that it carries, by which its balance is divided. */
SsExpr ss_transcription_carried_mass (const SsTranscription *t, const SsJoint *joint);

/* The same in numbers: slots and rates from poses and velocities that keep the joints, and back. */
void ss_transcription_find_slots (const SsTranscription *t, const double *q, const double *v, double *slots,
                                  double *rates);
void ss_transcription_follow_slots (const SsTranscription *t, const double *slots, const double *rates, double *q,
                                    double *v);
/* What a slot moves of its own body: mass, inertia, or the inertia about a pin. */
double ss_transcription_slot_mass (const SsTranscription *t, int slot);
