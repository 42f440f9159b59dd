/* engine/impact/ss-impact-draw.c: counter-based uniform numbers and a Sobol sequence. */
#include "impact/ss-impact-draw.h"

#include "scene/ss-impact-file.h"

#include <math.h>

enum { BITS = 52, DEGREE_MAX = 11, DIMENSIONS_MAX = 300 };

const char *const ss_impact_draw_names[] = {"uniform", "simplex", "sobol", "corners", NULL};

struct SsImpactDraw {
  SsImpactDrawKind kind;
  uint64_t seed;
  int m, max_steps;
  double h;
  uint64_t skip, stride;        /* SOBOL */
  uint64_t (*directions)[BITS]; /* SOBOL: m max_steps */
};

/* ---- uniform ----------------------------------------------------------------------------------------------------- */

/* splitmix64's mixing. */
static inline uint64_t
mix (uint64_t x)
{
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

double
ss_impact_uniform (SsImpactStream stream, uint64_t seed, uint64_t sample, int step, int contact)
{
  const uint64_t golden = 0x9e3779b97f4a7c15u;
  uint64_t x = mix (seed + golden * (1 + (uint64_t)stream));

  x = mix (x + golden * (1 + sample));
  x = mix (x + golden * (1 + ((uint64_t)step << 8) + (uint64_t)contact));
  return (double)(x >> 11) * 0x1p-53;
}

/* ---- Sobol ------------------------------------------------------------------------------------------------------- */

/* Whether x generates all 2^degree - 1 non-zero residues modulo the polynomial (bit i: coefficient of x^i). */
static bool
is_primitive (unsigned polynomial, int degree)
{
  const unsigned order = (1u << degree) - 1;
  unsigned power = 1, n = 0;

  do {
    power <<= 1;
    if (power >> degree & 1)
      power ^= polynomial;
    n++;
  } while (power != 1 && n <= order);
  return n == order;
}

/* Direction numbers of one dimension from its polynomial; initial numbers are odd, else free, and drawn once and for
 * all. */
static void
fill_directions (unsigned polynomial, int degree, int dimension, uint64_t *directions)
{
  uint64_t numbers[BITS];

  for (int i = 0; i < BITS; i++) {
    if (i < degree) {
      const double u = ss_impact_uniform (SS_IMPACT_STREAM_POLICY, 1108, (uint64_t)dimension, i, 0);
      numbers[i] = ((uint64_t)(u * (double)(1u << i)) << 1) | 1;
    } else {
      numbers[i] = numbers[i - degree] ^ (numbers[i - degree] << degree);
      for (int k = 1; k < degree; k++)
        if (polynomial >> (degree - k) & 1)
          numbers[i] ^= numbers[i - k] << k;
    }
    directions[i] = numbers[i] << (BITS - 1 - i);
  }
}

static SsStatus
make_sobol (SsImpactDraw *draw, SsError *err)
{
  const int n = draw->m * draw->max_steps;
  int dimension = 1;

  if (n > DIMENSIONS_MAX)
    return ss_error_set (err, SS_ERR_ARG,
                         "a Sobol sequence of %d contacts and %d steps has %d dimensions; up to %d are known", draw->m,
                         draw->max_steps, n, DIMENSIONS_MAX);
  draw->directions = ss_alloc ((size_t)n, sizeof *draw->directions);
  if (draw->directions == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a Sobol sequence of %d dimensions", n);
  for (int i = 0; i < BITS; i++)
    draw->directions[0][i] = (uint64_t)1 << (BITS - 1 - i);
  for (int degree = 1; degree <= DEGREE_MAX && dimension < n; degree++)
    for (unsigned p = (1u << degree) + 1; p < 2u << degree && dimension < n; p += 2)
      if (is_primitive (p, degree)) {
        fill_directions (p, degree, dimension, draw->directions[dimension]);
        dimension++;
      }
  SS_ASSERT (dimension >= n);
  draw->skip = (uint64_t)pow (3, draw->max_steps < 20 ? draw->max_steps : 20);
  /* odd: of every second point of a sequence in base 2 all caps of a contact lie in one half of their range */
  draw->stride = ((uint64_t)ceil (pow ((double)draw->skip, 0.25)) + 1) | 1;
  return SS_OK;
}

static double
sobol (const SsImpactDraw *draw, uint64_t sample, int dimension)
{
  const uint64_t index = draw->skip + sample * draw->stride;
  uint64_t gray = index ^ (index >> 1), x = 0;

  for (int i = 0; gray != 0 && i < BITS; i++, gray >>= 1)
    if (gray & 1)
      x ^= draw->directions[dimension][i];
  return ldexp ((double)x, -BITS);
}

/* ---- caps -------------------------------------------------------------------------------------------------------- */

SsStatus
ss_impact_draw_new (SsImpactDrawKind kind, uint64_t seed, int m, int max_steps, double h, SsImpactDraw **out,
                    SsError *err)
{
  SS_ASSERT (m > 0 && max_steps > 0 && h > 0 && out != NULL);

  SsImpactDraw *draw = ss_new (SsImpactDraw);
  SsStatus status = SS_OK;

  *out = NULL;
  if (draw == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the draws of %d contacts", m);
  *draw = (SsImpactDraw){.kind = kind, .seed = seed, .m = m, .max_steps = max_steps, .h = h};
  if (kind == SS_IMPACT_DRAW_SOBOL)
    status = make_sobol (draw, err);
  if (status != SS_OK) {
    ss_impact_draw_free (draw);
    return status;
  }
  *out = draw;
  return SS_OK;
}

void
ss_impact_draw_free (SsImpactDraw *draw)
{
  if (draw == NULL)
    return;
  ss_free (draw->directions);
  ss_free (draw);
}

int
ss_impact_draw_alone (const SsImpactDraw *draw, uint64_t sample, int step)
{
  SS_ASSERT (draw != NULL);
  enum { KIND = SS_IMPACT_CONTACTS_MAX, WHICH }; /* numbers that no contact has */

  if (draw->kind != SS_IMPACT_DRAW_CORNERS ||
      ss_impact_uniform (SS_IMPACT_STREAM_CAPS, draw->seed, sample, 0, KIND) < 0.75)
    return -1;
  return (int)(draw->m * ss_impact_uniform (SS_IMPACT_STREAM_CAPS, draw->seed, sample, step, WHICH));
}

void
ss_impact_draw_caps (const SsImpactDraw *draw, uint64_t sample, int step, double *cap)
{
  SS_ASSERT (draw != NULL);

  const int alone = ss_impact_draw_alone (draw, sample, step);
  double sum = 0;

  for (int i = 0; i < draw->m; i++) {
    if (alone >= 0) {
      cap[i] = i == alone ? draw->h : 0;
      continue;
    }
    if (draw->kind == SS_IMPACT_DRAW_SOBOL) {
      cap[i] = draw->h * sobol (draw, sample, step * draw->m + i);
      continue;
    }
    const double u = ss_impact_uniform (SS_IMPACT_STREAM_CAPS, draw->seed, sample, step, i);
    if (draw->kind == SS_IMPACT_DRAW_CORNERS)
      cap[i] = draw->h * fmin (fmax (2 * u - 0.5, 0), 1);
    else
      cap[i] = draw->kind == SS_IMPACT_DRAW_UNIFORM ? draw->h * u : -log1p (-u);
    sum += cap[i];
  }
  for (int i = 0; draw->kind == SS_IMPACT_DRAW_SIMPLEX && i < draw->m; i++)
    cap[i] = sum > 0 ? draw->h * cap[i] / sum : draw->h / draw->m;
}
