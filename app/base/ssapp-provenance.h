/* app/base/ssapp-provenance.h: what a result may depend on besides its inputs: versions, compiler, machine; and who
 * owns a running run. Threads: all functions may be called from any thread; they keep nothing.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  char *version, *git_commit, *compiler, *build_flags, *host, *cpu, *os, *libraries_json; /* owned */
  int cpu_count;
} SsappProvenance;

/* Asks the build, the machine and the libraries; every text is set, "" where nothing is known. Release with
 * ssapp_provenance_clear. */
void ssapp_provenance_init (SsappProvenance *provenance);
void ssapp_provenance_clear (SsappProvenance *provenance);

/* Whether this program was built with a sanitizer: then its address space says nothing about its memory. */
gboolean ssapp_build_is_sanitized (void);

/* A process, told apart from a later one with the same number by its start time. */
typedef struct {
  char *host; /* owned */
  gint64 pid;
  gint64 start; /* clock ticks since boot, field 22 of /proc/PID/stat; 0 when unknown */
} SsappOwner;

/* This process. Release with ssapp_owner_clear. */
void ssapp_owner_init_self (SsappOwner *owner);
void ssapp_owner_clear (SsappOwner *owner);
/* False when that process certainly is gone. A process of another host counts as alive: from here nobody can tell. */
gboolean ssapp_owner_is_alive (const char *host, gint64 pid, gint64 start);

G_END_DECLS
