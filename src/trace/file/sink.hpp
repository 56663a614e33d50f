// SPDX-License-Identifier: Apache-2.0
// The file that a trace goes to: packets are gathered and written in pieces, up to a limit of
// bytes. A disk that is full ends the trace, not the job.
//
// Threads: one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace ramjet::trace {

// Unlinks what is open, if it is a regular file and still has that name.
void remove_open_file(int fd, const std::string& path);

class trace_sink {
 public:
  trace_sink() = default;
  ~trace_sink();  // a file that has got nothing is removed
  trace_sink(const trace_sink&) = delete;
  trace_sink& operator=(const trace_sink&) = delete;

  // Makes the file, or empties it; false: error() says why not. A pipe needs a reader by then.
  bool open(const std::string& path, std::uint64_t bytes_max);

  // Whether `bytes` bytes may be added; how many before the limit.
  bool has_room(std::uint64_t bytes) const { return !failed() && bytes <= left(); }
  std::uint64_t left() const { return bytes_max_ - std::min(bytes_, bytes_max_); }
  void add_packet(std::string_view packet);
  // Writes what has gathered; of a pipe, as much as its reader has room for.
  void flush();
  // Writes all of it. A reader that takes nothing for two seconds is given up.
  void finish();

  // Once something could not be written; all that comes after is dropped.
  bool failed() const { return error_ != 0; }
  int error() const { return error_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_, gathered_;
  std::size_t written_ = 0;  // of what has gathered
  int fd_ = -1;
  int error_ = 0;
  std::uint64_t bytes_ = 0;  // added
  std::uint64_t bytes_max_ = 0;
};

}  // namespace ramjet::trace
