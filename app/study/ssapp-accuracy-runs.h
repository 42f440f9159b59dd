/* app/study/ssapp-accuracy-runs.h: makes the runs of simulators against a reference, one after another, each in a
 * process of its own, so that times can be compared and a crash ends one run.
 *
 * Reference  a truth that is given; or a run of one method with a short step, for all; or such a run of each method,
 *            for its own. Reference runs come first and are no rows.
 * Times      that are compared: the multiples of the longest step, the same for all runs, and the end.
 * Project    where there is one, every first run is recorded, and when all have ended they become a comparison.
 *
 * Threads    that of the store, with a main loop. Tests: tests/cli/test-accuracy.sh
 */
#pragma once

#include "app/store/ssapp-store.h"
#include "app/study/ssapp-accuracy.h"

G_BEGIN_DECLS

/* Of the shortest step: that of reference runs where no other is given. A method of first order is then off by an
 * eighth of what its finest run is off by, which its order does not feel. */
#define SSAPP_ACCURACY_REFERENCE_PART 8

/* What to run. All borrowed for the call, but for the truth, which is taken. */
typedef struct {
  const char *scenario_text, *scenario_name;
  const SsOverride *set;
  int n_set;
  GPtrArray *methods; /* of SsappAccuracyMethod, at least one; a reference is taken of the array */
  const double *steps;
  guint n_steps;
  double t_end;                         /* NaN: the scenario's */
  const SsappAccuracyMethod *reference; /* its run is the reference for all; NULL: see `truth` */
  SsappTruth *truth;                    /* NULL without `reference`: each method's own finest run */
  double reference_step;                /* NaN: see above */
  SsappErrorKind kind;
  const char *channels; /* ssapp_truth_channels; NULL: those that suit */
  guint repeats;        /* of each run, of which the least CPU time counts; at least 1 */
  double time_limit;    /* of one run [s]; NaN: none */
  const char *outcome;  /* "third=final(box3.x)", of which the error is told too; needs reference runs; NULL: none */
  SsappStore *store;    /* NULL: nothing is kept */
} SsappAccuracyPlan;

#define SSAPP_TYPE_ACCURACY_RUNS (ssapp_accuracy_runs_get_type ())
G_DECLARE_FINAL_TYPE (SsappAccuracyRuns, ssapp_accuracy_runs, SSAPP, ACCURACY_RUNS, GObject)

/* Steps that suit a motion of that length: a fiftieth of it, halved five times. */
enum { SSAPP_ACCURACY_STEPS = 6 };
void ssapp_accuracy_default_steps (double t_end, double steps[SSAPP_ACCURACY_STEPS]);

/* NULL with an error: the scenario cannot be read or is no scene, a method is no integrator, a step is not positive or
 * longer than the motion. Signals "changed" (): a run ended; "ended" (): nothing runs any more. */
SsappAccuracyRuns *ssapp_accuracy_runs_new (const SsappAccuracyPlan *plan, GError **error);
void ssapp_accuracy_runs_start (SsappAccuracyRuns *self);
/* Ends what runs; "ended" follows. */
void ssapp_accuracy_runs_stop (SsappAccuracyRuns *self);
gboolean ssapp_accuracy_runs_is_running (SsappAccuracyRuns *self);
gboolean ssapp_accuracy_runs_was_stopped (SsappAccuracyRuns *self);
/* What there is so far; borrowed. */
const SsappAccuracy *ssapp_accuracy_runs_get (SsappAccuracyRuns *self);
/* Runs that ended, of how many; `words` (NULL: not asked for; g_free): what runs, "fesd-j, step 0.01 s". */
void ssapp_accuracy_runs_get_progress (SsappAccuracyRuns *self, guint *done, guint *total, char **words);
/* Why something could not be stored; NULL: nothing was lost. Borrowed. */
const char *ssapp_accuracy_runs_get_store_error (SsappAccuracyRuns *self);

G_END_DECLS
