/* app/job/ssapp-fan.c: see the header. */
#include "app/job/ssapp-fan.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-outcome.h"
#include "app/base/ssapp-record.h"
#include "app/draw/ssapp-run-events.h"

#include <math.h>

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static const SsappRecordField branch_fields[] = {
    SSAPP_FIELD (SsFanMember, parent, "parent", INDEX, "", "branch that it comes from; null: none"),
    SSAPP_FIELD (SsFanMember, t_fork, "from", REAL, "s", "when it leaves its parent"),
    SSAPP_FIELD (SsFanMember, share, "share", REAL, "", "of all that can happen"),
    SSAPP_FIELD_OF (SsFanMember, outcome, "outcome", WORD, ssapp_outcome_word, SSAPP_OUTCOMES, SS_OUTCOME_FAILED,
                    "how it ended"),
    SSAPP_FIELD (SsFanMember, message, "message", TEXT, "", "why it did not reach the end")};
const SsappRecord ssapp_fan_branch_record = SSAPP_RECORD (SsFanMember, branch_fields);

static const SsappRecordField body_fields[] = {
    SSAPP_FIELD (SsFanBody, rest, "rest", REAL, "", "share of the branches that end with it at rest"),
    SSAPP_FIELD (SsFanBody, tipped, "tipped", REAL, "", "share of the branches that end with it tipped"),
    SSAPP_FIELD (SsFanBody, lowered, "lowered", REAL, "", "share of the branches that end with it lowered"),
    SSAPP_FIELD (SsFanBody, mean, "mean", REALS, "m, m, rad", "mean of its pose at the end"),
    SSAPP_FIELD (SsFanBody, spread, "spread", REALS, "m, m, rad", "standard deviation of its pose at the end")};
const SsappRecord ssapp_fan_body_record = SSAPP_RECORD (SsFanBody, body_fields);

static json_t *
branch_to_json (const SsScene *scene, const SsFanMember *branch, const SsEventList *events, int number, int *room,
                json_int_t *left_out)
{
  json_t *object = json_object ();
  const int n_events = events != NULL ? events->n_items : 0;

  json_object_set_new (object, "branch", json_integer (number));
  ssapp_record_add_to_json (&ssapp_fan_branch_record, branch, object);
  if (n_events <= *room) {
    json_object_set_new (object, "events", ssapp_run_events_to_json (scene, events));
    *room -= n_events;
  } else {
    json_object_set_new (object, "events", json_array ());
    *left_out += n_events;
  }
  return object;
}

void
ssapp_fan_add_to_json (json_t *object, const SsScene *scene, const SsRunResult *result)
{
  const SsRunFan *fan = result->fan;
  const json_t *motions = json_object_get (object, "motions");
  json_t *about = json_object (), *branches = json_array (), *bodies = json_array ();
  int room = SSAPP_FAN_EVENTS_MAX;
  json_int_t left_out = 0;

  for (int i = 0; i < fan->n_branches; i++) {
    const SsEventList *events = i == 0 ? result->events : fan->branches[i].events;
    json_t *branch = branch_to_json (scene, &fan->branches[i], events, i, &room, &left_out);
    json_t *end = json_object_get (json_array_get (motions, (size_t)i), "final_state");
    json_object_set (branch, "final_state", end != NULL ? end : json_null ());
    json_array_append_new (branches, branch);
  }
  for (int i = 0; i < fan->n_bodies; i++) {
    const SsFanBody *body = &fan->bodies[i];
    json_t *item = json_pack ("{s:s}", "body", scene->bodies[body->body].name);
    ssapp_record_add_to_json (&ssapp_fan_body_record, body, item);
    json_array_append_new (bodies, item);
  }
  json_object_set_new (about, "bodies", bodies);
  if (left_out > 0)
    json_object_set_new (about, "events_left_out", json_integer (left_out));
  json_object_set_new (object, "branches", branches);
  json_object_set_new (object, "fan", about);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static void
clear_body (SsappFanBody *body)
{
  g_free (body->body);
}

SsappFan *
ssapp_fan_from_json (const json_t *result)
{
  const json_t *branches = json_object_get (result, "branches"),
               *bodies = json_object_get (json_object_get (result, "fan"), "bodies");
  SsappFan *fan;

  if (!json_is_array (branches) || !json_is_array (bodies))
    return NULL;
  fan = g_new0 (SsappFan, 1);
  fan->branches = g_array_new (FALSE, TRUE, sizeof (SsappFanBranch));
  fan->bodies = g_array_new (FALSE, TRUE, sizeof (SsappFanBody));
  g_array_set_clear_func (fan->bodies, (GDestroyNotify)clear_body);
  for (size_t i = 0; i < json_array_size (branches); i++) {
    const json_t *item = json_array_get (branches, i);
    SsappFanBranch branch = {.branch = (int)CLAMP (json_integer_value (json_object_get (item, "branch")), 0, G_MAXINT)};
    ssapp_record_from_json (&ssapp_fan_branch_record, item, &branch.own);
    g_array_append_val (fan->branches, branch);
  }
  for (size_t i = 0; i < json_array_size (bodies); i++) {
    const json_t *item = json_array_get (bodies, i);
    const char *name = ssapp_json_get_string (item, "body");
    SsappFanBody body = {.body = g_strdup (name != NULL ? name : "")};
    ssapp_record_from_json (&ssapp_fan_body_record, item, &body.own);
    g_array_append_val (fan->bodies, body);
  }
  return fan;
}

void
ssapp_fan_free (SsappFan *fan)
{
  if (fan == NULL)
    return;
  g_array_unref (fan->branches);
  g_array_unref (fan->bodies);
  g_free (fan);
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

static char *
shares (const SsappFanBody *body)
{
  return g_strdup_printf ("at rest %.3g %%, tipped %.3g %%, lowered %.3g %%", 100 * body->own.rest,
                          100 * body->own.tipped, 100 * body->own.lowered);
}

char *
ssapp_fan_summary (const SsappFan *fan)
{
  g_return_val_if_fail (fan != NULL, NULL);
  enum { MOST = 4 }; /* bodies in a line */
  GString *line = g_string_new (NULL);

  g_string_append_printf (line, "%u branch%s", fan->branches->len, fan->branches->len == 1 ? "" : "es");
  if (fan->bodies->len > 0 && !isfinite (g_array_index (fan->bodies, SsappFanBody, 0).own.mean[0])) {
    g_string_append (line, ": none reaches the end"); /* so it is of every body */
    return g_string_free (line, FALSE);
  }
  for (guint i = 0; i < MIN (fan->bodies->len, MOST); i++) {
    const SsappFanBody *body = &g_array_index (fan->bodies, SsappFanBody, i);
    g_autofree char *about = shares (body);
    g_string_append_printf (line, "%s %s %s", i == 0 ? ":" : ";", body->body, about);
  }
  if (fan->bodies->len > MOST)
    g_string_append_printf (line, "; and %u more", fan->bodies->len - MOST);
  return g_string_free (line, FALSE);
}

const char *
ssapp_fan_legend (void)
{
  return "Shares of the branches that reach the end. At rest: no point of the body moves faster than 0.1 mm/s there. "
         "Tipped: turned from its start by more than 45 degrees. Lowered: its centre is lower than at its start by "
         "more than a fifth of its size. Positions: mean ± standard deviation, each branch with its share.";
}

char *
ssapp_fan_body_describe (const SsappFanBody *body)
{
  g_return_val_if_fail (body != NULL, NULL);
  g_autofree char *about = shares (body);

  if (!isfinite (body->own.mean[0]))
    return g_strdup_printf ("%s: no branch reaches the end", body->body);
  return g_strdup_printf ("%s: %s; ends at x %.4g ± %.2g m, y %.4g ± %.2g m, θ %.4g ± %.2g rad", body->body, about,
                          body->own.mean[0], body->own.spread[0], body->own.mean[1], body->own.spread[1],
                          body->own.mean[2], body->own.spread[2]);
}

char *
ssapp_fan_branch_describe (const SsappFanBranch *branch)
{
  g_return_val_if_fail (branch != NULL, NULL);
  GString *line = g_string_new (NULL);

  g_string_append_printf (line, "branch %d, share %.4g", branch->branch, branch->own.share);
  if (branch->own.parent >= 0)
    g_string_append_printf (line, ", from branch %d at %.9g s", branch->own.parent, branch->own.t_fork);
  if (branch->own.outcome != SS_OUTCOME_COMPLETED)
    g_string_append_printf (line, ", %s: %s", ss_outcome_name (branch->own.outcome), branch->own.message);
  return g_string_free (line, FALSE);
}
