/* engine/nlp/ss-auto.c: see the header. */
#include "nlp/ss-auto.h"

#include "nlp/ss-crisp-race.h"

#include <stddef.h>

static const char *const MEMBERS[] = {"all",     "given",    "sampled", "priced", "drawn",    "again",
                                      "joint",   "dearer",   "whole",   "ipopt",  "elements", "steady",
                                      "refined", "improved", "lowered", "fine",   NULL};

static const SsOptionSpec SPECS[] = {
    {"member", SS_OPTION_CHOICE, offsetof (SsAutoOptions, member), 0, SS_RACE_MEMBERS - 1, SS_RACE_ALL, MEMBERS, "", "",
     true,
     "Of plans of scenes: one member of the race alone. given: from the motion that the run starts from; sampled: from "
     "the best of many simulated motions; priced: "
     "products priced, contacts lazily; drawn: CRISP's preset of drawn scenes, contacts lazily, levels cut short; "
     "again: as sampled, from other motions; joint: as priced, in joint coordinates; dearer: as priced, at ten times "
     "the price, from lower penalties; whole: as drawn, with all contacts; ipopt, elements: from the motion that Ipopt "
     "finds in a process of its own, by time stepping or by finite elements (fesd-j) from several starts; steady: as "
     "sampled, but the first "
     "plan near that motion; refined: halves the steps of the plan that the run starts from until its replay holds "
     "(see refine); improved, lowered: from the plan that the run starts from with all contacts, by CRISP's settings "
     "for drawn scenes or by its default ones, which begin with low penalties, and the second-order finish; fine: "
     "sampled motions, each shot at the targets in a quarter of the "
     "steps' length and less, until the replay of one holds."},
    {"threads", SS_OPTION_INTEGER, offsetof (SsAutoOptions, threads), 1, 16, 2, NULL, "", "", true,
     "Members that run at once."},
    {"budget", SS_OPTION_REAL, offsetof (SsAutoOptions, budget), 0, 1e6, 0, NULL, "", "s", true,
     "CPU time after which the race ends, all its threads and processes together: another name of --cpu-limit. 0: "
     "that, "
     "or, where no limit is given at all, counted work of a minute on each thread."},
    {"improve", SS_OPTION_REAL, offsetof (SsAutoOptions, improve), 0, 1e6, 1, NULL, "", "", true,
     "How long members go on after the first honest answer, as a part of the counted work until it."},
    {"seed", SS_OPTION_INTEGER, offsetof (SsAutoOptions, seed), 0, 1000000000, 1, NULL, "", "", false,
     "Of the motions that are sampled."},
    {"refine", SS_OPTION_INTEGER, offsetof (SsAutoOptions, refine), 0, 8, 6, NULL, "", "", false,
     "Of plans of scenes whose replay at a tenth of their step ends more than 5 mm away: how often their steps may be "
     "halved, after the race, until it does not; 0: they stay as they are."},
};

static const SsOptionTable auto_option_table = {sizeof SPECS / sizeof *SPECS, SPECS, sizeof (SsAutoOptions), 0};

/* Models: the race of ss-crisp-race.h. */
static SsStatus
auto_new (const SsMpcc *mpcc, const void *options, void **solver, SsError *err)
{
  (void)options;
  return ss_nlp_crisp_race.new_ (mpcc, NULL, solver, err);
}

static SsStatus
auto_solve (void *solver, const double *x0, SsRunControl *control, SsNlpResult *result, SsError *err)
{
  return ss_nlp_crisp_race.solve (solver, x0, control, result, err);
}

static void
auto_free (void *solver)
{
  ss_nlp_crisp_race.free_ (solver);
}

const SsNlpClass ss_nlp_auto = {
    .name = "auto",
    .label = "Automatic",
    .summary = "Several ways of solving at once, of which the best honest answer wins",
    .version = "0.1.0",
    .options = &auto_option_table,
    .new_ = auto_new,
    .solve = auto_solve,
    .free_ = auto_free,
};
