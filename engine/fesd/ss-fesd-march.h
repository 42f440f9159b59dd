/* engine/fesd/ss-fesd-march.h: a scene marched by finite elements that end where a contact switches (paper 000,
 * sections 3 to 5, solved by following the modes instead of a homotopy).
 *
 * A step   has a given number of elements. Without a switch they share it equally. Else the modes of the contacts are
 *          followed: the element over all that is left is solved; where a sign condition fails, it is solved again with
 *          its length unknown and the condition as equation, earliest first; then comes the jump, if contacts close
 *          with a speed, and the modes after it; what is left belongs to the elements that are left. When they do not
 *          suffice, what is left is a part with as many elements of its own (counted as bisected; ours, so that nothing
 *          is solved twice), and the next switch is looked for within a few times the last element. What cannot be
 *          solved is taken in two halves from the last switch on.
 * Modes    after a switch are those of the law at the level of accelerations, the nearest to the modes before (a
 *          search, then Lemke's method); where their element fails at once, others are tried that the law allows as
 *          well, those first that differ least.
 * Lasting  contact on a curved gap: poses miss phi = 0 at the end of an element by the scheme's order, velocities of
 *          schemes with c_n < 1 n' v = 0 as well; they are projected there, as those of joints. Paper 000 leaves them,
 *          and its impulses at grid points can only push. Ours.
 * Impacts  by the law of ss-fesd-law.h, or by one that is given. Where something slips, nothing approaches and no
 *          forces obey the law of contact in any mode, that is in the inconsistent states of P. Painleve (1895), a law
 *          that knows impacts without a collision is asked for one; with others the run fails there.
 * Overlap  of bodies at the start is kept: its depth counts as contact.
 * Zeno     three flights of one contact whose ratio has settled, or three cycles of two or three flights, and whose sum
 *          ends within the step: the contact is closed now although it rebounds, and the accumulation is dated to that
 *          sum; so are other contacts that touch at that instant and whose flights end within the step as well, or that
 *          leave slower than this one came. The element to come begins with the rebound and holds the gap, so its
 *          forces take the speed away: all equations hold, with no impulse but the impact's (the capturing that the
 *          paper's sec. 6 observed). Where these forces would pull, it flies on.
 * Failure  only after all modes of the touching points were looked at (some 3e5 at most), and at an impact all outcomes
 *          of its equations, where there are no more than that; the message says how many. Where a proposer is set it
 *          is asked for the modes of the next element then, not for impacts; those that come near to the law at that
 *          instant are tried. How far the step came is told to its sink all the same.
 */
#pragma once

#include "fesd/ss-fesd-law.h"
#include "fesd/ss-fesd-record.h"
#include "fesd/ss-fesd-watch.h"
#include "simulate/ss-proposer.h"

/* What a law of impacts is asked for. */
typedef struct {
  long number; /* impacts of the run before this one */
  double rest; /* approaches that are slower are none, and slips [m/s] */
  /* Nothing approaches, but no forces obey the law of contact, and something slips: the impact ends that. */
  bool is_without_collision;
} SsFesdImpactCase;

/* Whether the impact is of this touch: it approaches, or slips. */
bool ss_fesd_strikes (const SsFesdSystem *system, const SsFesdImpactCase *what, const SsFesdTouch *touch);

/* A law of impacts in the place of ss_fesd_law_jump. v changes; touches and bilateral are filled as by
 * ss_fesd_law_jump. An error ends the run, its message names neither impact nor time. */
typedef struct {
  void *owner; /* NULL: ss_fesd_law_jump */
  SsStatus (*jump) (void *owner, SsFesdLaw *law, const SsFesdImpactCase *what, const double *q, double *v,
                    SsFesdTouch *touches, int n, double *bilateral, SsError *err);
  bool takes_no_collision; /* it knows impacts without one; else ss_fesd_law_step tells them */
} SsFesdImpactLaw;

struct SsFesdMarch;

/* Numerical time beside the physical one (paper 001): elements are those of a scheme in numerical time, and jumps take
 * some of it. With it go an impact law of the same owner, which tells rows of its own and moves the clock on. */
typedef struct {
  void *owner; /* NULL: none */
  /* In the place of ss_fesd_element_solve; h: physical length. */
  bool (*solve) (void *owner, SsFesdElement *element, double h);
  /* Numerical length of the element that was solved last. */
  double (*length) (void *owner, const SsFesdElement *element);
  /* The element that was solved and judged last is taken. */
  void (*take) (void *owner);
  double tau_end; /* where the motion ends, also within a jump; INFINITY: nowhere */
  /* Whether the method may go on with what touches now; an error ends the run. */
  SsStatus (*look) (void *owner, const struct SsFesdMarch *march, const SsFesdTouch *touches, int n, SsError *err);
  int n_more; /* numbers of a row of its own, filled at the march's present state */
  void (*fill) (void *owner, const struct SsFesdMarch *march, double *more);
} SsFesdFreeze;

/* What ends flights that accumulate. EQUATIONS: no rule but those of the elements, as the homotopy of paper 000 found
 * it (sec. 6): after more impacts of a step than it has elements whatever rebounds is closed, if forces that push then
 * take the rebound away; told as an accumulation at that impact, too early by a step at most. */
typedef enum { SS_FESD_ZENO_EXTRAPOLATE, SS_FESD_ZENO_EQUATIONS } SsFesdZeno;

typedef struct {
  SsTableauFamily family;
  int n_stages, n_elements;
  SsFesdZeno zeno;
  double max_events; /* a second */
  /* Most that elements may add a second to the error of a coordinate or a velocity, by estimate [SI units]; the step
   * has as many elements as that takes. 0: n_elements. */
  double tolerance;
  bool keeps_stages; /* stages are told with all that a row has (simulate/ss-step.h) */
  SsFesdImpactLaw impacts;
  SsFesdFreeze freeze;
  const SsProposer *proposer; /* borrowed; NULL: nobody is asked */
  bool asks_first;            /* at every switch, before the modes of the law are tried */
} SsFesdMarchOptions;

typedef struct {
  long predicted;    /* elements solved with the modes that were expected */
  long alternatives; /* modes tried in their place */
  long homotopy;     /* elements solved with modes that were proposed */
  long bisected;     /* steps taken in two halves */
} SsFesdCounts;

/* What an element was solved with, for whoever verifies it: borrowed for the call. */
typedef struct {
  const SsFesdElement *element;
  double t0;
  const double *q0, *v0; /* at its start, after the jump */
  const SsFesdMode *modes;
  const double *offset;
} SsFesdSolved;

/* A jump, likewise. */
typedef struct {
  double t;
  const double *q, *v_before, *v_after;
  int n;
  const SsFesdTouch *touches;
  const double *bilateral; /* n_bilateral */
} SsFesdJump;

/* Judges of elements and jumps: by how much their equations are missed. */
typedef struct {
  void *owner;
  double (*element) (void *owner, const SsFesdSolved *solved);
  double (*jump) (void *owner, const SsFesdJump *jump);
} SsFesdJudge;

typedef struct SsFesdMarch SsFesdMarch;

/* Knows no state: the first step looks at the contacts. The system is borrowed, the options are copied. */
SS_NODISCARD SsStatus ss_fesd_march_new (SsFesdSystem *system, const SsFesdMarchOptions *options, SsFesdMarch **out,
                                         SsError *err);
void ss_fesd_march_free (SsFesdMarch *march); /* NULL is allowed */
/* One step; like SsIntegratorClass.step. *residual: the largest that the judge found; *way: how it was
 * solved. */
SS_NODISCARD SsStatus ss_fesd_march_step (SsFesdMarch *march, const SsStep *step, const SsFesdJudge *judge,
                                          SsSimState *state, double *residual, SsStepWay *way, SsError *err);
/* Takes that state for the present one, before the first step. */
void ss_fesd_march_begin (SsFesdMarch *march, const SsSimState *state);
/* Whether the last step ended before its end, at *t, since the numerical time is over. */
bool ss_fesd_march_is_over (const SsFesdMarch *march, double *t);
/* Sets these two options, before the first step. */
void ss_fesd_march_set_proposer (SsFesdMarch *march, const SsProposer *proposer, bool asks_first);
/* Largest estimated error of a place where the last step ended [m], since the motion began; the order of the scheme,
 * and that which halved elements have shown, 0: none did. False: not estimated. */
bool ss_fesd_march_error (const SsFesdMarch *march, double *error, double *due_order, double *order);
