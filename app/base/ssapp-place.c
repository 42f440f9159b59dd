/* app/base/ssapp-place.c: see the header. */
#include "app/base/ssapp-place.h"

/* The first of the places, seen from the program's folder, that has the file; NULL: none. */
static char *
find_place (const char *const *places, const char *file)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = program != NULL ? g_path_get_dirname (program) : g_strdup (".");

  for (; *places != NULL; places++) {
    g_autofree char *place = g_canonicalize_filename (*places, folder);
    g_autofree char *path = g_build_filename (place, file, NULL);
    if (g_file_test (path, G_FILE_TEST_EXISTS))
      return g_steal_pointer (&place);
  }
  return NULL;
}

char *
ssapp_place_of_python (void)
{
  static const char *const places[] = {"../share/stickslip/python", "../../data/python", NULL};

  return find_place (places, "stickslip/__init__.py");
}

char *
ssapp_place_of_live (void)
{
  static const char *const places[] = {"../share/stickslip/live", "../live", NULL};

  return find_place (places, "live.wasm");
}
