/* engine/judge/ss-motion-balance-private.h: what the two files of the balance share (ss-motion-balance.c: steps of time
 * stepping, whose impulses are told; ss-motion-stages.c: intervals with forces at stages). */
#pragma once

#include "judge/ss-motion-private.h"

/* Configurations at which laws take contacts and joints. */
typedef enum {
  AT_START,
  AT_HALF_FREE,
  AT_FREE,
  AT_END,
  AT_MIDDLE,
  AT_HALF_BACK,
  AT_BACK,
  AT_CENTRE, /* of the impulses: where the change of velocity happens, by the way of the step; see find_centre */
  N_PLACES
} Place;

/* Kinds of forces that vary with state and time, and what their work is called. */
enum { N_KINDS = 4 };
extern const struct SsMotionForceKind {
  int which;
  SsWork work;
} ss_motion_force_kinds[N_KINDS];
/* Free ends: with positions that the mean velocity gives, and with those that the end's gives. */
enum { NODE_START, NODE_END, NODE_FREE_END, NODE_FAR_END, N_NODES };

/* A place where an impulse of a contact may act. */
typedef struct {
  double phi;
  double jn[6], jt[6];
  double turned_n[2], turned_t[2]; /* added to the moments on a and b where their turning is prescribed */
  double way_n, way_t;             /* of the material points that are there, b against a, in the whole step [m] */
} Point;

/* What gives an impulse. */
typedef struct {
  SsWork work;
  int index;   /* of the contact, joint or limit; -1: a force                                             */
  double way;  /* of a contact's touching points against each other in the step, along the impulse [m]    */
  double held; /* work on coordinates, or of constraints, that move as they are told to, for a weight of 1 [J] */
} Source;

struct SsMotionBalance {
  const SsScene *scene; /* borrowed */
  SsMotionContent content;
  SsDynamics *dynamics;
  const double *mass, *inverse_mass;
  double *radius; /* n_bodies */
  bool has_kind[N_KINDS];
  bool has_drives; /* joints may be moved by coordinates that move steadily */
  bool has_centre; /* forces are not told within the step: what turns steadily is taken where they are centred */
  SsMotionFit *fit;
  double *q[N_PLACES]; /* 3 n_bodies each */
  double t[N_PLACES];
  double *known;       /* v1 - v0 - h M^-1 (gravity and the means of the other forces) */
  double *gravity;     /* h f */
  double *rest, *best; /* of an attempt, of the best one */
  double *v_free, *q_free, *mean;
  double *force[N_KINDS];            /* h f, the mean over the nodes */
  double *node[N_KINDS][N_NODES];    /* what the nodes differ from it by */
  double held[N_KINDS][N_NODES];     /* work of h f at the node on coordinates that move as they are told to [J] */
  double *block;                     /* all of these */
  SsRow *rows, *limits;              /* limits: then room for drives, then for limits at the end of a step */
  int n_rows, n_drives, first_drive; /* first_drive: column of the fit */
  Source *source_of_column;
  int source_capacity;
  int last_attempt;     /* that explained a step */
  double contact_slack; /* of the last step; see ss_motion_balance_contact_slack */
  double enough;        /* a rest below need not be made smaller [m/s] */
  double *cohesion;     /* n_contacts: ss_law_cohesion of the step [N s]; 0 where stages are told */
  int *active;          /* contacts with impulses */
  int n_active;
  Point *points; /* of one contact */
  int n_points, points_capacity;
  /* of intervals with stages: the first column of each stage, and of the end */
  int *stage_column;
  int stage_column_capacity;
};

/* Below this part of (1 m/s + the fastest velocity of the step) a rest is rounding: nothing better is looked for. */
#define SS_MOTION_ROUNDING 1e-10
/* A limit or a contact that has more room after the way of the step does not act [m or rad]. */
#define SS_MOTION_TOUCHING 1e-9
/* Work at velocities below is rounding: plans keep their rows to this [m/s or rad/s]. */
#define SS_MOTION_STILL 1e-6

/* Sets `worst` where the value is larger. */
void ss_motion_note (SsMotionWorst *worst, double value, double t, int index);
/* The body with the largest rest, by sqrt (r' M r/m). */
SsMotionWorst ss_motion_worst_body (const SsMotionBalance *b, const double *r, double t);
/* A column whose impulse comes from `source`. */
SS_NODISCARD SsStatus ss_motion_add_column (SsMotionBalance *b, const SsFitColumn *column, Source source, SsError *err);
/* The impulse (normal, tangential) of a contact as columns, shared by its points at a place that are within `near` of
 * the nearest or of touching [m]. */
SS_NODISCARD SsStatus ss_motion_add_contact (SsMotionBalance *b, int contact, Place place, const double impulse[2],
                                             double near, SsError *err);
/* Least gap of the contact at the poses q [m]. */
double ss_motion_gap_at (const SsMotionBalance *b, int contact, const double *q);

/* f, h times springs and dampers among `which`, without the springs that a step of h from b->q[AT_START] does not
 * resolve. */
void ss_motion_leave_stiff (const SsMotionBalance *b, int which, double h, const double *q, const double *v, double *f);
/* Columns of these springs. */
SS_NODISCARD SsStatus ss_motion_add_stiff (SsMotionBalance *b, double h, SsError *err);

/* Joint rows at a place, or limits: their time is that of the place. */
void ss_motion_joint_rows_at (SsMotionBalance *b, Place place, const double *v);

/* By how much the arm x, y of a body that was at q, taken where the step's impulses are centred, has another moment of
 * the force fx, fy: of bodies whose turning is prescribed, since the work of that force needs its arm at the right
 * time. */
double ss_motion_turned_moment (const SsMotionBalance *b, int body, const double *q, double x, double y, double fx,
                                double fy);

/* ss-motion-joints.c: the same of a row of a joint or limit at q, where a slider pushes both bodies at the anchor of
 * the second; and columns of the limits that may act in a step of h. */
void ss_motion_turn_row (const SsMotionBalance *b, const double *q, SsRow *row);
SS_NODISCARD SsStatus ss_motion_add_limits (SsMotionBalance *b, Place place, const SsMotionRow *before,
                                            const SsMotionRow *after, double h, SsError *err);
/* The rest of a step without contacts where joints act at both of its ends, into *residual if that is smaller. b's
 * places and gravity are those of the step; `controls` NULL: the formulas. */
SS_NODISCARD SsStatus ss_motion_judge_halves (SsMotionBalance *b, const SsMotionRow *before, const SsMotionRow *after,
                                              const double *controls, double floor, SsMotionWorst *residual,
                                              SsError *err);

/* ss-motion-drives.c: friction and motors of joints and what resists rolling, before the fit as columns of either sign,
 * and after it what their laws, at the rates of both rows, could not have given, which goes into the rest. */
size_t ss_motion_most_drives (const SsScene *scene); /* how many there may be */
SS_NODISCARD SsStatus ss_motion_add_drives (SsMotionBalance *b, Place place, const SsMotionRow *before,
                                            const SsMotionRow *after, SsError *err);
/* At a stage, whose law is that of its rates; `weight`: of the stage. */
SS_NODISCARD SsStatus ss_motion_add_drives_at (SsMotionBalance *b, const SsMotionRow *at, double weight, SsError *err);
void ss_motion_refuse_drives (SsMotionBalance *b, const SsMotionRow *before, const SsMotionRow *after, double h);

/* Work of a force: `sum` [J] on all coordinates, `held` of it on those that move as they are told to. Their drive takes
 * that part back: a cart that tows by a spring or a damper works through it. */
void ss_motion_works_add_force (double work[SS_WORK_COUNT], SsWork kind, double sum, double held);
/* The part of f' v on coordinates that move as they are told to. */
double ss_motion_held_power (const SsMotionBalance *b, const double *f, const double *v);

/* What a source gave is added up over impulses that come one after the other. */
typedef struct {
  double *work; /* SS_WORK_COUNT */
  SsMotionGiven *given;
  double h, t;   /* of the step, and where it ends; h 0: no ways are looked at */
  Source source; /* whose impulses come one after the other */
  double sum;    /* its work so far                         */
  double way;    /* and on the way of the touching points   */
  double size;   /* and at 1 m/s or rad/s in all directions */
} Works;
/* Empties what they point to. */
void ss_motion_works_begin (Works *works);
/* Work of an impulse on two bodies that move with v: all of it, and what steadily moving coordinates take of it. */
void ss_motion_works_add (const SsMotionBalance *b, Source source, const int body[2], const double *j, double impulse,
                          const double *v, Works *works);
void ss_motion_works_end (Works *works);
