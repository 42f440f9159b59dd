/* app/bench/ssapp-paper-verdict.c: the paper's numbers against ours; see ssapp-paper-item.h. */
#include "app/bench/ssapp-paper-item.h"

#include "app/base/ssapp-json.h"
#include "core/ss-status.h"

#include <math.h>
#include <string.h>

/* A cell, a text or a number; both may be missing. */
typedef struct {
  const char *text;
  double number;
} Value;

/* "distance for mu = {mu}" with the cells of the row; g_free. */
static char *
fill_in (const char *what, const SsappTable *table, guint row)
{
  GString *out = g_string_new ("");

  for (const char *c = what; *c != '\0'; c++) {
    const char *end = *c == '{' ? strchr (c, '}') : NULL;
    if (end == NULL) {
      g_string_append_c (out, *c);
      continue;
    }
    g_autofree char *key = g_strndup (c + 1, (gsize)(end - c - 1));
    const int column = ssapp_table_find_column (table, key);
    g_string_append (out, column >= 0 ? ssapp_table_get_text (table, row, (guint)column) : key);
    c = end;
  }
  return g_string_free (out, FALSE);
}

/* FALSE: the table has no such column. */
static gboolean
get_cell (const SsappTable *table, guint row, const char *key, Value *out)
{
  const int column = ssapp_table_find_column (table, key);

  if (column < 0)
    return FALSE;
  *out = (Value){NULL, ssapp_table_get_number (table, row, (guint)column)};
  if (!ssapp_table_is_number_column (table, (guint)column) || ssapp_table_is_text (table, row, (guint)column))
    out->text = ssapp_table_get_text (table, row, (guint)column);
  return TRUE;
}

static gboolean
is_there (const Value *value)
{
  return (value->text != NULL && *value->text != '\0') || isfinite (value->number);
}

static gboolean
agrees (const SsappPaperClaim *claim, const Value *ours, const Value *against)
{
  switch (claim->kind) {
  case SSAPP_CLAIM_NEAR:
    return fabs (ours->number - against->number) <= claim->tolerance * fabs (against->number);
  case SSAPP_CLAIM_WITHIN:
    return fabs (ours->number - against->number) <= claim->tolerance;
  case SSAPP_CLAIM_AT_MOST:
    return ours->number <= against->number + claim->tolerance * fabs (against->number);
  case SSAPP_CLAIM_AT_LEAST:
    return ours->number >= against->number - claim->tolerance * fabs (against->number);
  case SSAPP_CLAIM_SAME:
    return g_strcmp0 (ours->text, against->text) == 0;
  }
  return FALSE;
}

static json_t *
value_to_json (const Value *value)
{
  return value->text != NULL && *value->text != '\0' ? json_string (value->text) : ssapp_json_real (value->number);
}

static json_t *
text_or_null (const char *text)
{
  return text != NULL ? json_string (text) : json_null ();
}

static json_t *
row_new (const SsappPaperClaim *claim, const char *what, const char *verdict, const char *reason)
{
  static const char *const kinds[] = {"near", "within", "at most", "at least", "same"};

  return json_pack ("{s:s, s:s, s:f, s:o, s:o, s:s, s:s, s:o}", "what", what, "kind", kinds[claim->kind], "tolerance",
                    claim->tolerance, "why", text_or_null (claim->why), "truth_words",
                    text_or_null (claim->truth_words), "verdict", verdict, "reason", reason != NULL ? reason : "",
                    "paper_words", text_or_null (claim->paper_words));
}

/* Which of the paper's and the independent value counts; the claim's own where the table has none. */
static void
find_values (const SsappPaperClaim *claim, const SsappTable *table, guint row, Value *paper, Value *truth)
{
  *paper = (Value){NULL, claim->has_paper ? claim->paper_value : (double)NAN};
  *truth = (Value){NULL, claim->has_truth ? claim->truth_value : (double)NAN};
  if (claim->kind == SSAPP_CLAIM_SAME)
    paper->text = claim->paper_words;
  if (claim->paper != NULL)
    get_cell (table, row, claim->paper, paper);
  if (claim->truth != NULL)
    get_cell (table, row, claim->truth, truth);
}

/* NULL: the claim says nothing of that row. */
static json_t *
judge_row (const SsappPaperItem *item, const SsappPaperClaim *claim, const SsappTable *table, guint row)
{
  g_autofree char *what = fill_in (claim->what, table, row), *command = NULL, *reason = NULL;
  Value ours = {NULL, NAN}, paper, truth;
  const char *verdict, *limit = ss_outcome_name (SS_OUTCOME_CPU_LIMIT);

  find_values (claim, table, row, &paper, &truth);
  const gboolean has_ours = claim->ours != NULL && get_cell (table, row, claim->ours, &ours) && is_there (&ours);
  const Value *against = is_there (&paper) ? &paper : &truth;
  /* A claim on all rows is none on those for which there is nothing to hold ours against. */
  if (claim->rows == NULL && (claim->paper != NULL || claim->truth != NULL) && !is_there (against))
    return NULL;
  gboolean is_explained = TRUE;
  if (claim->cannot != NULL) {
    verdict = "not reproducible";
    reason = g_strdup (claim->cannot);
  } else if (has_ours && is_there (against) && agrees (claim, &ours, against)) {
    verdict = "agreed";
    reason = against == &truth ? g_strdup_printf ("The paper prints no number; held against %s",
                                                  claim->truth_words != NULL ? claim->truth_words : "truth")
                               : g_strdup ("");
  } else if (has_ours && claim->kind == SSAPP_CLAIM_SAME && g_strcmp0 (ours.text, limit) == 0) {
    verdict = "not run";
    reason = g_strdup ("Our run ended by its limit of CPU time");
  } else {
    command = claim->run != NULL ? g_strdup (claim->run) : ssapp_paper_to_command (&item->paper, SSAPP_PAPER_USUAL);
    is_explained = claim->refuted != NULL && has_ours;
    verdict = "refuted";
    reason = g_strdup_printf ("%s (%s)",
                              !has_ours                ? "Our run has no such number"
                              : !is_there (against)    ? "There is nothing to compare with"
                              : claim->refuted != NULL ? claim->refuted
                                                       : "Ours is off, nobody knows why",
                              command);
  }
  json_t *out = row_new (claim, what, verdict, reason);
  json_object_set_new (out, "ours", value_to_json (&ours));
  json_object_set_new (out, "paper", value_to_json (&paper));
  json_object_set_new (out, "truth", value_to_json (&truth));
  json_object_set_new (out, "explained", json_boolean (is_explained));
  return out;
}

/* A claim whose rows are not there. */
static json_t *
missing (const SsappPaperItem *item, const SsappPaperClaim *claim, SsappPaperExtent extent)
{
  const gboolean is_more = (extent == SSAPP_PAPER_QUICK && item->paper.quick != NULL) ||
                           (extent != SSAPP_PAPER_ALL && item->paper.all != NULL);
  json_t *out = row_new (claim, claim->what,
                         is_more                 ? "not run"
                         : claim->cannot != NULL ? "not reproducible"
                                                 : "refuted",
                         is_more                 ? "Of a longer run"
                         : claim->cannot != NULL ? claim->cannot
                                                 : "Our run has no such row");

  json_object_set_new (out, "ours", json_null ());
  json_object_set_new (out, "paper",
                       claim->has_paper ? json_real (claim->paper_value) : text_or_null (claim->paper_words));
  json_object_set_new (out, "truth", claim->has_truth ? json_real (claim->truth_value) : json_null ());
  json_object_set_new (out, "explained", json_boolean (is_more || claim->cannot != NULL));
  return out;
}

json_t *
ssapp_paper_judge (const SsappPaperItem *item, const json_t *tables, const GPtrArray *read, SsappPaperExtent extent)
{
  json_t *list = json_array ();

  for (const SsappPaperClaim *claim = item->claims; claim != NULL && claim->what != NULL; claim++) {
    const int at = claim->table != NULL ? ssapp_paper_find_table (tables, claim->table) : -1;
    const SsappTable *table = at >= 0 ? g_ptr_array_index (read, (guint)at) : NULL;
    guint n = 0;
    for (guint row = 0; table != NULL && row < ssapp_table_get_n_rows (table); row++)
      if (ssapp_paper_row_is_chosen (table, row, claim->rows)) {
        json_t *judged = judge_row (item, claim, table, row);
        if (judged != NULL)
          json_array_append_new (list, judged);
        n++;
      }
    if (n == 0)
      json_array_append_new (list, missing (item, claim, extent));
  }
  return list;
}

char *
ssapp_paper_value_text (const json_t *value)
{
  if (json_is_string (value))
    return g_strdup (json_string_value (value));
  return json_is_number (value) ? g_strdup_printf ("%.6g", json_number_value (value)) : g_strdup ("-");
}

char *
ssapp_paper_paper_text (const json_t *verdict)
{
  const char *kind = json_string_value (json_object_get (verdict, "kind"));
  const json_t *paper = json_object_get (verdict, "paper");
  g_autofree char *text = ssapp_paper_value_text (paper);
  const gboolean is_limit = json_is_number (paper) && kind != NULL && g_str_has_prefix (kind, "at ");

  return is_limit ? g_strdup_printf ("%s %s", kind, text) : g_steal_pointer (&text);
}

SsappTable *
ssapp_paper_verdict_table (const json_t *document)
{
  static const char *const keys[][2] = {{"verdict", "verdict"}, {"what", "what"},         {"paper", "paper"},
                                        {"ours", "ours"},       {"truth", "independent"}, {"reason", "reason"}};
  const json_t *rows = json_object_get (document, "verdicts"), *row;
  size_t i;

  if (json_array_size (rows) == 0)
    return NULL;
  SsappTable *table = ssapp_table_new ("Verdicts");
  for (guint k = 0; k < G_N_ELEMENTS (keys); k++)
    ssapp_table_add_text_column (table, keys[k][0], keys[k][1]);
  json_array_foreach (rows, i, row)
  {
    ssapp_table_begin_row (table);
    for (guint k = 0; k < G_N_ELEMENTS (keys); k++) {
      g_autofree char *text = strcmp (keys[k][0], "paper") == 0
                                  ? ssapp_paper_paper_text (row)
                                  : ssapp_paper_value_text (json_object_get (row, keys[k][0]));
      ssapp_table_add_text (table, text);
    }
  }
  return table;
}
