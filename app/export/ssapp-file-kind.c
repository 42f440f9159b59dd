/* app/export/ssapp-file-kind.c: see the header. */
#include "app/export/ssapp-file-kind.h"

#include "app/base/ssapp-ending.h"
#include "app/export/ssapp-format.h"
#include "app/export/ssapp-plot-kind.h"

#include <string.h>

/* What is no plot of `export`. */
static const SsappFileKind kinds[] = {
    {"planes", "planes of an impact", SSAPP_FORMAT_PICTURE, NULL, FALSE},
    {"film", "a film", SSAPP_FORMAT_FILM | SSAPP_FORMAT_FRAMES, NULL, FALSE},
    {"still", "a motion", SSAPP_FORMAT_PICTURE | SSAPP_FORMAT_NUMBERS, NULL, FALSE},
    {"page", "a page", 0, ".html .htm", FALSE},
    {"picture", "a picture", SSAPP_FORMAT_PICTURE, NULL, FALSE},
    {"table", "a table", 0, SSAPP_ENDINGS_OF_TABLES, TRUE},
    {"chart", "a figure", SSAPP_FORMAT_PICTURE, ".tikz " SSAPP_ENDINGS_OF_TABLES, FALSE},
    {"paper", "a table or figure of a paper", SSAPP_FORMAT_PICTURE, SSAPP_ENDINGS_OF_TABLES " /", TRUE},
    {"curves", "a figure", SSAPP_FORMAT_PICTURE, SSAPP_ENDINGS_OF_TABLES, FALSE},
    {"rows", "a table of rows", 0, ".csv", TRUE},
    {"run-log", "a run's log", 0, ".jsonl .csv .json .log .txt", TRUE},
    {"run-events", "a task's run", 0, ".jsonl", TRUE},
    {"problem", "a problem", 0, ".nl .json .xml", FALSE},
    {"certificate", "a certificate", 0, ".json", FALSE},
    {"guide", "a guide", 0, ".pdf /", FALSE},
    {"project", "a project", 0, ".stickslip", FALSE},
};

/* NULL: there is none of that name. */
static const SsappFileKind *
ssapp_file_kind_find (const char *name)
{
  const SsappPlotKind *plot = ssapp_plot_find (name);

  if (plot != NULL)
    return &plot->file;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (kinds[i].name, name) == 0)
      return &kinds[i];
  return NULL;
}

/* Those of its formats, then the others; empty where there is no such kind. */
static char **
endings_of (const char *name)
{
  const SsappFileKind *kind = ssapp_file_kind_find (name);
  guint n;
  const SsappFormat *formats = ssapp_formats (&n);

  g_return_val_if_fail (kind != NULL, g_new0 (char *, 1));
  GPtrArray *endings = g_ptr_array_new ();
  g_auto (GStrv) also = g_strsplit (kind->also != NULL ? kind->also : "", " ", -1);
  for (guint i = 0; i < n; i++)
    if ((formats[i].kind & kind->formats) != 0)
      g_ptr_array_add (endings, g_strdup (formats[i].ending));
  for (int i = 0; also[i] != NULL; i++)
    g_ptr_array_add (endings, g_strdup (also[i]));
  g_ptr_array_add (endings, NULL);
  return (char **)g_ptr_array_free (endings, FALSE);
}

char *
ssapp_endings_text (const char *name)
{
  g_auto (GStrv) endings = endings_of (name);

  return g_strjoinv (" ", endings);
}

char *
ssapp_endings_list (const char *name)
{
  g_auto (GStrv) endings = endings_of (name);

  return ssapp_endings_join ((const char *const *)endings, " or ");
}

char **
ssapp_endings_patterns (const char *name)
{
  g_auto (GStrv) endings = endings_of (name);
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
  g_auto (GStrv) endings = endings_of (name);

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
