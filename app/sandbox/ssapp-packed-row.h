/* app/sandbox/ssapp-packed-row.h: a row of a simulation in little room: most values of a scene at rest are zero. Bit
 * for bit. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* One row: a bit for each value that is not +0, then those values. */
typedef struct {
  double t;
  gboolean ends_step; /* set by who keeps it; a step may have rows before its last one */
  GPtrArray *stages;  /* owned, of SsappPackedRow; added by who keeps it: stages that lead to this row; NULL: none */
  GArray *events;     /* owned; the same of events (SsEvent) */
  int n_masks;        /* words of bits */
  gsize size;         /* bytes; who adds something counts it */
  gsize full_size;    /* bytes of all of it unpacked; the same */
  guint64 *words;     /* owned */
} SsappPackedRow;

SsappPackedRow *ssapp_packed_row_new (const double *row, int n); /* the caller's */
void ssapp_packed_row_free (SsappPackedRow *packed);             /* NULL is allowed */
/* Writes the n values of the row that was packed; n must be the same. */
void ssapp_packed_row_unpack (const SsappPackedRow *packed, double *row, int n);
/* Writes those of its values that have these places, which ascend. */
void ssapp_packed_row_pick (const SsappPackedRow *packed, const int *places, int n_places, double *values);

G_END_DECLS
