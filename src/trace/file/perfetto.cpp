// SPDX-License-Identifier: Apache-2.0
#include "trace/file/perfetto.hpp"

namespace ramjet::perfetto {

bool field_reader::read_varint(std::uint64_t& value) {
  constexpr unsigned kBytesMax = 10;
  value = 0;
  for (unsigned i = 0; i < kBytesMax && i < rest_.size(); ++i) {
    const auto byte = std::uint8_t(rest_[i]);
    value |= std::uint64_t(byte & 0x7f) << (7 * i);
    if ((byte & 0x80) != 0) continue;
    rest_.remove_prefix(i + 1);
    return true;
  }
  return false;
}

bool field_reader::take(std::size_t count) {
  if (count > rest_.size()) return false;
  bytes_ = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return true;
}

bool field_reader::next() {
  if (rest_.empty() || broken_) return false;
  std::uint64_t key = 0;
  bytes_ = {};
  value_ = 0;
  bool good = read_varint(key) && key >> 3 != 0 && key >> 32 == 0;
  number_ = unsigned(key >> 3);
  switch (key & 7) {
    case 0:
      good = good && read_varint(value_);
      break;
    case 1:
    case 5: {
      const std::size_t width = (key & 7) == 1 ? 8 : 4;
      good = good && take(width);
      for (std::size_t i = 0; good && i < width; ++i)
        value_ |= std::uint64_t(std::uint8_t(bytes_[i])) << (8 * i);
      break;
    }
    case 2:
      good = good && read_varint(value_) && take(value_);
      break;
    default:
      good = false;
  }
  broken_ = !good;
  return good;
}

}  // namespace ramjet::perfetto
