/* app/export/ssapp-export-fail.c: why a file could not be drawn. */
#include "app/export/ssapp-export-private.h"

gboolean
ssapp_export_fail (const char *path, GIOErrorEnum code, const char *what, GError **error)
{
  g_autofree char *name = g_filename_display_name (path);

  g_set_error (error, G_IO_ERROR, (int)code, "Could not draw “%s”: %s", name, what);
  return FALSE;
}
