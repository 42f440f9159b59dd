/* app/session/ssapp-lesson.c: see the header. */
#include "app/session/ssapp-lesson.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-text.h"
#include "app/job/ssapp-interests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In the place of a method: whichever the window simulates by. */
#define ANY_INTEGRATOR "any"
#define LESSONS        "/org/stickslip/Stickslip/lessons"

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* A text without which a lesson is none: the files are our own, and a test reads all of them. */
static const char *
text_of (const json_t *object, const char *key)
{
  const char *text = ssapp_json_get_string (object, key);

  return text != NULL ? text : "";
}

static void
read_lesson (const json_t *lesson, SsappTutorial *tutorial)
{
  const json_t *rows = json_object_get (lesson, "steps");
  SsappTutorialStep *steps = g_new0 (SsappTutorialStep, json_array_size (rows) + 1);

  *tutorial = (SsappTutorial){.name = text_of (lesson, "name"),
                              .title = text_of (lesson, "title"),
                              .summary = text_of (lesson, "summary"),
                              .idea = text_of (lesson, "idea"),
                              .example = ssapp_json_get_string (lesson, "example"),
                              .steps = steps,
                              .n_steps = (int)json_array_size (rows)};
  for (int k = 0; k < tutorial->n_steps; k++) {
    const json_t *row = json_array_get (rows, (size_t)k);
    steps[k] = (SsappTutorialStep){.title = text_of (row, "title"),
                                   .text = text_of (row, "text"),
                                   .action = ssapp_json_get_string (row, "action"),
                                   .done = json_object_get (row, "done"),
                                   .play = json_object_get (row, "play"),
                                   .says = json_object_get (row, "says")};
  }
}

void
ssapp_lessons_add (GArray *tutorials)
{
  g_return_if_fail (tutorials != NULL);
  static json_t *kept; /* their texts are borrowed for ever */
  g_auto (GStrv) names = g_resources_enumerate_children (LESSONS, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  if (names == NULL)
    return;
  qsort (names, g_strv_length (names), sizeof *names, ssapp_text_compare);
  if (kept == NULL)
    kept = json_array ();
  for (int i = 0; names[i] != NULL; i++) {
    g_autofree char *path = g_strconcat (LESSONS "/", names[i], NULL);
    g_autoptr (GBytes) bytes = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
    json_t *lesson =
        bytes != NULL ? json_loadb (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), 0, NULL) : NULL;
    SsappTutorial tutorial;
    if (lesson == NULL)
      continue;
    json_array_append_new (kept, lesson);
    read_lesson (lesson, &tutorial);
    g_array_append_val (tutorials, tutorial);
  }
}

/* ---- what was done ----------------------------------------------------------------------------------------------- */

/* A parameter, or the step of the scenario; NaN: there is none of that name. */
static double
number_of (const SsScenario *scenario, const char *name)
{
  if (strcmp (name, "dt") == 0)
    return scenario->task.dt;
  for (int i = 0; i < scenario->n_parameters; i++)
    if (strcmp (scenario->parameters[i].name, name) == 0)
      return scenario->parameters[i].value;
  return NAN;
}

static gboolean
are_within (const json_t *where, const SsScenario *scenario)
{
  const char *name;
  json_t *range;

  json_object_foreach ((json_t *)where, name, range)
  {
    const double value = scenario != NULL ? number_of (scenario, name) : NAN;
    if (!(value >= json_number_value (json_array_get (range, 0)) &&
          value <= json_number_value (json_array_get (range, 1))))
      return FALSE;
  }
  return TRUE;
}

/* NaN where the formula fits no such motion. */
static double
value_of (const char *formula, SsappRun *run)
{
  g_autofree char *text = g_strconcat ("of_lesson=", formula, NULL);
  const char *const texts[] = {text};
  g_autoptr (SsappInterests) interests = ssapp_interests_new (texts, 1, NULL);
  const SsTrajectory *motion = ssapp_run_has_motion (run) ? ssapp_run_get_motion (run) : NULL;
  const char *unit;
  double value = NAN;

  if (interests == NULL || motion == NULL || motion->n_rows == 0 ||
      !ssapp_interests_value (interests, 0, motion, ssapp_run_get_result (run), &value, &unit, NULL))
    return NAN;
  return value;
}

static gboolean
has_ended_well (SsappRun *run)
{
  const char *outcome = ssapp_run_get_outcome (run);

  return !ssapp_run_is_running (run) && (g_strcmp0 (outcome, "completed") == 0 || g_strcmp0 (outcome, "solved") == 0);
}

static gboolean
is_run_of (const json_t *done, SsappRun *run)
{
  const char *method = ssapp_json_get_string (done, "ran"), *formula = ssapp_json_get_string (done, "holds");

  return has_ended_well (run) &&
         (g_strcmp0 (method, ANY_INTEGRATOR) == 0 ? ssapp_run_get_kind (run) == SS_METHOD_INTEGRATOR
                                                  : g_strcmp0 (ssapp_run_get_method (run).name, method) == 0) &&
         are_within (json_object_get (done, "where"), ssapp_run_get_scenario (run)) &&
         (formula == NULL || value_of (formula, run) == 1.);
}

gboolean
ssapp_lesson_is_done (const json_t *done, SsappSession *session, const char *page)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (session), FALSE);
  const char *wanted = ssapp_json_get_string (done, "page");

  if (wanted != NULL && g_strcmp0 (page, wanted) != 0)
    return FALSE;
  if (json_object_get (done, "ran") == NULL)
    return are_within (json_object_get (done, "where"),
                       ssapp_document_get_scenario (ssapp_session_get_document (session)));
  GPtrArray *runs = ssapp_session_get_runs (session);
  for (guint i = 0; i < runs->len; i++)
    if (is_run_of (done, g_ptr_array_index (runs, i)))
      return TRUE;
  return FALSE;
}

/* ---- playing ----------------------------------------------------------------------------------------------------- */

gboolean
ssapp_lesson_play (const json_t *play, SsappSession *session, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (session), FALSE);
  const char *method = ssapp_json_get_string (play, "method"), *name;
  json_t *value;

  json_object_foreach (json_object_get (play, "set"), name, value)
  {
    g_autofree char *path =
        strcmp (name, "dt") == 0 ? g_strdup ("task.dt") : g_strdup_printf ("parameters.%s.value", name);
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_dtostr (text, sizeof text, json_number_value (value));
    if (!ssapp_document_set_field (ssapp_session_get_document (session), path, text, NULL, error))
      return FALSE;
  }
  if (method == NULL)
    return TRUE;
  if (!ssapp_session_set_methods (session, method, error) || !ssapp_session_start (session, error))
    return FALSE;
  while (ssapp_session_is_running (session))
    g_main_context_iteration (NULL, TRUE);
  return TRUE;
}

/* Half a unit of the last digit of "1.474", and what a formula's own rounding may add. */
static double
precision_of (const char *number)
{
  const char *point = strchr (number, '.');
  const int decimals = point != NULL ? (int)strlen (point + 1) : 0;

  return 0.5 * pow (10, -decimals) * (1 + 1e-9);
}

char *
ssapp_lesson_check (const SsappTutorialStep *step, SsappSession *session)
{
  g_return_val_if_fail (step != NULL && SSAPP_IS_SESSION (session), NULL);
  GPtrArray *runs = ssapp_session_get_runs (session);
  const char *number;
  json_t *formula;

  json_object_foreach ((json_t *)step->says, number, formula)
  {
    const double value =
        runs->len > 0 ? value_of (json_string_value (formula), g_ptr_array_index (runs, 0)) : (double)NAN;
    if (strstr (step->text, number) == NULL)
      return g_strdup_printf ("the text of “%s” has no %s", step->title, number);
    if (!(fabs (value - g_ascii_strtod (number, NULL)) <= precision_of (number)))
      return g_strdup_printf ("%s is %.6g, not %s", json_string_value (formula), value, number);
  }
  return NULL;
}
