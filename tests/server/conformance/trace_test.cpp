// SPDX-License-Identifier: MIT
#include "server/conformance/trace.h"

#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <fstream>

#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

class Trace : public testing::Test {
 protected:
  /// What is said of a file with one playout of two roles that has this step.
  std::string problem_of_step(const std::string& step) {
    const auto file = scratch_.path() / "t.jsonl.gz";
    std::ofstream raw(file, std::ios::binary);
    boost::iostreams::filtering_ostream out;
    out.push(boost::iostreams::gzip_compressor());
    out.push(raw);
    out << R"({"seed":1,"roles":["a","b"],"steps":[{"step":4,"state":[],"terminal":false,)" << step
        << "}]}\n";
    out.reset();
    raw.close();
    const auto read = read_trace(file);
    return read ? "none" : read.error().text.substr(file.string().size());
  }

  ScratchFolder scratch_;
};

/// Of games in which one role moves at a time, only its moves are recorded.
TEST_F(Trace, MayTellOfTheRoleInControlAlone) {
  EXPECT_EQ(problem_of_step(R"("control":"b","legal":["x","y"],"goals":[1,[0,5]],"move":"x")"),
            "none");
  EXPECT_EQ(problem_of_step(R"("control":null,"goals":[1,0])"), "none");
  EXPECT_EQ(problem_of_step(R"("control":"c","legal":["x"])"),
            ": playout 1: 'c' in control is not a role");
}

TEST_F(Trace, HasOneEntryARole) {
  EXPECT_EQ(problem_of_step(R"("legal":[["x"],["y"]],"goals":[1,null],"move":["x","y"])"), "none");
  EXPECT_EQ(problem_of_step(R"("legal":[["x"],["y"],["z"]])"),
            ": playout 1: step 4: 'legal' has 3 entries for 2 roles");
  EXPECT_EQ(problem_of_step(R"("goals":[1])"),
            ": playout 1: step 4: 'goals' has 1 entries for 2 roles");
  EXPECT_EQ(problem_of_step(R"("move":["x","y"],"sees":[["p"],[]])"), "none");
  EXPECT_EQ(problem_of_step(R"("move":["x","y"],"sees":[["p"]])"),
            ": playout 1: step 4: 'sees' has 1 entries for 2 roles");
  EXPECT_EQ(problem_of_step(R"("moves":[["x","y"],["x"]])"),
            ": playout 1: step 4: 'moves' has 1 entries for 2 roles");
}

TEST_F(Trace, SaysWhatIsWrongWithItsNumbers) {
  EXPECT_THAT(problem_of_step(R"("goals":[1e999,0])"), testing::HasSubstr("too large to be kept"));
  EXPECT_NE(problem_of_step(R"("goals":[1e300,0])"), "none");
}

}  // namespace
}  // namespace ludens::server
