/* app/draw/ssapp-channel-stack-private.h: what a stack of plots is made of. */
#pragma once

#include "app/draw/ssapp-channel-stack.h"
#include "app/draw/ssapp-plot-private.h"

G_BEGIN_DECLS

typedef struct {
  char *label;   /* in the list beside the plot */
  char *channel; /* its name */
  int run;       /* whose look it has */
  gboolean is_before;
  SsMethodId method; /* name owned */
  SsappCurve curve;
  char *band_of;     /* number of the scene that the run's band is by; NULL: it has none */
  SsappCurve half;   /* how far its change moves the curve; empty: not known */
  SsappCurve stages; /* its points at rows of stages */
} SsappStackEntry;

typedef struct {
  char *title, *about;         /* "Velocity x"; "box, m/s" */
  char *heading;               /* both, where there is no room beside the plot */
  char *titled;                /* that, with the band; NULL: not needed yet */
  GArray *entries;             /* of SsappStackEntry */
  gboolean is_log, has_no_log; /* nothing in sight is positive */
  double y_min, y_max;
  /* since it was laid out */
  double y, height;
  SsappPlotSpec spec;
  SsappPlotFrame frame;
  SsappSeries *series; /* of the entries, what is in sight; NULL before */
  SsappCurve *parts;   /* their points */
  double **halves;     /* of their bands; NULL of those without one */
} SsappStackRow;

struct SsappChannelStack {
  GPtrArray *rows; /* of SsappStackRow */
  gboolean is_difference;
  SsappChannelLayout layout;
  gboolean has_room; /* beside the plots, for names of curves */
  char *axis;
  SsappPlotSpan *spans;
};

static inline SsappStackRow *
ssapp_stack_row_at (const SsappChannelStack *stack, int plot)
{
  return plot >= 0 && plot < (int)stack->rows->len ? g_ptr_array_index (stack->rows, plot) : NULL;
}

static inline const SsappStackEntry *
ssapp_stack_entry_at (const SsappStackRow *row, guint entry)
{
  return &g_array_index (row->entries, SsappStackEntry, entry);
}

G_END_DECLS
