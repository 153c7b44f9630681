// SPDX-License-Identifier: MIT
#include "tests/server/cli/schema.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace ludens::server {
namespace {

namespace json = boost::json;

class Validator {
 public:
  explicit Validator(const json::object& root) : root_(root) {}

  [[nodiscard]] std::string problem(const json::object& schema, const json::value& value,
                                    const std::string& at) const {
    for (const auto& [keyword, rule] : schema) {
      std::string found = keyword_problem(keyword, rule, schema, value, at);
      if (!found.empty()) return found;
    }
    return {};
  }

 private:
  [[nodiscard]] std::string keyword_problem(std::string_view keyword, const json::value& rule,
                                            const json::object& schema, const json::value& value,
                                            const std::string& at) const {
    static const std::set<std::string_view> kNotes{"$schema", "$defs", "title", "description"};
    if (kNotes.contains(keyword)) return {};
    if (keyword == "$ref") return problem(definition(rule.as_string()), value, at);
    if (keyword == "anyOf") return alternatives(rule.as_array(), value, at);
    if (keyword == "type") {
      return has_type(rule, value) ? "" : at + " is no " + json::serialize(rule);
    }
    if (keyword == "enum") {
      const json::array& words = rule.as_array();
      const bool known = std::find(words.begin(), words.end(), value) != words.end();
      return known ? "" : at + " is " + json::serialize(value);
    }
    if (keyword == "minimum" || keyword == "maximum") {
      if (!value.is_number()) return {};
      const double number = value.to_number<double>(), limit = rule.to_number<double>();
      const bool good = keyword == "minimum" ? number >= limit : number <= limit;
      return good ? "" : at + " is " + json::serialize(value);
    }
    if (keyword == "items") return items(rule.as_object(), value, at);
    if (keyword == "required") return required(rule.as_array(), value, at);
    if (keyword == "properties") return properties(rule.as_object(), value, at);
    if (keyword == "additionalProperties") return further_properties(rule, schema, value, at);
    return "the schema has an unknown keyword: " + std::string(keyword);
  }

  [[nodiscard]] const json::object& definition(std::string_view reference) const {
    const std::string_view prefix = "#/$defs/";
    return root_.at("$defs").as_object().at(reference.substr(prefix.size())).as_object();
  }

  [[nodiscard]] std::string alternatives(const json::array& schemas, const json::value& value,
                                         const std::string& at) const {
    std::string all;
    for (const json::value& schema : schemas) {
      const std::string found = problem(schema.as_object(), value, at);
      if (found.empty()) return {};
      all += (all.empty() ? "" : "; or ") + found;
    }
    return all;
  }

  static bool has_type(const json::value& rule, const json::value& value) {
    if (rule.is_array()) {
      return std::any_of(rule.as_array().begin(), rule.as_array().end(),
                         [&](const json::value& one) { return has_type(one, value); });
    }
    const std::string_view type = rule.as_string();
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_bool();
    if (type == "null") return value.is_null();
    if (type == "integer") return value.is_int64() || value.is_uint64();
    return type == "number" && value.is_number();
  }

  [[nodiscard]] std::string items(const json::object& schema, const json::value& value,
                                  const std::string& at) const {
    if (!value.is_array()) return {};
    for (std::size_t i = 0; i < value.as_array().size(); ++i) {
      std::string found = problem(schema, value.as_array()[i], at + "[" + std::to_string(i) + "]");
      if (!found.empty()) return found;
    }
    return {};
  }

  static std::string required(const json::array& names, const json::value& value,
                              const std::string& at) {
    if (!value.is_object()) return {};
    for (const json::value& name : names) {
      if (!value.as_object().contains(name.as_string())) {
        return at + " has no " + json::serialize(name);
      }
    }
    return {};
  }

  [[nodiscard]] std::string properties(const json::object& schemas, const json::value& value,
                                       const std::string& at) const {
    if (!value.is_object()) return {};
    for (const auto& [name, schema] : schemas) {
      const json::value* entry = value.as_object().if_contains(name);
      if (entry == nullptr) continue;
      std::string found = problem(schema.as_object(), *entry, at + "." + std::string(name));
      if (!found.empty()) return found;
    }
    return {};
  }

  [[nodiscard]] std::string further_properties(const json::value& rule, const json::object& schema,
                                               const json::value& value,
                                               const std::string& at) const {
    if (!value.is_object()) return {};
    const json::value* known = schema.if_contains("properties");
    for (const auto& [name, entry] : value.as_object()) {
      if (known != nullptr && known->as_object().contains(name)) continue;
      if (!rule.is_object())
        return at + " has an entry that is not described: " + std::string(name);
      std::string found = problem(rule.as_object(), entry, at + "." + std::string(name));
      if (!found.empty()) return found;
    }
    return {};
  }

  const json::object& root_;
};

}  // namespace

std::string schema_problem(const json::value& schema, const json::value& document) {
  return Validator(schema.as_object()).problem(schema.as_object(), document, "the document");
}

}  // namespace ludens::server
