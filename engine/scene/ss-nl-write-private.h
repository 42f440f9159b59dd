/* engine/scene/ss-nl-write-private.h: what the two files of the writer share: ss-nl-rows.c makes sums and rows of a
 * model's formulas, ss-nl-write.c orders and writes them. */
#pragma once

#include "scene/ss-nl-private.h"

/* SsNlPart of a sum: coefficient times a node; the node SS_EXPR_NONE: the number itself. */
typedef struct {
  SsExpr node;
  double coefficient;
} SsNlPart;

/* A sum as it is written. */
typedef struct {
  int first, n; /* nonlinear parts, of SsNlWriter.parts */
  int first_term, n_terms;
  double constant;
} SsNlParts;

typedef struct {
  SsNlParts sum;
  enum { SS_NL_ZERO, SS_NL_NONNEGATIVE, SS_NL_PAIR } kind;
  int complements; /* PAIR: variable */
  bool at_upper;
  char name[192];
} SsNlWrittenRow;

typedef struct {
  const SsScenario *scenario;
  const SsModel *model;
  SsGraph *graph;
  SsExpr *map; /* model slots at the time point that is copied */
  int n_variables, n_capacity;
  double *lower, *upper, *start;
  bool *is_paired; /* complements a row already */
  int n_stands, stand_capacity;
  SsExpr *stands; /* of variables beyond the model's: the sides that they stand for */
  SsNlPart *parts;
  int n_parts, parts_capacity;
  SsNlTerm *terms;
  int n_terms, term_capacity;
  SsNlWrittenRow *rows;
  int n_rows, row_capacity;
  SsNlParts objective;
  SsNlPart *open; /* of the sum that is split */
  int n_open, open_capacity;
  double *at; /* coefficients by variable, of the sum that is split */
  bool *is_at;
  int *order, *place;       /* variables in the file, and where each is there */
  int *row_order;           /* rows in the file */
  int *uses, *common_place; /* by node */
  int n_commons;
  bool *in_rows, *in_objective; /* by node: it is a nonlinear part there, or below one */
  SsError *err;
  SsStatus status;
} SsNlWriter;

/* FALSE, with an error of no memory where there is none yet. */
bool ss_nl_broken (SsNlWriter *w);
/* Puts a part among those that are taken apart, or a node among those that are written. */
bool ss_nl_open_part (SsNlWriter *w, SsExpr node, double coefficient);
/* Bounds, rows, and the objective, of all time points; of a writer with room for its variables. */
bool ss_nl_make_rows (SsNlWriter *w);
