/* app/steps/ssapp-step-saver.h: the contact problems of a simulation's steps, each written to a file of a folder while
 * they are solved: SCENE-METHOD-STEP-SOLVE.json. A step has more than one where its margin of contacts was too narrow,
 * where contacts bounce, and of joints one at either end.
 *
 * No file is replaced. A write that fails (a full disk) is told by the end, ends the writing, and lets the run go on.
 * Threads: the watch is called by the solver's thread, the rest by the other one when that has ended. Tests:
 * tests/cli/test-contacts.sh */
#pragma once

#include <gio/gio.h>

#include "contact/ss-contact-problem.h"

G_BEGIN_DECLS

typedef struct {
  int every;         /* steps: of every so many; 0, 1: of all                   */
  int points;        /* only problems of at least so many contact points        */
  double residual;   /* only those that were solved no better; 0: all           */
  int most;          /* files                                                   */
  double most_bytes; /* of all files together                                   */
} SsappStepFilter;
/* All problems with contact points, up to 1000 files and 1 GB. */
void ssapp_step_filter_init (SsappStepFilter *filter);

typedef struct SsappStepSaver SsappStepSaver;

/* Makes the folder where there is none. NULL with an error: it cannot be written, or has problems of that scene by that
 * method already. */
SsappStepSaver *ssapp_step_saver_new (const char *folder, const char *scene, const char *method,
                                      const SsappStepFilter *filter, GError **error);
void ssapp_step_saver_free (SsappStepSaver *self); /* NULL is allowed */
/* For SsSimulateJob.contacts; borrowed. */
const SsContactWatch *ssapp_step_saver_watch (const SsappStepSaver *self);
/* How many were written, and how many more there would have been but for the limits; FALSE with an error after a write
 * that failed. */
gboolean ssapp_step_saver_end (SsappStepSaver *self, int *n_written, int *n_left_out, GError **error);

G_END_DECLS
