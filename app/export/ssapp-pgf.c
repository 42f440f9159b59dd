/* app/export/ssapp-pgf.c: see the header. */
#include "app/export/ssapp-pgf.h"

#include "app/base/ssapp-latex.h"

#include <math.h>

void
ssapp_pgf_append_text (GString *tex, const char *text)
{
  g_autofree char *words = ssapp_latex_words (text);

  g_string_append (tex, words);
}

void
ssapp_pgf_append_number (GString *tex, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (tex, isfinite (value) ? g_ascii_formatd (text, sizeof text, "%.9g", value) : "nan");
}

/* Declares a mark with the strokes of a look about one of pgfplots' own; `turn` [degrees] is what the mark is turned by
 * as a whole, its strokes too. */
static void
declare_mark (GString *tex, guint number, const SsappMethodStyle *look, const char *own, int turn)
{
  g_string_append_printf (tex, "\\pgfdeclareplotmark{stickslip mark %u}{\\pgfuseplotmark{%s}", number, own);
  for (int k = 0; k < SSAPP_MARK_STROKES; k++)
    if ((look->strokes >> k & 1U) != 0)
      for (int end = 0; end < 2; end++) {
        g_string_append_printf (tex, "\\pgfpath%s{\\pgfpointpolar{", end == 0 ? "moveto" : "lineto");
        ssapp_pgf_append_number (tex, ssapp_stroke_angle (k) * 180 / G_PI - turn);
        g_string_append (tex, "}{");
        ssapp_pgf_append_number (tex, end == 0 ? 1 : SSAPP_STROKE_REACH);
        g_string_append (tex, "\\pgfplotmarksize}}");
      }
  g_string_append (tex, "\\pgfusepathqstroke}\n");
}

void
ssapp_pgf_declare_look (GString *tex, guint number, const SsappMethodStyle *look)
{
  g_return_if_fail (look != NULL);
  static const char *const marks[SSAPP_MARKER_COUNT][2] = {
      [SSAPP_MARKER_CIRCLE] = {"o", "*"},
      [SSAPP_MARKER_SQUARE] = {"square", "square*"},
      [SSAPP_MARKER_TRIANGLE] = {"triangle", "triangle*"},
      [SSAPP_MARKER_DIAMOND] = {"diamond", "diamond*"},
      [SSAPP_MARKER_DOWN] = {"triangle", "triangle*"},
      [SSAPP_MARKER_PLUS] = {"+", "+"},
      [SSAPP_MARKER_CROSS] = {"x", "x"},
      [SSAPP_MARKER_STAR] = {"asterisk", "asterisk"},
      [SSAPP_MARKER_LEFT] = {"triangle", "triangle*"},
      [SSAPP_MARKER_RIGHT] = {"triangle", "triangle*"},
  };
  static const int turns[SSAPP_MARKER_COUNT] = {
      [SSAPP_MARKER_DOWN] = 180, [SSAPP_MARKER_LEFT] = 90, [SSAPP_MARKER_RIGHT] = -90};

  g_string_append_printf (tex, "\\definecolor{stickslip%u}{rgb}{", number);
  ssapp_pgf_append_number (tex, look->color.r);
  g_string_append_c (tex, ',');
  ssapp_pgf_append_number (tex, look->color.g);
  g_string_append_c (tex, ',');
  ssapp_pgf_append_number (tex, look->color.b);
  g_string_append (tex, "}\n");
  if (look->strokes != 0)
    declare_mark (tex, number, look, marks[look->marker][look->filled], turns[look->marker]);
  g_string_append_printf (tex, "\\pgfplotsset{stickslip look %u/.style={color=stickslip%u, thick, mark=", number,
                          number);
  if (look->strokes != 0)
    g_string_append_printf (tex, "stickslip mark %u", number);
  else
    g_string_append (tex, marks[look->marker][look->filled]);
  if (turns[look->marker] != 0)
    g_string_append_printf (tex, ", mark options={solid, rotate=%d}", turns[look->marker]);
  else
    g_string_append (tex, ", mark options={solid}");
  for (int k = 0; k + 1 < look->n_dash; k += 2) {
    g_string_append (tex, k == 0 ? ", dash pattern=" : " ");
    g_string_append (tex, "on ");
    ssapp_pgf_append_number (tex, look->dash[k]);
    g_string_append (tex, "pt off ");
    ssapp_pgf_append_number (tex, look->dash[k + 1]);
    g_string_append (tex, "pt");
  }
  g_string_append (tex, "}}\n");
}
