/* Runs two integrators on a scene and prints what the judge says of each.
 *   cc two-methods.c $(pkg-config --cflags --libs stickslip) -o two-methods && ./two-methods FILE */
#include <stdio.h>
#include <stickslip/stickslip.h>

int
main (int argc, char **argv)
{
  const char *names[] = {"moreau-jean", "event-driven"}, *told[] = {"steps", "max_penetration", "energy_final"};
  char error[512] = "usage: two-methods FILE";
  StickslipScenario *scene = argc == 2 ? stickslip_scenario_read (argv[1], error, sizeof error) : NULL;

  for (int i = 0; scene != NULL && i < 2; i++) {
    const StickslipMethod *method = stickslip_method_find (STICKSLIP_INTEGRATOR, names[i], error, sizeof error);
    StickslipJob *job = method != NULL ? stickslip_job_new (scene, method, error, sizeof error) : NULL;
    StickslipResult *result = job != NULL ? stickslip_job_run (job, error, sizeof error) : NULL;
    if (result == NULL)
      break;
    printf ("%s: %s\n", names[i], stickslip_result_outcome (result));
    for (int k = 0; k < 3; k++) {
      double value;
      if (stickslip_result_metric (result, told[k], &value))
        printf ("  %s %.9g\n", told[k], value);
    }
    error[0] = '\0';
    stickslip_result_free (result);
    stickslip_job_free (job);
  }
  stickslip_scenario_free (scene);
  return error[0] != '\0' ? (fprintf (stderr, "%s\n", error), 1) : 0;
}
