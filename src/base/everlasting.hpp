// SPDX-License-Identifier: Apache-2.0
// What the library's own threads work with until the process has ended: the mesh's thread and a
// co-processor may still run when the end of main destroys what is static.
#pragma once

namespace ramjet::base {

// An object of static storage duration that is never destroyed. What it holds stays reachable, so
// it is no leak.
template <class T>
union everlasting {
  T value;
  constexpr everlasting() noexcept : value{} {}
  constexpr ~everlasting() {}
  everlasting(const everlasting&) = delete;
  everlasting& operator=(const everlasting&) = delete;
};

}  // namespace ramjet::base
