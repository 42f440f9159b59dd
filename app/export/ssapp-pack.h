/* app/export/ssapp-pack.h: columns of numbers as few bytes, for files that carry a motion: rounded, told by
 * differences, deflated. Threads: any; keeps nothing. data/html/run.js reads what is written
 * here. Tests: tests/unit/test-page.c */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* How a column's bytes are read. Whole numbers q with value = least + step q; the bytes hold their differences of
 * `order` 0, 1 or 2 (before the first, all were `first`), each as 2r or, below zero, -2r - 1, the lowest byte of all
 * rows first, then the next. */
typedef struct {
  double least, step; /* step 0: every value is `least`            */
  gint64 first;       /* q of the first row                        */
  int order, n_bytes; /* bytes a row, 0 to 7                       */
  gboolean has_gaps;  /* q 0 is no value, value = least + step (q - 1) */
} SsappPacked;

/* Appends n rows to `out`, rounded to multiples of `step` (> 0) above the least; coarser where that needs more than 45
 * bits. What is not finite is a gap. Returns how it is read. */
SsappPacked ssapp_pack_column (const double *values, gsize n, double step, GByteArray *out);

/* The bytes by zlib (RFC 1950). NULL with an error when it fails. */
GByteArray *ssapp_deflate (const guint8 *bytes, gsize n, GError **error);

G_END_DECLS
