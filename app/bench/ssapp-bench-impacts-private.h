/* app/bench/ssapp-bench-impacts-private.h: the models of the suite impacts, for its tables and its data. */
#pragma once

#include "app/bench/ssapp-bench-impacts.h"
#include "app/job/ssapp-compliant.h"
#include "impact/ss-impact-law.h"

G_BEGIN_DECLS

enum { SSAPP_BENCH_IMPACT_MODELS = 6 };

/* Paper: Table 3; NaN where it has no row. */
typedef struct {
  const char *name, *text;
  int figure; /* of the paper */
  int paper_samples;
  double lcps, sample_seconds, lcp_seconds;
} SsappBenchImpactModel;
extern const SsappBenchImpactModel ssapp_bench_impact_models[SSAPP_BENCH_IMPACT_MODELS];
/* What is known to differ from the paper or its program; a sentence each, ended by NULL. */
extern const char *const ssapp_bench_impact_differences[];

/* The configuration of a model; ss_impact_free. */
SsImpact *ssapp_bench_impact_read (const SsappBenchImpactModel *model);
/* How a model is sampled: few samples where all answers of steps with five contacts are listed. */
SsImpactSetOptions ssapp_bench_impact_options (const SsappBenchImpactsPlan *plan, const SsappBenchImpactModel *model,
                                               int m, SsImpactPolicy policy);
gboolean ssapp_bench_impact_is_slow (int m, SsImpactPolicy policy);
/* A law's answer with its options; ss_impact_result_clear. */
SsImpactResult ssapp_bench_impact_resolve (const SsImpactLawClass *law, const SsImpact *impact, const void *options);
/* Options of the sequential law: its defaults, and whether all orders are tried. */
SsSequentialOptions ssapp_bench_impact_sequential (gboolean all);
/* Fig 12: a sweep of the rocking block; NULL: it was told to end. ss_samples_free. */
SsSamples *ssapp_bench_impact_compliant (const SsappBenchImpactsPlan *plan, SsCompliantSweep sweep);

/* The scenario of a model of the paper, built in, as text; NULL: none is called so. */
const char *ssapp_bench_impact_text (const char *model);
/* A scene that is built in; ss_scenario_free. */
SsScenario *ssapp_bench_impact_scene (const char *text, const SsOverride *set, int n_set);

/* Fig. 3: tables routh-path and routh. ssapp-bench-impacts-one.c */
void ssapp_bench_impacts_routh (SsappBenchSheet *sheet);
/* Figs 7 and 8: tables wobble, halves and rates. */
void ssapp_bench_impacts_wobble (SsappBenchSheet *sheet);
/* A model's figure: tables samples, outcomes and shares. FALSE: none is called so. ssapp-bench-impacts-sets.c */
gboolean ssapp_bench_impacts_set_of (const SsappBenchImpactsPlan *plan, SsappBenchSheet *sheet, const char *model);
/* Tables 4 to 8: tables parameters and configuration of a model. FALSE: none is called so. */
gboolean ssapp_bench_impacts_parameters (SsappBenchSheet *sheet, const char *model);

G_END_DECLS
