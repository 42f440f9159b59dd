/* engine/linalg/ss-ldl.c: LDL' of a symmetric quasi-definite matrix with a pattern that never changes: a factor made
 * column by column (ss-ldl-columns.c) or in lanes (ss-ldl-lanes.c). */
#include "linalg/ss-lanes.h"
#include "linalg/ss-ldl-private.h"

enum { SOLVES_PER_FACTOR = 2 }; /* an interior point iteration's */

void
ss_ldl_free (SsLdl *ldl)
{
  if (ldl == NULL)
    return;
  ss_ldl_lanes_free (ldl->lanes);
  ss_ldl_columns_free (ldl);
}

int
ss_ldl_n_factor_entries (const SsLdl *ldl)
{
  return ldl->lanes != NULL ? ss_ldl_lanes_n_entries (ldl->lanes) : ss_ldl_columns_n_factor_entries (ldl);
}

double
ss_ldl_cost (const SsLdl *ldl)
{
  SS_ASSERT (ldl != NULL && ldl->n >= 0);

  const double per_solve = ss_ldl_n_factor_entries (ldl) / (ldl->lanes != NULL ? (double)SS_LANES : 1.0);
  const int64_t n_operations =
      ldl->lanes != NULL ? ss_ldl_lanes_n_operations (ldl->lanes) : ss_ldl_columns_n_operations (ldl);

  return (double)n_operations + 2 * SOLVES_PER_FACTOR * per_solve;
}

int
ss_ldl_n_numbers (const SsLdl *ldl)
{
  SS_ASSERT (ldl != NULL && ldl->n >= 0);
  return ldl->n_factor;
}

double *
ss_ldl_numbers (SsLdl *ldl)
{
  SS_ASSERT (ldl != NULL && ldl->n >= 0);
  return ldl->factor;
}

void
ss_ldl_clear (SsLdl *ldl)
{
  SS_ASSERT (ldl != NULL);
  if (ldl->lanes != NULL)
    ss_ldl_lanes_clear (ldl);
  else
    ss_ldl_columns_clear (ldl);
}

SsStatus
ss_ldl_factor_numbers (SsLdl *ldl, const signed char *expected_sign, double minimum, int *n_replaced)
{
  SS_ASSERT (ldl != NULL);

  return ldl->lanes != NULL ? ss_ldl_lanes_factor (ldl, minimum, n_replaced)
                            : ss_ldl_columns_factor_numbers (ldl, expected_sign, minimum, n_replaced);
}

SsStatus
ss_ldl_factor (SsLdl *ldl, const double *values, const signed char *expected_sign, double minimum, int *n_replaced)
{
  SS_ASSERT (ldl != NULL && values != NULL);

  ss_ldl_clear (ldl);
  for (int p = 0; p < ldl->n_input; p++)
    ldl->factor[ldl->place[p]] = values[p];
  return ss_ldl_factor_numbers (ldl, expected_sign, minimum, n_replaced);
}

void
ss_ldl_solve (SsLdl *ldl, double *b)
{
  SS_ASSERT (ldl != NULL && ldl->n >= 0);
  if (ldl->lanes != NULL)
    ss_ldl_lanes_solve (ldl, b);
  else
    ss_ldl_columns_solve (ldl, b);
}
