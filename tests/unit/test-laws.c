/* tests/unit/test-laws.c: what laws do that rigid bodies with Coulomb friction do not (app/bench/ssapp-bench-laws.c),
 * where that has a closed form. */
#include "app/bench/ssapp-bench-laws.h"
#include "app/bench/ssapp-paper.h"
#include "tests/ss-test.h"

#include <math.h>
#include <string.h>

enum { METHOD, DT, SINKS, LIFTS, THROWS, SLIPS, CREEPS, REBOUNDS, DRIFTS, GAINS_JOINT, GAINS_CONTACT, SQUEEZES };

/* With h a step of the method, a = g (sin - mu cos) of the slope, K and B_r the defaults of the methods:
 * semi-implicit Euler's steps slide a h/2 too far in 1 s; the relaxed cone lifts what slides by h mu times the speed;
 * what begins to slide at a speed v leaves the slope with mu v, up to (mu v)^2/(2 g cos), h mu v/2 higher by its steps;
 * stacked cubes of 1 kg sink by (3 + 2 + 1) m g/(2 K); what sticks by a damper creeps at m g sin/(2 B_r).
 * Where nothing slips, no damper pulls along: a disc in a groove of 15 degrees is held as without friction, by forces
 * of which tan (alpha)/2 of its weight cancel; the relaxed cone stays within what Coulomb's cones allow. */
static void
defects_are_those_of_closed_forms (void)
{
  SsRunControl control;
  char *message = NULL;
  g_autoptr (GPtrArray) methods = ssapp_bench_methods_parse (
      SS_METHOD_INTEGRATOR, "moreau-jean,stewart-trinkle,convex-time-stepping,constraint-solver,implicit-euler",
      &message);
  const double slope = 15 * G_PI / 180, a = 9.8 * (sin (slope) - 0.125 * cos (slope));

  ss_run_control_init (&control);
  SsappBenchSheet *sheet = ssapp_bench_laws (&(SsappBenchLawsPlan){.methods = methods, .control = &control});
  json_t *document = json_pack ("{s:o}", "tables", ssapp_bench_sheet_to_documents (sheet));
  g_autoptr (GPtrArray) tables = ssapp_paper_read (document);
  const SsappTable *laws = g_ptr_array_index (tables, 0), *table = g_ptr_array_index (tables, 1);

  SS_CHECK (ssapp_table_get_n_rows (laws) == 5 && ssapp_table_get_n_rows (table) == 20);
  for (guint i = 0; i < ssapp_table_get_n_rows (table); i++) {
    const char *name = ssapp_table_get_text (table, i, METHOD);
    const double h = ssapp_table_get_number (table, i, DT);
    const gboolean is_moreau = strcmp (name, "moreau-jean") == 0,
                   is_relaxed = strcmp (name, "convex-time-stepping") == 0;
    const gboolean is_solver = strcmp (name, "constraint-solver") == 0,
                   is_penalty = strcmp (name, "implicit-euler") == 0;
    const double K = is_solver ? 1e8 : 1e6, B_r = is_solver ? 1e6 / h : 1e6;
    SS_CHECK_NEAR (ssapp_table_get_number (table, i, SINKS), is_solver || is_penalty ? 6 * 9.81 / (2 * K) : 0, 1e-9);
    if (!is_relaxed)
      SS_CHECK_NEAR (ssapp_table_get_number (table, i, SLIPS), is_moreau ? 0 : a * h / 2, 1e-6);
    /* to first order in h: the speed of the last step but one */
    SS_CHECK_NEAR (ssapp_table_get_number (table, i, LIFTS), is_relaxed ? h * 0.125 * a : 0, 0.03 * h * 0.125 * a);
    if (!is_relaxed || h <= 0.005) /* with longer steps it is lifted more than it is thrown */
      SS_CHECK_NEAR (ssapp_table_get_number (table, i, THROWS),
                     is_relaxed ? 0.125 * 0.125 / (2 * 9.8 * cos (slope)) + h * 0.125 / 2 : 0,
                     is_relaxed ? 3e-5 : 1e-9); /* v changes by some per cent in the hop */
    SS_CHECK_NEAR (ssapp_table_get_number (table, i, CREEPS),
                   is_solver || is_penalty ? 9.8 * sin (slope) / (2 * B_r) : 0, 1e-10);
    SS_CHECK_NEAR (ssapp_table_get_number (table, i, REBOUNDS), 0, 1e-9);
    if (is_relaxed || is_solver)
      SS_CHECK (ssapp_table_get_number (table, i, SQUEEZES) <= tan (slope + atan (0.5)) / 2);
    else /* the penalty's contacts give way by 5e-6 m of 0.1 m, while a damper holds against that */
      SS_CHECK_NEAR (ssapp_table_get_number (table, i, SQUEEZES), tan (slope) / 2, is_penalty ? 5e-6 : 1e-9);
  }
  SS_CHECK_STR (ssapp_table_get_text (laws, 2, 2), "order 1.0"); /* the relaxed law lifts, and that goes away */
  SS_CHECK_STR (ssapp_table_get_text (laws, 2, 3), "1e-03");     /* and throws, which stays */
  SS_CHECK_STR (ssapp_table_get_text (laws, 0, 1), "no");
  json_decref (document);
  ssapp_bench_sheet_free (sheet);
}

int
main (void)
{
  SS_RUN (defects_are_those_of_closed_forms);
  return ss_test_finish ();
}
