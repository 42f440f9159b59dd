/* engine/nlp/ss-auto.c: see the header. */
#include "nlp/ss-auto.h"

#include "nlp/ss-crisp-race.h"

#include <stddef.h>

static const char *const MEMBERS[] = {"all",   "given",    "sampled", "stages", "priced",   "drawn",  "again",
                                      "joint", "dearer",   "whole",   "ipopt",  "elements", "steady", "refined",
                                      "shot",  "improved", "lowered", "fine",   "searched", NULL};

static const char *const ANSWERS[] = {"weighed", "cheapest", "steadiest", "steadiest-feedback", NULL};
static const char *const TIMES[] = {"task", "found", NULL};
static const char *const FINISHES[] = {"off", "exact", NULL};

static const SsOptionSpec SPECS[] = {
    {"member", SS_OPTION_CHOICE, offsetof (SsAutoOptions, member), 0, SS_RACE_MEMBERS - 1, SS_RACE_ALL, MEMBERS, "", "",
     true,
     "Of plans of scenes. Runs one member of the race alone; all: the race. sampled: CRISP from the best of many "
     "simulated motions, with contacts=lazy; again: as sampled, from other motions; steady: as sampled, but takes "
     "the first plan near that motion; stages: likewise from the best of many sequences of pushes and carries by the "
     "driven bodies; fine: brings simulated motions to the targets whose controls also lead near them when they are "
     "held over shorter steps, until the replay of one holds, and makes it cheaper while it does. priced: CRISP with a "
     "price on products and contacts=lazy; dearer: as "
     "priced, with ten times the price and lower penalties; joint: as priced, in joint coordinates; drawn: CRISP "
     "with preset=drawn, short stages and contacts=lazy; whole: as drawn, with contacts=all. ipopt, elements: from "
     "the motion that Ipopt finds in a process of its own, by time stepping or by finite elements (fesd-j) from "
     "several starts. given: from the motion that the run starts from; refined: halves the steps of that plan until "
     "its replay holds (see refine); shot: from that plan to cheaper simulated motions that end at the targets; "
     "improved, lowered: from that plan with all contacts, by CRISP with preset=drawn "
     "or with its default options, which begin with low penalties, and the second-order finish; searched: as sampled, "
     "from more and more motions until one leads to a plan or the limit is reached (in the race where no other member "
     "has an honest answer)."},
    {"threads", SS_OPTION_INTEGER, offsetof (SsAutoOptions, threads), 1, 16, 2, NULL, "", "", true,
     "Number of members that run at once."},
    {"budget", SS_OPTION_REAL, offsetof (SsAutoOptions, budget), 0, 1e6, 0, NULL, "", "s", true,
     "CPU time that the race may take, that of all its threads and processes together; --cpu-limit sets the same. "
     "0: the run's limit of CPU time; of a run without any limit a minute of counted work on each thread. Without an "
     "honest answer the race uses all of it; with one, new motions are tried and improved while that brings cheaper "
     "answers. Of models: what is left after the first answer is counted work for cheaper ones; 0: see improve."},
    {"improve", SS_OPTION_REAL, offsetof (SsAutoOptions, improve), 0, 1e6, 1, NULL, "", "", true,
     "How long members go on after the first honest answer, as a multiple of the counted work up to that answer. "
     "Larger values find cheaper answers and take longer. Of models, without a budget: beside CRISP's "
     "defaults, which then run until they have an answer or hardly get below the best."},
    {"seed", SS_OPTION_INTEGER, offsetof (SsAutoOptions, seed), 0, 1000000000, 1, NULL, "", "", false,
     "Seed of the motions that are sampled, of models of the noise of starts; the same seed gives the same."},
    {"refine", SS_OPTION_INTEGER, offsetof (SsAutoOptions, refine), 0, 8, 6, NULL, "", "", false,
     "Of plans of scenes. How often the steps of a plan are halved after the race, until the replay of the plan at a "
     "tenth of its step ends within 5 mm of its goal. Larger values take longer; 0: never."},
    {"finish", SS_OPTION_CHOICE, offsetof (SsAutoOptions, finish), 0, 1, SS_AUTO_FINISH_EXACT, FINISHES, "", "", true,
     "Of plans of scenes. exact: after the race controls near the answer's are looked for that lead an exact motion "
     "(fesd-j) to the targets, or near those of the race's other answers, then plans by fesd-j with the answer's "
     "modes, for as much CPU time as the race took, at most 2 s: a plan with exact times of impacts and switches, "
     "whose replay ends within 1e-9 m of it, stands beside the answer, or the result says why there is none. off: the "
     "answer alone."},
    {"answer", SS_OPTION_CHOICE, offsetof (SsAutoOptions, answer), 0, 3, SS_AUTO_ANSWER_WEIGHED, ANSWERS, "", "", true,
     "Of plans of scenes. Which answer of the race is the run's; the others stay as solutions. weighed: of those that "
     "cost at most twice as much as the cheapest (a tenth more where its replay at a tenth of the step misses the "
     "goals by over 20 mm or 5 degrees) the one that holds best in that replay, of equals the cheapest; cheapest; "
     "steadiest: whose replay ends nearest to its goal; steadiest-feedback: whose replay held by LQR does."},
    {"held", SS_OPTION_REAL, offsetof (SsAutoOptions, held), 0, 1e6, 1, NULL, "", "s", false,
     "Of plans of scenes. Counted work for replays of the race's answers under feedback by LQR, the answer's first; "
     "those that find no time have none. 0: none."},
    {"time", SS_OPTION_CHOICE, offsetof (SsAutoOptions, time), 0, 1, SS_AUTO_TIME_TASK, TIMES, "", "", true,
     "Of plans of scenes. found: horizon and steps in the place of those of the task, from a simulated motion that "
     "comes "
     "near the targets (a few seconds at most; told in the message). task: those of the task."},
};

static const SsOptionTable auto_option_table = {sizeof SPECS / sizeof *SPECS, SPECS, sizeof (SsAutoOptions), 0};

/* Models: the race of ss-crisp-race.h. */
static SsStatus
auto_new (const SsMpcc *mpcc, const void *options, void **solver, SsError *err)
{
  SsAutoOptions o;

  if (options != NULL)
    o = *(const SsAutoOptions *)options;
  else
    ss_options_init (&auto_option_table, &o);
  const SsModelRaceOptions race = {.threads = o.threads, .budget = o.budget, .improve = o.improve, .seed = o.seed};
  return ss_nlp_crisp_race.new_ (mpcc, &race, solver, err);
}

static SsStatus
auto_solve (void *solver, const double *x0, SsRunControl *control, SsNlpResult *result, SsError *err)
{
  return ss_nlp_crisp_race.solve (solver, x0, control, result, err);
}

static void
auto_see_model (void *solver, const SsScenario *model)
{
  ss_nlp_crisp_race.see_model (solver, model);
}

static void
auto_free (void *solver)
{
  ss_nlp_crisp_race.free_ (solver);
}

const SsNlpClass ss_nlp_auto = {
    .name = "auto",
    .label = "Automatic",
    .summary = "Races several ways of solving; the cheapest answer that the judge accepts wins",
    .version = "0.1.0",
    .options = &auto_option_table,
    .new_ = auto_new,
    .solve = auto_solve,
    .free_ = auto_free,
    .see_model = auto_see_model,
};
