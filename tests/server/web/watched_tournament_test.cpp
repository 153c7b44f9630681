// SPDX-License-Identifier: MIT
// What the page of a running tournament says about its standings.
#include "server/web/watched_tournament.h"

#include <gtest/gtest.h>

#include "tests/server/tournament/sample_plan.h"
#include "tests/server/web/raw_client.h"

namespace ludens::server {
namespace {

TEST(WatchedTournament, OfAShardCountsItsOwnBlocks) {
  MatchFeed feed{{.title = "test"}};
  ASSERT_EQ(feed.listen(0), std::nullopt);
  WatchedTournament watched(feed);
  TournamentPlan plan = sample_plan();
  plan.sprt = SprtPlan{};
  const std::vector<MatchResult> done{sample_result(1, 0), sample_result(1, 1)};
  TournamentOverview overview;
  overview.done = done;
  overview.shard = {.index = 2, .count = 2};
  watched.began(plan, overview);
  const auto port =
      static_cast<std::uint16_t>(std::stoi(feed.url().substr(feed.url().rfind(':') + 1)));
  Client browser(port, "GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  const std::string told = browser.read_up_to("\"summary\"");
  EXPECT_NE(told.find("\"llr\":[[1,"), std::string::npos) << told;
}

}  // namespace
}  // namespace ludens::server
