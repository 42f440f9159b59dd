/* engine/fesd/ss-fesd-point.h: one contact point between two bodies as a smooth function of their poses, with exact
 * first and second derivatives.
 *
 * FACE     a straight face that belongs to body[0] and a vertex of body[1]:  phi = n . (p - c) - radius, n the face's
 *          outward normal. Half-planes under vertices, and edges of polygons, capsules and segments under vertices.
 * ROUND    two centres, of body[0] and of body[1]:  phi = |z| - radius. Circles, and vertices that meet vertices.
 *
 * Coordinates of all rows here: x, y, theta of body[0], then of body[1]. The tangent is the normal turned by -90
 * degrees; a force lambda_n, lambda_t acts on body[1], its opposite on body[0]. Whether body[0] is the contact's a or b
 * changes no sign: normal and roles turn together. Gaps f_l and columns n_l, t_l [000 (1b)-(1c)].
 * Pure functions, no allocation. Tests: tests/numeric/test-fesd.c (derivatives against differences).
 */
#pragma once

#include "geometry/ss-geometry.h"

typedef enum { SS_FESD_FACE, SS_FESD_ROUND } SsFesdPointKind;

typedef struct {
  SsFesdPointKind kind;
  int contact; /* of the scene */
  int corner;  /* number of the point (contact/ss-contact-corner.h) */
  int body[2];
  SsVec2 at[2];     /* body frames [m]: FACE: a point of the face, the vertex; ROUND: the centres */
  SsVec2 normal;    /* FACE: outward unit normal, frame of body[0] */
  double radius[2]; /* [m] of the rounding of either side */
  /* ROUND: unit, from the vertex of either body along its two edges, body frames; 0: there is none */
  SsVec2 edge[2][2];
  double range[2]; /* FACE: where along the tangent the face begins and ends, from at[0] [m]; infinite if nowhere */
} SsFesdPoint;

enum { SS_FESD_POINT_N = 6 };

typedef struct {
  double phi;                                  /* gap [m] */
  double jn[SS_FESD_POINT_N];                  /* d phi / d q: phidot = jn v */
  double jt[SS_FESD_POINT_N];                  /* slip of body[1] against body[0]: jt v */
  double hn[SS_FESD_POINT_N][SS_FESD_POINT_N]; /* d jn[i] / d q[j] */
  double ht[SS_FESD_POINT_N][SS_FESD_POINT_N]; /* d jt[i] / d q[j] */
} SsFesdPointAt;

/* At the poses q (3 a body, all bodies). Without `curvature` hn and ht are left as they are. */
void ss_fesd_point_at (const SsFesdPoint *point, const double *q, bool curvature, SsFesdPointAt *out);
/* A row of the point, jn or jt, times the speeds v (3 a body, all bodies). */
double ss_fesd_point_rate (const SsFesdPoint *point, const double row[SS_FESD_POINT_N], const double *v);
double ss_fesd_point_gap (const SsFesdPoint *point, const double *q);
/* Where it is: on the surface of body[1] [m]. */
SsVec2 ss_fesd_point_place (const SsFesdPoint *point, const double *q);
/* What is left until the point is another one, at its beginning (end 0) or end (1): FACE: way along the face, along the
 * tangent [m]; ROUND: until the normal stands on an edge [-]. INFINITY where there is no end. */
double ss_fesd_point_room (const SsFesdPoint *point, const double *q, int end);
