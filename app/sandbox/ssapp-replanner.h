/* app/sandbox/ssapp-replanner.h: the task of a live scene, planned again and again beside the simulation
 * (plan/ss-replan.h): a thread that plans, and one that looks for another way where the plans are stuck.
 *
 * Life     new -> ask and take, by whoever steps -> stop. Counted references: whoever steps and whoever shows hold one
 *          each; after stop, asking and taking do nothing.
 * Asking   a mailbox with one place: a state that comes while a plan is being made replaces the one that waits. A new
 *          plan acts as soon as it is there, in physical time: its rows are of the simulation's clock.
 * Goals    ssapp_replanner_set_goals, at any time, from another reading of the same sketch.
 * Threads  all functions from any thread, but new, stop and the last unref not from the two of its own.
 * Tests    tests/unit/test-replanner.c
 */
#pragma once

#include <glib.h>

#include "plan/ss-replan.h"

G_BEGIN_DECLS

typedef struct SsappReplanner SsappReplanner;

/* What the loop did once. */
typedef struct {
  double t;                 /* of the state that it planned from [s] */
  double seconds, deadline; /* wall; deadline 0: none [s] */
  double miss;              /* of the plan's end from the goals [m]; NaN: the task has no place to reach */
  gboolean is_first, is_late, is_kept, is_stuck;
} SsappReplanRecord;

typedef struct {
  guint64 n_plans, n_missed, n_kept;  /* without first ones */
  double median, percentile_99, last; /* of the newest SSAPP_REPLANNER_RECORDS [s]; NaN: none */
  double miss;                        /* of the newest plan's end [m] */
  gboolean is_looking;                /* the first plan, or that there is none, is not known yet */
  gboolean is_stuck, is_kept;
  char message[256]; /* of the newest plan, or why there is none */
} SsappReplanState;

/* Records are kept of this many plans. */
enum { SSAPP_REPLANNER_RECORDS = 400 };

/* NULL and `error`: the task cannot be planned again and again; says why. */
SsappReplanner *ssapp_replanner_new (const char *scenario_text, const SsOverride *overrides, int n_overrides,
                                     const SsReplanOptions *options, GError **error);
void ssapp_replanner_unref (SsappReplanner *self); /* stops it with the last one */
void ssapp_replanner_stop (SsappReplanner *self);  /* ends the threads, within one iteration */

double ssapp_replanner_get_period (SsappReplanner *self);                 /* from one plan to the next [s] */
void ssapp_replanner_set_deadline (SsappReplanner *self, double seconds); /* 0: none */
/* Targets as the scenario's plan has them; one of another number of targets changes nothing. */
void ssapp_replanner_set_goals (SsappReplanner *self, const SsScenario *scenario);

/* A state to plan from; at once where it is the next one to be due, else nothing happens. q, v: 3 n_bodies. */
void ssapp_replanner_ask (SsappReplanner *self, double t, const double *q, const double *v);
/* The controls that act now, as long as nobody takes newer ones; NULL: none yet. Borrowed until the next call; for one
 * thread, the stepping one. */
const SsControls *ssapp_replanner_take (SsappReplanner *self);

/* A copy of what the loop has done so far. */
void ssapp_replanner_get_state (SsappReplanner *self, SsappReplanState *state);
/* Copies the newest records, at most n, oldest first; returns their number. `version` changes with each record. */
int ssapp_replanner_get_records (SsappReplanner *self, SsappReplanRecord *records, int n, guint64 *version);

/* The records from t = `from` on as bars for a plot [s], [ms]: a line from 0 up for each, broken between them; those
 * that missed their deadline, or the others. x, y: 3 n; returns the number of points. */
int ssapp_replan_bars (const SsappReplanRecord *records, int n, double from, gboolean are_late, double *x, double *y);

G_END_DECLS
