/* SPDX-License-Identifier: Apache-2.0
 * Wrong declarators, specifiers and initializers. */
//! 21:5: error: expected '*' before 'global'
//! 22:5: error: expected '*' before 'spread'
//! 23: error: type
//! 24: error: type
//! 25: error: storage
//! 26: error: array
//! 27: error: function
//! 28: error: function
//! 29: error: function
//! 30: error: width
//! 31: error: zero
//! 32: error: type
//! 33: error: negative
//! 36: error: c
//! 37: error: index
//! 38: error: an int has two bytes
//! 39: error: incompatible
//! 41: error: nested
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
_Static_assert(sizeof(int) == 2, "an int has two bytes");
int (*pointer)(void) = 3.5;
int nested(void) {
  int inner(int a) { return a; }
  return 0;
}
