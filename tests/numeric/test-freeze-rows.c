/* tests/numeric/test-freeze-rows.c: every row of the transcription time-freezing at numbers that mean nothing, against
 * the equations of paper 001 written out by hand for a disc in a corner of floor and wall: two contacts with friction
 * of their own, two control intervals of two elements. A row that no equation here explains fails too. */
#include "fesd/ss-tableau.h"
#include "ss-test-rows.h"

static const char *const scene_text =
    "{\"format\": 1, \"name\": \"corner\", \"title\": \"\", \"scene\": {\"gravity\": [0, -9.81],"
    " \"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
    "  {\"name\": \"wall\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [1, 0]}},"
    "  {\"name\": \"p\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 2, \"lock\": [\"theta\"],"
    "   \"position\": [0.7, 0.4], \"velocity\": [-0.3, 0.2]}],"
    " \"contacts\": [{\"name\": \"a\", \"bodies\": [\"floor\", \"p\"], \"friction\": 0.3},"
    "  {\"name\": \"b\", \"bodies\": [\"wall\", \"p\"], \"friction\": 0.7}],"
    " \"actuators\": [{\"name\": \"f\", \"type\": \"force\", \"body\": \"p\", \"direction\": [1, 0], \"lower\": -9, "
    "\"upper\": 8}]},"
    " \"task\": {\"horizon\": 0.6, \"steps\": 2, \"effort\": 3, \"bounds\": [{\"body\": \"p\", \"x\": [-2, 3], \"vx\": "
    "[-4, 6]}],"
    "  \"cost\": [{\"points\": \"all\", \"cost\": \"p.vx^2\"}, {\"points\": \"last\", \"cost\": \"7*p.y^2\"}],"
    "  \"constraints\": [{\"name\": \"way\", \"points\": \"all\", \"nonnegative\": [\"1 - p.x*p.y\"]}],"
    "  \"targets\": [{\"body\": \"p\", \"velocity\": [0.5, null]}]}}";

enum { N_POINTS = 5, N_ELEMENTS = 2, LEFT = -1, N_CONTACTS = 2, N_SWITCHES = 3 };
static const double mass = 2, gravity = 9.81, radius = 0.1, a_n = 5, s_max = 20, interval = 0.3;
static const double start[4] = {0.7, 0.4, -0.3, 0.2};

typedef struct {
  const char *name;
  double n[2], t[2], mu;
} Contact;

static const Contact contacts[N_CONTACTS] = {{"a", {0, 1}, {1, 0}, 0.3}, {"b", {1, 0}, {0, -1}, 0.7}};
static const char *const switches[N_SWITCHES] = {"gap", "closing", "slip"};

typedef struct {
  SsTestRows rows;
  SsTableau tableau;
  bool is_lifted, holds_frozen;
  int s;
} Case;

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static double
variable (const Case *c, int k, const char *name)
{
  return ss_test_rows_variable (&c->rows, k, name);
}

/* Of the body, a contact, or the element ("") at its left point or a stage. */
static double
value (const Case *c, int k, const char *owner, int j, const char *what)
{
  char name[64];

  if (j == LEFT)
    snprintf (name, sizeof name, "%s%s%s", owner, owner[0] != '\0' ? "." : "", what);
  else
    snprintf (name, sizeof name, "%s%sstage_%d.%s", owner, owner[0] != '\0' ? "." : "", j + 1, what);
  return variable (c, k, name);
}

/* alpha, lambda_minus or lambda_plus of a switching function. */
static double
of_switch (const Case *c, int k, const Contact *contact, int j, const char *what, int i)
{
  char name[32];

  snprintf (name, sizeof name, "%s_%c", what, "nvt"[i]);
  return value (c, k, contact->name, j, name);
}

/* c_1, c_2, c_3 [001 (14) (25a)-(25c)]. */
static double
switch_at (const Case *c, int k, const Contact *contact, int j, int i)
{
  const double *along = i == 2 ? contact->t : contact->n;
  const char *const names[2] = {i == 0 ? "x" : "vx", i == 0 ? "y" : "vy"};

  return along[0] * value (c, k, "p", j, names[0]) + along[1] * value (c, k, "p", j, names[1]) - (i == 0 ? radius : 0);
}

/* (1 - alpha_1) (1 - alpha_2): no multiplier of the free motion, or that of both auxiliary systems. */
static double
under (const Case *c, int k, const Contact *contact, int j)
{
  return (1 - of_switch (c, k, contact, j, "alpha", 0)) * (1 - of_switch (c, k, contact, j, "alpha", 1));
}

/* theta_2 (slip forward) or theta_3 of a contact by the alphas [001 (32)], its misprint mended. */
static double
product_of (const Case *c, int k, const Contact *contact, int j, bool is_forward)
{
  const double alpha = of_switch (c, k, contact, j, "alpha", 2);
  return under (c, k, contact, j) * (is_forward ? alpha : 1 - alpha);
}

/* theta_1 by the alphas [001 (32)]; of several contacts the product. */
static double
free_product (const Case *c, int k, int j)
{
  double product = 1;

  for (int l = 0; l < N_CONTACTS; l++)
    product *= 1 - under (c, k, &contacts[l], j);
  return product;
}

/* The multipliers of the equations of motion: variables where they are lifted. */
static double
theta_of (const Case *c, int k, const Contact *contact, int j, bool is_forward)
{
  return c->is_lifted ? value (c, k, contact->name, j, is_forward ? "theta_1" : "theta_2")
                      : product_of (c, k, contact, j, is_forward);
}

static double
theta_free (const Case *c, int k, int j)
{
  return c->is_lifted ? value (c, k, "", j, "theta") : free_product (c, k, j);
}

/* ---- the equations ----------------------------------------------------------------------------------------------- */

/* v' over s: the free motion [001 (6)], a_n along the normal [001 (16)], mu a_n against the slip [001 (24)]. */
static double
acceleration (const Case *c, int k, int j, int axis)
{
  double force = theta_free (c, k, j) * (axis == 0 ? variable (c, k, "u.f") : -mass * gravity);

  for (int l = 0; l < N_CONTACTS; l++) {
    const Contact *contact = &contacts[l];
    const double forward = theta_of (c, k, contact, j, true), back = theta_of (c, k, contact, j, false);

    force += a_n * ((forward + back) * contact->n[axis] + contact->mu * (back - forward) * contact->t[axis]);
  }
  return force / mass;
}

/* [001 (15) (31a) (33c) (35d)]: y' = s F theta at the stages, rows solved for the slopes. */
static void
check_dynamics (const Case *c, int k)
{
  static const char *const names[5] = {"x", "y", "vx", "vy", "time"};
  const double h = variable (c, k, "h"), s = variable (c, k, "s_k");

  for (int i = 0; i < 5; i++) {
    const char *owner = i < 4 ? "p" : "";
    const double left = value (c, k, owner, LEFT, names[i]);
    char path[32];
    double row[SS_TABLEAU_STAGES_MAX], slope[SS_TABLEAU_STAGES_MAX];

    snprintf (path, sizeof path, "dynamics.%s", i == 4 ? "time stage" : "p ");
    if (i < 4)
      strncat (path, names[i], sizeof path - strlen (path) - 1);
    for (int j = 0; j < c->s; j++) {
      const SsTestRow *found = ss_test_rows_find (&c->rows, k, j, path);

      row[j] = found != NULL ? found->a : NAN;
      slope[j] = s * (i < 2   ? theta_free (c, k, j) * value (c, k, "p", j, names[i + 2])
                      : i < 4 ? acceleration (c, k, j, i - 2)
                              : theta_free (c, k, j));
    }
    for (int j = 0; j < c->s; j++)
      ss_test_rows_expect_stage (h, c->tableau.a[j], c->s, row, slope, value (c, k, owner, j, names[i]) - left);
  }
}

/* [001 (31b) (33d)]: multipliers by the alphas; [001 (31c) (33e)]: switching functions; their signs
 * [001 (31d)-(31e)]. */
static void
check_multipliers (const Case *c, int k)
{
  for (int j = 0; j < c->s; j++) {
    for (int l = 0; l < N_CONTACTS; l++) {
      const Contact *contact = &contacts[l];
      const char *name = contact->name;

      if (c->is_lifted) {
        ss_test_rows_expect (&c->rows, k, j, theta_of (c, k, contact, j, true) - product_of (c, k, contact, j, true),
                             "multipliers.%s theta forward", name);
        ss_test_rows_expect (&c->rows, k, j, theta_of (c, k, contact, j, false) - product_of (c, k, contact, j, false),
                             "multipliers.%s theta back", name);
      }
      for (int i = 0; i < N_SWITCHES; i++) {
        const double alpha = of_switch (c, k, contact, j, "alpha", i),
                     plus = of_switch (c, k, contact, j, "lambda_plus", i),
                     minus = of_switch (c, k, contact, j, "lambda_minus", i);
        const int at = N_SWITCHES * j + i;

        ss_test_rows_expect (&c->rows, k, j, switch_at (c, k, contact, j, i) - plus + minus, "multipliers.%s %s", name,
                             switches[i]);
        ss_test_rows_expect (&c->rows, k, at, alpha, "signs.%s alpha", name);
        ss_test_rows_expect (&c->rows, k, at, 1 - alpha, "signs.%s 1 - alpha", name);
        ss_test_rows_expect (&c->rows, k, at, minus, "signs.%s lambda-", name);
        ss_test_rows_expect (&c->rows, k, at, plus, "signs.%s lambda+", name);
      }
    }
    if (c->is_lifted)
      ss_test_rows_expect (&c->rows, k, j, theta_free (c, k, j) - free_product (c, k, j), "multipliers.theta free");
  }
}

/* [001 (31d)-(31e) (33f)-(33g) (35e)]: lambda of the end before and of the stages against alpha of the stages. */
static void
check_cross (const Case *c, int k)
{
  for (int l = 0; l < N_CONTACTS; l++)
    for (int i = 0; i < N_SWITCHES; i++)
      for (int is_plus = 0; is_plus < 2; is_plus++)
        for (int j = LEFT; j < c->s; j++)
          for (int m = 0; m < c->s; m++) {
            const double alpha = of_switch (c, k, &contacts[l], m, "alpha", i);

            ss_test_rows_expect_pair (
                &c->rows, k, is_plus, of_switch (c, k, &contacts[l], j, is_plus ? "lambda_plus" : "lambda_minus", i),
                is_plus ? 1 - alpha : alpha, "cross.%s %s %d %d", contacts[l].name, switches[i], j + 1, m + 1);
          }
}

/* The state, both clocks and lambda go on [001 (35c)]; grids [001 (33j) (35f)], speed of time [001 (35g)]. */
static void
check_intervals (const Case *c, int k)
{
  static const char *const names[4] = {"x", "y", "vx", "vy"};
  const double h = variable (c, k, "h"), s = variable (c, k, "s_k"), mean = interval / N_ELEMENTS;

  for (int i = 0; i < 4; i++)
    ss_test_rows_expect (&c->rows, k, 0, value (c, k + 1, "p", LEFT, names[i]) - value (c, k, "p", c->s - 1, names[i]),
                         "junction.p %s", names[i]);
  ss_test_rows_expect (&c->rows, k, 0, variable (c, k + 1, "time") - value (c, k, "", c->s - 1, "time"),
                       "junction.time step");
  ss_test_rows_expect (&c->rows, k, 0, variable (c, k + 1, "tau") - variable (c, k, "tau") - h, "junction.tau step");
  for (int l = 0; l < N_CONTACTS; l++)
    for (int i = 0; i < N_SWITCHES; i++)
      for (int is_plus = 0; is_plus < 2; is_plus++) {
        const char *what = is_plus ? "lambda_plus" : "lambda_minus";

        ss_test_rows_expect (&c->rows, k, is_plus,
                             of_switch (c, k + 1, &contacts[l], LEFT, what, i) -
                                 of_switch (c, k, &contacts[l], c->s - 1, what, i),
                             "junction.%s %s", contacts[l].name, switches[i]);
      }
  ss_test_rows_expect (&c->rows, k, 0, h, "length.h lower");
  ss_test_rows_expect (&c->rows, k, 0, 2 * mean - h, "length.h upper");
  if (k % N_ELEMENTS == 0) {
    ss_test_rows_expect (&c->rows, k, 0, s - 1, "speed.speed lower");
    ss_test_rows_expect (&c->rows, k, 0, s_max - s, "speed.speed upper");
    ss_test_rows_expect (&c->rows, k, 0, variable (c, k + 1, "u.f") - variable (c, k, "u.f"), "hold.f hold");
    ss_test_rows_expect (&c->rows, k, 0, variable (c, k + 1, "s_k") - s, "hold.speed hold");
    return;
  }
  ss_test_rows_expect (&c->rows, k + 1, 0, variable (c, k + 1, "time") - (k + 1) * mean, "clock.time interval");
  ss_test_rows_expect (&c->rows, k + 1, 0, variable (c, k + 1, "tau") - (k + 1) * mean, "interval.tau interval");
}

/* The start [001 (33b) (35b)], with lambda of it. */
static void
check_start (const Case *c)
{
  static const char *const names[4] = {"x", "y", "vx", "vy"};

  for (int i = 0; i < 4; i++)
    ss_test_rows_expect (&c->rows, 0, 0, value (c, 0, "p", LEFT, names[i]) - start[i], "start.p %s", names[i]);
  ss_test_rows_expect (&c->rows, 0, 0, variable (c, 0, "time"), "start.time start");
  ss_test_rows_expect (&c->rows, 0, 0, variable (c, 0, "tau"), "start.tau start");
  for (int l = 0; l < N_CONTACTS; l++)
    for (int i = 0; i < N_SWITCHES; i++)
      for (int is_plus = 0; is_plus < 2; is_plus++) {
        const double at = switch_at (c, 0, &contacts[l], LEFT, i);

        ss_test_rows_expect (&c->rows, 0, is_plus,
                             of_switch (c, 0, &contacts[l], LEFT, is_plus ? "lambda_plus" : "lambda_minus", i) -
                                 fmax (is_plus ? at : -at, 0),
                             "start.%s %s", contacts[l].name, switches[i]);
      }
}

/* What path and bounds of velocities count where time stands still: all, or nothing. */
static double
runs (const Case *c, int k, int j)
{
  return c->holds_frozen ? 1 : theta_free (c, k, j);
}

/* Path [001 (33h) (35h)] at the ends of elements, bounds at the stages, target [001 (33i) (35i)], cost, where time
 * stands still none [001 (29) (33a) (35a)], or over numerical time. */
static void
check_task (const Case *c, bool is_in_tau)
{
  const int last = N_POINTS - 1;
  double cost = 7 * pow (value (c, last, "p", LEFT, "y"), 2);

  ss_test_rows_expect (&c->rows, last, 0, value (c, last, "p", LEFT, "vx") - 0.5, "target.p vx");
  for (int k = 0; k < last; k++) {
    const double h = variable (c, k, "h"), s = variable (c, k, "s_k"), u = variable (c, k, "u.f");

    for (int j = 0; j < c->s; j++) {
      const double x = value (c, k, "p", j, "x");

      ss_test_rows_expect (&c->rows, k, 2 * j, x + 2, "bounds.p lower");
      ss_test_rows_expect (&c->rows, k, 2 * j, 3 - x, "bounds.p upper");
      ss_test_rows_expect (&c->rows, k, 2 * j + 1, runs (c, k, j) * (value (c, k, "p", j, "vx") + 4), "bounds.p lower");
      ss_test_rows_expect (&c->rows, k, 2 * j + 1, runs (c, k, j) * (6 - value (c, k, "p", j, "vx")), "bounds.p upper");
      cost += h * s * c->tableau.b[j] * (is_in_tau ? 1 : theta_free (c, k, j)) * pow (value (c, k, "p", j, "vx"), 2);
    }
    ss_test_rows_expect (&c->rows, k, 0,
                         runs (c, k, c->s - 1) *
                             (1 - value (c, k, "p", c->s - 1, "x") * value (c, k, "p", c->s - 1, "y")),
                         "way.row 0 stage %d", c->s);
    if (k % N_ELEMENTS == 0) {
      ss_test_rows_expect (&c->rows, k, 0, u + 9, "controls.f lower");
      ss_test_rows_expect (&c->rows, k, 0, 8 - u, "controls.f upper");
    }
    cost += 3 * u * u * (is_in_tau ? s * h : value (c, k, "", c->s - 1, "time") - variable (c, k, "time"));
  }
  SS_CHECK_NEAR (c->rows.metrics.objective, cost, ss_test_rows_rounding * (1 + fabs (cost)));
}

/* ---- cases ------------------------------------------------------------------------------------------------------- */

static void
check_case (int stages, bool is_lifted, bool is_in_tau, bool holds_frozen)
{
  static const char *const but[] = {"end.", NULL};
  Case c = {.is_lifted = is_lifted, .holds_frozen = holds_frozen, .s = stages};
  SsError err = {0};
  char number[8];

  snprintf (number, sizeof number, "%d", stages);
  const char *const settings[][2] = {{"transcription", "time-freezing"},
                                     {"stages", number},
                                     {"elements", "2"},
                                     {"cross", "1"},
                                     {"step-equilibration", "none"},
                                     {"a-n", "5"},
                                     {"s-max", "20"},
                                     {"lift", is_lifted ? "on" : "off"},
                                     {"frozen-path", holds_frozen ? "on" : "off"},
                                     {"cost", is_in_tau ? "numerical" : "physical"}};
  SS_CHECK (ss_tableau_make (SS_TABLEAU_RADAU_IIA, stages, &c.tableau, &err) == SS_OK);
  if (ss_test_rows_open (&c.rows, scene_text, settings, sizeof settings / sizeof *settings)) {
    SS_CHECK (c.rows.plan->model->n_points == N_POINTS);
    for (int k = 0; k < N_POINTS - 1; k++) {
      check_dynamics (&c, k);
      check_multipliers (&c, k);
      check_cross (&c, k);
      check_intervals (&c, k);
    }
    check_start (&c);
    check_task (&c, is_in_tau);
    ss_test_rows_all_explained (&c.rows, but);
  }
  ss_test_rows_close (&c.rows);
}

static void
test_lifted (void)
{
  check_case (2, true, false, false);
}

static void
test_products (void)
{
  check_case (3, false, true, true);
}

int
main (void)
{
  SS_RUN (test_lifted);
  SS_RUN (test_products);
  return ss_test_finish ();
}
