/* ui/window/ssui-window-private.h: the window's fields, and its files from below: pages (-pages), what all of them ask
 * for (-core), a file (-chooser), commands by subject, their table (-actions), the window itself (ssui-window.c). */
#pragma once

#include "ui/pages/ssui-compare-page.h"
#include "ui/pages/ssui-impact-page.h"
#include "ui/pages/ssui-project-page.h"
#include "ui/pages/ssui-run-page.h"
#include "ui/pages/ssui-sketch-page.h"
#include "ui/pages/ssui-start-page.h"
#include "ui/pages/ssui-study-page.h"
#include "ui/parts/ssui-context-menu.h"
#include "ui/parts/ssui-guide-bar.h"
#include "ui/parts/ssui-page-tabs.h"
#include "ui/window/ssui-window.h"

G_BEGIN_DECLS

typedef void (*SsuiWindowThen) (SsuiWindow *self, const char *argument);

struct _SsuiWindow {
  AdwApplicationWindow parent_instance;
  AdwToastOverlay *toasts;
  GtkStack *mode;      /* the start page, or "work": */
  AdwViewStack *pages; /* all others */
  SsuiPageTabs *tabs;
  AdwViewSwitcherBar *switcher_bar;
  SsuiGuideBar *guide_bar;
  GMenu *primary_menu, *recent_menu, *edit_menu, *tutorials;
  GtkWidget *start_title, *place; /* place: name over project */
  GtkLabel *place_name, *place_project;
  GMenu *exports, *export_figures, *export_tables; /* filled from the table of plots */
  GtkWidget *open, *undo, *redo, *history, *run, *export, *menu, *edit_buttons, *study_go, *act,
      *slot; /* holds the one action that is next: `next` of a page */
  AdwButtonContent *run_content, *study_go_content, *act_content;
  SsappSession *session;
  GSettings *settings;                       /* NULL when the schema is not installed */
  GtkFileChooserNative *chooser;             /* while one is open */
  SsuiWindowThen chooser_then;               /* what to do with the file chosen */
  char *answer;                              /* to its question, while that is done; NULL if none was asked */
  GPtrArray *impact_keepings;                /* what waits for all samples of the set of impacts */
  GCancellable *time_search;                 /* while a time of the plan is looked for */
  GCancellable *film;                        /* while one is being drawn */
  gboolean film_is_page;                     /* it is a web page         */
  AdwToast *film_toast;                      /* says so */
  int film_percent;                          /* drawn of it; set by the thread that draws */
  guint film_look;                           /* looks at that; 0: no film is drawn */
  GtkWidget *last_focus, *focus_before_menu; /* weak, nullable */
  GtkWidget *lost_dialog;                    /* weak: asks where to save a project whose file is gone; nullable */
  GtkWidget *paper_window, *accuracy_window, *fit_window; /* weak, nullable: ssui-window-reference.c */
  int header_width;                                       /* px, for which the header is laid out */
  guint state_idle, state_late, narrow_idle, focus_idle, state_rest;
  gboolean is_announced;          /* the bus has been told of the status */
  gboolean state_waits;           /* for the end of the rest */
  SsappGuide guide;               /* the tutorial under way */
  int n_exports;                  /* files written */
  char *told;                     /* the last message; NULL: none */
  gboolean is_narrow, was_narrow; /* the pages know: was_narrow */
  gboolean may_close;             /* the user has been asked */
  gboolean closes_when_ended;     /* and the runs are being stopped */
  gboolean closes_when_saved;     /* and the project is saved elsewhere */
};

#define UNDO_TOAST_SECONDS 12 /* what offers a way back stays longer than a mere message */

/* A command: an action of the window. The first fields are those of GActionEntry; `when`: it can be used, NULL: always.
 * With its keys, and how the list of keys calls it. Rows that do nothing are keys, or lines of menus, of an action
 * of that name which another row or a page adds. */
typedef struct {
  const char *name;
  void (*activate) (GSimpleAction *action, GVariant *parameter, gpointer data);
  const char *parameter_type, *state;
  void (*change_state) (GSimpleAction *action, GVariant *value, gpointer data);
  gboolean (*when) (SsuiWindow *self);
  const char *keys;   /* as in SsuiKey; NULL: none */
  const char *target; /* what they give it, as in a detailed name: "::figure", "(1)"; NULL: nothing */
  SsuiKeyGroup group;
  const char *title;   /* NULL: not in the list */
  const char *label;   /* in menus; NULL: in none */
  SsuiMenuGroup menus; /* what of context menus it stands in, with the target of the menu, else of the row */
} SsuiCommand;

/* The commands of a subject, in the file of that name; `set_up`: what it does once they are there, NULL: nothing; keys
 * of the sheet while nobody types, NULL: none. */
typedef struct {
  const SsuiCommand *commands;
  int n_commands;
  void (*set_up) (SsuiWindow *self);
  const SsuiKey *keys;
} SsuiSubject;

extern const SsuiSubject ssui_picture_commands, ssui_edit_commands, ssui_contact_commands, ssui_place_commands,
    ssui_selection_commands, ssui_shape_commands, ssui_impact_commands, ssui_study_commands, ssui_motion_commands,
    ssui_log_commands, ssui_welcome_commands, ssui_sketch_commands, ssui_run_commands, ssui_smaller_commands,
    ssui_away_commands, ssui_method_commands, ssui_reference_commands, ssui_channel_commands, ssui_file_commands,
    ssui_start_commands, ssui_export_commands, ssui_text_commands, ssui_provenance_commands;

#define ACTION(name) static void name (GSimpleAction *action, GVariant *parameter, gpointer data)
#define UNUSED_ACTION                                                                                                  \
  (void)action;                                                                                                        \
  (void)parameter

/* ssui-window-header.c */
void ssui_window_init_header (SsuiWindow *self);   /* once */
void ssui_window_update_header (SsuiWindow *self); /* after a change of the width, or of start page and work */
void ssui_window_update_slot (SsuiWindow *self);

/* ssui-window-reference.c */
/* Opens the window of the fit with one more measured motion; FALSE with an error where the file is none. */
gboolean ssui_window_fit_motion (SsuiWindow *self, const char *path, GError **error);

/* ssui-window-pages.c */
extern const SsuiPage *const ssui_pages[];               /* ends with a NULL */
const SsuiPage *ssui_page_find (const char *name);       /* NULL: there is none */
void ssui_window_add_pages (SsuiWindow *self);           /* once; makes none of them */
const SsuiPage *ssui_window_get_page (SsuiWindow *self); /* on show */
/* A page is made when it is first seen, or when a command first gets it or its parts; then "page-made" is emitted.
 * What only looks, finds: NULL, no parts, before that. Widgets are borrowed. */
GtkWidget *ssui_window_get_widget (SsuiWindow *self, const SsuiPage *page);
GtkWidget *ssui_window_find_widget (SsuiWindow *self, const SsuiPage *page);
SsuiPageParts ssui_window_get_parts (SsuiWindow *self, const SsuiPage *page);
SsuiPageParts ssui_window_find_parts (SsuiWindow *self, const SsuiPage *page);
SsuiPageParts ssui_window_get_shown (SsuiWindow *self); /* found on the page on show */
/* What commands act on: of the page on show, else of the page in brackets. */
SsuiPageParts ssui_window_get_plots (SsuiWindow *self); /* plot_choice, channel_plots (the Run page) */
SsuiPageParts ssui_window_get_list (SsuiWindow *self);  /* table, search (the Project page) */
SsuiCanvas *ssui_window_get_canvas (SsuiWindow *self);  /* always of the Sketch page */
SsuiPlayer *ssui_window_get_player (SsuiWindow *self);  /* NULL: the page on show has none */
SsuiClock *ssui_window_get_clock (SsuiWindow *self);    /* NULL: the page on show has none */
/* What the command is on that page; NULL: what it is on the others. */
const char *ssui_page_own_command (const SsuiPage *page, const char *command);
gboolean ssui_window_pass_on (SsuiWindow *self,
                              const char *command); /* TRUE: the page on show has its own, which ran */

#define SKETCH_PAGE(self)  SSUI_SKETCH_PAGE (ssui_window_get_widget (self, &ssui_sketch_page))
#define RUN_PAGE(self)     SSUI_RUN_PAGE (ssui_window_get_widget (self, &ssui_run_page))
#define COMPARE_PAGE(self) SSUI_COMPARE_PAGE (ssui_window_get_widget (self, &ssui_compare_page))
#define IMPACT_PAGE(self)  SSUI_IMPACT_PAGE (ssui_window_get_widget (self, &ssui_impact_page))

/* ssui-window-core.c */
void ssui_window_show_page (SsuiWindow *self, const char *name);
void ssui_window_show_sketch (SsuiWindow *self);   /* another one: all of it, with the keys */
void ssui_window_rewind_sketch (SsuiWindow *self); /* editing shows the sketch, not a moment of an old motion */
/* Of what the page on show did itself, as a study's; NULL: nothing. */
const char *ssui_window_get_page_undo_label (SsuiWindow *self, gboolean redo);
/* Of that, else of the sketch's last edit; NULL: nothing. */
const char *ssui_window_get_undo_label (SsuiWindow *self, gboolean redo);
SsappDocument *ssui_window_get_document (SsuiWindow *self); /* borrowed */
void ssui_window_toast (SsuiWindow *self, const char *text);
/* With a button that does the window's action for `target` (NULL: for nothing), which is taken. */
void ssui_window_toast_button (SsuiWindow *self, const char *text, const char *label, const char *action,
                               GVariant *target);
/* What was done, with a way back: the window's action, for the text `target` unless that is NULL. */
void ssui_window_toast_undo (SsuiWindow *self, const char *text, const char *action, const char *target);
/* The sketch's last step of undo, with a way back until another step is made. */
void ssui_window_toast_undo_step (SsuiWindow *self, const char *text);
void ssui_window_fail (SsuiWindow *self, const char *heading, const char *message); /* short: toast; long: dialog */
void ssui_window_update_state (SsuiWindow *self);  /* "state-changed" now: who asked for it can read the answer */
gboolean ssui_window_has_scene (SsuiWindow *self); /* of bodies, not a model by equations */
gboolean ssui_window_has_selection (SsuiWindow *self);
void ssui_window_queue_state (SsuiWindow *self); /* titles, enabled actions: once, soon */

/* ssui-window-picture.c: a picture to lie under the sheet, from a file of any kind that GTK reads; FALSE: the file is
 * none, or no sheet is on show. */
gboolean ssui_window_take_picture (SsuiWindow *self, const char *path);

/* ssui-window-chooser.c */
/* One more thing to choose beside the file: answers and their labels, NULL-terminated. */
typedef struct SsuiQuestion SsuiQuestion;
struct SsuiQuestion {
  const char *title, *usual;
  const char *const *answers, *const *labels;
  const SsuiQuestion *next; /* NULL: it is the last */
};
/* `question` may be NULL; its answer is self->answer while `then` runs, those of several have colons between them. */
void ssui_window_choose_file (SsuiWindow *self, const char *title, GtkFileChooserAction action, const char *accept,
                              const char *name, const char *const *patterns, const SsuiQuestion *question,
                              SsuiWindowThen then);

/* ssui-window-focus.c: the keyboard focus stays where it is while the header bar is used */
void ssui_window_keep_focus (SsuiWindow *self);
void ssui_window_forget_focus (SsuiWindow *self); /* before the window goes */

/* ssui-window-actions.c */
extern const SsuiSubject *const ssui_subjects[];                            /* ends with a NULL */
void ssui_window_add_actions (SsuiWindow *self);                            /* once */
void ssui_window_add_page_actions (SsuiWindow *self, const SsuiPage *page); /* once it is made */
void ssui_window_update_actions (SsuiWindow *self);

/* ssui-window-welcome.c: tutorials, preferences, help */
/* The tutorial goes on by what was done; fills in where it stands. */
void ssui_window_notice (SsuiWindow *self, SsappSessionPlace *place);

void ssui_window_update_study (SsuiWindow *self); /* buttons of the header */

/* Shows the configuration of a stored run of an impact law on the Impact page, to be drawn again; FALSE: it is none. */
gboolean ssui_window_open_impact (SsuiWindow *self, const char *id);

/* TRUE: the keyboard is in the source, and that is where it was done. */
gboolean ssui_window_find_in_text (SsuiWindow *self);
gboolean ssui_window_undo_in_text (SsuiWindow *self, gboolean redo);
/* Before closing: TRUE where text is not applied, which is asked for. */
gboolean ssui_window_ask_unapplied (SsuiWindow *self);

/* Asks for a file and writes the runs (ids with commas, "": all) as a project of their own. */
void ssui_window_archive_dialog (SsuiWindow *self, const char *ids);

/* ssui-window-method.c: asks about the first method of the user's own beside a scenario's file that is not allowed;
 * TRUE: there is one, and `then` goes on after the answer. */
gboolean ssui_window_ask_methods (SsuiWindow *self, const char *path, SsuiWindowThen then);
/* The same about those that the open project keeps, one behind the other; path: the project's. */
void ssui_window_ask_kept_methods (SsuiWindow *self, const char *path);

/* ssui-window-robot.c: MJCF or URDF as a scene, or a dialog that says why not */
void ssui_window_open_robot (SsuiWindow *self, const char *path);

/* ssui-window-files.c */
/* Asks to save when there are unsaved changes, then goes on (or not). */
void ssui_window_after_saving (SsuiWindow *self, SsuiWindowThen then, const char *argument);
void ssui_window_new_sketch (SsuiWindow *self);
void ssui_window_open_example (SsuiWindow *self, const char *name);
/* What was stored is in no file any more, says the message: another one can be chosen. `closes`: then the window
 * goes. */
void ssui_window_ask_elsewhere (SsuiWindow *self, const char *message, gboolean closes);
gboolean ssui_window_close_request (SsuiWindow *self); /* TRUE: stay open (a question is up) */

void ssui_window_close_if_ended (SsuiWindow *self); /* after a run ended */

/* ssui-window-export.c */
GPtrArray *ssui_window_load_runs (SsuiWindow *self, const char *ids); /* of SsappRun; NULL after telling the user why */

G_END_DECLS
