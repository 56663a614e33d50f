/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <split-c/split-c.h>

splitc_main(argc, argv)
  int argc;
  char **argv;
{
  on_one {
    printf("%d arguments: I give up\n", argc - 1);
    exit(3);                                  /* the status of the job */
  }
  barrier();                                  /* the others do not wait here for ever */
}
