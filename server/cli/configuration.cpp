// SPDX-License-Identifier: MIT
#include "server/cli/configuration.h"

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
  std::vector<Setting> settings;
  for (const pugi::xml_node command : root.children()) {
    for (const pugi::xml_node option : command.children()) {
      // offset_debug is the place of the name, after the '<'.
      const TextPlace p = text_place(text, option.offset_debug() - 1);
      if (option.type() != pugi::node_element || has_element(option)) {
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
