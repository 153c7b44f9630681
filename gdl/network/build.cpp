#include "gdl/network/build.h"

#include <algorithm>
#include <charconv>
#include <tuple>

#include "gdl/network/factor.h"
#include "gdl/rules/components.h"

namespace ludens::gdl {

namespace {

class Builder {
 public:
  Builder(const GroundProgram& program, Vocabulary& vocabulary, const Limits& limits)
      : program_(program), rules_(*program.flat.rules), vocabulary_(vocabulary), limits_(limits) {}

  std::variant<Network, GroundingFailure> run() {
    network_.goals.resize(rules_.roles.size());
    edges_.assign(program_.atoms, kNone);
    collect_instances();
    add_fluents();
    add_moves();
    Factoring factoring(network_);
    factoring_ = &factoring;
    for (std::uint32_t r = 0; r < program_.flat.relations.size(); ++r) connect_outputs(r);
    if (stopped_) return GroundingFailure{GroundingFailure::Kind::Stopped, "stopped"};
    if (auto failure = unstratified()) return *std::move(failure);
    return std::move(network_);
  }

 private:
  static constexpr Edge kNone = 0xffffffff;
  // Depth-first over atoms: the instances of an atom and how far they have been followed.
  struct Frame {
    Atom atom;
    std::size_t instance, literal;
  };

  void collect_instances() {
    first_.assign(program_.atoms + 1, 0);
    for (const Atom head : program_.heads) ++first_[head + 1];
    for (Atom a = 0; a < program_.atoms; ++a) first_[a + 1] += first_[a];
    by_head_.resize(program_.heads.size());
    std::vector<std::uint64_t> at(first_.begin(), first_.end() - 1);
    for (std::size_t i = 0; i < program_.heads.size(); ++i) by_head_[at[program_.heads[i]]++] = i;
  }

  template <typename F>
  void for_rows(RelationId relation, F f) {
    for (std::uint32_t r = 0; r < program_.flat.relations.size(); ++r) {
      if (program_.flat.relations[r].relation != relation) continue;
      for (RowId row = 0; row < program_.tuples[r].size(); ++row) f(r, row);
    }
  }

  // The relation of the same shapes under another keyword, or nullopt.
  [[nodiscard]] std::optional<std::uint32_t> twin(std::uint32_t relation,
                                                  RelationId keyword) const {
    for (std::uint32_t r = 0; r < program_.flat.relations.size(); ++r) {
      if (program_.flat.relations[r].relation == keyword &&
          program_.flat.relations[r].shapes == program_.flat.relations[relation].shapes) {
        return r;
      }
    }
    return std::nullopt;
  }

  // A row of `true` or `does`, with its argument as a term.
  struct Row {
    std::vector<std::uint32_t> term;
    std::uint32_t relation;
    RowId id;
  };

  // All rows of a keyword. Sorted by symbols, which are numbered as the text names them: new ids
  // are given in an order that people expect, and that does not depend on how the rows were found.
  std::vector<Row> rows_of(RelationId keyword, std::size_t argument) {
    std::vector<Row> rows;
    for_rows(keyword, [&](std::uint32_t r, RowId id) {
      const auto& shapes = program_.flat.relations[r].shapes;
      const std::uint32_t* column = program_.tuples[r].row(id);
      for (std::size_t a = 0; a < argument; ++a) column += program_.flat.shapes.width(shapes[a]);
      Row row{{}, r, id};
      program_.append_term(shapes[argument], column, row.term);
      rows.push_back(std::move(row));
    });
    std::ranges::sort(rows, {}, [](const Row& r) { return std::tie(r.term, r.relation, r.id); });
    return rows;
  }

  Edge& edge_of(const Row& r) { return edges_[program_.first_atom[r.relation] + r.id]; }

  void add_fluents() {
    for (const Row& row : rows_of(kTrue, 0)) {
      const auto init = twin(row.relation, kInit);
      const std::uint32_t* columns = program_.tuples[row.relation].row(row.id);
      const bool initially = init && program_.tuples[*init].find(columns) != kNoRow;
      const auto index = static_cast<std::uint32_t>(network_.fluents.size());
      const Edge e = edge_of(row) = network_.gates.add_input(Gates::Kind::Fluent, index);
      network_.fluents.push_back({vocabulary_.fluent(row.term), node_of(e), kFalse, initially});
    }
  }

  [[nodiscard]] std::optional<RoleIndex> role(SymbolId symbol) const {
    for (RoleIndex r = 0; r < rules_.roles.size(); ++r) {
      if (rules_.terms.value(rules_.roles[r]) == symbol) return r;
    }
    return std::nullopt;
  }

  void add_moves() {
    const std::vector<Row> rows = rows_of(kDoes, 1);
    for (RoleIndex r = 0; r < rules_.roles.size(); ++r) {
      for (const Row& row : rows) {
        if (role(*program_.tuples[row.relation].row(row.id)) != r) continue;
        const auto index = static_cast<std::uint32_t>(network_.moves.size());
        const Edge e = edge_of(row) = network_.gates.add_input(Gates::Kind::Move, index);
        network_.moves.push_back({vocabulary_.move(row.term), r, node_of(e), kFalse});
      }
    }
    for (const Row& row : rows) {
      if (edge_of(row) == kNone) edge_of(row) = kFalse;  // of a constant that is no role
    }
  }

  void connect_outputs(std::uint32_t r) {
    const RelationId keyword = program_.flat.relations[r].relation;
    if (keyword != kNext && keyword != kLegal && keyword != kGoal && keyword != kTerminal) return;
    const Tuples& tuples = program_.tuples[r];
    for (RowId row = 0; row < tuples.size() && !stopped_; ++row) {
      const Edge e = edge(program_.first_atom[r] + row);
      if (keyword == kTerminal) network_.terminal = e;
      if (keyword == kGoal) connect_goal(r, row, e);
      if (keyword != kNext && keyword != kLegal) continue;
      const std::uint32_t given = *twin(r, keyword == kNext ? kTrue : kDoes);
      const Edge input = edges_[*program_.find(given, tuples.row(row))];
      if (input == kFalse) continue;  // a move of nobody
      const std::uint32_t index = network_.gates.index(node_of(input));
      (keyword == kNext ? network_.fluents[index].next : network_.moves[index].legal) = e;
    }
  }

  void connect_goal(std::uint32_t r, RowId row, Edge e) {
    const std::uint32_t* columns = program_.tuples[r].row(row);
    const auto of = role(columns[0]);
    if (!of || program_.flat.relations[r].columns != 2) return;
    const std::string& text = rules_.symbols.folded(columns[1]);
    int value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || value < 0 ||
        value > 100) {
      return;
    }
    network_.goals[*of].push_back({value, e});
  }

  // The edge of an atom, building all that it needs first. Iterative: chains of rules can be long.
  Edge edge(Atom root) {
    if (edges_[root] != kNone) return edges_[root];
    frames_.push_back({root, first_[root], 0});
    on_path_.insert({root, kNone});
    while (!frames_.empty() && !stopped_) {
      const Atom next = unfinished(frames_.back());
      if (next == kNone) {
        finish(frames_.back().atom);
        frames_.pop_back();
      } else {
        frames_.push_back({next, first_[next], 0});
        on_path_.insert({next, kNone});
      }
    }
    return stopped_ ? kFalse : edges_[root];
  }

  // The next atom that must be built before this one; where it is on the path itself, the circle is
  // cut.
  Atom unfinished(Frame& frame) {
    for (; frame.instance < first_[frame.atom + 1]; ++frame.instance, frame.literal = 0) {
      const auto body = program_.body(by_head_[frame.instance]);
      for (; frame.literal < body.size(); ++frame.literal) {
        const Atom atom = body[frame.literal] >> 1;
        if (edges_[atom] != kNone) continue;
        const auto open = on_path_.find(atom);
        if (open == on_path_.end()) return atom;
        if (open->second == kNone) cut(open->second);
      }
    }
    return kNone;
  }

  void cut(Edge& feedback) {
    const auto index = static_cast<std::uint32_t>(network_.feedbacks.size());
    feedback = network_.gates.add_input(Gates::Kind::Feedback, index);
    network_.feedbacks.push_back({node_of(feedback), kFalse});
  }

  [[nodiscard]] Edge known(Atom atom) const {
    return edges_[atom] != kNone ? edges_[atom] : on_path_.at(atom);
  }

  void finish(Atom atom) {
    if ((++finished_ & 0xff) == 0 && limits_.stop != nullptr)
      stopped_ = limits_.stop->stop_requested();
    std::vector<std::vector<Edge>> products;
    for (std::size_t i = first_[atom]; i < first_[atom + 1]; ++i) {
      std::vector<Edge>& product = products.emplace_back();
      for (const AtomLiteral l : program_.body(by_head_[i]))
        product.push_back(known(l >> 1) ^ (l & 1));
    }
    edges_[atom] = factoring_->sum_of_products(std::move(products));
    const auto open = on_path_.find(atom);
    if (open->second != kNone) {
      network_.feedbacks[network_.gates.index(node_of(open->second))].update = edges_[atom];
    }
    on_path_.erase(open);
  }

  // A circle of ground rules has a least fixpoint only if none of its atoms is negated within it.
  [[nodiscard]] std::optional<GroundingFailure> unstratified() const {
    if (network_.feedbacks.empty()) return std::nullopt;
    Graph needs(program_.atoms);
    for (std::size_t i = 0; i < program_.heads.size(); ++i) {
      if (edges_[program_.heads[i]] == kNone) continue;  // nothing needs it
      for (const AtomLiteral l : program_.body(i)) needs[program_.heads[i]].push_back(l >> 1);
    }
    const Components components = strong_components(needs);
    for (std::size_t i = 0; i < program_.heads.size(); ++i) {
      const Atom head = program_.heads[i];
      if (edges_[head] == kNone) continue;
      for (const AtomLiteral l : program_.body(i)) {
        if ((l & 1) == 0 || components.of[l >> 1] != components.of[head]) continue;
        return GroundingFailure{GroundingFailure::Kind::UnsafeRule,
                                name(head) + " depends on its own negation"};
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string name(Atom atom) const {
    for (std::uint32_t r = 0; r < program_.flat.relations.size(); ++r) {
      if (!program_.dynamic[r] || atom < program_.first_atom[r]) continue;
      if (atom - program_.first_atom[r] < program_.tuples[r].size()) return program_.flat.name(r);
    }
    return {};
  }

  const GroundProgram& program_;
  const Rules& rules_;
  Vocabulary& vocabulary_;
  const Limits& limits_;
  Network network_;
  Factoring* factoring_ = nullptr;
  std::vector<Edge> edges_;           // [atom]
  std::vector<std::uint64_t> first_;  // [atom]: into by_head_
  std::vector<std::size_t> by_head_;  // instances, grouped by head
  std::vector<Frame> frames_;
  std::unordered_map<Atom, Edge> on_path_;  // atoms being built, with their feedback
  std::uint64_t finished_ = 0;
  bool stopped_ = false;
};

}  // namespace

std::variant<Network, GroundingFailure> build_network(const GroundProgram& program,
                                                      Vocabulary& vocabulary,
                                                      const Limits& limits) {
  return Builder(program, vocabulary, limits).run();
}

}  // namespace ludens::gdl
