// SPDX-License-Identifier: MIT
#include "gdl/machine/machine.h"

#include <algorithm>
#include <cmath>

namespace ludens::gdl {

namespace {

/// How many bytes of a state are shown to people.
constexpr std::size_t kBriefly = 4000;

/// The walker over any machine: keeps the states of the way.
class StepWalker final : public Walker {
 public:
  StepWalker(const Machine& machine, Machine::Context& context)
      : machine_(machine), context_(context), way_(1) {}

  Status reset(StateView state) override {
    length_ = 0;
    way_[0].assign(state);
    return Status::Ok;
  }
  Status step(JointMove move) override {
    if (length_ + 1 == way_.size()) way_.emplace_back();
    const Status status = machine_.next(context_, way_[length_], move, way_[length_ + 1]);
    if (status == Status::Ok) ++length_;
    return status;
  }
  void undo() override { --length_; }
  [[nodiscard]] StateView state() const override { return way_[length_]; }
  Status legal(RoleIndex role, std::vector<MoveId>& out) override {
    return machine_.legal(context_, state(), role, out);
  }
  Status terminal(bool& out) override { return machine_.terminal(context_, state(), out); }
  Status goals(std::span<int> out) override { return machine_.goals(context_, state(), out); }

 private:
  const Machine& machine_;
  Machine::Context& context_;
  std::vector<State> way_;  // 0..length_; later entries are kept for their memory
  std::size_t length_ = 0;
};

/// Playouts one by one, with the single calls.
class PlayoutRun {
 public:
  PlayoutRun(const Machine& machine, Machine::Context& context, const PlayoutOptions& options,
             Rng& rng, PlayoutSums& out)
      : machine_(machine),
        context_(context),
        options_(options),
        rng_(rng),
        out_(out),
        joint_(machine.role_count()),
        goals_(machine.role_count()),
        made_(options.counting == nullptr ? 0 : machine.role_count()) {}

  Status play(std::span<const StateView> starts) {
    const std::size_t roles = goals_.size();
    const bool apart = options_.counting != nullptr && options_.counting->per_start;
    out_.goals.assign(starts.size() * roles, 0);
    out_.playouts.assign(starts.size(), 0);
    out_.steps = out_.cut = 0;
    out_.moves.clear();
    if (options_.counting != nullptr) out_.moves.resize((apart ? starts.size() : 1) * roles);
    for (std::size_t i = 0; i < starts.size(); ++i) {
      for (std::uint32_t k = 0; k < options_.per_start; ++k) {
        if (const Status s = play_from(starts[i]); s != Status::Ok) return s;
        for (std::size_t r = 0; r < roles; ++r) {
          out_.goals[i * roles + r] += static_cast<std::uint64_t>(goals_[r]);
        }
        ++out_.playouts[i];
        count_moves(apart ? i * roles : 0);
      }
    }
    return Status::Ok;
  }

 private:
  Status play_from(StateView start) {
    now_.assign(start);
    bool ended = false;
    Status s = play_out(ended);
    if (s != Status::Ok) return s;
    if (!ended) ++out_.cut;
    return machine_.goals(context_, now_, goals_);
  }

  // Plays to the end or the cap; `ended` says which. A role without a legal move ends it too.
  Status play_out(bool& ended) {
    for (std::uint32_t step = 0; step < options_.step_cap; ++step) {
      if (const Status s = machine_.terminal(context_, now_, ended); s != Status::Ok) return s;
      if (ended) return Status::Ok;
      for (RoleIndex role = 0; role < joint_.size(); ++role) {
        const Status s = machine_.legal(context_, now_, role, legal_);
        if (s != Status::Ok) return s;
        ended = legal_.empty();
        if (ended) return Status::Ok;
        joint_[role] = choose(role);
      }
      const Status s = machine_.next(context_, now_, joint_, after_);
      if (s != Status::Ok) return s;
      std::swap(now_, after_);
      ++out_.steps;
      for (std::size_t role = 0; role < made_.size(); ++role) made_[role].push_back(joint_[role]);
    }
    return machine_.terminal(context_, now_, ended);
  }

  MoveId choose(RoleIndex role) {
    if (options_.weights == nullptr) {
      return legal_[rng_.below(static_cast<std::uint32_t>(legal_.size()))];
    }
    std::uint32_t sum = 0;
    for (const MoveId move : legal_) sum += options_.weights->of(role, move);
    std::uint32_t left = rng_.below(sum);
    for (const MoveId move : legal_) {
      const std::uint32_t weight = options_.weights->of(role, move);
      if (left < weight) return move;
      left -= weight;
    }
    return legal_.back();
  }

  void count_moves(std::size_t first_row) {
    for (std::size_t role = 0; role < made_.size(); ++role) {
      auto& made = made_[role];
      auto& row = out_.moves[first_row + role];
      std::ranges::sort(made);
      made.erase(std::unique(made.begin(), made.end()), made.end());
      if (!made.empty() && row.size() <= made.back()) row.resize(made.back() + 1);
      for (const MoveId move : made) {
        ++row[move].made;
        row[move].won += goals_[role] >= options_.counting->won_from ? 1 : 0;
        row[move].lost += goals_[role] <= options_.counting->lost_to ? 1 : 0;
      }
      made.clear();
    }
  }

  const Machine& machine_;
  Machine::Context& context_;
  const PlayoutOptions& options_;
  Rng& rng_;
  PlayoutSums& out_;
  State now_, after_;
  std::vector<MoveId> legal_, joint_;
  std::vector<int> goals_;
  std::vector<std::vector<MoveId>> made_;  // [role], in this playout; no rows if not counted
};

}  // namespace

std::string_view to_string(Flaw::Kind kind) {
  switch (kind) {
    case Flaw::Kind::NoLegalMove:
      return "no legal move";
    case Flaw::Kind::GoalMissing:
      return "no goal value at the end";
    case Flaw::Kind::GoalDoubled:
      return "several goal values at the end";
    case Flaw::Kind::GoalNotANumber:
      return "a goal value that is not an integer";
  }
  return "";
}

void Machine::Context::report(Flaw::Kind kind, RoleIndex role, std::string state) {
  const bool known = std::ranges::any_of(
      flaws, [&](const Flaw& flaw) { return flaw.kind == kind && flaw.role == role; });
  if (!known) flaws.push_back({kind, role, std::move(state)});
}

std::string Machine::role_name(RoleIndex role) const {
  const Rules& rules = vocabulary()->rules();
  return rules.print(rules.roles[role]);
}

Status Machine::stated_goals(Context& context, StateView state, std::span<int> out) const {
  const Status status = goals(context, state, out);
  const GoalScale& scale = vocabulary()->rules().goals;
  for (int& goal : out) goal = static_cast<int>(std::lround(scale.shown(goal)));
  return status;
}

const Structure& Machine::structure() const {
  static const Structure nothing;
  return nothing;
}

Status Machine::expand(Context& context, std::span<const StateMove> pairs, Expansion& out) const {
  const std::size_t roles = role_count();
  out.states.clear();
  out.terminal.assign(pairs.size(), 0);
  out.goals.assign(pairs.size() * roles, 0);
  out.moves.clear();
  out.begin.clear();
  State after;
  std::vector<MoveId> legal;
  std::vector<int> goals(roles);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    Status s = next(context, pairs[i].state, pairs[i].move, after);
    if (s != Status::Ok) return s;
    out.states.push_back(after);
    bool ended = false;
    if (s = terminal(context, after, ended); s != Status::Ok) return s;
    out.terminal[i] = ended ? 1 : 0;
    if (ended) {
      if (s = this->goals(context, after, goals); s != Status::Ok) return s;
      for (std::size_t r = 0; r < roles; ++r) {
        out.goals[i * roles + r] = static_cast<std::uint8_t>(goals[r]);
      }
    }
    for (RoleIndex r = 0; r < roles; ++r) {
      out.begin.push_back(static_cast<std::uint32_t>(out.moves.size()));
      if (ended) continue;
      if (s = this->legal(context, after, r, legal); s != Status::Ok) return s;
      out.moves.insert(out.moves.end(), legal.begin(), legal.end());
    }
  }
  out.begin.push_back(static_cast<std::uint32_t>(out.moves.size()));
  return Status::Ok;
}

Status Machine::some_legal(Context& context, StateView state, RoleIndex role,
                           std::vector<MoveId>& out, bool& all) const {
  const Status status = legal(context, state, role, out);
  all = status == Status::Ok;
  return status;
}

Status Machine::percepts(Context&, StateView, JointMove, RoleIndex,
                         std::vector<PerceptId>& out) const {
  out.clear();
  return Status::Ok;
}

Status Machine::perceive(Context& context, std::span<const StateMove> pairs, Percepts& out) const {
  out.percepts.clear();
  out.begin.assign(1, 0);
  std::vector<PerceptId> perceived;
  for (const StateMove& pair : pairs) {
    for (RoleIndex role = 0; role < role_count(); ++role) {
      const Status s = percepts(context, pair.state, pair.move, role, perceived);
      if (s != Status::Ok) return s;
      out.percepts.insert(out.percepts.end(), perceived.begin(), perceived.end());
      out.begin.push_back(static_cast<std::uint32_t>(out.percepts.size()));
    }
  }
  return Status::Ok;
}

Status Machine::playouts(Context& context, std::span<const StateView> starts,
                         const PlayoutOptions& options, Rng& rng, PlayoutSums& out) const {
  return PlayoutRun(*this, context, options, rng, out).play(starts);
}

std::unique_ptr<Walker> Machine::walker(Context& context) const {
  return std::make_unique<StepWalker>(*this, context);
}

/// The names of a state's fluents, in the order of ids; OverBudget, with some of them, if all
/// together are longer than `most`.
Status Machine::names(Context& context, StateView state, std::size_t most,
                      std::vector<std::string>& out) const {
  out.clear();
  std::vector<FluentId> ids;
  if (const Status s = fluents(context, state, ids); s != Status::Ok) return s;
  StopPoll stop(context.limits.stop);
  std::size_t length = 0;
  for (const FluentId id : ids) {
    std::string name = vocabulary()->fluent_name(id);
    length += name.size() + 1;
    if (length > most) return Status::OverBudget;
    if (stop(name.size() + 1)) return Status::Stopped;
    out.push_back(std::move(name));
  }
  return Status::Ok;
}

Status Machine::print(Context& context, StateView state, std::string& out) const {
  std::vector<std::string> all;
  if (const Status s = names(context, state, kLongestState, all); s != Status::Ok) return s;
  std::ranges::sort(all);
  out = "(";
  for (const std::string& name : all) out += " " + name;
  out += " )";
  return Status::Ok;
}

std::string Machine::print(Context& context, StateView state) const {
  std::string text;
  return print(context, state, text) == Status::Ok ? text : "";
}

std::string Machine::brief(Context& context, StateView state) const {
  std::vector<std::string> some;
  const Status status = names(context, state, kBriefly, some);
  std::ranges::sort(some);
  std::string text = "(";
  for (const std::string& name : some) text += " " + name;
  return text + (status == Status::Ok ? " )" : " ... )");
}

}  // namespace ludens::gdl
