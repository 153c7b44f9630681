// SPDX-License-Identifier: MIT
#include "gdl/interpreter/unify.h"

namespace ludens::gdl::interpreter {

const Pattern& Unifier::resolve(const Pattern& p) const {
  const Pattern* now = &p;
  while (now->kind == Pattern::Kind::Variable && bindings_[now->value]) {
    now = &*bindings_[now->value];
  }
  return *now;
}

bool Unifier::occurs(std::uint32_t variable, const Pattern& p) const {
  const Pattern& q = resolve(p);
  if (!look()) return true;
  if (q.kind == Pattern::Kind::Variable) return q.value == variable;
  for (const Pattern& a : q.arguments) {
    if (occurs(variable, a)) return true;
  }
  return false;
}

bool Unifier::bind(const Pattern& variable, const Pattern& p) {
  if (occurs(variable.value, p)) return false;
  bindings_[variable.value] = p;
  return true;
}

bool Unifier::unify(const Pattern& left, const Pattern& right) {
  if (!look()) return false;
  const Pattern a = resolve(left), b = resolve(right);
  if (a == b) return true;
  if (a.kind == Pattern::Kind::Variable && !is_rigid(a.value)) return bind(a, b);
  if (b.kind == Pattern::Kind::Variable && !is_rigid(b.value)) return bind(b, a);
  if (a.kind == Pattern::Kind::Variable || b.kind == Pattern::Kind::Variable) {
    const bool first = a.kind == Pattern::Kind::Variable;
    equal_.emplace_back(first ? a : b, first ? b : a);
    return true;
  }
  if (a.kind == Pattern::Kind::Compound && b.kind == Pattern::Kind::Compound) {
    if (a.value != b.value) return false;
    for (std::size_t i = 0; i < a.arguments.size(); ++i) {
      if (!unify(a.arguments[i], b.arguments[i])) return false;
    }
    return true;
  }
  if (a.kind == b.kind) return false;  // different constants
  const Pattern& constant = a.kind == Pattern::Kind::Constant ? a : b;
  const Pattern& compound = a.kind == Pattern::Kind::Constant ? b : a;
  if (terms_.functor_of(constant.value) != compound.value) return false;
  for (std::size_t i = 0; i < compound.arguments.size(); ++i) {
    const Pattern argument{Pattern::Kind::Constant, terms_.arguments(constant.value)[i], {}};
    if (!unify(argument, compound.arguments[i])) return false;
  }
  return true;
}

Pattern Unifier::apply(const Pattern& p) const {
  if (!look()) return {};
  Pattern q = resolve(p);
  for (Pattern& a : q.arguments) a = apply(a);
  return q;
}

Atom Unifier::apply(const Atom& a) const {
  Atom b = a;
  for (Pattern& p : b.arguments) p = apply(p);
  return b;
}

std::vector<Atom> Unifier::equalities() const {
  std::vector<Atom> atoms;
  for (const auto& [a, b] : equal_) {
    atoms.push_back({Atom::Kind::Equal, 0, {apply(a), apply(b)}});
  }
  return atoms;
}

Pattern shifted(const Pattern& p, std::uint32_t offset) {
  Pattern q = p;
  if (q.kind == Pattern::Kind::Variable) q.value += offset;
  for (Pattern& a : q.arguments) a = shifted(a, offset);
  return q;
}

}  // namespace ludens::gdl::interpreter
