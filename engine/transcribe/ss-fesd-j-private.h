/* engine/transcribe/ss-fesd-j-private.h: what the files of the transcription fesd-j share (order: options,
 * variables, motion, trajectory, rows, products, gaps, guess). The law and the letters: ss-fesd-j.h. */
#pragma once

#include "fesd/ss-tableau.h"
#include "transcribe/ss-fesd-j.h"
#include "transcribe/ss-transcribe-tree.h"

/* Variables of a contact at a left point, a stage or (c_s < 1) an end; SS_NO_VARIABLE where there is none. */
typedef struct {
  int y;                /* gap                                                                                */
  int force;            /* lambda_n [N], Lambda_n [N s]                                                       */
  int force_1, force_2; /* polyhedral: a_1, a_2, the tangential force is a_1 - a_2; conic: lambda_t, no second */
  int gamma, beta;
  int part_1, part_2; /* polyhedral: delta_1, delta_2; conic: xi+, xi-                                        */
} SsFesdSide;

/* A gap of a contact, or the room left to a limit of a joint, behind all of the contacts'. */
typedef struct {
  int contact;   /* of the scene; -1: a limit                                     */
  int joint;     /* of a limit                                                    */
  bool is_upper; /* likewise                                                      */
  int body_a, body_b;
  SsGapPair pair;   /* PLANE, ROUND or SQUARE  */
  const char *name; /* as of SsPlanPoint       */
  bool is_only;     /* the contact's only gap  */
  bool has_friction;
  SsFesdSide left, stage[SS_TABLEAU_STAGES_MAX], end; /* impulses at the left point, no forces at the end */
  int r, p, q;                                        /* residual of restitution, or its two parts         */
} SsFesdContact;

/* A joint that closes a loop: it carries no body. */
typedef struct {
  int joint, n_rows;
  int left[SS_ROW_EXPR_JOINT_MAX];                         /* impulses [N s, N m s] */
  int stage[SS_TABLEAU_STAGES_MAX][SS_ROW_EXPR_JOINT_MAX]; /* forces [N, N m]       */
} SsFesdLoop;

/* Points first, first + stride, ..., last; none when last < first. */
typedef struct {
  int first, last, stride;
} SsFesdRange;

typedef struct {
  SsTranscription base; /* q, v (slots, ss-transcribe-tree.h), u, h, clock: of the left point */
  SsFesdOptions options;
  SsTableau tableau;
  double rate[SS_TABLEAU_STAGES_MAX][SS_TABLEAU_STAGES_MAX]; /* A^-1: h f(x_j) = sum_k rate[j][k] (x_k - x_0)   */
  double reach[SS_TABLEAU_STAGES_MAX];                       /* b' A^-1: x_end = x_0 + sum_k reach[k] (x_k - x_0) */
  int n_points;                                              /* K: elements of the horizon; the last point is K  */
  double mean_length;                                        /* horizon / K [s]                                  */
  double mean_share;                                         /* 1 / K                                            */
  double *start;                                             /* 6 n_bodies: slots and rates of each body         */
  double *features;                                          /* which corner or face a gap is of; see choose_gaps */
  int n_features;
  int *stage_q, *stage_v; /* variables [stage * 3 n_bodies + i]                            */
  int *end_q, *end_v;     /* 3 n_bodies: of the element's end, or those of the last stage  */
  int horizon;            /* variable: the horizon, when free                              */
  int eta;                /* variable: lifted indicator                                    */
  int sums, n_sums;       /* first variable: products of interval or horizon so far        */
  SsFesdContact *contacts;
  int n_contacts, contact_capacity;
  int n_limits; /* of n_contacts: the last ones */
  SsFesdLoop *loops;
  int n_loops;

  /* while the model is written */
  SsMotionExpr stage[SS_TABLEAU_STAGES_MAX], end; /* at the point; with base.motion: all the motions  */
  SsCoordinatesExpr left_at[2], stage_at[SS_TABLEAU_STAGES_MAX], end_at; /* of these motions, left: base.motion */
  SsExpr length; /* h                                                */
  SsExpr mean;   /* h_0 = T / K: number, or of the horizon's variable */
} SsFesd;

/* A channel at the left point, and at the end of the element. */
typedef struct {
  SsModelChannel left;
  SsExpr end;
} SsFesdChannel;

/* What laws on these elements write each in its own way, in the order of the work (ss_fesd_write); a state may be one
 * that begins with an SsFesd. */
typedef struct {
  void (*describe) (SsFesd *t, SsChannel *about); /* its variables; states, controls, h and clock are described */
  void (*set_motions) (SsFesd *t);
  void (*set_end_values) (SsFesd *t, SsExpr *end); /* end[n_variables]: states at the end, the rest as at the point */
  void (*add_channels) (SsFesd *t, SsFesdChannel *channels); /* at most 10 a gap and 2                             */
  SsExpr (*stage_weight) (SsFesd *t, int stage);             /* of physical time [s]                               */
  SsExpr (*stage_force) (SsFesd *t, int stage, int first, int last, bool is_normal); /* of one contact's gaps [N]  */
  SsStatus (*add_rows) (SsFesd *t, SsError *err);                                    /* blocks and costs           */
} SsFesdParts;

/* ss-fesd-j.c */
extern const SsOptionTable ss_fesd_option_table;
/* What plans by other laws on the same elements share: memory, options, tableau, gaps and no variables yet; releases a
 * state that begins with an SsFesd. */
SS_NODISCARD SsStatus ss_fesd_begin (SsFesd *t, const SsScenario *source, const SsPlan *plan,
                                     const SsTranscribeOptions *options, SsError *err);
void ss_fesd_close (void *state);
int ss_fesd_list_numbers (const void *state, SsTranscribeNumber *numbers);

/* ss-fesd-j-variables.c: all variables of fesd-j; what others share of them: a variable of `owner` (stage -1: not of a
 * stage); states of the left point, of a stage (-1: the end, names in `.end`); controls, h and horizon; the sums of
 * products, n of them, and the lifted indicator, where the options have them. */
void ss_fesd_add_variables (SsFesd *t);
int ss_fesd_add_variable (SsFesd *t, SsVariableRole role, double start, const char *owner, const char *what, int stage);
void ss_fesd_add_left_state (SsFesd *t);
void ss_fesd_add_state (SsFesd *t, int stage, int *q, int *v);
void ss_fesd_add_controls (SsFesd *t);
void ss_fesd_add_horizon (SsFesd *t);
void ss_fesd_add_sums (SsFesd *t, int n);
SsExpr ss_fesd_number (const SsFesd *t, double value);
SsExpr ss_fesd_variable (const SsFesd *t, int variable, int shift);
/* What the variables are, by these names; NULL: no memory. */
const SsChannel *ss_fesd_describe (SsFesd *t, const SsFesdParts *parts, const char *const *names);
void ss_fesd_describe_contacts (SsFesd *t, SsChannel *about);
/* Points at which velocities may jump, or (jumps false) may not; with `before` the points before them (point 0 has
 * none). Returns their number, at most elements + 1. */
enum { SS_FESD_RANGES_MAX = 64 };
int ss_fesd_ranges (const SsFesd *t, bool jumps, bool before, SsFesdRange *ranges);

/* ss-fesd-j-trajectory.c: the model of a plan, which is what its class's `write` gives. */
SS_NODISCARD SsStatus ss_fesd_write (SsFesd *t, const SsFesdParts *parts, const SsInputNumbers *inputs, SsArena *arena,
                                     SsScenario *out, SsModel *model, SsError *err);
extern const SsFesdParts ss_fesd_parts; /* of fesd-j */
void ss_fesd_add_channel (SsFesd *t, SsFesdChannel *channels, const char *owner, SsOwner kind, SsQuantity quantity,
                          SsExpr left, SsExpr end);
/* The last gap of the contact whose gap `first` is, which is no limit. */
int ss_fesd_last_gap (const SsFesd *t, int first);

/* ss-fesd-j-replay.c */
double ss_fesd_replay_step (const SsTrajectory *plan);

/* ss-fesd-j-motion.c: the motions at left points, stages and end as expressions. */
void ss_fesd_set_motions (SsFesd *t);
/* Slots of one of the motions above. */
const SsCoordinatesExpr *ss_fesd_coordinates (const SsFesd *t, const SsMotionExpr *motion);
/* Friction and restitution of a contact; limits have neither. */
const SsContact *ss_fesd_law_of (const SsFesd *t, const SsFesdContact *contact);
/* Whether a contact is a limit of a joint. */
static inline bool
ss_fesd_is_limit (const SsFesdContact *contact)
{
  return contact->contact < 0;
}

/* Tangential velocity of a contact, and the normal one, at poses and velocities of a motion. */
SsGapExpr ss_fesd_gap (const SsFesd *t, const SsFesdContact *contact, const SsMotionExpr *motion);
SsExpr ss_fesd_speed (const SsFesd *t, const SsFesdContact *contact, const SsGapExpr *gap, const SsMotionExpr *motion,
                      bool is_normal);
/* Rate of a row of a joint, and f += a limit's force. */
SsExpr ss_fesd_row_speed (const SsFesd *t, const SsRowExpr *row, const SsMotionExpr *motion);
void ss_fesd_push_limit (const SsFesdContact *contact, const SsMotionExpr *motion, SsExpr force, SsExpr *f);

/* ss-fesd-j-rows.c: all blocks and costs, where no sequence fixes the modes. */
SS_NODISCARD SsStatus ss_fesd_add_rows (SsFesd *t, SsError *err);
/* A row of the open block: row = 0, row >= 0. */
void ss_fesd_equal (SsFesd *t, SsExpr row, const char *owner, const char *what);
void ss_fesd_at_least (SsFesd *t, SsExpr row, const char *owner, const char *what);
/* What rows with fixed modes share of them, into the open block: the Runge-Kutta equations of a stage, f[3 n_bodies]
 * scratch; f += forces of a stage or (stage -1) impulses of the left point; balances of a jump from the rates `before`
 * under impulses f of the contacts (NULL: none), and of the loops, which are closed after it; velocities that go on
 * from `before`, but for what loops project; bounds of coordinates. */
SS_NODISCARD SsStatus ss_fesd_add_stage_rows (SsFesd *t, int stage, SsExpr *f, SsError *err);
void ss_fesd_push_contacts (const SsFesd *t, const SsMotionExpr *motion, int stage, int shift, SsExpr *f);
void ss_fesd_add_balance_rows (SsFesd *t, const SsMotionExpr *motion, const SsExpr *before, SsExpr *f, int shift);
void ss_fesd_add_smooth_rows (SsFesd *t, const SsMotionExpr *motion, const SsExpr *before);
/* Where the plan starts: rates before the first jump, and rows of the coordinates. */
const SsExpr *ss_fesd_add_start_rows (SsFesd *t);
void ss_fesd_add_junction_rows (SsFesd *t);
void ss_fesd_add_state_bounds (SsFesd *t, const SsMotionExpr *motion);
/* The last point, path constraints, costs, with blocks of their own. */
void ss_fesd_add_end_point (SsFesd *t);
void ss_fesd_add_constraints (SsFesd *t);
void ss_fesd_add_costs (SsFesd *t);
/* ss-fesd-j-read.c: the transcription of the source's plan, to read modes of. *plan is filled, and borrowed by *out;
 * *out is to be closed also after an error (NULL is allowed). SS_ERR_INVALID: there is no plan. */
SS_NODISCARD SsStatus ss_fesd_open_plan (const SsScenario *source, const SsTranscribeOptions *options, SsPlan *plan,
                                         SsFesd **out, SsError *err);
/* ss-fesd-j-fixed.c: all blocks and costs, where options.sequence fixes the modes. */
SS_NODISCARD SsStatus ss_fesd_add_fixed_rows (SsFesd *t, SsError *err);
/* ss-fesd-j-near.c: options.near times the squared distance from options.sequence, of whose elements `places` (K) are;
 * the guess. */
SS_NODISCARD SsStatus ss_fesd_add_near (SsFesd *t, const SsFesdPlace *places, SsError *err);
SS_NODISCARD SsStatus ss_fesd_guess_fixed (const SsFesd *t, double *x, SsError *err);
/* ss-fesd-j-cross.c: sec. 3.3 and 3.4. One component of a pair of vectors: its values on both sides at the points of an
 * element. Kinds are summed apart from each other; `what` is the kind's name. */
enum { SS_FESD_KINDS_MAX = 4 };
typedef struct {
  int kind;
  const char *owner, *what;
  int n_c, n_d;
  SsExpr c[SS_TABLEAU_STAGES_MAX + 2], d[SS_TABLEAU_STAGES_MAX + 2];
} SsFesdComponent;
/* Their products as options.cross asks, `sums` included; n may be 0. */
void ss_fesd_add_products (SsFesd *t, const SsFesdComponent *list, int n);
/* What follows is of contacts as fesd-j has them. */
void ss_fesd_add_cross (SsFesd *t);
void ss_fesd_add_equilibration (SsFesd *t);
/* With this indicator of the grid point between this element and the next; used where the option asks for it. */
void ss_fesd_equilibrate (SsFesd *t, SsExpr eta);
/* ss-fesd-j-gaps.c: which gaps a contact has; see ss-fesd-j.h. */
SS_NODISCARD SsStatus ss_fesd_choose_gaps (SsFesd *t, SsError *err);
/* Gap, tangential velocity of numbers: poses and velocities of all bodies (q NULL, not of a limit: of the start). */
double ss_fesd_gap_value (const SsFesd *t, const SsFesdContact *contact, const double *q, const double *v,
                          double *slip);
/* Of a table of numbers: what is no variable has none. */
static inline void
ss_fesd_set (double *x, int variable, double value)
{
  if (variable != SS_NO_VARIABLE)
    x[variable] = value;
}

/* Variables of slots from the states of all bodies, and back. q[3 n_bodies], v[3 n_bodies], work[6 n_bodies]. */
void ss_fesd_set_state (const SsFesd *t, const int *of_q, const int *of_v, const double *q, const double *v,
                        double *work, double *x);
void ss_fesd_get_state (const SsFesd *t, const int *of_q, const int *of_v, const double *x, double *work, double *q,
                        double *v);
/* ss-fesd-j-guess.c */
/* Bodies at point k where they start, or (guess zeros) at the origin, driven ones moved on, as states of all of its
 * points; q, v [3 n_bodies], work [6 n_bodies], x: the point's variables. */
void ss_fesd_stand_at (const SsFesd *t, int k, double *q, double *v, double *work, double *x);
/* A plan of this transcription with as many elements: all its variables, row by row; false: it is another motion. */
bool ss_fesd_copy_plan (const SsFesd *t, const SsTrajectory *start, double *table);
SS_NODISCARD SsStatus ss_fesd_guess (const SsFesd *t, const SsTrajectory *start, double *x, SsError *err);
/* The motion of the scene under its actuators' own formulas, owned by the caller. */
SS_NODISCARD SsStatus ss_fesd_simulate_guess (const SsFesd *t, double t_end, SsTrajectory **motion, SsError *err);
