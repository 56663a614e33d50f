/* SPDX-License-Identifier: Apache-2.0
 * A ray tracer: the lines of the picture are dealt out to the processors, which bulk put each into
 * the frame at processor 0 as soon as it is done, and go on with the next. See README.md. */
#include "../common/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "png.h"
#include "scene.h"

static long width = 320, height = 200, samples = 2, depth = 3, repeats = 1;
static const char *output = 0;

static setting settings[] = {
  {"width", "of the picture, in pixels", &width, 1, 1 << 14},
  {"height", "of the picture, in pixels", &height, 1, 1 << 14},
  {"samples", "rays along either side of a pixel", &samples, 1, 64},
  {"depth", "of the flake: how often smaller balls sit on balls", &depth, 0, 6},
  {"repeats", "pictures; the median of their times counts", &repeats, 1, 1000},
  {"output", "the file to write, a PNG", 0, 0, 0, &output},
  {0},
};

typedef unsigned char byte;

/* A line of the frame: what PNG wants before it, and its pixels. */
#define LINE_BYTES (1 + 3 * width)

/* --- The camera --- */

typedef struct camera {
  vector eye, ahead, right, down;
} camera;

/* `right` and `down` lead to the next pixel. */
static camera make_camera(void)
{
  camera c;
  double pixel = 0.64 / height;
  c.eye = make_vector(2.6, -5.2, 2.5);
  c.ahead = unit(minus(make_vector(0, 0, 0.95), c.eye));
  c.right = unit(cross(c.ahead, make_vector(0, 0, 1)));
  c.down = times(cross(c.ahead, c.right), pixel);
  c.right = times(c.right, pixel);
  return c;
}

/* Through the place (x, y) of the picture, in pixels from its upper left corner. */
static vector direction_of(const camera *c, double x, double y)
{
  vector across = plus_times(c->ahead, c->right, x - width / 2.0);
  return unit(plus_times(across, c->down, y - height / 2.0));
}

/* As eyes see it: half the light is more than half as bright. */
static byte brightness(double light)
{
  return light <= 0 ? 0 : light >= 1 ? 255 : (byte)(255 * sqrt(light) + 0.5);
}

static void trace_line(const scene *s, const camera *c, long y, byte *pixels)
{
  double share = 1.0 / (samples * samples);
  long x, i, j;
  for (x = 0; x < width; x++) {
    vector sum = make_vector(0, 0, 0);
    for (i = 0; i < samples; i++)
      for (j = 0; j < samples; j++) {
        vector d = direction_of(c, x + (j + 0.5) / samples, y + (i + 0.5) / samples);
        sum = plus_times(sum, colour_seen(s, c->eye, d), share);
      }
    *pixels++ = brightness(sum.x);
    *pixels++ = brightness(sum.y);
    *pixels++ = brightness(sum.z);
  }
}

/* --- The algorithm --- */

static void trace(const scene *s, byte F[1]::[height][LINE_BYTES])
{
  camera c = make_camera();
  byte line[LINE_BYTES];
  int y;
  line[0] = 0;
  for_my_1d(y, height) {
    trace_line(s, &c, y, line + 1);
    bulk_put(&F[0][y][0], line, LINE_BYTES);
  }
  sync();
}

/* --- The check --- */

static word line_sum(const byte *line, long y)
{
  word sum = random_key(0, y);
  long i;
  for (i = 0; i < LINE_BYTES; i++) sum = scrambled(sum + line[i]);
  return sum;
}

/* Some lines are traced again by one processor. */
#define LINES_AGAIN 4

static int is_right(const scene *s, byte F[1]::[height][LINE_BYTES], word *sum)
{
  byte (*frame)[LINE_BYTES] = (byte (*)[LINE_BYTES])tolocal(F[0]), line[LINE_BYTES];
  camera c = make_camera();
  long y, i;
  int right = 1;
  *sum = 0;
  for (y = 0; y < height; y++) *sum += line_sum(frame[y], y);
  for (i = 0; i < LINES_AGAIN; i++) {
    y = scrambled(i) % height;
    trace_line(s, &c, y, line + 1);
    right &= memcmp(line + 1, frame[y] + 1, 3 * width) == 0 && frame[y][0] == 0;
  }
  return right;
}

/* --- The program --- */

static double run(const scene *s, byte F[1]::[height][LINE_BYTES])
{
  double seconds[repeats], begin;
  long round;
  for (round = 0; round < repeats; round++) {
    on_one memset((byte *)tolocal(F[0]), 0xff, height * LINE_BYTES);
    begin = time_begin();
    trace(s, F);
    seconds[round] = time_end(begin);
  }
  return median(seconds, repeats);
}

static int save(const byte *frame)
{
  const char *wrong = write_png(output, width, height, frame);
  if (wrong) fprintf(stderr, "p-ray: %s cannot be written: %s\n", output, wrong);
  return !wrong;
}

splitc_main(int argc, char **argv)
{
  int right = 1;
  word sum;
  char text[32] = "";
  read_settings(argc, argv, "A ray tracer whose lines go to processor 0 by bulk puts.", settings);
  {
    byte F[1]::[height][LINE_BYTES];
    scene s = make_scene(depth);
    double seconds = run(&s, F);
    on_one {
      right = is_right(&s, F, &sum);
      snprintf(text, sizeof text, "%016lx", sum);
      if (output && !save((byte *)tolocal(F[0]))) exit(1);
    }
    barrier();
    report_number("width", width);
    report_number("height", height);
    report_number("balls", s.count);
    report_number("seconds", seconds);
    report_number("rays_per_second", width * height * samples * samples / seconds);
    report_text("picture", text);
    free(s.balls);
  }
  report_end(right);
}
