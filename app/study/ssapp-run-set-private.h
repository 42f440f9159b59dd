/* app/study/ssapp-run-set-private.h: how a run set is put together (private to the room). */
#pragma once

#include "app/study/ssapp-run-set.h"

G_BEGIN_DECLS

/* Without axes, methods and items. */
SsappRunSet *ssapp_run_set_new_empty (void);
/* Added to the set; its values follow. */
SsappRunAxis *ssapp_run_set_add_axis (SsappRunSet *self, const char *name, const char *title, gboolean is_number,
                                      guint n_values);
void ssapp_run_set_add_method (SsappRunSet *self, SsMethodId id, const char *label);
/* Places NULL: to be filled; n_axes of them. The row is borrowed. */
SsappRunItem *ssapp_run_set_add_item (SsappRunSet *self, const SsappRunRow *row);
/* What a row says of the state of a run. */
SsappRunState ssapp_run_state_of_row (const SsappRunRow *row);
/* "mu" as "μ", other names as they are; static or `name`. */
const char *ssapp_run_axis_symbol (const char *name);
void ssapp_run_axis_free (SsappRunAxis *axis); /* NULL is allowed */
/* Numbers as people read them, with as many digits as tell them apart. */
void ssapp_run_axis_write_texts (SsappRunAxis *axis);
/* Once all items are there: problems, labels that differ, looks. */
void ssapp_run_set_finish (SsappRunSet *self);

G_END_DECLS
