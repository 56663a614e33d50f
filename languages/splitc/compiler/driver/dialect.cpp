// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/compiler/driver/dialect.hpp"

#include <algorithm>
#include <string_view>

namespace splitcc::driver {
namespace {

constexpr std::string_view kOf89[] = {"89", "90", "9899:1990", "9899:199409"};
constexpr std::string_view kLater[] = {"99",        "9x",        "11",        "1x",
                                       "17",        "18",        "2x",        "23",
                                       "9899:1999", "9899:2011", "9899:2017", "9899:2018"};

// "gnu17" in its parts.
struct standard_name {
  bool is_gnu = false;
  std::string_view version;
};

standard_name parts_of(std::string_view standard) {
  for (std::string_view start : {"gnu", "iso", "c"})
    if (standard.starts_with(start)) return {start == "gnu", standard.substr(start.size())};
  return {};
}

template <std::size_t n>
bool is_one_of(const std::string_view (&list)[n], std::string_view version) {
  return std::ranges::count(list, version) != 0;
}

}  // namespace

dialect dialect_of(const std::string& standard) {
  if (standard.empty()) return {};
  std::string_view name = standard;
  if (name.starts_with("iso9899:")) name.remove_prefix(3);
  const auto [is_gnu, version] =
      name.starts_with("9899:") ? standard_name{false, name} : parts_of(name);
  if (is_one_of(kOf89, version)) return {!is_gnu, true, true, false};
  if (is_one_of(kLater, version)) return {!is_gnu, false, false, true};
  throw usage_error("-std=" + standard + " is not a standard of C; gnu89 and gnu17 are");
}

std::string standard_for_preprocessor(const options& o) {
  return o.standard.empty() ? standard_for_c(o) : "-std=" + o.standard;
}

std::string standard_for_c(const options& o) {
  if (o.standard.empty()) return "-std=gnu17";
  const std::string& name = o.standard;
  if (name.starts_with("gnu")) return "-std=" + name;
  if (name.starts_with("c")) return "-std=gnu" + name.substr(1);
  constexpr std::pair<std::string_view, std::string_view> kYears[] = {
      {"1990", "89"}, {"199409", "89"}, {"1999", "99"}, {"2011", "11"}};
  for (const auto& [year, version] : kYears)
    if (name.ends_with(year)) return "-std=gnu" + std::string(version);
  return "-std=gnu17";
}

}  // namespace splitcc::driver
