/* app/study/ssapp-study-private.h: shared by the parts of a study's definition. Not for others. */
#pragma once

#include "app/study/ssapp-study.h"
#include "scene/ss-scenario.h"

G_BEGIN_DECLS

/* FALSE and an error of G_IO_ERROR_INVALID_ARGUMENT. */
gboolean ssapp_study_fail (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* The values of `text` into `axis`, whose kind is known: form, values, from, to. */
gboolean ssapp_study_axis_read_values (SsappStudyAxis *axis, const char *text, GError **error);
SsappStudyAxis *ssapp_study_axis_new (SsappAxisKind kind, const char *name);
SsappStudyAxis *ssapp_study_axis_copy (const SsappStudyAxis *axis);
void ssapp_study_axis_free (SsappStudyAxis *axis);

/* As ssapp_study_check, but its methods need not be here: it is looked at and not run. */
gboolean ssapp_study_check_kept (const SsappStudy *self, GError **error);

/* A method with options (of char *, as many names as values); `kind` SS_METHOD_KIND_COUNT: as the others of the study,
 * `label` NULL: made of name and options. */
gboolean ssapp_study_add_method_with (SsappStudy *self, SsMethodKind kind, const char *name, GPtrArray *names,
                                      GPtrArray *values, const char *label, GError **error);
/* Whether its methods are of that kind; not without any. */
gboolean ssapp_study_is_of (const SsappStudy *self, SsMethodKind kind);
/* What a name means; FALSE and an error that says what there is. */
gboolean ssapp_study_resolve (const SsScenario *scenario, const char *name, SsappAxisKind *kind, GError **error);
/* Whether a value of the axis can be: range of a parameter, step above 0, ... Options: of the methods of the study. */
gboolean ssapp_study_check_value (const SsappStudy *self, const SsScenario *scenario, const SsappStudyAxis *axis,
                                  const char *value, GError **error);
/* The table that has the option: the method's own, or that of the transcriptions of plans. */
const SsOptionTable *ssapp_study_option_table (const SsMethod *method, const char *name);
/* Name of the option without "METHOD."; NULL when the method has none of that name. Borrowed from `name`. */
const char *ssapp_study_own_option (const SsMethod *method, const char *name);
/* Numbers that RANGE axes draw, as texts; NULL-terminated; g_strfreev. */
char **ssapp_study_draw_values (const SsappStudy *self, const SsappStudyAxis *axis);

/* Unit of a number of a scene by its name, "m/s" of "box1.vx"; NULL: it has none. Static. */
const char *ssapp_study_number_unit (const char *name);

G_END_DECLS
