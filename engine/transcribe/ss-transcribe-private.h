/* engine/transcribe/ss-transcribe-private.h: what the files of the room share: the numbers of a scene, and the state of
 * time stepping (order: variables, rows, guess). */
#pragma once

#include "dynamics/ss-dynamics-expr.h"
#include "geometry/ss-gap-expr.h"
#include "transcribe/ss-transcribe.h"

/* ss-transcribe-numbers.c: every number of the scene and its plan that a model may take, in an order that only their
 * structure decides; returns their count, numbers NULL: nothing more. */
int ss_transcribe_list_numbers (const SsScene *scene, const SsPlan *plan, SsTranscribeNumber *numbers);

/* ---- time stepping ----------------------------------------------------------------------------------------------- */

/* Index of a quantity that has no variable. */
enum { SS_NO_VARIABLE = -1 };

/* What a variable is: how it starts and ends. */
typedef enum {
  SS_ROLE_STATE,   /* given at point 0                                         */
  SS_ROLE_FORCE,   /* of the step that ends at the point: 0 at point 0         */
  SS_ROLE_LIFTED,  /* of the geometry: what the start's poses give, at point 0 */
  SS_ROLE_CONTROL, /* of the step that starts at the point: kept at the last   */
  SS_ROLE_LENGTH,  /* of the step that starts at the point, likewise           */
} SsVariableRole;

typedef struct {
  const char *name;
  SsVariableRole role;
  double start; /* value at point 0 (STATE, FORCE, LIFTED) */
} SsPlanVariable;

/* One gap of a candidate and its variables. */
typedef struct {
  int contact; /* of the scene */
  int body_a, body_b;
  SsGapPair pair;
  const char *name;   /* "<contact>", or "<contact>.<i>" when it has several gaps */
  int lambda_n;       /* variables; [N]                                           */
  int lambda_t, slip; /* SS_NO_VARIABLE without friction; [N], [m/s]              */
  int lifted;         /* first of ss_gap_n_lifted                                 */
  /* law=midpoint: of the end of the step, where those above are of its way; likewise */
  int end_n, end_t, end_slip;
  SsGapExpr gap;        /* at the point                                             */
  SsExpr slip_velocity; /* at the point                                             */
} SsPlanPoint;

/* Force of a joint's row, or of a limit. */
typedef struct {
  int joint, index;
  bool is_limit;
  int variable;
  int end; /* law=midpoint: at the end of the step, where `variable` is on its way; else SS_NO_VARIABLE */
} SsPlanRow;

typedef struct {
  const SsScenario *source;
  const SsScene *scene;
  const SsPlan *plan;
  double time_step; /* horizon / steps [s] */
  bool is_followed; /* the start may violate path constraints */
  SsArena *scratch; /* of this state */
  bool out_of_memory;

  /* the answer, while it is written */
  const SsInputNumbers *inputs;
  SsArena *arena; /* where what is made now lives: the state's scratch, then that of `out` */
  SsScenario *out;
  SsModel *model;
  SsGraph *graph;

  SsPlanVariable *variables;
  int n_variables, n_states, variable_capacity;
  int *q, *v;                       /* 3 n_bodies: variables                                       */
  bool in_velocity, start_is_known; /* options of time stepping                                    */
  bool is_midpoint;                 /* law=midpoint                                                */
  bool is_joint;                    /* joint coordinates: tree joints eliminated               */
  int *tree;                        /* n_bodies: the joint that carries the body; -1: free     */
  double *start;                    /* 3 n_bodies: q at point 0                                */
  int *travel;                      /* n_bodies: variable of that joint's coordinate, if any   */
  int *u;                           /* n_actuators                                                 */
  int h, clock;
  SsPlanPoint *points;
  int n_points, point_capacity;
  SsPlanRow *rows;
  int n_rows, row_capacity;

  SsMotionExpr motion[2]; /* at the point, at the next; arrays of the arena  */
  SsExpr step;            /* h: number or variable of the point              */

  /* rows being listed */
  SsModelBlock *blocks;
  int n_blocks, block_capacity;
  SsModelRow *block_rows;
  int n_block_rows, block_row_capacity;
  SsModelCost *costs;
  int n_costs, cost_capacity;
} SsTranscription;

/* ss-transcribe-common.c: what every transcription does alike. Zeroed memory of t->arena; NULL sets out_of_memory. */
void *ss_transcription_alloc (SsTranscription *t, size_t count, size_t size);
/* Formatted text in t->arena. */
const char *ss_transcription_name (SsTranscription *t, const char *format, ...) SS_PRINTF (2, 3);
/* A number of the scene, the plan or the state: an input or a constant. */
SsExpr ss_transcription_number (const SsTranscription *t, const double *number);
/* A variable at the point (shift 0) or the next one (1). */
SsExpr ss_transcription_variable (const SsTranscription *t, int variable, int shift);
int ss_transcription_add_variable (SsTranscription *t, const char *name, SsVariableRole role, double start);
void ss_transcription_describe (const SsTranscription *t, SsChannel *about, int variable, SsQuantity quantity,
                                const char *unit, SsOwner owner, const char *owner_name);
void ss_transcription_describe_body (const SsTranscription *t, int b, SsChannel *about);
bool ss_transcription_left_out (const SsScenario *source, const SsTranscribeOptions *options, char *text, size_t size);
/* Steps end at the breaks of the scene: their times are points, or the plan is refused. */
SS_NODISCARD SsStatus ss_transcription_check_breaks (const SsScene *scene, const SsPlan *plan, SsError *err);
void ss_transcription_clear (SsTranscription *t); /* what the lists own, and the scratch memory */

/* ss-transcribe-joint.c: joint coordinates. Chooses the joints that carry bodies: tree[n_bodies]. */
void ss_transcription_choose_tree (SsTranscription *t);
/* Coordinate of the joint that carries a body, at poses q: the angle of a pin [rad], the travel of a slider [m]. */
double ss_transcription_travel (const SsScene *scene, int joint, const double *q);
/* Pose of a body that a joint carries, from the pose of the other one (the world: NULL) and the joint's coordinate. */
void ss_transcription_carry (const SsTranscription *t, const SsJoint *joint, const SsExpr *pose_a, SsExpr travel,
                             SsExpr *pose_b);
/* True when the joint carries a body, so that it has no rows. */
bool ss_transcription_is_carrier (const SsTranscription *t, int joint);

/* Forces of a gap's way at its end as well (law=midpoint; else nothing). */
void ss_transcription_repeat_at_end (const SsTranscription *t, int point, double *x);
/* ss-transcribe-complete.c: what the table of a motion lacks, solved for step by step: forces and points of action of
 * the gaps whose forces are not known (is_known[n_points]), slips of all, forces of joints and limits. q, v: poses and
 * velocities of all bodies at the points, (steps + 1) x 3 n_bodies; the table has states, known forces and controls.
 * h: of the steps [s]. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_transcription_complete (const SsTranscription *t, double h, const double *q, const double *v,
                                                 const bool *is_known, double *table, SsError *err);

/* ss-transcribe-rows.c: blocks, costs and residuals of everything; what its rows are listed with:
 * ss-transcribe-blocks.c. */
SS_NODISCARD SsStatus ss_transcription_add_rows (SsTranscription *t, SsError *err);
/* What the numbers of the task make impossible: a target of a coordinate that is fixed elsewhere, a constraint that the
 * given start violates, a formula without derivative. */
SS_NODISCARD SsStatus ss_transcription_check (const SsTranscription *t, SsError *err);
/* What other transcriptions share of it: a block of rows at the points first, first + stride, ..., last, which is
 * dropped where it has no rows or points when it is closed. `owner` and `what` make a row's name, after its block's. */
void ss_transcription_open_block (SsTranscription *t, const char *name, int first, int last, int stride);
void ss_transcription_close_block (SsTranscription *t);
void ss_transcription_add_row (SsTranscription *t, SsRowsKind kind, SsExpr row, const char *owner, const char *what);
/* A product a b <= 0 alone; the signs of a and b are rows of their own, or free. */
void ss_transcription_add_product (SsTranscription *t, SsExpr a, SsExpr b, const char *owner, const char *what);
/* is_penalty: minimised, but no part of what is reported. */
void ss_transcription_add_cost (SsTranscription *t, const char *name, int first, int last, int stride, bool is_penalty,
                                SsExpr cost);
/* Lower and upper bound, where finite. */
void ss_transcription_add_bounds (SsTranscription *t, SsExpr e, const double *lower, const double *upper,
                                  const char *owner);
/* Targets at the point `last` by t->motion[0]. is_implied[SS_PLAN_COORDINATES * n_targets]: those that other rows say
 * already, which are tracked without a row of their own; NULL: none. */
void ss_transcription_add_targets (SsTranscription *t, int last, const bool *is_implied);
/* Value of a coordinate of a body at a motion; false: it can't change. */
bool ss_transcription_find_coordinate (const SsTranscription *t, const SsMotionExpr *motion, int body, int coordinate,
                                       SsExpr *value);
/* A row of the steps, which are those of two points: with the numbers of the start in the place of its variables where
 * `known` has them (by variable; NULL: the row as it is). */
void ss_transcription_add_step_row (SsTranscription *t, const SsExpr *known, SsExpr row, const char *owner,
                                    const char *what);
void ss_transcription_add_pair (SsTranscription *t, SsExpr a, SsExpr b, const char *owner, const char *what);
/* A row that is a length, as a velocity where the option asks for it: a jump then costs what the velocity that it needs
 * would cost. */
SsExpr ss_transcription_in_velocity (const SsTranscription *t, SsExpr row);
SsExpr ss_transcription_mass (const SsTranscription *t, int coordinate);
/* Forces of the joints' rows (in directions of t->motion[rows]), of limits and contacts (of t->motion[1]), by the
 * variables of the way or of the end, onto f[3 n_bodies]. */
void ss_transcription_push (const SsTranscription *t, int rows, bool is_end, SsExpr *f);

/* ss-transcribe-midpoint.c: the rows of law=midpoint. Of the steps first to last: */
SS_NODISCARD SsStatus ss_transcription_add_midpoint (SsTranscription *t, int first, int last, const SsExpr *known,
                                                     SsError *err);
/* What joints, contacts and limits do with the velocities at the ends of all steps. */
void ss_transcription_add_midpoint_ends (SsTranscription *t);
/* Blocks and costs that were listed become those of the model. */
void ss_transcription_keep_lists (SsTranscription *t);
/* ss-transcribe-guess.c: the starting point x[n_points * n_variables]. */
SS_NODISCARD SsStatus ss_transcription_guess (const SsTranscription *t, const SsTrajectory *start, double *x,
                                              SsError *err);
