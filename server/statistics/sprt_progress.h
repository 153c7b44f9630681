// SPDX-License-Identifier: MIT
// The sequential test over the blocks of a tournament, and as its stop rule.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "server/statistics/played_block.h"
#include "server/statistics/sprt.h"
#include "server/tournament/log.h"
#include "server/tournament/stop_rule.h"

namespace ludens::server {

/// The progress of the test. Blocks are taken in the order of the schedule, up to the first that is
/// not settled; so the result depends neither on how many matches are played at once, nor on
/// interruptions, nor on the machine. Blocks with an aborted match are settled and left out; so are
/// those after the decision.
struct SprtProgress {
  std::string first, second;
  SprtPlan plan;
  double lower = 0, upper = 0;
  double llr = 0;
  std::size_t blocks = 0;  // that were taken
  SprtDecision decision = SprtDecision::Undecided;
  std::size_t waiting = 0;    // complete blocks that are not taken yet because an earlier one is
                              // open
  std::vector<double> curve;  // LLR after each block taken
};

/// The advantage of the first player over the second in a block; nullopt unless both are in a
/// complete block.
std::optional<double> advantage(const PlayedBlock& block, const std::string& first,
                                const std::string& second);

/// `blocks` must be sorted by number, as from played_blocks. `shard` says which numbers there will
/// be.
SprtProgress sprt_progress(const SprtPlan& plan, const std::string& first,
                           const std::string& second, const Shard& shard,
                           std::span<const PlayedBlock> blocks);

/// "H1 accepted: mcts_400 is stronger than mcts_100 (...)", or "undecided ..."; one sentence.
std::string sentence(const SprtProgress& progress);

/// Stops a tournament when the test has decided.
class SprtRule final : public StopRule {
 public:
  SprtRule(const SprtPlan& plan, std::string first, std::string second);
  std::optional<std::string> block(std::span<const MatchResult> matches) override;

 private:
  Sprt test_;
  std::string first_, second_;
};

}  // namespace ludens::server
