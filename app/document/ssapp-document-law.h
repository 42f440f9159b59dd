/* app/document/ssapp-document-law.h: where the values of a contact come from, overriding them, pairs of materials, who
 * uses a material, going from contact to contact. The rule is the engine's (ss_scene_value_of_materials). See
 * app/document/ssapp-document.h for the document; main thread only. Tests: tests/unit/test-document-law.c */
#pragma once

#include "app/document/ssapp-document.h"

G_BEGIN_DECLS

/* The value by its name in files ("friction"); SS_MATERIAL_VALUES: it is none. */
SsMaterialValue ssapp_material_value_from_name (const char *name);
const char *ssapp_material_value_label (SsMaterialValue which);  /* "Friction µ"; static */
const char *ssapp_material_value_symbol (SsMaterialValue which); /* "µ"; static          */

/* ---- sources of a contact's value ---- */
typedef struct {
  SsValueSource source;
  char *title;          /* "This contact", "Pair steel – wood", "Materials steel, wood" */
  char *item;           /* entry of the file to go to, as of ssapp_document_select_item; NULL */
  char *text;           /* "0.3"; "" where the source says nothing                      */
  gboolean is_in_force; /* exactly one of a list is                                     */
  gboolean can_change;  /* this contact: its value can be set or removed by itself      */
} SsappLawSource;
/* All that may say it, the first that does being in force; the pair only where both bodies have a material, the
 * materials where one has. NULL for a contact that is off. Free with g_ptr_array_unref. */
GPtrArray *ssapp_document_list_sources (SsappDocument *self, const char *contact, SsMaterialValue which);
/* Of a field of a contact ("scene.contacts{floor,box}.friction"): "contact", "pair", "material", "scene"; NULL for
 * other fields, and for a stiffness or damping that nobody says: that is the method's. Static. */
const char *ssapp_document_name_source (SsappDocument *self, const char *path);
/* The contact says the value itself from now on, what it is now; FALSE with an error where it cannot. */
gboolean ssapp_document_set_here (SsappDocument *self, const char *contact, SsMaterialValue which, GError **error);
/* It no longer does. */
gboolean ssapp_document_follow (SsappDocument *self, const char *contact, SsMaterialValue which, GError **error);

/* ---- pairs of materials ---- */
/* What the file says of two materials, as in an entry; NULL: nothing. Caller frees. */
char *ssapp_document_get_pair (SsappDocument *self, const char *a, const char *b, SsMaterialValue which);
/* What holds while it says nothing. Caller frees. */
char *ssapp_document_get_pair_derived (SsappDocument *self, const char *a, const char *b, SsMaterialValue which);
/* A number or formula; blank takes it out. An entry of the pair is made where there is none, and goes when nothing is
 * left of it. */
gboolean ssapp_document_set_pair (SsappDocument *self, const char *a, const char *b, SsMaterialValue which,
                                  const char *text, GError **error);
/* Whether the two are the materials of the contact's bodies. */
gboolean ssapp_document_is_pair_of (SsappDocument *self, const char *contact, const char *a, const char *b);

/* ---- more ---- */
/* "box, floor", "5 bodies", "unused". Caller frees. */
char *ssapp_document_describe_users (SsappDocument *self, const char *material);
/* Selects the next contact (direction 1) or the one before (-1) of those that are on; from a body its first one. FALSE:
 * there is none. */
gboolean ssapp_document_select_next_contact (SsappDocument *self, int direction);

G_END_DECLS
