/* tests/fuzz/fuzz-csv.c: tables of other programs. A motion whose times do not descend, or an error that names the file
 * and a line of it. */
#include "app/base/ssapp-import.h"
#include "ss-fuzz-target.h"

#include <glib/gstdio.h>

static const char *const tokens[] = {"t",   "time [s]",     ",",     "\n",      "\r\n",  "\"", "\"\"", "nan",
                                     "inf", "-inf",         "1e308", "1e-320",  "0x1p3", "-0", " ",    "\t",
                                     ";",   "\xef\xbb\xbf", "x.y",   "1,2,3\n", ",,,\n", "#",  NULL};
static char *path;

static void
begin (void)
{
  g_autofree char *folder = g_dir_make_tmp ("stickslip-fuzz-XXXXXX", NULL);

  path = g_build_filename (folder, "a.csv", NULL);
}

static void
end (void)
{
  g_autofree char *folder = g_path_get_dirname (path);

  g_unlink (path);
  g_rmdir (folder);
  g_clear_pointer (&path, g_free);
}

static void
try_table (const char *bytes, size_t length)
{
  FILE *file = fopen (path, "wb"); /* no atomic replacement, no sync: inputs a second count */

  SS_CHECK (file != NULL && fwrite (bytes, 1, length, file) == length);
  if (file != NULL)
    fclose (file);
  for (int has_gaps = 0; has_gaps < 2; has_gaps++) {
    g_autoptr (GError) error = NULL;
    SsTrajectory *motion =
        has_gaps ? ssapp_import_gappy_csv (path, &error) : ssapp_import_trajectory_csv (path, &error);
    SS_CHECK ((motion == NULL) == (error != NULL));
    SS_CHECK (error == NULL || strstr (error->message, "a.csv") != NULL);
    for (int i = 0; motion != NULL && i < motion->n_rows; i++) {
      const double *row = ss_trajectory_row (motion, i);
      SS_CHECK (isfinite (row[0]) && (i == 0 || row[0] >= ss_trajectory_row (motion, i - 1)[0]));
      for (int c = 1; c < motion->n_channels; c++)
        SS_CHECK (has_gaps || isfinite (row[c]));
    }
    ss_trajectory_free (motion);
  }
}

static const SsFuzzTarget ss_fuzz_target = {
    .name = "csv", .iterations = 6000, .most = 4096, .begin = begin, .end = end, .try = try_table, .tokens = tokens};
SS_FUZZ_MAIN
