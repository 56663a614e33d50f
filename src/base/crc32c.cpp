// SPDX-License-Identifier: Apache-2.0
// The instruction takes eight bytes a time and has a latency of three cycles, so three runs of
// bytes are summed side by side. The sums are joined by a table that appends kRun zero bytes to a
// sum: the checksum is linear.
#include "base/crc32c.hpp"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_acle.h>
#include <sys/auxv.h>
#endif

namespace ramjet::base {

namespace {

constexpr std::uint32_t kPolynomial = 0x82f63b78;  // bits reversed
constexpr std::size_t kRun = 1024;  // bytes of each of the three runs; a multiple of eight

using byte_table = std::array<std::uint32_t, 256>;

// Tables k: the sum of a byte that k zero bytes follow.
constexpr std::array<byte_table, 8> make_tables() {
  std::array<byte_table, 8> tables{};
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t sum = b;
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ ((sum & 1) != 0 ? kPolynomial : 0);
    tables[0][b] = sum;
  }
  for (std::size_t k = 1; k < tables.size(); ++k)
    for (std::uint32_t b = 0; b < 256; ++b)
      tables[k][b] = (tables[k - 1][b] >> 8) ^ tables[0][tables[k - 1][b] & 0xff];
  return tables;
}
constexpr std::array<byte_table, 8> kTables = make_tables();

std::uint64_t word_at(const unsigned char* at) noexcept {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

std::uint32_t sum_by_tables(std::uint32_t sum, const unsigned char* at, std::size_t count) {
  for (; count >= 8; at += 8, count -= 8) {
    const std::uint64_t word = word_at(at) ^ sum;
    sum = 0;
    for (unsigned k = 0; k < 8; ++k) sum ^= kTables[7 - k][(word >> 8 * k) & 0xff];
  }
  for (; count != 0; ++at, --count) sum = (sum >> 8) ^ kTables[0][(sum ^ *at) & 0xff];
  return sum;
}

#if defined(__x86_64__) || defined(__aarch64__)

#if defined(__x86_64__)
#define RAMJET_CRC_TARGET __attribute__((target("sse4.2")))
bool has_instruction() noexcept { return __builtin_cpu_supports("sse4.2"); }
RAMJET_CRC_TARGET inline std::uint64_t add_word(std::uint64_t sum, std::uint64_t word) noexcept {
  return _mm_crc32_u64(sum, word);
}
RAMJET_CRC_TARGET inline std::uint64_t add_byte(std::uint64_t sum, unsigned char byte) noexcept {
  return _mm_crc32_u8(std::uint32_t(sum), byte);
}
#else
#define RAMJET_CRC_TARGET __attribute__((target("+crc")))
constexpr unsigned long kHasCrc32 = 1 << 7;  // HWCAP_CRC32
bool has_instruction() noexcept { return (::getauxval(AT_HWCAP) & kHasCrc32) != 0; }
RAMJET_CRC_TARGET inline std::uint64_t add_word(std::uint64_t sum, std::uint64_t word) noexcept {
  return __crc32cd(std::uint32_t(sum), word);
}
RAMJET_CRC_TARGET inline std::uint64_t add_byte(std::uint64_t sum, unsigned char byte) noexcept {
  return __crc32cb(std::uint32_t(sum), byte);
}
#endif

// Tables k: what a byte of a sum, with k bytes below it, becomes by kRun zero bytes after it.
constexpr std::array<byte_table, 4> make_shifts() {
  std::array<std::uint32_t, 32> of_bit{};
  for (unsigned bit = 0; bit < 32; ++bit) {
    std::uint32_t sum = std::uint32_t{1} << bit;
    for (std::size_t i = 0; i < kRun; ++i) sum = (sum >> 8) ^ kTables[0][sum & 0xff];
    of_bit[bit] = sum;
  }
  std::array<byte_table, 4> shifts{};
  for (unsigned k = 0; k < 4; ++k)
    for (std::uint32_t b = 0; b < 256; ++b)
      for (unsigned bit = 0; bit < 8; ++bit)
        if ((b >> bit & 1) != 0) shifts[k][b] ^= of_bit[8 * k + bit];
  return shifts;
}
constexpr std::array<byte_table, 4> kShifts = make_shifts();

std::uint64_t append_zeros(std::uint64_t sum) noexcept {
  std::uint32_t shifted = 0;
  for (unsigned k = 0; k < 4; ++k) shifted ^= kShifts[k][(sum >> 8 * k) & 0xff];
  return shifted;
}

// Loads the word at an offset, and copies it if it is to be copied.
template <bool Copies>
inline std::uint64_t next_word(const unsigned char* from, unsigned char* to,
                               std::size_t at) noexcept {
  const std::uint64_t word = word_at(from + at);
  if constexpr (Copies) std::memcpy(to + at, &word, sizeof word);
  return word;
}

template <bool Copies>
RAMJET_CRC_TARGET std::uint32_t sum_by_instruction(std::uint32_t before, const unsigned char* from,
                                                   unsigned char* to, std::size_t count) noexcept {
  std::uint64_t sum = before;
  std::size_t at = 0;
  for (; count - at >= 3 * kRun; at += 2 * kRun) {
    std::uint64_t second = 0, third = 0;
    for (const std::size_t end = at + kRun; at != end; at += 8) {
      sum = add_word(sum, next_word<Copies>(from, to, at));
      second = add_word(second, next_word<Copies>(from, to, at + kRun));
      third = add_word(third, next_word<Copies>(from, to, at + 2 * kRun));
    }
    sum = append_zeros(append_zeros(sum) ^ second) ^ third;
  }
  for (; count - at >= 8; at += 8) sum = add_word(sum, next_word<Copies>(from, to, at));
  for (; at != count; ++at) {
    sum = add_byte(sum, from[at]);
    if constexpr (Copies) to[at] = from[at];
  }
  return std::uint32_t(sum);
}

#else

bool has_instruction() noexcept { return false; }
template <bool Copies>
std::uint32_t sum_by_instruction(std::uint32_t before, const unsigned char* from, unsigned char*,
                                 std::size_t count) noexcept {
  return sum_by_tables(before, from, count);
}

#endif

}  // namespace

std::uint32_t crc32c(std::uint32_t before, const void* bytes, std::size_t count) noexcept {
  static const bool by_instruction = has_instruction();
  const auto* const at = static_cast<const unsigned char*>(bytes);
  return ~(by_instruction ? sum_by_instruction<false>(~before, at, nullptr, count)
                          : sum_by_tables(~before, at, count));
}

std::uint32_t copy_with_crc32c(std::uint32_t before, void* to, const void* from,
                               std::size_t count) noexcept {
  static const bool by_instruction = has_instruction();
  if (by_instruction)
    return ~sum_by_instruction<true>(~before, static_cast<const unsigned char*>(from),
                                     static_cast<unsigned char*>(to), count);
  if (count != 0) std::memcpy(to, from, count);
  return crc32c_by_tables(before, to, count);
}

std::uint32_t crc32c_by_tables(std::uint32_t before, const void* bytes,
                               std::size_t count) noexcept {
  return ~sum_by_tables(~before, static_cast<const unsigned char*>(bytes), count);
}

}  // namespace ramjet::base
