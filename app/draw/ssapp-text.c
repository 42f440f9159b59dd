/* app/draw/ssapp-text.c: texts of pictures in lines. */
#include "app/draw/ssapp-draw-parts.h"

#include <math.h>

GStrv
ssapp_text_wrap (const SsappStyle *style, double size, gboolean bold, const char *text, double width, guint most)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  GPtrArray *lines = g_ptr_array_new ();

  for (guint i = 0; words[i] != NULL; i++) {
    char *last = lines->len > 0 ? g_ptr_array_index (lines, lines->len - 1) : NULL;
    g_autofree char *longer = last != NULL ? g_strconcat (last, " ", words[i], NULL) : NULL;
    double wide = INFINITY;

    if (longer != NULL)
      ssapp_text_measure (style, size, bold, longer, &wide, NULL);
    if (last == NULL || (wide > width && (most == 0 || lines->len < most))) {
      g_ptr_array_add (lines, g_strdup (words[i]));
      continue;
    }
    g_free (last);
    lines->pdata[lines->len - 1] = g_steal_pointer (&longer);
  }
  g_ptr_array_add (lines, NULL);
  return (GStrv)g_ptr_array_free (lines, FALSE);
}
