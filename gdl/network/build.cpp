// SPDX-License-Identifier: MIT
#include "gdl/network/build.h"

#include <algorithm>
#include <deque>
#include <tuple>
#include <unordered_map>

#include "gdl/ground/instances.h"
#include "gdl/machine/id_bytes.h"
#include "gdl/memory/held_memory.h"
#include "gdl/memory/sort_in_parts.h"
#include "gdl/network/factor.h"
#include "gdl/rules/components.h"

namespace ludens::gdl {

namespace {

class Builder {
 public:
  Builder(GroundProgram& program, Vocabulary& vocabulary, const GroundingLimits& limits,
          BuildForm form)
      : program_(program),
        rules_(*program.flat.rules),
        vocabulary_(vocabulary),
        poll_(limits.limits.stop),
        memory_(limits.limits.memory),
        instances_(program, limits),
        form_(form) {
    for (RoleIndex r = 0; r < rules_.roles.size(); ++r) {
      roles_.emplace(rules_.terms.value(rules_.roles[r]), r);
    }
  }

  Result<Network, GroundingFailure> run() {
    network_.goals.resize(rules_.roles.size());
    edges_.assign(program_.atoms, kNone);
    needs_moves_.assign(program_.atoms, false);
    add_inputs();
    if (poll_.stopped()) return GroundingFailure{GroundingFailure::Kind::Stopped, "stopped"};
    Factoring factoring(network_, &poll_, form_ == BuildForm::Plain);
    factoring_ = &factoring;
    for (std::uint32_t r = 0; r < program_.flat.relations.size(); ++r) connect_outputs(r);
    sort_percepts();
    if (poll_.stopped()) return GroundingFailure{GroundingFailure::Kind::Stopped, "stopped"};
    if (failed_) return instances_.failure();
    if (asks_for_moves_) {
      return GroundingFailure{GroundingFailure::Kind::UnsafeRule,
                              name(*asks_for_moves_) + " depends on the moves made"};
    }
    program_.ground_rules = instances_.count();
    if (auto failure = unstratified()) return *std::move(failure);
    return std::move(network_);
  }

 private:
  static constexpr Edge kNone = 0xffffffff;
  static constexpr std::uint32_t kUnnumbered = 0xffffffff;
  // Depth-first over atoms: the ground rules of an atom and how far they have been followed.
  struct Frame {
    Atom atom;
    Bodies bodies;
    std::size_t body = 0, literal = 0;
  };

  template <typename F>
  void for_rows(RelationId relation, F f) {
    for (std::uint32_t r = 0; r < program_.flat.relations.size(); ++r) {
      if (program_.flat.relations[r].relation != relation) continue;
      for (RowId row = 0; row < program_.tuples[r].size(); ++row) f(r, row);
    }
  }

  // The relation with the same shapes under another keyword, or nullopt.
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

  // All rows of a keyword. They are sorted by symbols, which are numbered in text order: new ids
  // are given in an order that people expect, and that does not depend on how the rows were found.
  std::vector<Row> rows_of(RelationId keyword, std::size_t argument) {
    std::vector<Row> rows;
    for_rows(keyword, [&](std::uint32_t r, RowId id) {
      if (poll_(16)) return;
      const auto& shapes = program_.flat.relations[r].shapes;
      const std::uint32_t* column = program_.tuples[r].row(id);
      for (std::size_t a = 0; a < argument; ++a) column += program_.flat.shapes.width(shapes[a]);
      Row row{{}, r, id};
      program_.append_term(shapes[argument], column, row.term);
      rows.push_back(std::move(row));
    });
    sort_in_parts(rows, poll_, 16, [](const Row& a, const Row& b) {
      return std::tie(a.term, a.relation, a.id) < std::tie(b.term, b.relation, b.id);
    });
    return rows;
  }

  Edge& edge_of(const Row& r) { return edges_[program_.first_atom[r.relation] + r.id]; }

  void add_inputs() {
    const std::vector<Row> fluents = rows_of(kTrue, 0), moves = rows_of(kDoes, 1);
    expect_room(fluents, moves);
    add_fluents(fluents);
    add_moves(moves);
  }

  // Terms keep their ids where there is no memory for the network, and another machine then needs
  // what is left. So terms get ids only if there is room for those of all of them, and for the
  // lists of the network, without which they are of no use.
  void expect_room(const std::vector<Row>& fluents, const std::vector<Row>& moves) {
    const std::size_t ids = bytes_of_ids(fluents, vocabulary_.fluent_count()) +
                            bytes_of_ids(moves, vocabulary_.move_count()) +
                            bytes_of_ids(rows_of(kSees, 1), 0);
    const std::size_t lists =
        fluents.size() * sizeof(Network::Fluent) + moves.size() * sizeof(Network::Move);
    HeldMemory room;
    if (!poll_.stopped() && !room.reserve(ids + lists, memory_)) throw BudgetExhausted();
  }

  // What the vocabulary still needs for these terms, so many of which it knows.
  std::size_t bytes_of_ids(const std::vector<Row>& rows, std::size_t known) {
    std::size_t bytes = 0, terms = 0;
    const Row* last = nullptr;
    for (const Row& row : rows) {
      if (poll_(4)) return 0;
      const bool is_new = last == nullptr || last->term != row.term;  // roles may share it
      last = &row;
      bytes += is_new ? bytes_of_id(row.term.size()) : 0;
      terms += is_new ? 1 : 0;
    }
    return terms > known ? bytes / terms * (terms - known) : 0;
  }

  void add_fluents(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
      if (poll_(32)) return;
      const auto init = twin(row.relation, kInit);
      const std::uint32_t* columns = program_.tuples[row.relation].row(row.id);
      const bool initially = init && program_.tuples[*init].find(columns) != kNoRow;
      edge_of(row) = network_.add_fluent(vocabulary_.fluent(row.term), initially);
    }
  }

  // The role that a row's first argument names: it may be any other term, too.
  [[nodiscard]] std::optional<RoleIndex> role_of(std::uint32_t relation, RowId row) const {
    if (program_.flat.relations[relation].shapes[0] != Shapes::kConstant) return std::nullopt;
    const auto found = roles_.find(*program_.tuples[relation].row(row));
    return found == roles_.end() ? std::nullopt : std::optional(found->second);
  }

  void add_moves(const std::vector<Row>& rows) {
    std::vector<std::vector<const Row*>> rows_of_role(rules_.roles.size());
    for (const Row& row : rows) {
      if (poll_(32)) return;
      edge_of(row) = kFalse;  // and remains so if it is a move of no role
      if (const auto role = role_of(row.relation, row.id)) rows_of_role[*role].push_back(&row);
    }
    for (RoleIndex r = 0; r < rows_of_role.size(); ++r) {
      for (const Row* row : rows_of_role[r]) {
        if (poll_(32)) return;
        edge_of(*row) = network_.add_move(vocabulary_.move(row->term), r);
        needs_moves_[program_.first_atom[row->relation] + row->id] = true;
      }
    }
  }

  void connect_outputs(std::uint32_t r) {
    const RelationId keyword = program_.flat.relations[r].relation;
    if (keyword != kNext && keyword != kLegal && keyword != kGoal && keyword != kTerminal &&
        keyword != kSees) {
      return;
    }
    const Tuples& tuples = program_.tuples[r];
    for (RowId row = 0; row < tuples.size() && !stopped(); ++row) {
      const Atom atom = program_.first_atom[r] + row;
      const Edge e = edge(atom);
      const bool of_state = keyword != kNext && keyword != kSees;
      if (of_state && needs_moves_[atom]) asks_for_moves_ = atom;
      if (keyword == kTerminal) network_.terminal = e;
      if (keyword == kGoal) connect_goal(r, row, e);
      if (keyword == kSees) connect_percept(r, row, e);
      if (keyword != kNext && keyword != kLegal) continue;
      const std::uint32_t given = *twin(r, keyword == kNext ? kTrue : kDoes);
      const Edge input = edges_[*program_.find(given, tuples.row(row))];
      if (input == kFalse) continue;  // a move of no role
      const std::uint32_t index = network_.gates.index(node_of(input));
      (keyword == kNext ? network_.fluents[index].next : network_.moves[index].legal) = e;
    }
  }

  void connect_goal(std::uint32_t r, RowId row, Edge e) {
    const auto of = role_of(r, row);
    if (!of || program_.flat.relations[r].shapes[1] != Shapes::kConstant) return;
    const auto value = rules_.goal_value(program_.tuples[r].row(row)[1]);
    if (!value) return;
    auto& goals = network_.goals[*of];
    const auto same = std::ranges::find(goals, *value, &Network::Goal::value);
    if (same == goals.end()) {
      goals.push_back({*value, e});
    } else {  // a number may be spelled 100 and 0100
      same->edge = factoring_->disjunction({same->edge, e});
    }
  }

  void connect_percept(std::uint32_t r, RowId row, Edge e) {
    const auto of = role_of(r, row);
    if (!of || e == kFalse) return;
    const std::uint32_t* column = program_.tuples[r].row(row) + 1;  // after the role
    std::vector<std::uint32_t> term;
    program_.append_term(program_.flat.relations[r].shapes[1], column, term);
    network_.percepts.push_back({vocabulary_.percept(term), *of, e});
  }

  // Several shapes of a percept are several relations.
  void sort_percepts() {
    std::ranges::sort(network_.percepts, {},
                      [](const Network::Percept& p) { return std::pair(p.role, p.id); });
  }

  [[nodiscard]] bool stopped() const { return failed_ || poll_.stopped(); }

  // The edge of an atom, building all that it needs first. Iterative: chains of rules can be long.
  Edge edge(Atom root) {
    if (edges_[root] != kNone) return edges_[root];
    enter(root);
    while (depth_ != 0 && !stopped()) {
      const Atom next = unfinished(frames_[depth_ - 1]);
      if (next == kNone) {
        finish(frames_[--depth_]);
      } else {
        enter(next);
      }
    }
    return stopped() ? kFalse : edges_[root];
  }

  // Frames are reused, for the memory of their bodies.
  void enter(Atom atom) {
    if (depth_ == frames_.size()) frames_.emplace_back();
    Frame& frame = frames_[depth_++];
    frame.atom = atom;
    frame.body = frame.literal = 0;
    instances_.note_made(network_.gates.bytes());
    failed_ = !instances_.of(atom, frame.bodies);
    on_path_.insert({atom, kNone});
  }

  // The next atom that must be built before this one; if it is on the path itself, the cycle is
  // cut.
  Atom unfinished(Frame& frame) {
    for (; frame.body < frame.bodies.size(); ++frame.body, frame.literal = 0) {
      const auto body = frame.bodies[frame.body];
      if (poll_(body.size())) return kNone;
      for (; frame.literal < body.size(); ++frame.literal) {
        const Atom atom = body[frame.literal] >> 1;
        if (edges_[atom] != kNone) continue;
        const auto open = on_path_.find(atom);
        if (open == on_path_.end()) return atom;
        if (open->second == kNone) cut(atom, open->second);
      }
    }
    return kNone;
  }

  void cut(Atom atom, Edge& feedback) {
    cut_.push_back(atom);
    feedback = network_.add_feedback();
  }

  [[nodiscard]] Edge known(Atom atom) const {
    return edges_[atom] != kNone ? edges_[atom] : on_path_.at(atom);
  }

  void finish(const Frame& frame) {
    std::vector<std::vector<Edge>> products(frame.bodies.size());
    for (std::size_t i = 0; i < products.size(); ++i) {
      if (poll_(frame.bodies[i].size())) return;
      for (const AtomLiteral l : frame.bodies[i]) {
        products[i].push_back(known(l >> 1) ^ (l & 1));
        if (needs_moves_[l >> 1]) needs_moves_[frame.atom] = true;
      }
    }
    edges_[frame.atom] = factoring_->sum_of_products(std::move(products));
    const auto open = on_path_.find(frame.atom);
    if (open->second != kNone) {
      network_.feedbacks[network_.gates.index(node_of(open->second))].update = edges_[frame.atom];
    }
    on_path_.erase(open);
  }

  // A cycle of ground rules has a least fixpoint only if none of its atoms is negated within it.
  // Cycles are rare, so the ground rules are simply made again for this; each cycle contains an
  // atom where it was cut.
  std::optional<GroundingFailure> unstratified() {
    std::vector<Atom> atoms = cut_;  // and what they need
    if (atoms.empty()) return std::nullopt;
    std::vector<std::uint32_t> number(program_.atoms, kUnnumbered);
    for (std::uint32_t i = 0; i < atoms.size(); ++i) number[atoms[i]] = i;
    FlatGraph needs;
    std::vector<std::uint32_t> needed;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> negated;  // by the first
    Bodies bodies;
    for (std::uint32_t head = 0; head < atoms.size(); ++head) {
      if (!instances_.of(atoms[head], bodies)) return instances_.failure();
      needed.clear();
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        for (const AtomLiteral l : bodies[i]) {
          std::uint32_t& at = number[l >> 1];
          if (at == kUnnumbered) {
            at = static_cast<std::uint32_t>(atoms.size());
            atoms.push_back(l >> 1);
          }
          needed.push_back(at);
          if ((l & 1) != 0) negated.emplace_back(head, at);
        }
      }
      std::ranges::sort(needed);
      needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
      needs.add(needed);
    }
    const Components components = strong_components(needs);
    for (const auto& [head, atom] : negated) {
      if (components.of[head] != components.of[atom]) continue;
      return GroundingFailure{GroundingFailure::Kind::UnsafeRule,
                              name(atoms[head]) + " depends on its own negation"};
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

  GroundProgram& program_;
  const Rules& rules_;
  Vocabulary& vocabulary_;
  StopPoll poll_;
  MemoryBudget* const memory_;
  Instances instances_;
  const BuildForm form_;
  std::unordered_map<SymbolId, RoleIndex> roles_;
  bool failed_ = false;  // instances_ says why
  Network network_;
  Factoring* factoring_ = nullptr;
  std::vector<Edge> edges_;  // [atom]
  // [atom]: whether its rules ask which moves are made. Gates need not show it: that some move is
  // made is the constant true. In a cycle, an atom may lack what follows behind the cut.
  std::vector<bool> needs_moves_;
  std::optional<Atom> asks_for_moves_;  // a legal move, the end or a goal that does
  std::deque<Frame> frames_;            // 0..depth_; references stay valid
  std::size_t depth_ = 0;
  std::unordered_map<Atom, Edge> on_path_;  // atoms being built, with their feedback
  std::vector<Atom> cut_;                   // where cycles are cut; each once
};

}  // namespace

Result<Network, GroundingFailure> build_network(GroundProgram& program, Vocabulary& vocabulary,
                                                const GroundingLimits& limits, BuildForm form) {
  return Builder(program, vocabulary, limits, form).run();
}

}  // namespace ludens::gdl
