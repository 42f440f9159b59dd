/* app/job/ssapp-violations.c: see the header. */
#include "app/job/ssapp-violations.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-record.h"
#include "run/ss-method.h"
#include "solve/ss-run-violations.h"

#include <math.h>
#include <string.h>

/* ---- in results -------------------------------------------------------------------------------------------------- */

static const SsappRecordField violation_fields[] = {
    SSAPP_FIELD (SsViolation, amount, "amount", REAL, "", "by how much, unscaled; null: a formula has no value there"),
    SSAPP_FIELD (SsViolation, k, "k", INTEGER, "", "time point"),
    SSAPP_FIELD (SsViolation, t, "t", REAL, "s", "its time"),
    SSAPP_FIELD (SsViolation, row, "row", NAME, "", "path of the row; of a pair also which part of it"),
    SSAPP_FIELD (SsViolation, equation, "equation", NAME, "", "what should hold"),
    SSAPP_FIELD (SsViolation, block, "block", NAME, "", "block of the row"),
    SSAPP_FIELD (SsViolation, index, "index", INTEGER, "", "number of the row in its block"),
    SSAPP_FIELD (SsViolation, body, "body", NAME, "", "body that the row is of; null: none"),
    SSAPP_FIELD (SsViolation, contact, "contact", NAME, "", "contact that the row is of; null: none"),
    SSAPP_FIELD (SsViolation, point, "point", INTEGER, "", "point of a contact that has several, from 1; else 0"),
    SSAPP_FIELD (SsViolation, joint, "joint", NAME, "", "joint that the row is of; null: none")};
static const SsappRecord violation_record = SSAPP_RECORD (SsViolation, violation_fields);

static const SsappRecordField violations_fields[] = {
    SSAPP_FIELD (SsViolations, n_rows, "rows", INTEGER, "", "rows of the problem"),
    SSAPP_FIELD (SsViolations, n_violated, "violated", INTEGER, "", "of these violated"),
    SSAPP_FIELD_ITEMS_OF (SsViolations, items, n, "list", &violation_record, false, "those that are violated most")};
const SsappRecord ssapp_violations_record = SSAPP_RECORD (SsViolations, violations_fields);

json_t *
ssapp_violations_to_json (const SsViolations *violations)
{
  g_return_val_if_fail (violations != NULL, NULL);
  return ssapp_record_to_json (&ssapp_violations_record, violations);
}

void
ssapp_violations_from_json (const json_t *result, SsViolations *out)
{
  g_return_if_fail (out != NULL);
  *out = (SsViolations){0};
  ssapp_record_from_json (&ssapp_violations_record, json_object_get (result, "violations"), out);
  ss_violations_truncate (out, 10 * SS_VIOLATIONS_KEPT); /* of a file that came from elsewhere */
  for (int i = 0; i < out->n; i++) {
    SsViolation *own = &out->items[i];
    own->a = own->b = NAN;
    if (isnan (own->amount)) /* JSON knows no infinity */
      own->amount = INFINITY;
  }
  out->n_violated = MAX (out->n_violated, out->n);
}

/* ---- of motions -------------------------------------------------------------------------------------------------- */

/* A value of a result's options as the text that sets it; g_free. NULL: it is none. */
static char *
option_text (const json_t *value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (json_is_string (value))
    return g_strdup (json_string_value (value));
  if (json_is_boolean (value))
    return g_strdup (json_is_true (value) ? "on" : "off");
  if (json_is_number (value))
    return g_strdup (g_ascii_dtostr (number, sizeof number, json_number_value (value)));
  return NULL;
}

/* Options of a plan's model as the result tells them; those that are not known to this version stay at their
 * defaults. */
static void *
transcription_options (const json_t *result)
{
  const SsOptionTable *table = ss_transcription_option_table ();
  const json_t *used = json_object_get (json_object_get (result, "method"), "options"), *value;
  void *options = g_malloc0 (table->size);
  const char *name;

  ss_options_init (table, options);
  json_object_foreach ((json_t *)used, name, value)
  {
    g_autofree char *text = ss_options_find (table, name) >= 0 ? option_text (value) : NULL;
    SsStatus status = text != NULL ? ss_options_set (table, options, name, text, NULL) : SS_OK;

    (void)status;
  }
  return options;
}

gboolean
ssapp_violations_of_motion (const SsScenario *scenario, const json_t *result, const SsTrajectory *motion, int n_max,
                            SsViolations *out, SsMetrics *metrics, gboolean *is_exact, GError **error)
{
  g_return_val_if_fail (scenario != NULL && motion != NULL && n_max >= 1 && out != NULL && metrics != NULL, FALSE);
  g_autofree void *options = transcription_options (result);
  const SsTranscribeOptions transcription = ss_transcription_choose (options);
  SsError err = {0};
  bool exact;
  const SsStatus status = ss_run_violations (scenario, &transcription, motion, n_max, metrics, out, &exact, &err);

  if (status != SS_OK) {
    g_set_error (error, G_IO_ERROR, status == SS_ERR_MEMORY ? G_IO_ERROR_NO_SPACE : G_IO_ERROR_INVALID_DATA, "%s",
                 err.message);
    return FALSE;
  }
  *is_exact = exact;
  return TRUE;
}

gboolean
ssapp_violations_of_run (const SsScenario *scenario, const json_t *result, const SsTrajectory *motion,
                         gboolean is_answer, int n_max, SsViolations *out, gboolean *is_exact, GError **error)
{
  g_return_val_if_fail (scenario != NULL && n_max >= 0 && out != NULL, FALSE);

  const gboolean has_list = is_answer && json_object_get (result, "violations") != NULL;
  SsViolations more;
  SsMetrics metrics;

  *out = (SsViolations){0};
  *is_exact = TRUE;
  if (has_list)
    ssapp_violations_from_json (result, out);
  if (has_list && (motion == NULL || out->n >= MIN (n_max, out->n_violated))) {
    ss_violations_truncate (out, n_max);
    return TRUE;
  }
  if (motion == NULL) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "The run has no motion whose rows could be judged");
    return FALSE;
  }
  if (!ssapp_violations_of_motion (scenario, result, motion, n_max, &more, &metrics, is_exact,
                                   has_list ? NULL : error)) {
    *is_exact = TRUE;
    return has_list;
  }
  /* The same point, or what the run told of its own stays. */
  if (has_list && out->n > 0 && !(*is_exact && metrics.max_violation == out->items[0].amount)) {
    *is_exact = TRUE;
    ss_violations_clear (&more);
    return TRUE;
  }
  ss_violations_clear (out);
  *out = more;
  return TRUE;
}

/* ---- as text ----------------------------------------------------------------------------------------------------- */

char *
ssapp_violation_dup_where (const SsViolation *v)
{
  g_return_val_if_fail (v != NULL, NULL);
  g_autofree char *point = v->point > 0 ? g_strdup_printf ("%s.%d", v->contact, v->point) : NULL;
  const char *about = point != NULL ? point : v->contact[0] != '\0' ? v->contact : v->joint;

  if (about[0] != '\0')
    return v->body[0] != '\0' ? g_strdup_printf ("%s (%s)", about, v->body) : g_strdup (about);
  if (v->body[0] != '\0')
    return g_strdup (v->body);
  return v->block[0] != '\0' ? g_strdup_printf ("%s, row %d", v->block, v->index) : g_strdup (v->row);
}

char *
ssapp_violation_dup_amount (const SsViolation *v)
{
  g_return_val_if_fail (v != NULL, NULL);
  return isfinite (v->amount) ? g_strdup_printf ("%.2e", v->amount) : g_strdup ("not finite");
}

SsappTable *
ssapp_violations_to_table (const SsViolations *violations, const char *const *labels, const char *title)
{
  g_return_val_if_fail (violations != NULL, NULL);
  SsappTable *table = ssapp_table_new (title);

  if (labels != NULL)
    ssapp_table_add_text_column (table, "run", "Run");
  ssapp_table_add_number_column (table, "violation", "Violation", "", "%.2e", SSAPP_BEST_NONE);
  ssapp_table_add_text_column (table, "where", "Where");
  ssapp_table_add_text_column (table, "equation", "Equation");
  ssapp_table_add_number_column (table, "t", "Time", "s", "%.4g", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "k", "Point", "", "%.0f", SSAPP_BEST_NONE);
  ssapp_table_add_text_column (table, "row", "Row");
  for (int i = 0; i < violations->n; i++) {
    const SsViolation *v = &violations->items[i];
    g_autofree char *where = ssapp_violation_dup_where (v);

    ssapp_table_begin_row (table);
    if (labels != NULL)
      ssapp_table_add_text (table, labels[i]);
    ssapp_table_add_number (table, v->amount);
    ssapp_table_add_text (table, where);
    ssapp_table_add_text (table, v->equation);
    ssapp_table_add_number (table, v->t);
    ssapp_table_add_number (table, v->k);
    ssapp_table_add_text (table, v->row);
  }
  return table;
}
