// SPDX-License-Identifier: MIT
#include "search/minimax/compulsive.h"

#include "search/minimax/minimax_search.h"
#include "search/minimax/reach_search.h"

namespace ludens::search {

namespace {

class Compulsive final : public TreeStrategy {
 public:
  Compulsive(const Options& options, const Resources& resources)
      : TreeStrategy("compulsive", options, resources),
        threshold_(static_cast<double>(options.count("threshold"))) {}

 private:
  std::unique_ptr<TreeSearch> make_search(const Position& position) override {
    if (position.machine->role_count() == 1) {
      return std::make_unique<ReachSearch>(threshold_, resources().memory);
    }
    MinimaxRules rules;
    rules.nothing = 0;
    rules.enough = threshold_;
    rules.mean = true;
    return std::make_unique<MinimaxSearch>(rules, make_no_evaluation(), resources().trace);
  }

  double threshold_;
};

}  // namespace

std::unique_ptr<Strategy> make_compulsive(const Options& options, const Resources& resources) {
  return std::make_unique<Compulsive>(options, resources);
}

}  // namespace ludens::search
