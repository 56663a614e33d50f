// SPDX-License-Identifier: Apache-2.0
// What was measured here, by the references of papers.json:
//
//   bench NAME [PARAM]       a record's value, its limit for "limit", or a parameter in ns
//   near NAME, far NAME      a number of ramjet characterize between two ranks, in ns
//   near NAME @X             a curve's value at the place nearest to X; "first", "last" are places
//   near NAME best           the most bytes a second of a transfer's mechanisms
//   memory NAME @X           a curve of this core's memory
//   writes @X                of this core's memory by stride, in the largest array; "reads" too
//   messages KIND            percent of the study's messages; "tl0", "instructions": for each one
//   budget NAME              instructions, held by the test of budgets
//   em3d VERSION @PERCENT    ns for an edge;  matmul @COLUMNS: utilisation
//   agenda speedup           the best one over one rank alone
//   agenda seconds           the least time of the largest product
//   A + B                    their sum
//   half A                   the half
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/pages/input.hpp"

namespace pages {

struct quantity {
  double value = 0;
  std::string unit;  // ns, GB/s, instructions, percent, x
};

// One of each kind, the last one given; nullptr: none.
class sources {
 public:
  explicit sources(const std::vector<input>& files);

  std::optional<quantity> find(const std::string& reference) const;

  const console::json* characterization() const { return characterization_; }
  const console::json* study() const { return study_; }
  const console::json* programs() const { return programs_; }  // of Split-C
  // The rows of an app's runs: "em3d", "matmul", "agenda_matmul".
  std::vector<console::json> rows(const std::string& app) const;
  // Where what there is comes from: machine, commit.
  std::string about() const;

 private:
  std::optional<quantity> find_one(const std::string& reference) const;
  std::optional<quantity> of_bench(const std::vector<std::string>& words) const;
  std::optional<quantity> of_characterization(const std::vector<std::string>& words) const;
  std::optional<quantity> of_study(const std::string& kind) const;
  std::optional<quantity> of_app(const std::vector<std::string>& words) const;

  const console::json *characterization_ = nullptr, *study_ = nullptr, *programs_ = nullptr;
  std::vector<const console::json*> records_, runs_;
};

// The value in another unit of the same kind: ns, us, ms, s; MB/s, GB/s. The same value if it is
// not of that kind.
double in_unit(const quantity& q, const std::string& unit);

}  // namespace pages
