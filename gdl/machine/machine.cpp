#include "gdl/machine/machine.h"

#include <algorithm>

namespace ludens::gdl {

namespace {

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
  std::vector<State> way_;  // 0..length_; what lies behind is kept for its memory
  std::size_t length_ = 0;
};

/// What a playout works in, reused from one to the next.
struct PlayoutScratch {
  State now, after;
  std::vector<MoveId> legal, joint;
  std::vector<int> goals;
};

/// Plays on to the end or the cap; `ended` says which. A role without a legal move ends it too.
Status play_out(const Machine& machine, Machine::Context& context, std::uint32_t step_cap, Rng& rng,
                PlayoutScratch& scratch, PlayoutSums& out, bool& ended) {
  const std::size_t roles = machine.role_count();
  ended = false;
  for (std::uint32_t step = 0; step < step_cap; ++step) {
    if (const Status s = machine.terminal(context, scratch.now, ended); s != Status::Ok) return s;
    if (ended) return Status::Ok;
    for (RoleIndex role = 0; role < roles; ++role) {
      const Status s = machine.legal(context, scratch.now, role, scratch.legal);
      if (s != Status::Ok) return s;
      if (scratch.legal.empty()) return Status::Ok;
      scratch.joint[role] =
          scratch.legal[rng.below(static_cast<std::uint32_t>(scratch.legal.size()))];
    }
    const Status s = machine.next(context, scratch.now, scratch.joint, scratch.after);
    if (s != Status::Ok) return s;
    std::swap(scratch.now, scratch.after);
    ++out.steps;
  }
  return machine.terminal(context, scratch.now, ended);
}

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
      return "a goal value that is no integer from 0 to 100";
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

Status Machine::playouts(Context& context, std::span<const StateView> starts,
                         const PlayoutOptions& options, Rng& rng, PlayoutSums& out) const {
  const std::size_t roles = role_count();
  out.goals.assign(starts.size() * roles, 0);
  out.playouts.assign(starts.size(), 0);
  out.steps = out.cut = 0;
  PlayoutScratch scratch;
  scratch.joint.resize(roles);
  scratch.goals.resize(roles);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    for (std::uint32_t k = 0; k < options.per_start; ++k) {
      scratch.now.assign(starts[i]);
      bool ended = false;
      Status s = play_out(*this, context, options.step_cap, rng, scratch, out, ended);
      if (s != Status::Ok) return s;
      if (s = goals(context, scratch.now, scratch.goals); s != Status::Ok) return s;
      if (!ended) ++out.cut;
      for (std::size_t r = 0; r < roles; ++r) {
        out.goals[i * roles + r] += static_cast<std::uint64_t>(scratch.goals[r]);
      }
      ++out.playouts[i];
    }
  }
  return Status::Ok;
}

std::unique_ptr<Walker> Machine::walker(Context& context) const {
  return std::make_unique<StepWalker>(*this, context);
}

std::string Machine::print(Context& context, StateView state) const {
  std::vector<FluentId> ids;
  if (fluents(context, state, ids) != Status::Ok) return "";
  std::vector<std::string> names;
  for (const FluentId id : ids) names.push_back(vocabulary()->fluent_name(id));
  std::ranges::sort(names);
  std::string text = "(";
  for (const std::string& name : names) text += " " + name;
  return text + " )";
}

}  // namespace ludens::gdl
