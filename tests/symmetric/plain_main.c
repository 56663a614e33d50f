/* SPDX-License-Identifier: Apache-2.0
 * A plain C program as splitcc makes it: its main has another name, and says whether its value
 * means something. */
#include <stdlib.h>

int splitc_main_or_main(int argc, char** argv);
extern const int splitc_user_main_returns_status;
const int splitc_user_main_returns_status = 1;

int splitc_main_or_main(int argc, char** argv) { return argc > 1 ? atoi(argv[1]) : 0; }
