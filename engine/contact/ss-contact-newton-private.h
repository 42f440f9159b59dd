/* engine/contact/ss-contact-newton-private.h: what the two parts of the sparse contact method share:
 * ss-contact-newton.c (friction bounds fixed: convex problems) and ss-contact-clamp.c (bounds that move with the normal
 * impulses). Letters as there. */
#pragma once

#include "contact/ss-contact-problem.h"

/* Changes of one rank that are taken before the matrix is factored again. */
enum { SS_CONTACT_UPDATES_MAX = 60 };

typedef enum { ROW_FREE, ROW_NORMAL, ROW_TANGENT, ROW_EDGE } RowKind;

typedef struct {
  RowKind kind;
  int body[2]; /* local; -1: answers to no impulse */
  double g[6]; /* 0 for locked coordinates         */
  double b;    /* bias and what locked coordinates add to the row's velocity */
  double compliance, sigma_inverse, s, w;
  double least;  /* NORMAL                            */
  double mu;     /* TANGENT                           */
  int normal;    /* TANGENT: its normal's row         */
  double bound;  /* TANGENT                           */
  double centre; /*                                   */
  double p, best_p;
  double gv, gd;                /* g v, g d                          */
  double lift;                  /* NORMAL: what the path's parameter adds to b */
  bool is_active;               /* p moves with y                    */
  int slide;                    /* TANGENT: p = slide mu pn; 0 sticks */
  int place[2][3], place_ab[3]; /* where its blocks go in the matrix */
  int source;                   /* point or row of the problem       */
} Row;

struct SsContactNewton {
  int n_scene_bodies;
  int *local;  /* per body of the scene: index here, -1 */
  int *bodies; /* per index: body of the scene          */
  int n_bodies;
  int n_rows, rows_capacity;
  Row *rows;
  double *v, *vf, *d, *gradient, *mass, *inverse_mass, *v_end; /* 3 n_scene_bodies each, one block */
  /* matrix */
  SsPattern lower; /* blocks expanded to scalars            */
  SsLdl *ldl;
  SsLu *lu;               /* of the same pattern, made when first needed */
  double *values, *upper; /* upper: the mirrored entries, for lu */
  int pattern_n_bodies;
  int *block_start, *block_row, *block_place; /* lower blocks by column, ascending; place: of its 3 scalar columns */
  int n_pattern_blocks;
  int *pair, pair_capacity; /* scratch: block pairs needed     */
  int n_lifts;
  double *path; /* the matrix' path: 1 + SS_CONTACT_UPDATES_MAX vectors of the pattern's size */
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

static inline double
row_y (const Row *row, double gv)
{
  return row->s * (row->centre * row->sigma_inverse - gv - row->b);
}

/* ---- ss-contact-measure.c ---------------------------------------------------------------------------------------- */

/* A soft row is taken as it is; a stiff one gets the proximal term with sigma = factor/w. */
void ss_contact_newton_set_proximal (SsContactNewton *s, double factor);
/* Natural residual [m/s] of the rows' p with v_end = vf + M^-1 G' p. */
double ss_contact_newton_residual (SsContactNewton *s, int *worst);

/* Largest |M^-1 gradient| [m/s]. */
double ss_contact_newton_imbalance (const SsContactNewton *s);

/* ---- ss-contact-clamp.c ------------------------------------------------------------------------------------------ */

/* Solves Coulomb's law of the rows (edges: their cones without shift) from s->v and the centres; vf and b of the rows
 * are used up. True when the residual is at most `wanted` [m/s]; the best impulses are left in the rows. */
bool ss_contact_clamp_solve (SsContactNewton *s, double scale, double wanted, double *residual, int *iterations,
                             int *worst);
