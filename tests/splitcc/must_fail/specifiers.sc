/* SPDX-License-Identifier: Apache-2.0
 * Specifiers that do not go together, and names that are no types. */
//! 23: error: unknown type name 'uint'
//! 24: error: unknown type name 'bytes'
//! 25: error: unknown type name 'number'
//! 26: error: two or more data types in declaration specifiers
//! 27: error: two or more data types in declaration specifiers
//! 28: error: both 'signed' and 'unsigned' in declaration specifiers
//! 29: error: these type specifiers do not go together
//! 30: error: duplicate 'static'
//! 31: error: multiple storage classes in declaration specifiers
//! 32: error: file-scope declaration of 'automatic' specifies 'auto'
//! 33: error: invalid use of 'restrict'
//! 34: error: requested alignment is not a positive power of 2
//! 35: error: variable 'object' declared 'inline'
//! 36: error: storage class specified for a parameter
//! 37: error: a storage class has no place in a type name
//! 38: error: declaration with '__auto_type' needs an initializer
//! 39: error: '__auto_type' needs a plain name
//! 41: error: unknown type name 'flag'
//! 44: error: expected expression before 'typed'
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
