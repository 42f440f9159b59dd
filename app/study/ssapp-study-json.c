/* app/study/ssapp-study-json.c: a study as JSON and as a command; see ssapp-study.h and examples/README.md. */
#include "app/study/ssapp-study-private.h"

#include "app/base/ssapp-file.h"
#include "app/base/ssapp-json.h"
#include "app/job/ssapp-interests.h"

#include <math.h>
#include <string.h>

enum { FORMAT = 1 };

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static json_t *
axis_to_json (const SsappStudyAxis *axis)
{
  return json_pack ("{s:s, s:s}", "name", axis->name, "values", axis->text);
}

static json_t *
method_to_json (const SsappStudyMethod *method)
{
  json_t *options = json_object ();

  for (guint i = 0; method->names[i] != NULL; i++)
    json_object_set_new (options, method->names[i], json_string (method->values[i]));
  return json_pack ("{s:s, s:s, s:s, s:o}", "kind", ss_method_kind_spec (method->id.kind)->name, "name",
                    method->id.name, "label", method->label, "options", options);
}

json_t *
ssapp_study_to_json (const SsappStudy *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  json_t *axes = json_array (), *methods = json_array (), *limits = json_object (), *own = json_object ();
  guint n_numbers;
  const SsappStudyNumber *numbers = ssapp_study_numbers (&n_numbers);

  for (guint i = 0; i < self->axes->len; i++)
    json_array_append_new (axes, axis_to_json (g_ptr_array_index (self->axes, i)));
  for (guint i = 0; i < self->methods->len; i++)
    json_array_append_new (methods, method_to_json (g_ptr_array_index (self->methods, i)));
  for (guint i = 0; i < n_numbers; i++)
    if (isfinite (ssapp_study_get_number (self, &numbers[i])))
      json_object_set_new (numbers[i].is_limit ? limits : own, numbers[i].member,
                           json_real (ssapp_study_get_number (self, &numbers[i])));
  json_t *json = json_pack ("{s:i, s:s, s:{s:s, s:s}, s:o, s:o, s:{s:s, s:I, s:I}, s:o, s:I}", "format", FORMAT,
                            "title", self->title, "scenario", "name", self->scenario_name, "text", self->scenario_text,
                            "vary", axes, "methods", methods, "draw", "kind",
                            self->draw == SSAPP_DRAW_LATIN ? "latin" : "random", "samples", (json_int_t)self->n_drawn,
                            "seed", (json_int_t)self->seed, "limits", limits, "workers", (json_int_t)self->workers);
  json_object_update (json, own);
  json_decref (own);
  if (self->keep != SSAPP_KEEP_ALL)
    json_object_set_new (json, "keep", json_string (ssapp_keep_name (self->keep)));
  if (self->outcomes->len > 0)
    json_object_set_new (json, "outcomes", ssapp_interests_texts_to_json (self->outcomes));
  return json;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* The members that an object may have; FALSE: another one, or it is no object. */
static gboolean
check_members (const json_t *object, const char *path, const char *const *names, int n_names, GError **error)
{
  const char *name;
  json_t *value;

  if (!json_is_object (object))
    return ssapp_study_fail (error, "%s must be an object", path);
  json_object_foreach ((json_t *)object, name, value)
  {
    gboolean is_known = FALSE;
    for (int i = 0; i < n_names; i++)
      is_known = is_known || strcmp (names[i], name) == 0;
    if (is_known)
      continue;
    const char *near = ss_nearest_name (name, names, n_names);
    return ssapp_study_fail (error, "%s has no member '%s'%s%s%s", path, name, near != NULL ? "; did you mean '" : "",
                             near != NULL ? near : "", near != NULL ? "'?" : "");
  }
  return TRUE;
}

/* A text, a number, or a list of them as one text; NULL: it is none. */
static char *
values_from_json (const json_t *values)
{
  char number[32];

  if (json_is_string (values))
    return g_strdup (json_string_value (values));
  if (json_is_integer (values))
    return g_strdup_printf ("%" JSON_INTEGER_FORMAT, json_integer_value (values));
  if (json_is_number (values)) {
    ss_format_double (json_number_value (values), number, sizeof number);
    return g_strdup (number);
  }
  if (json_is_boolean (values))
    return g_strdup (json_is_true (values) ? "true" : "false");
  if (!json_is_array (values) || json_array_size (values) == 0)
    return NULL;
  GString *text = g_string_new (NULL);
  for (size_t i = 0; i < json_array_size (values); i++) {
    const json_t *item = json_array_get (values, i);
    g_autofree char *one = json_is_array (item) ? NULL : values_from_json (item);
    if (one == NULL) {
      g_string_free (text, TRUE);
      return NULL;
    }
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", one);
  }
  return g_string_free (text, FALSE);
}

static gboolean
read_axes (SsappStudy *self, const json_t *list, GError **error)
{
  static const char *const members[] = {"name", "values"};

  if (list != NULL && !json_is_array (list))
    return ssapp_study_fail (error, "vary must be a list");
  for (size_t i = 0; i < json_array_size (list); i++) {
    const json_t *item = json_array_get (list, i);
    g_autofree char *path = g_strdup_printf ("vary[%d]", (int)i);
    if (!check_members (item, path, members, G_N_ELEMENTS (members), error))
      return FALSE;
    const char *name = ssapp_json_get_string (item, "name");
    g_autofree char *values = values_from_json (json_object_get (item, "values"));
    if (name == NULL)
      return ssapp_study_fail (error, "%s.name must be a text", path);
    if (values == NULL)
      return ssapp_study_fail (error, "%s.values must be a text such as \"0:1:5\", a number or a list of them", path);
    if (!ssapp_study_set_axis (self, name, values, error)) {
      g_prefix_error (error, "%s: ", path);
      return FALSE;
    }
  }
  return TRUE;
}

/* A text as of --methods, or an object. */
static gboolean
read_method (SsappStudy *self, const json_t *item, const char *path, GError **error)
{
  static const char *const members[] = {"kind", "name", "label", "options"};
  const char *option;
  json_t *value;

  if (json_is_string (item))
    return ssapp_study_add_method (self, json_string_value (item), error);
  if (!check_members (item, path, members, G_N_ELEMENTS (members), error))
    return FALSE;
  const char *kind = ssapp_json_get_string (item, "kind"), *name = ssapp_json_get_string (item, "name");
  const char *label = ssapp_json_get_string (item, "label");
  const json_t *options = json_object_get (item, "options");
  if (name == NULL)
    return ssapp_study_fail (error, "a method needs a name");
  if (options != NULL && !json_is_object (options))
    return ssapp_study_fail (error, "options must be an object");
  const SsMethodKind which = kind != NULL ? ss_method_kind_find (kind) : SS_METHOD_KIND_COUNT;
  if (kind != NULL && which != SS_METHOD_INTEGRATOR && which != SS_METHOD_OPTIMISER)
    return ssapp_study_fail (error, "kind must be \"integrator\" or \"optimiser\"");
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func (g_free);
  json_object_foreach ((json_t *)options, option, value)
  {
    char *text = json_is_array (value) ? NULL : values_from_json (value);
    if (text == NULL)
      return ssapp_study_fail (error, "options.%s must be a text, a number or a truth value", option);
    g_ptr_array_add (names, g_strdup (option));
    g_ptr_array_add (values, text);
  }
  return ssapp_study_add_method_with (self, which, name, names, values, label, error);
}

static gboolean
read_methods (SsappStudy *self, const json_t *list, GError **error)
{
  if (list != NULL && !json_is_array (list))
    return ssapp_study_fail (error, "methods must be a list");
  for (size_t i = 0; i < json_array_size (list); i++) {
    g_autofree char *path = g_strdup_printf ("methods[%d]", (int)i);
    if (!read_method (self, json_array_get (list, i), path, error)) {
      g_prefix_error (error, "%s: ", path);
      return FALSE;
    }
  }
  return TRUE;
}

/* An optional whole number. */
static gboolean
read_count (const json_t *object, const char *path, const char *name, gint64 most, gint64 *value, GError **error)
{
  const json_t *member = json_object_get (object, name);

  if (member == NULL || json_is_null (member))
    return TRUE;
  if (!json_is_integer (member) || json_integer_value (member) < 0 || json_integer_value (member) > most)
    return ssapp_study_fail (error, "%s%s must be a whole number, 0 to %" G_GINT64_FORMAT, path, name, most);
  *value = json_integer_value (member);
  return TRUE;
}

static gboolean
read_number (SsappStudy *self, const json_t *json, const SsappStudyNumber *number, GError **error)
{
  const json_t *member = json_object_get (number->is_limit ? json_object_get (json, "limits") : json, number->member);

  if (member == NULL || json_is_null (member))
    return TRUE;
  if (!json_is_number (member) || json_number_value (member) <= 0)
    return ssapp_study_fail (error, "%s%s must be a number above 0", number->is_limit ? "limits." : "", number->member);
  *ssapp_study_number (self, number) = json_number_value (member);
  return TRUE;
}

static gboolean
read_numbers (SsappStudy *self, const json_t *json, GError **error)
{
  static const char *const draw_members[] = {"kind", "samples", "seed"};
  guint n_numbers, n_limits = 0;
  const SsappStudyNumber *numbers = ssapp_study_numbers (&n_numbers);
  g_autofree const char **limit_members = g_new (const char *, n_numbers);
  const json_t *draw = json_object_get (json, "draw"), *limits = json_object_get (json, "limits");
  const char *kind = ssapp_json_get_string (draw, "kind");
  gint64 samples = 0, seed = (gint64)self->seed, workers = 0;

  for (guint i = 0; i < n_numbers; i++)
    if (numbers[i].is_limit)
      limit_members[n_limits++] = numbers[i].member;
  if ((draw != NULL && !check_members (draw, "draw", draw_members, G_N_ELEMENTS (draw_members), error)) ||
      (limits != NULL && !check_members (limits, "limits", limit_members, (int)n_limits, error)))
    return FALSE;
  if (draw != NULL && g_strcmp0 (kind, "random") != 0 && g_strcmp0 (kind, "latin") != 0)
    return ssapp_study_fail (error, "draw.kind must be \"random\" or \"latin\"");
  if (!read_count (draw, "draw.", "samples", SSAPP_STUDY_MAX_RUNS, &samples, error) ||
      !read_count (draw, "draw.", "seed", G_MAXINT64, &seed, error) ||
      !read_count (json, "", "workers", 4096, &workers, error))
    return FALSE;
  for (guint i = 0; i < n_numbers; i++)
    if (!read_number (self, json, &numbers[i], error))
      return FALSE;
  self->draw = g_strcmp0 (kind, "latin") == 0 ? SSAPP_DRAW_LATIN : SSAPP_DRAW_RANDOM;
  self->n_drawn = (guint)samples;
  self->seed = (guint64)seed;
  self->workers = (guint)workers;
  return TRUE;
}

SsappStudy *
ssapp_study_from_json (const json_t *json, GError **error)
{
  static const char *const members[] = {"format", "title", "scenario", "vary",     "methods", "draw",
                                        "limits", "bound", "workers",  "outcomes", "keep"};
  const json_t *scenario = json_object_get (json, "scenario");

  if (!check_members (json, "a study", members, G_N_ELEMENTS (members), error))
    return NULL;
  if (json_integer_value (json_object_get (json, "format")) != FORMAT) {
    ssapp_study_fail (error, "format must be %d: studies of other formats are of another version", FORMAT);
    return NULL;
  }
  const char *text = ssapp_json_get_string (scenario, "text");
  if (text == NULL) {
    ssapp_study_fail (error, "scenario must be an object with name and text");
    return NULL;
  }
  SsappStudy *self =
      ssapp_study_new (ssapp_json_get_string (json, "title"), ssapp_json_get_string (scenario, "name"), text);
  if (!read_numbers (self, json, error) || !read_methods (self, json_object_get (json, "methods"), error) ||
      !read_axes (self, json_object_get (json, "vary"), error))
    g_clear_pointer (&self, ssapp_study_free);
  const char *keep = ssapp_json_get_string (json, "keep");
  if (self != NULL && json_object_get (json, "keep") != NULL &&
      (keep == NULL || !ssapp_keep_from_name (keep, &self->keep))) {
    ssapp_study_fail (error, "keep must be \"all\", \"thinned\" or \"metrics\"");
    g_clear_pointer (&self, ssapp_study_free);
  }
  if (self != NULL) {
    g_ptr_array_unref (self->outcomes);
    self->outcomes = ssapp_interests_texts_from_json (json_object_get (json, "outcomes"));
  }
  return self;
}

/* The scenario that {"file": "..."} names, as name and text in its place. */
static gboolean
load_scenario (json_t *study, const char *path, GError **error)
{
  json_t *scenario = json_object_get (study, "scenario");
  const char *file = ssapp_json_get_string (scenario, "file");
  g_autofree char *folder = g_path_get_dirname (path), *text = NULL;

  if (file == NULL || json_object_get (scenario, "text") != NULL)
    return TRUE;
  g_autofree char *full = g_path_is_absolute (file) ? g_strdup (file) : g_build_filename (folder, file, NULL);
  if (!ssapp_read_file (full, 0, &text, NULL, error))
    return FALSE;
  json_t *read = json_loads (text, 0, NULL);
  const char *name = ssapp_json_get_string (read, "name");
  json_object_set_new (scenario, "name", json_string (name != NULL ? name : ""));
  if (json_object_set_new (scenario, "text", json_string (text)) != 0)
    ssapp_study_fail (error, "%s is no text in UTF-8", full);
  json_decref (read);
  return json_object_get (scenario, "text") != NULL;
}

SsappStudy *
ssapp_study_read_file (const char *path, GError **error)
{
  g_autofree char *text = NULL;
  json_error_t where;
  SsappStudy *self = NULL;

  if (!ssapp_read_file (path, 0, &text, NULL, error))
    return NULL;
  json_t *json = json_loads (text, JSON_REJECT_DUPLICATES, &where);
  if (json == NULL) {
    ssapp_study_fail (error, "%s:%d: %s", path, where.line, where.text);
    return NULL;
  }
  if (load_scenario (json, path, error))
    self = ssapp_study_from_json (json, error);
  if (self == NULL)
    g_prefix_error (error, "%s: ", path);
  json_decref (json);
  return self;
}

/* What makes the runs. */
static json_t *
core_of (const SsappStudy *self)
{
  json_t *json = ssapp_study_to_json (self);

  json_object_del (json, "title");
  json_object_del (json, "limits");
  json_object_del (json, "workers");
  json_object_del (json, "outcomes");
  json_object_del (json, "keep");
  if (self->n_drawn == 0)
    json_object_del (json, "draw");
  return json;
}

gboolean
ssapp_study_is_same (const SsappStudy *a, const SsappStudy *b)
{
  json_t *one = core_of (a), *other = core_of (b);
  const gboolean is_same = json_equal (one, other);

  json_decref (one);
  json_decref (other);
  return is_same;
}

/* ---- command ----------------------------------------------------------------------------------------------------- */

/* A word for a shell, quoted where it has to be. */
static void
append_word (GString *command, const char *word)
{
  gboolean is_plain = word[0] != '\0';

  for (const char *c = word; *c != '\0'; c++)
    is_plain = is_plain && (g_ascii_isalnum (*c) || strchr ("_-+=./,:@%", *c) != NULL);
  g_autofree char *quoted = is_plain ? g_strdup (word) : g_shell_quote (word);
  g_string_append_printf (command, " %s", quoted);
}

static void
append_option (GString *command, const char *option, const char *value)
{
  g_string_append_printf (command, " %s", option);
  append_word (command, value);
}

static void
append_axis (GString *command, const SsappStudyAxis *axis)
{
  g_autofree char *values = axis->form == SSAPP_AXIS_LIST ? g_strjoinv (",", axis->values) : g_strdup (axis->text);
  g_autofree char *pair = g_strdup_printf ("%s=%s", axis->name, values);

  append_option (command, "--vary", pair);
}

static void
append_methods (GString *command, const SsappStudy *self)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < self->methods->len; i++) {
    const SsappStudyMethod *method = g_ptr_array_index (self->methods, i);
    g_string_append_printf (list, "%s%s", i > 0 ? "," : "", method->id.name);
    for (guint k = 0; method->names[k] != NULL; k++)
      g_string_append_printf (list, ":%s=%s", method->names[k], method->values[k]);
  }
  if (list->len > 0)
    append_option (command, "--methods", list->str);
}

char *
ssapp_study_to_command (const SsappStudy *self, const char *scenario_file, const char *project)
{
  g_return_val_if_fail (self != NULL, NULL);
  GString *command = g_string_new ("stickslip-cli sweep");
  char number[32];
  guint n_numbers;
  const SsappStudyNumber *numbers = ssapp_study_numbers (&n_numbers);

  append_word (command, scenario_file != NULL ? scenario_file : "FILE");
  for (guint i = 0; i < self->axes->len; i++)
    append_axis (command, g_ptr_array_index (self->axes, i));
  append_methods (command, self);
  for (guint i = 0; i < self->outcomes->len; i++)
    append_option (command, "--outcome", g_ptr_array_index (self->outcomes, i));
  if (self->n_drawn > 0)
    g_string_append_printf (command, " %s %u --seed %" G_GUINT64_FORMAT,
                            self->draw == SSAPP_DRAW_LATIN ? "--latin" : "--random", self->n_drawn, self->seed);
  for (guint i = 0; i < n_numbers; i++) {
    const double value = ssapp_study_get_number (self, &numbers[i]);
    const gboolean is_in_units = numbers[i].unit > 1 && fmod (value, numbers[i].unit) == 0;
    if (!isfinite (value))
      continue;
    ss_format_double (is_in_units ? value / numbers[i].unit : value, number, sizeof number);
    append_option (command, numbers[i].option, number);
    if (is_in_units)
      g_string_append_c (command, 'G');
  }
  if (self->keep != SSAPP_KEEP_ALL)
    append_option (command, "--keep", ssapp_keep_name (self->keep));
  if (self->workers > 0)
    g_string_append_printf (command, " --jobs %u", self->workers);
  if (self->title[0] != '\0')
    append_option (command, "--title", self->title);
  if (project != NULL)
    append_option (command, "--project", project);
  return g_string_free (command, FALSE);
}
