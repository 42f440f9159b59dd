/* engine/scene/ss-interest-unit.c: see the header. Tests: tests/unit/test-interest.c */
#include "scene/ss-interest-unit.h"

#include "core/ss-memory.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  double power[SS_DIMENSIONS];
} named_units[] = {{"m", {1, 0, 0}},     {"kg", {0, 1, 0}},    {"s", {0, 0, 1}},     {"rad", {0, 0, 0}},
                   {"N", {1, 1, -2}},    {"J", {2, 1, -2}},    {"W", {2, 1, -3}},    {"m/s", {1, 0, -1}},
                   {"m/s2", {1, 0, -2}}, {"N s", {1, 1, -1}},  {"J s", {2, 1, -1}},  {"m s", {1, 0, 1}},
                   {"m2", {2, 0, 0}},    {"1/s", {0, 0, -1}},  {"1/s2", {0, 0, -2}}, {"m2/s2", {2, 0, -2}},
                   {"N/m", {0, 1, -2}},  {"kg m2", {2, 1, 0}}, {"N2", {2, 2, -4}},   {"N2 s", {2, 2, -3}}};
enum { N_NAMED = sizeof named_units / sizeof *named_units, N_BASE = 7 };

bool
ss_dimension_read (const char *text, SsDimension *out)
{
  double sign = 1;

  *out = (SsDimension){0};
  while (*text != '\0') {
    const size_t length = strspn (text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    int found = -1;
    double power = 1;

    for (int i = 0; i < N_BASE; i++)
      if (strlen (named_units[i].name) == length && strncmp (named_units[i].name, text, length) == 0)
        found = i;
    if (found < 0 && *text != '1')
      return false;
    text += found < 0 ? 1 : length;
    if (isdigit ((unsigned char)*text))
      power = *text++ - '0';
    for (int d = 0; d < SS_DIMENSIONS && found >= 0; d++)
      out->power[d] += sign * power * named_units[found].power[d];
    if (*text == '/')
      sign = -1;
    if (*text != '\0')
      text++;
  }
  return true;
}

static bool
is_alike (const SsDimension *a, const SsDimension *b)
{
  for (int d = 0; d < SS_DIMENSIONS; d++)
    if (fabs (a->power[d] - b->power[d]) > 1e-9)
      return false;
  return true;
}

void
ss_dimension_write (const SsDimension *unit, char text[SS_INTEREST_UNIT])
{
  static const char *const base[] = {"m", "kg", "s"};
  const SsDimension none = {0};
  size_t used = 0;

  text[0] = '\0';
  if (unit->is_any || is_alike (unit, &none))
    return;
  for (int i = 0; i < N_NAMED; i++) {
    SsDimension named = {0};

    memcpy (named.power, named_units[i].power, sizeof named.power);
    if (is_alike (unit, &named)) {
      snprintf (text, SS_INTEREST_UNIT, "%s", named_units[i].name);
      return;
    }
  }
  for (int d = 0; d < SS_DIMENSIONS; d++)
    if (fabs (unit->power[d]) > 1e-9 && used < SS_INTEREST_UNIT)
      used += (size_t)snprintf (text + used, SS_INTEREST_UNIT - used, "%s%s%.3g", used > 0 ? " " : "", base[d],
                                unit->power[d]);
}

static SsStatus
refuse_units (const SsDimension *a, const SsDimension *b, SsError *err)
{
  char first[SS_INTEREST_UNIT], second[SS_INTEREST_UNIT];

  ss_dimension_write (a, first);
  ss_dimension_write (b, second);
  return ss_error_set (err, SS_ERR_INVALID, "units do not fit: %s beside %s", first[0] != '\0' ? first : "a number",
                       second[0] != '\0' ? second : "a number");
}

/* Of what needs no unit: angles and numbers. */
static SsStatus
check_plain (SsOp op, const SsDimension *unit, SsError *err)
{
  const SsDimension none = {0};
  char text[SS_INTEREST_UNIT];

  if (unit->is_any || is_alike (unit, &none))
    return SS_OK;
  ss_dimension_write (unit, text);
  return ss_error_set (err, SS_ERR_INVALID, "%s of %s is no number", op == SS_OP_POW ? "a power" : "a function", text);
}

SsDimension
ss_dimension_combine (const SsDimension *a, double by_a, const SsDimension *b, double by_b)
{
  SsDimension sum = {.is_any = a->is_any && (b == NULL || b->is_any)};

  for (int d = 0; d < SS_DIMENSIONS; d++)
    sum.power[d] = (a->is_any ? 0 : by_a * a->power[d]) + (b == NULL || b->is_any ? 0 : by_b * b->power[d]);
  return sum;
}

static bool
keeps_unit (SsOp op)
{
  return op == SS_OP_ADD || op == SS_OP_SUB || op == SS_OP_MIN || op == SS_OP_MAX || op == SS_OP_LT || op == SS_OP_LE ||
         op == SS_OP_EQ || op == SS_OP_MOD || op == SS_OP_ATAN2;
}

static bool
is_plain (SsOp op)
{
  return op == SS_OP_LT || op == SS_OP_LE || op == SS_OP_EQ || op == SS_OP_ATAN2;
}

/* The unit of a node from those of its operands. */
static SsStatus
unit_of (const SsGraph *graph, SsExpr e, const SsDimension of[3], SsDimension *out, SsError *err)
{
  const SsOp op = ss_graph_op (graph, e);
  const int first = op == SS_OP_IF; /* behind its condition */
  SsStatus status = SS_OK;

  if ((keeps_unit (op) || op == SS_OP_IF) && !of[first].is_any && !of[first + 1].is_any &&
      !is_alike (&of[first], &of[first + 1]))
    return refuse_units (&of[first], &of[first + 1], err);
  if (is_plain (op))
    *out = (SsDimension){0};
  else if (keeps_unit (op) || op == SS_OP_IF)
    *out = of[first].is_any ? of[first + 1] : of[first];
  else if (op == SS_OP_MUL || op == SS_OP_DIV)
    *out = ss_dimension_combine (&of[0], 1, &of[1], op == SS_OP_MUL ? 1 : -1);
  else if (op == SS_OP_NEG || op == SS_OP_ABS || op == SS_OP_FLOOR)
    *out = of[0];
  else if (op == SS_OP_SQRT)
    *out = ss_dimension_combine (&of[0], 0.5, NULL, 0);
  else if (op == SS_OP_POW && ss_graph_op (graph, ss_graph_operand (graph, e, 1)) == SS_OP_CONSTANT)
    *out = ss_dimension_combine (&of[0], ss_graph_value (graph, ss_graph_operand (graph, e, 1)), NULL, 0);
  else {
    *out = (SsDimension){0};
    for (int i = 0; i < 3 && status == SS_OK && op != SS_OP_SIGN; i++)
      status = check_plain (op, &of[i], err);
  }
  return status;
}

/* Operands have smaller numbers than what is made of them. */
SsStatus
ss_dimension_find (const SsGraph *graph, SsExpr e, const SsDimension *units, SsDimension *out, SsError *err)
{
  SsDimension *found = ss_new_array (SsDimension, e + 1);
  bool *is_read = ss_new_array (bool, e + 1);
  SsStatus status = found != NULL && is_read != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");

  if (status == SS_OK)
    is_read[e] = true;
  for (SsExpr i = e; i >= 0 && status == SS_OK; i--)
    for (int k = 0; is_read[i] && k < 3 && ss_graph_operand (graph, i, k) != SS_EXPR_NONE; k++)
      is_read[ss_graph_operand (graph, i, k)] = true;
  for (SsExpr i = 0; i <= e && status == SS_OK; i++) {
    SsDimension of[3] = {{.is_any = true}, {.is_any = true}, {.is_any = true}};
    const SsOp op = ss_graph_op (graph, i);

    if (!is_read[i])
      continue;
    for (int k = 0; k < 3 && ss_graph_operand (graph, i, k) != SS_EXPR_NONE; k++)
      of[k] = found[ss_graph_operand (graph, i, k)];
    if (op == SS_OP_CONSTANT)
      found[i] = (SsDimension){.is_any = true};
    else if (op == SS_OP_INPUT)
      found[i] = units[ss_graph_slot (graph, i)];
    else
      status = unit_of (graph, i, of, &found[i], err);
  }
  if (status == SS_OK)
    *out = found[e];
  ss_free (found);
  ss_free (is_read);
  return status;
}
