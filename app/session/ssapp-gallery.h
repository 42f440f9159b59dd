/* app/session/ssapp-gallery.h: the examples inside the program, by topic: words, scenario, a motion to show on the
 * card. No GTK.
 *
 * The files are resources under a prefix: "<prefix>/examples/<topic>/<name>.stickslip.json", all of examples/, and
 * where there is one "<prefix>/gallery/<name>.csv", a thinned motion made by data/gallery/make.py. Films of an example
 * lie beside it: "<name>-1.csv", "<name>-2.csv", ... (examples/README.md).
 * Threads: main thread only. Tests: tests/unit/test-gallery.c
 */
#pragma once

#include "app/session/ssapp-run.h"

G_BEGIN_DECLS

typedef struct {
  char *name;                         /* as in win.open-example: "push-box"                         */
  char *topic, *topic_title, *source; /* folder; "Contact-implicit planning"; "Li et al. 2025, CRISP" */
  char *title, *summary;              /* a few words each                                           */
  char *description;                  /* the scenario's own                                         */
  gboolean is_plan;                   /* for optimisers: equations, or a scene with goals; else a sketch */
  char *scenario, *motion;            /* resource paths; motion NULL if there is none               */
} SsappExample;

GPtrArray *ssapp_gallery_new (const char *prefix); /* of SsappExample, topics together, best first; never NULL */
/* By its name or "topic/file"; NULL if there is none. */
const SsappExample *ssapp_gallery_find (GPtrArray *gallery, const char *name);
/* Whether all words of `search` occur in title, summary, topic, source or name, whatever their case. */
gboolean ssapp_example_matches (const SsappExample *example, const char *search);
/* A few words for a card: the first clause of a description, without a "Fig. 10:" before it, cut at a word if it is too
 * long. Caller frees. */
char *ssapp_example_summarise (const char *description);
char *ssapp_example_load_text (const SsappExample *example, GError **error);
/* The example as a run that can be drawn: with its motion, else as it begins. */
SsappRun *ssapp_example_make_run (const SsappExample *example, GError **error);
/* A header of channel names, then rows of numbers; NULL if it is not that. For tests. */
SsTrajectory *ssapp_motion_from_csv (const char *text);

G_END_DECLS
