// SPDX-License-Identifier: Apache-2.0
// `ramjet run -n 2 kmer -k 21` of a genome, from start to end, in turns with the k-mer counters
// that are installed: each as a whole command, on two threads, with the same plain FASTA file,
// writing its result where it will. All must find the same number of different k-mers. A quick run
// has no peers.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>

#include "harness/process.hpp"
#include "micro/bodies.hpp"

namespace bench {
namespace {

namespace fs = std::filesystem;

// Unless it is told: the commands take a tenth of a second to a second each.
constexpr unsigned kRepeatsMost = 9;

// A bacterium from Debian's bowtie-examples; a virus that comes with the program.
const char* const kGenomes[] = {"/usr/share/doc/bowtie/examples/genomes/NC_008253.fna.gz",
                                "/usr/share/doc/bowtie-examples/genomes/NC_008253.fna.gz"};
constexpr const char* kSmallGenome = "apps/kmer/data/lambda_virus.fa.gz";

// The packed genome; empty if there is none. `build` is the folder of the build that the command
// belongs to.
fs::path find_genome(const fs::path& build, bool quick) {
  std::error_code none;
  if (!quick)
    for (const char* path : kGenomes)
      if (fs::exists(path, none)) return path;
  for (const fs::path& root : {build.parent_path(), fs::current_path(none)})
    if (fs::exists(root / kSmallGenome, none)) return root / kSmallGenome;
  return {};
}

struct counter {
  const char* name;
  std::vector<std::string> words;
  samples seconds;
  std::string output;  // of its last run
};

void run_once(counter& c) {
  const finished f = run_command_line(c.words, output_of_command::keep, false);
  if (f.exit_status != 0)
    throw std::runtime_error(std::string(c.name) + " ended with status " +
                             std::to_string(f.exit_status));
  c.seconds.add(f.seconds);
  c.output = f.output;
}

counter kmer_on(const command_context& c, const fs::path& kmer, const std::string& file,
                unsigned machines) {
  counter k{"kmer", {c.program, "run", "-n", "2", "--nodes", std::to_string(machines)}, {}, {}};
  if (machines > 1 && !c.wrapper.empty()) k.words.push_back(c.wrapper);
  for (const char* word : {kmer.c_str(), "-k", "21", "--json", file.c_str()})
    k.words.emplace_back(word);
  return k;
}

std::vector<counter> counters(const command_context& c, const fs::path& kmer,
                              const std::string& file, const scratch_folder& scratch) {
  std::vector<counter> list{kmer_on(c, kmer, file, 1)};
  const std::string letters = std::to_string(fs::file_size(file));
  if (c.how_much.quick) return list;
  if (is_installed("jellyfish"))
    list.push_back({"jellyfish",
                    {"jellyfish", "count", "-m", "21", "-C", "-t", "2", "-s", letters, "-o",
                     scratch.file("jellyfish"), file},
                    {},
                    {}});
  if (is_installed("kmc"))
    list.push_back({"kmc",
                    {"kmc", "-k21", "-ci1", "-t2", "-fm", "-r", "-hp", file, scratch.file("kmc"),
                     scratch.file("")},
                    {},
                    {}});
  return list;
}

// The number after the first place where the text says `before`, colon and spaces skipped.
std::uint64_t number_after(const std::string& text, const std::string& before) {
  std::size_t at = text.find(before);
  if (at == text.npos) return 0;
  at = text.find_first_of("0123456789", at + before.size());
  return at == text.npos ? 0 : std::stoull(text.substr(at));
}

std::uint64_t distinct_found(const counter& c, const scratch_folder& scratch) {
  const std::string name = c.name;
  if (name == "kmc") return number_after(c.output, "No. of unique counted k-mers");
  if (name == "kmer") {
    const std::optional<json> out = json::parse(c.output);
    return out && out->contains("distinct") ? out->at("distinct").as_count() : 0;
  }
  const finished f = run_command_line({"jellyfish", "stats", scratch.file("jellyfish")},
                                      output_of_command::keep, false);
  return number_after(f.output, "Distinct:");
}

// What the commands count, and with what.
struct workload {
  fs::path kmer;    // the program
  fs::path packed;  // the genome
  scratch_folder scratch;
  std::string file;  // the genome as plain FASTA
  std::size_t bytes = 0;
};

// Nothing, and why, if something is not there.
std::unique_ptr<workload> prepare(const command_context& c, std::string& missing) {
  auto w = std::make_unique<workload>();
  const fs::path folder = fs::path(c.program).parent_path();
  w->kmer = folder / "kmer";
  w->packed = find_genome(folder.parent_path(), c.how_much.quick);
  if (!fs::exists(w->kmer)) {
    missing = w->kmer.string() + " is not there";
    return nullptr;
  }
  if (w->packed.empty()) {
    missing = "no genome: install bowtie-examples, or start in the source tree";
    return nullptr;
  }
  w->file = w->scratch.file("genome.fa");
  const finished unpacked =
      run_command_line({"gzip", "-dc", w->packed.string()}, output_of_command::keep);
  std::ofstream(w->file, std::ios::binary) << unpacked.output;
  if (unpacked.exit_status != 0 || unpacked.output.empty() || !fs::exists(w->file))
    throw std::runtime_error("cannot unpack " + w->packed.string());
  w->bytes = unpacked.output.size();
  return w;
}

// Each in turn, as often as is asked for.
void run_in_turn(const command_context& c, std::vector<counter>& all) {
  const bool as_told = c.how_much.seconds == 0;
  const unsigned repeats =
      as_told ? c.how_much.repeats : std::min(c.how_much.repeats, kRepeatsMost);
  for (unsigned i = 0; i < repeats; ++i)
    for (counter& each : all) run_once(each);
}

}  // namespace

std::optional<record> measure_kmer(const command_context& c, std::string& missing) {
  const std::unique_ptr<workload> w = prepare(c, missing);
  if (w == nullptr) return std::nullopt;
  std::vector<counter> all = counters(c, w->kmer, w->file, w->scratch);
  run_in_turn(c, all);
  record r;
  r.value = all.front().seconds.median();
  r.params = {{"ranks", 2},
              {"repeats", all.front().seconds.count()},
              {"spread", all.front().seconds.spread()},
              {"file", w->packed.filename().string()},
              {"bytes", w->bytes},
              {"distinct", distinct_found(all.front(), w->scratch)},
              {"jellyfish_s", nullptr},
              {"kmc_s", nullptr}};
  for (const counter& each : all) {
    const std::uint64_t distinct = distinct_found(each, w->scratch);
    if (distinct == 0 || distinct != r.params["distinct"].as_count())
      throw std::runtime_error(std::string(each.name) + " found " + std::to_string(distinct) +
                               " different k-mers, kmer " + r.params["distinct"].dump());
    if (&each == &all.front()) continue;
    r.params[std::string(each.name) + "_s"] = each.seconds.median();
    add_note(r, fmt::format("{} {:.2f} s", each.name, each.seconds.median()));
  }
  return r;
}

std::optional<record> measure_net_kmer(const command_context& c, std::string& missing) {
  const std::unique_ptr<workload> w = prepare(c, missing);
  if (w == nullptr) return std::nullopt;
  std::vector<counter> both{kmer_on(c, w->kmer, w->file, 2), kmer_on(c, w->kmer, w->file, 1)};
  run_in_turn(c, both);
  record r;
  r.value = both[0].seconds.median();
  r.limit = both[1].seconds.median();
  r.params = {{"ranks", 2},
              {"machines", 2},
              {"repeats", both[0].seconds.count()},
              {"spread", both[0].seconds.spread()},
              {"file", w->packed.filename().string()},
              {"bytes", w->bytes},
              {"distinct", distinct_found(both[0], w->scratch)}};
  if (distinct_found(both[1], w->scratch) != r.params["distinct"].as_count())
    throw std::runtime_error("over the network other k-mers were found");
  return r;
}

}  // namespace bench
