/* engine/plan/ss-lazy-contacts.h: which contacts a plan needs: a first guess by geometry alone, and what a motion shows
 * to be missing. Private to the room `plan`.
 *
 * Cost grows with the square of the variables at a point, and every contact that is not needed adds products in which a
 * force at a distance can hide.
 *
 * Threads: any, each with its own set. Tests: tests/numeric/test-race.c
 */
#pragma once

#include "core/ss-trajectory.h"
#include "scene/ss-scenario.h"

/* A gap above this is none [m]. */
#define SS_LAZY_TOUCHING 1e-3
/* A contact that overlaps by more at a point of a plan is missing [m]. */
#define SS_LAZY_OVERLAP 1e-6

/* Which contacts of the scene the plan knows. */
typedef struct {
  const SsScenario *scenario; /* borrowed */
  int n;                      /* of the plan's candidates, all of them */
  bool *has;                  /* n, owned */
  int n_has;
} SsLazyContacts;

/* The first set, of the plan's candidates: what touches at the start; what touches where bodies have their targets; for
 * every actuated body (through joints) its nearest body that none moves; and the nearest pairs until every body with a
 * target is linked to an actuated one. Where none of this gives one, of every moving body its nearest pair.
 * SS_ERR_MEMORY. Release with ss_lazy_contacts_clear. */
SS_NODISCARD SsStatus ss_lazy_contacts_new (const SsScenario *scenario, SsLazyContacts *out, SsError *err);
void ss_lazy_contacts_clear (SsLazyContacts *contacts);
/* Adds a contact of the scene; false: it was there, or is no candidate. */
bool ss_lazy_contacts_add (SsLazyContacts *contacts, int contact);
void ss_lazy_contacts_add_all (SsLazyContacts *contacts);
/* Adds what the motion, one with the channels of the bodies, shows to be missing: exact gaps below -SS_LAZY_OVERLAP at
 * its rows, below -`between` [m] at instants between them. Returns how many were added; -1: no memory. */
int ss_lazy_contacts_check (SsLazyContacts *contacts, const SsTrajectory *motion, double between);
/* Adds what touches at the motion's rows (gaps below SS_LAZY_TOUCHING); returns as above. */
int ss_lazy_contacts_touch (SsLazyContacts *contacts, const SsTrajectory *motion);
/* Where a contact's bodies are nearest at poses q[3 n_bodies]; phi infinite: nowhere. */
SsGap ss_lazy_nearest (const SsScene *scene, int contact, const double *q);
/* Smallest exact gap of a contact of the scene at poses q[3 n_bodies] [m]. */
double ss_lazy_gap (const SsScene *scene, int contact, const double *q);

/* The scenario with these candidates: as `scenario`, whose parts it borrows. */
typedef struct {
  SsScenario scenario;
  SsPlan plan;
  int *candidates; /* owned */
} SsLazyScenario;
/* Filled in; to be cleared after success. */
SS_NODISCARD SsStatus ss_lazy_scenario_new (const SsLazyContacts *contacts, SsLazyScenario *out, SsError *err);
/* Releases what it owns. */
void ss_lazy_scenario_clear (SsLazyScenario *lazy);
