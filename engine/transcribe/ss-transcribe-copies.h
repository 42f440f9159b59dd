/* engine/transcribe/ss-transcribe-copies.h: several models, such as one plan in several worlds, as one problem in which
 * some variables are the same in all: controls and lengths of steps. Nothing else ties them, so that the problem's
 * blocks are those of the models, bordered by what they share. Or a linear feedback ties their controls: they differ by
 * what their states deviate.
 *
 * Variables are those of the first model, under their own names, then those of the others that are not shared, as
 * "<number>:<name>" with the number of the model from 2 on; states first, of all of them. Numbers that the models take
 * from their parameters are constants here. The cost is that of the first model; rows of the others that read shared
 * variables alone are left out, since the first one has them. Channels are those of the first.
 *
 * Models have as many time points as each other, in equal steps or in steps of shared length, and no elements (rows,
 * stages).
 * Threads  any. Tests: tests/numeric/test-plan-robust.c
 */
#pragma once

#include "scene/ss-scenario.h"

/* Whether a variable of that name is the same in all. */
typedef bool (*SsCopiesShared) (void *user_data, const char *name);

typedef struct {
  SsScenario *scenario; /* owned; texts belong to the models, which must live as long */
  int **variable_of;    /* owned: [model][variable of it] is a variable of the whole */
  int n_models;
} SsCopies;

/* A law that ties variables of each further model to those of the first, in place of being the same in all: at the time
 * points k below n_steps  u_i - u_1 + K_k (x_i - x_1) = 0, at later ones u_i = u_1. */
typedef struct {
  int n_controls, n_states, n_steps;
  const char *const *controls, *const *states; /* u and x: names of variables */
  const double *gains;                         /* K: n_steps x n_controls x n_states, row-major */
} SsCopiesLaw;

/* law NULL: none. SS_ERR_INVALID: the models have other numbers of points, elements, or one lacks a shared variable or
 * one of the law; SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_copies_new (const SsScenario *const *models, int n_models, SsCopiesShared is_shared,
                                     void *user_data, const SsCopiesLaw *law, SsCopies *out, SsError *err);
void ss_copies_clear (SsCopies *copies);
/* A point x of a model in its places of a point of the whole; what is shared is that of the last one put. */
void ss_copies_put (const SsCopies *copies, const SsScenario *const *models, int model, const double *x, double *whole);
