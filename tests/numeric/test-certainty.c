/* tests/numeric/test-certainty.c: how sure the velocities of a step are (contact/ss-contact-modes.h,
 * contact/ss-contact-certainty.h, simulate/ss-certainty.h): all modes of one to three points by independent code, in
 * random problems, and Gauss-Seidel in singular ones; Painleve's rod by its closed form; a disc in a wedge; what is
 * unique; mirrored scenes; a fan that goes on with the second solution, judged by the law. */
#include "contact/ss-contact-modes.h"
#include "core/ss-memory.h"
#include "core/ss-random.h"
#include "judge/ss-motion-law.h"
#include "linalg/ss-linalg.h"
#include "simulate/ss-certainty.h"
#include "simulate/ss-fan.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include <math.h>

/* ---- modes of random problems ------------------------------------------------------------------------------------ */

enum { POINTS_MAX = 3, ROWS_MAX = 2 * POINTS_MAX, MODES = 4, PROGRAMMES = 100000 };
typedef enum { OPEN, STUCK, SLIDES_PLUS, SLIDES_MINUS } PointMode;

typedef struct {
  int m;
  double W[ROWS_MAX * ROWS_MAX], c[ROWS_MAX], B[POINTS_MAX * POINTS_MAX], beta[POINTS_MAX], mu[POINTS_MAX];
} Random;

/* A chain of bodies of 1 kg, a contact between each and the next one: rows of a normal and a tangent at random places,
 * W scaled to ones on the diagonal and c to one. Long levers of tangents and fast slip make a
 * fifth of them Painleve's. */
static void
draw (SsRandom *random, int m, Random *out)
{
  enum { DIMENSIONS = 3 * (POINTS_MAX + 1) };
  double rows[ROWS_MAX][DIMENSIONS] = {{0}}, largest = 0, levers[POINTS_MAX][2];
  const int k = 2 * m;
  const double top = ss_random_between (random, 0.1, 3);
  *out = (Random){.m = m};
  for (int i = 0; i < k; i++) {
    const int point = i % m;
    const double angle = ss_random_between (random, 0, 6.3) + (i < m ? 0 : 1.5707963267948966);
    const double fast = i < m ? 1 : 5;
    double length = 0;
    for (int side = 0; side < 2; side++) {
      double *row = rows[i] + 3 * (point + side), lever; /* in radii of gyration */
      if (i < m)
        lever = levers[point][side] = ss_random_between (random, 0.3, 2);
      else
        lever = levers[point][side] * (point % 2 == 0 ? -1 : 1) * ss_random_between (random, 1, 4);
      row[0] = (side == 0 ? -1 : 1) * cos (angle);
      row[1] = (side == 0 ? -1 : 1) * sin (angle);
      row[2] = lever;
      length += 1 + lever * lever;
    }
    for (int d = 0; d < DIMENSIONS; d++)
      rows[i][d] /= sqrt (length);
    out->c[i] = i < m ? ss_random_between (random, -0.3, 1) : ss_random_between (random, -1, 1) * fast;
    largest = fmax (largest, fabs (out->c[i]));
  }
  for (int i = 0; i < k; i++) {
    out->c[i] /= largest;
    for (int j = 0; j < k; j++)
      for (int d = 0; d < DIMENSIONS; d++)
        out->W[i + j * k] += rows[i][d] * rows[j][d];
  }
  for (int i = 0; i < m; i++) {
    out->mu[i] = ss_random_between (random, top / 2, top);
    out->B[i + i * m] = out->mu[i];
  }
}

/* The solution with these modes: u; 1: there is one, 0: none, -1: too near to the boundary to tell. */
static int
solve_modes (const Random *r, const PointMode *mode, double *u)
{
  static const double near = 1e-6;
  const int m = r->m, k = 2 * m;
  double matrix[ROWS_MAX * ROWS_MAX] = {0}, p[ROWS_MAX] = {0}, least = INFINITY;
  int pivot[ROWS_MAX];
  for (int i = 0; i < k; i++) { /* unknowns z, pt; one equation for each */
    const int point = i % m;
    const bool is_normal = i < m;
    if (mode[point] == OPEN || (!is_normal && mode[point] != STUCK)) {
      matrix[i + i * k] = 1;
      if (!is_normal && mode[point] != OPEN)
        matrix[i + point * k] = mode[point] == SLIDES_PLUS ? r->mu[point] : -r->mu[point];
      continue;
    }
    for (int j = 0; j < k; j++)
      matrix[i + j * k] = r->W[i + j * k];
    p[i] = -r->c[i];
  }
  if (ss_dense_lu (k, matrix, k, pivot) != SS_OK)
    return -1;
  ss_dense_lu_solve (k, matrix, k, pivot, p);
  for (int i = 0; i < k; i++) {
    u[i] = r->c[i];
    for (int j = 0; j < k; j++)
      u[i] += r->W[i + j * k] * p[j];
  }
  for (int i = 0; i < m; i++) {
    least = fmin (least, mode[i] == OPEN ? u[i] : p[i]);
    if (mode[i] == STUCK)
      least = fmin (least, r->mu[i] * p[i] - fabs (p[m + i]));
    if (mode[i] == SLIDES_PLUS || mode[i] == SLIDES_MINUS)
      least = fmin (least, mode[i] == SLIDES_PLUS ? u[m + i] : -u[m + i]);
  }
  return fabs (least) < near ? -1 : least > 0;
}

/* All 4^m of them: how many different u, the first one in u; -1: not to be told. */
static int
count_solutions (const Random *r, double *first)
{
  int n = 0;
  for (int code = 0; code < (int)pow (MODES, r->m); code++) {
    PointMode mode[POINTS_MAX];
    double u[ROWS_MAX];
    for (int i = 0, rest = code; i < r->m; i++, rest /= MODES)
      mode[i] = (PointMode)(rest % MODES);
    const int is = solve_modes (r, mode, u);
    if (is < 0)
      return -1;
    if (is > 0 && n++ == 0)
      memcpy (first, u, sizeof u);
  }
  return n;
}

/* The enumeration finds a second velocity where brute force does, and only there; certificates hold only where there is
 * one. */
static void
modes_are_those_of_brute_force (void)
{
  const int n_problems = ss_test_is_coarse () ? 60 : 400;
  int n_unique = 0, n_several = 0, n_certified = 0;
  SsRandom random;
  SsModes *modes = NULL;
  SsError err;
  ss_random_seed (&random, 9);
  SS_CHECK (ss_modes_new (&modes, &err) == SS_OK);
  for (int i = 0; i < n_problems; i++) {
    Random r;
    double u[ROWS_MAX], apart[ROWS_MAX], p[ROWS_MAX], residual = 0, differs = 0;
    draw (&random, 1 + i % POINTS_MAX, &r);
    const int m = r.m, k = 2 * m, n = count_solutions (&r, u);
    SsModesProblem problem = {.n = m, .t = m, .W = r.W, .c = r.c, .B = r.B, .beta = r.beta};
    SsModesAnswer answer = SS_MODES_OPEN;
    bool is_certified = false;
    if (n < 1)
      continue;
    for (int j = 0; j < k; j++)
      apart[j] = 1e-5;
    SS_CHECK (ss_modes_certify (modes, &problem, &is_certified, &err) == SS_OK);
    SS_CHECK (ss_modes_enumerate (modes, &problem, u, apart, PROGRAMMES, &answer, p, &err) == SS_OK);
    SS_CHECK (answer == (n == 1 ? SS_MODES_UNIQUE : SS_MODES_SEVERAL));
    SS_CHECK (!is_certified || n == 1);
    n_certified += is_certified;
    n_unique += n == 1;
    n_several += n > 1;
    if (answer != SS_MODES_SEVERAL)
      continue;
    for (int j = 0; j < k; j++) { /* by the natural map: programmes are solved to their own tolerance, 1e-9 */
      double uj = r.c[j];
      for (int l = 0; l < k; l++)
        uj += r.W[j + l * k] * p[l];
      const double bound = j < m ? INFINITY : r.mu[j - m] * p[j - m], low = j < m ? 0 : -bound;
      residual = fmax (residual, fabs (p[j] - fmin (fmax (p[j] - uj, low), bound)));
      differs = fmax (differs, fabs (uj - u[j]));
    }
    SS_CHECK (residual < 1e-8);
    SS_CHECK (differs > 1e-5);
  }
  SS_CHECK (n_unique > n_problems / 4 && n_several > n_problems / 20 && n_certified > n_problems / 20);
  ss_modes_free (modes);
}

/* Gauss-Seidel on a problem from p; u of what it came to. False: it did not arrive. */
static bool
relax (const Random *r, double *p, double *u)
{
  const int m = r->m, k = 2 * m;
  double worst = 1;
  for (int sweep = 0; sweep < 3000 && worst > 1e-13; sweep++) {
    worst = 0;
    for (int i = 0; i < k; i++) { /* W has a diagonal of ones */
      const int j = i % 2 == 0 ? i / 2 : m + i / 2;
      double uj = r->c[j];
      for (int l = 0; l < k; l++)
        uj += r->W[j + l * k] * p[l];
      const double bound = j < m ? INFINITY : r->mu[j - m] * p[j - m], low = j < m ? 0 : -bound;
      const double next = fmin (fmax (p[j] - uj, low), bound);
      worst = fmax (worst, fabs (next - p[j]));
      p[j] = next;
    }
  }
  for (int i = 0; i < k; i++) {
    u[i] = r->c[i];
    for (int j = 0; j < k; j++)
      u[i] += r->W[i + j * k] * p[j];
  }
  return worst <= 1e-13;
}

/* More rows than one body has coordinates: impulses are not unique, and W is singular. Where the modes, or a
 * certificate, say that the velocity is unique, Gauss-Seidel comes to one velocity from anywhere. */
static void
singular_problems_have_one_velocity_where_it_is_said (void)
{
  enum { STARTS = 12 };
  const int n_problems = ss_test_is_coarse () ? 20 : 150;
  int n_unique = 0, n_several = 0;
  SsRandom random;
  SsModes *modes = NULL;
  SsError err;
  ss_random_seed (&random, 9);
  SS_CHECK (ss_modes_new (&modes, &err) == SS_OK);
  for (int i = 0; i < n_problems; i++) {
    Random r = {.m = 2 + i % 2};
    const int m = r.m, k = 2 * m;
    double rows[ROWS_MAX][3], free[3], u[STARTS][ROWS_MAX], apart[ROWS_MAX], p[ROWS_MAX], largest = 0;
    int n = 0;
    for (int d = 0; d < 3; d++)
      free[d] = ss_random_between (&random, -1, 1);
    for (int j = 0; j < k; j++) {
      const double angle = ss_random_between (&random, 0, 6.3);
      const double *normal = rows[j % m];
      const double x = j < m ? cos (angle) : -normal[1], y = j < m ? sin (angle) : normal[0];
      const double lever = ss_random_between (&random, -3, 3), length = sqrt (x * x + y * y + lever * lever);
      rows[j][0] = x / length;
      rows[j][1] = y / length;
      rows[j][2] = lever / length;
      apart[j] = 1e-5;
      for (int d = 0; d < 3; d++)
        r.c[j] += rows[j][d] * free[d];
      largest = fmax (largest, fabs (r.c[j]));
    }
    for (int a = 0; a < k; a++) {
      r.c[a] /= largest;
      for (int b = 0; b < k; b++)
        for (int d = 0; d < 3; d++)
          r.W[a + b * k] += rows[a][d] * rows[b][d];
    }
    for (int j = 0; j < m; j++)
      r.B[j + j * m] = r.mu[j] = ss_random_between (&random, 0, 2);
    for (int start = 0; start < STARTS; start++) {
      for (int j = 0; j < k; j++)
        p[j] = start == 0 ? 0 : j < m ? ss_random_between (&random, 0, 4) : ss_random_between (&random, -2, 2);
      n += relax (&r, p, u[n]);
    }
    SsModesProblem problem = {.n = m, .t = m, .W = r.W, .c = r.c, .B = r.B, .beta = r.beta};
    SsModesAnswer answer = SS_MODES_OPEN;
    bool is_certified = false;
    double differs = 0;
    if (n == 0)
      continue;
    for (int start = 1; start < n; start++)
      for (int j = 0; j < k; j++)
        differs = fmax (differs, fabs (u[start][j] - u[0][j]));
    SS_CHECK (ss_modes_certify (modes, &problem, &is_certified, &err) == SS_OK);
    SS_CHECK (ss_modes_enumerate (modes, &problem, u[0], apart, PROGRAMMES, &answer, p, &err) == SS_OK);
    SS_CHECK (!is_certified || answer != SS_MODES_SEVERAL);
    SS_CHECK (answer == SS_MODES_SEVERAL || differs < 1e-5);
    n_unique += answer == SS_MODES_UNIQUE;
    n_several += answer == SS_MODES_SEVERAL;
  }
  SS_CHECK (n_unique > n_problems / 4 && n_several > 0);
  ss_modes_free (modes);
}

/* Two normals that are held, the friction of a joint that sticks or slips to either side, and a contact's tangent that
 * rests without any impulse: by that the velocity is unique, however large the contact's friction is. The answer is
 * drawn first, and c made from it. */
static void
what_rests_beside_a_rubbing_joint_is_unique (void)
{
  enum { NORMALS = 2, ROWS = 4, DIMENSIONS = 6 };
  SsRandom random;
  SsModes *modes = NULL;
  SsError err;
  ss_random_seed (&random, 5);
  SS_CHECK (ss_modes_new (&modes, &err) == SS_OK);
  for (int i = 0; i < 60; i++) {
    static const double slips[] = {0, 0.4, -0.4};
    const double slip = slips[i % 3], bound = ss_random_between (&random, 0.2, 0.6);
    const double rubs = slip == 0 ? ss_random_between (&random, -0.9, 0.9) * bound : slip > 0 ? -bound : bound;
    const double p[ROWS] = {ss_random_between (&random, 0.2, 1), ss_random_between (&random, 0.2, 1), rubs, 0};
    double rows[ROWS][DIMENSIONS], W[ROWS * ROWS] = {0}, c[ROWS] = {0, 0, slip, 0};
    double B[(ROWS - NORMALS) * NORMALS] = {0, 5, 0, 0}, beta[ROWS - NORMALS] = {bound, 0};
    bool is_certified = false;
    for (int a = 0; a < ROWS; a++) {
      double square = 0;
      for (int d = 0; d < DIMENSIONS; d++) {
        rows[a][d] = ss_random_between (&random, -1, 1);
        square += rows[a][d] * rows[a][d];
      }
      for (int d = 0; d < DIMENSIONS; d++)
        rows[a][d] /= sqrt (square);
    }
    for (int a = 0; a < ROWS; a++)
      for (int b = 0; b < ROWS; b++) {
        for (int d = 0; d < DIMENSIONS; d++)
          W[a + b * ROWS] += rows[a][d] * rows[b][d];
        c[a] -= W[a + b * ROWS] * p[b];
      }
    const SsModesProblem problem = {.n = NORMALS, .t = ROWS - NORMALS, .W = W, .c = c, .B = B, .beta = beta};
    SS_CHECK (ss_modes_certify (modes, &problem, &is_certified, &err) == SS_OK && is_certified);
  }
  ss_modes_free (modes);
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

static const char *const counts[] = {"certainty=count", NULL};

/* Metrics of a run of the scene by an integrator with certainty=count. */
static SsSimMetrics
look (const char *text, const SsIntegratorClass *integrator, double dt, double t_end)
{
  SsSimMetrics metrics = {0};
  SsScenario *scenario = ss_test_read_text (text);
  if (scenario == NULL)
    return metrics;
  SsTestRun run = ss_test_simulate (scenario->scene, integrator, counts, dt, t_end, NULL);
  metrics = run.metrics;
  SS_CHECK (metrics.n_by_certainty[SS_CERTAINTY_NONE] == 0);
  ss_trajectory_free (run.trajectory);
  ss_scenario_free (scenario);
  return metrics;
}

static const SsIntegratorClass *const integrators[] = {&ss_integrator_stewart_trinkle, &ss_integrator_moreau_jean};
enum { N_INTEGRATORS = sizeof integrators / sizeof *integrators };

/* Painleve's rod: 1 m, 1 kg, J = 1/32 kg m2, tilted by 30 degrees, its lower end on the floor, pulled up so that one
 * step gives it vy; `side` mirrors it. */
static const double step = 0.01;
static const double rod_j = 1.0 / 32, rod_tilt = 0.52359877559829882;

static void
write_rod (char *text, size_t size, double mu, double vx, double vy, double side)
{
  snprintf (text, size,
            "{\"format\": 1, \"name\": \"rod\", \"scene\": {\"gravity\": [0, %.17g], \"friction\": %.17g, \"bodies\": ["
            "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
            "{\"name\": \"rod\", \"mass\": 1, \"inertia\": %.17g, \"position\": [0, %.17g], \"angle\": %.17g,"
            " \"velocity\": [%.17g, 0], \"shape\": {\"type\": \"segment\", \"from\": [0, -0.5], \"to\": [0, 0.5]}}"
            "]}, \"task\": {\"t_end\": 0.01, \"dt\": 0.01}}",
            vy / step, mu, rod_j, 0.5 * cos (rod_tilt), -side * rod_tilt, side * vx);
}

/* Its velocities with impulses z, pt; side 1. */
static void
rod_velocities (double vx, double vy, double z, double pt, double *v)
{
  const double rx = -0.5 * sin (rod_tilt), ry = -0.5 * cos (rod_tilt);
  v[0] = vx + pt;
  v[1] = vy + z;
  v[2] = (rx * z - ry * pt) / rod_j;
}

/* It is to leave the floor at vy > 0 while it slides at vx < 0. W = (a b; b c), b < 0. Flight, z = 0, is a solution.
 * With a + mu b < 0 so is a slip with z = - vy/(a + mu b), while it goes on, and there is that which stops the slip, z,
 * pt of W (z, pt) = - (vy, vx), while |pt| <= mu z. For these numbers both are there from mu = a/|b| = 0.866 on, none
 * before. */
static void
rod_is_painleves (void)
{
  static const double vx = -10, vy = 0.1;
  const double rx = -0.5 * sin (rod_tilt), ry = -0.5 * cos (rod_tilt);
  const double a = 1 + rx * rx / rod_j, b = -rx * ry / rod_j, c = 1 + ry * ry / rod_j, det = a * c - b * b;
  char text[900];
  SS_CHECK_NEAR (a / fabs (b), 0.8660254, 1e-6);
  for (double mu = 0.1; mu < 1.5; mu += 0.1) {
    const double z = (b * vx - c * vy) / det, pt = (b * vy - a * vx) / det, slip = -vy / (a + mu * b);
    const bool sticks = z > 0 && fabs (pt) <= mu * z, slides = slip > 0 && vx + (b + mu * c) * slip < 0;
    for (int i = 0; i < N_INTEGRATORS; i++)
      for (double side = 1; side >= -1; side -= 2) {
        write_rod (text, sizeof text, mu, vx, vy, side);
        const SsSimMetrics found = look (text, integrators[i], step, step);
        SS_CHECK (sticks == slides);
        SS_CHECK (found.n_by_certainty[sticks ? SS_CERTAINTY_SEVERAL : SS_CERTAINTY_UNIQUE] == 1);
        SS_CHECK (found.second.is_there == sticks);
        if (!sticks)
          continue;
        double all[3][3], off[3] = {0}, taken[3] = {0};
        rod_velocities (vx, vy, 0, 0, all[0]);
        rod_velocities (vx, vy, slip, mu * slip, all[1]);
        rod_velocities (vx, vy, z, pt, all[2]);
        SS_CHECK (found.second.n_bodies == 1 && found.second.n_contacts == 1);
        for (int way = 0; way < 3; way++)
          for (int k = 0; k < 3; k++) {
            const double sign = k == 1 ? 1 : side;
            off[way] = fmax (off[way], fabs (sign * found.second.second[0][k] - all[way][k]));
            taken[way] = fmax (taken[way], fabs (sign * found.second.first[0][k] - all[way][k]));
          }
        /* each is one of the three, and they are two; the residual's 1e-8 m/s over a lever of 0.25 m */
        const double nearest = fmin (off[0], fmin (off[1], off[2])), own = fmin (taken[0], fmin (taken[1], taken[2]));
        SS_CHECK (nearest < 1e-7 && own < 1e-7);
        SS_CHECK (found.second.apart > 0.05 && found.second.residual <= SS_CERTAINTY_RESIDUAL);
      }
  }
}

/* A disc between walls at 45 degrees to either side is pulled up: it flies, or, from mu = 1 on, both walls
 * hold it by friction alone, pressed apart: the line between the contacts is then in both friction cones. */
static void
wedge_jams (void)
{
  static const double mus[] = {0.2, 0.9, 1.1, 2};
  char text[1200];
  for (int i = 0; i < (int)(sizeof mus / sizeof *mus); i++)
    for (int k = 0; k < N_INTEGRATORS; k++) {
      snprintf (
          text, sizeof text,
          "{\"format\": 1, \"name\": \"wedge\", \"scene\": {\"gravity\": [0, 100], \"friction\": %g, \"bodies\": ["
          "{\"name\": \"left\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [1, 1]}},"
          "{\"name\": \"right\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [-1, 1]}},"
          "{\"name\": \"disc\", \"mass\": 1, \"inertia\": 0.005, \"position\": [0, %.17g],"
          " \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}]}, \"task\": {\"t_end\": 0.01, \"dt\": 0.01}}",
          mus[i], 0.1 * sqrt (2));
      const SsSimMetrics found = look (text, integrators[k], 0.01, 0.01);
      SS_CHECK (found.n_by_certainty[mus[i] > 1 ? SS_CERTAINTY_SEVERAL : SS_CERTAINTY_UNIQUE] == 1);
      if (mus[i] < 1)
        continue;
      const double *a = found.second.first[0], *b = found.second.second[0];
      SS_CHECK_NEAR (fmax (a[1], b[1]), 1, 1e-8); /* one flies, the other is held */
      SS_CHECK_NEAR (fmin (a[1], b[1]), 0, 1e-8);
    }
}

/* A box of 0.5 m by 1 m that is dragged over a floor at 5 m/s while it leaves it at 0.05 m/s: for its leading corner
 * a = 1.6, b = -1.2, so that from mu = 4/3 on the floor can catch it, too. */
static void
dragged_box_is_caught (void)
{
  static const double mus[] = {0.5, 2};
  char text[900];
  for (int i = 0; i < 2; i++)
    for (double side = 1; side >= -1; side -= 2) {
      snprintf (text, sizeof text,
                "{\"format\": 1, \"name\": \"box\", \"scene\": {\"gravity\": [0, 0], \"friction\": %g, \"bodies\": ["
                "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
                "{\"name\": \"box\", \"mass\": 1, \"position\": [0, 0.5], \"velocity\": [%g, 0.05],"
                " \"shape\": {\"type\": \"box\", \"width\": 0.5, \"height\": 1}}]},"
                " \"task\": {\"t_end\": 0.01, \"dt\": 0.01}}",
                mus[i], 5 * side);
      const SsSimMetrics found = look (text, &ss_integrator_stewart_trinkle, 0.01, 0.01);
      SS_CHECK (found.n_by_certainty[i == 0 ? SS_CERTAINTY_UNIQUE : SS_CERTAINTY_SEVERAL] == 1);
    }
}

/* What is known to have one velocity: a box on a slope, sliding and sticking; discs in a row without friction; boxes on
 * top of each other, at rest, where impulses are not unique. */
static void
others_are_unique (void)
{
  static const char box_on_slope[] =
      "{\"format\": 1, \"name\": \"slope\", \"scene\": {\"gravity\": [4.905, -8.4957], \"friction\": %s, \"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"name\": \"box\", \"mass\": 1, \"position\": [0, 0.25], \"shape\": {\"type\": \"box\", \"width\": 1, "
      "\"height\": 0.5}}]}, \"task\": {\"t_end\": 0.2, \"dt\": 0.01}}";
  static const char row[] =
      "{\"format\": 1, \"name\": \"row\", \"scene\": {\"gravity\": [0, 0], \"friction\": 0, \"restitution\": 1, "
      "\"bodies\": [{\"name\": \"a\", \"mass\": 1, \"position\": [-0.25, 0], \"velocity\": [1, 0], \"shape\": "
      "{\"type\": "
      "\"circle\", \"radius\": 0.1}}, {\"for\": \"i\", \"from\": 0, \"to\": 3, \"rows\": [{\"name\": \"b{i}\", "
      "\"mass\": 1, \"position\": [\"0.2*{i}\", 0], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}]}]}, \"task\": "
      "{\"t_end\": 0.2, \"dt\": 0.01}}";
  static const char stack[] =
      "{\"format\": 1, \"name\": \"stack\", \"scene\": {\"gravity\": [0, -9.81], \"friction\": 0.5, \"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"for\": \"i\", \"from\": 0, \"to\": 5, \"rows\": [{\"name\": \"b{i}\", \"mass\": \"1 + {i}\", \"position\": "
      "[0, "
      "\"0.25 + 0.5*{i}\"], \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 0.5}}]}]}, \"task\": {\"t_end\": "
      "0.2, \"dt\": 0.01}}";
  char slides[900], sticks[900];
  snprintf (slides, sizeof slides, box_on_slope, "0.3");
  snprintf (sticks, sizeof sticks, box_on_slope, "0.9");
  const char *const all[] = {slides, sticks, row, stack};
  for (int i = 0; i < (int)(sizeof all / sizeof *all); i++)
    for (int k = 0; k < N_INTEGRATORS; k++) {
      const SsSimMetrics found = look (all[i], integrators[k], 0.01, 0.2);
      SS_CHECK (found.steps == 20 && found.n_by_certainty[SS_CERTAINTY_UNIQUE] == 20);
    }
}

/* Joints that are eliminated, friction of joints and rolling resistance are rows of the same problem. */
static void
joints_and_rolling_are_looked_at (void)
{
  static const char *const at_start[] = {"certainty=count", "joints=start", NULL};
  static const char text[] =
      "{\"format\": 1, \"name\": \"arm\", \"scene\": {\"gravity\": [0, -9.81], \"friction\": 0.3, \"rolling\": 0.01, "
      "\"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"name\": \"arm\", \"mass\": 1, \"position\": [0.5, 0.25], \"angle\": -0.3, \"shape\": {\"type\": \"capsule\", "
      "\"length\": 1, \"radius\": 0.05}},"
      "{\"name\": \"disc\", \"mass\": 1, \"position\": [3, 0.1], \"velocity\": [1, 0], \"shape\": {\"type\": "
      "\"circle\", \"radius\": 0.1}}], \"joints\": [{\"name\": \"pin\", \"type\": \"pin\", \"bodies\": [\"floor\", "
      "\"arm\"], \"anchor\": [0.02, 0.4], \"friction\": 0.2}]}, \"task\": {\"t_end\": 0.5, \"dt\": 0.01}}";
  SsScenario *scenario = ss_test_read_text (text);
  if (scenario == NULL)
    return;
  SsTestRun run = ss_test_simulate (scenario->scene, &ss_integrator_stewart_trinkle, at_start, 0.01, 0.5, NULL);
  SS_CHECK (run.metrics.n_by_certainty[SS_CERTAINTY_UNIQUE] == 50);
  ss_trajectory_free (run.trajectory);
  ss_scenario_free (scenario);
}

/* Looking changes no bit of a motion: neither where the large solver is asked (more than 96 rows; groups too large for
 * their modes, which are searched) nor elsewhere. A pyramid of 36 boxes at rest is proved to have one velocity. */
static void
looking_changes_nothing (void)
{
  static const struct {
    const char *file;
    int steps;
    double dt, t_end;
    bool is_unique;
  } runs[] = {{"examples/classics/card-house.stickslip.json", 6, 0.002, 0.012, false},
              {"examples/classics/domino-row.stickslip.json", 10, 0.1, 1, false},
              {NULL, 3, 0.01, 0.03, true}};
  static const char pyramid[] =
      "{\"format\": 1, \"name\": \"pyramid\", \"scene\": {\"gravity\": [0, -9.81], \"friction\": 0.6, \"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"for\": \"i\", \"from\": 0, \"to\": 7, \"rows\": [{\"for\": \"j\", \"from\": 0, \"to\": \"7 - {i}\", "
      "\"rows\": [{\"name\": \"b{i}_{j}\", \"mass\": 1, \"position\": [\"1.1*({j} + {i}/2)\", \"0.5 + {i}\"], "
      "\"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 1}}]}]}]}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}";
  for (int i = 0; i < (int)(sizeof runs / sizeof *runs); i++) {
    SsScenario *scenario =
        runs[i].file != NULL ? ss_test_read_file (runs[i].file, NULL, 0) : ss_test_read_text (pyramid);
    if (scenario == NULL)
      continue;
    SsTestRun off = ss_test_simulate (scenario->scene, integrators[0], NULL, runs[i].dt, runs[i].t_end, NULL);
    SsTestRun on = ss_test_simulate (scenario->scene, integrators[0], counts, runs[i].dt, runs[i].t_end, NULL);
    const int *n = on.metrics.n_by_certainty;
    SS_CHECK (on.metrics.steps == runs[i].steps && n[SS_CERTAINTY_NONE] == 0);
    SS_CHECK (!runs[i].is_unique || n[SS_CERTAINTY_UNIQUE] == runs[i].steps);
    SS_CHECK (off.trajectory->n_rows == on.trajectory->n_rows);
    for (int row = 0; row < off.trajectory->n_rows; row++)
      SS_CHECK (memcmp (ss_trajectory_row (off.trajectory, row), ss_trajectory_row (on.trajectory, row),
                        (size_t)off.trajectory->n_channels * sizeof (double)) == 0);
    ss_trajectory_free (off.trajectory);
    ss_trajectory_free (on.trajectory);
    ss_scenario_free (scenario);
  }
}

/* Steps that are more than one linear problem are undecided, and a caveat says so. */
static void
other_steps_are_undecided (void)
{
  static const char *const at_end[] = {"certainty=branches", "gap=end", NULL};
  char text[900];
  _Alignas(max_align_t) char options[1024];
  SsError err = {0};
  write_rod (text, sizeof text, 1, -10, 0.1, 1);
  SsScenario *scenario = ss_test_read_text (text);
  if (scenario == NULL)
    return;
  SsTestRun run = ss_test_simulate (scenario->scene, &ss_integrator_stewart_trinkle, at_end, step, step, NULL);
  SS_CHECK (run.metrics.n_by_certainty[SS_CERTAINTY_UNDECIDED] == 1 && !run.metrics.second.is_there);
  ss_test_set_options (ss_integrator_stewart_trinkle.options, options, at_end, &err);
  SS_CHECK_CONTAINS (ss_integrator_stewart_trinkle.caveat (scenario->scene, options), "gap=linear");
  ss_trajectory_free (run.trajectory);
  ss_scenario_free (scenario);
}

/* ---- fans -------------------------------------------------------------------------------------------------------- */

static SsStatus
simulate (const SsScene *scene, const char *const *texts, double dt, double t_end, SsSimResult *result, SsError *err)
{
  _Alignas(max_align_t) char options[1024];
  ss_test_set_options (ss_integrator_stewart_trinkle.options, options, texts, err);
  const SsSimJob job = {
      .scene = scene, .integrator = &ss_integrator_stewart_trinkle, .options = options, .dt = dt, .t_end = t_end};
  *result = (SsSimResult){0};
  return ss_simulate_job (&job, NULL, result, err);
}

/* Branch 0 is the motion without branches, to the bit; the other one has the second solution's velocities where it
 * begins, and is a motion of the law. */
static void
fan_goes_on_with_both (void)
{
  static const char *const branches[] = {"certainty=branches", NULL};
  static const char *const one[] = {"certainty=branches", "max-branches=1", NULL};
  char text[900];
  SsSimResult alone, fan, single;
  SsError err = {0};
  write_rod (text, sizeof text, 1, -10, 0.1, 1);
  SsScenario *scenario = ss_test_read_text (text);
  if (scenario == NULL)
    return;
  SS_CHECK (simulate (scenario->scene, NULL, 0.01, 0.05, &alone, &err) == SS_OK);
  SS_CHECK (simulate (scenario->scene, branches, 0.01, 0.05, &fan, &err) == SS_OK);
  SS_CHECK (simulate (scenario->scene, one, 0.01, 0.05, &single, &err) == SS_OK);
  SS_CHECK (fan.n_branches >= 2 && single.n_branches == 0 && alone.metrics.n_by_certainty[SS_CERTAINTY_NONE] == 5);
  SS_CHECK (single.metrics.n_by_certainty[SS_CERTAINTY_SEVERAL] >= 1);
  double share = 0;
  for (int i = 0; i < fan.n_branches; i++)
    share += fan.branches[i].share;
  SS_CHECK_NEAR (share, 1, 1e-15);
  SS_CHECK (alone.trajectory->n_rows == fan.trajectory->n_rows);
  for (int row = 0; row < alone.trajectory->n_rows; row++)
    SS_CHECK (memcmp (ss_trajectory_row (alone.trajectory, row), ss_trajectory_row (fan.trajectory, row),
                      (size_t)alone.trajectory->n_channels * sizeof (double)) == 0);
  if (fan.n_branches >= 2) {
    static const char *const channels[] = {"rod.vx", "rod.vy", "rod.omega"};
    const SsMotionLaw law = ss_integrator_contact_law (scenario->scene, &ss_integrator_stewart_trinkle, NULL);
    SsLawVerdict verdict;
    SS_CHECK (fan.branches[1].parent == 0 && fan.branches[1].t_fork == 0);
    for (int k = 0; k < 3; k++) {
      SS_CHECK (ss_test_value (fan.trajectory, 1, channels[k]) == fan.metrics.second.first[0][k]);
      SS_CHECK (ss_test_value (fan.branches[1].trajectory, 1, channels[k]) == fan.metrics.second.second[0][k]);
    }
    SS_CHECK (ss_motion_judge_law (scenario->scene, fan.branches[1].trajectory, NULL, &law, NULL, &verdict, &err) ==
              SS_OK);
    SS_CHECK (verdict.law.value < SS_CERTAINTY_RESIDUAL);
  }
  ss_sim_result_clear (&alone);
  ss_sim_result_clear (&fan);
  ss_sim_result_clear (&single);
  ss_scenario_free (scenario);
}

/* Any allocation may fail. */
static void
memory_may_be_short (void)
{
  static const char *const branches[] = {"certainty=branches", NULL};
  char text[900];
  SsError err = {0};
  SsStatus status = SS_ERR_MEMORY;
  write_rod (text, sizeof text, 1, -10, 0.1, 1);
  SsScenario *scenario = ss_test_read_text (text);
  if (scenario == NULL)
    return;
  for (uint64_t n = 1; status != SS_OK && n < 2000; n++) {
    SsSimResult result;
    ss_alloc_fail_at (n);
    status = simulate (scenario->scene, branches, 0.01, 0.02, &result, &err);
    ss_alloc_fail_at (0);
    SS_CHECK (status == SS_OK || status == SS_ERR_MEMORY);
    if (status == SS_OK)
      ss_sim_result_clear (&result);
  }
  SS_CHECK (status == SS_OK);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (modes_are_those_of_brute_force);
  SS_RUN (singular_problems_have_one_velocity_where_it_is_said);
  SS_RUN (what_rests_beside_a_rubbing_joint_is_unique);
  SS_RUN (rod_is_painleves);
  SS_RUN (wedge_jams);
  SS_RUN (dragged_box_is_caught);
  SS_RUN (others_are_unique);
  SS_RUN (joints_and_rolling_are_looked_at);
  SS_RUN (looking_changes_nothing);
  SS_RUN (other_steps_are_undecided);
  SS_RUN (fan_goes_on_with_both);
  SS_RUN (memory_may_be_short);
  return ss_test_finish ();
}
