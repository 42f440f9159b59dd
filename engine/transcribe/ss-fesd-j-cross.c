/* engine/transcribe/ss-fesd-j-cross.c: products within elements and at jumps, and what makes elements equally long; see
 * ss-fesd-j.h. */
#include "transcribe/ss-fesd-j-private.h"

#include <stdio.h>
#include <string.h>

static SsExpr
var (const SsFesd *t, int variable)
{
  return ss_fesd_variable (t, variable, 0);
}

/* ---- components -------------------------------------------------------------------------------------------------- */

typedef enum { KIND_GAP, KIND_FORCE, KIND_CONE, KIND_SLIP, KIND_COUNT } Kind;

typedef SsFesdComponent Component;

static const char *const kind_names[KIND_COUNT] = {"gap", "slip", "cone", "slip parts"};

enum { COMPONENTS_PER_CONTACT = 4 };

/* Numbers of two sides (offsets in SsFesdSide) as a component; values of the left point and the end belong to C, and to
 * D where both are continuous. */
static void
add_component (const SsFesd *t, const SsFesdContact *contact, Kind kind, size_t of_c, size_t of_d, bool is_d_continuous,
               Component *list, int *n)
{
  Component *component = &list[(*n)++];

  *component = (Component){.kind = kind, .owner = contact->name, .what = kind_names[kind]};
  for (int j = -1; j <= t->tableau.n; j++) {
    const SsFesdSide *side = j < 0 ? &contact->left : j < t->tableau.n ? &contact->stage[j] : &contact->end;
    const int c = *(const int *)((const char *)side + of_c), d = *(const int *)((const char *)side + of_d);
    const bool is_stage = j >= 0 && j < t->tableau.n;

    if (c != SS_NO_VARIABLE)
      component->c[component->n_c++] = var (t, c);
    if (d != SS_NO_VARIABLE && (is_stage || is_d_continuous))
      component->d[component->n_d++] = var (t, d);
  }
}

#define SIDE(field) offsetof (SsFesdSide, field)

/* list[n_contacts * COMPONENTS_PER_CONTACT], by kind: gaps [000 (13a) (20)], polyhedral friction [000 (8a)], cones
 * [000 (8b) (13d) (21)], parts of the slip [000 (14b) (22) (25)]. Returns their number. */
static int
list_components (const SsFesd *t, Component *list)
{
  const bool is_conic = t->options.friction == SS_FESD_CONIC;
  int n = 0;

  for (int c = 0; c < t->n_contacts; c++)
    add_component (t, &t->contacts[c], KIND_GAP, SIDE (y), SIDE (force), false, list, &n);
  for (int c = 0; c < t->n_contacts && !is_conic; c++)
    if (t->contacts[c].has_friction) {
      add_component (t, &t->contacts[c], KIND_FORCE, SIDE (part_1), SIDE (force_1), false, list, &n);
      add_component (t, &t->contacts[c], KIND_FORCE, SIDE (part_2), SIDE (force_2), false, list, &n);
    }
  for (int c = 0; c < t->n_contacts; c++)
    if (t->contacts[c].has_friction)
      add_component (t, &t->contacts[c], KIND_CONE, SIDE (gamma), SIDE (beta), false, list, &n);
  for (int c = 0; c < t->n_contacts && is_conic; c++)
    if (t->contacts[c].has_friction)
      add_component (t, &t->contacts[c], KIND_SLIP, SIDE (part_1), SIDE (part_2), true, list, &n);
  return n;
}

static SsExpr
add_up (const SsFesd *t, const SsExpr *values, int n)
{
  SsExpr sum = ss_fesd_number (t, 0);

  for (int i = 0; i < n; i++)
    sum = ss_expr_add (t->base.graph, sum, values[i]);
  return sum;
}

/* Product of both sums of a component. */
static SsExpr
product_of (const SsFesd *t, const Component *component)
{
  return ss_expr_mul (t->base.graph, add_up (t, component->c, component->n_c),
                      add_up (t, component->d, component->n_d));
}

/* ---- within elements --------------------------------------------------------------------------------------------- */

static void
add_pair (SsFesd *t, SsExpr a, SsExpr b, const char *owner, const char *what, int j, int k)
{
  char text[48];

  snprintf (text, sizeof text, "%s %d %d", what, j, k);
  ss_transcription_add_product (&t->base, a, b, owner, text);
}

static void
add_by_component (SsFesd *t, const Component *component)
{
  const char *what = component->what, *owner = component->owner;
  const int mode = t->options.cross;
  const SsExpr all_c = add_up (t, component->c, component->n_c), all_d = add_up (t, component->d, component->n_d);

  if (mode == SS_FESD_CROSS_ALL)
    for (int j = 0; j < component->n_c; j++)
      for (int k = 0; k < component->n_d; k++)
        add_pair (t, component->c[j], component->d[k], owner, what, j, k + 1);
  else if (mode == SS_FESD_CROSS_BY_C)
    for (int j = 0; j < component->n_c; j++)
      add_pair (t, component->c[j], all_d, owner, what, j, 0);
  else if (mode == SS_FESD_CROSS_BY_D)
    for (int k = 0; k < component->n_d; k++)
      add_pair (t, all_c, component->d[k], owner, what, 0, k + 1);
  else
    add_pair (t, all_c, all_d, owner, what, 0, 0);
}

/* Sums over the components of a kind, which all have as many points. */
static void
add_by_kind (SsFesd *t, const Component *list, int n, int kind)
{
  SsGraph *g = t->base.graph;
  const SsExpr one = ss_fesd_number (t, 1), zero = ss_fesd_number (t, 0);
  const int mode = t->options.cross;
  const char *what = "";
  int n_c = 0, n_d = 0;

  for (int i = 0; i < n; i++)
    if (list[i].kind == kind) {
      n_c = list[i].n_c;
      n_d = list[i].n_d;
      what = list[i].what;
    }
  for (int j = 0; j < (mode == SS_FESD_CROSS_BY_D_SUMMED ? (n_c > 0) : n_c); j++)
    for (int k = 0; k < (mode == SS_FESD_CROSS_BY_C_SUMMED ? (n_d > 0) : n_d); k++) {
      SsExpr sum = zero;

      for (int i = 0; i < n; i++) {
        if (list[i].kind != kind)
          continue;
        SsExpr c = mode == SS_FESD_CROSS_BY_D_SUMMED ? add_up (t, list[i].c, n_c) : list[i].c[j];
        SsExpr d = mode == SS_FESD_CROSS_BY_C_SUMMED ? add_up (t, list[i].d, n_d) : list[i].d[k];
        sum = ss_expr_add (g, sum, ss_expr_mul (g, c, d));
      }
      add_pair (t, sum, one, "all", what, j, k + 1);
    }
}

/* Products of elements run up in variables, from 0 at the start of an interval or of the horizon. */
static void
add_running_sums (SsFesd *t, const Component *list, int n)
{
  SsGraph *g = t->base.graph;
  const int mode = t->options.cross, n_elements = t->options.elements, end = t->n_points;
  const bool is_interval = mode == SS_FESD_CROSS_INTERVAL_BY_COMPONENT || mode == SS_FESD_CROSS_INTERVAL_ONE;
  const int stride = is_interval ? n_elements : end;
  const SsExpr one = ss_fesd_number (t, 1);
  SsExpr all = ss_fesd_number (t, 0);

  for (int i = 0; i < n; i++)
    all = ss_expr_add (g, all, product_of (t, &list[i]));
  for (int j = 0; j < 2; j++) {
    /* j = 0: the first element of each; then the others */
    for (int first = j; first < (j == 0 ? 1 : is_interval ? n_elements : 2); first++) {
      const int step = j == 0 || is_interval ? stride : 1;
      const int last = j == 0 ? end - stride : is_interval ? end - n_elements + first : end - 1;

      ss_transcription_open_block (&t->base, "products", first, last, step);
      for (int i = 0; i < t->n_sums; i++) {
        SsExpr next = ss_fesd_variable (t, t->sums + i, 1), more = t->n_sums == 1 ? all : product_of (t, &list[i]);

        if (j > 0)
          more = ss_expr_add (g, var (t, t->sums + i), more);
        ss_transcription_add_row (&t->base, SS_ROWS_EQUALITY, ss_expr_sub (g, next, more), "products", "sum");
      }
      ss_transcription_close_block (&t->base);
    }
  }
  ss_transcription_open_block (&t->base, "products start", 0, 0, 1);
  for (int i = 0; i < t->n_sums; i++)
    ss_transcription_add_row (&t->base, SS_ROWS_EQUALITY, var (t, t->sums + i), "products", "start");
  ss_transcription_close_block (&t->base);
  ss_transcription_open_block (&t->base, "cross", stride, end, stride);
  for (int i = 0; i < t->n_sums; i++)
    add_pair (t, var (t, t->sums + i), one, "products", "sum", i + 1, 0);
  ss_transcription_close_block (&t->base);
}

/* ---- at jumps ---------------------------------------------------------------------------------------------------- */

/* [000 (11b)-(11c) (17b)-(17c) (17f)], or split [000 (A.2b) (A.2d)]. */
static void
add_jump_pairs (SsFesd *t)
{
  SsGraph *g = t->base.graph;
  SsFesdRange ranges[SS_FESD_RANGES_MAX];
  const int n = ss_fesd_ranges (t, true, false, ranges);

  for (int r = 0; r < n; r++) {
    ss_transcription_open_block (&t->base, "impulse", ranges[r].first, ranges[r].last, ranges[r].stride);
    for (int c = 0; c < t->n_contacts; c++) {
      const SsFesdContact *contact = &t->contacts[c];
      const SsFesdSide *left = &contact->left;
      SsExpr impulse = var (t, left->force), gap = var (t, left->y);

      if (contact->r != SS_NO_VARIABLE) {
        SsExpr residual = var (t, contact->r);

        add_pair (t, impulse, gap, contact->name, "gap", 0, 0);
        add_pair (t, impulse, residual, contact->name, "restitution", 0, 0);
        add_pair (t, impulse, ss_expr_neg (g, residual), contact->name, "restitution", 0, 1);
      } else {
        SsExpr p = var (t, contact->p), q = var (t, contact->q);

        add_pair (t, impulse, ss_expr_add (g, gap, ss_expr_add (g, p, q)), contact->name, "gap", 0, 0);
        add_pair (t, p, q, contact->name, "restitution", 0, 0);
      }
      if (!contact->has_friction)
        continue;
      if (left->force_2 != SS_NO_VARIABLE) {
        add_pair (t, var (t, left->part_1), var (t, left->force_1), contact->name, "slip", 0, 1);
        add_pair (t, var (t, left->part_2), var (t, left->force_2), contact->name, "slip", 0, 2);
      }
      add_pair (t, var (t, left->gamma), var (t, left->beta), contact->name, "cone", 0, 0);
    }
    ss_transcription_close_block (&t->base);
  }
}

void
ss_fesd_add_products (SsFesd *t, const SsFesdComponent *list, int n)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);

  const int mode = t->options.cross;

  if (mode >= SS_FESD_CROSS_INTERVAL_BY_COMPONENT) {
    if (n > 0)
      add_running_sums (t, list, n);
    return;
  }
  ss_transcription_open_block (&t->base, "cross", 0, t->n_points - 1, 1);
  if (mode == SS_FESD_CROSS_ONE) {
    SsExpr sum = ss_fesd_number (t, 0);

    for (int i = 0; i < n; i++)
      sum = ss_expr_add (t->base.graph, sum, product_of (t, &list[i]));
    if (n > 0)
      add_pair (t, sum, ss_fesd_number (t, 1), "all", "products", 0, 0);
  } else if (mode == SS_FESD_CROSS_OF_STAGES || mode == SS_FESD_CROSS_BY_C_SUMMED || mode == SS_FESD_CROSS_BY_D_SUMMED)
    for (int kind = 0; kind < SS_FESD_KINDS_MAX; kind++)
      add_by_kind (t, list, n, kind);
  else
    for (int i = 0; i < n; i++)
      add_by_component (t, &list[i]);
  ss_transcription_close_block (&t->base);
}

void
ss_fesd_add_cross (SsFesd *t)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);

  Component *list = ss_transcription_alloc (&t->base, (size_t)t->n_contacts * COMPONENTS_PER_CONTACT, sizeof *list);

  if (list == NULL)
    return;
  ss_fesd_add_products (t, list, list_components (t, list));
  add_jump_pairs (t);
}

/* ---- step equilibration ------------------------------------------------------------------------------------------ */

/* Sum of a field of the sides: with the left point, or of the stages alone; of this point's element or the next one. */
static SsExpr
sum_of (const SsFesd *t, const SsFesdContact *contact, size_t field, bool with_left, int shift)
{
  SsExpr sum = ss_fesd_number (t, 0);

  for (int j = with_left ? -1 : 0; j < t->tableau.n; j++) {
    const SsFesdSide *side = j < 0 ? &contact->left : &contact->stage[j];

    sum = ss_expr_add (t->base.graph, sum, ss_fesd_variable (t, *(const int *)((const char *)side + field), shift));
  }
  return sum;
}

/* The indicator of the grid point between this element and the next: ss_fesd_eta as an expression [000 (27)-(30)]. */
static SsExpr
indicator (const SsFesd *t)
{
  SsGraph *g = t->base.graph;
  SsExpr eta = ss_fesd_number (t, 1);

  for (int c = 0; c < t->n_contacts; c++) {
    const SsFesdContact *contact = &t->contacts[c];
    SsExpr gap[2], force[2];

    for (int s = 0; s < 2; s++) {
      gap[s] = sum_of (t, contact, SIDE (y), true, s);
      force[s] = sum_of (t, contact, SIDE (force), false, s);
    }
    SsExpr kappa =
        ss_expr_add (g, ss_expr_mul (g, ss_fesd_variable (t, contact->left.y, 1), ss_expr_mul (g, gap[0], gap[1])),
                     ss_expr_mul (g, force[0], force[1]));
    eta = ss_expr_mul (g, eta, kappa);
    if (!contact->has_friction)
      continue;
    SsExpr zeta = ss_expr_add (g, gap[0], gap[1]);
    const size_t parts[] = {SIDE (part_1), SIDE (part_2)};
    for (int p = 0; p < 2; p++)
      zeta = ss_expr_add (
          g, zeta, ss_expr_mul (g, sum_of (t, contact, parts[p], true, 0), sum_of (t, contact, parts[p], true, 1)));
    zeta = ss_expr_add (
        g, zeta,
        ss_expr_mul (g, sum_of (t, contact, SIDE (beta), false, 0), sum_of (t, contact, SIDE (beta), false, 1)));
    eta = ss_expr_mul (g, eta, zeta);
  }
  return eta;
}

/* tanh (a) for a >= 0 by exp (-2 a), which does not overflow. */
static SsExpr
tanh_of (SsGraph *g, SsExpr a)
{
  SsExpr one = ss_expr_number (g, 1), e = ss_graph_unary (g, SS_OP_EXP, ss_expr_scale (g, -2, a));

  return ss_expr_div (g, ss_expr_sub (g, one, e), ss_expr_add (g, one, e));
}

/* What makes gamma one number where nothing else does. */
static void
add_gamma_penalty (SsFesd *t)
{
  SsGraph *g = t->base.graph;
  SsExpr sum = ss_fesd_number (t, 0);

  for (int c = 0; c < t->n_contacts; c++)
    for (int j = -1; j <= t->tableau.n; j++) {
      const SsFesdContact *contact = &t->contacts[c];
      const SsFesdSide *side = j < 0 ? &contact->left : j < t->tableau.n ? &contact->stage[j] : &contact->end;

      if (side->gamma != SS_NO_VARIABLE)
        sum = ss_expr_add (g, sum, ss_expr_mul (g, var (t, side->gamma), var (t, side->gamma)));
    }
  ss_transcription_add_cost (&t->base, "gamma", 0, t->n_points - 1, 1, true,
                             ss_expr_scale (g, t->options.rho_gamma, sum));
}

void
ss_fesd_add_equilibration (SsFesd *t)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);
  if (t->options.rho_gamma > 0)
    add_gamma_penalty (t);
  ss_fesd_equilibrate (t, indicator (t));
}

/* Rows [000 (26)], or a penalty [000 Rem 4]. */
void
ss_fesd_equilibrate (SsFesd *t, SsExpr eta)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);

  SsGraph *g = t->base.graph;
  const int n = t->options.elements, end = t->n_points;
  const SsFesdEquilibration kind = (SsFesdEquilibration)t->options.equilibration;
  SsExpr change = ss_expr_sub (g, ss_fesd_variable (t, t->base.h, 1), t->length),
         square = ss_expr_mul (g, change, change);
  SsExpr from_mean = ss_expr_sub (g, t->length, t->mean), weight = ss_fesd_number (t, t->options.rho_h);

  if (kind == SS_FESD_NONE)
    return;
  if (kind == SS_FESD_MEAN) {
    ss_transcription_add_cost (&t->base, "step equilibration", 0, end - 1, 1, true,
                               ss_expr_mul (g, weight, ss_expr_mul (g, from_mean, from_mean)));
    return;
  }
  if (kind == SS_FESD_DIFF)
    eta = ss_fesd_number (t, 1);
  if (kind == SS_FESD_L2_SCALED)
    eta = tanh_of (g, ss_expr_scale (g, 1 / t->options.eps_eta, eta));
  /* Grid points within intervals: from element j to j + 1 of each. */
  for (int j = 0; j < n - 1; j++) {
    const int last = end - n + j;

    if (kind == SS_FESD_DIFF || kind == SS_FESD_L2 || kind == SS_FESD_L2_SCALED) {
      ss_transcription_add_cost (&t->base, "step equilibration", j, last, n, true,
                                 ss_expr_mul (g, weight, ss_expr_mul (g, eta, square)));
      continue;
    }
    ss_transcription_open_block (&t->base, "step equilibration", j, last, n);
    if (kind == SS_FESD_DIRECT)
      ss_transcription_add_row (&t->base, SS_ROWS_EQUALITY, ss_expr_mul (g, eta, change), "h", "equal");
    else if (kind == SS_FESD_DIRECT_HOMOTOPY) {
      ss_transcription_add_product (&t->base, eta, change, "h", "longer");
      ss_transcription_add_product (&t->base, eta, ss_expr_neg (g, change), "h", "shorter");
    } else {
      ss_transcription_add_row (&t->base, SS_ROWS_EQUALITY, ss_expr_sub (g, var (t, t->eta), eta), "eta", "indicator");
      ss_transcription_add_row (&t->base, SS_ROWS_EQUALITY, ss_expr_mul (g, var (t, t->eta), change), "h", "equal");
    }
    ss_transcription_close_block (&t->base);
  }
  if (kind == SS_FESD_LIFTED) { /* no grid point within the interval comes after its last element */
    ss_transcription_open_block (&t->base, "no indicator", n - 1, end - 1, n);
    ss_transcription_add_row (&t->base, SS_ROWS_EQUALITY, var (t, t->eta), "eta", "none");
    ss_transcription_close_block (&t->base);
  }
}
