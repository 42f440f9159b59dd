/* app/document/ssapp-document-list.c: values typed into an entry: numbers, numbers with units, formulas, and lists of
 * them where the file has a list ("1, t_push + 0.5"). */
#include "app/document/ssapp-document-private.h"

#include <math.h>
#include <string.h>

#define NONE "none" /* an empty list: for task.breaks another thing than no list */

gboolean
ssapp_tree_is_list (const char *path)
{
  return strcmp (path, "task.breaks") == 0;
}

/* The number or formula in a trimmed text; NULL with an error. */
static json_t *
value_of (const char *text, const char *unit, GError **error)
{
  const double largest_exact_integer = 9007199254740992.0; /* 2^53 */
  json_t *value;
  double number;

  if (*text == '\0') {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "A number or a formula is needed");
    return NULL;
  }
  if (!ssapp_parse_quantity (text, unit, &number))
    value = json_string (text);
  else if (number == floor (number) && fabs (number) < largest_exact_integer)
    value = json_integer ((json_int_t)number);
  else
    value = json_real (number);
  if (value == NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "“%s” is neither a finite number nor a formula", text);
  return value;
}

/* Where the first entry of a list ends: at a comma that is within no parentheses. */
static gsize
entry_length (const char *text)
{
  gsize length = 0;
  int depth = 0;

  for (; text[length] != '\0' && (text[length] != ',' || depth > 0); length++)
    depth += text[length] == '(' ? 1 : text[length] == ')' && depth > 0 ? -1 : 0;
  return length;
}

static json_t *
list_of (const char *text, const char *unit, GError **error)
{
  json_t *list = json_array ();

  while (strcmp (text, NONE) != 0) {
    const gsize length = entry_length (text);
    g_autofree char *entry = g_strstrip (g_strndup (text, length));
    json_t *value = value_of (entry, unit, error);
    if (value == NULL) {
      json_decref (list);
      return NULL;
    }
    json_array_append_new (list, value);
    if (text[length] == '\0')
      break;
    text += length + 1;
  }
  return list;
}

json_t *
ssapp_tree_value_of (const char *path, const char *text, const char *unit, GError **error)
{
  return ssapp_tree_is_list (path) ? list_of (text, unit, error) : value_of (text, unit, error);
}

char *
ssapp_tree_list_text (const json_t *list)
{
  GString *text = g_string_new (json_array_size (list) == 0 ? NONE : NULL);

  for (size_t i = 0; i < json_array_size (list); i++) {
    const json_t *value = json_array_get (list, i);
    char digits[64];

    if (json_is_number (value)) {
      ss_format_double (json_number_value (value), digits, sizeof digits);
      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", digits);
    } else if (json_is_string (value)) {
      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", json_string_value (value));
    } else {
      return g_string_free (text, TRUE); /* a rule of the file writes it */
    }
  }
  return g_string_free (text, FALSE);
}
