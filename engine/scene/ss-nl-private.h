/* engine/scene/ss-nl-private.h: the table of AMPL's operators, and growing text, for the reader, the translation and
 * the writer of .nl files. */
#pragma once

#include "scene/ss-nl.h"

#include <stdarg.h>

enum { SS_NL_LIST = -1 };

typedef struct {
  int code;         /* AMPL's number */
  const char *name; /* as AMPL writes it */
  int arity;        /* SS_NL_LIST: their number follows */
  /* As a formula: $ and @ are the operands; of a list what joins them. NULL: it has no derivative, or no meaning here
   */
  const char *formula;
  SsOp op; /* that is written as this one; SS_OP_COUNT: none */
} SsNlOperator;

/* NULL: there is none of that number. */
const SsNlOperator *ss_nl_operator (int code);
/* The one that an operation is written as; NULL: none. */
const SsNlOperator *ss_nl_operator_of (SsOp op);

/* Whether a word is that one, which is in small letters, in any case. */
bool ss_nl_is_word (const char *word, const char *small);

/* A text that grows; what is added after memory ran out is lost, and is_broken says so. Zeroed: empty. */
typedef struct {
  char *text; /* terminated; NULL while empty */
  size_t length, capacity;
  bool is_broken;
} SsNlText;

void ss_nl_text_add (SsNlText *out, const char *text, size_t length);
void ss_nl_text_puts (SsNlText *out, const char *text);
void ss_nl_text_printf (SsNlText *out, const char *format, ...) __attribute__ ((format (printf, 2, 3)));
void ss_nl_text_number (SsNlText *out, double value); /* all digits, '.' */
void ss_nl_text_clear (SsNlText *text);
