/* app/store/ssapp-store-pack.h: numbers of motions and long texts as a project keeps them: as they are where they are
 * short, else packed; data/schema-8.sql and schema-9.sql say how. For the parts of the store. Threads: any. */
#pragma once

#include "core/ss-trajectory.h"

#include <glib.h>
#include <jansson.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/* Motions of more bytes than this are packed (format 8: 65536): fewer than any has that was thinned, which is more than
 * 100 rows of two channels. */
#define SSAPP_STORE_PLAIN_BYTES 1024
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

/* Texts of more bytes than this are packed. */
#define SSAPP_STORE_PLAIN_TEXT 8192

/* Binds a text to a parameter of a statement, packed where it is long; NULL counts as "".
 * Tests: tests/store/test-store-pieces.c */
void ssapp_store_bind_packed (sqlite3_stmt *s, int index, const char *text);
/* Adds the function `unpack` to the SQL of a connection: of what ssapp_store_bind_packed bound the text, of other
 * values themselves; an error where a blob is no packed text. Tests: tests/store/test-store-pieces.c */
void ssapp_store_add_unpack (sqlite3 *db);

G_END_DECLS
