/* app/sandbox/ssapp-sandbox-private.h: a sandbox, shared by its files. Not for others. */
#pragma once

#include "app/sandbox/ssapp-drag.h"
#include "app/sandbox/ssapp-packed-row.h"
#include "app/sandbox/ssapp-sandbox.h"
#include "dynamics/ss-hand.h"
#include "simulate/ss-simulate.h"

G_BEGIN_DECLS

#define SSAPP_SANDBOX_US 1e6 /* in a second */

/* What the stepping thread works on. */
typedef struct {
  SsScenario *scenario;
  SsSimulation *simulation;
  SsHand *hand;        /* NULL: no actuators */
  double t0;           /* the one time of the controls: 0 */
  double *u;           /* n_actuators */
  SsControls controls; /* u for ever */
  gboolean has_drag;   /* the controls know of the drag */
  gboolean is_driven;  /* and do what it wants */
} SsappSandboxLive;

typedef struct {
  double t;
  char *text;
} SsappSandboxHand; /* something that the scenario does not say */

struct _SsappSandbox {
  GObject parent_instance;
  /* constant, or of the owner's thread only */
  const SsMethod *method;
  const char *reason; /* why that one; NULL when it was asked for */
  void *options;      /* owned */
  GPtrArray *option_names, *option_values;
  char *first_text, *text;
  GHashTable *overrides;      /* name -> double* */
  SsScenario *scenario;       /* the owner's own reading */
  SsTrajectory *layout;       /* owned; no rows: what the channels are */
  SsTrajectory *stage_layout; /* owned; the same of stages; NULL: the integrator gives none */
  int stage_row;              /* its channel that counts rows */
  int n_channels, n_bodies;
  double h;
  GThread *thread;
  /* of the stepping thread while it lives */
  SsappSandboxLive *live;
  double *row, *last;
  int *u_channels; /* of the actuators */
  gint64 due;      /* of the next step [us], 0: begin now */
  /* shared */
  GMutex mutex;
  GCond wake, handled;
  gboolean quit, is_paused, has_failed;
  int steps_wanted;
  double speed, seek_wanted; /* NaN: none */
  guint64 n_requests, n_handled;
  SsappSandboxLive *live_wanted;
  SsappHeldPlan *held;       /* owned; NULL: none; as the replanner */
  SsappReplanner *replanner; /* owned; NULL: none. Of the owner's thread, which alone changes it, and shared */
  SsappDrag drag;
  double *frame;
  GArray *contacts; /* of SsContactRow: those that act in the frame and have no channels */
  guint64 frame_number, n_steps, n_taken;
  gint64 rate_since; /* [us]; 0 before the first frame */
  guint64 rate_from; /* n_taken then */
  double frame_rate;
  double step_seconds, cpu_seconds, slipped;
  char message[512];
  GPtrArray *rows; /* of SsappPackedRow; the first `dropped` are NULL */
  guint dropped, shown;
  gsize packed_bytes, full_bytes, packed_max, row_bytes_max;
  GArray *hands; /* of SsappSandboxHand */
  /* the first body that was pulled by what is no actuator, and when [s]; -1: none */
  int pulled;
  double pulled_at;
};

/* With these parameters; NULL with all problems in one message. ss_scenario_free. */
SsScenario *ssapp_sandbox_read_scenario (const char *text, GHashTable *overrides, GError **error);
/* Takes the packed row. */
void ssapp_sandbox_add_row (SsappSandbox *self, SsappPackedRow *packed);
/* contacts: of the step that ends at this row, those of whose rows number `last` act; NULL: none are known. */
void ssapp_sandbox_publish (SsappSandbox *self, const double *row, const SsContactRows *contacts, int last);
/* Of those that are kept, from 0; borrowed; under the mutex. */
const SsappPackedRow *ssapp_sandbox_row_at (SsappSandbox *self, guint index);
/* Last row not after `time`, so after a jump at that time; the oldest if all are later; under the mutex. */
guint ssapp_sandbox_find_row (SsappSandbox *self, double time);
/* Steps until `quit`; takes SsappSandbox *, returns NULL. */
gpointer ssapp_sandbox_thread (gpointer data);
/* With all that it owns; NULL is allowed. */
void ssapp_sandbox_live_free (SsappSandboxLive *live);

G_END_DECLS
