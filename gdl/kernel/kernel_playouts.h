// SPDX-License-Identifier: MIT
// Random playouts in all lanes at once. Under the rules of kernel_registers.h.
#pragma once

#include "gdl/kernel/kernel_choice.h"
#include "gdl/kernel/kernel_counting.h"
#include "gdl/kernel/kernel_sparse.h"
#include "gdl/kernel/kernel_step.h"
#include "gdl/kernel/kernel_transpose.h"

namespace ludens::gdl::kernel {
namespace {

/// When running playouts will reach the step cap: which lanes were filled in which pass.
class StepCapSchedule {
 public:
  static constexpr std::size_t kEntries = 2 * kLanes;
  struct Entry {
    Register lanes;
    Word due;  // pass
  };

  explicit StepCapSchedule(Entry* entries) : entries_(entries) {}

  void fill(Register lanes, Word due) {
    if (size_ == kEntries) forget_refilled();
    if (size_ == 0) next_ = due;
    entries_[size_].lanes = lanes;
    entries_[size_].due = due;
    ++size_;
  }

  /// Lanes that were filled `step_cap` passes ago and not since. To be called in every pass.
  Register due(Word pass) {
    if (pass < next_ || size_ == 0) return zeros();
    forget_refilled();
    Register now = zeros();
    std::size_t past = 0;
    while (past < size_ && entries_[past].due <= pass) now |= entries_[past++].lanes;
    size_ -= past;
    for (std::size_t i = 0; i < size_; ++i) entries_[i] = entries_[past + i];
    if (size_ != 0) next_ = entries_[0].due;
    return now;
  }

 private:
  // Each lane counts only in its last entry; at most as many remain as there are lanes.
  void forget_refilled() {
    Register later = zeros();
    std::size_t kept = kEntries;
    for (std::size_t i = size_; i-- > 0;) {
      const Register lanes = entries_[i].lanes & ~later;
      if (!any(lanes)) continue;
      later |= lanes;
      --kept;
      const Word due = entries_[i].due;
      entries_[kept].lanes = lanes;
      entries_[kept].due = due;
    }
    size_ = kEntries - kept;
    for (std::size_t i = 0; i < size_; ++i) entries_[i] = entries_[kept + i];
  }

  Entry* entries_;  // ascending
  std::size_t size_ = 0;
  Word next_ = 0;  // nothing is due before
};

/// A run of the loop over one `Playouts` job.
class PlayoutLoop {
 public:
  explicit PlayoutLoop(Playouts& job)
      : job_(job),
        s_(static_cast<Register*>(job.slots)),
        caps_(static_cast<StepCapSchedule::Entry*>(job.scratch)),
        log_(job.counting, job.roles) {
    copies_ = reinterpret_cast<Register*>(static_cast<StepCapSchedule::Entry*>(job.scratch) +
                                          StepCapSchedule::kEntries);
    lane_start_ = reinterpret_cast<std::uint32_t*>(copies_ + most_crossed(job));
    for (std::size_t i = 0; i < kWords; ++i) {
      words(&random_.a)[i] = job.random[2 * i];
      words(&random_.b)[i] = job.random[2 * i + 1];
    }
    left_ = static_cast<Word>(job.start_count) * job.per_start;
  }

  static std::size_t scratch(std::uint32_t crossed) {
    return StepCapSchedule::kEntries * sizeof(StepCapSchedule::Entry) +
           (crossed + 1) * sizeof(Register) + kLanes * sizeof(std::uint32_t);
  }

  void run() {
    while (take_turns()) {
      if (pass_ % job_.poll_every == 0 && job_.stop != nullptr && job_.stop(job_.stop_argument)) {
        job_.stopped = true;
        break;
      }
      make_step(job_.steps[fitting_step()]);
      ++pass_;
    }
    clear_moves();
    for (std::size_t i = 0; i < kWords; ++i) {
      job_.random[2 * i] = words(&random_.a)[i];
      job_.random[2 * i + 1] = words(&random_.b)[i];
    }
  }

 private:
  static std::uint32_t most_crossed(const Playouts& job) {
    std::uint32_t most = 0;
    for (std::uint32_t i = 0; i < job.step_count; ++i) {
      if (job.steps[i].crossed_count > most) most = job.steps[i].crossed_count;
    }
    return most;
  }

  // --- a pass

  bool fits(const Step& step) const {
    Register bad = zeros();
    for (std::uint32_t i = 0; i < step.guard_count; ++i) bad |= ~value(s_, step.guard[i]);
    if (any(bad & playing_)) return false;
    for (std::uint32_t i = 0; i < step.apart_count; ++i) {
      const FluentGroup group = step.apart[i];
      Register one = zeros();
      for (std::uint32_t k = 0; k < group.count; ++k) {
        const Register holds = s_[group.fluents[k]];
        bad |= one & holds;
        one |= holds;
      }
    }
    return !any(bad & playing_);
  }

  // The step that all playing lanes allow. Roles take turns, so the next step is tried first.
  std::uint32_t fitting_step() {
    for (std::uint32_t i = 1; i < job_.step_count; ++i) {
      const std::uint32_t step =
          last_step_ + i < job_.step_count ? last_step_ + i : last_step_ + i - job_.step_count + 1;
      if (fits(job_.steps[step])) return last_step_ = step;
    }
    return 0;
  }

  void make_step(const Step& step) {
    if (job_.coin) s_[job_.fluents] = random_.next();
    evaluate(step.status, s_);
    Register over = playing_ & value(s_, step.terminal);
    if (const Register due = caps_.due(pass_) & playing_ & ~over; any(due)) {
      job_.cut += count(due);
      over |= due;
    }
    const Register active = playing_ & ~over;
    Register moving = step.stuck ? zeros() : active;
    for (std::uint32_t c = 0; c < step.chooser_count; ++c) {
      moving &= job_.weights == nullptr
                    ? Choice(step.choosers[c], active, s_).make(random_)
                    : WeightedChoice(step.choosers[c], job_.weights[c], active, s_).make(random_);
    }
    if (step.sparse_count != 0) moving &= choose_among_many(step, active);
    done_ |= playing_ & ~moving;  // at the end, or without a move
    playing_ = moving;
    job_.steps_made += count(moving);
    if (!any(moving)) return;
    if (job_.counting != nullptr) log_.note(s_, moving);
    advance(step, moving, copies_, s_);
  }

  __attribute__((noinline)) Register choose_among_many(const Step& step, Register active) {
    Register moving = active;
    for (std::uint32_t i = 0; i < step.set_count; ++i) s_[step.first_set + i] = zeros();
    for (std::uint32_t c = 0; c < step.sparse_count; ++c) {
      moving &= SparseChoice(step.sparse[c], active, s_).make(random_);
    }
    return moving;
  }

  void clear_moves() {
    for (std::uint32_t i = 0; i < job_.step_count; ++i) {
      const Step& step = job_.steps[i];
      for (std::uint32_t c = 0; c < step.chooser_count; ++c) {
        if (job_.weights == nullptr) {
          Choice(step.choosers[c], zeros(), s_).clear();
        } else {
          WeightedChoice(step.choosers[c], job_.weights[c], zeros(), s_).clear();
        }
      }
    }
  }

  // --- from one playout to the next

  // Counts and refills lanes when that is due. False when everything is done.
  bool take_turns() {
    const Register idle = ~playing_;
    const bool still = !any(playing_);
    if (!still && (left_ == 0 || count(idle) < hold_)) return true;
    std::uint32_t group = still ? any_group() : matching_group();
    if (!still && group == job_.group_count) return true;
    harvest();
    if (left_ == 0) return false;
    Register free = idle;
    while (any(free) && group < job_.group_count) {
      free &= ~refill(free, group);
      group = job_.step_count == 1 || fitting_step() == 0 ? any_group() : job_.group_count;
    }
    return true;
  }

  std::uint32_t any_group() const {
    std::uint32_t group = 0;
    while (group < job_.group_count && taken_[group] == jobs(group)) ++group;
    return group;
  }

  // Starts for which the next step can be used, so that all lanes stay in step with each other.
  // Waits a while if there are none, then takes any.
  std::uint32_t matching_group() {
    const std::uint32_t step = fitting_step();
    for (std::uint32_t g = 0; step != 0 && g < job_.group_count; ++g) {
      if (job_.groups[g].step == step && taken_[g] != jobs(g)) {
        waited_ = 0;
        return g;
      }
    }
    if (step != 0 && ++waited_ < job_.step_count) return job_.group_count;
    waited_ = 0;
    return any_group();
  }

  Word jobs(std::uint32_t group) const {
    return static_cast<Word>(job_.groups[group].count) * job_.per_start;
  }

  // Counts the goals of finished lanes.
  void harvest() {
    const Register done = done_;
    done_ = zeros();
    if (!any(done)) return;
    evaluate(job_.goals, s_);
    std::uint32_t role = ~0U;
    Register open = zeros();
    for (std::uint32_t g = 0; g < job_.goal_count; ++g) {
      const Goal& goal = job_.goal[g];
      if (goal.role != role) {
        role = goal.role;
        open = done;
      }
      const Register scored = value(s_, goal.edge) & open;
      open &= ~scored;
      if (goal.value != 0) add_goal(scored, role, goal.value);
      if (job_.counting != nullptr) log_.score(scored, role, goal.value);
    }
    if (job_.counting != nullptr) log_.count(done, job_.start_count == 1 ? nullptr : lane_start_);
    const std::uint32_t n = count(done);
    finished_ += n;
    if (job_.start_count == 1) {
      job_.finished[0] += n;
    } else {
      for_lanes(done, [this](std::size_t l) { ++job_.finished[lane_start_[l]]; });
    }
    choose_hold();
  }

  // Idle lanes cost as many playouts as they could have made; rare turnovers save their cost. With
  // lanes / length lanes finishing a pass, the best number to wait for is this.
  void choose_hold() {
    const double length =
        static_cast<double>(job_.steps_made + kLanes) / static_cast<double>(finished_);
    const double best = static_cast<double>(kLanes) * __builtin_sqrt(2 * job_.turnover / length);
    hold_ = best < kLanes / 2 ? static_cast<std::uint32_t>(best) : kLanes / 2;
    if (hold_ == 0) hold_ = 1;
  }

  void add_goal(Register scored, std::uint32_t role, Word points) {
    if (job_.start_count == 1) {
      job_.goal_sums[role] += points * count(scored);
      return;
    }
    for_lanes(scored,
              [&](std::size_t l) { job_.goal_sums[lane_start_[l] * job_.roles + role] += points; });
  }

  // Gives the next jobs of a group to free lanes, and returns these.
  Register refill(Register free, std::uint32_t group) {
    const Word want = jobs(group) - taken_[group];
    Register filled = free;
    if (count(free) > want) {
      filled = zeros();
      Word n = 0;
      for_lanes(free, [&](std::size_t l) {
        if (n++ < want) set_lane(filled, l);
      });
    }
    if (job_.start_count == 1) {
      start_at(filled, job_.starts[0]);
    } else {
      start_lanes(filled, job_.groups[group].first, taken_[group]);
    }
    const std::uint32_t n = count(filled);
    taken_[group] += n;
    left_ -= n;
    playing_ |= filled;
    caps_.fill(filled, pass_ + job_.step_cap);
    return filled;
  }

  void start_at(Register lanes, const Word* state) {
    for (std::uint32_t f = 0; f < job_.fluents; ++f) {
      const Register on = fill(Word{0} - (state[f / 64] >> (f % 64) & 1));
      s_[f] = pick(lanes, on, s_[f]);
    }
  }

  // Lanes get the jobs from `job` on, counted from the group's first start.
  void start_lanes(Register lanes, std::uint32_t first_start, Word job) {
    const Word* states[kLanes];
    const Word first = job / job_.per_start, end = job + count(lanes) - 1;
    const bool few = end / job_.per_start - first < 6;
    for (std::size_t l = 0; l < kLanes; ++l) states[l] = job_.starts[0];
    Register same = zeros();
    std::uint32_t start = first_start + static_cast<std::uint32_t>(first);
    std::uint32_t in_start = static_cast<std::uint32_t>(job % job_.per_start);
    for_lanes(lanes, [&](std::size_t l) {
      if (in_start == job_.per_start) {
        if (few) start_at(same, job_.starts[start]);
        same = zeros();
        ++start;
        in_start = 0;
      }
      ++in_start;
      lane_start_[l] = start;
      states[l] = job_.starts[start];
      set_lane(same, l);
    });
    if (few) return start_at(same, job_.starts[start]);
    pack(states, kLanes, job_.fluents,
         [&](std::uint32_t f, Register r) { s_[f] = pick(lanes, r, s_[f]); });
  }

  Playouts& job_;
  Register* s_;
  StepCapSchedule caps_;
  MoveLog log_;
  Register* copies_;
  std::uint32_t* lane_start_;  // with several starts
  Random random_{};
  Register playing_ = zeros();
  Register done_ = zeros();       // to be counted
  Word taken_[kMostGroups] = {};  // [group]: jobs given out
  Word left_ = 0;                 // jobs not given out
  Word pass_ = 0, finished_ = 0;
  std::uint32_t hold_ = kLanes / 8;
  std::uint32_t last_step_ = 0;
  std::uint32_t waited_ = 0;
};

void playouts(Playouts& job) {
  PlayoutLoop(job).run();
}

}  // namespace
}  // namespace ludens::gdl::kernel
