/* app/store/ssapp-store-sum-bytes.h: the bytes of which the checksum of a part is made; data/python makes the same.
 *
 * Integers are 8 bytes, little-endian, floats their bits. A value is a letter (i, f, t, b, n) and the integer, the
 * float, or the size and the bytes. */
#pragma once

#include "app/store/ssapp-store-sum.h"

G_BEGIN_DECLS

/* A part begins with what it is of, its name and its id; then come its rows. */
void ssapp_sum_begin (GByteArray *bytes, const char *of, const char *part, const char *id);
void ssapp_sum_append_letter (GByteArray *bytes, char letter);
/* A letter and the 8 bytes. */
void ssapp_sum_append_integer (GByteArray *bytes, char letter, gint64 value);
void ssapp_sum_append_text (GByteArray *bytes, const char *text); /* with its letter and size */
/* The statement's present row: the letter r, and its columns from `first` on. */
void ssapp_sum_append_row (GByteArray *bytes, sqlite3_stmt *s, int first);
/* The same of its columns at these n places. */
void ssapp_sum_append_columns (GByteArray *bytes, sqlite3_stmt *s, const int *places, guint n);
void ssapp_sum_end (GByteArray *bytes, guint8 sum[SSAPP_SUM_SIZE]);

G_END_DECLS
