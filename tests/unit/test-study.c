/* tests/unit/test-study.c: the definition of a study: values of axes to the last digit, the order of tasks, keys that
 * stay, what is drawn, JSON and command there and back, bad input. */
#include "app/study/ssapp-study.h"
#include "tests/ss-test-scenario.h"
#include "tests/ss-test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *push_box, *rocking_block;

static SsappStudy *
make (void)
{
  return ssapp_study_new ("Friction and target", "push-box", push_box);
}

/* Adds what must be taken. */
static void
vary (SsappStudy *study, const char *name, const char *values)
{
  g_autoptr (GError) error = NULL;

  if (!ssapp_study_set_axis (study, name, values, &error))
    printf ("%s\n", error->message);
  SS_CHECK (error == NULL);
}

static void
use (SsappStudy *study, const char *method)
{
  g_autoptr (GError) error = NULL;

  if (!ssapp_study_add_method (study, method, &error))
    printf ("%s\n", error->message);
  SS_CHECK (error == NULL);
}

static SsappStudyAxis *
axis_at (SsappStudy *study, guint i)
{
  return g_ptr_array_index (study->axes, i);
}

static void
check_values (SsappStudy *study, const char *values, SsappAxisForm form, const char *expected)
{
  vary (study, "mu", values);
  g_autofree char *joined = g_strjoinv (" ", axis_at (study, 0)->values);
  SS_CHECK_STR (joined, expected);
  SS_CHECK (axis_at (study, 0)->form == form);
}

static void
values_are_exact (void)
{
  g_autoptr (SsappStudy) study = make ();

  check_values (study, "0.10, 0.2,3e-1", SSAPP_AXIS_LIST, "0.1 0.2 0.3");
  check_values (study, "0.7", SSAPP_AXIS_LIST, "0.7");
  /* No value with the rounding of the division in it. */
  check_values (study, "0.1:0.9:9", SSAPP_AXIS_GRID, "0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9");
  check_values (study, "0.1:1.3:13", SSAPP_AXIS_GRID, "0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1 1.1 1.2 1.3");
  check_values (study, "2:1:3", SSAPP_AXIS_GRID, "2 1.5 1");
  check_values (study, "0.001:1:4log", SSAPP_AXIS_LOG, "0.001 0.01 0.1 1");
  check_values (study, "1:1:1", SSAPP_AXIS_GRID, "1");
  SS_CHECK (study->axes->len == 1);
  /* What is no short number stays as it is. */
  vary (study, "mu", "0.1:0.2:4");
  SS_CHECK_NEAR (g_ascii_strtod (axis_at (study, 0)->values[1], NULL), 0.4 / 3, 1e-16);
  vary (study, "mu", "1:2:3log");
  SS_CHECK_NEAR (g_ascii_strtod (axis_at (study, 0)->values[1], NULL), sqrt (2), 4e-16);
}

static void
kinds_are_found (void)
{
  g_autoptr (SsappStudy) model = make ();
  g_autoptr (SsappStudy) scene = ssapp_study_new ("", "rocking-block", rocking_block);
  static const SsappAxisKind kinds[] = {SSAPP_AXIS_PARAMETER, SSAPP_AXIS_SEED, SSAPP_AXIS_GUESS, SSAPP_AXIS_OPTION,
                                        SSAPP_AXIS_OPTION};

  vary (model, "j", "0:16:9");
  vary (model, "seed", "1,2,18446744073709551");
  vary (model, "guess", "scenario, zeros");
  vary (model, "max-iterations", "10,100");
  vary (model, "crisp.preset", "paper, default");
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    SS_CHECK (axis_at (model, i)->kind == kinds[i]);
  SS_CHECK_STR (axis_at (model, 1)->values[2], "18446744073709551");
  vary (scene, "dt", "0.001:0.1:3log");
  vary (scene, "block.x", "1");
  vary (scene, "block.angle", "0,0.1");
  SS_CHECK (axis_at (scene, 0)->kind == SSAPP_AXIS_STEP && axis_at (scene, 1)->kind == SSAPP_AXIS_NUMBER);
  ssapp_study_remove_axis (scene, "block.x");
  SS_CHECK (scene->axes->len == 2);
  SS_CHECK_STR (axis_at (scene, 1)->name, "block.angle");
  vary (scene, "scene.restitution", "0,0.5");
  vary (scene, "block.mass", "5,10");
  SS_CHECK (axis_at (scene, 2)->kind == SSAPP_AXIS_NUMBER && axis_at (scene, 3)->kind == SSAPP_AXIS_NUMBER);
  vary (scene, "t_end", "0.5,1");
  SS_CHECK (axis_at (scene, 4)->kind == SSAPP_AXIS_HORIZON);
}

/* Methods change fastest, then the last axis. */
static void
order_of_tasks (void)
{
  g_autoptr (SsappStudy) study = make ();
  static const char *const expected[] = {
      "CRISP, mu 0.2, j 0",  "CRISP, relax 10, mu 0.2, j 0",  "CRISP, mu 0.2, j 8", "CRISP, relax 10, mu 0.2, j 8",
      "CRISP, mu 0.2, j 16", "CRISP, relax 10, mu 0.2, j 16", "CRISP, mu 0.5, j 0"};

  SS_CHECK (ssapp_study_count (study) == 0);
  vary (study, "mu", "0.2,0.5");
  vary (study, "j", "0:16:3");
  use (study, "crisp");
  use (study, "crisp:relax=10");
  SS_CHECK (ssapp_study_count (study) == 12);
  g_autoptr (SsappStudyPlan) plan = ssapp_study_plan_new (study, NULL);
  SS_CHECK (plan != NULL && ssapp_study_plan_get_count (plan) == 12);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    g_autoptr (SsappStudyTask) task = ssapp_study_plan_get_task (plan, i, FALSE);
    g_autofree char *words = ssapp_study_describe_task (study, task);
    SS_CHECK_STR (words, expected[i]);
    SS_CHECK (task->index == i && task->scenario == NULL && strlen (task->key) == 64);
  }
  g_autoptr (SsappStudyTask) last = ssapp_study_get_task (study, 11, NULL);
  SS_CHECK_STR (last->values[1], "16");
  SS_CHECK_STR (last->option_values[0], "10");
  SS_CHECK_STR (last->scenario, push_box);
  g_autoptr (GError) error = NULL;
  SS_CHECK (ssapp_study_get_task (study, 12, &error) == NULL);
  SS_CHECK_CONTAINS (error->message, "12 tasks");
}

/* All keys of a study. */
static GHashTable *
keys_of (const SsappStudy *study)
{
  GHashTable *keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (SsappStudyPlan) plan = ssapp_study_plan_new (study, NULL);

  for (guint i = 0; plan != NULL && i < ssapp_study_plan_get_count (plan); i++) {
    g_autoptr (SsappStudyTask) task = ssapp_study_plan_get_task (plan, i, FALSE);
    g_hash_table_add (keys, g_steal_pointer (&task->key));
  }
  return keys;
}

static gboolean
has_all (GHashTable *keys, GHashTable *of)
{
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, of);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (!g_hash_table_contains (keys, key))
      return FALSE;
  return TRUE;
}

/* More values and methods, another order and another title leave the runs that there are. */
static void
keys_stay (void)
{
  g_autoptr (SsappStudy) study = make (), other = make ();

  vary (study, "mu", "0.2,0.5");
  vary (study, "j", "0,8");
  use (study, "crisp");
  g_autoptr (GHashTable) before = keys_of (study);
  SS_CHECK (g_hash_table_size (before) == 4);
  vary (other, "j", "0:16:9");
  vary (other, "mu", "0.1,0.2,0.50");
  use (other, "ipopt");
  use (other, "crisp");
  other->time_limit = 3;
  g_autoptr (GHashTable) after = keys_of (other);
  SS_CHECK (g_hash_table_size (after) == 54 && has_all (after, before));
  /* Another text is another scenario. */
  g_free (other->scenario_text);
  other->scenario_text = g_strconcat (push_box, "\n", NULL);
  g_autoptr (GHashTable) changed = keys_of (other);
  SS_CHECK (g_hash_table_size (changed) == 54 && !has_all (changed, before));
  /* An option that a method does not have makes no other run of it. */
  ssapp_study_remove_axis (study, "j");
  use (study, "ipopt");
  vary (study, "crisp.relax", "0,1,10");
  g_autoptr (GHashTable) merged = keys_of (study);
  SS_CHECK (ssapp_study_count (study) == 12 && g_hash_table_size (merged) == 8);
}

/* Each of n equal parts of every range has one sample; the numbers are the same on every machine. */
static void
latin_hypercube (void)
{
  enum { N = 50 };
  g_autoptr (SsappStudy) study = make ();
  static const double from[] = {0.1, -1}, to[] = {0.9, 3};
  gboolean seen[2][N] = {{FALSE}}, whole[18] = {FALSE};

  vary (study, "mu", "0.1..0.9");
  vary (study, "j", "0..17");
  vary (study, "px0", "-1..3");
  use (study, "crisp");
  study->draw = SSAPP_DRAW_LATIN;
  study->n_drawn = N;
  study->seed = 7;
  SS_CHECK (ssapp_study_count (study) == N);
  g_autoptr (SsappStudyPlan) plan = ssapp_study_plan_new (study, NULL);
  for (guint i = 0; plan != NULL && i < N; i++) {
    g_autoptr (SsappStudyTask) task = ssapp_study_plan_get_task (plan, i, FALSE);
    for (int a = 0; a < 2; a++) {
      const double value = g_ascii_strtod (task->values[a == 0 ? 0 : 2], NULL);
      const int part = (int)floor ((value - from[a]) / (to[a] - from[a]) * N);
      SS_CHECK (value >= from[a] && value <= to[a] && part >= 0 && part < N && !seen[a][part]);
      seen[a][part] = TRUE;
    }
    const double j = g_ascii_strtod (task->values[1], NULL);
    SS_CHECK (j == floor (j) && j >= 0 && j <= 17);
    whole[(int)j] = TRUE;
  }
  for (int k = 0; k < 18; k++)
    SS_CHECK (whole[k]); /* 50 parts hit each of 18 */
  g_autoptr (SsappStudyTask) first = ssapp_study_get_task (study, 0, NULL);
  SS_CHECK_STR (first->values[0], "0.7938583985244684");
}

static void
random_samples_go_on (void)
{
  g_autoptr (SsappStudy) study = make ();
  double sum = 0;

  use (study, "crisp");
  study->n_drawn = 10;
  vary (study, "mu", "0.1..1.1");
  g_autoptr (GHashTable) few = keys_of (study);
  study->n_drawn = 400;
  g_autoptr (SsappStudyPlan) plan = ssapp_study_plan_new (study, NULL);
  for (guint i = 0; plan != NULL && i < 400; i++) {
    g_autoptr (SsappStudyTask) task = ssapp_study_plan_get_task (plan, i, FALSE);
    sum += g_ascii_strtod (task->values[0], NULL);
  }
  /* Four standard deviations of the mean of 400: 4 / sqrt (12 * 400). */
  SS_CHECK_NEAR (sum / 400, 0.6, 0.058);
  /* More samples leave those that there are; another axis too. */
  g_autoptr (GHashTable) many = keys_of (study);
  SS_CHECK (g_hash_table_size (many) == 400 && has_all (many, few));
  g_autoptr (SsappStudyTask) before = ssapp_study_get_task (study, 5, NULL);
  vary (study, "m", "1..2");
  g_autoptr (SsappStudyTask) after = ssapp_study_get_task (study, 5, NULL);
  SS_CHECK_STR (after->values[0], before->values[0]);
  SS_CHECK (strcmp (after->values[1], before->values[0]) != 0);
  study->seed++;
  g_autoptr (SsappStudyTask) other = ssapp_study_get_task (study, 5, NULL);
  SS_CHECK (strcmp (other->values[0], before->values[0]) != 0);
}

static void
initial_states (void)
{
  g_autoptr (SsappStudy) study = ssapp_study_new ("", "rocking-block", rocking_block);
  g_autoptr (GError) error = NULL;

  vary (study, "block.y", "2.5");
  vary (study, "block.vx", "-0.25,1");
  vary (study, "block.angle", "0.125");
  vary (study, "block.omega", "3");
  use (study, "stewart-trinkle");
  g_autoptr (SsappStudyTask) task = ssapp_study_get_task (study, 0, &error);
  SS_CHECK (task != NULL);
  if (task == NULL)
    return;
  SsScenario *scenario = ss_test_read_text (task->scenario);
  const SsBody *block = &scenario->scene->bodies[1];
  SS_CHECK (block->q[1] == 2.5 && block->q[2] == 0.125 && block->v[0] == -0.25 && block->v[1] == 0 && block->v[2] == 3);
  /* What does not vary is as its formula says, with the angle of its own parameter. */
  SsScenario *source = ss_test_read_text (rocking_block);
  SS_CHECK (block->q[0] == source->scene->bodies[1].q[0]);
  ss_scenario_free (source);
  ss_scenario_free (scenario);
}

/* Fields of a scene vary as its starts do; each run has the text with its own, and the key says which. */
static void
numbers_of_the_scene (void)
{
  g_autoptr (SsappStudy) study = ssapp_study_new ("", "rocking-block", rocking_block);
  static const double values[] = {0.25, 0.75};

  vary (study, "scene.restitution", "0.25,0.75");
  vary (study, "block.mass", "3");
  use (study, "stewart-trinkle");
  g_autofree char *first = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
    g_autoptr (SsappStudyTask) task = ssapp_study_get_task (study, i, NULL);
    SS_CHECK (task != NULL);
    SsScenario *scenario = ss_test_read_text (task->scenario);
    SS_CHECK (scenario->scene->own_values[SS_MATERIAL_RESTITUTION] == values[i] &&
              scenario->scene->bodies[1].mass == 3);
    SS_CHECK (g_strcmp0 (first, task->key) != 0);
    g_free (first);
    first = g_strdup (task->key);
    ss_scenario_free (scenario);
  }
}

static void
json_there_and_back (void)
{
  g_autoptr (SsappStudy) study = make ();
  g_autoptr (GError) error = NULL;

  vary (study, "mu", "0.1, 0.2");
  vary (study, "j", "0:16:9");
  vary (study, "m", "1..2");
  use (study, "crisp");
  use (study, "crisp:relax=10:preset=paper");
  study->draw = SSAPP_DRAW_LATIN;
  study->n_drawn = 5;
  study->seed = 11;
  study->time_limit = 12;
  study->memory_limit = 4e9;
  study->bound = 0.5;
  study->workers = 2;
  json_t *json = ssapp_study_to_json (study);
  g_autoptr (SsappStudy) back = ssapp_study_from_json (json, &error);
  SS_CHECK (back != NULL && error == NULL);
  json_t *again = ssapp_study_to_json (back);
  SS_CHECK (json_equal (json, again));
  json_decref (json);
  json_decref (again);
  g_autoptr (GHashTable) keys = keys_of (study), same = keys_of (back);
  SS_CHECK (g_hash_table_size (keys) == 180 && has_all (keys, same) && has_all (same, keys));
  g_autoptr (SsappStudy) copy = ssapp_study_copy (study);
  json = ssapp_study_to_json (study);
  again = ssapp_study_to_json (copy);
  SS_CHECK (json_equal (json, again));
  copy->time_limit = 13; /* the same runs, but for what is asked of them */
  SS_CHECK (ssapp_study_is_same (study, copy));
  copy->bound = 1;
  SS_CHECK (!ssapp_study_is_same (study, copy));
  /* Lists of numbers, and methods as on the command line. */
  json_object_set_new (json, "vary", json_pack ("[{s:s, s:[f, i, s]}]", "name", "mu", "values", 0.25, 1, "0.5"));
  json_object_set_new (json, "methods",
                       json_pack ("[s, {s:s, s:{s:i}}]", "ipopt", "name", "crisp", "options", "max-iterations", 20));
  g_autoptr (SsappStudy) hand = ssapp_study_from_json (json, &error);
  SS_CHECK (hand != NULL);
  if (hand != NULL) {
    g_autofree char *values = g_strjoinv (" ", axis_at (hand, 0)->values);
    SS_CHECK_STR (values, "0.25 1 0.5");
    SS_CHECK_STR (((SsappStudyMethod *)g_ptr_array_index (hand->methods, 1))->label, "CRISP, max-iterations 20");
  }
  json_decref (json);
  json_decref (again);
}

/* The words of a command make the same study, as a shell parts them. */
static void
command_there_and_back (void)
{
  g_autoptr (SsappStudy) study = make (), back = make ();
  g_auto (GStrv) words = NULL;

  vary (study, "mu", "0.1, 0.2");
  vary (study, "j", "0:16:9");
  vary (study, "m", "1..2");
  use (study, "crisp");
  use (study, "crisp:relax=10");
  study->n_drawn = 5;
  study->seed = 11;
  study->time_limit = 12;
  study->memory_limit = 4e9;
  study->bound = 0.5;
  study->workers = 2;
  g_autofree char *command = ssapp_study_to_command (study, "my scenes/push-box.stickslip.json", NULL);
  SS_CHECK_STR (command, "stickslip-cli sweep 'my scenes/push-box.stickslip.json' --vary mu=0.1,0.2 --vary j=0:16:9 "
                         "--vary m=1..2 --methods crisp,crisp:relax=10 --random 5 --seed 11 --time-limit 12 "
                         "--memory-limit 4G --bound 0.5 --jobs 2 --title 'Friction and target'");
  SS_CHECK (g_shell_parse_argv (command, NULL, &words, NULL));
  for (guint i = 0; words[i] != NULL; i++) {
    if (strcmp (words[i], "--vary") == 0) {
      g_auto (GStrv) pair = g_strsplit (words[i + 1], "=", 2);
      vary (back, pair[0], pair[1]);
    } else if (strcmp (words[i], "--methods") == 0) {
      g_auto (GStrv) methods = g_strsplit (words[i + 1], ",", -1);
      for (guint k = 0; methods[k] != NULL; k++)
        use (back, methods[k]);
    }
  }
  back->n_drawn = 5;
  back->seed = 11;
  g_autoptr (GHashTable) keys = keys_of (study), other = keys_of (back);
  SS_CHECK (g_hash_table_size (keys) == 180 && !has_all (keys, other)); /* runs with a bound are other runs */
  back->bound = 0.5;
  g_autoptr (GHashTable) same = keys_of (back);
  SS_CHECK (has_all (keys, same));
}

/* Each is refused, with words that help, and changes nothing. */
static void
bad_axes (void)
{
  static const char *const bad[][3] = {
      {"muu", "1", "did you mean 'mu'"},
      {"nothing-like-it", "1", "parameters j, tht"},
      {"nothing-like-it", "1", "seed, guess; options of methods"},
      {"mu", "", "empty"},
      {"mu", "1,,2", "empty"},
      {"mu", "1,x", "'x' of 'mu' is no number"},
      {"mu", "0.1, 0.10", "0.1 twice"},
      {"mu", "0:1:0", "how many values"},
      {"mu", "0:1:1", "at least 2"},
      {"mu", "0:1:3log", "above 0"},
      {"mu", "1..0.5", "lower end"},
      {"mu", "-1", "out of the range of 'mu'"},
      {"mu", "1e-12..1", "out of the range"},
      {"j", "0:17:9", "whole numbers, 2.125"},
      {"j", "0.2..0.8", "no whole number"},
      {"seed", "-1", "seed"},
      {"dt", "0.1", "did you mean"},
      {"box.x", "0.1", "cannot vary"},
      {"crisp.no-such-option", "0.1", "cannot vary"},
      {"guess", "0..1", "a list, not a range"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autoptr (SsappStudy) study = make ();
    g_autoptr (GError) error = NULL;
    vary (study, "mu", "0.3");
    SS_CHECK (!ssapp_study_set_axis (study, bad[i][0], bad[i][1], &error));
    SS_CHECK_CONTAINS (error != NULL ? error->message : "", bad[i][2]);
    SS_CHECK (study->axes->len == 1);
    SS_CHECK_STR (axis_at (study, 0)->text, "0.3");
  }
}

static void
bad_studies (void)
{
  static const char *const methods[][2] = {{"crsip", "did you mean"},
                                           {"crisp:relax", "OPTION=VALUE"},
                                           {"crisp:relx=1", "relx"},
                                           {"crisp:relax=-1", "expected"},
                                           {"moreau-jean", "integrators and optimisers"},
                                           {"ipopt", "already"}};
  g_autoptr (SsappStudy) study = make ();

  use (study, "ipopt");
  for (guint i = 0; i < G_N_ELEMENTS (methods); i++) {
    g_autoptr (GError) error = NULL;
    SS_CHECK (!ssapp_study_add_method (study, methods[i][0], &error));
    SS_CHECK_CONTAINS (error != NULL ? error->message : "", methods[i][1]);
  }
  SS_CHECK (study->methods->len == 1);

  static const struct {
    const char *name, *values, *method;
    const char *says;
  } wrong[] = {{"mu", "0.1..0.5", "ipopt", "how many values are drawn"},
               {"mu", "0.1:1:400", "ipopt", "at most 100000"},
               {"crisp.relax", "1", "ipopt", "none of the study's methods"},
               {"max-iterations", "1,x", "crisp", "crisp"},
               {"mu", "1", NULL, "no method"},
               {"mu", "1", "moreau-jean", "integrates scenes"}};
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (SsappStudy) one = make ();
    g_autoptr (GError) error = NULL;
    if (wrong[i].method != NULL)
      use (one, wrong[i].method);
    vary (one, "m", "0.1:1:400");
    ssapp_study_remove_axis (one, i != 1 ? "m" : "");
    vary (one, wrong[i].name, wrong[i].values);
    SS_CHECK (!ssapp_study_check (one, &error));
    SS_CHECK_CONTAINS (error != NULL ? error->message : "", wrong[i].says);
    SS_CHECK (ssapp_study_plan_new (one, NULL) == NULL);
  }
}

static void
bad_json (void)
{
  static const char *const bad[][2] = {
      {"[]", "must be an object"},
      {"{}", "format"},
      {"{\"format\": 2}", "format"},
      {"{\"format\": 1}", "scenario"},
      {"{\"format\": 1, \"methds\": []}", "did you mean 'methods'"},
      {"{\"format\": 1, \"scenario\": {\"text\": \"{}\"}, \"vary\": 3}", "vary must be a list"},
      {"{\"format\": 1, \"scenario\": {\"text\": \"{}\"}, \"vary\": [{\"name\": 1}]}", "vary[0].name"},
      {"{\"format\": 1, \"scenario\": {\"text\": \"{}\"}, \"vary\": [{\"name\": \"mu\", \"values\": []}]}",
       "vary[0].values"},
      {"{\"format\": 1, \"scenario\": {\"text\": \"{}\"}, \"vary\": [{\"name\": \"mu\", \"values\": 1}]}",
       "the scenario of the study"},
      {"{\"format\": 1, \"scenario\": {\"text\": \"{}\"}, \"methods\": [{\"nme\": 1}]}", "methods[0]"},
      {"{\"format\": 1, \"scenario\": {\"text\": \"{}\"}, \"methods\": [\"nothing\"]}", "methods[0]"},
      {"{\"format\": 1, \"scenario\": {\"text\": \"{}\"}, \"draw\": {\"kind\": \"sobol\"}}", "draw.kind"},
      {"{\"format\": 1, \"scenario\": {\"text\": \"{}\"}, \"draw\": {\"kind\": \"latin\", \"samples\": -1}}",
       "draw.samples"},
      {"{\"format\": 1, \"scenario\": {\"text\": \"{}\"}, \"limits\": {\"seconds\": 0}}", "limits.seconds"},
      {"{\"format\": 1, \"scenario\": {\"text\": \"{}\"}, \"workers\": 1.5}", "workers"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    json_t *json = json_loads (bad[i][0], 0, NULL);
    g_autoptr (GError) error = NULL;
    SS_CHECK (json != NULL && ssapp_study_from_json (json, &error) == NULL);
    SS_CHECK_CONTAINS (error != NULL ? error->message : "", bad[i][1]);
    json_decref (json);
  }
}

int
main (void)
{
  SS_CHECK (g_file_get_contents (SS_SOURCE_ROOT "/examples/crisp/push-box.stickslip.json", &push_box, NULL, NULL));
  SS_CHECK (g_file_get_contents (SS_SOURCE_ROOT "/examples/classics/rocking-block.stickslip.json", &rocking_block, NULL,
                                 NULL));
  SS_RUN (values_are_exact);
  SS_RUN (kinds_are_found);
  SS_RUN (order_of_tasks);
  SS_RUN (keys_stay);
  SS_RUN (latin_hypercube);
  SS_RUN (random_samples_go_on);
  SS_RUN (initial_states);
  SS_RUN (numbers_of_the_scene);
  SS_RUN (json_there_and_back);
  SS_RUN (command_there_and_back);
  SS_RUN (bad_axes);
  SS_RUN (bad_studies);
  SS_RUN (bad_json);
  g_free (push_box);
  g_free (rocking_block);
  return ss_test_finish ();
}
