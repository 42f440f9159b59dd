/* engine/scene/ss-impact-file.c: reads a configuration at an impact. */
#include "scene/ss-impact-file.h"

#include "scene/ss-scenario-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

typedef struct {
  SsReader reader;
  SsImpactFile *file;
} FileReader;

/* A row of exactly n numbers within [minimum, maximum]. */
static void
read_row (FileReader *r, const SsJsonAt *row, int n, double minimum, double maximum, const char *expected,
          double *values)
{
  SsJsonAt at;
  int i = 0;
  char size[64];

  if (!ss_read_is_array (&r->reader, row))
    return;
  if (json_array_size (row->value) != (size_t)n) {
    snprintf (size, sizeof size, "%d numbers", n);
    ss_reader_problem (&r->reader, row, size, "this has %zu", json_array_size (row->value));
    return;
  }
  for (bool more = ss_at_first (&r->reader, row, &at); more; more = ss_at_next (&r->reader, &at), i++) {
    values[i] = json_is_number (at.value) ? json_number_value (at.value) : NAN;
    if (!(values[i] >= minimum && values[i] <= maximum && isfinite (values[i])))
      ss_reader_problem (&r->reader, &at, expected, "this is not such a number");
  }
}

static double *
new_numbers (FileReader *r, int count)
{
  return ss_reader_alloc (&r->reader, (size_t)count, sizeof (double));
}

/* A member with `rows` rows of n numbers; NULL after reporting. */
static double *
read_matrix (FileReader *r, const SsJsonAt *root, const char *key, int rows, int n)
{
  SsJsonAt at, row;
  char size[64];
  double *values = new_numbers (r, rows * n);
  int i = 0;

  snprintf (size, sizeof size, "%d rows of %d numbers", rows, n);
  if (values == NULL || !ss_read_member (&r->reader, root, key, size, &at) || !ss_read_is_array (&r->reader, &at))
    return NULL;
  if (json_array_size (at.value) != (size_t)rows) {
    ss_reader_problem (&r->reader, &at, size, "this has %zu rows", json_array_size (at.value));
    return NULL;
  }
  for (bool more = ss_at_first (&r->reader, &at, &row); more; more = ss_at_next (&r->reader, &row), i++)
    read_row (r, &row, n, -INFINITY, INFINITY, "a number", values + i * n);
  return values;
}

/* A member with n numbers; `fallback` where it is absent, unless that is NaN. */
static double *
read_vector (FileReader *r, const SsJsonAt *root, const char *key, int n, double minimum, double maximum,
             const char *expected, double fallback)
{
  SsJsonAt at;
  double *values = new_numbers (r, n);

  for (int i = 0; values != NULL && i < n; i++)
    values[i] = fallback;
  if (values == NULL)
    return NULL;
  if (isnan (fallback) ? ss_read_member (&r->reader, root, key, expected, &at)
                       : ss_at_member (&r->reader, root, key, &at))
    read_row (r, &at, n, minimum, maximum, expected, values);
  return values;
}

/* ---- members ----------------------------------------------------------------------------------------------------- */

/* Length of a list that says a size, within 1 and maximum; 0 after reporting. */
static int
read_size (FileReader *r, const SsJsonAt *root, const char *key, int maximum, const char *what)
{
  SsJsonAt at;
  char expected[64];

  snprintf (expected, sizeof expected, "1 to %d rows, one a %s", maximum, what);
  if (!ss_read_member (&r->reader, root, key, expected, &at) || !ss_read_is_array (&r->reader, &at))
    return 0;
  const size_t size = json_array_size (at.value);
  if (size >= 1 && size <= (size_t)maximum)
    return (int)size;
  ss_reader_problem (&r->reader, &at, expected, "this has %zu", size);
  return 0;
}

static void
check_symmetric (FileReader *r, const SsJsonAt *root, const double *mass, int n)
{
  SsJsonAt at;

  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      const double a = mass[i * n + j], b = mass[j * n + i];
      if (fabs (a - b) <= 1e-12 * (fabs (a) + fabs (b)))
        continue;
      if (ss_at_member (&r->reader, root, "M", &at))
        ss_reader_problem (&r->reader, &at, "a symmetric matrix", "rows %d and %d differ", i + 1, j + 1);
      return;
    }
}

/* |normal . tangent| of a contact that has both, as unit vectors; else 0. Nothing here is a problem: the rows count. */
static double
read_skew (FileReader *r, const SsJsonAt *contact)
{
  const char *const keys[] = {"normal", "tangent"};
  double vectors[2][2] = {{0}};

  for (int k = 0; k < 2; k++) {
    SsJsonAt at;
    if (!ss_at_member (&r->reader, contact, keys[k], &at) || json_array_size (at.value) != 2)
      return 0;
    for (size_t i = 0; i < 2; i++)
      vectors[k][i] = json_number_value (json_array_get (at.value, i));
  }
  const double size = hypot (vectors[0][0], vectors[0][1]) * hypot (vectors[1][0], vectors[1][1]);
  return size > 0 ? fabs (vectors[0][0] * vectors[1][0] + vectors[0][1] * vectors[1][1]) / size : 0;
}

static void
read_names (FileReader *r, const SsJsonAt *root, int m)
{
  SsJsonAt at, contact;
  char number[16];
  const char **names = ss_reader_alloc (&r->reader, (size_t)m, sizeof *names);
  int i = 0;

  r->file->contacts = names;
  if (names == NULL)
    return;
  for (int k = 0; k < m; k++) {
    snprintf (number, sizeof number, "%d", k + 1);
    names[k] = ss_reader_strdup (&r->reader, number);
  }
  if (!ss_at_member (&r->reader, root, "contacts", &at) || !ss_read_is_array (&r->reader, &at))
    return;
  if (json_array_size (at.value) != (size_t)m) {
    ss_reader_problem (&r->reader, &at, "one object a row of Jn", "this has %zu", json_array_size (at.value));
    return;
  }
  for (bool more = ss_at_first (&r->reader, &at, &contact); more; more = ss_at_next (&r->reader, &contact), i++) {
    names[i] = ss_read_text (&r->reader, &contact, "name", names[i]);
    r->file->skew = fmax (r->file->skew, read_skew (r, &contact));
  }
  for (int k = 1; k < m; k++)
    for (int j = 0; j < k; j++)
      if (strcmp (names[k], names[j]) == 0)
        ss_reader_problem (&r->reader, &at, "different names", "two contacts are named '%s'", names[k]);
}

static void
read_members (FileReader *r, const SsJsonAt *root)
{
  SsImpactFile *file = r->file;
  SsJsonAt at;
  double value;

  if (!ss_read_is_object (&r->reader, root))
    return;
  file->name = ss_read_text (&r->reader, root, "name", "");
  file->n = read_size (r, root, "M", SS_IMPACT_COORDINATES_MAX, "coordinate");
  file->m = read_size (r, root, "Jn", SS_IMPACT_CONTACTS_MAX, "contact");
  if (file->n == 0 || file->m == 0)
    return;
  const int n_problems = r->reader.n_problems;
  file->mass = read_matrix (r, root, "M", file->n, file->n);
  if (file->mass != NULL && r->reader.n_problems == n_problems)
    check_symmetric (r, root, file->mass, file->n);
  file->jn = read_matrix (r, root, "Jn", file->m, file->n);
  file->jt = read_matrix (r, root, "Jt", file->m, file->n);
  file->mu = read_vector (r, root, "mu", file->m, 0, 1e9, "a number from 0 to 1e9", NAN);
  file->v = read_vector (r, root, "v_pre", file->n, -INFINITY, INFINITY, "a number", NAN);
  file->restitution = read_vector (r, root, "restitution", file->m, 0, 1, "a number from 0 to 1", 0);
  file->h = NAN;
  if (ss_at_member (&r->reader, root, "h", &at)) {
    value = json_is_number (at.value) ? json_number_value (at.value) : NAN;
    if (value > 0 && isfinite (value))
      file->h = value;
    else
      ss_reader_problem (&r->reader, &at, "a number above 0", "the largest impulse of a step");
  }
  if (ss_at_member (&r->reader, root, "N", &at)) {
    value = json_is_integer (at.value) ? (double)json_integer_value (at.value) : NAN;
    if (value >= 1 && value <= 1e6)
      file->max_steps = (int)value;
    else
      ss_reader_problem (&r->reader, &at, "a whole number from 1 to 1e6", "the largest number of steps");
  }
  read_names (r, root, file->m);
}

/* ---- file -------------------------------------------------------------------------------------------------------- */

static SsStatus
add_problem (SsProblems *problems, const char *file, SsStatus status, int line, const char *message)
{
  SsError error = {.status = status, .line = line};

  snprintf (error.file, sizeof error.file, "%s", file);
  snprintf (error.message, sizeof error.message, "%s", message);
  ss_problems_add (problems, &error);
  return status;
}

SsStatus
ss_impact_file_read (const char *text, size_t length, const char *file, SsProblems *problems, SsImpactFile **out)
{
  SS_ASSERT ((length == 0 || text != NULL) && problems != NULL && out != NULL);

  SsScenario names = {.file = file != NULL ? file : ""}; /* what messages are told with */
  FileReader r = {.reader = {.problems = problems, .scenario = &names}};
  json_error_t json_error;
  SsJsonNode *nodes = NULL;
  SsStatus status = SS_OK;
  int n_nodes;

  *out = NULL;
  if (length > SS_SCENARIO_MAX_BYTES)
    return add_problem (problems, names.file, SS_ERR_INVALID, 1, "the file is too large for a configuration");
  json_t *document = json_loadb (text, length, JSON_REJECT_DUPLICATES, &json_error);
  if (document == NULL && !ss_json_is_well_formed (text, length))
    return add_problem (problems, names.file, SS_ERR_SYNTAX, json_error.line > 0 ? json_error.line : 1,
                        json_error.text);
  SsArena *arena = ss_arena_new ();
  r.reader.arena = arena;
  r.reader.asked = ss_asked_new ();
  r.file = arena != NULL ? ss_arena_alloc (arena, 1, sizeof *r.file) : NULL;
  if (document == NULL || r.file == NULL || r.reader.asked == NULL ||
      ss_json_scan (text, length, &nodes, &n_nodes) != SS_OK) {
    status = SS_ERR_MEMORY;
  } else {
    r.file->arena = arena;
    r.reader.nodes = nodes;
    read_members (&r, &(SsJsonAt){.value = document});
    if (r.reader.out_of_memory || !ss_asked_is_complete (r.reader.asked))
      status = SS_ERR_MEMORY;
    else if (r.reader.n_problems > 0)
      status = SS_ERR_INVALID;
  }
  if (status == SS_ERR_MEMORY)
    add_problem (problems, names.file, status, 0, "out of memory while reading the configuration");
  ss_asked_free (r.reader.asked);
  ss_free (nodes);
  json_decref (document);
  if (status == SS_OK)
    *out = r.file;
  else
    ss_arena_free (arena);
  return status;
}

void
ss_impact_file_free (SsImpactFile *file)
{
  if (file != NULL)
    ss_arena_free (file->arena);
}
