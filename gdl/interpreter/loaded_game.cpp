// SPDX-License-Identifier: MIT
#include "gdl/interpreter/loaded_game.h"

#include "gdl/interpreter/clauses.h"
#include "gdl/interpreter/compiler.h"

namespace ludens::gdl::interpreter {

std::unique_ptr<LoadedGame> compile_play(const LoadedGame& base, const Clauses& clauses,
                                         const Choices& choices, const StopSignal* stop) {
  auto game = std::make_unique<LoadedGame>(base);
  Compiler compiler(game->program, clauses, choices, stop);
  game->terminal = compiler.require(kTerminal, "");
  game->legal = compiler.require(kLegal, "bf");
  game->goal = compiler.require(kGoal, "bf");
  game->next = compiler.require(kNext, "f");
  if (!clauses[kSees].clauses.empty()) game->sees = compiler.require(kSees, "bf");
  compiler.finish();
  return game;
}

}  // namespace ludens::gdl::interpreter
