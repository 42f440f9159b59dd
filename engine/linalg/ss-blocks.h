/* engine/linalg/ss-blocks.h: LU and LDL' of a matrix of 3 x 3 blocks with a symmetric pattern: bodies in the plane that
 * touch each other.
 *
 * Analysed once on the graph of the blocks (a ninth of the entries; order by AMD), factored many times. Pivots are the
 * diagonal entries in that order, as in SsLdl and SsLu. A block is three vectors of SS_BLOCK_LANES numbers, the last of
 * which is 0: its columns below the diagonal of the pivots' order and on it, its rows above. Numbers are added straight
 * into the factor. The same bits for every length of registers (linalg/ss-lanes.h).
 * Tests: tests/unit/test-linalg.c.
 */
#pragma once

#include "linalg/ss-linalg.h"

enum { SS_BLOCK_LANES = 4, SS_BLOCK_NUMBERS = 3 * SS_BLOCK_LANES };

typedef struct SsBlocks SsBlocks;

/* The lower triangle of the graph by columns, with its whole diagonal. */
SS_NODISCARD SsStatus ss_blocks_new (const SsPattern *lower, SsBlocks **out, SsError *err);
void ss_blocks_free (SsBlocks *blocks);
/* Where an entry (i, j), i >= j, of the pattern lies: its number p of a block. In the pivots' order i is behind j, or,
 * where is_swapped, before. */
int ss_blocks_place (const SsBlocks *blocks, int entry, bool *is_swapped);
/* Numbers of the blocks (h, l) at 12 p by columns, and of the blocks (l, h) by rows, h behind l in the pivots' order;
 * diagonal blocks are in `lower` alone. Borrowed. */
double *ss_blocks_lower (SsBlocks *blocks);
double *ss_blocks_upper (SsBlocks *blocks);
/* The zero matrix; is_symmetric: of `lower` alone. */
void ss_blocks_clear (SsBlocks *blocks, bool is_symmetric);
/* is_symmetric: LDL' of what is in `lower`, at half the cost. SS_ERR_SINGULAR when a pivot is 0 or not finite. No
 * allocation. */
SS_NODISCARD SsStatus ss_blocks_factor (SsBlocks *blocks, bool is_symmetric);
/* Sign of the determinant of the last factor: 1, -1. */
int ss_blocks_sign (const SsBlocks *blocks);
void ss_blocks_solve (SsBlocks *blocks, double *b); /* b[3 n] in place, by the last factor; no allocation */

/* Block `place` += a b' (lower) or, with a and b changed, the transposed of b a' (upper). */
static inline void
ss_block_add (double *numbers, int place, const double *a, const double *b)
{
  double *block = numbers + (size_t)SS_BLOCK_NUMBERS * (size_t)place;
  for (int c = 0; c < 3; c++)
    for (int r = 0; r < 3; r++)
      block[SS_BLOCK_LANES * c + r] += a[r] * b[c];
}
