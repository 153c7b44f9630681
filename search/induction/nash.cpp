// SPDX-License-Identifier: MIT
#include "search/induction/nash.h"

#include <cstdio>

#include "search/hidden/mixed_choice.h"
#include "search/induction/solved_game.h"
#include "search/strategy/first_choice.h"

namespace ludens::search {

namespace {

class Nash final : public Strategy {
 public:
  Nash(const Options& options, const Resources& resources)
      : seed_(options.rng()()),
        game_(BackwardInduction::Choices::Mixed, options.count("nodes"), resources) {}
  [[nodiscard]] std::string_view name() const override { return "nash"; }
  [[nodiscard]] std::string explanation() const override { return explanation_; }

  void think(const Position& position, const Deadline& deadline, Incumbent& incumbent) override {
    explanation_.clear();
    if (publish_first(position, deadline, incumbent).empty()) return;
    const auto index = game_.find(position, deadline);
    explanation_ = game_.failure();
    if (!index) return;
    const auto [moves, chances] = game_.induction().mixture(*index);
    if (moves.empty()) return;
    // The same answer whenever the position is asked about.
    gdl::Rng rng(seed_ + position.history.size());
    const std::size_t states = game_.induction().size();
    Choice choice = hidden::mixed_choice(moves, chances, {}, states, rng.uniform());
    choice.value = game_.induction().value(*index);
    choice.nodes = states;
    choice.exact = game_.induction().is_exact();
    char text[96];
    std::snprintf(text, sizeof text, "the equilibrium of %zu states guarantees %.2f", states,
                  choice.value);
    explanation_ = text;
    incumbent.publish(std::move(choice));
  }

 private:
  std::uint64_t seed_;
  SolvedGame game_;
  std::string explanation_;
};

}  // namespace

std::unique_ptr<Strategy> make_nash(const Options& options, const Resources& resources) {
  return std::make_unique<Nash>(options, resources);
}

}  // namespace ludens::search
