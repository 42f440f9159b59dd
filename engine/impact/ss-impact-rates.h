/* engine/impact/ss-impact-rates.h: the impact as a continuous process, with given rates of the normal impulses.
 *
 * Along s contact i is fed normal impulse at the rate r_i >= 0, sum of r = 1, while it approaches; at speed 0 what
 * keeps it there, up to r_i; Coulomb friction at the present velocity [002 (36) (39)]; Routh's graphical method for one
 * contact [002 Fig 3]. v(s) is a polygon: its directions are those of a step of Algorithm 1 with caps h0 r and h0 so
 * small that no mode changes in it, its corners lie where a speed reaches 0 or the rates change.
 * The path is the limit of Algorithm 1 with caps h r as h falls. Tests: tests/numeric/test-impact.c.
 */
#pragma once

#include "impact/ss-impact.h"

/* Rates by pieces of s. */
typedef struct {
  int n_pieces;
  const double *until; /* n_pieces, rising; the last piece goes on for ever [N s] */
  const double *rates; /* n_pieces x m, >= 0, each piece with sum 1 */
} SsImpactRates;

typedef struct {
  int n, m, n_points;
  double *s;       /* n_points; s[0] = 0 [N s] */
  double *v;       /* n_points x n: v[0] before the impact, the last where it ended */
  double *impulse; /* n_points x 2m: ln, lt since the start */
  bool is_finished;
} SsImpactPath;

/* From the configuration's v until no contact approaches, or after max_corners corners. SS_ERR_ARG for rates that are
 * none, SS_ERR_MEMORY, SS_ERR_SINGULAR where a direction is not found. */
SS_NODISCARD SsStatus ss_impact_path_new (const SsImpact *impact, const SsImpactRates *rates, int max_corners,
                                          SsImpactPath **out, SsError *err);
/* NULL is allowed. */
void ss_impact_path_free (SsImpactPath *path);
/* Rates from text: "0.3,0.7", or by pieces "0.1:0.3,0.7;0.5,0.5" (until s = 0.1, then the others). Divided by their
 * sum. `until` and `values` have room for SS_IMPACT_PIECES_MAX pieces. SS_ERR_ARG. */
enum { SS_IMPACT_PIECES_MAX = 16 };
SS_NODISCARD SsStatus ss_impact_rates_parse (const char *text, int m, double *until, double *values,
                                             SsImpactRates *rates, SsError *err);
