#include "server/records/record_files.h"

#include <filesystem>
#include <fstream>

#include "server/game/rulesheet.h"
#include "server/records/atomic_file.h"
#include "server/records/ggp_json.h"
#include "tests/server/records/sample_record.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& file) {
  auto text = read_file(file);
  return std::holds_alternative<std::string>(text) ? std::get<std::string>(text) : "unreadable";
}

/// The sample as it was after that many steps.
MatchRecord after_steps(std::size_t steps) {
  MatchRecord record = sample_record();
  record.states.resize(steps + 1);
  record.moves.resize(steps);
  record.state_times_ms.resize(steps + 1);
  record.errors.resize(steps + 1);
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
  const auto records = [](const fs::path& path) {
    return std::get<std::vector<FoundRecord>>(read_records(path));
  };
  EXPECT_EQ(records(files.json()).size(), 1u);
  ASSERT_EQ(records(archive).size(), 3u);  // the archive holds an object over two lines
  const auto xml = records(files.xml());
  ASSERT_TRUE(std::holds_alternative<MatchRecord>(xml[0].record));
  const auto& read = std::get<MatchRecord>(xml[0].record);
  EXPECT_EQ(read.states[1], "( ( CELL 1 1 X ) ( STEP 1 ) )");
  EXPECT_EQ(read.rulesheet, sample_record().rulesheet);
  EXPECT_EQ(read.goals, sample_record().goals);
  const auto last = records(files.xml() / "finalstate.xml");
  EXPECT_TRUE(std::get<MatchRecord>(last[0].record).states[0].empty());
}

TEST(RecordFiles, SayWhatCannotBeRead) {
  const ScratchFolder folder;
  EXPECT_THAT(std::get<std::string>(read_records(folder.path() / "none.json")),
              testing::HasSubstr("No such file"));
  const auto found = std::get<std::vector<FoundRecord>>(read_records(folder.path()));
  EXPECT_EQ(std::get<std::string>(found[0].record), "no step_1.xml in it");
}

TEST(RecordFiles, SayOnceWhatIsWrongWithAnObjectOfManyLines) {
  const ScratchFolder folder;
  const fs::path file = folder.path() / "pretty.json";
  std::ofstream(file) << "{\n \"matchId\": \"m\",\n \"moves\": [],\n \"states\": [1e999]\n}\n";
  const auto found = std::get<std::vector<FoundRecord>>(read_records(file));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(std::get<std::string>(found[0].record), testing::HasSubstr("at line 4, column "));
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
