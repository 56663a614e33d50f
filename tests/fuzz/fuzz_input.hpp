// SPDX-License-Identifier: Apache-2.0
// The bytes of one fuzz input, taken from the front; an exhausted input gives zeros.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace fuzz {

class input {
 public:
  input(const std::uint8_t* data, std::size_t count) : at_(data), left_(count) {}

  bool empty() const { return left_ == 0; }

  // Fills as much of [to, to + count) as there is; the rest is zero.
  void take(void* to, std::size_t count) {
    const std::size_t given = std::min(count, left_);
    if (given != 0) std::memcpy(to, at_, given);
    std::memset(static_cast<std::byte*>(to) + given, 0, count - given);
    at_ += given;
    left_ -= given;
  }
  template <class T>
  T number() {
    T value;
    take(&value, sizeof value);
    return value;
  }
  std::uint8_t byte() { return number<std::uint8_t>(); }

  // Up to the next 0 or `count_max` characters.
  std::string text(std::size_t count_max) {
    std::string s;
    while (left_ != 0 && s.size() < count_max) {
      const char c = char(byte());
      if (c == '\0') break;
      s += c;
    }
    return s;
  }

 private:
  const std::uint8_t* at_;
  std::size_t left_;
};

}  // namespace fuzz
