/* engine/judge/ss-reasons-model.c: which rows of a model in equations are missed; see ss-reasons.h. */
#include "judge/ss-metrics.h"
#include "judge/ss-reasons-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Longest formula that is told in full. */
enum { FORMULA = 64 };
/* A row of a model has no size of its own: all that is above the tolerance of the outcome is worth a word. */
static const double worth = 1e-4;

typedef struct {
  const SsScenario *scenario;
  SsReasonList *list;
  const char **names; /* by slot */
  char *next;         /* texts of names at the next point */
} Rows;

SsStatus
ss_reason_slot_names (const SsScenario *scenario, const char ***names, char **next, SsError *err)
{
  SS_ASSERT (scenario != NULL && scenario->n_parameters >= 0);

  const SsModel *model = scenario->model;
  size_t size = 1, used = 0;

  for (int v = 0; v < model->n_variables; v++)
    size += strlen (model->variables[v]) + sizeof "next()";
  *names = ss_new_array (const char *, (size_t)model->n_slots + 1);
  *next = ss_new_array (char, size);
  if (*names == NULL || *next == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int v = 0; v < model->n_variables; v++) {
    (*names)[v] = model->variables[v];
    (*names)[model->slot_next + v] = *next + used;
    used += (size_t)snprintf (*next + used, size - used, "next(%s)", model->variables[v]) + 1;
  }
  for (int p = 0; p < scenario->n_parameters; p++)
    (*names)[model->slot_parameters + p] = scenario->parameters[p].name;
  (*names)[model->slot_k] = "k";
  (*names)[model->slot_t] = "t";
  return SS_OK;
}

/* The formula, or nothing where it is too long to be read at a glance. */
static void
format (const Rows *rows, SsExpr formula, char text[FORMULA])
{
  char all[FORMULA + 2];

  ss_expr_format (rows->scenario->graph, formula, rows->names, rows->scenario->model->n_slots, all, sizeof all);
  snprintf (text, FORMULA, "%.*s", FORMULA - 1, strlen (all) < FORMULA ? all : "");
}

static void
describe_row (const Rows *rows, const SsModelBlock *block, const SsModelRow *row, const char *part, int k,
              double amount, double a, double b, char *text, size_t size)
{
  const double t = k * rows->scenario->model->time_step;
  const int index = (int)(row - block->rows);
  const bool is_product = strcmp (part, " (product)") == 0, is_second = strcmp (part, " (second)") == 0;
  char first[FORMULA], second[FORMULA] = "", where[108], miss[SS_REASON_QUANTITY];

  format (rows, is_second ? row->b : row->a, first);
  if (is_product)
    format (rows, row->b, second);
  ss_reason_quantity (amount, "", miss);
  snprintf (where, sizeof where, "row %d of %.48s at k = %d (t = %.4g s)", index,
            block->name != NULL && block->name[0] != '\0' ? block->name : "a block without a name", k, t);
  if (is_product && first[0] != '\0' && second[0] != '\0' && strlen (first) < 31 && strlen (second) < 31)
    snprintf (text, size, "%s: %.30s = %.3g and %.30s = %.3g, of which one must be 0", where, first, a, second, b);
  else if (is_product)
    snprintf (text, size, "%s: a pair of %.3g and %.3g, of which one must be 0", where, a, b);
  else if (first[0] == '\0')
    snprintf (text, size, "%s is missed by %s", where, miss);
  else
    snprintf (text, size, "%s is missed by %s: %s must %s", where, miss, first,
              row->kind == SS_ROWS_EQUALITY ? "be 0" : "not be negative");
}

/* One of each block and kind of row. */
static void
note_row (void *data, const SsModelBlock *block, const SsModelRow *row, const char *part, int k, double amount,
          double a, double b)
{
  const Rows *rows = data;
  const SsModel *model = rows->scenario->model;
  const int kind =
      row->kind == SS_ROWS_COMPLEMENTARY && strcmp (part, " (product)") != 0 ? SS_ROWS_NONNEGATIVE : (int)row->kind;
  SsReason *reason = amount > 0 ? ss_reason_take (rows->list, SS_REASON_ROW, (int)(block - model->blocks) * 4 + kind,
                                                  amount, "", k * model->time_step, amount / worth)
                                : NULL;

  if (reason != NULL)
    describe_row (rows, block, row, part, k, amount, a, b, reason->text, sizeof reason->text);
}

SsStatus
ss_reasons_of_model (const SsScenario *scenario, const double *x, SsReasons *out, SsError *err)
{
  SS_ASSERT (scenario != NULL && scenario->model != NULL && x != NULL && out != NULL);
  Rows rows = {.scenario = scenario, .list = ss_new (SsReasonList)};
  SsStatus status = rows.list != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");

  out->n = 0;
  if (status == SS_OK)
    status = ss_reason_slot_names (scenario, &rows.names, &rows.next, err);
  if (status == SS_OK)
    status = ss_metrics_visit_rows (scenario, x, note_row, &rows, err);
  if (status == SS_OK)
    ss_reasons_choose (rows.list, out);
  ss_free (rows.names);
  ss_free (rows.next);
  ss_free (rows.list);
  return status;
}
