// SPDX-License-Identifier: Apache-2.0
// transpose: a sparse matrix over all ranks is transposed, or permuted. See README.md.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "../graph/flat.hpp"
#include "../graph/matrix.hpp"
#include "../measured/agreeing.hpp"
#include "../measured/ways.hpp"

namespace transpose {
namespace {

using graph::vertex;

enum class way { natural, batched };
constexpr std::array kWays{way::natural, way::batched};
const char* name_of(way w) { return w == way::natural ? "natural" : "batched"; }

struct options {
  graph::matrix_input matrix;
  bool permute = false;
  std::vector<way> ways{kWays.begin(), kWays.end()};
  std::uint64_t repeats = 5;
  bool serial = true;
  bool json = false;
};

options read_options(int argc, char** argv) {
  options o;
  measured::command_line line(
      "transpose",
      "Transposes a sparse matrix that is spread over all ranks by rows, or permutes its rows and\n"
      "columns, in two ways, beside a serial program. Every entry is checked.\n",
      "Examples:\n"
      "  ramjet run -n 2 transpose --rows 1e6      as bale has it by default with two ranks\n"
      "  ramjet run -n 4 transpose --permute --json\n"
      "  transpose --file matrix.mtx.gz            a matrix of your own\n");
  add_options(line, o.matrix);
  line.flag("--permute", o.permute, "permute rows and columns at random instead");
  line.names("--ways", kWays, o.ways,
             "natural, a message for each entry, gathered by the library; batched, the same by "
             "hand, 4 KiB a message");
  line.number("--repeats", o.repeats, {.most = 10'000},
              "times that everything is measured; the median counts");
  measured::read_line(line, argc, argv, o,
                      "do not gather the matrix at one rank for a serial program");
  check_options(line, o.matrix);
  return o;
}

graph::spread_matrix matrix_of(const graph::matrix_input& in) {
  if (!in.file.empty())
    return graph::matrix_of(in.rows, [&in](auto&& put) {
      for (const graph::entry e : in.in_file.mine) put(e);
    });
  const graph::flat all{in.rows, in.rows * in.nonzeros, in.seed};
  const std::vector<graph::edge> mine = share_of(all, ramjet::rank(), ramjet::size()).mine;
  return graph::matrix_of(in.rows, [&mine](auto&& put) {
    for (const graph::edge e : mine) put(graph::entry{e.a, e.b});
  });
}

// Of some entries, in whatever order; of all ranks' it adds up to the matrix's.
std::uint64_t checksum_of(const graph::rows& rows, vertex first) {
  std::uint64_t sum = 0;
  graph::for_entries(rows, first, [&sum](graph::entry e) {
    sum += measured::scrambled(std::uint64_t{e.row} << 32 | e.column);
  });
  return sum;
}

// Where entries go. The new number of a row is known to its owner, and that of a column to the rank
// that has the row of this number.
class moving {
 public:
  moving(const options& o, const graph::spread_matrix& m)
      : permute_(o.permute),
        matrix_(m),
        row_of_(o.matrix.rows, o.matrix.seed),
        column_of_(o.matrix.rows, ~o.matrix.seed) {
    if (!permute_) return;
    const auto ranks = static_cast<std::uint64_t>(ramjet::size());
    std::uint64_t most = m.mine.count();
    measured::require(
        ramjet::all_reduce(most, [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); }));
    columns_ = ramjet::all_spread_malloc<vertex>(most * ranks);
    if (!columns_) throw measured::failure("no room for the permutation in the ranks' segments");
    for (std::size_t k = 0; k < m.mine.count(); ++k) {
      const vertex v = m.first + static_cast<vertex>(k);
      rows_.push_back(row_of_(v));
      columns_.local()[k] = column_of_(v);
    }
    for (int rank = 0; rank < ramjet::size(); ++rank) begins_.push_back(m.owners.begin_of(rank));
    measured::require(ramjet::barrier());
  }

  template <class How>
  graph::rows moved(How&& how) {
    if (!permute_)
      return graph::rows_from(matrix_.owners, how, [this](auto&& put) {
        graph::for_entries(matrix_.mine, matrix_.first,
                           [&](graph::entry e) { put(graph::entry{e.column, e.row}); });
      });
    const std::vector<vertex> columns = new_columns();
    return graph::rows_from(matrix_.owners, how, [&](auto&& put) {
      const vertex* column = columns.data();
      for (std::size_t k = 0; k < matrix_.mine.count(); ++k)
        for (std::size_t n = matrix_.mine[k].size(); n > 0; --n)
          put(graph::entry{rows_[k], *column++});
    });
  }
  // The same by one rank, of the whole matrix: the limit.
  graph::rows moved_serially(const graph::rows& whole, std::span<const vertex> new_rows,
                             std::span<const vertex> new_columns) const {
    graph::rows found;
    found.begins.assign(whole.count() + 2, 0);
    found.targets.resize(whole.targets.size());
    const auto each = [&](auto&& put) {
      graph::for_entries(whole, 0, [&](graph::entry e) {
        put(permute_ ? graph::entry{new_rows[e.row], new_columns[e.column]}
                     : graph::entry{e.column, e.row});
      });
    };
    each([&](graph::entry e) { ++found.begins[e.row + 2]; });
    std::partial_sum(found.begins.begin(), found.begins.end(), found.begins.begin());
    each([&](graph::entry e) { found.targets[found.begins[e.row + 1]++] = e.column; });
    found.begins.pop_back();
    return found;
  }
  graph::entry goal_of(graph::entry e) const {
    return permute_ ? graph::entry{row_of_(e.row), column_of_(e.column)}
                    : graph::entry{e.column, e.row};
  }

 private:
  // Those of all entries of this rank, as they stand.
  std::vector<vertex> new_columns() const {
    const auto ranks = static_cast<std::uint64_t>(ramjet::size());
    std::vector<std::uint64_t> places;
    places.reserve(matrix_.mine.targets.size());
    for (const vertex column : matrix_.mine.targets) {
      const auto owner = static_cast<std::size_t>(matrix_.owners.owner_of(column));
      places.push_back((column - begins_[owner]) * ranks + owner);
    }
    std::vector<vertex> found(places.size());
    ramjet::read_each(columns_, std::span<const std::uint64_t>(places), found.data());
    return found;
  }

  bool permute_;
  const graph::spread_matrix& matrix_;
  graph::any_permutation row_of_, column_of_;
  std::vector<vertex> rows_;
  std::vector<std::uint64_t> begins_;  // each rank's first row
  ramjet::spread_ptr<vertex> columns_;  // that of row k of rank r at k * P + r
};

class measuring {
 public:
  explicit measuring(const options& o)
      : o_(o), matrix_(transpose::matrix_of(o.matrix)), moving_(o, matrix_) {
    std::uint64_t due = 0;
    graph::for_entries(matrix_.mine, matrix_.first, [&](graph::entry e) {
      const graph::entry goal = moving_.goal_of(e);
      due += measured::scrambled(std::uint64_t{goal.row} << 32 | goal.column);
    });
    due_ = measured::sum_over_ranks(due);
    entries_ = measured::sum_over_ranks(matrix_.mine.targets.size());
    if (!o.serial) return;
    whole_ = whole_at_root(matrix_, o.matrix.rows);
    for (vertex v = 0; v < whole_.count(); ++v) {
      const graph::entry goal = moving_.goal_of({v, v});
      new_rows_.push_back(goal.row);
      new_columns_.push_back(goal.column);
    }
  }

  measured::speeds speeds() {
    return measured::speeds_in_turn(
        o_, entries_, [this](way w) { return seconds_of(w); },
        [this] { return seconds_of_serial(); });
  }
  std::uint64_t entries() const { return entries_; }
  std::uint64_t checksum() const { return due_; }

 private:
  static constexpr std::size_t kBatchBytes = 4096;

  double seconds_of(way w) {
    graph::rows found;
    const double seconds = measured::seconds_together([&] {
      found = w == way::natural ? moving_.moved(graph::message_each())
                                : moving_.moved(graph::by_hand(kBatchBytes));
    });
    check(name_of(w), checksum_of(found, matrix_.first));
    return seconds;
  }
  double seconds_of_serial() {
    graph::rows found;
    const double seconds = measured::seconds_together([&] {
      if (ramjet::rank() == measured::kRoot)
        found = moving_.moved_serially(whole_, new_rows_, new_columns_);
    });
    check("serial", checksum_of(found, 0));
    return seconds;
  }
  void check(const char* name, std::uint64_t mine) const {
    if (measured::sum_over_ranks(mine) != due_)
      throw measured::failure(fmt::format("{}: entries are not where they should be", name));
  }

  const options& o_;
  graph::spread_matrix matrix_;
  moving moving_;
  std::uint64_t due_ = 0, entries_ = 0;
  graph::rows whole_;  // empty but at the root
  std::vector<vertex> new_rows_, new_columns_;  // of the serial program, if it permutes
};

void run(options o) {
  read_matrix(o.matrix);
  if (o.permute && o.matrix.in_file.rows != o.matrix.in_file.columns)
    throw measured::failure(
        fmt::format("{}: {} rows and {} columns: --permute takes a square matrix", o.matrix.file,
                    o.matrix.in_file.rows, o.matrix.in_file.columns));
  measuring all(o);
  const measured::speeds speeds = all.speeds();
  std::string text;
  if (o.json) {
    console::json object = json_of(o.matrix, all.entries(), o.repeats);
    object["permute"] = o.permute;
    add_speeds(object, speeds, "entries_per_s");
    object["checksum"] = fmt::format("{:016x}", all.checksum());
    text = object.dump() + "\n";
  } else {
    text = heading(o.matrix, all.entries()) + "\n" + text_of(speeds, "entries") +
           fmt::format("\nEvery entry is where it belongs: checksum {:016x}.\n", all.checksum());
  }
  measured::print_at_root(text);
}

}  // namespace
}  // namespace transpose

int main(int argc, char** argv) {
  return measured::run({"transpose", "--rows or --nonzeros"}, argc, argv,
                       [&] { transpose::run(transpose::read_options(argc, argv)); });
}
