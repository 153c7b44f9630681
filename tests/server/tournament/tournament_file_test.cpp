// SPDX-License-Identifier: MIT
#include "server/tournament/tournament_file.h"

#include <gtest/gtest.h>

#include <fstream>

#include "search/learning/knowledge.h"
#include "server/tournament/cores.h"
#include "tests/project_folder.h"
#include "tests/search/games/bundled.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

class FileOfTournament : public testing::Test {
 protected:
  using Read = gdl::Result<TournamentFile, std::vector<FileProblem>>;

  Read read(const std::string& content) {
    const auto file = scratch_.path() / "cup.xml";
    std::ofstream(file) << content;
    return read_tournament_file(file);
  }
  TournamentFile good(const std::string& content) {
    Read file = read(content);
    if (!file) {
      const FileProblem first = file.error().front();
      ADD_FAILURE() << first.line << ": " << first.text;
      return {};
    }
    return *std::move(file);
  }
  /// `LINE:COLUMN: TEXT` of the first.
  std::string problem(const std::string& content) {
    const Read file = read(content);
    if (file) return "no problem";
    const FileProblem first = file.error().front();
    return std::to_string(first.line) + ":" + std::to_string(first.column) + ": " + first.text;
  }
  /// Writes the file `known` beside the tournament's: some knowledge of the game.
  void learn(const std::string& game) {
    const auto machine = search::test::bundled(game, "sliced");
    search::Knowledge knowledge;
    knowledge.shape.roles.resize(2);
    std::ofstream(scratch_.path() / "known") << search::write_knowledge(
        knowledge, *machine->vocabulary(), *gdl::canonical_names(machine->vocabulary()->rules()));
  }
  static std::string whole(const std::string& elements) {
    return "<tournament>\n" + elements +
           "\n<player>random</player><player>legal</player><game>nim</game></tournament>";
  }

  ScratchFolder scratch_;
};

TEST_F(FileOfTournament, NeedsPlayersAndAGameAlone) {
  const TournamentFile file = good(whole(""));
  EXPECT_EQ(file.plan.name, "cup");
  EXPECT_EQ(file.plan.format, Format::RoundRobin);
  EXPECT_EQ(file.plan.rounds, 1u);
  EXPECT_EQ(file.concurrency, 1u);
  EXPECT_EQ(file.out, "tournaments/cup");
  ASSERT_EQ(file.plan.players.size(), 2u);
  EXPECT_EQ(file.plan.players[1].name, "legal");
  ASSERT_EQ(file.games.size(), 1u);
  EXPECT_EQ(file.plan.games[0].name, "nim");
  EXPECT_EQ(file.plan.games[0].roles.size(), 2u);
  EXPECT_EQ(file.plan.games[0].play_clock, 5);
}

TEST_F(FileOfTournament, SaysEverythingElse) {
  const TournamentFile file = good(R"(<tournament>
    <name>big</name> <format>head-to-head</format> <rounds>7</rounds> <seed>42</seed>
    <concurrency>3</concurrency> <cores pin="on">)" +
                                   std::to_string(usable_cores()[0]) + R"(</cores>
    <start-clock>20</start-clock> <play-clock>8</play-clock> <preview-clock>3</preview-clock>
    <table-size>2</table-size> <opening>4</opening> <step-cap>99</step-cap> <scramble>on</scramble> <dialect>dresden</dialect>
    <replace>first</replace> <abort-after>5</abort-after> <down>stop</down>
    <patience>2</patience> <startup>4</startup> <records>all</records> <out>/tmp/x</out>
    <sprt elo0="-5" elo1="5.5" alpha="0.01" beta="0.02"/>
    <player name="far" url="http://127.0.0.1:9147" matches="2"/>
    <player name="own" command="p --port {port}"/>
    <game play-clock="1">pig</game>
  </tournament>)");
  const TournamentPlan& plan = file.plan;
  EXPECT_EQ(plan.name, "big");
  EXPECT_EQ(plan.format, Format::HeadToHead);
  EXPECT_EQ(plan.table_size, 2u);
  EXPECT_EQ(plan.rounds, 7u);
  EXPECT_EQ(plan.seed, 42u);
  EXPECT_TRUE(file.cores.pin);
  EXPECT_EQ(file.cores.cores.size(), 1u);
  EXPECT_TRUE(plan.scramble);
  EXPECT_EQ(plan.dialect, "dresden");
  EXPECT_EQ(plan.replace, "first");
  EXPECT_EQ(plan.abort_after, 5u);
  EXPECT_EQ(plan.down, DownPolicy::Stop);
  EXPECT_EQ(plan.patience_seconds, 2);
  EXPECT_EQ(plan.startup_seconds, 4);
  EXPECT_EQ(plan.records, RecordPolicy::All);
  EXPECT_EQ(plan.preview_clock, 3);
  EXPECT_EQ(file.out, "/tmp/x");
  EXPECT_EQ(plan.sprt->elo0, -5);
  EXPECT_EQ(plan.sprt->elo1, 5.5);
  EXPECT_EQ(plan.players[0].kind, PlannedPlayer::Kind::Remote);
  EXPECT_EQ(plan.players[0].matches, 2);
  EXPECT_EQ(plan.players[1].kind, PlannedPlayer::Kind::Command);
  EXPECT_EQ(plan.games[0].start_clock, 20);
  EXPECT_EQ(plan.games[0].play_clock, 1);
  EXPECT_EQ(plan.games[0].opening, 4u);
  EXPECT_EQ(plan.games[0].step_cap, 99u);
  EXPECT_THAT(plan.games[0].chance, testing::Contains(true));
}

TEST_F(FileOfTournament, WantsAPlaceElsewhereForEachRoleOfAMatch) {
  const auto between = [](const std::string& matches) {
    return "<tournament><game>nim</game><game>three_player</game><player>random</player>"
           "<player name=\"far\" url=\"http://127.0.0.1:9147\" " +
           matches + "/></tournament>";
  };
  EXPECT_THAT(problem(between("")),
              testing::HasSubstr("player 'far' has up to 2 roles in a match of 'three_player', "
                                 "each of which is a match to it: it needs matches=\"2\""));
  EXPECT_EQ(good(between("matches=\"2\"")).plan.players.at(1).matches, 2);
}

TEST_F(FileOfTournament, NamesThePlaceAndTheNearestNameOfWhatItDoesNotKnow) {
  EXPECT_EQ(problem(whole("  <ruonds>3</ruonds>")),
            "2:3: unknown element 'ruonds'; did you mean 'rounds'?");
  EXPECT_EQ(problem(whole("<format>round-robbin</format>")),
            "2:1: unknown format 'round-robbin'; did you mean 'round-robin'?");
  EXPECT_EQ(problem(whole("\n <player nmae=\"x\">random</player>")),
            "3:2: unknown attribute 'nmae'; did you mean 'name'?");
  EXPECT_EQ(problem(whole("<player>mtcs</player>")),
            "2:1: there is no strategy 'mtcs'; did you mean 'mcts'?");
  EXPECT_EQ(problem(whole("<game>tic_tac_to</game>")),
            "2:1: unknown game 'tic_tac_to'; did you mean 'tic_tac_toe'?");
}

TEST_F(FileOfTournament, IsCheckedForValues) {
  EXPECT_EQ(problem(whole("<rounds>0</rounds>")),
            "2:1: rounds is a number of 1 to 1000000000, not '0'");
  EXPECT_EQ(problem(whole("<play-clock>five</play-clock>")),
            "2:1: play-clock is a number of 1 to 86400, not 'five'");
  EXPECT_EQ(problem(whole("<seed>1</seed>\n<seed>2</seed>")), "3:1: <seed> is here a second time");
  EXPECT_EQ(problem(whole("<seed><b/></seed>")), "2:7: <seed> may contain only text");
  EXPECT_EQ(problem(whole("words")), "1:13: text outside of any element");
  EXPECT_THAT(problem("<tournament><player></tournament>"), testing::StartsWith("1:"));
  EXPECT_EQ(problem("<cup/>"), "1:1: the root element must be <tournament>");
}

/// What follows from a value that is wrong is no second problem.
TEST_F(FileOfTournament, NamesAWrongNumberOnceAndItsLimitsAsPeopleWriteThem) {
  const auto problems = [&](const std::string& elements) {
    std::string all;
    for (const FileProblem& found : read(whole(elements)).error()) all += found.text + "\n";
    return all;
  };
  EXPECT_EQ(problems("<format>head-to-head</format><sprt elo0=\"-1500\" elo1=\"-500\" "
                     "alpha=\"1e-7\" beta=\"0.05\"/>"),
            "elo0 is a number of -1000 to 1000, not '-1500'\n"
            "alpha is a number of 1e-06 to 0.5, not '1e-7'\n");
  EXPECT_EQ(problems("<seed>-1</seed>"),
            "seed is a number of 0 to 18446744073709551615, not '-1'\n");
  EXPECT_EQ(problems("<player name=\"p\" command=\"p\" port=\"70000\"/>"),
            "port is a number of 0 to 65535, not '70000'\n");
}

TEST_F(FileOfTournament, LetsPlayersLoseThatCrashUnlessItSaysOtherwise) {
  EXPECT_EQ(good(whole("")).plan.crash, CrashPolicy::Loses);
  const TournamentPlan replaced = good(whole("<crash>replaced</crash>")).plan;
  EXPECT_EQ(replaced.crash, CrashPolicy::Replaced);
  EXPECT_NE(replaced.id(), good(whole("")).plan.id());
  EXPECT_EQ(parse_plan(to_json(replaced))->crash, CrashPolicy::Replaced);
  EXPECT_EQ(parse_plan(to_json(good(whole("")).plan))->crash, CrashPolicy::Loses);
  EXPECT_THAT(problem(whole("<crash>lose</crash>")), testing::HasSubstr("did you mean 'loses'"));
}

TEST_F(FileOfTournament, IsCheckedForPlayers) {
  EXPECT_EQ(problem(whole("<player>random</player>")),
            "3:1: there is a player 'random' already; name=\"...\" distinguishes players");
  EXPECT_EQ(
      problem(whole("<player name=\"x\"/>")),
      "2:1: a player is a strategy or page:FILE as text, or has url=\"...\", or command=\"...\"");
  EXPECT_EQ(problem(whole("<player command=\"p {port}\"/>")),
            "2:1: a player that is started by a command needs a name");
  EXPECT_THAT(problem(whole("<player name=\"p\" command=\"p\"/>")),
              testing::StartsWith("2:1: the command needs {port}"));
  EXPECT_THAT(problem(whole("<player url=\"https://x\"/>")), testing::HasSubstr("plain http"));
  EXPECT_THAT(problem(whole("<player name=\"p\" command=\"p\xff {port}\"/>")),
              testing::HasSubstr("not UTF-8"));
}

TEST_F(FileOfTournament, FindsPagesBesideItself) {
  std::ofstream(scratch_.path() / "player.html") << "<html></html>";
  const TournamentFile file = good(whole("<player>page:player.html</player>"));
  ASSERT_EQ(file.plan.players.size(), 3u);
  EXPECT_EQ(file.plan.players[0].kind, PlannedPlayer::Kind::Page);
  EXPECT_EQ(file.plan.players[0].name, "page:player.html");
  EXPECT_EQ(file.plan.players[0].strategy, "page:player.html");
  EXPECT_EQ(std::get<PageFile>(file.players[0]).file, scratch_.path() / "player.html");
  EXPECT_THAT(problem(whole("<player>page:none.html</player>")),
              testing::HasSubstr((scratch_.path() / "none.html").string()));
}

TEST_F(FileOfTournament, FindsKnowledgeBesideItself) {
  learn("tic_tac_toe");
  const TournamentFile file = good(whole("<player>value:knowledge=known,nodes=9</player>"));
  ASSERT_EQ(file.plan.players.size(), 3u);
  EXPECT_EQ(file.plan.players[0].name, "value:knowledge=known,nodes=9");
  EXPECT_EQ(file.plan.players[0].strategy, "value:knowledge=known,nodes=9");
  const std::string whole_path = "value:knowledge=" + (scratch_.path() / "known").string();
  EXPECT_EQ(good(whole("<player>" + whole_path + "</player>")).plan.players[0].strategy,
            whole_path);
  EXPECT_EQ(good(whole("<player>value:knowledge=none</player>")).plan.players[0].strategy,
            "value:knowledge=none");
}

TEST_F(FileOfTournament, IsTheSameTournamentFromWhereverItIsNamed) {
  learn("tic_tac_toe");
  std::ofstream(scratch_.path() / "player.html") << "<html></html>";
  const std::string text =
      whole("<player>page:player.html</player><player>value:nodes=9,knowledge=known</player>");
  const std::string id = good(text).plan.id();
  const auto other = parse_tournament_file(scratch_.path() / "." / "cup.xml", text);
  EXPECT_EQ(other->plan.id(), id);
}

TEST_F(FileOfTournament, IsAnotherTournamentOnceAFileOfAPlayerHasChanged) {
  learn("tic_tac_toe");
  const std::string knowing = whole("<player>value:knowledge=known,nodes=9</player>");
  const std::string before = good(knowing).plan.id();
  learn("nim");
  EXPECT_NE(good(knowing).plan.id(), before);

  std::ofstream(scratch_.path() / "player.html") << "<html></html>";
  const std::string with_page = whole("<player>page:player.html</player>");
  const std::string first = good(with_page).plan.id();
  std::ofstream(scratch_.path() / "player.html") << "<html>another</html>";
  EXPECT_NE(good(with_page).plan.id(), first);
}

TEST_F(FileOfTournament, RefusesKnowledgeThatCannotBeRead) {
  const std::string missing = (scratch_.path() / "none").string();
  EXPECT_THAT(problem(whole("\n<player name=\"a\">value:knowledge=none.knowledge</player>")),
              testing::StartsWith("3:1: knowledge=" + missing + ".knowledge: No such file"));
  std::ofstream(missing) << "nothing that was learned";
  EXPECT_THAT(problem(whole("<player>mcts:knowledge=" + missing + "</player>")),
              testing::StartsWith("2:1: knowledge=" + missing + ": "));
}

TEST_F(FileOfTournament, IsCheckedAsAWhole) {
  EXPECT_EQ(problem("<tournament><player>random</player></tournament>"), "1:1: there is no <game>");
  EXPECT_EQ(problem("<tournament><player>random</player><game>nim</game></tournament>"),
            "1:1: round-robin needs at least two players");
  EXPECT_EQ(problem(whole("<sprt/>")),
            "1:1: <sprt> is for the format head-to-head, not round-robin");
  EXPECT_EQ(problem(whole("<format>single-player</format>")),
            "3:46: 'nim' has 2 roles to play; this format takes games with one");
}

TEST_F(FileOfTournament, TellsAllProblemsInOrder) {
  const Read file = read(whole("<rounds>x</rounds>\n<game>nimm</game>\n<player>rndom</player>"));
  const std::vector<FileProblem> problems = file.error();
  ASSERT_EQ(problems.size(), 3u);
  EXPECT_EQ(problems[0].line, 2);
  EXPECT_EQ(problems[1].line, 3);
  EXPECT_EQ(problems[2].line, 4);
}

TEST_F(FileOfTournament, FindsGamesByPattern) {
  EXPECT_THAT(good(whole("<game>connect_*</game>")).plan.games,
              testing::Contains(testing::Field(&PlannedGame::name, "connect_four_small")));
  std::filesystem::create_directories(scratch_.path() / "mine");
  const std::string rules = "(role r) (legal r go) (init a) (terminal) (goal r 100)";
  for (const char* name : {"one", "two"}) {
    std::ofstream(scratch_.path() / "mine" / (std::string(name) + ".kif")) << rules;
  }
  const TournamentFile file = good(whole("<game>mine/*.kif</game>"));
  EXPECT_THAT(file.plan.games, testing::ElementsAre(testing::Field(&PlannedGame::name, "one"),
                                                    testing::Field(&PlannedGame::name, "two"),
                                                    testing::Field(&PlannedGame::name, "nim")));
  EXPECT_EQ(problem(whole("<game>mine/*.gdl</game>")), "2:1: no game is called 'mine/*.gdl'");
  EXPECT_EQ(problem(whole("<game>mine/three.kif</game>")),
            "2:1: there is no file 'mine/three.kif'");
}

TEST_F(FileOfTournament, FindsABundledGameBesideAFolderOfItsName) {
  std::filesystem::create_directories(scratch_.path() / "nim");
  EXPECT_EQ(good(whole("")).plan.games.at(0).name, "nim");
}

TEST_F(FileOfTournament, RefusesRulesheetsWithErrors) {
  std::ofstream(scratch_.path() / "bad.kif") << "(role r) (legal r";
  EXPECT_THAT(problem(whole("<game>./bad.kif</game>")),
              testing::StartsWith("2:1: the rulesheet has errors: "));
}

TEST_F(FileOfTournament, WarnsOfRoundsThatRepeatEachOther) {
  EXPECT_TRUE(good(whole("<rounds>3</rounds>")).warnings.empty());
  const TournamentFile file = good(whole("<rounds>3</rounds><player>mcts:seed=4</player>"));
  ASSERT_EQ(file.warnings.size(), 1u);
  EXPECT_THAT(file.warnings[0], testing::StartsWith("player 'mcts:seed=4' has a seed of its own"));
}

TEST_F(FileOfTournament, ShippedAsExampleIsGood) {
  for (const char* name : {"example", "minimal", "demo", "sprt"}) {
    const auto file = std::filesystem::path(project_folder()) / "config" / "tournaments" /
                      (std::string(name) + ".xml");
    const Read shipped = read_tournament_file(file);
    EXPECT_TRUE(shipped.has_value()) << file << ": " << shipped.error().front().text;
  }
}

TEST(Cores, AreReadFromListsAndRanges) {
  EXPECT_EQ(parse_cores("0-2,5").value(), (std::vector<int>{0, 1, 2, 5}));
  EXPECT_TRUE(parse_cores("").value().empty());
  EXPECT_TRUE(parse_cores("3-1").has_error());
  EXPECT_TRUE(parse_cores("a").has_error());
}

TEST(Cores, AreLentAndGivenBack) {
  CorePool pool({0, 1, 2});
  EXPECT_TRUE(pool.can_take(2));
  const auto two = pool.take(2);
  EXPECT_EQ(two.size(), 2u);
  EXPECT_FALSE(pool.can_take(2));
  EXPECT_FALSE(pool.can_take(99));  // who wants more than there are gets all
  pool.give(two);
  EXPECT_TRUE(pool.can_take(99));
  EXPECT_EQ(pool.take(99).size(), 3u);
  EXPECT_TRUE(pool.can_take(0));
}

}  // namespace
}  // namespace ludens::server
