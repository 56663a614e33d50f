// SPDX-License-Identifier: Apache-2.0
// -f options of the compiler's own, and warnings by name.
#include <algorithm>

#include "languages/splitc/compiler/driver/option_table.hpp"
#include "languages/support/suggestions.hpp"

namespace splitcc::driver {
namespace {

struct pass_option {
  std::string_view name;
  bool optimise_options::* field;
};

constexpr pass_option kPasses[] = {
    {"own-loops", &optimise_options::own_loops},
    {"hoist-own-test", &optimise_options::hoist_own_test},
    {"reduce-addresses", &optimise_options::reduce_addresses},
    {"pipeline-reads", &optimise_options::pipeline_reads},
    {"coalesce", &optimise_options::coalesce},
    {"drop-barriers", &optimise_options::drop_barriers},
    {"move-sync", &optimise_options::move_sync},
    {"try-own", &optimise_options::try_own},
    {"poll-loops", &optimise_options::poll_loops},
    {"opt-report", &optimise_options::report},
};

// Warnings of ours that the C compiler does not know.
constexpr std::string_view kOwnWarnings[] = {
    "collective-condition", "dropped-processor", "get-before-sync", "local-pointer-sent",
    "raw-newline",          "store-credit",      "store-sync",
};

// What the front end has said already, or what old programs are full of.
constexpr std::string_view kSaidAlready[] = {
    "-Wno-incompatible-pointer-types",    "-Wno-int-conversion",
    "-Wno-implicit-function-declaration", "-Wno-implicit-int",
    "-Wno-discarded-qualifiers",          "-Wno-pointer-sign",
    "-Wno-builtin-declaration-mismatch",  "-Wno-return-type",
};

void let_c_warn(options& o, const std::string& word) {
  o.c_warnings = true;
  o.passed.push_back({word, kCompiler});
}

}  // namespace

std::span<const std::string_view> said_already() { return kSaidAlready; }

bool apply_feature(options& o, std::string_view name, bool on) {
  for (const auto& [pass, field] : kPasses) {
    if (pass != name) continue;
    o.passes.*field = on;
    return true;
  }
  return false;
}

void turn_passes_off(options& o) {
  for (const auto& [pass, field] : kPasses)
    if (field != &optimise_options::report && field != &optimise_options::poll_loops)
      o.passes.*field = false;
}

void check_spelling(const std::string& word, std::string_view name, bool on) {
  std::vector<std::string_view> names;
  for (const auto& [pass, field] : kPasses) names.push_back(pass);
  const std::string_view meant = frontend::nearest(name, names);
  if (!meant.empty())
    throw usage_error("unknown option '" + word + "'; did you mean '-f" + (on ? "" : "no-") +
                      std::string(meant) + "'?");
}

bool is_own_warning(std::string_view name) { return std::ranges::count(kOwnWarnings, name) != 0; }

void apply_warning(options& o, const std::string& name) {
  constexpr std::string_view kError = "error=", kNoError = "no-error=", kNo = "no-";
  const auto starts = [&](std::string_view with) { return name.starts_with(with); };
  const auto rest = [&](std::string_view with) { return name.substr(with.size()); };
  diagnostic_options& m = o.messages;
  if (name == "error" || name == "no-error") {
    m.warnings_are_errors = name == "error";
    o.passed.push_back({"-W" + name, kCompiler});
    return;
  }
  std::string about = name;
  if (starts(kError)) {
    about = rest(kError);
    m.as_errors.insert(about);
    m.off.erase(about);
  } else if (starts(kNoError)) {
    about = rest(kNoError);
    m.as_errors.erase(about);
    m.not_errors.insert(about);
  } else if (starts(kNo)) {
    about = rest(kNo);
    m.off.insert(about);
  } else {
    m.off.erase(name);
  }
  if (is_own_warning(about)) return;
  if (const std::string_view meant = frontend::nearest(about, kOwnWarnings); !meant.empty())
    throw usage_error("unknown warning '-W" + name + "'; did you mean '" + std::string(meant) +
                      "'?");
  if (starts(kNo)) {
    o.passed.push_back({"-W" + name, kCompiler});
  } else {
    let_c_warn(o, "-W" + name);
  }
}

}  // namespace splitcc::driver
