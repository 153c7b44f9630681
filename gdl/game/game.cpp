// SPDX-License-Identifier: MIT
#include "gdl/game/game.h"

#include <algorithm>
#include <utility>

#include "gdl/check/check.h"
#include "gdl/registry/machines.h"
#include "gdl/rules/read.h"
#include "gdl/text/file.h"

namespace ludens::gdl {

namespace {

NormalisedRules playable_rules(std::string text, std::string_view name) {
  ReadRules read = read_rules(std::move(text));
  auto& rules = read.normalised;
  auto& problems = read.errors;
  if (problems.empty()) rules.diagnostics = problems = check(rules);
  std::string errors;
  for (const Diagnostic& problem : problems) {
    if (problem.severity != Severity::Error) continue;
    errors += (errors.empty() ? "" : "\n") + format(problem, name);
  }
  if (!errors.empty()) throw GameError(errors);
  return std::move(rules);
}

void expect_ok(Status status) {
  if (status != Status::Ok) throw GameError("the game needs more memory than its budget allows");
}

}  // namespace

struct Game::Loaded {
  // Destroyed last: machine and vocabulary count their memory against it.
  std::shared_ptr<MemoryBudget> memory;
  Diagnostics diagnostics;
  std::shared_ptr<const Machine> machine;
};

Game Game::from_text(std::string rules, const GameOptions& options, std::string_view name) {
  NormalisedRules read = playable_rules(std::move(rules), name);
  auto loaded = std::make_shared<Loaded>();
  loaded->memory = std::make_shared<MemoryBudget>(options.memory_bytes);
  loaded->diagnostics = std::move(read.diagnostics);
  auto made =
      make_machine(options.machine, std::make_shared<Vocabulary>(read.rules, loaded->memory),
                   {nullptr, loaded->memory.get()});
  if (!made) throw GameError(std::string(name) + ": " + made.error().text);
  loaded->machine = *std::move(made);
  return Game(std::move(loaded));
}

Game Game::from_file(const std::filesystem::path& file, const GameOptions& options) {
  auto text = read_file(file);
  if (!text) throw GameError(file.string() + ": can't be read");
  return from_text(*std::move(text), options, file.string());
}

std::string Game::move_name(MoveId move) const {
  return machine()->vocabulary()->move_name(move);
}

std::optional<MoveId> Game::find_move(std::string_view name) const {
  return machine()->vocabulary()->find_move(name);
}

const Diagnostics& Game::diagnostics() const {
  return loaded_->diagnostics;
}

const std::shared_ptr<const Machine>& Game::machine() const {
  return loaded_->machine;
}

GameState Game::initial_state() const {
  return GameState(*this);
}

GameState::GameState(Game game)
    : game_(std::move(game)),
      context_(machine().make_context({nullptr, game_.loaded_->memory.get()})) {
  expect_ok(machine().initial(*context_, state_));
}

GameState::GameState(const GameState& other)
    : game_(other.game_),
      context_(machine().make_context(other.context_->limits)),
      state_(other.state_),
      history_(other.history_) {}

GameState& GameState::operator=(const GameState& other) {
  return *this = GameState(other);
}

bool GameState::is_terminal() const {
  bool terminal = false;
  expect_ok(machine().terminal(*context_, state_, terminal));
  return terminal;
}

std::vector<MoveId> GameState::legal_moves(RoleIndex role) const {
  std::vector<MoveId> moves;
  if (!is_terminal()) expect_ok(machine().legal(*context_, state_, role, moves));
  return moves;
}

void GameState::play(JointMove moves) {
  if (moves.size() != machine().role_count()) {
    throw std::invalid_argument("a joint move has a move for each role");
  }
  for (RoleIndex role = 0; role < moves.size(); ++role) {
    if (!std::ranges::binary_search(legal_moves(role), moves[role])) {
      throw std::invalid_argument("a move of " + game_.role_name(role) + " is not legal");
    }
  }
  State next;
  expect_ok(machine().next(*context_, state_, moves, next));
  history_.insert(history_.end(), moves.begin(), moves.end());
  state_ = std::move(next);
}

std::vector<int> GameState::goals() const {
  std::vector<int> goals(machine().role_count());
  expect_ok(machine().stated_goals(*context_, state_, goals));
  return goals;
}

std::string GameState::text() const {
  std::string text;
  expect_ok(machine().print(*context_, state_, text));
  return text;
}

PlayoutSums GameState::playouts(std::uint32_t count, Rng& rng) const {
  const StateView start = view();
  PlayoutOptions options;
  options.per_start = count;
  PlayoutSums sums;
  expect_ok(machine().playouts(*context_, {&start, 1}, options, rng, sums));
  return sums;
}

}  // namespace ludens::gdl
