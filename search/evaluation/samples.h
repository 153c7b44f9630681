// SPDX-License-Identifier: MIT
// States as playouts meet them, and how playouts from there end.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/machine/machine.h"
#include "gdl/memory/held_memory.h"

namespace ludens::search {

/// Rows of fluents that hold, and the mean goals of playouts from there.
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
  /// 0..1.
  [[nodiscard]] double goal(std::size_t row, gdl::RoleIndex role) const {
    return goals_[row * roles_ + role];
  }
  /// Rows of one walk are alike: who checks what was learned keeps them together.
  [[nodiscard]] std::uint32_t walk(std::size_t row) const { return walks_[row]; }

  /// Whether in each row one of two roles gets all that the other does not.
  [[nodiscard]] bool opposed(gdl::RoleIndex one, gdl::RoleIndex other) const;

  void add(std::span<const gdl::FluentId> fluents, std::span<const double> goals,
           std::uint32_t walk);
  /// Leaves the latest rows alone.
  void forget_all_but(std::size_t rows);

 private:
  std::size_t roles_;
  std::vector<gdl::FluentId> fluents_;
  std::vector<std::size_t> begin_{0};
  std::vector<float> goals_;
  std::vector<std::uint32_t> walks_;
};

/// Random walks from a state, all in step so that they are a batch; now and then a state is taken
/// down, and when there are enough of them playouts say what they are worth.
class SampleWalks {
 public:
  /// Playouts from each state.
  static constexpr std::uint32_t kPlayouts = 4;

  /// All must outlive it, the state too. `first_walk`: walks are numbered from there.
  SampleWalks(const gdl::Machine& machine, gdl::Machine::Context& context, gdl::StateView start,
              gdl::Rng& rng, std::uint32_t first_walk);

  /// Some steps of all walks, until a batch of states was taken down and played out. Not Ok: what
  /// this batch had is lost. False in `walked` if there is nowhere to go.
  gdl::Status gather(Samples& samples, bool& walked);
  /// The number that the next walk would have.
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
  std::uint32_t length_ = 0;  // of a walk at most; 0: not known yet
  std::vector<Walk> walks_;
  std::vector<std::vector<gdl::MoveId>> legal_;  // [role], of the start
  gdl::Expansion after_;                         // of the step before; empty at the beginning
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
