/* engine/core/ss-relay.h: controls for runs that are parts of a run.
 *
 * Both ask the outer control in every iteration whether to stop, SsSilence in every frame too, have its limits where
 * said, and must not move after their init. `outer` may be NULL. Threads: as for SsRunControl.
 * Tests: tests/unit/test-core.c
 */
#pragma once

#include "core/ss-run-control.h"

/* For a part whose progress is none of the run's: it tells nobody. */
typedef struct {
  SsRunControl inner, *outer;
  bool no_restoration; /* stops an optimiser that begins one, too (its column `restoration`) */
} SsSilence;
/* It runs until the outer one says so. */
void ss_silence_init (SsSilence *silence, SsRunControl *outer);

/* What the parts tell is told on, iterations numbered through, iterates only where has_iterates (those of other models
 * than the run's mean nothing to who listens). Warnings of a part, such as of contacts that it leaves out, are told on
 * with the iterates alone. It has the outer control's limits. */
typedef struct {
  SsRunControl inner, *outer;
  int offset, last; /* of iterations: added to those told; the last one told, -1: none */
  bool has_iterates;
} SsRelay;
/* With the outer one's limits; no iteration told yet. */
void ss_relay_init (SsRelay *relay, SsRunControl *outer);
