/* engine/nlp/ss-scholtes.h: the homotopy of relaxed complementarity products, in the table of ss-nlp.h, and its
 * options, for code that solves by it with settings of its own.
 *
 * What each option is: the table in ss-scholtes.c. Fields that a preset must not change are set by ss_options_give.
 */
#pragma once

#include "nlp/ss-nlp.h"

typedef enum { SS_SCHOLTES_PRESET_DEFAULT, SS_SCHOLTES_PRESET_PAPER } SsScholtesPreset;
/* How sigma relaxes products, in the order of the names. */
typedef enum {
  SS_SCHOLTES_PRODUCTS,
  SS_SCHOLTES_EQUALITY,
  SS_SCHOLTES_ELASTIC,
  SS_SCHOLTES_ELASTIC_CAPPED,
  SS_SCHOLTES_ELASTIC_L1,
  SS_SCHOLTES_PENALTY
} SsScholtesRelaxation;
typedef enum { SS_SCHOLTES_UPDATE_LINEAR, SS_SCHOLTES_UPDATE_SUPERLINEAR } SsScholtesUpdate;
typedef enum { SS_SCHOLTES_MEMBERS_LOOSE, SS_SCHOLTES_MEMBERS_FULL } SsScholtesMembers;

typedef struct {
  int preset;     /* SsScholtesPreset     */
  int relaxation; /* SsScholtesRelaxation */
  double sigma0, kappa, sigma_min, tol_comp, tol, constr_viol_tol;
  int update; /* SsScholtesUpdate */
  int patience, retries;
  double leap;
  int max_iter, member_iter;
  int mu_strategy; /* SsIpoptMu         */
  int bounds;      /* SsBoundsChoice    */
  int members;     /* SsScholtesMembers */
  double bound_push, bound_relax, pivot;
  bool warm_start, finish;
  int print_level;
  uint64_t given; /* one bit per option that was set by name: see ss-option.h */
} SsScholtesOptions;

extern const SsNlpClass ss_nlp_scholtes; /* nlp/ss-scholtes.c */
