/* SPDX-License-Identifier: Apache-2.0 */
#include "png.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

static unsigned char *put_word(unsigned char *to, unsigned long value)
{
  int shift;
  for (shift = 24; shift >= 0; shift -= 8) *to++ = value >> shift;
  return to;
}

/* Its length, its name and its bytes, and the checksum of these two. */
static void write_chunk(FILE *out, const char *name, const unsigned char *data,
                        unsigned long length)
{
  unsigned char number[4];
  unsigned long sum = crc32(crc32(0, 0, 0), (const Bytef *)name, 4);
  if (length > 0) sum = crc32(sum, data, length);
  put_word(number, length);
  fwrite(number, 1, 4, out);
  fwrite(name, 1, 4, out);
  fwrite(data, 1, length, out);
  put_word(number, sum);
  fwrite(number, 1, 4, out);
}

static void write_header(FILE *out, long width, long height)
{
  static const unsigned char format[5] = {8, 2, 0, 0, 0}; /* 8 bits, colours, nothing special */
  unsigned char header[13];
  memcpy(put_word(put_word(header, width), height), format, sizeof format);
  fwrite("\x89PNG\r\n\x1a\n", 1, 8, out);
  write_chunk(out, "IHDR", header, sizeof header);
}

/* A part of a picture that could not be written does not stay; a device does. Returns why. */
static const char *discard(const char *file, int why)
{
  struct stat info;
  if (lstat(file, &info) == 0 && S_ISREG(info.st_mode)) remove(file);
  return strerror(why);
}

const char *write_png(const char *file, long width, long height, const unsigned char *rows)
{
  unsigned long bytes = height * (1 + 3 * width), packed_bytes = compressBound(bytes);
  unsigned char *packed = malloc(packed_bytes);
  int failed, why;
  FILE *out;
  if (!packed || compress2(packed, &packed_bytes, rows, bytes, 9) != Z_OK) {
    free(packed);
    return "no memory";
  }
  out = fopen(file, "wb");
  if (!out) {
    free(packed);
    return strerror(errno);
  }
  write_header(out, width, height);
  write_chunk(out, "IDAT", packed, packed_bytes);
  write_chunk(out, "IEND", packed, 0);
  failed = fflush(out) != 0 || ferror(out);
  why = errno;
  fclose(out);
  free(packed);
  return failed ? discard(file, why) : 0;
}
