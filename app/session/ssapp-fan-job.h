/* app/session/ssapp-fan-job.h: options of the jobs that the window starts as fans: of an impact, of steps with several
 * solutions. */
#pragma once

#include "app/impact/ssapp-impact-set.h"
#include "app/job/ssapp-job.h"

G_BEGIN_DECLS

/* The set's options as those of the law of event-driven. */
void ssapp_fan_job_set_impact (SsappJob *job, const SsImpactSetOptions *options);
/* Options, step, horizon and seed of the run with that result, and certainty=branches. */
void ssapp_fan_job_set_steps (SsappJob *job, const json_t *result);

G_END_DECLS
