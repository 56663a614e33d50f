// SPDX-License-Identifier: Apache-2.0
// A shared library that is loaded when it is first needed, so that programs that do without it
// neither load it nor ask for it to be installed.
//
// Threads: one opens it; any may find symbols in it afterwards.
#pragma once

#include <string>
#include <utility>

namespace ramjet::base {

class library {
 public:
  library() = default;
  library(library&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  library& operator=(library&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  // Unloads it: nothing of it may run or be called any more.
  ~library();

  // Loads `file`, "libNAME.so.N", from where the system's loader finds it. False leaves a sentence
  // that names `package`, the Debian package to install.
  bool open(const char* file, const char* package, std::string& message);

  // Finds a function by its name; false leaves a sentence that names what is missing.
  template <class Function>
  bool find(const char* name, Function*& into, std::string& message) const {
    into = reinterpret_cast<Function*>(address_of(name, message));
    return into != nullptr;
  }

  bool is_open() const noexcept { return handle_ != nullptr; }

 private:
  void* address_of(const char* name, std::string& message) const;

  void* handle_ = nullptr;
};

}  // namespace ramjet::base
