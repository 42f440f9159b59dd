/* tests/unit/test-session.c: what a window works on, without a window: runs by real workers into a project in a
 * temporary folder, their metrics, delete and its undo, reading them again after a restart, choices of methods, status
 * for scripts. */
#include "app/job/ssapp-elsewhere.h"
#include "app/session/ssapp-session.h"
#include "tests/ss-test-document.h"

#include <glib/gstdio.h>
#include <jansson.h>
#include <stdlib.h>

/* Push-box is solved in a tenth of a second; a busy machine gets its time. */
enum { GIVE_UP_SECONDS = 600 }; /* a guard */

static char *
read_example (const char *name)
{
  g_autofree char *path = g_build_filename (SS_SOURCE_ROOT, "examples", name, NULL);
  char *text = NULL;
  SS_CHECK (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

static SsappSession *
session_with (const char *example)
{
  SsappSession *session = ssapp_session_new ();
  g_autofree char *text = read_example (example);
  g_autoptr (GError) error = NULL;
  SS_CHECK (ssapp_document_load_text (ssapp_session_get_document (session), text, -1, NULL, &error));
  return session;
}

static gboolean
on_give_up (gpointer data)
{
  *(gboolean *)data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
wait_for_runs (SsappSession *session)
{
  gboolean gave_up = FALSE;
  guint timer = g_timeout_add_seconds (GIVE_UP_SECONDS, on_give_up, &gave_up);

  while (ssapp_session_is_running (session) && !gave_up)
    g_main_context_iteration (NULL, TRUE);
  SS_CHECK (!gave_up);
  if (!gave_up)
    g_source_remove (timer);
}

static void
on_signal (int *count)
{
  (*count)++;
}

static double
metric (SsappSession *session, guint index, SsMetric which)
{
  return ssapp_run_get_metric (g_ptr_array_index (ssapp_session_get_runs (session), index), which);
}

static const SsMethod *
optimiser (const char *name)
{
  return ss_method_find (SS_METHOD_OPTIMISER, name, NULL);
}

static const SsMethod *
integrator (const char *name)
{
  return ss_method_find (SS_METHOD_INTEGRATOR, name, NULL);
}

static guint
count_runs (SsappStore *store)
{
  g_autoptr (GPtrArray) rows = ssapp_store_list_runs (store, NULL, 0, NULL);
  guint n = rows->len;
  g_ptr_array_set_free_func (rows, (GDestroyNotify)ssapp_run_row_free);
  return n;
}

/* Two optimisers at once, delete and undo, then the same project in a new session. */
static void
test_runs_delete_restart (void)
{
  g_autoptr (SsappSession) session = session_with ("crisp/push-box.stickslip.json");
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL, *id = NULL, *name = NULL;
  int n_ended = 0, n_runs_changed = 0;
  double objective, violation;
  SsappStore *store;

  g_signal_connect_swapped (session, "run-ended", G_CALLBACK (on_signal), &n_ended);
  g_signal_connect_swapped (session, "runs-changed", G_CALLBACK (on_signal), &n_runs_changed);
  SS_CHECK (ssapp_session_get_store (session) == NULL && ssapp_session_is_untitled (session));
  SS_CHECK (ssapp_session_set_methods (session, "crisp, ipopt", &error));
  SS_CHECK (ssapp_session_start (session, &error));
  SS_CHECK (ssapp_session_is_running (session));
  SS_CHECK (!ssapp_session_start (session, NULL)); /* not while it runs */
  SS_CHECK (ssapp_session_runs_are_current (session));
  wait_for_runs (session);
  SS_CHECK (n_ended == 2 && n_runs_changed == 1);
  SS_CHECK (ssapp_session_get_runs (session)->len == 2);
  if (ssapp_session_get_runs (session)->len != 2)
    return;
  for (guint i = 0; i < 2; i++) {
    SsappRun *run = g_ptr_array_index (ssapp_session_get_runs (session), i);
    SS_CHECK_STR (ssapp_run_get_outcome (run), "solved");
    SS_CHECK (ssapp_run_has_motion (run) && ssapp_run_get_view (run) != NULL);
    SS_CHECK_NEAR (ssapp_run_get_duration (run), 0.02 * 99, 1e-12);    /* N = 100 points, h = 0.02 s; rounding only */
    SS_CHECK (metric (session, i, SS_METRIC_MAX_VIOLATION) < 1e-6);    /* what "solved" promises */
    SS_CHECK (metric (session, i, SS_METRIC_TRACKING_POSITION) < 0.1); /* the paper's own bound [m] */
    SS_CHECK (isnan (metric (session, i, SS_METRIC_STEPS)));           /* an optimiser has none */
    SS_CHECK (ssapp_run_get_iterations (run)->len > 5);
  }
  objective = metric (session, 0, SS_METRIC_OBJECTIVE);
  violation = metric (session, 0, SS_METRIC_MAX_VIOLATION);

  store = ssapp_session_get_store (session);
  path = g_strdup (ssapp_store_get_path (store));
  id = g_strdup (ssapp_run_get_id (g_ptr_array_index (ssapp_session_get_runs (session), 0)));
  SS_CHECK (count_runs (store) == 2);
  SS_CHECK (ssapp_store_delete_run (store, id, &error));
  SS_CHECK (count_runs (store) == 1);
  SS_CHECK (ssapp_store_undelete_run (store, id, &error));
  SS_CHECK (count_runs (store) == 2);
  name = ssapp_session_dup_project_name (session);
  SS_CHECK_STR (name, "Untitled Project");
  ssapp_session_close_store (session);
  SS_CHECK (g_file_test (path, G_FILE_TEST_EXISTS));

  /* After a restart the numbers are the same, to the bit. */
  g_autoptr (SsappSession) again = ssapp_session_new ();
  SS_CHECK (ssapp_session_open_store (again, path, &error));
  SsappRun *stored = ssapp_run_new_stored (ssapp_session_get_store (again), id, &error);
  SS_CHECK (stored != NULL);
  if (stored == NULL)
    return;
  SS_CHECK_STR (ssapp_run_get_method (stored).name, "crisp");
  SS_CHECK (ssapp_run_get_kind (stored) == SS_METHOD_OPTIMISER);
  SS_CHECK_STR (ssapp_run_get_outcome (stored), "solved");
  SS_CHECK (ssapp_run_get_metric (stored, SS_METRIC_OBJECTIVE) == objective);
  SS_CHECK (ssapp_run_get_metric (stored, SS_METRIC_MAX_VIOLATION) == violation);
  SS_CHECK (ssapp_run_get_trajectory (stored)->n_rows == 100);
  g_autoptr (GPtrArray) shown = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (shown, stored);
  ssapp_session_show_runs (again, shown);
  SS_CHECK (ssapp_session_get_runs (again)->len == 1);

  /* Under a name of its own the untitled file goes. */
  g_autofree char *folder = g_path_get_dirname (path), *named = g_build_filename (folder, "study", NULL);
  SS_CHECK (ssapp_session_save_store_as (again, named, &error));
  SS_CHECK (!g_file_test (path, G_FILE_TEST_EXISTS) && !ssapp_session_is_untitled (again));
  SS_CHECK (count_runs (ssapp_session_get_store (again)) == 2);
}

/* Read from the project, a run had no warnings. */
static void
test_stored_warnings (void)
{
  g_autoptr (SsappSession) session = session_with ("classics/bouncing-ball.stickslip.json");
  g_autoptr (GError) error = NULL;

  SS_CHECK (ssapp_session_set_methods (session, "implicit-euler", &error));
  SS_CHECK (ssapp_session_start (session, &error));
  wait_for_runs (session);
  SsappRun *run = g_ptr_array_index (ssapp_session_get_runs (session), 0);
  SS_CHECK_CONTAINS (ssapp_run_get_warnings (run), "does not use restitution");
  g_autoptr (SsappRun) stored =
      ssapp_run_new_stored (ssapp_session_get_store (session), ssapp_run_get_id (run), &error);
  SS_CHECK (stored != NULL);
  if (stored != NULL)
    SS_CHECK_STR (ssapp_run_get_warnings (stored), ssapp_run_get_warnings (run));
}

static void
test_methods_and_options (void)
{
  g_autoptr (SsappSession) session = session_with ("crisp/push-box.stickslip.json");
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) methods = ssapp_session_list_methods (session);

  /* A plan begins with two optimisers, a sketch with one integrator. */
  SS_CHECK (ssapp_session_is_chosen (session, optimiser ("crisp")) &&
            ssapp_session_is_chosen (session, optimiser ("ipopt")));
  for (guint i = 0; i < methods->len; i++)
    SS_CHECK (((const SsMethod *)g_ptr_array_index (methods, i))->kind == SS_METHOD_OPTIMISER);
  SS_CHECK (!ssapp_session_set_methods (session, "crisp,stewart-trinkle", &error));
  SS_CHECK (error != NULL && strstr (error->message, "stewart-trinkle") != NULL);
  SS_CHECK (ssapp_session_is_chosen (session, optimiser ("ipopt"))); /* refused: nothing changed */
  g_clear_error (&error);
  SS_CHECK (!ssapp_session_set_option (session, optimiser ("crisp"), "no-such-option", "1", &error) && error != NULL);
  g_clear_error (&error);
  ssapp_session_choose (session, optimiser ("crisp"), FALSE);
  ssapp_session_choose (session, optimiser ("ipopt"), FALSE);
  SS_CHECK (!ssapp_session_start (session, &error) && error != NULL);
  SS_CHECK (ssapp_session_get_store (session) == NULL); /* and no file was made for nothing */

  g_autofree char *text = read_example ("sketches/falling-box.stickslip.json");
  SS_CHECK (ssapp_document_load_text (ssapp_session_get_document (session), text, -1, NULL, NULL));
  SS_CHECK (ssapp_session_is_chosen (session, integrator ("stewart-trinkle")) &&
            !ssapp_session_is_chosen (session, optimiser ("crisp")));
}

/* What is ticked and set for one sketch stays through its edits and is gone in the next one. */
static void
test_choices_stay_with_their_sketch (void)
{
  g_autoptr (SsappSession) session = session_with ("sketches/falling-box.stickslip.json");
  SsappDocument *document = ssapp_session_get_document (session);
  const SsMethod *method = ss_method_find (SS_METHOD_INTEGRATOR, "stewart-trinkle", NULL);
  g_autofree char *next = read_example ("classics/bouncing-ball.stickslip.json");

  SS_CHECK (ssapp_session_set_option (session, integrator ("stewart-trinkle"), "gap", "end", NULL));
  SS_CHECK (ssapp_session_set_methods (session, "explicit-euler", NULL));
  SS_CHECK (move_body (document, "box", 0.1, 0, NULL));
  ssapp_document_undo (document);
  SS_CHECK (ssapp_session_is_chosen (session, integrator ("explicit-euler")));
  SS_CHECK (ssapp_document_load_text (document, next, -1, NULL, NULL));
  SS_CHECK (!ssapp_session_is_chosen (session, integrator ("explicit-euler")));
  SS_CHECK (ssapp_session_is_chosen (session, integrator ("event-driven"))); /* the file's own */
  for (int i = 0; i < ssapp_session_n_options (session, method); i++)
    SS_CHECK (ssapp_session_is_option_default (session, method, i));
}

/* The window starts with the first method of its kind that a file names. */
static void
test_own_methods (void)
{
  static const struct {
    const char *file, *method;
    bool is_optimiser;
  } cases[] = {{"constraint-solver/foundation", "constraint-solver", false},
               {"constraint-solver/smd", "semi-implicit-euler", false},
               {"fesd-j/two-balls", "fesd-j", false},
               {"fesd-j/discs", "scholtes", true},
               {"time-freezing/guiding-particle", "time-freezing", false},
               {"time-freezing/hopper-plan", "crisp", true},
               {"time-freezing/robot", "auto", true},
               {"sketches/falling-box", "stewart-trinkle", false}};

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    g_autofree char *file = g_strconcat (cases[i].file, ".stickslip.json", NULL);
    g_autoptr (SsappSession) session = session_with (file);
    g_autoptr (GPtrArray) methods = ssapp_session_list_methods (session);

    for (guint m = 0; m < methods->len; m++) {
      const SsMethod *method = g_ptr_array_index (methods, m);
      const bool is_own =
          strcmp (method->name, cases[i].method) == 0 && (method->kind == SS_METHOD_OPTIMISER) == cases[i].is_optimiser;

      SS_CHECK (ssapp_session_is_chosen (session, method) == is_own);
    }
  }
}

/* The option of that name as the window shows it; NULL: it has no row. */
static char *
shown_option (SsappSession *session, const char *method_name, const char *name)
{
  const SsMethod *method = ss_method_find (SS_METHOD_OPTIMISER, method_name, NULL);

  for (int i = 0; i < ssapp_session_n_options (session, method); i++)
    if (strcmp (ssapp_session_get_option_spec (session, method, i)->name, name) == 0)
      return ssapp_session_get_option (session, method, i);
  return NULL;
}

static void
check_shown (SsappSession *session, const char *method, const char *name, const char *expected)
{
  g_autofree char *text = shown_option (session, method, name);
  SS_CHECK_STR (text, expected);
}

/* What is shown is what a run would use: of plans of scenes the preset `drawn` and what it means, with a choice of
 * coordinates. */
static void
test_options_of_plans (void)
{
  g_autoptr (SsappSession) session = session_with ("plans/push-box-with-disc.stickslip.json");
  g_autoptr (GError) error = NULL;

  SS_CHECK (ssapp_session_is_chosen (session, optimiser ("auto")) &&
            !ssapp_session_is_chosen (session, optimiser ("crisp")));
  check_shown (session, "auto", "member", "all");
  check_shown (session, "crisp", "preset", "drawn");
  check_shown (session, "crisp", "mu0", "100");
  check_shown (session, "crisp", "coordinates", "absolute");
  check_shown (session, "ipopt", "coordinates", "absolute");
  SS_CHECK (ssapp_session_set_option (session, optimiser ("crisp"), "preset", "default", &error));
  check_shown (session, "crisp", "mu0", "3");
  SS_CHECK (ssapp_session_set_option (session, optimiser ("crisp"), "mu0", "30", &error));
  SS_CHECK (ssapp_session_set_option (session, optimiser ("crisp"), "preset", "paper", &error));
  check_shown (session, "crisp", "mu0", "30"); /* given values stay */
  SS_CHECK (ssapp_session_set_option (session, optimiser ("crisp"), "coordinates", "joint", &error));
  check_shown (session, "crisp", "coordinates", "joint");
  SS_CHECK (!ssapp_session_set_option (session, optimiser ("crisp"), "coordinates", "polar", &error) && error != NULL);
  g_clear_error (&error);

  /* Equations have neither. */
  g_autoptr (SsappSession) model = session_with ("crisp/push-box.stickslip.json");
  check_shown (model, "crisp", "preset", "default");
  SS_CHECK (shown_option (model, "crisp", "coordinates") == NULL);
  SS_CHECK (!ssapp_session_set_option (model, optimiser ("crisp"), "coordinates", "joint", &error) && error != NULL);
}

/* A replay stands beside what it replays, runs as a job does, and is stored with where it comes from. */
static void
test_replay (void)
{
  g_autoptr (SsappSession) session = session_with ("sketches/falling-box.stickslip.json");
  g_autoptr (GError) error = NULL;

  SS_CHECK (ssapp_session_start (session, &error));
  wait_for_runs (session);
  SsappRun *run = g_ptr_array_index (ssapp_session_get_runs (session), 0);
  g_autofree char *id = g_strdup (ssapp_run_get_id (run));
  SS_CHECK (!ssapp_session_replay (session, id, "no-such", NULL) && !ssapp_session_is_running (session));
  SS_CHECK (ssapp_session_replay (session, id, "moreau-jean", &error) && error == NULL);
  SS_CHECK (ssapp_session_is_running (session) && ssapp_session_get_runs (session)->len == 2);
  wait_for_runs (session);
  run = g_ptr_array_index (ssapp_session_get_runs (session), 1);
  SS_CHECK_STR (ssapp_run_get_replay_of (run), id);
  SS_CHECK_STR (ssapp_run_get_outcome (run), "completed");
  SS_CHECK (ssapp_run_has_motion (run));
  SsappRunRow *row = ssapp_store_get_run (ssapp_session_get_store (session), ssapp_run_get_id (run), &error);
  SS_CHECK (row != NULL);
  SS_CHECK_STR (row->replay_of, id);
  SS_CHECK_STR (row->outcome, "completed");
  ssapp_run_row_free (row);
}

/* A member of a race that runs in a process of its own brings the motion, bit by bit, of the same job by itself; one
 * that has none, since it cannot be read, brings words. */
static void
test_members_bring_their_motions (void)
{
  g_autofree char *text = read_example ("crisp/push-box.stickslip.json");
  const char *const texts[] = {text, "{\"format\": 1}"}, *const options[][2] = {{"mu-growth", "4"}};
  const SsElsewhereJob asked = {
      .method = "crisp", .options = options, .n_options = 1, .work = 600 * SS_WORK_SECOND, .cpu = 600};

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (SsappJob) race = ssapp_job_new (texts[i], "test", (SsMethodId){SS_METHOD_OPTIMISER, "auto"}),
                         alone = ssapp_job_new (texts[i], "test", (SsMethodId){SS_METHOD_OPTIMISER, "crisp"});
    SsElsewhereAnswer answer;
    SsRunControl control;
    SsError err;
    ssapp_job_set_parameter (race, "N", 20);
    ssapp_job_set_parameter (alone, "N", 20);
    ssapp_job_set_option (alone, "mu-growth", "4");
    SsappJobSpec *spec = ssapp_job_dup_spec (race);
    const SsElsewhere elsewhere = ssapp_elsewhere (spec);
    ss_run_control_init (&control);
    SS_CHECK (elsewhere.run (elsewhere.user_data, &asked, &control, &answer, &err) == SS_OK);
    SS_CHECK (ssapp_job_start (alone, NULL));
    while (ssapp_job_get_state (alone) != SSAPP_JOB_ENDED)
      g_main_context_iteration (NULL, TRUE);
    const SsTrajectory *motion = ssapp_job_get_trajectory (alone);
    SS_CHECK ((motion != NULL) == (i == 0) && (answer.motion != NULL) == (i == 0));
    SS_CHECK (*answer.message != '\0' && g_str_has_prefix (ssapp_job_get_message (alone), answer.message)); /* cut */
    SS_CHECK ((answer.work > 0) == (i == 0));
    if (motion != NULL && answer.motion != NULL) {
      SS_CHECK (motion->n_rows == 20 && answer.motion->n_rows == 20 && motion->n_channels == answer.motion->n_channels);
      SS_CHECK (memcmp (motion->values, answer.motion->values,
                        (gsize)(motion->n_rows * motion->n_channels) * sizeof (double)) == 0);
    }
    ss_trajectory_free (answer.motion);
    ssapp_job_spec_free (spec);
  }
}

/* What was looked at while the sketch is empty is of no sketch yet; what waits alone is written: not the view with a
 * text, which another window may have changed meanwhile. */
static void
test_what_waits (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("XDG_DATA_HOME"), "waits.stickslip", NULL);
  g_autoptr (SsappSession) session = ssapp_session_new ();
  SsappStore *made = ssapp_store_open (path, TRUE, NULL);
  SS_CHECK (made != NULL && ssapp_store_close (made, NULL));
  g_clear_object (&made);
  SS_CHECK (ssapp_session_open_store (session, path, NULL));
  SsappDocument *document = ssapp_session_get_document (session);
  SsappSketches *sketches = ssapp_session_get_sketches (session);
  SsappStore *store = ssapp_session_get_store (session);
  g_autoptr (GError) error = NULL;

  SS_CHECK (ssapp_session_set_view (session, "plots", "[\"a\"]"));
  SS_CHECK (ssapp_document_set_field (document, "scene.gravity[1]", "-1", "", NULL));
  SS_CHECK (ssapp_sketches_keep (sketches, &error) && error == NULL);
  SS_CHECK (ssapp_sketches_get_current (sketches) == NULL);
  g_autoptr (GPtrArray) none = ssapp_store_list_sketches (store, NULL);
  SS_CHECK (none != NULL && none->len == 0);
  SS_CHECK (ssapp_document_add_box (document, (SsVec2){0, 0}, (SsVec2){0 + 1, 1}, NULL));
  SS_CHECK (ssapp_sketches_keep (sketches, &error) && error == NULL);
  g_autofree char *id = g_strdup (ssapp_sketches_get_current (sketches)),
                  *first = id != NULL ? ssapp_store_get_sketch_view (store, id, NULL) : NULL;
  SS_CHECK (id != NULL);
  SS_CHECK_STR (first, "{\"plots\":[\"a\"]}");
  SS_CHECK (ssapp_store_set_sketch_view (store, id, "{\"zoom\":7}", NULL));
  SS_CHECK (ssapp_document_add_box (document, (SsVec2){2, 0}, (SsVec2){2 + 1, 1}, NULL));
  SS_CHECK (ssapp_sketches_is_waiting (sketches) && ssapp_sketches_keep (sketches, &error) && error == NULL);
  g_autofree char *second = ssapp_store_get_sketch_view (store, id, NULL);
  SS_CHECK_STR (second, "{\"zoom\":7}");
  SS_CHECK (ssapp_session_set_view (session, "plots", "[\"b\"]"));
  SS_CHECK (ssapp_sketches_is_waiting (sketches) && ssapp_sketches_keep (sketches, &error) && error == NULL);
  g_autofree char *third = ssapp_store_get_sketch_view (store, id, NULL);
  SS_CHECK_STR (third, "{\"plots\":[\"b\"]}");
  SS_CHECK (!ssapp_sketches_is_waiting (sketches));
}

static void
test_cancel_and_status (void)
{
  g_autoptr (SsappSession) session = session_with ("crisp/push-box.stickslip.json");
  g_autoptr (GError) error = NULL;
  SsappSessionPlace place = {.page = "run", .duration = 1.5, .time = 0.25, .is_playing = TRUE};

  SS_CHECK (ssapp_document_set_field (ssapp_session_get_document (session), "parameters.N.value", "3000", "", &error));
  SS_CHECK (ssapp_session_set_methods (session, "ipopt", &error));
  SS_CHECK (ssapp_session_start (session, &error));
  ssapp_session_cancel (session, NULL);
  wait_for_runs (session);
  g_autofree char *text = ssapp_session_dup_status (session, &place);
  json_t *status = json_loads (text, 0, NULL), *run = json_array_get (json_object_get (status, "runs"), 0);
  SS_CHECK_STR (json_string_value (json_object_get (run, "outcome")), "cancelled");
  SS_CHECK (json_is_false (json_object_get (run, "running")));
  SS_CHECK_STR (json_string_value (json_object_get (status, "page")), "run");
  SS_CHECK_STR (json_string_value (json_object_get (status, "scenario")), "push-box");
  SS_CHECK (json_is_false (json_object_get (status, "dirty")) && json_is_true (json_object_get (status, "playing")));
  SS_CHECK (json_integer_value (json_object_get (status, "bodies")) == -1);
  SS_CHECK (json_real_value (json_object_get (status, "time")) == 0.25);
  SS_CHECK_STR (json_string_value (json_object_get (status, "project")),
                ssapp_store_get_path (ssapp_session_get_store (session)));
  json_decref (status);
}

static void
count_run (SsappSession *session, SsappRun *run, int *n)
{
  (void)session;
  (void)run;
  ++*n;
}

/* All that run are held and go on together, and each is told; what has ended is not. */
static void
test_pause (void)
{
  g_autoptr (SsappSession) session = session_with ("crisp/push-box.stickslip.json");
  g_autoptr (GError) error = NULL;
  int n_told = 0;

  SS_CHECK (ssapp_document_set_field (ssapp_session_get_document (session), "parameters.N.value", "3000", "", &error));
  SS_CHECK (ssapp_session_set_methods (session, "ipopt,crisp", &error));
  SS_CHECK (!ssapp_session_is_paused (session));
  SS_CHECK (ssapp_session_start (session, &error));
  GPtrArray *runs = ssapp_session_get_runs (session);
  SS_CHECK (runs->len == 2);
  g_signal_connect (session, "run-changed", G_CALLBACK (count_run), &n_told);
  for (int paused = 1; paused >= 0; paused--) {
    ssapp_session_pause (session, paused);
    SS_CHECK (ssapp_session_is_paused (session) == paused && ssapp_session_is_running (session));
    for (guint i = 0; i < runs->len; i++)
      SS_CHECK (ssapp_job_is_paused (ssapp_run_get_job (g_ptr_array_index (runs, i))) == paused);
    SS_CHECK (n_told == 2 * (2 - paused));
  }
  ssapp_session_pause (session, TRUE);
  SS_CHECK (ssapp_session_go_on (session, &error) && error == NULL); /* nothing was changed: as they are */
  SS_CHECK (!ssapp_session_is_paused (session) && ssapp_session_is_running (session));
  ssapp_session_cancel (session, NULL);
  wait_for_runs (session);
  ssapp_session_pause (session, TRUE);
  SS_CHECK (!ssapp_session_is_paused (session));
}

/* The runs' projects go to a folder of their own. */
static char *
make_home (void)
{
  char *home = g_dir_make_tmp ("test-session-XXXXXX", NULL);
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

int
main (void)
{
  g_autofree char *home = make_home ();
  SS_RUN_THREADS (test_runs_delete_restart);
  SS_RUN_THREADS (test_stored_warnings);
  SS_RUN (test_methods_and_options);
  SS_RUN (test_choices_stay_with_their_sketch);
  SS_RUN (test_own_methods);
  SS_RUN (test_options_of_plans);
  SS_RUN_THREADS (test_replay);
  SS_RUN_THREADS (test_members_bring_their_motions);
  SS_RUN (test_what_waits);
  SS_RUN_THREADS (test_cancel_and_status);
  SS_RUN_THREADS (test_pause);
  remove_tree (home);
  return ss_test_finish ();
}
