/* ui/parts/ssui-outcome-owners.h: who keeps outcomes, for the popover that edits them. */
#pragma once

#include "ui/parts/ssui-outcome-popover.h"

G_BEGIN_DECLS

extern const SsuiOutcomeOwner ssui_outcome_owner_study;    /* of an SsappStudySession: of all runs of its study */
extern const SsuiOutcomeOwner ssui_outcome_owner_compared; /* of an SsappCompared: of the runs that are compared */
extern const SsuiOutcomeOwner ssui_outcome_owner_document; /* of an SsappDocument: of every motion of the sketch */

G_END_DECLS
