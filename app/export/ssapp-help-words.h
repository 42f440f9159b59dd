/* app/export/ssapp-help-words.h: CommonMark of the manual as trees, and where its links lead. For export alone. */
#pragma once

#include "app/export/ssapp-help.h"

#include <cmark-gfm.h>

G_BEGIN_DECLS

/* cmark_node_free. */
cmark_node *ssapp_help_parse (const SsappHelpPage *page);
/* The page to which a link of `page` leads, borrowed; NULL: it leads out of the manual. `*anchor` is what stands behind
 * the #, in the link's text, or NULL. */
const SsappHelpPage *ssapp_help_follow (GPtrArray *pages, const SsappHelpPage *page, const char *link,
                                        const char **anchor);
/* What a heading is called in links, as GitHub calls it: small letters, hyphens for spaces; g_free. */
char *ssapp_help_anchor (cmark_node *heading);

G_END_DECLS
