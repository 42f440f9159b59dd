/* app/document/ssapp-place.h: where a body may lie exactly: on, at and beside others with a gap of zero. Geometry of a
 * scene, without a document.
 *
 * Poses q are those of scenes: centre of mass x, y [m] and angle [rad]. A gap is the engine's own signed distance of
 * two bodies (geometry/ss-geometry.h), over all their shapes. "Exact" means that the engine computes a gap of at most
 * SSAPP_PLACE_EXACT at the pose that is given back. Threads: any. Tests: tests/unit/test-place.c */
#pragma once

#include <glib.h>

#include "scene/ss-scenario.h"

G_BEGIN_DECLS

/* [m] for sizes and places of up to a kilometre: a thousand roundings. */
#define SSAPP_PLACE_EXACT 1e-12
/* [rad] An edge that is turned against another by less lies flush on it when it is dragged there. */
#define SSAPP_PLACE_FLUSH_ANGLE (6 * G_PI / 180)

/* ---- gaps -------------------------------------------------------------------------------------------------------- */

/* The smallest gap between the body at q and another at its start, and where: from the body to the other. INFINITY:
 * they have none (two half-planes). */
double ssapp_place_gap (const SsScene *scene, int body, const double q[3], int other, SsGap *gap);
/* Moves q by as little as makes the gaps to one or two others zero; they must be near. FALSE if that does not end. */
gboolean ssapp_place_settle (const SsScene *scene, int body, const int *others, int n_others, double q[3]);

/* ---- faces ------------------------------------------------------------------------------------------------------- */

/* A straight piece of a body's outline in the world. */
typedef struct {
  SsVec2 from, to; /* [m]; of a half-plane one point and one a metre on */
  SsVec2 normal;   /* unit, out of the matter */
  gboolean is_endless;
} SsappFace;

/* Faces of a body at q: those of polygons, both sides of segments and capsules, the surface of a half-plane. Free with
 * g_array_unref. */
GArray *ssapp_place_faces (const SsScene *scene, int body, const double q[3]);

/* Corners, middles of edges, and centres of circles and bodies. */
typedef enum { SSAPP_POINT_CORNER, SSAPP_POINT_CENTRE, SSAPP_POINT_MIDDLE } SsappPointKind;
typedef struct {
  SsVec2 at; /* world [m] */
  SsappPointKind kind;
} SsappPoint;
/* Of the body at q; free with g_array_unref. */
GArray *ssapp_place_points (const SsScene *scene, int body, const double q[3]);

/* ---- commands ---------------------------------------------------------------------------------------------------- */

/* Moves the body down, as gravity says, until it touches `on`, or, -1, what is below; up where it lies within it. Gives
 * the body that it rests on in *found. FALSE: there is nothing below. */
gboolean ssapp_place_rest (const SsScene *scene, int body, int on, double q[3], int *found);
/* Turns the body by as little as makes one of its edges flush with the nearest edge of `with`, or, -1, of the nearest
 * body, and moves it there; round ones are moved only. FALSE: there is nothing to be flush with. */
gboolean ssapp_place_flush (const SsScene *scene, int body, int with, double q[3], int *found);

/* ---- snapping ---------------------------------------------------------------------------------------------------- */

typedef enum {
  SSAPP_SNAP_NONE,
  SSAPP_SNAP_GRID,
  SSAPP_SNAP_POINT, /* a corner, centre or middle */
  SSAPP_SNAP_EDGE,  /* a point on an edge          */
  SSAPP_SNAP_TOUCH, /* bodies touch in a point     */
  SSAPP_SNAP_FLUSH  /* an edge lies on an edge     */
} SsappSnapKind;

typedef struct {
  SsappSnapKind kind;
  double q[3];       /* where the body goes                                                */
  SsVec2 at;         /* where the point goes, or where bodies touch [m]                     */
  int body, second;  /* what is snapped to; -1                                              */
  gboolean has_edge; /* `edge`: ends of the edge that touches                               */
  SsVec2 edge[2];
  SsVec2 free;        /* unit; along which it may still go. (0, 0): in all directions or none */
  gboolean is_pinned; /* it may go nowhere                                                   */
  char text[160];     /* for people: "Flush with plane, gap 0"; "" on the grid               */
} SsappSnap;

typedef struct {
  double reach;                /* [m] nothing that is farther off pulls                                     */
  double step;                 /* [m] of the grid; 0: none                                                  */
  gboolean is_free;            /* nothing pulls at all                                                  */
  const gboolean *moves_along; /* n_bodies: these do not pull; NULL: only the body itself    */
} SsappSnapRules;

/* Where a body that is dragged from `from` and would lie at `want` goes. On the grid it goes by whole steps. */
void ssapp_place_snap_body (const SsScene *scene, int body, const double from[3], const double want[3],
                            const SsappSnapRules *rules, SsappSnap *snap);
/* Where a point that is drawn goes. */
void ssapp_place_snap_point (const SsScene *scene, SsVec2 want, const SsappSnapRules *rules, SsappSnap *snap);
/* The radius of a disc drawn about `centre` through `want`: such that it touches what is near. snap->at is the point on
 * it. */
double ssapp_place_snap_radius (const SsScene *scene, SsVec2 centre, SsVec2 want, const SsappSnapRules *rules,
                                SsappSnap *snap);

G_END_DECLS
