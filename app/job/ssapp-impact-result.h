/* app/job/ssapp-impact-result.h: what the result of an impact law says, on the command line, of a worker and of the
 * window's stored sets alike.
 *
 * Threads: any. Tests: tests/unit/test-impact-record.c, tests/cli/test-impact.sh
 */
#pragma once

#include <glib.h>
#include <jansson.h>

#include "app/base/ssapp-record.h"
#include "impact/ss-impact-summary.h"
#include "run/ss-run.h"

G_BEGIN_DECLS

/* What the results of impacts are made of. */
extern const SsappRecord ssapp_impact_record;           /* of every law, in the result itself */
extern const SsappRecord ssapp_impact_draw_record;      /* of a set, the same: how it was drawn */
extern const SsappRecord ssapp_impact_set_record;       /* of a set that ss_run made, the same: what it shows */
extern const SsappRecord ssapp_impact_outcome_record;   /* velocities after an impact */
extern const SsappRecord ssapp_impact_share_record;     /* a joint mode of the samples */
extern const SsappRecord ssapp_impact_hull_record;      /* hull of the samples in a plane */
extern const SsappRecord ssapp_impact_mode_hull_record; /* hull of a joint mode */

/* Law, contacts, the configuration (hash, speeds and energy before), and the metrics once more at the top: what the
 * result of every law has. */
void ssapp_impact_result_add (json_t *result, const char *law, const SsImpact *impact, const SsMetricSet *metrics);
/* Of a set: how it was drawn, and the shares of its joint modes. */
void ssapp_impact_result_add_set (json_t *result, int m, const SsImpactSetOptions *options,
                                  const SsImpactModeShare *shares, int n_shares);
/* All that ss_run made: the above, `outcomes` of the laws that have some, of a set its cone, and `hulls` of the
 * finished samples in `planes` (of char *, "vn_A,vn_B"; may be NULL). Speeds below `tolerance` [m/s] are 0 where modes
 * are named. SS_ERR_INVALID: a plane is none of the samples; SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ssapp_impact_result_add_run (json_t *result, const char *law, const SsImpact *impact,
                                                   const SsRunResult *run, double tolerance, GPtrArray *planes,
                                                   SsError *err);
/* "lemke"; static. */
const char *ssapp_impact_policy_name (SsImpactPolicy policy);

G_END_DECLS
