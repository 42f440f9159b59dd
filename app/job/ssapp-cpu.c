/* app/job/ssapp-cpu.c: see the header. */
#include "app/job/ssapp-cpu.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
  gint64 pid, parent;
  double own, ended; /* CPU time [s]: of its threads, of its children that were waited for */
} Process;

/* "pid (name) state ppid ... utime stime cutime cstime ...": fields 14 to 17 of proc(5); the name may hold anything. */
static gboolean
read_process (const char *name, Process *process)
{
  g_autofree char *path = g_build_filename ("/proc", name, "stat", NULL), *text = NULL;
  const char *rest;

  if (!g_file_get_contents (path, &text, NULL, NULL) || (rest = strrchr (text, ')')) == NULL || rest[1] == '\0')
    return FALSE;
  g_auto (GStrv) fields = g_strsplit (rest + 2, " ", 16); /* from field 3 on */
  if (g_strv_length (fields) < 15)
    return FALSE;
  const double tick = 1.0 / (double)sysconf (_SC_CLK_TCK);
  *process = (Process){
      .pid = g_ascii_strtoll (name, NULL, 10),
      .parent = g_ascii_strtoll (fields[1], NULL, 10),
      .own = tick * (double)(g_ascii_strtoull (fields[11], NULL, 10) + g_ascii_strtoull (fields[12], NULL, 10)),
      .ended = tick * (double)(g_ascii_strtoll (fields[13], NULL, 10) + g_ascii_strtoll (fields[14], NULL, 10))};
  return TRUE;
}

static GArray *
read_all (void)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Process));
  g_autoptr (GDir) dir = g_dir_open ("/proc", 0, NULL);
  const char *name;
  Process process;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_ascii_isdigit (*name) && read_process (name, &process))
      g_array_append_val (all, process);
  return all;
}

/* Of `pid` and its family; *own: of its threads alone; `family`: NULL, or takes the processes. */
static double
sum_family (gint64 pid, double *own, GArray *family)
{
  g_autoptr (GArray) all = read_all ();
  g_autoptr (GArray) here = family == NULL ? g_array_new (FALSE, FALSE, sizeof (gint64)) : NULL;
  double sum = 0;

  family = family == NULL ? here : family;
  *own = 0;
  g_array_append_val (family, pid);
  for (guint k = 0; k < family->len; k++) /* grows on the way */
    for (guint i = 0; i < all->len; i++) {
      const Process *process = &g_array_index (all, Process, i);
      const gint64 member = g_array_index (family, gint64, k);

      if (process->pid == member)
        sum += process->own + process->ended;
      if (process->pid == pid)
        *own = process->own;
      if (process->parent == member && process->pid != pid)
        g_array_append_val (family, process->pid);
    }
  return sum;
}

double
ssapp_cpu_of_family (gint64 pid, double *first)
{
  double own;

  if (first != NULL) {
    g_autofree char *name = g_strdup_printf ("%" G_GINT64_FORMAT "/task/%" G_GINT64_FORMAT, pid, pid);
    Process thread = {0};
    *first = pid > 0 && read_process (name, &thread) ? thread.own : 0;
  }

  return pid > 0 ? sum_family (pid, &own, NULL) : 0;
}

/* Where nothing that was started is left, asking the kernel for that and for what ended costs microseconds; the list of
 * all processes takes milliseconds. */
double
ssapp_cpu_of_children (void)
{
  double own;
  siginfo_t any;
  struct rusage ended;

  if (waitid (P_ALL, 0, &any, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD &&
      getrusage (RUSAGE_CHILDREN, &ended) == 0)
    return (double)(ended.ru_utime.tv_sec + ended.ru_stime.tv_sec) +
           1e-6 * (double)(ended.ru_utime.tv_usec + ended.ru_stime.tv_usec);
  const double sum = sum_family (getpid (), &own, NULL);

  return sum - own;
}

/* ---- waiting ----------------------------------------------------------------------------------------------------- */

static const double SLOW_SHARE = 0.1; /* of a limit's time: what the run then missed is more than clocks differ by */

static double
waited_of (gint64 pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%" G_GINT64_FORMAT "/task", pid);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  double sum = NAN;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *file = g_build_filename (path, name, "schedstat", NULL), *text = NULL;
    char *rest = NULL;
    if (!g_file_get_contents (file, &text, NULL, NULL))
      continue;
    g_ascii_strtoull (text, &rest, 10);
    sum = (isnan (sum) ? 0 : sum) + 1e-9 * (double)g_ascii_strtoull (rest, NULL, 10);
  }
  return sum;
}

double
ssapp_cpu_waited (gint64 pid, gboolean takes_family)
{
  g_autoptr (GArray) family = g_array_new (FALSE, FALSE, sizeof (gint64));
  double own, sum;

  if (pid <= 0)
    return NAN;
  if (!takes_family)
    return waited_of (pid);
  sum_family (pid, &own, family);
  sum = waited_of (pid);
  for (guint i = 1; i < family->len; i++) {
    const double more = waited_of (g_array_index (family, gint64, i));
    sum += isnan (more) ? 0 : more;
  }
  return sum;
}

SsOutcome
ssapp_cpu_outcome_at_limit (double waited, double wall)
{
  return waited > SLOW_SHARE * wall ? SS_OUTCOME_MACHINE_SLOW : SS_OUTCOME_TIME_LIMIT; /* FALSE for NaN */
}
