// SPDX-License-Identifier: Apache-2.0
#include "papers/study/machine/costs.hpp"

#include <array>
#include <charconv>
#include <cstdio>
#include <stdexcept>
#include <utility>

namespace study {
namespace {

constexpr bool user = false, system = true;
constexpr cost_text kCosts[] = {
#define STUDY_COST(name, where, reason, code) {#name, where, reason, code},
#include "papers/study/machine/costs.def"
#undef STUDY_COST
};

struct operand_place {
  place base;
  region where;
};

operand_place place_of(std::string_view name, std::string_view field) {
  if (name == "frame" && field == "@") return {place::frame, region::frame};
  if (name == "frame") return {place::frame, region::vector};
  if (name == "made") return {place::made, region::vector};
  if (name == "vector") return {place::vector, region::vector};
  if (name == "message") return {place::message, region::queue};
  if (name == "element") return {place::element, region::heap};
  if (name == "node") return {place::node, region::globals};
  if (name == "descriptor") return {place::descriptor, region::globals};
  if (name == "globals") return {place::globals, region::globals};
  throw std::logic_error("no place is called " + std::string(name));
}

std::int32_t offset_of(std::string_view field, std::int32_t at) {
  if (field == "@") return at;
  constexpr std::pair<std::string_view, std::uint32_t> kNames[] = {
      {"", 0},           {"link", kLink},   {"top", kTop},
      {"ready", kReady}, {"break", kBreak}, {"nodes", kNodes}};
  for (const auto& [name, word] : kNames)
    if (name == field) return std::int32_t(word * kWordBytes);
  std::uint32_t word = 0;
  const auto [end, error] = std::from_chars(field.begin(), field.end(), word);
  if (error != std::errc() || end != field.end())
    throw std::logic_error("no field is called " + std::string(field));
  return std::int32_t(word * kWordBytes);
}

event event_of(std::string_view instruction, std::int32_t at) {
  const std::size_t open = instruction.find('['), close = instruction.find(']');
  if (open == std::string_view::npos) return {.instructions = 1};
  const std::string_view inside = instruction.substr(open + 1, close - open - 1);
  const std::size_t dot = inside.find('.');
  const std::string_view field =
      dot == std::string_view::npos ? std::string_view() : inside.substr(dot + 1);
  const auto [base, where] = place_of(inside.substr(0, dot), field);
  const bool writes = instruction.starts_with("MOVE [");
  return {.instructions = 1,
          .does = writes ? event::kind::write : event::kind::read,
          .base = base,
          .where = where,
          .offset = offset_of(field, at)};
}

template <class Each>
void each_instruction(std::string_view code, Each each) {
  while (!code.empty()) {
    const std::size_t end = code.find(';');
    std::string_view one = code.substr(0, end);
    code.remove_prefix(end == std::string_view::npos ? code.size() : end + 1);
    while (one.starts_with(' ')) one.remove_prefix(1);
    std::uint16_t times = 1;
    const std::size_t star = one.find('*');
    if (star != std::string_view::npos) std::from_chars(one.begin(), one.begin() + star, times);
    each(one, times);
  }
}

}  // namespace

std::string_view name_of(discipline d) {
  constexpr std::string_view kNames[] = {"AM", "AM enabled", "MD"};
  return kNames[static_cast<unsigned>(d)];
}

std::string_view name_of(region r) {
  constexpr std::string_view kNames[] = {"user code", "frames", "heap",   "system code",
                                         "vectors",   "queues", "globals"};
  return kNames[static_cast<unsigned>(r)];
}

std::span<const cost_text> costs() { return kCosts; }

void append(std::vector<event>& events, cost of, std::int32_t at) {
  each_instruction(kCosts[static_cast<unsigned>(of)].code,
                   [&](std::string_view one, std::uint16_t times) {
                     event made = event_of(one, at);
                     made.instructions = times;
                     events.push_back(made);
                   });
}

std::uint32_t instructions_of(cost of) {
  std::uint32_t sum = 0;
  each_instruction(kCosts[static_cast<unsigned>(of)].code,
                   [&](std::string_view, std::uint16_t times) { sum += times; });
  return sum;
}

bool routine_of(tl0::opcode op, cost& routine) {
  using enum tl0::opcode;
  switch (op) {
    case divide_int:
    case remainder_int:
      routine = cost::int_divide;
      return true;
    case add_float:
    case subtract_float:
      routine = cost::float_add;
      return true;
    case multiply_float:
      routine = cost::float_multiply;
      return true;
    case divide_float:
    case remainder_float:
      routine = cost::float_divide;
      return true;
    case equal_float:
    case unequal_float:
    case less_float:
    case less_equal_float:
    case greater_float:
    case greater_equal_float:
    case minimum_float:
    case maximum_float:
      routine = cost::float_compare;
      return true;
    case int_of_float:
    case float_of_int:
    case floor_float:
    case ceiling_float:
      routine = cost::float_convert;
      return true;
    case square_root:
      routine = cost::float_root;
      return true;
    case sine:
    case cosine:
    case exponential:
    case logarithm:
    case power:
      routine = cost::float_function;
      return true;
    default:
      return false;
  }
}

std::uint32_t instructions_of(tl0::opcode op) {
  using enum tl0::opcode;
  switch (op) {
    case minimum_int:  // compare, branch, move
    case maximum_int:
    case absolute_int:
      return 3;
    case int_of_bool:
      return 2;
    default:
      return 1;
  }
}

routines::routines() {
  for (unsigned c = 0; c < std::size(kCosts); ++c) {
    piece made{
        .address = end_, .first = std::uint32_t(events_.size()), .where = region::system_code};
    if (kCosts[c].is_system) {
      append(events_, static_cast<cost>(c));
      made.count = std::uint32_t(events_.size()) - made.first;
      made.instructions = instructions_of(static_cast<cost>(c));
      end_ = made.end();
    }
    pieces_.push_back(made);
  }
}

std::string costs_text() {
  std::string text;
  for (const cost_text& c : kCosts) {
    std::vector<event> events;
    const auto which = static_cast<cost>(&c - kCosts);
    append(events, which);
    unsigned reads = 0, writes = 0;
    for (const event& e : events) {
      reads += e.does == event::kind::read;
      writes += e.does == event::kind::write;
    }
    std::array<char, 160> line{};
    std::snprintf(line.data(), line.size(),
                  "%-15s %-6s %4u instructions, %u reads, %u writes: ", c.name.data(),
                  c.is_system ? "system" : "user", instructions_of(which), reads, writes);
    text += line.data() + std::string(c.reason) + "\n    " + std::string(c.code) + "\n";
  }
  return text;
}

}  // namespace study
