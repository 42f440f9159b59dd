/* app/bench/ssapp-paper-impacts.c: figures and tables of paper 002; how one is added: ssapp-paper-item.h. */
#include "app/bench/ssapp-paper-item.h"

#include "app/bench/ssapp-bench-impacts.h"

static SsappBenchSheet *
make_part (const SsappPaperPlan *plan, const SsappPaperItem *item, char **message)
{
  (void)message;
  return ssapp_bench_impacts (&(SsappBenchImpactsPlan){
      .is_all = plan->extent == SSAPP_PAPER_ALL, .only = item->part, .control = plan->control, .say = plan->say});
}

#define IMPACTS "Halm and Posa, set-valued impacts"

/* clang-format off */
const SsappPaperItem ssapp_paper_impacts_items[] = {
  {.paper = {"impacts-table-3", "impacts", "Table 3", "Cost of sampling impacts", IMPACTS ": Table 3 and section 5.4",
    "Samples of all velocities after an impact, for the paper's five models: complementarity problems a sample, time a sample and a problem. The paper's "
    "times are of a program in another language on another machine.", NULL, "2^20 samples instead of 2^14"},
   .make = make_part, .part = "sampling", .tables = "sampling"},
  {.paper = {"impacts-figure-12", "impacts", "Fig. 12", "Corners that give way", IMPACTS ": Fig. 12 and section 5.4.1",
    "The corners of the rocking block as springs and dampers: a sweep of their stiffness and of the angle of the fall, beside the extremes of the set of "
    "outcomes.", NULL, NULL},
   .make = make_part, .part = "compliant", .tables = "compliant"},
  {.paper = {NULL}},
};
/* clang-format on */
