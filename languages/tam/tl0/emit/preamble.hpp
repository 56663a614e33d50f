// SPDX-License-Identifier: Apache-2.0
// What every output begins with: the operations that are more than an operator, and what prints.
#ifndef TL0_EMIT_PREAMBLE_HPP
#define TL0_EMIT_PREAMBLE_HPP

#include <string_view>

namespace tl0 {

inline constexpr std::string_view kPreamble = R"(#include <errno.h>
#include <math.h>
#include <ramjet/ramjet.h>
#include <ramjet/tam.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define TL0_INLINE static inline __attribute__((__always_inline__, __unused__))

/* A program that does what it may not ends. */
__attribute__((__cold__, __noreturn__, __unused__)) static void tl0_fail(const char* site,
                                                                         const char* text) {
  fflush(stdout);
  fprintf(stderr, "%s: error: %s (rank %d)\n", site, text, tam_rank_of(tam_here.own));
  _Exit(1);
}
TL0_INLINE int64_t tl0_divide(int64_t a, int64_t b, const char* site) {
  if (TAM_UNLIKELY(b == 0)) tl0_fail(site, "division by zero");
  return b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}
TL0_INLINE int64_t tl0_remainder(int64_t a, int64_t b, const char* site) {
  if (TAM_UNLIKELY(b == 0)) tl0_fail(site, "division by zero");
  return b == -1 ? 0 : a % b;
}
TL0_INLINE int64_t tl0_int(double a, const char* site) {
  if (TAM_UNLIKELY(!(a >= -0x1p63 && a < 0x1p63))) tl0_fail(site, "no int is this float");
  return (int64_t)a;
}
TL0_INLINE tam_word tl0_elements(int64_t count, const char* site) {
  if (TAM_UNLIKELY((uint64_t)count >= (uint64_t)1 << 32))
    tl0_fail(site, "there can be no structure of that many elements");
  return (tam_word)count;
}
TL0_INLINE int tl0_rank(int64_t rank, const char* site) {
  if (TAM_UNLIKELY(rank < 0 || rank >= ramjet_size())) tl0_fail(site, "there is no such rank");
  return (int)rank;
}
/* A new frame of a code block that is known when it runs. */
TL0_INLINE struct tam_frame* tl0_falloc(const struct tam_block* block) {
  struct tam_frame* frame = tam_take_frame(block, block->frame_bytes);
  if (block->prepare) block->prepare(frame);
  return frame;
}

/* A line at a time, so that lines of several ranks stay whole. A float has as few digits as give it
 * back, of 15, 16 and 17. */
static char* tl0_line;
static size_t tl0_used, tl0_room;
__attribute__((__unused__)) static void tl0_add(const char* text) {
  const size_t length = strlen(text);
  if (tl0_room - tl0_used <= length) {
    tl0_room = 2 * (tl0_used + length) + 4096;
    tl0_line = (char*)realloc(tl0_line, tl0_room);
    if (!tl0_line) tl0_fail("output", "there is no memory for a line");
  }
  memcpy(tl0_line + tl0_used, text, length);
  tl0_used += length;
}
__attribute__((__unused__)) static void tl0_add_int(int64_t value) {
  char text[24];
  snprintf(text, sizeof text, "%lld", (long long)value);
  tl0_add(text);
}
__attribute__((__unused__)) static void tl0_add_float(double value) {
  char text[40];
  for (int digits = 15; digits <= 17; ++digits) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  tl0_add(text);
}
__attribute__((__unused__)) static void tl0_add_bool(_Bool value) {
  tl0_add(value ? "true" : "false");
}
__attribute__((__unused__)) static void tl0_end_line(void) {
  tl0_add("\n");
  fwrite(tl0_line, 1, tl0_used, stdout);
  fflush(stdout);
  tl0_used = 0;
}
/* What is required does not hold; the line says what is wrong. */
__attribute__((__cold__, __noreturn__, __unused__)) static void tl0_fail_with_line(
    const char* site) {
  fflush(stdout);
  fprintf(stderr, "%s: error: %.*s (rank %d)\n", site, (int)tl0_used, tl0_line,
          tam_rank_of(tam_here.own));
  _Exit(1);
}

/* The words of the command line: those that `tl0 --run` takes. strtoll and strtod take more: space
 * and a plus in front, hexadecimal floats, and what does not fit. */
__attribute__((__noreturn__, __unused__)) static void tl0_no_argument(const char* text,
                                                                      const char* type) {
  fprintf(stderr, "error: the argument '%s' is not %s\n", text, type);
  _Exit(2);
}
__attribute__((__unused__)) static int64_t tl0_read_int(const char* text) {
  char* end;
  errno = 0;
  const long long value = strtoll(text, &end, 10);
  if (!strchr("-0123456789", *text) || end == text || *end || errno != 0)
    tl0_no_argument(text, "an int");
  return value;
}
__attribute__((__unused__)) static double tl0_read_float(const char* text) {
  char* end;
  errno = 0;
  const double value = strtod(text, &end);
  /* Also a float that is not quite 0 may set errno. */
  const _Bool fits = errno == 0 || (value != 0 && !isinf(value));
  if (!strchr("-.0123456789iInN", *text) || strpbrk(text, "xX") || end == text || *end || !fits)
    tl0_no_argument(text, "a float");
  return value;
}
__attribute__((__unused__)) static _Bool tl0_read_bool(const char* text) {
  if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)
    tl0_no_argument(text, "a bool: true or false");
  return text[0] == 't';
}
)";

}  // namespace tl0

#endif
