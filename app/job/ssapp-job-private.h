/* app/job/ssapp-job-private.h: a job, shared by its files. Not for others. */
#pragma once

#include "app/job/ssapp-job.h"
#include "app/job/ssapp-quota.h"

#include <jansson.h>

G_BEGIN_DECLS

enum {
  SSAPP_JOB_DEADLINE_MS = 2000, /* after the time limit, which a worker keeps by itself unless it is silent */
  SSAPP_JOB_LOOK_MS = 100       /* between two looks at a worker that is late                               */
};

struct _SsappJob {
  GObject parent_instance;
  char *id, *scenario_text, *scenario_name, *method;
  SsMethodKind kind; /* of the method */
  json_t *options, *parameters;
  json_t *plan;        /* of a replay; NULL when it is none */
  json_t *replay;      /* what it is asked for besides; nullable */
  json_t *start;       /* nullable */
  json_t *continued;   /* nullable */
  int pause_at;        /* -1: nowhere */
  gint64 paused_time;  /* monotonic [us]; 0: it is not paused */
  gboolean has_names;  /* of the channels of its motion, and does not know what they are */
  json_t *impact;      /* what is asked of an impact law; nullable */
  SsTrajectory *given; /* the plan or the start; nullable */
  double seconds, cpu_seconds, work, bytes, dt, t_end, ways_on, bound;
  guint64 seed;
  guint cancel_grace; /* ms */
  gboolean has_seed;
  int keep_every, every;
  json_t *outcomes;  /* nullable */
  char *sensitivity; /* nullable */

  SsappJobState state;
  char *outcome, *message, *result_json;
  gint64 start_time, end_time; /* monotonic [us], 0 = not yet */
  GArray *iterations;
  GString *log;
  SsappQuota quota;        /* of what the worker tells */
  GPtrArray *own_warnings; /* of char *: what did not come as an event, so that the worker's result does not list it */
  SsappIteration last_row; /* of the convergence table, where it was left out */
  gboolean has_last_row;
  gboolean lacked_memory; /* the worker's last words said so */
  SsTrajectory *motion;
  int n_frames, frames_every; /* that came of the motion, and of how many it has one; the newest besides */
  SsTrajectory *incoming;     /* answer, kept iterate or branch of which chunks are arriving */
  int incoming_iteration;     /* -1: the answer, or a branch */
  SsRunMotion incoming_about; /* of a branch; role ANSWER: none */
  GArray *motions;            /* of SsRunMotion: branches */
  gint64 n_motion_values;
  SsSamples *samples; /* nullable */
  json_t *race;       /* nullable */
  /* a race's best answer so far, as a result, and its motion; nullable */
  json_t *answer;
  SsTrajectory *answer_motion;
  int n_sample_rows;   /* that have arrived */
  gboolean has_answer; /* the answer's motion has come as a whole */

  GMainContext *context;
  GSubprocess *process;
  gboolean is_reaped;
  GSource *out_source, *err_source, *timer, *deadline, *cpu_look;
  gboolean is_over_cpu;   /* its limit of CPU time is reached */
  int n_looks, rows_seen; /* at a worker that is late */
  GByteArray *out_line, *err_line;
  GByteArray *to_write;
  GBytes *writing;
  gboolean quits; /* close the worker's input when everything is written */
};

enum {
  SSAPP_JOB_TELLS_STARTED,
  SSAPP_JOB_TELLS_ITERATION,
  SSAPP_JOB_TELLS_MOTION,
  SSAPP_JOB_TELLS_ITERATE,
  SSAPP_JOB_TELLS_RACE,
  SSAPP_JOB_TELLS_LOG,
  SSAPP_JOB_TELLS_ENDED,
  SSAPP_JOB_SIGNALS
};
extern guint ssapp_job_signals[SSAPP_JOB_SIGNALS];

/* Takes a source off its context; *source is NULL then. */
void ssapp_job_clear_source (GSource **source);
/* The newest motion (taken), and tells of it. */
void ssapp_job_take_motion (SsappJob *self, SsTrajectory *motion);
/* The worker tells what no worker tells: what it goes on with is worth nothing, and it may never end. */
void ssapp_job_refuse_worker (SsappJob *self, const char *fault);
/* A line of the worker's output, without its end: one event. Whatever it is, the job goes on or ends with words. */
void ssapp_job_take_event (SsappJob *self, const char *line, gsize length);
/* The job has ended: with what there is, and tells of it. */
void ssapp_job_end (SsappJob *self, const char *outcome, const char *message);
/* A row of the convergence table (copied), a line of the log; tells of it. */
void ssapp_job_add_row (SsappJob *self, const SsappIteration *row);
void ssapp_job_add_log (SsappJob *self, int level, const char *text);
/* The end of output, the end of messages and the end of the process are needed: what it wrote last must be read before
 * it is judged. */
void ssapp_job_end_without_result (SsappJob *self);
/* Nor its limit of CPU time: that of its family, from where it is reached the same wait. */
gboolean ssapp_job_on_cpu_look (gpointer user_data);
/* What the worker is asked, as a line; g_free. */
char *ssapp_job_line (SsappJob *self);
/* A line to the worker, as soon as it reads. */
void ssapp_job_send (SsappJob *self, const char *line);
/* Calls the function with the job after that time. New reference. */
GSource *ssapp_job_attach_timer (SsappJob *self, guint milliseconds, GSourceFunc function);
/* The process has ended. */
void ssapp_job_on_ended (GObject *process, GAsyncResult *result, gpointer user_data);
/* The worker keeps its time limit by itself; one that has not by now is silent, stopped, or no worker. What it has told
 * so far is kept. */
gboolean ssapp_job_on_deadline (gpointer user_data);
/* Kills the worker with all that it started. */
gboolean ssapp_job_kill_worker (gpointer user_data);
/* In the place of the job's other timer. */
void ssapp_job_set_timer (SsappJob *self, guint milliseconds, GSourceFunc function);

G_END_DECLS
