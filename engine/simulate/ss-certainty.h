/* engine/simulate/ss-certainty.h: how sure the velocities of each step are, and motions that go on with a second
 * solution: an option of steppers whose step is one linear contact problem (contact/ss-contact-certainty.h).
 *
 *     int certainty; int max_branches;          fields of the integrator's options
 *     SS_CERTAINTY_OPTIONS (Options)            lines of its table
 *
 * count: every step is looked at, and counted as what the worst of its solves is. branches: at a step with several
 * solutions the motion also goes on from the second one, as a fan of motions (simulate/ss-fan.h); a step has two ways,
 * of equal shares, which are no probabilities. The motion of branch 0 is that of certainty=off, to the bit.
 *
 * Solves of a step that count are those that led to it: the scheme calls ss_certainty_attempt before it tries anew, and
 * what whoever drives it took back (simulate/ss-swept.h) is forgotten by its time.
 * Tests: tests/numeric/test-certainty.c
 */
#pragma once

#include "contact/ss-contact-certainty.h"
#include "core/ss-option.h"
#include "simulate/ss-fork.h"

/* In the order of the names. */
typedef enum { SS_CERTAINTY_OFF, SS_CERTAINTY_COUNTED, SS_CERTAINTY_BRANCHES } SsCertaintyRule;
#define SS_CERTAINTY_NAME "certainty"
extern const char *const ss_certainty_choices[];
/* Lines of a table that SS_CERTAINTY_OPTIONS are. */
enum { SS_CERTAINTY_N_OPTIONS = 2 };

#define SS_CERTAINTY_OPTIONS(options_)                                                                                 \
  {.name = SS_CERTAINTY_NAME,                                                                                          \
   .type = SS_OPTION_CHOICE,                                                                                           \
   .offset = offsetof (options_, certainty),                                                                           \
   .fallback = SS_CERTAINTY_OFF,                                                                                       \
   .choices = ss_certainty_choices,                                                                                    \
   .symbol = "",                                                                                                       \
   .unit = "",                                                                                                         \
   .common = false,                                                                                                    \
   .summary = "Whether a step's velocities are unique. off: nobody looks; count: steps are counted as unique "         \
              "(proved), several (a second solution was found) and undecided; branches: the motion also goes on with " \
              "the second solution, as a fan. Steps take longer where groups of bodies touch at many points."},        \
  {                                                                                                                    \
    .name = "max-branches", .type = SS_OPTION_INTEGER, .offset = offsetof (options_, max_branches), .minimum = 1,      \
    .maximum = 1000, .fallback = 8, .symbol = "", .unit = "", .common = false,                                         \
    .summary = "With certainty=branches: largest number of motions in the fan. Larger numbers take longer in "         \
               "proportion."                                                                                           \
  }

typedef struct SsCertain SsCertain;

/* *out NULL: the rule is OFF. The problem, borrowed, is looked at from now on; where its steps are more than one linear
 * contact problem, `is_blind` says so: then they are undecided. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_certain_new (const SsScene *scene, int rule, bool is_blind, SsContactProblem *problem,
                                      SsCertain **out, SsError *err);
void ss_certain_free (SsCertain *certain); /* NULL is allowed, here and below */
/* The step from t begins, or begins anew. */
void ss_certain_begin (SsCertain *certain, double t);
void ss_certain_attempt (SsCertain *certain);
/* It has ended: info->certainty is what it is. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_certain_end (SsCertain *certain, SsStepInfo *info, SsError *err);
/* Of the last step that was several; NULL: there was none. Borrowed until the next step. */
const SsSecondSolution *ss_certain_second (const SsCertain *certain);

/* Parts of an SsForkClass, of a problem that is looked at. */
void ss_certain_choose (SsCertain *certain, const SsForkChoice *choices, int n, int room);
const SsFork *ss_certain_forks (SsCertain *certain, int *n);
