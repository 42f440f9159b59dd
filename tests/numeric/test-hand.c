/* tests/numeric/test-hand.c: what actuators do to pull a body as a hand would (dynamics/ss-hand.h), against virtual
 * work: a force on a disc is itself, a motor of an arm gives the moment of the force about its joint. */
#include "dynamics/ss-hand.h"
#include "tests/ss-test-scenario.h"
#include "tests/ss-test.h"

#include <math.h>

static const char text[] =
    "{\"format\": 1, \"name\": \"hand\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": ["
    "{\"name\": \"disc\", \"mass\": 0.5, \"lock\": [\"theta\"], \"position\": [-3, 1], \"shape\": {\"type\": "
    "\"circle\", \"radius\": 0.1}},"
    "{\"name\": \"upper\", \"mass\": 1.2, \"position\": [0.5, 0], \"shape\": {\"type\": \"capsule\", \"from\": "
    "[-0.5, 0], \"to\": [0.5, 0], \"radius\": 0.02}},"
    "{\"name\": \"lower\", \"mass\": 0.7, \"position\": [1, 0.4], \"angle\": 1.5707963267948966, \"shape\": {\"type\": "
    "\"capsule\", \"from\": [-0.4, 0], \"to\": [0.4, 0], \"radius\": 0.02}},"
    "{\"name\": \"box\", \"mass\": 2, \"position\": [5, 0], \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": "
    "1}}], \"contacts\": [], \"joints\": ["
    "{\"name\": \"shoulder\", \"type\": \"pin\", \"bodies\": [\"world\", \"upper\"], \"anchor\": [0, 0]},"
    "{\"name\": \"elbow\", \"type\": \"pin\", \"bodies\": [\"upper\", \"lower\"], \"anchor\": [1, 0]}],"
    "\"actuators\": ["
    "{\"name\": \"fx\", \"type\": \"force\", \"body\": \"disc\", \"direction\": [1, 0], \"lower\": -4, \"upper\": 4},"
    "{\"name\": \"fy\", \"type\": \"force\", \"body\": \"disc\", \"direction\": [0, 1], \"lower\": -4, \"upper\": 4},"
    "{\"name\": \"m1\", \"type\": \"joint\", \"joint\": \"shoulder\", \"lower\": -50, \"upper\": 50},"
    "{\"name\": \"m2\", \"type\": \"joint\", \"joint\": \"elbow\", \"lower\": -50, \"upper\": 50}]},"
    "\"task\": {\"t_end\": 1, \"dt\": 0.01}}";

/* The ridge of the least squares shifts controls by some 1e-9 of their size. */
static const double NEAR = 1e-6;

static void
test_pull (void)
{
  SsScenario *scenario = ss_test_read_text (text);
  const SsScene *scene = scenario->scene;
  double q[12], v[12] = {0}, u[4] = {0.5, 0, 0, 0};
  SsHand *hand = NULL;
  SsError err = {0};

  for (int i = 0; i < 12; i++)
    q[i] = scene->bodies[i / 3].q[i % 3];
  SS_CHECK (ss_hand_new (scene, &hand, &err) == SS_OK);

  /* a disc: the force itself, beside what its formula does, cut to the limits */
  SS_CHECK (ss_hand_pull (hand, 0, q, v, 0, (SsVec2){0, 0}, (SsVec2){2, -3}, u));
  SS_CHECK_NEAR (u[0], 2.5, NEAR);
  SS_CHECK_NEAR (u[1], -3, NEAR);
  SS_CHECK_NEAR (u[2], 0, NEAR);
  SS_CHECK_NEAR (u[3], 0, NEAR);
  SS_CHECK (ss_hand_pull (hand, 0, q, v, 0, (SsVec2){0, 0}, (SsVec2){0, -3}, u));
  SS_CHECK (u[1] == -4);

  /* the tip of the arm at (1, 0.8): moments of the force about the shoulder at (0, 0) and the elbow at (1, 0) */
  u[0] = u[1] = 0;
  SS_CHECK (ss_hand_pull (hand, 0, q, v, 2, (SsVec2){0.4, 0}, (SsVec2){3, 5}, u));
  SS_CHECK_NEAR (u[2], 1 * 5 - 0.8 * 3, NEAR);
  SS_CHECK_NEAR (u[3], 0 * 5 - 0.8 * 3, NEAR);
  SS_CHECK_NEAR (u[0], 0, NEAR);

  /* nothing drives the box */
  u[2] = u[3] = 0;
  SS_CHECK (!ss_hand_pull (hand, 0, q, v, 3, (SsVec2){0, 0}, (SsVec2){3, 5}, u));
  SS_CHECK (u[0] == 0 && u[1] == 0 && u[2] == 0 && u[3] == 0);
  ss_hand_free (hand);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (test_pull);
  return ss_test_finish ();
}
