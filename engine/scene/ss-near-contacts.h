/* engine/scene/ss-near-contacts.h: which contacts of a scene have bodies that are near each other, without a look at
 * all of them: a thousand bodies have half a million pairs, of which a few thousand are near.
 *
 * Order     contacts come in the order of the scene, and depend on the boxes alone, not on what was asked before.
 * Memory    find allocates only when there are more pairs than ever before.
 * Threads   one thread at a time.
 * Tests     tests/numeric/test-near-contacts.c: against all contacts compared.
 */
#pragma once

#include "scene/ss-scenario.h"

typedef struct SsNearContacts SsNearContacts;

/* The scene is borrowed. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_near_contacts_new (const SsScene *scene, SsNearContacts **out, SsError *err);
void ss_near_contacts_free (SsNearContacts *near); /* NULL is allowed */

/* Contacts whose bodies' boxes overlap or touch. boxes[n_bodies]; one with a NaN overlaps nothing. *contacts is
 * borrowed until the next call. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_near_contacts_find (SsNearContacts *near, const SsBox *boxes, const int **contacts,
                                             int *n_contacts, SsError *err);
