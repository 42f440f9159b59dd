/* app/impact/ssapp-impact-worker.h: draws samples of a set-valued impact on a thread of its own, in small chunks, and
 * hands them over in order; what is computed is dropped as soon as something else is wanted.
 * Threads: every function on the thread that made it. Tests: tests/unit/test-impact-set.c
 */
#pragma once

#include <gio/gio.h>

#include "impact/ss-impact-bound.h"

G_BEGIN_DECLS

/* Of so many samples at the start the way is kept. */
enum { SSAPP_IMPACT_TRACED = 4096 };

/* Samples first .. first + n - 1, as they were drawn. */
typedef struct {
  guint64 generation;
  int first, n, m;
  float *speeds;   /* 2m columns of n: normal speeds of each contact, then tangential ones; NaN: not finished */
  float *energies; /* n: share of the energy before */
  guint32 *modes;  /* n: codes of joint modes (app/draw/ssapp-impact-mode.h) */
  int n_unfinished, n_dropped;
  long long n_solves, n_ambiguous; /* of the engine's set; n_ambiguous -1: not enumerated */
  double max_residual;
  GArray *between; /* of float: rows of 2m speeds on the way, of traced samples */
  double *losses;  /* 2m: energy that normal, then tangential impulses took [J], summed over the traced samples */
  int n_traced;
  gboolean has_bound;   /* once, after all samples */
  GArray *reached;      /* with it, of float: rows of 2m speeds of draws at the corners of the box of impulses */
  SsImpactBound *bound; /* of the configuration; NULL: not in this chunk, or there was no memory for it */
  char *error;          /* instead of samples; NULL: none */
} SsappImpactChunk;
void ssapp_impact_chunk_free (SsappImpactChunk *chunk); /* NULL is allowed */

typedef struct SsappImpactWorker SsappImpactWorker;
/* With its thread, which waits. */
SsappImpactWorker *ssapp_impact_worker_new (void);
/* Waits for the thread, for a chunk at most. */
void ssapp_impact_worker_free (SsappImpactWorker *self);
/* From now on samples of this configuration (taken), from the first on, up to `target`; its chunks carry the generation
 * that is returned. */
guint64 ssapp_impact_worker_start (SsappImpactWorker *self, SsImpact *impact, const SsImpactSetOptions *options,
                                   int target);
/* More, or less, of the same. */
void ssapp_impact_worker_set_target (SsappImpactWorker *self, int target);
/* Nothing more is wanted; what is ready is dropped. */
void ssapp_impact_worker_stop (SsappImpactWorker *self);
/* The next chunk of the newest generation, the caller's; NULL: there is none yet. */
SsappImpactChunk *ssapp_impact_worker_take (SsappImpactWorker *self);
/* The same, waiting for one where any is to come. */
SsappImpactChunk *ssapp_impact_worker_wait (SsappImpactWorker *self);

G_END_DECLS
