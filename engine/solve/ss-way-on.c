/* engine/solve/ss-way-on.c: see the header. */
#include "solve/ss-way-on.h"

#include "core/ss-core.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

SsStatus
ss_way_on_add (SsWayOn *way, const char *value, SsError *err, const char *path, ...)
{
  SS_ASSERT (way != NULL);

  char text[240];
  va_list arguments;

  va_start (arguments, path);
  vsnprintf (text, sizeof text, path, arguments);
  va_end (arguments);
  SsEdit *edits = ss_realloc (way->edits, (size_t)way->n_edits + 1, sizeof *edits);
  if (edits == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  way->edits = edits;
  edits[way->n_edits] = (SsEdit){ss_strdup (text), ss_strdup (value)};
  const SsEdit *edit = &edits[way->n_edits++];
  if (edit->path == NULL || (value != NULL && edit->value == NULL))
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  return SS_OK;
}

void
ss_way_on_clear (SsWayOn *way)
{
  SS_ASSERT (way != NULL);
  for (int i = 0; i < way->n_edits; i++) {
    ss_free ((char *)way->edits[i].path);
    ss_free ((char *)way->edits[i].value);
  }
  ss_free (way->edits);
  *way = (SsWayOn){0};
}

const char *
ss_way_on_describe (const SsWayOn *way, char *buffer, size_t size)
{
  SS_ASSERT (way != NULL);
  if (way->outcome != SS_OUTCOME_SOLVED)
    snprintf (buffer, size, "Not solved with %s", way->words);
  else if (isfinite (way->objective))
    snprintf (buffer, size, "Solvable with %s (tried: solved, cost %.3g)", way->words, way->objective);
  else
    snprintf (buffer, size, "Solvable with %s (tried: solved)", way->words);
  return buffer;
}
