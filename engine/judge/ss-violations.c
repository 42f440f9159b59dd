/* engine/judge/ss-violations.c: see ss-violations.h.
 *
 * While the metrics count, a heap keeps the largest seen so far, its least at the root; names are made of what is left.
 */
#include "judge/ss-violations-private.h"

#include "judge/ss-reasons-private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  double amount, a, b;
  int order, k; /* order: as the metrics count */
  const SsModelBlock *block;
  const SsModelRow *row;
  const char *part;
} Found;

typedef struct {
  Found *items; /* n_max */
  int n, n_max, n_rows, n_violated;
} Heap;

/* Whether a is told after b. */
static bool
is_less (const Found *a, const Found *b)
{
  return a->amount < b->amount || (a->amount == b->amount && a->order > b->order);
}

static void
sink (Heap *heap)
{
  for (int i = 0, child; (child = 2 * i + 1) < heap->n; i = child) {
    if (child + 1 < heap->n && is_less (&heap->items[child + 1], &heap->items[child]))
      child++;
    if (!is_less (&heap->items[child], &heap->items[i]))
      return;
    const Found other = heap->items[i];
    heap->items[i] = heap->items[child];
    heap->items[child] = other;
  }
}

static void
rise (Heap *heap)
{
  for (int i = heap->n - 1; i > 0 && is_less (&heap->items[i], &heap->items[(i - 1) / 2]); i = (i - 1) / 2) {
    const Found other = heap->items[i];
    heap->items[i] = heap->items[(i - 1) / 2];
    heap->items[(i - 1) / 2] = other;
  }
}

static void
note_row (void *data, const SsModelBlock *block, const SsModelRow *row, const char *part, int k, double amount,
          double a, double b)
{
  Heap *heap = data;
  const Found found = {amount, a, b, heap->n_rows++, k, block, row, part};

  if (!(amount > 0))
    return;
  heap->n_violated++;
  if (heap->n < heap->n_max) {
    heap->items[heap->n++] = found;
    rise (heap);
  } else if (is_less (&heap->items[0], &found)) {
    heap->items[0] = found;
    sink (heap);
  }
}

static int
compare (const void *a, const void *b)
{
  return is_less (a, b) - is_less (b, a);
}

/* ---- rows of models ---------------------------------------------------------------------------------------------- */

typedef struct {
  const SsScenario *scenario;
  const char **names;
  char *next;
} Formulas;

static void
write_equation (const Formulas *formulas, const Found *found, char text[SS_VIOLATION_EQUATION])
{
  enum { FORMULA = 70 };
  const SsModelRow *row = found->row;
  const bool is_product = strcmp (found->part, " (product)") == 0, is_second = strcmp (found->part, " (second)") == 0;
  char first[FORMULA + 2], second[FORMULA + 2] = "";
  const SsExpr shown = is_second ? row->b : row->a;

  ss_expr_format (formulas->scenario->graph, shown, formulas->names, formulas->scenario->model->n_slots, first,
                  sizeof first);
  if (is_product)
    ss_expr_format (formulas->scenario->graph, row->b, formulas->names, formulas->scenario->model->n_slots, second,
                    sizeof second);
  if (strlen (first) > FORMULA || strlen (second) > FORMULA) /* cut off: its place says more */
    snprintf (text, SS_VIOLATION_EQUATION, "row %d of %.60s", (int)(row - found->block->rows),
              found->block->name != NULL ? found->block->name : "");
  else if (is_product)
    snprintf (text, SS_VIOLATION_EQUATION, "(%.70s)*(%.70s) = 0", first, second);
  else
    snprintf (text, SS_VIOLATION_EQUATION, "%.70s %s 0", first, row->kind == SS_ROWS_EQUALITY ? "=" : ">=");
}

/* ---- the list ---------------------------------------------------------------------------------------------------- */

static double
time_of (const SsModel *model, const double *x, int k)
{
  return model->has_clock ? x[(size_t)k * (size_t)model->n_variables + (size_t)model->clock] : k * model->time_step;
}

static void
tell (const Formulas *formulas, const SsScene *scene, const double *x, const Found *found, SsViolation *out)
{
  const char *block = found->block->name;

  *out = (SsViolation){.amount = found->amount,
                       .k = found->k,
                       .t = time_of (formulas->scenario->model, x, found->k),
                       .a = found->a,
                       .b = found->b,
                       .index = (int)(found->row - found->block->rows)};
  snprintf (out->block, sizeof out->block, "%s", block != NULL ? block : "");
  snprintf (out->row, sizeof out->row, "%s%s", found->row->path != NULL ? found->row->path : "", found->part);
  if (scene != NULL)
    ss_violation_name (scene, found->block, found->row, found->part, out);
  if (out->equation[0] == '\0')
    write_equation (formulas, found, out->equation);
}

SsStatus
ss_violations_find (const SsScenario *model, const SsScene *scene, const double *x, int n_max, SsMetrics *metrics,
                    SsViolations *out, SsError *err)
{
  SS_ASSERT (model != NULL && x != NULL && n_max >= 1 && out != NULL);
  Formulas formulas = {.scenario = model};
  Heap heap = {.items = ss_new_array (Found, n_max), .n_max = n_max};
  SsMetrics own;
  SsStatus status = SS_OK;

  *out = (SsViolations){0};
  if (heap.items == NULL)
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  if (status == SS_OK)
    status = ss_metrics_compute_and_visit (model, x, note_row, &heap, metrics != NULL ? metrics : &own, err);
  if (status == SS_OK && heap.n > 0)
    status = ss_reason_slot_names (model, &formulas.names, &formulas.next, err);
  if (status == SS_OK && (out->items = ss_new_array (SsViolation, heap.n + 1)) == NULL)
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  if (status == SS_OK) {
    qsort (heap.items, (size_t)heap.n, sizeof *heap.items, compare);
    for (int i = 0; i < heap.n; i++)
      tell (&formulas, scene, x, &heap.items[i], &out->items[i]);
    out->n = heap.n;
    out->n_rows = heap.n_rows;
    out->n_violated = heap.n_violated;
  }
  ss_free (formulas.names);
  ss_free (formulas.next);
  ss_free (heap.items);
  return status;
}

void
ss_violations_truncate (SsViolations *violations, int n_max)
{
  SS_ASSERT (violations != NULL && n_max >= 0);
  if (violations->n > n_max)
    violations->n = n_max;
}

void
ss_violations_clear (SsViolations *violations)
{
  SS_ASSERT (violations != NULL);
  ss_free (violations->items);
  *violations = (SsViolations){0};
}
