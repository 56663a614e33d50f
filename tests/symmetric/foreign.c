/* SPDX-License-Identifier: Apache-2.0
 * A file that is compiled as any other: its variables are nobody else's business. */
int foreign_variable = 1;
int* foreign_address(void);
int* foreign_address(void) { return &foreign_variable; }
