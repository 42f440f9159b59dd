/* engine/contact/ss-contact-corner.h: the points of a contact by the corners at which they act, so that a point keeps
 * its number while the bodies turn and slide.
 *
 * Corners of a shape: the vertices of a polygon, the ends of a capsule or segment, the centre of a circle; a half-plane
 * has none. Those of a contact are numbered from 0, all of body b (shape by shape) before those of body a. A point of
 * the manifold belongs to the circle where one of the two shapes is a circle (b's, if both are), else to the corner
 * nearest to its witness. */
#pragma once

#include "contact/ss-step-state.h"
#include "scene/ss-scenario.h"

/* Corners of a contact of the scene. */
int ss_contact_n_corners (const SsScene *scene, int contact);
/* Number of the corner at which a point of the manifold of these shapes of a and b acts; q: poses of all bodies. */
int ss_contact_corner (const SsScene *scene, int contact, const int shape[2], const SsGap *gap, const double *q);

/* A corner as a candidate for contact. */
typedef struct {
  double phi;    /* height over the other body along the normal [m]; negative inside it */
  SsVec2 point;  /* of the corner's body, world frame                                   */
  SsVec2 normal; /* from a to b, of the nearest pair of features of its shape           */
} SsCorner;
/* `corner` as above; all zero but phi = INFINITY when the other body has nothing to meet it. */
SsCorner ss_contact_corner_at (const SsScene *scene, int contact, int corner, const double *q);

/* Impulses of one corner add up to one item. There must be room (ss_contact_n_corners of all contacts). */
void ss_point_impulses_add (SsPointImpulses *impulses, int contact, int point, double pn, double pt);
void ss_point_impulses_free (SsPointImpulses *impulses); /* with the list itself; NULL is allowed */
