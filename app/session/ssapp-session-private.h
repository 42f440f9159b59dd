/* app/session/ssapp-session-private.h: the session's fields, shared by its files: session (the object, its project,
 * methods), above it runs (that it makes) and its studies, above these project (opened and closed, the status). Not for
 * others. */
#pragma once

#include "app/session/ssapp-entrants.h"
#include "app/session/ssapp-session.h"

G_BEGIN_DECLS

/* Kinds of documents, which have other methods. */
typedef enum {
  SSAPP_DOCUMENT_KIND_MODEL,
  SSAPP_DOCUMENT_KIND_SCENE,
  SSAPP_DOCUMENT_KIND_PLANNED_SCENE
} SsappDocumentKind;

struct _SsappSession {
  GObject parent_instance;
  SsappDocument *document;
  SsappSketches *sketches;
  SsappStore *store;        /* nullable */
  SsappImpactSet *impact;   /* nullable */
  SsappStudySession *study; /* nullable */
  SsappLiveMotion *live;    /* nullable */
  gboolean is_live;         /* the live motion follows the document */
  guint keep_timer;         /* until the first edit is kept */
  gboolean has_told_keep;   /* that no project can be made for it */
  GPtrArray *runs;          /* of SsappRun */
  SsappEntrants *entrants;
  GHashTable *chosen;  /* set of const SsMethod */
  GHashTable *options; /* "kind method option" -> text, only what the user set */
  double time_limit, bound;
  GPtrArray *leaving;     /* of SsappRun: paused ones that end where they are, to go on as changed; NULL: none */
  SsappDocumentKind kind; /* kind of the document the choice was made for */
};

/* Another project, taken, in the place of the one that is there, which is closed; NULL: none. Studies have left it. */
void ssapp_session_take_store (SsappSession *self, SsappStore *store);
/* FALSE with an error: runs go on; the project has no file any more. */
gboolean ssapp_session_refuse_while_running (SsappSession *self, GError **error);
gboolean ssapp_session_refuse_while_lost (SsappSession *self, GError **error);
/* The text of the user for an option, else the scenario's default for the method, borrowed; else NULL. */
const char *ssapp_session_option_text (SsappSession *self, const SsMethod *method, const char *name);
/* The struct of a method's own options, as its runs would have them; g_free. */
void *ssapp_session_new_options (SsappSession *self, const SsMethod *method);
/* A run's job of the document by a method with its options, waiting; the caller's. */
SsappJob *ssapp_session_new_job (SsappSession *self, const SsMethod *method);
/* The integrators that a simulation takes: those chosen, else the document's own. g_ptr_array_unref. */
GPtrArray *ssapp_session_list_simulators (SsappSession *self);
/* Emit "run-changed", "run-ended", "runs-changed". */
void ssapp_session_tell_run_changed (SsappSession *self, SsappRun *run);
void ssapp_session_tell_run_ended (SsappSession *self, SsappRun *run);
void ssapp_session_tell_runs_changed (SsappSession *self);

G_END_DECLS
