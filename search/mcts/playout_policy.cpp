// SPDX-License-Identifier: MIT
#include "search/mcts/playout_policy.h"

#include <utility>

#include "gdl/sliced/machine_network.h"
#include "search/mcts/policy_trial.h"

namespace ludens::search::mcts {

namespace {

constexpr unsigned kMostAttempts = 3;
/// The minimum time to find winning moves, for each gate of the game.
constexpr std::chrono::microseconds kTimePerGate{20};

}  // namespace

void PlayoutPolicyChoice::reset(std::shared_ptr<const gdl::Machine> machine) {
  machine_ = std::move(machine);
  player_ = machine_;
  workshop_.reset();
  explanation_.clear();
  attempts_ = 0;
  too_little_ = {};
  decided_ = wanted_ == "uniform" || (wanted_ == "auto" && by_counts_);
  if (decided_) drop_ground_rules();
}

/// No other policy will be made of them.
void PlayoutPolicyChoice::drop_ground_rules() const {
  if (const gdl::MachineNetwork* network = machine_->network()) network->drop_ground_rules();
}

void PlayoutPolicyChoice::settle(std::shared_ptr<const gdl::Machine> player, std::string why) {
  player_ = std::move(player);
  explanation_ = std::move(why);
  workshop_.reset();
  drop_ground_rules();
  decided_ = true;
}

std::optional<PlayoutMachine> PlayoutPolicyChoice::decision(const gdl::Machine& machine) const {
  if (!decided_ || machine_.get() != &machine) return std::nullopt;
  return PlayoutMachine{player_, explanation_};
}

void PlayoutPolicyChoice::decide(const Position& position, const Deadline& deadline,
                                 gdl::MemoryBudget* memory) {
  if (wanted_ == "auto" && decided_before_) {
    if (auto known = decided_before_(*machine_)) {
      return settle(std::move(known->machine), std::move(known->why));
    }
  }
  if (!by_counts_ && deadline.at() == TimePoint::max()) return;  // it may be stopped at any time
  if (!workshop_) workshop_ = std::make_unique<gdl::PolicyWorkshop>(machine_);
  if (const std::string reason = workshop_->refusal(); !reason.empty()) {
    return settle(machine_, "uniform: " + reason);
  }
  const auto left = deadline.at() - std::chrono::steady_clock::now();
  const auto least = static_cast<std::int64_t>(machine_->gates()) * kTimePerGate;
  if (!by_counts_ && (left < least || left / 2 < too_little_)) return;
  if (wanted_ == "auto") {
    PolicyTrial trial(*workshop_, position, deadline, memory, make_search_);
    if (auto result = trial.run()) settle(std::move(result->player), std::move(result->why));
  } else {
    build(*gdl::find_policy(wanted_), {&deadline, memory});
  }
  too_little_ = left;
  if (!decided_ && ++attempts_ == kMostAttempts) settle(machine_, "uniform: no time for a policy");
}

void PlayoutPolicyChoice::build(gdl::PlayoutPolicy policy, const gdl::Limits& limits) {
  gdl::PolicyMachine made = workshop_->make(policy, limits);
  if (made.machine != nullptr) {
    settle(std::move(made.machine), wanted_ + " in " + std::to_string(made.gates) + " gates");
  } else if (!limits.stop->stop_requested()) {
    settle(machine_, "uniform: " + made.reason);
  }
}

}  // namespace ludens::search::mcts
