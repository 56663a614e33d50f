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
  explicit text_buffer(std::size_t bytes_expected = 0) { grow(bytes_expected); }
  text_buffer(const text_buffer&) = delete;
  text_buffer& operator=(const text_buffer&) = delete;

  void clear() { at_ = text_.data(); }

  // Text is written from begin() on, where there is room, and ends at what end() is given.
  char* begin() const { return at_; }
  void end(char* at) { at_ = at; }
  // Behind `at`, for as many bytes and kSlack more.
  char* room(char* at, std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - at) >= bytes + kSlack) [[likely]]
      return at;
    at_ = at;
    grow(bytes + kSlack);
    return at_;
  }

  // Words, characters and whole numbers, one behind the other. Gives the place behind them.
  template <class... Parts>
  static char* put(char* at, const Parts&... parts) {
    ((at = write(at, parts)), ...);
    return at;
  }
  static char* put(char* at, double number);
  static constexpr std::size_t kNumberMax = 64;  // bytes

  std::size_t size() const { return size_to(at_); }
  // From the first one to there.
  std::size_t size_to(const char* at) const { return static_cast<std::size_t>(at - text_.data()); }
  std::string_view view() const { return {text_.data(), size()}; }

 private:
  static constexpr std::size_t kDigitsMax = 20;
  static constexpr std::size_t kSlack = 16;

  // Each gives the place behind it.
  static char* write(char* at, std::string_view words) {
    copy(at, words.data(), words.size());
    return at + words.size();
  }
  // What is short is in the string itself, or where there is room for as much: all is copied.
  static char* write(char* at, const std::string& words) {
    if (words.size() < kSlack)
      std::memcpy(at, words.data(), kSlack);
    else
      std::memcpy(at, words.data(), words.size());
    return at + words.size();
  }
  template <std::size_t kSize>
  static char* write(char* at, const char (&words)[kSize]) {
    std::memcpy(at, words, kSize - 1);
    return at + kSize - 1;
  }
  static char* write(char* at, char c) {
    *at = c;
    return at + 1;
  }
  static char* write(char* at, std::int64_t number) {
    if (number < 0 || number >= 10) return std::to_chars(at, at + kDigitsMax, number).ptr;
    return write(at, static_cast<char>('0' + number));
  }

  // Words are short: two copies, which may overlap, without a call.
  static void copy(char* to, const char* from, std::size_t bytes) {
    const auto both_ends = [&]<class T>(T first) {
      T last;
      std::memcpy(&first, from, sizeof(T));
      std::memcpy(&last, from + bytes - sizeof(T), sizeof(T));
      std::memcpy(to, &first, sizeof(T));
      std::memcpy(to + bytes - sizeof(T), &last, sizeof(T));
    };
    if (bytes > 16) {
      std::memcpy(to, from, bytes);
    } else if (bytes >= 8) {
      both_ends(std::uint64_t{});
    } else if (bytes >= 4) {
      both_ends(std::uint32_t{});
    } else if (bytes != 0) {
      to[0] = from[0];
      to[bytes / 2] = from[bytes / 2];
      to[bytes - 1] = from[bytes - 1];
    }
  }

  [[gnu::noinline]] void grow(std::size_t more) {
    const std::size_t used = at_ ? size() : 0;
    text_.resize(std::max(2 * text_.size(), used + more));
    at_ = text_.data() + used;
    end_ = text_.data() + text_.size();
  }

  std::string text_;
  char* at_ = nullptr;  // in text_, behind what was put
  char* end_ = nullptr;
};

}  // namespace tl0

#endif
