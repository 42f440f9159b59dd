/* app/job/ssapp-asked.h: what a run was asked for beside method, options and parameters: the object "asked" of a
 * result, so that the run can be repeated from what is stored of it.
 *
 * {"verb": "optimise|simulate|replay|impact|sandbox|bench", "dt", "t_end" [s], "seed", "seconds", "cpu_seconds" and
 * "bytes" (limits), "ways_on" [s], "bound" [s], "keep_iterates", "every" (rows of every so many steps),
 * "outcomes" (name to formula), "motion": {"run", "rows", "channels", "sha256"}
 * (the start of an optimiser, the plan of a replay, the motion with an impact), "loop" (a closed loop), "at" [s],
 * "touching" [m], "tolerance" [m/s], "planes"}: what was not asked for is not there. The controller of a replay stands
 * beside it in the result, as it did before. The motion itself is the answer of its run, or is stored as role "given"
 * (ssapp_store_add_given).
 *
 * Threads: any. Tests: tests/unit/test-reproduce.c */
#pragma once

#include "app/base/ssapp-record.h"
#include "app/job/ssapp-runner.h"

G_BEGIN_DECLS

/* The role of a motion that a run was given, in a project. */
#define SSAPP_ROLE_GIVEN "given"

/* A closed loop: plans of a model one after another (app/bench/ssapp-bench-loops.h), under the verb bench. */
typedef struct {
  const char *disturbed; /* by what */
  int steps;             /* that plans look ahead from; 0: the task once */
  json_t *set;           /* parameters of the first plan: those of the run have as many points as its motion */
} SsappAskedLoop;

extern const SsappRecord ssapp_asked_loop_record;       /* of SsappAskedLoop */
extern const SsappRecord ssapp_asked_record;            /* of that object */
json_t *ssapp_asked_to_json (const SsappJobSpec *spec); /* new reference */
/* SHA-256 of the rows as little-endian float64, in hexadecimal; g_free. */
char *ssapp_asked_motion_hash (const SsTrajectory *motion);

G_END_DECLS
