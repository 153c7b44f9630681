// SPDX-License-Identifier: MIT
#include "server/records/record_files.h"
#include "gdl/text/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "server/game/rulesheet.h"
#include "server/records/atomic_file.h"
#include "server/records/dresden_xml.h"
#include "server/records/ggp_json.h"
#include "server/records/replay.h"
#include "tests/server/records/sample_record.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& file) {
  auto text = gdl::read_file(file);
  return text.has_value() ? *text : "unreadable";
}

/// The sample as it was after that many steps.
MatchRecord after_steps(std::size_t steps) {
  MatchRecord record = sample_record();
  record.states.resize(steps + 1);
  record.moves.resize(steps);
  record.state_times_ms.resize(steps + 1);
  record.errors.resize(steps + 1);
  record.latencies_ms.clear();
  record.values.clear();
  record.claims.clear();
  record.risked.clear();
  record.replacements.clear();
  record.completed = false;
  return record;
}

TEST(RecordFiles, HasAJsonAndAnXmlFileAStateAfterEachStep) {
  const ScratchFolder folder;
  RecordFiles files(folder.path() / "new", "sample.1400000000000");
  EXPECT_EQ(files.save(after_steps(0)), std::nullopt);
  EXPECT_EQ(content(files.json()), to_ggp_json(after_steps(0)));
  EXPECT_TRUE(fs::exists(files.xml() / "step_1.xml"));
  EXPECT_FALSE(fs::exists(files.xml() / "finalstate.xml"));
  EXPECT_EQ(files.save(after_steps(1)), std::nullopt);
  EXPECT_EQ(files.save(after_steps(2)), std::nullopt);
  EXPECT_EQ(files.save(sample_record()), std::nullopt);
  EXPECT_EQ(content(files.json()), to_ggp_json(sample_record()));
  EXPECT_EQ(content(files.xml() / "step_3.xml"), content(files.xml() / "finalstate.xml"));
  EXPECT_EQ(content(files.xml() / "rulesheet.kif"), sample_record().rulesheet);
}

TEST(RecordFiles, AByteOrderMarkIsSkipped) {
  const ScratchFolder folder;
  RecordFiles files(folder.path(), "m.1");
  files.save(sample_record());
  for (const fs::path& file : {files.json(), files.xml() / "finalstate.xml"}) {
    const std::string text = content(file);
    std::ofstream(file, std::ios::binary) << "\xef\xbb\xbf" << text;
    const auto records = read_records(file);
    ASSERT_TRUE(records) << records.error().text;
    ASSERT_EQ(records->size(), 1u);
    EXPECT_TRUE(records->front().record) << records->front().record.error().text;
  }
}

TEST(RecordFiles, AMatchThatIsPlayedAgainKeepsNoStateOfTheFirst) {
  const ScratchFolder folder;
  RecordFiles(folder.path(), "m.1").save(sample_record());
  RecordFiles again(folder.path(), "m.1");
  again.save(after_steps(0));
  EXPECT_FALSE(fs::exists(again.xml() / "finalstate.xml"));
  again.save(after_steps(1));
  const auto records = read_records(again.xml());
  ASSERT_TRUE(records.has_value() && records->front().record.has_value());
  EXPECT_EQ(records->front().record->states.size(), 2u);
}

TEST(RecordFiles, OfALongMatchAreNotWrittenAfterEachStep) {
  const ScratchFolder folder;
  RecordFiles files(folder.path(), "m.1");
  MatchRecord record = after_steps(0);
  record.rulesheet.append(std::size_t{16} << 20, ' ');
  const auto last = [&] {
    return files.xml() / ("step_" + std::to_string(record.states.size()) + ".xml");
  };
  bool all = true;
  for (int step = 0; step < 2000 && all; ++step) {
    ASSERT_EQ(files.save(record), std::nullopt);
    all = fs::exists(last());
    record.states.push_back(record.states.back());
    record.state_times_ms.push_back(record.state_times_ms.back());
    record.moves.push_back({"noop", "noop"});
    record.errors.push_back({"", ""});
  }
  EXPECT_FALSE(all);
  record.aborted = true;
  ASSERT_EQ(files.save(record), std::nullopt);
  EXPECT_TRUE(fs::exists(last()));
  const auto saved = read_records(files.json());
  ASSERT_TRUE(saved->front().record.has_value()) << saved->front().record.error().text;
  EXPECT_EQ(saved->front().record->states.size(), record.states.size());
  EXPECT_EQ(read_records(files.xml())->front().record->states.size(), record.states.size());
}

/// With a whole record for each step, 1,000 steps would write 500 times the last one.
TEST(RecordFiles, OfALongMatchWriteItsTextAFewTimes) {
  const ScratchFolder folder;
  RecordFiles files(folder.path(), "m.1");
  MatchRecord record = after_steps(0);
  std::uintmax_t written = 0, last = 0;
  for (int step = 0; step < 1000; ++step) {
    record.states.push_back("( ( step " + std::to_string(step) + " ) )");
    record.state_times_ms.push_back(record.state_times_ms.back());
    record.moves.push_back({"noop", "noop"});
    record.errors.push_back({"", ""});
    ASSERT_EQ(files.save(record), std::nullopt);
    const std::uintmax_t size = fs::file_size(files.json());
    if (size == last) continue;
    written += last = size;
    // What a killed program leaves can be read.
    const auto saved = read_records(files.json());
    ASSERT_TRUE(saved.has_value()) << saved.error().text;
    ASSERT_TRUE(saved->front().record.has_value()) << saved->front().record.error().text;
  }
  record.aborted = true;
  ASSERT_EQ(files.save(record), std::nullopt);
  EXPECT_LT(written, 12 * fs::file_size(files.json()));
}

/// A program that is killed may have written the state and not yet the whole match.
TEST(RecordFiles, TheXmlOfAnOpenMatchMayHaveMoreThanTheJson) {
  const ScratchFolder folder;
  RecordFiles files(folder.path(), "m.1");
  files.save(after_steps(0));
  files.save(after_steps(2));
  const MatchRecord json = *read_records(files.json())->front().record;
  const MatchRecord xml = *xml_beside(files.json())->record;
  EXPECT_EQ(xml.states.size(), 3u);
  EXPECT_EQ(first_difference(after_steps(1), xml), std::nullopt);
  EXPECT_EQ(first_difference(json, xml), std::nullopt);
}

TEST(RecordFiles, LeavesNoTemporaryFiles) {
  const ScratchFolder folder;
  RecordFiles files(folder.path(), "m.1");
  files.save(sample_record());
  for (const auto& entry : fs::recursive_directory_iterator(folder.path())) {
    EXPECT_NE(entry.path().filename().string().front(), '.') << entry.path();
  }
}

TEST(RecordFiles, TellsAFailureOnceAndTriesAgain) {
  const ScratchFolder folder;
  const fs::path blocked = folder.path() / "blocked";
  std::ofstream(blocked) << "a file where a folder should be";
  RecordFiles files(blocked, "m.1");
  const auto problem = files.save(after_steps(0));
  ASSERT_TRUE(problem.has_value());
  EXPECT_THAT(*problem, testing::HasSubstr("blocked"));
  EXPECT_EQ(files.save(after_steps(1)), std::nullopt);
  fs::remove(blocked);
  EXPECT_EQ(files.save(after_steps(2)), std::nullopt);
  EXPECT_TRUE(fs::exists(files.xml() / "step_1.xml"));
  EXPECT_TRUE(fs::exists(files.xml() / "step_3.xml"));
}

TEST(RecordFiles, NeverLeavesItsFolder) {
  EXPECT_EQ(RecordFiles("d", "../../etc/x y").json(), fs::path("d/_.._.._etc_x_y.json"));
  EXPECT_EQ(safe_file_name(""), "_");
  EXPECT_EQ(safe_file_name("tiltyard.ticTacToe-1_2"), "tiltyard.ticTacToe-1_2");
}

TEST(RecordFiles, AreReadBackInEveryForm) {
  const ScratchFolder folder;
  RecordFiles files(folder.path(), "m.1");
  for (std::size_t steps = 0; steps < 3; ++steps) files.save(after_steps(steps));
  files.save(sample_record());
  const fs::path archive = folder.path() / "archive.jsonl";
  std::ofstream(archive) << to_ggp_json(sample_record()) << "\n"
                         << R"({"url":"u","data":)" << to_ggp_json(sample_record()) << "}\n";
  const auto records = [](const fs::path& path) { return read_records(path).value(); };
  EXPECT_EQ(records(files.json()).size(), 1u);
  ASSERT_EQ(records(archive).size(), 3u);  // the archive holds an object over two lines
  const auto xml = records(files.xml());
  ASSERT_TRUE(xml[0].record.has_value());
  const auto& read = *xml[0].record;
  EXPECT_EQ(read.states[1], "( ( CELL 1 1 X ) ( STEP 1 ) )");
  EXPECT_EQ(read.rulesheet, sample_record().rulesheet);
  EXPECT_EQ(read.goals, sample_record().goals);
  const auto last = records(files.xml() / "finalstate.xml");
  EXPECT_TRUE(last[0].record->states[0].empty());
}

/// Everything in a folder of XML that says something of the match is read.
TEST(RecordFiles, OfXmlAreComparedWithEachOther) {
  const ScratchFolder folder;
  RecordFiles files(folder.path(), "m.1");
  for (std::size_t steps = 0; steps < 3; ++steps) files.save(after_steps(steps));
  files.save(sample_record());
  const auto read = [&] { return read_records(files.xml())->front().record; };
  const auto edited = [&](const char* name, const std::string& text) {
    const std::string before = content(files.xml() / name);
    std::ofstream(files.xml() / name) << text;
    const auto record = read();
    std::ofstream(files.xml() / name) << before;
    return record ? "agrees" : record.error().text;
  };
  MatchRecord other = sample_record();
  other.goals = {50, 50};
  EXPECT_EQ(edited("finalstate.xml", to_dresden_xml(other, 2)),
            "finalstate.xml has other scores than step_3.xml");
  EXPECT_THAT(edited("finalstate.xml", "garbage"), testing::StartsWith("finalstate.xml: no XML"));
  other = sample_record();
  other.moves[0][0] = "( mark 2 2 )";
  EXPECT_EQ(edited("step_2.xml", to_dresden_xml(other, 1)),
            "step_2.xml has other moves than step_3.xml");
  EXPECT_TRUE(read()->missing.empty());
  fs::remove(files.xml() / "finalstate.xml");
  EXPECT_EQ(read()->missing, std::vector<std::string>{"finalstate.xml"});
  fs::remove(files.xml() / "step_2.xml");
  EXPECT_EQ(read().error().text, "step_2.xml is missing, and later ones are there");
}

TEST(RecordFiles, OfRulesThatAreNotUtf8AgreeWithThem) {
  const ScratchFolder folder;
  MatchRecord record;
  record.match_id = "m.1";
  record.rulesheet =
      "(role \xe9) (init (at \xe9)) (legal \xe9 (go \xe9)) (<= (next over) (does \xe9 (go \xe9)))"
      "(<= terminal (true over)) (goal \xe9 100)";
  record.roles = {"\xe9"};
  record.players = {"random"};
  record.states = {"( ( at \xe9 ) )", "( over )"};
  record.moves = {{"( go \xe9 )"}};
  record.state_times_ms = {1, 2};
  record.errors = {{""}, {""}};
  record.completed = true;
  record.goals = {100};
  RecordFiles files(folder.path(), "m.1");
  ASSERT_EQ(files.save(record), std::nullopt);
  for (const fs::path& form : {files.json(), files.xml()}) {
    const auto found = read_records(form).value();
    ASSERT_TRUE(found[0].record.has_value()) << form;
    const auto rules = read_rulesheet("test", found[0].record->rulesheet).rules;
    const ReplayResult result = replay(in_order_of(*found[0].record, *rules), rules);
    for (const Disagreement& other : result.disagreements) ADD_FAILURE() << form << other.what;
    EXPECT_EQ(result.steps, 1u);
  }
}

TEST(RecordFiles, SayWhatCannotBeRead) {
  const ScratchFolder folder;
  EXPECT_THAT(read_records(folder.path() / "none.json").error().text,
              testing::HasSubstr("No such file"));
  const auto found = read_records(folder.path()).value();
  EXPECT_EQ(found[0].record.error().text, "no step_1.xml in it");
  EXPECT_THAT(find_records(folder.path()).error().text, testing::EndsWith(": no records in it"));
}

TEST(RecordFiles, AreFoundBelowAFolderEachMatchOnce) {
  const ScratchFolder folder;
  RecordFiles(folder.path() / "b", "m.1").save(sample_record());
  RecordFiles(folder.path() / "b", "m.2").save(sample_record());
  fs::remove(folder.path() / "b" / "m.2.json");
  fs::create_directories(folder.path() / "a");
  for (const char* name : {"a/trace.xml", "a/torn.xml", "a/tournament.xml", "a/tournament.jsonl"}) {
    std::ofstream(folder.path() / name)
        << (name == std::string_view("a/trace.xml")  ? "<gametrace/>"
            : name == std::string_view("a/torn.xml") ? "<mat"
                                                     : "<tournament/>");
  }
  const auto files = find_records(folder.path());
  std::vector<std::string> found;
  for (const fs::path& file : *files) {
    found.push_back(file.lexically_relative(folder.path()).string());
  }
  EXPECT_THAT(found, testing::ElementsAre("a/torn.xml", "a/trace.xml", "b/m.1.json", "b/m.2.xml"));
}

TEST(RecordFiles, SayOnceWhatIsWrongWithAnObjectOfManyLines) {
  const ScratchFolder folder;
  const fs::path file = folder.path() / "pretty.json";
  std::ofstream(file) << "{\n \"matchId\": \"m\",\n \"moves\": [],\n \"states\": [1e999]\n}\n";
  const auto found = read_records(file).value();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0].record.error().text, testing::HasSubstr("at line 4, column "));
}

TEST(RecordFiles, TellBeforeTheFirstSaveWhetherTheFolderTakesFiles) {
  const ScratchFolder folder;
  EXPECT_FALSE(RecordFiles(folder.path() / "a" / "b", "m.1").reserve());
  std::ofstream(folder.path() / "file") << "x";
  EXPECT_EQ(RecordFiles(folder.path() / "file" / "b", "m.1").reserve(), std::errc::not_a_directory);
  EXPECT_TRUE(RecordFiles("/proc/self", "m.1").reserve());
}

TEST(RecordFiles, AreReservedForOneMatch) {
  const ScratchFolder folder;
  RecordFiles files(folder.path(), "m.1");
  EXPECT_FALSE(files.reserve());
  EXPECT_EQ(RecordFiles(folder.path(), "m.1").reserve(), std::errc::file_exists);
  EXPECT_THAT(find_records(folder.path()).error().text, testing::EndsWith(": no records in it"));
  EXPECT_EQ(files.save(sample_record()), std::nullopt);
  fs::remove_all(files.xml());
  EXPECT_EQ(RecordFiles(folder.path(), "m.1").reserve(), std::errc::file_exists);
}

TEST(RecordFiles, KnowWhetherTheLastSaveWentWell) {
  const ScratchFolder folder;
  std::ofstream(folder.path() / "blocked") << "x";
  RecordFiles files(folder.path() / "blocked", "m.1");
  files.save(after_steps(0));
  EXPECT_THAT(files.problem(), testing::HasSubstr("Not a directory"));
  files.save(after_steps(1));
  EXPECT_THAT(files.problem(), testing::HasSubstr("Not a directory"));
  fs::remove(folder.path() / "blocked");
  files.save(after_steps(2));
  EXPECT_EQ(files.problem(), "");
}

TEST(AtomicFile, LeavesDevicesAndLinksWhatTheyAre) {
  const ScratchFolder folder;
  const fs::path pipe = folder.path() / "pipe", link = folder.path() / "link";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  EXPECT_FALSE(try_writing(pipe));
  EXPECT_FALSE(write_atomically(pipe, "x", Durability::Synced));
  EXPECT_TRUE(fs::is_fifo(pipe));
  ::close(reader);
  const std::error_code full = std::make_error_code(std::errc::no_space_on_device);
  EXPECT_EQ(write_atomically("/dev/full", "x", Durability::Renamed), full);
  EXPECT_EQ(try_writing("/dev/full"), full);
  EXPECT_FALSE(try_writing("/dev/null"));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  fs::create_symlink("target", link);
  EXPECT_FALSE(try_writing(link));
  EXPECT_FALSE(write_atomically(link, "new", Durability::Renamed));
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(content(folder.path() / "target"), "new");
}

TEST(AtomicFile, KeepsTheOldFileWhenTheDiskIsFull) {
  const ScratchFolder folder;
  EXPECT_TRUE(write_atomically("/dev/full/x", "y", Durability::Renamed));
  const fs::path file = folder.path() / "f";
  EXPECT_FALSE(write_atomically(file, "old", Durability::Synced));
  EXPECT_FALSE(write_atomically(file, "new", Durability::Renamed));
  EXPECT_EQ(content(file), "new");
}

}  // namespace
}  // namespace ludens::server
