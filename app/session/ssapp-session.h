/* app/session/ssapp-session.h: what one window works on: the document, the project, the runs on show, the chosen
 * methods and their options. No widgets: the pages listen to it, the window's actions change it.
 * Threads: main thread only. Tests: tests/unit/test-session.c */
#pragma once

#include "app/sandbox/ssapp-replanner.h"
#include "app/document/ssapp-document.h"
#include "app/impact/ssapp-impact-view.h"
#include "app/session/ssapp-live-motion.h"
#include "app/session/ssapp-run.h"
#include "app/session/ssapp-sketches.h"

G_BEGIN_DECLS

#define SSAPP_TYPE_SESSION (ssapp_session_get_type ())
G_DECLARE_FINAL_TYPE (SsappSession, ssapp_session, SSAPP, SESSION, GObject)

/* Signals:
 *   "runs-changed" ()     the list of runs on the Run page was replaced
 *   "run-changed" (run)   one of them got rows, motion, a state
 *   "run-ended" (run)
 *   "methods-changed" ()  chosen methods or options
 *   "store-changed" ()    another project, or runs were added, removed, ended in it
 *   "write-failed" (const char *message)
 *   "store-lost" (const char *message)  what was stored is in no file any more: to be saved elsewhere; also told
 *                         when something was refused for that */

/* With an empty sketch as its document (borrowed, the same as long as the session lives) and no project. */
SsappSession *ssapp_session_new (void);
SsappDocument *ssapp_session_get_document (SsappSession *self);

/* ---- project ---- */
SsappStore *ssapp_session_get_store (SsappSession *self); /* NULL if none is open                */
gboolean ssapp_session_open_store (SsappSession *self, const char *path, GError **error);
gboolean ssapp_session_ensure_store (SsappSession *self, GError **error); /* else an untitled one is made        */
/* From now on an edited document is kept a second later, in an untitled project where none is open. "write-failed"
 * tells once where that cannot be made. */
void ssapp_session_keep_always (SsappSession *self);
/* Keeps the edits of the document now. FALSE: they are in no project; the error says why. */
gboolean ssapp_session_keep_sketch (SsappSession *self, GError **error);
/* See ssapp_store_save_as; also while runs go on, and for a project whose file is gone. An untitled one leaves its old
 * place unless somebody else has it open. */
gboolean ssapp_session_save_store_as (SsappSession *self, const char *path, GError **error);
/* See ssapp_store_check_kept; TRUE without a project. */
gboolean ssapp_session_check_kept (SsappSession *self, GError **error);
void ssapp_session_close_store (SsappSession *self);
gboolean ssapp_session_is_untitled (SsappSession *self);
char *ssapp_session_dup_project_name (SsappSession *self); /* "pushing-study", "Untitled Project" */
char *ssapp_projects_folder (void);                        /* where untitled projects live        */

/* ---- sketches of the project ---- */
SsappSketches *ssapp_session_get_sketches (SsappSession *self); /* borrowed, as long as the session lives */
/* How the document is looked at, kept with its sketch: see ssapp_sketches_get_view. Its signal "view-changed" tells
 * when another sketch came. */
char *ssapp_session_get_view (SsappSession *self, const char *key);
gboolean ssapp_session_set_view (SsappSession *self, const char *key, const char *json);

/* ---- methods: chosen for the scenario at hand; another one begins with its usual ones ---- */
GPtrArray *ssapp_session_list_methods (SsappSession *self); /* of const SsMethod: those that fit the document */
/* The method of that name that fits the document; an error lists what there is. */
const SsMethod *ssapp_session_find_method (SsappSession *self, const char *name, GError **error);
/* Chooses one more of the method (or of a copy), with the options that it has now: a method of its own for all that
 * follows, called "CRISP 2", by name "crisp#2". It goes when it is no longer chosen. Borrowed as long as the session
 * lives; NULL: there are as many as may run at once. */
const SsMethod *ssapp_session_add_entrant (SsappSession *self, const SsMethod *method, GError **error);
/* A run of the document by a method or copy, ready, under its name; the caller's. NULL with an error. */
SsappRun *ssapp_session_new_run (SsappSession *self, const SsMethod *method, GError **error);
/* With its look, where it is a copy; 1, or from 2 of a copy. */
SsMethodId ssapp_session_get_method_id (SsappSession *self, const SsMethod *method);
guint ssapp_session_get_entrant_number (SsappSession *self, const SsMethod *method);
gboolean ssapp_session_is_chosen (SsappSession *self, const SsMethod *method);
void ssapp_session_choose (SsappSession *self, const SsMethod *method, gboolean chosen);
/* "crisp,ipopt"; "crisp,crisp" are two of one method. */
gboolean ssapp_session_set_methods (SsappSession *self, const char *names, GError **error);
/* Options of a method for the document: its own, then, of optimisers, those of plans of scenes. `spec` is an index into
 * them. */
int ssapp_session_n_options (SsappSession *self, const SsMethod *method);
const SsOptionSpec *ssapp_session_get_option_spec (SsappSession *self, const SsMethod *method, int spec);
char *ssapp_session_get_option (SsappSession *self, const SsMethod *method,
                                int spec); /* what a run would use, as text */
gboolean ssapp_session_is_option_default (SsappSession *self, const SsMethod *method, int spec);
gboolean ssapp_session_set_option (SsappSession *self, const SsMethod *method, const char *name, const char *value,
                                   GError **error);
void ssapp_session_set_time_limit (SsappSession *self, double seconds); /* infinite = none */
double ssapp_session_get_time_limit (SsappSession *self);
/* CPU time for a lower bound after a model's answer [s]; 0: none is looked for. */
void ssapp_session_set_bound (SsappSession *self, double seconds);
double ssapp_session_get_bound (SsappSession *self);

/* ---- runs ---- */
GPtrArray *ssapp_session_get_runs (SsappSession *self); /* of SsappRun; borrowed */
/* All chosen methods on the document, at once, up to SSAPP_SESSION_RACE_MAX; several are stored as one comparison. */
enum { SSAPP_SESSION_RACE_MAX = 8 };
gboolean ssapp_session_start (SsappSession *self, GError **error);
gboolean ssapp_session_start_simulation (SsappSession *self,
                                         GError **error); /* chosen integrators, else the standard one */
/* Starts a replay of a run's controls by an integrator and shows both. `id`: of a run on show or in the project. */
gboolean ssapp_session_replay (SsappSession *self, const char *id, const char *integrator, GError **error);
/* The same under feedback: `controller`, a name of ss_controllers, holds the motion on its plan, in a world whose
 * friction is `friction` times what the plan believes. By the integrator that belongs to the plan, else the usual one.
 */
gboolean ssapp_session_replay_held (SsappSession *self, const char *id, const char *controller, double friction,
                                    GError **error);
/* The same in the plan's own world, and in SSAPP_SESSION_WORLDS others that are drawn (plan/ss-plan-worlds.h). */
enum { SSAPP_SESSION_WORLDS = 100 };
gboolean ssapp_session_replay_worlds (SsappSession *self, const char *id, const char *controller, GError **error);
/* Solves the document again, by the chosen optimisers, from a run's motion; of a solved plan with CRISP's preset `warm`
 * unless another one was chosen. */
gboolean ssapp_session_start_from (SsappSession *self, const char *id, GError **error);
/* The same from an iterate that was kept. */
gboolean ssapp_session_start_from_iterate (SsappSession *self, const char *id, int iteration, GError **error);
/* Every optimiser among the runs (SsappRun) shows its last kept iterate up to this iteration; beyond the last one, or
 * -1, its answer. */
gboolean ssapp_session_show_iterates (SsappSession *self, GPtrArray *runs, int iteration, GError **error);
/* Plans from a motion that was played by hand: as above, by the optimiser that the command line takes where none is
 * chosen, and over the time that the motion took where that is more than the task's; *t_end is that time then, else
 * NaN. */
gboolean ssapp_session_improve (SsappSession *self, const char *id, double *t_end, GError **error);
/* The motion of a run on show or in the project, without its wait for the first move in *length [s]; the caller's;
 * NULL with an error. */
SsTrajectory *ssapp_session_dup_motion (SsappSession *self, const char *id, double *length, GError **error);
/* Starts a run of the chosen integrator (else the standard one) for each text, an outcome of an impact, and shows
 * them; each keeps the note, and several are stored as one comparison of that title. Up to SSAPP_SESSION_OUTCOMES_MAX
 * texts (of char *). */
enum { SSAPP_SESSION_OUTCOMES_MAX = 32 };
gboolean ssapp_session_start_outcomes (SsappSession *self, GPtrArray *texts, const char *note, GError **error);
/* Starts one run of event-driven with branches from the text, a state before an impact, and shows it: set-valued
 * impacts by these options (h, policy, rows, kind of draws, closing step, seed), SSAPP_SESSION_FAN_DRAWS of each. */
enum { SSAPP_SESSION_FAN_DRAWS = 16 };
gboolean ssapp_session_start_fan (SsappSession *self, const char *text, const SsImpactSetOptions *options,
                                  const char *note, GError **error);
/* Starts the simulation of a run once more, as it was asked for but with certainty=branches, and shows it: where a step
 * has a second solution the motion goes on with both. */
gboolean ssapp_session_start_branches (SsappSession *self, const char *id, GError **error);
void ssapp_session_cancel (SsappSession *self, const char *id); /* NULL = all           */
/* Holds all runs where they are, or lets them go on. A paused run costs no CPU time, and the time of its limits stands
 * still. Nothing while ssapp_session_go_on puts others in their place. */
void ssapp_session_pause (SsappSession *self, gboolean paused);
gboolean ssapp_session_is_paused (SsappSession *self);
/* Paused runs go on: as they are, where neither the document nor their options were changed; else each is stored as
 * paused, and a run of the same method, of the document as it is now, goes on from its iterate (job/ssapp-state.h).
 * "runs-changed" tells of these later, "go-on-failed" (const char *) why there are none. */
gboolean ssapp_session_go_on (SsappSession *self, GError **error);
/* Ends one member of a run that is a race; the others go on. */
void ssapp_session_stop_member (SsappSession *self, const char *id, const char *member);
gboolean ssapp_session_is_running (SsappSession *self);
void ssapp_session_show_runs (SsappSession *self, GPtrArray *runs); /* stored ones          */
gboolean ssapp_session_runs_are_current (SsappSession *self);       /* made from the document as it is now */

/* The motion of the plan on show, of the run or of what a replay follows, that may hold the live scene; NULL: there is
 * none. Borrowed until the next main loop turn. */
const SsTrajectory *ssapp_session_get_plan (SsappSession *self);

/* ---- live motion ---- */
/* Of the document by the first integrator that a simulation would take, with the same options, and so the same bits;
 * made when it is first asked for, as long as the session lives. Borrowed. */
SsappLiveMotion *ssapp_session_get_live (SsappSession *self);
/* It follows the document from now on, beginning with what that is now; FALSE: it rests, with what it has. */
void ssapp_session_set_live (SsappSession *self, gboolean is_live);

/* ---- impacts ---- */
/* The set that the Impact page explores; made when it is first asked for, as long as the session lives. Borrowed. */
SsappImpactSet *ssapp_session_get_impact (SsappSession *self);

/* ---- studies ---- */
/* Of ssapp-study-session.h. */
typedef struct _SsappStudySession SsappStudySession;
/* Of the project; made when first asked for, as long as the session lives. Borrowed. */
SsappStudySession *ssapp_session_get_study (SsappSession *self);

/* ---- for scripts ---- */
typedef struct {
  const char *page;      /* what the window shows */
  double time, duration; /* of the player [s]     */
  gboolean is_playing;
  const char *sandbox;  /* integrator of the live scene; NULL: none is */
  guint64 frames;       /* of it, drawn so far                         */
  double frame_rate;    /* [1/s]                                       */
  gboolean is_held;     /* a plan holds it by an LQR                   */
  gboolean is_planning; /* its task is planned again and again        */
  SsappReplanState planning;
  struct {
    guint64 n;          /* frames of the newest, or the present, time in which samples came every frame */
    double rate;        /* [1/s]; 0: of fewer than two frames */
    double longest;     /* [s]   */
  } impact_frames;      /* of the Impact page */
  int n_pages;          /* that were made, since they are or were needed */
  int n_exports;        /* files written since the window came */
  const char *told;     /* the last message that was shown for some seconds; NULL: none */
  const char *tutorial; /* its name; NULL: none is under way   */
  int tutorial_step;    /* from 0; as many as it has: done     */
} SsappSessionPlace;
/* All that a script or a test wants to know, as JSON on one line: page, scenario, file, dirty, bodies (-1:
 * equations), selected, undo, redo, project, duration, time, playing, sandbox (method, frames, frame_rate, replan
 * (plans, missed, kept, stuck, looking, median, miss; null: not); null: none), runs (id, events, method, outcome,
 * iterations, running, motion, members of a race), sketch (id of the project's; null: none of them), impact (null:
 * none was asked for), study (of the project, see ssapp_study_session_dup_status; null: none is on show), live
 * (whole, before, message; null: no motion follows the sketch now), exports (files written), told (the last message
 * that went by itself; null: none), tutorial (name, step; null: none). Caller frees. */
char *ssapp_session_dup_status (SsappSession *self, const SsappSessionPlace *place);

G_END_DECLS
