// SPDX-License-Identifier: Apache-2.0
// All output of a job: from the ranks' pipes to the launcher's standard output and error, and what
// the launcher itself has to say, in between the ranks' lines.
//
// Threads: the launcher's one. Owns the read ends of the ranks' pipes. Reading pauses while the
// files behind cannot take more, so a slow reader slows the ranks down and memory stays bounded.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "launch/output.hpp"
#include "launch/problem.hpp"

namespace ramjet::launcher {

struct forward_options {
  bool tag = false;
  bool single = false;  // one rank: its bytes go on at once unless they are tagged
  std::function<void(int rank, std::string_view line)> on_stdout;  // takes the place of stdout
};

class output_hub {
 public:
  explicit output_hub(forward_options options);
  ~output_hub();
  output_hub(const output_hub&) = delete;
  output_hub& operator=(const output_hub&) = delete;

  problem open();
  // Takes over the read ends, non-blocking, of the next rank.
  problem add_rank(int out, int err);

  int descriptor() const { return epoll_; }  // readable: call pump()
  void pump();
  // What a rank has written so far goes out before whatever is said next.
  void forward_rank(unsigned rank);
  // From now on what the rank writes goes out at once, the beginning of a line, too: somebody is to
  // answer it.
  void show_unfinished(unsigned rank);
  // The ranks are gone: reads their pipes to the end. True once everything is out.
  bool drain();

  // One line of the launcher: "ramjet: " in front and a newline after it.
  void say(const std::string& sentence);
  void say_raw(const std::string& lines);
  // Says nothing more and drops what comes.
  void silence();

  // errno of the first failed write to standard output, 0: none.
  int output_error() const { return output_error_; }
  // errno of the first failed epoll_ctl, 0: none. Ranks or readers may wait for ever then.
  int watch_error() const { return watch_error_; }

 private:
  struct stream {
    int fd;  // -1: at its end
    line_source lines;
  };

  void read_ready();
  bool read_some(stream& from);  // false: nothing more for now
  void flush();
  void watch(int fd, bool wanted, bool& watched, unsigned events);
  void note_watch_error();
  line_source source_for(unsigned rank, bool is_out);

  forward_options options_;
  sink out_, err_own_;
  sink* err_;  // &out_ if standard output and error are one stream
  std::deque<stream> streams_;  // rank r: 2r its output, 2r + 1 its errors
  std::vector<char> buffer_;
  int epoll_ = -1;  // holds readable_ and the sinks that wait for room
  int readable_ = -1;  // holds the ranks' pipes
  bool watches_readable_ = false, watches_out_ = false, watches_err_ = false;
  bool draining_ = false;
  bool silent_ = false;
  int output_error_ = 0;
  int watch_error_ = 0;
};

}  // namespace ramjet::launcher
