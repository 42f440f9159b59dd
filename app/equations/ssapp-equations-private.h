/* app/equations/ssapp-equations-private.h: how the parts of the equations are put together. Not for others. */
#pragma once

#include "app/equations/ssapp-equations.h"
#include "app/equations/ssapp-formula.h"
#include "transcribe/ss-transcriptions.h"

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

/* ---- options of the method --------------------------------------------------------------------------------------- */

typedef struct SsappEquationsOptions SsappEquationsOptions;

/* Defaults, the scenario's, then `asked` (of "NAME=VALUE"; NULL: none), with what a preset makes of the others. NULL
 * with an error: an option that the method has not, or a value that it does not take. Borrows the method. */
SsappEquationsOptions *ssapp_equations_options_new (const SsScenario *scenario, const SsMethod *method,
                                                    GPtrArray *asked, GError **error);
void ssapp_equations_options_free (SsappEquationsOptions *self); /* NULL is allowed */
/* Whether all of "name=value,name!=value" holds of the method's own options; NULL holds. Values as
 * ss_options_format writes them. */
gboolean ssapp_equations_options_hold (const SsappEquationsOptions *self, const char *condition);
/* What makes rows of a plan; borrows from it. */
SsTranscribeOptions ssapp_equations_options_transcription (const SsappEquationsOptions *self);
/* What was asked for, of "NAME=VALUE"; borrowed. */
GPtrArray *ssapp_equations_options_asked (const SsappEquationsOptions *self);

/* The parts. */
void ssapp_equations_write_scene (SsappEquations *self, const SsScenario *scenario);
void ssapp_equations_write_model (SsappEquations *self, const SsScenario *scenario);
void ssapp_equations_write_law (SsappEquations *self, const SsScenario *scenario, const SsMethod *method,
                                const SsappEquationsOptions *options);

G_END_DECLS
