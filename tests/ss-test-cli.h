/* tests/ss-test-cli.h: the command line in the process of a test, in a folder of its own. */
#pragma once

#pragma push_macro("main")
#undef main
#define main ss_test_cli_main
static int main (int argc, char **argv);
#include "app/main-cli.c"
#undef main
#pragma pop_macro("main")

#include "app/cli/cli-args-private.h"
#include "tests/ss-test.h"

#include <glib/gstdio.h>

static char *folder;

typedef struct {
  int status;
  char *out, *err;
} Said;

/* A file without a name. */
static inline int
scratch (void)
{
  char name[] = "/tmp/test-cli-XXXXXX";
  const int fd = g_mkstemp (name);

  SS_CHECK (fd >= 0 && g_unlink (name) == 0);
  return fd;
}

static inline char *
read_back (int fd)
{
  const off_t length = lseek (fd, 0, SEEK_END);
  char *text = g_malloc0 ((gsize)length + 1);

  SS_CHECK (pread (fd, text, (gsize)length, 0) == length);
  close (fd);
  return text;
}

/* Where both streams go meanwhile. */
static inline void
redirect (int from[2], const int to[2])
{
  fflush (NULL);
  for (int i = 0; i < 2; i++) {
    from[i] = dup (STDOUT_FILENO + i);
    SS_CHECK (dup2 (to[i], STDOUT_FILENO + i) >= 0);
  }
}

static inline void
restore (const int from[2])
{
  fflush (NULL);
  for (int i = 0; i < 2; i++) {
    SS_CHECK (dup2 (from[i], STDOUT_FILENO + i) >= 0);
    close (from[i]);
  }
}

/* A command of the shell without its program. */
static inline Said
say (const char *command)
{
  g_autofree char *whole = g_strconcat ("stickslip-cli ", command, NULL);
  const int to[2] = {scratch (), scratch ()};
  g_auto (GStrv) words = NULL;
  int from[2], n = 0;
  Said said;

  SS_CHECK (g_shell_parse_argv (whole, &n, &words, NULL));
  redirect (from, to);
  said.status = ss_test_cli_main (n, words);
  restore (from);
  said.out = read_back (to[0]);
  said.err = read_back (to[1]);
  return said;
}

static inline void
clear_said (Said *said)
{
  g_free (said->out);
  g_free (said->err);
}

/* That a command ends so, having said that. */
static inline void
check_said (const char *command, int status, const char *words)
{
  Said said = say (command);
  const gboolean is_told = strstr (said.err, words) != NULL || (status == CLI_OK && strstr (said.out, words) != NULL);

  if (said.status != status || !is_told) {
    SS_CHECK (FALSE);
    printf ("  %s: status %d (expected %d), said\n%s%.2000s  expected %s\n", command, said.status, status, said.err,
            said.out, words);
  }
  clear_said (&said);
}

static inline void
link_to (const char *relative, const char *name)
{
  g_autofree char *from = relative[0] == '/' ? g_strdup (relative) : g_build_filename (SS_SOURCE_ROOT, relative, NULL);
  g_autofree char *to = g_build_filename (folder, name, NULL);

  SS_CHECK (symlink (from, to) == 0);
}

/* In a new folder, which has a box that falls and a model in equations; no methods of whoever runs the test. */
static inline void
begin_cli (void)
{
  folder = g_dir_make_tmp ("test-cli-XXXXXX", NULL);
  g_autofree char *there = g_build_filename (folder, "there", NULL);

  g_setenv ("HOME", folder, TRUE);
  g_setenv ("XDG_DATA_HOME", there, TRUE);
  g_setenv ("XDG_CONFIG_HOME", there, TRUE);
  SS_CHECK (g_mkdir (there, 0700) == 0 && chdir (folder) == 0);
  link_to ("examples/sketches/falling-box.stickslip.json", "fall.stickslip.json");
  link_to ("examples/crisp/push-box.stickslip.json", "push.stickslip.json");
}

static inline void
end_cli (void)
{
  g_autofree char *remove = g_strdup_printf ("rm -rf '%s'", folder);

  SS_CHECK (chdir ("/") == 0 && system (remove) == 0);
  g_free (folder);
}
