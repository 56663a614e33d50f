/* SPDX-License-Identifier: Apache-2.0
 * Declarators, specifiers and initializers that are none. */
//! 23: error: expected
//! 24: error: expected
//! 25: error: type
//! 26: error: type
//! 27: error: storage
//! 28: error: array
//! 29: error: function
//! 30: error: function
//! 31: error: function
//! 32: error: width
//! 33: error: zero
//! 34: error: type
//! 35: error: negative
//! 38: error: c
//! 39: error: index
//! 40: error: constant
//! 41: error: constant
//! 42: error: an int has two bytes
//! 43: error: incompatible
//! 45: error: nested
int global *wrong_place;
int spread array[3];
short double mixed;
unsigned float sign;
static extern int storage;
int function_of_arrays(void)[3];
int array_of_functions[3](void);
int function_of_functions(void)(void);
struct holder { int f(void); };
struct fields { int wide : 40; };
struct zero { int named : 0; };
struct real { double d : 3; };
int size[-3];
int too_many[2] = {1, 2, 3};
int scalar = {{1, 2}};
struct pair { int a, b; } unknown = {.c = 1};
int past[2] = {[5] = 1};
int not_constant = not_constant + 1;
int reads = *(int *)0;
_Static_assert(sizeof(int) == 2, "an int has two bytes");
int (*pointer)(void) = 3.5;
int nested(void) {
  int inner(int a) { return a; }
  return 0;
}
