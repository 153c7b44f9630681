// SPDX-License-Identifier: MIT
// Short matches between two searches, which show which one plays a game better.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/machine/machine.h"
#include "search/strategy/strategy.h"
#include "search/strategy/thinking_time.h"

namespace ludens::search {

/// With fewer iterations for each legal move, a search by playouts has no tree yet, and matches say
/// little of longer times: values won all matches of games in which they lose all of them later.
inline constexpr double kIterationsForATree = 40;

class Contestant {
 public:
  virtual ~Contestant() = default;
  /// nullopt if it found no move in its time: a pause of the whole process, say, took all of it.
  virtual std::optional<gdl::MoveId> choose(const Position& position, const Deadline& end) = 0;
};

/// A strategy with this much time for each of its moves. Shared data of the strategies of a match,
/// such as learned values, comes with their `Resources`.
class TimedContestant final : public Contestant {
 public:
  TimedContestant(std::unique_ptr<Strategy> strategy, Seconds a_move);
  std::optional<gdl::MoveId> choose(const Position& position, const Deadline& end) override;

  void set_time_per_move(Seconds a_move) { a_move_ = a_move; }
  /// The mean number of iterations for each legal move so far; nullopt if the strategy did not list
  /// moves, or if it searches without iterations, depth-first.
  [[nodiscard]] std::optional<double> iterations_per_legal_move() const;

 private:
  std::unique_ptr<Strategy> strategy_;
  Seconds a_move_;
  std::uint64_t iterations_ = 0, nodes_ = 0, legal_moves_ = 0;
};

/// The mean score of the first of two in matches: 0..1.
struct Score {
  std::uint32_t pairs = 0;  // of matches, one in each seat
  double sum = 0, squares = 0;

  void add(double share) {
    ++pairs;
    sum += share;
    squares += share * share;
  }
  [[nodiscard]] double mean() const { return pairs == 0 ? 0.5 : sum / pairs; }
  /// The mean of a few matches says little, so two more pairs are added, one won and one lost.
  [[nodiscard]] double cautious_mean() const { return (sum + 1) / (pairs + 2.0); }
  /// The standard error of that.
  [[nodiscard]] double standard_error() const;
  /// The mean and that many standard errors, which may be negative.
  [[nodiscard]] double bound(double errors) const { return mean() + errors * standard_error(); }
};

/// Adds "NAME 75 % of 12" to a list of scores for people, after a comma if it is not empty: the
/// mean and the number of matches.
void add_score(std::string& list, std::string_view name, const Score& score);

/// Plays games of two roles (besides `random`) from random positions a few plies after a given one.
/// If information is hidden, the given one is the initial position, and each contestant only gets
/// what its role knows.
class SelfMatch {
 public:
  SelfMatch(const Position& start, const Deadline& end, gdl::MemoryBudget* memory,
            std::uint64_t seed);

  /// Whether it can play this game.
  [[nodiscard]] bool possible() const { return players_.size() == 2; }
  /// The first contestant's share of two matches with exchanged seats; nullopt if there was no
  /// time. A contestant that finds no move makes a random one. It is 1/2 if both have the same
  /// goals, whatever they are: good play of both may bring both more than half of the points.
  std::optional<double> play_pair(Contestant& first, Contestant& second);

 private:
  /// The current state of a match.
  struct Scene {
    Position position;
    std::vector<std::vector<KnownTurn>> known;  // [role], if information is hidden
  };

  [[nodiscard]] std::vector<gdl::MoveId> draw();
  bool step(Scene& scene, gdl::JointMove joint);
  bool tell(Scene& scene, gdl::JointMove joint);
  [[nodiscard]] double share(const std::vector<int>& goals, gdl::RoleIndex seat) const;
  std::optional<Scene> opening();
  std::optional<double> play(Scene scene, Contestant& first, Contestant& second,
                             gdl::RoleIndex seat);
  bool list_moves(const Position& position);

  const Position& start_;
  const Deadline& end_;
  std::unique_ptr<gdl::Machine::Context> context_;
  gdl::Rng rng_;
  std::vector<gdl::RoleIndex> players_;
  std::vector<std::vector<gdl::MoveId>> legal_;  // [role]
};

}  // namespace ludens::search
