// SPDX-License-Identifier: MIT
// The rules of the bundled games, `config/games/NAME.kif` or `.hrf`, against what is known of each:
// one text file a game, `NAME.expect`, one statement a line. `#` starts a comment.
//
//   roles white black                the roles, in order
//   perft 3 8902                     so many sequences of 3 joint moves
//   terminals 5 1440                 so many of the sequences of 5 joint moves end the game
//   states 5478                      so many positions can be reached
//   value x 50                       what x can make sure of (minimax over all positions)
//   playouts 20 9 100                20 random playouts: each ends within 9 joint moves, every role
//                                    always has a move, has one goal at the end, and the goals sum
//                                    up to 100 (without the third number: to anything)
//
//   scenario NAME                    from here on: the initial state
//   play J ; J ; ...                 joint moves, one move a role in role order
//   turn M ; M ; ...                 moves of the one role that can make them; each other role has
//                                    only one legal move and makes it
//   repeat 5 turn M ; M ; ...        the same five times; also with `play`
//   legal ROLE count 20              so many legal moves
//   legal ROLE only M ; M            exactly these legal moves
//   legal ROLE contains M ; M        at least these
//   legal ROLE lacks M ; M           none of these
//   state contains F ; F             these fluents are true; `state lacks`: they are not
//   perceives ROLE only P ; P        what it perceives of the last joint move; also as with `legal`
//   terminal yes                     or `no`
//   goals 100 0                      the goals of all roles
//
// A line that begins with `slow` counts only when LUDENS_SLOW_TESTS is set in the environment.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>

#include "gdl/machine/rng.h"
#include "gdl/text/file.h"
#include "gdl/text/syntax.h"
#include "server/game/bundled_games.h"
#include "tests/games/game_tree.h"
#include "tests/games/played_game.h"
#include "tests/project_folder.h"

namespace ludens {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

const fs::path kExpectations = project_folder() + "/tests/games";

/// The terms of `text`, as machines print them.
Words terms(std::string_view text) {
  const gdl::ParsedText parsed = gdl::parse(std::string(text));
  if (!parsed.errors.empty()) throw std::runtime_error(parsed.errors.front().text);
  Words words;
  for (const gdl::NodeIndex form : parsed.tree.forms()) words.push_back(parsed.tree.print(form));
  return words;
}

/// The parts between the semicolons; each the terms in it.
std::vector<Words> parts(std::istream& in) {
  std::vector<Words> all;
  for (std::string part; std::getline(in, part, ';');) all.push_back(terms(part));
  return all;
}

Words single_terms(std::istream& in) {
  Words all;
  for (const Words& part : parts(in)) {
    if (part.size() != 1) throw std::runtime_error("one term is due between two semicolons");
    all.push_back(part.front());
  }
  return all;
}

template <typename Number>
Number number(std::istream& in) {
  Number n{};
  if (!(in >> n)) throw std::runtime_error("a number is missing");
  return n;
}

std::string word(std::istream& in) {
  std::string text;
  in >> text;
  return text;
}

/// Carries out the statements of one file.
class Expectations {
 public:
  explicit Expectations(const PlayedGame& game)
      : game_(game), sequences_(game), state_(game.initial()) {}

  void carry_out(std::istream& in) {
    const std::string what = word(in);
    if (what == "scenario") {
      state_ = game_.initial();
    } else if (what == "play" || what == "turn") {
      play(what, parts(in));
    } else if (what == "repeat") {
      const auto times = number<int>(in);
      const std::string how = word(in);
      const auto moves = parts(in);
      for (int i = 0; i < times; ++i) play(how, moves);
    } else if (!of_position(what, in) && !of_game(what, in)) {
      throw std::runtime_error("unknown statement '" + what + "'");
    }
  }

 private:
  bool of_position(const std::string& what, std::istream& in) {
    if (what == "legal") {
      const gdl::RoleIndex role = game_.role(word(in));
      compare(game_.legal_names(state_, role), in);
    } else if (what == "state") {
      compare(game_.fluents(state_), in);
    } else if (what == "perceives") {
      const gdl::RoleIndex role = game_.role(word(in));
      compare(game_.percepts(before_, joint_, role), in);
    } else if (what == "terminal") {
      EXPECT_EQ(game_.terminal(state_) ? "yes" : "no", word(in));
    } else if (what == "goals") {
      const std::vector<int> expected{std::istream_iterator<int>(in), {}};
      EXPECT_EQ(game_.goals(state_), expected);
    } else {
      return false;
    }
    return true;
  }

  bool of_game(const std::string& what, std::istream& in) {
    if (what == "roles") {
      for (gdl::RoleIndex r = 0; r < game_.role_count(); ++r) {
        EXPECT_EQ(game_.machine().role_name(r), word(in));
      }
      EXPECT_EQ(word(in), "");
    } else if (what == "perft") {
      const auto length = number<std::size_t>(in);
      EXPECT_EQ(sequences_.of_length(length), number<std::uint64_t>(in));
    } else if (what == "terminals") {
      const auto length = number<std::size_t>(in);
      EXPECT_EQ(sequences_.ended_after(length), number<std::uint64_t>(in));
    } else if (what == "states") {
      EXPECT_EQ(count_positions(game_), number<std::size_t>(in));
    } else if (what == "value") {
      const gdl::RoleIndex role = game_.role(word(in));
      EXPECT_EQ(minimax_value(game_, role), number<int>(in));
    } else if (what == "playouts") {
      const auto count = number<int>(in);
      const auto longest = number<int>(in);
      int sum = -1;
      in >> sum;
      for (int i = 0; i < count; ++i) playout(longest, in ? std::optional(sum) : std::nullopt);
    } else {
      return false;
    }
    return true;
  }

  void play(const std::string& how, const std::vector<Words>& moves) {
    for (const Words& text : moves) {
      if (game_.terminal(state_)) throw std::runtime_error("the game is over before the last move");
      joint_ = how == "play" ? joint_move(text) : turn(text);
      before_ = std::exchange(state_, game_.next(state_, joint_));
    }
  }

  [[nodiscard]] std::optional<gdl::MoveId> find(gdl::RoleIndex role,
                                                const std::string& text) const {
    for (const gdl::MoveId move : game_.legal(state_, role)) {
      if (game_.name(move) == text) return move;
    }
    return std::nullopt;
  }

  [[nodiscard]] PlayedGame::Moves joint_move(const Words& text) const {
    if (text.size() != game_.role_count()) throw std::runtime_error("one move a role is due");
    PlayedGame::Moves joint;
    for (gdl::RoleIndex r = 0; r < text.size(); ++r) {
      const auto move = find(r, text[r]);
      if (!move) throw std::runtime_error("not legal: " + text[r]);
      joint.push_back(*move);
    }
    return joint;
  }

  [[nodiscard]] PlayedGame::Moves turn(const Words& text) const {
    PlayedGame::Moves joint;
    bool made = false;
    for (gdl::RoleIndex r = 0; r < game_.role_count(); ++r) {
      const auto move = made || text.size() != 1 ? std::nullopt : find(r, text.front());
      const auto moves = game_.legal(state_, r);
      if (!move && moves.size() != 1) {
        throw std::runtime_error("not a legal turn: " + testing::PrintToString(text));
      }
      joint.push_back(move.value_or(moves.front()));
      made = made || move.has_value();
    }
    if (!made) throw std::runtime_error("not legal: " + testing::PrintToString(text));
    return joint;
  }

  static void compare(const Words& found, std::istream& in) {
    const std::string how = word(in);
    if (how == "count") {
      EXPECT_EQ(found.size(), number<std::size_t>(in));
      return;
    }
    const Words expected = single_terms(in);
    if (how == "only") {
      EXPECT_THAT(found, testing::UnorderedElementsAreArray(expected));
    } else if (how == "contains") {
      EXPECT_THAT(found, testing::IsSupersetOf(expected));
    } else if (how == "lacks") {
      for (const std::string& term : expected) {
        EXPECT_THAT(found, testing::Not(testing::Contains(term)));
      }
    } else {
      throw std::runtime_error("unknown comparison '" + how + "'");
    }
  }

  void playout(int longest, std::optional<int> sum) {
    gdl::State state = game_.initial();
    int steps = 0;
    for (; !game_.terminal(state); ++steps) {
      ASSERT_LT(steps, longest) << "a playout does not end";
      PlayedGame::Moves joint;
      for (const auto& moves : game_.legal_of_all(state)) {
        ASSERT_FALSE(moves.empty());
        joint.push_back(moves[rng_.below(static_cast<std::uint32_t>(moves.size()))]);
      }
      state = game_.next(state, joint);
    }
    const std::vector<int> goals = game_.goals(state);
    if (sum) {
      EXPECT_EQ(std::accumulate(goals.begin(), goals.end(), 0), *sum);
    }
  }

  const PlayedGame& game_;
  Sequences sequences_;
  gdl::Rng rng_;
  gdl::State state_, before_;
  PlayedGame::Moves joint_;  // that led from `before_` to `state_`
};

server::Rulesheet rulesheet(const std::string& name) {
  auto text = gdl::read_file(server::bundled_game(name).value());
  return server::read_rulesheet(name, *std::move(text));
}

Words games() {
  Words names;
  for (const fs::path& file : server::bundled_games()) names.push_back(file.stem());
  return names;
}

Words names_of_expectations() {
  Words names;
  for (const auto& entry : fs::directory_iterator(kExpectations)) {
    if (entry.path().extension() == ".expect") names.push_back(entry.path().stem());
  }
  std::ranges::sort(names);
  return names;
}

bool is_hrf(const server::Rulesheet& sheet) {
  return sheet.rules->source->is_translated();
}

class BundledGame : public testing::TestWithParam<std::string> {};

TEST_P(BundledGame, IsAsItIsKnown) {
  const PlayedGame game(rulesheet(GetParam()));
  Expectations expectations(game);
  std::ifstream file(kExpectations / (GetParam() + ".expect"));
  ASSERT_TRUE(file) << "no expectations of " << GetParam();
  const bool slow_too = std::getenv("LUDENS_SLOW_TESTS") != nullptr;
  std::string line;
  for (int at = 1; std::getline(file, line); ++at) {
    SCOPED_TRACE(GetParam() + ".expect:" + std::to_string(at) + ": " + line);
    std::string statement = line.substr(0, line.find('#'));
    const bool slow = statement.rfind("slow ", 0) == 0;
    if (slow) statement.erase(0, 5);
    if (statement.find_first_not_of(' ') == std::string::npos || (slow && !slow_too)) continue;
    std::istringstream in(statement);
    try {
      expectations.carry_out(in);
    } catch (const std::runtime_error& error) {
      FAIL() << error.what();
    }
  }
  EXPECT_EQ(game.flaws(), "");
}

TEST_P(BundledGame, BeginsWithItsTitle) {
  const server::Rulesheet sheet = rulesheet(GetParam());
  EXPECT_THAT(sheet.text.substr(0, sheet.text.find('\n')),
              testing::MatchesRegex(std::string(is_hrf(sheet) ? "%" : ";") + " [A-Z][^:]*: .*\\."));
}

TEST_P(BundledGame, LeavesTheCheckerNothingToSay) {
  for (const gdl::Diagnostic& diagnostic : rulesheet(GetParam()).diagnostics) {
    ADD_FAILURE() << gdl::format(diagnostic, GetParam());
  }
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

/// What a game declares, read as the legal moves of a game that is made of its text: for `input`
/// those of each role, for `base` those of a role that is added after the others.
std::vector<std::set<std::string>> declared(std::string text, bool input) {
  replace_all(text, "(legal ", "(was_legal ");
  replace_all(text, input ? "(input " : "(base ", input ? "(legal " : "(legal declarer ");
  if (!input) text += "\n(role declarer)\n";
  const PlayedGame game(server::read_rulesheet("declared", text));
  std::vector<std::set<std::string>> all;
  for (gdl::RoleIndex r = input ? 0 : static_cast<gdl::RoleIndex>(game.role_count() - 1);
       r < game.role_count(); ++r) {
    const Words names = game.legal_names(game.initial(), r);
    all.emplace_back(names.begin(), names.end());
  }
  return all;
}

TEST_P(BundledGame, DeclaresWhatCanBeTrueAndDone) {
  const server::Rulesheet sheet = rulesheet(GetParam());
  std::string text = sheet.text;
  if (is_hrf(sheet)) replace_all(text = sheet.rules->print(), "( ", "(");  // in prefix GDL
  const std::set<std::string> base = declared(text, false).front();
  const std::vector<std::set<std::string>> input = declared(text, true);
  const PlayedGame game(sheet);
  gdl::Rng rng;
  gdl::State state = game.initial();
  for (int steps = 0; steps < 200; ++steps) {
    for (const std::string& fluent : game.fluents(state))
      EXPECT_TRUE(base.contains(fluent)) << fluent;
    if (game.terminal(state)) {
      state = game.initial();
      continue;
    }
    PlayedGame::Moves joint;
    for (gdl::RoleIndex r = 0; r < game.role_count(); ++r) {
      const auto moves = game.legal(state, r);
      for (const gdl::MoveId move : moves) {
        EXPECT_TRUE(input[r].contains(game.name(move))) << game.name(move);
      }
      joint.push_back(moves[rng.below(static_cast<std::uint32_t>(moves.size()))]);
    }
    state = game.next(state, joint);
  }
}

INSTANTIATE_TEST_SUITE_P(, BundledGame, testing::ValuesIn(games()),
                         [](const auto& game) { return game.param; });

TEST(BundledGames, HaveExpectationsEach) {
  EXPECT_EQ(games(), names_of_expectations());
}

}  // namespace
}  // namespace ludens
