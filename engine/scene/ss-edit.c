/* engine/scene/ss-edit.c: see the header. */
#include "scene/ss-edit.h"

#include "core/ss-core.h"
#include "scene/ss-number.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A step of a path: a member of an object, or an element of a list. */
typedef struct {
  char key[128];
  long element; /* -1: a member */
} Step;

static SsStatus
fail (const char *path, const char *why, SsError *err)
{
  return ss_error_set (err, SS_ERR_INVALID, "the field '%.120s' %s", path, why);
}

/* Reads the step that begins at **at, which moves behind it; false: there is none. */
static bool
take_step (const char **at, bool is_first, Step *step)
{
  const char *from = *at;
  char *end;

  step->element = -1;
  if (*from == '[') {
    step->element = strtol (from + 1, &end, 10);
    *at = end + 1;
    return end > from + 1 && *end == ']' && step->element >= 0;
  }
  from += !is_first && *from == '.';
  const size_t length = strcspn (from, ".[");
  if ((!is_first && from == *at) || length == 0 || length >= sizeof step->key)
    return false;
  memcpy (step->key, from, length);
  step->key[length] = '\0';
  *at = from + length;
  return true;
}

/* The value at a step below `holder`, borrowed; NULL: there is none. */
static json_t *
get (json_t *holder, const Step *step)
{
  return step->element >= 0 ? json_array_get (holder, (size_t)step->element) : json_object_get (holder, step->key);
}

static SsStatus
put (json_t *holder, const Step *step, const SsEdit *edit, SsError *err)
{
  if (edit->value == NULL) {
    if (step->element >= 0)
      return fail (edit->path, "is an element of a list and stays", err);
    json_object_del (holder, step->key);
    return SS_OK;
  }
  json_t *value = json_loads (edit->value, JSON_DECODE_ANY, NULL);
  if (value == NULL)
    return fail (edit->path, "needs a number, a formula in quotes or another value in JSON", err);
  if (step->element >= 0 && json_array_set (holder, (size_t)step->element, value) != 0) {
    json_decref (value);
    return fail (edit->path, "is not in the file", err);
  }
  if (step->element < 0 && json_object_set (holder, step->key, value) != 0) {
    json_decref (value);
    return fail (edit->path, "has no place in the file", err);
  }
  json_decref (value);
  return SS_OK;
}

static SsStatus
edit_one (json_t *root, const SsEdit *edit, SsError *err)
{
  const char *at = edit->path;
  json_t *holder = root;
  Step step;

  if (!take_step (&at, true, &step))
    return fail (edit->path, "is no path (expected one as 'task.horizon' or 'scene.bodies[0].mass')", err);
  while (*at != '\0') {
    json_t *next = get (holder, &step);

    if (next == NULL && step.element < 0 && *at == '.' && edit->value != NULL) {
      next = json_object ();
      json_object_set_new (holder, step.key, next);
      next = json_object_get (holder, step.key);
    }
    if (next == NULL)
      return fail (edit->path, "is not in the file", err);
    holder = next;
    if (!take_step (&at, false, &step))
      return fail (edit->path, "is no path (expected one as 'task.horizon' or 'scene.bodies[0].mass')", err);
  }
  return put (holder, &step, edit, err);
}

SsStatus
ss_edit_tree (json_t *root, const SsEdit *edits, int n_edits, SsError *err)
{
  SS_ASSERT (root != NULL && (n_edits == 0 || edits != NULL));

  for (int i = 0; i < n_edits; i++) {
    const SsStatus status = edit_one (root, &edits[i], err);
    if (status != SS_OK)
      return status;
  }
  return SS_OK;
}

SsStatus
ss_scenario_with_edits (const SsScenario *scenario, const SsEdit *edits, int n_edits, char **text, SsError *err)
{
  SS_ASSERT (scenario != NULL && text != NULL);
  char *before = NULL;

  *text = NULL;
  SsStatus status = ss_scenario_with_numbers (scenario, NULL, 0, &before, err);
  if (status != SS_OK)
    return status;
  json_t *root = json_loads (before, 0, NULL);
  ss_free (before);
  if (root == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  status = ss_edit_tree (root, edits, n_edits, err);
  char *dumped = status == SS_OK ? json_dumps (root, JSON_INDENT (2) | JSON_REAL_PRECISION (17)) : NULL;
  if (status == SS_OK && (dumped == NULL || (*text = ss_strdup (dumped)) == NULL))
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  free (dumped); /* Jansson's */
  json_decref (root);
  return status;
}
