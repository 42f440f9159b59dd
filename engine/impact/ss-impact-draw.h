/* engine/impact/ss-impact-draw.h: the caps of the steps of a sample, as a function of (seed, sample, step, contact).
 *
 * Counter-based: no state passes from one draw to the next, so that any number of threads gives the same caps, and two
 * policies, whose own draws are another stream, see the same ones.
 * UNIFORM: h u_i, u_i uniform on [0, 1). SIMPLEX: rates that sum to h, uniform on the simplex. SOBOL: point number
 * skip + sample (leap + 1) of a Sobol sequence of m N dimensions, skip = 3^min (N, 20), leap = ceil (skip^(1/4)), as
 * the authors' program has it (with direction numbers of our own), but even: of every second point, caps of a contact
 * lie in one half. S. Joe, F. Y. Kuo, ACM Trans. Math. Softw. 29 (2003). CORNERS: in a quarter of the samples one
 * contact at a time has the cap h, any of them, the others 0; in the others each cap is 0, h or uniform in between,
 * with probabilities 1/4, 1/4 and 1/2: faces of the box of impulses have measure 0, and the extremes of a set come of
 * them (one contact after the other).
 */
#pragma once

#include "core/ss-core.h"

#include <stdint.h>

typedef enum {
  SS_IMPACT_DRAW_UNIFORM,
  SS_IMPACT_DRAW_SIMPLEX,
  SS_IMPACT_DRAW_SOBOL,
  SS_IMPACT_DRAW_CORNERS
} SsImpactDrawKind;
/* "uniform", "simplex", "sobol", "corners", NULL: by kind */
enum { SS_IMPACT_DRAW_KINDS = 4 };
extern const char *const ss_impact_draw_names[SS_IMPACT_DRAW_KINDS + 1];
typedef enum { SS_IMPACT_STREAM_CAPS, SS_IMPACT_STREAM_POLICY, SS_IMPACT_STREAM_RESTITUTION } SsImpactStream;

/* A uniform number in [0, 1) for each argument. */
double ss_impact_uniform (SsImpactStream stream, uint64_t seed, uint64_t sample, int step, int contact);

typedef struct SsImpactDraw SsImpactDraw;

/* For m contacts and up to max_steps steps. SS_ERR_ARG for a Sobol sequence of too many dimensions, SS_ERR_MEMORY.
 * Freeing NULL is allowed. Constant once made: any number of threads may draw. */
SS_NODISCARD SsStatus ss_impact_draw_new (SsImpactDrawKind kind, uint64_t seed, int m, int max_steps, double h,
                                          SsImpactDraw **out, SsError *err);
void ss_impact_draw_free (SsImpactDraw *draw);
/* The one contact that takes part in a step of a sample (from 0); -1: all do. */
int ss_impact_draw_alone (const SsImpactDraw *draw, uint64_t sample, int step);
/* cap[m] of a step (from 0) of a sample (from 0). */
void ss_impact_draw_caps (const SsImpactDraw *draw, uint64_t sample, int step, double *cap);
