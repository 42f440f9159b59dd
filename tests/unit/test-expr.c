/* tests/unit/test-expr.c: expression graphs, formulas, derivatives, tapes.
 *
 * Truth: closed forms for every operation; central differences of values (gradient) and of the gradient (Hessian) on
 * random graphs; tapes against the node by node evaluator, bit for bit, since both do the same IEEE operations and
 * library calls. */
#include "expr/ss-expr.h"
#include "core/ss-random.h"

#include "ss-test.h"

#include <float.h>
#include <stdlib.h>

enum { N_INPUTS = 5, MAX_NODES = 20000, MAX_TEXT = 70000 };

static const char *const names[] = {"a", "b", "c", "d", "e"};

/* Names a..e are slots 0..4; next(x) is slot + 5. */
static SsStatus
resolve (void *user_data, const char *name, size_t length, int shift, SsExpr *out, SsError *err)
{
  SsGraph *graph = user_data;

  if (shift == SS_NAME_CONSTANT || shift == SS_NAME_TAKEN)
    return ss_error_set (err, SS_ERR_INVALID, "no constant '%.*s'", (int)length, name);
  if (length == 1 && name[0] >= 'a' && name[0] <= 'e') {
    *out = ss_graph_input (graph, name[0] - 'a' + N_INPUTS * shift);
    return SS_OK;
  }
  if (length == 7 && memcmp (name, "body1.x", 7) == 0) {
    *out = ss_graph_input (graph, 9);
    return SS_OK;
  }
  if (length >= 3 && length <= 4 && memcmp (name, "deg", 3) == 0) { /* deg is 10, deg2 is 8 */
    *out = ss_graph_input (graph, length == 3 ? 8 : 6);
    return SS_OK;
  }
  return ss_error_set (err, SS_ERR_INVALID, "no variable '%.*s'", (int)length, name);
}

static SsExpr
parse (SsGraph *graph, const char *text)
{
  SsExpr e = SS_EXPR_NONE;
  SsError err;

  if (ss_expr_parse (graph, text, resolve, graph, &e, &err) != SS_OK) {
    printf ("\"%s\": %s (column %d)\n", text, err.message, err.column);
    SS_CHECK (false);
  }
  return e;
}

static SsGraph *
new_graph (void)
{
  SsGraph *graph = NULL;

  if (ss_graph_new (&graph, NULL) != SS_OK)
    abort ();
  return graph;
}

/* Value with a memo of its own. */
static double
value (const SsGraph *graph, SsExpr e, const double *inputs)
{
  static double memo[MAX_NODES];
  static int stamp[MAX_NODES], tick;

  if (ss_graph_n_nodes (graph) > MAX_NODES)
    abort ();
  return ss_graph_eval (graph, e, inputs, 2 * N_INPUTS, memo, stamp, ++tick);
}

/* ---- formulas ---------------------------------------------------------------------------------------------------- */

static void
test_values (void)
{
  static const struct {
    const char *text;
    double expected;
  } cases[] = {
      {"1+2*3", 7},
      {"(1+2)*3", 9},
      {"7-2-1", 4},
      {"8/4/2", 1},
      {"8/4*2", 4},
      {"2^3^2", 512},
      {"-2^2", -4},
      {"(-2)^2", 4},
      {"2^-1", 0.5},
      {"-2^-2", -0.25},
      {"2*-3", -6},
      {"--3", 3},
      {"+3", 3},
      {"-a^2", -4},
      {"a^3", 8},
      {"a^-3", 0.125},
      {"a^0", 1},
      {"a^16", 65536},
      {"a^17", 131072},
      {"a^0.5*a^0.5-2", 0},
      {"b^a", 9},
      {"1 < 2", 1},
      {"2 <= 1", 0},
      {"2 > 1", 1},
      {"1 >= 1", 1},
      {"1 == 1", 1},
      {"1 != 1", 0},
      {"1 + 1 == 2", 1},
      {"not 1 == 2", 1},
      {"not 0 and 0", 0},
      {"not (0 and 0)", 1},
      {"1 or 0 and 0", 1},
      {"(1 or 0) and 0", 0},
      {"a < b and b < c or c < a", 1},
      {"if(a < b, 10, 20)", 10},
      {"if(a > b, 10, 20)", 20},
      {"min(3, 1, 2)", 1},
      {"max(3, 1, 2, 5)", 5},
      {"min(a, b)", 2},
      {"max(b, a)", 3},
      {"abs(-a)", 2},
      {"abs(a - b)", 1},
      {"sign(a - b)", -1},
      {"sign(b - a)", 1},
      {"sign(0*a)", 0},
      {"floor(-a/4)", -1},
      {"mod(7, 3)", 1},
      {"mod(-7, 3)", 2},
      {"mod(7, -3)", -2},
      {"mod(-c, b)", 2},
      {"neg(a)", -2},
      {"sqrt(16)", 4},
      {"exp(0)", 1},
      {"log(1)", 0},
      {"sin(pi/2)", 1},
      {"cos(pi)", -1},
      {"atan2(1, -1)/pi", 0.75},
      {"4*atan(1)", 3.14159265358979323846},
      {"2*asin(1)", 3.14159265358979323846},
      {"acos(-1)", 3.14159265358979323846},
      {"tan(pi/4)", 1},
      {"180deg", 3.14159265358979323846},
      {"cos(60deg)", 0.5},
      {"sin(-30 deg)", -0.5},
      {"1e3deg", 17.453292519943295},
      {"1.8e+2\tdeg", 3.14159265358979323846},
      {".5deg*2/1deg", 1},
      {"(2deg)^2/2deg^2", 1},
      {"deg2 + 20deg*0", 8},
      {"2*deg", 20},
      {"2deg*deg/2deg", 10},
      {"if(90deg>1,1deg,deg)*180/pi", 1},
      {"5cm + 2*a", 4.05},
      {"5 cm", 0.05},
      {"2*30deg + pi/3", 2.0943951023931953},
      {"250 g", 0.25},
      {"1/2 m", 0.5},
      {"2m/s", 2},
      {"2 m/s/4", 0.5},
      {"36km/h*a", 20},
      {"90°/s*2/pi", 1},
      {"3 N m + 2 kN", 2003},
      {"4 kg m²", 4},
      {"4 kg m2", 4},
      {"(2cm)^2", 0.0004},
      {"2cm^2", 0.0004},
      {"-5cm", -0.05},
      {"a/2cm", 100},
      {"1/(2cm)", 50},
      {"(1/2)*1cm", 0.005},
      {"1cm/2cm", 0.5},
      {"sin(0)/3cm", 0},
      {"1.5e2", 150},
      {"1.e1", 10},
      {".5", 0.5},
      {"1E-2", 0.01},
      {"next(a)", 7},
      {"next ( a ) - a", 5},
      {"body1.x", 11},
      {"\t( a\n+ b )", 5},
      {"sum(q, 1, 4, q^2)", 30},
      {"a*sum(q, -1, 2, q*b + 1)", 20}, /* 2 (2*3 + 4) */
      {"sum(q, 3, 2, zeta((q)))", 0},
      {"1 + sum(q, 1, 3, sum(r, q, 3, q*r))", 26}, /* 1 (1+2+3) + 2 (2+3) + 3*3 */
      {"sum(q, 1, sum(r, 1, 2, r), next(a))", 21},
  };
  static const double at[2 * N_INPUTS] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  SsGraph *graph = new_graph ();

  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    SsExpr e = parse (graph, cases[i].text);
    double v = e != SS_EXPR_NONE ? value (graph, e, at) : NAN;

    if (!(fabs (v - cases[i].expected) <= 4 * DBL_EPSILON * fmax (1.0, fabs (v)))) { /* a few library roundings */
      printf ("%s = %.17g, expected %.17g\n", cases[i].text, v, cases[i].expected);
      SS_CHECK (false);
    }
  }
  ss_graph_free (graph);
}

static void
test_errors (void)
{
  static const struct {
    const char *text;
    int column;
    const char *message, *expected;
  } cases[] = {
      {"", 1, "empty", "a formula"},
      {"  ", 1, "empty", "a formula"},
      {"a+", 3, "ends too early", "a number"},
      {"a + * b", 5, "unexpected '*'", "a number"},
      {"(a", 3, "ends too early", "')'"},
      {"a)", 2, "unexpected ')'", "end of the formula"},
      {"2a", 2, "unexpected 'a'", "operator"},
      {"a b", 3, "unexpected 'b'", "operator"},
      {"1..2", 3, "unexpected '.2'", "operator"},
      {"3 furlong", 3, "unexpected 'furlong' behind a number", "a unit: m, cm"},
      {"5 cmm", 3, "unexpected 'cmm' behind a number", "a unit"},
      {"1/2 cm", 2, "two ways", "parentheses"},
      {"a + -1/2cm", 7, "two ways", "parentheses"},
      {"20degrees", 3, "unexpected 'degrees'", "operator"},
      {"20deg2", 3, "unexpected 'deg2'", "operator"},
      {"20 deg.x", 4, "unexpected 'deg.x'", "operator"},
      {"20deg deg", 7, "unexpected 'deg'", "operator"},
      {"20Deg", 3, "unexpected 'Deg'", "operator"},
      {"1edeg", 2, "unexpected 'edeg'", "operator"},
      {"(20)deg", 5, "unexpected 'deg'", "operator"},
      {"a deg", 3, "unexpected 'deg'", "operator"},
      {"sni(a)", 1, "unknown function 'sni'", "sin"},
      {"a + atan3(a)", 5, "unknown function 'atan3'", "atan"},
      {"sin", 4, "'sin' is a function", "("},
      {"sin + 1", 5, "'sin' is a function", "("},
      {"sin(a, b)", 1, "sin has 2 arguments", "1 argument"},
      {"1 + atan2(a)", 5, "atan2 has 1 argument", "2 arguments"},
      {"sin()", 1, "sin has 0 arguments", "1 argument"},
      {"max(a)", 1, "max has 1 argument", "2 arguments or more"},
      {"if(a, b)", 1, "if has 2 arguments", "3 arguments"},
      {"sin(a", 6, "ends too early", "')'"},
      {"sin(a,", 7, "ends too early", "a number"},
      {"next(3)", 6, "unexpected '3'", "name of a variable"},
      {"next(a+b)", 7, "unexpected '+'", ")"},
      {"a + zeta", 5, "no variable 'zeta'", ""},
      {"next(zeta)", 6, "no variable 'zeta'", ""},
      {"inf", 1, "no variable 'inf'", ""},
      {"a < b < c", 7, "do not chain", "and"},
      {"a == b != c", 8, "do not chain", "and"},
      {"a ** 2", 3, "'**'", "^"},
      {"a = b", 3, "'='", "=="},
      {"a && b", 3, "'&&'", "and"},
      {"!a", 1, "'!'", "not"},
      {"a % b", 3, "'%'", "mod"},
      {"1 + not a", 5, "unexpected 'not'", "a number"},
      {"and", 1, "unexpected 'and'", "a number"},
      {"1e999", 1, "'1e999'", "finite"},
      {"a \xc2\xb7 b", 3, "unexpected '\xc2\xb7'", "operator"},
      {"a \xff", 3, "unexpected", "operator"},
      {"a;b", 2, "unexpected ';'", "operator"},
      {"[a]", 1, "unexpected '['", "a number"},
      {"a + zeta[2*3, 1]", 5, "no variable 'zeta[6,1]'", ""},
      {"next(zeta[2])", 6, "no variable 'zeta[2]'", ""},
      {"zeta[1, 2, 3]", 10, "unexpected ','", "]"},
      {"zeta[1", 7, "ends too early", "]"},
      {"zeta[]", 6, "unexpected ']'", "a number"},
      {"zeta[3/2]", 6, "an index is 1.5", "a whole number"},
      {"zeta[1/0]", 6, "an index is", "a whole number"},
      {"zeta[next(a)]", 11, "next() has no meaning in an index", "a whole number"},
      {"sum", 4, "'sum' is a function", "("},
      {"sum()", 5, "unexpected ')'", "sum(index, from, to, term)"},
      {"sum(q, 1, 2)", 12, "unexpected ')'", "sum(index, from, to, term)"},
      {"sum(q, 1, 2, q, q)", 15, "unexpected ','", "')'"},
      {"sum(q, 1, 2, q", 15, "ends too early", "')'"},
      {"sum(q, 2, 1, (q)", 17, "ends too early", "')'"},
      {"sum(q, 1, 2.5, q)", 11, "the last value of the index is 2.5", "a whole number"},
      {"sum(a, 1, 2, a)", 5, "'a' has a meaning already", "another name"},
      {"sum(q, 1, a, q)", 11, "no constant 'a'", ""},
      {"sum(pi, 1, 2, 1)", 5, "'pi' has a meaning already", "another name"},
      {"sum(q, 1, 2, sum(q, 1, 2, q))", 18, "'q' has a meaning already", "another name"},
      {"sum(q, 1, 2, q) + q", 19, "no variable 'q'", ""},
      {"sum(q, 1, 1000001, q)", 5, "too long", "1000000 terms"},
      {"summ(q, 1, 2, q)", 1, "unknown function 'summ'", "sum"},
  };
  SsGraph *graph = new_graph ();

  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    SsExpr e = 12345;
    SsError err;
    SsStatus status = ss_expr_parse (graph, cases[i].text, resolve, graph, &e, &err);

    if (status == SS_OK || e != 12345 || err.status != status || err.column != cases[i].column || err.line != 0 ||
        strstr (err.message, cases[i].message) == NULL || strstr (err.expected, cases[i].expected) == NULL) {
      printf ("\"%s\": status %d, column %d, \"%s\" (expected %s)\n", cases[i].text, (int)status, err.column,
              err.message, err.expected);
      SS_CHECK (false);
    }
    SS_CHECK (ss_expr_parse (graph, cases[i].text, resolve, graph, &e, NULL) == status); /* err is optional */
  }
  ss_graph_free (graph);
}

static void
repeat (char *text, const char *part, int n)
{
  for (int i = 0; i < n; i++)
    strcat (text, part);
}

/* Nesting of every kind ends with an error, not with the stack; long chains are fine. */
static void
test_limits (void)
{
  static const char *const openings[] = {"(", "sin(", "-", "not ", "2^", "max(1,", "1+(", "if(1,1,"};
  static char text[MAX_TEXT];
  SsGraph *graph = new_graph ();
  SsExpr e;
  SsError err;
  const double at[2 * N_INPUTS] = {1.0};

  for (size_t i = 0; i < sizeof openings / sizeof openings[0]; i++) {
    text[0] = '\0';
    repeat (text, openings[i], 5000);
    SS_CHECK (ss_expr_parse (graph, text, resolve, graph, &e, &err) == SS_ERR_SYNTAX);
    SS_CHECK_CONTAINS (err.message, "200 levels");
    SS_CHECK (err.column > 200 && err.column <= 201 * (int)strlen (openings[i]) + 1);
  }
  text[0] = '\0';
  repeat (text, "(", 200);
  strcat (text, "a");
  repeat (text, ")", 200);
  SS_CHECK (parse (graph, text) == ss_graph_input (graph, 0));

  /* 15000 levels of left-nested nodes. */
  strcpy (text, "a");
  repeat (text, "/a", 15000);
  e = parse (graph, text);
  SS_CHECK (value (graph, e, at) == 1.0);
  SS_CHECK (ss_graph_inputs (graph, e, NULL, 0) == 1);
  SS_CHECK (ss_graph_substitute (graph, e, NULL, 0) == e);
  ss_expr_format (graph, e, names, N_INPUTS, text, sizeof text);
  SS_CHECK_CONTAINS (text, "...");

  memset (text, ' ', 65537);
  text[65537] = '\0';
  SS_CHECK (ss_expr_parse (graph, text, resolve, graph, &e, &err) == SS_ERR_SYNTAX);
  SS_CHECK_CONTAINS (err.message, "65536");
  text[0] = '\0';
  repeat (text, "1", 65);
  SS_CHECK (ss_expr_parse (graph, text, resolve, graph, &e, &err) == SS_ERR_SYNTAX);
  ss_graph_free (graph);
}

/* ---- simplification ---------------------------------------------------------------------------------------------- */

/* Pairs of formulas that must be one node. */
static void
test_equal_nodes (void)
{
  static const char *const pairs[][2] = {
      {"a+b", "b+a"},         {"a*b", "b*a"},
      {"a+0", "a"},           {"0+a", "a"},
      {"a-0", "a"},           {"0-a", "-a"},
      {"a-a", "0"},           {"a*1", "a"},
      {"1*a", "a"},           {"a*0", "0"},
      {"0*exp(a)", "0"},      {"--a", "a"},
      {"a/1", "a"},           {"0/a", "0"},
      {"a^1", "a"},           {"a^2", "a*a"},
      {"a^0", "1"},           {"a^0.5", "sqrt(a)"},
      {"a^-1", "1/a"},        {"a+a", "2*a"},
      {"a+(-b)", "a-b"},      {"a-(-b)", "a+b"},
      {"-(a-b)", "b-a"},      {"(-a)*(-b)", "a*b"},
      {"(-a)*b", "-(a*b)"},   {"-1*a", "-a"},
      {"2*(3*a)", "6*a"},     {"(a+1)+2", "a+3"},
      {"a-1", "a+(-1)"},      {"-(2*a)", "-2*a"},
      {"a/2", "0.5*a"},       {"sin(-a)", "-sin(a)"},
      {"cos(-a)", "cos(a)"},  {"abs(-a)", "abs(a)"},
      {"min(a,a)", "a"},      {"max(a,a)", "a"},
      {"if(1,a,b)", "a"},     {"if(0,a,b)", "b"},
      {"if(c,a,a)", "a"},     {"abs(abs(a))", "abs(a)"},
      {"2*a*(3*b)", "6*a*b"}, {"sin(2)*a", "a*sin(2)"},
      {"a > b", "b < a"},     {"a >= b", "b <= a"},
      {"2^0.5", "sqrt(2)"},   {"(a*2)*b", "2*(a*b)"},
      {"a/-1", "-a"},         {"a^4", "(a*a)*(a*a)"},
  };
  SsGraph *graph = new_graph ();

  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    if (parse (graph, pairs[i][0]) != parse (graph, pairs[i][1])) {
      printf ("%s and %s are different nodes\n", pairs[i][0], pairs[i][1]);
      SS_CHECK (false);
    }
  }
  SS_CHECK (parse (graph, "a-b") != parse (graph, "b-a"));
  SS_CHECK (parse (graph, "a/b") != parse (graph, "b/a"));
  SS_CHECK (parse (graph, "a/a") != parse (graph, "1")); /* 0/0 is not 1 */
  SS_CHECK (parse (graph, "max(a,b)") != parse (graph, "max(b,a)"));
  ss_graph_free (graph);
}

static void
test_inspection (void)
{
  SsGraph *graph = new_graph ();
  SsExpr e = parse (graph, "sin(e) + c*a - c^2.5"), map[3] = {SS_EXPR_NONE, SS_EXPR_NONE, SS_EXPR_NONE};
  int slots[3] = {-1, -1, -1};

  SS_CHECK (ss_graph_inputs (graph, e, slots, 3) == 3);
  SS_CHECK (slots[0] == 0 && slots[1] == 2 && slots[2] == 4);
  slots[1] = -1;
  SS_CHECK (ss_graph_inputs (graph, e, slots, 1) == 3);
  SS_CHECK (slots[0] == 0 && slots[1] == -1);
  SS_CHECK (ss_graph_is_smooth (graph, e));
  SS_CHECK (!ss_graph_is_smooth (graph, parse (graph, "1 + if(a < b, a, b)")));
  SS_CHECK (!ss_graph_is_smooth (graph, parse (graph, "floor(a)")));
  SS_CHECK (ss_graph_is_smooth (graph, parse (graph, "abs(a) + min(a, b)")));
  map[0] = parse (graph, "b + 1");
  map[2] = parse (graph, "2");
  SS_CHECK (ss_graph_substitute (graph, e, map, 3) == parse (graph, "sin(e) + 2*(b + 1) - 2^2.5"));
  SS_CHECK (ss_graph_substitute (graph, e, map, 0) == e);
  SS_CHECK (ss_graph_op (graph, e) == SS_OP_SUB);
  SS_CHECK (ss_graph_operand (graph, e, 1) == parse (graph, "c^2.5"));
  SS_CHECK (ss_graph_operand (graph, e, 2) == SS_EXPR_NONE);
  SS_CHECK (ss_graph_value (graph, parse (graph, "2.5")) == 2.5);
  SS_CHECK (ss_graph_slot (graph, parse (graph, "c")) == 2);
  /* Failures propagate. */
  SS_CHECK (ss_graph_unary (graph, SS_OP_SIN, SS_EXPR_NONE) == SS_EXPR_NONE);
  SS_CHECK (ss_graph_binary (graph, SS_OP_ADD, e, SS_EXPR_NONE) == SS_EXPR_NONE);
  SS_CHECK (ss_graph_if (graph, e, SS_EXPR_NONE, e) == SS_EXPR_NONE);
  SS_CHECK (ss_graph_derivative (graph, SS_EXPR_NONE, 0) == SS_EXPR_NONE);
  ss_graph_free (graph);
  ss_graph_free (NULL);
}

static void
test_not_a_number (void)
{
  static const char *const texts[] = {"min(a, 1)", "min(1, a)", "max(a, 1)", "max(1, a)", "abs(a)", "sign(a)", "a + 1"};
  SsGraph *graph = new_graph ();
  const double at[2 * N_INPUTS] = {NAN};

  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    SS_CHECK (isnan (value (graph, parse (graph, texts[i]), at)));
  SS_CHECK (isnan (value (graph, parse (graph, "sqrt(-1)"), at)));
  ss_graph_free (graph);
}

/* ---- random graphs ----------------------------------------------------------------------------------------------- */

static SsExpr
random_leaf (SsGraph *graph, SsRandom *random)
{
  if (ss_random_uniform (random) < 0.3)
    return ss_graph_constant (graph, ss_random_between (random, -2.0, 2.0));
  return ss_graph_input (graph, (int)(ss_random_next (random) % N_INPUTS));
}

/* Smooth everywhere and of moderate size: the domains of sqrt, log, asin, pow and / are met by construction. */
static SsExpr
random_smooth (SsGraph *graph, SsRandom *random, int depth)
{
  SsExpr one = ss_graph_constant (graph, 1.0), a, b, safe;

  if (depth == 0 || ss_random_uniform (random) < 0.1)
    return random_leaf (graph, random);
  a = random_smooth (graph, random, depth - 1);
  safe = ss_graph_binary (graph, SS_OP_ADD, ss_graph_binary (graph, SS_OP_MUL, a, a), one); /* at least 1 */
  b = random_smooth (graph, random, depth - 1);
  switch (ss_random_next (random) % 16) {
  case 0:
  case 1:
    return ss_graph_binary (graph, SS_OP_ADD, a, b);
  case 2:
    return ss_graph_binary (graph, SS_OP_SUB, a, b);
  case 3:
  case 4:
    return ss_graph_binary (graph, SS_OP_MUL, ss_graph_unary (graph, SS_OP_SIN, a), b);
  case 5:
    return ss_graph_binary (graph, SS_OP_DIV, b, safe);
  case 6:
    return ss_graph_unary (graph, SS_OP_COS, a);
  case 7:
    return ss_graph_unary (graph, SS_OP_ATAN, a);
  case 8:
    return ss_graph_unary (graph, SS_OP_SQRT, safe);
  case 9:
    return ss_graph_unary (graph, SS_OP_LOG, safe);
  case 10:
    return ss_graph_unary (graph, SS_OP_EXP, ss_graph_unary (graph, SS_OP_SIN, a));
  case 11:
    a = ss_graph_binary (graph, SS_OP_MUL, ss_graph_constant (graph, 0.7), ss_graph_unary (graph, SS_OP_COS, a));
    return ss_graph_unary (graph, ss_random_uniform (random) < 0.5 ? SS_OP_ASIN : SS_OP_ACOS, a);
  case 12:
    return ss_graph_binary (graph, SS_OP_ATAN2, b, safe);
  case 13:
    return ss_graph_binary (graph, SS_OP_POW, safe, ss_graph_unary (graph, SS_OP_SIN, b));
  case 14:
    return ss_graph_binary (graph, SS_OP_POW, ss_graph_unary (graph, SS_OP_ATAN, a),
                            ss_graph_constant (graph, (double)(1 + ss_random_next (random) % 4)));
  default:
    return ss_graph_unary (graph, SS_OP_TAN, ss_graph_unary (graph, SS_OP_SIN, a)); /* |sin| <= 1 < pi/2 */
  }
}

/* Any operation on anything: for evaluators and text, where NaN and kinks are welcome. */
static SsExpr
random_any (SsGraph *graph, SsRandom *random, int depth)
{
  static const int arity[SS_OP_COUNT] = {
#define X(name, text, n, smooth) n,
      SS_OP_LIST (X)
#undef X
  };
  int op = (int)(ss_random_next (random) % SS_OP_COUNT);
  SsExpr a, b;

  if (depth == 0 || arity[op] == 0)
    return random_leaf (graph, random);
  a = random_any (graph, random, depth - 1);
  if (arity[op] == 1)
    return ss_graph_unary (graph, (SsOp)op, a);
  b = random_any (graph, random, depth - 1);
  if (arity[op] == 2)
    return ss_graph_binary (graph, (SsOp)op, a, b);
  return ss_graph_if (graph, a, b, random_any (graph, random, depth - 1));
}

static void
random_point (SsRandom *random, double *at)
{
  for (int i = 0; i < 2 * N_INPUTS; i++)
    at[i] = ss_random_between (random, -1.5, 1.5);
}

/* Checks d against central differences of e along one input. Steps h and h/2 differ by three quarters of the truncation
 * error of the first, so four times their difference bounds the error of the second with a wide margin; below that lies
 * rounding, 1e3 eps / h for values and intermediates of order 1 to 1e3. */
static bool
matches_difference (const SsGraph *graph, SsExpr e, SsExpr d, int slot, const double *at)
{
  static const double h = 1e-4;
  double x[2 * N_INPUTS], difference[2], exact = value (graph, d, at), scale = 1.0, tolerance;

  memcpy (x, at, sizeof x);
  for (int k = 0; k < 2; k++) {
    double step = k == 0 ? h : h / 2.0, up, down;

    x[slot] = at[slot] + step;
    up = value (graph, e, x);
    x[slot] = at[slot] - step;
    down = value (graph, e, x);
    difference[k] = (up - down) / (2.0 * step);
    scale = fmax (scale, fmax (fabs (up), fabs (exact)));
  }
  tolerance = 4.0 * fabs (difference[0] - difference[1]) + 1e3 * DBL_EPSILON / h * scale;
  if (fabs (difference[1] - exact) <= tolerance)
    return true;
  printf ("derivative %.17g, difference %.17g, tolerance %.3g\n", exact, difference[1], tolerance);
  return false;
}

static void
test_random_derivatives (void)
{
  enum { N_GRAPHS = 1500 };
  static const int slots[N_INPUTS] = {0, 1, 2, 3, 4};
  SsRandom random;
  double worst_share = 0.0;

  ss_random_seed (&random, 11);
  for (int round = 0; round < N_GRAPHS; round++) {
    SsGraph *graph = new_graph ();
    SsExpr e = random_smooth (graph, &random, 4), gradient[N_INPUTS], hessian[N_INPUTS][N_INPUTS];
    double at[2 * N_INPUTS];

    random_point (&random, at);
    ss_graph_gradient (graph, e, slots, N_INPUTS, gradient);
    for (int i = 0; i < N_INPUTS; i++) {
      SS_CHECK (gradient[i] != SS_EXPR_NONE);
      SS_CHECK (matches_difference (graph, e, gradient[i], i, at));
      SS_CHECK_NEAR (value (graph, ss_graph_derivative (graph, e, i), at), value (graph, gradient[i], at),
                     1e3 * DBL_EPSILON * (1.0 + fabs (value (graph, gradient[i], at))));
      ss_graph_gradient (graph, gradient[i], slots, N_INPUTS, hessian[i]);
      for (int j = 0; j < N_INPUTS; j++)
        SS_CHECK (matches_difference (graph, gradient[i], hessian[i][j], j, at));
    }
    /* Symmetric up to rounding: a different order of the same products, a few hundred operations. */
    for (int i = 0; i < N_INPUTS; i++)
      for (int j = 0; j < i; j++) {
        double u = value (graph, hessian[i][j], at), v = value (graph, hessian[j][i], at);

        SS_CHECK_NEAR (u, v, 1e4 * DBL_EPSILON * (1.0 + fabs (u)));
        worst_share = fmax (worst_share, fabs (u - v) / (1e4 * DBL_EPSILON * (1.0 + fabs (u))));
      }
    ss_graph_free (graph);
  }
  SS_CHECK (worst_share < 1.0);
}

/* Derivative formulas known by heart, compared at points inside the domain. */
static void
test_closed_form_derivatives (void)
{
  static const struct {
    const char *text, *derivative; /* with respect to a; a in (0,1), b in (1,2) */
  } cases[] = {
      {"a + b", "1"},
      {"b - a", "-1"},
      {"a*b", "b"},
      {"a/b", "1/b"},
      {"b/a", "-b/a^2"},
      {"a^3", "3*a^2"},
      {"a^2.5", "2.5*a^1.5"},
      {"a^-1.5", "-1.5*a^-2.5"},
      {"a^b", "b*a^(b-1)"},
      {"b^a", "b^a*log(b)"},
      {"a^a", "a^a*(log(a)+1)"},
      {"2^a", "2^a*log(2)"},
      {"-a", "-1"},
      {"sin(a*b)", "b*cos(a*b)"},
      {"cos(a)", "-sin(a)"},
      {"tan(a)", "1/cos(a)^2"},
      {"asin(a)", "1/sqrt(1-a^2)"},
      {"acos(a)", "-1/sqrt(1-a^2)"},
      {"atan(a)", "1/(1+a^2)"},
      {"atan2(a,b)", "b/(a^2+b^2)"},
      {"atan2(b,a)", "-b/(a^2+b^2)"},
      {"sqrt(a)", "0.5/sqrt(a)"},
      {"exp(2*a)", "2*exp(2*a)"},
      {"log(a)", "1/a"},
      {"abs(a)", "1"},
      {"abs(a-b)", "-1"},
      {"min(a,b)", "1"},
      {"min(b,a)", "1"},
      {"max(a,b)", "0"},
      {"max(2*a,a)", "2"},
      {"sign(a)", "0"},
      {"sign(a)*a", "1"},
      {"b", "0"},
      {"7", "0"},
      {"if(a < b, a*a, b)", "2*a"},
      {"mod(a + 3, b)", "1"},
      {"floor(a)*a", "0"},
      {"mod(b + 1, a)", "-floor((b+1)/a)"},
      {"sqrt(max(0, a - 3))", "0"}, /* the branch not taken has an infinite derivative */
  };
  SsGraph *graph = new_graph ();
  SsRandom random;

  ss_random_seed (&random, 12);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    SsExpr d = ss_graph_derivative (graph, parse (graph, cases[i].text), 0),
           expected = parse (graph, cases[i].derivative);

    for (int k = 0; k < 20; k++) {
      double at[2 * N_INPUTS] = {ss_random_between (&random, 0.05, 0.95), ss_random_between (&random, 1.05, 1.95)};
      double u = value (graph, d, at), v = value (graph, expected, at);

      if (!(fabs (u - v) <=
            64 * DBL_EPSILON * fmax (1.0, fabs (v)))) { /* both sides a dozen roundings, condition below 20 */
        printf ("d %s at (%g, %g): %.17g, expected %.17g\n", cases[i].text, at[0], at[1], u, v);
        SS_CHECK (false);
      }
    }
  }
  ss_graph_free (graph);
}

/* The branch that the header promises at a kink. */
static void
test_kinks (void)
{
  static const struct {
    const char *text;
    double da, db; /* at a = b = 0 */
  } cases[] = {
      {"max(a,b)", 1, 0}, {"max(b,a)", 0, 1},      {"min(a,b)", 1, 0},     {"min(b,a)", 0, 1},
      {"abs(a)", 1, 0},   {"abs(a)*abs(b)", 0, 0}, {"abs(a)*(b+2)", 2, 0}, {"sign(a)+b", 0, 1},
  };
  SsGraph *graph = new_graph ();
  const double zero[2 * N_INPUTS] = {0.0};

  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    SsExpr e = parse (graph, cases[i].text);

    SS_CHECK (value (graph, ss_graph_derivative (graph, e, 0), zero) == cases[i].da);
    SS_CHECK (value (graph, ss_graph_derivative (graph, e, 1), zero) == cases[i].db);
  }
  /* Second derivatives pass through the branches: max(a,b)^3 where a > b. */
  {
    SsExpr e = parse (graph, "max(a,b)^3 + abs(b)*a^2"), d = ss_graph_derivative (graph, e, 0);
    const double at[2 * N_INPUTS] = {2.0, -1.0};

    SS_CHECK (value (graph, ss_graph_derivative (graph, d, 0), at) == 14.0);
    SS_CHECK (value (graph, ss_graph_derivative (graph, d, 1), at) == -4.0);
  }
  ss_graph_free (graph);
}

/* Reverse accumulation: gradient and value together cost a small multiple of the value, whatever the number of
 * inputs. */
static void
test_compact_gradient (void)
{
  enum { N = 400 };
  SsGraph *graph = new_graph ();
  SsExpr e = ss_graph_constant (graph, 1.0), *gradient = malloc (N * sizeof *gradient);
  int *slots = malloc (N * sizeof *slots), n_value;

  for (int i = 0; i < N; i++) { /* Speelpenning's product of sines */
    slots[i] = i;
    e = ss_graph_binary (graph, SS_OP_MUL, e, ss_graph_unary (graph, SS_OP_SIN, ss_graph_input (graph, i)));
  }
  n_value = ss_graph_n_nodes (graph);
  ss_graph_gradient (graph, e, slots, N, gradient);
  SS_CHECK (ss_graph_n_nodes (graph) <= 3 * n_value);
  n_value = ss_graph_n_nodes (graph);
  ss_graph_gradient (graph, e, slots, N, gradient); /* again: nothing new */
  SS_CHECK (ss_graph_n_nodes (graph) == n_value);
  free (gradient);
  free (slots);
  ss_graph_free (graph);
}

/* Text written from a graph reads back as the same node. */
static void
test_round_trip (void)
{
  static char text[MAX_TEXT], small[8];
  SsGraph *graph = new_graph ();
  SsRandom random;
  int n_compared = 0;

  ss_random_seed (&random, 13);
  for (int round = 0; round < 3000; round++) {
    SsExpr e = round % 2 ? random_any (graph, &random, 5) : random_smooth (graph, &random, 4);

    if (ss_graph_n_nodes (graph) > MAX_NODES / 2) {
      ss_graph_free (graph);
      graph = new_graph ();
      continue;
    }
    ss_expr_format (graph, e, names, N_INPUTS, text, sizeof text);
    if (strstr (text, "nan") != NULL || strstr (text, "inf") != NULL || strlen (text) > 60000)
      continue; /* constants folded to what is no number in formulas */
    if (parse (graph, text) != e) {
      printf ("%s\n", text);
      SS_CHECK (false);
    }
    n_compared++;
  }
  SS_CHECK (n_compared > 2000);
  ss_expr_format (graph, parse (graph, "sin(a) + cos(b)"), NULL, 0, text, sizeof text);
  SS_CHECK_STR (text, "sin(in0) + cos(in1)");
  ss_expr_format (graph, parse (graph, "(a-1)*-b^2.5/(c-(d-e))"), names, N_INPUTS, text, sizeof text);
  SS_CHECK_STR (text, "-((a - 1)*b^2.5/(c - (d - e)))");
  ss_expr_format (graph, parse (graph, "sin(a) + cos(b)"), names, N_INPUTS, small, sizeof small);
  SS_CHECK_STR (small, "sin(a) ");
  ss_graph_free (graph);
}

/* Any sequence of tokens and bytes is either read, and then survives writing and reading, or refused with a position
 * inside the text. */
static void
test_random_text (void)
{
  static const char *const tokens[] = {
      "a",     "b",    "c",    "next(a)", "1",      "2.5", ".5", "1e3",      "(",  "(",     ")",  ")",     "+",
      "-",     "*",    "/",    "^",       ",",      "<",   "<=", ">",        ">=", "==",    "!=", " and ", " or ",
      " not ", "sin(", "max(", "if(",     "atan2(", "pi",  " ",  "\xc3\xa9", "#",  "next(", "..", "e",     "1e",
  };
  enum { N_TOKENS = sizeof tokens / sizeof tokens[0] };
  static char text[MAX_TEXT], again[MAX_TEXT];
  SsGraph *graph = new_graph ();
  SsRandom random;
  int n_read = 0;

  ss_random_seed (&random, 15);
  for (int round = 0; round < 30000; round++) {
    SsExpr e = SS_EXPR_NONE;
    SsError err;
    SsStatus status;

    text[0] = '\0';
    for (int k = 1 + (int)(ss_random_next (&random) % 12); k > 0; k--)
      strcat (text, tokens[ss_random_next (&random) % N_TOKENS]);
    status = ss_expr_parse (graph, text, resolve, graph, &e, &err);
    if (status != SS_OK) {
      SS_CHECK (err.column >= 1 && err.column <= (int)strlen (text) + 1 && err.message[0] != '\0' && e == SS_EXPR_NONE);
      continue;
    }
    ss_expr_format (graph, e, names, N_INPUTS, again, sizeof again);
    if (strstr (again, "in5") == NULL && strstr (again, "in9") == NULL && strstr (again, "inf") == NULL &&
        strstr (again, "nan") == NULL)
      SS_CHECK (parse (graph, again) == e);
    n_read++;
  }
  SS_CHECK (n_read > 500);
  ss_graph_free (graph);
}

/* ---- tapes ------------------------------------------------------------------------------------------------------- */

static bool
same_bits (double a, double b)
{
  return (isnan (a) && isnan (b)) || memcmp (&a, &b, sizeof a) == 0;
}

enum { MAX_INSTANCES = 70, N_OUTPUTS = 6 };

/* Evaluates a tape in calls of the given sizes and compares with the graph. */
static void
check_tape (const SsGraph *graph, const SsTape *tape, const SsExpr *outputs, int n_varying, int n_instances, int chunk,
            SsRandom *random)
{
  static double in[2 * N_INPUTS * MAX_INSTANCES], out[N_OUTPUTS * MAX_INSTANCES];
  double uniform[2 * N_INPUTS], *work = malloc ((ss_tape_work_size (tape) + 1) * sizeof *work);
  uint64_t before = ss_alloc_count ();

  for (int i = 0; i < 2 * N_INPUTS * MAX_INSTANCES; i++)
    in[i] = ss_random_between (random, -2.0, 2.0);
  random_point (random, uniform);
  for (int i = 0; i < N_OUTPUTS * MAX_INSTANCES; i++)
    out[i] = 12345.0;
  for (int first = 0; first < n_instances; first += chunk)
    ss_tape_eval (tape, first + chunk > n_instances ? n_instances - first : chunk, MAX_INSTANCES, in + first, n_varying,
                  uniform, out + first, work);
  SS_CHECK (ss_alloc_count () == before);
  for (int i = 0; i < MAX_INSTANCES; i++) {
    double at[2 * N_INPUTS];

    for (int slot = 0; slot < 2 * N_INPUTS; slot++)
      at[slot] = slot < n_varying ? in[slot * MAX_INSTANCES + i] : uniform[slot - n_varying];
    for (int j = 0; j < N_OUTPUTS; j++)
      SS_CHECK (same_bits (out[j * MAX_INSTANCES + i], i < n_instances ? value (graph, outputs[j], at) : 12345.0));
  }
  free (work);
}

static void
test_tapes (void)
{
  SsRandom random;

  ss_random_seed (&random, 14);
  for (int round = 0; round < 1000; round++) {
    SsGraph *graph = new_graph ();
    SsExpr outputs[N_OUTPUTS];
    SsTape *tape;
    int n_varying = (int)(ss_random_next (&random) % (N_INPUTS + 1));
    int n_instances = 1 + (int)(ss_random_next (&random) % MAX_INSTANCES);

    for (int j = 0; j < N_OUTPUTS; j++)
      outputs[j] = j == 3 ? outputs[0] : j % 2 ? random_any (graph, &random, 5) : random_smooth (graph, &random, 4);
    outputs[5] = round % 2 ? ss_graph_input (graph, round % N_INPUTS) : ss_graph_constant (graph, round);
    outputs[4] = ss_graph_derivative (graph, outputs[2], 1);
    SS_CHECK (ss_tape_new (graph, outputs, N_OUTPUTS, n_varying, &tape, NULL) == SS_OK);
    SS_CHECK (ss_tape_n_outputs (tape) == N_OUTPUTS && ss_tape_n_inputs (tape) <= N_INPUTS);
    check_tape (graph, tape, outputs, n_varying, n_instances, 1 + round % MAX_INSTANCES, &random);
    ss_tape_free (tape);
    ss_graph_free (graph);
  }
  ss_tape_free (NULL);
}

/* Registers are reused: a long sum over few inputs needs few; no outputs and no instances are allowed. */
static void
test_tape_shape (void)
{
  SsGraph *graph = new_graph ();
  SsExpr e = ss_graph_input (graph, 0);
  SsTape *tape;
  double in = 0.5, uniform = 2.0, out = 0.0, work[64 * SS_TAPE_LANES];

  for (int i = 0; i < 500; i++)
    e = ss_graph_unary (graph, SS_OP_SIN, ss_graph_binary (graph, SS_OP_ADD, e, ss_graph_input (graph, (i + 1) % 4)));
  SS_CHECK (ss_tape_new (graph, &e, 1, 4, &tape, NULL) == SS_OK);
  SS_CHECK (ss_tape_work_size (tape) <= 7 * SS_TAPE_LANES); /* 4 inputs, 2 values, 1 result */
  SS_CHECK (ss_tape_n_instructions (tape) == 4 + 2 * 500 + 1);
  ss_tape_free (tape);

  /* Everything uniform: computed once, written to all instances. */
  e = parse (graph, "sin(b)*2");
  SS_CHECK (ss_tape_new (graph, &e, 1, 1, &tape, NULL) == SS_OK);
  SS_CHECK (ss_tape_work_size (tape) <= sizeof work / sizeof work[0]);
  ss_tape_eval (tape, 1, 1, &in, 1, &uniform, &out, work);
  SS_CHECK (out == 2.0 * sin (2.0));
  ss_tape_eval (tape, 0, 0, NULL, 1, NULL, NULL, work);
  ss_tape_free (tape);

  SS_CHECK (ss_tape_new (graph, NULL, 0, 0, &tape, NULL) == SS_OK);
  SS_CHECK (ss_tape_n_instructions (tape) == 0 && ss_tape_n_inputs (tape) == 0);
  ss_tape_free (tape);
  e = SS_EXPR_NONE;
  tape = (SsTape *)&in;
  SS_CHECK (ss_tape_new (graph, &e, 1, 0, &tape, NULL) == SS_ERR_MEMORY);
  SS_CHECK (tape == NULL);
  ss_graph_free (graph);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Builds, differentiates, substitutes and compiles; SS_OK only if everything worked. */
static SsStatus
build_everything (void)
{
  SsGraph *graph = NULL;
  SsTape *tape = NULL;
  SsError err;
  SsExpr e = SS_EXPR_NONE, outputs[3], map[2];
  int slots[2] = {0, 1};
  SsStatus status = ss_graph_new (&graph, &err);

  if (status != SS_OK) {
    SS_CHECK (graph == NULL && status == SS_ERR_MEMORY && err.message[0] != '\0');
    return status;
  }
  status = ss_expr_parse (graph,
                          "sin(a*b)^2.5/(1+exp(a)) + atan2(a,b)*max(a,b,c) + sqrt(1+a^2+b^2)*log(2+cos(c)) - abs(d)^e",
                          resolve, graph, &e, &err);
  SS_CHECK (status == SS_OK || (status == SS_ERR_MEMORY && e == SS_EXPR_NONE));
  if (status == SS_OK) {
    map[0] = map[1] = ss_graph_binary (graph, SS_OP_MUL, ss_graph_input (graph, 7), ss_graph_input (graph, 8));
    ss_graph_gradient (graph, e, slots, 2, outputs);
    SS_CHECK ((outputs[0] == SS_EXPR_NONE) == (outputs[1] == SS_EXPR_NONE));
    outputs[2] = ss_graph_substitute (graph, outputs[0], map, map[0] != SS_EXPR_NONE ? 2 : 0);
    status = ss_tape_new (graph, outputs, 3, 5, &tape, &err);
    SS_CHECK (status == SS_OK || (status == SS_ERR_MEMORY && tape == NULL));
  }
  ss_tape_free (tape);
  ss_graph_free (graph);
  return status;
}

static void
test_no_memory (void)
{
  SsStatus status = SS_ERR_MEMORY;
  int n_failed = 0;

  /* Trimming the tape's arrays may fail without harm, so the loop goes on for a while after the first success. */
  for (uint64_t at = 1; at < 200; at++) {
    ss_alloc_fail_at (at);
    status = build_everything ();
    ss_alloc_fail_at (0);
    n_failed += status != SS_OK;
  }
  SS_CHECK (status == SS_OK);
  SS_CHECK (n_failed > 15);
}

/* ---- parameters -------------------------------------------------------------------------------------------------- */

enum { N_FIXED = 6 };

/* A random formula of inputs and numbers; the numbers as constants, or as parameters in the slots after the inputs. */
static SsExpr
random_with_numbers (SsGraph *graph, SsRandom *random, int depth, const double *numbers, bool as_parameters)
{
  static const SsOp ops[] = {SS_OP_ADD, SS_OP_SUB, SS_OP_MUL, SS_OP_MUL, SS_OP_ADD, SS_OP_DIV};
  static const SsOp unary[] = {SS_OP_NEG, SS_OP_SIN, SS_OP_COS, SS_OP_ATAN};

  if (depth == 0) {
    const int which = (int)(ss_random_next (random) % (N_INPUTS + N_FIXED)), number = which - N_INPUTS;

    if (number < 0)
      return ss_graph_input (graph, which);
    return as_parameters ? ss_graph_parameter (graph, which) : ss_graph_constant (graph, numbers[number]);
  }
  if (ss_random_uniform (random) < 0.25) {
    const SsOp op = unary[ss_random_next (random) % 4];

    return ss_graph_unary (graph, op, random_with_numbers (graph, random, depth - 1, numbers, as_parameters));
  }
  const SsOp op = ops[ss_random_next (random) % 6];
  SsExpr a = random_with_numbers (graph, random, depth - 1, numbers, as_parameters);
  SsExpr b = random_with_numbers (graph, random, depth - 1, numbers, as_parameters);

  return ss_graph_binary (graph, op, a, b);
}

/* A formula with parameters has the bits of the same one with numbers in their places, and so has its gradient: the
 * numbers are generic, so that nothing but their being constant simplifies. */
static void
test_parameters (void)
{
  static const double numbers[N_FIXED] = {0.37, -1.61, 2.93, -0.083, 0.71, 1.19};
  double inputs[N_INPUTS + N_FIXED];
  int slots[N_INPUTS];
  SsRandom random;

  ss_random_seed (&random, 11);
  for (int i = 0; i < N_INPUTS; i++) {
    slots[i] = i;
    inputs[i] = ss_random_between (&random, -1.5, 1.5);
  }
  memcpy (inputs + N_INPUTS, numbers, sizeof numbers);
  for (int trial = 0; trial < 3000; trial++) {
    SsGraph *graphs[2] = {NULL, NULL};
    double values[2][1 + N_INPUTS];

    for (int g = 0; g < 2; g++) {
      SsRandom same;
      SsExpr e[1 + N_INPUTS];

      ss_random_seed (&same, (uint64_t)trial);
      SS_CHECK (ss_graph_new (&graphs[g], NULL) == SS_OK);
      e[0] = random_with_numbers (graphs[g], &same, 1 + trial % 6, numbers, g == 1);
      ss_graph_gradient (graphs[g], e[0], slots, N_INPUTS, e + 1);
      double *memo = calloc ((size_t)ss_graph_n_nodes (graphs[g]), sizeof *memo);
      int *stamp = calloc ((size_t)ss_graph_n_nodes (graphs[g]), sizeof *stamp);
      for (int i = 0; i <= N_INPUTS; i++)
        values[g][i] = ss_graph_eval (graphs[g], e[i], inputs, N_INPUTS + N_FIXED, memo, stamp, 1);
      free (memo);
      free (stamp);
      ss_graph_free (graphs[g]);
    }
    for (int i = 0; i <= N_INPUTS; i++)
      SS_CHECK (values[0][i] == values[1][i] || (isnan (values[0][i]) && isnan (values[1][i])));
  }
}

/* Parameters gather as constants do, and stay what they are in another graph. */
static void
test_parameters_gather (void)
{
  SsGraph *graph = NULL, *other = NULL;

  SS_CHECK (ss_graph_new (&graph, NULL) == SS_OK && ss_graph_new (&other, NULL) == SS_OK);
  const SsExpr x = ss_graph_input (graph, 0), y = ss_graph_input (graph, 1), p = ss_graph_parameter (graph, 2),
               q = ss_graph_parameter (graph, 3);
  /* One after the other: in which order arguments are built is the compiler's, and the order of nodes follows. */
  const SsExpr qy = ss_graph_binary (graph, SS_OP_MUL, q, y), px = ss_graph_binary (graph, SS_OP_MUL, p, x);
  const SsExpr product = ss_graph_binary (graph, SS_OP_MUL, px, qy);

  SS_CHECK (ss_graph_is_parameter (graph, p) && !ss_graph_is_parameter (graph, x) && ss_graph_slot (graph, p) == 2);
  SS_CHECK (ss_graph_input (graph, 2) != p);
  /* p (q (x y)) is (p q) (x y) */
  SS_CHECK (ss_graph_operand (graph, product, 0) == ss_graph_binary (graph, SS_OP_MUL, p, q));
  SS_CHECK (ss_graph_operand (graph, product, 1) == ss_graph_binary (graph, SS_OP_MUL, x, y));
  SS_CHECK (ss_graph_binary (graph, SS_OP_MUL, p, ss_graph_constant (graph, 0)) == ss_graph_constant (graph, 0));
  SS_CHECK (ss_graph_binary (graph, SS_OP_SUB, p, p) == ss_graph_constant (graph, 0));

  const SsExpr map[] = {SS_EXPR_NONE, SS_EXPR_NONE, ss_graph_input (other, 7), ss_graph_constant (other, 2)};
  const SsExpr moved = ss_graph_import (other, graph, product, map, 4);
  const SsExpr front = ss_graph_operand (other, moved, 0);
  SS_CHECK (ss_graph_op (other, front) == SS_OP_MUL);
  for (int i = 0; i < 2; i++) {
    const SsExpr operand = ss_graph_operand (other, front, i);

    SS_CHECK (ss_graph_op (other, operand) == SS_OP_CONSTANT ||
              (ss_graph_is_parameter (other, operand) && ss_graph_slot (other, operand) == 7));
  }
  ss_graph_free (graph);
  ss_graph_free (other);
}

/* Ranges of tapes hold every value within the box of their inputs, and some are known in closed form. */
static void
test_ranges (void)
{
  static const struct {
    const char *text;
    double low, high; /* for a, b in 0..2, c in -1..1, d anywhere, e from 1 on */
  } known[] = {{"(d - 1)^2", 0, INFINITY},
               {"d^4 + c", -1, INFINITY},
               {"-d^2", -INFINITY, 0},
               {"a - b", -2, 2},
               {"c^3", -1, 1},
               {"1 / e", 0, 1},
               {"abs(d) + sqrt(a)", 0, INFINITY},
               {"exp(-e)", 0, 0.36787944117144233},
               {"d", -INFINITY, INFINITY},
               {"max(d, 3)", 3, INFINITY},
               {"min(a, c)", -1, 1},
               {"d * 0 + 2", 2, 2},
               {"log(e)", 0, INFINITY},
               {"a * c", -2, 2},
               {"if(e < 0, d, c)", -INFINITY, INFINITY},
               {"sin(d) * 3", -3, 3},
               {"e^(-2)", 0, 1},
               {"d / e", -INFINITY, INFINITY}};
  const double low[] = {0, 0, -1, -INFINITY, 1}, high[] = {2, 2, 1, INFINITY, INFINITY};

  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    SsGraph *graph = new_graph ();
    const SsExpr e = parse (graph, known[i].text);
    SsTape *tape = NULL;
    double out_low, out_high;
    SS_CHECK (ss_tape_new (graph, &e, 1, N_INPUTS, &tape, NULL) == SS_OK);
    double *work = calloc (ss_tape_work_size (tape) + 1, sizeof *work);
    ss_tape_range (tape, low, high, NULL, &out_low, &out_high, work);
    SS_CHECK (out_low == known[i].low || fabs (out_low - known[i].low) < 1e-15);
    SS_CHECK (out_high == known[i].high || fabs (out_high - known[i].high) < 1e-15);
    if (ss_test_failed_checks > 0)
      printf ("  %s: %g .. %g\n", known[i].text, out_low, out_high);
    free (work);
    ss_tape_free (tape);
    ss_graph_free (graph);
  }
}

static void
test_ranges_hold (void)
{
  static const char *const texts[] = {"a*b - c*d + e",
                                      "(a - b)^2 * c",
                                      "a^3 - b^2",
                                      "(a + 3) / (b + 3)",
                                      "a / b",
                                      "sqrt(abs(a)) - exp(b)",
                                      "sin(a) * cos(b) + tan(c)",
                                      "atan2(a, b) + atan(c)",
                                      "min(a, max(b, c)) - sign(d)",
                                      "if(a < b, c, d) * e",
                                      "floor(a) + mod(b, 2)",
                                      "abs(a)^b",
                                      "(a^2 + 1)^(-1.5)",
                                      "asin(a/4) - acos(b/4)",
                                      "log(a + 3) * c",
                                      "a^(-2) + b^(-1)"};
  SsRandom random;

  ss_random_seed (&random, 5);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    SsGraph *graph = new_graph ();
    const SsExpr e = parse (graph, texts[i]);
    SsTape *tape = NULL;
    SS_CHECK (ss_tape_new (graph, &e, 1, N_INPUTS, &tape, NULL) == SS_OK);
    double *work = calloc (ss_tape_work_size (tape) + 1, sizeof *work);
    for (int round = 0; round < 2000; round++) {
      double low[N_INPUTS], high[N_INPUTS], x[N_INPUTS], out_low, out_high, value;
      for (int k = 0; k < N_INPUTS; k++) {
        const double p = ss_random_between (&random, -2, 2), q = ss_random_between (&random, -2, 2);
        low[k] = fmin (p, q);
        high[k] = fmax (p, q);
        x[k] = ss_random_between (&random, low[k], high[k]);
      }
      ss_tape_range (tape, low, high, NULL, &out_low, &out_high, work);
      ss_tape_eval (tape, 1, 1, x, N_INPUTS, NULL, &value, work);
      const double slack = 1e-12 * (1 + fabs (value)); /* rounding is left out */
      SS_CHECK (isnan (value) || (out_low <= value + slack && value - slack <= out_high));
    }
    free (work);
    ss_tape_free (tape);
    ss_graph_free (graph);
  }
}

int
main (void)
{
  SS_RUN (test_values);
  SS_RUN (test_errors);
  SS_RUN (test_limits);
  SS_RUN (test_equal_nodes);
  SS_RUN (test_inspection);
  SS_RUN (test_not_a_number);
  SS_RUN (test_closed_form_derivatives);
  SS_RUN (test_kinks);
  SS_RUN (test_random_derivatives);
  SS_RUN (test_compact_gradient);
  SS_RUN (test_round_trip);
  SS_RUN (test_random_text);
  SS_RUN (test_tapes);
  SS_RUN (test_tape_shape);
  SS_RUN (test_no_memory);
  SS_RUN (test_parameters);
  SS_RUN (test_parameters_gather);
  SS_RUN (test_ranges);
  SS_RUN (test_ranges_hold);
  return ss_test_finish ();
}
