/* tests/unit/test-step-file.c: problems of steps as files: every form and storage reads back equal to the bit,
 * errors name file, line and what was expected, Siconos' own way of printing is read; and the figures of solvers. */
#include "app/bench/ssapp-bench-contacts.h"
#include "app/steps/ssapp-step-file.h"
#include "contact/ss-step-rows.h"
#include "ss-test.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* ---- problems ---------------------------------------------------------------------------------------------------- */

/* Two bodies, three points, one joint if asked for; numbers with all their digits. */
static SsStepProblem *
made (gboolean has_joint)
{
  static const int row[] = {0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5},
                   column[] = {1, 2, 0, 2, 1, 2, 4, 5, 0, 3, 5, 4, 5, 3};
  static const double value[] = {1, -1. / 3, 1, 0.1, -1, 2. / 7, 1, 1.1e-300, -1, 1, -0.2, 0.99, 0.3, 1. / 9};
  static const int diagonal[] = {0, 1, 2, 3, 4, 5}, joint_row[] = {0, 0};
  static const double masses[] = {2. / 3, 2. / 3, 0.1, 1e10, 1e10, 7.7};
  SsStepProblem *problem = NULL;

  SS_CHECK (ss_step_problem_new (6, 3, has_joint, &problem, NULL) == SS_OK);
  SS_CHECK (ss_sparse_new (6, 6, 6, diagonal, diagonal, masses, &problem->M, NULL) == SS_OK);
  SS_CHECK (ss_sparse_new (6, 6, 14, row, column, value, &problem->H, NULL) == SS_OK);
  if (has_joint) {
    SS_CHECK (ss_sparse_new (1, 6, 2, joint_row, (const int[]){1, 4}, (const double[]){-1, 1}, &problem->G, NULL) ==
              SS_OK);
    problem->joint_bias[0] = 1e-17;
    problem->joint_compliance[0] = 0.25;
    problem->p[0] = -1. / 11;
    problem->least[1] = 0.3;
    problem->compliance[3] = 1e-5;
  }
  for (int i = 0; i < 6; i++) {
    problem->v_free[i] = (i - 2.5) / 7;
    problem->b[i] = i % 2 == 0 ? 0.01 * i : -0.;
    problem->r[i] = sqrt (i);
    problem->v[i] = cos (i);
  }
  for (int i = 0; i < 3; i++)
    problem->mu[i] = 0.1 + 0.1 * i;
  problem->has_answer = TRUE;
  problem->residual = 1e-12 / 3;
  problem->t = 0.1;
  problem->dt = 0.01;
  problem->step = 10;
  problem->solve = 2;
  g_strlcpy (problem->scene, "a \"scene\"\n", sizeof problem->scene);
  g_strlcpy (problem->method, "stewart-trinkle", sizeof problem->method);
  SS_CHECK (ss_step_problem_finish (problem, SS_STEP_DERIVE_Q, NULL) == SS_OK);
  return problem;
}

static gboolean
is_same (const double *a, const double *b, int n)
{
  return n == 0 || memcmp (a, b, (gsize)n * sizeof *a) == 0;
}

static gboolean
is_same_matrix (const SsSparse *a, const SsSparse *b)
{
  const int n = ss_sparse_n_entries (a);

  if ((a->pattern.start == NULL) != (b->pattern.start == NULL) || n != ss_sparse_n_entries (b))
    return FALSE;
  return a->pattern.start == NULL ||
         (a->pattern.n_major == b->pattern.n_major && a->pattern.n_minor == b->pattern.n_minor &&
          memcmp (a->pattern.index, b->pattern.index, (gsize)n * sizeof (int)) == 0 && is_same (a->value, b->value, n));
}

/* What all forms hold. */
static void
check_same (const SsStepProblem *a, const SsStepProblem *b)
{
  const int n = a->n_velocities, m = a->n_contacts;

  SS_CHECK (b != NULL && b->n_velocities == n && b->n_contacts == m);
  if (b == NULL || b->n_velocities != n || b->n_contacts != m)
    return;
  SS_CHECK (is_same_matrix (&a->M, &b->M) && is_same_matrix (&a->H, &b->H) && is_same_matrix (&a->W, &b->W));
  SS_CHECK (is_same (a->q, b->q, n) && is_same (a->mu, b->mu, m));
  for (int i = 0; i < 2 * m; i++) /* -0 is 0 in text */
    SS_CHECK (a->b[i] == b->b[i]);
}

/* ---- forms ------------------------------------------------------------------------------------------------------- */

static void
test_json (void)
{
  SsStepProblem *problem = made (TRUE);
  g_autofree char *text = ssapp_step_write_json (problem, SSAPP_STEP_COLUMNS, NULL);
  g_autoptr (GError) error = NULL;
  SsStepProblem *read = ssapp_step_read_json ("x", text, &error);

  check_same (problem, read);
  if (read != NULL) {
    SS_CHECK (is_same_matrix (&problem->G, &read->G) && read->n_joints == 1);
    SS_CHECK (is_same (problem->v_free, read->v_free, 6) && is_same (problem->least, read->least, 3));
    SS_CHECK (is_same (problem->compliance, read->compliance, 6));
    SS_CHECK (is_same (problem->joint_bias, read->joint_bias, 1) &&
              is_same (problem->joint_compliance, read->joint_compliance, 1));
    SS_CHECK (read->has_answer && is_same (problem->r, read->r, 6) && is_same (problem->p, read->p, 1) &&
              is_same (problem->v, read->v, 6) && read->residual == problem->residual);
    SS_CHECK_STR (read->scene, problem->scene);
    SS_CHECK (read->t == 0.1 && read->dt == 0.01 && read->step == 10 && read->solve == 2);
  }
  ss_step_problem_free (read);
  ss_step_problem_free (problem);
}

static void
check_form (const char *name, SsappStepStorage storage, const SsStepProblem *problem)
{
  const SsappStepFormat *format = ssapp_step_format_find (name);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = format->write (problem, storage, &error);
  SsStepProblem *first = text != NULL ? format->read ("x", text, &error) : NULL;
  guint n;
  const SsappStepFormat *formats = ssapp_step_formats (&n), *seen = NULL;

  if (error != NULL)
    printf ("%s: %s\n", name, error->message);
  SS_CHECK (first != NULL);
  if (first == NULL)
    return;
  if (strcmp (name, "gfc2d") == 0)
    check_same (problem, first);
  g_autofree char *again = format->write (first, storage, NULL);
  SS_CHECK_STR (again, text);
  g_autofree char *json = ssapp_step_write_json (first, storage, NULL);
  SsStepProblem *second = ssapp_step_read_json ("x", json, NULL);
  check_same (first, second);
  for (guint i = 0; i < n && seen == NULL; i++) /* a name that ends in .dat tells nothing */
    if (formats[i].looks_so (text))
      seen = &formats[i];
  SS_CHECK (seen == format);
  ss_step_problem_free (first);
  ss_step_problem_free (second);
}

static void
test_siconos (void)
{
  SsStepProblem *problem = made (FALSE);

  for (int s = 0; s < SSAPP_STEP_N_STORAGES; s++) {
    check_form ("fc2d", (SsappStepStorage)s, problem);
    check_form ("gfc2d", (SsappStepStorage)s, problem);
  }
  ss_step_problem_free (problem);
}

/* As Siconos prints them: %32.24e, tabs, six digits in sparse matrices, entries of a column in any order, a dense
 * matrix column by column, compressed rows, and no contact at all. */
static void
test_as_siconos_prints (void)
{
  static const char dense[] =
      "2\n1\n0\n2\n2\n2\t2\n  2.500000000000000000000000e+00   5.000000000000000000000000e-01 \n"
      "  5.000000000000000000000000e-01   1.500000000000000000000000e+00 \n"
      " -1.000000000000000000000000e+00   3.000000000000000000000000e-01 \n"
      "  4.000000000000000222044605e-01 \n",
                    columns[] =
                        "2\n1\n2\n2\n2\n2\nCSparse Version 3.1.9, May 4, 2016.  Copyright (c) Timothy A. Davis, "
                        "2006-2016\n2-by-2, nzmax: 4 nnz: 4, 1-norm: 3\n    col 0 : locations 0 to 1\n      1 : "
                        "0.5\n      0 : 2.5\n    col 1 : locations 2 to 3\n      0 : 0.5\n      1 : 1.5\n-1 0.3\n"
                        "0.4\n",
                    global[] =
                        "2\n0\n2\n3\n3\n1\nCSparse Version 3.1.9\ntriplet: 3-by-3, nzmax: 3 nnz: 3\n    0 0 : 2\n"
                        "    1 1 : 2\n    2 2 : 0.5\n0\n3\n2\n3\t2\n0 1 0.25\n1 0 0.5\n0 -2 0\n0 0\n0.4\n",
                    empty[] = "2\n0\n2\n3\n3\n1\nCSparse Version 3.1.9\ntriplet: 3-by-3, nzmax: 3 nnz: 3\n    0 0 : 2\n"
                              "    1 1 : 2\n    2 2 : 0.5\n2\n3\n0\n2\nCSparse Version 3.1.9\n3-by-0, nzmax: 1 nnz: 0, "
                              "1-norm: 0\n0 -2 0\n\n\n";
  g_autoptr (GError) error = NULL;
  SsStepProblem *a = ssapp_step_read_fc2d ("a", dense, &error), *b = ssapp_step_read_fc2d ("b", columns, &error),
                *c = ssapp_step_read_gfc2d ("c", global, &error), *d = ssapp_step_read_gfc2d ("d", empty, &error);

  if (error != NULL)
    printf ("%s\n", error->message);
  SS_CHECK (a != NULL && b != NULL && c != NULL && d != NULL);
  if (a == NULL || b == NULL || c == NULL || d == NULL)
    return;
  check_same (a, b);
  SS_CHECK (ss_sparse_get (&a->W, 0, 0) == 2.5 && ss_sparse_get (&a->W, 1, 0) == 0.5 && a->b[1] == 0.3 &&
            a->mu[0] == 0.4);
  /* columns of H: the normal (0, 1, 0.25), then the tangent (1, 0, 0.5) */
  SS_CHECK (c->n_contacts == 1 && ss_sparse_get (&c->H, 0, 1) == 1 && ss_sparse_get (&c->H, 0, 2) == 0.25 &&
            ss_sparse_get (&c->H, 1, 0) == 1 && ss_sparse_get (&c->H, 1, 2) == 0.5);
  SS_CHECK (c->v_free[1] == -1 && c->q[1] == -2);
  SS_CHECK (d->n_contacts == 0 && d->n_velocities == 3);
  SsStepProblem *all[] = {a, b, c, d};
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    ss_step_problem_free (all[i]);
}

/* ---- what is wrong ----------------------------------------------------------------------------------------------- */

static void
check_bad (SsStepProblem *(*read) (const char *, const char *, GError **), const char *text, const char *message)
{
  g_autoptr (GError) error = NULL;
  SsStepProblem *problem = read ("bad", text, &error);

  SS_CHECK (problem == NULL && error != NULL);
  SS_CHECK_CONTAINS (error != NULL ? error->message : "", message);
  ss_step_problem_free (problem);
}

static void
test_bad (void)
{
  check_bad (ssapp_step_read_fc2d, "3\n", "bad:1: “3” is no such number (expected the dimension 2");
  check_bad (ssapp_step_read_fc2d, "2\n1\n1\n2\n2\n", "bad:3: storage 1, by blocks");
  check_bad (ssapp_step_read_fc2d, "2\n2\n0\n2\n2\n2 2\n1 0 0 1\n", "expected 4 rows and 4 columns, two a contact");
  check_bad (ssapp_step_read_fc2d, "2\n1\n0\n2\n2\n2 2\n1 0\n0 x\n", "bad:8: “x” is no number (expected an entry of W");
  check_bad (ssapp_step_read_fc2d, "2\n1\n0\n2\n2\n2 2\n1 0 0 1\n0 0\n", "the end of the file");
  check_bad (ssapp_step_read_fc2d, "2\n1\n0\n2\n2\n2 2\n1 0 0 1\n0 0\n.5\n.5\n", "bad:10: “.5” is left over");
  check_bad (ssapp_step_read_fc2d, "2\n1\n0\n2\n2\n2 2\n1 0 0 1\n0 nan\n.5\n", "bad:8: “nan” is no number");
  check_bad (ssapp_step_read_fc2d, "2\n1\n0\n2\n2\n2 2\n1 0.5 0 1\n0 0\n.5\n", "expected a symmetric matrix");
  check_bad (ssapp_step_read_fc2d, "2\n1\n2\n2\n2\n2\nCSparse\n2-by-3, nzmax: 1 nnz: 1\n", "expected 2-by-2");
  check_bad (ssapp_step_read_fc2d,
             "2\n1\n2\n2\n2\n2\nCSparse\n2-by-2, nzmax: 1 nnz: 1\ncol 0 : locations 0 to 0\n5 : 1\n",
             "bad:10: “5” is no such number (expected a row, a whole number from 0 to 1)");
  check_bad (ssapp_step_read_fc2d,
             "2\n1\n2\n2\n2\n2\nCSparse\n2-by-2, nzmax: 3 nnz: 3\ncol 0 : locations 0 to 0\n0 : 1\n"
             "col 1 : locations 1 to 1\n1 : 1\n",
             "the columns have 2 entries, not 3");
  check_bad (ssapp_step_read_gfc2d, "2\n0\n0\n1\n1\n1 1\n1\n0\n1\n3\n1 3\n1 1 1\n", "M is 1 x 1, H is 1 x 3");
  check_bad (ssapp_step_read_gfc2d, "2\n0\n0\n1\n1\n1 1\n-1\n0\n1\n2\n1 2\n1 1\n0\n0 0\n.5\n", "not positive definite");
  check_bad (ssapp_step_read_json, "{\n\"format\": 1,,}", "bad:2:");
  check_bad (ssapp_step_read_json, "{}", "kind");
  check_bad (ssapp_step_read_json, "{\"kind\": \"step-problem\", \"format\": 2}",
             "format: it is no such number (expected a whole");
  check_bad (
      ssapp_step_read_json,
      "{\"kind\": \"step-problem\", \"format\": 1, \"contacts\": 1, \"W\": {\"rows\": 2, \"columns\": 2, \"start\": "
      "[0, 1, 2], \"index\": [0, 2], \"value\": [1, 1]}, \"b\": [0, 0], \"mu\": [0]}",
      "W.index[1]: it is no such number (expected a whole number from 0 to 1)");
  check_bad (
      ssapp_step_read_json,
      "{\"kind\": \"step-problem\", \"format\": 1, \"contacts\": 1, \"M\": [1], \"H\": {\"rows\": 2, \"columns\": 1, "
      "\"start\": [0, 1, 2], \"index\": [0, 0], \"value\": [1, 1]}, \"b\": [0, 0], \"mu\": [0.5]}",
      "v_free: it is missing");
}

/* What a form has no place for is told, not left out. */
static void
test_no_place (void)
{
  SsStepProblem *problem = made (TRUE), *reduced = NULL;
  g_autoptr (GError) joints = NULL;
  g_autoptr (GError) least = NULL;
  g_autoptr (GError) bodies = NULL;
  g_autofree char *a = ssapp_step_write_gfc2d (problem, SSAPP_STEP_COLUMNS, &joints),
                  *b = ssapp_step_write_fc2d (problem, SSAPP_STEP_COLUMNS, &least);

  SS_CHECK (a == NULL && b == NULL);
  SS_CHECK_CONTAINS (joints->message, "joints or springs");
  SS_CHECK_CONTAINS (least->message, "least impulse");
  problem->least[1] = 0;
  SS_CHECK (ss_step_problem_reduce (problem, &reduced, NULL) == SS_OK);
  g_autofree char *c = ssapp_step_write_gfc2d (reduced, SSAPP_STEP_COLUMNS, &bodies);
  SS_CHECK (c == NULL);
  SS_CHECK_CONTAINS (bodies->message, "no bodies");
  ss_step_problem_free (reduced);
  ss_step_problem_free (problem);
}

static void
test_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("test-step-file-XXXXXX", NULL),
                  *path = g_build_filename (folder, "a.fc2d", NULL),
                  *unknown = g_build_filename (folder, "a.dat", NULL);
  SsStepProblem *problem = made (FALSE);
  g_autoptr (GError) exists = NULL;
  g_autoptr (GError) ending = NULL;

  SS_CHECK (ssapp_step_write (problem, path, NULL, SSAPP_STEP_COLUMNS, FALSE, NULL));
  SS_CHECK (!ssapp_step_write (problem, path, NULL, SSAPP_STEP_COLUMNS, FALSE, &exists));
  SS_CHECK_CONTAINS (exists->message, "exists");
  SS_CHECK (!ssapp_step_write (problem, unknown, NULL, SSAPP_STEP_COLUMNS, FALSE, &ending));
  SS_CHECK_CONTAINS (ending->message, "expected .json, .fc2d and .gfc2d");
  SS_CHECK (ssapp_step_write (problem, unknown, ssapp_step_format_find ("gfc2d"), SSAPP_STEP_DENSE, FALSE, NULL));
  SsStepProblem *read = ssapp_step_read (unknown, NULL);
  check_same (problem, read);
  g_unlink (path);
  g_unlink (unknown);
  g_rmdir (folder);
  ss_step_problem_free (read);
  ss_step_problem_free (problem);
}

/* ---- figures ----------------------------------------------------------------------------------------------------- */

/* A smaller residual is never reached earlier, the tolerance by who solved the problem; the table counts that. */
static void
check_levels (const SsappBenchContacts *bench, double tolerance)
{
  const guint n = ssapp_bench_contacts_n_levels (bench);
  g_autoptr (SsappTable) table = ssapp_bench_contacts_levels (bench),
                         curves = ssapp_bench_contacts_curves (bench, SSAPP_CONTACTS_LEVELS);

  SS_CHECK (n == 4 && ssapp_bench_contacts_level (n - 1) == tolerance && ssapp_table_get_n_rows (table) == 3 * n);
  for (guint s = 0; s < 3; s++)
    for (guint l = 0; l < n; l++) {
      guint n_reached = 0;
      for (guint p = 0; p < 2; p++) {
        const SsStepResult *result = ssapp_bench_contacts_result (bench, p, s);
        const double time = ssapp_bench_contacts_time_to (bench, p, s, ssapp_bench_contacts_level (l));
        n_reached += isfinite (time);
        SS_CHECK (l == 0 || time >= ssapp_bench_contacts_time_to (bench, p, s, ssapp_bench_contacts_level (l - 1)));
        SS_CHECK (isinf (time) || time <= result->cpu_seconds);
        SS_CHECK (isfinite (time) == (result->applies && result->residual <= ssapp_bench_contacts_level (l)));
      }
      SS_CHECK (ssapp_table_get_number (table, 3 * l + s, 2) == n_reached);
    }
  SS_CHECK (ssapp_table_get_n_columns (curves) == 4);
}

/* The curve over iterations of two problems never rises, and ends at the larger of their least residuals; a solver that
 * takes but one of them has none. */
static void
check_medians (const SsappBenchContacts *bench)
{
  g_autoptr (SsappTable) curves = ssapp_bench_contacts_curves (bench, SSAPP_CONTACTS_ITERATIONS);

  for (guint s = 0; s < 3; s++) {
    double larger = 0, last = INFINITY;
    for (guint p = 0; p < 2; p++) {
      const SsStepResult *result = ssapp_bench_contacts_result (bench, p, s);
      double least = INFINITY;
      for (int i = 0; i < result->n_samples; i++)
        least = fmin (least, result->samples[i].residual);
      larger = fmax (larger, least);
    }
    for (guint row = 0; row < ssapp_table_get_n_rows (curves); row++) {
      if (strcmp (ssapp_table_get_text (curves, row, 0), ssapp_bench_contacts_solver (bench, s)->name) != 0)
        continue;
      SS_CHECK (ssapp_table_get_number (curves, row, 2) <= last);
      last = ssapp_table_get_number (curves, row, 2);
    }
    SS_CHECK (last == (isfinite (larger) ? fmax (larger, 1e-18) : INFINITY)); /* 1e-18: the figure's least */
  }
}

/* Profiles end at what a solver solved, never fall, and begin at 1; one of the solvers is the fastest on each
 * problem. */
static void
test_profile (void)
{
  const SsStepLimits limits = {.absolute = 1e-8, .iterations = 2000, .cpu_seconds = INFINITY};
  g_autoptr (GError) error = NULL;
  SsappBenchContacts *bench = ssapp_bench_contacts_new ("step,gauss-seidel, admm", &limits, &error);
  SsStepProblem *problem = made (FALSE), *reduced = NULL;
  double at_one = 0;

  SS_CHECK (ss_step_problem_reduce (problem, &reduced, NULL) == SS_OK);
  SS_CHECK (ssapp_bench_contacts_add (bench, "bodies", problem, NULL, NULL));
  SS_CHECK (ssapp_bench_contacts_add (bench, "reduced", reduced, NULL, NULL));
  g_autoptr (SsappTable) curves = ssapp_bench_contacts_curves (bench, SSAPP_CONTACTS_PROFILE);
  for (guint s = 0; s < 3; s++) {
    const char *name = ssapp_bench_contacts_solver (bench, s)->name;
    double last_x = 0, last_y = 0;
    guint n_solved = 0;
    for (guint p = 0; p < 2; p++)
      n_solved += ssapp_bench_contacts_result (bench, p, s)->outcome == SS_OUTCOME_SOLVED;
    for (guint row = 0; row < ssapp_table_get_n_rows (curves); row++) {
      if (strcmp (ssapp_table_get_text (curves, row, 0), name) != 0)
        continue;
      const double x = ssapp_table_get_number (curves, row, 1), y = ssapp_table_get_number (curves, row, 2);
      SS_CHECK (last_x > 0 || x == 1);
      at_one += last_x > 0 ? 0 : y;
      SS_CHECK (x >= last_x && y >= last_y);
      last_x = x;
      last_y = y;
    }
    SS_CHECK_NEAR (last_y, n_solved / 2., 0);
  }
  SS_CHECK (at_one >= 1); /* two may be equally fast */
  check_levels (bench, limits.absolute);
  check_medians (bench);
  SS_CHECK (!ssapp_bench_contacts_result (bench, 1, 0)->applies);
  SS_CHECK (ssapp_bench_contacts_n_unsolved (bench) == 0);
  json_t *json = ssapp_bench_contacts_to_json (bench, TRUE);
  const json_t *run =
      json_array_get (json_object_get (json_array_get (json_object_get (json, "problems"), 0), "runs"), 1);
  SS_CHECK_STR (json_string_value (json_object_get (run, "solver")), "gauss-seidel");
  SS_CHECK (json_array_size (json_object_get (json_object_get (run, "history"), "residual")) > 0);
  json_decref (json);
  ssapp_bench_contacts_free (bench);
  SS_CHECK (ssapp_bench_contacts_new ("step,newtn", &limits, &error) == NULL);
  SS_CHECK_CONTAINS (error->message, "did you mean 'newton'");
  ss_step_problem_free (reduced);
  ss_step_problem_free (problem);
}

int
main (void)
{
  SS_RUN (test_json);
  SS_RUN (test_siconos);
  SS_RUN (test_as_siconos_prints);
  SS_RUN (test_bad);
  SS_RUN (test_no_place);
  SS_RUN (test_files);
  SS_RUN (test_profile);
  return ss_test_finish ();
}
