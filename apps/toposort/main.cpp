// SPDX-License-Identifier: Apache-2.0
// toposort: a permuted triangular matrix over all ranks is made triangular again. See README.md.
#include <algorithm>

#include <fmt/format.h>

#include "../measured/agreeing.hpp"
#include "../measured/ways.hpp"
#include "sorting.hpp"

namespace toposort {
namespace {

struct options {
  graph::matrix_input matrix;
  std::vector<way> ways{kWays.begin(), kWays.end()};
  std::uint64_t repeats = 5;
  bool serial = true;
  bool json = false;
};

options read_options(int argc, char** argv) {
  options o;
  measured::command_line line(
      "toposort",
      "Makes a triangular matrix triangular again whose rows and columns were permuted, over\n"
      "all ranks, in several ways, beside a serial program. Every entry's place is checked.\n",
      "Examples:\n"
      "  ramjet run -n 2 toposort --rows 1e6      as bale has it by default with two ranks\n"
      "  toposort --ways natural --json           one rank, for a program to read\n"
      "  toposort --file matrix.mtx.gz            a matrix of your own, which was permuted\n");
  add_options(line, o.matrix);
  line.names("--ways", kWays, o.ways,
             "natural, a message for each entry that goes, gathered by the library; batched, the "
             "same by hand, 4 KiB a message; chained, sent by the handler of a matched column");
  line.number("--repeats", o.repeats, {.most = 10'000},
              "times that everything is measured; the median counts");
  measured::read_line(line, argc, argv, o, "do not gather the matrix at one rank to sort it there");
  check_options(line, o.matrix);
  return o;
}

std::vector<vertex> of_all(std::span<const vertex> mine, std::uint64_t count) {
  std::vector<vertex> all(count);
  const std::vector<std::size_t> counts = graph::counts_of_all(mine.size());
  measured::require(
      ramjet::all_gather(mine, std::span<vertex>(all), std::span<const std::size_t>(counts)));
  return all;
}

// What is wrong with the places of these rows, the first of which is row `first`, and of all rows
// and columns; empty if nothing is.
std::string fault_of(const graph::rows& mine, vertex first, const std::vector<vertex>& row_places,
                     const std::vector<vertex>& column_places) {
  for (const std::vector<vertex>* places : {&row_places, &column_places}) {
    std::vector<bool> taken(places->size());
    for (const vertex place : *places) {
      if (place >= taken.size() || taken[place]) return fmt::format("place {} comes twice", place);
      taken[place] = true;
    }
  }
  for (std::size_t k = 0; k < mine.count(); ++k) {
    const vertex row = row_places[first + k];
    bool diagonal = false;
    for (const vertex column : mine[k]) {
      if (column_places[column] < row)
        return fmt::format("an entry is at row {}, column {}", row, column_places[column]);
      diagonal = diagonal || column_places[column] == row;
    }
    if (!diagonal) return fmt::format("row {} has nothing in the diagonal", row);
  }
  return {};
}

class measuring {
 public:
  measuring(const options& o, const problem& p) : o_(o), problem_(p), sorter_(p) {
    if (!o.serial) return;
    whole_ = whole_at_root(p.matrix, p.rows);
    transposed_ = whole_at_root(p.transposed, p.rows);
    row_places_.resize(whole_.count());
    column_places_.resize(whole_.count());
  }

  measured::speeds speeds() {
    return measured::speeds_in_turn(
        o_, problem_.entries, [this](way w) { return seconds_of(w); },
        [this] { return seconds_of_serial(); });
  }
  std::uint64_t levels() const { return levels_; }

 private:
  double seconds_of(way w) {
    const double seconds = measured::seconds_together([&] { levels_ = sorter_.sort(w); });
    const std::vector<vertex> rows = of_all(sorter_.row_places(), problem_.rows),
                              columns = of_all(sorter_.column_places(), problem_.rows);
    check(name_of(w), problem_.matrix.mine, problem_.matrix.first, rows, columns);
    return seconds;
  }
  double seconds_of_serial() {
    std::uint64_t matched = 0;
    const double seconds = measured::seconds_together(
        [&] { matched = sort_serially(whole_, transposed_, row_places_, column_places_); });
    if (measured::sum_over_ranks(matched) != problem_.rows)
      throw measured::failure("serial: rows depend on each other");
    check("serial", whole_, 0, row_places_, column_places_);
    return seconds;
  }
  static void check(const char* name, const graph::rows& mine, vertex first,
                    const std::vector<vertex>& rows, const std::vector<vertex>& columns) {
    measured::agreed([&] {
      if (const std::string fault = fault_of(mine, first, rows, columns); !fault.empty())
        throw measured::failure(fmt::format("{}: not triangular: {}", name, fault));
    });
  }

  const options& o_;
  const problem& problem_;
  sorter sorter_;
  std::uint64_t levels_ = 0;
  graph::rows whole_, transposed_;  // empty but at the root
  std::vector<vertex> row_places_, column_places_;  // the serial program's
};

std::string report(const options& o, const problem& p, const measured::speeds& speeds,
                   std::uint64_t levels) {
  if (o.json) {
    console::json object = json_of(o.matrix, p.entries, o.repeats);
    add_speeds(object, speeds, "entries_per_s");
    object["levels"] = levels;
    return object.dump() + "\n";
  }
  return heading(o.matrix, p.entries) + "\n" + text_of(speeds, "entries") +
         fmt::format("\n{} level{}. The matrix is triangular again, by each way.\n", levels,
                     levels == 1 ? "" : "s");
}

void run(options o) {
  read_matrix(o.matrix);
  if (o.matrix.in_file.rows != o.matrix.in_file.columns)
    throw measured::failure(fmt::format("{}: {} rows and {} columns: a triangular matrix is square",
                                        o.matrix.file, o.matrix.in_file.rows,
                                        o.matrix.in_file.columns));
  const problem p = permuted_triangle(o.matrix);
  measuring all(o, p);
  const measured::speeds speeds = all.speeds();
  measured::print_at_root(report(o, p, speeds, all.levels()));
}

}  // namespace
}  // namespace toposort

int main(int argc, char** argv) {
  return measured::run({"toposort", "--rows or --nonzeros"}, argc, argv,
                       [&] { toposort::run(toposort::read_options(argc, argv)); });
}
