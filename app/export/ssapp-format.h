/* app/export/ssapp-format.h: one table of the formats of pictures, films and curves: how their files end and what
 * writes them. A format is a line of the table and a function. Threads: any. */
#pragma once

#include "app/export/ssapp-export.h"

G_BEGIN_DECLS

/* What a format holds; a plot has some of these (SsappFileKind.formats). */
typedef enum {
  SSAPP_FORMAT_PICTURE = 1 << 0, /* whatever can be painted */
  SSAPP_FORMAT_NUMBERS = 1 << 1, /* the curves of a figure */
  SSAPP_FORMAT_CURVES = 1 << 2,  /* the same as a plot that another program draws */
  SSAPP_FORMAT_FILM = 1 << 3,    /* a motion that plays */
  SSAPP_FORMAT_FRAMES = 1 << 4   /* its pictures, one by one */
} SsappFormatKind;

typedef struct SsappFigure SsappFigure;

/* What is written; all borrowed. */
typedef struct {
  SsappPaint paint;
  gconstpointer data; /* of paint */
  const char *title;
  double width, height; /* pt */
  double dpi;
  SsappFigure *figure;               /* NULL: something else is painted, of which there are only pictures */
  const SsappFigureOptions *options; /* NULL without a figure */
} SsappSheet;

typedef struct {
  const char *ending; /* "/": a folder */
  SsappFormatKind kind;
  gboolean has_dots; /* its size in dots has limits */
  /* Makes the whole in memory first: a failure leaves what was there. */
  gboolean (*write) (const SsappSheet *sheet, const char *path, GError **error);
} SsappFormat;

/* All of them, in the order of lists; static. */
const SsappFormat *ssapp_formats (guint *n);
/* Of a path, by its ending; NULL: there is none. */
const SsappFormat *ssapp_format_of_path (const char *path);
/* ".webp and .gif" of the formats of that kind, with `last` (" and ") before the last; g_free. */
char *ssapp_formats_list (guint kinds, const char *last);

G_END_DECLS
