/* engine/impact/ss-impact-net.h: how many samples make a net of a set, by Theorem 9 of paper 002.
 *
 * M samples of N steps each lie within epsilon of every outcome, with probability 1 - delta, from [002 (171)]
 *   M >= ln (delta Omega) / ln (1 - Omega),  Omega = ceil (h L^N sqrt (N m) / epsilon')^(-N m),  epsilon' = epsilon / 3
 * on, L the Lipschitz constant of a step's velocity as a function of the velocity before and the caps: the largest norm
 * of its linear pieces, one for each mode of the contacts (7^m) with regular equations. The paper's epsilon' is smaller
 * where Lemma 9 asks for it, in a way that it does not say: the number is the least that the theorem can ask for. It
 * holds where a step has one answer (Assumption 6). Norms are those of the configuration's coordinates, without what
 * does not answer. The number is too large to be drawn, and is told by its logarithm.
 * Threads: plain functions. Tests: tests/numeric/test-impact-bound.c.
 */
#pragma once

#include "impact/ss-impact.h"

/* Beyond so many contacts there are too many modes: 7^4 are 2401. */
enum { SS_IMPACT_NET_CONTACTS_MAX = 4 };
/* 1 - delta */
#define SS_IMPACT_NET_PROBABILITY 0.95

typedef struct {
  double epsilon;       /* [m/s], of the reduced coordinates              */
  double lipschitz;     /* L; NaN: too many contacts, or a belt moves     */
  double log10_samples; /* log10 M; NaN likewise                          */
} SsImpactNet;

/* For steps of at most h [N s] and N of them. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_impact_net (const SsImpact *impact, double h, int n_steps, double epsilon, SsImpactNet *net,
                                     SsError *err);
