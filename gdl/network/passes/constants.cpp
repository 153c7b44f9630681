#include "gdl/network/passes/passes.h"
#include "gdl/network/passes/rewrite.h"

namespace ludens::gdl {

namespace {

// Three-valued simulation of all plays at once: what can take both values is open. Values only ever
// become open, so that every edge is looked at once.
class Ternary {
 public:
  explicit Ternary(const Network& network)
      : network_(network), values_(network.gates.size()), falses_(network.gates.size(), 0) {
    find_readers();
    for (const Network::Fluent& f : network.fluents) {
      values_[f.node] = f.initially ? Known::True : Known::False;
    }
    for (const Network::Move& m : network.moves) values_[m.node] = Known::False;
    for (const Network::Feedback& f : network.feedbacks) values_[f.node] = Known::False;
    for (NodeId n = 0; n < values_.size(); ++n) {
      if (network.gates.kind(n) != Gates::Kind::And) continue;
      for (const Edge e : network.gates.inputs(n)) falses_[n] += value(e) == Known::False ? 1 : 0;
      values_[n] = falses_[n] != 0 ? Known::False : Known::True;
    }
  }

  // False if it was stopped: half a simulation proves nothing.
  bool run(const PassBudget& budget) {
    for (std::uint32_t f = 0; f < network_.fluents.size(); ++f) look_at_fluent(f);
    for (std::uint32_t m = 0; m < network_.moves.size(); ++m) look_at_move(m);
    for (std::uint32_t f = 0; f < network_.feedbacks.size(); ++f) look_at_feedback(f);
    for (std::uint64_t work = 0; !stack_.empty(); ++work) {
      if ((work & 0xfff) == 0 && budget.stop != nullptr && budget.stop->stop_requested()) {
        return false;
      }
      const Opened opened = stack_.back();
      stack_.pop_back();
      const std::uint64_t end = first_reader_[opened.node + 1];
      for (std::uint64_t i = first_reader_[opened.node]; i < end; ++i) {
        tell(readers_[i], opened.before);
      }
    }
    return true;
  }

  [[nodiscard]] std::vector<Known> fluents() const { return of(network_.fluents); }
  [[nodiscard]] std::vector<Known> moves() const { return of(network_.moves); }

 private:
  // Who reads a node: a gate, or the fluent, move or feedback of which it is the output.
  struct Reader {
    Gates::Kind kind;
    bool inverted;  // of gates: how
    std::uint32_t index;
  };
  struct Opened {
    NodeId node;
    Known before;
  };

  template <typename Inputs>
  std::vector<Known> of(const Inputs& inputs) const {
    std::vector<Known> known;
    for (const auto& input : inputs) known.push_back(values_[input.node]);
    return known;
  }

  [[nodiscard]] Known value(Edge e) const {
    const Known v = values_[node_of(e)];
    if (v == Known::Open || !is_inverted(e)) return v;
    return v == Known::True ? Known::False : Known::True;
  }

  template <typename F>
  void for_readers(F f) const {
    for (NodeId n = 0; n < network_.gates.size(); ++n) {
      if (network_.gates.kind(n) != Gates::Kind::And) continue;
      for (const Edge e : network_.gates.inputs(n)) {
        f(node_of(e), Reader{Gates::Kind::And, is_inverted(e), n});
      }
    }
    for (std::uint32_t i = 0; i < network_.fluents.size(); ++i) {
      f(node_of(network_.fluents[i].next), Reader{Gates::Kind::Fluent, false, i});
    }
    for (std::uint32_t i = 0; i < network_.moves.size(); ++i) {
      f(node_of(network_.moves[i].legal), Reader{Gates::Kind::Move, false, i});
    }
    for (std::uint32_t i = 0; i < network_.feedbacks.size(); ++i) {
      f(node_of(network_.feedbacks[i].update), Reader{Gates::Kind::Feedback, false, i});
    }
  }

  void find_readers() {
    first_reader_.assign(network_.gates.size() + 1, 0);
    for_readers([&](NodeId n, const Reader&) { ++first_reader_[n + 1]; });
    for (NodeId n = 0; n < network_.gates.size(); ++n) first_reader_[n + 1] += first_reader_[n];
    readers_.resize(first_reader_.back());
    std::vector<std::uint64_t> at(first_reader_.begin(), first_reader_.end() - 1);
    for_readers([&](NodeId n, const Reader& reader) { readers_[at[n]++] = reader; });
  }

  void open(NodeId n) {
    if (values_[n] == Known::Open) return;
    stack_.push_back({n, values_[n]});
    values_[n] = Known::Open;
  }

  void look_at_fluent(std::uint32_t f) {
    const Network::Fluent& fluent = network_.fluents[f];
    if (value(fluent.next) != values_[fluent.node]) open(fluent.node);
  }
  void look_at_move(std::uint32_t m) {
    const Network::Move& move = network_.moves[m];
    if (value(move.legal) != Known::False) open(move.node);
  }
  void look_at_feedback(std::uint32_t f) {
    const Network::Feedback& feedback = network_.feedbacks[f];
    if (value(feedback.update) != Known::False) open(feedback.node);
  }

  void tell(const Reader& reader, Known before) {
    switch (reader.kind) {
      case Gates::Kind::Fluent:
        return look_at_fluent(reader.index);
      case Gates::Kind::Move:
        return look_at_move(reader.index);
      case Gates::Kind::Feedback:
        return look_at_feedback(reader.index);
      default:
        if ((before == Known::False) != reader.inverted) --falses_[reader.index];
        if (falses_[reader.index] == 0) open(reader.index);
    }
  }

  const Network& network_;
  std::vector<Known> values_;                // [node]
  std::vector<std::uint32_t> falses_;        // [gate]: inputs that are false for certain
  std::vector<std::uint64_t> first_reader_;  // [node]
  std::vector<Reader> readers_;
  std::vector<Opened> stack_;
};

}  // namespace

Network propagate_constants(const Network& network, const PassBudget& budget) {
  Ternary simulation(network);
  if (!simulation.run(budget)) return {};
  return rewrite(network, simulation.fluents(), simulation.moves(), budget.stop);
}

}  // namespace ludens::gdl
