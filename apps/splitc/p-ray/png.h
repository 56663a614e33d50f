/* SPDX-License-Identifier: Apache-2.0
 * Pictures as PNG files (ISO/IEC 15948). */
#ifndef APPS_SPLITC_P_RAY_PNG_H
#define APPS_SPLITC_P_RAY_PNG_H

/* Each row: a byte 0, which says that its pixels stand as they are, and three bytes a pixel.
 * Returns null, or says what went wrong. */
const char *write_png(const char *file, long width, long height, const unsigned char *rows);

#endif
