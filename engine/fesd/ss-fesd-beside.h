/* engine/fesd/ss-fesd-beside.h: one element, jump or fit of a march made once more, from another start, in another
 * scene: the motion beside, which keeps to the sequence of modes and switches of the march.
 *
 * An element that ended in a switch ends in it beside as well, at its own time; another one has the length that it is
 * given. The modes are those of the march, so that ends are smooth functions of start and scene: these two are all that
 * derivatives of the march's motion need (fesd/ss-fesd-sensitivity.h). Private to the room.
 */
#pragma once

#include "fesd/ss-fesd-impacts.h"
#include "fesd/ss-fesd-log.h"
#include "fesd/ss-freeze.h"
#include "fesd/ss-tableau.h"
#include "simulate/ss-sensitivity.h"

typedef struct SsFesdBeside SsFesdBeside;

/* The law of impacts of a march: one of the room impact, or that of time-freezing (borrowed); both NULL: that of paper
 * 000. */
typedef struct {
  const SsFesdImpactOptions *impacts;
  const SsFreeze *freeze;
} SsFesdBesideLaw;

/* In that scene, borrowed; the march lends its time to the law.
 * SS_ERR_INVALID where `like` is a system of other bodies, contacts or joints. */
SS_NODISCARD SsStatus ss_fesd_beside_new (const SsScene *scene, const SsFesdSystem *like, const SsTableau *tableau,
                                          const SsFesdBesideLaw *law, const SsFesdMarch *march, SsFesdBeside **out,
                                          SsError *err);
void ss_fesd_beside_free (SsFesdBeside *beside); /* NULL is allowed */
/* Whether shapes or their places in bodies are others than in `like`. */
bool ss_fesd_beside_has_other_shapes (const SsFesdBeside *beside);
/* Controls of the elements to come (n_actuators, borrowed); NULL: the formulas. */
void ss_fesd_beside_set_controls (SsFesdBeside *beside, const double *controls);

/* Makes it from (t, q, v): these become its end. h: length of an element without a switch. `apart`: how far gaps of
 * what touches may be from 0 [m], and speeds of closed gaps [m/s]. `part`: of the usual distance from the march's
 * start, in which another switch is looked for; 0: it is not, as start and scene do not belong together. False: there
 * is no such end beside. *why: TOUCHING, what touches is no contact of the march's; GRAZING and BOUND, another switch
 * comes within the element, or its modes hold nowhere; N_BREAKS: not known. */
bool ss_fesd_beside_element (SsFesdBeside *beside, const SsFesdTaken *taken, double h, double apart, double *t,
                             double *q, double *v, double part, SsSensitivityBreakKind *why);
/* The fit of a start: v is put onto the rows of the modes. */
bool ss_fesd_beside_fit (SsFesdBeside *beside, const SsFesdTaken *taken, double t, double *q, double *v);
bool ss_fesd_beside_jump (SsFesdBeside *beside, const SsFesdTaken *taken, double t, const double *q, double *v,
                          double apart);
