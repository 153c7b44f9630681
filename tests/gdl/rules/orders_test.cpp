// SPDX-License-Identifier: MIT
#include "gdl/rules/orders.h"

#include <gtest/gtest.h>

#include "tests/gdl/rules/rulesheet.h"

namespace ludens::gdl {
namespace {

using Names = std::vector<std::string>;

Orders orders_of(const std::string& text) {
  return Orders(*normalise_text(text).rules);
}

struct OrderCase {
  const char* name;
  Names constants, ordered;  // ordered: empty for none
};

class OrderOfConstants : public testing::TestWithParam<OrderCase> {};

TEST_P(OrderOfConstants, IsFoundWhereThereIsOne) {
  const Orders orders = orders_of(
      "(role r) (succ zo ka) (succ ka mi) (succ mi la) (ring ku vo) (ring vo wi) (ring wi ku)"
      "(fork a1 b1) (fork a1 c1) (<= (derived ?x ?y) (succ ?x ?y)) (piece s t) (piece o p)");
  const auto order = orders.order(GetParam().constants);
  EXPECT_EQ(order.value_or(Names{}), GetParam().ordered);
}

INSTANTIATE_TEST_SUITE_P(
    Of, OrderOfConstants,
    testing::Values(OrderCase{"Numbers", {"10", "9", "8"}, {"8", "9", "10"}},
                    OrderCase{"NegativeNumbers", {"1", "-1", "0"}, {"-1", "0", "1"}},
                    OrderCase{"NumbersWithASmallGap", {"1", "2", "4"}, {"1", "2", "3", "4"}},
                    OrderCase{"NumbersFarApart", {"1", "500"}, {"1", "500"}},
                    OrderCase{"NumbersAtTheEndsOfWhatThereIs",
                              {"9223372036854775807", "-9223372036854775807"},
                              {"-9223372036854775807", "9223372036854775807"}},
                    OrderCase{"NumbersTooLarge", {"9223372036854775808", "1"}, {}},
                    OrderCase{"OneNumberWrittenTwice", {"1", "01"}, {}},
                    OrderCase{"Letters", {"c", "a", "b"}, {"a", "b", "c"}},
                    OrderCase{"LettersWithAGap", {"a", "c"}, {}},
                    OrderCase{"APrefixWithNumbers", {"y3", "y1", "y2"}, {"y1", "y2", "y3"}},
                    OrderCase{"TwoPrefixes", {"x1", "y2"}, {}},
                    OrderCase{"AChain", {"mi", "zo", "ka"}, {"zo", "ka", "mi"}},
                    OrderCase{"PartOfAChain", {"mi", "ka"}, {"ka", "mi"}},
                    OrderCase{"AChainWithAHole", {"zo", "mi"}, {}},
                    OrderCase{"ACircle", {"ku", "vo", "wi"}, {}},
                    OrderCase{"AFork", {"a1", "b1", "c1"}, {}},
                    OrderCase{"TwoPieces", {"s", "t", "o", "p"}, {}},
                    OrderCase{"AStranger", {"zo", "ka", "stranger"}, {}},
                    OrderCase{"One", {"1"}, {}}, OrderCase{"Nothing", {}, {}}),
    [](const auto& tested) { return tested.param.name; });

TEST(Orders, ListWhatTheRulesListTheLongestFirst) {
  const Orders orders = orders_of(
      "(role r) (n 1) (n 2) (file c) (file a) (file b) (thing king) (thing stone)"
      "(<= (made ?x) (n ?x)) (made 4)");
  EXPECT_EQ(orders.lists(), (std::vector<Names>{{"a", "b", "c"}, {"1", "2"}}));
}

TEST(Orders, TakeSingleLettersForFiles) {
  EXPECT_TRUE(are_letters({"a", "x"}));
  EXPECT_FALSE(are_letters({"a", "1"}));
  EXPECT_FALSE(are_letters({"ab"}));
}

}  // namespace
}  // namespace ludens::gdl
