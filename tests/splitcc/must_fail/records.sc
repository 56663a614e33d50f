/* SPDX-License-Identifier: Apache-2.0
 * Wrong structures, unions and enumerations. */
//! 26: error: redefinition of 'struct pair'
//! 25: note: originally defined here
//! 27: error: 'pair' defined as wrong kind of tag
//! 28: error: 'pair' defined as wrong kind of tag
//! 29: error: nested redefinition of 'struct inner'
//! 29: note: originally defined here
//! 30: error: field 'itself' has incomplete type
//! 31: error: flexible array member not at end of struct
//! 32: error: expected ';' before 'int'
//! 33: error: expected identifier or '(' before ';' token
//! 34: error: a storage class has no place in a member declaration
//! 35: error: duplicate member 'twice'
//! 35: note: the other 'twice' is here
//! 36: error: negative width in bit-field 'below'
//! 37: error: width of 'wide' exceeds its type
//! 38: error: variable or field 'nothing' declared void
//! 39: error: expected identifier or '{' before ';' token
//! 40: error: expected identifier before numeric constant
//! 41: error: expected ',' or '}' before 'two'
//! 42: error: enumerator value for 'unknown' is not an integer constant
//! 43: error: redeclaration of 'enum color'
//! 43: note: originally defined here
struct pair { int a, b; };
struct pair { int c; };
union pair { int d; };
enum pair { e };
struct inner { struct inner { int a; } b; };
struct recursive { int a; struct recursive itself; };
struct flexible { int a; int rest[]; int last; };
struct line { int a int b; int c; };
struct unnamed { int *; int good; };
struct stored { static int a; int b; };
struct names { int twice; struct { int twice; }; };
struct negative { int below : -1; };
struct fields { _Bool wide : 2; };
struct empty { void nothing; };
struct ;
enum { 1, after };
enum { one two };
int variable; enum { unknown = variable, known };
enum color { red }; enum color { green };
struct fields good;
