// SPDX-License-Identifier: MIT
#include "search/self_play/self_match.h"

#include <cmath>
#include <cstdio>

namespace ludens::search {

namespace {

constexpr int kOpeningPlies = 2;
constexpr int kMostPlies = 500;

}  // namespace

TimedContestant::TimedContestant(std::unique_ptr<Strategy> strategy, Seconds a_move)
    : strategy_(std::move(strategy)), a_move_(a_move) {}

std::optional<gdl::MoveId> TimedContestant::choose(const Position& position, const Deadline& end) {
  Incumbent incumbent;
  strategy_->think(position, within(end, a_move_), incumbent);
  const auto choice = incumbent.get();
  if (!choice) return std::nullopt;
  if (!choice->root.empty()) {
    iterations_ += choice->iterations;
    nodes_ += choice->nodes;
    legal_moves_ += choice->root.size();
  }
  return choice->move;
}

std::optional<double> TimedContestant::iterations_per_legal_move() const {
  const bool by_iterations = iterations_ > 0 || nodes_ == 0;
  if (legal_moves_ == 0 || !by_iterations) return std::nullopt;
  return static_cast<double>(iterations_) / static_cast<double>(legal_moves_);
}

double Score::standard_error() const {
  const double n = pairs + 2.0;
  const double m = cautious_mean();
  return std::sqrt(std::max(0.0, (squares + 1) / n - m * m) / n);
}

void add_score(std::string& list, std::string_view name, const Score& score) {
  char text[64];
  std::snprintf(text, sizeof text, " %.0f %% of %u", 100 * score.mean(), 2 * score.pairs);
  if (!list.empty()) list += ", ";
  list += name;
  list += text;
}

SelfMatch::SelfMatch(const Position& start, const Deadline& end, gdl::MemoryBudget* memory,
                     std::uint64_t seed)
    : start_(start),
      end_(end),
      context_(start.machine->make_context({&end, memory})),
      rng_(seed),
      legal_(start.machine->role_count()) {
  for (gdl::RoleIndex r = 0; r < legal_.size(); ++r) {
    if (r != start.machine->random_role()) players_.push_back(r);
  }
}

std::optional<double> SelfMatch::play_pair(Contestant& first, Contestant& second) {
  const auto from = opening();
  if (!from) return std::nullopt;
  const auto one = play(*from, first, second, players_[0]);
  const auto other = one ? play(*from, first, second, players_[1]) : std::nullopt;
  if (!other) return std::nullopt;
  return (*one + *other) / 2;
}

// False at the end of the game, if a role has no move, or if there is no time.
bool SelfMatch::list_moves(const Position& position) {
  bool over = false;
  const gdl::Machine& machine = *start_.machine;
  if (machine.terminal(*context_, position.state, over) != gdl::Status::Ok || over) return false;
  for (gdl::RoleIndex r = 0; r < legal_.size(); ++r) {
    if (machine.legal(*context_, position.state, r, legal_[r]) != gdl::Status::Ok) return false;
    if (legal_[r].empty()) return false;
  }
  return true;
}

// Draws a random one of those listed.
std::vector<gdl::MoveId> SelfMatch::draw() {
  std::vector<gdl::MoveId> joint;
  for (const auto& moves : legal_) {
    joint.push_back(moves[rng_.below(static_cast<std::uint32_t>(moves.size()))]);
  }
  return joint;
}

/// Adds what each role perceives of a joint move.
bool SelfMatch::tell(Scene& scene, gdl::JointMove joint) {
  for (gdl::RoleIndex r = 0; r < scene.known.size(); ++r) {
    KnownTurn turn{.own = joint[r]};
    const auto status =
        start_.machine->percepts(*context_, scene.position.state, joint, r, turn.percepts);
    if (status != gdl::Status::Ok) return false;
    scene.known[r].push_back(std::move(turn));
  }
  return true;
}

bool SelfMatch::step(Scene& scene, gdl::JointMove joint) {
  Position& position = scene.position;
  gdl::State next;
  if (!tell(scene, joint)) return false;
  if (start_.machine->next(*context_, position.state, joint, next) != gdl::Status::Ok) return false;
  position.state = std::move(next);
  position.history.insert(position.history.end(), joint.begin(), joint.end());
  return true;
}

std::optional<SelfMatch::Scene> SelfMatch::opening() {
  for (int attempt = 0; attempt < 20; ++attempt) {
    Scene scene{start_, {}};
    if (start_.known) scene.known.resize(legal_.size());
    int plies = 0;
    while (plies < kOpeningPlies && list_moves(scene.position) && step(scene, draw())) ++plies;
    if (end_.stop_requested()) return std::nullopt;
    if (plies == kOpeningPlies && list_moves(scene.position)) return scene;
  }
  return std::nullopt;
}

double SelfMatch::share(const std::vector<int>& goals, gdl::RoleIndex seat) const {
  const gdl::RoleIndex other = players_[seat == players_[0] ? 1 : 0];
  return (100 + goals[seat] - goals[other]) / 200.0;
}

std::optional<double> SelfMatch::play(Scene scene, Contestant& first, Contestant& second,
                                      gdl::RoleIndex seat) {
  Position& position = scene.position;
  for (int ply = 0; ply < kMostPlies && list_moves(position); ++ply) {
    std::vector<gdl::MoveId> joint = draw();
    for (const gdl::RoleIndex r : players_) {
      if (legal_[r].size() < 2) continue;
      position.role = r;
      if (start_.known) position.known = scene.known[r];
      const auto move = (r == seat ? first : second).choose(position, end_);
      if (end_.stop_requested()) return std::nullopt;
      if (move) joint[r] = *move;
    }
    if (!step(scene, joint)) return std::nullopt;
  }
  std::vector<int> goals(legal_.size());
  const auto status = start_.machine->goals(*context_, position.state, goals);
  if (status != gdl::Status::Ok || end_.stop_requested()) return std::nullopt;
  return share(goals, seat);
}

}  // namespace ludens::search
