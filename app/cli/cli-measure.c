/* app/cli/cli-measure.c: the verb `measure`: distances and angles in a stored run, and what lies of a channel between
 * two times. */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-file.h"
#include "app/base/ssapp-span.h"
#include "app/session/ssapp-asked-runs.h"
#include "app/store/ssapp-store-shrink.h"
#include "core/ss-channel-word.h"
#include "scene/ss-measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const CliArgs *args;
  SsScenario *scenario;
  SsTrajectory *motion;
  GArray *channels; /* of int */
  double from, to;  /* [s] */
} Measured;

static void
clear (Measured *self)
{
  ss_trajectory_free (self->motion);
  ss_scenario_free (self->scenario);
  g_clear_pointer (&self->channels, g_array_unref);
}

static gboolean
load (Measured *self, SsappStore *store, GError **error)
{
  gboolean is_thinned = FALSE;
  SsappRunRow *row = ssapp_store_get_sound_run (store, cli_args_positional (self->args, 0), error);

  if (row == NULL)
    return FALSE;
  self->scenario = cli_load_scenario (store, row, error);
  if (self->scenario != NULL)
    self->motion = ssapp_store_get_shown (store, row->id, &is_thinned, error);
  if (self->scenario != NULL && self->motion == NULL && error != NULL && *error == NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "run %s has no motion", row->id);
  const int every = self->motion != NULL ? ssapp_interests_every_of (store, row->id) : 1;
  if (every > 1)
    fprintf (stderr, "stickslip-cli: run %s keeps rows of every %d steps: what lies between them is left out\n",
             row->id, every);
  if (is_thinned)
    fprintf (stderr,
             "stickslip-cli: the project keeps %d rows of the motion of run %s: what lies between them is left out\n",
             self->motion->n_rows, row->id);
  ssapp_run_row_free (row);
  return self->motion != NULL;
}

static int
add_channel (Measured *self, const char *name)
{
  const int channel = ss_trajectory_meant (self->motion, name, strlen (name));
  g_autofree const char **names = g_new0 (const char *, self->motion->n_channels + 1);

  if (channel > 0) {
    g_array_append_val (self->channels, channel);
    return CLI_OK;
  }
  for (int c = 0; c < self->motion->n_channels; c++)
    names[c] = self->motion->channels[c].name;
  const char *near = ss_nearest_name (name, names, self->motion->n_channels);
  return cli_fail ("the run has no channel %s%s%s", name, near != NULL ? "; did you mean " : "",
                   near != NULL ? near : "");
}

/* What --between and --and name becomes a channel, called by both. */
static int
add_between (Measured *self, const char *a, const char *b)
{
  const SsScene *scene = self->scenario->scene;
  g_autofree char *name = g_strdup_printf ("%s to %s", a, b), *channel = g_strconcat ("measure.", name, NULL);
  SsMeasure measure;
  SsError err = {0};

  if (scene == NULL)
    return cli_fail ("%s is a model in equations: it has no features", self->scenario->name);
  if (ss_measure_between (scene->bodies, scene->n_bodies, name, cli_args_flag (self->args, "--angle"), a, b, &measure,
                          &err) != SS_OK)
    return cli_fail ("%s (expected %s)", err.message, err.expected);
  if (ss_motion_add_measures (scene, &measure, 1, &self->motion, &err) != SS_OK)
    return cli_fail ("%s", err.message);
  return add_channel (self, channel);
}

static int
add_all (Measured *self)
{
  GPtrArray *names = cli_args_list (self->args, "--channel");
  const char *a = cli_args_text (self->args, "--between"), *b = cli_args_text (self->args, "--and");
  int status = CLI_OK;

  if ((a == NULL) != (b == NULL))
    return cli_fail ("--between and --and come together: a measure has two features");
  if (cli_args_flag (self->args, "--angle") && a == NULL)
    return cli_fail ("--angle wants --between and --and");
  if (a != NULL)
    status = add_between (self, a, b);
  for (guint i = 0; status == CLI_OK && i < names->len; i++)
    status = add_channel (self, g_ptr_array_index (names, i));
  const gboolean is_asked = a != NULL || names->len > 0;
  for (int c = 1; status == CLI_OK && !is_asked && c < self->motion->n_channels; c++)
    if (self->motion->channels[c].owner == SS_OWNER_MEASURE)
      g_array_append_val (self->channels, c);
  if (status == CLI_OK && self->channels->len == 0)
    return cli_fail ("nothing is to be measured: --channel NAME, --between A --and B, or measures of the scene");
  return status;
}

static int
write_file (const Measured *self, const char *option,
            SsappTable *(*make) (const SsTrajectory *, const int *, guint, double, double, GError **))
{
  const char *path = cli_args_text (self->args, option);
  SsappTableFormat format;
  g_autoptr (GError) error = NULL;

  if (path == NULL)
    return CLI_OK;
  g_autoptr (SsappTable) table = make (self->motion, (const int *)(const void *)self->channels->data,
                                       self->channels->len, self->from, self->to, &error);
  if (table == NULL)
    return cli_fail ("%s", error->message);
  ssapp_table_format_of_path (path, &format);
  g_autofree char *text = ssapp_table_write (table, format);
  if (!ssapp_write_file (path, text, -1, &error)) {
    cli_fail ("%s", error->message);
    return CLI_BROKEN;
  }
  return CLI_OK;
}

static int
tell (Measured *self)
{
  int status = add_all (self);
  const char *name = cli_args_text (self->args, "--format");
  SsappTableFormat format = SSAPP_TABLE_TEXT;
  g_autoptr (GError) error = NULL;

  if (status == CLI_OK && name != NULL && !ssapp_table_format_from_name (name, &format))
    status = cli_fail ("--format %s: expected one of %s", name, ssapp_table_format_names ());

  if (status != CLI_OK)
    return status;
  g_autoptr (SsappTable) table = ssapp_span_table (self->motion, (const int *)(const void *)self->channels->data,
                                                   self->channels->len, self->from, self->to, &error);
  if (table == NULL)
    return cli_fail ("%s", error->message);
  g_autofree char *text = ssapp_table_write (table, format);
  fputs (text, stdout);
  status = write_file (self, "--spectrum", ssapp_spectrum_table);
  return status == CLI_OK ? write_file (self, "--values", ssapp_span_values_table) : status;
}

int
cli_measure (const CliArgs *args)
{
  Measured self = {.args = args,
                   .channels = g_array_new (FALSE, FALSE, sizeof (int)),
                   .from = cli_args_number (args, "--from", -INFINITY),
                   .to = cli_args_number (args, "--to", INFINITY)};
  g_autoptr (GError) error = NULL;
  int status = CLI_OK;
  SsappStore *store = cli_open_to_read (args, NULL, &status);

  if (status == CLI_OK && !load (&self, store, &error))
    status = cli_fail ("%s", error->message);
  if (status == CLI_OK)
    status = tell (&self);
  clear (&self);
  const int closed = store != NULL ? cli_close_project (&store) : CLI_OK;
  return status == CLI_OK ? closed : status;
}
