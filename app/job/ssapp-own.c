/* app/job/ssapp-own.c: see the header. */
#include "app/job/ssapp-own.h"

#include "app/base/ssapp-file.h"
#include "app/base/ssapp-json.h"
#include "app/base/ssapp-text.h"
#include "app/job/ssapp-own-class.h"
#include "app/job/ssapp-own-private.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OPTIONS_MAX = 60, NAME_MAX_BYTES = 40, TEXT_MAX_BYTES = 600, ALIGNMENT = 8 };
#define FILE_MOST_BYTES ((gsize)1 << 20)
#define ALLOWED_FILE    "allowed.json"

static GPtrArray *all;      /* of SsappOwn; never freed: the registry borrows it */
static GPtrArray *problems; /* of char * */

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

char *
ssapp_own_data_folder (void)
{
  return g_build_filename (g_get_user_data_dir (), "stickslip", "methods", NULL);
}

static gboolean
is_name (const char *name)
{
  return name != NULL && g_ascii_islower (name[0]) && strlen (name) <= NAME_MAX_BYTES &&
         strspn (name, "abcdefghijklmnopqrstuvwxyz0123456789-_.") == strlen (name);
}

/* A text of the file, without what could steer a terminal; g_free. NULL with an error: it is none, or too long. */
static char *
take_text (const json_t *object, const char *key, const char *fallback, GError **error)
{
  const json_t *value = json_object_get (object, key);
  const char *text = value != NULL ? json_string_value (value) : fallback;

  if (text == NULL || strlen (text) > TEXT_MAX_BYTES) {
    ssapp_fail_input (error, "\"%s\" must be a text of at most %d bytes", key, TEXT_MAX_BYTES);
    return NULL;
  }
  return ssapp_text_visible (text, FALSE);
}

/* Only these keys, so that what is misspelled is told. */
static gboolean
check_keys (const json_t *object, const char *const *keys, GError **error)
{
  const char *key;
  json_t *value;

  json_object_foreach ((json_t *)object, key, value)
  {
    if (g_strv_contains (keys, key))
      continue;
    const char *nearest = ss_nearest_name (key, keys, (int)g_strv_length ((char **)keys));
    return nearest != NULL ? ssapp_fail_input (error, "unknown key \"%s\"; did you mean \"%s\"?", key, nearest)
                           : ssapp_fail_input (error, "unknown key \"%s\"", key);
  }
  return TRUE;
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

static const char *const type_names[] = {[SS_OPTION_REAL] = "real",
                                         [SS_OPTION_INTEGER] = "integer",
                                         [SS_OPTION_BOOLEAN] = "boolean",
                                         [SS_OPTION_CHOICE] = "choice",
                                         [SS_OPTION_TEXT] = "text"};

static size_t
size_of_type (SsOptionType type)
{
  return type == SS_OPTION_TEXT ? SS_OPTION_TEXT_MAX : type == SS_OPTION_REAL ? sizeof (double) : ALIGNMENT;
}

static gboolean
take_choices (const json_t *object, SsOptionSpec *spec, GError **error)
{
  const json_t *choices = json_object_get (object, "choices");
  const char *fallback = ssapp_json_get_string (object, "default");
  const size_t n = json_array_size (choices);
  char **names = g_new0 (char *, n + 1);

  spec->choices = (const char *const *)names;
  spec->fallback = -1;
  for (size_t i = 0; i < n; i++) {
    names[i] = g_strdup (json_string_value (json_array_get (choices, i)));
    if (!is_name (names[i]))
      return ssapp_fail_input (error, "the choices of option \"%s\" must be names in lower case", spec->name);
    if (fallback == NULL ? i == 0 : strcmp (names[i], fallback) == 0)
      spec->fallback = (double)i;
  }
  return spec->fallback >= 0 ||
         ssapp_fail_input (error, "the default of option \"%s\" is none of its choices", spec->name);
}

static gboolean
take_range (const json_t *object, SsOptionSpec *spec, GError **error)
{
  const double widest = spec->type == SS_OPTION_INTEGER ? G_MAXINT : G_MAXDOUBLE;
  const double low = ssapp_json_get_real (object, "minimum"), high = ssapp_json_get_real (object, "maximum");

  spec->minimum = isnan (low) ? -widest : low;
  spec->maximum = isnan (high) ? widest : high;
  spec->fallback = ssapp_json_get_real (object, "default");
  if (spec->fallback >= spec->minimum && spec->fallback <= spec->maximum && spec->minimum >= -widest &&
      spec->maximum <= widest && (spec->type == SS_OPTION_REAL || spec->fallback == floor (spec->fallback)))
    return TRUE;
  return ssapp_fail_input (error, "option \"%s\" needs a \"default\" within its range", spec->name);
}

/* What `methods --json` prints of an option. */
static gboolean
take_option (const json_t *object, SsOptionSpec *spec, GError **error)
{
  static const char *const keys[] = {"name", "type",   "minimum", "maximum", "default", "choices",
                                     "unit", "symbol", "common",  "summary", NULL};
  const char *type = ssapp_json_get_string (object, "type");
  int k = 0;

  if (!json_is_object (object) || !check_keys (object, keys, error))
    return json_is_object (object) ? FALSE : ssapp_fail_input (error, "\"options\" must be a list of objects");
  spec->name = g_strdup (ssapp_json_get_string (object, "name"));
  if (!is_name (spec->name))
    return ssapp_fail_input (error, "an option needs a \"name\" of letters in lower case, digits, - _ .");
  while (k < (int)G_N_ELEMENTS (type_names) && g_strcmp0 (type, type_names[k]) != 0)
    k++;
  if (k == (int)G_N_ELEMENTS (type_names))
    return ssapp_fail_input (error, "the \"type\" of option \"%s\" must be real, integer, boolean, choice or text",
                             spec->name);
  spec->type = (SsOptionType)k;
  spec->unit = take_text (object, "unit", "", error);
  spec->symbol = spec->unit != NULL ? take_text (object, "symbol", "", error) : NULL;
  spec->summary = spec->symbol != NULL ? take_text (object, "summary", "", error) : NULL;
  spec->common = !json_is_false (json_object_get (object, "common"));
  if (spec->summary == NULL)
    return FALSE;
  switch (spec->type) {
  case SS_OPTION_REAL:
  case SS_OPTION_INTEGER:
    return take_range (object, spec, error);
  case SS_OPTION_BOOLEAN:
    spec->fallback = json_is_true (json_object_get (object, "default"));
    return TRUE;
  case SS_OPTION_CHOICE:
    return take_choices (object, spec, error);
  case SS_OPTION_TEXT:
    break;
  }
  return TRUE;
}

/* The table of the file's options, behind the fields that every such method has. */
static const SsOptionTable *
take_options (const json_t *list, GError **error)
{
  const size_t n = json_array_size (list);
  SsOptionSpec *specs = g_new0 (SsOptionSpec, n + 1);
  SsOptionTable *table = g_new0 (SsOptionTable, 1);

  if ((list != NULL && !json_is_array (list)) || n > OPTIONS_MAX) {
    ssapp_fail_input (error, "\"options\" must be a list of at most %d options", OPTIONS_MAX);
    return NULL;
  }
  *table = (SsOptionTable){.n_specs = (int)n,
                           .specs = specs,
                           .size = sizeof (SsappOwnOptions),
                           .given_offset = offsetof (SsappOwnOptions, given),
                           .n_inner = 1};
  for (size_t i = 0; i < n; i++) {
    if (!take_option (json_array_get (list, i), &specs[i], error))
      return NULL;
    for (size_t k = 0; k < i; k++)
      if (strcmp (specs[k].name, specs[i].name) == 0) {
        ssapp_fail_input (error, "there are two options \"%s\"", specs[i].name);
        return NULL;
      }
    specs[i].offset = table->size;
    table->size += size_of_type (specs[i].type);
  }
  specs[n] = (SsOptionSpec){.name = "serial",
                            .type = SS_OPTION_REAL,
                            .offset = offsetof (SsappOwnOptions, serial),
                            .maximum = G_MAXDOUBLE,
                            .symbol = "",
                            .unit = "",
                            .summary = ""};
  return table;
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

/* The words of the command: what is a file beside the method's becomes a whole path, and is `named`. Those of a module
 * that a Python runs from there are `found`; where there are none nobody knows which files it has. */
static gboolean
take_command (SsappOwn *own, const json_t *list, const SsappOwnFiles *files, GPtrArray *named, GPtrArray **found,
              GError **error)
{
  const size_t n = json_array_size (list);
  g_auto (GStrv) words = g_new0 (char *, n + 1);
  const char *module = NULL;

  for (size_t i = 0; i < n; i++) {
    const char *word = json_string_value (json_array_get (list, i));
    if (word == NULL || word[0] == '\0')
      return ssapp_fail_input (error, "\"command\" must be a list of texts: a program and its arguments");
    words[i] = g_strdup (word);
  }
  if (n == 0)
    return ssapp_fail_input (error, "\"command\" must be a list of texts: a program and its arguments");
  const int at = ssapp_own_files_find_module (words, &module);
  *found = at >= 0 ? ssapp_own_files_of_module (files, module) : g_ptr_array_new ();
  if (at >= 0 && (*found)->len == 0)
    own->unhashed = g_strdup_printf ("module %s", module);
  own->is_module = at >= 0;
  for (int i = 0; i < (int)n; i++) {
    const gboolean is_beside = i != at && words[i][0] != '/' && ssapp_own_files_has (files, words[i]);
    if (is_beside || (words[i][0] == '/' && g_file_test (words[i], G_FILE_TEST_IS_REGULAR)))
      g_ptr_array_add (named, g_strdup (words[i]));
    if (!is_beside)
      continue;
    char *path = g_build_filename (files->folder, words[i], NULL);
    g_free (words[i]);
    words[i] = path;
  }
  own->command = g_steal_pointer (&words);
  return TRUE;
}

/* What the method is: a hash, and what it does not cover. */
static char *
make_version (const SsappOwn *own, const SsappOwnFiles *files, const char *text, gsize length, const GPtrArray *named,
              const GPtrArray *found, GError **error)
{
  g_autofree char *hash = ssapp_own_files_hash (files, text, length, named, found, error);

  if (hash == NULL || own->unhashed == NULL)
    return g_steal_pointer (&hash);
  return g_strdup_printf ("%s of its file alone, not of %s", hash, own->unhashed);
}

/* The file that the words of a command start; NULL: there is none. */
static char *
find_program (char **command)
{
  g_autofree char *path = g_find_program_in_path (command[0]);
  char *real = path != NULL ? realpath (path, NULL) : NULL;
  char *program = g_strdup (real);

  free (real);
  return program;
}

char *
ssapp_own_program_version (const SsappOwn *own)
{
  g_return_val_if_fail (own != NULL, NULL);
  g_autofree char *content = NULL;
  gsize size;

  if (own->program == NULL || !ssapp_read_file (own->program, 0, &content, &size, NULL))
    return NULL;
  g_autofree char *sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *)content, size);
  return g_strconcat ("sha256:", sum, NULL);
}

static gboolean
take_kind (const json_t *object, SsMethod *method, GError **error)
{
  const char *kind = ssapp_json_get_string (object, "kind");

  method->kind = kind != NULL ? ss_method_kind_of_verb (kind) : SS_METHOD_KIND_COUNT;
  if (method->kind == SS_METHOD_KIND_COUNT && kind != NULL)
    method->kind = ss_method_kind_find (kind);
  if (method->kind == SS_METHOD_INTEGRATOR || method->kind == SS_METHOD_OPTIMISER)
    return TRUE;
  return ssapp_fail_input (error, "\"kind\" must be \"simulate\" or \"optimise\"");
}

/* The class that the engine calls, with the method's own names and options. */
static void
make_class (SsMethod *method, const char *version, const SsOptionTable *options)
{
  method->options = options;
  if (method->kind == SS_METHOD_INTEGRATOR) {
    SsIntegratorClass *class_ = g_memdup2 (&ssapp_own_integrator, sizeof ssapp_own_integrator);
    class_->name = method->name;
    class_->label = method->label;
    class_->summary = method->summary;
    class_->solves = method->solves;
    class_->options = options;
    method->integrator = class_;
  } else {
    SsNlpClass *class_ = g_memdup2 (&ssapp_own_optimiser, sizeof ssapp_own_optimiser);
    class_->name = method->name;
    class_->label = method->label;
    class_->summary = method->summary;
    class_->version = version;
    class_->options = options;
    method->nlp = class_;
  }
}

static gboolean
fill_own (SsappOwn *own, const json_t *object, const SsappOwnFiles *files, const char *text, gsize length,
          GError **error)
{
  static const char *const keys[] = {"format", "name",    "kind",    "title",    "summary",
                                     "solves", "command", "options", "patience", NULL};
  SsMethod *method = &own->method;
  const json_t *format = json_object_get (object, "format");

  if (json_integer_value (format) != SSAPP_OWN_FORMAT)
    return ssapp_fail_input (error, "\"format\" must be %d: this program knows no other", SSAPP_OWN_FORMAT);
  if (!check_keys (object, keys, error) || !take_kind (object, method, error))
    return FALSE;
  method->name = g_strdup (ssapp_json_get_string (object, "name"));
  if (!is_name (method->name))
    return ssapp_fail_input (error, "\"name\" must be at most %d letters in lower case, digits, - _ .", NAME_MAX_BYTES);
  method->label = take_text (object, "title", method->name, error);
  method->summary = method->label != NULL ? take_text (object, "summary", NULL, error) : NULL;
  method->solves = method->summary != NULL ? take_text (object, "solves", "", error) : NULL;
  if (method->solves == NULL)
    return FALSE;
  own->patience =
      json_object_get (object, "patience") != NULL ? ssapp_json_get_real (object, "patience") : SSAPP_OWN_PATIENCE;
  if (!(own->patience > 0) || !isfinite (own->patience))
    return ssapp_fail_input (error, "\"patience\" must be a positive number of seconds");
  g_autoptr (GPtrArray) named = g_ptr_array_new_with_free_func (g_free), found = NULL;
  if (!take_command (own, json_object_get (object, "command"), files, named, &found, error))
    return FALSE;
  own->version = make_version (own, files, text, length, named, found, error);
  own->program = find_program (own->command);
  const SsOptionTable *options =
      own->version != NULL ? take_options (json_object_get (object, "options"), error) : NULL;
  if (options == NULL)
    return FALSE;
  method->version = own->version;
  make_class (method, own->version, options);
  return TRUE;
}

SsappOwn *
ssapp_own_read (const SsappOwnFiles *files, const char *name, GError **error)
{
  g_return_val_if_fail (files != NULL && name != NULL, NULL);
  g_autofree char *text = NULL, *path = g_build_filename (files->folder, name, NULL);
  gsize length = 0;
  json_error_t where;

  if (!ssapp_own_files_read (files, name, &text, &length, error))
    return NULL;
  if (length > FILE_MOST_BYTES) {
    ssapp_fail_input (error, "it is too large for a method's file");
    return NULL;
  }
  json_t *object = json_loadb (text, length, JSON_REJECT_DUPLICATES, &where);
  SsappOwn *own = g_new0 (SsappOwn, 1);
  gboolean ok = json_is_object (object);

  own->file = g_canonicalize_filename (path, NULL);
  if (!ok)
    ssapp_fail_input (error, "line %d: %s", where.line, where.text);
  ok = ok && fill_own (own, object, files, text, length, error);
  json_decref (object);
  return ok ? own : NULL;
}

/* Of a file on this machine. */
static SsappOwn *
read_own (const char *file, GError **error)
{
  g_autofree char *whole = g_canonicalize_filename (file, NULL), *folder = g_path_get_dirname (whole),
                  *name = g_path_get_basename (whole);

  return ssapp_own_read (&(SsappOwnFiles){.folder = folder}, name, error);
}

/* ---- the registry ------------------------------------------------------------------------------------------------ */

static void
note_problem (const char *file, const char *message)
{
  g_ptr_array_add (problems, g_strdup_printf ("%s: %s", file, message));
}

static void
add_own (SsappOwn *own)
{
  SsError error;

  if (ss_method_add (&own->method, &error) == SS_OK)
    g_ptr_array_add (all, own);
  else
    note_problem (own->file, error.message);
}

static void
read_file (const char *file)
{
  g_autoptr (GError) error = NULL;
  SsappOwn *own = read_own (file, &error);

  if (own != NULL)
    add_own (own);
  else
    note_problem (file, error->message);
}

/* Files of methods in a folder, in the order of their names; of char *. */
static GPtrArray *
list_files (const char *folder)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, SSAPP_OWN_ENDING))
      g_ptr_array_add (files, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (files, ssapp_text_compare);
  return files;
}

static void
read_folder (const char *folder)
{
  g_autoptr (GPtrArray) files = list_files (folder);

  for (guint i = 0; i < files->len; i++)
    read_file (g_ptr_array_index (files, i));
}

/* ---- what the user has allowed ----------------------------------------------------------------------------------- */

/* What is remembered of a file; of earlier versions of this program its `version` alone, as a text. */
static json_t *
allowed_to_json (const SsappOwn *own)
{
  g_autofree char *version = ssapp_own_program_version (own);
  json_t *object = json_pack ("{s:s}", "version", own->version);
  GStatBuf now;

  if (version == NULL || g_stat (own->program, &now) != 0)
    return object;
  json_object_set_new (object, "program", json_string (own->program));
  json_object_set_new (object, "program_version", json_string (version));
  json_object_set_new (object, "size", json_integer ((json_int_t)now.st_size));
  json_object_set_new (object, "modified", json_integer ((json_int_t)now.st_mtime));
  return object;
}

/* What has changed since then: a file, borrowed; NULL: nothing. A program of the same size and time is not read. */
static const char *
find_change (const SsappOwn *own, const json_t *then)
{
  const char *program = ssapp_json_get_string (then, "program");
  GStatBuf now;

  if (g_strcmp0 (own->version,
                 json_is_object (then) ? ssapp_json_get_string (then, "version") : json_string_value (then)) != 0)
    return own->file;
  if (program == NULL)
    return NULL;
  if (g_strcmp0 (own->program, program) != 0)
    return own->program != NULL ? own->program : program;
  if (g_stat (program, &now) == 0 && now.st_size == json_integer_value (json_object_get (then, "size")) &&
      now.st_mtime == json_integer_value (json_object_get (then, "modified")))
    return NULL;
  g_autofree char *version = ssapp_own_program_version (own);
  return g_strcmp0 (version, ssapp_json_get_string (then, "program_version")) == 0 ? NULL : own->program;
}

/* {"FILE": {"version": "sha256:...", ...}, ...}; new reference. */
static json_t *
read_allowed (void)
{
  g_autofree char *folder = ssapp_own_data_folder (), *file = g_build_filename (folder, ALLOWED_FILE, NULL),
                  *text = NULL;
  json_t *object = NULL;

  if (ssapp_read_file (file, FILE_MOST_BYTES, &text, NULL, NULL))
    object = json_loads (text, 0, NULL);
  if (json_is_object (object))
    return object;
  json_decref (object);
  return json_object ();
}

/* A method whose file is not as it was allowed is listed, with what to do. */
static void
add_changed (SsappOwn *own, const char *change, const json_t *then)
{
  const char *project = ssapp_json_get_string (then, "project");
  g_autofree char *quoted = g_shell_quote (project != NULL ? project : own->file);

  own->method.integrator = NULL;
  own->method.nlp = NULL;
  if (project != NULL) /* its files are a copy, which nobody is meant to change */
    own->method.why_not = g_strdup_printf ("not run: %s has changed since it was allowed; `stickslip-cli methods "
                                           "--allow %s --project %s` writes it as that project keeps it",
                                           change, own->method.name, quoted);
  else
    own->method.why_not = g_strdup_printf (
        "not run: %s has changed since it was allowed; `stickslip-cli methods --allow %s` allows it as it is now",
        change, quoted);
  add_own (own);
  g_ptr_array_remove (all, own);
}

static void
read_all_allowed (void)
{
  json_t *allowed = read_allowed (), *value;
  const char *file;

  json_object_foreach (allowed, file, value)
  {
    g_autoptr (GError) error = NULL;
    SsappOwn *own = g_file_test (file, G_FILE_TEST_EXISTS) ? read_own (file, &error) : NULL;
    const char *change = own != NULL ? find_change (own, value) : NULL;

    if (own != NULL && change == NULL)
      add_own (own);
    else if (own != NULL)
      add_changed (own, change, value);
    else if (error != NULL)
      note_problem (file, error->message);
  }
  json_decref (allowed);
}

char *
ssapp_own_beside (const char *scenario_file, const char *name)
{
  if (scenario_file == NULL || !is_name (name))
    return NULL;
  g_autofree char *folder = g_path_get_dirname (scenario_file), *base = g_strconcat (name, SSAPP_OWN_ENDING, NULL);
  g_autofree char *path = g_build_filename (folder, base, NULL);
  return g_file_test (path, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer (&path) : NULL;
}

const SsappOwn *
ssapp_own_allow (const char *file, GError **error)
{
  return ssapp_own_allow_as (file, NULL, NULL, error);
}

const SsappOwn *
ssapp_own_allow_as (const char *file, const char *version, const char *project, GError **error)
{
  g_autofree char *folder = ssapp_own_data_folder (), *place = g_build_filename (folder, ALLOWED_FILE, NULL);
  SsappOwn *own = read_own (file, error);

  if (own == NULL) {
    g_prefix_error (error, "%s: ", file);
    return NULL;
  }
  if (version != NULL && strcmp (version, own->version) != 0) {
    ssapp_fail_input (error, "%s: it has changed since it was shown", file);
    return NULL;
  }
  json_t *allowed = read_allowed ();
  json_t *now = allowed_to_json (own);
  if (project != NULL) {
    g_autofree char *whole = g_canonicalize_filename (project, NULL);
    json_object_set_new (now, "project", json_string (whole));
  }
  json_object_set_new (allowed, own->file, now);
  g_autofree char *text = ssapp_json_text (allowed, TRUE);
  json_decref (allowed);
  if (g_mkdir_with_parents (folder, 0700) != 0) {
    ssapp_set_file_error (error, folder, "make", errno);
    return NULL;
  }
  if (!ssapp_write_file (place, text, -1, error))
    return NULL;
  if (all != NULL && ss_method_lookup (ss_method_id (&own->method)) == NULL)
    add_own (own);
  return own;
}

/* ---- the doors --------------------------------------------------------------------------------------------------- */

void
ssapp_own_read_all (void)
{
  g_autofree char *folder = ssapp_own_data_folder ();
  const char *named = g_getenv ("STICKSLIP_METHODS");

  if (all != NULL)
    return;
  all = g_ptr_array_new ();
  problems = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) folders = g_strsplit (named != NULL ? named : "", ":", -1);
  for (int i = 0; folders[i] != NULL; i++)
    if (folders[i][0] != '\0')
      read_folder (folders[i]);
  read_folder (folder);
  read_all_allowed ();
}

const GPtrArray *
ssapp_own_problems (void)
{
  ssapp_own_read_all ();
  return problems;
}

gboolean
ssapp_own_is_known (const SsappOwn *own)
{
  g_return_val_if_fail (own != NULL, FALSE);
  for (guint i = 0; all != NULL && i < all->len; i++)
    if (strcmp (((const SsappOwn *)g_ptr_array_index (all, i))->version, own->version) == 0)
      return TRUE;
  json_t *allowed = read_allowed ();
  const json_t *then = json_object_get (allowed, own->file);
  const gboolean is = then != NULL && find_change (own, then) == NULL;

  json_decref (allowed);
  return is;
}

GPtrArray *
ssapp_own_list_beside (const char *scenario_file)
{
  g_return_val_if_fail (scenario_file != NULL, NULL);
  g_autofree char *folder = g_path_get_dirname (scenario_file);
  g_autoptr (GPtrArray) files = list_files (folder);
  GPtrArray *found = g_ptr_array_new ();

  for (guint i = 0; i < files->len; i++) {
    SsappOwn *own = read_own (g_ptr_array_index (files, i), NULL);
    if (own != NULL && !ssapp_own_is_known (own))
      g_ptr_array_add (found, own);
  }
  return found;
}

const SsappOwn *
ssapp_own_find (const SsMethod *method)
{
  g_return_val_if_fail (method != NULL, NULL);
  for (guint i = 0; all != NULL && method->version != NULL && i < all->len; i++) {
    const SsappOwn *own = g_ptr_array_index (all, i);
    if (ss_method_id_is_equal (ss_method_id (&own->method), ss_method_id (method)))
      return own;
  }
  return NULL;
}

const SsappOwn *
ssapp_own_find_by_name (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);
  for (guint i = 0; all != NULL && i < all->len; i++) {
    const SsappOwn *own = g_ptr_array_index (all, i);
    if (strcmp (own->method.name, name) == 0)
      return own;
  }
  return NULL;
}

void
ssapp_own_bind (void *options, SsappOwnRun *run)
{
  static int serial;
  SsappOwnOptions *own = options;

  own->run = run;
  own->serial = g_atomic_int_add (&serial, 1) + 1;
}
