/* engine/fesd/ss-fesd-check.h: by how much an element or a jump misses its equations [000 (11a)-(11f) (12a)-(12d)].
 *
 * Shares no code with what it checks: forces from dynamics/ss-dynamics.h, joint rows from ss_dynamics_joint_rows,
 * contact points, normals and arms in the world's frame. It believes the states, the forces and which features touch,
 * nothing else.
 *
 * Element  v_j = v_0 + h sum a_jk V_k with V = M^-1 (F + forces of contacts and joints), q_j = q_0 + h sum a_jk v_k,
 *          gaps at the start, rates of closed contacts and joints at all points; signs; the pairs of section 4 (1) of
 *          each contact, of which one is 0: gaps and rates with forces, slips with friction forces, the left point
 *          after the jump included.
 * Jump     M (v+ - v-) = impulses, signs, cone, no approach; Newton's law: Lambda (v+ + e v-) = 0,
 *          friction at v+.
 * Measure  the largest violation, velocities in m/s or rad/s, gaps in m; forces count as the change of velocity of the
 *          lighter body that they make over the element, impulses likewise; of a pair the smaller number.
 */
#pragma once

#include "fesd/ss-fesd-march.h"

typedef struct SsFesdCheck SsFesdCheck;

/* `system` is borrowed: its dynamics, and which row belongs to which point. */
SS_NODISCARD SsStatus ss_fesd_check_new (const SsFesdSystem *system, const SsTableau *tableau, SsFesdCheck **out,
                                         SsError *err);
void ss_fesd_check_free (SsFesdCheck *check);                                 /* NULL is allowed */
void ss_fesd_check_set_controls (SsFesdCheck *check, const double *controls); /* borrowed until set again */
/* Jumps are made by another law than Newton's, which may leave approaches of that speed [m/s]: what every law of
 * impacts obeys is checked, and not Newton's. */
void ss_fesd_check_set_other_law (SsFesdCheck *check, double approach);
double ss_fesd_check_element (SsFesdCheck *check, const SsFesdSolved *solved);
double ss_fesd_check_jump (SsFesdCheck *check, const SsFesdJump *jump);
