/* engine/scene/ss-cut.h: a body cut along a straight stroke, and what each of its pieces is.
 *
 * The stroke is a segment of the world. It cuts where it crosses the matter of the body from outside to outside; where
 * it ends within, nothing of the body is cut. A polygon becomes two; of a disc and a capsule the polygon inscribed in
 * them with SS_CUT_ARC_EDGES edges of the whole turn is cut; a segment becomes two. Corners within 4e-6 of the body's
 * size from the line are taken to be on it, so that no piece has an edge shorter than that.
 * Pieces   where the body's shapes hang together (their gaps are at most 1e-6 of its size), what hangs together after
 *          the cut is one piece: a U cut through both arms falls into three. Where they did not, a piece is what lies
 *          on one side. Areas and moments of the pieces add up to those of the shapes that were cut.
 *
 * Threads: any. Tests: tests/unit/test-cut.c
 */
#pragma once

#include "scene/ss-scenario.h"

enum { SS_CUT_ARC_EDGES = 56 };

typedef enum {
  SS_CUT_MISSES,        /* the stroke crosses no matter of it, or it has no end */
  SS_CUT_ENDS_INSIDE,   /* the stroke begins or ends in its matter */
  SS_CUT_PARTS_NOTHING, /* the body hangs together around the cut: a ring cut once */
  SS_CUT_DONE
} SsCutOutcome;

/* A shape of a piece, in the frame of the body that was cut. */
typedef struct {
  SsShape shape; /* of one that is whole the body's own, borrowed */
  int source;    /* which of the body's shapes it is, or is of */
  int piece;
  bool is_whole;
  SsVec2 vertices[SS_POLYGON_MAX + 1]; /* of one that is not whole: its shape's */
} SsCutShape;

/* Matter of the shapes of a piece, which counts twice where they overlap. */
typedef struct {
  double measure;  /* area [m2]; of a body of segments alone their length [m]; segments beside areas have none */
  double second;   /* moment about the centroid: measure times m2 */
  SsVec2 centroid; /* in the frame of the body [m] */
} SsCutPiece;

/* Outside of DONE there are no shapes and no pieces. */
typedef struct {
  SsCutOutcome outcome;
  int n_shapes;
  SsCutShape *shapes;
  int n_pieces;       /* >= 2 */
  SsCutPiece *pieces; /* the largest first; of equal ones that on the left of the stroke */
  bool has_arcs;      /* a disc or a capsule was cut: its pieces are polygons */
} SsCut;

/* The body as it lies at its start, and the ends of the stroke in the world [m]. ss_cut_free, also after a failure:
 * SS_ERR_MEMORY; SS_ERR_INVALID: a piece would have more than 64 corners. */
SS_NODISCARD SsStatus ss_cut_body (const SsBody *body, SsVec2 from, SsVec2 to, SsCut *cut, SsError *err);
void ss_cut_free (SsCut *cut);
