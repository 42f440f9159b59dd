/* engine/fesd/ss-fesd-system.h: a scene as equations of motion, with exact derivatives in numbers [000 (1b)-(1c)].
 *
 *     M vdot = f (t, q, v, u) + G (q)' lambda_b + sum_l n_l lambda_n,l + t_l lambda_t,l,    0 = phi_b (q, t),
 *     0 <= phi (q, t)
 *
 * Forces f, joint rows phi_b and limits come from dynamics/ss-dynamics-expr.h, differentiated once and compiled into
 * one tape; contact points are in closed form (fesd/ss-fesd-point.h). Absolute coordinates. Locked coordinates move
 * with their given velocity and are no unknowns: the unknowns are the n_free others.
 *
 * Refused  formulas that switch with the state (comparison, if, floor, mod), by name (SS_ERR_INVALID); such that switch
 *          with the time alone are taken: steps end at task.breaks.
 * Memory   all of it in ss_fesd_system_new. One thread at a time.
 */
#pragma once

#include "dynamics/ss-dynamics.h"
#include "fesd/ss-fesd-point.h"

/* Slip is the velocity of body[1] along the tangent. A closed contact without friction, and a joint at its limit, is
 * SLIP_PLUS. A drive is never OPEN. */
typedef enum { SS_FESD_OPEN, SS_FESD_STICK, SS_FESD_SLIP_PLUS, SS_FESD_SLIP_MINUS } SsFesdMode;

/* Friction or motor of a joint: -force in most Sign (rate - speed). Friction and a motor that is to stand are one. */
typedef struct {
  int joint;
  double most;  /* [N] or [N m], > 0 */
  double speed; /* [m/s] or [rad/s] */
} SsFesdDrive;

/* Instances of one evaluation: the stages of an element and its two ends. */
enum { SS_FESD_INSTANCES = 16 };

/* A number of the tape's output that is a derivative: of `row` by the free coordinate or the row `column`. */
typedef struct {
  int row, column, output;
} SsFesdEntry;

/* Two shapes whose points of contact change while they move: the points are looked up by `slot` and slot + 1. */
typedef struct {
  int contact, slot;
  int shape_index[2]; /* of a, of b */
  const SsShape *shape[2];
  double radius; /* sum of the circles about the bodies' origins that hold the shapes [m]; may be INFINITY */
} SsFesdPair;

typedef struct {
  const SsScene *scene;    /* borrowed */
  SsDynamics *dynamics;    /* owned */
  int n_q, n_free;         /* 3 n_bodies; coordinates that answer to forces */
  int *coordinate;         /* n_free: place in q */
  int *index;              /* n_q: place among the free ones, -1: none */
  double *mass;            /* n_free */
  int n_bilateral, n_rows; /* rows of joints, then of limits, then of drives: n_rows in all */
  int n_drives;            /* the last rows, whose phi is the joint's coordinate */
  SsFesdDrive *drives;
  int *row_joint;     /* n_rows */
  bool *row_is_upper; /* n_rows; of limits */
  int *row_body;      /* 2 n_rows, -1: the world */
  int n_static;       /* points that stay what they are, the first ones */
  int n_points;       /* with two slots a pair behind them */
  SsFesdPoint *points;
  bool *is_live; /* n_points: the slot holds a point; true of the static ones */
  int n_pairs;
  SsFesdPair *pairs;
  int n_fq, n_fv, n_j; /* derivatives of f by q, by v; of the rows' phi by q */
  SsFesdEntry *fq, *fv, *j;
  int n_swing; /* derivatives of the rows' rates, J v + d phi / d t, by q */
  SsFesdEntry *swing;
  int n_driven; /* derivatives of the rows' phi by locked coordinates that move; column: place in q, -1: the time */
  SsFesdEntry *driven;
  double size; /* of the bodies, for tolerances of lengths [m] */
  /* private: the tape, by slots and instances */
  SsTape *tape;
  int n_inputs, n_outputs;
  double *in, *out, *work;
} SsFesdSystem;

/* Differentiates and compiles the equations of the scene, which is borrowed. */
SS_NODISCARD SsStatus ss_fesd_system_new (const SsScene *scene, SsFesdSystem **out, SsError *err);
void ss_fesd_system_free (SsFesdSystem *system); /* NULL is allowed */

/* Inputs of an instance: poses, velocities (n_q each), forces of the rows (n_rows, NULL: none). */
void ss_fesd_system_set (SsFesdSystem *system, int instance, double t, const double *q, const double *v,
                         const double *lambda);
/* Controls of all instances from now on; NULL: the actuators' formulas. Clamped to the bounds of the actuators. */
void ss_fesd_system_set_controls (SsFesdSystem *system, const double *controls);
void ss_fesd_system_evaluate (SsFesdSystem *system, int n_instances);

/* An output of the last evaluation: f + G' lambda by free coordinate, phi by row, an entry's derivative. */
static inline double
ss_fesd_system_output (const SsFesdSystem *system, int output, int instance)
{
  return system->out[output * SS_FESD_INSTANCES + instance];
}

static inline double
ss_fesd_system_force (const SsFesdSystem *system, int i, int instance)
{
  return ss_fesd_system_output (system, i, instance);
}

static inline double
ss_fesd_system_phi (const SsFesdSystem *system, int row, int instance)
{
  return ss_fesd_system_output (system, system->n_free + row, instance);
}

/* ---- ss-fesd-drive.c --------------------------------------------------------------------------------------------- */

/* Friction and motors of the scene's joints, into `drives` (NULL: counted). Returns their number. */
int ss_fesd_find_drives (const SsScene *scene, SsFesdDrive *drives);
/* Items are points, limits, drives. The drive that an item is; NULL: it is none. */
const SsFesdDrive *ss_fesd_drive_of (const SsFesdSystem *system, int item);
/* Rows of limits, then of drives, at (t, q, v): of the items behind the points, in their order. Returns their
 * number. */
int ss_fesd_item_rows (const SsFesdSystem *system, double t, const double *q, const double *v, SsRow *rows);
/* The rate that a drive's law has, 0 where it may stick: of its row at v. */
double ss_fesd_drive_rate (const SsFesdDrive *drive, const SsRow *row, const double *v);
/* The force of a drive in a mode of slip; 0 of others. */
double ss_fesd_drive_force (const SsFesdDrive *drive, SsFesdMode mode);

/* ---- ss-fesd-system.c -------------------------------------------------------------------------------------------- */

/* Restitution of a point, or of a limit behind the points; 0 of a drive. */
static inline double
ss_fesd_restitution (const SsFesdSystem *system, int item)
{
  const int row = system->n_bilateral + item - system->n_points;
  if (item < system->n_points)
    return system->scene->contacts[system->points[item].contact].restitution;
  return row < system->n_rows ? system->scene->joints[system->row_joint[row]].restitution : 0;
}

/* Looks at a pair as it lies at q: the points of its manifold, at most two, with what they would be as points. Returns
 * their number; gaps[i] is the gap of points[i]. */
int ss_fesd_system_meet (const SsFesdSystem *system, const SsFesdPair *pair, const double *q, SsFesdPoint points[2],
                         double gaps[2]);
/* What a point of a pair becomes that comes to its end (0 or 1): a vertex that passes the end of a face meets the
 * corner there, or, where both are sharp, the corner meets the edge that the vertex leaves behind; a corner whose
 * normal stands on an edge meets that edge. v: velocities of all bodies. */
SsFesdPoint ss_fesd_system_pass (const SsFesdSystem *system, const SsFesdPair *pair, const SsFesdPoint *point, int end,
                                 const double *q, const double *v);
/* The smallest gaps of the two manifold points alone (INFINITY where there is none). */
void ss_fesd_system_gaps (const SsFesdSystem *system, const SsFesdPair *pair, const double *q, double gaps[2]);
