/* tests/unit/test-document-law.c: where the values of a contact come from: contact, pair, materials, scene, in order;
 * overriding and following again; pairs of materials made, changed and dropped; undo; who uses a material. */

#include "app/document/ssapp-document-law.h"
#include "tests/ss-test-document.h"

/* Steel on wood has a pair for friction alone; rubber and wood do not; the bare body has no material. */
static const char TEXT[] =
    "{\"format\": 1, \"name\": \"law\",\n"
    " \"scene\": {\"friction\": 0.5, \"restitution\": 0.1,\n"
    "  \"materials\": {\"steel\": {\"friction\": 0.4}, \"wood\": {\"friction\": 0.9, \"restitution\": 0.3}, "
    "\"rubber\": {}},\n"
    "  \"material_pairs\": [{\"materials\": [\"wood\", \"steel\"], \"friction\": 0.3}],\n"
    "  \"bodies\": [\n"
    "   {\"name\": \"plane\", \"fixed\": true, \"material\": \"steel\", \"shape\": {\"type\": \"half-plane\", "
    "\"normal\": "
    "[0, 1]}},\n"
    "   {\"name\": \"block\", \"material\": \"wood\", \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 0.5}, "
    "\"mass\": 2, \"position\": [0, 1]},\n"
    "   {\"name\": \"tyre\", \"material\": \"rubber\", \"shape\": {\"type\": \"circle\", \"radius\": 0.2}, \"mass\": "
    "1, "
    "\"position\": [2, 1]},\n"
    "   {\"name\": \"bare\", \"shape\": {\"type\": \"circle\", \"radius\": 0.2}, \"mass\": 1, \"position\": [4, 1]},\n"
    "   {\"name\": \"bare-2\", \"shape\": {\"type\": \"circle\", \"radius\": 0.2}, \"mass\": 1, \"position\": [6, "
    "1]}],\n"
    "  \"contacts\": [\"all\", {\"bodies\": [\"plane\", \"tyre\"], \"friction\": 0.7}]},\n"
    " \"task\": {\"t_end\": 1, \"dt\": 0.01}}\n";

#define PLANE_BLOCK "scene.contacts{plane,block}"
#define PLANE_TYRE  "scene.contacts{plane,tyre}"

static const SsContact *
contact_at (SsappDocument *document, const char *path)
{
  const int index = ssapp_document_find_contact (document, path);
  return &ssapp_document_get_scenario (document)->scene->contacts[MAX (index, 0)];
}

/* "This contact -; Pair steel – wood 0.3 *; ..." */
static char *
sources_of (SsappDocument *document, const char *path, SsMaterialValue which)
{
  g_autoptr (GPtrArray) sources = ssapp_document_list_sources (document, path, which);
  GString *text = g_string_new (NULL);

  for (guint i = 0; sources != NULL && i < sources->len; i++) {
    const SsappLawSource *source = g_ptr_array_index (sources, i);
    g_string_append_printf (text, "%s%s %s%s", i > 0 ? "; " : "", source->title, *source->text ? source->text : "-",
                            source->is_in_force ? " *" : "");
  }
  return g_string_free (text, FALSE);
}

static void
check_sources (SsappDocument *document, const char *path, SsMaterialValue which, const char *wanted)
{
  g_autofree char *is = sources_of (document, path, which);
  SS_CHECK_STR (is, wanted);
}

static void
test_sources_lead_to_their_entries (void)
{
  static const char *const wanted[] = {"-", "scene.material_pairs[0]", "scene.materials.steel", "-"};
  g_autoptr (SsappDocument) document = open_text (TEXT);
  g_autoptr (GPtrArray) sources = ssapp_document_list_sources (document, PLANE_BLOCK, SS_MATERIAL_FRICTION),
                        none = ssapp_document_list_sources (document, PLANE_TYRE, SS_MATERIAL_FRICTION);

  SS_CHECK (sources->len == 4 && none->len == 4);
  for (guint i = 0; i < sources->len; i++) {
    const SsappLawSource *source = g_ptr_array_index (sources, i);
    SS_CHECK_STR (source->item != NULL ? source->item : "-", wanted[i]);
    if (source->item != NULL) {
      ssapp_document_select_item (document, source->item);
      SS_CHECK_STR (ssapp_document_get_selected_item (document), source->item);
    }
  }
  SS_CHECK (((SsappLawSource *)g_ptr_array_index (none, 1))->item == NULL); /* the file has no such pair */
}

static void
test_four_sources (void)
{
  g_autoptr (SsappDocument) document = open_text (TEXT);

  check_sources (document, PLANE_TYRE, SS_MATERIAL_FRICTION,
                 "This contact 0.7 *; Pair steel – rubber -; Materials steel, rubber 0.4472; Scene 0.5");
  check_sources (document, PLANE_BLOCK, SS_MATERIAL_FRICTION,
                 "This contact -; Pair steel – wood 0.3 *; Materials steel, wood 0.6; Scene 0.5");
  check_sources (document, PLANE_BLOCK, SS_MATERIAL_RESTITUTION,
                 "This contact -; Pair steel – wood -; Materials steel, wood 0.3 *; Scene 0.1");
  check_sources (document, "scene.contacts{block,bare}", SS_MATERIAL_FRICTION,
                 "This contact -; Materials wood, none 0.6708 *; Scene 0.5");
  check_sources (document, "scene.contacts{bare,bare-2}", SS_MATERIAL_FRICTION, "This contact -; Scene 0.5 *");
  /* rubber says nothing, nor does the bare body: what is in force is the scene's */
  check_sources (document, "scene.contacts{tyre,bare}", SS_MATERIAL_FRICTION,
                 "This contact -; Materials rubber, none -; Scene 0.5 *");
  check_sources (document, "scene.contacts{tyre,bare}", SS_MATERIAL_STIFFNESS,
                 "This contact -; Materials rubber, none -; Scene method’s *");
  /* What is said to be in force is what the engine simulates with. */
  SS_CHECK_NEAR (contact_at (document, PLANE_TYRE)->mu, 0.7, 0);
  SS_CHECK_NEAR (contact_at (document, PLANE_BLOCK)->mu, 0.3, 0);
  SS_CHECK_NEAR (contact_at (document, PLANE_BLOCK)->restitution, 0.3, 0);
  SS_CHECK_NEAR (contact_at (document, "scene.contacts{block,bare}")->mu, sqrt (0.9 * 0.5), 1e-15);
  SS_CHECK_NEAR (contact_at (document, "scene.contacts{bare,bare-2}")->mu, 0.5, 0);
  SS_CHECK_STR (ssapp_document_name_source (document, PLANE_TYRE ".friction"), "contact");
  SS_CHECK_STR (ssapp_document_name_source (document, PLANE_BLOCK ".friction"), "pair");
  SS_CHECK_STR (ssapp_document_name_source (document, PLANE_BLOCK ".restitution"), "material");
  SS_CHECK (ssapp_document_name_source (document, PLANE_BLOCK ".stiffness") == NULL); /* nobody’s */
  SS_CHECK_STR (ssapp_document_name_source (document, "scene.contacts{bare,bare-2}.friction"), "scene");
  SS_CHECK (ssapp_document_name_source (document, "scene.bodies[1].mass") == NULL);
  SS_CHECK (ssapp_document_name_source (document, PLANE_BLOCK) == NULL);
  SS_CHECK (ssapp_document_list_sources (document, "scene.contacts{plane,nobody}", SS_MATERIAL_FRICTION) == NULL);
}

/* A stiffness of the scene belongs to bodies without a material; of two in series half is left. */
static void
test_stiffness_in_series (void)
{
  g_autoptr (SsappDocument) document = open_text (TEXT);

  SS_CHECK (ssapp_document_set_field (document, "scene.stiffness", "1000", "", NULL));
  check_sources (document, "scene.contacts{bare,bare-2}", SS_MATERIAL_STIFFNESS, "This contact -; Scene 1000 *");
  check_sources (document, "scene.contacts{tyre,bare}", SS_MATERIAL_STIFFNESS,
                 "This contact -; Materials rubber, none 500 *; Scene 1000");
  SS_CHECK_NEAR (contact_at (document, "scene.contacts{tyre,bare}")->stiffness, 500, 0);
}

static void
test_set_here_and_follow (void)
{
  g_autoptr (SsappDocument) document = open_text (TEXT);

  SS_CHECK (ssapp_document_set_here (document, PLANE_BLOCK, SS_MATERIAL_FRICTION, NULL));
  check_sources (document, PLANE_BLOCK, SS_MATERIAL_FRICTION,
                 "This contact 0.3 *; Pair steel – wood 0.3; Materials steel, wood 0.6; Scene 0.5");
  SS_CHECK_STR (ssapp_document_get_undo_label (document), "Set friction");
  SS_CHECK (ssapp_document_set_here (document, PLANE_BLOCK, SS_MATERIAL_FRICTION, NULL)); /* is so already */
  SS_CHECK (ssapp_document_follow (document, PLANE_BLOCK, SS_MATERIAL_FRICTION, NULL));
  SS_CHECK_STR (ssapp_document_name_source (document, PLANE_BLOCK ".friction"), "pair");
  SS_CHECK (ssapp_document_follow (document, PLANE_TYRE, SS_MATERIAL_FRICTION, NULL));
  SS_CHECK_STR (ssapp_document_name_source (document, PLANE_TYRE ".friction"), "material");
  for (int i = 0; i < 3; i++)
    ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), TEXT);
  SS_CHECK (ssapp_document_set_contact_on (document, PLANE_TYRE, FALSE, NULL));
  g_autoptr (GError) error = NULL;
  SS_CHECK (!ssapp_document_set_here (document, PLANE_TYRE, SS_MATERIAL_FRICTION, &error) && error != NULL);
}

static void
check_pair (SsappDocument *document, const char *a, const char *b, SsMaterialValue which, const char *wanted)
{
  g_autofree char *is = ssapp_document_get_pair (document, a, b, which);
  SS_CHECK_STR (is != NULL ? is : "-", wanted != NULL ? wanted : "-");
}

static void
test_pairs (void)
{
  g_autoptr (SsappDocument) document = open_text (TEXT);
  g_autofree char *derived = ssapp_document_get_pair_derived (document, "steel", "wood", SS_MATERIAL_FRICTION),
                  *same = ssapp_document_get_pair_derived (document, "rubber", "rubber", SS_MATERIAL_FRICTION);
  g_autoptr (GError) error = NULL;

  SS_CHECK_STR (derived, "0.6");
  SS_CHECK_STR (same, "0.5");
  check_pair (document, "steel", "wood", SS_MATERIAL_FRICTION, "0.3"); /* in either order */
  check_pair (document, "wood", "steel", SS_MATERIAL_FRICTION, "0.3");
  check_pair (document, "wood", "steel", SS_MATERIAL_RESTITUTION, NULL);
  check_pair (document, "wood", "rubber", SS_MATERIAL_FRICTION, NULL);
  SS_CHECK (ssapp_document_is_pair_of (document, PLANE_BLOCK, "wood", "steel"));
  SS_CHECK (!ssapp_document_is_pair_of (document, PLANE_BLOCK, "wood", "wood"));
  SS_CHECK (!ssapp_document_is_pair_of (document, NULL, "wood", "wood"));

  /* A pair that the file does not have gets an entry; a second value goes into the same one. */
  SS_CHECK (ssapp_document_set_pair (document, "rubber", "wood", SS_MATERIAL_FRICTION, " 2*0.6 ", NULL));
  check_pair (document, "wood", "rubber", SS_MATERIAL_FRICTION, "2*0.6");
  SS_CHECK_STR (ssapp_document_get_undo_label (document), "Set friction of rubber – wood");
  SS_CHECK (ssapp_document_set_pair (document, "wood", "rubber", SS_MATERIAL_RESTITUTION, "0.2", NULL));
  SS_CHECK (ssapp_document_get_scenario (document)->scene->n_material_pairs == 2);
  SS_CHECK_NEAR (contact_at (document, "scene.contacts{block,tyre}")->mu, 1.2, 1e-15);
  SS_CHECK_STR (ssapp_document_name_source (document, "scene.contacts{block,tyre}.restitution"), "pair");
  /* What is refused changes nothing. */
  SS_CHECK (!ssapp_document_set_pair (document, "rubber", "wood", SS_MATERIAL_RESTITUTION, "2", &error));
  SS_CHECK (error != NULL && strstr (error->message, "0 to 1") != NULL);
  SS_CHECK (!ssapp_document_set_pair (document, "rubber", "iron", SS_MATERIAL_FRICTION, "2", NULL));
  check_pair (document, "wood", "rubber", SS_MATERIAL_RESTITUTION, "0.2");
  /* Cleared values go, with the entry that says nothing any more. */
  SS_CHECK (ssapp_document_set_pair (document, "wood", "rubber", SS_MATERIAL_RESTITUTION, "", NULL));
  SS_CHECK (ssapp_document_set_pair (document, "wood", "rubber", SS_MATERIAL_FRICTION, "  ", NULL));
  SS_CHECK (ssapp_document_get_scenario (document)->scene->n_material_pairs == 1);
  SS_CHECK (ssapp_document_set_pair (document, "steel", "wood", SS_MATERIAL_FRICTION, "", NULL));
  SS_CHECK (strstr (ssapp_document_get_text (document), "material_pairs") == NULL);
  SS_CHECK (ssapp_document_set_pair (document, "steel", "wood", SS_MATERIAL_FRICTION, "", NULL)); /* nothing to clear */
  for (int i = 0; i < 5; i++)
    ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), TEXT);
}

/* A pair that a rule of the file writes holds, and is not changed by itself. */
static void
test_pairs_by_a_rule (void)
{
  g_autoptr (SsappDocument) document = open_text (
      "{\"format\": 1, \"name\": \"rule\", \"scene\": {\"materials\": {\"m1\": {}, \"m2\": {}},"
      " \"material_pairs\": [{\"for\": \"i\", \"from\": 1, \"to\": 2, \"rows\": [{\"materials\": [\"m{i}\", \"m{i}\"],"
      " \"friction\": 0.25}]}], \"bodies\": []}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}");
  g_autoptr (GError) error = NULL;

  check_pair (document, "m2", "m2", SS_MATERIAL_FRICTION, "0.25");
  SS_CHECK (!ssapp_document_set_pair (document, "m2", "m2", SS_MATERIAL_FRICTION, "1", &error));
  SS_CHECK (error != NULL && strstr (error->message, "rule") != NULL);
  SS_CHECK (ssapp_document_set_pair (document, "m1", "m2", SS_MATERIAL_FRICTION, "1", NULL));
}

/* A contact that a rule of the file writes says where its values come from, and is not changed by itself. */
static void
test_contacts_by_a_rule (void)
{
  g_autoptr (SsappDocument) document = open_text (
      "{\"format\": 1, \"name\": \"rule\", \"scene\": {\"friction\": 0.2, \"bodies\": ["
      "{\"name\": \"d1\", \"shape\": {\"type\": \"circle\", \"radius\": 0.2}, \"mass\": 1, \"position\": [0, 1]},"
      "{\"name\": \"d2\", \"shape\": {\"type\": \"circle\", \"radius\": 0.2}, \"mass\": 1, \"position\": [1, 1]}],"
      " \"contacts\": [{\"for\": \"i\", \"from\": 1, \"to\": 1, \"rows\": [{\"bodies\": [\"d1\", \"d2\"], "
      "\"restitution\": 0.5}]}]},"
      "\"task\": {\"t_end\": 1, \"dt\": 0.01}}");
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) sources = ssapp_document_list_sources (document, "scene.contacts{d1,d2}", SS_MATERIAL_FRICTION);

  check_sources (document, "scene.contacts{d1,d2}", SS_MATERIAL_RESTITUTION, "This contact 0.5 *; Scene 0");
  SS_CHECK (sources != NULL && !((SsappLawSource *)g_ptr_array_index (sources, 0))->can_change);
  SS_CHECK (!ssapp_document_set_here (document, "scene.contacts{d1,d2}", SS_MATERIAL_FRICTION, &error));
  SS_CHECK (error != NULL && strstr (error->message, "rule") != NULL);
}

static void
test_users_and_names (void)
{
  g_autoptr (SsappDocument) document = open_text (TEXT);
  g_autofree char *steel = ssapp_document_describe_users (document, "steel"),
                  *nobody = ssapp_document_describe_users (document, "glass");

  SS_CHECK_STR (steel, "plane");
  SS_CHECK_STR (nobody, "unused");
  for (int body = 1; body < 4; body++)
    SS_CHECK (ssapp_document_set_material (document, body, "steel", NULL));
  {
    g_autofree char *four = ssapp_document_describe_users (document, "steel");
    SS_CHECK_STR (four, "4 bodies");
  }
  SS_CHECK (ssapp_material_value_from_name ("restitution") == SS_MATERIAL_RESTITUTION);
  SS_CHECK (ssapp_material_value_from_name ("colour") == SS_MATERIAL_VALUES);
  SS_CHECK (ssapp_material_value_from_name (NULL) == SS_MATERIAL_VALUES);
  /* A renamed material keeps its pair, a deleted one takes it along. */
  SS_CHECK (ssapp_document_rename_material (document, "wood", "oak", NULL));
  check_pair (document, "oak", "steel", SS_MATERIAL_FRICTION, "0.3");
  SS_CHECK (ssapp_document_remove_item (document, "scene.materials.oak", NULL));
  SS_CHECK (ssapp_document_get_scenario (document)->scene->n_material_pairs == 0);
}

static void
test_from_contact_to_contact (void)
{
  g_autoptr (SsappDocument) document = open_text (TEXT);
  g_autoptr (SsappDocument) empty = ssapp_document_new ();
  const int n = ssapp_document_get_scenario (document)->scene->n_contacts;

  SS_CHECK (!ssapp_document_select_next_contact (empty, 1));
  SS_CHECK (ssapp_document_select_next_contact (document, 1));
  SS_CHECK_STR (ssapp_document_get_selected_item (document), PLANE_BLOCK);
  SS_CHECK (ssapp_document_select_next_contact (document, 1));
  SS_CHECK_STR (ssapp_document_get_selected_item (document), PLANE_TYRE);
  for (int i = 0; i < n - 1; i++) /* round */
    SS_CHECK (ssapp_document_select_next_contact (document, 1));
  SS_CHECK_STR (ssapp_document_get_selected_item (document), PLANE_BLOCK);
  SS_CHECK (ssapp_document_select_next_contact (document, -1));
  SS_CHECK_STR (ssapp_document_get_selected_item (document), "scene.contacts{bare,bare-2}");
  ssapp_document_select (document, "tyre"); /* from a body to its first one */
  SS_CHECK (ssapp_document_select_next_contact (document, 1));
  SS_CHECK_STR (ssapp_document_get_selected_item (document), PLANE_TYRE);
  /* of a list: the first that has the body, on either side */
  static const struct {
    const char *body;
    int contact;
  } firsts[] = {{"tyre", 1}, {"bare", 1}, {"block", 0}, {"bare-2", 2}};
  g_autoptr (GString) text = g_string_new (TEXT);
  SS_CHECK (g_string_replace (text, "[\"all\", {\"bodies\": [\"plane\", \"tyre\"], \"friction\": 0.7}]",
                              "[{\"bodies\": [\"plane\", \"block\"]}, {\"bodies\": [\"tyre\", \"bare\"]}, {\"bodies\": "
                              "[\"bare-2\", \"plane\"]}]",
                              1) == 1);
  g_autoptr (SsappDocument) list = open_text (text->str);
  for (guint i = 0; i < G_N_ELEMENTS (firsts); i++) {
    ssapp_document_select (list, firsts[i].body);
    SS_CHECK (ssapp_document_select_next_contact (list, 1));
    SS_CHECK (ssapp_document_find_contact (list, ssapp_document_get_selected_item (list)) == firsts[i].contact);
  }
}

int
main (void)
{
  SS_RUN (test_four_sources);
  SS_RUN (test_sources_lead_to_their_entries);
  SS_RUN (test_stiffness_in_series);
  SS_RUN (test_set_here_and_follow);
  SS_RUN (test_pairs);
  SS_RUN (test_pairs_by_a_rule);
  SS_RUN (test_contacts_by_a_rule);
  SS_RUN (test_users_and_names);
  SS_RUN (test_from_contact_to_contact);
  return ss_test_finish ();
}
