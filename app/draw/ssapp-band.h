/* app/draw/ssapp-band.h: how far 1 % of a number of the scene moves what a motion shows, as bands around its curves: a
 * value and, to either side, its derivative by the number times the change. Pure functions of data.
 *
 * Slopes   the motion of role "slopes" beside a run's answer (SsSensitivity.slopes): t and d.<number>.<channel> at the
 *          ends of steps, between which a band is straight; it ends where there is no derivative from then on. States
 *          of bodies, gaps, energies and momentum have one, forces have none.
 * Tests: tests/unit/test-band.c */
#pragma once

#include "app/draw/ssapp-channels.h"
#include "scene/ss-number.h"

G_BEGIN_DECLS

#define SSAPP_BAND_PERCENT 1

/* What a number changes by: 1 % of it; of one that is 0, 1 % of the size of its body (of places, and a second of
 * speeds) or 0.01 of its unit. *words: "", or what that is: ", 1 % of its size"; static text, NULL: not wanted. */
double ssapp_band_change (const SsScenario *scenario, const SsNumber *number, const char **words);
/* Band of a motion of that scenario by a number, all borrowed; .of NULL where the slopes (NULL: none) have none by it,
 * or the scenario has no such number. */
SsappBand ssapp_band_of (const SsScenario *scenario, const SsTrajectory *slopes, const char *number);
/* How far 1 % more of the number moves the channel; FALSE and an empty curve where that is not known;
 * ssapp_curve_clear. */
gboolean ssapp_band_curve (const SsappBand *band, const char *channel, SsappCurve *out);
/* The numbers that slopes (NULL: none) are by; NULL-terminated, g_strfreev. */
char **ssapp_band_numbers (const SsTrajectory *slopes);

G_END_DECLS
