// SPDX-License-Identifier: MIT
#include "gdl/rules/canonical_names.h"

#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>

#include "gdl/machine/vocabulary.h"
#include "tests/gdl/rules/rulesheet.h"
#include "tests/project_folder.h"

namespace ludens::gdl {
namespace {

std::string fingerprint(const Rules& rules) {
  const auto names = canonical_names(rules);
  EXPECT_TRUE(names.has_value());
  return names ? names->fingerprint : "";
}

std::string fingerprint(const std::string& text) {
  return fingerprint(*normalise_text(text).rules);
}

/// The rules with other words for all that is not a keyword, a number or `random`.
std::string renamed(const Rules& rules) {
  static const std::set<std::string> kKept{"role",     "init",     "true", "next",  "legal",
                                           "does",     "goal",     "base", "input", "sees",
                                           "terminal", "distinct", "not",  "or",    "random"};
  const std::string text = rules.print();
  std::map<std::string, std::string> words;
  std::string out;
  static const std::regex word(R"([^()\s?]+)");
  auto at = text.cbegin();
  for (std::sregex_iterator i(text.begin(), text.end(), word), end; i != end; ++i) {
    const std::string name = i->str();
    out.append(at, text.cbegin() + i->position());
    at = text.cbegin() + i->position() + i->length();
    static const std::regex integer("-?[0-9]+");
    const bool kept = name == "<=" || kKept.contains(name) || std::regex_match(name, integer);
    // Names that sort in the opposite order.
    const auto made = "w" + std::to_string(900'000 - words.size());
    out += kept ? name : words.try_emplace(name, made).first->second;
  }
  return out.append(at, text.cend());
}

TEST(CanonicalNames, AreThoseOfTheGameWhateverItsWords) {
  std::map<std::string, std::string> games;
  for (const auto& path : rulesheets_in(project_folder() + "/config/games")) {
    const auto rules = normalise_text(read_file(path).value()).rules;
    const std::string own = fingerprint(*rules);
    EXPECT_EQ(own, fingerprint(renamed(*rules))) << path;
    EXPECT_TRUE(games.try_emplace(own, path.stem()).second) << path << " and " << games[own];
  }
  EXPECT_GE(games.size(), 20u);
}

TEST(CanonicalNames, OfPublicGamesSurviveScrambling) {
  const auto sheets = public_rulesheets();
  if (sheets.empty()) GTEST_SKIP() << "the public rulesheets are not here";
  for (const auto& path : sheets) {
    const auto rules =
        normalise(std::make_shared<const SyntaxTree>(parse(read_file(path).value()).tree)).rules;
    EXPECT_EQ(fingerprint(*rules), fingerprint(renamed(*rules))) << path;
  }
}

constexpr const char* kGame = R"(
  (role white) (role black) (init (at a 1)) (init (at b 2)) (next-to a b) (next-to b c)
  (<= (legal ?r (go ?y)) (true (at ?x ?n)) (next-to ?x ?y) (role ?r))
  (<= (next (at ?y 1)) (does white (go ?y)))
  (<= terminal (true (at c 1))) (<= (goal white 100) terminal) (<= (goal black 0) terminal))";

std::string changed(const std::string& from, const std::string& to) {
  std::string text = kGame;
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(CanonicalNames, DoNotDependOnTheOrderOfRules) {
  EXPECT_EQ(fingerprint(kGame), fingerprint(changed("(init (at a 1)) (init (at b 2))",
                                                    "(init (at b 2)) (init (at a 1))")));
}

TEST(CanonicalNames, TellOtherGamesApart) {
  const std::string own = fingerprint(kGame);
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"(init (at b 2))", "(init (at b 3))"},
           {"(goal black 0)", "(goal black 50)"},
           {"(next-to b c)", "(next-to c b)"},
           {"(role white) (role black)", "(role black) (role white)"},
           {"(true (at c 1))", "(true (at b 1))"},
           {"(does white (go ?y))", "(does black (go ?y))"},
           {"(role ?r))", "(role ?r) (distinct ?x ?y))"},
           {"(role ?r))", "(role ?r) (not (true (at ?y 1))))"},
           {"(init (at a 1))", "(init (at a 1)) (init (at a 1 1))"},
           {"(goal white 100)", "(goal white 1000)"}}) {
    EXPECT_NE(own, fingerprint(changed(from, to))) << to;
  }
  EXPECT_NE(own, fingerprint(changed("(role black)", "(role random)")));
}

TEST(CanonicalNames, NumberSymbolsThatNothingTellsApart) {
  const auto rules = normalise_text(
                         "(role a) (colour red) (colour green) (colour blue)"
                         "(<= (legal a (paint ?c)) (colour ?c)) (<= terminal (true (painted ?c)))")
                         .rules;
  const auto names = canonical_names(*rules);
  ASSERT_TRUE(names);
  std::set<std::uint32_t> numbers;
  for (const char* name : {"red", "green", "blue", "paint", "painted", "colour", "a"}) {
    numbers.insert(names->numbers[*rules->symbols.find(name)]);
  }
  EXPECT_EQ(numbers.size(), 7u);
  EXPECT_FALSE(numbers.contains(CanonicalNames::kUnnumbered));
}

TEST(CanonicalNames, LeadFromATermToThatOfTheScrambledGame) {
  const auto rules = normalise_text(kGame).rules;
  const auto other = normalise_text(renamed(*rules)).rules;
  const auto names = canonical_names(*rules), other_names = canonical_names(*other);
  ASSERT_TRUE(names && other_names);
  // Cells of ( at a 1 ), by the place of its words in the rules.
  const auto cells = [](const Rules& r) {
    const Rule& init = r.rules[2];
    const Term at = init.arguments[0];
    std::vector<std::uint32_t> out{r.terms.value(at) * 2 + 1, 2};
    for (const Term t : r.terms.arguments(at)) out.push_back(r.terms.value(t) * 2);
    return out;
  };
  EXPECT_EQ(rules->print(rules->rules[2].arguments[0]), "( at a 1 )");
  EXPECT_EQ(names->renumber(cells(*rules)), other_names->renumber(cells(*other)));
  EXPECT_EQ(names->renumber(cells(*rules))[1], 2u);
}

TEST(CanonicalNames, StopWhenTold) {
  class Stopped final : public StopSignal {
    [[nodiscard]] bool stop_requested() const noexcept override { return true; }
  } stopped;
  std::string text = "(role a)";
  for (int i = 0; i < 30'000; ++i) text += "(p x" + std::to_string(i) + ")";
  EXPECT_FALSE(canonical_names(*normalise_text(text).rules, &stopped).has_value());
}

}  // namespace
}  // namespace ludens::gdl
