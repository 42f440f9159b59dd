/* tests/ss-tsan.h: what ThreadSanitizer has to be told, put before every source file by tests/run.sh (-include).
 *
 * ThreadSanitizer sees the locks of pthreads. GLib's mutexes, conditions and counts of references are made of futexes
 * and atomics inside a library that is not instrumented, and so is call_once of the C library: without this file
 * everything that they order would count as a race. A lock that is missing in our code is still found, since only real
 * calls tell an order. */
#pragma once

/* The widest that a file asks for: too late once a header was read. */
#define _GNU_SOURCE 1

#if defined(__has_include) && __has_include(<glib.h>) && __has_include(<gio/gio.h>)
#include <gio/gio.h>
#define SS_TSAN_HAS_GLIB 1
#endif
#include <pthread.h>
#include <threads.h>

void __tsan_acquire (void *address);
void __tsan_release (void *address);

/* glibc's once_flag and pthread_once_t are one int each, with the same states. */
_Static_assert(sizeof (once_flag) == sizeof (pthread_once_t), "call_once is not pthread_once here");
#define call_once(flag, function) ((void)pthread_once ((pthread_once_t *)(flag), (function)))

#ifdef SS_TSAN_HAS_GLIB

static inline void
ss_tsan_mutex_lock (GMutex *mutex)
{
  g_mutex_lock (mutex);
  __tsan_acquire (mutex);
}

static inline void
ss_tsan_mutex_unlock (GMutex *mutex)
{
  __tsan_release (mutex);
  g_mutex_unlock (mutex);
}

static inline void
ss_tsan_cond_wait (GCond *cond, GMutex *mutex)
{
  __tsan_release (mutex);
  g_cond_wait (cond, mutex);
  __tsan_acquire (mutex);
}

static inline gboolean
ss_tsan_cond_wait_until (GCond *cond, GMutex *mutex, gint64 end_time)
{
  __tsan_release (mutex);
  gboolean is_signalled = g_cond_wait_until (cond, mutex, end_time);
  __tsan_acquire (mutex);
  return is_signalled;
}

/* A source's callback runs after whoever made it ready: told by the source itself, whose private lock does it. */
static inline void
ss_tsan_source_set_ready_time (GSource *source, gint64 ready_time)
{
  __tsan_release (source);
  g_source_set_ready_time (source, ready_time);
}

/* Who gives the last reference back comes after all who gave theirs back before. */
static inline gboolean
ss_tsan_ref_count_dec (gatomicrefcount *count)
{
  __tsan_release (count);
  if (!g_atomic_ref_count_dec (count))
    return FALSE;
  __tsan_acquire (count);
  return TRUE;
}

#undef g_atomic_ref_count_dec
#define g_atomic_ref_count_dec(count)         ss_tsan_ref_count_dec (count)
#define g_mutex_lock(mutex)                   ss_tsan_mutex_lock (mutex)
#define g_mutex_unlock(mutex)                 ss_tsan_mutex_unlock (mutex)
#define g_cond_wait(cond, mutex)              ss_tsan_cond_wait (cond, mutex)
#define g_cond_wait_until(cond, mutex, time)  ss_tsan_cond_wait_until (cond, mutex, time)
#define g_source_set_ready_time(source, time) ss_tsan_source_set_ready_time (source, time)
#endif
