/* app/study/ssapp-study-plan.c: the list of a study's tasks; see ssapp-study.h. */
#include "app/study/ssapp-study-private.h"

#include "core/ss-core.h"
#include "scene/ss-number.h"
#include "scene/ss-sha256.h"

#include <math.h>
#include <nettle/base16.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

struct SsappStudyPlan {
  SsappStudy *study;
  SsScenario *scenario;
  GPtrArray *words;   /* what a key calls each axis; static */
  GPtrArray *columns; /* of char **: the values of each axis, those that are drawn too; owned */
  char sha256[65];    /* of the scenario's text */
  guint count;
};

/* Starts were "initial" when others of a scene's numbers could not vary; those of bodies whose mass lies beside their
 * frame's origin were of the frame then: other runs. */
static const char *
key_word (const SsScenario *scenario, const SsappStudyAxis *axis)
{
  static const char *const words[] = {"parameter", "number", "step", "horizon", "seed", "guess", "option"};
  SsNumber number;

  if (axis->kind == SSAPP_AXIS_NUMBER && ss_scenario_number (scenario, axis->name, &number, NULL) == SS_OK &&
      number.body >= 0) {
    const SsBody *body = &scenario->scene->bodies[number.body];
    if (number.coordinate >= 3 || (body->origin.x == 0 && body->origin.y == 0))
      return "initial";
  }
  return words[axis->kind];
}

SsappStudyPlan *
ssapp_study_plan_new (const SsappStudy *study, GError **error)
{
  g_return_val_if_fail (study != NULL, NULL);
  SsScenario *scenario = ssapp_study_check_kept (study, error) ? ssapp_study_read_scenario (study, error) : NULL;

  if (scenario == NULL)
    return NULL;
  SsappStudyPlan *self = g_new0 (SsappStudyPlan, 1);
  self->study = ssapp_study_copy (study);
  self->scenario = scenario;
  self->words = g_ptr_array_new ();
  self->columns = g_ptr_array_new_with_free_func ((GDestroyNotify)g_strfreev);
  for (guint i = 0; i < study->axes->len; i++) {
    const SsappStudyAxis *axis = g_ptr_array_index (study->axes, i);
    g_ptr_array_add (self->words, (gpointer)key_word (scenario, axis));
    g_ptr_array_add (self->columns,
                     axis->form == SSAPP_AXIS_RANGE ? ssapp_study_draw_values (study, axis) : g_strdupv (axis->values));
  }
  ss_sha256_hex (study->scenario_text, strlen (study->scenario_text), self->sha256);
  self->count = ssapp_study_count (study);
  return self;
}

void
ssapp_study_plan_free (SsappStudyPlan *self)
{
  if (self == NULL)
    return;
  ssapp_study_free (self->study);
  ss_scenario_free (self->scenario);
  g_ptr_array_unref (self->words);
  g_ptr_array_unref (self->columns);
  g_free (self);
}

const SsappStudy *
ssapp_study_plan_get_study (const SsappStudyPlan *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->study;
}

guint
ssapp_study_plan_get_count (const SsappStudyPlan *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->count;
}

/* Which value each axis has: methods change fastest, then the last axis, ranges together in the place of the first. */
static void
set_values (const SsappStudyPlan *self, guint index, SsappStudyTask *task)
{
  const guint n = self->study->axes->len;
  guint left = index / self->study->methods->len, sample = 0;
  int first_range = -1;

  task->method = index % self->study->methods->len;
  task->values = g_new0 (char *, n + 1);
  for (guint i = 0; i < n && first_range < 0; i++)
    if (((SsappStudyAxis *)g_ptr_array_index (self->study->axes, i))->form == SSAPP_AXIS_RANGE)
      first_range = (int)i;
  for (guint i = n; i-- > 0;) {
    const SsappStudyAxis *axis = g_ptr_array_index (self->study->axes, i);
    char **column = g_ptr_array_index (self->columns, i);
    if (axis->form == SSAPP_AXIS_RANGE && (int)i != first_range)
      continue;
    const guint count = g_strv_length (column);
    const guint place = left % count;
    left /= count;
    if (axis->form == SSAPP_AXIS_RANGE)
      sample = place;
    task->values[i] = g_strdup (column[place]);
  }
  for (guint i = 0; i < n; i++)
    if (task->values[i] == NULL)
      task->values[i] = g_strdup (((char **)g_ptr_array_index (self->columns, i))[sample]);
}

/* The method's own options, then those of axes, which replace them. */
static void
set_options (const SsappStudyPlan *self, SsappStudyTask *task)
{
  const SsappStudyMethod *own = g_ptr_array_index (self->study->methods, task->method);
  const SsMethod *method = ss_method_lookup (own->id);
  g_autoptr (GPtrArray) names = g_ptr_array_new (), values = g_ptr_array_new ();

  for (guint i = 0; own->names[i] != NULL; i++) {
    g_ptr_array_add (names, g_strdup (own->names[i]));
    g_ptr_array_add (values, g_strdup (own->values[i]));
  }
  for (guint a = 0; a < self->study->axes->len; a++) {
    const SsappStudyAxis *axis = g_ptr_array_index (self->study->axes, a);
    const gboolean is_option = axis->kind == SSAPP_AXIS_OPTION && method != NULL;
    const char *name = is_option ? ssapp_study_own_option (method, axis->name) : NULL;
    guint i = 0;
    if (name == NULL)
      continue;
    while (i < names->len && strcmp (g_ptr_array_index (names, i), name) != 0)
      i++;
    if (i < names->len) {
      g_free (g_ptr_array_index (values, i));
      g_ptr_array_index (values, i) = g_strdup (task->values[a]);
    } else {
      g_ptr_array_add (names, g_strdup (name));
      g_ptr_array_add (values, g_strdup (task->values[a]));
    }
  }
  g_ptr_array_add (names, NULL);
  g_ptr_array_add (values, NULL);
  task->option_names = (char **)g_ptr_array_free (g_steal_pointer (&names), FALSE);
  task->option_values = (char **)g_ptr_array_free (g_steal_pointer (&values), FALSE);
}

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *)a, *(char *const *)b);
}

/* As ss_sha256_hex, by the processor's instructions: of every task of a study. */
static char *
hash_text (const char *text)
{
  char *hex = g_malloc0 (BASE16_ENCODE_LENGTH (SHA256_DIGEST_SIZE) + 1);
  guint8 digest[SHA256_DIGEST_SIZE];
  struct sha256_ctx sum;

  sha256_init (&sum);
  sha256_update (&sum, strlen (text), (const guint8 *)text);
  sha256_digest (&sum, sizeof digest, digest);
  base16_encode_update (hex, sizeof digest, digest);
  return hex;
}

/* What makes the run, a sorted line each, so that the order of axes and options means nothing. */
static char *
make_key (const SsappStudyPlan *self, const SsappStudyTask *task)
{
  const SsappStudyMethod *own = g_ptr_array_index (self->study->methods, task->method);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  char text[32];
  guint n_numbers;
  const SsappStudyNumber *numbers = ssapp_study_numbers (&n_numbers);

  g_ptr_array_add (lines, g_strdup_printf ("scenario %s", self->sha256));
  g_ptr_array_add (lines, g_strdup_printf ("method %s %s", ss_method_kind_spec (own->id.kind)->name, own->id.name));
  for (guint i = 0; task->option_names[i] != NULL; i++)
    g_ptr_array_add (lines, g_strdup_printf ("option %s=%s", task->option_names[i], task->option_values[i]));
  for (guint a = 0; a < self->study->axes->len; a++) {
    const SsappStudyAxis *axis = g_ptr_array_index (self->study->axes, a);
    if (axis->kind != SSAPP_AXIS_OPTION)
      g_ptr_array_add (lines, g_strdup_printf ("%s %s=%s", (const char *)g_ptr_array_index (self->words, a), axis->name,
                                               task->values[a]));
  }
  for (guint i = 0; i < n_numbers; i++)
    if (!numbers[i].is_limit && isfinite (ssapp_study_get_number (self->study, &numbers[i]))) {
      ss_format_double (ssapp_study_get_number (self->study, &numbers[i]), text, sizeof text);
      g_ptr_array_add (lines, g_strdup_printf ("%s %s", numbers[i].member, text));
    }
  g_ptr_array_sort (lines, compare_lines);
  g_ptr_array_add (lines, NULL);
  g_autofree char *all = g_strjoinv ("\n", (char **)lines->pdata);
  return hash_text (all);
}

/* The scenario's own text where nothing in it changes. */
static char *
make_scenario (const SsappStudyPlan *self, const SsappStudyTask *task)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, TRUE, sizeof (SsOverride));
  gboolean has_zeros = FALSE;
  char *changed = NULL;

  for (guint a = 0; a < self->study->axes->len; a++) {
    const SsappStudyAxis *axis = g_ptr_array_index (self->study->axes, a);
    double number = NAN;
    if (axis->kind == SSAPP_AXIS_NUMBER && ss_parse_double (task->values[a], &number))
      g_array_append_vals (numbers, &(SsOverride){axis->name, number}, 1);
    has_zeros = has_zeros || (axis->kind == SSAPP_AXIS_GUESS && strcmp (task->values[a], SSAPP_STUDY_GUESS_ZEROS) == 0);
  }
  if (numbers->len == 0 && !has_zeros)
    return g_strdup (self->study->scenario_text);
  /* It cannot fail: ssapp_study_check_kept did the same. */
  if (ss_scenario_with_numbers (self->scenario, (const SsOverride *)(const void *)numbers->data, (int)numbers->len,
                                &changed, NULL) != SS_OK)
    g_error ("a study's numbers cannot be set");
  if (!has_zeros) {
    char *text = g_strdup (changed);
    ss_free (changed);
    return text;
  }
  json_t *json = json_loads (changed, 0, NULL);
  ss_free (changed);
  json_object_set_new (json_object_get (json, "task"), "guess", json_string ("zeros"));
  char *dumped = json_dumps (json, JSON_INDENT (2) | JSON_REAL_PRECISION (17));
  char *text = g_strdup (dumped);
  free (dumped);
  json_decref (json);
  return text;
}

SsappStudyTask *
ssapp_study_plan_get_task (const SsappStudyPlan *self, guint index, gboolean with_scenario)
{
  g_return_val_if_fail (index < self->count, NULL);
  SsappStudyTask *task = g_new0 (SsappStudyTask, 1);

  task->index = index;
  set_values (self, index, task);
  set_options (self, task);
  task->key = make_key (self, task);
  if (with_scenario)
    task->scenario = make_scenario (self, task);
  return task;
}

SsappStudyTask *
ssapp_study_get_task (const SsappStudy *self, guint index, GError **error)
{
  g_autoptr (SsappStudyPlan) plan = ssapp_study_plan_new (self, error);

  if (plan == NULL)
    return NULL;
  if (index >= plan->count) {
    ssapp_study_fail (error, "the study has %u tasks, numbered from 0; there is no task %u", plan->count, index);
    return NULL;
  }
  return ssapp_study_plan_get_task (plan, index, TRUE);
}

void
ssapp_study_task_free (SsappStudyTask *task)
{
  if (task == NULL)
    return;
  g_strfreev (task->values);
  g_strfreev (task->option_names);
  g_strfreev (task->option_values);
  g_free (task->scenario);
  g_free (task->key);
  g_free (task);
}

char *
ssapp_study_describe_task (const SsappStudy *self, const SsappStudyTask *task)
{
  g_return_val_if_fail (self != NULL, NULL);
  const SsappStudyMethod *method = g_ptr_array_index (self->methods, task->method);
  GString *text = g_string_new (method->label);

  for (guint a = 0; a < self->axes->len; a++)
    g_string_append_printf (text, ", %s %s", ((SsappStudyAxis *)g_ptr_array_index (self->axes, a))->name,
                            task->values[a]);
  return g_string_free (text, FALSE);
}
