// SPDX-License-Identifier: Apache-2.0
// User-space probes (USDT) in the format of SystemTap's sys/sdt.h, version 3: a note in the program
// says where a probe is and where its values stand; bpftrace, perf and gdb put a breakpoint there.
//
// sys/sdt.h puts a nop at each probe and may load values for it. These mark the next instruction
// instead, and their values are in registers, or in memory that an address there leads to: the
// instructions of a path are the same with and without its probe. A probe stands where one
// instruction at least of its own path follows, so that no other path comes by there.
#pragma once

#if defined(__ELF__) && (defined(__x86_64__) || defined(__aarch64__))

// The name without quotes; then a text that says what each value is, as in "4@%[to]": its bytes
// (negative: signed) and its operand; then the operands.
#define RAMJET_PROBE(name, values, ...)                                       \
  __asm__ inline __volatile__(                                                \
      "990:\n"                                                                \
      ".pushsection .note.stapsdt,\"?\",\"note\"\n"                           \
      ".balign 4\n"                                                           \
      ".4byte 992f-991f, 994f-993f, 3\n"                                      \
      "991: .asciz \"stapsdt\"\n"                                             \
      "992: .balign 4\n"                                                      \
      "993: .8byte 990b\n"                                                    \
      ".8byte _.stapsdt.base\n"                                               \
      ".8byte 0\n"                                                            \
      ".asciz \"ramjet\"\n"                                                   \
      ".asciz \"" #name                                                       \
      "\"\n"                                                                  \
      ".asciz \"" values                                                      \
      "\"\n"                                                                  \
      "994: .balign 4\n"                                                      \
      ".popsection\n"                                                         \
      ".ifndef _.stapsdt.base\n"                                              \
      ".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
      ".weak _.stapsdt.base\n"                                                \
      ".hidden _.stapsdt.base\n"                                              \
      "_.stapsdt.base: .space 1\n"                                            \
      ".size _.stapsdt.base, 1\n"                                             \
      ".popsection\n"                                                         \
      ".endif\n" ::__VA_ARGS__)

#else
#define RAMJET_PROBE(name, values, ...) ((void)0)
#endif
