// SPDX-License-Identifier: Apache-2.0
// The way of the ranks' output to the launcher's own: whole lines, from many pipes into one file.
//
//   rank's pipe -> line_source (holds the unfinished line) -> sink (holds what the file has no
//                                                                   room for)
//
// A line is never torn: sources hand on whole lines. A line over kPieceBytes, one that goes back to
// its first column to be written again, and an unfinished one at the end go out as they are; the
// next writer then starts on a line of its own.
//
// Threads: the launcher's one. Nothing here blocks where the file allows it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace ramjet::launcher {

inline constexpr std::size_t kPieceBytes = 64 * 1024;

// A file of the launcher that many sources write to.
class sink {
 public:
  explicit sink(int fd);
  ~sink();
  sink(const sink&) = delete;
  sink& operator=(const sink&) = delete;

  // Adds text of one writer. A writer that finds another's unfinished line starts a new one.
  void write(const void* writer, std::string_view bytes);
  // Whether the last text written was this writer's and did not end its line.
  bool is_inside_line(const void* writer) const { return inside_line_ == writer; }

  // Hands on what the file takes now; errno of a failed write, else 0. It then drops everything.
  int flush();
  bool is_full() const { return pending_bytes() >= kFullBytes; }
  bool is_empty() const { return pending_bytes() == 0; }
  int descriptor() const { return fd_; }  // to be watched for room

 private:
  static constexpr std::size_t kFullBytes = 1024 * 1024;
  enum class kind { never_blocks, nonblocking, in_small_pieces };

  std::size_t pending_bytes() const { return pending_.size() - flushed_; }

  int fd_;
  kind kind_ = kind::never_blocks;
  bool owned_ = false;  // fd_ is a private opening of the file
  bool broken_ = false;  // a write failed: everything is dropped
  std::string pending_;
  std::size_t flushed_ = 0;  // bytes at the start of pending_ that are written
  const void* inside_line_ = nullptr;
};

// Whether both descriptors name one pipe, terminal or socket.
bool same_stream(int a, int b);

enum class assembly {
  raw,  // bytes go on as they come: one rank, and nothing in front of its lines
  lines,
};

// One output stream of one rank.
class line_source {
 public:
  // `tag` stands in front of every line.
  line_source(sink& to, assembly how, std::string tag)
      : to_(&to), how_(how), tag_(std::move(tag)) {}
  // Lines go to the function, without their newline.
  explicit line_source(std::function<void(std::string_view)> take) : take_(std::move(take)) {}

  void feed(std::string_view bytes);
  void finish();  // the unfinished line goes out too
  void show_unfinished();  // as if finish() followed each feed(), where lines go to a sink

 private:
  void pass_lines(std::string_view bytes);  // whole lines, or a piece of a long one

  sink* to_ = nullptr;
  assembly how_ = assembly::lines;
  bool shows_unfinished_ = false;
  std::string tag_;
  std::function<void(std::string_view)> take_;
  std::string unfinished_;  // holds no newline; shorter than kPieceBytes if it goes to a sink
};

}  // namespace ramjet::launcher
