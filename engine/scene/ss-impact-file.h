/* engine/scene/ss-impact-file.h: a configuration at an impact as a file of numbers.
 *
 * JSON, SI units: `M` (n x n, symmetric), `Jn`, `Jt` (m rows of n: speed of separation and tangential speed of contact
 * i), `mu` (m, >= 0), `v_pre` (n); optional `restitution` (m, 0..1; default 0), `h` (> 0, largest impulse of a step [N
 * s]), `N` (largest number of steps), `name`, `contacts` (m objects with `name`, `normal`, `tangent`). Other members
 * are not read: they are what made the numbers. Sizes come from `M` and `Jn`.
 * Tests: tests/numeric/test-impact.c.
 */
#pragma once

#include "core/ss-core.h"

enum { SS_IMPACT_CONTACTS_MAX = 64, SS_IMPACT_COORDINATES_MAX = 300 };

typedef struct {
  const char *name; /* "" if none */
  int n, m;         /* coordinates, contacts */
  double *mass;     /* n x n by rows */
  double *jn, *jt;  /* m x n by rows */
  double *mu, *restitution, *v;
  double h;              /* NaN: not given */
  int max_steps;         /* 0: not given   */
  double skew;           /* largest |normal . tangent| of the contacts that have both */
  const char **contacts; /* names; "1", "2" where the file has none */
  SsArena *arena;        /* owns all of it */
} SsImpactFile;

/* Reads text (length bytes); `file` is for messages. On failure *out is NULL and `problems` (required) holds everything
 * that was found, with lines and paths. SS_ERR_SYNTAX, SS_ERR_INVALID, SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_impact_file_read (const char *text, size_t length, const char *file, SsProblems *problems,
                                           SsImpactFile **out);
/* NULL is allowed. */
void ss_impact_file_free (SsImpactFile *file);
