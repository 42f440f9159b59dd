/* app/base/ssapp-place.c: see the header. */
#include "app/base/ssapp-place.h"

char *
ssapp_place_of_python (void)
{
  static const char *const places[] = {"../share/stickslip/python", "../../data/python"};
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = program != NULL ? g_path_get_dirname (program) : g_strdup (".");

  for (guint i = 0; i < G_N_ELEMENTS (places); i++) {
    g_autofree char *place = g_canonicalize_filename (places[i], folder);
    g_autofree char *module = g_build_filename (place, "stickslip", "__init__.py", NULL);
    if (g_file_test (module, G_FILE_TEST_EXISTS))
      return g_steal_pointer (&place);
  }
  return NULL;
}
