// SPDX-License-Identifier: MIT
// What learning finds in games, and random play in them.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "search/learning/kinds.h"
#include "search/learning/symmetries.h"
#include "search/learning/tuples.h"
#include "search/learning/variables.h"
#include "tests/project_folder.h"
#include "tests/search/games/bundled.h"

namespace ludens::search::test {

/// A bundled game with what learning finds in it.
struct Found {
  explicit Found(const std::string& game) : Found(bundled(game, "sliced"), false) {}
  Found(std::shared_ptr<const gdl::Machine> of, bool exchange_roles) : machine(std::move(of)) {
    bits = StateBits::of(*machine);
    context = machine->make_context();
    if (!bits) return;
    gdl::Rng rng(1);
    seen = Observations::make(*machine, *context, bits->size(), {.most_states = 8'000}, rng);
    if (!seen) return;
    form.variables = find_variables(*machine, *bits, *seen);
    if (form.variables.empty()) return;
    form.counts = find_kinds(*machine->vocabulary(), *bits, form.variables, 8);
    find_symmetries(*machine, *context, *bits, *seen, exchange_roles && machine->role_count() == 2,
                    rng, form);
    add_tuples(form, *bits, 64 / form.images(), rng);
  }
  [[nodiscard]] bool anything() const { return !form.tuples.empty(); }
  [[nodiscard]] std::vector<std::string> names(const Variable& variable) const {
    std::vector<std::string> names;
    for (const gdl::FluentId f : variable.fluents) {
      names.push_back(machine->vocabulary()->fluent_name(f));
    }
    std::ranges::sort(names);
    return names;
  }

  std::shared_ptr<const gdl::Machine> machine;
  std::unique_ptr<gdl::Machine::Context> context;
  std::optional<StateBits> bits;
  std::optional<Observations> seen;
  TupleForm form;
};

inline std::vector<std::string> bundled_games() {
  std::vector<std::string> games;
  for (const auto& file : std::filesystem::directory_iterator(project_folder() + "/config/games")) {
    if (file.path().extension() == ".kif") games.push_back(file.path().stem());
  }
  std::ranges::sort(games);
  return games;
}

/// Makes random moves until the end or for this many plies, and shows each state with its
/// successor.
template <typename Visit>
void walk(const Found& found, gdl::Rng& rng, int plies, Visit visit) {
  const gdl::Machine& machine = *found.machine;
  gdl::State state, next;
  ASSERT_EQ(machine.initial(*found.context, state), gdl::Status::Ok);
  for (int ply = 0; ply < plies; ++ply) {
    bool over = false;
    ASSERT_EQ(machine.terminal(*found.context, state, over), gdl::Status::Ok);
    if (over) return;
    std::vector<gdl::MoveId> joint, moves;
    for (gdl::RoleIndex r = 0; r < machine.role_count(); ++r) {
      ASSERT_EQ(machine.legal(*found.context, state, r, moves), gdl::Status::Ok);
      if (moves.empty()) return;
      joint.push_back(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
    }
    ASSERT_EQ(machine.next(*found.context, state, joint, next), gdl::Status::Ok);
    visit(state, next);
    state = next;
  }
}

}  // namespace ludens::search::test
