/* SPDX-License-Identifier: Apache-2.0
 * What a program gets that has not included <split-c/split-c.h>. */
//! 9: error: 'MYPROC' undeclared (first use in this function)
//! 9: note: 'MYPROC' is declared in <split-c/split-c.h>: include it
//! 9: error: 'PROCS' undeclared (first use in this function)
//! 10: warning: implicit declaration of function 'toglobal'
//! 10: warning: initialization of
int word;
int next(void) { return (MYPROC + 1) % PROCS; }
int remote(void) { int *global p = toglobal(next(), &word); return *p; }
