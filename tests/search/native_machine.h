// SPDX-License-Identifier: MIT
// Small games written as machines, for tests of searches that need more than a drawn tree.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "gdl/machine/machine.h"

namespace ludens::search::test {

/// A game by its rules alone: a state is one word, moves are small numbers.
class NativeGame {
 public:
  virtual ~NativeGame() = default;
  [[nodiscard]] virtual std::size_t role_count() const = 0;
  [[nodiscard]] virtual std::optional<gdl::RoleIndex> random() const { return std::nullopt; }
  [[nodiscard]] virtual std::uint64_t start() const = 0;
  [[nodiscard]] virtual std::vector<gdl::MoveId> legal(std::uint64_t state,
                                                       gdl::RoleIndex role) const = 0;
  [[nodiscard]] virtual std::uint64_t next(std::uint64_t state, gdl::JointMove move) const = 0;
  /// Goals, if the game is over.
  [[nodiscard]] virtual std::optional<std::vector<int>> result(std::uint64_t state) const = 0;
};

/// A native game as a machine, with the default batch calls. `mask` is laid over the words of its
/// states: two machines of one game and one vocabulary with different masks do not understand each
/// other's states.
class NativeMachine : public gdl::Machine {
 public:
  explicit NativeMachine(std::shared_ptr<const NativeGame> game)
      : NativeMachine(game, vocabulary_for(*game), 0) {}
  NativeMachine(std::shared_ptr<const NativeGame> game, std::shared_ptr<gdl::Vocabulary> vocabulary,
                std::uint64_t mask)
      : game_(std::move(game)), vocabulary_(std::move(vocabulary)), mask_(mask) {}

  [[nodiscard]] std::string_view name() const override { return "native"; }
  [[nodiscard]] const std::shared_ptr<gdl::Vocabulary>& vocabulary() const override {
    return vocabulary_;
  }
  [[nodiscard]] std::unique_ptr<Context> make_context(const gdl::Limits& limits) const override {
    return std::make_unique<Context>(limits);
  }
  gdl::Status initial(Context&, gdl::State& out) const override {
    out.words() = {game_->start() ^ mask_};
    return gdl::Status::Ok;
  }
  gdl::Status legal(Context&, gdl::StateView state, gdl::RoleIndex role,
                    std::vector<gdl::MoveId>& out) const override {
    out = game_->legal(read(state), role);
    return gdl::Status::Ok;
  }
  gdl::Status next(Context&, gdl::StateView state, gdl::JointMove move,
                   gdl::State& out) const override {
    out.words() = {game_->next(read(state), move) ^ mask_};
    return gdl::Status::Ok;
  }
  gdl::Status terminal(Context&, gdl::StateView state, bool& out) const override {
    out = game_->result(read(state)).has_value();
    return gdl::Status::Ok;
  }
  gdl::Status goals(Context&, gdl::StateView state, std::span<int> out) const override {
    const auto result = game_->result(read(state));
    for (std::size_t r = 0; r < out.size(); ++r) out[r] = result ? (*result)[r] : 0;
    return gdl::Status::Ok;
  }
  gdl::Status fluents(Context&, gdl::StateView, std::vector<gdl::FluentId>& out) const override {
    out.clear();
    return gdl::Status::Ok;
  }

  /// A vocabulary that knows the roles and no names.
  static std::shared_ptr<gdl::Vocabulary> vocabulary_for(const NativeGame& game) {
    auto rules = std::make_shared<gdl::Rules>();
    rules->roles.resize(game.role_count());
    rules->random = game.random();
    return std::make_shared<gdl::Vocabulary>(std::move(rules));
  }

 private:
  [[nodiscard]] std::uint64_t read(gdl::StateView state) const { return state.words()[0] ^ mask_; }

  std::shared_ptr<const NativeGame> game_;
  std::shared_ptr<gdl::Vocabulary> vocabulary_;
  std::uint64_t mask_;
};

/// A machine that knows of its one role's goals that none but some values can be reached.
class KnownGoals final : public NativeMachine {
 public:
  KnownGoals(std::shared_ptr<const NativeGame> game, const std::vector<int>& values)
      : NativeMachine(std::move(game)) {
    structure_.goals.emplace_back();
    for (const int value : values) structure_.goals[0].push_back({value, {}, {}});
  }
  [[nodiscard]] const gdl::Structure& structure() const override { return structure_; }

 private:
  gdl::Structure structure_;
};

/// Crosses are role 0, noughts role 1; move 0..8 marks a cell, 9 waits.
class TicTacToe : public NativeGame {
 public:
  static constexpr gdl::MoveId kWait = 9;
  [[nodiscard]] std::size_t role_count() const override { return 2; }
  [[nodiscard]] std::uint64_t start() const override { return 0; }
  [[nodiscard]] std::vector<gdl::MoveId> legal(std::uint64_t state,
                                               gdl::RoleIndex role) const override {
    if (turn(state) != role) return {kWait};
    std::vector<gdl::MoveId> moves;
    for (gdl::MoveId cell = 0; cell < 9; ++cell) {
      if (((state | state >> 9) >> cell & 1) == 0) moves.push_back(cell);
    }
    return moves;
  }
  [[nodiscard]] std::uint64_t next(std::uint64_t state, gdl::JointMove move) const override {
    const gdl::RoleIndex role = turn(state);
    return (state | std::uint64_t{1} << (9 * role + move[role])) ^ std::uint64_t{1} << 18;
  }
  [[nodiscard]] std::optional<std::vector<int>> result(std::uint64_t state) const override {
    if (has_line(state)) return std::vector{100, 0};
    if (has_line(state >> 9)) return std::vector{0, 100};
    if (((state | state >> 9) & 0x1ff) == 0x1ff) return std::vector{50, 50};
    return std::nullopt;
  }

 private:
  static gdl::RoleIndex turn(std::uint64_t state) { return state >> 18 & 1; }
  static bool has_line(std::uint64_t marks) {
    for (const std::uint64_t line : {0x7, 0x38, 0x1c0, 0x49, 0x92, 0x124, 0x111, 0x54}) {
      if ((marks & line) == line) return true;
    }
    return false;
  }
};

/// Two roles show rock (0), paper (1) or scissors (2) at once, `rounds` times; a round won is worth
/// the more of 100 points, a drawn one half of it.
class RockPaperScissors final : public NativeGame {
 public:
  explicit RockPaperScissors(std::uint64_t rounds) : rounds_(rounds) {}
  [[nodiscard]] std::size_t role_count() const override { return 2; }
  [[nodiscard]] std::uint64_t start() const override { return 0; }  // round * 256 + points
  [[nodiscard]] std::vector<gdl::MoveId> legal(std::uint64_t, gdl::RoleIndex) const override {
    return {0, 1, 2};
  }
  [[nodiscard]] std::uint64_t next(std::uint64_t state, gdl::JointMove move) const override {
    static constexpr std::uint64_t kPoints[] = {1, 2, 0};  // of role 0: draw, win, loss
    return state + 256 + kPoints[(move[0] + 3 - move[1]) % 3];
  }
  [[nodiscard]] std::optional<std::vector<int>> result(std::uint64_t state) const override {
    if (state / 256 < rounds_) return std::nullopt;
    const int goal = static_cast<int>(100 * (state % 256) / (2 * rounds_));
    return std::vector{goal, 100 - goal};
  }

 private:
  std::uint64_t rounds_;
};

/// Turns a dial for ever: a game without end, every position of which recurs.
class Dial final : public NativeGame {
 public:
  [[nodiscard]] std::size_t role_count() const override { return 1; }
  [[nodiscard]] std::uint64_t start() const override { return 0; }
  [[nodiscard]] std::vector<gdl::MoveId> legal(std::uint64_t, gdl::RoleIndex) const override {
    return {0, 1};
  }
  [[nodiscard]] std::uint64_t next(std::uint64_t state, gdl::JointMove move) const override {
    return (state + (move[0] == 0 ? 1 : 11)) % 12;
  }
  [[nodiscard]] std::optional<std::vector<int>> result(std::uint64_t) const override {
    return std::nullopt;
  }
};

}  // namespace ludens::search::test
