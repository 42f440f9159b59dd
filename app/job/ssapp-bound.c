/* app/job/ssapp-bound.c: see ssapp-bound.h. */
#include "app/job/ssapp-bound.h"

#include "app/base/ssapp-record.h"
#include "app/job/ssapp-result.h"
#include "scene/ss-sha256.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

/* ---- records ----------------------------------------------------------------------------------------------------- */

static const SsappRecordField run_fields[] = {
    SSAPP_FIELD (SsBoundRun, answer, "objective", REAL, "", "of the best answer that is known; null: none"),
    SSAPP_FIELD (SsBoundRun, gap, "gap", REAL, "", "(objective - lower_bound) / |objective|; null without both"),
    SSAPP_FIELD (SsBoundRun, message, "message", TEXT, "", "the gap in words, or why there is no bound"),
    SSAPP_FIELD (SsBoundRun, search.is_finished, "finished", FLAG, "", "the gap was reached, or nothing was left"),
    SSAPP_FIELD (SsBoundRun, search.n_solved, "nodes", INTEGER, "", "that were solved"),
    SSAPP_FIELD (SsBoundRun, search.cpu_seconds, "cpu_seconds", REAL, "s", "of the search, CPU"),
    SSAPP_FIELD (SsBoundRun, check_seconds, "check_seconds", REAL, "s", "of the check of the certificate, CPU")};
static const SsappRecord run_record = SSAPP_RECORD (SsBoundRun, run_fields);

static const SsappRecordField chain_fields[] = {
    SSAPP_FIELD_SERIES_OF (SsBoundChainProof, multipliers, n_multipliers, "multipliers", false, "", "of the states"),
    SSAPP_FIELD_SERIES_OF (SsBoundChainProof, slopes, n_slopes, "slopes", false, "", "ascending, 0 is one of them"),
    SSAPP_FIELD (SsBoundChainProof, width, "width", REAL, "", "of a cell"),
    SSAPP_FIELD (SsBoundChainProof, first, "first", INTEGER, "", "number of the first cell"),
    SSAPP_FIELD (SsBoundChainProof, n_cells, "cells", INTEGER, "", "how many"),
    SSAPP_FIELD (SsBoundChainProof, reach, "reach", INTEGER, "", "farther cells count as so many cells away")};
static const SsappRecord chain_record = SSAPP_RECORD (SsBoundChainProof, chain_fields);

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static json_t *
leaf_to_json (const SsBoundNode *node, int n_variables)
{
  json_t *object = json_object (), *list = json_array ();

  for (int i = 0; i < node->leaf.n; i++)
    json_array_append_new (list, json_pack ("[i, f]", node->leaf.constraint[i], node->leaf.value[i]));
  json_object_set_new (object, "multipliers", list);
  json_object_set_new (object, "weight", json_integer ((json_int_t)node->leaf.weight));
  json_object_set_new (object, "floor", ssapp_json_real (node->floor));
  if (node->leaf.at != NULL)
    json_object_set_new (object, "point", ssapp_json_reals (node->leaf.at, n_variables));
  return object;
}

static json_t *
node_to_json (const SsBoundNode *node, int n_variables)
{
  json_t *object, *steps;

  if (node->kind == SS_BOUND_LEAF)
    object = leaf_to_json (node, n_variables);
  else if (node->kind == SS_BOUND_EMPTY)
    object = json_pack ("{s:b}", "empty", 1);
  else if (node->kind == SS_BOUND_BRANCH_PAIR)
    object = json_pack ("{s:i, s:[i, i]}", "pair", node->branch, "children", node->first, node->second);
  else
    object = json_pack ("{s:i, s:f, s:[i, i]}", "variable", node->branch, "at", node->value, "children", node->first,
                        node->second);
  steps = json_array ();
  for (int i = 0; i < node->n_steps; i++)
    json_array_append_new (steps, json_pack ("[i, i]", node->steps[i].constraint, node->steps[i].variable));
  json_object_set_new (object, "steps", steps);
  return object;
}

/* Digest of the tree as it is written. */
static void
digest (const json_t *tree, char out[65])
{
  char *text = json_dumps (tree, SSAPP_JSON_FLAGS | JSON_SORT_KEYS);

  ss_sha256_hex (text, text != NULL ? strlen (text) : 0, out);
  free (text);
}

static json_t *
certificate_to_json (const SsBoundCertificate *certificate)
{
  const char *name = certificate->has_chain ? "chain" : "tree";
  json_t *proof = certificate->has_chain ? ssapp_record_to_json (&chain_record, &certificate->chain) : json_array (),
         *object = json_object ();
  char hash[65];

  for (int i = 0; i < certificate->n_nodes; i++)
    json_array_append_new (proof, node_to_json (&certificate->nodes[i], certificate->n_variables));
  digest (proof, hash);
  json_object_set_new (object, "cutoff", ssapp_json_real (certificate->cutoff));
  json_object_set_new (object, "variables", json_integer (certificate->n_variables));
  json_object_set_new (object, "sha256", json_string (hash));
  json_object_set_new (object, name, proof);
  return object;
}

json_t *
ssapp_bound_to_json (const SsScenario *scenario, const SsBoundRun *run, gboolean has_certificate)
{
  g_return_val_if_fail (scenario != NULL && run != NULL, NULL);

  json_t *object = json_object ();

  json_object_set_new (object, "format", json_integer (1));
  json_object_set_new (object, "kind", json_string ("bound"));
  json_object_set_new (object, "scenario", ssapp_result_scenario_to_json (scenario, NULL));
  json_object_set_new (object, "lower_bound", ssapp_json_real (run->bound));
  json_object_set_new (object, "infeasible", json_boolean (run->verdict.bound == INFINITY));
  ssapp_record_add_to_json (&run_record, run, object);
  if (has_certificate)
    json_object_set_new (object, "certificate", certificate_to_json (&run->certificate));
  return object;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static gboolean
refuse (GError **error, const char *where, const char *expected)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: expected %s", where, expected);
  return FALSE;
}

static gboolean
get_int (const json_t *value, int *out)
{
  const json_int_t number = json_integer_value (value);

  *out = (int)number;
  return json_is_integer (value) && number >= G_MININT && number <= G_MAXINT;
}

static gboolean
read_steps (const json_t *list, SsBoundNode *node)
{
  const int n = (int)json_array_size (list);

  if ((node->steps = ss_new_array (SsBoundStep, n + 1)) == NULL)
    return FALSE;
  node->n_steps = n;
  for (int i = 0; i < n; i++) {
    const json_t *step = json_array_get (list, (size_t)i);
    if (json_array_size (step) != 2 || !get_int (json_array_get (step, 0), &node->steps[i].constraint) ||
        !get_int (json_array_get (step, 1), &node->steps[i].variable))
      return FALSE;
  }
  return json_is_array (list);
}

static gboolean
read_leaf (const json_t *object, int n_variables, SsBoundNode *node)
{
  const json_t *list = json_object_get (object, "multipliers"), *point = json_object_get (object, "point"),
               *floor = json_object_get (object, "floor");
  SsBoundMultipliers *leaf = &node->leaf;
  int weight;

  if (point != NULL && json_array_size (point) != (size_t)n_variables)
    return FALSE;
  leaf->n = (int)json_array_size (list);
  leaf->constraint = ss_new_array (int, leaf->n + 1);
  leaf->value = ss_new_array (double, leaf->n + 1);
  leaf->at = point != NULL ? ss_new_array (double, (size_t)n_variables + 1) : NULL;
  if (leaf->constraint == NULL || leaf->value == NULL || (point != NULL && leaf->at == NULL) ||
      !get_int (json_object_get (object, "weight"), &weight) || !(json_is_null (floor) || json_is_number (floor)))
    return FALSE;
  leaf->weight = weight;
  node->floor = json_is_null (floor) ? -INFINITY : json_number_value (floor);
  for (int i = 0; i < leaf->n; i++) {
    const json_t *pair = json_array_get (list, (size_t)i);
    if (json_array_size (pair) != 2 || !get_int (json_array_get (pair, 0), &leaf->constraint[i]) ||
        !json_is_number (json_array_get (pair, 1)))
      return FALSE;
    leaf->value[i] = json_number_value (json_array_get (pair, 1));
  }
  for (int i = 0; i < n_variables && point != NULL; i++) {
    if (!json_is_number (json_array_get (point, (size_t)i)))
      return FALSE;
    leaf->at[i] = json_number_value (json_array_get (point, (size_t)i));
  }
  return json_is_array (list);
}

static gboolean
read_node (const json_t *object, int n_variables, SsBoundNode *node)
{
  const json_t *children = json_object_get (object, "children"), *at = json_object_get (object, "at");

  if (!read_steps (json_object_get (object, "steps"), node))
    return FALSE;
  if (json_is_true (json_object_get (object, "empty"))) {
    node->kind = SS_BOUND_EMPTY;
    return TRUE;
  }
  if (json_object_get (object, "multipliers") != NULL) {
    node->kind = SS_BOUND_LEAF;
    return read_leaf (object, n_variables, node);
  }
  node->kind = at != NULL ? SS_BOUND_BRANCH_VARIABLE : SS_BOUND_BRANCH_PAIR;
  node->value = json_number_value (at);
  return json_array_size (children) == 2 && get_int (json_array_get (children, 0), &node->first) &&
         get_int (json_array_get (children, 1), &node->second) && (at == NULL || json_is_number (at)) &&
         get_int (json_object_get (object, at != NULL ? "variable" : "pair"), &node->branch);
}

static gboolean
read_chain (const json_t *object, SsBoundChainProof *out, GError **error)
{
  if (ssapp_record_find_fault (&chain_record, object) == NULL) {
    ssapp_record_from_json (&chain_record, object, out);
    return TRUE;
  }
  return refuse (error, "certificate.chain",
                 "lists of multipliers and slopes, and cells by width, first, cells, reach");
}

static gboolean
read_certificate (const json_t *object, SsBoundCertificate *out, GError **error)
{
  const json_t *chain = json_object_get (object, "chain"), *cutoff = json_object_get (object, "cutoff");
  const json_t *tree = chain != NULL ? chain : json_object_get (object, "tree");
  const int n = (int)json_array_size (tree);
  char hash[65];

  digest (tree, hash);
  if ((chain == NULL && n < 1) || !get_int (json_object_get (object, "variables"), &out->n_variables) ||
      out->n_variables < 0)
    return refuse (error, "certificate", "a list `tree` of nodes or a `chain`, and a number of `variables`");
  if (g_strcmp0 (ssapp_json_get_string (object, "sha256"), hash) != 0) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                 "certificate.%s is not what was written: its sha256 is another one", chain != NULL ? "chain" : "tree");
    return FALSE;
  }
  out->has_chain = chain != NULL;
  if (out->has_chain)
    return read_chain (chain, &out->chain, error);
  out->cutoff = json_is_number (cutoff) ? json_number_value (cutoff) : INFINITY;
  if ((out->nodes = ss_new_array (SsBoundNode, n)) == NULL)
    return refuse (error, "certificate", "more memory");
  out->n_nodes = n;
  for (int i = 0; i < n; i++)
    if (!read_node (json_array_get (tree, (size_t)i), out->n_variables, &out->nodes[i])) {
      g_autofree char *where = g_strdup_printf ("certificate.tree[%d]", i);
      return refuse (error, where, "steps and a leaf, an empty node or a branch with two children");
    }
  return TRUE;
}

gboolean
ssapp_bound_from_json (const json_t *json, const SsScenario *scenario, SsBoundCertificate *out, GError **error)
{
  g_return_val_if_fail (scenario != NULL && out != NULL, FALSE);

  const json_t *of = json_object_get (json, "scenario"), *values = json_object_get (of, "values");
  const json_t *bound = json_object_get (json, "lower_bound"), *certificate = json_object_get (json, "certificate");

  *out = (SsBoundCertificate){0};
  if (g_strcmp0 (ssapp_json_get_string (json, "kind"), "bound") != 0 || !json_is_object (certificate))
    return refuse (error, "the certificate", "what `bound --certificate` writes");
  const gboolean is_infeasible = json_is_true (json_object_get (json, "infeasible"));
  if (is_infeasible ? !json_is_null (bound) : !json_is_number (bound))
    return refuse (error, "lower_bound",
                   is_infeasible ? "null, as no point is feasible"
                                 : "a number: without a bound there is nothing to check");
  if (g_strcmp0 (ssapp_json_get_string (of, "sha256"), scenario->sha256) != 0) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "the certificate is of another file, of the scenario %s",
                 ssapp_json_get_string (of, "name") != NULL ? ssapp_json_get_string (of, "name") : "without a name");
    return FALSE;
  }
  for (int i = 0; i < scenario->n_parameters; i++) {
    const double value = ssapp_json_get_real (values, scenario->parameters[i].name);
    if (value != scenario->parameters[i].value) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "the certificate is of %s = %.9g, not %.9g: use --set",
                   scenario->parameters[i].name, value, scenario->parameters[i].value);
      return FALSE;
    }
  }
  out->bound = is_infeasible ? INFINITY : json_number_value (bound);
  if (read_certificate (certificate, out, error))
    return TRUE;
  ss_bound_certificate_clear (out);
  return FALSE;
}
