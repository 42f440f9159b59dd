/* app/cli/cli-forces.c: the verb `forces`: of every contact, joint, limit, spring and motor at one state, without a
 * run. */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-import.h"
#include "app/job/ssapp-forces.h"
#include "scene/ss-scenario.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHORT_ID = 8 };

typedef struct {
  SsScenario *scenario; /* owned, as the others */
  SsTrajectory *motion; /* of a run, or a table of states; NULL: the scenario's start */
  double t, *q, *v, *row;
  char *title;
} State;

static void
clear (State *self)
{
  g_free (self->q);
  g_free (self->v);
  g_free (self->row);
  g_free (self->title);
  ss_trajectory_free (self->motion);
  ss_scenario_free (self->scenario);
}

/* A row of the motion by its number, of which there are n_rows. CLI_OK, or after saying why not. */
static int
take_row (State *self, const char *number, const char *at)
{
  gint64 k = 0;

  if (!g_ascii_string_to_signed (number, 10, 0, G_MAXINT, &k, NULL) || k >= self->motion->n_rows)
    return cli_fail ("--at %s: the rows are numbered from 0 to %d", at, self->motion->n_rows - 1);
  memcpy (self->row, ss_trajectory_row (self->motion, (int)k), sizeof (double) * (gsize)self->motion->n_channels);
  return CLI_OK;
}

/* A time of the motion, row:K, or start. */
static int
take_moment (State *self, const char *at)
{
  const SsTrajectory *motion = self->motion;
  double t;

  if (motion->n_rows == 0)
    return cli_fail ("the run has a motion without rows");
  if (strcmp (at, "start") == 0)
    return take_row (self, "0", at);
  if (g_str_has_prefix (at, "row:"))
    return take_row (self, at + strlen ("row:"), at);
  if (!ss_parse_double (at, &t) || !isfinite (t))
    return cli_fail ("--at %s is no state: start, a time [s], row:K of the run's motion, or FILE.csv[:K]", at);
  const double first = ss_trajectory_row (motion, 0)[0], last = ss_trajectory_row (motion, motion->n_rows - 1)[0];
  if (t < first || t > last)
    return cli_fail ("--at %s: the motion is from %.9g s to %.9g s", at, first, last);
  ss_trajectory_sample (motion, t, self->row);
  return CLI_OK;
}

/* Splits "states.csv:3"; *number is "" without one. */
static char *
split_file (const char *at, char **number)
{
  const char *colon = strrchr (at, ':');
  const gboolean has_number =
      colon != NULL && colon[1] != '\0' && strspn (colon + 1, "0123456789") == strlen (colon + 1);

  *number = g_strdup (has_number ? colon + 1 : "");
  return has_number ? g_strndup (at, (gsize)(colon - at)) : g_strdup (at);
}

static int
take_file (State *self, const char *at)
{
  g_autofree char *number = NULL, *path = split_file (at, &number);
  g_autoptr (GError) error = NULL;

  ss_trajectory_free (self->motion);
  self->motion = ssapp_import_trajectory_csv (path, &error);
  if (self->motion == NULL)
    return cli_fail ("%s", error->message);
  if (self->motion->n_rows == 0)
    return cli_fail ("%s has no rows", path);
  g_free (self->row);
  self->row = g_new0 (double, self->motion->n_channels);
  g_autofree char *last = g_strdup_printf ("%d", self->motion->n_rows - 1);
  return take_row (self, *number != '\0' ? number : last, at);
}

static int
open_run (const CliArgs *args, State *self)
{
  const char *project = cli_args_text (args, "--project"), *name = cli_args_positional (args, 0);
  g_autoptr (GError) error = NULL;

  if (project == NULL)
    return cli_fail ("%s is no file; a run needs --project FILE", name);
  g_autoptr (SsappStore) store = ssapp_store_open (project, FALSE, &error);
  SsappRunRow *row = store != NULL ? ssapp_store_get_sound_run (store, name, &error) : NULL;
  if (row != NULL)
    self->scenario = cli_load_scenario (store, row, &error);
  if (self->scenario != NULL)
    self->motion = ssapp_store_get_trajectory (store, row->id, &error);
  if (row != NULL)
    self->title = g_strdup_printf ("Forces of run %.*s (%s)", SHORT_ID, row->id, row->method);
  int status = CLI_OK;
  if (error != NULL)
    status = cli_fail ("%s", error->message);
  else if (self->motion == NULL)
    status = cli_fail ("run %s has no motion", row->id);
  else
    self->row = g_new0 (double, self->motion->n_channels);
  ssapp_run_row_free (row);
  return status;
}

static int
read_state (const CliArgs *args, gboolean is_file, State *self)
{
  const char *at = cli_args_text (args, "--at");
  g_autoptr (GError) error = NULL;
  int status = CLI_OK;

  if (is_file) {
    self->scenario = cli_read_scenario (args, cli_args_positional (args, 0));
    if (self->scenario == NULL)
      return CLI_BAD_INPUT;
    self->title = g_strdup_printf ("Forces of %s", self->scenario->name);
  } else {
    status = open_run (args, self);
  }
  if (status != CLI_OK)
    return status;
  if (self->scenario->scene == NULL)
    return cli_fail ("%s is a model in equations: it has no contacts and joints", self->scenario->name);
  const gsize n = 3 * (gsize)self->scenario->scene->n_bodies + 1;
  self->q = g_new0 (double, n);
  self->v = g_new0 (double, n);
  at = at != NULL ? at : "start";
  const gboolean is_table = strstr (at, ".csv") != NULL;
  if (is_table)
    status = take_file (self, at);
  else if (self->motion != NULL)
    status = take_moment (self, at);
  else if (strcmp (at, "start") != 0)
    status = cli_fail ("--at %s: a scene that has not run has its start and states of a table FILE.csv alone", at);
  if (status != CLI_OK)
    return status;
  if (self->motion == NULL) {
    ssapp_forces_start (self->scenario->scene, self->q, self->v);
    return CLI_OK;
  }
  self->t = self->row[0];
  if (!ssapp_forces_state (self->scenario->scene, self->motion, self->row, self->q, self->v, &error))
    return cli_fail ("%s", error->message);
  return CLI_OK;
}

static int
tell (const CliArgs *args, const State *self, const SsForces *forces, SsappTableFormat format)
{
  const SsScene *scene = self->scenario->scene;
  g_autofree char *title = g_strdup_printf ("%s at t = %.9g s", self->title, self->t);

  if (cli_args_flag (args, "--json")) {
    json_t *report = ssapp_forces_to_json (scene, self->t, forces);
    cli_print_json (report);
    json_decref (report);
    if (cli_args_text (args, "--to") == NULL)
      return CLI_OK;
  }
  g_autoptr (SsappTable) table = ssapp_forces_to_table (scene, forces, title);
  return cli_write_table (args, table, format);
}

int
cli_forces (const CliArgs *args)
{
  const char *name = cli_args_positional (args, 0);
  const gboolean is_file = cli_is_file (name);
  State state = {0};
  SsForces *forces = NULL;
  SsError error = {0};
  int status = cli_check_output (args, "--to");
  const SsappTableFormat format = cli_table_format (args, &status);

  if (status != CLI_OK)
    return status;
  if (is_file && cli_args_text (args, "--project") != NULL)
    return cli_fail ("%s is a file: --project is of a run", name);
  if (!is_file && cli_args_list (args, "--set")->len > 0)
    return cli_fail ("--set is of a file; %s is none", name);
  status = read_state (args, is_file, &state);
  if (status == CLI_OK && ss_forces_at (state.scenario->scene, state.t, state.q, state.v,
                                        cli_args_number (args, "--touching", NAN), &forces, &error) != SS_OK)
    status = cli_fail ("%s", error.message);
  if (status == CLI_OK)
    status = tell (args, &state, forces, format);
  if (status == CLI_OK && !forces->is_solved)
    status = CLI_NO_SUCCESS;
  ss_forces_free (forces);
  clear (&state);
  return status;
}
