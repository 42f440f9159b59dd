/* app/job/ssapp-reasons.h: why a run of an optimiser is no success (judge/ss-reasons.h), in results and for people. */
#pragma once

#include <glib.h>
#include <jansson.h>

#include "app/base/ssapp-record.h"
#include "judge/ss-reasons.h"

G_BEGIN_DECLS

extern const SsappRecord ssapp_reason_record; /* of SsReason */
/* A list of objects: `kind`, `text`, `value`, `unit`, `t`, `until` [s] (null: of no time). A new reference. */
json_t *ssapp_reasons_to_json (const SsReasons *reasons);
/* Those of a result object; none where it has none. Kinds that are not known count as rows. */
void ssapp_reasons_from_json (const json_t *result, SsReasons *reasons);
/* A link to all rows that are violated, behind reasons: "All Violated Rows" to SSAPP_REASONS_LINK_ALL. */
#define SSAPP_REASONS_LINK_ALL   "violations"
#define SSAPP_REASONS_MARKUP_ALL "<a href=\"" SSAPP_REASONS_LINK_ALL "\">All violated rows</a>"
/* The same as markup of Pango, in which times are links to "t:SECONDS"; g_free. */
char *ssapp_reasons_dup_markup (const SsReasons *reasons);
/* The time of such a link; NaN: it is none. */
double ssapp_reason_link_time (const char *link);

G_END_DECLS
