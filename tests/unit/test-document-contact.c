/* tests/unit/test-document-contact.c: single contacts and materials of an edited scene: values, on and off, what
 * follows when the file does not say it, renaming and deleting with all that refers to it, undo. */

#include "tests/ss-test-document.h"

/* Contacts by "all": floor-box, floor-disc, box-disc. */
static const char ALL[] =
    "{\"format\": 1, \"name\": \"all\",\n"
    " \"scene\": {\"friction\": 0.5, \"restitution\": 0.1, \"bodies\": [\n"
    "   {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},\n"
    "   {\"name\": \"box\", \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 0.5}, \"mass\": 2, \"position\": "
    "[0, 1]},\n"
    "   {\"name\": \"disc\", \"shape\": {\"type\": \"circle\", \"radius\": 0.2}, \"mass\": 1, \"position\": [2, 1]}],\n"
    "  \"contacts\": \"all\"},\n"
    " \"task\": {\"t_end\": 1, \"dt\": 0.01}}\n";

/* Contacts by a list and by a family; a plan that knows one of them; a disc hangs on the box. */
static const char LISTED[] =
    "{\"format\": 1, \"name\": \"listed\",\n"
    " \"scene\": {\"bodies\": [\n"
    "   {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},\n"
    "   {\"name\": \"box\", \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 0.5}, \"mass\": 2, \"position\": "
    "[0, 1]},\n"
    "   {\"name\": \"d1\", \"shape\": {\"type\": \"circle\", \"radius\": 0.2}, \"mass\": 1, \"position\": [2, 1]},\n"
    "   {\"name\": \"d2\", \"shape\": {\"type\": \"circle\", \"radius\": 0.2}, \"mass\": 1, \"position\": [3, 1]}],\n"
    "  \"contacts\": [{\"bodies\": [\"box\", \"floor\"], \"friction\": 0.3, \"name\": \"c\"},\n"
    "    {\"bodies\": [\"box\", \"d1\"], \"enabled\": false},\n"
    "    {\"for\": \"i\", \"from\": 1, \"to\": 2, \"rows\": [{\"bodies\": [\"floor\", \"d{i}\"]}]}],\n"
    "  \"actuators\": [{\"name\": \"u\", \"type\": \"force\", \"body\": \"box\", \"direction\": [1, 0]}]},\n"
    " \"task\": {\"horizon\": 1, \"steps\": 10, \"targets\": [{\"body\": \"box\", \"position\": [1, null]}],\n"
    "   \"contacts\": [\"c\", \"floor-d1\"]}}\n";

static const char MATERIALS[] =
    "{\"format\": 1, \"name\": \"materials\",\n"
    " \"scene\": {\"friction\": 0.5, \"materials\": {\"ice\": {\"friction\": 0.04}, \"rubber\": {\"friction\": 0.9},\n"
    "    \"wood\": {\"restitution\": 0.3, \"stiffness\": 1e6}},\n"
    "  \"material_pairs\": [{\"materials\": [\"rubber\", \"ice\"], \"friction\": 0.2}, {\"materials\": [\"wood\", "
    "\"wood\"]}],\n"
    "  \"bodies\": [\n"
    "   {\"name\": \"floor\", \"fixed\": true, \"material\": \"ice\", \"shape\": {\"type\": \"half-plane\", "
    "\"normal\": [0, 1]}},\n"
    "   {\"name\": \"box\", \"material\": \"rubber\", \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 0.5},\n"
    "    \"mass\": 2, \"position\": [0, 1]},\n"
    "   {\"for\": \"i\", \"from\": 1, \"to\": 2, \"rows\": [{\"name\": \"d{i}\", \"material\": \"rubber\",\n"
    "     \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 1, \"position\": [\"{i}\", 1]}]}]},\n"
    " \"task\": {\"t_end\": 1, \"dt\": 0.01}}\n";

static const SsScene *
scene_of (SsappDocument *document)
{
  return ssapp_document_get_scenario (document)->scene;
}

/* The contact at a path; NULL when it is off. */
static const SsContact *
contact_at (SsappDocument *document, const char *path)
{
  int index = ssapp_document_find_contact (document, path);
  return index >= 0 ? &scene_of (document)->contacts[index] : NULL;
}

static gboolean
has_text (SsappDocument *document, const char *part)
{
  return strstr (ssapp_document_get_text (document), part) != NULL;
}

static void
check_derived (SsappDocument *document, const char *path, const char *wanted)
{
  g_autofree char *text = ssapp_document_get_derived (document, path);
  SS_CHECK_STR (text, wanted);
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

static void
test_a_contact_of_all (void)
{
  g_autoptr (SsappDocument) document = open_text (ALL);
  static const char path[] = "scene.contacts{floor,box}";
  g_autofree char *first = ssapp_document_contact_path (document, 0);

  SS_CHECK_STR (first, path);
  SS_CHECK (ssapp_document_find_contact (document, "scene.contacts{box,floor}") == 0); /* in either order */
  SS_CHECK (ssapp_document_find_contact (document, "scene.contacts{box,none}") == -1);
  ssapp_document_select_item (document, path);
  SS_CHECK_STR (ssapp_document_get_selected_item (document), path);
  check_derived (document, "scene.contacts{floor,box}.friction", "0.5");

  SS_CHECK (ssapp_document_set_field (document, "scene.contacts{floor,box}.friction", "0.25", "", NULL));
  SS_CHECK (ssapp_document_set_field (document, "scene.contacts{floor,box}.stiffness", "1e5 N/m", "", NULL));
  SS_CHECK (has_text (document, "\"contacts\": [\"all\", {\"bodies\": [\"floor\", \"box\"], \"friction\": 0.25"));
  SS_CHECK (scene_of (document)->n_contacts == 3);
  SS_CHECK_NEAR (contact_at (document, path)->mu, 0.25, 0);
  SS_CHECK_NEAR (contact_at (document, path)->stiffness, 1e5, 0);
  SS_CHECK_NEAR (contact_at (document, path)->restitution, 0.1, 0); /* still as in the scene */
  SS_CHECK_NEAR (contact_at (document, "scene.contacts{box,disc}")->mu, 0.5, 0);
  SS_CHECK_STR (ssapp_document_get_selected_item (document), path);

  /* What is cleared follows the scene again; nothing is left of an entry that says nothing. */
  SS_CHECK (ssapp_document_clear_field (document, "scene.contacts{floor,box}.friction", NULL));
  SS_CHECK_NEAR (contact_at (document, path)->mu, 0.5, 0);
  SS_CHECK (has_text (document, "[\"all\", "));
  SS_CHECK (ssapp_document_clear_field (document, "scene.contacts{floor,box}.stiffness", NULL));
  SS_CHECK (has_text (document, "\"contacts\": \"all\""));
  for (int i = 0; i < 4; i++)
    ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), ALL);

  /* What the reader refuses changes nothing, and a path that is none of a contact finds none. */
  g_autoptr (GError) error = NULL;
  SS_CHECK (!ssapp_document_set_field (document, "scene.contacts{floor,box}.friction", "-1", "", &error));
  SS_CHECK_STR (ssapp_document_get_text (document), ALL);
  SS_CHECK (!ssapp_document_set_field (document, "scene.contacts{floor,nobody}.friction", "1", "", NULL));
  SS_CHECK (!ssapp_document_set_field (document, "scene.contacts{floor}.friction", "1", "", NULL));
  SS_CHECK (!ssapp_document_set_field (document, "scene.contacts{,}.friction", "1", "", NULL));
  SS_CHECK_STR (ssapp_document_get_text (document), ALL);
}

static void
test_on_and_off_beside_all (void)
{
  g_autoptr (SsappDocument) document = open_text (ALL);
  static const char path[] = "scene.contacts{box,disc}";
  SsappItem *item;

  SS_CHECK (ssapp_document_set_field (document, "scene.contacts{box,disc}.friction", "0.9", "", NULL));
  ssapp_document_select_item (document, path);
  SS_CHECK (ssapp_document_remove_item (document, path, NULL)); /* deleting turns off */
  SS_CHECK (contact_at (document, path) == NULL && scene_of (document)->n_contacts == 2);
  SS_CHECK_STR (ssapp_document_get_undo_label (document), "Turn off box – disc");
  SS_CHECK_STR (ssapp_document_get_selected_item (document), path);
  item = ssapp_document_get_item (document, path);
  SS_CHECK (item != NULL);
  SS_CHECK_STR (item != NULL ? item->detail : NULL, "off");
  ssapp_item_free (item);
  check_derived (document, "scene.contacts{box,disc}.restitution", "off");
  {
    g_autoptr (GPtrArray) off = ssapp_document_list_contacts_off (document);
    SS_CHECK (off->len == 1);
    SS_CHECK_STR (off->len == 1 ? g_ptr_array_index (off, 0) : NULL, path);
  }
  SS_CHECK (ssapp_document_set_contact_on (document, path, TRUE, NULL));
  SS_CHECK_NEAR (contact_at (document, path)->mu, 0.9, 0); /* its values have been kept */
  ssapp_document_undo (document);
  ssapp_document_undo (document);
  ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), ALL);

  /* One that says nothing else comes and goes without a trace. */
  SS_CHECK (ssapp_document_set_contact_on (document, path, FALSE, NULL));
  SS_CHECK (ssapp_document_set_contact_on (document, path, TRUE, NULL));
  SS_CHECK (has_text (document, "\"contacts\": \"all\""));

  /* A new body meets all others by itself; a body that goes takes its exceptions along. */
  SS_CHECK (ssapp_document_set_contact_on (document, path, FALSE, NULL));
  SS_CHECK (ssapp_document_add_disc (document, (SsVec2){5, 1}, 0.2, NULL));
  SS_CHECK (scene_of (document)->n_contacts == 5 && !has_text (document, "\"bodies\": [\"floor\", \"disc-2\"]"));
  SS_CHECK (ssapp_document_delete (document, "disc", NULL));
  SS_CHECK (has_text (document, "\"contacts\": \"all\""));
}

static void
test_listed_contacts (void)
{
  g_autoptr (SsappDocument) document = open_text (LISTED);
  static const char path[] = "scene.contacts{box,floor}";
  g_autoptr (GError) error = NULL;
  SsappItem *item;

  SS_CHECK (scene_of (document)->n_contacts == 3);
  SS_CHECK (ssapp_document_set_field (document, "scene.contacts{floor,box}.restitution", "0.7", "", NULL));
  SS_CHECK (has_text (document, "[\"box\", \"floor\"], \"friction\": 0.3, \"name\": \"c\", \"restitution\": 0.7}"));
  ssapp_document_undo (document);

  /* Off, the plan forgets it; on, the plan knows it again, under its own name. */
  SS_CHECK (ssapp_document_is_candidate (document, path));
  SS_CHECK (ssapp_document_set_contact_on (document, path, FALSE, NULL));
  SS_CHECK (scene_of (document)->n_contacts == 2 && !ssapp_document_is_candidate (document, path));
  SS_CHECK (has_text (document, "\"contacts\": [\"floor-d1\"]"));
  SS_CHECK (ssapp_document_set_contact_on (document, path, TRUE, NULL));
  SS_CHECK (ssapp_document_is_candidate (document, path));
  SS_CHECK (has_text (document, "\"contacts\": [\"floor-d1\", \"c\"]"));
  ssapp_document_undo (document);
  ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), LISTED);

  /* One that the file turns off. */
  SS_CHECK (ssapp_document_set_contact_on (document, "scene.contacts{box,d1}", TRUE, NULL));
  SS_CHECK (scene_of (document)->n_contacts == 4 && has_text (document, "{\"bodies\": [\"box\", \"d1\"]}"));
  SS_CHECK (ssapp_document_is_candidate (document, "scene.contacts{box,d1}"));
  SS_CHECK (ssapp_document_set_candidate (document, "scene.contacts{box,d1}", FALSE, NULL));
  SS_CHECK (!ssapp_document_is_candidate (document, "scene.contacts{box,d1}"));
  SS_CHECK (scene_of (document)->n_contacts == 4);

  /* What a family writes cannot be changed by itself, and what is not there cannot be turned on. */
  SS_CHECK (!ssapp_document_set_contact_on (document, "scene.contacts{floor,d1}", FALSE, &error));
  SS_CHECK_CONTAINS (error != NULL ? error->message : NULL, "by a rule");
  g_clear_error (&error);
  item = ssapp_document_get_item (document, "scene.contacts{floor,d1}");
  SS_CHECK (item != NULL && item->is_family);
  ssapp_item_free (item);
  SS_CHECK (!ssapp_document_set_contact_on (document, "scene.contacts{d1,d2}", TRUE, &error) && error != NULL);
  g_clear_error (&error);
  ssapp_document_select_item (document, "scene.contacts{d1,d2}");
  SS_CHECK (ssapp_document_get_selected_item (document) == NULL);
}

/* A plan that knows all contacts names the others when one is taken out. */
static void
test_candidates_of_all (void)
{
  g_autoptr (SsappDocument) document = open_text (ALL);

  SS_CHECK (!ssapp_document_is_candidate (document, "scene.contacts{box,disc}")); /* there is no plan */
  SS_CHECK (ssapp_document_add_target (document, "box", NULL));
  SS_CHECK (ssapp_document_is_candidate (document, "scene.contacts{box,disc}"));
  SS_CHECK (ssapp_document_set_candidate (document, "scene.contacts{box,disc}", FALSE, NULL));
  SS_CHECK (has_text (document, "\"contacts\": [\"floor-box\", \"floor-disc\"]"));
  SS_CHECK (scene_of (document)->n_contacts == 3);
  SS_CHECK (ssapp_document_get_scenario (document)->task.plan->n_candidates == 2);
  SS_CHECK (ssapp_document_set_candidate (document, "scene.contacts{disc,box}", TRUE, NULL));
  SS_CHECK (ssapp_document_get_scenario (document)->task.plan->n_candidates == 3);
}

/* Bodies held together by a pin do not touch under "all"; an entry that says that they do stays, bare as it is. */
static void
test_entry_of_joined_bodies_stays (void)
{
  g_autoptr (SsappDocument) document = open_text (ALL);
  SsVec2 at = {0.3, 1};

  SS_CHECK (move_body (document, "disc", -1.6, 0, NULL));
  SS_CHECK (ssapp_document_add_joint (document, SSAPP_JOINT_PIN, at, at, 0.01, NULL));
  SS_CHECK (ssapp_document_find_contact (document, "scene.contacts{box,disc}") == -1);
  SS_CHECK (ssapp_document_set_field (document, "scene.contacts{box,disc}.friction", "0.2", "", NULL));
  SS_CHECK (ssapp_document_find_contact (document, "scene.contacts{box,disc}") >= 0);
  SS_CHECK (ssapp_document_clear_field (document, "scene.contacts{box,disc}.friction", NULL));
  SS_CHECK (ssapp_document_find_contact (document, "scene.contacts{box,disc}") >= 0);
}

/* ---- materials --------------------------------------------------------------------------------------------------- */

static void
test_new_material (void)
{
  g_autoptr (SsappDocument) document = open_text (ALL);
  g_auto (GStrv) names = NULL;
  g_autofree char *material = NULL;

  SS_CHECK (ssapp_document_add_material (document, -1, NULL));
  SS_CHECK_STR (ssapp_document_get_selected_item (document), "scene.materials.material");
  SS_CHECK (has_text (document, "\"materials\": {\"material\": {\"friction\": 0.5, \"restitution\": 0.1}}"));
  check_derived (document, "scene.materials.material.stiffness", "rigid");
  check_derived (document, "scene.materials.material.friction", "0.5");
  ssapp_document_select (document, "box");
  SS_CHECK (ssapp_document_add_material (document, 1, NULL));
  SS_CHECK (ssapp_document_get_selected (document) == NULL);
  SS_CHECK_STR (ssapp_document_get_selected_item (document), "scene.materials.material-2");
  material = ssapp_document_get_material (document, 1);
  SS_CHECK_STR (material, "material-2");
  names = ssapp_document_list_materials (document);
  SS_CHECK (g_strv_length (names) == 2);
  SS_CHECK (ssapp_document_set_field (document, "scene.materials.material-2.friction", "0.08", "", NULL));
  /* The geometric mean of 0.08 and the scene's 0.5 is 0.2. */
  SS_CHECK_NEAR (contact_at (document, "scene.contacts{floor,box}")->mu, 0.2, 1e-15);
  check_derived (document, "scene.contacts{floor,box}.friction", "0.2");
  SS_CHECK (ssapp_document_set_material (document, 0, "material-2", NULL));
  SS_CHECK_STR (ssapp_document_get_undo_label (document), "Make floor of material-2");
  SS_CHECK_NEAR (contact_at (document, "scene.contacts{floor,box}")->mu, 0.08, 0);
  SS_CHECK (ssapp_document_set_material (document, 0, NULL, NULL));
  SS_CHECK (ssapp_document_set_material (document, 1, NULL, NULL));
  SS_CHECK_NEAR (contact_at (document, "scene.contacts{floor,box}")->mu, 0.5, 0);
  SS_CHECK (!ssapp_document_set_material (document, 0, "gold", NULL));
  for (int i = 0; i < 6; i++)
    ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), ALL);
  SS_CHECK_STR (ssapp_document_get_undo_label (document) != NULL ? "more" : "none", "none");
}

static void
test_rename_and_delete_materials (void)
{
  g_autoptr (SsappDocument) document = open_text (MATERIALS);
  g_autoptr (GError) error = NULL;

  SS_CHECK_NEAR (contact_at (document, "scene.contacts{floor,box}")->mu, 0.2, 0);
  ssapp_document_select_item (document, "scene.bodies[0]"); /* as a body: there are no rows for it as an item */
  SS_CHECK (ssapp_document_get_selected_index (document) == 0 && ssapp_document_get_selected_item (document) == NULL);
  ssapp_document_select_item (document, "scene.materials.iron"); /* there is none */
  SS_CHECK (ssapp_document_get_selected_item (document) == NULL);
  ssapp_document_select_item (document, "scene.materials.rubber");
  SS_CHECK (ssapp_document_rename_material (document, "rubber", " gum ", NULL));
  SS_CHECK_STR (ssapp_document_get_selected_item (document), "scene.materials.gum");
  SS_CHECK (!has_text (document, "rubber"));
  SS_CHECK (has_text (document,
                      "{\"ice\": {\"friction\": 0.04}, \"gum\": {\"friction\": 0.9}, \"wood\": {")); /* in its place */
  SS_CHECK_NEAR (contact_at (document, "scene.contacts{floor,box}")->mu, 0.2, 0); /* the pair follows */
  SS_CHECK_NEAR (contact_at (document, "scene.contacts{box,d1}")->mu, 0.9, 0);    /* the family too */
  ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), MATERIALS);
  SS_CHECK_STR (ssapp_document_get_selected_item (document), "scene.materials.rubber");

  SS_CHECK (!ssapp_document_rename_material (document, "rubber", "wood", &error));
  SS_CHECK_CONTAINS (error != NULL ? error->message : NULL, "already");
  g_clear_error (&error);
  SS_CHECK (!ssapp_document_rename_material (document, "rubber", "two words", &error) && error != NULL);
  g_clear_error (&error);
  SS_CHECK (!ssapp_document_rename_material (document, "gold", "silver", &error) && error != NULL);
  g_clear_error (&error);
  SS_CHECK_STR (ssapp_document_get_text (document), MATERIALS);

  /* Deleting takes bodies and pairs along. */
  SS_CHECK (ssapp_document_remove_item (document, "scene.materials.rubber", NULL));
  SS_CHECK (!has_text (document, "rubber") && has_text (document, "[\"wood\", \"wood\"]"));
  SS_CHECK (ssapp_document_get_selected_item (document) == NULL);
  /* No material meets ice: the geometric mean of 0.5 and 0.04. */
  SS_CHECK_NEAR (contact_at (document, "scene.contacts{floor,box}")->mu, sqrt (0.02), 1e-15);
  SS_CHECK (ssapp_document_remove_item (document, "scene.materials.wood", NULL));
  SS_CHECK (!has_text (document, "material_pairs"));
  SS_CHECK (ssapp_document_remove_item (document, "scene.materials.ice", NULL));
  SS_CHECK (!has_text (document, "\"materials\": {") && !has_text (document, "\"material\""));
  for (int i = 0; i < 3; i++)
    ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), MATERIALS);
}

static void
test_lists (void)
{
  g_autoptr (SsappDocument) document = open_text (MATERIALS);
  g_autoptr (GPtrArray) materials = ssapp_document_list_items (document, "scene.materials"),
                        pairs = ssapp_document_list_items (document, "scene.material_pairs"),
                        fields = ssapp_document_list_fields (document, "scene.materials.rubber"),
                        of_contact = ssapp_document_list_fields (document, "scene.contacts{box,d1}");
  const SsappItem *item;

  SS_CHECK (materials->len == 3 && pairs->len == 2 && fields->len == 4 && of_contact->len == 10);
  item = g_ptr_array_index (materials, 1);
  SS_CHECK_STR (item->path, "scene.materials.rubber");
  SS_CHECK_STR (item->kind, "material");
  SS_CHECK_STR (item->detail, "3 bodies");
  item = g_ptr_array_index (pairs, 0);
  SS_CHECK_STR (item->name, "rubber – ice");
  SS_CHECK_STR (((const SsappField *)g_ptr_array_index (of_contact, 0))->path, "scene.contacts{box,d1}.friction");
  SS_CHECK_STR (((const SsappField *)g_ptr_array_index (fields, 2))->path, "scene.materials.rubber.stiffness");
  check_derived (document, "scene.materials.wood.friction", "0.5");
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

/* What follows from other fields is that of the present scenario. */
/* A contact without formulas of its own shows the scene's; with one of its own, none of these. */
static void
test_formulas_of_the_scene (void)
{
  static const char stiffness[] = "scene.contacts{plate,slow}.compliance.stiffness";
  g_autofree char *path = g_build_filename (SS_SOURCE_ROOT, "examples/classics/hunt-crossley.stickslip.json", NULL);
  g_autoptr (SsappDocument) document = ssapp_document_new ();

  SS_CHECK (ssapp_document_load_file (document, path, NULL));
  g_autofree char *shown = ssapp_document_get_derived (document, stiffness);
  SS_CHECK_STR (shown, "k*sqrt(depth)");
  SS_CHECK (ssapp_document_set_field (document, "scene.contacts{plate,slow}.compliance.damping", "3*depth", "", NULL));
  g_autofree char *after = ssapp_document_get_derived (document, stiffness);
  SS_CHECK (after == NULL);
  SS_CHECK (ssapp_document_clear_field (document, "scene.contacts{plate,slow}.compliance.damping", NULL));
  SS_CHECK (ssapp_document_get_scenario (document)->scene->contacts[0].compliance == NULL); /* {}: none */
}

static void
test_derived_values_are_fresh (void)
{
  g_autoptr (SsappDocument) document = open_text (ALL);

  /* m (w2 + h2)/12 of 2 kg, 1 m, 0.5 m; then of 4 kg; then of 4 kg, 2 m. */
  check_derived (document, "scene.bodies[1].inertia", "0.2083");
  SS_CHECK (ssapp_document_set_field (document, "scene.bodies[1].mass", "4", "", NULL));
  check_derived (document, "scene.bodies[1].inertia", "0.4167");
  SS_CHECK (ssapp_document_set_field (document, "scene.bodies[1].shape.width", "2", "", NULL));
  check_derived (document, "scene.bodies[1].inertia", "1.417");
  ssapp_document_undo (document);
  check_derived (document, "scene.bodies[1].inertia", "0.4167");
  SS_CHECK (ssapp_document_get_derived (document, "scene.bodies[1].mass") == NULL);
  SS_CHECK (ssapp_document_get_derived (document, "scene.bodies[9].inertia") == NULL);
  SS_CHECK (ssapp_document_get_derived (document, "task.steps") == NULL);
  SS_CHECK (ssapp_document_add_target (document, "box", NULL));
  SS_CHECK (ssapp_document_clear_field (document, "task.steps", NULL));
  check_derived (document, "task.steps", "100"); /* 1 s by 0.01 s */
  SS_CHECK (ssapp_document_set_field (document, "task.dt", "0.02", "", NULL));
  check_derived (document, "task.steps", "50");
}

static void
test_title_and_name (void)
{
  g_autoptr (SsappDocument) document = open_text (ALL);
  g_autoptr (GError) error = NULL;

  SS_CHECK_STR (ssapp_document_get_title (document), "all");
  SS_CHECK (ssapp_document_set_text (document, "title", " 2 ", NULL)); /* a text, though it looks like a number */
  SS_CHECK_STR (ssapp_document_get_title (document), "2");
  SS_CHECK_STR (ssapp_document_get_undo_label (document), "Set title");
  SS_CHECK (ssapp_document_set_text (document, "name", "study-1", NULL));
  SS_CHECK_STR (ssapp_document_get_name (document), "study-1");
  SS_CHECK (!ssapp_document_set_text (document, "name", "two words", &error) && error != NULL);
  SS_CHECK_STR (ssapp_document_get_name (document), "study-1");
  SS_CHECK (ssapp_document_clear_field (document, "title", NULL));
  SS_CHECK_STR (ssapp_document_get_title (document), "study-1");
  for (int i = 0; i < 3; i++)
    ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), ALL);
}

int
main (void)
{
  SS_RUN (test_a_contact_of_all);
  SS_RUN (test_on_and_off_beside_all);
  SS_RUN (test_listed_contacts);
  SS_RUN (test_candidates_of_all);
  SS_RUN (test_entry_of_joined_bodies_stays);
  SS_RUN (test_new_material);
  SS_RUN (test_rename_and_delete_materials);
  SS_RUN (test_lists);
  SS_RUN (test_formulas_of_the_scene);
  SS_RUN (test_derived_values_are_fresh);
  SS_RUN (test_title_and_name);
  return ss_test_finish ();
}
