/* engine/nlp/ss-interior.c: see ss-interior.h. */
#include "nlp/ss-interior.h"

#include "core/ss-work.h"
#include "nlp/ss-finish.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

/* The finish has that many times the work of the way, and a hundredth of a second at least: what takes longer goes
 * through branch after branch of a poor point, and another start is worth more. */
static const double FINISH_MOST = 4, FINISH_LEAST = 0.01 * SS_WORK_SECOND;

#define FIELD(name) offsetof (SsInteriorOptions, name)

static const SsOptionSpec specs[] = {
    {"mu-first", SS_OPTION_REAL, FIELD (mu_first), 1e-12, 1e6, 1, NULL, "mu", "", true,
     "First barrier parameter; raised, the way begins further from the limits."},
    {"mu-last", SS_OPTION_REAL, FIELD (mu_last), 1e-12, 1e6, 1e-5, NULL, "", "", false,
     "Last barrier parameter before the finish."},
    {"sigma-first", SS_OPTION_REAL, FIELD (sigma_first), 1e-12, 1e12, 1000, NULL, "sigma", "", true,
     "Products of pairs may first be this large; raised, forces act from further away."},
    {"sigma-last", SS_OPTION_REAL, FIELD (sigma_last), 1e-12, 1e12, 1e-4, NULL, "", "", false,
     "Products allowed at the end of the way, before the finish."},
    {"factor", SS_OPTION_REAL, FIELD (factor), 1e-6, 0.99, 0.35, NULL, "", "", false,
     "Of the barrier parameter from one level to the next."},
    {"penalty", SS_OPTION_REAL, FIELD (penalty), 1e-3, 1e8, 30, NULL, "", "", true, "Of violated rows on the way."},
    {"raise-below", SS_OPTION_REAL, FIELD (raise_below), 0, 1e6, 1e-2, NULL, "", "", false,
     "Barrier parameter from which on penalties of rows that are still violated rise at each level; 0: they never do."},
    {"max-steps", SS_OPTION_INTEGER, FIELD (max_steps), 1, 1e6, 300, NULL, "", "", true, "Newton steps on the way."},
    {"level-steps", SS_OPTION_INTEGER, FIELD (level_steps), 1, 1e6, 30, NULL, "", "", false,
     "Newton steps of one barrier parameter."},
};

static const SsOptionTable option_table = {sizeof specs / sizeof specs[0], specs, sizeof (SsInteriorOptions), 0};

typedef struct {
  SsInteriorOptions o;
  const SsMpcc *mpcc;
  SsBounds bounds;
  SsBranch *relaxed;
  SsFinish *finish;
} Interior;

static void
interior_free (void *data)
{
  Interior *s = data;

  if (s == NULL)
    return;
  ss_branch_free (s->relaxed);
  ss_finish_free (s->finish);
  ss_bounds_clear (&s->bounds);
  ss_free (s);
}

static SsStatus
interior_new (const SsMpcc *mpcc, const void *options, void **out, SsError *err)
{
  Interior *s = ss_new (Interior);
  SsStatus status;

  *out = NULL;
  if (s == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for the interior point");
  s->mpcc = mpcc;
  if (options != NULL)
    s->o = *(const SsInteriorOptions *)options;
  else
    ss_options_init (&option_table, &s->o);
  if ((status = ss_bounds_init (&s->bounds, mpcc, SS_BOUNDS_EXACT, err)) != SS_OK ||
      (status = ss_branch_new (mpcc, &s->bounds, true, &s->relaxed, err)) != SS_OK ||
      (status = ss_finish_new (mpcc, &s->finish, err)) != SS_OK) {
    interior_free (s);
    return status;
  }
  *out = s;
  return SS_OK;
}

SsRelaxation
ss_interior_way (const SsInteriorOptions *options)
{
  SsInteriorOptions o;

  if (options != NULL)
    o = *options;
  else
    ss_options_init (&option_table, &o);
  const double levels = fmax (1, log (o.mu_last / o.mu_first) / log (o.factor));
  return (SsRelaxation){.penalty = o.penalty,
                        .mu_first = o.mu_first,
                        .mu_factor = o.factor,
                        .mu_last = o.mu_last * 1.0001,
                        .sigma_first = o.sigma_first,
                        .sigma_factor = pow (o.sigma_last / o.sigma_first, 1 / levels),
                        .max_steps = o.max_steps,
                        .level_steps = o.level_steps,
                        .raise_below = o.raise_below};
}

/* The finish of the way's end, within its share of the work. */
static SsStatus
finish_way (Interior *s, const double *x, double way_work, SsRunControl *control, SsFinishResult *finish, SsError *err)
{
  SsFinishOptions options;
  SsRunControl silent;

  if (control == NULL) {
    ss_run_control_init (&silent);
    control = &silent;
  }
  ss_finish_options_init (&options);
  const double outer = control->work_limit;
  control->work_limit = fmin (outer, ss_work_thread () + fmax (FINISH_MOST * way_work, FINISH_LEAST));
  const SsStatus status = ss_finish_run (s->finish, x, NULL, &options, control, finish, err);
  control->work_limit = outer;
  return status;
}

static SsStatus
interior_solve (void *data, const double *x0, SsRunControl *control, SsNlpResult *result, SsError *err)
{
  Interior *s = data;
  const double wall = ss_clock_wall (), cpu = ss_clock_thread_cpu (), work = ss_work_thread ();
  const SsRelaxation way = ss_interior_way (&s->o);
  SsBranchResult relaxed;
  SsFinishResult finish;

  *result =
      (SsNlpResult){.outcome = SS_OUTCOME_INFEASIBLE, .stationarity = NAN, .qp_seconds = NAN, .linear_seconds = NAN};
  if (!ss_bounds_update (&s->bounds, result->message, sizeof result->message)) {
    result->x = x0;
    return SS_OK;
  }
  ss_branch_relax (s->relaxed, x0, &way, control, &relaxed);
  const SsStatus status = finish_way (s, relaxed.x, ss_work_thread () - work, control, &finish, err);
  if (status != SS_OK)
    return status;
  result->x = finish.x;
  result->outcome = finish.is_improved && finish.violation <= 2e-8 ? SS_OUTCOME_SOLVED : SS_OUTCOME_INFEASIBLE;
  result->iterations = relaxed.iterations + finish.iterations;
  ss_finish_tell (&finish, &result->finish);
  snprintf (result->message, sizeof result->message, "%d Newton steps on the way, violation %.1e at its end",
            relaxed.iterations, relaxed.violation);
  ss_finish_say (&result->finish, result->message, sizeof result->message);
  result->solve_seconds = ss_clock_wall () - wall;
  result->cpu_seconds = ss_clock_thread_cpu () - cpu;
  return SS_OK;
}

const SsNlpClass ss_nlp_interior = {
    .name = "interior",
    .label = "Interior point",
    .summary = "Exact Newton steps on products relaxed less and less, then the second-order finish",
    .version = "0.1.0",
    .options = &option_table,
    .new_ = interior_new,
    .solve = interior_solve,
    .free_ = interior_free,
};
