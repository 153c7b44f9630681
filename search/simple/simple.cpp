// SPDX-License-Identifier: MIT
#include "search/simple/simple.h"

#include "search/strategy/first_choice.h"

namespace ludens::search {

namespace {

class Legal final : public Strategy {
 public:
  [[nodiscard]] std::string_view name() const override { return "legal"; }
  [[nodiscard]] bool looks_ahead() const override { return false; }
  void think(const Position& position, const Deadline& deadline, Incumbent& incumbent) override {
    publish_first(position, deadline, incumbent);
  }
};

class Random final : public Strategy {
 public:
  explicit Random(gdl::Rng rng) : rng_(rng) {}
  [[nodiscard]] std::string_view name() const override { return "random"; }
  [[nodiscard]] bool looks_ahead() const override { return false; }
  void think(const Position& position, const Deadline& deadline, Incumbent& incumbent) override {
    const std::vector<gdl::MoveId> moves = publish_first(position, deadline, incumbent);
    if (moves.empty()) return;
    Choice choice;
    choice.move = moves[rng_.below(static_cast<std::uint32_t>(moves.size()))];
    choice.value = kUnknownValue;
    incumbent.publish(std::move(choice));
  }

 private:
  gdl::Rng rng_;
};

}  // namespace

std::unique_ptr<Strategy> make_legal(const Options&, const Resources&) {
  return std::make_unique<Legal>();
}

std::unique_ptr<Strategy> make_random(const Options& options, const Resources&) {
  return std::make_unique<Random>(options.rng());
}

}  // namespace ludens::search
