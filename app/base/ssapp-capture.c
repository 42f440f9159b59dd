/* app/base/ssapp-capture.c: see ssapp-capture.h. */
#include "app/base/ssapp-capture.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { N_STREAMS = 2, BUFFER_BYTES = 16 * 1024, MAX_LINE_BYTES = 64 * 1024, CRASH_WAIT_NS = 500 * 1000 * 1000 };

typedef struct {
  int target; /* 1 or 2                 */
  int saved;  /* where it led           */
  int read_end;
  guint source;
  GString *line;
} Stream;

struct SsappCapture {
  SsappCaptureFunc func;
  gpointer user_data;
  Stream streams[N_STREAMS];
};

static const int crash_signals[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP};

/* For the crash handler, which may touch nothing else: descriptors to read from, and the old standard error. */
static volatile sig_atomic_t crash_from[N_STREAMS] = {-1, -1};
static volatile sig_atomic_t crash_to = -1;
static pthread_t crash_reader; /* the thread that reads the pipes */

static void
on_crash (int number)
{
  char buffer[4096];

  for (int i = 0; i < N_STREAMS; i++) {
    ssize_t n;
    while (crash_from[i] >= 0 && (n = read (crash_from[i], buffer, sizeof buffer)) > 0)
      if (write (crash_to, buffer, (size_t)n) != n)
        break;
  }
  /* What the other thread has read already it hands out meanwhile, such as why a solver's thread ends the process. */
  if (!pthread_equal (pthread_self (), crash_reader))
    nanosleep (&(const struct timespec){.tv_nsec = CRASH_WAIT_NS}, NULL);
  /* SA_RESETHAND has put the default back. */
  raise (number);
}

static void
watch_crashes (gboolean on)
{
  struct sigaction action;

  memset (&action, 0, sizeof action);
  sigemptyset (&action.sa_mask);
  action.sa_handler = on ? on_crash : SIG_DFL;
  action.sa_flags = (int)SA_RESETHAND;
  for (guint i = 0; i < G_N_ELEMENTS (crash_signals); i++)
    sigaction (crash_signals[i], &action, NULL);
}

static void
hand_out (SsappCapture *self, Stream *stream)
{
  if (stream->line->len == 0)
    return;
  char *valid = g_utf8_make_valid (stream->line->str, (gssize)stream->line->len);
  self->func (stream->target == STDERR_FILENO ? SS_LOG_WARNING : SS_LOG_INFO, valid, self->user_data);
  g_free (valid);
  g_string_truncate (stream->line, 0);
}

static void
read_stream (SsappCapture *self, Stream *stream)
{
  char buffer[BUFFER_BYTES];
  ssize_t n;

  while ((n = read (stream->read_end, buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR))
    for (ssize_t i = 0; i < n; i++) {
      if (buffer[i] != '\n' && buffer[i] != '\0')
        g_string_append_c (stream->line, buffer[i]);
      if (buffer[i] == '\n' || stream->line->len >= MAX_LINE_BYTES)
        hand_out (self, stream);
    }
}

static gboolean
on_readable (int fd, GIOCondition condition, gpointer user_data)
{
  SsappCapture *self = user_data;

  (void)condition;
  for (int i = 0; i < N_STREAMS; i++)
    if (self->streams[i].read_end == fd)
      read_stream (self, &self->streams[i]);
  return G_SOURCE_CONTINUE;
}

static gboolean
open_stream (SsappCapture *self, Stream *stream, int target)
{
  int ends[2];

  stream->target = target;
  if (!g_unix_open_pipe (ends, FD_CLOEXEC, NULL))
    return FALSE;
  stream->saved = fcntl (target, F_DUPFD_CLOEXEC, 3);
  if (stream->saved < 0 || dup2 (ends[1], target) < 0) {
    close (ends[0]);
    close (ends[1]);
    if (stream->saved >= 0)
      close (stream->saved);
    return FALSE;
  }
  close (ends[1]);
  stream->read_end = ends[0];
  g_unix_set_fd_nonblocking (stream->read_end, TRUE, NULL);
  stream->line = g_string_new ("");
  stream->source = g_unix_fd_add (stream->read_end, G_IO_IN, on_readable, self);
  return TRUE;
}

static void
close_stream (Stream *stream)
{
  dup2 (stream->saved, stream->target);
  close (stream->saved);
  close (stream->read_end);
  g_source_remove (stream->source);
  g_string_free (stream->line, TRUE);
}

SsappCapture *
ssapp_capture_start (SsappCaptureFunc func, gpointer user_data)
{
  SsappCapture *self = g_new0 (SsappCapture, 1);

  self->func = func;
  self->user_data = user_data;
  fflush (stdout);
  setvbuf (stdout, NULL, _IOLBF, 0);
  if (!open_stream (self, &self->streams[0], STDOUT_FILENO)) {
    g_free (self);
    return NULL;
  }
  if (!open_stream (self, &self->streams[1], STDERR_FILENO)) {
    close_stream (&self->streams[0]);
    g_free (self);
    return NULL;
  }
  crash_reader = pthread_self ();
  crash_to = self->streams[1].saved;
  for (int i = 0; i < N_STREAMS; i++)
    crash_from[i] = self->streams[i].read_end;
  watch_crashes (TRUE);
  return self;
}

int
ssapp_capture_output_fd (SsappCapture *self)
{
  return self != NULL ? self->streams[0].saved : STDOUT_FILENO;
}

int
ssapp_capture_error_fd (SsappCapture *self)
{
  return self != NULL ? self->streams[1].saved : STDERR_FILENO;
}

void
ssapp_capture_drain (SsappCapture *self)
{
  if (self == NULL)
    return;
  /* What libraries left in the C library's buffer belongs to this job. A thread that waits in printf for us to read
   * holds the lock. */
  if (ftrylockfile (stdout) == 0) {
    fflush (stdout);
    funlockfile (stdout);
  }
  for (int i = 0; i < N_STREAMS; i++) {
    read_stream (self, &self->streams[i]);
    hand_out (self, &self->streams[i]);
  }
}

void
ssapp_capture_stop (SsappCapture *self)
{
  if (self == NULL)
    return;
  ssapp_capture_drain (self);
  watch_crashes (FALSE);
  for (int i = 0; i < N_STREAMS; i++) {
    crash_from[i] = -1;
    close_stream (&self->streams[i]);
  }
  g_free (self);
}
