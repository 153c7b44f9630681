// SPDX-License-Identifier: MIT
#include "search/learning/self_play_lanes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "search/learning/logistic.h"
#include "search/strategy/processor_time.h"

namespace ludens::search {

namespace {

using gdl::MoveId;
using gdl::Status;

/// The most joint moves that are considered if several roles choose simultaneously. If there are
/// more, each role considers a random part of its moves.
constexpr std::size_t kMostJoint = 144;

/// The most roles whose choices are considered then: with two moves each, they have as many joint
/// moves as are considered. If more roles choose, the others make random moves.
constexpr std::size_t kMostChoosing = std::bit_width(kMostJoint) - 1;

/// The most moves of a role that chooses alone. More would take too much memory for all games
/// together: each move leads to a state whose legal moves are listed, often as many again.
constexpr std::size_t kMostAlone = 256;

/// The same for `random`: as many as two dice have. The mean over a random part of more is as right
/// on average.
constexpr std::size_t kMostOutcomes = 36;

/// How many moves each of several roles may consider.
std::size_t share_of_each(std::size_t choosing) {
  std::size_t each = 2;
  while (std::pow(each + 1, choosing) <= static_cast<double>(kMostJoint)) ++each;
  return each;
}

/// The index of a largest number, uniformly among equals.
std::size_t largest(std::span<const float> numbers, gdl::Rng& rng) {
  std::size_t best = 0;
  std::uint32_t equals = 1;
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    if (numbers[i] > numbers[best]) {
      best = i;
      equals = 1;
    } else if (numbers[i] == numbers[best] && rng.below(++equals) == 0) {
      best = i;
    }
  }
  return best;
}

}  // namespace

SelfPlayLanes::SelfPlayLanes(const gdl::Machine& machine, const ValueFunction::Parts& parts,
                             Training& training, const LearningOptions& options, std::uint64_t seed)
    : machine_(machine),
      parts_(parts),
      training_(training),
      siblings_(parts.index, training.layout(), training.weights(), parts.shape.tables()),
      options_(options),
      rng_(seed),
      roles_(machine.role_count()),
      outputs_(parts.shape.outputs()),
      stride_(parts.index.stride()),
      values_(outputs_) {}

Status SelfPlayLanes::step(gdl::Machine::Context& context) {
  if (!begun_) {
    if (const Status status = begin(context); status != Status::Ok) return status;
  }
  joints_.clear();
  choices_.clear();
  for (Game& game : games_) propose(game);
  pairs_.clear();
  for (const Game& game : games_) {
    for (std::size_t i = game.first; i < game.first + game.pairs; ++i) {
      pairs_.push_back({game.state, gdl::JointMove(joints_).subspan(i * roles_, roles_)});
    }
  }
  const double before = processor_seconds();
  const Status status = machine_.expand(context, pairs_, next_);
  statistics_.expanding += processor_seconds() - before;
  if (status != Status::Ok) return status;
  indices_.resize(pairs_.size() * stride_);
  movers_.resize(pairs_.size());
  sums_.resize(pairs_.size() * outputs_);
  for (Game& game : games_) {
    evaluate(game);
    choose(game);
  }
  statistics_.evaluated += pairs_.size();
  statistics_.plies += games_.size();
  return Status::Ok;
}

Status SelfPlayLanes::begin(gdl::Machine::Context& context) {
  if (const Status s = machine_.initial(context, start_.state); s != Status::Ok) return s;
  start_.legal.resize(roles_);
  for (gdl::RoleIndex r = 0; r < roles_; ++r) {
    const Status s = machine_.legal(context, start_.state, r, start_.legal[r]);
    if (s != Status::Ok) return s;
  }
  start_.mover = parts_.movers.of(start_.legal);
  start_.indices.resize(stride_);
  parts_.index.index(start_.state, mobility(start_.legal), parts_.shape.exchanged(start_.mover),
                     start_.indices);
  games_.resize(options_.games_at_once);
  for (Game& game : games_) restart(game);
  begun_ = true;
  return Status::Ok;
}

void SelfPlayLanes::restart(Game& game) {
  game.state.assign(start_.state);
  game.legal = start_.legal;
  game.mover = start_.mover;
  game.indices = start_.indices;
  game.movers.clear();
  game.best.clear();
  game.explored.clear();
  game.random_plies = rng_.below(options_.random_plies + 1);
}

/// Leaves each role as many moves as are considered, chosen at random. If too many roles choose,
/// those that go on choosing are drawn, too.
void SelfPlayLanes::thin_out(Game& game) {
  const auto choosing = static_cast<std::size_t>(
      std::ranges::count_if(game.legal, [](const auto& moves) { return moves.size() > 1; }));
  const std::size_t considered = std::min(choosing, kMostChoosing);
  std::size_t roles_left = choosing, to_draw = considered;
  for (gdl::RoleIndex r = 0; r < roles_; ++r) {
    auto& moves = game.legal[r];
    if (moves.size() < 2) continue;
    const bool drawn = to_draw == roles_left || below(roles_left) < to_draw;
    --roles_left;
    if (drawn) --to_draw;
    keep_some(moves, !drawn                        ? 1
                     : choosing > 1                ? share_of_each(considered)
                     : r == machine_.random_role() ? kMostOutcomes
                                                   : kMostAlone);
  }
}

/// Leaves at most `most` moves, chosen at random.
void SelfPlayLanes::keep_some(std::vector<MoveId>& moves, std::size_t most) {
  if (moves.size() <= most) return;
  for (std::size_t i = 0; i < most; ++i) {
    std::swap(moves[i], moves[i + below(moves.size() - i)]);
  }
  moves.resize(most);
}

/// Adds the considered joint moves to the batch, with the first role's moves changing fastest.
void SelfPlayLanes::propose(Game& game) {
  thin_out(game);
  game.first = joints_.size() / roles_;
  game.pairs = 1;
  for (const auto& moves : game.legal) game.pairs *= moves.size();
  const std::size_t end = (game.first + game.pairs) * roles_;
  joints_.resize(end);
  choices_.resize(end);
  for (std::size_t i = 0; i < game.pairs; ++i) {
    std::size_t left = i;
    for (gdl::RoleIndex r = 0; r < roles_; ++r) {
      const auto& moves = game.legal[r];
      const std::size_t choice = left % moves.size();
      left /= moves.size();
      joints_[(game.first + i) * roles_ + r] = moves[choice];
      choices_[(game.first + i) * roles_ + r] = static_cast<std::uint32_t>(choice);
    }
  }
}

void SelfPlayLanes::evaluate(const Game& game) {
  siblings_.begin(game.state);
  for (std::size_t i = game.first; i < game.first + game.pairs; ++i) evaluate_child(i);
}

void SelfPlayLanes::evaluate_child(std::size_t pair) {
  const auto& shape = parts_.shape;
  if (next_.terminal[pair] != 0) {
    for (std::size_t o = 0; o < outputs_; ++o) {
      const auto goal = static_cast<float>(next_.goals[pair * roles_ + shape.learned[o]]);
      sums_[pair * outputs_ + o] = logit(goal / 100);
    }
    return;
  }
  const auto out = std::span(indices_).subspan(pair * stride_, stride_);
  movers_[pair] = static_cast<std::uint32_t>(parts_.movers.of(next_, pair));
  siblings_.index(next_.states[pair], mobility(next_, pair, roles_), shape.exchanged(movers_[pair]),
                  out);
  for (std::size_t o = 0; o < outputs_; ++o) {
    sums_[pair * outputs_ + o] = siblings_.of(shape.source(movers_[pair], o), out.data());
  }
}

void SelfPlayLanes::choose(Game& game) {
  game.movers.push_back(static_cast<std::uint32_t>(game.mover));
  game.best.resize(game.best.size() + outputs_);
  game.explored.push_back(false);
  const auto best = std::span(game.best).last(outputs_);
  const auto chooses = [](const auto& moves) { return moves.size() > 1; };
  const auto choosing = std::ranges::count_if(game.legal, chooses);
  if (choosing > 1) return advance(game, choose_at_once(game, best));
  const auto at = std::ranges::find_if(game.legal, chooses);
  const auto role = choosing == 0 ? 0 : static_cast<gdl::RoleIndex>(at - game.legal.begin());
  advance(game, choose_alone(game, role, best));
}

/// A monotone function of a role's value.
float SelfPlayLanes::role_sum(std::size_t pair, gdl::RoleIndex role) const {
  const ValueShape::Role& shape = parts_.shape.roles[role];
  return shape.output == ValueShape::kNone ? 0 : shape.sign * sum(pair, shape.output);
}

std::size_t SelfPlayLanes::choose_alone(Game& game, gdl::RoleIndex role, std::span<float> best) {
  if (game.pairs > 1 && role == machine_.random_role()) {
    std::ranges::fill(best, 0.0F);
    for (std::size_t i = game.first; i < game.first + game.pairs; ++i) {
      for (std::size_t o = 0; o < outputs_; ++o) {
        best[o] += logistic(sum(i, o)) / static_cast<float>(game.pairs);
      }
    }
    return game.first + below(game.pairs);
  }
  worth_.clear();
  for (std::size_t i = game.first; i < game.first + game.pairs; ++i) {
    worth_.push_back(role_sum(i, role));
  }
  const std::size_t greedy = game.first + largest(worth_, rng_);
  for (std::size_t o = 0; o < outputs_; ++o) best[o] = logistic(sum(greedy, o));
  if (game.pairs == 1 || !explores(game)) return greedy;
  const std::size_t pick = game.first + below(game.pairs);
  game.explored.back() = pick != greedy;
  return pick;
}

/// Each role takes the move with the best mean over the others' moves, as if these were chosen at
/// random. The value after it is the mean over the moves of `random`.
std::size_t SelfPlayLanes::choose_at_once(Game& game, std::span<float> best) {
  greedy_.assign(roles_, 0);
  std::size_t pick = game.first, step = 1;
  for (gdl::RoleIndex r = 0; r < roles_; ++r) {
    const std::size_t moves = game.legal[r].size();
    const bool random = r == machine_.random_role();
    if (moves > 1 && !random) greedy_[r] = best_on_average(game, r);
    const bool explore = moves > 1 && (random || explores(game));
    const std::size_t choice = explore ? below(moves) : greedy_[r];
    if (!random && choice != greedy_[r]) game.explored.back() = true;
    pick += choice * step;
    step *= moves;
  }
  std::ranges::fill(best, 0.0F);
  std::size_t equal = 0;
  for (std::size_t i = game.first; i < game.first + game.pairs; ++i) {
    if (!is_greedy(i)) continue;
    ++equal;
    for (std::size_t o = 0; o < outputs_; ++o) best[o] += logistic(sum(i, o));
  }
  for (float& value : best) value /= static_cast<float>(equal);
  return pick;
}

std::size_t SelfPlayLanes::best_on_average(const Game& game, gdl::RoleIndex role) {
  worth_.assign(game.legal[role].size(), 0.0F);
  for (std::size_t i = game.first; i < game.first + game.pairs; ++i) {
    worth_[choices_[i * roles_ + role]] += logistic(role_sum(i, role));
  }
  return largest(worth_, rng_);
}

/// Whether no role but `random` leaves its greedy move.
bool SelfPlayLanes::is_greedy(std::size_t pair) const {
  for (gdl::RoleIndex r = 0; r < roles_; ++r) {
    if (r != machine_.random_role() && choices_[pair * roles_ + r] != greedy_[r]) return false;
  }
  return true;
}

/// At the last ply of the game.
bool SelfPlayLanes::explores(const Game& game) {
  return game.plies() <= game.random_plies || rng_.uniform() < options_.exploration;
}

void SelfPlayLanes::advance(Game& game, std::size_t pair) {
  for (std::size_t o = 0; o < outputs_; ++o) values_[o] = logistic(sum(pair, o));
  if (next_.terminal[pair] != 0) return finish(game, values_, false);
  bool cut = game.plies() >= options_.most_plies;
  for (gdl::RoleIndex r = 0; r < roles_; ++r) {
    const auto moves = next_.legal(pair, r, roles_);
    game.legal[r].assign(moves.begin(), moves.end());
    cut = cut || moves.empty();
  }
  if (cut) return finish(game, values_, true);
  game.state.assign(next_.states[pair]);
  game.mover = movers_[pair];
  const auto indices = std::span(indices_).subspan(pair * stride_, stride_);
  game.indices.insert(game.indices.end(), indices.begin(), indices.end());
}

/// TD(lambda), backwards: each state learns from what its successor learned, mixed with the value
/// that its best move has; if another move was made, or the game was truncated, from that value
/// only.
void SelfPlayLanes::finish(Game& game, std::span<float> values, bool cut) {
  const auto lambda = static_cast<float>(options_.lambda);
  bool last = true;
  for (std::size_t ply = game.plies(); ply-- > 0; last = false) {
    const bool bootstrap = game.explored[ply] || (last && cut);
    for (std::size_t o = 0; o < outputs_; ++o) {
      const float best = game.best[ply * outputs_ + o];
      if (bootstrap) {
        values[o] = best;
      } else if (!last) {
        values[o] = (1 - lambda) * best + lambda * values[o];
      }
      training_.learn(parts_.shape.source(game.movers[ply], o), game.indices.data() + ply * stride_,
                      values[o]);
    }
  }
  ++statistics_.games;
  if (cut) ++statistics_.cut;
  restart(game);
}

}  // namespace ludens::search
