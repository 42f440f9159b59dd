/* app/base/ssapp-text.c: see the header. */
#include "app/base/ssapp-text.h"

#include <math.h>

static gboolean
steers (gunichar c)
{
  return g_unichar_iscntrl (c) || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069);
}

static void
append_escape (GString *out, gunichar c)
{
  switch (c) {
  case '\n':
    g_string_append (out, "\\n");
    break;
  case '\r':
    g_string_append (out, "\\r");
    break;
  case '\t':
    g_string_append (out, "\\t");
    break;
  default:
    g_string_append_printf (out, c < 0x100 ? "\\x%02x" : "\\u%04x", c);
  }
}

char *
ssapp_text_visible (const char *text, gboolean keeps_lines)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);
  GString *out = g_string_new (NULL);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p)) {
    const gunichar c = g_utf8_get_char (p);
    if (steers (c) && !(c == '\n' && keeps_lines))
      append_escape (out, c);
    else
      g_string_append_unichar (out, c);
  }
  return g_string_free (out, FALSE);
}

char *
ssapp_text_visible_json (const char *json)
{
  GString *out = g_string_new (NULL);

  for (const char *p = json; *p != '\0'; p = g_utf8_next_char (p)) {
    const gunichar c = g_utf8_get_char (p);
    if (steers (c) && c != '\n') /* between the values of an indented text */
      g_string_append_printf (out, "\\u%04x", c);
    else
      g_string_append_unichar (out, c);
  }
  return g_string_free (out, FALSE);
}

double
ssapp_text_zero (double value, double last_digit)
{
  return fabs (value) <= last_digit / 2 ? 0. : value;
}
