// SPDX-License-Identifier: MIT
#include "server/records/gametrace_xml.h"

#include <algorithm>

#include "gdl/text/syntax.h"
#include "server/records/xml_fields.h"

namespace ludens::server {

namespace {

/// Whether a text is one name, or one list in which each list begins with a name.
bool is_term(const std::string& text) {
  const gdl::ParsedText parsed = gdl::parse(text);
  const gdl::SyntaxTree& tree = parsed.tree;
  if (!parsed.errors.empty() || tree.size() == 0 || tree.end(0) != tree.size()) return false;
  for (gdl::NodeIndex node = 0; node < tree.size(); ++node) {
    if (tree.is_list(node) && (tree.child_count(node) == 0 || tree.is_list(node + 1))) return false;
  }
  return true;
}

/// Reads the steps into a record, one by one.
class Trace {
 public:
  MatchRecord read(pugi::xml_node trace) {
    record_.game = record_.match_id = std::string(trimmed(trace.child_value("game")));
    record_.roles_by_name = true;
    for (const pugi::xml_node step : trace.child("steps").children("step")) read_step(step);
    if (record_.states.empty()) throw std::invalid_argument("<gametrace> without a <step>");
    if (record_.states.size() == record_.moves.size()) record_.states.emplace_back();
    return std::move(record_);
  }

 private:
  void read_step(pugi::xml_node step) {
    number_ = xml_number<std::size_t>("step nb", step.attribute("nb").value());
    if (number_ != record_.states.size() + 1) {
      wrong("is where step " + std::to_string(record_.states.size() + 1) + " belongs");
    }
    if (record_.moves.size() != record_.states.size()) wrong("follows a step without <moves>");
    read_state(step.child("state"));
    if (const pugi::xml_node moves = step.child("moves")) {
      record_.moves.push_back(by_role<std::string>(
          moves, "move", [](const std::string& text) { return text; },
          [this](const std::string&, const std::string&) { wrong("has two moves of one role"); }));
    }
    if (!step.child("terminal")) return;
    record_.completed = true;
    record_.goals = by_role<int>(
        step.child("goal_values"), "goal_value",
        [](const std::string& text) { return xml_number<int>("goal_value", text); },
        [](int& first, int other) { first = std::max(first, other); });
  }

  void read_state(pugi::xml_node state) {
    std::string text;
    if (state) {
      text = "( ";
      for (const std::string& fluent : child_texts(state, "fluent")) {
        if (!is_term(fluent)) wrong("has the fluent '" + fluent + "', which is no term");
        text += fluent + " ";
      }
      text += ")";
    }
    record_.states.push_back(std::move(text));
  }

  /// One value for each role, in the order in which the roles first occur; `join` is called for
  /// another value of the same role.
  template <class T, class Read, class Join>
  std::vector<T> by_role(pugi::xml_node list, const char* name, const Read& read,
                         const Join& join) {
    std::vector<T> values(record_.roles.size());
    std::vector<bool> seen(record_.roles.size());
    const bool first = record_.roles.empty();
    for (const pugi::xml_node entry : list.children(name)) {
      const std::string role = xml_text(entry.attribute("role").value());
      const auto found = std::ranges::find(record_.roles, role);
      const auto index = static_cast<std::size_t>(found - record_.roles.begin());
      if (found == record_.roles.end()) {
        if (!first) wrong("names '" + role + "', which is no role of earlier steps");
        record_.roles.push_back(role);
        values.emplace_back();
        seen.push_back(false);
      }
      T value = read(xml_text(entry.text().get()));
      if (seen[index]) {
        join(values[index], value);
      } else {
        values[index] = std::move(value);
      }
      seen[index] = true;
    }
    const auto missing = std::ranges::find(seen, false);
    if (missing != seen.end()) {
      wrong(std::string("has no <") + name + "> of '" +
            record_.roles[static_cast<std::size_t>(missing - seen.begin())] + "'");
    }
    return values;
  }

  [[noreturn]] void wrong(const std::string& what) const {
    throw std::invalid_argument("step " + std::to_string(number_) + " " + what);
  }

  MatchRecord record_;
  std::size_t number_ = 0;
};

}  // namespace

MatchRecord read_gametrace_xml(pugi::xml_node trace) {
  return Trace().read(trace);
}

}  // namespace ludens::server
