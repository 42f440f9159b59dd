/* app/session/ssapp-fit-unknowns.h: the numbers of a sketch that people look for in measured motions: parameters,
 * friction and restitution of the scene and of contacts, masses, gravity, and those of the measurement.
 *
 * Threads: any. Tests: tests/unit/test-fit-session.c */
#pragma once

#include "scene/ss-scenario.h"

#include <glib.h>

G_BEGIN_DECLS

/* A number that may be free. */
typedef struct {
  char *name;  /* as `fit --free` takes it */
  char *title; /* "Mass of disc" */
  char *value; /* as the sketch has it; "" of what is no number of it */
  gboolean is_free;
} SsappFitUnknown;

/* What a sketch has, none free; what its file gives by a formula is left out, the parameters behind it are there. Of
 * SsappFitUnknown, owned. */
GArray *ssapp_fit_unknowns_new (const SsScenario *scenario);
SsappFitUnknown *ssapp_fit_unknowns_find (GArray *unknowns, const char *name); /* NULL: there is none of that name */

G_END_DECLS
