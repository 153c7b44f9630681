// SPDX-License-Identifier: MIT
// Reads fields of untrusted JSON objects, with sentences for errors.
#pragma once

#include <boost/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ludens::server {

// Each returns the field, or the value for a missing one (an empty text, no rows, `otherwise`,
// false), and throws std::invalid_argument with a sentence that names the key if it has another
// type.

[[noreturn]] void wrong_field(std::string_view key, const std::string& what);

std::string get_text(const boost::json::object& object, std::string_view key);
bool get_flag(const boost::json::object& object, std::string_view key);
/// Valid as long as the object.
const boost::json::array& get_array(const boost::json::object& object, std::string_view key);
/// The same for an object; an empty object if it is missing.
const boost::json::object& get_object(const boost::json::object& object, std::string_view key);
std::vector<std::string> get_texts(const boost::json::object& object, std::string_view key);
std::vector<std::vector<std::string>> get_rows(const boost::json::object& object,
                                               std::string_view key);
/// The rows of an array that was found under `key`.
std::vector<std::vector<std::string>> to_rows(const boost::json::array& array,
                                              std::string_view key);

/// Throws if one of the keys is missing.
void need_fields(const boost::json::object& object, std::initializer_list<const char*> keys);

/// A number within the range of T.
template <class T>
T get_number(const boost::json::object& object, std::string_view key, T otherwise) {
  const boost::json::value* value = object.if_contains(key);
  if (value == nullptr) return otherwise;
  boost::json::error_code error;
  const T number = value->to_number<T>(error);
  if (error) wrong_field(key, "is not a number of its range");
  return number;
}

/// The same, and neither below `low` nor above `high`.
template <class T>
T get_number(const boost::json::object& object, std::string_view key, T otherwise, T low, T high) {
  const T number = get_number(object, key, otherwise);
  if (number < low || number > high) {
    wrong_field(key, "is not between " + std::to_string(low) + " and " + std::to_string(high));
  }
  return number;
}

/// The entries of an array that was found under `key`.
template <class T>
std::vector<T> to_numbers(const boost::json::array& array, std::string_view key) {
  std::vector<T> out;
  for (const boost::json::value& entry : array) {
    boost::json::error_code error;
    out.push_back(entry.to_number<T>(error));
    if (error) wrong_field(key, "holds something else than numbers");
  }
  return out;
}

template <class T>
std::vector<T> get_numbers(const boost::json::object& object, std::string_view key) {
  return to_numbers<T>(get_array(object, key), key);
}

}  // namespace ludens::server
