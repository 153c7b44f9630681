// Semi-naive evaluation, and the static relations.
#include <algorithm>

#include "gdl/ground/grounding.h"

namespace ludens::gdl {

namespace {

class InsertHead final : public Join::Sink {
 public:
  InsertHead(const FlatRule& rule, Tuples& head)
      : rule_(rule), head_(head), row_(rule.columns.size()) {}
  void match(const std::uint32_t* values) override { head_.insert(fill(values)); }
  bool wanted(const std::uint32_t* values) override { return head_.find(fill(values)) == kNoRow; }

 private:
  const std::uint32_t* fill(const std::uint32_t* values) {
    for (std::size_t c = 0; c < row_.size(); ++c) {
      const FlatTerm& t = rule_.columns[c];
      row_[c] = t.variable ? values[t.value] : t.value;
    }
    return row_.data();
  }
  const FlatRule& rule_;
  Tuples& head_;
  std::vector<std::uint32_t> row_;
};

class SemiNaive {
 public:
  SemiNaive(Grounding& g, const std::vector<std::uint32_t>& recursive, bool exact, WorkMeter& meter)
      : g_(g), exact_(exact), meter_(meter), delta_(g.tuples.size()) {
    grows_.assign(g.tuples.size(), false);
    for (const std::uint32_t r : recursive) grows_[r] = true;
  }

  void run(const std::vector<const FlatRule*>& rules) {
    for (std::size_t r = 0; r < delta_.size(); ++r) delta_[r] = {0, g_.tuples[r].size()};
    for (const FlatRule* rule : rules) run_rule(*rule, -1);
    while (advance() && !meter_.over()) {
      for (const FlatRule* rule : rules) {
        for (int i = 0; i < std::ssize(rule->body); ++i) {
          const FlatLiteral& l = rule->body[i];
          if (l.kind == Literal::Kind::Positive && grows_[l.relation] && new_rows(l.relation)) {
            run_rule(*rule, i);
          }
        }
      }
    }
  }

 private:
  [[nodiscard]] bool new_rows(std::uint32_t r) const { return delta_[r].from < delta_[r].to; }

  // The rows derived in the last round become the delta. False if there are none.
  bool advance() {
    bool any = false;
    for (std::size_t r = 0; r < delta_.size(); ++r) {
      if (!grows_[r]) continue;
      delta_[r] = {delta_[r].to, g_.tuples[r].size()};
      any = any || new_rows(static_cast<std::uint32_t>(r));
    }
    return any;
  }

  // Literals before the delta see old rows only, so that no combination is found twice.
  [[nodiscard]] RowRange range(const FlatLiteral& l, int literal, int delta) const {
    if (!grows_[l.relation]) return {0, g_.tuples[l.relation].size()};
    if (literal == delta) return delta_[l.relation];
    return {0, literal < delta ? delta_[l.relation].from : delta_[l.relation].to};
  }

  void run_rule(const FlatRule& rule, int delta) {
    Join::Options options;
    options.first = delta;
    options.needed.assign(rule.variables, false);
    for (const FlatTerm& t : rule.columns) {
      if (t.variable) options.needed[t.value] = true;
    }
    for (int i = 0; i < std::ssize(rule.body); ++i) {
      const FlatLiteral& l = rule.body[i];
      const bool positive = l.kind == Literal::Kind::Positive;
      options.ignored.push_back(l.kind == Literal::Kind::Negative && !exact_ &&
                                g_.dynamic[l.relation]);
      options.ranges.push_back(positive ? range(l, i, delta) : RowRange{});
      if (positive && options.ranges.back().from >= options.ranges.back().to) return;
    }
    InsertHead sink(rule, g_.tuples[rule.head]);
    Join(rule, g_.tuples, std::move(options)).run(sink, meter_);
  }

  Grounding& g_;
  bool exact_;
  WorkMeter& meter_;
  std::vector<RowRange> delta_;  // [relation]
  std::vector<bool> grows_;
};

// Strongly connected components of relations under "needs", dependencies first (Tarjan, iterative).
class Components {
 public:
  explicit Components(const std::vector<std::vector<std::uint32_t>>& needs)
      : needs_(needs), order_(needs.size(), kUnseen), low_(needs.size()), on_stack_(needs.size()) {
    for (std::uint32_t r = 0; r < needs.size(); ++r) {
      if (order_[r] == kUnseen) visit(r);
    }
  }
  std::vector<std::vector<std::uint32_t>> found;

 private:
  static constexpr std::uint32_t kUnseen = 0xffffffff;
  struct Frame {
    std::uint32_t node;
    std::size_t next;
  };

  void enter(std::uint32_t node) {
    order_[node] = low_[node] = count_++;
    stack_.push_back(node);
    on_stack_[node] = true;
    frames_.push_back({node, 0});
  }

  void visit(std::uint32_t root) {
    enter(root);
    while (!frames_.empty()) {
      const std::uint32_t node = frames_.back().node;
      if (frames_.back().next < needs_[node].size()) {
        const std::uint32_t to = needs_[node][frames_.back().next++];
        if (order_[to] == kUnseen) {
          enter(to);
        } else if (on_stack_[to]) {
          low_[node] = std::min(low_[node], order_[to]);
        }
        continue;
      }
      frames_.pop_back();
      if (!frames_.empty()) {
        std::uint32_t& parent = low_[frames_.back().node];
        parent = std::min(parent, low_[node]);
      }
      if (low_[node] == order_[node]) take_component(node);
    }
  }

  void take_component(std::uint32_t root) {
    std::vector<std::uint32_t>& component = found.emplace_back();
    std::uint32_t node = 0;
    do {
      node = stack_.back();
      stack_.pop_back();
      on_stack_[node] = false;
      component.push_back(node);
    } while (node != root);
  }

  const std::vector<std::vector<std::uint32_t>>& needs_;
  std::vector<std::uint32_t> order_, low_, stack_;
  std::vector<bool> on_stack_;
  std::vector<Frame> frames_;
  std::uint32_t count_ = 0;
};

}  // namespace

void evaluate(Grounding& g, const std::vector<const FlatRule*>& rules,
              const std::vector<std::uint32_t>& recursive, bool exact, WorkMeter& meter) {
  SemiNaive(g, recursive, exact, meter).run(rules);
}

void evaluate_static(Grounding& g, GroundingMeter& meter) {
  std::vector<std::vector<const FlatRule*>> of(g.flat.relations.size());
  std::vector<std::vector<std::uint32_t>> needs(g.flat.relations.size());
  for (const FlatRule& rule : g.flat.flat_rules) {
    if (g.dynamic[rule.head]) continue;
    of[rule.head].push_back(&rule);
    for (const FlatLiteral& l : rule.body) {
      if (l.kind != Literal::Kind::Distinct) needs[rule.head].push_back(l.relation);
    }
  }
  for (const auto& component : Components(needs).found) {
    std::vector<const FlatRule*> rules;
    for (const std::uint32_t r : component) rules.insert(rules.end(), of[r].begin(), of[r].end());
    if (rules.empty()) continue;
    meter.current_rule = rules.front()->source;
    evaluate(g, rules, component, true, meter);
    if (meter.over()) return;
  }
  std::erase_if(g.flat.flat_rules, [&](const FlatRule& r) { return !g.dynamic[r.head]; });
}

}  // namespace ludens::gdl
