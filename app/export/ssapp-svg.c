/* app/export/ssapp-svg.c: see the header. */
#include "app/export/ssapp-svg.h"

#include <math.h>
#include <string.h>

/* What SVG takes for granted; the miter limit is said once, of the whole. */
static const char *const usual[] = {"fill-opacity:1;",        "stroke-opacity:1;",  "stroke-linecap:butt;",
                                    "stroke-linejoin:miter;", "fill-rule:nonzero;", "stroke-miterlimit:10;"};
#define TRANSFORM " transform=\""
#define MITER     " stroke-miterlimit=\"10\""

static const double LARGEST_SCALE = 2.; /* of a transform whose paths are rounded */

/* A number with two decimals at most. */
static void
append_number (GString *out, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (digits, sizeof digits, "%.2f", value);
  gsize n = strlen (digits);
  while (digits[n - 1] == '0')
    digits[--n] = '\0';
  if (digits[n - 1] == '.')
    digits[--n] = '\0';
  g_string_append (out, strcmp (digits, "-0") == 0 ? "0" : digits);
}

/* The pairs of "M 1 2 L 3 4 Z M 1 2 " moved and rounded; Cairo's last M, of a path that goes on nowhere, is left
 * out. */
static void
append_pairs (GString *out, const char *text, gsize length, const double move[2])
{
  const char *end = text + length;
  const gsize begin = out->len;
  gboolean is_first = TRUE; /* after a letter */
  int n = 0;

  while (end > text && end[-1] == ' ')
    end--;
  for (gsize closed = 0; text < end;) {
    char *after = NULL;
    if (*text == ' ') {
      text++;
      continue;
    }
    if (g_ascii_isalpha (*text)) {
      g_string_append_c (out, *text);
      closed = *text == 'Z' ? out->len : *text == 'M' ? closed : 0;
      is_first = TRUE;
      n = 0;
      text++;
      continue;
    }
    const double value = g_ascii_strtod (text, &after);
    if (after == text) /* not checked: reads_pairs says so */
      break;
    if (!is_first)
      g_string_append_c (out, ' ');
    append_number (out, value + move[n++ % 2]);
    is_first = FALSE;
    text = after;
    if (text >= end && closed > begin)
      g_string_truncate (out, closed);
  }
}

/* Whether it has pairs of numbers only, as Cairo writes them. */
static gboolean
reads_pairs (const char *text, gsize length)
{
  for (gsize i = 0; i < length; i++)
    if (strchr ("MLCZ .-0123456789", text[i]) == NULL)
      return FALSE;
  return TRUE;
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

/* What a transform does to hundredths: *move what it adds, where that is all. FALSE: it makes them larger. */
static gboolean
read_transform (const char *text, double move[2], gboolean *is_move)
{
  double part[6];
  char *after;

  *is_move = FALSE;
  if (!g_str_has_prefix (text, "matrix("))
    return FALSE;
  text += strlen ("matrix(");
  for (int i = 0; i < 6; i++) {
    part[i] = g_ascii_strtod (text, &after);
    if (after == text || (i < 5 && *after != ',') || (i < 4 && !(fabs (part[i]) <= LARGEST_SCALE)))
      return FALSE;
    text = after + 1;
  }
  *is_move = part[0] == 1 && part[1] == 0 && part[2] == 0 && part[3] == 1;
  for (int c = 0; *is_move && c < 2; c++)
    move[c] = part[4 + c];
  return TRUE;
}

static void
append_path (GString *out, const char *begin, const char *end)
{
  gsize d_length = 0, style_length = 0, transform_length = 0;
  const char *transform = find_attribute (begin, end, TRANSFORM, &transform_length);
  double move[2] = {0, 0};
  gboolean is_move = FALSE;
  const gboolean rounds = transform == NULL || read_transform (transform, move, &is_move);
  const char *d = find_attribute (begin, end, " d=\"", &d_length),
             *style = find_attribute (begin, end, " style=\"", &style_length);

  if (d == NULL || !rounds || !reads_pairs (d, d_length)) {
    d = NULL;
    is_move = FALSE;
  } else if (g_strstr_len (begin, end - begin, "url(") != NULL) { /* a pattern moves along with its transform */
    is_move = FALSE;
    move[0] = move[1] = 0;
  }
  if (is_move)
    transform -= strlen (TRANSFORM);
  for (const char *at = begin; at < end;)
    if (at == d) {
      append_pairs (out, d, d_length, move);
      at += d_length;
    } else if (at == style) {
      append_style (out, style, style_length);
      at += style_length;
    } else if (is_move && at == transform)
      at += strlen (TRANSFORM) + transform_length + 1;
    else
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
