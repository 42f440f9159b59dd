/* tests/fuzz/fuzz-event.c: the lines that a worker tells. Whatever they are, the job goes on or ends with words; its
 * motions have whole rows. */
#include "app/job/ssapp-job-private.h"
#include "ss-fuzz-target.h"

static const char *const tokens[] = {"null",
                                     "true",
                                     "-1",
                                     "-2147483648",
                                     "2147483647",
                                     "99999999999",
                                     "1e308",
                                     "\"\"",
                                     "[]",
                                     "{}",
                                     ",",
                                     ":",
                                     "\n",
                                     "{\"type\":\"result\",\"outcome\":\"solved\"}\n",
                                     "{\"type\":\"start\"}\n",
                                     "\"type\"",
                                     "\"iteration\"",
                                     "\"iterate\"",
                                     "\"frame\"",
                                     "\"trajectory\"",
                                     "\"samples\"",
                                     "\"race\"",
                                     "\"log\"",
                                     "\"answer\"",
                                     "\"shape\"",
                                     "\"first_row\"",
                                     "\"rows\"",
                                     "\"data\"",
                                     "\"channels\"",
                                     "\"columns\"",
                                     "\"role\"",
                                     "\"branch\"",
                                     "\"share\"",
                                     "\"values\"",
                                     "\"id\"",
                                     "AAAAAAAA8D8=",
                                     "\xff",
                                     NULL};

static void
check_motion (const SsTrajectory *motion)
{
  double sum = 0;

  for (int i = 0; motion != NULL && i < motion->n_rows * motion->n_channels; i++)
    sum += motion->values[i];
  SS_CHECK (motion == NULL || (motion->n_rows >= 0 && motion->n_channels > 0 && !(sum < sum)));
}

static void
try_events (const char *bytes, size_t length)
{
  SsappJob *job = ssapp_job_new ("{}", "a", (SsMethodId){SS_METHOD_OPTIMISER, "crisp"});
  int n_motions = 0;

  job->keep_every = 1;
  job->is_reaped = TRUE; /* there is no process */
  for (size_t at = 0; at < length;) {
    const char *end = memchr (bytes + at, '\n', length - at);
    const size_t n = end != NULL ? (size_t)(end - bytes) - at : length - at;
    char *line = malloc (n + 1); /* as its reader has it: with its end */
    if (line != NULL) {
      memcpy (line, bytes + at, n);
      line[n] = '\n';
      ssapp_job_take_event (job, line, n);
    }
    free (line);
    at += n + 1;
  }
  SS_CHECK (ssapp_job_get_state (job) != SSAPP_JOB_ENDED || ssapp_job_get_message (job) != NULL);
  check_motion (job->motion);
  check_motion (job->answer_motion);
  const SsRunMotion *motions = ssapp_job_get_motions (job, &n_motions);
  for (int i = 0; i < n_motions; i++)
    check_motion (motions[i].trajectory);
  g_object_unref (job);
}

static const SsFuzzTarget ss_fuzz_target = {
    .name = "event", .iterations = 6000, .most = 16384, .try = try_events, .tokens = tokens};
SS_FUZZ_MAIN
