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

  void put(std::string_view words) {
    if (text_.size() - used_ < words.size()) grow(words.size());
    std::memcpy(text_.data() + used_, words.data(), words.size());
    used_ += words.size();
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

  bool empty() const { return used_ == 0; }
  std::string_view view() const { return {text_.data(), used_}; }
  std::string take() {
    text_.resize(used_);
    return std::move(text_);
  }

 private:
  static constexpr std::size_t kDigitsMax = 20;

  void grow(std::size_t more) { text_.resize(std::max(2 * text_.size(), used_ + more)); }

  std::string text_;  // text_[0, used_) is what was put
  std::size_t used_ = 0;
};

}  // namespace tl0

#endif
