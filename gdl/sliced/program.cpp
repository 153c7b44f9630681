#include "gdl/sliced/program.h"

#include <algorithm>
#include <tuple>

namespace ludens::gdl {

namespace {

class Compiler {
 public:
  explicit Compiler(const Network& network)
      : network_(network),
        slot_(network.gates.size(), kNone),
        depends_(network.gates.size()),
        in_status_(network.gates.size()) {}

  std::optional<Program> run() {
    if (!network_.feedbacks.empty() || !roots_are_sound()) return std::nullopt;
    lay_out_inputs();
    place(Phase::Status, status_roots());
    place(Phase::Goals, goal_roots());
    place(Phase::Next, next_roots());
    connect();
    return std::move(program_);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  [[nodiscard]] std::vector<Edge> status_roots() const {
    std::vector<Edge> roots{network_.terminal};
    for (const Network::Move& m : network_.moves) roots.push_back(m.legal);
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

  // Legal moves, end and goals must not depend on moves.
  bool roots_are_sound() {
    for (NodeId n = 0; n < network_.gates.size(); ++n) {
      depends_[n] = network_.gates.kind(n) == Gates::Kind::Move;
      if (network_.gates.kind(n) != Gates::Kind::And) continue;
      for (const Edge e : network_.gates.inputs(n))
        depends_[n] = depends_[n] || depends_[node_of(e)];
    }
    auto sound = [&](Edge e) { return !depends_[node_of(e)]; };
    return std::ranges::all_of(status_roots(), sound) && std::ranges::all_of(goal_roots(), sound);
  }

  void lay_out_inputs() {
    std::uint32_t slot = 0;
    for (const Network::Fluent& f : network_.fluents) slot_[f.node] = slot++;
    for (const Network::Move& m : network_.moves) slot_[m.node] = slot++;
    slot_[0] = slot++;
    program_.slots = slot;
    level_.assign(network_.gates.size(), 0);
    for (NodeId n = 0; n < network_.gates.size(); ++n) {
      if (network_.gates.kind(n) != Gates::Kind::And) continue;
      for (const Edge e : network_.gates.inputs(n))
        level_[n] = std::max(level_[n], level_[node_of(e)]);
      ++level_[n];
    }
  }

  // Gives slots to all gates that the roots need, and writes their code. Next leaves out what
  // Status has.
  void place(Phase phase, const std::vector<Edge>& roots) {
    const std::vector<bool> used = network_.cone(roots);
    std::vector<NodeId> order;
    for (NodeId n = 0; n < used.size(); ++n) {
      const bool known = phase == Phase::Next && in_status_[n];
      if (used[n] && network_.gates.kind(n) == Gates::Kind::And && !known) order.push_back(n);
    }
    if (phase == Phase::Status) in_status_ = used;
    auto key = [&](NodeId n) {
      const auto inputs = network_.gates.inputs(n);
      return std::make_tuple(level_[n], inputs.size(), std::ranges::count_if(inputs, is_inverted));
    };
    std::ranges::stable_sort(order, {}, key);
    auto& runs = program_.runs[static_cast<std::size_t>(phase)];
    auto& code = program_.code[static_cast<std::size_t>(phase)];
    for (const NodeId n : order) {
      const auto inputs = network_.gates.inputs(n);
      const auto complemented =
          static_cast<std::uint32_t>(std::ranges::count_if(inputs, is_inverted));
      const auto plain = static_cast<std::uint32_t>(inputs.size()) - complemented;
      if (runs.empty() || runs.back().plain != plain || runs.back().complemented != complemented) {
        runs.push_back({plain, complemented, 0});
      }
      ++runs.back().count;
      if (slot_[n] == kNone) {
        slot_[n] = static_cast<std::uint32_t>(program_.slots++);
        program_.two_input_gates += inputs.size() - 1;
      }
      code.push_back(slot_[n]);
      for (const bool inverted : {false, true}) {
        for (const Edge e : inputs) {
          if (is_inverted(e) == inverted) code.push_back(slot_[node_of(e)]);
        }
      }
    }
  }

  [[nodiscard]] SlotEdge at(Edge e) const { return {slot_[node_of(e)], is_inverted(e) ? 1U : 0U}; }

  void connect() {
    for (const Network::Fluent& f : network_.fluents) {
      program_.fluents.push_back(f.id);
      program_.initially.push_back(f.initially);
      program_.next.push_back(at(f.next));
    }
    program_.first_move.assign(network_.roles() + 1, 0);
    for (const Network::Move& m : network_.moves) {
      program_.moves.push_back({m.id, m.role, slot_[m.node], at(m.legal)});
      ++program_.first_move[m.role + 1];
    }
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
  }

  const Network& network_;
  Program program_;
  std::vector<std::uint32_t> slot_, level_;  // [node]
  std::vector<bool> depends_;                // [node]: on moves
  std::vector<bool> in_status_;              // [node]
};

}  // namespace

std::optional<Program> compile(const Network& network) {
  return Compiler(network).run();
}

}  // namespace ludens::gdl
