/* tests/ss-test-scenario.h: what tests of scenario files share: reading good ones, and checking that bad ones are
 * refused at the right line and path. */
#pragma once

#include "scene/ss-scenario.h"
#include "ss-test.h"

static inline void
ss_test_print_problems (const SsProblems *problems)
{
  for (int i = 0; i < problems->n_items; i++) {
    char text[1200];

    ss_error_format (&problems->items[i], text, sizeof text);
    printf ("  %s\n", text);
  }
}

/* "<source root>/<relative>" in the buffer. */
static inline char *
ss_test_source_path (const char *relative, char *buffer, size_t size)
{
  snprintf (buffer, size, "%s/%s", SS_SOURCE_ROOT, relative);
  return buffer;
}

/* Reads a file of the source tree that must be good; NULL after a failed check. */
static inline SsScenario *
ss_test_read_file (const char *relative, const SsOverride *overrides, int n_overrides)
{
  char path[512];
  SsProblems problems;
  SsScenario *scenario = NULL;

  ss_problems_init (&problems);
  SS_CHECK (ss_scenario_read_file (ss_test_source_path (relative, path, sizeof path), overrides, n_overrides, &problems,
                                   &scenario) == SS_OK);
  ss_test_print_problems (&problems);
  ss_problems_clear (&problems);
  return scenario;
}

/* The same for a text. */
static inline SsScenario *
ss_test_read_text (const char *text)
{
  SsProblems problems;
  SsScenario *scenario = NULL;

  ss_problems_init (&problems);
  SS_CHECK (ss_scenario_read (text, strlen (text), "test", NULL, 0, &problems, &scenario) == SS_OK);
  ss_test_print_problems (&problems);
  ss_problems_clear (&problems);
  return scenario;
}

/* True if some problem has this line (0: any), path and a part of the message or expectation. */
static inline bool
ss_test_has_problem (const SsProblems *problems, int line, const char *path, const char *part)
{
  for (int i = 0; i < problems->n_items; i++) {
    const SsError *e = &problems->items[i];

    if ((line == 0 || e->line == line) && strcmp (e->path, path) == 0 &&
        (strstr (e->message, part) != NULL || strstr (e->expected, part) != NULL))
      return true;
  }
  printf ("no problem at line %d, path '%s' with '%s' among:\n", line, path, part);
  ss_test_print_problems (problems);
  return false;
}

enum { SS_TEST_PROBLEMS_MAX = 9 };

/* A file of tests/data/bad: how many problems it has, and some that must be among them. */
typedef struct {
  const char *file; /* without folder and extension */
  SsStatus status;
  int n_problems;
  struct {
    int line;
    const char *path, *part;
  } found[SS_TEST_PROBLEMS_MAX];
} SsTestBadFile;

static inline void
ss_test_check_bad_file (const SsTestBadFile *bad)
{
  char relative[128], path[512];
  SsProblems problems;
  SsScenario *scenario = (SsScenario *)&problems; /* must become NULL */
  int before = ss_test_failed_checks;

  snprintf (relative, sizeof relative, "tests/data/bad/%s.stickslip.json", bad->file);
  ss_test_source_path (relative, path, sizeof path);
  ss_problems_init (&problems);
  SS_CHECK (ss_scenario_read_file (path, NULL, 0, &problems, &scenario) == bad->status);
  SS_CHECK (scenario == NULL);
  SS_CHECK (problems.n_items == bad->n_problems);
  for (int p = 0; p < SS_TEST_PROBLEMS_MAX && bad->found[p].path != NULL; p++)
    SS_CHECK (ss_test_has_problem (&problems, bad->found[p].line, bad->found[p].path, bad->found[p].part));
  for (int p = 0; p < problems.n_items; p++)
    SS_CHECK_STR (problems.items[p].file, path);
  if (ss_test_failed_checks > before)
    printf ("  in %s\n", bad->file);
  ss_problems_clear (&problems);
}
