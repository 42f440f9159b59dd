/* engine/simulate/ss-swept-private.h: steps of a record that are taken in parts where something is fast; see
 * ss-swept.h. */
#pragma once

#include "simulate/ss-record-private.h"
#include "simulate/ss-swept.h"

typedef struct SsSwept SsSwept;

/* For steps that are taken in parts where something is fast, if the options (NULL: the defaults) say so, and where they
 * cannot be solved; NULL of integrators that follow events, which do both themselves. The scene is borrowed. */
SS_NODISCARD SsStatus ss_swept_new (const SsScene *scene, const SsIntegratorClass *integrator, const void *options,
                                    SsSwept **out, SsError *err);
void ss_swept_free (SsSwept *swept);                /* NULL is allowed */
SsSweptCount ss_swept_count (const SsSwept *swept); /* of the steps so far; NULL: none */

/* Begins the step of the record from its state to `next` and takes it, with rows at the ends of all parts but the last
 * one, which is to be ended as a step is. info: residual is the largest of the parts. Where it fails, the state is what
 * it was, and the step is to be undone. `swept` NULL: in one part. */
SS_NODISCARD SsStatus ss_swept_step (SsSwept *swept, SsSimRecord *record, const SsIntegratorClass *integrator,
                                     void *stepper, double next, SsStepInfo *info, SsError *err);
