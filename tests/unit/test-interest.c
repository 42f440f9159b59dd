/* tests/unit/test-interest.c: quantities of interest. Truth: a table of numbers whose sums, means and extremes were
 * found by hand. */
#include "scene/ss-interest.h"

#include "ss-test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* x = 2 t over three rows, the last step twice as long; y falls, then rises. */
static SsTrajectory *
new_motion (void)
{
  const SsChannel channels[] = {{.name = "t", .unit = "s", .owner_name = ""},
                                {.name = "box.x", .unit = "m", .owner_name = "box"},
                                {.name = "box.vx", .unit = "m/s", .owner_name = "box"},
                                {.name = "box.omega", .unit = "rad/s", .owner_name = "box"},
                                {.name = "floor-box.lambda_n", .unit = "N", .owner_name = "floor-box"},
                                {.name = "odd", .unit = "furlong", .owner_name = ""}};
  static const double rows[][6] = {{0, 0, 2, 1, 4, 1}, {1, 2, 2, -3, 0, 1}, {3, 6, 2, 5, 8, 1}};
  SsTrajectory *motion = NULL;
  SsError err = {0};

  SS_CHECK (ss_trajectory_new (channels, 6, 3, &motion, &err) == SS_OK);
  for (int k = 0; k < 3; k++)
    SS_CHECK (ss_trajectory_append (motion, rows[k], &err) == SS_OK);
  return motion;
}

static const SsInterestEvent events[] = {{"impact", "floor-box", 0.5, 3},
                                         {"slip", "floor-box", 0.75, NAN},
                                         {"impact", "box-wall", 1.5, 4},
                                         {"impact", "floor-box", 2.5, 5}};

/* Row by row, with no row before the one that is told but the last: the same bits. */
static void
check_rows_that_go (const SsInterest *interest, const SsTrajectory *motion, double expected)
{
  SsInterestSum *sum = NULL;
  SsTrajectory *left = NULL;
  char unit[SS_INTEREST_UNIT];
  double value = NAN;

  SS_CHECK (ss_trajectory_copy (motion, &left, NULL) == SS_OK);
  SS_CHECK (ss_interest_sum_new (interest, left, &sum, NULL) == SS_OK);
  while (sum != NULL && left->n_rows > 0) {
    ss_interest_sum_rows (sum, left, 0, 1);
    if (left->n_rows == 1)
      break;
    ss_trajectory_remove (left, 0, 1);
  }
  SS_CHECK (sum != NULL && ss_interest_sum_value (sum, left, events, 4, &value, unit, NULL) == SS_OK);
  SS_CHECK (value == expected || (isnan (value) && isnan (expected)));
  ss_interest_sum_free (sum);
  ss_trajectory_free (left);
}

static void
test_values (void)
{
  static const struct {
    const char *text, *unit;
    double value;
  } cases[] = {
      {"final(box.x)", "m", 6},
      {"box.x", "m", 6},
      {"start(box.x) + 1", "m", 1},
      {"max(box.omega)", "1/s", 5},
      {"min(box.omega)", "1/s", -3},
      {"max(box.omega, 7)", "1/s", 7}, /* of numbers: the final one and 7 */
      {"max(abs(box.omega)) - min(box.omega)", "1/s", 8},
      {"integral(box.omega)", "", 1},                   /* (1 - 3) / 2 + 2 (-3 + 5) / 2 */
      {"integral(floor_box.lambda_n*box.vx)", "J", 20}, /* 2 (4 / 2 + 2 * 8 / 2) */
      {"mean(box.x)", "m", 3},                          /* (1 + 2 * 4) / 3 */
      {"rms(box.omega)^2", "1/s2", 45.0 / 9},           /* (1 - 3 + 9) / 3 + 2 (9 - 15 + 25) / 3 over 3 s */
      {"box.x < 0.3", "", 0},
      {"box.x < 7 and min(box.omega) < 0", "", 1},
      {"always(box.x >= 0)", "", 1},
      {"always(box.omega > 0)", "", 0},
      {"always(box.omega > 0, from=2)", "", 1}, /* the row at 3 alone */
      {"always(box.omega > 0, from = 0.5, to = 2 )", "", 0},
      {"always(max(box.omega, 0) < 4, to=1)", "", 1}, /* a comma of the condition */
      {"ever(box.omega < 0, from=1, to=1)", "", 1},
      {"ever(box.omega < 0, from=1.5)", "", 0},
      {"not ever(box.omega > 5) and box.x == 6", "", 1},
      {"always(box.x < 1, from=4)", "", NAN},     /* no row: neither true nor false, */
      {"not always(box.x < 1, from=4)", "", NAN}, /* nor its contrary */
      {"count(impact)", "", 3},
      {"count(impact box floor)", "", 2},
      {"count(impact floor_box)", "", 2},
      {"count(impact box-floor)", "", 2}, /* the contact's bodies in either order */
      {"integral(box_floor.lambda_n*box.vx)", "J", 20},
      {"count(any)", "", 4},
      {"first(impact box floor).t", "s", 0.5},
      {"last( impact floor-box ).t - first(slip).t", "s", 1.75},
      {"first(impact wall).impulse", "N s", 4},
      {"nth(1, impact box floor).t", "s", 0.5},
      {"nth( 2 , impact box floor ).t - last(impact box floor).t", "s", 0},
      {"nth(3, impact box floor).t", "s", NAN}, /* there are two */
      {"sqrt(final(box.vx)^2)/final(box.x)", "1/s", 1.0 / 3},
      {"final(odd) + 1", "", 2}, /* a unit that is not known fits all */
  };
  SsTrajectory *motion = new_motion ();

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    SsInterest *interest = NULL;
    SsError err = {0};
    double value = NAN;
    char unit[SS_INTEREST_UNIT] = "?";

    SS_CHECK (ss_interest_new (cases[i].text, &interest, &err) == SS_OK);
    if (interest == NULL) {
      printf ("  %s: %s\n", cases[i].text, err.message);
      continue;
    }
    SS_CHECK (ss_interest_value (interest, motion, events, 4, &value, unit, &err) == SS_OK);
    if (isnan (cases[i].value))
      SS_CHECK (isnan (value));
    else
      SS_CHECK_NEAR (value, cases[i].value, 1e-14 * fmax (1, fabs (cases[i].value)));
    SS_CHECK (strcmp (unit, cases[i].unit) == 0);
    if (strcmp (unit, cases[i].unit) != 0)
      printf ("  %s: unit %s\n", cases[i].text, unit);
    check_rows_that_go (interest, motion, value);
    ss_interest_free (interest);
  }
  ss_trajectory_free (motion);
}

/* Two bodies may have two contacts, one listed in either order: each name means its own, words of bodies mean both. */
static void
test_both_orders (void)
{
  static const SsInterestEvent both[] = {{"impact", "a-b", 1, 3}, {"impact", "b-a", 2, 4}, {"impact", "a-b", 3, 5}};
  static const struct {
    const char *text;
    double value;
  } cases[] = {{"count(impact a-b)", 2}, {"count(impact b-a)", 1}, {"count(impact b_a)", 1}, {"count(impact a b)", 3},
               {"first(b-a).t", 2},      {"max(a_b.gap)", 7},      {"max(b_a.gap)", 8}};
  const SsChannel channels[] = {{.name = "t", .unit = "s", .owner_name = ""},
                                {.name = "a-b.gap", .unit = "m", .owner_name = "a-b"},
                                {.name = "b-a.gap", .unit = "m", .owner_name = "b-a"}};
  SsTrajectory *motion = NULL;
  SsError err = {0};

  SS_CHECK (ss_trajectory_new (channels, 3, 1, &motion, &err) == SS_OK);
  SS_CHECK (ss_trajectory_append (motion, (const double[]){0, 7, 8}, &err) == SS_OK);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    SsInterest *interest = NULL;
    double value = NAN;
    char unit[SS_INTEREST_UNIT];

    SS_CHECK (ss_interest_new (cases[i].text, &interest, &err) == SS_OK);
    SS_CHECK (ss_interest_value (interest, motion, both, 3, &value, unit, &err) == SS_OK);
    SS_CHECK (value == cases[i].value);
    if (value != cases[i].value)
      printf ("  %s: %g\n", cases[i].text, value);
    ss_interest_free (interest);
  }
  ss_trajectory_free (motion);
}

/* What is an assertion, and the row that breaks it. */
static void
test_assertions (void)
{
  static const struct {
    const char *text;
    bool is_assertion;
    double broken_at;
  } cases[] = {{"always(box.omega > 0)", true, 1},
               {"always(box.omega > 0, from=2)", true, NAN},
               {"always(box.x < 5) and always(box.omega > 0)", true, 1},
               {"always(box.x < 5) or box.x > 5", true, 3},
               {"ever(box.omega > 9)", true, NAN},
               {"box.x < 0.3", true, NAN},
               {"max(box.x)", false, NAN},
               {"final(always(box.x < 5))", false, NAN},
               {"1 + always(box.x < 5)", false, 3}};
  SsTrajectory *motion = new_motion ();

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    SsInterest *interest = NULL;
    double t = 0;

    if (ss_interest_new (cases[i].text, &interest, NULL) != SS_OK) {
      SS_CHECK (strncmp (cases[i].text, "final", 5) == 0); /* reductions are not nested */
      continue;
    }
    SS_CHECK (ss_interest_is_assertion (interest) == cases[i].is_assertion);
    SS_CHECK (ss_interest_broken_at (interest, motion, &t, NULL) == SS_OK);
    SS_CHECK (isnan (cases[i].broken_at) ? isnan (t) : t == cases[i].broken_at);
    ss_interest_free (interest);
  }
  ss_trajectory_free (motion);
}

/* What did not happen has no time. */
static void
test_nothing (void)
{
  SsTrajectory *motion = new_motion ();
  SsInterest *interest = NULL;
  SsError err = {0};
  double value = 0;
  char unit[SS_INTEREST_UNIT];

  SS_CHECK (ss_interest_new ("first(stick).t", &interest, &err) == SS_OK);
  SS_CHECK (ss_interest_value (interest, motion, events, 4, &value, unit, &err) == SS_OK);
  SS_CHECK (isnan (value) && strcmp (unit, "s") == 0);
  ss_interest_free (interest);
  ss_trajectory_free (motion);
}

static void
test_refused (void)
{
  static const struct {
    const char *text, *part;
    int column;
  } unread[] = {{"final(box.x", "not closed", 6},
                {"first(impact)", ".t or .impulse", 14},
                {"nth(0, impact).t", "a number from 1", 5},
                {"nth(impact).t", "a number from 1", 5},
                {"final(box.x) +", "", 0},
                {"final(2 *)", "", 0},
                {"max(final(box.x))", "", 0},
                {"", "", 0},
                {"always(box.x)", "takes a condition", 0},
                {"always(box.x < 1, from=now)", "are times in s", 19},
                {"ever(box.x < 1, from=2, to=1)", "from= is later than to=", 6}};
  static const struct {
    const char *text, *part;
  } unfit[] = {{"final(box.z)", "did you mean box.x"},
               {"final(box.x) + final(box.vx)", "units do not fit: m beside m/s"},
               {"max(box.x + t)", "m beside s"},
               {"sin(final(box.x))", "of m is no number"},
               {"if(box.x < 1, box.x, t)", "m beside s"}};
  SsTrajectory *motion = new_motion ();

  for (size_t i = 0; i < sizeof unread / sizeof *unread; i++) {
    SsInterest *interest = NULL;
    SsError err = {0};

    SS_CHECK (ss_interest_new (unread[i].text, &interest, &err) != SS_OK && interest == NULL);
    SS_CHECK (strstr (err.message, unread[i].part) != NULL);
    SS_CHECK (unread[i].column == 0 || err.column == unread[i].column);
  }
  for (size_t i = 0; i < sizeof unfit / sizeof *unfit; i++) {
    SsInterest *interest = NULL;
    SsError err = {0};
    double value;
    char unit[SS_INTEREST_UNIT];

    SS_CHECK (ss_interest_new (unfit[i].text, &interest, &err) == SS_OK);
    SS_CHECK (ss_interest_unit (interest, motion, unit, &err) == SS_ERR_INVALID);
    SS_CHECK (strstr (err.message, unfit[i].part) != NULL);
    SS_CHECK (ss_interest_value (interest, motion, NULL, 0, &value, unit, &err) == SS_ERR_INVALID);
    SS_CHECK (strstr (err.message, unfit[i].part) != NULL);
    if (strstr (err.message, unfit[i].part) == NULL)
      printf ("  %s: %s\n", unfit[i].text, err.message);
    ss_interest_free (interest);
  }
  ss_trajectory_free (motion);
}

/* Before there is a motion: units, and names that some methods alone have. */
static void
test_before (void)
{
  static const struct {
    const char *text, *unit; /* NULL: refused */
  } cases[] = {{"integral(floor_box.lambda_n*box.vx)", "J"},
               {"max(tau)", ""},
               {"max(box.vx) + max(box.slip)", "m/s"}, /* of a quantity that is known: any unit */
               {"max(box.colour)", NULL},
               {"max(crate.vx)", NULL},
               {"max(slip)", NULL}};
  SsTrajectory *motion = new_motion ();

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    SsInterest *interest = NULL;
    SsError err = {0};
    char unit[SS_INTEREST_UNIT];

    SS_CHECK (ss_interest_new (cases[i].text, &interest, &err) == SS_OK);
    const SsStatus status = ss_interest_unit (interest, motion, unit, &err);
    SS_CHECK (status == (cases[i].unit != NULL ? SS_OK : SS_ERR_INVALID));
    SS_CHECK (cases[i].unit == NULL || strcmp (unit, cases[i].unit) == 0);
    ss_interest_free (interest);
  }
  ss_trajectory_free (motion);
}

int
main (void)
{
  SS_RUN (test_assertions);
  SS_RUN (test_before);
  SS_RUN (test_values);
  SS_RUN (test_both_orders);
  SS_RUN (test_nothing);
  SS_RUN (test_refused);
  return ss_test_finish ();
}
