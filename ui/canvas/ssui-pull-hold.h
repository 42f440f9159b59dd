/* ui/canvas/ssui-pull-hold.h: a pull (session/ssapp-pulling.h) that a widget of plots or marks has in its hand, and the
 * picture of any pull: the band, the wish, and what it is off by. Looked at in tests/ui/test_sketch.py. */
#pragma once

#include <gtk/gtk.h>

#include "app/session/ssapp-pulling.h"

G_BEGIN_DECLS

/* Zeroed: nothing is pulled. */
typedef struct {
  SsappPulling *pulling; /* owned; NULL: a drag does what it does else */
  gboolean is_on;        /* it is pulled from here */
  gboolean is_held;      /* a drag began as a pull, whatever became of it */
  double offset;         /* px between the pointer and what it took */
} SsuiPullHold;

/* The widget is drawn again whenever the pull changes. NULL: none is pulled from now on, one that is on is taken
 * back. */
void ssui_pull_hold_set (SsuiPullHold *self, GtkWidget *widget, SsappPulling *pulling);
/* FALSE: none was on. */
gboolean ssui_pull_hold_end (SsuiPullHold *self, gboolean keeps);

/* Where values of the pull stand [px]: of a body x and y, else the first alone. NaN: nowhere. */
typedef void (*SsuiPullPlace) (gpointer data, const double values[2], double *x, double *y);
void ssui_pull_draw (cairo_t *cr, const SsappStyle *style, SsappPulling *pulling, SsuiPullPlace place, gpointer data);

G_END_DECLS
