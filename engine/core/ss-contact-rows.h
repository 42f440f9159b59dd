/* engine/core/ss-contact-rows.h: contacts that do something in a row of a motion, and only those: scenes with many
 * pairs of bodies have few that touch at a time. Plain data. ss-trajectory.c */
#pragma once

typedef struct {
  int row;                     /* of the motion */
  int contact;                 /* of the scene */
  double gap;                  /* [m] */
  double lambda_n, lambda_t;   /* [N] */
  double impulse_n, impulse_t; /* [N s], of the step that ends at the row */
  double dissipated;           /* since the start [J] */
  double law_residual;         /* [m/s]; 0 until it is judged */
} SsContactRow;

typedef struct {
  int n, capacity;
  SsContactRow *items; /* rows ascending, of a row contacts ascending */
} SsContactRows;

/* Takes out what belongs to the rows first..end - 1 of the motion, which go; later rows move up. */
void ss_contact_rows_remove (SsContactRows *rows, int first, int end);
void ss_contact_rows_free (SsContactRows *rows); /* NULL is allowed */
