// SPDX-License-Identifier: MIT
#include "gdl/text/syntax.h"

#include <gtest/gtest.h>

namespace ludens::gdl {
namespace {

/// All forms, printed with one space between tokens and one form a line.
std::string printed(const SyntaxTree& tree) {
  std::string out;
  for (const NodeIndex form : tree.forms()) out += tree.print(form) + '\n';
  return out;
}

std::string parsed(std::string text) {
  const ParsedText result = parse(std::move(text));
  EXPECT_TRUE(result.errors.empty()) << result.errors.front().text;
  return printed(result.tree);
}

std::string error_of(std::string text, const ParseLimits& limits = {}) {
  const ParsedText result = parse(std::move(text), limits);
  if (result.errors.size() != 1) return std::to_string(result.errors.size()) + " errors";
  const Location where = result.errors[0].where;
  return std::to_string(where.line) + ':' + std::to_string(where.column) + ' ' +
         std::to_string(where.form) + ' ' + result.errors[0].text;
}

/// Line, column and form of every atom.
std::string places(std::string text) {
  const ParsedText result = parse(std::move(text));
  std::string out;
  for (NodeIndex n = 0; n < result.tree.size(); ++n) {
    if (!result.tree.is_atom(n)) continue;
    const Location where = result.tree.location(n);
    out += std::string(result.tree.atom(n)) + '@' + std::to_string(where.line) + ':' +
           std::to_string(where.column) + '/' + std::to_string(where.form) + ' ';
  }
  return out;
}

TEST(Syntax, PrintsOneSpaceBetweenAllTokens) {
  EXPECT_EQ(parsed("(f a(g  b)())"), "( f a ( g b ) ( ) )\n");
  EXPECT_EQ(parsed("a (b)"), "a\n( b )\n");
}

TEST(Syntax, ReadsSixLinesWithCommentsAsFourForms) {
  const ParsedText result = parse("; one\n(a b)\n; two\n(c d e) ; three\n(f g)\n(h i j)");
  EXPECT_EQ(printed(result.tree), "( a b )\n( c d e )\n( f g )\n( h i j )\n");
}

TEST(Syntax, EndsTokensAtParenthesesAndSemicolons) {
  EXPECT_EQ(parsed("(<=(terminal)(true(p));x\n)"), "( <= ( terminal ) ( true ( p ) ) )\n");
  EXPECT_EQ(parsed("name(a)b;c\nd"), "name\n( a )\nb\nd\n");
}

TEST(Syntax, TakesAnyTokenForAnAtom) {
  EXPECT_EQ(parsed("(-1 ++ + < > map+ ?n++ 007 7 \xc3\xa9 a#|b # |#)"),
            "( -1 ++ + < > map+ ?n++ 007 7 \xc3\xa9 a#|b # |# )\n");
}

TEST(Syntax, EndsLinesAtCrLfAndCrlf) {
  const std::string expected = "a@2:1/1 b@3:2/2 ";
  EXPECT_EQ(places("; one\na\n b"), expected);
  EXPECT_EQ(places("; one\ra\r b"), expected);
  EXPECT_EQ(places("; one\r\na\r\n b"), expected);
  EXPECT_EQ(places("; one\r\na\r b"), expected);
  EXPECT_EQ(places("\r\r\n\n\ra"), "a@5:1/1 ");
}

TEST(Syntax, CountsTabAndFormFeedAsOneColumn) {
  EXPECT_EQ(places("\t\f\v a"), "a@1:5/1 ");
}

TEST(Syntax, SkipsAByteOrderMark) {
  EXPECT_EQ(places("\xef\xbb\xbf(a"), "");
  EXPECT_EQ(places("\xef\xbb\xbf(a)"), "a@1:2/1 ");
  EXPECT_EQ(error_of("\xef\xbb\xbf("), "1:1 1 this '(' is never closed");
}

TEST(Syntax, NumbersTheTopLevelForms) {
  EXPECT_EQ(places("(a b) c ((d))"), "a@1:2/1 b@1:4/1 c@1:7/2 d@1:11/3 ");
}

TEST(Syntax, SkipsBlockComments) {
  EXPECT_EQ(places("a #| ( ; \n |# b"), "a@1:1/1 b@2:5/2 ");
  EXPECT_EQ(error_of("(a #| b"), "1:4 1 this '#|' is never closed by '|#'");
}

TEST(Syntax, ReportsTheOutermostUnclosedParenthesis) {
  EXPECT_EQ(error_of("(role a"), "1:1 1 this '(' is never closed");
  EXPECT_EQ(error_of("(a)\n (b (c"), "2:2 2 this '(' is never closed");
}

TEST(Syntax, ReportsAStrayParenthesis) {
  EXPECT_EQ(error_of("(a))"), "1:4 2 this ')' closes nothing");
  EXPECT_EQ(error_of("\n  )"), "2:3 1 this ')' closes nothing");
}

TEST(Syntax, KeepsTheFormsBeforeAnError) {
  EXPECT_EQ(printed(parse("(a) (b (c)").tree), "( a )\n");
  EXPECT_EQ(printed(parse("(a) b ) (c)").tree), "( a )\nb\n");
}

TEST(Syntax, RefusesTextsBeyondTheLimits) {
  EXPECT_EQ(error_of("(a)", {.max_bytes = 2}), "1:1 1 the text is longer than 2 bytes");
  EXPECT_EQ(error_of("\n((a))", {.max_depth = 1}), "2:2 1 parentheses are nested deeper than 1");
  EXPECT_EQ(error_of(std::string(20'000, '(')),
            "1:10001 1 parentheses are nested deeper than 10000");
}

TEST(Syntax, ReadsAndPrintsAMillionNestedLists) {
  const std::size_t depth = 1'000'000;
  const ParsedText result =
      parse(std::string(depth, '(') + "a" + std::string(depth, ')'), {.max_depth = depth});
  ASSERT_TRUE(result.errors.empty());
  EXPECT_EQ(result.tree.size(), depth + 1);
  EXPECT_EQ(result.tree.print(0).size(), 4 * depth + 1);
}

TEST(Syntax, ReadsALongToken) {
  const std::string token(64 * 1024, 'x');
  EXPECT_EQ(parsed('(' + token + ')'), "( " + token + " )\n");
}

TEST(Syntax, ReadsZeroBytesAsPartOfAtoms) {
  EXPECT_EQ(parsed(std::string("(a\0b)", 5)), std::string("( a\0b )\n", 8));
}

TEST(Syntax, FindsChildren) {
  const ParsedText result = parse("(a (b c) d)");
  const SyntaxTree& tree = result.tree;
  EXPECT_EQ(tree.child_count(0), 3u);
  EXPECT_EQ(tree.atom(tree.child(0, 2)), "d");
  EXPECT_EQ(tree.child(0, 3), kNoNode);
}

TEST(Syntax, ReadsAnEmptyText) {
  EXPECT_EQ(parse("").tree.size(), 0u);
}

TEST(FoldCase, LowersAsciiOnly) {
  EXPECT_EQ(fold_case("AbZ-\xc3\x89"), "abz-\xc3\x89");
}

}  // namespace
}  // namespace ludens::gdl
