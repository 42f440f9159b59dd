/* app/export/ssapp-svg.c: see the header. */
#include "app/export/ssapp-svg.h"

#include <math.h>
#include <string.h>

/* What SVG takes for granted; the miter limit is said once, of the whole. */
static const char *const usual[] = {"fill-opacity:1;",        "stroke-opacity:1;",  "stroke-linecap:butt;",
                                    "stroke-linejoin:miter;", "fill-rule:nonzero;", "stroke-miterlimit:10;"};
#define MITER " stroke-miterlimit=\"10\""

static const double LARGEST_SCALE = 2.; /* of a transform whose paths are rounded */

/* Two decimals at most; other text goes through. */
static void
append_rounded (GString *out, const char *text, gsize length)
{
  const char *end = text + length;

  while (text < end) {
    char *after = NULL;
    const gboolean is_number = g_ascii_isdigit (*text) || ((*text == '-' || *text == '.') && text + 1 < end &&
                                                           (g_ascii_isdigit (text[1]) || text[1] == '.'));
    const double value = is_number ? g_ascii_strtod (text, &after) : 0;
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    if (!is_number) {
      g_string_append_c (out, *text++);
      continue;
    }
    g_ascii_formatd (digits, sizeof digits, "%.2f", value);
    gsize n = strlen (digits);
    while (digits[n - 1] == '0')
      digits[--n] = '\0';
    if (digits[n - 1] == '.')
      digits[--n] = '\0';
    g_string_append (out, strcmp (digits, "-0") == 0 ? "0" : digits);
    text = after;
  }
}

/* "rgb(100%,0%,50%)" at the text as "#ff0080"; where it ends, NULL: it is none. */
static const char *
read_color (const char *text, char color[8])
{
  static const char *const marks[] = {"rgb(", "%,", "%,"};
  double part[3];

  for (int c = 0; c < 3; c++) {
    char *after;
    if (!g_str_has_prefix (text, marks[c]))
      return NULL;
    text += strlen (marks[c]);
    part[c] = g_ascii_strtod (text, &after);
    if (after == text)
      return NULL;
    text = after;
  }
  if (!g_str_has_prefix (text, "%)"))
    return NULL;
  g_snprintf (color, 8, "#%02x%02x%02x", (guint)lround (2.55 * part[0]) & 255, (guint)lround (2.55 * part[1]) & 255,
              (guint)lround (2.55 * part[2]) & 255);
  return text + 2;
}

static void
append_style (GString *out, const char *text, gsize length)
{
  const char *end = text + length;

  while (text < end) {
    const char *after = NULL;
    char color[8];
    for (gsize i = 0; after == NULL && i < G_N_ELEMENTS (usual); i++)
      if (g_str_has_prefix (text, usual[i]))
        after = text + strlen (usual[i]);
    if (after == NULL && *text == 'r' && (after = read_color (text, color)) != NULL)
      g_string_append (out, color);
    if (after == NULL) {
      g_string_append_c (out, *text);
      after = text + 1;
    }
    text = after;
  }
}

/* The value of an attribute (with its quote and sign: " d=\"") of the element [begin, end); NULL: it has none. */
static const char *
find_attribute (const char *begin, const char *end, const char *name, gsize *length)
{
  const char *at = g_strstr_len (begin, end - begin, name);
  const char *close = at != NULL ? memchr (at + strlen (name), '"', (gsize)(end - at) - strlen (name)) : NULL;

  if (close == NULL)
    return NULL;
  *length = (gsize)(close - at) - strlen (name);
  return at + strlen (name);
}

static gboolean
enlarges (const char *begin, const char *end)
{
  gsize length = 0;
  const char *text = find_attribute (begin, end, " transform=\"", &length);

  if (text == NULL)
    return FALSE;
  if (!g_str_has_prefix (text, "matrix("))
    return TRUE;
  text += strlen ("matrix(");
  for (int i = 0; i < 4; i++) {
    char *after;
    if (!(fabs (g_ascii_strtod (text, &after)) <= LARGEST_SCALE) || *after != ',')
      return TRUE;
    text = after + 1;
  }
  return FALSE;
}

static void
append_path (GString *out, const char *begin, const char *end)
{
  gsize d_length = 0, style_length = 0;
  const char *d = enlarges (begin, end) ? NULL : find_attribute (begin, end, " d=\"", &d_length),
             *style = find_attribute (begin, end, " style=\"", &style_length);

  for (const char *at = begin; at < end;)
    if (at == d) {
      append_rounded (out, d, d_length);
      at += d_length;
    } else if (at == style) {
      append_style (out, style, style_length);
      at += style_length;
    } else
      g_string_append_c (out, *at++);
}

void
ssapp_svg_shrink (GString *svg)
{
  g_autoptr (GString) out = g_string_sized_new (svg->len);
  const char *rest = svg->str, *open = strstr (rest, "<svg ");

  if (open == NULL)
    return;
  g_string_append_len (out, rest, open + 4 - rest);
  g_string_append (out, MITER);
  rest = open + 4;
  for (const char *at = strstr (rest, "<path "); at != NULL; at = strstr (rest, "<path ")) {
    const char *end = strchr (at, '>');
    if (end == NULL)
      break;
    g_string_append_len (out, rest, at - rest);
    append_path (out, at, end);
    rest = end;
  }
  g_string_append (out, rest);
  g_string_assign (svg, out->str);
}
