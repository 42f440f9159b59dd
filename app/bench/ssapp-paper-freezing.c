/* app/bench/ssapp-paper-freezing.c: figures and tables of paper 001; how one is added: ssapp-paper-item.h. */
#include "app/bench/ssapp-paper-item.h"

#include "app/bench/ssapp-bench-freeze.h"

/* The part of the suite: "examples", "plan" or "work". */
static SsappBenchSheet *
make_part (const SsappPaperPlan *plan, const SsappPaperItem *item, char **message)
{
  const SsappBenchFreezePlan freeze = {
      .parts = (int)ssapp_bench_freeze_part (item->part), .control = plan->control, .say = plan->say};
  SsappBenchFreeze *bench = ssapp_bench_freeze_new (&freeze);
  int n_failed;
  SsappBenchSheet *sheet = ssapp_bench_freeze_sheet (bench, &n_failed);

  (void)message;
  ssapp_bench_freeze_free (bench);
  return sheet;
}

#define FREEZING "Nurkanović et al., time-freezing"

/* clang-format off */
const SsappPaperItem ssapp_paper_freezing_items[] = {
  {.paper = {"time-freezing-figures-1-5", "time-freezing", "Figs 1 to 5", "Examples of time-freezing", FREEZING ": Examples 1 to 4, Figs 1, 2, 3 and 5",
    "A particle falls, slides and takes off, without friction and with 0.6: times of impact, end of jump and take-off in numerical time, and the state at "
    "the end, beside the closed form. The paper draws these motions and does not print their numbers.", NULL, NULL},
   .make = make_part, .part = "examples", .tables = "examples", .is_group = TRUE},
  {.paper = {"time-freezing-figure-6", "time-freezing", "Fig. 6", "Plan with time-freezing", FREEZING ": Example 5, Fig. 6 and section 5.3",
    "The particle is guided along a curve: the plan with the cost in numerical time, from the paper's start, polished, and its controls in a simulation, "
    "beside the exact optimum.", NULL, NULL},
   .make = make_part, .part = "plan", .tables = "examples"},
  {.paper = {NULL}},
};
/* clang-format on */
