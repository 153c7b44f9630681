// SPDX-License-Identifier: MIT
#include "agent/journal/journal.h"

#include <gmock/gmock.h>
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
#include "tests/agent/stalled_file.h"
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
  match.from = {"2001:db8::", "2001:db8::7"};
  return match;
}

/// The example with a turn that was answered and one that was not.
JournalledMatch two_turns() {
  JournalledMatch match = example();
  match.turns = {{.moves = "", .reply = "noop"},
                 {.moves = "( noop noop )", .reply = {}, .id = "7", .number = 1, .own = "noop"}};
  return match;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string problem_of(const std::string& text) {
  const auto match = parse_journal(text);
  return match ? "" : match.error().text;
}

class JournalTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(journals.claim(), std::nullopt); }
  std::unique_ptr<Journal> open(const std::string& id) {
    return journals.open(id, [this](std::string why) { failures.push_back(std::move(why)); });
  }
  void begin(Journal& journal, const JournalledMatch& match = example()) {
    journal.begin([match] { return match; }, match.description.size());
  }
  std::vector<JournalledMatch> read() { return journals.read(kDay, problems); }
  /// Waits for the disk.
  void written() { (void)journals.read(1e9, problems); }
  fs::path file(const std::string& id) const { return folder.path() / journal_name(id); }
  /// As if the file were of another start of the machine, so that only the clock on the wall tells
  /// how old it is.
  void age(const std::string& id, std::chrono::seconds seconds) const {
    age_journal(file(id), seconds);
  }

  TemporaryFolder folder;
  JournalFolder journals{folder.path().string(), std::size_t{1} << 20};
  std::vector<std::string> failures, problems;
};

TEST_F(JournalTest, TellsWhatWasWritten) {
  const auto journal = open("tic.1");
  begin(*journal);
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
  EXPECT_EQ(matches[0].from.peer, "2001:db8::");
  EXPECT_EQ(matches[0].from.address, "2001:db8::7");
  EXPECT_FALSE(matches[0].torn);
  ASSERT_EQ(matches[0].turns.size(), 2u);
  EXPECT_EQ(matches[0].turns[0].moves, "");
  EXPECT_EQ(matches[0].turns[0].reply, "( mark 1 1 )");
  EXPECT_EQ(matches[0].turns[1].moves, "( ( mark 1 1 ) noop )");
  EXPECT_EQ(matches[0].turns[1].reply, std::nullopt);
  EXPECT_TRUE(problems.empty());
}

TEST_F(JournalTest, TellsHowManyCopiesOfAPlayTheHostSends) {
  const auto journal = open("tic.1");
  begin(*journal);
  EXPECT_EQ(read().at(0).copies, 1u);
  journal->copies(2);
  journal->play(1, {});
  ASSERT_EQ(read().size(), 1u);
  EXPECT_EQ(read()[0].copies, 2u);
  EXPECT_EQ(read()[0].turns.size(), 1u);
  EXPECT_EQ(parse_journal(journal_text(read()[0]))->copies, 2u);
}

TEST_F(JournalTest, BeginsWithTurnsPlayedBefore) {
  JournalledMatch match = example();
  match.turns = {{"", "noop"}, {"( a b )", std::nullopt}};
  const auto journal = open("tic.1");
  begin(*journal, match);
  journal->reply(2, "late");
  ASSERT_EQ(read().size(), 1u);
  EXPECT_EQ(read()[0].turns[1].reply, "late");
}

TEST_F(JournalTest, TellsWhatWasPerceivedAndDone) {
  const auto journal = open("tic.1");
  begin(*journal);
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
  const auto journal = open("tic.1");
  begin(*journal);
  journal->play(1, {});
  journal->reply(1, "noop");
  written();
  fs::resize_file(file("tic.1"), fs::file_size(file("tic.1")) - 3);
  const auto matches = read();
  ASSERT_EQ(matches.size(), 1u);
  EXPECT_EQ(matches[0].turns[0].reply, std::nullopt);
  EXPECT_TRUE(matches[0].torn);
}

TEST_F(JournalTest, LeavesADamagedFileAloneAndNamesIt) {
  begin(*open("tic.1"));
  written();
  std::ofstream(file("tic.1"), std::ios::app) << "{\"turn\":7,\"reply\":\"gap\"}\n";
  EXPECT_TRUE(read().empty());
  EXPECT_THAT(problems, testing::ElementsAre(testing::HasSubstr("line 2: it has no checksum")));
  EXPECT_TRUE(fs::exists(file("tic.1")));
}

TEST_F(JournalTest, DoesNotBelieveAFileUnderAnotherName) {
  begin(*open("tic.1"));
  written();
  fs::rename(file("tic.1"), folder.path() / "other.journal");
  EXPECT_TRUE(read().empty());
  EXPECT_THAT(problems, testing::ElementsAre(testing::HasSubstr("another match")));
}

TEST_F(JournalTest, RemoveEndsIt) {
  const auto journal = open("tic.1");
  begin(*journal);
  journal->remove();
  journal->reply(1, "x");
  written();
  EXPECT_FALSE(fs::exists(file("tic.1")));
  EXPECT_TRUE(failures.empty());
}

TEST_F(JournalTest, RemovedBeforeItBeginsItDoesNotBegin) {
  const auto journal = open("tic.1");
  journal->remove();
  begin(*journal);
  EXPECT_TRUE(read().empty());
}

TEST_F(JournalTest, OldFilesAndUnfinishedOnesGo) {
  begin(*open("old"));
  written();
  std::ofstream(file("half").string() + ".new") << "{";
  age("old", std::chrono::hours(25));
  EXPECT_TRUE(read().empty());
  EXPECT_FALSE(fs::exists(file("old")));
  EXPECT_FALSE(fs::exists(file("half").string() + ".new"));
}

TEST_F(JournalTest, AClockThatIsSetAgesNothing) {
  const auto journal = open("tic.1");
  begin(*journal);
  journal->play(1, {});
  written();
  for (const auto hours : {std::chrono::hours(50), std::chrono::hours(-50)}) {
    fs::last_write_time(file("tic.1"), fs::file_time_type::clock::now() - hours);
    ASSERT_EQ(read().size(), 1u);
    EXPECT_LT(read()[0].silent_seconds, 3600);
  }
}

TEST_F(JournalTest, WhatIsNoFileIsNotWaitedFor) {
  begin(*open("tic.1"));
  written();
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
  begin(*open("tic.1"));
  EXPECT_EQ(read().size(), 1u);
}

TEST(JournalFolder, APipeAsItsLockIsNotWaitedFor) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder.path() / "lock").c_str(), 0600), 0);
  JournalFolder journals(folder.path().string(), 0);
  (void)journals.claim();
}

TEST_F(JournalTest, TheLatestComesFirst) {
  for (const char* id : {"first", "second"}) {
    JournalledMatch match = example();
    match.match_id = id;
    begin(*open(id), match);
  }
  written();
  age("first", std::chrono::minutes(5));
  const auto matches = read();
  ASSERT_EQ(matches.size(), 2u);
  EXPECT_EQ(matches[0].match_id, "second");
  EXPECT_GT(matches[1].silent_seconds, 200);
}

TEST_F(JournalTest, AWriteThatFailsEndsItOnceAndRemovesTheFile) {
  std::signal(SIGXFSZ, SIG_IGN);
  const auto journal = open("tic.1");
  begin(*journal);
  written();
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = fs::file_size(file("tic.1")) + 5;
  setrlimit(RLIMIT_FSIZE, &small);
  journal->play(1, {"( some moves )", std::nullopt});
  journal->reply(1, "a reply");
  written();
  setrlimit(RLIMIT_FSIZE, &before);
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_NE(failures[0].find("too large"), std::string::npos) << failures[0];
  EXPECT_FALSE(fs::exists(file("tic.1")));
}

TEST_F(JournalTest, AFolderThatVanishesIsAFailure) {
  const auto journal = open("tic.1");
  fs::remove_all(folder.path());
  begin(*journal);
  written();
  EXPECT_EQ(failures.size(), 1u);
}

TEST_F(JournalTest, AFolderBelongsToOnePlayer) {
  JournalFolder second(folder.path().string(), 0);
  const auto problem = second.claim();
  ASSERT_TRUE(problem);
  EXPECT_NE(problem->find("another player"), std::string::npos) << *problem;
  EXPECT_EQ(second.open("tic.1", {}), nullptr);
}

TEST_F(JournalTest, NobodyWaitsForADiskThatStalls) {
  const auto journal = open("tic.1");
  begin(*journal);
  written();
  StalledFile stalled(file("tic.1"));
  journal->play(1, {});
  bool reached = false;
  journal->when_written([&] { reached = true; });
  EXPECT_FALSE(reached);
  stalled.release();
  written();
  EXPECT_TRUE(reached);
}

TEST_F(JournalTest, WhatWaitsForTheDiskIsBounded) {
  const auto journal = open("tic.1");
  begin(*journal);
  written();
  StalledFile stalled(file("tic.1"));
  const std::string moves(100'000, 'x');
  for (std::size_t turn = 1; turn < 20; ++turn) journal->play(turn, {moves, std::nullopt});
  stalled.release();
  written();
  EXPECT_THAT(failures, testing::ElementsAre(testing::HasSubstr("too much waits for the disk")));
  EXPECT_FALSE(fs::exists(file("tic.1"))) << "a journal with a gap";
}

TEST_F(JournalTest, TheEndWaitsForTheDiskOnlySoLong) {
  const auto journal = open("tic.1");
  begin(*journal);
  written();
  StalledFile stalled(file("tic.1"));
  journal->play(1, {});
  journal->reply(1, "noop");
  EXPECT_EQ(journals.leave(std::chrono::steady_clock::now()), 2u);
  JournalFolder next(folder.path().string(), 0);
  EXPECT_TRUE(next.claim()) << "the thread still writes there";
  stalled.release();
}

TEST_F(JournalTest, WhatWaitsIsWrittenAtTheEnd) {
  const auto journal = open("tic.1");
  begin(*journal);
  journal->play(1, {});
  EXPECT_EQ(journals.leave(std::chrono::steady_clock::now() + std::chrono::minutes(5)), 0u);
  EXPECT_EQ(parse_journal(text_of(file("tic.1")))->turns.size(), 1u);
}

TEST(JournalText, AnyFlippedBitShows) {
  const std::string text = journal_text(two_turns());
  const std::size_t last_line = text.rfind('\n', text.size() - 2) + 1;
  for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
    std::string flipped = text;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    const auto match = parse_journal(flipped);
    if (!match) continue;
    // Only without its end is the last line as if it were not written yet, which is told.
    EXPECT_EQ(bit / 8, text.size() - 1);
    EXPECT_TRUE(match->torn);
    EXPECT_EQ(journal_text(*match), text.substr(0, last_line));
  }
}

TEST(JournalText, ALineThatIsMissingOrTooManyShows) {
  const std::string text = journal_text(two_turns());
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line + "\n");
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(problem_of(text), "");
  EXPECT_THAT(problem_of(lines[1] + lines[2]), testing::StartsWith("line 1: its checksum"));
  EXPECT_THAT(problem_of(lines[0] + lines[2]), testing::StartsWith("line 2: its checksum"));
  EXPECT_THAT(problem_of(text + lines[3]), testing::StartsWith("line 5: its checksum"));
  EXPECT_THAT(problem_of(""), testing::HasSubstr("no whole line"));
}

TEST(JournalText, AByteOrderMarkIsSkipped) {
  EXPECT_EQ(problem_of("\xef\xbb\xbf" + journal_text(two_turns())), "");
}

TEST(JournalFolder, ThatCantBeMadeIsASentence) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "file") << "x";
  JournalFolder journals((folder.path() / "file" / "folder").string(), 0);
  EXPECT_TRUE(journals.claim());
  EXPECT_EQ(journals.open("tic.1", {}), nullptr);
}

TEST(JournalFolder, WithoutPathThereAreNone) {
  JournalFolder journals("", 0);
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
