// SPDX-License-Identifier: MIT
#include "search/mcts/policy_trial.h"

#include <algorithm>
#include <cstdio>

#include "gdl/policy/win_share.h"
#include "search/mcts/policy_contest.h"

namespace ludens::search::mcts {

namespace {

/// About 10 ms in small games.
constexpr std::uint64_t kPairs = 200'000;
/// The share of states with a winning move; below it, policies have no effect.
constexpr double kLeastWins = 0.005;
/// The share of states in which a role may keep the turn, above which no policy is taken unseen.
/// Public games have less than 0.11 or more than 0.59.
constexpr double kMostKeeping = 0.35;
/// Matches begin only if there is this much time for them.
constexpr Seconds kLeastTime{0.3};
constexpr Seconds kMostTime{6};
constexpr std::uint64_t kProbePlayouts = 8'192;
/// Iterations per move in the matches: few enough for many matches, more than there are moves.
constexpr double kLeastIterations = 256, kMostIterations = 4'096;
/// Matches that each policy should have the time for, and about as many plies.
constexpr double kWantedMatches = 40, kPlies = 40;
/// The share of the time for matches against uniform playouts, if more than one policy wins these.
constexpr double kAgainstUniform = 0.5;
/// The policies that are tried. If roles move simultaneously, a player that only tries to win
/// quickly loses to one that considers what it allows, and short matches don't show that.
constexpr gdl::PlayoutPolicy kInTurn[] = {gdl::PlayoutPolicy::Decisive,
                                          gdl::PlayoutPolicy::HalfBlock, gdl::PlayoutPolicy::Block,
                                          gdl::PlayoutPolicy::Avoid};
constexpr gdl::PlayoutPolicy kAtOnce[] = {gdl::PlayoutPolicy::Avoid};
/// The default if matches don't decide: the first of these that is tried and that a game has.
constexpr gdl::PlayoutPolicy kRuleOfThumb[] = {
    gdl::PlayoutPolicy::HalfBlock, gdl::PlayoutPolicy::Decisive, gdl::PlayoutPolicy::Avoid};

}  // namespace

PolicyTrial::Result PolicyTrial::uniform(std::string why) const {
  return {position_.machine, "uniform: " + std::move(why)};
}

Seconds PolicyTrial::left() const {
  if (end_.at() == TimePoint::max()) return kMostTime;
  return std::min(kMostTime, time_left(end_));
}

std::optional<PolicyTrial::Result> PolicyTrial::run() {
  const auto context = position_.machine->make_context({&end_, memory_});
  gdl::Rng rng(1);
  const gdl::WinShare wins =
      gdl::measure_win_share(*position_.machine, *context, position_.state, kPairs, rng);
  if (wins.states == 0) {
    if (end_.stop_requested()) return std::nullopt;
    return uniform("no role has a choice");
  }
  char text[64];
  std::snprintf(text, sizeof text, "a winning move in %.1f %% of states", wins.share() * 100);
  log_ = text;
  const bool at_once = 2 * wins.at_once > wins.states;
  tried_ = at_once ? std::span<const gdl::PlayoutPolicy>(kAtOnce) : kInTurn;
  if (wins.share() < kLeastWins) return uniform(log_);
  if (wins.keeping_share() > kMostKeeping) {
    std::snprintf(text, sizeof text, ", a move that keeps the turn in %.0f %%",
                  wins.keeping_share() * 100);
    log_ += text;
    may_keep_turn_ = true;
  }
  if (left() < kLeastTime) return without_matches();
  if (!build()) {
    if (end_.stop_requested()) return std::nullopt;
    return uniform(log_);
  }
  if (left() >= kLeastTime && set_up()) play();
  return verdict();
}

/// The number of legal moves of the role that has the most.
double PolicyTrial::most_legal_moves() const {
  const auto context = position_.machine->make_context({&end_, memory_});
  std::size_t most = 0;
  std::vector<gdl::MoveId> legal;
  for (gdl::RoleIndex r = 0; r < position_.machine->role_count(); ++r) {
    const auto status = position_.machine->legal(*context, position_.state, r, legal);
    if (status == gdl::Status::Ok) most = std::max(most, legal.size());
  }
  return static_cast<double>(most);
}

std::optional<PolicyTrial::Result> PolicyTrial::without_matches() {
  if (may_keep_turn_) return uniform(log_);
  for (const gdl::PlayoutPolicy policy : kRuleOfThumb) {
    if (std::ranges::find(tried_, policy) == tried_.end()) continue;
    gdl::PolicyMachine made = workshop_.make(policy, {&end_, memory_});
    if (made.machine != nullptr) {
      return Result{made.machine, std::string(to_string(policy)) + " without a trial: " + log_};
    }
    if (end_.stop_requested()) return std::nullopt;
    log_ += ", " + made.reason;
  }
  return uniform(log_);
}

/// False if no policy can be built, or if there is no time. Those after the first, which are larger
/// and larger, get a third of the remaining time each, so that some remains for matches.
bool PolicyTrial::build() {
  candidates_.push_back({"uniform", position_.machine});
  for (const gdl::PlayoutPolicy policy : tried_) {
    const bool first = candidates_.size() == 1;
    const Deadline end = first ? end_ : within(end_, left() / 3);
    gdl::PolicyMachine made = workshop_.make(policy, {&end, memory_});
    if (made.machine != nullptr) {
      candidates_.push_back({to_string(policy), std::move(made.machine)});
    } else if (first) {
      log_ += ", " + made.reason;
      return false;  // the others are larger
    }
  }
  return true;
}

/// Gives each as many playouts as it makes in the same time.
bool PolicyTrial::set_up() {
  std::vector<double> rates;
  for (const Candidate& c : candidates_) {
    const auto rate =
        search_rate(c.machine, position_, *make_search_(kProbePlayouts, memory_), end_);
    if (!rate) return false;
    rates.push_back(*rate);
  }
  const double matches = kWantedMatches * static_cast<double>(candidates_.size() - 1);
  const double seconds_per_move = left().count() / (matches * kPlies);
  const double slowest = std::ranges::min(rates);
  // Where the turn may be kept, a search without a tree doesn't see the threats that matter.
  const double least = may_keep_turn_
                           ? std::max(kLeastIterations, kIterationsForATree * most_legal_moves())
                           : kLeastIterations;
  const double iterations =
      std::clamp(slowest * seconds_per_move, least, std::max(least, kMostIterations));
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const double playouts = iterations * rates[i] / slowest * 4;
    candidates_[i].contestant = std::make_unique<PlayoutContestant>(
        candidates_[i].machine, make_search_(static_cast<std::uint64_t>(playouts), memory_));
  }
  return true;
}

void PolicyTrial::play() {
  const Deadline end = within(end_, left());
  SelfMatch match(position_, end, memory_, 1);
  if (!match.possible()) return;
  std::vector<std::string_view> names;
  for (const Candidate& c : policies()) names.push_back(c.name);
  const auto contestant = [&](std::size_t policy) -> Contestant& {
    return *candidates_[policy == PolicyContest::kUniform ? 0 : policy + 1].contestant;
  };
  PolicyContest contest(std::move(names), [&](std::size_t one, std::size_t other) {
    return match.play_pair(contestant(one), contestant(other));
  });
  contest.run(within(end, left() * kAgainstUniform), end);
  log_ += ", " + contest.explanation();
  for (std::size_t p = 0; p < policies().size(); ++p) policies()[p].score = contest.score(p);
  if (const auto winner = contest.winner()) best_ = &policies()[*winner];
}

/// If no policy is surely better than uniform playouts, it takes the one of the rule of thumb,
/// unless it lost or must be seen to win.
PolicyTrial::Result PolicyTrial::verdict() const {
  const Candidate* best = best_;
  if (best == nullptr && !may_keep_turn_) best = usual();
  if (best == nullptr || best->score.mean() < 0.5) return uniform(log_);
  return {best->machine, std::string(best->name) + ": " + log_};
}

const PolicyTrial::Candidate* PolicyTrial::usual() const {
  for (const gdl::PlayoutPolicy policy : kRuleOfThumb) {
    const auto found = std::ranges::find(policies(), to_string(policy), &Candidate::name);
    if (found != policies().end()) return &*found;
  }
  return nullptr;
}

}  // namespace ludens::search::mcts
