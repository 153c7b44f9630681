// SPDX-License-Identifier: MIT
#include "search/hidden/ismcts.h"

#include <algorithm>

#include "search/hidden/bandit.h"
#include "search/hidden/information_sets.h"
#include "search/hidden/ismcts_search.h"
#include "search/hidden/roots.h"
#include "search/strategy/first_choice.h"
#include "search/strategy/publication_plan.h"

namespace ludens::search {

namespace {

using hidden::Arm;
using hidden::Bandit;

class Ismcts final : public Strategy {
 public:
  Ismcts(const Options& options, const Resources& resources)
      : rng_(options.rng()),
        sets_(resources.memory, hidden::bytes_for_sets(options.count("memory"), resources.memory)),
        roots_({.seed = rng_(), .memory = resources.memory}),
        memory_(resources.memory),
        most_(options.count("playouts")),
        leaves_(options.count("leaves")) {
    policy_.observers =
        options.text("observers") == "all" ? hidden::Observers::All : hidden::Observers::Defence;
    policy_.gamma = options.number("gamma");
    policy_.depth = static_cast<std::uint32_t>(options.count("depth"));
  }
  [[nodiscard]] std::string_view name() const override { return "ismcts"; }
  [[nodiscard]] std::string explanation() const override { return explanation_; }

  void think(const Position& position, const Deadline& deadline, Incumbent& incumbent) override {
    explanation_.clear();
    const auto legal = publish_first(position, deadline, incumbent);
    if (legal.empty()) return;
    if (game_ != position.machine->vocabulary()) sets_.clear();
    game_ = position.machine->vocabulary();
    if (!roots_.take(position, deadline)) return;
    begin_anew(position);
    hidden::IsmctsSearch search(*position.machine, position.role, roots_, policy_, sets_, rng_,
                                memory_);
    const std::size_t pass =
        leaves_ != 0 ? leaves_ : std::max<std::size_t>(1, position.machine->preferred_batch() / 4);
    PublicationPlan plan;
    std::uint64_t done = 0;
    while (!deadline.stop_requested() && (most_ == 0 || done < most_)) {
      const std::size_t count = most_ == 0 ? pass : std::min<std::uint64_t>(pass, most_ - done);
      (void)search.run(count, deadline);  // what can't be computed counts as a descent
      done += count;
      if (plan.due(done)) publish(search, legal, done, incumbent);
    }
    publish(search, legal, done, incumbent);
    explanation_ = roots_.told() + (roots_.told().empty() ? "" : "; ") +
                   std::to_string(sets_.size()) + " information sets";
  }

 private:
  /// Earlier results were sampled by how the others, as modelled then, would get here, which
  /// differs from the belief. This does not apply to chance. If there is no memory left for the
  /// current situation, results from elsewhere are useless, too.
  void begin_anew(const Position& position) {
    const std::uint64_t known = hidden::known_in(position);
    const std::size_t others =
        position.machine->role_count() - (position.machine->random_role() ? 2 : 1);
    const bool elsewhere = known_ != known || role_ != position.role;
    known_ = known;
    role_ = position.role;
    if (elsewhere && (others > 0 || sets_.lacks_room_for(role_, known_))) sets_.clear();
  }

  void publish(hidden::IsmctsSearch& search, const std::vector<gdl::MoveId>& legal,
               std::uint64_t done, Incumbent& incumbent) {
    const Bandit* root = search.root();
    if (root == nullptr) return;
    Choice choice;
    choice.iterations = done;
    choice.nodes = search.states();
    choice.depth = search.depth();
    for (const gdl::MoveId move : legal) {
      const auto arm = std::ranges::find(root->arms, move, &Arm::move);
      const bool seen = arm != root->arms.end() && arm->visits > 0;
      choice.root.push_back(
          {.move = move,
           .value = seen ? 100 * arm->sum / static_cast<double>(arm->visits) : kUnknownValue,
           .visits = seen ? arm->visits : 0});
    }
    const RootMove& best = choice.root[most_visited(choice.root)];
    choice.move = best.move;
    choice.value = best.value;
    incumbent.publish(std::move(choice));
  }

  static std::size_t most_visited(const std::vector<RootMove>& moves) {
    const auto better = [](const RootMove& a, const RootMove& b) {
      return a.visits != b.visits ? a.visits < b.visits : a.value < b.value;
    };
    return static_cast<std::size_t>(std::ranges::max_element(moves, better) - moves.begin());
  }

  gdl::Rng rng_;
  hidden::InformationSets<Bandit> sets_;
  hidden::Roots roots_;
  gdl::MemoryBudget* memory_;
  hidden::IsmctsPolicy policy_;
  const std::uint64_t most_, leaves_;
  std::shared_ptr<gdl::Vocabulary> game_;
  std::uint64_t known_ = 0;
  gdl::RoleIndex role_ = 0;
  std::string explanation_;
};

}  // namespace

std::unique_ptr<Strategy> make_ismcts(const Options& options, const Resources& resources) {
  return std::make_unique<Ismcts>(options, resources);
}

}  // namespace ludens::search
