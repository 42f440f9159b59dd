/* app/base/ssapp-ending.c: see ssapp-ending.h. */
#include "app/base/ssapp-ending.h"

#include <string.h>

const char *
ssapp_ending_of (const char *path)
{
  const char *slash = strrchr (path, '/'), *last = slash != NULL ? slash + 1 : path, *dot = strrchr (last, '.');

  if (slash != NULL && *last == '\0')
    return "/";
  return dot != NULL && dot > last && dot[1] != '\0' ? dot : "";
}

gboolean
ssapp_ending_is (const char *path, const char *ending)
{
  return g_ascii_strcasecmp (ssapp_ending_of (path), ending) == 0;
}
