// SPDX-License-Identifier: MIT
// Splitting of bodies: see grounding.h.
#include <algorithm>

#include "gdl/ground/estimate.h"
#include "gdl/ground/grounding.h"

namespace ludens::gdl {

namespace {

constexpr double kWorthSplitting = 300;  // estimated instances
constexpr double kWorthPairs = 1e5;      // from here on, cuts of two variables are tried, too
constexpr double kGain = 0.5;            // a split must bring the estimate below this share
constexpr int kMaxSplits = 12;           // of one rule, nested

using Vars = std::vector<bool>;

void mark(const std::vector<FlatTerm>& columns, Vars& vars) {
  for (const FlatTerm& t : columns) {
    if (t.variable) vars[t.value] = true;
  }
}

bool inside(const std::vector<FlatTerm>& columns, const Vars& vars) {
  bool any = false;
  for (const FlatTerm& t : columns) {
    if (!t.variable) continue;
    any = true;
    if (!vars[t.value]) return false;
  }
  return any;
}

class Splitter {
 public:
  Splitter(Grounding& g, GroundingMeter& meter) : g_(g), meter_(meter), domains_(g, meter) {}

  void run() {
    std::vector<FlatRule> rules = std::move(g_.flat.flat_rules);
    g_.flat.flat_rules.clear();
    for (FlatRule& rule : rules) split(std::move(rule), 0);
  }

 private:
  struct Cut {
    std::vector<bool> bucket;              // [literal]
    std::vector<std::uint32_t> interface;  // variables that cross, ascending
    double cost;
  };

  void split(FlatRule rule, int depth) {
    const auto cut = depth < kMaxSplits && !meter_.over() ? best_cut(rule) : std::nullopt;
    if (!cut) {
      g_.flat.flat_rules.push_back(std::move(rule));
      return;
    }
    FlatRule part{g_.flat.auxiliary(static_cast<std::uint32_t>(cut->interface.size())),
                  {},
                  {},
                  rule.variables,
                  rule.source,
                  rule.relaxed_only};
    FlatRule rest{rule.head, rule.columns, {}, rule.variables, rule.source, rule.relaxed_only};
    for (const std::uint32_t v : cut->interface) part.columns.push_back({true, v});
    bool dynamic = false;
    for (std::size_t i = 0; i < rule.body.size(); ++i) {
      const FlatLiteral& l = rule.body[i];
      (cut->bucket[i] ? part : rest).body.push_back(l);
      if (cut->bucket[i] && l.kind != Literal::Kind::Distinct && g_.dynamic[l.relation])
        dynamic = true;
    }
    rest.body.push_back({Literal::Kind::Positive, part.head, part.columns});
    g_.adopt_relations();
    g_.dynamic[part.head] = dynamic;
    if (dynamic) {
      domains_.add_auxiliary(part.head, part);
      split(std::move(part), depth + 1);
    } else {
      meter_.current_rule = part.source;
      evaluate(g_, {&part}, {part.head}, true, meter_);
      domains_.refresh(g_, part.head);
    }
    split(std::move(rest), depth + 1);
  }

  std::optional<Cut> best_cut(const FlatRule& rule) {
    if (rule.body.size() < 3) return std::nullopt;
    sizes_ = domains_.variables(rule);
    const double whole =
        estimate(rule, std::vector<bool>(rule.body.size(), true), Vars(rule.variables));
    if (whole < kWorthSplitting) return std::nullopt;
    Vars in_head(rule.variables, false);
    mark(rule.columns, in_head);
    std::optional<Cut> best;
    const auto consider = [&](const Vars& eliminated) {
      if (meter_.over() || meter_.spend(rule.body.size())) return;
      auto cut = cut_out(rule, eliminated, in_head);
      if (cut && cut->cost < (best ? best->cost : whole * kGain)) best = std::move(cut);
    };
    Vars eliminated(rule.variables, false);
    for (std::uint32_t v = 0; v < rule.variables; ++v) {
      if (in_head[v]) continue;
      eliminated[v] = true;
      consider(eliminated);
      // One alone may gain nothing although the next would: x from ?a + ?b = ?x, then what is at
      // ?x.
      for (std::uint32_t w = 0; w < v && whole >= kWorthPairs; ++w) {
        if (in_head[w]) continue;
        eliminated[w] = true;
        consider(eliminated);
        eliminated[w] = false;
      }
      eliminated[v] = false;
    }
    return best;
  }

  // The part of the body that holds the variables, with every literal whose variables all occur
  // there.
  std::optional<Cut> cut_out(const FlatRule& rule, const Vars& eliminated, const Vars& in_head) {
    Cut cut{std::vector<bool>(rule.body.size(), false), {}, 0};
    Vars in_part(rule.variables, false), bound(rule.variables, false), outside = in_head;
    for (std::size_t i = 0; i < rule.body.size(); ++i) {
      cut.bucket[i] = std::ranges::any_of(rule.body[i].columns, [&](const FlatTerm& t) {
        return t.variable && eliminated[t.value];
      });
      if (cut.bucket[i]) mark(rule.body[i].columns, in_part);
    }
    for (std::uint32_t v = 0; v < rule.variables; ++v) {
      if (eliminated[v] && !in_part[v]) return std::nullopt;
    }
    bool any_outside = false;
    for (std::size_t i = 0; i < rule.body.size(); ++i) {
      const FlatLiteral& l = rule.body[i];
      if (!cut.bucket[i]) cut.bucket[i] = inside(l.columns, in_part);
      if (cut.bucket[i] && l.kind == Literal::Kind::Positive) mark(l.columns, bound);
      if (!cut.bucket[i]) {
        mark(l.columns, outside);
        any_outside = true;
      }
    }
    if (!any_outside) return std::nullopt;
    double interface_size = 1;
    for (std::uint32_t u = 0; u < rule.variables; ++u) {
      if (in_part[u] && !bound[u]) return std::nullopt;
      if (!in_part[u] || !outside[u]) continue;
      cut.interface.push_back(u);
      interface_size *= sizes_[u];
    }
    const double part = estimate(rule, cut.bucket, Vars(rule.variables));
    std::vector<bool> rest = cut.bucket;
    rest.flip();
    Vars crossing(rule.variables, false);
    for (const std::uint32_t u : cut.interface) crossing[u] = true;
    cut.cost = part + estimate(rule, rest, crossing) * std::min(1.0, part / interface_size);
    return cut;
  }

  [[nodiscard]] double estimate(const FlatRule& rule, const std::vector<bool>& chosen,
                                const Vars& more) const {
    return domains_.matches(g_, rule, sizes_, chosen, more);
  }

  Grounding& g_;
  GroundingMeter& meter_;
  Domains domains_;
  std::vector<double> sizes_;  // [variable] of the current rule
};

}  // namespace

void split_bodies(Grounding& g, GroundingMeter& meter) {
  Splitter(g, meter).run();
}

}  // namespace ludens::gdl
