// SPDX-License-Identifier: MIT
#include "server/records/json_fields.h"

namespace ludens::server {

namespace json = boost::json;

namespace {

std::vector<std::string> to_texts(const json::array& array, std::string_view key) {
  std::vector<std::string> out;
  for (const json::value& entry : array) {
    if (!entry.is_string()) wrong_field(key, "holds something else than strings");
    out.emplace_back(entry.get_string());
  }
  return out;
}

}  // namespace

void wrong_field(std::string_view key, const std::string& what) {
  throw std::invalid_argument("'" + std::string(key) + "' " + what);
}

std::string get_text(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  if (value == nullptr) return {};
  if (!value->is_string()) wrong_field(key, "is not a string");
  return std::string(value->get_string());
}

bool get_flag(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  if (value != nullptr && !value->is_bool()) wrong_field(key, "is neither true nor false");
  return value != nullptr && value->get_bool();
}

const json::array& get_array(const json::object& object, std::string_view key) {
  static const json::array none;
  const json::value* value = object.if_contains(key);
  if (value == nullptr) return none;
  if (!value->is_array()) wrong_field(key, "is not an array");
  return value->get_array();
}

const json::object& get_object(const json::object& object, std::string_view key) {
  static const json::object none;
  const json::value* value = object.if_contains(key);
  if (value == nullptr) return none;
  if (!value->is_object()) wrong_field(key, "is not an object");
  return value->get_object();
}

std::vector<std::string> get_texts(const json::object& object, std::string_view key) {
  return to_texts(get_array(object, key), key);
}

std::vector<std::vector<std::string>> get_rows(const json::object& object, std::string_view key) {
  return to_rows(get_array(object, key), key);
}

std::vector<std::vector<std::string>> to_rows(const json::array& array, std::string_view key) {
  std::vector<std::vector<std::string>> out;
  for (const json::value& row : array) {
    if (!row.is_array()) wrong_field(key, "holds something else than arrays");
    out.push_back(to_texts(row.get_array(), key));
  }
  return out;
}

void need_fields(const json::object& object, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    if (!object.contains(key)) wrong_field(key, "is missing");
  }
}

}  // namespace ludens::server
