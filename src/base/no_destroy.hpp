// SPDX-License-Identifier: Apache-2.0
// What the library's own threads work with until the process has ended: the mesh's thread and a
// co-processor may still run when the end of main destroys what is static.
#pragma once

namespace ramjet::base {

// An object of static storage duration that is never destroyed. What it holds stays reachable, so
// it is not a leak.
template <class T>
union no_destroy {
  T value;
  constexpr no_destroy() noexcept : value{} {}
  constexpr ~no_destroy() {}
  no_destroy(const no_destroy&) = delete;
  no_destroy& operator=(const no_destroy&) = delete;
};

}  // namespace ramjet::base
