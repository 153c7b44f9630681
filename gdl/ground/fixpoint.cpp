// SPDX-License-Identifier: MIT
// Semi-naive evaluation, and the static relations.
#include <algorithm>

#include "gdl/ground/grounding.h"
#include "gdl/rules/components.h"

namespace ludens::gdl {

namespace {

class InsertHead final : public Join::Sink {
 public:
  InsertHead(const FlatRule& rule, Tuples& head)
      : rule_(rule), head_(head), row_(rule.columns.size()) {}
  void match(const std::uint32_t* values, const RowId* /*rows*/) override {
    head_.insert(fill(values));
  }
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
    while (advance()) {
      for (const FlatRule* rule : rules) {
        if (meter_.over() || meter_.spend(1 + rule->body.size())) return;
        for (int i = 0; i < std::ssize(rule->body); ++i) {
          if (can_match_new_rows(rule->body[i])) run_rule(*rule, i);
        }
      }
    }
  }

 private:
  [[nodiscard]] bool new_rows(std::uint32_t r) const { return delta_[r].from < delta_[r].to; }

  // A literal without variables is one row. A rule may name thousands, of which few are new at
  // once, and planning its body takes much longer than looking for a row.
  bool can_match_new_rows(const FlatLiteral& l) {
    const std::uint32_t r = l.relation;
    if (l.kind != Literal::Kind::Positive || !grows_[r] || !new_rows(r)) return false;
    row_.clear();
    for (const FlatTerm& t : l.columns) {
      if (t.variable) return true;
      row_.push_back(t.value);
    }
    const RowId row = g_.tuples[r].find(row_.data());
    return row >= delta_[r].from && row < delta_[r].to;
  }

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

  // Literals before the delta only see old rows, so that no combination is found twice.
  [[nodiscard]] RowRange range(const FlatLiteral& l, int literal, int delta) const {
    if (!grows_[l.relation]) return {0, g_.tuples[l.relation].size()};
    if (literal == delta) return delta_[l.relation];
    return {0, literal < delta ? delta_[l.relation].from : delta_[l.relation].to};
  }

  void run_rule(const FlatRule& rule, int delta) {
    if (meter_.over()) return;
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
    Join(rule, g_.tuples, std::move(options), meter_).run(sink);
  }

  Grounding& g_;
  bool exact_;
  WorkMeter& meter_;
  std::vector<RowRange> delta_;  // [relation]
  std::vector<bool> grows_;
  std::vector<std::uint32_t> row_;
};

}  // namespace

void evaluate(Grounding& g, const std::vector<const FlatRule*>& rules,
              const std::vector<std::uint32_t>& recursive, bool exact, WorkMeter& meter) {
  SemiNaive(g, recursive, exact, meter).run(rules);
}

void evaluate_static(Grounding& g, GroundingMeter& meter) {
  std::vector<std::vector<const FlatRule*>> of(g.flat.relations.size());
  Graph needs(g.flat.relations.size());
  for (const FlatRule& rule : g.flat.flat_rules) {
    if (g.dynamic[rule.head]) continue;
    of[rule.head].push_back(&rule);
    for (const FlatLiteral& l : rule.body) {
      if (l.kind != Literal::Kind::Distinct) needs[rule.head].push_back(l.relation);
    }
  }
  const Components components = strong_components(needs);
  std::vector<std::vector<std::uint32_t>> strata(components.count);  // dependencies first
  for (std::uint32_t r = 0; r < needs.size(); ++r) strata[components.of[r]].push_back(r);
  for (const auto& component : strata) {
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
