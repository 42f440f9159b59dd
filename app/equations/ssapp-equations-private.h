/* app/equations/ssapp-equations-private.h: how the parts of the equations are put together. Not for others. */
#pragma once

#include "app/equations/ssapp-equations.h"
#include "app/equations/ssapp-formula.h"

G_BEGIN_DECLS

/* Another section of it, borrowed. */
SsappEquationSection *ssapp_equations_begin (SsappEquations *self, const char *title);
/* A sentence, printf-like. */
void ssapp_equations_say (SsappEquationSection *section, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* A formula in both forms; takes them. */
void ssapp_equations_put (SsappEquationSection *section, char *text, char *latex);
/* A formula in both forms, copied. */
void ssapp_equations_put_copy (SsappEquationSection *section, const char *text, const char *latex);
/* "left = e": `relation` such as " = " and " \\ge ", in both forms. Where `e` is too long to be read, that is said. */
void ssapp_equations_put_expr (SsappEquationSection *section, const SsGraph *graph, SsExpr e, const GArray *symbols,
                               const char *left_text, const char *left_latex);

/* The parts. */
void ssapp_equations_write_scene (SsappEquations *self, const SsScenario *scenario);
void ssapp_equations_write_model (SsappEquations *self, const SsScenario *scenario);
void ssapp_equations_write_law (SsappEquations *self, const SsScenario *scenario, const SsMethod *method);

G_END_DECLS
