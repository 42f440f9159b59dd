/* engine/scene/ss-joint-kinds.c: the kinds of joints, one row each: reader, equations, channels and
 * pictures take from it what a kind is. */
#include "scene/ss-scenario.h"

const SsJointKindFacts ss_joint_kinds[SS_JOINT_N_KINDS] = {
    [SS_JOINT_PIN] = {"pin", 2, .has_range = true, .is_angle = true, .carries = true, .swings = true},
    [SS_JOINT_SLIDER] = {"slider", 2, .has_range = true, .carries = true},
    [SS_JOINT_WELD] = {"weld", 3, .carries = true},
    [SS_JOINT_ROD] = {"rod", 1, .swings = true, .collides = true},
    [SS_JOINT_GEAR] = {"gear", 1, .collides = false},
    [SS_JOINT_ROPE] = {"rope", 0, .has_range = true, .swings = true, .collides = true},
    [SS_JOINT_FORMULA] = {"constraint", 1, .has_range = true, .swings = true, .collides = true}};
