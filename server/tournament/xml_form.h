// SPDX-License-Identifier: MIT
// An XML file of settings, read element by element, with every problem at its place.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <pugixml.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ludens::server {

struct FileProblem {
  int line = 1, column = 1;
  std::string text;
};

/// A parsed text and what is wrong with it. Values that are empty count as not set.
class XmlForm {
 public:
  /// A text that is not XML, or has another root, gives a problem and no elements.
  XmlForm(const std::string& text, std::string_view root);

  /// The elements below the root. Anything else there is a problem.
  [[nodiscard]] const std::vector<pugi::xml_node>& elements() const { return elements_; }
  [[nodiscard]] pugi::xml_node root() const { return document_.document_element(); }

  void problem(pugi::xml_node where, std::string text);
  /// Sorted by place.
  [[nodiscard]] std::vector<FileProblem> problems() const;

  /// Returns false, and reports a problem with the nearest known name, if it is not one of them.
  bool known(pugi::xml_node where, std::string_view what, std::string_view name,
             std::span<const std::string_view> names);
  /// Elements within it, and attributes that are none of these, are problems.
  void restrict(pugi::xml_node node, std::span<const std::string_view> attributes);

  [[nodiscard]] static std::string text(pugi::xml_node node);
  [[nodiscard]] static std::string attribute(pugi::xml_node node, const char* name);

  /// The index of the element's text among the words; nullopt if not set, or none of them.
  std::optional<std::size_t> choice(pugi::xml_node node, std::span<const std::string_view> words);

  /// Numbers within bounds; a value that is not set, or wrong, leaves `out` unchanged. False, with
  /// a problem, if it is wrong: what follows from `out` need not be checked then.
  template <class T>
  bool number(pugi::xml_node node, T low, T high, T& out) {
    return read_number(node, node.name(), text(node), low, high, out);
  }
  template <class T>
  bool number(pugi::xml_node node, const char* attribute_name, T low, T high, T& out) {
    return read_number(node, attribute_name, attribute(node, attribute_name), low, high, out);
  }

 private:
  template <class T>
  bool read_number(pugi::xml_node node, const std::string& what, const std::string& value, T low,
                   T high, T& out) {
    if (value.empty()) return true;
    T number{};
    const char* const end = value.data() + value.size();
    const auto read = std::from_chars(value.data(), end, number);
    const bool good = read.ec == std::errc() && read.ptr == end && number >= low && number <= high;
    if (good) {
      out = number;
    } else {
      bad_number(node, what, value, limit_text(low), limit_text(high));
    }
    return good;
  }
  /// As people write it: the shortest text that is read as this number.
  template <class T>
  static std::string limit_text(T limit) {
    std::array<char, 32> digits{};
    return {digits.data(), std::to_chars(digits.data(), digits.end(), limit).ptr};
  }
  void bad_number(pugi::xml_node node, const std::string& what, const std::string& value,
                  const std::string& low, const std::string& high);
  void problem_at(std::ptrdiff_t offset, std::string text);

  struct Problem {
    std::ptrdiff_t offset;
    std::string text;
  };
  const std::string& source_;
  pugi::xml_document document_;
  std::vector<pugi::xml_node> elements_;
  std::vector<Problem> problems_;
};

}  // namespace ludens::server
