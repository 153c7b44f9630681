// SPDX-License-Identifier: MIT
#include "server/tournament/log.h"
#include "gdl/text/file.h"
#include "gdl/text/utf8.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>

#include "server/game/rulesheet.h"
#include "server/tournament/log_writer.h"
#include "tests/server/scratch_folder.h"
#include "tests/server/tournament/sample_plan.h"

namespace ludens::server {
namespace {

class LogOfTournament : public testing::Test {
 protected:
  /// Adds the checksums to complete lines.
  static std::string sealed(const std::string& text) {
    gdl::LineChain chain;
    std::string out;
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos;) {
      out += chain.seal(text.substr(begin, end - begin));
      begin = end + 1;
    }
    return out + text.substr(begin);
  }
  void write(const std::string& text, const std::string& folder = "") {
    write_raw(sealed(text), folder);
  }
  void write_raw(const std::string& bytes, const std::string& folder = "") {
    std::filesystem::create_directories(scratch_.path() / folder);
    std::ofstream(scratch_.path() / folder / kLogFile, std::ios::binary) << bytes;
  }
  std::string content() { return gdl::read_file(scratch_.path() / kLogFile).value(); }
  std::string header() const { return log_header(plan_, {}) + "\n"; }
  static std::string line(std::size_t block, std::size_t rotation) {
    return to_json(sample_result(block, rotation)) + "\n";
  }
  TournamentLog read(LogTrust trust = LogTrust::Checked) {
    return read_log(scratch_.path(), trust).value();
  }
  LogProblem problem() { return read_log(scratch_.path()).error(); }

  LogWriter::Opened resume() { return LogWriter::open(scratch_.path(), plan_, {}, true).value(); }
  std::string refusal(bool resume = true, const Shard& shard = {}) {
    return LogWriter::open(scratch_.path(), plan_, shard, resume).error().what;
  }

  ScratchFolder scratch_;
  TournamentPlan plan_ = [] {
    TournamentPlan plan = sample_plan();
    plan.rounds = 4;
    return plan;
  }();
};

TEST_F(LogOfTournament, HoldsThePlanAndTheMatches) {
  write(header() + line(0, 0) + line(1, 1));
  const TournamentLog log = read();
  EXPECT_EQ(to_json(log.plan), to_json(plan_));
  ASSERT_EQ(log.results.size(), 2u);
  EXPECT_EQ(log.results[1].block.rotation, 1u);
  EXPECT_FALSE(log.torn);
  EXPECT_EQ(log.whole_bytes, content().size());
}

TEST_F(LogOfTournament, LeavesATornLastLineOut) {
  const std::string whole = header() + line(0, 0);
  const std::string next = line(0, 1);
  for (std::size_t bytes = 1; bytes < next.size(); bytes += 37) {
    write(whole + next.substr(0, bytes));
    const TournamentLog log = read();
    EXPECT_TRUE(log.torn);
    EXPECT_EQ(log.results.size(), 1u);
    EXPECT_EQ(log.whole_bytes, sealed(whole).size());
  }
}

TEST_F(LogOfTournament, NamesTheLineThatIsDamaged) {
  write(header() + line(0, 0) + "{\"match\":garbage}\n" + line(0, 1));
  EXPECT_EQ(problem().line, 3u);
  EXPECT_THAT(problem().text(), testing::HasSubstr("tournament.jsonl:3: no JSON"));
  write(header() + line(0, 0) + line(0, 0));
  EXPECT_THAT(problem().text(), testing::HasSubstr(":3: match sample"));
  EXPECT_THAT(problem().text(), testing::HasSubstr("is in line 2 already"));
}

/// Numbers and names that no run writes, and that what reads logs relies on.
TEST_F(LogOfTournament, NamesTheLineThatDoesNotBelongToThePlan) {
  const auto what = [&](const std::function<void(MatchResult&)>& change) {
    MatchResult result = sample_result(0, 1);
    change(result);
    write(header() + line(0, 0) + to_json(result) + "\n");
    EXPECT_EQ(problem().line, 3u);
    return problem().what;
  };
  EXPECT_THAT(what([](MatchResult& r) { r.block.number = 7; }), testing::HasSubstr(".7.1 belongs"));
  EXPECT_EQ(what([](MatchResult& r) { r.game = "go"; }), "the plan has no game 'go'");
  EXPECT_EQ(what([](MatchResult& r) { r.roles[0] = "red"; }),
            "the roles are not those of the game");
  EXPECT_EQ(what([](MatchResult& r) { r.players[1] = "z"; }),
            "role black is played by 'z', which is not in the plan");
  EXPECT_EQ(what([](MatchResult& r) { r.players[1].clear(); }),
            "role black is played by '', which is not in the plan");
  EXPECT_EQ(what([](MatchResult& r) { r.block.size = 3; }),
            "block 0 has another game or size in an earlier line");
  EXPECT_THAT(what([](MatchResult& r) { ++r.seed; }), testing::HasSubstr("another seed for"));
  EXPECT_THAT(what([](MatchResult& r) { r.game_hash = "0"; }), testing::HasSubstr("another game"));
  EXPECT_THAT(what([](MatchResult& r) { r.block.round = 3; }), testing::HasSubstr("another round"));
  for (const std::vector<std::string>& players : {std::vector<std::string>{"a", "b"}, {"b", "b"}}) {
    EXPECT_THAT(what([&](MatchResult& r) { r.players = players; }),
                testing::HasSubstr("another player of role"));
  }
  write(log_header(plan_, {2, 2}) + "\n" + line(0, 0));
  EXPECT_EQ(problem().what, "block 0 is not of shard 2/2");
  write(header() + line(4, 0));
  EXPECT_EQ(problem().what, "the plan has only 4 blocks");
}

TEST_F(LogOfTournament, OfAPlanThatCannotBeIsRefused) {
  const auto what = [&](const std::function<void(TournamentPlan&)>& change) {
    TournamentPlan plan = plan_;
    change(plan);
    write(log_header(plan, {}) + "\n");
    return problem().what;
  };
  EXPECT_EQ(what([](TournamentPlan& p) { p.rounds = 0; }),
            "the plan: 'rounds' is not between 1 and 1000000000");
  EXPECT_EQ(what([](TournamentPlan& p) { p.players[1].matches = -1; }),
            "the plan: 'matches' holds something else than 1 to 1024");
  EXPECT_EQ(what([](TournamentPlan& p) { p.players[1].name = "a"; }),
            "the plan: 'players' has two of one name");
  EXPECT_EQ(what([](TournamentPlan& p) { p.games.clear(); }), "the plan: 'games' is empty");
  EXPECT_EQ(what([](TournamentPlan& p) { p.games[0].play_clock = -1; }),
            "the plan: 'play-clock' is not between 0 and 86400");
  EXPECT_EQ(what([](TournamentPlan& p) { p.sprt = SprtPlan{.elo0 = 5, .elo1 = 5}; }),
            "the plan: 'sprt': elo0 must be less than elo1");
}

TEST_F(LogOfTournament, OfAnotherVersionIsRefused) {
  std::string text = header();
  text.replace(text.find("\"version\":2"), 11, "\"version\":3");
  write(text);
  EXPECT_EQ(problem().line, 1u);
  EXPECT_EQ(problem().what, "written as version 3, this program reads version 2");
}

TEST_F(LogOfTournament, OfTheFirstVersionNeedsTrust) {
  std::string text = header() + line(0, 0);
  text.replace(text.find("\"version\":2"), 11, "\"version\":1");
  write_raw(text);
  EXPECT_EQ(problem().line, 1u);
  EXPECT_THAT(problem().what, testing::HasSubstr("without checksums; --trust"));
  EXPECT_EQ(read(LogTrust::Blind).results.size(), 1u);
  auto opened = LogWriter::open(scratch_.path(), plan_, {}, true, LogTrust::Blind).value();
  opened.writer->append(to_json(sample_result(0, 1)));
  EXPECT_EQ(read(LogTrust::Blind).results.size(), 2u);
}

TEST_F(LogOfTournament, BeginsWithAByteOrderMarkIfAnEditorWantsIt) {
  write_raw(std::string(gdl::kByteOrderMark) + sealed(header() + line(0, 0)));
  EXPECT_EQ(read().results.size(), 1u);
  EXPECT_EQ(read().whole_bytes, content().size());
  resume().writer->append(to_json(sample_result(0, 1)));
  EXPECT_EQ(read().results.size(), 2u);
}

TEST_F(LogOfTournament, ThatWasEditedIsRefusedWithTheLine) {
  const std::string whole = sealed(header() + line(0, 0) + line(0, 1) + line(1, 0));
  const auto edited = [&](const std::string& from, const std::string& to) {
    std::string text = whole;
    text.replace(text.find(from), from.size(), to);
    write_raw(text);
    EXPECT_THAT(problem().what, testing::HasSubstr("--trust reads it"));
    EXPECT_THAT(refusal(), testing::HasSubstr("--trust reads it"));
    EXPECT_EQ(content(), text);
    EXPECT_TRUE(join_logs({scratch_.path()}).has_error());
    EXPECT_TRUE(join_logs({scratch_.path()}, LogTrust::Blind).has_value());
    EXPECT_TRUE(read_log(scratch_.path(), LogTrust::Blind).has_value());
    return problem().line;
  };
  EXPECT_EQ(edited("\"goals\":[100,0]", "\"goals\":[2,100]"), 2u);
  EXPECT_EQ(edited("\"steps\":40", "\"steps\":41"), 2u);
  EXPECT_EQ(edited("\"startup-seconds\":10", "\"startup-seconds\":11"), 1u);
  const std::size_t second = whole.find("\n") + 1, third = whole.find("\n", second) + 1;
  EXPECT_EQ(edited(whole.substr(second, third - second), ""), 2u);
}

/// A line end that is damaged joins two lines, or makes the last one incomplete.
TEST_F(LogOfTournament, WithABitFlippedIsRefused) {
  const std::string whole = sealed(header() + line(0, 0) + line(0, 1));
  for (std::size_t byte = 0; byte < whole.size(); ++byte) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = whole;
      damaged[byte] = static_cast<char>(damaged[byte] ^ (1 << bit));
      const auto log = parse_log("log", damaged);
      EXPECT_TRUE(!log.has_value() || (log->torn && byte + 1 == whole.size()))
          << "bit " << bit << " of byte " << byte;
    }
  }
}

TEST_F(LogOfTournament, ThatIsNoneIsRefused) {
  write("{\"some\":\"other file\"}\n");
  EXPECT_EQ(problem().what, "not the beginning of a tournament's log");
  write("");
  EXPECT_EQ(problem().what, "it does not say what is played");
}

TEST_F(LogOfTournament, OfMatchesOfAnotherTournamentIsRefused) {
  plan_.seed = 99;
  write(header() + line(0, 0));
  EXPECT_EQ(problem().line, 2u);
  EXPECT_THAT(problem().what, testing::StartsWith("a match of sample-"));
}

TEST_F(LogOfTournament, IsBegunAndContinued) {
  resume().writer->append(to_json(sample_result(0, 0)));
  auto again = resume();
  EXPECT_EQ(again.results.size(), 1u);
  EXPECT_FALSE(again.repaired);
  again.writer->append(to_json(sample_result(0, 1)));
  EXPECT_EQ(content(), sealed(header() + line(0, 0) + line(0, 1)));
}

TEST_F(LogOfTournament, IsRepairedWhereItIsTorn) {
  write(header() + line(0, 0) + line(0, 1).substr(0, 50));
  auto opened = resume();
  EXPECT_TRUE(opened.repaired);
  opened.writer->append(to_json(sample_result(1, 0)));
  EXPECT_EQ(content(), sealed(header() + line(0, 0) + line(1, 0)));
}

TEST_F(LogOfTournament, BeginsAgainWhereItsFirstLineIsTorn) {
  write(header().substr(0, 100));
  EXPECT_TRUE(resume().repaired);
  EXPECT_EQ(content(), sealed(header()));
}

TEST_F(LogOfTournament, BeginsAgainWhereNothingWasPlayed) {
  write(header());
  plan_.players[1].strategy = "legal";  // say, because the player was not available
  EXPECT_TRUE(LogWriter::open(scratch_.path(), plan_, {}, false).has_value());
  EXPECT_EQ(content(), sealed(header()));
}

TEST_F(LogOfTournament, StaysAsItIsWhereItIsDamaged) {
  const std::string damaged = header() + "damage\n" + line(0, 0);
  write(damaged);
  EXPECT_THAT(refusal(), testing::StartsWith("no JSON"));
  EXPECT_EQ(content(), sealed(damaged));
}

TEST_F(LogOfTournament, IsNotWrittenWithoutBeingAskedTo) {
  write(header() + line(0, 0));
  EXPECT_THAT(refusal(false), testing::StartsWith("there is a tournament already; --resume"));
  EXPECT_EQ(content(), sealed(header() + line(0, 0)));
}

TEST_F(LogOfTournament, OfAChangedTournamentIsRefusedWithTheChange) {
  write(header() + line(0, 0));
  plan_.players[1].strategy = "mcts";
  EXPECT_THAT(refusal(), testing::HasSubstr(R"(players "b" strategy: was "random", is "mcts")"));
  EXPECT_EQ(read_log(scratch_.path())->results.size(), 1u);
}

TEST_F(LogOfTournament, OfFewerRoundsIsRefused) {
  write(header() + line(3, 0));
  plan_.rounds = 2;
  EXPECT_THAT(refusal(), testing::StartsWith("it has matches of round 4"));
}

TEST_F(LogOfTournament, GoesOnWithMoreRounds) {
  write(header() + line(0, 0));
  plan_.rounds = 9;
  EXPECT_EQ(resume().results.size(), 1u);
  EXPECT_EQ(read().plan.rounds, 9u);
  EXPECT_EQ(read().results.size(), 1u);
}

TEST_F(LogOfTournament, OfAnotherShardIsRefused) {
  write(header() + line(0, 0));
  EXPECT_EQ(refusal(true, {2, 3}), "it is the log of shard 1/1, not 2/3");
}

TEST_F(LogOfTournament, IsWrittenByOneRunAtATime) {
  const auto first = resume();
  EXPECT_EQ(refusal(), "another run is writing it");
}

TEST_F(LogOfTournament, OfPartsIsJoinedInScheduleOrder) {
  write(log_header(plan_, {2, 2}) + "\n" + line(1, 1) + line(1, 0), "b");
  write(log_header(plan_, {1, 2}) + "\n" + line(2, 0) + line(0, 0) + line(0, 1), "a");
  const auto joined = join_logs({scratch_.path() / "b", scratch_.path() / "a"});
  ASSERT_TRUE(joined.has_value()) << joined.error().text();
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (const MatchResult& result : joined->results) {
    places.emplace_back(result.block.number, result.block.rotation);
  }
  EXPECT_THAT(places,
              testing::ElementsAre(testing::Pair(0, 0), testing::Pair(0, 1), testing::Pair(1, 0),
                                   testing::Pair(1, 1), testing::Pair(2, 0)));
}

TEST_F(LogOfTournament, WithAMatchThatDiffersIsNotJoined) {
  MatchResult other = sample_result(0, 0);
  other.duration_ms = 99;
  write(header() + line(0, 0), "a");
  write(header() + to_json(other) + "\n", "b");
  EXPECT_EQ(join_logs({scratch_.path() / "a", scratch_.path() / "b"}).value().results.size(), 1u);
  other.goals = {50, 50};
  write(header() + to_json(other) + "\n", "b");
  EXPECT_THAT(join_logs({scratch_.path() / "a", scratch_.path() / "b"}).error().what,
              testing::EndsWith("is another one in an earlier log"));
}

TEST_F(LogOfTournament, OfAnotherTournamentIsNotJoined) {
  write(header() + line(0, 0), "a");
  plan_.seed = 5;
  write(header(), "b");
  EXPECT_EQ(join_logs({scratch_.path() / "a", scratch_.path() / "b"}).error().what,
            "of another tournament than the first: seed: was 1, is 5");
}

/// No file grows beyond this many bytes during its lifetime, as on a disk that is full.
class FullDisk {
 public:
  explicit FullDisk(std::size_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST_F(LogOfTournament, StaysWholeWhenTheDiskIsFull) {
  auto opened = resume();
  opened.writer->append(to_json(sample_result(0, 0)));
  const std::string before = content();
  {
    const FullDisk full(before.size() + 10);
    const auto problem = opened.writer->append(to_json(sample_result(0, 1)));
    ASSERT_TRUE(problem.has_value());
    EXPECT_THAT(*problem, testing::HasSubstr("tournament.jsonl: "));
  }
  EXPECT_EQ(content(), before);
  EXPECT_FALSE(opened.writer->append(to_json(sample_result(0, 1))).has_value());
  EXPECT_EQ(content(), sealed(header() + line(0, 0) + line(0, 1)));
}

}  // namespace
}  // namespace ludens::server
