/* tests/fuzz/ss-fuzz-target.h: a fuzz target: what reads one input, in a block of just its size.
 *
 * The target's file defines `ss_fuzz_target` and SS_FUZZ_MAIN. Its program mutates the files of tests/fuzz/corpus/NAME
 * and of `more`, each of which is read as it is first: `fuzz-NAME [ITERATIONS [SEED]]`, or `fuzz-NAME FILE...` for
 * inputs that are kept. Compiled with -DSS_FUZZ_BY_LIBFUZZER -fsanitize=fuzzer it has LLVMFuzzerTestOneInput and no
 * main, and clang's libFuzzer drives it by what inputs reach (tests/README.md). */
#pragma once

#include "ss-fuzz.h"

#include <dirent.h>
#include <stdint.h>

enum { SS_FUZZ_FILES = 128 };

typedef struct {
  const char *name;
  int iterations;       /* by default: a few seconds under sanitizers */
  size_t most;          /* bytes of an input */
  void (*begin) (void); /* before the first input; NULL: nothing */
  void (*end) (void);   /* NULL: nothing */
  void (*try) (const char *bytes, size_t length);
  const char *const *tokens; /* words that mean something there; ends with NULL */
  const char *const *more;   /* files from the root of the sources; ends with NULL; NULL: none */
} SsFuzzTarget;

static const SsFuzzTarget ss_fuzz_target;

/* ---- mutations --------------------------------------------------------------------------------------------------- */

static char *ss_fuzz_files[SS_FUZZ_FILES];
static size_t ss_fuzz_lengths[SS_FUZZ_FILES];
static int ss_fuzz_n_files;

static inline size_t
ss_fuzz_replace (char *text, size_t length, size_t at, size_t removed, const char *with, size_t n)
{
  if (length - removed + n > ss_fuzz_target.most)
    return length;
  memmove (text + at + n, text + at + removed, length - at - removed);
  memcpy (text + at, with, n);
  return length - removed + n;
}

/* A word that lies about a size, in the order of a file's bytes. */
static inline size_t
ss_fuzz_set_number (SsRandom *random, char *text, size_t length, size_t at)
{
  static const unsigned char numbers[][4] = {{0, 0, 0, 0},         {0, 0, 0, 1},     {255, 255, 255, 255},
                                             {127, 255, 255, 255}, {0, 0, 255, 255}, {128, 0, 0, 0}};
  const size_t width = (size_t)1 << ss_fuzz_below (random, 3);

  if (length - at >= width)
    memcpy (text + at, numbers[ss_fuzz_below (random, sizeof numbers / sizeof *numbers)] + 4 - width, width);
  return length;
}

static inline size_t
ss_fuzz_mutate (SsRandom *random, int iteration, char *text, size_t length)
{
  const size_t at = ss_fuzz_below (random, length + 1), n = ss_fuzz_below (random, length - at + 1) % 128;
  size_t n_tokens = 0;
  char part[128];

  (void)iteration;
  while (ss_fuzz_target.tokens[n_tokens] != NULL)
    n_tokens++;
  switch (ss_fuzz_below (random, 8)) {
  case 0: /* a bit */
    if (at < length)
      text[at] ^= (char)(1 << ss_fuzz_below (random, 8));
    return length;
  case 1: /* a digit */
    if (at < length)
      text[at] = (char)('0' + ss_fuzz_below (random, 10));
    return length;
  case 2: /* cut off, seldom, or a part left out */
    return ss_fuzz_below (random, 8) == 0 ? at : ss_fuzz_replace (text, length, at, n, "", 0);
  case 3: /* a part once more, elsewhere */
    memcpy (part, text + at, n);
    return ss_fuzz_replace (text, length, ss_fuzz_below (random, length + 1), 0, part, n);
  case 4: { /* a part of another file */
    const size_t other = ss_fuzz_below (random, (size_t)ss_fuzz_n_files),
                 from = ss_fuzz_below (random, ss_fuzz_lengths[other]), left = ss_fuzz_lengths[other] - from;
    return ss_fuzz_replace (text, length, at, 0, ss_fuzz_files[other] + from, left < 128 ? left : n);
  }
  case 5:
    return ss_fuzz_set_number (random, text, length, at);
  default: {
    const char *token = n_tokens > 0 ? ss_fuzz_target.tokens[ss_fuzz_below (random, n_tokens)] : "";
    return ss_fuzz_replace (text, length, at, ss_fuzz_below (random, 2) == 0 ? 0 : n % 8, token, strlen (token));
  }
  }
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* Keeps a file as one to begin with; too long ones are cut. */
static inline void
ss_fuzz_read (const char *path)
{
  FILE *stream = fopen (path, "rb");

  SS_CHECK (stream != NULL);
  if (stream == NULL || ss_fuzz_n_files == SS_FUZZ_FILES)
    return;
  char *text = malloc (ss_fuzz_target.most + 1);
  if (text != NULL) {
    ss_fuzz_lengths[ss_fuzz_n_files] = fread (text, 1, ss_fuzz_target.most, stream);
    ss_fuzz_files[ss_fuzz_n_files++] = text;
  }
  fclose (stream);
}

static inline int
ss_fuzz_compare (const void *a, const void *b)
{
  return strcmp (*(char *const *)a, *(char *const *)b);
}

/* Of a folder, in the order of their names. */
static inline void
ss_fuzz_read_folder (const char *folder)
{
  char *paths[SS_FUZZ_FILES] = {0};
  DIR *dir = opendir (folder);
  const struct dirent *entry;
  int n = 0;

  while (dir != NULL && n < SS_FUZZ_FILES && (entry = readdir (dir)) != NULL)
    if (entry->d_name[0] != '.' && (paths[n] = malloc (strlen (folder) + strlen (entry->d_name) + 2)) != NULL)
      sprintf (paths[n++], "%s/%s", folder, entry->d_name);
  if (dir != NULL)
    closedir (dir);
  qsort (paths, (size_t)n, sizeof *paths, ss_fuzz_compare);
  for (int i = 0; i < n; i++) {
    ss_fuzz_read (paths[i]);
    free (paths[i]);
  }
}

/* In a block of its size, so that a sanitizer sees what reads beyond it. */
static inline void
ss_fuzz_try (const char *bytes, size_t length)
{
  char *exact = malloc (length > 0 ? length : 1);

  if (exact == NULL)
    return;
  memcpy (exact, bytes, length);
  ss_fuzz_target.try (exact, length);
  free (exact);
}

/* ---- programs ---------------------------------------------------------------------------------------------------- */

#ifdef SS_FUZZ_BY_LIBFUZZER
#define SS_FUZZ_MAIN                                                                                                   \
  int ss_test_argc;                                                                                                    \
  char **ss_test_argv;                                                                                                 \
  int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);                                                       \
  int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)                                                        \
  {                                                                                                                    \
    static bool has_begun;                                                                                             \
    if (!has_begun && ss_fuzz_target.begin != NULL)                                                                    \
      ss_fuzz_target.begin ();                                                                                         \
    has_begun = true;                                                                                                  \
    ss_fuzz_target.try ((const char *)data, size);                                                                     \
    if (ss_test_failed_checks > 0)                                                                                     \
      abort ();                                                                                                        \
    return 0;                                                                                                          \
  }
#else
static inline void
ss_fuzz_run (void)
{
  char folder[512];
  const bool has_files = ss_test_argc > 1 && strspn (ss_test_argv[1], "0123456789") != strlen (ss_test_argv[1]);

  if (ss_fuzz_target.begin != NULL)
    ss_fuzz_target.begin ();
  snprintf (folder, sizeof folder, "%s/tests/fuzz/corpus/%s", SS_SOURCE_ROOT, ss_fuzz_target.name);
  for (int i = 1; has_files && i < ss_test_argc; i++)
    ss_fuzz_read (ss_test_argv[i]);
  if (!has_files)
    ss_fuzz_read_folder (folder);
  for (int i = 0; !has_files && ss_fuzz_target.more != NULL && ss_fuzz_target.more[i] != NULL; i++) {
    snprintf (folder, sizeof folder, "%s/%s", SS_SOURCE_ROOT, ss_fuzz_target.more[i]);
    ss_fuzz_read (folder);
  }
  SS_CHECK (ss_fuzz_n_files > 0);
  for (int i = 0; i < ss_fuzz_n_files; i++)
    ss_fuzz_try (ss_fuzz_files[i], ss_fuzz_lengths[i]);
  if (!has_files && ss_fuzz_n_files > 0)
    ss_fuzz (&(SsFuzz){ss_fuzz_n_files, ss_fuzz_files, ss_fuzz_lengths, ss_fuzz_target.most, ss_fuzz_mutate,
                       ss_fuzz_target.try},
             ss_fuzz_target.iterations);
  for (int i = 0; i < ss_fuzz_n_files; i++)
    free (ss_fuzz_files[i]);
  if (ss_fuzz_target.end != NULL)
    ss_fuzz_target.end ();
}

#define SS_FUZZ_MAIN                                                                                                   \
  int main (void)                                                                                                      \
  {                                                                                                                    \
    SS_RUN (ss_fuzz_run);                                                                                              \
    return ss_test_finish ();                                                                                          \
  }
#endif
