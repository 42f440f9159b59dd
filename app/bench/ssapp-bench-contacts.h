/* app/bench/ssapp-bench-contacts.h: solvers of steps' problems side by side on any number of problems: table, result,
 * figures.
 *
 * Every run is judged by judge/ss-step-problem.h, in CPU time of the solver alone. Profiles: E. D. Dolan, J. J. More,
 * Math. Program. 91 (2002), eq. (2.2): of each solver the part of the problems that it solves within a factor of the
 * fastest one's CPU time; what is not solved, or is none of the solver's problems, has the ratio infinity.
 * Threads: one at a time. Tests: tests/unit/test-step-file.c, tests/cli/test-contacts.sh */
#pragma once

#include <gio/gio.h>
#include <jansson.h>

#include "app/base/ssapp-table.h"
#include "app/bench/ssapp-bench-runs.h"
#include "contact/ss-step-solver.h"

G_BEGIN_DECLS

typedef struct SsappBenchContacts SsappBenchContacts;

/* Without problems; the limits are copied. NULL with an error that names what is no solver. `solvers`: names with
 * commas between them, "all" or NULL. */
SsappBenchContacts *ssapp_bench_contacts_new (const char *solvers, const SsStepLimits *limits, GError **error);
void ssapp_bench_contacts_free (SsappBenchContacts *self); /* NULL is allowed */
/* Runs all solvers on one more problem. FALSE with an error: it has none (memory, a matrix that is singular). */
gboolean ssapp_bench_contacts_add (SsappBenchContacts *self, const char *name, const SsStepProblem *problem,
                                   SsRunControl *control, GError **error);

/* ---- problems that are built in (ssapp-bench-contacts-built-in.c) ------------------------------------------------ */

/* Names of those that begin with one of `begins` (NULL-terminated; NULL: all), sorted; g_ptr_array_unref. NULL with an
 * error that names what none begins with. Programs without them have none: an error. */
GPtrArray *ssapp_bench_contacts_names (const char *const *begins, GError **error);
/* The file of that name, JSON; g_bytes_unref. */
GBytes *ssapp_bench_contacts_text (const char *name);
/* Runs all solvers on these, `say` (nullable) gets a line each; a cancel ends it with what there is. FALSE with an
 * error, as ssapp_bench_contacts_add. */
gboolean ssapp_bench_contacts_run (SsappBenchContacts *self, const GPtrArray *names, SsRunControl *control,
                                   SsappBenchSay say, GError **error);

/* ---- what there is ----------------------------------------------------------------------------------------------- */

/* Of those that were run; results are borrowed. */
guint ssapp_bench_contacts_n_problems (const SsappBenchContacts *self);
guint ssapp_bench_contacts_n_solvers (const SsappBenchContacts *self);
const SsStepSolver *ssapp_bench_contacts_solver (const SsappBenchContacts *self, guint solver);
const SsStepResult *ssapp_bench_contacts_result (const SsappBenchContacts *self, guint problem, guint solver);
/* Problems that no solver solved. */
guint ssapp_bench_contacts_n_unsolved (const SsappBenchContacts *self);

/* A row a run, and a row a solver; new. */
SsappTable *ssapp_bench_contacts_runs (const SsappBenchContacts *self);
SsappTable *ssapp_bench_contacts_summary (const SsappBenchContacts *self);
/* CPU time [s] after which a run had an iterate of that residual [m/s] or less; INFINITY: it never had. */
double ssapp_bench_contacts_time_to (const SsappBenchContacts *self, guint problem, guint solver, double level);
/* Residuals that are looked at, 1e-2, 1e-4, ... m/s, down to the tolerance of the runs. */
guint ssapp_bench_contacts_n_levels (const SsappBenchContacts *self);
double ssapp_bench_contacts_level (guint index);
/* Which solver reaches which of them in which time, as V. Acary and others compare solvers (Math. Program. 168 (2018)):
 * a row a level and solver; new. */
SsappTable *ssapp_bench_contacts_levels (const SsappBenchContacts *self);
/* The result: see data/manual/step-problems.md; new. `with_history`: samples of every run. */
json_t *ssapp_bench_contacts_to_json (const SsappBenchContacts *self, gboolean with_history);

/* ---- figures (ssapp-bench-contacts-plot.c) ----------------------------------------------------------------------- */

typedef enum {
  SSAPP_CONTACTS_PROFILE,    /* part of the problems solved over the ratio to the fastest      */
  SSAPP_CONTACTS_TIME,       /* residual over CPU time; of several problems their median       */
  SSAPP_CONTACTS_ITERATIONS, /* residual over iterations                                       */
  SSAPP_CONTACTS_LEVELS,     /* a profile a residual, one below the other                      */
  SSAPP_CONTACTS_N_PLOTS
} SsappContactsPlot;
extern const char *const ssapp_contacts_plot_names[SSAPP_CONTACTS_N_PLOTS + 1]; /* "profile", ...; then NULL */

/* As the ending says: pictures, or the curves as a table. Errors name the file. */
gboolean ssapp_bench_contacts_export (const SsappBenchContacts *self, SsappContactsPlot plot, double width_mm,
                                      const char *path, GError **error);
/* The curves: solver, x, y, of LEVELS then the level. New. */
SsappTable *ssapp_bench_contacts_curves (const SsappBenchContacts *self, SsappContactsPlot plot);

G_END_DECLS
