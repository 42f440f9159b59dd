/* app/job/ssapp-own-class.h: what the engine calls of a method of the user's own: an integrator and an optimiser that
 * ask a program. Names, texts and options are filled in for each (ssapp-own.c); options begin with SsappOwnOptions.
 * Threads: a solver's. Tests: tests/cli/test-your-method.py
 */
#pragma once

#include "nlp/ss-nlp.h"
#include "simulate/ss-simulate.h"

extern const SsIntegratorClass ssapp_own_integrator; /* ssapp-own-integrator.c */
extern const SsNlpClass ssapp_own_optimiser;         /* ssapp-own-optimiser.c  */
