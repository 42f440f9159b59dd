/* app/session/ssapp-fan-job.c: see the header. */
#include "app/session/ssapp-fan-job.h"

#include "app/base/ssapp-json.h"
#include "app/session/ssapp-session.h"

#include <math.h>

/* Its names are in the order of the engine's lists. */
void
ssapp_fan_job_set_impact (SsappJob *job, const SsImpactSetOptions *options)
{
  static const char *const policies[] = {"lemke", "random-covering", "enumerate"}, *const rows[] = {"scaled", "plain"};
  g_autofree char *branches = g_strdup_printf ("%d", SSAPP_SESSION_FAN_DRAWS),
                  *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, options->seed);
  char number[32];

  ssapp_job_set_option (job, "law", "set-valued");
  ssapp_job_set_option (job, "branches", branches);
  ssapp_job_set_option (job, "law.seed", seed);
  ssapp_job_set_option (job, "law.policy", policies[options->policy]);
  ssapp_job_set_option (job, "law.rows", rows[options->rows]);
  ssapp_job_set_option (job, "law.draw", ss_impact_draw_names[options->draw]);
  ssapp_job_set_option (job, "law.close", options->closes ? "true" : "false");
  if (isfinite (options->h)) {
    ss_format_double (options->h, number, sizeof number);
    ssapp_job_set_option (job, "law.step", number);
  }
}

void
ssapp_fan_job_set_steps (SsappJob *job, const json_t *result)
{
  json_t *options = json_object_get (json_object_get (result, "method"), "options"), *value;
  const json_t *asked = json_object_get (result, "asked"), *seed = json_object_get (asked, "seed");
  const char *name;
  char number[32];

  json_object_foreach (options, name, value)
  {
    if (json_is_string (value))
      ssapp_job_set_option (job, name, json_string_value (value));
    else if (json_is_boolean (value))
      ssapp_job_set_option (job, name, json_is_true (value) ? "true" : "false");
    else if (json_is_number (value)) {
      ss_format_double (json_number_value (value), number, sizeof number);
      ssapp_job_set_option (job, name, number);
    }
  }
  ssapp_job_set_option (job, "certainty", "branches");
  ssapp_job_set_step (job, ssapp_json_get_real (asked, "dt"), ssapp_json_get_real (asked, "t_end"));
  if (json_is_integer (seed))
    ssapp_job_set_seed (job, (guint64)json_integer_value (seed));
}
