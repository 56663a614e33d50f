// SPDX-License-Identifier: Apache-2.0
// A page that needs nothing else: style, plotting library and numbers are in it, and its policy
// forbids it to fetch anything.
#include <fmt/format.h>

#include "tools/pages/document.hpp"
#include "tools/pages/embedded.hpp"

namespace pages {
namespace {

using console::json;

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

// A script ends at the first "</", wherever that stands.
std::string in_script(std::string text) {
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos; at += 6)
    text.replace(at, 1, "\\u003c");
  return text;
}

const char* class_of(tone t) {
  static constexpr const char* kNames[] = {"", "good", "bad", "faint"};
  return kNames[static_cast<unsigned>(t)];
}

std::string html_of(const table& t, bool has_caption) {
  std::vector<bool> figures(t.head.size(), true);
  for (const auto& row : t.rows)
    for (std::size_t i = 0; i < row.size(); ++i) figures[i] = figures[i] && is_figure(row[i].text);
  std::string out = fmt::format(
      "<div class=\"scrolls\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">"
      "<table>{}<thead><tr>",
      escaped(t.title.empty() ? "Table" : t.title),
      !has_caption || t.title.empty() ? "" : "<caption>" + escaped(t.title) + "</caption>");
  for (std::size_t i = 0; i < t.head.size(); ++i)
    out += fmt::format("<th scope=\"col\"{}>{}</th>", i > 0 && figures[i] ? " class=\"n\"" : "",
                       escaped(t.head[i]));
  out += "</tr></thead><tbody>\n";
  for (const auto& row : t.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::string classes = i > 0 && figures[i] ? "n" : "";
      if (row[i].mood != tone::plain)
        classes += std::string(classes.empty() ? "" : " ") + class_of(row[i].mood);
      const char* tag = i == 0 ? "th" : "td";
      const std::string shade =
          row[i].shade > 0 ? fmt::format(" style=\"--shade-of: {:.0f}%\"", 100 * row[i].shade) : "";
      out += fmt::format("<{}{}{}{}>{}</{}>", tag, i == 0 ? " scope=\"row\"" : "",
                         classes.empty() ? "" : " class=\"" + classes + "\"", shade,
                         escaped(row[i].text), tag);
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string html_of(const plot& p, json& all) {
  constexpr std::size_t kShortRows = 24;  // printed, too
  const table numbers = numbers_of(p);
  const std::string label = escaped(p.title);
  std::string out = fmt::format(
      "<figure><figcaption>{}</figcaption><div class=\"plot\" role=\"img\" aria-label=\"{} The "
      "numbers are in the table that follows.\" data-plot=\"{}\"></div>\n"
      "<details{}><summary>Numbers: {}</summary>{}</details></figure>\n",
      label, label, all.elements().size(),
      numbers.rows.size() <= kShortRows ? " class=\"short\"" : "", label, html_of(numbers, false));
  all.push_back(json_of(p));
  return out;
}

// The script puts a canvas into it.
std::string html_of(const timeline& t, std::size_t number) {
  return fmt::format(
      "<figure class=\"timeline\" data-timeline=\"{}\"><figcaption>{}</figcaption>"
      "<noscript><p class=\"noscript\">The timeline needs scripts; the tables say what it shows."
      "</p></noscript></figure>\n",
      number, escaped(t.title));
}

std::string body_of(const document& d, json& plots) {
  std::size_t timelines = 0;
  std::string out;
  for (std::size_t i = 0; i < d.sections.size(); ++i) {
    const section& s = d.sections[i];
    out += fmt::format("<section aria-labelledby=\"s{}\"><h2 id=\"s{}\">{}</h2>\n", i, i,
                       escaped(s.title));
    for (const std::string& sentence : s.sentences) out += "<p>" + escaped(sentence) + "</p>\n";
    for (const timeline& t : s.timelines) out += html_of(t, timelines++);
    for (const plot& p : s.plots) out += html_of(p, plots);
    for (const table& t : s.tables) out += html_of(t, true);
    out += "</section>\n";
  }
  return out;
}

std::string contents_of(const document& d) {
  if (d.sections.size() < 3) return "";
  std::string out = "<nav aria-label=\"Contents\"><ol>\n";
  for (std::size_t i = 0; i < d.sections.size(); ++i)
    out += fmt::format("<li><a href=\"#s{}\">{}</a></li>\n", i, escaped(d.sections[i].title));
  return out + "</ol></nav>\n";
}

std::string library(const char* name) {
  return fmt::format("<script>/*\n{}*/\n{}</script>\n", embedded(std::string(name) + ".LICENSE"),
                     embedded(std::string(name) + ".min.js"));
}

// After all that is read, as it is large. Base64 has no character that ends a script.
std::string timeline_scripts(const document& d) {
  std::string out;
  std::size_t number = 0;
  for (const section& s : d.sections)
    for (const timeline& t : s.timelines) {
      const packed_timeline packed = pack(t);
      out += fmt::format(
          "<script type=\"application/json\" id=\"timeline{0}\">{1}</script>\n"
          "<script type=\"text/plain\" id=\"columns{0}\">{2}</script>\n",
          number++, in_script(packed.description), packed.columns);
    }
  if (number != 0)
    for (const char* file : {"timeline_data.js", "timeline_draw.js", "timeline.js"})
      out += fmt::format("<script>\n{}</script>\n", embedded(file));
  return out;
}

}  // namespace

std::string html_of(const document& d) {
  json plots = json::array();
  const std::string body = body_of(d, plots);
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; script-src 'unsafe-inline'\">\n"
      "<title>{0}</title>\n<style>\n{1}</style>\n</head>\n<body>\n"
      "<a class=\"skip\" href=\"#main\">To the contents</a>\n"
      "<header><h1>{0}</h1>\n<p class=\"about\">{2}</p>\n{3}</header>\n<main id=\"main\">\n{4}"
      "</main>\n",
      escaped(d.title), embedded("page.css"), escaped(d.about), contents_of(d), body);
  out +=
      "<script type=\"application/json\" id=\"plots\">" + in_script(plots.dump()) + "</script>\n";
  if (!plots.elements().empty()) {
    out +=
        "<noscript><p class=\"noscript\">Plots need scripts; their numbers are in the tables."
        "</p></noscript>\n";
    out += library("d3") + library("plot");
    out += fmt::format("<script>\n{}</script>\n", embedded("page.js"));
  }
  return out + timeline_scripts(d) + "</body>\n</html>\n";
}

}  // namespace pages
