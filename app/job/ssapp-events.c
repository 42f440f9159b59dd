/* app/job/ssapp-events.c: see ssapp-events.h. */
#include "app/job/ssapp-events.h"

#include "app/base/ssapp-json.h"
#include "app/job/ssapp-result-samples.h"
#include "app/job/ssapp-result.h"
#include "app/job/ssapp-samples.h"

static json_t *
event_new (const char *type, const char *id, double t)
{
  json_t *event = json_object ();

  json_object_set_new (event, "type", json_string (type));
  json_object_set_new (event, "id", json_string (id));
  json_object_set_new (event, "t", ssapp_json_real (t));
  return event;
}

/* Takes `event`. */
static void
send (json_t *event, SsappLineFunc func, gpointer user_data)
{
  char *line = ssapp_json_text (event, FALSE);

  func (line, user_data);
  g_free (line);
  json_decref (event);
}

static json_t *
start_event (const SsappJobSpec *spec, const SsappEvent *e)
{
  json_t *event = event_new ("start", spec->id, e->t);
  const SsScenario *scenario = e->scenario;
  json_t *about = json_object ();

  json_object_set_new (about, "name", json_string (e->scenario_name));
  if (scenario != NULL)
    json_object_set_new (about, "sha256", json_string (scenario->sha256));
  json_object_set_new (event, "scenario", about);
  json_object_set_new (event, "method", json_string (spec->method));
  if (scenario == NULL)
    return event;
  if (scenario->model != NULL) {
    json_object_set_new (event, "n_points", json_integer (scenario->model->n_points));
    json_object_set_new (event, "n_variables", json_integer (scenario->model->n_points * scenario->model->n_variables));
  } else if (scenario->scene != NULL) {
    json_object_set_new (event, "n_bodies", json_integer (scenario->scene->n_bodies));
    json_object_set_new (event, "n_contacts", json_integer (scenario->scene->n_contacts));
  }
  return event;
}

static json_t *
iteration_event (const SsappJobSpec *spec, const SsappEvent *e)
{
  json_t *event = event_new ("iteration", spec->id, e->t);

  json_object_set_new (event, "iteration", json_integer (e->iteration));
  for (int i = 0; i < e->n_columns; i++)
    if (g_strcmp0 (e->columns[i].name, "iteration") != 0)
      json_object_set_new (event, e->columns[i].name, ssapp_json_real (e->columns[i].value));
  return event;
}

/* The same with a last member "data", rows first..first+count-1, and the shape of the whole; the first rows say what
 * the channels are. Takes `event`. The text is put into the line as it is: base64 needs no escapes, and JSON's writer
 * would look for them in all of it. */
static void
send_rows (json_t *event, const SsTrajectory *trajectory, int first, int count, SsappLineFunc func, gpointer user_data)
{
  json_object_set_new (event, "channels", ssapp_json_channels (trajectory));
  if (first == 0)
    json_object_set_new (event, "channel_records", ssapp_json_channel_records (trajectory));
  json_object_set_new (event, "shape", json_pack ("[i, i]", trajectory->n_rows, trajectory->n_channels));
  g_autofree char *data = ssapp_base64_rows (trajectory, first, count), *line = ssapp_json_text (event, FALSE);

  json_decref (event);
  line[strlen (line) - 1] = '\0'; /* the brace */
  g_autofree char *whole = g_strconcat (line, ",\"data\":\"", data, "\"}", NULL);
  func (whole, user_data);
}

static void
send_iterate (const SsappJobSpec *spec, const SsappEvent *e, SsappLineFunc func, gpointer user_data)
{
  json_t *event = event_new ("iterate", spec->id, e->t);

  json_object_set_new (event, "iteration", json_integer (e->iteration));
  send_rows (event, e->trajectory, 0, e->trajectory->n_rows, func, user_data);
}

/* Each frame names its channels: a reader may come late, and frames are few. */
static json_t *
frame_event (const SsappJobSpec *spec, const SsappEvent *e)
{
  json_t *event = event_new ("frame", spec->id, e->t), *values = json_array ();
  const double *row = ss_trajectory_row (e->trajectory, e->trajectory->n_rows - 1);

  for (int i = 0; i < e->trajectory->n_channels; i++)
    json_array_append_new (values, ssapp_json_real (row[i]));
  json_object_set_new (event, "row", json_integer (e->iteration));
  json_object_set_new (event, "channels", ssapp_json_channels (e->trajectory));
  json_object_set_new (event, "values", values);
  return event;
}

/* Which motion of a run. */
typedef struct {
  const char *role;
  int iteration; /* < 0: none */
  int branch;    /* 0: none   */
  double share;
} Which;

/* An empty trajectory is one chunk without data. */
static void
send_trajectory (const SsappJobSpec *spec, double t, const Which *which, const SsTrajectory *trajectory,
                 SsappLineFunc func, gpointer user_data)
{
  const int row_bytes = trajectory->n_channels * (int)sizeof (double);
  const int rows_per_chunk = MAX (SSAPP_TRAJECTORY_CHUNK_BYTES / row_bytes, 1);
  int first = 0;

  do {
    const int count = MIN (rows_per_chunk, trajectory->n_rows - first);
    json_t *event = event_new ("trajectory", spec->id, t);
    json_object_set_new (event, "role", json_string (which->role));
    if (which->iteration >= 0)
      json_object_set_new (event, "iteration", json_integer (which->iteration));
    if (which->branch > 0) {
      json_object_set_new (event, "branch", json_integer (which->branch));
      json_object_set_new (event, "share", ssapp_json_real (which->share));
    }
    json_object_set_new (event, "first_row", json_integer (first));
    json_object_set_new (event, "rows", json_integer (count));
    send_rows (event, trajectory, first, count, func, user_data);
    first += count;
  } while (first < trajectory->n_rows);
}

/* Of a run with several motions those beside the answer. */
static void
send_branches (const SsappJobSpec *spec, double t, const SsRunResult *record, SsappLineFunc func, gpointer user_data)
{
  for (int i = 0; i < record->n_motions; i++) {
    const SsRunMotion *motion = &record->motions[i];
    const Which which = {ss_motion_role_name (motion->role), -1, motion->branch, motion->share};
    if (motion->role != SS_MOTION_ANSWER && motion->trajectory != NULL)
      send_trajectory (spec, t, &which, motion->trajectory, func, user_data);
  }
}

/* In chunks as a trajectory's. Without memory for them there are none; the result says how many there were. */
static void
send_samples (const SsappJobSpec *spec, double t, const SsSamples *samples, SsappLineFunc func, gpointer user_data)
{
  SsSamples *kept;
  int first = 0;

  if (ssapp_samples_thin (samples, &kept, NULL) != SS_OK)
    return;
  const int rows_per_chunk = MAX (SSAPP_TRAJECTORY_CHUNK_BYTES / (kept->n_columns * (int)sizeof (double)), 1);
  while (first < kept->n_rows) {
    const int count = MIN (rows_per_chunk, kept->n_rows - first);
    g_autofree char *data = ssapp_base64_doubles (kept->values + (gsize)first * (gsize)kept->n_columns,
                                                  (gsize)count * (gsize)kept->n_columns);
    json_t *event = event_new ("samples", spec->id, t);
    json_object_update_new (event, ssapp_samples_shape_to_json (kept));
    json_object_set_new (event, "first_row", json_integer (first));
    json_object_set_new (event, "rows", json_integer (count));
    json_object_set_new (event, "data", json_string_nocheck (data)); /* base64 is ASCII */
    send (event, func, user_data);
    first += count;
  }
  ss_samples_free (kept);
}

static json_t *
race_event (const SsappJobSpec *spec, const SsappEvent *e)
{
  json_t *event = event_new ("race", spec->id, e->t);

  json_object_update (event, (json_t *)e->race);
  return event;
}

static json_t *
log_event (const SsappJobSpec *spec, const SsappEvent *e)
{
  static const char *const names[] = {"debug", "info", "warning", "error"};
  json_t *event = event_new ("log", spec->id, e->t);
  char *valid = g_utf8_make_valid (e->text, -1);

  json_object_set_new (event, "level", json_string (names[e->level]));
  json_object_set_new (event, "text", json_string (valid));
  g_free (valid);
  return event;
}

void
ssapp_event_lines (const SsappJobSpec *spec, const SsappEvent *e, SsappLineFunc func, gpointer user_data)
{
  g_return_if_fail (spec != NULL);
  json_t *event;

  switch (e->kind) {
  case SSAPP_EVENT_START:
    send (start_event (spec, e), func, user_data);
    break;
  case SSAPP_EVENT_ITERATION:
    send (iteration_event (spec, e), func, user_data);
    break;
  case SSAPP_EVENT_ITERATE:
    send_iterate (spec, e, func, user_data);
    break;
  case SSAPP_EVENT_FRAME:
    send (frame_event (spec, e), func, user_data);
    break;
  case SSAPP_EVENT_KEPT:
    send_trajectory (spec, e->t, &(Which){"iterate", e->iteration, 0, 1}, e->trajectory, func, user_data);
    break;
  case SSAPP_EVENT_LOG:
    send (log_event (spec, e), func, user_data);
    break;
  case SSAPP_EVENT_RACE:
    send (race_event (spec, e), func, user_data);
    break;
  case SSAPP_EVENT_ANSWER:
    send_trajectory (spec, e->t, &(Which){"answer", -1, 0, 1}, e->trajectory, func, user_data);
    event = event_new ("answer", spec->id, e->t);
    json_object_update (event, e->result);
    send (event, func, user_data);
    break;
  case SSAPP_EVENT_RESULT:
    if (e->trajectory != NULL)
      send_trajectory (spec, e->t, &(Which){"answer", -1, 0, 1}, e->trajectory, func, user_data);
    if (e->record != NULL)
      send_branches (spec, e->t, e->record, func, user_data);
    if (e->record != NULL && e->record->samples != NULL)
      send_samples (spec, e->t, e->record->samples, func, user_data);
    event = event_new ("result", spec->id, e->t);
    json_object_update (event, e->result);
    send (event, func, user_data);
    break;
  }
}
