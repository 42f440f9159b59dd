/* tests/fuzz/fuzz-nl.c: mutated .nl files, text and binary, must never crash, hang or leak, and take memory by their
 * size, not by their counts: `fuzz-nl [iterations [seed]]`.
 *
 * Each iteration takes a file that was written from an example or by hand, applies one to four mutations (flip a byte,
 * cut, repeat, put in a token, put in a huge count), reads it, and where it is still valid reads the scenario that it
 * becomes. Seeded: a failure is repeated by its seed.
 */
#include "scene/ss-nl.h"
#include "ss-fuzz.h"

enum { SEED_FILES = 6, FILE_MAX = 1 << 16, DEFAULT_ITERATIONS = 4000 };

static const char *const problems[] = {"taxmcp", "bard1m", "gnash10", "bilevel3"};
static char *seeds[SEED_FILES];
static size_t lengths[SEED_FILES];
static int n_valid, n_refused;

static const char hand[] =
    "g3 1 1 0\n 3 2 1 1 0 0\n 1 1 0 1 0 0\n 0 0\n 3 3 3\n 0 0 0 1\n 0 0 0 0 0\n 4 2\n"
    " 0 0\n 1 0 0 0 0\n"
    "V3 1 0\n0 2\no44\nv1\nC0\no54\n3\nv3\no11\n2\nv0\nv1\nn1\nC1\no5\nv2\nn2\nO0 1\no2\nv0\nv3\n"
    "x1\n0 1\nr\n0 -1 5\n5 3 3\nb\n3\n2 0\n0 -1 1\nk2\n1\n2\nJ0 2\n0 1\n1 0\nJ1 1\n2 0\nG0 1\n0 1\n"
    "S0 1 status\n0 1\n";

/* The same kind of file in binary; its numbers are in this machine's order. */
static size_t
write_binary (char *out)
{
  const uint16_t one = 1;
  size_t n =
      (size_t)sprintf (out, "b3 1 1 0\n 2 1 1 0 1\n 1 1\n 0 0\n 2 1 1\n 0 0 %d 1\n 0 0 0 0 0\n 2 1\n 0 0\n 0 0 0 0 0\n",
                       *(const unsigned char *)&one == 1 ? 1 : 2);
  const int32_t numbers[] = {0, 2, 0, 1};
  const double bound = 1.5;

#define PUT(letter, value)                                                                                             \
  do {                                                                                                                 \
    out[n++] = letter;                                                                                                 \
    memcpy (out + n, &(value), sizeof (value));                                                                        \
    n += sizeof (value);                                                                                               \
  } while (0)
  PUT ('C', numbers[0]);
  PUT ('o', numbers[1]);
  PUT ('v', numbers[2]);
  PUT ('v', numbers[3]);
  out[n++] = 'r';
  PUT ('4', bound);
  out[n++] = 'b';
  PUT ('2', bound);
  out[n++] = '3';
#undef PUT
  return n;
}

static size_t
put_in (char *text, size_t length, size_t at, const char *with, size_t n)
{
  if (length + n > FILE_MAX)
    return length;
  memmove (text + at + n, text + at, length - at);
  memcpy (text + at, with, n);
  return length + n;
}

static size_t
mutate (SsRandom *random, int iteration, char *text, size_t length)
{
  (void)iteration;
  static const char *const tokens[] = {
      "2000000000 ", "-1 ", "o54\n", "o0\n", "v",  "\n",  "n1e308\n",        "nan ", "inf ", "5 3 1\n", "C0\n", "V3 ",
      "J0 2\n",      "b\n", "k3\n",  "#",    "0 ", "S4 ", "\377\377\377\177"};
  const size_t at = ss_fuzz_below (random, length), n = ss_fuzz_below (random, length - at) % 64;
  char part[64];

  switch (ss_fuzz_below (random, 5)) {
  case 0:
    if (length > 0)
      text[at] =
          (char)(ss_fuzz_below (random, 4) == 0 ? ss_fuzz_below (random, 256) : '0' + ss_fuzz_below (random, 10));
    return length;
  case 1: /* cut a part, or the end */
    if (ss_fuzz_below (random, 4) == 0)
      return at;
    memmove (text + at, text + at + n, length - at - n);
    return length - n;
  case 2: /* repeat a part elsewhere */
    memcpy (part, text + at, n);
    return put_in (text, length, ss_fuzz_below (random, length), part, n);
  default: {
    const char *token = tokens[ss_fuzz_below (random, sizeof tokens / sizeof *tokens)];
    return put_in (text, length, at, token, strlen (token));
  }
  }
}

static void
try_file (const char *bytes, size_t length)
{
  SsProblems found;
  SsScenario *scenario = NULL;
  char *text = NULL;
  size_t n;

  ss_problems_init (&found);
  const SsStatus status = ss_nl_text_of_file ("fuzz.nl", bytes, length, &found, &text, &n);
  SS_CHECK ((status == SS_OK) == (text != NULL));
  SS_CHECK ((status == SS_OK) == (found.n_items == 0));
  for (int i = 0; i < found.n_items; i++)
    SS_CHECK (found.items[i].message[0] != '\0' && found.items[i].status != SS_OK &&
              found.items[i].status != SS_ERR_MEMORY);
  if (text != NULL) {
    /* Names, numbers and formulas of each thing of the file: the longest are those of a variable with both bounds. */
    SS_CHECK (n < 200 * length + 2000);
    const SsStatus reading = ss_scenario_read (text, n, "fuzz", NULL, 0, &found, &scenario);
    SS_CHECK ((reading == SS_OK) == (scenario != NULL));
    SS_CHECK (reading == SS_OK || (found.n_items > 0 && found.items[0].status != SS_ERR_SYNTAX));
    if (reading != SS_OK && found.n_items > 0 && ss_test_failed_checks > 0)
      printf ("  %s: %s\n", found.items[0].path, found.items[0].message);
  }
  if (scenario != NULL)
    n_valid++;
  else
    n_refused++;
  ss_scenario_free (scenario);
  ss_free (text);
  ss_problems_clear (&found);
}

static void
fuzz_problems (void)
{
  for (int i = 0; i < SEED_FILES; i++) {
    seeds[i] = malloc (FILE_MAX);
    if (seeds[i] == NULL)
      return;
  }
  for (int i = 0; i < 4; i++) {
    char path[512], *bytes = NULL;
    SsProblems found;
    SsScenario *scenario = NULL;
    snprintf (path, sizeof path, "%s/tests/data/mpcc/%s.stickslip.json", SS_SOURCE_ROOT, problems[i]);
    ss_problems_init (&found);
    SS_CHECK (ss_scenario_read_file (path, NULL, 0, &found, &scenario) == SS_OK);
    SS_CHECK (scenario != NULL && ss_nl_write (scenario, &bytes, &lengths[i], NULL, NULL) == SS_OK &&
              lengths[i] < FILE_MAX);
    if (bytes != NULL)
      memcpy (seeds[i], bytes, lengths[i]);
    ss_free (bytes);
    ss_scenario_free (scenario);
    ss_problems_clear (&found);
  }
  lengths[4] = sizeof hand - 1;
  memcpy (seeds[4], hand, lengths[4]);
  lengths[5] = write_binary (seeds[5]);
  for (int i = 0; i < SEED_FILES; i++) /* as they are, they are read */
    try_file (seeds[i], lengths[i]);
  SS_CHECK (n_valid == SEED_FILES);
  ss_fuzz (&(SsFuzz){SEED_FILES, seeds, lengths, FILE_MAX, mutate, try_file}, DEFAULT_ITERATIONS);
  printf ("# %d valid, %d refused\n", n_valid, n_refused);
  for (int i = 0; i < SEED_FILES; i++)
    free (seeds[i]);
}

int
main (void)
{
  SS_RUN (fuzz_problems);
  return ss_test_finish ();
}
