/* engine/simulate/ss-stepper-private.h: what every integrator that steps a contact problem has, and does at the
 * beginning and the end of its life and of a step. */
#pragma once

#include "contact/ss-contact-problem.h"
#include "dynamics/ss-compliance.h"
#include "simulate/ss-certainty.h"
#include "simulate/ss-sim-limits.h"
#include "simulate/ss-simulate.h"
#include "simulate/ss-stiff.h"
#include "simulate/ss-swept.h"

/* An option in a table: a number from 0 to `maximum_`. */
#define SS_OPTION_NOT_NEGATIVE(options_, field_, name_, maximum_, fallback_, symbol_, unit_, common_, summary_)        \
  {                                                                                                                    \
    .name = name_, .type = SS_OPTION_REAL, .offset = offsetof (options_, field_), .minimum = 0, .maximum = maximum_,   \
    .fallback = fallback_, .symbol = symbol_, .unit = unit_, .common = common_, .summary = summary_                    \
  }

/* First member of an integrator's own struct. */
typedef struct {
  const SsScene *scene;       /* borrowed */
  SsContactProblem *problem;  /* owned    */
  SsStiff *stiff;             /* owned; NULL: all forces are explicit */
  SsCompliances *compliances; /* owned; NULL: no contact has formulas */
  double *work;               /* owned    */
  SsCertain *certain;         /* owned; NULL: nobody looks how sure a step is */
} SsStepper;

/* An integrator's struct: its size, where its options are in it, vectors of 3 n_bodies in `work`. */
typedef struct {
  size_t size, options;
  const SsOptionTable *table;
  int n_vectors;
} SsStepperLayout;

/* Zeroed but for base and options (NULL: defaults); `n_more` numbers follow the vectors. */
SS_NODISCARD SsStatus ss_stepper_new (const SsStepperLayout *layout, const SsScene *scene, const void *options,
                                      size_t n_more, void **out, SsError *err);
/* Whatever the option `forces` says: for laws that have no rows for forces. */
void ss_stepper_be_explicit (SsStepper *stepper);
void ss_stepper_free (void *stepper); /* NULL is allowed; what else the struct owns must be free already */
/* SsIntegratorClass.watch_contacts of all whose struct begins with a stepper. */
void ss_stepper_watch_contacts (void *stepper, const SsContactWatch *watch);
/* The vector of that index; n_vectors: what follows them. */
double *ss_stepper_vector (const SsStepper *stepper, int index);

/* Looks at its steps and goes on in two ways, as the rule says; is_blind: see ss_certain_new. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_stepper_be_certain (SsStepper *stepper, int rule, bool is_blind, SsError *err);
/* A step that was solved ends: see ss_certain_end. */
SS_NODISCARD SsStatus ss_stepper_end_certain (SsStepper *stepper, SsStatus status, SsStepInfo *info, SsError *err);
/* The parts of an SsForkClass but `most`: SS_STEPPER_FORK. */
SS_NODISCARD SsStatus ss_stepper_keep (void *stepper, void **memory, SsError *err);
void ss_stepper_put_back (void *stepper, void *memory);
void ss_stepper_choose (void *stepper, const SsForkChoice *choices, int n, int room);
const SsFork *ss_stepper_forks (void *stepper, int *n);
#define SS_STEPPER_FORK                                                                                                \
  .keep = ss_stepper_keep, .put_back = ss_stepper_put_back, .forget = ss_contact_problem_forget,                       \
  .choose = ss_stepper_choose, .forks = ss_stepper_forks
const SsSecondSolution *ss_stepper_second (const void *stepper);

/* Whether the scene has what swings, turns or folds about joints: pins or rods on bodies that move. */
bool ss_scene_has_swings (const SsScene *scene);
/* What is said of schemes that take it at the end of the step, as backward Euler, and of what does not. */
#define SS_SWINGS_LOSE_ENERGY(kept_, instead_)                                                                         \
  "joints at the end of the step take energy from what swings, of first order in the step: a bar of 1 m, let go at "   \
  "1.2 rad, keeps " kept_ " % of its swing after 10 s at h = 0.01 s; " instead_ " keeps it"

/* lambda = push - stiffness phi - damping phidot, at most what pushes; and the damping of slip. */
typedef struct {
  double stiffness, damping; /* [N/m], [N s/m] */
  double push;               /* [N] */
  double slip_damping;       /* [N s/m] */
} SsLinearForce;
/* Of a contact with formulas about a gap and its rate; *force is what holds where there is no formula. Where the gap is
 * open there, there is no force. SS_ERR_INVALID: a formula is no number there. */
SS_NODISCARD SsStatus ss_stepper_linearise (const SsStepper *stepper, const SsContactPoint *point, double phi,
                                            double rate, SsLinearForce *force, SsError *err);

/* Way that two bodies can go towards each other within the step [m]. */
double ss_stepper_reach (const SsStepper *stepper, const double *v, double dt);
/* Largest way of a body point between moving with v_a and with v_b for a step [m]. */
double ss_stepper_difference_of_way (const SsStepper *stepper, const double *v_a, const double *v_b, double dt);
/* v_free = v0 + h M^-1 f of a step that ends at q0 + h v1, where it takes what is stiff, which f is without; f is
 * work. */
void ss_stepper_free_motion (const SsStepper *stepper, const SsStep *step, const SsSimState *start, double *f,
                             double *v_free);
/* The step ends with velocities v and positions q0 + dt v; v_start receives the velocities at its start. */
void ss_stepper_advance (SsStepper *stepper, const double *v, double dt, double *v_start, SsSimState *state);
