/* engine/impact/ss-impact-set.h: the set of velocities after an impact, by samples [002 Alg 1 Alg 2].
 *
 * A sample runs while a contact approaches faster than SS_IMPACT_STOP, at most N steps: caps are drawn, a step is
 * solved. The paper's loop does N + 1; the notes' section 3, which the authors' program follows, is what is done here.
 * What is the step's answer where it has several, the policy says:
 *   LEMKE            what Lemke's method finds with a covering vector of ones
 *   RANDOM_COVERING  with a positive vector drawn for each step
 *   ENUMERATE        all are found, and one is drawn with equal probability
 * CLOSE takes one more step with the cap epsilon / (3 psi) on every contact (Algorithm 2), which may finish samples
 * that are not.
 * RESTITUTES  Poisson's restitution in the same process: what a contact was given in compression, times e, waits, and
 * is given back in later steps, none, all or a uniform part of what waits in each, while the contact does not approach;
 * the other contacts go on meanwhile. So one contact may end before the next begins, or all mix. A sample ends when
 * nothing approaches and nothing waits. No step gives more energy than there was before the impact: less is given back
 * instead, and the rest is lost. A step with something given back has Lemke's answer.
 * Samples are finished; or unfinished after N steps; or dropped, because a step had no answer that misses
 * its problem by less than 1e-6 of the problem's numbers. None is left out.
 * Threads: made and read by one; the samples are made by as many as the options say, with the same bits for every
 * number of them. Tests: tests/numeric/test-impact.c.
 */
#pragma once

#include "impact/ss-impact-draw.h"
#include "impact/ss-impact-step.h"

#define SS_IMPACT_STOP    1e-8 /* [m/s] */
#define SS_IMPACT_DROPPED 1e-6

typedef enum { SS_IMPACT_POLICY_LEMKE, SS_IMPACT_POLICY_RANDOM_COVERING, SS_IMPACT_POLICY_ENUMERATE } SsImpactPolicy;

/* ENDED: samples that are kept of a set that is told to end, since the answer to a cancel must not take long. */
enum {
  SS_IMPACT_SAMPLES_MAX = 1 << 24,
  SS_IMPACT_ENDED_MAX = 1 << 16,
  SS_IMPACT_STEPS_MAX = 1000,
  SS_IMPACT_THREADS_MAX = 64
};

typedef struct {
  SsImpactPolicy policy;
  SsImpactRows rows;
  SsImpactDrawKind draw;
  double h;      /* > 0 [N s]; NaN: the configuration's, or ss_impact_default_h */
  int max_steps; /* N; 0: the configuration's, or 10; with restitutes 100 */
  int n_samples;
  int first; /* number of the first sample; the others follow it, so that a set can be made in parts */
  uint64_t seed;
  int n_threads;   /* >= 1 */
  bool closes;     /* not with restitutes */
  bool restitutes; /* by the contacts' coefficients */
  double epsilon;  /* of closing */
} SsImpactSetOptions;

typedef enum { SS_IMPACT_FINISHED, SS_IMPACT_UNFINISHED, SS_IMPACT_SAMPLE_DROPPED } SsImpactState;

typedef struct {
  SsImpactSetOptions options; /* with h and max_steps filled in */
  int n;                      /* coordinates */
  int n_samples;              /* of the options, or fewer when ended early */
  double *v;                  /* n_samples x n: where the sample ended */
  double *energy;             /* n_samples: kinetic energy [J]   */
  int *solves;                /* n_samples: LCPs                 */
  unsigned char *state;       /* n_samples: SsImpactState        */
  /* totals */
  int n_finished, n_unfinished, n_dropped;
  long long n_solves;    /* LCPs of all samples */
  long long n_ambiguous; /* steps with several outcomes; -1: not enumerated */
  double max_residual;   /* of all steps that were taken */
  double max_gain;       /* largest rise of the kinetic energy in a step [J], with restitutes from before the impact;
                            < 0: none rose */
  double max_excess;     /* largest |lt| - mu ln [N s] */
  /* COMPLETED; CANCELLED, TIME_LIMIT: the samples before the first that is missing, SS_IMPACT_ENDED_MAX at most */
  SsOutcome outcome;
} SsImpactSet;

/* h where nobody says: the largest impulse that stops a contact by itself without friction. */
double ss_impact_default_h (const SsImpact *impact);
/* SS_ERR_ARG for options out of range, and for ENUMERATE beyond SS_IMPACT_ENUMERATE_MAX contacts; SS_ERR_MEMORY.
 * `control` may be NULL; it is told the columns samples and wanted at every 64th part of the samples. */
SS_NODISCARD SsStatus ss_impact_set_new (const SsImpact *impact, const SsImpactSetOptions *options,
                                         SsRunControl *control, SsImpactSet **out, SsError *err);
/* NULL is allowed. */
void ss_impact_set_free (SsImpactSet *set);

/* One sample again, step by step: velocities[(max_steps + 2) n] and impulses[(max_steps + 1) 2m] (NULL: not wanted) are
 * filled with those before the first step and after each. Returns the number of steps in *n_steps. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_impact_set_path (const SsImpact *impact, const SsImpactSetOptions *options, int sample,
                                          double *velocities, double *impulses, int *n_steps, SsError *err);

/* psi of Algorithm 2: sigma_max (M^-1 Jb') m (1 + max mu) + 1, Jb = [Jn; Jt; -Jt]. */
double ss_impact_psi (const SsImpact *impact);
