// SPDX-License-Identifier: MIT
#include "gdl/interpreter/unify.h"

#include <gtest/gtest.h>

namespace ludens::gdl::interpreter {
namespace {

class Unification : public testing::Test {
 protected:
  static Pattern var(std::uint32_t v) { return {Pattern::Kind::Variable, v, {}}; }
  Pattern constant(SymbolId symbol) {
    return {Pattern::Kind::Constant, terms_.constant(symbol), {}};
  }
  /// A compound with variables in it.
  Pattern f(const std::vector<Pattern>& arguments, SymbolId name = 10) {
    const auto arity = static_cast<std::uint32_t>(arguments.size());
    return {Pattern::Kind::Compound, terms_.functor(name, arity), arguments};
  }
  /// A ground compound: one constant, whatever its depth.
  Pattern ground(const std::vector<Pattern>& arguments, SymbolId name = 10) {
    std::vector<TermId> ids;
    for (const Pattern& p : arguments) ids.push_back(p.value);
    const FunctorId functor = terms_.functor(name, static_cast<std::uint32_t>(ids.size()));
    return {Pattern::Kind::Constant, terms_.compound(functor, ids.data()), {}};
  }

  TermStore terms_;
};

TEST_F(Unification, OfConstantsIsEquality) {
  Unifier u(1, terms_);
  EXPECT_TRUE(u.unify(constant(1), constant(1)));
  EXPECT_FALSE(u.unify(constant(1), constant(2)));
  EXPECT_FALSE(u.unify(constant(1), f({var(0)})));
}

TEST_F(Unification, BindsVariablesOnEitherSide) {
  Unifier u(2, terms_);
  EXPECT_TRUE(u.unify(var(0), constant(1)));
  EXPECT_TRUE(u.unify(constant(2), var(1)));
  EXPECT_EQ(u.apply(f({var(0), var(1)})), f({constant(1), constant(2)}));
  EXPECT_FALSE(u.unify(var(0), var(1))) << "bound to two constants by now";
  EXPECT_TRUE(u.equalities().empty());
}

TEST_F(Unification, FollowsChainsOfVariables) {
  Unifier u(4, terms_);
  for (std::uint32_t v = 0; v + 1 < 4; ++v) EXPECT_TRUE(u.unify(var(v), var(v + 1)));
  EXPECT_TRUE(u.unify(var(0), constant(7)));
  for (std::uint32_t v = 0; v < 4; ++v) EXPECT_EQ(u.apply(var(v)), constant(7)) << v;
}

TEST_F(Unification, TakesCompoundsApart) {
  Unifier u(3, terms_);
  EXPECT_TRUE(u.unify(f({var(0), f({var(1)})}), f({constant(1), var(2)})));
  EXPECT_EQ(u.apply(var(0)), constant(1));
  EXPECT_EQ(u.apply(var(2)), f({var(1)}));
  EXPECT_TRUE(u.unify(var(1), constant(5)));
  EXPECT_EQ(u.apply(var(2)), f({constant(5)})) << "bindings are applied below bindings";
}

TEST_F(Unification, KeepsFunctorsOfOtherNamesAndAritiesApart) {
  Unifier u(2, terms_);
  EXPECT_FALSE(u.unify(f({var(0)}, 10), f({var(1)}, 11)));
  EXPECT_FALSE(u.unify(f({var(0)}, 10), f({var(1), var(0)}, 10)));
}

TEST_F(Unification, TakesGroundTermsApartToo) {
  Unifier u(2, terms_);
  const Pattern inner = ground({constant(2)});
  const Pattern whole = ground({constant(1), inner});
  EXPECT_TRUE(u.unify(whole, f({var(0), f({var(1)})})));
  EXPECT_EQ(u.apply(var(0)), constant(1));
  EXPECT_EQ(u.apply(var(1)), constant(2));
  Unifier other(1, terms_);
  EXPECT_FALSE(other.unify(f({var(0), f({var(0)})}), whole)) << "1 and 2 for one variable";
}

TEST_F(Unification, AVariableIsNoPartOfItself) {
  Unifier u(2, terms_);
  EXPECT_FALSE(u.unify(var(0), f({var(0)})));
  EXPECT_TRUE(u.unify(var(1), f({var(0)})));
  EXPECT_FALSE(u.unify(var(0), f({var(1)}))) << "by way of another";
  EXPECT_TRUE(u.unify(var(0), var(0)));
}

TEST_F(Unification, LeavesAnEqualityWhereARigidVariableMeetsSomethingElse) {
  Unifier u(2, terms_);
  u.make_rigid(0);
  EXPECT_TRUE(u.unify(var(0), constant(1)));
  EXPECT_EQ(u.apply(var(0)), var(0)) << "its value comes at run time";
  const auto left = u.equalities();
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].kind, Atom::Kind::Equal);
  EXPECT_EQ(left[0].arguments, (std::vector<Pattern>{var(0), constant(1)}));
}

TEST_F(Unification, PutsTheRigidVariableFirstInAnEquality) {
  Unifier u(3, terms_);
  u.make_rigid(2);
  EXPECT_TRUE(u.unify(f({var(0)}), var(2)));
  EXPECT_TRUE(u.unify(var(0), constant(4)));
  const auto left = u.equalities();
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].arguments, (std::vector<Pattern>{var(2), f({constant(4)})}))
      << "what was bound since is put in";
}

TEST_F(Unification, BindsAFreeVariableToARigidOne) {
  Unifier u(2, terms_);
  u.make_rigid(1);
  EXPECT_TRUE(u.unify(var(1), var(0)));
  EXPECT_EQ(u.apply(var(0)), var(1));
  EXPECT_TRUE(u.equalities().empty());
}

TEST_F(Unification, AppliesToAllArgumentsOfAnAtom) {
  Unifier u(2, terms_);
  ASSERT_TRUE(u.unify(var(1), constant(3)));
  const Atom atom{Atom::Kind::Negative, 12, {var(0), var(1), f({var(1)})}};
  const Atom applied = u.apply(atom);
  EXPECT_EQ(applied.kind, Atom::Kind::Negative);
  EXPECT_EQ(applied.relation, 12U);
  EXPECT_EQ(applied.arguments, (std::vector<Pattern>{var(0), constant(3), f({constant(3)})}));
}

TEST_F(Unification, ShiftsVariablesAtAnyDepthAndNothingElse) {
  EXPECT_EQ(shifted(f({var(0), f({var(2)}), constant(1)}), 5),
            f({var(5), f({var(7)}), constant(1)}));
  EXPECT_EQ(shifted(constant(1), 5), constant(1));
}

TEST_F(Unification, VisitsEachOccurrenceOfAVariable) {
  std::vector<std::uint32_t> seen;
  each_variable(f({var(1), constant(0), f({var(0), var(1)})}), [&](auto v) { seen.push_back(v); });
  EXPECT_EQ(seen, (std::vector<std::uint32_t>{1, 0, 1}));
}

}  // namespace
}  // namespace ludens::gdl::interpreter
