// SPDX-License-Identifier: MIT
#include "search/self_play/self_match.h"

#include <cmath>

namespace ludens::search {

namespace {

constexpr int kOpeningPlies = 2;
constexpr int kMostPlies = 500;

}  // namespace

TimedContestant::TimedContestant(std::unique_ptr<Strategy> strategy,
                                 std::chrono::duration<double> a_move)
    : strategy_(std::move(strategy)),
      time_(std::chrono::duration_cast<TimePoint::duration>(a_move)) {}

std::optional<gdl::MoveId> TimedContestant::choose(const Position& position, const Deadline& end) {
  Incumbent incumbent;
  strategy_->think(position, end.no_later_than(std::chrono::steady_clock::now() + time_),
                   incumbent);
  const auto choice = incumbent.get();
  if (!choice || end.stop_requested()) return std::nullopt;
  return choice->move;
}

double Score::standard_error() const {
  const double n = pairs + 2.0;
  const double m = (sum + 1) / n;
  return std::sqrt(std::max(0.0, (squares + 1) / n - m * m) / n);
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

// False at the end of the game, where a role has no move, or where there is no time.
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

// A random one of those listed.
std::vector<gdl::MoveId> SelfMatch::draw() {
  std::vector<gdl::MoveId> joint;
  for (const auto& moves : legal_) {
    joint.push_back(moves[rng_.below(static_cast<std::uint32_t>(moves.size()))]);
  }
  return joint;
}

bool SelfMatch::step(Position& position, gdl::JointMove joint) {
  gdl::State next;
  if (start_.machine->next(*context_, position.state, joint, next) != gdl::Status::Ok) return false;
  position.state = std::move(next);
  position.history.insert(position.history.end(), joint.begin(), joint.end());
  return true;
}

std::optional<Position> SelfMatch::opening() {
  for (int attempt = 0; attempt < 20; ++attempt) {
    Position position = start_;
    int plies = 0;
    while (plies < kOpeningPlies && list_moves(position) && step(position, draw())) ++plies;
    if (end_.stop_requested()) return std::nullopt;
    if (plies == kOpeningPlies && list_moves(position)) return position;
  }
  return std::nullopt;
}

std::optional<double> SelfMatch::play(Position position, Contestant& first, Contestant& second,
                                      gdl::RoleIndex seat) {
  for (int ply = 0; ply < kMostPlies && list_moves(position); ++ply) {
    std::vector<gdl::MoveId> joint = draw();
    for (const gdl::RoleIndex r : players_) {
      if (legal_[r].size() < 2) continue;
      position.role = r;
      const auto move = (r == seat ? first : second).choose(position, end_);
      if (!move) return std::nullopt;
      joint[r] = *move;
    }
    if (!step(position, joint)) return std::nullopt;
  }
  std::vector<int> goals(legal_.size());
  const auto status = start_.machine->goals(*context_, position.state, goals);
  if (status != gdl::Status::Ok || end_.stop_requested()) return std::nullopt;
  return goals[seat] / 100.0;
}

}  // namespace ludens::search
