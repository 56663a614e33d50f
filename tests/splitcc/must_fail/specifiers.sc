/* SPDX-License-Identifier: Apache-2.0
 * Specifiers that do not go together, and names that are not types. */
//! flags: -fsyntax-only -fmax-errors=0
//! 26: error: unknown type name 'uint'
//! 27: error: unknown type name 'bytes'
//! 28: error: unknown type name 'number'
//! 29: error: two or more data types in declaration specifiers
//! 30: error: two or more data types in declaration specifiers
//! 31: error: both 'signed' and 'unsigned' in declaration specifiers
//! 32: error: these type specifiers do not go together
//! 33: error: duplicate 'static'
//! 34: error: multiple storage classes in declaration specifiers
//! 35: error: file-scope declaration of 'automatic' specifies 'auto'
//! 36: error: invalid use of 'restrict'
//! 37: error: requested alignment is not a positive power of 2
//! 38: error: variable 'object' declared 'inline'
//! 39: error: storage class specified for a parameter
//! 40: error: a storage class has no place in a type name
//! 41: error: declaration with '__auto_type' needs an initializer
//! 42: error: '__auto_type' needs a plain name
//! 44: error: unknown type name 'flag'
//! 47: error: expected expression before 'typed'
//! 49: error: unknown type name 'global'; it stands behind the '*'
//! 51: error: int *spread p
typedef int typed;
uint count;
static bytes *start;
int known(int a, number b);
int double twice;
typed int again;
signed unsigned neither;
long long long longest;
static static int both;
static extern int one_of_two;
auto int automatic;
int restrict no_pointer;
int odd __attribute__((aligned(3)));
inline int object;
int stored(static int a);
int size = sizeof(const static int);
__auto_type nothing;
__auto_type *pointer = &size;
int body(typed a) {
  flag b;
  typed c = 1;
  { int typed = c; c = typed * 2; }
  return c + typed;
}
global int *before;
int separated;
int taken(spread double *d);
