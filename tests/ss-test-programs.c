/* tests/ss-test-programs.c: the main of a program that holds the tests of a room, each topic in a file with a main of
 * its own. Linked once a room, not once a topic. The topic is the name by which the
 * program is called (build/tests/test-core is a link to it), or its first argument. */
#define _GNU_SOURCE 1 /* RTLD_NEXT */
#include "ss-test-programs.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

int ss_test_argc;
char **ss_test_argv;

static atomic_int n_started;

int
ss_test_threads_started (void)
{
  return atomic_load (&n_started);
}

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HAS_ITS_OWN_THREADS 1
#endif
#endif

#ifndef HAS_ITS_OWN_THREADS
/* Stands before that of the C library, also for libraries. */
int
pthread_create (pthread_t *thread, const pthread_attr_t *attributes, void *(*run) (void *), void *data)
{
  int (*create) (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = NULL;

  *(void **)&create = dlsym (RTLD_NEXT, "pthread_create");
  atomic_fetch_add (&n_started, 1);
  return create (thread, attributes, run, data);
}
#endif

/* GLib's, in programs that have it: what a caller promised and did not keep ends the test, in words on standard error
 * alone nobody would see it. Recursion, errors (which end it anyway), critical warnings. */
extern int g_log_set_always_fatal (int levels) __attribute__ ((weak));
enum { FATAL_LEVELS = 1 << 0 | 1 << 2 | 1 << 3 };

static const SsTestTopic *
find_topic (const char *path)
{
  const char *slash = strrchr (path, '/');
  const char *name = slash != NULL ? slash + 1 : path;

  for (const SsTestTopic *topic = ss_test_topics; topic->name != NULL; topic++)
    if (strcmp (topic->name, name) == 0)
      return topic;
  return NULL;
}

int
main (int argc, char **argv)
{
  const SsTestTopic *topic = argc > 0 ? find_topic (argv[0]) : NULL;

  if (topic == NULL && argc > 1) {
    argc--, argv++;
    topic = find_topic (argv[0]);
  }
  if (topic == NULL) {
    fprintf (stderr, "Name one of:\n");
    for (topic = ss_test_topics; topic->name != NULL; topic++)
      fprintf (stderr, "  %s\n", topic->name);
    return 2;
  }
  ss_test_argc = argc;
  ss_test_argv = argv;
  if (g_log_set_always_fatal != NULL)
    g_log_set_always_fatal (FATAL_LEVELS);
  return topic->run ();
}
