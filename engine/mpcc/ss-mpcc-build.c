/* engine/mpcc/ss-mpcc-build.c: templates and gather tables of ss-mpcc-builder.c in, tapes, targets and patterns out.
 *
 * Per template the structurally nonzero first derivatives of each formula and second derivatives of the
 * multiplier-weighted sum of its formulas are taken once, symbolically. Entries that read no variable are kept apart
 * (they change with parameters only). Two inputs of one instance that are one variable give two Jacobian entries with
 * one place (they add up); in the lower triangle of a Hessian their mixed entry stands for two symmetric ones and is
 * added twice.
 */
#include "mpcc/ss-mpcc-private.h"

#include <limits.h>
#include <string.h>

/* Entry of a Jacobian (major = formula, minor = input) or of a Hessian's lower triangle (major >= minor, both
 * inputs). */
typedef struct {
  int major, minor;
  SsExpr value;
  bool is_constant; /* reads no variable and no multiplier */
} Entry;

typedef struct {
  int n, capacity;
  Entry *items;
} EntryList;

/* Matrix entries of all groups, and where the place of each is to be written. */
typedef struct {
  int n, major_capacity, minor_capacity, place_capacity;
  int *major, *minor;
  int **place;
} Triplets;

/* State of one ss_mpcc_build. */
typedef struct {
  SsMpccBuilder *builder;
  SsGraph *graph;
  SsMpcc *mpcc;
  EntryList slopes, bends;
  Triplets jacobian, objective, lagrangian;
  SsExpr *exprs; /* scratch */
  int *slots;    /* scratch */
  int scratch_size;
} Build;

/* ---- derivatives ------------------------------------------------------------------------------------------------- */

static SsStatus
reserve_scratch (Build *build, int size)
{
  int capacity = build->scratch_size;

  if (ss_array_reserve ((void **)&build->exprs, &capacity, size, sizeof *build->exprs) != 0)
    return SS_ERR_MEMORY;
  capacity = build->scratch_size;
  if (ss_array_reserve ((void **)&build->slots, &capacity, size, sizeof *build->slots) != 0)
    return SS_ERR_MEMORY;
  build->scratch_size = capacity;
  return SS_OK;
}

static bool
is_zero (const SsGraph *graph, SsExpr e)
{
  return ss_graph_op (graph, e) == SS_OP_CONSTANT && ss_graph_value (graph, e) == 0;
}

/* Slots read by `e` into build->slots; -1 when out of memory. */
static int
read_slots (Build *build, SsExpr e)
{
  int n = ss_graph_inputs (build->graph, e, build->slots, build->scratch_size);

  if (n <= build->scratch_size)
    return n;
  if (reserve_scratch (build, n) != SS_OK)
    return -1;
  return ss_graph_inputs (build->graph, e, build->slots, build->scratch_size);
}

/* Slots that vary: the first n_inputs (variables) and the multipliers, a range that may be empty. */
typedef struct {
  int n_inputs, multipliers_begin, multipliers_end;
} Varying;

/* Does `e` read neither a variable nor a multiplier? -1 when out of memory. */
static int
reads_nothing_varying (Build *build, SsExpr e, Varying varying)
{
  int n = read_slots (build, e);

  for (int s = 0; s < n; s++)
    if (build->slots[s] < varying.n_inputs ||
        (build->slots[s] >= varying.multipliers_begin && build->slots[s] < varying.multipliers_end))
      return 0;
  return n < 0 ? -1 : 1;
}

/* Appends the nonzero derivatives of `e` by the variables in slots below `end` as entries of row `major`. */
static SsStatus
append_gradient (Build *build, SsExpr e, int major, int end, Varying varying, EntryList *list)
{
  int n = read_slots (build, e), n_read = 0, first = list->n;

  if (n < 0)
    return SS_ERR_MEMORY;
  while (n_read < n && build->slots[n_read] < end)
    n_read++;
  if (n_read == 0)
    return SS_OK;
  ss_graph_gradient (build->graph, e, build->slots, n_read, build->exprs);
  if (ss_array_reserve ((void **)&list->items, &list->capacity, list->n + n_read, sizeof *list->items) != 0)
    return SS_ERR_MEMORY;
  for (int j = 0; j < n_read; j++) {
    if (build->exprs[j] == SS_EXPR_NONE)
      return SS_ERR_MEMORY;
    if (!is_zero (build->graph, build->exprs[j]))
      list->items[list->n++] = (Entry){.major = major, .minor = build->slots[j], .value = build->exprs[j]};
  }
  for (int j = first; j < list->n; j++) {
    int is_constant = reads_nothing_varying (build, list->items[j].value, varying);

    if (is_constant < 0)
      return SS_ERR_MEMORY;
    list->items[j].is_constant = is_constant == 1;
  }
  return SS_OK;
}

/* First derivatives of all formulas of a template into build->slopes. */
static SsStatus
take_slopes (Build *build, const SsMpccAdded *added)
{
  build->slopes.n = 0;
  for (int f = 0; f < added->n_formulas; f++) {
    Varying varying = {.n_inputs = added->n_inputs};
    SsStatus status = append_gradient (build, added->formulas[f], f, added->n_inputs, varying, &build->slopes);

    if (status != SS_OK)
      return status;
  }
  return SS_OK;
}

/* Second derivatives of `e` (lower triangle) into build->bends. */
static SsStatus
take_bends (Build *build, SsExpr e, Varying varying)
{
  EntryList first = {0};
  SsStatus status = append_gradient (build, e, 0, varying.n_inputs, varying, &first);

  build->bends.n = 0;
  for (int j = 0; j < first.n && status == SS_OK; j++)
    status = append_gradient (build, first.items[j].value, first.items[j].minor, first.items[j].minor + 1, varying,
                              &build->bends);
  ss_free (first.items);
  return status;
}

/* Sum over the formulas that are not affine of multiplier * formula, with multipliers as inputs between the instance's
 * numbers and the parameters. multiplier_of[formula] = its number or -1. */
static SsExpr
weighted_sum (Build *build, const SsMpccAdded *added, const int *multiplier_of, int n_multipliers)
{
  SsGraph *graph = build->graph;
  int n_local = added->n_inputs + added->n_constants, n_parameters = build->builder->n_parameters;
  SsExpr sum = ss_graph_constant (graph, 0), *map;

  map = ss_new_array (SsExpr, n_local + n_parameters);
  if (map == NULL)
    return SS_EXPR_NONE;
  for (int s = 0; s < n_local; s++)
    map[s] = SS_EXPR_NONE;
  for (int p = 0; p < n_parameters; p++)
    map[n_local + p] = ss_graph_input (graph, n_local + n_multipliers + p);
  for (int f = 0; f < added->n_formulas; f++)
    if (multiplier_of[f] >= 0) {
      SsExpr formula = ss_graph_substitute (graph, added->formulas[f], map, n_local + n_parameters);
      SsExpr multiplier = ss_graph_input (graph, n_local + multiplier_of[f]);

      sum = ss_graph_binary (graph, SS_OP_ADD, sum, ss_graph_binary (graph, SS_OP_MUL, multiplier, formula));
    }
  ss_free (map);
  return sum;
}

/* ---- scatters ---------------------------------------------------------------------------------------------------- */

static SsStatus
append_triplet (Triplets *triplets, int major, int minor, int *place)
{
  int needed = triplets->n + 1;

  if (triplets->n == INT_MAX ||
      ss_array_reserve ((void **)&triplets->major, &triplets->major_capacity, needed, sizeof (int)) != 0 ||
      ss_array_reserve ((void **)&triplets->minor, &triplets->minor_capacity, needed, sizeof (int)) != 0 ||
      ss_array_reserve ((void **)&triplets->place, &triplets->place_capacity, needed, sizeof (int *)) != 0)
    return SS_ERR_MEMORY;
  triplets->major[triplets->n] = major;
  triplets->minor[triplets->n] = minor;
  triplets->place[triplets->n] = place;
  triplets->n++;
  return SS_OK;
}

/* Tape of `outputs` and room for its targets (all 0). */
static SsStatus
open_scatter (Build *build, const SsGroup *group, const SsExpr *outputs, int n_outputs, int n_multipliers,
              SsScatter *scatter, SsError *err)
{
  SsArena *arena = build->mpcc->arena;
  bool *is_used;
  SsStatus status;

  if (n_outputs == 0 || group->n_instances == 0)
    return SS_OK;
  scatter->target = ss_arena_alloc (arena, (size_t)n_outputs * (size_t)group->n_instances, sizeof (int));
  scatter->dense = ss_arena_alloc (arena, (size_t)n_outputs, sizeof (bool));
  scatter->used = ss_arena_alloc (arena, (size_t)group->n_inputs, sizeof (int));
  is_used = ss_arena_alloc (arena, (size_t)group->n_inputs, sizeof (bool));
  if (scatter->target == NULL || scatter->dense == NULL || scatter->used == NULL || is_used == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  status = ss_tape_new (build->graph, outputs, n_outputs, group->n_inputs + group->n_constants + n_multipliers,
                        &scatter->tape, err);
  if (status != SS_OK)
    return status;
  scatter->n_outputs = n_outputs;
  for (int o = 0; o < n_outputs; o++) {
    int n = read_slots (build, outputs[o]);

    if (n < 0)
      return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
    for (int s = 0; s < n && build->slots[s] < group->n_inputs; s++)
      is_used[build->slots[s]] = true;
  }
  for (int i = 0; i < group->n_inputs; i++)
    if (is_used[i])
      scatter->used[scatter->n_used++] = i;
  return SS_OK;
}

/* After all targets are known: which outputs need no test for -1; sizes of an evaluator's arrays. */
static void
close_scatter (SsMpcc *mpcc, const SsGroup *group, SsScatter *scatter, int n_multipliers)
{
  size_t n_in = (size_t)(group->n_inputs + group->n_constants + n_multipliers) * SS_MPCC_CHUNK;
  size_t n_out = (size_t)scatter->n_outputs * SS_MPCC_CHUNK;

  if (scatter->tape == NULL)
    return;
  for (int o = 0; o < scatter->n_outputs; o++) {
    scatter->dense[o] = true;
    for (int i = 0; i < group->n_instances; i++)
      if (scatter->target[(size_t)o * group->n_instances + i] < 0)
        scatter->dense[o] = false;
  }
  if (n_in > mpcc->in_size)
    mpcc->in_size = n_in;
  if (n_out > mpcc->out_size)
    mpcc->out_size = n_out;
  if (ss_tape_work_size (scatter->tape) > mpcc->work_size)
    mpcc->work_size = ss_tape_work_size (scatter->tape);
}

static int
row_of (const Build *build, const SsMpccAdded *added, int formula, int instance)
{
  int row = added->rows[(size_t)formula * added->n_instances + instance];

  return row < 0 || added->kind == SS_ROW_EQUALITY ? row : row + build->mpcc->n_equalities;
}

/* The entries of `list` with that constancy as one scatter of the group; `kept` receives their indices in the list. */
static SsStatus
open_entries (Build *build, const SsGroup *group, const EntryList *list, bool is_constant, int n_multipliers,
              SsScatter *scatter, int *kept, SsError *err)
{
  SsExpr *outputs = ss_new_array (SsExpr, list->n);
  int n = 0;
  SsStatus status;

  if (outputs == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int e = 0; e < list->n; e++)
    if (list->items[e].is_constant == is_constant) {
      outputs[n] = list->items[e].value;
      kept[n++] = e;
    }
  status = open_scatter (build, group, outputs, n, n_multipliers, scatter, err);
  ss_free (outputs);
  return status;
}

/* First derivatives: a cost's go to the gradient, a row's to the Jacobian. */
static SsStatus
place_slopes (Build *build, const SsMpccAdded *added, SsGroup *group, bool is_constant, SsError *err)
{
  SsScatter *scatter = is_constant ? &group->slope_constant : &group->slope_varying;
  int *kept = ss_new_array (int, build->slopes.n), n_instances = group->n_instances;
  SsStatus status = SS_ERR_MEMORY;

  if (kept != NULL)
    status = open_entries (build, group, &build->slopes, is_constant, 0, scatter, kept, err);
  for (int o = 0; o < scatter->n_outputs && status == SS_OK; o++) {
    const Entry *entry = &build->slopes.items[kept[o]];

    for (int i = 0; i < n_instances && status == SS_OK; i++) {
      int *target = &scatter->target[(size_t)o * n_instances + i];
      int variable = group->gather[(size_t)entry->minor * n_instances + i];
      int row = added->is_cost ? -1 : row_of (build, added, entry->major, i);

      *target = added->is_cost ? variable : -1;
      if (row >= 0)
        status = append_triplet (&build->jacobian, row, variable, target);
    }
  }
  ss_free (kept);
  return status;
}

/* Second derivatives into the lower triangle, compressed by columns: major = the smaller of the two variables. */
static SsStatus
place_bends (Build *build, SsGroup *group, bool is_constant, Triplets *triplets, SsError *err)
{
  SsScatter *scatter = is_constant ? &group->bend_constant : &group->bend_varying;
  int *kept = ss_new_array (int, build->bends.n), n_instances = group->n_instances, n_extra = 0;
  SsStatus status = SS_ERR_MEMORY;

  if (kept != NULL)
    status = open_entries (build, group, &build->bends, is_constant, group->n_multipliers, scatter, kept, err);
  if (status != SS_OK)
    goto done;
  for (int pass = 0; pass < 2 && status == SS_OK; pass++) {
    /* Pass 0 counts the entries that are added twice, pass 1 places everything (extras by ascending instance). */
    if (pass == 1 && n_extra > 0) {
      scatter->extra = ss_arena_alloc (build->mpcc->arena, (size_t)n_extra, sizeof *scatter->extra);
      if (scatter->extra == NULL)
        status = SS_ERR_MEMORY;
    }
    for (int i = 0; i < n_instances && status == SS_OK; i++)
      for (int o = 0; o < scatter->n_outputs && status == SS_OK; o++) {
        const Entry *entry = &build->bends.items[kept[o]];
        int a = group->gather[(size_t)entry->major * n_instances + i];
        int b = group->gather[(size_t)entry->minor * n_instances + i];
        int row = a > b ? a : b, column = a > b ? b : a;
        bool is_double = entry->major != entry->minor && a == b;

        if (pass == 0) {
          n_extra += is_double;
          continue;
        }
        status = append_triplet (triplets, column, row, &scatter->target[(size_t)o * n_instances + i]);
        if (is_double && status == SS_OK) {
          SsExtraTarget *extra = &scatter->extra[scatter->n_extra++];

          *extra = (SsExtraTarget){.instance = i, .output = o};
          status = append_triplet (triplets, column, row, &extra->target);
        }
      }
  }

done:
  ss_free (kept);
  return status;
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

/* Values: a cost's terms are summed into element 0, formula f of a row template goes to its row. */
static SsStatus
place_values (Build *build, const SsMpccAdded *added, SsGroup *group, SsError *err)
{
  SsStatus status = open_scatter (build, group, added->formulas, added->n_formulas, 0, &group->value, err);

  if (status != SS_OK || added->is_cost)
    return status;
  for (int f = 0; f < group->value.n_outputs; f++)
    for (int i = 0; i < group->n_instances; i++)
      group->value.target[(size_t)f * group->n_instances + i] = row_of (build, added, f, i);
  return SS_OK;
}

/* Rows written by a formula with a varying slope are not affine. */
static void
mark_curved_rows (Build *build, const SsMpccAdded *added, const int *multiplier_of)
{
  for (int f = 0; f < added->n_formulas; f++)
    for (int i = 0; i < added->n_instances && multiplier_of[f] >= 0; i++)
      if (row_of (build, added, f, i) >= 0)
        build->mpcc->row_affine[row_of (build, added, f, i)] = false;
}

static SsStatus
build_row_bends (Build *build, const SsMpccAdded *added, SsGroup *group, SsError *err)
{
  int *multiplier_of = ss_new_array (int, added->n_formulas), n_local = group->n_inputs + group->n_constants;
  SsExpr sum;
  SsStatus status = SS_ERR_MEMORY;

  if (multiplier_of == NULL)
    goto done;
  for (int f = 0; f < added->n_formulas; f++)
    multiplier_of[f] = -1;
  for (int e = 0; e < build->slopes.n; e++)
    if (!build->slopes.items[e].is_constant && multiplier_of[build->slopes.items[e].major] < 0)
      multiplier_of[build->slopes.items[e].major] = group->n_multipliers++;
  mark_curved_rows (build, added, multiplier_of);
  if (group->n_multipliers == 0) {
    status = SS_OK;
    goto done;
  }
  group->multiplier_row =
      ss_arena_alloc (build->mpcc->arena, (size_t)group->n_multipliers * (size_t)group->n_instances, sizeof (int));
  if (group->multiplier_row == NULL)
    goto done;
  for (int f = 0; f < added->n_formulas; f++)
    for (int i = 0; i < group->n_instances && multiplier_of[f] >= 0; i++)
      group->multiplier_row[(size_t)multiplier_of[f] * group->n_instances + i] = row_of (build, added, f, i);
  sum = weighted_sum (build, added, multiplier_of, group->n_multipliers);
  if (sum == SS_EXPR_NONE)
    goto done;
  status = take_bends (build, sum, (Varying){group->n_inputs, n_local, n_local + group->n_multipliers});
  if (status == SS_OK)
    status = place_bends (build, group, false, &build->lagrangian, err);

done:
  ss_free (multiplier_of);
  return status;
}

static SsStatus
build_cost_bends (Build *build, const SsMpccAdded *added, SsGroup *group, SsError *err)
{
  SsStatus status = take_bends (build, added->formulas[0], (Varying){.n_inputs = group->n_inputs});

  if (status == SS_OK)
    status = place_bends (build, group, true, &build->objective, err);
  if (status == SS_OK)
    status = place_bends (build, group, false, &build->objective, err);
  return status;
}

static SsStatus
build_group (Build *build, const SsMpccAdded *added, SsGroup *group, SsError *err)
{
  SsArena *arena = build->mpcc->arena;
  size_t n_reads = (size_t)added->n_inputs * (size_t)added->n_instances;
  size_t n_constants = (size_t)added->n_constants * (size_t)added->n_instances;
  SsStatus status = SS_ERR_MEMORY;

  group->is_cost = added->is_cost;
  group->n_inputs = added->n_inputs;
  group->n_constants = added->n_constants;
  group->n_instances = added->n_instances;
  group->gather = ss_arena_alloc (arena, n_reads, sizeof (int));
  group->constants = ss_arena_alloc (arena, n_constants, sizeof (double));
  if (group->gather == NULL || group->constants == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  memcpy (group->gather, added->gather, n_reads * sizeof (int));
  memcpy (group->constants, added->constants, n_constants * sizeof (double));

  status = place_values (build, added, group, err);
  if (status == SS_OK)
    status = take_slopes (build, added);
  if (status == SS_OK)
    status = place_slopes (build, added, group, true, err);
  if (status == SS_OK)
    status = place_slopes (build, added, group, false, err);
  if (status == SS_OK)
    status = added->is_cost ? build_cost_bends (build, added, group, err) : build_row_bends (build, added, group, err);
  return status == SS_ERR_MEMORY ? ss_error_set (err, status, "out of memory") : status;
}

/* ---- patterns ---------------------------------------------------------------------------------------------------- */

static SsStatus
make_pattern (const Triplets *triplets, int n_major, int n_minor, SsPattern *pattern, SsError *err)
{
  int *slot = ss_new_array (int, triplets->n);
  SsStatus status;

  if (slot == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  status =
      ss_pattern_from_triplets (pattern, n_major, n_minor, triplets->n, triplets->major, triplets->minor, slot, err);
  for (int t = 0; t < triplets->n && status == SS_OK; t++)
    *triplets->place[t] = slot[t];
  ss_free (slot);
  return status;
}

/* The Lagrangian's Hessian has a place for every entry of the objective's. */
static SsStatus
build_patterns (Build *build, SsError *err)
{
  SsMpcc *mpcc = build->mpcc;
  const SsPattern *objective = &mpcc->objective_hessian;
  int n = mpcc->n_variables;
  SsStatus status = make_pattern (&build->jacobian, ss_mpcc_n_rows (mpcc), n, &mpcc->jacobian, err);

  if (status == SS_OK)
    status = make_pattern (&build->objective, n, n, &mpcc->objective_hessian, err);
  if (status != SS_OK)
    return status;
  mpcc->objective_in_lagrangian =
      ss_arena_alloc (mpcc->arena, (size_t)objective->start[n], sizeof *mpcc->objective_in_lagrangian);
  if (mpcc->objective_in_lagrangian == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int column = 0; column < n; column++)
    for (int e = objective->start[column]; e < objective->start[column + 1]; e++)
      if (append_triplet (&build->lagrangian, column, objective->index[e], &mpcc->objective_in_lagrangian[e]) != SS_OK)
        return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  return make_pattern (&build->lagrangian, n, n, &mpcc->lagrangian_hessian, err);
}

/* ---- bounds ------------------------------------------------------------------------------------------------------ */

/* bound_variable[row]: the one variable of an affine inequality row that is no product, else -1. */
static void
find_bound_rows (const SsMpcc *mpcc, int *bound_variable)
{
  const SsPattern *jacobian = &mpcc->jacobian;

  for (int r = 0; r < ss_mpcc_n_rows (mpcc); r++) {
    bool has_one = jacobian->start[r + 1] - jacobian->start[r] == 1;

    bound_variable[r] =
        r >= mpcc->n_equalities && has_one && mpcc->row_affine[r] ? jacobian->index[jacobian->start[r]] : -1;
  }
  for (int p = 0; p < mpcc->n_pairs; p++)
    bound_variable[mpcc->n_equalities + mpcc->pairs[p].product_row] = -1;
}

/* An affine formula at x = 0, a function of constants and parameters. */
static SsExpr
formula_at_zero (Build *build, const SsMpccAdded *added, int formula)
{
  SsExpr *map = ss_new_array (SsExpr, added->n_inputs), at_zero = SS_EXPR_NONE;

  if (map == NULL)
    return SS_EXPR_NONE;
  for (int s = 0; s < added->n_inputs; s++)
    map[s] = ss_graph_constant (build->graph, 0);
  at_zero = ss_graph_substitute (build->graph, added->formulas[formula], map, added->n_inputs);
  ss_free (map);
  return at_zero;
}

static bool
adds_to_bound (const Build *build, const SsMpccAdded *added, int formula, const int *bound_variable)
{
  for (int i = 0; i < added->n_instances; i++) {
    int row = row_of (build, added, formula, i);

    if (row >= 0 && bound_variable[row] >= 0)
      return true;
  }
  return false;
}

/* The group's formulas that add to bounds, at zero, as one scatter. */
static SsStatus
place_intercepts (Build *build, const SsMpccAdded *added, SsGroup *group, const int *bound_variable, SsError *err)
{
  SsExpr *outputs = ss_new_array (SsExpr, added->n_formulas);
  int *kept = ss_new_array (int, added->n_formulas), n = 0;
  SsStatus status = SS_ERR_MEMORY;

  if (outputs == NULL || kept == NULL)
    goto done;
  for (int f = 0; f < added->n_formulas; f++)
    if (adds_to_bound (build, added, f, bound_variable)) {
      outputs[n] = formula_at_zero (build, added, f);
      if (outputs[n] == SS_EXPR_NONE)
        goto done;
      kept[n++] = f;
    }
  status = open_scatter (build, group, outputs, n, 0, &group->intercept, err);
  for (int o = 0; o < group->intercept.n_outputs && status == SS_OK; o++)
    for (int i = 0; i < group->n_instances; i++) {
      int row = row_of (build, added, kept[o], i);

      group->intercept.target[(size_t)o * group->n_instances + i] = row >= 0 && bound_variable[row] >= 0 ? row : -1;
    }

done:
  ss_free (outputs);
  ss_free (kept);
  return status == SS_ERR_MEMORY ? ss_error_set (err, status, "out of memory") : status;
}

/* After the Jacobian's pattern is known. */
static SsStatus
build_bounds (Build *build, SsError *err)
{
  SsMpcc *mpcc = build->mpcc;
  int n_rows = ss_mpcc_n_rows (mpcc), *bound_variable = ss_new_array (int, n_rows);
  SsStatus status = SS_ERR_MEMORY;

  if (bound_variable == NULL)
    goto done;
  find_bound_rows (mpcc, bound_variable);
  for (int r = 0; r < n_rows; r++)
    mpcc->n_bounds += bound_variable[r] >= 0;
  mpcc->lower = ss_arena_alloc (mpcc->arena, (size_t)mpcc->n_variables, sizeof (double));
  mpcc->upper = ss_arena_alloc (mpcc->arena, (size_t)mpcc->n_variables, sizeof (double));
  mpcc->bounds = ss_arena_alloc (mpcc->arena, (size_t)mpcc->n_bounds, sizeof *mpcc->bounds);
  mpcc->intercept = ss_arena_alloc (mpcc->arena, mpcc->n_bounds > 0 ? (size_t)n_rows : 0, sizeof (double));
  if (mpcc->lower == NULL || mpcc->upper == NULL || mpcc->bounds == NULL || mpcc->intercept == NULL)
    goto done;
  for (int r = 0, b = 0; r < n_rows; r++)
    if (bound_variable[r] >= 0)
      mpcc->bounds[b++] = (SsMpccBound){.row = r, .variable = bound_variable[r]};
  status = SS_OK;
  for (int t = 0; t < build->builder->n_added && status == SS_OK && mpcc->n_bounds > 0; t++)
    if (!build->builder->added[t].is_cost)
      status = place_intercepts (build, &build->builder->added[t], &mpcc->groups[t], bound_variable, err);

done:
  ss_free (bound_variable);
  return status == SS_ERR_MEMORY ? ss_error_set (err, status, "out of memory") : status;
}

/* ---- names and storage ------------------------------------------------------------------------------------------- */

/* Each row is named after the first formula added into it; a row without formulas has the empty name at offset 0. */
static SsStatus
build_names (Build *build, SsError *err)
{
  SsMpcc *mpcc = build->mpcc;
  int n_rows = ss_mpcc_n_rows (mpcc);

  mpcc->name_start = ss_arena_alloc (mpcc->arena, (size_t)n_rows, sizeof *mpcc->name_start);
  if (mpcc->name_start == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int pass = 0; pass < 2; pass++) {
    size_t at = 1;

    memset (mpcc->name_start, 0, (size_t)n_rows * sizeof *mpcc->name_start);
    for (int t = 0; t < build->builder->n_added; t++) {
      const SsMpccAdded *added = &build->builder->added[t];

      for (int f = 0; f < added->n_formulas && !added->is_cost; f++)
        for (int i = 0; i < added->n_instances; i++) {
          int row = row_of (build, added, f, i);

          if (row < 0 || mpcc->name_start[row] != 0)
            continue;
          mpcc->name_start[row] = at;
          at = ss_mpcc_put_row_name (mpcc->names, at, added, f, i);
        }
    }
    if (pass == 0 && (mpcc->names = ss_arena_alloc (mpcc->arena, at, 1)) == NULL)
      return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  return SS_OK;
}

/* Pairs must name existing inequality rows; affinity starts as true and is withdrawn by curved formulas. */
static SsStatus
build_rows_and_pairs (Build *build, SsError *err)
{
  SsMpccBuilder *builder = build->builder;
  SsMpcc *mpcc = build->mpcc;

  mpcc->pairs = ss_arena_alloc (mpcc->arena, (size_t)builder->n_pairs, sizeof *mpcc->pairs);
  mpcc->row_affine = ss_arena_alloc (mpcc->arena, (size_t)ss_mpcc_n_rows (mpcc), sizeof *mpcc->row_affine);
  if (mpcc->pairs == NULL || mpcc->row_affine == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int r = 0; r < ss_mpcc_n_rows (mpcc); r++)
    mpcc->row_affine[r] = true;
  for (int p = 0; p < builder->n_pairs; p++) {
    const SsMpccPair *pair = &builder->pairs[p];

    if (pair->product_row >= mpcc->n_inequalities || pair->row_a >= mpcc->n_inequalities ||
        pair->row_b >= mpcc->n_inequalities)
      return ss_error_set (err, SS_ERR_ARG, "pair %d names a row beyond the %d inequalities", p, mpcc->n_inequalities);
    mpcc->pairs[p] = *pair;
  }
  mpcc->n_pairs = builder->n_pairs;
  return SS_OK;
}

/* Arrays of the constant entries, the parameters and the scratch of ss_mpcc_set_parameters. */
static SsStatus
build_storage (SsMpcc *mpcc, SsError *err)
{
  SsArena *arena = mpcc->arena;

  for (int g = 0; g < mpcc->n_groups; g++) {
    SsGroup *group = &mpcc->groups[g];

    close_scatter (mpcc, group, &group->value, 0);
    close_scatter (mpcc, group, &group->intercept, 0);
    close_scatter (mpcc, group, &group->slope_constant, 0);
    close_scatter (mpcc, group, &group->slope_varying, 0);
    close_scatter (mpcc, group, &group->bend_constant, 0);
    close_scatter (mpcc, group, &group->bend_varying, group->n_multipliers);
  }
  mpcc->in = ss_arena_alloc (arena, mpcc->in_size, sizeof (double));
  mpcc->out = ss_arena_alloc (arena, mpcc->out_size, sizeof (double));
  mpcc->work = ss_arena_alloc (arena, mpcc->work_size, sizeof (double));
  mpcc->parameters = ss_arena_alloc (arena, (size_t)mpcc->n_parameters, sizeof (double));
  mpcc->gradient_constant = ss_arena_alloc (arena, (size_t)mpcc->n_variables, sizeof (double));
  mpcc->jacobian_constant =
      ss_arena_alloc (arena, (size_t)mpcc->jacobian.start[mpcc->jacobian.n_major], sizeof (double));
  mpcc->objective_hessian_constant =
      ss_arena_alloc (arena, (size_t)mpcc->objective_hessian.start[mpcc->n_variables], sizeof (double));
  if (mpcc->in == NULL || mpcc->out == NULL || mpcc->work == NULL || mpcc->parameters == NULL ||
      mpcc->gradient_constant == NULL || mpcc->jacobian_constant == NULL || mpcc->objective_hessian_constant == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  return SS_OK;
}

static void
clear_triplets (Triplets *triplets)
{
  ss_free (triplets->major);
  ss_free (triplets->minor);
  ss_free (triplets->place);
}

SsStatus
ss_mpcc_build (SsMpccBuilder *builder, SsMpcc **out, SsError *err)
{
  SS_ASSERT (builder != NULL && out != NULL);

  Build build = {.builder = builder, .graph = builder->graph};
  SsMpcc *mpcc = ss_new (SsMpcc);
  SsStatus status = SS_ERR_MEMORY;

  *out = NULL;
  if (mpcc == NULL || (mpcc->arena = ss_arena_new ()) == NULL ||
      (mpcc->groups = ss_arena_alloc (mpcc->arena, (size_t)builder->n_added, sizeof *mpcc->groups)) == NULL ||
      reserve_scratch (&build, 64) != SS_OK) {
    ss_error_set (err, status, "out of memory");
    goto fail;
  }
  build.mpcc = mpcc;
  mpcc->n_variables = builder->n_variables;
  mpcc->n_parameters = builder->n_parameters;
  mpcc->n_equalities = builder->n_rows[SS_ROW_EQUALITY];
  mpcc->n_inequalities = builder->n_rows[SS_ROW_INEQUALITY];
  mpcc->objective_scale = 1;
  if ((status = build_rows_and_pairs (&build, err)) != SS_OK)
    goto fail;
  for (int t = 0; t < builder->n_added; t++) {
    mpcc->n_groups = t + 1;
    if ((status = build_group (&build, &builder->added[t], &mpcc->groups[t], err)) != SS_OK)
      goto fail;
  }
  if ((status = build_patterns (&build, err)) != SS_OK || (status = build_bounds (&build, err)) != SS_OK ||
      (status = build_names (&build, err)) != SS_OK || (status = build_storage (mpcc, err)) != SS_OK)
    goto fail;
  ss_mpcc_set_parameters (mpcc, mpcc->parameters);
  *out = mpcc;
  mpcc = NULL;

fail:
  ss_mpcc_free (mpcc);
  clear_triplets (&build.jacobian);
  clear_triplets (&build.objective);
  clear_triplets (&build.lagrangian);
  ss_free (build.slopes.items);
  ss_free (build.bends.items);
  ss_free (build.exprs);
  ss_free (build.slots);
  return status;
}
