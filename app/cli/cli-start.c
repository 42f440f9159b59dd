/* app/cli/cli-start.c: motions that verbs begin with: of stored runs, their iterates, tables, and copies of a part. */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-import.h"

#include <math.h>

/* Of a motion to start from: hops of a long way, not a way to fill the memory. */
enum { COPIES_MAX = 1000 };

SsTrajectory *
cli_read_motion_of (const CliArgs *args, SsappStore *store, const char *id, GError **error)
{
  const char *iterate = cli_args_text (args, "--iterate");
  g_autoptr (GArray) kept = NULL;
  SsTrajectory *motion;

  if (iterate == NULL)
    return ssapp_store_get_trajectory (store, id, error);
  motion = ssapp_store_get_iterate (store, id, (int)cli_args_number (args, "--iterate", 0), error);
  if (motion != NULL || *error != NULL)
    return motion;
  kept = ssapp_store_list_iterates (store, id, error);
  if (kept == NULL)
    return NULL;
  if (kept->len == 0)
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND,
                 "run %s kept no iterates (--keep-iterates N keeps every N-th)", id);
  else
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND,
                 "run %s kept no iterate %s; it has %u of them, from %d to %d", id, iterate, kept->len,
                 g_array_index (kept, int, 0), g_array_index (kept, int, kept->len - 1));
  return NULL;
}

gboolean
cli_read_motion (const CliArgs *args, SsTrajectory **motion, char **run_id)
{
  const char *name = cli_args_text (args, "--from"), *project = cli_args_text (args, "--project");
  g_autoptr (GError) error = NULL;
  SsappStore *store = NULL;
  SsappRunRow *row = NULL;

  if (cli_args_text (args, "--iterate") != NULL && (name == NULL || g_str_has_suffix (name, ".csv"))) {
    cli_fail ("--iterate needs a run: give --from RUN and --project FILE too");
    return FALSE;
  }
  if (name == NULL)
    return TRUE;
  if (g_str_has_suffix (name, ".csv")) {
    *motion = ssapp_import_trajectory_csv (name, &error);
  } else if (project == NULL) {
    cli_fail ("--from %s: a run needs --project FILE (or name a file that ends in .csv)", name);
    return FALSE;
  } else {
    const gboolean is_given = g_str_has_prefix (name, CLI_GIVEN);
    gboolean is_own;
    store = ssapp_store_open (project, FALSE, &error);
    if (store != NULL)
      row = ssapp_store_get_sound_run (store, is_given ? name + strlen (CLI_GIVEN) : name, &error);
    if (row != NULL) {
      *motion = is_given ? ssapp_store_get_given (store, row->id, &is_own, &error)
                         : cli_read_motion_of (args, store, row->id, &error);
      *run_id = is_given ? NULL : g_strdup (row->id);
      if (error == NULL && *motion == NULL)
        g_set_error (&error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND, "run %s has no trajectory", row->id);
    }
    ssapp_run_row_free (row);
    g_clear_object (&store);
  }
  if (error != NULL)
    cli_fail ("%s", error->message);
  return error == NULL;
}

gboolean
cli_repeat_motion (const CliArgs *args, SsTrajectory **motion)
{
  const double after = cli_args_number (args, "--from-time", -INFINITY);
  const double copies = cli_args_number (args, "--from-copies", 1);
  SsTrajectory *repeated = NULL;
  SsError error = {0};

  if (isinf (after) && copies == 1)
    return TRUE;
  if (*motion == NULL) {
    cli_fail ("--from-time and --from-copies change the motion of --from, which was not given");
    return FALSE;
  }
  if (!(copies >= 1 && copies <= COPIES_MAX)) {
    cli_fail ("--from-copies takes 1 to %d, not %g", COPIES_MAX, copies);
    return FALSE;
  }
  if (ss_trajectory_repeat (*motion, after, (int)copies, &repeated, &error) != SS_OK) {
    cli_fail ("--from-time %g: %s", after, error.message);
    return FALSE;
  }
  ss_trajectory_free (*motion);
  *motion = repeated;
  return TRUE;
}
