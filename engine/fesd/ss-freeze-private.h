/* engine/fesd/ss-freeze-private.h: what the files of time-freezing share (freeze, metric, element, jump, channels). The
 * method: ss-freeze.h. */
#pragma once

#include "fesd/ss-fesd-march-private.h"
#include "fesd/ss-freeze.h"

/* Rows of points at one configuration, and what a unit of force along them does: [2 i] normal, [2 i + 1] tangential. */
typedef struct {
  int n, capacity;    /* points */
  double *row, *push; /* 2 capacity x n_free: J; W J' */
  double *driven;     /* 2 capacity: what locked coordinates that move add to J v [m/s] */
  double *delassus;   /* 2 capacity x 2 capacity, symmetric: J W J' */
} SsFreezeMetric;

/* A point that may be told of: of the system, of a pair, or a limit (item of the march >= n_points). */
typedef struct {
  int item, contact, corner; /* contact -1: a limit */
  SsFesdPoint point;         /* not of limits */
  double gap, rate;
} SsFreezePlace;

enum { SS_FREEZE_PAIRS_MAX = 3, SS_FREEZE_PLACE_NAME_MAX = 80, SS_FREEZE_NAME_MAX = 3 * 80 };

struct SsFreeze {
  SsFesdSystem *system; /* borrowed */
  SsFesdMarch *march;   /* borrowed; NULL: of a jump beside, of: */
  const SsFreeze *of;   /* borrowed; NULL: of none */
  SsFreezeOptions options;
  SsTableau tableau; /* of numerical time */
  double a_n;
  bool is_chosen, is_elastic;
  double element_length; /* of an elastic span [s] */
  char reason[200];
  /* pairs that may become skew, for a warning */
  int n_skew;
  char skew[SS_FREEZE_PAIRS_MAX][SS_FREEZE_NAME_MAX];
  /* the element that was solved last */
  double theta[SS_TABLEAU_STAGES_MAX], length;
  double approach, missed; /* largest c2 at its stages; of those taken in this step [m/s] */
  int *leader;             /* n_items: the point that stands for it */
  /* the jump under way */
  bool is_frozen;
  double *beta, *sigma; /* n_items */
  double *far_q;        /* 3 n_bodies: scratch of the channels */
  double jump_residual;
  SsFreezeMetric metric;
  SsRow *joints;          /* of all joints, then limits */
  double *g, *gm, *block; /* n_bilateral x n_free: G; G M^-1; G M^-1 G' */
  int *pivot;
  int n_places, places_capacity;
  SsFreezePlace *places;
  int span_capacity;
  void *span; /* SsFreezeSpan of ss-freeze-jump.c */
};

/* ---- metric ------------------------------------------------------------------------------------------------------ */
void ss_freeze_metric_clear (SsFreezeMetric *metric);
/* Rows of these places at (q, v) into freeze->metric. */
SS_NODISCARD SsStatus ss_freeze_metric_set (SsFreeze *freeze, const double *q, const double *v,
                                            const SsFreezePlace *places, int n, SsError *err);
/* J v of a row of the metric; v on all coordinates. */
double ss_freeze_rate (const SsFreeze *freeze, int row, const double *v);
/* All points as they lie at q, limits included, into freeze->places. */
SS_NODISCARD SsStatus ss_freeze_look_around (SsFreeze *freeze, const double *q, const double *v, SsError *err);
/* Those of the march's touches, which move not apart. */
SS_NODISCARD SsStatus ss_freeze_take_touches (SsFreeze *freeze, const double *q, const SsFesdTouch *touches, int n,
                                              double rest, SsError *err);
/* Of the places of these touches one of those with the same rows leads. *skew: the first two whose normals are not
 * orthogonal, -1: none. */
SS_NODISCARD SsStatus ss_freeze_find_leaders (SsFreeze *freeze, const double *q, const double *v,
                                              const SsFesdTouch *touches, int n, double rest, int skew[2],
                                              SsError *err);
/* Of places i and j of the metric: 0 orthogonal, 1 skew, 2 the same; up to `tolerance` times their lengths. */
int ss_freeze_compare (const SsFreeze *freeze, int i, int j, double tolerance);
/* Of numbers that are exact but for rounding. */
static const double ss_freeze_skew_tolerance = 1e-9;
/* Names of two places, "a and b". */
void ss_freeze_name_pair (const SsFreeze *freeze, int i, int j, char *name, size_t size);

/* ---- life -------------------------------------------------------------------------------------------------------- */
/* ss_freeze_new without the checks that need a start. */
SS_NODISCARD SsStatus ss_freeze_make (SsFesdSystem *system, const SsTableau *tableau, const SsFreezeOptions *options,
                                      SsFreeze **out, SsError *err);

/* ---- element ----------------------------------------------------------------------------------------------------- */
bool ss_freeze_solve (void *freeze, SsFesdElement *element, double h);
double ss_freeze_length (void *freeze, const SsFesdElement *element);
void ss_freeze_take (void *freeze);
/* theta = product of (1 - theta lambda / a_n) of n forces: the speed of time. */
double ss_freeze_speed (const double *lambda, int n, double a_n);

/* ---- jump -------------------------------------------------------------------------------------------------------- */
SS_NODISCARD SsStatus ss_freeze_jump (void *freeze, SsFesdLaw *law, const SsFesdImpactCase *what, const double *q,
                                      double *v, SsFesdTouch *touches, int n, double *bilateral, SsError *err);
