// SPDX-License-Identifier: Apache-2.0
// Larger inputs for k-mer counters, from a genome: copies of it, in each but the first of which
// every letter was drawn anew with a probability of 0.15; or reads of 150 letters, one in a hundred
// drawn anew. The same seed gives the same file.
//
//   c++ -O2 -std=c++17 bench/genome_copies.cpp -o genome_copies
//   genome_copies GENOME.fa BYTES copies|reads SEED > FILE
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>

namespace {

std::mt19937_64 draw;

char drawn_letter() { return "ACGT"[draw() & 3]; }

// Without headers; what is not a letter of a base is an A.
std::string read_genome(const char* path) {
  std::ifstream file(path);
  std::string genome, line;
  while (std::getline(file, line))
    if (line.empty() || line[0] != '>') genome += line;
  for (char& letter : genome)
    if (std::string("ACGT").find(letter) == std::string::npos) letter = 'A';
  return genome;
}

void print_copies(const std::string& genome, std::size_t bytes) {
  std::size_t printed = 0;
  for (int n = 0; printed < bytes; ++n) {
    std::printf(">copy%d\n", n);
    std::string copy = genome;
    for (char& letter : copy)
      if (n > 0 && (draw() & 0xffff) < 0.15 * 65536) letter = drawn_letter();
    for (std::size_t at = 0; at < copy.size() && printed < bytes; at += 80) {
      const std::string line = copy.substr(at, 80);
      printed += line.size() + 1;
      std::puts(line.c_str());
    }
  }
}

void print_reads(const std::string& genome, std::size_t bytes) {
  constexpr std::size_t kLetters = 150;
  const std::string quality(kLetters, 'I');
  std::string reversed(genome.rbegin(), genome.rend());
  for (char& letter : reversed)
    letter = letter == 'A' ? 'T' : letter == 'C' ? 'G' : letter == 'G' ? 'C' : 'A';
  std::size_t printed = 0;
  for (long n = 0; printed < bytes; ++n) {
    const std::string& strand = (draw() & 1) != 0 ? genome : reversed;
    std::string read = strand.substr(draw() % (strand.size() - kLetters), kLetters);
    for (char& letter : read)
      if ((draw() & 1023) < 10) letter = drawn_letter();
    printed += std::size_t(std::printf("@r%ld\n%s\n+\n%s\n", n, read.c_str(), quality.c_str()));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc == 5 ? argv[3] : "";
  const std::string genome = what.empty() ? "" : read_genome(argv[1]);
  if (genome.size() <= 150 || (what != "copies" && what != "reads")) {
    std::fprintf(stderr, "usage: genome_copies GENOME.fa BYTES copies|reads SEED\n");
    return 2;
  }
  draw.seed(std::strtoull(argv[4], nullptr, 10));
  const std::size_t bytes = std::strtoull(argv[2], nullptr, 10);
  what == "copies" ? print_copies(genome, bytes) : print_reads(genome, bytes);
  return std::fflush(stdout) == 0 ? 0 : 1;
}
