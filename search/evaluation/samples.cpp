// SPDX-License-Identifier: MIT
#include "search/evaluation/samples.h"

#include <algorithm>
#include <cmath>

namespace ludens::search {

namespace {

using gdl::Status;

constexpr std::uint32_t kStepCap = 1'000;
/// One in this many states of a walk is recorded, because neighbours are similar.
constexpr std::uint32_t kApart = 4;
constexpr std::uint32_t kShortest = 4, kLongest = 200;  // steps of a walk

}  // namespace

bool Samples::opposed(gdl::RoleIndex one, gdl::RoleIndex other) const {
  for (std::size_t row = 0; row < size(); ++row) {
    if (std::abs(goal(row, one) + goal(row, other) - 1) > 1e-6) return false;
  }
  return true;
}

void Samples::add(std::span<const gdl::FluentId> fluents, std::span<const double> goals,
                  std::uint32_t walk) {
  fluents_.insert(fluents_.end(), fluents.begin(), fluents.end());
  begin_.push_back(fluents_.size());
  goals_.insert(goals_.end(), goals.begin(), goals.end());
  walks_.push_back(walk);
}

void Samples::forget_all_but(std::size_t rows) {
  if (rows >= size()) return;
  const std::size_t first = size() - rows;
  const std::size_t words = begin_[first];
  const auto drop = [](auto& values, std::size_t count) {
    values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
  };
  drop(fluents_, words);
  drop(begin_, first);
  for (std::size_t& begin : begin_) begin -= words;
  drop(goals_, first * roles_);
  drop(walks_, first);
}

SampleWalks::SampleWalks(const gdl::Machine& machine, gdl::Machine::Context& context,
                         gdl::StateView start, gdl::Rng& rng, std::uint32_t first_walk)
    : machine_(machine),
      context_(context),
      start_(start),
      rng_(rng),
      next_walk_(first_walk),
      walks_(std::max<std::size_t>(8, machine.preferred_batch() / kPlayouts)),
      legal_(machine.role_count()),
      begun_anew_(walks_.size()) {}

/// A walk is at most about as long as a playout. Also finds the legal moves at the start.
Status SampleWalks::measure_length() {
  for (gdl::RoleIndex r = 0; r < legal_.size(); ++r) {
    const Status status = machine_.legal(context_, start_, r, legal_[r]);
    if (status != Status::Ok) return status;
  }
  starts_.assign(walks_.size(), start_);
  const Status status = machine_.playouts(context_, starts_, {.step_cap = kStepCap}, rng_, sums_);
  if (status != Status::Ok) return status;
  length_ =
      std::clamp(static_cast<std::uint32_t>(sums_.steps / walks_.size()), kShortest, kLongest);
  for (Walk& walk : walks_) begin(walk);
  std::ranges::fill(begun_anew_, 1);
  return Status::Ok;
}

void SampleWalks::begin(Walk& walk) {
  walk.state.assign(start_);
  walk.number = next_walk_++;
  walk.steps_left = 1 + rng_.below(length_);
}

/// Makes a random joint move in each walk.
Status SampleWalks::step() {
  const std::size_t roles = legal_.size();
  moves_.clear();
  for (std::size_t i = 0; i < walks_.size(); ++i) {
    for (gdl::RoleIndex r = 0; r < roles; ++r) {
      const std::span<const gdl::MoveId> legal =
          begun_anew_[i] != 0 ? std::span<const gdl::MoveId>(legal_[r]) : after_.legal(i, r, roles);
      moves_.push_back(legal[rng_.below(static_cast<std::uint32_t>(legal.size()))]);
    }
  }
  pairs_.clear();
  for (std::size_t i = 0; i < walks_.size(); ++i) {
    pairs_.push_back({walks_[i].state, std::span(moves_).subspan(i * roles, roles)});
  }
  const Status status = machine_.expand(context_, pairs_, after_);
  if (status != Status::Ok) return status;
  for (std::size_t i = 0; i < walks_.size(); ++i) {
    Walk& walk = walks_[i];
    bool stuck = after_.terminal[i] != 0;
    for (gdl::RoleIndex r = 0; r < roles && !stuck; ++r) {
      stuck = after_.legal(i, r, roles).empty();
    }
    if (!stuck && rng_.below(kApart) == 0) take_down(walk, after_.states[i]);
    begun_anew_[i] = stuck || --walk.steps_left == 0 ? 1 : 0;
    if (begun_anew_[i] != 0) {
      begin(walk);
    } else {
      walk.state.assign(after_.states[i]);
    }
  }
  return Status::Ok;
}

void SampleWalks::take_down(const Walk& walk, gdl::StateView state) {
  taken_.push_back(state);
  taken_walks_.push_back(walk.number);
}

Status SampleWalks::play_out(Samples& samples) {
  starts_.clear();
  for (std::size_t i = 0; i < taken_.size(); ++i) starts_.push_back(taken_[i]);
  Status status = machine_.playouts(context_, starts_,
                                    {.per_start = kPlayouts, .step_cap = kStepCap}, rng_, sums_);
  std::vector<double> goals(legal_.size());
  for (std::size_t i = 0; i < taken_.size() && status == Status::Ok; ++i) {
    const double made = 100.0 * std::max<std::uint32_t>(1, sums_.playouts[i]);
    for (std::size_t r = 0; r < goals.size(); ++r) {
      goals[r] = static_cast<double>(sums_.goals[i * goals.size() + r]) / made;
    }
    status = machine_.fluents(context_, taken_[i], fluents_);
    if (status == Status::Ok) samples.add(fluents_, goals, taken_walks_[i]);
  }
  return status;
}

Status SampleWalks::gather(Samples& samples, bool& walked) {
  constexpr unsigned kMostSteps = 64;  // in a game that ends at once there is nothing to record
  walked = true;
  Status status = length_ == 0 ? measure_length() : Status::Ok;
  if (status != Status::Ok) return status;
  walked = std::ranges::none_of(legal_, [](const auto& moves) { return moves.empty(); });
  taken_.clear();
  taken_walks_.clear();
  for (unsigned i = 0; i < kMostSteps && walked && taken_.size() < walks_.size(); ++i) {
    status = step();
    if (status != Status::Ok) return status;
  }
  walked = walked && taken_.size() > 0;
  return walked ? play_out(samples) : Status::Ok;
}

}  // namespace ludens::search
