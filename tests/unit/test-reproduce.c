/* tests/unit/test-reproduce.c: what counts as equal, within tolerance and different, and what is named first; what
 * cannot be repeated; words of a command line. Whole runs: tests/cli/test-reproduce.sh. */
#include "app/job/ssapp-asked.h"
#include "app/session/ssapp-command.h"
#include "app/session/ssapp-provenance-sheet.h"
#include "app/session/ssapp-reproduce.h"
#include "tests/ss-test-store.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *folder;

/* ---- comparing --------------------------------------------------------------------------------------------------- */

/* Rows of t, x [m], big. */
static SsTrajectory *
motion_of (const double (*rows)[3], int n)
{
  static const char *const names[] = {"t", "x", "big"};
  SsTrajectory *motion = NULL;

  SS_CHECK (ss_trajectory_new_named (names, 3, n, &motion, NULL) == SS_OK);
  for (int r = 0; r < n; r++)
    SS_CHECK (ss_trajectory_append (motion, rows[r], NULL) == SS_OK);
  return motion;
}

static SsappReproduceRecord *
record_of (const char *result, const double (*rows)[3], int n)
{
  SsappReproduceRecord *record = g_new0 (SsappReproduceRecord, 1);
  SsappReproduceMotion motion = {g_strdup (""), motion_of (rows, n)};

  record->result = json_loads (result, 0, NULL);
  SS_CHECK (record->result != NULL);
  record->motions = g_array_new (FALSE, TRUE, sizeof motion);
  record->samples = g_array_new (FALSE, FALSE, sizeof (double));
  g_array_append_val (record->motions, motion);
  return record;
}

#define METRICS "{\"outcome\": \"solved\", \"metrics\": {\"iterations\": 3, \"objective\": 2.0}, "
#define SOLVED                                                                                                         \
  "{\"outcome\": \"solved\", \"metrics\": {\"iterations\": 3, \"solve_seconds\": 1.0, \"objective\": 2.0}, "           \
  "\"outcomes\": {\"third\": {\"value\": 1.5, \"unit\": \"m\"}}}"

/* The second record's rows and result beside three plain rows. */
static SsappReproduced *
compare (const char *result, const double (*rows)[3], int n, double tolerance)
{
  static const double plain[3][3] = {{0, 1, 1e6}, {0.5, 2, 1e6}, {1, NAN, 1e6}};
  SsappReproduceRecord *a = record_of (SOLVED, plain, 3), *b = record_of (result, rows, n);
  SsappReproduced *answer = ssapp_reproduce_compare (a, b, tolerance);

  for (guint i = 0; i < 2; i++) {
    SsappReproduceRecord *record = i == 0 ? a : b;
    for (guint m = 0; m < record->motions->len; m++) {
      g_free (g_array_index (record->motions, SsappReproduceMotion, m).name);
      ss_trajectory_free (g_array_index (record->motions, SsappReproduceMotion, m).trajectory);
    }
    ssapp_reproduce_record_free (record);
  }
  return answer;
}

static void
test_equal (void)
{
  static const double same[3][3] = {{0, 1, 1e6}, {0.5, 2, 1e6}, {1, NAN, 1e6}};
  /* Times are not compared. */
  SsappReproduced *answer =
      compare ("{\"outcome\": \"solved\", \"metrics\": {\"iterations\": 3, \"solve_seconds\": 7.0, "
               "\"threads\": 4, \"objective\": 2.0}}",
               same, 3, 0);

  SS_CHECK (answer->verdict == SSAPP_REPRODUCE_EQUAL && answer->first == NULL && answer->n_values == 9);
  SS_CHECK (answer->differences->len == 0 && answer->channels->len == 0);
  ssapp_reproduced_free (answer);
}

/* An outcome is compared as a metric is; one that only the stored run was asked is not. */
static void
test_outcomes (void)
{
  static const double same[3][3] = {{0, 1, 1e6}, {0.5, 2, 1e6}, {1, NAN, 1e6}};
  SsappReproduced *answer = compare (METRICS "\"outcomes\": {\"third\": {\"value\": 1.6}}}", same, 3, 1e-9);

  SS_CHECK (answer->verdict == SSAPP_REPRODUCE_DIFFERS && answer->differences->len == 1);
  SS_CHECK_CONTAINS (g_ptr_array_index (answer->differences, 0), "third: 1.5 stored, 1.6");
  ssapp_reproduced_free (answer);
  answer = compare (METRICS "\"outcomes\": {\"third\": {\"value\": 1.5}}}", same, 3, 1e-9);
  SS_CHECK (answer->verdict == SSAPP_REPRODUCE_EQUAL);
  ssapp_reproduced_free (answer);
}

static void
test_within (void)
{
  /* A channel of a million may be off by a thousandth at 1e-9, one of 1 by 1e-9. */
  static const double near[3][3] = {{0, 1, 1e6}, {0.5, 2, 1e6 + 5e-4}, {1, NAN, 1e6 - 9e-4}};
  SsappReproduced *answer = compare (SOLVED, near, 3, 1e-9);

  SS_CHECK (answer->verdict == SSAPP_REPRODUCE_WITHIN && answer->first->row == 1 && !answer->first->is_beyond);
  SS_CHECK_STR (answer->first->channel, "big");
  SS_CHECK (answer->channels->len == 1);
  const SsappReproduceChannel *channel = &g_array_index (answer->channels, SsappReproduceChannel, 0);
  SS_CHECK (fabs (channel->largest - 9e-4) < 1e-9 && channel->t == 1 && channel->is_within);
  ssapp_reproduced_free (answer);
  /* The sign of a zero is a difference of bits and none of numbers; a metric within the tolerance likewise. */
  static const double same[3][3] = {{-0.0, 1, 1e6}, {0.5, 2, 1e6}, {1, NAN, 1e6}};
  answer = compare ("{\"outcome\": \"solved\", \"metrics\": {\"iterations\": 3, \"objective\": 2.000000001}}", same, 3,
                    1e-9);
  SS_CHECK (answer->verdict == SSAPP_REPRODUCE_WITHIN && answer->first->row == 0 && answer->differences->len == 1);
  ssapp_reproduced_free (answer);
}

static void
test_differs (void)
{
  /* The first frame beyond the tolerance is told, not an earlier one within it; in a frame the first channel. */
  static const double far[3][3] = {{0, 1 + 1e-12, 1e6}, {0.5, 2.25, 2e6}, {1, NAN, 1e6}};
  SsappReproduced *answer = compare (SOLVED, far, 3, 1e-9);

  SS_CHECK (answer->verdict == SSAPP_REPRODUCE_DIFFERS && answer->first->row == 1 && answer->first->t == 0.5);
  SS_CHECK_STR (answer->first->channel, "x");
  SS_CHECK (answer->first->was == 2 && answer->first->is == 2.25 && answer->first->is_beyond);
  g_autofree char *text = ssapp_reproduced_dup_text (answer, NULL);
  SS_CHECK (strstr (text, "frame 1 at t = 0.5 s, channel x: 2 stored, 2.25 repeated") != NULL);
  ssapp_reproduced_free (answer);
  /* A number where there was none. */
  static const double number[3][3] = {{0, 1, 1e6}, {0.5, 2, 1e6}, {1, 3, 1e6}};
  answer = compare (SOLVED, number, 3, 1);
  SS_CHECK (answer->verdict == SSAPP_REPRODUCE_DIFFERS && answer->first->row == 2 && isnan (answer->first->was));
  ssapp_reproduced_free (answer);
  /* A frame less. */
  static const double two[2][3] = {{0, 1, 1e6}, {0.5, 2, 1e6}};
  answer = compare (SOLVED, two, 2, 1);
  SS_CHECK (answer->verdict == SSAPP_REPRODUCE_DIFFERS && answer->first == NULL);
  SS_CHECK_STR (g_ptr_array_index (answer->differences, 0),
                "The motion has 3 frames and repeated 2: only the stored one has a frame at t = 1 s");
  ssapp_reproduced_free (answer);
  /* Outcome and counts count, whatever the numbers. */
  answer = compare ("{\"outcome\": \"stalled\", \"metrics\": {\"iterations\": 4, \"objective\": 2.0}}", two, 2, 1);
  SS_CHECK (answer->verdict == SSAPP_REPRODUCE_DIFFERS && answer->differences->len == 3);
  ssapp_reproduced_free (answer);
}

/* ---- what cannot be repeated ------------------------------------------------------------------------------------- */

#define SCENE                                                                                                          \
  "{\"format\": 1, \"name\": \"empty\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": [], \"contacts\": \"all\"}, " \
  "\"task\": {\"t_end\": 1, \"dt\": 0.01}}"

static void
check_refused (SsappStore *store, const char *id, const char *why)
{
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (SsappJob) job = ssapp_reproduce_new_job (store, id, notes, &error);

  SS_CHECK (job == NULL && error != NULL && strstr (error->message, why) != NULL);
}

static void
record_drawn (SsappStore *store, const char *id, const char *method, const char *outcome, const char *result,
              guint64 seed)
{
  const SsMethodId method_id = {SS_METHOD_INTEGRATOR, method};
  g_autoptr (GError) error = NULL;
  gboolean ok = ssapp_store_record (store, id, SCENE, "empty", method_id, "{}", "{}", seed, &error);

  if (ok && result != NULL)
    ok = ssapp_store_finish (store, id, result, NULL, &error) && ssapp_store_flush (store, &error);
  else if (ok && outcome != NULL)
    ok = ssapp_store_abandon (store, id, outcome, "", NULL, &error);
  SS_CHECK (ok && error == NULL);
}

static void
record (SsappStore *store, const char *id, const char *method, const char *outcome, const char *result)
{
  record_drawn (store, id, method, outcome, result, 0);
}

static void
test_refused (void)
{
  g_autofree char *path = g_build_filename (folder, "refused.stickslip", NULL);
  SsappStore *store = ssapp_store_open (path, TRUE, NULL);

  record (store, "run-a", "moreau-jean", NULL, NULL);
  check_refused (store, "run-a", "still running");
  record (store, "run-b", "moreau-jean", "cancelled", NULL);
  check_refused (store, "run-b", "it was cancelled");
  record (store, "run-c", "moreau-jean", "time_limit", NULL);
  check_refused (store, "run-c", "the machine's speed");
  record (store, "run-d", "moreau-jean", "interrupted", NULL);
  check_refused (store, "run-d", "its program ended");
  record (store, "run-e", "of-tomorrow", NULL, "{\"outcome\": \"completed\"}");
  check_refused (store, "run-e", "no method “of-tomorrow”");
  record (store, "run-f", "moreau-jean", NULL,
          "{\"outcome\": \"completed\", \"asked\": {\"verb\": \"sandbox\", \"by_hand\": 3}}");
  check_refused (store, "run-f", "3 changes");
  check_refused (store, "none", "none");
  /* One of an older version can be: what it was asked for is guessed, and that is said. */
  record (store, "run-g", "moreau-jean", NULL, "{\"outcome\": \"completed\"}");
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (SsappJob) job = ssapp_reproduce_new_job (store, "run-g", notes, NULL);
  SS_CHECK (job != NULL && notes->len == 1 && strstr (g_ptr_array_index (notes, 0), "guessed") != NULL);
  ssapp_store_close (store, NULL);
  g_object_unref (store);
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

static void
check_quoted (const char *word, const char *expected)
{
  g_autofree char *quoted = ssapp_command_quote (word);

  SS_CHECK_STR (quoted, expected);
}

static void
test_words (void)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) words = NULL;
  int n;

  check_quoted ("moreau-jean", "moreau-jean");
  check_quoted ("/a/b.stickslip#box-2", "/a/b.stickslip#box-2");
  check_quoted ("e=0.7", "e=0.7");
  check_quoted ("", "''");
  check_quoted ("a b", "'a b'");
  check_quoted ("#a", "'#a'");
  check_quoted ("$(rm)", "'$(rm)'");
  /* Whatever the words are, a shell reads them as they were. */
  SsappCommand *command = ssapp_command_new ("simulate");
  ssapp_command_add (command, "it's `a` \"test\"\n\\ ~;&|<>*?[]!ä");
  ssapp_command_add_number (command, "--dt", 0.1);
  ssapp_command_add_number (command, "--t-end", NAN);
  ssapp_command_add_option (command, "--from", NULL);
  ssapp_command_add_pair (command, "--set", "mu", "0.25");
  g_autofree char *line = ssapp_command_finish (command);
  SS_CHECK (g_shell_parse_argv (line, &n, &words, &error) && n == 7);
  SS_CHECK_STR (words[2], "it's `a` \"test\"\n\\ ~;&|<>*?[]!ä");
  SS_CHECK_STR (words[4], "0.1");
  SS_CHECK_STR (words[6], "mu=0.25");
}

static void
test_commands (void)
{
  g_autofree char *path = g_build_filename (folder, "commands.stickslip", NULL),
                  *odd = g_build_filename (folder, "commands.db", NULL);
  g_autoptr (GError) error = NULL;
  SsappStore *store = ssapp_store_open (path, TRUE, NULL);

  record (store, "run-a", "moreau-jean", NULL,
          "{\"outcome\": \"completed\", \"asked\": {\"verb\": \"simulate\", \"dt\": 0.1}}");
  record (store, "run-b", "moreau-jean", NULL, "{\"outcome\": \"completed\", \"asked\": {\"verb\": \"sandbox\"}}");
  g_autofree char *line = ssapp_command_for_run (store, "run-a", &error),
                  *expected = g_strdup_printf (
                      "stickslip-cli simulate %s#run:run-a --method moreau-jean --dt 0.1 --project %s", path, path);
  SS_CHECK_STR (line, expected);
  /* The seed is told where it was asked for, and of a run of an older version, which does not say. */
  record_drawn (store, "run-c", "moreau-jean", NULL,
                "{\"outcome\": \"completed\", \"asked\": {\"verb\": \"simulate\"}}", 7);
  record_drawn (store, "run-d", "moreau-jean", NULL, "{\"outcome\": \"completed\"}", 7);
  g_autofree char *drawn = ssapp_command_for_run (store, "run-c", NULL),
                  *old = ssapp_command_for_run (store, "run-d", NULL);
  SS_CHECK (drawn != NULL && strstr (drawn, "--seed") == NULL);
  SS_CHECK_CONTAINS (old, "--seed 7");
  SS_CHECK (ssapp_command_for_run (store, "run-b", &error) == NULL && strstr (error->message, "sandbox") != NULL);
  g_clear_error (&error);
  g_autofree char *id =
      ssapp_store_add_comparison (store, "two", (const char *const[]){"run-a", "run-a", NULL}, NULL, &error);
  g_autoptr (GPtrArray) rows = ssapp_store_list_comparisons (store, &error);
  const SsappComparisonRow *row = g_ptr_array_index (rows, 0);
  SS_CHECK_STR (row->id, id);
  g_autofree char *lines = ssapp_command_for_runs (store, (const char *const *)row->run_ids, &error),
                  *twice = g_strdup_printf ("%s\n%s", line, line);
  SS_CHECK_STR (lines, twice);
  SS_CHECK (ssapp_store_save_as (store, odd, FALSE, &error));
  SS_CHECK (ssapp_command_for_run (store, "run-a", &error) == NULL && strstr (error->message, ".stickslip") != NULL);
  ssapp_store_close (store, NULL);
  g_object_unref (store);
}

int
main (void)
{
  folder = g_dir_make_tmp ("test-reproduce-XXXXXX", NULL);
  SS_RUN (test_equal);
  SS_RUN (test_outcomes);
  SS_RUN (test_within);
  SS_RUN (test_differs);
  SS_RUN (test_refused);
  SS_RUN (test_words);
  SS_RUN (test_commands);
  g_autofree char *command = g_strdup_printf ("rm -rf %s", folder);
  (void)!system (command);
  g_free (folder);
  return ss_test_finish ();
}
