/* app/bench/ssapp-bench-piles.h: what a step costs where many bodies touch: piles that fall and settle, pyramids at
 * rest and hit, by integrators and, where it is built in, beside a game engine in the same run.
 *
 * The scenes: piles of boxes and discs dropped between walls, bodies placed by a seed; pyramids of bricks that touch,
 * hit by a disc of 5 kg at 12 m/s. Friction .6, steps of 10 ms.
 * Tests     tests/cli/test-bench-piles.sh
 */
#pragma once

#include "app/bench/ssapp-bench-world.h"

G_BEGIN_DECLS

/* A program of others that steps the same bodies. */
typedef struct {
  const char *label; /* in the place of a method's */
  const char *note;  /* how it is set up, for the reader of the table */
  gpointer (*new_) (const SsScene *scene);
  void (*step) (gpointer world, double dt);
  void (*read) (gpointer world, double *q); /* x, y, theta of the scene's bodies */
  void (*free_) (gpointer world);
} SsappBenchBeside;

typedef struct {
  GPtrArray *methods;             /* integrators */
  const char **scenes;            /* names up to NULL, of ssapp_bench_pile_names; NULL: all */
  guint64 seed;                   /* of the piles */
  int steps;                      /* 0: to the scene's own end */
  double cpu_limit;               /* of one run, CPU time [s]: it ends there with the steps it has */
  const SsappBenchBeside *beside; /* nullable */
  SsRunControl *control;
  SsappBenchSay say; /* nullable */
} SsappBenchPilesPlan;

/* The names of the scenes, NULL behind the last. */
extern const char *const ssapp_bench_pile_names[];

/* The scenario file of a scene of that name; g_free. */
char *ssapp_bench_pile_text (const char *name, guint64 seed);

/* Adds the tables "piles" (each scene by each method) and "growth" (how the time grows from pile to pile, where there
 * are two). *n_failed grows by the runs that ended otherwise than at their end or the limit of CPU time. */
void ssapp_bench_piles (const SsappBenchPilesPlan *plan, SsappBenchSheet *sheet, int *n_failed);

/* Where SSAPP_HAVE_CHIPMUNK; it stands in the command line alone. */
extern const SsappBenchBeside ssapp_bench_chipmunk;

G_END_DECLS
