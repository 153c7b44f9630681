// SPDX-License-Identifier: MIT
#include "server/statistics/sprt_progress.h"

#include <utility>

#include "server/statistics/number_text.h"

namespace ludens::server {

namespace {

SprtProgress progress_of(const Sprt& test, const std::string& first, const std::string& second) {
  SprtProgress progress;
  progress.first = first;
  progress.second = second;
  progress.plan = test.plan();
  progress.lower = test.lower();
  progress.upper = test.upper();
  progress.llr = test.llr();
  progress.decision = test.decision();
  progress.blocks = test.blocks();
  return progress;
}

}  // namespace

std::optional<double> advantage(const PlayedBlock& block, const std::string& first,
                                const std::string& second) {
  const BlockScore* one = block.find(first);
  const BlockScore* other = block.find(second);
  if (one == nullptr || other == nullptr) return std::nullopt;
  return 0.5 + (one->score - other->score) / 2;
}

SprtProgress sprt_progress(const SprtPlan& plan, const std::string& first,
                           const std::string& second, const Shard& shard,
                           std::span<const PlayedBlock> blocks) {
  Sprt test(plan);
  std::vector<double> curve;
  std::size_t waiting = 0, expected = shard.index - 1;
  bool gap = false;
  for (const PlayedBlock& block : blocks) {
    gap = gap || block.number != expected || !block.settled;
    expected += shard.count;
    const std::optional<double> score = advantage(block, first, second);
    if (!score || test.decision() != SprtDecision::Undecided) continue;
    if (gap) {
      ++waiting;
      continue;
    }
    test.add(*score);
    curve.push_back(test.llr());
  }
  SprtProgress progress = progress_of(test, first, second);
  progress.waiting = waiting;
  progress.curve = std::move(curve);
  return progress;
}

std::string sentence(const SprtProgress& progress) {
  const SprtPlan& plan = progress.plan;
  const bool undecided = progress.decision == SprtDecision::Undecided;
  const bool h1 = progress.decision == SprtDecision::AcceptH1;
  const std::string elo0 = number_text("%g", plan.elo0), elo1 = number_text("%g", plan.elo1);
  std::string text =
      undecided ? "undecided whether " : std::string(name_of(progress.decision)) + " accepted: ";
  text += progress.first + " is ahead of " + progress.second + " by ";
  text += undecided ? elo0 + " or " + elo1 + " Elo"
                    : (h1 ? elo1 : elo0) + " Elo rather than " + (h1 ? elo0 : elo1);
  return text + " (LLR " + number_text("%.2f", progress.llr) + " in " +
         number_text("%.2f", progress.lower) + " .. " + number_text("%.2f", progress.upper) + ", " +
         std::to_string(progress.blocks) + (progress.blocks == 1 ? " block)" : " blocks)");
}

SprtRule::SprtRule(const SprtPlan& plan, std::string first, std::string second)
    : test_(plan), first_(std::move(first)), second_(std::move(second)) {}

std::optional<std::string> SprtRule::block(std::span<const MatchResult> matches) {
  for (const PlayedBlock& block : played_blocks(matches)) {
    if (const auto score = advantage(block, first_, second_)) test_.add(*score);
  }
  if (test_.decision() == SprtDecision::Undecided) return std::nullopt;
  return sentence(progress_of(test_, first_, second_));
}

}  // namespace ludens::server
