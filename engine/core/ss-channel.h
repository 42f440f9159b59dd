/* engine/core/ss-channel.h: what a column of a trajectory is: its quantity, unit and owner.
 *
 * Whoever makes a trajectory knows what its columns are and says so here: scenes, models, plans. Plot labels, axis
 * units, strips, `final_state` and the project read it; nobody guesses from a name.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Quantity, last part of the channel's name, label on axes, unit where it has one unit only. In the order in which a
 * simulation lists them. */
#define SS_QUANTITY_LIST(X)                                                                                            \
  X (UNKNOWN, "", "", "")                                                                                              \
  X (TIME, "t", "Time", "s")                                                                                           \
  X (NUMERICAL_TIME, "tau", "Numerical time", "s")                                                                     \
  X (IMPULSE_TIME, "s", "Impulse time", "s")                                                                           \
  X (POSITION_X, "x", "Position x", "m")                                                                               \
  X (POSITION_Y, "y", "Position y", "m")                                                                               \
  X (ANGLE, "theta", "Angle", "rad")                                                                                   \
  X (VELOCITY_X, "vx", "Velocity x", "m/s")                                                                            \
  X (VELOCITY_Y, "vy", "Velocity y", "m/s")                                                                            \
  X (ANGULAR_VELOCITY, "omega", "Angular velocity", "rad/s")                                                           \
  X (GAP, "gap", "Gap", "m")                                                                                           \
  X (GAP_RATE, "gap_rate", "Gap speed", "m/s")                                                                         \
  X (NORMAL_FORCE, "lambda_n", "Normal force", "N")                                                                    \
  X (TANGENTIAL_FORCE, "lambda_t", "Tangential force", "N")                                                            \
  X (NORMAL_IMPULSE, "impulse_n", "Normal impulse", "N s")                                                             \
  X (TANGENTIAL_IMPULSE, "impulse_t", "Tangential impulse", "N s")                                                     \
  X (PENETRATION, "penetration", "Penetration", "m")                                                                   \
  X (CONE_VIOLATION, "cone_violation", "Cone violation", "N s")                                                        \
  X (LAW_RESIDUAL, "law_residual", "Residual of the contact law", "m/s")                                               \
  X (DISSIPATED, "dissipated", "Dissipated energy", "J")                                                               \
  X (DRIFT, "drift", "Joint drift", "")                                                                                \
  X (CONTROL, "u", "Control", "")                                                                                      \
  X (KINETIC_ENERGY, "energy.kinetic", "Kinetic energy", "J")                                                          \
  X (POTENTIAL_ENERGY, "energy.potential", "Potential energy", "J")                                                    \
  X (DISSIPATED_ENERGY, "energy.dissipated", "Dissipated energy", "J")                                                 \
  X (MOMENTUM_X, "momentum.x", "Momentum x", "N s")                                                                    \
  X (MOMENTUM_Y, "momentum.y", "Momentum y", "N s")                                                                    \
  X (ANGULAR_MOMENTUM, "momentum.angular", "Angular momentum", "N m s")                                                \
  X (RESIDUAL, "residual", "Residual of the step", "m/s")                                                              \
  X (SLIP, "slip", "Slip", "m/s")                                                                                      \
  X (DIRECTION, "direction", "Direction of the separating line", "rad")                                                \
  X (WEIGHT, "weight", "Weight of a vertex", "")                                                                       \
  X (JOINT_FORCE, "lambda", "Joint force", "")                                                                         \
  X (REACTION_X, "force_x", "Joint force x", "N")                                                                      \
  X (REACTION_Y, "force_y", "Joint force y", "N")                                                                      \
  X (REACTION_MOMENT, "moment", "Joint moment", "N m")                                                                 \
  X (LIMIT_FORCE, "limit", "Force of the limit", "")                                                                   \
  X (MOTOR_FORCE, "motor", "Force of the motor", "")                                                                   \
  X (JOINT_FRICTION, "friction", "Friction of the joint", "")                                                          \
  X (TENSION, "tension", "Tension", "")                                                                                \
  X (JOINT_POSITION, "position", "Joint coordinate", "")                                                               \
  X (STEP_LENGTH, "h", "Step length", "s")                                                                             \
  X (DISTANCE, "distance", "Distance", "m")                                                                            \
  X (ANGLE_DISTANCE, "angle", "Angle", "rad")                                                                          \
  X (STEP_NUMBER, "step", "Step", "")                                                                                  \
  X (STAGE, "stage", "Stage", "")                                                                                      \
  X (N_STAGES, "stages", "Stages of an element", "")

typedef enum {
#define X(name, last, label, unit) SS_QUANTITY_##name,
  SS_QUANTITY_LIST (X)
#undef X
      SS_QUANTITY_COUNT
} SsQuantity;

typedef enum {
  SS_OWNER_SCENE, /* the whole: time, energies, and variables of a model in equations */
  SS_OWNER_BODY,
  SS_OWNER_CONTACT,
  SS_OWNER_JOINT,
  SS_OWNER_ACTUATOR,
  SS_OWNER_SPRING,
  SS_OWNER_MEASURE,
  SS_OWNER_COUNT
} SsOwner;

typedef struct {
  const char *name; /* unique in a trajectory: "box.vx" */
  SsQuantity quantity;
  const char *unit; /* "m/s"; "" for none, or not known */
  SsOwner owner;
  const char *owner_name; /* of the body, contact, joint, actuator, spring or measure; "" for the scene */
  bool is_state;          /* of the motion: together they are where a simulation can go on */
} SsChannel;

/* "vx"; static text. */
const char *ss_quantity_name (SsQuantity quantity);
/* "Velocity x"; static text. */
const char *ss_quantity_label (SsQuantity quantity);
/* "m/s"; "" where the unit depends on the owner. Static text. */
const char *ss_quantity_unit (SsQuantity quantity);
/* The quantity of that name (ss_quantity_name); UNKNOWN for others. */
SsQuantity ss_quantity_find (const char *name);
/* "scene", "body", "contact", "joint", "actuator", "spring", "measure"; static text. */
const char *ss_owner_name (SsOwner owner);
/* The owner of that name; SCENE for others. */
SsOwner ss_owner_find (const char *name);

/* The first channel of every trajectory: "t". */
SsChannel ss_channel_of_time (void);
/* Clocks that a motion may have beside the time, by which it never runs backwards while the time may stand still:
 * NUMERICAL_TIME "tau" and IMPULSE_TIME "s" (paper 002: ds = (1 + sum lambda_n) dt; 1 N s counts as 1 s). */
bool ss_quantity_is_second_clock (SsQuantity quantity);
/* The channel of such a clock, or of TIME. */
SsChannel ss_channel_of_clock (SsQuantity clock);
/* A channel of which only the name is known. The name is borrowed. */
SsChannel ss_channel_named (const char *name);
/* "box.vx [m/s]", or the name alone where there is no unit. */
void ss_channel_label (const SsChannel *channel, char *buffer, size_t size);
