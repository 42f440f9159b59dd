/* app/job/ssapp-ways.h: what would make a failed plan solvable (plan/ss-ways-on.h), in results and for people.
 *
 * Threads: any. Tests: tests/cli/test-ways-on.sh
 */
#pragma once

#include <glib.h>
#include <jansson.h>

#include "app/base/ssapp-record.h"
#include "plan/ss-ways-on.h"

G_BEGIN_DECLS

extern const SsappRecord ssapp_way_record; /* of SsWayOn */
/* A list of objects: `kind`, `with` (words), `outcome`, `objective` (null: no plan), `cpu_seconds`, `work`, and
 * `edits`, objects of `path` and `value` (not there: the field is taken out). A new reference. */
json_t *ssapp_ways_to_json (const SsWayOn *ways, int n);
/* Those of a result object, of SsWayOn; kinds and outcomes that are not known are left out. g_ptr_array_unref. */
GPtrArray *ssapp_ways_from_json (const json_t *result);
/* "stickslip-cli edit FILE --field ... --to NAME-time.stickslip.json", a line for a shell; g_free. */
char *ssapp_way_dup_command (const SsWayOn *way, const char *file);

G_END_DECLS
