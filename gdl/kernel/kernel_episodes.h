// SPDX-License-Identifier: MIT
// Episodes in all lanes at once, with moves that a caller chooses. Under the rules of
// kernel_registers.h.
#pragma once

#include "gdl/kernel/kernel_choice.h"
#include "gdl/kernel/kernel_numbers.h"
#include "gdl/kernel/kernel_step.h"

namespace ludens::gdl::kernel {
namespace {

/// What is kept for all lanes in addition to their slots.
struct EpisodeLanes {
  // In the order of EpisodeColumn.
  Register playing, terminated, truncated, age[kAgeBits];
  // Between the choice of moves and the step.
  Register illegal, stuck;
  // Which of the moves' slots may be nonzero.
  enum class Set : Word { None, Given, Any } moves_set;
};

class EpisodeRun {
 public:
  explicit EpisodeRun(Episodes& job)
      : job_(job),
        s_(static_cast<Register*>(job.slots)),
        lanes_(*static_cast<EpisodeLanes*>(job.lanes)) {}

  /// Whether some lane was given an illegal move.
  bool choose() {
    load_random();
    lanes_.illegal = zeros();
    lanes_.stuck = job_.step->stuck ? ones() : zeros();
    if (job_.shared_slots || lanes_.moves_set != Set::None) clear_all_moves();
    lanes_.moves_set = job_.numbered ? Set::Any : Set::Given;
    if (job_.numbered) {
      choose_by_numbers();
    } else {
      choose_by_slots();
    }
    if (job_.chance != Episodes::kNoChooser) choose_any(job_.chance, lanes_.playing);
    lanes_.stuck &= lanes_.playing;
    lanes_.illegal &= lanes_.playing & ~lanes_.stuck;
    store_random();
    return any(lanes_.illegal);
  }

  /// Whether an episode has ended.
  bool step() {
    const Register playing = lanes_.playing;
    const Register moving = playing & ~lanes_.illegal & ~lanes_.stuck;
    const Register restarting = job_.restart_later ? lanes_in_use(job_.count) & ~playing : zeros();
    advance(*job_.step, moving, static_cast<Register*>(job_.scratch), s_);
    if (lanes_.moves_set == Set::Given) clear_given_moves();
    if (any(restarting)) start(restarting);
    const Register at_cap = grow_older(moving);
    evaluate(job_.step->status, s_);
    const Register over = value(s_, job_.step->terminal) & (moving | restarting);
    const Register cut = (at_cap & ~over) | lanes_.stuck;
    lanes_.terminated |= over | lanes_.illegal;
    lanes_.truncated |= cut;
    write_bits(lanes_.terminated, job_.count, job_.terminated);
    write_bits(lanes_.truncated, job_.count, job_.truncated);
    write_rewards(over, lanes_.illegal);
    const Register ended = over | cut | lanes_.illegal;
    lanes_.playing = (playing | restarting) & ~ended;
    job_.steps_made += count(moving);
    return any(ended);
  }

  /// Restarts lanes that have ended.
  void restart() {
    start(lanes_in_use(job_.count) & ~lanes_.playing);
    look();
  }

  void look() {
    evaluate(job_.step->status, s_);
    const Register over = value(s_, job_.step->terminal) & lanes_in_use(job_.count);
    lanes_.terminated |= over;
    lanes_.playing = lanes_in_use(job_.count) & ~lanes_.terminated & ~lanes_.truncated;
  }

  void draw(std::int32_t* actions) {
    load_random();
    for (std::uint32_t p = 0; p < job_.player_count; ++p) draw_of(p, actions + p);
    store_random();
  }

 private:
  using Set = EpisodeLanes::Set;

  static Register lanes_in_use(std::uint32_t count) {
    Register lanes = ones();
    for (std::uint32_t w = 0; w < kWords; ++w) {
      const std::size_t n = count <= w ? 0 : (count + kWords - 1 - w) / kWords;
      if (n < 64) words(&lanes)[w] = (Word{1} << n) - 1;
    }
    return lanes;
  }

  void load_random() {
    for (std::size_t i = 0; i < kWords; ++i) {
      words(&random_.a)[i] = job_.random[2 * i];
      words(&random_.b)[i] = job_.random[2 * i + 1];
    }
  }
  void store_random() {
    for (std::size_t i = 0; i < kWords; ++i) {
      job_.random[2 * i] = words(&random_.a)[i];
      job_.random[2 * i + 1] = words(&random_.b)[i];
    }
  }

  void start(Register which) {
    for (std::uint32_t f = 0; f < job_.fluents; ++f) {
      const Register on = fill(Word{0} - (job_.initial[f / 64] >> (f % 64) & 1));
      s_[f] = pick(which, on, s_[f]);
    }
    for (Register& bit : lanes_.age) bit &= ~which;
    lanes_.terminated &= ~which;
    lanes_.truncated &= ~which;
  }

  // --- moves

  // Chooses a legal move of the chooser's role in these lanes. Lanes without one are stuck.
  void choose_any(std::uint32_t chooser, Register which) {
    lanes_.moves_set = Set::Any;
    lanes_.stuck |= which & ~Choice(job_.step->choosers[chooser], which, s_).make(random_);
  }

  static Register any_legal(const ActionTable& player, const Register* s) {
    Register some = zeros();
    for (std::uint32_t a = 0; a < player.count; ++a) some |= value(s, player.legal[a]);
    return some;
  }

  void note_illegal(const ActionTable& player, Register illegal) {
    if (!any(illegal)) return;
    const Register some = any_legal(player, s_);
    lanes_.stuck |= illegal & ~some;
    lanes_.illegal |= illegal & some;
  }

  // 0: any; action + 1; or one more than the last for a number that is not an action.
  template <std::uint32_t kPlayers>
  void join_numbers(Word* to) const {
    const std::uint32_t players = kPlayers != 0 ? kPlayers : job_.player_count;
    const std::int32_t* actions = job_.actions;
    const ActionTable* const tables = job_.players;
    for (std::uint32_t l = 0; l < job_.count; ++l) {
      Word joint = 0;
      for (std::uint32_t p = 0; p < players; ++p) {
        const std::uint32_t n = static_cast<std::uint32_t>(*actions++) + 1;
        const std::uint32_t none = tables[p].count + 1;
        joint |= Word{n < none ? n : none} << tables[p].first_bit;
      }
      to[l] = joint;
    }
  }

  void choose_by_numbers() {
    Register joint[64] = {};
    auto* const numbers = words(joint);
    if (job_.player_count == 1) {
      join_numbers<1>(numbers);
    } else if (job_.player_count == 2) {
      join_numbers<2>(numbers);
    } else {
      join_numbers<0>(numbers);
    }
    Register columns[64];
    const ActionTable& last = job_.players[job_.player_count - 1];
    turn_words(joint, last.first_bit + last.bits,
               [&](std::size_t k, Register r) { columns[k] = r; });
    for (std::uint32_t p = 0; p < job_.player_count; ++p) choose_numbered(job_.players[p], columns);
  }

  void choose_numbered(const ActionTable& player, const Register* columns) {
    const NumberLanes lanes(columns, player.first_bit, player.bits);
    Register good = lanes[0] & lanes_.playing;
    if (any(good)) choose_any(player.chooser, good);
    for (std::uint32_t a = 0; a < player.count; ++a) {
      const Register chosen = lanes[a + 1];
      good |= chosen & value(s_, player.legal[a]);
      s_[player.slot[a]] |= chosen;
    }
    note_illegal(player, lanes_.playing & ~good);
  }

  void choose_by_slots() {
    for (std::uint32_t p = 0; p < job_.player_count; ++p) {
      const ActionTable& player = job_.players[p];
      Register good = zeros(), random = zeros();
      find_random(p, random);
      random &= lanes_.playing;
      if (any(random)) choose_any(player.chooser, random);
      const std::int32_t* action = job_.actions + p;
      for (std::uint32_t l = 0; l < job_.count; ++l, action += job_.player_count) {
        const auto a = static_cast<std::uint32_t>(*action);
        if (a >= player.count) continue;
        const Edge& legal = player.legal[a];
        const std::size_t word = l % kWords;
        const Word bit = Word{1} << (l / kWords);
        words(s_ + player.slot[a])[word] |= bit;
        const Word is_legal = words(s_ + legal.slot)[word] ^ (Word{0} - legal.inverted);
        words(&good)[word] |= is_legal & bit;
      }
      note_illegal(player, lanes_.playing & ~good & ~random);
    }
  }

  void find_random(std::uint32_t p, Register& random) const {
    const std::int32_t* action = job_.actions + p;
    for (std::uint32_t l = 0; l < job_.count; ++l, action += job_.player_count) {
      if (*action == -1) set_lane(random, l);
    }
  }

  void clear_all_moves() {
    for (std::uint32_t m = 0; m < job_.move_count; ++m) s_[job_.first_move + m] = zeros();
  }

  // Clears only the moves that were chosen by slot, which are few of many.
  void clear_given_moves() {
    const std::int32_t* action = job_.actions;
    for (std::uint32_t l = 0; l < job_.count; ++l) {
      for (std::uint32_t p = 0; p < job_.player_count; ++p, ++action) {
        const ActionTable& player = job_.players[p];
        const auto a = static_cast<std::uint32_t>(*action);
        if (a < player.count) s_[player.slot[a]] = zeros();
      }
    }
    lanes_.moves_set = Set::None;
  }

  // The number of a legal action in each lane; -1 where there is none.
  void draw_of(std::uint32_t p, std::int32_t* actions) {
    const ActionTable& player = job_.players[p];
    const Chooser& chooser = job_.step->choosers[player.chooser];
    if (job_.shared_slots || lanes_.moves_set != Set::None) clear_all_moves();
    lanes_.moves_set = Set::None;
    const Register some = Choice(chooser, lanes_.playing, s_).make(random_);
    for (std::uint32_t l = 0; l < job_.count; ++l) actions[l * job_.player_count] = -1;
    for (std::uint32_t a = 0; a < player.count; ++a) {
      const Register chosen = s_[player.slot[a]] & some;
      if (!any(chosen)) continue;
      for_lanes(chosen, [&](std::size_t l) {
        actions[l * job_.player_count] = static_cast<std::int32_t>(a);
      });
    }
    Choice(chooser, zeros(), s_).clear();
  }

  // --- ends

  // Lanes that have now made as many moves as they may.
  Register grow_older(Register moving) {
    Register carried = moving;
    for (Register& bit : lanes_.age) {
      const Register before = bit;
      bit = before ^ carried;
      carried &= before;
    }
    if (job_.step_cap == 0) return zeros();
    Register equal = moving;
    for (std::uint32_t k = 0; k < kAgeBits; ++k) {
      equal &= lanes_.age[k] ^ fill((job_.step_cap >> k & 1) != 0 ? 0 : ~Word{0});
    }
    return equal;
  }

  void write_rewards(Register over, Register illegal) {
    const std::uint32_t players = job_.player_count;
    __builtin_memset(job_.rewards, 0, sizeof(float) * job_.count * players);
    if (!any(over | illegal)) return;
    for_lanes(over | illegal, [&](std::size_t l) {
      for (std::uint32_t p = 0; p < players; ++p) job_.rewards[l * players + p] = job_.least_reward;
    });
    if (!any(over)) return;
    evaluate(job_.goals, s_);
    for (std::uint32_t g = job_.goal_count; g-- > 0;) {  // ascending: the largest stays
      const Goal& goal = job_.goal[g];
      const float reward = job_.reward[g];
      for_lanes(value(s_, goal.edge) & over,
                [&](std::size_t l) { job_.rewards[l * players + goal.role] = reward; });
    }
  }

  Episodes& job_;
  Register* s_;
  EpisodeLanes& lanes_;
  Random random_{};
};

std::size_t episode_lanes() {
  return sizeof(EpisodeLanes);
}
bool choose_moves(Episodes& job) {
  return EpisodeRun(job).choose();
}
bool make_moves(Episodes& job) {
  return EpisodeRun(job).step();
}
void restart_ended(Episodes& job) {
  EpisodeRun(job).restart();
}
void look_at_lanes(Episodes& job) {
  EpisodeRun(job).look();
}
void draw_actions(Episodes& job, std::int32_t* actions) {
  EpisodeRun(job).draw(actions);
}

}  // namespace
}  // namespace ludens::gdl::kernel
