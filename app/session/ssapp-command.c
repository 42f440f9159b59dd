/* app/session/ssapp-command.c: see the header. */
#include "app/session/ssapp-command.h"

#include "app/base/ssapp-json.h"
#include "app/job/ssapp-interests.h"
#include "app/job/ssapp-state.h"
#include "app/store/ssapp-store-sketch.h"

#include <math.h>
#include <string.h>

/* ---- words ------------------------------------------------------------------------------------------------------- */

struct SsappCommand {
  GString *line;
};

/* Letters that no shell takes for its own, wherever they stand. */
static gboolean
is_plain (const char *word)
{
  static const char others[] = "_-./:=,+@%#";

  for (const char *c = word; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && strchr (others, *c) == NULL)
      return FALSE;
  return word[0] != '\0' && word[0] != '#';
}

char *
ssapp_command_quote (const char *word)
{
  return is_plain (word) ? g_strdup (word) : g_shell_quote (word);
}

SsappCommand *
ssapp_command_new (const char *verb)
{
  SsappCommand *self = g_new0 (SsappCommand, 1);

  self->line = g_string_new ("stickslip-cli");
  ssapp_command_add (self, verb);
  return self;
}

void
ssapp_command_add (SsappCommand *self, const char *word)
{
  g_return_if_fail (self != NULL);
  g_autofree char *quoted = ssapp_command_quote (word);

  g_string_append_printf (self->line, " %s", quoted);
}

void
ssapp_command_add_option (SsappCommand *self, const char *option, const char *value)
{
  if (value == NULL)
    return;
  ssapp_command_add (self, option);
  ssapp_command_add (self, value);
}

void
ssapp_command_add_number (SsappCommand *self, const char *option, double value)
{
  char text[40];

  if (isnan (value))
    return;
  ss_format_double (value, text, sizeof text);
  ssapp_command_add_option (self, option, text);
}

void
ssapp_command_add_pair (SsappCommand *self, const char *option, const char *name, const char *value)
{
  g_autofree char *pair = g_strdup_printf ("%s=%s", name, value);

  ssapp_command_add_option (self, option, pair);
}

char *
ssapp_command_finish (SsappCommand *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  char *line = g_string_free (self->line, FALSE);

  g_free (self);
  return line;
}

/* ---- scenarios --------------------------------------------------------------------------------------------------- */

static char *
whole_path (SsappStore *store)
{
  g_autoptr (GFile) file = g_file_new_for_path (ssapp_store_get_path (store));

  return g_file_get_path (file);
}

/* What the command line calls the text of a scenario in a project: PROJECT#NAME of a sketch that has it, else
 * PROJECT#run:ID, the text that the run was made from; g_free. NULL with an error where the project's name does not end
 * in .stickslip. `sha256`: of the text. */
static char *
name_scenario (SsappStore *store, const char *run, const char *sha256, GError **error)
{
  g_autofree char *path = whole_path (store);
  g_autoptr (GPtrArray) sketches = ssapp_store_list_sketches (store, NULL);

  if (!g_str_has_suffix (path, SSAPP_PROJECT_SUFFIX)) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED,
                 "the command line finds scenarios in a project only if its name ends in %s: save it under such a name",
                 SSAPP_PROJECT_SUFFIX);
    return NULL;
  }
  for (guint i = 0; sketches != NULL && i < sketches->len; i++) {
    const SsappSketchRow *sketch = g_ptr_array_index (sketches, i);
    if (strcmp (sketch->sha256, sha256) == 0)
      return g_strdup_printf ("%s#%s", path, sketch->name);
  }
  return g_strdup_printf ("%s#run:%s", path, run);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

/* A stored run and what it was asked for. */
typedef struct {
  SsappStore *store;
  SsappRunRow *row;
  json_t *result, *asked;
  char *path; /* of the project */
} Source;

static void
source_clear (Source *self)
{
  ssapp_run_row_free (self->row);
  json_decref (self->result);
  g_free (self->path);
}

static gboolean
source_read (Source *self, SsappStore *store, const char *id, GError **error)
{
  GError *local = NULL;

  *self = (Source){.store = store, .path = whole_path (store)};
  self->row = ssapp_store_get_sound_run (store, id, &local);
  g_autofree char *text = local == NULL ? ssapp_store_get_result_json (store, self->row->id, &local) : NULL;
  self->result = text != NULL ? json_loads (text, 0, NULL) : NULL;
  self->asked = json_object_get (self->result, "asked"); /* borrowed */
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  source_clear (self);
  return FALSE;
}

static const char *
verb_of (const Source *self)
{
  const char *asked = ssapp_json_get_string (self->asked, "verb");

  if (asked != NULL)
    return asked;
  if (self->row->replay_of[0] != '\0')
    return "replay";
  return self->row->kind != SS_METHOD_KIND_COUNT ? ss_method_kind_spec (self->row->kind)->verb : NULL;
}

static void
add_json_pairs (SsappCommand *command, const char *option, json_t *object)
{
  const char *name;
  json_t *value;
  char number[40];

  json_object_foreach (object, name, value)
  {
    if (json_is_string (value)) {
      ssapp_command_add_pair (command, option, name, json_string_value (value));
    } else if (json_is_number (value)) {
      ss_format_double (json_number_value (value), number, sizeof number);
      ssapp_command_add_pair (command, option, name, number);
    } else if (json_is_boolean (value)) {
      ssapp_command_add_pair (command, option, name, json_is_true (value) ? "true" : "false");
    }
  }
}

static void
add_inputs (SsappCommand *command, const Source *self, const char *method_option)
{
  const json_t *seed = json_object_get (self->asked, "seed");
  json_t *options = json_loads (self->row->options_json, 0, NULL),
         *set = json_loads (self->row->parameters_json, 0, NULL);

  ssapp_command_add_option (command, method_option, self->row->method);
  add_json_pairs (command, "--option", options);
  add_json_pairs (command, "--set", set);
  ssapp_command_add_number (command, "--dt", ssapp_json_get_real (self->asked, "dt"));
  ssapp_command_add_number (command, "--t-end", ssapp_json_get_real (self->asked, "t_end"));
  if (json_is_integer (seed) ||
      (self->asked == NULL && self->row->seed != 0 && self->row->kind != SS_METHOD_IMPACT_LAW)) {
    g_autofree char *text = json_is_integer (seed)
                                ? g_strdup_printf ("%" JSON_INTEGER_FORMAT, json_integer_value (seed))
                                : g_strdup_printf ("%" G_GUINT64_FORMAT, self->row->seed);
    ssapp_command_add_option (command, "--seed", text);
  }
  ssapp_command_add_number (command, "--time-limit", ssapp_json_get_real (self->asked, "seconds"));
  ssapp_command_add_number (command, "--cpu-limit", ssapp_json_get_real (self->asked, "cpu_seconds"));
  ssapp_command_add_number (command, "--ways-on", ssapp_json_get_real (self->asked, "ways_on"));
  ssapp_command_add_number (command, "--bound", ssapp_json_get_real (self->asked, "bound"));
  ssapp_command_add_number (command, "--every", ssapp_json_get_real (self->asked, "every"));
  g_autoptr (GPtrArray) outcomes = ssapp_interests_texts_from_json (json_object_get (self->asked, "outcomes"));
  for (guint i = 0; i < outcomes->len; i++)
    ssapp_command_add_option (command, "--outcome", g_ptr_array_index (outcomes, i));
  if (json_is_string (json_object_get (self->asked, "sensitivity")))
    ssapp_command_add_option (command, "--sensitivity",
                              json_string_value (json_object_get (self->asked, "sensitivity")));
  if (self->row->kind == SS_METHOD_OPTIMISER)
    ssapp_command_add_number (command, "--keep-iterates", ssapp_json_get_real (self->asked, "keep_iterates"));
  if (json_object_get (self->asked, "pause_at") != NULL)
    ssapp_command_add_number (command, "--pause-at", ssapp_json_get_real (self->asked, "pause_at"));
  json_decref (options);
  json_decref (set);
}

/* What the run was given: "given:RUN" where it is stored with it, else the run that it comes from; NULL: nothing. */
static char *
dup_given (const Source *self, GError **error)
{
  const char *run = ssapp_json_get_string (json_object_get (self->asked, "motion"), "run");
  GError *local = NULL;
  gboolean is_own = FALSE;
  SsTrajectory *motion;

  if (run == NULL && self->row->replay_of[0] != '\0')
    run = self->row->replay_of;
  if (run == NULL)
    run = ssapp_json_get_string (self->result, "start_from");
  if (run == NULL)
    return NULL;
  motion = ssapp_store_get_given (self->store, self->row->id, &is_own, &local);
  if (motion == NULL && local == NULL)
    g_set_error (&local, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND,
                 "the motion that run %.8s was given is not in this project", self->row->id);
  ss_trajectory_free (motion);
  if (local != NULL) {
    g_propagate_error (error, local);
    return NULL;
  }
  return is_own ? g_strdup_printf ("given:%s", self->row->id) : g_strdup (run);
}

static void
add_controller (SsappCommand *command, const json_t *result)
{
  const json_t *controller = json_object_get (result, "controller");
  const json_t *worlds = json_object_get (result, "worlds");
  const double friction = ssapp_json_get_real (result, "friction");

  ssapp_command_add_option (command, "--controller", ssapp_json_get_string (controller, "name"));
  ssapp_command_add_number (command, "--lqr-q", ssapp_json_get_real (controller, "q"));
  ssapp_command_add_number (command, "--lqr-r", ssapp_json_get_real (controller, "r"));
  ssapp_command_add_number (command, "--replan-every", ssapp_json_get_real (controller, "every"));
  ssapp_command_add_number (command, "--look-ahead", ssapp_json_get_real (controller, "look_ahead"));
  ssapp_command_add_number (command, "--friction", friction);
  ssapp_command_add_number (command, "--worlds", ssapp_json_get_real (worlds, "n"));
  ssapp_command_add_number (command, "--worlds-seed", ssapp_json_get_real (worlds, "seed"));
  add_json_pairs (command, "--disturb", json_object_get (result, "disturb"));
}

/* Whether the plan's run has the same scenario: then it alone names all of it. */
static gboolean
has_scenario_of (const Source *self, const char *run)
{
  SsappRunRow *plan = ssapp_store_get_sound_run (self->store, run, NULL);
  const gboolean same = plan != NULL && strcmp (plan->scenario_sha256, self->row->scenario_sha256) == 0;

  ssapp_run_row_free (plan);
  return same;
}

static char *
replay_command (const Source *self, const char *scenario, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree char *given = dup_given (self, &local);
  SsappCommand *command;

  if (given == NULL) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND, "%s",
                 local != NULL ? local->message : "the plan of this replay is not known");
    return NULL;
  }
  command = ssapp_command_new ("replay");
  if (!g_str_has_prefix (given, "given:") && has_scenario_of (self, given)) {
    ssapp_command_add (command, given);
  } else {
    /* --plan takes a table, or what a run was given, be it another run's motion: the scene was changed beside it */
    g_autofree char *of_run = g_strdup_printf ("given:%s", self->row->id);
    ssapp_command_add (command, scenario);
    ssapp_command_add_option (command, "--plan", of_run);
  }
  add_inputs (command, self, "--method");
  add_controller (command, self->result);
  ssapp_command_add_option (command, "--project", self->path);
  return ssapp_command_finish (command);
}

/* "crisp:preset=warm", as lists of methods have it. */
static char *
dup_method (const Source *self)
{
  json_t *options = json_loads (self->row->options_json, 0, NULL), *value;
  GString *text = g_string_new (self->row->method);
  const char *name;

  json_object_foreach (options, name, value)
  {
    g_autofree char *word =
        json_is_string (value) ? g_strdup (json_string_value (value)) : ssapp_json_text (value, FALSE);
    g_string_append_printf (text, ":%s=%s", name, word);
  }
  json_decref (options);
  return g_string_free (text, FALSE);
}

/* A closed loop: its parameters are those of its first plan. */
static char *
loop_command (const Source *self, const char *scenario)
{
  json_t *loop = json_object_get (self->asked, "loop");
  const int steps = (int)json_integer_value (json_object_get (loop, "steps"));
  SsappCommand *command = ssapp_command_new ("bench");
  g_autofree char *method = dup_method (self), *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, self->row->seed);

  ssapp_command_add (command, "mpc");
  ssapp_command_add (command, scenario);
  ssapp_command_add_option (command, "--problems", ssapp_json_get_string (loop, "disturbed"));
  ssapp_command_add_option (command, "--methods", method);
  add_json_pairs (command, "--set", json_object_get (loop, "set"));
  if (steps > 0)
    ssapp_command_add_number (command, "--steps", steps);
  ssapp_command_add_option (command, "--seed", seed);
  ssapp_command_add_number (command, "--cpu-limit", ssapp_json_get_real (self->asked, "cpu_seconds"));
  ssapp_command_add_option (command, "--project", self->path);
  return ssapp_command_finish (command);
}

static void
add_impact (SsappCommand *command, const Source *self)
{
  const json_t *planes = json_object_get (self->asked, "planes");

  ssapp_command_add_number (command, "--touching", ssapp_json_get_real (self->asked, "touching"));
  ssapp_command_add_number (command, "--tolerance", ssapp_json_get_real (self->asked, "tolerance"));
  for (gsize i = 0; i < json_array_size (planes); i++)
    ssapp_command_add_option (command, "--plane", json_string_value (json_array_get (planes, i)));
}

/* An impact's stored text is that of its state: it needs no motion. */
static char *
plain_command (const Source *self, const char *verb, const char *scenario, GError **error)
{
  const gboolean is_impact = self->row->kind == SS_METHOD_IMPACT_LAW;
  GError *local = NULL;
  g_autofree char *given = is_impact ? NULL : dup_given (self, &local);
  SsappCommand *command;

  if (local != NULL) {
    g_propagate_error (error, local);
    return NULL;
  }
  command = ssapp_command_new (verb);
  ssapp_command_add (command, scenario);
  add_inputs (command, self, is_impact ? "--law" : "--method");
  const gboolean goes_on = ssapp_continued_has (self->result);
  ssapp_command_add_option (command, goes_on ? "--continue" : "--from",
                            goes_on ? ssapp_json_get_string (self->result, "start_from") : given);
  if (goes_on && self->row->kind == SS_METHOD_INTEGRATOR)
    ssapp_command_add_number (command, "--at", ssapp_json_get_real (json_object_get (self->result, "continued"), "t"));
  if (is_impact)
    add_impact (command, self);
  ssapp_command_add_option (command, "--project", self->path);
  return ssapp_command_finish (command);
}

/* TRUE after an error was set: no command does that. */
static gboolean
is_refused (const Source *self, const char *verb, GError **error)
{
  if (self->row->solution_of[0] != '\0')
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED,
                 "run %.8s is one of several local solutions: copy the command of the run with the answer, %.8s",
                 self->row->id, self->row->solution_of);
  else if (strcmp (self->row->outcome, "running") == 0)
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED,
                 "run %.8s is still running: what it was asked for is stored with its result", self->row->id);
  else if (g_strcmp0 (verb, "sandbox") == 0)
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED,
                 "run %.8s was made in the sandbox: no command does what hands did there", self->row->id);
  else if (verb == NULL)
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "this version knows no runs of the kind “%s”",
                 self->row->kind_name);
  else
    return FALSE;
  return TRUE;
}

char *
ssapp_command_for_run (SsappStore *store, const char *id, GError **error)
{
  Source source;
  char *line = NULL;

  if (!source_read (&source, store, id, error))
    return NULL;
  const char *verb = verb_of (&source);
  g_autofree char *scenario = is_refused (&source, verb, error)
                                  ? NULL
                                  : name_scenario (store, source.row->id, source.row->scenario_sha256, error);
  if (scenario != NULL)
    line = strcmp (verb, "replay") == 0  ? replay_command (&source, scenario, error)
           : strcmp (verb, "bench") == 0 ? loop_command (&source, scenario)
                                         : plain_command (&source, verb, scenario, error);
  source_clear (&source);
  return line;
}

char *
ssapp_command_for_runs (SsappStore *store, const char *const *ids, GError **error)
{
  g_return_val_if_fail (ids != NULL, NULL);

  GString *lines = g_string_new (NULL);

  for (int i = 0; ids[i] != NULL; i++) {
    g_autofree char *line = ssapp_command_for_run (store, ids[i], error);
    if (line == NULL) {
      g_string_free (lines, TRUE);
      return NULL;
    }
    g_string_append_printf (lines, "%s%s", i > 0 ? "\n" : "", line);
  }
  return g_string_free (lines, FALSE);
}
