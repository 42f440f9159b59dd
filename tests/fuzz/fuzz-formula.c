/* tests/fuzz/fuzz-formula.c: formulas. One that is read has the same bits by its tape as node by node, and so have its
 * derivatives; written and read again it is a formula; one that is refused says where. */
#include "expr/ss-expr.h"
#include "ss-fuzz-target.h"

enum { SLOTS = 8, NODES_MOST = 20000, DERIVATIVES = 3 };

static const char *const tokens[] = {
    "sin(",   "cos(",  "atan2(", "sqrt(",      "exp(", "log(",     "abs(",     "min(", "max(", "sign(", "if(",
    "floor(", "mod(",  "next(",  "sum(i,1,3,", "not ", " and ",    " or ",     "<=",   "==",   "^",     "-",
    "**",     "1e308", "1e-320", "0",          ".5",   "pi",       "a",        "b",    "c.x",  "d[2]",  "d[i]",
    "e[1,2]", "N",     ",",      ")",          "(",    "((((((((", "\xc3\xa9", NULL};

static SsStatus
resolve (void *user_data, const char *name, size_t length, int shift, SsExpr *out, SsError *err)
{
  SsGraph *graph = user_data;

  if (shift == SS_NAME_TAKEN)
    return ss_error_set (err, SS_ERR_INVALID, "no constant");
  if (length == 1 && name[0] == 'N')
    return (*out = ss_graph_constant (graph, 3)), SS_OK;
  if (shift == SS_NAME_CONSTANT || length == 0 || name[0] < 'a' || name[0] > 'e')
    return ss_error_set (err, SS_ERR_INVALID, "no name '%.*s'", (int)length, name);
  *out = ss_graph_input (graph, (name[0] - 'a' + (int)length + shift) % SLOTS);
  return SS_OK;
}

static bool
is_same (double a, double b)
{
  return isnan (a) ? isnan (b) : memcmp (&a, &b, sizeof a) == 0;
}

static void
compare (const SsGraph *graph, const SsExpr *formulas, int n)
{
  static const double points[][SLOTS] = {
      {0.5, -1.25, 3, 0, 1, -2, 1e-3, 7}, {0, 0, 0, 0, 0, 0, 0, 0}, {1e200, -1e200, INFINITY, NAN, -0.0, 1, 2, 1e-310}};
  enum { POINTS = sizeof points / sizeof *points };
  const size_t n_nodes = (size_t)ss_graph_n_nodes (graph);
  double in[SLOTS * POINTS], out[(1 + DERIVATIVES) * POINTS], *memo = calloc (n_nodes, sizeof *memo), *work = NULL;
  int *stamp = calloc (n_nodes, sizeof *stamp);
  SsTape *tape = NULL;

  for (int p = 0; p < POINTS; p++)
    for (int slot = 0; slot < SLOTS; slot++)
      in[slot * POINTS + p] = points[p][slot];
  if (ss_tape_new (graph, formulas, n, SLOTS, &tape, NULL) == SS_OK)
    work = calloc (ss_tape_work_size (tape) + 1, sizeof *work);
  if (memo != NULL && stamp != NULL && work != NULL) {
    ss_tape_eval (tape, POINTS, POINTS, in, SLOTS, NULL, out, work);
    for (int p = 0; p < POINTS; p++)
      for (int k = 0; k < n; k++)
        SS_CHECK (
            is_same (out[k * POINTS + p], ss_graph_eval (graph, formulas[k], points[p], SLOTS, memo, stamp, p + 1)));
  }
  ss_tape_free (tape);
  free (memo);
  free (stamp);
  free (work);
}

static void
try_formula (const char *bytes, size_t length)
{
  static char written[1 << 17];
  SsGraph *graph = NULL;
  SsError err = {0};
  SsExpr formulas[1 + DERIVATIVES], again;
  char *text = malloc (length + 1);

  if (text == NULL || ss_graph_new (&graph, NULL) != SS_OK) {
    free (text);
    return;
  }
  memcpy (text, bytes, length);
  text[length] = '\0';
  const SsStatus status = ss_expr_parse (graph, text, resolve, graph, &formulas[0], &err);
  if (status != SS_OK) {
    SS_CHECK (err.message[0] != '\0' && err.column >= 1 && (size_t)err.column <= strlen (text) + 1);
  } else if (ss_graph_n_nodes (graph) < NODES_MOST) {
    int slots[DERIVATIVES], n = ss_graph_inputs (graph, formulas[0], slots, DERIVATIVES);
    n = n < DERIVATIVES ? n : DERIVATIVES;
    if (ss_graph_is_smooth (graph, formulas[0]))
      ss_graph_gradient (graph, formulas[0], slots, n, formulas + 1);
    else
      n = 0;
    if (ss_graph_n_nodes (graph) < NODES_MOST)
      compare (graph, formulas, 1 + n);
    ss_expr_format (graph, formulas[0], (const char *const[]){"a", "b", "c", "d", "e", "bbbbbb", "ccccc", "dddd"},
                    SLOTS, written, sizeof written);
    if (strlen (written) < 60000) { /* above it a formula is too long or too deep */
      const SsStatus reading = ss_expr_parse (graph, written, resolve, graph, &again, &err);
      SS_CHECK (reading == SS_OK || strstr (err.message, "deep") != NULL || strstr (written, "inf") != NULL ||
                strstr (written, "nan") != NULL);
    }
  }
  ss_graph_free (graph);
  free (text);
}

static const SsFuzzTarget ss_fuzz_target = {
    .name = "formula", .iterations = 10000, .most = 4096, .try = try_formula, .tokens = tokens};
SS_FUZZ_MAIN
