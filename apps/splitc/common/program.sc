/* SPDX-License-Identifier: Apache-2.0 */
#include "program.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The command line --- */

static const char *program = "program";
static int wants_json;

void refuse(const char *format, ...)
{
  on_one {
    va_list arguments;
    fprintf(stderr, "%s: ", program);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n");
    exit(2);
  }
  barrier(); /* the job ends while the others wait here */
}

/* At processor 0, when all is printed: what is lost is an error. */
static void finish_output(void)
{
  if (fflush(stdout) == 0 && !ferror(stdout)) return;
  fprintf(stderr, "%s: cannot write standard output: %s\n", program, strerror(errno));
  exit(1);
}

static void print_help(const char *about, const setting *s)
{
  printf("%s\n\nusage: ramjet run -n PROCESSORS %s [options]\n\n", about, program);
  for (; s->name; s++) {
    char flag[64];
    snprintf(flag, sizeof flag, "--%s %s", s->name, s->number ? "N" : "WORD");
    printf("  %-20s %s", flag, s->meaning);
    if (s->number)
      printf(" [%ld]\n", *s->number);
    else
      printf(" [%s]\n", *s->text ? *s->text : "none");
  }
  printf("  %-20s print one line of JSON\n  %-20s print this\n", "--json", "--help");
}

static int read_number(const char *typed, long *number)
{
  char *end;
  double value = strtod(typed, &end);
  if (end == typed || *end || value != floor(value) || fabs(value) > 9e15) return 0;
  *number = (long)value;
  return 1;
}

static void read_value(const setting *s, const char *typed)
{
  if (!typed) refuse("--%s: give a value after it", s->name);
  if (!s->number) {
    *s->text = typed;
    return;
  }
  if (!read_number(typed, s->number) || *s->number < s->least || *s->number > s->most)
    refuse("--%s %s: give a whole number from %ld to %ld", s->name, typed, s->least, s->most);
}

void read_settings(int argc, char **argv, const char *about, setting *settings)
{
  int i;
  program = strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0];
  for (i = 1; i < argc; i++) {
    const setting *s = settings;
    if (strcmp(argv[i], "--help") == 0) {
      on_one {
        print_help(about, settings);
        finish_output();
        exit(0);
      }
      barrier();
    }
    if (strcmp(argv[i], "--json") == 0) {
      wants_json = 1;
      continue;
    }
    while (s->name && (strncmp(argv[i], "--", 2) != 0 || strcmp(argv[i] + 2, s->name) != 0)) s++;
    if (!s->name) refuse("%s: there is no such option; --help lists them", argv[i]);
    read_value(s, argv[++i]);
  }
}

/* --- Time --- */

double time_begin(void)
{
  barrier();
  return get_seconds();
}

double time_end(double begin)
{
  barrier();
  return all_reduce_to_all_dmax(get_seconds() - begin);
}

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

double median(double *samples, long count)
{
  qsort(samples, count, sizeof samples[0], ascending);
  return (samples[(count - 1) / 2] + samples[count / 2]) / 2;
}

/* --- The report --- */

#define REPORT_BYTES 65536

static char json_line[REPORT_BYTES], text_lines[REPORT_BYTES];

static void append(char *to, const char *format, ...)
{
  size_t length = strlen(to);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(to + length, REPORT_BYTES - length, format, arguments);
  va_end(arguments);
}

void report_json(const char *name, const char *json)
{
  append(json_line, ", \"%s\": %s", name, json);
}

void report_line(const char *name, const char *text)
{
  append(text_lines, "  %-22s %s\n", name, text);
}

void report_number(const char *name, double value)
{
  char number[64];
  snprintf(number, sizeof number, value == floor(value) && fabs(value) < 9e15 ? "%.0f" : "%.6g",
           value);
  report_json(name, number);
  report_line(name, number);
}

void report_text(const char *name, const char *text)
{
  char quoted[4096];
  snprintf(quoted, sizeof quoted, "\"%s\"", text);
  report_json(name, quoted);
  report_line(name, text);
}

void report_end(int correct)
{
  correct = all_reduce_to_all_min(correct != 0);
  report_text("check", correct ? "ok" : "wrong");
  on_one {
    if (wants_json)
      printf("{\"program\": \"%s\", \"procs\": %d%s}\n", program, PROCS, json_line);
    else
      printf("%s on %d processor%s\n%s", program, PROCS, PROCS == 1 ? "" : "s", text_lines);
    finish_output();
    if (!correct) {
      fprintf(stderr, "%s: the result is wrong\n", program);
      exit(1);
    }
  }
  barrier();
}

/* --- Of all processors --- */

/* The library adds ints: quarter words of up to 2^15 processors do not overflow one. */
word all_sum_words(word own)
{
  word sum = 0;
  int shift;
  for (shift = 0; shift < 64; shift += 16)
    sum += (word)all_reduce_to_all_add((int)(own >> shift & 0xffff)) << shift;
  return sum;
}
