// SPDX-License-Identifier: MIT
#include "search/hidden/belief.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "search/hidden/continuations.h"
#include "search/hidden/fitting_search.h"

namespace ludens::search::hidden {

namespace {

/// All continuations are tried if they are at most this many times as many as may be kept: for all
/// histories, and for a sample.
constexpr double kTriesOfAll = 64, kTriesOfSample = 1;
/// Continuations that are drawn for each that may be kept.
constexpr std::size_t kDraws = 16;
/// If a sample has fewer histories than this, more are searched for.
constexpr std::size_t kFew = 64;
/// Batches of that search after a history was found.
constexpr std::size_t kBatches = 16;

/// Keeps at most `most` of them, drawn by weight: the weight of a history is multiplied by the
/// number of its draws (systematic resampling).
Histories thin_out(const Histories& histories, std::size_t most, gdl::Rng& rng) {
  Histories kept{.roles = histories.roles, .turns = histories.turns};
  const auto& weights = histories.weights;
  const double step =
      std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(most);
  // The k-th is drawn at (k + offset) steps of the sum of weights.
  const double offset = rng.uniform();
  double sum = 0, drawn = 0;
  for (std::size_t i = 0; i < histories.size(); ++i) {
    sum += weights[i];
    const double up_to = std::ceil(sum / step - offset);
    if (up_to <= drawn) continue;
    kept.append(histories, i);
    kept.weights.back() = up_to - drawn;
    drawn = up_to;
  }
  return kept;
}

/// Adds those of `more` that are not there yet. All weights are then probabilities.
void add_others(const Histories& more, Histories& histories) {
  std::vector<std::vector<gdl::MoveId>> known;
  for (std::size_t i = 0; i < histories.size(); ++i) {
    const auto history = histories.history(i);
    known.emplace_back(history.begin(), history.end());
  }
  std::ranges::sort(known);
  for (std::size_t i = 0; i < more.size(); ++i) {
    const auto history = more.history(i);
    const bool there =
        std::ranges::binary_search(known, std::vector<gdl::MoveId>(history.begin(), history.end()));
    if (!there) histories.append(more, i);
  }
  const double most = *std::ranges::max_element(histories.chances);
  for (std::size_t i = 0; i < histories.size(); ++i) {
    histories.weights[i] = std::exp(histories.chances[i] - most);
  }
}

}  // namespace

Belief::Belief(std::shared_ptr<const gdl::Machine> machine, gdl::RoleIndex role,
               const BeliefOptions& options)
    : machine_(std::move(machine)), role_(role), options_(options), rng_(options.seed) {
  options_.most = std::max<std::size_t>(1, options_.most);
  histories_.roles = machine_->role_count();
}

gdl::Status Belief::begin(const gdl::StopSignal& stop) {
  Histories beginning;
  auto status = begin_histories(*machine_, *make_context(*machine_, stop), beginning);
  if (status == gdl::Status::Ok) status = settle(std::move(beginning), true, false);
  if (status == gdl::Status::Ok) turns_.clear();
  return status;
}

gdl::Status Belief::advance(const KnownTurn& turn, const gdl::StopSignal& stop, MatchPhase match) {
  if (!begun()) {
    if (const auto status = begin(stop); status != gdl::Status::Ok) return status;
  }
  if (empty()) return gdl::Status::Ok;
  const auto context = make_context(*machine_, stop);
  TurnFilter filter(*machine_, *context, role_);
  const double joints = joint_moves(histories_, role_, turn.own);
  const double tries = exact_ ? kTriesOfAll : kTriesOfSample;
  const std::size_t most = options_.most;
  Continued next;
  if (joints <= tries * static_cast<double>(most)) {
    next = enumerate(histories_, role_, turn, match, most, filter);
  }
  bool exact = exact_ && next.complete;
  const bool overflows = next.histories.size() > most;
  if (!next.complete && next.status == gdl::Status::Ok) {
    next = sample(histories_, role_, turn, match, most, kDraws * most, filter, rng_);
  }
  if (!exact && next.status == gdl::Status::Ok && next.histories.size() < std::min(kFew, most)) {
    std::vector<KnownTurn> turns = turns_;
    turns.push_back(turn);
    Histories beginning;
    next.status = begin_histories(*machine_, *context, beginning);
    if (next.status == gdl::Status::Ok) {
      auto found = FittingSearch(turns, match, role_, filter, rng_)
                       .run(std::move(beginning), {most, kBatches});
      if (found.found.size() > 0) add_others(found.found, next.histories);
      exact = found.exhausted && (!found.merged || next.histories.size() == 0);
      next.status = found.status;
    }
  }
  if (next.status != gdl::Status::Ok && next.histories.size() == 0) return next.status;
  const gdl::Status settled = settle(std::move(next.histories), exact, overflows);
  if (settled == gdl::Status::Ok) turns_.push_back(turn);
  return settled;
}

gdl::Status Belief::follow(std::span<const KnownTurn> known, const gdl::StopSignal& stop) {
  const bool goes_on =
      turns_.size() <= known.size() && std::ranges::equal(turns_, known.first(turns_.size()));
  if (!goes_on || !begun()) {
    if (const auto status = begin(stop); status != gdl::Status::Ok) return status;
  }
  while (turns_.size() < known.size() && !empty()) {
    if (const auto s = advance(known[turns_.size()], stop); s != gdl::Status::Ok) return s;
  }
  return gdl::Status::Ok;
}

gdl::Status Belief::change_machine(std::shared_ptr<const gdl::Machine> machine,
                                   const gdl::StopSignal& stop) {
  const auto context = make_context(*machine, stop);
  Histories beginning;
  if (const auto s = begin_histories(*machine, *context, beginning); s != gdl::Status::Ok) return s;
  gdl::State initial(beginning.states[0]);
  std::vector<gdl::StateMove> pairs(size(), {initial, {}});
  gdl::Expansion last, before;
  for (std::size_t turn = 0; turn < histories_.turns && !pairs.empty(); ++turn) {
    for (std::size_t i = 0; i < size(); ++i) {
      if (turn > 0) pairs[i].state = before.states[i];
      pairs[i].move = history(i).subspan(turn * histories_.roles, histories_.roles);
    }
    if (const auto s = machine->expand(*context, pairs, last); s != gdl::Status::Ok) return s;
    std::swap(last, before);
  }
  if (histories_.turns > 0) {
    histories_.states = std::move(before.states);
  } else if (!empty()) {
    histories_.states = std::move(beginning.states);
  }
  machine_ = std::move(machine);
  return gdl::Status::Ok;
}

std::size_t Belief::likeliest() const {
  const std::vector<double>& weights = histories_.weights;
  return static_cast<std::size_t>(std::ranges::max_element(weights) - weights.begin());
}

/// Makes these the histories that fit; keeps fewer of them if there is no memory for all.
/// `overflows`: whether more than may be kept are known even if these are fewer.
gdl::Status Belief::settle(Histories found, bool exact, bool overflows) {
  std::size_t most = options_.most;
  overflows = overflows || found.size() > most;
  auto held = std::make_unique<gdl::HeldMemory>();
  for (;;) {
    if (found.size() > most) {
      found = thin_out(found, most, rng_);
      exact = false;
    }
    if (held->reserve(found.bytes(), options_.memory)) break;
    if (most == 1) return gdl::Status::OverBudget;
    most = std::min(most, found.size()) / 2;
    most = std::max<std::size_t>(1, most);
  }
  const double sum = std::accumulate(found.weights.begin(), found.weights.end(), 0.0);
  for (double& weight : found.weights) weight /= sum;
  cumulative_ = CumulativeWeights(found.weights);
  histories_ = std::move(found);
  exact_ = exact;
  overflows_ = overflows;
  held_ = std::move(held);
  return gdl::Status::Ok;
}

}  // namespace ludens::search::hidden
