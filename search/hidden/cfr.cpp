// SPDX-License-Identifier: MIT
#include "search/hidden/cfr.h"

#include <cstdio>

#include "search/hidden/equilibrium.h"
#include "search/strategy/first_choice.h"

namespace ludens::search {

namespace {

/// The share of the first thinking time in which all histories of the game are followed.
constexpr double kToFollow = 0.6;

class Cfr final : public Strategy {
 public:
  Cfr(const Options& options, const Resources& resources)
      : rng_(options.rng()),
        memory_(resources.memory != nullptr ? resources.memory : &own_memory_),
        most_(options.count("playouts")),
        histories_(options.count("nodes")) {}
  [[nodiscard]] std::string_view name() const override { return "cfr"; }
  [[nodiscard]] std::string explanation() const override { return explanation_; }

  void think(const Position& position, const Deadline& deadline, Incumbent& incumbent) override {
    explanation_.clear();
    const auto legal = publish_first(position, deadline, incumbent);
    if (legal.empty()) return;
    if (game_ != position.machine->vocabulary()) {
      equilibrium_.reset();
      game_ = position.machine->vocabulary();
      auto built =
          hidden::Equilibrium::build(*position.machine, to_build(deadline), memory_, histories_);
      problem_ = built ? "" : built.error().text;
      if (built) {
        equilibrium_ = *std::move(built);
      } else if (deadline.interrupted()) {
        game_.reset();  // there is time for another attempt
      }
    }
    if (equilibrium_ == nullptr) return play_by_chance(legal, problem_, incumbent);
    equilibrium_->improve(deadline, most_);
    auto choice = equilibrium_->choose(position, legal, gdl::Rng(rng_()));
    if (!choice && legal.size() > 1) {
      return play_by_chance(legal, "the rules do not lead to what is known", incumbent);
    }
    if (choice) incumbent.publish(*std::move(choice));
    char text[96];
    std::snprintf(text, sizeof text, "CFR+, %llu iterations, exploitability %.3g goal points",
                  static_cast<unsigned long long>(equilibrium_->iterations()),
                  equilibrium_->exploitability());
    explanation_ = text;
  }

 private:
  [[nodiscard]] Deadline to_build(const Deadline& deadline) const {
    return most_ != 0 ? deadline : deadline.share(kToFollow);
  }
  void play_by_chance(const std::vector<gdl::MoveId>& legal, const std::string& why,
                      Incumbent& incumbent) {
    Choice choice;
    choice.move = legal[rng_.below(static_cast<std::uint32_t>(legal.size()))];
    choice.value = kUnknownValue;
    incumbent.publish(std::move(choice));
    explanation_ = "plays by chance: " + why;
  }

  gdl::Rng rng_;
  gdl::MemoryBudget own_memory_{gdl::kUnbudgetedBytes};  // if none is given
  gdl::MemoryBudget* memory_;
  const std::uint64_t most_, histories_;
  std::shared_ptr<gdl::Vocabulary> game_;
  std::unique_ptr<hidden::Equilibrium> equilibrium_;
  std::string problem_;  // why there is none
  std::string explanation_;
};

}  // namespace

std::unique_ptr<Strategy> make_cfr(const Options& options, const Resources& resources) {
  return std::make_unique<Cfr>(options, resources);
}

}  // namespace ludens::search
