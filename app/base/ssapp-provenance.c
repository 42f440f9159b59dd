/* app/base/ssapp-provenance.c: see ssapp-provenance.h. */
#include "app/base/ssapp-provenance.h"

#include "app/ssapp-build-flags.h"
#include "app/ssapp-build-info.h"
#include "run/ss-run.h"

#include <cairo.h>
#include <jansson.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define COMPILER_NAME                                                                                                  \
  "gcc " G_STRINGIFY (__GNUC__) "." G_STRINGIFY (__GNUC_MINOR__) "." G_STRINGIFY (__GNUC_PATCHLEVEL__)

static char *
compiler_name (void)
{
#ifdef __clang__
  return g_strdup ("clang " __clang_version__);
#else
  return g_strdup (COMPILER_NAME);
#endif
}

gboolean
ssapp_build_is_sanitized (void)
{
  return strcmp (SSAPP_BUILD_SANITIZER, "none") != 0;
}

/* "optimised" or not changes times, never numbers; assertions change what is checked. Then the compiler's options, and
 * instructions beyond those that every processor of the kind has. */
static char *
build_flags (void)
{
  GString *flags = g_string_new ("");
#ifdef __OPTIMIZE__
  g_string_append (flags, "optimised (" SSAPP_BUILD_FLAGS ")");
#else
  g_string_append (flags, "not optimised (" SSAPP_BUILD_FLAGS ")");
#endif
#ifdef __AVX2__
  g_string_append (flags, ", AVX2");
#endif
#ifdef __FMA__
  g_string_append (flags, ", FMA");
#endif
#ifdef NDEBUG
  g_string_append (flags, ", no assertions");
#endif
  if (ssapp_build_is_sanitized ())
    g_string_append (flags, ", sanitizer (" SSAPP_BUILD_SANITIZER ")");
  return g_string_free (flags, FALSE);
}

static char *
cpu_name (void)
{
  char *text = NULL, *name = NULL;

  if (g_file_get_contents ("/proc/cpuinfo", &text, NULL, NULL)) {
    char *at = strstr (text, "model name");
    if (at != NULL && (at = strchr (at, ':')) != NULL)
      name = g_strndup (at + 1, strcspn (at + 1, "\n"));
  }
  g_free (text);
  return name != NULL ? g_strstrip (name) : g_strdup ("unknown");
}

static char *
os_name (void)
{
  char *pretty = g_get_os_info (G_OS_INFO_KEY_PRETTY_NAME);
  struct utsname u;
  char *text;

  if (uname (&u) == 0)
    text = g_strdup_printf ("%s (%s %s %s)", pretty != NULL ? pretty : "unknown", u.sysname, u.release, u.machine);
  else
    text = g_strdup (pretty != NULL ? pretty : "unknown");
  g_free (pretty);
  return text;
}

static char *
libraries_json (void)
{
  char *glib = g_strdup_printf ("%u.%u.%u", glib_major_version, glib_minor_version, glib_micro_version);
  char libc[64] = ""; /* whose sines the results are made of */
#ifdef _CS_GNU_LIBC_VERSION
  confstr (_CS_GNU_LIBC_VERSION, libc, sizeof libc);
#endif
  json_t *libraries =
      json_pack ("{s:s, s:s, s:s, s:s, s:s, s:s}", "ipopt", SSAPP_IPOPT_VERSION, "sqlite", sqlite3_libversion (),
                 "jansson", jansson_version_str (), "glib", glib, "cairo", cairo_version_string (), "libc", libc);
  char *text = json_dumps (libraries, JSON_COMPACT | JSON_SORT_KEYS);
  char *copy = g_strdup (text);

  free (text);
  json_decref (libraries);
  g_free (glib);
  return copy;
}

void
ssapp_provenance_init (SsappProvenance *provenance)
{
  g_return_if_fail (provenance != NULL);
  provenance->version = g_strdup (SS_VERSION);
  provenance->git_commit = g_strdup (SSAPP_GIT_COMMIT);
  provenance->compiler = compiler_name ();
  provenance->build_flags = build_flags ();
  provenance->host = g_strdup (g_get_host_name ());
  provenance->cpu = cpu_name ();
  provenance->os = os_name ();
  provenance->libraries_json = libraries_json ();
  provenance->cpu_count = (int)g_get_num_processors ();
}

void
ssapp_provenance_clear (SsappProvenance *provenance)
{
  g_return_if_fail (provenance != NULL);
  g_free (provenance->version);
  g_free (provenance->git_commit);
  g_free (provenance->compiler);
  g_free (provenance->build_flags);
  g_free (provenance->host);
  g_free (provenance->cpu);
  g_free (provenance->os);
  g_free (provenance->libraries_json);
  memset (provenance, 0, sizeof *provenance);
}

/* ---- owners ------------------------------------------------------------------------------------------------------ */

/* Start time of a process and its state letter; FALSE when there is no such process. */
static gboolean
process_start (gint64 pid, gint64 *start, char *state)
{
  enum { FIELDS_FROM_STATE_TO_START = 19 }; /* fields 3 and 22 of proc(5) */
  char *path = g_strdup_printf ("/proc/%" G_GINT64_FORMAT "/stat", pid);
  char *text = NULL;
  gboolean found = FALSE;

  if (g_file_get_contents (path, &text, NULL, NULL)) {
    /* The name in parentheses may hold blanks and parentheses: fields are counted from the last ')'. */
    char *at = strrchr (text, ')');
    if (at != NULL && at[1] == ' ') {
      char **fields = g_strsplit (at + 2, " ", FIELDS_FROM_STATE_TO_START + 2);
      if (g_strv_length (fields) > FIELDS_FROM_STATE_TO_START) {
        *state = fields[0][0];
        *start = g_ascii_strtoll (fields[FIELDS_FROM_STATE_TO_START], NULL, 10);
        found = TRUE;
      }
      g_strfreev (fields);
    }
  }
  g_free (text);
  g_free (path);
  return found;
}

void
ssapp_owner_init_self (SsappOwner *owner)
{
  g_return_if_fail (owner != NULL);
  char state;

  owner->host = g_strdup (g_get_host_name ());
  owner->pid = getpid ();
  owner->start = 0;
  process_start (owner->pid, &owner->start, &state);
}

void
ssapp_owner_clear (SsappOwner *owner)
{
  g_clear_pointer (&owner->host, g_free);
}

gboolean
ssapp_owner_is_alive (const char *host, gint64 pid, gint64 start)
{
  gint64 found_start = 0;
  char state = '?';

  if (g_strcmp0 (host, g_get_host_name ()) != 0)
    return TRUE;
  if (!process_start (pid, &found_start, &state))
    return FALSE;
  return found_start == start && state != 'Z' && state != 'X';
}
