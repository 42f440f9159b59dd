/* engine/core/ss-memory.h: allocation with overflow checks, an arena, and a counter for tests.
 *
 * All engine memory goes through ss_alloc/ss_realloc/ss_free so that tests can count allocations and make allocation
 * number n fail. The hooks are per thread (no shared state): a solver that allocates nothing in `solve` shows it in
 * tests.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

void *ss_alloc (size_t count, size_t size);                /* zeroed; NULL when out of memory or count*size overflows */
void *ss_realloc (void *block, size_t count, size_t size); /* new part is not zeroed; NULL leaves `block` valid      */
void ss_free (void *block);         /* NULL is allowed                                          */
char *ss_strdup (const char *text); /* NULL in, NULL out; release with ss_free                  */
/* At most `length` bytes of text, terminated; release with ss_free. */
char *ss_strndup (const char *text, size_t length);

#define ss_new(type)              ((type *)ss_alloc (1, sizeof (type)))
#define ss_new_array(type, count) ((type *)ss_alloc ((size_t)(count), sizeof (type)))

/* Allocations made by this thread since it started. */
uint64_t ss_alloc_count (void);
/* Test hook for this thread: the n-th allocation from now fails (1 = next); 0 switches it off. */
void ss_alloc_fail_at (uint64_t n);
/* Test hook for this thread: `each` is called before every allocation, and must make none; NULL switches it off. */
void ss_alloc_watch (void (*each) (void *user_data), void *user_data);

/* Grows `*items` so that it holds at least `needed` items of `size` bytes. Returns 0 on success, -1 out of memory (then
 * untouched). */
int ss_array_reserve (void **items, int *capacity, int needed, size_t size);

/* Arena: many small blocks released together. Blocks are zeroed, aligned to 16 bytes. */
typedef struct SsArena SsArena;
SsArena *ss_arena_new (void);                                     /* NULL when out of memory   */
void *ss_arena_alloc (SsArena *arena, size_t count, size_t size); /* NULL when out of memory   */
char *ss_arena_strdup (SsArena *arena, const char *text);
void ss_arena_free (SsArena *arena); /* NULL is allowed           */
