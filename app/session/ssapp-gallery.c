/* app/session/ssapp-gallery.c: see the header. Words are the scenario's own unless the tables below have shorter
 * ones. */
#include "app/session/ssapp-gallery.h"

#include <glib/gi18n.h>
#include <jansson.h>
#include <string.h>

#include "app/document/ssapp-document.h"

/* Longest summary made from a description [characters]: about what a card can show. */
enum { SUMMARY_LENGTH = 34 };

/* Folders in the order of the page; others follow by name. */
static const struct {
  const char *folder, *title, *source;
} topics[] = {
    {"crisp", N_ ("Contact-implicit planning"), "Li et al. 2025, CRISP"},
    {"sketches", N_ ("First sketches"), N_ ("draw, drop, watch")},
    {"plans", N_ ("Plans for what is drawn"), N_ ("give a body a goal, press Solve")},
    {"set-valued", N_ ("Set-valued impacts"), "Halm and Posa"},
    {"impacts", N_ ("Set-valued impacts"), "Halm and Posa"},
    {"fesd-j", N_ ("Switch detection"), "Nurkanović et al. 2023, FESD-J"},
    {"time-freezing", N_ ("Time freezing"), "Nurkanović et al."},
    {"constraint-solver", N_ ("First-order constraint solver"), N_ ("Drumwright")},
    {"measured", N_ ("Measured motions"), N_ ("films, and what they tell")},
    {"classics", N_ ("Classics"), N_ ("mechanisms and contacts with known answers")},
};

/* Examples in the order of their topic, and a few words for the card; others follow by title, with words from their
 * description. */
static const struct {
  const char *name, *summary;
} words[] = {
    {"push-box", N_ ("18 targets, one contact at a time")},
    {"cartpole", N_ ("swing up between soft walls")},
    {"hopper", N_ ("flight and stance are found")},
    {"waiter", N_ ("pull the plate off the table")},
    {"push-t", N_ ("eight faces to push on")},
    {"transport", N_ ("carry a payload by friction alone")},
    {"falling-box", N_ ("lands on a corner, tips, rests")},
    {"push-box-with-disc", N_ ("a push, a stop, one pose")},
    {"flip-block", N_ ("a finger turns it over its edge")},
    {"ball-into-bucket", N_ ("one bounce, then in")},
    {"cart-pole-walls", N_ ("swing up between hard walls")},
    {"finger-drag", N_ ("two links pull by friction")},
    {"discs-around-obstacle", N_ ("one disc pushes another around")},
    {"three-boxes", N_ ("sort them by pushing")},
    {"hopper-leg", N_ ("hop there and stand")},
    {"around-corner", N_ ("round a corner without a wall")},
    {"bouncing-disc", N_ ("three films: friction, restitution")},
    {"sliding-crate", N_ ("three films: is there a drag?")},
    {"rocking-tower", N_ ("one film: a bound for friction")},
    {"bouncing-ball", N_ ("infinitely many impacts, one limit")},
    {"rocking-block", N_ ("corner to corner until it rests")},
    {"painleve-rod", N_ ("chalk on a board: it jams")},
    {"ball-on-ramp", N_ ("one rolls, one slides")},
    {"newtons-cradle", N_ ("five balls, one after the other")},
    {"domino-row", N_ ("one push, a wave")},
    {"card-house", N_ ("seven cards held by friction")},
    {"box-pyramid", N_ ("stands still, however high")},
    {"compass-walker", N_ ("two legs down a slope, no motor")},
    {"belt-block", N_ ("stick and slip on a moving belt")},
    {"held-pendulum", N_ ("a motor in the hinge")},
    {"four-bar", N_ ("crank, coupler, rocker")},
    {"slider-crank", N_ ("turning into sliding")},
    {"driven-arm", N_ ("a motor that holds a speed, a joint that rubs")},
    {"rolling-discs", N_ ("one is resisted, one rolls on")},
    {"gear-train", N_ ("two wheels coupled by a formula")},
    {"gear-hoist", N_ ("lifts a weight against a brake that sticks")},
    {"cam-follower", N_ ("lifted by a formula, held by its weight")},
    {"slack-rope", N_ ("free until it is taut")},
    {"tether", N_ ("a rope that goes slack on the way up")},
    {"bead-on-wire", N_ ("slides on a parabola")},
    {"turning-wire", N_ ("thrown along a formula of the time")},
};

/* With its texts, which must be there; the array of ssapp_gallery_new does it by itself. */
static void
example_free (SsappExample *example)
{
  g_free (example->name);
  g_free (example->topic);
  g_free (example->topic_title);
  g_free (example->source);
  g_free (example->title);
  g_free (example->summary);
  g_free (example->description);
  g_free (example->scenario);
  g_free (example->motion);
  g_free (example);
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

static guint
topic_rank (const char *folder)
{
  guint i = 0;
  while (i < G_N_ELEMENTS (topics) && strcmp (topics[i].folder, folder) != 0)
    i++;
  return i;
}

static guint
name_rank (const char *name)
{
  guint i = 0;
  while (i < G_N_ELEMENTS (words) && strcmp (words[i].name, name) != 0)
    i++;
  return i;
}

/* "billiard-tables" as "Billiard tables". */
static char *
title_from_folder (const char *folder)
{
  char *title = g_strdelimit (g_strdup (folder), "-_", ' ');
  *title = g_ascii_toupper (*title);
  return title;
}

/* The stop ends a sentence: a capital or nothing follows, and the word before is no abbreviation ("Fig. 10" goes
 * on). */
static gboolean
ends_sentence (const char *text, const char *stop)
{
  static const char *const abbreviations[] = {"Fig", "Figs", "Eq",  "Eqs", "Sec", "Secs", "Tab",   "No",
                                              "Nos", "e.g",  "i.e", "cf",  "vs",  "al",   "approx"};
  const char *next = stop + 1, *word = stop;

  while (g_ascii_isspace (*next))
    next++;
  if (next == stop + 1 && *next != '\0')
    return FALSE;
  while (word > text && !g_ascii_isspace (word[-1]) && word[-1] != '(')
    word--;
  for (guint i = 0; i < G_N_ELEMENTS (abbreviations); i++)
    if (strlen (abbreviations[i]) == (gsize)(stop - word) &&
        strncmp (abbreviations[i], word, (gsize)(stop - word)) == 0)
      return FALSE;
  return *next == '\0' || g_unichar_isupper (g_utf8_get_char (next));
}

/* Length of the first clause: up to a colon, semicolon, comma or parenthesis with a space on its outer side, or to the
 * end of the sentence. */
static gsize
clause_length (const char *text)
{
  for (const char *p = text; *p != '\0'; p++) {
    if (*p == '.' ? ends_sentence (text, p) : strchr (":;,", *p) != NULL && (p[1] == '\0' || g_ascii_isspace (p[1])))
      return (gsize)(p - text);
    if (*p == '(' && p > text && g_ascii_isspace (p[-1]))
      return (gsize)(p - text);
  }
  return strlen (text);
}

/* Behind "Fig. 10: " and the like, which say where the example is from and not what it is. */
static const char *
skip_reference (const char *description)
{
  static const char *const places[] = {"Fig.",    "Figs.", "Figure", "Table",   "Sec.",
                                       "Section", "Eq.",   "Eqs.",   "Equation"};
  gsize length = clause_length (description);

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    if (g_str_has_prefix (description, places[i]) && description[length] == ':')
      return description + length + 1 + strspn (description + length + 1, " ");
  return description;
}

char *
ssapp_example_summarise (const char *description)
{
  const char *begin = skip_reference (description);
  g_autofree char *text = g_strchomp (g_strndup (begin, clause_length (begin))), *cut = NULL;
  char *space;

  if (g_utf8_strlen (text, -1) <= SUMMARY_LENGTH)
    return g_steal_pointer (&text);
  cut = g_utf8_substring (text, 0, SUMMARY_LENGTH);
  space = strrchr (cut, ' ');
  if (space != NULL)
    *space = '\0';
  return g_strconcat (cut, "…", NULL);
}

static char *
text_member (json_t *root, const char *key)
{
  const char *text = json_string_value (json_object_get (root, key));
  return g_strdup (text != NULL ? text : "");
}

/* ---- finding ----------------------------------------------------------------------------------------------------- */

static SsappExample *
read_example (const char *prefix, const char *folder, const char *file)
{
  g_autofree char *path = g_strdup_printf ("%s/examples/%s/%s", prefix, folder, file);
  g_autofree char *motion = NULL;
  g_autoptr (GBytes) bytes = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  SsappExample *example;
  guint topic = topic_rank (folder), name;
  gsize length = 0;
  const char *data = bytes != NULL ? g_bytes_get_data (bytes, &length) : NULL;
  json_t *root = data != NULL ? json_loadb (data, length, 0, NULL) : NULL;

  if (root == NULL)
    return NULL;
  example = g_new0 (SsappExample, 1);
  example->name = g_strndup (file, strlen (file) - strlen (SSAPP_SCENARIO_SUFFIX));
  example->topic = g_strdup (folder);
  example->topic_title =
      topic < G_N_ELEMENTS (topics) ? g_strdup (_ (topics[topic].title)) : title_from_folder (folder);
  example->source = g_strdup (topic < G_N_ELEMENTS (topics) ? _ (topics[topic].source) : "");
  example->title = text_member (root, "title");
  if (*example->title == '\0') {
    g_free (example->title);
    example->title = title_from_folder (example->name);
  }
  example->description = text_member (root, "description");
  name = name_rank (example->name);
  example->summary =
      name < G_N_ELEMENTS (words) ? g_strdup (_ (words[name].summary)) : ssapp_example_summarise (example->description);
  example->is_plan =
      json_object_get (root, "model") != NULL || json_object_get (json_object_get (root, "task"), "targets") != NULL;
  example->scenario = g_strdup (path);
  json_decref (root);
  motion = g_strdup_printf ("%s/gallery/%s.csv", prefix, example->name);
  if (g_resources_get_info (motion, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL, NULL, NULL))
    example->motion = g_steal_pointer (&motion);
  return example;
}

static int
by_topic (gconstpointer a, gconstpointer b)
{
  const SsappExample *x = *(SsappExample *const *)a, *y = *(SsappExample *const *)b;
  guint topic_x = topic_rank (x->topic), topic_y = topic_rank (y->topic), name_x = name_rank (x->name),
        name_y = name_rank (y->name);

  if (topic_x != topic_y)
    return topic_x < topic_y ? -1 : 1;
  if (strcmp (x->topic, y->topic) != 0)
    return strcmp (x->topic, y->topic);
  if (name_x != name_y)
    return name_x < name_y ? -1 : 1;
  return g_utf8_collate (x->title, y->title);
}

/* Of two files of one name, that of the later folder is known by its folder too; words and motion of the name are the
 * other one's. */
static void
tell_apart (GPtrArray *gallery)
{
  for (guint i = 0; i < gallery->len; i++)
    for (guint k = 0; k < gallery->len; k++) {
      SsappExample *later = g_ptr_array_index (gallery, i);
      const SsappExample *earlier = g_ptr_array_index (gallery, k);
      if (strcmp (later->name, earlier->name) != 0 || strcmp (later->topic, earlier->topic) <= 0)
        continue;
      g_autofree char *name = later->name;
      later->name = g_strdup_printf ("%s/%s", later->topic, name);
      g_free (later->summary);
      later->summary = ssapp_example_summarise (later->description);
      g_clear_pointer (&later->motion, g_free);
    }
}

GPtrArray *
ssapp_gallery_new (const char *prefix)
{
  GPtrArray *gallery = g_ptr_array_new_with_free_func ((GDestroyNotify)example_free);
  g_autofree char *root = g_strdup_printf ("%s/examples", prefix);
  g_auto (GStrv) folders = g_resources_enumerate_children (root, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  for (int i = 0; folders != NULL && folders[i] != NULL; i++) {
    g_autofree char *folder = g_strndup (folders[i], strcspn (folders[i], "/")),
                    *path = g_strdup_printf ("%s/%s", root, folder);
    g_auto (GStrv) files = g_resources_enumerate_children (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
    for (int k = 0; files != NULL && files[k] != NULL; k++) {
      SsappExample *example =
          g_str_has_suffix (files[k], SSAPP_SCENARIO_SUFFIX) ? read_example (prefix, folder, files[k]) : NULL;
      if (example != NULL)
        g_ptr_array_add (gallery, example);
    }
  }
  tell_apart (gallery);
  g_ptr_array_sort (gallery, by_topic);
  return gallery;
}

const SsappExample *
ssapp_gallery_find (GPtrArray *gallery, const char *name)
{
  g_return_val_if_fail (gallery != NULL && name != NULL, NULL);
  const char *slash = strchr (name, '/');
  g_autofree char *topic = slash != NULL ? g_strndup (name, (gsize)(slash - name)) : NULL;

  for (guint i = 0; i < gallery->len; i++) {
    const SsappExample *example = g_ptr_array_index (gallery, i);
    if (strcmp (example->name, name) == 0 ||
        (slash != NULL && strcmp (example->topic, topic) == 0 && strcmp (example->name, slash + 1) == 0))
      return example;
  }
  return NULL;
}

gboolean
ssapp_example_matches (const SsappExample *example, const char *search)
{
  g_return_val_if_fail (example != NULL, FALSE);
  g_autofree char *all = g_strjoin (" ", example->title, example->summary, example->topic_title, example->source,
                                    example->name, example->description, NULL),
                  *folded = g_utf8_casefold (all, -1), *wanted = g_utf8_casefold (search, -1);
  g_auto (GStrv) parts = g_strsplit (wanted, " ", -1);

  for (int i = 0; parts[i] != NULL; i++)
    if (strstr (folded, parts[i]) == NULL)
      return FALSE;
  return TRUE;
}

/* ---- content ----------------------------------------------------------------------------------------------------- */

static char *
load (const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, error);
  gsize length = 0;
  const char *data = bytes != NULL ? g_bytes_get_data (bytes, &length) : NULL;

  return data != NULL ? g_strndup (data, length) : NULL;
}

char *
ssapp_example_load_text (const SsappExample *example, GError **error)
{
  g_return_val_if_fail (example != NULL, NULL);
  return load (example->scenario, error);
}

SsTrajectory *
ssapp_motion_from_csv (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_auto (GStrv) names = NULL;
  g_autofree double *row = NULL;
  SsTrajectory *trajectory = NULL;
  guint n;
  SsError err;

  if (lines[0] == NULL)
    return NULL;
  names = g_strsplit (g_strstrip (lines[0]), ",", -1);
  n = g_strv_length (names);
  row = g_new0 (double, n + 1);
  if (ss_trajectory_new_named ((const char *const *)names, (int)n, 0, &trajectory, &err) != SS_OK)
    return NULL;
  for (int line = 1; lines[line] != NULL; line++) {
    const char *p = g_strstrip (lines[line]);
    guint column = 0;
    for (char *end = NULL; *p != '\0' && column < n; column++, p = *end == ',' ? end + 1 : end)
      row[column] = g_ascii_strtod (p, &end);
    if (column == n && ss_trajectory_append (trajectory, row, &err) != SS_OK) {
      ss_trajectory_free (trajectory);
      return NULL;
    }
  }
  return trajectory;
}

SsappRun *
ssapp_example_make_run (const SsappExample *example, GError **error)
{
  g_return_val_if_fail (example != NULL, NULL);

  g_autofree char *text = ssapp_example_load_text (example, error), *csv = NULL;
  const SsMethod *method = ss_method_default (example->is_plan ? SS_METHOD_OPTIMISER : SS_METHOD_INTEGRATOR);
  SsappRun *run = text != NULL ? ssapp_run_new (text, method, error) : NULL;
  SsTrajectory *trajectory;

  csv = run != NULL && example->motion != NULL ? load (example->motion, NULL) : NULL;
  trajectory = csv != NULL ? ssapp_motion_from_csv (csv) : NULL;
  if (trajectory != NULL)
    ssapp_run_take_answer (run, trajectory, NULL);
  return run;
}
