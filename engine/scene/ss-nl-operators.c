/* engine/scene/ss-nl-operators.c: see ss-nl-private.h. Numbers and names of the operators: [1], tables 5 to 9. */
#include "scene/ss-nl-private.h"

#include <stdio.h>
#include <string.h>

/* Hyperbolic functions by exponentials and logarithms: their formulas are exact, and smooth where they are. */
static const SsNlOperator operators[] = {
    {0, "+", 2, "($ + @)", SS_OP_ADD},
    {1, "-", 2, "($ - @)", SS_OP_SUB},
    {2, "*", 2, "($*@)", SS_OP_MUL},
    {3, "/", 2, "($/@)", SS_OP_DIV},
    {4, "mod", 2, NULL, SS_OP_COUNT},
    {5, "^", 2, "($^@)", SS_OP_POW},
    {6, "less", 2, "max($ - @, 0)", SS_OP_COUNT},
    {11, "min", SS_NL_LIST, "min", SS_OP_MIN},
    {12, "max", SS_NL_LIST, "max", SS_OP_MAX},
    {13, "floor", 1, NULL, SS_OP_COUNT},
    {14, "ceil", 1, NULL, SS_OP_COUNT},
    {15, "abs", 1, "abs($)", SS_OP_ABS},
    {16, "unary -", 1, "(-$)", SS_OP_NEG},
    {20, "or", 2, NULL, SS_OP_COUNT},
    {21, "and", 2, NULL, SS_OP_COUNT},
    {22, "<", 2, NULL, SS_OP_COUNT},
    {23, "<=", 2, NULL, SS_OP_COUNT},
    {24, "=", 2, NULL, SS_OP_COUNT},
    {28, ">=", 2, NULL, SS_OP_COUNT},
    {29, ">", 2, NULL, SS_OP_COUNT},
    {30, "!=", 2, NULL, SS_OP_COUNT},
    {34, "not", 1, NULL, SS_OP_COUNT},
    {35, "if", 3, NULL, SS_OP_COUNT},
    {37, "tanh", 1, "(1 - 2/(exp(2*$) + 1))", SS_OP_COUNT},
    {38, "tan", 1, "tan($)", SS_OP_TAN},
    {39, "sqrt", 1, "sqrt($)", SS_OP_SQRT},
    {40, "sinh", 1, "((exp($) - exp(-$))/2)", SS_OP_COUNT},
    {41, "sin", 1, "sin($)", SS_OP_SIN},
    {42, "log10", 1, "(log($)/2.302585092994046)", SS_OP_COUNT},
    {43, "log", 1, "log($)", SS_OP_LOG},
    {44, "exp", 1, "exp($)", SS_OP_EXP},
    {45, "cosh", 1, "((exp($) + exp(-$))/2)", SS_OP_COUNT},
    {46, "cos", 1, "cos($)", SS_OP_COS},
    {47, "atanh", 1, "(log((1 + $)/(1 - $))/2)", SS_OP_COUNT},
    {48, "atan2", 2, "atan2($, @)", SS_OP_ATAN2},
    {49, "atan", 1, "atan($)", SS_OP_ATAN},
    {50, "asinh", 1, "log($ + sqrt($*$ + 1))", SS_OP_COUNT},
    {51, "asin", 1, "asin($)", SS_OP_ASIN},
    {52, "acosh", 1, "log($ + sqrt($*$ - 1))", SS_OP_COUNT},
    {53, "acos", 1, "acos($)", SS_OP_ACOS},
    {54, "sum", SS_NL_LIST, " + ", SS_OP_COUNT},
    {55, "div", 2, NULL, SS_OP_COUNT},
    {56, "precision", 2, NULL, SS_OP_COUNT},
    {57, "round", 2, NULL, SS_OP_COUNT},
    {58, "trunc", 2, NULL, SS_OP_COUNT},
    {59, "count", SS_NL_LIST, NULL, SS_OP_COUNT},
    {60, "numberof", SS_NL_LIST, NULL, SS_OP_COUNT},
    {61, "numberof", SS_NL_LIST, NULL, SS_OP_COUNT},
    {62, "atleast", 2, NULL, SS_OP_COUNT},
    {63, "atmost", 2, NULL, SS_OP_COUNT},
    {64, "piecewise-linear", SS_NL_LIST, NULL, SS_OP_COUNT},
    {65, "symbolic if", 3, NULL, SS_OP_COUNT},
    {66, "exactly", 2, NULL, SS_OP_COUNT},
    {70, "forall", SS_NL_LIST, NULL, SS_OP_COUNT},
    {71, "exists", SS_NL_LIST, NULL, SS_OP_COUNT},
    {72, "==>", 3, NULL, SS_OP_COUNT},
    {73, "<==>", 2, NULL, SS_OP_COUNT},
    {74, "alldiff", SS_NL_LIST, NULL, SS_OP_COUNT},
    {76, "^ constant", 2, "($^@)", SS_OP_COUNT},
    {77, "^2", 1, "($^2)", SS_OP_COUNT},
    {78, "constant ^", 2, "($^@)", SS_OP_COUNT},
};

const SsNlOperator *
ss_nl_operator (int code)
{
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (operators[i].code == code)
      return &operators[i];
  return NULL;
}

const SsNlOperator *
ss_nl_operator_of (SsOp op)
{
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (operators[i].op == op && op != SS_OP_COUNT)
      return &operators[i];
  return NULL;
}

bool
ss_nl_is_word (const char *word, const char *small)
{
  for (; *word != '\0' && *small != '\0'; word++, small++)
    if ((*word >= 'A' && *word <= 'Z' ? *word - 'A' + 'a' : *word) != *small)
      return false;
  return *word == *small;
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

void
ss_nl_text_add (SsNlText *out, const char *text, size_t length)
{
  SS_ASSERT (out != NULL);
  if (out->is_broken)
    return;
  if (out->length + length + 1 > out->capacity) {
    const size_t capacity = 2 * (out->length + length) + 32;
    char *grown = ss_alloc (capacity, 1);
    if (grown == NULL) {
      out->is_broken = true;
      return;
    }
    if (out->length > 0)
      memcpy (grown, out->text, out->length);
    ss_free (out->text);
    out->text = grown;
    out->capacity = capacity;
  }
  if (length > 0) /* a text that lacked memory is none */
    memcpy (out->text + out->length, text, length);
  out->length += length;
  out->text[out->length] = '\0';
}

void
ss_nl_text_puts (SsNlText *out, const char *text)
{
  ss_nl_text_add (out, text, strlen (text));
}

void
ss_nl_text_printf (SsNlText *out, const char *format, ...)
{
  char line[512];
  va_list args;

  va_start (args, format);
  const int n = vsnprintf (line, sizeof line, format, args);
  va_end (args);
  SS_ASSERT (n >= 0 && (size_t)n < sizeof line);
  ss_nl_text_add (out, line, (size_t)n);
}

void
ss_nl_text_number (SsNlText *out, double value)
{
  char number[32];

  ss_format_double (value, number, sizeof number);
  ss_nl_text_puts (out, number);
}

void
ss_nl_text_clear (SsNlText *text)
{
  SS_ASSERT (text != NULL);
  ss_free (text->text);
  *text = (SsNlText){0};
}
