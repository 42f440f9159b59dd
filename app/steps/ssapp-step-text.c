/* app/steps/ssapp-step-text.c: numbers and errors of all formats; see ssapp-step-file.h. */
#include "app/steps/ssapp-step-file.h"

#include "app/base/ssapp-text.h"

#include <string.h>

void
ssapp_step_append_number (GString *out, double value)
{
  g_autofree char *text = ssapp_text_number_exact (value, 15);
  g_string_append (out, text);
}

gboolean
ssapp_step_set_error (GError **error, const char *file, const SsError *why)
{
  g_return_val_if_fail (why != NULL, FALSE);

  char line[1024];
  SsError named = *why;

  g_strlcpy (named.file, file, sizeof named.file);
  ss_error_format (&named, line, sizeof line);
  g_set_error (error, G_IO_ERROR, why->status == SS_ERR_MEMORY ? G_IO_ERROR_NO_SPACE : G_IO_ERROR_INVALID_DATA, "%s",
               line);
  return FALSE;
}
