/* engine/fesd/ss-fesd-enumerate.c: all modes of the touching points at an instant: the last word before a failure. */
#include "fesd/ss-fesd-march-private.h"

/* Beyond this many combinations not all are looked at. */
enum { COMBINATIONS_MAX = 300000 };

int
ss_fesd_modes_for (const SsFesdMarch *m, const SsFesdTouch *touch, SsFesdMode *modes)
{
  SS_ASSERT (m != NULL && touch != NULL);

  int n = 0;
  const bool has_friction = ss_fesd_mu_of (m->system, touch->item) > 0;
  if (!has_friction || touch->sign > 0) {
    modes[n++] = SS_FESD_SLIP_PLUS;
  } else if (touch->sign < 0) {
    modes[n++] = SS_FESD_SLIP_MINUS;
  } else {
    modes[n++] = SS_FESD_STICK;
    modes[n++] = SS_FESD_SLIP_PLUS;
    modes[n++] = SS_FESD_SLIP_MINUS;
  }
  if (ss_fesd_drive_of (m->system, touch->item) == NULL)
    modes[n++] = SS_FESD_OPEN;
  return n;
}

double
ss_fesd_enumerate_count (const SsFesdMarch *m, const SsFesdTouch *touches, int n)
{
  SS_ASSERT (n >= 0);

  SsFesdMode options[4];
  double count = 1;
  for (int i = 0; i < n; i++)
    count *= ss_fesd_modes_for (m, &touches[i], options);
  return count;
}

bool
ss_fesd_enumerate_is_complete (double count)
{
  return count <= COMBINATIONS_MAX;
}

/* Modes number k. */
static void
set_number (const SsFesdMarch *m, const SsFesdTouch *touches, int n, long k, SsFesdMode *modes)
{
  SsFesdMode options[4];
  for (int i = 0; i < n; i++) {
    const int count = ss_fesd_modes_for (m, &touches[i], options);
    modes[i] = options[k % count];
    k /= count;
  }
}

bool
ss_fesd_enumerate (SsFesdMarch *m, SsFesdEnumerated what, SsFesdTouch *touches, int n, double tolerance, long *next,
                   SsFesdMode *modes)
{
  SS_ASSERT (n >= 0);

  const double count = ss_fesd_enumerate_count (m, touches, n);
  const long last = ss_fesd_enumerate_is_complete (count) ? (long)count : COMBINATIONS_MAX;
  while (*next < last) {
    set_number (m, touches, n, (*next)++, modes);
    m->tests++;
    if (what == SS_FESD_FORCES
            ? ss_fesd_law_test (m->law, touches, modes, n, tolerance)
            : ss_fesd_law_test_jump (m->law, touches, modes, n, what == SS_FESD_STRICT_JUMP, tolerance))
      return true;
  }
  return false;
}
