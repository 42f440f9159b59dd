/* app/bench/ssapp-bench-edits.h: suite edits: what the motion after an edit of a gallery scene costs, by the code that
 * the Sketch page follows its edits with (session/ssapp-live-motion.h).
 *
 * The edit is of the title: the scene is read, simulated and looked through for events anew, and stays itself.
 * Threads: the main one, one at a time. Tests: tests/cli/test-bench.sh */
#pragma once

#include "app/bench/ssapp-bench-runs.h"
#include "app/bench/ssapp-bench-sheet.h"

G_BEGIN_DECLS

#define SSAPP_BENCH_EDITS_GOAL_MS 100 /* of CPU time; so for 95 of 100 scenes */

typedef struct {
  char **names; /* of scenes; NULL: all of the gallery that move */
  int repeats;  /* edits of each; the median counts */
  SsRunControl *control;
  SsappBenchSay say; /* nullable: a line a scene */
} SsappBenchEditsPlan;

/* Table "edits", a row a scene. n_failed: scenes without a whole motion. NULL with an error: a name is none. */
SsappBenchSheet *ssapp_bench_edits (const SsappBenchEditsPlan *plan, int *n_failed, GError **error);

G_END_DECLS
