// SPDX-License-Identifier: MIT
#include "server/compliance/game.h"

#include "gdl/interpreter/interpreter.h"
#include "server/game/position.h"

namespace ludens::server {
namespace {

std::string on_one_line(const gdl::SyntaxTree& tree) {
  std::string out = "(";
  for (const gdl::NodeIndex form : tree.forms()) out += " " + tree.print(form);
  return out + " )";
}

}  // namespace

gdl::Result<TestGame> make_test_game(const Rulesheet& rulesheet) {
  if (gdl::has_error(rulesheet.diagnostics)) {
    return gdl::Error{rulesheet.name + ": the rulesheet has errors; see ludens check"};
  }
  TestGame game{on_one_line(*rulesheet.rules->source), rulesheet.rules, 0};
  Position position(gdl::make_interpreter(std::make_shared<gdl::Vocabulary>(rulesheet.rules)));
  if (const auto status = position.begin(); status != gdl::Status::Ok) {
    return gdl::Error{rulesheet.name + ": " + std::string(explain(status))};
  }
  for (; game.role < position.roles(); ++game.role) {
    const bool random = rulesheet.rules->random == game.role;
    if (!random && position.legal(game.role).size() > 1) return game;
  }
  return gdl::Error{rulesheet.name +
                    ": no role has a choice in the initial state; take another game"};
}

TestGame shouted(const TestGame& game) {
  std::string text = game.description;
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  auto tree = std::make_shared<const gdl::SyntaxTree>(gdl::parse(text).tree);
  return {std::move(text), gdl::normalise(std::move(tree), 0).rules, game.role};
}

}  // namespace ludens::server
