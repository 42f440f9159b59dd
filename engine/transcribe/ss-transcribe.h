/* engine/transcribe/ss-transcribe.h: from a scene and its task to a model in equations (and so to an MPCC).
 *
 * The answer is a scenario with a `model`, so that the problem's assembly, metrics, optimisers, and files are those of
 * hand-written models. Its variables have the names of a simulation's channels, so that one view draws both.
 *
 * Numbers. A number of the scene or its task that depends on a parameter of the file (a target, a friction, a start, a
 * stiffness, a length) is a parameter of the model, an input of its formulas; every other number is a constant of them,
 * folded where it can be, and so is what it makes vanish. The starting values of all variables are inputs. Whatever
 * else changes takes a new transcription: sizes (steps, bodies), a number that is no input, a bound that becomes finite
 * or infinite, a friction, weight or damping that becomes zero or ceases to be. Which numbers depend on parameters is
 * found by reading the text again with all parameters moved a little (ss_scenario_read_moved); where that misses
 * one, such as in max (0, p) on its flat side, its change is noticed and takes a new transcription, too.
 *
 * A further transcription is a SsTranscriptionClass in a file of its own and one line in
 * transcribe/ss-transcriptions.c, where
 * the help, `methods`, the window and the job lines find it with its options. Its `open` lists variables and computes
 * their starts from the numbers of a scenario; `write` makes the formulas, and takes every number of the scene by
 * ss_expr_number_at with the inputs it is given, never by value, unless the number only decides whether something
 * exists; `guess` fills in a starting point. What can go wrong with numbers alone belongs into `open`: it is called
 * again for every other set of them, `write` is not. ss-time-stepping.c is the example.
 *
 * TIME STEPPING (contact-implicit)
 *
 * The law (law=implicit). Points k = 0..N, step k from point k to point k + 1, of length h (T / N, or variables). With
 * q0, v0, u0 at the step's start and q1, v1 at its end
 *     M (v1 - v0) = h ( f(q0, v0, u0, t0) + Jn(q1)' ln + Jt(q1)' lt + G(q1)' lb + Gl(q1)' ll )
 *     q1 = q0 + h v1
 *     0 = phi_b(q1)                                                   joints closed at the end
 *     0 <= ln _|_ phi(q1) >= 0,   0 <= ll _|_ phi_l(q1) >= 0          gaps and limits at the end
 *     lt minimises lt Jt(q1) v1 for |lt| <= mu ln                     maximum dissipation
 * M and f are those of engine/dynamics (f at the step's start: gravity, springs, dampers, formula forces, actuators);
 * phi, Jn, Jt are those of geometry/ss-gap-expr.h at q1, impulses act at the end's contact points. This is
 * stewart-trinkle with gap=end, where its steps are unique; its impulses are h times the forces here. Restitution is
 * not used, as there. Friction in the conditions of that minimum, s = Jt v1, sp and sp - s the multipliers of the two
 * bounds:
 *     0 <= sp _|_ mu ln + lt >= 0,   0 <= sp - s _|_ mu ln - lt >= 0
 * so lt = -mu ln when sliding forward (sp = s > 0), lt = mu ln when sliding back (sp = 0), anything between when
 * sticking. Two pairs instead of the usual three. Rows of velocities are divided by the mass or inertia: they are in
 * m/s and rad/s. Nothing is scaled otherwise: SI units.
 *
 * THE LAW WITH law=midpoint. The same gap and joints at the end, of order 2 between contacts; it keeps the energy of a
 * swing and is symmetric where nothing touches. With w = (q1 - q0)/h, the velocity of the way, and two forces of each
 * joint, limit and contact, of the way (w) and of the end (e):
 *     M (w - v0)  = h/2 ( f(q, w, u0, t) + G(q0)' lb_w + Jn(q1)' ln_w + Jt(q1)' lt_w + Gl(q1)' ll_w )
 *     M (v1 - w)  = h/2 ( f(q, w, u0, t) + G(q1)' lb_e + Jn(q1)' ln_e + Jt(q1)' lt_e + Gl(q1)' ll_e )
 *     q = (q0 + q1)/2,   t = t0 + h/2                                 other forces at the middle
 *     0 = phi_b(q1),   0 = G(q1) v1                                   joints closed, and their velocity
 *     0 <= ln_w _|_ phi(q1) >= 0                                      the gap of law=implicit
 *     0 <= ln_e _|_ phi(q1)/h + Jn(q1) v1 >= 0                        what touches does not go on; likewise of limits
 *     friction twice, of ln_w with the slip Jt(q1) w, of ln_e with Jt(q1) v1.
 * Without contacts that is the variational integrator of the midpoint rule with joints at points (J. E. Marsden, M.
 * West, Acta Numerica 10 (2001)), so symplectic; in half steps as RATTLE (simulate/ss-rattle.h). A
 * body that lies has v = 0 at every point, which one force of a contact a step cannot give: either it would bounce, or
 * have the velocity that gravity gives in half a step. The integrator is stewart-trinkle with gap=midpoint
 * (simulate/ss-midpoint.h). Variables are <contact>.way_n .way_t .way_slip .end_n .end_t .end_slip, <joint>.way_<i>
 * .end_<i> .way_lower ...; lambda_n, lambda_t, lambda_<i>, ... are channels: their means, the forces over the step. The
 * row of a position is h/m times the first line, that of a velocity the sum of both over m. Rows divide by h.
 *
 * Options of its own. law: the two above. rows=velocity divides the rows of positions and of joints by h (not where h
 * is free), so that all equalities of a step are in m/s and rad/s. known-start=on writes the first step from the
 * starts' numbers instead of the variables at point 0, which only their own rows then hold. On two draws of tasks (one
 * each of 10 and 17 kinds, CRISP with products priced, or with relaxation) neither was better beyond chance, so both
 * are off.
 *
 * Variables at a point, in this order: per body <body>.x .y .theta .vx .vy .omega, without those that cannot change
 * (bodies that are fixed, coordinates locked at rest; steadily moving locked coordinates have a position but no
 * velocity); time when steps are free; per gap <contact>.lambda_n [N], with friction .lambda_t [N] and .slip [m/s]
 * (sp), for hulls .direction [rad] and .weight_<i>; a candidate with several gaps (corners on a half-plane, several
 * shapes) has <contact>.<i>.lambda_n ...; per joint <joint>.lambda_<i> [N or N m], per limit <joint>.lambda_lower,
 * .lambda_upper; u.<actuator>; h when steps are free. As in a simulation contact forces on row k are those of the step
 * that ends there (0 at k = 0), u those of the step that starts there (the last row repeats the one before). Further
 * channels of a trajectory: what is missing of the names above (constant coordinates, sums of a contact's forces), and
 * <contact>.gap (the smallest).
 *
 * Joint coordinates (coordinates=joint). Pins, sliders and welds carry their second body, in the order of the file, as
 * long as that makes trees and the body is free; other joints stay rows. A carried body's pose is a function q(s) of
 * its joint's coordinate <joint>.position [rad or m] (a further channel of the trajectory); its velocities stay
 * variables, h v1 = q(s1) - q(s0), and its balances are projected on what the joint leaves free, dq/ds(s1)' (M (v1 -
 * v0) - h f) = 0. That is the law above with the joint's forces eliminated: M is not inverted, and plans agree with the
 * same replay.
 *
 * Breaks (task.breaks) must be points of the plan: one that is none is refused with its time, since steps of other
 * lengths would change what the plan's own step means. A plan with a free time knows no breaks.
 *
 * Path constraints and costs of scene formulas see the point's state, controls and time. Rows that read controls are
 * not imposed at the last point (no step starts there), rows that read none not at the first (it is given; one that is
 * violated there is reported). SS_PLAN_ALL costs are sum h cost over k = 0..N-1.
 *
 * Ownership  the transcribed scenario is independent of its source.
 * Threads    one at a time.
 * Tests      tests/numeric/test-transcribe.c, tests/numeric/test-transcript.c, tests/numeric/test-plan-law.c
 */
#pragma once

#include "core/ss-option.h"
#include "core/ss-trajectory.h"
#include "expr/ss-expr-math.h"
#include "scene/ss-scenario.h"

/* ---- what a transcription is ------------------------------------------------------------------------------------- */

typedef enum { SS_COORDINATES_ABSOLUTE, SS_COORDINATES_JOINT } SsCoordinates;

/* Contacts of a plan: all candidates at once, or as many as its motion needs (plan/ss-plan-lazy.h). A transcription has
 * all candidates of its scenario; who makes it chooses them. */
typedef enum { SS_PLAN_CONTACTS_ALL, SS_PLAN_CONTACTS_LAZY } SsPlanContacts;

typedef struct SsIntegratorClass SsIntegratorClass;
typedef struct SsTranscriptionClass SsTranscriptionClass;

/* Zeroed: defaults. */
typedef struct {
  const SsTranscriptionClass *class_; /* NULL: time stepping                                   */
  const void *own;                    /* options of the class' table, borrowed; NULL: defaults */
  SsCoordinates coordinates;
  SsPlanContacts contacts;
  /* [s] > 0: length of the steps, as many as the horizon has (it must be a multiple); 0: the plan's */
  double dt;
  /* [s] > 0: the horizon, in steps of dt, or as near to the plan's length of steps as it allows; 0: the plan's */
  double t_end;
  /* The start and the targets are going to change (ss_transcript_follow): they are inputs, whatever the text says, and
   * a start may violate a path constraint, which the plan then comes back to. */
  bool is_followed;
} SsTranscribeOptions;

/* The plan with the steps and the horizon that the options ask for. SS_ERR_INVALID where they do not fit. */
SS_NODISCARD SsStatus ss_transcribe_set_steps (const SsTranscribeOptions *options, SsPlan *plan, SsError *err);

/* A number that a model takes from its scenario. */
typedef struct {
  const double *at;         /* in the scenario, its plan or the state of the class */
  const char *owner, *what; /* make the name of an input: "box", "mass"            */
  /* whether it is zero decides on variables, rows or costs (whether it is finite always may) */
  bool is_switch;
  bool decides; /* of a class' state: no other value may take its place without a new transcription */
  bool follows; /* of the scene and its plan: a start or a target (SsTranscribeOptions.is_followed)  */
} SsTranscribeNumber;

/* What the rows of a block are, as `equations` shows it: a sentence, a formula as text and as LaTeX, or all. */
typedef struct {
  const char *block; /* of the model, as `write` names it */
  const char *words; /* NULL: none */
  const char *text, *latex;
} SsTranscriptionRow;

/* One way to make a model of a scene. `state` belongs to one reading of the scenario. */
struct SsTranscriptionClass {
  const char *name, *label, *summary;
  /* Of its own, besides what all have (SsTranscribeOptions); names differ from those of other transcriptions, unless
   * the table is one. */
  const SsOptionTable *options;
  /* Its rows, in words and formulas, those that depend on options too; beside the bounds and costs of the task. */
  const SsTranscriptionRow *rows;
  int n_rows;
  /* The integrator whose law the model's steps are (NULL: none), and the option that it needs with these options of the
   * class' table (NULL: defaults); find_option NULL, or the option NULL: none. */
  struct {
    const SsIntegratorClass *integrator;
    const SsOptionValue *(*find_option) (const void *own);
  } law;
  /* SsSceneUse: what it takes of the scene's restitution, stiffness and damping; a run warns of the rest. */
  unsigned uses;
  /* Whether optimisers that can choose keep rows of one variable as bounds (their option `bounds` is then `exact`
   * unless it was given). */
  bool wants_bounds;
  /* Length of that integrator's steps [s] when a whole plan is replayed to see what it is worth; NaN: the motion is no
   * plan of this transcription. NULL: plans are replayed at their own steps only. */
  double (*replay_step) (const SsTrajectory *plan);
  /* Why a motion that fulfils its rows is none that its law allows, as text for people in reason[size]; "": nothing
   * is known against it. NULL: the rows say all. */
  SsStatus (*judge) (const SsScene *scene, const SsTrajectory *plan, char *reason, size_t size, SsError *err);
  /* Lists variables and their starts; *n_variables: per point. `plan` is the source's with the steps that the options
   * ask for; source, plan and options are borrowed until close. SS_ERR_INVALID names what the transcription does not
   * know, or what the numbers make impossible. */
  SsStatus (*open) (const SsScenario *source, const SsPlan *plan, const SsTranscribeOptions *options, void **state,
                    int *n_variables, SsError *err);
  void (*close) (void *state); /* NULL is allowed */
  /* The state's own numbers (starts), which are always inputs: returns their count; numbers NULL: nothing more. */
  int (*list) (const void *state, SsTranscribeNumber *numbers);
  /* Points, names of variables, blocks, costs and channels of the model, whose slots are set, and the task of `out`; in
   * memory of `arena`, formulas in out->graph. */
  SsStatus (*write) (void *state, const SsInputNumbers *inputs, SsArena *arena, SsScenario *out, SsModel *model,
                     SsError *err);
  /* Starting point x[n_points * n_variables], zeroed before: the motion `start` by the names of its channels, or the
   * plan's guess where that is NULL. */
  SsStatus (*guess) (void *state, const SsTrajectory *start, double *x, SsError *err);
  /* Which contacts of the scene the model does not know, and why, and what else people should know of the choice of
   * options, as text for them; false when there is nothing. */
  bool (*left_out) (const SsScenario *source, const SsTranscribeOptions *options, char *text, size_t size);
};

/* The option of the law's integrator, as above. */
const SsOptionValue *ss_transcribe_law_option (const SsTranscribeOptions *options);

extern const SsTranscriptionClass ss_transcription_time_stepping; /* ss-time-stepping.c */
extern const SsTranscriptionClass ss_transcription_fesd_j;        /* ss-fesd-j.c        */

/* ---- transcribing ------------------------------------------------------------------------------------------------ */

/* A model of a scene that takes other numbers. */
typedef struct SsTranscript SsTranscript;

/* `source` must be a scene with a task->plan: SS_ERR_INVALID says what is missing or what the transcription does not
 * know, with its name. `source` is not needed afterwards; `options` (NULL: defaults) are copied. */
SS_NODISCARD SsStatus ss_transcript_new (const SsScenario *source, const SsTranscribeOptions *options,
                                         SsTranscript **out, SsError *err);
void ss_transcript_free (SsTranscript *transcript); /* NULL is allowed */
/* The model, with the numbers of the newest source and its guess; borrowed, the same until the transcript is freed. */
const SsScenario *ss_transcript_model (const SsTranscript *transcript);
/* Whether the transcript was made with these options (NULL: defaults). */
bool ss_transcript_has_options (const SsTranscript *transcript, const SsTranscribeOptions *options);
/* Takes the numbers of `source`, another reading of the same text. *fits: false when that takes a new transcript; the
 * model is then as before. With the same numbers as a new transcript, and formulas that differ from those of a new one
 * in nothing that a number decides. Errors are those of ss_transcript_new; the model is then as before. */
SS_NODISCARD SsStatus ss_transcript_fill (SsTranscript *transcript, const SsScenario *source, bool *fits, SsError *err);
/* Takes other starts and targets of a transcript that is_followed: those of `source`, which may be a reading of the
 * same text with these numbers changed by hand. As ss_transcript_fill, but the model's guess stays as it is, since it
 * takes longer than the numbers. */
SS_NODISCARD SsStatus ss_transcript_follow (SsTranscript *transcript, const SsScenario *source, bool *fits,
                                            SsError *err);
/* The starting point that a motion gives (NULL: the plan's own guess), x[n_points * n_variables]; `source` is the
 * newest one. */
SS_NODISCARD SsStatus ss_transcript_guess (const SsTranscript *transcript, const SsScenario *source,
                                           const SsTrajectory *start, double *x, SsError *err);

/* The model alone, owned by the caller, for who needs it once. */
SS_NODISCARD SsStatus ss_transcribe (const SsScenario *source, const SsTranscribeOptions *options, SsScenario **out,
                                     SsError *err);

/* Which of the scene's contacts its plan does not know, and why, as text for people; false when there are none. */
bool ss_transcribe_left_out (const SsScenario *source, const SsTranscribeOptions *options, char *text, size_t size);
