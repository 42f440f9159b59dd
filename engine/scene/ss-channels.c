/* engine/scene/ss-channels.c: names of the channels of a simulation, in their order; see ss-scenario.h. */
#include "scene/ss-scenario-private.h"

#include <stdio.h>

const char *const ss_body_channels[SS_BODY_CHANNELS] = {"x", "y", "theta", "vx", "vy", "omega"};
const char *const ss_contact_channels[SS_CONTACT_CHANNELS] = {"gap", "lambda_n", "lambda_t", "impulse_n", "impulse_t"};
static const char *const more_contact_channels[] = {"penetration", "cone_violation", "dissipated"};
static const char *const whole_channels[] = {"energy.kinetic", "energy.potential", "energy.dissipated", "momentum.x",
                                             "momentum.y",     "momentum.angular", "residual"};
enum {
  N_MORE_CONTACT_CHANNELS = sizeof more_contact_channels / sizeof *more_contact_channels,
  N_WHOLE_CHANNELS = sizeof whole_channels / sizeof *whole_channels
};

int
ss_scene_n_channel_contacts (const SsScene *scene)
{
  return scene->n_contacts <= SS_CONTACTS_WITH_CHANNELS_MAX ? scene->n_contacts : 0;
}

int
ss_scene_n_channels (const SsScene *scene)
{
  return SS_BODY_CHANNELS * scene->n_bodies +
         (SS_CONTACT_CHANNELS + N_MORE_CONTACT_CHANNELS) * ss_scene_n_channel_contacts (scene) + scene->n_joints +
         scene->n_actuators + N_WHOLE_CHANNELS;
}

void
ss_scene_channel_name (const SsScene *scene, int channel, char *buffer, size_t size)
{
  const int n_contacts = ss_scene_n_channel_contacts (scene);
  int i = channel;

  SS_ASSERT (channel >= 0 && channel < ss_scene_n_channels (scene));
  if (i < SS_BODY_CHANNELS * scene->n_bodies) {
    snprintf (buffer, size, "%s.%s", scene->bodies[i / SS_BODY_CHANNELS].name, ss_body_channels[i % SS_BODY_CHANNELS]);
    return;
  }
  i -= SS_BODY_CHANNELS * scene->n_bodies;
  if (i < SS_CONTACT_CHANNELS * n_contacts) {
    snprintf (buffer, size, "%s.%s", scene->contacts[i / SS_CONTACT_CHANNELS].name,
              ss_contact_channels[i % SS_CONTACT_CHANNELS]);
    return;
  }
  i -= SS_CONTACT_CHANNELS * n_contacts;
  if (i < N_MORE_CONTACT_CHANNELS * n_contacts) {
    snprintf (buffer, size, "%s.%s", scene->contacts[i / N_MORE_CONTACT_CHANNELS].name,
              more_contact_channels[i % N_MORE_CONTACT_CHANNELS]);
    return;
  }
  i -= N_MORE_CONTACT_CHANNELS * n_contacts;
  if (i < scene->n_joints) {
    snprintf (buffer, size, "%s.drift", scene->joints[i].name);
    return;
  }
  i -= scene->n_joints;
  if (i < scene->n_actuators) {
    snprintf (buffer, size, "u.%s", scene->actuators[i].name);
    return;
  }
  snprintf (buffer, size, "%s", whole_channels[i - scene->n_actuators]);
}
