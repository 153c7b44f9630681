// SPDX-License-Identifier: MIT
// Tournaments that are killed, and go on. The environment makes a long test of it: the variables
// LUDENS_KILLED_TOURNAMENT (a file, default: a small one) and LUDENS_KILLS (default: 3).
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "gdl/machine/rng.h"
#include "server/tournament/log.h"
#include "tests/project_folder.h"
#include "tests/protocol/serve_process.h"
#include "tests/server/scratch_folder.h"

namespace ludens::server {
namespace {

namespace json = boost::json;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr const char* kSmall =
    "<tournament><rounds>6</rounds><concurrency>2</concurrency>"
    "<player>mcts:playouts=60</player><player>alphabeta:depth=2,ties=random,machine=interpreter</"
    "player>"
    "<player>random</player><game>tic_tac_toe</game><game>nim</game><game>pig</game>"
    "</tournament>";

class KilledTournament : public testing::Test {
 protected:
  KilledTournament() {
    const char* file = std::getenv("LUDENS_KILLED_TOURNAMENT");
    const char* kills = std::getenv("LUDENS_KILLS");
    file_ = file != nullptr ? file : (scratch_.path() / "small.xml").string();
    kills_ = kills != nullptr ? std::atoi(kills) : 3;
    std::ofstream(scratch_.path() / "small.xml") << kSmall;
  }

  std::vector<std::string> command(const std::string& out) const {
    return {ludens_program(), "tournament", file_, "--out", (scratch_.path() / out).string(),
            "--json",         "--resume"};
  }

  /// Plays to the end; the last line that it prints: the standings.
  std::string finish(const std::string& out) {
    Process process(command(out));
    std::string last;
    while (const auto line = process.read_line(std::chrono::seconds(300))) last = *line;
    EXPECT_EQ(process.wait(), 0) << process.errors();
    return last;
  }

  /// Kills it `delay` after so many matches of this run have ended, which a line each tells. It
  /// cannot end before, however busy the machine is, as long as its last lines fill more than a
  /// page.
  void run_and_kill(const std::string& out, std::size_t ended, milliseconds delay) {
    Process process(command(out));
    process.hold_output();
    for (std::size_t i = 0; i < ended; ++i) {
      ASSERT_TRUE(process.read_line(std::chrono::seconds(300))) << "no match ended";
    }
    std::this_thread::sleep_for(delay);
    process.signal(SIGKILL);
    EXPECT_EQ(process.wait(), -SIGKILL) << "it had ended before it was killed";
  }

  /// Lines of the log by match, without times and the checksums that depend on them.
  std::set<std::string> matches(const std::string& out) const {
    std::ifstream log(scratch_.path() / out / kLogFile);
    std::set<std::string> matches;
    std::string line;
    std::getline(log, line);
    while (std::getline(log, line)) {
      json::value match = json::parse(line);
      match.as_object().erase("times");
      match.as_object().erase("sum");
      EXPECT_TRUE(matches.insert(json::serialize(match)).second) << "twice: " << line;
    }
    return matches;
  }

  /// Where two logs differ, a match a line.
  static std::string difference(const std::set<std::string>& a, const std::set<std::string>& b) {
    std::vector<std::string> lines;
    std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(),
                                  std::back_inserter(lines));
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
  }

  static std::string without_times(const std::string& standings) {
    json::value value = json::parse(standings);
    drop_times(value);
    return json::serialize(value);
  }

  ScratchFolder scratch_;
  std::string file_;
  int kills_;

 private:
  static void drop_times(json::value& value) {
    if (json::array* array = value.if_array()) {
      for (json::value& entry : *array) drop_times(entry);
    }
    if (json::object* object = value.if_object()) {
      object->erase("think");
      for (auto& [key, entry] : *object) drop_times(entry);
    }
  }
};

TEST_F(KilledTournament, EndsAsIfNothingHadHappened) {
  const auto begun = Clock::now();
  const std::string standings = finish("whole");
  const auto whole = std::chrono::duration_cast<milliseconds>(Clock::now() - begun);
  finish("again");
  EXPECT_EQ(difference(matches("again"), matches("whole")), "");

  gdl::Rng rng(static_cast<std::uint64_t>(begun.time_since_epoch().count()));
  const std::size_t all = matches("whole").size();
  const std::chrono::duration<double, std::milli> match = whole / static_cast<double>(all);
  std::ostringstream seen;
  for (int i = 0; i < kills_; ++i) {
    // Together a half of all matches at most, and then anywhere in a match.
    const double most = static_cast<double>(all) / (2.0 * kills_);
    run_and_kill("killed", static_cast<std::size_t>(rng.uniform() * most),
                 std::chrono::duration_cast<milliseconds>(rng.uniform() * match));
    const std::size_t played = matches("killed").size();
    EXPECT_LT(played, all);
    seen << " " << played;
  }
  const std::string last = finish("killed");
  std::cout << "killed after" << seen.str() << " of " << all << " matches\n";
  EXPECT_EQ(difference(matches("killed"), matches("whole")), "");
  EXPECT_EQ(without_times(last), without_times(standings));
}

TEST_F(KilledTournament, RepairsATornLine) {
  const std::string standings = finish("whole");
  std::filesystem::create_directories(scratch_.path() / "torn");
  std::ifstream log(scratch_.path() / "whole" / kLogFile);
  const std::string text{std::istreambuf_iterator<char>(log), {}};
  std::ofstream(scratch_.path() / "torn" / kLogFile)
      << text.substr(0, text.size() / 2 + text.size() / 1000);
  EXPECT_EQ(without_times(finish("torn")), without_times(standings));
  EXPECT_EQ(difference(matches("torn"), matches("whole")), "");
}

}  // namespace
}  // namespace ludens::server
