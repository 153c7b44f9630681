// SPDX-License-Identifier: MIT
#include "gdl/machine/agreement.h"

#include <algorithm>
#include <memory>

namespace ludens::gdl {

namespace {

/// What a machine says of one state.
struct Facts {
  bool terminal = false;
  std::vector<int> goals;
  std::vector<std::vector<MoveId>> legal;  // [role]
  std::vector<FluentId> fluents;
};

/// One machine at one place of a playout.
class Seat {
 public:
  Seat(const Machine& machine, const StopSignal* stop)
      : machine_(machine),
        context_(machine.make_context({stop, nullptr})),
        walker_context_(machine.make_context({stop, nullptr})),
        walker_(machine.walker(*walker_context_)) {}

  [[nodiscard]] const Machine& machine() const { return machine_; }
  [[nodiscard]] const State& state() const { return state_; }

  bool begin() {
    steps_ = 0;
    states_.clear();
    moves_.clear();
    return machine_.initial(*context_, state_) == Status::Ok &&
           walker_->reset(state_) == Status::Ok;
  }

  bool ask(Facts& facts) {
    const std::size_t roles = machine_.role_count();
    facts.goals.assign(roles, 0);
    facts.legal.resize(roles);
    for (RoleIndex r = 0; r < roles; ++r) {
      if (machine_.legal(*context_, state_, r, facts.legal[r]) != Status::Ok) return false;
    }
    return machine_.terminal(*context_, state_, facts.terminal) == Status::Ok &&
           machine_.goals(*context_, state_, facts.goals) == Status::Ok &&
           machine_.fluents(*context_, state_, facts.fluents) == Status::Ok;
  }

  bool ask_walker(Facts& facts) {
    const std::size_t roles = machine_.role_count();
    facts.goals.assign(roles, 0);
    facts.legal.resize(roles);
    for (RoleIndex r = 0; r < roles; ++r) {
      if (walker_->legal(r, facts.legal[r]) != Status::Ok) return false;
    }
    return walker_->terminal(facts.terminal) == Status::Ok &&
           walker_->goals(facts.goals) == Status::Ok;
  }

  bool step(JointMove move) {
    State next;
    if (machine_.next(*context_, state_, move, next) != Status::Ok) return false;
    state_ = std::move(next);
    ++steps_;
    return walker_->step(move) == Status::Ok;
  }

  bool perceive(JointMove move, std::vector<std::vector<PerceptId>>& out) {
    out.resize(machine_.role_count());
    for (RoleIndex r = 0; r < out.size(); ++r) {
      if (machine_.percepts(*context_, state_, move, r, out[r]) != Status::Ok) return false;
    }
    return true;
  }

  [[nodiscard]] bool walker_is_here() const { return walker_->state() == StateView(state_); }
  /// Undoes all steps of the walker; returns whether that ends in the initial state.
  bool walk_back() {
    for (; steps_ > 0; --steps_) walker_->undo();
    State initial;
    return machine_.initial(*context_, initial) == Status::Ok &&
           walker_->state() == StateView(initial);
  }

  /// The move in the current state joins the batch.
  void add_pair(const std::vector<MoveId>& move) {
    states_.push_back(state_);
    moves_.push_back(move);
  }
  bool expand(Expansion& out, Percepts& percepts) {
    std::vector<StateMove> pairs;
    for (std::size_t i = 0; i < states_.size(); ++i) pairs.push_back({states_[i], moves_[i]});
    return machine_.expand(*context_, pairs, out) == Status::Ok &&
           machine_.perceive(*context_, pairs, percepts) == Status::Ok;
  }
  bool fluents(StateView state, std::vector<FluentId>& out) {
    return machine_.fluents(*context_, state, out) == Status::Ok;
  }

 private:
  const Machine& machine_;
  std::unique_ptr<Machine::Context> context_, walker_context_;
  std::unique_ptr<Walker> walker_;
  State state_;
  std::uint32_t steps_ = 0;
  std::vector<State> states_;
  std::vector<std::vector<MoveId>> moves_;
};

class Comparison {
 public:
  Comparison(const Machine& reference, std::span<const Machine* const> others,
             const AgreementOptions& options, Rng& rng)
      : options_(options), rng_(rng), reference_(reference, options.stop) {
    for (const Machine* m : others) {
      seats_.push_back(std::make_unique<Seat>(*m, options.stop));
    }
  }

  Agreement run() {
    for (std::uint32_t p = 0; p < options_.playouts && !stopped(); ++p) {
      if (play()) ++result_.playouts;
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool stopped() const {
    return options_.stop != nullptr && options_.stop->stop_requested();
  }

  // Returns false and notes the difference unless the comparison was stopped.
  bool differ(const Seat& seat, const std::string& what) {
    if (!stopped()) {
      result_.differences.push_back(std::string(seat.machine().name()) + ": playout " +
                                    std::to_string(result_.playouts + 1) + ", step " +
                                    std::to_string(step_) + ": " + what);
    }
    return false;
  }

  bool play() {
    step_ = 0;
    if (!reference_.begin()) return differ(reference_, "no initial state");
    for (const auto& seat : seats_) {
      if (!seat->begin()) return differ(*seat, "no initial state");
    }
    for (; step_ < options_.step_cap; ++step_) {
      Facts facts;
      if (!reference_.ask(facts)) return differ(reference_, "no answer");
      ++result_.states;
      for (const auto& seat : seats_) {
        if (!compare(*seat, facts)) return false;
      }
      const bool stuck = std::ranges::any_of(facts.legal, [](const auto& l) { return l.empty(); });
      if (facts.terminal || stuck) break;
      if (!advance(facts)) return false;
    }
    return compare_batches() && walk_back();
  }

  bool compare(Seat& seat, const Facts& expected) {
    Facts facts, walked;
    if (!seat.ask(facts) || !seat.ask_walker(walked)) return differ(seat, "no answer");
    if (!compare(seat, expected, facts, "") || !compare(seat, expected, walked, "walker: ")) {
      return false;
    }
    if (!seat.walker_is_here()) return differ(seat, "walker: another state");
    return compare_fluents(seat, expected.fluents, facts.fluents);
  }

  bool compare(Seat& seat, const Facts& expected, const Facts& facts, const std::string& who) {
    if (facts.terminal != expected.terminal) return differ(seat, who + "terminal");
    for (RoleIndex r = 0; r < expected.legal.size(); ++r) {
      if (facts.legal[r] != expected.legal[r]) {
        return differ(seat, who + legal_difference(r, expected.legal[r], facts.legal[r]));
      }
    }
    if (facts.goals != expected.goals) return differ(seat, who + "goals");
    return true;
  }

  [[nodiscard]] std::string legal_difference(RoleIndex role, const std::vector<MoveId>& expected,
                                             const std::vector<MoveId>& given) const {
    std::vector<MoveId> missing, added;
    std::ranges::set_difference(expected, given, std::back_inserter(missing));
    std::ranges::set_difference(given, expected, std::back_inserter(added));
    const Vocabulary& names = *reference_.machine().vocabulary();
    std::string text = "legal moves of " + reference_.machine().role_name(role);
    if (missing.empty() && added.empty()) return text + ": another order";
    if (!missing.empty()) text += ": lacks " + names.move_name(missing.front());
    if (!added.empty()) text += ": has " + names.move_name(added.front());
    return text;
  }

  bool compare_fluents(const Seat& seat, std::vector<FluentId> expected,
                       const std::vector<FluentId>& given) {
    std::erase_if(expected, [&](FluentId f) { return !seat.machine().keeps(f); });
    if (expected == given) return true;
    std::vector<FluentId> missing, added;
    std::ranges::set_difference(expected, given, std::back_inserter(missing));
    std::ranges::set_difference(given, expected, std::back_inserter(added));
    const Vocabulary& names = *reference_.machine().vocabulary();
    std::string text = "state";
    if (!missing.empty()) text += ": lacks " + names.fluent_name(missing.front());
    if (!added.empty()) text += ": has " + names.fluent_name(added.front());
    return differ(seat, text);
  }

  std::vector<MoveId> choose(const Facts& facts) {
    std::vector<MoveId> move;
    for (const auto& legal : facts.legal) {
      move.push_back(legal[rng_.below(static_cast<std::uint32_t>(legal.size()))]);
    }
    return move;
  }

  bool advance(const Facts& facts) {
    for (std::uint32_t i = 0; i < options_.pairs_per_state; ++i) {
      const std::vector<MoveId> move = choose(facts);
      reference_.add_pair(move);
      for (const auto& seat : seats_) seat->add_pair(move);
    }
    const std::vector<MoveId> move = choose(facts);
    if (!compare_percepts(move)) return false;
    if (!reference_.step(move)) return differ(reference_, "no next state");
    for (const auto& seat : seats_) {
      if (!seat->step(move)) return differ(*seat, "no next state");
    }
    return true;
  }

  bool compare_percepts(JointMove move) {
    std::vector<std::vector<PerceptId>> expected, given;
    if (!reference_.perceive(move, expected)) return differ(reference_, "no percepts");
    for (const auto& seat : seats_) {
      if (!seat->perceive(move, given)) return differ(*seat, "no percepts");
      if (given != expected) return differ(*seat, "percepts");
    }
    return true;
  }

  bool compare_batches() {
    Expansion expected, given;
    Percepts perceived, percepts;
    if (!reference_.expand(expected, perceived)) return differ(reference_, "no expansion");
    expected.moves.resize(expected.begin.back());
    for (const auto& seat : seats_) {
      if (!seat->expand(given, percepts)) return differ(*seat, "no expansion");
      given.moves.resize(given.begin.back());
      if (given.terminal != expected.terminal) return differ(*seat, "expansion: terminal");
      if (given.goals != expected.goals) return differ(*seat, "expansion: goals");
      if (given.begin != expected.begin || given.moves != expected.moves) {
        return differ(*seat, "expansion: legal moves");
      }
      if (percepts.begin != perceived.begin || percepts.percepts != perceived.percepts) {
        return differ(*seat, "percepts of a batch");
      }
      if (given.states.size() != expected.states.size()) return differ(*seat, "expansion: states");
      for (std::size_t i = 0; i < given.states.size(); ++i) {
        std::vector<FluentId> here, there;
        if (!reference_.fluents(expected.states[i], there) ||
            !seat->fluents(given.states[i], here)) {
          return differ(*seat, "no answer");
        }
        if (!compare_fluents(*seat, std::move(there), here)) return false;
      }
    }
    return true;
  }

  bool walk_back() {
    for (const auto& seat : seats_) {
      if (!seat->walk_back()) return differ(*seat, "walker: does not return to the start");
    }
    return true;
  }

  const AgreementOptions options_;
  Rng& rng_;
  Seat reference_;
  std::vector<std::unique_ptr<Seat>> seats_;
  Agreement result_;
  std::uint32_t step_ = 0;
};

}  // namespace

Agreement compare_machines(const Machine& reference, std::span<const Machine* const> others,
                           const AgreementOptions& options, Rng& rng) {
  return Comparison(reference, others, options, rng).run();
}

}  // namespace ludens::gdl
