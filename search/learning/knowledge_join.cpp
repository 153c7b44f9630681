// SPDX-License-Identifier: MIT
#include "search/learning/knowledge_join.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "search/learning/growth.h"

namespace ludens::search {

namespace {

/// Larger sums of absolute errors are reduced to this one, and the sums of errors with them, so
/// that rates stay as they are. What a part adds to a base is the difference of floats, in which a
/// few errors would be lost beside a much larger sum.
constexpr double kMostErrorSize = 1 << 20;
/// How much a part counts at least that has moved a weight: its errors may be too small to be seen
/// in that difference.
constexpr double kLeastCounted = 1e-9;

constexpr const char* kOtherForm =
    "its variables, symmetries or tuples are not those of the base; learn it from the base";
constexpr const char* kLessThanBase =
    "something was learned less often than in the base; learn it from the base";

/// What was done after `base`; nullopt if that is less than nothing.
std::optional<LearningStatistics> since(const LearningStatistics& base,
                                        const LearningStatistics& part) {
  if (part.games < base.games || part.cut < base.cut || part.plies < base.plies ||
      part.evaluated < base.evaluated || part.seconds < base.seconds ||
      part.expanding < base.expanding) {
    return std::nullopt;
  }
  return LearningStatistics{part.games - base.games,     part.cut - base.cut,
                            part.plies - base.plies,     part.evaluated - base.evaluated,
                            part.seconds - base.seconds, part.expanding - base.expanding};
}

}  // namespace

KnowledgeJoin::KnowledgeJoin(Knowledge base)
    : base_(std::move(base)), learned_(base_.weights.size()) {}

std::optional<std::string> KnowledgeJoin::add(Knowledge part) {
  if (part.shape != base_.shape || part.waits != base_.waits ||
      !one_extends_the_other(part.form, base_.form)) {
    return kOtherForm;
  }
  const auto done = since(base_.statistics, part.statistics);
  if (!done) return kLessThanBase;
  extend_to_same_form(part);
  for (std::size_t i = 0; i < learned_.size(); ++i) {
    if (part.weights[i].error_size < base_.weights[i].error_size) return kLessThanBase;
  }
  for (std::size_t i = 0; i < learned_.size(); ++i) {
    learned_[i].add(base_.weights[i], part.weights[i]);
  }
  const double longest = std::max(learned_statistics_.seconds, done->seconds);
  learned_statistics_ += *done;
  learned_statistics_.seconds = longest;
  return std::nullopt;
}

void KnowledgeJoin::Learned::add(const TrainedWeight& base, const TrainedWeight& part) {
  const double move = static_cast<double>(part.value) - base.value;
  const double size = static_cast<double>(part.error_size) - base.error_size;
  const double counts = move == 0 ? size : std::max(size, kLeastCounted);
  moves += move * counts;
  counted += counts;
  squares += counts * counts;
  error_sum += static_cast<double>(part.error_sum) - base.error_sum;
  error_size += size;
}

TrainedWeight KnowledgeJoin::Learned::joined(const TrainedWeight& base) const {
  if (counted == 0) return base;
  const double parts = counted * counted / squares;  // as many that count the same
  const double coherence = error_size == 0 ? 0 : std::min(1.0, std::abs(error_sum) / error_size);
  const double size = base.error_size + error_size;
  const double scale = size > kMostErrorSize ? kMostErrorSize / size : 1;
  TrainedWeight all;
  all.value = static_cast<float>(base.value + moves / counted * (1 + coherence * (parts - 1)));
  all.error_size = static_cast<float>(scale * size);
  all.error_sum = std::clamp(static_cast<float>(scale * (base.error_sum + error_sum)),
                             -all.error_size, all.error_size);
  return all;
}

void KnowledgeJoin::extend_to_same_form(Knowledge& part) {
  const std::size_t tables = base_.shape.tables();
  if (part.form.tuples.size() < base_.form.tuples.size()) {
    part.weights = extended(part.weights, tables, part.form, base_.form);
  } else if (part.form.tuples.size() > base_.form.tuples.size()) {
    base_.weights = extended(base_.weights, tables, base_.form, part.form);
    learned_ = extended(learned_, tables, base_.form, part.form);
    base_.form = std::move(part.form);
  }
}

Knowledge KnowledgeJoin::joined() const {
  Knowledge all = base_;
  all.statistics += learned_statistics_;
  std::ranges::transform(
      learned_, base_.weights, all.weights.begin(),
      [](const Learned& learned, const TrainedWeight& base) { return learned.joined(base); });
  return all;
}

}  // namespace ludens::search
