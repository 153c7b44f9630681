// SPDX-License-Identifier: MIT
#include "gdl/ground/estimate.h"

#include <algorithm>

namespace ludens::gdl {

namespace {

bool insert(Domains::Values& values, std::uint32_t value) {
  const auto at = std::ranges::lower_bound(values, value);
  if (at != values.end() && *at == value) return false;
  values.insert(at, value);
  return true;
}

Domains::Values intersection(const Domains::Values& a, const Domains::Values& b) {
  Domains::Values out;
  std::ranges::set_intersection(a, b, std::back_inserter(out));
  return out;
}

}  // namespace

Domains::Domains(const Grounding& g, WorkMeter& meter) : meter_(meter), columns_(g.tuples.size()) {
  for (std::uint32_t r = 0; r < g.tuples.size(); ++r) refresh(g, r);
  for (bool changed = true; changed;) {
    changed = false;
    for (const FlatRule& rule : g.flat.flat_rules) {
      if (meter_.over() || meter_.spend()) return;
      changed = propagate(rule) || changed;
    }
  }
}

void Domains::refresh(const Grounding& g, std::uint32_t relation) {
  columns_.resize(g.tuples.size());
  const Tuples& tuples = g.tuples[relation];
  columns_[relation].assign(tuples.columns(), {});
  for (std::uint32_t c = 0; c < tuples.columns(); ++c) {
    std::vector<bool> seen;  // by symbol: there are far fewer than rows
    for (RowId row = 0; row < tuples.size() && !meter_.spend(); ++row) {
      const std::uint32_t value = tuples.row(row)[c];
      if (value >= seen.size()) seen.resize(value + 1, false);
      seen[value] = true;
    }
    for (std::uint32_t value = 0; value < seen.size(); ++value) {
      if (seen[value]) columns_[relation][c].push_back(value);
    }
  }
}

std::optional<std::vector<Domains::Values>> Domains::bind(const FlatRule& rule) const {
  std::vector<Values> of(rule.variables);
  std::vector<bool> seen(rule.variables, false);
  for (const FlatLiteral& l : rule.body) {
    if (l.kind != Literal::Kind::Positive) continue;
    for (std::size_t c = 0; c < l.columns.size(); ++c) {
      const FlatTerm& t = l.columns[c];
      const Values& values = columns_[l.relation][c];
      meter_.spend(values.size() / 8);  // copied many at a time
      if (!t.variable) {
        if (!std::ranges::binary_search(values, t.value)) return std::nullopt;
        continue;
      }
      of[t.value] = seen[t.value] ? intersection(of[t.value], values) : values;
      seen[t.value] = true;
      if (of[t.value].empty()) return std::nullopt;
    }
  }
  return of;
}

bool Domains::propagate(const FlatRule& rule) {
  const auto of = bind(rule);
  if (!of) return false;
  bool changed = false;
  for (std::size_t c = 0; c < rule.columns.size(); ++c) {
    Values& values = columns_[rule.head][c];
    const FlatTerm& t = rule.columns[c];
    if (!t.variable) {
      changed = insert(values, t.value) || changed;
      continue;
    }
    Values joined;
    std::ranges::set_union(values, (*of)[t.value], std::back_inserter(joined));
    changed = changed || joined.size() > values.size();
    values = std::move(joined);
  }
  return changed;
}

double Domains::size(std::uint32_t relation, std::size_t column) const {
  return std::max(1.0, static_cast<double>(columns_[relation][column].size()));
}

double Domains::product(std::uint32_t relation) const {
  double product = 1;
  for (std::size_t c = 0; c < columns_[relation].size(); ++c) product *= size(relation, c);
  return product;
}

std::vector<double> Domains::variables(const FlatRule& rule) const {
  std::vector<double> of(rule.variables, 0);
  for (const FlatLiteral& l : rule.body) {
    if (l.kind != Literal::Kind::Positive) continue;
    for (std::size_t c = 0; c < l.columns.size(); ++c) {
      if (!l.columns[c].variable) continue;
      double& v = of[l.columns[c].value];
      const double here = size(l.relation, c);
      v = v == 0 ? here : std::min(v, here);
    }
  }
  for (double& v : of) v = std::max(v, 1.0);
  return of;
}

double Domains::matches(const Grounding& g, const FlatRule& rule, const std::vector<double>& sizes,
                        const std::vector<bool>& chosen, std::vector<bool> more) const {
  double e = 1;
  for (std::size_t i = 0; i < rule.body.size(); ++i) {
    const FlatLiteral& l = rule.body[i];
    if (!chosen[i]) continue;
    for (const FlatTerm& t : l.columns) {
      if (t.variable) more[t.value] = true;
    }
    if (l.kind != Literal::Kind::Positive || g.dynamic[l.relation]) continue;
    e *= std::max(1.0, static_cast<double>(g.tuples[l.relation].size())) / product(l.relation);
  }
  for (std::size_t v = 0; v < more.size(); ++v) {
    if (more[v]) e *= sizes[v];
  }
  return std::max(e, 1.0);
}

void Domains::add_auxiliary(std::uint32_t relation, const FlatRule& rule) {
  columns_.resize(std::max<std::size_t>(columns_.size(), relation + 1));
  columns_[relation].assign(rule.columns.size(), {});
  propagate(rule);
}

}  // namespace ludens::gdl
