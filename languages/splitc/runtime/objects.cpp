// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/runtime/objects.hpp"

#include <link.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ramjet/version.h"

namespace ramjet::splitc {
namespace {

constexpr std::string_view kOwner{"Ramjet", 7};  // with its NUL
constexpr ElfW(Word) kType = 0x5c;

std::size_t padded(std::size_t bytes) { return (bytes + 3) & ~std::size_t{3}; }

std::string_view take_text(std::string_view& from) {
  const std::string_view text = from.substr(0, from.find('\0'));
  from.remove_prefix(text.size() < from.size() ? text.size() + 1 : from.size());
  return text;
}

std::string_view major_and_minor(std::string_view version) {
  return version.substr(0, version.find('.', version.find('.') + 1));
}

// What a note says: a version, a source.
std::string problem_of(std::string_view said) {
  const std::string_view version = take_text(said), source = take_text(said);
  if (major_and_minor(version) == major_and_minor(RAMJET_VERSION)) return {};
  return std::string(source) + " was compiled by splitcc " + std::string(version) +
         ", and the library is of Ramjet " RAMJET_VERSION ": compile it again";
}

// Of the notes in [at, end).
std::string problem_in(const char* at, const char* end) {
  while (static_cast<std::size_t>(end - at) >= sizeof(ElfW(Nhdr))) {
    const auto* const head = reinterpret_cast<const ElfW(Nhdr)*>(at);
    const char* const owner = at + sizeof *head;
    const char* const said = owner + padded(head->n_namesz);
    if (said > end || padded(head->n_descsz) > static_cast<std::size_t>(end - said)) break;
    at = said + padded(head->n_descsz);
    if (head->n_type != kType || std::string_view(owner, head->n_namesz) != kOwner) continue;
    std::string problem = problem_of({said, head->n_descsz});
    if (!problem.empty()) return problem;
  }
  return {};
}

int look_at(dl_phdr_info* object, std::size_t, void* found) {
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    // Notes with an alignment of 8 are the C compiler's.
    if (part.p_type != PT_NOTE || part.p_align > 4) continue;
    const char* const notes = reinterpret_cast<const char*>(object->dlpi_addr + part.p_vaddr);
    auto& problem = *static_cast<std::string*>(found);
    problem = problem_in(notes, notes + part.p_memsz);
    if (!problem.empty()) return 1;
  }
  return 0;
}

}  // namespace

std::string object_of_another_version() {
  std::string problem;
  dl_iterate_phdr(look_at, &problem);
  return problem;
}

}  // namespace ramjet::splitc
