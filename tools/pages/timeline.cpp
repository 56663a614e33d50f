// SPDX-License-Identifier: Apache-2.0
// How a timeline is written into a page: columns of variable-length numbers, which compress well
// as neighbours resemble each other.
#include "tools/pages/timeline.hpp"

#include <zlib.h>

#include <stdexcept>
#include <string_view>

#include "tools/cli/json.hpp"

namespace pages {
namespace {

using console::json;

// Seven bits a byte, the lowest first; all but the last byte have the highest bit.
void put(std::string& column, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) column += char(value | 0x80);
  column += char(value);
}

std::string base64(std::string_view bytes) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t three = 0;
    for (std::size_t i = 0; i < 3; ++i)
      three = three << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    for (unsigned i = 0; i < 4; ++i)
      text += at + i <= bytes.size() ? kDigits[three >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

std::string compressed(const std::string& bytes) {
  uLongf size = compressBound(uLong(bytes.size()));
  std::string out(size, '\0');
  const int status =
      compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                reinterpret_cast<const Bytef*>(bytes.data()), uLong(bytes.size()), 9);
  if (status != Z_OK) throw std::bad_alloc();  // the only reason there is
  out.resize(size);
  return out;
}

// begins, durations, kinds, names, peers, bytes, senders
std::array<std::string, 7> columns_of(const std::vector<slice>& slices) {
  std::array<std::string, 7> columns;
  std::uint32_t row = 0;
  std::uint64_t last_ns = 0;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const slice& s = slices[i];
    if (s.row != row) row = s.row, last_ns = 0;
    put(columns[0], s.begin_ns - last_ns);
    last_ns = s.begin_ns;
    put(columns[1], s.end_ns - s.begin_ns);
    put(columns[2], std::uint64_t(s.kind) << 1 | (s.is_open ? 1 : 0));
    put(columns[3], s.name);
    put(columns[4], std::uint64_t(std::int64_t{s.peer} + 1));
    put(columns[5], s.bytes);
    // How far away the sender is: odd before, even after it, 0 where there is none.
    if (s.sender == kNoSlice)
      put(columns[6], 0);
    else
      put(columns[6], s.sender < i ? 2 * (i - s.sender) - 1 : 2 * (s.sender - i));
  }
  return columns;
}

json stretch_json(const stretch& s) {
  json pair = json::array();
  pair.push_back(s.begin_ns);
  pair.push_back(s.end_ns);
  return pair;
}

json description_of(const timeline& t) {
  std::vector<std::uint64_t> counts(t.rows.size());
  for (const slice& s : t.slices) ++counts[s.row];
  json by_row = json::array(), exact = json::array(), places = json::array();
  for (const std::uint64_t count : counts) by_row.push_back(count);
  for (const stretch& s : t.exact) exact.push_back(stretch_json(s));
  for (const place& p : t.places)
    places.push_back({{"name", p.name}, {"row", p.row}, {"where", stretch_json(p.where)}});
  json out = json::object();
  out["title"] = t.title;
  out["duration"] = t.duration_ns;
  out["rows"] = json::array(t.rows);
  out["names"] = json::array(t.names);
  out["slices"] = std::move(by_row);
  out["in_all"] = t.slices_in_all;
  out["bins"] = t.bins;
  out["exact"] = std::move(exact);
  out["path"] = t.path.size();
  out["places"] = std::move(places);
  return out;
}

}  // namespace

packed_timeline pack(const timeline& t) {
  json description = description_of(t);
  json sizes = json::array();
  std::string all;
  const auto add = [&](std::string_view column) {
    sizes.push_back(column.size());
    all += column;
  };
  for (const std::string& column : columns_of(t.slices)) add(column);
  std::string path;
  std::uint64_t last_ns = 0;
  for (const path_part& part : t.path) {
    put(path, part.row);
    put(path, part.begin_ns - last_ns);
    put(path, part.end_ns - part.begin_ns);
    last_ns = part.begin_ns;
  }
  add(path);
  add({reinterpret_cast<const char*>(t.shares.data()), t.shares.size()});
  description["columns"] = std::move(sizes);
  return {description.dump(), base64(compressed(all))};
}

}  // namespace pages
