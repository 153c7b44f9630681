// SPDX-License-Identifier: MIT
// Rules and facts written down in tests of the finders of boards.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "gdl/rules/orders.h"
#include "server/board/domains.h"
#include "server/board/fact.h"
#include "server/board/layout.h"
#include "server/game/rulesheet.h"

namespace ludens::server {

using Names = std::vector<std::string>;

/// The rules of a text with what finders ask first: shapes of fluents, facts of the first state,
/// orders of constants.
struct Found {
  Found(const std::string& text, const std::string& state)
      : rules(read_rulesheet("test", text).rules),
        shapes(fluent_shapes(*rules)),
        initial(parse_state(state)),
        orders(*rules) {}
  explicit Found(const std::string& text) : Found(text, "( )") {}

  [[nodiscard]] const FluentShape& shape(const std::string& name) const {
    for (const FluentShape& shape : shapes) {
      if (shape.name == name) return shape;
    }
    ADD_FAILURE() << "no fluent " << name;
    static const FluentShape none;
    return none;
  }

  std::shared_ptr<const gdl::Rules> rules;
  std::vector<FluentShape> shapes;
  std::vector<Fact> initial;
  gdl::Orders orders;
};

/// `name a b`, for comparison.
inline std::string text_of(const Fact& fact) {
  std::string text = fact.name;
  for (const std::string& argument : fact.arguments) text += " " + argument;
  return text;
}
inline Names texts_of(const std::vector<Fact>& facts) {
  Names texts;
  for (const Fact& fact : facts) texts.push_back(text_of(fact));
  return texts;
}

/// A board of these columns (left to right) and rows (top to bottom), told by `(cell COLUMN ROW
/// THING)`.
inline BoardLayout grid_layout(Names columns, Names rows) {
  BoardLayout layout;
  layout.geometry.columns = std::move(columns);
  layout.geometry.rows = std::move(rows);
  layout.placements.push_back({"cell", 3, {0}, {1}, {}, {2}, true});
  return layout;
}

}  // namespace ludens::server
