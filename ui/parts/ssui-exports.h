/* ui/parts/ssui-exports.h: what windows export, as menus, dialogs and actions call it: the plots that have a heading
 * (app/export/ssapp-plot-kind.h), and what windows make of one plot in several ways. Main thread. */
#pragma once

#include <gio/gio.h>

#include "app/export/ssapp-plot-kind.h"

G_BEGIN_DECLS

typedef struct {
  const char *kind;    /* as actions name it */
  const char *heading; /* of the dialog, after "Export" */
  const char *menu;    /* of the entry; NULL: as the heading */
  const char *stem;    /* of the name that is proposed */
  const char *file;    /* kind of file, ssapp-file-kind.h; the first of its endings is proposed */
  const SsappPlotKind *plot;
  gboolean is_painted; /* has a width */
  gboolean on_cards;   /* only the menus of cards offer it */
} SsuiExport;

/* The kind of pages that compute. */
#define SSUI_EXPORT_LIVE "live"
/* What stands behind the name of such a row: "…", and what to run where the engine of these pages was not built;
 * static. */
const char *ssui_export_live_tail (void);
/* `kind` may go on with a width: "figure:180"; NULL: there is none. */
const SsuiExport *ssui_export_find (const char *kind);
/* "figure, picture, film, ..."; g_free. */
char *ssui_exports_list (void);
/* Appends an entry for each to the menus: for what is painted, and for tables. They activate `action` with the kind. */
void ssui_exports_fill (GMenu *figures, GMenu *tables, const char *action, gboolean is_card);

G_END_DECLS
