/* app/export/ssapp-export-frames.c: a film as numbered PNG files, frame-0001.png and so on, for programs that cut
 * films: in a zip without compression (PNG has its own; APPNOTE 6.3, plain), or in a new folder, which is made
 * beside its place and renamed. */
#include "app/export/ssapp-export-private.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

/* The pictures are numbered so wide. */
enum { NUMBER_WIDTH = 4 };
/* 1980-01-01, the first day of zip: the same film gives the same file. */
enum { ZIP_DATE = 0x21, ZIP_VERSION = 20 };

static char *
frame_name (int frame)
{
  return g_strdup_printf ("frame-%0*d.png", NUMBER_WIDTH, frame + 1);
}

/* ---- zip --------------------------------------------------------------------------------------------------------- */

typedef struct {
  const SsappFilm *film;
  GByteArray *out, *directory; /* what is at the end of the file */
  int n;
} Zip;

/* The lowest byte first. */
static void
put (GByteArray *out, guint32 value, int n_bytes)
{
  for (int i = 0; i < n_bytes; i++) {
    const guint8 byte = (guint8)(value >> (8 * i));
    g_byte_array_append (out, &byte, 1);
  }
}

/* What stands before a file and in the directory alike: version, flags, method, time, date, sums and lengths. */
static void
put_about (GByteArray *out, guint32 crc, guint32 size, gsize name_length)
{
  put (out, ZIP_VERSION, 2);
  put (out, 0, 2); /* flags  */
  put (out, 0, 2); /* stored */
  put (out, 0, 2);
  put (out, ZIP_DATE, 2);
  put (out, crc, 4);
  put (out, size, 4);
  put (out, size, 4);
  put (out, (guint32)name_length, 2);
  put (out, 0, 2); /* nothing extra */
}

static gboolean
add_to_zip (cairo_surface_t *surface, int frame, gpointer data, GError **error)
{
  Zip *zip = data;
  g_autoptr (GByteArray) png = g_byte_array_new ();
  g_autofree char *name = frame_name (frame);
  const gsize length = strlen (name);
  const guint32 at = zip->out->len;

  if (ssapp_surface_to_png (surface, zip->film->dpi, png) != CAIRO_STATUS_SUCCESS)
    return ssapp_export_fail (zip->film->path, G_IO_ERROR_FAILED, "out of memory", error);
  if ((guint64)at + png->len > G_MAXINT32)
    return ssapp_export_fail (zip->film->path, G_IO_ERROR_FAILED,
                              "the pictures take more than 2 GB; lower their width or number", error);
  const guint32 crc = ssapp_crc32 (png->data, png->len);
  put (zip->out, 0x04034b50, 4);
  put_about (zip->out, crc, png->len, length);
  g_byte_array_append (zip->out, (const guint8 *)name, (guint)length);
  g_byte_array_append (zip->out, png->data, png->len);
  put (zip->directory, 0x02014b50, 4);
  put (zip->directory, ZIP_VERSION, 2);
  put_about (zip->directory, crc, png->len, length);
  put (zip->directory, 0, 2); /* comment  */
  put (zip->directory, 0, 2); /* disk     */
  put (zip->directory, 0, 2); /* no text  */
  put (zip->directory, 0, 4); /* rights   */
  put (zip->directory, at, 4);
  g_byte_array_append (zip->directory, (const guint8 *)name, (guint)length);
  zip->n++;
  return TRUE;
}

static gboolean
film_to_zip (const SsappFilm *film, GByteArray *out, GError **error)
{
  g_autoptr (GByteArray) directory = g_byte_array_new ();
  Zip zip = {film, out, directory, 0};

  if (!ssapp_film_walk (film, 1, add_to_zip, &zip, error))
    return FALSE;
  const guint32 at = out->len;
  g_byte_array_append (out, directory->data, directory->len);
  put (out, 0x06054b50, 4);
  put (out, 0, 4); /* disks */
  put (out, (guint32)zip.n, 2);
  put (out, (guint32)zip.n, 2);
  put (out, directory->len, 4);
  put (out, at, 4);
  put (out, 0, 2); /* comment */
  return TRUE;
}

gboolean
ssapp_write_zip (const SsappSheet *sheet, const char *path, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  SsappFilm film;

  return ssapp_film_init (&film, sheet, path, error) && film_to_zip (&film, bytes, error) &&
         ssapp_write_file (path, (const char *)bytes->data, bytes->len, error);
}

/* ---- folder ------------------------------------------------------------------------------------------------------ */

typedef struct {
  const SsappFilm *film;
  const char *folder;
} Folder;

static gboolean
add_to_folder (cairo_surface_t *surface, int frame, gpointer data, GError **error)
{
  const Folder *folder = data;
  g_autoptr (GByteArray) png = g_byte_array_new ();
  g_autofree char *name = frame_name (frame), *path = g_build_filename (folder->folder, name, NULL);

  if (ssapp_surface_to_png (surface, folder->film->dpi, png) != CAIRO_STATUS_SUCCESS)
    return ssapp_export_fail (folder->film->path, G_IO_ERROR_FAILED, "out of memory", error);
  return ssapp_write_file (path, (const char *)png->data, png->len, error);
}

/* With the pictures that are in it. */
static void
remove_folder (const char *folder, int n_frames)
{
  for (int i = 0; i < n_frames; i++) {
    g_autofree char *name = frame_name (i), *path = g_build_filename (folder, name, NULL);
    g_unlink (path);
  }
  g_rmdir (folder);
}

static gboolean
film_to_folder (const SsappFilm *film, GError **error)
{
  g_autofree char *place = g_strdup (film->path);

  while (strlen (place) > 1 && g_str_has_suffix (place, "/"))
    place[strlen (place) - 1] = '\0';
  if (g_file_test (place, G_FILE_TEST_EXISTS))
    return ssapp_export_fail (film->path, G_IO_ERROR_FAILED, "there is such a folder already: choose another name",
                              error);
  g_autofree char *part = g_strconcat (place, ".part-XXXXXX", NULL);
  if (g_mkdtemp_full (part, 0777) == NULL)
    return ssapp_set_file_error (error, film->path, "write", errno);
  Folder folder = {film, part};
  gboolean done = ssapp_film_walk (film, 1, add_to_folder, &folder, error);
  if (done && g_rename (part, place) != 0)
    done = ssapp_set_file_error (error, film->path, "write", errno);
  if (!done)
    remove_folder (part, film->n_frames);
  return done;
}

gboolean
ssapp_write_folder (const SsappSheet *sheet, const char *path, GError **error)
{
  SsappFilm film;

  return ssapp_film_init (&film, sheet, path, error) && film_to_folder (&film, error);
}
