/* app/bench/ssapp-bench-freeze-private.h: what the files of the suite time-freezing share. */
#pragma once

#include "app/bench/ssapp-bench-freeze.h"

#include <jansson.h>

G_BEGIN_DECLS

enum {
  SSAPP_FREEZE_SCENES = 6,
  SSAPP_FREEZE_METHODS = 6,
  SSAPP_FREEZE_EXAMPLES = 3,
  SSAPP_FREEZE_PLANNED = 2,
  SSAPP_FREEZE_CHECKS = 8,
  SSAPP_FREEZE_INTERVALS = 20
};

/* Of a plan, beside the exact optimum: force [N], speed of time. */
typedef struct {
  double u, u_exact, s, s_exact;
} SsappFreezeInterval;

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
    double ours, exact, tolerance;
  } checks[SSAPP_FREEZE_CHECKS];
  int n_intervals; /* of the plan; 0: none was made */
  SsappFreezeInterval intervals[SSAPP_FREEZE_INTERVALS];
  char message[256];
} SsappFreezeExample;

struct SsappBenchFreeze {
  const SsappBenchFreezePlan *plan;
  GPtrArray *methods; /* of SsappBenchMethod */
  GArray *runs;       /* of SsappFreezeRun, by scene, method, steps */
  SsappFreezeExample examples[SSAPP_FREEZE_EXAMPLES];
};

/* A number of the example beside its closed form. */
void ssapp_freeze_check (SsappFreezeExample *example, const char *name, double ours, double exact, double tolerance);
/* A number of JSON, or its decimals in text; NaN: neither. */
double ssapp_freeze_number (const json_t *object, const char *key);

/* ssapp-bench-freeze-plan.c: Example 5, into examples[SSAPP_FREEZE_PLANNED]. */
void ssapp_freeze_plan (SsappBenchFreeze *self);
/* ssapp-bench-freeze-robot.c: figures 4, 7 and 8. */
gboolean ssapp_freeze_write_friction (const char *folder, GError **error);
gboolean ssapp_freeze_write_robot (const SsTrajectory *motion, const char *folder, GError **error);

const char *ssapp_freeze_scene_title (int scene);

G_END_DECLS
