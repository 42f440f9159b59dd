/* app/export/ssapp-page-private.h: the parts of a page (private to the room): its frames and how the marks move in
 * them. */
#pragma once

#include "app/export/ssapp-pack.h"
#include "app/export/ssapp-page.h"

#include <jansson.h>

G_BEGIN_DECLS

/* The frames of a page: rows of the motion, with rows between them where they are far apart, or only some of them. */
typedef struct {
  const SsTrajectory *rows; /* of the run, or `own`          */
  SsTrajectory *own;        /* NULL where they are the run's */
  int stride;               /* every so many rows; 1: all    */
  gboolean is_refined;
} SsappPageFrames;

/* FALSE: out of memory. */
gboolean ssapp_page_frames_init (SsappPageFrames *frames, const SsTrajectory *motion, int stride);
void ssapp_page_frames_clear (SsappPageFrames *frames);

/* How exactly a page tells places [m], angles [rad] and times [s]: their steps. */
typedef struct {
  double place, angle, time;
} SsappPageSteps;
SsappPageSteps ssapp_page_steps (const double bounds[4]);

/* Columns of a page, one behind the other, and how they are read: a list of objects. */
typedef struct {
  json_t *about;
  GByteArray *bytes;
  GHashTable *known; /* columns that are there already, by their values */
} SsappPageColumns;
void ssapp_page_columns_init (SsappPageColumns *columns);
void ssapp_page_columns_clear (SsappPageColumns *columns);
/* A value that stays as a number, a column as a list of its index; a new reference. */
json_t *ssapp_page_columns_add (SsappPageColumns *columns, const double *values, gsize n, double step);
/* How a column is read, as JSON; a new reference. */
json_t *ssapp_packed_to_json (const SsappPacked *about);

/* The marks as a list of objects, with their columns; NULL: there is too much of it, or (with an error) it was
 * cancelled. */
json_t *ssapp_page_marks (SsView *view, const SsappPageFrames *frames, const SsappPageSteps *steps,
                          SsappPageColumns *columns, GCancellable *cancellable, GError **error);
/* Adds what a page that computes needs to `meta`, as "live"; *engine is the deflated engine as base64 (g_free). FALSE
 * with an error: there is no engine, or it cannot make such a run. What is told of a study is appended to `data`.
 * ssapp-page-live.c */
gboolean ssapp_page_live_add (const SsappPage *page, json_t *meta, GByteArray *data, char **engine, GError **error);
/* Both palettes, light and dark, with what the marks' colours are in them. */
json_t *ssapp_page_palettes (const json_t *marks);

G_END_DECLS
