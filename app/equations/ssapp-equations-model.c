/* app/equations/ssapp-equations-model.c: a model as its file has it: variables, parameters, constraints,
 * complementarities, objective. */
#include "app/equations/ssapp-equations-private.h"

#include "app/base/ssapp-latex.h"

#include <string.h>

/* More of a kind are counted, not written. */
enum { SHOWN = 120 };

static GArray *
name_slots (const SsScenario *scenario)
{
  const SsModel *model = scenario->model;
  GArray *symbols = ssapp_symbols_new ();

  for (int i = 0; i < model->n_variables; i++) {
    g_autofree char *latex = ssapp_latex_name (model->variables[i]);
    ssapp_symbols_set (symbols, i, g_strdup (model->variables[i]), g_strdup (latex));
    ssapp_symbols_set (symbols, model->slot_next + i, g_strdup_printf ("%s⁺", model->variables[i]),
                       g_strdup_printf ("{%s}^{+}", latex));
  }
  for (int i = 0; i < scenario->n_parameters; i++)
    ssapp_symbols_set (symbols, model->slot_parameters + i, g_strdup (scenario->parameters[i].name),
                       ssapp_latex_name (scenario->parameters[i].name));
  ssapp_symbols_set (symbols, model->slot_k, g_strdup ("k"), g_strdup ("k"));
  ssapp_symbols_set (symbols, model->slot_t, g_strdup ("t"), g_strdup ("t"));
  return symbols;
}

static void
write_variables (SsappEquations *self, const SsScenario *scenario)
{
  const SsModel *model = scenario->model;
  SsappEquationSection *section = ssapp_equations_begin (self, "Variables");
  g_autoptr (GString) text = g_string_new (NULL), latex = g_string_new (NULL);

  if (model->n_points > 1)
    ssapp_equations_say (section,
                         "At each of the points k = 0 to %d, of which two neighbours are %.6g s apart; the "
                         "first %d are states.",
                         model->n_points - 1, model->time_step, model->n_states);
  for (int i = 0; i < MIN (model->n_variables, SHOWN); i++) {
    g_autofree char *name = ssapp_latex_name (model->variables[i]);
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", model->variables[i]);
    g_string_append_printf (latex, "%s%s", i > 0 ? ",\\ " : "", name);
  }
  ssapp_equations_put_copy (section, text->str, latex->str);
  if (model->n_points > 1)
    ssapp_equations_say (section, "x⁺ is the variable x at the next point, k + 1.");
}

static void
write_parameters (SsappEquations *self, const SsScenario *scenario)
{
  SsappEquationSection *section;

  if (scenario->n_parameters == 0)
    return;
  section = ssapp_equations_begin (self, "Parameters");
  for (int i = 0; i < MIN (scenario->n_parameters, SHOWN); i++) {
    const SsParameter *p = &scenario->parameters[i];
    g_autofree char *name = ssapp_latex_name (p->name), *value = ssapp_formula_number (p->value, SSAPP_FORMULA_TEXT),
                    *latex = ssapp_formula_number (p->value, SSAPP_FORMULA_LATEX),
                    *words = ssapp_latex_words (p->description);
    const gboolean has_words = *p->description != '\0';
    ssapp_equations_put (
        section, g_strdup_printf ("%s = %s%s%s", p->name, value, has_words ? "   " : "", p->description),
        g_strdup_printf ("%s = %s%s%s%s", name, latex, has_words ? "\\qquad\\text{" : "", words, has_words ? "}" : ""));
  }
}

/* "at k = 0 to 98, every 2" */
static char *
points (int first, int last, int stride)
{
  if (first == last)
    return g_strdup_printf ("at k = %d", first);
  if (stride == 1)
    return g_strdup_printf ("at k = %d to %d", first, last);
  return g_strdup_printf ("at k = %d to %d, every %d", first, last, stride);
}

static void
write_pair (SsappEquationSection *section, const SsScenario *scenario, const SsModelRow *row, const GArray *symbols)
{
  g_autofree char *a = ssapp_formula (scenario->graph, row->a, symbols, SSAPP_FORMULA_TEXT),
                  *la = ssapp_formula (scenario->graph, row->a, symbols, SSAPP_FORMULA_LATEX),
                  *b = ssapp_formula (scenario->graph, row->b, symbols, SSAPP_FORMULA_TEXT),
                  *lb = ssapp_formula (scenario->graph, row->b, symbols, SSAPP_FORMULA_LATEX);
  static const char too_long[] = "(a formula too long to be read here)";

  ssapp_equations_put (section, g_strdup_printf ("0 ≤ %s ⟂ %s ≥ 0", a != NULL ? a : too_long, b != NULL ? b : too_long),
                       g_strdup_printf ("0 \\le %s \\perp %s \\ge 0", la != NULL ? la : "\\text{(too long)}",
                                        lb != NULL ? lb : "\\text{(too long)}"));
}

/* The rows of that kind, block by block. */
static void
write_rows (SsappEquations *self, const SsScenario *scenario, const GArray *symbols, SsRowsKind kind, const char *title)
{
  const SsModel *model = scenario->model;
  SsappEquationSection *section = NULL;
  int shown = 0, left_out = 0;

  for (int i = 0; i < model->n_blocks; i++) {
    const SsModelBlock *block = &model->blocks[i];
    gboolean is_told = FALSE;
    for (int r = 0; r < block->n_rows; r++) {
      const SsModelRow *row = &block->rows[r];
      if (row->kind != kind)
        continue;
      if (shown++ >= SHOWN) {
        left_out++;
        continue;
      }
      if (section == NULL)
        section = ssapp_equations_begin (self, title);
      if (!is_told) {
        g_autofree char *where = points (block->first, block->last, block->stride);
        const gboolean has_name = block->name != NULL && *block->name != '\0';
        ssapp_equations_say (section, "%s%s%s:", has_name ? block->name : "Rows", " ", where);
        is_told = TRUE;
      }
      if (kind == SS_ROWS_COMPLEMENTARY)
        write_pair (section, scenario, row, symbols);
      else
        ssapp_equations_put_expr (section, scenario->graph, row->a, symbols, kind == SS_ROWS_EQUALITY ? "0 = " : "0 ≤ ",
                                  kind == SS_ROWS_EQUALITY ? "0 = " : "0 \\le ");
    }
  }
  if (left_out > 0)
    ssapp_equations_say (section, "There are %d more rows.", left_out);
}

static void
write_costs (SsappEquations *self, const SsScenario *scenario, const GArray *symbols)
{
  const SsModel *model = scenario->model;
  SsappEquationSection *section = ssapp_equations_begin (self, "Objective");

  ssapp_equations_say (section,
                       model->n_costs > 0 ? "The sum of these is minimised:" : "There is none: any answer will do.");
  for (int i = 0; i < MIN (model->n_costs, SHOWN); i++) {
    const SsModelCost *cost = &model->costs[i];
    g_autofree char *where = points (cost->first, cost->last, cost->stride);
    ssapp_equations_say (section, "%s %s%s:", cost->name != NULL && *cost->name != '\0' ? cost->name : "Cost", where,
                         cost->is_penalty ? ", a penalty that is no part of the objective told" : "");
    ssapp_equations_put_expr (section, scenario->graph, cost->cost, symbols, cost->first == cost->last ? "" : "Σ ",
                              cost->first == cost->last ? "" : "\\sum_k\\ ");
  }
}

void
ssapp_equations_write_model (SsappEquations *self, const SsScenario *scenario)
{
  g_autoptr (GArray) symbols = name_slots (scenario);

  write_variables (self, scenario);
  write_parameters (self, scenario);
  write_rows (self, scenario, symbols, SS_ROWS_EQUALITY, "Dynamics and other equations");
  write_rows (self, scenario, symbols, SS_ROWS_NONNEGATIVE, "Inequalities");
  write_rows (self, scenario, symbols, SS_ROWS_COMPLEMENTARY, "Complementarities");
  write_costs (self, scenario, symbols);
}
