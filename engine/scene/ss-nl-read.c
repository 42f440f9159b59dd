/* engine/scene/ss-nl-read.c: see ss-nl.h; the segments of [1], one function each, over a cursor that knows both
 * encodings. */
#include "scene/ss-nl-private.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const char *start, *at, *end;
  const char *file;
  int line;       /* of ASCII, and of the header */
  bool is_binary; /* behind the header */
  bool swaps;     /* bytes of numbers, which are in the other order */
  bool has_failed;
  SsStatus status;
  SsProblems *problems;
  SsNl *nl;
  int token_capacity, term_capacity;
  bool *has_row, *has_objective, *has_common; /* segments C, O, V that were met */
  bool *has_terms, *has_gradient;             /* J, G */
  bool has_bounds, has_ranges;
} Cursor;

/* ---- problems ---------------------------------------------------------------------------------------------------- */

static void __attribute__ ((format (printf, 4, 5)))
fail (Cursor *c, SsStatus status, const char *expected, const char *format, ...)
{
  SsError error = {.status = status};
  va_list args;

  if (c->has_failed)
    return;
  c->has_failed = true;
  c->status = status;
  va_start (args, format);
  vsnprintf (error.message, sizeof error.message, format, args);
  va_end (args);
  if (c->is_binary) {
    const size_t n = strlen (error.message);
    snprintf (error.message + n, sizeof error.message - n, " (byte %zu)", (size_t)(c->at - c->start));
  } else {
    error.line = c->line;
  }
  snprintf (error.expected, sizeof error.expected, "%s", expected);
  snprintf (error.file, sizeof error.file, "%s", c->file);
  ss_problems_add (c->problems, &error);
}

static void
fail_memory (Cursor *c)
{
  fail (c, SS_ERR_MEMORY, "", "out of memory while reading the problem");
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static void
skip_blanks (Cursor *c)
{
  while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\r'))
    c->at++;
}

/* The rest of a line of text, which may be a comment only where `is_strict`. */
static void
end_line (Cursor *c, bool is_strict)
{
  if (c->is_binary || c->has_failed)
    return;
  skip_blanks (c);
  if (is_strict && c->at < c->end && *c->at != '\n' && *c->at != '#') {
    fail (c, SS_ERR_SYNTAX, "the end of the line, or a comment after #",
          "there is more on the line than belongs there");
    return;
  }
  while (c->at < c->end && *c->at != '\n')
    c->at++;
  if (c->at < c->end)
    c->at++;
  c->line++;
}

static bool
take_bytes (Cursor *c, void *out, size_t size, const char *expected)
{
  unsigned char *to = out;

  if (c->has_failed)
    return false;
  if ((size_t)(c->end - c->at) < size) {
    fail (c, SS_ERR_SYNTAX, expected, "the file ends too early");
    return false;
  }
  for (size_t i = 0; i < size; i++)
    to[c->swaps ? size - 1 - i : i] = (unsigned char)c->at[i];
  c->at += size;
  return true;
}

/* A word of a line of text, of at most size - 1 characters; false after reporting. */
static bool
take_word (Cursor *c, char *word, size_t size, const char *expected)
{
  size_t n = 0;

  if (c->has_failed)
    return false;
  skip_blanks (c);
  while (c->at < c->end && strchr (" \t\r\n#", *c->at) == NULL && n + 1 < size)
    word[n++] = *c->at++;
  word[n] = '\0';
  if (n == 0)
    fail (c, SS_ERR_SYNTAX, expected, c->at < c->end ? "something is missing here" : "the file ends too early");
  return n > 0;
}

/* A whole number in least..most. */
static int
take_int (Cursor *c, int least, int most, const char *expected)
{
  double value = 0;

  if (c->is_binary) {
    int32_t number = 0;
    if (!take_bytes (c, &number, sizeof number, expected))
      return least;
    value = number;
  } else {
    char word[32];
    if (!take_word (c, word, sizeof word, expected))
      return least;
    if (!ss_parse_double (word, &value) || value != floor (value)) {
      fail (c, SS_ERR_SYNTAX, expected, "'%.24s' is no whole number", word);
      return least;
    }
  }
  if (!(value >= least && value <= most)) {
    fail (c, SS_ERR_SYNTAX, expected, "%.0f is out of range, which is %d to %d", value, least, most);
    return least;
  }
  return (int)value;
}

/* Bounds may be infinite. */
static double
take_double (Cursor *c, const char *expected)
{
  double value = 0;

  if (c->is_binary) {
    take_bytes (c, &value, sizeof value, expected);
  } else {
    char word[64];
    if (!take_word (c, word, sizeof word, expected))
      return 0;
    const bool is_negative = word[0] == '-';
    const char *size = word + (is_negative || word[0] == '+');
    if (ss_nl_is_word (size, "inf") || ss_nl_is_word (size, "infinity"))
      return is_negative ? -INFINITY : INFINITY;
    if (!ss_parse_double (word, &value))
      fail (c, SS_ERR_SYNTAX, expected, "'%.40s' is no number", word);
  }
  if (isnan (value))
    fail (c, SS_ERR_SYNTAX, expected, "this number is NaN");
  return value;
}

static double
take_finite (Cursor *c, const char *expected)
{
  const double value = take_double (c, expected);

  if (!isfinite (value))
    fail (c, SS_ERR_SYNTAX, expected, "this number is infinite");
  return c->has_failed ? 0 : value;
}

/* ---- header ------------------------------------------------------------------------------------------------------ */

static void
read_first_line (Cursor *c, bool *is_binary)
{
  SsNl *nl = c->nl;

  *is_binary = c->at < c->end && *c->at == 'b';
  if (c->at == c->end || (*c->at != 'g' && *c->at != 'b')) {
    fail (c, SS_ERR_SYNTAX, "'g' (text) or 'b' (binary) as the first letter", "this is no .nl file");
    return;
  }
  c->at++;
  skip_blanks (c);
  if (c->at < c->end && *c->at >= '0' && *c->at <= '9')
    nl->n_options = take_int (c, 0, SS_NL_OPTIONS_MAX, "a number of options, at most 9");
  for (int i = 0; i < nl->n_options && !c->has_failed; i++)
    nl->options[i] = take_int (c, INT_MIN, INT_MAX, "an option, a whole number");
  nl->has_tolerance = nl->n_options > 1 && nl->options[1] == 3;
  if (nl->has_tolerance)
    nl->tolerance = take_finite (c, "ampl_vbtol, a number");
  end_line (c, false);
}

/* Numbers of a line of the header; those that are missing are 0, as older versions leave them out. */
static void
read_counts (Cursor *c, int n_needed, int n, int *counts, const char *expected)
{
  for (int i = 0; i < n; i++) {
    counts[i] = 0;
    skip_blanks (c);
    if (i >= n_needed && (c->at == c->end || strchr ("\n#", *c->at) != NULL))
      continue;
    counts[i] = take_int (c, i == 4 && n == 6 ? -1 : 0, INT_MAX, expected);
  }
}

/* Every variable, row and common expression takes bytes of the file: none of these counts may exceed its size, so that
 * what is allocated by them does not either. */
static void
check_size (Cursor *c, const char *what, long long count)
{
  if (count > c->end - c->start)
    fail (c, SS_ERR_SYNTAX, "counts that fit the file", "%lld %s cannot be in a file of %zu bytes", count, what,
          (size_t)(c->end - c->start));
}

/* One byte each: bits of an IEEE double in memory. */
static bool
is_little_endian (void)
{
  const uint16_t one = 1;
  unsigned char first;

  memcpy (&first, &one, 1);
  return first == 1;
}

static void
read_header (Cursor *c)
{
  SsNl *nl = c->nl;
  int n[6];
  bool is_binary, swaps = false;

  read_first_line (c, &is_binary);
  read_counts (c, 3, 6, n, "numbers of variables, rows, objectives, ranges, equations");
  nl->n_variables = n[0];
  nl->n_rows = n[1];
  nl->n_objectives = n[2];
  check_size (c, "variables", n[0]);
  check_size (c, "rows", n[1]);
  check_size (c, "objectives", n[2]);
  if (n[5] > 0)
    fail (c, SS_ERR_INVALID, "rows that are numbers", "the problem has logical constraints, which are not solved here");
  if (n[0] == 0)
    fail (c, SS_ERR_INVALID, "at least one variable", "the problem has no variables");
  end_line (c, false);
  for (int line = 3; line <= 5; line++)
    end_line (c, false); /* what is nonlinear and how many complement is told again below */
  read_counts (c, 2, 4, n, "numbers of network variables and functions, arithmetic, flags");
  if (n[1] > 0)
    fail (c, SS_ERR_INVALID, "AMPL's own operators",
          "the problem has %d imported functions, which cannot be computed here", n[1]);
  if (is_binary && n[2] != 0 && n[2] != 1 && n[2] != 2)
    fail (c, SS_ERR_SYNTAX, "1 (little-endian IEEE) or 2 (big-endian IEEE)", "%d is no known arithmetic", n[2]);
  if (is_binary && n[2] != 0)
    swaps = (n[2] == 1) != is_little_endian ();
  end_line (c, false);
  read_counts (c, 2, 5, n, "numbers of binary and integer variables");
  for (int i = 0; i < 5; i++)
    if (n[i] > 0) {
      fail (c, SS_ERR_INVALID, "variables that are not integer", "the problem has %d integer or binary variables",
            n[i]);
      break;
    }
  end_line (c, false);
  end_line (c, false); /* nonzeros */
  end_line (c, false); /* lengths of names */
  read_counts (c, 1, 5, n, "numbers of common expressions");
  const long long n_commons = (long long)n[0] + n[1] + n[2] + n[3] + n[4];
  check_size (c, "common expressions", n_commons);
  nl->n_commons = (int)(c->has_failed ? 0 : n_commons);
  end_line (c, false);
  c->is_binary = is_binary;
  c->swaps = swaps;
}

/* ---- expressions ------------------------------------------------------------------------------------------------- */

static bool
add_token (Cursor *c, SsNlToken token)
{
  SsNl *nl = c->nl;

  if (ss_array_reserve ((void **)&nl->tokens, &c->token_capacity, nl->n_tokens + 1, sizeof *nl->tokens) != 0) {
    fail_memory (c);
    return false;
  }
  nl->tokens[nl->n_tokens++] = token;
  return true;
}

static SsNlToken
read_operator (Cursor *c)
{
  const int code = take_int (c, 0, 1000, "the number of an operator");
  const SsNlOperator *known = c->has_failed ? NULL : ss_nl_operator (code);
  SsNlToken token = {.kind = SS_NL_OPERATOR, .code = code};

  if (known == NULL)
    fail (c, SS_ERR_SYNTAX, "an operator of AMPL", "there is no operator %d", code);
  else if (known->formula == NULL)
    fail (c, SS_ERR_INVALID, "operators that have derivatives, abs, min or max",
          "operator %d (%s) cannot be solved here", code, known->name);
  end_line (c, true);
  if (known == NULL || c->has_failed)
    return token;
  token.n = known->arity;
  if (known->arity == SS_NL_LIST) {
    token.n = take_int (c, 1, INT_MAX, "the number of operands");
    end_line (c, true);
  }
  return token;
}

static SsNlToken
read_number (Cursor *c, char letter)
{
  SsNlToken token = {.kind = SS_NL_NUMBER};
  int16_t half = 0;

  if (letter == 's' && c->is_binary) {
    take_bytes (c, &half, sizeof half, "a short number");
    token.value = half;
  } else if (letter == 'n') {
    token.value = take_finite (c, "a number");
  } else {
    token.value = take_int (c, INT_MIN, INT_MAX, "a whole number");
  }
  end_line (c, true);
  return token;
}

/* Operators before their operands, read by counting how many operands are still to come. `n_names` variables and common
 * expressions are known. */
static void
read_expression (Cursor *c, int n_names, SsNlSum *sum)
{
  long long missing = 1;

  sum->first_token = c->nl->n_tokens;
  while (missing > 0 && !c->has_failed) {
    SsNlToken token = {0};

    if (c->at == c->end) {
      fail (c, SS_ERR_SYNTAX, "an operand", "the file ends within an expression");
      return;
    }
    const char letter = *c->at++;
    switch (letter) {
    case 'o':
      token = read_operator (c);
      break;
    case 'n':
    case 's':
    case 'l':
      token = read_number (c, letter);
      break;
    case 'v':
      token.kind = SS_NL_VARIABLE;
      token.n = take_int (c, 0, n_names - 1, "a variable or common expression that is known by now");
      if (!c->has_failed && token.n >= c->nl->n_variables && !c->has_common[token.n - c->nl->n_variables])
        fail (c, SS_ERR_SYNTAX, "a common expression that was defined before", "v%d is not defined yet", token.n);
      end_line (c, true);
      break;
    default:
      c->at--;
      fail (c, letter == 'f' || letter == 'h' ? SS_ERR_INVALID : SS_ERR_SYNTAX, "o, n, s, l or v",
            letter == 'f'   ? "an imported function cannot be computed here"
            : letter == 'h' ? "a text is no number"
                            : "no expression begins like this");
      return;
    }
    if (c->has_failed || !add_token (c, token))
      return;
    missing += token.kind == SS_NL_OPERATOR ? token.n - 1 : -1;
    /* Every operand takes a byte: a count that is too large ends here, not at the end of the file. */
    if (missing > c->end - c->at)
      fail (c, SS_ERR_SYNTAX, "as many operands as were promised", "the file is too short for its operands");
  }
  sum->n_tokens = c->nl->n_tokens - sum->first_token;
  /* The expression 0 is none. */
  if (sum->n_tokens == 1 && c->nl->tokens[sum->first_token].kind == SS_NL_NUMBER &&
      c->nl->tokens[sum->first_token].value == 0) {
    c->nl->n_tokens--;
    sum->n_tokens = 0;
  }
}

static void
read_terms (Cursor *c, int n, SsNlSum *sum)
{
  SsNl *nl = c->nl;

  sum->first_term = nl->n_terms;
  for (int i = 0; i < n; i++) {
    SsNlTerm term;
    term.variable = take_int (c, 0, nl->n_variables - 1, "the number of a variable");
    term.coefficient = take_finite (c, "a coefficient");
    end_line (c, true);
    if (c->has_failed)
      return;
    if (term.coefficient == 0) /* a place of the Jacobian, which the expression fills */
      continue;
    if (ss_array_reserve ((void **)&nl->terms, &c->term_capacity, nl->n_terms + 1, sizeof *nl->terms) != 0) {
      fail_memory (c);
      return;
    }
    nl->terms[nl->n_terms++] = term;
  }
  sum->n_terms = nl->n_terms - sum->first_term;
}

/* ---- segments ---------------------------------------------------------------------------------------------------- */

/* Marks what a segment gives, once. */
static bool
is_first (Cursor *c, bool *has, char segment, int index)
{
  if (c->has_failed)
    return false;
  if (*has)
    fail (c, SS_ERR_SYNTAX, "each segment once", "%c%d is there twice", segment, index);
  *has = true;
  return !c->has_failed;
}

static void
read_body (Cursor *c)
{
  const int i = take_int (c, 0, c->nl->n_rows - 1, "the number of a row");

  end_line (c, true);
  if (is_first (c, c->has_failed ? NULL : &c->has_row[i], 'C', i))
    read_expression (c, c->nl->n_variables + c->nl->n_commons, &c->nl->rows[i].body);
}

static void
read_objective (Cursor *c)
{
  const int i = take_int (c, 0, c->nl->n_objectives - 1, "the number of an objective");
  const int sense = take_int (c, 0, 1, "0 (minimise) or 1 (maximise)");

  end_line (c, true);
  if (!is_first (c, c->has_failed ? NULL : &c->has_objective[i], 'O', i))
    return;
  c->nl->objectives[i].is_maximised = sense == 1;
  read_expression (c, c->nl->n_variables + c->nl->n_commons, &c->nl->objectives[i].sum);
}

static void
read_common (Cursor *c)
{
  SsNl *nl = c->nl;
  const int i = take_int (c, nl->n_variables, nl->n_variables + nl->n_commons - 1, "the number of a common expression");
  const int n_terms = take_int (c, 0, nl->n_variables, "the number of linear terms");

  take_int (c, INT_MIN, INT_MAX, "where the expression is used");
  end_line (c, true);
  if (c->has_failed)
    return;
  SsNlSum *sum = &nl->commons[i - nl->n_variables];
  read_terms (c, n_terms, sum);
  read_expression (c, nl->n_variables + nl->n_commons, sum);
  if (is_first (c, &c->has_common[i - nl->n_variables], 'V', i))
    nl->defined[nl->n_defined++] = i - nl->n_variables;
}

static void
read_linear (Cursor *c, bool is_objective)
{
  SsNl *nl = c->nl;
  const int i = take_int (c, 0, (is_objective ? nl->n_objectives : nl->n_rows) - 1,
                          is_objective ? "the number of an objective" : "the number of a row");
  const int n = take_int (c, 0, nl->n_variables, "the number of terms");

  end_line (c, true);
  if (is_first (c,
                c->has_failed  ? NULL
                : is_objective ? &c->has_gradient[i]
                               : &c->has_terms[i],
                is_objective ? 'G' : 'J', i))
    read_terms (c, n, is_objective ? &nl->objectives[i].sum : &nl->rows[i].body);
}

/* Bounds of a variable or a row; true: a row that complements. */
static bool
read_bound (Cursor *c, bool is_row, double *lower, double *upper)
{
  static const char expected[] = "0, 1, 2, 3, 4, or 5 of rows, with its bounds";
  const char kind = c->at < c->end ? *c->at : '\0';

  *lower = -INFINITY;
  *upper = INFINITY;
  if (!c->is_binary)
    skip_blanks (c);
  if (c->at == c->end) {
    fail (c, SS_ERR_SYNTAX, expected, "the file ends within its bounds");
    return false;
  }
  c->at++;
  switch (kind) {
  case '0':
    *lower = take_double (c, "a lower bound");
    *upper = take_double (c, "an upper bound");
    break;
  case '1':
    *upper = take_double (c, "an upper bound");
    break;
  case '2':
    *lower = take_double (c, "a lower bound");
    break;
  case '3':
    break;
  case '4':
    *lower = *upper = take_finite (c, "a value");
    break;
  case '5':
    if (is_row)
      return true;
    fail (c, SS_ERR_SYNTAX, expected, "a variable complements nothing by itself: 5 belongs to rows");
    break;
  default:
    c->at--;
    fail (c, SS_ERR_SYNTAX, expected, "there is no such kind of bounds");
  }
  if (*lower == INFINITY || *upper == -INFINITY)
    fail (c, SS_ERR_INVALID, "a lower bound below infinity, an upper one above -infinity", "no value has these bounds");
  end_line (c, true);
  return false;
}

static void
read_bounds (Cursor *c, bool is_row)
{
  SsNl *nl = c->nl;

  end_line (c, true);
  if (!is_first (c, is_row ? &c->has_ranges : &c->has_bounds, is_row ? 'r' : 'b', 0))
    return;
  for (int i = 0; i < (is_row ? nl->n_rows : nl->n_variables) && !c->has_failed; i++) {
    SsNlRow *row = is_row ? &nl->rows[i] : NULL;
    if (!read_bound (c, is_row, is_row ? &row->lower : &nl->lower[i], is_row ? &row->upper : &nl->upper[i]))
      continue;
    const int bits = take_int (c, 0, 3, "0 to 3: which bounds of the variable are finite");
    row->complements = take_int (c, 1, nl->n_variables, "the number of a variable, from 1") - 1;
    row->at_lower = bits & 1;
    row->at_upper = bits & 2;
    end_line (c, true);
  }
}

static void
read_column_sizes (Cursor *c)
{
  const int n = take_int (c, 0, c->nl->n_variables, "the number of columns but one");

  end_line (c, true);
  for (int i = 0; i < n && !c->has_failed; i++) {
    take_int (c, 0, INT_MAX, "the number of nonzeros in these columns");
    end_line (c, true);
  }
}

/* Starts: of variables kept, of multipliers read over. */
static void
read_start (Cursor *c, bool is_dual)
{
  const int most = is_dual ? c->nl->n_rows : c->nl->n_variables;
  const int n = take_int (c, 0, most, "the number of values");

  end_line (c, true);
  for (int i = 0; i < n && !c->has_failed; i++) {
    const int index = take_int (c, 0, most - 1, "the number of what starts there");
    const double value = take_finite (c, "a value");
    end_line (c, true);
    if (!is_dual && !c->has_failed)
      c->nl->start[index] = value;
  }
}

/* A suffix is read over: none says what a problem is. */
static void
read_suffix (Cursor *c)
{
  char name[256];
  const int kind = take_int (c, 0, 127, "the kind of a suffix"),
            n = take_int (c, 0, INT_MAX, "the number of its values");
  const bool is_real = kind & 4;

  if (c->is_binary) {
    const int length = take_int (c, 0, INT_MAX, "the length of the suffix' name");
    if (!c->has_failed && length > c->end - c->at)
      fail (c, SS_ERR_SYNTAX, "the suffix' name", "the file ends too early");
    c->at += c->has_failed ? 0 : length;
  } else {
    take_word (c, name, sizeof name, "the suffix' name");
  }
  end_line (c, true);
  for (int i = 0; i < n && !c->has_failed; i++) {
    take_int (c, 0, INT_MAX, "the number of what has the value");
    if (is_real)
      take_double (c, "a value");
    else
      take_int (c, INT_MIN, INT_MAX, "a whole number");
    end_line (c, true);
  }
}

static void
read_segment (Cursor *c, char segment)
{
  switch (segment) {
  case 'C':
    read_body (c);
    break;
  case 'O':
    read_objective (c);
    break;
  case 'V':
    read_common (c);
    break;
  case 'J':
  case 'G':
    read_linear (c, segment == 'G');
    break;
  case 'r':
  case 'b':
    read_bounds (c, segment == 'r');
    break;
  case 'k':
  case 'K':
    read_column_sizes (c);
    break;
  case 'x':
  case 'd':
    read_start (c, segment == 'd');
    break;
  case 'S':
    read_suffix (c);
    break;
  case 'L':
  case 'F':
    fail (c, SS_ERR_INVALID, "the segments C, O, V, J, G, r, b, k, x, d and S",
          segment == 'L' ? "logical constraints are not solved here" : "imported functions cannot be computed here");
    break;
  default:
    c->at--;
    fail (c, SS_ERR_SYNTAX, "one of the segments C, O, V, J, G, r, b, k, x, d and S", "no segment begins like this");
  }
}

/* What only the whole file tells. */
static void
check_whole (Cursor *c)
{
  const SsNl *nl = c->nl;

  if (!c->has_bounds)
    fail (c, SS_ERR_SYNTAX, "a segment b", "the file has no bounds of its variables");
  if (nl->n_rows > 0 && !c->has_ranges)
    fail (c, SS_ERR_SYNTAX, "a segment r", "the file has no bounds of its rows");
  for (int i = 0; i < nl->n_rows && !c->has_failed; i++) {
    const SsNlRow *row = &nl->rows[i];
    if (row->complements < 0)
      continue;
    if ((row->at_lower && nl->lower[row->complements] == -INFINITY) ||
        (row->at_upper && nl->upper[row->complements] == INFINITY))
      fail (c, SS_ERR_INVALID, "bits of bounds that are finite",
            "row %d complements variable %d at a bound that it does not have", i, row->complements);
  }
}

SsStatus
ss_nl_read (const char *bytes, size_t length, const char *file, SsProblems *problems, SsNl **out)
{
  SS_ASSERT ((length == 0 || bytes != NULL) && problems != NULL && out != NULL);

  Cursor c = {.start = bytes, .at = bytes, .end = bytes + length, .file = file != NULL ? file : "", .line = 1};
  SsNl *nl = ss_new (SsNl);

  *out = NULL;
  c.problems = problems;
  c.nl = nl;
  if (nl == NULL) {
    fail_memory (&c);
    return c.status;
  }
  read_header (&c);
  if (!c.has_failed) {
    nl->lower = ss_new_array (double, nl->n_variables);
    nl->upper = ss_new_array (double, nl->n_variables);
    nl->start = ss_new_array (double, nl->n_variables);
    nl->rows = ss_new_array (SsNlRow, nl->n_rows + 1);
    nl->objectives = ss_new_array (SsNlObjective, nl->n_objectives + 1);
    nl->commons = ss_new_array (SsNlSum, nl->n_commons + 1);
    nl->defined = ss_new_array (int, nl->n_commons + 1);
    c.has_row = ss_new_array (bool, nl->n_rows + 1);
    c.has_terms = ss_new_array (bool, nl->n_rows + 1);
    c.has_objective = ss_new_array (bool, nl->n_objectives + 1);
    c.has_gradient = ss_new_array (bool, nl->n_objectives + 1);
    c.has_common = ss_new_array (bool, nl->n_commons + 1);
    if (nl->lower == NULL || nl->upper == NULL || nl->start == NULL || nl->rows == NULL || nl->objectives == NULL ||
        nl->commons == NULL || nl->defined == NULL || c.has_row == NULL || c.has_terms == NULL ||
        c.has_objective == NULL || c.has_gradient == NULL || c.has_common == NULL)
      fail_memory (&c);
  }
  for (int i = 0; !c.has_failed && i < nl->n_rows; i++)
    nl->rows[i].complements = -1;
  while (!c.has_failed) {
    if (!c.is_binary) {
      for (skip_blanks (&c); c.at < c.end && *c.at == '\n'; skip_blanks (&c))
        end_line (&c, true);
    }
    if (c.at == c.end)
      break;
    const char segment = *c.at++;
    read_segment (&c, segment);
  }
  if (!c.has_failed)
    check_whole (&c);
  ss_free (c.has_row);
  ss_free (c.has_terms);
  ss_free (c.has_objective);
  ss_free (c.has_gradient);
  ss_free (c.has_common);
  if (c.has_failed) {
    ss_nl_free (nl);
    return c.status;
  }
  *out = nl;
  return SS_OK;
}

void
ss_nl_free (SsNl *nl)
{
  if (nl == NULL)
    return;
  ss_free (nl->lower);
  ss_free (nl->upper);
  ss_free (nl->start);
  ss_free (nl->rows);
  ss_free (nl->objectives);
  ss_free (nl->commons);
  ss_free (nl->defined);
  ss_free (nl->tokens);
  ss_free (nl->terms);
  ss_free (nl);
}
