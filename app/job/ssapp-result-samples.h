/* app/job/ssapp-result-samples.h: a table of samples in results: {"columns": [names], "shape": [rows, columns], "data":
 * base64 of little-endian float64, row after row}.
 *
 * Threads: any. Tests: tests/cli/test-impact.sh
 */
#pragma once

#include "app/base/ssapp-record.h"
#include "run/ss-run.h"

G_BEGIN_DECLS

extern const SsappRecord ssapp_samples_record; /* of such a table */
/* New references. The shape alone: what a result has in `sample_table` where the numbers are sent and stored apart. */
json_t *ssapp_samples_to_json (const SsSamples *samples);
json_t *ssapp_samples_shape_to_json (const SsSamples *samples);
/* NULL where it is none, or memory is short. Release with ss_samples_free. */
SsSamples *ssapp_samples_from_json (const json_t *object);

G_END_DECLS
