/* app/bench/ssapp-paper.c: see ssapp-paper.h. */
#include "app/bench/ssapp-paper.h"

#include "app/bench/ssapp-bench-fesd.h"
#include "app/bench/ssapp-bench-freeze.h"
#include "app/bench/ssapp-bench-impacts.h"

#include <math.h>
#include <string.h>

typedef enum { SUITE_CRISP, SUITE_FESD, SUITE_FREEZE, SUITE_IMPACTS, SUITE_CONSTRAINT } Suite;

typedef struct {
  SsappPaper paper;
  Suite suite;
  const char *only; /* keys of the tables that are kept, with commas */
} Study;

#define CRISP      "Li et al. 2025, CRISP"
#define FESD       "Nurkanović et al. 2023, FESD-J"
#define FREEZING   "Nurkanović et al., time-freezing"
#define IMPACTS    "Halm and Posa, set-valued impacts"
#define CONSTRAINT "Drumwright, first-order constraint solver"

/* clang-format off */
static const Study studies[] = {
  {{"crisp-table-2", "crisp", "Table II", "CRISP beside other solvers", CRISP ": Table II and section IV-C",
    "Six problems from many initial states, targets and guesses: successes, tracking error, violation, iterations and time of CRISP here, beside what "
    "the paper prints of CRISP, Ipopt, SNOPT and ProxNLP. The paper's times are of another machine. With methods crisp,ipopt Ipopt runs here too, "
    "which takes hours on all instances.",
    "two instances of each group instead of all", NULL, TRUE}, SUITE_CRISP, "table-2,others"},
  {{"fesd-j-figure-6", "fesd-j", "Fig. 6", "Orders of FESD-J", FESD ": Fig. 6 and section 5.1",
    "Two balls on a spring of 1e4 N/m, the lower one bounces (e = 0.8): the error at 1 s over the length of an element, with Radau IIA and Gauss-Legendre "
    "of 1 to 4 stages. The slopes are fitted and stand beside the theory, 2 n - 1 and 2 n, and beside those of the same equations solved by another "
    "program. The paper draws the errors and does not print them.", NULL, NULL}, SUITE_FESD, "slopes,runs"},
  {{"time-freezing-figures-1-5", "time-freezing", "Figs 1 to 5", "Examples of time-freezing", FREEZING ": Examples 1 to 4, Figs 1, 2, 3 and 5",
    "A particle falls, slides and takes off, without friction and with 0.6: times of impact, end of jump and take-off in numerical time, and the state at "
    "the end, beside the closed form. The paper draws these motions and does not print their numbers.", NULL, NULL}, SUITE_FREEZE, "examples"},
  {{"time-freezing-figure-6", "time-freezing", "Fig. 6", "Plan with time-freezing", FREEZING ": Example 5, Fig. 6 and section 5.3",
    "The particle is guided along a curve: the plan with the cost in numerical time, from the paper's start, polished, and its controls in a simulation, "
    "beside the exact optimum.", NULL, NULL}, SUITE_FREEZE, "examples"},
  {{"impacts-table-3", "impacts", "Table 3", "Cost of sampling impacts", IMPACTS ": Table 3 and section 5.4",
    "Samples of all velocities after an impact, for the paper's five models: complementarity problems a sample, time a sample and a problem. The paper's "
    "times are of a program in another language on another machine.", NULL, "2^20 samples instead of 2^14"}, SUITE_IMPACTS, "sampling"},
  {{"impacts-figure-12", "impacts", "Fig. 12", "Corners that give way", IMPACTS ": Fig. 12 and section 5.4.1",
    "The corners of the rocking block as springs and dampers: a sweep of their stiffness and of the angle of the fall, beside the extremes of the set of "
    "outcomes.", NULL, NULL}, SUITE_IMPACTS, "compliant"},
  {{"constraint-solver-figures-1-3", "constraint-solver", "Figs 1 to 3", "Euler's methods on a spring", CONSTRAINT ": Figs 1 to 3 and section 3.1",
    "A mass on a stiff spring by the explicit, semi-implicit and implicit Euler method: what is stable here, and in the paper.", NULL, NULL},
   SUITE_CONSTRAINT, "figs-1-3"},
  {{"constraint-solver-figure-4", "constraint-solver", "Fig. 4", "Pendulum on a stiff joint", CONSTRAINT ": Fig. 4 and section 4.4",
    "A pendulum on a joint of 1e15 N/m: how far the joint opens, over the step, and its energy.", NULL, NULL}, SUITE_CONSTRAINT, "fig-4"},
  {{"constraint-solver-figure-6", "constraint-solver", "Fig. 6", "Pendulum with a stop", CONSTRAINT ": Fig. 6 and section 5.4",
    "A pendulum falls against a soft stop: the angle after 1 s beside the exact one, over the step.", NULL, "steps of 1e-7 and 1e-8 s: minutes"},
   SUITE_CONSTRAINT, "fig-6"},
  {{"constraint-solver-table-1", "constraint-solver", "Table 1", "Times on an elastic foundation", CONSTRAINT ": Table 1 and section 5.5",
    "CPU time for 1 s of a box on springs, beside the paper's solver and Matlab's ode15s and ode45, which ran on another machine with a cube in space.",
    NULL, NULL}, SUITE_CONSTRAINT, "table-1"},
  {{"constraint-solver-table-2", "constraint-solver", "Table 2", "Errors on an elastic foundation", CONSTRAINT ": Table 2 and section 5.5",
    "The error of the box's position and angle after 1 s, against the exact solution here and against ode45 in the paper.", NULL, NULL},
   SUITE_CONSTRAINT, "table-2"},
  {{"constraint-solver-figure-9", "constraint-solver", "Fig. 9", "Box on a ramp", CONSTRAINT ": Fig. 9 and section 6.4",
    "The distance that a box slides in 1 s on a ramp of 15 degrees, for four coefficients of friction, beside the closed form and the quadratic programs "
    "as the paper prints them.", NULL, NULL}, SUITE_CONSTRAINT, "fig-9"},
  {{"constraint-solver-figure-10", "constraint-solver", "Fig. 10", "Stacks of disks", CONSTRAINT ": Fig. 10 and section 6.5",
    "Stacks of up to 100 disks: time a step, and how far they sink. The paper draws its times and does not print them.", NULL, NULL},
   SUITE_CONSTRAINT, "fig-10"},
};
/* clang-format on */

const SsappPaper *
ssapp_papers (guint *n)
{
  static SsappPaper papers[G_N_ELEMENTS (studies)];
  static gsize is_made = 0;

  if (g_once_init_enter (&is_made)) {
    for (guint i = 0; i < G_N_ELEMENTS (studies); i++)
      papers[i] = studies[i].paper;
    g_once_init_leave (&is_made, 1);
  }
  *n = G_N_ELEMENTS (studies);
  return papers;
}

const SsappPaper *
ssapp_paper_find (const char *name)
{
  guint n;
  const SsappPaper *papers = ssapp_papers (&n);

  for (guint i = 0; i < n; i++)
    if (strcmp (papers[i].name, name) == 0)
      return &papers[i];
  return NULL;
}

gboolean
ssapp_paper_matches (const SsappPaper *paper, const char *search)
{
  g_return_val_if_fail (paper != NULL, FALSE);
  g_autofree char *all = g_strjoin (" ", paper->label, paper->title, paper->place, paper->name, NULL);
  g_autofree char *folded = g_utf8_casefold (all, -1), *words = g_utf8_casefold (search, -1);
  g_auto (GStrv) parts = g_strsplit_set (words, " \t", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    if (strstr (folded, parts[i]) == NULL)
      return FALSE;
  return TRUE;
}

char *
ssapp_paper_to_command (const SsappPaper *paper, SsappPaperExtent extent)
{
  g_return_val_if_fail (paper != NULL, NULL);
  static const char *const options[] = {
      [SSAPP_PAPER_QUICK] = " --quick", [SSAPP_PAPER_USUAL] = "", [SSAPP_PAPER_ALL] = " --all"};

  return g_strdup_printf ("stickslip-cli paper %s%s", paper->name, options[extent]);
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

static SsappBenchSheet *
run_fesd (const SsappPaperPlan *plan)
{
  const SsappBenchFesdPlan fesd = {.control = plan->control, .say = plan->say};
  SsappOrderFigure *figure = NULL;
  g_autofree char *csv = NULL;
  int n_failed;
  SsappBenchSheet *sheet = ssapp_bench_fesd_order (&fesd, &csv, &figure, &n_failed);

  ssapp_order_figure_free (figure);
  return sheet;
}

static SsappBenchSheet *
run_freeze (const SsappPaperPlan *plan, const SsappPaper *paper)
{
  const SsappBenchFreezePlan freeze = {.parts = strcmp (paper->name, "time-freezing-figure-6") == 0
                                                    ? SSAPP_FREEZE_PART_PLAN
                                                    : SSAPP_FREEZE_PART_EXAMPLES,
                                       .control = plan->control,
                                       .say = plan->say};
  SsappBenchFreeze *bench = ssapp_bench_freeze_new (&freeze);
  int n_failed;
  SsappBenchSheet *sheet = ssapp_bench_freeze_sheet (bench, &n_failed);

  ssapp_bench_freeze_free (bench);
  return sheet;
}

/* NULL with a message. */
static SsappBenchSheet *
run_study (const Study *study, const SsappPaperPlan *plan, char **message)
{
  const gboolean is_all = plan->extent == SSAPP_PAPER_ALL;
  SsappBenchSheet *sheet;

  switch (study->suite) {
  case SUITE_CRISP:
    sheet = ssapp_bench_sheet_new ();
    if (!ssapp_paper_crisp (plan, sheet, message))
      g_clear_pointer (&sheet, ssapp_bench_sheet_free);
    return sheet;
  case SUITE_FESD:
    return run_fesd (plan);
  case SUITE_FREEZE:
    return run_freeze (plan, &study->paper);
  case SUITE_IMPACTS:
    return ssapp_bench_impacts (
        &(SsappBenchImpactsPlan){.is_all = is_all, .only = study->only, .control = plan->control, .say = plan->say});
  case SUITE_CONSTRAINT:
    return ssapp_bench_constraint (
        &(SsappBenchConstraintPlan){.is_all = is_all, .only = study->only, .control = plan->control, .say = plan->say});
  }
  return NULL;
}

/* The tables of the list, in its order. */
static json_t *
choose_tables (const json_t *documents, const char *only)
{
  g_auto (GStrv) keys = g_strsplit (only, ",", -1);
  json_t *chosen = json_array ();
  const json_t *table;
  size_t i;

  for (guint k = 0; keys[k] != NULL; k++)
    json_array_foreach (documents, i, table)
    {
      if (g_strcmp0 (json_string_value (json_object_get (table, "name")), keys[k]) == 0)
        json_array_append (chosen, (json_t *)table);
    }
  return chosen;
}

json_t *
ssapp_paper_run (const SsappPaper *paper, const SsappPaperPlan *plan, char **message)
{
  static const char *const extents[] = {"quick", "usual", "all"};
  const Study *study = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (studies); i++)
    if (strcmp (studies[i].paper.name, paper->name) == 0)
      study = &studies[i];
  g_return_val_if_fail (study != NULL, NULL);
  SsappBenchSheet *sheet = run_study (study, plan, message);
  if (sheet == NULL)
    return NULL;
  json_t *documents = ssapp_bench_sheet_to_documents (sheet);
  json_t *document = json_pack ("{s:i, s:s, s:s, s:s, s:s, s:b, s:o, s:o}", "format", 1, "paper", paper->name, "title",
                                paper->title, "place", paper->place, "extent", extents[plan->extent], "complete",
                                plan->control == NULL || atomic_load (&plan->control->cancel) == 0, "machine",
                                ssapp_bench_machine (), "tables", choose_tables (documents, study->only));
  json_decref (documents);
  ssapp_bench_sheet_free (sheet);
  return document;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static void
add_columns (SsappTable *table, const json_t *columns)
{
  const json_t *column;
  size_t i;

  json_array_foreach (columns, i, column)
  {
    const char *key = json_string_value (json_object_get (column, "key"));
    const char *title = json_string_value (json_object_get (column, "title"));
    const int digits = (int)json_integer_value (json_object_get (column, "digits"));
    g_autofree char *format = g_strdup_printf ("%%.%dg", CLAMP (digits, 1, 17));
    if (digits == 0)
      ssapp_table_add_text_column (table, key != NULL ? key : "", title != NULL ? title : "");
    else
      ssapp_table_add_number_column (table, key != NULL ? key : "", title != NULL ? title : "", "", format,
                                     SSAPP_BEST_NONE);
  }
}

static void
add_row (SsappTable *table, const json_t *row)
{
  const json_t *cell;
  size_t i;

  ssapp_table_begin_row (table);
  json_array_foreach (row, i, cell)
  {
    if (i >= ssapp_table_get_n_columns (table))
      break;
    if (json_is_string (cell))
      ssapp_table_add_text (table, json_string_value (cell));
    else if (ssapp_table_is_number_column (table, (guint)i))
      ssapp_table_add_number (table, json_is_number (cell) ? json_number_value (cell) : (double)NAN);
    else
      ssapp_table_add_text (table, "");
  }
}

GPtrArray *
ssapp_paper_read (const json_t *document)
{
  const json_t *list = json_object_get (document, "tables"), *item, *part;
  GPtrArray *tables;
  size_t i, k;

  if (!json_is_array (list))
    return NULL;
  tables = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_table_free);
  json_array_foreach (list, i, item)
  {
    const char *title = json_string_value (json_object_get (item, "title"));
    SsappTable *table = ssapp_table_new (title != NULL ? title : "");
    add_columns (table, json_object_get (item, "columns"));
    json_array_foreach (json_object_get (item, "rows"), k, part) add_row (table, part);
    json_array_foreach (json_object_get (item, "notes"), k, part)
    {
      if (json_is_string (part))
        ssapp_table_add_note (table, json_string_value (part));
    }
    g_ptr_array_add (tables, table);
  }
  return tables;
}
