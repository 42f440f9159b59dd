/* app/exchange/ssapp-mjcf-private.h: what the files that read MJCF share.
 *
 * A file becomes bodies, geoms and joints in the world at the start (ssapp-mjcf-bodies.c), these get names, masses and
 * shapes in the plane, and are written as a scene (ssapp-robot.c, ssapp-mjcf-joints.c, -contacts.c, -actuators.c).
 * Bodies without a joint belong to the body that carries them, its leader. */
#pragma once

#include "app/exchange/ssapp-pose.h"
#include "app/exchange/ssapp-robot.h"
#include "app/exchange/ssapp-xml.h"

G_BEGIN_DECLS

typedef enum {
  SSAPP_TOLD_LEFT_OUT,
  SSAPP_TOLD_CHANGED,
  SSAPP_TOLD_WRONG, /* another motion: refused, or left out where that is asked for */
} SsappToldKind;

/* A line that is told, with the number of places that it stands for. */
typedef struct {
  int line, count;
  SsappToldKind kind;
  char *text;
} SsappTold;

typedef enum { SSAPP_LINK_HINGE, SSAPP_LINK_SLIDE, SSAPP_LINK_FREE } SsappLinkKind;

/* A joint of a body, in the plane at the start. Its coordinate is `ref` there. */
typedef struct {
  SsappXml *element;
  SsappLinkKind kind;
  int body;         /* its leader */
  double sign;      /* HINGE: of the turn in the plane */
  SsVec2 direction; /* SLIDE */
  SsVec2 anchor;
  double ref;
  double lower, upper; /* of the coordinate */
  double stiffness, springref, damping, friction, armature;
  /* Filled by ssapp_mjcf_write_joints: */
  char *joint;         /* the scene's pin or slider; NULL: a coordinate of a body without one */
  gboolean turns_with; /* SLIDE: the direction turns with the body, not with what carries it */
  SsVec2 dual;         /* SLIDE: what a displacement is multiplied with */
} SsappLink;

typedef struct {
  SsappXml *element; /* NULL: a body of the world's geoms has none */
  int parent;        /* -1: the world */
  int leader;        /* itself where it has joints; -1: it stands still */
  SsappPose pose;
  char *name; /* of the scene's body; NULL: it is none */
  /* Of leaders: */
  double angle, mass, inertia;
  SsVec2 centre;
  GArray *links;                  /* of SsappLink */
  GString *points;                /* of formulas, as members of "points" */
  double velocity[3];             /* of its centre, and of its turn */
  gboolean has_point, is_upright; /* its point "joint" is among them; its angle is locked */
} SsappLinkBody;

typedef enum {
  SSAPP_GEOM_NONE,
  SSAPP_GEOM_CIRCLE,
  SSAPP_GEOM_CAPSULE,
  SSAPP_GEOM_POLYGON,
  SSAPP_GEOM_HALF_PLANE
} SsappGeomKind;

typedef struct {
  SsappXml *element;
  int body, leader; /* -1: of the world; it stands still */
  SsappGeomKind kind;
  double radius;
  GArray *points; /* of SsVec2, in the world; of a half-plane a point of it and its normal */
  int contype, conaffinity, condim, priority;
  double friction[3];
  gboolean is_paired;     /* named by a pair of contacts */
  const char *scene_body; /* NULL: not in the scene */
  /* In space: */
  double mass, inertia; /* about the plane's normal and its centre */
  SsVec2 centre;
} SsappGeom;

typedef struct {
  SsappXml *element;
  int leader; /* -1: it stands still */
  SsVec2 at;  /* in the world */
} SsappSite;

typedef struct {
  const char *path;
  const SsappRobotOptions *options;
  SsappView view;
  SsappXml *root;        /* of MJCF */
  SsappXml *source;      /* of the file: the same, or URDF's robot */
  GArray *told;          /* of SsappTold */
  GHashTable *told_once; /* key: index in told + 1 */
  gboolean is_wrong;
  GHashTable *known; /* "tag attribute" that this reader asks for */
  GHashTable *classes;
  /* What the file says of all: */
  gboolean in_degrees, autolimits, has_no_parent_filter, has_no_contact, has_no_limit, has_no_friction, has_no_spring,
      has_no_damper, has_no_actuation, has_no_equality;
  char sequence[4];
  int inertia_from_geom; /* 0, 1 or 2: where there is no inertial */
  double inertia_groups[2], total_mass, bound_mass, bound_inertia, timestep;
  SsappVec3 gravity;
  GArray *bodies;                /* of SsappLinkBody */
  GArray *geoms;                 /* of SsappGeom */
  GHashTable *site_of;           /* of SsappSite by name */
  GHashTable *body_of, *geom_of; /* by names of the file: index + 1 */
  GHashTable *names;             /* taken in the scene */
  GString *parameters;
} SsappMjcf;

#define SSAPP_BODY(self, i) (&g_array_index ((self)->bodies, SsappLinkBody, i))
#define SSAPP_GEOM(self, i) (&g_array_index ((self)->geoms, SsappGeom, i))
#define SSAPP_LINK(body, i) (&g_array_index ((body)->links, SsappLink, i))

/* ---- ssapp-mjcf-told.c ------------------------------------------------------------------------------------------- */
/* "FILE:LINE: element 'name': ..." */
void ssapp_mjcf_tell (SsappMjcf *self, SsappToldKind kind, const SsappXml *element, const char *format, ...)
    G_GNUC_PRINTF (4, 5);
/* The same, once for all that has the same words after the element's name; later places are counted. */
void ssapp_mjcf_tell_once (SsappMjcf *self, SsappToldKind kind, const SsappXml *element, const char *format, ...)
    G_GNUC_PRINTF (4, 5);
/* All elements and attributes that nobody read. */
void ssapp_mjcf_tell_unread (SsappMjcf *self);

/* ---- ssapp-mjcf-values.c: attributes with their defaults --------------------------------------------------------- */
/* An attribute of the element, or of its class of defaults and those around it; NULL. */
const char *ssapp_mjcf_get (SsappMjcf *self, SsappXml *element, const char *name);
/* Up to `most` numbers; how many there are, 0 where there is no such attribute. What are no numbers, or fewer than
 * `least`, is told. */
int ssapp_mjcf_numbers (SsappMjcf *self, SsappXml *element, const char *name, int least, int most, double *out);
/* Two ends, infinite where there is none or `limited` says no; FALSE after telling. */
gboolean ssapp_mjcf_range (SsappMjcf *self, SsappXml *element, const char *name, const char *limited, double range[2]);
double ssapp_mjcf_number (SsappMjcf *self, SsappXml *element, const char *name, double otherwise);
/* A whole number; what is none is told. */
int ssapp_mjcf_whole (SsappMjcf *self, SsappXml *element, const char *name, int otherwise);
SsappVec3 ssapp_mjcf_vec3 (SsappMjcf *self, SsappXml *element, const char *name, SsappVec3 otherwise);
/* true or false, `otherwise` for auto and where there is none. */
gboolean ssapp_mjcf_flag (SsappMjcf *self, SsappXml *element, const char *name, gboolean otherwise);
/* pos, and quat, axisangle, euler, xyaxes or zaxis. */
SsappPose ssapp_mjcf_pose (SsappMjcf *self, SsappXml *element);
/* A free name of the scene from one of the file, told where it is another one; `otherwise` where there is none.
 * g_free. */
char *ssapp_mjcf_name (SsappMjcf *self, const SsappXml *element, const char *otherwise);
/* compiler, option, default: before all others. */
void ssapp_mjcf_read_settings (SsappMjcf *self);

/* ---- text of a scene: members of objects, with a comma before all but the first of a list ------------------------ */
/* As many digits as the number needs; what turning left of a zero (below 1e-15) is 0. Static, for one use each of 8. */
const char *ssapp_mjcf_digits (double value);
/* A new line with an object's beginning in a list. */
void ssapp_mjcf_open (GString *list, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* ---- the parts --------------------------------------------------------------------------------------------------- */
/* URDF as MJCF, whose elements have the lines of URDF's; freed with ssapp_xml_free. */
SsappXml *ssapp_urdf_to_mjcf (SsappMjcf *self, SsappXml *robot); /* ssapp-urdf.c */
void ssapp_mjcf_read_bodies (SsappMjcf *self);                   /* ssapp-mjcf-bodies.c */
void ssapp_mjcf_read_geom (SsappMjcf *self, SsappXml *element, int body,
                           const SsappPose *frame); /* ssapp-mjcf-geom.c */
void ssapp_mjcf_weigh (SsappMjcf *self);            /* masses of leaders */
/* Joints, springs, forces and constraints that the joints of bodies are. */
void ssapp_mjcf_write_joints (SsappMjcf *self, GString *joints, GString *springs, GString *forces,
                              GString *constraints);
void ssapp_mjcf_write_equalities (SsappMjcf *self, GString *joints, GString *constraints);
/* Tendons between two sites, as springs; ssapp-mjcf-start.c, as the next. */
void ssapp_mjcf_write_tendons (SsappMjcf *self, GString *springs, GString *joints);
/* Velocities of the key "start". */
void ssapp_mjcf_read_start (SsappMjcf *self);
void ssapp_mjcf_write_contacts (SsappMjcf *self, GString *scene, GString *contacts);
void ssapp_mjcf_write_actuators (SsappMjcf *self, GString *actuators);
/* A point of the world at the start in the frame of the scene's body. */
SsVec2 ssapp_mjcf_in_body (const SsappLinkBody *body, SsVec2 point);
/* The leader's parent's leader, or -1: the world. */
int ssapp_mjcf_carrier (const SsappMjcf *self, int leader);
/* Its scene name, "world" of -1. */
const char *ssapp_mjcf_body_name (const SsappMjcf *self, int leader);
/* The joint of a name, or NULL after telling. */
SsappLink *ssapp_mjcf_find_link (SsappMjcf *self, const SsappXml *asks, const char *name);
/* The formulas of a joint's coordinate and of its rate; g_free. */
char *ssapp_mjcf_coordinate (SsappMjcf *self, const SsappLink *link, gboolean of_rate);

G_END_DECLS
