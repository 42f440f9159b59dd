/* app/session/ssapp-reproduce.h: a stored run made once more from what is stored of it, and what of it came out the
 * same.
 *
 * What is repeated: the text of the scenario as it was, parameters, method, options, seed, step, horizon, the start or
 * plan it was given, controller, disturbances; in a worker of its own. What cannot be repeated is refused in words: a
 * run that hands, a cancel or a limit of time ended, and one that hands steered. What may come out otherwise for a
 * reason (another version, machine or library; a race, whose members are stopped by the clock) is a note beside the
 * answer.
 *
 * What is compared: every number of every motion and of the samples, bit by bit, the outcome, and all metrics but times
 * and what depends on the machine alone (threads, reuse of a set-up). Equal: all of them. Within tolerance: the outcome
 * and all counts are the same, and no number of a channel is further off than `tolerance` times the larger of 1 and the
 * channel's largest value, no metric further than that times the larger of 1 and its value.
 *
 * Threads: main thread only. Tests: tests/unit/test-reproduce.c, tests/cli/test-reproduce.sh */
#pragma once

#include "app/job/ssapp-job.h"
#include "app/store/ssapp-store.h"

G_BEGIN_DECLS

/* Relative; what another order of the same sums leaves after some thousand steps that do not part. */
#define SSAPP_REPRODUCE_TOLERANCE 1e-9

/* ---- repeating --------------------------------------------------------------------------------------------------- */

/* The job that repeats the run, not started, without limits of time; its id is its own. What may make the answer
 * another one is added to `notes` (of char *). NULL with an error where the run cannot be repeated: it says why. For a
 * local solution of a plan it is the job of the plan. */
SsappJob *ssapp_reproduce_new_job (SsappStore *store, const char *id, GPtrArray *notes, GError **error);
/* Adds what was another when the run was made: version, compiler, processor, libraries. */
void ssapp_reproduce_note_program (SsappStore *store, const char *id, GPtrArray *notes);
/* Stores the job, which has ended, as a run of the project like any other, with a note which run it repeats. Its id,
 * g_free. */
char *ssapp_reproduce_keep (SsappStore *store, SsappJob *job, const char *of, GError **error);

/* ---- comparing --------------------------------------------------------------------------------------------------- */

/* What is compared of a run. */
typedef struct {
  json_t *result;        /* NULL: it has none */
  GArray *motions;       /* of SsappReproduceMotion, the answer first; may be empty */
  GArray *samples;       /* of double, in single precision where the project has them so */
  char **sample_columns; /* NULL: it has no samples */
} SsappReproduceRecord;

typedef struct {
  char *name; /* "" of the answer, "branch 3" of others; owned */
  SsTrajectory *trajectory;
} SsappReproduceMotion;

/* NULL with an error where it cannot be read. */
SsappReproduceRecord *ssapp_reproduce_record_stored (SsappStore *store, const char *id, GError **error);
/* Of a result and the answer's motion, both taken. */
SsappReproduceRecord *ssapp_reproduce_record_new (json_t *result, SsTrajectory *motion);
/* Of a job that has ended; `solution`: words of the start of a local solution that is meant, NULL: the answer. */
SsappReproduceRecord *ssapp_reproduce_record_job (SsappJob *job, const char *solution);
void ssapp_reproduce_record_free (SsappReproduceRecord *record);

typedef enum { SSAPP_REPRODUCE_EQUAL, SSAPP_REPRODUCE_WITHIN, SSAPP_REPRODUCE_DIFFERS } SsappReproduceVerdict;

/* A channel with numbers that differ. */
typedef struct {
  char *motion, *name, *unit; /* motion: as above */
  double largest;             /* largest difference, in the unit; NaN where only one of the two is a number */
  double t;                   /* where that is [s] */
  gboolean is_within;
} SsappReproduceChannel;

/* The first number that differs: in DIFFERS the first beyond the tolerance, else the first that is not the same bits.
 */
typedef struct {
  char *motion, *channel, *unit;
  int row;
  double t, was, is;  /* t [s], NaN in samples; as stored, and as repeated */
  gboolean is_beyond; /* the tolerance */
} SsappReproduceFrame;

typedef struct {
  SsappReproduceVerdict verdict;
  double tolerance;
  gint64 n_values;            /* of motions and samples that were compared */
  SsappReproduceFrame *first; /* NULL: no number differs */
  GArray *channels;           /* of SsappReproduceChannel, by motion and place */
  GPtrArray *differences;     /* of char *: outcome, metrics, shapes, a sentence each */
} SsappReproduced;

/* New; both records stay the caller's. `tolerance`: as above, 0: bit by bit alone. */
SsappReproduced *ssapp_reproduce_compare (const SsappReproduceRecord *stored, const SsappReproduceRecord *repeated,
                                          double tolerance);
/* NULL is allowed. */
void ssapp_reproduced_free (SsappReproduced *self);

/* What came out, a sentence a line, with the notes (may be NULL) last; g_free. */
char *ssapp_reproduced_dup_text (const SsappReproduced *self, const GPtrArray *notes);
/* {"verdict", "tolerance", "values", "first": {...}|null, "channels": [...], "differences": [...], "notes": [...]} */
json_t *ssapp_reproduced_to_json (const SsappReproduced *self, const GPtrArray *notes);

G_END_DECLS
