/* app/equations/ssapp-equations-law.c: the system that each method solves, with the letters of its paper: the heads of
 * the engine's files say more. Of a method that is not among them the equations are what all of its kind have, and what
 * its class says of itself. */
#include "app/equations/ssapp-equations-private.h"

#include "transcribe/ss-transcriptions.h"

#include <string.h>

enum { LINES_MAX = 20 };

typedef struct {
  const char *words, *text, *latex; /* words, or a formula in both forms */
  const char *with;                 /* options with which it holds, as ssapp_equations_options_hold; NULL: all */
} Line;

typedef struct {
  SsMethodKind kind;
  const char *name, *source;
  Line lines[LINES_MAX];
  const char *paper; /* as ssapp_equations_paper; NULL: none */
} Law;

/* clang-format off */
#define STEP                                                                                                           \
  {                                                                                                                    \
    NULL, "M (v₁ − v₀) = h f + Σ (n pₙ + t pₜ) + Gᵀ p_γ",                                                              \
        "M (v_1 - v_0) = h f + \\sum_i \\left(n_i p_{n,i} + t_i p_{t,i}\\right) + G^{T} p_\\gamma"                     \
  }
#define COULOMB                                                                                                        \
  {                                                                                                                    \
    NULL, "0 ≤ p⁺ ⟂ vₜ + σ ≥ 0,   0 ≤ p⁻ ⟂ −vₜ + σ ≥ 0,   0 ≤ σ ⟂ μ pₙ − p⁺ − p⁻ ≥ 0,   pₜ = p⁺ − p⁻",                 \
        "0 \\le p^{+} \\perp v_t + \\sigma \\ge 0,\\quad 0 \\le p^{-} \\perp -v_t + \\sigma \\ge 0,\\quad "            \
        "0 \\le \\sigma \\perp \\mu p_n - p^{+} - p^{-} \\ge 0,\\quad p_t = p^{+} - p^{-}"                             \
  }
#define PENALTY                                                                                                        \
  {                                                                                                                    \
    NULL, "φ < 0:   λₙ = max(0, −K φ − B φ̇),   λₜ = clamp(−B_t vₜ, −μ λₙ, μ λₙ)", \
        "\\varphi < 0:\\quad \\lambda_n = \\max(0,\\, -K \\varphi - B \\dot\\varphi),\\quad "                          \
        "\\lambda_t = \\operatorname{clamp}(-B_t v_t,\\, -\\mu \\lambda_n,\\, \\mu \\lambda_n)"                        \
  }
#define MPCC                                                                                                           \
  {                                                                                                                    \
    NULL, "minimise J(x)   subject to   c_E(x) = 0,   c_I(x) ≥ 0,   0 ≤ a(x) ⟂ b(x) ≥ 0",                              \
        "\\min_x\\ J(x)\\quad \\text{subject to}\\quad c_E(x) = 0,\\quad c_I(x) \\ge 0,\\quad 0 \\le a(x) \\perp "     \
        "b(x) "                                                                                                        \
        "\\ge 0"                                                                                                       \
  }
#define ELEMENT                                                                                                        \
  {                                                                                                                    \
    NULL, "qⱼ = q₀ + h Σ aⱼₖ vₖ,   vⱼ = v₀ + h Σ aⱼₖ Vₖ,   M Vⱼ = f + Gᵀ λ_b + Σ (n λₙ + t λₜ)",                       \
        "q_j = q_0 + h \\sum_k a_{jk} v_k,\\quad v_j = v_0 + h \\sum_k a_{jk} V_k,\\quad M V_j = f + G^{T} "           \
        "\\lambda_b + "                                                                                                \
        "\\sum_i \\left(n_i \\lambda_{n,i} + t_i \\lambda_{t,i}\\right)"                                               \
  }

static const Law laws[] = {
  {SS_METHOD_INTEGRATOR, "explicit-euler", "Penalty contacts and the explicit Euler rule.", {
    PENALTY,
    {NULL, "v₁ = v₀ + h M⁻¹ (f + n λₙ + t λₜ)(q₀, v₀),   q₁ = q₀ + h v₀",
     "v_1 = v_0 + h M^{-1} (f + n \\lambda_n + t \\lambda_t)(q_0, v_0),\\quad q_1 = q_0 + h v_0"},
    {"K is the stiffness, B and B_t the damping of contacts. No complementarity: contacts give way.", NULL, NULL}}},
  {SS_METHOD_INTEGRATOR, "semi-implicit-euler", "Penalty contacts and the semi-implicit Euler rule.", {
    PENALTY,
    {NULL, "v₁ = v₀ + h M⁻¹ (f + n λₙ + t λₜ)(q₀, v₀),   q₁ = q₀ + h v₁",
     "v_1 = v_0 + h M^{-1} (f + n \\lambda_n + t \\lambda_t)(q_0, v_0),\\quad q_1 = q_0 + h v_1"},
    {"K is the stiffness, B and B_t the damping of contacts. No complementarity: contacts give way.", NULL, NULL}}},
  {SS_METHOD_INTEGRATOR, "implicit-euler", "Penalty contacts, all forces at the end of the step.", {
    {NULL, "M (v₁ − v₀) = h (f(t₁, q₁, v₁) + n λₙ + t λₜ),   q₁ = q₀ + h v₁",
     "M (v_1 - v_0) = h \\left(f(t_1, q_1, v_1) + n \\lambda_n + t \\lambda_t\\right),\\quad q_1 = q_0 + h v_1"},
    {NULL, "λₙ = max(0, −K φ₁ − B φ̇₁),   λₜ = clamp(−B_t vₜ₁, −μ λₙ, μ λₙ)",
     "\\lambda_n = \\max(0,\\, -K \\varphi_1 - B \\dot\\varphi_1),\\quad \\lambda_t = \\operatorname{clamp}(-B_t v_{t,1},\\, "
     "-\\mu \\lambda_n,\\, \\mu \\lambda_n)"},
    {"The maximum is 0 ≤ λₙ ⟂ λₙ + K φ₁ + B φ̇₁ ≥ 0, solved with the step.", NULL, NULL}}},
  {SS_METHOD_INTEGRATOR, "cvode", "Penalty contacts, integrated by BDF of variable order and step (SUNDIALS).", {
    {NULL, "M v̇ = f(t, q, v) + Σ (n λₙ + t λₜ) + Gᵀ λ_b,   q̇ = v",
     "M \\dot v = f(t, q, v) + \\sum_i \\left(n_i \\lambda_{n,i} + t_i \\lambda_{t,i}\\right) + G^{T} \\lambda_b,\\quad \\dot q = v"},
    {NULL, "φ ≤ 0:   λₙ = max(0, −K φ − B φ̇),   λₜ = −μ λₙ tanh(vₜ/v_s)",
     "\\varphi \\le 0:\\quad \\lambda_n = \\max(0,\\, -K \\varphi - B \\dot\\varphi),\\quad \\lambda_t = -\\mu \\lambda_n \\tanh(v_t / v_s)"},
    {NULL, "joints:   g̈ + 2 a ġ + a² g = 0", "\\text{joints:}\\quad \\ddot g + 2 a \\dot g + a^2 g = 0"}}},
  {SS_METHOD_INTEGRATOR, "moreau-jean", "J. J. Moreau 1988; M. Jean 1999.", {
    STEP,
    {NULL, "q₁ = q₀ + h (θ v₁ + (1 − θ) v₀)", "q_1 = q_0 + h \\left(\\theta v_1 + (1 - \\theta) v_0\\right)"},
    {NULL, "0 ≤ pₙ ⟂ vₙ₁ + e vₙ₀ ≥ 0   where φ(q₀ + h/2 v₀) ≤ 0",
     "0 \\le p_n \\perp v_{n,1} + e\\, v_{n,0} \\ge 0\\quad \\text{where } \\varphi(q_0 + \\tfrac{h}{2} v_0) \\le 0"},
    COULOMB,
    {"Impulses p of the step, friction at the new velocity: one linear complementarity problem a step. With joints: RATTLE, p at both ends.", NULL, NULL}}},
  {SS_METHOD_INTEGRATOR, "stewart-trinkle", "D. E. Stewart, J. C. Trinkle, Int. J. Numer. Meth. Eng. 39 (1996).", {
    {NULL, "M (v₁ − v₀) = h f + Σ (n pₙ + t pₜ) + Gᵀ p_γ,   q₁ = q₀ + h v₁",
     "M (v_1 - v_0) = h f + \\sum_i \\left(n_i p_{n,i} + t_i p_{t,i}\\right) + G^{T} p_\\gamma,\\quad q_1 = q_0 + h v_1", "gap!=midpoint"},
    {NULL, "M (w − v₀) = h/2 f(q_m, w) + n p_w + t p_wt + G₀ᵀ p_γ,   q₁ = q₀ + h w,   q_m = (q₀ + q₁)/2",
     "M (w - v_0) = \\tfrac{h}{2} f(q_m, w) + n p_w + t p_{wt} + G_0^{T} p_\\gamma,\\quad q_1 = q_0 + h w,\\quad q_m = \\tfrac12 (q_0 + q_1)",
     "gap=midpoint"},
    {NULL, "M (v₁ − w) = h/2 f(q_m, w) + n p_e + t p_et + G₁ᵀ p_ε,   G₁ v₁ = 0",
     "M (v_1 - w) = \\tfrac{h}{2} f(q_m, w) + n p_e + t p_{et} + G_1^{T} p_\\varepsilon,\\quad G_1 v_1 = 0", "gap=midpoint"},
    {NULL, "0 ≤ p_w ⟂ φ(q₁) ≥ 0,   0 ≤ p_e ⟂ φ(q₁)/h + vₙ₁ ≥ 0",
     "0 \\le p_w \\perp \\varphi(q_1) \\ge 0,\\quad 0 \\le p_e \\perp \\frac{\\varphi(q_1)}{h} + v_{n,1} \\ge 0", "gap=midpoint"},
    {"Coulomb's law holds twice: of p_w with the slip of w, of p_e with that of v₁.", NULL, NULL, "gap=midpoint"},
    {NULL, "0 ≤ pₙ ⟂ φ(q₀)/h + vₙ₁ ≥ 0", "0 \\le p_n \\perp \\frac{\\varphi(q_0)}{h} + v_{n,1} \\ge 0", "gap=linear"},
    {NULL, "0 ≤ pₙ ⟂ φ(q₁) ≥ 0", "0 \\le p_n \\perp \\varphi(q_1) \\ge 0", "gap=end"},
    COULOMB,
    {"Impacts are inelastic: restitution is not in these equations.", NULL, NULL, "gap!=linear"},
    {"Impacts are inelastic: restitution is not in these equations.", NULL, NULL, "gap=linear,restitution=off"},
    {"where a point with e > 0 and vₙ₀ < 0 takes an impulse it bounces, by Newton's hypothesis", NULL, NULL,
     "gap=linear,restitution=newton"},
    {NULL, "0 ≤ pₙ ⟂ vₙ₁ + e vₙ₀ ≥ 0", "0 \\le p_n \\perp v_{n,1} + e\\, v_{n,0} \\ge 0", "gap=linear,restitution=newton"},
    {"where a point with e > 0 took the impulse p_c in the compression, it pushes back with e p_c or more, by Poisson's hypothesis",
     NULL, NULL, "gap=linear,restitution=poisson"},
    {NULL, "0 ≤ pₙ − e p_c ⟂ vₙ₁ ≥ 0", "0 \\le p_n - e\\, p_c \\perp v_{n,1} \\ge 0", "gap=linear,restitution=poisson"},
    {"With joints: RATTLE, half of forces and joints at either end of the step.", NULL, NULL, "gap=linear,joints=rattle"},
    {"Joints and forces are those at the start of the step.", NULL, NULL, "gap=linear,joints=start"}}},
  {SS_METHOD_INTEGRATOR, "anitescu-potra", "M. Anitescu, F. A. Potra, Nonlinear Dynamics 14 (1997).", {
    STEP,
    {NULL, "q₁ = q₀ + h v₁", "q_1 = q_0 + h v_1"},
    {NULL, "0 ≤ pₙ ⟂ vₙ₁ ≥ 0   where φ(q₀) ≤ 0", "0 \\le p_n \\perp v_{n,1} \\ge 0\\quad \\text{where } \\varphi(q_0) \\le 0"},
    COULOMB,
    {"Restitution by Poisson's hypothesis: after the compression with impulses p_c a second problem with", NULL, NULL},
    {NULL, "0 ≤ pₙ − e p_c ⟂ vₙ₁ ≥ 0", "0 \\le p_n - e\\, p_c \\perp v_{n,1} \\ge 0"}}},
  {SS_METHOD_INTEGRATOR, "convex-time-stepping", "The step of Stewart and Trinkle with the relaxed law of a convex quadratic program.", {
    STEP,
    {NULL, "0 ≤ p⁺ ⟂ φ/h + vₙ₁ + μ vₜ₁ ≥ 0,   0 ≤ p⁻ ⟂ φ/h + vₙ₁ − μ vₜ₁ ≥ 0",
     "0 \\le p^{+} \\perp \\frac{\\varphi}{h} + v_{n,1} + \\mu v_{t,1} \\ge 0,\\quad 0 \\le p^{-} \\perp \\frac{\\varphi}{h} + v_{n,1} - \\mu v_{t,1} \\ge 0"},
    {NULL, "pₙ = p⁺ + p⁻,   pₜ = μ (p⁺ − p⁻)", "p_n = p^{+} + p^{-},\\quad p_t = \\mu\\, (p^{+} - p^{-})"},
    {"Sliding contacts part with the speed μ |vₜ|: the price of convexity. With joints: RATTLE.", NULL, NULL},
    {"Where a point with e > 0 and vₙ₀ < 0 takes an impulse, e vₙ₀ stands in the place of φ/h.", NULL, NULL}}},
  {SS_METHOD_INTEGRATOR, "constraint-solver", "E. Drumwright's first-order, implicit, compliant constraints (paper 003).", {
    {NULL, "v₁ = v₀ + h M⁻¹ (f + Gᵀ λ),   q₁ = q₀ + h v₁,   φ₁ = φ₀ + h φ̇₁",
     "v_1 = v_0 + h M^{-1} (f + G^{T} \\lambda),\\quad q_1 = q_0 + h v_1,\\quad \\varphi_1 = \\varphi_0 + h \\dot\\varphi_1"},
    {NULL, "bilateral:   λ = −K φ₁ − B φ̇₁", "\\text{bilateral:}\\quad \\lambda = -K \\varphi_1 - B \\dot\\varphi_1",
     "compensate=off"},
    {NULL, "bilateral:   λ = −K φ₁ − B φ̇₁ − M̂ Ġ v₀,   M̂ = (G M⁻¹ Gᵀ)⁻¹",
     "\\text{bilateral:}\\quad \\lambda = -K \\varphi_1 - B \\dot\\varphi_1 - \\hat M \\dot G v_0,\\quad \\hat M = (G M^{-1} "
     "G^{T})^{-1}", "compensate=on"},
    {NULL, "unilateral:   λₙ = max(0, −K φ₁ − B φ̇₁)", "\\text{unilateral:}\\quad \\lambda_n = \\max(0,\\, -K \\varphi_1 - B \\dot\\varphi_1)",
     "law=max"},
    {NULL, "friction:   λₜ = clamp(−B_r vₜ₁, −μ λₙ, μ λₙ)",
     "\\text{friction:}\\quad \\lambda_t = \\operatorname{clamp}(-B_r v_{t,1},\\, -\\mu \\lambda_n,\\, \\mu \\lambda_n)", "law=max"},
    {"Limits and contacts by the quadratic program that the paper prints, (83) to (85) and (99) to (108); ζ is 1/h where the option is 0:",
     NULL, NULL, "law=literal"},
    {NULL, "minimise ½ ζ |λₙ|² + ½ |λₜ|² + ½ |β|²   subject to",
     "\\min\\ \\tfrac12 \\zeta |\\lambda_n|^2 + \\tfrac12 |\\lambda_t|^2 + \\tfrac12 |\\beta|^2\\quad \\text{subject to}", "law=literal"},
    {NULL, "λₙ ≥ −K φ₁ − B φ̇₁ − M̂ₙ Ġₙ v₀,   λₙ ≥ 0",
     "\\lambda_n \\ge -K \\varphi_1 - B \\dot\\varphi_1 - \\hat M_n \\dot G_n v_0,\\quad \\lambda_n \\ge 0", "law=literal,compensate=on"},
    {NULL, "λₜ = −B_r vₜ₁ − M̂ₜ Ġₜ v₀ + β,   −μ λₙ ≤ λₜ ≤ μ λₙ",
     "\\lambda_t = -B_r v_{t,1} - \\hat M_t \\dot G_t v_0 + \\beta,\\quad -\\mu \\lambda_n \\le \\lambda_t \\le \\mu \\lambda_n",
     "law=literal,compensate=on"},
    {NULL, "λₙ ≥ −K φ₁ − B φ̇₁,   λₙ ≥ 0", "\\lambda_n \\ge -K \\varphi_1 - B \\dot\\varphi_1,\\quad \\lambda_n \\ge 0",
     "law=literal,compensate=off"},
    {NULL, "λₜ = −B_r vₜ₁ + β,   −μ λₙ ≤ λₜ ≤ μ λₙ",
     "\\lambda_t = -B_r v_{t,1} + \\beta,\\quad -\\mu \\lambda_n \\le \\lambda_t \\le \\mu \\lambda_n", "law=literal,compensate=off"},
    {"It is not equivalent to max(0, ·) and the clamp: β is dear, and λₙ, which lets friction grow, is cheap.", NULL, NULL, "law=literal"},
    {"Contacts with B alone, or whose h Ġ v would throw them apart, differ: the head of ss-constraint-solver.c.", NULL, NULL, "law=max"},
    {NULL, "Hertz:   K = E* √r √d₀,   d₀ = max(−φ₀, 0)", "\\text{Hertz:}\\quad K = E^{*} \\sqrt{r}\\, \\sqrt{d_0},\\quad d_0 = \\max(-\\varphi_0, 0)",
     "hertz=secant"},
    {NULL, "Hertz:   K = 3/2 E* √r √d₀ about d₀ = max(−φ₀, 0)",
     "\\text{Hertz:}\\quad K = \\tfrac32 E^{*} \\sqrt{r}\\, \\sqrt{d_0}\\ \\text{about}\\ d_0 = \\max(-\\varphi_0, 0)", "hertz=tangent"},
    {"With joints: RATTLE (joints=start: all at the start of the step, as the paper does).", NULL, NULL, "law=max,joints=rattle"},
    {"As the problem that a step solves:", NULL, NULL, "law=max"},
    {NULL, "0 ≤ p ⟂ G v₁ + φ₀ K/D + p/Δ ≥ 0,   Δ = h² K + h B,   D = Δ/h,   p = h λ",
     "0 \\le p \\perp G v_1 + \\frac{K \\varphi_0}{D} + \\frac{p}{\\Delta} \\ge 0,\\quad \\Delta = h^2 K + h B,\\quad D = \\Delta / h,\\quad p = h \\lambda",
     "law=max"}}, "constraint-solver"},
  {SS_METHOD_INTEGRATOR, "event-driven", "Smooth arcs by finite elements between impacts, each impact by a law of its own.", {
    ELEMENT,
    {NULL, "0 ≤ λₙ ⟂ φ ≥ 0,   −λₜ ∈ μ λₙ Sign(vₜ)",
     "0 \\le \\lambda_n \\perp \\varphi \\ge 0,\\quad -\\lambda_t \\in \\mu \\lambda_n \\operatorname{Sign}(v_t)"},
    {NULL, "impact:   M (v⁺ − v⁻) = Gᵀ Λ_b + Σ (n Λₙ + t Λₜ)",
     "\\text{impact:}\\quad M (v^{+} - v^{-}) = G^{T} \\Lambda_b + \\sum_i \\left(n_i \\Lambda_{n,i} + t_i \\Lambda_{t,i}\\right)"},
    {"Λ is what the impact law says:", NULL, NULL},
    {NULL, "0 ≤ Λₙ ⟂ vₙ⁺ + e min(vₙ⁻, 0) ≥ 0,   −Λₜ ∈ μ Λₙ Sign(vₜ⁺)",
     "0 \\le \\Lambda_n \\perp v_n^{+} + e \\min(v_n^{-}, 0) \\ge 0,\\quad -\\Lambda_t \\in \\mu \\Lambda_n \\operatorname{Sign}(v_t^{+})",
     "law=newton"},
    {NULL, "0 ≤ Λₙ ⟂ vₙ⁺ ≥ 0,   −Λₜ ∈ μ Λₙ Sign(vₜ⁺),   then once more with Λₙ ≥ e Λₙ of the compression",
     "0 \\le \\Lambda_n \\perp v_n^{+} \\ge 0,\\quad -\\Lambda_t \\in \\mu \\Lambda_n \\operatorname{Sign}(v_t^{+}),\\quad \\text{then once more with "
     "} \\Lambda_n \\ge e\\, \\Lambda_n \\text{ of the compression}", "law=anitescu-potra"},
    {NULL, "0 ≤ Λᵢ ⟂ vₙ,ᵢ⁺ ≥ 0   for one contact i,   v ← v⁺,   until none approaches",
     "0 \\le \\Lambda_i \\perp v_{n,i}^{+} \\ge 0\\quad \\text{for one contact } i,\\quad v \\leftarrow v^{+},\\quad \\text{until none approaches}",
     "law=sequential"},
    {NULL, "0 ≤ b ⟂ c − Λₙ ≥ 0,   0 ≤ Λₙ ⟂ vₙ⁺ + b ≥ 0   with random caps c,   until none approaches",
     "0 \\le b \\perp c - \\Lambda_n \\ge 0,\\quad 0 \\le \\Lambda_n \\perp v_n^{+} + b \\ge 0\\quad \\text{with random caps } c,\\quad "
     "\\text{until none approaches}", "law=set-valued"}}},
  {SS_METHOD_INTEGRATOR, "fesd-j", "Finite elements with switch and jump detection (paper 000).", {
    ELEMENT,
    {NULL, "0 ≤ λₙ ⟂ φ(q) ≥ 0,   −λₜ ∈ μ λₙ Sign(vₜ)   at every stage",
     "0 \\le \\lambda_n \\perp \\varphi(q) \\ge 0,\\quad -\\lambda_t \\in \\mu \\lambda_n \\operatorname{Sign}(v_t)\\quad \\text{at every stage}"},
    {NULL, "M (v⁺ − v⁻) = Gᵀ Λ_b + Σ (n Λₙ + t Λₜ)", "M (v^{+} - v^{-}) = G^{T} \\Lambda_b + \\sum_i \\left(n_i \\Lambda_{n,i} + t_i \\Lambda_{t,i}\\right)"},
    {NULL, "0 ≤ Λₙ ⟂ vₙ⁺ + e min(vₙ⁻, 0) ≥ 0,   −Λₜ ∈ μ Λₙ Sign(vₜ⁺)",
     "0 \\le \\Lambda_n \\perp v_n^{+} + e \\min(v_n^{-}, 0) \\ge 0,\\quad -\\Lambda_t \\in \\mu \\Lambda_n \\operatorname{Sign}(v_t^{+})"},
    {"Modes are the same within an element (cross complementarity): its length h ends where a contact switches.", NULL, NULL}}, "fesd-j"},
  {SS_METHOD_INTEGRATOR, "time-freezing", "The time-freezing system in numerical time τ (paper 001).", {
    {NULL, "c₁ = φ(q),   c₂ = vₙ,   c₃ = vₜ,   β = (1 − α₁)(1 − α₂),   σ = 2 α₃ − 1",
     "c_1 = \\varphi(q),\\quad c_2 = v_n,\\quad c_3 = v_t,\\quad \\beta = (1 - \\alpha_1)(1 - \\alpha_2),\\quad \\sigma = 2 \\alpha_3 - 1"},
    {NULL, "d/dτ (q, v, t) = θ (v, M⁻¹ f, 1) + Σ β (0, M⁻¹ (n − σ μ t) aₙ, 0),   θ = Π (1 − β)",
     "\\frac{d}{d\\tau}(q, v, t) = \\theta\\, (v, M^{-1} f, 1) + \\sum_i \\beta_i \\left(0,\\, M^{-1} (n_i - \\sigma_i \\mu_i t_i)\\, a_n,\\, 0\\right),\\quad "
     "\\theta = \\prod_i (1 - \\beta_i)"},
    {NULL, "cᵢ = λᵢ⁺ − λᵢ⁻,   0 ≤ λᵢ⁺ ⟂ 1 − αᵢ ≥ 0,   0 ≤ λᵢ⁻ ⟂ αᵢ ≥ 0",
     "c_i = \\lambda_i^{+} - \\lambda_i^{-},\\quad 0 \\le \\lambda_i^{+} \\perp 1 - \\alpha_i \\ge 0,\\quad 0 \\le \\lambda_i^{-} \\perp \\alpha_i \\ge 0"},
    {"While a contact approaches, θ = 0: q and the physical time t stand still and only v changes.", NULL, NULL}}, "time-freezing"},
  {SS_METHOD_OPTIMISER, "crisp", "Li et al. 2025, CRISP (paper 004): sequential convex programming.", {
    MPCC,
    {"Each pair is three rows; no row is relaxed:", NULL, NULL, "relax=0"},
    {NULL, "a ≥ 0,   b ≥ 0,   −a b ≥ 0", "a \\ge 0,\\quad b \\ge 0,\\quad -a\\, b \\ge 0", "relax=0"},
    {"Each pair is three rows; σ begins at the option relax, each minimum of the merit function multiplies it by relax-factor, and the last is 0:",
     NULL, NULL, "relax!=0"},
    {NULL, "a ≥ 0,   b ≥ 0,   σ − a b ≥ 0", "a \\ge 0,\\quad b \\ge 0,\\quad \\sigma - a\\, b \\ge 0", "relax!=0"},
    {NULL, "φ₁(x) = J(x) + Σ μᵢ |c_E,i(x)| + Σ μᵢ max(0, −c_I,i(x))",
     "\\phi_1(x) = J(x) + \\sum_i \\mu_i |c_{E,i}(x)| + \\sum_i \\mu_i \\max(0,\\, -c_{I,i}(x))"},
    {"Each iteration minimises the convex model of this merit function, with linear rows, in a box |p| ≤ Δ.", NULL, NULL, "preset!=paper"},
    {"Each iteration solves the paper's subproblem, whose value at p is q(p):", NULL, NULL, "preset=paper"},
    {NULL, "minimise ∇Jᵀ p + ½ pᵀ ∇²J p + Σ μᵢ (vᵢ + wᵢ) + Σ μᵢ tᵢ   subject to",
     "\\min\\ \\nabla J^{T} p + \\tfrac12 p^{T} \\nabla^2 J\\, p + \\sum_i \\mu_i (v_i + w_i) + \\sum_i \\mu_i t_i\\quad \\text{subject to}",
     "preset=paper"},
    {NULL, "c_E + ∇c_E p = v − w,   c_I + ∇c_I p ≥ −t,   v, w, t ≥ 0,   |p| ≤ Δ",
     "c_E + \\nabla c_E\\, p = v - w,\\quad c_I + \\nabla c_I\\, p \\ge -t,\\quad v, w, t \\ge 0,\\quad \\|p\\|_\\infty \\le \\Delta",
     "preset=paper"},
    {NULL, "ρ = (φ₁(x) − φ₁(x + p)) / (q(0) − q(p))", "\\rho = \\frac{\\phi_1(x) - \\phi_1(x + p)}{q(0) - q(p)}", "preset=paper"},
    {"Where the merit function rose, the rows of the subproblem are corrected by c(x + p) − ∇c p, and its step is taken in place of p.",
     NULL, NULL, "correction=paper"},
    {"Where the merit function rose, the rows of the subproblem are corrected by c(x + p) − ∇c p, and the better of both points is taken.",
     NULL, NULL, "correction=better"},
    {NULL, "Δ ← Δ/4 where ρ < 0.25;   Δ ← min(2 Δ, 10) where ρ > 0.75 and |p| = Δ",
     "\\Delta \\leftarrow \\Delta / 4\\ \\text{ where } \\rho < 0.25;\\quad \\Delta \\leftarrow \\min(2 \\Delta,\\, 10)\\ \\text{ where } \\rho > "
     "0.75,\\ \\|p\\|_\\infty = \\Delta", "preset=paper"},
    {NULL, "where Δ or |p| < 1e-3:   μᵢ ← min(10 μᵢ, 1e6) of violated rows; solved where there are none",
     "\\text{where } \\Delta \\text{ or } \\|p\\| < 10^{-3}:\\quad \\mu_i \\leftarrow \\min(10 \\mu_i,\\, 10^6)\\ \\text{ of violated rows; solved "
     "where there are none}", "preset=paper"},
    {"Line 48 of Algorithm 1 as printed can never hold: `paper errata crisp`.", NULL, NULL, "preset=paper"}}, "crisp"},
  {SS_METHOD_OPTIMISER, "ipopt", "Ipopt's interior point, on the program with its products as rows.", {
    MPCC,
    {NULL, "a ≥ 0,   b ≥ 0,   −a b ≥ 0", "a \\ge 0,\\quad b \\ge 0,\\quad -a\\, b \\ge 0", "complementarity=products"},
    {NULL, "a ≥ 0,   b ≥ 0,   −Σ a b ≥ 0", "a \\ge 0,\\quad b \\ge 0,\\quad -\\sum a\\, b \\ge 0", "complementarity=sum"},
    {NULL, "a ≥ 0,   b ≥ 0,   σ − a b ≥ 0", "a \\ge 0,\\quad b \\ge 0,\\quad \\sigma - a\\, b \\ge 0", "complementarity=relaxed"},
    {NULL, "a ≥ 0,   b ≥ 0,   a b = σ", "a \\ge 0,\\quad b \\ge 0,\\quad a\\, b = \\sigma", "complementarity=equal"},
    {NULL, "a ≥ 0,   b ≥ 0,   a b ≤ s,   0 ≤ s ≤ 10,   J(x) + s/σ in the place of J(x)",
     "a \\ge 0,\\quad b \\ge 0,\\quad a\\, b \\le s,\\quad 0 \\le s \\le 10,\\quad J(x) + s / \\sigma\\ \\text{ in the place of } J(x)",
     "complementarity=elastic"},
    {NULL, "a ≥ 0,   b ≥ 0,   a b ≤ s,   0 ≤ s ≤ σ,   J(x) + s/σ in the place of J(x)",
     "a \\ge 0,\\quad b \\ge 0,\\quad a\\, b \\le s,\\quad 0 \\le s \\le \\sigma,\\quad J(x) + s / \\sigma\\ \\text{ in the place of } J(x)",
     "complementarity=elastic-capped"},
    {NULL, "a ≥ 0,   b ≥ 0,   aᵢ bᵢ ≤ sᵢ,   J(x) + Σ sᵢ/σ in the place of J(x)",
     "a \\ge 0,\\quad b \\ge 0,\\quad a_i b_i \\le s_i,\\quad J(x) + \\sum_i s_i / \\sigma\\ \\text{ in the place of } J(x)",
     "complementarity=elastic-l1"},
    {NULL, "a ≥ 0,   b ≥ 0,   J(x) + Σ a b/σ in the place of J(x)",
     "a \\ge 0,\\quad b \\ge 0,\\quad J(x) + \\sum a\\, b / \\sigma\\ \\text{ in the place of } J(x)", "complementarity=penalty"},
    {NULL, "minimise J(x) − μ Σ ln s   with   c_E(x) = 0,   c_I(x) = s",
     "\\min\\ J(x) - \\mu \\sum_i \\ln s_i\\quad \\text{with}\\quad c_E(x) = 0,\\quad c_I(x) = s"},
    {"μ is the barrier parameter, which falls to 0.", NULL, NULL}}},
  {SS_METHOD_OPTIMISER, "scholtes", "S. Scholtes, SIAM J. Optim. 11 (2001): a homotopy of relaxed products.", {
    MPCC,
    {NULL, "a ≥ 0,   b ≥ 0,   a b ≤ σ", "a \\ge 0,\\quad b \\ge 0,\\quad a\\, b \\le \\sigma", "relaxation=scholtes"},
    {NULL, "a ≥ 0,   b ≥ 0,   a b = σ", "a \\ge 0,\\quad b \\ge 0,\\quad a\\, b = \\sigma", "relaxation=scholtes-equality"},
    {NULL, "a ≥ 0,   b ≥ 0,   a b ≤ s,   s ≥ 0,   J(x) + s/σ in the place of J(x)",
     "a \\ge 0,\\quad b \\ge 0,\\quad a\\, b \\le s,\\quad s \\ge 0,\\quad J(x) + s / \\sigma\\ \\text{ in the place of } J(x)", "relaxation=elastic"},
    {NULL, "a ≥ 0,   b ≥ 0,   a b ≤ s,   0 ≤ s ≤ σ,   J(x) + s/σ in the place of J(x)",
     "a \\ge 0,\\quad b \\ge 0,\\quad a\\, b \\le s,\\quad 0 \\le s \\le \\sigma,\\quad J(x) + s / \\sigma\\ \\text{ in the place of } J(x)",
     "relaxation=elastic-scholtes"},
    {NULL, "a ≥ 0,   b ≥ 0,   aᵢ bᵢ ≤ sᵢ,   J(x) + Σ sᵢ/σ in the place of J(x)",
     "a \\ge 0,\\quad b \\ge 0,\\quad a_i b_i \\le s_i,\\quad J(x) + \\sum_i s_i / \\sigma\\ \\text{ in the place of } J(x)", "relaxation=elastic-l1"},
    {NULL, "a ≥ 0,   b ≥ 0,   J(x) + Σ a b/σ in the place of J(x)",
     "a \\ge 0,\\quad b \\ge 0,\\quad J(x) + \\sum a\\, b / \\sigma\\ \\text{ in the place of } J(x)", "relaxation=l1-penalty"},
    {NULL, "σ ← max(σ_min, κ σ)", "\\sigma \\leftarrow \\max(\\sigma_{\\min},\\, \\kappa \\sigma)", "update=linear"},
    {NULL, "σ ← max(σ_min, min(κ σ, σ^1.5))", "\\sigma \\leftarrow \\max(\\sigma_{\\min},\\, \\min(\\kappa \\sigma,\\, \\sigma^{1.5}))",
     "update=superlinear"},
    {"Each member is solved by Ipopt, from the answer and the multipliers of the one before.", NULL, NULL, "preset!=paper"},
    {"Each member is solved by Ipopt in full, from the answer of the one before, without its multipliers (paper 000, section 5).", NULL, NULL,
     "preset=paper"}}},
  {SS_METHOD_OPTIMISER, "auto", "A race of several ways to solve, the best honest answer of which is kept.", {
    MPCC,
    {"Its members are CRISP, Ipopt and others that differ in where they start and how they treat products; each solves this program, and all are "
     "judged by the same measures:", NULL, NULL},
    {NULL, "|c_E(x)| ≤ 1e-6,   c_I(x) ≥ −1e-6,   a b ≤ 1e-6",
     "|c_E(x)| \\le 10^{-6},\\quad c_I(x) \\ge -10^{-6},\\quad a\\, b \\le 10^{-6}"}}},
  {SS_METHOD_IMPACT_LAW, "newton", "Newton's law in Moreau's form, with Coulomb friction.", {
    {NULL, "v⁺ = v + M⁻¹ (Jₙᵀ lₙ + Jₜᵀ lₜ)", "v^{+} = v + M^{-1} (J_n^{T} l_n + J_t^{T} l_t)"},
    {NULL, "0 ≤ lₙ ⟂ Jₙ v⁺ + e min(Jₙ v, 0) ≥ 0,   −lₜ ∈ μ lₙ Sign(Jₜ v⁺)",
     "0 \\le l_n \\perp J_n v^{+} + e \\min(J_n v, 0) \\ge 0,\\quad -l_t \\in \\mu l_n \\operatorname{Sign}(J_t v^{+})"}}},
  {SS_METHOD_IMPACT_LAW, "anitescu-potra", "All contacts at once (paper 002, eq. 31); restitution by Poisson's second problem.", {
    {NULL, "0 ≤ lₙ ⟂ Jₙ v⁺ ≥ 0,   0 ≤ p ⟂ J_p v⁺ + E g ≥ 0,   0 ≤ g ⟂ μ lₙ − Eᵀ p ≥ 0",
     "0 \\le l_n \\perp J_n v^{+} \\ge 0,\\quad 0 \\le p \\perp J_p v^{+} + E g \\ge 0,\\quad 0 \\le g \\perp \\mu l_n - E^{T} p \\ge 0"},
    {NULL, "v⁺ = v + M⁻¹ (Jₙᵀ lₙ + J_pᵀ p)", "v^{+} = v + M^{-1} (J_n^{T} l_n + J_p^{T} p)"},
    {"J_p has the rows Jₜ and −Jₜ of each contact; restitution gives e lₙ more, then the same once more.", NULL, NULL}}, "impacts"},
  {SS_METHOD_IMPACT_LAW, "sequential", "One contact after the other, in a given order, over and over.", {
    {NULL, "0 ≤ lᵢ ⟂ Jₙ,ᵢ v⁺ ≥ 0   for one contact i,   v ← v⁺",
     "0 \\le l_i \\perp J_{n,i}\\, v^{+} \\ge 0\\quad \\text{for one contact } i,\\qquad v \\leftarrow v^{+}"},
    {"Friction is that of the one contact; it ends when no contact approaches.", NULL, NULL}}},
  {SS_METHOD_IMPACT_LAW, "set-valued", "Samples of all outcomes (paper 002, eqs. 72 to 75): impulses in steps with random caps c.", {
    {NULL, "0 ≤ b ⟂ c − lₙ ≥ 0,   0 ≤ lₙ ⟂ Jₙ v⁺ + b ≥ 0",
     "0 \\le b \\perp c - l_n \\ge 0,\\quad 0 \\le l_n \\perp J_n v^{+} + b \\ge 0"},
    {NULL, "0 ≤ p ⟂ J_p v⁺ + E g ≥ 0,   0 ≤ g ⟂ μ lₙ − Eᵀ p ≥ 0",
     "0 \\le p \\perp J_p v^{+} + E g \\ge 0,\\quad 0 \\le g \\perp \\mu l_n - E^{T} p \\ge 0"},
    {"Each step makes each contact's cap or its speed 0; a sample ends when no contact approaches.", NULL, NULL}}, "impacts"},
};

/* What all methods of a kind have: forces and impulses as measures, so that laws in velocities and in forces are both
 * meant. */
static const Line of_kind[SS_METHOD_KIND_COUNT] = {
  [SS_METHOD_INTEGRATOR] = {NULL, "M dv = f dt + Σ (n dpₙ + t dpₜ) + Gᵀ dp_γ,   dq = v dt",
    "M\\, dv = f\\, dt + \\sum_i \\left(n_i\\, dp_{n,i} + t_i\\, dp_{t,i}\\right) + G^{T} dp_\\gamma,\\quad dq = v\\, dt"},
  [SS_METHOD_OPTIMISER] = MPCC,
  [SS_METHOD_IMPACT_LAW] = {NULL, "v⁺ = v + M⁻¹ (Jₙᵀ lₙ + Jₜᵀ lₜ)", "v^{+} = v + M^{-1} (J_n^{T} l_n + J_t^{T} l_t)"},
};
/* clang-format on */

static const Law *
find (const SsMethod *method)
{
  for (guint i = 0; i < G_N_ELEMENTS (laws); i++)
    if (laws[i].kind == method->kind && strcmp (laws[i].name, method->name) == 0)
      return &laws[i];
  return NULL;
}

SsMethodId
ssapp_equations_written (guint index)
{
  return index < G_N_ELEMENTS (laws) ? (SsMethodId){laws[index].kind, laws[index].name} : (SsMethodId){0};
}

/* Words, or a formula. */
static void
write_line (SsappEquationSection *section, const Line *line)
{
  if (line->words != NULL)
    ssapp_equations_say (section, "%s", line->words);
  else
    ssapp_equations_put_copy (section, line->text, line->latex);
}

/* What an optimiser makes of a scene: the rows that its transcription tells of itself, whose pairs are those of the
 * program. */
static void
write_transcription (SsappEquations *self, const SsTranscriptionClass *transcription)
{
  g_autofree char *title = g_strdup_printf ("Rows of the plan (transcription %s)", transcription->name);
  SsappEquationSection *section = ssapp_equations_begin (self, title);
  GString *others = g_string_new (NULL);

  ssapp_equations_say (section, "%s", transcription->summary);
  for (int i = 0; i < transcription->n_rows; i++) {
    const SsTranscriptionRow *row = &transcription->rows[i];
    const gboolean is_further = i > 0 && row->words == NULL && strcmp (row->block, row[-1].block) == 0;
    if (!is_further)
      ssapp_equations_say (section, "%s%s%s:", row->block, row->words != NULL ? ", " : "",
                           row->words != NULL ? row->words : "");
    ssapp_equations_put_copy (section, row->text, row->latex);
  }
  for (int i = 0; i < ss_transcription_count (); i++)
    if (ss_transcription_at (i) != transcription)
      g_string_append_printf (others, "%s%s", others->len > 0 ? " or " : "", ss_transcription_at (i)->name);
  ssapp_equations_say (section,
                       "Bounds, targets and costs of the task come to these. With transcription=%s the rows are "
                       "those of that one.",
                       others->str);
  g_string_free (others, TRUE);
}

const char *
ssapp_equations_paper (const SsMethod *method)
{
  g_return_val_if_fail (method != NULL, NULL);
  const Law *law = find (method);

  return law != NULL ? law->paper : NULL;
}

/* Whether what is written of the law depends on that option. */
static gboolean
depends_on (const Law *law, const char *name)
{
  for (int i = 0; i < LINES_MAX; i++) {
    g_auto (GStrv) terms = g_strsplit (law->lines[i].with != NULL ? law->lines[i].with : "", ",", -1);
    for (guint k = 0; terms[k] != NULL; k++) {
      const gsize length = strcspn (terms[k], "!=");
      if (length == strlen (name) && strncmp (terms[k], name, length) == 0)
        return TRUE;
    }
  }
  return FALSE;
}

/* The options asked for, those apart that these formulas do not have. */
static void
write_options (SsappEquationSection *section, const Law *law, const SsMethod *method,
               const SsappEquationsOptions *options)
{
  GPtrArray *asked = ssapp_equations_options_asked (options);
  g_autoptr (GPtrArray) here = g_ptr_array_new (), others = g_ptr_array_new ();

  for (guint i = 0; i < asked->len; i++) {
    const char *pair = g_ptr_array_index (asked, i);
    g_autofree char *name = g_strndup (pair, strcspn (pair, "="));
    const gboolean is_here = (law != NULL && depends_on (law, name)) || strcmp (name, "transcription") == 0;
    g_ptr_array_add (is_here ? here : others, (gpointer)pair);
  }
  g_ptr_array_add (here, NULL);
  g_ptr_array_add (others, NULL);
  if (here->len > 1) {
    g_autofree char *list = g_strjoinv (", ", (char **)here->pdata);
    ssapp_equations_say (section, "With %s:", list);
  }
  if (others->len > 1) {
    g_autofree char *list = g_strjoinv (", ", (char **)others->pdata);
    ssapp_equations_say (section, "Not in these formulas: %s. `stickslip-cli methods %s` says what these options do.",
                         list, method->name);
  }
}

void
ssapp_equations_write_law (SsappEquations *self, const SsScenario *scenario, const SsMethod *method,
                           const SsappEquationsOptions *options)
{
  g_return_if_fail (method != NULL);
  const Law *law = find (method);
  g_autofree char *title = g_strdup_printf ("What %s solves", method->label);
  SsappEquationSection *section;

  if (scenario->model == NULL && method->kind == SS_METHOD_OPTIMISER)
    write_transcription (self, ssapp_equations_options_transcription (options).class_);
  section = ssapp_equations_begin (self, title);
  if (law == NULL) {
    ssapp_equations_say (section, "%s", method->summary);
    write_options (section, law, method, options);
    write_line (section, &of_kind[method->kind]);
    if (method->solves[0] != '\0')
      ssapp_equations_say (section, "%s", method->solves);
    return;
  }
  ssapp_equations_say (section, "%s", law->source);
  write_options (section, law, method, options);
  for (int i = 0; i < LINES_MAX && (law->lines[i].words != NULL || law->lines[i].text != NULL); i++)
    if (ssapp_equations_options_hold (options, law->lines[i].with))
      write_line (section, &law->lines[i]);
  if (law->paper != NULL)
    ssapp_equations_say (section,
                         "Each numbered equation of the paper, where it stands in the code and what tests it: "
                         "`stickslip-cli paper equations %s`, and equations.md in the manual.",
                         law->paper);
}
