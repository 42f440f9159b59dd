/* app/live/wasm/pthread.h: threads for WebAssembly without threads: none begins, so that who asks works alone. */
#pragma once

#include <errno.h>
#include <time.h>

typedef int pthread_t, pthread_mutex_t, pthread_cond_t;
#define pthread_create(thread, attributes, run, argument) ((void)(thread), (void)(run), (void)(argument), EAGAIN)
#define pthread_join(thread, result)                      ((void)(thread), 0)
#define pthread_mutex_init(mutex, attributes)             (*(mutex) = 0, 0)
#define pthread_mutex_destroy(mutex)                      ((void)(mutex), 0)
#define pthread_mutex_lock(mutex)                         ((void)(mutex), 0)
#define pthread_mutex_unlock(mutex)                       ((void)(mutex), 0)
#define pthread_cond_init(cond, attributes)               (*(cond) = 0, 0)
#define pthread_cond_destroy(cond)                        ((void)(cond), 0)
#define pthread_cond_signal(cond)                         ((void)(cond), 0)
#define pthread_cond_broadcast(cond)                      ((void)(cond), 0)
#define pthread_cond_wait(cond, mutex)                    ((void)(cond), (void)(mutex), 0)
#define pthread_cond_timedwait(cond, mutex, until)        ((void)(cond), (void)(mutex), (void)(until), ETIMEDOUT)
