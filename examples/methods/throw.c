/* A method of your own in C, without a library: what flies, flies; it has no contacts and no joints.
 *
 *     cc -o throw throw.c -lm
 *
 * It reads the numbers that it needs out of the lines itself (stickslip-method.h); a program with more to say takes a
 * JSON library. */
#include "stickslip-method.h"

int
main (void)
{
  static double q[SM_MAX], v[SM_MAX], mass[SM_MAX], force[SM_MAX], times[SM_MAX];
  char *job = sm_read (), *scene = sm_ask ("\"scene\", \"mass\"", ""), at[64];
  const int n = sm_numbers (scene, "\"q\":", q), n_times = sm_numbers (scene, "\"times\":", times);
  double t = 0;

  sm_numbers (scene, "\"v\":", v);
  sm_numbers (scene, "\"mass\":[", mass);
  sm_frame (scene, t, n, q, v);
  for (int k = 0; k < n_times; k++) {
    const double h = times[k] - t;
    snprintf (at, sizeof at, ", \"t\": %.17g", t);
    char *reply = sm_ask_at ("\"forces\"", at, n, q, v);
    sm_numbers (reply, "\"forces\":", force);
    for (int i = 0; i < n; i++) {
      const double a = mass[i] > 0 ? force[i] / mass[i] : 0;
      q[i] += h * (v[i] + 0.5 * h * a);
      v[i] += h * a;
    }
    t = times[k];
    sm_frame (scene, t, n, q, v);
    free (reply);
  }
  puts ("{\"type\": \"result\", \"outcome\": \"completed\"}");
  free (scene);
  free (job);
  return 0;
}
