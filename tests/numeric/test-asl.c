/* tests/numeric/test-asl.c: .nl files against AMPL's own library (Debian's libamplsolver-dev; built where that
 * is).
 *
 * What is written of sixty published problems and of examples is read by AMPL's library and by ours: bounds, what
 * complements what, starts, objective, rows and their gradients at random points are equal. The library writes each
 * file again, in text and in binary, with its own order of operators: that is read here, too, and equal again. With
 * test-nl, which compares what is read with the problem that was written, writer and reader are each held against
 * AMPL's.
 *
 * Tolerance: sums in another order, 1e-12 relative to 1 + the size of the value.
 */
#include "mpcc/ss-problem.h"
#include "scene/ss-nl.h"
#include "ss-test.h"

#include <ampl-netlib-solvers/asl.h>

#include <dirent.h>
#include <unistd.h>

static const double rounding = 1e-12;

static char folder[] = "/tmp/test-asl-XXXXXX";

static void
save (const char *name, const char *bytes, size_t length)
{
  char path[128];

  snprintf (path, sizeof path, "%s/%s.nl", folder, name);
  FILE *out = fopen (path, "wb");
  SS_CHECK (out != NULL && fwrite (bytes, 1, length, out) == length);
  if (out != NULL)
    fclose (out);
}

static ASL *
open_asl (const char *name)
{
  char stub[128];
  ASL *asl = ASL_alloc (ASL_read_fg);

  snprintf (stub, sizeof stub, "%s/%s", folder, name);
  FILE *nl = jac0dim (stub, (fint)strlen (stub));
  SS_CHECK (nl != NULL);
  want_xpi0 = 1;
  SS_CHECK (fg_read (nl, ASL_return_read_err) == 0);
  return asl;
}

/* The library's copy of a file. */
static void
write_again (const char *from, const char *to, int flags)
{
  char stub[128];
  ASL *asl = ASL_alloc (ASL_read_fg);

  snprintf (stub, sizeof stub, "%s/%s", folder, from);
  FILE *nl = jac0dim (stub, (fint)strlen (stub));
  SS_CHECK (nl != NULL);
  want_xpi0 = 1;
  SS_CHECK (fg_wread (nl, ASL_return_read_err) == 0);
  snprintf (stub, sizeof stub, "%s/%s", folder, to);
  SS_CHECK (fg_write (stub, NULL, flags) == 0);
  ASL_free (&asl);
}

static SsNl *
read_ours (const char *name, SsScenario **scenario)
{
  char path[128], *text = NULL;
  static char bytes[1 << 22];
  size_t n = 0;
  SsProblems problems;
  SsNl *nl = NULL;

  snprintf (path, sizeof path, "%s/%s.nl", folder, name);
  FILE *in = fopen (path, "rb");
  if (in != NULL) {
    n = fread (bytes, 1, sizeof bytes, in);
    fclose (in);
  }
  ss_problems_init (&problems);
  SS_CHECK (ss_nl_read (bytes, n, path, &problems, &nl) == SS_OK);
  if (problems.n_items > 0)
    printf ("  %s:%d: %s\n", name, problems.items[0].line, problems.items[0].message);
  if (nl != NULL && ss_nl_to_scenario (nl, 0, path, &text, &n, NULL) == SS_OK)
    SS_CHECK (ss_scenario_read (text, n, path, NULL, 0, &problems, scenario) == SS_OK);
  ss_free (text);
  ss_problems_clear (&problems);
  return nl;
}

static void
check_near (double ours, double theirs)
{
  if (isinf (theirs))
    SS_CHECK (ours == theirs);
  else
    SS_CHECK_NEAR (ours, theirs, rounding * (1 + fabs (theirs)));
}

/* What the files say of bounds and complementarity. The library has infinite bounds as plus or minus Infinity, a row
 * that complements between the bounds that its sign leaves, and the constant of a linear one in its bounds. Its copies
 * have these bounds, and no longer say what complements. */
static void
compare_bounds (ASL *asl, const SsNl *nl, bool is_copy)
{
  for (int j = 0; j < nl->n_variables; j++) {
    check_near (nl->lower[j], LUv[2 * j] <= negInfinity ? -INFINITY : LUv[2 * j]);
    check_near (nl->upper[j], LUv[2 * j + 1] >= Infinity ? INFINITY : LUv[2 * j + 1]);
    if (X0 != NULL)
      check_near (nl->start[j], X0[j]);
  }
  for (int i = 0; i < nl->n_rows; i++) {
    const SsNlRow *row = &nl->rows[i];
    const double least = LUrhs[2 * i] <= negInfinity ? -INFINITY : LUrhs[2 * i];
    const double most = LUrhs[2 * i + 1] >= Infinity ? INFINITY : LUrhs[2 * i + 1];
    SS_CHECK (is_copy || (cvar != NULL && cvar[i] > 0 ? cvar[i] - 1 : -1) == row->complements);
    if (row->complements >= 0) {
      SS_CHECK ((least == -INFINITY) == row->at_upper && (most == INFINITY) == row->at_lower);
    } else if (is_copy && isfinite (least) != isfinite (most)) {
      SS_CHECK (isfinite (row->lower) == isfinite (least) && isfinite (row->upper) == isfinite (most));
    } else {
      check_near (least, row->lower);
      check_near (most, row->upper);
    }
  }
}

/* A row of ours as body of theirs: value = scale * body + constant; the row's number in the problem. */
typedef struct {
  int row;
  double scale, constant;
} Match;

/* Rows in the order in which the scenario has them: equations first, then inequalities, then pairs. */
static void
match_rows (ASL *asl, const SsNl *nl, const SsMpcc *mpcc, Match *matches)
{
  const int n_equal = ss_mpcc_n_equalities (mpcc);
  int equation = 0, inequality = n_equal, pair = 0;

  for (int i = 0; i < nl->n_rows; i++) {
    const SsNlRow *row = &nl->rows[i];
    matches[i] = (Match){-1, 1, 0};
    if (row->complements >= 0) {
      const double sign = row->at_upper ? -1 : 1;
      if (row->at_lower && row->at_upper) { /* body = p - n, at p = n */
        matches[i].row = equation++;
        pair += 2;
      } else {
        matches[i].row = n_equal + ss_mpcc_pairs (mpcc)[pair++].row_a;
        matches[i].scale = sign;
        matches[i].constant = -sign * LUrhs[2 * i + (row->at_upper ? 1 : 0)];
      }
    } else if (row->lower == row->upper) {
      matches[i] = (Match){equation++, 1, -row->lower};
    } else {
      if (isfinite (row->lower))
        matches[i] = (Match){inequality++, 1, -LUrhs[2 * i]};
      if (isfinite (row->upper))
        matches[i] = (Match){inequality++, -1, row->upper};
    }
  }
}

static void
compare_values (ASL *asl, const SsNl *nl, SsScenario *scenario, int n_points)
{
  SsMpcc *mpcc = NULL;
  SsMpccEval *eval = NULL;
  SsRandom random;
  fint nerror = 0;

  SS_CHECK (ss_problem_build (scenario, &mpcc, NULL) == SS_OK && ss_mpcc_eval_new (mpcc, &eval, NULL) == SS_OK);
  if (eval == NULL)
    return;
  const int n = nl->n_variables, m = nl->n_rows, n_rows = ss_mpcc_n_rows (mpcc);
  const SsPattern *pattern = ss_mpcc_jacobian_pattern (mpcc);
  const int n_all = ss_mpcc_n_variables (mpcc); /* with p and n, which are 0 here */
  double *x = calloc ((size_t)n_all, sizeof (double)), *g = calloc ((size_t)n, sizeof (double));
  double *gradient = calloc ((size_t)n_all, sizeof (double)), *c = calloc ((size_t)n_rows + 1, sizeof (double));
  double *entries = calloc ((size_t)pattern->start[n_rows] + 1, sizeof (double));
  double *body = calloc ((size_t)m + 1, sizeof (double)), *theirs = calloc ((size_t)nzc + 1, sizeof (double));
  Match *matches = calloc ((size_t)m + 1, sizeof *matches);

  match_rows (asl, nl, mpcc, matches);
  ss_random_seed (&random, 11);
  for (int point = 0; point < n_points; point++) {
    for (int j = 0; j < n; j++)
      x[j] = 0.2 + 1.8 * ss_random_uniform (&random);
    if (nl->n_objectives > 0) {
      const double sign = nl->objectives[0].is_maximised ? -1 : 1;
      check_near (sign * ss_mpcc_objective (eval, x), objval (0, x, &nerror));
      objgrd (0, x, g, &nerror);
      ss_mpcc_gradient (eval, x, gradient);
      for (int j = 0; j < n; j++)
        check_near (sign * gradient[j], g[j]);
    }
    ss_mpcc_rows (eval, x, c);
    ss_mpcc_jacobian (eval, x, entries);
    if (m > 0) {
      conval (x, body, &nerror);
      jacval (x, theirs, &nerror);
    }
    for (int i = 0; i < m; i++) {
      const Match *match = &matches[i];
      if (match->row < 0)
        continue;
      check_near (c[match->row], match->scale * body[i] + match->constant);
      memset (gradient, 0, (size_t)n * sizeof *gradient);
      for (int e = pattern->start[match->row]; e < pattern->start[match->row + 1]; e++)
        gradient[pattern->index[e]] += match->scale * entries[e];
      for (const cgrad *term = Cgrad[i]; term != NULL; term = term->next)
        check_near (gradient[term->varno], theirs[term->goff]);
    }
  }
  SS_CHECK (nerror == 0);
  free (x);
  free (g);
  free (gradient);
  free (c);
  free (entries);
  free (body);
  free (theirs);
  free (matches);
  ss_mpcc_eval_free (eval);
  ss_mpcc_free (mpcc);
}

/* Our reading of `ours` against the library's of `theirs`. */
static void
compare (const char *ours, const char *theirs, int n_points)
{
  const int before = ss_test_failed_checks;
  const bool is_copy = strcmp (ours, theirs) != 0;
  ASL *asl = open_asl (theirs);
  SsScenario *scenario = NULL;
  SsNl *nl = read_ours (ours, &scenario);

  if (nl != NULL && scenario != NULL) {
    SS_CHECK (n_var == nl->n_variables && n_con == nl->n_rows && n_obj == nl->n_objectives);
    compare_bounds (asl, nl, is_copy);
    compare_values (asl, nl, scenario, n_points);
  }
  if (ss_test_failed_checks > before)
    printf ("  %s against the library's reading of %s\n", ours, theirs);
  ss_nl_free (nl);
  ss_scenario_free (scenario);
  ASL_free (&asl);
}

static void
try_problem (const char *path, const char *name)
{
  const int before = ss_test_failed_checks;
  SsProblems problems;
  SsScenario *scenario = NULL;
  char *bytes = NULL;
  size_t length;

  ss_problems_init (&problems);
  SS_CHECK (ss_scenario_read_file (path, NULL, 0, &problems, &scenario) == SS_OK);
  ss_problems_clear (&problems);
  if (scenario != NULL && ss_nl_write (scenario, &bytes, &length, NULL, NULL) == SS_OK) {
    save ("ours", bytes, length);
    compare ("ours", "ours", 3);
    write_again ("ours", "text", ASL_write_ASCII);
    compare ("text", "ours", 1);
    write_again ("ours", "binary", ASL_write_binary);
    compare ("binary", "ours", 1);
  }
  SS_CHECK (bytes != NULL);
  ss_free (bytes);
  ss_scenario_free (scenario);
  if (ss_test_failed_checks > before)
    printf ("  in %s\n", name);
}

static void
published_problems (void)
{
  DIR *problems = opendir (SS_SOURCE_ROOT "/tests/data/mpcc");
  const struct dirent *entry;

  SS_CHECK (problems != NULL);
  while (problems != NULL && (entry = readdir (problems)) != NULL) {
    char path[600];
    if (strstr (entry->d_name, ".stickslip.json") == NULL)
      continue;
    snprintf (path, sizeof path, SS_SOURCE_ROOT "/tests/data/mpcc/%.255s", entry->d_name);
    try_problem (path, entry->d_name);
  }
  if (problems != NULL)
    closedir (problems);
}

static void
examples (void)
{
  static const char *const files[] = {"cartpole", "transport", "push-box", "waiter"};

  for (int i = 0; i < 4; i++) {
    char path[600];
    snprintf (path, sizeof path, SS_SOURCE_ROOT "/examples/crisp/%s.stickslip.json", files[i]);
    try_problem (path, files[i]);
  }
}

/* Operators, ranges, common expressions, two-sided complementarity and a maximised objective, by hand. */
static void
by_hand (void)
{
  static const char file[] =
      "g3 1 1 0\n 4 4 1 1 0\n 3 1 0 2 0 0\n 0 0\n 4 4 4\n 0 0 0 1\n 0 0 0 0 0\n 11 4\n 0 0\n 1 0 0 0 0\n"
      "V4 1 0\n0 2\no44\nv1\n"
      "C0\no54\n3\nv4\no41\nv0\no2\nv1\no43\nv2\n"
      "C1\no5\nv3\nn2.5\n"
      "C2\no3\no39\nv2\no0\nn1\no46\nv3\n"
      "C3\nn0\n"
      "O0 1\no54\n5\no2\nv0\nv4\no16\no49\nv1\no37\nv2\no42\nv3\no48\nv0\nv3\n"
      "x3\n0 1.25\n2 -0.5\n3 2\n"
      "r\n0 -1 5\n5 3 4\n5 2 2\n2 -3\n"
      "b\n3\n1 4\n2 0.125\n0 -1 1\n"
      "k3\n3\n6\n9\n"
      "J0 4\n0 1\n1 0\n2 0\n3 -4\nJ1 2\n0 3\n3 0\nJ2 3\n1 1.5\n2 0\n3 0\nJ3 2\n0 1\n2 1\n"
      "G0 4\n0 0\n1 0\n2 0.5\n3 0\n";

  save ("ours", file, sizeof file - 1);
  compare ("ours", "ours", 5);
  write_again ("ours", "text", ASL_write_ASCII);
  compare ("text", "ours", 1);
  write_again ("ours", "binary", ASL_write_binary);
  compare ("binary", "ours", 1);
}

static void
clear_folder (void)
{
  static const char *const names[] = {"ours", "text", "binary"};
  char path[128];

  for (int i = 0; i < 3; i++) {
    snprintf (path, sizeof path, "%s/%s.nl", folder, names[i]);
    unlink (path);
  }
  rmdir (folder);
}

int
main (void)
{
  if (mkdtemp (folder) == NULL)
    return 1;
  SS_RUN (published_problems);
  SS_RUN (examples);
  SS_RUN (by_hand);
  clear_folder ();
  return ss_test_finish ();
}
