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
#define ZENO    "closed form: pendulum and conserved angular momentum"
#define LAST    "one in the last digit that is printed: some are cut, others rounded"

/* clang-format off */
/* A law's outcomes among the samples. */
#define COMES_NEAR(apart)                                                                                              \
  {"nearest sample to {modes}, by {law}", "outcomes", NULL, "nearest", SSAPP_TRUTH (0), .paper_words = "produced",     \
   .truth_words = "the law's own answer", .kind = SSAPP_CLAIM_WITHIN, .tolerance = apart,                              \
   .why = "part of the speed before: samples meet the corners of the box of impulses rarely"}
#define N_SIMULTANEOUS(n)                                                                                              \
  {"outcomes of the simultaneous law", "outcomes", "law=simultaneous,outcome=1", "outcomes", SSAPP_PRINTS (n),         \
   .kind = SSAPP_CLAIM_WITHIN, .tolerance = 0, .why = "a count"}
/* What the paper says that the set has, and that it never has. */
#define HAPPENS(what_)                                                                                                 \
  {"{what}: share", "shares", "what=" what_, "share", SSAPP_TRUTH (1e-3), .paper_words = "generated",                  \
   .truth_words = "one in a thousand", .kind = SSAPP_CLAIM_AT_LEAST, .tolerance = 0, .why = "more than a few samples"}
#define NEVER(what_, ...)                                                                                              \
  {"{what}: share", "shares", "what=" what_, "share", SSAPP_PRINTS (0), .kind = SSAPP_CLAIM_WITHIN, .tolerance = 0,    \
   .why = "never", __VA_ARGS__}
/* Scatter of two speeds: samples and the other laws. */
#define SCATTER(key_, title_, x_, y_, x_label_, y_label_)                                                              \
  {key_, title_, "velocities", NULL, x_, y_, "law", x_label_, y_label_, .has_no_line = TRUE}
#define NORMALS     SCATTER ("normal", "Normal speeds of A and B", "vn_A", "vn_B", "vn of A [m/s]", "vn of B [m/s]")
#define OF_POINT(c) SCATTER ("point-" c, "Velocity of point " c, "vt_" c, "vn_" c, "vt [m/s]", "vn [m/s]")

static const SsappPaperChart figure_3_charts[] = {
  {"path", "Speeds of a corner through an impact", "routh-path", NULL, "vt", "vn", "path", "Slip [m/s]", "Normal speed [m/s]", .has_no_mark = TRUE},
  {NULL}};
static const SsappPaperMotion figure_3_motions[] = {
  {"box", "The box that comes down", "impacts/routh-box", NULL, "event-driven:law=set-valued", 0.01, 0.1, "motion"},
  {NULL}};
static const SsappPaperClaim figure_3_claims[] = {
  {"{quantity}: {case}", "routh", NULL, "value", .truth = "exact", .truth_words = "Routh's straight lines by hand", .kind = SSAPP_CLAIM_WITHIN,
   .tolerance = 2e-3, .why = "two steps of 0.001 N s"},
  {NULL}};

static const SsappPaperMotion figure_7_motions[] = {
  {"half-cycle", "Half a cycle", "impacts/zeno-block", NULL, "event-driven", 0.01, 0.98733, "motion"},
  {NULL}};
static const SsappPaperClaim figure_7_claims[] = {
  {"{quantity}", "wobble", "quantity=largest angle [rad]", "value", "printed", .truth = "exact", .truth_words = ZENO, .kind = SSAPP_CLAIM_WITHIN,
    .tolerance = 5e-3, .why = "digits that are printed"},
  {"{quantity}", "wobble", "quantity=angular velocity left by an impact", "value", "printed", .truth = "exact", .truth_words = ZENO,
    .kind = SSAPP_CLAIM_WITHIN, .tolerance = 1e-6, .why = "0.7 is exact; rounding of the run"},
  {"{quantity}", "wobble", "quantity=angular velocity left by a cycle", "value", "printed", .truth = "exact", .truth_words = ZENO,
    .kind = SSAPP_CLAIM_WITHIN, .tolerance = 1e-6, .why = "0.49 is exact; rounding of the run"},
  {"{quantity}", "wobble", "quantity=largest angle by (57) as printed [rad]", "value", "printed", .kind = SSAPP_CLAIM_WITHIN, .tolerance = 5e-3,
    .why = "digits that are printed",
   .refuted = "(57) has a wrong sign before the sine: asin (K w^2/(2 m g r) + sin alpha) - alpha gives the 0.22 of the text"},
  {"end of half-cycle {half} [s]", "halves", NULL, "t", .truth = "t_exact", .truth_words = ZENO, .kind = SSAPP_CLAIM_WITHIN, .tolerance = 1e-6,
    .why = "steps of 0.001 s of order 5"},
  {"largest angle of half-cycle {half} [rad]", "halves", NULL, "apex", .truth = "apex_exact", .truth_words = ZENO, .kind = SSAPP_CLAIM_WITHIN,
    .tolerance = 2e-6, .why = "it is looked for at steps of 0.001 s"},
  {NULL}};

static const SsappPaperChart figure_8_charts[] = {
  {"time", "Angle and angular velocity over time", "rates", NULL, "t", "theta,omega", NULL, "Time [s]", "Angle [rad], angular velocity [rad/s]",
    .has_no_mark = TRUE},
  {"s", "Angle and angular velocity over s", "rates", NULL, "s", "theta,omega", NULL, "s", "Angle [rad], angular velocity [rad/s]", .has_no_mark = TRUE},
  {"rates", "What grows over s: time, impulses of the corners", "rates", NULL, "s", "time,A,B", NULL, "s", "Rate", .is_step = TRUE, .has_no_mark = TRUE},
  {NULL}};
static const SsappPaperClaim figure_8_claims[] = {
  {"{quantity}", "wobble", "quantity=time at which it rests [s]", "value", "printed", .truth = "exact", .truth_words = ZENO, .kind = SSAPP_CLAIM_WITHIN,
    .tolerance = 5e-3, .why = "digits that are printed"},
  {"{quantity}", "wobble", "quantity=s at which it rests", "value", "printed", .truth = "exact", .truth_words = ZENO, .kind = SSAPP_CLAIM_WITHIN,
    .tolerance = 5e-2, .why = "digits that are printed"},
  {"{quantity}", "wobble", "quantity=first impact [s]", "value", "printed", .truth = "exact", .truth_words = ZENO, .kind = SSAPP_CLAIM_WITHIN,
    .tolerance = 5e-2, .why = "the text has about 1"},
  {"s at the end of half-cycle {half}", "halves", NULL, "s", .truth = "s_exact", .truth_words = ZENO, .kind = SSAPP_CLAIM_WITHIN, .tolerance = 1e-5,
    .why = "steps of 0.001 s; s grows ten times as fast as time"},
  {NULL}};

static const SsappPaperChart figure_9_charts[] = {NORMALS, OF_POINT ("A"), {NULL}};
static const SsappPaperClaim figure_9_claims[] = {
  N_SIMULTANEOUS (1),
  COMES_NEAR (0.03),
  HAPPENS ("A lifts while B stays"),
  HAPPENS ("B lifts while A stays"),
  HAPPENS ("comes to rest"),
  NEVER ("both lift", .refuted = NULL),
  {"largest slip, {speed}", "ranges", "speed=vt_A", "largest", SSAPP_PRINTS (0), .kind = SSAPP_CLAIM_WITHIN, .tolerance = 1e-9,
    .why = "any impact at one corner sticks"},
  {NULL}};

static const SsappPaperChart three_charts[] = {NORMALS, OF_POINT ("A"), OF_POINT ("B"), {NULL}};
static const SsappPaperClaim figure_10_claims[] = {
  N_SIMULTANEOUS (3),
  COMES_NEAR (0.03),
  HAPPENS ("B lifts while A stays"),
  HAPPENS ("B slides and neither lifts"),
  HAPPENS ("A lifts while B stays"),
  HAPPENS ("A slides while B stays"),
  {NULL}};
static const SsappPaperClaim figure_11_claims[] = {
  N_SIMULTANEOUS (1),
  COMES_NEAR (0.03),
  HAPPENS ("A slides while B lifts"),
  HAPPENS ("B slides and neither lifts"),
  {"largest slip of A [m/s]: faster than one contact after the other", "ranges", "speed=vt_A", "most", SSAPP_TRUTH (0.305764805792), .paper_words = "faster",
   .truth_words = "the sequential outcome", .kind = SSAPP_CLAIM_AT_LEAST, .tolerance = 0, .why = "a bound"},
  {NULL}};
static const SsappPaperChart figure_13_charts[] = {NORMALS, OF_POINT ("B"), {NULL}};
static const SsappPaperClaim figure_13_claims[] = {
  N_SIMULTANEOUS (3),
  COMES_NEAR (0.03),
  NEVER ("A lifts", .refuted = NULL),
  {"largest slip of A, of the speed before", "ranges", "speed=vt_A", "largest", SSAPP_PRINTS (0), .kind = SSAPP_CLAIM_WITHIN, .tolerance = 1e-9,
   .why = "\"remains in stiction\": rounding"},
  {NULL}};
static const SsappPaperChart figure_14_charts[] = {
  SCATTER ("normal", "Normal speeds, left and right", "vn_C", "vn_D", "vn of C [m/s]", "vn of D [m/s]"),
  OF_POINT ("A"), OF_POINT ("C"), OF_POINT ("E"), {NULL}};
static const SsappPaperClaim figure_14_claims[] = {
  N_SIMULTANEOUS (1),
  {"energy of the simultaneous outcome [J]", "outcomes", "law=simultaneous", "energy", SSAPP_PRINTS (0), .kind = SSAPP_CLAIM_WITHIN, .tolerance = 1e-12,
    .why = "\"coming to rest\""},
  HAPPENS ("C lifts while D stays"),
  HAPPENS ("D lifts while C stays"),
  HAPPENS ("A or B lifts while the other stays"),
  NEVER ("A and B lift", .refuted = "Both lower disks leave the floor in one of a million samples (5 of 4 194 304 by four seeds), by up to 2 % of the "
    "upper one's speed before"),
  NEVER ("C and D lift", .refuted = "The top disk leaves both others in one of a thousand samples, by up to 2 % of its speed before; the paper's program "
    "has another model: mass 5, two tangents that are not normal to their normals"),
  {NULL}};

static const SsappPaperChart figure_12_charts[] = {
  {"ratio", "Stiffness ratios from 1e-5 to 1e5", "cases", "sweep=ratio", "vn_A", "vn_B", "law", "vn of A [m/s]", "vn of B [m/s]", .has_no_line = TRUE},
  {"angle", "Angles from -0.01 to 0.01 degrees", "cases", "sweep=angle", "vn_A", "vn_B", "law", "vn of A [m/s]", "vn of B [m/s]", .has_no_line = TRUE},
  {NULL}};
static const SsappPaperClaim figure_12_claims[] = {
  {"impulse of the first corner before the second touches [%]", "compliant", "sweep=angle", "first_share", "first_share_paper",
    .kind = SSAPP_CLAIM_WITHIN, .tolerance = 5e-5, .why = "digits that are printed"},
  {"cases of the sweep of the {sweep}", "compliant", NULL, "cases", SSAPP_PRINTS (51), .kind = SSAPP_CLAIM_WITHIN, .tolerance = 0,
    .why = "49 between both ends"},
  {"largest normal speed over the sequential one, stiffness ratios", "compliant", "sweep=ratio", "vn_of_extreme", SSAPP_PRINTS (1),
    .paper_words = "properly contained",
   .kind = SSAPP_CLAIM_AT_MOST, .tolerance = 0, .why = "a bound"},
  {"largest normal speed over the sequential one, stiffness ratios", "compliant", "sweep=ratio", "vn_of_extreme", SSAPP_TRUTH (1),
    .paper_words = "nearly covers",
   .truth_words = "the whole set", .kind = SSAPP_CLAIM_AT_LEAST, .tolerance = 0.05, .why = "\"nearly\": 5 %"},
  {"largest normal speed over the sequential one, angles", "compliant", "sweep=angle", "vn_of_extreme", SSAPP_TRUTH (1), .paper_words = "slightly larger",
   .truth_words = "the whole set", .kind = SSAPP_CLAIM_AT_LEAST, .tolerance = 0, .why = "a bound"},
  {"largest normal speed [m/s], stiffness ratios", "compliant", "sweep=ratio", "vn_max", SSAPP_TRUTH (0.0918911281961),
    .truth_words = "another program's integration of the same corners",
   .kind = SSAPP_CLAIM_WITHIN, .tolerance = 1e-5, .why = "that program's steps"},
  {NULL}};

static const SsappPaperClaim table_3_claims[] = {
  {"LCPs a sample, {model}", "sampling", "model=rocking-block,policy=enumerate", "lcps_per_sample", "lcps_per_sample_paper", .kind = SSAPP_CLAIM_WITHIN,
    .tolerance = 0.05,
   .why = "2^14 samples and the printed digits", .refuted = "Each step has one answer, solved to 1e-15 here; even, Sobol's and simplex draws give 2.47 to "
     "2.57. A solver that leaves more than 1e-8 m/s takes steps more"},
  {"LCPs a sample, {model}", "sampling", "model=compass-gait,policy=enumerate", "lcps_per_sample", "lcps_per_sample_paper", .kind = SSAPP_CLAIM_WITHIN,
    .tolerance = 0.05, .why = "2^14 samples and the printed digits; one of all answers of a step, evenly"},
  {"LCPs a sample, {model}", "sampling", "model=box-wall,policy=enumerate", "lcps_per_sample", "lcps_per_sample_paper", .kind = SSAPP_CLAIM_WITHIN,
    .tolerance = 0.05,
   .why = "2^14 samples and the printed digits", .refuted = "Each step has one answer, solved to 1e-15 here; even, Sobol's and simplex draws give 1.53 to "
     "1.58. A solver that leaves more than 1e-8 m/s takes steps more"},
  {"LCPs a sample, {model}", "sampling", "model=ramone,policy=enumerate", "lcps_per_sample", "lcps_per_sample_paper", .kind = SSAPP_CLAIM_WITHIN,
    .tolerance = 0.05,
   .why = "2^14 samples and the printed digits", .refuted = "Every step has several answers; Lemke's method and an even choice of all both give 3.00"},
  {"LCPs a sample, {model}", "sampling", "model=disk-stack-published-code,policy=lemke", "lcps_per_sample", "lcps_per_sample_paper",
    .kind = SSAPP_CLAIM_WITHIN, .tolerance = 0.3,
   .why = "the program's other examples are off by 0.2 to 0.43"},
  {"LCPs a sample, {model} of Table 8", "sampling", "model=disk-stack,policy=lemke", "lcps_per_sample", SSAPP_PRINTS (9.04), .kind = SSAPP_CLAIM_WITHIN,
    .tolerance = 0.3,
   .why = "the program's other examples are off by 0.2 to 0.43", .refuted = "The row is of the published program's model: mass 5, two tangents that are "
     "not normal to their normals; that of Table 8 takes 2.4"},
  {"time a sample [us], {model}", "sampling", "policy=lemke", "sample_us", "sample_us_paper",
    .cannot = "times of another machine, of another language and solver"},
  {NULL}};

static const SsappPaperClaim parameter_claims[] = {
  {"{parameter} [{unit}]", "parameters", NULL, "apart", SSAPP_TRUTH (0), .truth_words = "the paper's digits", .kind = SSAPP_CLAIM_WITHIN, .tolerance = 1,
    .why = LAST},
  {"{what}: difference", "configuration", NULL, "difference", SSAPP_TRUTH (0), .truth_words = "the authors' program", .kind = SSAPP_CLAIM_WITHIN,
    .tolerance = 1e-9, .why = "rounding"},
  {NULL}};
static const SsappPaperClaim table_8_claims[] = {
  {"{parameter} [{unit}]", "parameters", NULL, "apart", SSAPP_TRUTH (0), .truth_words = "the paper's digits", .kind = SSAPP_CLAIM_WITHIN, .tolerance = 1,
    .why = LAST},
  {"{what}: difference", "configuration", NULL, "difference", SSAPP_TRUTH (0), .truth_words = "the same numbers by hand", .kind = SSAPP_CLAIM_WITHIN,
    .tolerance = 1e-9, .why = "rounding"},
  {NULL}};

#define PARAMETERS(n, title_, model, section, claims_)                                                            \
  {.paper = {"impacts-table-" n, "impacts", "Table " n, title_, IMPACTS ": Table " n " and section " section,             \
     "The model's numbers as the paper prints them beside those of our scene, and the scene at the impact beside the configuration of the authors' " \
       "program.", NULL, NULL}, \
   .make = make_part, .part = "model:" model, .tables = "parameters;configuration", .claims = claims_}
#define SET(n, title_, model, section, words_, charts_, claims_)                                                          \
  {.paper = {"impacts-figure-" n, "impacts", "Fig. " n, title_, IMPACTS ": Fig. " n " and section " section, words_, NULL, \
    "as many samples as the paper has, 2^14 to 2^20"}, \
   .make = make_part, .part = "set:" model, .tables = "outcomes;shares;ranges;velocities", .charts = charts_, .claims = claims_}

const SsappPaperItem ssapp_paper_impacts_items[] = {
  {.paper = {"impacts-figure-3", "impacts", "Fig. 3", "Routh's process of one contact", IMPACTS ": Fig. 3 and section 2.2.2",
    "A box comes down on a corner and slides. As the normal impulse grows its speeds go straight in the plane of slip and normal speed; the slip ends or "
      "turns round, and the impact ends where the corner no longer "
    "approaches. Our steps beside the closed form. The paper draws this and prints no number.", NULL, NULL},
   .make = make_part, .part = "routh", .tables = "routh;routh-path", .charts = figure_3_charts, .motions = figure_3_motions, .claims = figure_3_claims},
  {.paper = {"impacts-table-3", "impacts", "Table 3", "Cost of sampling impacts", IMPACTS ": Table 3 and section 5.4",
    "Samples of all velocities after an impact, for the paper's five models: complementarity problems a sample, time a sample and a problem. The paper's "
    "times are of a program in another language on another machine.", NULL, "2^20 samples instead of 2^14"},
   .make = make_part, .part = "sampling", .tables = "sampling", .claims = table_3_claims},
  PARAMETERS ("4", "The rocking block's numbers", "rocking-block", "5.4.1", parameter_claims),
  PARAMETERS ("5", "The compass gait's numbers", "compass-gait", "5.4.2", parameter_claims),
  PARAMETERS ("6", "The numbers of box and wall", "box-wall", "5.4.3", parameter_claims),
  PARAMETERS ("7", "RAMone's numbers", "ramone", "5.4.4", parameter_claims),
  PARAMETERS ("8", "The disk stack's numbers", "disk-stack", "5.4.5", table_8_claims),
  {.paper = {"impacts-figure-7", "impacts", "Fig. 7", "Half a cycle of the wobbling block", IMPACTS ": Fig. 7 and section 4.3",
    "A block pivots on one corner, falls back, and an impact on the other corner leaves 0.7 of its angular velocity: angles, times and angular velocities "
      "of twelve half-cycles beside the closed form.", NULL, NULL},
   .make = make_part, .part = "wobble", .tables = "wobble;halves", .motions = figure_7_motions, .claims = figure_7_claims},
  {.paper = {"impacts-figure-8", "impacts", "Fig. 8", "The wobbling block over t and s", IMPACTS ": Fig. 8 and section 4.3",
    "Angle and angular velocity of the wobbling block over time and over s, which goes on during impacts; how fast time and the impulses of both corners "
      "grow over s; where infinitely many impacts have ended.", NULL, NULL},
   .make = make_part, .part = "wobble", .tables = "wobble;halves;rates", .charts = figure_8_charts, .claims = figure_8_claims},
  SET ("9", "Velocities of the rocking block", "rocking-block", "5.4.1",
       "A tall block falls flat on both corners: the set of velocities after the impact, and whether it has what simultaneous and sequential laws say.",
         figure_9_charts, figure_9_claims),
  SET ("10", "Velocities of the compass gait", "compass-gait", "5.4.2",
       "A compass walker takes a wide step: the set of velocities of both feet, and whether it has the three simultaneous outcomes.", three_charts,
         figure_10_claims),
  SET ("11", "Velocities of box and wall", "box-wall", "5.4.3",
       "A box slides on a corner into a wall: the set of velocities of both points, beside simultaneous and sequential outcomes.", three_charts,
         figure_11_claims),
  {.paper = {"impacts-figure-12", "impacts", "Fig. 12", "Corners that give way", IMPACTS ": Fig. 12 and section 5.4.1",
    "The corners of the rocking block as springs and dampers: a sweep of their stiffness and of the angle of the fall, beside the extremes of the set of "
    "outcomes.", NULL, NULL},
   .make = make_part, .part = "compliant", .tables = "compliant;cases", .charts = figure_12_charts, .claims = figure_12_claims},
  SET ("13", "Velocities of RAMone", "ramone", "5.4.4",
       "A walking robot of five links sets down its foot: the set of velocities of both feet, beside the three simultaneous outcomes.", figure_13_charts,
         figure_13_claims),
  SET ("14", "Velocities of the disk stack", "disk-stack", "5.4.5",
       "A disk falls on two others: the set of velocities of five contacts, by the model of Table 8; the paper's figure is of its program, whose model "
         "differs.", figure_14_charts, figure_14_claims),
  {.paper = {NULL}},
};
/* clang-format on */
