// SPDX-License-Identifier: MIT
#include "tests/games/played_game.h"

#include <stdexcept>

#include "gdl/interpreter/interpreter.h"
#include "gdl/machine/vocabulary.h"

namespace ludens {

namespace {

void expect_ok(gdl::Status status) {
  if (status != gdl::Status::Ok) throw std::runtime_error("the machine did not answer");
}

}  // namespace

PlayedGame::PlayedGame(const server::Rulesheet& sheet)
    : machine_(gdl::make_interpreter(std::make_shared<gdl::Vocabulary>(sheet.rules))),
      context_(machine_->make_context()) {}

gdl::RoleIndex PlayedGame::role(std::string_view name) const {
  for (gdl::RoleIndex r = 0; r < role_count(); ++r) {
    if (machine_->role_name(r) == name) return r;
  }
  throw std::runtime_error("there is no role '" + std::string(name) + "'");
}

std::string PlayedGame::name(gdl::MoveId move) const {
  return machine_->vocabulary()->move_name(move);
}

gdl::State PlayedGame::initial() const {
  gdl::State state;
  expect_ok(machine_->initial(*context_, state));
  return state;
}

PlayedGame::Moves PlayedGame::legal(gdl::StateView state, gdl::RoleIndex role) const {
  Moves moves;
  expect_ok(machine_->legal(*context_, state, role, moves));
  return moves;
}

std::vector<std::string> PlayedGame::legal_names(gdl::StateView state, gdl::RoleIndex role) const {
  std::vector<std::string> names;
  for (const gdl::MoveId move : legal(state, role)) names.push_back(name(move));
  return names;
}

std::vector<PlayedGame::Moves> PlayedGame::legal_of_all(gdl::StateView state) const {
  std::vector<Moves> moves;
  for (gdl::RoleIndex r = 0; r < role_count(); ++r) moves.push_back(legal(state, r));
  return moves;
}

gdl::State PlayedGame::next(gdl::StateView state, const Moves& joint) const {
  gdl::State successor;
  expect_ok(machine_->next(*context_, state, joint, successor));
  return successor;
}

std::vector<std::string> PlayedGame::percepts(gdl::StateView state, const Moves& joint,
                                              gdl::RoleIndex role) const {
  std::vector<gdl::PerceptId> ids;
  expect_ok(machine_->percepts(*context_, state, joint, role, ids));
  std::vector<std::string> names;
  for (const gdl::PerceptId id : ids) names.push_back(machine_->vocabulary()->percept_name(id));
  return names;
}

bool PlayedGame::terminal(gdl::StateView state) const {
  bool over = false;
  expect_ok(machine_->terminal(*context_, state, over));
  return over;
}

std::vector<int> PlayedGame::goals(gdl::StateView state) const {
  std::vector<int> values(role_count());
  expect_ok(machine_->goals(*context_, state, values));
  return values;
}

std::vector<std::string> PlayedGame::fluents(gdl::StateView state) const {
  std::vector<gdl::FluentId> ids;
  expect_ok(machine_->fluents(*context_, state, ids));
  std::vector<std::string> names;
  for (const gdl::FluentId id : ids) names.push_back(machine_->vocabulary()->fluent_name(id));
  return names;
}

std::string PlayedGame::flaws() const {
  std::string lines;
  for (const gdl::Flaw& flaw : context_->flaws) {
    lines += machine_->role_name(flaw.role) + ": " + std::string(gdl::to_string(flaw.kind)) +
             " in " + flaw.state + '\n';
  }
  return lines;
}

}  // namespace ludens
