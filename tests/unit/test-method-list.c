/* tests/unit/test-method-list.c: methods with options as text: parts, blanks, what is no option, and every method that
 * this build has. */
#include "app/base/ssapp-method-list.h"
#include "tests/ss-test.h"

#include <string.h>

static const char *
at (const GPtrArray *texts, guint i)
{
  return i < texts->len ? g_ptr_array_index (texts, i) : "";
}

static void
parts_are_read (void)
{
  g_autoptr (GPtrArray) list = ssapp_method_list_read ("crisp, ipopt : relax = 10:start=a=b ,");

  SS_CHECK (list->len == 3);
  const SsappMethodAsked *plain = ssapp_method_list_at (list, 0), *second = ssapp_method_list_at (list, 1),
                         *empty = ssapp_method_list_at (list, 2);
  SS_CHECK_STR (plain->name, "crisp");
  SS_CHECK (plain->names->len == 0 && plain->values->len == 0 && plain->wrong == NULL);
  SS_CHECK_STR (second->text, "ipopt : relax = 10:start=a=b");
  SS_CHECK_STR (second->name, "ipopt");
  SS_CHECK (second->names->len == 2 && second->values->len == 2 && second->wrong == NULL);
  SS_CHECK_STR (at (second->names, 0), "relax");
  SS_CHECK_STR (at (second->values, 0), "10");
  SS_CHECK_STR (at (second->names, 1), "start");
  SS_CHECK_STR (at (second->values, 1), "a=b");
  SS_CHECK (empty->text[0] == '\0' && empty->name[0] == '\0');
  g_autoptr (GPtrArray) none = ssapp_method_list_read ("");
  SS_CHECK (none->len == 0);
}

/* What comes before it is kept: whoever reads the list tells the first fault in the order of the text. */
static void
what_is_no_option_is_told (void)
{
  static const char *const wrong[][2] = {{"crisp:a=1:b:c=2", "b"}, {"crisp:a=1:=3", "=3"}, {"crisp:a=1:", ""}};

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (SsappMethodAsked) asked = ssapp_method_asked_new (wrong[i][0]);
    SS_CHECK (asked->wrong != NULL && strcmp (asked->wrong, wrong[i][1]) == 0);
    SS_CHECK (asked->names->len == 1 && asked->values->len == 1);
  }
}

static void
all_are_those_of_the_registry (void)
{
  int n_read = 0, n_built = 0;

  for (int kind = 0; kind < SS_METHOD_KIND_COUNT; kind++) {
    g_autofree char *all = ssapp_method_list_all ((SsMethodKind)kind);
    g_autoptr (GPtrArray) list = ssapp_method_list_read (all);
    for (guint i = 0; i < list->len; i++) {
      const SsappMethodAsked *asked = ssapp_method_list_at (list, i);
      const SsMethod *method = ss_method_find ((SsMethodKind)kind, asked->name, NULL);
      SS_CHECK (method != NULL && method->is_built);
      n_read++;
    }
  }
  for (int i = 0; i < ss_method_count (); i++)
    n_built += ss_method_at (i)->is_built;
  SS_CHECK (n_read == n_built && n_built > 0);
}

int
main (void)
{
  SS_RUN (parts_are_read);
  SS_RUN (what_is_no_option_is_told);
  SS_RUN (all_are_those_of_the_registry);
  return ss_test_finish ();
}
