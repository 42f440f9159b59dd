/* engine/nlp/ss-ipopt-options.h: the table of Ipopt's options and the words that it shares with Ipopt. Private to the
 * room `nlp`. */
#pragma once

#include "core/ss-option.h"

/* Of SsIpoptOptions. */
extern const SsOptionTable ss_ipopt_option_table;
/* By the values of their options, as Ipopt calls them; NULL behind the last. */
extern const char *const ss_ipopt_mu_strategies[], *const ss_ipopt_hessians[], *const ss_ipopt_scalings[],
                                                                                   *const ss_ipopt_derivative_tests[];

/* What a return code of Ipopt is in words, static, and as an outcome of ours. */
const char *ss_ipopt_ending (int code, SsOutcome *outcome);
