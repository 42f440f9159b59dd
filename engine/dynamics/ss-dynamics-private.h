/* engine/dynamics/ss-dynamics-private.h: the object, and single rows. */
#pragma once

#include "dynamics/ss-dynamics.h"
#include "dynamics/ss-formula-row.h"

struct SsDynamics {
  const SsScene *scene; /* borrowed                                                           */
  double *mass, *inverse_mass;
  SsTape *tape;   /* all formulas; NULL if none                                             */
  int *output;    /* 3 n_forces + n_actuators: output of the tape, -1 = 0                   */
  double *inputs; /* n_slots                                                                */
  double *values; /* outputs of the tape                                                    */
  double *work;
  SsFormulaRows *formulas; /* of constraints; NULL if none */
  double t;                /* of their rows                */
};

/* The coordinate that a joint leaves free (PIN: angle, SLIDER: travel) or, for a ROD, its length, for a FORMULA phi;
 * false for a WELD. phi is its value. */
bool ss_dynamics_travel_row (const SsDynamics *dynamics, int joint, const double *q, const double *v, SsRow *row);
