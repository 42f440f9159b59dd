/* engine/simulate/ss-simulate.h: integrators behind one table.
 *
 * Life cycle: options -> new -> step (many times) -> free. The scene is borrowed. State: q[3 n_bodies], v[3 n_bodies].
 * A step that fails leaves the state untouched and says why (body, contact, time). What happens within a step is told
 * through its sink (simulate/ss-step.h): rows, stages, exact events.
 * Contact impulses: lambda_n along the normal (from a to b) on b, lambda_t along the normal turned by -90 degrees ((1,
 * 0) on a floor) on b; opposite on a. Channels of a simulation: t, then per body <body>.x .y .theta .vx .vy .omega,
 * then per contact .gap .lambda_n .lambda_t (forces [N], summed over the manifold's points; gap is the smallest)
 * .impulse_n .impulse_t [N s]; then per contact .penetration [m] .cone_violation [N s] .dissipated [J, since the start]
 * .law_residual [m/s; 0 until the run is judged, and in branches beside the first: judge/ss-motion-law.h]; per joint
 * .drift (largest |phi| of its rows, [m] or [rad]), then what they have of .force_x .force_y .moment .limit .motor
 * .friction (SsJointForce: means over the step that ends at the row, forces at its time where an integrator gives
 * stages); <spring>.tension; u.<actuator>; energy.kinetic, energy.potential (gravity, springs),
 * energy.dissipated (sum over contacts) [J]; momentum.x, momentum.y [N s], momentum.angular (about the origin) [N m s];
 * residual (of the step, by the integrator's own measure); the second clock [s], tau or s, where the integrator has
 * one; step, stage and stages where rows of stages are wanted (core/ss-stage-rows.h). Scenes with more than
 * SS_CONTACTS_WITH_CHANNELS_MAX contacts have channels, after all others, of those contacts alone that ever have an
 * impulse or overlap in the motion, in its rows; none while it is made, and none where an integrator gives stages.
 * Rows: times do not descend. Rows with equal t are a jump: what holds at that time, and u from then on, is the last of
 * them. One row a step where the integrator emits none.
 */
#pragma once

#include "contact/ss-step-state.h"
#include "core/ss-contact-rows.h"
#include "judge/ss-motion-law.h"
#include "scene/ss-scenario.h"
#include "simulate/ss-fork.h"
#include "simulate/ss-proposer.h"
#include "simulate/ss-sensitivity.h"
#include "simulate/ss-step.h"

/* What all integrators with contacts that give way solve (SsIntegratorClass.solves). */
#define SS_SOLVES_PENALTY                                                                                              \
  "Contacts are springs and dampers that push only (penalty), friction a damper on the slip, at most mu times the "    \
  "normal force: impacts last, and what they give back follows from the damper."

struct SsContactWatch; /* contact/ss-contact-problem.h */
struct SsPast;         /* simulate/ss-past.h */

typedef struct SsIntegratorClass {
  const char *name, *label, *summary;
  const char *solves; /* the law of contact, friction and impact in a sentence: where its motions tend to */
  const SsOptionTable *options;
  SsStatus (*new_) (const SsScene *scene, const void *options, void **integrator, SsError *err);
  /* From `state` over step->dt: SS_ERR_SINGULAR etc. Allocates nothing once every size has been seen. */
  SsStatus (*step) (void *integrator, const SsStep *step, SsSimState *state, SsStepInfo *info, SsError *err);
  void (*free_) (void *integrator);
  /* SsSceneUse: what it takes of the scene's restitution, stiffness and damping; the driver warns of the rest. */
  unsigned uses;
  /* Where it imposes its law of contact, for the judge; numbers that options say are taken from them by
   * ss_integrator_contact_law. Zeroed: not told. */
  SsMotionLaw contact_law;
  /* The same with these options (NULL: the defaults), where it depends on them; NULL: it does not. */
  unsigned (*uses_with) (const void *options);
  /* Whether its steps of the scene with these options (NULL: the defaults) have joints, and contacts, at both of their
   * ends (simulate/ss-rattle.h). NULL: never. */
  bool (*acts_at_both_ends) (const SsScene *scene, const void *options);
  /* What it emits. Events: all that happen, with their times, so that none are looked for in the rows. Stages: of every
   * step, and contact values mean what SsSimState says of such integrators. */
  bool gives_events, gives_stages;
  /* Stages of an element where the motion shall have rows of them with these options (NULL: the defaults): they are
   * then told with all that a row has (simulate/ss-step.h); 0: it shall not. NULL: never. */
  int (*keeps_stages) (const void *options);
  /* Whether each step can only begin where the one before it ended: a program that tells its motion. */
  bool is_stream;
  /* The second clock that state->tau is with these options (NULL: the defaults), see ss_quantity_is_second_clock;
   * UNKNOWN: none, and tau is not read. NULL: never one. */
  SsQuantity (*second_clock) (const void *options);
  /* Channels of its own with these options (NULL: the defaults), after the second clock if it has one: how many, and
   * number i of them (the name goes into `name`). NULL: none. */
  int (*n_more) (const SsScene *scene, const void *options);
  SsChannel (*more) (const SsScene *scene, const void *options, int i, char *name, size_t size);
  /* Their values where a run starts, into state->more. NULL: zero. */
  void (*start) (void *integrator, SsSimState *state);
  /* What is to be said of a run, for log lines after its first step. NULL: nothing. */
  void (*say) (const void *integrator, SsRunControl *control);
  /* Whom it may ask where nothing that it knows goes on; borrowed until it is freed. Before the first step. NULL: it
   * asks nobody. */
  void (*set_proposer) (void *integrator, const SsProposer *proposer);
  /* Of its last step that was several (SsStepInfo.certainty), borrowed until the next step; NULL: none was. NULL: it
   * does not look. */
  const SsSecondSolution *(*second) (const void *integrator);
  /* Who is told of its steps' contact problems, of those that have the exact law; borrowed until it is freed. NULL: it
   * has no such problems. */
  void (*watch_contacts) (void *integrator, const struct SsContactWatch *watch);
  const SsSensitivityClass *sensitivity; /* of integrators that follow derivatives of their motions; NULL of others */
  const SsForkClass *fork;               /* of integrators whose motions may go on in several ways; NULL of others */
  /* What a user must know about these options on this scene, for a warning at the start; NULL if nothing. Static text.
   * May be NULL. */
  const char *(*caveat) (const SsScene *scene, const void *options);
  /* How far a step from `start` to `end` is from the scheme's own law, wherever it comes from [m or rad]: near 0 it is
   * an answer of the step, be it another one than `step` finds. Gaps and slips up to `tolerance` [m] count as none;
   * *residual is NaN where the options have no law at the end. Emits nothing. NULL: not known of this scheme. */
  SsStatus (*law_residual) (void *integrator, const SsStep *step, const SsSimState *start, const SsSimState *end,
                            double tolerance, double *residual, SsError *err);
} SsIntegratorClass;

/* What keeps_stages of the integrator says; 0 where it has none, or there is no integrator. */
int ss_integrator_keeps_stages (const SsIntegratorClass *integrator, const void *options);

extern const SsIntegratorClass ss_integrator_stewart_trinkle;      /* simulate/ss-stewart-trinkle.c */
extern const SsIntegratorClass ss_integrator_convex_time_stepping; /* simulate/ss-stewart-trinkle.c */
extern const SsIntegratorClass ss_integrator_moreau_jean;          /* simulate/ss-velocity-stepping.c */
extern const SsIntegratorClass ss_integrator_anitescu_potra;       /* simulate/ss-velocity-stepping.c */
extern const SsIntegratorClass ss_integrator_semi_implicit_euler;  /* simulate/ss-penalty.c */
extern const SsIntegratorClass ss_integrator_explicit_euler;       /* simulate/ss-penalty.c */
extern const SsIntegratorClass ss_integrator_implicit_euler;       /* simulate/ss-implicit-euler.c */
extern const SsIntegratorClass ss_integrator_cvode; /* simulate/ss-cvode.c; only in builds with SS_HAVE_CVODE */
extern const SsIntegratorClass ss_integrator_constraint_solver; /* simulate/ss-constraint-solver.c */

/* What an integrator takes of the scene with these options (NULL: the defaults), of SsSceneUse. */
unsigned ss_integrator_uses (const SsIntegratorClass *integrator, const void *options);

/* SS_ERR_INVALID where the scene has what it cannot have, and would miss silently: friction and motors of joints,
 * rolling resistance. */
SS_NODISCARD SsStatus ss_integrator_check_scene (const SsIntegratorClass *integrator, const void *options,
                                                 const SsScene *scene, SsError *err);

/* The law by which its motions of the scene with these options (NULL: the defaults) are judged, with the numbers of
 * those options; not told where they choose a law that the judge does not know. simulate/ss-contact-law.c */
SsMotionLaw ss_integrator_contact_law (const SsScene *scene, const SsIntegratorClass *integrator, const void *options);

/* Steps that were taken in parts, where something is fast or they could not be solved (simulate/ss-swept.h). */
typedef struct SsSweptCount {
  int n_steps;     /* that were taken in parts */
  int n_parts;     /* of these */
  int n_left;      /* parts that could not be made shorter: something may have passed there */
  double t;        /* start of the first such step where something is fast [s]; NaN: none */
  int n_halved;    /* steps that could not be solved at once */
  double t_halved; /* start of the first [s]; NaN: none */
  int contact;     /* that it was for; -1: none */
} SsSweptCount;

/* Simulation metrics over a run; see the result format. */
typedef struct SsSimMetrics {
  int steps;
  double energy_initial, energy_final; /* kinetic + potential of gravity and springs [J]             */
  /* From the contact values of the integrator, over its rows: */
  double max_penetration;    /* [m] >= 0                                                    */
  double max_cone_violation; /* [N s]: max(|impulse_t| - mu (impulse_n + h cohesion), 0)    */
  /* Its own word: largest residual of a step (SsStepInfo), that step's end [s], and how many steps are above
   * SS_SIM_LAW_MISSED. */
  double own_residual, t_residual;
  int n_law_missed;
  bool has_error; /* SsStepInfo of its steps: the largest, and the last orders */
  double error, due_order, order;
  int n_by_way[SS_STEP_N_WAYS];           /* steps by the way they were solved */
  int n_by_certainty[SS_CERTAINTY_COUNT]; /* steps by how sure they are; over all branches */
  SsSecondSolution second;                /* of the first that was several */
  int n_left;                             /* steps with forces that stayed explicit though no step resolves them */
  double t_left;                          /* end of the first [s] */
  SsSweptCount parts;
} SsSimMetrics;

/* Runs from the scene's initial state to t_end with step dt. A step ends at every break of the scene (task.breaks), and
 * the next one has dt from there on: a step before a break, and the last one, are shortened. So the parts between the
 * breaks have the fewest steps of at most dt. Appends one row per step to *trajectory (created here, the caller frees),
 * and what the step emits; emits SS_PROGRESS_FRAME rows; the trajectory holds what there is when it ends early.
 * outcome: COMPLETED, DIVERGED, CANCELLED, TIME_LIMIT, FAILED. On failure outputs are untouched. */
SS_NODISCARD SsStatus ss_simulate (const SsScene *scene, const SsIntegratorClass *integrator, const void *options,
                                   double dt, double t_end, SsRunControl *control, SsTrajectory **trajectory,
                                   SsSimMetrics *metrics, SsOutcome *outcome, char *message, size_t message_size,
                                   SsError *err);

/* ---- given controls ---------------------------------------------------------------------------------------------- */

/* Controls over time, held between rows (zero order): u[row] acts on every step that begins at or after t[row] and
 * before t[row + 1], the last row to the end. */
typedef struct SsControls {
  int n_rows, n_actuators; /* n_actuators of the scene, in its order            */
  double *t;               /* n_rows >= 1, ascending, t[0] = 0 [s]              */
  double *u;               /* n_rows x n_actuators, row-major [N] or [N m]      */
} SsControls;

/* From the channels t and u.<actuator> of a trajectory; of rows with equal t the last one acts, and they make one row
 * here. SS_ERR_INVALID when a channel is missing, a value is not finite, times descend or do not begin at 0. */
SS_NODISCARD SsStatus ss_controls_new (const SsScene *scene, const SsTrajectory *trajectory, SsControls **out,
                                       SsError *err);
void ss_controls_free (SsControls *controls); /* NULL is allowed */
/* The row that acts on a step from t on: the last one with t[row] <= t, where a millionth of the row's length is
 * rounding of t. */
const double *ss_controls_at (const SsControls *controls, double t);

/* Controls by the state: asked once for every step, where it begins. What comes back (n_actuators) acts on the whole
 * step, clamped to the actuators' bounds; borrowed until the next call. */
typedef struct SsController {
  void *owner; /* first argument */
  const double *(*controls) (void *owner, const SsSimState *state);
} SsController;

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* Who looks at a motion while it is made, so that what is known of it does not depend on the rows that are kept, and is
 * there when a run ends early. ss-sim-watch.c */
typedef struct SsSimWatch {
  void *owner; /* first argument of both */
  /* Before the first rows; `like` has their channels, and lists that are empty yet. */
  SsStatus (*begin) (void *owner, const SsMotionBlock *like, SsError *err);
  /* All rows of the motion, each once, in their order. `points` are those of these rows and of later ones, and gone
   * after the call; NULL: the integrator gives events. */
  SsStatus (*rows) (void *owner, const SsMotionBlock *rows, const SsPointImpulses *points, SsError *err);
} SsSimWatch;

typedef struct {
  const SsScene *scene; /* all borrowed for the call */
  const SsIntegratorClass *integrator;
  const void *options;        /* NULL: defaults */
  const SsControls *controls; /* in the place of the actuators' formulas, clamped to their bounds; NULL: the formulas */
  const SsController *controller; /* acts in the place of `controls`, whose times are steps still; NULL: none */
  double dt, t_end;               /* dt NaN: one step a row of the controls, cut at the breaks of the scene */
  /* Borrowed, with `scene` as ss_past_scene gives it: the motion begins at its end, which is not beyond t_end; NULL:
   * at 0 s. */
  const struct SsPast *past;
  const SsProposer *proposer; /* borrowed; NULL: nobody is asked */
  /* Rows are kept of every so many steps, their last ones, and the first and the last row; 0, 1: all. Not of a fan. */
  int every;
  /* Borrowed; NULL: nobody looks. Nobody does at a fan, nor at a motion with numerical time, whose spans between rows
   * of one time are known at the end: SsSimResult.is_watched. */
  const SsSimWatch *watch;
  /* Borrowed; NULL: nobody looks at the contact problems of the steps. SS_ERR_INVALID where the integrator has none of
   * the exact law, or the scene has what is no part of one (rolling resistance). */
  const struct SsContactWatch *contacts;
  /* Derivatives of the motion by these, borrowed; none by default. SS_ERR_INVALID where the integrator follows none, or
   * the motion is a fan. */
  const SsSensitivityInput *inputs;
  int n_inputs;
} SsSimJob;

typedef struct SsSimResult {
  SsTrajectory *trajectory; /* owned: the motion */
  /* Owned; NULL when the integrator gives none. Of the steps in the trajectory, channels t, weight [s], row (of the
   * trajectory, before which the stage lies), <body>.x .y .theta .vx .vy .omega, <contact>.lambda_n .lambda_t,
   * u.<actuator>. Not a motion: see simulate/ss-step.h. */
  SsTrajectory *stages;
  SsTrajectory *stage_rows; /* owned: a row of the motion for each of `stages`; NULL: none are wanted */
  SsEventList *events;      /* owned; NULL when the integrator gives none: ss_events_find */
  /* Owned: impulses of the contact points by rows of the motion, for ss_events_find; NULL when the integrator gives
   * events, empty when it knows none of single points. */
  SsPointImpulses *points;
  bool is_watched; /* the job's watch has seen all rows: points are gone, and of fewer kept rows the stages */
  int every;       /* rows are those of every so many steps; 1: all */
  /* Contacts that have no channels, of a scene with more than have channels: those that did nothing, and where more
   * than SS_CONTACTS_WITH_CHANNELS_MAX did something, all. */
  int n_without_channels;
  SsSimMetrics metrics; /* penetration, cone, law and ways: over all branches */
  SsOutcome outcome;
  char message[512];
  SsSensitivity *sensitivity; /* owned; NULL: no derivatives were asked for */
  /* Owned: the branches of a fan, the first of which is the trajectory above; 0: the motion did not fork. See
   * simulate/ss-fan.h. */
  int n_branches;
  struct SsFanBranch *branches;
} SsSimResult;

/* ss_simulate with all that there is. */
SS_NODISCARD SsStatus ss_simulate_job (const SsSimJob *job, SsRunControl *control, SsSimResult *result, SsError *err);
void ss_sim_result_clear (SsSimResult *result); /* a zeroed one is allowed */

/* An empty trajectory with the channels of a simulation of that scene by that integrator (NULL: one without a second
 * clock) with these options (NULL: the defaults). */
SS_NODISCARD SsStatus ss_simulation_trajectory_new (const SsScene *scene, const SsIntegratorClass *integrator,
                                                    const void *options, int n_rows, SsTrajectory **out, SsError *err);

/* ---- step by step ------------------------------------------------------------------------------------------------ */

/* The same, one step at a time, for whoever wants to act in between (the sandbox). The state belongs to the simulation
 * and may be changed between steps; ss_simulation_fill makes the row that belongs to it. One thread at a time. */
typedef struct SsSimulation SsSimulation;
/* scene and options are borrowed; starts in the scene's initial state. */
SS_NODISCARD SsStatus ss_simulation_new (const SsScene *scene, const SsIntegratorClass *integrator, const void *options,
                                         SsSimulation **out, SsError *err);
void ss_simulation_free (SsSimulation *simulation); /* NULL is allowed */
SsSimState *ss_simulation_state (SsSimulation *simulation);
int ss_simulation_n_channels (const SsSimulation *simulation);
const SsChannel *ss_simulation_channels (const SsSimulation *simulation);
/* One step of dt, in parts where breaks of the scene lie in it (rows at the ends of all). A failed step names body,
 * contact and time and leaves the state as it was; SS_ERR_INVALID: it has diverged, the state is what came out. */
SS_NODISCARD SsStatus ss_simulation_step (SsSimulation *simulation, double dt, SsStepInfo *info, SsError *err);
/* Of the last step, borrowed until the next one: its rows, the last of which is the state at its end, its stages (`row`
 * counts these rows) and events (NULL when the integrator gives none). All empty after a step that failed. */
const SsTrajectory *ss_simulation_rows (const SsSimulation *simulation);
const SsTrajectory *ss_simulation_stages (const SsSimulation *simulation);
const SsEventList *ss_simulation_events (const SsSimulation *simulation);
/* Contacts that did something in these rows, of a scene with so many that they have no channels; NULL for others, and
 * where the integrator gives stages. */
const SsContactRows *ss_simulation_contacts (const SsSimulation *simulation);
/* Controls for the steps to come, in the place of the actuators' formulas (borrowed until the simulation is freed or
 * they are set again); NULL: the formulas. */
void ss_simulation_set_controls (SsSimulation *simulation, const SsControls *controls);
/* Whom a step that takes long asks whether to go on (SsStep.control); borrowed until the simulation is freed. */
void ss_simulation_set_control (SsSimulation *simulation, SsRunControl *control);
/* The row of the state as it is: n_channels values. */
void ss_simulation_fill (SsSimulation *simulation, double *row);
/* The other way: time, poses, speeds and contact values from a row of a simulation with the same channels. Contact
 * values of scenes without contact channels stay. */
void ss_simulation_restore (SsSimulation *simulation, const double *row);
