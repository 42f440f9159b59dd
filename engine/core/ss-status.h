/* engine/core/ss-status.h: status codes, error values, lists of problems, outcomes.
 *
 * Three kinds of failure, three roads:
 *   1. the caller broke the contract           SS_ASSERT (aborts, in every build: a wrong answer is worse)
 *   2. it could not be done                    SsStatus is returned and an optional SsError is filled
 *   3. it ended otherwise than hoped           SS_OK and an SsOutcome in the result: not an error
 *
 * Threads: plain values; no shared state.
 */
#pragma once

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#if defined(__GNUC__)
#define SS_NODISCARD         __attribute__ ((warn_unused_result))
#define SS_PRINTF(fmt, args) __attribute__ ((format (printf, fmt, args)))
#else
#define SS_NODISCARD
#define SS_PRINTF(fmt, args)
#endif

#define SS_ASSERT(condition) assert (condition)

/* clang-format off */
#define SS_STATUS_LIST(X)                                                                                              \
  X (OK,            "no error")                                                                                        \
  X (ERR_ARG,       "an argument is outside its range")                                                                \
  X (ERR_MEMORY,    "out of memory")                                                                                   \
  X (ERR_IO,        "a file could not be read or written")                                                             \
  X (ERR_SYNTAX,    "text does not follow its grammar")                                                                \
  X (ERR_INVALID,   "the input is well formed but not valid")                                                          \
  X (ERR_SINGULAR,  "a matrix is singular to working precision")                                                       \
  X (ERR_NOT_BUILT, "this build was made without that part")                                                           \
  X (ERR_INTERNAL,  "something that should not happen did; please report it")

#define SS_OUTCOME_LIST(X)                                                                                             \
  X (SOLVED, "solved") X (COMPLETED, "completed") X (MAX_ITERATIONS, "max_iterations") X (INFEASIBLE, "infeasible")    \
  X (STALLED, "stalled") X (DIVERGED, "diverged") X (CANCELLED, "cancelled") X (TIME_LIMIT, "time_limit")              \
  X (INTERRUPTED, "interrupted") X (FAILED, "failed") X (NOT_REPLAYABLE, "not_replayable")                             \
  X (CPU_LIMIT, "cpu_limit") X (UNBOUNDED, "unbounded") X (MACHINE_SLOW, "machine_slow") X (PAUSED, "paused")
/* clang-format on */

typedef enum {
#define X(name, text) SS_##name,
  SS_STATUS_LIST (X)
#undef X
} SsStatus;

/* How a run ended; the strings are those of the result format. TIME_LIMIT: the method used its wall time up;
 * MACHINE_SLOW: other programs did, and the run says nothing of its method; PAUSED: it was asked to stop at an iterate,
 * from which it can be gone on. */
typedef enum {
#define X(name, text) SS_OUTCOME_##name,
  SS_OUTCOME_LIST (X)
#undef X
} SsOutcome;

const char *ss_status_text (SsStatus status);                     /* static string                                   */
const char *ss_outcome_name (SsOutcome outcome);                  /* static string                                   */
bool ss_outcome_from_name (const char *name, SsOutcome *outcome); /* false if unknown                                */
/* Whether the run was ended from outside: asked to, or by a limit of time (TIME_LIMIT, CPU_LIMIT, MACHINE_SLOW). */
bool ss_outcome_is_early (SsOutcome outcome);
/* Whether it was asked to end, CANCELLED or PAUSED: nobody waits for more than what there is. */
bool ss_outcome_is_asked (SsOutcome outcome);
const char *ss_outcome_early_words (SsOutcome outcome); /* "time limit reached"; of others "ended"; static */

/* One error, on the caller's stack. All strings are truncated to fit, always terminated. */
typedef struct {
  SsStatus status;
  int line;           /* 1-based line of the text it was found in; 0 if unknown             */
  int column;         /* 1-based column; 0 if unknown                                       */
  char file[256];     /* "" if unknown                                                      */
  char path[160];     /* place in the document, such as "bodies[2].mass"; "" if none        */
  char message[320];  /* what is wrong, one sentence without full stop                      */
  char expected[192]; /* what was expected instead; "" if not applicable                    */
} SsError;

/* Fills `err` (NULL is allowed) and returns `status`, so that `return ss_error_set (err, SS_ERR_ARG, "...")` works.
 * Clears line, path, file and expected. */
SsStatus ss_error_set (SsError *err, SsStatus status, const char *format, ...) SS_PRINTF (3, 4);

/* "FILE:LINE: PATH: message (expected ...)" without the parts that are unknown. Always terminates `buffer`. */
void ss_error_format (const SsError *err, char *buffer, size_t size);

/* A growing list of errors: validation reports all of them, not the first. Heap; `ss_problems_clear` releases. */
typedef struct {
  int n_items;
  int capacity;
  SsError *items; /* owned */
  bool truncated; /* true when more than SS_PROBLEMS_MAX were found; the rest is dropped */
} SsProblems;

enum { SS_PROBLEMS_MAX = 200 };

/* Empty lists own nothing; cleared ones are empty and may be used again. */
void ss_problems_init (SsProblems *problems);
void ss_problems_clear (SsProblems *problems);
void ss_problems_add (SsProblems *problems, const SsError *error); /* copied; out of memory sets `truncated` */
