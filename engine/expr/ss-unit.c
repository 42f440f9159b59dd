/* engine/expr/ss-unit.c: see the header. */
#include "expr/ss-unit.h"

#include <string.h>

#define RAD_PER_DEG (3.14159265358979323846 / 180)
#define RAD_PER_REV (2 * 3.14159265358979323846)

const char ss_unit_examples[] = "m, cm, mm, kg, g, s, ms, rad, deg, N, N m, m/s, deg/s";

/* "²" and "2" are one. */
static const SsUnit units[] = {
    {"m", 1, 1, 0, 0},
    {"cm", 1e-2, 1, 0, 0},
    {"mm", 1e-3, 1, 0, 0},
    {"km", 1e3, 1, 0, 0},
    {"kg", 1, 0, 1, 0},
    {"g", 1e-3, 0, 1, 0},
    {"s", 1, 0, 0, 1},
    {"ms", 1e-3, 0, 0, 1},
    {"rad", 1, 0, 0, 0},
    {"deg", RAD_PER_DEG, 0, 0, 0},
    {"°", RAD_PER_DEG, 0, 0, 0},
    {"m/s", 1, 1, 0, -1},
    {"cm/s", 1e-2, 1, 0, -1},
    {"mm/s", 1e-3, 1, 0, -1},
    {"km/h", 1 / 3.6, 1, 0, -1},
    {"rad/s", 1, 0, 0, -1},
    {"deg/s", RAD_PER_DEG, 0, 0, -1},
    {"°/s", RAD_PER_DEG, 0, 0, -1},
    {"rpm", RAD_PER_REV / 60, 0, 0, -1},
    {"m/s2", 1, 1, 0, -2},
    {"m/s²", 1, 1, 0, -2},
    {"N", 1, 1, 1, -2},
    {"mN", 1e-3, 1, 1, -2},
    {"kN", 1e3, 1, 1, -2},
    {"N m", 1, 2, 1, -2},
    {"N/m", 1, 0, 1, -2},
    {"N/mm", 1e3, 0, 1, -2},
    {"kN/m", 1e3, 0, 1, -2},
    {"N s/m", 1, 0, 1, -1},
    {"N m/rad", 1, 2, 1, -2},
    {"N m s", 1, 2, 1, -1},
    {"N m s/rad", 1, 2, 1, -1},
    {"kg/m2", 1, -2, 1, 0},
    {"kg/m²", 1, -2, 1, 0},
    {"kg m2", 1, 2, 1, 0},
    {"kg m²", 1, 2, 1, 0},
    {"", 1, 0, 0, 0},
};

static bool
is_name_part (char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

const SsUnit *
ss_unit_scan (const char *text, int *length)
{
  SS_ASSERT (text != NULL && length != NULL);

  const SsUnit *longest = NULL;

  *length = 0;
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
    const size_t n = strlen (units[i].name);

    if ((int)n <= *length || strncmp (text, units[i].name, n) != 0 ||
        (is_name_part (text[n]) && is_name_part (text[n - 1])))
      continue;
    longest = &units[i];
    *length = (int)n;
  }
  return longest;
}

const SsUnit *
ss_unit_find (const char *name)
{
  SS_ASSERT (name != NULL);

  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
    if (strcmp (name, units[i].name) == 0)
      return &units[i];
  return NULL;
}

bool
ss_unit_is_alike (const SsUnit *a, const SsUnit *b)
{
  SS_ASSERT (a != NULL && b != NULL);

  return a->metre == b->metre && a->kilo == b->kilo && a->second == b->second;
}
