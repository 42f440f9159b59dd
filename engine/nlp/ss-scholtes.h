/* engine/nlp/ss-scholtes.h: the homotopy of relaxed complementarity products, in the table of ss-nlp.h. */
#pragma once

#include "nlp/ss-nlp.h"

extern const SsNlpClass ss_nlp_scholtes; /* nlp/ss-scholtes.c */
