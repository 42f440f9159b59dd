/* app/draw/ssapp-run-events.h: what happened in a simulation, as its result lists it: in words, as a table, as marks on
 * a timeline. (The events of a job that a worker sends are in ssapp-events.h.) */
#pragma once

#include <jansson.h>

#include "app/draw/ssapp-draw.h"
#include "simulate/ss-events.h"

G_BEGIN_DECLS

typedef struct {
  double t;
  double tau; /* by the second clock; NaN: there is none */
  SsEventKind kind;
  char *subject;  /* contact or joint              */
  int point;      /* of the contact, by its corner; -1: not known, or of a joint */
  char *limit;    /* "lower", "upper"; NULL if none */
  double impulse; /* [N s]; NaN                   */
  gboolean is_exact;
  double condition;      /* what is left of what an exact time was solved for (ss_event_condition); NaN: not known */
  gboolean is_following; /* it was not: another event at this instant changed this contact too */
} SsappRunEvent;

/* The list of a result: {"t", "kind", "contact", "point", "impulse"}, point null where it is not known. Those of joints
 * have contact null and "joint", "limit", no point; those whose time is exact have "exact": true, "condition": {"name",
 * "value", "unit"}, null where another event at this instant caused it, and "tau", by the second clock of the run,
 * where there is one. */
json_t *ssapp_run_events_to_json (const SsScene *scene, const SsEventList *events); /* events may be NULL */
/* Of SsappRunEvent, by time; empty when there are none. Unknown kinds are left out. */
GArray *ssapp_run_events_from_json (const json_t *result);
/* "0.4040 s: impact at floor-ball, point 0, 7.13 N s", an exact time with nine decimals; g_free. */
char *ssapp_run_event_describe (const SsappRunEvent *event);
/* "3 impacts, 2 separations", "none"; g_free. */
char *ssapp_run_events_summary (GArray *events);
/* t, kind, contact, point, joint, limit, impulse, and tau and condition where an event has one. */
gboolean ssapp_run_events_export_csv (GArray *events, const char *path, GError **error);

/* One track of a timeline: the events of a run, in the colour of its method. */
typedef struct {
  GArray *events;                 /* borrowed, may be NULL */
  SsMethodId method;              /* name borrowed */
  const char *label;              /* for the words, where there are several tracks; borrowed */
  const SsTrajectory *trajectory; /* its rows; borrowed, may be NULL */
} SsappEventTrack;
/* Marks between x (t = 0) and x + width (t = duration), tracks below each other from y on: a stroke for an impact,
 * longer for more impulse, a ring for a slip that begins, a dot for one that ends, a diamond for one that reverses, a
 * cross for an accumulation, a stroke from above for a separation whose time is exact, a half stroke for the others. At
 * the lower edge a faint tick for every row, where there is room for ticks. */
void ssapp_event_tracks_draw (cairo_t *cr, const SsappStyle *style, const SsappEventTrack *tracks, int n_tracks,
                              double duration, double x, double y, double width, double height);
/* What is within `reach` of the time, a line each, at most `most` and then how many more; with exact ones the condition
 * that was solved for. NULL if nothing; g_free. */
char *ssapp_event_tracks_describe (const SsappEventTrack *tracks, int n_tracks, double t, double reach, int most);

/* An instant of a timeline. At a jump (rows with equal t) there are two: the state before it and the one after it. */
typedef struct {
  double t;
  gboolean is_before;
} SsappInstant;
/* To the next row of any track (direction 1), or the one before (-1): both sides of a jump, once each. FALSE: there is
 * none, *instant is as it was. */
gboolean ssapp_event_tracks_step (const SsappEventTrack *tracks, int n_tracks, int direction, SsappInstant *instant);
/* "before the impact", "after 2 impacts", "after the jump" where no impact is listed there; NULL where nothing jumps;
 * g_free. */
char *ssapp_event_tracks_side (const SsappEventTrack *tracks, int n_tracks, const SsappInstant *instant);

G_END_DECLS
