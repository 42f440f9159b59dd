/* engine/nlp/ss-crisp-state.c: the numbers of CRISP's loop between two iterations, kept where it is paused and taken
 * where it goes on. With them, and the same problem and options, it goes on bit by bit as if it had not stopped.
 */
#include "nlp/ss-crisp-private.h"

#include "core/ss-memory.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Passes over all numbers in one order: counts them, writes them or reads them. */
typedef struct {
  enum { COUNTS, WRITES, READS } does;
  double *values;
  int n;
} Tape;

static void
pass_doubles (Tape *tape, double *numbers, int n)
{
  if (tape->does != COUNTS && n > 0)
    memcpy (tape->does == WRITES ? tape->values + tape->n : numbers,
            tape->does == WRITES ? numbers : tape->values + tape->n, (size_t)n * sizeof *numbers);
  tape->n += n;
}

static void
pass_ints (Tape *tape, int *numbers, int n)
{
  for (int i = 0; i < n; i++) {
    double number = numbers[i];
    pass_doubles (tape, &number, 1);
    if (tape->does == READS)
      numbers[i] = fabs (number) < INT_MAX ? (int)number : 0; /* a file may hold anything */
  }
}

static void
pass (Tape *tape, SsCrisp *s)
{
  int has_run_away = s->has_run_away;
  const struct {
    double *numbers;
    int n;
  } vectors[] = {{s->now.x, s->n},
                 {&s->now.merit, 1}, /* tells another problem */
                 {s->x_start, s->n},
                 {s->mu, s->n_rows},
                 {s->multipliers, s->n_rows},
                 {&s->delta, 1},
                 {&s->relaxation, 1},
                 {&s->level_merit, 1},
                 {&s->level_violation, 1},
                 {&s->level_fall, 1},
                 {s->family_before, s->n_families},
                 {&s->objective_best, 1},
                 {s->x_best, s->n},
                 {s->mu_best, s->n_rows},
                 {s->multipliers_best, s->n_rows}};
  int *const counts[] = {&s->iterations,     &s->restarts,           &s->cycles,      &s->early_finishes,
                         &s->failures,       &s->relaxed_iterations, &s->late_raises, &s->level_iterations,
                         &s->runaway_levels, &has_run_away};

  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    pass_doubles (tape, vectors[i].numbers, vectors[i].n);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    pass_ints (tape, counts[i], 1);
  pass_ints (tape, s->family_waits, s->n_families);
  s->has_run_away = has_run_away != 0;
}

SsStatus
ss_crisp_keep (const void *solver, SsNlpState *state, SsError *err)
{
  SsCrisp *s = (SsCrisp *)solver; /* only read */
  Tape tape = {.does = COUNTS};

  pass (&tape, s);
  state->values = ss_new_array (double, tape.n);
  if (state->values == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for what CRISP knows");
  tape = (Tape){.does = WRITES, .values = state->values};
  pass (&tape, s);
  state->n_values = tape.n;
  state->iteration = s->iterations - s->first_iteration;
  return SS_OK;
}

bool
ss_crisp_go_on (void *solver, const SsNlpState *state)
{
  SsCrisp *s = solver;
  Tape tape = {.does = COUNTS};

  pass (&tape, s);
  if (state->n_values != tape.n)
    return false;
  tape = (Tape){.does = READS, .values = state->values};
  pass (&tape, s);
  s->goes_on = true;
  return true;
}

bool
ss_crisp_state_is_of_another_problem (SsCrisp *s)
{
  const double merit = s->now.merit;

  ss_bounds_project (&s->bounds, s->now.x);
  ss_crisp_evaluate (s, &s->now);
  ss_crisp_differentiate (s, &s->now);
  return memcmp (&merit, &s->now.merit, sizeof merit) != 0;
}
