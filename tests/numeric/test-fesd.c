/* tests/numeric/test-fesd.c: the integrator fesd-j against solutions in closed form and by an independent integrator.
 *
 * test-fesd [FILE...]: each FILE is a problem of one of the forms below, told apart by its keys; X.csv beside X.json is
 * compared row by row. Without FILE the copies in tests/data/fesd, then tests of the parts. The last line says what was
 * compared and the worst deviation in units of its tolerance; exit 1 if one is exceeded. Tolerances: those that the
 * files' README states. Steps: those of the table, cut so that none is longer than half a millisecond and a stiff
 * spring turns by at most 0.07 rad (the scheme's error is then below 1e-9).
 */
#include "fesd/ss-fesd-j.h"
#include "fesd/ss-fesd-point.h"
#include "ss-test-freeze.h"
#include "ss-test-freeze-plans.h"
#include "ss-test-plans.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include <jansson.h>

static const double longest_step = 0.0005, longest_turn = 0.07;

/* ---- what was compared ------------------------------------------------------------------------------------------- */

static int n_files, n_values;
static double worst;
static char worst_where[256];

typedef struct {
  const char *file;
  json_t *root, *parameters;
  SsScenario *scenario;
  SsSimResult run;
  double tolerance;
} Problem;

static void
compare (const Problem *p, const char *what, double ours, double theirs, double tolerance)
{
  const double deviation = fabs (ours - theirs) / tolerance;
  n_values++;
  if (!(deviation <= worst)) {
    worst = isnan (deviation) ? INFINITY : deviation;
    snprintf (worst_where, sizeof worst_where, "%s: %s", p->file, what);
  }
  if (!(deviation <= 1)) {
    printf ("%s: %s = %.17g, reference %.17g, difference %.3g above %.3g\n", p->file, what, ours, theirs,
            fabs (ours - theirs), tolerance);
    ss_test_failed_checks++;
  }
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static SsStatus
no_name (void *data, const char *name, size_t length, int shift, SsExpr *out, SsError *err)
{
  (void)data, (void)name, (void)length, (void)shift, (void)out;
  return ss_error_set (err, SS_ERR_INVALID, "a name");
}

/* A number, decimals in text, or a formula such as -pi/6; NaN: neither. */
static double
number (const json_t *value)
{
  if (json_is_number (value))
    return json_number_value (value);
  const char *text = json_string_value (value);
  double out = NAN;
  SsGraph *graph = NULL;
  SsExpr e;
  if (text == NULL || ss_parse_double (text, &out))
    return out;
  SS_CHECK (ss_graph_new (&graph, NULL) == SS_OK);
  if (ss_expr_parse (graph, text, no_name, NULL, &e, NULL) == SS_OK && ss_graph_op (graph, e) == SS_OP_CONSTANT)
    out = ss_graph_value (graph, e);
  ss_graph_free (graph);
  return out;
}

static double
parameter (const Problem *p, const char *name)
{
  return number (json_object_get (p->parameters, name));
}

static double
element (const Problem *p, const char *name, size_t i)
{
  const json_t *value = json_object_get (p->parameters, name);
  return number (json_is_array (value) ? json_array_get (value, i) : value);
}

/* root.a.b, or NaN. */
static double
result (const Problem *p, const char *object, const char *name)
{
  return number (json_object_get (json_object_get (p->root, object), name));
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

enum { COLUMNS_MAX = 16, LINE_LENGTH_MAX = 1024 };

typedef struct {
  int n_columns, n_rows;
  char names[COLUMNS_MAX][32];
  double *values; /* owned */
} Table;

static bool
table_read (const char *json_file, Table *table)
{
  char path[512], line[LINE_LENGTH_MAX];
  *table = (Table){0};
  snprintf (path, sizeof path, "%s", json_file);
  char *end = strrchr (path, '.');
  if (end == NULL)
    return false;
  snprintf (end, sizeof path - (size_t)(end - path), ".csv");
  FILE *file = fopen (path, "r");
  if (file == NULL && strstr (path, "point_mass") != NULL) { /* their tables are named by their clock */
    snprintf (end, sizeof path - (size_t)(end - path), "_physical_time.csv");
    file = fopen (path, "r");
  }
  if (file == NULL)
    return false;
  while (fgets (line, sizeof line, file) != NULL) {
    int column = 0;
    line[strcspn (line, "\r\n")] = 0;
    if (table->n_columns > 0)
      table->values =
          realloc (table->values, (size_t)(table->n_rows + 1) * (size_t)table->n_columns * sizeof *table->values);
    for (char *field = line; field != NULL && column < COLUMNS_MAX; column++) {
      char *next = strchr (field, ',');
      if (next != NULL)
        *next++ = 0;
      if (table->n_columns == 0)
        snprintf (table->names[column], sizeof table->names[column], "%.31s", field);
      else
        table->values[table->n_rows * table->n_columns + column] = field[0] == 0 ? NAN : strtod (field, NULL);
      field = next;
    }
    if (table->n_columns == 0)
      table->n_columns = column;
    else
      table->n_rows++;
  }
  fclose (file);
  return table->n_rows > 1;
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static double
step_for (const Problem *p, double t_end)
{
  Table table;
  const double k = parameter (p, "k"), m1 = parameter (p, "m1"), m2 = parameter (p, "m2");
  double dt = t_end, limit = longest_step;
  if (table_read (p->file, &table))
    dt = table.values[table.n_columns] - table.values[0];
  free (table.values);
  if (k > 0)
    limit = fmin (limit, longest_turn / sqrt (k * (1 / m1 + 1 / m2)));
  return dt / ceil (dt / limit * (1 - 1e-12));
}

static void
simulate (Problem *p, double t_end)
{
  SsError err = {0};
  if (p->scenario == NULL)
    return;
  const SsSimJob job = {
      .scene = p->scenario->scene, .integrator = &ss_integrator_fesd_j, .dt = step_for (p, t_end), .t_end = t_end};
  SS_CHECK (ss_simulate_job (&job, NULL, &p->run, &err) == SS_OK);
  if (p->run.outcome != SS_OUTCOME_COMPLETED) {
    printf ("%s: %s\n", p->file, p->run.message);
    ss_test_failed_checks++;
  }
  /* the equations of each step, by separate code: rounding of forces of some 1e4 N */
  SS_CHECK_NEAR (p->run.metrics.own_residual, 0, 1e-9);
}

static double
value_at (const Problem *p, int row, const char *channel)
{
  return ss_test_value (p->run.trajectory, row, channel);
}

static double
final_value (const Problem *p, const char *channel)
{
  return value_at (p, p->run.trajectory->n_rows - 1, channel);
}

/* The event number n of a kind (of a contact; NULL: any); NULL: there are fewer. */
static const SsEvent *
event_of (const Problem *p, SsEventKind kind, const char *contact, int n)
{
  for (int i = 0; p->run.events != NULL && i < p->run.events->n_items; i++) {
    const SsEvent *e = &p->run.events->items[i];
    if (e->kind != kind || (contact != NULL && strcmp (p->scenario->scene->contacts[e->subject].name, contact) != 0))
      continue;
    if (n-- == 0)
      return e;
  }
  return NULL;
}

static int
count_events (const Problem *p, SsEventKind kind)
{
  int n = 0;
  while (event_of (p, kind, NULL, n) != NULL)
    n++;
  return n;
}

/* The first or the last row at the time of an event. */
static int
row_at (const Problem *p, const SsEvent *event, bool after)
{
  const SsTrajectory *motion = p->run.trajectory;
  int row = 0;
  while (row + 1 < motion->n_rows && ss_trajectory_row (motion, row)[0] < event->t - 1e-12)
    row++;
  while (after && row + 1 < motion->n_rows && ss_trajectory_row (motion, row + 1)[0] <= event->t + 1e-12)
    row++;
  return row;
}

typedef struct {
  const char *column, *channel;
} Name;

/* Every row of the table that lies beside the file; forces not in the first, which no step has made. */
static void
compare_table (const Problem *p, const Name *names)
{
  Table table;
  int row = 0;
  if (!table_read (p->file, &table)) {
    free (table.values);
    return;
  }
  const SsTrajectory *motion = p->run.trajectory;
  for (int i = 0; i < table.n_rows; i++) {
    const double *values = table.values + i * table.n_columns;
    while (row + 1 < motion->n_rows && ss_trajectory_row (motion, row + 1)[0] <= values[0] + 1e-11)
      row++;
    if (values[0] > ss_trajectory_row (motion, motion->n_rows - 1)[0] + 1e-9)
      break;
    SS_CHECK_NEAR (ss_trajectory_row (motion, row)[0], values[0], 1e-11);
    for (int c = 1; c < table.n_columns; c++)
      for (const Name *name = names; name->column != NULL; name++)
        if (strcmp (name->column, table.names[c]) == 0 && !(i == 0 && strstr (name->channel, "lambda") != NULL))
          compare (p, name->channel, value_at (p, row, name->channel), values[c], p->tolerance);
  }
  free (table.values);
}

/* ---- forms ------------------------------------------------------------------------------------------------------- */

static void
read_example (Problem *p, const char *name, const SsOverride *overrides, int n)
{
  char path[128];
  snprintf (path, sizeof path, "examples/fesd-j/%s.stickslip.json", name);
  p->scenario = ss_test_read_file (path, overrides, n);
}

/* The impacts, with the impulse of each, and the end [000 (1d) (9a)-(9b) (11a) (11c) (34)-(37) Fig 5]. */
static void
check_two_balls (Problem *p)
{
  static const Name names[] = {
      {"q1", "ball1.y"}, {"q2", "ball2.y"}, {"v1", "ball1.vy"}, {"v2", "ball2.vy"}, {NULL, NULL}};
  const SsOverride overrides[] = {
      {"k", parameter (p, "k")},     {"e", parameter (p, "restitution")}, {"R", parameter (p, "R")},
      {"l", parameter (p, "l")},     {"g", parameter (p, "g")},           {"m1", parameter (p, "m1")},
      {"m2", parameter (p, "m2")},   {"q10", element (p, "q0", 0)},       {"q20", element (p, "q0", 1)},
      {"v10", element (p, "v0", 0)}, {"v20", element (p, "v0", 1)},       {"T", parameter (p, "T")}};
  p->tolerance = 1e-8;
  read_example (p, "two-balls", overrides, sizeof overrides / sizeof *overrides);
  simulate (p, parameter (p, "T"));
  const json_t *impacts = json_object_get (p->root, "impacts");
  SS_CHECK (count_events (p, SS_EVENT_IMPACT) == (int)json_array_size (impacts));
  for (size_t i = 0; i < json_array_size (impacts); i++) {
    const json_t *impact = json_array_get (impacts, i);
    const SsEvent *e = event_of (p, SS_EVENT_IMPACT, NULL, (int)i);
    if (e == NULL)
      continue;
    SS_CHECK (e->is_exact);
    /* what an event is solved for is 0 there: conditions of these problems are of size 1 */
    SS_CHECK (fabs (e->condition) < 1e-9 && !e->is_following);
    compare (p, "impact t", e->t, number (json_object_get (impact, "t")), p->tolerance);
    compare (p, "impulse", e->impulse, number (json_object_get (impact, "impulse")), p->tolerance);
    compare (p, "v1_pre", value_at (p, row_at (p, e, false), "ball1.vy"), number (json_object_get (impact, "v1_pre")),
             p->tolerance);
    compare (p, "v1_post", value_at (p, row_at (p, e, true), "ball1.vy"), number (json_object_get (impact, "v1_post")),
             p->tolerance);
    compare (p, "v2", value_at (p, row_at (p, e, true), "ball2.vy"), number (json_object_get (impact, "v2")),
             p->tolerance);
  }
  for (const Name *n = names; n->column != NULL; n++)
    compare (p, n->channel, final_value (p, n->channel), result (p, "final_state", n->column), p->tolerance);
  /* the file's energies are those of points: gravity to the centres, as ours; 1e-8 of some 30 J by velocities of 3
   * m/s */
  compare (p, "energy at the start", p->run.metrics.energy_initial, result (p, "energy", "initial"), 10 * p->tolerance);
  compare (p, "energy at the end", p->run.metrics.energy_final, result (p, "energy", "final"), 10 * p->tolerance);
  compare_table (p, names);
}

static void
check_ball (Problem *p)
{
  static const Name names[] = {{"q", "ball.y"}, {"v", "ball.vy"}, {NULL, NULL}};
  const double t_end = parameter (p, "T"), accumulation = number (json_object_get (p->root, "accumulation_time"));
  const SsOverride overrides[] = {{"height0", parameter (p, "height0")},
                                  {"velocity0", parameter (p, "velocity0")},
                                  {"g", parameter (p, "g")},
                                  {"restitution", parameter (p, "restitution")},
                                  {"T", t_end}};
  p->tolerance = 1e-9;
  read_example (p, "bouncing-ball", overrides, sizeof overrides / sizeof *overrides);
  simulate (p, t_end);
  const json_t *impacts = json_object_get (p->root, "impacts");
  for (size_t i = 0; i < json_array_size (impacts); i++) {
    const json_t *impact = json_array_get (impacts, i);
    const SsEvent *e = event_of (p, SS_EVENT_IMPACT, NULL, (int)i);
    SS_CHECK (e != NULL);
    if (e == NULL)
      continue;
    compare (p, "impact t", e->t, number (json_object_get (impact, "t")), p->tolerance);
    compare (p, "v_pre", value_at (p, row_at (p, e, false), "ball.vy"), number (json_object_get (impact, "v_pre")),
             p->tolerance);
    compare (p, "v_post", value_at (p, row_at (p, e, true), "ball.vy"), number (json_object_get (impact, "v_post")),
             p->tolerance);
  }
  const bool rests = accumulation < t_end;
  if (rests) {
    const SsEvent *e = event_of (p, SS_EVENT_ACCUMULATION, NULL, 0);
    SS_CHECK (e != NULL);
    if (e != NULL)
      compare (p, "accumulation", e->t, accumulation, 1e-6);
    compare (p, "rest q", final_value (p, "ball.y"), 0, p->tolerance);
    compare (p, "rest v", final_value (p, "ball.vy"), 0, p->tolerance);
    return;
  }
  SS_CHECK (count_events (p, SS_EVENT_IMPACT) == (int)json_array_size (impacts));
  for (const Name *n = names; n->column != NULL; n++)
    compare (p, n->channel, final_value (p, n->channel), result (p, "final_state", n->column), p->tolerance);
  compare_table (p, names);
}

/* [000 (3)]. */
static void
check_block (Problem *p)
{
  static const Name names[] = {
      {"q", "block.x"}, {"v", "block.vx"}, {"friction_force", "ground.lambda_t"}, {NULL, NULL}};
  static const char *const given[] = {"mass", "mu", "g", "v0", "pull_start", "pull_rate", "T"};
  SsOverride overrides[sizeof given / sizeof *given];
  for (size_t i = 0; i < sizeof given / sizeof *given; i++)
    overrides[i] = (SsOverride){given[i], parameter (p, given[i])};
  p->tolerance = 1e-9;
  read_example (p, "block", overrides, sizeof given / sizeof *given);
  simulate (p, parameter (p, "T"));
  const SsEventKind kinds[2] = {SS_EVENT_STICK, SS_EVENT_SLIP};
  const char *keys[2] = {"slip_to_stick", "stick_to_slip"};
  for (int i = 0; i < 2; i++) {
    if (isnan (result (p, keys[i], "t")))
      continue;
    const SsEvent *e = event_of (p, kinds[i], NULL, 0);
    SS_CHECK (e != NULL);
    if (e == NULL)
      continue;
    compare (p, keys[i], e->t, result (p, keys[i], "t"), p->tolerance);
    compare (p, "q there", value_at (p, row_at (p, e, true), "block.x"), result (p, keys[i], "q"), p->tolerance);
  }
  for (const Name *n = names; n->column != NULL; n++)
    compare (p, n->channel, final_value (p, n->channel), result (p, "final_state", n->column), p->tolerance);
  compare_table (p, names);
}

static const Name particle_names[] = {{"q1", "particle.x"},
                                      {"q2", "particle.y"},
                                      {"v1", "particle.vx"},
                                      {"v2", "particle.vy"},
                                      {"lambda_n", "ground.lambda_n"},
                                      {"lambda_t", "ground.lambda_t"},
                                      {NULL, NULL}};

static void
compare_final (const Problem *p, const Name *names)
{
  for (const Name *n = names; n->column != NULL; n++)
    if (!isnan (result (p, "final_state", n->column)))
      compare (p, n->channel, final_value (p, n->channel), result (p, "final_state", n->column), p->tolerance);
}

static void
compare_key (const Problem *p, const json_t *event, const char *key, double ours)
{
  const double theirs = number (json_object_get (event, key));
  if (!isnan (theirs))
    compare (p, key, ours, theirs, p->tolerance);
}

static void
compare_particle_event (const Problem *p, const json_t *event, const SsEvent *e)
{
  const int before = row_at (p, e, false), after = row_at (p, e, true);
  compare_key (p, event, "t", e->t);
  compare_key (p, event, "q1", value_at (p, after, "particle.x"));
  compare_key (p, event, "v1_pre", value_at (p, before, "particle.vx"));
  compare_key (p, event, "v2_pre", value_at (p, before, "particle.vy"));
  compare_key (p, event, "v1_post", value_at (p, after, "particle.vx"));
  compare_key (p, event, "v2_post", value_at (p, after, "particle.vy"));
  compare_key (p, event, "normal_impulse", value_at (p, after, "ground.impulse_n"));
  compare_key (p, event, "tangential_impulse", value_at (p, after, "ground.impulse_t"));
}

/* Forces, impulses and events of impact, slip and stick [000 (1a)-(1c) (3) (11b)] [002 (9) (10) (12)]. */
static void
check_particle (Problem *p)
{
  const double t_end = parameter (p, "T");
  const SsOverride overrides[] = {{"mass", parameter (p, "mass")},
                                  {"q10", element (p, "x0", 0)},
                                  {"q20", element (p, "x0", 1)},
                                  {"v10", element (p, "x0", 2)},
                                  {"v20", element (p, "x0", 3)},
                                  {"f1", element (p, "force", 0)},
                                  {"f2", element (p, "force", 1)},
                                  {"mu", parameter (p, "mu")},
                                  {"restitution", parameter (p, "restitution")},
                                  {"T", t_end}};
  static const struct {
    const char *text;
    SsEventKind kind;
  } kinds[] = {{"impact", SS_EVENT_IMPACT},
               {"slip to stick", SS_EVENT_STICK},
               {"stick to slip", SS_EVENT_SLIP},
               {"slip reversal", SS_EVENT_REVERSAL},
               {"separation", SS_EVENT_SEPARATION}};
  int seen[SS_EVENT_COUNT] = {0};
  p->tolerance = 1e-9;
  read_example (p, "particle", overrides, sizeof overrides / sizeof *overrides);
  simulate (p, t_end);
  const json_t *events = json_object_get (p->root, "events");
  SS_CHECK (p->run.events != NULL && p->run.events->n_items == (int)json_array_size (events));
  for (size_t i = 0; i < json_array_size (events); i++) {
    const json_t *event = json_array_get (events, i);
    const char *kind = json_string_value (json_object_get (event, "kind"));
    const SsEvent *e = NULL;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && e == NULL; k++)
      if (strcmp (kind, kinds[k].text) == 0)
        e = event_of (p, kinds[k].kind, NULL, seen[kinds[k].kind]++);
    if (e == NULL)
      printf ("%s: no event \"%s\"\n", p->file, kind);
    SS_CHECK (e != NULL);
    if (e != NULL)
      compare_particle_event (p, event, e);
  }
  compare_final (p, particle_names);
  compare_table (p, particle_names);
}

static void
check_corner (Problem *p)
{
  const double t_end = parameter (p, "T");
  const SsOverride overrides[] = {{"mass", parameter (p, "mass")},
                                  {"q10", element (p, "x0", 0)},
                                  {"q20", element (p, "x0", 1)},
                                  {"v10", element (p, "x0", 2)},
                                  {"v20", element (p, "x0", 3)},
                                  {"f1", element (p, "force", 0)},
                                  {"f2", element (p, "force", 1)},
                                  {"mu", parameter (p, "mu")},
                                  {"e1", element (p, "restitution", 0)},
                                  {"e2", element (p, "restitution", 1)},
                                  {"T", t_end}};
  static const char *const walls[] = {"wall", "floor"}, *const speeds[] = {"particle.vx", "particle.vy"};
  int seen[2] = {0};
  p->tolerance = 1e-9;
  read_example (p, "corner", overrides, sizeof overrides / sizeof *overrides);
  simulate (p, t_end);
  const json_t *impacts = json_object_get (p->root, "impacts");
  SS_CHECK (count_events (p, SS_EVENT_IMPACT) == (int)json_array_size (impacts));
  for (size_t i = 0; i < json_array_size (impacts); i++) {
    const json_t *impact = json_array_get (impacts, i);
    const int wall = (int)number (json_object_get (impact, "contact")) - 1;
    SS_CHECK (wall == 0 || wall == 1);
    const SsEvent *e = event_of (p, SS_EVENT_IMPACT, walls[wall == 1], seen[wall == 1]++);
    SS_CHECK (e != NULL);
    if (e == NULL)
      continue;
    compare_key (p, impact, "t", e->t);
    compare_key (p, impact, "v_pre", value_at (p, row_at (p, e, false), speeds[wall == 1]));
    compare_key (p, impact, "v_post", value_at (p, row_at (p, e, true), speeds[wall == 1]));
  }
  const Name names[] = {
      {"q1", "particle.x"}, {"q2", "particle.y"}, {"v1", "particle.vx"}, {"v2", "particle.vy"}, {NULL, NULL}};
  compare_final (p, names);
  compare_table (p, names);
}

static void
check_rod (Problem *p)
{
  static const Name names[] = {{"qx", "rod.x"},  {"qy", "rod.y"},  {"theta", "rod.theta"},
                               {"vx", "rod.vx"}, {"vy", "rod.vy"}, {"omega", "rod.omega"},
                               {NULL, NULL}};
  static const char *const channels[] = {"rod.x", "rod.y", "rod.theta", "rod.vx", "rod.vy", "rod.omega"};
  const double mass = parameter (p, "mass"), length = parameter (p, "length"), inertia = parameter (p, "inertia");
  const double t_end = parameter (p, "T"), mu = parameter (p, "mu");
  const SsOverride overrides[] = {{"mass", mass},
                                  {"length", length},
                                  {"inertia", isnan (inertia) ? mass * length * length / 12 : inertia},
                                  {"g", parameter (p, "g")},
                                  {"q10", element (p, "q0", 0)},
                                  {"q20", element (p, "q0", 1)},
                                  {"q30", element (p, "q0", 2)},
                                  {"v10", element (p, "v0", 0)},
                                  {"v20", element (p, "v0", 1)},
                                  {"v30", element (p, "v0", 2)},
                                  {"mu", isnan (mu) ? 0 : mu},
                                  {"T", t_end}};
  p->tolerance = 1e-8;
  read_example (p, "falling-rod", overrides, sizeof overrides / sizeof *overrides);
  simulate (p, t_end);
  const json_t *events = json_object_get (p->root, "events");
  int seen = 0;
  for (size_t i = 0; i < json_array_size (events); i++) {
    const json_t *event = json_array_get (events, i), *impulses = json_object_get (event, "impulses");
    const json_t *q = json_object_get (event, "q"), *before = json_object_get (event, "v_pre"),
                 *after = json_object_get (event, "v_post");
    const SsEvent *e = event_of (p, SS_EVENT_IMPACT, NULL, seen++);
    double sum = 0;
    const char *key;
    json_t *impulse;
    SS_CHECK (e != NULL);
    if (e == NULL)
      continue;
    compare_key (p, event, "t", e->t);
    json_object_foreach ((json_t *)impulses, key, impulse) sum += number (impulse);
    compare (p, "impulses", value_at (p, row_at (p, e, true), "ground.impulse_n"), sum, p->tolerance);
    const char *point = json_string_value (json_object_get (event, "point"));
    compare (p, "impulse of the end that hits", e->impulse, number (json_object_get (impulses, point)), p->tolerance);
    for (size_t k = 0; k < 3; k++) {
      compare (p, channels[k], value_at (p, row_at (p, e, true), channels[k]), number (json_array_get (q, k)),
               p->tolerance);
      compare (p, channels[k + 3], value_at (p, row_at (p, e, false), channels[k + 3]),
               number (json_array_get (before, k)), p->tolerance);
      compare (p, channels[k + 3], value_at (p, row_at (p, e, true), channels[k + 3]),
               number (json_array_get (after, k)), p->tolerance);
    }
  }
  const json_t *state = json_object_get (p->root, "final_state");
  for (size_t k = 0; k < 3; k++) {
    compare (p, channels[k], final_value (p, channels[k]), number (json_array_get (json_object_get (state, "q"), k)),
             p->tolerance);
    compare (p, channels[k + 3], final_value (p, channels[k + 3]),
             number (json_array_get (json_object_get (state, "v"), k)), p->tolerance);
  }
  compare_table (p, names);
}

static void
compare_freezing (void *data, const char *what, double ours, double theirs, double tolerance)
{
  compare (data, what, ours, theirs, tolerance);
}

/* The guiding particle in physical time and by time-freezing: F = (u1, -mass g + u2), u2 = 0 before t = 1, then
 * 2 g (t - 1). */
static void
check_guided (Problem *p)
{
  char text[2048];
  const double mass = parameter (p, "mass"), g = parameter (p, "g"), mu = parameter (p, "mu");
  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"guided\", \"scene\": {\"gravity\": [0, 0], \"bodies\": ["
            "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
            "{\"name\": \"particle\", \"shape\": {\"type\": \"circle\", \"radius\": 0.05, \"position\": [0, 0.05]},"
            "\"mass\": %.17g, \"position\": [%.17g, %.17g], \"velocity\": [%.17g, %.17g], \"lock\": [\"theta\"]}],"
            "\"contacts\": [{\"name\": \"ground\", \"bodies\": [\"floor\", \"particle\"], \"friction\": %.17g}],"
            "\"forces\": [{\"body\": \"particle\", \"force\": [%.17g, \"%.17g + max(0, %.17g*(t - 1))\"]}]},"
            "\"task\": {\"breaks\": [1]}}",
            mass, element (p, "y0", 0), element (p, "y0", 1), element (p, "y0", 2), element (p, "y0", 3),
            isnan (mu) ? 0 : mu, parameter (p, "u1"), -mass * g, 2 * g);
  p->tolerance = 1e-9;
  p->scenario = ss_test_read_text (text);
  simulate (p, result (p, "final_state", "t"));
  const SsEvent *impact = event_of (p, SS_EVENT_IMPACT, NULL, 0), *liftoff = event_of (p, SS_EVENT_SEPARATION, NULL, 0);
  SS_CHECK (impact != NULL && liftoff != NULL);
  if (impact == NULL || liftoff == NULL)
    return;
  compare_particle_event (p, json_object_get (p->root, "impact"), impact);
  compare (p, "liftoff t", liftoff->t, result (p, "liftoff", "t"), p->tolerance);
  compare (p, "liftoff q1", value_at (p, row_at (p, liftoff, true), "particle.x"), result (p, "liftoff", "q1"),
           p->tolerance);
  compare (p, "liftoff v1", value_at (p, row_at (p, liftoff, true), "particle.vx"), result (p, "liftoff", "v1"),
           p->tolerance);
  const SsEvent at_one = {.t = 1};
  compare (p, "q1 at t = 1", value_at (p, row_at (p, &at_one, true), "particle.x"), result (p, "state_at_t1", "q1"),
           p->tolerance);
  compare (p, "v1 at t = 1", value_at (p, row_at (p, &at_one, true), "particle.vx"), result (p, "state_at_t1", "v1"),
           p->tolerance);
  compare_final (p, particle_names);
  compare_table (p, particle_names);
  ss_test_guided_by_freezing (p->file, p->root, compare_freezing, p);
}

static const struct {
  const char *keys[3], *without;
  void (*check) (Problem *p);
} forms[] = {
    {{"k", "l", "R"}, NULL, check_two_balls},         {{"height0"}, NULL, check_ball},
    {{"pull_start", "pull_rate"}, NULL, check_block}, {{"gaps"}, NULL, check_corner},
    {{"x0", "force", "mu"}, "gaps", check_particle},  {{"length", "inertia"}, NULL, check_rod},
    {{"a_n", "tau_end"}, NULL, check_guided},
};

static void
check_file (const char *file)
{
  json_error_t error;
  Problem p = {.file = file, .root = json_load_file (file, 0, &error)};
  if (p.root == NULL)
    printf ("%s:%d: %s\n", file, error.line, error.text);
  SS_CHECK (p.root != NULL);
  if (ss_test_is_freeze_plan_file (p.root)) {
    n_files++;
    n_values += ss_test_freeze_plan_file (p.root);
    json_decref (p.root);
    return;
  }
  if (ss_test_is_plan_file (p.root)) {
    n_files++;
    n_values += ss_test_plan_file (p.root);
    json_decref (p.root);
    return;
  }
  p.parameters = json_object_get (p.root, "parameters");
  size_t form = 0;
  for (; form < sizeof forms / sizeof *forms; form++) {
    bool fits = forms[form].without == NULL || json_object_get (p.parameters, forms[form].without) == NULL;
    for (int k = 0; k < 3 && forms[form].keys[k] != NULL; k++)
      fits = fits && json_object_get (p.parameters, forms[form].keys[k]) != NULL;
    if (fits)
      break;
  }
  if (form == sizeof forms / sizeof *forms) {
    printf ("%s: no known form of problem\n", file);
    ss_test_failed_checks++;
  } else {
    n_files++;
    forms[form].check (&p);
  }
  ss_sim_result_clear (&p.run);
  ss_scenario_free (p.scenario);
  json_decref (p.root);
}

static void
test_files (void)
{
  static const char *const names[] = {
      "two_balls_spring",
      "two_balls_spring_soft",
      "bouncing_ball_e0",
      "bouncing_ball_e09",
      "bouncing_ball_e1",
      "block_stick_then_pull",
      "particle_impact_slip_stick",
      "particle_impact_slip_stick_pushed",
      "particle_impact_slip_force3",
      "particle_slip_reversal",
      "corner_inelastic",
      "corner_elastic_and_inelastic",
      "falling_rod_frictionless",
      "point_mass_friction_06",
      "point_mass_frictionless",
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char relative[128], path[512];
    snprintf (relative, sizeof relative, "tests/data/fesd/%s.json", names[i]);
    check_file (ss_test_source_path (relative, path, sizeof path));
  }
}

/* Optimal control, minutes of it. */
static void
test_plans (void)
{
  static const char *const names[] = {"discs_best_known", "three_boxes_best_known"};

  for (size_t i = 0; i < sizeof names / sizeof *names && ss_test_is_long (); i++) {
    char relative[128], path[512];
    snprintf (relative, sizeof relative, "tests/data/fesd/%s.json", names[i]);
    check_file (ss_test_source_path (relative, path, sizeof path));
  }
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

/* A face and two round corners on bodies that stand anyhow. */
static const SsFesdPoint sample_points[] = {
    {.kind = SS_FESD_FACE,
     .body = {0, 1},
     .at = {{0.3, -0.2}, {-0.1, 0.4}},
     .normal = {0.6, 0.8},
     .radius = {0.05, 0.1}},
    {.kind = SS_FESD_ROUND, .body = {0, 1}, .at = {{0.3, -0.2}, {-0.1, 0.4}}, .radius = {0.2, 0.1}},
};
static const double sample_pose[6] = {0.1, -0.2, 0.7, 1.1, 0.9, -0.4};

static double
row_rate (const double row[SS_FESD_POINT_N], const double *v)
{
  double rate = 0;
  for (int k = 0; k < SS_FESD_POINT_N; k++)
    rate += row[k] * v[k];
  return rate;
}

/* Rows and their derivatives against central differences of the gap and of the rows; the slip against the velocities of
 * the material points that touch. */
static void
test_points (void)
{
  const double step = 1e-5; /* its square is the error, 1e-10 times third derivatives of some units */
  for (size_t i = 0; i < sizeof sample_points / sizeof *sample_points; i++) {
    const SsFesdPoint *point = &sample_points[i];
    SsFesdPointAt at, low, high;
    ss_fesd_point_at (point, sample_pose, true, &at);
    SS_CHECK_NEAR (at.phi, ss_fesd_point_gap (point, sample_pose), 1e-15);
    for (int j = 0; j < SS_FESD_POINT_N; j++) {
      double q[6];
      memcpy (q, sample_pose, sizeof q);
      q[j] += step;
      ss_fesd_point_at (point, q, false, &high);
      q[j] -= 2 * step;
      ss_fesd_point_at (point, q, false, &low);
      SS_CHECK_NEAR (at.jn[j], (high.phi - low.phi) / (2 * step), 1e-9);
      for (int k = 0; k < SS_FESD_POINT_N; k++) {
        SS_CHECK_NEAR (at.hn[k][j], (high.jn[k] - low.jn[k]) / (2 * step), 1e-9);
        SS_CHECK_NEAR (at.ht[k][j], (high.jt[k] - low.jt[k]) / (2 * step), 1e-9);
      }
    }
    /* both bodies turned as one about the origin: no gap changes, nothing slips where the surfaces meet */
    const double turn[6] = {-sample_pose[1], sample_pose[0], 1, -sample_pose[4], sample_pose[3], 1};
    SS_CHECK_NEAR (row_rate (at.jn, turn), 0, 1e-14);
    /* the slip of a face is that of one place, of round bodies that of two places phi apart along the normal */
    SS_CHECK_NEAR (fabs (row_rate (at.jt, turn)), point->kind == SS_FESD_FACE ? 0 : fabs (at.phi), 1e-14);
  }
}

static SsSimResult
run_text (const char *text, double dt, double t_end)
{
  SsScenario *scenario = ss_test_read_text (text);
  SsSimResult result = {0};
  SsError err = {0};
  const SsSimJob job = {.scene = scenario->scene, .integrator = &ss_integrator_fesd_j, .dt = dt, .t_end = t_end};
  SS_CHECK (ss_simulate_job (&job, NULL, &result, &err) == SS_OK);
  ss_scenario_free (scenario);
  return result;
}

/* Errors at T of the experiment with two balls, against a solution of the same equations found without this code, to
 * three digits; between two step lengths they fall with the order of the scheme, 2 n - 1 and 2 n
 * [000 (12a)-(12d) Fig 6]. */
static void
test_order (void)
{
  static const struct {
    const char *scheme, *stages;
    int n;
    double error; /* of two-balls-fesdj-discrete-reference.csv */
  } runs[] = {{"radau-iia", "3", 100, 7.222963e-04},
              {"radau-iia", "3", 200, 2.846083e-05},
              {"gauss-legendre", "2", 125, 1.745461e-02},
              {"gauss-legendre", "2", 200, 2.415102e-03},
              {"gauss-legendre", "2", 2000, 2.415322e-07}};
  static const double truth[4] = {0.24684186672883527305, 1.2282103120085011242, -2.3798395214664335585,
                                  -3.114092393623755688};
  static const char *const channels[4] = {"ball1.y", "ball2.y", "ball1.vy", "ball2.vy"};
  SsScenario *scenario = ss_test_read_file ("examples/fesd-j/two-balls.stickslip.json", NULL, 0);
  double options[64], errors[sizeof runs / sizeof *runs];
  SS_CHECK (ss_integrator_fesd_j.options->size <= sizeof options);
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    SsSimResult result = {0};
    SsError err = {0};
    ss_options_init (ss_integrator_fesd_j.options, options);
    SS_CHECK (ss_options_set (ss_integrator_fesd_j.options, options, "scheme", runs[i].scheme, &err) == SS_OK);
    SS_CHECK (ss_options_set (ss_integrator_fesd_j.options, options, "stages", runs[i].stages, &err) == SS_OK);
    const SsSimJob job = {.scene = scenario->scene,
                          .integrator = &ss_integrator_fesd_j,
                          .options = options,
                          .dt = 1.0 / runs[i].n,
                          .t_end = 1};
    SS_CHECK (ss_simulate_job (&job, NULL, &result, &err) == SS_OK);
    errors[i] = 0;
    for (int k = 0; k < 4; k++)
      errors[i] = fmax (errors[i], fabs (ss_test_last_value (result.trajectory, channels[k]) - truth[k]));
    SS_CHECK_NEAR (errors[i], runs[i].error, 1e-3 * runs[i].error);
    SS_CHECK (result.metrics.n_by_way[SS_STEP_PREDICTED] == runs[i].n);
    ss_sim_result_clear (&result);
  }
  /* the two impacts of a step and its length make the error rough: half an order either way */
  SS_CHECK_NEAR (log2 (errors[0] / errors[1]), 5, 0.5);
  SS_CHECK_NEAR (log10 (errors[3] / errors[4]), 4, 0.1);
  ss_scenario_free (scenario);
}

/* All 192 runs of the experiment come to their end. Their errors are those of the table to three digits where the table
 * has every mode, and to 1e-8: in two of its runs (Gauss with 3 and 4 stages, N = 450 and 150) it is 3e-9 and 9e-9 off
 * the same equations solved in plain arithmetic. */
static void
test_all_orders (void)
{
  char relative[64], path[512], scheme[16];
  int n, n_steps, n_impacts, n_without, n_runs = 0, n_compared = 0;
  double error, width;
  static const double truth[4] = {0.24684186672883527305, 1.2282103120085011242, -2.3798395214664335585,
                                  -3.114092393623755688};
  static const char *const channels[4] = {"ball1.y", "ball2.y", "ball1.vy", "ball2.vy"};
  if (!ss_test_is_long ())
    return;
  SsScenario *scenario = ss_test_read_file ("examples/fesd-j/two-balls.stickslip.json", NULL, 0);
  snprintf (relative, sizeof relative, "tests/data/fesd/two-balls-fesdj-discrete-reference.csv");
  FILE *file = fopen (ss_test_source_path (relative, path, sizeof path), "r");
  SS_CHECK (file != NULL);
  char line[LINE_LENGTH_MAX];
  while (file != NULL && fgets (line, sizeof line, file) != NULL) {
    if (sscanf (line, "%15[a-z],%d,%d,%lf,%lf,%d,%d", scheme, &n, &n_steps, &width, &error, &n_impacts, &n_without) !=
        7)
      continue;
    double options[64], ours = 0;
    char stages[4];
    SsSimResult result = {0};
    snprintf (stages, sizeof stages, "%d", n % 10);
    ss_options_init (ss_integrator_fesd_j.options, options);
    SS_CHECK (ss_options_set (ss_integrator_fesd_j.options, options, "scheme",
                              strcmp (scheme, "radau") == 0 ? "radau-iia" : "gauss-legendre", NULL) == SS_OK);
    SS_CHECK (ss_options_set (ss_integrator_fesd_j.options, options, "stages", stages, NULL) == SS_OK);
    const SsSimJob job = {.scene = scenario->scene,
                          .integrator = &ss_integrator_fesd_j,
                          .options = options,
                          .dt = 1.0 / n_steps,
                          .t_end = 1};
    SS_CHECK (ss_simulate_job (&job, NULL, &result, NULL) == SS_OK);
    SS_CHECK (result.outcome == SS_OUTCOME_COMPLETED);
    n_runs++;
    for (int k = 0; k < 4; k++)
      ours = fmax (ours, fabs (ss_test_last_value (result.trajectory, channels[k]) - truth[k]));
    if (n_without == 0 && error > 1e-8 && error < 0.1) {
      n_compared++;
      SS_CHECK_NEAR (ours, error, 1e-3 * error + 1e-8);
    }
    ss_sim_result_clear (&result);
  }
  SS_CHECK (n_runs == 192 && n_compared > 90);
  if (file != NULL)
    fclose (file);
  ss_scenario_free (scenario);
}

/* Sliding contact in which no force obeys Coulomb's law: the slip ends in an impact without a collision. mu (l/2)^2 sin
 * cos / J is larger than 1/m + (l/2)^2 sin^2 / J for the rod of the file. */
static void
test_no_mode (void)
{
  const SsOverride at_rest[] = {{"height", 0}};
  SsScenario *scenario = ss_test_read_file ("examples/fesd-j/sliding-rod.stickslip.json", at_rest, 1);
  SsSimResult result = {0};
  const SsSimJob job = {.scene = scenario->scene, .integrator = &ss_integrator_fesd_j, .dt = 0.005, .t_end = 0.6};
  SS_CHECK (ss_simulate_job (&job, NULL, &result, NULL) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_COMPLETED && result.events->n_items > 0);
  if (result.events->n_items > 0) {
    SS_CHECK (result.events->items[0].kind == SS_EVENT_WITHOUT_COLLISION && result.events->items[0].t == 0);
    const double vx = ss_test_value (result.trajectory, 1, "rod.vx"),
                 omega = ss_test_value (result.trajectory, 1, "rod.omega");
    SS_CHECK_NEAR (vx + 0.5 * sqrt (0.75) * omega, 0, 1e-10); /* of the lower end; rows are softened by 1e-13 */
  }
  ss_sim_result_clear (&result);
  ss_scenario_free (scenario);
}

/* A double pendulum, on a pin and on a rod. Its energy is wrong by the scheme's error, which falls with h^5, here by
 * more than with h^4; joints hold to rounding. */
static void
test_joints (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"double\", \"scene\": {\"gravity\": [0, -9.81], \"contacts\": [], \"bodies\": ["
      "{\"name\": \"a\", \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 0.1}, \"mass\": 1,"
      " \"position\": [0.5, 0]},"
      "{\"name\": \"b\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 2, \"position\": [1.5, 0]}],"
      "\"joints\": [{\"name\": \"pin\", \"type\": \"pin\", \"bodies\": [\"world\", \"a\"], \"anchor\": [0, 0]},"
      "{\"name\": \"rod\", \"type\": \"rod\", \"bodies\": [\"a\", \"b\"], "
      " \"points\": [[1, 0], [1.5, 0]]}]}}";
  double errors[2];
  for (int k = 0; k < 2; k++) {
    SsSimResult run = run_text (text, k == 0 ? 0.02 : 0.01, 1);
    SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
    errors[k] = fabs (run.metrics.energy_final - run.metrics.energy_initial);
    for (int i = 0; i < run.trajectory->n_rows; i++) {
      SS_CHECK_NEAR (ss_test_value (run.trajectory, i, "pin.drift"), 0, 1e-13);
      SS_CHECK_NEAR (ss_test_value (run.trajectory, i, "rod.drift"), 0, 1e-13);
    }
    SS_CHECK_NEAR (run.metrics.own_residual, 0, 1e-9);
    ss_sim_result_clear (&run);
  }
  SS_CHECK (errors[0] > 1e-9 && errors[1] < errors[0] / 16);
}

/* A chain of twelve rods and a stack of nine boxes: islands so large that the simplified method solves them, whose
 * answers are held to what does not depend on it: the equations by the check, energy and joints of the chain, which
 * halves of the step agree about, and the weights that each box carries. */
static void
test_large_islands (void)
{
  const SsOverride twelve = {"n", 12}, nine = {"n", 9};
  SsScenario *chain = ss_test_read_file ("data/bench/chain.stickslip.json", &twelve, 1);
  double ends[2] = {NAN, NAN};
  for (int k = 0; k < 2; k++) {
    SsSimResult run = {0};
    const SsSimJob job = {
        .scene = chain->scene, .integrator = &ss_integrator_fesd_j, .dt = k == 0 ? 0.01 : 0.005, .t_end = 0.5};
    SS_CHECK (ss_simulate_job (&job, NULL, &run, NULL) == SS_OK && run.outcome == SS_OUTCOME_COMPLETED);
    SS_CHECK_NEAR (run.metrics.own_residual, 0, 1e-9);
    SS_CHECK_NEAR (run.metrics.energy_final, run.metrics.energy_initial, 1e-6);
    SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "p12.drift"), 0, 1e-12);
    ends[k] = ss_test_last_value (run.trajectory, "rod12.x");
    ss_sim_result_clear (&run);
  }
  SS_CHECK_NEAR (ends[0], ends[1], 1e-6);
  ss_scenario_free (chain);
  SsScenario *stack = ss_test_read_file ("data/bench/box-stack.stickslip.json", &nine, 1);
  SsSimResult run = {0};
  const SsSimJob job = {.scene = stack->scene, .integrator = &ss_integrator_fesd_j, .dt = 0.01, .t_end = 0.2};
  SS_CHECK (ss_simulate_job (&job, NULL, &run, NULL) == SS_OK && run.outcome == SS_OUTCOME_COMPLETED);
  SS_CHECK_NEAR (run.metrics.own_residual, 0, 1e-9);
  SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "floor-b1.lambda_n"), 9 * 9.81, 1e-6);
  SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "b8-b9.lambda_n"), 9.81, 1e-6);
  SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "b9.y"), 8.5, 1e-12);
  ss_sim_result_clear (&run);
  ss_scenario_free (stack);
}

/* Two boxes fall on one another and come to rest on a floor with friction: energy never rises, momentum has its
 * impulses, nothing overlaps, and at the end the floor carries both. */
static void
test_stack (void)
{
  SsSimResult run = run_text (
      "{\"format\": 1, \"name\": \"stack\", \"scene\": {\"gravity\": [0, -10], \"friction\": 0.5, \"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"name\": \"a\", \"shape\": {\"type\": \"box\", \"width\": 0.5, \"height\": 0.2}, \"mass\": 1, \"position\": "
      "[0, 0.3],"
      " \"angle\": 0.2},"
      "{\"name\": \"b\", \"shape\": {\"type\": \"box\", \"width\": 0.3, \"height\": 0.3}, \"mass\": 2, \"position\": "
      "[0.02, 0.8],"
      " \"angle\": -0.1}]}}",
      0.01, 1.5);
  SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
  double energy = INFINITY;
  for (int i = 0; i < run.trajectory->n_rows; i++) {
    const double now =
        ss_test_value (run.trajectory, i, "energy.kinetic") + ss_test_value (run.trajectory, i, "energy.potential");
    /* the scheme's error in rolling on a corner, at steps of 5 ms */
    SS_CHECK (now <= energy + 1e-7);
    energy = now;
    SS_CHECK (ss_test_value (run.trajectory, i, "a-b.gap") > -1e-9 &&
              ss_test_value (run.trajectory, i, "floor-a.gap") > -1e-9);
  }
  SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "floor-a.lambda_n"), 30, 1e-6);
  SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "a-b.lambda_n"), 20, 1e-6);
  SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "a.y"), 0.1, 1e-9);
  SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "b.y"), 0.35, 1e-9);
  SS_CHECK_NEAR (run.metrics.own_residual, 0, 1e-9);
  ss_sim_result_clear (&run);
}

/* A ball comes to rest beyond the end of its bounces, t0 + (2 v0 / g) e / (1 - e), and the time is told. */
static void
test_accumulation (void)
{
  const SsOverride overrides[] = {{"restitution", 0.5}, {"height0", 0.3}, {"g", 9.81}, {"T", 2}};
  const double t0 = sqrt (2 * 0.3 / 9.81), end = t0 + 2 * t0 * 0.5 / (1 - 0.5);
  SsScenario *scenario = ss_test_read_file ("examples/fesd-j/bouncing-ball.stickslip.json", overrides, 4);
  SsSimResult result = {0};
  const SsSimJob job = {.scene = scenario->scene, .integrator = &ss_integrator_fesd_j, .dt = 0.01, .t_end = 2};
  SS_CHECK (ss_simulate_job (&job, NULL, &result, NULL) == SS_OK);
  const SsEvent *last = &result.events->items[result.events->n_items - 1];
  SS_CHECK (last->kind == SS_EVENT_ACCUMULATION);
  SS_CHECK_NEAR (last->t, end, 1e-6);
  SS_CHECK_NEAR (ss_test_last_value (result.trajectory, "ball.y"), 0, 1e-12);
  SS_CHECK_NEAR (ss_test_last_value (result.trajectory, "impact.lambda_n"), 9.81, 1e-6);
  ss_sim_result_clear (&result);
  ss_scenario_free (scenario);
}

/* By the equations alone the rest begins too early, by a step at most, and all of them hold. */
static void
test_accumulation_by_equations (void)
{
  const SsOverride overrides[] = {{"restitution", 0.5}, {"height0", 0.3}, {"g", 9.81}, {"T", 2}};
  const double t0 = sqrt (2 * 0.3 / 9.81), end = t0 + 2 * t0 * 0.5 / (1 - 0.5), steps[] = {0.1, 0.02, 0.01};
  const SsOptionTable *table = ss_integrator_fesd_j.options;
  SsScenario *scenario = ss_test_read_file ("examples/fesd-j/bouncing-ball.stickslip.json", overrides, 4);
  void *options = calloc (1, table->size);
  ss_options_init (table, options);
  SS_CHECK (ss_options_set (table, options, "zeno", "equations", NULL) == SS_OK);
  for (int i = 0; i < 3; i++) {
    SsSimResult result = {0};
    const SsSimJob job = {
        .scene = scenario->scene, .integrator = &ss_integrator_fesd_j, .options = options, .dt = steps[i], .t_end = 2};
    SS_CHECK (ss_simulate_job (&job, NULL, &result, NULL) == SS_OK);
    const SsEvent *last = &result.events->items[result.events->n_items - 1];
    SS_CHECK (last->kind == SS_EVENT_ACCUMULATION);
    SS_CHECK (last->t > end - steps[i] && last->t < end);
    SS_CHECK_NEAR (result.metrics.own_residual, 0, 1e-9);
    SS_CHECK_NEAR (ss_test_last_value (result.trajectory, "ball.y"), 0, 1e-12);
    ss_sim_result_clear (&result);
  }
  free (options);
  ss_scenario_free (scenario);
}

/* Once every size has been seen a step allocates nothing, events included: the second of two equal bounces. */
static void
test_allocations (void)
{
  const SsOverride overrides[] = {{"restitution", 1}, {"height0", 0.2}};
  SsScenario *scenario = ss_test_read_file ("examples/fesd-j/bouncing-ball.stickslip.json", overrides, 2);
  SsSimulation *simulation = NULL;
  SsStepInfo info;
  SS_CHECK (ss_simulation_new (scenario->scene, &ss_integrator_fesd_j, NULL, &simulation, NULL) == SS_OK);
  uint64_t before = 0;
  for (int i = 0; i < 200; i++) {
    if (i == 100)
      before = ss_alloc_count ();
    SS_CHECK (ss_simulation_step (simulation, 0.01, &info, NULL) == SS_OK);
  }
  SS_CHECK (ss_alloc_count () == before);
  ss_simulation_free (simulation);
  ss_scenario_free (scenario);
}

int
main (void)
{
  if (ss_test_argc > 1) {
    for (int i = 1; i < ss_test_argc; i++)
      check_file (ss_test_argv[i]);
  } else {
    SS_RUN_SLOW (test_files);
    SS_RUN (test_plans);
    SS_RUN (test_points);
    SS_RUN (test_order);
    SS_RUN (test_all_orders);
    SS_RUN (test_no_mode);
    SS_RUN (test_joints);
    SS_RUN (test_large_islands);
    SS_RUN (test_stack);
    SS_RUN (test_accumulation);
    SS_RUN (test_accumulation_by_equations);
    SS_RUN (test_allocations);
  }
  const int failed = ss_test_failed_checks;
  printf ("%d files, %d values compared; worst deviation %.3g of its tolerance (%s)\n", n_files, n_values, worst,
          worst_where);
  if (ss_test_argc == 1)
    return ss_test_finish ();
  return failed > 0 ? 1 : 0;
}
