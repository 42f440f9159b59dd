/* engine/transcribe/ss-transcribe-blocks.c: blocks of rows being listed, and what the rows of the steps share, whatever
 * their law. */
#include "transcribe/ss-transcribe-private.h"

#include <string.h>

/* ---- blocks and their rows --------------------------------------------------------------------------------------- */

void
ss_transcription_open_block (SsTranscription *t, const char *name, int first, int last, int stride)
{
  SS_ASSERT (t != NULL);
  if (ss_array_reserve ((void **)&t->blocks, &t->block_capacity, t->n_blocks + 1, sizeof *t->blocks) != 0) {
    t->out_of_memory = true;
    return;
  }
  t->blocks[t->n_blocks++] =
      (SsModelBlock){.name = ss_transcription_name (t, "%s", name), .first = first, .last = last, .stride = stride};
  t->n_block_rows = 0;
}

void
ss_transcription_close_block (SsTranscription *t)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity);

  SsModelBlock *block;
  SsModelRow *rows;

  if (t->out_of_memory)
    return;
  block = &t->blocks[t->n_blocks - 1];
  if (t->n_block_rows == 0 || block->last < block->first) {
    t->n_blocks--;
    return;
  }
  rows = ss_transcription_alloc (t, (size_t)t->n_block_rows, sizeof *rows);
  if (rows == NULL)
    return;
  memcpy (rows, t->block_rows, (size_t)t->n_block_rows * sizeof *rows);
  block->rows = rows;
  block->n_rows = t->n_block_rows;
}

/* `what`: the row's name after its block's. */
static void
add_any_row (SsTranscription *t, SsRowsKind kind, SsExpr a, SsExpr b, bool with_signs, const char *owner,
             const char *what)
{
  SsModelRow row = {.kind = kind, .a = a, .b = b, .impose_a = with_signs, .impose_b = with_signs};

  if (t->out_of_memory || a == SS_EXPR_NONE || (kind == SS_ROWS_COMPLEMENTARY && b == SS_EXPR_NONE) ||
      ss_array_reserve ((void **)&t->block_rows, &t->block_row_capacity, t->n_block_rows + 1, sizeof row) != 0) {
    t->out_of_memory = true;
    return;
  }
  row.path = ss_transcription_name (t, "%s.%s %s", t->blocks[t->n_blocks - 1].name, owner, what);
  t->block_rows[t->n_block_rows++] = row;
}

void
ss_transcription_add_row (SsTranscription *t, SsRowsKind kind, SsExpr row, const char *owner, const char *what)
{
  add_any_row (t, kind, row, SS_EXPR_NONE, true, owner, what);
}

void
ss_transcription_add_product (SsTranscription *t, SsExpr a, SsExpr b, const char *owner, const char *what)
{
  add_any_row (t, SS_ROWS_COMPLEMENTARY, a, b, false, owner, what);
}

void
ss_transcription_add_pair (SsTranscription *t, SsExpr a, SsExpr b, const char *owner, const char *what)
{
  add_any_row (t, SS_ROWS_COMPLEMENTARY, a, b, true, owner, what);
}

/* ---- of the steps ------------------------------------------------------------------------------------------------ */

/* Forces of the joints' rows at the point `at`, and of limits at the next point. */
static void
push_rows (const SsTranscription *t, int at, bool is_end, SsExpr *f)
{
  const SsMotionExpr *end = &t->motion[1];
  SsRowExpr rows[SS_ROW_EXPR_JOINT_MAX];

  for (int i = 0; i < t->n_rows; i++) {
    const SsPlanRow *row = &t->rows[i];
    int n = row->is_limit ? ss_dynamics_expr_limits (end, row->joint, rows)
                          : ss_dynamics_expr_joint (&t->motion[at], row->joint, rows);

    for (int k = 0; k < n; k++)
      if (rows[k].index == row->index)
        ss_dynamics_expr_push (end, &rows[k], ss_transcription_variable (t, is_end ? row->end : row->variable, 1), f);
  }
}

/* Contact forces at the next point. */
static void
push_contacts (const SsTranscription *t, bool is_end, SsExpr *f)
{
  const SsMotionExpr *end = &t->motion[1];
  SsGraph *g = t->graph;

  for (int p = 0; p < t->n_points; p++) {
    const SsPlanPoint *point = &t->points[p];
    const int normal = is_end ? point->end_n : point->lambda_n, tangential = is_end ? point->end_t : point->lambda_t;
    SsExpr lifted[1 + SS_GAP_WEIGHTS_MAX];
    SsGapExpr gap;
    SsVec2Expr force;

    for (int i = 0; i < ss_gap_n_lifted (&point->pair); i++)
      lifted[i] = ss_transcription_variable (t, point->lifted + i, 1);
    ss_gap_expr (g, t->inputs, &point->pair, end->q + 3 * point->body_a, end->q + 3 * point->body_b, lifted, &gap);
    force = ss_vec2_expr_scale (g, ss_transcription_variable (t, normal, 1), gap.normal);
    if (tangential != SS_NO_VARIABLE) {
      SsVec2Expr tangent = {gap.normal.y, ss_expr_neg (g, gap.normal.x)};

      force =
          ss_vec2_expr_add (g, force, ss_vec2_expr_scale (g, ss_transcription_variable (t, tangential, 1), tangent));
    }
    ss_dynamics_expr_push_at (end, point->body_b, gap.point_b, force, f);
    force = (SsVec2Expr){ss_expr_neg (g, force.x), ss_expr_neg (g, force.y)};
    ss_dynamics_expr_push_at (end, point->body_a, gap.point_a, force, f);
  }
}

void
ss_transcription_push (const SsTranscription *t, int rows, bool is_end, SsExpr *f)
{
  push_rows (t, rows, is_end, f);
  push_contacts (t, is_end, f);
}

SsExpr
ss_transcription_mass (const SsTranscription *t, int i)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity);

  const SsBody *body = &t->scene->bodies[i / 3];

  return ss_transcription_number (t, i % 3 < 2 ? &body->mass : &body->inertia);
}

SsExpr
ss_transcription_in_velocity (const SsTranscription *t, SsExpr row)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity);

  SsGraph *g = t->graph;

  return t->in_velocity ? ss_expr_div (g, row, t->step) : row;
}

void
ss_transcription_add_step_row (SsTranscription *t, const SsExpr *known, SsExpr row, const char *owner, const char *what)
{
  const SsExpr own = known != NULL ? ss_graph_substitute (t->graph, row, known, t->n_variables) : row;
  ss_transcription_add_row (t, SS_ROWS_EQUALITY, own, owner, what);
}
