/* app/store/ssapp-store-pack.h: the numbers of a motion as a project keeps them: as they are where they are few, else
 * packed; data/schema-8.sql says how. For the parts of the store. Threads: any. */
#pragma once

#include "core/ss-trajectory.h"

#include <glib.h>
#include <jansson.h>

G_BEGIN_DECLS

/* Motions of more bytes than this are packed. */
#define SSAPP_STORE_PLAIN_BYTES 65536
/* What is packed of more bytes than this lies in a file (core/ss-spool.h). */
#define SSAPP_STORE_HEAP_BYTES ((gsize)4 << 20)

/* The bytes of a motion as they are stored. */
typedef struct SsappPackedMotion SsappPackedMotion;
/* Owned. The motion is packed piece by piece: neither it nor what becomes of it is held in memory whole. */
SsappPackedMotion *ssapp_store_pack_motion (const SsTrajectory *motion);
/* Borrowed; NULL of no bytes. */
const guint8 *ssapp_packed_motion_data (const SsappPackedMotion *self, gsize *size);
/* What lies before `end` bytes need not be held in memory now; it stays readable. */
void ssapp_packed_motion_pass (const SsappPackedMotion *self, gsize end);
void ssapp_packed_motion_free (SsappPackedMotion *self); /* NULL is allowed */

/* Owned; NULL where shape and data disagree. `channels` as ssapp_trajectory_from_bytes takes them. */
SsTrajectory *ssapp_store_unpack_motion (const json_t *channels, int n_rows, const void *data, gsize size);

G_END_DECLS
