/* engine/scene/ss-nl-scenario.c: a problem that was read from a .nl file as the text of a scenario; see ss-nl.h.
 *
 * Operators stand before their operands, so tokens are taken from the last to the first: what is finished is on a stack
 * of formulas, and an operator takes its operands from there. No recursion, whatever the file nests. A formula that
 * grows long or deep becomes a definition, d1, d2, ..., and goes on as its name.
 */
#include "scene/ss-nl-private.h"

#include "scene/ss-scenario-private.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A definition is cheap, a formula of 65536 characters or 200 levels is refused (expr/ss-expr.h): far below both. */
enum { FORMULA_LONG = 4096, FORMULA_DEEP = 40 };

typedef struct {
  SsNlText text;
  int depth;
  bool is_atom; /* a name or a number without sign: may be written several times */
} Piece;

typedef struct {
  const SsNl *nl;
  Piece *stack;
  int n, capacity;
  bool is_broken; /* memory ran out */
  SsNlText definitions, zero, nonnegative, pairs, guess, extra;
  int n_definitions, n_mixed;
  Piece *commons; /* n_commons: definitions of the common expressions, made when they are first read */
} Translation;

/* Ends a piece; what memory it lacked is lacking in the whole. */
static void
drop (Translation *t, Piece *piece)
{
  t->is_broken = t->is_broken || piece->text.is_broken;
  ss_nl_text_clear (&piece->text);
}

static Piece
piece_of (const char *text, bool is_atom)
{
  Piece piece = {.is_atom = is_atom};

  ss_nl_text_puts (&piece.text, text);
  return piece;
}

static Piece
piece_of_number (double value)
{
  char number[40];

  number[0] = '(';
  ss_format_double (value, number + 1, sizeof number - 2);
  if (value >= 0 && !signbit (value))
    return piece_of (number + 1, true);
  strcat (number, ")");
  return piece_of (number, true);
}

static void
push (Translation *t, Piece piece)
{
  t->is_broken = t->is_broken || piece.text.is_broken ||
                 ss_array_reserve ((void **)&t->stack, &t->capacity, t->n + 1, sizeof *t->stack) != 0;
  if (t->is_broken)
    drop (t, &piece);
  else
    t->stack[t->n++] = piece;
}

static Piece
pop (Translation *t)
{
  if (t->is_broken || t->n == 0) {
    t->is_broken = true;
    return (Piece){0};
  }
  return t->stack[--t->n];
}

/* The piece becomes a definition and goes on as its name. */
static void
define (Translation *t, Piece *piece)
{
  char name[24];

  if (piece->is_atom)
    return;
  snprintf (name, sizeof name, "d%d", ++t->n_definitions);
  ss_nl_text_printf (&t->definitions, "%s\"%s\": \"", t->n_definitions > 1 ? ",\n    " : "", name);
  ss_nl_text_add (&t->definitions, piece->text.text != NULL ? piece->text.text : "0", piece->text.length);
  ss_nl_text_puts (&t->definitions, "\"");
  drop (t, piece);
  *piece = piece_of (name, true);
}

static void
define_if_large (Translation *t, Piece *piece)
{
  if (piece->text.length > FORMULA_LONG || piece->depth > FORMULA_DEEP)
    define (t, piece);
}

static void
add_piece (Piece *to, const Piece *piece)
{
  ss_nl_text_add (&to->text, piece->text.text != NULL ? piece->text.text : "", piece->text.length);
  if (to->depth < piece->depth + 1)
    to->depth = piece->depth + 1;
}

/* An operator of one or two operands, by its formula. */
static void
apply (Translation *t, const SsNlOperator *operator)
{
  Piece operand[2] = {pop (t)}, out = {0};
  int n_uses = 0;

  if (operator->arity == 2)
    operand[1] = pop (t);
  for (const char *s = operator->formula; *s != '\0'; s++)
    n_uses += *s == '$';
  if (n_uses > 1)
    define (t, &operand[0]);
  for (const char *s = operator->formula; *s != '\0'; s++) {
    if (*s == '$' || *s == '@')
      add_piece (&out, &operand[*s == '@']);
    else
      ss_nl_text_add (&out.text, s, 1);
  }
  for (int i = 0; i < 2; i++)
    drop (t, &operand[i]);
  define_if_large (t, &out);
  push (t, out);
}

/* A list of n operands: "(a + b + c)", "min(a, b, c)"; where it grows long, what there is becomes its first operand. */
static void
apply_list (Translation *t, const SsNlOperator *operator, int n)
{
  const bool is_sum = operator->formula[0] == ' ';
  const char *const open = is_sum ? "" : operator->formula, *const between = is_sum ? operator->formula : ", ";
  Piece out = {0};

  if (n == 1) /* min (a) is a, and its operand is on the stack already */
    return;
  for (int i = 0; i < n && !t->is_broken; i++) {
    Piece operand = pop (t);
    if (i == 0) {
      ss_nl_text_printf (&out.text, "%s(", open);
    } else {
      if (out.text.length > FORMULA_LONG) {
        ss_nl_text_puts (&out.text, ")");
        define (t, &out);
        Piece begun = {0};
        ss_nl_text_printf (&begun.text, "%s(", open);
        add_piece (&begun, &out);
        drop (t, &out);
        out = begun;
      }
      ss_nl_text_puts (&out.text, between);
    }
    add_piece (&out, &operand);
    drop (t, &operand);
  }
  ss_nl_text_puts (&out.text, ")");
  define_if_large (t, &out);
  push (t, out);
}

static Piece sum_of (Translation *t, const SsNlSum *sum);

static Piece
variable_of (Translation *t, int index)
{
  char name[24];

  if (index >= t->nl->n_variables) {
    const Piece *common = &t->commons[index - t->nl->n_variables];
    return piece_of (common->text.text != NULL ? common->text.text : "0", true);
  }
  snprintf (name, sizeof name, "v%d", index + 1);
  return piece_of (name, true);
}

static Piece
expression_of (Translation *t, const SsNlSum *sum)
{
  const SsNlToken *tokens = t->nl->tokens + sum->first_token;

  for (int i = sum->n_tokens - 1; i >= 0 && !t->is_broken; i--)
    switch (tokens[i].kind) {
    case SS_NL_NUMBER:
      push (t, piece_of_number (tokens[i].value));
      break;
    case SS_NL_VARIABLE:
      push (t, variable_of (t, tokens[i].n));
      break;
    case SS_NL_OPERATOR: {
      const SsNlOperator *operator= ss_nl_operator (tokens[i].code);
      if (operator->arity == SS_NL_LIST)
        apply_list (t, operator, tokens[i].n);
      else
        apply (t, operator);
      break;
    }
    }
  return pop (t);
}

/* Linear terms, then the expression; "0" of an empty sum. No parentheses around it: see `closed`. */
static Piece
sum_of (Translation *t, const SsNlSum *sum)
{
  Piece out = {0};

  for (int i = 0; i < sum->n_terms && !t->is_broken; i++) {
    const SsNlTerm *term = &t->nl->terms[sum->first_term + i];
    const double size = fabs (term->coefficient);

    if (out.text.length > FORMULA_LONG)
      define (t, &out);
    out.is_atom = false;
    ss_nl_text_puts (&out.text, term->coefficient < 0 ? (out.text.length > 0 ? " - " : "-")
                                : out.text.length > 0 ? " + "
                                                      : "");
    if (size != 1) {
      ss_nl_text_number (&out.text, size);
      ss_nl_text_puts (&out.text, "*");
    }
    ss_nl_text_printf (&out.text, "v%d", term->variable + 1);
  }
  if (sum->n_tokens > 0) {
    Piece expression = expression_of (t, sum);
    if (out.text.length > 0) {
      if (out.text.length + expression.text.length > FORMULA_LONG)
        define (t, &expression);
      ss_nl_text_puts (&out.text, " + ");
      add_piece (&out, &expression);
      out.is_atom = false;
      drop (t, &expression);
    } else {
      drop (t, &out);
      out = expression;
    }
  }
  if (out.text.length == 0)
    ss_nl_text_puts (&out.text, "0");
  define_if_large (t, &out);
  t->is_broken = t->is_broken || out.text.is_broken;
  return out;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static const char *
text_of (const Piece *piece)
{
  return piece->text.text != NULL ? piece->text.text : "0";
}

/* "(body) - bound" or "bound - (body)", without what does nothing. */
static void
add_side (SsNlText *out, const Piece *body, double bound, bool is_upper)
{
  const char *open = body->is_atom ? "" : "(", *close = body->is_atom ? "" : ")";

  if (is_upper) {
    if (bound != 0)
      ss_nl_text_number (out, bound);
    ss_nl_text_puts (out, bound != 0 ? " - " : "-");
    ss_nl_text_puts (out, open);
    ss_nl_text_puts (out, text_of (body));
    ss_nl_text_puts (out, close);
    return;
  }
  if (bound == 0) {
    ss_nl_text_puts (out, text_of (body));
    return;
  }
  ss_nl_text_puts (out, open);
  ss_nl_text_puts (out, text_of (body));
  ss_nl_text_puts (out, close);
  ss_nl_text_puts (out, bound > 0 ? " - " : " + ");
  ss_nl_text_number (out, fabs (bound));
}

static void
open_row (SsNlText *list)
{
  ss_nl_text_puts (list, list->length > 0 ? ",\n        \"" : "\"");
}

/* lower <= body <= upper */
static void
add_range (Translation *t, Piece *body, double lower, double upper)
{
  if (lower == upper) {
    open_row (&t->zero);
    add_side (&t->zero, body, lower, false);
    ss_nl_text_puts (&t->zero, "\"");
    return;
  }
  if (isfinite (lower) && isfinite (upper) && body->text.length > 64)
    define (t, body);
  for (int is_upper = 0; is_upper < 2; is_upper++) {
    if (!isfinite (is_upper ? upper : lower))
      continue;
    open_row (&t->nonnegative);
    add_side (&t->nonnegative, body, is_upper ? upper : lower, is_upper);
    ss_nl_text_puts (&t->nonnegative, "\"");
  }
}

/* "a", "b" as a pair. */
static void
add_pair (Translation *t, int variable, bool is_upper, const char *other)
{
  Piece x = variable_of (t, variable);

  ss_nl_text_puts (&t->pairs, t->pairs.length > 0 ? ",\n        [\"" : "[\"");
  ss_nl_text_puts (&t->pairs, other);
  ss_nl_text_puts (&t->pairs, "\", \"");
  add_side (&t->pairs, &x, is_upper ? t->nl->upper[variable] : t->nl->lower[variable], is_upper);
  ss_nl_text_puts (&t->pairs, "\"]");
  drop (t, &x);
}

/* Both bounds take part: the body is p - n. */
static void
add_mixed (Translation *t, const SsNlRow *row, Piece *body)
{
  char p[24], n[24];

  define (t, body);
  snprintf (p, sizeof p, "p%d", ++t->n_mixed);
  snprintf (n, sizeof n, "n%d", t->n_mixed);
  ss_nl_text_printf (&t->extra, ", \"%s\", \"%s\"", p, n);
  ss_nl_text_printf (&t->guess, ", \"%s\": \"max(%s, 0)\", \"%s\": \"max(-%s, 0)\"", p, text_of (body), n,
                     text_of (body));
  open_row (&t->zero);
  ss_nl_text_printf (&t->zero, "%s - %s + %s\"", text_of (body), p, n);
  add_pair (t, row->complements, false, p);
  add_pair (t, row->complements, true, n);
}

static void
add_complement (Translation *t, const SsNlRow *row, Piece *body)
{
  if (!row->at_lower && !row->at_upper) {
    add_range (t, body, 0, 0);
  } else if (row->at_lower && row->at_upper) {
    add_mixed (t, row, body);
  } else if (row->at_lower) {
    add_pair (t, row->complements, false, text_of (body));
  } else {
    SsNlText negative = {0};
    add_side (&negative, body, 0, true);
    add_pair (t, row->complements, true, negative.text != NULL ? negative.text : "0");
    t->is_broken = t->is_broken || negative.is_broken;
    ss_nl_text_clear (&negative);
  }
}

static void
translate (Translation *t, int objective, Piece *cost)
{
  const SsNl *nl = t->nl;

  for (int i = 0; i < nl->n_defined && !t->is_broken; i++) {
    Piece *common = &t->commons[nl->defined[i]];
    *common = sum_of (t, &nl->commons[nl->defined[i]]);
    define (t, common);
  }
  for (int i = 0; i < nl->n_rows && !t->is_broken; i++) {
    Piece body = sum_of (t, &nl->rows[i].body);
    if (nl->rows[i].complements >= 0)
      add_complement (t, &nl->rows[i], &body);
    else
      add_range (t, &body, nl->rows[i].lower, nl->rows[i].upper);
    drop (t, &body);
  }
  for (int j = 0; j < nl->n_variables && !t->is_broken; j++) {
    Piece x = variable_of (t, j);
    add_range (t, &x, nl->lower[j], nl->upper[j]);
    drop (t, &x);
  }
  if (objective < nl->n_objectives) {
    Piece sum = sum_of (t, &nl->objectives[objective].sum);
    if (nl->objectives[objective].is_maximised)
      add_side (&cost->text, &sum, 0, true);
    else
      ss_nl_text_puts (&cost->text, text_of (&sum));
    drop (t, &sum);
  }
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* A name of a scenario, from a file's: letters, digits, - and _ of its last part without its ending. */
static void
name_of_file (const char *file, char name[SS_NAME_MAX + 1])
{
  const char *slash = strrchr (file, '/'), *last = slash != NULL ? slash + 1 : file, *dot = strrchr (last, '.');
  size_t n = 0;

  for (const char *s = last; *s != '\0' && s != dot && n < SS_NAME_MAX; s++) {
    const char lower = (char)(*s | 32);
    const bool is_letter = (lower >= 'a' && lower <= 'z') || *s == '_';
    if (n == 0 && !is_letter)
      name[n++] = '_';
    if (n < SS_NAME_MAX)
      name[n++] = is_letter || (*s >= '0' && *s <= '9') || *s == '-' ? *s : '_';
  }
  name[n] = '\0';
  if (n == 0)
    strcpy (name, "problem");
}

static void
add_list (SsNlText *out, const char *name, const SsNlText *list, bool *is_next)
{
  if (list->length == 0)
    return;
  ss_nl_text_printf (out, "%s\"%s\": [\n        ", *is_next ? ",\n      " : "", name);
  ss_nl_text_add (out, list->text, list->length);
  ss_nl_text_puts (out, "]");
  *is_next = true;
}

static void
write_scenario (const Translation *t, int objective, const Piece *cost, const char *file, SsNlText *out)
{
  const SsNl *nl = t->nl;
  char name[SS_NAME_MAX + 1];
  bool is_next = false;

  name_of_file (file, name);
  ss_nl_text_printf (out, "{\n  \"format\": 1,\n  \"name\": \"%s\",\n", name);
  if (objective < nl->n_objectives && nl->objectives[objective].is_maximised)
    ss_nl_text_puts (out,
                     "  \"description\": \"The objective is the negative of the one that the file maximises.\",\n");
  ss_nl_text_puts (out, "  \"model\": {\n  \"points\": 1,\n  \"states\": [");
  for (int j = 0; j < nl->n_variables; j++)
    ss_nl_text_printf (out, "%s\"v%d\"", j > 0 ? ", " : "", j + 1);
  ss_nl_text_add (out, t->extra.text != NULL ? t->extra.text : "", t->extra.length);
  ss_nl_text_puts (out, "],\n");
  if (t->n_definitions > 0) {
    ss_nl_text_puts (out, "  \"definitions\": {\n    ");
    ss_nl_text_add (out, t->definitions.text, t->definitions.length);
    ss_nl_text_puts (out, "},\n");
  }
  ss_nl_text_puts (out, "  \"constraints\": [");
  if (t->zero.length + t->nonnegative.length + t->pairs.length > 0) {
    ss_nl_text_puts (out, "{\"name\": \"rows\",\n      ");
    add_list (out, "zero", &t->zero, &is_next);
    add_list (out, "nonnegative", &t->nonnegative, &is_next);
    add_list (out, "complementary", &t->pairs, &is_next);
    ss_nl_text_puts (out, "}");
  }
  ss_nl_text_puts (out, "],\n  \"cost\": [");
  if (cost->text.length > 0) {
    ss_nl_text_puts (out, "{\"name\": \"objective\", \"cost\": \"");
    ss_nl_text_add (out, cost->text.text, cost->text.length);
    ss_nl_text_puts (out, "\"}");
  }
  ss_nl_text_puts (out, "]},\n  \"task\": {\"guess\": {\"values\": {");
  for (int j = 0; j < nl->n_variables; j++) {
    ss_nl_text_printf (out, "%s\"v%d\": ", j > 0 ? ", " : "", j + 1);
    ss_nl_text_number (out, nl->start[j]);
  }
  ss_nl_text_add (out, t->guess.text != NULL ? t->guess.text : "", t->guess.length);
  ss_nl_text_puts (out, "}}}\n}\n");
}

SsStatus
ss_nl_to_scenario (const SsNl *nl, int objective, const char *file, char **text, size_t *length, SsError *err)
{
  SS_ASSERT (nl != NULL && objective >= 0 && file != NULL && text != NULL && length != NULL);

  Translation t = {.nl = nl, .commons = ss_new_array (Piece, nl->n_commons + 1)};
  Piece cost = {0};
  SsNlText out = {0};

  *text = NULL;
  *length = 0;
  t.is_broken = t.commons == NULL;
  if (!t.is_broken) {
    translate (&t, objective, &cost);
    write_scenario (&t, objective, &cost, file, &out);
  }
  for (SsNlText *const *part =
           (SsNlText *const[]){&t.definitions, &t.zero, &t.nonnegative, &t.pairs, &t.guess, &t.extra, &cost.text, NULL};
       *part != NULL; part++) {
    t.is_broken = t.is_broken || (*part)->is_broken;
    ss_nl_text_clear (*part);
  }
  for (int i = 0; i < t.n; i++)
    drop (&t, &t.stack[i]);
  for (int i = 0; t.commons != NULL && i < nl->n_commons; i++)
    drop (&t, &t.commons[i]);
  ss_free (t.stack);
  ss_free (t.commons);
  if (t.is_broken || out.is_broken) {
    ss_nl_text_clear (&out);
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory while reading the problem");
  }
  *text = out.text;
  *length = out.length;
  return SS_OK;
}

bool
ss_nl_is_path (const char *path)
{
  const size_t n = strlen (path);

  return n > 3 && ss_nl_is_word (path + n - 3, ".nl");
}

SsStatus
ss_nl_text_of_file (const char *path, const char *bytes, size_t length, SsProblems *problems, char **text,
                    size_t *text_length)
{
  SS_ASSERT (text != NULL && text_length != NULL);

  SsNl *nl;
  SsError error = {0};

  *text = NULL;
  *text_length = 0;
  if (!ss_nl_is_path (path))
    return SS_OK;
  SsStatus status = ss_nl_read (bytes, length, path, problems, &nl);
  if (status != SS_OK)
    return status;
  status = ss_nl_to_scenario (nl, 0, path, text, text_length, &error);
  ss_nl_free (nl);
  if (status != SS_OK)
    ss_problems_add (problems, &error);
  return status;
}
