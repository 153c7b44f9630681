// SPDX-License-Identifier: MIT
#include "gdl/narrow/row_search.h"

#include <algorithm>

namespace ludens::gdl {

RowSearch::RowSearch(GroundProgram& program, const std::vector<Edge>& edges, Implications& facts,
                     StopPoll& poll, const Limits& limits)
    : program_(program), edges_(edges), facts_(facts), poll_(poll), limits_(limits) {
  for (std::uint32_t r = 0; r < program.tuples.size(); ++r) {
    if (program.dynamic[r] && program.tuples[r].size() != 0) {
      numbered_.emplace_back(program.first_atom[r], r);
    }
  }
  std::ranges::sort(numbered_);
}

bool RowSearch::given_up() {
  return facts_.exhausted() || poll_.stopped() || literals_ > limits_.literals ||
         bindings_ > limits_.bindings;
}

bool RowSearch::add(const FlatRule& rule) {
  if (!plan(rule) || given_up()) return false;
  const std::size_t before = facts_.mark();
  kept_.clear();
  std::vector<Frame> frames;
  if (hold(levels_[0])) {
    if (levels_.size() == 1) {
      found(rule);
    } else {
      frames.push_back(enter(1));
    }
  }
  while (!frames.empty() && !given_up()) {
    Frame& frame = frames.back();
    facts_.take_back(frame.mark);
    kept_.resize(frame.kept);
    if (!next_row(frame)) {
      frames.pop_back();
    } else if (!hold(levels_[frame.level])) {
      continue;
    } else if (frame.level + 1 < levels_.size()) {
      frames.push_back(enter(frame.level + 1));
    } else {
      found(rule);
      leave_what_follows(frames);
    }
  }
  facts_.take_back(before);
  return !given_up();
}

/// Places literals that bind nothing as early as they can be decided. False if one never can, or if
/// it was stopped.
bool RowSearch::plan(const FlatRule& rule) {
  levels_.assign(1, {});
  bound_.assign(rule.variables, false);
  values_.assign(rule.variables, 0);
  std::vector<const FlatLiteral*> left;
  for (const FlatLiteral& l : rule.body) left.push_back(&l);
  add_tests(left);
  while (const FlatLiteral* binder = best_binder(left)) {
    std::erase(left, binder);
    levels_.emplace_back().head_known = known(rule.columns);
    if (!add_binder(*binder)) return false;
    add_tests(left);
  }
  return left.empty();
}

bool RowSearch::known(const std::vector<FlatTerm>& columns) const {
  return std::ranges::all_of(columns,
                             [&](const FlatTerm& t) { return !t.variable || bound_[t.value]; });
}

/// The positive literal with the fewest expected matches. A fluent may have twice as many, because
/// its value decides other literals.
const FlatLiteral* RowSearch::best_binder(const std::vector<const FlatLiteral*>& left) {
  const FlatLiteral* best = nullptr;
  double fewest = 0;
  for (const FlatLiteral* l : left) {
    if (l->kind != Literal::Kind::Positive) continue;
    Tuples& tuples = program_.tuples[l->relation];
    double rows = tuples.size();
    for (std::uint32_t c = 0; c < l->columns.size(); ++c) {
      const FlatTerm& t = l->columns[c];
      if (!t.variable || bound_[t.value]) rows /= std::max(1.0, tuples.distinct(c));
    }
    if (program_.flat.relations[l->relation].relation == kTrue) rows /= 2;
    if (best == nullptr || rows < fewest) {
      best = l;
      fewest = rows;
    }
  }
  return best;
}

// Literals that cost nothing to decide come first.
void RowSearch::add_tests(std::vector<const FlatLiteral*>& left) {
  std::vector<const FlatLiteral*>& tests = levels_.back().tests;
  for (const bool dynamic : {false, true}) {
    std::erase_if(left, [&](const FlatLiteral* l) {
      const bool of_state = l->kind != Literal::Kind::Distinct && program_.dynamic[l->relation];
      if (of_state != dynamic || !known(l->columns)) return false;
      tests.push_back(l);
      return true;
    });
  }
}

/// False if it was stopped.
bool RowSearch::add_binder(const FlatLiteral& literal) {
  constexpr RowId kRowsAtOnce = 1024;
  Level& level = levels_.back();
  level.binder = &literal;
  std::uint64_t mask = 0;
  for (std::size_t c = 0; c < literal.columns.size(); ++c) {
    const FlatTerm& t = literal.columns[c];
    const bool was_bound = !t.variable || bound_[t.value];
    if (was_bound && c < 64) mask |= std::uint64_t{1} << c;
    level.binds.push_back(!was_bound);
  }
  // The second occurrence of a variable within the literal compares.
  for (std::size_t c = 0; c < literal.columns.size(); ++c) {
    const FlatTerm& t = literal.columns[c];
    if (!t.variable) continue;
    level.binds[c] = !bound_[t.value];
    bound_[t.value] = true;
  }
  if (mask == 0) return true;
  const Tuples& tuples = program_.tuples[literal.relation];
  level.index = &program_.tuples[literal.relation].index(mask);
  while (!tuples.extend(*level.index, kRowsAtOnce)) {
    if (poll_(kRowsAtOnce)) return false;
  }
  return true;
}

RowSearch::Frame RowSearch::enter(std::size_t level) {
  const Level& entered = levels_[level];
  Frame frame{level, 0, facts_.mark(), kept_.size()};
  if (entered.index == nullptr) return frame;
  const std::uint64_t hash =
      entered.index->hash([&](std::uint32_t c) { return value(entered.binder->columns[c]); });
  frame.row = entered.index->first(hash);
  return frame;
}

/// Binds the variables to the next row that matches; false if there is none.
bool RowSearch::next_row(Frame& frame) {
  const Level& level = levels_[frame.level];
  const RowId end = program_.tuples[level.binder->relation].size();
  while (frame.row != kNoRow && frame.row < end) {
    const RowId row = frame.row;
    frame.row = level.index == nullptr ? row + 1 : level.index->next(row);
    ++bindings_;
    if (poll_()) return false;
    if (match(level, row)) return true;
  }
  return false;
}

bool RowSearch::match(const Level& level, RowId row) {
  const std::uint32_t* cells = program_.tuples[level.binder->relation].row(row);
  for (std::size_t c = 0; c < level.binds.size(); ++c) {
    const FlatTerm& t = level.binder->columns[c];
    if (level.binds[c]) {
      values_[t.value] = cells[c];
    } else if (value(t) != cells[c]) {
      return false;
    }
  }
  return true;
}

/// Whether the literals of a level can hold together with the assumptions; open ones are assumed,
/// too.
bool RowSearch::hold(const Level& level) {
  if (level.binder != nullptr && !test(*level.binder)) return false;
  return std::ranges::all_of(level.tests, [this](const FlatLiteral* l) { return test(*l); });
}

bool RowSearch::test(const FlatLiteral& literal) {
  if (literal.kind == Literal::Kind::Distinct) {
    return value(literal.columns[0]) != value(literal.columns[1]);
  }
  const bool negative = literal.kind == Literal::Kind::Negative;
  const RowId row = program_.tuples[literal.relation].find(fill(literal.columns));
  if (row == kNoRow || !program_.dynamic[literal.relation]) return (row == kNoRow) == negative;
  return assume((program_.first_atom[literal.relation] + row) * 2 + (negative ? 1 : 0));
}

bool RowSearch::assume(AtomLiteral literal) {
  const Edge edge = edges_[literal >> 1] ^ (literal & 1);
  if (facts_.is_true(edge)) return true;
  if (facts_.is_false(edge) || !facts_.assume(edge)) return false;
  kept_.push_back(literal);
  return true;
}

const std::uint32_t* RowSearch::fill(const std::vector<FlatTerm>& columns) {
  row_.clear();
  for (const FlatTerm& t : columns) row_.push_back(value(t));
  return row_.data();
}

void RowSearch::found(const FlatRule& rule) {
  std::vector<std::uint32_t> key(kept_.begin(), kept_.end());
  std::ranges::sort(key);
  key.push_back(static_cast<std::uint32_t>(kept_.size()));
  key.push_back(rule.head);
  for (const FlatTerm& t : rule.columns) key.push_back(value(t));
  if (!seen_.insert(std::move(key)).second) return;
  GroundRules& rules = rules_like(rule);
  for (const FlatTerm& t : rule.columns) rules.cells.push_back(value(t));
  for (const AtomLiteral l : kept_) {
    const auto [relation, row] = place_of(l >> 1);
    const Tuples& tuples = program_.tuples[relation];
    const std::uint32_t* cells = tuples.row(row);
    rules.cells.insert(rules.cells.end(), cells, cells + tuples.columns());
  }
  ++rules.count;
  literals_ += kept_.size() + 1;
}

/// The ground rules with the same head and relations as the current one.
GroundRules& RowSearch::rules_like(const FlatRule& rule) {
  std::vector<std::uint32_t> key{rule.head};
  for (const AtomLiteral l : kept_) key.push_back(place_of(l >> 1).first * 2 + (l & 1));
  const auto [form, fresh] = forms_.try_emplace(std::move(key), found_.size());
  if (!fresh) return found_[form->second];
  GroundRules& made = found_.emplace_back();
  made.form = {rule.head, {}, {}, 0, rule.source};
  const auto add_columns = [&](std::size_t count, std::vector<FlatTerm>& out) {
    for (std::size_t c = 0; c < count; ++c) out.push_back({true, made.form.variables++});
  };
  add_columns(rule.columns.size(), made.form.columns);
  for (const AtomLiteral l : kept_) {
    const std::uint32_t relation = place_of(l >> 1).first;
    const bool negative = (l & 1) != 0;
    FlatLiteral literal{negative ? Literal::Kind::Negative : Literal::Kind::Positive, relation, {}};
    add_columns(program_.tuples[relation].columns(), literal.columns);
    made.form.body.push_back(std::move(literal));
  }
  return made;
}

std::pair<std::uint32_t, RowId> RowSearch::place_of(Atom atom) const {
  const auto behind =
      std::ranges::upper_bound(numbered_, atom, {}, &std::pair<Atom, std::uint32_t>::first);
  const auto [first, relation] = *std::prev(behind);
  return {relation, atom - first};
}

/// Leaves a binder if the head and all kept literals were known before it: what else is found
/// below it adds nothing.
void RowSearch::leave_what_follows(std::vector<Frame>& frames) const {
  while (!frames.empty() && frames.back().kept == kept_.size() &&
         levels_[frames.back().level].head_known) {
    frames.pop_back();
  }
}

}  // namespace ludens::gdl
