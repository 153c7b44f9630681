// SPDX-License-Identifier: MIT
#include "server/records/json_text.h"

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>
#include <charconv>
#include <cmath>
#include <set>
#include <vector>

#include "gdl/text/utf8.h"
#include "server/records/text_place.h"

namespace ludens::server {

namespace json = boost::json;

namespace {

/// Builds the value from the parser's events, as Boost's own parser does, and checks keys and
/// numbers on the way. `json::basic_parser` requires the names of the members.
class Builder {
 public:
  // NOLINTBEGIN(readability-identifier-naming): required
  static constexpr std::size_t max_object_size = json::object::max_size();
  static constexpr std::size_t max_array_size = json::array::max_size();
  static constexpr std::size_t max_key_size = json::string::max_size();
  static constexpr std::size_t max_string_size = json::string::max_size();
  // NOLINTEND(readability-identifier-naming)

  json::value release() { return stack_.release(); }
  void begin() { stack_.reset(); }
  /// Why the builder refused the text; empty if it did not.
  [[nodiscard]] const std::string& refused() const { return refused_; }

  bool on_document_begin(json::error_code&) { return true; }
  bool on_document_end(json::error_code&) { return true; }
  bool on_object_begin(json::error_code&) {
    keys_.emplace_back();
    return true;
  }
  bool on_object_end(std::size_t count, json::error_code&) {
    keys_.pop_back();
    stack_.push_object(count);
    return true;
  }
  bool on_array_begin(json::error_code&) { return true; }
  bool on_array_end(std::size_t count, json::error_code&) {
    stack_.push_array(count);
    return true;
  }
  bool on_key_part(json::string_view part, std::size_t, json::error_code&) {
    key_ += std::string_view(part);
    stack_.push_chars(part);
    return true;
  }
  bool on_key(json::string_view rest, std::size_t, json::error_code& error) {
    key_ += std::string_view(rest);
    stack_.push_key(rest);
    const std::string key = std::exchange(key_, {});
    return keys_.back().insert(key).second || refuse("a second key '" + key + "'", error);
  }
  bool on_string_part(json::string_view part, std::size_t, json::error_code&) {
    stack_.push_chars(part);
    return true;
  }
  bool on_string(json::string_view rest, std::size_t, json::error_code&) {
    stack_.push_string(rest);
    return true;
  }
  bool on_number_part(json::string_view part, json::error_code&) {
    number_ += std::string_view(part);
    return true;
  }
  bool on_int64(std::int64_t number, json::string_view, json::error_code&) {
    number_.clear();
    stack_.push_int64(number);
    return true;
  }
  bool on_uint64(std::uint64_t number, json::string_view, json::error_code&) {
    number_.clear();
    stack_.push_uint64(number);
    return true;
  }
  /// Boost's own parser is wrong in the last digits of long numbers.
  bool on_double(double number, json::string_view rest, json::error_code& error) {
    number_ += std::string_view(rest);
    std::from_chars(number_.data(), number_.data() + number_.size(), number);
    number_.clear();
    stack_.push_double(number);
    return std::isfinite(number) || refuse("a number too large to be kept", error);
  }
  bool on_bool(bool value, json::error_code&) {
    stack_.push_bool(value);
    return true;
  }
  bool on_null(json::error_code&) {
    stack_.push_null();
    return true;
  }
  bool on_comment_part(json::string_view, json::error_code&) { return true; }
  bool on_comment(json::string_view, json::error_code&) { return true; }

 private:
  bool refuse(std::string why, json::error_code& error) {
    refused_ = std::move(why);
    error = json::error::syntax;
    return false;
  }

  json::value_stack stack_;
  std::vector<std::set<std::string>> keys_;  // of the objects that are open
  std::string key_, number_;                 // as far as they have been read
  std::string refused_;
};

std::string place_of(std::string_view text, std::size_t offset) {
  const TextPlace place = text_place(text, static_cast<std::ptrdiff_t>(offset));
  const std::string column = "column " + std::to_string(place.column);
  return text.find('\n') == std::string_view::npos
             ? column
             : "line " + std::to_string(place.line) + ", " + column;
}

}  // namespace

gdl::Result<json::value> read_json_text(std::string_view text) {
  if (const auto why = gdl::why_not_utf8(text)) return gdl::Error{"no JSON: " + *why};
  text = gdl::without_byte_order_mark(text);
  json::basic_parser<Builder> parser{json::parse_options{}};
  parser.handler().begin();
  json::error_code error;
  std::size_t used = parser.write_some(false, text.data(), text.size(), error);
  if (!error) {
    used = text.find_first_not_of(" \t\r\n", used);
    if (used == std::string_view::npos) return parser.handler().release();
    return gdl::Error{"not JSON: there is text after the end at " + place_of(text, used)};
  }
  const std::string& refused = parser.handler().refused();
  return gdl::Error{"no JSON: " + (refused.empty() ? error.message() : refused) + " at " +
                    place_of(text, used)};
}

}  // namespace ludens::server
