// SPDX-License-Identifier: Apache-2.0
// What the preprocessor reads in place of a source or of a header that it would not understand: a
// temporary file that says whose text it is. A file that includes the header has to name that file
// instead, so it is replaced, too, and so on up to the source.
#ifndef SPLITCC_DRIVER_STAND_INS_HPP
#define SPLITCC_DRIVER_STAND_INS_HPP

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "languages/splitc/compiler/driver/toolchain.hpp"

namespace splitcc::driver {

// A line that includes a file. Names are those of line marks.
struct inclusion {
  std::string by;
  std::uint32_t line = 0;
  std::string file;
};
// In the preprocessor's output, in its order. Of what system headers include: nothing.
std::vector<inclusion> inclusions(std::string_view output);

// The line of a directive, with another file in it: `#include "x.h"` names `path`, absolute. Empty
// where no name is found.
std::string including(std::string_view line, std::string_view path);

class stand_ins {
 public:
  // `main`: the source's name in line marks; `text`: what is in it.
  stand_ins(temporary_files& temporaries, const std::string& main, std::string text);

  bool empty() const { return files_.empty(); }
  // What the preprocessor reads for the source; empty: itself.
  std::string of_main() const { return path_of(main_); }
  // The folders of the files that are replaced: their own includes are found there.
  std::set<std::string> folders() const;

  // As it would be read now.
  std::string text_of(const std::string& file) const;
  void replace(const std::string& file, std::string text);
  // Has the files that include replaced ones name what replaces these; false: all did.
  bool lead_to_them(const std::vector<inclusion>& all);
  void write() const;
  // The names of temporary files in it become those of the files that they stand for.
  void rename_in(std::string& text) const;

 private:
  struct replaced {
    std::string path;  // of the temporary file
    std::string text;
  };

  std::string path_of(const std::string& file) const;
  // The file that `name` is, or that it stands for.
  std::string behind(const std::string& name) const;
  bool lead(const inclusion& i);

  temporary_files& temporaries_;
  std::string main_;
  std::string main_text_;
  std::map<std::string, replaced> files_;
};

}  // namespace splitcc::driver

#endif
