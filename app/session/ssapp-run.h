/* app/session/ssapp-run.h: a run as the window shows it: not started yet, running as a job, or read from the project.
 * It reads and holds; it computes nothing. */
#pragma once

#include "app/draw/ssapp-channels.h"
#include "app/draw/ssapp-fan-draw.h"
#include "app/export/ssapp-export.h"
#include "app/job/ssapp-fan.h"
#include "app/job/ssapp-race.h"
#include "app/job/ssapp-tries.h"
#include "app/job/ssapp-reasons.h"
#include "app/session/ssapp-parting.h"
#include "app/store/ssapp-store.h"

G_BEGIN_DECLS

#define SSAPP_TYPE_RUN (ssapp_run_get_type ())
G_DECLARE_FINAL_TYPE (SsappRun, ssapp_run, SSAPP, RUN, GObject)

/* Signal "changed" (): iterations, motion, state or result changed; may come many times a frame, listeners redraw
 * once. */

SsappRun *ssapp_run_new (const char *scenario_text, const SsMethod *method, GError **error); /* ready, not started */
/* The same, of another run's scenario, with its parameters, by its method. */
SsappRun *ssapp_run_new_again (SsappRun *of, GError **error);
/* A run of the project by its id, with all that was kept of it. NULL with an error when it is not there or cannot be
 * read. */
SsappRun *ssapp_run_new_stored (SsappStore *store, const char *id, GError **error);
/* A replay, ready, of the stored or ended run `plan`, which must have a motion: same scenario and parameters. NULL with
 * an error where it cannot be replayed. */
SsappRun *ssapp_run_new_replay (SsappRun *plan, const SsMethod *integrator, GError **error);
SsappJob *ssapp_run_make_job (SsappRun *self); /* of a ready run, with its parameters and plan; the caller's */
void ssapp_run_set_job (SsappRun *self, SsappJob *job);
/* What comes from elsewhere than a job of its own, such as the gallery: a motion (taken; NULL: none) and a result (a
 * reference is kept; NULL: the motion is what there is so far). */
void ssapp_run_take_answer (SsappRun *self, SsTrajectory *motion, json_t *result);

const char *ssapp_run_get_id (SsappRun *self);           /* NULL before it is started                             */
SsMethodId ssapp_run_get_method (SsappRun *self);        /* name borrowed; may be none of this version          */
SsMethodKind ssapp_run_get_kind (SsappRun *self);        /* of the method                                       */
const char *ssapp_run_get_method_label (SsappRun *self); /* "CRISP"                                               */
const char *ssapp_run_get_name (SsappRun *self);         /* that, and what led to a plan of several starts        */
const char *ssapp_run_get_label (SsappRun *self);        /* what the run was called, else its name                */
/* It is a run of one more of its method (SsMethodId.copy), such as one with other options beside it. */
void ssapp_run_set_copy (SsappRun *self, int copy);
/* Replaces the label; the text is copied. */
void ssapp_run_set_label (SsappRun *self, const char *label);
/* Text and reading of the scenario with the run's parameters; borrowed, the reading NULL when the text is no longer
 * valid. */
const char *ssapp_run_get_scenario_text (SsappRun *self);
const SsScenario *ssapp_run_get_scenario (SsappRun *self);
SsappJob *ssapp_run_get_job (SsappRun *self); /* NULL if ready or stored                               */
/* Whether its job has been started and has not ended. */
gboolean ssapp_run_is_running (SsappRun *self);
const char *ssapp_run_get_outcome (SsappRun *self); /* "running", "cancelling", an outcome; NULL = ready     */
const char *ssapp_run_get_message (SsappRun *self); /* "" if none                                            */
/* Why it is no success; empty of others. Borrowed until the result changes. */
const SsReasons *ssapp_run_get_reasons (SsappRun *self);
/* What the run says of itself, else what is known without a result: its method's name and the options that were asked
 * for, in the same places. Borrowed until the run changes. */
const json_t *ssapp_run_get_result (SsappRun *self);
/* Of the result, or, while it runs, of the newest iteration; NaN if absent. */
double ssapp_run_get_metric (SsappRun *self, SsMetric metric);
/* Its answer, or while a race goes on the best one so far. */
SsappAnswer ssapp_run_get_answer (SsappRun *self);
double ssapp_run_get_elapsed (SsappRun *self);
GArray *ssapp_run_get_iterations (SsappRun *self); /* of SsappIteration; borrowed; may be NULL               */
/* Run whose controls this one replays; NULL when it is no replay. */
const char *ssapp_run_get_replay_of (SsappRun *self);
/* The plan's motion and a view for it, to be drawn behind the replay's; NULL when there is none. Borrowed. */
const SsTrajectory *ssapp_run_get_plan (SsappRun *self);
SsView *ssapp_run_get_plan_view (SsappRun *self);
/* Where a replay parts from its plan, of the result; is_known FALSE of others. Borrowed until the result changes. */
const SsappParting *ssapp_run_get_parting (SsappRun *self);
/* What a replay is asked for beside its plan, as in SsappReplayAsk (friction 0: the plan's own); before
 * ssapp_run_make_job, taken into its job. */
void ssapp_run_ask (SsappRun *self, SsControllerKind controller, double friction, int n_worlds);
GArray *ssapp_run_get_events (SsappRun *self); /* of SsappRunEvent; borrowed; empty before the result        */
/* The members of a race, of another answer of one too; NULL: it was none. Borrowed until the run changes. */
const SsappRace *ssapp_run_get_race (SsappRun *self);
/* Whose curve a trace of its iterations is (SsappIteration): a member of its race, the answer, the lower bound; else
 * the run's label. Borrowed until the run changes. */
const char *ssapp_run_get_trace_label (SsappRun *self, int trace);
/* What came of all attempts at its plan, in a sentence without a full stop; NULL: there were none. Borrowed. */
const char *ssapp_run_get_tries_account (SsappRun *self);
char *ssapp_run_dup_log (SsappRun *self);
const char *ssapp_run_get_warnings (SsappRun *self); /* a line each; "" if none */
/* Of a run without rows of stages: why it has none. Static text. */
const char *ssapp_run_get_why_no_stages (SsappRun *self);
/* The run's second clock; UNKNOWN where it has none, or before there is a motion. */
SsQuantity ssapp_run_get_second_clock (SsappRun *self);
/* Motion, events and duration below are told by it from now on, or by the time again; of a run without a second clock
 * always by the time. */
void ssapp_run_set_by_second_clock (SsappRun *self, gboolean by_second);
gboolean ssapp_run_is_by_second_clock (SsappRun *self);
/* What the clock reads that is not shown: "τ 0.9031 s", "t 0.4515 s, stands"; of a jump before or after it. NULL: the
 * run has one clock; g_free. */
char *ssapp_run_describe_other_clock (SsappRun *self, double reading, gboolean is_before);
/* Another number when one of the runs has other rows or is told by another clock. */
guint ssapp_runs_get_version (GPtrArray *runs);
/* Physical time of a reading of the clock that the run is told by, and the other way [s]. */
double ssapp_run_to_time (SsappRun *self, double reading);
double ssapp_run_from_time (SsappRun *self, double time);
/* Newest motion as it is to be shown, told by the chosen clock; before any, the initial state. Borrowed until the next
 * main loop turn; NULL only if there is nothing to draw. */
const SsTrajectory *ssapp_run_get_trajectory (SsappRun *self);
/* Iterations whose iterates were kept, ascending, of int; borrowed, empty: none, or it has not ended. */
GArray *ssapp_run_get_iterates (SsappRun *self);
void ssapp_run_read_iterates (SsappRun *self, SsappStore *store);
/* The last of them up to an iteration; -1 where that is beyond the last one (the answer is then what there is), or none
 * was kept. */
int ssapp_run_iterate_up_to (SsappRun *self, int iteration);
/* From now on the run's motion is this iterate, which is taken; NULL and -1: the answer again. */
void ssapp_run_show_iterate (SsappRun *self, int iteration, SsTrajectory *motion);
int ssapp_run_get_shown_iterate (SsappRun *self); /* -1: the answer */
/* The same, always told by the time: data, not a picture. */
const SsTrajectory *ssapp_run_get_motion (SsappRun *self);
gboolean ssapp_run_has_motion (SsappRun *self); /* more than the initial state                            */
/* What became of the bodies of a run with branches; NULL: it has none. Borrowed. */
const SsappFan *ssapp_run_get_fan (SsappRun *self);
/* Its branches but for the one that the trajectory above is, told by the same clock; *largest: the largest share.
 * Borrowed until the next main loop turn; NULL and 0: none. */
const SsappFanMotion *ssapp_run_get_branches (SsappRun *self, int *n, double *largest);
/* All motions of a run with branches, the answer first, by the time; of SsappBranchMotion, empty: it has none. They are
 * borrowed as above; g_array_unref. */
GArray *ssapp_run_list_motions (SsappRun *self);
/* Derivatives of the motion by numbers of its scene (ssapp-band.h), told by the time: those taken, else its own;
 * borrowed, NULL: none. */
const SsTrajectory *ssapp_run_get_slopes (SsappRun *self);
/* Its ends in worlds that it was not made for, a row a world (plan/ss-plan-worlds.h); NULL: it was not tried there. */
const SsTrajectory *ssapp_run_get_worlds (SsappRun *self);
void ssapp_run_take_slopes (SsappRun *self, SsTrajectory *slopes); /* of the same motion made once more; taken */
/* Bands by that number (borrowed, NULL: none) around the channels of the trajectory above; .of NULL: there are none. */
SsappBand ssapp_run_get_band (SsappRun *self, const char *number);
SsView *ssapp_run_get_view (SsappRun *self); /* compiled for that trajectory; NULL if it has no picture */
double ssapp_run_get_duration (SsappRun *self);
guint ssapp_run_get_version (SsappRun *self); /* grows with every change of the motion                  */

/* Fills one entry of an exported figure; borrowed as above. */
void ssapp_run_fill_figure (SsappRun *self, SsappFigureRun *out);

const char *ssapp_method_label (SsMethodId method); /* "CRISP"; of an unknown one the name */
/* Name of a stored run: "Scholtes", and of several starts "Scholtes, one touch less"; g_free. */
char *ssapp_run_row_dup_name (const SsappRunRow *row);

G_END_DECLS
