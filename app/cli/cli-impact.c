/* app/cli/cli-impact.c: the verb impact: velocities after an impact, of a scene or of a file of numbers. */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-metric.h"
#include "app/base/ssapp-text.h"
#include "app/export/ssapp-export.h"
#include "impact/ss-impact-summary.h"
#include "run/ss-run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const CliArgs *args;
  const SsMethod *law;
  void *options;
  SsScenario *scenario; /* of a scene; NULL: a file of numbers */
  SsImpactFile *file;
  SsImpact *own; /* of the file */
  double *state; /* q, v of --from */
  SsRunResult result;
  const SsImpact *impact; /* what was resolved */
} Impact;

/* ---- input ------------------------------------------------------------------------------------------------------- */

static gboolean
choose_law (Impact *self)
{
  const char *name = cli_args_text (self->args, "--law");
  SsError error = {0};

  self->law =
      name == NULL ? ss_method_default (SS_METHOD_IMPACT_LAW) : ss_method_find (SS_METHOD_IMPACT_LAW, name, &error);
  if (self->law == NULL) {
    if (error.expected[0] != '\0')
      cli_fail ("%s; did you mean %s", error.message, error.expected);
    else
      cli_fail ("%s", error.message);
    return FALSE;
  }
  return TRUE;
}

/* Defaults, then what the scene's file says, then the command line. */
static int
set_options (Impact *self)
{
  GPtrArray *pairs = cli_args_list (self->args, "--option");
  const SsScenario *scenario = self->scenario;
  SsError error;

  self->options = g_malloc0 (self->law->options->size);
  ss_options_init (self->law->options, self->options);
  for (int i = 0; scenario != NULL && i < scenario->n_method_defaults; i++) {
    const SsMethodDefault *line = &scenario->method_defaults[i];
    if (ss_method_takes_default (self->law, scenario, line) &&
        ss_options_set (self->law->options, self->options, line->name, line->value, &error) != SS_OK)
      return cli_fail ("%s:%d: %s", scenario->file, line->line, error.message);
  }
  for (guint i = 0; i < pairs->len; i++) {
    g_autofree char *option = NULL;
    const char *value;
    cli_args_split (g_ptr_array_index (pairs, i), &option, &value);
    if (ss_options_set (self->law->options, self->options, option, value, &error) != SS_OK)
      return cli_fail ("%s%s%s", error.message, error.expected[0] != '\0' ? "; expected " : "", error.expected);
  }
  return CLI_OK;
}

/* A file of numbers has the rows of contacts at its top. */
static gboolean
is_numbers (const char *text)
{
  json_t *root = json_loads (text, 0, NULL);
  const gboolean is = json_object_get (root, "Jn") != NULL || json_object_get (root, "v_pre") != NULL;

  json_decref (root);
  return is;
}

/* Positions and velocities of every body at a time of a motion, before a jump there, by the names of its channels. */
static gboolean
read_state (Impact *self, const SsTrajectory *motion)
{
  static const char *const channels[] = {"x", "y", "theta", "vx", "vy", "omega"};
  const SsScene *scene = self->scenario->scene;
  const int n = scene->n_bodies;
  g_autofree double *row = g_new0 (double, motion->n_channels);
  const double end = ss_trajectory_row (motion, motion->n_rows - 1)[0];

  self->state = g_new0 (double, 6 * n);
  ss_trajectory_sample_before (motion, cli_args_number (self->args, "--at", end), row);
  for (int b = 0; b < n; b++)
    for (int k = 0; k < 6; k++) {
      g_autofree char *name = g_strdup_printf ("%s.%s", scene->bodies[b].name, channels[k]);
      const int channel = ss_trajectory_channel (motion, name);
      if (channel < 0 && !ss_body_is_immovable (&scene->bodies[b])) {
        cli_fail ("the motion has no channel '%s'", name);
        return FALSE;
      }
      const double *initial = k < 3 ? scene->bodies[b].q : scene->bodies[b].v;
      self->state[(k < 3 ? 0 : 3 * n) + 3 * b + k % 3] = channel >= 0 ? row[channel] : initial[k % 3];
    }
  return TRUE;
}

static int
read_input (Impact *self)
{
  const char *path = cli_args_positional (self->args, 0);
  g_autofree char *text = cli_read_text (path), *run = NULL;
  SsTrajectory *motion = NULL;
  SsProblems problems;
  SsError error;
  int status = CLI_OK;

  if (text == NULL)
    return CLI_BAD_INPUT;
  if (is_numbers (text)) {
    ss_problems_init (&problems);
    if (ss_impact_file_read (text, strlen (text), path, &problems, &self->file) != SS_OK) {
      cli_print_problems (stderr, &problems);
      status = cli_status_of_problems (&problems);
    } else if (ss_impact_new_from_file (self->file, &self->own, &error) != SS_OK) {
      status = cli_fail ("%s: %s", path, error.message);
    }
    ss_problems_clear (&problems);
    return status;
  }
  self->scenario = cli_read_scenario (self->args, path);
  if (self->scenario == NULL)
    return CLI_BAD_INPUT;
  if (ss_run_check (self->scenario, self->law, &error) != SS_OK)
    return cli_fail ("%s", error.message);
  if (!cli_read_motion (self->args, &motion, &run))
    return CLI_BAD_INPUT;
  if (motion == NULL && !isnan (cli_args_number (self->args, "--at", NAN)))
    return cli_fail ("--at is a time of the motion of --from, which was not given");
  if (motion != NULL && (motion->n_rows == 0 || !read_state (self, motion)))
    status = CLI_BAD_INPUT;
  ss_trajectory_free (motion);
  return status;
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static json_t *
reals (const double *values, int n)
{
  json_t *list = json_array ();

  for (int i = 0; i < n; i++)
    json_array_append_new (list, ssapp_json_real (values[i]));
  return list;
}

static json_t *
modes_to_json (const double *u, int m, double tolerance)
{
  json_t *list = json_array ();

  for (int i = 0; i < m; i++)
    json_array_append_new (list, json_string (ss_impact_mode_name (ss_impact_mode (u[i], u[m + i], tolerance))));
  return list;
}

static double
tolerance_of (const Impact *self)
{
  return cli_args_number (self->args, "--tolerance", SS_IMPACT_MODE_TOLERANCE);
}

static json_t *
configuration_to_json (const SsImpact *impact)
{
  double u[2 * SS_IMPACT_CONTACTS_MAX];

  ss_impact_speeds (impact, impact->v, u);
  return json_pack ("{s:s, s:o, s:o, s:o}", "hash", impact->sha256, "vn", reals (u, impact->m), "vt",
                    reals (u + impact->m, impact->m), "kinetic_energy",
                    ssapp_json_real (ss_impact_kinetic_energy (impact, impact->v)));
}

static json_t *
outcomes_to_json (const Impact *self)
{
  const SsImpactResult *found = self->result.impact;
  const int m = self->impact->m;
  json_t *list = json_array ();

  for (int k = 0; k < found->n_outcomes; k++) {
    const SsImpactOutcome *outcome = &found->outcomes[k];
    json_t *item =
        json_pack ("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:o, s:b}", "v", reals (outcome->v, self->impact->n), "vn",
                   reals (outcome->u, m), "vt", reals (outcome->u + m, m), "ln", reals (outcome->impulse, m), "lt",
                   reals (outcome->impulse + m, m), "kinetic_energy", ssapp_json_real (outcome->energy), "modes",
                   modes_to_json (outcome->u, m, tolerance_of (self)), "solves", outcome->solves, "share",
                   ssapp_json_real (outcome->share), "finished", outcome->is_finished);
    json_t *order = json_null ();
    if (outcome->order[0] != '\0') {
      g_auto (GStrv) names = g_strsplit (outcome->order, ",", -1);
      order = json_array ();
      for (int i = 0; names[i] != NULL; i++)
        json_array_append_new (order, json_string (names[i]));
    }
    json_object_set_new (item, "order", order);
    json_array_append_new (list, item);
  }
  return list;
}

/* The column of a plane's axis among the samples, -1. */
static int
find_column (const SsSamples *samples, const char *name)
{
  for (int c = 0; c < samples->n_columns; c++)
    if (strcmp (samples->columns[c], name) == 0)
      return c;
  return -1;
}

/* Hulls of the finished samples in the planes of --plane; NULL after an error. */
static json_t *
hulls_to_json (const Impact *self)
{
  const SsSamples *samples = self->result.samples;
  const SsImpactSet *set = self->result.impact->set;
  GPtrArray *planes = cli_args_list (self->args, "--plane");
  json_t *list = json_array ();

  for (guint i = 0; i < planes->len; i++) {
    g_auto (GStrv) axes = g_strsplit (g_ptr_array_index (planes, i), ",", 2);
    const int x = find_column (samples, axes[0]),
              y = axes[0] != NULL && axes[1] != NULL ? find_column (samples, axes[1]) : -1;
    if (x < 0 || y < 0) {
      cli_fail ("--plane %s: expected two columns of the samples with a comma, such as %s,%s",
                (const char *)g_ptr_array_index (planes, i), samples->columns[0], samples->columns[1]);
      json_decref (list);
      return NULL;
    }
    g_autofree SsVec2 *points = g_new (SsVec2, set->n_samples + 1), *hull = g_new (SsVec2, set->n_samples + 1);
    json_t *corners = json_array ();
    int n = 0;
    for (int k = 0; k < set->n_samples; k++)
      if (set->state[k] == SS_IMPACT_FINISHED) {
        const double *row = samples->values + (gsize)k * (gsize)samples->n_columns;
        points[n++] = (SsVec2){row[x], row[y]};
      }
    const int n_corners = ss_impact_hull (points, n, hull);
    for (int k = 0; k < n_corners; k++)
      json_array_append_new (corners, json_pack ("[o, o]", ssapp_json_real (hull[k].x), ssapp_json_real (hull[k].y)));
    json_array_append_new (list, json_pack ("{s:s, s:s, s:o}", "x", axes[0], "y", axes[1], "vertices", corners));
  }
  return list;
}

static json_t *
shares_to_json (const Impact *self)
{
  SsImpactModeShare *shares;
  json_t *list = json_array ();
  int n;

  if (ss_impact_set_modes (self->impact, self->result.impact->set, tolerance_of (self), &shares, &n, NULL) != SS_OK)
    return list;
  for (int k = 0; k < n; k++) {
    json_t *mode = json_array ();
    for (int i = 0; i < self->impact->m; i++)
      json_array_append_new (mode, json_string (ss_impact_mode_name (shares[k].mode[i])));
    json_array_append_new (list,
                           json_pack ("{s:o, s:o}", "mode", mode, "fraction", ssapp_json_real (shares[k].fraction)));
  }
  ss_free (shares);
  return list;
}

static gboolean
add_set (const Impact *self, json_t *object)
{
  static const char *const policies[] = {"lemke", "random-covering", "enumerate"};
  const SsImpactResult *found = self->result.impact;
  const SsImpactSet *set = found->set;
  json_t *hulls = hulls_to_json (self);

  if (hulls == NULL)
    return FALSE;
  json_object_set_new (object, "policy", json_string (policies[set->options.policy]));
  json_object_set_new (object, "seed", json_integer ((json_int_t)set->options.seed));
  json_object_set_new (object, "step", ssapp_json_real (set->options.h));
  json_object_set_new (object, "max_steps", json_integer (set->options.max_steps));
  json_object_set_new (object, "modes", shares_to_json (self));
  json_object_set_new (object, "hulls", hulls);
  json_object_set_new (object, "pointed", json_boolean (found->cone.is_pointed));
  json_object_set_new (object, "r", ssapp_json_real (found->cone.r));
  json_object_set_new (object, "c", ssapp_json_real (found->cone.c));
  return TRUE;
}

/* NULL after an error. */
static json_t *
to_json (const Impact *self)
{
  json_t *object = json_object (), *names = json_array (), *metrics = ssapp_metrics_to_json (&self->result.metrics);
  const char *key;
  json_t *value;

  for (int i = 0; i < self->impact->m; i++)
    json_array_append_new (names, json_string (self->impact->contacts[i]));
  json_object_set_new (object, "format", json_integer (1));
  json_object_set_new (object, "law", json_string (self->law->name));
  json_object_set_new (object, "outcome", json_string (ss_outcome_name (self->result.outcome)));
  json_object_set_new (object, "message", json_string (self->result.message));
  json_object_set_new (object, "contacts", names);
  json_object_set_new (object, "configuration", configuration_to_json (self->impact));
  json_object_foreach (metrics, key, value) json_object_set (object, key, value);
  json_object_set_new (object, "metrics", metrics);
  if (self->result.impact->set == NULL)
    json_object_set_new (object, "outcomes", outcomes_to_json (self));
  else if (!add_set (self, object))
    g_clear_pointer (&object, json_decref);
  return object;
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

/* Below the digits that are shown it is 0, without a sign. */
static double
shown (double x)
{
  return fabs (x) < 5e-7 ? 0 : x;
}

static void
print_outcomes (const Impact *self)
{
  const SsImpactResult *found = self->result.impact;
  const int m = self->impact->m;

  for (int k = 0; k < found->n_outcomes; k++) {
    const SsImpactOutcome *outcome = &found->outcomes[k];
    g_autofree char *order = ssapp_text_visible (outcome->order, FALSE);
    printf ("\nOutcome %d of %d: share %.4g, kinetic energy %.6g J%s%s\n", k + 1, found->n_outcomes, outcome->share,
            shown (outcome->energy), order[0] != '\0' ? ", order " : "", order);
    printf ("  %-24s %12s %12s %12s %12s  %s\n", "contact", "vn [m/s]", "vt [m/s]", "ln [N s]", "lt [N s]", "mode");
    for (int i = 0; i < m; i++) {
      g_autofree char *name = ssapp_text_visible (self->impact->contacts[i], FALSE);
      printf ("  %-24s %12.6f %12.6f %12.6f %12.6f  %s\n", name, shown (outcome->u[i]), shown (outcome->u[m + i]),
              shown (outcome->impulse[i]), shown (outcome->impulse[m + i]),
              ss_impact_mode_name (ss_impact_mode (outcome->u[i], outcome->u[m + i], tolerance_of (self))));
    }
  }
}

static void
print_set (const Impact *self)
{
  enum { SHOWN = 12 };
  const SsImpactSet *set = self->result.impact->set;
  SsImpactModeShare *shares;
  int n;

  printf ("\n%d samples: %.4g finished, %.4g unfinished, %.4g dropped; %.4g LCPs each; largest residual %.2g\n",
          set->n_samples, (double)set->n_finished / set->n_samples, (double)set->n_unfinished / set->n_samples,
          (double)set->n_dropped / set->n_samples, (double)set->n_solves / set->n_samples, set->max_residual);
  if (ss_impact_set_modes (self->impact, set, tolerance_of (self), &shares, &n, NULL) != SS_OK)
    return;
  for (int k = 0; k < n && k < SHOWN; k++) {
    printf ("  %8.4f ", shares[k].fraction);
    for (int i = 0; i < self->impact->m; i++) {
      g_autofree char *name = ssapp_text_visible (self->impact->contacts[i], FALSE);
      printf (" %s %s%s", name, ss_impact_mode_name (shares[k].mode[i]), i + 1 < self->impact->m ? "," : "\n");
    }
  }
  if (n > SHOWN)
    printf ("  and %d rarer ones\n", n - SHOWN);
  ss_free (shares);
}

/* ---- output ------------------------------------------------------------------------------------------------------ */

/* Speeds and energy of every row: what comes after the energy is not a velocity. */
static int
write_samples (const Impact *self)
{
  const char *path = cli_args_text (self->args, "--samples-out");
  g_autoptr (GError) error = NULL;

  if (path == NULL || ssapp_export_samples_csv (self->result.samples, 2 * self->impact->m + 1, path, &error))
    return CLI_OK;
  cli_fail ("%s", error->message);
  return CLI_BROKEN;
}

static int
report (const Impact *self)
{
  if (cli_args_flag (self->args, "--json")) {
    json_t *object = to_json (self);
    if (object == NULL)
      return CLI_BAD_INPUT;
    cli_print_json (object);
    json_decref (object);
  } else {
    printf ("%s (%s): %s\n", self->law->label, ss_outcome_name (self->result.outcome), self->result.message);
    if (self->result.impact->set != NULL)
      print_set (self);
    else
      print_outcomes (self);
  }
  return write_samples (self);
}

int
cli_impact (const CliArgs *args)
{
  Impact self = {.args = args};
  SsError error = {0};
  int status = CLI_BAD_INPUT;

  if (cli_args_text (args, "--compliant") != NULL)
    return cli_compliant (args);
  ss_run_result_init (&self.result);
  if (choose_law (&self) && cli_check_output (args, "--samples-out") == CLI_OK)
    status = read_input (&self);
  if (status == CLI_OK)
    status = set_options (&self);
  if (status == CLI_OK && self.law->is_built) {
    const int n = self.scenario != NULL ? self.scenario->scene->n_bodies : 0;
    const SsJob job = {.scenario = self.scenario,
                       .method = self.law,
                       .options = self.options,
                       .impact = self.own,
                       .q = self.state,
                       .v = self.state != NULL ? self.state + 3 * n : NULL,
                       .touching = cli_args_number (args, "--touching", 0)};
    if (ss_run (&job, NULL, &self.result, &error) != SS_OK) {
      cli_fail ("%s", error.message);
      status = error.status == SS_ERR_MEMORY || error.status == SS_ERR_INTERNAL ? CLI_BROKEN : CLI_BAD_INPUT;
    } else {
      self.impact = self.own != NULL ? self.own : self.result.configuration;
      status = report (&self);
    }
  }
  ss_run_result_clear (&self.result);
  g_free (self.options);
  g_free (self.state);
  ss_impact_free (self.own);
  ss_impact_file_free (self.file);
  ss_scenario_free (self.scenario);
  return status;
}
