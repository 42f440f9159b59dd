/* app/job/ssapp-fan.c: see the header. */
#include "app/job/ssapp-fan.h"

#include "app/base/ssapp-json.h"
#include "app/draw/ssapp-run-events.h"

#include <math.h>
#include <string.h>

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static json_t *
text (const char *value)
{
  g_autofree char *valid = g_utf8_make_valid (value, -1);

  return json_string (valid);
}

static json_t *
branch_to_json (const SsScene *scene, const SsFanMember *branch, const SsEventList *events, int number, int *room,
                json_int_t *left_out)
{
  json_t *object = json_object ();
  const int n_events = events != NULL ? events->n_items : 0;

  json_object_set_new (object, "branch", json_integer (number));
  json_object_set_new (object, "parent", branch->parent >= 0 ? json_integer (branch->parent) : json_null ());
  json_object_set_new (object, "from", ssapp_json_real (branch->t_fork));
  json_object_set_new (object, "share", ssapp_json_real (branch->share));
  json_object_set_new (object, "outcome", text (ss_outcome_name (branch->outcome)));
  json_object_set_new (object, "message", text (branch->message));
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
    json_t *item = json_object ();
    json_object_set_new (item, "body", text (scene->bodies[body->body].name));
    json_object_set_new (item, "rest", ssapp_json_real (body->rest));
    json_object_set_new (item, "tipped", ssapp_json_real (body->tipped));
    json_object_set_new (item, "lowered", ssapp_json_real (body->lowered));
    json_object_set_new (item, "mean", ssapp_json_reals (body->mean, 3));
    json_object_set_new (item, "spread", ssapp_json_reals (body->spread, 3));
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
clear_branch (SsappFanBranch *branch)
{
  g_free (branch->outcome);
  g_free (branch->message);
}

static void
clear_body (SsappFanBody *body)
{
  g_free (body->body);
}

static void
read_numbers (const json_t *list, double values[3])
{
  for (size_t k = 0; k < 3; k++) {
    const json_t *value = json_array_get (list, k);
    values[k] = json_is_number (value) ? json_number_value (value) : NAN;
  }
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
  g_array_set_clear_func (fan->branches, (GDestroyNotify)clear_branch);
  g_array_set_clear_func (fan->bodies, (GDestroyNotify)clear_body);
  for (size_t i = 0; i < json_array_size (branches); i++) {
    const json_t *item = json_array_get (branches, i), *parent = json_object_get (item, "parent");
    const json_int_t number = json_integer_value (json_object_get (item, "branch"));
    const char *outcome = ssapp_json_get_string (item, "outcome"), *message = ssapp_json_get_string (item, "message");
    const SsappFanBranch branch = {
        .branch = (int)CLAMP (number, 0, G_MAXINT),
        .parent = json_is_integer (parent) ? (int)CLAMP (json_integer_value (parent), -1, G_MAXINT) : -1,
        .from = ssapp_json_get_real (item, "from"),
        .share = ssapp_json_get_real (item, "share"),
        .outcome = g_strdup (outcome != NULL ? outcome : ""),
        .message = g_strdup (message != NULL ? message : "")};
    g_array_append_val (fan->branches, branch);
  }
  for (size_t i = 0; i < json_array_size (bodies); i++) {
    const json_t *item = json_array_get (bodies, i);
    const char *name = ssapp_json_get_string (item, "body");
    SsappFanBody body = {.body = g_strdup (name != NULL ? name : ""),
                         .rest = ssapp_json_get_real (item, "rest"),
                         .tipped = ssapp_json_get_real (item, "tipped"),
                         .lowered = ssapp_json_get_real (item, "lowered")};
    read_numbers (json_object_get (item, "mean"), body.mean);
    read_numbers (json_object_get (item, "spread"), body.spread);
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
  return g_strdup_printf ("at rest %.3g %%, tipped %.3g %%, lowered %.3g %%", 100 * body->rest, 100 * body->tipped,
                          100 * body->lowered);
}

char *
ssapp_fan_summary (const SsappFan *fan)
{
  enum { MOST = 4 }; /* bodies in a line */
  GString *line = g_string_new (NULL);

  g_string_append_printf (line, "%u branch%s", fan->branches->len, fan->branches->len == 1 ? "" : "es");
  if (fan->bodies->len > 0 && !isfinite (g_array_index (fan->bodies, SsappFanBody, 0).mean[0])) {
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
  g_autofree char *about = shares (body);

  if (!isfinite (body->mean[0]))
    return g_strdup_printf ("%s: no branch reaches the end", body->body);
  return g_strdup_printf ("%s: %s; ends at x %.4g ± %.2g m, y %.4g ± %.2g m, θ %.4g ± %.2g rad", body->body, about,
                          body->mean[0], body->spread[0], body->mean[1], body->spread[1], body->mean[2],
                          body->spread[2]);
}

char *
ssapp_fan_branch_describe (const SsappFanBranch *branch)
{
  GString *line = g_string_new (NULL);

  g_string_append_printf (line, "branch %d, share %.4g", branch->branch, branch->share);
  if (branch->parent >= 0)
    g_string_append_printf (line, ", from branch %d at %.9g s", branch->parent, branch->from);
  if (strcmp (branch->outcome, ss_outcome_name (SS_OUTCOME_COMPLETED)) != 0)
    g_string_append_printf (line, ", %s: %s", branch->outcome, branch->message);
  return g_string_free (line, FALSE);
}
