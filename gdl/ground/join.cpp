// SPDX-License-Identifier: MIT
#include "gdl/ground/join.h"

#include <algorithm>

namespace ludens::gdl {

Join::Join(const FlatRule& rule, std::deque<Tuples>& relations, Options options, WorkMeter& meter)
    : rule_(rule), options_(std::move(options)), meter_(meter) {
  bound_ = options_.given;
  bound_.resize(rule.variables, false);
  used_.assign(rule.body.size(), false);
  values_.assign(rule.variables, 0);
  rows_.assign(rule.body.size(), kNoRow);
  plan(relations);
}

bool Join::all_bound(const FlatLiteral& l) const {
  return std::ranges::all_of(l.columns, [&](const FlatTerm& t) { return is_bound(t); });
}

bool Join::needs_met() const {
  for (std::size_t v = 0; v < bound_.size(); ++v) {
    if (options_.needed[v] && !bound_[v]) return false;
  }
  return true;
}

// Rows that are expected to match: a bound column leaves one in as many as it has values.
double Join::estimate(const FlatLiteral& l, const RowRange& range, Tuples& tuples) const {
  double matches = std::max(0.5, static_cast<double>(range.to) - range.from);
  std::size_t free = 0;
  for (std::uint32_t c = 0; c < l.columns.size(); ++c) {
    if (is_bound(l.columns[c])) {
      matches /= std::max(1.0, tuples.distinct(c));
    } else {
      ++free;
    }
  }
  if (free == 0) return -0.5;
  return free == l.columns.size() ? matches * 4 : matches;  // a product with all that came before
}

int Join::pick(bool first_step, std::deque<Tuples>& relations) const {
  int best = -1;
  double best_estimate = 0;
  for (int i = 0; i < std::ssize(rule_.body); ++i) {
    const FlatLiteral& l = rule_.body[i];
    if (used_[i]) continue;
    if (l.kind != Literal::Kind::Positive) {
      if (all_bound(l)) return i;
      continue;
    }
    if (first_step && options_.first >= 0) {
      if (i == options_.first) best = i;
      continue;
    }
    const double e = estimate(l, options_.ranges[i], relations[l.relation]);
    if (e < 0) return i;  // a test
    if (best < 0 || e < best_estimate) {
      best = i;
      best_estimate = e;
    }
  }
  return best;
}

void Join::plan(std::deque<Tuples>& relations) {
  for (std::size_t i = 0; i < rule_.body.size(); ++i) used_[i] = options_.ignored[i];
  bool met = needs_met();
  for (bool first = true; !meter_.over(); first = false) {
    meter_.spend(rule_.body.size());
    const int literal = pick(first && options_.first >= 0 && !used_[options_.first], relations);
    if (literal < 0) break;
    used_[literal] = true;
    add_step(literal, relations);
    if (!met && (met = needs_met())) tests_from_ = steps_.size();
  }
}

void Join::add_step(int literal, std::deque<Tuples>& relations) {
  const FlatLiteral& l = rule_.body[literal];
  Step step{Action::Scan, literal, {}, nullptr, nullptr, {}};
  std::uint64_t mask = 0;
  for (std::size_t c = 0; c < l.columns.size(); ++c) {
    const FlatTerm& t = l.columns[c];
    const bool bound = is_bound(t);
    if (bound && c < 64) mask |= std::uint64_t{1} << c;
    step.columns.push_back({!bound, t.variable, t.value});
  }
  const bool all = all_bound(l);
  if (l.kind == Literal::Kind::Distinct) {
    step.action = Action::Distinct;
  } else {
    step.tuples = &relations[l.relation];
    if (l.kind == Literal::Kind::Negative) {
      step.action = Action::Absent;
    } else {
      step.range = options_.ranges[literal];
      step.action = all ? Action::Test : mask != 0 ? Action::Lookup : Action::Scan;
      if (step.action == Action::Lookup) step.index = &step.tuples->index(mask);
    }
  }
  // The second occurrence of a variable within the literal compares.
  for (std::size_t c = 0; c < step.columns.size(); ++c) {
    Column& column = step.columns[c];
    if (!column.variable || !column.binds) continue;
    column.binds = !bound_[column.value];
    bound_[column.value] = true;
  }
  steps_.push_back(std::move(step));
}

void Join::run(Sink& sink) {
  if (meter_.over()) return;  // perhaps before the plan was complete
  sink_ = &sink;
  // A row may touch a new page, which takes a few microseconds.
  constexpr RowId kRowsAtOnce = 1024;
  constexpr std::uint64_t kWorkPerRow = 16;
  for (const Step& step : steps_) {
    while (step.index != nullptr && !step.tuples->extend(*step.index, kRowsAtOnce)) {
      if (meter_.spend(kRowsAtOnce * kWorkPerRow)) return;
    }
  }
  evaluate(0);
}

// True if a match was found.
bool Join::evaluate(std::size_t k) {
  if (meter_.over() || meter_.spend()) return false;
  if (k == tests_from_ && !sink_->wanted(values_.data())) return true;
  if (k == steps_.size()) {
    sink_->match(values_.data(), rows_.data());
    return true;
  }
  const Step& step = steps_[k];
  if (step.action == Action::Scan || step.action == Action::Lookup) return match_rows(step, k);
  if (step.action == Action::Distinct) {
    return value(step.columns[0]) != value(step.columns[1]) && evaluate(k + 1);
  }
  key_.clear();
  for (const Column& c : step.columns) key_.push_back(value(c));
  const RowId row = step.tuples->find(key_.data());
  if (step.action == Action::Absent) return row == kNoRow && evaluate(k + 1);
  rows_[step.literal] = row;
  return row >= step.range.from && row < step.range.to && evaluate(k + 1);
}

bool Join::match_rows(const Step& step, std::size_t k) {
  const bool one_is_enough = k >= tests_from_;
  bool any = false;
  if (step.action == Action::Scan) {
    for (RowId row = step.range.from; row < step.range.to; ++row) {
      meter_.spend();
      if (match_row(step, row, k)) any = true;
      if ((any && one_is_enough) || meter_.over()) break;
    }
    return any;
  }
  const std::uint64_t hash =
      step.index->hash([&](std::uint32_t c) { return value(step.columns[c]); });
  for (RowId row = step.index->first(hash); row != kNoRow; row = step.index->next(row)) {
    meter_.spend();
    if (row >= step.range.to) continue;
    if (row < step.range.from) break;  // chains run from new to old
    if (match_row(step, row, k)) any = true;
    if ((any && one_is_enough) || meter_.over()) break;
  }
  return any;
}

bool Join::match_row(const Step& step, RowId row, std::size_t k) {
  const std::uint32_t* cells = step.tuples->row(row);
  for (std::size_t c = 0; c < step.columns.size(); ++c) {
    const Column& column = step.columns[c];
    if (column.binds) {
      values_[column.value] = cells[c];
    } else if (value(column) != cells[c]) {
      return false;
    }
  }
  rows_[step.literal] = row;
  return evaluate(k + 1);
}

}  // namespace ludens::gdl
