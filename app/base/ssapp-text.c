/* app/base/ssapp-text.c: see the header. */
#include "app/base/ssapp-text.h"

#include <math.h>
#include <string.h>

int
ssapp_text_compare (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

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
  const char *plain = text != NULL ? text : "";

  while (*plain >= ' ' && *plain <= '~') /* most texts of tables have nothing else */
    plain++;
  if (*plain == '\0')
    return g_strdup (text != NULL ? text : "");
  g_autofree char *valid = g_utf8_make_valid (text, -1);
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

/* "1.5e-05" as "1.5e-5". */
static void
shorten_exponent (char *text)
{
  char *mark = strchr (text, 'e'), *from;

  if (mark == NULL)
    return;
  mark += mark[1] == '-' ? 2 : 1;
  from = mark;
  while (*from == '+' || (*from == '0' && from[1] != '\0'))
    from++;
  memmove (mark, from, strlen (from) + 1);
}

char *
ssapp_text_number_within (const char *text, guint most)
{
  char *end, format[16], buffer[G_ASCII_DTOSTR_BUF_SIZE];
  const double value = g_ascii_strtod (text, &end);

  if (strlen (text) <= most || *end != '\0' || !isfinite (value))
    return g_strdup (text);
  for (int digits = 15; digits >= 1; digits--) {
    g_snprintf (format, sizeof format, "%%.%dg", digits);
    g_ascii_formatd (buffer, sizeof buffer, format, value + 0.0);
    shorten_exponent (buffer);
    if (strlen (buffer) <= most)
      break;
  }
  return g_strdup (buffer);
}

char *
ssapp_text_number_exact (double value, int least)
{
  char format[16], text[G_ASCII_DTOSTR_BUF_SIZE * 2];

  g_return_val_if_fail (least >= 1 && least <= 17, NULL);
  for (int digits = least; digits <= 17; digits++) {
    g_snprintf (format, sizeof format, "%%.%dg", digits);
    g_ascii_formatd (text, sizeof text, format, value);
    if (g_ascii_strtod (text, NULL) == value)
      break;
  }
  return g_strdup (text);
}

char *
ssapp_text_number_moved (const char *text, double n_steps, gboolean is_round)
{
  const double of_zero = 0.01, noise = 1e-6; /* of zero: the step; noise: of a step, from rounding */
  char *end;
  const double from = g_ascii_strtod (text, &end);
  double step, to;

  g_return_val_if_fail (isfinite (n_steps), NULL);
  if (end == text || *end != '\0' || !isfinite (from))
    return NULL;
  step = from == 0 ? of_zero : pow (10, floor (log10 (fabs (from))) - 1);
  to = from + n_steps * step;
  if (is_round)
    to = round (to / (10 * step)) * 10 * step;
  return ssapp_text_number ("%.12g", fabs (to) < noise * step ? 0 : to);
}

char *
ssapp_text_number_on (double value, double low, double high, double step)
{
  g_return_val_if_fail (low <= high && step > 0, NULL);
  return ssapp_text_number ("%.12g", CLAMP (round (value / step) * step, low, high) + 0.0);
}

/* The formats are the program's own. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
char *
ssapp_text_number (const char *format, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE * 2];

  g_ascii_formatd (text, sizeof text, format, value);
  return g_strdup (text[0] == '-' && g_ascii_strtod (text, NULL) == 0 ? text + 1 : text);
}
#pragma GCC diagnostic pop

double
ssapp_text_zero (double value, double last_digit)
{
  return fabs (value) <= last_digit / 2 ? 0. : value;
}

gboolean
ssapp_fail_input (GError **error, const char *format, ...)
{
  va_list list;

  va_start (list, format);
  g_autofree char *text = g_strdup_vprintf (format, list);
  va_end (list);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, text);
  return FALSE;
}
