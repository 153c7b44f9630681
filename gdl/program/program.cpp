// SPDX-License-Identifier: MIT
#include "gdl/program/program.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "gdl/network/loops.h"

namespace ludens::gdl {

namespace {

class Compiler {
 public:
  /// `sets`: null, or those of the network.
  Compiler(const Network& network, const SetNetwork* sets, std::size_t first_slot,
           const StopSignal* stop)
      : network_(network),
        sets_(sets),
        poll_(stop),
        loops_(find_loops(network, &poll_)),
        slot_(network.gates.size(), kNone),
        in_status_(network.gates.size()),
        written_(network.gates.size()) {
    program_.first_slot = std::max(first_slot, network.fluents.size());
    if (sets != nullptr) find_left_out();
  }

  Result<Program> run() {
    if (depend_on_moves(status_roots()) || depend_on_moves(goal_roots())) {
      return Error{"legal moves, end or goals depend on moves"};
    }
    if (!std::ranges::all_of(loops_.loops, &Loop::monotone)) {
      return Error{"ground rules depend on their own negation in a cycle"};
    }
    lay_out_ends();
    find_levels();
    find_stages();
    place(Phase::Status, status_roots());
    place(Phase::Goals, goal_roots());
    place(Phase::Next, next_roots());
    place(Phase::Percepts, percept_roots());
    if (poll_.stopped()) return Error{"stopped"};
    connect();
    return std::move(program_);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  [[nodiscard]] std::vector<Edge> status_roots() const {
    std::vector<Edge> roots{network_.terminal};
    for (const Network::Move& m : network_.moves) {
      const std::span<const Edge> edges = conditions(m);
      roots.insert(roots.end(), edges.begin(), edges.end());
    }
    return roots;
  }
  [[nodiscard]] std::vector<Edge> goal_roots() const {
    std::vector<Edge> roots;
    for (const auto& role : network_.goals) {
      for (const Network::Goal& g : role) roots.push_back(g.edge);
    }
    return roots;
  }
  [[nodiscard]] std::vector<Edge> next_roots() const {
    std::vector<Edge> roots;
    for (const Network::Fluent& f : network_.fluents) roots.push_back(f.next);
    return roots;
  }

  [[nodiscard]] std::vector<Edge> percept_roots() const {
    std::vector<Edge> roots;
    for (const Network::Percept& p : network_.percepts) roots.push_back(p.edge);
    return roots;
  }

  [[nodiscard]] bool depend_on_moves(const std::vector<Edge>& roots) {
    const std::vector<bool> used = network_.cone(roots, &poll_);
    return std::ranges::any_of(network_.moves,
                               [&](const Network::Move& m) { return m.node != 0 && used[m.node]; });
  }

  // Finds gates that only say whether moves without a node are legal.
  void find_left_out() {
    left_out_.assign(network_.gates.size(), false);
    for (const Network::Move& m : network_.moves) {
      const NodeId n = node_of(m.legal);
      left_out_[n] = m.node == 0 && network_.gates.kind(n) == Gates::Kind::And;
    }
    const auto keep = [&](Edge e) { left_out_[node_of(e)] = false; };
    for (NodeId n = 0; n < network_.gates.size(); ++n) {
      if (network_.gates.kind(n) != Gates::Kind::And) continue;
      if (poll_(network_.gates.inputs(n).size())) return;
      std::ranges::for_each(network_.gates.inputs(n), keep);
    }
    for (const Network::Move& m : network_.moves) {
      if (m.node != 0 || is_inverted(m.legal)) keep(m.legal);
    }
    std::ranges::for_each(next_roots(), keep);
    keep(network_.terminal);
  }

  // The two parts of the condition of a move that belongs to a family; otherwise empty.
  [[nodiscard]] std::span<const Edge> parts(const Network::Move& m) const {
    if (sets_ == nullptr) return {};
    const auto& parts = sets_->parts[static_cast<std::size_t>(&m - network_.moves.data())];
    return parts[0] == kFalse ? std::span<const Edge>() : parts;
  }

  // All of these hold if the move is legal.
  [[nodiscard]] std::span<const Edge> conditions(const Network::Move& m) const {
    if (const std::span<const Edge> both = parts(m); !both.empty()) return both;
    const NodeId n = node_of(m.legal);
    if (sets_ == nullptr || !left_out_[n]) return {&m.legal, 1};
    return network_.gates.inputs(n);
  }

  void lay_out_ends() {
    std::uint32_t slot = 0;
    for (const Network::Fluent& f : network_.fluents) slot_[f.node] = slot++;
    slot = static_cast<std::uint32_t>(program_.first_slot);
    std::vector<const Network::Move*> moves;
    for (const Network::Move& m : network_.moves) {
      if (m.node != 0) moves.push_back(&m);
    }
    std::ranges::sort(moves, {}, [](const Network::Move* m) { return std::pair(m->role, m->id); });
    for (const Network::Move* m : moves) slot_[m->node] = slot++;
    program_.first_set = slot;
    if (sets_ != nullptr) {
      for (const NodeId n : sets_->sets) slot_[n] = slot++;
    }
    program_.sets = slot - program_.first_set;
    slot_[0] = program_.false_slot = slot++;
    if (sets_ != nullptr) program_.true_slot = slot++;
    for (const auto& roots : {status_roots(), next_roots(), goal_roots(), percept_roots()}) {
      for (const Edge e : roots) {
        if (slot_[node_of(e)] == kNone) slot_[node_of(e)] = slot++;
      }
    }
    program_.first_inner_slot = slot;
    program_.slots = slot;
  }

  void find_levels() {
    level_.assign(network_.gates.size(), 0);
    for (NodeId n = 0; n < network_.gates.size(); ++n) {
      if (network_.gates.kind(n) != Gates::Kind::And) continue;
      if (poll_(network_.gates.inputs(n).size())) return;
      for (const Edge e : network_.gates.inputs(n))
        level_[n] = std::max(level_[n], level_[node_of(e)]);
      ++level_[n];
    }
  }

  // A stage consists of gates without cycles, followed by loops. Gates that read a loop are in a
  // later stage. Gates that are older than a feedback's update can read the feedback, which is why
  // this takes rounds: as many as there are loops in a row.
  void find_stages() {
    stage_.assign(network_.gates.size(), 0);
    for (bool changed = !loops_.loops.empty(); changed;) {
      changed = false;
      for (const Loop& l : loops_.loops) changed = raise(l) || changed;
      for (NodeId n = 0; n < network_.gates.size(); ++n) {
        if (network_.gates.kind(n) != Gates::Kind::And || loops_.of[n] != Loops::kNone) continue;
        if (poll_(network_.gates.inputs(n).size())) return;
        std::uint32_t stage = stage_[n];
        for (const Edge e : network_.gates.inputs(n)) stage = std::max(stage, stage_behind(e, n));
        changed = changed || stage > stage_[n];
        stage_[n] = stage;
      }
    }
  }

  // The earliest stage in which node n can read the edge.
  [[nodiscard]] std::uint32_t stage_behind(Edge e, NodeId n) const {
    const std::uint32_t loop = loops_.of[node_of(e)];
    const bool leaves = loop != Loops::kNone && loop != loops_.of[n];
    return stage_[node_of(e)] + (leaves ? 1 : 0);
  }

  // Puts all nodes of a loop into one stage. True if a stage grew.
  bool raise(const Loop& loop) {
    const NodeId any = network_.feedbacks[loop.feedbacks.front()].node;
    std::uint32_t stage = stage_[any];
    for (const NodeId n : loop.gates) {
      for (const Edge e : network_.gates.inputs(n)) stage = std::max(stage, stage_behind(e, n));
    }
    for (const std::uint32_t f : loop.feedbacks) {
      stage = std::max(stage, stage_behind(network_.feedbacks[f].update, any));
    }
    if (stage == stage_[any]) return false;
    for (const NodeId n : loop.gates) stage_[n] = stage;
    for (const std::uint32_t f : loop.feedbacks) stage_[network_.feedbacks[f].node] = stage;
    return true;
  }

  // Gives slots to all gates that the roots need, and writes their code, stage by stage. Next omits
  // what Status has.
  void place(Phase phase, const std::vector<Edge>& roots) {
    const std::vector<bool> used = network_.cone(roots, &poll_);
    if (poll_.stopped()) return;
    std::vector<std::vector<NodeId>> straight(1);
    std::vector<std::vector<std::uint32_t>> loops(1);
    const auto at_stage = [](auto& stages, std::uint32_t stage) -> auto& {
      if (stages.size() <= stage) stages.resize(stage + 1);
      return stages[stage];
    };
    for (NodeId n = 0; n < used.size(); ++n) {
      const bool known = phase == Phase::Next && in_status_[n];
      if (!used[n] || known || network_.gates.kind(n) != Gates::Kind::And) continue;
      if (loops_.of[n] == Loops::kNone) at_stage(straight, stage_[n]).push_back(n);
    }
    for (std::uint32_t l = 0; l < loops_.loops.size(); ++l) {
      const NodeId any = network_.feedbacks[loops_.loops[l].feedbacks.front()].node;
      const bool known = phase == Phase::Next && in_status_[any];
      if (used[any] && !known) at_stage(loops, stage_[any]).push_back(l);
    }
    const auto i = static_cast<std::size_t>(phase);
    for (std::size_t stage = 0; stage < std::max(straight.size(), loops.size()); ++stage) {
      if (stage < straight.size()) write(straight[stage], i);
      if (stage >= loops.size()) continue;
      for (const std::uint32_t l : loops[stage]) write_loop(loops_.loops[l], i);
    }
    if (phase == Phase::Status) in_status_ = used;
  }

  // Runs of equal gates; none is joined with an earlier run. Gates are sorted by counting, because
  // there may be millions.
  void write(const std::vector<NodeId>& gates, std::size_t phase) {
    std::vector<std::vector<NodeId>> levels;
    for (const NodeId n : gates) {
      if (level_[n] >= levels.size()) levels.resize(level_[n] + 1);
      levels[level_[n]].push_back(n);
    }
    const std::size_t first_run = program_.runs[phase].size();
    for (const std::vector<NodeId>& level : levels) {
      std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<NodeId>> shapes;
      for (const NodeId n : level) {
        const auto inputs = network_.gates.inputs(n);
        if (poll_(inputs.size())) return;
        const auto complemented = std::ranges::count_if(inputs, is_inverted);
        shapes[{static_cast<std::uint32_t>(inputs.size()),
                static_cast<std::uint32_t>(complemented)}]
            .push_back(n);
      }
      for (const auto& [shape, equal] : shapes) {
        add_run(equal, shape.first - shape.second, shape.second, first_run, phase);
      }
    }
  }

  void add_run(const std::vector<NodeId>& gates, std::uint32_t plain, std::uint32_t complemented,
               std::size_t first_run, std::size_t phase) {
    auto& runs = program_.runs[phase];
    auto& code = program_.code[phase];
    if (runs.size() == first_run || runs.back().plain != plain ||
        runs.back().complemented != complemented) {
      runs.push_back({plain, complemented, 0});
    }
    runs.back().count += static_cast<std::uint32_t>(gates.size());
    for (const NodeId n : gates) {
      const auto inputs = network_.gates.inputs(n);
      if (poll_(inputs.size())) return;
      if (!written_[n]) program_.two_input_gates += inputs.size() - 1;
      written_[n] = true;
      code.push_back(slot(n));
      for (const bool inverted : {false, true}) {
        for (const Edge e : inputs) {
          if (is_inverted(e) == inverted) code.push_back(slot(node_of(e)));
        }
      }
    }
  }

  void write_loop(const Loop& loop, std::size_t phase) {
    auto& feedbacks = program_.feedbacks[phase];
    kernel::Loop out{static_cast<std::uint32_t>(program_.runs[phase].size()), 0,
                     static_cast<std::uint32_t>(feedbacks.size()), 0};
    write(loop.gates, phase);
    for (const std::uint32_t f : loop.feedbacks) {
      const Network::Feedback& feedback = network_.feedbacks[f];
      feedbacks.push_back({slot(feedback.node), at(feedback.update)});
    }
    out.end_run = static_cast<std::uint32_t>(program_.runs[phase].size());
    out.end_feedback = static_cast<std::uint32_t>(feedbacks.size());
    program_.loops[phase].push_back(out);
  }

  std::uint32_t slot(NodeId n) {
    if (slot_[n] == kNone) slot_[n] = static_cast<std::uint32_t>(program_.slots++);
    return slot_[n];
  }

  SlotEdge at(Edge e) { return {slot(node_of(e)), is_inverted(e) ? 1U : 0U}; }

  void connect() {
    for (const Network::Fluent& f : network_.fluents) {
      program_.fluents.push_back(f.id);
      program_.initially.push_back(f.initially);
      program_.next.push_back(at(f.next));
    }
    program_.first_move.assign(network_.roles() + 1, 0);
    for (const Network::Move& m : network_.moves) {
      if (m.node == 0) continue;
      program_.moves.push_back({m.id, m.role, slot_[m.node], at(m.legal)});
      ++program_.first_move[m.role + 1];
    }
    if (sets_ != nullptr) add_choices();
    std::ranges::sort(program_.moves, {},
                      [](const Program::Move& m) { return std::pair(m.role, m.id); });
    for (std::size_t r = 0; r < network_.roles(); ++r) {
      program_.first_move[r + 1] += program_.first_move[r];
      for (const Network::Goal& g : network_.goals[r]) {
        program_.goals.push_back(
            {static_cast<RoleIndex>(r), static_cast<std::uint32_t>(g.value), at(g.edge)});
      }
    }
    std::ranges::stable_sort(program_.goals, [](const Program::Goal& a, const Program::Goal& b) {
      return a.role != b.role ? a.role < b.role : a.value > b.value;
    });
    program_.terminal = at(network_.terminal);
    for (const Network::Percept& p : network_.percepts) {
      program_.percepts.push_back({p.id, p.role, at(p.edge)});
    }
  }

  void add_choices() {
    std::vector<LegalLeavesBuilder> leaves(network_.roles());
    std::vector<std::uint32_t> slots[2], sets;
    std::vector<bool> read(program_.slots, false);
    for (std::size_t m = 0; m < network_.moves.size(); ++m) {
      const Network::Move& move = network_.moves[m];
      if (move.node != 0) continue;
      for (auto& s : slots) s.clear();
      sets.clear();
      for (const Edge e : conditions(move)) {
        const SlotEdge slot = at(e);
        slots[slot.inverted].push_back(slot.slot);
        read[slot.slot] = true;
      }
      for (std::uint32_t i = sets_->first_member[m]; i < sets_->first_member[m + 1]; ++i) {
        sets.push_back(slot_[sets_->sets[sets_->member_of[i]]]);
      }
      if (const auto both = parts(move); both.empty()) {
        leaves[move.role].add(slots[0], slots[1], sets);
      } else {
        const std::uint32_t own =
            both[1] == kTrueEdge ? program_.true_slot : slot_[node_of(both[1])];
        leaves[move.role].add_member(slot_[node_of(both[0])], own, sets);
      }
    }
    for (LegalLeavesBuilder& role : leaves) {
      LegalLeaves choice = role.finish(program_.false_slot);
      if (!choice.leaves.empty() || !choice.families.empty()) {
        program_.choices.push_back(std::move(choice));
      }
    }
    for (std::uint32_t s = 0; s < read.size(); ++s) {
      if (read[s]) program_.legal_inputs.push_back(s);
    }
  }

  const Network& network_;
  const SetNetwork* sets_;
  StopPoll poll_;
  const Loops loops_;
  Program program_;
  std::vector<std::uint32_t> slot_, level_, stage_;  // [node]
  std::vector<bool> in_status_, written_;            // [node]
  std::vector<bool> left_out_;                       // [node], where there are sets
};

}  // namespace

std::vector<std::uint64_t> Program::initial_words() const {
  std::vector<std::uint64_t> words(state_words(), 0);
  for (std::size_t f = 0; f < initially.size(); ++f) {
    if (initially[f]) words[f / 64] |= std::uint64_t{1} << (f % 64);
  }
  return words;
}

kernel::Phase Program::phase(Phase which) const {
  const auto i = static_cast<std::size_t>(which);
  return {runs[i].data(),  runs[i].size(),  code[i].data(),     nullptr,
          loops[i].data(), loops[i].size(), feedbacks[i].data()};
}

Result<Program> compile(const Network& network, std::size_t first_slot, const StopSignal* stop) {
  return Compiler(network, nullptr, first_slot, stop).run();
}

Result<Program> compile(const SetNetwork& network, std::size_t first_slot, const StopSignal* stop) {
  return Compiler(network.network, &network, first_slot, stop).run();
}

}  // namespace ludens::gdl
