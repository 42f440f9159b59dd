/* app/session/ssapp-run-filter.c: see the header. */
#include "app/session/ssapp-run-filter.h"

#include "core/ss-option.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

G_DEFINE_QUARK (ssapp - run - filter - error - quark, ssapp_run_filter_error)

/* ---- terms ------------------------------------------------------------------------------------------------------- */

static void
term_free (SsappRunTerm *term)
{
  g_free (term->name);
  g_strfreev (term->texts);
  g_free (term->numbers);
  g_free (term);
}

/* The next part up to a space outside quotes, without its quotes; what was between quotes is no operator: those are
 * marked in `quoted`, a character each. NULL: the end. */
static char *
next_part (const char **at, char **quoted)
{
  GString *part = g_string_new (NULL), *marks = g_string_new (NULL);
  gboolean is_quoted = FALSE, has_quotes = FALSE;

  while (g_ascii_isspace (**at))
    (*at)++;
  for (; **at != '\0' && (is_quoted || !g_ascii_isspace (**at)); (*at)++) {
    if (**at == '"') {
      is_quoted = !is_quoted;
      has_quotes = TRUE;
      continue;
    }
    g_string_append_c (part, **at);
    g_string_append_c (marks, is_quoted ? 'q' : ' ');
  }
  if (part->len == 0 && !has_quotes) {
    g_string_free (part, TRUE);
    g_string_free (marks, TRUE);
    return NULL;
  }
  *quoted = g_string_free (marks, FALSE);
  return g_string_free (part, FALSE);
}

/* The operator at a place; 0: there is none. Its length otherwise. */
static gsize
operator_at (const char *c, SsappRunOp *op)
{
  static const struct {
    const char *text;
    SsappRunOp op;
  } operators[] = {{"<=", SSAPP_RUN_OP_AT_MOST}, {">=", SSAPP_RUN_OP_AT_LEAST}, {"!=", SSAPP_RUN_OP_IS_NOT},
                   {"<", SSAPP_RUN_OP_LESS},     {">", SSAPP_RUN_OP_MORE},      {"=", SSAPP_RUN_OP_IS},
                   {":", SSAPP_RUN_OP_HAS}};

  for (guint i = 0; i < G_N_ELEMENTS (operators); i++)
    if (g_str_has_prefix (c, operators[i].text)) {
      *op = operators[i].op;
      return strlen (operators[i].text);
    }
  return 0;
}

/* What it is compared with: parts between commas that were not quoted. */
static void
take_values (SsappRunTerm *term, const char *value, const char *quoted, gboolean has_several)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();
  const gsize length = strlen (value);
  gsize begin = 0;

  for (gsize i = 0; i <= length; i++) {
    if (i < length && (value[i] != ',' || quoted[i] == 'q' || !has_several))
      continue;
    g_autofree char *one = g_strndup (value + begin, i - begin);
    g_ptr_array_add (texts, g_utf8_casefold (one, -1));
    begin = i + 1;
  }
  term->numbers = g_new (double, texts->len);
  for (guint i = 0; i < texts->len; i++) {
    double number;
    term->numbers[i] = ss_parse_double (g_ptr_array_index (texts, i), &number) ? number : NAN;
  }
  g_ptr_array_add (texts, NULL);
  term->texts = (char **)g_ptr_array_free (g_steal_pointer (&texts), FALSE);
}

static gboolean
check_term (const SsappRunTerm *term, const char *value, GError **error)
{
  const gboolean is_order = term->op >= SSAPP_RUN_OP_LESS;
  gboolean is_number = TRUE;

  for (guint i = 0; term->texts[i] != NULL; i++)
    is_number = is_number && !isnan (term->numbers[i]);
  if (term->kind == SSAPP_RUN_COLUMN_METRIC && !is_number)
    g_set_error (error, SSAPP_RUN_FILTER_ERROR, SSAPP_RUN_FILTER_ERROR_SYNTAX,
                 _ ("“%s” is compared with a number, not “%s”"), term->name, value);
  else if (is_order && !is_number && term->kind != SSAPP_RUN_COLUMN_STARTED)
    g_set_error (error, SSAPP_RUN_FILTER_ERROR, SSAPP_RUN_FILTER_ERROR_SYNTAX,
                 _ ("after < and > comes a number: “%s” is compared with “%s”"), term->name, value);
  else if (is_order && term->kind < SSAPP_RUN_N_TEXTS && term->kind != SSAPP_RUN_COLUMN_STARTED &&
           term->kind != SSAPP_RUN_COLUMN_SEED)
    g_set_error (error, SSAPP_RUN_FILTER_ERROR, SSAPP_RUN_FILTER_ERROR_SYNTAX, _ ("“%s” is a text: write %s:%s"),
                 term->name, term->name, value);
  else
    return TRUE;
  return FALSE;
}

/* A word, or a name, an operator and what comes after it. */
static SsappRunTerm *
term_new (const char *part, const char *quoted, GError **error)
{
  SsappRunTerm *term = g_new0 (SsappRunTerm, 1);
  gsize n_name = 0, n_op = 0;

  if (part[0] == '-' && part[1] != '\0' && quoted[0] != 'q') {
    term->is_not = TRUE;
    part++;
    quoted++;
  }
  while (part[n_name] != '\0' && quoted[n_name] != 'q' &&
         (g_ascii_isalnum (part[n_name]) || strchr ("_.-", part[n_name]) != NULL))
    n_name++;
  if (n_name > 0 && part[n_name] != '\0' && quoted[n_name] != 'q')
    n_op = operator_at (part + n_name, &term->op);
  if (n_op == 0) {
    take_values (term, part, quoted, FALSE);
    return term;
  }
  g_autofree char *name = g_strndup (part, n_name);
  term->kind = ssapp_run_column_kind_of (name, &term->metric);
  if (term->kind == SSAPP_RUN_COLUMN_FIELD) { /* parameters may have large letters */
    g_autofree char *lower = g_ascii_strdown (name, -1);
    SsMetric metric;
    const SsappRunColumnKind kind = ssapp_run_column_kind_of (lower, &metric);
    if (kind != SSAPP_RUN_COLUMN_FIELD) {
      term->kind = kind;
      term->metric = metric;
    }
  }
  term->name = g_steal_pointer (&name);
  take_values (term, part + n_name + n_op, quoted + n_name + n_op, TRUE);
  if (check_term (term, part + n_name + n_op, error))
    return term;
  term_free (term);
  return NULL;
}

GPtrArray *
ssapp_run_filter_parse (const char *text, GError **error)
{
  g_autoptr (GPtrArray) terms = g_ptr_array_new_with_free_func ((GDestroyNotify)term_free);
  char *part, *quoted;

  g_return_val_if_fail (text != NULL, NULL);
  while ((part = next_part (&text, &quoted)) != NULL) {
    SsappRunTerm *term = term_new (part, quoted, error);
    g_free (part);
    g_free (quoted);
    if (term == NULL)
      return NULL;
    g_ptr_array_add (terms, term);
  }
  return g_steal_pointer (&terms);
}
