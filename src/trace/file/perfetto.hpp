// SPDX-License-Identifier: Apache-2.0
// Perfetto's trace format, as far as our traces need it: the wire format of protocol buffers, and
// the numbers of its fields (perfetto/trace/trace_packet.proto, track_event.proto). A file is a
// sequence of packets, so it can be written as the job goes on, and read as far as it goes.
//
// Threads: any; no state.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "ramjet/detail/base/cpu.hpp"

namespace ramjet::perfetto {

namespace field {
inline constexpr unsigned kPacket = 1;  // of the file
// Of a packet.
inline constexpr unsigned kTimestamp = 8, kSequence = 10, kTrackEvent = 11, kInterned = 12,
                          kSequenceFlags = 13, kTrackDescriptor = 60;
// Of interned data, and of an entry of it.
inline constexpr unsigned kEventNames = 2, kAnnotationNames = 3, kIid = 1, kIidName = 2;
// Of a track's descriptor, and of what is in it.
inline constexpr unsigned kUuid = 1, kTrackName = 2, kProcess = 3, kThread = 4, kParent = 5,
                          kCounter = 8;
inline constexpr unsigned kPid = 1, kProcessName = 6, kTid = 2, kThreadName = 5, kUnit = 3;
// Of a track's event.
inline constexpr unsigned kAnnotation = 4, kType = 9, kNameIid = 10, kTrack = 11, kCategory = 22,
                          kName = 23, kCounterValue = 30, kFlow = 47, kEndOfFlow = 48;
// Of an annotation.
inline constexpr unsigned kAnnotationIid = 1, kUint = 3, kString = 6, kAnnotationName = 10;
}  // namespace field

enum class event_type : std::uint64_t { slice_begin = 1, slice_end = 2, instant = 3, counter = 4 };
inline constexpr std::uint64_t kStateCleared = 1, kNeedsState = 2;  // sequence flags
inline constexpr std::uint64_t kUnitBytes = 3;  // of a counter

// --- Writing ------------------------------------------------------------------------------------

inline constexpr std::size_t kVarintBytesMax = 10;

RAMJET_INLINE std::size_t write_varint(char* to, std::uint64_t value) {
  std::size_t bytes = 0;
  for (; value >= 0x80; value >>= 7) to[bytes++] = char(value | 0x80);
  to[bytes++] = char(value);
  return bytes;
}
// A field's key, which the compiler knows: a byte or two.
RAMJET_INLINE std::size_t write_key(char* to, unsigned number, unsigned wire_type) {
  const unsigned key = number << 3 | wire_type;
  to[0] = char(key < 0x80 ? key : key | 0x80);
  if (key < 0x80) return 1;
  to[1] = char(key >> 7);
  return 2;
}
// A message is a text that grows: bytes are gathered and appended at once, for strings grow slowly
// by single ones.
inline void put_number(std::string& to, unsigned number, std::uint64_t value) {
  char bytes[2 * kVarintBytesMax];
  const std::size_t key = write_key(bytes, number, 0);
  to.append(bytes, key + write_varint(bytes + key, value));
}
inline void put_text(std::string& to, unsigned number, std::string_view text) {
  char head[2 * kVarintBytesMax];
  const std::size_t key = write_key(head, number, 2);
  to.append(head, key + write_varint(head + key, text.size()));
  to += text;
}

// A message of kBytesMax bytes at most, which its user knows to be enough: what there are millions
// of is written without a string.
class short_message {
 public:
  static constexpr std::size_t kBytesMax = 256;

  RAMJET_INLINE void put_number(unsigned number, std::uint64_t value) {
    size_ += write_key(bytes_ + size_, number, 0);
    size_ += write_varint(bytes_ + size_, value);
  }
  RAMJET_INLINE void put_fixed(unsigned number, std::uint64_t value) {
    static_assert(std::endian::native == std::endian::little);
    size_ += write_key(bytes_ + size_, number, 1);
    std::memcpy(bytes_ + size_, &value, sizeof value);
    size_ += sizeof value;
  }
  RAMJET_INLINE void put_text(unsigned number, std::string_view text) {
    size_ += write_key(bytes_ + size_, number, 2);
    size_ += write_varint(bytes_ + size_, text.size());
    std::memcpy(bytes_ + size_, text.data(), text.size());
    size_ += text.size();
  }
  std::string_view text() const { return {bytes_, size_}; }

 private:
  char bytes_[kBytesMax];
  std::size_t size_ = 0;
};

// --- Reading -------------------------------------------------------------------------------------

// The fields of a message, one after the other.
class field_reader {
 public:
  explicit field_reader(std::string_view message) : rest_(message) {}

  // Goes to the next field; false at the end, or where the bytes are not a message: is_broken().
  bool next();
  bool is_broken() const { return broken_; }
  // Of the field: its number, its value if it is a number, its bytes if it has some.
  unsigned number() const { return number_; }
  std::uint64_t value() const { return value_; }
  std::string_view bytes() const { return bytes_; }
  // How many bytes of the message follow.
  std::size_t left() const { return rest_.size(); }

 private:
  bool read_varint(std::uint64_t& value);
  bool take(std::size_t count);

  std::string_view rest_, bytes_;
  unsigned number_ = 0;
  std::uint64_t value_ = 0;
  bool broken_ = false;
};

}  // namespace ramjet::perfetto
