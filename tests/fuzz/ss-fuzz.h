/* tests/fuzz/ss-fuzz.h: the loop of a fuzzer: seeded, so that a failure is repeated by its seed. */
#pragma once

#include "core/ss-random.h"
#include "ss-test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SS_FUZZ_MUTATIONS_MAX = 4 };

/* Files that mutations begin with, what changes one in a buffer of `most` bytes, and what reads it. */
typedef struct {
  int n_files;
  char *const *files;
  const size_t *lengths;
  size_t most;
  size_t (*mutate) (SsRandom *random, int iteration, char *text, size_t length); /* the new length */
  void (*try) (const char *text, size_t length); /* in a block of that size, so that reading past the end is seen */
} SsFuzz;

static inline size_t
ss_fuzz_below (SsRandom *random, size_t n)
{
  return n == 0 ? 0 : (size_t)(ss_random_next (random) % n);
}

/* Iterations, and the first seed, by the command line: PROGRAM [ITERATIONS [SEED]]. STICKSLIP_FUZZ_SECONDS: as many as
 * go into that much CPU time. */
static inline void
ss_fuzz (const SsFuzz *fuzz, int iterations)
{
  char *text = malloc (fuzz->most);
  const char *limit = getenv ("STICKSLIP_FUZZ_SECONDS");
  const double seconds = limit != NULL && ss_test_argc < 2 ? atof (limit) : 0,
               begun = (double)clock () / CLOCKS_PER_SEC;
  int n = 0;
  const unsigned long long first = ss_test_argc > 2 ? strtoull (ss_test_argv[2], NULL, 10) : 1;

  if (ss_test_argc > 1)
    iterations = atoi (ss_test_argv[1]);
  for (int i = 0; text != NULL; i++) {
    if (seconds > 0 ? (double)clock () / CLOCKS_PER_SEC - begun > seconds : i >= iterations)
      break;
    n++;
    const int before = ss_test_failed_checks;
    SsRandom random;

    ss_random_seed (&random, first + (unsigned long long)i);
    const size_t file = ss_fuzz_below (&random, (size_t)fuzz->n_files);
    size_t length = fuzz->lengths[file];
    memcpy (text, fuzz->files[file], length);
    for (size_t m = 1 + ss_fuzz_below (&random, SS_FUZZ_MUTATIONS_MAX); m > 0 && length > 0; m--)
      length = fuzz->mutate (&random, i, text, length);
    char *exact = malloc (length + 1);
    if (exact != NULL) {
      memcpy (exact, text, length);
      fuzz->try (exact, length);
    }
    free (exact);
    if (ss_test_failed_checks > before)
      printf ("  with seed %llu\n", first + (unsigned long long)i);
  }
  printf ("# %d inputs, %.0f a second\n", n, n / fmax ((double)clock () / CLOCKS_PER_SEC - begun, 1e-3));
  free (text);
}
