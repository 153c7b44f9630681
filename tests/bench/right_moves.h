// SPDX-License-Identifier: MIT
// How often a player of connect four makes a move that keeps the value of the position, by the
// lines that ludens_connect_four_positions prints.
#pragma once

#include <cstdio>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "search/self_play/self_match.h"

namespace ludens::bench {

class RightMoves {
 public:
  struct Share {
    std::size_t right = 0, of = 0;
    [[nodiscard]] double percent() const {
      return 100 * static_cast<double>(right) / static_cast<double>(of);
    }
  };

  /// The moves of the game must be called `drop` with the number of a column. Has no positions if
  /// the file can't be read, or a line of it can't be played.
  RightMoves(std::shared_ptr<const gdl::Machine> machine, const std::string& path)
      : machine_(std::move(machine)), context_(machine_->make_context()) {
    std::ifstream file(path);
    for (std::string played, right; file >> played >> right;) {
      if (add(played, right)) continue;
      asked_.clear();
      return;
    }
  }

  [[nodiscard]] bool possible() const { return !asked_.empty(); }

  /// The shares of all positions, and of those in which some move is wrong.
  std::pair<Share, Share> ask(search::Contestant& player) const {
    Share all, hard;
    for (const Asked& asked : asked_) {
      const auto move = player.choose(asked.position, search::Deadline());
      const bool right = move && asked.right.contains(*move);
      ++all.of;
      if (right) ++all.right;
      if (asked.right.size() == asked.moves) continue;
      ++hard.of;
      if (right) ++hard.right;
    }
    return {all, hard};
  }

 private:
  struct Asked {
    search::Position position;
    std::set<gdl::MoveId> right;
    std::size_t moves = 0;
  };
  struct Move {
    gdl::RoleIndex role;
    gdl::MoveId id;
  };

  bool add(const std::string& played, const std::string& right) {
    search::Position position;
    (void)machine_->initial(*context_, position.state);
    position.machine = machine_;
    for (const char column : played) {
      const auto move = find(position, column);
      if (!move) return false;
      make(position, *move);
    }
    Asked asked{position, {}, 0};
    for (const char column : right) {
      const auto move = find(position, column);
      if (!move) return false;
      asked.position.role = move->role;
      asked.right.insert(move->id);
    }
    asked.moves = legal(position, asked.position.role).size();
    asked_.push_back(std::move(asked));
    return true;
  }

  std::optional<Move> find(const search::Position& position, char column) const {
    const std::string name = std::string("( drop ") + column + " )";
    for (gdl::RoleIndex r = 0; r < machine_->role_count(); ++r) {
      for (const gdl::MoveId move : legal(position, r)) {
        if (machine_->vocabulary()->move_name(move) == name) return Move{r, move};
      }
    }
    return std::nullopt;
  }

  /// The other roles make their first move.
  void make(search::Position& position, const Move& move) const {
    std::vector<gdl::MoveId> joint;
    for (gdl::RoleIndex r = 0; r < machine_->role_count(); ++r) {
      joint.push_back(r == move.role ? move.id : legal(position, r).at(0));
    }
    gdl::State next;
    (void)machine_->next(*context_, position.state, joint, next);
    position.state = next;
    position.history.insert(position.history.end(), joint.begin(), joint.end());
  }

  [[nodiscard]] std::vector<gdl::MoveId> legal(const search::Position& position,
                                               gdl::RoleIndex role) const {
    std::vector<gdl::MoveId> moves;
    (void)machine_->legal(*context_, position.state, role, moves);
    return moves;
  }

  std::shared_ptr<const gdl::Machine> machine_;
  std::unique_ptr<gdl::Machine::Context> context_;
  std::vector<Asked> asked_;
};

}  // namespace ludens::bench
