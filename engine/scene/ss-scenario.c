/* engine/scene/ss-scenario.c: reads a scenario file as a whole: text, JSON, top-level fields, sections, defaults of
 * methods.
 *
 * Order: parameters first (everything may use them), then scene or model, task, view. All problems are collected; a
 * scenario comes out only if there are none.
 */
#include "scene/ss-nl.h"
#include "scene/ss-scenario-private.h"
#include "scene/ss-sha256.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What the caller sees, and the memory behind it. */
typedef struct {
  SsScenario scenario; /* first: a SsScenario * is a ScenarioBox * */
  SsArena *arena;
} ScenarioBox;

void
ss_scenario_free (SsScenario *scenario)
{
  ScenarioBox *box = (ScenarioBox *)scenario;

  if (box == NULL)
    return;
  ss_graph_free (box->scenario.graph);
  ss_arena_free (box->arena);
  ss_free (box);
}

SsStatus
ss_scenario_new (SsScenario **out, SsArena **arena, SsError *err)
{
  SS_ASSERT (out != NULL && arena != NULL);

  ScenarioBox *box = ss_new (ScenarioBox);

  *out = NULL;
  *arena = NULL;
  if (box == NULL || (box->arena = ss_arena_new ()) == NULL || ss_graph_new (&box->scenario.graph, NULL) != SS_OK) {
    ss_scenario_free ((SsScenario *)box);
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  box->scenario.file = box->scenario.name = box->scenario.title = box->scenario.description = box->scenario.reference =
      box->scenario.text = "";
  for (int i = 0; i < 4; i++)
    box->scenario.view_bounds[i] = NAN;
  *arena = box->arena;
  *out = &box->scenario;
  return SS_OK;
}

/* ---- problems of the file as a whole ----------------------------------------------------------------------------- */

static SsStatus
add_file_problem (SsProblems *problems, SsStatus status, const char *file, int line, const char *message,
                  const char *expected)
{
  SsError error = {.status = status, .line = line};

  snprintf (error.file, sizeof error.file, "%s", file);
  snprintf (error.message, sizeof error.message, "%s", message);
  snprintf (error.expected, sizeof error.expected, "%s", expected);
  ss_problems_add (problems, &error);
  return status;
}

/* Jansson's one error, in our words where its own would puzzle. Where its own allocations fail it blames the text, or
 * gives up without a word. */
static SsStatus
add_syntax_problem (SsProblems *problems, const char *file, const char *text, size_t length, const json_error_t *error)
{
  const char *expected = "a JSON document";
  char message[sizeof error->text + 64];

  if (error->text[0] == '\0' ||
      (json_error_code (error) == json_error_invalid_syntax && ss_json_is_well_formed (text, length)))
    return add_file_problem (problems, SS_ERR_MEMORY, file, 0, "out of memory while reading the scenario", "");
  switch (json_error_code (error)) {
  case json_error_out_of_memory:
    return add_file_problem (problems, SS_ERR_MEMORY, file, 0, "out of memory while reading the scenario", "");
  case json_error_stack_overflow:
    expected = "less deeply nested arrays and objects";
    break;
  case json_error_duplicate_key:
    expected = "each name once in an object";
    break;
  case json_error_numeric_overflow:
    expected = "numbers up to 1.79e308";
    break;
  case json_error_invalid_utf8:
    expected = "text in UTF-8";
    break;
  default:
    break;
  }
  snprintf (message, sizeof message, "%s (column %d)", error->text, error->column > 0 ? error->column : 1);
  for (char *c = message; *c != '\0'; c++)
    if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
      *c = '?'; /* what is not UTF-8 must not reach a terminal */
  return add_file_problem (problems, SS_ERR_SYNTAX, file, error->line > 0 ? error->line : 1, message, expected);
}

static bool
is_blank (const char *text, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (memchr (" \t\r\n", text[i], 4) == NULL)
      return false;
  return true;
}

/* A NUL byte ends texts for half of the world and not for the other half: no scenario has one. */
static SsStatus
check_no_nul (SsProblems *problems, const char *file, const char *text, size_t length)
{
  const char *nul = length > 0 ? memchr (text, '\0', length) : NULL;
  char message[64];
  int line = 1, column = 1;

  if (nul == NULL)
    return SS_OK;
  for (const char *c = text; c < nul; c++, column++)
    if (*c == '\n') {
      line++;
      column = 0;
    }
  snprintf (message, sizeof message, "a NUL byte (column %d)", column);
  return add_file_problem (problems, SS_ERR_SYNTAX, file, line, message, "text in UTF-8");
}

/* ---- top level --------------------------------------------------------------------------------------------------- */

static void
read_heading (SsReader *reader, const SsJsonAt *root)
{
  SsScenario *scenario = reader->scenario;
  SsJsonAt at;

  if (ss_read_member (reader, root, "format", "\"format\": 1", &at) &&
      !(json_is_integer (at.value) && json_integer_value (at.value) == SS_SCENARIO_FORMAT))
    ss_reader_problem (reader, &at, "1",
                       json_is_number (at.value) && json_number_value (at.value) > SS_SCENARIO_FORMAT
                           ? "the file has a newer format than this program knows"
                           : "this is no format version");
  scenario->name = "";
  if (ss_read_member (reader, root, "name", "a text in quotes", &at)) {
    scenario->name = ss_read_text (reader, root, "name", "");
    if (json_is_string (at.value))
      ss_read_is_name (reader, &at, scenario->name, true, "a scenario");
  }
  scenario->title = ss_read_text (reader, root, "title", scenario->name);
  scenario->description = ss_read_text (reader, root, "description", "");
  scenario->reference = ss_read_text (reader, root, "reference", "");
}

/* An option's value as text; NULL after reporting. Texts may be names of choices, so formulas of parameters are marked
 * as such. */
static const char *
read_option_value (SsReader *reader, const SsJsonAt *at)
{
  SsJsonAt formula_at;
  double value;
  char number[32];

  switch (json_typeof (at->value)) {
  case JSON_STRING:
    return ss_reader_strdup (reader, json_string_value (at->value));
  case JSON_TRUE:
    return "true";
  case JSON_FALSE:
    return "false";
  case JSON_INTEGER:
    snprintf (number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value (at->value));
    return ss_reader_strdup (reader, number);
  case JSON_REAL:
    ss_format_double (json_real_value (at->value), number, sizeof number);
    return ss_reader_strdup (reader, number);
  case JSON_OBJECT:
    if (!ss_at_member (reader, at, "formula", &formula_at))
      break;
    if (!ss_read_number (reader, &formula_at, SS_ANY_NUMBER, &value))
      return NULL;
    ss_format_double (value, number, sizeof number);
    return ss_reader_strdup (reader, number);
  default:
    break;
  }
  ss_reader_problem (reader, at, "a number, a text, true, false or {\"formula\": ...}",
                     "this is no value of an option");
  return NULL;
}

static void
read_methods (SsReader *reader, const SsJsonAt *root)
{
  SsJsonAt at, method_at, option_at;
  SsMethodDefault *list = NULL;
  const char **names = NULL;
  int n = 0, capacity = 0, n_names = 0, names_capacity = 0;

  if (!ss_at_member (reader, root, "methods", &at) || !ss_read_is_object (reader, &at))
    return;
  for (bool more = ss_at_first (reader, &at, &method_at); more; more = ss_at_next (reader, &method_at)) {
    const char *method;

    if (strcmp (method_at.key, "description") == 0 || !ss_read_is_object (reader, &method_at))
      continue;
    method = ss_reader_strdup (reader, method_at.key);
    if (ss_reader_reserve (reader, (void **)&names, &names_capacity, n_names + 1, sizeof *names))
      names[n_names++] = method;
    for (bool any = ss_at_first (reader, &method_at, &option_at); any; any = ss_at_next (reader, &option_at)) {
      SsMethodDefault item = {.method = method, .line = ss_reader_line (reader, &option_at)};

      if (strcmp (option_at.key, "description") == 0)
        continue;
      item.value = read_option_value (reader, &option_at);
      item.name = ss_reader_strdup (reader, option_at.key);
      if (item.value != NULL && ss_reader_reserve (reader, (void **)&list, &capacity, n + 1, sizeof *list))
        list[n++] = item;
    }
  }
  reader->scenario->n_method_names = n_names;
  reader->scenario->method_names = ss_reader_keep (reader, names, n_names, sizeof *names);
  reader->scenario->n_method_defaults = n;
  reader->scenario->method_defaults = ss_reader_keep (reader, list, n, sizeof *list);
}

static void
read_document (SsReader *reader, json_t *document, const SsOverride *overrides, int n_overrides)
{
  SsJsonAt root = {.value = document}, scene_at, model_at;
  bool has_scene, has_model;

  if (!json_is_object (document)) {
    ss_reader_problem (reader, &root, "an object { ... }", "a scenario is one JSON object");
    return;
  }
  read_heading (reader, &root);
  ss_read_data (reader, &root);
  if (!ss_read_parameters (reader, &root, overrides, n_overrides))
    return;
  has_scene = ss_at_member (reader, &root, "scene", &scene_at);
  has_model = ss_at_member (reader, &root, "model", &model_at);
  if (has_scene == has_model)
    ss_reader_problem (reader, &root, "either 'scene' or 'model'",
                       has_scene ? "the file has both a scene and a model"
                                 : "the file has neither a scene nor a model");
  else if (has_scene)
    ss_read_scene (reader, &scene_at);
  else
    ss_read_model (reader, &model_at);

  if ((reader->scenario->scene != NULL || reader->model != NULL) && !reader->out_of_memory) {
    ss_read_task (reader, &root);
    ss_read_view (reader, &root);
    ss_read_outcomes (reader, &root);
  }
  read_methods (reader, &root);
  ss_reader_close_structural (reader);
  if (reader->n_problems == 0 && !reader->out_of_memory)
    ss_find_unread (reader, &root);
}

/* Everything the reader holds for itself. */
static void
clear_reader (SsReader *reader)
{
  ss_names_clear (&reader->names);
  ss_graph_free (reader->scratch);
  ss_free (reader->memo);
  ss_free (reader->stamp);
  ss_free (reader->reads);
  ss_free ((void *)reader->nodes);
  ss_free (reader->warnings);
  ss_asked_free (reader->asked);
}

SsStatus
ss_scenario_read (const char *text, size_t length, const char *file, const SsOverride *overrides, int n_overrides,
                  SsProblems *problems, SsScenario **out)
{
  SS_ASSERT ((length == 0 || text != NULL) && problems != NULL && out != NULL);
  SS_ASSERT (n_overrides >= 0 && (n_overrides == 0 || overrides != NULL));

  static const char byte_order_mark[] = "\xef\xbb\xbf";
  ScenarioBox *box = NULL;
  SsReader reader = {.problems = problems};
  json_t *document = NULL;
  json_error_t json_error;
  SsJsonNode *nodes = NULL;
  const char *body = text;
  size_t body_length = length;
  SsStatus status;
  char *copy;
  int n_nodes;

  SS_ASSERT (problems != NULL && out != NULL);
  *out = NULL;
  if (file == NULL)
    file = "";
  if (length > SS_SCENARIO_MAX_BYTES)
    return add_file_problem (problems, SS_ERR_IO, file, 1, "the file is too large for a scenario", "at most 16 MiB");
  if (length >= 3 && memcmp (text, byte_order_mark, 3) == 0) {
    body += 3;
    body_length -= 3;
  }
  status = check_no_nul (problems, file, body, body_length);
  if (status != SS_OK)
    return status;
  if (is_blank (body, body_length))
    return add_file_problem (problems, SS_ERR_SYNTAX, file, 1, "the file is empty", "a JSON object { ... }");

  document = json_loadb (body, body_length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &json_error);
  if (document == NULL)
    return add_syntax_problem (problems, file, body, body_length, &json_error);

  status = SS_ERR_MEMORY;
  box = ss_new (ScenarioBox);
  if (box == NULL || (box->arena = ss_arena_new ()) == NULL)
    goto fail;
  reader.scenario = &box->scenario;
  reader.arena = box->arena;
  box->scenario.file = ss_reader_strdup (&reader, file);
  for (int i = 0; i < 4; i++)
    box->scenario.view_bounds[i] = NAN;
  if (ss_graph_new (&box->scenario.graph, NULL) != SS_OK || ss_graph_new (&reader.scratch, NULL) != SS_OK ||
      ss_json_scan (body, body_length, &nodes, &n_nodes) != SS_OK)
    goto fail;
  reader.nodes = nodes;
  reader.asked = ss_asked_new ();
  if (reader.asked == NULL)
    goto fail;
  copy = ss_reader_alloc (&reader, length + 1, 1);
  if (copy == NULL)
    goto fail;
  memcpy (copy, text, length);
  box->scenario.text = copy;
  box->scenario.text_length = length;
  ss_sha256_hex (text, length, box->scenario.sha256);

  read_document (&reader, document, overrides, n_overrides);
  if (reader.out_of_memory || !ss_asked_is_complete (reader.asked))
    goto fail;
  if (reader.n_problems > 0) {
    status = SS_ERR_INVALID;
    goto fail;
  }
  clear_reader (&reader);
  json_decref (document);
  *out = &box->scenario;
  return SS_OK;

fail:
  if (status == SS_ERR_MEMORY)
    add_file_problem (problems, SS_ERR_MEMORY, file, 0, "out of memory while reading the scenario", "");
  clear_reader (&reader);
  json_decref (document);
  if (box != NULL)
    ss_scenario_free (&box->scenario);
  return status;
}

/* ---- with other parameters --------------------------------------------------------------------------------------- */

/* The text of `source` with its parameters as they are, but for some; NULL when it breaks a rule with them. */
static SsStatus
read_with (const SsScenario *source, const SsOverride *changed, int n_changed, SsScenario **out, SsError *err)
{
  SsOverride *overrides = ss_new_array (SsOverride, source->n_parameters + n_changed + 1);
  SsProblems problems;
  int n = 0;

  *out = NULL;
  if (overrides == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int i = 0; i < n_changed; i++)
    overrides[n++] = changed[i];
  for (int i = 0; i < source->n_parameters; i++) {
    const SsParameter *parameter = &source->parameters[i];
    bool is_changed = false;

    for (int c = 0; c < n_changed; c++)
      is_changed = is_changed || strcmp (changed[c].name, parameter->name) == 0;
    if (parameter->is_overridden && !is_changed)
      overrides[n++] = (SsOverride){parameter->name, parameter->value};
  }
  ss_problems_init (&problems);
  const SsStatus status =
      ss_scenario_read (source->text, source->text_length, source->file, overrides, n, &problems, out);
  ss_problems_clear (&problems);
  ss_free (overrides);
  return status == SS_ERR_MEMORY ? ss_error_set (err, status, "out of memory") : SS_OK;
}

/* Of a parameter's size: a billionth, as a power of two. */
#define MOVE_FRACTION 0x1p-30

/* The value moved, by an amount of its own among all parameters; the value itself where its range is too narrow. */
static double
move_parameter (const SsParameter *parameter, int index, int sample)
{
  /* The golden ratio's multiples never meet: differences and quotients of parameters move, too. */
  const double value = parameter->value, multiple = (index + 1) * (sample + 1) * 0.6180339887498949;
  const double part = 1 + (multiple - floor (multiple));
  const double step = parameter->is_integer ? 1 : MOVE_FRACTION * part * (value != 0 ? fabs (value) : 1);

  if (value + step <= parameter->maximum)
    return value + step;
  return value - step >= parameter->minimum ? value - step : value;
}

SsStatus
ss_scenario_read_moved (const SsScenario *source, int sample, SsScenario **out, SsError *err)
{
  SS_ASSERT (source != NULL && out != NULL);

  SsOverride *moved = ss_new_array (SsOverride, source->n_parameters + 1);
  SsStatus status = SS_OK;
  int n = 0, n_moved = 0;

  *out = NULL;
  if (moved == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int i = 0; i < source->n_parameters; i++) {
    const SsParameter *parameter = &source->parameters[i];
    if (parameter->is_structural)
      continue;
    moved[n++] = (SsOverride){parameter->name, move_parameter (parameter, i, sample)};
    n_moved += moved[n - 1].value != parameter->value;
  }
  if (n_moved > 0)
    status = read_with (source, moved, n, out, err);
  ss_free (moved);
  return status;
}

static bool
has_grid (const SsScenario *scenario, int n_points, double horizon)
{
  return scenario != NULL && scenario->model->n_points == n_points &&
         fabs ((n_points - 1) * scenario->model->time_step - horizon) <= 1e-9 * horizon;
}

SsStatus
ss_scenario_read_coarser (const SsScenario *source, SsScenario **out, SsError *err)
{
  SS_ASSERT (source != NULL && source->model != NULL && out != NULL);

  const SsModel *model = source->model;
  const int n_points = (model->n_points + 1) / 2;
  const double horizon = (model->n_points - 1) * model->time_step, step = horizon / (n_points - 1);
  SsStatus status = SS_OK;

  *out = NULL;
  if (model->n_points < 3 || source->text_length == 0)
    return SS_OK;
  for (int i = 0; i < source->n_parameters; i++) {
    const SsParameter *points = &source->parameters[i];
    if (!points->is_structural || points->value != floor (points->value))
      continue;
    /* alone, then with each parameter that may be the time step */
    for (int j = -1; j < source->n_parameters; j++) {
      const SsParameter *length = j >= 0 ? &source->parameters[j] : NULL;
      const SsOverride changed[] = {{points->name, points->value - (model->n_points - n_points)},
                                    {length != NULL ? length->name : "", step}};
      if (length != NULL && (length == points || length->value != model->time_step))
        continue;
      status = read_with (source, changed, length != NULL ? 2 : 1, out, err);
      if (status != SS_OK || has_grid (*out, n_points, horizon))
        return status;
      ss_scenario_free (*out);
      *out = NULL;
    }
  }
  return status;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static SsStatus
add_io_problem (SsProblems *problems, const char *path, const char *what, int error)
{
  char reason[128] = "", message[200];

  if (strerror_r (error, reason, sizeof reason) != 0)
    snprintf (reason, sizeof reason, "error %d", error);
  snprintf (message, sizeof message, "%s: %s", what, reason);
  return add_file_problem (problems, SS_ERR_IO, path, 0, message, "a readable file");
}

SsStatus
ss_scenario_read_file (const char *path, const SsOverride *overrides, int n_overrides, SsProblems *problems,
                       SsScenario **out)
{
  SS_ASSERT (n_overrides >= 0 && (n_overrides == 0 || overrides != NULL));

  FILE *stream;
  struct stat info;
  char *text = NULL, *translated = NULL;
  size_t length, translated_length;
  SsStatus status;

  SS_ASSERT (path != NULL && problems != NULL && out != NULL);
  *out = NULL;
  /* Size and kind are asked for before anything is opened or read. */
  if (stat (path, &info) != 0)
    return add_io_problem (problems, path, "the file cannot be opened", errno);
  if (S_ISDIR (info.st_mode))
    return add_file_problem (problems, SS_ERR_IO, path, 0, "this is a directory", "a scenario file");
  if (!S_ISREG (info.st_mode)) /* a pipe or a device may never end */
    return add_file_problem (problems, SS_ERR_IO, path, 0, "this is no file, but a pipe or a device",
                             "a scenario file");
  if (info.st_size > (off_t)SS_SCENARIO_MAX_BYTES)
    return add_file_problem (problems, SS_ERR_IO, path, 1, "the file is too large for a scenario", "at most 16 MiB");
  stream = fopen (path, "rb");
  if (stream == NULL)
    return add_io_problem (problems, path, "the file cannot be opened", errno);

  length = (size_t)info.st_size; /* and one byte more, to meet its end */
  text = ss_alloc (length + 1, 1);
  if (text == NULL) {
    status = add_file_problem (problems, SS_ERR_MEMORY, path, 0, "out of memory", "");
  } else {
    length = fread (text, 1, length + 1, stream);
    status = ferror (stream) ? add_io_problem (problems, path, "the file cannot be read", errno)
                             : ss_nl_text_of_file (path, text, length, problems, &translated, &translated_length);
    if (status == SS_OK)
      status = translated != NULL
                   ? ss_scenario_read (translated, translated_length, path, overrides, n_overrides, problems, out)
                   : ss_scenario_read (text, length, path, overrides, n_overrides, problems, out);
  }
  fclose (stream);
  ss_free (translated);
  ss_free (text);
  return status;
}
