/* tests/unit/test-entrants.c: several of one method in a race: numbers, names, options of their own, looks, runs. */
#include "app/draw/ssapp-draw.h"
#include "app/session/ssapp-entrants.h"
#include "app/session/ssapp-session.h"
#include "tests/ss-test.h"

#include <string.h>

static void
copies_have_numbers (void)
{
  SsappEntrants *entrants = ssapp_entrants_new ();
  const SsMethod *crisp = ss_method_find (SS_METHOD_OPTIMISER, "crisp", NULL);
  const SsMethod *second = ssapp_entrants_add (entrants, crisp), *third = ssapp_entrants_add (entrants, second);
  g_autoptr (GPtrArray) list = g_ptr_array_new ();
  g_autofree char *name = NULL;
  guint number;

  SS_CHECK (second != crisp && third != second && ssapp_entrants_base (entrants, third) == crisp);
  SS_CHECK (strcmp (second->name, "crisp") == 0 && strcmp (third->label, "CRISP 3") == 0);
  SS_CHECK (ssapp_entrants_number (entrants, crisp) == 1 && ssapp_entrants_number (entrants, third) == 3);
  g_ptr_array_add (list, (gpointer)crisp);
  g_ptr_array_add (list, (gpointer)ss_method_find (SS_METHOD_OPTIMISER, "scholtes", NULL));
  ssapp_entrants_list (entrants, list);
  SS_CHECK (list->len == 4 && g_ptr_array_index (list, 1) == second && g_ptr_array_index (list, 2) == third);
  ssapp_entrants_remove (entrants, second);
  SS_CHECK (ssapp_entrants_find (entrants, crisp, 2) == NULL && ssapp_entrants_find (entrants, crisp, 3) == third);
  SS_CHECK (ssapp_entrants_add (entrants, crisp) == second); /* the least number that is free */
  SS_CHECK (ssapp_entrants_parse ("crisp#12", &name, &number) && strcmp (name, "crisp") == 0 && number == 12);
  g_clear_pointer (&name, g_free);
  SS_CHECK (ssapp_entrants_parse ("crisp", &name, &number) && number == 1);
  SS_CHECK (!ssapp_entrants_parse ("crisp#0", &name, &number) && !ssapp_entrants_parse ("crisp#x", &name, &number));
  ssapp_entrants_free (entrants);
}

/* Colour of the method, another marker: eight of one method are told apart as far as there are markers. */
static void
looks_differ (void)
{
  SsappStyle style;
  SsappMethodStyle first, other;

  ssapp_style_init (&style, FALSE);
  ssapp_style_method (&style, (SsMethodId){SS_METHOD_OPTIMISER, "crisp", 0}, &first);
  for (int copy = 1; copy < 5; copy++) {
    ssapp_style_method (&style, (SsMethodId){SS_METHOD_OPTIMISER, "crisp", copy}, &other);
    SS_CHECK (memcmp (&first.color, &other.color, sizeof first.color) == 0);
    SS_CHECK (other.marker != first.marker || other.filled != first.filled);
  }
}

static char *
option (SsappSession *session, const SsMethod *method, const char *name)
{
  for (int i = 0; i < ssapp_session_n_options (session, method); i++)
    if (strcmp (ssapp_session_get_option_spec (session, method, i)->name, name) == 0)
      return ssapp_session_get_option (session, method, i);
  return NULL;
}

static void
options_are_their_own (void)
{
  g_autoptr (SsappSession) session = ssapp_session_new ();
  g_autofree char *path = g_build_filename (SS_SOURCE_ROOT, "examples", "crisp", "push-box.stickslip.json", NULL);
  GError *error = NULL;

  SS_CHECK (ssapp_document_load_file (ssapp_session_get_document (session), path, &error));
  g_assert_no_error (error);
  SS_CHECK (ssapp_session_set_methods (session, "crisp", NULL));
  const SsMethod *crisp = ssapp_session_find_method (session, "crisp", NULL);
  SS_CHECK (ssapp_session_set_option (session, crisp, "max-iterations", "7", NULL));
  const SsMethod *copy = ssapp_session_add_entrant (session, crisp, NULL);
  SS_CHECK (ssapp_session_is_chosen (session, copy) && ssapp_session_find_method (session, "crisp#2", NULL) == copy);
  g_autofree char *taken = option (session, copy, "max-iterations");
  SS_CHECK (g_strcmp0 (taken, "7") == 0); /* it begins with what it was made from */
  SS_CHECK (ssapp_session_set_option (session, copy, "max-iterations", "9", NULL));
  g_autofree char *own = option (session, copy, "max-iterations"), *first = option (session, crisp, "max-iterations");
  SS_CHECK (g_strcmp0 (own, "9") == 0 && g_strcmp0 (first, "7") == 0);
  g_autoptr (SsappRun) run = ssapp_session_new_run (session, copy, NULL);
  SS_CHECK_STR (ssapp_run_get_label (run), "CRISP, max-iterations 9"); /* what differs tells copies apart */
  SS_CHECK (ssapp_run_get_method (run).copy == 1);
  g_autoptr (SsappRun) of_base = ssapp_session_new_run (session, crisp, NULL);
  SS_CHECK_STR (ssapp_run_get_label (of_base), "CRISP, max-iterations 7");
  SS_CHECK (strcmp (ssapp_run_get_method (run).name, "crisp") == 0);

  /* At most as many as run at once. */
  for (int i = 2; i < SSAPP_SESSION_RACE_MAX; i++)
    SS_CHECK (ssapp_session_add_entrant (session, crisp, NULL) != NULL);
  SS_CHECK (ssapp_session_add_entrant (session, crisp, &error) == NULL && error != NULL);
  g_clear_error (&error);

  /* Taken out it is no method any more; named twice it is again. */
  ssapp_session_choose (session, copy, FALSE);
  SS_CHECK (ssapp_session_find_method (session, "crisp#2", NULL) == NULL);
  SS_CHECK (ssapp_session_set_methods (session, "crisp,ipopt,crisp", NULL));
  SS_CHECK (ssapp_session_find_method (session, "crisp#2", NULL) != NULL &&
            ssapp_session_find_method (session, "crisp#3", NULL) == NULL);
  SS_CHECK (!ssapp_session_set_methods (session, "crisp,crisp#5", &error) && error != NULL);
  g_clear_error (&error);
}

int
main (void)
{
  SS_RUN (copies_have_numbers);
  SS_RUN (looks_differ);
  SS_RUN (options_are_their_own);
  return ss_test_finish ();
}
