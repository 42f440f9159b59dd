/* tests/unit/test-document-fields.c: every field of every object of the examples, as the inspector has them. Truth: the
 * file's JSON, read by itself: a field shows the number that stands there, and a change is that number's and nothing
 * else's, one step, taken back and done again to the byte; units of motors are those of the engine's channels. */
#include "ss-test-document.h"

#include <glib.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

static const double DEG = 180 / 3.14159265358979323846;

static const char *const lists[] = {"scene.joints", "scene.springs",  "scene.actuators", "scene.forces",
                                    "scene.notes",  "scene.measures", "scene.materials", "scene.constraints",
                                    "task.targets", "task.bounds",    "task.cost",       "task.constraints"};

typedef struct {
  GHashTable *seen; /* how often a field was asked: a name of a list's path -> number */
  int n_files, n_shown, n_set, n_refused, n_choices, n_motors;
  int n_names[SS_OWNER_COUNT]; /* that were found */
} Counts;

/* What stands in a file at "scene.bodies[1].mass"; NULL: nothing. */
static json_t *
at_path (json_t *root, const char *path, json_t **owner, char **key, int *index)
{
  json_t *at = root;

  *owner = NULL;
  while (at != NULL && *path != '\0') {
    char *end;
    *owner = at;
    g_clear_pointer (key, g_free);
    if (*path == '[') {
      *index = (int)strtol (path + 1, &end, 10);
      at = json_array_get (at, (size_t)*index);
      path = end + 1;
    } else {
      path += *path == '.';
      const size_t length = strcspn (path, ".[");
      *key = g_strndup (path, length);
      at = json_object_get (at, *key);
      path += length;
    }
  }
  return at;
}

/* The number at a path; NAN: none. */
static double
number_at (const char *text, const char *path)
{
  json_t *root = json_loads (text, JSON_DECODE_INT_AS_REAL, NULL), *owner;
  char *key = NULL;
  int index;
  const json_t *value = at_path (root, path, &owner, &key, &index);
  const double number = json_is_number (value) ? json_number_value (value) : (double)NAN;

  g_free (key);
  json_decref (root);
  return number;
}

/* Whether both files have the same but for what is at a path. */
static bool
is_same_beside (const char *one, const char *other, const char *path)
{
  json_t *roots[2] = {json_loads (one, JSON_DECODE_INT_AS_REAL, NULL),
                      json_loads (other, JSON_DECODE_INT_AS_REAL, NULL)};

  for (int i = 0; i < 2; i++) {
    json_t *owner;
    char *key = NULL;
    int index = 0;

    if (at_path (roots[i], path, &owner, &key, &index) != NULL && key != NULL)
      json_object_del (owner, key);
    else if (json_is_array (owner) && key == NULL)
      json_array_set_new (owner, (size_t)index, json_null ());
    g_free (key);
  }
  const bool is_same = json_equal (roots[0], roots[1]);
  json_decref (roots[0]);
  json_decref (roots[1]);
  return is_same;
}

/* After an edit that was one step: back and on again, and back. */
static void
check_step (SsappDocument *document, const char *before)
{
  g_autofree char *after = g_strdup (ssapp_document_get_text (document));

  ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), before);
  ssapp_document_redo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), after);
  ssapp_document_undo (document);
}

static void
check_choices (SsappDocument *document, const SsappField *field, const char *before, Counts *counts)
{
  g_autofree char *was = ssapp_document_get_choice (document, field->path);
  bool is_there = strcmp (was, "all") == 0 || strcmp (was, "still") == 0; /* what is meant where the file is silent */

  for (int i = 0; field->choices[i] != NULL; i += 2) {
    g_autoptr (GError) error = NULL;
    is_there = is_there || strcmp (was, field->choices[i]) == 0;
    if (strcmp (was, field->choices[i]) == 0 ||
        !ssapp_document_set_choice (document, field->path, field->choices[i], &error))
      continue;
    g_autofree char *is = ssapp_document_get_choice (document, field->path);
    SS_CHECK_STR (is, field->choices[i]);
    SS_CHECK (is_same_beside (before, ssapp_document_get_text (document), field->path));
    check_step (document, before);
    counts->n_choices++;
  }
  if (!is_there)
    printf ("%s: %s\n", field->path, was);
  SS_CHECK (is_there);
}

static void
check_number (SsappDocument *document, const SsappField *field, const char *before, Counts *counts)
{
  const bool is_angle = strcmp (field->unit, "deg") == 0;
  const double is = number_at (before, field->path), scale = is_angle ? DEG : 1;
  g_autofree char *shown = ssapp_document_get_field (document, field->path, is_angle ? "deg" : "");
  g_autoptr (GError) error = NULL;

  if (isnan (is) || shown == NULL)
    return;
  counts->n_shown++;
  /* as many digits as people read */
  SS_CHECK (fabs (g_ascii_strtod (shown, NULL) - is * scale) <= 1e-5 * fabs (is * scale) + 1e-12);
  const double want = is * 1.125 + (is == 0 ? 0.25 : 0);
  g_autofree char *text = g_strdup_printf ("%.17g", want * scale);
  if (!ssapp_document_set_field (document, field->path, text, is_angle ? "deg" : "", &error)) {
    SS_CHECK (error != NULL && *error->message != '\0');
    SS_CHECK_STR (ssapp_document_get_text (document), before);
    counts->n_refused++;
    return;
  }
  counts->n_set++;
  SS_CHECK_NEAR (number_at (ssapp_document_get_text (document), field->path), want, 1e-12 * fabs (want));
  /* a body that changes its shape changes its weight, and the parts of a normal are of one length */
  SS_CHECK (strstr (field->path, ".shape") != NULL ||
            is_same_beside (before, ssapp_document_get_text (document), field->path));
  check_step (document, before);
}

/* A field of many entries is asked some times. */
static bool
is_frequent (Counts *counts, const char *path)
{
  enum { ENOUGH = 6 };
  g_autoptr (GString) name = g_string_new (NULL);

  for (const char *at = path; *at != '\0'; at++)
    if (!g_ascii_isdigit (*at))
      g_string_append_c (name, *at);
  const int n = GPOINTER_TO_INT (g_hash_table_lookup (counts->seen, name->str)) + 1;
  g_hash_table_insert (counts->seen, g_strdup (name->str), GINT_TO_POINTER (n));
  return n > ENOUGH;
}

static void
check_fields (SsappDocument *document, const char *path, Counts *counts)
{
  g_autoptr (GPtrArray) fields = ssapp_document_list_fields (document, path);
  g_autofree char *before = g_strdup (ssapp_document_get_text (document));

  for (guint i = 0; i < fields->len; i++) {
    const SsappField *field = g_ptr_array_index (fields, i);
    SS_CHECK (g_str_has_prefix (field->path, path) && field->title != NULL && *field->title != '\0' &&
              field->unit != NULL);
    if (is_frequent (counts, field->path))
      continue;
    if (field->choices != NULL)
      check_choices (document, field, before, counts);
    else
      check_number (document, field, before, counts);
  }
}

/* The engine's own word for what a motor gives is the unit of its channel. */
static void
check_motor (SsappDocument *document, const char *path, const char *name, Counts *counts)
{
  const SsScenario *scenario = ssapp_document_get_scenario (document);
  g_autoptr (GPtrArray) fields = ssapp_document_list_fields (document, path);
  g_autofree char *channel = g_strdup_printf ("u.%s", name);
  SsTrajectory *motion = NULL;

  SS_CHECK (ss_scene_trajectory_new (scenario->scene, 1, &motion, NULL) == SS_OK);
  const int at = motion != NULL ? ss_trajectory_channel (motion, channel) : -1;
  SS_CHECK (at > 0);
  for (guint i = 0; at > 0 && i < fields->len; i++) {
    const SsappField *field = g_ptr_array_index (fields, i);
    if (!g_str_has_suffix (field->path, ".lower") && !g_str_has_suffix (field->path, ".upper"))
      continue;
    SS_CHECK_STR (field->unit, motion->channels[at].unit);
    counts->n_motors++;
  }
  ss_trajectory_free (motion);
}

/* What has a channel is found by its owner's name; the item itself has that name. */
static void
check_names (const SsScene *scene, Counts *counts)
{
  char name[SS_CHANNEL_NAME_MAX];

  for (int c = 0; c < ss_scene_n_channels (scene); c++) {
    const SsChannel channel = ss_scene_channel (scene, c, name, sizeof name);
    if (channel.owner == SS_OWNER_SCENE)
      continue;
    const int i = ss_scene_find (scene, channel.owner, channel.owner_name);
    const char *found = i < 0                                ? ""
                        : channel.owner == SS_OWNER_BODY     ? scene->bodies[i].name
                        : channel.owner == SS_OWNER_CONTACT  ? scene->contacts[i].name
                        : channel.owner == SS_OWNER_JOINT    ? scene->joints[i].name
                        : channel.owner == SS_OWNER_ACTUATOR ? scene->actuators[i].name
                        : channel.owner == SS_OWNER_SPRING   ? scene->springs[i].name
                                                             : scene->measures[i].name;
    SS_CHECK_STR (found, channel.owner_name);
    counts->n_names[channel.owner]++;
  }
  for (int owner = 0; owner < SS_OWNER_COUNT; owner++)
    SS_CHECK (ss_scene_find (scene, (SsOwner)owner, "no such name") == -1);
}

static void
check_file (const char *path, Counts *counts)
{
  g_autoptr (SsappDocument) document = ssapp_document_new ();

  if (!ssapp_document_load_file (document, path, NULL))
    return;
  counts->n_files++;
  const SsScenario *scenario = ssapp_document_get_scenario (document);
  if (scenario == NULL || scenario->scene == NULL)
    return;
  const int n_bodies = scenario->scene->n_bodies; /* edits make another scenario */
  check_names (scenario->scene, counts);
  for (guint l = 0; l < G_N_ELEMENTS (lists); l++) {
    g_autoptr (GPtrArray) items = ssapp_document_list_items (document, lists[l]);
    /* entries of a kind repeat */
    for (guint i = 0; i < MIN (items->len, 3); i++) {
      const SsappItem *item = g_ptr_array_index (items, i);
      if (item->is_family)
        continue;
      if (strcmp (lists[l], "scene.actuators") == 0)
        check_motor (document, item->path, item->name, counts);
      check_fields (document, item->path, counts);
    }
  }
  for (int body = 0; body < MIN (n_bodies, 3); body++) {
    g_autofree char *shape = ssapp_document_shape_path (document, body, 0);
    if (shape != NULL)
      check_fields (document, shape, counts);
  }
  check_fields (document, "task", counts);
  check_fields (document, "task.free_time", counts);
}

static void
check_folder (const char *path, Counts *counts)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *child = g_build_filename (path, name, NULL);
    if (g_file_test (child, G_FILE_TEST_IS_DIR))
      check_folder (child, counts);
    else if (g_str_has_suffix (name, ".stickslip.json"))
      check_file (child, counts);
  }
}

static void
test_examples (void)
{
  Counts counts = {.seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL)};

  check_folder (SS_SOURCE_ROOT "/examples", &counts);
  g_hash_table_unref (counts.seen);
  printf ("# %d files, %d numbers shown, %d changed, %d refused, %d choices, %d limits of motors\n", counts.n_files,
          counts.n_shown, counts.n_set, counts.n_refused, counts.n_choices, counts.n_motors);
  SS_CHECK (counts.n_shown > 100 && counts.n_set > 10 * counts.n_refused && counts.n_choices > 50 &&
            counts.n_motors > 30);
  for (int owner = SS_OWNER_BODY; owner < SS_OWNER_MEASURE; owner++) /* no example has a measure */
    SS_CHECK (counts.n_names[owner] > 0);
}

int
main (void)
{
  SS_RUN (test_examples);
  return ss_test_finish ();
}
