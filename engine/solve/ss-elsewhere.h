/* engine/solve/ss-elsewhere.h: how a run asks for another optimiser's motion from a process of its own: for solvers
 * that are not safe in threads, do not come back when they are told to, or may end their process (Ipopt with MUMPS).
 *
 * The engine starts no processes; whoever runs a job may offer them (SsJob.elsewhere). What comes back is a motion to
 * start from, not believed in any other way.
 *
 * Threads: `run` is called by any thread, by several at once. Tests: tests/numeric/test-race.c, tests/store/test-job.c
 */
#pragma once

#include "core/ss-core.h"
#include "core/ss-status.h"

typedef struct {
  const char *method;              /* an optimiser's name                                  */
  const char *const (*options)[2]; /* name and value, of the method and the transcription  */
  int n_options;
  double work; /* limit of its counted work (core/ss-work.h) */
  double cpu;  /* limit of CPU time [s], for one that does not come back: far beyond that work */
} SsElsewhereJob;

typedef struct {
  char message[256];    /* of the run, or why there is none */
  double cpu, work;     /* that the process used [s], and counted */
  SsTrajectory *motion; /* owned; what it had so far where it was ended, the best it was at; NULL: none */
} SsElsewhereAnswer;

typedef struct {
  /* Runs the same scenario, with the parameters, steps and start of the run that asks, and returns when it has ended:
   * on its own, at its limit, or as `control` says, which also hears of its iterations. `answer` is initialised
   * here. */
  SsStatus (*run) (void *user_data, const SsElsewhereJob *job, SsRunControl *control, SsElsewhereAnswer *answer,
                   SsError *err);
  void *user_data;
} SsElsewhere;
