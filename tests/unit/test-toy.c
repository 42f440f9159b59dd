/* tests/unit/test-toy.c: Example 1 of paper 004, two variables of which one is zero, as tables and curves
 * (app/bench/ssapp-paper-toy.c). */
#include "app/bench/ssapp-paper.h"
#include "tests/ss-test.h"

#include <math.h>
#include <string.h>

/* The tables of an item; to be freed. */
static GPtrArray *
make_item (const char *name)
{
  char *message = NULL;
  SsRunControl control;
  ss_run_control_init (&control);
  json_t *document = ssapp_paper_run (ssapp_paper_find (name),
                                      &(SsappPaperPlan){.extent = SSAPP_PAPER_USUAL, .control = &control}, &message);
  SS_CHECK (document != NULL && message == NULL);
  GPtrArray *tables = ssapp_paper_read (document);
  json_decref (document);
  return tables;
}

/* [004 Fig 2 (1a)-(1d) (2) (3)]: of the quadrant two directions are tangent; every method's answer is at the origin to
 * what its products allow. With the wish (1, 1) the least objective is 1, and auto has it from every start. */
static void
the_cones_differ (void)
{
  GPtrArray *tables = make_item ("crisp-figure-2");
  const SsappTable *cones = g_ptr_array_index (tables, 0), *answers = g_ptr_array_index (tables, 1);
  int n_auto = 0;

  SS_CHECK (ssapp_table_get_number (cones, 0, 1) == 91 && ssapp_table_get_number (cones, 0, 2) == 2);
  SS_CHECK (ssapp_table_get_n_rows (answers) == 36);
  for (guint i = 0; i < ssapp_table_get_n_rows (answers); i++) {
    const gboolean is_auto = strcmp (ssapp_table_get_text (answers, i, 3), "auto") == 0;
    if (ssapp_table_get_number (answers, i, 0) == 0)
      SS_CHECK_NEAR (ssapp_table_get_number (answers, i, 6), 0, 1e-3);
    else if (is_auto)
      SS_CHECK_NEAR (ssapp_table_get_number (answers, i, 7), 1, 1e-6);
    n_auto += is_auto && strcmp (ssapp_table_get_text (answers, i, 10), "proved") == 0;
  }
  SS_CHECK (n_auto == 6);
  g_ptr_array_unref (tables);
}

/* [004 Fig 3]: the points of level sets, put into the merit function as it is written, have that level; the origin is
 * the only stationary point of the grid, for each penalty. */
static void
level_sets_are_level (void)
{
  GPtrArray *tables = make_item ("crisp-figure-3");
  const SsappTable *stationary = g_ptr_array_index (tables, 0), *contours = g_ptr_array_index (tables, 2);

  for (guint i = 0; i < ssapp_table_get_n_rows (contours); i++) {
    const double mu = ssapp_table_get_number (contours, i, 0), level = ssapp_table_get_number (contours, i, 1);
    const double x1 = ssapp_table_get_number (contours, i, 2), x2 = ssapp_table_get_number (contours, i, 3);
    const double merit = x1 * x1 + x2 * x2 + mu * (fmax (0, -x1) + fmax (0, -x2) + fabs (x1 * x2));
    SS_CHECK_NEAR (merit, level, 1e-9 * level);
  }
  for (guint i = 0; i < ssapp_table_get_n_rows (stationary); i++)
    SS_CHECK (ssapp_table_get_number (stationary, i, 2) == 1 && ssapp_table_get_number (stationary, i, 3) == 0);
  g_ptr_array_unref (tables);
}

int
main (void)
{
  SS_RUN_SLOW (the_cones_differ); /* of 36 solves; level sets fill tables, too */
  SS_RUN (level_sets_are_level);
  return ss_test_finish ();
}
