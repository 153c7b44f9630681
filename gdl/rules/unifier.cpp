// SPDX-License-Identifier: MIT
#include "gdl/rules/unifier.h"

namespace ludens::gdl {

void Unifier::reset() {
  ids_.clear();
  classes_.clear();
  pending_.clear();
}

Unifier::ClassId Unifier::class_of(Term t, Side side) {
  if (terms_.is_ground(t)) side = Side::Left;
  const std::uint64_t key = (std::uint64_t{t} << 1) | static_cast<std::uint64_t>(side);
  const auto id = static_cast<ClassId>(classes_.size());
  const auto [entry, is_new] = ids_.try_emplace(key, id);
  if (is_new) {
    const bool variable = terms_.kind(t) == Terms::Kind::Variable;
    classes_.push_back({id, variable ? kNoTerm : t, variable ? t : kNoTerm, side, Colour::White});
  }
  return entry->second;
}

Unifier::ClassId Unifier::root(ClassId c) {
  while (classes_[c].parent != c) {
    classes_[c].parent = classes_[classes_[c].parent].parent;
    c = classes_[c].parent;
  }
  return c;
}

bool Unifier::unify(Term a, Side side_a, Term b, Side side_b) {
  pending_.emplace_back(class_of(a, side_a), class_of(b, side_b));
  while (!pending_.empty()) {
    const auto [first, second] = pending_.back();
    pending_.pop_back();
    if (!merge(root(first), root(second))) return false;
  }
  return true;
}

bool Unifier::merge(ClassId a, ClassId b) {
  if (a == b) return true;
  const Class from = classes_[b];
  Class& to = classes_[a];
  classes_[b].parent = a;
  const bool smaller =
      to.variable == kNoTerm ||
      (from.variable != kNoTerm && terms_.value(from.variable) < terms_.value(to.variable));
  if (smaller) to.variable = from.variable;
  if (from.schema == kNoTerm) return true;
  if (to.schema == kNoTerm) {
    to.schema = from.schema;
    to.side = from.side;
    return true;
  }
  const Term s = to.schema, t = from.schema;
  const Side side = to.side;
  if (terms_.kind(s) != terms_.kind(t) || terms_.value(s) != terms_.value(t)) return false;
  if (terms_.is_ground(s) && terms_.is_ground(t)) return s == t;
  const auto left = terms_.arguments(s), right = terms_.arguments(t);
  if (left.size() != right.size()) return false;
  for (std::size_t i = 0; i < left.size(); ++i) {
    pending_.emplace_back(class_of(left[i], side), class_of(right[i], from.side));
  }
  return true;
}

bool Unifier::acyclic() {
  for (Class& c : classes_) c.colour = Colour::White;
  for (ClassId c = 0; c < classes_.size(); ++c) {
    if (search_cycle(c)) return false;
  }
  return true;
}

bool Unifier::search_cycle(ClassId start) {
  struct Frame {
    ClassId root;
    std::size_t next;  // argument of the schema
  };
  std::vector<Frame> frames;
  const auto enter = [&](ClassId c) {  // true: a cycle
    c = root(c);
    if (classes_[c].colour != Colour::White) return classes_[c].colour == Colour::Grey;
    const Term schema = classes_[c].schema;
    const bool leaf = schema == kNoTerm || terms_.is_ground(schema);
    classes_[c].colour = leaf ? Colour::Black : Colour::Grey;
    if (!leaf) frames.push_back({c, 0});
    return false;
  };
  if (enter(start)) return true;
  while (!frames.empty()) {
    Frame& top = frames.back();
    const auto arguments = terms_.arguments(classes_[top.root].schema);
    if (top.next == arguments.size()) {
      classes_[top.root].colour = Colour::Black;
      frames.pop_back();
    } else if (enter(class_of(arguments[top.next++], classes_[top.root].side))) {
      return true;
    }
  }
  return false;
}

std::optional<Term> Unifier::binding(Term variable) {
  const Class& c = classes_[root(class_of(variable, Side::Left))];
  if (c.schema != kNoTerm) return c.schema;
  if (c.variable != variable) return c.variable;
  return std::nullopt;
}

bool unifiable(Unifier& scratch, std::span<const Term> left, std::span<const Term> right) {
  scratch.reset();
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (!scratch.unify(left[i], Unifier::Side::Left, right[i], Unifier::Side::Right)) return false;
  }
  return scratch.acyclic();
}

}  // namespace ludens::gdl
