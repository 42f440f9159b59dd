/* tests/bench/bench-impact-dev.c: CPU time of samples. bench-impact-dev MODEL.json SAMPLES [POLICY [THREADS]] */
#include "impact/ss-impact-law.h"

#include <stdio.h>
#include <stdlib.h>
#include <math.h>

int
main (int argc, char **argv)
{
  static char text[1 << 20];
  FILE *file = argc > 2 ? fopen (argv[1], "r") : NULL;
  SsImpactFile *read;
  SsImpact *impact;
  SsProblems problems;

  ss_problems_init (&problems);
  if (file == NULL)
    return 1;
  const size_t length = fread (text, 1, sizeof text, file);
  fclose (file);
  if (ss_impact_file_read (text, length, argv[1], &problems, &read) != SS_OK ||
      ss_impact_new_from_file (read, &impact, NULL) != SS_OK)
    return 1;
  double best[2] = {INFINITY, INFINITY};
  SsImpactSetOptions options = {.policy = (SsImpactPolicy)(argc > 3 ? atoi (argv[3]) : 0),
                                .h = NAN,
                                .n_samples = atoi (argv[2]),
                                .n_threads = argc > 4 ? atoi (argv[4]) : 1,
                                .seed = 1};
  long long n_solves = 0;
  for (int k = 0; k < 7; k++) {
    SsImpactSet *set;
    const double cpu = ss_clock_process_cpu (), wall = ss_clock_wall ();
    if (ss_impact_set_new (impact, &options, NULL, &set, NULL) != SS_OK)
      return 1;
    best[0] = fmin (best[0], ss_clock_process_cpu () - cpu);
    best[1] = fmin (best[1], ss_clock_wall () - wall);
    n_solves = set->n_solves;
    ss_impact_set_free (set);
  }
  printf ("%s: %d samples, %.4g ms CPU, %.4g ms wall, %.4g us an LCP\n", impact->name, options.n_samples, 1e3 * best[0],
          1e3 * best[1], 1e6 * best[0] / (double)n_solves);
  ss_impact_free (impact);
  ss_impact_file_free (read);
  return 0;
}
