/* tests/fuzz/fuzz-scenario.c: mutated scenario files must never crash, hang or leak: `fuzz-scenario [iterations
 * [seed]]`.
 *
 * Each iteration takes an example file, applies one to four mutations (flip, cut, repeat, splice, nest, replace a
 * token), reads it, and if it is still valid evaluates its guess, makes its start and draws it. Seeded: a failure is
 * repeated by its seed. Run under sanitizers it finds leaks and overruns; run plain, crashes and hangs. Sizes are kept
 * small by reading with the first integer parameters as they are: an evil N is limited by the reader.
 */
#include "scene/ss-view.h"
#include "ss-fuzz.h"

enum { SEED_FILES = 11, TEXT_MAX = 1 << 17, DEFAULT_ITERATIONS = 2000 };
/* Above this many numbers a guess is not evaluated: the reader's limits (10 million) are for users, not for 2000
 * iterations. */
enum { GUESS_MAX = 200000 };

static const char *const seed_files[SEED_FILES] = {
    "crisp/cartpole",      "crisp/push-box",      "crisp/transport",        "classics/compass-walker",
    "classics/domino-row", "classics/belt-block", "classics/held-pendulum", "crisp/push-t",
    "crisp/hopper",        "crisp/waiter",        "sketches/falling-box"};

static char seed_texts[SEED_FILES][TEXT_MAX];
static size_t seed_lengths[SEED_FILES];
static int n_valid, n_refused;

/* Replaces text[at..at+removed) by `with`; does nothing when there is no room. */
static size_t
replace (char *text, size_t length, size_t at, size_t removed, const char *with, size_t with_length)
{
  if (length - removed + with_length > TEXT_MAX)
    return length;
  memmove (text + at + with_length, text + at + removed, length - at - removed);
  memcpy (text + at, with, with_length);
  return length - removed + with_length;
}

static size_t
mutate (SsRandom *random, int iteration, char *text, size_t length)
{
  const bool is_gentle = iteration % 2 == 0;
  static const char gentle[] = "0123456789019k-+.";
  static const char *const tokens[] = {"null",
                                       "true",
                                       "-1",
                                       "1e308",
                                       "1e-320",
                                       "\"\"",
                                       "[]",
                                       "{}",
                                       "\"N\"",
                                       "\"next(px)\"",
                                       "\"k\"",
                                       "\"all\"",
                                       "99999999999",
                                       "\"{i}\"",
                                       "[[[[",
                                       "\"1/0\"",
                                       "\"((((((((\"",
                                       "\"a\"",
                                       "0.5",
                                       "\"if(1<2,3,4)\"",
                                       "{\"for\": \"i\", \"from\": 1, \"to\": 3, \"rows\": [\"x{i}\"]}",
                                       "\\",
                                       "\xff",
                                       "\"sqrt(-1)\"",
                                       ",",
                                       ":"};
  size_t at = ss_fuzz_below (random, length + 1), n, other;
  const char *token;

  /* Small changes leave half of the files well formed; the others are for the parsers below. */
  if (is_gentle) {
    while (at < length && (text[at] < '0' || text[at] > '9'))
      at++;
    if (at < length)
      text[at] = gentle[ss_fuzz_below (random, sizeof gentle - 1)];
    return length;
  }
  switch (ss_fuzz_below (random, 7)) {
  case 0: /* flip a bit */
    if (at < length)
      text[at] ^= (char)(1 << ss_fuzz_below (random, 8));
    return length;
  case 1: /* cut off */
    return at;
  case 2: /* remove a piece */
    n = ss_fuzz_below (random, 64);
    return replace (text, length, at, n < length - at ? n : length - at, "", 0);
  case 3: /* repeat a piece elsewhere */
  {
    char piece[512];

    n = ss_fuzz_below (random, sizeof piece);
    if (n > length - at)
      n = length - at;
    memcpy (piece, text + at, n);
    return replace (text, length, ss_fuzz_below (random, length + 1), 0, piece, n);
  }
  case 4: /* a piece of another file */
    other = ss_fuzz_below (random, SEED_FILES);
    at = ss_fuzz_below (random, seed_lengths[other]);
    n = ss_fuzz_below (random, 256);
    if (n > seed_lengths[other] - at)
      n = seed_lengths[other] - at;
    return replace (text, length, ss_fuzz_below (random, length + 1), 0, seed_texts[other] + at, n);
  case 5: /* nest deeply */
    for (n = ss_fuzz_below (random, 3000); n > 0; n--)
      length = replace (text, length, at, 0, "[", 1);
    return length;
  default: /* replace a value: from after a colon to the next comma or bracket */
    token = tokens[ss_fuzz_below (random, sizeof tokens / sizeof *tokens)];
    while (at < length && text[at] != ':')
      at++;
    if (at == length)
      return length;
    at++;
    for (n = 0; at + n < length && strchr (",]}\n", text[at + n]) == NULL; n++)
      ;
    return replace (text, length, at, n, token, strlen (token));
  }
}

/* Everything that a valid scenario is used for in this room. */
static void
use (const SsScenario *scenario)
{
  SsTrajectory *start = NULL;
  SsView *view = NULL;

  if (scenario->model != NULL && scenario->model->n_points * scenario->model->n_variables <= GUESS_MAX) {
    double *x = ss_new_array (double, scenario->model->n_points * scenario->model->n_variables);
    SsError error;

    if (x != NULL && ss_scenario_guess (scenario, x, &error) != SS_OK)
      SS_CHECK (error.message[0] != '\0');
    ss_free (x);
  }
  if (ss_scenario_initial_trajectory (scenario, &start, NULL) == SS_OK &&
      ss_view_new (scenario, start->channels, start->n_channels, &view, NULL) == SS_OK) {
    SsMark *marks = ss_new_array (SsMark, ss_view_n_marks (view) + 1);
    double bounds[4];

    if (marks != NULL)
      ss_view_frame (view, ss_trajectory_row (start, 0), marks);
    ss_view_bounds (view, start, bounds);
    for (int i = 0; i < ss_view_n_strips (view); i++) {
      ss_view_strip_value (view, i, ss_trajectory_row (start, 0));
      ss_view_strip_reference (view, i, ss_trajectory_row (start, 0));
    }
    ss_free (marks);
  }
  ss_view_free (view);
  ss_trajectory_free (start);
}

static void
try_text (const char *text, size_t length)
{
  SsProblems problems;
  SsScenario *scenario = NULL;
  SsStatus status;

  ss_problems_init (&problems);
  status = ss_scenario_read (text, length, "fuzz", NULL, 0, &problems, &scenario);
  /* Either accepted without a complaint, or refused with a reason. */
  SS_CHECK ((status == SS_OK) == (scenario != NULL));
  SS_CHECK ((status == SS_OK) == (problems.n_items == 0));
  for (int i = 0; i < problems.n_items; i++)
    SS_CHECK (problems.items[i].message[0] != '\0' && problems.items[i].status != SS_OK);
  if (scenario != NULL) {
    n_valid++;
    use (scenario);
  } else {
    n_refused++;
  }
  ss_scenario_free (scenario);
  ss_problems_clear (&problems);
}

static void
fuzz_scenarios (void)
{
  char *files[SEED_FILES];

  for (int i = 0; i < SEED_FILES; i++) {
    char path[512];
    FILE *stream;

    snprintf (path, sizeof path, "%s/examples/%s.stickslip.json", SS_SOURCE_ROOT, seed_files[i]);
    stream = fopen (path, "rb");
    SS_CHECK (stream != NULL);
    if (stream == NULL)
      return;
    files[i] = seed_texts[i];
    seed_lengths[i] = fread (seed_texts[i], 1, TEXT_MAX, stream);
    fclose (stream);
  }
  ss_fuzz (&(SsFuzz){SEED_FILES, files, seed_lengths, TEXT_MAX, mutate, try_text}, DEFAULT_ITERATIONS);
  printf ("# %d valid, %d refused\n", n_valid, n_refused);
}

int
main (void)
{
  SS_RUN (fuzz_scenarios);
  return ss_test_finish ();
}
