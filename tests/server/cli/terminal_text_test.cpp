// SPDX-License-Identifier: MIT
// What rulesheets, moves and records hold does nothing to the terminal on which it is shown.
#include <filesystem>
#include <fstream>

#include "tests/server/run_program.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

namespace fs = std::filesystem;

/// The first byte that is a control character but not a line end, with the text around it.
std::string control_character(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool c1 =
        byte == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    const bool bidi = text.compare(i, 3, "\xe2\x80\xae") == 0;
    if ((byte < 0x20 && byte != '\n') || byte == 0x7f || c1 || bidi) {
      return std::to_string(int{byte}) + " in: " + text.substr(i < 40 ? 0 : i - 40, 80);
    }
  }
  return "none";
}

class TerminalText : public testing::Test {
 protected:
  TerminalText() {
    std::ofstream(game_)
        << "(role \x1b[31ma) (role b\xc2\x9b"
           "2J) (init (c 1)) (init (c \x1b]0:pwn\x07))"
           "(init (cell 1 1 \x7f)) (init (cell 1 2 \xe2\x80\xae)) (legal zz\x1b[1m go)"
           "(<= (legal ?r \x1b[2Jgo) (role ?r)) (<= (legal ?r \x1b[3Jno) (role ?r))"
           "(<= (next (c 2)) (true (c 1))) (<= (next (\x1b[7ms ?m)) (does ?r ?m))"
           "(<= terminal (true (c 2))) (<= (goal ?r 50) (role ?r)) (<= (\x1b[5mq ?x) (r ?x))";
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (scratch_.path() / name).string();
  }

  ScratchFolder scratch_;
  const std::string game_ = (scratch_.path() / "esc.kif").string();
};

TEST_F(TerminalText, IsFreeOfControlCharactersInEveryCommand) {
  const std::string records = " --out " + path("records");
  for (const std::string& command :
       {"check " + game_, "show " + game_, "show " + game_ + " --playout --seed 1",
        "think " + game_ + " --seconds 0.1", "solve " + game_ + " --all-moves", "explain " + game_,
        "think " + game_ + " --strategy alphabeta:depth=2 --trace",
        "analyze " + game_ + " --seconds 0.2", "perft " + game_ + " 1",
        "speed " + game_ + " --seconds 0.1", "agree " + game_,
        "match " + game_ + " --player random --player legal" + records,
        "match " + game_ + " --player random --player legal --quiet" + records,
        "replay --boards " + path("records"), "think " + game_ + " --role nobody",
        "report " + path("records") + " --out " + path("r.html")}) {
    const ProgramRun run = run_program(command + " 2>&1");
    EXPECT_FALSE(run.output.empty()) << command;
    EXPECT_EQ(control_character(run.output), "none") << command;
  }
}

TEST_F(TerminalText, IsFreeOfControlCharactersInWhatTournamentsSay) {
  std::ofstream(path("t.xml")) << "<tournament><player name=\"a&#27;[31m\">random</player>"
                                  "<player name=\"b\">legal</player><rounds>2</rounds>"
                                  "<game>esc.kif</game></tournament>";
  const ProgramRun run =
      run_program("tournament " + path("t.xml") + " --out " + path("t") + " 2>&1");
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_THAT(run.output, testing::HasSubstr("a\u241b[31m 50"));
  EXPECT_EQ(control_character(run.output), "none");
}

TEST_F(TerminalText, IsEscapedInTheirOwnWayByJsonAndPages) {
  const ProgramRun run = run_program("show " + game_ + " --json");
  EXPECT_THAT(run.output, testing::HasSubstr("\\u001b[31ma"));
  EXPECT_EQ(run.output.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace ludens::server
