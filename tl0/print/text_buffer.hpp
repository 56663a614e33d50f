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

  // Words, characters and whole numbers, one behind the other.
  template <class... Parts>
  void put(const Parts&... parts) {
    need((bytes_max(parts) + ...));
    char* at = at_;
    ((at = write(at, parts)), ...);
    at_ = at;
  }
  void put(double number);

  std::size_t size() const { return static_cast<std::size_t>(at_ - text_.data()); }
  std::string_view view() const { return {text_.data(), size()}; }

 private:
  static constexpr std::size_t kDigitsMax = 20;

  static std::size_t bytes_max(std::string_view words) { return words.size(); }
  template <std::size_t kSize>
  static constexpr std::size_t bytes_max(const char (&)[kSize]) {
    return kSize - 1;
  }
  static constexpr std::size_t bytes_max(char) { return 1; }
  static constexpr std::size_t bytes_max(std::int64_t) { return kDigitsMax; }

  // Each gives the place behind it.
  static char* write(char* at, std::string_view words) {
    copy(at, words.data(), words.size());
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

  void need(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - at_) < bytes) [[unlikely]]
      grow(bytes);
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
