/* app/steps/ssapp-step-json.c: a step's problem as JSON, format 1; what its members are:
 * data/step-problem.schema.json. */
#include "app/steps/ssapp-step-file.h"

#include "app/base/ssapp-json.h"

#include <math.h>
#include <string.h>

enum { FORMAT = 1 };
#define KIND "step-problem"

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static void
append_text (GString *out, const char *text)
{
  json_t *value = json_string (text);
  char *written = value != NULL ? json_dumps (value, JSON_ENCODE_ANY) : NULL;

  g_string_append (out, written != NULL ? written : "\"\"");
  free (written);
  json_decref (value);
}

static void
append_numbers (GString *out, const char *name, const double *x, int n)
{
  g_string_append_printf (out, ",\n\"%s\":[", name);
  for (int i = 0; i < n; i++) {
    if (i > 0)
      g_string_append_c (out, ',');
    ssapp_step_append_number (out, x[i]);
  }
  g_string_append_c (out, ']');
}

static void
append_counts (GString *out, const char *name, const int *x, int n)
{
  g_string_append_printf (out, ",\"%s\":[", name);
  for (int i = 0; i < n; i++)
    g_string_append_printf (out, i > 0 ? ",%d" : "%d", x[i]);
  g_string_append_c (out, ']');
}

static void
append_matrix (GString *out, const char *name, const SsSparse *matrix)
{
  const SsPattern *a = &matrix->pattern;

  g_string_append_printf (out, ",\n\"%s\":{\"rows\":%d,\"columns\":%d", name, a->n_major, a->n_minor);
  append_counts (out, "start", a->start, a->n_major + 1);
  append_counts (out, "index", a->index, a->start[a->n_major]);
  append_numbers (out, "value", matrix->value, a->start[a->n_major]);
  g_string_append_c (out, '}');
}

static void
append_diagonal (GString *out, const char *name, const SsSparse *matrix)
{
  const int n = matrix->pattern.n_major;
  g_autofree double *x = g_new0 (double, (gsize)n + 1);

  for (int i = 0; i < n; i++)
    x[i] = ss_sparse_get (matrix, i, i);
  append_numbers (out, name, x, n);
}

static gboolean
has_any (const double *x, int n)
{
  for (int i = 0; i < n; i++)
    if (x[i] != 0)
      return TRUE;
  return FALSE;
}

/* Whether q is not what M v_free gives: then it is told. */
static gboolean
has_own_q (const SsStepProblem *problem)
{
  g_autofree double *q = g_new0 (double, (gsize)problem->n_velocities + 1);

  ss_csr_multiply (&problem->M.pattern, problem->M.value, problem->v_free, q);
  return memcmp (q, problem->q, (gsize)problem->n_velocities * sizeof *q) != 0;
}

static void
append_origin (GString *out, const SsStepProblem *problem)
{
  g_string_append (out, ",\n\"from\":{\"scene\":");
  append_text (out, problem->scene);
  g_string_append (out, ",\"method\":");
  append_text (out, problem->method);
  if (isfinite (problem->t)) {
    g_string_append (out, ",\"t\":");
    ssapp_step_append_number (out, problem->t);
  }
  if (isfinite (problem->dt)) {
    g_string_append (out, ",\"dt\":");
    ssapp_step_append_number (out, problem->dt);
  }
  if (problem->step > 0)
    g_string_append_printf (out, ",\"step\":%d,\"solve\":%d", problem->step, problem->solve);
  g_string_append_c (out, '}');
}

static void
append_answer (GString *out, const SsStepProblem *problem)
{
  g_string_append (out, ",\n\"answer\":{\"residual\":");
  if (isfinite (problem->residual))
    ssapp_step_append_number (out, problem->residual);
  else
    g_string_append (out, "null");
  append_numbers (out, "r", problem->r, 2 * problem->n_contacts);
  if (problem->n_joints > 0)
    append_numbers (out, "p", problem->p, problem->n_joints);
  if (problem->n_velocities > 0)
    append_numbers (out, "v", problem->v, problem->n_velocities);
  g_string_append_c (out, '}');
}

char *
ssapp_step_write_json (const SsStepProblem *problem, SsappStepStorage storage, GError **error)
{
  g_return_val_if_fail (problem != NULL, NULL);
  const int m = problem->n_contacts;
  GString *out = g_string_new (NULL);

  (void)storage;
  (void)error;
  g_string_append_printf (out, "{\"format\":%d,\"kind\":\"" KIND "\",\"contacts\":%d", FORMAT, m);
  append_origin (out, problem);
  if (ss_step_problem_is_reduced (problem)) {
    append_matrix (out, "W", &problem->W);
  } else {
    if (ss_sparse_is_diagonal (&problem->M))
      append_diagonal (out, "M", &problem->M);
    else
      append_matrix (out, "M", &problem->M);
    append_matrix (out, "H", &problem->H);
    append_numbers (out, "v_free", problem->v_free, problem->n_velocities);
    if (has_own_q (problem))
      append_numbers (out, "q", problem->q, problem->n_velocities);
  }
  append_numbers (out, "b", problem->b, 2 * m);
  append_numbers (out, "mu", problem->mu, m);
  if (has_any (problem->least, m))
    append_numbers (out, "least", problem->least, m);
  if (has_any (problem->compliance, 2 * m))
    append_numbers (out, "compliance", problem->compliance, 2 * m);
  if (problem->n_joints > 0) {
    append_matrix (out, "G", &problem->G);
    append_numbers (out, "joint_bias", problem->joint_bias, problem->n_joints);
    append_numbers (out, "joint_compliance", problem->joint_compliance, problem->n_joints);
  }
  if (problem->has_answer)
    append_answer (out, problem);
  g_string_append (out, "}\n");
  return g_string_free (out, FALSE);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

typedef struct {
  const char *file;
  GError **error;
  gboolean has_failed;
} Reader;

static gboolean G_GNUC_PRINTF (4, 5)
    fail (Reader *reader, const char *path, const char *expected, const char *format, ...)
{
  va_list list;

  va_start (list, format);
  g_autofree char *what = g_strdup_vprintf (format, list);
  va_end (list);
  if (!reader->has_failed)
    g_set_error (reader->error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: %s: %s (expected %s)", reader->file, path,
                 what, expected);
  reader->has_failed = TRUE;
  return FALSE;
}

/* n numbers of a list into out. */
static gboolean
read_numbers (Reader *reader, const char *path, const json_t *list, double *out, int n)
{
  g_autofree char *expected = g_strdup_printf ("a list of %d numbers", n);

  if (!json_is_array (list))
    return fail (reader, path, expected, list == NULL ? "it is missing" : "it is no list");
  if (json_array_size (list) != (size_t)n)
    return fail (reader, path, expected, "it has %zu items", json_array_size (list));
  for (int i = 0; i < n; i++) {
    const json_t *item = json_array_get (list, (size_t)i);
    if (!json_is_number (item) || !isfinite (json_number_value (item))) {
      g_autofree char *place = g_strdup_printf ("%s[%d]", path, i);
      return fail (reader, place, "a finite number", "it is none");
    }
    out[i] = json_number_value (item);
  }
  return TRUE;
}

static gboolean
read_count (Reader *reader, const char *path, const json_t *value, int least, int most, int *out)
{
  g_autofree char *expected = g_strdup_printf ("a whole number from %d to %d", least, most);

  if (!json_is_integer (value) || json_integer_value (value) < least || json_integer_value (value) > most)
    return fail (reader, path, expected, value == NULL ? "it is missing" : "it is no such number");
  *out = (int)json_integer_value (value);
  return TRUE;
}

static gboolean
read_counts (Reader *reader, const char *path, const json_t *list, int n, int most, int *out)
{
  g_autofree char *expected = g_strdup_printf ("a list of %d whole numbers", n);

  if (!json_is_array (list) || json_array_size (list) != (size_t)n)
    return fail (reader, path, expected, list == NULL ? "it is missing" : "it is not");
  for (int i = 0; i < n; i++) {
    g_autofree char *place = g_strdup_printf ("%s[%d]", path, i);
    if (!read_count (reader, place, json_array_get (list, (size_t)i), 0, most, &out[i]))
      return FALSE;
  }
  return TRUE;
}

/* {"rows", "columns", "start", "index", "value"}, or a list: a diagonal. */
static gboolean
read_matrix (Reader *reader, const char *name, const json_t *value, SsSparse *out)
{
  const gboolean is_diagonal = json_is_array (value);
  g_autofree char *rows = g_strconcat (name, ".rows", NULL), *columns = g_strconcat (name, ".columns", NULL),
                  *starts = g_strconcat (name, ".start", NULL), *indices = g_strconcat (name, ".index", NULL),
                  *numbers = g_strconcat (name, ".value", NULL);
  int n_rows = 0, n_columns = 0, n = 0;
  SsError why;

  if (!is_diagonal && !json_is_object (value))
    return fail (reader, name, "a matrix by rows: {\"rows\", \"columns\", \"start\", \"index\", \"value\"}",
                 value == NULL ? "it is missing" : "it is none");
  if (is_diagonal) {
    n = n_rows = n_columns = (int)MIN (json_array_size (value), G_MAXINT);
  } else if (!read_count (reader, rows, json_object_get (value, "rows"), 0, G_MAXINT / 8, &n_rows) ||
             !read_count (reader, columns, json_object_get (value, "columns"), 0, G_MAXINT / 8, &n_columns)) {
    return FALSE;
  } else {
    n = (int)MIN (json_array_size (json_object_get (value, "value")), G_MAXINT / 8);
    if (json_array_size (json_object_get (value, "start")) != (size_t)n_rows + 1)
      return fail (reader, starts, "one number a row and the number of entries", "it has %zu items",
                   json_array_size (json_object_get (value, "start")));
  }
  g_autofree int *start = g_new0 (int, (gsize)n_rows + 2), *row = g_new0 (int, (gsize)n + 1),
                 *column = g_new0 (int, (gsize)n + 1);
  g_autofree double *entries = g_new0 (double, (gsize)n + 1);
  for (int i = 0; i < n && is_diagonal; i++)
    row[i] = column[i] = i;
  if (!read_numbers (reader, is_diagonal ? name : numbers, is_diagonal ? value : json_object_get (value, "value"),
                     entries, n))
    return FALSE;
  if (!is_diagonal) {
    if (!read_counts (reader, starts, json_object_get (value, "start"), n_rows + 1, n, start) ||
        !read_counts (reader, indices, json_object_get (value, "index"), n, MAX (n_columns - 1, 0), column))
      return FALSE;
    if (start[0] != 0 || start[n_rows] != n)
      return fail (reader, starts, "0 first and the number of entries last", "it begins with %d and ends with %d",
                   start[0], start[n_rows]);
    for (int i = 0; i < n_rows; i++) {
      if (start[i + 1] < start[i])
        return fail (reader, starts, "numbers that do not fall", "it falls behind item %d", i);
      for (int k = start[i]; k < start[i + 1]; k++)
        row[k] = i;
    }
  }
  if (ss_sparse_new (n_rows, n_columns, n, row, column, entries, out, &why) != SS_OK)
    return fail (reader, name, "a matrix", "%s", why.message);
  return TRUE;
}

static gboolean
read_if_there (Reader *reader, const char *path, const json_t *list, double *out, int n)
{
  return list == NULL || read_numbers (reader, path, list, out, n);
}

static void
read_origin (const json_t *from, SsStepProblem *problem)
{
  const char *scene = ssapp_json_get_string (from, "scene"), *method = ssapp_json_get_string (from, "method");

  g_strlcpy (problem->scene, scene != NULL ? scene : "", sizeof problem->scene);
  g_strlcpy (problem->method, method != NULL ? method : "", sizeof problem->method);
  problem->t = ssapp_json_get_real (from, "t");
  problem->dt = ssapp_json_get_real (from, "dt");
  problem->step = (int)json_integer_value (json_object_get (from, "step"));
  problem->solve = (int)json_integer_value (json_object_get (from, "solve"));
}

static gboolean
read_answer (Reader *reader, const json_t *answer, SsStepProblem *problem)
{
  if (answer == NULL)
    return TRUE;
  if (!json_is_object (answer))
    return fail (reader, "answer", "{\"r\", \"p\", \"v\", \"residual\"}", "it is none");
  problem->has_answer = TRUE;
  problem->residual = ssapp_json_get_real (answer, "residual");
  return read_numbers (reader, "answer.r", json_object_get (answer, "r"), problem->r, 2 * problem->n_contacts) &&
         (problem->n_joints == 0 ||
          read_numbers (reader, "answer.p", json_object_get (answer, "p"), problem->p, problem->n_joints)) &&
         read_if_there (reader, "answer.v", json_object_get (answer, "v"), problem->v, problem->n_velocities);
}

static gboolean
read_members (Reader *reader, const json_t *root, SsStepProblem *problem)
{
  const int m = problem->n_contacts, k = problem->n_joints;

  return read_numbers (reader, "b", json_object_get (root, "b"), problem->b, 2 * m) &&
         read_numbers (reader, "mu", json_object_get (root, "mu"), problem->mu, m) &&
         read_if_there (reader, "least", json_object_get (root, "least"), problem->least, m) &&
         read_if_there (reader, "compliance", json_object_get (root, "compliance"), problem->compliance, 2 * m) &&
         (k == 0 ||
          (read_numbers (reader, "joint_bias", json_object_get (root, "joint_bias"), problem->joint_bias, k) &&
           read_if_there (reader, "joint_compliance", json_object_get (root, "joint_compliance"),
                          problem->joint_compliance, k))) &&
         read_answer (reader, json_object_get (root, "answer"), problem);
}

static SsStepProblem *
read_root (Reader *reader, const json_t *root)
{
  const json_t *format = json_object_get (root, "format"), *joints = json_object_get (root, "G"),
               *v_free = json_object_get (root, "v_free"), *q = json_object_get (root, "q");
  const gboolean is_reduced = json_object_get (root, "W") != NULL;
  SsSparse M = {0}, H = {0}, G = {0}, W = {0};
  SsStepProblem *problem = NULL;
  SsError why;
  int m = 0, version;

  if (g_strcmp0 (ssapp_json_get_string (root, "kind"), KIND) != 0) {
    fail (reader, "kind", "\"" KIND "\"", "it is no problem of a step");
    return NULL;
  }
  if (!read_count (reader, "format", format, 1, FORMAT, &version) ||
      !read_count (reader, "contacts", json_object_get (root, "contacts"), 0, G_MAXINT / 8, &m))
    return NULL;
  if (is_reduced)
    read_matrix (reader, "W", json_object_get (root, "W"), &W);
  else if (read_matrix (reader, "M", json_object_get (root, "M"), &M) &&
           read_matrix (reader, "H", json_object_get (root, "H"), &H) && joints != NULL)
    read_matrix (reader, "G", joints, &G);
  if (!reader->has_failed && !is_reduced && v_free == NULL && q == NULL)
    fail (reader, "v_free", "v_free or q", "it is missing");
  if (!reader->has_failed && ss_step_problem_new (is_reduced ? 0 : M.pattern.n_major, m,
                                                  joints != NULL ? G.pattern.n_major : 0, &problem, &why) != SS_OK)
    fail (reader, "contacts", "a smaller problem", "%s", why.message);
  if (problem == NULL) {
    SsSparse *const all[] = {&M, &H, &G, &W};
    for (guint i = 0; i < G_N_ELEMENTS (all); i++)
      ss_sparse_clear (all[i]);
    return NULL;
  }
  problem->M = M;
  problem->H = H;
  problem->G = G;
  problem->W = W;
  read_origin (json_object_get (root, "from"), problem);
  if (read_members (reader, root, problem) && !is_reduced &&
      read_if_there (reader, "v_free", v_free, problem->v_free, problem->n_velocities))
    read_if_there (reader, "q", q, problem->q, problem->n_velocities);
  const SsStepDerive derive = is_reduced || (v_free != NULL && q != NULL) ? SS_STEP_DERIVE_NONE
                              : q == NULL                                 ? SS_STEP_DERIVE_Q
                                                                          : SS_STEP_DERIVE_V_FREE;
  if (!reader->has_failed && ss_step_problem_finish (problem, derive, &why) != SS_OK) {
    ssapp_step_set_error (reader->error, reader->file, &why);
    reader->has_failed = TRUE;
  }
  return problem;
}

SsStepProblem *
ssapp_step_read_json (const char *file, const char *text, GError **error)
{
  Reader reader = {.file = file, .error = error};
  json_error_t why;
  json_t *root = json_loads (text, JSON_REJECT_DUPLICATES, &why);

  if (root == NULL) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s:%d: %s (expected JSON)", file, why.line, why.text);
    return NULL;
  }
  SsStepProblem *problem = read_root (&reader, root);
  json_decref (root);
  if (reader.has_failed) {
    ss_step_problem_free (problem);
    return NULL;
  }
  return problem;
}
