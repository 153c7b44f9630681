// SPDX-License-Identifier: MIT
#include "server/cli/configuration.h"

#include <optional>
#include <pugixml.hpp>
#include <string_view>
#include <system_error>

#include "gdl/text/file.h"
#include "server/game/rulesheet.h"
#include "server/records/text_place.h"

namespace ludens::server {

namespace {

ConfigurationError error(const std::string& text, std::ptrdiff_t offset, std::string what) {
  const TextPlace p = text_place(text, offset);
  return {p.line, p.column, std::move(what)};
}

/// offset_debug is the place of an element's name, after the '<'.
TextPlace place(const std::string& text, pugi::xml_node node) {
  return text_place(text, node.offset_debug() - (node.type() == pugi::node_element ? 1 : 0));
}

/// Commands and options are elements, and say nothing by attributes.
std::optional<ConfigurationError> problem(const std::string& text, pugi::xml_node node) {
  const TextPlace p = place(text, node);
  if (node.type() != pugi::node_element) {
    return ConfigurationError{p.line, p.column, "this text is in no option"};
  }
  if (node.first_attribute().empty()) return std::nullopt;
  return ConfigurationError{p.line, p.column,
                            std::string("an element has no attribute here, as '") +
                                node.first_attribute().name() + "': <" + node.name() + ">value</" +
                                node.name() + ">"};
}

bool has_element(pugi::xml_node node) {
  return node.find_child([](pugi::xml_node child) { return child.type() == pugi::node_element; });
}

}  // namespace

gdl::Result<std::vector<Setting>, ConfigurationError> read_configuration(
    const std::filesystem::path& file) {
  const auto text = gdl::read_file(file);
  if (!text) {
    return ConfigurationError{1, 1, "can't be read: " + text.error().message()};
  }
  return parse_configuration(*text);
}

gdl::Result<std::vector<Setting>, ConfigurationError> parse_configuration(const std::string& text) {
  pugi::xml_document document;
  const auto parsed = document.load_buffer(text.data(), text.size());
  if (!parsed) return error(text, parsed.offset, parsed.description());
  const pugi::xml_node root = document.document_element();
  if (std::string_view(root.name()) != "ludens") {
    return error(text, root.offset_debug(), "the root element must be <ludens>");
  }
  if (const auto wrong = problem(text, root)) return *wrong;
  std::vector<Setting> settings;
  for (const pugi::xml_node command : root.children()) {
    if (const auto wrong = problem(text, command)) return *wrong;
    const TextPlace at = place(text, command);
    if (command.first_child().empty()) {
      settings.push_back({command.name(), "", "", at.line, at.column});
    }
    for (const pugi::xml_node option : command.children()) {
      if (const auto wrong = problem(text, option)) return *wrong;
      const TextPlace p = place(text, option);
      if (has_element(option)) {
        return ConfigurationError{p.line, p.column,
                                  "an option is an element that holds text alone"};
      }
      settings.push_back({command.name(), option.name(),
                          std::string(trimmed(option.text().as_string())), p.line, p.column});
    }
  }
  return settings;
}

}  // namespace ludens::server
