// SPDX-License-Identifier: MIT
#include "gdl/text/line_chain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ludens::gdl {
namespace {

using Seal = LineChain::Seal;

std::vector<std::string> example() {
  LineChain chain;
  std::vector<std::string> lines;
  for (const char* object : {R"({"a":1})", R"({"b":"x"})", "{}", R"({"b":"x"})"}) {
    std::string line = chain.seal(object);
    EXPECT_EQ(line.back(), '\n');
    line.pop_back();
    lines.push_back(line);
  }
  return lines;
}

std::vector<Seal> read(const std::vector<std::string>& lines) {
  LineChain chain;
  std::vector<Seal> seals;
  for (const std::string& line : lines) seals.push_back(chain.read(line));
  return seals;
}

TEST(LineChain, WhatWasWrittenFits) {
  EXPECT_EQ(read(example()), std::vector(4, Seal::Good));
  EXPECT_EQ(example()[0].substr(0, 14), R"({"a":1,"sum":")");
  EXPECT_EQ(example()[2].substr(0, 8), R"({"sum":")");
}

TEST(LineChain, EqualLinesHaveDifferentChecksums) {
  EXPECT_NE(example()[1], example()[3]);
}

TEST(LineChain, AnyFlippedBitOfAnyLineShows) {
  const auto lines = example();
  for (std::size_t line = 0; line < lines.size(); ++line) {
    for (std::size_t bit = 0; bit < lines[line].size() * 8; ++bit) {
      auto flipped = lines;
      char& c = flipped[line][bit / 8];
      c = static_cast<char>(c ^ (1 << bit % 8));
      EXPECT_NE(read(flipped)[line], Seal::Good) << flipped[line];
    }
  }
}

TEST(LineChain, MissingAddedAndExchangedLinesShow) {
  const auto lines = example();
  EXPECT_EQ(read({lines[0], lines[2]})[1], Seal::Wrong);
  EXPECT_EQ(read({lines[1]})[0], Seal::Wrong);
  EXPECT_EQ(read({lines[0], lines[0]})[1], Seal::Wrong);
  EXPECT_EQ(read({lines[1], lines[0]})[0], Seal::Wrong);
}

TEST(LineChain, LinesWithoutAChecksumAreSaidToHaveNone) {
  EXPECT_EQ(read({R"({"a":1})", "", "x", R"({"sum":1})"}), std::vector(4, Seal::Missing));
}

TEST(LineChain, AReaderMayGoOnAfterALineThatDoesNotFit) {
  auto lines = example();
  lines[1][6] = 'y';
  EXPECT_EQ(read(lines), (std::vector{Seal::Good, Seal::Wrong, Seal::Good, Seal::Good}));
}

TEST(LineChain, AFileThatWasReadCanBeContinued) {
  auto lines = example();
  LineChain chain;
  for (const std::string& line : lines) chain.read(line);
  std::string next = chain.seal("{}");
  next.pop_back();
  lines.push_back(next);
  EXPECT_EQ(read(lines), std::vector(5, Seal::Good));
}

TEST(LineChain, AnOlderFileWithoutChecksumsCanBeContinued) {
  LineChain chain;
  chain.read(R"({"a":1})");
  std::string next = chain.seal("{}");
  next.pop_back();
  EXPECT_EQ(read({R"({"a":1})", next}), (std::vector{Seal::Missing, Seal::Good}));
  EXPECT_EQ(read({R"({"a":2})", next}), (std::vector{Seal::Missing, Seal::Wrong}));
}

}  // namespace
}  // namespace ludens::gdl
