// SPDX-License-Identifier: MIT
// A tournament as people run it, between `auto` and players that fail in all ways that there are.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <fstream>
#include <map>

#include "server/tournament/log.h"
#include "tests/project_folder.h"
#include "tests/protocol/serve_process.h"
#include "tests/server/scratch_folder.h"
#include "tests/server/tournament/misbehaving_player.h"

namespace ludens::server {
namespace {

TEST(FaultyPlayers, AreToldApartAndTheTournamentGoesOn) {
  const ScratchFolder scratch;
  const MisbehavingPlayer silent(Misbehaviour::Silence), illegal(Misbehaviour::Illegal),
      drip(Misbehaviour::Drip), garbage(Misbehaviour::Garbage);
  // One that dies in the middle of each of its matches, after its first move. The other thinks for
  // long enough that no match is over by then.
  const auto dying = scratch.path() / "dying.sh";
  std::ofstream(dying)
      << "log=$(mktemp '" << scratch.path().string() << "/dying.XXXXXX')\n'" << ludens_program()
      << "' serve --port $1 --journal off --strategy legal 2>$log &\n"
         "for i in $(seq 10000); do grep -q 'PLAY step=0' $log && break; sleep 0.02; done\n"
         "kill -KILL $!\n";
  const auto file = scratch.path() / "faults.xml";
  std::ofstream(file) << "<tournament><format>gauntlet</format><concurrency>5</concurrency>"
                         "<start-clock>5</start-clock><play-clock>2</play-clock>"
                         "<crash>replaced</crash><abort-after>2</abort-after><startup>60</startup>"
                         "<player name=\"auto\">auto:seconds=0.5</player>"
                      << "<player name=\"dying\" command=\"sh " << dying.string() << " {port}\"/>"
                      << "<player name=\"late\" url=\"" << silent.url() << "\"/>"
                      << "<player name=\"illegal\" url=\"" << illegal.url() << "\"/>"
                      << "<player name=\"dripping\" url=\"" << drip.url() << "\"/>"
                      << "<player name=\"babbling\" url=\"" << garbage.url() << "\"/>"
                      << "<game>connect_four_small</game></tournament>";
  const auto out = scratch.path() / "out";
  Process process({ludens_program(), "tournament", file.string(), "--out", out.string()});
  std::string text;
  while (const auto line = process.read_line(std::chrono::seconds(200))) text += *line + "\n";
  ASSERT_EQ(process.wait(), 0) << process.errors();
  std::cout << text;

  std::map<std::string, FaultCounts> faults;
  const auto log = read_log(out).value();
  EXPECT_EQ(log.results.size(), 10u);
  for (const MatchResult& result : log.results) {
    EXPECT_FALSE(result.completed());
    for (std::size_t role = 0; role < result.roles.size(); ++role) {
      faults[result.players[role]] += result.faults[role];
    }
  }
  EXPECT_EQ(faults["auto"].total(), 0u);
  EXPECT_EQ(faults["late"], (FaultCounts{.late = 4}));
  EXPECT_EQ(faults["illegal"], (FaultCounts{.illegal = 4}));
  EXPECT_EQ(faults["dripping"], (FaultCounts{.unfinished = 4}));
  EXPECT_EQ(faults["babbling"], (FaultCounts{.garbage = 4}));
  // Perhaps a connection was open at that moment; then none was available.
  EXPECT_EQ(faults["dying"].refused + faults["dying"].dropped, 4u);
  EXPECT_EQ(faults["dying"].total(), 4u);
  EXPECT_THAT(text, testing::ContainsRegex("refused|dropped"));
  for (const char* kind : {"late", "unfinished", "illegal", "garbage"}) {
    EXPECT_THAT(text, testing::HasSubstr(kind));
  }
}

}  // namespace
}  // namespace ludens::server
