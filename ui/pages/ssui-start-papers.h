/* ui/pages/ssui-start-papers.h: the papers on the start page: a card a paper, its figures and tables as thumbnails,
 * which open the window of that figure. Pictures are those of the user's folder (ssapp_paper_cache) where it has them,
 * else those that come with the program (data/papers/thumbnails). Looked at in tests/ui/test_reference.py
 */
#pragma once

#include "ui/parts/ssui-util.h"

G_BEGIN_DECLS

/* All of them, pictures still empty. */
GtkWidget *ssui_start_papers_new (void);
/* Shows those that the words find; whether there are any. */
gboolean ssui_start_papers_filter (GtkWidget *papers, const char *search);
/* Loads the next picture; FALSE: all are there. */
gboolean ssui_start_papers_load_next (GtkWidget *papers);
/* Looks again what the user's folder has: after a figure was made. */
void ssui_start_papers_renew (GtkWidget *papers);

G_END_DECLS
