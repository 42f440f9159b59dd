/* app/store/ssapp-store-sum.h: checksums of what a project stores, for the parts of the store; what the bytes are
 * is said in data/schema-7.sql. Not for others: those ask ssapp-store-check.h.
 *
 * A row has the sums of its parts (SsappStorePart), and a run one of each motion and sample ("items"). Whoever changes
 * a part asks before whether it is sound, and sums it again in the same transaction only if it was: damage stays
 * known.
 */
#pragma once

#include "app/store/ssapp-store-private.h"

#include <nettle/sha2.h>

G_BEGIN_DECLS

enum { SSAPP_SUM_SIZE = SHA256_DIGEST_SIZE };

/* After what it is said of. */
#define SSAPP_NOT_AS_STORED "not as stored (the checksum differs or is missing)"

/* Condition of SQL: the row `run` is that of a run that runs. Such a row has no end, no result and no checksums but
 * those of its motions and samples; one that has some had ended, whatever its outcome says. A case, since SQLite looks
 * at both sides of an AND: of thousands of rows that have ended nothing else is read. `schema`: "", "@." */
#define SSAPP_STORE_RUNS(schema, run)                                                                                  \
  "CASE WHEN " run ".outcome = 'running' AND " run ".ended IS NULL THEN NOT EXISTS (SELECT 1 FROM " schema             \
  "run_result o WHERE o.run = " run ".number AND o.result IS NOT NULL) AND NOT EXISTS (SELECT 1 FROM " schema          \
  "checksum k WHERE k.of = 'run' AND k.number = " run                                                                  \
  ".number AND k.part NOT LIKE 'motion %' AND k.part NOT LIKE 'sample %') ELSE 0 END"

/* A part of a row. In the texts of SQL '@' stands for the schema. */
typedef struct {
  const char *of, *name; /* as in the table `checksum` */
  const char *words;     /* "its metrics" */
  const char *columns, *from, *key, *order;
} SsappStorePart;

typedef enum {
  SSAPP_SUM_NONE,  /* none is kept: of a run that runs, or of a format before 7 */
  SSAPP_SUM_SAME,  /* what is stored is what was summed */
  SSAPP_SUM_OTHER, /* it is not, or its sum is missing */
  SSAPP_SUM_ERROR  /* it cannot be read */
} SsappSumState;

/* SQL with the schema in the place of each '@'; results of a format that has them in the rows of runs are in a
 * temporary view. g_free. */
char *ssapp_store_in_schema (SsappStore *self, const char *schema, const char *sql);

/* All parts there are. */
guint ssapp_store_n_parts (void);
/* One of them, from 0. */
const SsappStorePart *ssapp_store_part (guint index);
/* That of these names; NULL: there is none. */
const SsappStorePart *ssapp_store_find_part (const char *of, const char *name);

/* Whether a part of the row of that id is as it was summed. `schema`: "main", or that of another project. */
SsappSumState ssapp_store_sum_state (SsappStore *self, const char *schema, const char *of, const char *id,
                                     const char *part);
/* Sums the part, or with NULL all parts of the row, within the caller's transaction. */
gboolean ssapp_store_seal (SsappStore *self, const char *of, const char *id, const char *part, GError **error);
/* The same where `before` says that it was sound; else nothing. */
gboolean ssapp_store_seal_again (SsappStore *self, SsappSumState before, const char *of, const char *id,
                                 const char *part, GError **error);
/* After rows of a run were written: sums what there is of it once it has ended. */
gboolean ssapp_store_seal_run (SsappStore *self, const char *id, GError **error);
/* Items of a run: "motion ROLE BRANCH ITERATION" with n = rows, `type` NULL; "sample NAME" with `type`. */
char *ssapp_store_motion_part (const SsappMotionKey *key);
char *ssapp_store_sample_part (const char *name);
gboolean ssapp_store_seal_item (SsappStore *self, const char *run_id, const char *part, gint64 n, gint64 n_channels,
                                const char *type, const void *data, gsize size, GError **error);
/* The same of data that come in pieces: to be updated with all `size` bytes, and then ended by the second. */
struct sha256_ctx ssapp_store_begin_item (const char *run_id, const char *part, gint64 n, gint64 n_channels,
                                          const char *type, gsize size);
gboolean ssapp_store_seal_begun_item (SsappStore *self, const char *run_id, const char *part, struct sha256_ctx *sum,
                                      GError **error);
SsappSumState ssapp_store_item_state (SsappStore *self, const char *run_id, const char *part, gint64 n,
                                      gint64 n_channels, const char *type, const void *data, gsize size);
/* All that a project of format 6 has. */
gboolean ssapp_store_seal_all (SsappStore *self, GError **error);

G_END_DECLS
