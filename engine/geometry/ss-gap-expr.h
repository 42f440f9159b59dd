/* engine/geometry/ss-gap-expr.h: gaps between shapes as smooth expressions for optimisers, with normals and points of
 * action.
 *
 * A pair of shapes has one gap, or one for each corner of what meets a half-plane. A shape is the hull of its vertices
 * (the core: one vertex, the centre, of a circle; two of a capsule or segment) grown by its radius.
 *
 * PLANE   half-plane and a vertex:  phi = N . (p - c) - r, affine but for angles. Exact.
 * ROUND   circle and circle:  phi = sqrt (|z|^2 + e^2) - sqrt (R^2 + e^2), z = centre_b - centre_a, R the sum of the
 *         radii, e = 1e-5 R. phi = 0 exactly where they touch; elsewhere it errs by less than e^2 / 2R = 5e-11 R, and
 *         has derivatives where the centres coincide. The normal z / sqrt (|z|^2 + e^2) is short by less than 5e-11 at
 *         contact.
 * SQUARE  circle and circle, asked for by the caller in the place of ROUND:  phi = (|z|^2 - R^2) / 2R, R > 0, with the
 *         normal z / R and points of action that coincide everywhere. A polynomial: no kink where the centres coincide.
 *         At contact phi, its derivatives and the normal are those of ROUND; the distance is sqrt (R^2 + 2 R phi) - R.
 * HULLS   any two others. Lifted variables: the angle alpha of the separating direction n in the frame of a, weights
 *         w_a, w_b of the vertices of both cores (none for a single vertex). With y_a = sum w_a a_i, y_b = sum w_b b_j:
 *             n x (y_b - y_a) = 0,  sum w_a = 1,  sum w_b = 1,  0 <= w_a,i _|_ n . (y_a - a_i) >= 0,  0 <= w_b,j _|_ n
 *             . (b_j - y_b) >= 0,  phi = n . (y_b - y_a) - r_a - r_b.
 *         These are the conditions of the closest pair of points of the cores, and of a stationary separating direction
 *         where they overlap. So phi is the Euclidean distance less the radii beyond edges and at corners alike (no
 *         phantom walls, no mitres), exactly, when the rows hold; overlapping, minus a translation that separates, the
 *         shortest one when alpha starts there (ss_gap_expr_lift). Where faces lie on each other w is free within the
 *         touching part: y is then the centre of pressure of one force, which can be anywhere where a manifold's two
 *         forces could put it. Touching vertex to vertex without radii, n is free within both normal cones, as it is in
 *         mechanics. Crossing segments are not told apart from touching ones: a candidate whose cores cross has no
 *         meaningful sign.
 *
 * The normal points from a to b, the tangent is the normal turned by -90 degrees; points of action lie on each body's
 * own surface and coincide where phi = 0.
 * Errors   SS_EXPR_NONE in a result: out of memory.
 * Tests    tests/numeric/test-transcribe.c: against ss_geometry_manifold.
 */
#pragma once

#include "expr/ss-expr-math.h"
#include "geometry/ss-geometry.h"

typedef enum { SS_GAP_PLANE, SS_GAP_ROUND, SS_GAP_SQUARE, SS_GAP_HULLS } SsGapKind;

/* One gap of a pair of shapes (borrowed). */
typedef struct {
  SsGapKind kind;
  const SsShape *a, *b;
  int vertex;    /* PLANE: of the shape that is no half-plane          */
  int n_weights; /* HULLS: of a, then of b; 0 for a core of one vertex */
  int n_weights_a;
} SsGapPair;

enum { SS_GAP_PAIRS_MAX = SS_POLYGON_MAX, SS_GAP_WEIGHTS_MAX = 2 * SS_POLYGON_MAX };

/* Number of gaps of two shapes: 0 for two half-planes. pairs[SS_GAP_PAIRS_MAX]. */
int ss_gap_pairs (const SsShape *a, const SsShape *b, SsGapPair *pairs);

/* Lifted variables of a pair, as expressions or numbers: alpha, then the weights. 0 unless HULLS. */
static inline int
ss_gap_n_lifted (const SsGapPair *pair)
{
  return pair->kind == SS_GAP_HULLS ? 1 + pair->n_weights : 0;
}

typedef struct {
  SsExpr phi;
  SsVec2Expr normal;           /* world frame, unit (see ROUND, SQUARE)                                             */
  SsVec2Expr point_a, point_b; /* where an impulse acts on a, on b, world frame                              */
  int n_zero;                  /* HULLS: rows that vanish: direction [m], sum of w_a, sum of w_b              */
  SsExpr zero[3];
  SsExpr slack[SS_GAP_WEIGHTS_MAX]; /* HULLS: [m], complementary to the weights                               */
} SsGapExpr;

/* pose_a, pose_b: x, y, theta of the bodies; lifted[ss_gap_n_lifted]; inputs: numbers of the shapes that are no
 * constants, or NULL. */
void ss_gap_expr (SsGraph *graph, const SsInputNumbers *inputs, const SsGapPair *pair, const SsExpr pose_a[3],
                  const SsExpr pose_b[3], const SsExpr *lifted, SsGapExpr *out);

/* Values of the lifted variables at a pose: the nearest pair of points, or the shortest way out; the middle of faces
 * that touch. */
void ss_gap_expr_lift (const SsGapPair *pair, const double pose_a[3], const double pose_b[3], double *lifted);
/* The same with the point `share` of the way along faces that touch, from one end of what they share (0) to the other
 * (1). */
void ss_gap_expr_lift_at (const SsGapPair *pair, const double pose_a[3], const double pose_b[3], double share,
                          double *lifted);
/* Gap, normal and points of action in numbers, with these lifted variables (those of ROUND and SQUARE: of two circles,
 * exactly). */
void ss_gap_expr_value (const SsGapPair *pair, const double pose_a[3], const double pose_b[3], const double *lifted,
                        SsGap *out);
