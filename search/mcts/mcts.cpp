// SPDX-License-Identifier: MIT
#include "search/mcts/mcts.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "search/learning/match_learning.h"
#include "search/mcts/bounds.h"
#include "search/mcts/playout_policy.h"
#include "search/mcts/report.h"
#include "search/strategy/first_choice.h"
#include "search/strategy/publication_plan.h"
#include "search/strategy/starts_with.h"
#include "search/strategy/work_together.h"

namespace ludens::search {

namespace mcts {

namespace {

constexpr double kPolicyTime = 0.25;   // the share of the time for the choice of a policy
constexpr double kLearningTime = 0.4;  // the share of the first thinking time to learn values
constexpr unsigned kPatience = 16;     // passes that several threads make before one collects
constexpr double kGammaForOne = 0.4, kGammaForMore = 0.2;  // playouts per leaf, as measured

constexpr std::uint64_t kMostLeaves = 4096;      // descents of a pass
constexpr std::uint64_t kMostInFlight = 0xffff;  // that a node can count

/// Whether the most visited move stays the most visited, whatever the iterations in the time left
/// find, at the rate since `begin`.
bool is_out_of_reach(const Choice& choice, TimePoint begin, TimePoint end) {
  if (choice.root.size() == 1) return true;
  std::uint64_t best = 0, others = 0;
  for (const RootMove& move : choice.root) {
    std::uint64_t& most = move.move == choice.move ? best : others;
    most = std::max(most, move.visits);
  }
  const auto now = std::chrono::steady_clock::now();
  if (best <= others || now <= begin) return false;
  const double to_come = static_cast<double>(choice.iterations) *
                         std::chrono::duration<double>(end - now) / (now - begin);
  return static_cast<double>(best - others) > to_come;
}

std::size_t tree_limit(const Options& options, const Resources& resources) {
  const std::uint64_t mebibytes = options.count("memory");
  if (mebibytes != 0) return mebibytes << 20;
  return resources.memory != nullptr ? resources.memory->limit() / 2 : 0;
}

SimultaneousRule rule_of(const Options& options) {
  const std::string& name = options.text("simultaneous");
  if (name == "regret") return SimultaneousRule::Regret;
  return name == "exp3" ? SimultaneousRule::Exp3 : SimultaneousRule::Uct;
}

ProofBias proof_bias_of(const Options& options) {
  const std::string& name = options.text("pn_bias");
  if (name == "max") return ProofBias::Max;
  return name == "sum" ? ProofBias::Sum : ProofBias::Rank;
}

/// The visits with which a new node begins.
std::uint32_t prior_of(const Options& options) {
  if (options.text("evaluation") != "prior") return 0;
  return static_cast<std::uint32_t>(options.count("prior"));
}

/// Half as much is learned as by searches that make no playouts.
LearningPlan learning_plan(const Options& options) {
  LearningPlan plan;
  plan.first = kLearningTime;
  if (options.count("playouts") != 0) plan.games = kLearningByCounts.games;
  plan.reach = static_cast<std::uint32_t>(options.count("reach"));
  return plan;
}

class Mcts final : public Strategy {
 public:
  Mcts(const Options& options, const Resources& resources);
  [[nodiscard]] std::string_view name() const override { return "mcts"; }
  void think(const Position& position, const Deadline& deadline, Incumbent& incumbent) override;
  [[nodiscard]] std::string explanation() const override;

 private:
  void search_on(const Position& position, const Position& searched, const Deadline& deadline,
                 Incumbent& incumbent);
  void change_machine(const Position& position, const Position& searched);
  void take_player();
  void choose_policy(const Position& position, const Deadline& deadline);
  void order_by_pairs(double trust);
  void learn(const Position& position, const Deadline& deadline);
  bool find_root(const Position& position);
  [[nodiscard]] std::uint32_t ply_of(const Position& position) const;
  bool plant_root(const Position& position, const Deadline& deadline);
  [[nodiscard]] std::uint64_t descent_cap(const PassSize& size, const Deadline& deadline) const;
  [[nodiscard]] PassSize pass_size(const gdl::Machine& machine) const;
  [[nodiscard]] double gamma_for(const PassSize& size) const;
  [[nodiscard]] static double spread_of_a_coin(const PassSize& size);
  void search(const PassSize& size, const Deadline& deadline, Incumbent& incumbent);
  [[nodiscard]] Choice look_at_root();
  Choice publish(Incumbent& incumbent);

  Options options_;
  gdl::MemoryBudget* memory_;
  SharedSearch search_;
  PlayoutPolicyChoice policy_;
  std::optional<EvaluationLearner> learner_;  // if an evaluation is wanted
  std::optional<MatchLearning> values_;       // if learned values are wanted
  std::vector<std::unique_ptr<Worker>> workers_;
  AnswerRule answer_;
  std::shared_ptr<const gdl::Machine> machine_;  // of the tree
  std::shared_ptr<const gdl::Machine> of_match_;
  std::shared_ptr<const gdl::Machine> player_;  // of playouts, on the states of the tree
  std::vector<gdl::MoveId> history_;            // of the root
  std::uint64_t kept_visits_ = 0;               // of the root when the last search began
  std::size_t made_before_ = 0;                 // nodes made before it
  bool answered_early_ = false;                 // the last search
};

Mcts::Mcts(const Options& options, const Resources& resources)
    : options_(options),
      memory_(resources.memory),
      search_(resources.memory, tree_limit(options, resources)),
      policy_(options.text("policy"), options.count("playouts") != 0, make_uniform_search,
              resources.playouts) {
  gdl::Rng rng = options.rng();
  answer_ = {options.ties() == Ties::First, options.on("mixed"), rng()};
  const unsigned threads = std::max(1U, resources.threads);
  const unsigned patience = threads == 1 ? 1 : kPatience;
  for (unsigned i = 0; i < threads; ++i) {
    workers_.push_back(std::make_unique<Worker>(search_, gdl::Rng(rng()), resources.memory,
                                                i == 0 ? patience : 0));
  }
  search_.graph.serve_threads(threads > 1);
  search_.policy.first_ties = answer_.first_ties;
  search_.policy.depth = static_cast<std::uint32_t>(options.count("depth"));
  search_.policy.simultaneous = rule_of(options);
  search_.policy.mixing = options.number("mixing");
  search_.threshold = static_cast<std::uint8_t>(options.count("threshold"));
  search_.bounds = options.on("bounds");
  search_.graph.share_positions(options.on("transpositions"));
  search_.policy.widening = options.number("widening");
  search_.proof_weight = static_cast<float>(options.number("pn"));
  search_.policy.guides.proofs.bias = proof_bias_of(options);
  search_.graph.keep_proof_numbers(search_.proof_weight > 0);
  if (const double visits = options.number("grave"); visits > 0) {
    const auto reference = static_cast<std::uint32_t>(options.count("reference"));
    search_.policy.guides.grave = &search_.grave.emplace(memory_, visits, reference);
  }
  if (const double trust = options.number("nst"); trust > 0) order_by_pairs(trust);
  search_.learning = {options.number("mast"), options.text("first") == "won"};
  if (options.number("values") > 0) {
    values_.emplace(learning_plan(options), resources, rng());
  } else if (options.text("evaluation") != "off") {
    learner_.emplace(rng(), options.count("playouts") != 0);
    search_.graph.begin_with(prior_of(options));
  }
}

void Mcts::think(const Position& position, const Deadline& deadline, Incumbent& incumbent) {
  if (!values_) return search_on(position, position, deadline, incumbent);
  publish_first(position, deadline, incumbent);  // learning takes time
  values_->prepare(position, deadline);
  values_->learn(position, deadline);
  const auto wide = values_->widened(position, deadline);
  search_on(position, wide ? *wide : position, deadline, incumbent);
}

/// `position` is the position of the match; `searched` is the same position on the machine for
/// whose states the values were learned, if there are any.
void Mcts::search_on(const Position& position, const Position& searched, const Deadline& deadline,
                     Incumbent& incumbent) {
  change_machine(position, searched);
  search_.role = position.role;
  const PassSize size = pass_size(*machine_);
  search_.policy.gamma = gamma_for(size);
  search_.spread_unit = options_.on("spread") ? spread_of_a_coin(size) : 0;
  const std::uint64_t cap = descent_cap(size, deadline);
  const bool kept = find_root(searched);
  if (!kept) {
    publish_first(searched, deadline, incumbent);
    if (!plant_root(searched, deadline)) return;
  }
  search_.restart(cap);
  search_.fade_moves();
  answered_early_ = false;
  search_.look_for_the_end();
  kept_visits_ = search_.graph[search_.graph.root()].visits;
  made_before_ = search_.graph.made();
  if (kept) publish(incumbent);
  if (!search_.finished) choose_policy(position, deadline);
  if (!search_.finished && learner_) learn(position, deadline);
  if (values_) {
    search_.leaf_evaluation.values = values_->values_for(*machine_);
    search_.leaf_evaluation.share = options_.number("values");
  }
  search(size, deadline, incumbent);
  if (kept || search_.iterations > 0) publish(incumbent);
}

/// States of another machine mean nothing to this one: nodes of an older epoch get new states when
/// they are next visited. Another match has other ids for its moves: nothing in the tree is valid.
void Mcts::change_machine(const Position& position, const Position& searched) {
  if (position.machine != of_match_) {
    of_match_ = position.machine;
    policy_.reset(of_match_);
  }
  if (searched.machine == machine_) return;
  if (machine_ && machine_->vocabulary() != searched.machine->vocabulary()) {
    search_.graph.clear();
    search_.goal_sums = {};
    search_.at_once = false;
    search_.spread = {};
    search_.policy.spread.clear();
    search_.forget_moves();
    if (search_.grave) search_.grave->clear();
    if (search_.ngrams) search_.ngrams->clear();
  }
  machine_ = searched.machine;
  // Epoch numbers wrap around, but no node of an earlier machine is left then.
  if (++search_.policy.epoch == 0) search_.graph.clear();
  search_.policy.random = machine_->random_role();
  search_.graph.set_random(search_.policy.random);
  for (const auto& worker : workers_) worker->use(machine_.get());
  take_player();
}

/// The policy's machine has the states of the match, which the tree may have on a wider one.
void Mcts::take_player() {
  player_ = machine_;
  if (policy_.player() != of_match_) {
    player_ = machine_ == of_match_
                  ? policy_.player()
                  : values_->values_of(*of_match_).machine->played_by(policy_.player());
  }
  for (const auto& worker : workers_) worker->play_on(player_.get());
}

/// A choice has been published already.
void Mcts::choose_policy(const Position& position, const Deadline& deadline) {
  if (policy_.decided()) return;
  const bool by_counts = options_.count("playouts") != 0;
  policy_.decide(position, by_counts ? deadline : deadline.share(kPolicyTime), memory_);
  take_player();
  if (options_.number("nst") >= 0 || search_.learning.order) return;
  if (policy_.player() == of_match_) {
    search_.policy.guides.ngrams = nullptr;
    search_.ngrams.reset();
  } else if (!search_.ngrams) {
    order_by_pairs(1);
  }
}

void Mcts::order_by_pairs(double trust) {
  search_.policy.guides.ngrams = &search_.ngrams.emplace(trust);
}

/// Learning also takes a share of the time.
void Mcts::learn(const Position& position, const Deadline& deadline) {
  learner_->learn(position, deadline, memory_);
  const std::string& use = options_.text("evaluation");
  search_.leaf_evaluation.model = learner_->model();
  search_.leaf_evaluation.share = use == "leaf" ? 1.0 : use == "mixed" ? 0.5 : 0.0;
  search_.leaf_evaluation.prior_visits = prior_of(options_);
}

/// Follows the joint moves made since the last search, or finds the position if it is known from
/// other moves. False if the graph does not have it.
bool Mcts::find_root(const Position& position) {
  Graph& graph = search_.graph;
  const std::size_t roles = machine_->role_count();
  const std::span history(position.history);
  if (graph.root() == kNoNode) return false;
  NodeId root = kNoNode;
  if (starts_with(history, history_)) {
    root = graph.root();
    for (std::size_t i = history_.size(); i < history.size() && root != kNoNode; i += roles) {
      const Node& node = graph[root];
      JointCode code = 0;
      root = node.encode(history.subspan(i, roles), code) ? graph.child(node, code) : kNoNode;
    }
  }
  if (root == kNoNode) {
    root = graph.find(position.state, ply_of(position), search_.policy.epoch,
                      position_hash(position.state));
  }
  if (root == kNoNode || graph[root].terminal()) return false;
  history_ = position.history;
  if (root != graph.root()) {
    graph.advance(root);
    if (search_.grave) search_.grave->clear();
  }
  if (graph[root].epoch == search_.policy.epoch) return graph.state(graph[root]) == position.state;
  return graph.restate(root, position.state, search_.policy.epoch, position_hash(position.state));
}

std::uint32_t Mcts::ply_of(const Position& position) const {
  return static_cast<std::uint32_t>(position.history.size() / machine_->role_count());
}

/// Plants a tree of one node. False if the machine was stopped before it computed the node's facts.
bool Mcts::plant_root(const Position& position, const Deadline& deadline) {
  search_.graph.clear();
  if (search_.grave) search_.grave->clear();
  gdl::Machine::Context& context = workers_.front()->context();
  context.limits.stop = &deadline;
  std::vector<gdl::MoveId> moves, all;
  std::vector<std::uint32_t> begins{0};
  gdl::Status status = gdl::Status::Ok;
  for (gdl::RoleIndex r = 0; r < machine_->role_count() && status == gdl::Status::Ok; ++r) {
    status = machine_->legal(context, position.state, r, moves);
    all.insert(all.end(), moves.begin(), moves.end());
    begins.push_back(static_cast<std::uint32_t>(all.size()));
  }
  context.limits.stop = nullptr;
  if (status != gdl::Status::Ok) return false;
  history_ = position.history;
  return search_.graph.plant({position.state, false, {}, all, begins}, ply_of(position),
                             search_.policy.epoch);
}

/// The descents that `playouts` and `rate` allow.
std::uint64_t Mcts::descent_cap(const PassSize& size, const Deadline& deadline) const {
  std::uint64_t cap = std::numeric_limits<std::uint64_t>::max();
  if (const std::uint64_t playouts = options_.count("playouts"); playouts != 0) {
    cap = playouts / size.playouts.per_start;
  }
  if (const double rate = options_.number("rate"); rate > 0 && deadline.at() != TimePoint::max()) {
    const std::chrono::duration<double> left = deadline.at() - std::chrono::steady_clock::now();
    const double most = rate * std::max(0.0, left.count());
    cap = std::min(cap, static_cast<std::uint64_t>(most));
  }
  return std::max<std::uint64_t>(1, cap);
}

PassSize Mcts::pass_size(const gdl::Machine& machine) const {
  const std::uint64_t liked = machine.preferred_batch();
  const std::uint64_t batch = options_.count("batch") != 0 ? options_.count("batch") : liked;
  std::uint64_t leaves = options_.count("leaves");
  if (leaves == 0) leaves = std::clamp<std::uint64_t>(batch / 4, 1, kMostLeaves);
  leaves = std::min<std::uint64_t>(leaves, kMostInFlight / workers_.size());
  PassSize size;
  size.leaves = static_cast<std::uint32_t>(leaves);
  size.playouts.per_start = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, batch / leaves));
  size.playouts.step_cap = static_cast<std::uint32_t>(options_.count("steps"));
  return size;
}

/// The mean of several playouts is closer to the truth than one, and needs less exploration.
double Mcts::gamma_for(const PassSize& size) const {
  const double given = options_.number("gamma");
  if (given >= 0) return given;
  return size.playouts.per_start == 1 ? kGammaForOne : kGammaForMore;
}

/// The standard deviation of a leaf's value if each playout gives all or nothing, equally often.
double Mcts::spread_of_a_coin(const PassSize& size) {
  return 0.5 / std::sqrt(static_cast<double>(size.playouts.per_start));
}

void Mcts::search(const PassSize& size, const Deadline& deadline, Incumbent& incumbent) {
  PublicationPlan plan;
  const bool early = options_.on("early") && deadline.at() != TimePoint::max();
  const TimePoint begin = std::chrono::steady_clock::now();
  const auto report_at_times = [&] {
    std::unique_lock lock(search_.mutex);
    const std::uint64_t iterations = search_.iterations;
    lock.unlock();
    if (!plan.due(iterations)) return;
    const Choice choice = publish(incumbent);
    if (!early || !is_out_of_reach(choice, begin, deadline.at())) return;
    lock.lock();
    search_.finished = answered_early_ = true;
  };
  const auto work = [&](std::size_t i) {
    i == 0 ? workers_[i]->run(size, deadline, report_at_times)
           : workers_[i]->run(size, deadline, [] {});
  };
  work_together(workers_.size(), work, [&] {
    const std::lock_guard lock(search_.mutex);
    search_.finished = true;
  });
}

Choice Mcts::look_at_root() {
  const auto alone = search_.lock_alone();
  const std::lock_guard lock(search_.mutex);
  if (search_.bounds) refresh_bounds(search_.graph, search_.graph.root(), search_.policy);
  return report(search_, answer_);
}

Choice Mcts::publish(Incumbent& incumbent) {
  Choice choice = look_at_root();
  if (choice.move != gdl::kNoMove) incumbent.publish(choice);
  return choice;
}

std::string Mcts::explanation() const {
  const Graph& graph = search_.graph;
  if (graph.root() == kNoNode) return {};
  std::string text = std::to_string(search_.iterations) + " iterations on " +
                     std::to_string(kept_visits_) + " kept, " + std::to_string(graph.size()) +
                     " nodes in " + std::to_string(graph.bytes() >> 10) + " KiB, " +
                     std::to_string(graph.bytes_per_node()) + " bytes each, " +
                     std::to_string(graph.made() - made_before_) + " made";
  if (!search_.policy.spread.empty()) {
    char spread[48];
    std::snprintf(spread, sizeof spread, ", gamma times %.2f", search_.policy.spread[search_.role]);
    text += spread;
  }
  if (search_.ngrams) text += ", first tries by pairs of moves";
  if (graph.was_full()) text += ", memory full";
  if (answered_early_) {
    text += ", no time left to change the choice";
  } else if (search_.finished) {
    text += ", nothing left to find out";
  }
  if (learner_) text += "; evaluation " + learner_->explanation();
  if (values_) text += "; " + values_->explanation();
  if (!policy_.explanation().empty()) text += "; playouts " + policy_.explanation();
  return text;
}

}  // namespace

}  // namespace mcts

std::unique_ptr<Strategy> make_mcts(const Options& options, const Resources& resources) {
  return std::make_unique<mcts::Mcts>(options, resources);
}

std::unique_ptr<Strategy> make_uniform_search(std::uint64_t playouts, gdl::MemoryBudget* memory) {
  const OptionTexts given{
      {"policy", "uniform"}, {"playouts", std::to_string(playouts)}, {"seed", "1"}};
  return make_mcts(Options::read("mcts", kMctsOptions, given).value(),
                   {.threads = 1, .memory = memory});
}

}  // namespace ludens::search
