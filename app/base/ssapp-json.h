/* app/base/ssapp-json.h: the few JSON habits of results, events and the project, over Jansson.
 *
 * Numbers are written with 17 significant digits and '.' in every locale; a number that is not finite becomes null,
 * since JSON has none.
 */
#pragma once

#include <glib.h>
#include <jansson.h>

#include "core/ss-core.h"
#include "core/ss-option.h"

G_BEGIN_DECLS

#define SSAPP_JSON_FLAGS (JSON_REAL_PRECISION (17) | JSON_COMPACT)

json_t *ssapp_json_real (double value);                 /* new reference; null when not finite                      */
json_t *ssapp_json_reals (const double *values, int n); /* new reference; a list of them */
char *ssapp_json_text (const json_t *json,
                       gboolean indented); /* g_free; one line unless indented                         */
double ssapp_json_get_real (const json_t *object, const char *key); /* NaN when absent or no number                   */
const char *ssapp_json_get_string (const json_t *object,
                                   const char *key); /* NULL when absent; borrowed                   */

/* Values of options (nullable: none) by their names: numbers, truth values, texts; choices as their names. */
void ssapp_json_add_options (json_t *object, const SsOptionTable *table, const void *options);

/* Channel names and float64 data of a trajectory, as events and the project hold them. */
json_t *ssapp_json_channels (const SsTrajectory *trajectory);
/* What the channels are: [{"name", "quantity", "unit", "owner", "of", "state"}, ...]. */
json_t *ssapp_json_channel_records (const SsTrajectory *trajectory);
/* What an object says of the channels of its rows: "channel_records" where it has as many as "channels", else the
 * names. Borrowed. */
const json_t *ssapp_json_get_channels (const json_t *object);
/* Rows first..first+count-1 as little-endian float64 in base64; g_free. */
char *ssapp_base64_rows (const SsTrajectory *trajectory, int first, int count);
/* n numbers as little-endian float64 in base64; g_free. */
char *ssapp_base64_doubles (const double *values, gsize n);
/* The other way, into values[n]; FALSE when the text is not n numbers. */
gboolean ssapp_base64_read_doubles (const char *text, double *values, gsize n);
/* All rows as raw little-endian float64. */
GBytes *ssapp_trajectory_to_bytes (const SsTrajectory *trajectory);
/* A trajectory from channel names and raw little-endian float64; NULL when sizes do not fit together. */
SsTrajectory *ssapp_trajectory_from_bytes (const json_t *channels, int n_rows, const void *data, size_t size);

/* "2026-01-31T12:00:00.000Z" */
char *ssapp_time_now (void);

G_END_DECLS
