/* engine/scene/ss-view.h: what a scenario looks like at one instant: marks in world coordinates, independent of any
 * drawing library.
 *
 * For a model the `view` section binds shapes to formulas of the variables, parameters, k and t; for a scene the marks
 * are made from its bodies and contacts, and of velocities where the motion is told by a second clock: while the time
 * stands they alone change. A view is compiled against the channels of a trajectory (so that stored runs
 * can be drawn) and then gives a frame per row. Threads: a view belongs to one thread at a time. Frames: no allocation.
 */
#pragma once

#include "core/ss-contact-rows.h"
#include "scene/ss-scenario.h"

typedef enum {
  SS_MARK_POLYGON,    /* vertices in the mark's frame, closed          */
  SS_MARK_CIRCLE,     /* radius                                         */
  SS_MARK_HALF_PLANE, /* surface through position; matter below (angle = direction of the surface's tangent) */
  SS_MARK_SEGMENT,    /* from position to position + vector             */
  /* force or velocity acting at position (tip at position for role FORCE), components in vector, unit by role */
  SS_MARK_ARROW,
  SS_MARK_POINT,
  SS_MARK_CAPSULE,  /* about the segment between two vertices of the mark's frame, by radius (0: the bare segment) */
  SS_MARK_SPRING,   /* a zigzag from position to position + vector      */
  SS_MARK_DISTANCE, /* from position to position + vector, `value` [m] long */
  SS_MARK_ANGLE,    /* about position, from the direction `angle` on by `value` [rad] */
  SS_MARK_NOTE,     /* `text` at position                                    */
  SS_MARK_ROPE,     /* a line through the vertices, whose slack hangs by `vector` */
  SS_MARK_GEAR,     /* a closed line through the vertices: a wheel with teeth by its pitch circle (radius), or a belt */
} SsMarkKind;

typedef enum {
  SS_ROLE_BODY,
  SS_ROLE_FIXED,
  SS_ROLE_GOAL,
  SS_ROLE_FORCE,
  SS_ROLE_VELOCITY,
  SS_ROLE_CONTACT,
  SS_ROLE_CENTRE,
  SS_ROLE_GUIDE
} SsMarkRole;

/* "polygon", "half-plane", ..., "body", "fixed", ...: for files that tell marks. Static text. */
const char *ss_mark_kind_name (SsMarkKind kind);
const char *ss_mark_role_name (SsMarkRole role);

typedef struct {
  SsMarkKind kind;
  SsMarkRole role;
  const char *name;  /* "" if none; borrowed                                  */
  const char *color; /* "blue", "yellow", "brown", "green", "" = by role      */
  bool visible;      /* formula `when` is true; arrows of length 0 are invisible */
  bool trace;        /* leaves a trace: its path and past poses are drawn     */
  bool of_contact;   /* the force of a contact, which has its name            */
  SsVec2 position;   /* [m]                                                   */
  double angle;      /* [rad]                                                 */
  double radius;     /* [m]                                                   */
  SsVec2 vector;     /* SEGMENT, SPRING, DISTANCE, ROPE [m], ARROW [N] or [m/s]       */
  double value;      /* DISTANCE [m], ANGLE [rad]                       */
  const char *text;  /* NOTE; borrowed                                  */
  int n_vertices;
  const SsVec2 *vertices; /* mark's frame; borrowed from the view until the next frame */
} SsMark;

typedef struct SsView SsView;
/* channels[0..n_channels-1] as in the trajectory (first "t"); formulas over channels of bodies that are missing make an
 * error, of others NaN. The scenario is borrowed and must outlive the view. */
SS_NODISCARD SsStatus ss_view_new (const SsScenario *scenario, const SsChannel *channels, int n_channels, SsView **out,
                                   SsError *err);
void ss_view_free (SsView *view);
int ss_view_n_marks (const SsView *view);
void ss_view_frame (SsView *view, const double *row, SsMark *marks); /* marks[n_marks] */
/* The same, but of a scene with more than SS_CONTACTS_WITH_CHANNELS_MAX contacts without these, which take most of the
 * time: no mark of theirs is visible. For paths, poses and boxes. */
void ss_view_frame_bodies (SsView *view, const double *row, SsMark *marks);
/* A contact of which the rows of a view tell something; channels are -1 where they are absent. */
typedef struct {
  int contact; /* of the scene */
  int gap, force_n, force_t, impulse_n, impulse_t;
} SsViewContact;
/* All contacts of a scene, in its order; where it has more than SS_CONTACTS_WITH_CHANNELS_MAX, those that have
 * channels. Borrowed; *n is 0 for a model. */
const SsViewContact *ss_view_contacts (const SsView *view, int *n);
/* Arrows of normal forces that rows do not tell, such as those of a motion that is being made, where the bodies are in
 * the last frame: of each listed contact with a force. Returns how many were written, at most n_marks. */
int ss_view_contact_forces (const SsView *view, const SsContactRow *contacts, int n_contacts, SsMark *marks,
                            int n_marks);
/* Bounding box over all rows of everything but half-planes and arrows; scenario->view_bounds if given. out[4] = xmin
 * ymin xmax ymax. */
void ss_view_bounds (SsView *view, const SsTrajectory *trajectory, double out[4]);
/* The scenario's own view_bounds; false, and out as it was, where it gives none. */
bool ss_view_given_bounds (const SsView *view, double out[4]);
/* Of a rope or a gear, whose line is drawn from point to point: how many, 0 where there is none, and point i, in the
 * mark's frame [m]. A rope's spans hang by its slack. */
int ss_mark_n_line_points (const SsMark *mark);
SsVec2 ss_mark_line_point (const SsMark *mark, int i);
/* Widens a box (as above; +-INFINITY: empty) by a mark, but for half-planes, arrows and what is not visible or finite.
 */
void ss_mark_include (const SsMark *mark, double box[4]);

/* Strips: small plots over time that the scenario proposes. */
int ss_view_n_strips (const SsView *view);
const char *ss_view_strip_label (const SsView *view, int strip); /* with unit: "Angle [rad]" */
double ss_view_strip_value (SsView *view, int strip, const double *row);
double ss_view_strip_reference (SsView *view, int strip, const double *row); /* dashed target line; NaN if none */

/* One row that shows the start: for a scene the bodies' initial poses and velocities, gaps from the geometry, zero
 * forces and controls, energies and momenta not known (NaN), channels as simulations write them
 * (simulate/ss-simulate.h); for a model the guess at point 0, with the initial conditions of the form `variable =
 * expression of parameters` applied, channels t and the variables. The caller frees *out. */
SS_NODISCARD SsStatus ss_scenario_initial_trajectory (const SsScenario *scenario, SsTrajectory **out, SsError *err);
