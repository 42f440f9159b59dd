/* tests/numeric/test-constraint-paper.c: steps of the constraint solver against the formulas of its paper with dense
 * matrices, as they are printed but for the misprints that data/papers/003.tsv tells. One bar on a pin, its tip in the
 * floor, its angle beyond a limit, all at numbers that mean nothing. Rows of G are written out here. */
#include "core/ss-random.h"
#include "simulate/ss-simulate.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include <math.h>
#include <string.h>

static const double g = 9.81, half = 0.5; /* half: of the bar [m] */
enum { TRIALS = 100 };

/* Numbers of a trial and its state. */
typedef struct {
  double m, J, h, K, B, K_n, B_n, mu, zeta, B_r, lower; /* K, B: of the pin and its limit */
  double q[3], v[3];
} Bar;

/* ---- dense matrices by rows -------------------------------------------------------------------------------------- */

static void
multiply (int rows, int inner, int columns, const double *a, const double *b, double *out)
{
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) {
      out[i * columns + j] = 0;
      for (int k = 0; k < inner; k++)
        out[i * columns + j] += a[i * inner + k] * b[k * columns + j];
    }
}

static void
transpose (int rows, int columns, const double *a, double *out)
{
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      out[j * rows + i] = a[i * columns + j];
}

/* a x = b into b; false where a is singular. */
static bool
solve (int n, double *a, int columns, double *b)
{
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++)
      if (fabs (a[i * n + k]) > fabs (a[pivot * n + k]))
        pivot = i;
    if (!(fabs (a[pivot * n + k]) > 1e-12))
      return false;
    for (int j = 0; j < n; j++) {
      const double t = a[k * n + j];
      a[k * n + j] = a[pivot * n + j];
      a[pivot * n + j] = t;
    }
    for (int j = 0; j < columns; j++) {
      const double t = b[k * columns + j];
      b[k * columns + j] = b[pivot * columns + j];
      b[pivot * columns + j] = t;
    }
    for (int i = 0; i < n; i++) {
      const double factor = i == k ? 0 : a[i * n + k] / a[k * n + k];
      for (int j = 0; j < n; j++)
        a[i * n + j] -= factor * a[k * n + j];
      for (int j = 0; j < columns; j++)
        b[i * columns + j] -= factor * b[k * columns + j];
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < columns; j++)
      b[i * columns + j] /= a[i * n + i];
  return true;
}

static void
invert (int n, const double *a, double *out)
{
  double copy[9];
  memcpy (copy, a, (size_t)(n * n) * sizeof *a);
  for (int i = 0; i < n * n; i++)
    out[i] = i % (n + 1) == 0;
  SS_CHECK (solve (n, copy, n, out));
}

/* ---- the bar ----------------------------------------------------------------------------------------------------- */

/* The pin's place is (0, 1/2) and off by millimetres; the tip is some centimetres in the floor, or, `is_free`, above
 * it, and then the limit is far. */
static Bar
random_bar (SsRandom *random, bool is_free)
{
  const double angle = is_free ? ss_random_between (random, -0.4, 0.4) : ss_random_between (random, -0.57, -0.54);
  return (Bar){
      .m = ss_random_between (random, 1, 3),
      .J = ss_random_between (random, 0.1, 0.4),
      .h = 0.01,
      .K = pow (10, ss_random_between (random, 3, 5)),
      .B = ss_random_between (random, 10, 100),
      .K_n = pow (10, ss_random_between (random, 3, 5)),
      .B_n = ss_random_between (random, 10, 100),
      .mu = ss_random_between (random, 0.1, 1.5),
      .zeta = pow (10, ss_random_between (random, -1, 6)),
      .B_r = pow (10, ss_random_between (random, 0, 3)),
      .lower = is_free ? -3 : angle + ss_random_between (random, 0.001, 0.02),
      .q = {half * cos (angle) + ss_random_between (random, -2e-3, 2e-3),
            0.5 + half * sin (angle) + ss_random_between (random, -2e-3, 2e-3), angle},
      .v = {ss_random_between (random, -4, 4), ss_random_between (random, -4, 4), ss_random_between (random, -4, 4)}};
}

/* One step of ours from the bar's state into it; options as "name=value", ended by NULL. */
static void
step (Bar *b, const char *const *options_text)
{
  _Alignas(max_align_t) char options[1024];
  char text[1200];
  double q[6] = {0}, v[6] = {0}, contact[SS_SIM_N_CONTACT_VALUES];
  SsError err = {0};
  SsStepInfo info;
  void *stepper = NULL;

  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"bar\", \"scene\": {\"gravity\": [0, %.17g], \"bodies\": ["
            "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
            "{\"name\": \"bar\", \"shape\": {\"type\": \"segment\", \"length\": 1}, \"mass\": %.17g, \"inertia\": "
            "%.17g, \"position\": [0.5, 0.5]}], \"joints\": [{\"name\": \"pin\", \"type\": \"pin\", \"bodies\": "
            "[\"world\", \"bar\"], \"anchor\": [0, 0.5], \"lower\": %.17g, \"stiffness\": %.17g, \"damping\": %.17g}],"
            " \"contacts\": [{\"name\": \"tip\", \"bodies\": [\"floor\", \"bar\"], \"friction\": %.17g, "
            "\"stiffness\": %.17g, \"damping\": %.17g}]}}",
            -g, b->m, b->J, b->lower, b->K, b->B, b->mu, b->K_n, b->B_n);
  SsScenario *scenario = ss_test_read_text (text);
  if (scenario == NULL)
    return;
  const SsIntegratorClass *solver = &ss_integrator_constraint_solver;
  SS_CHECK (solver->options->size <= sizeof options);
  ss_test_set_options (solver->options, options, options_text, &err);
  memcpy (q + 3, b->q, sizeof b->q);
  memcpy (v + 3, b->v, sizeof b->v);
  SsSimState state = {.q = q, .v = v, .contact = contact};
  SS_CHECK (solver->new_ (scenario->scene, options, &stepper, &err) == SS_OK);
  SS_CHECK (solver->step (stepper, &(SsStep){.dt = b->h}, &state, &info, &err) == SS_OK);
  memcpy (b->q, q + 3, sizeof b->q);
  memcpy (b->v, v + 3, sizeof b->v);
  solver->free_ (stepper);
  ss_scenario_free (scenario);
}

/* What a step begins with: rows, their deformations, rates and turning, inverse mass, forces. */
typedef struct {
  double Gb[6], phi_b[2], gdv_b[2]; /* pin: x, y */
  double G[9], Gt[9];               /* tip's normal, its tangent, limit; transposed */
  double phi_n, phi_u, gdv_n, gdv_r, rate_b[2], rate[3], Mi[9], f[3];
} Start;

static Start
start_of (const Bar *b)
{
  const double ax = half * cos (b->q[2]), ay = half * sin (b->q[2]), w2 = b->v[2] * b->v[2];
  Start s = {.Gb = {1, 0, ay, 0, 1, -ax},
             .phi_b = {b->q[0] - ax, b->q[1] - ay - 0.5},
             .gdv_b = {w2 * ax, w2 * ay},
             .G = {0, 1, ax, 1, 0, -ay, 0, 0, 1},
             .phi_n = b->q[1] + ay,
             .phi_u = b->q[2] - b->lower,
             .gdv_n = -w2 * ay,
             .gdv_r = -w2 * ax,
             .Mi = {1 / b->m, 0, 0, 0, 1 / b->m, 0, 0, 0, 1 / b->J},
             .f = {0, -b->m * g, 0}};
  multiply (2, 3, 1, s.Gb, b->v, s.rate_b);
  multiply (3, 3, 1, s.G, b->v, s.rate);
  transpose (3, 3, s.G, s.Gt);
  return s;
}

/* v1 [003 (37)] and q1 [003 (36)] with the generalised force of all constraints, against the bar after our step. */
static void
compare (const Bar *ours, const Bar *before, const Start *s, const double force[3])
{
  for (int k = 0; k < 3; k++) {
    const double v = before->v[k] + before->h * s->Mi[4 * k] * (s->f[k] + force[k]), size = 1 + fabs (v);
    /* forces of 1e3 N from matrices of condition 1e4 */
    SS_CHECK_NEAR (ours->v[k], v, 1e-9 * size);
    SS_CHECK_NEAR (ours->q[k], before->q[k] + before->h * v, 1e-11 * size);
  }
}

/* ---- bilateral constraints --------------------------------------------------------------------------------------- */

/* (59) to (62), (53), (37), (36); [003 (18)]: without compensation, where the turning of G does not cancel in (61).
 * [003 (24) (38)-(39) (51)-(53) (59)-(62)] */
static void
a_pin_goes_by_the_formulas (void)
{
  SsRandom random;
  ss_random_seed (&random, 3);
  for (int trial = 0; trial < TRIALS; trial++) {
    const bool compensates = trial % 2 == 0;
    const char *const options[] = {"joints=start", compensates ? "compensate=on" : "compensate=off", NULL};
    Bar b = random_bar (&random, true), ours = b;
    const Start s = start_of (&b);
    double Gbt[6], GM[6], A[4], Mhat[4], Y[4], force[3], lambda[2], rhs[2], rate[2];
    transpose (2, 3, s.Gb, Gbt);
    multiply (2, 3, 3, s.Gb, s.Mi, GM);
    multiply (2, 3, 2, GM, Gbt, A);
    invert (2, A, Mhat);
    for (int i = 0; i < 4; i++)
      A[i] *= b.h * b.h * b.K + b.h * b.B;
    for (int i = 0; i < 2; i++)
      A[3 * i] += 1;
    invert (2, A, Y);
    multiply (2, 3, 1, GM, s.f, rhs);
    for (int i = 0; i < 2; i++) {
      rhs[i] = s.rate_b[i] + b.h * rhs[i] + (compensates ? 0 : b.h * s.gdv_b[i]);
      for (int k = 0; k < 3; k++)
        for (int j = 0; j < 2; j++)
          rhs[i] -= b.h * GM[3 * i + k] * Gbt[2 * k + j] * b.K * s.phi_b[j];
    }
    multiply (2, 2, 1, Y, rhs, rate);
    for (int i = 0; i < 2; i++) {
      lambda[i] = -b.K * (s.phi_b[i] + b.h * rate[i]) - b.B * rate[i];
      for (int j = 0; j < 2 && compensates; j++)
        lambda[i] -= Mhat[2 * i + j] * s.gdv_b[j];
    }
    multiply (3, 2, 1, Gbt, lambda, force);
    step (&ours, options);
    compare (&ours, &b, &s, force);
  }
}

/* ---- the programs as printed ------------------------------------------------------------------------------------- */

enum { N = 3, ROWS = 6 }; /* unknowns: normal, tangent, limit */

/* The least of x' H x/2 + x' gradient with C x >= low: of all sets of active rows the one whose point and multipliers
 * are right. */
static bool
least (const double *H, const double *gradient, const double *C, const double *low, double *best)
{
  double best_value = INFINITY;
  for (int set = 0; set < 1 << ROWS; set++) {
    int rows[ROWS], n = 0;
    for (int i = 0; i < ROWS; i++)
      if (set >> i & 1)
        rows[n++] = i;
    if (n > N)
      continue;
    const int size = N + n;
    double a[4 * N * N] = {0}, x[2 * N] = {0}, value = 0;
    for (int i = 0; i < N; i++) {
      for (int j = 0; j < N; j++)
        a[i * size + j] = H[i * N + j];
      for (int k = 0; k < n; k++) {
        a[i * size + N + k] = -C[rows[k] * N + i];
        a[(N + k) * size + i] = C[rows[k] * N + i];
      }
      x[i] = -gradient[i];
    }
    for (int k = 0; k < n; k++)
      x[N + k] = low[rows[k]];
    if (!solve (size, a, 1, x))
      continue;
    bool is_right = true;
    for (int k = 0; k < n; k++)
      is_right = is_right && x[N + k] >= -1e-9;
    for (int i = 0; i < ROWS; i++) {
      double slack = -low[i];
      for (int j = 0; j < N; j++)
        slack += C[i * N + j] * x[j];
      is_right = is_right && slack >= -1e-7;
    }
    for (int i = 0; i < N; i++) {
      value += gradient[i] * x[i];
      for (int j = 0; j < N; j++)
        value += H[i * N + j] * x[i] * x[j] / 2;
    }
    if (is_right && value < best_value) {
      best_value = value;
      memcpy (best, x, N * sizeof *x);
    }
  }
  return isfinite (best_value);
}

/* Generalised force of all constraints; *kind: which bounds hold, for the test's own sake. */
static bool
printed_program (const Bar *b, const Start *s, double force[3], int *kind)
{
  const double delta = b->h * b->h * b->K + b->h * b->B, damper = b->h * b->K + b->B; /* delta is eta (187) */
  double Gbt[6], GM[6], A[4], Mhat[4], D[6], C[4], C_inverse[4], c[2], Cc[2], CD[6], push[3], Lambda[9], inner[9];
  transpose (2, 3, s->Gb, Gbt);
  multiply (2, 3, 3, s->Gb, s->Mi, GM);
  multiply (2, 3, 2, GM, Gbt, A);
  invert (2, A, Mhat);
  /* (190) to (192) */
  multiply (2, 3, 1, GM, s->f, c);
  for (int i = 0; i < 2; i++) {
    c[i] = -b->K * s->phi_b[i] - damper * (s->rate_b[i] + b->h * (c[i] + s->gdv_b[i]));
    for (int j = 0; j < 2; j++)
      c[i] -= Mhat[2 * i + j] * s->gdv_b[j];
  }
  for (int i = 0; i < 6; i++)
    D[i] = -delta * GM[i];
  multiply (2, 3, 2, D, Gbt, C);
  for (int i = 0; i < 4; i++)
    C[i] = (i % 3 == 0) - C[i];
  invert (2, C, C_inverse);
  /* (189) */
  multiply (2, 2, 3, C_inverse, D, CD);
  multiply (3, 2, 3, Gbt, CD, inner);
  for (int i = 0; i < 3; i++)
    inner[4 * i] += 1;
  multiply (3, 3, 3, s->Mi, inner, Lambda);
  /* f + Gb' C^-1 c */
  multiply (2, 2, 1, C_inverse, c, Cc);
  multiply (3, 2, 1, Gbt, Cc, push);
  for (int k = 0; k < 3; k++)
    push[k] += s->f[k];
  /* G Lambda G', G M^-1 (f + Gb' C^-1 c), Mhat of each */
  double GL[9], W[9], GMi[9], own[9], free_rate[3];
  multiply (3, 3, 3, s->G, Lambda, GL);
  multiply (3, 3, 3, GL, s->Gt, W);
  multiply (3, 3, 3, s->G, s->Mi, GMi);
  multiply (3, 3, 3, GMi, s->Gt, own);
  multiply (3, 3, 1, GMi, push, free_rate);

  const double chi = b->h * b->h * b->K_n + b->h * b->B_n;
  double H[9] = {b->zeta, 0, 0, 0, 1, 0, 0, 0, b->zeta}, gradient[3] = {0}, rows[ROWS * N] = {0}, low[ROWS] = {0};
  /* (195), (197), (180), (184) */
  const double d = s->gdv_r / own[4] + b->B_r * (s->rate[1] + b->h * (free_rate[1] + s->gdv_r));
  for (int i = 0; i < 3 && b->mu > 0; i++) {
    const double Ei = b->h * b->B_r * W[3 + i] + (i == 1);
    for (int j = 0; j < 3; j++)
      H[3 * i + j] += Ei * (b->h * b->B_r * W[3 + j] + (j == 1));
    gradient[i] = Ei * d;
  }
  /* (185), (186) */
  for (int j = 0; j < 3; j++) {
    rows[j] = chi * W[j] + (j == 0);
    rows[N + j] = delta * W[6 + j] + (j == 2);
  }
  low[0] = -s->gdv_n / own[0] - b->K_n * s->phi_n -
           (b->h * b->K_n + b->B_n) * (s->rate[0] + b->h * (free_rate[0] + s->gdv_n));
  low[1] = -b->K * s->phi_u - damper * (s->rate[2] + b->h * free_rate[2]);
  rows[2 * N] = rows[3 * N + 2] = 1;
  rows[4 * N] = rows[5 * N] = b->mu;
  rows[4 * N + 1] = -1;
  rows[5 * N + 1] = 1;
  double x[3], others[3], answer[2], bilateral[3];
  if (!least (H, gradient, rows, low, x))
    return false;
  /* lambda_b = C^-1 (c + D G*' lambda*) */
  multiply (3, 3, 1, s->Gt, x, others);
  multiply (2, 3, 1, CD, others, answer);
  for (int i = 0; i < 2; i++)
    answer[i] += Cc[i];
  multiply (3, 2, 1, Gbt, answer, bilateral);
  for (int k = 0; k < 3; k++)
    force[k] = others[k] + bilateral[k];
  *kind = (x[0] > 0) + 2 * (x[2] > 0) + 4 * (fabs (x[1]) < b->mu * x[0] * (1 - 1e-6));
  return true;
}

/* [003 (83)-(85)] without friction, [003 (99) (104)-(108) (180)-(195) (197)] with it. */
static void
the_programs_are_as_printed (void)
{
  SsRandom random;
  int seen[8] = {0};
  ss_random_seed (&random, 4);
  for (int trial = 0; trial < TRIALS; trial++) {
    char zeta[40], damping[40];
    const char *const options[] = {"law=literal", "activation=penetrating", zeta, damping, NULL};
    Bar b = random_bar (&random, false);
    if (trial % 4 == 0)
      b.mu = 0;
    Bar ours = b;
    const Start s = start_of (&b);
    double force[3];
    int kind = 0;
    SS_CHECK (s.phi_n < 0 && s.phi_u < 0);
    SS_CHECK (printed_program (&b, &s, force, &kind));
    snprintf (zeta, sizeof zeta, "zeta=%.17g", b.zeta);
    snprintf (damping, sizeof damping, "slip-damping=%.17g", b.B_r);
    step (&ours, options);
    compare (&ours, &b, &s, force);
    seen[kind]++;
  }
  SS_CHECK (seen[0] > 0 && seen[1] > 0 && seen[2] > 0 && seen[3] > 0 && seen[5] + seen[7] > 0);
}

int
main (void)
{
  SS_RUN (a_pin_goes_by_the_formulas);
  SS_RUN (the_programs_are_as_printed);
  return ss_test_finish ();
}
