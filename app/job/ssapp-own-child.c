/* app/job/ssapp-own-child.c: see the header. */
#include "app/job/ssapp-own-child.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-memory.h"
#include "app/base/ssapp-place.h"
#include "app/base/ssapp-text.h"
#include "app/job/ssapp-kin.h"
#include "core/ss-work.h"

#include <errno.h>
#include <gio/gunixinputstream.h>
#include <gio/gunixoutputstream.h>
#include <glib-unix.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
  LOOK_MS = 20,
  READ_BYTES = 64 * 1024,
  LAST_WORDS = 400,
  LAST_LOOK_MS = 200,
  TEXT_MOST = 2000, /* bytes of a text that is shown */
  NAME_MOST = 40    /* of a column */
};
#define MAX_LINE_BYTES (64u << 20)        /* also of answers that it does not read */
#define MAX_ALL_BYTES  ((guint64)8 << 30) /* of one run: more than any motion that is kept */
/* CPU time that a program which computes takes, as a part of the time that passes. */
static const double COMPUTING = 0.01;

struct SsappOwnChild {
  SsappOwnRun *run;
  SsappOracle *oracle;
  GSubprocess *process;
  char *mark;
  int in, out, errors; /* the process's, borrowed; out, errors -1: at their end */
  GByteArray *input;   /* what it is told; it has taken the first `taken` bytes */
  guint taken;
  GByteArray *output; /* what it wrote: lines from `at` on */
  gsize at;
  guint64 n_bytes;  /* that it wrote, to output and errors */
  GString *words;   /* the end of what it wrote to standard error */
  double quiet;     /* wall clock when it last wrote or was seen to compute */
  double quiet_cpu; /* its CPU time then */
  double cpu, children_before;
  double counted; /* of its CPU time, as work of the thread that waits for it (core/ss-work.h) [s] */
};

/* ---- words ------------------------------------------------------------------------------------------------------- */

SsStatus
ssapp_own_fail (const SsappOwnRun *run, SsError *err, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  g_autofree char *visible = ssapp_text_visible (text, FALSE);
  return ss_error_set (err, SS_ERR_INVALID, "'%s', a method of your own, %s", run->own->method.name, visible);
}

char *
ssapp_own_text (const json_t *event, const char *key)
{
  const char *text = ssapp_json_get_string (event, key);
  g_autofree char *start = g_strndup (text != NULL ? text : "", TEXT_MOST);

  return ssapp_text_visible (start, FALSE);
}

/* "; its last words: ...": as many of the last as an error's message has room for, since those say what it died of. */
static char *
last_words (const SsappOwnChild *self)
{
  enum { ROOM = 180 };
  g_auto (GStrv) parts = g_strsplit_set (self->words->str, " \t\r\n", -1);
  int first = (int)g_strv_length (parts);
  g_autoptr (GString) words = g_string_new ("");

  for (gsize size = 0; first > 0 && (size == 0 || size + strlen (parts[first - 1]) < ROOM); first--)
    size += *parts[first - 1] != '\0' ? strlen (parts[first - 1]) + 1 : 0;
  for (int i = first; parts[i] != NULL; i++)
    if (*parts[i] != '\0')
      g_string_append_printf (words, "%s%s", words->len > 0 ? " " : "", parts[i]);
  return words->len > 0 ? g_strdup_printf ("; its last words: %s%s", first > 0 ? "... " : "", words->str)
                        : g_strdup ("");
}

/* ---- CPU time ---------------------------------------------------------------------------------------------------- */

static double
cpu_of_ended_children (void)
{
  struct rusage used;

  if (getrusage (RUSAGE_CHILDREN, &used) != 0)
    return 0;
  return (double)used.ru_utime.tv_sec + 1e-6 * (double)used.ru_utime.tv_usec + (double)used.ru_stime.tv_sec +
         1e-6 * (double)used.ru_stime.tv_usec;
}

/* CPU time that it has taken so far [s]. */
static double
cpu_of (SsappOwnChild *self)
{
  g_return_val_if_fail (self != NULL, (double)NAN);
  const pid_t pid = ssapp_kin_pid (self->process);
  struct timespec used;
  clockid_t clock;

  if (pid > 0 && clock_getcpuclockid (pid, &clock) == 0 && clock_gettime (clock, &used) == 0)
    self->cpu = fmax (self->cpu, (double)used.tv_sec + 1e-9 * (double)used.tv_nsec);
  return self->cpu;
}

/* Limits of counted work hold for it, too. */
static void
count_work (SsappOwnChild *self, double cpu)
{
  if (cpu > self->counted)
    ss_work_add (SS_WORK_SECOND * (cpu - self->counted));
  self->counted = fmax (self->counted, cpu);
}

/* ---- starting ---------------------------------------------------------------------------------------------------- */

static void
put_line (SsappOwnChild *self, const json_t *object)
{
  g_autofree char *line = ssapp_json_text (object, FALSE);

  g_byte_array_append (self->input, (const guint8 *)line, (guint)strlen (line));
  g_byte_array_append (self->input, (const guint8 *)"\n", 1);
}

/* The folder of our Python modules comes first on its path. */
static char *
python_path (void)
{
  g_autofree char *ours = ssapp_place_of_python ();
  const char *theirs = g_getenv ("PYTHONPATH");

  if (ours == NULL)
    return g_strdup (theirs != NULL ? theirs : "");
  return theirs != NULL && theirs[0] != '\0' ? g_strconcat (ours, ":", theirs, NULL) : g_steal_pointer (&ours);
}

static GSubprocess *
spawn (const SsappOwnRun *run, const char *mark, GError **error)
{
  /* a module is found in the folder where Python starts before any other */
  g_autofree char *path = python_path (), *folder = run->own->is_module ? g_path_get_dirname (run->own->file) : NULL;
  const char *const environment[] = {"PYTHONPATH", path, "PYTHONDONTWRITEBYTECODE", "1", NULL};
  const double bytes = isfinite (run->bytes) ? run->bytes : ssapp_memory_default (1);

  return ssapp_kin_spawn ((const char *const *)run->own->command, environment, folder, mark, bytes, error);
}

SsappOwnChild *
ssapp_own_child_new (SsappOwnRun *run, const json_t *more, SsappOracle *oracle, SsError *err)
{
  g_return_val_if_fail (run != NULL, NULL);
  g_autofree char *mark = g_uuid_string_random ();
  g_autoptr (GError) error = NULL;
  const double before = cpu_of_ended_children ();
  GSubprocess *process = spawn (run, mark, &error);

  if (process == NULL) {
    ssapp_own_fail (run, err, "cannot be started: %s", error->message);
    return NULL;
  }
  SsappOwnChild *self = g_new0 (SsappOwnChild, 1);
  *self = (SsappOwnChild){
      .run = run,
      .oracle = oracle,
      .process = process,
      .mark = g_steal_pointer (&mark),
      .in = g_unix_output_stream_get_fd (G_UNIX_OUTPUT_STREAM (g_subprocess_get_stdin_pipe (process))),
      .out = g_unix_input_stream_get_fd (G_UNIX_INPUT_STREAM (g_subprocess_get_stdout_pipe (process))),
      .errors = g_unix_input_stream_get_fd (G_UNIX_INPUT_STREAM (g_subprocess_get_stderr_pipe (process))),
      .input = g_byte_array_new (),
      .output = g_byte_array_new (),
      .words = g_string_new (""),
      .quiet = ss_clock_wall (),
      .children_before = before};
  g_unix_set_fd_nonblocking (self->in, TRUE, NULL);
  g_unix_set_fd_nonblocking (self->out, TRUE, NULL);
  g_unix_set_fd_nonblocking (self->errors, TRUE, NULL);
  json_t *job = json_copy (run->job);
  if (more != NULL)
    json_object_update (job, (json_t *)more);
  put_line (self, job);
  json_decref (job);
  return self;
}

void
ssapp_own_child_free (SsappOwnChild *self)
{
  if (self == NULL)
    return;
  double cpu = cpu_of (self);
  ssapp_kin_kill (self->process);
  g_subprocess_wait (self->process, NULL, NULL);
  ssapp_kin_ended (self->mark);
  ssapp_kin_end_strangers ();
  cpu = fmax (cpu, cpu_of_ended_children () - self->children_before);
  self->run->cpu += cpu;
  count_work (self, cpu);
  g_object_unref (self->process);
  g_byte_array_unref (self->input);
  g_byte_array_unref (self->output);
  g_string_free (self->words, TRUE);
  g_free (self->mark);
  g_free (self);
}

/* ---- hearing ----------------------------------------------------------------------------------------------------- */

static guint
left_to_write (const SsappOwnChild *self)
{
  return self->input->len - self->taken;
}

/* It asks without reading the answers: it is heard again when it has read some. */
static gboolean
is_behind (const SsappOwnChild *self)
{
  return left_to_write (self) > MAX_LINE_BYTES;
}

static void
write_some (SsappOwnChild *self)
{
  const ssize_t n = write (self->in, self->input->data + self->taken, MIN (left_to_write (self), READ_BYTES));

  if (n > 0)
    self->taken += (guint)n;
  else if (n < 0 && errno != EAGAIN && errno != EINTR)
    self->taken = self->input->len; /* it reads no more: what it writes next, or its end, tells */
  if (left_to_write (self) > 0)
    return;
  g_byte_array_set_size (self->input, 0);
  self->taken = 0;
}

static void
read_output (SsappOwnChild *self)
{
  const guint old = self->output->len;

  g_byte_array_set_size (self->output, old + READ_BYTES);
  const ssize_t n = read (self->out, self->output->data + old, READ_BYTES);
  g_byte_array_set_size (self->output, old + (guint)MAX (n, 0));
  if (n > 0)
    self->n_bytes += (guint64)n;
  else if (n == 0 || (errno != EAGAIN && errno != EINTR))
    self->out = -1;
}

/* The end of what it says is kept: there the reason stands. */
static void
read_errors (SsappOwnChild *self)
{
  char buffer[4096];
  const ssize_t n = read (self->errors, buffer, sizeof buffer);

  if (n > 0) {
    self->n_bytes += (guint64)n;
    g_string_append_len (self->words, buffer, n);
    if (self->words->len > LAST_WORDS)
      g_string_erase (self->words, 0, (gssize)(self->words->len - LAST_WORDS));
  } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
    self->errors = -1;
  }
}

/* Waits for something to read or write; FALSE: nothing came. */
static gboolean
pump (SsappOwnChild *self, int wait_ms)
{
  struct pollfd p[] = {{.fd = is_behind (self) ? -1 : self->out, .events = POLLIN},
                       {.fd = self->errors, .events = POLLIN},
                       {.fd = left_to_write (self) > 0 ? self->in : -1, .events = POLLOUT}};

  if (poll (p, G_N_ELEMENTS (p), wait_ms) <= 0)
    return FALSE;
  if (p[2].revents != 0)
    write_some (self);
  if (p[1].revents != 0)
    read_errors (self);
  if (p[0].revents != 0)
    read_output (self);
  return TRUE;
}

/* It ended without a result: how, and what it said last. */
static void
tell_death (SsappOwnChild *self, SsError *err)
{
  g_autofree char *words = NULL;

  while (self->errors >= 0 && pump (self, LAST_LOOK_MS))
    continue;
  ssapp_kin_kill (self->process);
  g_subprocess_wait (self->process, NULL, NULL);
  words = last_words (self);
  if (g_subprocess_get_if_signaled (self->process))
    ssapp_own_fail (self->run, err, "closed its output without a result, or was killed (signal %d)%s",
                    g_subprocess_get_term_sig (self->process), words);
  else
    ssapp_own_fail (self->run, err, "ended without a result (exit status %d)%s",
                    g_subprocess_get_if_exited (self->process) ? g_subprocess_get_exit_status (self->process) : -1,
                    words);
}

/* Whether it neither writes nor computes for longer than its patience. */
static gboolean
is_stuck (SsappOwnChild *self)
{
  const double now = ss_clock_wall (), passed = now - self->quiet, patience = self->run->own->patience;

  if (passed < patience)
    return FALSE;
  const double cpu = cpu_of (self);
  const gboolean computes = cpu - self->quiet_cpu > COMPUTING * passed;

  self->quiet = now;
  self->quiet_cpu = cpu;
  return !computes;
}

/* While the run is paused the program waits too, and what it started; that it is quiet then is no fault of its own. */
static gboolean
should_stop (SsappOwnChild *self, SsRunControl *control, SsOutcome *why)
{
  const gboolean is_paused = control != NULL && atomic_load (&control->pause) != 0;

  if (is_paused)
    ssapp_kin_hold (self->mark, TRUE);
  const double asked = ss_clock_wall ();
  const gboolean stops = ss_run_control_should_stop (control, why); /* which waits */
  if (is_paused && !stops)
    ssapp_kin_hold (self->mark, FALSE);
  if (is_paused || ss_clock_wall () - asked > 1e-3 * LOOK_MS) { /* or the pause came just before the question */
    self->quiet = ss_clock_wall ();
    self->quiet_cpu = cpu_of (self);
  }
  return stops;
}

/* The next line that it wrote, without its end; borrowed until the next call. NULL with an error. */
static const char *
next_line (SsappOwnChild *self, SsRunControl *control, gsize *length, SsError *err)
{
  gsize looked = self->at;
  SsOutcome why;

  for (;;) {
    const char *data = (const char *)self->output->data;
    const char *end = looked < self->output->len ? memchr (data + looked, '\n', self->output->len - looked) : NULL;
    if (end != NULL && !is_behind (self)) {
      const char *line = data + self->at;
      *length = (gsize)(end - line);
      self->at += *length + 1;
      return line;
    }
    if (self->at > 0)
      g_byte_array_remove_range (self->output, 0, (guint)self->at);
    self->at = 0;
    looked = end != NULL ? 0 : self->output->len;
    count_work (self, cpu_of (self));
    if (should_stop (self, control, &why))
      ss_error_set (err, SS_ERR_INVALID, "%s", ss_outcome_early_words (why));
    else if (self->output->len > MAX_LINE_BYTES || self->n_bytes > MAX_ALL_BYTES)
      ssapp_own_fail (self->run, err, "writes without end: a line of more than 64 MB, or more than 8 GB in all");
    else if (self->out < 0 && end == NULL)
      tell_death (self, err);
    else if (pump (self, LOOK_MS)) {
      self->quiet = ss_clock_wall ();
      continue;
    } else if (!is_stuck (self))
      continue;
    else
      ssapp_own_fail (self->run, err, "hangs: for %g s it neither wrote nor computed%s", self->run->own->patience,
                      is_behind (self) ? ", nor read the answers to its questions" : "");
    return NULL;
  }
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

static void
take_log (const json_t *event, SsRunControl *control)
{
  static const char *const names[] = {"debug", "info", "warning", "error"};
  const char *level = ssapp_json_get_string (event, "level");
  g_autofree char *text = ssapp_own_text (event, "text");
  int k = 0;

  while (k < (int)G_N_ELEMENTS (names) && g_strcmp0 (names[k], level) != 0)
    k++;
  ss_run_control_log (control, k < (int)G_N_ELEMENTS (names) ? (SsLogLevel)k : SS_LOG_INFO, "%s", text);
}

/* A row of the convergence table: the columns that every table has, then those of its own. */
static void
take_iteration (const json_t *event, SsRunControl *control)
{
  enum { COLUMNS_MAX = 16 };
  static const char *const common[] = {"objective", "violation", "complementarity", NULL};
  static const char *const about[] = {"type", "id", "t", "iteration", NULL};
  SsColumn columns[COLUMNS_MAX];
  const char *name;
  json_t *value;
  int n = 0;

  for (; common[n] != NULL; n++)
    columns[n] = (SsColumn){common[n], ssapp_json_get_real (event, common[n])};
  json_object_foreach ((json_t *)event, name, value)
  {
    if (n == COLUMNS_MAX)
      break;
    if (json_is_number (value) && strlen (name) <= NAME_MOST && !g_strv_contains (about, name) &&
        !g_strv_contains (common, name))
      columns[n++] = (SsColumn){name, json_number_value (value)};
  }
  ss_run_control_emit_iteration (control, (int)json_integer_value (json_object_get (event, "iteration")), columns, n);
}

json_t *
ssapp_own_child_next (SsappOwnChild *self, SsRunControl *control, SsError *err)
{
  g_return_val_if_fail (self != NULL, NULL);
  static const char *const returned[] = {"frame", "iterate", "result", NULL};
  const char *line;
  gsize length;

  while ((line = next_line (self, control, &length, err)) != NULL) {
    json_error_t where;
    json_t *event = json_loadb (line, length, JSON_ALLOW_NUL, &where);
    const char *type = ssapp_json_get_string (event, "type");

    if (type != NULL && g_strv_contains (returned, type))
      return event;
    if (type == NULL) {
      g_autofree char *start = g_strndup (line, MIN (length, 80));
      ssapp_own_fail (self->run, err, "wrote a line that is no event (an object with a \"type\"): %s", start);
      json_decref (event);
      return NULL;
    }
    if (strcmp (type, "log") == 0) {
      take_log (event, control);
    } else if (strcmp (type, "iteration") == 0) {
      take_iteration (event, control);
    } else if (strcmp (type, "question") == 0) {
      json_t *reply = ssapp_oracle_reply (self->oracle, event);
      put_line (self, reply);
      json_decref (reply);
    } else if (strcmp (type, "start") != 0) {
      ssapp_own_fail (self->run, err,
                      "wrote an event of type \"%.40s\" (expected log, question, iteration, iterate, frame or result)",
                      type);
      json_decref (event);
      return NULL;
    }
    json_decref (event);
  }
  return NULL;
}
