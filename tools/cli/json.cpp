// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/json.hpp"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

namespace console {
namespace {

using library = nlohmann::ordered_json;

[[noreturn]] void refuse(const char* wanted) {
  throw json::wrong_kind(std::string("JSON: ") + wanted + " was expected");
}

library library_of(const json& value) {
  switch (value.type()) {
    case json::kind::null:
      return {};
    case json::kind::boolean:
      return value.as_bool();
    case json::kind::integer:
      return value.as_integer();
    case json::kind::natural:
      return value.as_count();
    case json::kind::real:
      return value.as_double();
    case json::kind::text:
      return value.as_text();
    case json::kind::array: {
      library array = library::array();
      for (const json& each : value.elements()) array.push_back(library_of(each));
      return array;
    }
    case json::kind::object: {
      library object = library::object();
      auto& members = object.get_ref<library::object_t&>();  // of different names: none is sought
      for (const auto& [name, each] : value.members()) members.emplace_back(name, library_of(each));
      return object;
    }
  }
  return {};
}

constexpr std::size_t kDepthMax = 200;  // what walks through values calls itself for each level

// Makes the value as its text is read; false ends that.
class builder {
 public:
  bool null() { return add(json()); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(std::int64_t value) { return add(value); }
  bool number_unsigned(std::uint64_t value) { return add(value); }
  bool number_float(double value, const std::string&) { return add(value); }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(library::binary_t&) { return false; }
  bool start_object(std::size_t) { return begin(json::object()); }
  bool start_array(std::size_t) { return begin(json::array()); }
  bool key(std::string& name) {
    open_.back().name = std::move(name);
    return true;
  }
  bool end_object() { return end(); }
  bool end_array() { return end(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) {
    return false;
  }
  json take() { return std::move(whole_); }

 private:
  struct level {
    json value;
    std::string name;  // of the member to come
  };

  bool begin(json value) {
    open_.push_back({std::move(value), {}});
    return open_.size() <= kDepthMax;
  }
  bool end() {
    json value = std::move(open_.back().value);
    open_.pop_back();
    return add(std::move(value));
  }
  bool add(json value) {
    if (open_.empty())
      whole_ = std::move(value);
    else if (open_.back().value.is_array())
      open_.back().value.push_back(std::move(value));
    else
      open_.back().value.append(std::move(open_.back().name), std::move(value));
    return true;
  }

  std::vector<level> open_;
  json whole_;
};

}  // namespace

json::json(std::initializer_list<json> list) : kind_(kind::array) {
  const bool is_object = std::all_of(list.begin(), list.end(), [](const json& each) {
    return each.elements_.size() == 2 && each.elements_[0].is_string();
  });
  if (!is_object) {
    elements_.assign(list.begin(), list.end());
    return;
  }
  kind_ = kind::object;
  for (const json& each : list) members_.push_back({each.elements_[0].text_, each.elements_[1]});
}

json json::array(const std::vector<std::string>& texts) {
  json out = array();
  for (const std::string& each : texts) out.push_back(each);
  return out;
}

bool json::as_bool() const {
  if (kind_ != kind::boolean) refuse("true or false");
  return boolean_;
}

double json::as_double() const {
  if (kind_ == kind::integer) return static_cast<double>(integer_);
  if (kind_ == kind::natural) return static_cast<double>(natural_);
  if (kind_ != kind::real) refuse("a number");
  return real_;
}

std::uint64_t json::as_count() const {
  if (kind_ == kind::natural) return natural_;
  if (kind_ != kind::integer || integer_ < 0) refuse("a count");
  return static_cast<std::uint64_t>(integer_);
}

std::int64_t json::as_integer() const {
  if (kind_ == kind::integer) return integer_;
  if (kind_ != kind::natural || natural_ > INT64_MAX) refuse("a whole number");
  return static_cast<std::int64_t>(natural_);
}

const std::string& json::as_text() const {
  if (kind_ != kind::text) refuse("a text");
  return text_;
}

void json::push_back(json element) {
  if (is_null()) kind_ = kind::array;
  if (!is_array()) refuse("an array");
  elements_.push_back(std::move(element));
}

void json::append(std::string name, json value) {
  members_.push_back({std::move(name), std::move(value)});
}

const json* json::find(std::string_view name) const {
  for (const member& each : members_)
    if (each.name == name) return &each.value;
  return nullptr;
}

json& json::operator[](std::string_view name) {
  if (is_null()) kind_ = kind::object;
  if (!is_object()) refuse("an object");
  if (const json* found = find(name)) return const_cast<json&>(*found);
  return members_.emplace_back(member{std::string(name), json()}).value;
}

const json& json::operator[](std::string_view name) const {
  static const json null{};
  const json* const found = find(name);
  return found != nullptr ? *found : null;
}

const json& json::at(std::string_view name) const {
  const json* const found = find(name);
  if (found == nullptr) throw wrong_kind("JSON: it has no '" + std::string(name) + "'");
  return *found;
}

void json::erase(std::string_view name) {
  std::erase_if(members_, [name](const member& each) { return each.name == name; });
}

void json::update(const json& object) {
  for (const auto& [name, value] : object.members()) (*this)[name] = value;
}

std::string json::text_or(std::string_view name, const std::string& fallback) const {
  const json* const found = find(name);
  return found != nullptr ? found->as_text() : fallback;
}

bool json::operator==(const json& other) const {
  if (is_number() && other.is_number()) {
    if (kind_ == kind::real || other.kind_ == kind::real) return as_double() == other.as_double();
    const bool negative = kind_ == kind::integer && integer_ < 0;
    if (negative != (other.kind_ == kind::integer && other.integer_ < 0)) return false;
    return natural_ == other.natural_;  // the same bits
  }
  if (kind_ != other.kind_) return false;
  if (kind_ == kind::boolean) return boolean_ == other.boolean_;
  return text_ == other.text_ && elements_ == other.elements_ && members_ == other.members_;
}

std::string json::dump(int indent) const {
  return library_of(*this).dump(indent, ' ', false, library::error_handler_t::replace);
}

std::optional<json> json::parse(std::string_view text) {
  builder made;
  if (!library::sax_parse(text.begin(), text.end(), &made)) return std::nullopt;
  return made.take();
}

}  // namespace console
