// SPDX-License-Identifier: Apache-2.0
#include "output.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>

#include <ramjet/ramjet.hpp>

#include "failure.hpp"
#include "keep_inputs.hpp"
#include "root.hpp"
#include "table_blocks.hpp"

namespace kmer {
namespace {

constexpr std::size_t kMessageBytes = 32 * 1024;
constexpr std::size_t kLineBytesMax = kLengthMax + 22;  // blank, count, end of line

// What kRoot's handlers write to. Handlers are plain functions, so this stands in the file.
table_writer* writer = nullptr;
int text_error = 0;  // why standard output did not take all text; 0 if it did

void on_text(ramjet::payload p) {
  if (text_error == 0 && std::fwrite(p.data(), 1, p.size(), stdout) != p.size()) {
    text_error = errno;
  }
}

void on_entries(table_writer::bin_facts what, std::uint64_t at, ramjet::payload p) {
  writer->write(what, at, reinterpret_cast<const char*>(p.data()), p.size());
}

template <class Key>
bool ordered(const counted<Key>& a, const counted<Key>& b) {
  const std::uint64_t first = hash_of(a.kmer), second = hash_of(b.kmer);
  return first != second ? first < second : a.kmer < b.kmer;
}

// Counts come in the order of the table's slots, which is nearly that of the hashes: most of them
// are in their place, or a few places off.
template <class Key>
void sort_nearly_sorted(std::vector<counted<Key>>& all) {
  constexpr std::size_t kMovesOfOneMax = 64;
  std::size_t moves = 0;
  for (std::size_t i = 1; i < all.size(); ++i) {
    const counted<Key> one = all[i];
    std::size_t at = i;
    for (; at > 0 && ordered(one, all[at - 1]); --at) all[at] = all[at - 1];
    all[at] = one;
    moves += i - at;
    if (moves > kMovesOfOneMax * (i + kMovesOfOneMax)) {
      std::ranges::sort(all, ordered<Key>);
      return;
    }
  }
}

}  // namespace

output::output(const options& o, std::uint32_t bins)
    : k_(o.k),
      count_min_(o.count_min),
      text_(o.form == output_form::dump),
      table_(!o.table.empty()) {
  if (ramjet::rank() != kRoot) return;
  keep_inputs(o.files, o.table);
  if (table_) {
    writer_ = std::make_unique<table_writer>(o.table, k_, bins);
    writer = writer_.get();
  }
}

template <class Key>
taker<Key> output::take() {
  if (!wanted()) return {};
  const auto take = [this](const bin_totals& whole, std::vector<counted<Key>>& part) {
    if (text_) send_text(part);
    if (table_) send_entries(whole, part);
  };
  return {.take = take, .count_min = count_min_, .whole_first = table_};
}
template taker<narrow_key> output::take();
template taker<wide_key> output::take();

template <class Key>
void output::send_text(const std::vector<counted<Key>>& counts) {
  bytes_.resize(kMessageBytes);
  char* const begin = bytes_.data();
  char* at = begin;
  const auto send = [&at, begin] {
    require(ramjet::request_medium<on_text>(kRoot, begin, static_cast<std::size_t>(at - begin)));
    at = begin;
  };
  for (const counted<Key>& c : counts) {
    if (static_cast<std::size_t>(begin + kMessageBytes - at) < kLineBytesMax) send();
    write_letters(c.kmer, k_, at);
    at += k_;
    *at++ = ' ';
    at = std::to_chars(at, at + 20, c.count).ptr;
    *at++ = '\n';
  }
  if (at != begin) send();
}

template <class Key>
void output::send_entries(const bin_totals& whole, std::vector<counted<Key>>& part) {
  if (part.empty()) return;
  sort_nearly_sorted(part);
  const auto ranks = static_cast<std::size_t>(ramjet::size());
  const table_writer::bin_facts what{
      static_cast<std::uint32_t>(whole.bin * ranks + static_cast<std::size_t>(ramjet::rank())),
      static_cast<std::uint32_t>((std::bit_width(whole.greatest) + 7) / 8), whole.entries};
  if (!blocks_ || blocks_->left() == 0) {  // the part is a bin's first one
    blocks_.emplace(what.entries, key_bytes_of(k_), what.count_bytes);
    sent_ = 0;
  }
  blocks_->begin_part(bytes_, part.size());
  for (const counted<Key>& c : part) blocks_->add(c.kmer, c.count);
  blocks_->end_part();
  for (std::size_t from = 0; from < bytes_.size(); from += kMessageBytes) {
    const std::size_t count = std::min(kMessageBytes, bytes_.size() - from);
    require(ramjet::request_medium<on_entries>(kRoot, bytes_.data() + from, count, what, sent_));
    sent_ += count;
  }
}

void output::finish() {
  if (ramjet::rank() != kRoot) return;
  if (text_error != 0 || (text_ && std::fflush(stdout) != 0)) {
    throw output_error(std::string("cannot write standard output: ") +
                       std::strerror(text_error != 0 ? text_error : errno));
  }
  if (writer_) writer_->finish();
}

}  // namespace kmer
