/* app/base/ssapp-memory.c: see the header. */
#include "app/base/ssapp-memory.h"

#include "core/ss-core.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SHARE         0.75 /* the rest is for the system, the window and the files in its cache */
#define LEAST_DEFAULT 1e9  /* bytes */

/* First number of a file, INFINITY where there is none ("max"). */
static double
number_in (const char *path)
{
  FILE *file = fopen (path, "r");
  double value;

  if (file == NULL)
    return INFINITY;
  if (fscanf (file, "%lf", &value) != 1)
    value = INFINITY;
  fclose (file);
  return value;
}

double
ssapp_memory_default (guint n_at_once)
{
  const double machine = (double)sysconf (_SC_PHYS_PAGES) * (double)sysconf (_SC_PAGESIZE);
  const double container =
      fmin (number_in ("/sys/fs/cgroup/memory.max"), number_in ("/sys/fs/cgroup/memory/memory.limit_in_bytes"));

  return fmax (floor (SHARE * fmin (machine, container) / MAX (n_at_once, 1)), LEAST_DEFAULT);
}

gboolean
ssapp_memory_parse (const char *text, double *bytes)
{
  g_return_val_if_fail (text != NULL && bytes != NULL, FALSE);

  static const char units[] = "KMG";
  const gsize length = strlen (text);
  const char *unit = length > 1 ? strchr (units, g_ascii_toupper (text[length - 1])) : NULL;
  g_autofree char *digits = g_strndup (text, unit != NULL ? length - 1 : length);
  double value;

  if (!ss_parse_double (digits, &value))
    return FALSE;
  if (unit != NULL)
    value *= pow (1000, (double)(unit - units + 1));
  if (!isfinite (value) || value < 0)
    return FALSE;
  *bytes = floor (value);
  return TRUE;
}

char *
ssapp_memory_format (double bytes)
{
  return bytes < 1e9 ? g_strdup_printf ("%.4g MB", bytes / 1e6) : g_strdup_printf ("%.4g GB", bytes / 1e9);
}

double
ssapp_memory_in_use (void)
{
  const double pages = number_in ("/proc/self/statm");

  return isfinite (pages) ? pages * (double)sysconf (_SC_PAGESIZE) : 0;
}
