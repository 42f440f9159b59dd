/* tests/numeric/test-fesd-rows.c: every row of the transcription fesd-j at numbers that mean nothing, against the
 * equations of paper 000 written out by hand for a disc in a corner of floor and wall: two contacts with friction and
 * restitution of their own, two control intervals of two elements. A sign, a factor or an index that is wrong shows in
 * the row itself; a row that no equation here explains fails too. */
#include "fesd/ss-tableau.h"
#include "ss-test-rows.h"

static const char *const scene_text =
    "{\"format\": 1, \"name\": \"corner\", \"title\": \"\", \"scene\": {\"gravity\": [0, -9.81],"
    " \"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
    "  {\"name\": \"wall\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [1, 0]}},"
    "  {\"name\": \"p\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 2, \"lock\": [\"theta\"],"
    "   \"position\": [0.7, 0.4], \"velocity\": [-0.3, 0.2]}],"
    " \"contacts\": [{\"name\": \"a\", \"bodies\": [\"floor\", \"p\"], \"friction\": 0.3, \"restitution\": 0.25},"
    "  {\"name\": \"b\", \"bodies\": [\"wall\", \"p\"], \"friction\": 0.7, \"restitution\": 0.6}],"
    " \"actuators\": [{\"name\": \"f\", \"type\": \"force\", \"body\": \"p\", \"direction\": [1, 0], \"lower\": -9, "
    "\"upper\": 8}]},"
    " \"task\": {\"horizon\": 0.6, \"steps\": 2, \"effort\": 3, \"bounds\": [{\"body\": \"p\", \"x\": [-2, 3],"
    "  \"vx\": [-4, 5]}],"
    "  \"cost\": [{\"points\": \"all\", \"cost\": \"p.vx^2\"}, {\"points\": \"last\", \"cost\": \"7*p.y^2\"}],"
    "  \"constraints\": [{\"name\": \"way\", \"points\": \"all\", \"nonnegative\": [\"1 - p.x*p.y\"]}],"
    "  \"targets\": [{\"body\": \"p\", \"velocity\": [0.5, null]}]}}";

enum { N_POINTS = 5, N_ELEMENTS = 2, ROWS_MAX = 4096, LEFT = -1, N_CONTACTS = 2 };
static const double mass = 2, gravity = 9.81, radius = 0.1, element_length = 0.6 / 4, lookahead = 1e-3,
                    gamma_most = 1e3;
static const double start[4] = {0.7, 0.4, -0.3, 0.2};

typedef struct {
  const char *name;
  double n[2], t[2], mu, e;
} Contact;

static const Contact contacts[N_CONTACTS] = {{"a", {0, 1}, {1, 0}, 0.3, 0.25}, {"b", {1, 0}, {0, -1}, 0.7, 0.6}};

typedef struct {
  SsTestRows rows;
  SsTableau tableau;
  bool is_conic, is_split, has_end;
  int s;
} Case;

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static double
variable (const Case *c, int k, const char *name)
{
  return ss_test_rows_variable (&c->rows, k, name);
}

/* Of a body or a contact at its left point (LEFT), a stage 0..s-1, or the end (s): with c_s = 1 the last stage. */
static double
value (const Case *c, int k, const char *owner, int j, const char *what)
{
  char name[64];

  if (j == c->s && !c->has_end)
    j = c->s - 1;
  if (j == LEFT)
    snprintf (name, sizeof name, "%s.%s", owner, what);
  else if (j < c->s)
    snprintf (name, sizeof name, "%s.stage_%d.%s", owner, j + 1, what);
  else
    snprintf (name, sizeof name, "%s.end.%s", owner, what);
  return variable (c, k, name);
}

static const char *const q_names[2] = {"x", "y"}, *const v_names[2] = {"vx", "vy"};

/* Along n or t. */
static double
along (const Case *c, const double direction[2], int k, int j, bool is_velocity)
{
  const char *const *names = is_velocity ? v_names : q_names;
  return direction[0] * value (c, k, "p", j, names[0]) + direction[1] * value (c, k, "p", j, names[1]);
}

static double
slip (const Case *c, const Contact *contact, int k, int j)
{
  return along (c, contact->t, k, j, true);
}

static double
gap (const Case *c, const Contact *contact, int k, int j)
{
  return along (c, contact->n, k, j, false) - radius;
}

/* lambda_t of a stage, or Lambda_t of the left point. */
static double
tangential (const Case *c, const Contact *contact, int k, int j)
{
  const char *const force = j == LEFT ? "impulse" : "lambda";
  char one[16], two[16];

  snprintf (one, sizeof one, "%s_%s", force, c->is_conic ? "t" : "1");
  snprintf (two, sizeof two, "%s_2", force);
  return value (c, k, contact->name, j, one) - (c->is_conic ? 0 : value (c, k, contact->name, j, two));
}

static double
normal (const Case *c, const Contact *contact, int k, int j)
{
  return value (c, k, contact->name, j, j == LEFT ? "impulse_n" : "lambda_n");
}

/* n lambda_n + t lambda_t of all contacts, or of impulses. */
static double
push (const Case *c, int k, int j, int axis)
{
  double sum = 0;

  for (int l = 0; l < N_CONTACTS; l++)
    sum +=
        contacts[l].n[axis] * normal (c, &contacts[l], k, j) + contacts[l].t[axis] * tangential (c, &contacts[l], k, j);
  return sum;
}

/* ---- the equations ----------------------------------------------------------------------------------------------- */

/* [000 (1b) (2)]: F_v of a stage; the control acts along x. */
static double
acceleration (const Case *c, int k, int j, int axis)
{
  return (push (c, k, j, axis) + (axis == 0 ? variable (c, k, "u.f") : -mass * gravity)) / mass;
}

/* [000 (12a)-(12d)]: rows are solved for the slopes; A times them are the paper's, b times them those of the end. */
static void
check_dynamics (const Case *c, int k)
{
  const double h = variable (c, k, "h");

  for (int axis = 0; axis < 2; axis++)
    for (int is_velocity = 0; is_velocity < 2; is_velocity++) {
      const char *name = is_velocity ? v_names[axis] : q_names[axis];
      const double left = value (c, k, "p", LEFT, name);
      char path[32];
      double row[SS_TABLEAU_STAGES_MAX], slope[SS_TABLEAU_STAGES_MAX];

      snprintf (path, sizeof path, "dynamics.p %s", name);
      for (int j = 0; j < c->s; j++) {
        const SsTestRow *found = ss_test_rows_find (&c->rows, k, j, path);

        row[j] = found != NULL ? found->a : NAN;
        slope[j] = is_velocity ? acceleration (c, k, j, axis) : value (c, k, "p", j, v_names[axis]);
      }
      for (int j = 0; j < c->s; j++)
        ss_test_rows_expect_stage (h, c->tableau.a[j], c->s, row, slope, value (c, k, "p", j, name) - left);
      const SsTestRow *end = c->has_end ? ss_test_rows_find (&c->rows, k, c->s, path) : NULL;
      ss_test_rows_expect_stage (h, c->tableau.b, c->s, row, slope,
                                 value (c, k, "p", c->s, name) - left - (end != NULL ? end->a : 0));
    }
}

/* Gaps [000 (13a)], friction of stages [000 (5a)-(5b) (8a)-(8b) (13b)-(13c)], parts of the slip there and at the left
 * point [000 (6a) (14a)] and at an end with c_s < 1 [000 (24)]; the cone of the impulse [000 (4) (11e) (17e)]. */
static void
check_contact (const Case *c, const Contact *contact, int k)
{
  const char *name = contact->name;

  for (int i = 0, n_cones = 0; i < c->s + 1 + c->has_end; i++) { /* stages, the end, the left point */
    const int j = i == c->s + c->has_end ? LEFT : i;
    const bool has_force = j < c->s;
    const double v = slip (c, contact, k, j);

    ss_test_rows_expect (&c->rows, k, i, value (c, k, name, j, "gap") - gap (c, contact, k, j), "contact.%s gap", name);
    if (c->is_conic) {
      ss_test_rows_expect (&c->rows, k, i, v - value (c, k, name, j, "xi_1") + value (c, k, name, j, "xi_2"),
                           "contact.%s slip", name);
      if (has_force && j != LEFT)
        ss_test_rows_expect (&c->rows, k, i, v + 2 * value (c, k, name, j, "gamma") * tangential (c, contact, k, j),
                             "contact.%s friction", name);
    } else {
      const double gamma = value (c, k, name, j, "gamma");

      ss_test_rows_expect (&c->rows, k, i, value (c, k, name, j, "delta_1") - (v + gamma), "contact.%s slip forward",
                           name);
      ss_test_rows_expect (&c->rows, k, i, value (c, k, name, j, "delta_2") - (-v + gamma), "contact.%s slip back",
                           name);
    }
    if (!has_force)
      continue;
    const double bound = contact->mu * normal (c, contact, k, j), force = tangential (c, contact, k, j);
    const char *const whole = j == LEFT ? "impulse" : "lambda";
    char one[16], two[16];
    double cone = bound * bound - force * force;

    snprintf (one, sizeof one, "%s_1", whole);
    snprintf (two, sizeof two, "%s_2", whole);
    if (!c->is_conic)
      cone = bound - value (c, k, name, j, one) - value (c, k, name, j, two);
    ss_test_rows_expect (&c->rows, k, n_cones++, value (c, k, name, j, "beta") - cone, "contact.%s cone", name);
  }
}

/* Signs of complementarity [000 (5c) (6b) (13a) (13d) (14b) (17b) (17f) (25)], left point, stages, end. */
static void
check_signs (const Case *c, const Contact *contact, int k)
{
  const char *name = contact->name;
  int n_gamma = 0, n_forces = 0, n_parts = 0;

  for (int j = LEFT; j < c->s + c->has_end; j++) {
    const bool has_force = j < c->s, has_gamma = has_force || !c->is_conic;
    const char *force = j == LEFT ? "impulse" : "lambda";
    char what[16];

    ss_test_rows_expect (&c->rows, k, j + 1, value (c, k, name, j, "gap"), "signs.%s gap", name);
    for (int p = 0; p < 2; p++) {
      snprintf (what, sizeof what, "%s_%d", c->is_conic ? "xi" : "delta", p + 1);
      ss_test_rows_expect (&c->rows, k, n_parts, value (c, k, name, j, what), "signs.%s slip %s", name,
                           p == 0 ? "forward" : "back");
      snprintf (what, sizeof what, "%s_%d", force, p + 1);
      if (has_force && !c->is_conic)
        ss_test_rows_expect (&c->rows, k, n_forces, value (c, k, name, j, what), "signs.%s %s", name,
                             p == 0 ? "forward" : "back");
    }
    n_parts++;
    if (has_gamma)
      ss_test_rows_expect (&c->rows, k, n_gamma++, value (c, k, name, j, "gamma"), "signs.%s gamma", name);
    if (has_gamma && !c->is_conic)
      ss_test_rows_expect (&c->rows, k, n_gamma++, gamma_most - value (c, k, name, j, "gamma"), "signs.%s gamma", name);
    if (!has_force)
      continue;
    ss_test_rows_expect (&c->rows, k, n_forces, normal (c, contact, k, j), "signs.%s force", name);
    ss_test_rows_expect (&c->rows, k, n_forces++, value (c, k, name, j, "beta"), "signs.%s beta", name);
  }
  for (int p = 0; p < 2 && c->is_split; p++) {
    char what[16];

    snprintf (what, sizeof what, "restitution_%d", p + 1);
    ss_test_rows_expect (&c->rows, k, p, value (c, k, name, LEFT, what), "signs.%s restitution", name);
  }
}

/* Into the left point of k, with the velocity before: impulses [000 (9a) (11a) (17a) (A.2a)], restitution
 * [000 (9b) (11c) (17c) (A.2c)], friction of the impulse [000 (11d) (17d)]; `at`: the point that has the rows. */
static void
check_jump (const Case *c, const char *block, int at, int k, const double before[2])
{
  for (int axis = 0; axis < 2; axis++)
    ss_test_rows_expect (&c->rows, at, 0,
                         value (c, k, "p", LEFT, v_names[axis]) - before[axis] - push (c, k, LEFT, axis) / mass,
                         "%s.p %s", block, v_names[axis]);
  for (int l = 0; l < N_CONTACTS; l++) {
    const Contact *contact = &contacts[l];
    const double *n = contact->n, own = c->is_split ? value (c, k, contact->name, LEFT, "restitution_1") -
                                                          value (c, k, contact->name, LEFT, "restitution_2")
                                                    : value (c, k, contact->name, LEFT, "restitution");

    ss_test_rows_expect (&c->rows, at, 0,
                         own - (along (c, n, k, LEFT, true) + contact->e * (n[0] * before[0] + n[1] * before[1])),
                         "%s.%s restitution", block, contact->name);
    if (c->is_conic)
      ss_test_rows_expect (&c->rows, at, 0,
                           slip (c, contact, k, LEFT) +
                               2 * value (c, k, contact->name, LEFT, "gamma") * tangential (c, contact, k, LEFT),
                           "%s.%s friction", block, contact->name);
  }
}

/* All numbers of a side with the left point (and the end): C; D: of the stages alone, or as C. */
static void
check_products (const Case *c, const Contact *contact, int k, const char *kind, const char *of_c, const char *of_d,
                int occurrence, bool c_has_end, bool is_d_continuous)
{
  const int last = c->s + (c->has_end && c_has_end);

  for (int j = LEFT; j < last; j++)
    for (int i = is_d_continuous ? LEFT : 0; i < (is_d_continuous ? last : c->s); i++)
      ss_test_rows_expect_pair (&c->rows, k, occurrence, value (c, k, contact->name, j, of_c),
                                value (c, k, contact->name, i, of_d), "cross.%s %s %d %d", contact->name, kind, j + 1,
                                i + 1 + is_d_continuous);
}

/* [000 (13a) (20)]: gaps and normal forces; [000 (8a)] slip and friction forces; [000 (8b) (13d) (21)]: gamma and beta;
 * [000 (14b) (22) (25)]: the parts of the slip. */
static void
check_cross (const Case *c, const Contact *contact, int k)
{
  check_products (c, contact, k, "gap", "gap", "lambda_n", 0, true, false);
  check_products (c, contact, k, "cone", "gamma", "beta", 0, !c->is_conic, false);
  if (c->is_conic) {
    check_products (c, contact, k, "slip parts", "xi_1", "xi_2", 0, true, true);
    return;
  }
  check_products (c, contact, k, "slip", "delta_1", "lambda_1", 0, true, false);
  check_products (c, contact, k, "slip", "delta_2", "lambda_2", 1, true, false);
}

/* Pairs of a jump: [000 (11b) (17b)], [000 (11c) (17c)] or [000 (A.2b) (A.2d)], [000 (11f) (17f)]. */
static void
check_impulse (const Case *c, const Contact *contact, int k)
{
  const char *name = contact->name;
  const double impulse = normal (c, contact, k, LEFT), distance = value (c, k, name, LEFT, "gap");

  if (c->is_split) {
    const double p = value (c, k, name, LEFT, "restitution_1"), q = value (c, k, name, LEFT, "restitution_2");

    ss_test_rows_expect_pair (&c->rows, k, 0, impulse, distance + p + q, "impulse.%s gap 0 0", name);
    ss_test_rows_expect_pair (&c->rows, k, 0, p, q, "impulse.%s restitution 0 0", name);
  } else {
    const double residual = value (c, k, name, LEFT, "restitution");

    ss_test_rows_expect_pair (&c->rows, k, 0, impulse, distance, "impulse.%s gap 0 0", name);
    ss_test_rows_expect_pair (&c->rows, k, 0, impulse, residual, "impulse.%s restitution 0 0", name);
    ss_test_rows_expect_pair (&c->rows, k, 0, impulse, -residual, "impulse.%s restitution 0 1", name);
  }
  ss_test_rows_expect_pair (&c->rows, k, 0, value (c, k, name, LEFT, "gamma"), value (c, k, name, LEFT, "beta"),
                            "impulse.%s cone 0 0", name);
  for (int p = 0; p < 2 && !c->is_conic; p++)
    ss_test_rows_expect_pair (&c->rows, k, 0, value (c, k, name, LEFT, p == 0 ? "delta_1" : "delta_2"),
                              value (c, k, name, LEFT, p == 0 ? "impulse_1" : "impulse_2"), "impulse.%s slip 0 %d",
                              name, p + 1);
}

/* [000 (27a)-(27b)] and their like of friction: sums over an element. */
static double
sum (const Case *c, const Contact *contact, int k, const char *what, bool with_left)
{
  double total = 0;

  for (int j = with_left ? LEFT : 0; j < c->s; j++)
    total += value (c, k, contact->name, j, what);
  return total;
}

/* [000 (28) (29a)-(29c) (30)] between the elements k and k + 1. */
static double
indicator (const Case *c, int k)
{
  double eta = 1;

  for (int l = 0; l < N_CONTACTS; l++) {
    const Contact *contact = &contacts[l];
    const double gap_b = sum (c, contact, k, "gap", true), gap_f = sum (c, contact, k + 1, "gap", true);
    const char *const parts[2] = {c->is_conic ? "xi_1" : "delta_1", c->is_conic ? "xi_2" : "delta_2"};
    double kappa = value (c, k + 1, contact->name, LEFT, "gap") * gap_b * gap_f, zeta = gap_b + gap_f;

    kappa += sum (c, contact, k, "lambda_n", false) * sum (c, contact, k + 1, "lambda_n", false);
    for (int p = 0; p < 2; p++)
      zeta += sum (c, contact, k, parts[p], true) * sum (c, contact, k + 1, parts[p], true);
    zeta += sum (c, contact, k, "beta", false) * sum (c, contact, k + 1, "beta", false);
    eta *= kappa * zeta;
  }
  return eta;
}

/* Lengths [000 (15) (26)], what is kept between elements [000 (16) (33c)], the look ahead [000 (18)]. */
static void
check_elements (const Case *c)
{
  for (int k = 0; k < N_POINTS - 1; k++) {
    const double h = variable (c, k, "h");

    for (int axis = 0; axis < 2; axis++)
      ss_test_rows_expect (&c->rows, k, 0,
                           value (c, k + 1, "p", LEFT, q_names[axis]) - value (c, k, "p", c->s, q_names[axis]),
                           "junction.p %s", q_names[axis]);
    ss_test_rows_expect (&c->rows, k, 0, variable (c, k + 1, "time") - variable (c, k, "time") - h,
                         "junction.time step");
    ss_test_rows_expect (&c->rows, k, 0, h, "length.h lower");
    ss_test_rows_expect (&c->rows, k, 0, 2 * element_length - h, "length.h upper");
    for (int l = 0; l < N_CONTACTS; l++)
      ss_test_rows_expect (&c->rows, k, 0,
                           gap (c, &contacts[l], k, LEFT) + lookahead * h * along (c, contacts[l].n, k, LEFT, true),
                           "lookahead.%s ahead", contacts[l].name);
    if (k % N_ELEMENTS == N_ELEMENTS - 1) {
      ss_test_rows_expect (&c->rows, k + 1, 0, variable (c, k + 1, "time") - (k + 1) * element_length,
                           "interval.time interval");
      continue;
    }
    ss_test_rows_expect (&c->rows, k, 0, variable (c, k + 1, "u.f") - variable (c, k, "u.f"), "hold.f hold");
    ss_test_rows_expect (&c->rows, k, 0, indicator (c, k) * (variable (c, k + 1, "h") - h),
                         "step equilibration.h equal");
  }
}

/* The task: start [000 (33b)], path [000 (33e)], bounds at ends and stages [000 (38d)-(38f)], target [000 (33f)], cost
 * [000 (33a)]. */
static void
check_task (const Case *c, double objective)
{
  static const struct {
    const char *what;
    double lower, upper;
  } bounded[2] = {{"x", -2, 3}, {"vx", -4, 5}};
  const int last = N_POINTS - 1;
  double cost = 7 * pow (value (c, last, "p", LEFT, "y"), 2);

  for (int axis = 0; axis < 2; axis++)
    ss_test_rows_expect (&c->rows, 0, 0, value (c, 0, "p", LEFT, q_names[axis]) - start[axis], "start.p %s",
                         q_names[axis]);
  ss_test_rows_expect (&c->rows, 0, 0, variable (c, 0, "time"), "start.time start");
  ss_test_rows_expect (&c->rows, last, 0, value (c, last, "p", LEFT, "vx") - 0.5, "target.p vx");
  for (int k = 0; k < N_POINTS; k++) {
    for (int i = 0; i < 2 && k > 0; i++) {
      ss_test_rows_expect (&c->rows, k, i, value (c, k, "p", LEFT, bounded[i].what) - bounded[i].lower,
                           "bounds.p lower");
      ss_test_rows_expect (&c->rows, k, i, bounded[i].upper - value (c, k, "p", LEFT, bounded[i].what),
                           "bounds.p upper");
    }
    if (k == last)
      break;
    for (int i = 0; i < 2 * (c->s + c->has_end); i++) {
      const double x = value (c, k, "p", i / 2, bounded[i % 2].what);

      ss_test_rows_expect (&c->rows, k, i, x - bounded[i % 2].lower, "stage bounds.p lower");
      ss_test_rows_expect (&c->rows, k, i, bounded[i % 2].upper - x, "stage bounds.p upper");
    }
    ss_test_rows_expect (&c->rows, k, 0, 1 - value (c, k, "p", c->s, "x") * value (c, k, "p", c->s, "y"),
                         "way.row 0 end");
    const double h = variable (c, k, "h"), u = variable (c, k, "u.f");
    if (k % N_ELEMENTS == 0) {
      ss_test_rows_expect (&c->rows, k, 0, u + 9, "controls.f lower");
      ss_test_rows_expect (&c->rows, k, 0, 8 - u, "controls.f upper");
    }
    cost += 3 * h * u * u;
    for (int j = 0; j < c->s; j++)
      cost += h * c->tableau.b[j] * pow (value (c, k, "p", j, "vx"), 2);
  }
  SS_CHECK_NEAR (objective, cost, ss_test_rows_rounding * cost);
}

/* ---- cases ------------------------------------------------------------------------------------------------------- */

static void
check_case (SsTableauFamily family, int stages, bool is_conic, bool is_split)
{
  static const char *const families[] = {"radau-iia", "gauss-legendre"}, *const but[] = {"end.", "no impulse.", NULL};
  Case c = {.is_conic = is_conic, .is_split = is_split, .s = stages};
  SsError err = {0};
  char number[8];

  snprintf (number, sizeof number, "%d", stages);
  const char *const settings[][2] = {{"transcription", "fesd-j"},
                                     {"scheme", families[family]},
                                     {"stages", number},
                                     {"elements", "2"},
                                     {"cross", "1"},
                                     {"step-equilibration", "direct"},
                                     {"friction", is_conic ? "conic" : "polyhedral"},
                                     {"impulse", is_split ? "split" : "products"}};
  SS_CHECK (ss_tableau_make (family, stages, &c.tableau, &err) == SS_OK);
  c.has_end = !c.tableau.ends_at_one;
  if (ss_test_rows_open (&c.rows, scene_text, settings, sizeof settings / sizeof *settings)) {
    SS_CHECK (c.rows.plan->model->n_points == N_POINTS);
    for (int k = 0; k < N_POINTS - 1; k++) {
      const double before[2] = {value (&c, k, "p", c.s, "vx"), value (&c, k, "p", c.s, "vy")};

      check_dynamics (&c, k);
      for (int l = 0; l < N_CONTACTS; l++) {
        check_contact (&c, &contacts[l], k);
        check_signs (&c, &contacts[l], k);
        check_cross (&c, &contacts[l], k);
        check_impulse (&c, &contacts[l], k);
      }
      if (k < N_POINTS - 2)
        check_jump (&c, "jump", k, k + 1, before);
      for (int axis = 0; axis < 2 && k == N_POINTS - 2; axis++) /* the plan ends before a jump [000 (31a)] */
        ss_test_rows_expect (&c.rows, k, 0, value (&c, k + 1, "p", LEFT, v_names[axis]) - before[axis], "no jump.p %s",
                             v_names[axis]);
    }
    check_jump (&c, "start", 0, 0, start + 2);
    check_elements (&c);
    check_task (&c, c.rows.metrics.objective);
    ss_test_rows_all_explained (&c.rows, but);
  }
  ss_test_rows_close (&c.rows);
}

static void
test_polyhedral (void)
{
  check_case (SS_TABLEAU_RADAU_IIA, 2, false, false);
  check_case (SS_TABLEAU_GAUSS_LEGENDRE, 3, false, true);
}

static void
test_conic (void)
{
  check_case (SS_TABLEAU_GAUSS_LEGENDRE, 2, true, false);
  check_case (SS_TABLEAU_RADAU_IIA, 3, true, true);
}

/* The penalty on unequal lengths of the elements of an interval [000 Rem 4], whose weight is 1. */
static void
test_penalty (void)
{
  static const char *const settings[][2] = {
      {"transcription", "fesd-j"}, {"elements", "3"}, {"step-equilibration", "diff"}};
  Case c = {0};

  if (ss_test_rows_open (&c.rows, scene_text, settings, sizeof settings / sizeof *settings)) {
    const SsModel *model = c.rows.plan->model;
    const SsGraph *graph = c.rows.plan->graph;
    const int n_nodes = ss_graph_n_nodes (graph), n = model->n_variables;
    double *inputs = calloc ((size_t)model->n_slots, sizeof *inputs), *memo = calloc ((size_t)n_nodes, sizeof *memo);
    int *stamp = calloc ((size_t)n_nodes, sizeof *stamp), n_stamp = 0;
    double ours = 0, due = 0;

    for (int i = 0; i < model->n_costs; i++)
      for (int k = model->costs[i].first; k <= model->costs[i].last && model->costs[i].is_penalty;
           k += model->costs[i].stride) {
        memcpy (inputs, c.rows.x + (size_t)k * (size_t)n, 2 * (size_t)n * sizeof *inputs);
        ours += ss_graph_eval (graph, model->costs[i].cost, inputs, model->n_slots, memo, stamp, ++n_stamp);
      }
    for (int k = 0; k + 2 < model->n_points; k++)
      due += k % 3 < 2 ? pow (variable (&c, k + 1, "h") - variable (&c, k, "h"), 2) : 0;
    SS_CHECK_NEAR (ours, due, ss_test_rows_rounding);
    free (inputs);
    free (memo);
    free (stamp);
  }
  ss_test_rows_close (&c.rows);
}

int
main (void)
{
  SS_RUN (test_polyhedral);
  SS_RUN (test_conic);
  SS_RUN (test_penalty);
  return ss_test_finish ();
}
