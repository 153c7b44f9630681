// SPDX-License-Identifier: MIT
// One exit code for one kind of mistake, whatever the command.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "server/cli/exit_code.h"
#include "tests/server/cli/command_run.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

using Words = std::vector<std::string>;

class ExitCodes : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_.path() / name) << text;
    return path(name);
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  /// A name in a place where no process can write.
  static std::string unwritable() { return "/proc/ludens_test"; }

  /// Each command with `what` in place of `@`, and records kept out of the way.
  void expect(int code, const std::vector<Words>& commands, const std::string& what) {
    for (Words words : commands) {
      std::string line = "ludens";
      for (std::string& word : words) {
        if (word == "@") word = what;
        line += " " + word;
      }
      const CommandRun run = run_command(words);
      EXPECT_EQ(run.code, code) << line << "\n" << run.err;
      EXPECT_EQ(run.out, "") << line;
      EXPECT_FALSE(run.err.empty()) << line;
      EXPECT_EQ(run.err.find("terminate"), std::string::npos) << line;
    }
  }

  /// Commands that take a game, with `@` for it.
  static std::vector<Words> with_game() {
    return {{"check", "@"},
            {"convert", "@", "/dev/null"},
            {"show", "@"},
            {"think", "@"},
            {"solve", "@"},
            {"explain", "@"},
            {"analyze", "@"},
            {"perft", "@", "1"},
            {"speed", "@"},
            {"match", "@"},
            {"play", "@"},
            {"demo", "--game", "@"},
            {"compliance", "http://127.0.0.1:1", "--game", "@"}};
  }
  /// Commands that read another file, with `@` for it.
  static std::vector<Words> with_file() {
    return {{"show", "nim", "--moves", "@"},
            {"think", "nim", "--moves", "@"},
            {"solve", "nim", "--moves", "@"},
            {"explain", "nim", "--at", "@"},
            {"tournament", "@"},
            {"tournament", "--merge", "@"},
            {"report", "@", "--out", "/dev/null"},
            {"--config", "@", "perft", "nim", "1"}};
  }

  ScratchFolder folder_;
};

TEST_F(ExitCodes, AFileThatIsMissing) {
  expect(kCouldNot, with_game(), path("missing.kif"));
  expect(kCouldNot, with_file(), path("missing"));
  expect(kCouldNot, {{"replay", "@"}, {"replay", "@", "--game", "nim"}}, path("missing"));
  expect(kCouldNot, {{"conform", "@", "@"}}, path("missing"));
}

/// An option that may be repeated takes one word: what follows is the game.
TEST_F(ExitCodes, AGameThatIsMissingBehindOptions) {
  expect(kCouldNot,
         {{"match", "--player", "random", "--player", "legal", "@", "--seed", "1"},
          {"play", "--against", "mcts", "@"},
          {"analyze", "--skip", "share", "@", "--seed", "1"}},
         path("missing.kif"));
  const CommandRun agree =  // which sums up what it has compared
      run_command({"agree", "--machine", "scalar", path("missing.kif"), "--seed", "1"});
  EXPECT_EQ(agree.code, kCouldNot) << agree.err;
  expect(kWrongUse,
         {{"match", "nim", "--player", "random", "legal"}, {"serve", "--allow", "10.0.0.1", "x"}},
         "");
}

TEST_F(ExitCodes, AFolderInPlaceOfAFile) {
  std::filesystem::create_directories(path("folder"));
  expect(kCouldNot, with_game(), path("folder"));
  expect(kCouldNot, with_file(), path("folder"));
}

TEST_F(ExitCodes, AGameThatNobodyKnows) {
  expect(kCouldNot, with_game(), "no_such_game");
  expect(kCouldNot, {{"replay", "@", "--game", "no_such_game"}}, path("missing"));
  expect(kCouldNot, {{"tournament", "@"}},
         write("t.xml",
               "<tournament><player>random</player><player>legal</player>"
               "<game>no_such_game</game></tournament>"));
}

TEST_F(ExitCodes, ARulesheetThatIsBroken) {
  auto commands = with_game();
  commands.erase(commands.begin());  // `check` reports on standard output
  for (const std::string text : {"", "; nothing", "(role x", "(init a)"}) {
    const std::string game = write("broken.kif", text);
    expect(kNotGood, commands, game);
    EXPECT_EQ(run_command({"check", game}).code, kNotGood) << text;
  }
}

/// What it advises is an option of the command, or of another one that it names.
TEST_F(ExitCodes, ARulesheetWithErrorsSaysWhatPlaysIt) {
  const std::string game =  // `terminal` must not depend on what is done
      write("wrong.kif",
            "(role r)(legal r go)(init a)(<= (next b) (does r go))(<= terminal (true b))(goal r 1)"
            "(<= sprung (does r go))(<= terminal sprung)");
  for (const Words& words : std::vector<Words>{{"play", game},
                                               {"demo", "--game", game},
                                               {"compliance", "http://127.0.0.1:1", "--game", game},
                                               {"match", game}}) {
    const CommandRun run = run_command(words);
    EXPECT_EQ(run.code, kNotGood) << words.front();
    const bool own = words.front() == "match";
    EXPECT_NE(run.err.find(own ? "; --force plays it" : "; `ludens match --force` plays it"),
              std::string::npos)
        << words.front() << ": " << run.err;
  }
}

TEST_F(ExitCodes, ATournamentOrConfigurationThatIsBroken) {
  for (const std::string text : {"", "<tournament", "<other/>", "<tournament><a/></tournament>"}) {
    expect(kCouldNot, {{"tournament", "@"}, {"--config", "@", "perft", "nim", "1"}},
           write("broken.xml", text));
  }
  expect(kCouldNot, {{"--config", "@", "perft", "nim", "1"}},
         write("c.xml", "<ludens><perft><threads>-1</threads></perft></ludens>"));
}

TEST_F(ExitCodes, WrongUse) {
  expect(kWrongUse,
         {{},
          {"no_such_command"},
          {"--no-such-option"},
          {"check"},
          {"check", "nim", "--no-such-option"},
          {"perft", "nim"},
          {"perft", "nim", "x"},
          {"games", "nim"},
          {"show", "nim", "--moves", "x", "--playout"},
          {"think", "nim", "--strategy", "nobody"},
          {"think", "nim", "--role", "nobody"},
          {"think", "nim", "--strategy", "value:knowledge=/no/such"},
          {"think", "nim", "--trace", "--json"},
          {"solve", "nim", "--method", "magic"},
          {"solve", "nim", "--role", "nobody"},
          {"solve", "nim", "--machine", "steam"},
          {"solve", "kuhn_poker", "--all-moves"},
          {"solve", "kuhn_poker", "--role", "second"},
          {"solve", "nim", "--method", "cfr", "--role", "second"},
          {"explain", "nim", "--role", "nobody"},
          {"explain", "nim", "--machine", "steam"},
          {"perft", "nim", "1", "--machine", "steam"},
          {"speed", "nim", "--machine", "steam"},
          {"speed", "nim", "--policy", "laissez-faire"},
          {"speed", "nim", "--json", "--csv"},
          {"agree", "nim", "--machine", "steam"},
          {"analyze", "nim", "--skip", "stones"},
          {"conform", "a", "b", "--machine", "steam"},
          {"conform", "a", "b", "--only", "("},
          {"play"},
          {"play", "nim", "--as", "nobody"},
          {"play", "nim", "--against", "nobody"},
          {"replay", "x", "--boards", "--json"},
          {"demo", "--page", "x.html"},
          {"learn", "nim", "--join", "a", "b"},
          {"compliance"},
          {"compliance", "ftp://x"},
          {"compliance", "http://127.0.0.1:1", "--only", "no_such_case"},
          {"match", "nim", "--player", "nobody"},
          {"match", "nim", "--player", "human"},
          {"match", "nim", "--player", "auto:knowledge=/no/such"},
          {"match", "nim", "--player", "http://127.0.0.1:99999"},
          {"match", "nim", "--player", "random", "--player", "random", "--player", "random"},
          {"tournament"},
          {"tournament", "x.xml", "--shard", "2/1"},
          {"tournament", "x.xml", "--shard", ""},
          {"tournament", "--merge", "a", "--shard", "1/2"},
          {"tournament", "--merge", "a", "--resume"},
          {"tournament", "--merge", "a", "--concurrency", "3"},
          {"tournament", "--merge", "a", "--watch", "1"},
          {"serve", "--allow", ""},
          {"serve", "--allow", "10.0.0.0/8", "--allow", ""},
          {"serve", "--strategy", "nobody"},
          {"serve", "--strategy", "auto:knowledge=/no/such"}},
         "");
}

/// A value is refused before anything is written.
TEST_F(ExitCodes, WrongUseLeavesNoFile) {
  expect(kWrongUse,
         {{"serve", "--allow", "junk", "--log", "@"}, {"serve", "--strategy", "x", "--log", "@"}},
         path("log"));
  EXPECT_FALSE(std::filesystem::exists(path("log")));
}

/// A port that is taken while it lives.
class TakenPort {
 public:
  TakenPort() : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* general = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(socket_, general, size), 0);
    EXPECT_EQ(::listen(socket_, 1), 0);
    EXPECT_EQ(::getsockname(socket_, general, &size), 0);
    port_ = std::to_string(ntohs(address.sin_port));
  }
  ~TakenPort() { ::close(socket_); }
  TakenPort(const TakenPort&) = delete;
  TakenPort& operator=(const TakenPort&) = delete;
  [[nodiscard]] const std::string& port() const { return port_; }

 private:
  int socket_;
  std::string port_;
};

TEST_F(ExitCodes, APortThatIsTaken) {
  const TakenPort taken;
  const std::string tournament =
      write("t.xml",
            "<tournament><player>random</player><player>legal</player><game>nim</game>"
            "</tournament>");
  expect(kCouldNot,
         {{"serve", "--journal", "off", "--port", "@"},
          {"serve", "--journal", "off", "--port", "0", "--watch", "@"},
          {"match", "nim", "--player", "random", "--watch", "@", "--out", path("m")},
          {"tournament", tournament, "--watch", "@", "--out", path("t")}},
         taken.port());
}

TEST_F(ExitCodes, AnOutputThatCannotBeWritten) {
  const std::string tournament =
      write("t.xml",
            "<tournament><player>random</player><player>legal</player><game>nim</game>"
            "</tournament>");
  ASSERT_EQ(run_command({"tournament", tournament, "--out", path("t")}).code, kGood);
  for (const Words& words : std::vector<Words>{
           {"tournament", tournament, "--out", unwritable()},
           {"tournament", "--merge", path("t"), "--out", unwritable()},
           {"report", path("t"), "--out", unwritable() + "/page.html"},
           {"convert", "tic_tac_toe", unwritable() + "/game.hrf"},
           {"match", "nim", "--player", "random", "--player", "random", "--out", unwritable()},
           {"analyze", "nim", "--seconds", "0.1", "--dot", unwritable()},
           {"learn", "tic_tac_toe", "--out", unwritable()},
           {"solve", "nim", "--policy", unwritable()},
           {"serve", "--log", unwritable()}}) {
    const CommandRun run = run_command(words);
    EXPECT_EQ(run.code, kCouldNot) << words.front() << ": " << run.err;
    EXPECT_NE(run.err.find(unwritable()), std::string::npos) << words.front() << ": " << run.err;
  }
}

TEST_F(ExitCodes, AGameInTheLanguageThatIsWanted) {
  expect(kWrongUse,
         {{"convert", "tic_tac_toe", path("a.KIF")}, {"convert", "wythoff", path("b.Hrf")}}, "");
}

TEST_F(ExitCodes, AnIllegalMove) {
  expect(kNotGood,
         {{"show", "nim", "--moves", "@"},
          {"think", "nim", "--moves", "@"},
          {"solve", "nim", "--moves", "@"},
          {"explain", "nim", "--at", "@"}},
         write("moves", "( ( take z 9 ) noop )\n"));
}

}  // namespace
}  // namespace ludens::server
