/* app/study/ssapp-run-set.h: runs as figures and tables see them: by method, by problem, and by what differs.
 *
 * Two runs are of one problem when they differ in method and its options only. A set is made of the runs of a study, of
 * a comparison, or of any runs of a project, and not changed after that.
 * Threads: any, one at a time. Tests: tests/unit/test-run-set.c
 */
#pragma once

#include "app/store/ssapp-store-steps.h"

G_BEGIN_DECLS

/* Something in which runs of the set differ and that is no method: a parameter, a step, a seed, a guess. */
typedef struct {
  char *name;         /* "mu", "dt", "seed", "scenario" */
  char *title;        /* for people, with the unit where it is known: "Time step [s]" */
  gboolean is_number; /* else all values are texts; a number axis may have the text "default" */
  guint n_values;
  double *values; /* n_values, ascending, texts first; NaN where it is a text */
  char **texts;   /* n_values, as people read them; no two are the same */
} SsappRunAxis;

/* A method with its options; called by a label that tells it from the others of the set: "CRISP, relax 10". */
typedef struct {
  SsMethodId id; /* the name is borrowed from a row or a study */
  char *label;   /* no two of a set are the same */
  char *ignores; /* of its scenes: "ignores restitution of contacts", or ""; see ssapp-ignored.h */
  int look;      /* for ssapp_style_look, of the second and further of one method; -1: that of the method */
} SsappRunMethod;

typedef enum {
  SSAPP_RUN_QUEUED,
  SSAPP_RUN_RUNNING,
  SSAPP_RUN_SOLVED,   /* by our own metrics */
  SSAPP_RUN_UNSOLVED, /* ended otherwise */
  SSAPP_RUN_SLOW,     /* the machine was too slow: it says nothing of its method */
} SsappRunState;

typedef struct {
  SsappRunState state;
  const SsappRunRow *row; /* borrowed from the set; NULL while it is queued */
  guint method;           /* of methods */
  guint problem;          /* 0 .. n_problems - 1 */
  guint *places;          /* n_axes: which value of each axis */
} SsappRunItem;

typedef struct {
  GPtrArray *rows;    /* of SsappRunRow, owned */
  GPtrArray *axes;    /* of SsappRunAxis */
  GPtrArray *methods; /* of SsappRunMethod */
  GArray *items;      /* of SsappRunItem */
  guint n_problems;
  char **problems; /* n_problems: what tells a problem from the others, "μ 0.5, j 6"; "" for the only one */
  /* Items by problem: of problem p items_of[first_of[p]] to items_of[first_of[p + 1] - 1]. */
  guint *first_of, *items_of;
  char *lack; /* owned: which runs were asked in vain (ssapp_interests_ask_runs), a note; NULL: none */
} SsappRunSet;

/* Of any runs, with their metrics; takes `rows` (of SsappRunRow with its free function). Axes are what differs in
 * scenario, parameters, seed and start; what differs in options names methods. */
SsappRunSet *ssapp_run_set_new (GPtrArray *rows);
/* Time steps and horizons are axes too: `steps` is of ssapp_store_list_steps, borrowed for the call, or NULL. */
SsappRunSet *ssapp_run_set_new_with_steps (GPtrArray *rows, GHashTable *steps);
void ssapp_run_set_free (SsappRunSet *self); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SsappRunSet, ssapp_run_set_free)

/* A metric of an item; NaN where it is not known. */
double ssapp_run_set_get (const SsappRunSet *self, guint item, SsMetric metric);
/* An outcome that is 0 or 1 in every run that tells it, as an assertion is. */
gboolean ssapp_run_set_is_truth (const SsappRunSet *self, SsMetric metric);
/* What stands for the values of several runs: their median; of such an outcome their mean, the share in which it
 * holds. NaN: none is told. */
double ssapp_run_set_middle (const SsappRunSet *self, SsMetric metric, const double *values, guint n);
/* The best value of a metric among the solved runs of a problem, NaN without one; of methods that are not `hidden`
 * (of each method; NULL: none is). */
double ssapp_run_set_best (const SsappRunSet *self, guint problem, SsMetric metric, const gboolean *hidden);
/* What is said of a run that ended well: "solved", in a set of simulations "completed"; the second with a capital. */
const char *ssapp_run_set_done (const SsappRunSet *self);
const char *ssapp_run_set_done_title (const SsappRunSet *self);
/* What was asked of its runs (ssapp_metric_of_outcome), of SsMetric; g_array_unref. */
GArray *ssapp_run_set_list_outcomes (const SsappRunSet *self);
/* A metric by name, of the table or such an outcome; SS_METRIC_COUNT: none. */
SsMetric ssapp_run_set_find_metric (const SsappRunSet *self, const char *name);
/* By name; -1: none. */
int ssapp_run_set_find_axis (const SsappRunSet *self, const char *name);
/* What stands with figures and tables, a line each, of methods that are not `hidden` (of each method; NULL: none is):
 * `lack`; what a method ignores of its scenes; for how many runs the machine was too slow; where `tells_times`, whether
 * it was busy. NULL at the end; g_free. */
char *ssapp_run_set_note (const SsappRunSet *self, const gboolean *hidden, gboolean tells_times, guint line);
/* "CRISP, relax 10, μ 0.5, j 6": an item for tooltips and lists; g_free. */
char *ssapp_run_set_get_words (const SsappRunSet *self, guint item);
/* `names` (owned texts, one of each item): those that two items share become the words above; what is then still the
 * same gets the run's note, "CRISP, closed loop: kick"; and what is the same even then a number, "CRISP (2)". */
void ssapp_run_set_tell_apart (const SsappRunSet *self, char **names);

G_END_DECLS
