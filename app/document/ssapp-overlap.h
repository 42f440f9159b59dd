/* app/document/ssapp-overlap.h: bodies of a scene that lie in one another at the start although they may collide, and
 * how they are parted. Threads: any. Tests: tests/unit/test-place.c */
#pragma once

#include <glib.h>

#include "scene/ss-scenario.h"

G_BEGIN_DECLS

/* [m] Less than this is rounding: files give places to six digits or so. */
#define SSAPP_OVERLAP_LEAST 1e-6

typedef struct {
  int a, b;      /* bodies, as the contact has them   */
  int contact;   /* among the scene's                 */
  double depth;  /* [m] > 0: the least way that parts */
  SsVec2 point;  /* of a, deepest in b; world [m]     */
  SsVec2 normal; /* from a to b                       */
} SsappOverlap;

/* Deepest first, of pairs that have a contact; at most `most` are given. Free with g_array_unref. */
GArray *ssapp_overlaps_find (const SsScene *scene, int most);
/* "box and floor overlap by 3.2 mm". Caller frees. */
char *ssapp_overlap_text (const SsScene *scene, const SsappOverlap *overlap);
/* Moves bodies, those of `poses` (n_bodies x 3, in and out), apart by least translations until no pair that may collide
 * overlaps: of each pair the one that may move, `mover` if it is one of the two (-1: none), else the lighter one. Fixed
 * bodies stay, and so do all that joints and springs hold, where the other one can go. FALSE where that does not end;
 * the poses are as far as they got. */
gboolean ssapp_overlaps_separate (const SsScene *scene, int mover, double (*poses)[3]);

G_END_DECLS
