/* tests/ss-test-no-memory.h: every allocation of a call fails once. A clean call tells where it allocates; then an
 * allocation of each such place fails. The call must say SS_ERR_MEMORY with a message and leave its outputs as its
 * header says; AddressSanitizer sees what leaks. Or the answer must be the clean one to the last bit: arrays that could
 * not be made smaller stay as they are. Call count_skipped () first. */
#pragma once

#include "core/ss-memory.h"
#include "core/ss-trajectory.h"
#include "ss-test.h"

#ifdef __GLIBC__
#include <execinfo.h>
#else
/* musl has no list of calls, and Debian's compiler none that it can link: all allocations are of one place. */
static int
backtrace (void **calls, int most)
{
  (void)calls;
  (void)most;
  return 0;
}
#endif

/* Does something, gives back its status and message, and cleans up; checks what is left when it fails, and when it does
 * not, adds its answer up. */
typedef SsStatus (*Attempt) (const void *data, SsError *err);

static double sum; /* of the numbers of the attempt's answer */

static void
add_motion (const SsTrajectory *motion)
{
  for (int i = 0; motion != NULL && i < motion->n_rows * motion->n_channels; i++)
    sum += (1 + i % 7) * motion->values[i];
}

/* A place is a call that allocates, and the call of its function. */
enum { CALLS = 2, MAX_SKIPPED = 8, MAX_PLACES = 1 << 14, MAX_NEW = 1 << 11 };

static uint64_t places[MAX_PLACES]; /* of all attempts so far: a hash table that is never full */
static int n_places;

/* The allocations of a clean attempt, and those of them that came from a place which had not been there before. */
static struct {
  uint64_t count, first[MAX_NEW];
  int n;
} news;

static bool
is_new_place (uint64_t place)
{
  int at = (int)(place % MAX_PLACES);

  for (; places[at] != 0; at = (at + 1) % MAX_PLACES)
    if (places[at] == place)
      return false;
  if (n_places == MAX_PLACES - 1) /* what a check complains of */
    return false;
  places[at] = place;
  n_places++;
  return true;
}

/* So many calls of the allocator and the sanitizer are told before the one that allocates. */
static int n_skipped;

static void
see_allocation (void *user_data)
{
  void *calls[MAX_SKIPPED + CALLS];
  const int n = backtrace (calls, n_skipped + CALLS);
  uint64_t place = UINT64_C (14695981039346656037); /* FNV-1a */

  (void)user_data;
  news.count++;
  for (int i = n_skipped; i < n; i++)
    place = (place ^ (uintptr_t)calls[i]) * UINT64_C (1099511628211);
  if (is_new_place (place) && news.n < MAX_NEW)
    news.first[news.n++] = news.count;
}

static void
find_caller (void *user_data)
{
  void *calls[MAX_SKIPPED];
  const int n = backtrace (calls, MAX_SKIPPED);
  const uintptr_t caller = *(const uintptr_t *)user_data;

  for (n_skipped = 0; n_skipped < n; n_skipped++)
    if ((uintptr_t)calls[n_skipped] - caller < 1024) /* bytes of a small function */
      break;
}

static void
count_skipped (void)
{
  uintptr_t here = (uintptr_t)count_skipped;

  ss_alloc_watch (find_caller, &here);
  ss_free (ss_alloc (1, 1));
  ss_alloc_watch (NULL, NULL);
}

/* Allocations of an attempt that fail besides, evenly spread: all of them with STICKSLIP_TEST_ALL=1. */
static uint64_t
most_tried (void)
{
  return ss_test_is_long () ? UINT64_MAX : 4;
}

static bool
fail_allocation (const char *what, Attempt attempt, const void *data, uint64_t k, double clean_sum)
{
  const int failed = ss_test_failed_checks;
  SsError err = {0};

  sum = 0;
  ss_alloc_fail_at (k);
  SsStatus status = attempt (data, &err);
  ss_alloc_fail_at (0);
  SS_CHECK (status == SS_ERR_MEMORY || (status == SS_OK && sum == clean_sum));
  SS_CHECK (status == SS_OK || (err.status == SS_ERR_MEMORY && err.message[0] != '\0'));
  if (ss_test_failed_checks > failed)
    printf ("  %s: allocation %d: %s, \"%s\"\n", what, (int)k, ss_status_text (status), err.message);
  return status == SS_OK;
}

static void
fail_each_allocation (const char *what, Attempt attempt, const void *data)
{
  SsError err = {0};
  const int failed_before = ss_test_failed_checks;
  int n_done_without = 0;

  sum = 0;
  news.n = 0;
  news.count = 0;
  ss_alloc_watch (see_allocation, NULL);
  const SsStatus clean = attempt (data, &err);
  ss_alloc_watch (NULL, NULL);
  const double clean_sum = sum;
  const uint64_t n = news.count;

  if (clean != SS_OK)
    printf ("  %s: %s\n", what, err.message);
  SS_CHECK (clean == SS_OK && n > 0 && news.n < MAX_NEW && n_places < MAX_PLACES - 1 && n_skipped < MAX_SKIPPED);
  const uint64_t stride = 1 + (n - 1) / most_tried ();
  for (int i = 0; i < news.n && ss_test_failed_checks - failed_before < 10; i++)
    n_done_without += fail_allocation (what, attempt, data, news.first[i], clean_sum);
  for (uint64_t k = 1 + n / 7 % stride; k <= n && ss_test_failed_checks - failed_before < 10; k += stride)
    n_done_without += fail_allocation (what, attempt, data, k, clean_sum);
  printf ("  %s: %d allocations, %d places, %d not needed\n", what, (int)n, news.n, n_done_without);
}
