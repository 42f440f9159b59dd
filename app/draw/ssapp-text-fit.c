/* app/draw/ssapp-text-fit.c: see the header. */
#include "app/draw/ssapp-text-fit.h"

#include "app/draw/ssapp-draw-parts.h"

#include <string.h>

int
ssapp_texts_shared (const char *const *texts, int n)
{
  int shared = 0, at = 0;

  g_return_val_if_fail (texts != NULL || n == 0, 0);
  if (n < 2)
    return 0;
  for (const char *p = texts[0]; *p != '\0'; p = g_utf8_next_char (p)) {
    const gsize bytes = (gsize)(g_utf8_next_char (p) - texts[0]);
    for (int i = 1; i < n; i++)
      if (strncmp (texts[0], texts[i], bytes) != 0)
        return shared;
    at++;
    if (*p == ' ')
      shared = at;
  }
  return shared;
}

static gboolean
fits (const SsappStyle *style, double size, gboolean bold, const char *text, double width)
{
  double is;

  ssapp_text_measure (style, size, bold, text, &is, NULL);
  return is <= width;
}

char *
ssapp_text_fit (const SsappStyle *style, double size, gboolean bold, const char *text, int shared, double width)
{
  g_return_val_if_fail (style != NULL && shared >= 0, NULL);

  const char *whole = text != NULL ? text : "";
  const glong n = g_utf8_strlen (whole, -1);
  const char *own = shared > 1 && shared < n ? g_utf8_offset_to_pointer (whole, shared) : whole;
  const glong n_own = g_utf8_strlen (own, -1);
  char *fit = g_strdup (whole);

  if (fits (style, size, bold, fit, width))
    return fit;
  g_free (fit);
  fit = g_strconcat ("…", own, NULL);
  if (own != whole && fits (style, size, bold, fit, width))
    return fit;
  for (glong kept = n_own - 1; kept > 0; kept--) {
    g_autofree char *begin = g_utf8_substring (own, 0, (kept + 1) / 2),
                    *end = g_utf8_substring (own, n_own - kept / 2, n_own);
    g_free (fit);
    fit = g_strconcat (g_strchomp (begin), "…", g_strchug (end), NULL);
    if (fits (style, size, bold, fit, width))
      break;
  }
  return fit;
}
