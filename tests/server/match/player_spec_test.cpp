// SPDX-License-Identifier: MIT
#include "server/match/player_spec.h"

namespace ludens::server {
namespace {

using testing::HasSubstr;

TEST(PlayerSpec, IsAnAddressWhateverTheCaseOfItsScheme) {
  for (const char* text : {"http://127.0.0.1:9000", "HTTP://127.0.0.1:9000"}) {
    const auto spec = parse_player(text);
    ASSERT_TRUE(spec.has_value()) << text << ": " << spec.error().text;
    ASSERT_TRUE(std::holds_alternative<Address>(*spec)) << text;
    EXPECT_EQ(std::get<Address>(*spec).text(), "127.0.0.1:9000");
  }
  EXPECT_THAT(parse_player("HTTPS://x").error().text, HasSubstr("plain http"));
}

TEST(PlayerSpec, SaysHowAnAddressBegins) {
  for (const char* text : {"127.0.0.1:9147", "localhost:9147", "[::1]:9147"}) {
    EXPECT_THAT(parse_player(text).error().text, HasSubstr("an address begins with http://"));
  }
  for (const char* text : {"mtcs", "mtcs:playouts=9", "mcts:9147", "localhost:"}) {
    EXPECT_THAT(parse_player(text).error().text, testing::Not(HasSubstr("http://")));
  }
}

TEST(PlayerSpec, TakesPathsFromItsFolder) {
  const auto knowledge = [](const char* text) {
    return std::get<search::StrategySpec>(parse_player(text, "folder").value()).options;
  };
  EXPECT_EQ(knowledge("value:knowledge=known").at("knowledge"), "folder/known");
  EXPECT_EQ(knowledge("value:knowledge=/known").at("knowledge"), "/known");
  EXPECT_EQ(knowledge("value:knowledge=auto").at("knowledge"), "auto");
  EXPECT_EQ(knowledge("value").count("knowledge"), 0u);
}

}  // namespace
}  // namespace ludens::server
