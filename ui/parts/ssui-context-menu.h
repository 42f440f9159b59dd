/* ui/parts/ssui-context-menu.h: context menus: right click, long press, Menu key, Shift+F10. Their lines are the
 * window's commands: a row of a command names the groups it belongs to, and a menu is groups of what applies to a
 * thing. Main thread. Tests: tests/ui/test_edit.py, test_provenance.py, test_sensitivity.py */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What a command is offered for; bits of a row. A group is a section or a submenu. */
typedef enum {
  SSUI_MENU_SHEET = 1 << 0, /* where nothing is */
  SSUI_MENU_ADD = 1 << 1,
  SSUI_MENU_EDIT = 1 << 2, /* what is selected: one thing */
  SSUI_MENU_CLIPBOARD = 1 << 3,
  SSUI_MENU_JOIN = 1 << 4,
  SSUI_MENU_TURN = 1 << 5,
  SSUI_MENU_REPEAT = 1 << 6,
  SSUI_MENU_PLACE = 1 << 7, /* a body */
  SSUI_MENU_MOVABLE = 1 << 8,
  SSUI_MENU_FREE = 1 << 9,
  SSUI_MENU_FIXED = 1 << 10,
  SSUI_MENU_JOINT = 1 << 11,
  SSUI_MENU_CONTACT_ON = 1 << 12, /* target: (sb) path, on */
  SSUI_MENU_CONTACT_OFF = 1 << 13,
  SSUI_MENU_DELETE = 1 << 14,
  SSUI_MENU_SHOW_RUNS = 1 << 15, /* runs; target: their ids, with commas */
  SSUI_MENU_WORDS = 1 << 16,
  SSUI_MENU_RUN = 1 << 17, /* one */
  SSUI_MENU_RUNS = 1 << 18,
  SSUI_MENU_MOVES = 1 << 19, /* one with derivatives */
  SSUI_MENU_CHOOSE = 1 << 20,
  SSUI_MENU_DELETE_RUNS = 1 << 21,
  SSUI_MENU_EVENT = 1 << 22,   /* target: (sd) id of a run, time [s] */
  SSUI_MENU_ALIGN = 1 << 24,   /* several bodies */
  SSUI_MENU_PICTURE = 1 << 25, /* under the sheet */
  SSUI_MENU_SKETCH = 1 << 23,  /* of the project; target: its id */
} SsuiMenuGroup;

/* Appends the lines of a group for `target` (taken if floating; NULL: none) to a section or submenu. Once, at the
 * start, by who has the commands. */
typedef void (*SsuiMenuFill) (GMenu *lines, SsuiMenuGroup group, GVariant *target);
void ssui_context_menu_set_fill (SsuiMenuFill fill);

/* A section of a group, or with a label a submenu, "": lines of the menu itself. */
void ssui_context_menu_add (GMenu *menu, const char *label, SsuiMenuGroup group, GVariant *target);

/* The menu at a place of the widget, or by a key (then the place is that of the focus), new; NULL: none there. */
typedef GMenuModel *(*SsuiMenuAt) (GtkWidget *widget, double x, double y, gboolean by_key, gpointer data);
void ssui_context_menu_attach (GtkWidget *widget, SsuiMenuAt menu_at, gpointer data);
/* The same for a widget that sees clicks and keys itself. */
gboolean ssui_context_menu_popup (GtkWidget *widget, GMenuModel *menu, double x, double y);

G_END_DECLS
