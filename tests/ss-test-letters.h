/* tests/ss-test-letters.h: small problems with complementarity constraints from formulas whose variables are called a,
 * b, c, ... */
#pragma once

#include "mpcc/ss-mpcc.h"
#include "ss-test.h"

enum { SS_TEST_ROWS_MOST = 40 };

/* `user_data` is the graph. */
static inline SsStatus
ss_test_resolve_letter (void *user_data, const char *name, size_t length, int shift, SsExpr *out, SsError *err)
{
  if (length != 1 || shift != 0 || name[0] < 'a' || name[0] > 'z')
    return ss_error_set (err, SS_ERR_INVALID, "unknown name");
  *out = ss_graph_input (user_data, name[0] - 'a');
  return SS_OK;
}

/* min cost, equalities = 0, inequalities >= 0 (lists end with NULL), pairs of three inequalities: product, a, b (-1:
 * not a row). */
static inline SsMpcc *
ss_test_build_letters (int n, const char *cost, const char *const *equalities, const char *const *inequalities,
                       int n_pairs, const int pairs[][3])
{
  SsGraph *graph = NULL;
  SsMpccBuilder *builder = NULL;
  SsMpcc *mpcc = NULL;
  SsError err;
  SsExpr e[SS_TEST_ROWS_MOST];
  int gather[26], rows[SS_TEST_ROWS_MOST];

  for (int i = 0; i < 26; i++)
    gather[i] = i;
  for (int i = 0; i < SS_TEST_ROWS_MOST; i++)
    rows[i] = i;
  SS_CHECK (ss_graph_new (&graph, &err) == SS_OK);
  SS_CHECK (ss_mpcc_builder_new (graph, n, 0, &builder, &err) == SS_OK);
  SS_CHECK (ss_expr_parse (graph, cost, ss_test_resolve_letter, graph, &e[0], &err) == SS_OK);
  SsMpccTemplate t = {.name = "cost", .n_inputs = n, .n_formulas = 1, .formulas = e};
  SS_CHECK (ss_mpcc_builder_add_cost (builder, &t, 1, gather, &err) == SS_OK);
  const char *const *lists[] = {equalities, inequalities};
  for (int kind = 0; kind < 2; kind++) {
    t.n_formulas = 0;
    for (; lists[kind] != NULL && lists[kind][t.n_formulas] != NULL; t.n_formulas++)
      SS_CHECK (ss_expr_parse (graph, lists[kind][t.n_formulas], ss_test_resolve_letter, graph, &e[t.n_formulas],
                               &err) == SS_OK);
    t.name = "rows";
    if (t.n_formulas > 0)
      SS_CHECK (ss_mpcc_builder_add_rows (builder, kind == 0 ? SS_ROW_EQUALITY : SS_ROW_INEQUALITY, &t, 1, gather, rows,
                                          &err) == SS_OK);
  }
  for (int i = 0; i < n_pairs; i++)
    SS_CHECK (ss_mpcc_builder_add_pair (builder, pairs[i][0], pairs[i][1], pairs[i][2], &err) == SS_OK);
  SS_CHECK (ss_mpcc_build (builder, &mpcc, &err) == SS_OK);
  ss_mpcc_builder_free (builder);
  ss_graph_free (graph);
  return mpcc;
}
