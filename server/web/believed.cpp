// SPDX-License-Identifier: MIT
#include "server/web/believed.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "agent/message/moves.h"
#include "gdl/registry/machines.h"
#include "search/strategy/stopping.h"

namespace ludens::server {

namespace {

/// The number of histories that are followed, and of states that are drawn from them.
constexpr std::size_t kHistories = 1024, kStates = 256;
/// The time for building a fast machine; without one, the interpreter is good enough.
constexpr double kSecondsToBuild = 1;

/// Different states with their weights.
using WeighedStates = std::map<std::vector<std::uint64_t>, double>;

/// The states of the histories at even distances in the sum of all weights.
WeighedStates weighed_states(const search::hidden::Belief& belief) {
  WeighedStates weights;
  const std::size_t count = std::min(belief.size(), kStates);
  const bool all = count == belief.size();
  for (std::size_t n = 0; n < count; ++n) {
    const double share = (static_cast<double>(n) + 0.5) / static_cast<double>(count);
    const std::size_t i = all ? n : belief.at(share);
    const auto words = belief.state(i).words();
    weights[{words.begin(), words.end()}] +=
        all ? belief.weight(i) : 1 / static_cast<double>(count);
  }
  return weights;
}

void add(const Picture& picture, double weight, Believed& out) {
  for (const Grid& grid : picture.grids) {
    for (std::size_t row = 0; row < grid.cells.size(); ++row) {
      for (std::size_t column = 0; column < grid.cells[row].size(); ++column) {
        for (const std::string& thing : grid.cells[row][column]) {
          out.cells[{grid.title, row, column}][thing] += weight;
        }
      }
    }
  }
  for (const Line& line : picture.lines) out.lines[line] += weight;
  for (const FactGroup& group : picture.controls) {
    for (const std::string& fact : group.facts) out.controls[{group.name, fact}] += weight;
  }
  for (const FactGroup& group : picture.facts) {
    for (const std::string& fact : group.facts) out.facts[{group.name, fact}] += weight;
  }
}

/// Whether the machine keeps all fluents: a network drops those on which nothing depends.
bool keeps_all(const gdl::Machine& machine) {
  const std::size_t fluents = machine.vocabulary()->fluent_count();
  for (std::size_t fluent = 0; fluent < fluents; ++fluent) {
    if (!machine.keeps(static_cast<gdl::FluentId>(fluent))) return false;
  }
  return true;
}

}  // namespace

std::shared_ptr<const gdl::Machine> BelievedGame::machine() const {
  std::call_once(made_, [this] {
    const auto deadline = search::Deadline::in(kSecondsToBuild);
    auto made = gdl::make_machine("auto", std::make_shared<gdl::Vocabulary>(rules_, memory_),
                                  {&deadline, memory_.get()});
    if (made && !keeps_all(**made)) {
      made = gdl::make_machine("interpreter", (*made)->vocabulary(), {nullptr, memory_.get()});
    }
    if (made) machine_ = *std::move(made);
  });
  return machine_;
}

Believer::Believer(std::shared_ptr<const BelievedGame> game, const std::string& role)
    : game_(std::move(game)) {
  const auto machine = game_ == nullptr ? nullptr : game_->machine();
  if (machine == nullptr) return;
  for (gdl::RoleIndex r = 0; r < machine->role_count(); ++r) {
    if (r == machine->random_role() || machine->role_name(r) != role) continue;
    belief_.emplace(machine, r,
                    search::hidden::BeliefOptions{.most = kHistories, .memory = game_->memory()});
  }
}

/// Nullopt for words that the game does not have.
std::optional<search::KnownTurn> Believer::read(const std::string& move,
                                                const std::vector<std::string>& percepts) const {
  gdl::Vocabulary& names = *belief_->machine()->vocabulary();
  const auto own = agent::intern_move(names, agent::ReportedTerm(agent::part_of(move)));
  if (!own) return std::nullopt;
  search::KnownTurn turn{.own = *own};
  std::set<gdl::PerceptId> perceived;
  for (const std::string& text : percepts) {
    const auto percept = agent::intern_percept(names, agent::ReportedTerm(agent::part_of(text)));
    if (!percept) return std::nullopt;
    perceived.insert(*percept);
  }
  turn.percepts.assign(perceived.begin(), perceived.end());
  return turn;
}

void Believer::follow(const std::string& move, const std::vector<std::string>& percepts, bool over,
                      const gdl::StopSignal& stop) {
  using search::hidden::MatchPhase;
  if (!belief_) return;
  const auto turn = read(move, percepts);
  const bool followed =
      turn && belief_->advance(*turn, stop, over ? MatchPhase::IsOver : MatchPhase::GoesOn) ==
                  gdl::Status::Ok;
  if (!followed || belief_->empty()) belief_.reset();
}

std::optional<Believed> Believer::look(const Board& board, const gdl::StopSignal& stop) {
  if (!belief_) return std::nullopt;
  const bool at_begin = belief_->turns() == 0;
  if (at_begin && belief_->follow({}, stop) != gdl::Status::Ok) return std::nullopt;
  if (belief_->empty()) return std::nullopt;
  const auto context = belief_->machine()->make_context({.stop = &stop, .memory = game_->memory()});
  Believed believed;
  believed.histories = belief_->size();
  believed.exact = belief_->exact();
  for (const auto& [words, weight] : weighed_states(*belief_)) {
    std::string text;
    const gdl::StateView state{std::span(words)};
    if (belief_->machine()->print(*context, state, text) != gdl::Status::Ok) return std::nullopt;
    add(board.picture(text), weight, believed);
  }
  return believed;
}

}  // namespace ludens::server
