/* tests/fuzz/fuzz-job.c: the line by which a worker is given a job. It is a job, whose options and parameters are JSON
 * again, or it is refused with a reason. */
#include "app/job/ssapp-runner.h"
#include "ss-fuzz-target.h"

static const char *const tokens[] = {"null",
                                     "true",
                                     "-1",
                                     "1e308",
                                     "1e999",
                                     "\"\"",
                                     "[]",
                                     "{}",
                                     "\"inf\"",
                                     "\"NaN\"",
                                     "99999999999999999999",
                                     ",",
                                     ":",
                                     "\"type\"",
                                     "\"solve\"",
                                     "\"simulate\"",
                                     "\"impact\"",
                                     "\"verb\"",
                                     "\"method\"",
                                     "\"options\"",
                                     "\"parameters\"",
                                     "\"seed\"",
                                     "\"dt\"",
                                     "\"t_end\"",
                                     "\"seconds\"",
                                     "\"plan\"",
                                     "\"start\"",
                                     "\"shape\"",
                                     "\"data\"",
                                     "\"channels\"",
                                     "\"outcomes\"",
                                     "\"iterates\"",
                                     "\"planes\"",
                                     "\"replay\"",
                                     "\"\\ud800\"",
                                     "\xff",
                                     NULL};

static void
try_job (const char *bytes, size_t length)
{
  json_t *job = json_loadb (bytes, length, 0, NULL);
  char *message = NULL;

  if (job == NULL)
    return;
  SsappJobSpec *spec = ssapp_job_spec_from_json (job, &message);
  SS_CHECK ((spec == NULL) == (message != NULL) && (message == NULL || message[0] != '\0'));
  if (spec != NULL) {
    char *texts[] = {ssapp_job_spec_options_json (spec), ssapp_job_spec_parameters_json (spec)};
    for (int i = 0; i < 2; i++) {
      json_t *again = texts[i] != NULL ? json_loads (texts[i], 0, NULL) : NULL;
      SS_CHECK (json_is_object (again));
      json_decref (again);
      g_free (texts[i]);
    }
    SS_CHECK (spec->method != NULL && spec->scenario_text != NULL);
  }
  ssapp_job_spec_free (spec);
  g_free (message);
  json_decref (job);
}

static const SsFuzzTarget ss_fuzz_target = {
    .name = "job", .iterations = 10000, .most = 8192, .try = try_job, .tokens = tokens};
SS_FUZZ_MAIN
