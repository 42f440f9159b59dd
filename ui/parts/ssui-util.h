/* ui/parts/ssui-util.h: small things every widget needs: drawing style from the theme, chips, number texts, accessible
 * names. */
#pragma once

#include <adwaita.h>

#include "app/draw/ssapp-draw.h"
#include "judge/ss-metric.h"

G_BEGIN_DECLS

#define SSUI_APP_ID        "org.stickslip.Stickslip"
#define SSUI_RESOURCE_PATH "/org/stickslip/Stickslip"

/* Palette and font of the widget's theme, at its font size. */
void ssui_style_init (SsappStyle *style, GtkWidget *widget);
void ssui_set_label (GtkWidget *widget, const char *label); /* accessible name        */
/* Of a GtkDropDown or GtkMenuButton and of the button inside, which has the focus. */
void ssui_label_drop_down (GtkWidget *drop_down, const char *label);
/* Of texts, which are cut where there is no room for them, down to that many characters; tips have them whole. */
void ssui_cut_drop_down (GtkWidget *drop_down, int least_chars);
/* The whole text of a label, or of the label inside that the pointer is over, is its tooltip while it is cut. */
void ssui_tip_when_cut (GtkWidget *widget);
/* Shows in an entry what it stands for. While that stays the same, what is being typed stays too.
 * The entry's data "shown" is the text; what differs from it was typed. */
void ssui_follow_text (GtkWidget *entry, const char *text);
/* The menu of a GtkMenuButton. One that says the same as the menu before changes nothing: GTK closes a menu that is
 * open when another one takes its place, under the pointer of who reads it. */
void ssui_set_menu (GtkWidget *button, GMenu *menu);
/* A row to choose a text from a list. `list` is taken. */
GtkWidget *ssui_combo_row_new (const char *title, GtkStringList *list);
void ssui_set_description (GtkWidget *widget, const char *description); /* accessible description */
/* A tooltip that may be what it was: at each that is set GTK asks the display's server where the pointer is. NULL:
 * none. */
void ssui_set_tip (GtkWidget *widget, const char *tip);

/* What was typed into an entry is wrong, said by its colour, its tooltip and to assistive technology; NULL: it is
 * right. */
void ssui_show_mistake (GtkWidget *entry, const char *message);
/* Direct children that no template child binding lets go of; for dispose. */
void ssui_unparent_children (GtkWidget *widget);
void ssui_empty (GtkWidget *container); /* a GtkBox or a GtkListBox: removes its children */
/* Before children of `container` are removed while people work: no widget that has the keyboard focus may go, as GTK
 * would look for another one among those that are going. What was typed is committed by this. Whether one had it. */
gboolean ssui_take_focus_from (GtkWidget *container);

/* A flat button with an icon, its name as tooltip too; "clicked" calls back with `object` first, while that lives. */
GtkWidget *ssui_icon_button_new (const char *icon, const char *name, GCallback callback, gpointer object);

/* Words and style class of an outcome ("solved", ..., NULL = not started, "running"). */
const char *ssui_outcome_label (const char *outcome);
const char *ssui_outcome_class (const char *outcome);
/* A chip: box with icon and label; set again whenever the outcome changes. `text` overrides the outcome's word. */
GtkWidget *ssui_chip_new (void);
void ssui_chip_set (GtkWidget *chip, const char *outcome, const char *text);

const char *ssui_item_icon (const char *kind); /* of an entry of a scene: "pin", "goal", ... */
/* Keeps the value, which is taken if floating, unless that is what is kept: some backends tell of every write, of one
 * that changes nothing too, and who writes what they tell writes for ever. No settings, NULL: nothing. */
void ssui_settings_keep (GSettings *settings, const char *key, GVariant *value);

/* A text marked with N_ in the language of the window; NULL and "" stay, which gettext would answer with its header. */
const char *ssui_translate (const char *text);
GtkStringList *ssui_strings_new (const char *const *words); /* words marked with N_, up to NULL, translated; owned */
char *ssui_number (double value);                           /* "6.931", "2.8·10⁻⁷", "–" if unknown */
char *ssui_seconds (double value);                          /* "0.43 s"                            */
char *ssui_distance (double metres);                        /* "3.8 mm", "0.44 m", "0.12 µm", "–"  */
/* A metric with the digits that the table gives it, without unit; "–" if unknown. */
char *ssui_metric (SsMetric metric, double value);
/* The label in a button's content gives way in its middle, and is naturally no longer than so many characters. */
void ssui_let_shrink (GtkWidget *widget, int most_chars);
/* Titles of these columns to the right, over their numbers. */
void ssui_align_headers (GtkColumnView *view, gboolean (*is_number) (int column));
void ssui_align_header (GtkWidget *title); /* one of them */
char *ssui_first_line (const char *text);
/* The pixels of an image surface of ARGB32, copied; a new reference. */
GdkTexture *ssui_texture_new (cairo_surface_t *surface);
/* Such a surface as a picture of that size [px], which it keeps; a new reference. For what lies below something that
 * moves: of a texture GTK's Cairo renderer turns every pixel into numbers and back in each frame. */
GskRenderNode *ssui_picture_new (cairo_surface_t *surface, int width, int height);

G_END_DECLS
