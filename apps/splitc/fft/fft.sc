/* SPDX-License-Identifier: Apache-2.0
 * FFT with small transfers: each number of the remap is stored by itself. See README.md. */
#include "transform.h"

const char fft_about[] = "Fast Fourier transform: the remap stores number by number.";

/* This processor's numbers are MYPROC, MYPROC + PROCS, ... Those for one block stand in a row here,
 * and PROCS places apart there. Each processor begins with another block. */
void remap(long own, const double *re, const double *im, double RE[PROCS]::[own],
           double IM[PROCS]::[own])
{
  long row = own / PROCS, k;
  int i;
  for (i = 0; i < PROCS; i++) {
    int to = (MYPROC + i) % PROCS;
    double *global to_re = &RE[to][MYPROC], *global to_im = &IM[to][MYPROC];
    for (k = to * row; k < (to + 1) * row; k++) {
      *to_re :- re[k];
      *to_im :- im[k];
      to_re += PROCS;
      to_im += PROCS;
    }
  }
  all_store_sync();
}
