/* app/job/ssapp-worker.c: see ssapp-worker.h.
 *
 * The main thread owns input, output and signals and never waits for the solver. Output is written in pieces that a
 * pipe takes without blocking, so that a slow reader delays events but not the answer to a cancel.
 */
#include "app/job/ssapp-worker.h"

#include "app/base/ssapp-capture.h"
#include "app/job/ssapp-events.h"
#include "app/base/ssapp-json.h"
#include "app/job/ssapp-result.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  READ_BYTES = 64 * 1024,
  PIPE_BYTES = 1024 * 1024, /* as much as Linux lets a pipe have                                     */
  LAST_FLUSH_MS = 2000,     /* how long a slow reader is waited for at the end                   */
  RETRY_MS = 10,            /* looks for an abandoned solver's return before the next job        */
};
#define MAX_LINE_BYTES  (64u << 20) /* a scenario has at most 16 MB; in JSON text it may grow */
#define MAX_OUTPUT_WAIT (16u << 20) /* beyond this, frames and iterates for display are dropped */

typedef struct {
  GMainLoop *loop;
  SsappRunner *runner;
  SsappCapture *capture;
  int out_fd;
  guint piece; /* bytes that one write may have, so that it never waits */
  GByteArray *output;
  guint written; /* bytes of output that the reader has taken */
  guint output_source;
  GByteArray *input;
  gboolean input_is_too_long;
  gboolean has_ended;     /* no further jobs will come        */
  gboolean is_terminated; /* by a signal                      */
  GQueue waiting;         /* of SsappJobSpec                  */
  guint next_source;
  char *current; /* id of the running job */
} Worker;

/* ---- output ------------------------------------------------------------------------------------------------------ */

/* Of a pipe that is not others' to block in: a descriptor of our own that never waits, with room for a second of a
 * motion, so that one call writes much. Of what else there is: that descriptor, which after POLLOUT takes PIPE_BUF
 * bytes without waiting. */
static void
open_output (Worker *self, int fd)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  struct stat about;
  const int own =
      fstat (fd, &about) == 0 && S_ISFIFO (about.st_mode) ? open (path, O_WRONLY | O_NONBLOCK | O_CLOEXEC) : -1;

  self->out_fd = own >= 0 ? own : fd;
  self->piece = own >= 0 ? PIPE_BYTES : PIPE_BUF;
  if (own >= 0)
    (void)fcntl (own, F_SETPIPE_SZ, PIPE_BYTES); /* else it stays as small as it was */
}

/* Writes what the reader takes within `wait_ms`. FALSE when something is left. */
static gboolean
write_some (Worker *self, int wait_ms)
{
  while (self->written < self->output->len) {
    struct pollfd p = {.fd = self->out_fd, .events = POLLOUT};
    int ready = poll (&p, 1, wait_ms);
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0)
      break;
    const ssize_t n =
        write (self->out_fd, self->output->data + self->written, MIN (self->output->len - self->written, self->piece));
    if (n < 0 && errno != EINTR && errno != EAGAIN)
      _exit (0); /* the reader is gone: nobody wants the answer */
    if (n > 0)
      self->written += (guint)n;
  }
  /* What is left moves to the front once it is the smaller part: a motion of 100 MB leaves in thousands of pieces. */
  if (self->written > self->output->len / 2) {
    g_byte_array_remove_range (self->output, 0, self->written);
    self->written = 0;
  }
  return self->output->len == 0;
}

static gboolean
on_writable (int fd, GIOCondition condition, gpointer user_data)
{
  Worker *self = user_data;

  (void)fd;
  (void)condition;
  if (!write_some (self, 0))
    return G_SOURCE_CONTINUE;
  self->output_source = 0;
  return G_SOURCE_REMOVE;
}

static void
write_line (const char *line, gpointer user_data)
{
  Worker *self = user_data;

  g_byte_array_append (self->output, (const guint8 *)line, (guint)strlen (line));
  g_byte_array_append (self->output, (const guint8 *)"\n", 1);
  if (self->output_source == 0 && !write_some (self, 0))
    self->output_source = g_unix_fd_add (self->out_fd, G_IO_OUT | G_IO_ERR, on_writable, self);
}

/* ---- jobs -------------------------------------------------------------------------------------------------------- */

static void look_for_work (Worker *self);

static gboolean
on_next (gpointer user_data)
{
  Worker *self = user_data;

  self->next_source = 0;
  look_for_work (self);
  return G_SOURCE_REMOVE;
}

static void
schedule_next (Worker *self, guint milliseconds)
{
  if (self->next_source == 0)
    self->next_source = g_timeout_add (milliseconds, on_next, self);
}

static void
look_for_work (Worker *self)
{
  if (ssapp_runner_is_running (self->runner))
    return;
  if (g_queue_is_empty (&self->waiting)) {
    if (self->has_ended)
      g_main_loop_quit (self->loop);
    else if (ssapp_runner_is_busy (self->runner))
      schedule_next (self, RETRY_MS);
    return;
  }
  if (ssapp_runner_is_busy (self->runner)) {
    schedule_next (self, RETRY_MS);
  } else {
    SsappJobSpec *spec = g_queue_pop_head (&self->waiting);
    g_free (self->current);
    self->current = g_strdup (spec->id);
    ssapp_runner_start (self->runner, spec);
  }
}

static void
on_event (SsappRunner *runner, const SsappJobSpec *spec, const SsappEvent *event, gpointer user_data)
{
  Worker *self = user_data;
  const gboolean for_display = event->kind == SSAPP_EVENT_ITERATE || event->kind == SSAPP_EVENT_FRAME;

  (void)runner;
  if (for_display && self->output->len - self->written > MAX_OUTPUT_WAIT)
    return;
  ssapp_event_lines (spec, event, write_line, self);
  if (event->kind == SSAPP_EVENT_RESULT)
    schedule_next (self, 0);
}

/* A job that is refused, or cancelled while it waits: a log line and its result. */
static void
refuse (Worker *self, const SsappJobSpec *spec, SsOutcome outcome, const char *message)
{
  json_t *result = ssapp_result_new_failed (spec, NULL, message, NULL);
  const SsappEvent log = {.kind = SSAPP_EVENT_LOG, .level = SS_LOG_ERROR, .text = message};
  const SsappEvent end = {.kind = SSAPP_EVENT_RESULT, .result = result};

  json_object_set_new (result, "outcome", json_string (ss_outcome_name (outcome)));
  if (outcome == SS_OUTCOME_FAILED)
    ssapp_event_lines (spec, &log, write_line, self);
  ssapp_event_lines (spec, &end, write_line, self);
  json_decref (result);
}

static void
refuse_line (Worker *self, const char *id, const char *message)
{
  SsappJobSpec *spec = ssapp_job_spec_new ();

  g_free (spec->id);
  spec->id = g_strdup (id != NULL ? id : "");
  refuse (self, spec, SS_OUTCOME_FAILED, message);
  ssapp_job_spec_free (spec);
}

static void
cancel_waiting (Worker *self, const char *id)
{
  for (GList *link = self->waiting.head; link != NULL;) {
    GList *next = link->next;
    SsappJobSpec *spec = link->data;
    if (id == NULL || strcmp (spec->id, id) == 0) {
      refuse (self, spec, SS_OUTCOME_CANCELLED, "cancelled before it began");
      ssapp_job_spec_free (spec);
      g_queue_delete_link (&self->waiting, link);
    }
    link = next;
  }
}

/* ---- input ------------------------------------------------------------------------------------------------------- */

static void
end_input (Worker *self)
{
  self->has_ended = TRUE;
  ssapp_runner_pause (self->runner, FALSE); /* nobody is left who could resume it */
  look_for_work (self);
}

static void
on_line (Worker *self, const char *line, gsize length)
{
  json_error_t where;
  json_t *object;
  const char *type, *id;
  char *message = NULL;

  while (length > 0 && g_ascii_isspace (line[length - 1]))
    length--;
  if (length == 0 || self->has_ended)
    return;
  object = json_loadb (line, length, JSON_REJECT_DUPLICATES, &where);
  type = ssapp_json_get_string (object, "type");
  id = ssapp_json_get_string (object, "id");
  if (object == NULL) {
    message = g_strdup_printf ("this line is no JSON object: %s (column %d)", where.text, where.column);
  } else if (type == NULL) {
    message = g_strdup ("this line has no \"type\"");
  } else if (strcmp (type, "job") == 0) {
    SsappJobSpec *spec = ssapp_job_spec_from_json (object, &message);
    if (spec != NULL)
      g_queue_push_tail (&self->waiting, spec);
    if (spec != NULL)
      look_for_work (self);
  } else if (strcmp (type, "cancel") == 0) {
    if (id != NULL)
      cancel_waiting (self, id);
    if (id == NULL || g_strcmp0 (id, self->current) == 0)
      ssapp_runner_cancel (self->runner);
  } else if (strcmp (type, "pause") == 0 || strcmp (type, "resume") == 0) {
    ssapp_runner_pause (self->runner, type[0] == 'p');
  } else if (strcmp (type, "keep") == 0) {
    ssapp_runner_keep (self->runner);
  } else if (strcmp (type, "stop_member") == 0) {
    ssapp_runner_stop_member (self->runner, ssapp_json_get_string (object, "member"));
  } else if (strcmp (type, "quit") == 0) {
    end_input (self);
  } else {
    message =
        g_strdup_printf ("unknown type \"%s\" (expected job, cancel, pause, resume, keep, stop_member or quit)", type);
  }
  if (message != NULL)
    refuse_line (self, id, message);
  g_free (message);
  json_decref (object);
}

static gboolean
on_input (int fd, GIOCondition condition, gpointer user_data)
{
  Worker *self = user_data;
  const guint old = self->input->len;
  gsize done = 0;
  ssize_t n;

  (void)condition;
  g_byte_array_set_size (self->input, old + READ_BYTES);
  n = read (fd, self->input->data + old, READ_BYTES);
  g_byte_array_set_size (self->input, old + (guint)MAX (n, 0));
  if (n < 0 && (errno == EINTR || errno == EAGAIN))
    return G_SOURCE_CONTINUE;
  for (gsize i = old; i < self->input->len; i++) {
    if (self->input->data[i] != '\n')
      continue;
    if (!self->input_is_too_long)
      on_line (self, (const char *)self->input->data + done, i - done);
    self->input_is_too_long = FALSE;
    done = i + 1;
  }
  /* A last line without newline counts. */
  if (n <= 0 && done < self->input->len && !self->input_is_too_long)
    on_line (self, (const char *)self->input->data + done, self->input->len - done);
  g_byte_array_remove_range (self->input, 0, (guint)done);
  if (self->input->len > MAX_LINE_BYTES) {
    refuse_line (self, NULL, "this line is too long");
    self->input_is_too_long = TRUE;
  }
  if (self->input_is_too_long)
    g_byte_array_set_size (self->input, 0);
  if (n > 0)
    return G_SOURCE_CONTINUE;
  end_input (self);
  return G_SOURCE_REMOVE;
}

static gboolean
on_signal (gpointer user_data)
{
  Worker *self = user_data;

  self->is_terminated = self->has_ended = TRUE;
  cancel_waiting (self, NULL);
  ssapp_runner_cancel (self->runner);
  look_for_work (self);
  return G_SOURCE_CONTINUE;
}

static void
on_captured (SsLogLevel level, const char *line, gpointer user_data)
{
  Worker *self = user_data;

  ssapp_runner_log (self->runner, level, line);
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

int
ssapp_worker_main (void)
{
  Worker self = {.output = g_byte_array_new (), .input = g_byte_array_new ()};
  int status;

  signal (SIGPIPE, SIG_IGN);
  signal (SIGXFSZ, SIG_IGN);
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  setpriority (PRIO_PROCESS, 0, SSAPP_WORKER_NICE);

  g_queue_init (&self.waiting);
  self.loop = g_main_loop_new (NULL, FALSE);
  self.capture = ssapp_capture_start (on_captured, &self);
  open_output (&self, ssapp_capture_output_fd (self.capture));
  self.runner = ssapp_runner_new (on_event, &self);
  ssapp_runner_set_capture (self.runner, self.capture);
  g_unix_signal_add (SIGTERM, on_signal, &self);
  g_unix_signal_add (SIGINT, on_signal, &self);
  g_unix_signal_add (SIGHUP, on_signal, &self);
  g_unix_fd_add (STDIN_FILENO, G_IO_IN | G_IO_HUP | G_IO_ERR, on_input, &self);
  g_main_loop_run (self.loop);

  write_some (&self, LAST_FLUSH_MS);
  status = self.is_terminated ? 3 : 0;
  /* A solver that is still inside a factorisation is left there. */
  if (ssapp_runner_is_busy (self.runner))
    _exit (status);
  ssapp_runner_free (self.runner);
  ssapp_capture_stop (self.capture);
  g_main_loop_unref (self.loop);
  g_free (self.current);
  g_byte_array_unref (self.output);
  g_byte_array_unref (self.input);
  return status;
}
