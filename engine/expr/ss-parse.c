/* engine/expr/ss-parse.c: formulas from text.
 *
 * Recursive descent by precedence, lowest first:
 *
 *   or | and | not (prefix) | < <= > >= == != (do not chain) | + - | * / | unary + - | ^ (right associative)
 *
 * An exponent may carry a sign (x^-2). A number with a unit behind it (20deg, 5 cm; expr/ss-unit.h) is read in SI and
 * radians; elsewhere the unit's name is a name like others. Parentheses, signs, powers and `not` pass enter_level, and
 * between two of these the recursion is only as deep as there are levels above, so the stack is bounded whatever the
 * text is; chains such as a+b+c+... are loops. The term of a sum is read again for each value of its index. Numbers go
 * through ss_parse_double on a bounded copy and do not depend on the locale. */
#include "expr/ss-expr-private.h"
#include "expr/ss-unit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
  SS_FORMULA_MAX_DEPTH = 200,
  SS_FORMULA_MAX_LENGTH = 65536,
  SS_NUMBER_MAX_LENGTH = 64, /* a double needs 24 characters at most */
  SS_NAME_SHOWN = 40,        /* characters of a name or symbol quoted in a message */
  SS_NAME_INDEXED = 128,     /* characters that count of a name with indices: declared ones are shorter */
  SS_INDEX_MAX = 1000000000,
  SS_SUM_DEPTH_MAX = 8, /* sums within sums */
  SS_SUM_TERMS_MAX = 1000000,
  SS_SUM_BYTES_MAX = 64 << 20,
};

typedef enum { TOKEN_END, TOKEN_NUMBER, TOKEN_NAME, TOKEN_SYMBOL } TokenKind;

typedef struct {
  TokenKind kind;
  const char *start;
  int length;
  double value;       /* of a NUMBER, in SI    */
  const SsUnit *unit; /* of a NUMBER; NULL */
} Token;

typedef struct {
  SsGraph *graph;
  const char *text;
  const char *cursor; /* behind the token */
  Token token;
  bool is_behind_number; /* the token before this one is a number without a unit */
  bool is_number;        /* the operand just read is one, and nothing else         */
  int depth;
  bool is_constant; /* within indices or the limits of a sum */
  struct {
    Token name;
    int value;
  } indices[SS_SUM_DEPTH_MAX]; /* of the sums around */
  int n_indices;
  SsResolveFunc resolve;
  void *user_data;
  SsError *err;
} Parser;

static SsStatus parse_operation (Parser *p, Level lowest, SsExpr *out);
static SsStatus parse_signed (Parser *p, SsExpr *out);

/* Fills the error with the position of `at`; returns the status. */
static SsStatus fail_at (Parser *p, SsStatus status, const char *at, const char *expected, const char *format, ...)
    SS_PRINTF (5, 6);

static SsStatus
fail_at (Parser *p, SsStatus status, const char *at, const char *expected, const char *format, ...)
{
  char message[sizeof p->err->message];
  va_list args;

  va_start (args, format);
  vsnprintf (message, sizeof message, format, args);
  va_end (args);
  ss_error_set (p->err, status, "%s", message);
  if (p->err != NULL) {
    p->err->column = (int)(at - p->text) + 1;
    snprintf (p->err->expected, sizeof p->err->expected, "%s", expected);
  }
  return status;
}

/* ---- tokens ------------------------------------------------------------------------------------------------------ */

/* ASCII only: ctype.h depends on the locale. */
static bool
is_digit (char c)
{
  return c >= '0' && c <= '9';
}

static bool
is_blank (char c)
{
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool
is_name_start (char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool
is_name_part (char c)
{
  return is_name_start (c) || is_digit (c) || c == '.';
}

/* Bytes of the UTF-8 character at `s` (1 if it is none), so that messages quote it whole. */
static int
character_length (const char *s)
{
  unsigned char c = (unsigned char)s[0];
  int n = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;

  for (int i = 1; i < n; i++)
    if (((unsigned char)s[i] & 0xc0) != 0x80)
      return 1;
  return n;
}

static bool
token_is (const Token *token, const char *text)
{
  return token->kind != TOKEN_NUMBER && token->length == (int)strlen (text) &&
         memcmp (token->start, text, (size_t)token->length) == 0;
}

static int
shown (const Token *token)
{
  return token->length < SS_NAME_SHOWN ? token->length : SS_NAME_SHOWN;
}

/* The unit behind a number: turns its value into SI and moves on. */
static void
scan_unit (Parser *p)
{
  const char *s = p->cursor;
  int length;

  while (is_blank (*s))
    s++;
  p->token.unit = ss_unit_scan (s, &length);
  if (p->token.unit == NULL)
    return;
  p->token.value *= p->token.unit->factor;
  p->cursor = s + length;
  p->token.length = (int)(p->cursor - p->token.start);
}

static SsStatus
scan_number (Parser *p)
{
  const char *s = p->cursor;
  char copy[SS_NUMBER_MAX_LENGTH + 1];

  while (is_digit (*s))
    s++;
  if (*s == '.') {
    s++;
    while (is_digit (*s))
      s++;
  }
  if ((*s == 'e' || *s == 'E') && (is_digit (s[1]) || ((s[1] == '+' || s[1] == '-') && is_digit (s[2])))) {
    s += 2;
    while (is_digit (*s))
      s++;
  }
  p->token.kind = TOKEN_NUMBER;
  p->token.start = p->cursor;
  if (s - p->cursor > SS_NUMBER_MAX_LENGTH)
    return fail_at (p, SS_ERR_SYNTAX, p->cursor, "a number that fits a double",
                    "the number has more than %d characters", SS_NUMBER_MAX_LENGTH);
  p->token.length = (int)(s - p->cursor);
  memcpy (copy, p->cursor, (size_t)p->token.length);
  copy[p->token.length] = '\0';
  if (!ss_parse_double (copy, &p->token.value))
    return fail_at (p, SS_ERR_SYNTAX, p->cursor, "a finite number", "'%s' is not a number a double can hold", copy);
  p->cursor = s;
  scan_unit (p);
  return SS_OK;
}

/* Symbols people write by habit from other languages. */
static SsStatus
check_foreign_symbol (Parser *p)
{
  static const struct {
    const char *text, *expected;
  } foreign[] = {
      {"**", "^ for powers"},         {"&&", "and"},      {"||", "or"},           {"&", "and"}, {"|", "or"},
      {"!", "not, or != to compare"}, {"%", "mod(a, b)"}, {"=", "== to compare"},
  };
  const char *s = p->cursor;

  if (strncmp (s, "==", 2) == 0 || strncmp (s, "!=", 2) == 0)
    return SS_OK;
  for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
    if (strncmp (s, foreign[i].text, strlen (foreign[i].text)) == 0)
      return fail_at (p, SS_ERR_SYNTAX, s, foreign[i].expected, "'%s' is not an operator of formulas", foreign[i].text);
  return SS_OK;
}

/* Reads the next token into p->token. */
static SsStatus
advance (Parser *p)
{
  const char *s;
  SsStatus status;

  p->is_behind_number = p->token.kind == TOKEN_NUMBER && p->token.unit == NULL;
  while (is_blank (*p->cursor))
    p->cursor++;
  s = p->cursor;
  p->token.start = s;
  p->token.unit = NULL;
  if (*s == '\0') {
    p->token.kind = TOKEN_END;
    p->token.length = 0;
    return SS_OK;
  }
  if (is_digit (*s) || (*s == '.' && is_digit (s[1])))
    return scan_number (p);
  if (is_name_start (*s)) {
    while (is_name_part (*s))
      s++;
    p->token.kind = TOKEN_NAME;
    p->token.length = (int)(s - p->cursor);
    p->cursor = s;
    return SS_OK;
  }
  status = check_foreign_symbol (p);
  if (status != SS_OK)
    return status;
  p->token.kind = TOKEN_SYMBOL;
  p->token.length = character_length (s);
  if ((*s == '<' || *s == '>' || *s == '=' || *s == '!') && s[1] == '=')
    p->token.length = 2;
  p->cursor += p->token.length;
  return SS_OK;
}

static bool
is_keyword (const Token *token)
{
  return token_is (token, "and") || token_is (token, "or") || token_is (token, "not");
}

static SsStatus
fail_unexpected (Parser *p, const char *expected)
{
  if (p->token.kind == TOKEN_END)
    return fail_at (p, SS_ERR_SYNTAX, p->token.start, expected, "the formula ends too early");
  if (p->is_behind_number && p->token.kind == TOKEN_NAME && !is_keyword (&p->token)) {
    char units[sizeof p->err->expected];

    snprintf (units, sizeof units, "an operator or a unit: %s", ss_unit_examples);
    return fail_at (p, SS_ERR_SYNTAX, p->token.start, units, "unexpected '%.*s' behind a number", shown (&p->token),
                    p->token.start);
  }
  return fail_at (p, SS_ERR_SYNTAX, p->token.start, expected, "unexpected '%.*s'", shown (&p->token), p->token.start);
}

static SsStatus
expect_symbol (Parser *p, const char *symbol, const char *expected)
{
  if (!token_is (&p->token, symbol))
    return fail_unexpected (p, expected);
  return advance (p);
}

static SsStatus
enter_level (Parser *p)
{
  if (++p->depth > SS_FORMULA_MAX_DEPTH)
    return fail_at (p, SS_ERR_SYNTAX, p->token.start, "a formula split into named parts",
                    "the formula is nested more than %d levels deep", SS_FORMULA_MAX_DEPTH);
  return SS_OK;
}

/* ---- names and functions ----------------------------------------------------------------------------------------- */

/* Operations written like a function, if(c,a,b) included. */
static bool
is_function (SsOp op)
{
  return ss_op_arity (op) > 0 && op != SS_OP_NOT && op != SS_OP_AND && op != SS_OP_OR &&
         is_name_start (ss_op_text (op)[0]);
}

static SsOp
find_function (const Token *name)
{
  for (int op = 0; op < SS_OP_COUNT; op++)
    if (is_function ((SsOp)op) && token_is (name, ss_op_text ((SsOp)op)))
      return (SsOp)op;
  return SS_OP_COUNT;
}

static SsStatus
fail_unknown_function (Parser *p, const Token *name)
{
  const char *names[SS_OP_COUNT + 2], *nearest;
  char copy[SS_NAME_SHOWN + 1], expected[SS_NAME_SHOWN + 16] = "a function such as sin, min, if";
  int n_names = 0;

  for (int op = 0; op < SS_OP_COUNT; op++)
    if (is_function ((SsOp)op))
      names[n_names++] = ss_op_text ((SsOp)op);
  names[n_names++] = "next";
  names[n_names++] = "sum";
  snprintf (copy, sizeof copy, "%.*s", shown (name), name->start);
  nearest = ss_nearest_name (copy, names, n_names);
  if (nearest != NULL)
    snprintf (expected, sizeof expected, "perhaps %s", nearest);
  return fail_at (p, SS_ERR_INVALID, name->start, expected, "unknown function '%s'", copy);
}

/* Asks the caller what a name means; `text`: with its indices. */
static SsStatus
resolve_name (Parser *p, const Token *name, const char *text, int length, int shift, SsExpr *out)
{
  SsError local;
  SsStatus status;

  ss_error_set (&local, SS_OK, "%s", "");
  status = p->resolve (p->user_data, text, (size_t)length, p->is_constant ? SS_NAME_CONSTANT : shift, out, &local);
  if (status == SS_OK)
    return SS_OK;
  if (local.message[0] == '\0')
    return fail_at (p, status, name->start, "a declared name", "unknown name '%.*s'", shown (name), name->start);
  if (p->err != NULL) {
    *p->err = local;
    p->err->status = status;
    p->err->column = (int)(name->start - p->text) + 1;
  }
  return status;
}

/* A whole number that is known when the formula is read. */
static SsStatus
parse_whole (Parser *p, const char *what, int *value)
{
  const bool was_constant = p->is_constant;
  const char *start = p->token.start;
  SsExpr e = SS_EXPR_NONE;
  SsStatus status;
  char shown_value[32];
  double number;

  p->is_constant = true;
  status = parse_operation (p, LEVEL_ANY, &e);
  p->is_constant = was_constant;
  if (status != SS_OK)
    return status;
  if (e == SS_EXPR_NONE)
    return ss_error_set (p->err, SS_ERR_MEMORY, "out of memory for a formula");
  number = ss_graph_op (p->graph, e) == SS_OP_CONSTANT ? ss_graph_value (p->graph, e) : NAN;
  if (number >= -SS_INDEX_MAX && number <= SS_INDEX_MAX && number == floor (number)) {
    *value = (int)number;
    return SS_OK;
  }
  ss_format_double (number, shown_value, sizeof shown_value);
  return fail_at (p, SS_ERR_INVALID, start, "a whole number up to 1e9", "%s is %s", what, shown_value);
}

/* Which index of the sums around has this name; -1: none. */
static int
find_index (const Parser *p, const Token *name)
{
  int i = p->n_indices - 1;

  while (i >= 0 && (p->indices[i].name.length != name->length ||
                    memcmp (p->indices[i].name.start, name->start, (size_t)name->length) != 0))
    i--;
  return i;
}

/* What stands behind a name, if that is indices in brackets, and what both mean. */
static SsStatus
parse_reference (Parser *p, const Token *name, int shift, SsExpr *out)
{
  char text[SS_NAME_INDEXED + 32];
  int length = name->length < SS_NAME_INDEXED ? name->length : SS_NAME_INDEXED, n = 0, index = 0;
  SsStatus status = SS_OK;

  if (!token_is (&p->token, "[")) {
    const int i = find_index (p, name);

    if (i < 0 || shift != SS_NAME_VALUE)
      return resolve_name (p, name, name->start, name->length, shift, out);
    *out = ss_graph_constant (p->graph, p->indices[i].value);
    return SS_OK;
  }
  memcpy (text, name->start, (size_t)length);
  status = enter_level (p);
  do {
    if (status == SS_OK)
      status = advance (p);
    if (status == SS_OK)
      status = parse_whole (p, "an index", &index);
    if (status == SS_OK)
      length += snprintf (text + length, sizeof text - (size_t)length, "%s%d", n == 0 ? "[" : ",", index);
    n++;
  } while (status == SS_OK && n < 2 && token_is (&p->token, ","));
  p->depth--;
  if (status == SS_OK)
    status = expect_symbol (p, "]", n < 2 ? "an operator, ',' or ']'" : "an operator or ']'");
  text[length++] = ']';
  return status == SS_OK ? resolve_name (p, name, text, length, shift, out) : status;
}

/* next(name), with the parenthesis opened. */
static SsStatus
parse_next (Parser *p, SsExpr *out)
{
  Token name = p->token;
  SsStatus status;

  if (name.kind != TOKEN_NAME || is_keyword (&name))
    return fail_unexpected (p, "the name of a variable in next(...)");
  if (p->is_constant)
    return fail_at (p, SS_ERR_INVALID, name.start, "a whole number", "next() has no meaning in an index");
  status = advance (p);
  if (status == SS_OK)
    status = parse_reference (p, &name, SS_NAME_NEXT, out);
  return status == SS_OK ? expect_symbol (p, ")", ") after the name in next(...)") : status;
}

/* ---- sums -------------------------------------------------------------------------------------------------------- */

/* The name of a new index: it hides nothing. */
static SsStatus
check_index (Parser *p, const Token *name)
{
  SsExpr ignored = SS_EXPR_NONE;
  SsError local;
  bool is_taken =
      token_is (name, "pi") || token_is (name, "next") || token_is (name, "sum") || find_function (name) < SS_OP_COUNT;

  if (name->kind != TOKEN_NAME || is_keyword (name))
    return fail_unexpected (p, "sum(index, from, to, term)");
  if (p->n_indices == SS_SUM_DEPTH_MAX)
    return fail_at (p, SS_ERR_SYNTAX, name->start, "a sum split into named parts", "at most %d sums within one another",
                    SS_SUM_DEPTH_MAX);
  is_taken = is_taken || find_index (p, name) >= 0;
  for (int ask = SS_NAME_TAKEN; ask <= SS_NAME_VALUE && !is_taken; ask += SS_NAME_VALUE - SS_NAME_TAKEN)
    is_taken = p->resolve (p->user_data, name->start, (size_t)name->length, ask, &ignored, &local) == SS_OK;
  if (is_taken)
    return fail_at (p, SS_ERR_INVALID, name->start, "another name for the index", "'%.*s' has a meaning already",
                    shown (name), name->start);
  return SS_OK;
}

/* From the last comma of a sum without terms to the parenthesis that closes it. */
static SsStatus
skip_term (Parser *p)
{
  SsStatus status = advance (p);

  for (int open = 0; status == SS_OK && (open > 0 || !token_is (&p->token, ")")); status = advance (p)) {
    if (p->token.kind == TOKEN_END)
      return fail_unexpected (p, "an operator or ')'");
    open += token_is (&p->token, "(") ? 1 : token_is (&p->token, ")") ? -1 : 0;
  }
  return status;
}

/* The terms, each read from the same place; the comma before them is the token. */
static SsStatus
parse_terms (Parser *p, const Token *name, int from, int to, SsExpr *out)
{
  const Parser start = *p;
  SsStatus status = SS_OK;

  *out = ss_graph_constant (p->graph, 0);
  if (from > to)
    return skip_term (p);
  p->indices[p->n_indices++].name = *name;
  for (int value = from; value <= to && status == SS_OK; value++) {
    SsExpr term = SS_EXPR_NONE;

    if (p->graph->n_terms >= SS_SUM_TERMS_MAX || p->graph->n_terms_bytes > SS_SUM_BYTES_MAX)
      return fail_at (p, SS_ERR_INVALID, name->start, "at most 1000000 terms, of 64 MiB in all",
                      "the sums are too long");
    p->cursor = start.cursor;
    p->token = start.token;
    p->indices[p->n_indices - 1].value = value;
    status = advance (p);
    if (status == SS_OK)
      status = parse_operation (p, LEVEL_ANY, &term);
    if (status == SS_OK && !token_is (&p->token, ")"))
      status = fail_unexpected (p, "an operator or ')'");
    *out = ss_graph_binary (p->graph, SS_OP_ADD, *out, term);
    p->graph->n_terms++;
    p->graph->n_terms_bytes += (size_t)(p->cursor - start.cursor);
  }
  p->n_indices--;
  return status;
}

/* sum(index, from, to, term), with the parenthesis opened. */
static SsStatus
parse_sum (Parser *p, SsExpr *out)
{
  static const char usage[] = "sum(index, from, to, term)";
  const Token name = p->token;
  SsStatus status = check_index (p, &name);
  int from = 0, to = 0;

  if (status == SS_OK)
    status = advance (p);
  if (status == SS_OK)
    status = expect_symbol (p, ",", usage);
  if (status == SS_OK)
    status = parse_whole (p, "the first value of the index", &from);
  if (status == SS_OK)
    status = expect_symbol (p, ",", usage);
  if (status == SS_OK)
    status = parse_whole (p, "the last value of the index", &to);
  if (status == SS_OK && !token_is (&p->token, ","))
    status = fail_unexpected (p, usage);
  if (status == SS_OK)
    status = parse_terms (p, &name, from, to, out);
  return status == SS_OK ? advance (p) : status;
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

/* A call, with the parenthesis opened. min and max take two or more arguments, folded from the left. */
static SsStatus
parse_call (Parser *p, const Token *name, SsOp op, SsExpr *out)
{
  SsExpr argument[SS_EXPR_MAX_ARITY] = {SS_EXPR_NONE, SS_EXPR_NONE, SS_EXPR_NONE};
  int arity = ss_op_arity (op), n = 0;
  bool many = op == SS_OP_MIN || op == SS_OP_MAX;
  SsStatus status = SS_OK;

  if (!token_is (&p->token, ")")) {
    for (;;) {
      SsExpr value = SS_EXPR_NONE;

      status = parse_operation (p, LEVEL_ANY, &value);
      if (status != SS_OK)
        return status;
      if (many && n >= arity) {
        argument[0] = ss_graph_binary (p->graph, op, argument[0], argument[1]);
        argument[1] = value;
      } else if (n < arity) {
        argument[n] = value;
      }
      n++;
      if (!token_is (&p->token, ","))
        break;
      status = advance (p);
      if (status != SS_OK)
        return status;
    }
  }
  if (!token_is (&p->token, ")"))
    return fail_unexpected (p, "an operator, ',' or ')'");
  if (many ? n < arity : n != arity) {
    char expected[64];

    snprintf (expected, sizeof expected, "%d argument%s%s", arity, arity == 1 ? "" : "s", many ? " or more" : "");
    return fail_at (p, SS_ERR_SYNTAX, name->start, expected, "%s has %d argument%s", ss_op_text (op), n,
                    n == 1 ? "" : "s");
  }
  if (arity == 1)
    *out = ss_graph_unary (p->graph, op, argument[0]);
  else if (arity == 2)
    *out = ss_graph_binary (p->graph, op, argument[0], argument[1]);
  else
    *out = ss_graph_if (p->graph, argument[0], argument[1], argument[2]);
  return advance (p);
}

/* A name: a function when a parenthesis follows, otherwise pi or what the caller knows. */
static SsStatus
parse_name (Parser *p, SsExpr *out)
{
  static const double pi = 3.14159265358979323846;
  Token name = p->token;
  SsOp op = find_function (&name);
  SsStatus status = advance (p);

  if (status != SS_OK)
    return status;
  if (token_is (&p->token, "(")) {
    const bool next = token_is (&name, "next"), sum = token_is (&name, "sum");

    if (!next && !sum && op == SS_OP_COUNT)
      return fail_unknown_function (p, &name);
    status = enter_level (p);
    if (status == SS_OK)
      status = advance (p);
    if (status == SS_OK)
      status = next ? parse_next (p, out) : sum ? parse_sum (p, out) : parse_call (p, &name, op, out);
    p->depth--;
    return status;
  }
  if (op != SS_OP_COUNT || token_is (&name, "next") || token_is (&name, "sum"))
    return fail_at (p, SS_ERR_SYNTAX, p->token.start, "(",
                    "'%.*s' is a function and needs its arguments in parentheses", shown (&name), name.start);
  if (token_is (&name, "pi")) {
    *out = ss_graph_constant (p->graph, pi);
    return SS_OK;
  }
  return parse_reference (p, &name, SS_NAME_VALUE, out);
}

/* ---- grammar ----------------------------------------------------------------------------------------------------- */

static SsStatus
parse_primary (Parser *p, SsExpr *out)
{
  SsStatus status;

  p->is_number = false;
  if (p->token.kind == TOKEN_NUMBER) {
    const bool is_number = p->token.unit == NULL;

    *out = ss_graph_constant (p->graph, p->token.value);
    status = advance (p);
    p->is_number = is_number;
    return status;
  }
  if (p->token.kind == TOKEN_NAME && !is_keyword (&p->token)) {
    status = parse_name (p, out);
    p->is_number = false;
    return status;
  }
  if (!token_is (&p->token, "("))
    return fail_unexpected (p, "a number, a name or '('");
  status = enter_level (p);
  if (status == SS_OK)
    status = advance (p);
  if (status == SS_OK)
    status = parse_operation (p, LEVEL_ANY, out);
  if (status == SS_OK)
    status = expect_symbol (p, ")", "an operator or ')'");
  p->depth--;
  p->is_number = false;
  return status;
}

/* Behind a sign or a ^: one level down. */
static SsStatus
parse_next_signed (Parser *p, SsExpr *out)
{
  SsStatus status = enter_level (p);

  if (status == SS_OK)
    status = advance (p);
  if (status == SS_OK)
    status = parse_signed (p, out);
  p->depth--;
  return status;
}

/* Signs, and powers, whose exponent is again signed: -a^-b^c = -(a^(-(b^c))). */
static SsStatus
parse_signed (Parser *p, SsExpr *out)
{
  bool minus = token_is (&p->token, "-");
  SsExpr exponent = SS_EXPR_NONE;
  SsStatus status;

  if (minus || token_is (&p->token, "+")) {
    status = parse_next_signed (p, out);
    if (status == SS_OK && minus)
      *out = ss_graph_unary (p->graph, SS_OP_NEG, *out);
    return status;
  }
  status = parse_primary (p, out);
  if (status != SS_OK || !token_is (&p->token, "^"))
    return status;
  status = parse_next_signed (p, &exponent);
  p->is_number = false;
  if (status == SS_OK)
    *out = ss_graph_binary (p->graph, SS_OP_POW, *out, exponent);
  return status;
}

/* The infix operators. swap: a > b is b < a; negate: a != b is not (a == b). */
typedef struct {
  const char *text;
  Level level;
  SsOp op;
  bool swap, negate;
} Infix;

static const Infix *
find_infix (const Token *token)
{
  static const Infix infix[] = {
      {"or", LEVEL_OR, SS_OP_OR, false, false},         {"and", LEVEL_AND, SS_OP_AND, false, false},
      {"<", LEVEL_COMPARISON, SS_OP_LT, false, false},  {"<=", LEVEL_COMPARISON, SS_OP_LE, false, false},
      {">", LEVEL_COMPARISON, SS_OP_LT, true, false},   {">=", LEVEL_COMPARISON, SS_OP_LE, true, false},
      {"==", LEVEL_COMPARISON, SS_OP_EQ, false, false}, {"!=", LEVEL_COMPARISON, SS_OP_EQ, false, true},
      {"+", LEVEL_SUM, SS_OP_ADD, false, false},        {"-", LEVEL_SUM, SS_OP_SUB, false, false},
      {"*", LEVEL_PRODUCT, SS_OP_MUL, false, false},    {"/", LEVEL_PRODUCT, SS_OP_DIV, false, false},
  };

  for (size_t i = 0; i < sizeof infix / sizeof infix[0]; i++)
    if (token_is (token, infix[i].text))
      return &infix[i];
  return NULL;
}

static SsExpr
make_infix (SsGraph *graph, const Infix *infix, SsExpr left, SsExpr right)
{
  SsExpr e =
      infix->swap ? ss_graph_binary (graph, infix->op, right, left) : ss_graph_binary (graph, infix->op, left, right);

  return infix->negate ? ss_graph_unary (graph, SS_OP_NOT, e) : e;
}

/* A number over a number with a unit that is scaled: "1/2 cm" is half a centimetre to one reader and 50 to another. */
static SsStatus
check_ratio (Parser *p, const Token *over)
{
  const Token *under = &p->token;

  if (under->kind != TOKEN_NUMBER || under->unit == NULL || under->unit->factor == 1)
    return SS_OK;
  return fail_at (p, SS_ERR_SYNTAX, over->start, "parentheses: (a/b)*1cm, or a/(b cm)",
                  "'/%.*s' can be read in two ways", shown (under), under->start);
}

/* An operand followed by operators that bind at least as tightly as `lowest`. */
static SsStatus
parse_operation (Parser *p, Level lowest, SsExpr *out)
{
  const Infix *infix, *last = NULL;
  SsExpr left = SS_EXPR_NONE, right = SS_EXPR_NONE;
  SsStatus status;

  if (token_is (&p->token, "not") && lowest <= LEVEL_NOT) {
    status = enter_level (p);
    if (status == SS_OK)
      status = advance (p);
    if (status == SS_OK)
      status = parse_operation (p, LEVEL_NOT, &left);
    left = ss_graph_unary (p->graph, SS_OP_NOT, left);
    p->depth--;
  } else {
    status = parse_signed (p, &left);
  }
  while (status == SS_OK && (infix = find_infix (&p->token)) != NULL && infix->level >= lowest) {
    if (last != NULL && last->level == LEVEL_COMPARISON && infix->level == LEVEL_COMPARISON)
      return fail_at (p, SS_ERR_SYNTAX, p->token.start, "two comparisons joined by and", "comparisons do not chain");
    const bool is_ratio = last == NULL && infix->op == SS_OP_DIV && p->is_number;
    const Token operator= p->token;
    last = infix;
    status = advance (p);
    if (status == SS_OK && is_ratio)
      status = check_ratio (p, &operator);
    if (status == SS_OK)
      status = parse_operation (p, (Level)(infix->level + 1), &right);
    if (status == SS_OK)
      left = make_infix (p->graph, infix, left, right);
  }
  if (status == SS_OK)
    *out = left;
  return status;
}

SsStatus
ss_expr_parse (SsGraph *graph, const char *text, SsResolveFunc resolve, void *user_data, SsExpr *out, SsError *err)
{
  SS_ASSERT (graph != NULL && text != NULL && resolve != NULL && out != NULL);

  Parser p = {.graph = graph, .text = text, .cursor = text, .resolve = resolve, .user_data = user_data, .err = err};
  SsExpr result = SS_EXPR_NONE;
  SsStatus status;

  if (strnlen (text, SS_FORMULA_MAX_LENGTH + 1) > SS_FORMULA_MAX_LENGTH)
    return fail_at (&p, SS_ERR_SYNTAX, text, "a formula split into named parts",
                    "the formula has more than %d characters", SS_FORMULA_MAX_LENGTH);
  status = advance (&p);
  if (status == SS_OK && p.token.kind == TOKEN_END)
    return fail_at (&p, SS_ERR_SYNTAX, text, "a formula", "the formula is empty");
  if (status == SS_OK)
    status = parse_operation (&p, LEVEL_ANY, &result);
  if (status == SS_OK && p.token.kind != TOKEN_END)
    status = fail_unexpected (&p, "an operator or the end of the formula");
  if (status == SS_OK && result == SS_EXPR_NONE)
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory for a formula");
  if (status == SS_OK)
    *out = result;
  return status;
}
