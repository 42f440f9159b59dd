/* engine/impact/ss-impact-law.h: impact laws as methods: what they take, what they answer, the class.
 *
 * newton           Moreau's form of Newton's law with Coulomb friction: 0 <= ln _|_ Jn v' + e min (Jn v, 0) >= 0. The
 *                  energy can rise, which the answer then says.
 * anitescu-potra   Simultaneous and inelastic [002 (31a)-(31d)], all contacts at once; with restitution Poisson's
 *                  second problem (M. Anitescu, F. A. Potra, Nonlinear Dynamics 14 (1997)): e ln more on each contact,
 *                  then the same law once more.
 * sequential       One contact after the other in a given order, over and over, each by the law of one contact, with
 *                  Poisson's second problem on that contact where restitution is asked for.
 * set-valued       Samples of all outcomes [002 Alg 1 Alg 2], see ss-impact-set.h; likewise.
 * Poisson's hypothesis with friction can give more energy than there was; sequential and set-valued then lower the
 * coefficient, for that impulse, to what keeps it.
 * Threads: a law belongs to one thread. Tests: tests/numeric/test-impact.c.
 */
#pragma once

#include "impact/ss-impact-bound.h"
#include "impact/ss-impact-cone.h"
#include "impact/ss-impact-mode.h"
#include "impact/ss-impact-net.h"
#include "impact/ss-impact-set.h"

enum { SS_IMPACT_ORDER_MAX = 256 };

typedef struct {
  double *v;                                  /* n, owned by the result */
  double u[2 * SS_IMPACT_CONTACTS_MAX];       /* vn, then vt */
  double impulse[2 * SS_IMPACT_CONTACTS_MAX]; /* ln, then lt, summed over all solves */
  double energy;                              /* [J] */
  double share;                               /* of orders that end here; of solutions: equal parts */
  int solves;
  bool is_finished;                /* no contact approaches */
  char order[SS_IMPACT_ORDER_MAX]; /* sequential: names with commas, the first that ends here; else "" */
} SsImpactOutcome;

typedef struct SsImpactResult {
  int n_outcomes;
  SsImpactOutcome *outcomes; /* owned; set-valued: none */
  SsImpactSet *set;          /* owned; set-valued only  */
  SsImpactBound *bound;      /* owned; of a set whose bound was asked for; else NULL */
  SsImpactSet *corners;      /* owned; beside `bound`: draws at the corners of the box of impulses */
  SsImpactExtent inner;      /* beside `bound`: of both sets */
  SsImpactCone cone;         /* set-valued only         */
  SsImpactNet net;           /* set-valued only         */
  char message[512];         /* what is to be known of the answer; "" */
} SsImpactResult;

/* Freed and emptied. */
void ss_impact_result_clear (SsImpactResult *result);

typedef struct SsImpactLawClass {
  const char *name, *label, *summary;
  const char *solves; /* the law in a sentence */
  const SsOptionTable *options;
  bool uses_restitution; /* false: the run warns of contacts that have one, */
  /* unless these options ask for it; NULL: no option does */
  bool (*asks_restitution) (const void *options);
  /* The configuration is borrowed. SS_ERR_ARG for options that do not fit it. */
  SsStatus (*new_) (const SsImpact *impact, const void *options, void **law, SsError *err);
  /* From the configuration's v; `result` is initialised here and empty on failure. `control` may be NULL. */
  SsStatus (*resolve) (void *law, SsRunControl *control, SsImpactResult *result, SsError *err);
  void (*free) (void *law); /* NULL is allowed */
} SsImpactLawClass;

/* Options of laws that others ask with settings of their own; what each is: the laws' tables. */
typedef struct {
  bool all;
} SsAnitescuPotraOptions;

typedef enum { SS_IMPACT_INELASTIC, SS_IMPACT_POISSON } SsImpactRestitution;
enum { SS_IMPACT_RESTITUTIONS = 2 };
/* "none", "poisson", NULL */
extern const char *const ss_impact_restitution_names[SS_IMPACT_RESTITUTIONS + 1];

typedef struct {
  bool all;
  double tolerance;
  int max_solves;
  int restitution; /* SsImpactRestitution */
  char order[SS_OPTION_TEXT_MAX];
} SsSequentialOptions;

/* The laws of the head of this file. */
extern const SsImpactLawClass ss_impact_law_newton;
extern const SsImpactLawClass ss_impact_law_anitescu_potra;
extern const SsImpactLawClass ss_impact_law_sequential;
extern const SsImpactLawClass ss_impact_law_set_valued;

/* What a law takes of a scene's restitution, stiffness and damping, of SsSceneUse: impacts are of rigid bodies.
 * `options` may be NULL: the defaults. */
unsigned ss_impact_law_uses (const SsImpactLawClass *law, const void *options);
/* All in one: a law with these options on a configuration. */
SS_NODISCARD SsStatus ss_impact_resolve (const SsImpactLawClass *law, const SsImpact *impact, const void *options,
                                         SsRunControl *control, SsImpactResult *result, SsError *err);

/* ---- for the laws ------------------------------------------------------------------------------------------------ */

/* Appends an outcome with v copied; NULL without memory. */
SsImpactOutcome *ss_impact_result_add (SsImpactResult *result, const SsImpact *impact, const double *v);
/* Appends a sentence to the message. */
void ss_impact_result_note (SsImpactResult *result, const char *format, ...) SS_PRINTF (2, 3);
