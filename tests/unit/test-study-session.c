/* tests/unit/test-study-session.c: the studies of a window without a window: edits stored at once and taken back, what
 * can vary and the values that are suggested, a study of real runs of the push box with its set, the marked problem,
 * tables and files, the same project in another session. */
#include "app/session/ssapp-outcome-ideas.h"
#include "app/session/ssapp-study-session.h"
#include "app/study/ssapp-study-ideas.h"
#include "tests/ss-test.h"

#include <glib/gstdio.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Each run takes a few hundredths of a second; a busy machine gets its time. */
enum { GIVE_UP_SECONDS = 600 }; /* a guard */

static SsappSession *
session_with (const char *example)
{
  SsappSession *session = ssapp_session_new ();
  g_autofree char *path = g_build_filename (SS_SOURCE_ROOT, "examples", example, NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  SS_CHECK (g_file_get_contents (path, &text, NULL, NULL));
  SS_CHECK (ssapp_document_load_text (ssapp_session_get_document (session), text, -1, NULL, &error));
  return session;
}

static gboolean
on_give_up (gpointer data)
{
  *(gboolean *)data = TRUE;
  return G_SOURCE_REMOVE;
}

/* Until nothing runs and nothing waits to be read. */
static void
wait_for_study (SsappStudySession *study)
{
  gboolean gave_up = FALSE;
  guint timer = g_timeout_add_seconds (GIVE_UP_SECONDS, on_give_up, &gave_up);
  SsappStudyProgress progress;

  do {
    g_main_context_iteration (NULL, TRUE);
    ssapp_study_session_get_progress (study, &progress);
  } while (ssapp_study_session_is_running (study) && !gave_up);
  while (g_main_context_iteration (NULL, FALSE)) {}
  SS_CHECK (!gave_up);
  if (!gave_up)
    g_source_remove (timer);
}

static gboolean
on_quiet (gpointer data)
{
  *(gboolean *)data = TRUE;
  return G_SOURCE_REMOVE;
}

/* The set is read again half a second after the last time at the latest. */
static void
wait_for_set (void)
{
  gboolean is_quiet = FALSE;

  g_timeout_add (700, on_quiet, &is_quiet);
  while (!is_quiet)
    g_main_context_iteration (NULL, TRUE);
}

static json_t *
status_of (SsappStudySession *study)
{
  g_autofree char *text = ssapp_study_session_dup_status (study);

  return json_loads (text, JSON_DECODE_ANY, NULL);
}

/* The tasks of an edited study are counted for some milliseconds at once and, where a busy machine did not count them
 * all, in the moments after. */
static void
wait_for_tasks (SsappStudySession *study)
{
  gboolean gave_up = FALSE;
  guint timer = g_timeout_add_seconds (GIVE_UP_SECONDS, on_give_up, &gave_up);

  while (ssapp_study_session_get_set (study) == NULL && !gave_up)
    g_main_context_iteration (NULL, TRUE);
  SS_CHECK (!gave_up);
  if (!gave_up)
    g_source_remove (timer);
}

static void
check_status (SsappStudySession *study, const char *member, int expected)
{
  wait_for_tasks (study);
  json_t *status = status_of (study);
  const int found = (int)json_integer_value (json_object_get (status, member));

  if (found != expected)
    printf ("%s: %d, not %d\n", member, found, expected);
  SS_CHECK (found == expected);
  json_decref (status);
}

/* What the project has, read by a session of its own. */
static void
check_stored (SsappStudySession *study, const char *part)
{
  g_autoptr (GPtrArray) list = ssapp_study_session_list (study);

  SS_CHECK (list->len > 0);
  SS_CHECK_CONTAINS (((const SsappStudyRow *)g_ptr_array_index (list, 0))->definition, part);
}

/* ---- edits ------------------------------------------------------------------------------------------------------- */

static void
edits_are_stored_and_taken_back (void)
{
  g_autoptr (SsappSession) session = session_with ("crisp/push-box.stickslip.json");
  SsappStudySession *study = ssapp_session_get_study (session);
  g_autoptr (GError) error = NULL;

  SS_CHECK (ssapp_study_session_get_study (study) == NULL);
  g_autofree char *none = ssapp_study_session_dup_status (study);
  SS_CHECK_STR (none, "null");
  SS_CHECK (!ssapp_study_session_set_axis (study, "mu", "0.5", NULL));
  SS_CHECK (ssapp_session_get_store (session) == NULL);
  SS_CHECK (ssapp_study_session_add (study, &error));
  SS_CHECK (ssapp_session_get_store (session) != NULL && ssapp_session_is_untitled (session));
  SS_CHECK (ssapp_study_session_get_study (study)->methods->len == 2); /* what the Run page has chosen */
  check_status (study, "tasks", 2);

  SS_CHECK (ssapp_study_session_set_axis (study, "mu", "0.1, 0.5", &error));
  SS_CHECK (ssapp_study_session_set_axis (study, "j", "0:8:3", &error));
  check_status (study, "tasks", 12);
  check_stored (study, "0:8:3");
  SS_CHECK (!ssapp_study_session_set_axis (study, "nonsense", "1", &error));
  SS_CHECK (error != NULL && strlen (error->message) > 10);
  g_clear_error (&error);
  SS_CHECK (!ssapp_study_session_set_axis (study, "mu", "0.1, much", NULL));
  check_status (study, "tasks", 12);
  SS_CHECK_STR (ssapp_study_session_get_undo_label (study), "Add Axis j");

  SS_CHECK (ssapp_study_session_move_axis (study, "j", -1, &error));
  SS_CHECK_STR (((SsappStudyAxis *)g_ptr_array_index (ssapp_study_session_get_study (study)->axes, 0))->name, "j");
  SS_CHECK (!ssapp_study_session_move_axis (study, "j", -1, NULL));
  SS_CHECK (ssapp_study_session_remove_axis (study, "mu", &error));
  check_status (study, "tasks", 6);
  for (int k = 0; k < 3; k++)
    SS_CHECK (ssapp_study_session_undo (study, &error));
  check_status (study, "tasks", 4);
  for (int k = 0; k < 3; k++)
    SS_CHECK (ssapp_study_session_redo (study, &error));
  check_status (study, "tasks", 6);
  SS_CHECK (!ssapp_study_session_redo (study, NULL));
  SS_CHECK (ssapp_study_session_undo (study, &error));
  check_stored (study, "0.1, 0.5");

  SS_CHECK (ssapp_study_session_set_method (study, -1, "crisp:relax=10", &error));
  SS_CHECK (ssapp_study_session_get_study (study)->methods->len == 3);
  SS_CHECK (!ssapp_study_session_set_method (study, -1, "crisp:relax=ten", NULL));
  SS_CHECK (!ssapp_study_session_set_method (study, 7, "crisp", NULL));
  SS_CHECK (ssapp_study_session_set_method (study, 1, "crisp:relax=20", &error));
  g_autofree char *text = ssapp_study_session_dup_method (study, 1);
  SS_CHECK_STR (text, "crisp:relax=20");
  SS_CHECK (ssapp_study_session_remove_method (study, 1, &error));
  check_status (study, "tasks", 12);
}

/* A study's scene changes for a sketch of the project, or for the document as it is. */
static void
a_study_takes_a_sketch (void)
{
  g_autoptr (SsappSession) session = session_with ("crisp/push-box.stickslip.json");
  SsappStudySession *study = ssapp_session_get_study (session);
  SsappDocument *document = ssapp_session_get_document (session);
  g_autoptr (GError) error = NULL;

  SS_CHECK (ssapp_study_session_add (study, &error));
  g_autofree char *id = ssapp_store_add_sketch (ssapp_session_get_store (session), "Another Box",
                                                ssapp_document_get_text (document), &error);
  SS_CHECK (id != NULL);
  SS_CHECK (ssapp_study_session_set_scenario (study, id, &error));
  SS_CHECK_STR (ssapp_study_session_get_study (study)->scenario_name, "Another Box");
  SS_CHECK_STR (ssapp_study_session_get_study (study)->scenario_text, ssapp_document_get_text (document));
  SS_CHECK (!ssapp_study_session_set_scenario (study, "no-such-sketch", &error) && error != NULL);
  g_clear_error (&error);
  SS_CHECK_STR (ssapp_study_session_get_study (study)->scenario_name, "Another Box");
  SS_CHECK (ssapp_study_session_set_scenario (study, "", &error));
  SS_CHECK_STR (ssapp_study_session_get_study (study)->scenario_name, ssapp_document_get_name (document));
  SS_CHECK (ssapp_study_session_undo (study, &error));
  SS_CHECK_STR (ssapp_study_session_get_study (study)->scenario_name, "Another Box");
}

static void
limits_are_read_and_refused (void)
{
  g_autoptr (SsappSession) session = session_with ("crisp/push-box.stickslip.json");
  SsappStudySession *study = ssapp_session_get_study (session);
  g_autoptr (GError) error = NULL;

  SS_CHECK (ssapp_study_session_add (study, &error));
  SS_CHECK (ssapp_study_session_set_limit (study, "cpu", "12", &error));
  SS_CHECK (ssapp_study_session_set_limit (study, "memory", "4", &error));
  SS_CHECK (ssapp_study_session_set_limit (study, "workers", "2", &error));
  SS_CHECK (ssapp_study_session_get_study (study)->memory_limit == 4e9);
  SS_CHECK (ssapp_study_session_set_limit (study, "bound", "3", &error));
  SS_CHECK (ssapp_study_session_get_study (study)->bound == 3);
  SS_CHECK (ssapp_study_session_set_limit (study, "bound", "", &error));
  g_autofree char *words = ssapp_study_session_dup_limits_words (study);
  SS_CHECK_STR (words, "2 at once, 12 s of CPU time, 4 GB each");
  SS_CHECK (!ssapp_study_session_set_limit (study, "cpu", "-1", NULL));
  SS_CHECK (!ssapp_study_session_set_limit (study, "workers", "1.5", NULL));
  SS_CHECK (!ssapp_study_session_set_limit (study, "draw", "sobol", NULL));
  SS_CHECK (!ssapp_study_session_set_limit (study, "colour", "1", NULL));
  SS_CHECK (ssapp_study_session_set_limit (study, "cpu", "", &error));
  SS_CHECK (isnan (ssapp_study_session_get_study (study)->cpu_limit));
  const char *label = ssapp_study_session_get_undo_label (study);
  SS_CHECK (ssapp_study_session_set_limit (study, "cpu", "", &error)); /* what it was: no step */
  SS_CHECK (ssapp_study_session_get_undo_label (study) == label);
  /* A range asks for a number of draws, which has a usual one. */
  SS_CHECK (ssapp_study_session_set_axis (study, "mu", "0.1..0.9", &error));
  check_status (study, "tasks", 40);
  SS_CHECK (ssapp_study_session_set_limit (study, "samples", "7", &error));
  check_status (study, "tasks", 14);
}

/* ---- what can vary ----------------------------------------------------------------------------------------------- */

static const SsappVarying *
find_varying (GPtrArray *list, const char *name)
{
  for (guint k = 0; k < list->len; k++) {
    const SsappVarying *varying = g_ptr_array_index (list, k);
    if (strcmp (varying->name, name) == 0)
      return varying;
  }
  return NULL;
}

static void
check_suggestion (const SsappVarying *varying, SsappAxisForm form, const char *expected)
{
  g_autofree char *text = varying != NULL ? ssapp_varying_suggest (varying, form) : NULL;

  SS_CHECK_STR (text != NULL ? text : "", expected);
}

static void
what_can_vary_is_listed (void)
{
  g_autoptr (SsappSession) session = session_with ("crisp/push-box.stickslip.json");
  SsappStudySession *study = ssapp_session_get_study (session);

  SS_CHECK (ssapp_study_session_add (study, NULL));
  g_autoptr (GPtrArray) list = ssapp_study_list_varying (ssapp_study_session_get_study (study));
  const SsappVarying *mu = find_varying (list, "mu"), *j = find_varying (list, "j");
  SS_CHECK (mu != NULL && j != NULL && find_varying (list, "seed") != NULL);
  SS_CHECK (find_varying (list, "xt") == NULL); /* a formula: it follows j */
  SS_CHECK (find_varying (list, "dt") == NULL); /* equations have their own step */
  SS_CHECK (find_varying (list, "crisp.relax") != NULL || list->len > 10);
  SS_CHECK_STR (mu->now, "0.5");
  check_suggestion (mu, SSAPP_AXIS_LIST, "0.5");
  check_suggestion (mu, SSAPP_AXIS_GRID, "0.25:1:5");
  check_suggestion (mu, SSAPP_AXIS_LOG, "0.05:5:5log");
  check_suggestion (j, SSAPP_AXIS_GRID, "0:17:2"); /* 0 to 17 in whole steps: no more than the two ends */
  /* Whatever is suggested is taken. */
  for (guint k = 0; k < list->len; k++)
    for (int form = SSAPP_AXIS_LIST; form <= SSAPP_AXIS_RANGE; form++) {
      const SsappVarying *varying = g_ptr_array_index (list, k);
      g_autoptr (GError) error = NULL;
      if (!varying->is_number || varying->kind == SSAPP_AXIS_OPTION || (form == SSAPP_AXIS_LOG && varying->is_integer))
        continue;
      g_autofree char *text = ssapp_varying_suggest (varying, (SsappAxisForm)form),
                      *words = ssapp_study_session_try_axis (study, varying->name, text, &error);
      if (words == NULL)
        printf ("%s %s: %s\n", varying->name, text, error->message);
      SS_CHECK (words != NULL);
    }
  g_autofree char *words = ssapp_study_session_try_axis (study, "mu", "0.1:0.9:9", NULL);
  SS_CHECK_STR (words, "9 values: 0.1, 0.2, 0.3, 0.4, 0.5, 0.6 to 0.9; 18 runs");
  SS_CHECK (ssapp_study_session_get_undo_label (study) == NULL); /* nothing was changed by trying */
}

static void
bodies_can_vary (void)
{
  g_autoptr (SsappSession) session = session_with ("sketches/falling-box.stickslip.json");
  SsappStudySession *study = ssapp_session_get_study (session);

  SS_CHECK (ssapp_study_session_add (study, NULL));
  const SsappStudy *made = ssapp_study_session_get_study (study);
  g_autoptr (GPtrArray) list = ssapp_study_list_varying (made);
  SS_CHECK (find_varying (list, "dt") != NULL);
  for (guint k = 0; k < list->len; k++) { /* each name is one that a study knows */
    const SsappVarying *varying = g_ptr_array_index (list, k);
    g_autoptr (GError) error = NULL;
    g_autofree char *words = ssapp_study_session_try_axis (study, varying->name, varying->values, &error);
    if (words == NULL)
      printf ("%s %s: %s\n", varying->name, varying->values, error->message);
    SS_CHECK (words != NULL);
  }
}

/* The fields of an idea with a name, as one text. */
static char *
dup_idea (SsappStudySession *study, guint k)
{
  g_autoptr (GPtrArray) ideas = ssapp_study_list_ideas (ssapp_study_session_get_study (study));
  const SsappAxisIdea *idea = k < ideas->len ? g_ptr_array_index (ideas, k) : NULL;

  return idea == NULL ? g_strdup ("")
                      : g_strdup_printf (
                            "%s=%s %s%s%s", idea->name, idea->values, idea->method != NULL ? idea->method->name : "-",
                            idea->with_name != NULL ? " with " : "", idea->with_name != NULL ? idea->with_name : "");
}

static void
check_idea (SsappStudySession *study, guint k, const char *expected)
{
  g_autofree char *idea = dup_idea (study, k);
  SS_CHECK_STR (idea, expected);
}

/* A plan's methods make room for a simulator, by an idea and by hand; one step back brings them again. */
static void
axes_are_suggested (void)
{
  g_autoptr (SsappSession) session = session_with ("fesd-j/three-boxes.stickslip.json");
  SsappStudySession *study = ssapp_session_get_study (session);
  g_autoptr (GError) error = NULL;

  SS_CHECK (ssapp_study_session_add (study, NULL));
  check_idea (study, 0, "event-driven.law=newton, anitescu-potra, sequential, set-valued event-driven with box1.vx");
  check_idea (study, 1, "third_reference=2.5:10:5 -");
  check_idea (study, 2,
              "box1.vx=0:10:5 -"); /* all are at rest: the first body, 6 m to the third, (2 g 6 m)^.5 = 10.8 m/s */
  check_idea (study, 3, "box2-box3.restitution=0:1:5 -"); /* of box1-box2 it is 0 */
  SS_CHECK (!ssapp_study_session_take_idea (study, "box9.vx", &error));
  g_clear_error (&error);
  SS_CHECK (ssapp_study_session_take_idea (study, "event-driven.law", &error));
  check_status (study, "tasks", 20); /* at five speeds of the first box, since nothing strikes in a scene at rest */
  check_idea (study, 0, "third_reference=2.5:10:5 -");
  g_autofree char *words = ssapp_study_session_try_method (study, -1, "scholtes", &error);
  SS_CHECK_STR (words, "Homotopy, in the place of 1 method; 5 runs"); /* and the axis of an option goes */
  SS_CHECK (ssapp_study_session_set_method (study, -1, "ipopt", &error));
  check_status (study, "tasks", 5);
  SS_CHECK (ssapp_study_session_undo (study, &error));
  check_status (study, "tasks", 20);
  SS_CHECK (ssapp_study_session_undo (study, &error));
  check_status (study, "tasks", 1);
  g_autofree char *method = ssapp_study_session_dup_method (study, 0);
  SS_CHECK_STR (method, "scholtes");
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static guint
count_state (const SsappRunSet *set, SsappRunState state)
{
  guint n = 0;

  for (guint i = 0; i < set->items->len; i++)
    n += g_array_index (set->items, SsappRunItem, i).state == state;
  return n;
}

static void
check_file (SsappStudySession *study, SsappStudyPart part, const char *folder, const char *name, const char *begins)
{
  g_autofree char *path = g_build_filename (folder, name, NULL), *text = NULL;
  g_autoptr (GError) error = NULL;

  if (!ssapp_study_session_export (study, part, 88, path, &error))
    printf ("%s: %s\n", name, error->message);
  SS_CHECK (error == NULL);
  SS_CHECK (g_file_get_contents (path, &text, NULL, NULL));
  SS_CHECK (text != NULL && strstr (text, begins) != NULL);
}

static void
check_profiles (SsappStudySession *study, const char *wanted)
{
  g_autofree char *words = g_strjoinv (" ", (char **)ssapp_study_session_list_choices (study, SSAPP_STUDY_PROFILE));
  SS_CHECK_STR (words, wanted);
}

static void
check_look (SsappStudySession *study, const char *home)
{
  const SsappRunSet *set = ssapp_study_session_get_set (study);
  const guint first = 0;

  ssapp_study_session_select_items (study, &first, 1);
  g_autofree char *words = ssapp_study_session_dup_selected_words (study);
  SS_CHECK_STR (words, "μ 0.1, j 0");
  for (guint i = 0; i < set->items->len; i++) /* methods change fastest: the first two tasks are one problem */
    SS_CHECK (ssapp_study_session_is_item_selected (study, i) == (i < 2));
  ssapp_study_session_step_selected (study, 1, 1);
  g_autofree char *stepped = ssapp_study_session_dup_selected_words (study);
  SS_CHECK_STR (stepped, "μ 0.5, j 4");
  ssapp_study_session_step_selected (study, 9, 0); /* not beyond the maps */
  g_autofree char *edge = ssapp_study_session_dup_selected_words (study);
  SS_CHECK_STR (edge, "μ 0.5, j 4");
  ssapp_study_session_select_items (study, NULL, 0);
  SS_CHECK (ssapp_study_session_get_selected (study) == NULL);

  g_autoptr (SsappTable) table = ssapp_study_session_make_table (study, SSAPP_STUDY_RUNS);
  SS_CHECK (ssapp_table_get_n_rows (table) == 8);
  SS_CHECK (ssapp_study_session_get_table_items (study)->len == 8);
  g_autofree char *csv = ssapp_table_write (table, SSAPP_TABLE_CSV);
  SS_CHECK (g_str_has_prefix (csv, "method,mu,j,objective,"));
  for (int part = 0; part < SSAPP_STUDY_RUNS; part++) {
    const char *const *keys = ssapp_study_session_list_choices (study, (SsappStudyPart)part);
    for (guint k = 0; keys[k] != NULL; k++) { /* every choice makes a figure with a title and a table */
      g_autofree char *key = g_strdup (keys[k]);
      SS_CHECK (ssapp_study_session_set_choice (study, (SsappStudyPart)part, key));
      SS_CHECK (*ssapp_chart_get_title (ssapp_study_session_get_chart (study, (SsappStudyPart)part)) != '\0');
      g_autoptr (SsappTable) numbers = ssapp_study_session_make_table (study, (SsappStudyPart)part);
      SS_CHECK (ssapp_table_get_n_columns (numbers) > 0);
    }
  }
  SS_CHECK (!ssapp_study_session_set_choice (study, SSAPP_STUDY_HEAT, "nonsense"));
  SS_CHECK (ssapp_study_session_set_choice (study, SSAPP_STUDY_HEAT, "objective/best"));
  check_file (study, SSAPP_STUDY_HEAT, home, "heat.svg", "<svg");
  check_file (study, SSAPP_STUDY_RUNS, home, "runs.tex", "\\toprule");
  g_autofree char *wrong = g_build_filename (home, "heat.docx", NULL);
  SS_CHECK (!ssapp_study_session_export (study, SSAPP_STUDY_HEAT, 88, wrong, NULL));
  g_autofree char *folder = g_build_filename (home, "figures", NULL);
  SS_CHECK (ssapp_study_session_export_all (study, 180, folder, NULL) > 5);
  ssapp_study_session_set_hidden (study, 1, TRUE);
  SS_CHECK (ssapp_study_session_is_hidden (study, 1) && !ssapp_study_session_is_hidden (study, 0));
  ssapp_study_session_set_hidden (study, 1, FALSE);
}

static void
a_study_is_run (void)
{
  g_autoptr (SsappSession) session = session_with ("crisp/push-box.stickslip.json");
  SsappStudySession *study = ssapp_session_get_study (session);
  g_autoptr (GError) error = NULL;
  g_autofree char *home = g_strdup (g_getenv ("XDG_DATA_HOME"));
  g_autofree char *path = NULL;

  SS_CHECK (ssapp_study_session_add (study, &error));
  SS_CHECK (ssapp_study_session_set_method (study, 1, "crisp:relax=10", &error));
  SS_CHECK (ssapp_study_session_set_axis (study, "mu", "0.1, 0.5", &error));
  SS_CHECK (ssapp_study_session_set_axis (study, "j", "0, 4", &error));
  wait_for_tasks (study);
  SS_CHECK (ssapp_study_session_get_set (study)->items->len == 8); /* before the first run: all cells are there */
  SS_CHECK (count_state (ssapp_study_session_get_set (study), SSAPP_RUN_QUEUED) == 8);
  g_autofree char *command = ssapp_study_session_dup_command (study);
  SS_CHECK_CONTAINS (command, "sweep");
  SS_CHECK_CONTAINS (command, "crisp,crisp:relax=10");

  SS_CHECK (ssapp_study_session_start (study, &error));
  SS_CHECK (ssapp_study_session_is_running (study));
  SS_CHECK (!ssapp_study_session_set_axis (study, "mu", "0.1", NULL)); /* not while it runs */
  wait_for_study (study);
  wait_for_set ();
  const SsappRunSet *set = ssapp_study_session_get_set (study);
  SS_CHECK (count_state (set, SSAPP_RUN_SOLVED) == 8); /* CRISP solves each of these */
  check_status (study, "solved", 8);
  SS_CHECK (ssapp_study_session_get_run_id (study, 7) != NULL);
  check_look (study, home);
  g_autoptr (GArray) counts = ssapp_study_session_count_methods (study);
  SS_CHECK (counts->len == 2 && g_array_index (counts, guint, 0) == 4 && g_array_index (counts, guint, 1) == 4);

  /* What was run answers the same tasks of a wider study: only the new ones are left. */
  SS_CHECK (ssapp_study_session_set_axis (study, "mu", "0.1, 0.3, 0.5", &error));
  check_status (study, "queued", 4);
  SS_CHECK (ssapp_study_session_undo (study, &error));
  check_status (study, "solved", 8);
  /* Profiles are of several problems; all else is offered of one, too. */
  check_profiles (study, "data-best data performance-best performance success curves work decides distribution");
  SS_CHECK (ssapp_study_session_set_axis (study, "mu", "0.1", &error));
  SS_CHECK (ssapp_study_session_set_axis (study, "j", "0", &error));
  check_status (study, "solved", 2);
  wait_for_set ();
  check_profiles (study, "success curves work decides distribution");
  SS_CHECK (ssapp_study_session_undo (study, &error) && ssapp_study_session_undo (study, &error));
  check_status (study, "solved", 8);
  SS_CHECK (ssapp_study_session_duplicate (study, &error));
  check_status (study, "solved", 8);
  SS_CHECK (ssapp_study_session_rename (study, "Another", &error));
  SS_CHECK (ssapp_study_session_delete (study, &error));
  g_autoptr (GPtrArray) left = ssapp_study_session_list (study);
  SS_CHECK (left->len == 1);
  check_status (study, "solved", 8);

  path = g_strdup (ssapp_store_get_path (ssapp_session_get_store (session)));
  ssapp_session_close_store (session);
  SS_CHECK (ssapp_study_session_get_study (study) == NULL);
  g_autoptr (SsappSession) again = ssapp_session_new ();
  SS_CHECK (ssapp_session_open_store (again, path, &error));
  SS_CHECK (ssapp_study_session_get_set (ssapp_session_get_study (again)) == NULL); /* nobody has looked yet */
  ssapp_study_session_look (ssapp_session_get_study (again));
  check_status (ssapp_session_get_study (again), "solved", 8);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static char *
make_home (void)
{
  char *home = g_dir_make_tmp ("stickslip-study-XXXXXX", NULL);

  g_setenv ("XDG_DATA_HOME", home, TRUE);
  return home;
}

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *child = g_build_filename (path, name, NULL);
    remove_tree (child);
  }
  g_remove (path);
}

/* Outcomes that a window offers are of the last bodies that move, three at most; the last one's place first. A name
 * with a dash is a channel with a low line. Without a body that moves there is nothing to ask for. */
static void
outcomes_are_offered (void)
{
  static const char *const wanted[] = {"end", "up", "d_4", "d_3", "lost", "hits", "first"};

  for (int n_moving = 0; n_moving <= 4; n_moving++) {
    g_autoptr (SsappSession) session = ssapp_session_new ();
    SsappDocument *document = ssapp_session_get_document (session);
    g_autoptr (GString) text = g_string_new ("{\"format\": 1, \"name\": \"o\", \"scene\": {\"bodies\": [");
    for (int i = 0; i < 6; i++)
      g_string_append_printf (text, "%s{\"name\": \"d-%d\", %s, \"shape\": {\"type\": \"circle\", \"radius\": 1}}",
                              i > 0 ? ", " : "", i, i < 6 - n_moving ? "\"fixed\": true" : "\"mass\": 1");
    g_string_append (text, "]}}");
    SS_CHECK (ssapp_document_load_text (document, text->str, -1, NULL, NULL));
    g_autoptr (GPtrArray) ideas = ssapp_outcome_ideas (ssapp_document_get_scenario (document));
    const guint n_bodies = (guint)MIN (n_moving, 3);
    SS_CHECK (ideas->len == (n_moving > 0 ? n_bodies + 4 : 0));
    for (guint i = 0; i < ideas->len; i++) {
      const SsappOutcomeIdea *idea = g_ptr_array_index (ideas, i);
      SS_CHECK_STR (idea->name, wanted[i <= n_bodies ? i : i - n_bodies + 3]);
    }
    if (ideas->len > 0)
      SS_CHECK_STR (((const SsappOutcomeIdea *)g_ptr_array_index (ideas, 0))->formula, "final(d_5.x)");
  }
}

int
main (void)
{
  g_autofree char *home = make_home ();

  SS_RUN (edits_are_stored_and_taken_back);
  SS_RUN (a_study_takes_a_sketch);
  SS_RUN (limits_are_read_and_refused);
  SS_RUN (what_can_vary_is_listed);
  SS_RUN (bodies_can_vary);
  SS_RUN (outcomes_are_offered);
  SS_RUN (axes_are_suggested);
  SS_RUN (a_study_is_run);
  remove_tree (home);
  return ss_test_finish ();
}
