/* engine/plan/ss-stages-way.h: ways of a body that keeps its angle, round bodies that stand still. Private to the room
 * `plan`.
 *
 * A visibility graph: its nodes are the corners of what is in the way, pushed out by the mover's size, its edges are
 * swept exactly (geometry/ss-sweep.h), and only those that the shortest way asks for: A* whose edges are looked at when
 * their end is the next to be reached. In the way is what the mover has a contact with in the scene.
 *
 * Threads  any. Tests: tests/numeric/test-contact-stages.c
 */
#pragma once

#include "scene/ss-scenario.h"

enum { SS_WAY_POINTS = 16 };

/* A polyline, from at[0] to at[n - 1]. */
typedef struct {
  int n;
  SsVec2 at[SS_WAY_POINTS];
} SsWay;

/* A point of a body that is at a place. */
SsVec2 ss_way_placed (const SsPlace *place, SsVec2 p);

/* Straight from the one to the other. */
SsWay ss_way_straight (SsVec2 from, SsVec2 to);
double ss_way_length (const SsWay *way);
/* The point at the part s of the length, 0..1, and the unit tangent there ((0, 0) of a way without length). */
void ss_way_at (const SsWay *way, double s, SsVec2 *at, SsVec2 *tangent);

/* Who goes, among what. */
typedef struct {
  const SsScene *scene;
  const double *q; /* poses, 3 n_bodies [m, rad]; the mover's own place is not read */
  int body;        /* the mover */
  int ignored[2];  /* bodies that are not in the way, -1: none */
  double margin;   /* that it keeps, where its ends do [m] */
  bool only_fixed; /* bodies that can move are not in the way */
} SsWayScene;

/* The shortest way over the nodes; false: there is none of SS_WAY_POINTS points. */
bool ss_way_find (const SsWayScene *scene, SsVec2 from, SsVec2 to, SsWay *way);
/* Where the mover first touches `other` on its straight way: the part of the way; INFINITY: nowhere. */
double ss_way_touch (const SsWayScene *scene, int other, SsVec2 from, SsVec2 to);
/* Its gap to another body there [m]. */
double ss_way_gap (const SsWayScene *scene, int other, SsVec2 at);
