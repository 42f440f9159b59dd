/* tests/ss-test-programs.h: the topics that a program of tests holds. */
#pragma once

typedef struct {
  const char *name;  /* test-core */
  int (*run) (void); /* its main */
} SsTestTopic;

extern const SsTestTopic ss_test_topics[]; /* the last one has no name */

/* The arguments of the topic that runs, its name first: its main takes none. */
extern int ss_test_argc;
extern char **ss_test_argv;

/* How many threads this program has started so far; always 0 under the thread sanitizer, which starts them itself. */
int ss_test_threads_started (void);
