/* engine/scene/ss-nl.h: problems in AMPL's format .nl, read and written.
 *
 *   minimise or maximise f(x)  subject to  l_i <= c_i(x) <= u_i,  l <= x <= u,  c_i(x) complements x_j       [1], [2]
 *
 * A body c_i and an objective are a sum of linear terms and an expression. A constraint that complements x_j between
 * its bounds that take part (its bits; the others are plain bounds) says
 *
 *   lower alone     0 <= x_j - l _|_ c_i >= 0
 *   upper alone     0 <= u - x_j _|_ -c_i >= 0
 *   both            c_i = p - n,  0 <= x_j - l _|_ p >= 0,  0 <= u - x_j _|_ n >= 0     (mixed complementarity)
 *   none            c_i = 0
 *
 * Read    ASCII (g) and binary (b) of either byte order; segments F L and operators without derivatives (floor, if,
 *         comparisons, ...), integer variables and functions of others are refused with line or byte. Suffixes and dual
 *         starts are read over. Memory is a multiple of the file's size, whatever its counts say.
 * Text    what was read becomes the text of a scenario with a model of one point: variables v1, v2, ... in the file's
 *         order, then p and n of mixed complementarity; parts that several formulas share, or that would make one long
 *         or deep, are definitions. So everything that takes a model takes the file.
 * Written of any model: a variable a time point and name, next(), k, t and parameters replaced by their meaning; in the
 *         order that the format asks for (nonlinear ones first). A pair whose side is no variable at its bound gets a
 *         variable and a row of its own.
 *
 * [1] D. M. Gay, Writing .nl Files, SAND2005-7907P. [2] D. M. Gay, Hooking Your Solver to AMPL, 1997.
 * Threads: any. Tests: tests/unit/test-nl.c, tests/fuzz/fuzz-nl.c, tests/cli/test-ampl.sh
 */
#pragma once

#include "scene/ss-scenario.h"

/* Part of an expression, operators before their operands. */
typedef struct {
  enum { SS_NL_NUMBER, SS_NL_VARIABLE, SS_NL_OPERATOR } kind;
  int n;        /* OPERATOR: its operands; VARIABLE: index, from n_variables on a common expression */
  int code;     /* OPERATOR: AMPL's number */
  double value; /* NUMBER */
} SsNlToken;

typedef struct {
  int variable;
  double coefficient;
} SsNlTerm;

/* Sum of the terms, and of the expression in tokens where there are any. */
typedef struct {
  int first_token, n_tokens, first_term, n_terms;
} SsNlSum;

typedef struct {
  SsNlSum body;
  double lower, upper;
  int complements; /* variable, -1: none */
  bool at_lower, at_upper;
} SsNlRow;

/* Of an objective that a file does not have: no terms, and 0. */
typedef struct {
  SsNlSum sum;
  bool is_maximised;
} SsNlObjective;

enum { SS_NL_OPTIONS_MAX = 9 };

typedef struct {
  int n_options, options[SS_NL_OPTIONS_MAX]; /* of the file's first line; a solution repeats them */
  bool has_tolerance;
  double tolerance; /* ampl_vbtol, repeated too */
  int n_variables, n_rows, n_objectives, n_commons;
  double *lower, *upper, *start; /* n_variables; start is 0 where the file has none */
  SsNlRow *rows;
  SsNlObjective *objectives;
  SsNlSum *commons;
  int n_defined, *defined; /* common expressions in the order of the file, in which one may read those before it */
  int n_tokens, n_terms;
  SsNlToken *tokens;
  SsNlTerm *terms;
} SsNl;

/* Reads bytes. `file` is used in messages only. On failure *out is NULL and one problem tells line (of binary files the
 * byte, in the message) and what was expected. SS_ERR_SYNTAX, SS_ERR_INVALID (what cannot be solved here),
 * SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_nl_read (const char *bytes, size_t length, const char *file, SsProblems *problems, SsNl **out);
void ss_nl_free (SsNl *nl); /* NULL is allowed */

/* The text of a scenario that minimises objective `objective` (from 0; of maximised ones the negative), named after the
 * file. *text is terminated and released with ss_free. */
SS_NODISCARD SsStatus ss_nl_to_scenario (const SsNl *nl, int objective, const char *file, char **text, size_t *length,
                                         SsError *err);

/* Whether a path's ending is that of these files, in any case. */
bool ss_nl_is_path (const char *path);
/* What the bytes of a file mean as a scenario's text: those of a .nl (first objective) become one, *text is new then
 * (ss_free); of others *text is NULL, they are a text already. Every reader of scenario files asks here. */
SS_NODISCARD SsStatus ss_nl_text_of_file (const char *path, const char *bytes, size_t length, SsProblems *problems,
                                          char **text, size_t *text_length);

/* A name for each variable and row of a file that was written, in its order: "x", of models with several points
 * "x[3]". */
typedef struct {
  int n_variables, n_rows;
  char **variables, **rows;
  /* n_variables: index in the model's vector, time point by time point; -1: a variable that stands for a pair's side */
  int *index;
} SsNlNames;
void ss_nl_names_clear (SsNlNames *names); /* zeroed is empty */

/* Writes the problem of a scenario with a model; the start is its guess. *bytes is released with ss_free, `names`
 * (nullable) with ss_nl_names_clear. SS_ERR_INVALID: a formula that the format does not have. */
SS_NODISCARD SsStatus ss_nl_write (const SsScenario *scenario, char **bytes, size_t *length, SsNlNames *names,
                                   SsError *err);
