/* engine/core/ss-event-kind.h: what happens at contacts and joints in a motion (simulate/ss-events.h finds it).
 * Threads   any. Tests: tests/numeric/test-events.c */
#pragma once

typedef enum {
  SS_EVENT_IMPACT,       /* an open contact closes; with its impulse */
  SS_EVENT_SEPARATION,   /* a closed contact opens                   */
  SS_EVENT_SLIP,         /* from stick to slip                       */
  SS_EVENT_STICK,        /* from slip to stick                       */
  SS_EVENT_REVERSAL,     /* slip in one direction, then the other    */
  SS_EVENT_LIMIT,        /* a joint reaches a limit                  */
  SS_EVENT_LIMIT_LEFT,   /* and leaves it                            */
  SS_EVENT_ACCUMULATION, /* impacts without end before it; the contact is closed from then on */
  /* no forces obey the law of contact where a closed contact slips, and an impulse ends the slip (Painleve) */
  SS_EVENT_WITHOUT_COLLISION,
  SS_EVENT_COUNT
} SsEventKind;

/* "impact", "separation", "slip", "stick", "slip-reversal", "limit", "limit-left", "accumulation",
 * "impact-without-collision" */
const char *ss_event_kind_name (SsEventKind kind);
