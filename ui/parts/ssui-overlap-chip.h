/* ui/parts/ssui-overlap-chip.h: a chip that says how many bodies of a sketch overlap, with their list: a click on one
 * selects its body, a button parts them all. "No errors" where none do. */
#pragma once

#include <adwaita.h>

#include "app/document/ssapp-document.h"

G_BEGIN_DECLS

#define SSUI_TYPE_OVERLAP_CHIP (ssui_overlap_chip_get_type ())
G_DECLARE_FINAL_TYPE (SsuiOverlapChip, ssui_overlap_chip, SSUI, OVERLAP_CHIP, GtkWidget)

void ssui_overlap_chip_set_document (SsuiOverlapChip *self, SsappDocument *document);

G_END_DECLS
