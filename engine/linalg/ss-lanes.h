/* engine/linalg/ss-lanes.h: eight numbers at once, for kernels that do the same to eight parts of a problem.
 *
 * SsLanes is a vector of SS_LANES doubles; the compiler maps it to whatever registers there are. It may lie at any
 * address of a double and alias doubles. A function marked SS_CLONES is compiled for several lengths of registers and
 * the loader takes the longest that the processor has; what it calls must be SS_LANES_INLINE to be compiled with it.
 * Elementwise arithmetic without contraction gives the same bits for every length. Sanitizers see what the source
 * does, which is the same for every length: for the address sanitizer, of whose build the copies were a fifteenth,
 * functions are compiled once.
 */
#pragma once

#include <stdint.h> /* says whether this is glibc, whose loader can choose */

enum { SS_LANES = 8 };

typedef double SsLanes __attribute__ ((vector_size (64), aligned (8), may_alias));
typedef long long SsLanesMask __attribute__ ((vector_size (64), aligned (8), may_alias));

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) &&                           \
    !defined(__SANITIZE_ADDRESS__)
#define SS_CLONES       __attribute__ ((target_clones ("default", "avx2", "avx512f")))
#define SS_LANES_INLINE static inline __attribute__ ((always_inline))
#else
#define SS_CLONES
#define SS_LANES_INLINE static inline
#endif

/* Numbers that start at a multiple of 64 bytes within a block of count + SS_LANES: a vector that straddles two cache
 * lines costs twice. */
static inline double *
ss_lanes_align (double *block)
{
  const uintptr_t line = SS_LANES * sizeof (double);
  return block + (line - (uintptr_t)block % line) % line / sizeof (double);
}
