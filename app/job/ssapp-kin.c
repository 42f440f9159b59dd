/* app/job/ssapp-kin.c: see the header. */
#include "app/job/ssapp-kin.h"

#include "app/base/ssapp-memory.h"
#include "app/base/ssapp-provenance.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MARKS "STICKSLIP_KIN" /* marks of the workers above, the own one last, each after a colon */
enum { REAP_MS = 50, ROUNDS = 20, LATE_ROUNDS = 1000, LATE_MS = 10 };

/* A process as /proc tells it. */
typedef struct {
  pid_t pid, parent;
  char state;
} Kin;

static GMutex mutex;
static GArray *first;     /* of Kin: children that were there before any worker */
static GHashTable *alive; /* marks of workers that were started here and have not ended, to pid, 0: it has no more */

/* ---- looking ----------------------------------------------------------------------------------------------------- */

static gboolean
read_kin (const char *name, Kin *kin)
{
  g_autofree char *path = g_build_filename ("/proc", name, "stat", NULL), *text = NULL;
  const char *end;

  kin->pid = (pid_t)g_ascii_strtoll (name, NULL, 10);
  if (kin->pid <= 0 || !g_file_get_contents (path, &text, NULL, NULL) || (end = strrchr (text, ')')) == NULL ||
      strlen (end) < 4)
    return FALSE;
  kin->state = end[2];
  kin->parent = (pid_t)g_ascii_strtoll (end + 3, NULL, 10);
  return TRUE;
}

/* All processes; of Kin. */
static GArray *
list_kin (void)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (Kin));
  g_autoptr (GDir) dir = g_dir_open ("/proc", 0, NULL);
  const char *name;
  Kin kin;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_ascii_isdigit (name[0]) && read_kin (name, &kin))
      g_array_append_val (list, kin);
  return list;
}

/* Adds the children of one of this process's threads; FALSE where the system does not tell them. */
static gboolean
add_children (GArray *list, const char *thread)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/task/%s/children", thread), *text = NULL;
  Kin kin;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return FALSE;
  g_auto (GStrv) pids = g_strsplit (g_strstrip (text), " ", -1);
  for (int i = 0; pids[i] != NULL; i++)
    if (read_kin (pids[i], &kin))
      g_array_append_val (list, kin);
  return TRUE;
}

/* This process's; of Kin. */
static GArray *
list_children (void)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (Kin));
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/task", 0, NULL);
  const char *name;
  gboolean is_told = dir != NULL;

  while (is_told && (name = g_dir_read_name (dir)) != NULL)
    is_told = add_children (list, name);
  if (is_told)
    return list;
  g_autoptr (GArray) all = list_kin ();
  g_array_set_size (list, 0);
  for (guint i = 0; i < all->len; i++)
    if (g_array_index (all, Kin, i).parent == getpid ())
      g_array_append_val (list, g_array_index (all, Kin, i));
  return list;
}

typedef enum { MARK_OTHER, MARK_OWN, MARK_GONE } Mark;

/* Whether the process has the mark in its environment; GONE: it has none, as one that is ending. */
static Mark
look_for_mark (const Kin *kin, const char *mark)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/environ", (int)kin->pid), *text = NULL;
  g_autofree char *wanted = g_strconcat (":", mark, NULL);
  gsize length = 0;

  if (kin->state == 'Z' || !g_file_get_contents (path, &text, &length, NULL) || length == 0)
    return MARK_GONE;
  for (gsize at = 0; at < length; at += strlen (text + at) + 1)
    if (g_str_has_prefix (text + at, MARKS "="))
      return strstr (text + at, wanted) != NULL ? MARK_OWN : MARK_OTHER;
  return MARK_OTHER;
}

/* Kills what is below a process, then the process. */
static void
kill_tree (const GArray *all, pid_t pid, int depth)
{
  enum { DEEPEST = 200 };

  kill (pid, SIGSTOP); /* so that it makes no more of them meanwhile */
  for (guint i = 0; depth < DEEPEST && i < all->len; i++) {
    const Kin *kin = &g_array_index (all, Kin, i);
    if (kin->parent == pid)
      kill_tree (all, kin->pid, depth + 1);
  }
  kill (pid, SIGKILL);
}

/* A child, with all below it, waited for. */
static void
end_tree (pid_t pid)
{
  g_autoptr (GArray) all = list_kin ();

  kill_tree (all, pid, 0);
  for (int k = 0; k < REAP_MS && waitpid (pid, NULL, WNOHANG) == 0; k++)
    g_usleep (1000);
}

/* ---- ending ------------------------------------------------------------------------------------------------------ */

static gboolean
is_worker (pid_t pid)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, alive);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    if (GPOINTER_TO_INT (value) == pid)
      return TRUE;
  return FALSE;
}

/* Ends the orphans of that mark and waits for children that have ended, whose environment went with them. TRUE where
 * there may be more: what is killed leaves its own children here. Under the mutex. */
static gboolean
sweep (const char *mark)
{
  g_autoptr (GArray) children = list_children ();
  gboolean has_more = FALSE;

  for (guint i = 0; i < children->len; i++) {
    const Kin *kin = &g_array_index (children, Kin, i);
    const Mark found = is_worker (kin->pid) ? MARK_OTHER : look_for_mark (kin, mark);
    if (found == MARK_OWN)
      end_tree (kin->pid);
    else if (found == MARK_GONE)
      waitpid (kin->pid, NULL, WNOHANG);
    has_more = has_more || found != MARK_OTHER;
  }
  return has_more;
}

/* FALSE where there may be more. */
static gboolean
sweep_all (const char *mark)
{
  for (int round = 0; round < ROUNDS; round++) {
    if (!sweep (mark))
      return TRUE;
    g_usleep (1000);
  }
  return FALSE;
}

/* A process with much memory takes the system a while to end: it is waited for beside the work of the program. */
static gpointer
sweep_late (gpointer user_data)
{
  g_autofree char *mark = user_data;
  gboolean has_more = TRUE;

  for (int round = 0; round < LATE_ROUNDS && has_more; round++) {
    g_usleep (1000 * LATE_MS);
    g_mutex_lock (&mutex);
    has_more = sweep (mark);
    g_mutex_unlock (&mutex);
  }
  return NULL;
}

void
ssapp_kin_ended (const char *mark)
{
  g_mutex_lock (&mutex);
  if (alive != NULL && g_hash_table_remove (alive, mark) && !sweep_all (mark))
    g_thread_unref (g_thread_new ("stickslip-kin", sweep_late, g_strdup (mark)));
  g_mutex_unlock (&mutex);
}

static gboolean
is_stranger (pid_t pid)
{
  if (is_worker (pid))
    return FALSE;
  for (guint i = 0; i < first->len; i++)
    if (g_array_index (first, Kin, i).pid == pid)
      return FALSE;
  return TRUE;
}

void
ssapp_kin_end_strangers (void)
{
  gboolean has_more = TRUE;

  g_mutex_lock (&mutex);
  for (int round = 0; round < ROUNDS && alive != NULL && has_more; round++) {
    g_autoptr (GArray) children = list_children ();
    has_more = FALSE;
    for (guint i = 0; i < children->len; i++) {
      const pid_t pid = g_array_index (children, Kin, i).pid;
      if (!is_stranger (pid))
        continue;
      end_tree (pid);
      has_more = TRUE;
    }
  }
  g_mutex_unlock (&mutex);
}

pid_t
ssapp_kin_pid (GSubprocess *worker)
{
  const char *name = g_subprocess_get_identifier (worker);

  return name != NULL ? (pid_t)g_ascii_strtoll (name, NULL, 10) : 0;
}

void
ssapp_kin_kill (GSubprocess *worker)
{
  const pid_t pid = ssapp_kin_pid (worker);

  if (pid > 0) {
    g_autoptr (GArray) all = list_kin ();
    kill_tree (all, pid, 0);
  }
  g_subprocess_force_exit (worker);
}

/* A process that is held starts no more of them: whom it has is looked for behind it. */
static void
hold_tree (pid_t pid, int signal_number, int depth)
{
  enum { DEEPEST = 200 };

  kill (pid, signal_number);
  g_autoptr (GArray) all = list_kin ();
  for (guint i = 0; depth < DEEPEST && i < all->len; i++) {
    const Kin *kin = &g_array_index (all, Kin, i);
    if (kin->parent == pid)
      hold_tree (kin->pid, signal_number, depth + 1);
  }
}

void
ssapp_kin_hold (const char *mark, gboolean is_held)
{
  g_mutex_lock (&mutex);
  g_autoptr (GArray) children = list_children ();
  for (guint i = 0; i < children->len; i++) /* orphans of it are children of this process, too */
    if (look_for_mark (&g_array_index (children, Kin, i), mark) == MARK_OWN)
      hold_tree (g_array_index (children, Kin, i).pid, is_held ? SIGSTOP : SIGCONT, 0);
  g_mutex_unlock (&mutex);
}

/* The program ends: its workers would be killed by that, but not what they have made. */
static void
end_all (void)
{
  GHashTableIter iter;
  gpointer mark, value;

  g_mutex_lock (&mutex);
  g_hash_table_iter_init (&iter, alive);
  while (g_hash_table_iter_next (&iter, &mark, &value)) {
    g_autofree char *name = g_strdup (mark);
    const pid_t pid = GPOINTER_TO_INT (value);
    g_hash_table_iter_remove (&iter);
    if (pid > 0)
      end_tree (pid);
    sweep_all (name);
  }
  g_mutex_unlock (&mutex);
}

/* ---- starting ---------------------------------------------------------------------------------------------------- */

typedef struct {
  struct rlimit memory;
  gboolean is_limited;
} Setup;

/* In the child, before its program starts: nothing but system calls. */
static void
set_up (gpointer user_data)
{
  const Setup *setup = user_data;

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (setup->is_limited)
    setrlimit (RLIMIT_AS, &setup->memory);
}

/* The worker sets the limit of its job by itself, too, and gets some room beyond it to tell what there is. */
static void
limit_memory (Setup *setup, double bytes)
{
  /* A program with a sanitizer takes terabytes of address space before its first line. */
  if (ssapp_build_is_sanitized () || !isfinite (bytes) || getrlimit (RLIMIT_AS, &setup->memory) != 0)
    return;
  setup->memory.rlim_max = (rlim_t)MIN (bytes + SSAPP_MEMORY_HEADROOM, (double)setup->memory.rlim_max);
  setup->memory.rlim_cur = MIN ((rlim_t)bytes, setup->memory.rlim_max);
  setup->is_limited = TRUE;
}

GSubprocess *
ssapp_kin_spawn (const char *const *words, const char *const *environment, const char *folder, const char *mark,
                 double bytes, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  const char *above = g_getenv (MARKS);
  g_autofree char *marks = g_strconcat (above != NULL ? above : "", ":", mark, NULL);
  Setup *setup = g_new0 (Setup, 1);
  GSubprocess *process;

  limit_memory (setup, bytes);
  if (folder != NULL)
    g_subprocess_launcher_set_cwd (launcher, folder);
  g_subprocess_launcher_setenv (launcher, MARKS, marks, TRUE);
  for (int i = 0; environment != NULL && environment[i] != NULL; i += 2)
    g_subprocess_launcher_setenv (launcher, environment[i], environment[i + 1], TRUE);
  g_subprocess_launcher_set_child_setup (launcher, set_up, setup, g_free);
  g_mutex_lock (&mutex);
  if (alive == NULL) {
    alive = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    first = list_children ();
    prctl (PR_SET_CHILD_SUBREAPER, 1);
    atexit (end_all);
  }
  process = g_subprocess_launcher_spawnv (launcher, words, error);
  if (process != NULL)
    g_hash_table_insert (alive, g_strdup (mark), GINT_TO_POINTER (ssapp_kin_pid (process)));
  g_mutex_unlock (&mutex);
  return process;
}
