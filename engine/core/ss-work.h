/* engine/core/ss-work.h: counted work, the clock by which members of a race are scheduled: what a thread has computed
 * so far, as its kernels count it. It tells the same at any load of the machine, so that what is decided by it is the
 * same again; a clock of time or CPU time does not.
 *
 * Counted where nearly all time goes: multiply-adds of factorisations and solves (linalg), pivots of LCPs (lcp),
 * contact problems by their bodies and points (contact), instructions of compiled formulas (expr), steps of simulations
 * by their bodies and contacts (simulate), iterations of libraries by the entries of their matrices (nlp). A unit is a
 * multiply-add with a gather: about half a nanosecond on an idle core of 2020.
 *
 * Threads: each has its own count, from 0; differences are what means something. They are exact: parts of a unit are
 * not counted.
 */
#pragma once

#define SS_WORK_SECOND 2e9 /* units in about a second of CPU time of an idle core */

void ss_work_add (double units); /* from the thread that computed it */
double ss_work_thread (void);    /* of this thread so far */
