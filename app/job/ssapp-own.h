/* app/job/ssapp-own.h: methods of the user's own: programs in any language, each told by a file
 * NAME.stickslip-method.json (data/manual/own-method.md), which join the registry (run/ss-method.h) as methods like any
 * other.
 *
 * Found in the folders of the variable STICKSLIP_METHODS (with colons between them) and in stickslip/methods of the
 * user's data folder. A file elsewhere, beside a scenario or in what somebody sent, counts once the user has allowed
 * it: what is remembered is a hash of the file and of the program's own files, so that a change asks again. Nothing
 * else makes a program run: no scenario, project or archive can. Of a module of Python that does not lie beside its
 * file no hash is claimed.
 * Threads: reading is the main thread's, once, before others ask; what was read stays as long as the program.
 * Tests: tests/cli/test-your-method.py
 */
#pragma once

#include <gio/gio.h>
#include <jansson.h>

#include "run/ss-method.h"

G_BEGIN_DECLS

#define SSAPP_OWN_ENDING   ".stickslip-method.json"
#define SSAPP_OWN_FORMAT   1
#define SSAPP_OWN_PATIENCE 30.0 /* [s] that a program may neither write nor compute, where its file does not say */

/* A method, as its file tells it. */
typedef struct {
  char *file;         /* path of the method's file */
  char *version;      /* "sha256:" and a hash of the file and of the files of its command: what the method is */
  char *unhashed;     /* what of it has no hash: a module that Python finds by itself; NULL: nothing */
  gboolean is_module; /* its command runs a module of Python: it starts in the folder of its file */
  char **command; /* program and arguments, NULL-terminated; words that are files beside the method's are whole paths */
  char *program;  /* the file that its command starts, found as a shell finds it, without symbolic links; NULL: there
                      is none */
  double patience; /* [s], see SSAPP_OWN_PATIENCE */
  SsMethod method; /* as it was added to the registry */
} SsappOwn;

/* One run of it. Borrowed while the job runs. */
typedef struct {
  const SsappOwn *own;
  json_t *job;              /* the line that its program reads */
  double dt, t_end;         /* of a simulation [s]; dt NaN: steps are those of the plan */
  const SsTrajectory *plan; /* whose controls are replayed; NULL: none */
  double bytes;             /* limit of its address space; not finite: none */
  double cpu;               /* CPU time that its processes have taken [s] */
} SsappOwnRun;

/* How the options of every such method begin; the fields that its file names follow. */
typedef struct {
  SsappOwnRun *run; /* NULL: the options belong to no job, and nothing can be run with them */
  double serial;    /* of the run, so that no solver is kept from one to the next */
  guint64 given;    /* see SsOptionTable.given_offset */
} SsappOwnOptions;

/* Reads all methods of the user and adds them to the registry; once, later calls do nothing. What is wrong with a file
 * does not stop the others. */
void ssapp_own_read_all (void);
/* What was wrong, of char *, "FILE: message"; borrowed. */
const GPtrArray *ssapp_own_problems (void);
/* The method's own file; NULL: it is none of the user's, or its file is not allowed as it is now. */
const SsappOwn *ssapp_own_find (const SsMethod *method);
/* The same by its name. */
const SsappOwn *ssapp_own_find_by_name (const char *name);
/* Ties options of the method to a run, which must outlive what is made with them. */
void ssapp_own_bind (void *options, SsappOwnRun *run);

/* "sha256:" and a hash of the program that its command starts, as it is now; g_free. NULL: it cannot be read. Reads the
 * whole file: for what is run, not for lists. */
char *ssapp_own_program_version (const SsappOwn *own);

/* Allows a method's file where it lies, as it is now, with the program that it starts: it counts from the next start on
 * (and as of now, where the name is free). What was allowed stays as long as the program. NULL with an error: it is no
 * such file, or nothing could be remembered. */
const SsappOwn *ssapp_own_allow (const char *file, GError **error);
/* The same, where the file is still that of this version (NULL: any): what was shown is what is allowed. `project`: the
 * path of the one whose copy it is, for who reads that it has changed; NULL: none. */
const SsappOwn *ssapp_own_allow_as (const char *file, const char *version, const char *project, GError **error);
/* Whether a method that is just this one runs or would from the next start on: it needs no asking. */
gboolean ssapp_own_is_known (const SsappOwn *own);
/* Methods in the folder of a scenario's file that do not run as they are now, of SsappOwn, in the order of their files;
 * owned, they stay as long as the program. Files that are no methods are left out. */
GPtrArray *ssapp_own_list_beside (const char *scenario_file);
/* The file of a method of that name beside a scenario's file; g_free. NULL: there is none. It is looked at only. */
char *ssapp_own_beside (const char *scenario_file, const char *name);

G_END_DECLS
