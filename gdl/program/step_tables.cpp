// SPDX-License-Identifier: MIT
#include "gdl/program/step_tables.h"

namespace ludens::gdl {

StepTables::StepTables(const Program& program, const std::vector<kernel::Edge>& guard,
                       const std::vector<std::vector<std::uint32_t>>& apart)
    : guard_(guard),
      apart_(apart),
      terminal_(program.terminal),
      first_set_(program.first_set),
      sets_(program.sets) {
  for (const std::vector<std::uint32_t>& group : apart_) {
    groups_.push_back({group.data(), static_cast<std::uint32_t>(group.size())});
  }
  add_choosers(program);
  for (const LegalLeaves& c : program.choices) {
    sparse_.push_back(c.chooser());
  }
  // In the program of a turn, which has a guard, roles without moves make one that is forced: there
  // is no such program if some role never has a legal move.
  stuck_ = guard_.empty() && choosers_.size() + sparse_.size() < program.roles();
  add_updates(program);
}

void StepTables::add_choosers(const Program& program) {
  constexpr std::uint32_t kBlock = kernel::CountTree::kBlock;
  for (std::size_t r = 0; r < program.roles(); ++r) {
    const std::uint32_t first = program.first_move[r];
    const std::uint32_t count = program.first_move[r + 1] - first;
    if (count == 0) continue;
    const std::uint32_t padded = kernel::padded_moves(count);
    kernel::Chooser chooser{};
    chooser.tree = kernel::count_tree(count);
    chooser.first_move = program.moves[first].slot;
    auto& legal = legal_.emplace_back();
    auto& mixed = mixed_.emplace_back(padded / kBlock, 0);
    for (std::uint32_t m = 0; m < count; ++m) {
      legal.push_back(program.moves[first + m].legal);
      if (legal.back().inverted != 0) mixed[m / kBlock] = 1;
    }
    legal.resize(padded, {program.false_slot, 0});
    chooser.legal = legal.data();
    chooser.mixed = mixed.data();
    choosers_.push_back(chooser);
  }
}

void StepTables::add_updates(const Program& program) {
  for (std::uint32_t f = 0; f < program.fluents.size(); ++f) {
    const SlotEdge from = program.next[f];
    if (from.slot == f && from.inverted == 0) continue;
    if (from.slot < program.fluents.size()) {
      crossed_.push_back({f, from.slot});
      crossed_inverted_.push_back(from.inverted);
    } else {
      (from.inverted != 0 ? complemented_ : plain_).push_back({f, from.slot});
    }
  }
}

kernel::Step StepTables::step(const std::vector<kernel::Chooser>& choosers,
                              const std::vector<kernel::SparseChooser>& sparse) const {
  kernel::Step step{};
  step.terminal = terminal_;
  step.choosers = choosers.data();
  step.chooser_count = static_cast<std::uint32_t>(choosers.size());
  step.sparse = sparse.data();
  step.sparse_count = static_cast<std::uint32_t>(sparse.size());
  step.first_set = first_set_;
  step.set_count = sets_;
  step.stuck = stuck_;
  step.guard = guard_.data();
  step.guard_count = static_cast<std::uint32_t>(guard_.size());
  step.apart = groups_.data();
  step.apart_count = static_cast<std::uint32_t>(groups_.size());
  step.plain = plain_.data();
  step.complemented = complemented_.data();
  step.crossed = crossed_.data();
  step.crossed_inverted = crossed_inverted_.data();
  step.plain_count = static_cast<std::uint32_t>(plain_.size());
  step.complemented_count = static_cast<std::uint32_t>(complemented_.size());
  step.crossed_count = crossed();
  return step;
}

}  // namespace ludens::gdl
