// SPDX-License-Identifier: MIT
#include "agent/journal/journal.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "tests/agent/aged_journal.h"
#include "tests/agent/temporary_folder.h"

namespace ludens::agent {
namespace {

namespace fs = std::filesystem;

constexpr double kDay = 24 * 60 * 60;

JournalledMatch example() {
  JournalledMatch match;
  match.match_id = "tic.1";
  match.role = "x \"quoted\"";
  match.start_clock_seconds = 30;
  match.play_clock_seconds = 15;
  match.description = "( ( role x ) ( role \xe9 ) )";
  return match;
}

class JournalTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(journals.claim(), std::nullopt); }
  std::unique_ptr<Journal> open(const std::string& id) {
    return journals.open(id, [this](std::string why) { failures.push_back(std::move(why)); });
  }
  std::vector<JournalledMatch> read() { return journals.read(kDay, problems); }
  fs::path file(const std::string& id) const { return folder.path() / journal_name(id); }
  /// As if the file were of another start of the machine, so that only the clock on the wall tells
  /// how old it is.
  void age(const std::string& id, std::chrono::seconds seconds) const {
    age_journal(file(id), seconds);
  }

  TemporaryFolder folder;
  JournalFolder journals{folder.path().string()};
  std::vector<std::string> failures, problems;
};

TEST_F(JournalTest, TellsWhatWasWritten) {
  const auto journal = open("tic.1");
  journal->begin(example());
  journal->play(1, {});
  journal->reply(1, "( mark 1 1 )");
  journal->play(2, {"( ( mark 1 1 ) noop )", std::nullopt});
  const auto matches = read();
  ASSERT_EQ(matches.size(), 1u);
  EXPECT_EQ(matches[0].match_id, "tic.1");
  EXPECT_EQ(matches[0].role, "x \"quoted\"");
  EXPECT_EQ(matches[0].start_clock_seconds, 30);
  EXPECT_EQ(matches[0].play_clock_seconds, 15);
  EXPECT_EQ(matches[0].description, "( ( role x ) ( role \xe9 ) )");
  ASSERT_EQ(matches[0].turns.size(), 2u);
  EXPECT_EQ(matches[0].turns[0].moves, "");
  EXPECT_EQ(matches[0].turns[0].reply, "( mark 1 1 )");
  EXPECT_EQ(matches[0].turns[1].moves, "( ( mark 1 1 ) noop )");
  EXPECT_EQ(matches[0].turns[1].reply, std::nullopt);
  EXPECT_TRUE(problems.empty());
}

TEST_F(JournalTest, TellsHowManyCopiesOfAPlayTheHostSends) {
  const auto journal = open("tic.1");
  journal->begin(example());
  EXPECT_EQ(read().at(0).copies, 1u);
  journal->copies(2);
  journal->play(1, {});
  ASSERT_EQ(read().size(), 1u);
  EXPECT_EQ(read()[0].copies, 2u);
  EXPECT_EQ(read()[0].turns.size(), 1u);
  EXPECT_EQ(parse_journal(journal_text(read()[0]))->copies, 2u);
}

TEST_F(JournalTest, KeepsWhatComesBeforeItBegins) {
  const auto journal = open("tic.1");
  journal->play(1, {});
  journal->begin(example());
  ASSERT_EQ(read().size(), 1u);
  EXPECT_EQ(read()[0].turns.size(), 1u);
}

TEST_F(JournalTest, BeginsWithTurnsPlayedBefore) {
  JournalledMatch match = example();
  match.turns = {{"", "noop"}, {"( a b )", std::nullopt}};
  const auto journal = open("tic.1");
  journal->begin(match);
  journal->reply(2, "late");
  ASSERT_EQ(read().size(), 1u);
  EXPECT_EQ(read()[0].turns[1].reply, "late");
}

TEST_F(JournalTest, TellsWhatWasPerceivedAndDone) {
  const auto journal = open("tic.1");
  journal->begin(example());
  journal->play(1, {.moves = "", .reply = {}, .number = 0, .own = "NIL"});
  journal->play(2, {.moves = "( ( saw a ) )", .reply = {}, .number = 1, .own = "( look a )"});
  journal->play(3, {.moves = "( ( saw b ) )", .reply = {}});
  const auto matches = read();
  ASSERT_EQ(matches.size(), 1u);
  const auto& turns = matches[0].turns;
  ASSERT_EQ(turns.size(), 3u);
  EXPECT_EQ(turns[0].number, 0u);
  EXPECT_EQ(turns[1].number, 1u);
  EXPECT_EQ(turns[1].own, "( look a )");
  EXPECT_EQ(turns[1].moves, "( ( saw a ) )");
  EXPECT_EQ(turns[2].number, std::nullopt) << "a host that does not count turns";
  const auto again = parse_journal(journal_text(matches[0]));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->turns[1].own, "( look a )");
  EXPECT_EQ(again->turns[1].number, 1u);
}

TEST_F(JournalTest, ToleratesATornLastLine) {
  {
    const auto journal = open("tic.1");
    journal->begin(example());
    journal->play(1, {});
    journal->reply(1, "noop");
  }
  fs::resize_file(file("tic.1"), fs::file_size(file("tic.1")) - 3);
  const auto matches = read();
  ASSERT_EQ(matches.size(), 1u);
  EXPECT_EQ(matches[0].turns[0].reply, std::nullopt);
}

TEST_F(JournalTest, SkipsAByteOrderMark) {
  const std::string text = journal_text(example());
  const auto marked = parse_journal("\xef\xbb\xbf" + text);
  ASSERT_TRUE(marked);
  EXPECT_EQ(journal_text(*marked), journal_text(*parse_journal(text)));
}

TEST_F(JournalTest, LeavesADamagedFileAloneAndNamesIt) {
  open("tic.1")->begin(example());
  std::ofstream(file("tic.1"), std::ios::app) << "{\"turn\":7,\"reply\":\"gap\"}\n";
  EXPECT_TRUE(read().empty());
  EXPECT_EQ(problems.size(), 1u);
  EXPECT_TRUE(fs::exists(file("tic.1")));
}

TEST_F(JournalTest, DoesNotBelieveAFileUnderAnotherName) {
  open("tic.1")->begin(example());
  fs::rename(file("tic.1"), folder.path() / "other.journal");
  EXPECT_TRUE(read().empty());
}

TEST_F(JournalTest, RemoveEndsIt) {
  const auto journal = open("tic.1");
  journal->begin(example());
  journal->remove();
  journal->reply(1, "x");
  EXPECT_FALSE(fs::exists(file("tic.1")));
  EXPECT_TRUE(failures.empty());
}

TEST_F(JournalTest, RemovedBeforeItBeginsItDoesNotBegin) {
  const auto journal = open("tic.1");
  journal->remove();
  journal->begin(example());
  EXPECT_TRUE(read().empty());
}

TEST_F(JournalTest, OldFilesAndUnfinishedOnesGo) {
  open("old")->begin(example());
  std::ofstream(file("half").string() + ".new") << "{";
  age("old", std::chrono::hours(25));
  EXPECT_TRUE(read().empty());
  EXPECT_FALSE(fs::exists(file("old")));
  EXPECT_FALSE(fs::exists(file("half").string() + ".new"));
}

TEST_F(JournalTest, AClockThatIsSetAgesNothing) {
  const auto journal = open("tic.1");
  journal->begin(example());
  journal->play(1, {});
  for (const auto hours : {std::chrono::hours(50), std::chrono::hours(-50)}) {
    fs::last_write_time(file("tic.1"), fs::file_time_type::clock::now() - hours);
    ASSERT_EQ(read().size(), 1u);
    EXPECT_LT(read()[0].silent_seconds, 3600);
  }
}

TEST_F(JournalTest, WhatIsNoFileIsNotWaitedFor) {
  open("tic.1")->begin(example());
  ASSERT_EQ(::mkfifo(file("pipe").c_str(), 0600), 0);
  fs::create_symlink(file("tic.1"), file("link"));
  fs::create_directory(file("folder"));
  const auto matches = read();
  ASSERT_EQ(matches.size(), 1u);
  EXPECT_EQ(matches[0].match_id, "tic.1");
  EXPECT_EQ(problems.size(), 3u);
  EXPECT_TRUE(fs::exists(file("pipe")));
}

TEST_F(JournalTest, APipeInTheWayOfANewFileIsNotWrittenTo) {
  ASSERT_EQ(::mkfifo((file("tic.1").string() + ".new").c_str(), 0600), 0);
  open("tic.1")->begin(example());
  EXPECT_EQ(read().size(), 1u);
}

TEST(JournalFolder, APipeAsItsLockIsNotWaitedFor) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder.path() / "lock").c_str(), 0600), 0);
  JournalFolder journals(folder.path().string());
  (void)journals.claim();
}

TEST_F(JournalTest, TheLatestComesFirst) {
  for (const char* id : {"first", "second"}) {
    JournalledMatch match = example();
    match.match_id = id;
    open(id)->begin(match);
  }
  age("first", std::chrono::minutes(5));
  const auto matches = read();
  ASSERT_EQ(matches.size(), 2u);
  EXPECT_EQ(matches[0].match_id, "second");
  EXPECT_GT(matches[1].silent_seconds, 200);
}

TEST_F(JournalTest, AWriteThatFailsEndsItOnceAndRemovesTheFile) {
  std::signal(SIGXFSZ, SIG_IGN);
  const auto journal = open("tic.1");
  journal->begin(example());
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = fs::file_size(file("tic.1")) + 5;
  setrlimit(RLIMIT_FSIZE, &small);
  journal->play(1, {"( some moves )", std::nullopt});
  journal->reply(1, "a reply");
  setrlimit(RLIMIT_FSIZE, &before);
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_NE(failures[0].find("too large"), std::string::npos) << failures[0];
  EXPECT_FALSE(fs::exists(file("tic.1")));
}

TEST_F(JournalTest, AFolderThatVanishesIsAFailure) {
  const auto journal = open("tic.1");
  fs::remove_all(folder.path());
  journal->begin(example());
  EXPECT_EQ(failures.size(), 1u);
}

TEST_F(JournalTest, AFolderBelongsToOnePlayer) {
  JournalFolder second(folder.path().string());
  const auto problem = second.claim();
  ASSERT_TRUE(problem);
  EXPECT_NE(problem->find("another player"), std::string::npos) << *problem;
  EXPECT_EQ(second.open("tic.1", {}), nullptr);
}

TEST(JournalFolder, ThatCantBeMadeIsASentence) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "file") << "x";
  JournalFolder journals((folder.path() / "file" / "folder").string());
  EXPECT_TRUE(journals.claim());
  EXPECT_EQ(journals.open("tic.1", {}), nullptr);
}

TEST(JournalFolder, WithoutPathThereAreNone) {
  JournalFolder journals("");
  std::vector<std::string> problems;
  EXPECT_EQ(journals.claim(), std::nullopt);
  EXPECT_EQ(journals.open("tic.1", {}), nullptr);
  EXPECT_TRUE(journals.read(kDay, problems).empty());
}

TEST(JournalName, HoldsNothingButHarmlessCharacters) {
  const std::string name = journal_name("../../etc/passwd \n(x)");
  EXPECT_EQ(name.find_first_of("/ \n()"), std::string::npos) << name;
  EXPECT_NE(name.front(), '.');
  EXPECT_LT(journal_name(std::string(100'000, 'x')).size(), 120u);
}

TEST(JournalName, TellsApartWhatLooksAlike) {
  EXPECT_NE(journal_name("a/b"), journal_name("a_b"));
  EXPECT_NE(journal_name(std::string(100, 'x')), journal_name(std::string(101, 'x')));
  EXPECT_EQ(journal_name("tic.1400").substr(0, 9), "tic.1400-");
}

}  // namespace
}  // namespace ludens::agent
