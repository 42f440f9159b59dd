/* app/steps/ssapp-step-siconos.c: Siconos' text forms fc2d and gfc2d (numerics, frictionContact_printInFile and
 * globalFrictionContact_printInFile, NM_write_in_file).
 *
 * A file is a list of words, which newlines only help to read: the dimension 2; in fc2d the number of contacts; then
 * matrices, W, or M and H; vectors q, in gfc2d b too, and mu, a number each. A matrix is its storage (0 dense, 2
 * sparse), rows, columns; a dense one repeats both and lists all entries column by column, as Siconos' memory has them;
 * a sparse one has its origin (1 triplets, 2 compressed columns, 3 compressed rows), a line about CSparse, a line about
 * sizes, and entries `I J : value`, or `col J : locations A to B` with `I : value` below each (of 3 the rows). In gfc2d
 * the number of contacts is after the dimension too; planar files of Siconos were seen that have half the columns of H
 * there, and some that have none of it, so H decides. */
#include "app/steps/ssapp-step-file.h"

#include "contact/ss-step-rows.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STORAGE_DENSE = 0, STORAGE_SPARSE = 2 };
enum { ORIGIN_TRIPLETS = 1, ORIGIN_COLUMNS = 2, ORIGIN_ROWS = 3 };
/* Rows, columns and entries that a file may claim, before memory is asked for. */
enum { MOST_ROWS = 10000000, MOST_ENTRIES = 100000000 };

/* ---- words ------------------------------------------------------------------------------------------------------- */

typedef struct {
  const char *file, *at;
  int line;
  GError **error;
  gboolean is_quiet, has_failed;
} Reader;

static gboolean G_GNUC_PRINTF (3, 4) fail (Reader *reader, const char *expected, const char *format, ...)
{
  va_list list;

  va_start (list, format);
  g_autofree char *what = g_strdup_vprintf (format, list);
  va_end (list);
  if (!reader->has_failed && !reader->is_quiet)
    g_set_error (reader->error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s:%d: %s (expected %s)", reader->file,
                 reader->line, what, expected);
  reader->has_failed = TRUE;
  return FALSE;
}

static void
skip_blanks (Reader *reader)
{
  for (; g_ascii_isspace (*reader->at); reader->at++)
    reader->line += *reader->at == '\n';
}

/* The word that is next, for messages; g_free. */
static char *
next_word (Reader *reader)
{
  skip_blanks (reader);
  gsize n = 0;
  while (reader->at[n] != '\0' && !g_ascii_isspace (reader->at[n]) && n < 40)
    n++;
  return n > 0 ? g_strdup_printf ("“%.*s”", (int)n, reader->at) : g_strdup ("the end of the file");
}

static gboolean
read_number (Reader *reader, const char *what, double *value)
{
  char *end;

  skip_blanks (reader);
  *value = g_ascii_strtod (reader->at, &end);
  if (end == reader->at || (*end != '\0' && !g_ascii_isspace (*end)) || !isfinite (*value)) {
    g_autofree char *word = next_word (reader);
    g_autofree char *expected = g_strdup_printf ("%s, a finite number", what);
    return fail (reader, expected, "%s is no number", word);
  }
  reader->at = end;
  return TRUE;
}

static gboolean
read_count (Reader *reader, const char *what, int least, int most, int *value)
{
  char *end;

  skip_blanks (reader);
  const gint64 number = g_ascii_strtoll (reader->at, &end, 10);
  if (end == reader->at || (*end != '\0' && !g_ascii_isspace (*end)) || number < least || number > most) {
    g_autofree char *word = next_word (reader);
    g_autofree char *expected = g_strdup_printf ("%s, a whole number from %d to %d", what, least, most);
    return fail (reader, expected, "%s is no such number", word);
  }
  *value = (int)number;
  reader->at = end;
  return TRUE;
}

static gboolean
read_word (Reader *reader, const char *expected)
{
  const gsize n = strlen (expected);

  skip_blanks (reader);
  if (strncmp (reader->at, expected, n) == 0) {
    reader->at += n;
    return TRUE;
  }
  g_autofree char *word = next_word (reader), *quoted = g_strdup_printf ("“%s”", expected);
  return fail (reader, quoted, "%s is not it", word);
}

/* The rest of a line that begins so. */
static gboolean
skip_line (Reader *reader, const char *begins)
{
  if (!read_word (reader, begins))
    return FALSE;
  reader->at += strcspn (reader->at, "\n");
  return TRUE;
}

/* ---- matrices ---------------------------------------------------------------------------------------------------- */

typedef struct {
  GArray *row, *column; /* of int */
  GArray *value;        /* of double */
} Entries;

static void
entries_init (Entries *e)
{
  e->row = g_array_new (FALSE, FALSE, sizeof (int));
  e->column = g_array_new (FALSE, FALSE, sizeof (int));
  e->value = g_array_new (FALSE, FALSE, sizeof (double));
}

static void
entries_clear (Entries *e)
{
  g_array_unref (e->row);
  g_array_unref (e->column);
  g_array_unref (e->value);
}

static void
add_entry (Entries *e, int row, int column, double value)
{
  g_array_append_val (e->row, row);
  g_array_append_val (e->column, column);
  g_array_append_val (e->value, value);
}

static gboolean
read_dense (Reader *reader, const char *name, int n_rows, int n_columns, Entries *e)
{
  int again[2];

  if (!read_count (reader, "the number of rows once more", n_rows, n_rows, &again[0]) ||
      !read_count (reader, "the number of columns once more", n_columns, n_columns, &again[1]))
    return FALSE;
  for (int j = 0; j < n_columns; j++)
    for (int i = 0; i < n_rows; i++) {
      double value;
      if (!read_number (reader, name, &value))
        return FALSE;
      if (value != 0)
        add_entry (e, i, j, value);
    }
  return TRUE;
}

static gboolean
read_triplets (Reader *reader, const char *name, int n_rows, int n_columns, int n, Entries *e)
{
  for (int k = 0; k < n; k++) {
    int i, j;
    double value;
    if (!read_count (reader, "a row", 0, n_rows - 1, &i) || !read_count (reader, "a column", 0, n_columns - 1, &j) ||
        !read_word (reader, ":") || !read_number (reader, name, &value))
      return FALSE;
    add_entry (e, i, j, value);
  }
  return TRUE;
}

/* By columns, or of what is turned by rows. */
static gboolean
read_compressed (Reader *reader, const char *name, int n_rows, int n_columns, int n, gboolean is_turned, Entries *e)
{
  const int n_major = is_turned ? n_rows : n_columns, n_minor = is_turned ? n_columns : n_rows;

  for (int major = 0, at = 0; major < n_major; major++) {
    int column, first, last;
    if (!read_word (reader, "col") || !read_count (reader, "the columns in their order", major, major, &column) ||
        !read_word (reader, ":") || !read_word (reader, "locations") ||
        !read_count (reader, "the entry after the last one", at, at, &first) || !read_word (reader, "to") ||
        !read_count (reader, "the last entry of the column", at - 1, n - 1, &last))
      return FALSE;
    for (; at <= last; at++) {
      int minor;
      double value;
      if (!read_count (reader, "a row", 0, n_minor - 1, &minor) || !read_word (reader, ":") ||
          !read_number (reader, name, &value))
        return FALSE;
      add_entry (e, is_turned ? major : minor, is_turned ? minor : major, value);
    }
    if (major == n_major - 1 && at != n)
      return fail (reader, "as many entries as the file says", "the columns have %d entries, not %d", at, n);
  }
  return TRUE;
}

/* "900-by-138, nzmax: 724 nnz: 724", in triplets with a word before it. */
static gboolean
read_sizes (Reader *reader, gboolean is_triplets, int n_rows, int n_columns, gboolean is_turned, int *n)
{
  char *end;

  if (is_triplets && !read_word (reader, "triplet:"))
    return FALSE;
  skip_blanks (reader);
  const gint64 first = g_ascii_strtoll (reader->at, &end, 10);
  if (end == reader->at || !g_str_has_prefix (end, "-by-"))
    return fail (reader, "ROWS-by-COLUMNS, nzmax: N nnz: N", "the sizes of a sparse matrix are missing");
  reader->at = end + strlen ("-by-");
  const gint64 second = g_ascii_strtoll (reader->at, &end, 10);
  reader->at = end;
  if (!((first == n_rows && second == n_columns) || (is_turned && first == n_columns && second == n_rows))) {
    g_autofree char *expected = g_strdup_printf ("%d-by-%d", n_rows, n_columns);
    return fail (reader, expected, "the sizes are %" G_GINT64_FORMAT "-by-%" G_GINT64_FORMAT, first, second);
  }
  int most;
  if (!read_word (reader, ",") || !read_word (reader, "nzmax:") ||
      !read_count (reader, "the room for entries", 0, MOST_ENTRIES, &most) || !read_word (reader, "nnz:"))
    return FALSE;
  skip_blanks (reader);
  const gint64 count = g_ascii_strtoll (reader->at, &end, 10); /* a comma may follow */
  if (end == reader->at || count < 0 || count > MOST_ENTRIES)
    return fail (reader, "the number of entries", "the number of entries is missing");
  *n = (int)count;
  reader->at = end + strcspn (end, "\n");
  return TRUE;
}

static gboolean
read_sparse (Reader *reader, const char *name, int n_rows, int n_columns, Entries *e)
{
  int origin, n = 0;

  if (!read_count (reader, "the origin of a sparse matrix: 1 triplets, 2 columns, 3 rows", ORIGIN_TRIPLETS, ORIGIN_ROWS,
                   &origin) ||
      !skip_line (reader, "CSparse"))
    return FALSE;
  skip_blanks (reader);
  /* matrices that are kept as triplets are printed by columns where they were compressed since */
  const gboolean is_triplets = g_str_has_prefix (reader->at, "triplet:"), is_turned = origin == ORIGIN_ROWS;
  if (!read_sizes (reader, is_triplets, n_rows, n_columns, is_turned, &n))
    return FALSE;
  return is_triplets ? read_triplets (reader, name, n_rows, n_columns, n, e)
                     : read_compressed (reader, name, n_rows, n_columns, n, is_turned, e);
}

/* A matrix of any size; that of `out` says which. */
static gboolean
read_matrix (Reader *reader, const char *name, SsSparse *out)
{
  int storage, n_rows, n_columns;
  Entries e;
  SsError why;

  if (!read_count (reader, "the storage of a matrix: 0 dense, 2 sparse", STORAGE_DENSE, STORAGE_SPARSE, &storage))
    return FALSE;
  if (storage != STORAGE_DENSE && storage != STORAGE_SPARSE)
    return fail (reader, "0 dense or 2 sparse", "storage %d, by blocks, is not read", storage);
  if (!read_count (reader, "a number of rows", 0, MOST_ROWS, &n_rows) ||
      !read_count (reader, "a number of columns", 0, MOST_ROWS, &n_columns))
    return FALSE;
  entries_init (&e);
  gboolean ok = storage == STORAGE_DENSE ? read_dense (reader, name, n_rows, n_columns, &e)
                                         : read_sparse (reader, name, n_rows, n_columns, &e);
  if (ok &&
      ss_sparse_new (n_rows, n_columns, (int)e.row->len, (const int *)(void *)e.row->data,
                     (const int *)(void *)e.column->data, (const double *)(void *)e.value->data, out, &why) != SS_OK)
    ok = fail (reader, "a smaller matrix", "%s", why.message);
  entries_clear (&e);
  return ok;
}

static gboolean
read_vector (Reader *reader, const char *name, double *out, int n)
{
  for (int i = 0; i < n; i++)
    if (!read_number (reader, name, &out[i]))
      return FALSE;
  return TRUE;
}

static gboolean
read_end (Reader *reader)
{
  skip_blanks (reader);
  if (*reader->at == '\0')
    return TRUE;
  g_autofree char *word = next_word (reader);
  return fail (reader, "the end of the file", "%s is left over", word);
}

/* ---- problems ---------------------------------------------------------------------------------------------------- */

static SsStepProblem *
finish (Reader *reader, SsStepProblem *problem, SsStepDerive derive)
{
  SsError why;

  if (!reader->has_failed && problem != NULL && ss_step_problem_finish (problem, derive, &why) != SS_OK) {
    if (!reader->is_quiet)
      ssapp_step_set_error (reader->error, reader->file, &why);
    reader->has_failed = TRUE;
  }
  if (!reader->has_failed)
    return problem;
  ss_step_problem_free (problem);
  return NULL;
}

static SsStepProblem *
problem_new (Reader *reader, int n_velocities, int n_contacts)
{
  SsStepProblem *problem = NULL;
  SsError why;

  if (ss_step_problem_new (n_velocities, n_contacts, 0, &problem, &why) != SS_OK)
    fail (reader, "a smaller problem", "%s", why.message);
  return problem;
}

static SsStepProblem *
read_fc2d (Reader *reader)
{
  SsStepProblem *problem = NULL;
  SsSparse W = {0};
  int dimension, n;

  if (read_count (reader, "the dimension 2", 2, 2, &dimension) &&
      read_count (reader, "the number of contacts", 0, MOST_ROWS / 2, &n) &&
      read_matrix (reader, "an entry of W", &W)) {
    if (W.pattern.n_major != 2 * n || W.pattern.n_minor != 2 * n) {
      g_autofree char *expected = g_strdup_printf ("%d rows and %d columns, two a contact", 2 * n, 2 * n);
      fail (reader, expected, "W has %d rows and %d columns", W.pattern.n_major, W.pattern.n_minor);
    } else {
      problem = problem_new (reader, 0, n);
    }
  }
  if (problem == NULL) {
    ss_sparse_clear (&W);
    return NULL;
  }
  problem->W = W;
  if (read_vector (reader, "an entry of q", problem->b, 2 * n) &&
      read_vector (reader, "a friction coefficient", problem->mu, n))
    read_end (reader);
  return finish (reader, problem, SS_STEP_DERIVE_NONE);
}

SsStepProblem *
ssapp_step_read_fc2d (const char *file, const char *text, GError **error)
{
  return read_fc2d (&(Reader){.file = file, .at = text, .line = 1, .error = error});
}

static SsStepProblem *
read_gfc2d (Reader *reader)
{
  SsStepProblem *problem = NULL;
  SsSparse M = {0}, H = {0};
  int dimension, n;

  if (read_count (reader, "the dimension 2", 2, 2, &dimension) &&
      read_count (reader, "the number of contacts", 0, MOST_ROWS / 2, &n) &&
      read_matrix (reader, "an entry of M", &M) && read_matrix (reader, "an entry of H", &H)) {
    const int n_rows = M.pattern.n_major;
    n = H.pattern.n_minor / 2;
    if (M.pattern.n_minor != n_rows || H.pattern.n_major != n_rows || H.pattern.n_minor % 2 != 0) {
      g_autofree char *expected = g_strdup_printf ("M of %d x %d and H of %d x 2 a contact", n_rows, n_rows, n_rows);
      fail (reader, expected, "M is %d x %d, H is %d x %d", n_rows, M.pattern.n_minor, H.pattern.n_major,
            H.pattern.n_minor);
    } else {
      problem = problem_new (reader, n_rows, n);
    }
  }
  SsError why;
  if (problem != NULL && ss_sparse_transpose (&H, &problem->H, &why) != SS_OK)
    fail (reader, "a smaller problem", "%s", why.message);
  ss_sparse_clear (&H);
  if (problem == NULL) {
    ss_sparse_clear (&M);
    return NULL;
  }
  problem->M = M;
  if (!reader->has_failed && read_vector (reader, "an entry of q", problem->q, problem->n_velocities) &&
      read_vector (reader, "an entry of b", problem->b, 2 * n) &&
      read_vector (reader, "a friction coefficient", problem->mu, n))
    read_end (reader);
  return finish (reader, problem, SS_STEP_DERIVE_V_FREE);
}

SsStepProblem *
ssapp_step_read_gfc2d (const char *file, const char *text, GError **error)
{
  return read_gfc2d (&(Reader){.file = file, .at = text, .line = 1, .error = error});
}

/* Both begin alike: what can be read as one to the end is one. */
gboolean
ssapp_step_looks_fc2d (const char *text)
{
  SsStepProblem *problem = read_fc2d (&(Reader){.file = "", .at = text, .line = 1, .is_quiet = TRUE});
  const gboolean is_so = problem != NULL;

  ss_step_problem_free (problem);
  return is_so;
}

gboolean
ssapp_step_looks_gfc2d (const char *text)
{
  return text[strspn (text, " \t\r\n")] == '2';
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static void
append_dense (GString *out, const SsSparse *matrix)
{
  const int n_rows = matrix->pattern.n_major, n_columns = matrix->pattern.n_minor;

  g_string_append_printf (out, "%d\n%d\n%d\n%d\t%d\n", STORAGE_DENSE, n_rows, n_columns, n_rows, n_columns);
  for (int j = 0, k = 0; j < n_columns; j++)
    for (int i = 0; i < n_rows; i++) {
      ssapp_step_append_number (out, ss_sparse_get (matrix, i, j));
      g_string_append_c (out, ++k % n_columns == 0 ? '\n' : ' ');
    }
}

static double
norm_1 (const SsSparse *columns)
{
  double largest = 0;

  for (int j = 0; j < columns->pattern.n_major; j++) {
    double sum = 0;
    for (int k = columns->pattern.start[j]; k < columns->pattern.start[j + 1]; k++)
      sum += fabs (columns->value[k]);
    largest = fmax (largest, sum);
  }
  return largest;
}

/* `columns` is the matrix turned. */
static void
append_sparse (GString *out, const SsSparse *columns, SsappStepStorage storage)
{
  const SsPattern *a = &columns->pattern;
  const gboolean is_triplets = storage == SSAPP_STEP_TRIPLETS;
  const int n = ss_sparse_n_entries (columns);

  g_string_append_printf (out, "%d\n%d\n%d\n%d\nCSparse Version 3.1.9, as stickslip writes it\n", STORAGE_SPARSE,
                          a->n_minor, a->n_major, is_triplets ? ORIGIN_TRIPLETS : ORIGIN_COLUMNS);
  g_string_append_printf (out, "%s%d-by-%d, nzmax: %d nnz: %d", is_triplets ? "triplet: " : "", a->n_minor, a->n_major,
                          MAX (n, 1), n);
  if (!is_triplets) {
    g_string_append (out, ", 1-norm: ");
    ssapp_step_append_number (out, norm_1 (columns));
  }
  g_string_append_c (out, '\n');
  for (int j = 0; j < a->n_major; j++) {
    if (!is_triplets)
      g_string_append_printf (out, "    col %d : locations %d to %d\n", j, a->start[j], a->start[j + 1] - 1);
    for (int k = a->start[j]; k < a->start[j + 1]; k++) {
      if (is_triplets)
        g_string_append_printf (out, "    %d %d : ", a->index[k], j);
      else
        g_string_append_printf (out, "      %d : ", a->index[k]);
      ssapp_step_append_number (out, columns->value[k]);
      g_string_append_c (out, '\n');
    }
  }
}

static gboolean
append_matrix (GString *out, const SsSparse *matrix, SsappStepStorage storage, GError **error)
{
  SsSparse turned;
  SsError why;

  if (storage == SSAPP_STEP_DENSE) {
    append_dense (out, matrix);
    return TRUE;
  }
  if (ss_sparse_transpose (matrix, &turned, &why) != SS_OK)
    return ssapp_step_set_error (error, "", &why);
  append_sparse (out, &turned, storage);
  ss_sparse_clear (&turned);
  return TRUE;
}

static void
append_vector (GString *out, const double *x, int n)
{
  for (int i = 0; i < n; i++) {
    if (i > 0)
      g_string_append_c (out, ' ');
    ssapp_step_append_number (out, x[i]);
  }
  g_string_append_c (out, '\n');
}

char *
ssapp_step_write_fc2d (const SsStepProblem *problem, SsappStepStorage storage, GError **error)
{
  g_autoptr (GString) out = g_string_new (NULL);
  SsStepProblem *reduced = NULL;
  SsError why;

  if (ss_step_problem_reduce (problem, &reduced, &why) != SS_OK) {
    ssapp_step_set_error (error, "fc2d", &why);
    return NULL;
  }
  g_string_append_printf (out, "2\n%d\n", reduced->n_contacts);
  const gboolean ok = append_matrix (out, &reduced->W, storage, error);
  append_vector (out, reduced->b, 2 * reduced->n_contacts);
  append_vector (out, reduced->mu, reduced->n_contacts);
  ss_step_problem_free (reduced);
  return ok ? g_string_free (g_steal_pointer (&out), FALSE) : NULL;
}

/* What gfc2d has no place for. NULL: nothing. */
static const char *
left_out (const SsStepProblem *problem)
{
  if (ss_step_problem_is_reduced (problem))
    return "the problem has no bodies: W, q and mu are what fc2d holds";
  if (problem->n_joints > 0)
    return "the problem has joints or springs, for which gfc2d has no place: fc2d reduces them";
  for (int i = 0; i < problem->n_contacts; i++)
    if (problem->least[i] > 0 || problem->compliance[2 * i] > 0 || problem->compliance[2 * i + 1] > 0)
      return "the problem has motors, friction of joints, bounces or contacts that give way, for which gfc2d has no "
             "place";
  return NULL;
}

char *
ssapp_step_write_gfc2d (const SsStepProblem *problem, SsappStepStorage storage, GError **error)
{
  g_return_val_if_fail (problem != NULL, NULL);
  g_autoptr (GString) out = g_string_new (NULL);
  const char *why_not = left_out (problem);
  SsSparse H;
  SsError why;

  if (why_not != NULL) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "gfc2d: %s", why_not);
    return NULL;
  }
  if (ss_sparse_transpose (&problem->H, &H, &why) != SS_OK) {
    ssapp_step_set_error (error, "gfc2d", &why);
    return NULL;
  }
  g_string_append_printf (out, "2\n%d\n", problem->n_contacts);
  const gboolean ok = append_matrix (out, &problem->M, storage, error) && append_matrix (out, &H, storage, error);
  ss_sparse_clear (&H);
  append_vector (out, problem->q, problem->n_velocities);
  append_vector (out, problem->b, 2 * problem->n_contacts);
  append_vector (out, problem->mu, problem->n_contacts);
  return ok ? g_string_free (g_steal_pointer (&out), FALSE) : NULL;
}
