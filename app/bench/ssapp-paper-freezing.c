/* app/bench/ssapp-paper-freezing.c: figures and tables of paper 001; how one is added: ssapp-paper-item.h. */
#include "app/bench/ssapp-paper-item.h"

#include "app/bench/ssapp-bench-freeze.h"

#include "bench-freeze-robot-steps.h"

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

/* clang-format off */
#define FREEZING "Nurkanović et al., time-freezing"
#define BY_HAND  "closed form of free flight, slip and take-off"
#define STEPS    "90 steps of Radau IIA, 3 stages"
#define OPTIMUM  "exact optimum: a quadratic program for each time of stopping"
#define DIGITS   "the optimum is known to eight digits"
#define PLANNED  "the plan's violation, and its own simulation"

#define OF_EXAMPLE(quantity) \
  {"{quantity}: {example}", "examples", "quantity=" quantity, "value", .truth = "exact", .truth_words = BY_HAND, .kind = SSAPP_CLAIM_WITHIN, \
   .tolerance = 1e-7, .why = STEPS}
#define ASKED(what_, name, ...) {what_, "asked", "what=" name, "value", __VA_ARGS__}
#define PARTICLE(mu) "time-freezing/guiding-particle", "mu=" mu, "time-freezing:stages=3"

static const SsappPaperMotion figure_1_motions[] = {
  {"rests", "Coming to rest on the floor", PARTICLE ("0"), 0.025, 1, "phase"}, {NULL}};
static const SsappPaperClaim figure_1_claims[] = {
  OF_EXAMPLE ("tau of the impact [s]"), OF_EXAMPLE ("tau of the end of the jump [s]"), {NULL}};
static const SsappPaperMotion figure_2_motions[] = {
  {"leaves", "Taking off again", PARTICLE ("0"), 0.025, 2.25, "phase"}, {NULL}};
static const SsappPaperClaim figure_2_claims[] = {OF_EXAMPLE ("tau of take-off [s]"), {NULL}};

#define CLOCK_ASKS .asks = "one=max(if(abs(t - 1) < 1e-9, tau, 0));slow=max(if(abs(t - 0.8) < 1e-9, speed, 0));grows=max(if(abs(t - 1.25) < 1e-9, speed, 0))"
#define OF_CLOCKS \
  {"{quantity}: {example}", "examples", NULL, "value", .truth = "exact", .truth_words = BY_HAND, .kind = SSAPP_CLAIM_WITHIN, .tolerance = 1e-7, \
    .why = STEPS}, \
  {"tau of take-off [s]", "examples", "quantity=tau of take-off [s]", "value", SSAPP_PRINTS (2.8), .truth = "exact", .truth_words = BY_HAND, \
    .kind = SSAPP_CLAIM_WITHIN, \
   .tolerance = 0.05000001, .why = "one digit behind the point: 2.75 is written as 2.8"}, \
  ASKED ("tau at t = 1 s [s]", "one", SSAPP_PRINTS (2), .kind = SSAPP_CLAIM_WITHIN, .tolerance = 1e-7, .why = STEPS), \
  ASKED ("speed of time on the floor, t < 1 s", "slow", SSAPP_PRINTS (0.5), .kind = SSAPP_CLAIM_WITHIN, .tolerance = 1e-7, .why = STEPS), \
  ASKED ("speed of time at t = 1.25 s by g/(2 g + u2)", "grows", SSAPP_PRINTS (0.4), SSAPP_TRUTH (2. / 3), .truth_words = "g/(2 g - u2)", \
    .kind = SSAPP_CLAIM_WITHIN, .tolerance = 1e-7, .why = STEPS, \
         .refuted = "The sign of u2 is misprinted: gamma grows, as the text says, to 1 at take-off, by g/(2 g - u2)"), \
  ASKED ("speed of time at t = 1.25 s", "grows", .paper_words = "grows", SSAPP_TRUTH (2. / 3), .truth_words = "g/(2 g - u2)", .kind = SSAPP_CLAIM_WITHIN, \
    .tolerance = 1e-7, .why = STEPS), \
  {NULL}
static const SsappPaperMotion figure_3_motions[] = {{"clocks", "Example 3 by both clocks", PARTICLE ("0"), 0.025, 2.25, "clocks", CLOCK_ASKS}, {NULL}};
static const SsappPaperClaim figure_3_claims[] = {OF_CLOCKS};
static const SsappPaperMotion figure_5_motions[] = {{"clocks", "Example 4 by both clocks", PARTICLE ("0.6"), 0.025, 2.25, "clocks", CLOCK_ASKS}, {NULL}};
static const SsappPaperClaim figure_5_claims[] = {OF_CLOCKS};

static const SsappPaperChart figure_6_charts[] = {
  {"position", "Position over time", "motion", NULL, "t", "x,y", NULL, "t [s]", "Position [m]", .has_no_mark = TRUE},
  {"velocity-tau", "Velocity over numerical time", "motion", NULL, "tau", "vx,vy", NULL, "tau [s]", "Velocity [m/s]", .has_no_mark = TRUE},
  {"velocity-t", "Velocity over time", "motion", NULL, "t", "vx,vy", NULL, "t [s]", "Velocity [m/s]", .has_no_mark = TRUE},
  {"speed", "Speed of time, and s", "motion", NULL, "tau", "speed,s", NULL, "tau [s]", "dt/dtau, s", .has_no_mark = TRUE},
  {"force", "Force over time", "motion", NULL, "t", "u", NULL, "t [s]", "Force [N]", .is_step = TRUE, .has_no_mark = TRUE},
  {NULL}};
#define BEFORE(k) \
  {"force in interval {interval}, before the impact [N]", "intervals", "interval=" k, "u", SSAPP_PRINTS (10), .truth = "u_exact", .truth_words = OPTIMUM, \
   .paper_words = "maximum force", .kind = SSAPP_CLAIM_WITHIN, .tolerance = 1e-5, .why = DIGITS}
static const SsappPaperClaim figure_6_claims[] = {
  {"cost in numerical time", "examples", "quantity=cost in numerical time", "value", .truth = "exact", .truth_words = OPTIMUM, .kind = SSAPP_CLAIM_NEAR,
    .tolerance = 1e-3, .why = "polished, not proved"},
  BEFORE ("1"), BEFORE ("2"), BEFORE ("3"), BEFORE ("4"),
  {"force in interval {interval} [N]", "intervals", NULL, "u", .truth = "u_exact", .truth_words = OPTIMUM, .kind = SSAPP_CLAIM_WITHIN, .tolerance = 1e-4,
    .why = DIGITS},
  {"speed of time s in interval {interval}", "intervals", NULL, "s", .truth = "s_exact", .truth_words = OPTIMUM, .kind = SSAPP_CLAIM_WITHIN,
    .tolerance = 1e-6, .why = DIGITS},
  {"s in contact, interval {interval}", "intervals", "interval=10", "s", SSAPP_PRINTS (2), .truth = "s_exact", .truth_words = OPTIMUM,
    .kind = SSAPP_CLAIM_WITHIN, .tolerance = 1e-6, .why = DIGITS},
  {"{quantity} [m]", "examples", "quantity=particle.x at the end", "value", SSAPP_PRINTS (3), .kind = SSAPP_CLAIM_WITHIN, .tolerance = 1e-6, .why = PLANNED},
  {"{quantity} [m/s]", "examples", "quantity=particle.vx at the end", "value", SSAPP_PRINTS (0), .kind = SSAPP_CLAIM_WITHIN, .tolerance = 1e-6,
    .why = PLANNED},
  {NULL}};

#define HOP "time-freezing/robot-hop", NULL, \
  "ipopt:transcription=fesd-j:modes=start-sticking:stages=3:elements=1:cone-margin=0.05:replay-distance=1e-3", 0, 0
#define HOP_ASKS .from = bench_freeze_robot_steps, .from_time = 0.35, \
  .asks = "x=final(hip.x);z=final(hip.y);thigh=final(thigh.theta);shank=final(shank.theta);torque=max(max(abs(u.hip_motor), abs(u.knee_motor)));" \
          "low=min(hip.y);high=max(hip.y)"
/* Three holes: a hop that begins with balance, three copies of it, pieces of a stance (README of the examples). */
#define FREELY "ipopt:transcription=fesd-j:modes=start:elements=1:cone-margin=0.05"
#define OF_96  2.5 / 96
#define CHAIN  {"three-hop", "A hop that begins with balance", "time-freezing/robot-hop", NULL, FREELY ":stages=3:polish-rounds=2", OF_96, 2.5 / 3, \
    "motion", .is_all = TRUE, .from = bench_freeze_robot_steps, .from_time = 0.16666666666666667}, \
  {"three-whole", "Three holes in one piece", "time-freezing/robot", NULL, FREELY ":stages=5:polish-rounds=2", OF_96, 2.5, "motion", .is_all = TRUE, \
    .from_key = "three-hop", .from_copies = 3}
#define THREE(plots_, channels_) \
  {"three", "Three holes", "time-freezing/robot", NULL, FREELY ":stages=5:polish-rounds=4:pieces=96", OF_96, 2.5, plots_, channels_, .is_all = TRUE, \
    .from_key = "three-whole", .from_copies = 1, \
    .asks = "x3=final(hip.x);z3=final(hip.y);thigh3=final(thigh.theta);shank3=final(shank.theta);" \
            "torque3=max(max(abs(u.hip_motor), abs(u.knee_motor)))"}
#define A_BOUND "a bound of the problem; the paper prints no number of its motion"
#define LAST_DIGITS "By the last digits of the start some pieces miss each other by 1.4e-6 where rows may by 1e-6; the paper's program ends with a " \
  "complementarity of 1.2e-2 in its own log"
#define OF_HOP(key_) \
  {"violation of the plan, {motion}", "motions", "motion=" key_, "violation", SSAPP_TRUTH (0), .truth_words = "the problem's equations", \
    .kind = SSAPP_CLAIM_WITHIN, \
    .tolerance = 1e-6, .why = "that of a solved plan"}, \
  {"the plan, {motion}", "motions", "motion=" key_, "outcome", .paper_words = "solved", .kind = SSAPP_CLAIM_SAME, .why = "words"}, \
  {"violation of the plan, three holes", "motions", "motion=three", "violation", SSAPP_TRUTH (0), .truth_words = "the problem's equations", \
    .kind = SSAPP_CLAIM_WITHIN, .tolerance = 1e-6, .why = "that of a solved plan", .refuted = LAST_DIGITS}, \
  {"the plan, three holes", "motions", "motion=three", "outcome", .paper_words = "solved", .kind = SSAPP_CLAIM_SAME, .why = "words", \
    .refuted = LAST_DIGITS}, \
  ASKED ("three holes, place at the end [m]", "x3", SSAPP_PRINTS (3), .kind = SSAPP_CLAIM_WITHIN, .tolerance = 1e-6, .why = PLANNED), \
  ASKED ("three holes, largest torque [N m]", "torque3", SSAPP_PRINTS (60), .kind = SSAPP_CLAIM_AT_MOST, .tolerance = 1e-6, .why = A_BOUND), \
  ASKED ("largest torque [N m]", "torque", SSAPP_PRINTS (60), .kind = SSAPP_CLAIM_AT_MOST, .tolerance = 1e-6, .why = A_BOUND)
static const SsappPaperMotion figure_7_motions[] = {
  {"hop", "A hop over one hole", HOP, "motion", HOP_ASKS}, CHAIN, THREE ("motion", NULL), {NULL}};
static const SsappPaperMotion figure_8_motions[] = {
  {"torques", "Torques of the hop", HOP, "channels", "u.hip_motor,u.knee_motor", HOP_ASKS},
  CHAIN, THREE ("channels", "u.hip_motor,u.knee_motor"), {NULL}};
static const SsappPaperClaim figure_7_claims[] = {
  OF_HOP ("hop"),
  ASKED ("three holes, height of the hip at the end [m]", "z3", SSAPP_PRINTS (0.4), .kind = SSAPP_CLAIM_WITHIN, .tolerance = 1e-6, .why = PLANNED),
  ASKED ("three holes, angle of the thigh at the end [rad]", "thigh3", SSAPP_PRINTS (0), .kind = SSAPP_CLAIM_WITHIN, .tolerance = 1e-6, .why = PLANNED),
  ASKED ("three holes, angle of the shank at the end [rad]", "shank3", SSAPP_PRINTS (0), .kind = SSAPP_CLAIM_WITHIN, .tolerance = 1e-6, .why = PLANNED),
  ASKED ("height of the hip at the end [m]", "z", SSAPP_PRINTS (0.4), .kind = SSAPP_CLAIM_WITHIN, .tolerance = 1e-6, .why = PLANNED),
  ASKED ("angle of the thigh at the end [rad]", "thigh", SSAPP_PRINTS (0), .kind = SSAPP_CLAIM_WITHIN, .tolerance = 1e-6, .why = PLANNED),
  ASKED ("angle of the shank at the end [rad]", "shank", SSAPP_PRINTS (0), .kind = SSAPP_CLAIM_WITHIN, .tolerance = 1e-6, .why = PLANNED),
  ASKED ("least height of the hip [m]", "low", SSAPP_PRINTS (0.2), .kind = SSAPP_CLAIM_AT_LEAST, .tolerance = 1e-6, .why = A_BOUND),
  ASKED ("largest height of the hip [m]", "high", SSAPP_PRINTS (0.55), .kind = SSAPP_CLAIM_AT_MOST, .tolerance = 1e-6, .why = A_BOUND),
  {NULL}};
static const SsappPaperClaim figure_8_claims[] = {OF_HOP ("torques"), {NULL}};

const SsappPaperItem ssapp_paper_freezing_items[] = {
  {.paper = {"time-freezing-figure-1", "time-freezing", "Fig. 1", "Coming to rest", FREEZING ": Example 3, Fig. 1 and section 3.3",
    "The plane of gap and gap speed: the particle of Example 3 falls through the region of free flight, and the auxiliary dynamics bring it to rest where "
      "both are 0. Times beside the closed form.", NULL, NULL},
   .make = make_part, .part = "examples", .tables = "examples:example=Examples 1 to 3 (mu = 0)", .motions = figure_1_motions, .claims = figure_1_claims},
  {.paper = {"time-freezing-figure-2", "time-freezing", "Fig. 2", "Taking off", FREEZING ": Example 3, Fig. 2 and section 3.4",
    "The plane of gap and gap speed: the particle of Example 3 is lifted and leaves the point where both are 0. The time of take-off beside the closed "
      "form.", NULL, NULL},
   .make = make_part, .part = "examples", .tables = "examples:example=Examples 1 to 3 (mu = 0)", .motions = figure_2_motions, .claims = figure_2_claims},
  {.paper = {"time-freezing-figure-3", "time-freezing", "Fig. 3", "Example 3 by both clocks", FREEZING ": Example 3, Fig. 3 and section 3.5",
    "A particle falls, slides without friction and takes off: positions, velocities, speed of time over numerical and physical time; impact, end of the "
      "jump, take-off and end beside the closed form.", NULL, NULL},
   .make = make_part, .part = "examples", .tables = "examples:example=Examples 1 to 3 (mu = 0)", .motions = figure_3_motions, .claims = figure_3_claims},
  {.paper = {"time-freezing-figure-5", "time-freezing", "Fig. 5", "Example 4 by both clocks", FREEZING ": Example 4, Fig. 5 and section 4",
    "The same with friction 0.6, so that the velocity along the floor jumps too: positions, velocities, speed of time by both clocks, beside the closed "
      "form.", NULL, NULL},
   .make = make_part, .part = "examples", .tables = "examples:example=Example 4 (mu = 0.6)", .motions = figure_5_motions, .claims = figure_5_claims},
  {.paper = {"time-freezing-figures-1-5", "time-freezing", "Figs 1 to 5", "Examples of time-freezing", FREEZING ": Examples 1 to 4, Figs 1, 2, 3 and 5",
    "A particle falls, slides and takes off, without friction and with 0.6: times of impact, end of jump and take-off in numerical time, and the state at "
    "the end, beside the closed form. The paper draws these motions and does not print their numbers.", NULL, NULL},
   .make = make_part, .part = "examples", .tables = "examples", .is_group = TRUE},
  {.paper = {"time-freezing-figure-6", "time-freezing", "Fig. 6", "Plan with time-freezing", FREEZING ": Example 5, Fig. 6 and section 5.3",
    "The particle is guided along a curve: the plan with the cost in numerical time, from the paper's start, polished, and its controls in a simulation, "
    "beside the exact optimum.", NULL, NULL},
   .make = make_part, .part = "plan", .tables = "examples;intervals;motion", .charts = figure_6_charts, .claims = figure_6_claims,
   .better = "the exact optimum, 116.7298, from the paper's start; its own formulation finds 116.7562, whose controls miss the target by 0.9 mm"},
  {.paper = {"time-freezing-figure-7", "time-freezing", "Fig. 7", "Frames of the hopping robot", FREEZING ": Fig. 7 and section 6",
    "The robot hops over one of the paper's holes with straight legs at the end: frames of a plan in exact modes that begin with those of a time-stepping "
      "plan. The paper's three holes in 2.5 s are a chain of three plans: a hop, three copies of it, pieces.",
    NULL, "three holes: a quarter of an hour or more"},
   .motions = figure_7_motions, .claims = figure_7_claims},
  {.paper = {"time-freezing-figure-8", "time-freezing", "Fig. 8", "Torques of the hopping robot", FREEZING ": Fig. 8 and section 6",
    "Torques of hip and knee over time in the hops of Fig. 7, over one hole and over the paper's three.", NULL, "three holes: a quarter of an hour or more"},
   .motions = figure_8_motions, .claims = figure_8_claims},
  {.paper = {NULL}},
};
/* clang-format on */
