/* app/bench/ssapp-paper-job.c: see ssapp-paper-job.h. */
#include "app/bench/ssapp-paper-job.h"

#include "app/bench/ssapp-paper-book.h"
#include "app/job/ssapp-job.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

struct _SsappPaperJob {
  GObject parent;
  const SsappPaper *paper;
  GSubprocess *process;  /* NULL: it could not be started */
  GOutputStream *output; /* is not read */
  GDataInputStream *lines;
  char *last; /* line that was told; "" */
  char *error;
  GPtrArray *tables;
  gboolean is_partial, has_output, has_ended, is_done;
};

enum { SIGNAL_TOLD, SIGNAL_ENDED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (SsappPaperJob, ssapp_paper_job, G_TYPE_OBJECT)

static void
finalize (GObject *object)
{
  SsappPaperJob *self = SSAPP_PAPER_JOB (object);

  g_clear_object (&self->process);
  g_clear_object (&self->output);
  g_clear_object (&self->lines);
  g_free (self->last);
  g_free (self->error);
  g_clear_pointer (&self->tables, g_ptr_array_unref);
  G_OBJECT_CLASS (ssapp_paper_job_parent_class)->finalize (object);
}

static void
ssapp_paper_job_class_init (SsappPaperJobClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
  signals[SIGNAL_TOLD] = g_signal_new ("told", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[SIGNAL_ENDED] =
      g_signal_new ("ended", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ssapp_paper_job_init (SsappPaperJob *self)
{
  self->last = g_strdup ("");
}

/* ---- what comes out ---------------------------------------------------------------------------------------------- */

/* What the process left in the user's folder. */
static void
read_document (SsappPaperJob *self)
{
  json_t *document = ssapp_paper_cached (self->paper);
  const char *problem = json_string_value (json_object_get (document, "problem"));

  self->tables = document != NULL && problem == NULL ? ssapp_paper_read (document) : NULL;
  self->is_partial = json_is_false (json_object_get (document, "complete"));
  if (self->tables == NULL && self->error == NULL)
    self->error = g_strdup (problem != NULL       ? problem
                            : *self->last != '\0' ? self->last
                                                  : "The process ended before it had a table");
  json_decref (document);
}

/* Once the output has been read and the process is gone. */
static void
end_if_done (SsappPaperJob *self)
{
  if (self->is_done || !self->has_output || !self->has_ended)
    return;
  self->is_done = TRUE;
  read_document (self);
  g_signal_emit (self, signals[SIGNAL_ENDED], 0);
}

static void
on_output (GObject *stream, GAsyncResult *result, gpointer data)
{
  g_autoptr (SsappPaperJob) self = data;

  g_output_stream_splice_finish (G_OUTPUT_STREAM (stream), result, NULL);
  self->has_output = TRUE;
  end_if_done (self);
}

static void
on_process_ended (GObject *process, GAsyncResult *result, gpointer data)
{
  g_autoptr (SsappPaperJob) self = data;

  g_subprocess_wait_finish (G_SUBPROCESS (process), result, NULL);
  self->has_ended = TRUE;
  end_if_done (self);
}

static void
on_line (GObject *stream, GAsyncResult *result, gpointer data)
{
  g_autoptr (SsappPaperJob) self = data;
  g_autofree char *line = g_data_input_stream_read_line_finish_utf8 (G_DATA_INPUT_STREAM (stream), result, NULL, NULL);

  if (line == NULL)
    return;
  if (*line != '\0') {
    g_free (self->last);
    self->last = g_strdup (line);
    g_signal_emit (self, signals[SIGNAL_TOLD], 0, line);
  }
  g_data_input_stream_read_line_async (self->lines, G_PRIORITY_DEFAULT, NULL, on_line, g_object_ref (self));
}

/* ---- starting ---------------------------------------------------------------------------------------------------- */

static gboolean
on_never_started (gpointer data)
{
  g_signal_emit (data, signals[SIGNAL_ENDED], 0);
  return G_SOURCE_REMOVE;
}

SsappPaperJob *
ssapp_paper_job_new (const SsappPaper *paper, SsappPaperExtent extent)
{
  g_return_val_if_fail (paper != NULL, NULL);
  SsappPaperJob *self = g_object_new (SSAPP_TYPE_PAPER_JOB, NULL);
  g_autofree char *program = ssapp_job_find_worker ();
  g_autofree char *cache = ssapp_paper_cache (), *folder = g_strconcat (cache, G_DIR_SEPARATOR_S, NULL);
  g_autofree char *old = g_build_filename (cache, paper->name, "item.json", NULL);
  const char *arguments[] = {program, "paper", paper->name, "--to", folder, NULL, NULL};
  g_autoptr (GError) error = NULL;

  self->paper = paper;
  g_unlink (old); /* it is made anew, not kept */
  if (extent != SSAPP_PAPER_USUAL)
    arguments[5] = extent == SSAPP_PAPER_QUICK ? "--quick" : "--all";
  if (program != NULL)
    self->process =
        g_subprocess_newv (arguments, G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &error);
  if (self->process == NULL) {
    self->is_done = self->has_ended = TRUE;
    self->error = g_strdup (error != NULL ? error->message : "stickslip-cli was not found beside this program");
    g_idle_add_full (G_PRIORITY_DEFAULT, on_never_started, g_object_ref (self), g_object_unref);
    return self;
  }
  self->output = g_memory_output_stream_new_resizable ();
  self->lines = g_data_input_stream_new (g_subprocess_get_stderr_pipe (self->process));
  g_output_stream_splice_async (self->output, g_subprocess_get_stdout_pipe (self->process),
                                G_OUTPUT_STREAM_SPLICE_CLOSE_SOURCE | G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET,
                                G_PRIORITY_DEFAULT, NULL, on_output, g_object_ref (self));
  g_subprocess_wait_async (self->process, NULL, on_process_ended, g_object_ref (self));
  g_data_input_stream_read_line_async (self->lines, G_PRIORITY_DEFAULT, NULL, on_line, g_object_ref (self));
  return self;
}

void
ssapp_paper_job_stop (SsappPaperJob *self)
{
  if (self->process != NULL && !self->has_ended)
    g_subprocess_send_signal (self->process, SIGTERM);
}

void
ssapp_paper_job_kill (SsappPaperJob *self)
{
  if (self->process != NULL && !self->has_ended)
    g_subprocess_force_exit (self->process);
}

GPtrArray *
ssapp_paper_job_get_tables (SsappPaperJob *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->tables != NULL ? g_ptr_array_ref (self->tables) : NULL;
}

gboolean
ssapp_paper_job_is_partial (SsappPaperJob *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return self->is_partial;
}

const char *
ssapp_paper_job_get_error (SsappPaperJob *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->error;
}
