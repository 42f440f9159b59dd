/* tests/unit/test-gallery.c: the examples inside the program: all there, readable, found by words; and the motions on
 * their cards belong to them. */
#include "app/document/ssapp-document.h"
#include "app/session/ssapp-gallery.h"
#include "tests/ss-test.h"

#include <math.h>

#define PREFIX "/org/stickslip/Stickslip"

/* The motions have four digits (data/gallery/make.py), relative to values up to 10. */
static const double DIGITS = 1e-3;

static void
test_all_examples_are_inside (void)
{
  g_autoptr (GPtrArray) gallery = ssapp_gallery_new (PREFIX);
  guint n_files = 0;
  g_autoptr (GDir) folders = g_dir_open (SS_SOURCE_ROOT "/examples", 0, NULL);
  const char *folder, *file;

  while ((folder = g_dir_read_name (folders)) != NULL) {
    g_autofree char *path = g_build_filename (SS_SOURCE_ROOT, "examples", folder, NULL);
    g_autoptr (GDir) files = g_dir_open (path, 0, NULL);
    while (files != NULL && (file = g_dir_read_name (files)) != NULL)
      n_files += g_str_has_suffix (file, ".stickslip.json") ? 1 : 0;
  }
  SS_CHECK (gallery->len == n_files);
  for (guint i = 0; i < gallery->len; i++) {
    const SsappExample *example = g_ptr_array_index (gallery, i);
    SS_CHECK (*example->title != '\0' && *example->summary != '\0' && *example->topic_title != '\0');
    for (guint k = i + 1; k < gallery->len; k++) /* the name alone opens it */
      SS_CHECK (strcmp (example->name, ((SsappExample *)g_ptr_array_index (gallery, k))->name) != 0);
  }
}

static void
test_search (void)
{
  g_autoptr (GPtrArray) gallery = ssapp_gallery_new (PREFIX);
  const SsappExample *box = ssapp_gallery_find (gallery, "push-box");

  SS_CHECK (ssapp_gallery_find (gallery, "no-such-example") == NULL);
  SS_CHECK (box != NULL && box->is_plan);
  const SsappExample *drawn = ssapp_gallery_find (gallery, "flip-block"),
                     *sketch = ssapp_gallery_find (gallery, "falling-box");
  SS_CHECK (drawn != NULL && drawn->is_plan && sketch != NULL && !sketch->is_plan);
  if (box == NULL)
    return;
  SS_CHECK (ssapp_example_matches (box, ""));
  SS_CHECK (ssapp_example_matches (box, "PUSH crisp"));
  SS_CHECK (!ssapp_example_matches (box, "push hopper"));
}

/* Each film of examples/measured belongs to one scene, and each of its columns is a channel of that scene's motions. */
/* Resource paths of an example's films. */
static GPtrArray *
list_films (const SsappExample *example)
{
  GPtrArray *films = g_ptr_array_new_with_free_func (g_free);
  const gsize stem = strlen (example->scenario) - strlen (SSAPP_SCENARIO_SUFFIX);
  gboolean is_there = TRUE;

  for (int i = 1; is_there; i++) {
    char *path = g_strdup_printf ("%.*s-%d.csv", (int)stem, example->scenario, i);
    is_there = g_resources_get_info (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL, NULL, NULL);
    if (is_there)
      g_ptr_array_add (films, path);
    else
      g_free (path);
  }
  return films;
}

static void
test_films_belong_to_their_examples (void)
{
  g_autoptr (GPtrArray) gallery = ssapp_gallery_new (PREFIX);
  g_autoptr (GDir) folder = g_dir_open (SS_SOURCE_ROOT "/examples/measured", 0, NULL);
  guint n_files = 0, n_films = 0;
  const char *file;

  while ((file = g_dir_read_name (folder)) != NULL)
    n_files += g_str_has_suffix (file, ".csv") ? 1 : 0;
  for (guint i = 0; i < gallery->len; i++) {
    const SsappExample *example = g_ptr_array_index (gallery, i);
    g_autoptr (GPtrArray) films = list_films (example);
    g_autoptr (SsappRun) run = ssapp_example_make_run (example, NULL);
    n_films += films->len;
    for (guint k = 0; k < films->len; k++) {
      g_autoptr (GBytes) bytes = g_resources_lookup_data (films->pdata[k], G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
      g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
      g_auto (GStrv) columns = g_strsplit (strtok (text, "\n"), ",", -1);
      SS_CHECK_STR (columns[0], "t");
      for (int c = 1; columns[c] != NULL; c++)
        SS_CHECK (ss_trajectory_channel (ssapp_run_get_trajectory (run), columns[c]) > 0);
    }
  }
  SS_CHECK (n_films == n_files && n_films > 0);
}

/* Every motion has finite rows, can be drawn, and starts where its example does. */
static void
test_motions_belong_to_their_examples (void)
{
  g_autoptr (GPtrArray) gallery = ssapp_gallery_new (PREFIX);
  guint n_motions = 0;

  for (guint i = 0; i < gallery->len; i++) {
    const SsappExample *example = g_ptr_array_index (gallery, i);
    g_autoptr (GError) error = NULL;
    g_autoptr (SsappRun) run = ssapp_example_make_run (example, &error);
    SsTrajectory *initial = NULL;
    SsError err;
    SS_CHECK (run != NULL && ssapp_run_get_view (run) != NULL);
    if (run == NULL || ssapp_run_get_view (run) == NULL)
      printf ("  %s\n", example->name);
    SS_CHECK (run == NULL || ssapp_run_has_motion (run) == (example->motion != NULL));
    if (run == NULL || example->motion == NULL)
      continue;
    n_motions++;
    const SsTrajectory *motion = ssapp_run_get_trajectory (run);
    for (int row = 0; row < motion->n_rows; row++)
      for (int c = 0; c < motion->n_channels; c++)
        SS_CHECK (isfinite (ss_trajectory_row (motion, row)[c]));
    SS_CHECK (ss_scenario_initial_trajectory (ssapp_run_get_scenario (run), &initial, &err) == SS_OK);
    const gboolean is_scene = ssapp_run_get_scenario (run)->scene != NULL;
    for (int c = 0; initial != NULL && is_scene && c < motion->n_channels; c++) {
      int column = ss_trajectory_channel (initial, motion->channels[c].name);
      SS_CHECK (column >= 0);
      if (column >= 0)
        SS_CHECK_NEAR (ss_trajectory_row (motion, 0)[c], ss_trajectory_row (initial, 0)[column], DIGITS);
    }
    ss_trajectory_free (initial);
  }
  SS_CHECK (n_motions > 0);
}

/* Cards say what an example is: no caption ends at the stop of an abbreviation or of a number, or begins with the
 * number of a figure. */
static void
test_captions (void)
{
  static const struct {
    const char *description, *summary;
  } cases[] = {
      {"Fig. 10: n equal disks, one above the other, are dropped.", "n equal disks"},
      {"Figs. 1 to 3: a mass on a spring (see there).", "a mass on a spring"},
      {"Tables 1 and 2: a square. More.", "a square"},
      {"A box of 0.2 x 0.05 m on two feet. It slides.", "A box of 0.2 x 0.05 m on two feet"},
      {"As in Fig. 4 a bob swings. It is heavy.", "As in Fig. 4 a bob swings"},
      {"A law, e.g. Coulomb's", "A law"},
      {"Drawn as in Fig. A", "Drawn as in Fig. A"},
      {"One body; two contacts", "One body"},
      {"x'' = -(k x + b v)/m by Euler", "x'' = -(k x + b v)/m by Euler"},
      {"What is far too long for a card and has no stop", "What is far too long for a card…"},
      {"", ""},
  };
  g_autoptr (GPtrArray) gallery = ssapp_gallery_new (PREFIX);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *summary = ssapp_example_summarise (cases[i].description);
    SS_CHECK_STR (summary, cases[i].summary);
  }
  for (guint i = 0; i < gallery->len; i++) {
    const char *summary = ((const SsappExample *)g_ptr_array_index (gallery, i))->summary;
    SS_CHECK (!g_str_has_suffix (summary, "Fig") && !g_str_has_suffix (summary, "Figs") &&
              !g_str_has_prefix (summary, "Fig") && !g_str_has_prefix (summary, "Table"));
  }
}

static void
test_bad_motions (void)
{
  SsTrajectory *motion = ssapp_motion_from_csv ("t,x\n0,1\n0.5\n1,2\n");
  SS_CHECK (motion != NULL && motion->n_rows == 2); /* a row that is too short is left out */
  ss_trajectory_free (motion);
  motion = ssapp_motion_from_csv ("t,x\n");
  SS_CHECK (motion != NULL && motion->n_rows == 0);
  ss_trajectory_free (motion);
}

int
main (void)
{
  SS_RUN (test_all_examples_are_inside);
  SS_RUN (test_search);
  SS_RUN (test_films_belong_to_their_examples);
  SS_RUN (test_motions_belong_to_their_examples);
  SS_RUN (test_captions);
  SS_RUN (test_bad_motions);
  return ss_test_finish ();
}
