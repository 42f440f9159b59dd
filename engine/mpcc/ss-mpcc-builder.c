/* engine/mpcc/ss-mpcc-builder.c: gathers templates, their tables and pairs of rows, of which ss-mpcc-build.c makes a
 * problem; names of these rows. */
#include "mpcc/ss-mpcc-private.h"

#include <limits.h>
#include <string.h>

SsStatus
ss_mpcc_builder_new (SsGraph *graph, int n_variables, int n_parameters, SsMpccBuilder **out, SsError *err)
{
  SS_ASSERT (graph != NULL && out != NULL);
  SS_ASSERT (n_variables >= 0 && n_parameters >= 0);

  SsMpccBuilder *builder;

  *out = NULL;
  if (n_variables < 0 || n_parameters < 0)
    return ss_error_set (err, SS_ERR_ARG, "negative number of variables or parameters");
  builder = ss_new (SsMpccBuilder);
  if (builder == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  builder->arena = ss_arena_new ();
  if (builder->arena == NULL) {
    ss_free (builder);
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  builder->graph = graph;
  builder->n_variables = n_variables;
  builder->n_parameters = n_parameters;
  *out = builder;
  return SS_OK;
}

void
ss_mpcc_builder_free (SsMpccBuilder *builder)
{
  if (builder == NULL)
    return;
  ss_arena_free (builder->arena);
  ss_free (builder->added);
  ss_free (builder->pairs);
  ss_free (builder);
}

/* Everything that can be wrong with a template before derivatives are taken. */
static SsStatus
check_template (const SsMpccBuilder *builder, const SsMpccTemplate *t, int n_instances, const int *gather, SsError *err)
{
  long long n_slots, n_reads = (long long)n_instances * t->n_inputs;

  if (n_instances < 0 || t->n_inputs < 0 || t->n_formulas < 0 || t->n_constants < 0)
    return ss_error_set (err, SS_ERR_ARG, "template %s: negative count", t->name);
  n_slots = (long long)t->n_inputs + t->n_constants + builder->n_parameters;
  if (n_slots + t->n_formulas > INT_MAX || n_reads > INT_MAX || (long long)n_instances * t->n_formulas > INT_MAX)
    return ss_error_set (err, SS_ERR_ARG, "template %s: too large", t->name);
  for (long long i = 0; i < n_reads; i++)
    if (gather[i] < 0 || gather[i] >= builder->n_variables)
      return ss_error_set (err, SS_ERR_ARG, "template %s: instance %d reads variable %d of %d", t->name,
                           (int)(i / t->n_inputs), gather[i], builder->n_variables);
  for (int f = 0; f < t->n_formulas; f++) {
    int last = -1, n;
    int *slots;

    if (t->formulas[f] == SS_EXPR_NONE)
      return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
    if (!ss_graph_is_smooth (builder->graph, t->formulas[f]))
      return ss_error_set (err, SS_ERR_INVALID, "template %s: formula %d has no derivative", t->name, f);
    n = ss_graph_inputs (builder->graph, t->formulas[f], NULL, 0);
    slots = ss_new_array (int, n);
    if (slots == NULL)
      return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
    if (ss_graph_inputs (builder->graph, t->formulas[f], slots, n) > 0)
      last = slots[n - 1];
    ss_free (slots);
    if (last >= n_slots)
      return ss_error_set (err, SS_ERR_ARG, "template %s: formula %d reads slot %d of %lld", t->name, f, last, n_slots);
  }
  return SS_OK;
}

/* table[instance * width + item] -> copy[item * n_instances + instance] */
static int *
transposed_copy (SsArena *arena, const int *table, int n_instances, int width)
{
  int *copy = ss_arena_alloc (arena, (size_t)n_instances * (size_t)width, sizeof *copy);

  if (copy != NULL)
    for (int i = 0; i < n_instances; i++)
      for (int w = 0; w < width; w++)
        copy[(size_t)w * n_instances + i] = table[(size_t)i * width + w];
  return copy;
}

static SsStatus
add_template (SsMpccBuilder *builder, const SsMpccTemplate *t, int n_instances, const int *gather, SsMpccAdded **out,
              SsError *err)
{
  SsArena *arena = builder->arena;
  SsStatus status = check_template (builder, t, n_instances, gather, err);
  SsMpccAdded added = {.first_instance = t->first_instance,
                       .instance_stride = t->instance_stride != 0 ? t->instance_stride : 1,
                       .n_inputs = t->n_inputs,
                       .n_constants = t->n_constants};

  if (status != SS_OK)
    return status;
  added.n_formulas = t->n_formulas;
  added.n_instances = n_instances;
  added.name = ss_arena_strdup (arena, t->name != NULL ? t->name : "");
  added.formulas = ss_arena_alloc (arena, (size_t)t->n_formulas, sizeof *added.formulas);
  added.gather = transposed_copy (arena, gather, n_instances, t->n_inputs);
  added.constants = ss_arena_alloc (arena, (size_t)n_instances * (size_t)t->n_constants, sizeof (double));
  if (added.name == NULL || added.formulas == NULL || added.gather == NULL || added.constants == NULL)
    goto no_memory;
  for (int f = 0; f < t->n_formulas; f++)
    added.formulas[f] = t->formulas[f];
  for (int i = 0; i < n_instances; i++)
    for (int c = 0; c < t->n_constants; c++)
      added.constants[(size_t)c * n_instances + i] = t->constants[(size_t)i * t->n_constants + c];
  if (t->formula_names != NULL) {
    added.formula_names = ss_arena_alloc (arena, (size_t)t->n_formulas, sizeof *added.formula_names);
    for (int f = 0; added.formula_names != NULL && f < t->n_formulas; f++)
      if ((added.formula_names[f] = ss_arena_strdup (arena, t->formula_names[f])) == NULL)
        goto no_memory;
    if (added.formula_names == NULL)
      goto no_memory;
  }
  if (ss_array_reserve ((void **)&builder->added, &builder->added_capacity, builder->n_added + 1, sizeof added) != 0)
    goto no_memory;
  builder->added[builder->n_added] = added;
  *out = &builder->added[builder->n_added];
  return SS_OK;

no_memory:
  return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
}

SsStatus
ss_mpcc_builder_add_cost (SsMpccBuilder *builder, const SsMpccTemplate *t, int n_instances, const int *gather,
                          SsError *err)
{
  SS_ASSERT (builder != NULL && t != NULL);
  SS_ASSERT (n_instances >= 0);

  SsMpccAdded *added = NULL;
  SsStatus status;

  if (t->n_formulas != 1)
    return ss_error_set (err, SS_ERR_ARG, "cost template %s: one formula is needed, not %d", t->name, t->n_formulas);
  status = add_template (builder, t, n_instances, gather, &added, err);
  if (status != SS_OK)
    return status;
  added->is_cost = true;
  builder->n_added++;
  return SS_OK;
}

SsStatus
ss_mpcc_builder_add_rows (SsMpccBuilder *builder, SsRowKind kind, const SsMpccTemplate *t, int n_instances,
                          const int *gather, const int *rows, SsError *err)
{
  SS_ASSERT (builder != NULL && t != NULL);
  SS_ASSERT (n_instances >= 0);

  SsMpccAdded *added = NULL;
  SsStatus status = add_template (builder, t, n_instances, gather, &added, err);

  if (status != SS_OK)
    return status;
  added->kind = kind;
  added->rows = transposed_copy (builder->arena, rows, n_instances, t->n_formulas);
  if (added->rows == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int i = 0; i < n_instances * t->n_formulas; i++) {
    if (rows[i] < -1 || rows[i] == INT_MAX)
      return ss_error_set (err, SS_ERR_ARG, "template %s: row %d", t->name, rows[i]);
    if (rows[i] >= builder->n_rows[kind])
      builder->n_rows[kind] = rows[i] + 1;
  }
  builder->n_added++;
  return SS_OK;
}

SsStatus
ss_mpcc_builder_add_pair (SsMpccBuilder *builder, int product_row, int row_a, int row_b, SsError *err)
{
  SS_ASSERT (builder != NULL);

  if (product_row < 0 || row_a < -1 || row_b < -1)
    return ss_error_set (err, SS_ERR_ARG, "pair with rows %d, %d, %d", product_row, row_a, row_b);
  if (ss_array_reserve ((void **)&builder->pairs, &builder->pairs_capacity, builder->n_pairs + 1,
                        sizeof *builder->pairs) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  builder->pairs[builder->n_pairs++] = (SsMpccPair){product_row, row_a, row_b};
  return SS_OK;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* Appends `text`; with buffer NULL only counts. */
static size_t
put_text (char *buffer, size_t at, const char *text)
{
  size_t length = strlen (text);

  if (buffer != NULL)
    memcpy (buffer + at, text, length);
  return at + length;
}

static size_t
put_number (char *buffer, size_t at, int number)
{
  char digits[16];
  int n = sizeof digits;
  unsigned rest = number < 0 ? 0u - (unsigned)number : (unsigned)number;

  digits[--n] = '\0';
  do
    digits[--n] = (char)('0' + rest % 10);
  while ((rest /= 10) > 0);
  if (number < 0)
    digits[--n] = '-';
  return put_text (buffer, at, digits + n);
}

size_t
ss_mpcc_put_row_name (char *buffer, size_t at, const SsMpccAdded *added, int formula, int instance)
{
  SS_ASSERT (added != NULL);
  at = put_text (buffer, at, added->name);
  at = put_text (buffer, at, "[");
  at = put_number (buffer, at, added->first_instance + instance * added->instance_stride);
  at = put_text (buffer, at, "]");
  if (added->formula_names != NULL || added->n_formulas > 1)
    at = put_text (buffer, at, ".");
  if (added->formula_names != NULL)
    at = put_text (buffer, at, added->formula_names[formula]);
  else if (added->n_formulas > 1)
    at = put_number (buffer, at, formula);
  if (buffer != NULL)
    buffer[at] = '\0';
  return at + 1;
}
