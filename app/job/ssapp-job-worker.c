/* app/job/ssapp-job-worker.c: a job's worker: started, heard, cancelled; see ssapp-job.h.
 *
 * The worker's output is read in pieces whenever there is some, cut into lines, and each line is an event. The job
 * keeps itself alive from start until its process is gone.
 */
#include "app/job/ssapp-job-private.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-memory.h"
#include "app/job/ssapp-judge-again.h"
#include "app/job/ssapp-kin.h"

#include <errno.h>
#include <gio/gunixinputstream.h>
#include <glib-unix.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum {
  CPU_LOOK_MS = 500,       /* how often its CPU time is looked at where that has a limit               */
  READ_BYTES = 256 * 1024, /* per turn of the main loop, so that a flood does not starve others        */
};
#define MAX_ANSWER_VALUES 125000000 /* 1 GB, of which a project takes no more in one piece either */
#define MAX_MOTIONS       4096      /* beside the answer, with so many values together */
/* Events are at most 1 MB but for a result, which lists what happened: 200 bytes each of some 300,000 times. More means
 * that this is no worker. */
#define MAX_LINE_BYTES (64u << 20)

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* A text of base64 within a line. */
typedef struct {
  const char *text; /* NULL: none */
  gsize length;
} Base64;

/* An event; *data is that of its member "data", which is not in the object where it is the last one of the line, as a
 * worker writes it: a motion of 100 MB is then not gone over letter by letter. */
static json_t *
read_event (const char *line, gsize length, Base64 *data)
{
  static const char before[] = ",\"data\":\"", after[] = "\"}";
  const gsize n_before = strlen (before), n_after = strlen (after);
  const char *end = length > n_before + n_after ? line + length - n_after : NULL,
             *quote =
                 end != NULL && memcmp (end, after, n_after) == 0 ? memrchr (line, '"', (gsize)(end - line)) : NULL,
             *member = quote != NULL && quote + 1 - line > (gssize)n_before ? quote + 1 - n_before : NULL;

  *data = (Base64){0};
  if (member == NULL || memcmp (member, before, n_before) != 0) {
    json_t *event = json_loadb (line, length, 0, NULL);
    data->text = ssapp_json_get_string (event, "data");
    data->length = data->text != NULL ? strlen (data->text) : 0;
    return event;
  }
  g_autofree char *rest = g_strdup_printf ("%.*s}", (int)(member - line), line);
  *data = (Base64){quote + 1, (gsize)(end - quote - 1)};
  return json_loads (rest, 0, NULL);
}

/* {"channels": [...], "shape": [rows, columns]}, and its data */
static SsTrajectory *
decode_rows (const json_t *channels, int n_rows, const Base64 *base64)
{
  gint state = 0;
  guint save = 0;
  guchar *data = base64->text != NULL ? g_malloc (base64->length / 4 * 3 + 3) : NULL;
  const gsize size = data != NULL ? g_base64_decode_step (base64->text, base64->length, data, &state, &save) : 0;
  SsTrajectory *trajectory = data != NULL ? ssapp_trajectory_from_bytes (channels, n_rows, data, size) : NULL;

  g_free (data);
  return trajectory;
}

static void
on_iterate_event (SsappJob *self, const json_t *event, const Base64 *data)
{
  const json_t *shape = json_object_get (event, "shape");
  SsTrajectory *motion =
      decode_rows (ssapp_json_get_channels (event), (int)json_integer_value (json_array_get (shape, 0)), data);

  if (motion != NULL)
    ssapp_job_take_motion (self, motion);
}

/* As many frames of a simulation that runs are kept: enough to look at what there is so far, few enough to be drawn
 * anew as they come. */
enum { FRAMES_MOST = 400 };

/* Whether a row with these channels and that time goes on with the motion. */
static gboolean
goes_on (const SsTrajectory *motion, const json_t *channels, int n, double t)
{
  if (motion == NULL || motion->n_channels != n ||
      (motion->n_rows > 0 && ss_trajectory_row (motion, motion->n_rows - 1)[0] > t))
    return FALSE;
  for (int i = 0; channels != NULL && i < n; i++)
    if (g_strcmp0 (json_string_value (json_array_get (channels, (size_t)i)), motion->channels[i].name) != 0)
      return FALSE;
  return TRUE;
}

/* Leaves every second row out, and of what comes too: a motion's rows are equally far from each other. */
static void
thin_frames (SsappJob *self)
{
  SsTrajectory *motion = self->motion;
  const size_t n = (size_t)motion->n_channels;

  motion->n_rows = (motion->n_rows + 1) / 2;
  for (int i = 1; i < motion->n_rows; i++)
    memcpy (motion->values + (size_t)i * n, motion->values + 2 * (size_t)i * n, n * sizeof (double));
  self->frames_every *= 2;
}

/* Takes a row; the last one of all is there too, as the newest alone. */
static SsStatus
add_frame (SsappJob *self, const double *row)
{
  if (self->n_frames > 0 && (self->n_frames - 1) % self->frames_every != 0)
    self->motion->n_rows--;
  if (self->motion->n_rows >= FRAMES_MOST)
    thin_frames (self);
  self->n_frames++;
  return ss_trajectory_append (self->motion, row, NULL);
}

/* What was before a simulation that goes on, in the channels of its frames: one that it has not is NaN. Of the frames
 * that follow each is taken again, however many rows there were. */
static void
add_past_frames (SsappJob *self)
{
  const SsTrajectory *past = self->start != NULL ? self->given : NULL;
  const int n = self->motion->n_channels;
  g_autofree int *from = g_new (int, n);
  g_autofree double *row = g_new (double, n);

  for (int c = 0; past != NULL && c < n; c++)
    from[c] = ss_trajectory_channel (past, self->motion->channels[c].name);
  for (int i = 0; past != NULL && i < past->n_rows; i++) {
    for (int c = 0; c < n; c++)
      row[c] = from[c] >= 0 ? ss_trajectory_row (past, i)[from[c]] : NAN;
    if (add_frame (self, row) != SS_OK)
      break;
  }
  self->frames_every = 1;
  self->n_frames = self->motion->n_rows;
}

/* Frames name the channels: who listens may come late. */
static void
on_frame_event (SsappJob *self, const json_t *event)
{
  const json_t *channels = json_object_get (event, "channels"), *values = json_object_get (event, "values");
  const int n = (int)json_array_size (values);

  if (channels != NULL && (int)json_array_size (channels) == n &&
      !goes_on (self->motion, channels, n, json_number_value (json_array_get (values, 0)))) {
    ss_trajectory_free (self->motion);
    self->motion = ssapp_trajectory_from_bytes (channels, 0, "", 0);
    self->has_names = TRUE;
    self->frames_every = 1;
    self->n_frames = 0;
    if (self->motion != NULL)
      add_past_frames (self);
  }
  if (self->motion == NULL || n != self->motion->n_channels)
    return;
  double *row = g_new (double, n);
  for (int i = 0; i < n; i++) {
    const json_t *value = json_array_get (values, (size_t)i);
    row[i] = json_is_number (value) ? json_number_value (value) : NAN;
  }
  if (add_frame (self, row) == SS_OK)
    g_signal_emit (self, ssapp_job_signals[SSAPP_JOB_TELLS_MOTION], 0);
  g_free (row);
}

void
ssapp_job_describe_frames (SsappJob *self, const SsScenario *scenario)
{
  g_return_if_fail (SSAPP_IS_JOB (self) && scenario != NULL);

  if (self->motion == NULL || !self->has_names)
    return;
  SsStatus status = ss_scenario_describe (scenario, self->motion, NULL);
  self->has_names = FALSE;
  (void)status; /* without memory they stay names */
}

/* What an event says of its motion: a branch, or (role ANSWER) the answer or an iterate. Role COUNT: none that this
 * program knows. */
static SsRunMotion
read_about (const json_t *event)
{
  const char *name = ssapp_json_get_string (event, "role");
  const SsMotionRole role = json_object_get (event, "role") == NULL ? SS_MOTION_ANSWER
                            : name != NULL                          ? ss_motion_role_find (name)
                                                                    : SS_MOTION_ROLE_COUNT;
  const json_int_t branch = json_integer_value (json_object_get (event, "branch"));

  return (SsRunMotion){
      .role = role, .branch = (int)CLAMP (branch, 0, G_MAXINT), .share = ssapp_json_get_real (event, "share")};
}

/* Takes a whole branch. */
static void
take_branch (SsappJob *self, SsTrajectory *whole)
{
  SsRunMotion motion = self->incoming_about;
  const gint64 n = (gint64)whole->n_rows * whole->n_channels;

  motion.trajectory = whole;
  if (self->motions->len < MAX_MOTIONS && self->n_motion_values + n <= MAX_ANSWER_VALUES) {
    self->n_motion_values += n;
    g_array_append_val (self->motions, motion);
  } else {
    ss_trajectory_free (whole);
  }
}

/* A chunk of the samples; the first one says how many there are. */
static void
on_samples_event (SsappJob *self, const json_t *event, const Base64 *data)
{
  g_autofree char *text = data->text != NULL ? g_strndup (data->text, data->length) : NULL;
  const json_t *columns = json_object_get (event, "columns"), *shape = json_object_get (event, "shape");
  const json_int_t n_rows = json_integer_value (json_array_get (shape, 0));
  const json_int_t first = json_integer_value (json_object_get (event, "first_row"));
  const json_int_t count = json_integer_value (json_object_get (event, "rows"));
  const size_t n_columns = json_array_size (columns);

  if (first == 0 && self->samples == NULL && n_columns > 0 && n_columns <= MAX_ANSWER_VALUES && n_rows >= 0 &&
      n_rows <= (json_int_t)(MAX_ANSWER_VALUES / n_columns)) {
    g_autofree const char **names = g_new0 (const char *, n_columns + 1);
    for (size_t c = 0; c < n_columns; c++) {
      const char *name = json_string_value (json_array_get (columns, c));
      names[c] = name != NULL ? name : "";
    }
    if (ss_samples_new (names, (int)n_columns, (int)n_rows, &self->samples, NULL) != SS_OK)
      self->samples = NULL;
    self->n_sample_rows = 0;
  }
  if (self->samples == NULL || (size_t)self->samples->n_columns != n_columns || first != self->n_sample_rows ||
      count < 0 || count > self->samples->n_rows - self->n_sample_rows)
    return;
  if (ssapp_base64_read_doubles (text, self->samples->values + (size_t)first * n_columns, (gsize)count * n_columns))
    self->n_sample_rows += (int)count;
}

/* A chunk of the answer, of a kept iterate or of a branch; the last one completes it. */
static void
on_trajectory_event (SsappJob *self, const json_t *event, const Base64 *data)
{
  const json_t *channels = ssapp_json_get_channels (event), *shape = json_object_get (event, "shape");
  const json_t *iteration = json_object_get (event, "iteration");
  const int total = (int)json_integer_value (json_array_get (shape, 0));
  const int first = (int)json_integer_value (json_object_get (event, "first_row"));
  const int count = (int)json_integer_value (json_object_get (event, "rows"));
  SsTrajectory *rows = decode_rows (channels, count, data);

  if (rows == NULL)
    return;
  if (json_is_integer (iteration) && self->keep_every == 0) { /* nobody asked for iterates */
    ss_trajectory_free (rows);
    return;
  }
  if (first == 0) {
    g_clear_pointer (&self->incoming, ss_trajectory_free);
    self->incoming_iteration = json_is_integer (iteration) ? (int)json_integer_value (iteration) : -1;
    self->incoming_about = read_about (event);
    self->incoming = rows;
    if (self->incoming_iteration < 0 && self->incoming_about.role == SS_MOTION_ROLE_COUNT) {
      g_clear_pointer (&self->incoming, ss_trajectory_free);
      ssapp_job_refuse_worker (self, "it has a motion with a role that this program does not know");
      return;
    }
  } else {
    if (self->incoming != NULL && self->incoming->n_rows == first && self->incoming->n_channels == rows->n_channels &&
        (gint64)(first + rows->n_rows) * rows->n_channels <= MAX_ANSWER_VALUES)
      for (int r = 0; r < rows->n_rows; r++)
        if (ss_trajectory_append (self->incoming, ss_trajectory_row (rows, r), NULL) != SS_OK)
          break;
    ss_trajectory_free (rows);
  }
  if (self->incoming == NULL || self->incoming->n_rows < total)
    return;
  SsTrajectory *whole = g_steal_pointer (&self->incoming);
  if (self->incoming_iteration < 0 && self->incoming_about.role != SS_MOTION_ANSWER) {
    take_branch (self, whole);
  } else if (self->incoming_iteration < 0) {
    self->has_answer = whole->n_rows > 0;
    ssapp_job_take_motion (self, whole);
  } else {
    const gsize size = sizeof (double) * (gsize)whole->n_rows * (gsize)whole->n_channels;
    if (ssapp_quota_take_iterate (&self->quota, size))
      g_signal_emit (self, ssapp_job_signals[SSAPP_JOB_TELLS_ITERATE], 0, self->incoming_iteration, whole);
    ss_trajectory_free (whole);
  }
}

/* The result as on the command line, without what makes it an event. */
static json_t *
result_of (const json_t *event)
{
  json_t *result = json_deep_copy (event);

  json_object_del (result, "type");
  json_object_del (result, "id");
  json_object_del (result, "t");
  return result;
}

/* A result that cannot be so is that of a run that failed. Takes the result's words for what it claimed. */
static void
refuse_nonsense (SsappJob *self, json_t *result, const SsTrajectory *motion)
{
  const char *outcome = ssapp_json_get_string (result, "outcome");
  const char *fault = ssapp_result_fault (self->kind, outcome, motion);

  if (fault == NULL)
    return;
  g_autofree char *message = g_strdup_printf ("the worker's answer counts as a failure: %s (outcome %s)", fault,
                                              outcome != NULL ? outcome : "missing");
  json_object_set_new (result, "outcome", json_string (ss_outcome_name (SS_OUTCOME_FAILED)));
  json_object_set_new (result, "message", json_string (message));
}

/* The best answer so far, whose motion came just before. */
static void
on_answer_event (SsappJob *self, const json_t *event)
{
  SsTrajectory *motion = NULL;

  if (self->motion == NULL || ss_trajectory_copy (self->motion, &motion, NULL) != SS_OK)
    return;
  ss_trajectory_free (self->answer_motion);
  json_decref (self->answer);
  self->answer_motion = motion;
  self->answer = result_of (event);
  refuse_nonsense (self, self->answer, motion);
}

static void
on_result_event (SsappJob *self, const json_t *event)
{
  json_t *result = result_of (event);

  refuse_nonsense (self, result, self->has_answer ? self->motion : NULL);
  json_object_set_new (result, "warnings",
                       ssapp_quota_warnings (&self->quota, json_object_get (event, "warnings"), self->own_warnings));
  g_free (self->result_json);
  self->result_json = ssapp_json_text (result, TRUE);
  ssapp_job_end (self, ssapp_json_get_string (result, "outcome"), ssapp_json_get_string (result, "message"));
  json_decref (result);
}

static int
level_from_name (const char *name)
{
  static const char *const names[] = {"debug", "info", "warning", "error"};

  for (int i = 0; i < (int)G_N_ELEMENTS (names); i++)
    if (g_strcmp0 (name, names[i]) == 0)
      return i;
  return SS_LOG_INFO;
}

static void
on_iteration_event (SsappJob *self, const char *line, gsize length)
{
  char *text = g_strndup (line, length);
  SsappIteration row;

  if (ssapp_iteration_from_json (text, &row)) {
    if (self->has_last_row)
      ssapp_iteration_clear (&self->last_row);
    self->has_last_row = !ssapp_quota_take_row (&self->quota, row.iteration, strlen (row.json));
    if (self->has_last_row)
      self->last_row = row;
    else
      ssapp_job_add_row (self, &row);
  }
  g_free (text);
}

static void
on_log_event (SsappJob *self, const json_t *event)
{
  const char *text = ssapp_json_get_string (event, "text");
  const int level = level_from_name (ssapp_json_get_string (event, "level"));

  if (text != NULL && ssapp_quota_take_line (&self->quota, (SsLogLevel)level, text))
    ssapp_job_add_log (self, level, text);
}

static void
on_race_event (SsappJob *self, const json_t *event)
{
  json_decref (self->race);
  self->race = json_deep_copy (event);
  g_signal_emit (self, ssapp_job_signals[SSAPP_JOB_TELLS_RACE], 0);
}

void
ssapp_job_take_event (SsappJob *self, const char *line, gsize length)
{
  g_return_if_fail (self != NULL && line != NULL);
  Base64 data;
  json_t *event = read_event (line, length, &data);
  const char *type = ssapp_json_get_string (event, "type");
  const char *id = ssapp_json_get_string (event, "id");

  const gboolean is_foreign =
      json_object_get (event, "id") != NULL && (id == NULL || (id[0] != '\0' && strcmp (id, self->id) != 0));

  if (self->state == SSAPP_JOB_ENDED) {
    /* A late line is not an error of this job. */
  } else if (type == NULL) {
    ssapp_job_refuse_worker (self, "it has a line that cannot be read");
  } else if (is_foreign) {
    /* Nor is what is said of another job, unless that ends: then nothing more may come of this one. */
    if (strcmp (type, "result") == 0)
      ssapp_job_refuse_worker (self, "it has a result of another run");
  } else if (strcmp (type, "start") == 0) {
    g_signal_emit (self, ssapp_job_signals[SSAPP_JOB_TELLS_STARTED], 0);
  } else if (strcmp (type, "iteration") == 0) {
    on_iteration_event (self, line, length);
  } else if (strcmp (type, "iterate") == 0) {
    on_iterate_event (self, event, &data);
  } else if (strcmp (type, "frame") == 0) {
    on_frame_event (self, event);
  } else if (strcmp (type, "trajectory") == 0) {
    on_trajectory_event (self, event, &data);
  } else if (strcmp (type, "samples") == 0) {
    on_samples_event (self, event, &data);
  } else if (strcmp (type, "race") == 0) {
    on_race_event (self, event);
  } else if (strcmp (type, "log") == 0) {
    on_log_event (self, event);
  } else if (strcmp (type, "answer") == 0) {
    on_answer_event (self, event);
  } else if (strcmp (type, "result") == 0) {
    on_result_event (self, event);
  }
  json_decref (event);
}

/* Last words of the C++ library, of GLib and of the C library. */
static gboolean
tells_lack_of_memory (const char *text)
{
  static const char *const words[] = {"std::bad_alloc", "failed to allocate", "Cannot allocate memory"};

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strstr (text, words[i]) != NULL)
      return TRUE;
  return FALSE;
}

static void
on_stderr_line (SsappJob *self, const char *line, gsize length)
{
  char *text = g_strndup (line, length);
  char *valid = g_utf8_make_valid (text, -1);

  self->lacked_memory = self->lacked_memory || tells_lack_of_memory (valid);
  if (self->state != SSAPP_JOB_ENDED && valid[0] != '\0') {
    if (self->own_warnings->len < SSAPP_WARNINGS_MAX)
      g_ptr_array_add (self->own_warnings, g_strdup (valid));
    if (ssapp_quota_take_line (&self->quota, SS_LOG_WARNING, valid))
      ssapp_job_add_log (self, SS_LOG_WARNING, valid);
  }
  g_free (valid);
  g_free (text);
}

/* Reads what there is and hands out whole lines. FALSE at the end of the stream. What is longer than a line can be is
 * thrown away, and of events a reason to give up. */
static gboolean
read_lines (SsappJob *self, int fd, GByteArray *buffer, void (*handle) (SsappJob *, const char *, gsize))
{
  const guint old = buffer->len;
  gsize done = 0;
  ssize_t n;

  g_byte_array_set_size (buffer, old + READ_BYTES);
  do
    n = read (fd, buffer->data + old, READ_BYTES);
  while (n < 0 && errno == EINTR);
  g_byte_array_set_size (buffer, old + (guint)MAX (n, 0));
  if (n <= 0)
    return n < 0 && errno == EAGAIN;

  for (gsize i = old; i < buffer->len; i++) {
    if (buffer->data[i] != '\n')
      continue;
    handle (self, (const char *)buffer->data + done, i - done);
    done = i + 1;
  }
  g_byte_array_remove_range (buffer, 0, (guint)done);
  if (buffer->len > MAX_LINE_BYTES) {
    g_byte_array_set_size (buffer, 0);
    if (buffer == self->out_line)
      ssapp_job_refuse_worker (self, "it has a line of more than 64 MB");
  }
  return TRUE;
}

static gboolean
on_output (int fd, GIOCondition condition, gpointer user_data)
{
  SsappJob *self = g_object_ref (user_data);
  gboolean more = read_lines (self, fd, self->out_line, ssapp_job_take_event);

  (void)condition;
  if (!more) {
    ssapp_job_clear_source (&self->out_source);
    ssapp_job_end_without_result (self);
  }
  g_object_unref (self);
  return more;
}

static gboolean
on_error_output (int fd, GIOCondition condition, gpointer user_data)
{
  SsappJob *self = g_object_ref (user_data);
  gboolean more = read_lines (self, fd, self->err_line, on_stderr_line);

  (void)condition;
  if (!more) {
    ssapp_job_clear_source (&self->err_source);
    ssapp_job_end_without_result (self);
  }
  g_object_unref (self);
  return more;
}

static GSource *
watch (SsappJob *self, GInputStream *stream, GUnixFDSourceFunc function)
{
  int fd = g_unix_input_stream_get_fd (G_UNIX_INPUT_STREAM (stream));

  g_unix_set_fd_nonblocking (fd, TRUE, NULL);
  GSource *source = g_unix_fd_source_new (fd, G_IO_IN | G_IO_HUP | G_IO_ERR);
  g_source_set_callback (source, G_SOURCE_FUNC (function), self, NULL);
  g_source_attach (source, self->context);
  return source;
}

/* ---- starting, cancelling ---------------------------------------------------------------------------------------- */

char *
ssapp_job_find_worker (void)
{
  static const char *const places[] = {"stickslip-cli", "../app/stickslip-cli", "../../app/stickslip-cli"};
  const char *named = g_getenv ("STICKSLIP_WORKER");
  char *self_path, *folder, *found = NULL;

  if (named != NULL && named[0] != '\0')
    return g_strdup (named);
  self_path = g_file_read_link ("/proc/self/exe", NULL);
  folder = self_path != NULL ? g_path_get_dirname (self_path) : g_strdup (".");
  for (guint i = 0; found == NULL && i < G_N_ELEMENTS (places); i++) {
    found = g_build_filename (folder, places[i], NULL);
    if (!g_file_test (found, G_FILE_TEST_IS_EXECUTABLE))
      g_clear_pointer (&found, g_free);
  }
  g_free (folder);
  g_free (self_path);
  return found != NULL ? found : g_find_program_in_path ("stickslip-cli");
}

static GSubprocess *
spawn_worker (SsappJob *self, GError **error)
{
  g_autofree char *worker = ssapp_job_find_worker ();
  GSubprocess *process;

  if (worker == NULL) {
    g_set_error_literal (
        error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
        "stickslip-cli was not found beside this program nor on the path; STICKSLIP_WORKER may name it");
    return NULL;
  }
  const char *const words[] = {worker, "worker", NULL};
  process = ssapp_kin_spawn (words, NULL, NULL, self->id, self->bytes, error);
  if (process == NULL)
    g_prefix_error (error, "the worker %s cannot be started: ", worker);
  return process;
}

/* Of what is left of the time limit. */
static void
start_deadline (SsappJob *self)
{
  const double passed = 1e-3 * (double)(g_get_monotonic_time () - self->start_time);

  if (isfinite (self->seconds))
    self->deadline = ssapp_job_attach_timer (
        self, (guint)CLAMP (self->seconds * 1000 - passed + SSAPP_JOB_DEADLINE_MS - SSAPP_JOB_LOOK_MS, 0, G_MAXINT),
        ssapp_job_on_deadline);
}

gboolean
ssapp_job_start (SsappJob *self, GError **error)
{
  GError *local = NULL;
  char *line;

  g_return_val_if_fail (SSAPP_IS_JOB (self), FALSE);
  g_return_val_if_fail (self->state == SSAPP_JOB_WAITING, FALSE);
  if (!isfinite (self->bytes))
    self->bytes = ssapp_memory_default (1);
  self->process = spawn_worker (self, &local);
  if (self->process == NULL) {
    self->is_reaped = TRUE; /* there never was a process */
    ssapp_job_end (self, "failed", local->message);
    g_propagate_error (error, local);
    return FALSE;
  }
  self->state = SSAPP_JOB_RUNNING;
  self->start_time = g_get_monotonic_time ();
  self->out_source = watch (self, g_subprocess_get_stdout_pipe (self->process), on_output);
  self->err_source = watch (self, g_subprocess_get_stderr_pipe (self->process), on_error_output);
  start_deadline (self);
  if (isfinite (self->cpu_seconds))
    self->cpu_look = ssapp_job_attach_timer (self, CPU_LOOK_MS, ssapp_job_on_cpu_look);
  g_main_context_push_thread_default (self->context);
  g_subprocess_wait_async (self->process, NULL, ssapp_job_on_ended, g_object_ref (self));
  line = ssapp_job_line (self);
  ssapp_job_send (self, line);
  g_main_context_pop_thread_default (self->context);
  g_free (line);
  return TRUE;
}

void
ssapp_job_cancel (SsappJob *self)
{
  g_return_if_fail (SSAPP_IS_JOB (self));
  switch (self->state) {
  case SSAPP_JOB_WAITING:
    self->is_reaped = TRUE; /* there never was a process */
    ssapp_job_end (self, "cancelled", "cancelled before it was started");
    break;
  case SSAPP_JOB_RUNNING:
    self->state = SSAPP_JOB_CANCELLING;
    ssapp_job_send (self, "{\"type\":\"cancel\"}");
    ssapp_job_set_timer (self, self->cancel_grace, ssapp_job_kill_worker);
    break;
  case SSAPP_JOB_CANCELLING:
  case SSAPP_JOB_ENDED:
    break;
  }
}

void
ssapp_job_pause (SsappJob *self, gboolean paused)
{
  g_return_if_fail (SSAPP_IS_JOB (self));
  const gint64 now = g_get_monotonic_time ();

  if (self->state != SSAPP_JOB_RUNNING || paused == (self->paused_time != 0))
    return;
  if (!paused) {
    self->start_time += now - self->paused_time;
    start_deadline (self);
  } else
    ssapp_job_clear_source (&self->deadline);
  self->paused_time = paused ? now : 0;
  ssapp_job_send (self, paused ? "{\"type\":\"pause\"}" : "{\"type\":\"resume\"}");
}

gboolean
ssapp_job_is_paused (SsappJob *self)
{
  g_return_val_if_fail (SSAPP_IS_JOB (self), FALSE);
  return self->state == SSAPP_JOB_RUNNING && self->paused_time != 0;
}

void
ssapp_job_keep (SsappJob *self)
{
  g_return_if_fail (SSAPP_IS_JOB (self));
  if (self->state != SSAPP_JOB_RUNNING)
    return;
  ssapp_job_send (self, "{\"type\":\"keep\"}");
  ssapp_job_pause (self, FALSE);
}

void
ssapp_job_stop_member (SsappJob *self, const char *member)
{
  g_return_if_fail (SSAPP_IS_JOB (self) && member != NULL);
  if (self->state != SSAPP_JOB_RUNNING)
    return;
  json_t *request = json_pack ("{s:s, s:s}", "type", "stop_member", "member", member);
  g_autofree char *line = ssapp_json_text (request, FALSE);
  json_decref (request);
  ssapp_job_send (self, line);
}
