/* SPDX-License-Identifier: Apache-2.0
 * What every program here shares: its command line, the time that all processors take together, its
 * report, and random words. What is collective is called by all processors alike. */
#ifndef APPS_SPLITC_COMMON_PROGRAM_H
#define APPS_SPLITC_COMMON_PROGRAM_H

#include <split-c/split-c.h>

typedef unsigned long word;

/* --- The command line --- */

/* An option: --NAME and a whole number, which may be typed as 1e6, or --NAME and text. A table of
 * them ends with one that has no name. */
typedef struct setting {
  const char *name;
  const char *meaning;
  long *number;      /* holds the default; null if the option takes text */
  long least, most;  /* of the number */
  const char **text; /* holds the default */
} setting;

/* Reads the command line; --json and --help are options of every program. A wrong one ends the job
 * with status 2 and one line that says what is wrong. Collective. */
void read_settings(int argc, char **argv, const char *about, setting *settings);

/* Ends the job with status 2 and one line, as for a wrong command line. Collective. */
void refuse(const char *format, ...);

/* --- Time --- */

/* Seconds from the processors' meeting before to their meeting after: time_end(time_begin()).
 * The same result everywhere. Collective. */
double time_begin(void);
double time_end(double begin);

/* Of at least one sample; sorts them. */
double median(double *samples, long count);

/* --- The report: a line a result, or with --json one line of JSON for all --- */

/* Results in the order in which they are to be printed. Those of processor 0 count. */
void report_number(const char *name, double value);
void report_text(const char *name, const char *text);
/* The two halves of these: for JSON, what stands after the colon; and for people. */
void report_json(const char *name, const char *json);
void report_line(const char *name, const char *text);

/* Prints the report. If it cannot be written, or the results of any processor are not correct, says
 * so and ends the job with status 1. Collective. */
void report_end(int correct);

/* --- Of all processors --- */

/* The sum of everybody's words, modulo 2^64. Collective. */
word all_sum_words(word own);

/* --- Random words that anybody can generate again --- */

/* One to one, and every bit of the result depends on every bit of x. (Steele, Lea and Flood 2014,
 * Fast Splittable Pseudorandom Number Generators: splitmix64.) */
static inline word scrambled(word x)
{
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9UL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebUL;
  return x ^ (x >> 31);
}

#define RANDOM_STEP 0x9e3779b97f4a7c15UL

/* The start of the stream that a further part of its key tells from others: begin with state 0. */
static inline word random_key(word state, word part)
{
  return scrambled(state + RANDOM_STEP + part);
}

static inline word random_word(word *state) { return scrambled(*state += RANDOM_STEP); }

/* Below n, which is at most 2^32. */
static inline word random_below(word *state, word n)
{
  return (random_word(state) >> 32) * n >> 32;
}

/* In [-1, 1). */
static inline double random_signed(word *state)
{
  return (double)(long)random_word(state) * 0x1p-63;
}

#endif
