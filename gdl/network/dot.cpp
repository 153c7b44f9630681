// SPDX-License-Identifier: MIT
#include "gdl/network/dot.h"

namespace ludens::gdl {

namespace {

class Drawing {
 public:
  Drawing(const Network& network, const Vocabulary& vocabulary)
      : network_(network), vocabulary_(vocabulary) {}

  std::string run() {
    text_ = "digraph network {\n  rankdir=LR;\n";
    draw_gates();
    for (const Network::Fluent& f : network_.fluents) {
      output("next " + vocabulary_.fluent_name(f.id), f.next);
    }
    for (const Network::Move& m : network_.moves) {
      output("legal " + role(m.role) + " " + vocabulary_.move_name(m.id), m.legal);
    }
    output("terminal", network_.terminal);
    for (RoleIndex r = 0; r < network_.roles(); ++r) {
      for (const Network::Goal& g : network_.goals[r]) {
        output("goal " + role(r) + " " + std::to_string(g.value), g.edge);
      }
    }
    return text_ + "}\n";
  }

 private:
  [[nodiscard]] std::string role(RoleIndex r) const {
    return vocabulary_.rules().print(vocabulary_.rules().roles[r]);
  }
  static std::string quoted(const std::string& name) {
    std::string out = "\"";
    for (const char c : name) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    return out + "\"";
  }

  void draw_gates() {
    const std::vector<bool> used = network_.cone(network_.outputs());
    for (NodeId n = 0; n < used.size(); ++n) {
      if (!used[n]) continue;
      node(n);
      if (network_.gates.kind(n) != Gates::Kind::And) continue;
      for (const Edge e : network_.gates.inputs(n)) edge(e, "n" + std::to_string(n));
    }
    for (const Network::Feedback& f : network_.feedbacks) {
      edge(f.update, "n" + std::to_string(f.node));
    }
  }

  void node(NodeId n) {
    const std::uint32_t i = network_.gates.index(n);
    std::string label, shape = "box";
    switch (network_.gates.kind(n)) {
      case Gates::Kind::Constant:
        label = "false";
        break;
      case Gates::Kind::Fluent:
        label = "true " + vocabulary_.fluent_name(network_.fluents[i].id);
        break;
      case Gates::Kind::Move:
        label = "does " + role(network_.moves[i].role) + " " +
                vocabulary_.move_name(network_.moves[i].id);
        break;
      case Gates::Kind::Feedback:
        label = "feedback";
        break;
      case Gates::Kind::And:
        label = "&";
        shape = "circle";
        break;
    }
    text_ += "  n" + std::to_string(n) + " [shape=" + shape + ", label=" + quoted(label) + "];\n";
  }

  void edge(Edge from, const std::string& to) {
    text_ += "  n" + std::to_string(node_of(from)) + " -> " + to +
             (is_inverted(from) ? " [style=dashed];\n" : ";\n");
  }

  void output(const std::string& name, Edge e) {
    const std::string id = "o" + std::to_string(outputs_++);
    text_ += "  " + id + " [shape=plaintext, label=" + quoted(name) + "];\n";
    edge(e, id);
  }

  const Network& network_;
  const Vocabulary& vocabulary_;
  std::string text_;
  std::size_t outputs_ = 0;
};

}  // namespace

std::string to_dot(const Network& network, const Vocabulary& vocabulary) {
  return Drawing(network, vocabulary).run();
}

}  // namespace ludens::gdl
