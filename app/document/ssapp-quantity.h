/* app/document/ssapp-quantity.h: numbers with units that a person types, without a document.
 * Tests: tests/unit/test-place.c, tests/unit/test-document.c */
#pragma once

#include <gio/gio.h>

#include "scene/ss-scenario.h"

G_BEGIN_DECLS

/* "12", "30deg", "5 cm" to SI; FALSE if it is not one number with a known unit. `unit` is what a bare number means ("":
 * SI). */
gboolean ssapp_parse_quantity (const char *text, const char *unit, double *value);
/* The value of a formula of the scenario's parameters ("5cm + 2*r", "0.45"); FALSE with an error for people. `unit` is
 * what one bare number means; in a formula bare numbers are SI. `scenario` NULL: no parameters. */
gboolean ssapp_evaluate_quantity (const SsScenario *scenario, const char *text, const char *unit, double *value,
                                  GError **error);

/* Whether a number with a unit fits a field whose unit is `unit`: "5 kg" is no length. TRUE of numbers without one, of
 * formulas, and where `unit` is none that is known. */
gboolean ssapp_check_unit (const char *text, const char *unit, GError **error);
/* What a slider of a parameter goes over: the file's range, each end that it leaves open at about twice the value to
 * both sides of 0, or to the side of its range. */
void ssapp_parameter_range (const SsParameter *parameter, double *low, double *high);
/* A length in three digits with a unit that suits it: "3.2 mm", "0.45 m". Caller frees. */
char *ssapp_length_text (double length);

G_END_DECLS
