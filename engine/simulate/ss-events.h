/* engine/simulate/ss-events.h: what happened in a simulation: impacts, separations, stick and slip, limits of joints.
 *
 * Integrators that know the times of events give them (simulate/ss-step.h); they are exact. For all others events are
 * read from a trajectory with the channels of a simulation (simulate/ss-simulate.h), so that those of a stored run are
 * found in the same way. An event's time is a row's: the end of the step in which it happened, so it is
 * late by at most a step. Nothing is found where the channels of the contacts are missing (scenes with more contacts
 * than SS_CONTACTS_WITH_CHANNELS_MAX, motions of models).
 *
 * Events of contacts are of their points, by corners (contact/ss-contact-corner.h), where the impulses of the points
 * are given; else of the pair as one point.
 *
 * A point is closed from the first step with a normal impulse on (impulses below 1e-9 of the step's largest are
 * rounding) and open again when a step without one ends with a gap of more than a millionth of the smaller body's
 * radius: what bounces lower than that, rests. At the first row it is closed when its gap is not larger than that. An
 * IMPACT is an open point that closes; its impulse is the sum over the steps until the bodies no longer approach there
 * and their parting grows no faster. Where another point of the contact is closed, a point that had no gap and did not
 * approach takes over a part of what rests or slides: that is no impact. A SEPARATION is dated to the last step with an
 * impulse.
 *
 * A closed point with friction slips or sticks. Slip is measured against the largest change of it that friction could
 * make in the step, mu p_n Gt M^-1 Gt', or the speed of the faster body there where that is less (a light body under a
 * heavy one could change much, were it free), but no less than a thousandth of that change: SLIP begins where it is
 * more than a thousandth of that (friction would need longer than a thousandth of the step to end it) and the
 * tangential impulse has at least 0.999 of its bound mu p_n; STICK where it is less than a ten-thousandth or the
 * impulse less than 0.99 of the bound. The first state after closing is no event. A REVERSAL is a slip that changes
 * its direction from one step to the next, or with one step between them that sticks: that is how a step meets a slip
 * that passes through zero.
 *
 * A LIMIT of a joint is reached where the room left is at most a millionth of its range (when the other side is free:
 * of 1 rad, of a rope's length, else of the largest of how far the bound is from 0 and the bodies' sizes), and left at
 * ten times that. Tests: tests/numeric/test-events.c */
#pragma once

#include "contact/ss-step-state.h"
#include "core/ss-event-kind.h"
#include "judge/ss-motion.h"
#include "scene/ss-interest.h"
#include "scene/ss-scenario.h"

typedef struct {
  double t;
  SsEventKind kind;
  int subject;    /* contact of the scene; LIMIT, LIMIT_LEFT: joint */
  int point;      /* of the contact, by its corner; -1: of the pair, or of a joint */
  bool is_upper;  /* LIMIT, LIMIT_LEFT: which of the two            */
  double impulse; /* IMPACT, WITHOUT_COLLISION: normal impulse of the point [N s]; else NaN */
  bool is_exact;  /* the integrator solved for t; false: a row's, late by at most a step */
  double tau;     /* exact ones, by the second clock [s]; NaN: there is none */
  /* Exact ones: what is left of the condition that t was solved for (ss_event_condition), in its unit; NaN: not
   * known. */
  double condition;
  bool is_following; /* t was solved for another contact, whose event changed this one too */
} SsEvent;

enum {
  SS_EVENTS_MAX = 1000
}; /* a Zeno sequence or a pile has no end of them: the first ones are kept, the others counted */

typedef struct {
  int n_items; /* by time, <= SS_EVENTS_MAX */
  SsEvent *items;
  int n_left_out;
} SsEventList;

/* The condition that an exact event of this kind is solved for, as what is 0 there: "gap", "normal force", "friction
 * bound less friction force", "sliding velocity"; and its unit. Static text. */
const char *ss_event_condition (SsEventKind kind);
const char *ss_event_condition_unit (SsEventKind kind);
/* Name of the contact or joint. */
const char *ss_event_subject_name (const SsScene *scene, const SsEvent *event);

/* An empty list with room for SS_EVENTS_MAX. On failure (SS_ERR_MEMORY) *out is NULL. */
SS_NODISCARD SsStatus ss_events_new (SsEventList **out, SsError *err);
/* Adds one behind the others: its index; -1: the list is full, and it is counted as left out. */
int ss_events_add (SsEventList *events, const SsEvent *event);
/* `points`: impulses of the points by rows of the trajectory, rows ascending; NULL or empty: not known. On failure
 * (SS_ERR_MEMORY) *out is NULL. */
SS_NODISCARD SsStatus ss_events_find (const SsScene *scene, const SsTrajectory *trajectory,
                                      const SsPointImpulses *points, SsEventList **out, SsError *err);
void ss_events_free (SsEventList *events); /* NULL is allowed */
/* As formulas are asked of them (scene/ss-interest.h), n_items; names are those of the scene. `events`: NULL is none.
 * ss_free. NULL: out of memory. */
SsInterestEvent *ss_events_to_interest (const SsEventList *events, const SsScene *scene);

/* The same, of one block of rows after another (judge/ss-motion.h), which has the contacts' impulses in a list where
 * they have no channels. `like` has the channels. On failure (SS_ERR_MEMORY) *out is NULL. */
typedef struct SsEventFinder SsEventFinder;
SS_NODISCARD SsStatus ss_event_finder_new (const SsScene *scene, const SsMotionBlock *like, SsEventFinder **out,
                                           SsError *err);
/* `points` by rows of the block's motion, ascending; they may go on behind these rows. NULL: not known. */
void ss_event_finder_rows (SsEventFinder *finder, const SsMotionBlock *rows, const SsPointImpulses *points);
/* The events, the caller's; then the finder is only freed. */
SsEventList *ss_event_finder_end (SsEventFinder *finder);
void ss_event_finder_free (SsEventFinder *finder); /* NULL is allowed */
