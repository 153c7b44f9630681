// SPDX-License-Identifier: MIT
// `conform` with inputs that hold nothing, or too little: a line and an exit code, and no hang.
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <filesystem>
#include <fstream>

#include "tests/server/run_program.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

namespace fs = std::filesystem;

class ConformCommand : public testing::Test {
 protected:
  ConformCommand() {
    fs::create_directories(games_);
    fs::create_directories(traces_);
  }
  void game(const std::string& key, const std::string& rules) {
    std::ofstream(games_ / (key + ".kif")) << rules;
  }
  void trace(const std::string& key, const std::string& lines) {
    std::ofstream raw(traces_ / (key + ".jsonl.gz"), std::ios::binary);
    boost::iostreams::filtering_ostream out;
    out.push(boost::iostreams::gzip_compressor());
    out.push(raw);
    out << lines;
  }
  [[nodiscard]] ProgramRun conform(const std::string& before = "") const {
    return run_program("conform " + games_.string() + " " + traces_.string() + " 2>&1",
                       before + "timeout 60");
  }

  ScratchFolder scratch_;
  const fs::path games_ = scratch_.path() / "games", traces_ = scratch_.path() / "traces";
};

const char* const kPlayout =
    "{\"seed\":1,\"roles\":[\"r\"],\"steps\":[{\"step\":0,\"state\":[\"( s 0 )\"],"
    "\"terminal\":false,\"legal\":[[\"go\"]],\"goals\":[50]}]}\n";

TEST_F(ConformCommand, RefusesRulesheetsWithoutRoles) {
  for (const char* rules : {"", "; nothing", "(p)"}) {
    game("g", rules);
    trace("g", kPlayout);
    const ProgramRun run = conform();
    EXPECT_EQ(run.code, 3) << rules;
    EXPECT_THAT(run.output, testing::HasSubstr("ludens: g.kif: the rulesheet has no roles\n"));
  }
}

TEST_F(ConformCommand, ComparesRulesheetsOfFactsAlone) {
  game("g", "(role r) (init (s 0)) (legal r go) (next (s 0)) (goal r 50)");
  trace("g", kPlayout);
  const ProgramRun run = conform();
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_THAT(run.output, testing::HasSubstr("1 of 1 games agree"));
}

TEST_F(ConformCommand, DoesNotPassWithTracesThatItCannotList) {
  game("g", "(role r) (init (s 0)) (legal r go) (next (s 0)) (goal r 50)");
  trace("g", kPlayout);
  fs::path deep = traces_;
  for (int level = 0; level < 64; ++level) deep /= "d";
  fs::create_directories(deep);
  EXPECT_EQ(conform().code, 0);
  const ProgramRun run = conform("ulimit -n 32; ");  // a folder that is listed is an open file
  EXPECT_EQ(run.code, 3);
  EXPECT_EQ(run.output, "ludens: conform: " + traces_.string() + ": Too many open files\n");
}

TEST_F(ConformCommand, SaysWhatIsMissing) {
  EXPECT_EQ(conform().code, 3);
  EXPECT_THAT(conform().output, testing::HasSubstr("no traces (KEY.jsonl.gz) here"));
  game("g", "(role r)");
  trace("g", "");
  EXPECT_THAT(conform().output, testing::HasSubstr("g.jsonl.gz: no playouts"));
  trace("g", "null\n");
  EXPECT_THAT(conform().output, testing::HasSubstr("g.jsonl.gz: playout 1: not an object"));
  fs::remove_all(games_);
  EXPECT_EQ(conform().output,
            "ludens: conform: " + games_.string() + ": No such file or directory\n");
  std::ofstream(games_) << "x";
  EXPECT_EQ(conform().output, "ludens: conform: " + games_.string() + ": it is no folder\n");
}

}  // namespace
}  // namespace ludens::server
