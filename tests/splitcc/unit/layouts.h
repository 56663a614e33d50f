/* SPDX-License-Identifier: Apache-2.0
 * Structures whose layout the C compiler and the front end must agree on: layout_test.cpp is
 * compiled with them, and gives their text to the front end: nothing here needs a preprocessor. */
typedef struct {
  long double a;
  char b;
} in_padding;
typedef int aligned_down __attribute__((aligned(1)));
typedef short aligned_up __attribute__((aligned(32)));
enum __attribute__((packed)) narrow { N0, N1 };

struct s0 {
  char a;
  short b;
  char c;
  int d;
  char e;
  long f;
  char g;
};
struct s1 {
  char a;
  long double b;
  char c;
  __int128 d;
  _Bool e;
};
struct s2 {
  int a : 3;
  int b : 30;
  unsigned c : 1;
  char d;
};
struct s3 {
  char a : 4;
  short b : 9;
  int c : 17;
  long d : 40;
  long e : 30;
};
struct s4 {
  int a : 5;
  int : 0;
  int b : 5;
  char : 0;
  char c;
};
struct s5 {
  char a;
  int : 20;
  char b;
  long : 0;
  char c;
};
struct s6 {
  char a;
  int b;
  short c;
} __attribute__((packed));
struct s7 {
  char a;
  int b __attribute__((packed));
  short c;
  long d __attribute__((packed));
};
struct s8 {
  int a : 7;
  int b : 31;
  long c : 33;
  char d;
} __attribute__((packed));
struct s9 {
  char a;
  char b __attribute__((aligned(16)));
  char c;
};
struct s10 {
  char a;
} __attribute__((aligned(64)));
union u11 {
  char a[7];
  int b;
  short c[5];
};
union u12 {
  int a : 3;
  long b : 50;
  char c[9];
};
struct s13 {
  struct s6 a;
  struct s0 b[3];
  union u11 c;
  struct s10 d;
};
struct s14 {
  aligned_down a;
  char b;
  aligned_down c;
  aligned_up d;
  char e;
};
struct s15 {
  char a;
  _Complex float b;
  char c;
  _Complex double d;
};
struct s16 {
  char a;
  int b __attribute__((vector_size(16)));
};
struct s17 {
  char a;
  enum narrow b;
  enum narrow c;
  int d;
};
struct s18 {
  int n;
  double more[];
};
struct s19 {
  char a;
  int b[0];
  char c;
};
struct s20 {
  int a;
  struct {
    char b;
    long c;
  };
  union {
    char d;
    double e;
  };
  char f;
};
struct s21 {
  in_padding a;
  char b;
};
struct s22 {
  char a;
  __builtin_va_list b;
  char c;
};
struct s23 {
  _Bool a : 1;
  _Bool b : 1;
  char c : 7;
  _Bool d : 1;
};
struct s24 {
  char a;
  int (*b)(void);
  int (*c[2])(int);
};
#pragma pack(push, 2)
struct s25 {
  char a;
  long b;
  int c : 20;
  short d;
};
#pragma pack(push, 1)
struct s26 {
  char a;
  double b;
  long c : 37;
};
#pragma pack(pop)
struct s27 {
  char a;
  long double b;
  struct s0 c;
};
#pragma pack(pop)
struct s28 {
  char a;
  struct s25 b;
  struct s26 c;
  struct s27 d;
};
struct s29 {
  long a : 24;
  int b : 24;
  short c : 3;
  char d : 6;
  char e : 6;
};
