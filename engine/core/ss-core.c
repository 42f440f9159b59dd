/* engine/core/ss-core.c: status, errors, memory, random numbers, clocks, run control, trajectories.
 *
 * The allocation counters are thread-local: they are the one piece of file-scope state in the engine, exist for tests,
 * and no result depends on them.
 */
#include "core/ss-core.h"
#include "core/ss-work.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- status ------------------------------------------------------------------------------------------------------ */

const char *
ss_status_text (SsStatus status)
{
  switch (status) {
#define X(name, text)                                                                                                  \
  case SS_##name:                                                                                                      \
    return text;
    SS_STATUS_LIST (X)
#undef X
  }
  return "unknown status";
}

static const char *const outcome_names[] = {
#define X(name, text) [SS_OUTCOME_##name] = text,
    SS_OUTCOME_LIST (X)
#undef X
};
enum { N_OUTCOMES = sizeof outcome_names / sizeof *outcome_names };

const char *
ss_outcome_name (SsOutcome outcome)
{
  SS_ASSERT ((int)outcome >= 0 && (int)outcome < N_OUTCOMES);
  return outcome_names[outcome];
}

bool
ss_outcome_is_early (SsOutcome outcome)
{
  return ss_outcome_is_asked (outcome) || outcome == SS_OUTCOME_TIME_LIMIT || outcome == SS_OUTCOME_CPU_LIMIT ||
         outcome == SS_OUTCOME_MACHINE_SLOW;
}

bool
ss_outcome_is_asked (SsOutcome outcome)
{
  return outcome == SS_OUTCOME_CANCELLED || outcome == SS_OUTCOME_PAUSED;
}

const char *
ss_outcome_early_words (SsOutcome outcome)
{
  switch (outcome) {
  case SS_OUTCOME_CANCELLED:
    return "cancelled";
  case SS_OUTCOME_TIME_LIMIT:
    return "time limit reached";
  case SS_OUTCOME_CPU_LIMIT:
    return "limit of CPU time reached";
  case SS_OUTCOME_PAUSED:
    return "paused";
  case SS_OUTCOME_MACHINE_SLOW:
    return "the machine was too slow for the time limit";
  default:
    return "ended";
  }
}

bool
ss_outcome_from_name (const char *name, SsOutcome *outcome)
{
  SS_ASSERT (name != NULL && outcome != NULL);

  for (int i = 0; i < N_OUTCOMES; i++) {
    if (strcmp (name, outcome_names[i]) == 0) {
      *outcome = (SsOutcome)i;
      return true;
    }
  }
  return false;
}

SsStatus
ss_error_set (SsError *err, SsStatus status, const char *format, ...)
{
  if (err != NULL) {
    va_list args;

    memset (err, 0, sizeof *err);
    err->status = status;
    va_start (args, format);
    vsnprintf (err->message, sizeof err->message, format, args);
    va_end (args);
  }
  return status;
}

void
ss_error_format (const SsError *err, char *buffer, size_t size)
{
  SS_ASSERT (err != NULL && (size == 0 || buffer != NULL));

  size_t used = 0;

  /* Appends with truncation; `used` never exceeds size - 1. */
#define APPEND(...)                                                                                                    \
  do {                                                                                                                 \
    int written_ = snprintf (buffer + used, size - used, __VA_ARGS__);                                                 \
    if (written_ > 0)                                                                                                  \
      used = used + (size_t)written_ < size ? used + (size_t)written_ : size - 1;                                      \
  } while (0)

  if (size == 0)
    return;
  buffer[0] = '\0';
  if (err->file[0] != '\0' && err->line > 0)
    APPEND ("%s:%d: ", err->file, err->line);
  else if (err->file[0] != '\0')
    APPEND ("%s: ", err->file);
  else if (err->line > 0)
    APPEND ("line %d: ", err->line);
  if (err->path[0] != '\0')
    APPEND ("%s: ", err->path);
  APPEND ("%s", err->message[0] != '\0' ? err->message : ss_status_text (err->status));
  if (err->expected[0] != '\0')
    APPEND (" (expected %s)", err->expected);
#undef APPEND
}

void
ss_problems_init (SsProblems *problems)
{
  SS_ASSERT (problems != NULL);

  memset (problems, 0, sizeof *problems);
}

void
ss_problems_clear (SsProblems *problems)
{
  SS_ASSERT (problems != NULL);

  ss_free (problems->items);
  memset (problems, 0, sizeof *problems);
}

void
ss_problems_add (SsProblems *problems, const SsError *error)
{
  SS_ASSERT (problems != NULL && error != NULL);

  if (problems->n_items >= SS_PROBLEMS_MAX ||
      ss_array_reserve ((void **)&problems->items, &problems->capacity, problems->n_items + 1, sizeof (SsError)) != 0) {
    problems->truncated = true;
    return;
  }
  problems->items[problems->n_items++] = *error;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static _Thread_local uint64_t n_allocations;
static _Thread_local uint64_t fail_at; /* value of n_allocations at which to fail; 0 = never */
static _Thread_local void (*seen) (void *user_data);
static _Thread_local void *seen_data;

static bool
may_allocate (size_t count, size_t size)
{
  n_allocations++;
  if (seen != NULL)
    seen (seen_data);
  if (fail_at != 0 && n_allocations == fail_at)
    return false;
  return size == 0 || count <= SIZE_MAX / 2 / size;
}

void *
ss_alloc (size_t count, size_t size)
{
  if (!may_allocate (count, size))
    return NULL;
  if (count == 0 || size == 0)
    count = size = 1;
  return calloc (count, size);
}

void *
ss_realloc (void *block, size_t count, size_t size)
{
  if (!may_allocate (count, size))
    return NULL;
  if (count == 0 || size == 0)
    count = size = 1;
  return realloc (block, count * size);
}

void
ss_free (void *block)
{
  free (block);
}

char *
ss_strndup (const char *text, size_t length)
{
  char *copy;

  if (text == NULL)
    return NULL;
  copy = ss_alloc (length + 1, 1);
  if (copy != NULL)
    memcpy (copy, text, length);
  return copy;
}

char *
ss_strdup (const char *text)
{
  return text == NULL ? NULL : ss_strndup (text, strlen (text));
}

uint64_t
ss_alloc_count (void)
{
  return n_allocations;
}

void
ss_alloc_fail_at (uint64_t n)
{
  fail_at = n == 0 ? 0 : n_allocations + n;
}

void
ss_alloc_watch (void (*each) (void *user_data), void *user_data)
{
  seen = each;
  seen_data = user_data;
}

int
ss_array_reserve (void **items, int *capacity, int needed, size_t size)
{
  SS_ASSERT (items != NULL && capacity != NULL && *capacity >= 0 && size > 0);

  int wanted;
  void *grown;

  SS_ASSERT (needed >= 0);
  if (needed <= *capacity)
    return 0;
  wanted = *capacity < 8 ? 8 : (*capacity > INT32_MAX / 2 ? INT32_MAX : *capacity * 2);
  if (wanted < needed)
    wanted = needed;
  grown = ss_realloc (*items, (size_t)wanted, size);
  if (grown == NULL)
    return -1;
  *items = grown;
  *capacity = wanted;
  return 0;
}

/* A chain of chunks; large blocks get a chunk of their own. */
typedef struct ArenaChunk {
  struct ArenaChunk *next;
  size_t used, size;
  max_align_t data[];
} ArenaChunk;

struct SsArena {
  ArenaChunk *chunks; /* the newest first */
};

enum { ARENA_CHUNK_BYTES = 16384, ARENA_ALIGNMENT = 16 };

SsArena *
ss_arena_new (void)
{
  return ss_new (SsArena);
}

void *
ss_arena_alloc (SsArena *arena, size_t count, size_t size)
{
  SS_ASSERT (arena != NULL);

  ArenaChunk *chunk = arena->chunks;
  size_t bytes;
  void *block;

  if (size != 0 && count > SIZE_MAX / 4 / size)
    return NULL;
  bytes = (count * size + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
  if (chunk == NULL || chunk->size - chunk->used < bytes) {
    size_t room = bytes > ARENA_CHUNK_BYTES ? bytes : ARENA_CHUNK_BYTES;

    chunk = ss_alloc (1, sizeof *chunk + room);
    if (chunk == NULL)
      return NULL;
    chunk->size = room;
    chunk->next = arena->chunks;
    arena->chunks = chunk;
  }
  block = (char *)chunk->data + chunk->used;
  chunk->used += bytes;
  return block;
}

char *
ss_arena_strdup (SsArena *arena, const char *text)
{
  char *copy;
  size_t length;

  if (text == NULL)
    return NULL;
  length = strlen (text);
  copy = ss_arena_alloc (arena, length + 1, 1);
  if (copy != NULL)
    memcpy (copy, text, length);
  return copy;
}

void
ss_arena_free (SsArena *arena)
{
  if (arena == NULL)
    return;
  while (arena->chunks != NULL) {
    ArenaChunk *next = arena->chunks->next;

    ss_free (arena->chunks);
    arena->chunks = next;
  }
  ss_free (arena);
}

/* ---- random numbers ---------------------------------------------------------------------------------------------- */

static uint64_t
rotate_left (uint64_t x, int k)
{
  return (x << k) | (x >> (64 - k));
}

void
ss_random_seed (SsRandom *random, uint64_t seed)
{
  SS_ASSERT (random != NULL);

  /* splitmix64: spreads any seed, also 0, over the whole state */
  for (int i = 0; i < 4; i++) {
    uint64_t z = (seed += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    random->s[i] = z ^ (z >> 31);
  }
}

uint64_t
ss_random_next (SsRandom *random)
{
  SS_ASSERT (random != NULL);

  uint64_t *s = random->s;
  uint64_t result = rotate_left (s[1] * 5, 7) * 9;
  uint64_t t = s[1] << 17;

  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate_left (s[3], 45);
  return result;
}

double
ss_random_uniform (SsRandom *random)
{
  return (double)(ss_random_next (random) >> 11) * 0x1p-53;
}

double
ss_random_between (SsRandom *random, double lo, double hi)
{
  return lo + (hi - lo) * ss_random_uniform (random);
}

double
ss_random_normal (SsRandom *random)
{
  /* Box-Muller, one of the pair: stateless between calls. 1 - u lies in (0, 1], so the logarithm is finite. */
  double u = 1.0 - ss_random_uniform (random);
  double v = ss_random_uniform (random);

  return sqrt (-2.0 * log (u)) * cos (6.283185307179586 * v);
}

/* ---- clocks and run control -------------------------------------------------------------------------------------- */

static double
clock_seconds (clockid_t id)
{
  struct timespec now;

  clock_gettime (id, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double
ss_clock_wall (void)
{
  return clock_seconds (CLOCK_MONOTONIC);
}

double
ss_clock_thread_cpu (void)
{
  return clock_seconds (CLOCK_THREAD_CPUTIME_ID);
}

double
ss_clock_process_cpu (void)
{
  return clock_seconds (CLOCK_PROCESS_CPUTIME_ID);
}

static _Thread_local uint64_t work;

void
ss_work_add (double units)
{
  work += (uint64_t)units;
}

double
ss_work_thread (void)
{
  return (double)work;
}

void
ss_run_control_init (SsRunControl *control)
{
  SS_ASSERT (control != NULL);

  atomic_init (&control->cancel, 0);
  atomic_init (&control->pause, 0);
  atomic_init (&control->stop_members, 0);
  control->stops_at = 0;
  control->pause_at = -1;
  control->deadline = control->cpu_limit = control->work_limit = INFINITY;
  control->cpu_start = control->cpu_looked = 0;
  atomic_init (&control->cpu_others, 0);
  control->progress = NULL;
  control->user_data = NULL;
}

void
ss_run_control_inherit (SsRunControl *inner, const SsRunControl *outer)
{
  SS_ASSERT (inner != NULL);

  if (outer == NULL)
    return;
  inner->deadline = outer->deadline;
  inner->cpu_limit = outer->cpu_limit;
  inner->cpu_start = outer->cpu_start;
  inner->work_limit = outer->work_limit;
  atomic_store (&inner->cpu_others, atomic_load (&outer->cpu_others));
}

void
ss_run_control_limit_cpu (SsRunControl *control, double seconds)
{
  SS_ASSERT (control != NULL);

  control->cpu_start = ss_clock_process_cpu ();
  control->cpu_limit = seconds;
  control->cpu_looked = 0; /* at once */
}

double
ss_run_control_cpu_limit (const SsRunControl *control)
{
  SS_ASSERT (control != NULL);
  double limit;

  __atomic_load (&control->cpu_limit, &limit, __ATOMIC_RELAXED);
  return limit;
}

void
ss_run_control_move_cpu_limit (SsRunControl *control, double seconds)
{
  SS_ASSERT (control != NULL);
  double limit = ss_run_control_cpu_limit (control) + seconds;

  __atomic_store (&control->cpu_limit, &limit, __ATOMIC_RELAXED);
}

double
ss_run_control_cpu (SsRunControl *control)
{
  SS_ASSERT (control != NULL);

  return ss_clock_process_cpu () - control->cpu_start + 1e-9 * (double)atomic_load (&control->cpu_others);
}

void
ss_run_control_stop (SsRunControl *control, SsOutcome why)
{
  SS_ASSERT (control != NULL && ss_outcome_is_early (why));
  int none = 0;

  if (why == SS_OUTCOME_CANCELLED) /* whoever waits is answered at once, whatever else ended it */
    atomic_store (&control->cancel, (int)why);
  else
    atomic_compare_exchange_strong (&control->cancel, &none, (int)why);
}

void
ss_run_control_cancel (SsRunControl *control)
{
  ss_run_control_stop (control, SS_OUTCOME_CANCELLED);
}

void
ss_run_control_stop_member (SsRunControl *control, int member)
{
  SS_ASSERT (control != NULL && member >= 0 && member < 32);

  atomic_fetch_or (&control->stop_members, 1u << member);
}

/* Clocks of CPU time are calls of the kernel and cost as much as a step of a small scene: they are read once a
 * millisecond of the clock on the wall, which costs none. */
static bool
is_over_cpu_limit (SsRunControl *control)
{
  const double period = 1e-3;
  double wall = isfinite (control->cpu_limit) ? ss_clock_wall () : INFINITY, looked;

  __atomic_load (&control->cpu_looked, &looked, __ATOMIC_RELAXED);
  if (isinf (wall) || wall < looked + period)
    return false;
  __atomic_store (&control->cpu_looked, &wall, __ATOMIC_RELAXED);
  return ss_run_control_cpu (control) > control->cpu_limit;
}

/* The time of a pause is none of the run's: its deadline moves. */
static void
wait_while_paused (SsRunControl *control)
{
  const struct timespec nap = {.tv_nsec = 10 * 1000 * 1000}; /* 10 ms: a resume is not felt, a pause costs nothing */

  if (!atomic_load (&control->pause))
    return;
  const double began = ss_clock_wall ();
  while (atomic_load (&control->pause) && !atomic_load (&control->cancel))
    nanosleep (&nap, NULL);
  control->deadline += ss_clock_wall () - began;
}

bool
ss_run_control_should_stop (SsRunControl *control, SsOutcome *why)
{
  if (control == NULL)
    return false;
  wait_while_paused (control);
  const unsigned stopped = atomic_load_explicit (&control->stop_members, memory_order_relaxed) & control->stops_at;
  const int asked = atomic_load_explicit (&control->cancel, memory_order_relaxed);
  if (asked != 0 || stopped != 0) {
    *why = asked != 0 ? (SsOutcome)asked : SS_OUTCOME_CANCELLED;
    return true;
  }
  if (isfinite (control->deadline) && ss_clock_wall () > control->deadline) {
    *why = SS_OUTCOME_TIME_LIMIT;
    return true;
  }
  if ((double)work > control->work_limit || is_over_cpu_limit (control)) {
    *why = SS_OUTCOME_CPU_LIMIT;
    return true;
  }
  return false;
}

static void
emit (SsRunControl *control, const SsProgress *progress)
{
  if (control != NULL && control->progress != NULL)
    control->progress (control->user_data, progress);
}

void
ss_run_control_emit_iteration (SsRunControl *control, int iteration, const SsColumn *columns, int n_columns)
{
  SS_ASSERT (n_columns >= 0);
  if (control != NULL && control->pause_at >= 0 && iteration >= control->pause_at)
    ss_run_control_stop (control, SS_OUTCOME_PAUSED);
  emit (
      control,
      &(SsProgress){.kind = SS_PROGRESS_ITERATION, .iteration = iteration, .columns = columns, .n_columns = n_columns});
}

void
ss_run_control_emit_iterate (SsRunControl *control, int iteration, const double *x, int n)
{
  SS_ASSERT (n >= 0);
  emit (control, &(SsProgress){.kind = SS_PROGRESS_ITERATE, .iteration = iteration, .values = x, .n_values = n});
}

double
ss_progress_column (const SsProgress *progress, const char *name)
{
  SS_ASSERT (progress != NULL);
  for (int i = 0; i < progress->n_columns; i++)
    if (strcmp (progress->columns[i].name, name) == 0)
      return progress->columns[i].value;
  return NAN;
}

void
ss_run_control_emit_frame (SsRunControl *control, int row_index, const double *row, int n_channels)
{
  SS_ASSERT (n_channels >= 0);
  emit (control,
        &(SsProgress){.kind = SS_PROGRESS_FRAME, .iteration = row_index, .values = row, .n_values = n_channels});
}

void
ss_run_control_emit_members (SsRunControl *control, const struct SsMember *members, int n_members,
                             const struct SsRunResult *answer)
{
  SS_ASSERT (n_members >= 0);
  emit (control,
        &(SsProgress){.kind = SS_PROGRESS_MEMBERS, .members = members, .n_members = n_members, .answer = answer});
}

void
ss_run_control_emit_answer (SsRunControl *control, const struct SsRunResult *answer)
{
  emit (control, &(SsProgress){.kind = SS_PROGRESS_ANSWER, .answer = answer});
}

void
ss_run_control_emit_solved (SsRunControl *control, const struct SsNlpResult *solved)
{
  emit (control, &(SsProgress){.kind = SS_PROGRESS_ANSWER, .solved = solved});
}

void
ss_run_control_log (SsRunControl *control, SsLogLevel level, const char *format, ...)
{
  char text[512];
  va_list args;

  if (control == NULL || control->progress == NULL)
    return;
  va_start (args, format);
  vsnprintf (text, sizeof text, format, args);
  va_end (args);
  emit (control, &(SsProgress){.kind = SS_PROGRESS_LOG, .level = level, .text = text});
}
