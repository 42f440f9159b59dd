/* engine/nlp/ss-crisp.h: options of CRISP, for code that solves by it with settings of its own.
 *
 * What each is: the table in ss-crisp-options.c, where some are settings of code, no options. Fields that a preset must
 * not change are set by ss_options_give.
 */
#pragma once

#include "nlp/ss-nlp.h"

typedef enum {
  SS_CRISP_PRESET_DEFAULT,
  SS_CRISP_PRESET_PAPER,
  SS_CRISP_PRESET_WARM,
  SS_CRISP_PRESET_DRAWN
} SsCrispPreset;
typedef enum { SS_CRISP_CORRECTION_NONE, SS_CRISP_CORRECTION_PAPER, SS_CRISP_CORRECTION_BETTER } SsCrispCorrection;
typedef enum { SS_CRISP_ACCEPT_RATIO, SS_CRISP_ACCEPT_DECREASE } SsCrispAccept;
typedef enum { SS_CRISP_SHRINK_STEP, SS_CRISP_SHRINK_RADIUS } SsCrispShrink;

typedef struct {
  int preset; /* SsCrispPreset */
  int k_max;
  double delta0, delta_max;
  double mu0, mu_max, mu_growth, mu_spread;
  int level_iterations;
  double gamma_poor;
  double eps_c, eps_p, eps_r, eps_decrease, merit_floor;
  double radius_after_raise;
  int correction, accept, shrink_from; /* enums above */
  double quick_correction;
  int backtrack;
  bool confirm, certify;
  bool convexify;
  double qp_residual, qp_gap, qp_gap_floor;
  int restarts, cycles;
  double relax, relax_factor;
  int relax_iterations;
  double price;
  int bounds; /* SsBoundsChoice */
  double polish_from;
  bool snap;
  bool finish;
  double finish_from;
  uint64_t given; /* one bit per option that was set by name: see ss-option.h */
} SsCrispOptions;
