/* app/ssapp-document-private.h: edits of a scenario as a JSON tree, shared by the files of the document. */
#pragma once

#include <gio/gio.h>
#include <jansson.h>

G_BEGIN_DECLS

/* The tree as text in the manner of the example files: what fits stays on one line, shortest decimals, order kept. Caller frees. */
char *ssapp_tree_write (const json_t *root);
/* Value at a path such as "scene.bodies[1].position[0]"; NULL if absent. Borrowed. */
json_t *ssapp_tree_get (json_t *root, const char *path);
/* Sets it (takes `value`); objects and arrays on the way are made, arrays filled with zeros. */
gboolean ssapp_tree_set (json_t *root, const char *path, json_t *value, GError **error);
/* As shown in an entry: number in `unit` ("deg" or ""), or the formula; NULL if absent. Caller frees. */
char *ssapp_tree_get_text (json_t *root, const char *path, const char *unit);

int ssapp_tree_find_body (json_t *root, const char *name); /* index in scene.bodies, -1 if absent */
char *ssapp_tree_unique_body_name (json_t *root, const char *stem);
/* Takes `body`. A scene that lists its contacts gets one with every other body (but not fixed with fixed). */
void ssapp_tree_add_body (json_t *root, json_t *body);
void ssapp_tree_remove_body (json_t *root, const char *name);                 /* and its contacts   */
void ssapp_tree_rename_body (json_t *root, const char *name, const char *to); /* also in contacts   */

G_END_DECLS
