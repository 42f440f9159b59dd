/* app/store/ssapp-store-pack.h: the numbers of a motion as a project keeps them: as they are where they are few, else
 * packed; data/schema-8.sql says how. For the parts of the store. Threads: any. */
#pragma once

#include "core/ss-trajectory.h"

#include <glib.h>
#include <jansson.h>

G_BEGIN_DECLS

/* Motions of more bytes than this are packed. */
#define SSAPP_STORE_PLAIN_BYTES 65536

/* Owned. The motion is packed piece by piece, so that no second copy of it is made. */
GBytes *ssapp_store_pack_motion (const SsTrajectory *motion);
/* Owned; NULL where shape and data disagree. `channels` as ssapp_trajectory_from_bytes takes them. */
SsTrajectory *ssapp_store_unpack_motion (const json_t *channels, int n_rows, const void *data, gsize size);

G_END_DECLS
