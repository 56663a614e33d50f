// SPDX-License-Identifier: Apache-2.0
// Temporary files, in one folder of this run, and the child that runs now. Both are gone on every
// way out: a signal that ends us is passed on to the child, and the files are removed.
#ifndef FRONTEND_TOOLCHAIN_TEMPORARY_FILES_HPP
#define FRONTEND_TOOLCHAIN_TEMPORARY_FILES_HPP

#include <signal.h>
#include <sys/types.h>

#include <string>

namespace frontend {

class temporary_files {
 public:
  // Sets the signal handlers; at most one object at a time. `tool`: the program's name, a literal.
  explicit temporary_files(const char* tool);
  ~temporary_files();
  temporary_files(const temporary_files&) = delete;
  temporary_files& operator=(const temporary_files&) = delete;

  // A name for a new file, which ends in `ending`. Throws failure if there can be none.
  std::string name(const std::string& stem, const std::string& ending);

 private:
  int count_ = 0;
};

// The child that a signal is passed on to; 0: none. It is set, and taken away, while signals are
// held: a child of which the handler does not know yet would be left behind, and one that has been
// waited for may have given its number to another process.
void set_running_child(pid_t child);

// Signals that end us wait until this object does. They do for threads that are begun meanwhile.
class held_signals {
 public:
  held_signals();
  ~held_signals();
  held_signals(const held_signals&) = delete;
  held_signals& operator=(const held_signals&) = delete;

  const sigset_t& before() const { return before_; }

 private:
  sigset_t before_;
};

}  // namespace frontend

#endif
