/* engine/plan/ss-starts-private.h: a plan by fesd-j under way from several starts, and what all of them do with a mode
 * sequence, for ss-plan-starts.c (starts after the method) and ss-plan-leads.c (those before it).
 */
#pragma once

#include "plan/ss-plan-starts.h"

/* Steps of the simulation of controls in an interval. */
enum { SS_STARTS_TRIED_STEPS = 8 };

typedef struct {
  const SsSolveJob *job;
  SsRunControl *control;
  SsTranscribeOptions transcription; /* fesd-j, with options */
  SsFesdOptions fesd;
  bool is_frozen; /* the method's plan is one in numerical time */
  int elements;   /* of a segment at first; 0: as a polish has them */
  SsPlan plan;    /* its intervals */
  const SsImproveListener *listener;
  double *a_n; /* owned: of costs over numerical time, by contact of the scene; NULL: over time */
  SsImproved *out;
  int n_before; /* plans when the start under way began */
} SsStarts;

/* `out` has what was found before. Close also after an error. */
SsStatus ss_starts_open (SsStarts *s, const SsSolveJob *job, const SsImproveListener *listener, SsRunControl *control,
                         SsImproved *out, SsError *err);
void ss_starts_close (SsStarts *s);
/* Notes a start that led to no plan, what the start of that name took [s], and whether the best is its own; is_own: the
 * method's answer, whose solve that has not. */
SsStatus ss_starts_end (SsStarts *s, const char *name, double seconds, bool is_best, bool is_own, SsError *err);

/* The run was told to keep the modes of its start. */
bool ss_starts_keep_modes (const SsStarts *s);
/* Polishes a sequence, in full; a solution is one of those found, and told where it is the best. */
SsStatus ss_starts_polish (SsStarts *s, const char *name, const SsFesdSequence *sequence, SsError *err);
/* Solves the sequence's problem on coarse elements, changes it as long as that pays, and refines what is best; *kept:
 * whether there is a solution. is_motion: the sequence is that of a motion, which is worth more patience. */
SsStatus ss_starts_polish_changed (SsStarts *s, const char *name, const SsFesdSequence *sequence, bool is_motion,
                                   bool *kept, SsError *err);
/* Of a motion that is nearly a plan: first the plan nearest to it, which counts as a solution, then from there the
 * cheapest in its modes and their neighbours. */
SsStatus ss_starts_polish_near (SsStarts *s, const char *name, const SsFesdSequence *sequence, bool *kept,
                                SsError *err);
/* The sequence of the motion under these controls; *tried is what they cost. A motion that ends early leaves *out
 * NULL. */
SsStatus ss_starts_follow (SsStarts *s, const double *controls, SsTriedControls *tried, SsFesdSequence **out,
                           SsError *err);
