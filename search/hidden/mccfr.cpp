// SPDX-License-Identifier: MIT
#include "search/hidden/mccfr.h"

#include <algorithm>
#include <optional>

#include "search/hidden/mccfr_search.h"
#include "search/hidden/mixed_choice.h"
#include "search/hidden/roots.h"
#include "search/strategy/first_choice.h"

namespace ludens::search {

namespace {

constexpr std::uint64_t kExternalTraversals = 16;
/// The traversals of the first passes, and the number of earlier traversals per traversal of a
/// later pass.
constexpr std::uint64_t kFirstPass = 8, kPasses = 64;

class Mccfr final : public Strategy {
 public:
  Mccfr(const Options& options, const Resources& resources)
      : rng_(options.rng()),
        sets_(resources.memory, hidden::bytes_for_sets(options.count("memory"), resources.memory)),
        memory_(resources.memory),
        policy_{.external = options.text("sampling") == "external"},
        most_(options.count("playouts")) {}
  [[nodiscard]] std::string_view name() const override { return "mccfr"; }
  [[nodiscard]] std::string explanation() const override { return explanation_; }

  void think(const Position& position, const Deadline& deadline, Incumbent& incumbent) override {
    explanation_.clear();
    const auto legal = publish_first(position, deadline, incumbent);
    if (legal.empty()) return;
    if (game_ != position.machine->vocabulary()) {
      game_ = position.machine->vocabulary();
      sets_.clear();
      done_ = 0;
    }
    if (machine_ != position.machine) {
      search_.reset();
      machine_ = position.machine;
      search_.emplace(*machine_, policy_, sets_, rng_, memory_);
    }
    std::uint64_t pass = policy_.external ? kExternalTraversals : machine_->preferred_batch();
    const std::uint64_t before = search_->states();
    std::uint64_t now = 0;
    bool too_large = false;
    while (!deadline.stop_requested() && !too_large && (most_ == 0 || now < most_)) {
      // All traversals of a pass use what was known before it, so the first passes are short.
      std::uint64_t count = std::min(pass, kFirstPass + (done_ + now) / kPasses);
      if (most_ != 0) count = std::min(count, most_ - now);
      const auto status = search_->run(count, deadline);
      too_large = status == gdl::Status::OverBudget && count == 1;
      if (status == gdl::Status::OverBudget) pass = std::max<std::uint64_t>(1, count / 2);
      if (status == gdl::Status::Ok) now += count;
    }
    done_ += now;
    answer(position, legal, search_->states() - before, incumbent);
    if (too_large) explanation_ += "; a traversal needs more memory than there is";
  }

 private:
  void answer(const Position& position, const std::vector<gdl::MoveId>& legal, std::uint64_t states,
              Incumbent& incumbent) {
    auto* set = sets_.find(position.role, hidden::known_in(position));
    explanation_ = "MCCFR, " + std::to_string(done_) + " traversals of each player, " +
                   std::to_string(sets_.size()) + " information sets";
    std::vector<double> chances(legal.size(), 1 / static_cast<double>(legal.size()));
    if (set != nullptr) {
      std::vector<std::uint32_t> places;
      set->find(legal, places);
      set->mean(places, chances);
    } else if (legal.size() > 1) {
      explanation_ += "; by chance: none of them came to this one";
    }
    Choice choice = hidden::mixed_choice(legal, chances, {}, done_, gdl::Rng(rng_()).uniform());
    choice.nodes = states;
    incumbent.publish(std::move(choice));
  }

  gdl::Rng rng_;
  hidden::InformationSets<hidden::Regrets> sets_;
  gdl::MemoryBudget* memory_;
  const hidden::MccfrPolicy policy_;
  const std::uint64_t most_;
  std::shared_ptr<gdl::Vocabulary> game_;
  std::shared_ptr<const gdl::Machine> machine_;
  std::optional<hidden::MccfrSearch> search_;
  std::uint64_t done_ = 0;  // in the match
  std::string explanation_;
};

}  // namespace

std::unique_ptr<Strategy> make_mccfr(const Options& options, const Resources& resources) {
  return std::make_unique<Mccfr>(options, resources);
}

}  // namespace ludens::search
