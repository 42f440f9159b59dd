/* app/draw/ssapp-run-events.h: what happened in a simulation, as its result lists it: in words, as a table, as marks on
 * a timeline. (The events of a job that a worker sends are in ssapp-events.h.) */
#pragma once

#include <jansson.h>

#include "app/base/ssapp-record.h"
#include "app/draw/ssapp-draw.h"
#include "simulate/ss-events.h"

G_BEGIN_DECLS

typedef struct {
  double t;
  double tau; /* by the second clock; NaN: there is none */
  SsEventKind kind;
  const char *contact, *joint; /* one of them; NULL: of the other */
  int point;                   /* of the contact, by its corner; -1: not known, or of a joint */
  const char *limit;           /* "lower", "upper"; NULL if none */
  double impulse;              /* [N s]; NaN */
  bool is_exact;
  double condition;      /* what is left of what an exact time was solved for (ss_event_condition); NaN: not known */
  gboolean is_following; /* it was not: another event at this instant changed this contact too */
  int direction;         /* of a slip along x (y where it is upright): 1, -1; 0: not known      */
} SsappRunEvent;

/* Of SsappRunEvent: what a result's list has of it, but the condition. */
extern const SsappRecord ssapp_event_condition_record; /* what an exact time was solved for */
extern const SsappRecord ssapp_run_event_record;

/* Name of its contact or joint; "": it has none. */
const char *ssapp_run_event_subject (const SsappRunEvent *event);
/* The list of a result: {"t", "kind", "contact", "point", "impulse"}, point null where it is not known. Those of joints
 * have contact null and "joint", "limit", no point; those whose time is exact have "exact": true, "condition": {"name",
 * "value", "unit"}, null where another event at this instant caused it, and "tau", by the second clock of the run,
 * where there is one. */
json_t *ssapp_run_events_to_json (const SsScene *scene, const SsEventList *events); /* events may be NULL */
/* Of SsappRunEvent, by time; empty when there are none. Unknown kinds are left out. */
GArray *ssapp_run_events_from_json (const json_t *result);
/* Such a list as one of the engine, at contacts and joints of the scene by their names; those of others are left out.
 * On failure (SS_ERR_MEMORY) *out is NULL. */
SS_NODISCARD SsStatus ssapp_run_events_to_list (const json_t *list, const SsScene *scene, SsEventList **out,
                                                SsError *err);
/* "0.4040 s: impact at floor-ball, point 0, 7.13 N s", an exact time with nine decimals; g_free. */
char *ssapp_run_event_describe (const SsappRunEvent *event);
/* "3 impacts, 2 separations", "none"; g_free. */
char *ssapp_run_events_summary (GArray *events);

/* The event that is nearest to that time, and how many of its kind and subject there are up to it, itself included.
 * Borrowed; NULL: none is within reach [s]. events may be NULL. */
const SsappRunEvent *ssapp_run_events_find_near (GArray *events, double t, double reach, int *number);

/* One track of a timeline: the events of a run, in the colour of its method. */
typedef struct {
  GArray *events;                 /* borrowed, may be NULL */
  SsMethodId method;              /* name borrowed */
  const char *label;              /* for the words, where there are several tracks; borrowed */
  const SsTrajectory *trajectory; /* its rows; borrowed, may be NULL */
} SsappEventTrack;
/* Directions of slips, from the friction forces of the motion that the events are of. */
void ssapp_run_events_find_directions (GArray *events, const SsTrajectory *trajectory);
/* The mark of a kind, by its shape and its colour: an impact is a diamond, a separation a ring, a slip a triangle that
 * points where it goes (`direction`; 0: to the right), a stick a square, a reversal two triangles, a limit an upright
 * bar, thin when it is left, an accumulation a cross, an impact without a collision a hollow diamond. */
void ssapp_event_mark_draw (cairo_t *cr, const SsappStyle *style, SsEventKind kind, int direction, double x, double y,
                            double radius);
/* "Impact", "Separates", "Slips", "Sticks", "Slips back", "Limit", "Leaves limit", "Accumulates", "No collision": what
 * the contact or joint does. Static text. */
const char *ssapp_event_kind_title (SsEventKind kind);
/* Marks of the kinds that are there with their words, in a row from x on; kinds for which there is no room are left
 * out. Returns the width that all of them need. */
double ssapp_event_legend_draw (cairo_t *cr, const SsappStyle *style, const SsappEventTrack *tracks, int n_tracks,
                                double x, double y, double width, double height);
/* Marks between x (t = 0) and x + width (t = duration), tracks below each other from y on, each with the mark of its
 * method before its begin where there are several. At the lower edge a faint tick for every row, where there is room
 * for ticks. */
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
/* To the next row of any track (direction 1), or the one before (-1): both sides of a jump, once each; rows of stages
 * (core/ss-stage-rows.h) where they are wanted. FALSE: there is none, *instant is as it was. */
gboolean ssapp_event_tracks_step (const SsappEventTrack *tracks, int n_tracks, int direction, gboolean with_stages,
                                  SsappInstant *instant);
gboolean ssapp_event_tracks_have_stages (const SsappEventTrack *tracks, int n_tracks);
/* To the next instant at which something happens in any track (direction 1), or the one before (-1). FALSE: there is
 * none. */
gboolean ssapp_event_tracks_next (const SsappEventTrack *tracks, int n_tracks, int direction, double *t);
/* "before the impact", "after 2 impacts", "after the jump" where no impact is listed there. Before it "step 12, element
 * 1 of 2, stage 2 of 3" at a row of the first track that has rows of stages. NULL: neither; g_free. */
char *ssapp_event_tracks_place (const SsappEventTrack *tracks, int n_tracks, const SsappInstant *instant);

G_END_DECLS
