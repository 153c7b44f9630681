// SPDX-License-Identifier: MIT
#include "gdl/environment/environment_game.h"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <utility>

#include "gdl/interpreter/interpreter.h"
#include "gdl/native/trial.h"
#include "gdl/pipeline/pipeline.h"
#include "gdl/program/footprint.h"

namespace ludens::gdl {

namespace {

/// The most bits of a number of an action, and of all numbers of a joint action.
constexpr std::uint32_t kMostNumberBits = 12, kMostJointBits = 64;

}  // namespace

std::size_t row_bytes(const RowPlan& plan, kernel::RowForm form) {
  switch (form) {
    case kernel::RowForm::Bits:
      return plan.words() * sizeof(std::uint64_t);
    case kernel::RowForm::Bytes:
      return plan.size();
    case kernel::RowForm::Floats:
      return plan.size() * sizeof(float);
  }
  return 0;
}

Result<std::shared_ptr<const EnvironmentGame>> EnvironmentGame::make(
    std::shared_ptr<const Machine> machine, const Limits& limits, std::size_t lanes) {
  const kernel::Kernel* kernel = lanes == 0 ? &kernel::widest() : kernel::find(lanes);
  if (kernel == nullptr) {
    return Error{"this processor has no registers of " + std::to_string(lanes) + " bits"};
  }
  const auto network = network_of(*machine, limits);
  if (!network) {
    return Error{"an environment needs a game whose states are finitely many facts: " +
                 network.error().text};
  }
  auto program = compile((*network)->network, 0, limits.stop);
  if (!program) return Error{"an environment needs a network: " + program.error().text};
  Spaces spaces = find_spaces(*machine->vocabulary(), (*network)->network);
  if (spaces.players.empty()) return Error{"an environment needs a player besides `random`"};
  for (std::size_t p = 0; p < spaces.players.size(); ++p) {
    if (spaces.actions[p].empty()) {
      return Error{"role " + spaces.player_names[p] + " never has a legal move"};
    }
  }
  std::shared_ptr<EnvironmentGame> game(new EnvironmentGame(std::move(machine), *std::move(program),
                                                            std::move(spaces), *kernel, limits));
  if (!game->find_unnumbered(limits) || !game->held_.reserve(game->bytes(), limits.memory)) {
    return Error{"the environment needs more memory than its budget allows"};
  }
  return std::shared_ptr<const EnvironmentGame>(std::move(game));
}

EnvironmentGame::EnvironmentGame(std::shared_ptr<const Machine> machine, Program program,
                                 Spaces spaces, const kernel::Kernel& kernel, const Limits& limits)
    : machine_(std::move(machine)),
      program_(std::move(program)),
      spaces_(std::move(spaces)),
      kernel_(kernel),
      tables_(program_, {}, {}) {
  code_ = native::generate(program_, kernel.lanes, limits);
  if (code_ && !native::pays(*code_, program_, kernel, limits.stop)) code_.reset();
  initial_ = program_.initial_words();
  add_players();
  number_actions();
  add_plans();
}

void EnvironmentGame::add_players() {
  std::unordered_map<std::uint64_t, const Program::Move*> by_id;
  for (const Program::Move& m : program_.moves) {
    by_id[std::uint64_t{m.role} << 32 | m.id] = &m;
  }
  std::uint32_t chooser = 0;
  std::vector<std::uint32_t> player_of(program_.roles(), kNothing);
  for (std::uint32_t p = 0; p < spaces_.players.size(); ++p) player_of[spaces_.players[p]] = p;
  players_.resize(spaces_.players.size());
  action_tables_.resize(players_.size());
  for (RoleIndex role = 0; role < program_.roles(); ++role) {
    if (program_.first_move[role] == program_.first_move[role + 1]) continue;
    const std::uint32_t p = player_of[role], own = chooser++;
    if (p == kNothing) {
      chance_ = own;
      continue;
    }
    for (const MoveId id : spaces_.actions[p]) {
      const Program::Move& m = *by_id.at(std::uint64_t{role} << 32 | id);
      players_[p].slots.push_back(m.slot);
      players_[p].legal.push_back(m.legal);
    }
    action_tables_[p] = {static_cast<std::uint32_t>(players_[p].slots.size()),
                         players_[p].slots.data(),
                         players_[p].legal.data(),
                         own,
                         0,
                         0};
  }
  for (const Program::Goal& g : program_.goals) {
    if (player_of[g.role] != kNothing) goals_.push_back({player_of[g.role], g.value, g.edge});
  }
}

/// Joint actions as words, if they fit and there are not so many moves that most of them have no
/// lane.
void EnvironmentGame::number_actions() {
  std::uint32_t bit = 0;
  numbered_ = program_.moves.size() <= 2 * kernel_.lanes;
  for (kernel::ActionTable& t : action_tables_) {
    t.first_bit = bit;
    t.bits = static_cast<std::uint32_t>(std::bit_width(t.count + 1));
    bit += t.bits;
    numbered_ = numbered_ && t.bits <= kMostNumberBits && bit <= kMostJointBits;
  }
}

void EnvironmentGame::add_plans() {
  std::unordered_map<FluentId, std::uint32_t> slot;
  for (std::uint32_t f = 0; f < program_.fluents.size(); ++f) slot[program_.fluents[f]] = f;
  for (const FluentId id : spaces_.fluents) {
    fluent_slots_.push_back(slot.at(id));
    state_plan_.edges_.push_back({slot.at(id), 0});
  }
  if (listed()) {
    for (const FluentId id : spaces_.fluents) {
      numbers_.emplace(id, static_cast<std::uint32_t>(numbers_.size()));
    }
  }
  for (const Player& p : players_) {
    mask_begin_.push_back(mask_plan_.edges_.size());
    mask_plan_.edges_.insert(mask_plan_.edges_.end(), p.legal.begin(), p.legal.end());
  }
  mask_plan_.playing_only_ = true;
}

bool EnvironmentGame::find_unnumbered(const Limits& limits) {
  if (!listed()) return true;
  const auto context = machine_->make_context(limits);
  State initial;
  if (machine_->initial(*context, initial) != Status::Ok) return false;
  unpack_fluents(initial, unnumbered_);
  std::erase_if(unnumbered_, [&](FluentId id) { return numbers_.contains(id); });
  return true;
}

RowPlan EnvironmentGame::plan(std::span<const std::uint32_t> fluents) const {
  RowPlan plan;
  for (const std::uint32_t f : fluents) {
    plan.edges_.push_back({f == kNothing ? program_.false_slot : fluent_slots_[f], 0});
  }
  return plan;
}

void EnvironmentGame::from_machine(StateView state, std::span<std::uint64_t> row) const {
  std::ranges::fill(row, 0);
  if (listed()) {
    std::vector<FluentId> fluents;
    unpack_fluents(state, fluents);
    for (const FluentId id : fluents) {
      const auto n = numbers_.find(id);
      if (n != numbers_.end()) row[n->second / 64] |= std::uint64_t{1} << (n->second % 64);
    }
    return;
  }
  for (std::size_t n = 0; n < fluent_slots_.size(); ++n) {
    const std::uint32_t f = fluent_slots_[n];
    row[n / 64] |= (state.words()[f / 64] >> (f % 64) & 1) << (n % 64);
  }
}

void EnvironmentGame::to_machine(std::span<const std::uint64_t> row, State& state) const {
  if (listed()) {
    std::vector<FluentId> fluents = unnumbered_;
    for (std::size_t n = 0; n < spaces_.fluents.size(); ++n) {
      if ((row[n / 64] >> (n % 64) & 1) != 0) fluents.push_back(spaces_.fluents[n]);
    }
    std::ranges::sort(fluents);
    pack_fluents(fluents, state.words());
    return;
  }
  state.words().assign(program_.state_words(), 0);
  for (std::size_t n = 0; n < fluent_slots_.size(); ++n) {
    const std::uint32_t f = fluent_slots_[n];
    state.words()[f / 64] |= (row[n / 64] >> (n % 64) & 1) << (f % 64);
  }
}

kernel::Phase EnvironmentGame::phase(Phase which) const {
  kernel::Phase phase = program_.phase(which);
  if (code_) phase.native = code_->phase(which);
  return phase;
}

std::size_t EnvironmentGame::bytes() const {
  return bytes_of(program_) + tables_.bytes() + (code_ ? code_->bytes() : 0) +
         bytes_of(state_plan_.edges_, mask_plan_.edges_) * 3;
}

}  // namespace ludens::gdl
