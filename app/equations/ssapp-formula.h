/* app/equations/ssapp-formula.h: formulas of the engine as text that people read, in Unicode and in LaTeX.
 * Threads: any. Tests: tests/unit/test-equations.c */
#pragma once

#include <glib.h>

#include "expr/ss-expr.h"

G_BEGIN_DECLS

/* How the input of a slot is written. */
typedef struct {
  char *text, *latex;
} SsappSymbol;
/* Array of SsappSymbol by slot; free with g_array_unref. */
GArray *ssapp_symbols_new (void);
/* Sets the symbol of a slot; takes both texts. */
void ssapp_symbols_set (GArray *symbols, int slot, char *text, char *latex);

typedef enum { SSAPP_FORMULA_TEXT, SSAPP_FORMULA_LATEX } SsappFormulaForm;
/* The expression; numbers have up to six digits. NULL: too long to be read (some thousand signs). g_free. */
char *ssapp_formula (const SsGraph *graph, SsExpr e, const GArray *symbols, SsappFormulaForm form);
/* A number likewise: "0.25", "−1e-05"; LaTeX "-10^{-5}". g_free. */
char *ssapp_formula_number (double value, SsappFormulaForm form);

/* "box.x", "theta", "l1" as LaTeX in math mode: "\mathit{x}_{\mathrm{box}}", "\theta", "l_{1}". g_free. */
char *ssapp_latex_name (const char *name);

G_END_DECLS
