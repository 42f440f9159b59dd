/* app/bench/ssapp-bench-freeze-private.h: what the files of the suite time-freezing share. */
#pragma once

#include "app/bench/ssapp-bench-freeze.h"

G_BEGIN_DECLS

enum { SSAPP_FREEZE_SCENES = 6, SSAPP_FREEZE_METHODS = 6, SSAPP_FREEZE_EXAMPLES = 2, SSAPP_FREEZE_CHECKS = 8 };

/* One run of a method on a scene. */
typedef struct {
  int scene, method, steps;
  gboolean is_completed;
  double h, error, cpu_seconds; /* h: t_end / steps; error: largest difference of a coordinate or velocity at the end */
  char message[256];
} SsappFreezeRun;

/* An example of the paper with its closed form. */
typedef struct {
  const char *title, *stem; /* "Example 3 (Fig. 3)", "fig3-clocks" */
  SsScenario *scenario;     /* owned */
  SsTrajectory *motion;     /* owned; NULL: it failed */
  int n_checks;
  struct {
    const char *name;
    double ours, exact;
  } checks[SSAPP_FREEZE_CHECKS];
  char message[256];
} SsappFreezeExample;

struct SsappBenchFreeze {
  const SsappBenchFreezePlan *plan;
  GPtrArray *methods; /* of SsappBenchMethod */
  GArray *runs;       /* of SsappFreezeRun, by scene, method, steps */
  SsappFreezeExample examples[SSAPP_FREEZE_EXAMPLES];
};

const char *ssapp_freeze_scene_title (int scene);
const char *ssapp_freeze_truth (int scene);
/* Slope of log (error) over log (h) of the runs with errors between 1e-12 (rounding) and 0.1; *n: how many. NaN: fewer
 * than two. */
double ssapp_freeze_order (const SsappBenchFreeze *self, int scene, int method, int *n);

G_END_DECLS
