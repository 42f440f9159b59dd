/* app/impact/ssapp-impact-source.h: where a configuration at an impact comes from: a file of the reference form, the
 * scene that is drawn, or a run at a time; and the same with another friction or another direction of approach.
 * Threads: constant once made, but for parameters, which are found when they are first asked for, by one thread;
 * references from any thread. Tests: tests/unit/test-impact-set.c
 */
#pragma once

#include <gio/gio.h>

#include "app/job/ssapp-impact-input.h"

G_BEGIN_DECLS

typedef struct SsappImpactSource SsappImpactSource;

/* A file of the reference form (engine/scene/ss-impact-file.h); errors name file, line and path. */
SsappImpactSource *ssapp_impact_source_new_from_file (const char *path, GError **error);
/* The same from text; `name` is for messages and for a configuration without a name. */
SsappImpactSource *ssapp_impact_source_new_from_text (const char *text, const char *name, GError **error);
/* A scene at the last row not after time t of a motion with a simulation's channels; motion NULL: at its start. */
SsappImpactSource *ssapp_impact_source_new_from_scene (const char *scenario_text, const char *name,
                                                       const SsTrajectory *motion, double t, GError **error);
/* A configuration that is there already, taken; nothing turns its approach. */
SsappImpactSource *ssapp_impact_source_new_from_impact (SsImpact *impact, const char *name);
SsappImpactSource *ssapp_impact_source_ref (SsappImpactSource *self);
void ssapp_impact_source_unref (SsappImpactSource *self); /* NULL is allowed */

/* The configuration as it came; borrowed. */
const SsImpact *ssapp_impact_source_get_impact (const SsappImpactSource *self);
const char *ssapp_impact_source_get_name (const SsappImpactSource *self);
/* Time in the run [s]; NaN: a file or a scene's start. */
double ssapp_impact_source_get_time (const SsappImpactSource *self);
/* What the file says of the place of a contact ("bottom-left corner on the floor"), else the contact's name. */
const char *ssapp_impact_source_get_place (const SsappImpactSource *self, int contact);
/* Short names of the contacts: their own where all are short, else A, B, ...; m texts, borrowed. */
const char *const *ssapp_impact_source_get_labels (const SsappImpactSource *self);
/* Where the approach can be turned: pairs of coordinates x, y are known. */
gboolean ssapp_impact_source_has_directions (const SsappImpactSource *self);
/* The scene with its parameters, and its state as one row; NULL of a file. Borrowed. */
const SsScenario *ssapp_impact_source_get_scenario (const SsappImpactSource *self);
const SsTrajectory *ssapp_impact_source_get_state (const SsappImpactSource *self);
const char *ssapp_impact_source_get_scenario_text (const SsappImpactSource *self);

/* Positions and velocities of the scene's bodies, 3 n_bodies each, into q and v; FALSE: it is a file. */
gboolean ssapp_impact_source_read_state (const SsappImpactSource *self, double *q, double *v);
/* The scene's parameters that change the configuration, in the file's order; 0: a file, or none does. */
int ssapp_impact_source_get_n_parameters (SsappImpactSource *self);
/* Number k of them, with its value in this configuration; borrowed. */
const SsParameter *ssapp_impact_source_get_parameter (SsappImpactSource *self, int k);
/* What a slider of it goes over: ssapp_parameter_range. */
void ssapp_impact_source_get_range (SsappImpactSource *self, int k, double *low, double *high);
/* The same scene with another value of that parameter; those that are formulas of it follow, the others stay. NULL with
 * an error: the scene cannot be so, or nothing touches. */
SsappImpactSource *ssapp_impact_source_derive (SsappImpactSource *self, int k, double value, GError **error);
/* A copy whose contacts all have friction mu (NaN: their own) and whose velocities before the impact are turned by
 * `angle` [rad], counter-clockwise; ss_impact_free. NULL with an error. */
SsImpact *ssapp_impact_source_make (const SsappImpactSource *self, double mu, double angle, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SsappImpactSource, ssapp_impact_source_unref)

G_END_DECLS
