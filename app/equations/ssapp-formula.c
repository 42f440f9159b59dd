/* app/equations/ssapp-formula.c: see the header. */
#include "app/equations/ssapp-formula.h"

#include "app/base/ssapp-latex.h"

#include <math.h>
#include <string.h>

/* What is longer than this nobody reads; the depth keeps recursion within any stack. */
enum { NODES_MAX = 1500, DEPTH_MAX = 300 };
/* A factor below this is what rounding leaves of 0, as in cos (pi/2). */
#define ROUNDING 1e-15

typedef enum { LEVEL_OR, LEVEL_AND, LEVEL_COMPARE, LEVEL_SUM, LEVEL_PRODUCT, LEVEL_POWER, LEVEL_ATOM } Level;

typedef struct {
  const SsGraph *graph;
  const GArray *symbols;
  gboolean is_latex;
  GString *out;
  int n_nodes;
} Printer;

static void
symbol_clear (gpointer data)
{
  SsappSymbol *symbol = data;
  g_free (symbol->text);
  g_free (symbol->latex);
}

GArray *
ssapp_symbols_new (void)
{
  GArray *symbols = g_array_new (FALSE, TRUE, sizeof (SsappSymbol));
  g_array_set_clear_func (symbols, symbol_clear);
  return symbols;
}

void
ssapp_symbols_set (GArray *symbols, int slot, char *text, char *latex)
{
  if ((guint)slot >= symbols->len)
    g_array_set_size (symbols, (guint)slot + 1);
  SsappSymbol *symbol = &g_array_index (symbols, SsappSymbol, slot);
  g_free (symbol->text);
  g_free (symbol->latex);
  *symbol = (SsappSymbol){text, latex};
}

char *
ssapp_formula_number (double value, SsappFormulaForm form)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE], *exponent;
  const char *minus = form == SSAPP_FORMULA_LATEX ? "-" : "−", *sign = value < 0 ? minus : "";

  g_ascii_formatd (number, sizeof number, "%.6g", fabs (value));
  if (isinf (value))
    return g_strdup_printf ("%s%s", sign, form == SSAPP_FORMULA_LATEX ? "\\infty" : "∞");
  exponent = strchr (number, 'e');
  if (exponent == NULL || form == SSAPP_FORMULA_TEXT)
    return g_strdup_printf ("%s%s", sign, number);
  *exponent = '\0';
  const int power = (int)g_ascii_strtoll (exponent + 1, NULL, 10);
  return strcmp (number, "1") == 0 ? g_strdup_printf ("%s10^{%d}", sign, power)
                                   : g_strdup_printf ("%s%s\\cdot 10^{%d}", sign, number, power);
}

static SsExpr
operand (const Printer *p, SsExpr e, int which)
{
  return ss_graph_operand (p->graph, e, which);
}

static gboolean
is_op (const Printer *p, SsExpr e, SsOp op)
{
  return ss_graph_op (p->graph, e) == op;
}

/* A constant, or a product with one, which is *factor then. */
static gboolean
leading_factor (const Printer *p, SsExpr e, double *factor)
{
  if (is_op (p, e, SS_OP_MUL) || is_op (p, e, SS_OP_DIV))
    return leading_factor (p, operand (p, e, 0), factor);
  if (is_op (p, e, SS_OP_NEG)) {
    if (!leading_factor (p, operand (p, e, 0), factor))
      *factor = 1;
    *factor = -*factor;
    return TRUE;
  }
  if (!is_op (p, e, SS_OP_CONSTANT))
    return FALSE;
  *factor = ss_graph_value (p->graph, e);
  return TRUE;
}

static gboolean
is_rounding (const Printer *p, SsExpr e)
{
  double factor;
  return leading_factor (p, e, &factor) && fabs (factor) < ROUNDING && factor != 0;
}

static void print (Printer *p, SsExpr e, Level around, int depth);

/* A term without its sign; *is_negative says that it has one. */
static void
print_unsigned (Printer *p, SsExpr e, Level around, int depth)
{
  double factor;

  if (is_op (p, e, SS_OP_NEG)) {
    print_unsigned (p, operand (p, e, 0), around, depth + 1);
    return;
  }
  if (is_op (p, e, SS_OP_CONSTANT)) {
    g_autofree char *number = ssapp_formula_number (fabs (ss_graph_value (p->graph, e)),
                                                    p->is_latex ? SSAPP_FORMULA_LATEX : SSAPP_FORMULA_TEXT);
    g_string_append (p->out, number);
    return;
  }
  if (is_op (p, e, SS_OP_MUL) && leading_factor (p, e, &factor) && factor < 0) {
    /* The sign is that of the first factor, however deep it stands. */
    const SsExpr first = operand (p, e, 0), second = operand (p, e, 1);
    if (is_op (p, first, SS_OP_CONSTANT) && factor == -1) {
      print (p, second, LEVEL_PRODUCT, depth + 1);
      return;
    }
    print_unsigned (p, first, LEVEL_PRODUCT, depth + 1);
    g_string_append (p->out, p->is_latex ? "\\," : "·");
    print (p, second, is_op (p, second, SS_OP_MUL) ? LEVEL_PRODUCT : LEVEL_POWER, depth + 1);
    return;
  }
  if (is_op (p, e, SS_OP_DIV) && leading_factor (p, e, &factor) && factor < 0) {
    if (p->is_latex)
      g_string_append (p->out, "\\frac{");
    print_unsigned (p, operand (p, e, 0), p->is_latex ? LEVEL_SUM : LEVEL_PRODUCT, depth + 1);
    g_string_append (p->out, p->is_latex ? "}{" : "/");
    print (p, operand (p, e, 1), p->is_latex ? LEVEL_OR : LEVEL_POWER, depth + 1);
    if (p->is_latex)
      g_string_append (p->out, "}");
    return;
  }
  print (p, e, around, depth + 1);
}

static gboolean
is_negative (const Printer *p, SsExpr e)
{
  double factor;
  return leading_factor (p, e, &factor) && factor < 0;
}

/* One of the terms of a sum of sums. */
typedef struct {
  SsExpr e;
  gboolean is_taken_away;
} Term;

/* The terms of a sum, from left to right; what rounding left of 0 is no term. */
static GArray *
collect_terms (Printer *p, SsExpr e)
{
  GArray *terms = g_array_new (FALSE, FALSE, sizeof (Term)), *stack = g_array_new (FALSE, FALSE, sizeof (Term));
  Term term = {e, FALSE};

  g_array_append_val (stack, term);
  while (stack->len > 0 && p->n_nodes <= NODES_MAX) {
    term = g_array_index (stack, Term, stack->len - 1);
    g_array_set_size (stack, stack->len - 1);
    const gboolean is_sub = is_op (p, term.e, SS_OP_SUB);
    if (is_sub || is_op (p, term.e, SS_OP_ADD)) {
      const Term second = {operand (p, term.e, 1), term.is_taken_away != is_sub};
      term.e = operand (p, term.e, 0);
      g_array_append_val (stack, second);
      g_array_append_val (stack, term);
      p->n_nodes++;
    } else if (!is_rounding (p, term.e)) {
      g_array_append_val (terms, term);
    }
  }
  g_array_unref (stack);
  return terms;
}

/* "y − 0.25", not "−0.25 + y": the first term with a plus comes first. */
static void
put_plus_first (Printer *p, GArray *terms)
{
  for (guint i = 0; i < terms->len; i++) {
    const Term term = g_array_index (terms, Term, i);
    if (is_negative (p, term.e) != term.is_taken_away)
      continue;
    g_array_remove_index (terms, i);
    g_array_prepend_val (terms, term);
    return;
  }
}

static void
print_sum (Printer *p, SsExpr e, int depth)
{
  GArray *terms = collect_terms (p, e);

  put_plus_first (p, terms);
  for (guint i = 0; i < terms->len; i++) {
    const Term *term = &g_array_index (terms, Term, i);
    const gboolean is_minus = is_negative (p, term->e) != term->is_taken_away;
    if (i > 0)
      g_string_append (p->out, is_minus ? (p->is_latex ? " - " : " − ") : " + ");
    else if (is_minus)
      g_string_append (p->out, p->is_latex ? "-" : "−");
    if (is_negative (p, term->e))
      print_unsigned (p, term->e, LEVEL_PRODUCT, depth + 1);
    else
      print (p, term->e, LEVEL_PRODUCT, depth + 1);
  }
  if (terms->len == 0)
    g_string_append_c (p->out, '0');
  g_array_unref (terms);
}

/* What a power stands on: in LaTeX a name that has a power of its own, as x at the next point, needs braces. */
static void
print_base (Printer *p, SsExpr e, int depth)
{
  const gsize start = p->out->len;

  print (p, e, LEVEL_ATOM, depth + 1);
  if (!p->is_latex || strchr (p->out->str + start, '^') == NULL)
    return;
  g_string_insert_c (p->out, (gssize)start, '{');
  g_string_append_c (p->out, '}');
}

static void
print_product (Printer *p, SsExpr e, int depth)
{
  const SsExpr a = operand (p, e, 0), b = operand (p, e, 1);

  if (a == b) {
    print_base (p, a, depth);
    g_string_append (p->out, p->is_latex ? "^{2}" : "²");
    return;
  }
  print (p, a, LEVEL_PRODUCT, depth + 1);
  g_string_append (p->out, p->is_latex ? (is_op (p, b, SS_OP_CONSTANT) ? "\\cdot " : "\\,") : "·");
  print (p, b, is_op (p, b, SS_OP_MUL) ? LEVEL_PRODUCT : LEVEL_POWER, depth + 1);
}

static const struct {
  SsOp op;
  const char *text, *text_end, *latex, *latex_end;
} functions[] = {
    {SS_OP_SIN, "sin(", ")", "\\sin\\left(", "\\right)"},
    {SS_OP_COS, "cos(", ")", "\\cos\\left(", "\\right)"},
    {SS_OP_TAN, "tan(", ")", "\\tan\\left(", "\\right)"},
    {SS_OP_ASIN, "asin(", ")", "\\arcsin\\left(", "\\right)"},
    {SS_OP_ACOS, "acos(", ")", "\\arccos\\left(", "\\right)"},
    {SS_OP_ATAN, "atan(", ")", "\\arctan\\left(", "\\right)"},
    {SS_OP_ATAN2, "atan2(", ")", "\\operatorname{atan2}\\left(", "\\right)"},
    {SS_OP_SQRT, "√(", ")", "\\sqrt{", "}"},
    {SS_OP_EXP, "exp(", ")", "\\exp\\left(", "\\right)"},
    {SS_OP_LOG, "log(", ")", "\\ln\\left(", "\\right)"},
    {SS_OP_ABS, "abs(", ")", "\\left|", "\\right|"},
    {SS_OP_MIN, "min(", ")", "\\min\\left(", "\\right)"},
    {SS_OP_MAX, "max(", ")", "\\max\\left(", "\\right)"},
    {SS_OP_SIGN, "sign(", ")", "\\operatorname{sign}\\left(", "\\right)"},
    {SS_OP_NOT, "not (", ")", "\\neg\\left(", "\\right)"},
    {SS_OP_IF, "if(", ")", "\\operatorname{if}\\left(", "\\right)"},
    {SS_OP_FLOOR, "floor(", ")", "\\left\\lfloor ", "\\right\\rfloor"},
    {SS_OP_MOD, "mod(", ")", "\\operatorname{mod}\\left(", "\\right)"},
};

static void
print_function (Printer *p, SsExpr e, int depth)
{
  for (guint f = 0; f < G_N_ELEMENTS (functions); f++) {
    if (!is_op (p, e, functions[f].op))
      continue;
    g_string_append (p->out, p->is_latex ? functions[f].latex : functions[f].text);
    for (int i = 0; i < 3 && operand (p, e, i) != SS_EXPR_NONE; i++) {
      if (i > 0)
        g_string_append (p->out, ", ");
      print (p, operand (p, e, i), LEVEL_OR, depth + 1);
    }
    g_string_append (p->out, p->is_latex ? functions[f].latex_end : functions[f].text_end);
  }
}

static const struct {
  SsOp op;
  Level level;
  const char *text, *latex;
} infixes[] = {
    {SS_OP_LT, LEVEL_COMPARE, " < ", " < "}, {SS_OP_LE, LEVEL_COMPARE, " ≤ ", " \\le "},
    {SS_OP_EQ, LEVEL_COMPARE, " = ", " = "}, {SS_OP_AND, LEVEL_AND, " and ", " \\wedge "},
    {SS_OP_OR, LEVEL_OR, " or ", " \\vee "},
};

static Level
level_of (const Printer *p, SsExpr e)
{
  const SsOp op = ss_graph_op (p->graph, e);

  if (op == SS_OP_ADD || op == SS_OP_SUB)
    return LEVEL_SUM;
  if (op == SS_OP_MUL && operand (p, e, 0) == operand (p, e, 1))
    return LEVEL_POWER;
  if (op == SS_OP_DIV && p->is_latex)
    return LEVEL_PRODUCT;
  if (op == SS_OP_MUL || op == SS_OP_DIV)
    return is_negative (p, e) ? LEVEL_SUM : LEVEL_PRODUCT;
  if (op == SS_OP_NEG)
    return LEVEL_SUM;
  if (op == SS_OP_POW)
    return LEVEL_POWER;
  if (op == SS_OP_CONSTANT)
    return ss_graph_value (p->graph, e) < 0 ? LEVEL_SUM : LEVEL_ATOM;
  for (guint i = 0; i < G_N_ELEMENTS (infixes); i++)
    if (op == infixes[i].op)
      return infixes[i].level;
  return LEVEL_ATOM;
}

static void
print_input (Printer *p, SsExpr e)
{
  const guint slot = (guint)ss_graph_slot (p->graph, e);
  const SsappSymbol *symbol = slot < p->symbols->len ? &g_array_index (p->symbols, SsappSymbol, slot) : NULL;

  if (symbol != NULL && symbol->text != NULL)
    g_string_append (p->out, p->is_latex ? symbol->latex : symbol->text);
  else
    g_string_append_printf (p->out, p->is_latex ? "z_{%u}" : "z%u", slot);
}

static void
print_bare (Printer *p, SsExpr e, int depth)
{
  const SsOp op = ss_graph_op (p->graph, e);

  if (op == SS_OP_INPUT) {
    print_input (p, e);
  } else if (op == SS_OP_CONSTANT && ss_graph_value (p->graph, e) >= 0) {
    print_unsigned (p, e, LEVEL_ATOM, depth);
  } else if (is_negative (p, e) && op != SS_OP_POW) {
    g_string_append (p->out, p->is_latex ? "-" : "−");
    print_unsigned (p, e, LEVEL_PRODUCT, depth);
  } else if (op == SS_OP_ADD || op == SS_OP_SUB) {
    print_sum (p, e, depth);
  } else if (op == SS_OP_MUL) {
    print_product (p, e, depth);
  } else if (op == SS_OP_DIV) {
    g_string_append (p->out, p->is_latex ? "\\frac{" : "");
    print (p, operand (p, e, 0), p->is_latex ? LEVEL_OR : LEVEL_PRODUCT, depth + 1);
    g_string_append (p->out, p->is_latex ? "}{" : "/");
    print (p, operand (p, e, 1), p->is_latex ? LEVEL_OR : LEVEL_POWER, depth + 1);
    g_string_append (p->out, p->is_latex ? "}" : "");
  } else if (op == SS_OP_POW) {
    print_base (p, operand (p, e, 0), depth);
    g_string_append (p->out, p->is_latex ? "^{" : "^");
    print (p, operand (p, e, 1), p->is_latex ? LEVEL_OR : LEVEL_ATOM, depth + 1);
    g_string_append (p->out, p->is_latex ? "}" : "");
  } else {
    for (guint i = 0; i < G_N_ELEMENTS (infixes); i++)
      if (op == infixes[i].op) {
        print (p, operand (p, e, 0), infixes[i].level + 1, depth + 1);
        g_string_append (p->out, p->is_latex ? infixes[i].latex : infixes[i].text);
        print (p, operand (p, e, 1), infixes[i].level + 1, depth + 1);
        return;
      }
    print_function (p, e, depth);
  }
}

/* In parentheses where what stands around binds tighter. */
static void
print (Printer *p, SsExpr e, Level around, int depth)
{
  p->n_nodes += depth > DEPTH_MAX ? NODES_MAX : 1;
  if (p->n_nodes > NODES_MAX)
    return;
  if (level_of (p, e) >= around) {
    print_bare (p, e, depth);
    return;
  }
  g_string_append (p->out, p->is_latex ? "\\left(" : "(");
  print_bare (p, e, depth);
  g_string_append (p->out, p->is_latex ? "\\right)" : ")");
}

char *
ssapp_formula (const SsGraph *graph, SsExpr e, const GArray *symbols, SsappFormulaForm form)
{
  Printer p = {graph, symbols, form == SSAPP_FORMULA_LATEX, g_string_new (NULL), 0};

  if (e != SS_EXPR_NONE)
    print (&p, e, LEVEL_OR, 0);
  return g_string_free (p.out, e == SS_EXPR_NONE || p.n_nodes > NODES_MAX);
}

/* ---- LaTeX ------------------------------------------------------------------------------------------------------- */

/* Words within math mode. */
static char *
upright (const char *words)
{
  g_autofree char *inside = ssapp_latex_words (words);
  return g_strdup_printf ("\\text{%s}", inside);
}

char *
ssapp_latex_name (const char *name)
{
  static const char *const greek[] = {"alpha", "beta", "gamma", "delta", "theta", "lambda", "mu",
                                      "omega", "phi",  "psi",   "sigma", "tau",   "rho",    NULL};
  const char *dot = strrchr (name, '.');
  gsize letters = 0;

  if (dot != NULL && dot != name && dot[1] != '\0') {
    g_autofree char *owner = g_strndup (name, (gsize)(dot - name)), *below = upright (owner),
                    *what = ssapp_latex_name (dot + 1);
    return g_strdup_printf ("{%s}_{%s}", what, below);
  }
  if (g_strv_contains (greek, name))
    return g_strdup_printf ("\\%s", name);
  while (g_ascii_isalpha (name[letters]))
    letters++;
  if (letters == 1 && name[1] == '\0')
    return g_strdup (name);
  if (letters == 1 && strspn (name + 1, "0123456789") == strlen (name + 1))
    return g_strdup_printf ("%c_{%s}", name[0], name + 1);
  if (letters == strlen (name) && letters > 0)
    return g_strdup_printf ("\\mathit{%s}", name);
  return upright (name);
}
