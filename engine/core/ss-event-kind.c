/* engine/core/ss-event-kind.c: see the header. */
#include "core/ss-event-kind.h"

#include "core/ss-status.h"

const char *
ss_event_kind_name (SsEventKind kind)
{
  SS_ASSERT ((int)kind >= 0 && kind < SS_EVENT_COUNT);

  static const char *const names[SS_EVENT_COUNT] = {"impact",     "separation",    "slip",
                                                    "stick",      "slip-reversal", "limit",
                                                    "limit-left", "accumulation",  "impact-without-collision"};
  SS_ASSERT (kind >= 0 && kind < SS_EVENT_COUNT);
  return names[kind];
}
