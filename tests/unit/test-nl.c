/* tests/unit/test-nl.c: AMPL's .nl files. Truth: closed forms of files written by hand after the format's paper, the
 * same files in binary of both byte orders, and, for what is written, the problem that it was written from: objective,
 * rows and their derivatives at random points of sixty published problems (tests/data/mpcc) and of examples.
 *
 * Tolerance: both problems compute the same formulas with sums in another order and constants moved, a few hundred
 * operations: 1e-12 relative to 1 + the size of the value.
 */
#include "mpcc/ss-problem.h"
#include "scene/ss-nl.h"
#include "ss-test.h"

#include <dirent.h>
#include <stdlib.h>

static const double rounding = 1e-12;
/* Weight of a derivative in the number that tells two rows apart by value and derivative. */
static const double mixed = 1.4142135623730951;

/* ---- helpers ----------------------------------------------------------------------------------------------------- */

static SsScenario *
read_scenario (const char *text, size_t length)
{
  SsProblems problems;
  SsScenario *scenario = NULL;

  ss_problems_init (&problems);
  SS_CHECK (ss_scenario_read (text, length, "test", NULL, 0, &problems, &scenario) == SS_OK);
  for (int i = 0; i < problems.n_items; i++)
    printf ("%s: %s\n", problems.items[i].path, problems.items[i].message);
  ss_problems_clear (&problems);
  return scenario;
}

/* What a .nl means; NULL after a failed check. */
static SsScenario *
read_nl (const char *bytes, size_t length)
{
  SsProblems problems;
  char *text = NULL;
  size_t n;

  ss_problems_init (&problems);
  SS_CHECK (ss_nl_text_of_file ("test.nl", bytes, length, &problems, &text, &n) == SS_OK);
  for (int i = 0; i < problems.n_items; i++)
    printf ("line %d: %s (expected %s)\n", problems.items[i].line, problems.items[i].message,
            problems.items[i].expected);
  SsScenario *scenario = text != NULL ? read_scenario (text, n) : NULL;
  ss_free (text);
  ss_problems_clear (&problems);
  return scenario;
}

/* ---- files by hand ----------------------------------------------------------------------------------------------- */

/* A header for n variables and m rows with one objective. */
static int
write_header (char *out, size_t size, const char *letter, int n, int m, int n_commons)
{
  return snprintf (out, size,
                   "%s3 1 1 0\t# problem hand\n %d %d 1 0 0\n 0 0\n 0 0\n 0 0 0\n 0 0 0 1\n 0 0 0 0 0\n 0 0\n 0 0\n"
                   " %d 0 0 0 0\n",
                   letter, n, m, n_commons);
}

/* The value of the objective of one formula in v0, v1 at a point. */
static double
value_of (const char *tokens, double x0, double x1)
{
  char file[4096];
  double value = NAN;
  SsMpcc *mpcc = NULL;
  SsMpccEval *eval = NULL;
  int n = write_header (file, sizeof file, "g", 2, 0, 0);

  n += snprintf (file + n, sizeof file - (size_t)n, "O0 0\n%sb\n3\n3\n", tokens);
  SsScenario *scenario = read_nl (file, (size_t)n);
  if (scenario != NULL && ss_problem_build (scenario, &mpcc, NULL) == SS_OK &&
      ss_mpcc_eval_new (mpcc, &eval, NULL) == SS_OK)
    value = ss_mpcc_objective (eval, (double[]){x0, x1});
  ss_mpcc_eval_free (eval);
  ss_mpcc_free (mpcc);
  ss_scenario_free (scenario);
  return value;
}

/* Every operator that is taken, against the C library. */
static void
operators (void)
{
  const double a = 0.37, b = 1.9;
  const struct {
    const char *tokens;
    double value;
  } cases[] = {
      {"o0\nv0\nv1\n", a + b},
      {"o1\nv0\nv1\n", a - b},
      {"o2\nv0\nv1\n", a * b},
      {"o3\nv0\nv1\n", a / b},
      {"o5\nv0\nv1\n", pow (a, b)},
      {"o5\nv0\nn-2\n", pow (a, -2)},
      {"o6\nv1\nv0\n", b - a},
      {"o6\nv0\nv1\n", 0},
      {"o11\n3\nv0\nv1\nn0.5\n", a},
      {"o12\n3\nv0\nv1\nn0.5\n", b},
      {"o12\n1\nv0\n", a},
      {"o15\no16\nv0\n", a},
      {"o16\nv0\n", -a},
      {"o37\nv0\n", tanh (a)},
      {"o38\nv0\n", tan (a)},
      {"o39\nv0\n", sqrt (a)},
      {"o40\nv0\n", sinh (a)},
      {"o41\nv0\n", sin (a)},
      {"o42\nv0\n", log10 (a)},
      {"o43\nv0\n", log (a)},
      {"o44\nv0\n", exp (a)},
      {"o45\nv0\n", cosh (a)},
      {"o46\nv0\n", cos (a)},
      {"o47\nv0\n", atanh (a)},
      {"o48\nv0\nv1\n", atan2 (a, b)},
      {"o49\nv0\n", atan (a)},
      {"o50\nv0\n", asinh (a)},
      {"o51\nv0\n", asin (a)},
      {"o52\nv1\n", acosh (b)},
      {"o53\nv0\n", acos (a)},
      {"o54\n4\nv0\nv1\nn-3\nv0\n", 2 * a + b - 3},
      {"o76\nv0\nn1.5\n", pow (a, 1.5)},
      {"o77\nv0\n", a * a},
      {"o78\nn2\nv0\n", pow (2, a)},
      {"o2\ns-3\nl70000\n", -210000},
      /* operands of an operand: the order of tokens is that of the paper, operators first */
      {"o1\no2\nv0\no0\nv1\nn1\no3\nv1\no1\nv0\nv1\n", a * (b + 1) - b / (a - b)},
  };

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const int before = ss_test_failed_checks;
    SS_CHECK_NEAR (value_of (cases[i].tokens, a, b), cases[i].value, rounding * (1 + fabs (cases[i].value)));
    if (ss_test_failed_checks > before)
      printf ("  of %s\n", cases[i].tokens);
  }
}

/* minimise (x - 2)^2 + y subject to 1 <= x + y + x y <= 3, 0.5 <= y, in which common expressions read one another in
 * another order than that of their numbers. */
static void
commons_and_ranges (void)
{
  char file[4096];
  SsMpcc *mpcc = NULL;
  SsMpccEval *eval = NULL;
  const double x[] = {0.7, 1.3};
  double c[3];
  int n = write_header (file, sizeof file, "g", 2, 1, 2);

  snprintf (file + n, sizeof file - (size_t)n, "%s",
            "V3 1 0\n0 1\nn-2\n"   /* v3 = x - 2 */
            "V2 0 0\no5\nv3\nn2\n" /* v2 = v3^2 */
            "C0\t#range\no2\nv0\nv1\nO0 0\nv2\nx1\n0 0.25\nr\n0 1 3\t#l u\nb\n3\n2 0.5\nk1\n1\nJ0 2\n0 1\n1 1\n"
            "G0 1\n1 1\nS0 1 priority\n0 3\nS5 1 scale\n0 1e3\nd1\n0 2\n");
  SsScenario *scenario = read_nl (file, strlen (file));
  SS_CHECK (scenario != NULL && ss_problem_build (scenario, &mpcc, NULL) == SS_OK);
  if (mpcc == NULL || ss_mpcc_eval_new (mpcc, &eval, NULL) != SS_OK)
    return;
  SS_CHECK (scenario->model->n_points == 1 && ss_mpcc_n_variables (mpcc) == 2);
  SS_CHECK (ss_mpcc_n_equalities (mpcc) == 0 && ss_mpcc_n_inequalities (mpcc) == 3);
  SS_CHECK_NEAR (ss_mpcc_objective (eval, x), 1.3 * 1.3 + 1.3, rounding);
  ss_mpcc_rows (eval, x, c);
  SS_CHECK_NEAR (c[0], 0.7 + 1.3 + 0.91 - 1, rounding);
  SS_CHECK_NEAR (c[1], 3 - (0.7 + 1.3 + 0.91), rounding);
  SS_CHECK_NEAR (c[2], 0.8, rounding);
  SS_CHECK_NEAR (ss_mpcc_lower (mpcc)[1], 0.5, 0);
  double start[2];
  SS_CHECK (ss_problem_guess (scenario, start, NULL) == SS_OK);
  SS_CHECK_NEAR (start[0], 0.25, 0);
  SS_CHECK_NEAR (start[1], 0, 0);
  ss_mpcc_eval_free (eval);
  ss_mpcc_free (mpcc);
  ss_scenario_free (scenario);
}

/* The four ways to complement v1, whose bounds are -1 and 2, by f = v0 - 0.5: rows by name and value. */
static void
complementarity (void)
{
  static const int n_pairs[] = {0, 1, 1, 2};

  for (int bits = 0; bits < 4; bits++) {
    char file[4096];
    SsMpcc *mpcc = NULL;
    int n = write_header (file, sizeof file, "g", 2, 1, 0);

    snprintf (file + n, sizeof file - (size_t)n,
              "C0\nn-0.5\nO0 0\nn0\nx2\n0 -1.5\n1 0.25\nr\n5 %d 2\nb\n3\n0 -1 2\nk1\n1\nJ0 1\n0 1\n", bits);
    SsScenario *scenario = read_nl (file, strlen (file));
    SS_CHECK (scenario != NULL && ss_problem_build (scenario, &mpcc, NULL) == SS_OK);
    if (mpcc == NULL)
      return;
    SS_CHECK (ss_mpcc_n_pairs (mpcc) == n_pairs[bits]);
    SS_CHECK (ss_mpcc_n_equalities (mpcc) == (bits == 0 || bits == 3));
    SS_CHECK (ss_mpcc_n_variables (mpcc) == (bits == 3 ? 4 : 2));
    SS_CHECK_NEAR (ss_mpcc_lower (mpcc)[1], -1, 0);
    SS_CHECK_NEAR (ss_mpcc_upper (mpcc)[1], 2, 0);
    /* A point of each solution's kind: x at a bound that takes part with the sign of f that belongs to it. */
    SsMpccEval *eval = NULL;
    const double at_lower[] = {1.5, -1, 1, 0}, at_upper[] = {-0.5, 2, 0, 1}, wrong[] = {-0.5, -1, 0, 1};
    double c[16];
    double worst[3] = {0};
    if (ss_mpcc_eval_new (mpcc, &eval, NULL) != SS_OK)
      return;
    for (int p = 0; p < 3; p++) {
      ss_mpcc_rows (eval, p == 0 ? at_lower : p == 1 ? at_upper : wrong, c);
      for (int r = 0; r < ss_mpcc_n_rows (mpcc); r++)
        worst[p] = fmax (worst[p], r < ss_mpcc_n_equalities (mpcc) ? fabs (c[r]) : -c[r]);
    }
    SS_CHECK ((worst[0] <= rounding) == ((bits & 1) != 0));
    SS_CHECK ((worst[1] <= rounding) == ((bits & 2) != 0));
    SS_CHECK (worst[2] > 0.4);
    /* The start of what is added fits its row: f = -2 there. */
    double start[4];
    SS_CHECK (ss_problem_guess (scenario, start, NULL) == SS_OK);
    if (bits == 3) {
      SS_CHECK_NEAR (start[2], 0, 0);
      SS_CHECK_NEAR (start[3], 2, rounding);
    }
    ss_mpcc_eval_free (eval);
    ss_mpcc_free (mpcc);
    ss_scenario_free (scenario);
  }
}

/* A sum and a product of 30000 operands, and 30000 levels of nesting: formulas are parted, nothing is refused. */
static void
large_formulas (void)
{
  enum { N = 30000, SIZE = 1 << 20 };
  char *file = malloc (SIZE);

  if (file == NULL)
    return;
  for (int kind = 0; kind < 3; kind++) {
    SsMpcc *mpcc = NULL;
    SsMpccEval *eval = NULL;
    size_t n = (size_t)write_header (file, SIZE, "g", 2, 0, 0);
    n += (size_t)snprintf (file + n, SIZE - n, "O0 0\n");
    if (kind == 0)
      n += (size_t)snprintf (file + n, SIZE - n, "o54\n%d\n", N);
    for (int i = 0; i < N; i++)
      n += (size_t)snprintf (file + n, SIZE - n,
                             kind == 0   ? "v%d\n"
                             : kind == 1 ? "o0\nv%d\n"
                                         : "o0\no16\nv%d\n",
                             i % 2);
    n += (size_t)snprintf (file + n, SIZE - n, "%sb\n3\n3\n", kind > 0 ? "v0\n" : "");
    SsScenario *scenario = read_nl (file, n);
    SS_CHECK (scenario != NULL && ss_problem_build (scenario, &mpcc, NULL) == SS_OK);
    if (mpcc != NULL && ss_mpcc_eval_new (mpcc, &eval, NULL) == SS_OK)
      SS_CHECK_NEAR (ss_mpcc_objective (eval, (double[]){2, 3}), kind == 0 ? 75000 : kind == 1 ? 75002 : -74998, 1e-6);
    ss_mpcc_eval_free (eval);
    ss_mpcc_free (mpcc);
    ss_scenario_free (scenario);
  }
  free (file);
}

/* ---- binary ------------------------------------------------------------------------------------------------------ */

typedef struct {
  char bytes[4096];
  size_t n;
  bool is_swapped;
} Binary;

static void
put (Binary *b, const void *value, size_t size)
{
  for (size_t i = 0; i < size; i++)
    b->bytes[b->n++] = ((const char *)value)[b->is_swapped ? size - 1 - i : i];
}

static void
put_int (Binary *b, int value)
{
  const int32_t number = value;
  put (b, &number, sizeof number);
}

static void
put_double (Binary *b, double value)
{
  put (b, &value, sizeof value);
}

/* minimise (x - 3) * 2 + (-7) + 100000 subject to x y = 1.5, x >= 0.25, in both byte orders. */
static void
binary (void)
{
  const uint16_t one = 1;
  const bool is_little = *(const unsigned char *)&one == 1;

  for (int order = 1; order <= 2; order++) {
    Binary b = {.is_swapped = (order == 1) != is_little};
    SsMpcc *mpcc = NULL;
    SsMpccEval *eval = NULL;
    const int16_t half = -7;
    double c[2];

    b.n = (size_t)snprintf (b.bytes, sizeof b.bytes,
                            "b3 1 1 0\n 2 1 1 0 1\n 1 1\n 0 0\n 2 1 1\n 0 0 %d 1\n 0 0 0 0 0\n 2 1\n 0 0\n 0 0 0 0 0\n",
                            order);
    b.bytes[b.n++] = 'C', put_int (&b, 0);
    b.bytes[b.n++] = 'o', put_int (&b, 2);
    b.bytes[b.n++] = 'v', put_int (&b, 0);
    b.bytes[b.n++] = 'v', put_int (&b, 1);
    b.bytes[b.n++] = 'O', put_int (&b, 0), put_int (&b, 0);
    b.bytes[b.n++] = 'o', put_int (&b, 54), put_int (&b, 3);
    b.bytes[b.n++] = 'o', put_int (&b, 2);
    b.bytes[b.n++] = 'o', put_int (&b, 1);
    b.bytes[b.n++] = 'v', put_int (&b, 0);
    b.bytes[b.n++] = 'n', put_double (&b, 3);
    b.bytes[b.n++] = 'n', put_double (&b, 2);
    b.bytes[b.n++] = 's', put (&b, &half, sizeof half);
    b.bytes[b.n++] = 'l', put_int (&b, 100000);
    b.bytes[b.n++] = 'x', put_int (&b, 1), put_int (&b, 1), put_double (&b, 0.125);
    b.bytes[b.n++] = 'r';
    b.bytes[b.n++] = '4', put_double (&b, 1.5);
    b.bytes[b.n++] = 'b';
    b.bytes[b.n++] = '2', put_double (&b, 0.25);
    b.bytes[b.n++] = '3';
    b.bytes[b.n++] = 'k', put_int (&b, 1), put_int (&b, 1);
    b.bytes[b.n++] = 'J', put_int (&b, 0), put_int (&b, 2);
    put_int (&b, 0), put_double (&b, 0), put_int (&b, 1), put_double (&b, 0);
    b.bytes[b.n++] = 'S', put_int (&b, 4), put_int (&b, 1), put_int (&b, 5);
    memcpy (b.bytes + b.n, "scale", 5);
    b.n += 5;
    put_int (&b, 1), put_double (&b, 2.5);
    SsScenario *scenario = read_nl (b.bytes, b.n);
    SS_CHECK (scenario != NULL && ss_problem_build (scenario, &mpcc, NULL) == SS_OK);
    if (mpcc == NULL || ss_mpcc_eval_new (mpcc, &eval, NULL) != SS_OK)
      return;
    SS_CHECK_NEAR (ss_mpcc_objective (eval, (double[]){5, 7}), 4 - 7 + 100000, 1e-9);
    ss_mpcc_rows (eval, (double[]){5, 7}, c);
    SS_CHECK_NEAR (c[0], 33.5, rounding);
    SS_CHECK_NEAR (ss_mpcc_lower (mpcc)[0], 0.25, 0);
    double start[2];
    SS_CHECK (ss_problem_guess (scenario, start, NULL) == SS_OK);
    SS_CHECK_NEAR (start[1], 0.125, 0);
    ss_mpcc_eval_free (eval);
    ss_mpcc_free (mpcc);
    ss_scenario_free (scenario);
  }
}

/* ---- refused ----------------------------------------------------------------------------------------------------- */

static void
refuse (const char *bytes, size_t length, int line, const char *message, const char *expected)
{
  SsProblems problems;
  SsNl *nl = NULL;
  const int before = ss_test_failed_checks;

  ss_problems_init (&problems);
  SS_CHECK (ss_nl_read (bytes, length, "bad.nl", &problems, &nl) != SS_OK && nl == NULL);
  SS_CHECK (problems.n_items == 1);
  if (problems.n_items > 0) {
    SS_CHECK_STR (problems.items[0].file, "bad.nl");
    SS_CHECK (problems.items[0].line == line);
    SS_CHECK_CONTAINS (problems.items[0].message, message);
    SS_CHECK_CONTAINS (problems.items[0].expected, expected);
    if (ss_test_failed_checks > before)
      printf ("  line %d: %s (expected %s)\n", problems.items[0].line, problems.items[0].message,
              problems.items[0].expected);
  }
  ss_nl_free (nl);
  ss_problems_clear (&problems);
}

static void
refused (void)
{
  const struct {
    const char *body;
    int line;
    const char *message, *expected;
  } cases[] = {
      {"O0 0\no35\no22\nv0\nv1\nv0\nv1\nb\n3\n3\n", 12, "operator 35 (if)", "derivatives"},
      {"O0 0\no13\nv0\nb\n3\n3\n", 12, "operator 13 (floor)", "derivatives"},
      {"O0 0\no99\nv0\nb\n3\n3\n", 12, "no operator 99", "operator of AMPL"},
      {"O0 0\nv2\nb\n3\n3\n", 12, "2 is out of range", "variable"},
      {"O0 0\nf0 1\nv0\n", 12, "imported function", "o, n, s, l or v"},
      {"F0 0 1 besselj\n", 11, "imported functions", "segments"},
      {"L0\nn1\n", 11, "logical", "segments"},
      {"O0 0\no0\nv0\n", 14, "too short for its operands", "as many operands"},
      {"O0 0\n", 12, "ends within an expression", "operand"},
      {"O0 0\no54\n2000000000\nv0\n", 14, "too short", "operands"},
      {"O0 0\nn0\nO0 0\nn0\n", 14, "twice", "once"},
      {"O0 2\nn0\n", 11, "2 is out of range", "minimise"},
      {"b\n3\n", 13, "ends within its bounds", "0, 1, 2"},
      {"b\n5 1 1\n3\n", 12, "complements nothing", "0, 1, 2"},
      {"b\n7\n3\n", 12, "no such kind", "0, 1, 2"},
      {"b\n4 nan\n3\n", 12, "'nan' is no number", "a value"},
      {"b\n2 inf\n3\n", 12, "no value has these bounds", "below infinity"},
      {"b\n3 1\n3\n", 12, "more on the line", "end of the line"},
      {"O0 0\nn0\n", 13, "no bounds of its variables", "segment b"},
      {"x1\n0 fast\nb\n3\n3\n", 12, "'fast' is no number", "a value"},
      {"x3\n0 1\n", 11, "3 is out of range", "number of values"},
      {"G0 1\n0.5 1\n", 12, "'0.5' is no whole number", "variable"},
      {"q\n", 11, "no segment", "segments"},
  };

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char file[4096];
    int n = write_header (file, sizeof file, "g", 2, 0, 0);
    n += snprintf (file + n, sizeof file - (size_t)n, "%s", cases[i].body);
    refuse (file, (size_t)n, cases[i].line, cases[i].message, cases[i].expected);
  }
  static const char huge[] = "g3 1 1 0\n 2000000000 0 1\n";
  static const char integer[] = "g3 1 1 0\n 1 0 1 0 0\n 0 0\n 0 0\n 0 0 0\n 0 0 0 1\n 0 1 0 0 0\n";
  static const char functions[] = "g3 1 1 0\n 1 0 1 0 0\n 0 0\n 0 0\n 0 0 0\n 0 1 0 1\n";
  static const char bits[] = "g3 1 1 0\n 1 1 0 0 0\n 0 0\n 0 0\n 0 0 0\n 0 0 0 1\n 0 0 0 0 0\n 0 0\n 0 0\n 0 0 0 0 0\n"
                             "b\n3\nr\n5 1 1\n";
  refuse (huge, sizeof huge - 1, 2, "2000000000 variables cannot be in a file", "fit the file");
  refuse (integer, sizeof integer - 1, 7, "1 integer", "not integer");
  refuse (functions, sizeof functions - 1, 6, "1 imported functions", "AMPL's own");
  refuse (bits, sizeof bits - 1, 15, "bound that it does not have", "finite");
  refuse ("{}", 2, 1, "no .nl file", "'g'");
  refuse ("", 0, 1, "no .nl file", "'g'");
}

/* Every allocation fails once, of reading, of the translation and of writing: an error of no memory, nothing else. */
static void
no_memory (void)
{
  static const char body[] = "V3 1 0\n0 2\no44\nv1\nC0\no54\n3\nv3\no11\n2\nv0\nv1\nn1\nC1\no50\nv2\nO0 1\no2\nv0\nv3\n"
                             "x1\n0 1\nr\n0 -1 5\n5 3 3\nb\n3\n2 0\n0 -1 1\nJ0 1\n0 1\nJ1 1\n2 0\nG0 1\n0 1\n";
  static const char odd[] =
      "{\"format\": 1, \"name\": \"odd\", \"model\": {\"points\": 9, \"time_step\": 1, \"states\": [\"x\", \"y\"], "
      "\"constraints\": [{\"points\": \"all\", \"complementary\": [[\"x*y - 1\", \"x + y\"], [\"x\", \"sin(x) + "
      "sin(x)^2\"]]}], "
      "\"cost\": [{\"points\": \"all\", \"cost\": \"x^2 + exp(y)\"}]}}";
  char file[4096];
  SsStatus status = SS_ERR_MEMORY;
  int n = write_header (file, sizeof file, "g", 3, 2, 1), at;

  n += snprintf (file + n, sizeof file - (size_t)n, "%s", body);
  for (at = 1; status != SS_OK && at < 10000; at++) {
    SsProblems problems;
    char *text = NULL;
    size_t length;
    ss_problems_init (&problems);
    ss_alloc_fail_at ((uint64_t)at);
    status = ss_nl_text_of_file ("test.nl", file, (size_t)n, &problems, &text, &length);
    ss_alloc_fail_at (0);
    SS_CHECK (status == SS_OK || (status == SS_ERR_MEMORY && text == NULL));
    SS_CHECK (status == SS_OK || problems.truncated || problems.items[0].status == SS_ERR_MEMORY);
    ss_free (text);
    ss_problems_clear (&problems);
  }
  SS_CHECK (status == SS_OK && at > 20);
  SsScenario *scenario = read_scenario (odd, sizeof odd - 1);
  status = SS_ERR_MEMORY;
  for (at = 1; scenario != NULL && status != SS_OK && at < 10000; at++) {
    SsNlNames names = {0};
    SsError error = {0};
    char *bytes = NULL;
    size_t length;
    ss_alloc_fail_at ((uint64_t)at);
    status = ss_nl_write (scenario, &bytes, &length, &names, &error);
    ss_alloc_fail_at (0);
    SS_CHECK (status == SS_OK || (status == SS_ERR_MEMORY && bytes == NULL && names.variables == NULL));
    ss_nl_names_clear (&names);
    ss_free (bytes);
  }
  SS_CHECK (status == SS_OK && at > 20);
  ss_scenario_free (scenario);
}

/* ---- round trip -------------------------------------------------------------------------------------------------- */

typedef struct {
  SsScenario *scenario;
  SsMpcc *mpcc;
  SsMpccEval *eval;
  int n, n_rows, n_equal;
  double *x, *d;             /* point and direction */
  double *rows, *slopes;     /* values, and derivatives along d */
  double objective, descent; /* the same of the objective */
  bool *is_met;
} Side;

static bool
open_side (Side *side, SsScenario *scenario)
{
  *side = (Side){.scenario = scenario};
  if (scenario == NULL || ss_problem_build (scenario, &side->mpcc, NULL) != SS_OK ||
      ss_mpcc_eval_new (side->mpcc, &side->eval, NULL) != SS_OK)
    return false;
  side->n = ss_mpcc_n_variables (side->mpcc);
  side->n_rows = ss_mpcc_n_rows (side->mpcc);
  side->n_equal = ss_mpcc_n_equalities (side->mpcc);
  side->x = calloc ((size_t)side->n, sizeof (double));
  side->d = calloc ((size_t)side->n, sizeof (double));
  side->rows = calloc ((size_t)side->n_rows + 1, sizeof (double));
  side->slopes = calloc ((size_t)side->n_rows + 1, sizeof (double));
  side->is_met = calloc ((size_t)side->n_rows + 1, sizeof (bool));
  return true;
}

static void
close_side (Side *side)
{
  ss_mpcc_eval_free (side->eval);
  ss_mpcc_free (side->mpcc);
  ss_scenario_free (side->scenario);
  free (side->x);
  free (side->d);
  free (side->rows);
  free (side->slopes);
  free (side->is_met);
}

static void
evaluate (Side *side)
{
  const SsPattern *pattern = ss_mpcc_jacobian_pattern (side->mpcc);
  double *values = calloc ((size_t)pattern->start[side->n_rows] + 1, sizeof (double));
  double *gradient = calloc ((size_t)side->n, sizeof (double));

  side->objective = ss_mpcc_objective (side->eval, side->x);
  ss_mpcc_gradient (side->eval, side->x, gradient);
  ss_mpcc_rows (side->eval, side->x, side->rows);
  ss_mpcc_jacobian (side->eval, side->x, values);
  side->descent = 0;
  for (int i = 0; i < side->n; i++)
    side->descent += gradient[i] * side->d[i];
  for (int r = 0; r < side->n_rows; r++) {
    side->slopes[r] = 0;
    side->is_met[r] = false;
    for (int e = pattern->start[r]; e < pattern->start[r + 1]; e++)
      side->slopes[r] += values[e] * side->d[pattern->index[e]];
  }
  free (values);
  free (gradient);
}

static bool
is_same_row (const Side *a, int r, const Side *b, int q)
{
  const double size = 1 + fabs (a->rows[r]) + mixed * fabs (a->slopes[r]);

  return (r < a->n_equal) == (q < b->n_equal) && fabs (a->rows[r] - b->rows[q]) <= rounding * size &&
         fabs (a->slopes[r] - b->slopes[q]) <= rounding * size;
}

/* A bound that another of the same variable makes idle: the file keeps the tighter one. */
static bool
is_idle_bound (const Side *side, int row)
{
  for (int i = 0; i < ss_mpcc_n_bounds (side->mpcc); i++) {
    const SsMpccBound *bound = &ss_mpcc_bounds (side->mpcc)[i];
    if (bound->row + side->n_equal != row && bound->row != row)
      continue;
    const double at = -bound->intercept / bound->slope;
    if (bound->slope > 0 ? at <= ss_mpcc_lower (side->mpcc)[bound->variable]
                         : at >= ss_mpcc_upper (side->mpcc)[bound->variable])
      return true;
  }
  return false;
}

/* Points and directions of the variables that both have; what stands for a side follows from its row, which is the side
 * less the variable. Returns how many there are. */
static int
set_points (const Side *from, Side *back, const SsNlNames *names)
{
  int n_sides = 0, row = 0;

  for (int p = 0; p < names->n_variables; p++) {
    back->x[p] = names->index[p] >= 0 ? from->x[names->index[p]] : 0;
    back->d[p] = names->index[p] >= 0 ? from->d[names->index[p]] : 0;
    n_sides += names->index[p] < 0;
  }
  if (n_sides == 0)
    return 0;
  evaluate (back);
  const SsPattern *pattern = ss_mpcc_jacobian_pattern (back->mpcc);
  for (row = 0; row < back->n_equal; row++)
    for (int e = pattern->start[row]; e < pattern->start[row + 1]; e++) {
      const int p = pattern->index[e];
      if (names->index[p] >= 0)
        continue;
      back->x[p] = back->rows[row];
      back->d[p] = back->slopes[row];
    }
  return n_sides;
}

/* Rows of both meet one to one, but for the rows of sides, which vanish, and idle bounds. */
static void
compare_rows (Side *from, Side *back, int n_sides, const char *name)
{
  const int before = ss_test_failed_checks;
  int n_new = 0;

  for (int r = 0; r < from->n_rows; r++) {
    int q = 0;
    while (q < back->n_rows && (back->is_met[q] || !is_same_row (from, r, back, q)))
      q++;
    if (q < back->n_rows)
      back->is_met[q] = true;
    else
      SS_CHECK (is_idle_bound (from, r));
  }
  for (int q = 0; q < back->n_rows; q++)
    if (!back->is_met[q]) {
      int r = 0;
      while (r < from->n_rows && !is_same_row (from, r, back, q))
        r++;
      if (r < from->n_rows) /* again: two pairs share a side, each has its own variable for it */
        continue;
      n_new++;
      SS_CHECK (q < back->n_equal && fabs (back->rows[q]) <= rounding * 10);
    }
  SS_CHECK (n_new == n_sides);
  SS_CHECK_NEAR (back->objective, from->objective, rounding * (1 + fabs (from->objective)));
  SS_CHECK_NEAR (back->descent, from->descent, rounding * (1 + fabs (from->descent)) * 10);
  if (ss_test_failed_checks > before)
    printf ("  in %s\n", name);
}

static void
go_round (SsScenario *scenario, const char *name, int n_points)
{
  Side from, back = {0};
  SsNlNames names = {0};
  char *bytes = NULL;
  size_t length = 0;
  SsError error = {0};
  SsRandom random;

  if (!open_side (&from, scenario))
    return;
  SS_CHECK (ss_nl_write (scenario, &bytes, &length, &names, &error) == SS_OK);
  if (bytes == NULL)
    printf ("%s: %s\n", name, error.message);
  const bool is_open = bytes != NULL && open_side (&back, read_nl (bytes, length));
  SS_CHECK (is_open);
  SS_CHECK (!is_open || back.n == names.n_variables);
  ss_random_seed (&random, 5);
  for (int point = 0; is_open && point < n_points; point++) {
    for (int i = 0; i < from.n; i++) {
      from.x[i] = 0.2 + 1.8 * ss_random_uniform (&random); /* positive: some have powers and logarithms */
      from.d[i] = 2 * ss_random_uniform (&random) - 1;
    }
    const int n_sides = set_points (&from, &back, &names);
    evaluate (&from);
    evaluate (&back);
    compare_rows (&from, &back, n_sides, name);
  }
  /* The starts are one. */
  if (is_open && ss_problem_guess (from.scenario, from.x, NULL) == SS_OK &&
      ss_problem_guess (back.scenario, back.x, NULL) == SS_OK)
    for (int p = 0; p < names.n_variables; p++)
      if (names.index[p] >= 0)
        SS_CHECK_NEAR (back.x[p], from.x[names.index[p]], 0);
  ss_nl_names_clear (&names);
  ss_free (bytes);
  close_side (&from);
  close_side (&back);
}

static SsScenario *
open_file (const char *path)
{
  SsProblems problems;
  SsScenario *scenario = NULL;

  ss_problems_init (&problems);
  SS_CHECK (ss_scenario_read_file (path, NULL, 0, &problems, &scenario) == SS_OK);
  ss_problems_clear (&problems);
  return scenario;
}

static void
published_problems (void)
{
  DIR *folder = opendir (SS_SOURCE_ROOT "/tests/data/mpcc");
  const struct dirent *entry;
  int n = 0;

  SS_CHECK (folder != NULL);
  while (folder != NULL && (entry = readdir (folder)) != NULL) {
    char path[600];
    if (strstr (entry->d_name, ".stickslip.json") == NULL)
      continue;
    snprintf (path, sizeof path, SS_SOURCE_ROOT "/tests/data/mpcc/%.255s", entry->d_name);
    go_round (open_file (path), entry->d_name, 5);
    n++;
  }
  if (folder != NULL)
    closedir (folder);
  SS_CHECK (n == 60);
}

/* Several time points, next(), k, t, parameters, pairs with one sign. */
static void
examples (void)
{
  static const char *const files[] = {"cartpole", "transport", "push-box", "waiter"};

  for (int i = 0; i < 4; i++) {
    char path[600];
    snprintf (path, sizeof path, SS_SOURCE_ROOT "/examples/crisp/%s.stickslip.json", files[i]);
    go_round (open_file (path), files[i], ss_test_is_coarse () ? 1 : 2);
  }
  /* a _|_ b where both are formulas, an upper bound, one sign alone, a bound twice, a constant in rows and objective */
  static const char text[] = "{\"format\": 1, \"name\": \"odd\", \"model\": {\"points\": 1, \"states\": [\"x\", \"y\", "
                             "\"z\"], \"constraints\": ["
                             "{\"zero\": [\"x*y - 3\", \"z - 0.5\"], \"nonnegative\": [\"4 - x\", \"5 - 2*x\", \"y\", "
                             "\"3*y + 1\", \"x + y - 7\"],"
                             "\"complementary\": [[\"x + y\", \"x*z - 2\"], [\"2.5 - x\", \"y - sin(z)\"],"
                             "{\"a\": \"x - y\", \"b\": \"z + x\", \"signs\": \"a\"}]}],"
                             "\"cost\": [{\"cost\": \"(x - 1)^2 + 3*z + 5 - min(x, y)\"}]}}";
  go_round (read_scenario (text, sizeof text - 1), "odd", 5);
}

int
main (void)
{
  SS_RUN (operators);
  SS_RUN (commons_and_ranges);
  SS_RUN (complementarity);
  SS_RUN (large_formulas);
  SS_RUN (binary);
  SS_RUN (refused);
  SS_RUN (no_memory);
  SS_RUN (published_problems);
  SS_RUN (examples);
  return ss_test_finish ();
}
