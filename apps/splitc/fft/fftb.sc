/* SPDX-License-Identifier: Apache-2.0
 * FFT with bulk transfers: what the remap sends to a block is one bulk store. See README.md. */
#include "transform.h"

const char fft_about[] = "Fast Fourier transform: the remap stores in bulk.";

/* The rows of all processors, a number of each by turns. */
static void interleave(double *to, const double *rows, long row)
{
  long k;
  int p;
  for (k = 0; k < row; k++)
    for (p = 0; p < PROCS; p++) *to++ = rows[p * row + k];
}

/* This processor's numbers for one block stand in a row here. It arrives as a row, too. */
void remap(long own, const double *re, const double *im, double RE[PROCS]::[own],
           double IM[PROCS]::[own])
{
  long row = own / PROCS, bytes = row * sizeof(double);
  double rows_re[PROCS]::[own], rows_im[PROCS]::[own];
  int i;
  for (i = 0; i < PROCS; i++) {
    int to = (MYPROC + i) % PROCS;
    bulk_store(&rows_re[to][MYPROC * row], re + to * row, bytes);
    bulk_store(&rows_im[to][MYPROC * row], im + to * row, bytes);
  }
  all_store_sync();
  interleave((double *)(RE + MYPROC), (double *)(rows_re + MYPROC), row);
  interleave((double *)(IM + MYPROC), (double *)(rows_im + MYPROC), row);
}
