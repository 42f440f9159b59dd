/* engine/contact/ss-step-rows.h: a step's problem reduced to its impulses: u = W z + q of z = (r, p), the points'
 * normals and tangents, then the bilateral rows; W = [H; G] M^-1 [H; G]' with the compliances on its diagonal, the
 * Delassus operator. Tests: tests/numeric/test-step-problem.c */
#pragma once

#include "judge/ss-step-problem.h"

typedef struct {
  int n, n_contacts; /* 2 n_contacts + n_joints */
  SsSparse W;        /* symmetric to the bit where M is diagonal */
  double *q;
} SsStepRows;

/* SS_ERR_MEMORY; *out is empty then. */
SS_NODISCARD SsStatus ss_step_rows_new (const SsStepProblem *problem, SsStepRows *out, SsError *err);
void ss_step_rows_clear (SsStepRows *rows); /* a zeroed one is allowed */

/* The problem without velocities and bilateral rows, as fc2d has it, with its answer's r; a copy where it is one.
 * SS_ERR_INVALID: it has least impulses, for which fc2d has no place. SS_ERR_SINGULAR: bilateral rows hold the same
 * thing twice. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_step_problem_reduce (const SsStepProblem *problem, SsStepProblem **out, SsError *err);

/* Coulomb's law of one point with all others held: its velocities without its own impulses are un and ut, w is W of its
 * own rows (nn, nt, tn, tt); z = (pn, pt), pn >= least. Where none of the cases is a solution (there is always one
 * when W is positive definite and mu is small enough) z is left as it is. ss-step-gauss-seidel.c */
void ss_step_solve_point (const double w[4], double un, double ut, double mu, double least, double *z);
