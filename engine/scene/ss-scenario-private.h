/* engine/scene/ss-scenario-private.h: what the files of the scenario reader share.
 *
 * Reading goes top down through the JSON tree. A SsJsonAt is one place of it and lives on the C stack: it knows its
 * parent, hence its path, and its node in a table of lines made by one scan over the text. Problems are collected and
 * reading goes on, so that all of them are reported; a value that cannot be read leaves a harmless default behind, and
 * what follows from a reported problem is not reported again.
 */
#pragma once

#include "scene/ss-scenario.h"
#include "scene/ss-view.h"

#include <jansson.h>

/* ---- limits (each keeps a hostile or mistaken file from exhausting time or memory) ------------------------------- */

enum {
  SS_NAME_MAX = 64,                  /* characters of a name                                                        */
  SS_PARAMETERS_MAX = 10000,         /* parameters of a scenario                                                    */
  SS_BODIES_MAX = 2000,              /* all pairs of which are two million contacts                                 */
  SS_SHAPES_MAX = 64,                /* of a body                                                                   */
  SS_MATERIALS_MAX = 1000,           /* of a scene, and pairs of them                                               */
  SS_CONTACTS_MAX = 2000000,         /* contacts of a scene                                                         */
  SS_VERTICES_MIN = 3,               /* a polygon's                                                                 */
  SS_VERTICES_MAX = 64,              /* as the geometry room promises                                               */
  SS_POINTS_MAX = 100000,            /* time points of a model                                                      */
  SS_VARIABLES_MAX = 100000,         /* variables per time point                                                    */
  SS_VARIABLES_TOTAL_MAX = 10000000, /* variables of a problem                                                    */
  SS_MODEL_ROWS_MAX = 100000,        /* rows written in a model, families expanded                                  */
  SS_ROWS_TOTAL_MAX = 50000000,      /* rows of a problem over all points                                           */
  SS_DEFINITION_DEPTH_MAX = 100,     /* definitions that wait for one another; also bounds the C stack              */
  SS_FAMILY_VALUES_MAX = 1000000,    /* values that counters of families take in all                                */
  SS_FAMILY_DEPTH_MAX = 4,           /* families within families                                                    */
  SS_STEPS_MAX = 10000000,           /* steps of a simulation                                                       */
  SS_TABLE_NUMBERS_MAX = 1000000,    /* numbers of all tables                                                       */
  SS_MARKS_MAX = 10000,              /* marks and strips of a view                                                  */
};
#define SS_EXPANDED_MAX (16u << 20) /* bytes of formulas written by families */
#define SS_LENGTH_MAX   1e9         /* [m] of a shape: its area and inertia are far from overflow then */

/* ---- places ------------------------------------------------------------------------------------------------------ */

typedef struct SsJsonAt {
  const struct SsJsonAt *parent; /* NULL: the document                          */
  const char *key;               /* member of an object, or NULL                */
  int index;                     /* element of an array                         */
  json_t *value;                 /* borrowed from the document                  */
  int node;                      /* in the table of lines                       */
  void *iterator;                /* Jansson's, while walking an object          */
} SsJsonAt;

/* One JSON value of the text, in the order of their first characters. */
typedef struct {
  int line; /* 1-based                                        */
  int next; /* the node after this one and all it contains    */
} SsJsonNode;

/* Makes the table of lines of a text that Jansson has accepted. O(length). */
SS_NODISCARD SsStatus ss_json_scan (const char *text, size_t length, SsJsonNode **nodes, int *n_nodes);
/* Whether a text follows the grammar of JSON (RFC 8259), found without an allocation: tells a mistake in the text from
 * a lack of memory, which Jansson does not. The encoding is not looked at. O(length). */
bool ss_json_is_well_formed (const char *text, size_t length);

/* ---- names ------------------------------------------------------------------------------------------------------- */

typedef enum {
  SS_SYMBOL_PARAMETER,
  SS_SYMBOL_VARIABLE,
  SS_SYMBOL_DEFINITION,
  SS_SYMBOL_AUXILIARY,
  SS_SYMBOL_TABLE,   /* of numbers, in `data` */
  SS_SYMBOL_CHANNEL, /* of a scene, in its view: "box.theta" */
} SsSymbolKind;

typedef struct {
  const char *name;
  SsSymbolKind kind;
  int index;
  int line;
} SsSymbol;

/* Symbols with a hash table over their names. */
typedef struct {
  SsSymbol *symbols;
  int n_symbols, symbol_capacity;
  int *buckets; /* symbol index + 1, 0 = free */
  int n_buckets;
} SsNames;

void ss_names_clear (SsNames *names);
bool ss_names_add (SsNames *names, const char *name, SsSymbolKind kind, int index, int line); /* false: out of memory */
const SsSymbol *ss_names_find (const SsNames *names, const char *name, size_t length);        /* NULL if absent */

/* Name that is nearest to a wrong one, for messages; NULL if none is near. */
const char *ss_names_nearest (const SsNames *names, const char *wrong);

/* ---- the reader -------------------------------------------------------------------------------------------------- */

typedef enum { SS_TEXT_UNREAD, SS_TEXT_READING, SS_TEXT_READ, SS_TEXT_BAD } SsTextState;

typedef struct {
  const char *name;
  const char *text;
  SsJsonAt at;          /* the formula's place; its parents live as long as the reader */
  SsTextState state[2]; /* at k, and at k+1 (inside next)                                             */
  SsExpr expr[2];
  unsigned uses[2];
} SsDefinition;

typedef struct {
  const char *name;
  int value;
} SsBinding; /* of a family: {i} stands for value */

/* Of `data`: a list (n_columns 0) or rows of numbers. */
typedef struct {
  int n_rows, n_columns;
  const double *values; /* row by row */
} SsTable;

/* Which fields of which objects the readers looked for (ss-asked.c). */
typedef struct {
  const json_t *object;
  const char *key;
} SsLook;

typedef struct {
  SsLook *looks;
  int n_looks, capacity;
  int *buckets; /* look + 1, 0 = free */
  size_t n_buckets;
  bool out_of_memory;
} SsAsked;

SsAsked *ss_asked_new (void); /* NULL when out of memory */
void ss_asked_free (SsAsked *asked);
/* Remembers a key (a literal). */
void ss_asked_add (SsAsked *asked, const json_t *object, const char *key);
bool ss_asked_is_complete (const SsAsked *asked); /* false: out of memory */

typedef struct SsReader {
  SsScenario *scenario; /* being filled */
  SsArena *arena;
  SsProblems *problems;
  int n_problems; /* found in this reading */
  bool out_of_memory;
  const SsJsonNode *nodes;
  SsAsked *asked;

  SsNames names;
  SsTable *tables;
  int n_table_numbers;
  SsParameter *parameters;
  bool *parameter_is_bad; /* has a problem of its own: what follows from it is not reported again */
  int *reads_start,
      *reads; /* parameters read by the formula of parameter i: reads[reads_start[i]..reads_start[i+1]-1] */

  SsGraph *scratch; /* of number formulas */
  double *memo;     /* for ss_graph_eval  */
  int *stamp;
  int memo_size, tick;
  bool marks_structural; /* parameters read by numbers become structural */
  bool reads_time;       /* a formula of the model reads t               */

  SsError *warnings; /* so far; found by who reads a part */
  int n_warnings, warning_capacity;
  int n_kinks; /* the first of them are of forces with a kink in time */

  bool scene_has_problems; /* names that its rejected parts would have had may be missing */
  SsModel *model;          /* NULL while none */
  SsJsonAt definitions_at;
  SsDefinition *definitions;
  int n_definitions, definition_depth;
  const char **auxiliary;
  int slot_auxiliary, n_auxiliary;
  int slot_channels; /* of a scene's view */
  SsBinding bindings[SS_FAMILY_DEPTH_MAX];
  int n_bindings;
  int n_model_rows, n_family_values;
  size_t n_expanded; /* bytes */
  bool is_too_large; /* one of the limits was hit and reported */
} SsReader;

/* Reports a problem at a place (NULL: the file as a whole); `expected` may be "". */
void ss_reader_problem (SsReader *reader, const SsJsonAt *at, const char *expected, const char *format, ...)
    SS_PRINTF (4, 5);
/* The same as an error that is not added to the problems. */
void ss_reader_make_error (const SsReader *reader, const SsJsonAt *at, const char *expected, SsError *error,
                           const char *format, va_list args);
/* Something that is no problem but worth a word. */
void ss_reader_warn (SsReader *reader, const SsJsonAt *at, const char *format, ...) SS_PRINTF (3, 4);
int ss_reader_line (const SsReader *reader, const SsJsonAt *at);
/* "model.constraints[1].zero[0]", with the values of the families in force. */
void ss_reader_path (const SsReader *reader, const SsJsonAt *at, char *buffer, size_t size);
/* Zeroed memory of the scenario; NULL sets out_of_memory. */
void *ss_reader_alloc (SsReader *reader, size_t count, size_t size);
const char *ss_reader_strdup (SsReader *reader, const char *text); /* "" when out of memory */
/* Moves a grown array into the scenario's memory and releases it. */
void *ss_reader_keep (SsReader *reader, void *items, int n_items, size_t size);
/* Grows a heap array; false sets out_of_memory. */
bool ss_reader_reserve (SsReader *reader, void **items, int *capacity, int needed, size_t size);

/* Members and elements. `child` is valid as long as `parent`. */
bool ss_at_member (const SsReader *reader, const SsJsonAt *object, const char *key, SsJsonAt *child);
bool ss_at_first (const SsReader *reader, const SsJsonAt *parent, SsJsonAt *child); /* of an object or array */
bool ss_at_next (const SsReader *reader, SsJsonAt *child);
/* A member that must be there: reports a missing field, with a misspelt one that is near. */
bool ss_read_member (SsReader *reader, const SsJsonAt *object, const char *key, const char *expected, SsJsonAt *child);
/* Type checks that report. */
bool ss_read_is_object (SsReader *reader, const SsJsonAt *at);
bool ss_read_is_array (SsReader *reader, const SsJsonAt *at);
/* Text of a member, copied; `fallback` when absent or wrong. */
const char *ss_read_text (SsReader *reader, const SsJsonAt *object, const char *key, const char *fallback);
bool ss_read_boolean (SsReader *reader, const SsJsonAt *object, const char *key, bool fallback);
/* Index of the text among names, -1 after reporting. */
int ss_read_choice (SsReader *reader, const SsJsonAt *at, const char *const *names, int n_names, const char *what);
/* Name rules: letter or '_' first, then letters, digits, '_' (and '-' where allowed); at most SS_NAME_MAX. */
bool ss_read_is_name (SsReader *reader, const SsJsonAt *at, const char *name, bool dash, const char *what);
/* Adds a name of formulas; reports invalid, reserved and duplicate ones. */
bool ss_reader_add_name (SsReader *reader, const SsJsonAt *at, const char *name, SsSymbolKind kind, int index);
/* Nearest known name, for messages; NULL if none. */
const char *ss_reader_nearest (const SsReader *reader, const char *wrong, unsigned kinds);

/* ---- data and indices -------------------------------------------------------------------------------------------- */

/* The section `data`: before anything that has formulas. */
void ss_read_data (SsReader *reader, const SsJsonAt *root);

/* A name in a formula, as ss_expr_parse gives it and as the table of names knows it: x[3] is x3, u[3,2] is u3_2. */
typedef struct {
  const char *name;
  size_t length;
  const SsSymbol *symbol; /* what it means there; NULL: nothing */
  char element[SS_NAME_MAX + 32];
} SsNameRef;
/* "x3" or "u3_2", of a base of so many bytes; n_indices is 1 or 2. */
void ss_write_element (char *buffer, size_t size, const char *base, int length, int n_indices, const int *index);
/* What means the same in all formulas of a scenario: numbers of tables, parameters as constants, taken names. True:
 * *status and what belongs to it are set. False: `ref` says what the name is for the formula at hand. */
bool ss_reader_resolve (SsReader *reader, SsGraph *graph, SsNameRef *ref, int shift, SsExpr *out, SsStatus *status,
                        SsError *err);
/* Calls `element` with x1, x2, ... for the text "x[n]", with u1_1, u1_2, ... for "u[m,n]". */
typedef void (*SsElementFunc) (SsReader *reader, const SsJsonAt *at, const char *name, void *user_data);
void ss_read_vector (SsReader *reader, const SsJsonAt *at, const char *text, SsElementFunc element, void *user_data);

/* ---- numbers (formulas of parameters allowed) -------------------------------------------------------------------- */

typedef enum { SS_ANY_NUMBER, SS_POSITIVE, SS_NONNEGATIVE, SS_UNIT_INTERVAL } SsNumberRule;

bool ss_read_parameters (SsReader *reader, const SsJsonAt *root, const SsOverride *overrides, int n_overrides);
/* Marks the parameters that structural ones are computed from. */
void ss_reader_close_structural (SsReader *reader);
/* Reports what ss_expr_parse found. */
void ss_reader_formula_problem (SsReader *reader, const SsJsonAt *at, const char *text, const SsError *error);
/* Value of a number or formula of parameters. False after reporting (or when a parameter in it is bad). */
bool ss_read_number (SsReader *reader, const SsJsonAt *at, SsNumberRule rule, double *value);
/* Number member; absent gives `fallback`, or a problem when that is NaN. */
double ss_read_real (SsReader *reader, const SsJsonAt *object, const char *key, SsNumberRule rule, double fallback);
/* Whole number within [minimum, maximum]. */
bool ss_read_integer (SsReader *reader, const SsJsonAt *at, int minimum, int maximum, int *value);
/* Array of exactly two numbers. */
bool ss_read_pair (SsReader *reader, const SsJsonAt *at, SsVec2 *value);
/* Value of an expression whose inputs are the parameters (slot = index). */
double ss_reader_eval (SsReader *reader, const SsGraph *graph, SsExpr e, const double *inputs, int n_inputs);

/* ---- formulas of models and views -------------------------------------------------------------------------------- */

/* What a formula may read, and what it did read. */
enum {
  SS_USES_VARIABLES = 1u << 0,
  SS_USES_NEXT = 1u << 1,
  SS_USES_AUXILIARY = 1u << 2,
  SS_USES_INDEX = 1u << 3, /* k and t */
  SS_USES_CHANNELS = 1u << 4,
};

/* Reads a formula (text or number) at a place. `allowed`: bits of what may be used; `uses` (NULL is allowed) what was.
 * False after reporting. */
bool ss_read_formula (SsReader *reader, const SsJsonAt *at, unsigned allowed, SsExpr *out, unsigned *uses);

/* Parses definition `index` at k if that has not happened; reports what is wrong. */
void ss_reader_require_definition (SsReader *reader, int index);

/* Calls `row` for each item of a list, families expanded; see reader->bindings. */
typedef void (*SsItemFunc) (SsReader *reader, const SsJsonAt *at, void *user_data);
void ss_read_items (SsReader *reader, const SsJsonAt *list, SsItemFunc item, void *user_data);
/* The text at a place with {i}, {i+1}, {i-1} replaced; NULL after reporting. Scenario's memory, or the document's when
 * nothing is replaced. */
const char *ss_reader_expand (SsReader *reader, const SsJsonAt *at);
/* Reports, once, that families write more than a model may have. */
bool ss_reader_exceeds (SsReader *reader, const SsJsonAt *at, bool is_too_large, const char *expected);

/* ---- sections ---------------------------------------------------------------------------------------------------- */

/* Fields that nobody looked for, with names near to some that were looked for, into the scenario's warnings. */
void ss_find_unread (SsReader *reader, const SsJsonAt *root);
void ss_read_scene (SsReader *reader, const SsJsonAt *at);
void ss_read_model (SsReader *reader, const SsJsonAt *at);
void ss_read_plan (SsReader *reader, const SsJsonAt *task_at, double horizon); /* task->plan of a scene */
void ss_read_worlds (SsReader *reader, const SsJsonAt *task_at, SsPlan *plan); /* its ranges (ss-worlds-read.c) */
void ss_read_task (SsReader *reader, const SsJsonAt *root);
void ss_read_view (SsReader *reader, const SsJsonAt *root);
void ss_read_outcomes (SsReader *reader, const SsJsonAt *root);
/* Values of the variables at point 0: the guess, then initial conditions of the simplest forms. values[n_variables]. */
SS_NODISCARD SsStatus ss_model_initial_values (const SsScenario *scenario, double *values, SsError *err);

/* ---- view -------------------------------------------------------------------------------------------------------- */

/* A mark of the `view` section; formulas in the scenario's graph. */
struct SsViewMark {
  SsMarkKind kind;
  SsMarkRole role;
  const char *name, *color;
  bool trace;
  bool is_box; /* POLYGON of width and height; else vertices */
  SsExpr position[2], angle, when;
  SsExpr radius;        /* CIRCLE                           */
  SsExpr width, height; /* box                              */
  SsExpr vector[2];     /* SEGMENT, ARROW                   */
  int n_vertices;
  const SsExpr *vertices; /* 2 n_vertices: x, y, x, y ...     */
};

struct SsViewStrip {
  const char *label;
  SsExpr value, reference; /* reference may be SS_EXPR_NONE */
};

/* Slots of formulas in the view of a scene: its channels (ss_scene_channel), then the parameters, k and t. Of a
 * model: the model's slots. */
enum { SS_CONTACT_CHANNELS = 5 };
int ss_scene_n_channel_contacts (const SsScene *scene); /* all, or none when there are too many */
int ss_view_slot_parameters (const SsScenario *scenario);
int ss_view_slot_index (const SsScenario *scenario); /* k; t is the next one */
