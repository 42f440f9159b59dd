/* app/document/ssapp-document-list.c: values typed into an entry: numbers, numbers with units, formulas, and lists of
 * them where the file has a list ("1, t_push + 0.5"), of pairs of them ("0, 0; 1, 0; 0, 5cm"), or of names with their
 * ranges ("mu 0.2, 0.4; box.mass 1, 1.5; samples 60; feedback lqr"). */
#include "app/document/ssapp-document-private.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define NONE "none" /* an empty list: for task.breaks another thing than no list */

static gboolean
is_list_of_pairs (const char *path)
{
  return g_str_has_suffix (path, ".vertices");
}

static gboolean
is_list_of_ranges (const char *path)
{
  return strcmp (path, "task.worlds") == 0;
}

gboolean
ssapp_tree_is_list (const char *path)
{
  return strcmp (path, "task.breaks") == 0 || is_list_of_ranges (path) || is_list_of_pairs (path);
}

/* The number or formula in a trimmed text; NULL with an error. */
static json_t *
value_of (const char *text, const char *unit, GError **error)
{
  const double largest_exact_integer = 9007199254740992.0; /* 2^53 */
  json_t *value;
  double number;

  if (*text == '\0') {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, _ ("A number or a formula is needed"));
    return NULL;
  }
  if (!ssapp_parse_quantity (text, unit, &number))
    value = json_string (text);
  else if (number == floor (number) && fabs (number) < largest_exact_integer)
    value = json_integer ((json_int_t)number);
  else
    value = json_real (number);
  if (value == NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, _ ("“%s” is neither a finite number nor a formula"),
                 text);
  return value;
}

/* Where the first entry of a list ends: at one of the separators that is within no parentheses. */
static gsize
entry_length (const char *text, const char *separators)
{
  gsize length = 0;
  int depth = 0;

  for (; text[length] != '\0' && (strchr (separators, text[length]) == NULL || depth > 0); length++)
    depth += text[length] == '(' ? 1 : text[length] == ')' && depth > 0 ? -1 : 0;
  return length;
}

static json_t *
list_of (const char *text, const char *unit, GError **error)
{
  json_t *list = json_array ();

  while (strcmp (text, NONE) != 0) {
    const gsize length = entry_length (text, ",");
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

/* ---- pairs ------------------------------------------------------------------------------------------------------- */

/* "0, 0", "0 0" or "(0, 0)". */
static json_t *
pair_of (const char *text, const char *unit, GError **error)
{
  g_autofree char *bare = g_strdup (text), *first = NULL, *second = NULL;
  gsize length = strlen (bare), comma;
  json_t *x, *y;

  if (length > 1 && bare[0] == '(' && bare[length - 1] == ')' && entry_length (bare + 1, ")") == length - 2) {
    bare[length - 1] = '\0';
    memmove (bare, bare + 1, length - 1);
    g_strstrip (bare);
  }
  comma = entry_length (bare, ",");
  if (bare[comma] == '\0')
    comma = entry_length (bare, " \t");
  if (bare[comma] == '\0') {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, _ ("“%s” is no pair: write x, y and ; between pairs"),
                 text);
    return NULL;
  }
  first = g_strstrip (g_strndup (bare, comma));
  second = g_strstrip (g_strdup (bare + comma + 1));
  x = value_of (first, unit, error);
  y = x != NULL ? value_of (second, unit, error) : NULL;
  if (y == NULL) {
    json_decref (x);
    return NULL;
  }
  return json_pack ("[o, o]", x, y);
}

/* Pairs with semicolons or line ends between them, in parentheses with commas, or as JSON. */
static json_t *
pairs_of (const char *text, const char *unit, GError **error)
{
  const char *separators = strpbrk (text, ";\n") == NULL && *text == '(' ? "," : ";\n";
  json_t *list = *text == '[' ? json_loads (text, 0, NULL) : NULL;

  if (list != NULL)
    return list;
  list = json_array ();
  for (;;) {
    const gsize length = entry_length (text, separators);
    g_autofree char *entry = g_strstrip (g_strndup (text, length));
    json_t *pair = *entry != '\0' ? pair_of (entry, unit, error) : NULL;
    if (pair == NULL && *entry != '\0') {
      json_decref (list);
      return NULL;
    }
    if (pair != NULL)
      json_array_append_new (list, pair);
    if (text[length] == '\0')
      return list;
    text += length + 1;
  }
}

/* ---- ranges ------------------------------------------------------------------------------------------------------ */

/* Name, then a pair or a number; into the object. */
static gboolean
add_range (json_t *object, const char *text, const char *unit, GError **error)
{
  const gsize length = strcspn (text, " \t:=");
  g_autofree char *name = g_strndup (text, length), *rest = g_strstrip (g_strdup (text + length));
  const char *values = *rest == ':' || *rest == '=' ? rest + 1 : rest;
  g_autofree char *bare = g_strstrip (g_strdup (values));
  json_t *value;

  if (*name == '\0' || *bare == '\0') {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 _ ("“%s” is no range: write a name, from, to, and ; between them"), text);
    return FALSE;
  }
  value = strchr (bare, ',') != NULL ? pair_of (bare, unit, error) : value_of (bare, unit, error);
  return value != NULL && json_object_set_new (object, name, value) == 0;
}

static json_t *
ranges_of (const char *text, const char *unit, GError **error)
{
  json_t *object = json_object ();

  for (;;) {
    const gsize length = entry_length (text, ";\n");
    g_autofree char *entry = g_strstrip (g_strndup (text, length));
    if (*entry != '\0' && !add_range (object, entry, unit, error)) {
      json_decref (object);
      return NULL;
    }
    if (text[length] == '\0')
      return object;
    text += length + 1;
  }
}

json_t *
ssapp_tree_value_of (const char *path, const char *text, const char *unit, GError **error)
{
  if (g_str_has_prefix (path, "scene.measures[") ||
      (g_str_has_prefix (path, "scene.notes[") && g_str_has_suffix (path, ".text")))
    return json_string (text);
  return is_list_of_ranges (path)    ? ranges_of (text, unit, error)
         : is_list_of_pairs (path)   ? pairs_of (text, unit, error)
         : ssapp_tree_is_list (path) ? list_of (text, unit, error)
                                     : value_of (text, unit, error);
}

/* A number or formula as it is typed; NULL for anything else. Caller frees. */
static char *
text_of (const json_t *value)
{
  char digits[64];

  if (json_is_string (value))
    return g_strdup (json_string_value (value));
  if (!json_is_number (value))
    return NULL;
  ss_format_double (json_number_value (value), digits, sizeof digits);
  return g_strdup (digits);
}

static char *
ranges_text (const json_t *object)
{
  GString *text = g_string_new (NULL);
  const char *name;
  json_t *value;

  json_object_foreach ((json_t *)object, name, value)
  {
    const gboolean is_pair = json_is_array (value);
    g_autofree char *first = text_of (is_pair ? json_array_get (value, 0) : value),
                    *second = is_pair ? text_of (json_array_get (value, 1)) : NULL;

    g_string_append_printf (text, "%s%s %s%s%s", text->len > 0 ? "; " : "", name, first != NULL ? first : "",
                            second != NULL ? ", " : "", second != NULL ? second : "");
  }
  return g_string_free (text, FALSE);
}

char *
ssapp_tree_list_text (const json_t *list)
{
  if (json_is_object (list))
    return ranges_text (list);
  GString *text = g_string_new (json_array_size (list) == 0 ? NONE : NULL);

  for (size_t i = 0; i < json_array_size (list); i++) {
    const json_t *value = json_array_get (list, i);
    const gboolean is_pair = json_array_size (value) == 2;
    g_autofree char *first = text_of (is_pair ? json_array_get (value, 0) : value),
                    *second = is_pair ? text_of (json_array_get (value, 1)) : NULL;

    if (first == NULL || (is_pair && second == NULL))
      return g_string_free (text, TRUE); /* a rule of the file writes it */
    g_string_append_printf (text, "%s%s", i == 0 ? "" : is_pair ? "; " : ", ", first);
    if (is_pair)
      g_string_append_printf (text, ", %s", second);
  }
  return g_string_free (text, FALSE);
}
