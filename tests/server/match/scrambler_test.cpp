// SPDX-License-Identifier: MIT
#include "server/match/scrambler.h"

#include <set>
#include <string>
#include <vector>

namespace ludens::server {
namespace {

const char* const kRules =
    "(role white) (role random) (init (cell 1 -1 b)) (succ one two) "
    "(<= (legal ?p (mark ?x 1)) (or (true (cell ?x 1 B)) (not (distinct ?x ?p))))";

gdl::SyntaxTree tree() {
  return gdl::parse(kRules).tree;
}

std::vector<std::string> words(const std::string& text) {
  const gdl::ParsedText parsed = gdl::parse(text);
  std::vector<std::string> out;
  for (gdl::NodeIndex n = 0; n < parsed.tree.size(); ++n) {
    out.push_back(parsed.tree.is_list(n) ? "(" : std::string(parsed.tree.atom(n)));
  }
  return out;
}

TEST(Scrambler, ChangesEverythingButKeywordsAndIntegers) {
  const Scrambler scrambler(tree(), 1);
  const auto plain = words(kRules), scrambled = words(scrambler.scramble(kRules));
  ASSERT_EQ(plain.size(), scrambled.size());
  const std::set<std::string> kept{"(",  "role",  "random", "init", "1",   "-1",
                                   "<=", "legal", "true",   "or",   "not", "distinct"};
  for (std::size_t i = 0; i < plain.size(); ++i) {
    EXPECT_EQ(plain[i] == scrambled[i], kept.contains(plain[i])) << plain[i];
    EXPECT_EQ(plain[i].front() == '?', scrambled[i].front() == '?') << plain[i];
  }
}

TEST(Scrambler, IsOneToOneAndGoesBack) {
  const Scrambler scrambler(tree(), 2);
  const std::string there = scrambler.scramble("( mark one white ?x ( succ two b ) 7 )");
  EXPECT_EQ(scrambler.unscramble(there), "( mark one white ?x ( succ two b ) 7 )");
  const auto all = words(scrambler.scramble(kRules));
  // `b` and `B` are one name, so one word.
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), [] {
    std::set<std::string> folded;
    for (const auto& word : words(kRules)) folded.insert(gdl::fold_case(word));
    return folded.size();
  }());
}

TEST(Scrambler, ComparesWithoutRegardToCase) {
  const Scrambler scrambler(tree(), 3);
  std::string upper = scrambler.scramble("( mark b )");
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  EXPECT_EQ(scrambler.unscramble(upper), "( mark b )");
}

TEST(Scrambler, HasOneMapASeed) {
  EXPECT_EQ(Scrambler(tree(), 4).scramble(kRules), Scrambler(tree(), 4).scramble(kRules));
  EXPECT_NE(Scrambler(tree(), 4).scramble(kRules), Scrambler(tree(), 5).scramble(kRules));
}

TEST(Scrambler, LeavesUnknownWordsAndEmptyMapsAlone) {
  EXPECT_EQ(Scrambler(tree(), 6).scramble("( never seen )"), "( never seen )");
  EXPECT_EQ(Scrambler().scramble(kRules), kRules);
}

}  // namespace
}  // namespace ludens::server
