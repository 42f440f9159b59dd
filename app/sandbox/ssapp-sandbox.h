/* app/sandbox/ssapp-sandbox.h: a scene that runs live: stepped in real time by a thread of its own, dragged, thrown,
 * changed, rewound, kept as a run.
 *
 * Time     the scenario's dt, shortened to a whole part of a frame (1/60 s). When a step takes longer than it shows,
 *          time slips: nothing is queued.
 * Frames   a mailbox with one place: the newest row (channels of a simulation, see simulate/ss-simulate.h); whoever
 *          draws takes it when it wants to.
 * Rewind   every row since the start is kept packed (zeros take a bit), the oldest are dropped beyond
 *          SSAPP_SANDBOX_MEMORY. Going back restores time, poses, speeds and contact values bit for bit; going on from
 *          there drops what came after.
 * Recent   of those rows, plots beside the scene read what they show of the last SSAPP_SANDBOX_RECENT seconds.
 * Drag     a critically damped spring from a point of a body to the pointer, as an impulse on the speeds before each
 *          step: implicit in the spring, so that no mass or step makes it unstable, and of bounded force, so that it
 *          cannot tear bodies through each other. Letting go is throwing: the body keeps its speed.
 * Driven   a body that actuators drive is pulled by them alone, within their limits (dynamics/ss-hand.h), from the end
 *          of the present step on: the controls of each row are those that act until the next one, so that what was
 *          played is a motion of the scene that can be replayed and improved.
 * Changes  another reading of the scenario (a parameter, another mass, gravity) takes over the poses and speeds; bodies
 *          and contacts must be the same ones.
 * Failure  a step that fails or diverges pauses; the message names body, contact and time. Rewinding clears it.
 * Threads  every function on the thread that made it; they take one mutex that the stepping thread never holds during a
 *          step.
 * Tests    tests/unit/test-sandbox.c, test-sandbox-recent.c
 */
#pragma once

#include "app/draw/ssapp-channel-plots.h"
#include "app/sandbox/ssapp-held-plan.h"
#include "app/sandbox/ssapp-replanner.h"
#include "app/store/ssapp-store.h"

G_BEGIN_DECLS

#define SSAPP_TYPE_SANDBOX (ssapp_sandbox_get_type ())
G_DECLARE_FINAL_TYPE (SsappSandbox, ssapp_sandbox, SSAPP, SANDBOX, GObject)

#define SSAPP_SANDBOX_FRAME       (1.0 / 60)         /* s */
#define SSAPP_SANDBOX_MEMORY      ((gsize)64 << 20)  /* bytes of packed rows */
#define SSAPP_SANDBOX_ROWS_MEMORY ((gsize)256 << 20) /* bytes of the same rows unpacked, as a kept run has them */

/* Paused at the start. method NULL: Moreau-Jean where a contact bounces, else Stewart-Trinkle, or, with
 * more than 20 bodies that move, convex time stepping, which alone keeps up then. options: name, value, ..., NULL; may
 * be NULL. */
SsappSandbox *ssapp_sandbox_new (const char *scenario_text, const char *method, const char *const *options,
                                 GError **error);
/* By this integrator (borrowed for ever), which need not be one that is found by its name. */
SsappSandbox *ssapp_sandbox_new_with (const char *scenario_text, const SsMethod *method, const char *const *options,
                                      GError **error);
/* Ends the thread (after at most one step); also at dispose. */
void ssapp_sandbox_stop (SsappSandbox *self);

/* Name of the integrator in use; static. */
const char *ssapp_sandbox_get_method (SsappSandbox *self);
/* Why that one, when none was asked for and it is not the exact law without restitution: a sentence; else NULL. */
const char *ssapp_sandbox_get_reason (SsappSandbox *self);
const SsScenario *ssapp_sandbox_get_scenario (SsappSandbox *self); /* borrowed until the next change */
double ssapp_sandbox_get_step (SsappSandbox *self);                /* [s] */
int ssapp_sandbox_get_n_channels (SsappSandbox *self);
const SsChannel *ssapp_sandbox_get_channels (SsappSandbox *self);

/* ---- what it does now ---- */
typedef struct {
  double time;             /* of the newest frame: behind `newest` after rewinding [s]               */
  double earliest, newest; /* what can be rewound to [s]                                             */
  gboolean is_paused;
  guint64 n_steps;     /* since the start, also those taken back                                 */
  double step_seconds; /* one step takes that long on the clock, smoothed [s]                   */
  double cpu_seconds;  /* of all steps [s]                                                      */
  guint64 n_frames;    /* taken to be drawn                                                     */
  double frame_rate;   /* of those in the last second or so [1/s]; 0 before                     */
  double slipped;      /* wall time that was not simulated because steps took too long [s]       */
  gboolean has_failed; /* then `message` says why                                                */
  char message[512];
} SsappSandboxState;
/* A copy of what the thread has published last; `message` is "" unless has_failed. */
void ssapp_sandbox_get_state (SsappSandbox *self, SsappSandboxState *state);

/* Copies the newest frame into row[n_channels] unless its number is `seen`; returns its number (from 1). And the
 * contacts that act in it, of SsContactRow, in the place of what is in `contacts` (may be NULL), of a scene with so
 * many that rows have no channels of theirs: none after a rewind, since these rows alone are kept. */
guint64 ssapp_sandbox_take_frame_with (SsappSandbox *self, guint64 seen, double *row, GArray *contacts);

/* ---- commands: return at once; ssapp_sandbox_sync waits until those given so far are done ---- */
void ssapp_sandbox_set_paused (SsappSandbox *self, gboolean paused);
void ssapp_sandbox_step (SsappSandbox *self, int n_steps);        /* pauses, then that many steps                  */
void ssapp_sandbox_set_speed (SsappSandbox *self, double factor); /* 1 = real time; 0.25                            */
void ssapp_sandbox_rewind (SsappSandbox *self,
                           double time); /* pauses at the last state not after `time`; forward too, until it goes on */
void ssapp_sandbox_sync (SsappSandbox *self);

/* FALSE when nothing can be dragged there: no such body, or one that does not move. */
gboolean ssapp_sandbox_drag_begin (SsappSandbox *self, const char *body, SsVec2 point);
void ssapp_sandbox_drag_to (SsappSandbox *self, SsVec2 point);
void ssapp_sandbox_drag_end (SsappSandbox *self);
/* Which body what is no actuator has pulled, and when: a plan cannot do what the motion did from there on. A sentence
 * without a full stop, g_free; NULL: none was. */
char *ssapp_sandbox_describe_pulled (SsappSandbox *self);
gboolean ssapp_sandbox_get_spring (SsappSandbox *self, SsVec2 *on_body, SsVec2 *pointer); /* of the newest frame */

/* FALSE, and it goes on as before, when the change is refused by the reader or makes other bodies or contacts. */
gboolean ssapp_sandbox_set_parameter (SsappSandbox *self, const char *name, double value, GError **error);
gboolean ssapp_sandbox_set_text (SsappSandbox *self, const char *scenario_text, GError **error);

/* The scene's task in a loop: plans take the place of the actuators' formulas, made again beside the steps
 * (ssapp-replanner.h); options NULL: no more. The scene waits for the first plan, and goes on without
 * one where none is found. Another reading of the scenario moves
 * the goals; the plans believe the scene as it was when the loop began, also where friction or masses change. FALSE and
 * `error`: the task cannot be planned so. */
gboolean ssapp_sandbox_set_replan (SsappSandbox *self, const SsReplanOptions *options, GError **error);
/* NULL: none. Borrowed until it is set again. */
SsappReplanner *ssapp_sandbox_get_replanner (SsappSandbox *self);

/* A plan holds the scene by an LQR (ssapp-held-plan.h) in the place of the actuators' formulas and of plans that are
 * made again, from now on: what is dragged away comes back. plan NULL: no more. The plan is read now. FALSE and
 * `error`: it cannot be held. */
gboolean ssapp_sandbox_hold_plan (SsappSandbox *self, const SsTrajectory *plan, GError **error);
gboolean ssapp_sandbox_is_held (SsappSandbox *self); /* by a plan */

/* Bounds on the rows that are kept, see above. */
void ssapp_sandbox_set_memory (SsappSandbox *self, gsize packed_bytes, gsize row_bytes);

/* ---- beside plots ---- */
#define SSAPP_SANDBOX_RECENT 10.0 /* s */
/* All of its channels; no rows. */
const SsTrajectory *ssapp_sandbox_get_layout (SsappSandbox *self); /* borrowed */
/* Rows of what these plots show, and their clocks, within `range`: the last seconds, or those around the shown time
 * after going back beyond them. Of less time where they are more than SSAPP_SANDBOX_RECENT_ROWS. The caller frees;
 * NULL: no memory. It costs what the channels of these plots cost, not what all do. */
enum { SSAPP_SANDBOX_RECENT_ROWS = 6000 };
SsTrajectory *ssapp_sandbox_dup_recent (SsappSandbox *self, const SsappChannelPlots *plots, double range[2]);
/* Replaces the plots by the usual ones (ssapp_channel_plots_suggest) where none of them is of the scene. */
void ssapp_sandbox_suggest_plots (SsappSandbox *self, SsappChannelPlots *plots);

/* ---- as a run ---- */
/* All rows up to the shown one; the caller frees. */
SsTrajectory *ssapp_sandbox_dup_trajectory (SsappSandbox *self);
/* Stores them as a run that has ended, with the scenario of the start, the note "sandbox" and every hand on it in the
 * log. Returns its id (g_free). */
char *ssapp_sandbox_keep (SsappSandbox *self, SsappStore *store, GError **error);

G_END_DECLS
