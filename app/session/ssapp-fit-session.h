/* app/session/ssapp-fit-session.h: a fit in a window: files, which columns they have, what is unknown; the fit in a
 * thread of its own, which is told about and can be cancelled; the result into the project and into the sketch.
 *
 * A fit is of the sketch as it is when it starts: edits while it goes on change neither it nor what is kept of it; the
 * values go into the sketch as that is then. Signals: "changed" (), of what is asked for; "step" (), the fit went on;
 * "ended" ().
 * Threads: main thread only. Tests: tests/unit/test-fit-session.c, tests/ui/test_fit.py */
#pragma once

#include "app/session/ssapp-fit-ask.h"
#include "app/session/ssapp-fit-unknowns.h"
#include "app/session/ssapp-session.h"

G_BEGIN_DECLS

#define SSAPP_TYPE_FIT_SESSION (ssapp_fit_session_get_type ())
G_DECLARE_FINAL_TYPE (SsappFitSession, ssapp_fit_session, SSAPP, FIT_SESSION, GObject)

/* Limit of CPU time of a fit unless another one is set [s]. */
#define SSAPP_FIT_CPU_LIMIT 60.

/* Of the document of the session, which is kept; nothing is asked for yet. */
SsappFitSession *ssapp_fit_session_new (SsappSession *session);

const char *ssapp_fit_session_get_title (SsappFitSession *self); /* of the sketch; borrowed until its next edit */

/* ---- what is asked for ---- */
/* One more trial; its columns are guessed by their names. FALSE with an error that names file and line; what there was
 * stays. */
gboolean ssapp_fit_session_add_file (SsappFitSession *self, const char *path, GError **error);
void ssapp_fit_session_remove_file (SsappFitSession *self, guint i);
GPtrArray *ssapp_fit_session_get_files (SsappFitSession *self);         /* of char *, paths; borrowed */
char *ssapp_fit_session_describe_file (SsappFitSession *self, guint i); /* "244 rows, 0 to 1.4 s"; g_free */
GArray *ssapp_fit_session_get_columns (SsappFitSession *self);          /* of SsappFitColumn; borrowed */
GPtrArray *ssapp_fit_session_dup_channels (SsappFitSession *self);      /* ssapp_fit_channels of the sketch */
gboolean ssapp_fit_session_map (SsappFitSession *self, const char *text, GError **error); /* ssapp_fit_columns_map */
GArray *ssapp_fit_session_get_unknowns (SsappFitSession *self); /* of SsappFitUnknown; borrowed */
/* What is free, as ssapp_fit_read_free takes it: ticks what it names without bounds, the rest are the others; "" is
 * nothing. FALSE with an error. */
gboolean ssapp_fit_session_set_free (SsappFitSession *self, const char *text, GError **error);
void ssapp_fit_session_tick (SsappFitSession *self, const char *name, gboolean is_free);
/* Those that are not ticked: "disc.restitution=0.5:0.9"; read when the fit starts. */
void ssapp_fit_session_set_others (SsappFitSession *self, const char *text);
const char *ssapp_fit_session_get_others (SsappFitSession *self);
char *ssapp_fit_session_dup_free (SsappFitSession *self); /* all of it; g_free */
/* By its name; NULL: the sketch's own, else exact events. */
void ssapp_fit_session_set_method (SsappFitSession *self, const char *name);
void ssapp_fit_session_set_loss (SsappFitSession *self, SsFitLoss loss);
void ssapp_fit_session_set_cpu_limit (SsappFitSession *self, double seconds);
/* "stickslip-cli fit ...": the same on the command line; g_free. */
char *ssapp_fit_session_dup_command (SsappFitSession *self);

/* ---- the fit ---- */
/* FALSE with an error that says what is missing or wrong; what was found before stays then. */
gboolean ssapp_fit_session_start (SsappFitSession *self, GError **error);
void ssapp_fit_session_cancel (SsappFitSession *self);
gboolean ssapp_fit_session_is_running (SsappFitSession *self);
/* Where it is, or how it ended, a sentence; g_free. */
char *ssapp_fit_session_describe (SsappFitSession *self);
/* FALSE: there is nothing to draw yet. Borrowed until the next main loop turn. */
gboolean ssapp_fit_session_get_picture (SsappFitSession *self, SsappFitPicture *picture);
const SsFitResult *ssapp_fit_session_get_result (SsappFitSession *self); /* NULL: none yet */

/* ---- what becomes of it ---- */
/* Each trial and its fitted motion into the project, which is made where there is none; their ids (char *) are
 * appended. FALSE with an error. */
gboolean ssapp_fit_session_keep (SsappFitSession *self, GPtrArray *ids, GError **error);
/* The values, with starts of trial 1, into the sketch as one edit. */
gboolean ssapp_fit_session_use (SsappFitSession *self, GError **error);

G_END_DECLS
