/* app/export/ssapp-file-kind.c: see the header. */
#include "app/export/ssapp-file-kind.h"

#include "app/base/ssapp-ending.h"

#include <string.h>

#define PICTURE ".pdf .svg .png"
#define NUMBERS ".csv .json"
#define FILM    ".webp .gif .zip /"
#define TABLE   ".csv .tsv .md .tex .jsonl .txt .text"
#define PLOT    PICTURE " " NUMBERS " .tex"

static const SsappFileKind kinds[] = {
    {"motion", "a motion", PICTURE " " NUMBERS " " FILM, TRUE, FALSE},
    {"convergence", "a plot of convergence", PLOT, TRUE, FALSE},
    {"channels", "a plot of channels", PLOT, TRUE, FALSE},
    {"replay", "a plot of replays", PLOT, TRUE, FALSE},
    {"steps", "a plot of steps", PLOT, TRUE, FALSE},
    {"modes", "a plot of modes", PLOT, TRUE, FALSE},
    {"phase", "a phase plane", PLOT, TRUE, FALSE},
    {"cone", "a friction cone", PLOT, TRUE, FALSE},
    {"states", "a plot of all states", PLOT, TRUE, FALSE},
    {"clocks", "a plot of both clocks", PLOT, TRUE, FALSE},
    {"full", "a motion with its plots", PICTURE " " NUMBERS " " FILM, TRUE, FALSE},
    {"log", "a log", TABLE, TRUE, FALSE},
    {"trajectory", "a trajectory", ".csv", TRUE, TRUE},
    {"events", "a list of events", ".csv", TRUE, TRUE},
    {"samples", "a table of samples", ".csv", TRUE, TRUE},
    {"shares", "a table of shares", ".tex", TRUE, TRUE},
    {"configuration", "a configuration", ".json", TRUE, TRUE},
    {"planes", "planes of an impact", PICTURE, FALSE, FALSE},
    {"film", "a film", FILM, FALSE, FALSE},
    {"still", "a motion", PICTURE " " NUMBERS, FALSE, FALSE},
    {"page", "a page", ".html .htm", FALSE, FALSE},
    {"picture", "a picture", PICTURE, FALSE, FALSE},
    {"table", "a table", TABLE, FALSE, TRUE},
    {"chart", "a figure", PICTURE " .tikz " TABLE, FALSE, FALSE},
    {"rows", "a table of rows", ".csv", FALSE, TRUE},
    {"run-log", "a run's log", ".jsonl .csv .json .log .txt", FALSE, TRUE},
    {"run-events", "a task's run", ".jsonl", FALSE, TRUE},
    {"guide", "a guide", ".pdf", FALSE, FALSE},
    {"project", "a project", ".stickslip", FALSE, FALSE},
};

const SsappFileKind *
ssapp_file_kinds (guint *n)
{
  *n = G_N_ELEMENTS (kinds);
  return kinds;
}

const SsappFileKind *
ssapp_file_kind_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (kinds[i].name, name) == 0)
      return &kinds[i];
  return NULL;
}

/* The endings of a kind; empty where there is no such kind. */
static char **
split (const char *name)
{
  const SsappFileKind *kind = ssapp_file_kind_find (name);

  g_return_val_if_fail (kind != NULL, g_new0 (char *, 1));
  return g_strsplit (kind->endings, " ", -1);
}

char *
ssapp_endings_list (const char *name)
{
  g_auto (GStrv) endings = split (name);
  const guint n = g_strv_length (endings);
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (list, "%s%s%s",
                            i == 0      ? ""
                            : i + 1 < n ? ", "
                                        : " or ",
                            strcmp (endings[i], "/") == 0 ? "FOLDER" : "", endings[i]);
  return g_string_free (list, FALSE);
}

char **
ssapp_endings_patterns (const char *name)
{
  g_auto (GStrv) endings = split (name);
  GPtrArray *patterns = g_ptr_array_new ();

  for (int i = 0; endings[i] != NULL; i++)
    if (strcmp (endings[i], "/") != 0)
      g_ptr_array_add (patterns, g_strconcat ("*", endings[i], NULL));
  g_ptr_array_add (patterns, NULL);
  return (char **)g_ptr_array_free (patterns, FALSE);
}

gboolean
ssapp_endings_check (const char *name, const char *path, GError **error)
{
  const SsappFileKind *kind = ssapp_file_kind_find (name);
  const char *ending = ssapp_ending_of (path);
  g_auto (GStrv) endings = split (name);

  for (int i = 0; endings[i] != NULL; i++)
    if (g_ascii_strcasecmp (endings[i], ending) == 0)
      return TRUE;
  if (kind != NULL && kind->may_lack && *ending == '\0')
    return TRUE;
  g_autofree char *shown = g_filename_display_name (path), *list = ssapp_endings_list (name);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               "Could not write “%s”: %s has no such format (expected a name ending in %s)", shown,
               kind != NULL ? kind->about : name, list);
  return FALSE;
}
