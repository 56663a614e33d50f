/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>
#include <split-c/split-c.h>

char page[64], other[64];

splitc_main()
{
  char *global far = toglobal((MYPROC + 1) % PROCS, page);
  char here[64], *p = here;

  sprintf(page, "page of %d", MYPROC);
  barrier();
  bulk_read(here, far, 64);                   /* complete when it returns */
  on_one printf("%s\n", here);

  bulk_get(here, far, 64);                    /* complete at sync() */
  sync();
  barrier();

  strcpy(here, "written");
  bulk_write(far, here, strlen(here));        /* complete when it returns */
  bulk_put(far + 10, "put", 4);               /* complete at sync() */
  sync();
  barrier();
  on_one printf("%s, %s\n", page, page + 10);
  barrier();

  bulk_store(far, (p += 7), 0);               /* nothing; arguments are evaluated once */
  bulk_store(far, "stored", 7);               /* counted where it lands */
  all_store_sync();
  on_one printf("%s, %d\n", page, (int)(p - here));
  bulk_write(page + 1, page, 6);              /* overlapping: as memmove */
  on_one printf("%s\n", page);
}
