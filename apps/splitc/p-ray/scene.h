/* SPDX-License-Identifier: Apache-2.0
 * The scene: a sphereflake (Haines 1987, A Proposal for Standard Graphics Environments) on a floor
 * of tiles below the sky, and what a camera there sees. Every processor has all of it. */
#ifndef APPS_SPLITC_P_RAY_SCENE_H
#define APPS_SPLITC_P_RAY_SCENE_H

#include "vector.h"

/* A ball of the flake. The smaller ones that sit on it follow it, and theirs, until `end`; all of
 * them lie within `reach` of its middle. */
typedef struct ball {
  vector middle, colour;
  double radius, reach;
  long end;
} ball;

typedef struct scene {
  ball *balls;
  long count;
} scene;

/* Balls with nine smaller ones on each, down to this depth; 0: one ball alone. */
scene make_scene(long depth);

/* The colour, from 0 to 1, of what lies in this direction from the eye. */
vector colour_seen(const scene *s, vector eye, vector direction);

#endif
