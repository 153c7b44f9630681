// SPDX-License-Identifier: MIT
#include "gdl/rules/substitution.h"

namespace ludens::gdl {

Term Substitution::known(Term t) const {
  if (terms_.is_ground(t)) return t;
  if (const auto found = results_.find(t); found != results_.end()) return found->second;
  return t;  // a free variable
}

/// Puts t on the stack if its result has yet to be found.
bool Substitution::push_unknown(Term t) {
  if (terms_.is_ground(t) || results_.contains(t)) return false;
  if (terms_.kind(t) == Terms::Kind::Variable) {
    const auto image = images_.find(terms_.value(t));
    if (image == images_.end()) return false;
    if (mode_ == Mode::Once || terms_.is_ground(image->second)) {
      results_[t] = image->second;
      return false;
    }
  }
  pending_.push_back(t);
  return true;
}

Term Substitution::apply(Term t) {
  push_unknown(t);
  std::vector<Term> arguments;
  while (!pending_.empty()) {
    const Term top = pending_.back();
    if (terms_.kind(top) == Terms::Kind::Variable) {
      const Term image = images_.at(terms_.value(top));
      if (push_unknown(image)) continue;
      results_[top] = known(image);
    } else {
      bool waiting = false;
      for (const Term a : terms_.arguments(top)) waiting = push_unknown(a) || waiting;
      if (waiting) continue;
      arguments.clear();
      for (const Term a : terms_.arguments(top)) arguments.push_back(known(a));
      results_[top] = terms_.compound(terms_.value(top), arguments);
    }
    pending_.pop_back();
  }
  return known(t);
}

}  // namespace ludens::gdl
