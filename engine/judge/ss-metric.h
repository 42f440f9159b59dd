/* engine/judge/ss-metric.h: the one table of metrics: what can be said of a run in a number.
 *
 * A metric is a line of SS_METRIC_LIST. Result JSON, project, comparisons, cards, CSV, benchmarks and help walk the
 * table; nothing else lists metrics. Whoever computes one sets it in a set; what was not set is not shown, what was set
 * to NaN is not known.
 *
 * Names with a dot are members of an object in the result: "tracking_error.position" is
 * metrics.tracking_error.position.
 */
#pragma once

#include <stdbool.h>

/* Of replays in other worlds that a controller holds. */
#define SS_METRICS_HELD(X, KIND, name, label)                                                                          \
  X (WORLDS_##KIND, "worlds." name, "Holds there by " label, "", "%.3f", REAL, HIGHER,                                 \
     "share of the same worlds in which the plan ends at its goal when the controller " name " holds it")              \
  X (WORLDS_##KIND##_LOW, "worlds." name "_low", "At least, by " label, "", "%.3f", REAL, HIGHER,                      \
     "lower end of the 95 % interval of the share with " name)                                                         \
  X (WORLDS_##KIND##_HIGH, "worlds." name "_high", "At most, by " label, "", "%.3f", REAL, HIGHER,                     \
     "upper end of the 95 % interval of the share with " name)                                                         \
  X (WORLDS_##KIND##_WORST, "worlds." name "_worst", "Worst miss by " label, "m", "%.3g", REAL, LOWER,                 \
     "farthest end from its goal with " name ", of replays that came to their end")

/* Identifier, name, label, unit, format for people, kind of number, which value is better, what it is. */
#define SS_METRIC_LIST(X)                                                                                              \
  /* answers of optimisers */                                                                                          \
  X (OBJECTIVE, "objective", "Objective", "", "%.6g", REAL, LOWER, "cost of the answer")                               \
  X (MAX_VIOLATION, "max_violation", "Violation", "", "%.1e", REAL, LOWER,                                             \
     "largest violation of any equality, inequality, bound and complementarity product, unscaled")                     \
  X (COMPLEMENTARITY, "complementarity", "Complementarity", "", "%.1e", REAL, LOWER, "largest product of a pair")      \
  X (VIOLATION_EQUALITY, "violation_equality", "Violation of equalities", "", "%.1e", REAL, LOWER,                     \
     "largest violation of an equality")                                                                               \
  X (VIOLATION_INEQUALITY, "violation_inequality", "Violation of inequalities", "", "%.1e", REAL, LOWER,               \
     "largest violation of an inequality that is no product")                                                          \
  X (VIOLATION_PRODUCT, "violation_product", "Violation of products", "", "%.1e", REAL, LOWER,                         \
     "largest positive product of a complementary pair")                                                               \
  X (L1_VIOLATION, "l1_violation", "Sum of violations", "", "%.1e", REAL, LOWER, "sum of all violations")              \
  X (TRACKING_POSITION, "tracking_error.position", "Position error", "m", "%.3g", REAL, LOWER,                         \
     "distance of positions from their targets at the end")                                                            \
  X (TRACKING_VELOCITY, "tracking_error.velocity", "Velocity error", "m/s", "%.3g", REAL, LOWER,                       \
     "distance of velocities from their targets at the end")                                                           \
  X (TRACKING_ANGLE, "tracking_error.angle", "Angle error", "rad", "%.3g", REAL, LOWER,                                \
     "distance of angles from their targets at the end")                                                               \
  X (TRACKING_ANGULAR_VELOCITY, "tracking_error.angular_velocity", "Angular velocity error", "rad/s", "%.3g", REAL,    \
     LOWER, "distance of angular velocities from their targets at the end")                                            \
  X (TRACKING_TOTAL, "tracking_error.total", "Tracking error", "", "%.3g", REAL, LOWER,                                \
     "norm of all distances from the targets at the end, SI units")                                                    \
  X (SUCCESS_PAPER, "success_paper", "Success (paper)", "", "%.0f", FLAG, HIGHER,                                      \
     "whether the criterion of paper 004, section IV-C, is met")                                                       \
  X (N_VARIABLES, "n_variables", "Variables", "", "%.0f", COUNT, NEITHER, "variables of the problem")                  \
  X (N_CONSTRAINTS, "n_constraints", "Rows", "", "%.0f", COUNT, NEITHER, "rows of the problem")                        \
  X (N_EQUALITIES, "n_equalities", "Equalities", "", "%.0f", COUNT, NEITHER, "rows that are equalities")               \
  X (N_INEQUALITIES, "n_inequalities", "Inequalities", "", "%.0f", COUNT, NEITHER, "rows that are inequalities")       \
  X (N_PRODUCTS, "n_products", "Products", "", "%.0f", COUNT, NEITHER, "rows that are products of pairs")              \
  X (N_PAIRS, "n_pairs", "Pairs", "", "%.0f", COUNT, NEITHER, "complementary pairs")                                   \
  X (ITERATIONS, "iterations", "Iterations", "", "%.0f", COUNT, LOWER, "outer iterations")                             \
  X (SUBPROBLEMS, "subproblems", "Subproblems", "", "%.0f", COUNT, LOWER, "subproblems solved")                        \
  X (INNER_ITERATIONS, "inner_iterations", "Inner iterations", "", "%.0f", COUNT, LOWER,                               \
     "iterations over all subproblems")                                                                                \
  X (STATIONARITY, "stationarity", "Stationarity", "", "%.1e", REAL, LOWER, "the method's own last measure")           \
  X (B_STATIONARY, "b_stationary", "B-stationarity", "", "%.1e", REAL, HIGHER,                                         \
     "lower bound of what the objective can still fall within a box around the answer, to first order; 0: stationary") \
  X (B_RADIUS, "b_stationary_radius", "Radius of B-stationarity", "", "%.3g", REAL, NEITHER,                           \
     "half width of the box of b_stationary, of each variable's size where that is above 1")                           \
  X (B_VERIFIED, "b_stationary_verified", "B-stationary", "", "%.0f", FLAG, HIGHER,                                    \
     "whether the answer is proved to be B-stationary, to 1e-6 of 1 plus its objective, scaled where its size is odd") \
  X (B_BIACTIVE, "b_stationary_biactive", "Biactive pairs", "", "%.0f", COUNT, NEITHER,                                \
     "pairs that are zero on both sides at the answer")                                                                \
  X (LOWER_BOUND, "lower_bound", "Lower bound", "", "%.6g", REAL, HIGHER,                                              \
     "proved: no feasible point of the problem has a lower objective")                                                 \
  X (GAP, "gap", "Gap", "", "%.2g", REAL, LOWER,                                                                       \
     "objective above the lower bound, as a part of the objective; 0: nothing better is possible")                     \
  X (BOUND_CPU_SECONDS, "bound_cpu_seconds", "CPU time of the bound", "s", "%.3g", REAL, LOWER,                        \
     "CPU time that the lower bound took, beside that of the method")                                                  \
  X (STRONGLY_STATIONARY, "strongly_stationary", "Strongly stationary", "", "%.0f", FLAG, HIGHER,                      \
     "whether the multipliers of pairs that are zero on both sides are all >= 0; then the answer is B-stationary")     \
  X (M_STATIONARY, "m_stationary", "M-stationary", "", "%.0f", FLAG, HIGHER,                                           \
     "whether of such a pair one multiplier is 0 or both are positive")                                                \
  X (C_STATIONARY, "c_stationary", "C-stationary", "", "%.0f", FLAG, HIGHER,                                           \
     "whether the multipliers of such a pair do not have opposite signs")                                              \
  X (SECOND_ORDER, "second_order", "Second order", "", "%.0f", FLAG, HIGHER,                                           \
     "whether the curvature on the answer's branch is positive: 1 holds, 0 fails; not set: not checked (see message)") \
  X (FINISH_ROUNDS, "finish_rounds", "Branches solved", "", "%.0f", COUNT, LOWER,                                      \
     "smooth problems of a branch that the finish solved")                                                             \
  X (FINISH_ITERATIONS, "finish_iterations", "Steps of the finish", "", "%.0f", COUNT, LOWER,                          \
     "Newton steps in the smooth problems of the finish")                                                              \
  X (FINISH_PROGRAMS, "finish_programs", "Linear programs", "", "%.0f", COUNT, LOWER,                                  \
     "linear programs that the finish solved")                                                                         \
  X (FINISH_CPU_SECONDS, "finish_cpu_seconds", "CPU time of the finish", "s", "%.3g", REAL, LOWER,                     \
     "part of the CPU time that the finish took")                                                                      \
  /* motions of scenes */                                                                                              \
  X (STEPS, "steps", "Steps", "", "%.0f", COUNT, LOWER, "steps of the integrator")                                     \
  X (STEP_PARTS, "step_parts", "Parts of steps", "", "%.0f", COUNT, LOWER,                                             \
     "parts of the steps in which something fast would else have passed through something, or that were not solved "   \
     "at "                                                                                                             \
     "once")                                                                                                           \
  X (ENERGY_INITIAL, "energy_initial", "Energy at the start", "J", "%.6g", REAL, NEITHER,                              \
     "kinetic energy and potential of gravity and springs at the start")                                               \
  X (ENERGY_FINAL, "energy_final", "Energy at the end", "J", "%.6g", REAL, NEITHER,                                    \
     "kinetic energy and potential of gravity and springs at the end")                                                 \
  X (MAX_PENETRATION, "max_penetration", "Penetration", "m", "%.1e", REAL, LOWER, "deepest overlap at a row")          \
  X (MAX_SWEPT_OVERLAP, "max_swept_overlap", "Overlap between rows", "m", "%.1e", REAL, LOWER,                         \
     "deepest overlap between two rows, less that of the rows themselves")                                             \
  X (MAX_CONE_VIOLATION, "max_cone_violation", "Cone violation", "N s", "%.1e", REAL, LOWER,                           \
     "largest excess of a tangential impulse over its friction bound, or size of a normal impulse that pulls")         \
  X (MAX_COMPLEMENTARITY, "max_complementarity", "Impulse at a gap", "N s m", "%.1e", REAL, LOWER,                     \
     "largest product of a contact's impulse and its least gap in the step")                                           \
  X (MAX_LAW_RESIDUAL, "max_law_residual", "Residual of the contact law", "m/s", "%.1e", REAL, LOWER,                  \
     "largest distance of a contact's impulse and velocity from the method's law of contact, where it imposes it")     \
  X (MAX_EXACT_RESIDUAL, "max_exact_residual", "Residual of the exact law", "m/s", "%.1e", REAL, LOWER,                \
     "of methods that relax the law of Coulomb and Signorini: the same distance from that law")                        \
  X (MAX_LINEARISED_GAP, "max_linearised_gap", "Gap beyond linear", "m/s", "%.1e", REAL, LOWER,                        \
     "of methods that linearise gaps: largest difference of a loaded contact's gap from that, over the step")          \
  X (MAX_JOINT_DRIFT, "max_joint_drift", "Joint drift", "m or rad", "%.1e", REAL, LOWER,                               \
     "largest distance by which a joint is open at a row")                                                             \
  X (MAX_BALANCE_RESIDUAL, "max_balance_residual", "Unexplained velocity", "m/s", "%.1e", REAL, LOWER,                 \
     "largest change of velocity in a step that no force or impulse explains")                                         \
  X (MAX_RESIDUAL, "max_residual", "Residual", "m/s", "%.1e", REAL, LOWER,                                             \
     "largest residual of a step's contact problem, as the integrator reports it")                                     \
  X (ESTIMATED_ERROR, "estimated_error", "Estimated error", "m", "%.1e", REAL, LOWER,                                  \
     "estimated distance of places from the exact motion at a row, angles times the bodies' size")                     \
  X (MEASURED_ORDER, "measured_order", "Measured order", "", "%.2f", REAL, HIGHER,                                     \
     "order with which errors fall where elements were halved, where they are above rounding")                         \
  /* replays of plans */                                                                                               \
  X (REPLAY_DISTANCE, "replay_distance", "Distance to plan", "m", "%.3g", REAL, LOWER,                                 \
     "largest distance of a body's centre from the plan")                                                              \
  X (REPLAY_ANGLE, "replay_angle", "Angle to plan", "rad", "%.3g", REAL, LOWER,                                        \
     "largest difference of an angle from the plan")                                                                   \
  X (REPLAY_FINAL, "replay_final", "Distance at the end", "m", "%.3g", REAL, LOWER,                                    \
     "largest distance of a body's centre from the plan at its end")                                                   \
  X (REPLAY_FINAL_ANGLE, "replay_final_angle", "Angle at the end", "rad", "%.3g", REAL, LOWER,                         \
     "largest difference of an angle from the plan at its end")                                                        \
  X (REPLAY_STEP, "replay_step", "Distance in a step", "m", "%.3g", REAL, LOWER,                                       \
     "largest distance after one step from the plan's own state")                                                      \
  X (REPLAY_STEP_T, "replay_step_t", "Time of that step", "s", "%.4g", REAL, NEITHER,                                  \
     "end of the step with the largest distance from the plan")                                                        \
  X (REPLAY_PARTED, "replay_parted", "Steps that part", "", "%.0f", COUNT, LOWER, "steps that part from the plan")     \
  X (REPLAY_PARTED_T, "replay_parted_t", "First parting", "s", "%.4g", REAL, NEITHER,                                  \
     "end of the first step that parts from the plan")                                                                 \
  X (REPLAY_NOT_UNIQUE, "replay_not_unique", "Steps not unique", "", "%.0f", COUNT, NEITHER,                           \
     "steps that part from the plan and have several answers, the plan's among them")                                  \
  X (REPLAYED_OBJECTIVE, "replayed.objective", "Replayed objective", "", "%.6g", REAL, LOWER,                          \
     "cost of the motion that the plan's controls give in finer steps")                                                \
  X (REPLAYED_END_DISTANCE, "replayed.end_distance", "Replayed distance at the end", "m", "%.3g", REAL, LOWER,         \
     "distance from the plan, at the end, of the motion of its controls in finer steps")                               \
  X (REPLAYED_PATH_VIOLATION, "replayed.max_path_violation", "Replayed path violation", "", "%.1e", REAL, LOWER,       \
     "largest violation of a path constraint or bound, between points too, in the motion of the plan's controls")      \
  X (REPLAY_TENTH, "replay_tenth", "Distance at a tenth of the step", "m", "%.3g", REAL, LOWER,                        \
     "distance from its goals at the end of its replay at a tenth of its step; of an angle 0.23 m a radian")           \
  X (REPLAY_HELD, "replay_feedback", "Distance under feedback", "m", "%.3g", REAL, LOWER,                              \
     "distance from its goals at the end of the same replay, held on it by LQR")                                       \
  X (HALVINGS, "halvings", "Halved steps", "", "%.0f", COUNT, NEITHER,                                                 \
     "how often the plan's steps were halved until its replay held")                                                   \
  X (WORK, "work", "Counted work", "s", "%.3g", REAL, LOWER,                                                           \
     "what was computed, as the kernels count it, in units of about a second of CPU time; the same at any load")       \
  X (FIRST_SECONDS, "first_seconds", "First honest answer", "s", "%.3g", REAL, LOWER,                                  \
     "CPU time of a race, of all its threads, until its first honest answer")                                          \
  /* a plan in worlds that it was not made for */                                                                      \
  X (WORLDS, "worlds.n", "Other worlds", "", "%.0f", COUNT, NEITHER,                                                   \
     "worlds, with other friction, masses and start, in which the plan was replayed by another integrator")            \
  X (WORLDS_OPEN, "worlds.open", "Holds in other worlds", "", "%.3f", REAL, HIGHER,                                    \
     "share of the other worlds in which the plan's controls end within 20 mm and 5 degrees of its goal")              \
  X (WORLDS_OPEN_LOW, "worlds.open_low", "Holds in at least", "", "%.3f", REAL, HIGHER,                                \
     "lower end of the 95 % interval of that share")                                                                   \
  X (WORLDS_OPEN_HIGH, "worlds.open_high", "Holds in at most", "", "%.3f", REAL, HIGHER,                               \
     "upper end of the 95 % interval of that share")                                                                   \
  X (WORLDS_OPEN_WORST, "worlds.open_worst", "Worst miss there", "m", "%.3g", REAL, LOWER,                             \
     "farthest end from its goal in these worlds, of replays that came to their end")                                  \
  SS_METRICS_HELD (X, LQR, "lqr", "LQR")                                                                               \
  SS_METRICS_HELD (X, CONTACT, "contact", "Contact LQR")                                                               \
  SS_METRICS_HELD (X, REPLAN, "replan", "Plans")                                                                       \
  SS_METRICS_HELD (X, PREDICT, "predict", "Prediction")                                                                \
  X (WORLDS_PLANNED, "worlds.planned", "Worlds in the problem", "", "%.0f", COUNT, NEITHER,                            \
     "worlds that the plan was made for, its own among them")                                                          \
  X (WORLDS_CPU_SECONDS, "worlds.cpu_seconds", "CPU time in other worlds", "s", "%.3g", REAL, LOWER,                   \
     "CPU time of planning for other worlds and of the replays there")                                                 \
  /* polished plans */                                                                                                 \
  X (POLISHED, "polish.is_answer", "Polished", "", "%.0f", FLAG, HIGHER, "whether the answer is a polished plan")      \
  X (POLISH_BEFORE, "polish.violation_before", "Violation before it", "", "%.2e", REAL, LOWER,                         \
     "largest violation of the method's own answer, before its polish")                                                \
  X (POLISH_BEST_SECONDS, "polish.best_seconds", "CPU time of the best start", "s", "%.3g", REAL, LOWER,               \
     "CPU time of the start that the answer came from: its solve, its polish, its neighbours")                         \
  X (POLISH_PIECES, "polish.pieces", "Pieces", "", "%.0f", COUNT, NEITHER,                                             \
     "pieces of the polished plan, each of which starts where the replay of the earlier ones ends")                    \
  X (POLISH_STARTS, "polish.starts", "Starts", "", "%.0f", COUNT, NEITHER, "starts of polished plans that were tried") \
  X (POLISH_SOLUTIONS, "polish.solutions", "Local solutions", "", "%.0f", COUNT, NEITHER,                              \
     "starts that ended in a polished plan")                                                                           \
  X (POLISH_SOLVES, "polish.solves", "Smooth problems", "", "%.0f", COUNT, LOWER,                                      \
     "smooth problems with fixed modes that were solved")                                                              \
  X (POLISH_CPU_SECONDS, "polish.cpu_seconds", "CPU time of the polish", "s", "%.3g", REAL, LOWER,                     \
     "CPU time of polish and further starts")                                                                          \
  X (POLISH_LINEAR_SECONDS, "polish.linear_seconds", "Linear solver in the polish", "s", "%.3g", REAL, LOWER,          \
     "part of the CPU time of polish and further starts in the library's linear solver")                               \
  /* the exact plan beside a plan in time steps */                                                                     \
  X (EXACT_FOUND, "exact.found", "Exact plan", "", "%.0f", FLAG, HIGHER, "whether the plan could be made exact")       \
  X (EXACT_OBJECTIVE, "exact.objective", "Objective of the exact plan", "", "%.6g", REAL, LOWER,                       \
     "objective of the plan with exact times of impacts and switches")                                                 \
  X (EXACT_END_DISTANCE, "exact.end_distance", "Replay of the exact plan", "m", "%.1e", REAL, LOWER,                   \
     "distance from the exact plan, at the end, of the motion of its controls")                                        \
  X (EXACT_CPU_SECONDS, "exact.cpu_seconds", "CPU time of the exact plan", "s", "%.3g", REAL, LOWER,                   \
     "CPU time after the race in which the exact plan was made, or not found")                                         \
  /* impacts */                                                                                                        \
  X (KINETIC_ENERGY_BEFORE, "kinetic_energy_before", "Kinetic energy before", "J", "%.4g", REAL, NEITHER,              \
     "kinetic energy before an impact")                                                                                \
  X (KINETIC_ENERGY_MIN, "kinetic_energy_min", "Least kinetic energy", "J", "%.4g", REAL, NEITHER,                     \
     "smallest kinetic energy of an outcome of an impact")                                                             \
  X (KINETIC_ENERGY_MAX, "kinetic_energy_max", "Largest kinetic energy", "J", "%.4g", REAL, NEITHER,                   \
     "largest kinetic energy of an outcome of an impact")                                                              \
  X (SAMPLES, "samples", "Samples", "", "%.0f", COUNT, NEITHER, "samples of an impact's outcomes")                     \
  X (LCPS_PER_SAMPLE, "lcps_per_sample", "LCPs a sample", "", "%.3f", REAL, NEITHER,                                   \
     "complementarity problems solved a sample")                                                                       \
  X (FINISHED_FRACTION, "finished_fraction", "Finished", "", "%.4f", REAL, HIGHER,                                     \
     "share of the samples that end with no contact approaching")                                                      \
  X (UNFINISHED, "unfinished", "Unfinished", "", "%.4f", REAL, LOWER, "share of the samples that still approach")      \
  X (DROPPED, "dropped", "Dropped", "", "%.4f", REAL, LOWER, "share of the samples with a step without an answer")     \
  X (AMBIGUOUS_FRACTION, "ambiguous_fraction", "Ambiguous steps", "", "%.4f", REAL, NEITHER,                           \
     "share of the steps with several outcomes")                                                                       \
  /* cost of the computation */                                                                                        \
  X (SETUP_SECONDS, "setup_seconds", "Set-up", "s", "%.3g", REAL, LOWER,                                               \
     "wall time of reading, derivatives and orderings")                                                                \
  X (SOLVE_SECONDS, "solve_seconds", "Time", "s", "%.3g", REAL, LOWER,                                                 \
     "wall time from the first evaluation to the answer")                                                              \
  X (CPU_SECONDS, "cpu_seconds", "CPU time", "s", "%.3g", REAL, LOWER, "processor time of the solving thread")         \
  X (QP_SECONDS, "qp_seconds", "CPU in subproblems", "s", "%.3g", REAL, LOWER,                                         \
     "part of the CPU time that subproblems took")                                                                     \
  X (LINEAR_SECONDS, "linear_seconds", "CPU in linear solver", "s", "%.3g", REAL, LOWER,                               \
     "part of the CPU time that the linear solver of a library took, where the library tells it")                      \
  X (DERIVATIVE_SECONDS, "derivative_seconds", "CPU in derivatives", "s", "%.3g", REAL, LOWER,                         \
     "part of the CPU time that derivatives took")                                                                     \
  X (VALUE_SECONDS, "value_seconds", "CPU in values", "s", "%.3g", REAL, LOWER,                                        \
     "part of the CPU time that values of objective and rows took")                                                    \
  X (THREADS, "threads", "Threads", "", "%.0f", COUNT, NEITHER, "threads that computed")                               \
  X (WAITED_SECONDS, "waited_seconds", "Waiting for a processor", "s", "%.3g", REAL, NEITHER,                          \
     "time in which threads of the run could compute and had no processor")                                            \
  X (MACHINE_LOAD, "machine_load", "Load of the machine", "", "%.2f", REAL, NEITHER,                                   \
     "load average of the machine over the minute before the run ended")                                               \
  X (SETUP_REUSED, "setup_reused", "Set-up reused", "", "%.0f", FLAG, NEITHER,                                         \
     "whether the compiled problem was kept from an earlier job")

typedef enum {
#define X(id, name, label, unit, format, type, better, summary) SS_METRIC_##id,
  SS_METRIC_LIST (X)
#undef X
      SS_METRIC_COUNT
} SsMetric;

typedef enum { SS_METRIC_TYPE_REAL, SS_METRIC_TYPE_COUNT, SS_METRIC_TYPE_FLAG } SsMetricType;
typedef enum { SS_BETTER_NEITHER, SS_BETTER_LOWER, SS_BETTER_HIGHER } SsBetter;

typedef struct {
  const char *name;
  const char *label;  /* of a column or a card, without unit */
  const char *unit;   /* "" for none */
  const char *format; /* of printf, for one double */
  SsMetricType type;
  SsBetter better;
  const char *summary; /* what it is, for help */
} SsMetricSpec;

/* Static; any thread. */
const SsMetricSpec *ss_metric_spec (SsMetric metric);
/* The metric of that name, or SS_METRIC_COUNT. */
SsMetric ss_metric_find (const char *name);

/* Values of a run. Zeroed: none is set. */
typedef struct {
  bool is_set[SS_METRIC_COUNT];
  double value[SS_METRIC_COUNT]; /* flags are 0 or 1; NaN: not known */
} SsMetricSet;

/* NaN says: asked for, but not known. */
void ss_metric_set (SsMetricSet *set, SsMetric metric, double value);
/* NaN where it was not set. */
double ss_metric_get (const SsMetricSet *set, SsMetric metric);
