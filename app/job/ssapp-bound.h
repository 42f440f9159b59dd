/* app/job/ssapp-bound.h: a lower bound and its certificate (bound/ss-bound-run.h) as JSON, and back.
 *
 * {"format": 1, "kind": "bound", "scenario": {...}, "lower_bound", "objective", "gap", "message", "finished", "nodes",
 * "cpu_seconds", "check_seconds", "certificate": {"cutoff", "variables", "sha256", "tree": [node, ...]}}, where a node
 * has "steps": [[constraint, variable], ...] and one of "pair": p and "children": [i, j]; "variable": v, "at": t and
 * "children"; "empty": true; or "multipliers": [[constraint, u], ...] with "floor" (null: no feasible point there) and
 * "point" where tangents touch. Constraints are numbered as bound/ss-bound-form.h says. Of a chain of stages there is
 * "chain": {"multipliers", "slopes", "width", "first", "cells", "reach"} in place of the tree (bound/ss-bound-chain.h).
 * sha256 is of the text of either.
 *
 * Threads: any. Tests: tests/cli/test-bound.sh */
#pragma once

#include <jansson.h>

#include "app/base/ssapp-json.h"
#include "bound/ss-bound-run.h"

G_BEGIN_DECLS

/* New reference; without the certificate where it is not asked for. */
json_t *ssapp_bound_to_json (const SsScenario *scenario, const SsBoundRun *run, gboolean has_certificate);
/* The certificate of such a document, which is of that scenario at these parameters; FALSE with an error that says what
 * is wrong. Release with ss_bound_certificate_clear. */
gboolean ssapp_bound_from_json (const json_t *json, const SsScenario *scenario, SsBoundCertificate *out,
                                GError **error);

G_END_DECLS
