/* app/cli/cli-impact.c: the verb impact: velocities after an impact, of a scene or of a file of numbers. */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-text.h"
#include "app/export/ssapp-export.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- text -------------------------------------------------------------------------------------------------------- */

/* Below the digits that are shown it is 0, without a sign. */
static double
shown (double x)
{
  return fabs (x) < 5e-7 ? 0 : x;
}

static double
entry (const json_t *list, size_t i)
{
  return json_number_value (json_array_get (list, i));
}

/* Fit for a terminal; g_free. A project may come from somebody else. */
static char *
visible (const json_t *text)
{
  const char *value = json_string_value (text);

  return ssapp_text_visible (value != NULL ? value : "", FALSE);
}

static void
print_outcome (const json_t *contacts, const json_t *outcome)
{
  const json_t *modes = json_object_get (outcome, "modes"), *vn = json_object_get (outcome, "vn");
  const json_t *vt = json_object_get (outcome, "vt"), *ln = json_object_get (outcome, "ln");
  const json_t *lt = json_object_get (outcome, "lt"), *contact;
  size_t i;

  printf ("  %-24s %12s %12s %12s %12s  %s\n", "contact", "vn [m/s]", "vt [m/s]", "ln [N s]", "lt [N s]", "mode");
  json_array_foreach ((json_t *)contacts, i, contact)
  {
    g_autofree char *name = visible (contact), *mode = visible (json_array_get (modes, i));
    printf ("  %-24s %12.6f %12.6f %12.6f %12.6f  %s\n", name, shown (entry (vn, i)), shown (entry (vt, i)),
            shown (entry (ln, i)), shown (entry (lt, i)), mode);
  }
}

static void
print_outcomes (const json_t *result, const json_t *outcomes)
{
  const json_t *outcome, *name;
  size_t k, i;

  json_array_foreach ((json_t *)outcomes, k, outcome)
  {
    const json_t *order = json_object_get (outcome, "order");
    printf ("\nOutcome %zu of %zu: share %.4g, kinetic energy %.6g J", k + 1, json_array_size (outcomes),
            ssapp_json_get_real (outcome, "share"), shown (ssapp_json_get_real (outcome, "kinetic_energy")));
    json_array_foreach ((json_t *)order, i, name)
    {
      g_autofree char *text = visible (name);
      printf ("%s%s", i == 0 ? ", order " : ",", text);
    }
    printf ("\n");
    print_outcome (json_object_get (result, "contacts"), outcome);
  }
}

static void
print_set (const json_t *result, const json_t *modes)
{
  enum { SHOWN = 12 };
  const json_t *contacts = json_object_get (result, "contacts"), *share, *mode;
  size_t k, i;

  printf ("\n%.0f samples: %.4g finished, %.4g unfinished, %.4g dropped; %.4g LCPs each; largest residual %.2g\n",
          ssapp_json_get_real (result, "samples"), ssapp_json_get_real (result, "finished_fraction"),
          ssapp_json_get_real (result, "unfinished"), ssapp_json_get_real (result, "dropped"),
          ssapp_json_get_real (result, "lcps_per_sample"), ssapp_json_get_real (result, "max_residual"));
  json_array_foreach ((json_t *)modes, k, share)
  {
    const json_t *list = json_object_get (share, "mode");
    if (k == SHOWN)
      break;
    printf ("  %8.4f ", ssapp_json_get_real (share, "fraction"));
    json_array_foreach ((json_t *)list, i, mode)
    {
      g_autofree char *name = visible (json_array_get (contacts, i)), *word = visible (mode);
      printf (" %s %s%s", name, word, i + 1 < json_array_size (list) ? "," : "\n");
    }
  }
  if (json_array_size (modes) > SHOWN)
    printf ("  and %zu rarer ones\n", json_array_size (modes) - SHOWN);
}

/* How far the samples come, and how far anything can. */
static void
print_extents (const json_t *extents, const char *bound)
{
  const json_t *extent;
  size_t k;

  if (json_array_size (extents) == 0)
    return;
  printf ("\n  %-24s %12s %12s   %12s %12s\n", "speed [m/s]", "inner from", "to", "outer from", "to");
  json_array_foreach ((json_t *)extents, k, extent)
  {
    const json_t *inner = json_object_get (extent, "inner"), *outer = json_object_get (extent, "outer");
    g_autofree char *name = visible (json_object_get (extent, "speed"));
    printf ("  %-24s %12.6f %12.6f   %12.6f %12.6f\n", name, shown (entry (inner, 0)), shown (entry (inner, 1)),
            shown (entry (outer, 0)), shown (entry (outer, 1)));
  }
  if (g_strcmp0 (bound, "energy") == 0)
    printf ("  (outer: of the energy alone)\n");
}

static void
print_theorems (const json_t *result)
{
  const json_t *steps = json_object_get (result, "theorem_8"), *net = json_object_get (result, "theorem_9");

  if (json_is_number (json_object_get (steps, "steps")))
    printf ("\nTheorem 8: |r| %.5g, c %.0f: with probability %.2f a sample ends within %.0f steps\n",
            ssapp_json_get_real (result, "r"), ssapp_json_get_real (result, "c"),
            ssapp_json_get_real (steps, "probability"), ssapp_json_get_real (steps, "steps"));
  if (json_is_number (json_object_get (net, "log10_samples")))
    printf ("Theorem 9: with probability %.2f, at least 10^%.1f samples come within %.3g of every outcome (L %.3g)\n",
            ssapp_json_get_real (net, "probability"), ssapp_json_get_real (net, "log10_samples"),
            ssapp_json_get_real (net, "epsilon"), ssapp_json_get_real (net, "lipschitz"));
}

void
cli_print_impact (const json_t *result)
{
  const json_t *outcomes = json_object_get (result, "outcomes"), *modes = json_object_get (result, "modes");

  if (json_is_array (outcomes))
    print_outcomes (result, outcomes);
  else if (json_is_array (modes))
    print_set (result, modes);
  print_theorems (result);
  print_extents (json_object_get (result, "extents"), ssapp_json_get_string (result, "bound"));
}

static void
print_result (const CliArgs *args, const json_t *result)
{
  const char *law = ssapp_json_get_string (json_object_get (result, "method"), "name");
  const SsMethod *method = ss_method_lookup ((SsMethodId){SS_METHOD_IMPACT_LAW, law != NULL ? law : ""});
  g_autofree char *message = visible (json_object_get (result, "message"));
  g_autofree char *outcome = visible (json_object_get (result, "outcome"));
  g_autofree char *run = visible (json_object_get (result, "run"));

  printf ("%s (%s): %s\n", method != NULL ? method->label : "", outcome, message);
  cli_print_impact (result);
  if (cli_args_text (args, "--project") != NULL)
    printf ("\nrun %s\n", run);
}

/* ---- the verb ---------------------------------------------------------------------------------------------------- */

/* Speeds and energy of every row: what comes after the energy is not a velocity. */
static gboolean
write_samples (const CliArgs *args, const SsRunResult *record, GError **error)
{
  const char *path = cli_args_text (args, "--samples-out");
  int n = 0;

  if (path == NULL || record->samples == NULL)
    return TRUE;
  while (n < record->samples->n_columns && strcmp (record->samples->columns[n], "kinetic_energy") != 0)
    n++;
  return ssapp_export_samples_csv (record->samples, MIN (n + 1, record->samples->n_columns), path, error);
}

/* The motion of --from, and where in it the impact is. */
static gboolean
read_where (const CliArgs *args, SsappJobSpec *spec)
{
  GPtrArray *planes = cli_args_list (args, "--plane");

  spec->at = cli_args_number (args, "--at", NAN);
  spec->touching = cli_args_number (args, "--touching", 0);
  spec->tolerance = cli_args_number (args, "--tolerance", SS_IMPACT_MODE_TOLERANCE);
  for (guint i = 0; i < planes->len; i++)
    g_ptr_array_add (spec->planes, g_strdup (g_ptr_array_index (planes, i)));
  if (!isnan (spec->at) && cli_args_text (args, "--from") == NULL) {
    cli_fail ("--at is a time of the motion of --from, which was not given");
    return FALSE;
  }
  return cli_read_motion (args, &spec->start, &spec->start_from);
}

int
cli_impact (const CliArgs *args)
{
  static const CliReport report = {print_result, write_samples};
  SsappJobSpec *spec;

  if (cli_args_text (args, "--compliant") != NULL)
    return cli_compliant (args);
  if (cli_check_output (args, "--samples-out") != CLI_OK)
    return CLI_BAD_INPUT;
  spec = cli_new_spec (args, SS_METHOD_IMPACT_LAW);
  if (spec != NULL && !read_where (args, spec)) {
    ssapp_job_spec_free (spec);
    return CLI_BAD_INPUT;
  }
  return cli_run_spec (args, spec, &report);
}
