// SPDX-License-Identifier: Apache-2.0
// Text that grows at its end: programs of millions of lines are printed into one.
#ifndef TL0_PRINT_TEXT_BUFFER_HPP
#define TL0_PRINT_TEXT_BUFFER_HPP

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace tl0 {

class text_buffer {
 public:
  explicit text_buffer(std::size_t bytes_expected = 0) : text_(bytes_expected, '\0') {}
  void clear() { used_ = 0; }

  void put(std::string_view words) {
    if (text_.size() - used_ < words.size()) grow(words.size());
    copy(text_.data() + used_, words.data(), words.size());
    used_ += words.size();
  }
  template <std::size_t kSize>
  void put(const char (&words)[kSize]) {
    if (text_.size() - used_ < kSize) grow(kSize);
    std::memcpy(text_.data() + used_, words, kSize - 1);
    used_ += kSize - 1;
  }
  void put(char c) {
    if (used_ == text_.size()) grow(1);
    text_[used_++] = c;
  }
  void put(std::int64_t number) {
    if (text_.size() - used_ < kDigitsMax) grow(kDigitsMax);
    char* const at = text_.data() + used_;
    used_ += static_cast<std::size_t>(std::to_chars(at, at + kDigitsMax, number).ptr - at);
  }
  void put(double number);

  std::size_t size() const { return used_; }
  std::string_view view() const { return {text_.data(), used_}; }
  std::string take() {
    text_.resize(used_);
    return std::move(text_);
  }

 private:
  static constexpr std::size_t kDigitsMax = 20;

  // Words are short: two copies, which may overlap, without a call.
  static void copy(char* to, const char* from, std::size_t bytes) {
    if (bytes > 16) {
      std::memcpy(to, from, bytes);
    } else if (bytes >= 8) {
      std::uint64_t first, last;
      std::memcpy(&first, from, 8);
      std::memcpy(&last, from + bytes - 8, 8);
      std::memcpy(to, &first, 8);
      std::memcpy(to + bytes - 8, &last, 8);
    } else {
      for (std::size_t i = 0; i < bytes; ++i) to[i] = from[i];
    }
  }

  void grow(std::size_t more) { text_.resize(std::max(2 * text_.size(), used_ + more)); }

  std::string text_;  // text_[0, used_) is what was put
  std::size_t used_ = 0;
};

}  // namespace tl0

#endif
