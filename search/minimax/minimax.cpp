// SPDX-License-Identifier: MIT
#include "search/minimax/minimax.h"

#include "search/minimax/maxn_search.h"
#include "search/minimax/minimax_search.h"

namespace ludens::search {

namespace {

class Minimax final : public TreeStrategy {
 public:
  Minimax(std::string_view name, const Options& options, const Resources& resources,
          const MinimaxRules& rules)
      : TreeStrategy(name, options, resources), rules_(rules) {}

 private:
  std::unique_ptr<TreeSearch> make_search(const Position&) override {
    return std::make_unique<MinimaxSearch>(rules_, evaluation(), resources().trace);
  }

  MinimaxRules rules_;
};

class Maxn final : public TreeStrategy {
 public:
  Maxn(const Options& options, const Resources& resources)
      : TreeStrategy("maxn", options, resources),
        prune_(options.on("prune")),
        sum_(static_cast<double>(options.count("sum"))) {}

 private:
  std::unique_ptr<TreeSearch> make_search(const Position&) override {
    return std::make_unique<MaxnSearch>(evaluation(), prune_, sum_, resources().trace);
  }
  [[nodiscard]] bool guarantees() const override { return false; }

  bool prune_;
  double sum_;
};

}  // namespace

std::unique_ptr<Strategy> make_minimax(const Options& options, const Resources& resources) {
  return std::make_unique<Minimax>("minimax", options, resources, MinimaxRules{});
}

std::unique_ptr<Strategy> make_bounded(const Options& options, const Resources& resources) {
  MinimaxRules rules;
  rules.nothing = 0;
  rules.enough = static_cast<double>(options.count("threshold"));
  return std::make_unique<Minimax>("bounded", options, resources, rules);
}

std::unique_ptr<Strategy> make_paranoid(const Options& options, const Resources& resources) {
  MinimaxRules rules;
  rules.alpha_beta = true;
  return std::make_unique<Minimax>("paranoid", options, resources, rules);
}

std::unique_ptr<Strategy> make_expectimax(const Options& options, const Resources& resources) {
  MinimaxRules rules;
  rules.mean = true;
  const std::string& star = options.text("star");
  rules.star = star == "2" ? Star::Two : star == "1" ? Star::One : Star::Off;
  rules.alpha_beta = rules.star != Star::Off;
  return std::make_unique<Minimax>("expectimax", options, resources, rules);
}

std::unique_ptr<Strategy> make_maxn(const Options& options, const Resources& resources) {
  return std::make_unique<Maxn>(options, resources);
}

}  // namespace ludens::search
