/* app/store/ssapp-store-method.h: methods of the user's own that a project keeps (job/ssapp-own-kept.h), each a text
 * among those of scenarios, which no run has. Nothing here makes one run.
 *
 * All calls on the store's thread. Tests: tests/cli/test-your-method.py */
#pragma once

#include "app/store/ssapp-store.h"

G_BEGIN_DECLS

/* Keeps a text of ssapp_own_keep; one that is there already stays. */
gboolean ssapp_store_keep_method (SsappStore *self, const char *text, GError **error);
/* The texts that are kept, of char *, in the order of their hashes; free function set. Damaged ones are left out. */
GPtrArray *ssapp_store_list_methods (SsappStore *self, GError **error);

G_END_DECLS
