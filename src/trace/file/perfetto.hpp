// SPDX-License-Identifier: Apache-2.0
// Perfetto's trace format, as far as our traces need it: the wire format of protocol buffers, and
// the numbers of its fields (perfetto/trace/trace_packet.proto, track_event.proto). A file is a
// sequence of packets, so it can be written as the job goes on, and read as far as it goes.
//
// Threads: any; no state.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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

// --- Writing: a message is a text that grows -----------------------------------------------------

inline constexpr std::size_t kVarintBytesMax = 10;

// Bytes are gathered and appended at once: strings grow slowly by single ones.
inline std::size_t write_varint(char* to, std::uint64_t value) {
  std::size_t bytes = 0;
  for (; value >= 0x80; value >>= 7) to[bytes++] = char(value | 0x80);
  to[bytes++] = char(value);
  return bytes;
}
inline void put_varint(std::string& to, std::uint64_t value) {
  char bytes[kVarintBytesMax];
  to.append(bytes, write_varint(bytes, value));
}
inline void put_number(std::string& to, unsigned number, std::uint64_t value) {
  char bytes[2 * kVarintBytesMax];
  const std::size_t key = write_varint(bytes, number << 3);
  to.append(bytes, key + write_varint(bytes + key, value));
}
inline void put_fixed(std::string& to, unsigned number, std::uint64_t value) {
  char bytes[kVarintBytesMax + 8];
  std::size_t at = write_varint(bytes, number << 3 | 1);
  for (unsigned byte = 0; byte < 8; ++byte) bytes[at++] = char(value >> (8 * byte));
  to.append(bytes, at);
}
inline void put_text(std::string& to, unsigned number, std::string_view text) {
  char head[2 * kVarintBytesMax];
  const std::size_t key = write_varint(head, number << 3 | 2);
  to.append(head, key + write_varint(head + key, text.size()));
  to += text;
}

// --- Reading -------------------------------------------------------------------------------------

// The fields of a message, one after the other.
class field_reader {
 public:
  explicit field_reader(std::string_view message) : rest_(message) {}

  // Goes to the next field; false at the end, or where the bytes are no message: is_broken().
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
