/* app/equations/ssapp-equations-scene.c: coordinates, mass matrix, forces, gaps, contact kinematics and joints of a
 * scene. */
#include "app/equations/ssapp-equations-private.h"

#include "app/base/ssapp-latex.h"

#include "geometry/ss-gap-expr.h"

#include <math.h>
#include <string.h>

/* More of a kind are counted, not written: nobody reads them. */
enum { BODIES_SHOWN = 40, GAPS_SHOWN = 60, OTHERS_SHOWN = 40 };

typedef struct {
  const SsScene *scene;
  SsappEquations *out;
  SsGraph *graph;  /* of the formulas that are made here */
  GArray *symbols; /* of its inputs: slots as in formulas of the scene, then lifted ones */
  int n_gaps, n_left_out;
} Writer;

static char *
number (double value, SsappFormulaForm form)
{
  return ssapp_formula_number (value, form);
}

/* ---- coordinates ------------------------------------------------------------------------------------------------- */

static void
name_slots (const SsScenario *scenario, GArray *symbols)
{
  static const char *const texts[] = {"x", "y", "θ", "vx", "vy", "ω"}, *const latex[] = {"x",        "y",
                                                                                         "\\theta",  "\\dot{x}",
                                                                                         "\\dot{y}", "\\omega"};
  const SsScene *scene = scenario->scene;

  for (int b = 0; b < scene->n_bodies; b++) {
    g_autofree char *below = ssapp_latex_words (scene->bodies[b].name);
    for (int i = 0; i < 6; i++)
      ssapp_symbols_set (symbols, 6 * b + i, g_strdup_printf ("%s_%s", texts[i], scene->bodies[b].name),
                         g_strdup_printf ("%s_{\\text{%s}}", latex[i], below));
  }
  for (int i = 0; i < scenario->n_parameters; i++)
    ssapp_symbols_set (symbols, scene->slot_parameters + i, g_strdup (scenario->parameters[i].name),
                       ssapp_latex_name (scenario->parameters[i].name));
  ssapp_symbols_set (symbols, scene->slot_t, g_strdup ("t"), g_strdup ("t"));
  for (int i = 0; i < scene->n_actuators; i++) {
    g_autofree char *below = ssapp_latex_words (scene->actuators[i].name);
    ssapp_symbols_set (symbols, scene->slot_controls + i, g_strdup_printf ("u_%s", scene->actuators[i].name),
                       g_strdup_printf ("u_{\\text{%s}}", below));
  }
}

/* "(a, b, c)" of three numbers. */
static char *
triple (const double values[3], SsappFormulaForm form)
{
  g_autofree char *a = number (values[0], form), *b = number (values[1], form), *c = number (values[2], form);
  return g_strdup_printf (form == SSAPP_FORMULA_LATEX ? "\\left(%s,\\, %s,\\, %s\\right)" : "(%s, %s, %s)", a, b, c);
}

static void
say_left_out (SsappEquationSection *section, int left_out, const char *what)
{
  if (left_out > 0)
    ssapp_equations_say (section, "There are %d more %s of the same form.", left_out, what);
}

static gboolean
is_at_rest (const SsBody *body, int i)
{
  return body->is_fixed || (body->lock[i] && body->v[i] == 0);
}

static void
write_body (Writer *w, SsappEquationSection *section, const SsBody *body)
{
  static const char *const axes[] = {"x", "y", "θ"};
  g_autofree char *below = ssapp_latex_words (body->name), *at = triple (body->q, SSAPP_FORMULA_TEXT),
                  *v = triple (body->v, SSAPP_FORMULA_TEXT);

  (void)w;
  ssapp_equations_put (
      section, g_strdup_printf ("q_%s = (x_%s, y_%s, θ_%s)", body->name, body->name, body->name, body->name),
      g_strdup_printf ("q_{\\text{%s}} = \\left(x_{\\text{%s}},\\, y_{\\text{%s}},\\, \\theta_{\\text{%s}}\\right)",
                       below, below, below, below));
  ssapp_equations_say (section, "At the start %s, with the velocity %s.", at, v);
  for (int i = 0; i < 3; i++)
    if (body->lock[i])
      ssapp_equations_say (section, body->v[i] == 0 ? "%s of %s is held." : "%s of %s keeps its velocity.", axes[i],
                           body->name);
}

static void
write_coordinates (Writer *w)
{
  SsappEquationSection *section = ssapp_equations_begin (w->out, "Coordinates");
  int shown = 0, left_out = 0;

  ssapp_equations_say (section, "Each body that moves has the place of its centre of mass, x and y in metres, and its "
                                "angle θ in radians, against the clock. Velocities are v, with q̇ = v.");
  for (int b = 0; b < w->scene->n_bodies; b++) {
    if (w->scene->bodies[b].is_fixed)
      continue;
    if (shown++ < BODIES_SHOWN)
      write_body (w, section, &w->scene->bodies[b]);
    else
      left_out++;
  }
  say_left_out (section, left_out, "bodies");
  if (shown == 0)
    ssapp_equations_say (section, "No body moves.");
  for (int b = 0, n = 0; b < w->scene->n_bodies && n < OTHERS_SHOWN; b++)
    if (w->scene->bodies[b].is_fixed) {
      g_autofree char *at = triple (w->scene->bodies[b].q, SSAPP_FORMULA_TEXT);
      ssapp_equations_say (section, "The body %s stays at %s.", w->scene->bodies[b].name, at);
      n++;
    }
}

/* ---- motion ------------------------------------------------------------------------------------------------------ */

static void
write_mass (Writer *w)
{
  SsappEquationSection *section = ssapp_equations_begin (w->out, "Mass matrix");
  int shown = 0, left_out = 0;

  ssapp_equations_say (section, "It is diagonal and constant: mass, mass, and moment of inertia about the centre of "
                                "mass of each body, in kg and kg m².");
  for (int b = 0; b < w->scene->n_bodies; b++) {
    const SsBody *body = &w->scene->bodies[b];
    if (body->is_fixed)
      continue;
    if (shown++ >= BODIES_SHOWN) {
      left_out++;
      continue;
    }
    const double diagonal[] = {body->mass, body->mass, body->inertia};
    g_autofree char *text = triple (diagonal, SSAPP_FORMULA_TEXT), *latex = triple (diagonal, SSAPP_FORMULA_LATEX),
                    *below = ssapp_latex_words (body->name);
    ssapp_equations_put (section, g_strdup_printf ("M_%s = diag%s", body->name, text),
                         g_strdup_printf ("M_{\\text{%s}} = \\operatorname{diag}%s", below, latex));
  }
  say_left_out (section, left_out, "blocks");
}

static void
write_weight (Writer *w, SsappEquationSection *section)
{
  const SsVec2 g = w->scene->gravity;
  g_autofree char *x = number (g.x, SSAPP_FORMULA_TEXT), *y = number (g.y, SSAPP_FORMULA_TEXT),
                  *lx = number (g.x, SSAPP_FORMULA_LATEX), *ly = number (g.y, SSAPP_FORMULA_LATEX);

  ssapp_equations_say (section, "On each body acts its weight m g, with");
  ssapp_equations_put (section, g_strdup_printf ("g = (%s, %s) m/s²", x, y),
                       g_strdup_printf ("g = \\left(%s,\\, %s\\right)\\ \\mathrm{m/s^2}", lx, ly));
}

static const char *
body_name (Writer *w, int body)
{
  return body < 0 ? "the world" : w->scene->bodies[body].name;
}

static void
write_springs (Writer *w, SsappEquationSection *section)
{
  for (int i = 0; i < MIN (w->scene->n_springs, OTHERS_SHOWN); i++) {
    const SsSpring *s = &w->scene->springs[i];
    g_autofree char *k = number (s->stiffness, SSAPP_FORMULA_TEXT), *d = number (s->damping, SSAPP_FORMULA_TEXT),
                    *rest = number (s->rest, SSAPP_FORMULA_TEXT), *lk = number (s->stiffness, SSAPP_FORMULA_LATEX),
                    *ld = number (s->damping, SSAPP_FORMULA_LATEX), *lr = number (s->rest, SSAPP_FORMULA_LATEX);
    ssapp_equations_say (section,
                         s->is_torsion ? "Torsion spring %s between %s and %s, ℓ the difference of their angles:"
                                       : "Spring %s between %s and %s, ℓ the distance of its ends:",
                         s->name, body_name (w, s->body_a), body_name (w, s->body_b));
    ssapp_equations_put (section, g_strdup_printf ("F = −%s·(ℓ − %s) − %s·ℓ̇", k, rest, d),
                         g_strdup_printf ("F = -%s\\,(\\ell - %s) - %s\\,\\dot\\ell", lk, lr, ld));
  }
}

static void
write_force (Writer *w, SsappEquationSection *section, const SsForce *force)
{
  const SsExpr parts[] = {force->fx, force->fy, force->torque};
  static const char *const names[] = {"f_x", "f_y", "τ"}, *const latex[] = {"f_x", "f_y", "\\tau"};

  ssapp_equations_say (section, "Force %s on %s:", force->name, body_name (w, force->body));
  for (int i = 0; i < 3; i++)
    if (parts[i] != SS_EXPR_NONE) {
      g_autofree char *left = g_strdup_printf ("%s = ", names[i]), *left_latex = g_strdup_printf ("%s = ", latex[i]);
      ssapp_equations_put_expr (section, w->scene->graph, parts[i], w->symbols, left, left_latex);
    }
}

static void
write_actuator (Writer *w, SsappEquationSection *section, int index)
{
  const SsActuator *a = &w->scene->actuators[index];
  const SsappSymbol *u = &g_array_index (w->symbols, SsappSymbol, w->scene->slot_controls + index);
  g_autofree char *low = number (a->lower, SSAPP_FORMULA_TEXT), *high = number (a->upper, SSAPP_FORMULA_TEXT),
                  *llow = number (a->lower, SSAPP_FORMULA_LATEX), *lhigh = number (a->upper, SSAPP_FORMULA_LATEX);

  if (a->kind == SS_ACTUATOR_JOINT)
    ssapp_equations_say (section, "Motor %s of the joint %s:", a->name, w->scene->joints[a->joint].name);
  else if (a->kind == SS_ACTUATOR_TORQUE)
    ssapp_equations_say (section, "Torque %s on %s:", a->name, body_name (w, a->body));
  else
    ssapp_equations_say (section, "Force %s on %s, along (%.4g, %.4g) of %s:", a->name, body_name (w, a->body),
                         a->direction.x, a->direction.y, a->is_body_frame ? "the body" : "the world");
  ssapp_equations_put (section,
                       g_strdup_printf ("%s ≤ %s ≤ %s %s", low, u->text, high, ss_actuator_unit (w->scene, index)),
                       g_strdup_printf ("%s \\le %s \\le %s\\ \\mathrm{%s}", llow, u->latex, lhigh,
                                        a->kind == SS_ACTUATOR_FORCE ? "N" : ss_actuator_unit (w->scene, index)));
  if (a->formula != SS_EXPR_NONE) {
    g_autofree char *left = g_strdup_printf ("%s = ", u->text), *left_latex = g_strdup_printf ("%s = ", u->latex);
    ssapp_equations_put_expr (section, w->scene->graph, a->formula, w->symbols, left, left_latex);
  }
}

static void
write_motion (Writer *w)
{
  SsappEquationSection *section = ssapp_equations_begin (w->out, "Equations of motion");

  ssapp_equations_put_copy (section, "M v̇ = f(q, v, u, t) + Σ (n λₙ + t λₜ) + Gᵀ γ,   q̇ = v",
                            "M \\dot v = f(q, v, u, t) + \\sum_i \\left(n_i \\lambda_{n,i} + t_i "
                            "\\lambda_{t,i}\\right) + G^{T} \\gamma, \\qquad \\dot q = v");
  ssapp_equations_say (section,
                       "Here λₙ and λₜ are the forces of contacts along normal and tangent, γ those of joints.");
  write_weight (w, section);
  write_springs (w, section);
  for (int i = 0; i < MIN (w->scene->n_forces, OTHERS_SHOWN); i++)
    write_force (w, section, &w->scene->forces[i]);
  for (int i = 0; i < MIN (w->scene->n_actuators, OTHERS_SHOWN); i++)
    write_actuator (w, section, i);
  say_left_out (section, MAX (w->scene->n_springs - OTHERS_SHOWN, 0), "springs");
  say_left_out (section, MAX (w->scene->n_forces - OTHERS_SHOWN, 0), "forces");
  say_left_out (section, MAX (w->scene->n_actuators - OTHERS_SHOWN, 0), "controls");
}

/* ---- gaps -------------------------------------------------------------------------------------------------------- */

/* x, y, theta of a body as inputs, or as numbers where they do not change. */
static void
pose_of (Writer *w, int body, SsExpr pose[3])
{
  for (int i = 0; i < 3; i++)
    pose[i] = is_at_rest (&w->scene->bodies[body], i) ? ss_expr_number (w->graph, w->scene->bodies[body].q[i])
                                                      : ss_graph_input (w->graph, 6 * body + i);
}

/* A point of the body's frame in the world. */
static SsVec2Expr
place (Writer *w, const SsExpr pose[3], SsVec2 at)
{
  const SsVec2Expr turned =
      ss_vec2_expr_turn (w->graph, ss_vec2_expr_direction (w->graph, pose[2]), ss_vec2_expr (w->graph, at));
  return ss_vec2_expr_add (w->graph, (SsVec2Expr){pose[0], pose[1]}, turned);
}

/* "letters_k" as an input of its own. */
static SsExpr
new_input (Writer *w, const char *letters, const char *latex)
{
  const int slot = (int)w->symbols->len;

  ssapp_symbols_set (w->symbols, slot, g_strdup_printf ("%s_%d", letters, w->n_gaps),
                     g_strdup_printf ("%s_{%d}", latex, w->n_gaps));
  return ss_graph_input (w->graph, slot);
}

/* "letters_k = e" as a line; what stands for it afterwards. */
static SsExpr
define (Writer *w, SsappEquationSection *section, const char *letters, const char *latex, SsExpr e)
{
  g_autofree char *left = g_strdup_printf ("%s_%d = ", letters, w->n_gaps),
                  *left_latex = g_strdup_printf ("%s_{%d} = ", latex, w->n_gaps);

  ssapp_equations_put_expr (section, w->graph, e, w->symbols, left, left_latex);
  return new_input (w, letters, latex);
}

static int
core_vertices (const SsShape *shape)
{
  return shape->kind == SS_SHAPE_CIRCLE ? 1 : shape->n_vertices;
}

static double
core_radius (const SsShape *shape)
{
  return shape->kind == SS_SHAPE_CIRCLE || shape->kind == SS_SHAPE_CAPSULE ? shape->radius : 0;
}

/* The point of a core that its weights say, in the world; defines <letter>x and <letter>y. */
static SsVec2Expr
core_point (Writer *w, SsappEquationSection *section, const SsShape *shape, const SsExpr pose[3], const char *letter)
{
  const int n = core_vertices (shape);
  SsVec2Expr at = ss_vec2_expr (w->graph, n == 1 ? shape->centre : (SsVec2){0, 0});

  for (int i = 0; n > 1 && i < n; i++) {
    g_autofree char *name = g_strdup_printf ("w%s%d", letter, i + 1),
                    *latex = g_strdup_printf ("w^{%s,%d}", letter, i + 1);
    const SsExpr weight = new_input (w, name, latex);
    at = ss_vec2_expr_add (w->graph, at,
                           ss_vec2_expr_scale (w->graph, weight, ss_vec2_expr (w->graph, shape->vertices[i])));
  }
  const SsVec2Expr turned = ss_vec2_expr_turn (w->graph, ss_vec2_expr_direction (w->graph, pose[2]), at);
  const SsVec2Expr world = ss_vec2_expr_add (w->graph, (SsVec2Expr){pose[0], pose[1]}, turned);
  g_autofree char *x = g_strdup_printf ("%sx", letter), *y = g_strdup_printf ("%sy", letter),
                  *lx = g_strdup_printf ("%s^{x}", letter), *ly = g_strdup_printf ("%s^{y}", letter);
  SsVec2Expr named;
  named.x = define (w, section, x, lx, world.x);
  named.y = define (w, section, y, ly, world.y);
  return named;
}

/* Two outlines without a closed form: the closest points by weights of their vertices and the direction between. */
static void
write_hulls (Writer *w, SsappEquationSection *section, const SsGapPair *pair, const SsExpr pose_a[3],
             const SsExpr pose_b[3])
{
  SsGraph *g = w->graph;
  const SsExpr alpha = new_input (w, "α", "\\alpha");
  const SsVec2Expr direction = ss_vec2_expr_direction (g, ss_expr_add (g, pose_a[2], alpha));
  SsVec2Expr normal;

  normal.x = define (w, section, "nx", "n^{x}", direction.x);
  normal.y = define (w, section, "ny", "n^{y}", direction.y);
  const SsVec2Expr a = core_point (w, section, pair->a, pose_a, "a"), b = core_point (w, section, pair->b, pose_b, "b"),
                   way = ss_vec2_expr_sub (g, b, a);
  (void)define (w, section, "φ", "\\varphi",
                ss_expr_sub (g, ss_vec2_expr_dot (g, normal, way),
                             ss_expr_number (g, core_radius (pair->a) + core_radius (pair->b))));
  ssapp_equations_put_expr (section, g, ss_vec2_expr_cross (g, normal, way), w->symbols, "0 = ", "0 = ");
  ssapp_equations_put_copy (section, "Σ w = 1 on each body,   0 ≤ w ⟂ n·(way from its vertex to the closest point) ≥ 0",
                            "\\sum_i w_i = 1, \\qquad 0 \\le w_i \\perp \\pm n^{T} (y - p_i) \\ge 0");
}

static void
write_gap (Writer *w, SsappEquationSection *section, const SsGapPair *pair, const SsExpr pose_a[3],
           const SsExpr pose_b[3])
{
  SsGraph *g = w->graph;

  w->n_gaps++;
  if (pair->kind == SS_GAP_HULLS) {
    write_hulls (w, section, pair, pose_a, pose_b);
  } else if (pair->kind == SS_GAP_PLANE) {
    SsGapExpr gap;
    ss_gap_expr (g, NULL, pair, pose_a, pose_b, NULL, &gap);
    (void)define (w, section, "φ", "\\varphi", gap.phi);
  } else {
    const SsVec2Expr way = ss_vec2_expr_sub (g, place (w, pose_b, pair->b->centre), place (w, pose_a, pair->a->centre));
    const SsExpr length = ss_graph_unary (g, SS_OP_SQRT, ss_vec2_expr_dot (g, way, way));
    (void)define (w, section, "φ", "\\varphi",
                  ss_expr_sub (g, length, ss_expr_number (g, pair->a->radius + pair->b->radius)));
  }
}

static void
write_contact (Writer *w, SsappEquationSection *section, const SsContact *contact)
{
  const SsBody *a = &w->scene->bodies[contact->body_a], *b = &w->scene->bodies[contact->body_b];
  SsExpr pose_a[3], pose_b[3];
  SsGapPair pairs[SS_GAP_PAIRS_MAX];

  pose_of (w, contact->body_a, pose_a);
  pose_of (w, contact->body_b, pose_b);
  ssapp_equations_say (section, "Contact %s, of %s and %s:", contact->name, a->name, b->name);
  for (int i = 0; i < a->n_shapes; i++)
    for (int j = 0; j < b->n_shapes; j++) {
      const int n = ss_gap_pairs (&a->shapes[i], &b->shapes[j], pairs);
      for (int k = 0; k < n; k++)
        write_gap (w, section, &pairs[k], pose_a, pose_b);
    }
}

static void
write_gaps (Writer *w)
{
  SsappEquationSection *section = ssapp_equations_begin (w->out, "Gap functions");
  int i = 0;

  ssapp_equations_say (section,
                       "φ > 0 apart, 0 touching, in metres. Lengths and angles are those of this scene; bodies "
                       "at rest are numbers.");
  for (; i < w->scene->n_contacts && w->n_gaps < GAPS_SHOWN; i++)
    write_contact (w, section, &w->scene->contacts[i]);
  say_left_out (section, w->scene->n_contacts - i, "contacts");
  if (w->scene->n_contacts == 0)
    ssapp_equations_say (section, "No two bodies touch in this scene.");
}

/* The normal force and the damping of slip of a contact by its formulas, which read its depth and the rate of its gap.
 */
static void
write_compliance (Writer *w, SsappEquationSection *section, const SsCompliance *compliance)
{
  static const struct {
    const char *left, *left_latex;
  } terms[] = {{"K = ", "K = "}, {"B = ", "B = "}, {"Bₜ = ", "B_t = "}};
  const SsExpr formulas[] = {compliance->stiffness, compliance->damping, compliance->slip_damping};
  g_autoptr (GArray) symbols = ssapp_symbols_new ();

  for (int i = w->scene->slot_parameters; i < w->scene->slot_t; i++) {
    const SsappSymbol *parameter = &g_array_index (w->symbols, SsappSymbol, i);
    ssapp_symbols_set (symbols, i, g_strdup (parameter->text), g_strdup (parameter->latex));
  }
  ssapp_symbols_set (symbols, SS_COMPLIANCE_DEPTH, g_strdup ("δ"), g_strdup ("\\delta"));
  ssapp_symbols_set (symbols, SS_COMPLIANCE_RATE, g_strdup ("φ̇"), g_strdup ("\\dot\\varphi"));
  ssapp_equations_say (section, "In compliant laws, with its depth δ = max(0, −φ), it pushes by formulas:");
  ssapp_equations_put_copy (section, "λₙ = max(0, K δ − B φ̇)",
                            "\\lambda_n = \\max(0,\\; K\\,\\delta - B\\,\\dot\\varphi)");
  for (int i = 0; i < 3; i++)
    if (formulas[i] != SS_EXPR_NONE)
      ssapp_equations_put_expr (section, w->scene->graph, formulas[i], symbols, terms[i].left, terms[i].left_latex);
  if (compliance->slip_stiffness > 0) {
    g_autofree char *k = number (compliance->slip_stiffness, SSAPP_FORMULA_TEXT),
                    *lk = number (compliance->slip_stiffness, SSAPP_FORMULA_LATEX);
    ssapp_equations_say (section, "In constraint-solver a spring along the tangent is stretched by s, ṡ = vₜ while it "
                                  "sticks, at most to the bound of friction:");
    ssapp_equations_put (
        section, g_strdup_printf ("λₜ = −%s s − Bₜ vₜ,   |λₜ| ≤ μ λₙ", k),
        g_strdup_printf ("\\lambda_t = -%s\\, s - B_t\\, v_t, \\qquad |\\lambda_t| \\le \\mu\\,\\lambda_n", lk));
  }
}

static void
write_kinematics (Writer *w)
{
  SsappEquationSection *section = ssapp_equations_begin (w->out, "Contact kinematics");

  if (w->scene->n_contacts == 0) {
    ssapp_equations_say (section, "There are no contacts.");
    return;
  }
  ssapp_equations_say (section,
                       "At the point p of a contact, with the unit normal n from the first body A to the second "
                       "body B, and the tangent t = n turned by −90°:");
  ssapp_equations_put_copy (
      section, "vₙ = n·(ṗ_B − ṗ_A) = ∂φ/∂q · v,   vₜ = t·(ṗ_B − ṗ_A)",
      "v_n = n^{T} (\\dot p_B - \\dot p_A) = \\frac{\\partial \\varphi}{\\partial q}\\, v, \\qquad "
      "v_t = t^{T} (\\dot p_B - \\dot p_A)");
  ssapp_equations_put_copy (section, "ṗ = (ẋ, ẏ) + ω·(−(p_y − y), p_x − x)",
                            "\\dot p = (\\dot x, \\dot y) + \\omega\\, \\left(-(p_y - y),\\, p_x - x\\right)");
  for (int i = 0; i < MIN (w->scene->n_contacts, OTHERS_SHOWN); i++) {
    const SsContact *c = &w->scene->contacts[i];
    g_autofree char *mu = number (c->mu, SSAPP_FORMULA_TEXT), *e = number (c->restitution, SSAPP_FORMULA_TEXT);
    ssapp_equations_say (section, "%s: friction μ = %s, restitution e = %s.", c->name, mu, e);
    if (c->rolling > 0) {
      g_autofree char *r = number (c->rolling, SSAPP_FORMULA_TEXT), *lr = number (c->rolling, SSAPP_FORMULA_LATEX);
      ssapp_equations_say (section, "Its rolling resistance is a torque, with the turning w of %s against %s:",
                           body_name (w, c->body_b), body_name (w, c->body_a));
      ssapp_equations_put (section, g_strdup_printf ("−τ ∈ %s λₙ Sign(w)", r),
                           g_strdup_printf ("-\\tau \\in %s\\,\\lambda_n\\, \\mathrm{Sign}(w)", lr));
    }
    if (c->cohesion > 0) {
      g_autofree char *n = number (c->cohesion, SSAPP_FORMULA_TEXT), *ln = number (c->cohesion, SSAPP_FORMULA_LATEX);
      ssapp_equations_say (section,
                           "Its cohesion lets it pull while it touches, and adds to what friction is bounded by:");
      ssapp_equations_put (
          section, g_strdup_printf ("λₙ + %s ≥ 0,   |λₜ| ≤ μ (λₙ + %s)", n, n),
          g_strdup_printf ("\\lambda_n + %s \\ge 0, \\qquad |\\lambda_t| \\le \\mu\\,(\\lambda_n + %s)", ln, ln));
    }
    if (c->compliance != NULL)
      write_compliance (w, section, c->compliance);
  }
  say_left_out (section, MAX (w->scene->n_contacts - OTHERS_SHOWN, 0), "contacts");
}

/* ---- joints ------------------------------------------------------------------------------------------------------ */

static void
joint_pose (Writer *w, int body, SsExpr pose[3])
{
  if (body >= 0)
    pose_of (w, body, pose);
  else
    pose[0] = pose[1] = pose[2] = ss_expr_number (w->graph, 0);
}

static void
put_zero (Writer *w, SsappEquationSection *section, SsExpr e)
{
  ssapp_equations_put_expr (section, w->graph, e, w->symbols, "0 = ", "0 = ");
}

static void
write_limits (Writer *w, SsappEquationSection *section, const SsJoint *joint, SsExpr travel)
{
  if (isfinite (joint->lower))
    ssapp_equations_put_expr (section, w->graph,
                              ss_expr_sub (w->graph, travel, ss_expr_number (w->graph, joint->lower)), w->symbols,
                              "0 ≤ λ_lower ⟂ 0 ≤ ", "0 \\le \\lambda_{\\mathrm{lower}} \\perp 0 \\le ");
  if (isfinite (joint->upper))
    ssapp_equations_put_expr (section, w->graph,
                              ss_expr_sub (w->graph, ss_expr_number (w->graph, joint->upper), travel), w->symbols,
                              "0 ≤ λ_upper ⟂ 0 ≤ ", "0 \\le \\lambda_{\\mathrm{upper}} \\perp 0 \\le ");
}

/* Friction and motor, w the joint's rate. */
static void
write_drives (SsappEquationSection *section, const SsJoint *joint)
{
  const char *unit = joint->kind == SS_JOINT_PIN ? "N m" : "N", *rate = joint->kind == SS_JOINT_PIN ? "rad/s" : "m/s";

  if (joint->friction > 0) {
    g_autofree char *most = number (joint->friction, SSAPP_FORMULA_TEXT),
                    *lmost = number (joint->friction, SSAPP_FORMULA_LATEX);
    ssapp_equations_say (section, "Its friction, at most %s %s, with its rate w [%s]:", most, unit, rate);
    ssapp_equations_put (section, g_strdup_printf ("−γ ∈ %s Sign(w)", most),
                         g_strdup_printf ("-\\gamma \\in %s\\, \\mathrm{Sign}(w)", lmost));
  }
  if (joint->motor_limit > 0) {
    g_autofree char *most = number (joint->motor_limit, SSAPP_FORMULA_TEXT),
                    *speed = number (joint->motor_speed, SSAPP_FORMULA_TEXT),
                    *lmost = number (joint->motor_limit, SSAPP_FORMULA_LATEX),
                    *lspeed = number (joint->motor_speed, SSAPP_FORMULA_LATEX);
    ssapp_equations_say (section, "Its motor, at most %s %s, at the speed of %s %s:", most, unit, speed, rate);
    ssapp_equations_put (section, g_strdup_printf ("−γ ∈ %s Sign(w − %s)", most, speed),
                         g_strdup_printf ("-\\gamma \\in %s\\, \\mathrm{Sign}(w - %s)", lmost, lspeed));
  }
}

/* Where phi reaches 0. */
static void
write_bounce (SsappEquationSection *section, double restitution)
{
  if (!(restitution > 0))
    return;
  g_autofree char *e = number (restitution, SSAPP_FORMULA_TEXT), *latex = number (restitution, SSAPP_FORMULA_LATEX);
  ssapp_equations_say (section, "Where it reaches 0:");
  ssapp_equations_put (section, g_strdup_printf ("φ̇⁺ = −%s φ̇⁻", e),
                       g_strdup_printf ("\\dot\\varphi^{+} = -%s\\, \\dot\\varphi^{-}", latex));
}

/* 0 <= gamma _|_ phi >= 0, phi the length but for the way from point to point. */
static void
write_rope (Writer *w, SsappEquationSection *section, const SsJoint *rope)
{
  SsGraph *g = w->graph;
  SsExpr room = ss_expr_number (g, rope->length), from[3], to[3];

  for (int i = 0; i <= rope->n_over; i++) {
    const SsRopePoint a = ss_rope_point (rope, i), b = ss_rope_point (rope, i + 1);
    joint_pose (w, a.body, from);
    joint_pose (w, b.body, to);
    const SsVec2Expr way = ss_vec2_expr_sub (g, place (w, to, b.anchor), place (w, from, a.anchor));
    room = ss_expr_sub (g, room, ss_graph_unary (g, SS_OP_SQRT, ss_vec2_expr_dot (g, way, way)));
  }
  ssapp_equations_put_expr (section, g, room, w->symbols,
                            "0 ≤ γ ⟂ 0 ≤ φ = ", "0 \\le \\gamma \\perp 0 \\le \\varphi = ");
  write_bounce (section, rope->restitution);
}

/* phi = 0, or 0 <= gamma _|_ phi >= 0 and how it bounces. */
static void
write_constraint (Writer *w, SsappEquationSection *section, const SsJoint *joint)
{
  const gboolean is_at_least = ss_joint_n_rows (joint) == 0;

  if (joint->body_a >= 0)
    ssapp_equations_say (section, "Constraint %s of %s and %s:", joint->name, body_name (w, joint->body_a),
                         body_name (w, joint->body_b));
  else
    ssapp_equations_say (section, "Constraint %s of %s:", joint->name, body_name (w, joint->body_b));
  ssapp_equations_put_expr (section, w->scene->graph, joint->formula, w->symbols,
                            is_at_least ? "0 ≤ γ ⟂ 0 ≤ φ = " : "0 = φ = ",
                            is_at_least ? "0 \\le \\gamma \\perp 0 \\le \\varphi = " : "0 = \\varphi = ");
  write_bounce (section, joint->restitution);
}

static void
write_joint (Writer *w, SsappEquationSection *section, const SsJoint *joint)
{
  SsGraph *g = w->graph;
  SsExpr a[3], b[3], travel = SS_EXPR_NONE;

  if (joint->kind == SS_JOINT_FORMULA) {
    write_constraint (w, section, joint);
    return;
  }
  g_autofree char *kind = g_strdup (ss_joint_kinds[joint->kind].type);
  kind[0] = g_ascii_toupper (kind[0]);
  joint_pose (w, joint->body_a, a);
  joint_pose (w, joint->body_b, b);
  ssapp_equations_say (section, "%s %s of %s and %s:", kind, joint->name, body_name (w, joint->body_a),
                       body_name (w, joint->body_b));
  if (joint->kind == SS_JOINT_GEAR) {
    const SsExpr turned_a = ss_expr_mul (g, ss_expr_number (g, joint->radius[0]), a[2]),
                 turned_b = ss_expr_mul (g, ss_expr_number (g, joint->radius[1]), b[2]);
    put_zero (w, section, ss_expr_sub (g, ss_expr_add (g, turned_a, turned_b), ss_expr_number (g, joint->angle)));
    return;
  }
  if (joint->kind == SS_JOINT_ROPE) {
    write_rope (w, section, joint);
    return;
  }
  const SsVec2Expr way = ss_vec2_expr_sub (g, place (w, b, joint->anchor_b), place (w, a, joint->anchor_a));
  const SsExpr turn = ss_expr_sub (g, b[2], a[2]);
  if (joint->kind == SS_JOINT_ROD) {
    put_zero (w, section,
              ss_expr_sub (g, ss_graph_unary (g, SS_OP_SQRT, ss_vec2_expr_dot (g, way, way)),
                           ss_expr_number (g, joint->length)));
    return;
  }
  if (joint->kind == SS_JOINT_SLIDER) {
    const SsVec2Expr axis = ss_vec2_expr_turn (g, ss_vec2_expr_direction (g, a[2]), ss_vec2_expr (g, joint->axis));
    put_zero (w, section, ss_vec2_expr_cross (g, axis, way));
    travel = ss_vec2_expr_dot (g, axis, way);
  } else {
    put_zero (w, section, way.x);
    put_zero (w, section, way.y);
    travel = turn;
  }
  if (joint->kind != SS_JOINT_PIN)
    put_zero (w, section, ss_expr_sub (g, turn, ss_expr_number (g, joint->angle)));
  if (joint->kind != SS_JOINT_WELD)
    write_limits (w, section, joint, travel);
  write_drives (section, joint);
}

static void
write_joints (Writer *w)
{
  SsappEquationSection *section;

  if (w->scene->n_joints == 0)
    return;
  section = ssapp_equations_begin (w->out, "Joints");
  ssapp_equations_say (section, "G is the derivative of these by q; γ are the forces that keep them.");
  for (int i = 0; i < MIN (w->scene->n_joints, OTHERS_SHOWN); i++)
    write_joint (w, section, &w->scene->joints[i]);
  say_left_out (section, MAX (w->scene->n_joints - OTHERS_SHOWN, 0), "joints");
}

/* ---- task -------------------------------------------------------------------------------------------------------- */

static void
write_target (Writer *w, SsappEquationSection *section, const SsPlanTarget *target)
{
  for (int i = 0; i < SS_PLAN_COORDINATES; i++) {
    const SsappSymbol *x = &g_array_index (w->symbols, SsappSymbol, 6 * target->body + i);
    if (isnan (target->value[i]))
      continue;
    g_autofree char *value = number (target->value[i], SSAPP_FORMULA_TEXT),
                    *latex = number (target->value[i], SSAPP_FORMULA_LATEX),
                    *weight = number (target->weight[i], SSAPP_FORMULA_TEXT),
                    *lweight = number (target->weight[i], SSAPP_FORMULA_LATEX);
    if (isinf (target->weight[i]))
      ssapp_equations_put (section, g_strdup_printf ("%s(T) = %s", x->text, value),
                           g_strdup_printf ("%s(T) = %s", x->latex, latex));
    else
      ssapp_equations_put (
          section, g_strdup_printf ("cost + %s·(%s(T) − (%s))²", weight, x->text, value),
          g_strdup_printf ("\\text{cost} + %s\\left(%s(T) - (%s)\\right)^2", lweight, x->latex, latex));
  }
}

static void
write_task (Writer *w, const SsPlan *plan)
{
  SsappEquationSection *section = ssapp_equations_begin (w->out, "Task");
  g_autofree char *horizon = number (plan->horizon, SSAPP_FORMULA_TEXT);

  ssapp_equations_say (section,
                       "The motion from the start over T = %s s%s in %d steps is to reach, at least cost:", horizon,
                       plan->is_time_free ? " (free)" : "", plan->steps);
  for (int i = 0; i < MIN (plan->n_targets, OTHERS_SHOWN); i++)
    write_target (w, section, &plan->targets[i]);
  for (int i = 0; i < MIN (w->scene->n_actuators, OTHERS_SHOWN); i++)
    if (plan->effort[i] != 0) {
      const SsappSymbol *u = &g_array_index (w->symbols, SsappSymbol, w->scene->slot_controls + i);
      g_autofree char *text = number (plan->effort[i], SSAPP_FORMULA_TEXT),
                      *latex = number (plan->effort[i], SSAPP_FORMULA_LATEX);
      ssapp_equations_put (section, g_strdup_printf ("cost + %s ∫ %s² dt", text, u->text),
                           g_strdup_printf ("\\text{cost} + %s \\int %s^2\\, dt", latex, u->latex));
    }
  for (int i = 0; i < MIN (plan->n_costs, OTHERS_SHOWN); i++)
    ssapp_equations_put_expr (section, w->scene->graph, plan->costs[i].cost, w->symbols,
                              plan->costs[i].points == SS_PLAN_LAST ? "cost at T + " : "cost + ∫ dt ",
                              plan->costs[i].points == SS_PLAN_LAST ? "\\text{cost at } T + "
                                                                    : "\\text{cost} + \\int dt\\, ");
  for (int i = 0; i < MIN (plan->n_constraints, OTHERS_SHOWN); i++)
    ssapp_equations_put_expr (section, w->scene->graph, plan->constraints[i].row, w->symbols,
                              plan->constraints[i].kind == SS_ROWS_EQUALITY ? "0 = " : "0 ≤ ",
                              plan->constraints[i].kind == SS_ROWS_EQUALITY ? "0 = " : "0 \\le ");
}

void
ssapp_equations_write_scene (SsappEquations *self, const SsScenario *scenario)
{
  Writer w = {.scene = scenario->scene, .out = self, .symbols = ssapp_symbols_new ()};

  name_slots (scenario, w.symbols);
  if (w.symbols->len < (guint)w.scene->n_slots) /* what is made here comes behind */
    g_array_set_size (w.symbols, (guint)w.scene->n_slots);
  if (ss_graph_new (&w.graph, NULL) == SS_OK) {
    write_coordinates (&w);
    write_mass (&w);
    write_motion (&w);
    write_gaps (&w);
    write_kinematics (&w);
    write_joints (&w);
    if (scenario->task.plan != NULL)
      write_task (&w, scenario->task.plan);
  }
  ss_graph_free (w.graph);
  g_array_unref (w.symbols);
}
