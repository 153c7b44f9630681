// SPDX-License-Identifier: MIT
#include "server/records/xml_fields.h"

#include <algorithm>

namespace ludens::server {

std::string xml_text(const char* text) {
  std::string kept(trimmed(storable(text)));
  std::ranges::replace(kept, '\r', '\n');
  return kept;
}

void wrong_number(std::string_view name, std::string_view text) {
  throw std::invalid_argument("<" + std::string(name) + "> is '" + std::string(text) +
                              "', which is no number of its range");
}

std::vector<std::string> child_texts(pugi::xml_node parent, const char* name) {
  std::vector<std::string> out;
  for (const pugi::xml_node child : parent.children(name)) {
    out.push_back(xml_text(child.text().get()));
  }
  return out;
}

std::string xml_term(pugi::xml_node term, const char* name, const char* argument) {
  std::string out;
  std::vector<pugi::xml_node> open{term};  // last first; a null node closes a parenthesis
  while (!open.empty()) {
    const pugi::xml_node element = open.back();
    open.pop_back();
    if (!out.empty()) out += ' ';
    const pugi::xml_node head = element.child(name);
    const std::string text = xml_text((head ? head : element).text().get());
    if (head && (text.empty() || text.find_first_of("()") != std::string::npos)) {
      throw std::invalid_argument("<" + std::string(name) + "> is '" + text +
                                  "', which is no name");
    }
    if (!element) {
      out += ')';
    } else if (!head || !element.child(argument)) {
      out += text;
    } else {
      out += "( " + text;
      open.emplace_back();
      for (pugi::xml_node part = element.last_child(); part; part = part.previous_sibling()) {
        if (part.name() == std::string_view(argument)) open.push_back(part);
      }
    }
  }
  return out;
}

std::string xml_state(pugi::xml_node state, const char* name, const char* argument) {
  std::string out = "( ";
  for (const pugi::xml_node fact : state.children("fact")) {
    out += xml_term(fact, name, argument) + " ";
  }
  return out + ")";
}

void read_rewards(pugi::xml_node scores, MatchRecord& record) {
  for (const pugi::xml_node reward : scores.children("reward")) {
    record.completed = true;
    record.goals.push_back(xml_number<int>("reward", reward.text().get()));
  }
}

}  // namespace ludens::server
