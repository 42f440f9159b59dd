/* app/draw/ssapp-phase.h: any channel of a motion against any other: phase planes, and curves over a chosen clock. Pure
 * functions of data; the window and exported figures draw with them. */
#pragma once

#include "app/draw/ssapp-plot.h"

G_BEGIN_DECLS

/* A motion as the path of two channels; rows of one time are a jump. The path is refined as playback is
 * (ssapp_refine_motion). */
typedef struct {
  int n;
  double *t, *x, *y; /* owned, n each */
} SsappPath;

/* Of channels x and y of the trajectory, at least n_least points over its duration. Empty where a channel is outside of
 * the trajectory, or without memory; ssapp_path_clear. */
void ssapp_path_init (SsappPath *path, const SsTrajectory *trajectory, int x, int y, int n_least);
void ssapp_path_clear (SsappPath *path);

/* What to show first: gap and gap speed of the contact that goes furthest, where they are told; the
 * coordinate of a body that goes furthest, and its velocity; in motions without bodies the first two channels that
 * change. *x and *y are 0 (time) where there is nothing better; the trajectory may be NULL. */
void ssapp_phase_first_channels (const SsTrajectory *trajectory, int *x, int *y);
/* The channel of that name, or with its label (ss_channel_label); -1: none. */
int ssapp_phase_find_channel (const SsTrajectory *trajectory, const char *name);
/* "ball.y [m]"; "Time [s]" for the time, or the clock that tells the motion. g_free. */
char *ssapp_phase_label (const SsTrajectory *trajectory, int channel);

G_END_DECLS
