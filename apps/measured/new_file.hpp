// SPDX-License-Identifier: Apache-2.0
// A file that gets its name when it is complete: nothing half-written stays, and an older file of
// that name is replaced by a whole one.
//
// Until then it has no name at all. Some file systems (NFS, vfat, many of FUSE) have no such files:
// there it is PATH.XXXXXX, which goes with this object, and where SIGINT, SIGTERM or SIGHUP ends
// the process, one such file at a time. A crash and SIGKILL, by which a launcher ends a rank that
// SIGTERM has not ended, leave it.
#pragma once

#include <cstddef>
#include <string>

namespace measured {

class new_file {
 public:
  enum class meanwhile { nameless, named };

  // A symbolic link stays, and the file that it names is the one. What is there and is no regular
  // file (a pipe, a terminal) is written as it is. `named`: as where there are no nameless files.
  explicit new_file(const std::string& path, meanwhile how = meanwhile::nameless);
  ~new_file();
  new_file(const new_file&) = delete;
  new_file& operator=(const new_file&) = delete;

  // Why it cannot be written, by errno; 0 if it can.
  int error() const { return error_; }
  int descriptor() const { return descriptor_; }
  // Writes on behind what is there. 0, or errno.
  int append(const char* bytes, std::size_t count);
  // Gives the file its name. 0, or errno.
  int finish();

 private:
  void make(meanwhile how);
  int name_it();

  std::string path_;  // no symbolic link
  std::string unfinished_;  // the name that the file has meanwhile, where it must have one
  int descriptor_ = -1;
  int error_ = 0;
  bool in_place_ = false;
};

}  // namespace measured
