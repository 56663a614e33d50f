/* SPDX-License-Identifier: Apache-2.0 */
#include "scene.h"

#include <stdlib.h>

/* --- The flake --- */

#define CHILDREN 9
#define SHRINK (1.0 / 3)

/* On a ball that stands upright: six around its equator, three further up. */
static vector child_direction(int child)
{
  double around = (child < 6 ? child : 2 * (child - 6) + 0.5) * M_PI / 3;
  double up = child < 6 ? 0 : 0.96;
  return make_vector(cos(around) * cos(up), sin(around) * cos(up), sin(up));
}

static vector colour_at(long depth)
{
  static const vector colours[] = {
    {0.95, 0.75, 0.30}, {0.90, 0.45, 0.25}, {0.65, 0.30, 0.45}, {0.30, 0.40, 0.70}};
  return colours[depth % 4];
}

/* Balls of a ball of this depth, itself included. */
static long balls_of(long depth)
{
  long count = 1;
  for (; depth > 0; depth--) count = CHILDREN * count + 1;
  return count;
}

static double reach_of(double radius, long depth)
{
  double reach = radius;
  for (; depth > 0; depth--) reach += 2 * (radius *= SHRINK);
  return reach;
}

/* Adds a ball that stands in direction `up` on another, and all that stand on it. */
static void add_balls(scene *s, vector middle, vector up, double radius, long depth, long level)
{
  vector other = fabs(up.z) < 0.9 ? make_vector(0, 0, 1) : make_vector(1, 0, 0);
  vector side = unit(cross(up, other)), front = cross(side, up);
  ball *b = &s->balls[s->count++];
  int child;
  b->middle = middle;
  b->radius = radius;
  b->colour = colour_at(level);
  b->reach = reach_of(radius, depth);
  b->end = s->count - 1 + balls_of(depth);
  for (child = 0; child < CHILDREN && depth > 0; child++) {
    vector d = child_direction(child);
    vector away = plus_times(plus_times(times(side, d.x), front, d.y), up, d.z);
    add_balls(s, plus_times(middle, away, radius * (1 + SHRINK)), away, radius * SHRINK, depth - 1,
              level + 1);
  }
}

scene make_scene(long depth)
{
  scene s;
  s.count = 0;
  s.balls = malloc(balls_of(depth) * sizeof(ball));
  add_balls(&s, make_vector(0, 0, 1), unit(make_vector(0.15, 0.1, 1)), 1, depth, 0);
  return s;
}

/* --- What a ray meets --- */

#define NOTHING 1e30
#define CLOSE 1e-7 /* a ray does not meet the surface that it comes from */

/* How far a ray goes until it enters a sphere; from inside, until it leaves it. */
static inline double way_to_sphere(vector from, vector direction, vector middle, double radius)
{
  vector to = minus(middle, from);
  double along = dot(to, direction), square = along * along - dot(to, to) + radius * radius, root;
  if (square < 0) return NOTHING;
  root = sqrt(square);
  if (along - root > CLOSE) return along - root;
  return along + root > CLOSE ? along + root : NOTHING;
}

/* The first ball on the way, nearer than *way, which becomes the way to it; null if there is
 * none. */
static const ball *first_ball(const scene *s, vector from, vector direction, double *way)
{
  const ball *first = 0;
  long i = 0;
  while (i < s->count) {
    const ball *b = &s->balls[i];
    double found;
    if (way_to_sphere(from, direction, b->middle, b->reach) == NOTHING) {
      i = b->end;
      continue;
    }
    found = way_to_sphere(from, direction, b->middle, b->radius);
    if (found < *way) {
      *way = found;
      first = b;
    }
    i++;
  }
  return first;
}

static double way_to_floor(vector from, vector direction)
{
  double way = direction.z < 0 ? -from.z / direction.z : NOTHING;
  return way > CLOSE ? way : NOTHING;
}

/* --- Light --- */

typedef struct light {
  vector direction, colour;
} light;

#define LIGHTS 2
#define REFLECTIONS 4

static vector sky(vector direction)
{
  double high = direction.z > 0 ? direction.z : 0;
  return plus_times(make_vector(0.80, 0.86, 0.92), make_vector(-0.55, -0.46, -0.22), sqrt(high));
}

/* What a surface sends towards the eye of the light that falls on it. */
static vector lit(const scene *s, vector at, vector normal, vector direction, vector colour)
{
  static const light lights[LIGHTS] = {{{0.48, -0.6, 0.64}, {0.70, 0.66, 0.60}},
                                       {{-0.6, -0.48, 0.64}, {0.25, 0.28, 0.34}}};
  vector sum = times(colour, 0.18);
  int i;
  for (i = 0; i < LIGHTS; i++) {
    double facing = dot(normal, lights[i].direction), gloss, way = NOTHING;
    if (facing <= 0 || first_ball(s, at, lights[i].direction, &way)) continue;
    sum = plus_times(sum, filtered(colour, lights[i].colour), facing);
    gloss = dot(mirrored(direction, normal), lights[i].direction);
    if (gloss > 0) sum = plus_times(sum, lights[i].colour, 0.5 * pow(gloss, 40));
  }
  return sum;
}

static vector floor_colour(vector at)
{
  long tile = (long)floor(at.x * 0.8) + (long)floor(at.y * 0.8);
  return tile % 2 ? make_vector(0.75, 0.74, 0.70) : make_vector(0.28, 0.33, 0.36);
}

/* Adds `share` of what is seen; what a surface mirrors is the next ray. */
vector colour_seen(const scene *s, vector eye, vector direction)
{
  vector sum = make_vector(0, 0, 0);
  double share = 1;
  int i;
  for (i = 0; i < REFLECTIONS; i++) {
    double way = way_to_floor(eye, direction), mirror, haze;
    const ball *b = first_ball(s, eye, direction, &way);
    vector normal, colour;
    if (way == NOTHING) return plus_times(sum, sky(direction), share);
    eye = plus_times(eye, direction, way);
    normal = b ? times(minus(eye, b->middle), 1 / b->radius) : make_vector(0, 0, 1);
    colour = lit(s, eye, normal, direction, b ? b->colour : floor_colour(eye));
    mirror = b ? 0.35 : 0.12;
    haze = b ? 0 : 1 - exp(-0.0015 * dot(eye, eye)); /* the floor ends in the sky */
    sum = plus_times(sum, colour, share * (1 - mirror) * (1 - haze));
    sum = plus_times(sum, sky(direction), share * haze);
    share *= mirror * (1 - haze);
    direction = mirrored(direction, normal);
  }
  return sum;
}
