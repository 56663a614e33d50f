/* SPDX-License-Identifier: Apache-2.0
 * Places, directions and colours. */
#ifndef APPS_SPLITC_P_RAY_VECTOR_H
#define APPS_SPLITC_P_RAY_VECTOR_H

#include <math.h>

typedef struct vector {
  double x, y, z;
} vector;

static inline vector make_vector(double x, double y, double z)
{
  vector v;
  v.x = x;
  v.y = y;
  v.z = z;
  return v;
}

static inline double dot(vector a, vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline vector minus(vector a, vector b)
{
  return make_vector(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline vector times(vector a, double f) { return make_vector(a.x * f, a.y * f, a.z * f); }

/* a + f b */
static inline vector plus_times(vector a, vector b, double f)
{
  return make_vector(a.x + b.x * f, a.y + b.y * f, a.z + b.z * f);
}

/* Number by number: light on a colour. */
static inline vector filtered(vector a, vector b)
{
  return make_vector(a.x * b.x, a.y * b.y, a.z * b.z);
}

static inline vector cross(vector a, vector b)
{
  return make_vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline vector unit(vector a) { return times(a, 1 / sqrt(dot(a, a))); }

/* A ray that comes in direction d and meets a surface with this normal goes on so. */
static inline vector mirrored(vector d, vector normal)
{
  return plus_times(d, normal, -2 * dot(d, normal));
}

#endif
