// SPDX-License-Identifier: MIT
// Mutated rulesheets through parser, normaliser and checker. Seeded: every run tries the same
// texts. A failure prints the text.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

#include "gdl/machine/rng.h"
#include "tests/fuzz/targets/targets.h"

namespace ludens::gdl {
namespace {

constexpr std::array<std::string_view, 3> kSeeds = {
    "(role white) (role black)\n(init (cell 1 1 b)) (init (control white))\n"
    "(<= (legal ?p (mark ?m ?n)) (true (cell ?m ?n b)) (true (control ?p)))\n"
    "(<= (legal white noop) (true (control black)))\n"
    "(<= (next (cell ?m ?n ?w)) (true (cell ?m ?n ?w)) (distinct ?w b))\n"
    "(<= (next (control black)) (true (control white)))\n"
    "(<= open (true (cell ?m ?n b)))\n(<= terminal (not open))\n"
    "(<= (goal white 100) open) (<= (goal white 0) (not open)) (goal black 50)\n",

    "(ROLE r) ; a comment\r\n(<= (p ?x) (or (q ?x) (and (r ?x) (not (or (s ?x) (not t))))))\r\n"
    "(<= (q (f ?x ?y)) (not (distinct ?x (g ?y))) (r ?y) (not (not (p ?y))))\r\n"
    "(<= (r ?x) (distinct ?x ?y) (p ?y)) #| block |# (s) (<= t) (t)\r\n"
    "(<= (goal ?r 0) (not (goal ?r 100))) (<= terminal (p ?x) (distinct ?x a))\r\n",

    "(n 0)(<=(n (s ?x))(n ?x))(<= (m ?X) (n ?x)) (base (c ?x)) (input r (go ?x))\n"
    "(<= (legal r ?m) (input r ?m)) (<= (next ?f) (true ?f)) (<= (sees r x) (does r ?m))\n"
    "(<= a (not b)) (<= b (not c)) (<= c (not a)) (init (does (legal) a)) (cell 1) (cell 1 2)\n"};

constexpr std::array<std::string_view, 30> kTokens = {
    "(",   ")",    "((", "))",     "(<= ",    "(or ", "(and ", "(not ", "(distinct ", "?x",
    "?y ", " a ",  ";",  "\r",     "\n",      "#|",   "|#",    "true",  "legal ",     "does",
    "()",  "role", "?",  "(f ?x)", "(not p)", "(or)", "(and)", "goal",  "terminal",   "<="};

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : rng_(seed) {}

  std::string mutate(std::string text) {
    for (std::size_t i = 0, n = 1 + below(8); i < n; ++i) change(text);
    return text;
  }

 private:
  std::size_t below(std::size_t n) { return rng_.below(static_cast<std::uint32_t>(n)); }

  void change(std::string& text) {
    const std::size_t at = below(text.size() + 1), length = below(20);
    switch (below(5)) {
      case 0:
        text.insert(at, kTokens[below(kTokens.size())]);
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      case 3:
        text.insert(below(text.size() + 1), std::string(text, at, length));
        break;
      default:
        balance(text);
    }
  }

  /// Most texts would end at the first stray parenthesis otherwise.
  static void balance(std::string& text) {
    std::size_t open = 0;
    std::string balanced;
    for (const char c : text) {
      if (c == ')' && open == 0) continue;
      if (c == '(') ++open;
      if (c == ')') --open;
      balanced += c;
    }
    text = balanced + "\n" + std::string(open, ')');
  }

  Rng rng_;
};

void try_text(const std::string& text) {
  EXPECT_NO_THROW(fuzz::rulesheet(text)) << "text: " << text;
}

TEST(RulesheetFuzz, MutatedTextsNeitherCrashNorLoseTheirRules) {
  for (std::uint64_t seed = 0; seed < 4'000 && !testing::Test::HasFailure(); ++seed) {
    Mutator mutator(seed);
    try_text(mutator.mutate(std::string(kSeeds[seed % kSeeds.size()])));
  }
}

TEST(RulesheetFuzz, RandomTokensNeitherCrashNorLoseTheirRules) {
  for (std::uint64_t seed = 0; seed < 2'000 && !testing::Test::HasFailure(); ++seed) {
    Rng rng(seed);
    std::string text = "(<= (h ?x) ";
    for (int i = 0; i < 40; ++i) text += kTokens[rng.below(kTokens.size())];
    try_text(text + std::string(40, ')'));
  }
}

TEST(RulesheetFuzz, EveryPrefixIsSurvived) {
  for (const std::string_view seed : kSeeds) {
    for (std::size_t length = 0; length <= seed.size(); ++length) {
      try_text(std::string(seed.substr(0, length)));
    }
  }
}

}  // namespace
}  // namespace ludens::gdl
