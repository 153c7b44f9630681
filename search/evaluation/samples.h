// SPDX-License-Identifier: MIT
// States that playouts reach, and how playouts from there end.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/machine/machine.h"
#include "gdl/memory/held_memory.h"

namespace ludens::search {

/// Rows of the fluents that hold in a state, and the mean goals of playouts from it.
class Samples {
 public:
  explicit Samples(std::size_t roles) : roles_(roles) {}

  [[nodiscard]] std::size_t size() const { return walks_.size(); }
  [[nodiscard]] std::size_t bytes() const {
    return gdl::bytes_of(fluents_, begin_, goals_, walks_);
  }
  [[nodiscard]] std::size_t role_count() const { return roles_; }
  [[nodiscard]] std::span<const gdl::FluentId> fluents(std::size_t row) const {
    return std::span(fluents_).subspan(begin_[row], begin_[row + 1] - begin_[row]);
  }
  /// The mean goal, 0..1.
  [[nodiscard]] double goal(std::size_t row, gdl::RoleIndex role) const {
    return goals_[row * roles_ + role];
  }
  /// Rows of one walk are similar, so a validation must keep them together.
  [[nodiscard]] std::uint32_t walk(std::size_t row) const { return walks_[row]; }

  /// Whether in each row the goals of the two roles add up to 1.
  [[nodiscard]] bool opposed(gdl::RoleIndex one, gdl::RoleIndex other) const;

  void add(std::span<const gdl::FluentId> fluents, std::span<const double> goals,
           std::uint32_t walk);
  /// Keeps only the latest rows.
  void forget_all_but(std::size_t rows);

 private:
  std::size_t roles_;
  std::vector<gdl::FluentId> fluents_;
  std::vector<std::size_t> begin_{0};
  std::vector<float> goals_;
  std::vector<std::uint32_t> walks_;
};

/// Random walks from a state, all in step so that they form a batch. Now and then a state is
/// recorded, and when there are enough of them, playouts determine their values.
class SampleWalks {
 public:
  /// The number of playouts from each state.
  static constexpr std::uint32_t kPlayouts = 4;

  /// All arguments, including the state, must outlive it. `first_walk`: the number of the first
  /// walk.
  SampleWalks(const gdl::Machine& machine, gdl::Machine::Context& context, gdl::StateView start,
              gdl::Rng& rng, std::uint32_t first_walk);

  /// Makes steps of all walks until a batch of states was recorded and played out. If not Ok, this
  /// batch is lost. Sets `walked` to false if no step is possible.
  gdl::Status gather(Samples& samples, bool& walked);
  /// The number of the next walk.
  [[nodiscard]] std::uint32_t next_walk() const { return next_walk_; }

 private:
  struct Walk {
    gdl::State state;
    std::uint32_t number = 0;
    std::uint32_t steps_left = 0;
  };
  gdl::Status measure_length();
  void begin(Walk& walk);
  gdl::Status step();
  void take_down(const Walk& walk, gdl::StateView state);
  gdl::Status play_out(Samples& samples);

  const gdl::Machine& machine_;
  gdl::Machine::Context& context_;
  gdl::StateView start_;
  gdl::Rng& rng_;
  std::uint32_t next_walk_;
  std::uint32_t length_ = 0;  // the longest walk; 0: not known yet
  std::vector<Walk> walks_;
  std::vector<std::vector<gdl::MoveId>> legal_;  // [role], of the start
  gdl::Expansion after_;                         // of the previous step; empty at the beginning
  std::vector<std::uint8_t> begun_anew_;         // [walk]: its legal moves are those of the start
  std::vector<gdl::MoveId> moves_;
  std::vector<gdl::StateMove> pairs_;
  gdl::StateBatch taken_;
  std::vector<std::uint32_t> taken_walks_;
  std::vector<gdl::StateView> starts_;
  gdl::PlayoutSums sums_;
  std::vector<gdl::FluentId> fluents_;
};

}  // namespace ludens::search
