/* engine/core/ss-forest.h: sets that are united, as trees: each member has a parent, a root itself.
 *
 * Threads: plain arrays. Tests: tests/numeric/test-simulate.c and test-fesd.c, by islands of bodies
 */
#pragma once

/* The root of a member's tree; ways to it become shorter. */
static inline int
ss_root_of (int *parent, int i)
{
  while (parent[i] != i)
    i = parent[i] = parent[parent[i]];
  return i;
}
