// SPDX-License-Identifier: MIT
#include "server/tournament/xml_form.h"

#include "gdl/text/nearest_name.h"
#include "server/records/text_place.h"

namespace ludens::server {

namespace {

std::string in_quotes(std::string_view text) {
  return "'" + std::string(text) + "'";
}

}  // namespace

XmlForm::XmlForm(const std::string& text, std::string_view root_name) : source_(text) {
  const auto parsed = document_.load_buffer(text.data(), text.size());
  if (!parsed) {
    problem_at(parsed.offset, parsed.description());
    return;
  }
  if (root().name() != root_name) {
    problem(root(), "the root element must be <" + std::string(root_name) + ">");
    return;
  }
  for (const pugi::xml_node node : root().children()) {
    if (node.type() == pugi::node_element) {
      elements_.push_back(node);
    } else {
      problem(node, "text outside of any element");
    }
  }
}

void XmlForm::problem_at(std::ptrdiff_t offset, std::string text) {
  problems_.push_back({offset, std::move(text)});
}

void XmlForm::problem(pugi::xml_node where, std::string text) {
  // offset_debug is the place of an element's name, after its '<'.
  const bool element = where.type() == pugi::node_element;
  problem_at(where.offset_debug() - (element ? 1 : 0), std::move(text));
}

std::vector<FileProblem> XmlForm::problems() const {
  std::vector<Problem> sorted = problems_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Problem& a, const Problem& b) { return a.offset < b.offset; });
  std::vector<FileProblem> out;
  for (Problem& problem : sorted) {
    const TextPlace place = text_place(source_, problem.offset);
    out.push_back({place.line, place.column, std::move(problem.text)});
  }
  return out;
}

bool XmlForm::known(pugi::xml_node where, std::string_view what, std::string_view name,
                    std::span<const std::string_view> names) {
  if (std::find(names.begin(), names.end(), name) != names.end()) return true;
  std::string text = "unknown " + std::string(what) + " " + in_quotes(name);
  if (const std::string near = gdl::did_you_mean(name, names); !near.empty()) {
    text += near;
  } else if (!names.empty()) {
    text += "; known are ";
    for (const std::string_view& word : names) {
      text += (&word == names.data() ? "" : ", ") + std::string(word);
    }
  }
  problem(where, std::move(text));
  return false;
}

void XmlForm::restrict(pugi::xml_node node, std::span<const std::string_view> attributes) {
  for (const pugi::xml_attribute attribute : node.attributes()) {
    known(node, "attribute", attribute.name(), attributes);
  }
  for (const pugi::xml_node child : node.children()) {
    if (child.type() == pugi::node_element) {
      problem(child, "<" + std::string(node.name()) + "> may contain only text");
    }
  }
}

std::string XmlForm::text(pugi::xml_node node) {
  return std::string(trimmed(node.text().as_string()));
}

std::string XmlForm::attribute(pugi::xml_node node, const char* name) {
  return std::string(trimmed(node.attribute(name).as_string()));
}

std::optional<std::size_t> XmlForm::choice(pugi::xml_node node,
                                           std::span<const std::string_view> words) {
  const std::string value = text(node);
  if (value.empty() || !known(node, node.name(), value, words)) return std::nullopt;
  return static_cast<std::size_t>(std::find(words.begin(), words.end(), value) - words.begin());
}

void XmlForm::bad_number(pugi::xml_node node, const std::string& what, const std::string& value,
                         const std::string& low, const std::string& high) {
  problem(node, what + " is a number of " + low + " to " + high + ", not " + in_quotes(value));
}

}  // namespace ludens::server
