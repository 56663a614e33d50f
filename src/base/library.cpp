// SPDX-License-Identifier: Apache-2.0
#include "base/library.hpp"

#include <dlfcn.h>

namespace ramjet::base {

namespace {

std::string loader_error() {
  const char* text = dlerror();
  return text != nullptr ? text : "no reason given";
}

}  // namespace

library::~library() {
  if (handle_ != nullptr) dlclose(handle_);
}

bool library::open(const char* file, const char* package, std::string& message) {
  library fresh;
  fresh.handle_ = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!fresh.is_open()) {
    message = std::string("cannot load ") + file + " (" + loader_error() +
              "); install the package " + package;
    return false;
  }
  *this = std::move(fresh);
  return true;
}

void* library::address_of(const char* name, std::string& message) const {
  void* found = handle_ != nullptr ? dlsym(handle_, name) : nullptr;
  if (found == nullptr) {
    message = std::string("the library has no function ") + name + " (" +
              (handle_ != nullptr ? loader_error() : "it is not loaded") +
              "); install a newer version of it";
  }
  return found;
}

}  // namespace ramjet::base
