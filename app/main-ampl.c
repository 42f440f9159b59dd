/* app/main-ampl.c: stickslip-ampl: a solver for AMPL, Pyomo, JuMP and whatever else writes a .nl and reads a .sol.
 *
 *   stickslip-ampl STUB[.nl] [-AMPL] [KEYWORD=VALUE ...]
 *
 * Reads STUB.nl (scene/ss-nl.h), solves by `auto` or another optimiser, and writes STUB.sol: message, options of the
 * problem's file, duals where the method has them, variables, and a number for how it ended (D. M. Gay, Hooking Your
 * Solver to AMPL, tables of solve_result_num). Keywords also come from the environment, stickslip_options; those of the
 * command line count more.
 *
 * Dual of a row: the objective's slope by its bound, of a maximised objective too. Of a row that complements: of the
 * problem in which the pairs' zero sides are kept.
 *
 * Exit status: 0: a solution file was written, however the run ended; 1: the problem could not be read or the keywords
 * are wrong; 2: something broke.
 * Tests: tests/cli/test-ampl.sh
 */
#include "mpcc/ss-problem.h"
#include "run/ss-run.h"
#include "scene/ss-nl.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_WRITTEN, EXIT_INPUT, EXIT_BROKEN };
enum { WORDS_MAX = 256 };
#define NO_NUMBER SIZE_MAX

static SsRunControl control; /* a signal ends the run through it */

static void
stop (int number)
{
  (void)number;
  ss_run_control_cancel (&control);
}

static int
complain (const char *what, const char *why)
{
  fprintf (stderr, "stickslip-ampl: %s%s%s\n", what, why[0] != '\0' ? ": " : "", why);
  return EXIT_INPUT;
}

/* ---- keywords ---------------------------------------------------------------------------------------------------- */

typedef struct {
  const SsMethod *method;
  void *options;
  double objective;             /* number from 1; 0: none */
  double time_limit, cpu_limit; /* [s]; 0: none */
  double level;                 /* 0: prints nothing */
  bool is_ampl;
  int n_words;
  char *words[WORDS_MAX]; /* "key=value", of the environment first; owned */
} Ask;

/* Those that are numbers from 0 on say where theirs is. */
static const struct {
  const char *name, *about;
  size_t offset; /* of a double in Ask */
} keywords[] = {
    {"method", "the optimiser: auto, crisp, scholtes or ipopt (auto)", NO_NUMBER},
    {"objno", "which objective is solved for, from 1; 0: none, any feasible point (1)", offsetof (Ask, objective)},
    {"time_limit", "ends the run after that many seconds", offsetof (Ask, time_limit)},
    {"cpu_limit", "ends the run after that much CPU time [s]", offsetof (Ask, cpu_limit)},
    {"outlev", "0: prints nothing (1)", offsetof (Ask, level)},
    {"wantsol", "taken and ignored: a solution file is always written", NO_NUMBER},
};

static bool
add_word (Ask *ask, const char *word, size_t length)
{
  if (length == 0)
    return true;
  if (ask->n_words == WORDS_MAX || (ask->words[ask->n_words] = ss_strndup (word, length)) == NULL) {
    complain ("too many keywords", "");
    return false;
  }
  ask->n_words++;
  return true;
}

/* The words of stickslip_options, parted by blanks. */
static bool
add_environment (Ask *ask)
{
  const char *at = getenv ("stickslip_options");

  while (at != NULL && *at != '\0') {
    const size_t n = strcspn (at, " \t\n,");
    if (!add_word (ask, at, n))
      return false;
    at += n + (at[n] != '\0');
  }
  return true;
}

static const char *
value_of_word (const char *word, const char *key)
{
  const size_t n = strlen (key);

  return strncmp (word, key, n) == 0 && word[n] == '=' ? word + n + 1 : NULL;
}

static bool
take_number (const char *text, const char *key, double *value)
{
  double number;
  char why[160];

  if (ss_parse_double (text, &number) && number >= 0) {
    *value = number;
    return true;
  }
  snprintf (why, sizeof why, "'%.60s' is no number from 0 on", text);
  complain (key, why);
  return false;
}

/* A keyword of ours, or an option of the method. */
static bool
take_word (Ask *ask, const char *word)
{
  const char *equals = strchr (word, '=');
  SsError error;

  if (equals == NULL) {
    complain (word, "no keyword (expected KEYWORD=VALUE)");
    return false;
  }
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
    const char *text = value_of_word (word, keywords[i].name);

    if (text != NULL)
      return keywords[i].offset == NO_NUMBER ||
             take_number (text, keywords[i].name, (double *)(void *)((char *)ask + keywords[i].offset));
  }
  char *key = ss_strndup (word, (size_t)(equals - word));
  if (key == NULL)
    return false;
  const SsStatus status = ss_options_set (ask->method->options, ask->options, key, equals + 1, &error);
  ss_free (key);
  if (status != SS_OK)
    complain (error.message, error.expected);
  return status == SS_OK;
}

static bool
take_words (Ask *ask)
{
  const char *name = "auto";
  SsError error;

  for (int i = 0; i < ask->n_words; i++)
    if (value_of_word (ask->words[i], "method") != NULL)
      name = value_of_word (ask->words[i], "method");
  ask->method = ss_method_find (SS_METHOD_OPTIMISER, name, &error);
  if (ask->method == NULL) {
    complain (error.message, error.expected);
    return false;
  }
  ask->options = ss_alloc (1, ask->method->options->size);
  if (ask->options == NULL)
    return false;
  ss_options_init (ask->method->options, ask->options);
  for (int i = 0; i < ask->n_words; i++)
    if (!take_word (ask, ask->words[i]))
      return false;
  return true;
}

static void
print_help (void)
{
  printf (
      "stickslip-ampl STUB[.nl] [-AMPL] [KEYWORD=VALUE ...]\n\n"
      "Solves the problem of STUB.nl and writes STUB.sol. Keywords, also from the environment (stickslip_options):\n");
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    printf ("  %-12s %s\n", keywords[i].name, keywords[i].about);
  printf ("and the options of the method, such as relax=10 of crisp: `stickslip-cli methods METHOD` lists them.\n"
          "-AMPL is what AMPL adds: the message goes to the solution file alone. -v prints the version.\n");
}

/* The manual page stickslip-ampl(1) in man(7)'s language, of a release of that date; app/meson.build installs it. */
static int
print_manual_page (const char *date)
{
  printf (".\\\" Made by stickslip-ampl --manual-page.\n.TH STICKSLIP\\-AMPL 1 %s \"stickslip %s\"\n", date,
          SS_VERSION);
  printf (".SH NAME\nstickslip\\-ampl \\- solves complementarity problems of AMPL, Pyomo and JuMP\n"
          ".SH SYNOPSIS\n.B stickslip\\-ampl\n.IR STUB [.nl]\n.RB [ \\-AMPL ]\n.RI [ KEYWORD = VALUE \" ...]\"\n"
          ".SH DESCRIPTION\nReads the problem of\n.IR STUB .nl,\nsolves it, and writes\n.IR STUB .sol:\n"
          "message, duals where the method has them, variables, and a number for how it ended.\n"
          ".B \\-AMPL\nis what AMPL adds: the message goes to the solution file alone.\n.SH KEYWORDS\n");
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    printf (".TP\n.B %s\n%s\n", keywords[i].name, keywords[i].about);
  printf (
      ".PP\nAlso the options of the method, such as\n.B relax=10\nof crisp:\n.B stickslip\\-cli methods\n.I METHOD\n"
      "lists them.\n.SH ENVIRONMENT\n.TP\n.B stickslip_options\nkeywords, parted by blanks; those of the command line "
      "count more\n.SH \"EXIT STATUS\"\n.TP\n.B 0\na solution file was written, however the run ended\n.TP\n"
      ".B 1\nthe problem could not be read, or a keyword is wrong\n.TP\n.B 2\nsomething failed that should not have\n"
      ".SH \"SEE ALSO\"\n.BR stickslip\\-cli (1)\n");
  return EXIT_WRITTEN;
}

/* ---- the solution file ------------------------------------------------------------------------------------------- */

typedef struct {
  const SsNl *nl;
  SsOutcome outcome;
  char message[1400];
  double *x, *duals; /* n_variables, n_rows; NULL: there are none */
  double objective;  /* with the sign of the file */
} Answer;

/* Ranges of solve_result_num: 0 solved, 200 infeasible, 300 unbounded, 400 limit, 500 failure. */
static int
number_of (SsOutcome outcome)
{
  switch (outcome) {
  case SS_OUTCOME_SOLVED:
    return 0;
  case SS_OUTCOME_INFEASIBLE:
    return 200;
  case SS_OUTCOME_UNBOUNDED:
  case SS_OUTCOME_DIVERGED:
    return 300;
  case SS_OUTCOME_MAX_ITERATIONS:
    return 400;
  case SS_OUTCOME_TIME_LIMIT:
  case SS_OUTCOME_MACHINE_SLOW:
    return 401;
  case SS_OUTCOME_CPU_LIMIT:
    return 402;
  case SS_OUTCOME_CANCELLED:
    return 403;
  default:
    return 500;
  }
}

static void
print_numbers (FILE *out, const double *values, int n)
{
  char number[32];

  for (int i = 0; values != NULL && i < n; i++) {
    ss_format_double (values[i], number, sizeof number);
    fprintf (out, "%s\n", number);
  }
}

static bool
write_solution (const Answer *answer, const Ask *ask, const char *path)
{
  const SsNl *nl = answer->nl;
  FILE *out = fopen (path, "w");

  if (out == NULL)
    return false;
  fprintf (out, "%s\n\n", answer->message);
  if (nl->n_options > 0) {
    fprintf (out, "Options\n%d\n", nl->n_options + (nl->has_tolerance ? 2 : 0));
    for (int i = 0; i < nl->n_options; i++)
      fprintf (out, "%d\n", nl->options[i]);
  }
  fprintf (out, "%d\n%d\n%d\n%d\n", nl->n_rows, answer->duals != NULL ? nl->n_rows : 0, nl->n_variables,
           answer->x != NULL ? nl->n_variables : 0);
  if (nl->n_options > 0 && nl->has_tolerance)
    print_numbers (out, &nl->tolerance, 1);
  print_numbers (out, answer->duals, nl->n_rows);
  print_numbers (out, answer->x, nl->n_variables);
  fprintf (out, "objno %d %d\n", ask->objective > 0 ? (int)ask->objective - 1 : -1, number_of (answer->outcome));
  const bool is_written = !ferror (out);
  return fclose (out) == 0 && is_written;
}

/* ---- duals ------------------------------------------------------------------------------------------------------- */

/* From the multipliers of the scenario's rows, which are in the order in which ss_nl_to_scenario writes them: equations
 * by row, inequalities by row with the lower bound first, then pairs. `values` are those of the inequalities. */
static void
take_duals (Answer *answer, const SsMpcc *mpcc, const double *y, const double *values, double sign)
{
  const SsNl *nl = answer->nl;
  const double *y_in = y + ss_mpcc_n_equalities (mpcc), *c_in = values + ss_mpcc_n_equalities (mpcc);
  int equation = 0, inequality = 0, pair = 0;

  for (int i = 0; i < nl->n_rows; i++) {
    const SsNlRow *row = &nl->rows[i];
    const bool is_mixed = row->at_lower && row->at_upper;
    double dual = 0;
    if (row->complements >= 0 ? row->at_lower == row->at_upper : row->lower == row->upper) {
      dual = y[equation++]; /* body = c, body = 0, or body = p - n */
      pair += row->complements >= 0 && is_mixed ? 2 : 0;
    } else if (row->complements >= 0) {
      /* The body, or its negative, is side a: its own row, and the product -(a b), whose slope by a is -b. */
      const SsMpccPair *p = &ss_mpcc_pairs (mpcc)[pair++];
      const double b = p->row_b >= 0 ? c_in[p->row_b] : 0;
      dual = (p->row_a >= 0 ? y_in[p->row_a] : 0) - y_in[p->product_row] * b;
      dual = row->at_upper ? -dual : dual;
    } else {
      if (isfinite (row->lower))
        dual += y_in[inequality++];
      if (isfinite (row->upper))
        dual -= y_in[inequality++];
    }
    answer->duals[i] = sign * dual;
  }
}

/* ---- solving ----------------------------------------------------------------------------------------------------- */

static SsStatus
solve (const Ask *ask, const SsScenario *scenario, Answer *answer, SsError *err)
{
  const SsNl *nl = answer->nl;
  const SsJob job = ss_job (ask->method, scenario, ask->options);
  const int objective = (int)ask->objective - 1;
  const double sign = objective >= 0 && objective < nl->n_objectives && nl->objectives[objective].is_maximised ? -1 : 1;
  SsSolve run;
  SsRunResult result;
  bool is_over;
  SsStatus status = ss_run_check (scenario, ask->method, err);

  if (status != SS_OK)
    return status;
  status = ss_solve_begin (&run, &job.solve, &control, &result, &is_over, err);
  if (status == SS_OK && !is_over)
    status = ss_solve_answer (&run, &control, &result, err);
  if (status == SS_OK && !is_over && run.answer.x != NULL) {
    SsMpcc *mpcc = NULL;
    SsMpccEval *eval = NULL;
    const double *y = run.answer.multipliers;
    answer->x = ss_new_array (double, nl->n_variables);
    answer->duals = y != NULL ? ss_new_array (double, nl->n_rows + 1) : NULL;
    if (answer->x != NULL)
      memcpy (answer->x, run.answer.x, (size_t)nl->n_variables * sizeof (double));
    answer->objective = sign * run.metrics.objective;
    if (answer->duals != NULL && ss_problem_build (scenario, &mpcc, NULL) == SS_OK &&
        ss_mpcc_eval_new (mpcc, &eval, NULL) == SS_OK) {
      double *values = ss_new_array (double, ss_mpcc_n_rows (mpcc) + 1);
      if (values != NULL) {
        ss_mpcc_rows (eval, run.answer.x, values);
        take_duals (answer, mpcc, y, values, sign);
      }
      ss_free (values);
    }
    ss_mpcc_eval_free (eval);
    ss_mpcc_free (mpcc);
    status = ss_solve_judge (&run, &control, &result, err);
  }
  status = ss_solve_end (&run, status, &control, &result, err);
  if (status != SS_OK)
    return status;
  answer->outcome = result.outcome;
  char value[32];
  ss_format_double (answer->objective, value, sizeof value);
  snprintf (answer->message, sizeof answer->message, "stickslip %s, %s: %s: %.1100s%s%s", SS_VERSION, ask->method->name,
            ss_outcome_name (result.outcome), result.message,
            answer->x != NULL && objective >= 0 && objective < nl->n_objectives ? "\nobjective " : "",
            answer->x != NULL && objective >= 0 && objective < nl->n_objectives ? value : "");
  ss_run_result_clear (&result);
  return SS_OK;
}

/* ---- the program ------------------------------------------------------------------------------------------------- */

static char *
read_file (const char *path, size_t *length)
{
  FILE *in = fopen (path, "rb");
  char *bytes = NULL;
  int capacity = 0, n = 0;

  if (in == NULL)
    return NULL;
  for (;;) {
    if (n > 1 << 30 || ss_array_reserve ((void **)&bytes, &capacity, n + (1 << 16), 1) != 0) {
      errno = ENOMEM;
      break;
    }
    const size_t got = fread (bytes + n, 1, 1 << 16, in);
    n += (int)got;
    if (got > 0)
      continue;
    if (ferror (in))
      break;
    fclose (in);
    *length = (size_t)n;
    return bytes;
  }
  fclose (in);
  ss_free (bytes);
  return NULL;
}

static int
print_problems (const SsProblems *problems)
{
  char line[1024];

  for (int i = 0; i < problems->n_items; i++) {
    ss_error_format (&problems->items[i], line, sizeof line);
    fprintf (stderr, "%s\n", line);
  }
  return EXIT_INPUT;
}

/* The problem of a path as a scenario too; a status of exit, EXIT_WRITTEN where both are there. */
static int
read_problem (const Ask *ask, const char *path, SsNl **nl, SsScenario **scenario)
{
  size_t length = 0;
  char *bytes = read_file (path, &length), *text = NULL;
  SsProblems problems;
  SsError error;
  int status = EXIT_WRITTEN;

  if (bytes == NULL)
    return complain (path, strerror (errno));
  ss_problems_init (&problems);
  if (ss_nl_read (bytes, length, path, &problems, nl) != SS_OK)
    status = print_problems (&problems);
  else if (ask->objective > (*nl)->n_objectives && ask->objective != 1)
    status = complain ("objno", "the problem has no such objective");
  else if (ss_nl_to_scenario (*nl, ask->objective > 0 ? (int)ask->objective - 1 : (*nl)->n_objectives, path, &text,
                              &length, &error) != SS_OK)
    status = complain (path, error.message);
  else if (ss_scenario_read (text, length, path, NULL, 0, &problems, scenario) != SS_OK)
    status = print_problems (&problems);
  ss_problems_clear (&problems);
  ss_free (bytes);
  ss_free (text);
  return status;
}

static int
run (const Ask *ask, const char *stub)
{
  const size_t n = strlen (stub) - (ss_nl_is_path (stub) ? 3 : 0);
  char *path = ss_alloc (n + 5, 1), *solution = ss_alloc (n + 5, 1);
  SsNl *nl = NULL;
  SsScenario *scenario = NULL;
  Answer answer = {0};
  SsError error;
  int status = EXIT_BROKEN;

  if (path == NULL || solution == NULL)
    goto done;
  snprintf (path, n + 5, "%.*s.nl", (int)n, stub);
  snprintf (solution, n + 5, "%.*s.sol", (int)n, stub);
  status = read_problem (ask, ss_nl_is_path (stub) ? stub : path, &nl, &scenario);
  if (status != EXIT_WRITTEN)
    goto done;
  ss_run_control_init (&control);
  if (ask->time_limit > 0)
    control.deadline = ss_clock_wall () + ask->time_limit;
  if (ask->cpu_limit > 0)
    ss_run_control_limit_cpu (&control, ask->cpu_limit);
  signal (SIGINT, stop);
  signal (SIGTERM, stop);
  answer.nl = nl;
  if (solve (ask, scenario, &answer, &error) != SS_OK) {
    complain (stub, error.message);
    status = EXIT_BROKEN;
  } else if (!write_solution (&answer, ask, solution)) {
    complain (solution, strerror (errno));
    status = EXIT_BROKEN;
  } else if (ask->level != 0 && !ask->is_ampl) {
    printf ("%s\n", answer.message);
  }

done:
  ss_free (answer.x);
  ss_free (answer.duals);
  ss_scenario_free (scenario);
  ss_nl_free (nl);
  ss_free (path);
  ss_free (solution);
  return status;
}

int
main (int argc, char **argv)
{
  Ask ask = {.objective = 1, .level = 1};
  const char *stub = NULL;
  int status = EXIT_INPUT;

  bool ok = add_environment (&ask);
  for (int i = 1; i < argc && ok; i++) {
    if (strcmp (argv[i], "-v") == 0 || strcmp (argv[i], "--version") == 0) {
      printf ("stickslip-ampl %s\n", SS_VERSION);
      return EXIT_WRITTEN;
    }
    if (strcmp (argv[i], "-?") == 0 || strcmp (argv[i], "-=") == 0 || strcmp (argv[i], "--help") == 0) {
      print_help ();
      return EXIT_WRITTEN;
    }
    if (strcmp (argv[i], "--manual-page") == 0 && i + 1 < argc)
      return print_manual_page (argv[i + 1]);
    if (strcmp (argv[i], "-AMPL") == 0) {
      ask.is_ampl = true;
    } else if (argv[i][0] == '-') {
      complain (argv[i], "no such option (expected -AMPL, -v or --help)");
      ok = false;
    } else if (stub == NULL) {
      stub = argv[i];
    } else {
      ok = add_word (&ask, argv[i], strlen (argv[i]));
    }
  }
  if (ok && stub == NULL) {
    print_help ();
    ok = false;
  }
  if (ok && take_words (&ask))
    status = run (&ask, stub);
  for (int i = 0; i < ask.n_words; i++)
    ss_free (ask.words[i]);
  ss_free (ask.options);
  return status;
}
