/* app/session/ssapp-session-project.c: the session with its studies: projects that are opened and closed, the status
 * for scripts. */
#include "app/session/ssapp-session-private.h"

#include "app/base/ssapp-json.h"
#include "app/session/ssapp-study-session.h"

#include <jansson.h>
#include <math.h>

SsappStudySession *
ssapp_session_get_study (SsappSession *self)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), NULL);
  if (self->study == NULL)
    self->study = ssapp_study_session_new (self);
  return self->study;
}

/* Before the project goes. */
static void
leave_studies (SsappSession *self)
{
  if (self->study != NULL)
    ssapp_study_session_leave_store (self->study);
}

gboolean
ssapp_session_open_store (SsappSession *self, const char *path, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);

  SsappStore *store;

  if (!ssapp_session_refuse_while_running (self, error) || !ssapp_session_refuse_while_lost (self, error))
    return FALSE;
  store = ssapp_store_open (path, FALSE, error);
  if (store == NULL)
    return FALSE;
  leave_studies (self);
  ssapp_session_take_store (self, store);
  return TRUE;
}

void
ssapp_session_close_store (SsappSession *self)
{
  g_return_if_fail (SSAPP_IS_SESSION (self));
  if (self->store == NULL)
    return;
  leave_studies (self);
  ssapp_session_take_store (self, NULL);
}

/* ---- for scripts ------------------------------------------------------------------------------------------------- */

static json_t *
runs_to_json (GPtrArray *runs)
{
  json_t *list = json_array ();

  for (guint i = 0; i < runs->len; i++) {
    SsappRun *run = g_ptr_array_index (runs, i);
    GArray *iterations = ssapp_run_get_iterations (run);
    json_array_append_new (
        list, json_pack ("{s:s?, s:s?, s:i, s:s, s:s?, s:i, s:b, s:b, s:o}", "id", ssapp_run_get_id (run), "replay_of",
                         ssapp_run_get_replay_of (run), "events", (int)ssapp_run_get_events (run)->len, "method",
                         ssapp_run_get_method (run).name, "outcome", ssapp_run_get_outcome (run), "iterations",
                         iterations != NULL ? (int)iterations->len : 0, "running", ssapp_run_is_running (run), "motion",
                         ssapp_run_has_motion (run), "members", ssapp_race_describe (ssapp_run_get_race (run))));
    json_t *item = json_array_get (list, json_array_size (list) - 1);
    const SsappParting *parting = ssapp_run_get_parting (run);
    const double end = ssapp_run_get_metric (run, SS_METRIC_TRACKING_POSITION);
    json_object_set_new (item, "label", json_string (ssapp_run_get_label (run)));
    json_object_set_new (item, "goal_distance", isfinite (end) ? json_real (end) : json_null ());
    json_object_set_new (item, "parts",
                         !parting->is_known   ? json_null ()
                         : parting->is_parted ? json_pack ("{s:f, s:s?, s:s}", "t", parting->t, "contact",
                                                           parting->contact, "text", parting->text)
                                              : json_pack ("{s:n, s:s}", "t", "text", parting->text));
  }
  return list;
}

static json_t *
planning_to_json (const SsappSessionPlace *place)
{
  const SsappReplanState *p = &place->planning;

  if (!place->is_planning)
    return json_null ();
  return json_pack ("{s:I, s:I, s:I, s:b, s:b, s:o, s:o}", "plans", (json_int_t)p->n_plans, "missed",
                    (json_int_t)p->n_missed, "kept", (json_int_t)p->n_kept, "stuck", p->is_stuck, "looking",
                    p->is_looking, "median", ssapp_json_real (p->median), "miss", ssapp_json_real (p->miss));
}

char *
ssapp_session_dup_status (SsappSession *self, const SsappSessionPlace *place)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), NULL);

  SsappDocument *document = self->document;
  const SsScene *scene = ssapp_document_get_scenario (document)->scene;
  json_t *status =
      json_pack ("{s:s, s:s, s:s?, s:b, s:i, s:s?, s:s?, s:s?, s:s?, s:s?, s:f, s:f, s:b, s:o}", "page", place->page,
                 "scenario", ssapp_document_get_name (document), "file", ssapp_document_get_path (document), "dirty",
                 ssapp_document_is_dirty (document), "bodies", scene != NULL ? scene->n_bodies : -1, "selected",
                 ssapp_document_get_selected (document), "item", ssapp_document_get_selected_item (document), "undo",
                 ssapp_document_get_undo_label (document), "redo", ssapp_document_get_redo_label (document), "project",
                 self->store != NULL ? ssapp_store_get_path (self->store) : NULL, "duration", place->duration, "time",
                 place->time, "playing", place->is_playing, "runs", runs_to_json (self->runs));
  json_t *selection = json_array ();
  for (const char *const *key = ssapp_document_get_selection (document, NULL); *key != NULL; key++)
    json_array_append_new (selection, json_string (*key));
  json_object_set_new (status, "selection", selection);
  json_object_set_new (status, "sandbox",
                       place->sandbox == NULL ? json_null ()
                                              : json_pack ("{s:s, s:I, s:f}", "method", place->sandbox, "frames",
                                                           (json_int_t)place->frames, "frame_rate", place->frame_rate));
  const char *sketch = ssapp_sketches_get_current (self->sketches);
  json_object_set_new (status, "sketch", sketch != NULL ? json_string (sketch) : json_null ());
  if (place->sandbox != NULL)
    json_object_set_new (json_object_get (status, "sandbox"), "replan", planning_to_json (place));
  if (place->sandbox != NULL)
    json_object_set_new (json_object_get (status, "sandbox"), "controller",
                         json_string (place->is_held       ? "lqr"
                                      : place->is_planning ? "replan"
                                                           : "none"));
  g_autofree char *impact = self->impact != NULL ? ssapp_impact_set_dup_status (self->impact) : g_strdup ("null");
  json_t *explored = json_loads (impact, JSON_DECODE_ANY, NULL);
  if (json_is_object (explored))
    json_object_set_new (explored, "frames",
                         json_pack ("{s:I, s:f, s:f}", "n", (json_int_t)place->impact_frames.n, "rate",
                                    place->impact_frames.rate, "longest", place->impact_frames.longest));
  json_object_set_new (status, "impact", explored);
  g_autofree char *study = self->study != NULL ? ssapp_study_session_dup_status (self->study) : g_strdup ("null");
  json_object_set_new (status, "study", json_loads (study, JSON_DECODE_ANY, NULL));
  SsappRun *before = self->live != NULL ? ssapp_live_motion_get_before (self->live) : NULL;
  json_object_set_new (status, "live",
                       self->live == NULL || !self->is_live
                           ? json_null ()
                           : json_pack ("{s:b, s:b, s:s}", "whole", ssapp_live_motion_is_whole (self->live), "before",
                                        before != NULL, "message", ssapp_live_motion_get_message (self->live)));
  json_object_set_new (status, "pages", json_integer (place->n_pages));
  json_object_set_new (status, "exports", json_integer (place->n_exports));
  json_object_set_new (status, "told", place->told != NULL ? json_string (place->told) : json_null ());
  json_object_set_new (status, "tutorial",
                       place->tutorial != NULL
                           ? json_pack ("{s:s, s:i}", "name", place->tutorial, "step", place->tutorial_step)
                           : json_null ());
  char *text = json_dumps (status, JSON_COMPACT), *copy = g_strdup (text != NULL ? text : "{}");

  json_decref (status);
  free (text);
  return copy;
}
