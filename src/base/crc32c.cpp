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

RAMJET_CRC_TARGET std::uint32_t sum_by_instruction(std::uint32_t before, const unsigned char* at,
                                                   std::size_t count) noexcept {
  std::uint64_t sum = before;
  for (; count >= 3 * kRun; at += 3 * kRun, count -= 3 * kRun) {
    std::uint64_t second = 0, third = 0;
    for (std::size_t i = 0; i < kRun; i += 8) {
      sum = add_word(sum, word_at(at + i));
      second = add_word(second, word_at(at + kRun + i));
      third = add_word(third, word_at(at + 2 * kRun + i));
    }
    sum = append_zeros(append_zeros(sum) ^ second) ^ third;
  }
  for (; count >= 8; at += 8, count -= 8) sum = add_word(sum, word_at(at));
  for (; count != 0; ++at, --count) sum = add_byte(sum, *at);
  return std::uint32_t(sum);
}

#else

bool has_instruction() noexcept { return false; }
std::uint32_t sum_by_instruction(std::uint32_t before, const unsigned char* at,
                                 std::size_t count) noexcept {
  return sum_by_tables(before, at, count);
}

#endif

}  // namespace

std::uint32_t crc32c(std::uint32_t before, const void* bytes, std::size_t count) noexcept {
  static const bool by_instruction = has_instruction();
  const auto* const at = static_cast<const unsigned char*>(bytes);
  return ~(by_instruction ? sum_by_instruction(~before, at, count)
                          : sum_by_tables(~before, at, count));
}

std::uint32_t crc32c_by_tables(std::uint32_t before, const void* bytes,
                               std::size_t count) noexcept {
  return ~sum_by_tables(~before, static_cast<const unsigned char*>(bytes), count);
}

}  // namespace ramjet::base
