/* ui/parts/ssui-run-row.h: a row of a table of runs, and the header above such rows; both lay out by the same cells.
 *
 * Texts are drawn by the row itself: a widget for each would be what a long list costs. To assistive technology a row
 * says all its cells in one name. */
#pragma once

#include <adwaita.h>

#include "run/ss-method.h"

G_BEGIN_DECLS

typedef enum {
  SSUI_RUN_CELL_CHECK,
  SSUI_RUN_CELL_METHOD, /* mark and name */
  SSUI_RUN_CELL_TEXT,
  SSUI_RUN_CELL_NUMBER, /* to the right */
  SSUI_RUN_CELL_OUTCOME /* a chip */
} SsuiRunCellKind;

typedef struct {
  SsuiRunCellKind kind;
  char *title;
  gboolean expands;
  int usual; /* width that its texts need [px]; those that expand may be narrower */
  int own;   /* width that the user gave it; 0: none */
  int x, width;
} SsuiRunCell;

/* Of SsuiRunCell with its clear function. */
GArray *ssui_run_cells_new (void);
/* Least width in which all have room, and places for a width. */
int ssui_run_cells_least_width (GArray *cells);

#define SSUI_TYPE_RUN_ROW (ssui_run_row_get_type ())
G_DECLARE_FINAL_TYPE (SsuiRunRow, ssui_run_row, SSUI, RUN_ROW, GtkWidget)

/* Signal "toggled" (): the user changed its tick. The cells are shared. */
GtkWidget *ssui_run_row_new (GArray *cells);
/* Another run; texts follow, a cell each. Texts are copied; `name` says all of it. */
void ssui_run_row_begin (SsuiRunRow *self, SsMethodId method, const char *outcome, const char *message);
/* The same of the head of a group: without a mark and a chip. */
void ssui_run_row_begin_group (SsuiRunRow *self, gboolean is_open);
void ssui_run_row_set_text (SsuiRunRow *self, guint cell, const char *text);
void ssui_run_row_end (SsuiRunRow *self, const char *name, const char *check_name, gboolean is_checked);
gboolean ssui_run_row_is_checked (SsuiRunRow *self);

#define SSUI_TYPE_RUN_HEADER (ssui_run_header_get_type ())
G_DECLARE_FINAL_TYPE (SsuiRunHeader, ssui_run_header, SSUI, RUN_HEADER, GtkWidget)

/* Signals: "pressed" (guint cell); "resized" (): the user gave a cell a width. */
GtkWidget *ssui_run_header_new (GArray *cells);
/* The cells are others; widths are measured then. */
void ssui_run_header_update (SsuiRunHeader *self);
/* -1: by none. */
void ssui_run_header_set_sort (SsuiRunHeader *self, int cell, gboolean is_descending);

G_END_DECLS
