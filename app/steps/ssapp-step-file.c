/* app/steps/ssapp-step-file.c: the table of formats; see the header. */
#include "app/steps/ssapp-step-file.h"

#include "app/base/ssapp-ending.h"
#include "app/base/ssapp-file.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* Larger than any problem that a dense matrix of some thousand points makes. */
enum { MOST_BYTES = 1 << 30 };

const char *const ssapp_step_storage_names[] = {"columns", "triplets", "dense", NULL};

static gboolean
looks_json (const char *text)
{
  return text[strspn (text, " \t\r\n")] == '{';
}

static const SsappStepFormat formats[] = {
    {"json", ".json", "with everything that a problem has, its answer too", looks_json, ssapp_step_read_json,
     ssapp_step_write_json},
    {"fc2d", ".fc2d .dat", "Siconos' W, q and mu; bodies are reduced to their contacts", ssapp_step_looks_fc2d,
     ssapp_step_read_fc2d, ssapp_step_write_fc2d},
    {"gfc2d", ".gfc2d .dat", "Siconos' M, H, q, b and mu", ssapp_step_looks_gfc2d, ssapp_step_read_gfc2d,
     ssapp_step_write_gfc2d},
};

const SsappStepFormat *
ssapp_step_formats (guint *n)
{
  *n = G_N_ELEMENTS (formats);
  return formats;
}

const SsappStepFormat *
ssapp_step_format_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (strcmp (formats[i].name, name) == 0)
      return &formats[i];
  return NULL;
}

const SsappStepFormat *
ssapp_step_format_of_path (const char *path)
{
  const SsappStepFormat *found = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_auto (GStrv) endings = g_strsplit (formats[i].endings, " ", -1);
    for (int k = 0; endings[k] != NULL; k++)
      if (ssapp_ending_is (path, endings[k])) {
        if (found != NULL)
          return NULL;
        found = &formats[i];
      }
  }
  return found;
}

char *
ssapp_step_endings (void)
{
  const char *list[G_N_ELEMENTS (formats) + 1] = {NULL};
  g_autoptr (GPtrArray) own = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_ptr_array_add (own, g_strdelimit (g_strdup (formats[i].endings), " ", '\0'));
    list[i] = g_ptr_array_index (own, i);
  }
  return ssapp_endings_join (list, " and ");
}

SsStepProblem *
ssapp_step_read (const char *path, GError **error)
{
  g_autofree char *text = NULL;
  const SsappStepFormat *format = ssapp_step_format_of_path (path);

  if (!ssapp_read_file (path, MOST_BYTES, &text, NULL, error))
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (formats) && format == NULL; i++)
    if (formats[i].looks_so (text))
      format = &formats[i];
  if (format != NULL)
    return format->read (path, text, error);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
               "%s:1: no problem of a step (expected {, or the dimension 2 of fc2d and gfc2d)", path);
  return NULL;
}

gboolean
ssapp_step_write (const SsStepProblem *problem, const char *path, const SsappStepFormat *format,
                  SsappStepStorage storage, gboolean is_replaced, GError **error)
{
  g_autofree char *text = NULL;

  if (format == NULL)
    format = ssapp_step_format_of_path (path);
  if (format == NULL) {
    g_autofree char *endings = ssapp_step_endings ();
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME, "%s: the ending says no format (expected %s)", path,
                 endings);
    return FALSE;
  }
  if (!is_replaced && g_file_test (path, G_FILE_TEST_EXISTS)) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS, "%s exists and is not replaced", path);
    return FALSE;
  }
  text = format->write (problem, storage, error);
  return text != NULL && ssapp_write_file (path, text, -1, error);
}
