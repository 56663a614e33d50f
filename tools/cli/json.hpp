// SPDX-License-Identifier: Apache-2.0
// A JSON value: what our programs print for other programs, and read of each other. Built and read
// in the way of nlohmann::json, whose header costs every source that includes it seconds; only
// json.cpp includes it here, and has it read and write the text.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace console {

// Of an object. A template, so that it is complete wherever json is: json's own functions use a
// vector of it.
template <class Value>
struct json_member {
  std::string name;
  Value value;
  bool operator==(const json_member&) const = default;
};

class json {
 public:
  enum class kind { null, boolean, integer, natural, real, text, array, object };
  using member = json_member<json>;

  json() = default;
  json(std::nullptr_t) {}
  json(bool value) : kind_(kind::boolean), boolean_(value) {}
  template <std::signed_integral T>
  json(T value) : kind_(kind::integer), integer_(value) {}
  template <std::unsigned_integral T>
    requires(!std::same_as<T, bool>)
  json(T value) : kind_(kind::natural), natural_(value) {}
  json(double value) : kind_(kind::real), real_(value) {}
  json(const char* text) : kind_(kind::text), text_(text) {}
  json(std::string text) : kind_(kind::text), text_(std::move(text)) {}
  // An object if each element is an array of two that begins with a text, else an array.
  json(std::initializer_list<json> list);

  static json array() { return json(kind::array); }
  static json array(const std::vector<std::string>& texts);
  static json object() { return json(kind::object); }

  kind type() const { return kind_; }
  bool is_null() const { return kind_ == kind::null; }
  bool is_boolean() const { return kind_ == kind::boolean; }
  bool is_number() const { return kind_ >= kind::integer && kind_ <= kind::real; }
  bool is_string() const { return kind_ == kind::text; }
  bool is_array() const { return kind_ == kind::array; }
  bool is_object() const { return kind_ == kind::object; }

  // The value; throws json::wrong_kind if it is none of these.
  bool as_bool() const;
  double as_double() const;
  std::uint64_t as_count() const;  // a whole number that is not negative
  std::int64_t as_integer() const;
  const std::string& as_text() const;

  // Of an array.
  void push_back(json element);
  const std::vector<json>& elements() const { return elements_; }

  // Of an object, in the order in which they were added.
  const std::vector<member>& members() const { return members_; }
  bool contains(std::string_view name) const { return find(name) != nullptr; }
  json& operator[](std::string_view name);  // a new one is null
  const json& operator[](std::string_view name) const;  // null if there is none
  const json& at(std::string_view name) const;  // throws json::wrong_kind if there is none
  void append(std::string name, json value);  // one that there is not: none is looked for
  void erase(std::string_view name);
  void update(const json& object);  // takes over its members
  std::string text_or(std::string_view name, const std::string& fallback) const;

  bool operator==(const json& other) const;

  // On one line, or indented by `indent` blanks. What is not UTF-8 is replaced.
  std::string dump(int indent = -1) const;
  // Nothing if the text is not JSON, or nests over 200 levels deep. Of members of one name in an
  // object the first counts.
  static std::optional<json> parse(std::string_view text);

  class wrong_kind : public std::runtime_error {
   public:
    using std::runtime_error::runtime_error;
  };

 private:
  explicit json(kind k) : kind_(k) {}
  const json* find(std::string_view name) const;

  kind kind_ = kind::null;
  union {
    bool boolean_;
    std::int64_t integer_;
    std::uint64_t natural_ = 0;
    double real_;
  };
  std::string text_;
  std::vector<json> elements_;
  std::vector<member> members_;
};

}  // namespace console
