#include "server/cli/configuration.h"

#include <fstream>
#include <iterator>
#include <pugixml.hpp>

namespace ludens::server {

namespace {

struct Place {
  int line = 1, column = 1;
};

Place place(const std::string& text, std::ptrdiff_t offset) {
  Place p;
  for (std::ptrdiff_t i = 0; i < offset && i < std::ssize(text); ++i) {
    if (text[static_cast<std::size_t>(i)] == '\n') {
      ++p.line;
      p.column = 1;
    } else {
      ++p.column;
    }
  }
  return p;
}

ConfigurationError error(const std::string& text, std::ptrdiff_t offset, std::string what) {
  const Place p = place(text, offset);
  return {p.line, p.column, std::move(what)};
}

bool has_element(pugi::xml_node node) {
  return node.find_child([](pugi::xml_node child) { return child.type() == pugi::node_element; });
}

}  // namespace

std::variant<std::vector<Setting>, ConfigurationError> read_configuration(
    const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return ConfigurationError{1, 1, "can't be read"};
  const std::string text{std::istreambuf_iterator<char>(stream), {}};

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
      // offset_debug is the place of the name, behind the '<'.
      const Place p = place(text, option.offset_debug() - 1);
      if (option.type() != pugi::node_element || has_element(option)) {
        return ConfigurationError{p.line, p.column,
                                  "an option is an element that holds text alone"};
      }
      settings.push_back(
          {command.name(), option.name(), option.text().as_string(), p.line, p.column});
    }
  }
  return settings;
}

}  // namespace ludens::server
