/* app/bench/ssapp-paper-comparisons.c: two works that the field argues about, on scenes of ours: which contact law
 * breaks what (Le Lidec and others), which solver of a step's problem reaches which residual in which time (Acary and
 * others). How an item is added: ssapp-paper-item.h. */
#include "app/bench/ssapp-paper-item.h"

#include "app/base/ssapp-method-list.h"
#include "app/bench/ssapp-bench-contacts.h"
#include "app/bench/ssapp-bench-laws.h"

static SsappBenchSheet *
make_laws (const SsappPaperPlan *plan, const SsappPaperItem *item, char **message)
{
  (void)item;
  (void)message;
  g_autofree char *all = ssapp_method_list_all (SS_METHOD_INTEGRATOR);
  g_autoptr (GPtrArray) methods = ssapp_bench_methods_parse (SS_METHOD_INTEGRATOR, all, NULL);

  return ssapp_bench_laws (&(SsappBenchLawsPlan){.methods = methods, .control = plan->control, .say = plan->say});
}

static SsappBenchSheet *
make_solvers (const SsappPaperPlan *plan, const SsappPaperItem *item, char **message)
{
  static const SsStepLimits limits = {.absolute = 1e-8, .cpu_seconds = 1};
  enum { QUICK = 10 }; /* one in so many */
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) names = ssapp_bench_contacts_names (NULL, &error);
  SsappBenchContacts *bench = names != NULL ? ssapp_bench_contacts_new (NULL, &limits, &error) : NULL;
  SsappBenchSheet *sheet = NULL;

  (void)item;
  for (guint i = names != NULL ? names->len : 0; plan->extent == SSAPP_PAPER_QUICK && i-- > 0;)
    if (i % QUICK != 0)
      g_ptr_array_remove_index (names, i);
  if (bench != NULL && ssapp_bench_contacts_run (bench, names, plan->control, plan->say, &error)) {
    sheet = ssapp_bench_sheet_new ();
    ssapp_bench_sheet_take (sheet, "solvers", ssapp_bench_contacts_summary (bench));
    ssapp_bench_sheet_take (sheet, "levels", ssapp_bench_contacts_levels (bench));
    ssapp_bench_sheet_take (sheet, "runs", ssapp_bench_contacts_runs (bench));
    ssapp_bench_sheet_take (sheet, "profiles", ssapp_bench_contacts_curves (bench, SSAPP_CONTACTS_LEVELS));
  }
  ssapp_bench_contacts_free (bench);
  if (sheet == NULL)
    *message = g_strdup (error->message);
  return sheet;
}

#define LIDEC    "Le Lidec et al. 2024, Contact Models in Robotics"
#define ACARY    "Acary et al. 2018, On solving contact problems with Coulomb friction"
#define ROUNDING "rounding"
#define EXACT    "rigid bodies with Coulomb friction"

/* clang-format off */
#define LAWS_CHART(column, title, unit)                                                                                \
  {column, title, "numbers", NULL, "dt", column, "method", "Step [s]", unit, TRUE, TRUE}
static const SsappPaperChart laws_charts[] = {
  LAWS_CHART ("lifts", "What slides is lifted", "Lift [m]"), LAWS_CHART ("throws", "What begins to slide is thrown", "Height [m]"),
  LAWS_CHART ("slips", "What slides goes too far", "Error after 1 s [m]"), LAWS_CHART ("sinks", "What rests sinks", "Depth [m]"),
  LAWS_CHART ("creeps", "What sticks creeps", "Speed [m/s]"), LAWS_CHART ("drifts", "Joints open", "Distance [m]"),
  {"squeezes", "Forces that cancel each other", "numbers", NULL, "dt", "squeezes", "method", "Step [s]", "Part of the weight", TRUE, FALSE},
  {NULL}};

/* A defect of a method at the shortest step, h = 2.5 ms. */
#define LAW(method, column, value, words, kind_, within, reason)                                                       \
  {column " by {method}, h = {dt} s", "numbers", "method=" method ",dt=0.0025", column, SSAPP_TRUTH (value),           \
   .truth_words = words, .kind = kind_, .tolerance = within, .why = reason}
#define LAW_IS_EXACT(method, column) LAW (method, column, 0, EXACT, SSAPP_CLAIM_WITHIN, 1e-9, ROUNDING)
#define SLIDES_FROM_REST "a h/2 with a = g (sin - mu cos): velocities of the steps' ends"
/* Numbers: tests/unit/test-laws.c has the closed forms. */
static const SsappPaperClaim laws_claims[] = {
  LAW_IS_EXACT ("moreau-jean", "sinks"), LAW_IS_EXACT ("moreau-jean", "lifts"), LAW_IS_EXACT ("moreau-jean", "throws"),
  LAW_IS_EXACT ("moreau-jean", "slips"), LAW_IS_EXACT ("moreau-jean", "creeps"), LAW_IS_EXACT ("moreau-jean", "rebounds"),
  LAW_IS_EXACT ("fesd-j", "sinks"), LAW_IS_EXACT ("fesd-j", "lifts"), LAW_IS_EXACT ("fesd-j", "throws"), LAW_IS_EXACT ("fesd-j", "slips"),
  LAW_IS_EXACT ("fesd-j", "creeps"), LAW_IS_EXACT ("fesd-j", "rebounds"),
  LAW ("stewart-trinkle", "slips", 1.6914594e-3, SLIDES_FROM_REST, SSAPP_CLAIM_NEAR, 1e-4, "six digits of the closed form"),
  LAW ("constraint-solver", "slips", 1.6914594e-3, SLIDES_FROM_REST, SSAPP_CLAIM_NEAR, 1e-3, "contacts are soft"),
  LAW ("convex-time-stepping", "lifts", 4.2286485e-4, "h mu v: the relaxed cone keeps a gap of h mu times the speed", SSAPP_CLAIM_NEAR, 0.03,
       "first order in h: the speed of the last step but one"),
  LAW ("convex-time-stepping", "throws", 9.8158e-4, "(mu v)^2/(2 g cos) + h mu v/2", SSAPP_CLAIM_WITHIN, 3e-5, "the speed changes by some per cent in the hop"),
  LAW ("implicit-euler", "sinks", 2.943e-5, "(3 + 2 + 1) m g/(2 K)", SSAPP_CLAIM_WITHIN, 1e-9, ROUNDING),
  LAW ("constraint-solver", "sinks", 2.943e-7, "(3 + 2 + 1) m g/(2 K)", SSAPP_CLAIM_WITHIN, 1e-9, ROUNDING),
  LAW ("implicit-euler", "creeps", 1.26821e-6, "m g sin/(2 B)", SSAPP_CLAIM_WITHIN, 1e-10, ROUNDING),
  LAW ("constraint-solver", "creeps", 3.17052e-9, "m g sin/(2 B)", SSAPP_CLAIM_WITHIN, 1e-10, ROUNDING),
  LAW_IS_EXACT ("fesd-j", "squeezes"), LAW_IS_EXACT ("event-driven", "squeezes"),
  LAW ("moreau-jean", "squeezes", 0.1339746, "tan (alpha)/2: what holds it without friction", SSAPP_CLAIM_WITHIN, 1e-6, "seven digits of the closed form"),
  LAW ("stewart-trinkle", "squeezes", 0.1339746, "tan (alpha)/2: what holds it without friction", SSAPP_CLAIM_WITHIN, 1e-6,
       "seven digits of the closed form"),
  {"squeezes by {method}, h = {dt} s", "numbers", "method=convex-time-stepping,dt=0.0025", "squeezes", SSAPP_TRUTH (0.4433757),
   .truth_words = "most that Coulomb's cones allow, tan (alpha + phi)/2", .kind = SSAPP_CLAIM_AT_MOST, .why = ROUNDING},
  {NULL}};

#define PROFILE(key, level)                                                                                            \
  {key, "Problems solved to " level " m/s", "profiles", "level=" level, "ratio", "solved", "solver", "CPU time over the fastest",          \
   "Part of the problems", TRUE, .is_step = TRUE, .has_no_mark = TRUE}
static const SsappPaperChart solvers_charts[] = {
  PROFILE ("level-2", "1e-02"), PROFILE ("level-4", "1e-04"), PROFILE ("level-6", "1e-06"), PROFILE ("level-8", "1e-08"),
  {NULL}};

static const SsappPaperClaim solvers_claims[] = {
  {"problems that {solver} solves", "solvers", "solver=step", "solved", .truth = "problems", .truth_words = "problems that it takes",
   .kind = SSAPP_CLAIM_WITHIN, .tolerance = 0, .why = "a count: each answer is judged by code that no solver shares"},
  {"problems in which {solver} reaches {level} m/s", "levels", "level=1e-02,solver=gauss-seidel", "reached", .truth = "problems",
   .truth_words = "all: projections come near soon", .kind = SSAPP_CLAIM_AT_LEAST, .tolerance = 0.05,
   .why = "what a second of CPU time allows on another machine"},
  {"median time of {solver} to {level} m/s", "levels", "level=1e-08", "median_cpu_seconds",
   .cannot = "The paper has problems in space, on another machine"},
  {NULL}};

const SsappPaperItem ssapp_paper_comparison_items[] = {
  {.paper = {"comparisons-laws", "comparisons", "Laws", "What each contact law breaks", LIDEC ": Laws by their criteria, on scenes of ours",
     "What integrators do that rigid bodies with Coulomb friction do not, over four steps: sink, lift, throw, slip, creep, rebound, drift, gain energy, "
     "and press bodies against each other by forces that cancel. Each is measured against a closed form.", NULL, NULL},
   .make = make_laws, .tables = "laws;numbers", .charts = laws_charts, .claims = laws_claims,
   .better = "fesd-j and event-driven have none of these defects, and hold a disc in a groove with the least forces"},
  {.paper = {"comparisons-solvers", "comparisons", "Solvers", "Which solver reaches which residual in which time",
     ACARY ": Solvers by profiles, on problems of ours",
     "Contact problems of single steps by each solver, with a second of CPU time each: on how many it is within a factor of the fastest, for four "
     "residuals. The paper's problems are in space.", "one problem in ten", NULL},
   .make = make_solvers, .tables = "solvers;levels;runs;profiles", .charts = solvers_charts, .claims = solvers_claims},
  {.paper = {NULL}},
};
/* clang-format on */
