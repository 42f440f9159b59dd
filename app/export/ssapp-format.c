/* app/export/ssapp-format.c: see the header. */
#include "app/export/ssapp-format.h"

#include "app/base/ssapp-ending.h"
#include "app/export/ssapp-export-private.h"

#include <string.h>

static const SsappFormat formats[] = {
    {".pdf", SSAPP_FORMAT_PICTURE, FALSE, ssapp_write_pdf},   {".svg", SSAPP_FORMAT_PICTURE, FALSE, ssapp_write_svg},
    {".png", SSAPP_FORMAT_PICTURE, TRUE, ssapp_write_png},    {".csv", SSAPP_FORMAT_NUMBERS, FALSE, ssapp_write_csv},
    {".json", SSAPP_FORMAT_NUMBERS, FALSE, ssapp_write_json}, {".tex", SSAPP_FORMAT_CURVES, FALSE, ssapp_write_pgf},
    {".webp", SSAPP_FORMAT_FILM, FALSE, ssapp_write_webp},    {".gif", SSAPP_FORMAT_FILM, FALSE, ssapp_write_gif},
    {".webm", SSAPP_FORMAT_FILM, FALSE, ssapp_write_video},   {".mp4", SSAPP_FORMAT_FILM, FALSE, ssapp_write_video},
    {".zip", SSAPP_FORMAT_FRAMES, FALSE, ssapp_write_zip},    {"/", SSAPP_FORMAT_FRAMES, FALSE, ssapp_write_folder},
};

const SsappFormat *
ssapp_formats (guint *n)
{
  *n = G_N_ELEMENTS (formats);
  return formats;
}

const SsappFormat *
ssapp_format_of_path (const char *path)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (ssapp_ending_is (path, formats[i].ending))
      return &formats[i];
  return NULL;
}

char *
ssapp_formats_list (guint kinds, const char *last)
{
  g_autoptr (GPtrArray) endings = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if ((formats[i].kind & kinds) != 0)
      g_ptr_array_add (endings, (gpointer)formats[i].ending);
  g_ptr_array_add (endings, NULL);
  return ssapp_endings_join ((const char *const *)endings->pdata, last);
}
