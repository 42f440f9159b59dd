/* tests/unit/test-equations.c: formulas as text, read back; gaps as they are printed against the engine's; every method
 * has its system; every example makes LaTeX that holds together. */
#include "app/base/ssapp-latex.h"
#include "app/equations/ssapp-equations.h"
#include "app/equations/ssapp-formula.h"
#include "geometry/ss-gap-expr.h"
#include "tests/ss-test-scenario.h"
#include "transcribe/ss-transcriptions.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* ---- reading back ------------------------------------------------------------------------------------------------ */

/* What is printed, in the signs of the engine's grammar. */
static char *
plain (const char *text)
{
  static const char *const pairs[][2] = {{"−", "-"},  {"·", "*"},     {"²", "^2"},    {"√(", "sqrt("},
                                         {"≤", "<="}, {"θ", "theta"}, {"α", "alpha"}, {"φ", "phi"}};
  GString *out = g_string_new (text);

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    g_string_replace (out, pairs[i][0], pairs[i][1], 0);
  return g_string_free (out, FALSE);
}

typedef struct {
  SsGraph *graph;
  GHashTable *values; /* name -> double * */
} Names;

static SsStatus
resolve (void *user_data, const char *name, size_t length, int shift, SsExpr *out, SsError *err)
{
  Names *names = user_data;
  g_autofree char *key = g_strndup (name, length);
  const double *value = g_hash_table_lookup (names->values, key);

  (void)shift;
  if (value == NULL)
    return ss_error_set (err, SS_ERR_INVALID, "no %s", key);
  *out = ss_graph_constant (names->graph, *value);
  return SS_OK;
}

static void
set_value (Names *names, const char *name, double value)
{
  double *copy = g_new (double, 1);
  *copy = value;
  g_hash_table_replace (names->values, g_strdup (name), copy);
}

/* The value of a printed formula; NaN where it cannot be read. */
static double
evaluate (Names *names, const char *text)
{
  g_autofree char *ascii = plain (text);
  SsExpr e = SS_EXPR_NONE;
  SsError err = {0};

  if (ss_expr_parse (names->graph, ascii, resolve, names, &e, &err) != SS_OK ||
      ss_graph_op (names->graph, e) != SS_OP_CONSTANT) {
    printf ("%s: %s\n", ascii, err.message);
    return NAN;
  }
  return ss_graph_value (names->graph, e);
}

static void
names_init (Names *names)
{
  SS_CHECK (ss_graph_new (&names->graph, NULL) == SS_OK);
  names->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

static void
names_clear (Names *names)
{
  ss_graph_free (names->graph);
  g_hash_table_unref (names->values);
}

/* ---- formulas ---------------------------------------------------------------------------------------------------- */

static SsStatus
resolve_input (void *user_data, const char *name, size_t length, int shift, SsExpr *out, SsError *err)
{
  (void)length;
  (void)shift;
  (void)err;
  *out = ss_graph_input (user_data, name[0] - 'a');
  return SS_OK;
}

static gboolean
is_balanced (const char *latex)
{
  int braces = 0, lefts = 0, dollars = 0;

  for (const char *c = latex; *c != '\0'; c++) {
    if (*c == '\\') {
      if (g_str_has_prefix (c, "\\left") && !g_ascii_isalpha (c[5]))
        lefts++;
      else if (g_str_has_prefix (c, "\\right") && !g_ascii_isalpha (c[6]))
        lefts--;
      else if (g_str_has_prefix (c, "\\left\\"))
        lefts++;
      c++;
      continue;
    }
    braces += *c == '{' ? 1 : *c == '}' ? -1 : 0;
    dollars += *c == '$';
    if (braces < 0 || lefts < 0)
      return FALSE;
  }
  return braces == 0 && lefts == 0 && dollars % 2 == 0;
}

/* Two powers on one letter, which LaTeX refuses. */
static gboolean
has_double_power (const char *latex)
{
  for (const char *c = strstr (latex, "^{"); c != NULL; c = strstr (c + 1, "^{")) {
    int depth = 0;
    const char *end = c + 1;
    do {
      depth += *end == '{' ? 1 : *end == '}' ? -1 : 0;
      end++;
    } while (depth > 0 && *end != '\0');
    if (*end == '^')
      return TRUE;
  }
  return FALSE;
}

static void
test_formulas (void)
{
  static const struct {
    const char *formula, *text, *latex; /* latex NULL: only balanced */
  } cases[] = {
      {"a - 0.25", "a − 0.25", "a - 0.25"},
      {"-0.25 + a", "a − 0.25", "a - 0.25"},
      {"a - (b - c)", "a − b + c", NULL},
      {"-(a + b)*c", "−(a + b)·c", NULL},
      {"a*a + b*b", "a² + b²", "a^{2} + b^{2}"},
      {"(a + b)^2", "(a + b)²", "\\left(a + b\\right)^{2}"},
      {"-2*a*b", "−2·a·b", NULL},
      {"a - -2*b", "a + 2·b", NULL},
      {"a/(b*c)", "a/(b·c)", "\\frac{a}{b\\,c}"},
      {"a/b/c", "a/b/c", NULL},
      {"a/(b/c)", "a/(b/c)", NULL},
      {"a*(b/c)", "a·(b/c)", NULL},
      {"a^(b + 1)", "a^(b + 1)", "a^{b + 1}"},
      {"(-a)^3", NULL, NULL},
      {"sqrt(a*a - b)", "√(a² − b)", "\\sqrt{a^{2} - b}"},
      {"sin(a)*cos(b) - max(a, -b)", "sin(a)·cos(b) − max(a, −b)", NULL},
      {"a*(-b)", NULL, NULL},
      {"a - b*(c - a) - (b - 1)*2", NULL, NULL},
      {"-(a/b)*c - -a", NULL, NULL},
      {"if(a < b, a, -b)*3", NULL, NULL},
      {"1e-7*a + 1234567*b", NULL, NULL},
  };
  const double inputs[] = {0.7, -1.3, 2.1};

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    Names names;
    SsExpr e;
    double memo[200];
    int stamp[200] = {0};
    g_autoptr (GArray) symbols = ssapp_symbols_new ();
    names_init (&names);
    for (int k = 0; k < 3; k++) {
      const char name[] = {(char)('a' + k), '\0'};
      ssapp_symbols_set (symbols, k, g_strdup (name), g_strdup (name));
      set_value (&names, name, inputs[k]);
    }
    SS_CHECK (ss_expr_parse (names.graph, cases[i].formula, resolve_input, names.graph, &e, NULL) == SS_OK);
    g_autofree char *text = ssapp_formula (names.graph, e, symbols, SSAPP_FORMULA_TEXT),
                    *latex = ssapp_formula (names.graph, e, symbols, SSAPP_FORMULA_LATEX);
    if (cases[i].text != NULL)
      SS_CHECK_STR (text, cases[i].text);
    if (cases[i].latex != NULL)
      SS_CHECK_STR (latex, cases[i].latex);
    SS_CHECK (is_balanced (latex) && !has_double_power (latex));
    const double expected = ss_graph_eval (names.graph, e, inputs, 3, memo, stamp, 1), found = evaluate (&names, text);
    /* Numbers are printed with six digits. */
    if (!(fabs (found - expected) <= 1e-5 * (1 + fabs (expected))))
      printf ("%s became %s: %g, not %g\n", cases[i].formula, text, found, expected);
    SS_CHECK (fabs (found - expected) <= 1e-5 * (1 + fabs (expected)));
    names_clear (&names);
  }
}

/* What nobody could read is refused, not cut; a deep sum does not overflow the stack. */
static void
test_too_long (void)
{
  SsGraph *graph;
  g_autoptr (GArray) symbols = ssapp_symbols_new ();

  SS_CHECK (ss_graph_new (&graph, NULL) == SS_OK);
  SsExpr sum = ss_graph_input (graph, 0), deep = sum;
  for (int i = 1; i < 50000; i++) {
    sum = ss_graph_binary (graph, SS_OP_ADD, sum, ss_graph_input (graph, i));
    deep = ss_graph_unary (graph, i % 2 ? SS_OP_SIN : SS_OP_EXP, deep);
  }
  SS_CHECK (ssapp_formula (graph, sum, symbols, SSAPP_FORMULA_TEXT) == NULL);
  SS_CHECK (ssapp_formula (graph, deep, symbols, SSAPP_FORMULA_LATEX) == NULL);
  deep = ss_graph_input (graph, 0); /* functions in each other, up to 300 */
  for (int i = 1; i <= 400; i++) {
    deep = ss_graph_unary (graph, i % 2 ? SS_OP_SIN : SS_OP_TAN, deep);
    if (i == 250 || i == 400) {
      g_autofree char *text = ssapp_formula (graph, deep, symbols, SSAPP_FORMULA_TEXT);
      SS_CHECK ((text != NULL) == (i == 250));
    }
  }
  ss_graph_free (graph);
}

/* ---- gaps -------------------------------------------------------------------------------------------------------- */

static SsScenario *
read_scenario (const char *path)
{
  g_autofree char *full = g_build_filename (SS_SOURCE_ROOT, path, NULL);
  SsScenario *scenario = NULL;
  SsProblems problems;

  ss_problems_init (&problems);
  SS_CHECK (ss_scenario_read_file (full, NULL, 0, &problems, &scenario) == SS_OK);
  ss_problems_clear (&problems);
  return scenario;
}

static const SsappEquationSection *
find_section (const SsappEquations *equations, const char *title)
{
  for (guint i = 0; i < equations->sections->len; i++) {
    const SsappEquationSection *section = g_ptr_array_index (equations->sections, i);
    if (strcmp (section->title, title) == 0)
      return section;
  }
  return NULL;
}

/* Reads the lines "name = formula" in their order; what they say of "phi_k" is in the names then. */
static int
read_lines (Names *names, const SsappEquationSection *section)
{
  int n_gaps = 0;

  for (guint i = 0; i < section->items->len; i++) {
    const SsappEquation *item = g_ptr_array_index (section->items, i);
    const char *equals = item->text != NULL ? strstr (item->text, " = ") : NULL;
    if (equals == NULL || g_str_has_prefix (item->text, "0 =") || g_str_has_prefix (item->text, "Σ"))
      continue;
    g_autofree char *left = g_strndup (item->text, (gsize)(equals - item->text)), *name = plain (left);
    set_value (names, name, evaluate (names, equals + 3));
    n_gaps += g_str_has_prefix (name, "phi");
  }
  return n_gaps;
}

/* Pose of a body: the start, moved where it can move. */
static void
pose_at (const SsBody *body, double moved, double pose[3])
{
  const double way[] = {0.31, 0.17, 0.53};

  for (int i = 0; i < 3; i++)
    pose[i] = body->q[i] + (body->is_fixed || (body->lock[i] && body->v[i] == 0) ? 0 : moved * way[i]);
}

static void
set_lifted (Names *names, const SsGapPair *pair, int number, const double *lifted)
{
  const int n_a = pair->n_weights_a;
  g_autofree char *alpha = g_strdup_printf ("alpha_%d", number);

  set_value (names, alpha, lifted[0]);
  for (int i = 0; i < pair->n_weights; i++) {
    g_autofree char *name =
        i < n_a ? g_strdup_printf ("wa%d_%d", i + 1, number) : g_strdup_printf ("wb%d_%d", i - n_a + 1, number);
    set_value (names, name, lifted[1 + i]);
  }
}

/* Calls `act` for every gap in the order of printing. */
static void
each_gap (const SsScene *scene, double moved, Names *names,
          void (*act) (Names *, const SsGapPair *, int, const double *, const double *))
{
  int number = 0;

  for (int c = 0; c < scene->n_contacts; c++) {
    const SsBody *a = &scene->bodies[scene->contacts[c].body_a], *b = &scene->bodies[scene->contacts[c].body_b];
    double pose_a[3], pose_b[3];
    pose_at (a, moved, pose_a);
    pose_at (b, moved, pose_b);
    for (int i = 0; i < a->n_shapes; i++)
      for (int j = 0; j < b->n_shapes; j++) {
        SsGapPair pairs[SS_GAP_PAIRS_MAX];
        const int n = ss_gap_pairs (&a->shapes[i], &b->shapes[j], pairs);
        for (int k = 0; k < n; k++)
          act (names, &pairs[k], ++number, pose_a, pose_b);
      }
  }
}

static void
lift (Names *names, const SsGapPair *pair, int number, const double *pose_a, const double *pose_b)
{
  double lifted[1 + SS_GAP_WEIGHTS_MAX];

  if (pair->kind != SS_GAP_HULLS)
    return;
  ss_gap_expr_lift (pair, pose_a, pose_b, lifted);
  set_lifted (names, pair, number, lifted);
}

static void
compare (Names *names, const SsGapPair *pair, int number, const double *pose_a, const double *pose_b)
{
  double lifted[1 + SS_GAP_WEIGHTS_MAX];
  SsGap gap;
  g_autofree char *name = g_strdup_printf ("phi_%d", number);
  const double *found = g_hash_table_lookup (names->values, name);

  if (pair->kind == SS_GAP_HULLS)
    ss_gap_expr_lift (pair, pose_a, pose_b, lifted);
  ss_gap_expr_value (pair, pose_a, pose_b, lifted, &gap);
  /* Lengths are printed with six digits, coordinates are metres. */
  SS_CHECK (found != NULL && fabs (*found - gap.phi) <= 2e-5 * (1 + fabs (gap.phi)));
  if (found != NULL && !(fabs (*found - gap.phi) <= 2e-5 * (1 + fabs (gap.phi))))
    printf ("%s: %.9g printed, %.9g by the engine\n", name, *found, gap.phi);
}

static const char *const scenes[] = {
    "examples/plans/arm-push-box.stickslip.json",      "examples/plans/discs-around-obstacle.stickslip.json",
    "examples/plans/hopper-leg.stickslip.json",        "examples/plans/ball-into-bucket.stickslip.json",
    "examples/plans/finger-drag.stickslip.json",       "examples/classics/card-house.stickslip.json",
    "examples/classics/compass-walker.stickslip.json", "examples/plans/three-boxes.stickslip.json",
};

static void
test_gaps (void)
{
  static const double moves[] = {0, 1};
  static const char *const axes[] = {"x", "y", "theta"};
  int n_all = 0;

  for (guint s = 0; s < G_N_ELEMENTS (scenes); s++) {
    SsScenario *scenario = read_scenario (scenes[s]);
    SsappEquations *equations = ssapp_equations_new (scenario, NULL);
    const SsappEquationSection *section = find_section (equations, "Gap functions");
    for (guint m = 0; m < G_N_ELEMENTS (moves); m++) {
      Names names;
      names_init (&names);
      for (int b = 0; b < scenario->scene->n_bodies; b++) {
        double pose[3];
        pose_at (&scenario->scene->bodies[b], moves[m], pose);
        for (int i = 0; i < 3; i++) {
          g_autofree char *name = g_strdup_printf ("%s_%s", axes[i], scenario->scene->bodies[b].name);
          set_value (&names, name, pose[i]);
        }
      }
      each_gap (scenario->scene, moves[m], &names, lift);
      n_all += read_lines (&names, section);
      each_gap (scenario->scene, moves[m], &names, compare);
      names_clear (&names);
    }
    ssapp_equations_free (equations);
    ss_scenario_free (scenario);
  }
  if (n_all <= 100)
    printf ("%d gaps\n", n_all);
  SS_CHECK (n_all > 100);
}

/* ---- methods, examples ------------------------------------------------------------------------------------------- */

static bool
is_written (const SsMethod *method)
{
  for (guint k = 0; ssapp_equations_written (k).name != NULL; k++)
    if (ss_method_id_is_equal (ssapp_equations_written (k), ss_method_id (method)))
      return true;
  return false;
}

/* The section about a method has formulas and sentences; of one that is not written down, what its class says. */
static void
check_method (const SsScenario *scenario, const SsMethod *method)
{
  SsappEquations *equations = ssapp_equations_new (scenario, method);
  const SsappEquationSection *section = g_ptr_array_index (equations->sections, equations->sections->len - 1);
  g_autofree char *latex = ssapp_equations_to_latex (equations);
  int n_formulas = 0, n_sentences = 0, n_own = 0;

  SS_CHECK_CONTAINS (section->title, method->label);
  for (guint i = 0; i < section->items->len; i++) {
    const SsappEquation *item = g_ptr_array_index (section->items, i);
    n_formulas += item->text != NULL && item->latex != NULL;
    n_sentences += item->words != NULL;
    n_own += item->words != NULL && (strcmp (item->words, method->summary) == 0 ||
                                     (method->solves[0] != '\0' && strcmp (item->words, method->solves) == 0));
  }
  SS_CHECK (n_formulas > 0 && n_sentences > 0);
  SS_CHECK (is_written (method) || n_own == 1 + (method->solves[0] != '\0'));
  SS_CHECK (is_balanced (latex));
  ssapp_equations_free (equations);
}

/* Every method of the registry, and one of each kind that is in no table of app. */
static void
test_methods (void)
{
  SsScenario *scenario = read_scenario (scenes[0]);

  for (int i = 0; i < ss_method_count (); i++)
    check_method (scenario, ss_method_at (i));
  for (int kind = 0; kind < SS_METHOD_KIND_COUNT; kind++) {
    const SsMethod added = {.kind = (SsMethodKind)kind,
                            .name = "added",
                            .label = "Added yesterday",
                            .summary = "A method of a stranger.",
                            .solves = kind == SS_METHOD_OPTIMISER ? "" : "Its law in a sentence."};
    SS_CHECK (!is_written (&added));
    check_method (scenario, &added);
  }
  ss_scenario_free (scenario);
}

/* The text of a method's equations with one option; g_free. */
static char *
text_with (const SsScenario *scenario, const SsMethod *method, const char *name, const char *value)
{
  g_autoptr (GPtrArray) options = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (options, g_strdup_printf ("%s=%s", name, value));
  SsappEquations *equations = ssapp_equations_new_with (scenario, method, options, &error);
  if (equations == NULL)
    printf ("%s: %s\n", (const char *)g_ptr_array_index (options, 0), error->message);
  SS_CHECK (equations != NULL);
  g_autofree char *latex = ssapp_equations_to_latex (equations);
  char *text = ssapp_equations_to_text (equations);
  SS_CHECK (is_balanced (latex));
  ssapp_equations_free (equations);
  return text;
}

/* With each value of each choice a method's equations hold together: a condition of the table that names no option, or
 * no value of it, is a critical warning. What the papers' literal forms are is shown; what is none of it is said. */
static void
test_options (void)
{
  static const struct {
    SsMethodKind kind;
    const char *name, *option, *value, *has, *has_not;
  } cases[] = {{SS_METHOD_INTEGRATOR, "constraint-solver", "law", "literal", "minimise ½ ζ |λₙ|²", "clamp(−B_r"},
               {SS_METHOD_INTEGRATOR, "constraint-solver", "law", "max", "clamp(−B_r", "minimise ½"},
               {SS_METHOD_INTEGRATOR, "constraint-solver", "compensate", "off", "λ = −K φ₁ − B φ̇₁\n", "M̂"},
               {SS_METHOD_INTEGRATOR, "constraint-solver", "rebound", "none", "Not in these formulas: rebound=none",
                "With rebound"},
               {SS_METHOD_INTEGRATOR, "stewart-trinkle", "gap", "end", "⟂ φ(q₁) ≥ 0", "e vₙ₀"},
               {SS_METHOD_INTEGRATOR, "stewart-trinkle", "restitution", "poisson", "pₙ − e p_c", "Newton"},
               {SS_METHOD_OPTIMISER, "crisp", "preset", "paper", "Δ ← Δ/4", "in a box"},
               {SS_METHOD_OPTIMISER, "crisp", "relax", "2", "σ − a b ≥ 0", "−a b ≥ 0"},
               {SS_METHOD_OPTIMISER, "ipopt", "complementarity", "penalty", "Σ a b/σ", "−a b ≥ 0"},
               {SS_METHOD_OPTIMISER, "crisp", "transcription", "fesd-j", "transcription fesd-j",
                "transcription time-stepping)"}};
  SsScenario *scenario = read_scenario (scenes[0]);
  g_autoptr (GPtrArray) wrong = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  const GLogLevelFlags fatal = g_log_set_always_fatal ((GLogLevelFlags)(G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL));

  for (int i = 0; i < ss_method_count (); i++) {
    const SsMethod *method = ss_method_at (i);
    for (int k = 0; k < method->options->n_specs; k++) {
      const SsOptionSpec *spec = &method->options->specs[k];
      for (int c = 0; spec->type == SS_OPTION_CHOICE && spec->choices[c] != NULL; c++) {
        g_autofree char *text = text_with (scenario, method, spec->name, spec->choices[c]);
        SS_CHECK_CONTAINS (text, method->label);
      }
    }
  }
  for (size_t k = 0; k < G_N_ELEMENTS (cases); k++) {
    const SsMethod *method = ss_method_find (cases[k].kind, cases[k].name, NULL);
    g_autofree char *text = text_with (scenario, method, cases[k].option, cases[k].value);
    SS_CHECK_CONTAINS (text, cases[k].has);
    if (strstr (text, cases[k].has_not) != NULL)
      printf ("%s %s=%s: %s\n", cases[k].name, cases[k].option, cases[k].value, cases[k].has_not);
    SS_CHECK (strstr (text, cases[k].has_not) == NULL);
  }
  g_ptr_array_add (wrong, "lawyer=max");
  SS_CHECK (ssapp_equations_new_with (scenario, ss_method_find (SS_METHOD_INTEGRATOR, "constraint-solver", NULL), wrong,
                                      &error) == NULL);
  SS_CHECK (error != NULL);
  if (error != NULL)
    SS_CHECK_CONTAINS (error->message, "lawyer");
  g_log_set_always_fatal (fatal);
  ss_scenario_free (scenario);
}

/* Whether a model of the scenario by that transcription has a block of that name. */
static bool
has_block (const SsTranscript *transcript, const char *name)
{
  const SsModel *model = ss_transcript_model (transcript)->model;

  for (int b = 0; b < model->n_blocks; b++)
    if (strcmp (model->blocks[b].name, name) == 0)
      return true;
  return false;
}

/* The rows that each transcription tells are blocks of its models, and `equations` shows these and no others. */
static void
test_transcriptions (void)
{
  static const struct {
    const char *file, *method;
    int index;
  } cases[] = {{"examples/plans/arm-push-box.stickslip.json", "crisp", 0},
               {"examples/fesd-j/discs.stickslip.json", "scholtes", 1},
               {"examples/time-freezing/particle-ocp.stickslip.json", "scholtes", 2}};

  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    SsScenario *scenario = ss_test_read_file (cases[k].file, NULL, 0);
    const SsMethod *method = ss_method_find (SS_METHOD_OPTIMISER, cases[k].method, NULL);
    const SsTranscriptionClass *class_ = ss_transcription_at (cases[k].index);
    SsTranscript *transcript = NULL;
    SsError err = {0};
    g_autofree void *own = g_malloc0 (class_->options->size);
    ss_options_init (class_->options, own);
    if (k > 0) /* penalties are no rows */
      SS_CHECK (ss_options_set (class_->options, own, "step-equilibration", "direct", &err) == SS_OK);
    SS_CHECK (scenario != NULL && method != NULL);
    SS_CHECK (ss_transcription_of (scenario, cases[k].method) == class_);
    const SsStatus status =
        ss_transcript_new (scenario, &(SsTranscribeOptions){.class_ = class_, .own = own}, &transcript, &err);
    SsappEquations *equations = ssapp_equations_new (scenario, method);
    g_autofree char *text = ssapp_equations_to_text (equations), *latex = ssapp_equations_to_latex (equations);
    SS_CHECK (status == SS_OK && class_->n_rows > 5);
    SS_CHECK_CONTAINS (text, class_->summary);
    SS_CHECK (is_balanced (latex));
    for (int i = 0; i < ss_transcription_count (); i++) {
      const SsTranscriptionClass *other = ss_transcription_at (i);
      for (int r = 0; r < other->n_rows; r++)
        if (other == class_) {
          SS_CHECK_CONTAINS (text, other->rows[r].text);
          if (other->rows[r].words != NULL) {
            g_autofree char *heading = g_strdup_printf ("%s, %s:", other->rows[r].block, other->rows[r].words);
            SS_CHECK_CONTAINS (text, heading);
          }
          if (status == SS_OK && !has_block (transcript, other->rows[r].block))
            printf ("%s: no block %s\n", other->name, other->rows[r].block);
          SS_CHECK (status == SS_OK && has_block (transcript, other->rows[r].block));
        }
      SS_CHECK (other == class_ || strstr (text, other->rows[0].text) == NULL);
    }
    ssapp_equations_free (equations);
    ss_transcript_free (transcript);
    ss_scenario_free (scenario);
  }
}

/* A name that nobody has would be an entry that is never shown. */
static void
test_written (void)
{
  for (guint k = 0; ssapp_equations_written (k).name != NULL; k++) {
    const SsMethodId id = ssapp_equations_written (k);
    if (ss_method_lookup (id) == NULL)
      printf ("%s is no method\n", id.name);
    SS_CHECK (ss_method_lookup (id) != NULL);
    for (guint j = 0; j < k; j++)
      SS_CHECK (!ss_method_id_is_equal (ssapp_equations_written (j), id));
  }
  SS_CHECK (ssapp_equations_written (0).name != NULL);
}

/* Only what LaTeX reads without more packages. */
static gboolean
is_plain_latex (const char *latex)
{
  for (const char *c = latex; *c != '\0'; c = g_utf8_next_char (c)) {
    const gunichar letter = g_utf8_get_char (c);
    if (letter >= 0x80 && (letter < 0xc0 || letter > 0x17f))
      return FALSE;
  }
  return g_utf8_validate (latex, -1, NULL);
}

static void
compile (const char *latex, const char *name)
{
  g_autofree char *program = g_find_program_in_path ("pdflatex"), *folder = NULL, *path = NULL;
  g_autoptr (GSubprocess) process = NULL;

  if (program == NULL)
    return;
  folder = g_dir_make_tmp ("test-equations-XXXXXX", NULL);
  path = g_build_filename (folder, "equations.tex", NULL);
  SS_CHECK (g_file_set_contents (path, latex, -1, NULL));
  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE, NULL, program, "-halt-on-error",
                              "-interaction=nonstopmode", "-output-directory", folder, path, NULL);
  if (process == NULL || !g_subprocess_wait_check (process, NULL, NULL)) {
    printf ("%s does not compile: %s\n", name, path);
    SS_CHECK (FALSE);
  }
}

/* Every file below a folder. */
static void
check_folder (const char *path, int *n)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *child = g_build_filename (path, name, NULL);
    SsScenario *scenario = NULL;
    SsProblems problems;
    if (g_file_test (child, G_FILE_TEST_IS_DIR)) {
      check_folder (child, n);
      continue;
    }
    ss_problems_init (&problems);
    if (g_str_has_suffix (name, ".stickslip.json") &&
        ss_scenario_read_file (child, NULL, 0, &problems, &scenario) == SS_OK) {
      SsappEquations *equations = ssapp_equations_new (scenario, NULL);
      g_autofree char *text = ssapp_equations_to_text (equations), *latex = ssapp_equations_to_latex (equations);
      if (!is_balanced (latex) || !is_plain_latex (latex) || strstr (text, "(null)") != NULL)
        printf ("%s\n", child);
      SS_CHECK (is_balanced (latex) && is_plain_latex (latex) && !has_double_power (latex));
      const char *body = strstr (latex, "\\subsection"); /* after the title, which may ask */
      const char *unknown = body != NULL ? strchr (body, '?') : NULL;
      if (has_double_power (latex) || unknown != NULL)
        printf ("%s: %.60s\n", name, unknown != NULL ? unknown - 30 : "double power");
      SS_CHECK (body != NULL && unknown == NULL); /* a sign that nobody has translated */
      SS_CHECK (g_utf8_validate (text, -1, NULL) && strstr (text, "(null)") == NULL);
      if (*n % 16 == 0)
        compile (latex, name);
      (*n)++;
      ssapp_equations_free (equations);
    }
    ss_problems_clear (&problems);
    ss_scenario_free (scenario);
  }
}

static void
test_examples (void)
{
  int n = 0;

  check_folder (SS_SOURCE_ROOT "/examples", &n);
  SS_CHECK (n > 60);
}

static void
test_names (void)
{
  static const char *const pairs[][2] = {{"theta", "\\theta"},           {"l1", "l_{1}"},
                                         {"px", "\\mathit{px}"},         {"x", "x"},
                                         {"box.x", "{x}_{\\text{box}}"}, {"a_b", "\\text{a\\_b}"}};

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++) {
    g_autofree char *name = ssapp_latex_name (pairs[i][0]);
    SS_CHECK_STR (name, pairs[i][1]);
  }
  SS_CHECK (has_double_power ("{x}^{+}^{2}") && !has_double_power ("{{x}^{+}}^{2} y^{2}"));
  g_autofree char *words = ssapp_latex_words ("50 % of μ_k {x} é 漢");
  SS_CHECK_STR (words, "50 \\% of $\\mu$\\_k \\{x\\} é ?");
}

int
main (void)
{
  SS_RUN (test_formulas);
  SS_RUN (test_too_long);
  SS_RUN (test_gaps);
  SS_RUN (test_methods);
  SS_RUN (test_options);
  SS_RUN (test_transcriptions);
  SS_RUN (test_written);
  SS_RUN (test_examples);
  SS_RUN (test_names);
  return ss_test_finish ();
}
