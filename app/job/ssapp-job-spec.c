/* app/job/ssapp-job-spec.c: what a job is: made, freed, read from a job line, and its inputs as JSON; see
 * ssapp-runner.h. */
#include "app/job/ssapp-runner.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-memory.h"
#include "app/job/ssapp-interests-seen.h"

#include <math.h>
#include <string.h>

SsappJobSpec *
ssapp_job_spec_new (void)
{
  SsappJobSpec *spec = g_new0 (SsappJobSpec, 1);

  spec->id = g_uuid_string_random ();
  spec->option_names = g_ptr_array_new_with_free_func (g_free);
  spec->option_values = g_ptr_array_new_with_free_func (g_free);
  spec->parameter_names = g_ptr_array_new_with_free_func (g_free);
  spec->parameter_values = g_array_new (FALSE, FALSE, sizeof (double));
  spec->dt = spec->t_end = spec->seconds = spec->cpu_seconds = spec->work = spec->ways_on = spec->bound = spec->bytes =
      spec->at = NAN;
  spec->pause_at = -1;
  spec->tolerance = SS_IMPACT_MODE_TOLERANCE;
  spec->outcomes = g_ptr_array_new_with_free_func (g_free);
  spec->planes = g_ptr_array_new_with_free_func (g_free);
  ssapp_replay_ask_init (&spec->replay);
  return spec;
}

void
ssapp_job_spec_free (SsappJobSpec *spec)
{
  if (spec == NULL)
    return;
  g_free (spec->id);
  g_free (spec->scenario_text);
  g_free (spec->scenario_file);
  g_free (spec->method);
  g_free (spec->replay_of);
  ss_trajectory_free (spec->plan);
  g_free (spec->start_from);
  g_free (spec->sensitivity);
  ss_trajectory_free (spec->start);
  json_decref (spec->start_events);
  ssapp_continued_clear (&spec->continued);
  g_ptr_array_unref (spec->option_names);
  g_ptr_array_unref (spec->option_values);
  g_ptr_array_unref (spec->parameter_names);
  g_array_unref (spec->parameter_values);
  g_ptr_array_unref (spec->planes);
  g_ptr_array_unref (spec->outcomes);
  ssapp_interests_seen_free (spec->seen);
  ssapp_replay_ask_clear (&spec->replay);
  g_free (spec);
}

/* Text of an option's value; NULL when it is no number, text or truth value. */
static char *
value_text (const json_t *value)
{
  char buffer[40];

  if (json_is_string (value))
    return g_strdup (json_string_value (value));
  if (json_is_boolean (value))
    return g_strdup (json_is_true (value) ? "true" : "false");
  if (json_is_integer (value))
    return g_strdup_printf ("%" JSON_INTEGER_FORMAT, json_integer_value (value));
  if (!json_is_real (value))
    return NULL;
  ss_format_double (json_real_value (value), buffer, sizeof buffer);
  return g_strdup (buffer);
}

static char *
spec_options_from_json (SsappJobSpec *spec, const json_t *job)
{
  json_t *options = json_object_get (job, "options"), *set = json_object_get (job, "set");
  const char *name;
  json_t *value;

  if ((options != NULL && !json_is_object (options)) || (set != NULL && !json_is_object (set)))
    return g_strdup ("\"options\" and \"set\" must be objects");
  json_object_foreach (options, name, value)
  {
    char *text = value_text (value);
    if (text == NULL)
      return g_strdup_printf ("option \"%s\" must be a number, a text or true/false", name);
    g_ptr_array_add (spec->option_names, g_strdup (name));
    g_ptr_array_add (spec->option_values, text);
  }
  json_object_foreach (set, name, value)
  {
    double number = json_number_value (value);
    if (!json_is_number (value) && !(json_is_string (value) && ss_parse_double (json_string_value (value), &number)))
      return g_strdup_printf ("parameter \"%s\" in \"set\" must be a number", name);
    g_ptr_array_add (spec->parameter_names, g_strdup (name));
    g_array_append_val (spec->parameter_values, number);
  }
  return NULL;
}

/* "all", "thin:N", "none". */
static gboolean
parse_iterates (const char *text, int *every)
{
  double n;

  if (strcmp (text, "all") == 0)
    *every = 1;
  else if (strcmp (text, "none") == 0)
    *every = 0;
  else if (g_str_has_prefix (text, "thin:") && ss_parse_double (text + strlen ("thin:"), &n) && n >= 1 && n < G_MAXINT)
    *every = (int)n;
  else
    return FALSE;
  return TRUE;
}

static gboolean
optional_number (const json_t *object, const char *key, double *value)
{
  const json_t *item = json_object_get (object, key);

  if (item == NULL || json_is_null (item))
    return TRUE;
  *value = json_number_value (item);
  return json_is_number (item);
}

static gboolean
optional_text (const json_t *object, const char *key)
{
  const json_t *item = json_object_get (object, key);

  return item == NULL || json_is_null (item) || json_is_string (item);
}

/* The scenario as an object, or as `scenario_text`, which keeps the file's own lines. */
static char *
spec_scenario_from_json (SsappJobSpec *spec, const json_t *job)
{
  const json_t *scenario = json_object_get (job, "scenario");
  const char *text = ssapp_json_get_string (job, "scenario_text"), *name = ssapp_json_get_string (job, "scenario_name");

  if (text == NULL && !json_is_object (scenario))
    return g_strdup ("a job needs \"scenario\" (object) or \"scenario_text\"");
  spec->scenario_text = text != NULL ? g_strdup (text) : ssapp_json_text (scenario, TRUE);
  spec->scenario_file = g_strdup (name != NULL ? name : "scenario");
  return NULL;
}

/* {"run", "channels", "shape": [rows, channels], "data": base64}; NULL when it is no such thing. */
static SsTrajectory *
motion_from_json (const json_t *object, char **run)
{
  const char *data = ssapp_json_get_string (object, "data");
  const json_t *rows = json_array_get (json_object_get (object, "shape"), 0);
  gsize size = 0;
  g_autofree guchar *bytes = data != NULL ? g_base64_decode (data, &size) : NULL;
  SsTrajectory *motion = NULL;

  if (bytes != NULL && json_is_integer (rows) && json_integer_value (rows) < G_MAXINT)
    motion =
        ssapp_trajectory_from_bytes (ssapp_json_get_channels (object), (int)json_integer_value (rows), bytes, size);
  if (motion != NULL)
    *run = g_strdup (ssapp_json_get_string (object, "run"));
  return motion;
}

/* What a replay follows, what an optimiser may start from and a simulation goes on from, and what has the state at an
 * impact. */
static char *
spec_motions_from_json (SsappJobSpec *spec, const json_t *job)
{
  const gboolean is_replay = g_strcmp0 (ssapp_json_get_string (job, "verb"), "replay") == 0;
  const json_t *start = json_object_get (job, "start");

  if (is_replay)
    spec->plan = motion_from_json (json_object_get (job, "plan"), &spec->replay_of);
  if (is_replay && spec->plan == NULL)
    return g_strdup ("a replay needs a \"plan\": \"channels\", \"shape\" and \"data\" as in a trajectory event");
  if (start == NULL || json_is_null (start))
    return NULL;
  if (is_replay)
    return g_strdup ("\"start\" is for the verbs \"optimise\", \"simulate\" and \"impact\"");
  spec->start = motion_from_json (start, &spec->start_from);
  if (json_is_array (json_object_get (start, "events")))
    spec->start_events = json_incref (json_object_get (start, "events"));
  spec->start_every = ssapp_interests_every (start);
  return spec->start != NULL ? NULL
                             : g_strdup ("\"start\" must have \"channels\", \"shape\" and \"data\" as in a "
                                         "trajectory event");
}

/* Where an optimiser is paused, and from where a run goes on. */
static char *
spec_pause_from_json (SsappJobSpec *spec, const json_t *job)
{
  const json_t *continued = json_object_get (job, "continued"), *pause_at = json_object_get (job, "pause_at");
  const json_int_t iteration = json_is_integer (pause_at) ? json_integer_value (pause_at) : -1;
  const gboolean goes_on = continued != NULL && !json_is_null (continued),
                 pauses = pause_at != NULL && !json_is_null (pause_at);

  if (pauses && spec->kind != SS_METHOD_OPTIMISER)
    return g_strdup ("\"pause_at\" is for the verb \"optimise\"");
  if (goes_on && spec->kind != SS_METHOD_OPTIMISER && spec->kind != SS_METHOD_INTEGRATOR)
    return g_strdup ("\"continued\" is for the verbs \"optimise\" and \"simulate\"");
  if (pauses && (iteration < 0 || iteration > G_MAXINT))
    return g_strdup ("\"pause_at\" must be an integer, not negative");
  spec->pause_at = (int)iteration;
  if (goes_on && (spec->start == NULL || !ssapp_continued_from_json (continued, &spec->continued)))
    return g_strdup ("\"continued\" needs a \"start\", and a \"state\" as in the result of a paused run");
  return NULL;
}

/* Where an impact is, and what is told of it. */
static char *
spec_impact_from_json (SsappJobSpec *spec, const json_t *job)
{
  static const char *const names[] = {"at", "touching", "tolerance", "planes"};
  const json_t *planes = json_object_get (job, "planes"), *plane;
  size_t k;

  for (guint i = 0; i < G_N_ELEMENTS (names) && spec->kind != SS_METHOD_IMPACT_LAW; i++)
    if (json_object_get (job, names[i]) != NULL)
      return g_strdup_printf ("\"%s\" is for the verb \"impact\"", names[i]);
  if (!optional_number (job, "at", &spec->at) || !optional_number (job, "touching", &spec->touching) ||
      !optional_number (job, "tolerance", &spec->tolerance) || spec->touching < 0 || spec->tolerance < 0)
    return g_strdup ("\"at\", \"touching\" and \"tolerance\" must be numbers, the last two not negative");
  if (!isnan (spec->at) && spec->start == NULL)
    return g_strdup ("\"at\" is a time of the motion \"start\", which is not given");
  if (planes != NULL && !json_is_null (planes) && !json_is_array (planes))
    return g_strdup ("\"planes\" must be a list of texts such as \"vn_A,vn_B\"");
  json_array_foreach (planes, k, plane)
  {
    if (!json_is_string (plane))
      return g_strdup ("\"planes\" must be a list of texts such as \"vn_A,vn_B\"");
    g_ptr_array_add (spec->planes, g_strdup (json_string_value (plane)));
  }
  return NULL;
}

/* A replay is a simulation; `optimize` is another way to write it. SS_METHOD_KIND_COUNT for others. */
static SsMethodKind
kind_of_verb (const char *verb)
{
  if (g_strcmp0 (verb, "replay") == 0)
    return SS_METHOD_INTEGRATOR;
  if (g_strcmp0 (verb, "optimize") == 0)
    return SS_METHOD_OPTIMISER;
  return verb != NULL ? ss_method_kind_of_verb (verb) : SS_METHOD_KIND_COUNT;
}

static char *
spec_names_from_json (SsappJobSpec *spec, const json_t *job)
{
  const char *id = ssapp_json_get_string (job, "id"), *verb = ssapp_json_get_string (job, "verb"),
             *method = ssapp_json_get_string (job, "method");

  if (!optional_text (job, "id") || !optional_text (job, "method") || !optional_text (job, "iterates"))
    return g_strdup ("\"id\", \"method\" and \"iterates\" must be texts");
  if (id != NULL && id[0] != '\0') {
    g_free (spec->id);
    spec->id = g_strdup (id);
  }
  spec->kind = kind_of_verb (verb);
  if (spec->kind == SS_METHOD_KIND_COUNT)
    return g_strdup_printf ("\"verb\" must be \"optimise\", \"simulate\", \"replay\" or \"impact\"%s%s",
                            verb != NULL ? ", not " : "", verb != NULL ? verb : "");
  if (method == NULL)
    return g_strdup ("a job needs a \"method\"");
  spec->method = g_strdup (method);
  return NULL;
}

static char *
spec_replay_from_json (SsappJobSpec *spec, const json_t *job)
{
  return spec->plan != NULL ? ssapp_replay_ask_from_json (&spec->replay, job) : NULL;
}

static char *
spec_seed_from_json (SsappJobSpec *spec, const json_t *job)
{
  const json_t *seed = json_object_get (job, "seed");

  if (seed == NULL || json_is_null (seed))
    return NULL;
  if (!json_is_integer (seed) || json_integer_value (seed) < 0)
    return g_strdup ("\"seed\" must be an integer, not negative");
  spec->seed = (guint64)json_integer_value (seed);
  spec->has_seed = TRUE;
  return NULL;
}

static char *
spec_numbers_from_json (SsappJobSpec *spec, const json_t *job)
{
  const json_t *limits = json_object_get (job, "limits");
  const struct {
    const json_t *object;
    const char *name;
    double *value;
  } numbers[] = {
      {job, "dt", &spec->dt},        {job, "t_end", &spec->t_end},        {job, "ways_on", &spec->ways_on},
      {job, "bound", &spec->bound},  {limits, "seconds", &spec->seconds}, {limits, "cpu_seconds", &spec->cpu_seconds},
      {limits, "work", &spec->work}, {limits, "bytes", &spec->bytes}};

  if (limits != NULL && !json_is_null (limits) && !json_is_object (limits))
    return g_strdup ("\"limits\" must be an object");
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (!optional_number (numbers[i].object, numbers[i].name, numbers[i].value))
      return g_strdup ("\"dt\", \"t_end\", \"ways_on\", \"bound\" and the limits \"seconds\", \"cpu_seconds\", "
                       "\"work\" and \"bytes\" must be numbers");
  if (spec->seconds < 0 || spec->cpu_seconds < 0 || spec->work < 0)
    return g_strdup ("the limits \"seconds\", \"cpu_seconds\" and \"work\" must not be negative");
  if (spec->bytes < SSAPP_MEMORY_LEAST)
    return g_strdup_printf ("the limit \"bytes\" must be at least %.0f: that much the worker itself needs",
                            SSAPP_MEMORY_LEAST);
  return NULL;
}

/* What is told of the run, and how often. */
static char *
spec_telling_from_json (SsappJobSpec *spec, const json_t *job)
{
  const json_t *every = json_object_get (job, "every"), *outcomes = json_object_get (job, "outcomes"),
               *sensitivity = json_object_get (job, "sensitivity");
  const char *iterates = ssapp_json_get_string (job, "iterates");
  const json_int_t rows = every != NULL ? json_integer_value (every) : 1;

  if (rows < 1 || rows > G_MAXINT || (every != NULL && !json_is_integer (every)))
    return g_strdup ("\"every\" must be an integer, 1 or more");
  spec->every = (int)rows;
  if (outcomes != NULL && !json_is_object (outcomes))
    return g_strdup ("\"outcomes\" must be an object: name to formula");
  g_ptr_array_unref (spec->outcomes);
  spec->outcomes = ssapp_interests_texts_from_json (outcomes);
  if (sensitivity != NULL && !json_is_string (sensitivity))
    return g_strdup ("\"sensitivity\" must be a text: names of numbers with commas between them");
  spec->sensitivity = g_strdup (json_string_value (sensitivity));
  if (iterates != NULL && !parse_iterates (iterates, &spec->keep_every))
    return g_strdup ("\"iterates\" must be \"all\", \"thin:N\" or \"none\"");
  return NULL;
}

SsappJobSpec *
ssapp_job_spec_from_json (const json_t *job, char **message)
{
  static char *(*const readers[]) (SsappJobSpec * spec, const json_t *job) = {
      spec_names_from_json,   spec_scenario_from_json, spec_options_from_json, spec_motions_from_json,
      spec_pause_from_json,   spec_replay_from_json,   spec_impact_from_json,  spec_seed_from_json,
      spec_numbers_from_json, spec_telling_from_json};
  SsappJobSpec *spec = ssapp_job_spec_new ();

  *message = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (readers) && *message == NULL; i++)
    *message = readers[i](spec, job);
  if (*message != NULL)
    g_clear_pointer (&spec, ssapp_job_spec_free);
  return spec;
}

char *
ssapp_job_spec_options_json (const SsappJobSpec *spec)
{
  g_return_val_if_fail (spec != NULL, NULL);
  json_t *object = json_object ();

  for (guint i = 0; i < spec->option_names->len; i++)
    json_object_set_new (object, g_ptr_array_index (spec->option_names, i),
                         json_string (g_ptr_array_index (spec->option_values, i)));
  char *text = ssapp_json_text (object, FALSE);
  json_decref (object);
  return text;
}

char *
ssapp_job_spec_parameters_json (const SsappJobSpec *spec)
{
  g_return_val_if_fail (spec != NULL, NULL);
  json_t *object = json_object ();

  for (guint i = 0; i < spec->parameter_names->len; i++)
    json_object_set_new (object, g_ptr_array_index (spec->parameter_names, i),
                         ssapp_json_real (g_array_index (spec->parameter_values, double, i)));
  char *text = ssapp_json_text (object, FALSE);
  json_decref (object);
  return text;
}
