/* engine/fesd/ss-fesd-fork.h: what a marched motion needs to go on in several ways (simulate/ss-fork.h): the memory of
 * the march between steps, and the forks that a step met.
 *
 * The march may take a part of a step several times before it is sure of it. A jump is known by its number in the
 * motion; when it comes again, what was noted of it and of later ones is forgotten.
 */
#pragma once

#include "fesd/ss-fesd-march.h"
#include "simulate/ss-fork.h"

/* ---- memory of a march between steps; see SsForkClass ------------------------------------------------------------ */
SS_NODISCARD SsStatus ss_fesd_march_keep (SsFesdMarch *march, void **memory, SsError *err);
void ss_fesd_march_put_back (SsFesdMarch *march, void *memory);
void ss_fesd_march_forget (void *memory); /* NULL is allowed */
/* Where it is within the step under way, and how many jumps there were [s]. */
double ss_fesd_march_time (const SsFesdMarch *march);
long ss_fesd_march_n_jumps (const SsFesdMarch *march);

/* Sum of the contacts' normal forces where it is, by the law at the level of accelerations [N]; NaN where that has no
 * answer. */
double ss_fesd_march_force (SsFesdMarch *march);

/* ---- forks of a step --------------------------------------------------------------------------------------------- */
typedef struct {
  int room;                    /* motions that may be added in this step */
  const SsForkChoice *choices; /* borrowed */
  int n_choices;
  int n, capacity;
  SsFork *items; /* owned, with their arrays, by their instants */
} SsFesdForks;

/* Frees what it holds and leaves it zeroed. */
void ss_fesd_forks_clear (SsFesdForks *forks);
/* Before a step. */
void ss_fesd_forks_begin (SsFesdForks *forks, const SsForkChoice *choices, int n, int room);
/* The jump of that number comes (again). The draw chosen for it, or -1: none was. */
long ss_fesd_forks_come_to (SsFesdForks *forks, long number);
/* How many motions may still be added in this step. */
int ss_fesd_forks_room (const SsFesdForks *forks);
/* The jump of that number at t goes on in these ways, of which the first is taken. The arrays are copied. */
SS_NODISCARD SsStatus ss_fesd_forks_add (SsFesdForks *forks, long number, double t, int n_ways, const long *draws,
                                         const double *share, bool is_cut, SsError *err);
/* Forgets jumps from that number on, which the step did not come to in the end. */
void ss_fesd_forks_end (SsFesdForks *forks, long number);
