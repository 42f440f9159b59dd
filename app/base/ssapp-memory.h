/* app/base/ssapp-memory.h: how much memory a run may take. A limit counts the address space of the process that runs it
 * (RLIMIT_AS), its libraries and stacks included. Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Less is refused: libraries, stacks and arenas of the allocator take 200 MB of address space before any work. */
#define SSAPP_MEMORY_LEAST 3e8

/* Beyond the limit, to tell what there is while a solver that is stuck holds all of it [bytes]. */
#define SSAPP_MEMORY_HEADROOM 256e6

/* How the message of a run begins that had too little. */
#define SSAPP_MEMORY_MESSAGE "out of memory"

/* The limit of a run where none is asked for, when `n_at_once` of them run together [bytes]: three quarters of the
 * machine's (or the container's) memory, divided by their number, and never less than 1 GB. So that runs that grow
 * without bound end by themselves, before the machine slows down or ends programs of its own choice. */
double ssapp_memory_default (guint n_at_once);

/* "2000000", "700M", "1.5G": bytes, thousands (K), millions, billions of them; FALSE when the text is no such size. */
gboolean ssapp_memory_parse (const char *text, double *bytes);
/* "2 GB", "350 MB"; g_free. */
char *ssapp_memory_format (double bytes);

/* Address space of this process [bytes]; 0 when unknown. */
double ssapp_memory_in_use (void);

G_END_DECLS
