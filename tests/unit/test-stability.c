/* tests/unit/test-stability.c: the claim of unconditional stability of paper 003
 * (app/bench/ssapp-bench-stability.c). */
#include "app/bench/ssapp-paper.h"
#include "tests/ss-test.h"

#include <string.h>

/* A row of the pendulum's by its options, stiffness and step; -1: none. */
static int
find_run (const SsappTable *table, const char *variant, double stiffness, double dt)
{
  for (guint i = 0; i < ssapp_table_get_n_rows (table); i++)
    if (strcmp (ssapp_table_get_text (table, i, 2), variant) == 0 &&
        ssapp_table_get_number (table, i, 3) == stiffness && ssapp_table_get_number (table, i, 4) == dt)
      return (int)i;
  return -1;
}

/* The paper's pendulum gains energy with steps of 20 ms and more, for any stiffness; gains are those of a program of
 * its equations (2.2 of the reference) that shares no code with ours, to the three digits that were noted. By the
 * default nothing is gained. */
static void
the_pendulum_is_not_unconditionally_stable (void)
{
  static const struct {
    double stiffness, dt, gain;
  } cases[] = {{1e15, 0.01, 0.019}, {1e15, 0.02, 0.0694}, {1e6, 0.05, 1.57}, {1e3, 0.02, 0.0304}};
  SsRunControl control = {0};
  SsappBenchSheet *sheet =
      ssapp_bench_stability (&(SsappBenchConstraintPlan){.only = "pendulum", .control = &control}, TRUE);
  json_t *document = json_pack ("{s:o}", "tables", ssapp_bench_sheet_to_documents (sheet));
  GPtrArray *tables = ssapp_paper_read (document);
  const SsappTable *table = g_ptr_array_index (tables, 0), *counts = g_ptr_array_index (tables, 1);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const int row = find_run (table, "paper", cases[i].stiffness, cases[i].dt);
    SS_CHECK (row >= 0);
    if (row < 0)
      continue;
    SS_CHECK_NEAR (ssapp_table_get_number (table, (guint)row, 5), cases[i].gain, 5e-3 * cases[i].gain);
    SS_CHECK_STR (ssapp_table_get_text (table, (guint)row, 9), cases[i].gain > 0.05 ? "gains energy" : "completes");
  }
  SS_CHECK (ssapp_table_get_n_rows (counts) == 2);
  SS_CHECK_NEAR (ssapp_table_get_number (counts, 0, 5), 0, 0);  /* the default */
  SS_CHECK_NEAR (ssapp_table_get_number (counts, 1, 5), 14, 0); /* the paper */
  g_ptr_array_unref (tables);
  json_decref (document);
  ssapp_bench_sheet_free (sheet);
}

int
main (void)
{
  SS_RUN (the_pendulum_is_not_unconditionally_stable);
  return ss_test_finish ();
}
