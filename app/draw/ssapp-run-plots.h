/* app/draw/ssapp-run-plots.h: what the rows of a simulation say about its steps and its contacts: step sizes over time,
 * and the mode of every contact as a strip. Pure functions of data; the window and exported figures draw with them. */
#pragma once

#include "app/draw/ssapp-plot.h"
#include "scene/ss-scenario.h"

G_BEGIN_DECLS

/* Time between rows over time, a stair: two points a step, (t0, h) and (t1, h); both sides of a jump are one row.
 * Returns the number of points; *t and *h [s] are for g_free. */
int ssapp_step_sizes (const SsTrajectory *trajectory, double **t, double **h);

/* The step at t in words: "step 14: 0.0125 s long, 0.45 s to 0.4625 s", and a line for each contact of the scene
 * (nullable) whose mode is another one in the next step. NULL where there is no step; g_free. */
char *ssapp_step_describe (const SsScene *scene, const SsTrajectory *trajectory, double t);

/* Whether sizes differ so much that a linear axis would hide the small ones (all positive, a factor above 20). */
gboolean ssapp_step_sizes_suit_log (const SsappSeries *series, int n_series);

/* The channel with the velocity of this coordinate; -1: none, or it is no coordinate. */
int ssapp_velocity_channel (const SsTrajectory *trajectory, int channel);

/* A copy with as many rows between those of the motion (ss_trajectory_sample_motion) that no two are more than a
 * n_least-th of its duration apart, so that plots of positions are as curved as the playback. Velocities of bodies
 * are then the derivatives of the positions, where those are curved, except in steps of Euler's rule (the way is one
 * of the two velocities times the step, to a 50th), whose velocity holds. NULL where no rows are to be added, so that
 * the motion itself will do, and without memory; ss_trajectory_free. */
SsTrajectory *ssapp_refine_motion (const SsTrajectory *trajectory, int n_least);

typedef enum {
  SSAPP_MODE_OPEN, /* exported tables have these numbers, from 0 on */
  SSAPP_MODE_STICK,
  SSAPP_MODE_SLIP_PLUS,  /* the tangential velocity (contact/ss-contact-problem.h) is positive, friction negative */
  SSAPP_MODE_SLIP_MINUS, /* the other way                                                                        */
  SSAPP_MODE_SMOOTH,     /* closed without friction: the forces do not say how it slides                         */
  SSAPP_MODE_COUNT
} SsappContactMode;

typedef struct {
  double begin, end; /* [s] */
  SsappContactMode mode;
} SsappModeSpan;

typedef struct {
  char *label;      /* "impact", or "FESD-J: impact" */
  const char *axis; /* title of its time axis, static text */
  GArray *spans;    /* of SsappModeSpan, by time, no two neighbours with one mode */
  GArray *frozen;   /* of SsappPlotSpan: where time stands still, shaded */
} SsappModeStrip;

GPtrArray *ssapp_mode_strips_new (void); /* of SsappModeStrip, owned */
/* A strip for every contact of the scene that has force channels. A contact is closed between two rows where it has a
 * normal force (below 1e-9 of its largest is rounding), slips where friction has at least 0.999 of its bound, else
 * sticks. Where forces are of the rows' times (methods with stages) both ends of the step must say so, since at a
 * switch the row belongs to both sides; where they are means over a step, the later row. `prefix` may be NULL. */
void ssapp_mode_strips_add (GPtrArray *strips, const SsScene *scene, const SsTrajectory *trajectory,
                            const char *prefix);
/* "impact: open to 0.447 s, stick to 3 s; wall: open to 3 s"; g_free. */
char *ssapp_mode_strips_describe (GPtrArray *strips);
/* Colour of a mode, and how opaque fillings are on the card. */
SsappColor ssapp_mode_color (const SsappStyle *style, SsappContactMode mode);
#define SSAPP_MODE_FILL 0.75
/* Strips below each other over one time axis from t = 0 to t_end, with a legend below; `cursor` NaN: none. Modes differ
 * in colour, hatch and letter. They fill the height up to sixteen font sizes each. */
void ssapp_mode_strips_draw (cairo_t *cr, const SsappStyle *style, GPtrArray *strips, double t_end, double cursor,
                             double x, double y, double width, double height);
double ssapp_mode_strips_height (const SsappStyle *style, int n_strips); /* that suits them */
/* Time at a device x of strips drawn with the same arguments. */
double ssapp_mode_strips_time_at (const SsappStyle *style, GPtrArray *strips, double t_end, double x, double width,
                                  double device_x);
/* What is at a device point of strips drawn from (0, 0): "floor-ball: stick, 0.447 s to 0.9 s, 0.453 s long". NULL
 * beside the strips; g_free. */
char *ssapp_mode_strips_describe_at (const SsappStyle *style, GPtrArray *strips, double t_end, double width,
                                     double height, double device_x, double device_y);

G_END_DECLS
