/* tests/unit/test-scenario.c: reading scenario files: what good files become, and that bad ones are refused at the
 * right line and path.
 *
 * Truth: closed forms (inertia, polygons), the vectors of FIPS 180-4, and for the CRISP examples the check values of
 * the reference notes (section 9), computed there by two independent programs; here the rows are summed straight from
 * the model, by the graph's own evaluator.
 */
#include "scene/ss-scenario-private.h"
#include "scene/ss-sha256.h"
#include "ss-test-scenario.h"

#include <jansson.h>
#include <locale.h>
#include <stdlib.h>

#define CRISP "examples/crisp/"

static SsStatus
read_text (const char *text, SsProblems *problems, SsScenario **out)
{
  ss_problems_init (problems);
  return ss_scenario_read (text, strlen (text), "test", NULL, 0, problems, out);
}

/* ---- bad files --------------------------------------------------------------------------------------------------- */

static const SsTestBadFile bad_files[] = {
    {"empty", SS_ERR_SYNTAX, 1, {{1, "", "empty"}}},
    {"blank", SS_ERR_SYNTAX, 1, {{1, "", "empty"}}},
    {"not-utf8", SS_ERR_SYNTAX, 1, {{3, "", "UTF-8"}}},
    {"nan", SS_ERR_SYNTAX, 1, {{4, "", "NaN"}}},
    {"infinity", SS_ERR_SYNTAX, 1, {{4, "", "Infinity"}}},
    {"overflow", SS_ERR_SYNTAX, 1, {{5, "", "overflow"}}},
    {"unclosed", SS_ERR_SYNTAX, 1, {{5, "", "'}' expected"}}},
    {"duplicate-key", SS_ERR_SYNTAX, 1, {{4, "", "duplicate"}}},
    {"not-an-object", SS_ERR_INVALID, 1, {{1, "", "one JSON object"}}},
    {"newer-format", SS_ERR_INVALID, 1, {{1, "format", "newer"}}},
    {"both-sections", SS_ERR_INVALID, 1, {{1, "", "both"}}},
    {"concave", SS_ERR_INVALID, 1, {{7, "scene.bodies[1].shape.vertices", "concave at vertex 3"}}},
    {"self-intersecting", SS_ERR_INVALID, 1, {{7, "scene.bodies[1].shape.vertices", "intersects itself"}}},
    {"pentagram", SS_ERR_INVALID, 1, {{7, "scene.bodies[1].shape.vertices", "intersects itself"}}},
    {"degenerate-line", SS_ERR_INVALID, 1, {{7, "scene.bodies[1].shape.vertices", "on a line"}}},
    {"degenerate-repeated", SS_ERR_INVALID, 1, {{7, "scene.bodies[1].shape.vertices", "coincide"}}},
    {"two-vertices", SS_ERR_INVALID, 1, {{7, "scene.bodies[1].shape.vertices", "3 to 64"}}},
    {"negative-mass", SS_ERR_INVALID, 1, {{7, "scene.bodies[1].mass", "above 0"}}},
    {"missing-mass", SS_ERR_INVALID, 1, {{7, "scene.bodies[1]", "'mas'"}}},
    {"free-half-plane", SS_ERR_INVALID, 1, {{7, "scene.bodies[1].shape.type", "fixed"}}},
    {"duplicate-body", SS_ERR_INVALID, 1, {{7, "scene.bodies[1].name", "twice"}}},
    {"wrong-types",
     SS_ERR_INVALID,
     6,
     {{7, "scene.bodies[1].name", "a number"},
      {7, "scene.bodies[1].fixed", "true or false"},
      {7, "scene.bodies[1].shape.radius", "no number"},
      {7, "scene.bodies[1].mass", "'heavy'"},
      {7, "scene.bodies[1].position", "pair"},
      {7, "scene.bodies[1].angle", "no number"}}},
    {"contact-misspelt",
     SS_ERR_INVALID,
     3,
     {{9, "scene.contacts[0].bodies[0]", "did you mean 'floor'"},
      {9, "scene.contacts[1].bodies", "itself"},
      {9, "scene.contacts[2].friction", "0 or more"}}},
    {"many-problems",
     SS_ERR_INVALID,
     5,
     {{7, "scene.bodies[1].mass", "above 0"},
      {8, "scene.bodies[2].shape.radius", "above 0"},
      {9, "scene.bodies[3].shape.type", "'circle'"},
      {13, "task.t_end", "above 0"},
      {13, "task.dt", "'dtt'"}}},
    {"unknown-name", SS_ERR_INVALID, 1, {{11, "model.constraints[0].zero[1]", "did you mean 'force'"}}},
    {"not-smooth", SS_ERR_INVALID, 1, {{12, "model.cost[1].cost", "derivatives"}}},
    {"next-at-end", SS_ERR_INVALID, 1, {{11, "model.constraints[0].zero[0]", "next()"}}},
    {"points-out-of-range",
     SS_ERR_INVALID,
     2,
     {{11, "model.constraints[0].points", "0 to 10"}, {12, "model.constraints[1].points", "point -1"}}},
    {"points-stride",
     SS_ERR_INVALID,
     6,
     {{11, "model.constraints[0].points", "the stride is 0"},
      {12, "model.constraints[1].points[2]", "a whole number"},
      {13, "model.constraints[2].points", "[first, last, stride]"},
      {14, "model.constraints[3].zero[0]", "next()"},
      {15, "model.constraints[4].points", "0 to 10"},
      {19, "model.cost[0].points", "the stride is -1"}}},
    {"definition-cycle", SS_ERR_INVALID, 1, {{13, "model.definitions.c", "cycle"}}},
    {"parameter-cycle", SS_ERR_INVALID, 1, {{6, "parameters.a", "a -> b -> c -> a"}}},
    {"duplicate-name", SS_ERR_INVALID, 1, {{10, "model.definitions.px", "already a variable (line 8)"}}},
    {"reserved-name", SS_ERR_INVALID, 1, {{10, "model.definitions.sin", "meaning of its own"}}},
    {"too-many-variables", SS_ERR_INVALID, 1, {{6, "model.points", "100000"}}},
    {"not-integer", SS_ERR_INVALID, 1, {{4, "parameters.N.value", "whole number"}}},
    {"below-minimum", SS_ERR_INVALID, 1, {{4, "parameters.mu.value", "below its minimum 0"}}},
    {"family-brace", SS_ERR_INVALID, 1, {{11, "model.constraints[0].zero[0].rows[0] (i = 1)", "{j}"}}},
    {"data-mistakes",
     SS_ERR_INVALID,
     4,
     {{6, "data.ragged[1]", "length of the first"},
      {7, "data.text[1]", "numbers only"},
      {8, "data.none", "no table"},
      {9, "data.sum", "meaning of its own"}}},
    {"index-mistakes",
     SS_ERR_INVALID,
     9,
     {{11, "model.constraints[0].zero[0]", "'A[3,1]' is outside the table"},
      {12, "model.constraints[0].zero[1]", "needs 2 indices"},
      {13, "model.constraints[0].zero[2]", "needs 1 index in brackets, 'b' has 0"},
      {14, "model.constraints[0].zero[3]", "there is no 'x[4]', which is 'x4'"},
      {15, "model.constraints[0].zero[4]", "an index is 2.5"},
      {16, "model.constraints[0].zero[5]", "'x1' is no parameter"},
      {17, "model.constraints[0].zero[6]", "'A' has a meaning already"},
      {18, "model.constraints[0].zero[7]", "next(b)"},
      {19, "model.constraints[0].zero[8]", "'k' is no parameter"}}},
    {"vector-mistakes",
     SS_ERR_INVALID,
     5,
     {{7, "model.states[0]", "the value is 0"},
      {7, "model.states[1]", "already a table (line 4)"},
      {7, "model.states[2]", "no vector of variables"},
      {7, "model.states[4].rows[0] (i = 1)", "'y1_1' is already a variable"},
      {7, "model.states[5]", "'m'"}}},
    {"option-formula",
     SS_ERR_INVALID,
     2,
     {{7, "methods.constraint-solver.foundation.formula", "'m'"},
      {8, "methods.constraint-solver.stiffness", "option"}}},
    {"guess-mistakes",
     SS_ERR_INVALID,
     3,
     {{14, "task.guess.first.pz", "'pz' is no variable; did you mean 'px'?"},
      {14, "task.guess.first.N", "'N' is no variable"},
      {15, "task.guess.next.vy", "did you mean 'vx'?"}}},
    {"rollout-order", SS_ERR_INVALID, 1, {{15, "task.guess.next.px", "next(vx)"}}},
};

static void
test_bad_files (void)
{
  for (size_t i = 0; i < sizeof bad_files / sizeof *bad_files; i++)
    ss_test_check_bad_file (&bad_files[i]);
}

static void
test_files_that_are_none (void)
{
  char path[512];
  SsProblems problems;
  SsScenario *scenario = NULL;

  ss_problems_init (&problems);
  SS_CHECK (ss_scenario_read_file (ss_test_source_path ("tests/data", path, sizeof path), NULL, 0, &problems,
                                   &scenario) == SS_ERR_IO);
  SS_CHECK (ss_test_has_problem (&problems, 0, "", "directory"));
  SS_CHECK (ss_scenario_read_file (ss_test_source_path ("tests/data/absent", path, sizeof path), NULL, 0, &problems,
                                   &scenario) == SS_ERR_IO);
  SS_CHECK (ss_test_has_problem (&problems, 0, "", "No such file"));
  SS_CHECK (scenario == NULL);
  ss_problems_clear (&problems);
}

/* A NUL byte ended the search for the end of a number, but not the text: the scan took nodes until memory was gone. */
static void
test_nul_bytes (void)
{
  static const struct {
    const char *text;
    size_t length;
    int line;
  } texts[] = {{"{\"format\": 1,\n \"name\": \"a\0b\"}", 29, 2},
               {"{\"format\": 1\0}", 15, 1},
               {"{\"format\": 1}\n\n\0", 17, 3},
               {"\0", 1, 1},
               {"1\0", 2, 1}};

  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    SsProblems problems;
    SsScenario *scenario = NULL;

    ss_problems_init (&problems);
    SS_CHECK (ss_scenario_read (texts[i].text, texts[i].length, "nul", NULL, 0, &problems, &scenario) == SS_ERR_SYNTAX);
    SS_CHECK (scenario == NULL && ss_test_has_problem (&problems, texts[i].line, "", "NUL"));
    ss_problems_clear (&problems);
  }
}

/* Blanks to the last byte of a buffer: what lies behind is not read (the sanitizer sees to it). */
static void
test_blank_buffer (void)
{
  for (size_t n = 0; n < 20; n++) {
    SsProblems problems;
    SsScenario *scenario = NULL;
    char *text = malloc (n + 1), *blank = malloc (n > 0 ? n : 1);

    memset (text, ' ', n);
    memcpy (blank, text, n);
    ss_problems_init (&problems);
    SS_CHECK (ss_scenario_read (blank, n, "blank", NULL, 0, &problems, &scenario) == SS_ERR_SYNTAX);
    SS_CHECK (ss_test_has_problem (&problems, 1, "", "empty"));
    ss_problems_clear (&problems);
    free (text);
    free (blank);
  }
}

/* Our check of the grammar and Jansson agree on texts that were hurt at random. What lies behind a text, here more of
 * it, is not read. */
static void
test_grammar (void)
{
  static const char good[] = "{\"a\": [1, -2.5e-3, 0, 10E+2], \"\\u00e4\\ud834\\udd1e\\n\": {}, \"b\":[[], {\"c\" : "
                             "null}, true, false, \"x\"] }";
  static const char number[] = "-10.25e-12", ink[] = "{}[]\",:\\u0019-+.eEtrnf \td8";
  SsRandom random;
  int n_good = 0, n_bad = 0;

  ss_random_seed (&random, 5);
  for (int i = 0; i < 200000; i++) {
    char text[sizeof good];
    const bool is_number = i % 4 == 3;
    size_t length = is_number ? strlen (number) : sizeof good - 1;
    json_error_t error;

    memset (text, '1', sizeof text);
    memcpy (text, is_number ? number : good, length);
    for (int k = 0; k <= i % 3; k++) {
      const size_t at = (size_t)(ss_random_next (&random) % length);
      if (ss_random_next (&random) % 4 == 0)
        memmove (text + at, text + at + 1, --length - at);
      else
        text[at] = ink[ss_random_next (&random) % (sizeof ink - 1)];
    }
    json_t *document = json_loadb (text, length, JSON_DECODE_ANY, &error);
    const bool is_well_formed = ss_json_is_well_formed (text, length);
    if (document != NULL)
      SS_CHECK (is_well_formed);
    else if (json_error_code (&error) == json_error_invalid_syntax)
      SS_CHECK (!is_well_formed);
    if (document == NULL && is_well_formed && json_error_code (&error) == json_error_invalid_syntax)
      printf ("  %.*s: %s\n", (int)length, text, error.text);
    n_good += document != NULL;
    n_bad += document == NULL;
    json_decref (document);
  }
  SS_CHECK (n_good > 5000 && n_bad > 100000);
}

/* Halves of a character beyond the first plane: the first and the last of both kinds, and what lies beside them. */
static void
test_surrogates (void)
{
  static const struct {
    const char *text;
    bool is_good;
  } cases[] = {{"\"\\ud800\\udc00\"", true},  {"\"\\udbff\\udfff\"", true},  {"\"\\ud7ff\"", true},
               {"\"\\ue000\"", true},         {"\"\\udc00\\udc00\"", false}, {"\"\\udbff\"", false},
               {"\"\\ud800\\udbff\"", false}, {"\"\\udbff\\ue000\"", false}, {"\"\\udfff\"", false}};

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const size_t length = strlen (cases[i].text);
    json_t *document = json_loadb (cases[i].text, length, JSON_DECODE_ANY, NULL);

    SS_CHECK ((document != NULL) == cases[i].is_good);
    SS_CHECK (ss_json_is_well_formed (cases[i].text, length) == cases[i].is_good);
    json_decref (document);
  }
}

/* Allocations left to Jansson before they fail; -1: none fails. */
static int jansson_budget = -1;

static void *
scarce_malloc (size_t size)
{
  if (jansson_budget == 0)
    return NULL;
  if (jansson_budget > 0)
    jansson_budget--;
  return malloc (size);
}

/* Allocation n of the JSON library fails: that is no mistake in the file. */
static void
test_out_of_memory_json (void)
{
  bool is_read = false;
  int n;

  json_set_alloc_funcs (scarce_malloc, free);
  for (n = 0; !is_read && n < 100000; n++) {
    char path[512];
    SsProblems problems;
    SsScenario *scenario = NULL;

    ss_problems_init (&problems);
    jansson_budget = n;
    SsStatus status =
        ss_scenario_read_file (ss_test_source_path ("examples/sketches/falling-box.stickslip.json", path, sizeof path),
                               NULL, 0, &problems, &scenario);
    jansson_budget = -1;
    is_read = status == SS_OK;
    if (!is_read && status != SS_ERR_MEMORY) {
      printf ("  allocation %d:\n", n);
      ss_test_print_problems (&problems);
    }
    SS_CHECK (is_read || status == SS_ERR_MEMORY);
    ss_scenario_free (scenario);
    ss_problems_clear (&problems);
  }
  json_set_alloc_funcs (malloc, free);
  SS_CHECK (is_read && n > 20);
}

/* A file of 100 MB is refused by its size: sparse, so that reading it would be the only cost. */
static void
test_huge_file (void)
{
  char path[] = "/tmp/ss-test-huge-XXXXXX";
  SsProblems problems;
  SsScenario *scenario = NULL;
  int descriptor = mkstemp (path);
  FILE *stream = descriptor >= 0 ? fdopen (descriptor, "wb") : NULL;
  uint64_t allocations;

  SS_CHECK (stream != NULL);
  if (stream == NULL)
    return;
  SS_CHECK (fseek (stream, 100 * 1000 * 1000, SEEK_SET) == 0 && fputc ('[', stream) == '[');
  fclose (stream);
  ss_problems_init (&problems);
  allocations = ss_alloc_count ();
  SS_CHECK (ss_scenario_read_file (path, NULL, 0, &problems, &scenario) == SS_ERR_IO);
  /* Only the list of problems has been allocated. */
  SS_CHECK (ss_alloc_count () - allocations <= 1);
  SS_CHECK (ss_test_has_problem (&problems, 0, "", "16 MiB"));
  ss_problems_clear (&problems);
  remove (path);
}

/* 15 MB of brackets: refused by depth at once, without using up the stack. */
static void
test_deep_brackets (void)
{
  const size_t n = 15 * 1000 * 1000;
  char *text = malloc (n);
  SsProblems problems;
  SsScenario *scenario = NULL;
  double start = ss_clock_thread_cpu ();

  SS_CHECK (text != NULL);
  if (text == NULL)
    return;
  memset (text, '[', n);
  ss_problems_init (&problems);
  SS_CHECK (ss_scenario_read (text, n, "deep", NULL, 0, &problems, &scenario) == SS_ERR_SYNTAX);
  SS_CHECK (ss_test_has_problem (&problems, 1, "", "less deeply nested"));
  /* Far above what 2048 levels cost (microseconds), far below what reading all would. */
  SS_CHECK (ss_clock_thread_cpu () - start < 1.0);
  ss_problems_clear (&problems);
  free (text);
}

/* One million members: time grows with the text, not with its square. */
static void
test_wide_file (void)
{
  enum { N = 1000000 };
  char *text = malloc (16 * N), *at = text;
  SsProblems problems;
  SsScenario *scenario = NULL;
  double start = ss_clock_thread_cpu ();

  SS_CHECK (text != NULL);
  if (text == NULL)
    return;
  at += sprintf (at, "{\"format\": 1, \"name\": \"wide\", \"junk\": [");
  for (int i = 0; i < N; i++)
    at += sprintf (at, "%d,\n", i % 10);
  at += sprintf (at, "0],\n\"scene\": {\"bodies\": 3}}");
  ss_problems_init (&problems);
  SS_CHECK (ss_scenario_read (text, (size_t)(at - text), "wide", NULL, 0, &problems, &scenario) == SS_ERR_INVALID);
  SS_CHECK (ss_test_has_problem (&problems, N + 2, "scene.bodies", "a number"));
  SS_CHECK (ss_clock_thread_cpu () - start < 10.0); /* 0.1 s here; slow machines and sanitisers get a hundredfold */
  ss_problems_clear (&problems);
  free (text);
}

/* Families that would run for ever, or write without end, are stopped. */
static void
test_endless_families (void)
{
#define FAMILY(rows) "{\"for\": \"i\", \"from\": -100000, \"to\": 100000, \"rows\": [" rows "]}"
#define ENDLESS(rows)                                                                                                  \
  "{\"format\": 1, \"name\": \"m\", \"model\": {\"points\": 3, \"time_step\": 1, \"states\": [\"x\"], "                \
  "\"constraints\": ["                                                                                                 \
  "{\"points\": \"all\", \"zero\": [" rows "]}]}}"
  static const char *const texts[] = {ENDLESS (FAMILY (FAMILY (FAMILY ("")))), ENDLESS (FAMILY ("\"x\""))};
  SsProblems problems;
  SsScenario *s = NULL;
  double start = ss_clock_thread_cpu ();
  char *text, *at;

  for (int i = 0; i < 2; i++) {
    SS_CHECK (read_text (texts[i], &problems, &s) == SS_ERR_INVALID);
    SS_CHECK (s == NULL && problems.n_items == 1);
    ss_problems_clear (&problems);
  }
  /* 100002 bytes a row (40001 characters, up to 12 for each counter): the 168th goes beyond 16 MiB. */
  text = malloc (100000);
  if (text != NULL) {
    at = text +
         sprintf (text, "{\"format\": 1, \"name\": \"m\", \"model\": {\"points\": 3, \"time_step\": 1, \"states\": "
                        "[\"x\"], \"constraints\": ["
                        "{\"points\": \"all\", \"zero\": [{\"for\": \"i\", \"from\": 1, \"to\": 90000, \"rows\": [\"x");
    for (int i = 0; i < 5000; i++)
      at += sprintf (at, "+ {i}*x ");
    sprintf (at, "\"]}]}]}}");
    SS_CHECK (read_text (text, &problems, &s) == SS_ERR_INVALID);
    SS_CHECK (ss_test_has_problem (&problems, 1, "model.constraints[0].zero[0].rows[0] (i = 168)", "16 MiB"));
    ss_problems_clear (&problems);
  }
  free (text);
  SS_CHECK (ss_clock_thread_cpu () - start < 60); /* 1 s here; without limits it would be days */
}

/* ---- good files -------------------------------------------------------------------------------------------------- */

static void
test_falling_box (void)
{
  SsScenario *s = ss_test_read_file ("examples/sketches/falling-box.stickslip.json", NULL, 0);

  SS_CHECK (s != NULL && s->scene != NULL && s->model == NULL);
  if (s == NULL)
    return;
  SS_CHECK_STR (s->name, "falling-box");
  SS_CHECK_STR (s->title, "Falling Box");
  SS_CHECK (s->scene->n_bodies == 2 && s->scene->n_contacts == 1);
  SS_CHECK (s->scene->gravity.x == 0 && s->scene->gravity.y == -9.81);
  SS_CHECK (s->scene->bodies[0].is_fixed && s->scene->bodies[0].shape.kind == SS_SHAPE_HALF_PLANE);
  SS_CHECK (s->scene->bodies[1].shape.n_vertices == 4);
  /* m (w^2 + h^2) / 12; a few roundings */
  SS_CHECK_NEAR (s->scene->bodies[1].inertia, 2 * (1 + 0.25) / 12, 1e-15);
  SS_CHECK (s->scene->bodies[1].q[1] == 1 && s->scene->bodies[1].q[2] == 0.3 && s->scene->bodies[1].v[0] == 0.5);
  SS_CHECK_STR (s->scene->bodies[1].color, "blue");
  SS_CHECK_STR (s->scene->contacts[0].name, "floor-box");
  SS_CHECK (s->scene->contacts[0].body_a == 0 && s->scene->contacts[0].body_b == 1 && s->scene->contacts[0].mu == 0.5);
  SS_CHECK (s->task.t_end == 2 && s->task.dt == 0.01);
  SS_CHECK (s->n_parameters == 3 && ss_scenario_parameter (s, "tilt") == 2 && ss_scenario_parameter (s, "none") == -1);
  ss_scenario_free (s);
}

static void
test_push_box (void)
{
  SsScenario *s = ss_test_read_file (CRISP "push-box.stickslip.json", NULL, 0);
  const SsModel *m;
  int rows = 0;

  SS_CHECK (s != NULL && s->model != NULL && s->scene == NULL);
  if (s == NULL)
    return;
  m = s->model;
  SS_CHECK (m->n_points == 100 && m->time_step == 0.02 && m->n_variables == 9 && m->n_states == 3);
  SS_CHECK_STR (m->variables[8], "l4");
  SS_CHECK (m->slot_next == 9 && m->slot_parameters == 18 && m->slot_k == 18 + s->n_parameters &&
            m->slot_t == m->slot_k + 1 && m->n_slots == m->slot_t + 1);
  SS_CHECK (m->n_blocks == 4 && m->blocks[0].first == 0 && m->blocks[0].last == 98 && m->blocks[0].n_rows == 3);
  SS_CHECK (m->blocks[2].n_rows == 12 && m->blocks[2].rows[0].kind == SS_ROWS_NONNEGATIVE &&
            m->blocks[2].rows[8].kind == SS_ROWS_COMPLEMENTARY);
  /* The pair's first is the row that is there already: equal formulas have equal ids. */
  SS_CHECK (m->blocks[2].rows[8].a == m->blocks[2].rows[0].a && m->blocks[2].rows[8].b == m->blocks[2].rows[4].a);
  SS_CHECK (m->blocks[2].rows[8].impose_a && m->blocks[2].rows[8].impose_b);
  SS_CHECK_STR (m->blocks[2].rows[11].path, "model.constraints[2].complementary[3]");
  SS_CHECK (m->blocks[2].rows[0].line == 48);
  for (int b = 0; b < m->n_blocks; b++)
    rows += m->blocks[b].n_rows * (m->blocks[b].last - m->blocks[b].first + 1);
  SS_CHECK (rows == 300 + 1782);
  SS_CHECK (s->parameters[ss_scenario_parameter (s, "N")].is_structural);
  SS_CHECK (!s->parameters[ss_scenario_parameter (s, "h")].is_structural);
  SS_CHECK_NEAR (s->parameters[ss_scenario_parameter (s, "xt")].value, 3 * cos (12 * 2 * acos (-1.0) / 18), 1e-14);
  SS_CHECK (s->task.n_tracking == 3 && s->task.tracking[2].kind == SS_TRACK_ANGLE && !s->task.tracking[2].wrap);
  SS_CHECK_NEAR (s->task.t_end, 99 * 0.02, 1e-15);
  ss_scenario_free (s);
}

/* ---- overrides and parameters ------------------------------------------------------------------------------------ */

static void
test_overrides (void)
{
  char path[512];
  SsOverride good[] = {{"j", 3}, {"N", 20}}, bad[] = {{"jj", 1}, {"j", 2.5}, {"mu", -1}, {"N", NAN}};
  SsScenario *s = ss_test_read_file (CRISP "push-box.stickslip.json", good, 2);
  SsProblems problems;

  SS_CHECK (s != NULL);
  if (s == NULL)
    return;
  SS_CHECK_NEAR (s->parameters[ss_scenario_parameter (s, "tht")].value, 3 * 2 * acos (-1.0) / 18, 1e-15);
  SS_CHECK (s->model->n_points == 20 && s->parameters[0].is_overridden);
  ss_scenario_free (s);

  ss_problems_init (&problems);
  s = NULL;
  SS_CHECK (ss_scenario_read_file (ss_test_source_path (CRISP "push-box.stickslip.json", path, sizeof path), bad, 4,
                                   &problems, &s) == SS_ERR_INVALID);
  SS_CHECK (s == NULL && problems.n_items == 4);
  SS_CHECK (ss_test_has_problem (&problems, 0, "--set jj", "did you mean 'j'"));
  SS_CHECK (ss_test_has_problem (&problems, 0, "--set j", "whole number"));
  SS_CHECK (ss_test_has_problem (&problems, 0, "--set mu", "below its minimum"));
  SS_CHECK (ss_test_has_problem (&problems, 0, "--set N", "finite"));
  ss_problems_clear (&problems);
}

/* Vectors, tables and sums: names and values, by hand. */
static void
test_vectors (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"v\", \"data\": {\"A\": [[1, 2, 3], [4, 5, 6]], \"b\": [7, 8, 9]},"
      "\"parameters\": {\"n\": 3, \"p1\": 10, \"p2\": 20, \"total\": \"sum(i, 1, 3, b[i])\"},"
      "\"model\": {\"points\": 2, \"time_step\": 0.5, \"states\": [\"x[n]\"], \"controls\": [\"u[2, n - 1]\"],"
      "\"definitions\": {\"load\": \"sum(i, 1, n, b[i]*x[i])\"},"
      "\"constraints\": [{\"points\": 0, \"zero\": ["
      "\"sum(i, 1, 2, sum(j, 1, n, A[i,j]*x[j]*u[i,1]))\", \"next(x[n]) - x3\", \"next(load)\","
      "\"total + p[2]*u[2,2]\", \"1 + sum(i, n, 1, x[i])\","
      "{\"for\": \"i\", \"from\": 1, \"to\": 2, \"rows\": [\"A[{i},n] + u[{i},{i}]\"]}]}]}}";
  static const char *const names[] = {"x1", "x2", "x3", "u1_1", "u1_2", "u2_1", "u2_2"};
  static const double values[] = {1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 14, 15, 16, 17};
  /* (1 + 4 + 9)*4 + (4 + 10 + 18)*6, 13 - 3, 77 + 96 + 117, 24 + 20*7, 1, 3 + 4, 6 + 7 */
  static const double expected[] = {248, 10, 290, 164, 1, 7, 13};
  SsProblems problems;
  SsScenario *s = NULL;

  SS_CHECK (read_text (text, &problems, &s) == SS_OK);
  ss_problems_clear (&problems);
  if (s == NULL)
    return;
  const SsModel *m = s->model;
  const int n_nodes = ss_graph_n_nodes (s->graph);
  double *memo = calloc ((size_t)n_nodes, sizeof *memo), *inputs = calloc ((size_t)m->n_slots, sizeof *inputs);
  int *stamp = calloc ((size_t)n_nodes, sizeof *stamp);
  SS_CHECK (m->n_variables == 7 && m->n_states == 3 && m->blocks[0].n_rows == 7);
  SS_CHECK (s->parameters[0].is_structural && !s->parameters[1].is_structural);
  memcpy (inputs, values, sizeof values);
  for (int i = 0; i < s->n_parameters; i++)
    inputs[m->slot_parameters + i] = s->parameters[i].value;
  for (int i = 0; i < 7 && m->n_variables == 7 && m->blocks[0].n_rows == 7; i++) {
    SS_CHECK (strcmp (m->variables[i], names[i]) == 0);
    SS_CHECK_NEAR (ss_graph_eval (s->graph, m->blocks[0].rows[i].a, inputs, m->n_slots, memo, stamp, 1), expected[i],
                   0);
  }
  free (memo);
  free (inputs);
  free (stamp);
  ss_scenario_free (s);
}

#define MODEL(parameters, rest)                                                                                        \
  "{\"format\": 1, \"name\": \"m\", \"parameters\": {" parameters                                                      \
  "}, \"model\": {\"points\": \"N\", \"time_step\": 0.5, \"states\": [\"x\", \"y\"], " rest "}"

/* Sizes that come from other parameters: those are structural too; what a formula no longer reads because it is
 * overridden stays so. */
static void
test_structural_parameters (void)
{
  static const char text[] =
      MODEL ("\"N\": \"2*M + 1\", \"M\": \"base + 1\", \"base\": 2, \"n\": 2, \"w\": 3, \"e\": \"w\"",
             "\"constraints\": [{\"points\": [0, \"N-2\"], \"zero\": [{\"for\": \"i\", \"from\": 1, \"to\": "
             "\"n\", \"rows\": [\"x - {i}*e\"]}]}]}");
  SsProblems problems;
  SsScenario *s = NULL;

  SS_CHECK (read_text (text, &problems, &s) == SS_OK);
  if (s == NULL)
    return;
  SS_CHECK (s->model->n_points == 7 && s->model->blocks[0].n_rows == 2);
  for (int i = 0; i < s->n_parameters; i++)
    SS_CHECK (s->parameters[i].is_structural == (i < 4));
  ss_scenario_free (s);
  ss_problems_clear (&problems);
}

/* Each cycle is told once, from where it closes and without what only leads to it; who reads of it has no problem.
 * The cycles, by hand, in all places of the list. */
static void
test_parameter_cycles (void)
{
  static const struct {
    const char *parameters, *paths[2], *chains[2];
  } cases[] = {
      {"\"s\": \"s + 1\", \"N\": 4", {"parameters.s"}, {"cycle: s -> s"}},
      {"\"a\": \"b\", \"b\": \"2*a\", \"N\": 4", {"parameters.a"}, {"cycle: a -> b -> a"}},
      {"\"N\": 4, \"a\": \"b\", \"b\": \"2*a\"", {"parameters.a"}, {"cycle: a -> b -> a"}},
      {"\"u\": \"w\", \"w\": \"b\", \"N\": 4, \"a\": \"b\", \"b\": \"a*N\"", {"parameters.b"}, {"cycle: b -> a -> b"}},
      {"\"a\": \"b\", \"b\": \"c\", \"c\": \"b\", \"N\": 4", {"parameters.b"}, {"cycle: b -> c -> b"}},
      {"\"a\": \"b\", \"b\": \"a\", \"c\": \"a + d\", \"d\": \"c\", \"N\": 4",
       {"parameters.a", "parameters.c"},
       {"cycle: a -> b -> a", "cycle: c -> d -> c"}},
  };
  char text[512];

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const int n = cases[i].paths[1] != NULL ? 2 : 1;
    SsProblems problems;
    SsScenario *s = NULL;

    snprintf (text, sizeof text, MODEL ("%s", "\"constraints\": []}"), cases[i].parameters);
    SS_CHECK (read_text (text, &problems, &s) == SS_ERR_INVALID && s == NULL);
    SS_CHECK (problems.n_items == n);
    for (int k = 0; k < n && k < problems.n_items; k++) {
      const size_t length = strlen (problems.items[k].message), size = strlen (cases[i].chains[k]);
      SS_CHECK_STR (problems.items[k].path, cases[i].paths[k]);
      SS_CHECK (length >= size);
      SS_CHECK_STR (problems.items[k].message + (length >= size ? length - size : 0), cases[i].chains[k]);
    }
    ss_problems_clear (&problems);
  }
}

/* t = k h is a number of each time point: h, and what it is made of, are structural where a row, a cost or a definition
 * reads t, and only there. */
static void
test_time_is_structural (void)
{
  static const struct {
    const char *row;
    bool is_structural;
  } cases[] = {{"x - y", false}, {"x - k*y", false}, {"x - y*sin(t)", true}, {"x - next(late)", true}};
  char text[512];
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    SsProblems problems;
    SsScenario *s = NULL;
    snprintf (text, sizeof text,
              "{\"format\": 1, \"name\": \"m\", \"parameters\": {\"h\": \"T/4\", \"T\": 2, \"w\": 1}, \"model\": "
              "{\"points\": 5, \"time_step\": \"h\", \"states\": [\"x\", \"y\"]%s, \"constraints\": [{\"points\": "
              "[0, 3], \"zero\": [\"w*(%s)\"]}]}}",
              strstr (cases[i].row, "late") != NULL ? ", \"definitions\": {\"late\": \"2*t\"}" : "", cases[i].row);
    SS_CHECK (read_text (text, &problems, &s) == SS_OK);
    if (s != NULL) {
      SS_CHECK (s->parameters[0].is_structural == cases[i].is_structural);
      SS_CHECK (s->parameters[1].is_structural == cases[i].is_structural);
      SS_CHECK (!s->parameters[2].is_structural);
      SS_CHECK_NEAR (s->model->time_step, 0.5, 0);
    }
    ss_scenario_free (s);
    ss_problems_clear (&problems);
  }
}

/* A long chain of parameters in the worst order neither recurses nor takes long. */
static void
test_long_parameter_chain (void)
{
  enum { N = 10000 };
  char *text = malloc (64 * N), *at = text;
  SsProblems problems;
  SsScenario *s = NULL;

  SS_CHECK (text != NULL);
  if (text == NULL)
    return;
  at += sprintf (at, "{\"format\": 1, \"name\": \"chain\", \"parameters\": {");
  for (int i = 0; i + 1 < N; i++)
    at += sprintf (at, "\"p%d\": \"p%d + 1\", ", i, i + 1);
  sprintf (at,
           "\"p%d\": 0}, \"scene\": {\"bodies\": [{\"name\": \"b\", \"mass\": \"p0\", \"shape\": {\"type\": "
           "\"circle\", \"radius\": 1}}]}}",
           N - 1);
  SS_CHECK (read_text (text, &problems, &s) == SS_OK);
  SS_CHECK (s != NULL && s->scene->bodies[0].mass == N - 1);
  ss_scenario_free (s);
  ss_problems_clear (&problems);
  free (text);
}

/* Definitions that wait for each other too deeply are refused, not followed down the stack. */
static void
test_deep_definitions (void)
{
  enum { N = 5000 };
  char *text = malloc (64 * N), *at = text;
  SsProblems problems;
  SsScenario *s = NULL;

  SS_CHECK (text != NULL);
  if (text == NULL)
    return;
  at += sprintf (at, "{\"format\": 1, \"name\": \"m\", \"model\": {\"points\": 3, \"time_step\": 1, \"states\": "
                     "[\"x\"], \"definitions\": {");
  for (int i = 0; i < N; i++)
    at += sprintf (at, "\"d%d\": \"d%d + 1\", ", i, i + 1);
  sprintf (at, "\"d%d\": \"x\"}}}", N);
  SS_CHECK (read_text (text, &problems, &s) == SS_ERR_INVALID);
  SS_CHECK (s == NULL && problems.n_items > 0);
  SS_CHECK_CONTAINS (problems.items[0].message, "too long a chain");
  ss_problems_clear (&problems);

  /* The other way round every definition is known when it is read. */
  at = text;
  at += sprintf (at, "{\"format\": 1, \"name\": \"m\", \"model\": {\"points\": 3, \"time_step\": 1, \"states\": "
                     "[\"x\"], \"definitions\": {\"d0\": \"x\"");
  for (int i = 1; i < N; i++)
    at += sprintf (at, ", \"d%d\": \"d%d + 1\"", i, i - 1);
  sprintf (at, "}}}");
  SS_CHECK (read_text (text, &problems, &s) == SS_OK);
  ss_scenario_free (s);
  ss_problems_clear (&problems);
  free (text);
}

/* ---- formulas ---------------------------------------------------------------------------------------------------- */

static double
eval (const SsScenario *s, SsExpr e, const double *inputs, int n)
{
  int n_nodes = ss_graph_n_nodes (s->graph);
  double *memo = malloc ((size_t)n_nodes * sizeof *memo), value = NAN;
  int *stamp = calloc ((size_t)n_nodes, sizeof *stamp);

  if (memo != NULL && stamp != NULL)
    value = ss_graph_eval (s->graph, e, inputs, n, memo, stamp, 1);
  free (memo);
  free (stamp);
  return value;
}

/* next(definition) is the definition with every variable, k and t one point later. */
static void
test_next_of_definition (void)
{
  static const char text[] =
      MODEL ("\"N\": 4, \"a\": 10",
             "\"definitions\": {\"d\": \"a*x + c\", \"c\": \"y*t + k\"}, \"constraints\": [{\"points\": [0, 2], "
             "\"zero\": [\"next(d)\", \"d\", \"next(x) - 2\"]}]}");
  SsProblems problems;
  SsScenario *s = NULL;
  /* x, y, next x, next y, N, a, k, t */
  const double inputs[] = {1, 2, 3, 5, 4, 10, 1, 0.5};

  SS_CHECK (read_text (text, &problems, &s) == SS_OK);
  if (s == NULL)
    return;
  SS_CHECK (s->model->n_slots == 8);
  SS_CHECK_NEAR (eval (s, s->model->blocks[0].rows[0].a, inputs, 8), 10 * 3 + 5 * (0.5 + 0.5) + 2, 1e-14);
  SS_CHECK_NEAR (eval (s, s->model->blocks[0].rows[1].a, inputs, 8), 10 * 1 + 2 * 0.5 + 1, 1e-14);
  SS_CHECK_NEAR (eval (s, s->model->blocks[0].rows[2].a, inputs, 8), 1, 1e-14);
  ss_scenario_free (s);
  ss_problems_clear (&problems);
}

static void
test_next_is_checked (void)
{
  static const char text[] =
      MODEL ("\"N\": 4", "\"definitions\": {\"d\": \"next(x)\"}, \"constraints\": [{\"points\": [0, 2], "
                         "\"zero\": [\"next(d)\", \"next(N)\", \"x +\", \"next(next(x))\"]}]}");
  SsProblems problems;
  SsScenario *s = NULL;

  SS_CHECK (read_text (text, &problems, &s) == SS_ERR_INVALID);
  SS_CHECK (ss_test_has_problem (&problems, 1, "model.definitions.d", "two points ahead"));
  SS_CHECK (ss_test_has_problem (&problems, 1, "model.constraints[0].zero[1]", "does not change"));
  SS_CHECK (ss_test_has_problem (&problems, 1, "model.constraints[0].zero[2]", "character"));
  SS_CHECK (problems.n_items == 4);
  ss_problems_clear (&problems);
}

/* Switches to a locale with a decimal comma: an installed one, else one compiled from the system's sources for this
 * test. */
static bool
set_comma_locale (void)
{
  static const char *const locales[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"};
  char folder[] = "/tmp/ss-test-locale-XXXXXX", command[256];
  bool good = false;

  for (size_t i = 0; i < sizeof locales / sizeof *locales && !good; i++)
    good = setlocale (LC_ALL, locales[i]) != NULL;
  if (!good && mkdtemp (folder) != NULL) {
    snprintf (command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >%s/log 2>&1", folder, folder);
    if (system (command) >= 0 && setenv ("LOCPATH", folder, 1) == 0)
      good = setlocale (LC_ALL, "de_DE.UTF-8") != NULL;
    snprintf (command, sizeof command, "rm -r %s", folder);
    if (system (command) != 0)
      printf ("# %s is left behind\n", folder);
  }
  return good;
}

/* Decimal points are points whatever the locale says. */
static void
test_comma_locale (void)
{
  const bool good = set_comma_locale ();
#ifdef __GLIBC__ /* musl takes every name, and its decimal point is a point in all of them */
  if (good)
    SS_CHECK_STR (localeconv ()->decimal_point, ",");
#endif
  if (!good)
    printf ("# no locale with a decimal comma can be had; read under C instead\n");
  test_falling_box ();
  test_next_of_definition ();
  test_overrides ();
  setlocale (LC_ALL, "C");
  unsetenv ("LOCPATH");
}

/* A byte order mark does not hurt, and lines are counted in CR LF texts too. */
static void
test_text_forms (void)
{
  static const char text[] = "\xef\xbb\xbf{\r\n\"format\": 1,\r\n\"name\": \"x\",\r\n\"scene\": {\r\n\"bodies\": {}}}";
  SsProblems problems;
  SsScenario *s = NULL;

  SS_CHECK (read_text (text, &problems, &s) == SS_ERR_INVALID);
  SS_CHECK (ss_test_has_problem (&problems, 5, "scene.bodies", "an array"));
  ss_problems_clear (&problems);
}

/* Lines are found through escapes in texts and keys, and among unknown fields of any shape. */
static void
test_lines_through_escapes (void)
{
  static const char text[] = "{\"format\": 1, \"name\": \"x\", \"n\\\"ote\": \"a\\\\\", \"more\": {\"[\": [[], {}, "
                             "\"}\\\"\", null,\n true, -1.5e3]},\n"
                             "\"scene\":\n{\"bodies\": [\n{\"name\": \"b\\u0061\", \"mass\" : -1, \"shape\": "
                             "{\"type\": \"circle\", \"radius\":\n-1}}]}}";
  SsProblems problems;
  SsScenario *s = NULL;

  SS_CHECK (read_text (text, &problems, &s) == SS_ERR_INVALID);
  SS_CHECK (problems.n_items == 2);
  SS_CHECK (ss_test_has_problem (&problems, 5, "scene.bodies[0].mass", "-1"));
  SS_CHECK (ss_test_has_problem (&problems, 6, "scene.bodies[0].shape.radius", "-1"));
  ss_problems_clear (&problems);
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

#define BODY(shape)                                                                                                    \
  "{\"format\": 1, \"name\": \"s\", \"parameters\": {\"r\": 2}, \"scene\": {\"bodies\": [{\"name\": \"b\", \"mass\": " \
  "3, \"shape\": " shape "}]}}"

static void
test_shapes (void)
{
  SsProblems problems;
  SsScenario *s = NULL;

  SS_CHECK (read_text (BODY ("{\"type\": \"circle\", \"radius\": \"r/4\"}"), &problems, &s) == SS_OK);
  SS_CHECK_NEAR (s->scene->bodies[0].inertia, 3 * 0.25 / 2, 1e-15);
  ss_scenario_free (s);
  ss_problems_clear (&problems);

  /* Clockwise in the file, counter-clockwise in memory; a right triangle with legs a, b about its right angle: m (a^2 +
   * b^2) / 6. */
  SS_CHECK (read_text (BODY ("{\"type\": \"polygon\", \"vertices\": [[0, 0], [0, 1], [\"r\", 0]]}"), &problems, &s) ==
            SS_OK);
  SS_CHECK (s->scene->bodies[0].shape.vertices[0].x == 2 && s->scene->bodies[0].shape.vertices[2].x == 0);
  SS_CHECK_NEAR (s->scene->bodies[0].inertia, 3 * (4 + 1) / 6.0, 1e-14);
  ss_scenario_free (s);
  ss_problems_clear (&problems);

  /* A vertex on a straight edge is allowed; one that turns back is not. */
  SS_CHECK (read_text (BODY ("{\"type\": \"polygon\", \"vertices\": [[0, 0], [1, 0], [2, 0], [0, 2]]}"), &problems,
                       &s) == SS_OK);
  ss_scenario_free (s);
  ss_problems_clear (&problems);
  SS_CHECK (read_text (BODY ("{\"type\": \"polygon\", \"vertices\": [[0, 0], [3, 0], [2, 0], [0, 2]]}"), &problems,
                       &s) == SS_ERR_INVALID);
  ss_problems_clear (&problems);

  /* 64 vertices of a circle. */
  {
    char text[8192], *at = text;

    at += sprintf (at, "{\"format\": 1, \"name\": \"s\", \"scene\": {\"bodies\": [{\"name\": \"b\", \"mass\": 1, "
                       "\"shape\": {\"type\": \"polygon\", \"vertices\": [");
    for (int i = 0; i < 64; i++)
      at += sprintf (at, "%s[%.17g, %.17g]", i ? ", " : "", cos (i * acos (-1.0) / 32), sin (i * acos (-1.0) / 32));
    sprintf (at, "]}}]}}");
    SS_CHECK (read_text (text, &problems, &s) == SS_OK);
    /* Regular n-gon of circumradius 1: (2 + cos (2 pi / n)) / 6. */
    SS_CHECK_NEAR (s->scene->bodies[0].inertia, (2 + cos (acos (-1.0) / 32)) / 6, 1e-14);
    ss_scenario_free (s);
    ss_problems_clear (&problems);
  }
}

/* Order of "all": by index; pairs of fixed bodies are left out, hence all pairs of half-planes. */
static void
test_all_contacts (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"s\", \"scene\": {\"friction\": 0.3, \"restitution\": 0.5, \"contacts\": \"all\", "
      "\"bodies\": ["
      "{\"name\": \"a\", \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 1}},"
      "{\"name\": \"f\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 3]}},"
      "{\"name\": \"g\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [4, 3]}},"
      "{\"name\": \"b\", \"mass\": 1, \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 1}}]}}";
  static const char *const names[] = {"a-f", "a-g", "a-b", "f-b", "g-b"};
  SsProblems problems;
  SsScenario *s = NULL;

  SS_CHECK (read_text (text, &problems, &s) == SS_OK);
  if (s == NULL)
    return;
  SS_CHECK (s->scene->n_contacts == 5);
  for (int i = 0; i < 5 && i < s->scene->n_contacts; i++)
    SS_CHECK_STR (s->scene->contacts[i].name, names[i]);
  SS_CHECK (s->scene->contacts[4].mu == 0.3 && s->scene->contacts[4].restitution == 0.5);
  SS_CHECK_NEAR (s->scene->bodies[2].shape.normal.x, 0.8, 1e-16);
  ss_scenario_free (s);
  ss_problems_clear (&problems);
}

/* ---- the CRISP problems against the reference's check values ----------------------------------------------------- */

typedef struct {
  double objective, equality, inequality, l1;
} Measures;

/* Sums up the model at x, straight from its definition. A row that is written twice at one point counts once. */
static Measures
measure (const SsScenario *s, const double *x)
{
  const SsModel *m = s->model;
  int n_nodes = ss_graph_n_nodes (s->graph), tick = 0;
  double *memo = malloc ((size_t)n_nodes * sizeof *memo), *inputs = calloc ((size_t)m->n_slots, sizeof *inputs);
  int *stamp = calloc ((size_t)n_nodes, sizeof *stamp), *seen = calloc ((size_t)n_nodes, sizeof *seen);
  Measures sum = {0, 0, 0, 0};

  for (int i = 0; i < s->n_parameters; i++)
    inputs[m->slot_parameters + i] = s->parameters[i].value;
  for (int k = 0; k < m->n_points; k++) {
    tick++;
    memcpy (inputs, x + k * m->n_variables,
            (size_t)(k + 1 < m->n_points ? 2 : 1) * (size_t)m->n_variables * sizeof *inputs);
    inputs[m->slot_k] = k;
    inputs[m->slot_t] = k * m->time_step;
#define VALUE(e) ss_graph_eval (s->graph, e, inputs, m->n_slots, memo, stamp, tick)
    for (int c = 0; c < m->n_costs; c++)
      if (m->costs[c].first <= k && k <= m->costs[c].last)
        sum.objective += VALUE (m->costs[c].cost);
    for (int b = 0; b < m->n_blocks; b++) {
      for (int r = 0; r < m->blocks[b].n_rows && m->blocks[b].first <= k && k <= m->blocks[b].last; r++) {
        const SsModelRow *row = &m->blocks[b].rows[r];
        double a = VALUE (row->a), product;

        if (row->kind == SS_ROWS_EQUALITY) {
          sum.equality = fmax (sum.equality, fabs (a));
          sum.l1 += fabs (a);
          continue;
        }
        if (row->kind == SS_ROWS_NONNEGATIVE || row->impose_a) {
          sum.inequality = fmax (sum.inequality, -a);
          if (seen[row->a] != tick)
            sum.l1 += fmax (0, -a);
          seen[row->a] = tick;
        }
        if (row->kind == SS_ROWS_COMPLEMENTARY) {
          double value_b = VALUE (row->b);

          if (row->impose_b) {
            sum.inequality = fmax (sum.inequality, -value_b);
            if (seen[row->b] != tick)
              sum.l1 += fmax (0, -value_b);
            seen[row->b] = tick;
          }
          product = a * value_b;
          sum.inequality = fmax (sum.inequality, product);
          sum.l1 += fmax (0, product);
        }
      }
    }
#undef VALUE
  }
  free (memo);
  free (inputs);
  free (stamp);
  free (seen);
  return sum;
}

static const struct {
  const char *file, *point;
  Measures expected;
} check_values[] = {
    {"cartpole", "test", {7.44703329, 2.939304, 0.3493129, 188.8444341}},
    {"cartpole", "guess", {1827.962758, 2.5e-16, 0, 2.1e-14}},
    {"push-box", "test", {2765.777627, 0.5982904, 0.2999993, 179.7312832}},
    {"push-box", "guess", {2654.596338, 0, 0, 0}},
    {"transport", "test", {9871.434123, 4.298764, 0.6575926, 445.8210832}},
    {"transport", "guess", {25080, 4, 0, 14.5}},
    {"push-t", "test", {247.904987, 1.257155, 0.4224134, 361.4888106}},
    {"push-t", "guess", {152.240005, 1, 0, 74.81951068}},
    {"hopper", "test", {1797.29559, 1.297714, 0.5472149, 661.469951}},
    {"hopper", "guess", {1051.914786, 0.2197440, 0, 8.793681183}},
    {"waiter", "test", {828.5104594, 20.06304, 0.5590679, 2214.165156}},
    {"waiter", "guess", {802, 19.62, 0.1, 1958.48}},
};

static void
test_crisp_check_values (void)
{
  for (size_t i = 0; i < sizeof check_values / sizeof *check_values; i++) {
    const Measures *e = &check_values[i].expected;
    char relative[128];
    SsScenario *s;
    Measures found;
    double *x;
    int n, before = ss_test_failed_checks;

    snprintf (relative, sizeof relative, CRISP "%s.stickslip.json", check_values[i].file);
    s = ss_test_read_file (relative, NULL, 0);
    if (s == NULL || s->model == NULL)
      continue;
    n = s->model->n_points * s->model->n_variables;
    x = malloc ((size_t)n * sizeof *x);
    if (strcmp (check_values[i].point, "guess") == 0)
      SS_CHECK (ss_scenario_guess (s, x, NULL) == SS_OK);
    else
      for (int j = 0; j < n; j++)
        x[j] = 0.3 * sin (0.37 * (j + 1));
    found = measure (s, x);
    /* The notes print 10 digits of sums and 7 of maxima: half a unit of the last, and rounding of sums of up to 5000
     * terms. */
    SS_CHECK_NEAR (found.objective, e->objective, 1e-9 * fabs (e->objective));
    SS_CHECK_NEAR (found.equality, e->equality, 1e-6 * e->equality + 1e-15);
    SS_CHECK_NEAR (found.inequality, e->inequality, 1e-6 * e->inequality + 1e-15);
    SS_CHECK_NEAR (found.l1, e->l1, 1e-9 * e->l1 + 1e-13);
    if (ss_test_failed_checks > before)
      printf ("  in %s at %s\n", check_values[i].file, check_values[i].point);
    free (x);
    ss_scenario_free (s);
  }
}

/* ---- guesses ----------------------------------------------------------------------------------------------------- */

/* Noise by the reference's generator: seed 1 adds -0.05270889, -0.02614587, 0.00084841 first. */
static void
test_noise (void)
{
  SsOverride noise[] = {{"noise", 0.1}, {"seed", 1}};
  SsScenario *quiet = ss_test_read_file (CRISP "cartpole.stickslip.json", NULL, 0);
  SsScenario *noisy = ss_test_read_file (CRISP "cartpole.stickslip.json", noise, 2);
  static const double first[] = {-0.05270889, -0.02614587, 0.00084841};
  double x[700], y[700];

  if (quiet == NULL || noisy == NULL)
    return;
  SS_CHECK (ss_scenario_guess (quiet, x, NULL) == SS_OK && ss_scenario_guess (noisy, y, NULL) == SS_OK);
  for (int i = 0; i < 3; i++)
    SS_CHECK_NEAR (y[i] - x[i], first[i], 5e-9 + 1e-15); /* eight digits are given */
  for (int i = 0; i < 700; i++)
    SS_CHECK (fabs (y[i] - x[i]) <= 0.1);
  ss_scenario_free (quiet);
  ss_scenario_free (noisy);
}

/* A roll-out with walls hit: the reference's rule written out. */
static void
test_rollout_with_walls (void)
{
  SsOverride start[] = {{"x0", 0.7}, {"th0", 1.0}, {"thd0", 0.5}};
  SsScenario *s = ss_test_read_file (CRISP "cartpole.stickslip.json", start, 3);
  const double mc = 1, mp = 0.1, l = 0.8, g = 9.8, h = 0.02, k1 = 200, k2 = 200;
  double guess[700], x = 0.7, th = 1, xd = 0, thd = 0.5;
  bool touched = false;

  if (s == NULL)
    return;
  SS_CHECK (ss_scenario_guess (s, guess, NULL) == SS_OK);
  for (int k = 0; k < 100; k++) {
    double l1 = fmax (0, k1 * (x + l * sin (th) - 1)), l2 = fmax (0, k2 * (-x - l * sin (th) - 1)),
           D = mc + mp * sin (th) * sin (th);
    double xdd = ((l2 - l1) * sin (th) * sin (th) - g * mp * cos (th) * sin (th) + l * mp * thd * thd * sin (th)) / D;
    double thdd =
        -((l1 - l2) * mc * cos (th) - g * mp * (mp + mc) * sin (th) + l * mp * mp * thd * thd * cos (th) * sin (th)) /
        (l * mp * D);
    const double *z = guess + 7 * k;

    /* The motion amplifies rounding by a few orders of magnitude in its 99 steps. */
    SS_CHECK_NEAR (z[0], x, 1e-9);
    SS_CHECK_NEAR (z[1], th, 1e-9);
    SS_CHECK_NEAR (z[5], l1, 1e-6);
    SS_CHECK_NEAR (z[6], l2, 1e-6);
    touched = touched || l1 > 0;
    xd += h * xdd;
    thd += h * thdd;
    x += h * xd;
    th += h * thd;
  }
  SS_CHECK (touched);
  ss_scenario_free (s);
}

static void
test_guess_values (void)
{
  static const char good[] =
      MODEL ("\"N\": 4, \"a\": 10", "\"constraints\": []}, \"task\": {\"guess\": {\"values\": {\"y\": \"a*k + t\"}}}");
  static const char bad[] =
      MODEL ("\"N\": 4", "\"constraints\": []}, \"task\": {\"guess\": {\"values\": {\"y\": \"1/(k - 2)\"}}}");
  SsProblems problems;
  SsScenario *s = NULL;
  SsError error;
  double x[8] = {7, 7, 7, 7, 7, 7, 7, 7};

  SS_CHECK (read_text (bad, &problems, &s) == SS_OK && s != NULL);
  SS_CHECK (ss_scenario_guess (s, x, &error) == SS_ERR_INVALID);
  SS_CHECK_CONTAINS (error.message, "'y' at point 2");
  SS_CHECK (x[0] == 7 && x[7] == 7);
  ss_scenario_free (s);
  ss_problems_clear (&problems);

  SS_CHECK (read_text (good, &problems, &s) == SS_OK && s != NULL);
  SS_CHECK (ss_scenario_guess (s, x, NULL) == SS_OK);
  for (int k = 0; k < 4; k++)
    SS_CHECK (x[2 * k] == 0 && x[2 * k + 1] == 10 * k + 0.5 * k);
  ss_scenario_free (s);
  ss_problems_clear (&problems);
}

/* ---- hash and memory --------------------------------------------------------------------------------------------- */

static void
test_sha256 (void)
{
  static const char long_text[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  char out[65], *million = malloc (1000000);

  ss_sha256_hex ("", 0, out);
  SS_CHECK_STR (out, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  ss_sha256_hex ("abc", 3, out);
  SS_CHECK_STR (out, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  ss_sha256_hex (long_text, strlen (long_text), out);
  SS_CHECK_STR (out, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  memset (million, 'a', 1000000);
  ss_sha256_hex (million, 1000000, out);
  SS_CHECK_STR (out, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  free (million);
}

/* Allocation number n fails, for every n: an error, nothing crashes (and nothing leaks, under the sanitiser). */
static void
test_out_of_memory (const char *relative)
{
  char path[512];
  uint64_t n_allocations = ss_alloc_count ();

  ss_scenario_free (ss_test_read_file (relative, NULL, 0));
  n_allocations = ss_alloc_count () - n_allocations;
  ss_test_source_path (relative, path, sizeof path);
  for (uint64_t n = 1; n <= n_allocations; n++) {
    SsProblems problems;
    SsScenario *s = NULL;
    SsStatus status;

    ss_problems_init (&problems);
    ss_alloc_fail_at (n);
    status = ss_scenario_read_file (path, NULL, 0, &problems, &s);
    ss_alloc_fail_at (0);
    SS_CHECK (s == NULL && status == SS_ERR_MEMORY);
    ss_scenario_free (s);
    ss_problems_clear (&problems);
  }
  printf ("# %s: %d allocations\n", relative, (int)n_allocations);
  SS_CHECK (n_allocations > 10);
}

static void
test_out_of_memory_model (void)
{
  test_out_of_memory (CRISP "hopper.stickslip.json");
}

static void
test_out_of_memory_scene (void)
{
  test_out_of_memory ("examples/sketches/falling-box.stickslip.json");
}

/* Parameters move by about a billionth, within their ranges; sizes stay, and what was set stays set. */
static void
test_moved (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"moved\", \"parameters\": {\"a\": 2, \"zero\": 0, \"top\": {\"value\": 5, "
      "\"maximum\": 5}, \"stuck\": {\"value\": 1, \"minimum\": 1, \"maximum\": 1}, \"whole\": {\"value\": 3, "
      "\"integer\": true}, \"N\": 4, \"made\": {\"value\": \"a*top\"}, \"last\": {\"value\": \"N - 1\"}}, "
      "\"model\": {\"points\": \"N\", \"time_step\": 1, \"states\": [\"x\"], \"constraints\": [{\"points\": [0, "
      "\"last\"], \"zero\": [\"x - made*whole*stuck*zero\"]}]}}";
  const SsOverride set = {"N", 6};
  SsProblems problems;
  SsScenario *s = NULL, *moved[2] = {NULL, NULL};
  SsError err = {0};

  ss_problems_init (&problems);
  SS_CHECK (ss_scenario_read (text, strlen (text), "test", &set, 1, &problems, &s) == SS_OK);
  for (int i = 0; i < 2; i++)
    SS_CHECK (ss_scenario_read_moved (s, i, &moved[i], &err) == SS_OK && moved[i] != NULL);
  for (int p = 0; p < s->n_parameters; p++) {
    const SsParameter *was = &s->parameters[p], *is = &moved[0]->parameters[p];
    const double change = is->value - was->value;

    SS_CHECK_STR (is->name, was->name);
    if (strcmp (was->name, "stuck") == 0 || was->is_structural)
      SS_CHECK (change == 0);
    else if (was->is_integer)
      SS_CHECK (fabs (change) == 1);
    else /* 2^-30 to 2^-29 of a size up to 10 */
      SS_CHECK (fabs (change) > 9e-10 && fabs (change) < 2e-8 && moved[1]->parameters[p].value != is->value);
    SS_CHECK (is->value <= was->maximum);
  }
  SS_CHECK (moved[0]->model->n_points == 6 && moved[0]->model->blocks[0].last == 5);
  for (int i = 0; i < 2; i++)
    ss_scenario_free (moved[i]);
  ss_scenario_free (s);
  s = ss_test_read_text ("{\"format\": 1, \"name\": \"none\", \"model\": {\"points\": 2, \"time_step\": 1, "
                         "\"states\": [\"x\"]}}");
  SS_CHECK (ss_scenario_read_moved (s, 0, &moved[0], &err) == SS_OK && moved[0] == NULL); /* nothing can move */
  ss_scenario_free (s);
  ss_problems_clear (&problems);
}

/* Bounds and mixed complementarities as rows, by values at a point: x = 3, y = -1, plus 0.5, minus 0.25. */
static void
test_bounds_and_mixed (void)
{
  static const char form[] =
      "{\"format\": 1, \"name\": \"m\", \"parameters\": {\"top\": 4}, \"model\": {\"points\": 2, \"time_step\": 1, "
      "\"states\": [\"x\"], \"controls\": [\"y\"], \"constraints\": [{\"points\": %s, %s}]}}";
  static const struct {
    const char *points, *rows;
    int n_rows;
    struct {
      SsRowsKind kind;
      double a, b; /* NaN: there is no b */
    } row[3];
    const char *problem;
  } cases[] = {
      {"\"all\"",
       "\"bounds\": {\"x\": [1, \"2*top\"], \"y\": [null, 5]}",
       3,
       {{SS_ROWS_NONNEGATIVE, 2, NAN}, {SS_ROWS_NONNEGATIVE, 5, NAN}, {SS_ROWS_NONNEGATIVE, 6, NAN}},
       NULL},
      {"\"all\"",
       "\"mixed\": [[0, \"x\", \"top\", \"2*y\"]]",
       3,
       {{SS_ROWS_EQUALITY, -2.25, NAN}, {SS_ROWS_COMPLEMENTARY, 0.5, 3}, {SS_ROWS_COMPLEMENTARY, 0.25, 1}},
       NULL},
      {"\"all\"",
       "\"mixed\": [[0, \"x\", null, \"2*y\"], [null, \"x\", 7, \"2*y\"], [null, \"x\", null, \"2*y\"]]",
       3,
       {{SS_ROWS_COMPLEMENTARY, -2, 3}, {SS_ROWS_COMPLEMENTARY, 2, 4}, {SS_ROWS_EQUALITY, -2, NAN}},
       NULL},
      {"\"all\"", "\"bounds\": {\"xx\": [1, 2]}", 0, {{0}}, "there is no variable 'xx'"},
      {"\"all\"", "\"bounds\": {\"x\": [1]}", 0, {{0}}, "these are no bounds"},
      {"\"all\"", "\"mixed\": [[0, \"x\", \"top\"]]", 0, {{0}}, "this is no mixed complementarity"},
      {"0", "\"mixed\": [[0, \"x\", \"top\", \"y\"]]", 0, {{0}}, "a mixed complementarity holds at all points"},
  };

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[700];
    SsProblems problems;
    SsScenario *s = NULL;

    snprintf (text, sizeof text, form, cases[i].points, cases[i].rows);
    ss_problems_init (&problems);
    const SsStatus status = ss_scenario_read (text, strlen (text), "test", NULL, 0, &problems, &s);
    SS_CHECK ((status == SS_OK) == (cases[i].problem == NULL));
    if (cases[i].problem != NULL) {
      SS_CHECK (problems.n_items > 0);
      SS_CHECK_STR (problems.items[0].message, cases[i].problem);
    } else {
      const SsModelBlock *block = &s->model->blocks[0];
      double inputs[16] = {3, -1, 0.5, 0.25};
      inputs[s->model->slot_parameters] = 4;
      SS_CHECK (block->n_rows == cases[i].n_rows);
      for (int r = 0; r < block->n_rows; r++) {
        const SsModelRow *row = &block->rows[r];
        SS_CHECK (row->kind == cases[i].row[r].kind);
        SS_CHECK_NEAR (eval (s, row->a, inputs, s->model->n_slots), cases[i].row[r].a, 1e-15);
        if (!isnan (cases[i].row[r].b))
          SS_CHECK_NEAR (eval (s, row->b, inputs, s->model->n_slots), cases[i].row[r].b, 1e-15);
      }
    }
    ss_scenario_free (s);
    ss_problems_clear (&problems);
  }
}

/* A model of N points on half as many steps: the same time, other numbers as they were. */
static void
check_coarser (const char *points, const char *time_step, int n_points, double step)
{
  char text[600];
  const SsOverride set = {"mass", 3};
  SsProblems problems;
  SsScenario *s = NULL, *coarser = NULL;
  SsError err = {0};

  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"grid\", \"parameters\": {\"N\": 9, \"mass\": 2, \"h\": {\"value\": 0.5, "
            "\"maximum\": 1.2}, \"T\": 4, \"tight\": {\"value\": 0.5, \"maximum\": 0.9}}, \"model\": {\"points\": %s, "
            "\"time_step\": %s, \"states\": [\"x\"], \"constraints\": [{\"points\": 0, \"zero\": [\"x - mass\"]}]}}",
            points, time_step);
  ss_problems_init (&problems);
  SS_CHECK (ss_scenario_read (text, strlen (text), "test", &set, 1, &problems, &s) == SS_OK);
  SS_CHECK (ss_scenario_read_coarser (s, &coarser, &err) == SS_OK);
  SS_CHECK ((coarser != NULL) == (n_points > 0));
  if (coarser != NULL) {
    SS_CHECK (coarser->model->n_points == n_points);
    SS_CHECK_NEAR (coarser->model->time_step, step, 1e-15);
    SS_CHECK (coarser->parameters[ss_scenario_parameter (coarser, "mass")].value == 3);
    SS_CHECK (coarser->parameters[ss_scenario_parameter (coarser, "T")].value == 4);
  }
  ss_scenario_free (coarser);
  ss_scenario_free (s);
  ss_problems_clear (&problems);
}

static void
test_coarser (void)
{
  check_coarser ("\"N\"", "\"h\"", 5, 1);         /* both are parameters */
  check_coarser ("\"N\"", "\"T/(N - 1)\"", 5, 1); /* the step follows the points */
  check_coarser ("\"N + 1\"", "\"h\"", 5, 1.125); /* ten points, nine steps, become five points */
  check_coarser ("\"N\"", "\"tight\"", 0, 0);     /* the step may not be that long */
  check_coarser ("9", "\"h\"", 0, 0);             /* no parameter says how many */
  check_coarser ("\"N\"", "0.5", 0, 0);           /* nor how long */
  check_coarser ("2", "\"h\"", 0, 0);
}

int
main (void)
{
  SS_RUN (test_bad_files);
  SS_RUN (test_vectors);
  SS_RUN (test_files_that_are_none);
  SS_RUN (test_nul_bytes);
  SS_RUN (test_blank_buffer);
  SS_RUN (test_grammar);
  SS_RUN (test_surrogates);
  SS_RUN (test_out_of_memory_json);
  SS_RUN (test_huge_file);
  SS_RUN (test_deep_brackets);
  SS_RUN (test_wide_file);
  SS_RUN_SLOW (test_endless_families);
  SS_RUN (test_falling_box);
  SS_RUN (test_push_box);
  SS_RUN (test_overrides);
  SS_RUN (test_structural_parameters);
  SS_RUN (test_parameter_cycles);
  SS_RUN (test_time_is_structural);
  SS_RUN (test_long_parameter_chain);
  SS_RUN (test_deep_definitions);
  SS_RUN (test_next_of_definition);
  SS_RUN (test_next_is_checked);
  SS_RUN (test_comma_locale);
  SS_RUN (test_text_forms);
  SS_RUN (test_lines_through_escapes);
  SS_RUN (test_shapes);
  SS_RUN (test_all_contacts);
  SS_RUN (test_crisp_check_values);
  SS_RUN (test_noise);
  SS_RUN (test_rollout_with_walls);
  SS_RUN (test_guess_values);
  SS_RUN (test_sha256);
  SS_RUN (test_out_of_memory_model);
  SS_RUN (test_out_of_memory_scene);
  SS_RUN (test_coarser);
  SS_RUN (test_bounds_and_mixed);
  SS_RUN (test_moved);
  return ss_test_finish ();
}
