// SPDX-License-Identifier: MIT
// Demand (magic) relations: see grounding.h.
#include <algorithm>
#include <map>

#include "gdl/ground/estimate.h"
#include "gdl/ground/grounding.h"

namespace ludens::gdl {

namespace {

// Relations with fewer possible rows are cheap enough to be grounded completely.
constexpr double kDemandFrom = 2e6;

// Whether every place that asks for the relation binds all its columns by literals that are not
// candidates for demand themselves.
bool always_asked_bound(const Grounding& g, std::uint32_t relation,
                        const std::vector<bool>& candidate) {
  bool asked = false;
  for (const FlatRule& rule : g.flat.flat_rules) {
    for (std::size_t k = 0; k < rule.body.size(); ++k) {
      const FlatLiteral& l = rule.body[k];
      if (l.kind == Literal::Kind::Distinct || l.relation != relation) continue;
      if (rule.head == relation) return false;  // recursive
      asked = true;
      std::vector<bool> bound(rule.variables, false);
      for (std::size_t i = 0; i < rule.body.size(); ++i) {
        if (i == k || rule.body[i].kind != Literal::Kind::Positive) continue;
        if (candidate[rule.body[i].relation]) continue;
        for (const FlatTerm& t : rule.body[i].columns) {
          if (t.variable) bound[t.value] = true;
        }
      }
      if (!std::ranges::all_of(l.columns,
                               [&](const FlatTerm& t) { return !t.variable || bound[t.value]; })) {
        return false;
      }
    }
  }
  return asked;
}

}  // namespace

void add_demand(Grounding& g, const Domains& domains) {
  std::map<std::uint32_t, std::uint32_t> demand;  // relation -> its demand relation
  const auto count = static_cast<std::uint32_t>(g.flat.relations.size());
  std::vector<bool> candidate(count);
  for (std::uint32_t r = 0; r < count; ++r) {
    candidate[r] = g.dynamic[r] && !is_output_or_given(g.flat.relations[r].relation) &&
                   domains.product(r) >= kDemandFrom;
  }
  for (std::uint32_t r = 0; r < count; ++r) {
    if (!candidate[r] || !always_asked_bound(g, r, candidate)) continue;
    demand[r] = g.flat.auxiliary(g.flat.relations[r].columns);
  }
  g.adopt_relations();
  for (const auto& [relation, asked] : demand) g.dynamic[asked] = g.filter[asked] = true;

  std::vector<FlatRule> added;
  for (const FlatRule& rule : g.flat.flat_rules) {
    for (std::size_t k = 0; k < rule.body.size(); ++k) {
      const FlatLiteral& l = rule.body[k];
      if (l.kind == Literal::Kind::Distinct || !demand.contains(l.relation)) continue;
      FlatRule asks{demand[l.relation], l.columns, {}, rule.variables, rule.source, true};
      for (std::size_t i = 0; i < rule.body.size(); ++i) {
        const FlatLiteral& other = rule.body[i];
        if (i == k || other.kind == Literal::Kind::Negative) continue;
        if (other.kind == Literal::Kind::Positive && candidate[other.relation]) continue;
        asks.body.push_back(other);
      }
      if (demand.contains(rule.head)) {
        asks.body.push_back({Literal::Kind::Positive, demand[rule.head], rule.columns});
      }
      added.push_back(std::move(asks));
    }
  }
  for (FlatRule& rule : g.flat.flat_rules) {
    if (!demand.contains(rule.head)) continue;
    rule.body.push_back({Literal::Kind::Positive, demand[rule.head], rule.columns});
  }
  std::ranges::move(added, std::back_inserter(g.flat.flat_rules));
}

}  // namespace ludens::gdl
