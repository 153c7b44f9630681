// SPDX-License-Identifier: MIT
#include "gdl/sliced/batches.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <unordered_map>
#include <utility>

#include "gdl/native/trial.h"
#include "gdl/network/exclusion.h"
#include "gdl/network/exclusive_moves.h"
#include "gdl/network/passes/condition_pairs.h"
#include "gdl/program/footprint.h"

namespace ludens::gdl {

namespace {

/// Each turn has a program of its own: more roles would not fit into the caches anyway.
constexpr std::size_t kMostTurns = 16;
static_assert(1 + kMostTurns <= kernel::kMostGroups, "starts are grouped by variant");
/// Larger networks take seconds and half a gigabyte for each turn.
constexpr std::size_t kMostGates = 2'000'000;

std::vector<kernel::Edge> guard_of(const Turn& turn) {
  std::vector<kernel::Edge> guard;
  for (const auto& [fluent, holds] : turn) guard.push_back({fluent, holds ? 0U : 1U});
  return guard;
}

/// Groups of fluents as indices of the network, which may have lost some of them.
std::vector<std::vector<std::uint32_t>> indices_of(const std::vector<std::vector<FluentId>>& groups,
                                                   const Network& network) {
  std::unordered_map<FluentId, std::uint32_t> index;
  for (std::uint32_t f = 0; f < network.fluents.size(); ++f) index[network.fluents[f].id] = f;
  std::vector<std::vector<std::uint32_t>> found;
  for (const std::vector<FluentId>& group : groups) {
    std::vector<std::uint32_t>& indices = found.emplace_back();
    for (const FluentId id : group) {
      if (const auto at = index.find(id); at != index.end()) indices.push_back(at->second);
    }
  }
  return found;
}

/// A role's legal bits and moves may take this many bytes: beyond that, they leave the second-level
/// cache in every pass, and few of them are true in any lane.
constexpr std::size_t kMostMoveBytes = std::size_t{1} << 20;

/// [role]: whether its moves are described by sets. Empty: for no role.
std::vector<bool> roles_by_sets(const Network& network, std::size_t lanes, EvaluationForm form) {
  std::vector<std::size_t> moves(network.roles(), 0);
  for (const Network::Move& m : network.moves) ++moves[m.role];
  std::vector<bool> by_sets;
  by_sets.reserve(moves.size());
  for (const std::size_t n : moves) {
    by_sets.push_back(form == EvaluationForm::BySets ? n > 1 : n * lanes / 4 > kMostMoveBytes);
  }
  const bool some = network.feedbacks.empty() && std::ranges::find(by_sets, true) != by_sets.end();
  return some ? by_sets : std::vector<bool>();
}

}  // namespace

Batches::Batches(const Network& network, const Groups& apart, const Program& program,
                 const kernel::Kernel& kernel, EvaluationForm form, const Limits& limits,
                 const NetworkExtras& extras)
    : kernel_(kernel),
      program_(program),
      coin_(extras.coin),
      joint_moves_(program, kernel.lanes),
      expansion_(program, extras.reach) {
  bool generate = form != EvaluationForm::Interpreted && form != EvaluationForm::Early;
  add_variant({.program = &program}, generate, limits);
  auto& code = variants_.front().code;
  if (code && form == EvaluationForm::Fastest &&
      !native::pays(*code, program, kernel, limits.stop)) {
    code.reset();
    generate = false;
  }
  if (form != EvaluationForm::Early && extras.reach == 0) {
    add_parts(network, apart, form, generate, limits);
  }
  for (const Variant& v : variants_) tables_.emplace_back(*v.program, guard_of(v.turn), v.apart);
  for (const Program::Goal& g : program.goals) goals_.push_back({g.role, g.value, g.edge});
  for (const Program::Percept& p : program.percepts) percepts_.push_back(p.edge);
}

void Batches::add_variant(Variant variant, bool generate, const Limits& limits) {
  Variant& v = variants_.emplace_back(std::move(variant));
  if (generate) v.code = native::generate(*v.program, kernel_.lanes, limits);
  slots_ = std::max(v.program->slots, v.code ? v.code->slots() : 0);
}

void Batches::add_parts(const Network& network, const Groups& apart, EvaluationForm form,
                        bool generate, const Limits& limits) {
  if (program_.two_input_gates > kMostGates) return;
  const std::vector<Turn> turns = find_turns(network, limits.stop);
  if (turns.size() > kMostTurns) return;
  if (turns.empty()) return add_part(network, {}, form, generate, limits);
  std::vector<std::vector<std::uint32_t>> groups = indices_of(apart, network);
  bool reliable = false;
  for (const Turn& turn : turns) {
    const auto part = in_turn(network, turn, limits.stop);
    if (!part) continue;
    std::optional<MergedMoves> merged;
    if (roles_by_sets(*part, kernel_.lanes, form).empty()) {
      merged = merge_exclusive_moves(*part, groups, limits.stop);
    }
    if (merged && !reliable) {
      const std::size_t seen_apart = groups.size();
      drop_groups_seen_together(network, groups, limits.stop);
      reliable = true;
      if (groups.size() != seen_apart) merged = merge_exclusive_moves(*part, groups, limits.stop);
    }
    if (merged) {
      auto shared = share_condition_pairs(merged->network, limits.stop);
      if (shared) merged->network = *std::move(shared);
      add_part(merged->network, {.turn = turn, .apart = std::move(merged->apart)}, form, generate,
               limits);
    } else {
      add_part(*part, {.turn = turn}, form, generate, limits);
    }
  }
}

/// Adds a separate program for playouts in a turn, or for all states if there are no turns.
void Batches::add_part(const Network& network, Variant part, EvaluationForm form, bool generate,
                       const Limits& limits) {
  const std::vector<bool> by_sets = roles_by_sets(network, kernel_.lanes, form);
  if (by_sets.empty() && part.turn.empty()) return;
  std::optional<SetNetwork> told;
  if (!by_sets.empty()) {
    told = tell_by_sets(network, by_sets, limits.stop);
    if (!told) return;
  }
  auto compiled =
      told ? compile(*told, slots_, limits.stop) : compile(network, slots_, limits.stop);
  if (!compiled) return;
  part_programs_.push_back(std::make_unique<const Program>(*std::move(compiled)));
  part.program = part_programs_.back().get();
  // Sets leave few gates, so there may be code for them where there is none for the whole game.
  const bool may_pay = told || variants_.front().code;
  add_variant(std::move(part), generate && may_pay, limits);
}

std::size_t Batches::bytes() const {
  std::size_t bytes = bytes_of(part_programs_, variants_, tables_, goals_, percepts_) +
                      joint_moves_.bytes() + expansion_.bytes();
  for (const auto& program : part_programs_) bytes += bytes_of(*program);
  for (const StepTables& t : tables_) bytes += t.bytes();
  for (const Variant& v : variants_) {
    bytes += bytes_of_rows(v.apart) + (v.code ? v.code->bytes() : 0);
  }
  return bytes;
}

kernel::Phase Batches::phase(std::size_t variant, Phase which) const {
  const Variant& v = variants_[variant];
  kernel::Phase phase = v.program->phase(which);
  if (v.code) phase.native = v.code->phase(which);
  return phase;
}

bool Batches::prepare(Scratch& s, MemoryBudget* memory) const {
  if (s.slots) return true;
  s.choosers = std::vector<ChooserMemory>(tables_.size());
  s.steps.clear();
  std::uint32_t crossed = 0;
  for (std::size_t v = 0; v < tables_.size(); ++v) {
    if (!s.choosers[v].allocate(tables_[v], kernel_, memory)) return false;
    crossed = std::max(crossed, tables_[v].crossed());
  }
  for (std::size_t v = 0; v < variants_.size(); ++v) {
    kernel::Step step = tables_[v].step(s.choosers[v].choosers(), s.choosers[v].sparse());
    step.status = phase(v, Phase::Status);
    step.next = phase(v, Phase::Next);
    if (const auto& code = variants_[v].code) {
      step.native = code->advance();
      step.moving_slot = code->moving_slot();
    }
    s.steps.push_back(step);
  }
  s.states.resize(kernel_.lanes);
  s.chosen_slots.resize(kernel_.lanes * program_.roles());
  s.random.resize(kernel_.lanes / 32);
  const std::size_t expansion = kernel_.expansion_scratch(
      expansion_.blocks(), static_cast<std::uint32_t>(program_.roles()), crossed);
  const std::size_t slot = kernel_.lanes / 8;
  if (!s.playouts.allocate(kernel_.playout_scratch(crossed), memory) ||
      !s.expansion.allocate(expansion, memory) ||
      !s.chosen_words.allocate(kernel_.lanes * sizeof(std::uint64_t), memory) ||
      !s.slots.allocate(slots_ * slot, memory)) {
    return false;
  }
  for (const Variant& v : variants_) {
    if (v.program->choices.empty()) continue;
    std::memset(static_cast<char*>(s.slots.data()) + v.program->true_slot * slot, 0xff, slot);
  }
  return true;
}

}  // namespace ludens::gdl
