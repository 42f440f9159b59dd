/* engine/scene/ss-scenario.h: one scenario file: parameters, a scene or a model, task, view.
 *
 * Reading validates everything and reports every problem with file, line, path and what was expected; a file is
 * accepted whole or not at all. SI units, radians. Any number of the `scene` and `task` sections may be a formula of
 * parameters in text. The struct is the typed reading of the file and is not edited: an editor changes the JSON text
 * and reads it again (unknown fields survive because the text is the master). All pointers are owned by the scenario
 * (one arena) and live as long as it. File format: documented in examples/README.md. Tests: tests/unit/test-scenario.c,
 * tests/fuzz/.
 */
#pragma once

#include "core/ss-trajectory.h"
#include "expr/ss-expr.h"
#include "geometry/ss-geometry.h"

#include <math.h>
#include <stdint.h>

enum { SS_SCENARIO_FORMAT = 1 };
#define SS_SCENARIO_MAX_BYTES (16u << 20)

typedef struct {
  const char *name;
  const char *description; /* "" if none */
  const char *formula;     /* text of the default when given as formula, else NULL */
  double value;            /* after overrides */
  double minimum, maximum; /* -INFINITY, INFINITY when not given */
  bool is_integer;
  /* changes sizes (used by time points or ranges), or t where a formula reads it: a change means a new problem, not new
   * numbers */
  bool is_structural;
  bool is_overridden;
} SsParameter;

/* ---- scene ------------------------------------------------------------------------------------------------------- */

/* A named point of a body, for formulas: <body>.<name>.x, .y, .vx, .vy in the world's frame. */
typedef struct {
  const char *name;
  SsVec2 at; /* body's frame [m] */
} SsBodyPoint;

typedef struct {
  const char *name;
  bool is_fixed;         /* does not move; mass is ignored                                */
  SsShape shape;         /* the first shape                                                */
  int n_shapes;          /* >= 1; all rigidly attached to the body frame                   */
  const SsShape *shapes; /* shapes[0] equals `shape`                                       */
  /* x, y, theta keep their initial velocity v: 0 holds still, another value moves steadily (a belt), whatever acts on
   * it */
  bool lock[3];
  double mass;       /* [kg] > 0                                                       */
  double inertia;    /* [kg m2] >= 0 about the centre of mass (the body's origin)      */
  double q[3];       /* x, y [m], theta [rad] at t = 0                                 */
  double v[3];       /* xdot, ydot [m/s], thetadot [rad/s]                             */
  const char *color; /* "blue", "yellow", "brown", "green" or ""                       */
  /* of the file's frame of this body, in the body's frame [m]: minus the centre of mass that a density gives, else (0,
   * 0). Shapes and anchors here are in the body's frame already; `position` of the file is q + R(theta) origin */
  SsVec2 origin;
  int item; /* place in the file's list of bodies, -1 when a family wrote it */
  int n_points;
  const SsBodyPoint *points;
} SsBody;

/* Shapes of a body, 0 <= i < their number, which is 1 at least: a body that is made by hand may have `shape` alone. */
int ss_body_n_shapes (const SsBody *body);
const SsShape *ss_body_shape (const SsBody *body, int i);
/* Of a circle about the body's frame in which all its shapes lie; INFINITY of a half-plane [m]. */
double ss_body_radius (const SsBody *body);
/* The largest ss_shape_turning_radius of its shapes; INFINITY of a half-plane [m]. */
double ss_body_turning_radius (const SsBody *body);
/* Across that circle; 1 where it has no end, or no size [m]. */
double ss_body_size (const SsBody *body);
/* What the channels of a body's motion are called behind its name: coordinates, then their rates. ss-channels.c */
enum { SS_BODY_CHANNELS = 6 };
extern const char *const ss_body_channels[SS_BODY_CHANNELS];

/* No coordinate of the body answers to forces: it is fixed, or x, y and theta are locked. */
bool ss_body_is_immovable (const SsBody *body);

/* Per-contact channels (gap, forces) are written for scenes of at most this many contacts: a pyramid of 1035 boxes has
 * half a million pairs. */
enum { SS_CONTACTS_WITH_CHANNELS_MAX = 4096 };

/* How a contact answers: friction coefficient, restitution, stiffness [N/m], damping [N s/m]. */
typedef enum {
  SS_MATERIAL_FRICTION,
  SS_MATERIAL_RESTITUTION,
  SS_MATERIAL_STIFFNESS,
  SS_MATERIAL_DAMPING,
  SS_MATERIAL_VALUES
} SsMaterialValue;
extern const char *const ss_material_value_names[SS_MATERIAL_VALUES]; /* as in files: "friction" */

typedef struct {
  const char *name;
  double values[SS_MATERIAL_VALUES]; /* those of the scene where it says nothing */
  bool says[SS_MATERIAL_VALUES];
} SsMaterial;

/* What two materials do together, where that does not follow from the two. */
typedef struct {
  int a, b;                          /* materials */
  double values[SS_MATERIAL_VALUES]; /* NAN: not said */
} SsMaterialPair;

/* Who may say a value of a contact; the first of them that does is in force. */
typedef enum { SS_FROM_CONTACT, SS_FROM_PAIR, SS_FROM_MATERIALS, SS_FROM_SCENE, SS_VALUE_SOURCES } SsValueSource;

/* Formulas of a contact in the place of its numbers, each of its depth d = max (0, -gap) [m], the rate w of its gap
 * [m/s] and parameters; SS_EXPR_NONE: the number holds. The contact pushes with max (0, stiffness d - damping w) [N]:
 * Hunt and Crossley's law is k d^(1/2) and 3/2 c k d^(3/2) (J. Appl. Mech. 42, 1975); paper 003 asks for its damper.
 * Inputs of the three: SsComplianceInput, and the scene's parameters in their own slots. ss-compliance-read.c */
typedef struct {
  SsExpr stiffness, damping, slip_damping; /* [N/m], [N s/m], [N s/m] */
  /* K_r of paper 003 [N/m] >= 0: of a spring along the tangent, stretched at most to the bound of friction; 0: none */
  double slip_stiffness;
} SsCompliance;
typedef enum { SS_COMPLIANCE_DEPTH, SS_COMPLIANCE_RATE, SS_COMPLIANCE_INPUTS } SsComplianceInput;
extern const char *const ss_compliance_inputs[SS_COMPLIANCE_INPUTS]; /* as in files: "depth" */

typedef struct {
  const char *name;                       /* unique; given or "<a>-<b>"                                     */
  int body_a, body_b;                     /* indices; the normal points from a to b                         */
  double mu;                              /* friction coefficient >= 0                                      */
  double restitution;                     /* 0..1                                                           */
  double stiffness;                       /* [N/m] of penalty and compliant laws; 0 = the integrator's own default */
  double damping;                         /* [N s/m]                                                        */
  double rolling;                         /* [m] >= 0: lever of rolling resistance, a torque of at most rolling
                                           * times the normal force against the turning of b against a */
  double cohesion;                        /* [N] >= 0: the most that it pulls with while it touches, see
                                           * SS_COHESION_REACH */
  const SsCompliance *compliance;         /* NULL: numbers alone */
  unsigned char from[SS_MATERIAL_VALUES]; /* SsValueSource of each of the four                   */
} SsContact;

/* A contact with cohesion c touches where a gap at the start of a step is at most this [m]: larger than what rounding
 * and the linearised gap of a step leave open, less than what is seen. Its points that touch share c equally. */
#define SS_COHESION_REACH 1e-6

/* What a scene may say of contacts and joints that only some laws use: names of bits, see ss-uses.h. */
typedef enum {
  SS_USES_RESTITUTION = 1,
  SS_USES_CONTACT_STIFFNESS = 2,
  SS_USES_CONTACT_DAMPING = 4,
  SS_USES_JOINT_STIFFNESS = 8,
  SS_USES_JOINT_DAMPING = 16,
  SS_USES_JOINT_DRIVES = 32, /* friction and motors: who lacks it refuses the scene, see ss_uses_check */
  SS_USES_ROLLING = 64,      /* rolling resistance, as well */
  SS_USES_COHESION = 128,    /* as well */
  SS_USES_COMPLIANCE = 256,  /* formulas of contacts */
  SS_USES_SLIP_STIFFNESS = 512,
  SS_USES_TIME = 1024, /* constraints that read t, as rolling */
  SS_USES_ALL = 2047
} SsSceneUse;

typedef enum {
  SS_JOINT_PIN,
  SS_JOINT_SLIDER,
  SS_JOINT_WELD,
  SS_JOINT_ROD,
  SS_JOINT_GEAR,
  SS_JOINT_ROPE,
  SS_JOINT_FORMULA, /* of the scene's constraints, which follow its joints */
  SS_JOINT_N_KINDS
} SsJointKind;

/* What is true of all joints of a kind. */
typedef struct {
  const char *type; /* in files; of FORMULA what its places are called in messages */
  int n_rows;       /* that hold it at all times; FORMULA: where it is 0           */
  bool has_range;   /* there is a coordinate that lower and upper may bound        */
  bool is_angle;    /* that coordinate is one [rad]; else it is a length [m]       */
  bool carries;     /* it places its second body but for one coordinate at most    */
  bool swings;      /* its rows turn as its bodies move                            */
  bool collides;    /* its bodies may touch where the file does not say            */
} SsJointKindFacts;

extern const SsJointKindFacts ss_joint_kinds[SS_JOINT_N_KINDS]; /* ss-joint-kinds.c */

/* How a gear couples its wheels: teeth outside, teeth within the larger one, an open belt, a crossed belt. */
typedef enum { SS_GEAR_EXTERNAL, SS_GEAR_INTERNAL, SS_GEAR_BELT, SS_GEAR_CROSSED, SS_GEAR_N_STYLES } SsGearStyle;

/* Where a rope runs over a point without friction: of a body, or of the world (-1). */
typedef struct {
  int body;
  SsVec2 anchor; /* frame of the body [m] */
} SsRopePoint;

/* A constraint between two bodies (or a body and the world: body_a = -1, anchor_a in world coordinates).
 * PIN: the anchors coincide (2 rows). SLIDER: anchor_b stays on the line through anchor_a along axis (fixed in a),
 * relative angle kept (2 rows). WELD: anchors coincide and the relative angle is kept (3 rows). ROD: the anchors keep
 * their distance `length` (1 row). GEAR: phi = radius[0] theta_a + radius[1] theta_b - angle = 0 (1 row), angles of the
 * world, so that the force on phi is that of the teeth or of the belt. ROPE: phi = length - (the way from anchor_a by
 * the points of `over` to anchor_b) >= 0, a limit with restitution. FORMULA: one of the scene's constraints, phi (q, t)
 * = 0 (1 row) or >= 0 (a limit), of the positions of one or two bodies that can move. */
typedef struct {
  const char *name;
  SsJointKind kind;
  int body_a, body_b;
  SsVec2 anchor_a, anchor_b; /* body frames [m]                                           */
  SsVec2 axis;               /* SLIDER: unit, frame of a                                   */
  double length;             /* ROD, ROPE [m] > 0                                          */
  double angle;              /* SLIDER, WELD: theta_b - theta_a [rad]; GEAR [m]: from the start pose */
  double radius[2];          /* GEAR [m]: of a > 0, of b > 0 where they turn against one another, else < 0 */
  SsGearStyle style;         /* GEAR */
  int n_over;                /* ROPE */
  const SsRopePoint *over;   /* on body_a, body_b, the world or bodies that are fixed */
  /* PIN: range of theta_b - theta_a [rad]; SLIDER: of the travel [m]; ROPE, FORMULA: of phi, 0 and INFINITY of one that
   * is >= 0; -INFINITY, INFINITY = free */
  double lower, upper;
  double stiffness, damping; /* of the compliant (first-order) law; 0 = the integrator's default */
  /* PIN [N m], SLIDER [N]: what acts against its rate w, at most: -friction Sign (w); and what drives it at the speed
   * motor_speed [rad/s or m/s], at most: -motor_limit Sign (w - motor_speed). 0: none */
  double friction, motor_speed, motor_limit;
  SsExpr formula;     /* FORMULA: phi [m] or [rad] by scene slots; smooth   */
  double restitution; /* ROPE; FORMULA, >= 0: 0..1, of phidot where phi reaches 0 */
  bool reads_time;    /* FORMULA */
} SsJoint;

/* Rows that hold a joint at all times. */
static inline int
ss_joint_n_rows (const SsJoint *joint)
{
  return joint->kind == SS_JOINT_FORMULA && isfinite (joint->lower) ? 0 : ss_joint_kinds[joint->kind].n_rows;
}

/* Whether there is a coordinate that lower and upper may bound. */
static inline bool
ss_joint_has_range (const SsJoint *joint)
{
  return ss_joint_kinds[joint->kind].has_range;
}

/* Point i of the way of a rope, 0 (anchor_a) to n_over + 1 (anchor_b). */
static inline SsRopePoint
ss_rope_point (const SsJoint *rope, int i)
{
  return i == 0              ? (SsRopePoint){rope->body_a, rope->anchor_a}
         : i <= rope->n_over ? rope->over[i - 1]
                             : (SsRopePoint){rope->body_b, rope->anchor_b};
}

/* Where that point is in the world [m], with body b at poses[3 b + 0..2]; the room that is left of a rope's length [m],
 * below 0 where it is too short. ss-joint-read.c */
SsVec2 ss_rope_place (const SsJoint *rope, int i, const double *poses);
double ss_rope_room (const SsJoint *rope, const double *poses);

/* What people call it. */
static inline const char *
ss_joint_word (const SsJoint *joint)
{
  return joint->kind == SS_JOINT_FORMULA ? "constraint" : "joint";
}

/* Whether a joint has friction or a motor. */
static inline bool
ss_joint_has_drive (const SsJoint *joint)
{
  return joint->friction > 0 || joint->motor_limit > 0;
}

/* Forces of a joint that have channels, in their order: of its rows on its second body, in the world's frame [N], with
 * their moment about its anchor there [N m]; what its limits, its motor and its friction push along its coordinate ([N]
 * of sliders and ropes, of which it is the tension, else [N m]). */
typedef enum {
  SS_JOINT_FORCE_X,
  SS_JOINT_FORCE_Y,
  SS_JOINT_MOMENT,
  SS_JOINT_LIMIT,
  SS_JOINT_MOTOR,
  SS_JOINT_FRICTION,
  SS_JOINT_N_FORCES
} SsJointForce;

/* Whether the joint can have that force: moments are of sliders, welds and gears. */
bool ss_joint_has_force (const SsJoint *joint, SsJointForce force);

/* Force k (length - rest) + d (rate of length) along the line of the anchors; TORSION: k (theta_b - theta_a - rest) + d
 * (rate). */
typedef struct {
  const char *name;
  int body_a, body_b; /* body_a = -1: the world        */
  SsVec2 anchor_a, anchor_b;
  bool is_torsion;
  double stiffness, damping; /* [N/m], [N s/m] or [N m/rad], [N m s/rad] */
  double rest;               /* [m] or [rad]                              */
} SsSpring;

typedef enum { SS_ACTUATOR_FORCE, SS_ACTUATOR_TORQUE, SS_ACTUATOR_JOINT } SsActuatorKind;

/* A control u with bounds. FORCE: u times `direction` (world frame, or the body's if is_body_frame) at `anchor` of the
 * body; TORQUE: u on the body; JOINT: u as torque (PIN) or force along the axis (SLIDER) between the joint's bodies. In
 * a simulation u follows `formula` (0 if none). */
typedef struct {
  const char *name;
  SsActuatorKind kind;
  int body, joint; /* index, or -1 */
  SsVec2 direction, anchor;
  bool is_body_frame;
  double lower, upper; /* [N] or [N m] */
  SsExpr formula;      /* scene slots; SS_EXPR_NONE if none */
} SsActuator;

/* Formula forces on a body, world frame at the centre of mass, of state and time (scene slots); components may be
 * SS_EXPR_NONE. */
typedef struct {
  const char *name;
  int body;
  SsExpr fx, fy, torque; /* [N], [N], [N m] */
} SsForce;

/* What a measure is between, see scene/ss-measure.h. */
typedef struct {
  int body;         /* -1: the world */
  SsVec2 at;        /* frame of the body [m]; of an edge a point of it */
  bool is_edge;     /* else a point */
  double direction; /* [rad], frame of the body */
  int side;         /* of an edge: 1, the matter is on the right of its direction; -1, on the left */
  bool is_surface;  /* of a half-plane */
} SsFeature;

/* A distance or an angle that motions have as a channel: of b seen from a. */
typedef struct {
  const char *name;
  bool is_angle;
  SsFeature a, b;
} SsMeasure;

/* A text on the sheet. */
typedef struct {
  const char *name;
  SsVec2 at; /* of its first line's left end, in the world [m] */
  const char *text;
} SsNote;

typedef struct {
  SsVec2 gravity;
  int n_bodies;
  const SsBody *bodies;
  int n_contacts;
  /* as listed, or all pairs with a body that can move when the file says "contacts": "all"; pairs that a pin, slider
   * or weld holds together are left out of "all" */
  const SsContact *contacts;
  double default_mu, default_restitution; /* of bodies without a material */
  double default_rolling;                 /* [m]: of contacts that say nothing */
  double default_cohesion;                /* [N], as well */
  const SsCompliance *default_compliance; /* as well; NULL: none */
  double own_values[SS_MATERIAL_VALUES];  /* all of them; 0 where the file says nothing */
  int n_materials;
  const SsMaterial *materials; /* in the order of the file */
  int n_material_pairs;
  const SsMaterialPair *material_pairs;
  const int *material_of_body; /* n_bodies, -1: none; NULL: no body has one */
  int n_joints;                /* with the constraints, which follow the joints */
  const SsJoint *joints;
  int n_springs;
  const SsSpring *springs;
  int n_actuators;
  const SsActuator *actuators;
  int n_forces;
  const SsForce *forces;
  int n_measures;
  const SsMeasure *measures;
  int n_notes;
  const SsNote *notes;
  /* Inputs of scene formulas, by slot: per body x y theta vx vy omega (6 b + 0..5), then the parameters in file order,
   * then t, then the controls u of the actuators (only formulas of the task read those). The graph is the
   * scenario's. */
  int slot_parameters, slot_t, slot_controls, n_slots;
  const SsGraph *graph; /* borrowed from the scenario; NULL when the scene has no formulas */
  /* Times at which forces have a kink or a jump (task.breaks): every simulation and every transcription ends a step
   * there. Ascending, each once; those that are not within the motion mean nothing. [s] */
  int n_breaks;
  const double *breaks;
  const double *parameter_values; /* n = slot_t - slot_parameters */
} SsScene;
/* Whether a joint holds the body, to the world or to another. */
bool ss_body_is_joined (const SsScene *scene, int body);

/* What a source says of two materials that meet (-1: of a body without one); false: nothing. The pair says what the
 * file has of the two; the materials, unless both bodies are without one, what follows from theirs, where that is not
 * the scene's own value anyway; the scene always something; the contact, which is not known here, nothing.
 * ss-contact-read.c */
bool ss_scene_value_of_materials (const SsScene *scene, int material_a, int material_b, SsMaterialValue which,
                                  SsValueSource source, double *value);

/* The parameters in their slots of `inputs` (n_slots), which is left as it is where there are none. ss-scene.c */
void ss_scene_put_parameters (const SsScene *scene, double *inputs);

/* Most times in task.breaks. */
enum { SS_BREAKS_MAX = 10000 };
/* The first break of the scene after t, where what misses t by rounding is t; INFINITY: none. */
double ss_scene_next_break (const SsScene *scene, double t);

/* SS_ERR_INVALID, naming the body, where one that can turn has inertia 0, as the rod of a point mass on a massless
 * leg: its own turning moves nothing. Impact laws take it where what it is joined to gives it a mass. */
SS_NODISCARD SsStatus ss_scene_check_inertia (const SsScene *scene, SsError *err);

/* Channels of a simulation of the scene, without the first one, t: per body x y theta vx vy omega, per contact gap
 * lambda_n lambda_t impulse_n impulse_t, then per contact penetration cone_violation dissipated law_residual (contacts
 * only up to SS_CONTACTS_WITH_CHANNELS_MAX), <joint>.drift, then per joint those that it has of .force_x .force_y
 * .moment .limit .motor .friction (SsJointForce), <spring>.tension, u.<actuator>, measure.<measure>, energy.kinetic
 * .potential .dissipated, momentum.x .y .angular, residual. Formulas of a view may read all of them. */
int ss_scene_n_channels (const SsScene *scene);
/* How many of these are forces of joints and springs. */
int ss_scene_n_force_channels (const SsScene *scene);
/* Longest name of a channel, with the terminator. */
enum { SS_CHANNEL_NAME_MAX = 512 };
/* The channel of that index, from 0 on; its name is written into the buffer, its other texts belong to the scene or to
 * nobody. */
SsChannel ss_scene_channel (const SsScene *scene, int channel, char *name, size_t size);
/* The body, contact, joint, actuator, spring or measure of that name, the first one; -1: none, or one of both is
 * NULL. */
int ss_scene_find (const SsScene *scene, SsOwner owner, const char *name);
/* Unit of an actuator's control: "N" or "N m". */
const char *ss_actuator_unit (const SsScene *scene, int actuator);
/* An empty trajectory with t and the channels of a simulation. The caller frees. */
SS_NODISCARD SsStatus ss_scene_trajectory_new (const SsScene *scene, int n_rows, SsTrajectory **out, SsError *err);

/* ---- model ------------------------------------------------------------------------------------------------------- */

typedef enum { SS_ROWS_EQUALITY, SS_ROWS_NONNEGATIVE, SS_ROWS_COMPLEMENTARY } SsRowsKind;

typedef struct {
  SsRowsKind kind;
  const char *path; /* place in the file, such as "model.constraints[1].nonnegative[3]"  */
  int line;
  SsExpr a; /* the row (EQUALITY: = 0, NONNEGATIVE: >= 0), or the pair's first    */
  SsExpr b; /* COMPLEMENTARY: the pair's second; row -(a*b) >= 0                  */
  /* COMPLEMENTARY: rows a >= 0, b >= 0 are meant too, as `signs` of the file says. Whoever makes the rows drops those
   * that exist already at that point (equal expressions have equal ids). */
  bool impose_a, impose_b;
} SsModelRow;

typedef struct {
  const char *name;
  /* time points first, first + stride, ..., last: 0 <= first <= last < n_points, stride >= 1 */
  int first, last, stride;
  int n_rows;
  const SsModelRow *rows; /* order of rows: by time point, then as listed                      */
} SsModelBlock;

typedef struct {
  const char *name;
  int first, last, stride; /* as of a block                                                   */
  SsExpr cost;             /* summed over the time points                                     */
  bool is_penalty;         /* minimised, but no part of the objective that is reported         */
} SsModelCost;

/* Number of the time points first, first + stride, ..., last. */
static inline int
ss_model_count_points (int first, int last, int stride)
{
  return (last - first) / stride + 1;
}

/* Whether k is one of them. */
static inline bool
ss_model_is_point (int first, int last, int stride, int k)
{
  return k >= first && k <= last && (k - first) % stride == 0;
}

/* What a trajectory shows besides the variables: a formula of the point's variables, parameters, k and t (if and
 * comparisons allowed). */
typedef struct {
  SsChannel about;
  SsExpr value;
} SsModelChannel;

/* Inputs of every formula of a model, by slot: 0..n_variables-1 the variables at time point k,
 * n_variables..2*n_variables-1 the same at k+1 (next), then the parameters in file order, then k (the point's index)
 * and t (k * time_step). */
typedef struct {
  int n_points;     /* N                                                              */
  double time_step; /* h [s]                                                           */
  int n_variables;  /* per time point                                                  */
  const char *const *variables;
  /* n_variables: what they are; NULL: their names are all that is known */
  const SsChannel *about;
  int n_states; /* the first n_states variables are states                         */
  int n_mixed;  /* the last 2 n_mixed variables: parts above and below 0 of mixed complementarities */
  int n_blocks;
  const SsModelBlock *blocks; /* equality blocks and inequality blocks in file order             */
  int n_costs;
  const SsModelCost *costs;
  int slot_next, slot_parameters, slot_k, slot_t, n_slots;
  int n_channels;
  const SsModelChannel *channels; /* of trajectories, after the variables                 */
  /* Rows of a trajectory, where they are not the points one by one (finite elements): row r shows point rows[r], a
   * list of n_rows points that do not descend; other points are shown nowhere. NULL: row r shows point r, and n_rows is
   * not read. */
  int n_rows;
  const int *rows;
  /* n_rows, where points are finite elements: whether the row shows the end of its point's element. NULL: none does */
  const bool *row_is_end;
  /* n_variables, then n_channels: what such a row has in their places, formulas as those of channels; an element's end
   * is thus seen before the jump that the next point may begin with */
  const SsExpr *end;
  /* Stages of the elements whose ends are rows: at each, n_stage_channels + 2 formulas of the point's variables, of the
   * time, the weight [s] of the element's quadrature, and the channels; 0: none */
  int n_stages, n_stage_channels;
  const SsChannel *stage_channels;
  const SsExpr *stages; /* [stage * (n_stage_channels + 2) + formula] */
  bool has_clock;
  int clock; /* the variable that is the time of a point, when steps have no fixed length; else k time_step is */
} SsModel;

/* The channel of a variable. */
SsChannel ss_model_channel (const SsModel *model, int variable);

/* Rows of the model's trajectories, and the point that a row shows. */
static inline int
ss_model_n_rows (const SsModel *model)
{
  return model->rows != NULL ? model->n_rows : model->n_points;
}

static inline int
ss_model_point_of_row (const SsModel *model, int row)
{
  return model->rows != NULL ? model->rows[row] : row;
}

/* Terminal residuals named by kind; norms give the tracking error and the paper's success test (004 sec. IV-C). Angles
 * may be marked "wrap". */
typedef enum {
  SS_TRACK_POSITION,
  SS_TRACK_VELOCITY,
  SS_TRACK_ANGLE,
  SS_TRACK_ANGULAR_VELOCITY,
  SS_TRACK_COUNT
} SsTrackKind;
typedef struct {
  SsTrackKind kind;
  SsExpr residual; /* evaluated at the last time point (model slots) */
  bool wrap;       /* to (-pi, pi] before the norm                   */
} SsTracking;

/* How an initial guess of a model is made. */
typedef enum {
  SS_GUESS_ZEROS,   /* all zero                                                                                       */
  SS_GUESS_VALUES,  /* `first` is evaluated at every point; variables without an assignment are zero                  */
  SS_GUESS_TABLE,   /* numbers, `table`                                                                               */
  SS_GUESS_ROLLOUT, /* `first` at k = 0, `next` from k to k+1, `each` at every point after one of the two             */
} SsGuessKind;

/* One assignment of a guess. Evaluated in the order listed. */
typedef struct {
  int slot;     /* what it sets: a variable's slot, or slot_auxiliary + i; in `next` that variable at k+1        */
  SsExpr value; /* comparisons and if allowed                                                                    */
} SsAssignment;

/* Inputs of the formulas of a guess: the model's slots, then the auxiliary values at k (slot_auxiliary + i), then those
 * at k+1 (slot_auxiliary + n_auxiliary + i). In `next`, next(x) is the value at k+1 and must have been assigned
 * before. */
typedef struct {
  SsGuessKind kind;
  const double *table; /* TABLE: n_points x n_variables */
  int n_first, n_next, n_each;
  const SsAssignment *first, *next, *each;
  int n_auxiliary; /* values carried along the points that are not variables of the model */
  const char *const *auxiliary;
  int slot_auxiliary, n_slots; /* n_slots = model n_slots + 2 n_auxiliary */
  double noise_amplitude;      /* 0 = none; added to entry j of the flat vector times e_j in [-1, 1) */
  uint32_t noise_seed;         /* of the generator st <- 1664525 st + 1013904223 mod 2^32, e_j = 2 st / 2^32 - 1 */
} SsGuess;

/* ---- the task of a scene that is to be optimised ----------------------------------------------------------------- */

/* Coordinates of a body in targets and bounds: x, y, theta, vx, vy, omega. */
enum { SS_PLAN_COORDINATES = 6 };

/* Where a body shall be at the end of the horizon. */
typedef struct {
  int body;
  /* NaN: free; of the centre of mass [m, rad, m/s, rad/s] */
  double value[SS_PLAN_COORDINATES];
  /* of the cost weight (x - value)^2; INFINITY: a constraint x = value */
  double weight[SS_PLAN_COORDINATES];
} SsPlanTarget;

/* Kept at every time point but the first, which is given. */
typedef struct {
  int body;
  double lower[SS_PLAN_COORDINATES], upper[SS_PLAN_COORDINATES]; /* -INFINITY, INFINITY: free */
} SsPlanBound;

typedef enum { SS_PLAN_ALL, SS_PLAN_INTERIOR, SS_PLAN_LAST } SsPlanPoints; /* k = 0..N, 1..N-1, N */

/* A formula of scene slots: a row (EQUALITY: = 0, NONNEGATIVE: >= 0). */
typedef struct {
  const char *name;
  SsRowsKind kind;
  SsPlanPoints points;
  SsExpr row;
  const char *path; /* place in the file */
  int line;
} SsPlanConstraint;

/* A formula of scene slots, integrated over the horizon (ALL: sum of h cost) or taken at its end (LAST). */
typedef struct {
  SsPlanPoints points;
  SsExpr cost;
} SsPlanCost;

typedef enum {
  SS_PLAN_GUESS_STILL,      /* bodies stay where they start, everything else 0             */
  SS_PLAN_GUESS_ZEROS,      /* all zero                                                    */
  SS_PLAN_GUESS_SIMULATION, /* the motion that the actuators' own formulas give            */
} SsPlanGuess;

/* Of one control for several worlds: nothing, or the LQR along the plan (plan/ss-plan-lqr.h). */
typedef enum { SS_PLAN_WORLDS_OPEN, SS_PLAN_WORLDS_LQR } SsPlanWorldFeedback;

/* A number of the scenario by name (scene/ss-number.h), and between which values it may be in worlds that the plan
 * shall bear (task.worlds). */
typedef struct {
  const char *name;
  double lower, upper; /* lower <= upper */
} SsPlanRange;

/* What shall be reached, with which effort. The initial state is that of the bodies; control bounds are those of the
 * actuators. */
typedef struct {
  double horizon; /* T [s]                                                         */
  int steps;      /* N >= 1; h = T / N, time points 0..N                            */
  int n_targets;
  const SsPlanTarget *targets;
  int n_bounds;
  const SsPlanBound *bounds;
  const double *effort; /* per actuator of the scene: weight of the integral of u^2     */
  double effort_rate;   /* weight of the sum of (u_{k+1} - u_k)^2 over all actuators    */
  int n_constraints;
  const SsPlanConstraint *constraints;
  int n_costs;
  const SsPlanCost *costs;
  bool is_time_free;             /* the steps have one common length, a variable                */
  bool are_steps_free;           /* each step has its own length                                */
  double time_lower, time_upper; /* of the horizon [s], when free; a single step between a N-th of them */
  double time_weight;            /* cost per second of horizon, when free                       */
  SsPlanGuess guess;
  int n_candidates;      /* contacts that the plan knows; all of the scene when the file does not say */
  const int *candidates; /* indices of contacts, ascending                              */
  /* One control shall reach the goal in all worlds whose numbers are in these ranges (plan/ss-plan-robust.h): how many
   * are drawn to find those where it does not, and the seed of the draw. 0: in the file's own world alone. */
  int n_ranges;
  const SsPlanRange *ranges;
  int world_samples;
  uint64_t world_seed;
  SsPlanWorldFeedback world_feedback; /* what corrects that control in each of them */
} SsPlan;

typedef struct {
  const SsPlan *plan; /* of a scene whose task says what shall be reached; else NULL                   */
  double t_end;       /* horizon of a simulation [s]; of a model (N - 1) h                             */
  double dt;          /* default step of a simulation [s]; of a model h                                */
  int n_tracking;
  const SsTracking *tracking;
  SsGuess guess; /* of a model; ss_scenario_guess evaluates it                                    */
} SsTask;

/* ---- view -------------------------------------------------------------------------------------------------------- */

typedef struct SsViewMark SsViewMark; /* see scene/ss-view.h */
typedef struct SsViewStrip SsViewStrip;

typedef struct {
  const char *method; /* defaults per method given in the file's `methods` section */
  const char *name;
  const char *value; /* text, as for --option                                      */
  int line;          /* of the file                                                */
} SsMethodDefault;

/* What is asked of every motion: a formula (scene/ss-interest.h) by name. */
typedef struct {
  const char *name, *formula;
  const char *description; /* "" for none */
  const char *unit;        /* of its values; "" for a number */
  int line;                /* of the file */
} SsScenarioInterest;

typedef struct SsScenario {
  const char *file; /* as given, or "" */
  const char *name, *title, *description, *reference;
  char sha256[65];    /* of the text */
  const char *text;   /* the file's text, terminated */
  size_t text_length; /* bytes */
  int n_parameters;
  const SsParameter *parameters;
  const SsScene *scene; /* NULL for a model */
  const SsModel *model; /* NULL for a scene */
  SsTask task;
  SsGraph *graph; /* formulas of model, task and view; owned */
  int n_marks;
  const SsViewMark *marks; /* of the `view` section; may be empty */
  int n_strips;
  const SsViewStrip *strips;
  double view_bounds[4]; /* xmin ymin xmax ymax if given, else NaN */
  /* The methods that the file names, in its order, also those without options: the first of a kind is its own. */
  int n_method_names;
  const char *const *method_names;
  int n_method_defaults;
  const SsMethodDefault *method_defaults;
  int n_interests; /* section `outcomes`, in its order */
  const SsScenarioInterest *interests;
  /* Fields that nobody reads although their names are near to known ones: kept, but perhaps misspelt; forces with a
   * kink in time in a scene without breaks. */
  int n_warnings;
  const SsError *warnings;
} SsScenario;

typedef struct {
  const char *name;
  double value;
} SsOverride;

/* Reads text (length bytes). `file` is used in messages only. On failure *out is NULL, SS_ERR_SYNTAX or SS_ERR_INVALID
 * is returned and `problems` (required) holds everything that was found. Unknown parameters in `overrides` are problems
 * too (path "--set NAME"), with the nearest name. */
SS_NODISCARD SsStatus ss_scenario_read (const char *text, size_t length, const char *file, const SsOverride *overrides,
                                        int n_overrides, SsProblems *problems, SsScenario **out);
/* Reads a file (SS_ERR_IO if it cannot be read or is larger than SS_SCENARIO_MAX_BYTES). */
SS_NODISCARD SsStatus ss_scenario_read_file (const char *path, const SsOverride *overrides, int n_overrides,
                                             SsProblems *problems, SsScenario **out);
/* Reads the text of `source` once more with every parameter that does not change sizes moved by about a billionth of
 * itself (of 1 where it is 0; whole ones by 1) within its range, all at once and by amounts of different ratios: a
 * number that differs from the source's depends on parameters. A billionth is far above rounding and far below what the
 * checks of a start allow. `sample`, 0 or more: other amounts. *out is NULL when no parameter can move, or when the
 * moved text breaks a rule. */
SS_NODISCARD SsStatus ss_scenario_read_moved (const SsScenario *source, int sample, SsScenario **out, SsError *err);
/* Reads the text of `source`, a model, once more on half as many steps over the same time: the parameter that its
 * number of points follows one by one is set, and where its time step does not follow the points, the parameter that is
 * the time step. *out is NULL when there are no such parameters, when it has fewer than three points, or when the text
 * with these numbers breaks a rule. */
SS_NODISCARD SsStatus ss_scenario_read_coarser (const SsScenario *source, SsScenario **out, SsError *err);
void ss_scenario_free (SsScenario *scenario);
/* An empty scenario with a graph, for whoever makes one otherwise than from a file. *arena is its memory (released with
 * it). */
SS_NODISCARD SsStatus ss_scenario_new (SsScenario **out, SsArena **arena, SsError *err);
int ss_scenario_parameter (const SsScenario *scenario, const char *name); /* index or -1 */
/* Says what the channels of a motion of that scenario are where only their names are known, as of a table or of an old
 * project. Names that the scenario does not know stay as they are. */
SS_NODISCARD SsStatus ss_scenario_describe (const SsScenario *scenario, SsTrajectory *trajectory, SsError *err);
/* Initial guess of the model (zeros, formulas or roll-out, then noise) into x[n_points * n_variables], stacked by time
 * point. SS_ERR_ARG if the scenario has no model, SS_ERR_INVALID with variable and point if a value is not finite; x is
 * then untouched. */
SS_NODISCARD SsStatus ss_scenario_guess (const SsScenario *scenario, double *x, SsError *err);
