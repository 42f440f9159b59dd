/* engine/scene/ss-data.c: tables of numbers (`data`), names with indices.
 *
 * A number of a table is a constant of the formula that reads it. An element x[3] of anything else is the name x3, and
 * u[3,2] is u3_2: so families ("x{i}") and vectors declare the same names, and results need no brackets. */
#include "scene/ss-scenario-private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static const char rows_expected[] = "a list of numbers, [5, 6], or of rows of one length, [[1, 2], [3, 4]]";

/* The numbers of a list; false after reporting. */
static bool
read_numbers (SsReader *reader, const SsJsonAt *list, double *values)
{
  SsJsonAt at;

  for (bool more = ss_at_first (reader, list, &at); more; more = ss_at_next (reader, &at)) {
    if (!json_is_number (at.value)) {
      ss_reader_problem (reader, &at, "a plain number", "a table has numbers only");
      return false;
    }
    *values++ = json_number_value (at.value);
  }
  return true;
}

static void
read_table (SsReader *reader, const SsJsonAt *at, int index)
{
  SsTable *table = &reader->tables[index];
  const size_t n_rows = json_array_size (at->value);
  const json_t *first = json_array_get (at->value, 0);
  const size_t n_columns = json_array_size (first), n = n_rows * (n_columns > 0 ? n_columns : 1);
  SsJsonAt row;
  double *values;

  if (n_rows == 0 || (json_is_array (first) && n_columns == 0)) {
    ss_reader_problem (reader, at, rows_expected, "this is no table");
    return;
  }
  if (n > (size_t)(SS_TABLE_NUMBERS_MAX - reader->n_table_numbers)) {
    ss_reader_problem (reader, at, "at most 1000000 numbers in all tables", "the tables are too large");
    return;
  }
  reader->n_table_numbers += (int)n;
  values = ss_reader_alloc (reader, n, sizeof *values);
  if (values == NULL)
    return;
  if (n_columns == 0 && !read_numbers (reader, at, values))
    return;
  for (bool more = n_columns > 0 && ss_at_first (reader, at, &row); more; more = ss_at_next (reader, &row)) {
    if (json_array_size (row.value) != n_columns) {
      ss_reader_problem (reader, &row, rows_expected, "this row has not the length of the first");
      return;
    }
    if (!read_numbers (reader, &row, values + (size_t)row.index * n_columns))
      return;
  }
  if (ss_reader_add_name (reader, at, ss_reader_strdup (reader, at->key), SS_SYMBOL_TABLE, index))
    *table = (SsTable){.n_rows = (int)n_rows, .n_columns = (int)n_columns, .values = values};
}

void
ss_read_data (SsReader *reader, const SsJsonAt *root)
{
  SsJsonAt data_at, at;
  int index = 0;

  if (!ss_at_member (reader, root, "data", &data_at) || !ss_read_is_object (reader, &data_at))
    return;
  reader->tables = ss_reader_alloc (reader, json_object_size (data_at.value), sizeof *reader->tables);
  for (bool more = reader->tables != NULL && ss_at_first (reader, &data_at, &at); more; more = ss_at_next (reader, &at))
    read_table (reader, &at, index++);
}

/* ---- names with indices ------------------------------------------------------------------------------------------ */

void
ss_write_element (char *buffer, size_t size, const char *base, int length, int n_indices, const int *index)
{
  SS_ASSERT (n_indices >= 0);
  if (n_indices == 1)
    snprintf (buffer, size, "%.*s%d", length, base, index[0]);
  else
    snprintf (buffer, size, "%.*s%d_%d", length, base, index[0], index[1]);
}

static SsStatus
table_number (const SsTable *table, const char *name, int length, int n_indices, const int *index, double *value,
              SsError *err)
{
  const int n_wanted = table->n_columns > 0 ? 2 : 1, row = index[0] - 1, column = n_wanted == 2 ? index[1] - 1 : 0;

  if (n_indices == n_wanted && row >= 0 && row < table->n_rows && column >= 0 &&
      column < (n_wanted == 2 ? table->n_columns : 1)) {
    *value = table->values[n_wanted == 2 ? row * table->n_columns + column : row];
    return SS_OK;
  }
  if (n_indices != n_wanted)
    ss_error_set (err, SS_ERR_INVALID, "a table needs %d ind%s in brackets, '%.*s' has %d", n_wanted,
                  n_wanted == 1 ? "ex" : "ices", length, name, n_indices);
  else
    ss_error_set (err, SS_ERR_INVALID, "'%.*s' is outside the table", length, name);
  if (err != NULL && n_wanted == 2)
    snprintf (err->expected, sizeof err->expected, "[1,1] to [%d,%d]", table->n_rows, table->n_columns);
  else if (err != NULL)
    snprintf (err->expected, sizeof err->expected, "[1] to [%d]", table->n_rows);
  return SS_ERR_INVALID;
}

/* Indices of "x[3]" or "u[3,2]"; *base: length of the name before them. */
static int
split_name (const char *name, size_t length, int *base, int index[2])
{
  const char *open = memchr (name, '[', length);
  char *end;

  *base = open != NULL ? (int)(open - name) : (int)length;
  index[0] = index[1] = 0;
  if (open == NULL)
    return 0;
  index[0] = (int)strtol (open + 1, &end, 10);
  if (*end != ',')
    return 1;
  index[1] = (int)strtol (end + 1, NULL, 10);
  return 2;
}

bool
ss_reader_resolve (SsReader *reader, SsGraph *graph, SsNameRef *ref, int shift, SsExpr *out, SsStatus *status,
                   SsError *err)
{
  SS_ASSERT (reader != NULL && ref != NULL && status != NULL);

  int base, index[2];
  const int n_indices = split_name (ref->name, ref->length, &base, index),
            shown = base < SS_NAME_MAX ? base : SS_NAME_MAX;
  const SsSymbol *symbol = ss_names_find (&reader->names, ref->name, (size_t)base);
  double value = 0;

  *status = SS_ERR_INVALID;
  if (shift == SS_NAME_TAKEN) {
    *status = symbol != NULL ? SS_OK : SS_ERR_INVALID;
    return true;
  }
  if (symbol != NULL && symbol->kind == SS_SYMBOL_TABLE) {
    if (shift == SS_NAME_NEXT)
      ss_error_set (err, SS_ERR_INVALID, "next(%s): a table does not change with time", symbol->name);
    else
      *status =
          table_number (&reader->tables[symbol->index], ref->name, (int)ref->length, n_indices, index, &value, err);
    if (*status == SS_OK)
      *out = ss_graph_constant (graph, value);
    return true;
  }
  if (n_indices > 0) {
    ss_write_element (ref->element, sizeof ref->element, ref->name, shown, n_indices, index);
    symbol = ss_names_find (&reader->names, ref->element, strlen (ref->element));
    if (symbol == NULL) {
      ss_error_set (err, SS_ERR_INVALID, "there is no '%.*s', which is '%s'", (int)ref->length, ref->name,
                    ref->element);
      if (err != NULL)
        snprintf (err->expected, sizeof err->expected, "an element of a vector or table; the first is [1]");
      return true;
    }
    ref->name = ref->element;
    ref->length = strlen (ref->element);
  }
  ref->symbol = symbol;
  if (shift != SS_NAME_CONSTANT)
    return false;
  if (symbol == NULL || symbol->kind != SS_SYMBOL_PARAMETER) {
    ss_error_set (err, SS_ERR_INVALID, "'%.*s' is no parameter", (int)ref->length, ref->name);
    if (err != NULL)
      snprintf (err->expected, sizeof err->expected, "indices of numbers, parameters and indices of sums");
    return true;
  }
  reader->parameters[symbol->index].is_structural = true;
  *out = ss_graph_constant (graph, reader->parameters[symbol->index].value);
  *status = SS_OK;
  return true;
}
