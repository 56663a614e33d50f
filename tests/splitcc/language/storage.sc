/* SPDX-License-Identifier: Apache-2.0
 * File-scope and static variables are private, at the same address on all; statics, stack and heap
 * of a processor are reachable by the others; automatic variables are zeroed; the stack is large. */
#include "check.h"

int file_scope = 5, zeroed, array[100];
static double hidden = 2.5;
const int constant = 17;
char *text = "text", letters[] = "letters";
struct { int a; char b; } initialised = {3, 'x'};
int common_one, common_two[];
int common_one;

static int counter(void) {
  static int calls = 100;
  return ++calls;
}

static void same_addresses(void *p) {
  const long bits = (long)p;
  CHECK_INT(all_reduce_to_all_max((int)(bits >> 3)), (int)(bits >> 3));
  CHECK_INT(all_reduce_to_all_min((int)(bits >> 3)), (int)(bits >> 3));
}

static void privacy(void) {
  int i;
  CHECK(file_scope == 5 && zeroed == 0 && hidden == 2.5 && initialised.b == 'x');
  CHECK(strcmp(letters, "letters") == 0 && strcmp(text, "text") == 0 && array[99] == 0);
  barrier();
  file_scope = MYPROC;
  for (i = 0; i < 100; i++) array[i] = mark(MYPROC, i);
  for (i = 0; i <= MYPROC; i++) counter();
  barrier();
  CHECK_INT(file_scope, MYPROC);
  CHECK_INT(counter(), 102 + MYPROC);
  same_addresses(&file_scope);
  same_addresses(&zeroed);
  same_addresses(&hidden);
  same_addresses(array);
  same_addresses(letters);
  same_addresses(&common_one);
}

static void statics_of_others(void) {
  static int inside_of_a_function;
  int i;
  barrier();
  for (i = 0; i < 100; i++) CHECK_INT(toglobal(NEXT, array)[i], mark(NEXT, i));
  *toglobal(NEXT, &zeroed) = MYPROC + 1;
  *toglobal(NEXT, &hidden) = MYPROC / 4.0;
  *toglobal(NEXT, &inside_of_a_function) := MYPROC + 2;
  toglobal(NEXT, letters)[0] = 'L';
  toglobal(NEXT, &initialised)->a += 4;
  sync();
  barrier();
  CHECK_INT(zeroed, PREVIOUS + 1);
  CHECK_DOUBLE(hidden, PREVIOUS / 4.0);
  CHECK_INT(inside_of_a_function, PREVIOUS + 2);
  CHECK(strcmp(letters, "Letters") == 0);
  CHECK_INT(initialised.a, 7);
  barrier();
}

/* Each tells the others where its automatic variable and its heap memory are. */
static int *global my_automatic, *global my_heap;
static void stacks_and_heaps_of_others(int depth) {
  int automatic = mark(MYPROC, depth), *heap, *global g;
  char padding[200 + 40 * MYPROC];
  padding[0] = 0;
  if (depth > 0) {
    stacks_and_heaps_of_others(depth - 1);
    return;
  }
  heap = malloc(1000 * sizeof(int));
  heap[999] = mark(MYPROC, 999);
  my_automatic = &automatic;
  my_heap = heap;
  barrier();
  g = *toglobal(NEXT, &my_automatic);
  CHECK_INT(toproc(g), NEXT);
  CHECK_INT(*g, mark(NEXT, 0));
  g = *toglobal(NEXT, &my_heap);
  CHECK_INT(g[999], mark(NEXT, 999));
  g[5] = MYPROC;
  *(*toglobal(NEXT, &my_automatic)) := MYPROC + 70;
  sync();
  barrier();
  CHECK_INT(automatic, PREVIOUS + 70);
  CHECK_INT(heap[5], PREVIOUS);
  free(heap);
  barrier();
}

static void make_dirty(void) {
  volatile char bytes[5000];
  int i;
  for (i = 0; i < 5000; i++) bytes[i] = 0x5a;
}
/* Programs read variables that they never set, and free them. */
static void zeroed_automatics(void) {
  int i, many[200], *p;
  char *never;
  struct { int a; double b[4]; } s;
  int *global g;
  long sum = 0;
  CHECK(i == 0 && p == NULL && s.a == 0 && s.b[3] == 0 && !g);
  for (i = 0; i < 200; i++) sum |= many[i];
  CHECK_INT(sum, 0);
  free(never);
  free(p);
}

static int deep(int n) {
  char frame[1000];
  frame[n % 1000] = 1;
  return n == 0 ? frame[0] : deep(n - 1) + frame[n % 1000];
}
static double whole_tile(void) {
  double tile[60 << 17];
  int i;
  for (i = 0; i < 60 << 17; i += 4096) tile[i] = 1;
  return tile[4096] + tile[(60 << 17) - 4096];
}

splitc_main() {
  privacy();
  statics_of_others();
  stacks_and_heaps_of_others(3);
  make_dirty();
  zeroed_automatics();
  on_one CHECK_INT(deep(50000), 50001);
  on_proc(PROCS - 1) CHECK_DOUBLE(whole_tile(), 2);
  DONE;
}
