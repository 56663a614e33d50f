// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "tools/pages/comparison.hpp"
#include "tools/pages/content.hpp"

namespace pages {
namespace {

const char* title_of(kind what) {
  switch (what) {
    case kind::bench:
      return "Benchmarks";
    case kind::characterization:
      return "What this machine does";
    case kind::study:
      return "The schedulers AM and MD of the threaded abstract machine";
    case kind::programs:
      return "Split-C programs";
    case kind::model:
      return "Jobs as they are simulated";
    case kind::app:
      break;
  }
  return "Runs of an app";
}

std::vector<section> sections_of(const input& file) {
  switch (file.what) {
    case kind::bench:
      return bench_sections(file);
    case kind::characterization:
      return characterization_sections(file);
    case kind::study:
      return study_sections(file.runs.front());
    case kind::programs:
      return {programs_section(file.runs.front())};
    case kind::model:
      return {model_section(file.runs.front())};
    case kind::app:
      break;
  }
  return sweep_sections(file);
}

}  // namespace

document report_on(const std::vector<std::string>& names) {
  std::vector<input> files;
  for (const std::string& name : names) files.push_back(read_input(name));
  std::vector<const input*> benches;
  for (const input& file : files)
    if (file.what == kind::bench) benches.push_back(&file);
  document d;
  if (benches.size() == 2) {
    d = guarded(*benches[1], [&] {
      const auto rows = compare(*benches[0], *benches[1], kTolerance);
      return comparison_document(rows, *benches[0], *benches[1], kTolerance);
    });
    if (files.size() == 2) return d;
  }
  const bool one_kind = std::all_of(files.begin(), files.end(), [&](const input& file) {
    return file.what == files.front().what;
  });
  d.title = one_kind ? title_of(files.front().what) : "What was measured";
  if (d.about.empty() && names.size() == 1) d.about = "From " + files.front().shown_name() + ".";
  for (const input& file : files) {
    if (benches.size() == 2 && file.what == kind::bench) continue;
    auto sections = guarded(file, [&] { return sections_of(file); });
    std::move(sections.begin(), sections.end(), std::back_inserter(d.sections));
  }
  return d;
}

}  // namespace pages
