/* ui/parts/ssui-inspector-private.h: the inspector's fields, and its files from below: rows (-rows), which of them are
 * needed (-signature), those of bodies (-body) and of other entries (-entry), the widget with those of the scenario
 * (ssui-inspector.c). */
#pragma once

#include "ui/parts/ssui-field-row.h"
#include "ui/parts/ssui-inspector.h"

G_BEGIN_DECLS

struct _SsuiInspector {
  GtkWidget parent_instance;
  GtkWidget *scroller, *icon, *title, *kind, *delete, *description, *groups;
  SsappDocument *document;
  GPtrArray *rows;           /* of SsuiFieldRow, borrowed from the tree */
  char *signature;           /* which fields the rows are for           */
  GtkWidget *list, *head;    /* group being filled, its heading         */
  GtkWidget *holds[4];       /* Fixed, x, y, θ of the body; NULL: none   */
  GtkWidget *material;       /* of the body; NULL: none                  */
  GtkWidget *on, *candidate; /* switches of the contact; NULL: none */
  GtkWidget *law;            /* sources of its values, pairs; NULL: none */
  SsappContactWatch *watch;
  GtkWidget *summary; /* of the task; NULL when not shown         */
  GtkWidget *mass;    /* words of the body; NULL when not shown    */
  GtkWidget *follows; /* whether its mass follows its size; the same */
  gboolean is_updating;
  gboolean is_building, is_stale; /* making rows; the document changed meanwhile */
};

/* ssui-inspector-rows.c */
/* A heading, with a button at its end if `action` is given, and a list below it: rows are added there. */
void ssui_inspector_begin_group_with (SsuiInspector *self, const char *title, const char *icon, const char *tip,
                                      const char *action, const char *target);
void ssui_inspector_begin_group (SsuiInspector *self, const char *title);
SsuiFieldRow *ssui_inspector_add_row (SsuiInspector *self, const char *title, const char *path, const char *unit,
                                      const char *fallback);
void ssui_inspector_add_text_row (SsuiInspector *self, const char *title, SsuiTextKind kind, const char *path);
void ssui_inspector_add_optional_row (SsuiInspector *self, const char *title, const char *path, const char *unit,
                                      const char *fallback);
/* A row that is no field: words, and something to press at the end. */
void ssui_inspector_add_control_row (SsuiInspector *self, const char *title, GtkWidget *control);
void ssui_inspector_add_fields (SsuiInspector *self, const char *path);     /* the numbers of an entry of the file */
GtkWidget *ssui_inspector_add_note (SsuiInspector *self, const char *text); /* words below the groups so far */
typedef struct {
  const char *icon, *label, *tip, *action, *target; /* target: NULL for none */
} SsuiInspectorCommand;
/* Buttons side by side, for what can be added. */
void ssui_inspector_add_commands (SsuiInspector *self, const SsuiInspectorCommand *commands, int n);

/* ssui-inspector-signature.c: changes exactly when other rows are needed; caller frees */
char *ssui_inspector_make_signature (SsappDocument *document);

/* ssui-inspector-body.c: `index` of the scene; refresh: after a change of values */
void ssui_inspector_build_body (SsuiInspector *self, int index);
void ssui_inspector_build_several (SsuiInspector *self);
void ssui_inspector_refresh_holds (SsuiInspector *self);
void ssui_inspector_refresh_material (SsuiInspector *self);
void ssui_inspector_refresh_mass (SsuiInspector *self);

/* ssui-inspector-entry.c */
void ssui_inspector_build_item (SsuiInspector *self, const char *path);
void ssui_inspector_refresh_contact (SsuiInspector *self);

G_END_DECLS
