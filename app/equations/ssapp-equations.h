/* app/equations/ssapp-equations.h: what a scenario means as equations, and what a method makes of them: coordinates,
 * mass matrix, gap functions, contact kinematics, joints, and the complementarity system that the method solves, with
 * the letters of its paper; of a model its variables, constraints, complementarities and objective as the file has
 * them.
 * As text in Unicode and as LaTeX, for the window and the command line.
 *
 * Gap functions are those of geometry/ss-gap-expr.h; what is printed evaluates to the engine's gap, but for numbers
 * with six digits.
 * Threads: any. Tests: tests/unit/test-equations.c */
#pragma once

#include <gio/gio.h>

#include "run/ss-method.h"
#include "scene/ss-scenario.h"

G_BEGIN_DECLS

/* Words, or a formula. */
typedef struct {
  char *words;        /* a sentence; NULL for a formula              */
  char *text, *latex; /* the formula, in math mode; NULL for words   */
} SsappEquation;

typedef struct {
  char *title;
  GPtrArray *items; /* of SsappEquation */
} SsappEquationSection;

typedef struct {
  char *title;         /* of the scenario */
  GPtrArray *sections; /* of SsappEquationSection */
} SsappEquations;

/* `method`: NULL for the usual one of the scenario, with the options that the scenario gives it. Free with
 * ssapp_equations_free. */
SsappEquations *ssapp_equations_new (const SsScenario *scenario, const SsMethod *method);
/* The same with options of the method, of "NAME=VALUE" (NULL: none), which come after the scenario's. NULL with an
 * error: an option that the method has not, or a value that it does not take. */
SsappEquations *ssapp_equations_new_with (const SsScenario *scenario, const SsMethod *method, GPtrArray *options,
                                          GError **error);
/* NULL is allowed. */
void ssapp_equations_free (SsappEquations *self);
/* All of it as plain text, formulas indented; g_free. */
char *ssapp_equations_to_text (const SsappEquations *self);
/* A whole document that LaTeX with amsmath compiles; g_free. */
char *ssapp_equations_to_latex (const SsappEquations *self);

/* The methods whose systems are written down with the letters of their papers, index 0, 1, ... (their table is in
 * app/equations/ssapp-equations-law.c); the name is NULL after the last. Of others the equations are what all of their
 * kind have, with their `summary` and `solves`. */
SsMethodId ssapp_equations_written (guint index);
/* The paper of a method, as `paper equations` names it: its index has every numbered equation, with its lines and
 * tests. NULL: none of the five. */
const char *ssapp_equations_paper (const SsMethod *method);

G_END_DECLS
