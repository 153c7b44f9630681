// SPDX-License-Identifier: MIT
// Networks to compare machines on: bundled games, and random ones.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "gdl/machine/rng.h"
#include "gdl/network/build.h"
#include "gdl/network/passes/passes.h"
#include "tests/gdl/ground/ground_rules.h"
#include "tests/project_folder.h"

namespace ludens::gdl::tests {

inline Network network_of_bundled_game(const std::string& name) {
  std::ifstream file(std::filesystem::path(project_folder()) / "config" / "games" /
                     (name + ".kif"));
  auto grounded = ground_text({std::istreambuf_iterator<char>(file), {}});
  auto& program = *grounded;
  Vocabulary vocabulary(program.flat.rules);
  return optimise(build_network(program, vocabulary, {}).value(), {});
}

/// Of two roles. Gates have between 2 and `widest` inputs; legal moves, end and goals depend on
/// fluents alone.
inline Network random_network(Rng& rng, std::uint32_t gates, std::uint32_t widest) {
  Network n;
  std::vector<Edge> fluents, all;
  for (std::uint32_t f = 0; f < 5 + rng.below(60); ++f) {
    fluents.push_back(n.gates.add_input(Gates::Kind::Fluent, f));
    n.fluents.push_back({f, node_of(fluents.back()), kFalse, rng.below(2) != 0});
  }
  all = fluents;
  for (RoleIndex r = 0; r < 2; ++r) {
    for (std::uint32_t m = 0; m < 1 + rng.below(20); ++m) {
      all.push_back(
          n.gates.add_input(Gates::Kind::Move, static_cast<std::uint32_t>(n.moves.size())));
      n.moves.push_back({m, r, node_of(all.back()), kFalse});
    }
  }
  auto some = [&rng](const std::vector<Edge>& of) {
    // Mostly young ones: networks are deep.
    const auto size = static_cast<std::uint32_t>(of.size());
    const std::uint32_t i =
        rng.below(3) != 0 ? size - 1 - rng.below(std::min(size, 30U)) : rng.below(size);
    return rng.below(2) != 0 ? invert(of[i]) : of[i];
  };
  for (std::vector<Edge>* of : {&fluents, &all}) {
    for (std::uint32_t g = 0; g < gates; ++g) {
      std::vector<Edge> in;
      const std::uint32_t width = rng.below(10) == 0 ? 2 + rng.below(widest - 1) : 2 + rng.below(3);
      for (std::uint32_t k = 0; k < width; ++k) in.push_back(some(*of));
      const Edge made = n.gates.conjunction(in);
      if (made != kFalse && made != kTrueEdge) of->push_back(made);
    }
    if (of == &fluents) all.insert(all.end(), fluents.begin(), fluents.end());
  }
  for (Network::Fluent& f : n.fluents) f.next = some(all);
  for (Network::Move& m : n.moves) m.legal = some(fluents);
  n.terminal = some(fluents);
  n.goals.resize(2);
  for (auto& role : n.goals) role = {{100, some(fluents)}, {50, some(fluents)}, {0, some(fluents)}};
  for (PerceptId p = 0; p < 4; ++p) n.percepts.push_back({p, p % 2, some(p < 2 ? fluents : all)});
  n.moves.back().legal = kTrueEdge;
  n.goals[0].push_back({1, kFalse});
  return n;
}

}  // namespace ludens::gdl::tests
