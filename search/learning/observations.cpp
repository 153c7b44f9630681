// SPDX-License-Identifier: MIT
#include "search/learning/observations.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace ludens::search {

namespace {

using gdl::MoveId;
using gdl::Status;

/// Games from which the length is guessed.
constexpr std::uint32_t kProbes = 64;
/// States before ends that are kept.
constexpr std::size_t kLastStates = 32;

}  // namespace

/// Random games in parallel.
class RandomGames {
 public:
  RandomGames(const gdl::Machine& machine, gdl::Machine::Context& context, std::size_t bits,
              const Observations::Settings& settings, gdl::Rng& rng)
      : machine_(machine),
        context_(context),
        settings_(settings),
        rng_(rng),
        roles_(machine.role_count()),
        bits_(bits),
        words_((bits + 63) / 64),
        waits_(roles_) {
    // A state is stored twice, as it was observed and in the rows.
    const std::size_t each = 2 * words_ * sizeof(std::uint64_t) + roles_ * sizeof(MoveId) + 16;
    wanted_ = std::clamp(settings.most_bytes / each, std::size_t{64}, settings.most_states);
  }

  std::optional<Observations> play() {
    if (!start() || !measure_length()) return std::nullopt;
    games_.assign(std::min(settings_.games_at_once, wanted_), {start_, start_legal_, 0});
    while (plies_.size() < wanted_) {
      if (!step()) return std::nullopt;
    }
    return told();
  }

 private:
  struct Game {
    gdl::State state;
    std::vector<std::vector<MoveId>> legal;  // [role]
    std::uint32_t ply = 0;
  };

  bool start() {
    start_legal_.resize(roles_);
    bool over = true;
    if (machine_.initial(context_, start_) != Status::Ok ||
        machine_.terminal(context_, start_, over) != Status::Ok || over) {
      return false;
    }
    for (gdl::RoleIndex r = 0; r < roles_; ++r) {
      if (machine_.legal(context_, start_, r, start_legal_[r]) != Status::Ok) return false;
      if (start_legal_[r].empty()) return false;
    }
    return true;
  }

  /// To observe all plies of a game with the number of states that fit, only one ply in `apart_` is
  /// recorded. Which one that is differs from game to game: where `apart_` roles take turns, all of
  /// them are seen. It is an odd number, for two roles and fewer games than plies apart.
  bool measure_length() {
    const gdl::StateView from = start_;
    gdl::PlayoutSums sums;
    const gdl::PlayoutOptions options{.per_start = kProbes, .step_cap = settings_.most_plies};
    if (machine_.playouts(context_, {&from, 1}, options, rng_, sums) != Status::Ok) return false;
    const double states = static_cast<double>(sums.steps) / kProbes *
                          static_cast<double>(std::min(settings_.games_at_once, wanted_));
    apart_ = static_cast<std::uint32_t>(states / static_cast<double>(wanted_)) | 1U;
    return true;
  }

  bool step() {
    pairs_.clear();
    joints_.resize(games_.size() * roles_);
    for (std::size_t g = 0; g < games_.size(); ++g) {
      const auto joint = std::span(joints_).subspan(g * roles_, roles_);
      look_at(games_[g], g);
      for (gdl::RoleIndex r = 0; r < roles_; ++r) {
        const auto& moves = games_[g].legal[r];
        joint[r] = moves[rng_.below(static_cast<std::uint32_t>(moves.size()))];
      }
      pairs_.push_back({games_[g].state, joint});
    }
    if (machine_.expand(context_, pairs_, next_) != Status::Ok) return false;
    for (std::size_t g = 0; g < games_.size(); ++g) advance(games_[g], g);
    return true;
  }

  void look_at(const Game& game, std::size_t number) {
    bool choice = false;
    for (const auto& moves : game.legal) choice = choice || moves.size() > 1;
    for (gdl::RoleIndex r = 0; r < roles_ && choice; ++r) {
      if (game.legal[r].size() != 1) continue;
      const auto at = std::ranges::lower_bound(waits_[r], game.legal[r][0]);
      if (at == waits_[r].end() || *at != game.legal[r][0]) waits_[r].insert(at, game.legal[r][0]);
    }
    const std::size_t first = number * apart_ / games_.size();
    if ((game.ply + first) % apart_ != 0 || plies_.size() == wanted_) return;
    plies_.push_back(game.ply);
    const auto words = gdl::StateView(game.state).words();
    states_.insert(states_.end(), words.begin(), words.end());
    for (const auto& moves : game.legal) {
      only_.push_back(moves.size() == 1 ? moves[0] : gdl::kNoMove);
    }
  }

  void advance(Game& game, std::size_t pair) {
    bool over = next_.terminal[pair] != 0;
    if (over) {
      for (std::size_t r = 0; r < roles_; ++r) goals_.push_back(next_.goals[pair * roles_ + r]);
      if (last_states_.size() < kLastStates) {
        const auto words = gdl::StateView(game.state).words();
        last_states_.emplace_back(words.begin(), words.end());
      }
    }
    bool stuck = ++game.ply >= settings_.most_plies;
    for (gdl::RoleIndex r = 0; r < roles_ && !over; ++r) {
      const auto moves = next_.legal(pair, r, roles_);
      game.legal[r].assign(moves.begin(), moves.end());
      stuck = stuck || moves.empty();
    }
    if (!over && stuck) ++cut_;
    if (over || stuck) {
      game = {start_, start_legal_, 0};
    } else {
      game.state.assign(next_.states[pair]);
    }
  }

  [[nodiscard]] std::uint32_t mover(const Movers& movers, std::size_t state) const {
    return static_cast<std::uint32_t>(movers.find([&](gdl::RoleIndex r) {
      static constexpr MoveId kSeveral[2] = {};
      const MoveId* only = &only_[state * roles_ + r];
      return *only == gdl::kNoMove ? std::span<const MoveId>(kSeveral)
                                   : std::span<const MoveId>(only, 1);
    }));
  }

  Observations told() {
    Observations told{Movers(std::move(waits_))};
    const std::size_t count = plies_.size();
    std::vector<Observations::Key> keys(count);
    told.chose_.assign(roles_ + 1, false);
    for (std::size_t i = 0; i < count; ++i) {
      keys[i] = {plies_[i], mover(told.movers_, i)};
      told.chose_[keys[i].mover] = true;
    }
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return keys[i]; });
    told.row_words_ = (count + 63) / 64;
    told.rows_.assign(bits_ * told.row_words_, 0);
    for (std::size_t place = 0; place < count; ++place) {
      told.keys_.push_back(keys[order[place]]);
      for (std::size_t w = 0; w < words_; ++w) {
        for (std::uint64_t left = states_[order[place] * words_ + w]; left != 0; left &= left - 1) {
          const std::size_t bit = w * 64 + static_cast<std::size_t>(std::countr_zero(left));
          told.rows_[bit * told.row_words_ + place / 64] |= std::uint64_t{1} << place % 64;
        }
      }
    }
    told.goals_ = std::move(goals_);
    told.last_states_ = std::move(last_states_);
    told.cut_ = cut_;
    return told;
  }

  const gdl::Machine& machine_;
  gdl::Machine::Context& context_;
  const Observations::Settings& settings_;
  gdl::Rng& rng_;
  std::size_t roles_, bits_, words_;
  std::size_t wanted_ = 0;   // states
  std::uint32_t apart_ = 1;  // plies
  gdl::State start_;
  std::vector<std::vector<MoveId>> start_legal_;
  std::vector<Game> games_;
  std::vector<MoveId> joints_;
  std::vector<gdl::StateMove> pairs_;
  gdl::Expansion next_;
  // For the recorded states.
  std::vector<std::uint32_t> plies_;
  std::vector<std::uint64_t> states_;
  std::vector<MoveId> only_;  // [state * roles + role]: kNoMove if there are several
  std::vector<std::vector<MoveId>> waits_;
  std::vector<std::uint8_t> goals_;
  std::vector<std::vector<std::uint64_t>> last_states_;
  std::uint64_t cut_ = 0;
};

std::optional<Observations> Observations::make(const gdl::Machine& machine,
                                               gdl::Machine::Context& context, std::size_t bits,
                                               const Settings& settings, gdl::Rng& rng) {
  return RandomGames(machine, context, bits, settings, rng).play();
}

std::size_t Observations::holds(std::size_t bit) const {
  std::size_t count = 0;
  for (const std::uint64_t word : row(bit)) count += static_cast<std::size_t>(std::popcount(word));
  return count;
}

std::vector<std::uint64_t> Observations::state(std::size_t i) const {
  const std::size_t bits = rows_.size() / row_words_;
  std::vector<std::uint64_t> words((bits + 63) / 64, 0);
  for (std::size_t bit = 0; bit < bits; ++bit) {
    words[bit / 64] |= (row(bit)[i / 64] >> i % 64 & 1) << bit % 64;
  }
  return words;
}

bool Observations::are_clock(std::span<const std::uint32_t> bits) const {
  std::size_t held = 0, shared = 0;
  for (const std::uint32_t bit : bits) {
    const auto here = as_of_a_clock(bit);
    if (!here) return false;
    shared += *here;
    held += holds(bit);
  }
  return 2 * shared > held;
}

std::optional<std::size_t> Observations::as_of_a_clock(std::size_t bit) const {
  const auto held = row(bit);
  const auto at = [&](std::size_t i) { return (held[i / 64] >> i % 64 & 1) != 0; };
  const auto same = [&](std::size_t i) { return i < size() && keys_[i] == keys_[i - 1]; };
  std::size_t shared = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    const bool before = i > 0 && same(i);
    if (before && at(i) != at(i - 1)) return std::nullopt;
    if (at(i) && (before || same(i + 1))) ++shared;
  }
  return shared;
}

}  // namespace ludens::search
