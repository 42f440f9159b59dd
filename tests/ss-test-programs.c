/* tests/ss-test-programs.c: the main of a program that holds the tests of a room, each topic in a file with a main of
 * its own. Linked once a room, not once a topic. The topic is the name by which the
 * program is called (build/tests/test-core is a link to it), or its first argument. */
#include "ss-test-programs.h"

#include <stdio.h>
#include <string.h>

int ss_test_argc;
char **ss_test_argv;

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
  return topic->run ();
}
