/* ui/ssui-run.h: a run as the window shows it: not started yet, running as a job, or read from the project. It reads and holds; it
 * computes nothing. */
#pragma once

#include "app/ssapp-export.h"
#include "app/ssapp-store.h"

G_BEGIN_DECLS

#define SSUI_TYPE_RUN (ssui_run_get_type ())
G_DECLARE_FINAL_TYPE (SsuiRun, ssui_run, SSUI, RUN, GObject)

/* Signal "changed" (): iterations, motion, state or result changed; may come many times a frame, listeners redraw once. */

SsuiRun *ssui_run_new (const char *scenario_text, const char *method, GError **error); /* ready, not started */
SsuiRun *ssui_run_new_stored (SsappStore *store, const char *id, GError **error);
void ssui_run_set_job (SsuiRun *self, SsappJob *job);
void ssui_run_take_trajectory (SsuiRun *self,
                               SsTrajectory *trajectory); /* a motion from elsewhere, such as the gallery; taken */

const char *ssui_run_get_id (SsuiRun *self); /* NULL before it is started                             */
const char *ssui_run_get_method (SsuiRun *self);
const char *ssui_run_get_method_label (SsuiRun *self); /* "CRISP"                                               */
const char *ssui_run_get_label (SsuiRun *self);        /* method, with the start time for a stored run          */
void ssui_run_set_label (SsuiRun *self, const char *label);
const char *ssui_run_get_scenario_text (SsuiRun *self);
const SsScenario *ssui_run_get_scenario (SsuiRun *self);
SsappJob *ssui_run_get_job (SsuiRun *self); /* NULL if ready or stored                               */
gboolean ssui_run_is_running (SsuiRun *self);
gboolean ssui_run_is_simulation (SsuiRun *self);
const char *ssui_run_get_outcome (SsuiRun *self); /* "running", "cancelling", an outcome; NULL = ready     */
const char *ssui_run_get_message (SsuiRun *self); /* "" if none                                            */
/* Number of the result's metrics ("objective", "max_violation", ...); a position such as "tracking_error.position"; NaN if absent. */
double ssui_run_get_metric (SsuiRun *self, const char *name);
double ssui_run_get_elapsed (SsuiRun *self);
GArray *ssui_run_get_iterations (SsuiRun *self); /* of SsappIteration; borrowed; may be NULL               */
char *ssui_run_dup_log (SsuiRun *self);
/* Newest motion; before any, the initial state. Borrowed until the next main loop turn; NULL only if there is nothing to draw. */
const SsTrajectory *ssui_run_get_trajectory (SsuiRun *self);
gboolean ssui_run_has_motion (SsuiRun *self); /* more than the initial state                            */
SsView *ssui_run_get_view (SsuiRun *self);    /* compiled for that trajectory; NULL if it has no picture */
double ssui_run_get_duration (SsuiRun *self);
guint ssui_run_get_version (SsuiRun *self); /* grows with every change of the motion                  */

/* Fills one entry of an exported figure; borrowed as above. */
void ssui_run_fill_figure (SsuiRun *self, SsappFigureRun *out);

const char *ssui_method_label (const char *method);

G_END_DECLS
