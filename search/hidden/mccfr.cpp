// SPDX-License-Identifier: MIT
#include "search/hidden/mccfr.h"

#include <algorithm>
#include <optional>

#include "search/hidden/mccfr_search.h"
#include "search/hidden/mixed_choice.h"
#include "search/hidden/roots.h"
#include "search/hidden/targets.h"
#include "search/strategy/first_choice.h"

namespace ludens::search {

namespace {

constexpr std::uint64_t kExternalTraversals = 16;
/// The traversals of the first passes, and the number of earlier traversals per traversal of a
/// later pass.
constexpr std::uint64_t kFirstPass = 8, kPasses = 64;

class Mccfr final : public Strategy {
 public:
  /// `share`: the share of targeted traversals; `histories`: the most histories with which they
  /// begin.
  Mccfr(std::string_view name, bool external, double share, std::size_t histories,
        const Options& options, const Resources& resources)
      : name_(name),
        rng_(options.rng()),
        sets_(resources.memory, hidden::bytes_for_sets(options.count("memory"), resources.memory)),
        memory_(resources.memory),
        policy_{.external = external,
                .exploration = options.number("exploration"),
                .steps = static_cast<std::uint32_t>(options.count("steps"))},
        most_(options.count("playouts")),
        traversals_(options.count("traversals")),
        share_(share),
        histories_(histories),
        roots_({.most = std::max<std::size_t>(1, histories), .seed = rng_(), .memory = memory_}),
        targets_(share, policy_.exploration) {}
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] std::string explanation() const override { return explanation_; }

  void think(const Position& position, const Deadline& deadline, Incumbent& incumbent) override {
    explanation_.clear();
    const auto legal = publish_first(position, deadline, incumbent);
    if (legal.empty()) return;
    // Targeted traversals learn this situation again; the others would hardly reach it.
    const bool full = share_ > 0 && legal.size() > 1 &&
                      sets_.lacks_room_for(position.role, hidden::known_in(position));
    if (full || game_ != position.machine->vocabulary()) {
      game_ = position.machine->vocabulary();
      sets_.clear();
      done_ = 0;
    }
    if (machine_ != position.machine) {
      search_.reset();
      machine_ = position.machine;
      search_.emplace(*machine_, policy_, sets_, rng_, memory_);
    }
    const bool targeted = aim(position, deadline);
    std::uint64_t pass = traversals_ != 0   ? traversals_
                         : policy_.external ? kExternalTraversals
                                            : machine_->preferred_batch();
    const std::uint64_t before = search_->states();
    std::uint64_t now = 0;
    bool too_large = false;
    while (!deadline.stop_requested() && !too_large && (most_ == 0 || now < most_)) {
      // All traversals of a pass use what was known before it, so the first passes are short.
      const std::uint64_t learned = traversals_ != 0 ? pass : kFirstPass + (done_ + now) / kPasses;
      std::uint64_t count = std::min(pass, learned);
      if (most_ != 0) count = std::min(count, most_ - now);
      const auto status = targeted ? run_targeted(count, deadline) : search_->run(count, deadline);
      too_large = status == gdl::Status::OverBudget && count == 1;
      if (status == gdl::Status::OverBudget) pass = std::max<std::uint64_t>(1, count / 2);
      if (status == gdl::Status::Ok) now += count;
    }
    done_ += now;
    answer(position, legal, search_->states() - before, incumbent);
    if (too_large) explanation_ += "; a traversal needs more memory than there is";
  }

 private:
  /// Whether there are histories for traversals to begin with.
  bool aim(const Position& position, const Deadline& deadline) {
    search_->set_crossing(position.role, {});
    if (share_ == 0 || !roots_.take(position, deadline) || roots_.guessed()) return false;
    if (roots_.histories().turns == 0) return false;  // all traversals reach this
    const auto status = targets_.take(roots_, position, histories_, deadline, memory_, rng_);
    if (status != gdl::Status::Ok) return false;
    search_->set_crossing(position.role, [this](const hidden::MccfrSearch::Crossed& crossed) {
      return targets_.weigh(crossed);
    });
    return true;
  }

  gdl::Status run_targeted(std::uint64_t count, const Deadline& deadline) {
    std::uint64_t aimed = 0;
    for (std::uint64_t n = 0; n < count; ++n) aimed += rng_.uniform() < share_ ? 1 : 0;
    if (aimed < count) {
      const auto status = search_->run(count - aimed, deadline, targets_.weight_of_others());
      if (status != gdl::Status::Ok) return status;
    }
    for (gdl::RoleIndex player = 0; player < machine_->role_count(); ++player) {
      if (player == machine_->random_role()) continue;
      const auto starts = targets_.draw(aimed, player, sets_, rng_);
      const auto status = search_->run_from(targets_.histories(), starts, player, deadline);
      if (status != gdl::Status::Ok) return status;
    }
    return gdl::Status::Ok;
  }

  void answer(const Position& position, const std::vector<gdl::MoveId>& legal, std::uint64_t states,
              Incumbent& incumbent) {
    auto* set = sets_.find(position.role, hidden::known_in(position));
    explanation_ = (share_ > 0 ? "OOS, " : "MCCFR, ") + std::to_string(done_) +
                   " traversals of each player, " + std::to_string(sets_.size()) +
                   " information sets";
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

  const std::string name_;
  gdl::Rng rng_;
  hidden::InformationSets<hidden::Regrets> sets_;
  gdl::MemoryBudget* memory_;
  const hidden::MccfrPolicy policy_;
  const std::uint64_t most_, traversals_;
  const double share_;
  const std::size_t histories_;
  hidden::Roots roots_;
  hidden::Targets targets_;
  std::shared_ptr<gdl::Vocabulary> game_;
  std::shared_ptr<const gdl::Machine> machine_;
  std::optional<hidden::MccfrSearch> search_;
  std::uint64_t done_ = 0;  // in the match
  std::string explanation_;
};

}  // namespace

std::unique_ptr<Strategy> make_mccfr(const Options& options, const Resources& resources) {
  return std::make_unique<Mccfr>("mccfr", options.text("sampling") == "external", 0, 0, options,
                                 resources);
}

std::unique_ptr<Strategy> make_oos(const Options& options, const Resources& resources) {
  return std::make_unique<Mccfr>("oos", false, options.number("targeting"),
                                 options.count("histories"), options, resources);
}

}  // namespace ludens::search
