/* engine/expr/ss-tape-private.h: what a tape consists of, for its compiler and evaluator (ss-tape.c) and for the ranges
 * of its outputs (ss-tape-range.c). A register is a row of SS_TAPE_LANES doubles of the caller's work array. */
#pragma once

#include "expr/ss-expr.h"

/* Instructions are SsOp values and the following. INPUT loads a varying input (a is its slot), CONSTANT fills with
 * constants[a]. */
enum {
  TAPE_UNIFORM = SS_OP_COUNT, /* fills with uniform[a]                             */
  TAPE_STORE,                 /* lanes of register a to output dst                 */
  TAPE_STORE_UNIFORM,         /* first lane of register a to output dst, all instances */
};

typedef struct {
  int op;
  int dst, a, b, c; /* offsets of registers in `work`, or what the instruction says */
} Instruction;

typedef struct {
  int n;
  Instruction *code;
} Program;

struct SsTape {
  int n_inputs;
  int n_outputs;
  int n_varying;
  int n_registers;
  Program prologue, body;
  int n_constants;
  double *constants;
};
