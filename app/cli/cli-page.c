/* app/cli/cli-page.c: `export RUN --to FILE.html`: a run as one page that plays without a network. */
#include "app/cli/cli-common.h"
#include "app/cli/cli-page.h"

#include "app/draw/ssapp-clock.h"
#include "app/draw/ssapp-run-events.h"
#include "app/export/ssapp-page.h"

#include <string.h>

/* A stored run, read back for its page. */
typedef struct {
  SsappRunRow *row;
  SsScenario *scenario;
  SsTrajectory *motion;
  GArray *events;
  char *provenance;
  char *asked; /* JSON; NULL: not told */
} Stored;

static void
stored_clear (Stored *stored)
{
  ssapp_run_row_free (stored->row);
  ss_scenario_free (stored->scenario);
  ss_trajectory_free (stored->motion);
  g_clear_pointer (&stored->events, g_array_unref);
  g_free (stored->provenance);
  g_free (stored->asked);
}

static gboolean
fail (GError **error, const char *message)
{
  g_set_error_literal (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, message);
  return FALSE;
}

/* The motion by the clock that was asked for. */
static gboolean
choose_clock (const CliArgs *args, Stored *stored, GError **error)
{
  if (g_strcmp0 (cli_args_text (args, "--clock"), "second") != 0)
    return TRUE;
  SsTrajectory *told = stored->motion != NULL ? ssapp_told_by_second_clock (stored->motion) : NULL;
  if (told == NULL)
    return fail (error, "the run has no second clock");
  ss_trajectory_free (stored->motion);
  stored->motion = told;
  return TRUE;
}

static gboolean
load (const CliArgs *args, SsappStore *store, Stored *stored, GError **error)
{
  GError *local = NULL;

  stored->row = ssapp_store_get_sound_run (store, cli_args_positional (args, 0), &local);
  if (local == NULL)
    stored->scenario = cli_load_scenario (store, stored->row, &local);
  if (local == NULL)
    stored->motion = ssapp_store_get_trajectory (store, stored->row->id, &local);
  if (local == NULL)
    stored->provenance = ssapp_store_get_provenance_json (store, stored->row->id, &local);
  json_t *events = json_object ();
  if (local == NULL)
    json_object_set_new (events, "events", ssapp_store_get_events (store, stored->row->id, 0, &local));
  if (local == NULL)
    stored->asked = ssapp_store_get_asked_json (store, stored->row->id, &local);
  stored->events = ssapp_run_events_from_json (events);
  json_decref (events);
  if (local != NULL) {
    g_propagate_error (error, local);
    return FALSE;
  }
  if (stored->motion != NULL) {
    SsStatus status = ss_scenario_describe (stored->scenario, stored->motion, NULL);
    (void)status; /* without memory for them the units are missing */
  }
  return choose_clock (args, stored, error);
}

static gboolean
export_page (const CliArgs *args, SsappStore *store, GError **error)
{
  Stored stored = {0};
  gboolean done = load (args, store, &stored, error);

  if (done) {
    SsMetricSet metrics = {0};
    for (guint i = 0; i < stored.row->n_metrics; i++)
      ss_metric_set (&metrics, stored.row->metrics[i].metric, stored.row->metrics[i].value);
    const SsappFigureRun run = {.label = stored.row->label,
                                .method = ssapp_run_row_get_method (stored.row),
                                .trajectory = stored.motion,
                                .outcome = stored.row->outcome,
                                .events = stored.events};
    const SsappPage page = {.scenario = stored.scenario,
                            .run = &run,
                            .metrics = &metrics,
                            .outcomes = stored.row->outcomes,
                            .n_outcomes = stored.row->n_outcomes,
                            .id = stored.row->id,
                            .started = stored.row->started,
                            .provenance_json = stored.provenance,
                            .options_json = stored.row->options_json,
                            .parameters_json = stored.row->parameters_json,
                            .channels = cli_args_text (args, "--channels"),
                            .is_live = cli_args_flag (args, "--live"),
                            .asked_json = stored.asked};
    done = ssapp_page_export (&page, cli_args_text (args, "--to"), error);
  }
  stored_clear (&stored);
  return done;
}

int
cli_export_page (const CliArgs *args)
{
  static const char *const others[] = {"--x",         "--y",     "--times", "--region", "--follow",  "--layers",
                                       "--forces-of", "--width", "--fps",   "--speed",  "--contact", "--difference"};
  g_autoptr (GError) error = NULL;
  int status;

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (cli_args_text (args, others[i]) != NULL)
      return cli_fail ("option %s is not for pages (.html)", others[i]);
  if (cli_args_flag (args, "--log-y"))
    return cli_fail ("option --log-y is not for pages (.html)");
  if (cli_args_n_positional (args) > 1)
    return cli_fail ("a page (.html) shows one run at a time");
  SsappStore *store = cli_open_project (args, FALSE, &status);
  if (store == NULL)
    return status == CLI_OK ? cli_fail ("'export' needs --project FILE") : status;
  if (!export_page (args, store, &error))
    status = cli_fail ("%s", error->message);
  g_object_unref (store);
  return status;
}
