/* engine/transcribe/ss-transcribe-copies.c: see the header. */
#include "transcribe/ss-transcribe-copies.h"

#include "core/ss-core.h"

#include <stdio.h>
#include <string.h>

enum { NAME_MAX = SS_CHANNEL_NAME_MAX + 16 };

/* The whole while it is made. */
typedef struct {
  const SsScenario *const *models;
  int n_models;
  const SsCopiesLaw *law; /* nullable */
  SsCopies *out;
  SsArena *arena;
  SsModel *whole;
  const char **names;
  SsChannel *about;
  bool *is_shared; /* by variables of the whole */
  SsExpr **maps;   /* by model: slots of it as formulas of the whole */
  bool out_of_memory;
} Copies;

static void *
reserve (Copies *c, size_t count, size_t size)
{
  void *memory = ss_arena_alloc (c->arena, count + 1, size);

  c->out_of_memory = c->out_of_memory || memory == NULL;
  return memory;
}

static int
find_variable (const SsModel *model, const char *name)
{
  for (int v = 0; v < model->n_variables; v++)
    if (strcmp (model->variables[v], name) == 0)
      return v;
  return -1;
}

static SsStatus
check_models (const Copies *c, SsError *err)
{
  for (int i = 0; i < c->n_models; i++) {
    const SsModel *model = c->models[i]->model;

    SS_ASSERT (model != NULL);
    if (model->n_points != c->models[0]->model->n_points || model->time_step != c->models[0]->model->time_step)
      return ss_error_set (err, SS_ERR_INVALID, "the plan has other steps in another world");
    if (model->rows != NULL || model->n_stages > 0)
      return ss_error_set (err, SS_ERR_INVALID, "plans of elements are made for one world");
  }
  for (int i = 0; c->law != NULL && i < c->n_models; i++)
    for (int v = 0; v < c->law->n_controls + c->law->n_states; v++) {
      const char *name = v < c->law->n_controls ? c->law->controls[v] : c->law->states[v - c->law->n_controls];
      if (find_variable (c->models[i]->model, name) < 0)
        return ss_error_set (err, SS_ERR_INVALID, "a feedback needs %.80s, which is no variable of the plan", name);
    }
  return SS_OK;
}

/* ---- variables --------------------------------------------------------------------------------------------------- */

static void
add_variable (Copies *c, int model, int v)
{
  const SsModel *from = c->models[model]->model;
  const int at = c->whole->n_variables++;
  char name[NAME_MAX];

  c->out->variable_of[model][v] = at;
  snprintf (name, sizeof name, "%d:%s", model + 1, from->variables[v]);
  c->names[at] = model == 0 ? from->variables[v] : ss_arena_strdup (c->arena, name);
  c->out_of_memory = c->out_of_memory || c->names[at] == NULL;
  c->about[at] = model == 0 ? ss_model_channel (from, v) : ss_channel_named (c->names[at]);
}

/* States of all models, then the rest. */
static SsStatus
add_variables (Copies *c, SsCopiesShared is_shared, void *user_data, SsError *err)
{
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < c->n_models; i++) {
      const SsModel *model = c->models[i]->model;
      const int first = pass == 0 ? 0 : model->n_states, end = pass == 0 ? model->n_states : model->n_variables;

      for (int v = first; v < end; v++) {
        const bool shares = is_shared (user_data, model->variables[v]);
        const int own = shares && i > 0 ? find_variable (c->models[0]->model, model->variables[v]) : -1;

        if (shares && i > 0 && own < 0)
          return ss_error_set (err, SS_ERR_INVALID, "%.80s is a variable in one world alone", model->variables[v]);
        if (own >= 0) {
          c->out->variable_of[i][v] = c->out->variable_of[0][own];
          continue;
        }
        add_variable (c, i, v);
        c->is_shared[c->whole->n_variables - 1] = shares;
      }
    }
    if (pass == 0)
      c->whole->n_states = c->whole->n_variables;
  }
  return SS_OK;
}

/* Slots of a model as formulas of the whole; its parameters are numbers. */
static void
map_slots (Copies *c, int i)
{
  const SsScenario *from = c->models[i];
  const SsModel *model = from->model;
  SsGraph *g = c->out->scenario->graph;
  SsExpr *map = c->maps[i] = reserve (c, (size_t)model->n_slots, sizeof *map);

  for (int s = 0; s < model->n_slots && map != NULL; s++)
    map[s] = SS_EXPR_NONE;
  for (int v = 0; v < model->n_variables && map != NULL; v++) {
    map[v] = ss_graph_input (g, c->out->variable_of[i][v]);
    map[model->slot_next + v] = ss_graph_input (g, c->whole->slot_next + c->out->variable_of[i][v]);
  }
  for (int p = 0; p < from->n_parameters && map != NULL; p++)
    map[model->slot_parameters + p] = ss_graph_constant (g, from->parameters[p].value);
  if (map != NULL) {
    map[model->slot_k] = ss_graph_input (g, c->whole->slot_k);
    map[model->slot_t] = ss_graph_input (g, c->whole->slot_t);
  }
}

static SsExpr
import (Copies *c, int i, SsExpr e)
{
  return e == SS_EXPR_NONE ? e
                           : ss_graph_import (c->out->scenario->graph, c->models[i]->graph, e, c->maps[i],
                                              c->models[i]->model->n_slots);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* Whether all that the formula reads is shared. */
static bool
reads_shared_alone (const Copies *c, SsExpr e)
{
  const int n = c->whole->n_slots;
  int *slots = ss_new_array (int, n + 1);
  bool is_alone = slots != NULL;
  const int n_read = is_alone ? ss_graph_inputs (c->out->scenario->graph, e, slots, n) : 0;

  for (int i = 0; i < n_read && i < n && is_alone; i++)
    is_alone = slots[i] >= 2 * c->whole->n_variables || c->is_shared[slots[i] % c->whole->n_variables];
  ss_free (slots);
  return is_alone;
}

static void
add_block (Copies *c, int i, const SsModelBlock *from, SsModelBlock *to)
{
  SsModelRow *rows = reserve (c, (size_t)from->n_rows, sizeof *rows);

  *to = *from;
  to->rows = rows;
  to->n_rows = 0;
  for (int r = 0; r < from->n_rows && rows != NULL; r++) {
    SsModelRow row = from->rows[r];

    row.a = import (c, i, row.a);
    row.b = import (c, i, row.b);
    if (i == 0 || row.kind == SS_ROWS_COMPLEMENTARY || !reads_shared_alone (c, row.a))
      rows[to->n_rows++] = row;
  }
}

/* A variable of a model less that of the first one. */
static SsExpr
difference (Copies *c, int i, const char *name)
{
  SsGraph *g = c->out->scenario->graph;
  const int own = c->out->variable_of[i][find_variable (c->models[i]->model, name)],
            first = c->out->variable_of[0][find_variable (c->models[0]->model, name)];

  const SsExpr own_value = ss_graph_input (g, own), first_value = ss_graph_input (g, first);

  return ss_graph_binary (g, SS_OP_SUB, own_value, first_value);
}

/* The law of a model at a time point. */
static void
add_law (Copies *c, int i, int k, SsModelBlock *block)
{
  const SsCopiesLaw *law = c->law;
  const size_t size = (size_t)law->n_controls * (size_t)law->n_states;
  const double *gain = k < law->n_steps ? law->gains + (size_t)k * size : NULL;
  SsGraph *g = c->out->scenario->graph;
  SsModelRow *rows = reserve (c, (size_t)law->n_controls, sizeof *rows);

  *block = (SsModelBlock){.name = "feedback", .first = k, .last = k, .stride = 1, .rows = rows};
  for (int u = 0; u < law->n_controls && rows != NULL; u++) {
    SsExpr row = difference (c, i, law->controls[u]);

    for (int x = 0; x < law->n_states && gain != NULL; x++) {
      const SsExpr off = difference (c, i, law->states[x]), k_x = ss_graph_constant (g, gain[u * law->n_states + x]);
      const SsExpr correction = ss_graph_binary (g, SS_OP_MUL, k_x, off);

      row = ss_graph_binary (g, SS_OP_ADD, row, correction);
    }
    rows[block->n_rows++] = (SsModelRow){.kind = SS_ROWS_EQUALITY, .path = "task.worlds.feedback", .a = row};
  }
}

static void
add_rows (Copies *c)
{
  const SsModel *first = c->models[0]->model;
  SsModelBlock *blocks;
  SsModelCost *costs = reserve (c, (size_t)first->n_costs, sizeof *costs);
  SsModelChannel *channels = reserve (c, (size_t)first->n_channels, sizeof *channels);
  int n = 0;

  for (int i = 0; i < c->n_models; i++)
    n += c->models[i]->model->n_blocks;
  if (c->law != NULL)
    n += (c->n_models - 1) * first->n_points;
  blocks = reserve (c, (size_t)n, sizeof *blocks);
  if (c->out_of_memory)
    return;
  c->whole->blocks = blocks;
  for (int i = 0; i < c->n_models; i++)
    for (int b = 0; b < c->models[i]->model->n_blocks; b++) {
      add_block (c, i, &c->models[i]->model->blocks[b], &blocks[c->whole->n_blocks]);
      c->whole->n_blocks += blocks[c->whole->n_blocks].n_rows > 0;
    }
  for (int i = 1; i < c->n_models && c->law != NULL; i++)
    for (int k = 0; k < first->n_points; k++)
      add_law (c, i, k, &blocks[c->whole->n_blocks++]);
  c->whole->costs = costs;
  c->whole->n_costs = first->n_costs;
  for (int i = 0; i < first->n_costs; i++) {
    costs[i] = first->costs[i];
    costs[i].cost = import (c, 0, costs[i].cost);
  }
  c->whole->channels = channels;
  c->whole->n_channels = first->n_channels;
  for (int i = 0; i < first->n_channels; i++)
    channels[i] = (SsModelChannel){first->channels[i].about, import (c, 0, first->channels[i].value)};
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static SsStatus
make (Copies *c, SsCopiesShared is_shared, void *user_data, SsError *err)
{
  const SsModel *first = c->models[0]->model;
  SsScenario *scenario = c->out->scenario;
  SsModel *whole = c->whole = reserve (c, 1, sizeof *whole);
  size_t n = 0;

  for (int i = 0; i < c->n_models; i++)
    n += (size_t)c->models[i]->model->n_variables;
  c->names = reserve (c, n, sizeof *c->names);
  c->about = reserve (c, n, sizeof *c->about);
  c->is_shared = reserve (c, n, sizeof *c->is_shared);
  c->maps = reserve (c, (size_t)c->n_models, sizeof *c->maps);
  if (c->out_of_memory)
    return SS_ERR_MEMORY;
  whole->n_points = first->n_points;
  whole->time_step = first->time_step;
  whole->variables = c->names;
  whole->about = c->about;
  SsStatus status = add_variables (c, is_shared, user_data, err);
  if (status != SS_OK)
    return status;
  whole->slot_next = whole->n_variables;
  whole->slot_parameters = whole->slot_k = 2 * whole->n_variables;
  whole->slot_t = whole->slot_k + 1;
  whole->n_slots = whole->slot_t + 1;
  whole->has_clock = first->has_clock;
  whole->clock = first->has_clock ? c->out->variable_of[0][first->clock] : 0;
  scenario->name = c->models[0]->name;
  scenario->title = c->models[0]->title;
  scenario->model = whole;
  scenario->task.t_end = c->models[0]->task.t_end;
  scenario->task.dt = c->models[0]->task.dt;
  scenario->task.guess = (SsGuess){.kind = SS_GUESS_ZEROS, .n_slots = whole->n_slots};
  for (int i = 0; i < c->n_models; i++)
    map_slots (c, i);
  add_rows (c);
  return c->out_of_memory || !ss_graph_is_whole (scenario->graph) ? SS_ERR_MEMORY : SS_OK;
}

SsStatus
ss_copies_new (const SsScenario *const *models, int n_models, SsCopiesShared is_shared, void *user_data,
               const SsCopiesLaw *law, SsCopies *out, SsError *err)
{
  SS_ASSERT (models != NULL && n_models > 0 && is_shared != NULL && out != NULL);
  Copies c = {.models = models, .n_models = n_models, .law = law, .out = out};

  *out = (SsCopies){.n_models = n_models};
  SsStatus status = check_models (&c, err);
  if (status != SS_OK)
    return status;
  out->variable_of = ss_new_array (int *, n_models + 1);
  bool has_memory = out->variable_of != NULL;
  for (int i = 0; i < n_models && has_memory; i++) {
    out->variable_of[i] = ss_new_array (int, models[i]->model->n_variables + 1);
    has_memory = out->variable_of[i] != NULL;
  }
  status = has_memory ? ss_scenario_new (&out->scenario, &c.arena, err) : SS_ERR_MEMORY;
  if (status == SS_OK)
    status = make (&c, is_shared, user_data, err);
  if (status == SS_ERR_MEMORY)
    ss_error_set (err, SS_ERR_MEMORY, "no memory for a plan in %d worlds", n_models);
  if (status != SS_OK)
    ss_copies_clear (out);
  return status;
}

void
ss_copies_clear (SsCopies *copies)
{
  SS_ASSERT (copies != NULL);
  for (int i = 0; copies->variable_of != NULL && i < copies->n_models; i++)
    ss_free (copies->variable_of[i]);
  ss_free (copies->variable_of);
  ss_scenario_free (copies->scenario);
  *copies = (SsCopies){0};
}

void
ss_copies_put (const SsCopies *copies, const SsScenario *const *models, int model, const double *x, double *whole)
{
  SS_ASSERT (copies != NULL);

  const SsModel *from = models[model]->model;
  const size_t n = (size_t)from->n_variables, n_whole = (size_t)copies->scenario->model->n_variables;

  for (size_t k = 0; k < (size_t)from->n_points; k++)
    for (size_t v = 0; v < n; v++)
      whole[k * n_whole + (size_t)copies->variable_of[model][v]] = x[k * n + v];
}
