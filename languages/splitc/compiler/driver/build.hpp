// SPDX-License-Identifier: Apache-2.0
// From the inputs to what was asked for: every source through its steps, then the linker.
#ifndef SPLITCC_DRIVER_BUILD_HPP
#define SPLITCC_DRIVER_BUILD_HPP

#include "languages/splitc/compiler/driver/command_line.hpp"
#include "languages/splitc/compiler/driver/toolchain.hpp"

namespace splitcc::driver {

class build {
 public:
  build(const options& asked, const installation& places) : asked_(asked), places_(places) {}

  // The exit status. A source with errors does not keep the others from being compiled.
  int run();

 private:
  bool source(const input& from);
  bool splitc_source(const input& from);
  bool foreign_source(const input& from);
  bool compile(const std::string& translation, const std::string& source, const std::string& to);
  bool place(const std::string& object);
  bool link();
  void check_objects() const;
  bool say_and_run(const command& words);

  std::string name_of_output(const input& from) const;
  std::string name_of_kept(const std::string& source, const std::string& ending);
  std::string object_of(const input& from);
  void show_translation(const input& from);

  const options& asked_;
  const installation& places_;
  temporary_files temporaries_{"splitcc"};
  command objects_;  // what is linked, in its order
};

}  // namespace splitcc::driver

#endif
