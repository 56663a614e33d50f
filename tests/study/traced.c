/* SPDX-License-Identifier: Apache-2.0
 * Something to trace: rows and columns of a matrix, a list in random order, a byte string. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { N = 20, NODES = 600 };

static double a[N][N], b[N][N], c[N][N];
static struct node {
  struct node* next;
  uint64_t weight[3];
} nodes[NODES];
static char text[3000];

static void multiply(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++) c[i][j] += a[i][k] * b[k][j];
}

static uint64_t walk(void) {
  uint64_t sum = 0, random = 1;
  for (int i = 0; i < NODES; i++) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    nodes[i].next = &nodes[(random >> 33) % NODES];
    nodes[i].weight[random >> 62 & 1] = random;
  }
  for (struct node *n = nodes, *end = n; sum < 400 && n != end + NODES; n = n->next)
    sum += 1 + (n->weight[2]++ & 0);
  return sum;
}

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) a[i][j] = i + j, b[j][i] = i - j;
  multiply();
  memset(text, 'x', sizeof text - 1);
  return printf("%g %d %zu\n", c[N - 1][1], (int)walk(), strlen(text)) < 0;
}
