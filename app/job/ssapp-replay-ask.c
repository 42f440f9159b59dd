/* app/job/ssapp-replay-ask.c: see the header. */
#include "app/job/ssapp-replay-ask.h"

#include "app/base/ssapp-json.h"
#include "plan/ss-plan-worlds.h"

#include <math.h>
#include <string.h>

void
ssapp_replay_ask_init (SsappReplayAsk *ask)
{
  g_return_if_fail (ask != NULL);
  *ask = (SsappReplayAsk){.feedback = SS_FEEDBACK_OPTIONS, .friction = 1, .worlds_seed = SS_WORLDS_SEED};
  ask->disturbed = g_ptr_array_new_with_free_func (g_free);
  ask->disturbances = g_array_new (FALSE, FALSE, sizeof (double));
  ask->plan_names = g_ptr_array_new_with_free_func (g_free);
  ask->plan_values = g_array_new (FALSE, FALSE, sizeof (double));
}

void
ssapp_replay_ask_clear (SsappReplayAsk *ask)
{
  g_return_if_fail (ask != NULL);
  g_ptr_array_unref (ask->disturbed);
  g_array_unref (ask->disturbances);
  g_ptr_array_unref (ask->plan_names);
  g_array_unref (ask->plan_values);
}

void
ssapp_replay_ask_disturb (SsappReplayAsk *ask, const char *what, double by)
{
  g_return_if_fail (ask != NULL);
  g_ptr_array_add (ask->disturbed, g_strdup (what));
  g_array_append_val (ask->disturbances, by);
}

void
ssapp_replay_ask_plan_set (SsappReplayAsk *ask, const char *name, double value)
{
  g_return_if_fail (ask != NULL);
  ask->has_plan_set = TRUE;
  for (guint i = 0; i < ask->plan_names->len; i++)
    if (strcmp (g_ptr_array_index (ask->plan_names, i), name) == 0) {
      g_array_index (ask->plan_values, double, i) = value;
      return;
    }
  g_ptr_array_add (ask->plan_names, g_strdup (name));
  g_array_append_val (ask->plan_values, value);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static gboolean
read_positive (const json_t *object, const char *key, double *value)
{
  const json_t *item = json_object_get (object, key);

  if (item == NULL || json_is_null (item))
    return TRUE;
  *value = json_number_value (item);
  return json_is_number (item) && isfinite (*value) && *value > 0;
}

static gboolean
read_count (const json_t *object, const char *key, int least, int *value)
{
  const json_t *item = json_object_get (object, key);

  if (item == NULL || json_is_null (item))
    return TRUE;
  if (!json_is_integer (item) || json_integer_value (item) < least || json_integer_value (item) > 10000)
    return FALSE;
  *value = (int)json_integer_value (item);
  return TRUE;
}

/* "none, lqr, contact, replan or predict", each with what it does, or not. */
static char *
list_controllers (gboolean has_summaries)
{
  GString *text = g_string_new (NULL);

  for (int kind = 0; kind < SS_CONTROLLER_COUNT; kind++) {
    g_string_append_printf (text, "%s%s",
                            kind == 0                        ? ""
                            : kind < SS_CONTROLLER_COUNT - 1 ? ", "
                                                             : " or ",
                            ss_controllers[kind].name);
    if (has_summaries)
      g_string_append_printf (text, " (%s)", ss_controllers[kind].summary);
  }
  return g_string_free (text, FALSE);
}

char *
ssapp_controllers_dup_names (void)
{
  return list_controllers (FALSE);
}

char *
ssapp_controllers_help (void)
{
  return list_controllers (TRUE);
}

static char *
read_controller (SsappReplayAsk *ask, const json_t *controller)
{
  const char *name = ssapp_json_get_string (controller, "name");

  if (controller == NULL || json_is_null (controller))
    return NULL;
  ask->feedback.kind = name != NULL ? ss_controller_find (name) : SS_CONTROLLER_COUNT;
  if (ask->feedback.kind == SS_CONTROLLER_COUNT) {
    g_autofree char *names = ssapp_controllers_dup_names ();
    return g_strdup_printf ("\"controller\" needs one of the names %s", names);
  }
  if (!read_positive (controller, "q", &ask->feedback.weights.q) ||
      !read_positive (controller, "r", &ask->feedback.weights.r))
    return g_strdup ("the weights \"q\" and \"r\" of a controller must be positive numbers");
  if (!read_count (controller, "every", 1, &ask->feedback.every) ||
      !read_count (controller, "look_ahead", 0, &ask->feedback.look_ahead))
    return g_strdup ("\"every\" (1 or more) and \"look_ahead\" of a controller must be whole numbers of steps");
  return NULL;
}

char *
ssapp_replay_ask_from_json (SsappReplayAsk *ask, const json_t *job)
{
  g_return_val_if_fail (ask != NULL, NULL);
  json_t *disturb = json_object_get (job, "disturb"), *set = json_object_get (json_object_get (job, "plan"), "set");
  char *message = read_controller (ask, json_object_get (job, "controller"));
  const char *name;
  json_t *value;

  if (message != NULL)
    return message;
  if (!read_positive (job, "friction", &ask->friction))
    return g_strdup ("\"friction\" of a replay must be a positive number: 1.2 is a fifth more than the contacts have");
  if (!read_count (json_object_get (job, "worlds"), "n", 1, &ask->worlds) ||
      !read_count (json_object_get (job, "worlds"), "seed", 0, &ask->worlds_seed))
    return g_strdup ("\"n\" (1 or more) and \"seed\" of \"worlds\" must be whole numbers up to 10000");
  json_object_foreach (disturb, name, value)
  {
    if (!json_is_number (value))
      return g_strdup_printf ("\"%s\" in \"disturb\" must be a number", name);
    ssapp_replay_ask_disturb (ask, name, json_number_value (value));
  }
  ask->has_plan_set = json_is_object (set);
  json_object_foreach (set, name, value)
  {
    if (!json_is_number (value))
      return g_strdup_printf ("\"%s\" in \"set\" of the plan must be a number", name);
    ssapp_replay_ask_plan_set (ask, name, json_number_value (value));
  }
  return NULL;
}

static json_t *
numbers_to_json (const GPtrArray *names, const GArray *values)
{
  json_t *object = json_object ();

  for (guint i = 0; i < names->len; i++)
    json_object_set_new (object, g_ptr_array_index (names, i), ssapp_json_real (g_array_index (values, double, i)));
  return object;
}

/* What is asked for, and what came of it. */
typedef struct {
  const char *name;
  double q, r;
  int every, look_ahead, plans, kept;
  double cpu_seconds;
  int clipped;
} Controller;

static const SsappRecordField controller_fields[] = {
    SSAPP_FIELD (Controller, name, "name", STRING, "", "of the controller"),
    SSAPP_FIELD_FREE (Controller, q, "q", REAL, "", "weight of states"),
    SSAPP_FIELD_FREE (Controller, r, "r", REAL, "", "weight of controls"),
    SSAPP_FIELD_FREE (Controller, every, "every", INDEX, "", "steps between plans"),
    SSAPP_FIELD_FREE (Controller, look_ahead, "look_ahead", INDEX, "", "steps that a plan looks ahead"),
    SSAPP_FIELD_FREE (Controller, plans, "plans", INDEX, "", "plans that were made"),
    SSAPP_FIELD_FREE (Controller, kept, "kept", INDEX, "", "plans that failed, so that the one before was kept"),
    SSAPP_FIELD_FREE (Controller, cpu_seconds, "cpu_seconds", REAL, "s", "CPU time of the plans"),
    SSAPP_FIELD_FREE (Controller, clipped, "clipped", INDEX, "", "steps whose controls were cut to their bounds")};
const SsappRecord ssapp_controller_record = SSAPP_RECORD (Controller, controller_fields);

/* `account` NULL: nothing came of it yet. NULL: there is no controller. */
static json_t *
controller_to_json (const SsFeedbackOptions *f, const SsFeedbackAccount *account)
{
  const gboolean plans = ss_controllers[f->kind].looks_ahead, has_weights = ss_controllers[f->kind].has_gains;
  const Controller told = {
      .name = ss_controller_name (f->kind),
      .q = has_weights ? f->weights.q : (double)NAN,
      .r = has_weights ? f->weights.r : (double)NAN,
      .every = plans ? f->every : -1,
      .look_ahead = f->kind == SS_CONTROLLER_REPLAN ? f->look_ahead : -1,
      .plans = plans && account != NULL ? account->n_plans : -1,
      .kept = plans && account != NULL ? account->n_kept : -1,
      .cpu_seconds = plans && account != NULL ? account->cpu_seconds : (double)NAN,
      .clipped = has_weights && account != NULL ? account->n_clipped : -1,
  };

  return plans || has_weights ? ssapp_record_to_json (&ssapp_controller_record, &told) : NULL;
}

static const SsappRecordField worlds_fields[] = {
    SSAPP_FIELD (SsappReplayAsk, worlds, "n", INTEGER, "", "how many"),
    SSAPP_FIELD (SsappReplayAsk, worlds_seed, "seed", INTEGER, "", "of the draw")};
const SsappRecord ssapp_worlds_record = SSAPP_RECORD (SsappReplayAsk, worlds_fields);

void
ssapp_replay_ask_to_json (const SsappReplayAsk *ask, const SsFeedbackAccount *account, json_t *object, json_t *plan)
{
  g_return_if_fail (ask != NULL);
  json_t *controller = controller_to_json (&ask->feedback, account);

  if (controller != NULL)
    json_object_set_new (object, "controller", controller);
  if (ask->friction != 1)
    json_object_set_new (object, "friction", ssapp_json_real (ask->friction));
  if (ask->worlds > 0)
    json_object_set_new (object, "worlds", ssapp_record_to_json (&ssapp_worlds_record, ask));
  if (ask->disturbed->len > 0)
    json_object_set_new (object, "disturb", numbers_to_json (ask->disturbed, ask->disturbances));
  if (plan != NULL && ask->has_plan_set)
    json_object_set_new (plan, "set", numbers_to_json (ask->plan_names, ask->plan_values));
}

/* ---- the scene --------------------------------------------------------------------------------------------------- */

static gboolean
find_coordinate (const SsScene *scene, const char *what, SsDisturbance *out)
{
  const char *dot = strrchr (what, '.');
  g_autofree char *body = dot != NULL ? g_strndup (what, (gsize)(dot - what)) : NULL;

  out->body = ss_scene_find (scene, SS_OWNER_BODY, body);
  out->coordinate = -1;
  for (int c = 0; dot != NULL && c < SS_BODY_CHANNELS; c++)
    if (strcmp (ss_body_channels[c], dot + 1) == 0)
      out->coordinate = c;
  return out->body >= 0 && out->coordinate >= 0;
}

gboolean
ssapp_replay_ask_resolve (const SsappReplayAsk *ask, const SsScene *scene, SsDisturbance *out, SsError *error)
{
  g_return_val_if_fail (ask != NULL, FALSE);
  for (guint i = 0; i < ask->disturbed->len; i++) {
    const char *what = g_ptr_array_index (ask->disturbed, i);
    SsStatus status = SS_OK;

    out[i].by = g_array_index (ask->disturbances, double, i);
    if (!find_coordinate (scene, what, &out[i]))
      status = ss_error_set (error, SS_ERR_INVALID,
                             "'%.200s' is no coordinate of a body: BODY.x, .y, .theta, .vx, .vy or .omega", what);
    else if (scene->bodies[out[i].body].is_fixed || scene->bodies[out[i].body].lock[out[i].coordinate % 3])
      status = ss_error_set (error, SS_ERR_INVALID, "'%.200s' cannot be disturbed: it cannot move", what);
    else if (!isfinite (out[i].by))
      status = ss_error_set (error, SS_ERR_INVALID, "'%.200s' needs a finite number", what);
    if (status != SS_OK) {
      g_strlcpy (error->path, "--disturb", sizeof error->path);
      return FALSE;
    }
  }
  return TRUE;
}

/* ---- where a replay parts ---------------------------------------------------------------------------------------- */

/* "0.31 mm", "2.4 cm", "1.2 m". */
static char *
length_text (double metres)
{
  if (metres >= 1)
    return g_strdup_printf ("%.2g m", metres);
  if (metres >= 0.01)
    return g_strdup_printf ("%.2g cm", 100 * metres);
  return g_strdup_printf ("%.2g mm", 1000 * metres);
}

/* The sentence: "Parts from its plan at t = 0.42 s: floor-box slips in the replay and sticks in the plan. ..."; g_free.
 */
static char *
ssapp_replay_first_dup_text (const SsScene *scene, const SsRunResult *result)
{
  const SsReplayFirst *first = &result->first;
  const double end = ss_metric_get (&result->metrics, SS_METRIC_REPLAY_FINAL);
  g_autofree char *then = length_text (first->distance), *at_end = isfinite (end) ? length_text (end) : NULL;
  GString *text = g_string_new (NULL);

  if (!first->is_parted) {
    g_string_append (text, "The replay does not part from its plan");
    return g_string_free (text, FALSE);
  }
  g_string_append_printf (text, "Parts from its plan at t = %.6g s", first->t);
  if (first->contact >= 0)
    g_string_append_printf (text, ": %s %s%s in the replay and %s%s in the plan. ",
                            scene->contacts[first->contact].name, first->replay == SS_CONTACT_STATE_OPEN ? "is " : "",
                            ss_contact_state_name (first->replay), first->plan == SS_CONTACT_STATE_OPEN ? "is " : "",
                            ss_contact_state_name (first->plan));
  else
    g_string_append (text, ", before any contact differs: ");
  g_string_append_printf (text, "%s%s%s off then", first->body >= 0 ? scene->bodies[first->body].name : "",
                          first->body >= 0 ? " is " : "", then);
  if (at_end != NULL)
    g_string_append_printf (text, ", %s at the plan's end", at_end);
  return g_string_free (text, FALSE);
}

static const SsappRecordField first_fields[] = {
    SSAPP_FIELD (SsappReplayFirst, t, "t", REAL, "s", "when the replay parts; null: it does not"),
    SSAPP_FIELD_FREE (SsappReplayFirst, contact, "contact", LABEL, "", "contact that differs first"),
    SSAPP_FIELD_FREE (SsappReplayFirst, plan, "plan", LABEL, "", "its state in the plan"),
    SSAPP_FIELD_FREE (SsappReplayFirst, replay, "replay", LABEL, "", "its state in the replay"),
    SSAPP_FIELD_FREE (SsappReplayFirst, distance, "distance", REAL, "m", "farthest body from the plan then"),
    SSAPP_FIELD_FREE (SsappReplayFirst, angle, "angle", REAL, "rad", "largest angle from the plan then"),
    SSAPP_FIELD_FREE (SsappReplayFirst, body, "body", LABEL, "", "the body that is farthest"),
    SSAPP_FIELD (SsappReplayFirst, text, "text", STRING, "", "the same in words")};
const SsappRecord ssapp_replay_first_record = SSAPP_RECORD (SsappReplayFirst, first_fields);

json_t *
ssapp_replay_first_to_json (const SsScene *scene, const SsRunResult *result)
{
  g_return_val_if_fail (scene != NULL, NULL);
  const SsReplayFirst *first = &result->first;
  const gboolean has_contact = first->is_parted && first->contact >= 0;
  g_autofree char *text = ssapp_replay_first_dup_text (scene, result);
  const SsappReplayFirst told = {.t = first->is_parted ? first->t : (double)NAN,
                                 .contact = has_contact ? scene->contacts[first->contact].name : NULL,
                                 .plan = has_contact ? ss_contact_state_name (first->plan) : NULL,
                                 .replay = has_contact ? ss_contact_state_name (first->replay) : NULL,
                                 .distance = first->is_parted ? first->distance : (double)NAN,
                                 .angle = first->is_parted ? first->angle : (double)NAN,
                                 .body = first->is_parted && first->body >= 0 ? scene->bodies[first->body].name : NULL,
                                 .text = text};

  return ssapp_record_to_json (&ssapp_replay_first_record, &told);
}
