/* ui/pages/ssui-page.h: all that the window knows of a page. Each page tells it at the end of its own file; the list of
 * pages is ui/window/ssui-window-pages.c. `widget`: the page's, of `get_type`, borrowed. Main thread only. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-session.h"
#include "ui/canvas/ssui-canvas.h"
#include "ui/canvas/ssui-channel-plots.h"
#include "ui/canvas/ssui-live-plots.h"
#include "ui/canvas/ssui-player.h"
#include "ui/canvas/ssui-plot-choice.h"
#include "ui/parts/ssui-keys.h"
#include "ui/parts/ssui-run-table.h"

G_BEGIN_DECLS

/* What commands of the window act on; borrowed, NULL: the page has none. */
typedef struct {
  SsuiCanvas *canvas;
  GtkWidget *sheet; /* around the canvas; has the keys of commands on what is selected */
  SsuiPlayer *player;
  SsuiPlotChoice *plot_choice; /* what its plot shows; pages have it and channel plots, or neither */
  SsuiChannelPlots *channel_plots;
  SsuiLivePlots *live_plots;
  GPtrArray *runs; /* of SsappRun: those on show, started or not */
  SsuiRunTable *table;
  GtkWidget *search; /* a GtkSearchEntry */
} SsuiPageParts;

/* On the page `command` of the window means `own`. */
typedef struct {
  const char *command, *own;
} SsuiPageCommand;

/* Functions may be NULL but for get_type. A page that has a signal "message" (const char *) tells the user by it. */
typedef struct {
  const char *name;                /* for scripts, and of its page of the help */
  const char *title, *icon;        /* of its tab */
  gboolean is_start;               /* before there is work: it has no tab, and the header is empty */
  const char *next;                /* id of its button in the header (ssui-window.ui); NULL: simulate or solve */
  const SsuiPageCommand *commands; /* ends with a NULL; NULL: none */
  const SsuiKey *keys;             /* of its widgets; NULL: none */
  GType (*get_type) (void);
  void (*set_session) (GtkWidget *widget, SsappSession *session); /* once */
  void (*add_actions) (GtkWidget *widget, GActionMap *map);       /* of its parts, to the window's; once, after that */
  void (*set_narrow) (GtkWidget *widget, gboolean is_narrow);     /* parts below each other */
  SsuiPageParts (*get_parts) (GtkWidget *widget);
  GtkPaned *(*get_pane) (GtkWidget *widget, const char *name); /* NULL: it has no border of that name */
  void (*describe) (GtkWidget *widget, SsappSessionPlace *place);
  /* Of what the page edits in place of the document; NULL: there is nothing to take back. */
  const char *(*get_undo_label) (GtkWidget *widget, gboolean redo);
} SsuiPage;

G_END_DECLS
