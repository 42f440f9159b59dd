/* ui/ssui-session.h: what one window works on: the document, the project, the runs on show, the chosen methods and their options.
 * No widgets: the pages listen to it, the window's actions change it. */
#pragma once

#include "app/ssapp-document.h"
#include "ui/ssui-run.h"

G_BEGIN_DECLS

#define SSUI_TYPE_SESSION (ssui_session_get_type ())
G_DECLARE_FINAL_TYPE (SsuiSession, ssui_session, SSUI, SESSION, GObject)

/* Signals:
 *   "runs-changed" ()     the list of runs on the Run page was replaced
 *   "run-changed" (run)   one of them got rows, motion, a state
 *   "run-ended" (run)
 *   "methods-changed" ()  chosen methods or options
 *   "store-changed" ()    another project, or runs were added, removed, ended in it
 *   "write-failed" (const char *message) */

SsuiSession *ssui_session_new (void);
SsappDocument *ssui_session_get_document (SsuiSession *self);

/* ---- project ---- */
SsappStore *ssui_session_get_store (SsuiSession *self); /* NULL if none is open                */
gboolean ssui_session_open_store (SsuiSession *self, const char *path, GError **error);
gboolean ssui_session_ensure_store (SsuiSession *self, GError **error); /* else an untitled one is made        */
gboolean ssui_session_save_store_as (SsuiSession *self, const char *path, GError **error);
void ssui_session_close_store (SsuiSession *self);
gboolean ssui_session_is_untitled (SsuiSession *self);
char *ssui_session_dup_project_name (SsuiSession *self); /* "pushing-study", "Untitled Project" */
char *ssui_projects_folder (void);                       /* where untitled projects live        */

/* ---- methods ---- */
GPtrArray *ssui_session_list_methods (SsuiSession *self); /* of const SsMethod: those that fit the document */
gboolean ssui_session_is_chosen (SsuiSession *self, const char *method);
void ssui_session_choose (SsuiSession *self, const char *method, gboolean chosen);
gboolean ssui_session_set_methods (SsuiSession *self, const char *names, GError **error); /* "crisp,ipopt" */
char *ssui_session_get_option (SsuiSession *self, const SsMethod *method, int spec);      /* as text      */
gboolean ssui_session_is_option_default (SsuiSession *self, const SsMethod *method, int spec);
gboolean ssui_session_set_option (SsuiSession *self, const char *method, const char *name, const char *value,
                                  GError **error);
void ssui_session_set_time_limit (SsuiSession *self, double seconds); /* infinite = none */
double ssui_session_get_time_limit (SsuiSession *self);

/* ---- runs ---- */
GPtrArray *ssui_session_get_runs (SsuiSession *self);            /* of SsuiRun; borrowed */
gboolean ssui_session_start (SsuiSession *self, GError **error); /* all chosen methods on the document, at once */
void ssui_session_cancel (SsuiSession *self, const char *id);    /* NULL = all           */
gboolean ssui_session_is_running (SsuiSession *self);
void ssui_session_show_runs (SsuiSession *self, GPtrArray *runs); /* stored ones          */
gboolean ssui_session_runs_are_current (SsuiSession *self);       /* made from the document as it is now */

G_END_DECLS
