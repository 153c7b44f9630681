// SPDX-License-Identifier: MIT
// Reads records in untrusted XML, with sentences for errors.
#pragma once

#include <charconv>
#include <pugixml.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "server/records/match_record.h"
#include "server/records/text_place.h"

namespace ludens::server {

// What can't be read throws std::invalid_argument with a sentence.

/// The text of an element or attribute as a record stores it: without surrounding white space,
/// control characters and carriage returns, so that it is the same when it is written and read
/// again.
std::string xml_text(const char* text);
[[noreturn]] void wrong_number(std::string_view name, std::string_view text);

/// The whole number in the text of an element or attribute.
template <class T>
T xml_number(std::string_view name, std::string_view text) {
  const std::string_view digits = trimmed(text);
  T number{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) wrong_number(name, text);
  return number;
}

/// The same for a child; `otherwise` if there is none.
template <class T>
T child_number(pugi::xml_node parent, const char* name, T otherwise) {
  const pugi::xml_node child = parent.child(name);
  return child ? xml_number<T>(name, child.text().get()) : otherwise;
}

/// The texts of all children of that name, without white space around them.
std::vector<std::string> child_texts(pugi::xml_node parent, const char* name);

/// The term in an element, as text: its own text, or that of a `name` and of `argument`s, which may
/// be nested in the same way.
std::string xml_term(pugi::xml_node term, const char* name, const char* argument);

/// `( f1 f2 ... )` of the facts in an element.
std::string xml_state(pugi::xml_node state, const char* name, const char* argument);

/// The goals of a completed match: the `<reward>`s in an element. Without one it is not completed.
void read_rewards(pugi::xml_node scores, MatchRecord& record);

}  // namespace ludens::server
