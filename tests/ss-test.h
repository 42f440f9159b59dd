/* tests/ss-test.h: the smallest harness that gives file, line, both values and the tolerance of a failed check.
 * One main per topic; SS_RUN prints one line per test function; the last line is "N passed, N failed". */
#pragma once

#include "ss-test-programs.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int ss_test_failed_checks, ss_test_passed, ss_test_failed;

#define SS_CHECK(condition)                                                                                            \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      printf ("%s:%d: check failed: %s\n", __FILE__, __LINE__, #condition);                                            \
      ss_test_failed_checks++;                                                                                         \
    }                                                                                                                  \
  } while (0)

/* |a - b| <= tolerance (absolute); a NaN fails. */
#define SS_CHECK_NEAR(a, b, tolerance)                                                                                 \
  do {                                                                                                                 \
    double ss_a_ = (a), ss_b_ = (b), ss_t_ = (tolerance);                                                              \
    if (!(fabs (ss_a_ - ss_b_) <= ss_t_)) {                                                                            \
      printf ("%s:%d: %s = %.17g, expected %s = %.17g, difference %.3g above %.3g\n", __FILE__, __LINE__, #a, ss_a_,   \
              #b, ss_b_, fabs (ss_a_ - ss_b_), ss_t_);                                                                 \
      ss_test_failed_checks++;                                                                                         \
    }                                                                                                                  \
  } while (0)

#define SS_CHECK_STR(a, b)                                                                                             \
  do {                                                                                                                 \
    const char *ss_a_ = (a), *ss_b_ = (b);                                                                             \
    if (ss_a_ == NULL || ss_b_ == NULL || strcmp (ss_a_, ss_b_) != 0) {                                                \
      printf ("%s:%d: %s = \"%s\", expected \"%s\"\n", __FILE__, __LINE__, #a, ss_a_ ? ss_a_ : "(null)",               \
              ss_b_ ? ss_b_ : "(null)");                                                                               \
      ss_test_failed_checks++;                                                                                         \
    }                                                                                                                  \
  } while (0)

/* The text contains the part. */
#define SS_CHECK_CONTAINS(text, part)                                                                                  \
  do {                                                                                                                 \
    const char *ss_a_ = (text), *ss_b_ = (part);                                                                       \
    if (ss_a_ == NULL || strstr (ss_a_, ss_b_) == NULL) {                                                              \
      printf ("%s:%d: \"%s\" does not contain \"%s\"\n", __FILE__, __LINE__, ss_a_ ? ss_a_ : "(null)", ss_b_);         \
      ss_test_failed_checks++;                                                                                         \
    }                                                                                                                  \
  } while (0)

/* Runs a case and counts it. Under the thread sanitizer (see ss_test_is_threads) a case of one thread is left out, in
 * which there is nothing to see for it. Of a topic that runs there, a case that starts a thread and isn't marked fails
 * wherever threads can be counted. */
#define SS_RUN(function)                                                                                               \
  do {                                                                                                                 \
    if (ss_test_is_threads ())                                                                                         \
      break;                                                                                                           \
    int ss_started_ = ss_test_threads_started ();                                                                      \
    ss_test_begin ();                                                                                                  \
    function ();                                                                                                       \
    SS_CHECK (!SS_TEST_HAS_THREADS || ss_test_threads_started () == ss_started_); /* needs SS_RUN_THREADS */           \
    ss_test_end (#function);                                                                                           \
  } while (0)

/* A case of seconds, which are ten times as many under sanitizers, where shorter cases run the same code: there with
 * --all alone. tests/run.sh runs a topic that has such a case in the release build as well. */
#define SS_RUN_SLOW(function)                                                                                          \
  do {                                                                                                                 \
    if (!ss_test_is_coarse () || ss_test_is_long ())                                                                   \
      SS_RUN (function);                                                                                               \
  } while (0)

/* A long case beside a shorter one that runs the same code: with --all alone. */
#define SS_RUN_LONG(function)                                                                                          \
  do {                                                                                                                 \
    if (ss_test_is_long ())                                                                                            \
      SS_RUN (function);                                                                                               \
  } while (0)

/* A case in which more than one thread runs, in this program or in a worker that it starts. */
#define SS_RUN_THREADS(function)                                                                                       \
  do {                                                                                                                 \
    ss_test_begin ();                                                                                                  \
    function ();                                                                                                       \
    ss_test_end (#function);                                                                                           \
  } while (0)

static inline void
ss_test_begin (void)
{
  ss_test_failed_checks = 0;
}

static inline void
ss_test_end (const char *name)
{
  printf ("%s %s\n", ss_test_failed_checks ? "not ok" : "ok", name);
  fflush (stdout);
  if (ss_test_failed_checks)
    ss_test_failed++;
  else
    ss_test_passed++;
}

/* Whether only cases of several threads run: tests/run.sh sets STICKSLIP_TEST_THREADS under the thread sanitizer. */
static inline bool
ss_test_is_threads (void)
{
  return getenv ("STICKSLIP_TEST_THREADS") != NULL;
}

/* Whether few instances are enough: tests/run.sh sets STICKSLIP_TEST_COARSE under sanitizers, where programs are
 * several times slower and more instances run the same code. */
static inline bool
ss_test_is_coarse (void)
{
  return getenv ("STICKSLIP_TEST_COARSE") != NULL;
}

/* Whether the long checks were asked for: tests/run.sh --all sets STICKSLIP_TEST_ALL to 1, else to 0. */
static inline bool
ss_test_is_long (void)
{
  const char *all = getenv ("STICKSLIP_TEST_ALL");
  return all != NULL && strcmp (all, "1") == 0;
}

static inline int
ss_test_finish (void)
{
  printf ("%d passed, %d failed\n", ss_test_passed, ss_test_failed);
  return ss_test_failed ? 1 : 0;
}
