/* engine/fesd/ss-fesd-integrator.h: what the integrators fesd-j and event-driven share: options, stepper, checks. They
 * differ in the law of impacts.
 *
 *     SsFesdIntegratorOptions fesd;              a field of the integrator's options
 *     SS_FESD_OPTIONS (Options, fesd)  lines of its table
 */
#pragma once

#include "fesd/ss-fesd-impacts.h"
#include "simulate/ss-simulate.h"

typedef struct {
  int scheme, stages, elements, max_events;
  int zeno;         /* SsFesdZeno */
  int alternatives; /* SsFesdAlternatives */
  double tolerance;
  bool stage_rows; /* SsIntegratorClass.keeps_stages */
} SsFesdIntegratorOptions;

/* Whether modes may be proposed (simulate/ss-proposer.h) where none that the law allows goes on. FIRST: at every switch
 * of contacts too, before those of the law are tried; for tests of the proposals. */
typedef enum { SS_FESD_ALTERNATIVES_OFF, SS_FESD_ALTERNATIVES_ON, SS_FESD_ALTERNATIVES_FIRST } SsFesdAlternatives;

/* In the order of SsTableauFamily. */
extern const char *const ss_fesd_schemes[];
/* In the order of SsFesdZeno. */
extern const char *const ss_fesd_zenos[];
/* In the order of SsFesdAlternatives. */
extern const char *const ss_fesd_alternatives[];

#define SS_FESD_SCHEME_OPTION(options_, field_)                                                                        \
  {                                                                                                                    \
    .name = "scheme", .type = SS_OPTION_CHOICE, .offset = offsetof (options_, field_.scheme),                          \
    .fallback = SS_TABLEAU_RADAU_IIA, .choices = ss_fesd_schemes, .symbol = "", .unit = "", .common = true,            \
    .summary = "Runge-Kutta scheme of an element. Radau IIA has order 2 s - 1, Gauss-Legendre 2 s, Lobatto IIIC "      \
               "2 s - 2, on flat and curved contacts and with joints; Gauss-Legendre does not damp stiff springs."     \
  }

/* What the elements are, whatever the scheme. */
#define SS_FESD_ELEMENT_OPTIONS(options_, field_)                                                                      \
  {.name = "stages",                                                                                                   \
   .type = SS_OPTION_INTEGER,                                                                                          \
   .offset = offsetof (options_, field_.stages),                                                                       \
   .minimum = 1,                                                                                                       \
   .maximum = SS_TABLEAU_STAGES_MAX,                                                                                   \
   .fallback = 3,                                                                                                      \
   .symbol = "s",                                                                                                      \
   .unit = "",                                                                                                         \
   .common = true,                                                                                                     \
   .summary = "Number of stages of the scheme: 1 to 9, with Lobatto IIIC 2 to 5. More stages are more accurate; "      \
              "the time of a step grows with the cube of their number."},                                              \
      {.name = "elements",                                                                                             \
       .type = SS_OPTION_INTEGER,                                                                                      \
       .offset = offsetof (options_, field_.elements),                                                                 \
       .minimum = 1,                                                                                                   \
       .maximum = 50,                                                                                                  \
       .fallback = 2,                                                                                                  \
       .symbol = "N_FE",                                                                                               \
       .unit = "",                                                                                                     \
       .common = true,                                                                                                 \
       .summary = "Number of finite elements in a step; a step that has more events than elements is halved. More "    \
                  "elements make every step slower."},                                                                 \
  {                                                                                                                    \
    .name = "max-events", .type = SS_OPTION_INTEGER, .offset = offsetof (options_, field_.max_events), .minimum = 1,   \
    .maximum = 2e9, .fallback = 100000, .symbol = "", .unit = "", .common = false,                                     \
    .summary = "Largest number of events in one second of motion; a run with more events fails."                       \
  }

#define SS_FESD_TOLERANCE_OPTION(options_, field_)                                                                     \
  {                                                                                                                    \
    .name = "tolerance", .type = SS_OPTION_REAL, .offset = offsetof (options_, field_.tolerance), .minimum = 0,        \
    .maximum = 1, .fallback = 0, .symbol = "", .unit = "1/s", .common = true,                                          \
    .summary = "Largest estimated error that a second of motion may add to a coordinate or velocity, in m, rad, m/s "  \
               "and rad/s: a step has as many elements as that takes. 0: as many as elements says. Smaller values "    \
               "are slower; every run tells its estimated error."                                                      \
  }

#define SS_FESD_ZENO_OPTION(options_, field_)                                                                          \
  {                                                                                                                    \
    .name = "zeno", .type = SS_OPTION_CHOICE, .offset = offsetof (options_, field_.zeno),                              \
    .fallback = SS_FESD_ZENO_EXTRAPOLATE, .choices = ss_fesd_zenos, .symbol = "", .unit = "", .common = false,         \
    .summary = "When bounces that follow each other ever faster end in contact. extrapolate: at the time to which "    \
               "the flights add up, once the ratio of successive flights has settled and that time lies within the "   \
               "step; equations (paper 000): once a step has more impacts than elements and a solution with the "      \
               "contact closed, which may be one step too early."                                                      \
  }

#define SS_FESD_ALTERNATIVES_OPTION(options_, field_)                                                                  \
  {                                                                                                                    \
    .name = "alternatives", .type = SS_OPTION_CHOICE, .offset = offsetof (options_, field_.alternatives),              \
    .fallback = SS_FESD_ALTERNATIVES_ON, .choices = ss_fesd_alternatives, .symbol = "", .unit = "", .common = false,   \
    .summary = "What happens where the march finds no contact modes with which the motion goes on. off: the run "      \
               "fails; on: a homotopy and CRISP propose modes before the run fails, at most 20 times a run (never "    \
               "in the sandbox); first: they propose modes at every switch, before the march looks for modes "         \
               "itself (for tests)."                                                                                   \
  }

#define SS_FESD_STAGE_ROWS_OPTION(options_, field_)                                                                    \
  {                                                                                                                    \
    .name = "stage-rows", .type = SS_OPTION_BOOLEAN, .offset = offsetof (options_, field_.stage_rows), .fallback = 0,  \
    .symbol = "", .unit = "", .common = true,                                                                          \
    .summary =                                                                                                         \
        "Whether the motion has a row for each stage within each element that takes time: state and forces, "          \
        "with the channels step, stage and stages. Steps, metrics and events stay the same; a fan keeps no such "      \
        "rows."                                                                                                        \
  }

#define SS_FESD_OPTIONS(options_, field_)                                                                              \
  SS_FESD_SCHEME_OPTION (options_, field_), SS_FESD_ELEMENT_OPTIONS (options_, field_),                                \
      SS_FESD_TOLERANCE_OPTION (options_, field_), SS_FESD_ZENO_OPTION (options_, field_),                             \
      SS_FESD_ALTERNATIVES_OPTION (options_, field_), SS_FESD_STAGE_ROWS_OPTION (options_, field_)

/* impacts: NULL: the law of paper 000. has_clock: state->tau is the clock of impulse (fesd/ss-fesd-clock.h). */
SS_NODISCARD SsStatus ss_fesd_integrator_new (const SsScene *scene, const SsFesdIntegratorOptions *options,
                                              const SsFesdImpactOptions *impacts, bool has_clock, void **out,
                                              SsError *err);
/* Like the functions of SsIntegratorClass. */
SS_NODISCARD SsStatus ss_fesd_integrator_step (void *integrator, const SsStep *step, SsSimState *state,
                                               SsStepInfo *info, SsError *err);
void ss_fesd_integrator_free (void *integrator);
void ss_fesd_integrator_set_proposer (void *integrator, const SsProposer *proposer);
int ss_fesd_integrator_keeps_stages (const SsFesdIntegratorOptions *options); /* NULL: the defaults */
/* The functions of SsForkClass, of an integrator with a law of impacts. */
SS_NODISCARD SsStatus ss_fesd_integrator_keep (void *integrator, void **memory, SsError *err);
void ss_fesd_integrator_put_back (void *integrator, void *memory);
void ss_fesd_integrator_choose (void *integrator, const SsForkChoice *choices, int n, int room);
const SsFork *ss_fesd_integrator_forks (void *integrator, int *n);

/* Their derivatives. */
extern const SsSensitivityClass ss_fesd_integrator_sensitivity;
