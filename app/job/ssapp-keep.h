/* app/job/ssapp-keep.h: what a project keeps of runs' motions, as a study asks for it or `shrink` leaves it.
 * Threads: any. Tests: tests/cli/test-keep.sh
 */
#pragma once

#include <glib.h>

#include "core/ss-trajectory.h"

G_BEGIN_DECLS

typedef enum {
  SSAPP_KEEP_ALL,     /* every row */
  SSAPP_KEEP_THINNED, /* of the answer some SSAPP_KEEP_ROWS rows, to look at: no other motion, none to go on from */
  SSAPP_KEEP_METRICS, /* none: metrics, outcomes and events alone */
  SSAPP_KEEP_COUNT
} SsappKeep;

/* Times of a thinned motion; one with jumps has up to two rows each. */
enum { SSAPP_KEEP_ROWS = 200 };
/* Role of such a motion in a project. */
#define SSAPP_ROLE_THINNED "thinned"

/* "all", "thinned", "metrics"; static. */
const char *ssapp_keep_name (SsappKeep keep);
/* FALSE: it is none of these. */
gboolean ssapp_keep_from_name (const char *name, SsappKeep *keep);
/* Every n-th time and the last one, of rows with equal times the first and the last, so that a jump stays one: a new
 * motion of at most about `most` times; NULL: out of memory. Stages (core/ss-stage-rows.h) are not kept. */
SsTrajectory *ssapp_keep_thin (const SsTrajectory *motion, int most);

G_END_DECLS
