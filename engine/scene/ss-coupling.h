/* engine/scene/ss-coupling.h: the lines that show what couples bodies: teeth of gears, belts, ropes.
 *
 * A gear's wheels have teeth of one size about their pitch circles (radius), as many as fit both radii best; those of
 * the second wheel are turned so that they mesh at the start, and stay in mesh as the angles follow each other. A belt
 * is one closed line about both wheels: arcs and their common tangents. Tests: tests/numeric/test-couplings.c
 */
#pragma once

#include "scene/ss-scenario.h"

/* Whether a belt, open or crossed, joins the wheels of a gear. */
bool ss_gear_is_belt (const SsJoint *gear);
/* Vertices of a line: 0 or 1, the wheel of a gear; 0: a rope, or a belt, whose second line has none. 0 of other joints.
 */
int ss_coupling_n_vertices (const SsJoint *joint, int line);
/* Teeth of a wheel, counter-clockwise about its anchor in the frame of its body. */
void ss_coupling_teeth (const SsScene *scene, const SsJoint *gear, int wheel, SsVec2 *vertices);
/* A belt or a rope with body b at poses[3 b + 0..2]: about the first anchor, in directions of the world. */
void ss_coupling_line (const SsJoint *joint, const double *poses, SsVec2 *vertices);
