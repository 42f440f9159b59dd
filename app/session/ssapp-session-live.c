/* app/session/ssapp-session-live.c: the live motion of a session's document: asked for when the document, the chosen
 * integrator or its options change. */
#include "app/session/ssapp-session-private.h"

#include "app/job/ssapp-own.h"

/* Bodies that a motion can move. */
static gboolean
has_free_body (const SsScene *scene)
{
  for (int b = 0; b < scene->n_bodies; b++)
    if (!ss_body_is_immovable (&scene->bodies[b]))
      return TRUE;
  return FALSE;
}

/* A method of the user's own is a program: it is started when a run is asked for, not at each change. */
static void
ask (SsappSession *self)
{
  const SsScene *scene = ssapp_document_get_scenario (self->document)->scene;

  if (!self->is_live)
    return;
  if (scene == NULL || !has_free_body (scene)) {
    ssapp_live_motion_clear (self->live);
    return;
  }
  g_autoptr (GPtrArray) methods = ssapp_session_list_simulators (self);
  const SsMethod *method = g_ptr_array_index (methods, 0);
  g_autoptr (SsappRun) run = ssapp_session_new_run (self, method, NULL);
  if (run == NULL || ssapp_own_find (method) != NULL) {
    ssapp_live_motion_clear (self->live);
    return;
  }
  g_autoptr (SsappJob) job = ssapp_session_new_job (self, method);
  ssapp_job_set_cpu_limit (job, SSAPP_LIVE_CPU_SECONDS);
  ssapp_live_motion_ask (self->live, job, run, ssapp_document_get_step (self->document));
}

static void
on_loaded (SsappSession *self)
{
  ssapp_live_motion_clear (self->live);
}

SsappLiveMotion *
ssapp_session_get_live (SsappSession *self)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), NULL);
  if (self->live != NULL)
    return self->live;
  self->live = ssapp_live_motion_new ();
  g_signal_connect_object (self->document, "loaded", G_CALLBACK (on_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->document, "changed", G_CALLBACK (ask), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self, "methods-changed", G_CALLBACK (ask), self, G_CONNECT_SWAPPED);
  return self->live;
}

void
ssapp_session_set_live (SsappSession *self, gboolean is_live)
{
  g_return_if_fail (SSAPP_IS_SESSION (self));
  (void)ssapp_session_get_live (self);
  self->is_live = is_live;
  ask (self);
}
