// SPDX-License-Identifier: Apache-2.0
// The hash of an identifier, made while its characters are read.
#ifndef FRONTEND_HASH_HPP
#define FRONTEND_HASH_HPP

#include <cstdint>

namespace frontend {

class spelling_hash {
 public:
  void add(char c) { state_ = (state_ ^ static_cast<unsigned char>(c)) * kPrime; }
  // The low bits of the product depend on few characters: the high ones are folded in.
  std::uint32_t value() const { return static_cast<std::uint32_t>(state_ ^ (state_ >> 32)); }

 private:
  static constexpr std::uint64_t kPrime = 0x9e3779b97f4a7c15;
  std::uint64_t state_ = 0xcbf29ce484222325;
};

}  // namespace frontend

#endif
