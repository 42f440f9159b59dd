/* app/study/ssapp-study-form.c: see the header. */
#include "app/study/ssapp-study-form.h"

#include "app/base/ssapp-json.h"
#include "run/ss-run.h"

#include <string.h>

/* What a member has to be. */
typedef enum { FORM_TEXT, FORM_INTEGER, FORM_NUMBER, FORM_OBJECT, FORM_ARRAY, FORM_MAYBE_OBJECT, FORM_TIME } Form;

static const struct {
  const char *type, *name;
  Form form;
} members[] = {
    {"task", "format", FORM_INTEGER},
    {"task", "task", FORM_INTEGER},
    {"task", "key", FORM_TEXT},
    {"task", "values", FORM_TEXT},
    {"task", "run", FORM_TEXT},
    {"task", "scenario_name", FORM_TEXT},
    {"task", "kind", FORM_TEXT},
    {"task", "scenario_text", FORM_TEXT},
    {"task", "method", FORM_TEXT},
    {"task", "options", FORM_TEXT},
    {"task", "parameters", FORM_TEXT},
    {"task", "seed", FORM_INTEGER},
    {"task", "started", FORM_TIME},
    {"task", "machine", FORM_OBJECT},
    {"iteration", "event", FORM_OBJECT},
    {"log", "t", FORM_NUMBER},
    {"log", "level", FORM_INTEGER},
    {"log", "text", FORM_TEXT},
    {"trajectory", "role", FORM_TEXT},
    {"trajectory", "shape", FORM_ARRAY},
    {"trajectory", "data", FORM_TEXT},
    {"result", "ended", FORM_TIME},
    {"result", "outcome", FORM_TEXT},
    {"result", "message", FORM_TEXT},
    {"result", "result", FORM_MAYBE_OBJECT},
};

static const struct {
  const char *name;
  Form form;
} machine_members[] = {{"version", FORM_TEXT},     {"git_commit", FORM_TEXT}, {"compiler", FORM_TEXT},
                       {"build_flags", FORM_TEXT}, {"host", FORM_TEXT},       {"cpu", FORM_TEXT},
                       {"os", FORM_TEXT},          {"libraries", FORM_TEXT},  {"cpu_count", FORM_INTEGER},
                       {"pid", FORM_INTEGER},      {"start", FORM_INTEGER}};

static gboolean
has_form (const json_t *value, Form form)
{
  g_autoptr (GDateTime) time = NULL;

  switch (form) {
  case FORM_TEXT:
    return json_is_string (value);
  case FORM_INTEGER:
    return json_is_integer (value);
  case FORM_NUMBER:
    return json_is_number (value);
  case FORM_OBJECT:
    return json_is_object (value);
  case FORM_ARRAY:
    return json_is_array (value);
  case FORM_MAYBE_OBJECT:
    return json_is_object (value) || json_is_null (value);
  case FORM_TIME:
    time = json_is_string (value) ? g_date_time_new_from_iso8601 (json_string_value (value), NULL) : NULL;
    return time != NULL;
  }
  return FALSE;
}

static char *
line_fault (const json_t *line)
{
  const char *type = ssapp_json_get_string (line, "type");

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    if (strcmp (members[i].type, type) == 0 && !has_form (json_object_get (line, members[i].name), members[i].form))
      return g_strdup_printf ("its %s of a line '%s' is not what was expected", members[i].name, type);
  return NULL;
}

static char *
machine_fault (const json_t *machine)
{
  for (guint i = 0; i < G_N_ELEMENTS (machine_members); i++)
    if (!has_form (json_object_get (machine, machine_members[i].name), machine_members[i].form))
      return g_strdup_printf ("its machine's %s is not what was expected", machine_members[i].name);
  return NULL;
}

/* One answer at most, and roles that are known. */
static char *
motions_fault (const GPtrArray *events)
{
  guint n_answers = 0;

  for (guint i = 0; i < events->len; i++) {
    const json_t *line = g_ptr_array_index (events, i);
    if (strcmp (ssapp_json_get_string (line, "type"), "trajectory") != 0)
      continue;
    const SsMotionRole role = ss_motion_role_find (ssapp_json_get_string (line, "role"));
    n_answers += role == SS_MOTION_ANSWER;
    if (role == SS_MOTION_ROLE_COUNT)
      return g_strdup ("a motion of it is of an unknown role");
  }
  return n_answers > 1 ? g_strdup ("it has two answers") : NULL;
}

static gboolean
is_same_text (const json_t *a, const json_t *b)
{
  return json_is_string (a) && json_is_string (b) && strcmp (json_string_value (a), json_string_value (b)) == 0;
}

/* What first and last line say of the run, and what the result in the latter does. */
static char *
result_fault (const json_t *head, const json_t *line)
{
  const json_t *result = json_object_get (line, "result"), *warnings = json_object_get (result, "warnings"), *item;
  size_t i;

  if (!json_is_object (result))
    return NULL;
  if (!is_same_text (json_object_get (line, "outcome"), json_object_get (result, "outcome")))
    return g_strdup ("it has two outcomes");
  if (!is_same_text (json_object_get (line, "message"), json_object_get (result, "message")))
    return g_strdup ("it has two messages");
  if (!is_same_text (json_object_get (head, "run"), json_object_get (result, "run")))
    return g_strdup ("its result is of another run");
  if (!is_same_text (json_object_get (head, "method"), json_object_get (json_object_get (result, "method"), "name")))
    return g_strdup ("its result is by another method");
  if (!json_is_array (warnings))
    return g_strdup ("its warnings are no list");
  json_array_foreach (warnings, i, item) if (!json_is_string (item)) return g_strdup ("one of its warnings is no text");
  return NULL;
}

char *
ssapp_study_form_fault (const json_t *head, const GPtrArray *events, const json_t *result)
{
  char *fault = line_fault (head);

  if (fault == NULL && !g_uuid_string_is_valid (ssapp_json_get_string (head, "run")))
    fault = g_strdup ("its run has no id of ours");
  if (fault == NULL)
    fault = machine_fault (json_object_get (head, "machine"));
  for (guint i = 0; fault == NULL && i < events->len; i++)
    fault = line_fault (g_ptr_array_index (events, i));
  if (fault == NULL)
    fault = motions_fault (events);
  if (fault == NULL)
    fault = line_fault (result);
  return fault != NULL ? fault : result_fault (head, result);
}
