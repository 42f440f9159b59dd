/* engine/contact/ss-contact-newton-private.h: what the parts of the sparse contact method share: rows and matrix
 * (ss-contact-newton.c), which method is asked (ss-contact-ways.c), friction bounds fixed: convex problems
 * (ss-contact-convex.c), bounds that move with the normal impulses (ss-contact-clamp.c), interior points
 * (ss-contact-interior.c), their path (ss-contact-curve.c). Letters as in ss-contact-convex.c. */
#pragma once

#include "contact/ss-contact-problem.h"

#include "linalg/ss-blocks.h"

/* Changes of one rank that are taken before the matrix is factored again. */
enum { SS_CONTACT_UPDATES_MAX = 60 };

/* Iterations that Anderson's method remembers. */
enum { SS_CONTACT_ANDERSON = 10 };

typedef enum { ROW_FREE, ROW_NORMAL, ROW_TANGENT, ROW_EDGE } RowKind;

typedef struct {
  RowKind kind;
  int body[2]; /* local; -1: answers to no impulse */
  double g[6]; /* 0 for locked coordinates         */
  double b;    /* bias and what locked coordinates add to the row's velocity */
  double compliance, sigma_inverse, s, w;
  double least;             /* NORMAL                            */
  double mu;                /* TANGENT                           */
  int normal;               /* TANGENT: its normal's row         */
  double bound;             /* TANGENT                           */
  double centre;            /*                                   */
  double p, best_p, kept_p; /* now; best of one method, of all methods */
  double gv, gd;            /* g v, g d                          */
  double lift;              /* NORMAL: what the path's parameter adds to b */
  bool is_active;           /* p moves with y                    */
  int slide;                /* TANGENT: p = slide mu pn; 0 sticks */
  int place[2], place_ab;   /* where its blocks go in the matrix */
  int high;                 /* side whose body is behind in the pivots' order */
  int source;               /* point or row of the problem       */
} Row;

typedef struct {
  double z[4], w[4];   /* pn, p+, p-, lambda and what is complementary to them */
  double dz[4], dw[4]; /* directions                                           */
  double r[4], c[4];   /* of the rows of w, and of the products                */
  double B[3], h[3];   /* B_nn, B_tn, B_tt and the impulses and dlambda without dv */
  double weight;       /* mobility of the normal, that makes speeds of impulses */
  int normal;          /* row; the tangent, where there is friction, is behind it */
  bool has_friction;
} SsInteriorPoint;

/* Of a point on the curve of ss-contact-curve.c: what r and the products are at tau = 1; where the step began; its
 * tangent, relative to z and w; for d log tau = 1; the correction; what the rows miss. */
typedef struct {
  double r[4], c[4], z[4], w[4], t_z[4], t_w[4], bend_z[4], bend_w[4], along_z[4], along_w[4], step_z[4], step_w[4],
      miss[4];
} SsCurvePoint;

/* Who looks at the iterates: the rows' p, or where is_inside the z of the interior points. False: enough. */
typedef struct {
  void *owner; /* first argument */
  bool (*look) (void *owner, const SsContactNewton *s, bool is_inside, int iterations);
} SsContactLook;

struct SsContactNewton {
  const SsContactLook *look; /* borrowed; NULL: nobody */
  bool is_told_to_end;
  int n_scene_bodies;
  int *local;  /* per body of the scene: index here, -1 */
  int *bodies; /* per index: body of the scene          */
  int n_bodies;
  int n_rows, rows_capacity;
  Row *rows;
  double *v, *vf, *d, *gradient, *mass, *inverse_mass, *v_end; /* 3 n_scene_bodies each, one block */
  /* matrix */
  SsPattern graph; /* of the bodies: lower triangle with its diagonal, by columns */
  SsBlocks *blocks;
  int *place_of_body;       /* of its diagonal block */
  int *pair, pair_capacity; /* scratch: block pairs needed     */
  int n_lifts;
  bool is_calm; /* the last solve's impulses were those of the one before */
  double *path; /* the matrix' path: 1 + SS_CONTACT_UPDATES_MAX vectors of the pattern's size */
  SsInteriorPoint *interior;
  SsCurvePoint *curve; /* of the same points */
  int n_interior, interior_capacity, curve_capacity;
  /* Anderson */
  int n_friction, friction_capacity;
  double *history; /* (2 ANDERSON + 3) n_friction */
};

static inline double
product (const Row *row, const double *v)
{
  double sum = 0;
  for (int side = 0; side < 2; side++)
    if (row->body[side] >= 0) {
      const double *u = v + 3 * row->body[side], *g = row->g + 3 * side;
      sum += g[0] * u[0] + g[1] * u[1] + g[2] * u[2];
    }
  return sum;
}

static inline void
push (const Row *row, double p, double *f)
{
  for (int side = 0; side < 2; side++)
    if (row->body[side] >= 0) {
      double *u = f + 3 * row->body[side];
      const double *g = row->g + 3 * side;
      u[0] += g[0] * p;
      u[1] += g[1] * p;
      u[2] += g[2] * p;
    }
}

/* Matrix of the masses, with room for what rows add. */
static inline void
ss_contact_newton_clear_matrix (SsContactNewton *s, bool is_symmetric)
{
  double *lower = ss_blocks_lower (s->blocks);
  ss_blocks_clear (s->blocks, is_symmetric);
  for (int i = 0; i < 3 * s->n_bodies; i++)
    lower[SS_BLOCK_NUMBERS * s->place_of_body[i / 3] + (SS_BLOCK_LANES + 1) * (i % 3)] = s->mass[i];
}

/* Matrix += out g' on the row's bodies; of a symmetric one (out = s g) its lower triangle alone counts. */
static inline void
ss_contact_newton_add (SsContactNewton *s, const Row *row, bool is_symmetric, const double *out, const double *g)
{
  for (int side = 0; side < 2; side++)
    if (row->body[side] >= 0)
      ss_block_add (ss_blocks_lower (s->blocks), row->place[side], out + 3 * side, g + 3 * side);
  if (row->body[0] < 0 || row->body[1] < 0 || row->body[0] == row->body[1])
    return;
  const int high = 3 * row->high, low = 3 - high;
  ss_block_add (ss_blocks_lower (s->blocks), row->place_ab, out + high, g + low);
  if (!is_symmetric)
    ss_block_add (ss_blocks_upper (s->blocks), row->place_ab, g + high, out + low);
}

static inline double
row_y (const Row *row, double gv)
{
  return row->s * (row->centre * row->sigma_inverse - gv - row->b);
}

/* The residual that is aimed at where that costs little, relative to the largest speed of the problem. */
static const double ss_contact_residual_wanted = 1e-11;

/* Whether to go on: an iterate is there. */
static inline bool
ss_contact_newton_tell (SsContactNewton *s, bool is_inside, int iterations)
{
  if (s->look != NULL && !s->is_told_to_end)
    s->is_told_to_end = !s->look->look (s->look->owner, s, is_inside, iterations);
  return !s->is_told_to_end;
}

/* ---- ss-contact-newton.c ----------------------------------------------------------------------------------------- */

/* Rows, places and pattern of the listed points and rows (ss_contact_newton_solve), from their impulses. *scale: the
 * largest speed. */
SS_NODISCARD SsStatus ss_contact_newton_prepare (SsContactNewton *s, const SsContactProblem *problem, const int *points,
                                                 int n_points, const int *rows, int n_rows, const double *v_free,
                                                 double *scale, SsError *err);
/* Impulses of the rows to the problem's points and rows. */
void ss_contact_newton_hand_back (const SsContactNewton *s, SsContactProblem *problem, const int *points, int n_points);

/* ---- ss-contact-ways.c ------------------------------------------------------------------------------------------- */

/* One way alone, for who compares them. */
typedef enum { SS_CONTACT_WAY_NEWTON, SS_CONTACT_WAY_INTERIOR, SS_CONTACT_WAY_PATH } SsContactWay;
/* The rows by that way, from their p, to a residual of `wanted` [m/s]; the best impulses are left there. */
void ss_contact_newton_solve_by (SsContactNewton *s, SsContactWay way, double scale, double wanted, double *residual,
                                 int *iterations, int *worst);
/* Solves the rows from their p; the best impulses are left there. scale: largest speed of the problem. */
void ss_contact_newton_solve_rows (SsContactNewton *s, double scale, double *residual, int *iterations, int *worst);

/* ---- ss-contact-convex.c ----------------------------------------------------------------------------------------- */

/* The two fixed points. The best impulses are left in the rows. */
void ss_contact_newton_iterate (SsContactNewton *s, double scale, double *residual, int *iterations, int *worst);
/* Nonsmooth Gauss-Seidel (M. Jean, J. J. Moreau (1992)): slow, but it finds its way where the fixed points circle.
 * v_end and p must fit together. */
void ss_contact_newton_relax (SsContactNewton *s, double scale);

/* ---- ss-contact-measure.c ---------------------------------------------------------------------------------------- */

/* A soft row is taken as it is; a stiff one gets the proximal term with sigma = factor/w. */
void ss_contact_newton_set_proximal (SsContactNewton *s, double factor);
/* Natural residual [m/s] of the rows' p with v_end = vf + M^-1 G' p. */
double ss_contact_newton_residual (SsContactNewton *s, int *worst);

/* Largest |M^-1 gradient| [m/s]. */
double ss_contact_newton_imbalance (const SsContactNewton *s);

/* ---- ss-contact-interior.c --------------------------------------------------------------------------------------- */

/* Starts an interior point method at a speed [m/s], with equal products. False where it is not for rows as these:
 * least impulses. */
bool ss_contact_interior_start (SsContactNewton *s, double speed);
/* Points without friction begin at the rows' p and v_end instead, at this speed [m/s] from the boundary at least. */
void ss_contact_interior_warm (SsContactNewton *s, double speed);
/* Goes on to a gap of gap_wanted scale^2, or until it gets stuck; returns which. s->v, the rows' p and centres tell
 * states from which Newton's method can go on. */
bool ss_contact_interior_go (SsContactNewton *s, double scale, double gap_wanted, int *iterations);
/* Its parts, which ss-contact-curve.c shares. */
static inline int
ss_contact_interior_pairs (const SsInteriorPoint *x)
{
  return x->has_friction ? 4 : 1;
}

/* What rows and momentum miss; returns the largest as a speed. The momentum's, negative, goes to s->gradient. */
double ss_contact_interior_misses (SsContactNewton *s);
/* Mean product after `along` of the direction, weighed: a square of a speed. */
double ss_contact_interior_gap (const SsContactNewton *s, double along);
/* The condensed matrix here. */
bool ss_contact_interior_factor (SsContactNewton *s);
/* s->d and the points' dz, dw by the last factor: what takes away the points' r, the joints' gv and s->gradient and
 * adds the points' c to the products. */
void ss_contact_interior_direction (SsContactNewton *s);
/* As ss_contact_interior_go leaves it: s->v, the rows' p and centres. */
void ss_contact_interior_round (SsContactNewton *s);
/* s->v of the impulses z, and what the joints' multipliers weigh. */
void ss_contact_interior_begin (SsContactNewton *s);

/* ---- ss-contact-curve.c ------------------------------------------------------------------------------------------ */

/* Along the central path from a start of ss_contact_interior_start, or from where this ended before, through its turns,
 * to a gap of gap_wanted scale^2. False where it was lost. Leaves what ss_contact_interior_go leaves. */
bool ss_contact_curve_follow (SsContactNewton *s, double scale, double gap_wanted, int *iterations);

/* ---- ss-contact-clamp.c ------------------------------------------------------------------------------------------ */

/* How much is done before it is given up: Newton's method a few times; more often, and again from softer terms; the
 * paths, too. */
typedef enum { SS_CLAMP_ONCE, SS_CLAMP_AGAIN, SS_CLAMP_PATH } SsClampEffort;

/* Solves Coulomb's law of the rows (edges: their cones without shift) from s->v and the centres; vf and b of the rows
 * are used up. True when the residual is at most `wanted` [m/s]; the best impulses are left in the rows. */
bool ss_contact_clamp_solve (SsContactNewton *s, SsClampEffort effort, double scale, double wanted, double *residual,
                             int *iterations, int *worst);
