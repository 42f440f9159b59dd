/* tests/unit/test-tries.c: attempts at a plan, counted and told. Truth: counting by hand. */
#include "core/ss-tries.h"

#include "ss-test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void
add (SsTries *tries, SsTryKind kind, SsTryEnd end, double cost)
{
  SsError err = {0};

  SS_CHECK (ss_tries_add (tries, kind, end, cost, "somebody", &err) == SS_OK);
}

static void
test_counts (void)
{
  SsTries tries = {0}, more = {0};
  SsError err = {0};
  char text[400];
  int near;

  ss_tries_describe (&tries, text, sizeof text);
  SS_CHECK (text[0] == '\0' && isnan (ss_tries_best (&tries, &near)) && near == 0);
  add (&tries, SS_TRY_MEMBER, SS_TRY_NO_PLAN, NAN);
  ss_tries_describe (&tries, text, sizeof text);
  SS_CHECK_STR (text, "1 try (1 member) found no honest plan; 1 led to no plan");
  add (&tries, SS_TRY_MEMBER, SS_TRY_HONEST, 2);
  ss_tries_describe (&tries, text, sizeof text);
  SS_CHECK_STR (text, "2 tries (2 members) found none cheaper than 2: 1 is honest; 1 led to no plan");
  add (&tries, SS_TRY_MOTION, SS_TRY_HONEST, 0.5);
  ss_tries_describe (&tries, text, sizeof text);
  SS_CHECK_STR (text,
                "3 tries (2 members, 1 sampled motion) found none cheaper than 0.5: 2 are honest, no other within "
                "1 % of it; 1 led to no plan");
  add (&tries, SS_TRY_MOTION, SS_TRY_NOT_POSSIBLE, 0.1); /* cheaper, and no motion */
  add (&more, SS_TRY_MOTION, SS_TRY_HONEST, 0.5049);     /* within a hundredth */
  add (&more, SS_TRY_MOTION, SS_TRY_HONEST, 0.5051);
  add (&more, SS_TRY_MOTION, SS_TRY_NO_PLAN, 7);
  SS_CHECK (ss_tries_take (&tries, &more, &err) == SS_OK && more.n == 0 && ss_tries_count (&more, SS_TRY_ENDS) == 0);
  SS_CHECK (ss_tries_count (&tries, SS_TRY_ENDS) == 7 && ss_tries_count (&tries, SS_TRY_HONEST) == 4);
  SS_CHECK (ss_tries_best (&tries, &near) == 0.5 && near == 2 && tries.n == 5);
  ss_tries_describe (&tries, text, sizeof text);
  SS_CHECK_STR (text,
                "7 tries (2 members, 5 sampled motions) found none cheaper than 0.5: 4 are honest, 2 of them within "
                "1 % of it; 1 could not happen, 2 led to no plan");
  ss_tries_clear (&tries);
  SS_CHECK (ss_tries_count (&tries, SS_TRY_ENDS) == 0);
}

/* More than are listed are counted all the same; gains are costs below nothing. */
static void
test_many (void)
{
  SsTries tries = {0};
  int near;

  add (&tries, SS_TRY_START, SS_TRY_HONEST, -3);
  for (int i = 0; i < 2 * SS_TRIES_LISTED; i++)
    add (&tries, SS_TRY_START, SS_TRY_HONEST, i);
  SS_CHECK (tries.n == SS_TRIES_LISTED && ss_tries_count (&tries, SS_TRY_HONEST) == 2 * SS_TRIES_LISTED + 1);
  SS_CHECK (ss_tries_best (&tries, &near) == -3 && near == 1);
  ss_tries_clear (&tries);
}

int
main (void)
{
  SS_RUN (test_counts);
  SS_RUN (test_many);
  return ss_test_finish ();
}
