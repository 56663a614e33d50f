// SPDX-License-Identifier: Apache-2.0
// A document of what was measured: sections of sentences, plots and tables. Written as one page of
// HTML, as text for a terminal, or as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/cli/json.hpp"
#include "tools/pages/timeline.hpp"

namespace pages {

enum class tone { plain, good, bad, faint };

struct cell {
  cell(std::string shown, tone how = tone::plain) : text(std::move(shown)), mood(how) {}
  cell(const char* shown) : text(shown) {}

  std::string text;
  tone mood = tone::plain;
  double shade = 0;  // of the background, 0 to 1: the value relative to the largest one
};

struct table {
  std::string title;
  std::vector<std::string> head;
  std::vector<std::vector<cell>> rows;  // each as long as the head
};

struct point {
  double x = 0, y = 0;
};

struct series {
  std::string name;
  std::vector<point> points;
};

struct axis {
  std::string label;
  bool is_log = false;
  bool is_bytes = false;  // its ticks are 1Ki, 4Ki, ...
};

// One mark of a row of `intervals`: a value with its range.
struct interval {
  std::string row;
  double low = 0, value = 0, high = 0;
  tone mood = tone::plain;
};

// Curves; or rows of intervals about a line at 1, if there are any.
struct plot {
  std::string title;  // says what is seen, for those who do not see it
  axis x, y;
  std::vector<series> curves;
  std::vector<interval> intervals;
};

struct section {
  std::string title;
  std::vector<std::string> sentences;
  std::vector<plot> plots;
  std::vector<table> tables;
  std::vector<timeline> timelines = {};  // the tables of the section say what they show
};

struct document {
  std::string title;
  std::string about;  // where it comes from
  std::vector<section> sections;
};

// Three digits or so.
std::string number(double value);
// With a unit in which it has one to three digits before its point: ns, us, ms, s.
std::string duration(double ns);
std::string size_text(double bytes);

// Whether the text is a number, or nothing: such columns are aligned to the right.
bool is_figure(const std::string& text);

// What a plot shows, in numbers: a row for each x.
table numbers_of(const plot& p);

std::string html_of(const document& d);
std::string text_of(const document& d);
// Without the numbers of its plots.
std::string text_of_tables(const document& d);
console::json json_of(const document& d);
console::json json_of(const plot& p);

}  // namespace pages
