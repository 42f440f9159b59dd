/* engine/fesd/ss-tableau.h: Runge-Kutta schemes of the finite elements with switch and jump detection.
 *
 * Source   paper 000, sec. 3.1: a stage j of an element of length h that starts at x0 is x_j = x0 + h sum_k a_jk f_k,
 *          its end x0 + h sum_k b_k f_k. Hairer and Wanner, Solving Ordinary Differential Equations II, sec. IV.5.
 * Orders   Gauss-Legendre 2 n, Radau IIA 2 n - 1, Lobatto IIIC 2 n - 2. The first two are collocation methods:
 *          a_jk = int_0^c_j L_k, b_k = int_0^1 L_k with L_k the Lagrange polynomials of the nodes c.
 * Digits   nodes are roots of Legendre polynomials, found here; the simplifying assumptions B, C and D hold to 1e-13.
 * Cost     no allocation; pure functions, callable from any thread. Tests: tests/unit/test-tableau.c.
 */
#pragma once

#include "core/ss-core.h"

enum { SS_TABLEAU_STAGES_MAX = 9 };

typedef enum { SS_TABLEAU_RADAU_IIA, SS_TABLEAU_GAUSS_LEGENDRE, SS_TABLEAU_LOBATTO_IIIC } SsTableauFamily;

typedef struct {
  SsTableauFamily family;
  int n;                                                  /* stages                                            */
  double a[SS_TABLEAU_STAGES_MAX][SS_TABLEAU_STAGES_MAX]; /* a[j][k], zero beyond n                            */
  double b[SS_TABLEAU_STAGES_MAX];                        /* weights                                           */
  double c[SS_TABLEAU_STAGES_MAX];                        /* nodes, ascending in [0, 1]                        */
  bool ends_at_one; /* the last stage is the end: c[n - 1] = 1 and a[n - 1] = b (Radau IIA and Lobatto IIIC)   */
} SsTableau;

/* n_stages: 1 to 9; Lobatto IIIC 2 to 5. SS_ERR_ARG otherwise, with `out` untouched. */
SS_NODISCARD SsStatus ss_tableau_make (SsTableauFamily family, int n_stages, SsTableau *out, SsError *err);
/* Order of the end of a step. */
int ss_tableau_order (const SsTableau *tableau);
/* The values at `theta` of the n Lagrange polynomials of the nodes, and of their integrals from 0: what the stage
 * slopes contribute at theta in (0, 1) of the element. Either may be NULL. For Lobatto IIIC, which is no collocation
 * method, the integrals at the nodes differ from a. */
void ss_tableau_lagrange (const SsTableau *tableau, double theta, double *value, double *integral);
